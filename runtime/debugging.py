"""Assertions that hold when the graph runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

from runtime.graph.dtypes import DType, as_dtype, float32
from runtime.ops import effects, elementwise as ew
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import operand, promote
from runtime.tensors.effects import giving_operations
from runtime.tensors.mathematics import Binary
from runtime.tensors.numerics import check_numerics, disable_check_numerics, enable_check_numerics
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.shaping import rank as rank_of
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, Structure, TensorLike

__all__ = [
    "Assert", "assert_all_finite", "assert_equal", "assert_greater", "assert_greater_equal", "assert_integer",
    "assert_less", "assert_less_equal", "assert_near", "assert_negative", "assert_non_negative", "assert_non_positive",
    "assert_none_equal", "assert_positive", "assert_proper_iterable", "assert_rank", "assert_rank_at_least",
    "assert_rank_in",
    "assert_same_float_dtype", "assert_scalar", "assert_shapes", "assert_type", "check_numerics",
    "disable_check_numerics", "enable_check_numerics", "is_numeric_tensor",
]  # fmt: skip


def Assert(
    condition: TensorLike, data: Sequence[TensorLike] = (), summarize: int | None = 3, name: str | None = None
) -> None:
    """Raise InvalidArgumentError unless a condition holds everywhere: at once, or when the graph runs.

    Args:
      condition: a tensor of booleans, of any shape.
      data: tensors for the message, which shows three elements at each end of an axis.
      summarize: accepted.
    Raises:
      InvalidArgumentError: if an element is false.

    >>> x = tf.constant([1, -2])
    >>> tf.debugging.Assert(x > 0, [x])
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: assertion failed: [[1 -2]]
    """
    apply_all(
        effects.assert_, operand(condition), *(operand(d) for d in data), message="assertion failed:", python=False
    )


_COMPARISON = """Raise InvalidArgumentError unless ``x {symbol} y`` for all elements: at once, or when the graph runs.

Args:
  x, y: tensors whose shapes broadcast.
  message: what the error begins with.
  summarize: accepted; the error shows three elements at each end of an axis.

>>> tf.debugging.{name}({example})
"""


class _Comparison(Protocol):
    """An assertion about two tensors."""

    __name__: str
    __qualname__: str

    def __call__(
        self, x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None,
        name: str | None = None,
    ) -> None: ...  # fmt: skip


def _comparison(name: str, symbol: str, compare: Binary, example: str) -> _Comparison:
    def check(
        x: TensorLike, y: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
    ) -> None:
        text = f"{message or ''} Condition x {symbol} y did not hold.".strip()
        a, b = promote([operand(x), y])
        apply_all(effects.assert_, compare(a, b), a, b, message=text, python=False)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = _COMPARISON.format(symbol=symbol, name=name, example=example)
    return check


assert_equal = _comparison("assert_equal", "==", m.equal, "[1, 2], [1, 2]")
assert_none_equal = _comparison("assert_none_equal", "!=", m.not_equal, "[1, 2], 3")
assert_less = _comparison("assert_less", "<", m.less, "[1, 2], 3")
assert_less_equal = _comparison("assert_less_equal", "<=", m.less_equal, "[1, 2], 2")
assert_greater = _comparison("assert_greater", ">", m.greater, "[1, 2], 0")
assert_greater_equal = _comparison("assert_greater_equal", ">=", m.greater_equal, "[1, 2], 1")


_SIGN = """Raise InvalidArgumentError unless ``x {symbol} 0`` for all elements: at once, or when the graph runs.

Args:
  x: a tensor of any shape, of numbers.
  message: what the error begins with.
  summarize: accepted; the error shows three elements at each end of an axis.

>>> tf.debugging.{name}({example})
"""


class _Sign(Protocol):
    """An assertion about one tensor."""

    __name__: str
    __qualname__: str

    def __call__(
        self, x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None
    ) -> None: ...


def _sign(name: str, symbol: str, compare: Binary, example: str) -> _Sign:
    def check(x: TensorLike, message: str | None = None, summarize: int | None = None, name: str | None = None) -> None:
        text = f"{message or ''} Condition x {symbol} 0 did not hold element-wise: x =".strip()
        value = operand(x)
        apply_all(effects.assert_, compare(value, 0), value, message=text, python=False)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = _SIGN.format(symbol=symbol, name=name, example=example)
    return check


assert_positive = _sign("assert_positive", ">", m.greater, "[1, 2]")
assert_negative = _sign("assert_negative", "<", m.less, "[-1, -2]")
assert_non_negative = _sign("assert_non_negative", ">=", m.greater_equal, "[0, 1]")
assert_non_positive = _sign("assert_non_positive", "<=", m.less_equal, "[0, -1]")


def assert_proper_iterable(values: object) -> None:
    """Raise TypeError for what is no list, tuple or other sequence of values: a tensor, an array or a string.

    Args:
      values: what should be one, of whatever shapes its elements are.

    >>> tf.debugging.assert_proper_iterable([tf.constant(1)])
    """
    if isinstance(values, Tensor | np.ndarray | str | bytes) or not hasattr(values, "__iter__"):
        raise TypeError(f"a list or another sequence of values is wanted, not {type(values).__name__}")


def assert_near(
    x: TensorLike, y: TensorLike, rtol: float | None = None, atol: float | None = None, message: str | None = None,
    summarize: int | None = None, name: str | None = None,
) -> None:  # fmt: skip
    """Raise InvalidArgumentError unless ``|x - y| <= atol + rtol * |y|`` for all elements.

    Args:
      x, y: tensors whose shapes broadcast.
      rtol, atol: how far apart they may be; each ten times the epsilon of the dtype by default, 0 for integers.
      message: what the error begins with.
      summarize: accepted; the error shows three elements at each end of an axis.

    >>> tf.debugging.assert_near([1.0, 2.0], [1.0, 2.00000001])
    """
    a, b = promote([operand(x), y])
    slack = 10 * float(np.finfo(a.dtype.dtype).eps) if a.dtype.is_floating or a.dtype.is_complex else 0.0
    close = apply(ew.is_close, a, b, rtol=slack if rtol is None else rtol, atol=slack if atol is None else atol)
    apply_all(effects.assert_, close, a, b, message=message or "x and y are not close:", python=False)


def assert_shapes(
    shapes: Structure, data: None = None, summarize: int | None = None, message: str | None = None
) -> None:
    """Raise ValueError unless tensors have given shapes.

    Args:
      shapes: pairs of a tensor and its shape, in a list or a dict; letters stand for sizes that must agree.
      data: None.
      summarize: accepted.
      message: what the error begins with.

    >>> tf.debugging.assert_shapes([(tf.zeros([2, 3]), ("N", 3)), (tf.zeros([2]), ("N",))])
    """
    if data is not None:
        raise NotImplementedError("assert_shapes with data=: the message tells the tensor and its shape")
    sizes: dict[str, int | None] = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        actual = operand(tensor).shape.as_list()
        if len(actual) != len(wanted):
            raise ValueError(f"{message or ''} {tensor} has rank {len(actual)}, not {len(wanted)}".strip())
        for size, want in zip(actual, wanted):
            want = sizes.setdefault(want, size) if isinstance(want, str) else want
            if None not in (size, want) and size != want:
                raise ValueError(f"{message or ''} {tensor} has shape {tuple(actual)}, not {tuple(wanted)}".strip())


def assert_rank(x: TensorLike, rank: int, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless a tensor has a rank; InvalidArgumentError when the graph runs, where only that knows it.

    Args:
      x: a tensor of any shape.
      rank: how many dimensions the shape is to have.
      message: what the error begins with.

    >>> tf.debugging.assert_rank([[1, 2]], 2)
    """
    _check_rank(x, lambda found: found == rank, f"not {rank}", message)


def assert_rank_at_least(x: TensorLike, rank: int, message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless a tensor has a rank, or a higher one, as `assert_rank` does.

    Args:
      x: a tensor of any shape.
      rank: how many dimensions the shape is to have at least.
      message: what the error begins with.

    >>> tf.debugging.assert_rank_at_least([[1, 2]], 1)
    """
    _check_rank(x, lambda found: found >= rank, f"not {rank} or more", message)


def assert_rank_in(x: TensorLike, ranks: Sequence[int], message: str | None = None, name: str | None = None) -> None:
    """Raise ValueError unless a tensor has one of some ranks, as `assert_rank` does.

    Args:
      x: a tensor of any shape.
      ranks: how many dimensions the shape may have.
      message: what the error begins with.

    >>> tf.debugging.assert_rank_in([[1, 2]], [1, 2])
    """
    wanted = [*ranks]

    def is_one(found: object) -> object:
        return reductions.reduce_any(m.equal(found, wanted)) if isinstance(found, Tensor) else found in wanted

    _check_rank(x, is_one, f"not one of {', '.join(map(str, wanted))}", message)


def _check_rank(given: object, fits: Callable[[Any], object], wanted: str, message: str | None) -> None:
    """Raise ValueError unless a rank fits; one that only the graph knows is looked at when it runs."""
    x = operand(given)
    if x.shape.rank is None:
        text = f"{message or ''} the rank is {wanted}:".strip()
        apply_all(effects.assert_, operand(fits(rank_of(x))), rank_of(x), message=text, python=False)
    elif not fits(x.shape.rank):
        raise ValueError(f"{message or ''} {given} has rank {x.shape.rank}, {wanted}".strip())


def assert_scalar(tensor: TensorLike, name: str | None = None, message: str | None = None) -> Tensor:
    """A tensor; raises ValueError unless its shape is ().

    Args:
      tensor: a tensor, or what becomes one.
      message: what the error begins with.
    Returns: the tensor.

    >>> print(tf.debugging.assert_scalar(3))
    tf.Tensor(3, shape=(), dtype=int32)
    """
    x = operand(tensor)
    if x.shape.rank != 0:
        raise ValueError(f"{message or ''} Expected a scalar, got {x} of shape {x.shape}.".strip())
    return x


def assert_type(tensor: TensorLike, tf_type: DTypeLike, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless a tensor has a dtype; its shape is of no matter.

    Args:
      tensor: a tensor, or what becomes one.
      tf_type: the dtype.
      message: what the error begins with.

    >>> tf.debugging.assert_type([1, 2], tf.int32)
    """
    if operand(tensor).dtype != tf_type:
        given: object = tensor
        raise TypeError(f"{message or ''} {given} must be of type {as_dtype(tf_type).name}".strip())


def assert_integer(x: TensorLike, message: str | None = None, name: str | None = None) -> None:
    """Raise TypeError unless a tensor has whole numbers; its shape is of no matter.

    Args:
      x: a tensor, or what becomes one.
      message: what the error begins with.

    >>> tf.debugging.assert_integer([1, 2])
    """
    if not operand(x).dtype.is_integer:
        given: object = x
        raise TypeError(f"{message or ''} {given} must be of integers, not of {operand(x).dtype.name}".strip())


def assert_same_float_dtype(tensors: Sequence[TensorLike] | None = None, dtype: DTypeLike | None = None) -> DType:
    """The dtype of floats that tensors of any shapes have in common.

    Args:
      tensors: the tensors.
      dtype: the dtype that they are to have; that of the first by default, float32 without any.
    Returns: the dtype.
    Raises:
      ValueError: if it is none of floats, or one of the tensors has another.

    >>> tf.debugging.assert_same_float_dtype([tf.constant(1.0), tf.constant([2.0])])
    tf.float32
    """
    found = [operand(x).dtype for x in tensors or ()]
    wanted = as_dtype(dtype) if dtype is not None else found[0] if found else float32
    for number, other in enumerate(found):
        if other != wanted:
            raise ValueError(f"tensor {number} has dtype {other.name}, not {wanted.name} as is wanted of all")
    if not wanted.is_floating:
        raise ValueError(f"floats are wanted, not {wanted.name}")
    return wanted


def assert_all_finite(x: TensorLike, message: str = "", name: str | None = None) -> Tensor:
    """A tensor; raises InvalidArgumentError if an element is NaN or infinite.

    Args:
      x: a tensor of any shape.
      message: what the error begins with.
    Returns: the tensor.

    >>> print(tf.debugging.assert_all_finite([1.0, 2.0]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    value = operand(x)
    text = f"{message} : Tensor had NaN or Inf values:".strip(" :")
    apply_all(effects.assert_, apply(ew.is_finite, value), value, message=text, python=False)
    return value


def is_numeric_tensor(tensor: object) -> bool:
    """Whether a value is a tensor, of any shape, of numbers.

    >>> tf.debugging.is_numeric_tensor(tf.constant([1])), tf.debugging.is_numeric_tensor(tf.constant("a"))
    (True, False)
    """
    return isinstance(tensor, Tensor) and not tensor.dtype.is_bool and tensor.dtype != "string"


for _name in __all__:
    if _name.lower().startswith("assert") and _name != "assert_all_finite":
        globals()[_name] = giving_operations(globals()[_name])
