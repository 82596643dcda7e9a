"""Losses of samples: functions of what was wanted and what was predicted."""

from __future__ import annotations

import math

from runtime.control.alignments import ctc_loss
from runtime.graph.callers import warn
from runtime.graph.dtypes import int32
from runtime.keras.losses.reduction import check_together, count_along, of_same_rank
from runtime.keras.settings import epsilon
from runtime.tensors import activations as a, cross_entropies, mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.making import ones_like, range as arange
from runtime.tensors.normalisation import l2_normalize
from runtime.tensors.products import matmul
from runtime.tensors.reductions import reduce_all, reduce_logsumexp, reduce_max, reduce_mean, reduce_sum
from runtime.tensors.shaping import expand_dims, reshape, shape, squeeze, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike

__all__ = [
    "KLD", "MAE", "MAPE", "MSE", "MSLE", "binary_crossentropy", "binary_focal_crossentropy",
    "categorical_crossentropy", "categorical_focal_crossentropy", "categorical_generalized_cross_entropy",
    "categorical_hinge", "circle", "cosine_similarity", "ctc", "dice", "hinge", "huber", "kl_divergence", "kld",
    "kullback_leibler_divergence", "log_cosh", "logcosh", "mae", "mape", "mean_absolute_error",
    "mean_absolute_percentage_error", "mean_squared_error", "mean_squared_logarithmic_error", "mse", "msle", "poisson",
    "sparse_categorical_crossentropy", "squared_hinge", "tversky",
]  # fmt: skip


def _both(y_true: TensorLike, y_pred: TensorLike) -> tuple[Tensor, Tensor]:
    """What was wanted and what was predicted, as floats of one dtype."""
    predicted = a.floating(y_pred)
    return cast(convert_to_tensor(y_true), predicted.dtype), predicted


def _alike(y_true: TensorLike, y_pred: TensorLike) -> tuple[Tensor, Tensor]:
    """Both of one rank, where one of them has an axis of size 1 more than the other."""
    wanted, predicted = of_same_rank(*_both(y_true, y_pred))
    check_together(wanted, predicted)
    return wanted, predicted


def _same_shape(function: str, wanted: Tensor, predicted: Tensor) -> None:
    if not wanted.shape.is_compatible_with(predicted.shape):
        raise ValueError(
            f"{function}: y_true has shape {wanted.shape} and y_pred {predicted.shape}: both must have the same"
        )


def mean_squared_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``(y_true - y_pred) ** 2`` along the last axis.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.mean_squared_error([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor([2.], shape=(1,), dtype=float32)
    """
    wanted, predicted = _alike(y_true, y_pred)
    return reduce_mean(m.square(wanted - predicted), -1)


def mean_absolute_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``abs(y_true - y_pred)`` along the last axis.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.mean_absolute_error([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    wanted, predicted = _alike(y_true, y_pred)
    return reduce_mean(m.abs(wanted - predicted), -1)


def mean_absolute_percentage_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``100 * abs((y_true - y_pred) / y_true)`` along the last axis.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.mean_absolute_percentage_error([[4.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor([25.], shape=(1,), dtype=float32)
    """
    wanted, predicted = _alike(y_true, y_pred)
    return 100.0 * reduce_mean(m.abs((wanted - predicted) / m.maximum(m.abs(wanted), epsilon())), -1)


def mean_squared_logarithmic_error(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``(log(1 + y_true) - log(1 + y_pred)) ** 2`` along the last axis; numbers below 0 count as 0.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.mean_squared_logarithmic_error([[0.0, 1.0]], [[2.0, 1.0]]).numpy().round(3))
    [0.603]
    """
    wanted, predicted = _alike(y_true, y_pred)
    low = epsilon()
    return reduce_mean(m.square(m.log(m.maximum(predicted, low) + 1.0) - m.log(m.maximum(wanted, low) + 1.0)), -1)


def cosine_similarity(y_true: TensorLike, y_pred: TensorLike, axis: int = -1) -> Tensor:
    """The cosine of the angle between vectors along an axis, times -1: -1 for one direction, 1 for opposite ones.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape.
      axis: the axis.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.cosine_similarity([[0.0, 1.0]], [[3.0, 4.0]]).numpy().round(3))
    [-0.8]
    """
    wanted, predicted = _alike(y_true, y_pred)
    return -reduce_sum(l2_normalize(wanted, axis) * l2_normalize(predicted, axis), axis)


def huber(y_true: TensorLike, y_pred: TensorLike, delta: float = 1.0) -> Tensor:
    """The mean along the last axis of half the squares of small errors, and of large ones in proportion.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
      delta: the greatest error that is small.
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.huber([[0.0, 1.0]], [[9.0, 1.5]]).numpy())
    [4.3125]
    """
    wanted, predicted = _alike(y_true, y_pred)
    error = m.abs(predicted - wanted)
    return reduce_mean(m.where(error <= delta, 0.5 * m.square(error), delta * error - 0.5 * delta**2), -1)


def log_cosh(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``log(cosh(y_pred - y_true))`` along the last axis, without overflow.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.log_cosh([[0.0, 1.0]], [[100.0, 1.0]]).numpy().round(3))
    [49.653]
    """
    wanted, predicted = _alike(y_true, y_pred)
    error = predicted - wanted
    return reduce_mean(error + m.softplus(error * -2.0) - math.log(2.0), -1)


def kl_divergence(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """``sum(y_true * log(y_true / y_pred))`` along the last axis, of probabilities.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.kl_divergence([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    [0.693]
    """
    wanted, predicted = (m.clipped(one, epsilon(), 1.0) for one in _both(y_true, y_pred))
    return reduce_sum(wanted * m.log(wanted / predicted), -1)


def poisson(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``y_pred - y_true * log(y_pred)`` along the last axis, of counts and their expected values.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.poisson([[0.0, 2.0]], [[1.0, 1.0]]).numpy().round(3))
    [1.]
    """
    wanted, predicted = _both(y_true, y_pred)
    return reduce_mean(predicted - wanted * m.log(predicted + epsilon()), -1)


def hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``max(1 - y_true * y_pred, 0)`` along the last axis.

    Args:
      y_true: -1 or 1; where all of them are 0 or 1, 0 stands for -1.
      y_pred: what was predicted, of the same shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.hinge([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    return reduce_mean(_margins(y_true, y_pred), -1)


def squared_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """The mean of ``max(1 - y_true * y_pred, 0) ** 2`` along the last axis.

    Args:
      y_true: -1 or 1; where all of them are 0 or 1, 0 stands for -1.
      y_pred: what was predicted, of the same shape [..., n].
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.squared_hinge([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor([1.25], shape=(1,), dtype=float32)
    """
    return reduce_mean(m.square(_margins(y_true, y_pred)), -1)


def _margins(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    wanted, predicted = _both(y_true, y_pred)
    are_binary = reduce_all(m.logical_or(m.equal(wanted, 0), m.equal(wanted, 1)))
    return m.maximum(1.0 - m.where(are_binary, 2.0 * wanted - 1.0, wanted) * predicted, 0)


def categorical_hinge(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """By how much the best of the wrong classes comes within 1 of the right one, along the last axis.

    Args:
      y_true: 1 for the right class, 0 for the others, of shape [..., classes].
      y_pred: what was predicted, of the same shape.
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.categorical_hinge([[0.0, 1.0]], [[0.5, 0.75]]))
    tf.Tensor([0.75], shape=(1,), dtype=float32)
    """
    wanted, predicted = _both(y_true, y_pred)
    right = reduce_sum(wanted * predicted, -1)
    return m.maximum(reduce_max((1.0 - wanted) * predicted, -1) - right + 1.0, 0)


def categorical_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """How far predicted probabilities of classes are from others: ``-sum(y_true * log(y_pred))``.

    Args:
      y_true: the probabilities, 1 for the right class and 0 for the others where it is certain.
      y_pred: what was predicted, of the same shape.
      from_logits: whether these are logits, rather than probabilities.
      label_smoothing: the part of the probabilities that is shared among all classes.
      axis: the axis of the classes.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes differ.

    >>> print(tf.keras.losses.categorical_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    [0.693]
    """
    wanted, predicted = _classes("categorical_crossentropy", y_true, y_pred, label_smoothing, axis)
    if from_logits:
        return cross_entropies.softmax_cross_entropy_with_logits(wanted, predicted, axis)
    parts = predicted / reduce_sum(predicted, axis, keepdims=True)
    return -reduce_sum(wanted * m.log(_clipped(parts)), axis)


def categorical_focal_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """`categorical_crossentropy` in which classes that are predicted well count less.

    Args:
      y_true, y_pred, from_logits, label_smoothing, axis: as for `categorical_crossentropy`.
      alpha: a factor.
      gamma: how much less they count: the power of ``1 - y_pred`` that is another factor.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes differ.

    >>> print(tf.keras.losses.categorical_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    [0.043]
    """
    wanted, predicted = _classes("categorical_focal_crossentropy", y_true, y_pred, label_smoothing, axis)
    if from_logits:
        predicted = a.softmax(predicted, axis)
    parts = _clipped(predicted / reduce_sum(predicted, axis, keepdims=True))
    return reduce_sum(m.pow(1.0 - parts, gamma) * alpha * (-wanted * m.log(parts)), axis)


def _classes(
    function: str, y_true: TensorLike, y_pred: TensorLike, label_smoothing: float, axis: int
) -> tuple[Tensor, Tensor]:
    """Probabilities wanted, smoothed, and predicted, of one shape."""
    if isinstance(axis, bool):
        raise ValueError(f"{function} with axis={axis!r}: it is the number of an axis")
    wanted, predicted = _both(y_true, y_pred)
    _same_shape(function, wanted, predicted)
    if predicted.shape.rank and predicted.shape.as_list()[-1] == 1:
        warn(
            f"{function} of y_pred of shape {predicted.shape}: the probability of one class is always 1. For two "
            "classes told by one number there is binary_crossentropy.",
            SyntaxWarning,
        )
    if label_smoothing:
        wanted = wanted * (1.0 - label_smoothing) + label_smoothing / count_along(wanted, axis)
    return wanted, predicted


def sparse_categorical_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    from_logits: bool = False,
    ignore_class: int | None = None,
    axis: int = -1,
) -> Tensor:
    """`categorical_crossentropy` with the numbers of classes: ``-log(y_pred[y_true])``.

    Args:
      y_true: the numbers of the right classes, of the shape of `y_pred` without its last axis, or with 1 there.
      y_pred: the probabilities of classes, of shape [..., classes].
      from_logits: whether these are logits, rather than probabilities.
      ignore_class: a number that stands for no class, whose loss is 0; None if there is none.
      axis: the axis of the classes: the last.
    Returns: a tensor of shape [...], of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together, and for another axis.
      InvalidArgumentError: if a number is not that of a class, when it is run.

    >>> loss = tf.keras.losses.sparse_categorical_crossentropy([1, 2], [[0.1, 0.8, 0.1], [0.25, 0.25, 0.5]])
    >>> print(loss.numpy().round(3))
    [0.223 0.693]
    """
    predicted, numbers = a.floating(y_pred), convert_to_tensor(y_true)
    rank = predicted.shape.rank
    if rank is not None and axis not in (-1, rank - 1):
        raise ValueError(f"sparse_categorical_crossentropy with axis={axis}: the classes are along the last axis")
    if numbers.shape.rank == rank and rank and numbers.shape.as_list()[-1] == 1:
        numbers = squeeze(numbers, -1)
    if rank is not None and numbers.shape.rank not in (None, rank - 1):
        raise ValueError(
            f"sparse_categorical_crossentropy: y_true has shape {numbers.shape} and y_pred {predicted.shape}; y_true "
            "has the shape of y_pred without the last axis. For probabilities there is categorical_crossentropy."
        )
    numbers = numbers if numbers.dtype.is_integer else cast(numbers, int32)
    if ignore_class is None:
        return _of_numbers(numbers, predicted, from_logits)
    is_class = m.not_equal(numbers, ignore_class)
    safe = m.where(expand_dims(is_class, -1), predicted, 0.0)
    return m.where(is_class, _of_numbers(m.where(is_class, numbers, numbers * 0), safe, from_logits), 0.0)


def _of_numbers(numbers: Tensor, predicted: Tensor, from_logits: bool) -> Tensor:
    logits = predicted if from_logits else m.log(_clipped(predicted))
    return cross_entropies.sparse_softmax_cross_entropy_with_logits(numbers, logits)


def _clipped(probabilities: Tensor) -> Tensor:
    return m.clipped(probabilities, epsilon(), 1.0 - epsilon())


def binary_crossentropy(
    y_true: TensorLike, y_pred: TensorLike, from_logits: bool = False, label_smoothing: float = 0.0, axis: int = -1
) -> Tensor:
    """The mean of ``-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred)`` along an axis.

    Args:
      y_true: what was wanted: 0, 1 or a probability.
      y_pred: the probabilities that were predicted, of the same shape.
      from_logits: whether these are logits, rather than probabilities.
      label_smoothing: how much nearer to 1/2 what was wanted comes: 0 for not at all, 1 for all of it.
      axis: the axis of the mean.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes differ.

    >>> print(tf.keras.losses.binary_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    [0.693]
    """
    wanted, predicted = _smoothed("binary_crossentropy", y_true, y_pred, label_smoothing)
    if from_logits:
        return reduce_mean(cross_entropies.sigmoid_cross_entropy_with_logits(wanted, predicted), axis)
    return reduce_mean(_binary(wanted, predicted), axis)


def binary_focal_crossentropy(
    y_true: TensorLike,
    y_pred: TensorLike,
    apply_class_balancing: bool = False,
    alpha: float = 0.25,
    gamma: float = 2.0,
    from_logits: bool = False,
    label_smoothing: float = 0.0,
    axis: int = -1,
) -> Tensor:
    """`binary_crossentropy` in which what is predicted well counts less.

    Args:
      y_true, y_pred, from_logits, label_smoothing, axis: as for `binary_crossentropy`.
      apply_class_balancing: whether 1 counts `alpha` times, and 0 ``1 - alpha`` times.
      alpha: what 1 counts then.
      gamma: how much less it counts: a power of the probability of what was not wanted is a factor.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes differ.

    >>> print(tf.keras.losses.binary_focal_crossentropy([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    [0.173]
    """
    wanted, predicted = _smoothed("binary_focal_crossentropy", y_true, y_pred, label_smoothing)
    if from_logits:
        predicted = m.sigmoid(predicted)
    right = wanted * predicted + (1 - wanted) * (1 - predicted)
    loss = m.pow(1.0 - right, gamma) * _binary(wanted, predicted)
    if apply_class_balancing:
        loss = (wanted * alpha + (1 - wanted) * (1 - alpha)) * loss
    return reduce_mean(loss, axis)


def _smoothed(function: str, y_true: TensorLike, y_pred: TensorLike, label_smoothing: float) -> tuple[Tensor, Tensor]:
    wanted, predicted = _both(y_true, y_pred)
    _same_shape(function, wanted, predicted)
    if label_smoothing:
        wanted = wanted * (1.0 - label_smoothing) + 0.5 * label_smoothing
    return wanted, predicted


def _binary(wanted: Tensor, predicted: Tensor) -> Tensor:
    parts = _clipped(predicted)
    return -(wanted * m.log(parts) + (1 - wanted) * m.log(1 - parts))


def dice(y_true: TensorLike, y_pred: TensorLike, axis: AxisLike = None) -> Tensor:
    """How little two sets share: 1 minus twice what both have, divided by the sum of what each has.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape, of numbers from 0 to 1.
      axis: the axes to add along, all by default.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.dice([0.0, 1.0], [1.0, 1.0]).numpy().round(3))
    0.333
    """
    wanted, predicted = _both(y_true, y_pred)
    both = reduce_sum(wanted * predicted, axis)
    return 1 - 2.0 * both / (reduce_sum(wanted, axis) + reduce_sum(predicted, axis) + epsilon())


def tversky(
    y_true: TensorLike, y_pred: TensorLike, alpha: float = 0.5, beta: float = 0.5, axis: AxisLike = None
) -> Tensor:
    """`dice` in which what was missed, and what was predicted though not wanted, count differently.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape, of numbers from 0 to 1.
      alpha: what counts that was wanted and not predicted.
      beta: what counts that was predicted and not wanted.
      axis: the axes to add along, all by default.
    Returns: a tensor of the other axes, of the dtype of `y_pred`.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.keras.losses.tversky([0.0, 1.0], [1.0, 1.0], beta=1.0).numpy().round(3))
    0.5
    """
    wanted, predicted = _both(y_true, y_pred)
    both = reduce_sum(wanted * predicted, axis)
    missed, wrong = reduce_sum((1 - predicted) * wanted, axis), reduce_sum(predicted * (1 - wanted), axis)
    return 1 - both / (both + missed * alpha + wrong * beta + epsilon())


def categorical_generalized_cross_entropy(y_true: TensorLike, y_pred: TensorLike, q: float) -> Tensor:
    """``(1 - p ** q) / q`` of the probability of the right class, which wrong labels disturb less.

    Args:
      y_true: the numbers of the right classes, of shape [...].
      y_pred: the probabilities of classes, of shape [..., classes].
      q: between 0, for the logarithm, and 1, for the absolute error.
    Returns: a tensor of shape [...], of the dtype of `y_pred`.

    >>> print(tf.keras.losses.categorical_generalized_cross_entropy([1], [[0.75, 0.25]], q=0.5))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    predicted = a.floating(y_pred)
    numbers = expand_dims(cast(convert_to_tensor(y_true), int32), -1)
    right = cast(m.equal(numbers, arange(shape(predicted)[-1])), predicted.dtype)
    return (1 - m.pow(reduce_sum(predicted * right, -1), q)) / q


def circle(
    y_true: TensorLike,
    y_pred: TensorLike,
    ref_labels: TensorLike | None = None,
    ref_embeddings: TensorLike | None = None,
    remove_diagonal: bool = True,
    gamma: float = 80,
    margin: float = 0.4,
) -> Tensor:
    """How little vectors of one class are like one another, and unlike those of other classes.

    Args:
      y_true: the numbers of the classes, of shape [batch].
      y_pred: vectors of length 1, of shape [batch, n].
      ref_labels, ref_embeddings: those to compare with, `y_true` and `y_pred` by default.
      remove_diagonal: whether a vector is not compared with the one in its own place.
      gamma: how steep it is.
      margin: how far like and unlike are to be apart.
    Returns: a tensor of shape [batch], of the dtype of `y_pred`.

    >>> vectors = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
    >>> print(tf.keras.losses.circle([0, 1, 1], vectors, gamma=1.0).numpy().round(3))
    [0.    0.563 0.734]
    """
    predicted, labels = a.floating(y_pred), reshape(cast(convert_to_tensor(y_true), int32), [-1, 1])
    others = predicted if ref_embeddings is None else cast(convert_to_tensor(ref_embeddings), predicted.dtype)
    numbers = labels if ref_labels is None else reshape(cast(convert_to_tensor(ref_labels), int32), [-1, 1])
    apart = m.maximum(1 - matmul(predicted, transpose(others)), 0)
    alike = m.equal(labels, transpose(numbers))
    unlike = m.logical_not(alike)
    if remove_diagonal:
        places, other_places = arange(shape(labels)[0]), arange(shape(numbers)[0])
        alike = m.logical_and(alike, m.not_equal(expand_dims(places, -1), other_places))
    like_losses = -gamma * (margin + apart) * (margin - apart)
    unlike_losses = gamma * m.maximum(1 + margin - apart, 0) * (1 - margin - apart)
    low = -math.inf
    near = reduce_logsumexp(m.where(alike, like_losses, low), 1)
    far = reduce_logsumexp(m.where(unlike, unlike_losses, low), 1)
    return m.softplus(near + far)


def ctc(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """How unlikely sequences of labels are, whenever each of them comes: connectionist temporal classification.

    Args:
      y_true: labels, of shape [batch, the largest number of labels]; 0 is the blank, and fills rows that are shorter.
      y_pred: logits, of shape [batch, times, classes], of floats.
    Returns: a tensor of shape [batch], of the dtype of `y_pred`.
    Raises:
      ValueError: for other ranks.

    >>> print(tf.keras.losses.ctc([[1, 0]], tf.zeros([1, 2, 2])).numpy().round(4))  # three of four courses
    [0.2877]
    """
    labels, logits = cast(convert_to_tensor(y_true), int32), a.floating(y_pred)
    for name, tensor, rank, dims in (("y_true", labels, 2, "labels"), ("y_pred", logits, 3, "times, classes")):
        if tensor.shape.rank not in (None, rank):
            raise ValueError(f"ctc with {name} of shape {tensor.shape}: it is [batch, {dims}]")
    times = ones_like(labels[:, 0]) * shape(logits)[1]
    lengths = reduce_sum(cast(m.not_equal(labels, 0), int32), -1)
    return ctc_loss(labels, logits, lengths, times, logits_time_major=False, blank_index=0)


MSE = mse = mean_squared_error
MAE = mae = mean_absolute_error
MAPE = mape = mean_absolute_percentage_error
MSLE = msle = mean_squared_logarithmic_error
KLD = kld = kullback_leibler_divergence = kl_divergence
logcosh = log_cosh
