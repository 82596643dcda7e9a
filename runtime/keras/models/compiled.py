"""What a model is trained for: losses and metrics, one or several for each output."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from autograph.operators.calls import call
from runtime.keras import losses, metrics
from runtime.keras.identifiers import nearest
from runtime.keras.losses import Loss
from runtime.keras.losses.classes import in_words
from runtime.keras.losses.reduction import of_same_rank
from runtime.keras.metrics import Metric
from runtime.tensors import nest, reductions
from runtime.tensors.conversion import cast
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike

LossLike: TypeAlias = "str | Mapping[str, object] | type[Loss] | Callable[..., TensorLike] | None"
MetricLike: TypeAlias = "str | Mapping[str, object] | type[Metric] | Metric | Callable[..., TensorLike] | None"


class FunctionLoss(Loss):
    """A function of targets and predictions as a loss: its mean, by weights."""

    def __init__(self, function: Callable[..., TensorLike] | None, name: str) -> None:
        super().__init__(name=name)
        self.function = function

    def call(self, y_true: Tensor, y_pred: Tensor) -> TensorLike:
        """What the function gives."""
        y_true, y_pred = of_same_rank(y_true, y_pred)
        loss: TensorLike = call(self.function, y_true, y_pred)
        return loss


def name_of(function: object) -> str:
    """What a function is called: its own name, in words and without what is no letter of a name."""
    own = getattr(function, "name", None)
    return own or in_words(re.sub(r"\W+", "", getattr(function, "__name__", None) or type(function).__name__))


def _names(y_pred: Structure, given: Sequence[str] | None) -> list[str | int]:
    """What the outputs are called: by their keys, by the layers that make them, or by their numbers."""
    if isinstance(y_pred, Mapping):
        return [*y_pred]
    count = len(nest.flatten(y_pred))
    return list(given) if given is not None and len(given) == count else list(range(count))


def spread(given: object, y_pred: Structure, outputs: Sequence[str] | None, what: str) -> list[Structure]:
    """What is given for each output, in their order: as a dictionary by name, as a list, or one for all."""
    leaves = nest.flatten(y_pred)
    names = _names(y_pred, outputs)
    if isinstance(given, Mapping):
        unknown = [name for name in given if name not in names]
        if unknown:
            raise ValueError(
                f"{what} for {unknown[0]!r}: the outputs are {names}.{nearest(str(unknown[0]), map(str, names))}"
            )
        return [given.get(name) for name in names]
    if isinstance(given, list | tuple) and len(leaves) > 1:
        if len(given) != len(leaves):
            raise ValueError(f"{what}: {len(given)} were given for {len(leaves)} outputs, {names}")
        return list(given)
    if isinstance(given, list | tuple) and what != "metrics":
        if len(given) != 1:
            raise ValueError(f"{what}: {len(given)} were given, {given!r}, for one output")
        return list(given)
    return [given] * len(leaves)


def ordered(data: object, y_pred: Structure, outputs: Sequence[str] | None, what: str) -> list[Structure]:
    """Targets or weights, one for each output."""
    if data is None:
        return [None] * len(nest.flatten(y_pred))
    if isinstance(data, Mapping):
        return spread(data, y_pred, outputs, what)
    found = nest.flatten(data)
    if len(found) == 1:
        return found * len(nest.flatten(y_pred))
    if len(found) != len(nest.flatten(y_pred)):
        raise ValueError(f"{what}: {len(found)} were given for {len(nest.flatten(y_pred))} outputs")
    return found


class CompiledLoss:
    """The losses that `compile` was given."""

    def __init__(self, loss: object, weights: object, outputs: Sequence[str] | None) -> None:
        self.given, self.weights, self.outputs = loss, weights, outputs
        self.parts: list[Loss | None] | None = None
        for one in nest.flatten(loss):
            self._made(one)  # says at once if there is no such loss

    def __call__(self, y: object, y_pred: object, weight: object) -> tuple[Tensor | None, list[tuple[str, Tensor]]]:
        """The sum, and each loss with the name of its output where there are several."""
        leaves = nest.flatten(y_pred)
        if self.parts is None:
            self.parts = [self._made(one) for one in spread(self.given, y_pred, self.outputs, "loss")]
        weights = spread(self.weights, y_pred, self.outputs, "loss_weights")
        names = _names(y_pred, self.outputs)
        total, each = None, []
        targets = ordered(y, y_pred, self.outputs, "y")
        compared = [name for name, part in zip(names, self.parts) if part is not None]
        if len(compared) > 1 and not isinstance(y, Mapping) and y is not None and len(nest.flatten(y)) == 1:
            raise ValueError(f"y: one target was given, and the outputs {compared} have a loss: give each its own")
        for part, name, target, value, factor, sample_weight in zip(
            self.parts, names, targets, leaves, weights, ordered(weight, y_pred, self.outputs, "sample_weight")
        ):
            if part is None:
                continue
            if target is None:
                raise ValueError(
                    f"loss={name_of(part)!r} compares outputs with targets, and there are none: give y, or batches of "
                    "(x, y)"
                )
            loss = part(target, value, sample_weight=sample_weight)
            each.append((str(name) if isinstance(name, str) else f"output_{name}", loss))
            loss = loss if factor is None else loss * factor
            total = loss if total is None else total + loss
        return total, each if len(each) > 1 else []

    def _made(self, one: LossLike) -> Loss | None:
        if one is None:
            return None
        found = losses.get(one)
        return found if isinstance(found, Loss) else FunctionLoss(found, name_of(found))


class CompiledMetrics(Metric):
    """The metrics that `compile` was given, as one, made when the first outputs are seen."""

    def __init__(self, given: object, weighted: object, outputs: Sequence[str] | None) -> None:
        super().__init__(name="compile_metrics")
        self.given, self.weighted, self.outputs = given, weighted, outputs
        self.wanted = given is not None or weighted is not None
        self.parts: list[tuple[list[Metric], list[Metric]]] | None = None
        self.names: dict[int, str] = {}
        for one in nest.flatten([given, weighted]):
            if isinstance(one, str) and one not in ("accuracy", "acc", "crossentropy", "ce"):
                metrics.get(one)  # says at once if there is no such metric

    def _inner(self) -> Iterator[Metric]:
        yield from (m for plain, weighted in self.parts or () for m in (*plain, *weighted))

    def build(self, y: object, y_pred: object) -> None:
        """Make them, for targets and outputs of such shapes."""
        if self.parts is not None:
            return
        leaves = nest.flatten(y_pred)
        names = _names(y_pred, self.outputs)
        targets = ordered(y, y_pred, self.outputs, "y") if self.given or self.weighted else [None] * len(leaves)
        parts = []
        for name, target, value, plain, weighted in zip(
            names, targets, leaves, self._for_each(self.given, y_pred), self._for_each(self.weighted, y_pred)
        ):
            made = tuple([self._made(one, target, value) for one in _listed(some)] for some in (plain, weighted))
            parts.append((made[0], made[1]))
            if len(leaves) > 1:
                label = name if isinstance(name, str) else f"output_{name}"
                self.names.update({id(m): label for some in made for m in some})
        self.parts = parts

    def _for_each(self, given: Structure, y_pred: Structure) -> list[Structure]:
        if given is None:
            return [None] * len(nest.flatten(y_pred))
        if isinstance(given, Mapping):
            return spread(given, y_pred, self.outputs, "metrics")
        if len(nest.flatten(y_pred)) == 1:
            return [given[0] if len(given) == 1 and isinstance(given[0], list | tuple) else given]
        if any(isinstance(one, list | tuple) or one is None for one in given) or len(given) == len(
            nest.flatten(y_pred)
        ):
            return spread(list(given), y_pred, self.outputs, "metrics")
        return [given] * len(nest.flatten(y_pred))

    def _made(self, one: MetricLike, target: Tensor, value: Tensor) -> Metric:
        if one is None:
            raise ValueError(
                f"metrics={self.given!r}: None is for an output without metrics, among several; this one has a metric "
                "or none is listed"
            )
        name = one if isinstance(one, str) else None
        if name in ("accuracy", "acc"):
            cls = {"binary": metrics.BinaryAccuracy, "sparse": metrics.SparseCategoricalAccuracy,
                   "categorical": metrics.CategoricalAccuracy}[_kind(target, value)]  # fmt: skip
            return cls(name=name)
        if name in ("crossentropy", "ce"):
            cls = {"binary": metrics.BinaryCrossentropy, "sparse": metrics.SparseCategoricalCrossentropy,
                   "categorical": metrics.CategoricalCrossentropy}[_kind(target, value)]  # fmt: skip
            return cls(name=name)
        found: Any = metrics.get(one)
        if isinstance(found, Metric):
            found.name = found.name if name is None else name
            return found
        return metrics.MeanMetricWrapper(fn=found, name=name or name_of(found))

    def update_state(self, y_true: object, y_pred: object, sample_weight: object = None) -> None:  # type: ignore[override]
        """Count a batch."""
        self.build(y_true, y_pred)
        targets = ordered(y_true, y_pred, self.outputs, "y") if any(True for _ in self._inner()) else []
        weights = ordered(sample_weight, y_pred, self.outputs, "sample_weight")
        for (plain, weighted), target, value, weight in zip(self.parts or (), targets, nest.flatten(y_pred), weights):
            for metric in plain:
                metric.update_state(target, value)
            for metric in weighted:
                metric.update_state(target, value, sample_weight=weight)

    def reset_state(self) -> None:
        """Have them count from the beginning."""
        for metric in self._inner():
            metric.reset_state()

    def result(self) -> dict[str, Any]:  # type: ignore[override]
        """What they give, by their names."""
        found: dict[str, object] = {}
        counts: Counter[str] = Counter()
        rows = [(m, False) for plain, _ in self.parts or () for m in plain]
        rows += [(m, True) for _, weighted in self.parts or () for m in weighted]
        for metric, is_weighted in rows:
            output = self.names.get(id(metric), "")
            name = f"{output}_{metric.name}" if output else metric.name
            if is_weighted and counts[name]:
                name = f"{output}_weighted_{metric.name}" if output else f"weighted_{metric.name}"
            counts[name] += 1
            name = name if counts[name] == 1 else f"{name}_{counts[name] - 1}"
            result = metric.result()
            if isinstance(result, Mapping):
                found.update(result)
            else:
                found[name] = result
        return found


def _listed(given: object) -> list[Structure]:
    return [] if given is None else list(given) if isinstance(given, list | tuple) else [given]


def _kind(target: Tensor, value: Tensor) -> str:
    """Which sort of classes targets and outputs speak of."""
    a, b = target.shape.as_list(), value.shape.as_list()
    if b[-1:] == [1] or len(b) == 1:
        return "binary"
    return "sparse" if len(a) < len(b) or (a[-1] == 1 and b[-1] != 1) else "categorical"


def mean_loss(values: TensorLike, dtype: str) -> Tensor:
    """A scalar of what is added to the losses."""
    return cast(reductions.reduce_sum(values), dtype)
