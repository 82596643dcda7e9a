"""Who takes note of the operations that run at once: the gradient tapes of each thread."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from runtime.graph import settings as config
from runtime.graph.op import Op

_counting = threading.Lock()


class Recorder(Protocol):
    """What takes note of operations."""

    def note(
        self, op: Op, inputs: Sequence[object], attributes: Mapping[str, object], outputs: Sequence[object]
    ) -> None:
        """An operation has run."""

    def follows(self, inputs: Sequence[object]) -> bool:
        """Whether it matters what becomes of any of these."""

    def holding(self, array: int) -> object:
        """The tensor that it follows whose array this is, by identity; None if there is none."""


class _Recorders(threading.local):
    def __init__(self) -> None:
        self.all: list[Recorder] = []


_recorders = _Recorders()
active = config.tapes  # how many take note, in all threads: looked at after each operation


def note(op: Op, inputs: Sequence[object], attributes: Mapping[str, object], outputs: Sequence[object]) -> None:
    """Tell those of this thread that an operation has run."""
    for recorder in _recorders.all:
        recorder.note(op, inputs, attributes, outputs)


def follow(inputs: Sequence[object]) -> bool:
    """Whether one of this thread's needs to know what becomes of any of these."""
    return any(recorder.follows(inputs) for recorder in _recorders.all)


def holding(arrays: Iterable[int]) -> dict[int, object]:
    """The tensors that one of this thread's follows, by the identity of their arrays."""
    found = ((array, recorder.holding(array)) for array in arrays for recorder in _recorders.all)
    return {array: tensor for array, tensor in found if tensor is not None}


def start(recorder: Recorder) -> None:
    """Have it take note from now on, and calls of functions go the way on which it is told of them."""
    _recorders.all.append(recorder)
    _count(1)


def stop(recorder: Recorder) -> None:
    _recorders.all = [one for one in _recorders.all if one is not recorder]
    _count(-1)


def is_recording(recorder: Recorder) -> bool:
    return any(one is recorder for one in _recorders.all)


def _count(change: int) -> None:
    with _counting:
        config.busy.value += change
        active[0] += change


@contextmanager
def paused() -> Iterator[None]:
    """A block in which nobody of this thread takes note."""
    before, _recorders.all = _recorders.all, []
    try:
        yield
    finally:
        _recorders.all = before
