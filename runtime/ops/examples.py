"""The message Example of TensorFlow: named lists of bytes, floats or whole numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from runtime.ops.protos import field, fields, read_varint, varint

KINDS = {1: "bytes_list", 2: "float_list", 3: "int64_list"}  # by the fields of Feature
_NUMBERS = {kind: number for number, kind in KINDS.items()}
_ONLY = 1  # field of Example, Features and the lists
_LISTS = 2  # field of SequenceExample
_KEY, _VALUE = 1, 2  # of what is in a map
_SIGNED = 1 << 63

Values: TypeAlias = "Sequence[bytes] | Sequence[float] | Sequence[int]"
Feature: TypeAlias = "tuple[str | None, Values]"  # its kind, None where it has none, and what it holds


def list_to_bytes(kind: str, values: Values) -> bytes:
    """The message of a list; numbers are one field."""
    if kind == "bytes_list":
        return b"".join(field(_ONLY, text) for text in values if isinstance(text, bytes))
    if kind == "float_list":
        packed = np.asarray(values, "<f4").tobytes()
    else:
        packed = b"".join(varint(int(number) % (2 * _SIGNED)) for number in values)
    return field(_ONLY, packed) if packed else b""


def feature_to_bytes(feature: Feature) -> bytes:
    kind, values = feature
    return b"" if kind is None else field(_NUMBERS[kind], list_to_bytes(kind, values))


def features_to_bytes(features: Mapping[str, Feature]) -> bytes:
    return b"".join(
        field(_ONLY, field(_KEY, key.encode()) + field(_VALUE, feature_to_bytes(feature)))
        for key, feature in features.items()
    )


def to_bytes(features: Mapping[str, Feature]) -> bytes:
    """The message Example."""
    return field(_ONLY, features_to_bytes(features))


def sequences_to_bytes(context: Mapping[str, Feature], lists: Mapping[str, Sequence[Feature]]) -> bytes:
    """The message SequenceExample."""
    entries = [
        field(_ONLY, field(_KEY, key.encode()) + field(_VALUE, steps_to_bytes(steps))) for key, steps in lists.items()
    ]
    return to_bytes(context) + (field(_LISTS, b"".join(entries)) if entries else b"")


def steps_to_bytes(steps: Sequence[Feature]) -> bytes:
    """The message FeatureList."""
    return b"".join(field(_ONLY, feature_to_bytes(step)) for step in steps)


def steps_of(message: bytes) -> list[Feature]:
    """The features of a message FeatureList."""
    return [feature_of(part) for number, part in fields(message) if number == _ONLY and isinstance(part, bytes)]


def lists_of(message: bytes) -> dict[str, list[Feature]]:
    """What a message FeatureLists holds, by name."""
    found = {}
    for number, entry in fields(message):
        if number == _ONLY and isinstance(entry, bytes):
            parts = {place: value for place, value in fields(entry) if isinstance(value, bytes)}
            found[parts.get(_KEY, b"").decode()] = steps_of(parts.get(_VALUE, b""))
    return found


def sequences_of(message: bytes) -> dict[str, list[Feature]]:
    """The lists of a message SequenceExample, whose context is written as the features of an Example are."""
    found = {}
    for number, lists in fields(message):
        if number == _LISTS and isinstance(lists, bytes):
            found.update(lists_of(lists))
    return found


def list_of(kind: str, message: bytes) -> list[bytes] | list[float] | list[int]:
    """What a list holds, written in one field or in several."""
    parts = [value for number, value in fields(message) if number == _ONLY]
    if kind == "bytes_list":
        return [part for part in parts if isinstance(part, bytes)]
    if kind == "float_list":
        found: list[float] = np.frombuffer(b"".join(p for p in parts if isinstance(p, bytes)), "<f4").tolist()
        return found
    return [number for part in parts for number in ([_signed(part)] if isinstance(part, int) else _numbers(part))]


def _numbers(packed: bytes) -> Iterator[int]:
    at = 0
    while at < len(packed):
        number, at = read_varint(packed, at)
        yield _signed(number)


def _signed(number: int) -> int:
    return number - 2 * _SIGNED if number >= _SIGNED else number


def feature_of(message: bytes) -> Feature:
    """The last of its lists counts."""
    found: Feature = (None, [])
    for number, value in fields(message):
        if number in KINDS and isinstance(value, bytes):
            found = KINDS[number], list_of(KINDS[number], value)
    return found


def features_of(message: bytes) -> dict[str, Feature]:
    found = {}
    for number, entry in fields(message):
        if number == _ONLY and isinstance(entry, bytes):
            parts = {place: value for place, value in fields(entry) if isinstance(value, bytes)}
            found[parts.get(_KEY, b"").decode()] = feature_of(parts.get(_VALUE, b""))
    return found


def from_bytes(message: bytes) -> dict[str, Feature]:
    """The features of a message Example; raises ValueError for what is none."""
    found = {}
    for number, features in fields(message):
        if number == _ONLY and isinstance(features, bytes):
            found.update(features_of(features))
    return found
