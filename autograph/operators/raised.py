"""Exceptions that end a loop of the graph, and that a clause around it catches.

The loop ends where one is raised, and leaves its number and what it tells that only the iteration knows; the exception
is raised after the loop.
"""

from __future__ import annotations

import dis
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from types import CellType, FunctionType, ModuleType
from typing import Any

from autograph import dispatch
from autograph.dispatch import Signal, Statement
from autograph.errors import AutographError, Refuses, held_by_exception, raise_as_it_is
from autograph.operators import questions
from autograph.operators.asserts import assert_stmt
from autograph.operators.caught import caught
from autograph.operators.logic import and_
from autograph.operators.state import State
from autograph.reading import attributes_of, is_a
from autograph.rules import is_left_alone

_Stage = Callable[[Callable[[object], object], Callable[[], object], State], object]
_MOST = 6  # exceptions of one loop that tell something: of no more can it be asked which one it was


def until_raised(
    stage: _Stage,
    body: Callable[[object], object],
    test: Callable[[], object] | None,
    state: Sequence[str],
    functions: Sequence[Callable[..., object]],
    was_there: Callable[[object], bool],
) -> None:
    """Have `stage` stage a loop that such exceptions may end, given its body, its test and its state; `was_there` tells
    which objects were there before it."""
    telling = Telling(was_there)
    raised_in_this_loop: object = 0  # the number of an exception
    found = _Found({}, {})
    told = [_variable(f"told_{number}_in_this_loop") for number in range(1, _MOST + 1)]

    def tried(item: object) -> int:
        try:
            questions.followed(body, state)(item)
        except Exception as error:
            if isinstance(error, AutographError | Refuses):
                raise
            caught(error)  # it is raised anew after the loop, where nothing tells any more what has raised it
            without_signals(error)
            overlooking = _overlooking(error)
            number = found.number_of(overlooking or telling.likeness(error))
            tells = overlooking is None and number <= _MOST and (parts := telling.staged_parts(error))
            found.errors[number] = error.with_traceback(None), bool(tells)
            if tells:
                told[number - 1].__closure__[0].cell_contents = tuple(parts)  # type: ignore[index]
            return number
        return 0

    def loop_body(item: object) -> None:
        nonlocal raised_in_this_loop
        found.errors.clear()  # an iteration is traced more than once, and the last time counts
        raised_in_this_loop = on_all_ways(item)

    def loop_test() -> object:
        return and_(raised_in_this_loop == 0, test or (lambda: True))

    names = [one.__code__.co_freevars[0] for one in told]
    on_all_ways = questions.on_all_ways(tried, [*state, *names], [*functions, *told])
    stage(loop_body, loop_test, State([*state, "raised_in_this_loop", *names], loop_body, *told, *functions, test))
    for number, (error, tells) in sorted(found.errors.items()):
        question, ends = questions.begin(), raised_in_this_loop == number
        known = questions.answered(question)
        if known is None:
            questions.ask(question, ends)
        if known:
            if tells:
                telling.tell(error, iter(told[number - 1]()))  # type: ignore[call-overload]
            raise_as_it_is(error)


@dataclass(frozen=True)
class _Found:
    """The exceptions that may end a loop, by their numbers, and whether they tell something that only the iteration
    knows: no part of what the program may change.

    What tells one apart has the same number however often the iteration is traced, as what it tells then has one type.
    """

    errors: dict[int, tuple[Exception, bool]]
    numbers: dict[object, int]

    def number_of(self, likeness: object) -> int:
        return self.numbers.setdefault(likeness, len(self.numbers) + 1)


def _overlooking(error: Exception) -> Statement | None:
    """The clause that will catch an exception and ask nothing of it, so that any other would do: there are less ways
    to follow then."""
    attempt = dispatch.attempt_all()
    return None if attempt is None else attempt.overlooking(error)


def to_raise(value: object) -> object:
    """What ``raise value`` raises; the graph does that itself where only it knows which of several exceptions it is."""
    backend = dispatch.backend_of(value) if dispatch.active else None
    found = NotImplemented if backend is None else backend.call(to_raise, (value,), {})
    return value if found is NotImplemented else found


def _variable(name: str) -> FunctionType:
    """A variable of this name, which is unbound: what reads it, and has its cell."""
    told: object = dispatch.UNDEFINED

    def read() -> object:
        return told

    return FunctionType(read.__code__.replace(co_freevars=(name,)), globals(), closure=(CellType(told),))


def raised_by_program(error: BaseException, libraries: tuple[str, ...]) -> bool:
    """Whether an exception comes from a ``raise`` or an ``assert`` of the program's own, and not of what lies in these
    folders."""
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    code = traceback.tb_frame.f_code
    if code is assert_stmt.__code__:  # an `assert` of the program's that needs no graph to fail
        return True
    return (
        not code.co_filename.startswith(libraries) and dis.opname[code.co_code[traceback.tb_lasti]] == "RAISE_VARARGS"
    )


def without_signals(error: BaseException) -> None:
    """Take what this library tells itself out of the contexts of an exception."""
    while error.__context__ is not None:
        if isinstance(error.__context__, Signal | Refuses | AutographError):
            suppressed, error.__context__ = error.__suppress_context__, error.__context__.__context__
            error.__suppress_context__ = suppressed
        else:
            error = error.__context__


@dataclass(frozen=True)
class Telling:
    """What exceptions tell: arguments, attributes, those that they came from, and what is in all these, but for what
    `was_there` before them, which is told by what it is."""

    was_there: Callable[[object], bool]

    def likeness(self, part: object, seen: dict[int, object] | None = None) -> object:
        """What tells exceptions apart, and what they tell, but for what is staged in it."""
        seen = {} if seen is None else seen
        if id(part) in seen:
            return [*seen].index(id(part))
        if (parts := self._parts(part)) is not None:
            seen[id(part)] = part
            keys = (*map(repr, part),) if isinstance(part, dict) else getattr(part, "__suppress_context__", None)
            return (type(part), keys, *(self.likeness(inner, seen) for inner in parts))
        return type(part) if dispatch.backend_of(part) is not None else repr(part)

    def staged_parts(self, part: object, seen: dict[int, object] | None = None) -> list[object]:
        """What is staged of what an exception tells, in the order of `tell`; what is met again was told by then."""
        seen = {} if seen is None else seen
        if id(part) in seen:
            return []
        if (parts := self._parts(part)) is not None:
            seen[id(part)] = part
            return [one for inner in parts for one in self.staged_parts(inner, seen)]
        return [part] if dispatch.backend_of(part) is not None else []

    def tell(self, part: Any, given: Iterator[object], told: dict[int, tuple[object, object]] | None = None) -> Any:
        """What an exception, or a part of what it tells, is with these in the place of its `staged_parts`."""
        told = {} if told is None else told
        if id(part) in told:
            return told[id(part)][1]
        parts = self._parts(part)
        if parts is None:
            return part if dispatch.backend_of(part) is None else next(given)
        told[id(part)] = part, part
        if not self.staged_parts(part):
            return part
        made = [self.tell(inner, given, told) for inner in parts]
        if isinstance(part, dict):
            changed: object = dict(zip(part, made))
        elif is_a(part, (list, tuple)):
            changed = type(part)(*made) if hasattr(part, "_fields") else type(part)(made)
        else:
            if isinstance(part, BaseException):
                part.args = made[1]
            for name, value in made[0].items():
                object.__setattr__(part, name, value)
            return part
        told[id(part)] = part, changed
        return changed

    def _parts(self, part: object) -> Sequence[object] | None:
        """What something holds; None if it is told by what it is."""
        if isinstance(part, tuple):
            return part
        if type(part) in _ATOMS or dispatch.backend_of(part) is not None or self.was_there(part):
            return None
        if isinstance(part, BaseException):
            came_from = {id(one): one for one in (part.__cause__, part.__context__) if one is not None}
            return [held_by_exception(part), part.args, *came_from.values()]
        if type(part) is dict:
            return [*part.values()]
        if type(part) is list or dispatch.is_list(type(part)):
            return dispatch.elements(part)
        attributes = None if isinstance(part, type | FunctionType | ModuleType) else attributes_of(part)
        return None if attributes is None or is_left_alone(type(part).__module__) else [attributes]


_ATOMS = (bool, int, float, complex, str, bytes, type(None))
