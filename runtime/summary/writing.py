"""What is written: numbers, texts, histograms, images, sounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import NumPyArray, bool_, string
from runtime.graph.scopes import in_scope
from runtime.graph.shapes import TensorShape
from runtime.ops import effects
from runtime.summary import files
from runtime.summary.writers import SummaryWriter, condition_now, is_graphs, state
from runtime.tensors.conversion import constant, convert_to_tensor, operand
from runtime.tensors.operations import apply
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import TensorLike

NO_STEP = (
    "No step set. Please specify one either through the `step` argument or through tf.summary.experimental.set_step()"
)


def scalar(name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None) -> Tensor:
    """Write a number; in a function each time the graph comes there.

    Args:
      name: what it is called; names of blocks around are put before it.
      data: a number of shape (), written as float32.
      step: the step, a whole number of shape (); by default that of `set_step`.
      description: text about it, in Markdown.
    Returns: a boolean of shape (): whether it was written, as it is where a writer is in force.
    Raises:
      ValueError: if there is no step, or the shape is another.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.scalar("loss", 0.5, step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    tensor = _of_rank(data, 0, "scalar")
    if tensor.dtype == string or tensor.dtype.is_complex:
        raise TypeError(f"summary.scalar writes numbers; {name!r} is {tensor.dtype.name}")
    return _written(name, [tensor], step, lambda tag, array: files.scalar(tag, array, description))


def text(name: str, data: TensorLike, step: TensorLike | None = None, description: str | None = None) -> Tensor:
    """Write text, in Markdown; a table of it where there are one or two dimensions.

    Args:
      name: what it is called; names of blocks around are put before it.
      data: text of any shape.
      step: the step, a whole number of shape (); by default that of `set_step`.
      description: text about it, in Markdown.
    Returns: a boolean of shape (): whether it was written, as it is where a writer is in force.
    Raises:
      ValueError: if there is no step.
      TypeError: if it is no text.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.text("notes", ["a", "b"], step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    tensor = operand(data)
    if tensor.dtype != string:
        raise TypeError(f"tensor must be of type tf.string; got {tensor.dtype!r}: strings.as_string makes text")
    return _written(name, [tensor], step, lambda tag, array: files.text(tag, array, description))


def histogram(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    buckets: int | None = None,
    description: str | None = None,
) -> Tensor:
    """Write how often numbers occur, in intervals of the same width.

    Args:
      name: what it is called; names of blocks around are put before it.
      data: numbers of any shape.
      step: the step, a whole number of shape (); by default that of `set_step`.
      buckets: how many intervals, 30 by default.
      description: text about it, in Markdown.
    Returns: a boolean of shape (): whether it was written, as it is where a writer is in force.
    Raises:
      ValueError: if there is no step.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.histogram("weights", [1.0, 2.0, 2.5], step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    tensor = operand(data)
    if tensor.dtype == string or tensor.dtype.is_complex:
        raise TypeError(f"summary.histogram counts numbers; {name!r} is {tensor.dtype.name}")
    count = 30 if buckets is None else int(buckets)
    if count < 0:
        raise ValueError(f"summary.histogram with buckets={buckets}: it must not be negative")
    return _written(name, [tensor], step, lambda tag, array: files.histogram(tag, array, count, description))


def image(
    name: str,
    data: TensorLike,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    description: str | None = None,
) -> Tensor:
    """Write images, as PNG.

    Args:
      name: what they are called; names of blocks around are put before it.
      data: images of shape [k, height, width, channels], with 1 (grey), 2 (and opacity), 3 (colours) or 4 channels:
        uint8, or floats between 0 and 1.
      step: the step, a whole number of shape (); by default that of `set_step`.
      max_outputs: how many of them are written at most.
      description: text about them, in Markdown.
    Returns: a boolean of shape (): whether they were written, as they are where a writer is in force.
    Raises:
      ValueError: if there is no step, or the shape is another.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.image("digits", tf.zeros([2, 8, 8, 1]), step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    tensor = _of_rank(data, 4, "image")
    if tensor.dtype == string or tensor.dtype.is_complex:
        raise TypeError(f"summary.image writes numbers as pixels; {name!r} is {tensor.dtype.name}")
    most = _most(max_outputs, "image")

    def made(tag: str, array: NumPyArray) -> files.Message:
        if array.ndim != 4 or array.shape[3] not in (1, 2, 3, 4):
            raise ValueError(f"summary.image: {name!r} has shape {array.shape}, with other than 1 to 4 channels")
        return files.image(tag, array, most, description)

    return _written(name, [tensor], step, made)


def audio(
    name: str,
    data: TensorLike,
    sample_rate: int,
    step: TensorLike | None = None,
    max_outputs: int = 3,
    encoding: str | None = None,
    description: str | None = None,
) -> Tensor:
    """Write sounds, as WAV of 16 bits.

    Args:
      name: what they are called; names of blocks around are put before it.
      data: samples between -1 and 1, of shape [k, time, channels].
      sample_rate: samples in a second.
      step: the step, a whole number of shape (); by default that of `set_step`.
      max_outputs: how many of them are written at most.
      encoding: ``"wav"``, or None.
      description: text about them, in Markdown.
    Returns: a boolean of shape (): whether they were written, as they are where a writer is in force.
    Raises:
      ValueError: if there is no step, the shape is another, or the encoding.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.audio("tone", tf.zeros([1, 8000, 2]), 8000, step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    if encoding not in (None, "wav"):
        raise ValueError(f"Unknown encoding: {encoding!r}; it is 'wav'")
    tensor = _of_rank(data, 3, "audio")
    if not tensor.dtype.is_floating:
        raise TypeError(f"summary.audio writes floats between -1 and 1; {name!r} is {tensor.dtype.name}")
    rate, most = int(sample_rate), _most(max_outputs, "audio")
    return _written(name, [tensor], step, lambda tag, array: files.audio(tag, array, rate, most, description))


def write(
    tag: str, tensor: TensorLike, step: TensorLike | None = None, metadata: object = None, name: str | None = None
) -> Tensor:
    """Write a tensor for a plugin of TensorBoard's.

    Args:
      tag: what it is called.
      tensor: the tensor, of any shape.
      step: the step, a whole number of shape (); by default that of `set_step`.
      metadata: a ``SummaryMetadata`` message of TensorBoard's, which says what plugin shows it.
      name: accepted for TensorFlow's sake.
    Returns: a boolean of shape (): whether it was written, as it is where a writer is in force.
    Raises:
      ValueError: if there is no step.

    >>> with tf.summary.create_noop_writer().as_default():
    ...     print(tf.summary.write("table", [[1, 2], [3, 4]], step=1))
    tf.Tensor(True, shape=(), dtype=bool)
    """
    return _written("", [operand(tensor)], step, lambda _, array: files.value(tag, array, metadata))


def _of_rank(data: TensorLike, rank: int, function: str) -> Tensor:
    tensor = operand(data)
    shape = TensorShape(tensor.type.shape)
    if shape.rank not in (None, rank):
        wanted = "scalar shape" if not rank else f"rank {rank}"
        raise ValueError(f"summary.{function}: Expected {wanted}, saw shape: {shape}.")
    return tensor


def _most(given: int, function: str) -> int:
    if int(given) < 1:
        raise ValueError(f"summary.{function} with max_outputs={given}: it must be 1 at least")
    return int(given)


def _written(
    name: str, data: Sequence[Tensor], step: TensorLike | None, message: Callable[..., files.Message]
) -> Tensor:
    """Write at once, or have the graph write.

    What a function itself has set while it is traced, a writer, a step, a condition, belongs to its graph, and so do
    tensors and Variables; of all else counts what is in force when the graph runs.
    """
    tag, trace = in_scope(name), current()
    if trace is None:
        return constant(_write_now(state.writers[-1].value, condition_now, step, message, tag, data))
    writer = state.writers[-1]
    bound = writer.value if writer.is_of(trace) else None
    chosen = step if step is not None else state.step.value if state.step.is_of(trace) else None
    if chosen is None and is_graphs(state.step.value):
        chosen = state.step.value
    condition = condition_now() if state.records[-1].is_of(trace) or is_graphs(state.records[-1].value) else None
    given = [convert_to_tensor(part) for part in (chosen, condition) if part is not None]
    count = len(data)

    def when_run(arrays: Sequence[NumPyArray], _: Sequence[object]) -> tuple[object]:
        rest = iter(arrays[count:])
        at = chosen if chosen is None else next(rest)
        fixed = condition is None or bool(next(rest))
        holds = condition_now if condition is None else lambda: fixed
        now = bound if bound is not None else state.writers[-1].value
        return (np.asarray(_write_now(now, holds, at, message, tag, [operand(a) for a in arrays[:count]])),)

    when_run.__name__ = f"write_summary_{name or 'tensor'}".replace("/", "_")
    return apply(effects.py_function, *data, *given, function=when_run, dtypes=[bool_])


def _write_now(
    writer: SummaryWriter | None, condition: Callable[[], TensorLike], step: Any,
    message: Callable[..., files.Message], tag: str, data: Sequence[Tensor],
) -> bool:  # fmt: skip
    if writer is None or not bool(condition()):
        return False
    at = state.step.value if step is None else step
    if at is None:
        raise ValueError(NO_STEP)
    if writer.writes:
        writer.add(int(at), summary=message(tag, *(t.array for t in data)))
    return True
