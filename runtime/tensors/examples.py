"""The messages Example, Features, Feature and its lists: what files of records are mostly made of."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

import numpy as np

from runtime.ops import examples

M = TypeVar("M")
_Self = TypeVar("_Self", bound="_Message")


class _Message:
    """What all messages do."""

    def SerializeToString(self) -> bytes:
        """The message as bytes.

        >>> tf.train.Int64List(value=[1, 300]).SerializeToString()
        b'\\n\\x03\\x01\\xac\\x02'
        """
        raise NotImplementedError

    def ParseFromString(self, serialized: bytes) -> int:
        """Become the message that bytes are of.

        Returns: how many bytes there are.
        Raises:
          ValueError: if they are of none.

        >>> numbers = tf.train.Int64List()
        >>> numbers.ParseFromString(b"\\n\\x03\\x01\\xac\\x02")
        5
        >>> numbers.value
        [1, 300]
        """
        try:
            self._read(serialized)
        except ValueError as error:
            raise ValueError(f"Error parsing message with type '{type(self).__name__}': {error}") from None
        return len(serialized)

    @classmethod
    def FromString(cls: type[_Self], serialized: bytes) -> _Self:
        """The message that bytes are of.

        >>> tf.train.Example.FromString(b"").features.feature
        {}
        """
        made = cls()
        made.ParseFromString(serialized)
        return made

    def _read(self, serialized: bytes) -> None:
        raise NotImplementedError

    def _lines(self) -> list[str]:
        """Its text, line by line."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._lines() == other._lines()  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return "".join(f"{line}\n" for line in self._lines())


def _nested(name: str, lines: list[str]) -> list[str]:
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]


class _List(_Message):
    KIND: ClassVar[str]

    def __init__(self, value: Iterable[Any] = ()) -> None:
        self.value: list[Any] = [self._checked(item) for item in value]

    def _checked(self, item: Any) -> object:
        raise NotImplementedError

    def SerializeToString(self) -> bytes:
        return examples.list_to_bytes(self.KIND, [self._checked(item) for item in self.value])  # type: ignore[arg-type]

    def _read(self, serialized: bytes) -> None:
        self.value = [*examples.list_of(self.KIND, serialized)]

    def _lines(self) -> list[str]:
        return [f"value: {self._shown(item)}" for item in self.value]

    def _shown(self, item: Any) -> str:
        return str(item)


class BytesList(_List):
    """Several strings of bytes.

    Args:
      value: them.

    >>> tf.train.BytesList(value=[b"red", b"green"]).value
    [b'red', b'green']
    """

    KIND = "bytes_list"

    def _checked(self, item: Any) -> object:
        if not isinstance(item, bytes):
            raise TypeError(f"expected bytes, {type(item).__name__} found")
        return item

    def _shown(self, item: Any) -> str:
        known = {34: '\\"', 39: "\\'", 92: "\\\\", 10: "\\n", 13: "\\r", 9: "\\t"}
        return '"' + "".join(known.get(b, chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in item) + '"'


class FloatList(_List):
    """Several numbers of 32 bits.

    Args:
      value: them.

    >>> tf.train.FloatList(value=[0.5, 1]).value
    [0.5, 1.0]
    """

    KIND = "float_list"

    def _checked(self, item: Any) -> object:
        if isinstance(item, str | bytes):
            raise TypeError(f"must be real number, not {type(item).__name__}")
        return float(np.float32(float(item)))

    def _shown(self, item: Any) -> str:
        short = f"{item:.6g}"
        return short if np.float32(short) == item else f"{item:.9g}"


class Int64List(_List):
    """Several whole numbers.

    Args:
      value: them.

    >>> tf.train.Int64List(value=[-1, 2**40]).value
    [-1, 1099511627776]
    """

    KIND = "int64_list"

    def _checked(self, item: Any) -> object:
        if isinstance(item, bool):
            raise TypeError("Int64List.value: Expected an int, got a boolean.")
        number = operator.index(item)
        if not -(2**63) <= number < 2**63:
            raise ValueError(f"Value out of range: {number}")
        return number


_LISTS: dict[str, type[_List]] = {kind.KIND: kind for kind in (BytesList, FloatList, Int64List)}


class Feature(_Message):
    """One of the lists.

    Args:
      bytes_list, float_list, int64_list: the list; of several, the last counts.

    >>> tf.train.Feature(int64_list=tf.train.Int64List(value=[3]))
    int64_list {
      value: 3
    }
    <BLANKLINE>
    """

    def __init__(
        self,
        bytes_list: BytesList | None = None,
        float_list: FloatList | None = None,
        int64_list: Int64List | None = None,
    ) -> None:
        given = {"bytes_list": bytes_list, "float_list": float_list, "int64_list": int64_list}
        said = [kind for kind, one in given.items() if one is not None]
        self._said = said[-1] if said else None
        self._lists: dict[str, _List | None] = {
            kind: one if kind == self._said else None for kind, one in given.items()
        }

    def _list(self, kind: str) -> Any:
        found = self._lists[kind]
        if found is None:
            found = self._lists[kind] = _LISTS[kind]()
        return found

    @property
    def bytes_list(self) -> BytesList:
        """Its bytes.

        >>> tf.train.Feature(bytes_list=tf.train.BytesList(value=[b"x"])).bytes_list.value
        [b'x']
        """
        return self._list("bytes_list")  # type: ignore[no-any-return]

    @property
    def float_list(self) -> FloatList:
        """Its floats.

        >>> tf.train.Feature().float_list.value
        []
        """
        return self._list("float_list")  # type: ignore[no-any-return]

    @property
    def int64_list(self) -> Int64List:
        """Its whole numbers.

        >>> feature = tf.train.Feature()
        >>> feature.int64_list.value.append(3)
        >>> feature.WhichOneof("kind")
        'int64_list'
        """
        return self._list("int64_list")  # type: ignore[no-any-return]

    def WhichOneof(self, oneof_group: str = "kind") -> str | None:
        """Which list it is: ``"bytes_list"``, ``"float_list"``, ``"int64_list"``, or None.

        Args:
          oneof_group: ``"kind"``.

        >>> tf.train.Feature(float_list=tf.train.FloatList(value=[0.5])).WhichOneof("kind")
        'float_list'
        """
        if oneof_group != "kind":
            raise ValueError(f"a Feature has one of a kind, not of {oneof_group!r}")
        filled = [kind for kind, one in self._lists.items() if one is not None and one.value and kind != self._said]
        return filled[-1] if filled else self._said

    def plain(self) -> examples.Feature:
        kind = self.WhichOneof()
        return (None, []) if kind is None else (kind, [self._list(kind)._checked(v) for v in self._list(kind).value])

    @classmethod
    def of(cls, feature: examples.Feature) -> Feature:
        kind, values = feature
        return cls() if kind is None else cls(**{kind: _LISTS[kind](values)})  # type: ignore[arg-type]

    def SerializeToString(self) -> bytes:
        return examples.feature_to_bytes(self.plain())

    def _read(self, serialized: bytes) -> None:
        self.__dict__.update(Feature.of(examples.feature_of(serialized)).__dict__)

    def _lines(self) -> list[str]:
        kind = self.WhichOneof()
        return [] if kind is None else _nested(kind, self._list(kind)._lines())


class _Map(dict[str, M]):
    """What is asked for is there."""

    def __init__(self, kind: Callable[[], M], known: Mapping[str, M]) -> None:
        super().__init__(known)
        self._kind = kind

    def __missing__(self, key: str) -> M:
        made = self[key] = self._kind()
        return made


class Features(_Message):
    """Features by names.

    Args:
      feature: a dictionary of them.

    >>> features = tf.train.Features()
    >>> features.feature["age"].int64_list.value.append(7)
    >>> [*features.feature]
    ['age']
    """

    def __init__(self, feature: Mapping[str, Feature] | None = None) -> None:
        self.feature: dict[str, Feature] = _Map(Feature, feature or {})

    def plain(self) -> dict[str, examples.Feature]:
        return {key: feature.plain() for key, feature in self.feature.items()}

    def SerializeToString(self) -> bytes:
        return examples.features_to_bytes(self.plain())

    def _read(self, serialized: bytes) -> None:
        self.take(examples.features_of(serialized))

    def take(self, features: Mapping[str, examples.Feature]) -> None:
        self.feature = _Map(Feature, {key: Feature.of(feature) for key, feature in features.items()})

    def _lines(self) -> list[str]:
        entries = [
            [f'key: "{key}"', *_nested("value", feature._lines())] for key, feature in sorted(self.feature.items())
        ]
        return [line for entry in entries for line in _nested("feature", entry)]


class Example(_Message):
    """An example of something: features by names.

    Args:
      features: them.

    >>> age = tf.train.Feature(int64_list=tf.train.Int64List(value=[7]))
    >>> example = tf.train.Example(features=tf.train.Features(feature={"age": age}))
    >>> record = example.SerializeToString()
    >>> print(tf.io.parse_single_example(record, {"age": tf.io.FixedLenFeature([], tf.int64)})["age"])
    tf.Tensor(7, shape=(), dtype=int64)
    >>> tf.train.Example.FromString(record).features.feature["age"].int64_list.value
    [7]
    """

    def __init__(self, features: Features | None = None) -> None:
        self.features = Features() if features is None else features

    def SerializeToString(self) -> bytes:
        return examples.to_bytes(self.features.plain())

    def _read(self, serialized: bytes) -> None:
        self.features = Features()
        self.features.take(examples.from_bytes(serialized))

    def _lines(self) -> list[str]:
        return _nested("features", self.features._lines())
