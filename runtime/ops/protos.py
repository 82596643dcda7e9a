"""Protocol buffers: how their fields are written, and TensorProto, TensorFlow's message of a tensor."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype, string

_NAMES = {
    1: "float32", 2: "float64", 3: "int32", 4: "uint8", 5: "int16", 6: "int8", 7: "string", 8: "complex64",
    9: "int64", 10: "bool", 17: "uint16", 18: "complex128", 19: "float16", 22: "uint32", 23: "uint64",
}  # fmt: skip
_NUMBERS = {name: number for number, name in _NAMES.items()}
_DTYPE, _SHAPE, _CONTENT, _STRINGS = 1, 2, 4, 8  # fields of TensorProto
_DIM = 2  # of its shape
_SIZE = 1  # of a dimension
_VARINT, _LONG, _BYTES, _SHORT = 0, 1, 2, 5  # how fields are written


def varint(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; all but the last have the highest bit.

    >>> varint(300)
    b'\\xac\\x02'
    """
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*made, number])


def field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return varint(number << 3 | _VARINT) + varint(value)
    return varint(number << 3 | _BYTES) + varint(len(value)) + value


def to_bytes(array: NumPyArray, dtype: DType) -> bytes:
    """The message of an array; bytes of numbers are little-endian."""
    dims = b"".join(field(_DIM, field(_SIZE, size) if size else b"") for size in array.shape)
    head = field(_DTYPE, _NUMBERS[dtype.name]) + field(_SHAPE, dims)
    if dtype == string:
        return head + b"".join(field(_STRINGS, text) for text in array.ravel().tolist())
    content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return head + (field(_CONTENT, content) if content else b"")


def from_bytes(message: bytes) -> tuple[NumPyArray, DType]:
    """The array of a message, and its dtype; raises ValueError for what is none, or is written in another way."""
    kind: object = None
    sizes: list[int] = []
    content, texts, others = b"", [], set()
    for number, value in fields(message):
        if number == _DTYPE:
            kind = _NAMES.get(value if isinstance(value, int) else -1)
        elif number == _SHAPE and isinstance(value, bytes):
            sizes = [_size(dim) for place, dim in fields(value) if place == _DIM and isinstance(dim, bytes)]
        elif number == _CONTENT and isinstance(value, bytes):
            content = value
        elif number == _STRINGS and isinstance(value, bytes):
            texts.append(value)
        else:
            others.add(number)
    if not isinstance(kind, str):
        raise ValueError("it does not say of which dtype it is, or of one that is not here")
    dtype, count = as_dtype(kind), int(np.prod(sizes, dtype=object))
    if others or ((dtype == string) != (not content) and count):
        raise ValueError("its elements are not written as serialize_tensor writes them")
    if dtype == string:
        flat = np.empty(len(texts), object)
        flat[:] = texts
    else:
        flat = np.frombuffer(content, dtype.dtype.newbyteorder("<")).astype(dtype.dtype)
    return flat.reshape(sizes), dtype


def _size(dim: bytes) -> int:
    found = [value for place, value in fields(dim) if place == _SIZE]
    size = found[-1] if found else 0
    if not isinstance(size, int) or size >= 1 << 63:
        raise ValueError("it has a dimension of no size")
    return size


def fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The number of each field, and what it holds: a whole number, or bytes."""
    at = 0
    while at < len(message):
        tag, at = read_varint(message, at)
        size = {_LONG: 8, _SHORT: 4}.get(tag & 7)
        if tag & 7 in (_VARINT, _BYTES):
            size, at = read_varint(message, at)
        if tag & 7 == _VARINT:
            assert size is not None
            yield tag >> 3, size
        elif size is not None and at + size <= len(message):
            yield tag >> 3, message[at : at + size]
            at += size
        else:
            raise ValueError("it is cut short, or holds what no message does")


def read_varint(message: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a place, and where it ends."""
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        number |= (message[at] & 0x7F) << shift
        at += 1
        if message[at - 1] < 0x80:
            return number, at
    raise ValueError("it is cut short, or holds what no message does")
