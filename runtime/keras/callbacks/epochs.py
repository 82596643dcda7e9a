"""Callbacks that set the learning rate epoch by epoch, or write down what happened."""

from __future__ import annotations

import csv
import inspect
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TextIO

import numpy as np

from runtime.keras.callbacks.callback import Callback, Logs

if TYPE_CHECKING:
    from _csv import Writer


class LearningRateScheduler(Callback):
    """Sets the learning rate at the beginning of each epoch.

    Args:
      schedule: a function of the number of the epoch, and of the learning rate before if it takes that, which gives
        the learning rate.
      verbose: whether it is told: 1 for yes.
    Raises:
      ValueError: if the function does not give a number.

    >>> halving = tf.keras.callbacks.LearningRateScheduler(lambda epoch, rate: rate / 2)
    >>> halving.schedule(0, 0.5)
    0.25
    """

    def __init__(self, schedule: Callable[..., float], verbose: int = 0) -> None:
        super().__init__()
        self.schedule, self.verbose = schedule, verbose

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        optimizer = self.model.optimizer
        both = _takes_two(self.schedule)
        rate = self.schedule(epoch, float(optimizer.learning_rate)) if both else self.schedule(epoch)
        if isinstance(rate, bool) or not isinstance(rate, float | int | np.number):
            raise ValueError(
                f"the schedule of LearningRateScheduler gave {rate!r} for epoch {epoch}: it gives a number"
            )
        optimizer.learning_rate = float(rate)
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: LearningRateScheduler setting learning rate to {rate}.")

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        if logs is not None:
            logs["learning_rate"] = float(self.model.optimizer.learning_rate)


def _takes_two(schedule: Callable[..., object]) -> bool:
    """Whether a schedule takes the learning rate besides the epoch."""
    try:
        inspect.signature(schedule).bind(0, 0.0)
    except TypeError:
        return False
    except ValueError:  # nobody knows what it takes
        return True
    return True


class CSVLogger(Callback):
    """Writes the numbers of each epoch to a file, a line an epoch.

    Args:
      filename: the file.
      separator: what stands between the numbers.
      append: whether lines are added to those of an older file.

    >>> import os, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     logger = tf.keras.callbacks.CSVLogger(os.path.join(folder, "log.csv"))
    ...     logger.on_train_begin()
    ...     logger.on_epoch_end(0, {"loss": 0.5, "val_loss": 0.75})
    ...     logger.on_train_end()
    ...     with open(logger.filename) as file:
    ...         print(file.read())
    epoch,loss,val_loss
    0,0.5,0.75
    <BLANKLINE>
    """

    def __init__(self, filename: str | os.PathLike[str], separator: str = ",", append: bool = False) -> None:
        super().__init__()
        self.filename, self.sep, self.append = os.fspath(filename), separator, append
        self.keys: list[str] | None = None
        self._file: TextIO | None = None
        self._writer: Writer | None = None

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self._close()
        has_head = self.append and os.path.exists(self.filename) and os.path.getsize(self.filename) > 0
        self._file = open(self.filename, "a" if self.append else "w", newline="", encoding="utf-8")  # noqa: SIM115
        self._writer = csv.writer(self._file, delimiter=self.sep, lineterminator="\n")
        self.keys, self._has_head = None, has_head

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        numbers = logs or {}
        if self._file is None:
            self.on_train_begin()
        assert self._file is not None and self._writer is not None
        if self.keys is None:
            keys = sorted(numbers)
            has_validation = any(key.startswith("val_") for key in keys)
            self.keys = keys if has_validation else [*keys, *(f"val_{key}" for key in keys)]
            if not self._has_head:
                self._writer.writerow(["epoch", *self.keys])
        self._writer.writerow([epoch, *(_shown(numbers.get(key, "NA")) for key in self.keys)])
        self._file.flush()

    def on_train_end(self, logs: Logs | None = None) -> None:
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
        self._file = self._writer = None


def _shown(value: Any) -> object:
    if isinstance(value, str) or np.ndim(value) == 0:
        return value
    return f"[{', '.join(map(str, value))}]"
