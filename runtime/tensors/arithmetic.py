"""What operators, indices and the like mean for tensors."""

from __future__ import annotations

import functools
import sys
from collections.abc import Iterator

import numpy as np

from autograph import StagingError
from autograph.reading import is_a
from runtime.graph.dtypes import DType, int32, string
from runtime.graph.op import Op
from runtime.graph.owner import Owner
from runtime.graph.shapes import broadcast
from runtime.ops import effects, elementwise as ew, indexing, linalg, shape as shape_ops
from runtime.tensors import conversion
from runtime.tensors.bounds import may_be_outside
from runtime.tensors.conversion import binary
from runtime.tensors.frames import assigns_item_of_item, is_augmented, unpacks, users_frame
from runtime.tensors.from_numpy import FromNumpy, owner_of
from runtime.tensors.growing import contents, has_grown
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.operators import SYMBOLS, Operators
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.sizes import shape_of
from runtime.tensors.tensor import EagerTensor, Meaning, Number, SymbolicTensor, Tensor
from runtime.tensors.types import has_tensor

ARITHMETIC: dict[str, Op] = {
    "add": ew.add,
    "sub": ew.subtract,
    "mul": ew.multiply,
    "truediv": ew.divide,
    "floordiv": ew.floor_divide,
    "mod": ew.mod,
    "pow": ew.power,
    "matmul": linalg.matmul,
    "and": ew.bitwise_and,
    "or": ew.bitwise_or,
    "xor": ew.bitwise_xor,
    "lshift": ew.left_shift,
    "rshift": ew.right_shift,
}
COMPARISONS: dict[str, Op] = {
    "lt": ew.less,
    "le": ew.less_equal,
    "gt": ew.greater,
    "ge": ew.greater_equal,
    "eq": ew.equal,
    "ne": ew.not_equal,
}
UNARY: dict[str, Op] = {"neg": ew.negative, "abs": ew.absolute, "invert": ew.invert}


_BINARY = ARITHMETIC | COMPARISONS
_FOR_TEXT = ("add", *COMPARISONS)
_OF_TEXT = {"mul": "cannot be repeated then", "mod": "cannot be filled in then"}


def operated(name: str, x: Tensor, other: object, swapped: bool) -> object:
    """What a binary operator makes of a tensor and anything else, which stands before it if they are `swapped`."""
    if is_a(other, Operators) and not is_a(other, Tensor) and not has_tensor(other):
        return NotImplemented  # it knows what to do
    if name in ("eq", "ne") and not _comparable(other):
        return name == "ne"
    if name == "mul" and conversion.is_repeated(other):
        if isinstance(x, SymbolicTensor):
            x._rebound()  # it matters whether it is a number of NumPy's, or an array
        if x._repeats():
            return conversion.repeated(other, x, in_place=swapped and is_augmented(sys._getframe(1)))
    if name in _OF_TEXT and x.type.dtype == string and x.type.shape == () and isinstance(x, SymbolicTensor):
        raise x._refused_text(_OF_TEXT[name])
    if x.type.dtype == string and name not in _FOR_TEXT:
        raise TypeError(f"unsupported operand type(s) for {SYMBOLS[name]}: text, and {other!r}")
    if name == "pow" and not swapped and _is_two(other) and x.type.dtype.is_bool and x.type.shape:
        return apply(ew.square, x)  # int8, as NumPy has it for an array and this exponent alone
    first, second = (other, x) if swapped else (x, other)
    if name not in ("eq", "ne"):
        return binary(_BINARY[name], first, second)
    try:
        return binary(_BINARY[name], first, second)
    except ValueError:
        if not _never_fits(x, other):
            raise
        return conversion.constant(name == "ne")


def _never_fits(x: Tensor, other: object) -> bool:
    """Whether two tensors have shapes that no element of one meets one of the other in, so that they are not equal.

    Arrays of NumPy's are compared as there, which is an error then.
    """
    if owner_of(x) is not Owner.TENSOR or isinstance(other, FromNumpy):
        return False
    try:
        broadcast(x.type.shape, conversion.operand(other).type.shape)
    except ValueError:
        return True
    return False


def _is_two(value: object) -> bool:
    return type(value) is int and value == 2


def _unary(name: str, x: Tensor) -> object:
    return x if name == "pos" else apply(UNARY[name], x)


def _comparable(other: object) -> bool:
    return isinstance(other, Tensor | Number | np.ndarray | np.generic | list | tuple | str | bytes) or has_tensor(
        other
    )


def _part(self: Tensor, index: object) -> object:
    parts, given = conversion.index_parts(index)
    may_be_outside(self, parts, given, 4)
    of_text = self.type.dtype == string and self.type.shape == ()
    if of_text and any(part is not None and part is not ... for part in parts):
        raise self._refused_text("cannot be indexed then")
    known = conversion.static_value(self) if isinstance(self, SymbolicTensor) and not given else None
    if known is not None:
        return conversion.constant(np.asarray(known[parts]))
    return apply(indexing.getitem, self, *given, index=parts)


def _assign(self: Tensor, index: object, value: object) -> None:
    """Have the tensor, by whatever names it is known, hold other values in a part."""
    if type(self) is SymbolicTensor and (node := self.maker) is not None and node.op is indexing.getitem:
        if target := assigns_item_of_item():
            raise StagingError(
                f"{target} = ... would write a tensor that is a part of another, which does not see it: parts of "
                "tensors are copies. Give all indices at once (x[i, j] = v), or pass an array of NumPy's."
            )
    parts, given = conversion.index_parts(index)
    may_be_outside(self, parts, given, 4)
    convert = _listed if isinstance(value, list | tuple) else conversion.of_dtype
    part = convert(value, self.type.dtype)
    self._become(apply(indexing.setitem, self, part, *given, index=parts, how="set"))


def _listed(value: object, dtype: DType) -> Tensor:
    """What an array of a dtype takes of a list: NumPy converts item by item, and checks that an int fits."""
    value = contents(value)
    if not isinstance(value, list | tuple) or has_grown(value) or dtype == string:
        grown = isinstance(value, list | tuple) or has_tensor(value)
        return conversion.of_dtype(conversion.operand(value) if grown else value, dtype)
    if not _holds_tensors(value):
        return conversion.of_dtype([*value], dtype)
    return apply(shape_ops.stack, *[_listed(part, dtype) for part in value], axis=0)


def _holds_tensors(value: object) -> bool:
    value = contents(value)
    if isinstance(value, list | tuple) and not has_grown(value):
        return any(map(_holds_tensors, value))
    return isinstance(value, Tensor | list) or has_tensor(value)


def _items(self: Tensor) -> Iterator[object]:
    dims = self.type.shape
    is_open = dims is None or (dims and not isinstance(dims[0], int))
    asks = users_frame(sys._getframe(1)) if is_open else None
    unpacked = unpacks(asks) if asks is not None else None
    if unpacked is None:
        return (self[i] for i in range(self._count("iterated over")))
    length = apply(shape_ops.length, self, axis=0, dtype=int32)
    wanted = EagerTensor(np.asarray(unpacked, np.int32))
    if isinstance(self, SymbolicTensor) and self.traced_in.numpys:
        for wrong, which in ((ew.less, "not enough"), (ew.greater, "too many")):
            message = f"{which} values to unpack (expected {unpacked})"
            refuse_where(apply(wrong, length, wanted), functools.partial(_raise_value_error, message))
    else:
        fits = apply(ew.equal, length, wanted)
        apply_all(effects.assert_, fits, length, message=f"expected {unpacked} values to unpack, got", python=False)
    return (self[i] for i in range(unpacked))


def _raise_value_error(message: str) -> None:
    raise ValueError(message)


def _size(self: SymbolicTensor) -> object:
    count = self.shape.num_elements()
    return count if count is not None else apply(shape_ops.size, self, dtype=int32)


Meaning.binary, Meaning.unary = operated, _unary
Meaning.part, Meaning.assign, Meaning.items = _part, _assign, _items
Meaning.shape, Meaning.size, Meaning.cast = shape_of, _size, conversion.cast
Meaning.ensured = lambda x, shape: apply(shape_ops.ensure_shape, x, shape=shape.dims)
Meaning.transpose = lambda x, axes=None: apply(shape_ops.transpose, x, axes=axes)
