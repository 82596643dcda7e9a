"""Callbacks that watch one number: to end training, to keep the best model, to lower the learning rate."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

import numpy as np

from runtime.graph.callers import warn
from runtime.keras.callbacks.callback import Callback, Logs
from runtime.keras.metrics import Metric


class MonitorCallback(Callback):
    """What watches one of the numbers has in common."""

    def __init__(self, monitor: str, mode: str, min_delta: float = 0.0, baseline: float | None = None) -> None:
        super().__init__()
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"{type(self).__name__} with mode={mode!r}: it is 'auto', 'min' or 'max'")
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self.best = baseline
        self._rises: bool | None = {"min": False, "max": True}.get(mode)

    def _value(self, logs: Logs | None, what: str) -> float | None:
        """The number, or None with a warning."""
        value = (logs or {}).get(self.monitor)
        if value is None:
            known = ", ".join(repr(name) for name in logs or {}) or "none"
            warn(f"{type(self).__name__} {what} {self.monitor!r}, which is not among the numbers of the epoch: {known}")
        return value

    def _is_better(self, value: float, than: float | None) -> bool:
        if than is None:
            return True
        if self._rises is None:
            self._rises = self._direction()
        return value - self.min_delta > than if self._rises else value + self.min_delta < than

    def _direction(self) -> bool:
        """Whether more is better, as the metrics of the model say."""
        name = self.monitor.removeprefix("val_")
        if name == "loss" or name.endswith("_loss"):
            return False
        directions = {m.name: m._direction for m in _all_metrics(self.model)}
        known = directions.get(name) or ("up" if "acc" in name else None)
        if known is None:
            raise ValueError(
                f"{type(self).__name__} with monitor={self.monitor!r}: it is not known whether more of it is better. "
                "Say mode='max' or mode='min'."
            )
        return known == "up"


def _all_metrics(model: object) -> Iterable[Metric]:
    """The metrics of a model, and those in them."""
    for metric in getattr(model, "metrics", None) or []:
        if isinstance(metric, Metric):
            yield metric
            yield from metric._inner()


class EarlyStopping(MonitorCallback):
    """Ends training when a number has not become better for some epochs.

    Args:
      monitor: the name of the number.
      min_delta: by how much it is better, at least, to count.
      patience: after how many epochs without anything better training ends.
      verbose: whether it is told: 1 for yes.
      mode: ``"min"`` if less is better, ``"max"`` if more is, ``"auto"`` for what the name says.
      baseline: what it is to be better than in any case.
      restore_best_weights: whether the model gets the weights of the best epoch in the end.
      start_from_epoch: from which epoch on it is watched.
    Raises:
      ValueError: for another mode, and for ``"auto"`` where the name does not say.

    >>> stopping = tf.keras.callbacks.EarlyStopping(monitor="loss", patience=2)
    >>> stopping.patience
    2
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
        start_from_epoch: int = 0,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience, self.verbose, self.baseline = patience, verbose, baseline
        self.restore_best_weights, self.start_from_epoch = restore_best_weights, start_from_epoch
        self.wait, self.stopped_epoch, self.best_epoch = 0, 0, 0
        self.best_weights: list[np.ndarray[tuple[int, ...], np.dtype[np.generic]]] | None = None

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self.wait, self.stopped_epoch, self.best_epoch = 0, 0, 0
        self.best, self.best_weights = None, None

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        value = self.get_monitor_value(logs)
        if value is None or epoch < self.start_from_epoch:
            return
        if self.restore_best_weights and self.best_weights is None:
            self.best_weights, self.best_epoch = self.model.get_weights(), epoch
        self.wait += 1
        if self._is_better(value, self.best):
            self.best, self.best_epoch = value, epoch
            if self.restore_best_weights:
                self.best_weights = self.model.get_weights()
            if self.baseline is None or self._is_better(value, self.baseline):
                self.wait = 0
        elif self.wait >= self.patience and epoch > 0:
            self.stopped_epoch = epoch
            self.model.stop_training = True

    def get_monitor_value(self, logs: Logs | None) -> float | None:
        """The number that is watched.

        Args:
          logs: the numbers of an epoch.
        Returns: the number; None, with a warning, if it is not among them.

        >>> tf.keras.callbacks.EarlyStopping("loss").get_monitor_value({"loss": 0.5})
        0.5
        """
        return self._value(logs, "watches")

    def on_train_end(self, logs: Logs | None = None) -> None:
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch + 1}: early stopping")
        if self.restore_best_weights and self.best_weights is not None:
            if self.verbose:
                print(f"Restoring model weights from the end of the best epoch: {self.best_epoch + 1}.")
            self.model.set_weights(self.best_weights)


class ReduceLROnPlateau(MonitorCallback):
    """Lowers the learning rate when a number has not become better for some epochs.

    Args:
      monitor: the name of the number.
      factor: what the learning rate is multiplied by, less than 1.
      patience: after how many epochs without anything better it is lowered.
      verbose: whether it is told: 1 for yes.
      mode: ``"min"`` if less is better, ``"max"`` if more is, ``"auto"`` for what the name says.
      min_delta: by how much it is better, at least, to count.
      cooldown: for how many epochs it waits then.
      min_lr: the least learning rate.
    Raises:
      ValueError: for a factor of 1 or more, another mode, and for ``"auto"`` where the name does not say.

    >>> tf.keras.callbacks.ReduceLROnPlateau(factor=0.5).factor
    0.5
    """

    def __init__(
        self,
        monitor: str = "val_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 0,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        if factor >= 1:
            raise ValueError(f"ReduceLROnPlateau with factor={factor!r}: it is less than 1")
        self.factor, self.patience, self.verbose, self.cooldown, self.min_lr = (
            factor,
            patience,
            verbose,
            cooldown,
            min_lr,
        )
        self.wait, self.cooldown_counter = 0, 0

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self.best, self.wait, self.cooldown_counter = None, 0, 0

    def in_cooldown(self) -> bool:
        """Whether it waits after it has lowered the learning rate.

        >>> tf.keras.callbacks.ReduceLROnPlateau().in_cooldown()
        False
        """
        return self.cooldown_counter > 0

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        numbers = {} if logs is None else logs
        optimizer = self.model.optimizer
        numbers["learning_rate"] = rate = float(optimizer.learning_rate)
        value = self._value(logs, "watches")
        if value is None:
            return
        if self.in_cooldown():
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self._is_better(value, self.best):
            self.best, self.wait = value, 0
            return
        if self.in_cooldown():
            return
        self.wait += 1
        if self.wait < self.patience or rate <= np.float32(self.min_lr):
            return
        lower = max(rate * self.factor, self.min_lr)
        optimizer.learning_rate = lower
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: ReduceLROnPlateau reducing learning rate to {lower}.")
        self.cooldown_counter, self.wait = self.cooldown, 0


class ModelCheckpoint(MonitorCallback):
    """Saves the model while it is trained.

    Args:
      filepath: the file, in which ``{epoch}``, ``{batch}`` and the names of numbers stand for what they are.
      monitor: the name of the number that tells the best model.
      verbose: whether it is told: 1 for yes.
      save_best_only: whether it is saved only when it is better than before.
      save_weights_only: whether its weights are saved alone, by `save_weights`, rather than all of it, by `save`.
      mode: ``"min"`` if less is better, ``"max"`` if more is, ``"auto"`` for what the name says.
      save_freq: ``"epoch"``, or after how many batches it is saved.
      initial_value_threshold: what the number is to be better than in any case.
    Raises:
      ValueError: for another mode or `save_freq`, and for ``"auto"`` where the name does not say.
      KeyError: if the name of the file asks for a number that there is not.

    >>> tf.keras.callbacks.ModelCheckpoint("model-{epoch:02d}.keras", save_freq=100).save_freq
    100
    """

    def __init__(
        self,
        filepath: str | os.PathLike[str],
        monitor: str = "val_loss",
        verbose: int = 0,
        save_best_only: bool = False,
        save_weights_only: bool = False,
        mode: str = "auto",
        save_freq: str | int = "epoch",
        initial_value_threshold: float | None = None,
    ) -> None:
        super().__init__(monitor, mode, baseline=initial_value_threshold)
        if save_freq != "epoch" and (isinstance(save_freq, bool) or not isinstance(save_freq, int) or save_freq < 1):
            raise ValueError(f"ModelCheckpoint with save_freq={save_freq!r}: it is 'epoch', or a number of batches")
        self.filepath, self.verbose, self.save_freq = os.fspath(filepath), verbose, save_freq
        self.save_best_only, self.save_weights_only = save_best_only, save_weights_only
        self._epoch, self._unsaved, self._last = 0, 0, -1

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        self._epoch, self._last = epoch, -1

    def on_train_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        if not isinstance(self.save_freq, int):
            return
        self._unsaved, self._last = self._unsaved + batch - self._last, batch  # several at once, where steps are
        if self._unsaved >= self.save_freq:
            self._unsaved = 0
            self._save(self._epoch, batch, logs)

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        if self.save_freq == "epoch":
            self._save(epoch, None, logs)

    def _save(self, epoch: int, batch: int | None, logs: Logs | None) -> None:
        path = self._path(epoch, batch, logs or {})
        if not self._is_wanted(epoch, logs, path):
            return
        if os.path.isdir(path):
            raise IsADirectoryError(f"ModelCheckpoint with filepath={path!r}: it is a folder, and is to be a file")
        if folder := os.path.dirname(path):
            os.makedirs(folder, exist_ok=True)
        save: Callable[..., object] = self.model.save_weights if self.save_weights_only else self.model.save
        save(path, overwrite=True)
        if self.verbose:
            print(f"\nEpoch {epoch + 1}: finished saving model to {path}")

    def _path(self, epoch: int, batch: int | None, logs: Logs) -> str:
        names = {"epoch": epoch + 1, **({} if batch is None else {"batch": batch + 1}), **logs}
        try:
            return self.filepath.format(**names)
        except KeyError as error:
            raise KeyError(
                f"ModelCheckpoint with filepath={self.filepath!r}: {error} is not among {', '.join(map(repr, names))}"
            ) from None

    def _is_wanted(self, epoch: int, logs: Logs | None, path: str) -> bool:
        head = f"\nEpoch {epoch + 1}:"
        if not self.save_best_only:
            if self.verbose:
                print(f"{head} saving model to {path}")
            return True
        value = self._value(logs, "looks for the best")
        if value is None:
            return True
        before = "None" if self.best is None else f"{self.best:.5f}"
        is_better = self._is_better(value, self.best)
        if self.verbose and is_better:
            print(f"{head} {self.monitor} improved from {before} to {value:.5f}, saving model to {path}")
        elif self.verbose:
            print(f"{head} {self.monitor} did not improve from {before}")
        if is_better:
            self.best = value
        return is_better


class SwapEMAWeights(Callback):
    """Has the model evaluated with the moving averages that its optimizer keeps, with `use_ema`.

    Args:
      swap_on_epoch: whether it has them already at the end of each epoch, for callbacks that save it.
    Raises:
      ValueError: if the optimizer keeps none.

    >>> tf.keras.callbacks.SwapEMAWeights().swap_on_epoch
    False
    """

    def __init__(self, swap_on_epoch: bool = False) -> None:
        super().__init__()
        self.swap_on_epoch, self._swapped = swap_on_epoch, False

    def _swap(self) -> None:
        optimizer = self.model.optimizer
        if not getattr(optimizer, "use_ema", False):
            raise ValueError(f"SwapEMAWeights with {optimizer!r}, which keeps no averages: make it with use_ema=True")
        optimizer._swap_averages()
        self._swapped = not self._swapped

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        if self.swap_on_epoch and self._swapped:
            self._swap()

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        if self.swap_on_epoch and not self._swapped:
            self._swap()
            ends = self.params is not None and self.params.get("epochs") == epoch + 1
            if ends or self.model.stop_training:
                self.model.optimizer._keep_averages()  # as fit ends by giving the model what they hold

    def on_test_begin(self, logs: Logs | None = None) -> None:
        if not self._swapped:
            self._swap()

    def on_test_end(self, logs: Logs | None = None) -> None:
        if self._swapped:
            self._swap()

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        if not self._swapped:
            self._swap()

    def on_predict_end(self, logs: Logs | None = None) -> None:
        if self._swapped:
            self._swap()
