"""What the functions of the namespace share: which tensors they take, and how NumPy's functions are called."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from runtime.graph.dtypes import DType, as_dtype, bool_, complex128, float64, int64
from runtime.tensors.conversion import cast, constant, operand
from runtime.tensors.tensor import CPU, Tensor
from runtime.tensors.types import DTypeLike, SizeLike, has_tensor

Number: TypeAlias = bool | int | float | complex
Shape: TypeAlias = "SizeLike | Sequence[SizeLike]"
Axes: TypeAlias = int | tuple[int, ...] | None
Norm: TypeAlias = Literal["backward", "ortho", "forward"]
Order: TypeAlias = float | Literal["fro", "nuc"]

KINDS = {
    "bool": "b", "signed integer": "i", "unsigned integer": "u", "integral": "iu", "real floating": "f",
    "complex floating": "c", "numeric": "iufc", "real numeric": "iuf", "floating-point": "fc",
    "integer or boolean": "biu", "any": "biufc",
}  # fmt: skip


def kind_of(dtype: DType) -> str:
    return str(dtype.dtype.kind)


def check_kind(function: str, dtype: DType, kind: str) -> None:
    """Raise TypeError unless a dtype is one of a kind."""
    if kind_of(dtype) not in KINDS[kind]:
        which = "numbers or booleans" if kind == "any" else f"{kind} dtypes"
        raise TypeError(f"{function} takes {which}, not {dtype.name}. Use astype first.")


def tensor(function: str, x: object, kind: str = "any") -> Tensor:
    """A tensor that a function is given."""
    if not isinstance(x, Tensor) and not has_tensor(x):
        raise TypeError(f"{function} takes tensors, not {type(x).__name__}: asarray makes one of {x!r:.50}")
    found = operand(x)
    check_kind(function, found.dtype, kind)
    return found


def pair(function: str, x: object, y: object, kind: str = "any") -> tuple[Tensor, Tensor]:
    """Two operands with one dtype between them; one of them may be a number of Python's."""
    for value, other, swapped in ((x, y, False), (y, x, True)):
        if isinstance(value, Number) and not isinstance(value, np.generic):
            if isinstance(other, Number) and not isinstance(other, np.generic):
                break
            given = with_parts(tensor(function, other, kind), value)
            number = of_number(function, value, given.dtype)
            return (given, number) if swapped else (number, given)
    a, b = tensor(function, x, kind), tensor(function, y, kind)
    together = promoted(function, [a.dtype, b.dtype])
    return converted(a, together), converted(b, together)


def with_parts(x: Tensor, value: Number) -> Tensor:
    """A tensor of floats beside a complex number of Python's: complex numbers of the same precision."""
    return cast(x, complex_of(x.dtype)) if isinstance(value, complex) and kind_of(x.dtype) == "f" else x


def complex_of(dtype: DType) -> DType:
    """The complex numbers whose parts are of a dtype."""
    return as_dtype(np.result_type(dtype.dtype, np.complex64))


def of_number(function: str, value: Number, dtype: DType) -> Tensor:
    """A number of Python's beside a tensor."""
    takes = {bool: "b", int: "iufc", float: "fc", complex: "c"}[type(value)]
    if kind_of(dtype) not in takes:
        raise TypeError(f"{function}: {value!r} does not go with {dtype.name}. Make a tensor of it with asarray.")
    if isinstance(value, int) and kind_of(dtype) in "iu":
        limits = np.iinfo(dtype.dtype)
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"{function}: {dtype.name} does not hold {value}")
    return constant(np.asarray(value, dtype.dtype))


def promoted(function: str, dtypes: Sequence[DType]) -> DType:
    """The dtype that dtypes of one kind promote to; the standard leaves kinds apart."""
    found = dtypes[0]
    for other in dtypes[1:]:
        a, b = kind_of(found), kind_of(other)
        together = a == b or {a, b} <= set("iu") or {a, b} <= set("fc")
        if not together or np.result_type(found.dtype, other.dtype).kind not in (a, b):
            raise TypeError(
                f"{function}: {found.name} and {other.name} do not promote to one dtype by the standard. Use astype."
            )
        found = as_dtype(np.result_type(found.dtype, other.dtype))
    return found


def converted(x: Tensor, dtype: DType) -> Tensor:
    return x if x.dtype == dtype and not x.type.weak else cast(x, dtype)


def dtype_of(dtype: DTypeLike | None, otherwise: DType) -> DType:
    return otherwise if dtype is None else as_dtype(dtype)


def numpy_dtype(dtype: DTypeLike | None) -> np.dtype[np.generic] | None:
    return None if dtype is None else as_dtype(dtype).dtype


def default_dtype(value: object) -> DType:
    """The dtype of what is made of a number of Python's."""
    return {"b": bool_, "c": complex128, "f": float64}.get(np.asarray(value).dtype.kind, int64)


def check_device(device: object) -> None:
    """Raise ValueError for any place but the CPU, which is the one that there is."""
    if device not in (None, "cpu", CPU):
        raise ValueError(f"Unsupported device {device!r}: only the CPU computes here, 'cpu'")


def unary(function: Callable[..., Tensor], name: str, x: object, kind: str) -> Tensor:
    return function(tensor(name, x, kind))


def binary(function: Callable[..., Tensor], name: str, x: object, y: object, kind: str) -> Tensor:
    return function(*pair(name, x, y, kind))


def array(x: object) -> Tensor:
    """What NumPy has made, as a tensor."""
    return x if isinstance(x, Tensor) else constant(np.asarray(x))


def moved(x: Tensor, source: int | tuple[int, ...], destination: int | tuple[int, ...]) -> Tensor:
    """A tensor with axes moved to other places."""
    move: Callable[..., object] = np.moveaxis  # by NumPy's types it takes arrays alone
    return array(move(x, source, destination))


def dims(shape: Shape) -> Shape:
    """A shape as NumPy's functions take it."""
    return tuple(shape) if isinstance(shape, list) else shape
