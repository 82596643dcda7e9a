"""Tensors as bytes: the message TensorProto of TensorFlow, in the encoding of protocol buffers."""

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
_VARINT, _BYTES = 0, 2  # how fields are written


def _varint(number: int) -> bytes:
    """Seven bits in each byte, the lowest first; all but the last have the highest bit.

    >>> _varint(300)
    b'\\xac\\x02'
    """
    made = bytearray()
    while number > 0x7F:
        made.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*made, number])


def _field(number: int, value: int | bytes) -> bytes:
    if isinstance(value, int):
        return _varint(number << 3 | _VARINT) + _varint(value)
    return _varint(number << 3 | _BYTES) + _varint(len(value)) + value


def to_bytes(array: NumPyArray, dtype: DType) -> bytes:
    """The message of an array; bytes of numbers are little-endian."""
    dims = b"".join(_field(_DIM, _field(_SIZE, size) if size else b"") for size in array.shape)
    head = _field(_DTYPE, _NUMBERS[dtype.name]) + _field(_SHAPE, dims)
    if dtype == string:
        return head + b"".join(_field(_STRINGS, text) for text in array.ravel().tolist())
    content = array.astype(array.dtype.newbyteorder("<")).tobytes()
    return head + (_field(_CONTENT, content) if content else b"")


def from_bytes(message: bytes) -> tuple[NumPyArray, DType]:
    """The array of a message, and its dtype; raises ValueError for what is none, or is written in another way."""
    kind: object = None
    sizes: list[int] = []
    content, texts, others = b"", [], set()
    for number, value in _fields(message):
        if number == _DTYPE:
            kind = _NAMES.get(value if isinstance(value, int) else -1)
        elif number == _SHAPE and isinstance(value, bytes):
            sizes = [_size(dim) for field, dim in _fields(value) if field == _DIM and isinstance(dim, bytes)]
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
    found = [value for field, value in _fields(dim) if field == _SIZE]
    size = found[-1] if found else 0
    if not isinstance(size, int) or size >= 1 << 63:
        raise ValueError("it has a dimension of no size")
    return size


def _fields(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    at = 0
    while at < len(message):
        tag, at = _read_varint(message, at)
        value, at = _read_varint(message, at)
        if tag & 7 == _VARINT:
            yield tag >> 3, value
        elif tag & 7 == _BYTES and at + value <= len(message):
            yield tag >> 3, message[at : at + value]
            at += value
        else:
            raise ValueError("it is cut short, or holds what no tensor does")


def _read_varint(message: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(message):
            break
        number |= (message[at] & 0x7F) << shift
        at += 1
        if message[at - 1] < 0x80:
            return number, at
    raise ValueError("it is cut short, or holds what no tensor does")
