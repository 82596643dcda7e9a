"""Functions whose results ``functools.cache`` keeps, where a graph alone knows what they are called with.

Theirs are kept in dictionaries of the graph, as in those that programs write for that, from where a statement is met
that may call them. A function that was made before keeps none of them between two calls of the graph: what it computes
depends on its arguments alone, and it is refused if it does anything else.
"""

from __future__ import annotations

import functools
import inspect
import threading
import types
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NoReturn, TypeAlias

import numpy as np

from autograph import StagingError, do_not_convert, rules
from autograph.operators import behind, calls
from autograph.operators.mutations import Mutations
from autograph.reading import content_of, module_of_class
from runtime.control.shared import attributes_of, is_object
from runtime.graph.graph import Node
from runtime.graph.owner import Owner
from runtime.staging.library_functions import staged_among
from runtime.tensors import nest
from runtime.tensors.from_numpy import owner_of
from runtime.tensors.leaf_types import is_scalar
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, current, traces_around

_Shape: TypeAlias = "str | tuple[_Shape, ...]"


@dataclass
class _Memory:
    """What keeps the results of a function in a trace, and in those inside it."""

    function: object  # so that none other is at its place
    at: int  # after how many nodes of the trace it was made
    last: Node | None  # and after which
    call: Callable[..., Any] = lambda: None
    forget: Callable[[], None] = lambda: None
    shape: _Shape | None = None  # of what it is called with, once that is known: until then it keeps nothing
    others: dict[int, object] = field(default_factory=dict)  # the objects among the arguments, by their places

    def is_of(self, others: Mapping[int, object]) -> bool:
        """Whether these are equal to the objects that it keeps results for."""
        mine = self.others
        return len(others) == len(mine) and all(n in mine and _is_same(mine[n], other) for n, other in others.items())

    def whole_call(self, rest: Sequence[object]) -> list[object]:
        """The arguments of the function, those that are keys among them."""
        left, count = iter(rest), len(rest) + len(self.others)
        return [self.others[n] if n in self.others else next(left) for n in range(count)]

    def is_there(self, trace: Trace) -> bool:
        """Whether what was traced when it was made has not been taken back since."""
        nodes = trace.nodes
        return self.at <= len(nodes) and (self.last is None or nodes[self.at - 1] is self.last)


def _is_same(one: object, other: object) -> bool:
    return one is other or (hash(one) == hash(other) and bool(one == other))


def _is_one(value: object) -> bool:
    """Whether an object is equal to no other."""
    return type(value).__eq__ is object.__eq__ and value is not None and not isinstance(value, Enum)


class _Watching(threading.local):
    on = False  # is it seen what a function does?
    hides = False  # but for the results that are kept?


_watching = _Watching()

# Rules go by the names of modules, and this library's own is left alone.
__name__ = "results_of_graphs"
rules.convert_always(__name__)


def remembering(
    function: Callable[..., Any], whole: Callable[[], bool]
) -> tuple[Callable[..., Any], Callable[[], None]]:
    """A function that keeps its results by its arguments, which are numbers, text and tuples of these, and what has it
    forget them.

    whole: whether these are all that it is given."""
    of_one: dict[Any, Any] = {}  # by the argument itself, as Python has those of one int or one text
    of_all: dict[Any, Any] = {}

    def called(*arguments: Any) -> Any:
        if len(arguments) == 0:
            if 0 in of_one:
                return of_one[0]
            result = function()
            of_one[0] = result
            return result
        if whole() and len(arguments) == 1 and type(arguments[0]) in (int, str):
            argument = arguments[0]
            if argument in of_one:
                return of_one[argument]
            result = function(argument)
            of_one[argument] = result
            return result
        if arguments in of_all:
            return of_all[arguments]
        result = function(*arguments)
        of_all[arguments] = result
        return result

    def forget() -> None:
        of_one.clear()
        of_all.clear()

    return called, forget


def _is_key(value: object) -> bool:
    """Whether a dictionary of the graph can have a value as a key, or as a part of one."""
    if type(value) is tuple:
        return bool(value) and all(map(_is_key, value))
    return isinstance(value, bool | int | float | str | np.generic) or (
        isinstance(value, SymbolicTensor) and is_scalar(value)
    )


def _shape(key: object) -> _Shape:
    """What keys of one dictionary of the graph have in common; those that differ in it are never equal."""
    if type(key) is tuple:
        return tuple(map(_shape, key))
    if isinstance(key, str):
        return "text"
    return "broken" if isinstance(key, float | np.floating) and not key.is_integer() else "number"


def _with_parts(owner: Any, arguments: Sequence[object], keywords: Mapping[str, object]) -> Any:
    """Call a function, whose results are kept for as long as what is traced here: apart for each of the objects that
    are among its arguments."""
    trace = current()
    function = owner.__wrapped__
    given = _in_order(function, arguments, keywords)
    if trace is None or given is None:
        return calls.call(function, *arguments, **keywords)
    others = {number: value for number, value in enumerate(given) if not _is_key(value)}
    for value in others.values():
        _must_be_hashable(value)
    rest = [value for number, value in enumerate(given) if number not in others]
    memory, is_lost = _memory(trace, owner, others, _shape((*rest,)))
    stays = trace.root.was_there
    outlives = stays(owner) and all(map(stays, others.values()))
    if not _watching.on and (outlives or is_lost or _most(owner) < _MANY):
        reason = _OUTLIVES if outlives else _IS_LOST if is_lost else _FEW.format(most=_most(owner))
        return _watched(trace, owner, others.values(), lambda: calls.call(memory.call, *rest), reason)
    return calls.call(memory.call, *rest)


_MANY = 128  # results, which is how many lru_cache() keeps where it is not told


def _most(function: Any) -> float:
    """How many results `functools` keeps of a function."""
    most = function.cache_parameters()["maxsize"]
    return np.inf if most is None else most  # type: ignore[no-any-return]


_OUTLIVES = (
    "'{name}' keeps its results from one call to the next, and {does}, which a graph would do again in each call. Keep "
    "the results in a dictionary of the program, or define the function where it is called."
)
_FEW = "'{{name}}' {{does}}, and keeps only its last {most} results, where a graph keeps all. Leave maxsize out."
_IS_LOST = (
    "'{name}' {does}, and is given arguments of a kind, or an object, for the first time in a statement that the graph "
    "decides, which would do that again after it. Call it with such arguments before, or keep the results in a "
    "dictionary of the program."
)


def _watched(trace: Trace, function: Any, given: Iterable[object], call: Callable[[], Any], reason: str) -> Any:
    """Call a function, given some objects, whose results the graph forgets where `functools` would keep them, or keeps
    where that would have forgotten them: raises StagingError, with the reason, if it does anything but compute."""
    start = len(trace.nodes)
    _watching.on = True
    try:
        _watching.hides = True
        before = Mutations((function.__wrapped__, *given), iterators=False)
        _watching.hides = False
        result = call()
        changed = before.left(lambda _: False).first or _changed_content(before, function.__name__)
    finally:
        _watching.on = _watching.hides = False
    if trace.acted(start) or changed:
        does = f"changes {changed!r}" if changed else "prints or draws random numbers"
        raise StagingError(reason.format(name=function.__name__, does=does))
    return result


def _changed_content(before: Mutations, name: str) -> str:
    """What holds something else by now of the lists, dictionaries and arrays of the graph."""
    places = before.restore(f"the call of {name}")
    for place, value in places:
        place.write(value)
    return str(places[0][0].name) if places else ""


def _must_be_hashable(value: object) -> None:
    if isinstance(value, SymbolicTensor) and owner_of(value) is Owner.ARRAY:
        raise TypeError("unhashable type: 'numpy.ndarray'")
    for kind in (list, dict, set):
        if isinstance(value, kind) and type(value).__hash__ is None:
            raise TypeError(f"unhashable type: '{kind.__name__}'")
    hash(value)


_SPARE = 2  # memories that wait for arguments of a kind that is not known yet, where a statement begins


def _memory(trace: Trace, owner: Any, others: Mapping[int, object], shape: _Shape) -> tuple[_Memory, bool]:
    """What keeps the results of a function, called with arguments of a shape and others, and whether these will be
    forgotten too early."""
    known = [m for around in traces_around(trace) for m in _there(owner, around)]
    of_these = [m for m in known if m.is_of(others) and m.shape == shape]
    one_each = [value for value in (owner, *others.values()) if _is_one(value)]
    lasting = _lasting(trace, [value for value in one_each if not trace.root.was_there(value)])
    if not of_these:
        of_these = [m for around in reversed(lasting) for m in _there(owner, around) if m.shape is None]
    memory = of_these[0] if of_these else _spare(trace, owner)
    if memory.shape is None:
        memory.shape = shape
        memory.others.update(others)
    return memory, any(m is memory for around in lasting[:-1] for m in _there(owner, around))


def _spare(trace: Trace, owner: Any) -> _Memory:
    """What keeps results of a function for the first arguments of a kind."""
    at, last = len(trace.nodes), trace.nodes[-1] if trace.nodes else None
    function, memory = owner.__wrapped__, _Memory(owner, at, last)

    @do_not_convert
    def called(*rest: object) -> object:
        return calls.call(function, *memory.whole_call(rest))

    @do_not_convert
    def whole() -> bool:
        return not memory.others

    memory.call, memory.forget = calls.call(remembering, functools.wraps(function)(called), whole)
    trace.results.setdefault(id(owner), []).append(memory)
    return memory


def _in_order(function: Any, arguments: Sequence[object], keywords: Mapping[str, object]) -> Sequence[object] | None:
    """The arguments as a function takes them without names; None if it does not."""
    if not keywords:
        return arguments
    try:
        bound = inspect.signature(function).bind(*arguments, **keywords)
    except TypeError:
        return None  # which its call raises
    return None if bound.kwargs else bound.args


def _kept(function: Any) -> Callable[..., object]:
    """What a function whose results ``functools`` keeps is called as while something is traced. How many results are
    kept does not show in them."""

    def called(*arguments: object, **keywords: object) -> object:
        given = [*arguments, *keywords.values()]
        if not _is_of_graph(function) and not staged_among(given, {}) and not any(map(_holds_staged, given)):
            return function(*arguments, **keywords)
        if function.cache_parameters()["typed"]:
            raise StagingError(
                f"'{function.__name__}' keeps its results by the types of its arguments: lru_cache(typed=True) has no "
                "staged meaning. Give it numbers of one type (int(n)), and leave typed out."
            )
        return _with_parts(function, arguments, keywords)

    return called


def _is_of_graph(function: Any) -> bool:
    """Whether what it makes may be the graph's, whatever it is called with: it was made by what is traced and reads
    what that knows, or a statement of the graph may call it."""
    trace = current()
    if trace is None:
        return False
    return bool(_known(function, trace)) or (_is_local(function, trace) and _holds_staged(function.__wrapped__))


_DEPTH = 3  # functions and objects in one another that are looked into


def _holds_staged(value: object, depth: int = _DEPTH) -> bool:
    """Whether an object of the user's has attributes that only the graph knows, or a function variables around it."""
    if isinstance(value, types.FunctionType | types.MethodType):
        function: Any = getattr(value, "__func__", value)
        held = [part for cell in function.__closure__ or () for part in content_of(cell)]
        held += [value.__self__] if isinstance(value, types.MethodType) else []
    elif isinstance(value, behind.KEEPS_RESULTS):
        held = [value.__wrapped__]
    elif is_object(value) and not rules.is_left_alone(module_of_class(type(value))):
        held = [*attributes_of(value).values()]
    else:
        return False
    parts = nest.flatten(held)
    return bool(staged_among(parts, {})) or (depth > 0 and any(_holds_staged(part, depth - 1) for part in parts))


def _results_of(function: Any) -> list[Callable[..., Any]]:
    """What keeps the results of a function where something is traced, which begins before a statement whose branches
    or iterations may call it."""
    trace = current()
    if trace is None or _watching.hides or rules.is_left_alone(function.__wrapped__.__module__):
        return []
    spares = [memory for around in _in_iteration(trace) for memory in _there(function, around) if memory.shape is None]
    for _ in range(_SPARE - len(spares)):
        _spare(trace, function)
    return [memory.call for around in traces_around(trace) for memory in _there(function, around)]


def _there(function: object, trace: Trace) -> list[_Memory]:
    """What keeps the results of a function in a trace itself."""
    return [memory for memory in trace.results.get(id(function), ()) if memory.is_there(trace)]


def _in_iteration(trace: Trace) -> list[Trace]:
    """A trace and those that it is in, up to the body of a loop, which makes other objects each time."""
    return [trace, *(_in_iteration(trace.parent) if trace.parent is not None and not trace.repeats else ())]


def _lasting(trace: Trace, objects: Collection[object]) -> list[Trace]:
    """A trace and those that it is in, up to the one that has made one of some objects."""
    goes_on = trace.parent is not None and all(map(trace.knows, objects))
    return [trace, *(_lasting(trace.parent, objects) if trace.parent is not None and goes_on else ())]


def _known(function: object, trace: Trace) -> list[_Memory]:
    """What keeps results of a function that there may be by now."""
    return [m for around in traces_around(trace) for m in _there(function, around) if m.shape is not None]


def _is_local(function: Any, trace: Trace) -> bool:
    """Whether a function was made by what is traced."""
    wrapped = function.__wrapped__
    is_local = "<locals>" in getattr(wrapped, "__qualname__", "") and not rules.is_left_alone(wrapped.__module__)
    return is_local and not trace.root.was_there(function)


def _clear(function: Any) -> None:
    trace = current()
    for memory in [] if trace is None else _known(function, trace):
        calls.call(memory.forget)
    function.cache_clear()


def _method(method: Any) -> Callable[..., object]:
    """What a method of such a function does while something is traced."""
    function = method.__self__
    if method.__name__ == "cache_clear":
        return functools.partial(_clear, function)
    trace = current()
    if method.__name__ != "cache_info" or trace is None or not _known(function, trace):
        return method  # type: ignore[no-any-return]

    def refused() -> NoReturn:
        raise StagingError(
            f"cache_info() of '{function.__name__}' has no staged meaning: the graph keeps results, and does not count "
            "them. Count the calls in the function, or ask outside of what is traced."
        )

    return refused


calls.set_kinds([(behind.KEEPS_RESULTS, _kept)])
calls.set_methods([(behind.KEEPS_RESULTS, _method)])
behind.set_results(_results_of)
behind.register_behind(_Memory, lambda memory: memory.others.values())
