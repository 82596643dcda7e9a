"""What is told of training while it goes on: the base, lists of callbacks, and what they keep."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

Logs: TypeAlias = "dict[str, float]"  # numbers by name; a callback may add to those of an epoch
Model: TypeAlias = Any  # models stand above, and know callbacks


class Callback:
    """A base for what is told of training while it goes on.

    A class of one's own defines the methods for what it wants to know; `model` and `params` are there by then.
    `logs` holds numbers by their names: the loss, the metrics, and those of validation with ``val_`` before them.

    >>> class Losses(tf.keras.callbacks.Callback):
    ...     def on_train_begin(self, logs=None):
    ...         self.found = []
    ...     def on_train_batch_end(self, batch, logs=None):
    ...         self.found.append(logs["loss"])
    >>> losses = Losses()
    >>> losses.on_train_begin()
    >>> losses.on_train_batch_end(0, {"loss": 0.5})
    >>> losses.found
    [0.5]
    """

    params: Mapping[str, object] | None = None
    _model: Model = None

    def __init__(self) -> None:
        self.params, self._model = None, None

    @property
    def model(self) -> Model:
        """The model that is trained; None before.

        >>> print(tf.keras.callbacks.History().model)
        None
        """
        return self._model

    def set_model(self, model: Model) -> None:
        """Take note of the model, before training.

        Args:
          model: the model.

        >>> tf.keras.callbacks.Callback().set_model(None)
        """
        self._model = model

    def set_params(self, params: Mapping[str, object]) -> None:
        """Take note of what training was asked for, before it.

        Args:
          params: ``"epochs"``, ``"steps"`` and ``"verbose"``, and what they are.

        >>> tf.keras.callbacks.Callback().set_params({"epochs": 3})
        """
        self.params = params

    def on_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        """`on_train_batch_begin`, by an older name.

        Args:
          batch, logs: as there.
        """

    def on_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        """`on_train_batch_end`, by an older name.

        Args:
          batch, logs: as there.
        """

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        """An epoch of training begins.

        Args:
          epoch: its number, from 0 on.
          logs: nothing yet.
        """

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        """An epoch of training has ended.

        Args:
          epoch: its number, from 0 on.
          logs: the numbers of the epoch.
        """

    def on_train_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of an epoch begins.

        Args:
          batch: its number in the epoch, from 0 on.
          logs: nothing yet.
        """
        self.on_batch_begin(batch, logs)

    def on_train_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of an epoch has ended.

        Args:
          batch: its number in the epoch, from 0 on.
          logs: the numbers of the epoch so far.
        """
        self.on_batch_end(batch, logs)

    def on_test_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of an evaluation begins.

        Args:
          batch: its number, from 0 on.
          logs: nothing yet.
        """

    def on_test_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of an evaluation has ended.

        Args:
          batch: its number, from 0 on.
          logs: the numbers so far.
        """

    def on_predict_batch_begin(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of a prediction begins.

        Args:
          batch: its number, from 0 on.
          logs: nothing yet.
        """

    def on_predict_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        """A batch of a prediction has ended.

        Args:
          batch: its number, from 0 on.
          logs: the outputs.
        """

    def on_train_begin(self, logs: Logs | None = None) -> None:
        """Training begins.

        Args:
          logs: nothing yet.
        """

    def on_train_end(self, logs: Logs | None = None) -> None:
        """Training has ended.

        Args:
          logs: the numbers of the last epoch.
        """

    def on_test_begin(self, logs: Logs | None = None) -> None:
        """An evaluation begins.

        Args:
          logs: nothing yet.
        """

    def on_test_end(self, logs: Logs | None = None) -> None:
        """An evaluation has ended.

        Args:
          logs: its numbers.
        """

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        """A prediction begins.

        Args:
          logs: nothing yet.
        """

    def on_predict_end(self, logs: Logs | None = None) -> None:
        """A prediction has ended.

        Args:
          logs: nothing.
        """


class CallbackList(Callback):
    """Several callbacks as one, told in their order.

    Args:
      callbacks: the callbacks, in lists as wanted, or one.
      add_history: whether a `History` is added, if there is none.
      add_progbar: whether a `ProgbarLogger` is added, if there is none.
      model: the model that they get to know.
      params: what training was asked for: ``epochs``, ``steps`` and ``verbose``.
    Raises:
      TypeError: for what is no callback.

    >>> told = tf.keras.callbacks.CallbackList(add_history=True)
    >>> told.on_train_begin()
    >>> told.on_epoch_end(0, {"loss": 0.5})
    >>> told.callbacks[0].history
    {'loss': [0.5]}
    """

    def __init__(
        self,
        callbacks: Callback | Sequence[Callback] | None = None,
        add_history: bool = False,
        add_progbar: bool = False,
        model: Model = None,
        **params: object,
    ) -> None:
        super().__init__()
        self.callbacks = list(_flat([] if callbacks is None else callbacks))
        if add_history and not any(isinstance(one, History) for one in self.callbacks):
            self.callbacks.append(History())
        if add_progbar and not any(isinstance(one, ProgbarLogger) for one in self.callbacks):
            self.callbacks.append(ProgbarLogger())
        if model is not None:
            self.set_model(model)
        if params:
            self.set_params(params)

    def append(self, callback: Callback) -> None:
        """Have one more.

        Args:
          callback: the callback.

        >>> told = tf.keras.callbacks.CallbackList()
        >>> told.append(tf.keras.callbacks.History())
        >>> len(told.callbacks)
        1
        """
        self.callbacks.append(callback)

    def __iter__(self) -> Iterator[Callback]:
        return iter(self.callbacks)

    def set_model(self, model: Model) -> None:
        super().set_model(model)
        for one in self.callbacks:
            one.set_model(model)

    def set_params(self, params: Mapping[str, object]) -> None:
        super().set_params(params)
        for one in self.callbacks:
            one.set_params(params)


def _flat(given: Callback | Sequence[Callback]) -> Iterator[Callback]:
    if isinstance(given, Callback):
        yield given
    elif isinstance(given, list | tuple):
        for one in given:
            yield from _flat(one)
    else:
        raise TypeError(f"callbacks: {given!r} is none; a callback is an object of keras.callbacks.Callback")


def _all_are_told(name: str) -> Callable[..., None]:
    numbered = "epoch" in name or "batch" in name

    def tell(self: CallbackList, *args: object, logs: Logs | None = None) -> None:
        given = args if len(args) > numbered else (*args, {} if logs is None else logs)
        for one in self.callbacks:
            getattr(one, name)(*given)

    tell.__name__, tell.__qualname__ = name, f"CallbackList.{name}"
    tell.__doc__ = getattr(Callback, name).__doc__
    return tell


for _name in [name for name in vars(Callback) if name.startswith("on_")]:
    setattr(CallbackList, _name, _all_are_told(_name))


class History(Callback):
    """Keeps the numbers of all epochs; what `fit` gives.

    >>> history = tf.keras.callbacks.History()
    >>> history.on_train_begin()
    >>> history.on_epoch_end(0, {"loss": 0.5})
    >>> history.on_epoch_end(1, {"loss": 0.25})
    >>> print(history.epoch, history.history)
    [0, 1] {'loss': [0.5, 0.25]}
    """

    def __init__(self) -> None:
        super().__init__()
        self.epoch: list[int] = []
        self.history: dict[str, list[Any]] = {}

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self.epoch = []

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        self.epoch.append(epoch)
        for name, value in (logs or {}).items():
            self.history.setdefault(name, []).append(value)
        if self.model is not None:
            self.model.history = self


class LambdaCallback(Callback):
    """Functions as a callback.

    Args:
      on_epoch_begin, on_epoch_end: functions of the number of an epoch and of `logs`.
      on_train_begin, on_train_end: functions of `logs`.
      on_train_batch_begin, on_train_batch_end: functions of the number of a batch and of `logs`.
      others: functions for the other methods of `Callback`, by their names.
    Raises:
      TypeError: for a method that there is not.

    >>> shout = tf.keras.callbacks.LambdaCallback(on_epoch_end=lambda epoch, logs: print(epoch, logs))
    >>> shout.on_epoch_end(0, {"loss": 0.5})
    0 {'loss': 0.5}
    """

    def __init__(
        self,
        on_epoch_begin: Callable[[int, Logs | None], object] | None = None,
        on_epoch_end: Callable[[int, Logs | None], object] | None = None,
        on_train_begin: Callable[[Logs | None], object] | None = None,
        on_train_end: Callable[[Logs | None], object] | None = None,
        on_train_batch_begin: Callable[[int, Logs | None], object] | None = None,
        on_train_batch_end: Callable[[int, Logs | None], object] | None = None,
        **others: Callable[..., object] | None,
    ) -> None:
        super().__init__()
        unknown = [name for name in others if not name.startswith("on_") or not hasattr(Callback, name)]
        if unknown:
            raise TypeError(f"LambdaCallback() got an unexpected keyword argument '{unknown[0]}'")
        given = {
            "on_epoch_begin": on_epoch_begin, "on_epoch_end": on_epoch_end, "on_train_begin": on_train_begin,
            "on_train_end": on_train_end, "on_train_batch_begin": on_train_batch_begin,
            "on_train_batch_end": on_train_batch_end, **others,
        }  # fmt: skip
        for name, function in given.items():
            if function is not None:
                setattr(self, name, function)


class TerminateOnNaN(Callback):
    """Ends training when the loss is no number, or not finite.

    Args:
      raise_error: whether it ends with an error.
    Raises:
      RuntimeError: for such a loss, with `raise_error`.

    >>> tf.keras.callbacks.TerminateOnNaN(raise_error=True).on_train_batch_end(3, {"loss": float("nan")})
    Traceback (most recent call last):
        ...
    RuntimeError: NaN or Inf loss encountered at batch 3. Loss value: nan. Terminating training immediately.
    """

    def __init__(self, raise_error: bool = False) -> None:
        super().__init__()
        self.raise_error = raise_error

    def on_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        loss = (logs or {}).get("loss")
        if loss is None or np.isfinite(loss):
            return
        if self.raise_error:
            raise RuntimeError(
                f"NaN or Inf loss encountered at batch {batch}. Loss value: {loss}. Terminating training immediately."
            )
        print(f"Batch {batch}: Invalid loss, terminating training")
        self.model.stop_training = True


class ProgbarLogger(Callback):
    """Prints how far an epoch is, and its numbers in the end. `fit` does so by itself, as `verbose` says.

    >>> bar = tf.keras.callbacks.ProgbarLogger()
    >>> bar.set_params({"verbose": 2, "epochs": 1, "steps": 4})
    >>> bar.on_epoch_begin(0)
    >>> bar.on_train_batch_end(3, {"loss": 0.5})
    >>> bar.on_epoch_end(0, {"loss": 0.5})
    4/4 - 0s - loss: 0.5000
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen, self._in_fit, self._since = 0, False, time.perf_counter()

    def _asked(self, name: str, default: object) -> Any:
        value = (self.params or {}).get(name, default)
        return default if value == "auto" else value

    def _restart(self) -> None:
        self.seen, self._since = 0, time.perf_counter()

    def on_train_begin(self, logs: Logs | None = None) -> None:
        self._in_fit = True

    def on_train_end(self, logs: Logs | None = None) -> None:
        self._in_fit = False

    def on_epoch_begin(self, epoch: int, logs: Logs | None = None) -> None:
        self._restart()
        if self._asked("verbose", 1) and self._asked("epochs", 1) > 1:
            print(f"Epoch {epoch + 1}/{self._asked('epochs', 1)}")

    def on_epoch_end(self, epoch: int, logs: Logs | None = None) -> None:
        self._end(logs)

    def on_train_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        self._goes_on(batch, logs)

    def on_test_begin(self, logs: Logs | None = None) -> None:
        if not self._in_fit:
            self._restart()

    def on_test_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        if not self._in_fit:
            self._goes_on(batch, logs)

    def on_test_end(self, logs: Logs | None = None) -> None:
        if not self._in_fit:
            self._end(logs)

    def on_predict_begin(self, logs: Logs | None = None) -> None:
        self._restart()

    def on_predict_batch_end(self, batch: int, logs: Logs | None = None) -> None:
        self._goes_on(batch, None)

    def on_predict_end(self, logs: Logs | None = None) -> None:
        self._end(None)

    def _goes_on(self, batch: int, logs: Logs | None) -> None:
        self.seen = batch + 1
        if self._asked("verbose", 1) == 1 and sys.stdout.isatty():
            print(f"\r{self._line(logs)}", end="", flush=True)

    def _end(self, logs: Logs | None) -> None:
        if self._asked("verbose", 1):
            start = "\r" if self._asked("verbose", 1) == 1 and sys.stdout.isatty() else ""
            print(f"{start}{self._line(logs)}", flush=True)

    def _line(self, logs: Logs | None) -> str:
        steps = self._asked("steps", None)
        parts = [f"{self.seen}/{'?' if steps is None else steps}", f"{time.perf_counter() - self._since:.0f}s"]
        for name, value in (logs or {}).items():
            number = float(value)
            parts.append(f"{name}: {number:.4f}" if abs(number) > 1e-3 or not number else f"{name}: {number:.4e}")
        return " - ".join(parts)
