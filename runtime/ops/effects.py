"""What a graph does to the world, in program order: variables, printing, assertions, calls back into Python."""

from __future__ import annotations

import contextlib
import copy
import sys
import threading
import types
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, NamedTuple, TextIO

import numpy as np

from autograph.errors import held_by_exception, raise_as_it_is
from autograph.reading import bare_copy, is_own
from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.errors import AssertionFailedError, InvalidArgumentError
from runtime.graph.graph import Attributes, Callee, HandleType, Node, TensorType
from runtime.graph.op import always, kernel, op
from runtime.graph.owner import Owner
from runtime.ops import printing


def _read(variable: HandleType) -> TensorType:
    return TensorType(variable.dtype, variable.shape)


def _written(variable: HandleType, _: TensorType) -> TensorType:
    return TensorType(variable.dtype, variable.shape)


read_variable = op("read_variable", _read, "{0}.array", tf="ReadVariableOp", effect="read", shares=always)
assign = op("assign", _written, "{0}.write({1})", tf="AssignVariableOp", effect="write", shares=always, keeps=True)
assign_add = op("assign_add", _written, "{0}.increase({1})", tf="AssignAddVariableOp", effect="write", shares=always)
assign_sub = op("assign_sub", _written, "{0}.decrease({1})", tf="AssignSubVariableOp", effect="write", shares=always)


def _nothing(*_: object, **__: object) -> tuple[()]:
    return ()


class _Shown(threading.local):
    """How often a thread has shown something, and how often it is not to, as it has before."""

    count = again = 0


shown = _Shown()


@contextlib.contextmanager
def already_shown(times: int) -> Iterator[None]:
    """Do once more what has shown something so often."""
    before, shown.again = shown.again, times
    try:
        yield
    finally:
        shown.again = before


def _is_shown() -> bool:
    """Whether what is about to be shown has been."""
    if not shown.again:
        return False
    shown.again -= 1
    return True


@kernel
def show(
    *parts: object,
    sep: str = " ",
    end: str = "\n",
    stream: str | TextIO | Callable[[str], object] = "stderr",
    summarize: int = 3,
) -> None:
    """Print arrays, texts and structures of them, as `runtime.print` does."""
    if _is_shown():
        return
    line = sep.join(printing.text(part, summarize, alone=len(parts) == 1) for part in parts) + end
    if isinstance(stream, str) and stream.startswith("file://"):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(line)
    elif callable(stream):
        stream(line.removesuffix("\n"))
    else:
        out = {"stdout": sys.stdout, "stderr": sys.stderr}[stream] if isinstance(stream, str) else stream
        out.write(line)
        out.flush()
    shown.count += 1


@kernel
def show_filled(*values: object, template: list[object], **options: Any) -> None:
    """Print a template in which integers stand for the values."""
    show(*(_filled(part, values) for part in template), **options)


def _filled(part: object, values: Sequence[object]) -> object:
    if isinstance(part, dict):
        return {key: _filled(value, values) for key, value in part.items()}
    if isinstance(part, printing.Named):
        return printing.Named(part.title, {key: _filled(value, values) for key, value in part.parts.items()})
    if isinstance(part, list | tuple):
        return type(part)([_filled(p, values) for p in part])
    return values[part] if isinstance(part, int) else part


def _show_print(inputs: Sequence[str], attributes: Attributes) -> str:
    """``show('x is', x)``: the values where the template has their numbers."""

    def one(part: object) -> str:
        if isinstance(part, dict):
            return "{" + ", ".join(f"{key!r}: {one(value)}" for key, value in part.items()) + "}"
        if isinstance(part, printing.Named):
            return f"Named({part.title!r}, {one(part.parts)})"
        if isinstance(part, list):
            return "[" + ", ".join(map(one, part)) + "]"
        if isinstance(part, tuple):
            return "(" + ", ".join(map(one, part)) + ("," if len(part) == 1 else "") + ")"
        return inputs[part] if isinstance(part, int) else repr(part)

    usual = {"sep": " ", "end": "\n", "stream": "stderr", "summarize": 3}
    options = [f"{k}={v!r}" for k, v in attributes.items() if k != "template" and usual[k] != v]
    return f"show({', '.join([*map(one, attributes['template']), *options])})"


_OPTIONS = "sep={sep}, end={end}, stream={stream}, summarize={summarize}"
print_ = op(
    "print",
    _nothing,
    "show_filled({*}, template={template}, " + _OPTIONS + ")",
    tf="PrintV2",
    effect="write",
    render=_show_print,
    takes_weak=True,
    tells=True,
)


@kernel
def check(test: np.generic | NumPyArray, *values: object, message: str | None, python: bool) -> None:
    """Raise unless every element of the condition holds; the first value is the message if none is given."""
    if np.all(test):
        return
    if python:
        raise AssertionFailedError(message if message is not None else _python(values[0]))
    shown = "".join(f" [{printing.text(value, 3)}]" for value in values)
    raise InvalidArgumentError(f"{message}{shown}")


assert_ = op(
    "assert", _nothing, "check({*}, message={message}, python={python})", tf="Assert", effect="write", keeps_weak=True
)


@kernel
@dataclass(frozen=True)
class Held:
    """The place of a value among the inputs of an operation, in a structure that is one of its attributes."""

    number: int
    owner: Owner | str = Owner.TENSOR  # who has it, when it becomes text or is raised: Python, NumPy or a tensor

    def __repr__(self) -> str:
        return f"Held({self.number})" if self.owner == Owner.TENSOR else f"Held({self.number}, {str(self.owner)!r})"


@kernel
@dataclass(frozen=True)
class HeldObject:
    """An object as text shows it: what holds the place of its `str`, and of its `repr`."""

    text: object
    representation: object

    def filled(self, given: Callable[[Held], object]) -> object:
        """What has these texts."""
        return Texts(*(given(t) if isinstance(t, Held) else t for t in (self.text, self.representation)))


class Texts:
    """What only has texts."""

    def __init__(self, text: Any, representation: Any) -> None:
        self._text, self._representation = text, representation

    def __str__(self) -> str:
        return self._text  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return self._representation  # type: ignore[no-any-return]


@kernel
def fail(exception: BaseException, *values: object, arguments: object = (), attributes: object = None) -> None:
    """Raise an exception that the user's code raised in this branch, with the values that it was given.

    It is another one each time, and what it holds is, too: notes are added to it.
    """

    def given(held: Held) -> object:
        return _owned(values[held.number], Owner(held.owner))

    if not values:
        arguments, attributes = exception.args, told_by(exception)
    raise_as_it_is(renewed(exception, filled(arguments, given), filled(attributes, given)))


class HeldError(NamedTuple):
    """An exception that another one came from: one like it, and what holds the places of what it tells."""

    exception: BaseException
    arguments: Sequence[object]
    attributes: Mapping[str, object]

    def filled(self, given: Callable[[Held], object]) -> BaseException:
        return renewed(self.exception, filled(self.arguments, given), filled(self.attributes, given))


@kernel
def logged(
    *values: object,
    logger: Any,
    level: int,
    message: object,
    arguments: object,
    place: tuple[str, int, str],
    extra: object,
    caught: tuple[BaseException | None, str] | None,
) -> None:
    """Have a logger of Python's handle what it was told at a place of the program, if it is told of that level, and of
    an exception that was `caught` there, with the text of its traceback."""
    if _is_shown():
        return
    if logger.isEnabledFor(level):
        given = filled(arguments, lambda held: _owned(values[held.number], Owner(held.owner)))
        error, text = caught or (None, None)
        told = None if caught is None else (error and type(error), error, None)
        filename, line, function = place
        record = logger.makeRecord(
            logger.name, level, filename, line, message, tuple(given), told, function, extra
        )  # fmt: skip
        record.exc_text = text
        logger.handle(record)
    shown.count += 1


logged_ = op(
    "logged",
    _nothing,
    "logged({*}, logger={logger}, level={level}, message={message}, arguments={arguments}, place={place}, "
    "extra={extra}, caught={caught})",
    tf="PrintV2",
    effect="write",
    keeps_weak=True,
    tells=True,
)


@kernel
def warned(
    *values: object, message: object, category: type[Warning], place: tuple[str, int, Any] | None, above: int
) -> None:
    """Warn of a text, or what `message` is where the graph makes none, at a place of the program with the names of its
    module, or so many calls `above` the one that runs the graph."""
    if _is_shown():
        return
    told = _owned(values[0], Owner.PYTHON) if values else message
    if place is None:
        warnings.warn(told, category, stacklevel=above + _of_ours())  # type: ignore[arg-type]
    else:
        filename, line, names = place
        registry = names.setdefault("__warningregistry__", {})
        warnings.warn_explicit(told, category, filename, line, names.get("__name__"), registry)  # type: ignore[arg-type]
    shown.count += 1


def _of_ours() -> int:
    """How many frames stand between an operation and the program that runs its graph."""
    frame: types.FrameType | None = sys._getframe(2)
    count = 1
    while frame is not None and _is_of_graph(frame):
        count, frame = count + 1, frame.f_back
    return count


def _is_of_graph(frame: types.FrameType) -> bool:
    """Whether it is one of this library, or of the text of a graph, which is no module's."""
    return (module := frame.f_globals.get("__name__")) is None or is_own(module)


warned_ = op(
    "warned",
    _nothing,
    "warned({*}, message={message}, category={category}, place={place}, above={above})",
    tf="PrintV2",
    effect="write",
    keeps_weak=True,
    tells=True,
)


def renewed(exception: BaseException, arguments: Sequence[object], attributes: Mapping[str, object]) -> BaseException:
    """An exception like this one that was never raised: one that was holds on to all that its traceback shows.

    Those that it came from are among the attributes, as `told_by` gives them.
    """
    kind = type(exception)
    # What mixes MemoryError in after another class has its `__new__`, which refuses to make it.
    new = BaseException.__new__ if _of_memory(kind) else kind.__new__
    made: BaseException = new(kind, *arguments)
    if isinstance(kind.__init__, types.WrapperDescriptorType):  # of the user's, what it did is among the attributes
        made.__init__(*arguments)  # type: ignore[misc]
    made.args = tuple(arguments)
    for key, value in (attributes or {}).items():
        with contextlib.suppress(AttributeError, TypeError):  # what its arguments alone give
            BaseException.__setattr__(made, key, value)
    if (attributes or {}).get("__context__") == _THE_CAUSE:
        made.__context__ = made.__cause__
    made.__suppress_context__ = exception.__suppress_context__
    return made


_THE_CAUSE = "__cause__"


def told_by(exception: BaseException, until: BaseException | None = None) -> dict[str, object]:
    """The attributes of an exception and, as two more of them, what it came from; its contexts only as far as one that
    was being handled `until` all this."""

    def held(error: BaseException) -> object:
        return HeldError(error, error.args, told_by(error, until))

    told = held_by_exception(exception)
    cause, context = exception.__cause__, exception.__context__
    if cause is not None and cause is not exception:
        told["__cause__"] = held(cause)
    if context is not None and context is not until:
        told["__context__"] = _THE_CAUSE if context is cause else held(context)
    return told


def _of_memory(kind: type[BaseException]) -> bool:
    foreign = kind.__base__ is not None and not issubclass(kind.__base__, MemoryError)
    return foreign and kind is not MemoryError and kind.__new__ is MemoryError.__new__


def filled(part: object, given: Callable[[Held], object]) -> Any:
    """A structure with what is given for each `Held` in it."""
    if isinstance(part, Held):
        return given(part)
    if isinstance(part, HeldObject | HeldError):
        return part.filled(given)
    if isinstance(part, dict):
        made = copy.copy(part)
        made.update({key: filled(value, given) for key, value in part.items()})
        return made
    if isinstance(part, list | tuple):
        parts = [filled(p, given) for p in part]
        return type(part)(*parts) if hasattr(part, "_fields") else type(part)(parts)
    if is_dataclass(part) and not isinstance(part, type):
        other = bare_copy(part)
        for field in fields(part):
            if hasattr(part, field.name):
                object.__setattr__(other, field.name, filled(getattr(part, field.name), given))
        return other
    return part


def _owned(value: object, owner: Owner) -> Any:
    """A number or an array of NumPy's where it is one in the program; what is nobody else's as Python has it."""
    array = np.asarray(value)
    if owner not in (Owner.NUMPY, Owner.ARRAY) or array.dtype == object:
        return _python(value)
    return array if owner is Owner.ARRAY else array[()]


def _python(value: object) -> Any:
    """A value as Python has it, text decoded."""
    array = np.asarray(value)
    found = array.item() if array.ndim == 0 else array
    return found.decode(errors="replace") if isinstance(found, bytes) else found


def _show_fail(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    """``fail(error)``; the values that go into it only if there are any."""
    options = [f"{key}={value!r}" for key, value in attributes.items() if key != "exception" and inputs]
    return f"fail({', '.join([repr(attributes['exception']), *inputs, *options])})"


raise_ = op(
    "raise",
    _nothing,
    "fail({exception}, {*}, arguments={arguments}, attributes={attributes})",
    tf="Assert",
    effect="write",
    render=_show_fail,
    keeps_weak=True,
    shares=always,
)


@kernel
def require(index: np.generic | NumPyArray, wanted: int, otherwise: Sequence[BaseException | None]) -> None:
    """Raise what belongs to the value of `index`, unless it is `wanted` or nothing belongs to it."""
    number = int(index)
    if number != wanted and (error := otherwise[number]) is not None:
        raise type(error)(*error.args)


def _show_require(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    """``require(index, 1, errors)``; ``test and require(test, 0, errors)``, which calls nothing where all is well."""
    call = f"require({inputs[0]}, {attributes['wanted']!r}, {attributes['otherwise']!r})"
    return f"{inputs[0]} and {call}" if attributes["wanted"] == 0 else call


require_ = op(
    "require",
    _nothing,
    "require({0}, {wanted}, {otherwise})",
    tf="Assert",
    effect="write",
    render=_show_require,
)


RAISING = frozenset(function.__code__ for function in (check, fail, require))  # what the user's code would raise


@kernel
def checked(_: object) -> None:
    """Nothing: that the operand can be computed is all that is asked."""


checked_ = op("checked", _nothing, "checked({0})", tf="Identity", effect="write", keeps_weak=True)


CHECKS = (assert_, checked_, raise_, require_)
"""What does nothing but raise an exception."""


def reached(nodes: Iterable[Node]) -> Iterator[Node]:
    """Operations, and those of branches, loops and graphs that they run, as far as these are known yet."""
    waiting, met = [*nodes], set[Callee]()
    for node in waiting:
        yield node
        waiting += [inner for region in node.regions for inner in region.nodes]
        callee = node.callee
        if callee is not None and callee not in met:
            met.add(callee)
            waiting += [] if callee.graph is None else callee.graph.nodes


def act(nodes: Iterable[Node]) -> bool:
    """Whether operations, or those of branches, loops and graphs that they run, do something to the world besides
    raising exceptions: it is not the same when it is done twice."""
    return any(_acts(node) or (node.callee is not None and node.callee.graph is None) for node in reached(nodes))


def _acts(node: Node) -> bool:
    return node.op.effect == "write" and all(node.op is not check for check in CHECKS)


@kernel
def call_python(*values: object, function: Callable[..., Sequence[object]], dtypes: Sequence[object]) -> object:
    """Call a function of arrays that gives as many of them as there are dtypes."""
    arrays = function(values, dtypes)
    return arrays if len(arrays) != 1 else arrays[0]


def _called(*_: object, dtypes: Sequence[DType], **__: object) -> object:
    types = tuple(TensorType(d, None) for d in dtypes)
    return types if len(types) != 1 else types[0]


py_function = op(
    "py_function",
    _called,
    "call_python({*}, function={function}, dtypes={dtypes})",
    tf="EagerPyFunc",
    effect="write",
    shares=always,
    keeps=True,
    calls_back=True,
)
