"""How far classes that were predicted and classes that are overlap: F scores, intersection over union."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.dtypes import DTypeLike, float32, int32
from runtime.keras.metrics.errors import two_axes
from runtime.keras.metrics.metric import Metric
from runtime.keras.settings import epsilon
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.making import ones_like, zeros
from runtime.tensors.parts import gather, tensor_scatter_nd_add
from runtime.tensors.reductions import argmax, reduce_max, reduce_mean, reduce_sum
from runtime.tensors.shaping import broadcast_to, expand_dims, reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable


class FBetaScore(Metric):
    """The weighted harmonic mean of precision and recall, of each class or of all.

    Args:
      average: None for the score of each class, ``"macro"`` for their mean, ``"weighted"`` for one in which frequent
        classes count more, ``"micro"`` for the score of all classes counted together.
      beta: how many times as much recall counts as precision.
      threshold: from where on probabilities count as predictions; None for the most likely class.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for other values, and tensors that are not of shape [batch, classes].

    >>> wanted, predicted = [[1, 1], [1, 0], [1, 1]], [[0.2, 0.6], [0.2, 0.6], [0.6, 0.8]]
    >>> print(tf.keras.metrics.FBetaScore(beta=2.0, threshold=0.5)(wanted, predicted).numpy().round(3))
    [0.385 0.909]
    """

    _direction = "up"
    _options: tuple[str, ...] = ("average", "beta", "threshold")
    true_positives: Variable
    false_positives: Variable
    false_negatives: Variable
    intermediate_weights: Variable

    def __init__(
        self,
        average: str | None = None,
        beta: float = 1.0,
        threshold: float | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        owner = type(self).__name__
        if average not in (None, "micro", "macro", "weighted"):
            raise ValueError(f"{owner} with average={average!r}: it is 'micro', 'macro', 'weighted' or None")
        if isinstance(beta, bool | str) or not beta > 0:
            raise ValueError(f"{owner} with beta={beta!r}: it is a positive number")
        if threshold is not None and not 0 < threshold <= 1:
            raise ValueError(f"{owner} with threshold={threshold!r}: it is above 0, up to 1, or None")
        super().__init__(
            dtype, {"FBetaScore": "fbeta_score", "F1Score": "f1_score"}.get(owner) if name is None else name
        )
        self.average, self.beta, self.threshold = average, float(beta), threshold
        self._built = False

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        wanted, predicted = (cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred))
        if not self._built:
            classes = two_axes(type(self).__name__, wanted, predicted)
            for name in ("true_positives", "false_positives", "false_negatives", "intermediate_weights"):
                setattr(self, name, self.add_variable([] if self.average == "micro" else [classes], name=name))
            self._built = True
        if self.threshold is None:
            is_best = m.equal(predicted, reduce_max(predicted, -1, keepdims=True))
            chosen = m.logical_and(is_best, m.abs(predicted) > 1e-9)
        else:
            chosen = predicted > self.threshold
        given = cast(chosen, self._dtype)
        weights = None
        if sample_weight is not None:
            weights = expand_dims(cast(convert_to_tensor(sample_weight), self._dtype), 1)
        axis = None if self.average == "micro" else 0
        for kept, value in (
            (self.true_positives, given * wanted),
            (self.false_positives, given * (1 - wanted)),
            (self.false_negatives, (1 - given) * wanted),
            (self.intermediate_weights, wanted),
        ):
            kept.assign_add(reduce_sum(value if weights is None else value * weights, axis))

    def result(self) -> Tensor:
        if not self._built:
            raise ValueError(
                f"the result of '{self.name}' before its first update_state: it is not known how many classes there are"
            )
        right, small = self.true_positives.read_value(), epsilon()
        precision = right / (right + self.false_positives + small)
        recall = right / (right + self.false_negatives + small)
        score = precision * recall / (self.beta**2 * precision + recall + small) * (1 + self.beta**2)
        if self.average == "weighted":
            counts = self.intermediate_weights.read_value()
            return reduce_sum(score * (counts / (reduce_sum(counts) + small)))
        return score if self.average is None else reduce_mean(score)


class F1Score(FBetaScore):
    """The harmonic mean of precision and recall, of each class or of all.

    Args:
      average: as for `FBetaScore`.
      threshold: from where on probabilities count as predictions; None for the most likely class.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for other values, and tensors that are not of shape [batch, classes].

    >>> wanted, predicted = [[1, 1], [1, 0], [1, 1]], [[0.2, 0.6], [0.2, 0.6], [0.6, 0.8]]
    >>> print(tf.keras.metrics.F1Score(threshold=0.5)(wanted, predicted).numpy().round(3))
    [0.5 0.8]
    """

    _options = ("average", "threshold")

    def __init__(
        self,
        average: str | None = None,
        threshold: float | None = None,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(average, 1.0, threshold, name, dtype)


class IoU(Metric):
    """Of classes, what was predicted rightly, divided by what is or was predicted: the mean over some of them.

    Args:
      num_classes: how many classes there are.
      target_class_ids: the numbers of the classes whose mean it is.
      name: the name.
      dtype: the dtype of the counts, int32 by default: weights are whole numbers then.
      ignore_class: a number that stands for no class, and does not count; None if there is none.
      sparse_y_true: whether the classes that are are told by their numbers, rather than by probabilities.
      sparse_y_pred: whether those that were predicted are.
      axis: the axis of the probabilities.
    Raises:
      ValueError: if there is no such class.

    >>> iou = tf.keras.metrics.IoU(num_classes=2, target_class_ids=[0])
    >>> print(iou([0, 0, 1, 1], [0, 1, 0, 1]).numpy().round(3))
    0.333
    """

    _direction = "up"
    _options: tuple[str, ...] = (
        "num_classes", "target_class_ids", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis",
    )  # fmt: skip

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        super().__init__(int32 if dtype is None else dtype, name)
        outside = [one for one in target_class_ids if not 0 <= one < num_classes]
        if outside:
            raise ValueError(
                f"{type(self).__name__} with target_class_ids={list(target_class_ids)}: {outside[0]} is not the number "
                f"of one of {num_classes} classes"
            )
        self.num_classes, self.target_class_ids, self.ignore_class = num_classes, list(target_class_ids), ignore_class
        self.sparse_y_true, self.sparse_y_pred, self.axis = sparse_y_true, sparse_y_pred, axis
        self.total_cm = self.add_variable([num_classes, num_classes], name="total_confusion_matrix")

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        wanted = self._numbers(y_true, self.sparse_y_true)
        predicted = self._numbers(y_pred, self.sparse_y_pred)
        counts = self._counts(wanted, sample_weight)
        known, told = (m.logical_and(x >= 0, x < self.num_classes) for x in (wanted, predicted))
        is_class = m.logical_and(known, told)
        if self.ignore_class is not None:
            is_class = m.logical_and(is_class, m.not_equal(wanted, self.ignore_class))
        wanted, predicted, counts = (m.where(is_class, x, x * 0) for x in (wanted, predicted, counts))
        places = expand_dims(wanted * self.num_classes + predicted, -1)
        none = zeros([self.num_classes**2], self._dtype)
        found = tensor_scatter_nd_add(none, places, counts)
        self.total_cm.assign_add(reshape(found, [self.num_classes, self.num_classes]))

    def _numbers(self, given: TensorLike, are_numbers: bool) -> Tensor:
        x = convert_to_tensor(given)
        return reshape(cast(x if are_numbers else argmax(x, self.axis), int32), [-1])

    def _counts(self, wanted: Tensor, sample_weight: TensorLike | None) -> Tensor:
        if sample_weight is None:
            return cast(ones_like(wanted), self._dtype)
        weights = convert_to_tensor(sample_weight)
        if self._dtype.is_integer and weights.dtype.is_floating:
            raise ValueError(
                f"'{self.name}' counts in {self._dtype.name}, and sample_weight holds {weights.dtype.name}: make the "
                "metric with dtype='float32' to weigh with fractions"
            )
        weights = cast(weights, self._dtype)
        return broadcast_to(reshape(weights, [-1]) if weights.shape.rank else weights, shape(wanted))

    def result(self) -> Tensor:
        table = cast(self.total_cm, float32)
        diagonal = gather(reshape(table, [-1]), constant([i * (self.num_classes + 1) for i in range(self.num_classes)]))
        union = reduce_sum(table, 0) + reduce_sum(table, 1) - diagonal
        targets = constant(self.target_class_ids, int32)
        right, union = gather(diagonal, targets), gather(union, targets)
        occurs = union > 1e-9
        parts = m.where(occurs, right / (union + epsilon()), 0.0)
        return reduce_sum(parts) / (reduce_sum(cast(occurs, float32)) + epsilon())


class BinaryIoU(IoU):
    """`IoU` of two classes, of which probabilities are told by one number.

    Args:
      target_class_ids: the numbers of the classes whose mean it is.
      threshold: from where on probabilities count as 1.
      name: the name.
      dtype: the dtype of the counts, int32 by default: weights are whole numbers then.
    Raises:
      ValueError: if there is no such class.

    >>> print(tf.keras.metrics.BinaryIoU()([0, 1, 0, 1], [0.1, 0.2, 0.4, 0.7]).numpy().round(3))
    0.583
    """

    _options = ("target_class_ids", "threshold")

    def __init__(
        self,
        target_class_ids: Sequence[int] = (0, 1),
        threshold: float = 0.5,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(2, target_class_ids, name, dtype)
        self.threshold = threshold

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        super().update_state(y_true, cast(convert_to_tensor(y_pred) >= self.threshold, int32), sample_weight)


class MeanIoU(IoU):
    """`IoU` of all classes.

    Args:
      num_classes: how many classes there are.
      name: the name.
      dtype: the dtype of the counts, int32 by default: weights are whole numbers then.
      ignore_class, sparse_y_true, sparse_y_pred, axis: as for `IoU`.

    >>> print(tf.keras.metrics.MeanIoU(num_classes=2)([0, 0, 1, 1], [0, 1, 0, 1]).numpy().round(3))
    0.333
    """

    _options = ("num_classes", "ignore_class", "sparse_y_true", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_true: bool = True,
        sparse_y_pred: bool = True,
        axis: int = -1,
    ) -> None:
        ids = range(num_classes)
        super().__init__(num_classes, ids, name, dtype, ignore_class, sparse_y_true, sparse_y_pred, axis)


class OneHotIoU(IoU):
    """`IoU` of classes that are told by probabilities.

    Args:
      num_classes: how many classes there are.
      target_class_ids: the numbers of the classes whose mean it is.
      name: the name.
      dtype: the dtype of the counts, int32 by default: weights are whole numbers then.
      ignore_class, sparse_y_pred, axis: as for `IoU`.
    Raises:
      ValueError: if there is no such class.

    >>> iou = tf.keras.metrics.OneHotIoU(num_classes=2, target_class_ids=[0, 1])
    >>> print(iou([[1, 0], [0, 1]], [[0.75, 0.25], [0.25, 0.75]]).numpy().round(3))
    1.0
    """

    _options = ("num_classes", "target_class_ids", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        target_class_ids: Sequence[int],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        super().__init__(num_classes, target_class_ids, name, dtype, ignore_class, False, sparse_y_pred, axis)


class OneHotMeanIoU(IoU):
    """`MeanIoU` of classes that are told by probabilities.

    Args:
      num_classes: how many classes there are.
      name: the name.
      dtype: the dtype of the counts, int32 by default: weights are whole numbers then.
      ignore_class, sparse_y_pred, axis: as for `IoU`.

    >>> iou = tf.keras.metrics.OneHotMeanIoU(num_classes=2)
    >>> print(iou([[1, 0], [0, 1]], [[0.75, 0.25], [0.25, 0.75]]).numpy().round(3))
    1.0
    """

    _options = ("num_classes", "ignore_class", "sparse_y_pred", "axis")

    def __init__(
        self,
        num_classes: int,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        ignore_class: int | None = None,
        sparse_y_pred: bool = False,
        axis: int = -1,
    ) -> None:
        ids = range(num_classes)
        super().__init__(num_classes, ids, name, dtype, ignore_class, False, sparse_y_pred, axis)
