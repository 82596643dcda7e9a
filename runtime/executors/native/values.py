"""What a value of the graph is in native code: a number in a register, an array or a list in memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from runtime.executors.native.code import REGISTER, Code, is_literal, memory, vector
from runtime.graph import shapes
from runtime.graph.dtypes import DType
from runtime.graph.graph import ListType, Node, TensorType, Type, Value


class Unsupported(Exception):
    """Something that native code cannot do; the node that asks for it."""

    def __init__(self, why: str, node: Node | None = None) -> None:
        super().__init__(why)
        self.node = node


@dataclass(frozen=True)
class Scalar:
    """A number in a register; `known` is its value if it is a constant, `zero_as` a number that is zero where it is."""

    text: str
    dtype: DType
    known: object = None
    zero_as: str = ""


@dataclass(eq=False)
class Buffer:
    """Memory that somebody has to free: by its owner, when nothing refers to it any more."""

    base: str  # null at run time where the memory is somebody else's
    may_be_borrowed: bool = False
    size: str = ""  # in bytes, where it is known
    on_stack: bool = False  # nobody has to free it, but it ends with the function


@dataclass(frozen=True)
class Array:
    """Elements in memory. `strides` count elements; dimensions and strides are integers known now or at run time."""

    pointer: str
    dims: tuple[str, ...]
    strides: tuple[str, ...]
    dtype: DType
    buffers: frozenset[Buffer] = field(default_factory=frozenset)
    packed: bool = True  # the elements are in C order without gaps
    capacity: str = ""  # of a list: the elements that its memory has room for

    @property
    def is_list(self) -> bool:
        return self.capacity != ""


@dataclass(frozen=True)
class Whole:
    """The elements of a small array, in one register: what a block leaves of it."""

    text: str
    type_: str
    origin: str  # where they were read


Lowered = Scalar | Array

LARGEST = 2**47  # bytes that an array may have: more than there is memory for
SMALL = 128  # bytes of an array up to which it stays on the stack, or in registers if LLVM can tell where it is read


def small_vector(type_: Type) -> str:
    """The LLVM type of the elements of a small array in one register; nothing for other values."""
    if not isinstance(type_, TensorType) or not type_.shape or not shapes.is_known(type_.shape):
        return ""
    if type_.dtype.is_complex:
        return ""
    count = math.prod(type_.shape)
    return vector(memory(type_.dtype), count) if 0 < count * type_.dtype.size <= SMALL else ""


def dense(code: Code, dims: tuple[str, ...]) -> tuple[str, ...]:
    """The strides of an array in C order."""
    strides: list[str] = []
    step = "1"
    for d in reversed(dims):
        strides.append(step)
        step = code.mul(step, d)
    return tuple(reversed(strides))


def strided(array: Array, pointer: str, dims: tuple[str, ...], strides: tuple[str, ...]) -> Array:
    """A view of an array."""
    packed = all(map(is_literal, [*dims, *strides])) and _is_packed(list(map(int, dims)), list(map(int, strides)))
    return replace(array, pointer=pointer, dims=dims, strides=strides, packed=packed, capacity="")


def _is_packed(dims: list[int], strides: list[int]) -> bool:
    step = 1
    for d, s in zip(reversed(dims), reversed(strides)):
        if d != 1 and s != step:
            return False
        step *= d
    return True


def native_dtype(dtype: DType) -> bool:
    return dtype.name in REGISTER


def is_too_large(type_: Type) -> bool:
    """Whether no memory holds so many elements, so that NumPy may say it."""
    return math.prod((d for d in type_.shape or () if isinstance(d, int) and d), start=type_.dtype.size) > LARGEST


def is_rows(type_: Type) -> bool:
    """Whether it is a list of rows, each of a length of its own."""
    shape = type_.shape or () if isinstance(type_, ListType) else ()
    return shape[:1] == (None,) and shapes.is_known(shape[1:])


def check_type(type_: Type, node: Node | None, inside: bool = False) -> None:
    """Raise Unsupported for a type that native code does not hold; `inside` it holds lists of elements of any size."""
    if not native_dtype(type_.dtype):
        raise Unsupported(f"it computes with {type_.dtype.name}", node)
    if type_.shape is None:
        raise Unsupported("the number of dimensions of a tensor is not known", node)
    if is_too_large(type_):
        raise Unsupported("an array is larger than any memory", node)
    open_ = not isinstance(type_, TensorType) and None in type_.shape
    if open_ and not is_rows(type_) and not (inside and isinstance(type_, ListType)):
        raise Unsupported("the shape of what a list or Variable holds is not known", node)


def why_not_held(value: Value, inside: bool = False) -> str:
    """Why native code cannot hold a value, or be given it; nothing if it can."""
    try:
        check_type(value.type, None, inside)
    except Unsupported as error:
        return str(error)
    return ""
