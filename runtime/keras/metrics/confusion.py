"""What is counted of two classes, at one threshold or at many: precision, recall and the area under curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from runtime.graph.dtypes import DTypeLike, int32
from runtime.keras.identifiers import Config
from runtime.keras.losses.reduction import of_same_rank
from runtime.keras.metrics.metric import Metric
from runtime.keras.settings import epsilon
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.making import ones_like, range as arange, zeros
from runtime.tensors.parts import gather, searchsorted, tensor_scatter_nd_add, top_k
from runtime.tensors.reductions import cumsum, reduce_max, reduce_mean, reduce_sum
from runtime.tensors.shaping import broadcast_to, expand_dims, reshape, shape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Thresholds: TypeAlias = "float | Sequence[float] | None"
_LOWEST = -1e10  # below every prediction: what is left out by top_k


class _Counts(Metric):
    """Counts of what was predicted, rightly or wrongly, at thresholds."""

    thresholds: list[float]
    _counted: tuple[str, ...]

    def _set_thresholds(self, given: Thresholds, default: float = 0.5) -> None:
        self._given_thresholds = given
        values = [default] if given is None else list(given) if isinstance(given, Sequence) else [given]
        wrong = [t for t in values if given is not None and (t is None or not 0 <= t <= 1)]
        if wrong or not values:
            raise ValueError(f"{type(self).__name__} with thresholds={given!r}: they are numbers from 0 to 1")
        self.thresholds = [float(t) for t in values]

    def _make(self, labels: int | None = None) -> None:
        size = [len(self.thresholds)] if labels is None else [len(self.thresholds), labels]
        for name in self._counted:
            setattr(self, name, self.add_variable(size, name=name))

    def _count(
        self,
        y_true: TensorLike,
        y_pred: TensorLike,
        sample_weight: TensorLike | None,
        best: int | None = None,
        class_id: int | None = None,
        by_label: bool = False,
        label_weights: Tensor | None = None,
    ) -> None:
        dtype = self._dtype
        predicted, wanted = of_same_rank(*(cast(convert_to_tensor(y), dtype) for y in (y_pred, y_true)))
        if wanted.shape.rank != predicted.shape.rank or not wanted.shape.is_compatible_with(predicted.shape):
            raise ValueError(
                f"{type(self).__name__}: y_true has shape {wanted.shape} and y_pred {predicted.shape}: both must "
                "have the same"
            )
        if best is not None:
            chosen = m.equal(expand_dims(top_k(predicted, best)[1], -1), arange(shape(predicted)[-1]))
            among = reduce_sum(cast(chosen, dtype), -2)
            predicted = predicted * among + _LOWEST * (1 - among)
        if class_id is not None:
            if predicted.shape.rank == 1:
                raise ValueError(
                    f"{type(self).__name__} with class_id={class_id} of y_pred of shape {predicted.shape}: it has the "
                    "shape [batch, classes]"
                )
            wanted, predicted = wanted[..., class_id, None], predicted[..., class_id, None]
        weights = ones_like(predicted)
        if sample_weight is not None:
            weigh = cast(convert_to_tensor(sample_weight), dtype)
            if predicted.shape.rank is not None and weigh.shape.rank == predicted.shape.rank - 1:
                weigh = expand_dims(weigh, -1)
            weights = broadcast_to(weigh, shape(predicted))
        if label_weights is not None:
            weights = weights * label_weights
        if not by_label:
            wanted, predicted, weights = (reshape(x, [-1, 1]) for x in (wanted, predicted, weights))
        is_wanted = m.not_equal(wanted, 0)
        positive = m.where(is_wanted, weights, weights * 0)
        negative = weights - positive
        above, wrongly = self._above(predicted, positive), self._above(predicted, negative)
        found = {
            "true_positives": above,
            "false_positives": wrongly,
            "true_negatives": reduce_sum(negative, 0) - wrongly,
            "false_negatives": reduce_sum(positive, 0) - above,
        }
        for name in self._counted:
            kept: Variable = getattr(self, name)
            kept.assign_add(reshape(found[self._kind(name)], kept.array.shape))

    def _kind(self, counted: str) -> str:
        return counted

    def _above(self, predicted: Tensor, weights: Tensor) -> Tensor:
        """The weights of predictions above each threshold, of shape [thresholds, labels].

        Each prediction is counted once, in its place among the thresholds, whose sums are then added up.
        """
        order = np.argsort(self.thresholds, kind="stable")
        edges = constant(np.asarray(self.thresholds, self._dtype.dtype)[order])
        count, labels = len(order) + 1, shape(predicted)[1]
        places = reshape(searchsorted(edges, reshape(predicted, [-1])), shape(predicted))
        places = reshape(places + count * arange(labels), [-1, 1])
        sums = tensor_scatter_nd_add(zeros([labels * count], self._dtype), places, reshape(weights, [-1]))
        rising = cumsum(reshape(sums, [labels, count]), 1, reverse=True)[:, 1:]
        return gather(transpose(rising), constant(np.argsort(order, kind="stable"), int32))

    def _one_or_all(self, values: Tensor) -> Tensor:
        return values[0] if len(self.thresholds) == 1 else values


class _Count(_Counts):
    """One of the four counts."""

    def __init__(self, thresholds: Thresholds = None, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, name)
        self._set_thresholds(thresholds)
        self._make()

    _counted = ("accumulator",)
    accumulator: Variable

    def _kind(self, counted: str) -> str:
        raise NotImplementedError

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        self._count(y_true, y_pred, sample_weight)

    def result(self) -> Tensor:
        return self._one_or_all(self.accumulator.read_value())

    def get_config(self) -> Config:
        return {**super().get_config(), "thresholds": self._given_thresholds}


class TruePositives(_Count):
    """How many were predicted to be 1, and are.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      name: the name.
      dtype: the dtype of the count, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.TruePositives()([1, 1, 0, 0], [0.75, 0.25, 0.75, 0.25]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def _kind(self, counted: str) -> str:
        return "true_positives"


class FalsePositives(_Count):
    """How many were predicted to be 1, and are not.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      name: the name.
      dtype: the dtype of the count, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.FalsePositives()([1, 1, 0, 0], [0.75, 0.25, 0.75, 0.25]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def _kind(self, counted: str) -> str:
        return "false_positives"


class TrueNegatives(_Count):
    """How many were predicted to be 0, and are.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      name: the name.
      dtype: the dtype of the count, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.TrueNegatives()([1, 1, 0, 0], [0.75, 0.25, 0.75, 0.25]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def _kind(self, counted: str) -> str:
        return "true_negatives"


class FalseNegatives(_Count):
    """How many were predicted to be 0, and are not.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      name: the name.
      dtype: the dtype of the count, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.FalseNegatives()([1, 1, 0, 0], [0.75, 0.25, 0.75, 0.25]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    def _kind(self, counted: str) -> str:
        return "false_negatives"


class Precision(_Counts):
    """The part of what was predicted to be 1 that is.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      top_k: how many classes of each sample, the most likely, count as 1; None for all above the threshold.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.Precision()([0, 1, 1, 1], [1, 0, 1, 1]).numpy().round(3))
    0.667
    """

    _direction = "up"
    _options = ("top_k", "class_id")
    _counted = ("true_positives", "false_positives")
    true_positives: Variable
    false_positives: Variable

    def __init__(
        self,
        thresholds: Thresholds = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.top_k, self.class_id = top_k, class_id
        self._set_thresholds(thresholds, 0.5 if top_k is None else _LOWEST)
        self._make()

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        self._count(y_true, y_pred, sample_weight, self.top_k, self.class_id)

    def result(self) -> Tensor:
        right = self.true_positives.read_value()
        return self._one_or_all(m.divide_no_nan(right, right + self.false_positives))

    def get_config(self) -> Config:
        return {**super().get_config(), "thresholds": self._given_thresholds}


class Recall(_Counts):
    """The part of what is 1 that was predicted to be.

    Args:
      thresholds: from where on probabilities count as 1: a number, or several, 0.5 by default.
      top_k: how many classes of each sample, the most likely, count as 1; None for all above the threshold.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for thresholds that are not from 0 to 1.

    >>> print(tf.keras.metrics.Recall()([0, 1, 1, 1], [1, 0, 1, 1]).numpy().round(3))
    0.667
    """

    _direction = "up"
    _options = ("top_k", "class_id")
    _counted = ("true_positives", "false_negatives")
    true_positives: Variable
    false_negatives: Variable

    def __init__(
        self,
        thresholds: Thresholds = None,
        top_k: int | None = None,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.top_k, self.class_id = top_k, class_id
        self._set_thresholds(thresholds, 0.5 if top_k is None else _LOWEST)
        self._make()

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        self._count(y_true, y_pred, sample_weight, self.top_k, self.class_id)

    def result(self) -> Tensor:
        right = self.true_positives.read_value()
        return self._one_or_all(m.divide_no_nan(right, right + self.false_negatives))

    def get_config(self) -> Config:
        return {**super().get_config(), "thresholds": self._given_thresholds}


class _Best(_Counts):
    """The best of one part that another part allows, over thresholds."""

    _direction = "up"
    _counted = ("true_positives", "false_positives", "true_negatives", "false_negatives")
    true_positives: Variable
    false_positives: Variable
    true_negatives: Variable
    false_negatives: Variable
    num_thresholds: int
    class_id: int | None

    def _set(self, parameter: str, value: float, num_thresholds: int, class_id: int | None) -> None:
        if not 0 <= value <= 1:
            raise ValueError(f"{type(self).__name__} with {parameter}={value!r}: it is a number from 0 to 1")
        if num_thresholds < 1:
            raise ValueError(f"{type(self).__name__} with num_thresholds={num_thresholds!r}: it is 1 or more")
        self.num_thresholds, self.class_id, self._least = num_thresholds, class_id, value
        self.thresholds = [0.5] if num_thresholds == 1 else [i / (num_thresholds - 1) for i in range(num_thresholds)]
        self._make()

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        self._count(y_true, y_pred, sample_weight, class_id=self.class_id)

    def _parts(self) -> tuple[Tensor, Tensor, Tensor]:
        """Sensitivity, which is also called recall, specificity and precision, at each threshold."""
        right, denied = self.true_positives.read_value(), self.true_negatives.read_value()
        sensitivity = m.divide_no_nan(right, right + self.false_negatives)
        specificity = m.divide_no_nan(denied, denied + self.false_positives)
        return sensitivity, specificity, m.divide_no_nan(right, right + self.false_positives)

    def _best(self, wanted: Tensor, constrained: Tensor) -> Tensor:
        return m.maximum(reduce_max(m.where(constrained >= self._least, wanted, 0.0)), 0)


class SensitivityAtSpecificity(_Best):
    """The greatest sensitivity of a specificity at least: of what is 1, the part that was predicted to be.

    Args:
      specificity: the least specificity, from 0 to 1.
      num_thresholds: how many thresholds are tried.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for numbers out of their range.

    >>> print(tf.keras.metrics.SensitivityAtSpecificity(0.5)([0, 0, 0, 1, 1], [0, 0.3, 0.8, 0.3, 0.8]).numpy().round(3))
    0.5
    """

    _options = ("num_thresholds", "specificity", "class_id")

    def __init__(
        self,
        specificity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.specificity = specificity
        self._set("specificity", specificity, num_thresholds, class_id)

    def result(self) -> Tensor:
        parts = self._parts()
        return self._best(parts[0], parts[1])


class SpecificityAtSensitivity(_Best):
    """The greatest specificity of a sensitivity at least: of what is 0, the part that was predicted to be.

    Args:
      sensitivity: the least sensitivity, from 0 to 1.
      num_thresholds: how many thresholds are tried.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for numbers out of their range.

    >>> print(tf.keras.metrics.SpecificityAtSensitivity(0.5)([0, 0, 0, 1, 1], [0, 0.3, 0.8, 0.3, 0.8]).numpy().round(3))
    0.667
    """

    _options = ("num_thresholds", "sensitivity", "class_id")

    def __init__(
        self,
        sensitivity: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.sensitivity = sensitivity
        self._set("sensitivity", sensitivity, num_thresholds, class_id)

    def result(self) -> Tensor:
        parts = self._parts()
        return self._best(parts[1], parts[0])


class PrecisionAtRecall(_Best):
    """The greatest precision of a recall at least.

    Args:
      recall: the least recall, from 0 to 1.
      num_thresholds: how many thresholds are tried.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for numbers out of their range.

    >>> print(tf.keras.metrics.PrecisionAtRecall(0.5)([0, 0, 0, 1, 1], [0, 0.3, 0.8, 0.3, 0.8]).numpy().round(3))
    0.5
    """

    _options = ("num_thresholds", "recall", "class_id")

    def __init__(
        self,
        recall: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.recall = recall
        self._set("recall", recall, num_thresholds, class_id)

    def result(self) -> Tensor:
        parts = self._parts()
        return self._best(parts[2], parts[0])


class RecallAtPrecision(_Best):
    """The greatest recall of a precision at least.

    Args:
      precision: the least precision, from 0 to 1.
      num_thresholds: how many thresholds are tried.
      class_id: the one class that is looked at; None for all.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for numbers out of their range.

    >>> print(tf.keras.metrics.RecallAtPrecision(0.5)([0, 0, 0, 1, 1], [0, 0.3, 0.8, 0.3, 0.8]).numpy().round(3))
    1.0
    """

    _options = ("num_thresholds", "precision", "class_id")

    def __init__(
        self,
        precision: float,
        num_thresholds: int = 200,
        class_id: int | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(dtype, name)
        self.precision = precision
        self._set("precision", precision, num_thresholds, class_id)

    def result(self) -> Tensor:
        parts = self._parts()
        return self._best(parts[0], parts[2])


class AUC(_Counts):
    """The area under a curve that thresholds draw: 1 where some threshold tells all of 1 from all of 0.

    Args:
      num_thresholds: how many thresholds there are, evenly from 0 to 1.
      curve: ``"ROC"`` for recall over the part of what is 0 that was taken for 1, ``"PR"`` for precision over recall,
        ``"PRGAIN"`` for the gains of these.
      summation_method: ``"interpolation"`` for the mean of neighbours, ``"majoring"`` or ``"minoring"`` for the greater
        or the smaller one.
      name: the name.
      dtype: the dtype of the result, float32 by default.
      thresholds: the thresholds themselves, besides 0 and 1.
      multi_label: whether each column is a curve of its own, and the result the mean of their areas.
      num_labels: how many columns there are, if that is known, with `multi_label`.
      label_weights: what each column counts.
      from_logits: whether predictions are logits, rather than probabilities.
    Raises:
      ValueError: for another curve or method, numbers out of their range, and tensors that are not of shape [batch,
        labels] with `multi_label`.

    >>> print(tf.keras.metrics.AUC(num_thresholds=3)([0, 0, 1, 1], [0, 0.5, 0.3, 0.9]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """

    _direction = "up"
    _options = (
        "num_thresholds",
        "curve",
        "summation_method",
        "multi_label",
        "num_labels",
        "label_weights",
        "from_logits",
    )
    _counted = ("true_positives", "false_positives", "true_negatives", "false_negatives")
    true_positives: Variable
    false_positives: Variable
    true_negatives: Variable
    false_negatives: Variable

    def __init__(
        self,
        num_thresholds: int = 200,
        curve: str = "ROC",
        summation_method: str = "interpolation",
        name: str | None = None,
        dtype: DTypeLike | None = None,
        thresholds: Sequence[float] | None = None,
        multi_label: bool = False,
        num_labels: int | None = None,
        label_weights: Sequence[float] | None = None,
        from_logits: bool = False,
    ) -> None:
        super().__init__(dtype, name)
        self.curve = _one_of("curve", curve.upper(), ("ROC", "PR", "PRGAIN"))
        self.summation_method = _one_of(
            "summation_method", summation_method.lower(), ("interpolation", "majoring", "minoring")
        )
        if thresholds is None and num_thresholds < 2:
            raise ValueError(f"AUC with num_thresholds={num_thresholds!r}: it is 2 or more")
        if num_labels and not multi_label:
            raise ValueError(f"AUC with num_labels={num_labels!r}: labels are counted with multi_label=True")
        self._inner_thresholds = None if thresholds is None else sorted(thresholds)
        if self._inner_thresholds is None:
            inside = [i / (num_thresholds - 1) for i in range(1, num_thresholds - 1)]
        else:
            inside = self._inner_thresholds
            self._set_thresholds(inside)
        self.num_thresholds = len(inside) + 2
        self.thresholds = [-epsilon(), *inside, 1 + epsilon()]  # below and above every probability
        self.multi_label, self.num_labels, self.from_logits = multi_label, num_labels, from_logits
        self.label_weights = None if label_weights is None else [float(w) for w in label_weights]
        self._built = False
        if num_labels or not multi_label:
            self._build(num_labels)

    def _build(self, labels: int | None) -> None:
        self._make(labels)
        self._built = True

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        predicted = cast(convert_to_tensor(y_pred), self._dtype)
        if self.multi_label and (predicted.shape.rank != 2 or predicted.shape.as_list()[1] is None):
            raise ValueError(
                f"AUC with multi_label=True of y_pred of shape {predicted.shape}: it has the shape [batch, labels], "
                "and it is known how many labels there are"
            )
        if not self._built:
            self._build(predicted.shape.as_list()[1])
        predicted = m.clipped(m.sigmoid(predicted) if self.from_logits else predicted, 0, 1)
        weights = None if self.multi_label else self._label_weights()
        self._count(y_true, predicted, sample_weight, by_label=self.multi_label, label_weights=weights)

    def _label_weights(self) -> Tensor | None:
        return None if self.label_weights is None else constant(self.label_weights, self._dtype)

    def result(self) -> Tensor:
        if not self._built:
            raise ValueError(f"the result of '{self.name}' before its first update_state: say num_labels")
        right, wrong = self.true_positives.read_value(), self.false_positives.read_value()
        missed, denied = self.false_negatives.read_value(), self.true_negatives.read_value()
        if self.curve == "PR" and self.summation_method == "interpolation":
            return self._over_labels(_between(right, wrong, missed))
        recall, precision = m.divide_no_nan(right, right + missed), m.divide_no_nan(right, right + wrong)
        x, y = (m.divide_no_nan(wrong, wrong + denied), recall) if self.curve == "ROC" else (recall, precision)
        if self.curve == "PRGAIN":
            scale, is_none = m.divide_no_nan(right + missed, denied + wrong), m.equal(right, 0)
            x = m.maximum(m.where(is_none, 0.0, 1.0 - scale * m.divide_no_nan(missed, right)), 0)
            y = m.where(is_none, 1.0, 1.0 - scale * m.divide_no_nan(wrong, right))
        height = {"majoring": m.maximum, "minoring": m.minimum}.get(self.summation_method)
        heights = (y[:-1] + y[1:]) / 2 if height is None else height(y[:-1], y[1:])
        return self._over_labels((x[:-1] - x[1:]) * heights)

    def _over_labels(self, areas: Tensor) -> Tensor:
        if not self.multi_label:
            return reduce_sum(areas)
        by_label, weights = reduce_sum(areas, 0), self._label_weights()
        if weights is None:
            return reduce_mean(by_label)
        return m.divide_no_nan(reduce_sum(by_label * weights), reduce_sum(weights))

    def get_config(self) -> Config:
        more = {} if self._inner_thresholds is None else {"thresholds": self._inner_thresholds}
        return {**super().get_config(), **more}


def _between(right: Tensor, wrong: Tensor, missed: Tensor) -> Tensor:
    """Areas under precision over recall between neighbouring thresholds, where counts change along lines."""
    positive = right + wrong
    steps, gained = positive[:-1] - positive[1:], right[:-1] - right[1:]
    slope = m.divide_no_nan(gained, m.maximum(steps, 0))
    start = right[1:] - slope * positive[1:]
    has_both = m.logical_and(positive[:-1] > 0, positive[1:] > 0)
    ratio = m.where(has_both, m.divide_no_nan(positive[:-1], m.maximum(positive[1:], 0)), ones_like(steps))
    return m.divide_no_nan(slope * (gained + start * m.log(ratio)), m.maximum(right[1:] + missed[1:], 0))


def _one_of(parameter: str, value: str, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise ValueError(f"AUC with {parameter}={value!r}: it is one of {', '.join(map(repr, allowed))}")
    return value
