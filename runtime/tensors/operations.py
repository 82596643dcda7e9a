"""Here, and only here, an operation is either run at once or recorded."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.graph import settings
from runtime.graph.dtypes import DType, int32, python_numbers
from runtime.graph.errors import InvalidArgumentError, OpError, OutOfBoundsError, ours
from runtime.graph.graph import Attributes, ListType, TensorType, Value, strong_dtype
from runtime.graph.op import Op, is_total
from runtime.ops import effects, elementwise as ew, failing, lists
from runtime.tensors import taping
from runtime.tensors.clauses import may_be_caught, not_caught
from runtime.tensors.frames import hide
from runtime.tensors.tensor import Elements, ListElements, SymbolicTensor, Tensor, wrap
from runtime.tensors.trace import Trace, current


class Checks:
    """What looks at the results of operations while `settings.checks_numerics` says so: filled in by `numerics`."""

    made: Callable[[Op, object], None]


def apply(op: Op, *inputs: object, **attributes: object) -> Tensor:
    """Run an operation on tensors, Variables (their handles) and lists, or record it where a trace is going on.

    Returns a tensor; for other rows there are `apply_all` and `apply_to_list`.
    """
    trace = current()
    try:
        result = _run(op, inputs, attributes) if trace is None else _record(trace, op, inputs, attributes)
    except Exception as error:
        if trace is None:
            hide(error)
        raise
    if settings.checks_numerics():
        Checks.made(op, result)
    return result


apply_all: Callable[..., tuple[Tensor, ...]] = apply  # type: ignore[assignment]  # several results, or none
apply_to_list: Callable[..., Elements] = apply  # type: ignore[assignment]  # the elements of a list


def conjugate(x: Tensor) -> Tensor:
    """The complex conjugate of numbers that have one."""
    return apply(ew.conj, x) if x.type.dtype.is_complex else x


def _run(op: Op, inputs: Sequence[Any], attributes: Mapping[str, object]) -> Any:
    arrays = [x.concrete() for x in inputs]
    shown = {k: v.as_numpy_dtype if isinstance(v, DType) else v for k, v in attributes.items()}
    try:
        with np.errstate(all="ignore"):
            result = op.kernel(*arrays, **shown)
    except OpError:
        raise
    except (ValueError, TypeError) as error:
        _explain(op, inputs, attributes)
        told = error if op.calls_back else ours(error)
        if told is not error:
            raise told from None
        raise
    made: object = tuple(map(wrap, result)) if isinstance(result, tuple) else () if result is None else wrap(result)
    if taping.active[0]:
        taping.note(op, inputs, attributes, made if isinstance(made, tuple) else (made,))
    return made


def _explain(op: Op, inputs: Sequence[Any], attributes: Mapping[str, object]) -> None:
    """If the rule of the operation refuses the operands, its message is better than NumPy's."""
    try:
        op.rule(*(x.type for x in inputs), **attributes)
    except np.linalg.LinAlgError:
        return
    except (ValueError, TypeError) as better:
        raise InvalidArgumentError(str(better)) from None


def _record(trace: Trace, op: Op, inputs: Sequence[Any], attributes: Attributes) -> Any:
    sizes = attributes["shape"].count(None) if op.takes_shape else 0
    values = [x.record_in(trace) for x in inputs]
    values = [v if i >= len(values) - sizes else strong(trace, v, op) for i, v in enumerate(values)]
    try:
        types = op.rule(*(v.type for v in values), **attributes)
    except OutOfBoundsError as error:
        raise (as_numpys(error) if python_numbers.are_numpys else error) from None
    several = isinstance(types, tuple)
    outputs = trace.record(op, values, attributes, types if several else [types])
    node = trace.nodes[-1]
    if outputs and not op.effect and not is_total(node) and may_be_caught():
        if op.raises:
            trace.rewind(len(trace.nodes) - 1)
            _ask_whether_it_fails(op, inputs, attributes)
            outputs = trace.record(op, values, attributes, types if several else [types])
        trace.record(effects.checked_, outputs[:1], {}, [])
    made = tuple(symbolic(trace, v) for v in outputs)
    return made if several else made[0]


def as_numpys(error: OutOfBoundsError) -> IndexError:
    """What NumPy raises for an index, which is no ValueError."""
    made = IndexError(str(error)).with_traceback(error.__traceback__)
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    return made


def _ask_whether_it_fails(op: Op, inputs: Sequence[Any], attributes: Attributes) -> None:
    """Have the program catch what an operation raises, if it would."""
    for error in op.raises:
        if not op.may_raise(error, attributes):
            continue
        told = error if python_numbers.are_numpys else ours(error)
        test = functools.partial(fails, type(error), op, inputs, attributes)
        not_caught(told, test, softly=True, words=functools.partial(words, op, inputs, attributes))


# Whether an operation would raise such an exception; None if that is not said of these operands. `failures` fills it.
FAILS: dict[tuple[Op, type[Exception]], Callable[..., Tensor | None]] = {}


def fails(kind: type[Exception], op: Op, inputs: Sequence[Any], attributes: Attributes) -> Tensor:
    """Whether an operation would raise such an exception; where nothing else tells, that is found by doing it."""
    test = FAILS.get((op, kind))
    if test is not None and (found := test(*inputs, **attributes)) is not None:
        return found
    named = tuple(attributes.items())
    found = apply(failing.attempted, *inputs, name=op.name, named=named, kinds=(kind.__name__,))
    return apply(ew.equal, found, wrap(np.int8(1)))


def words(op: Op, inputs: Sequence[Any], attributes: Attributes) -> Tensor:
    """What an operation says when it fails; the graph makes the text if somebody asks for it."""
    return apply(failing.told, *inputs, name=op.name, named=tuple(attributes.items()))


def symbolic(trace: Trace, value: Value) -> object:
    """What user code holds for a value: a symbolic tensor, or the elements of a TensorArray."""
    return ListElements(trace, value) if isinstance(value.type, ListType) else SymbolicTensor(trace, value)


def strong(trace: Trace, value: Value, op: Op | None = None) -> Value:
    """A value whose dtype is settled; element-wise operations take weak ones as they are.

    A Python integer that the dtype does not hold raises OverflowError when the graph runs, as it does in NumPy.
    """
    if not isinstance(value.type, TensorType) or not value.type.weak or (op is not None and op.keeps_weak):
        return value
    is_integer = value.type.dtype.is_integer
    if op is not None and (op.literals or (op.takes_weak and is_integer)):
        return value
    dtype = strong_dtype(value.type)
    if (origin := trace.origins.get(value)) is not None and origin.type.dtype == dtype:
        return origin
    return _converted(trace, value, ew.fit if is_integer and dtype != value.type.dtype else ew.cast, dtype=dtype)


def leaving(trace: Trace, value: Value) -> Value:
    """A value as it leaves the graph: Python's numbers are what `constant` makes of them."""
    if isinstance(value.type, TensorType) and python_numbers.are_numpys:
        return strong(trace, value)
    if isinstance(value.type, TensorType) and value.type.weak and value.type.dtype.name == "int64":
        origin = trace.origins.get(value)
        if origin is not None and origin.type.dtype == int32:
            return origin
        return _converted(trace, value, ew.narrow)
    if isinstance(value.type, ListType):
        if not value.type.weak:
            return value
        if value.type.dtype.is_integer and not python_numbers.are_numpys:
            return _converted(trace, value, lists.narrow)
        return _converted(trace, value, lists.cast, dtype=strong_dtype(value.type))
    return strong(trace, value)


def _converted(trace: Trace, value: Value, op: Op, **attributes: object) -> Value:
    return trace.record(op, [value], attributes, [op.rule(value.type, **attributes)], hints=[value.hint])[0]
