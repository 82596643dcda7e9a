"""Plain values and arrays as data: what JSON has stands for itself, everything else is a dictionary with one key."""

from __future__ import annotations

import base64
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from runtime.graph.dtypes import ALL, DType, NumPyArray, as_dtype
from runtime.graph.shapes import TensorShape

_INLINE = 64  # bytes of an array that stand in the JSON; larger ones are in the archive
_DTYPES = {dtype.name: dtype for dtype in ALL}

Encoder = Callable[..., object]  # of a value of its type, and the Writer
Decoder = Callable[[object, "Reader"], object]


class NotSavable(ValueError):
    """Something has no form as data."""


class Malformed(ValueError):
    """Data is not what it has to be."""


@contextmanager
def within(what: str) -> Iterator[None]:
    """Say in errors where in the data, or in the program, it was."""
    try:
        yield
    except (NotSavable, Malformed) as error:
        raise type(error)(f"{what}: {error}") from None


class Writer:
    """Values as data; arrays that are not small go to `arrays`.

    Args:
      more: how further types are written, besides those that are always known.
    """

    def __init__(self, more: Mapping[type, Encoder]) -> None:
        self.arrays: dict[str, NumPyArray] = {}
        self._more = more

    def keep(self, array: NumPyArray, kind: str) -> str:
        """Have an array in the archive; returns its name there."""
        name = f"{kind}/{len(self.arrays)}"
        self.arrays[name] = array
        return name

    def value(self, value: object) -> object:
        """A value as data; raises NotSavable for what has no form."""
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if type(value) is float and math.isfinite(value):
            return value
        for known, (key, encode) in {**_ENCODERS, **{k: ("", e) for k, e in self._more.items()}}.items():
            if kind is known or (known in _FAMILIES and isinstance(value, known)):
                return {key: encode(value, self)} if key else encode(value, self)
        raise NotSavable(f"{value!r} is a {kind.__name__}, which cannot be saved without code")

    def values(self, values: Sequence[object]) -> list[object]:
        return [self.value(value) for value in values]

    def array(self, array: NumPyArray) -> object:
        """An array as data: dtype, shape and bytes, or the name under which the archive has it."""
        dtype = as_dtype(array.dtype).name
        if array.dtype == object:
            texts = array.ravel().tolist()
            if not all(isinstance(text, bytes) for text in texts):
                raise NotSavable(f"an array of objects, {array!r}, cannot be saved without code")
            if sum(map(len, texts)) <= _INLINE and len(texts) <= _INLINE:
                return [dtype, list(array.shape), [base64.b64encode(text).decode() for text in texts]]
            return self.keep(array, "texts")
        if array.nbytes > _INLINE:
            return self.keep(array, "constants")
        data = np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()
        return [dtype, list(array.shape), base64.b64encode(data).decode()]


class Reader:
    """Data as values; raises Malformed for what nothing has written.

    Args:
      arrays: those of the archive, by names.
      more: how further kinds are read, by their keys.
    """

    def __init__(self, arrays: Mapping[str, NumPyArray], more: Mapping[str, Decoder]) -> None:
        self.arrays = arrays
        self._more = more

    def value(self, data: object) -> object:
        """What data stands for."""
        if data is None or type(data) in (bool, int, float, str):
            return data
        if type(data) is not dict or len(data) != 1:
            raise Malformed(f"{_short(data)} stands where a value is expected")
        ((key, inner),) = data.items()
        decode = self._more.get(key) or _DECODERS.get(key)
        if decode is None:
            raise Malformed(f"there are no values of the kind {key!r}")
        return decode(inner, self)

    def values(self, data: object) -> list[object]:
        return [self.value(part) for part in listed(data)]

    def array(self, data: object) -> NumPyArray:
        """The array that data stands for; nobody else has it."""
        if isinstance(data, str):
            if data not in self.arrays:
                raise Malformed(f"the archive has no array {data!r}")
            return self.arrays[data]
        name, dims, content = listed(data, 3)
        dtype, shape = dtype_named(name), tuple(sizes(dims))
        if dtype.has_objects:
            texts = listed(content)
            made = np.empty(len(texts), object)
            made[:] = [decoded(text) for text in texts]
        else:
            made = np.frombuffer(decoded(content), dtype.dtype.newbyteorder("<")).astype(dtype.dtype)
        if made.size != math.prod(shape):
            raise Malformed(f"an array of shape {shape} has {made.size} elements")
        return made.reshape(shape)


# What is checked of data.


def listed(data: object, count: int | None = None) -> list[object]:
    """A list, of so many parts."""
    if type(data) is not list or (count is not None and len(data) != count):
        wanted = "a list" if count is None else f"a list of {count}"
        raise Malformed(f"{_short(data)} stands where {wanted} is expected")
    return data


def text(data: object) -> str:
    if type(data) is not str:
        raise Malformed(f"{_short(data)} stands where text is expected")
    return data


def flag(data: object) -> bool:
    if type(data) is not bool:
        raise Malformed(f"{_short(data)} stands where true or false is expected")
    return data


def index(data: object, count: int) -> int:
    """The number of one of so many things."""
    if type(data) is not int or not 0 <= data < count:
        raise Malformed(f"{_short(data)} stands where a number below {count} is expected")
    return data


def fields(data: object, *names: str) -> list[object]:
    """What stands in a dictionary under just these names."""
    if type(data) is not dict or data.keys() != {*names}:
        raise Malformed(f"{_short(data)} stands where {', '.join(names)} are expected")
    return [data[name] for name in names]


def sizes(data: object) -> list[int]:
    """The dimensions of an array."""
    found = [size for size in listed(data) if type(size) is int and 0 <= size < 2**62]
    if len(found) != len(listed(data)):
        raise Malformed(f"{_short(data)} stands where a shape is expected")
    return found


def dims(data: object) -> tuple[int | None, ...] | None:
    """A shape whose dimensions, or whose rank, may be unknown."""
    if data is None:
        return None
    known = iter(sizes([size for size in listed(data) if size is not None]))
    return tuple([None if size is None else next(known) for size in listed(data)])


def dtype_named(data: object) -> DType:
    if type(data) is not str or data not in _DTYPES:
        raise Malformed(f"{_short(data)} stands where the name of a dtype is expected")
    return _DTYPES[data]


def decoded(data: object) -> bytes:
    return base64.b64decode(text(data), validate=True)


def _short(data: object) -> str:
    shown = repr(data)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."


def _slice(data: object, reader: Reader) -> slice:
    return slice(*reader.values(listed(data, 3)))


def _dictionary(data: object, reader: Reader) -> dict[object, object]:
    pairs = [reader.values(listed(pair, 2)) for pair in listed(data)]
    if not all(type(key) in (bool, int, float, str, bytes, type(None)) for key, _ in pairs):
        raise Malformed("a dictionary has keys that are no plain values")
    return {key: value for key, value in pairs}


def _float(data: object, _: Reader) -> float:
    if data not in ("nan", "inf", "-inf"):
        raise Malformed(f"{_short(data)} stands where a number is expected")
    return float(data)


def _complex(data: object, reader: Reader) -> complex:
    real, imaginary = reader.values(listed(data, 2))
    if type(real) is not float or type(imaginary) is not float:
        raise Malformed(f"{_short(data)} stands where a complex number is expected")
    return complex(real, imaginary)


def _pairs(value: Mapping[object, object], writer: Writer) -> object:
    if not all(type(key) in (bool, int, float, str, bytes, type(None)) for key in value):
        raise NotSavable(f"a dictionary with the keys {[*value]!r} cannot be saved: they must be plain values")
    return [writer.values(pair) for pair in value.items()]


_FAMILIES = (DType, np.generic, BaseException)  # whose derived classes are written alike
_ENCODERS: dict[type, tuple[str, Encoder]] = {
    float: ("float", lambda value, _: repr(value)),
    complex: ("complex", lambda value, writer: writer.values([value.real, value.imag])),
    bytes: ("bytes", lambda value, _: base64.b64encode(value).decode()),
    list: ("list", lambda value, writer: writer.values(value)),
    tuple: ("tuple", lambda value, writer: writer.values(value)),
    dict: ("dict", _pairs),
    slice: ("slice", lambda value, writer: writer.values([value.start, value.stop, value.step])),
    type(Ellipsis): ("ellipsis", lambda value, _: True),
    DType: ("dtype", lambda value, _: value.name),
    TensorShape: ("shape", lambda value, _: None if value.rank is None else value.as_list()),
    np.ndarray: ("array", lambda value, writer: writer.array(value)),
    np.generic: ("number", lambda value, writer: writer.array(np.asarray(value))),
}
_DECODERS: dict[str, Decoder] = {
    "float": _float,
    "complex": _complex,
    "bytes": lambda data, _: decoded(data),
    "list": lambda data, reader: reader.values(data),
    "tuple": lambda data, reader: tuple(reader.values(data)),
    "dict": _dictionary,
    "slice": _slice,
    "ellipsis": lambda data, _: Ellipsis,
    "dtype": lambda data, _: dtype_named(data),
    "shape": lambda data, _: TensorShape(dims(data)),
    "array": lambda data, reader: reader.array(data),
    "number": lambda data, reader: reader.array(data)[()],
}
