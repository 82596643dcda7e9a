"""How far what was predicted is from what was wanted: the means of losses, and what correlates."""

from __future__ import annotations

from runtime.graph.dtypes import DTypeLike
from runtime.keras.losses import functions
from runtime.keras.losses.reduction import check_together, of_same_rank
from runtime.keras.metrics.metric import Function, Mean, Metric
from runtime.keras.settings import epsilon
from runtime.tensors import mathematics as m
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.normalisation import l2_normalize
from runtime.tensors.reductions import reduce_mean, reduce_std, reduce_sum, reduce_variance
from runtime.tensors.shaping import broadcast_to, expand_dims, shape, size
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


def _alike(y_true: TensorLike, y_pred: TensorLike) -> tuple[Tensor, Tensor]:
    predicted = floating(y_pred)
    wanted, predicted = of_same_rank(cast(convert_to_tensor(y_true), predicted.dtype), predicted)
    check_together(wanted, predicted)
    return wanted, predicted


def cosine_similarity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """The cosine of the angle between vectors along an axis: 1 for one direction, -1 for opposite ones.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape.
      axis: the axis.
    Returns: a tensor of the other axes.
    """
    wanted, predicted = _alike(y_true, y_pred)
    return reduce_sum(l2_normalize(wanted, axis) * l2_normalize(predicted, axis), axis)


def pearson_correlation(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Pearson's correlation along an axis: 1 where one rises with the other along a line, -1 where it falls.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape.
      axis: the axis.
    Returns: a tensor of the other axes.

    >>> print(tf.keras.metrics.pearson_correlation([[0.0, 1.0, 2.0]], [[1.0, 3.0, 5.0]]).numpy().round(3))
    [1.]
    """
    wanted, predicted = (x - reduce_mean(x, axis, keepdims=True) for x in _alike(y_true, y_pred))
    of_one = wanted / reduce_std(wanted, axis, keepdims=True)
    return reduce_mean(of_one * (predicted / reduce_std(predicted, axis, keepdims=True)), axis)


def concordance_correlation(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """Lin's correlation along an axis: 1 where both are the same.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape.
      axis: the axis.
    Returns: a tensor of the other axes.

    >>> print(tf.keras.metrics.concordance_correlation([[0.0, 1.0, 2.0]], [[0.0, 1.0, 2.0]]).numpy().round(3))
    [1.]
    """
    wanted, predicted = _alike(y_true, y_pred)
    mean, other = (reduce_mean(x, axis, keepdims=True) for x in (wanted, predicted))
    spread = reduce_variance(wanted, axis, keepdims=True) + reduce_variance(predicted, axis, keepdims=True)
    together = (wanted - other) * (predicted - other)
    return reduce_mean(2 * together / (spread + m.square(mean - other) + epsilon()), axis)


class MeanSquaredError(Function):
    """The mean of ``(y_true - y_pred) ** 2``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.MeanSquaredError()([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.mean_squared_error)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class MeanAbsoluteError(Function):
    """The mean of ``abs(y_true - y_pred)``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.MeanAbsoluteError()([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.mean_absolute_error)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class MeanAbsolutePercentageError(Function):
    """The mean of ``100 * abs((y_true - y_pred) / y_true)``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.MeanAbsolutePercentageError()([[4.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(25.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.mean_absolute_percentage_error)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class MeanSquaredLogarithmicError(Function):
    """The mean of ``(log(1 + y_true) - log(1 + y_pred)) ** 2``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.MeanSquaredLogarithmicError()([[3.0]], [[3.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.mean_squared_logarithmic_error)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class LogCoshError(Function):
    """The mean of ``log(cosh(y_pred - y_true))``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.LogCoshError()([[1.0]], [[1.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.log_cosh)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__("logcosh" if name is None else name, dtype)


class KLDivergence(Function):
    """``sum(y_true * log(y_true / y_pred))`` along the last axis, of probabilities.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.KLDivergence()([[0.5, 0.5]], [[0.5, 0.5]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.kl_divergence)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class Poisson(Function):
    """The mean of ``y_pred - y_true * log(y_pred)``, of counts and their expected values.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.Poisson()([[0.0]], [[2.0]]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.poisson)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class Hinge(Function):
    """The mean of ``max(1 - y_true * y_pred, 0)``; `y_true` is -1 or 1, or 0 or 1.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.Hinge()([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.hinge)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class SquaredHinge(Function):
    """The mean of ``max(1 - y_true * y_pred, 0) ** 2``; `y_true` is -1 or 1, or 0 or 1.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.SquaredHinge()([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor(1.25, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.squared_hinge)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class CategoricalHinge(Function):
    """By how much the best of the wrong classes comes within 1 of the right one.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.CategoricalHinge()([[0.0, 1.0]], [[0.5, 0.75]]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """

    _direction = "down"
    _function = staticmethod(functions.categorical_hinge)

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, dtype)


class CosineSimilarity(Function):
    """The cosine of the angle between vectors: 1 for one direction, -1 for opposite ones.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      axis: the axis of the vectors.

    >>> print(tf.keras.metrics.CosineSimilarity()([[0.0, 1.0]], [[0.0, 2.0]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _direction = "up"
    _options = ("axis",)
    _function = staticmethod(cosine_similarity)
    axis: int

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(name, dtype, axis=axis)


class PearsonCorrelation(Function):
    """The mean of Pearson's correlations.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      axis: the axis along which it is taken.

    >>> print(tf.keras.metrics.PearsonCorrelation()([[0.0, 1.0, 2.0]], [[1.0, 3.0, 5.0]]).numpy().round(3))
    1.0
    """

    _direction = "up"
    _options = ("axis",)
    _function = staticmethod(pearson_correlation)
    axis: int

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(name, dtype, axis=axis)


class ConcordanceCorrelation(Function):
    """The mean of Lin's correlations: 1 where both are the same.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      axis: the axis along which it is taken.

    >>> print(tf.keras.metrics.ConcordanceCorrelation()([[0.0, 1.0, 2.0]], [[0.0, 1.0, 2.0]]).numpy().round(3))
    1.0
    """

    _direction = "up"
    _options = ("axis",)
    _function = staticmethod(concordance_correlation)
    axis: int

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(name, dtype, axis=axis)


class BinaryCrossentropy(Function):
    """How far probabilities are from others: ``-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred)``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: how much nearer to 1/2 what was wanted comes, from 0 to 1.

    >>> print(tf.keras.metrics.BinaryCrossentropy()([[1.0]], [[0.5]]).numpy().round(3))
    0.693
    """

    _direction = "down"
    _options = ("from_logits", "label_smoothing")
    _function = staticmethod(functions.binary_crossentropy)
    from_logits: bool
    label_smoothing: float

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        label_smoothing: float = 0,
    ) -> None:
        super().__init__(name, dtype, from_logits=from_logits, label_smoothing=label_smoothing)


class CategoricalCrossentropy(Function):
    """How far probabilities of classes are from others: ``-sum(y_true * log(y_pred))``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: the part of the probabilities that is shared among all classes, from 0 to 1.
      axis: the axis of the classes.

    >>> print(tf.keras.metrics.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    0.693
    """

    _direction = "down"
    _options = ("from_logits", "label_smoothing", "axis")
    _function = staticmethod(functions.categorical_crossentropy)
    from_logits: bool
    label_smoothing: float
    axis: int

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        label_smoothing: float = 0,
        axis: int = -1,
    ) -> None:
        super().__init__(name, dtype, from_logits=from_logits, label_smoothing=label_smoothing, axis=axis)


class SparseCategoricalCrossentropy(Function):
    """`CategoricalCrossentropy` with the numbers of classes: ``-log(y_pred[y_true])``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      from_logits: whether `y_pred` are logits, rather than probabilities.
      ignore_class: a number that stands for no class, whose loss is 0; None if there is none.
      axis: the axis of the classes: the last.

    >>> print(tf.keras.metrics.SparseCategoricalCrossentropy()([1], [[0.5, 0.5]]).numpy().round(3))
    0.693
    """

    _direction = "down"
    _options = ("from_logits", "ignore_class", "axis")
    _function = staticmethod(functions.sparse_categorical_crossentropy)
    from_logits: bool
    ignore_class: int | None
    axis: int

    def __init__(
        self,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        from_logits: bool = False,
        ignore_class: int | None = None,
        axis: int = -1,
    ) -> None:
        super().__init__(name, dtype, from_logits=from_logits, ignore_class=ignore_class, axis=axis)


class RootMeanSquaredError(Mean):
    """The root of the mean of ``(y_true - y_pred) ** 2``.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.RootMeanSquaredError()([[0.0, 1.0]], [[4.0, 5.0]]))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """

    _direction = "down"

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account.

        Args:
          y_true, y_pred: what was wanted and what was predicted, of one shape.
          sample_weight: what each sample counts.

        >>> error = tf.keras.metrics.RootMeanSquaredError()
        >>> error.update_state([0.0, 1.0], [4.0, 9.0], sample_weight=[1, 0])
        >>> print(error.result())
        tf.Tensor(4.0, shape=(), dtype=float32)
        """
        wanted, predicted = _alike(y_true, y_pred)
        self._add(m.square(wanted - predicted), sample_weight)

    def result(self) -> Tensor:
        return m.sqrt(super().result())


class R2Score(Metric):
    """The part of the variance of what was wanted that was predicted: 1 for all of it.

    Args:
      class_aggregation: ``"uniform_average"`` for the mean over outputs, ``"variance_weighted_average"`` for one in
        which those of more variance count more, None for the score of each.
      num_regressors: how many inputs the prediction has, to account for those that only seem to help; 0 for not.
      name: the name.
      dtype: the dtype of the result, float32 by default.
    Raises:
      ValueError: for other values, and tensors that are not of shape [batch, outputs].

    >>> print(tf.keras.metrics.R2Score()([[1.0], [4.0], [3.0]], [[2.0], [4.0], [4.0]]).numpy().round(3))
    0.571
    """

    _direction = "up"
    _options = ("class_aggregation", "num_regressors")

    def __init__(
        self,
        class_aggregation: str | None = "uniform_average",
        num_regressors: int = 0,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        if class_aggregation not in (None, "uniform_average", "variance_weighted_average"):
            raise ValueError(
                f"R2Score with class_aggregation={class_aggregation!r}: it is 'uniform_average', "
                "'variance_weighted_average' or None"
            )
        if num_regressors < 0:
            raise ValueError(f"R2Score with num_regressors={num_regressors!r}: it is 0 or more")
        super().__init__(dtype, "r2_score" if name is None else name)
        self.class_aggregation, self.num_regressors = class_aggregation, num_regressors
        self.num_samples = self.add_variable((), name="num_samples")
        self._built = False

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account.

        Args:
          y_true, y_pred: what was wanted and what was predicted, of shape [batch, outputs].
          sample_weight: what each sample counts, of shape [batch].

        >>> score = tf.keras.metrics.R2Score()
        >>> score.update_state([[1.0], [4.0]], [[1.0], [4.0]])
        >>> print(score.result())
        tf.Tensor(1.0, shape=(), dtype=float32)
        """
        wanted, predicted = (cast(convert_to_tensor(y), self._dtype) for y in (y_true, y_pred))
        wanted, predicted = of_same_rank(wanted, predicted)
        if not self._built:
            outputs = two_axes("R2Score", wanted, predicted)
            names = ("squared_sum", "sum", "residual", "count")
            self.squared_sum, self.sum, self.total_mse, self.count = (
                self.add_variable([outputs], name=name) for name in names
            )
            self._built = True
        weights = cast(convert_to_tensor(1 if sample_weight is None else sample_weight), self._dtype)
        weights = broadcast_to(expand_dims(weights, 1) if weights.shape.rank == 1 else weights, shape(wanted))
        self.sum.assign_add(reduce_sum(wanted * weights, 0))
        self.squared_sum.assign_add(reduce_sum(m.square(wanted) * weights, 0))
        self.total_mse.assign_add(reduce_sum(m.square(wanted - predicted) * weights, 0))
        self.count.assign_add(reduce_sum(weights, 0))
        self.num_samples.assign_add(cast(size(wanted), self._dtype))

    def result(self) -> Tensor:
        if not self._built:
            raise ValueError(
                f"the result of '{self.name}' before its first update_state: it is not known how many outputs there are"
            )
        total = self.squared_sum - m.square(self.sum) / self.count
        scores = 1 - self.total_mse / total
        scores = m.where(m.is_inf(scores), 0.0, scores)
        score = scores
        if self.class_aggregation == "uniform_average":
            score = reduce_mean(scores)
        elif self.class_aggregation == "variance_weighted_average":
            score = reduce_sum(total * scores) / reduce_sum(total)
        if not self.num_regressors:
            return score
        left = self.num_samples - self.num_regressors - 1.0
        adjusted = 1 - (1 - score) * (self.num_samples - 1.0) / m.where(left > 0, left, 1.0)
        return m.where(left > 0, adjusted, score)


def two_axes(metric: str, wanted: Tensor, predicted: Tensor) -> int:
    """How many outputs there are, of tensors of shape [batch, outputs]."""
    if wanted.shape.rank == 2 and predicted.shape.rank == 2:
        outputs = predicted.shape.as_list()[-1]
        if outputs is not None:
            return outputs
    raise ValueError(
        f"{metric} of y_true of shape {wanted.shape} and y_pred of shape {predicted.shape}: both have two axes, "
        "[batch, outputs], and it is known how many outputs there are"
    )
