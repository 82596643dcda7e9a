"""TensorBoard: what happened in training, written to event files."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Sequence

import numpy as np

from runtime import summary
from runtime.graph.dtypes import NumPyArray
from runtime.keras.callbacks.callback import Callback, Logs, Model


class TensorBoard(Callback):
    """Writes numbers, graphs and weights of training for TensorBoard, which ``tensorboard --logdir FOLDER`` shows.

    What is trained on goes to the folder ``train`` in that of the files, what is validated with to ``validation``. It
    needs the package tensorboard (``pip install 'autograph-python[summary]'``).

    Args:
      log_dir: the folder of the files.
      histogram_freq: after how many epochs the weights are written as histograms; 0 for never.
      write_graph: whether the graph of the first step is written.
      write_images: whether weights are written as images, too, where they are as histograms.
      write_steps_per_second: whether it is told how many steps a second has.
      update_freq: ``"epoch"``, ``"batch"``, or after how many batches their numbers are written; what a step of one's
        own writes by `summary` is written then, too.
      profile_batch: the number of the batch of which Python's profiler takes note, or the first and the last one; 0
        for none.
      embeddings_freq: must be 0: TensorBoard's projector does not read this library's files.
      embeddings_metadata: must be None.
    Raises:
      ValueError: for numbers out of their range, and for embeddings.

    >>> board = tf.keras.callbacks.TensorBoard("logs", update_freq=100)
    >>> board.update_freq
    100
    """

    def __init__(
        self,
        log_dir: str | os.PathLike[str] = "logs",
        histogram_freq: int = 0,
        write_graph: bool = True,
        write_images: bool = False,
        write_steps_per_second: bool = False,
        update_freq: str | int = "epoch",
        profile_batch: int | str | Sequence[int] = 0,
        embeddings_freq: int = 0,
        embeddings_metadata: None = None,
    ) -> None:
        super().__init__()
        if embeddings_freq or embeddings_metadata is not None:
            raise ValueError(
                f"TensorBoard with embeddings_freq={embeddings_freq!r} and embeddings_metadata="
                f"{embeddings_metadata!r}: its projector reads files that this library does not write; leave them out, "
                "and write the weights of the Embedding by numpy.savetxt for it"
            )
        if isinstance(histogram_freq, bool) or not isinstance(histogram_freq, int) or histogram_freq < 0:
            raise ValueError(f"TensorBoard with histogram_freq={histogram_freq!r}: it is a number of epochs, or 0")
        if update_freq not in ("epoch", "batch") and (not isinstance(update_freq, int) or update_freq < 1):
            raise ValueError(f"TensorBoard with update_freq={update_freq!r}: it is 'epoch', 'batch' or a number")
        self.log_dir = os.fspath(log_dir)
        self.histogram_freq, self.write_graph, self.write_images = histogram_freq, write_graph, write_images
        self.write_steps_per_second = write_steps_per_second
        self.update_freq: str | int = 1 if update_freq == "batch" else update_freq
        self._profiled = _range_of(profile_batch)
        self._writers: dict[str, summary.SummaryWriter] = {}
        self._blocks: list[contextlib.ExitStack] = []
        self._batches = {"train": 0, "validation": 0}
        self._graph_is_due = self._profiling = False
        self._since, self._steps_before, self._batch_since = 0.0, 0, 0.0

    def set_model(self, model: Model) -> None:
        super().set_model(model)
        self._writers, self._graph_is_due = {}, self.write_graph

    def _writer(self, name: str) -> summary.SummaryWriter:
        if name not in self._writers:
            self._writers[name] = summary.create_file_writer(os.path.join(self.log_dir, name))
        return self._writers[name]

    def _begin(self, name: str) -> None:
        """Have what steps write themselves go to the file, where it is time."""
        if isinstance(self.update_freq, int):
            step, freq = self._batches[name], self.update_freq
            block = contextlib.ExitStack()
            block.enter_context(self._writer(name).as_default(step))
            block.enter_context(summary.record_if(lambda: step % freq == 0))
            self._blocks.append(block)

    def _end(self) -> None:
        if self._blocks:
            self._blocks.pop().close()

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self._batches["train"] = 0
        self._begin("train")

    def on_train_end(self, logs: Logs | None = None) -> None:
        self._end()
        if self._profiling:
            self._export(self._profiled[1])
        for writer in self._writers.values():
            writer.close()

    def on_test_begin(self, logs: Logs | None = None) -> None:
        self._begin("validation")

    def on_test_end(self, logs: Logs | None = None) -> None:
        optimizer = getattr(self.model, "optimizer", None)
        if optimizer is not None:
            with self._writer("validation").as_default():
                for name, value in (logs or {}).items():
                    summary.scalar(f"evaluation_{name}_vs_iterations", value, step=int(optimizer.iterations))
        self._end()

    def on_train_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        self._batches["train"] += 1
        self._end()
        self._begin("train")
        self._batch_since = time.perf_counter()
        number = self._batches["train"]
        if number == self._profiled[0]:
            summary.trace_on(graph=True, profiler=True, profiler_outdir=os.path.join(self.log_dir, "train"))
            self._profiling = True
        elif self._graph_is_due and not self._profiling:
            summary.trace_on(graph=True)

    def on_train_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        number = self._batches["train"]
        if self._graph_is_due and not self._profiling:
            self._export(number)
        self._graph_is_due = False
        if self.write_steps_per_second:
            lasted = max(time.perf_counter() - self._batch_since, 1e-9)
            summary.scalar("batch_steps_per_second", 1.0 / lasted, step=number)
        for name, value in (logs or {}).items():
            summary.scalar(f"batch_{name}", value, step=number)
        if self._profiling and number >= self._profiled[1]:
            self._export(number)

    def _export(self, number: int) -> None:
        with self._writer("train").as_default(), summary.record_if(True):
            summary.trace_export(f"batch_{number}", step=number)
        self._profiling = False

    def on_test_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        self._batches["validation"] += 1
        self._end()
        self._begin("validation")

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        self._since = time.perf_counter()
        if self.write_steps_per_second:
            self._steps_before = int(self.model.optimizer.iterations)

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        numbers = dict(logs or {})
        trained = {name: value for name, value in numbers.items() if not name.startswith("val_")}
        validated = {name[4:]: value for name, value in numbers.items() if name.startswith("val_")}
        optimizer = getattr(self.model, "optimizer", None)
        if numbers and optimizer is not None:
            trained["learning_rate"] = float(optimizer.learning_rate)
            if self.write_steps_per_second:
                lasted = max(time.perf_counter() - self._since, 1e-9)
                trained["steps_per_second"] = (int(optimizer.iterations) - self._steps_before) / lasted
        for name, found in (("train", trained), ("validation", validated)):
            if found:
                with self._writer(name).as_default(), summary.record_if(True):
                    for tag, value in found.items():
                        summary.scalar(f"epoch_{tag}", value, step=epoch)
        if self.histogram_freq and epoch % self.histogram_freq == 0:
            self._write_weights(epoch)

    def _write_weights(self, epoch: int) -> None:
        with self._writer("train").as_default(), summary.record_if(True):
            for weight in self.model.weights:
                name, array = weight.hint, np.asarray(weight.numpy())
                summary.histogram(f"{name}/histogram", array, step=epoch)
                image = _image_of(array) if self.write_images else None
                if image is not None:
                    summary.image(f"{name}/image", image, step=epoch)
        self._writer("train").flush()


def _image_of(array: NumPyArray) -> NumPyArray | None:
    """Weights as images, of shape [n, height, width, 1]; None for those of more dimensions."""
    values = np.squeeze(array)
    if values.ndim == 1:
        return values.reshape(1, -1, 1, 1)
    if values.ndim == 2:
        wide = values.T if values.shape[0] > values.shape[1] else values
        return wide[None, :, :, None]
    return values.transpose(2, 0, 1)[..., None] if values.ndim == 3 else None


def _range_of(given: int | str | Sequence[int]) -> tuple[int, int]:
    """The first and the last batch that is looked at."""
    try:
        parts = [int(part) for part in given.split(",")] if isinstance(given, str) else given
        numbers = [parts, parts] if isinstance(parts, int) else [int(part) for part in parts]
        first, last = numbers * 2 if len(numbers) == 1 else numbers
    except (TypeError, ValueError):
        first, last = -1, -1
    if first < 0 or last < first:
        raise ValueError(
            f"TensorBoard with profile_batch={given!r}: it is the number of a batch, or the first and the last one"
        )
    return first, last
