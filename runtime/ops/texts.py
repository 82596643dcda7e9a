"""Parts of texts, patterns in them, and the numbers of their characters."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, bool_, int32, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import TensorType
from runtime.graph.op import kernel, op
from runtime.graph.shapes import Dims
from runtime.ops import printing
from runtime.ops.patterns import compiled
from runtime.ops.strings import each, of_shape, one_text

# Patterns, and all that counts letters, read UTF-8; other bytes stand for themselves.


def _read(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


@kernel
def part_of(x: object, start: object, count: object, unit: str) -> object:
    """The letters from a place on; from the end, if it is negative."""

    def one(e: bytes, start: int, count: int) -> bytes:
        letters = e if unit == "BYTE" else _read(e)
        if not -len(letters) <= start <= len(letters):
            raise InvalidArgumentError(f"substr: pos={start} is outside of {e!r}, which has the length {len(letters)}")
        first = start + len(letters) * (start < 0)
        found = letters[first : first + max(count, 0)]
        return found if isinstance(found, bytes) else _bytes(found)

    return each(one, x, start, count)


def _part(x: TensorType, start: TensorType, count: TensorType, *, unit: str) -> TensorType:
    return TensorType(string, shapes.broadcast(x.shape, start.shape, count.shape))


part = op("string_part", _part, "part_of({0}, {1}, {2}, {unit})", tf="Substr")


def _list(parts: Sequence[bytes]) -> object:
    result = np.empty(len(parts), object)
    result[:] = parts
    return result


def _check_rank(name: str, shape: Dims) -> None:
    """Refuse rows of texts, of whose parts there would be rows in rows."""
    if shape is not None and len(shape) > 1:
        raise InvalidArgumentError(
            f"{name} of texts of shape {shapes.show(shape)}: each has as many parts as it likes, which makes rows "
            "in rows if tracing knows the rank: tf.ensure_shape(x, [None, None]) tells it."
        )


def _gathered(name: str, x: object, parts: Callable[[bytes], Sequence[Any]], dtype: Any, counted: bool) -> object:
    """The parts of each text, one after the other; or how many of them each has, to be `counted`."""
    array: NumPyArray = np.asarray(x, object)
    _check_rank(name, array.shape)
    rows = [parts(text) for text in array.flat]
    if counted:
        return np.array([*map(len, rows)], np.int64).reshape(array.shape)
    flat = [part for row in rows for part in row]
    return _list(flat) if dtype is object else np.array(flat, dtype)


def _of_parts(name: str, dtype: DType) -> Callable[..., TensorType]:
    """The type of what `_gathered` gives."""

    def rule(x: TensorType, *, counted: bool, **_: object) -> TensorType:
        _check_rank(name, x.shape)
        return TensorType(int64, x.shape) if counted else TensorType(dtype, (None,))

    return rule


@kernel
def parts_of(x: object, sep: bytes | None, most: int, counted: bool) -> object:
    return _gathered("split", x, lambda text: text.split(sep, most), object, counted)


split = op("string_split", _of_parts("split", string), "parts_of({0}, {sep}, {most}, {counted})", tf="StringSplitV2")


@kernel
def letters_of(x: object, unit: str, counted: bool) -> object:
    def parts(text: bytes) -> Sequence[bytes]:
        return [text[i : i + 1] for i in range(len(text))] if unit == "BYTE" else [*map(_bytes, _read(text))]

    return _gathered("bytes_split", x, parts, object, counted)


letters = op(
    "string_letters", _of_parts("bytes_split", string), "letters_of({0}, {unit}, {counted})", tf="UnicodeDecode"
)


@kernel
def texts_joined(x: object, axis: tuple[int, ...] | None, keepdims: bool, separator: bytes) -> object:
    """Texts put together along axes, of which the first that is named changes fastest."""
    array = np.asarray(x, object)
    named = [shapes.axis_of(a, array.ndim) for a in (range(array.ndim)[::-1] if axis is None else axis)]
    axes, rest = named[::-1], [a for a in range(array.ndim) if a not in named]
    kept = array.transpose([*rest, *axes])
    dims = tuple(array.shape[a] for a in rest)
    rows = kept.reshape((*dims, math.prod(kept.shape[len(rest) :])))
    result = np.empty(dims, object)
    for at in np.ndindex(dims):
        result[at] = separator.join(rows[at])
    return np.expand_dims(result, tuple(sorted(axes))) if keepdims else result


def _all_joined(x: TensorType, *, axis: tuple[int, ...] | None, keepdims: bool, separator: bytes) -> TensorType:
    if x.shape is None:
        return TensorType(string, () if axis is None and not keepdims else None)
    axes = [shapes.axis_of(a, len(x.shape)) for a in (range(len(x.shape)) if axis is None else axis)]
    if len(set(axes)) < len(axes):
        raise ValueError(f"reduce_join along axis={axis}: an axis is named twice")
    dims = [1 if i in axes else d for i, d in enumerate(x.shape) if keepdims or i not in axes]
    return TensorType(string, tuple(dims))


reduce_join = op(
    "string_reduce_join", _all_joined, "texts_joined({0}, {axis}, {keepdims}, {separator})", tf="ReduceJoin"
)


@kernel
def replaced(x: object, pattern: str, rewrite: str, everywhere: bool) -> object:
    found = compiled(pattern)
    return each(lambda e: _bytes(_substituted(found, rewrite, _read(e), everywhere)), x)


def _substituted(found: re.Pattern[str], rewrite: str, text: str, everywhere: bool) -> str:
    """Unlike Python's `re.sub`, nothing is put where an empty match begins at the end of another match."""
    end = -1

    def put(match: re.Match[str]) -> str:
        nonlocal end
        touches = match.start() == match.end() == end
        end = match.end()
        return "" if touches else match.expand(rewrite)

    return found.sub(put, text, 0 if everywhere else 1)


replace = op("string_replace", of_shape, "replaced({0}, {pattern}, {rewrite}, {everywhere})", tf="RegexReplace")


@kernel
def matches_of(x: object, pattern: str) -> object:
    found = compiled(pattern)
    return each(lambda e: found.fullmatch(_read(e)) is not None, x, dtype=bool)


def _matches(x: TensorType, **_: object) -> TensorType:
    return TensorType(bool_, x.shape)


matches = op("string_matches", _matches, "matches_of({0}, {pattern})", tf="RegexFullMatch")


# Characters and their numbers.


class _Encoding:
    """How texts are read and written that are not what they should be: ``replace``, ``ignore`` or ``strict``."""

    def __init__(self, name: str, errors: str, replacement: int, controls: bool = False) -> None:
        self.name, self.errors, self.replacement, self.controls = name, errors, chr(replacement), controls

    def read(self, text: bytes) -> str:
        try:
            if self.errors == "replace":
                found = text.decode(self.name, "replace").replace("\ufffd", self.replacement)
            else:
                found = text.decode(self.name, self.errors)
        except UnicodeDecodeError as error:
            raise InvalidArgumentError(f"{text!r} is no text in {self.name}: {error.reason}") from None
        return re.sub(r"[\x00-\x1f]", self.replacement, found) if self.controls else found

    def starts(self, text: bytes) -> list[int]:
        """At which byte each character begins that `read` gives, and raises what that raises."""
        self.read(text)
        found, at = [], 0
        while at < len(text):
            try:
                known, end = text[at:].decode(self.name), len(text)
            except UnicodeDecodeError as error:
                known, end = text[at : at + error.start].decode(self.name), at + error.end
            for character in known:
                found.append(at)
                at += len(character.encode(self.name))
            if at < end and self.errors == "replace":  # the bytes that are none become one character
                found.append(at)
            at = end
        return found

    def write(self, text: str) -> bytes:
        valid = [c if not 0xD800 <= ord(c) < 0xE000 else "" for c in text]
        if "" in valid:
            if self.errors == "strict":
                raise InvalidArgumentError(f"{text!r} has half of a pair of UTF-16, which is no character")
            text = "".join(c or (self.replacement if self.errors == "replace" else "") for c in valid)
        return text.encode(self.name)


@kernel
def numbers_of(x: object, encoding: str, errors: str, replacement: int, controls: bool, counted: bool) -> object:
    known = _Encoding(encoding, errors, replacement, controls)
    return _gathered("unicode_decode", x, lambda text: [ord(c) for c in known.read(text)], np.int32, counted)


_HOW = "{encoding}, {errors}, {replacement}"
decode = op(
    "unicode_decode", _of_parts("unicode_decode", int32), "numbers_of({0}, " + _HOW + ", {controls}, {counted})",
    tf="UnicodeDecode",
)  # fmt: skip


@kernel
def starts_of(x: object, encoding: str, errors: str, replacement: int, counted: bool) -> object:
    known = _Encoding(encoding, errors, replacement)
    return _gathered("unicode_decode", x, known.starts, np.int64, counted)


starts = op("unicode_starts", _of_parts("unicode_decode", int64), "starts_of({0}, " + _HOW + ", {counted})")


@kernel
def characters_of(x: object, encoding: str, errors: str, replacement: int) -> object:
    """Texts of the numbers of their characters, along the last axis."""
    how, array = _Encoding(encoding, errors, replacement), np.asarray(x)
    _check_several(array.shape)
    result = np.empty(array.shape[:-1], object)
    for at in np.ndindex(result.shape):
        known = [n for n in array[at].tolist() if how.errors != "ignore" or 0 <= n < 0x110000]
        if how.errors == "strict" and any(not 0 <= n < 0x110000 for n in known):
            raise InvalidArgumentError(f"unicode_encode: {known} has numbers that are no character's")
        result[at] = how.write("".join(chr(n) if 0 <= n < 0x110000 else how.replacement for n in known))
    return result


def _check_several(shape: object) -> None:
    if shape == ():
        raise InvalidArgumentError(
            "unicode_encode takes the numbers of the characters of a text, along an axis; it was given one"
        )


def _characters(x: TensorType, **_: object) -> TensorType:
    _check_several(x.shape)
    return TensorType(string, None if x.shape is None else x.shape[:-1])


encode = op("unicode_encode", _characters, "characters_of({0}, " + _HOW + ")", tf="UnicodeEncode")


@kernel
def transcoded(x: object, encoding: str, wanted: str, errors: str, replacement: int, controls: bool) -> object:
    given = _Encoding(encoding, errors, replacement, controls)
    return each(lambda e: _Encoding(wanted, errors, replacement).write(given.read(e)), x)


transcode = op(
    "unicode_transcode", of_shape, "transcoded({0}, {encoding}, {wanted}, {errors}, {replacement}, {controls})"
)  # fmt: skip


@kernel
def filled_in(*xs: NumPyArray, template: tuple[str, ...], summarize: int) -> object:
    """Values as `runtime.print` writes them, between the parts of a template."""
    shown = [printing.array(x, summarize, depth=1 if np.ndim(x) == 0 else 0) for x in xs]  # texts are in quotes
    result = np.empty((), object)
    result[()] = "".join([template[0], *(s + t for s, t in zip(shown, template[1:]))]).encode()
    return result


fill_in = op("string_format", one_text, "filled_in({*}, template={template}, summarize={summarize})", takes_weak=True)
