"""Elements that are made one by one while a graph runs: iterators over what is held outside of the graph.

An iterator is a value of a graph like any other, of dtype variant. Asking it for its next element is one operation and
reading that element another, so that the test of a loop can ask and its body read.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import bool_, variant
from runtime.graph.errors import InvalidArgumentError, OutOfRangeError
from runtime.graph.graph import TensorType
from runtime.graph.op import always, kernel, op
from runtime.graph.shapes import fits, show

HANDLE = TensorType(variant, ())


class Stream:
    """An iterator that has one element at a time, as arrays; threads that share it get different ones.

    Args:
      elements: the iterator; each of its elements is a sequence of arrays.
    """

    def __init__(self, elements: Iterator[Sequence[object]]) -> None:
        self._elements = elements
        self._asking = threading.RLock()
        self._current: Sequence[object] | None = None

    def advance(self) -> bool:
        """Go on to the next element; returns whether there is one."""
        with self._asking:
            self._current = next(self._elements, None)
            return self._current is not None

    def current(self) -> Sequence[object]:
        """The element that it went on to; raises OutOfRangeError after the last."""
        if self._current is None:
            raise OutOfRangeError("End of sequence: the iterator has given all of its elements.")
        return self._current

    def next(self) -> Sequence[object] | None:
        """The next element, None after the last."""
        with self._asking:
            return self._current if self.advance() else None


@kernel
def make(*inputs: object, source: Callable[..., object]) -> object:
    """What a function makes of objects and arrays."""
    return source(*inputs)


@kernel
def iterate(held: object) -> Stream:
    """An iterator over an object; of an iterator, itself."""
    return _stream(iter(object_of(held)))


@kernel
def go_on(held: object) -> bool:
    """Have an iterator go on to its next element; returns whether there is one."""
    return _stream(object_of(held)).advance()


def object_of(held: object) -> Any:
    """The object that a graph was given, as an array where it is an argument."""
    return held.item() if isinstance(held, np.ndarray) else held


def _stream(found: object) -> Stream:
    if not isinstance(found, Stream):
        raise TypeError(f"{found!r} is no iterator over a dataset")
    return found


@kernel
def element(held: object, types: Sequence[TensorType]) -> object:
    """The element that an iterator is at, as arrays of these types."""
    arrays = tuple(map(np.asarray, _stream(object_of(held)).current()))
    for array, type_ in zip(arrays, types, strict=True):
        if array.dtype != type_.dtype.dtype or not fits(array.shape, type_.shape):
            raise InvalidArgumentError(
                f"an element of a dataset was expected to be {type_.dtype.name}{show(type_.shape)}, "
                f"but is {array.dtype}{show(array.shape)}"
            )
    return arrays if len(arrays) != 1 else arrays[0]


def _made(*_: object, source: object) -> TensorType:
    return HANDLE


def _iterator(_: TensorType) -> TensorType:
    return HANDLE


def _more(_: TensorType) -> TensorType:
    return TensorType(bool_, ())


def _element(_: TensorType, *, types: Sequence[TensorType]) -> object:
    found = tuple(TensorType(t.dtype, t.shape) for t in types)
    return found if len(found) != 1 else found[0]


made = op("made", _made, "make({*}, source={source})", tf="DatasetVariant", shares=always, keeps=True)
iterator = op(
    "iterator",
    _iterator,
    "iterate({0})",
    tf="MakeIterator",
    effect="write",
    shares=always,
    keeps=True,
    calls_back=True,
)
advance = op("advance", _more, "go_on({0})", tf="IteratorGetNextAsOptional", effect="write", calls_back=True)
element_of = op(
    "element_of", _element, "element({0}, types={types})", tf="IteratorGetNext", effect="write", shares=always
)
