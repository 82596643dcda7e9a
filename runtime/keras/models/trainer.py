"""Training: compile, fit, evaluate and predict."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.operators.calls import call
from runtime.functions.function import function
from runtime.gradients.tape import GradientTape
from runtime.graph.callers import warn
from runtime.keras import optimizers
from runtime.keras.callbacks import Callback, CallbackList, History
from runtime.keras.layers.layer import Layer
from runtime.keras.metrics import Mean, Metric
from runtime.keras.models.batches import (
    Batches,
    arrays_of,
    divided,
    joined,
    of_anything,
    steps_in,
    unpacked,
)
from runtime.keras.models.compiled import CompiledLoss, CompiledMetrics, mean_loss
from runtime.keras.models.progress import Progress
from runtime.keras.optimizers import Optimizer
from runtime.tensors import nest
from runtime.tensors.shaping import shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure
from runtime.tensors.variables import Variable

Logs = dict[str, float]


class Trainer(Layer):
    """What models have to be trained: a class of one's own may replace `train_step` and its like."""

    _apart = Layer._apart | {
        "optimizer", "_loss_tracker", "_loss_trackers", "_compiled_loss", "_compiled_metrics", "history", "_functions",
        "_compiled", "_compiled_trainable",
    }  # fmt: skip
    optimizer: Optimizer | None
    _building_now: bool
    _compiled: dict[str, object] | None
    _compiled_loss: CompiledLoss | None
    _compiled_metrics: CompiledMetrics | None
    _compiled_trainable: list[tuple[Layer, bool]]
    history: History | None

    def _start_training(self) -> None:
        self.__dict__.update(
            optimizer=None, history=None, stop_training=False, _compiled=None, _compiled_loss=None,
            _compiled_metrics=None, _loss_tracker=None, _loss_trackers={}, _functions={}, run_eagerly=False,
            jit_compile="auto", steps_per_execution=1, loss=None, _building_now=False, _compiled_trainable=[],
        )  # fmt: skip

    def compile(
        self,
        optimizer: object = "rmsprop",
        loss: object = None,
        loss_weights: object = None,
        metrics: object = None,
        weighted_metrics: object = None,
        run_eagerly: bool = False,
        steps_per_execution: int = 1,
        jit_compile: bool | str = "auto",
        auto_scale_loss: bool = True,
    ) -> None:
        """Say how the model is trained.

        Args:
          optimizer: an optimizer, or its name.
          loss: a loss, its name or a function of targets and outputs; for several outputs one for all, a list, or a
            dictionary by the names of outputs. None if the losses of layers are all there is.
          loss_weights: what losses are multiplied by, a list or dictionary in the same way.
          metrics: a list of metrics, of their names or of functions; for several outputs a list of lists, or a
            dictionary. ``"accuracy"`` is that which fits targets and outputs.
          weighted_metrics: metrics that the weights of examples count in. A model that is compiled again keeps the
            loss, and the metrics, that it has where none are given: ``metrics=[]`` leaves it none.
          run_eagerly: whether steps run at once, to look into them, rather than in a graph.
          steps_per_execution: how many steps are one call of the graph.
          jit_compile: as of `function`; ``"auto"`` for its default.
          auto_scale_loss: accepted; float16 is not scaled by itself.

        >>> model = tf.keras.Sequential([tf.keras.Input([3]), tf.keras.layers.Dense(2)])
        >>> model.compile(optimizer="sgd", loss="mse", metrics=["mae"])
        >>> model.optimizer.name
        'sgd'
        """
        if steps_per_execution < 1:
            raise ValueError(f"steps_per_execution={steps_per_execution!r}: it is a whole number of at least 1")
        self.optimizer = optimizers.get(optimizer)  # type: ignore[arg-type]
        names = self._output_names()
        if loss is not None:  # what was said before holds for what is not said again, as in Keras
            self.loss, self._compiled_loss = loss, CompiledLoss(loss, loss_weights, names)
        if metrics is not None or weighted_metrics is not None or self._compiled_metrics is None:
            self._compiled_metrics = CompiledMetrics(metrics, weighted_metrics, names)
        self._loss_tracker = Mean(name="loss")
        self._loss_trackers: dict[str, Mean] = {}
        self.run_eagerly, self.steps_per_execution, self.jit_compile = (
            run_eagerly,
            int(steps_per_execution),
            jit_compile,
        )
        self._compiled = {
            "loss": loss, "loss_weights": loss_weights, "metrics": metrics, "weighted_metrics": weighted_metrics,
            "run_eagerly": run_eagerly, "steps_per_execution": int(steps_per_execution), "jit_compile": jit_compile,
            "auto_scale_loss": auto_scale_loss,
        }  # fmt: skip
        self.stop_training = False
        self._compiled_trainable = [(layer, layer.trainable) for layer in (self, *self._layers_inside())]
        self._new_functions()

    def _output_names(self) -> list[str] | None:
        """The names of the outputs, where there are layers that make them."""
        outputs = getattr(self, "outputs", None)
        if outputs is None:
            return None
        return [t.node.layer.name for t in outputs if t.node is not None]

    @property
    def compiled(self) -> bool:
        """Whether `compile` was called.

        >>> tf.keras.Sequential().compiled
        False
        """
        return self._compiled is not None

    def _check_compiled(self, what: str) -> None:
        if not self.compiled:
            raise ValueError(
                f"{what}() of model '{self.name}', which is not compiled: call compile(optimizer=..., loss=...) before"
            )
        changed = [layer.name for layer, trainable in self._compiled_trainable if layer.trainable != trainable]
        if changed:
            warn(
                f"trainable of {', '.join(map(repr, changed))} has changed since '{self.name}' was compiled: steps "
                "that were made before train what they did. Call compile() again, for new ones."
            )
            self._compiled_trainable = [(layer, layer.trainable) for layer, _ in self._compiled_trainable]

    @property
    def metrics(self) -> list[Metric]:
        """The loss, the metrics of `compile` as one, and those that the model and its layers hold.

        A step of one's own brings them up to date: those of `compile` with ``update_state(y, y_pred)``.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        >>> model.compile(loss="mse")
        >>> [metric.name for metric in model.metrics]
        ['loss']
        """
        own: list[Metric] = [] if self._loss_tracker is None else [self._loss_tracker]
        own += [self._compiled_metrics] if self._compiled_metrics is not None and self._compiled_metrics.wanted else []
        return [*own, *self._loss_trackers.values(), *super().metrics]

    @property
    def metrics_names(self) -> list[str]:
        """The names of the loss and of the metrics.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        >>> model.compile(loss="mse")
        >>> model.metrics_names
        ['loss']
        """
        return [metric.name for metric in self.metrics]

    def reset_metrics(self) -> None:
        """Have all metrics count from the beginning.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
        >>> model.compile(loss="mse")
        >>> model.reset_metrics()
        """
        for metric in self.metrics:
            metric.reset_state()

    # Steps.

    def compute_loss(
        self,
        x: Structure = None,
        y: Structure = None,
        y_pred: Structure = None,
        sample_weight: Structure = None,
        training: bool = True,
    ) -> Tensor:
        """The loss of a batch: what `compile` was given, and the losses of the layers.

        Args:
          x: the inputs.
          y: the targets.
          y_pred: the outputs.
          sample_weight: the weights of the examples.
          training: whether it is training.
        Returns: a scalar.
        Raises:
          ValueError: if there is no loss at all, or no targets.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile(loss="mse")
        >>> print(model.compute_loss(y=tf.constant([[1.0]]), y_pred=tf.constant([[3.0]])))
        tf.Tensor(4.0, shape=(), dtype=float32)
        """
        total: Tensor | None = None
        if self._compiled_loss is not None:
            total, each = self._compiled_loss(y, y_pred, sample_weight)
            for name, value in each:
                if name not in self._loss_trackers:
                    self._loss_trackers[name] = Mean(name=f"{name}_loss")
                self._loss_trackers[name].update_state(value)
        for value in self.losses:
            value = mean_loss(value, self.compute_dtype)
            total = value if total is None else total + value
        if total is None:
            raise ValueError(
                f"model '{self.name}' has no loss to minimize: give compile() one, or have a layer call add_loss()"
            )
        return total

    def compute_metrics(
        self, x: Structure, y: Structure, y_pred: Structure, sample_weight: Structure = None
    ) -> dict[str, Structure]:
        """Count a batch, and give what has been counted.

        Args:
          x: the inputs.
          y: the targets.
          y_pred: the outputs.
          sample_weight: the weights of the examples.
        Returns: a scalar for each metric, by its name.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile(loss="mse", metrics=["mae"])
        >>> results = model.compute_metrics(None, tf.constant([[1.0]]), tf.constant([[3.0]]))
        >>> print(results["mae"])
        tf.Tensor(2.0, shape=(), dtype=float32)
        """
        if self._compiled_metrics is not None:
            self._compiled_metrics.update_state(y, y_pred, sample_weight)
        return self.get_metrics_result()

    def get_metrics_result(self) -> dict[str, Structure]:
        """What has been counted since the metrics were reset.

        Returns: a scalar for each metric, by its name.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile(loss="mse")
        >>> float(model.get_metrics_result()["loss"])
        0.0
        """
        found: dict[str, object] = {}
        for metric in self.metrics:
            result = metric.result()
            found.update(result if isinstance(result, Mapping) else {metric.name: result})
        return found

    def _forward(self, x: Structure, training: bool) -> Structure:
        return self(x, training=training)

    def train_step(self, data: Structure) -> dict[str, Structure]:
        """A step of training; a class of one's own may replace it.

        Args:
          data: a batch: ``x``, ``(x, y)`` or ``(x, y, sample_weight)``.
        Returns: a scalar for each metric, by its name.
        """
        x, y, sample_weight = unpacked(data)
        with GradientTape() as tape:
            y_pred = self._forward(x, True)
            loss = self.compute_loss(x, y, y_pred, sample_weight, True)
            scaled = loss if self.optimizer is None else self.optimizer.scale_loss(loss)
        self._loss_tracker.update_state(loss, sample_weight=shape(nest.flatten(x)[0])[0])
        weights = self.trainable_variables
        if weights and self.optimizer is not None:
            self.optimizer.apply(tape.gradient(scaled, weights), weights)
        elif not weights:
            warn(f"The model '{self.name}' does not have any trainable weights.")
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def test_step(self, data: Structure) -> dict[str, Structure]:
        """A step of evaluation; a class of one's own may replace it.

        Args:
          data: a batch: ``x``, ``(x, y)`` or ``(x, y, sample_weight)``.
        Returns: a scalar for each metric, by its name.
        """
        x, y, sample_weight = unpacked(data)
        y_pred = self._forward(x, False)
        loss = self.compute_loss(x, y, y_pred, sample_weight, False)
        self._loss_tracker.update_state(loss, sample_weight=shape(nest.flatten(x)[0])[0])
        return self.compute_metrics(x, y, y_pred, sample_weight)

    def predict_step(self, data: Structure) -> Structure:
        """A step of prediction; a class of one's own may replace it.

        Args:
          data: a batch: ``x``, ``(x, y)`` or ``(x, y, sample_weight)``.
        Returns: the outputs.
        """
        return self._forward(unpacked(data)[0], False)

    def _check_inputs(self, x: Structure) -> None:
        """Say so if the inputs of a batch do not fit the model."""

    def _new_functions(self) -> None:
        self._functions: dict[str, tuple[bool, Callable[..., Structure]]] = {}

    def _function(self, kind: str) -> Callable[..., Structure]:
        """What makes the steps of some batches, a graph unless they are to run at once."""
        step = {"train": self.train_step, "test": self.test_step, "predict": self.predict_step}[kind]
        known = self._functions.get(kind)
        if known is not None and known[0] == self.run_eagerly:
            return known[1]

        def run(batches: list[Structure]) -> Structure:
            results = [call(step, batch) for batch in batches]
            return results if kind == "predict" else results[-1]

        made: Callable[..., Structure] = run
        if not self.run_eagerly:
            compiles = None if self.jit_compile == "auto" else self.jit_compile
            made = function(run, reduce_retracing=True, jit_compile=compiles)
        graph = made

        def checked(batches: list[Structure]) -> Structure:
            for batch in batches:  # before sizes become unknown to a trace that is for several
                self._check_inputs(unpacked(batch)[0])
            return graph(batches)

        made = checked
        self._functions[kind] = (self.run_eagerly, made)
        return made

    def make_train_function(self, force: bool = False) -> Callable[..., Structure]:
        """What trains on a list of batches.

        Args:
          force: whether it is made anew.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile(optimizer="sgd", loss="mse")
        >>> logs = model.make_train_function()([(tf.ones([2, 3]), tf.ones([2, 1]))])
        >>> int(model.optimizer.iterations)
        1
        """
        if force:
            self._functions.pop("train", None)
        return self._function("train")

    # Loops.

    def fit(
        self, x: Structure = None, y: Structure = None, batch_size: int | None = None, epochs: int = 1,
        verbose: int | str = "auto", callbacks: Sequence[Callback] | Callback | None = None,
        validation_split: float = 0.0, validation_data: Structure = None, shuffle: bool = True,
        class_weight: Mapping[int, float] | None = None, sample_weight: Structure = None, initial_epoch: int = 0,
        steps_per_epoch: int | None = None, validation_steps: int | None = None,
        validation_batch_size: int | None = None, validation_freq: int | Sequence[int] = 1,
    ) -> History:  # fmt: skip
        """Train, for some epochs.

        Args:
          x: the inputs: an array of shape [n, ...], a list or dictionary of arrays, a `Dataset` or an iterator over
            batches, each ``(x, y)`` or ``(x, y, sample_weight)``.
          y: the targets, of n examples.
          batch_size, validation_batch_size: how many examples make a step, and one of validation: by default 32, or
            as many as divide the examples into the steps that are asked for.
          epochs, initial_epoch: how often all examples are gone through, less those times by which it begins later.
          verbose: 0 prints nothing, 1 a bar for each epoch (``"auto"``), 2 a line.
          callbacks: what is told of steps and epochs.
          validation_split: the part of the examples, the last ones, that is kept to validate with.
          validation_data: what to validate with: ``(x, y)``, ``(x, y, sample_weight)``, a `Dataset`, or a generator,
            with the first two batches of which each validation begins.
          shuffle: whether arrays are gone through in another order in each epoch.
          class_weight, sample_weight: the weights of classes, by their numbers, and those of the examples.
          steps_per_epoch, validation_steps: how many batches make an epoch, and how many are validated with.
          validation_freq: after how many epochs it is validated, or after which.
        Returns: a `History`, whose `history` has a list for each metric.
        Raises:
          ValueError: if the model is not compiled, or data do not go together.

        >>> x = np.linspace(-1, 1, 20)[:, None]
        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        >>> model.compile(optimizer=tf.keras.optimizers.SGD(0.3), loss="mse")
        >>> model.fit(x, 3 * x + 1, epochs=50, batch_size=5, verbose=0).history["loss"][-1] < 1e-6
        True
        """
        self._check_compiled("fit")
        (x, y, sample_weight), validation_data = _apart((x, y, sample_weight), validation_data, validation_split)
        batches = of_anything(x, y, sample_weight, batch_size, shuffle, class_weight, "fit", steps_per_epoch)
        steps = _steps_to_fit(batches, steps_per_epoch)
        validation = _to_validate(validation_data, validation_batch_size, batch_size, validation_steps)
        run, level = self._function("train"), _level(verbose)
        history, told = self._callbacks(callbacks, verbose=level, epochs=epochs, steps=steps)
        self.stop_training = False
        batches.end()
        self._next_epoch: int | None = None
        told.on_train_begin()  # after which a callback may know better where to go on
        logs: Logs = {}
        source = iter(batches)
        for epoch in range(initial_epoch if self._next_epoch is None else self._next_epoch, epochs):
            self._begin(epoch, epochs if level else 1, told)
            progress = Progress(level, steps)
            logs, done, source = self._epoch(run, batches, source, steps, told, progress)
            if validation is not None and _is_due(epoch + 1, validation_freq):
                tested = _named_val(self._tested(validation, validation_steps, told))
                logs = dict(sorted({**logs, **tested}.items()))
            progress.end(done, logs)
            told.on_epoch_end(epoch, logs)
            if self.stop_training:
                break
        if isinstance(self.optimizer, Optimizer) and self.optimizer.use_ema and epochs > 0:
            self.optimizer.finalize_variable_values(self.trainable_variables)
        told.on_train_end(logs)
        return history

    def _begin(self, epoch: int, epochs: int, told: CallbackList) -> None:
        if epochs > 1:  # as Keras does
            print(f"Epoch {epoch + 1}/{epochs}")
        self.reset_metrics()
        told.on_epoch_begin(epoch)

    def _epoch(
        self, run: Callable[..., Structure], batches: Batches, source: Iterator[Structure], steps: int | None,
        told: CallbackList, progress: Progress,
    ) -> tuple[Logs, int, Iterator[Structure]]:  # fmt: skip
        """Train on the batches of an epoch; gives what was counted, how many there were, and where to go on."""
        done, logs = 0, {}
        batches.begin()
        if steps is None or (not batches.endless and not batches.once and batches.count in (None, steps)):
            source = iter(batches)
        while steps is None or done < steps:
            some = _next(source, min(self.steps_per_execution, steps - done) if steps else self.steps_per_execution)
            if not some and not done and batches.count is not None:
                source = iter(batches)
                some = _next(source, 1)
            if not some:
                break
            told.on_train_batch_begin(done)
            logs = _floats(run(some))
            done += len(some)
            told.on_train_batch_end(done - 1, logs)
            progress.step(done, logs)
            if self.stop_training:
                break
        if not self.stop_training:
            batches.end()
        if not done and not batches.once:
            raise ValueError("fit: the data gave no batch to train on")
        if batches.once and (steps is None or done < steps):
            logs, source = logs or _floats(self.get_metrics_result()), iter(batches)
        if steps is not None and done < steps and not self.stop_training:
            warn(f"the data ended after {done} of {steps} batches of the epoch: make them last, as by repeat()")
        return logs, done, source

    def _tested(self, batches: Batches, steps: int | None, told: CallbackList) -> Logs:
        self.reset_metrics()
        told.on_test_begin()
        logs: Logs = {}
        run, done = self._function("test"), 0
        batches.end()
        batches.begin()
        source = iter(batches)
        if steps is None and batches.endless:
            raise ValueError("evaluation of a dataset or an iterator that may not end: say how many steps")
        while (steps is None or done < steps) and (some := _next(source, self.steps_per_execution)):
            told.on_test_batch_begin(done)
            logs = _floats(run(some))
            done += len(some)
            told.on_test_batch_end(done - 1, logs)
        batches.end()
        if not done:
            raise ValueError("evaluate: the data gave no batch")
        told.on_test_end(logs)
        return logs

    def evaluate(
        self,
        x: Structure = None,
        y: Structure = None,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        sample_weight: Structure = None,
        steps: int | None = None,
        callbacks: Sequence[Callback] | Callback | None = None,
        return_dict: bool = False,
    ) -> float | list[float] | Logs:
        """Loss and metrics, on data that are not trained on.

        Args:
          x, y, batch_size, sample_weight: as of `fit`.
          verbose: 0 prints nothing, 1 and 2 a line.
          steps: how many batches are gone through.
          callbacks: what is told of steps.
          return_dict: whether metrics are given by their names.
        Returns: the loss; a list of the loss and all metrics where there are some; or a dictionary.
        Raises:
          ValueError: if the model is not compiled, or data do not go together.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.compile(loss="mse")
        >>> model.evaluate(np.ones([4, 2]), np.zeros([4, 1]), verbose=0)
        4.0
        """
        self._check_compiled("evaluate")
        batches = of_anything(x, y, sample_weight, batch_size, False, None, "evaluate", steps)
        known = steps_in(batches, steps, "steps")
        level = _level(verbose)
        _, told = self._callbacks(callbacks, verbose=level, epochs=1, steps=known)
        progress = Progress(level, known)
        logs = self._tested(batches, steps, told)
        progress.end(known or 1, logs)
        return logs if return_dict else self._in_order(logs)

    def _in_order(self, logs: Logs) -> float | list[float]:
        """The loss before the metrics, in the order in which they were given, and those of outputs by their names."""
        known = [
            one.name
            for metric in self.metrics
            for one in (metric._inner() if isinstance(metric, CompiledMetrics) else (metric,))
        ]
        names = [name for name in known if name in logs] + sorted(name for name in logs if name not in known)
        values = [logs[name] for name in names]
        return values[0] if len(values) == 1 else values

    def predict(
        self,
        x: Structure,
        batch_size: int | None = None,
        verbose: int | str = "auto",
        steps: int | None = None,
        callbacks: Sequence[Callback] | Callback | None = None,
    ) -> Structure:
        """The outputs for all examples.

        Args:
          x, batch_size: as of `fit`.
          verbose: 0 prints nothing, 1 and 2 a line.
          steps: how many batches are gone through.
          callbacks: what is told of steps.
        Returns: NumPy arrays, whose first axis is that of the examples, as the outputs were given.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.predict(np.ones([3, 2]), verbose=0)
        array([[2.],
               [2.],
               [2.]], dtype=float32)
        """
        batches = of_anything(x, None, None, batch_size, False, None, "predict", steps)
        known = steps_in(batches, steps, "steps")
        if known is None and batches.endless:
            raise ValueError("predict of a dataset or an iterator that may not end: say how many steps")
        level = _level(verbose)
        _, told = self._callbacks(callbacks, verbose=level, epochs=1, steps=known)
        progress, run = Progress(level, known), self._function("predict")
        told.on_predict_begin()
        parts: list[Structure] = []
        batches.begin()
        source = iter(batches)
        while (steps is None or len(parts) < steps) and (some := _next(source, 1)):
            told.on_predict_batch_begin(len(parts))
            parts += [nest.map_structure(lambda t: np.asarray(t.numpy()), one) for one in run(some)]
            told.on_predict_batch_end(len(parts) - 1, {"outputs": parts[-1]})
        batches.end()
        if not parts:
            raise ValueError("predict: the data gave no batch")
        told.on_predict_end()
        progress.end(len(parts), {})
        return joined(parts)

    def train_on_batch(
        self,
        x: Structure,
        y: Structure = None,
        sample_weight: Structure = None,
        class_weight: Mapping[int, float] | None = None,
        return_dict: bool = False,
    ) -> float | list[float] | Logs:
        """One step of training.

        Args:
          x: the inputs, all of which make the batch.
          y: the targets.
          sample_weight: the weights of the examples.
          class_weight: the weights of classes, by their numbers.
          return_dict: whether metrics are given by their names.
        Returns: the loss; a list of the loss and all metrics where there are some; or a dictionary.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.compile(optimizer="sgd", loss="mse")
        >>> model.train_on_batch(np.ones([4, 2]), np.zeros([4, 1]))
        4.0
        """
        self._check_compiled("train_on_batch")
        (batch,) = [*_whole(x, y, sample_weight, class_weight)]
        self.reset_metrics()
        logs = _floats(self._function("train")([batch]))
        return logs if return_dict else self._in_order(logs)

    def test_on_batch(
        self, x: Structure, y: Structure = None, sample_weight: Structure = None, return_dict: bool = False
    ) -> float | list[float] | Logs:
        """Loss and metrics of one batch.

        Args:
          x: the inputs, all of which make the batch.
          y: the targets.
          sample_weight: the weights of the examples.
          return_dict: whether metrics are given by their names.
        Returns: the loss; a list of the loss and all metrics where there are some; or a dictionary.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.compile(loss="mse")
        >>> model.test_on_batch(np.ones([4, 2]), np.zeros([4, 1]))
        4.0
        """
        self._check_compiled("test_on_batch")
        (batch,) = [*_whole(x, y, sample_weight, None)]
        self.reset_metrics()
        logs = _floats(self._function("test")([batch]))
        return logs if return_dict else self._in_order(logs)

    def predict_on_batch(self, x: Structure) -> Structure:
        """The outputs of one batch.

        Args:
          x: the inputs, all of which make the batch.
        Returns: NumPy arrays, as the outputs were given.

        >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="ones")])
        >>> model.predict_on_batch(np.ones([1, 2]))
        array([[2.]], dtype=float32)
        """
        (batch,) = [*_whole(x, None, None, None)]
        (made,) = self._function("predict")([batch])
        return nest.map_structure(lambda t: np.asarray(t.numpy()), made)

    def _callbacks(self, given: Sequence[Callback] | Callback | None, **params: object) -> tuple[History, CallbackList]:
        if isinstance(given, CallbackList):
            found = next((c for c in given.callbacks if isinstance(c, History)), History())
            return found, given
        some = [given] if isinstance(given, Callback) else list(given or ())
        for one in some:
            if not isinstance(one, Callback):
                raise ValueError(f"callbacks: {one!r} is none; a callback is an object of keras.callbacks.Callback")
        history = History()
        return history, CallbackList([*some, history], add_history=False, add_progbar=False, model=self, **params)


def _whole(x: object, y: object, weight: object, class_weight: Mapping[int, float] | None) -> Batches:
    """All examples as one batch."""
    given = arrays_of(x)
    size = max(len(a) for a in nest.flatten(given))
    return of_anything(given, y, weight, max(size, 1), False, class_weight, "a batch")


def _apart(
    given: tuple[Structure, Structure, Structure], validation: Structure, part: float
) -> tuple[tuple[Structure, ...], Structure]:
    """What to train on, and what to validate with: a part of it where there is nothing else."""
    return divided(*given, part) if part and validation is None else (given, validation)


def _steps_to_fit(batches: Batches, asked: int | None) -> int | None:
    steps = steps_in(batches, asked, "steps_per_epoch")
    if steps is None and batches.endless:
        raise ValueError("fit of a dataset or an iterator that may not end: say steps_per_epoch")
    return steps


def _named_val(tested: Logs) -> Logs:
    return {f"val_{name}": value for name, value in tested.items()}


def _to_validate(data: Structure, size: int | None, trained: int | None, steps: int | None) -> Batches | None:
    """The batches to validate with, of as many examples as those of training if there is no size for them."""
    if data is None:
        return None
    x, y, weight = unpacked(data)
    size = size or (trained if y is not None else None)
    return of_anything(x, y, weight, size, False, None, "validation", steps)


def _next(source: Iterator[Structure], count: int) -> list[Structure]:
    """Some more batches, fewer at the end."""
    found = []
    for _ in range(count):
        batch = next(source, None)
        if batch is None:
            break
        found.append(batch)
    return found


def _floats(logs: Mapping[str, object]) -> Logs:
    """What a step gave as Python's numbers, sorted by names."""
    if not isinstance(logs, Mapping):
        raise TypeError(f"a step gave {logs!r}: train_step and test_step give a dictionary of metrics")
    found: Logs = {}
    for name in sorted(logs):
        value = logs[name]
        if isinstance(value, Mapping):  # that of a metric that stands for several
            found.update({inner: _float(one) for inner, one in value.items()})
        else:
            found[name] = _float(value)
    return found


def _float(value: object) -> Any:
    array = np.asarray(value.numpy() if isinstance(value, Tensor | Variable) else value)
    return float(array) if array.ndim == 0 else array


def _level(verbose: int | str) -> int:
    if verbose == "auto":
        return 1
    if verbose not in (0, 1, 2):
        raise ValueError(f"verbose={verbose!r}: it is 0, 1, 2 or 'auto'")
    return int(verbose)


def _is_due(epoch: int, freq: int | Sequence[int]) -> bool:
    return epoch in freq if isinstance(freq, Sequence) else epoch % freq == 0
