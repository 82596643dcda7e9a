"""Printing, Python callbacks and control dependencies: what happens when the graph runs, in program order."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any, TextIO

from runtime.graph.dtypes import DType, as_dtype, float64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.operations import Operation
from runtime.ops import effects, shape as shape_ops
from runtime.ops.printing import Named, Shown
from runtime.tensors import nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.leaf_types import is_leaf
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import current, executing_eagerly
from runtime.tensors.types import DTypeLike, Structure, TensorLike


def print_(
    *inputs: Structure,
    output_stream: TextIO | str | Callable[[str], object] | None = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> Operation | None:
    """Print when the graph runs, at once where operations run at once; to standard error by default.

    Args:
      inputs: tensors of any shape, Python values, or nested structures of them; dictionaries are sorted by their keys.
      output_stream: an open file, ``"file://PATH"``, ``sys.stdout`` or ``sys.stderr``, or a function that takes the
        text, as `compat.v1.logging.info`.
      summarize: how many elements to show at each end of an axis, with an ellipsis between; -1 for all.
      sep, end: what stands between the inputs, and after the last.
    Returns: None; in a graph of `compat.v1` the operation, which prints where it is run, or something after it is.
    Raises:
      ValueError: for another `output_stream`.

    >>> import sys
    >>> tf.print("x =", tf.constant([1, 2, 3]), output_stream=sys.stdout)
    x = [1 2 3]
    >>> tf.print(tf.range(10), output_stream=sys.stdout)
    [0 1 2 ... 7 8 9]
    """
    values: list[Tensor] = []

    def leaf(part: object) -> object:
        if isinstance(part, str):
            return part
        if not is_leaf(part) or isinstance(part, TensorArray) or type(part) in _WRITTEN_OUT:
            return Shown(repr(part))
        values.append(operand(part))
        return len(values) - 1

    def filled(part: object) -> object:
        if not nest.is_nested(part):
            return leaf(part)
        parts = [filled(p) for p in nest.parts(part)]
        if isinstance(part, dict):
            return dict(zip(part, parts))
        if isinstance(part, list):
            return parts
        if isinstance(part, tuple) and not hasattr(part, "_fields"):
            return tuple(parts)
        title = type(part).__name__
        return Named(f"tf.{title}" if isinstance(part, Composite) else title, dict(zip(_names(part), parts)))

    template = [filled(nest.in_order(p)) for p in inputs]
    given = {"sep": sep, "end": end, "summarize": 3 if summarize is None else summarize}
    apply_all(effects.print_, *values, template=template, stream=_stream(output_stream), **given)
    return recorded_operation()


def _names(value: Any) -> Iterable[str]:
    """What the parts of a structure that is no list or dictionary are called."""
    if isinstance(value, Composite):
        return [name.lstrip("_") for name in nest.held(value)]
    return getattr(value, "_fields", None) or nest.held(value)


_WRITTEN_OUT = (bool, int, float, complex, bytes)  # as Python has them


def recorded_operation() -> Operation | None:
    """The operation that was recorded last, in a graph that a program fills; None elsewhere."""
    trace = current()
    return None if trace is None else trace.operation()


def giving_operations(function: Callable[..., object]) -> Callable[..., object]:
    """A function that only does something; in a graph that a program fills it returns the operation that does."""

    @functools.wraps(function)
    def wrapped(*args: object, **kwargs: object) -> object:
        trace = current()
        since = 0 if trace is None else len(trace.nodes)
        result = function(*args, **kwargs)
        return trace.operation(since) if trace is not None and trace.is_open and result is None else result

    return wrapped


def _stream(given: object) -> object:
    """The standard streams by name, so that they are looked up when the graph runs."""
    if given is None or given is sys.stderr:
        return "stderr"
    if given is sys.stdout:
        return "stdout"
    if not (given.startswith("file://") if isinstance(given, str) else callable(given) or hasattr(given, "write")):
        raise ValueError(
            f"output_stream={given!r}: it is sys.stdout, sys.stderr, an open file, 'file://PATH' or a function of texts"
        )
    return given


def py_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | TensorSpec | Sequence[DTypeLike | TensorSpec] | None = None,
    name: str | None = None,
) -> Structure:
    """Call a Python function with eager tensors each time the graph runs; or decorate one that is always called so.

    Args:
      func: it takes an eager tensor for each of `inp`, of whatever shape, and returns what becomes tensors.
      inp: its arguments, known when the graph runs.
      Tout: the dtype of the result, or a TensorSpec, which tells its shape, too; or a list of these, one for each
        result; an empty list for none.
    Returns: a tensor of this dtype, whose shape tracing does not know but by a TensorSpec; of a list, a list; of none,
      None in a graph.
      Without `func` and `inp`, a decorator: the function takes what would be `inp`, and gives this.
    Raises:
      TypeError: without `Tout`, or with one of `func` and `inp` alone.
      InvalidArgumentError: if there are not as many results as dtypes, when it is run.

    >>> print(tf.py_function(lambda x: x.numpy()[::-1], [[1, 2, 3]], tf.int32))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    >>> @tf.py_function(Tout=tf.int32)
    ... def turned(x):
    ...     return x.numpy()[::-1]
    >>> print(turned([1, 2, 3]))
    tf.Tensor([3 2 1], shape=(3,), dtype=int32)
    """
    if func is None or inp is None or Tout is None:
        return _decorator(py_function, func, inp, Tout)
    single = not isinstance(Tout, list | tuple)
    kinds: Any = [Tout] if single else Tout
    dtypes = [as_dtype(kind.dtype if isinstance(kind, TensorSpec) else kind) for kind in kinds]
    result = apply_all(effects.py_function, *(operand(x) for x in inp), function=_on_arrays(func), dtypes=dtypes)
    if not dtypes:
        return [] if executing_eagerly() else None
    results = list(result) if isinstance(result, tuple) else [result]
    shaped = [_of_kind(value, kind) for value, kind in zip(results, kinds)]
    return shaped[0] if single else shaped


def _of_kind(value: Tensor, kind: object) -> Tensor:
    """What a Python function gave, with the shape that a TensorSpec tells."""
    if not isinstance(kind, TensorSpec) or kind.shape.rank is None:
        return value
    return apply(shape_ops.ensure_shape, value, shape=tuple(kind.shape))


def _decorator(
    calls: Callable[..., Structure],
    func: Callable[..., object] | None,
    inp: Sequence[TensorLike] | None,
    dtypes: DTypeLike | TensorSpec | Sequence[DTypeLike | TensorSpec] | None,
) -> Callable[[Callable[..., object]], Callable[..., Structure]]:
    """What makes of a function one that is called by `py_function` or `numpy_function` with its arguments."""
    name = calls.__name__
    if dtypes is None:
        raise TypeError(
            f"{name} without Tout: give the dtype of the result by its name, as in @{name}(Tout=tf.float32)"
        )
    if func is not None or inp is not None:
        missing = "inp, the list of arguments" if inp is None else "func, the function"
        raise TypeError(f"{name} without {missing}; as a decorator it takes neither: @{name}(Tout=...)")

    def decorate(function: Callable[..., object]) -> Callable[..., Structure]:
        def called(*inputs: TensorLike) -> Structure:
            return calls(function, inputs, dtypes)

        return functools.update_wrapper(called, function, assigned=("__name__", "__qualname__", "__doc__"), updated=())

    return decorate


def _on_arrays(function: Callable[..., Any]) -> Callable[..., object]:
    """What calls a Python function with arrays as eager tensors, and checks and converts what it returns."""

    @functools.wraps(function, updated=())
    def called(arrays: Sequence[object], dtypes: Sequence[DType]) -> tuple[object, ...]:
        result = function(*map(EagerTensor.of, arrays))
        if not dtypes:
            return ()
        results = result if len(dtypes) > 1 or isinstance(result, list | tuple) else [result]
        if len(results) != len(dtypes):
            raise InvalidArgumentError(
                f"the Python function returned {len(results)} values, {len(dtypes)} were announced"
            )
        try:
            return tuple(convert_to_tensor(r, dtype=d).array for r, d in zip(results, dtypes))
        except (ValueError, TypeError) as error:
            raise InvalidArgumentError(f"what the Python function returned is not as announced: {error}") from None

    return called


def numpy_function(
    func: Callable[..., object] | None = None,
    inp: Sequence[TensorLike] | None = None,
    Tout: DTypeLike | TensorSpec | Sequence[DTypeLike | TensorSpec] | None = None,
    stateful: bool = True,
    name: str | None = None,
) -> Structure:
    """Call a Python function with NumPy arrays each time the graph runs: `py_function` for functions of arrays.

    It has no gradient: `GradientTape.gradient` gives None, where `py_function` calls its function again with a tape.

    Args:
      func: it takes an array for each of `inp`, of whatever shape, and returns what becomes tensors.
      inp: its arguments, known when the graph runs.
      Tout: the dtype of the result, or a list of dtypes, one for each result; an empty list for none.
      stateful: accepted; the function is always called anew.
    Returns: a tensor of this dtype, whose shape tracing does not know; of a list of dtypes, a list; of none, None.
      Without `func` and `inp`, a decorator: the function takes what would be `inp`, and gives this.
    Raises:
      TypeError: without `Tout`, or with one of `func` and `inp` alone.
      InvalidArgumentError: if there are not as many results as dtypes, when it is run.

    >>> print(tf.numpy_function(np.fft.fftfreq, [4], tf.float64))
    tf.Tensor([ 0.    0.25 -0.5  -0.25], shape=(4,), dtype=float64)
    >>> @tf.numpy_function(Tout=tf.float64)
    ... def frequencies(n):
    ...     return np.fft.fftfreq(n)
    >>> print(frequencies(4))
    tf.Tensor([ 0.    0.25 -0.5  -0.25], shape=(4,), dtype=float64)
    """
    if func is None or inp is None or Tout is None:
        return _decorator(numpy_function, func, inp, Tout)

    def called(*tensors: Any) -> object:
        return func(*(t.numpy() for t in tensors))

    vars(called)["of_arrays"] = True
    return py_function(called, inp, Tout)


def timestamp(name: str | None = None) -> Tensor:
    """The seconds since the year 1970 began, at each run of the graph.

    Returns: a tensor of shape (), of float64.

    >>> tf.timestamp().dtype
    tf.float64
    """
    found = py_function(time.time, [], float64)
    return apply(shape_ops.ensure_shape, found, shape=())


@contextmanager
def control_dependencies(control_inputs: Structure) -> Iterator[None]:
    """A block whose operations come after others.

    In functions effects keep the order of the program anyway. In a graph of `compat.v1`, running an operation of the
    block runs the others, too.

    Args:
      control_inputs: what comes first: a list of tensors of any shape, or operations; None for a block that has no
        part in those around it.

    >>> v = tf.Variable(1)
    >>> with tf.control_dependencies([v.assign(2)]):
    ...     print(tf.identity(v))
    tf.Tensor(2, shape=(), dtype=int32)
    """
    trace = current()
    with nullcontext() if trace is None else trace.depending(control_inputs):
        yield
