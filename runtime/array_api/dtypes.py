"""What the standard asks of data types: which there are, what they promote to, what they hold."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from runtime.array_api.support import (
    KINDS,
    Number,
    array,
    check_device,
    complex_of,
    converted,
    kind_of,
    of_number,
    promoted,
    tensor,
)
from runtime.graph.dtypes import (
    DType,
    as_dtype,
    bool_,
    complex64,
    complex128,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)
from runtime.tensors.shaping import broadcast_to as spread
from runtime.tensors.tensor import CPU, Tensor
from runtime.tensors.types import DTypeLike

ALL = {
    "bool": bool_, "int8": int8, "int16": int16, "int32": int32, "int64": int64, "uint8": uint8, "uint16": uint16,
    "uint32": uint32, "uint64": uint64, "float32": float32, "float64": float64, "complex64": complex64,
    "complex128": complex128,
}  # fmt: skip


@dataclass(frozen=True)
class finfo_object:
    """What is known of floats: what `finfo` gives."""

    bits: int
    eps: float
    max: float
    min: float
    smallest_normal: float
    dtype: DType


@dataclass(frozen=True)
class iinfo_object:
    """What is known of integers: what `iinfo` gives."""

    bits: int
    max: int
    min: int
    dtype: DType


def _dtype_of(given: DTypeLike | Tensor) -> DType:
    return as_dtype(given.dtype if isinstance(given, Tensor) else given)


def finfo(type: DTypeLike | Tensor, /) -> finfo_object:
    """The bits, the limits and the precision of a dtype of floats, or of the parts of complex numbers.

    Args:
      type: the dtype, or a tensor of any shape that has it.
    Raises:
      TypeError: for other dtypes.

    >>> tf.array_api.finfo(tf.float32).bits
    32
    """
    dtype = _dtype_of(type)
    if kind_of(dtype) not in "fc":
        raise TypeError(f"finfo is of floats, not of {dtype.name}: iinfo tells of integers")
    found = np.finfo(dtype.dtype)
    parts = {"complex64": float32, "complex128": float64}.get(dtype.name, dtype)
    eps, most, least, smallest = (float(v) for v in (found.eps, found.max, found.min, found.smallest_normal))
    return finfo_object(int(found.bits), eps, most, least, smallest, parts)


def iinfo(type: DTypeLike | Tensor, /) -> iinfo_object:
    """The bits and the limits of a dtype of integers.

    Args:
      type: the dtype, or a tensor of any shape that has it.
    Raises:
      TypeError: for other dtypes.

    >>> tf.array_api.iinfo(tf.int8).max
    127
    """
    dtype = _dtype_of(type)
    if kind_of(dtype) not in "iu":
        raise TypeError(f"iinfo is of integers, not of {dtype.name}: finfo tells of floats")
    found = np.iinfo(dtype.dtype)
    return iinfo_object(int(found.bits), int(found.max), int(found.min), dtype)


def isdtype(dtype: DTypeLike, kind: DTypeLike | tuple[DTypeLike, ...]) -> bool:
    """Whether a dtype is of a kind.

    Args:
      dtype: the dtype.
      kind: a dtype, the name of a kind (``"bool"``, ``"signed integer"``, ``"unsigned integer"``, ``"integral"``,
        ``"real floating"``, ``"complex floating"``, ``"numeric"``), or a tuple of these for any of them.
    Raises:
      ValueError: for other names.

    >>> tf.array_api.isdtype(tf.int32, ("integral", "real floating"))
    True
    """
    found = as_dtype(dtype)
    if isinstance(kind, tuple):
        return any(isdtype(dtype, k) for k in kind)
    if isinstance(kind, str):
        if kind not in _NAMED:
            raise ValueError(f"isdtype: there is no kind {kind!r}; there are {', '.join(map(repr, _NAMED))}")
        return kind_of(found) in KINDS[kind]
    return found == as_dtype(kind)


_NAMED = ("bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric")


def can_cast(from_: DTypeLike | Tensor, to: DTypeLike, /) -> bool:
    """Whether the standard converts one dtype to another where they meet.

    Args:
      from_: the dtype, or a tensor of any shape that has it.
      to: the other.

    >>> tf.array_api.can_cast(tf.int8, tf.int64), tf.array_api.can_cast(tf.int64, tf.float64)
    (True, False)
    """
    first, wanted = _dtype_of(from_), as_dtype(to)
    try:
        return promoted("can_cast", [first, wanted]) == wanted
    except TypeError:
        return False


def result_type(*arrays_and_dtypes: Tensor | DTypeLike | Number) -> DType:
    """The dtype that tensors, dtypes and Python's numbers have together.

    Args:
      arrays_and_dtypes: tensors of any shape, dtypes, numbers, of which one at least is no number.
    Raises:
      TypeError: if they do not promote by the standard.

    >>> tf.array_api.result_type(tf.int8, tf.uint8, 3)
    tf.int16
    """
    numbers = [v for v in arrays_and_dtypes if isinstance(v, Number) and not isinstance(v, np.generic)]
    others = [v for v in arrays_and_dtypes if isinstance(v, np.generic) or not isinstance(v, Number)]
    if not others:
        raise ValueError("result_type needs a tensor or a dtype; numbers alone have none")
    found = promoted(
        "result_type", [v.dtype if isinstance(v, Tensor) else as_dtype(getattr(v, "dtype", v)) for v in others]
    )
    for number in numbers:
        if isinstance(number, complex) and kind_of(found) == "f":
            found = complex_of(found)
        else:
            of_number("result_type", number, found)
    return found


def astype(x: Tensor, dtype: DTypeLike, /, *, copy: bool = True, device: object = None) -> Tensor:
    """A tensor with its elements in another dtype.

    Args:
      x: a tensor of any shape.
      dtype: the dtype. Floats become integers by rounding towards zero.
      copy: accepted: a tensor does not change, so that it is never seen whether it is copied.
      device: ``"cpu"``, or None.
    Returns: a tensor of the same shape.
    Raises:
      TypeError: for complex numbers that are to become others.

    >>> xp = tf.array_api
    >>> print(xp.astype(xp.asarray([1.7, -1.7]), xp.int32))
    tf.Tensor([ 1 -1], shape=(2,), dtype=int32)
    """
    check_device(device)
    found, wanted = tensor("astype", x), as_dtype(dtype)
    if kind_of(found.dtype) == "c" and kind_of(wanted) != "c":
        raise TypeError(f"astype of {found.dtype.name} to {wanted.name}: take the real part, or abs")
    return converted(found, wanted)


def broadcast_arrays(*arrays: Tensor) -> list[Tensor]:
    """Tensors in the shape that all of them broadcast to.

    Args:
      arrays: the tensors.
    Returns: a list of tensors of one shape.
    Raises:
      ValueError: if the shapes do not go together.

    >>> xp = tf.array_api
    >>> [a.shape for a in xp.broadcast_arrays(xp.ones((2, 1)), xp.ones(3))]
    [TensorShape([2, 3]), TensorShape([2, 3])]
    """
    given = [tensor("broadcast_arrays", x) for x in arrays]
    return [array(x) for x in np.broadcast_arrays(*given)]


def broadcast_to(x: Tensor, /, shape: tuple[int, ...]) -> Tensor:
    """A tensor in a larger shape.

    Args:
      x: a tensor.
      shape: the shape.
    Raises:
      ValueError: if it does not broadcast to that.

    >>> tf.array_api.broadcast_to(tf.array_api.ones(3), (2, 3)).shape
    TensorShape([2, 3])
    """
    return spread(tensor("broadcast_to", x), list(shape))


class Info:
    """What `__array_namespace_info__` gives: what of the standard there is.

    >>> info = tf.array_api.__array_namespace_info__()
    >>> info.default_dtypes()["integral"], list(info.dtypes(kind="real floating"))
    (tf.int64, ['float32', 'float64'])
    """

    def capabilities(self) -> dict[str, object]:
        return {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}

    def default_device(self) -> str:
        return CPU

    def default_dtypes(self, *, device: object = None) -> dict[str, DType]:
        check_device(device)
        return {"real floating": float64, "complex floating": complex128, "integral": int64, "indexing": int64}

    def dtypes(self, *, device: object = None, kind: str | tuple[str, ...] | None = None) -> dict[str, DType]:
        check_device(device)
        return {name: dtype for name, dtype in ALL.items() if kind is None or isdtype(dtype, kind)}

    def devices(self) -> list[str]:
        return [CPU]


def __array_namespace_info__() -> Info:
    """What of the standard there is: dtypes, devices, capabilities.

    >>> tf.array_api.__array_namespace_info__().capabilities()["boolean indexing"]
    True
    """
    return Info()
