"""Strings: tensors of bytes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, bool_, float64, int32, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import Attributes, TensorType
from runtime.graph.op import kernel, op
from runtime.graph.owner import Owner
from runtime.ops.effects import Held, filled
from runtime.ops.printing import element


def each(function: Callable[..., object], *xs: object, dtype: Any = object) -> object:
    """Apply a function to every element."""
    arrays = np.broadcast_arrays(*(np.asarray(x, dtype=object) for x in xs))
    made = np.fromiter(map(function, *(a.ravel().tolist() for a in arrays)), dtype, arrays[0].size)
    result: NumPyArray = made.reshape(arrays[0].shape)
    return result if result.dtype == object else result[()]


@kernel
def joined(*xs: object, separator: bytes) -> object:
    return each(lambda *parts: separator.join(parts), *xs)


def _joined(*xs: TensorType, separator: bytes) -> TensorType:
    return TensorType(string, shapes.broadcast(*(x.shape for x in xs)))


join = op("string_join", _joined, "joined({*}, separator={separator})")


@kernel
def text_of(x: object) -> object:
    kind = np.asarray(x).dtype
    return each(lambda e: element(e, kind).encode(), x)


def of_shape(x: TensorType, **_: object) -> TensorType:
    return TensorType(string, x.shape)


as_string = op("as_string", of_shape, "text_of({0})", takes_weak=True)


@kernel
def lengths(x: object, unit: str) -> object:
    return each(lambda e: len(e if unit == "BYTE" else e.decode()), x, dtype=np.int32)


def _length(x: TensorType, *, unit: str) -> TensorType:
    return TensorType(int32, x.shape)


length = op("string_length", _length, "lengths({0}, {unit})")


@kernel
def changed(x: object, how: str) -> object:
    return each(operator.methodcaller(how), x)


lower = op("string_lower", of_shape, "changed({0}, 'lower')")
upper = op("string_upper", of_shape, "changed({0}, 'upper')")
strip = op("string_strip", of_shape, "changed({0}, 'strip')")


@kernel
def changed_characters(x: object, how: str) -> object:
    return each(lambda e: getattr(e.decode(), how)().encode(), x)


changed_text = op(
    "string_change",
    of_shape,
    "changed_characters({0}, {how})",
    tf=lambda node: f"String{node.attributes['how'].title()}",
)


@kernel
def in_template(x: object, template: str) -> object:
    """Numbers in a template of Python's; of complex ones both parts."""

    def one(e: object) -> bytes:
        if isinstance(e, complex | np.complexfloating):
            return f"({template % e.real},{template % e.imag})".encode()
        return (template % (str(bool(e)).lower() if isinstance(e, bool | np.bool_) else e)).encode()

    return each(one, x)


fixed = op("string_fixed", of_shape, "in_template({0}, {template})", tf="AsString", takes_weak=True)


@kernel
def parsed(x: object, dtype: type) -> object:
    def one(e: bytes) -> object:
        try:
            if b"_" in e:  # Python's own way to group digits
                raise ValueError
            is_hexadecimal = b"x" in e.lower() and not issubclass(dtype, np.integer)
            return np.dtype(dtype).type(float.fromhex(e.decode()) if is_hexadecimal else e)
        except (ValueError, OverflowError):
            text = e.decode(errors="replace")
            raise InvalidArgumentError(f"to_number: {text!r} is no number of {np.dtype(dtype).name}") from None

    return each(one, x, dtype=dtype)


def _parsed(x: TensorType, *, dtype: DType) -> TensorType:
    return TensorType(dtype, x.shape)


to_number = op("string_to_number", _parsed, "parsed({0}, {dtype})")


def one_text(*_: TensorType, **__: object) -> TensorType:
    return TensorType(string, ())


# What text is made of, by whom the value belongs to: tensors say themselves how they look.
OWNERS: dict[str, Callable[[NumPyArray], object]] = {
    Owner.PYTHON: lambda array: array.item() if array.ndim == 0 else array,
    Owner.NUMPY: lambda array: array[()],
    Owner.ARRAY: lambda array: array,
}


@kernel
def formatted(*values: object, function: Callable[..., str], arguments: object, keywords: object) -> object:
    """The text that a function of Python's makes of values."""
    result = np.empty((), object)
    result[()] = _called(function, values, arguments, keywords).encode()
    return result


def _called(function: Callable[..., Any], values: Sequence[object], arguments: object, keywords: object) -> Any:
    """What a function of Python's makes of values, where `Held` stands for them; texts are Python's."""

    def given(held: Held) -> object:
        value = np.asarray(values[held.number])
        if value.dtype.kind in "OS" and value.ndim == 0:
            return value.item().decode(errors="replace")
        return OWNERS[held.owner](value)

    return function(*filled(arguments, given), **filled(keywords, given))


text = op(
    "text",
    one_text,
    "formatted({*}, function={function}, arguments={arguments}, keywords={keywords})",
    tf="StringFormat",
    keeps_weak=True,
    effect="read",
)


@kernel
def answered(*values: object, function: Callable[..., Any], arguments: object, keywords: object, kind: str) -> object:
    """What a method of Python's text makes of texts and numbers: text, a list of texts, a number, or a truth value."""
    made = _called(function, values, arguments, keywords)
    if kind == "int":
        return np.int64(made)
    if kind == "float":
        return np.float64(made)
    if kind == "bool":
        return np.bool_(made)
    result = np.empty((len(made),) if kind == "texts" else (), object)
    result[()] = [part.encode() for part in made] if kind == "texts" else made.encode()
    return result


_ANSWERS = {
    "int": TensorType(int64, ()),
    "float": TensorType(float64, ()),
    "bool": TensorType(bool_, ()),
    "text": TensorType(string, ()),
    "texts": TensorType(string, (None,)),
}


def _answered(*inputs: TensorType, kind: str, **_: object) -> TensorType:
    return _ANSWERS[kind]


@kernel
def part_of_text(text: str, start: int | None, stop: int | None, step: int | None) -> str:
    """``text[start:stop:step]``."""
    return text[start:stop:step]


_RAISE: dict[type[Exception], frozenset[object]] = {
    ValueError: frozenset(
        (int, float, chr, str.index, str.rindex, str.split, str.rsplit, str.partition, str.rpartition, part_of_text)
    ),
    IndexError: frozenset((operator.getitem,)),
    TypeError: frozenset((ord,)),
    OverflowError: frozenset((chr,)),
}


def _may_raise(error: Exception, attributes: Attributes) -> bool:
    return attributes["function"] in _RAISE[type(error)]


answer = op(
    "text_method",
    _answered,
    "answered({*}, function={function}, arguments={arguments}, keywords={keywords}, kind={kind})",
    keeps_weak=True,
    raises=(
        ValueError("substring not found"),
        IndexError("string index out of range"),
        TypeError("no character"),
        OverflowError("Python int too large to convert to C int"),
    ),
    may_raise=_may_raise,
)
