"""Event files, in TensorBoard's own records and messages."""

from __future__ import annotations

import importlib
import io
import itertools
import os
import platform
import threading
import time
import wave
import weakref
from typing import Any, ClassVar, Protocol

import numpy as np

from runtime.graph.definition import GraphDef
from runtime.graph.dtypes import NumPyArray


class Message(Protocol):
    """One of TensorBoard's messages: what protocol buffers make, of which nothing here knows more."""

    def SerializeToString(self) -> bytes: ...


_numbers = itertools.count()


class Messages:
    """What TensorBoard's package has of its messages; it is loaded when the first file is made.

    Raises ImportError where it is not installed.
    """

    _known: ClassVar[dict[str, object]] = {}

    @classmethod
    def of(cls, module: str) -> Any:
        found = cls._known.get(module)
        if found is None:
            try:
                found = importlib.import_module(f"tensorboard.{module}")
            except ImportError as error:
                raise ImportError(
                    "summary writes event files with the package tensorboard, which cannot be loaded "
                    f"({error}): pip install 'autograph-python[summary]'"
                ) from error
            cls._known[module] = found
        return found


class EventFile:
    """A file of events, to which several threads may write."""

    def __init__(self, folder: str, max_queue: int, flush_millis: float, suffix: str) -> None:
        self._messages = Messages.of("compat.proto.event_pb2")
        records = Messages.of("summary.writer.record_writer")
        os.makedirs(folder, exist_ok=True)
        stem = f"events.out.tfevents.{int(time.time()):010d}.{platform.node()}.{os.getpid()}.{next(_numbers)}{suffix}"
        self.path = os.path.join(folder, stem)
        self._file = open(self.path, "wb")  # noqa: SIM115 - until the writer is closed, or forgotten
        weakref.finalize(self, self._file.close)
        self._records = records.RecordWriter(self._file)
        self._lock = threading.Lock()
        self._most, self._longest = max_queue, flush_millis / 1000
        self._waiting, self._flushed = 0, time.monotonic()
        self.add(file_version="brain.Event:2")
        self.flush()

    def add(self, step: int = 0, **what: object) -> None:
        """Write an event of this moment; nothing once the file is closed."""
        event = self._messages.Event(wall_time=time.time(), step=step, **what).SerializeToString()
        with self._lock:
            if self._file.closed:
                return
            self._records.write(event)
            self._waiting += 1
            if self._waiting < self._most and time.monotonic() - self._flushed < self._longest:
                return
        self.flush()

    def flush(self) -> None:
        with self._lock:
            if not self._file.closed:
                self._file.flush()
            self._waiting, self._flushed = 0, time.monotonic()

    def close(self) -> None:
        with self._lock:
            self._file.close()


# The messages.


def value(tag: str, array: NumPyArray | bytes, metadata: object) -> Message:
    """A Summary of one tensor."""
    summary = Messages.of("compat.proto.summary_pb2")
    tensor = Messages.of("util.tensor_util").make_tensor_proto(array)
    return summary.Summary(value=[summary.Summary.Value(tag=tag, tensor=tensor, metadata=metadata)])


def metadata_of(plugin: str, content: bytes = b"", description: str | None = None) -> Message:
    summary = Messages.of("compat.proto.summary_pb2")
    data = summary.SummaryMetadata.PluginData(plugin_name=plugin, content=content)
    return summary.SummaryMetadata(plugin_data=data, summary_description=description)


def scalar(tag: str, array: NumPyArray, description: str | None) -> Message:
    return Messages.of("plugins.scalar.summary_v2").scalar_pb(tag, np.asarray(array, np.float32), description)


def text(tag: str, array: NumPyArray, description: str | None) -> Message:
    plugin = Messages.of("plugins.text.metadata")
    return value(tag, array, plugin.create_summary_metadata(display_name=None, description=description))


def histogram(tag: str, array: NumPyArray, buckets: int, description: str | None) -> Message:
    return Messages.of("plugins.histogram.summary_v2").histogram_pb(tag, array, buckets, description)


def image(tag: str, array: NumPyArray, most: int, description: str | None) -> Message:
    plugin = Messages.of("plugins.image.metadata")
    height, width = array.shape[1:3]
    parts = [str(width).encode(), str(height).encode(), *map(png, bytes_of(array[:most]))]
    metadata = plugin.create_summary_metadata(display_name=None, description=description, converted_to_tensor=True)
    return value(tag, np.array(parts, object), metadata)


def bytes_of(array: NumPyArray) -> NumPyArray:
    """Pixels as numbers up to 255; floats are those between 0 and 1."""
    if array.dtype == np.uint8:
        return array
    if array.dtype.kind == "b":
        return array.astype(np.uint8) * 255
    if array.dtype.kind in "iu":
        most = np.iinfo(array.dtype).max
        return (np.clip(array, 0, most).astype(np.float64) / most * 255).astype(np.uint8)
    return (np.clip(np.nan_to_num(array.astype(np.float64)), 0, 1) * 255.5).astype(np.uint8)


def png(pixels: NumPyArray) -> bytes:
    images = importlib.import_module("PIL.Image")
    out = io.BytesIO()
    images.fromarray(np.ascontiguousarray(pixels[..., 0] if pixels.shape[-1] == 1 else pixels)).save(out, "PNG")
    return out.getvalue()


def audio(tag: str, array: NumPyArray, rate: int, most: int, description: str | None) -> Message:
    plugin = Messages.of("plugins.audio.metadata")
    clips = np.empty((min(len(array), most), 2), object)
    for number, clip in enumerate(array[:most]):
        clips[number] = wav(clip, rate), b""
    metadata = plugin.create_summary_metadata(
        display_name=None, description=description, encoding=plugin.Encoding.Value("WAV"), converted_to_tensor=True
    )
    return value(tag, clips, metadata)


def wav(clip: NumPyArray, rate: int) -> bytes:
    """Samples between -1 and 1, of shape [time, channels], as a file of 16 bits."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(clip.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(np.rint(np.clip(clip, -1, 1) * 32767).astype("<i2").tobytes())
    return out.getvalue()


def graph_message(definition: GraphDef) -> Message:
    """A graph as TensorBoard reads it."""
    made = Messages.of("compat.proto.graph_pb2").GraphDef()
    importlib.import_module("google.protobuf.text_format").Parse(str(definition), made)
    made.versions.producer = 27  # the first that has such operations
    return made


def run_of(graphs: list[Message]) -> bytes:
    """The record of a run in which graphs of functions have run."""
    made = Messages.of("compat.proto.config_pb2").RunMetadata()
    for graph in graphs:
        made.function_graphs.add().pre_optimization_graph.CopyFrom(graph)
    return made.SerializeToString()  # type: ignore[no-any-return]
