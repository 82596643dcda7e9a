"""The functions that make tensors, and those that say where they are."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from runtime.array_api.support import (
    Number,
    Shape,
    array,
    check_device,
    check_kind,
    converted,
    default_dtype,
    dims,
    dtype_of,
    numpy_dtype,
    tensor,
)
from runtime.graph.dtypes import as_dtype, float64, int64
from runtime.tensors import making
from runtime.tensors.conversion import constant, convert_to_tensor
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import DTypeLike, ShapeLike, TensorLike, has_tensor


def asarray(
    obj: TensorLike, /, *, dtype: DTypeLike | None = None, device: object = None, copy: bool | None = None
) -> Tensor:
    """A tensor of numbers, nested lists, arrays, or of what speaks DLPack or the buffer protocol.

    Args:
      obj: what becomes a tensor of its shape.
      dtype: the dtype; by default that of `obj`, and of Python's numbers int64, float64 or complex128.
      device: ``"cpu"``, or None.
      copy: whether it is copied: tensors never need to be, as they do not change; anything else always has to be.
    Returns: a tensor of the shape of `obj`.
    Raises:
      ValueError: with ``copy=False`` for what has to be copied; for other devices.
      TypeError: for what no tensor can be made of.

    >>> print(tf.array_api.asarray([[1, 2], [3, 4]]))
    tf.Tensor(
    [[1 2]
     [3 4]], shape=(2, 2), dtype=int64)
    """
    check_device(device)
    if isinstance(obj, Tensor) or has_tensor(obj):
        found = convert_to_tensor(obj)
        if copy is False and dtype is not None and as_dtype(dtype) != found.dtype:
            raise ValueError(
                f"asarray with copy=False: {found.dtype.name} has to be copied to be {as_dtype(dtype).name}"
            )
        if copy and isinstance(found, EagerTensor):
            found = EagerTensor(found.array.copy())
        return found if dtype is None else converted(found, as_dtype(dtype))
    if copy is False:
        raise ValueError(f"asarray with copy=False: {type(obj).__name__} has to be copied, as a tensor never changes")
    given: object = obj
    if isinstance(given, list | tuple) and _holds_tensors(given):
        made = convert_to_tensor(given)
        return made if dtype is None else converted(made, as_dtype(dtype))
    if not isinstance(given, np.ndarray | np.generic) and not isinstance(given, Number | list | tuple):
        given = np.from_dlpack(given) if hasattr(given, "__dlpack__") else np.asarray(given)
    wanted = numpy_dtype(dtype)
    made_array = np.array(given, dtype=wanted)
    if made_array.dtype.kind not in "biufc":
        raise TypeError(f"asarray makes tensors of numbers and booleans, not of {given!r:.50}")
    return EagerTensor(made_array) if not _traced() else constant(made_array)


def _holds_tensors(value: Iterable[object]) -> bool:
    return any(
        _holds_tensors(v) if isinstance(v, list | tuple) else isinstance(v, Tensor) or has_tensor(v) for v in value
    )


def _traced() -> bool:
    return current() is not None


def arange(
    start: int | float,
    /,
    stop: int | float | None = None,
    step: int | float = 1,
    *,
    dtype: DTypeLike | None = None,
    device: object = None,
) -> Tensor:
    """Numbers at the same distance from one another, the end left out.

    Args:
      start: the first; without `stop`, the end of those that begin at 0.
      stop: the end.
      step: the distance.
      dtype: the dtype; int64 if all are whole numbers, else float64.
      device: ``"cpu"``, or None.
    Returns: a tensor of shape [n].

    >>> print(tf.array_api.arange(1, 7, 2))
    tf.Tensor([1 3 5], shape=(3,), dtype=int64)
    """
    check_device(device)
    first, last = (0, start) if stop is None else (start, stop)
    whole = all(isinstance(v, int) for v in (first, last, step))
    wanted = dtype_of(dtype, int64 if whole else float64)
    check_kind("arange", wanted, "real numeric")
    return array(np.arange(first, last, step, dtype=wanted.dtype))


def empty(shape: Shape, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """A tensor whose elements are of no matter: here they are zeros, as it cannot be written.

    Args:
      shape: the shape.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.

    >>> tf.array_api.empty((2, 3)).shape
    TensorShape([2, 3])
    """
    return zeros(shape, dtype=dtype, device=device)


def empty_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """A tensor of the shape of another whose elements are of no matter.

    Args:
      x: a tensor of any shape.
      dtype: the dtype; that of `x` by default.
      device: ``"cpu"``, or None.

    >>> tf.array_api.empty_like(tf.array_api.ones(2)).dtype
    tf.float64
    """
    return zeros_like(x, dtype=dtype, device=device)


def eye(
    n_rows: int,
    n_cols: int | None = None,
    /,
    *,
    k: int = 0,
    dtype: DTypeLike | None = None,
    device: object = None,
) -> Tensor:
    """Ones on a diagonal, zeros elsewhere.

    Args:
      n_rows, n_cols: the shape; as many columns as rows by default.
      k: which diagonal: above the main one if it is positive, below if it is negative.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.eye(2, 3, k=1))
    tf.Tensor(
    [[0. 1. 0.]
     [0. 0. 1.]], shape=(2, 3), dtype=float64)
    """
    check_device(device)
    return array(np.eye(n_rows, n_cols, k=k, dtype=dtype_of(dtype, float64).dtype))


def from_dlpack(x: object, /, *, device: object = None, copy: bool | None = None) -> Tensor:
    """A tensor of what another library has, through DLPack.

    Args:
      x: an array of any library, with `__dlpack__` and `__dlpack_device__`, of any shape.
      device: ``"cpu"``, or None.
      copy: whether it is copied. By default the memory is shared, so that what is written there by the other library
        is seen here.
    Returns: a tensor of the same shape and dtype.
    Raises:
      BufferError: with ``copy=False``, for what cannot be shared.
      ValueError: for other devices.

    >>> a = np.arange(3.0)
    >>> np.shares_memory(np.asarray(tf.array_api.from_dlpack(a)), a)
    True
    """
    check_device(device)
    given: object = x
    if not hasattr(given, "__dlpack__"):
        raise TypeError(f"from_dlpack takes arrays that have __dlpack__, not {type(x).__name__}")
    if isinstance(given, EagerTensor):
        return EagerTensor(given.array.copy()) if copy else given
    found = np.from_dlpack(given)
    return EagerTensor(found.copy() if copy else found)


def full(shape: Shape, fill_value: Number, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """One number everywhere.

    Args:
      shape: the shape.
      fill_value: the number.
      dtype: the dtype; that of the number by default: int64, float64, complex128 or booleans.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.full(2, 7))
    tf.Tensor([7 7], shape=(2,), dtype=int64)
    """
    check_device(device)
    wanted = dtype_of(dtype, default_dtype(fill_value))
    return making.fill(_listed(shape), constant(np.asarray(fill_value, wanted.dtype)))


def full_like(x: Tensor, /, fill_value: Number, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """One number everywhere, in the shape of another tensor.

    Args:
      x: a tensor of any shape.
      fill_value: the number.
      dtype: the dtype; that of `x` by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.full_like(tf.array_api.ones(2), 7))
    tf.Tensor([7. 7.], shape=(2,), dtype=float64)
    """
    check_device(device)
    given = tensor("full_like", x)
    return array(np.full_like(given, fill_value, dtype=numpy_dtype(dtype)))


def linspace(
    start: Number,
    stop: Number,
    /,
    num: int,
    *,
    dtype: DTypeLike | None = None,
    device: object = None,
    endpoint: bool = True,
) -> Tensor:
    """So many numbers at the same distance from one another.

    Args:
      start, stop: the first and the last.
      num: how many.
      dtype: the dtype, float64 by default, or complex128.
      device: ``"cpu"``, or None.
      endpoint: whether `stop` is among them.
    Returns: a tensor of shape [num].

    >>> print(tf.array_api.linspace(0, 1, 3))
    tf.Tensor([0.  0.5 1. ], shape=(3,), dtype=float64)
    """
    check_device(device)
    return array(np.linspace(start, stop, num, dtype=numpy_dtype(dtype), endpoint=endpoint))


def meshgrid(*arrays: Tensor, indexing: str = "xy") -> list[Tensor]:
    """The coordinates of a grid.

    Args:
      arrays: tensors of shape [n], of one dtype.
      indexing: ``"xy"`` for tensors that vary along their second axis first, ``"ij"`` for their first.
    Returns: a list of a tensor for each of them, of rank as many as these are.

    >>> xp = tf.array_api
    >>> xp.meshgrid(xp.asarray([1, 2]), xp.asarray([3, 4, 5]))[0].shape
    TensorShape([3, 2])
    """
    given = [tensor("meshgrid", x) for x in arrays]
    return [array(x) for x in np.meshgrid(*given, indexing=indexing)]  # type: ignore[call-overload]


def ones(shape: Shape, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """Ones.

    Args:
      shape: the shape.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.ones(2))
    tf.Tensor([1. 1.], shape=(2,), dtype=float64)
    """
    check_device(device)
    return making.ones(_listed(shape), dtype_of(dtype, float64))


def ones_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """Ones, in the shape of another tensor.

    Args:
      x: a tensor of any shape.
      dtype: the dtype; that of `x` by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.ones_like(tf.array_api.zeros(2)))
    tf.Tensor([1. 1.], shape=(2,), dtype=float64)
    """
    check_device(device)
    return making.ones_like(tensor("ones_like", x), None if dtype is None else as_dtype(dtype))


def tril(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros above a diagonal.

    Args:
      x: a tensor of shape [..., m, n].
      k: which diagonal: above the main one if it is positive, below if it is negative.
    Returns: a tensor of the same shape and dtype.

    >>> print(tf.array_api.tril(tf.array_api.ones((2, 2))))
    tf.Tensor(
    [[1. 0.]
     [1. 1.]], shape=(2, 2), dtype=float64)
    """
    given = _matrices("tril", x)
    return array(np.tril(given, k=k))


def triu(x: Tensor, /, *, k: int = 0) -> Tensor:
    """Matrices with zeros below a diagonal.

    Args:
      x: a tensor of shape [..., m, n].
      k: which diagonal: above the main one if it is positive, below if it is negative.
    Returns: a tensor of the same shape and dtype.

    >>> print(tf.array_api.triu(tf.array_api.ones((2, 2))))
    tf.Tensor(
    [[1. 1.]
     [0. 1.]], shape=(2, 2), dtype=float64)
    """
    given = _matrices("triu", x)
    return array(np.triu(given, k=k))


def _matrices(function: str, x: object) -> Tensor:
    found = tensor(function, x)
    if found.ndim < 2:
        raise ValueError(f"{function} takes matrices, of rank 2 or more; the tensor has rank {found.ndim}")
    return found


def zeros(shape: Shape, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """Zeros.

    Args:
      shape: the shape.
      dtype: the dtype, float64 by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.zeros(2))
    tf.Tensor([0. 0.], shape=(2,), dtype=float64)
    """
    check_device(device)
    return making.zeros(_listed(shape), dtype_of(dtype, float64))


def zeros_like(x: Tensor, /, *, dtype: DTypeLike | None = None, device: object = None) -> Tensor:
    """Zeros, in the shape of another tensor.

    Args:
      x: a tensor of any shape.
      dtype: the dtype; that of `x` by default.
      device: ``"cpu"``, or None.

    >>> print(tf.array_api.zeros_like(tf.array_api.ones(2)))
    tf.Tensor([0. 0.], shape=(2,), dtype=float64)
    """
    check_device(device)
    return making.zeros_like(tensor("zeros_like", x), None if dtype is None else as_dtype(dtype))


def _listed(shape: Shape) -> ShapeLike:
    return [shape] if isinstance(shape, int) else dims(shape)
