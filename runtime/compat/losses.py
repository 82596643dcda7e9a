"""``losses`` of TensorFlow 1: one number for a batch, which a collection of the graph keeps."""

from __future__ import annotations

from typing import Any

from runtime.compat.graphs import outermost
from runtime.compat.older import _one_of
from runtime.compat.variables import add_to_collection, get_collection
from runtime.gradients.custom import stop_gradient
from runtime.graph.dtypes import float32
from runtime.tensors import cross_entropies, mathematics as m, reductions
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import ones_like
from runtime.tensors.shaping import expand_dims, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

LOSSES, REGULARIZATION = "losses", "regularization_losses"


class Reduction:
    """How the losses of a batch become one.

    >>> tf.compat.v1.losses.Reduction.SUM
    'weighted_sum'
    """

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_OVER_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_BY_NONZERO_WEIGHTS = SUM_OVER_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """All of them.

        >>> len(tf.compat.v1.losses.Reduction.all())
        5
        """
        return (cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS)

    @classmethod
    def validate(cls, key: str) -> None:
        """Raises ValueError for what is none of them.

        >>> tf.compat.v1.losses.Reduction.validate("none")
        """
        if key not in cls.all():
            raise ValueError(f"Invalid Reduction Key {key}.")


_USUAL = Reduction.SUM_BY_NONZERO_WEIGHTS


def compute_weighted_loss(
    losses: TensorLike, weights: TensorLike = 1.0, scope: str | None = None, loss_collection: str | None = LOSSES,
    reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """Losses, weighed, as one number.

    Args:
      losses: of any shape.
      weights: numbers whose shape broadcasts to theirs; the losses whose weight is 0 do not count.
      scope: accepted.
      loss_collection: the collection of the graph that the result is added to; None for none.
      reduction: one of `Reduction`.
    Returns: a tensor of shape (), and of that of `losses` for ``Reduction.NONE``.
    Raises:
      ValueError: for another reduction, and weights of another shape.

    >>> print(tf.compat.v1.losses.compute_weighted_loss([1.0, 3.0, 5.0], [1.0, 1.0, 0.0]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """
    Reduction.validate(reduction)
    given, factor = operand(losses), cast(operand(weights), float32)
    single = cast(given, float32)
    if factor.shape.rank not in (0, None) and single.shape.rank is not None:
        fits = factor.shape.rank == single.shape.rank and all(
            a in (1, None) or b is None or a == b for a, b in zip(factor.shape, single.shape)
        )
        if not fits:
            raise ValueError(f"weights can not be broadcast to values: {factor.shape} to {single.shape}")
    found = m.multiply(single, factor)
    if reduction != Reduction.NONE:
        everywhere = m.multiply(ones_like(single), factor)
        total = reductions.reduce_sum(found)
        counts = {
            Reduction.MEAN: everywhere,
            Reduction.SUM_OVER_BATCH_SIZE: ones_like(single),
            _USUAL: cast(m.not_equal(everywhere, 0.0), float32),
        }
        found = m.divide_no_nan(total, reductions.reduce_sum(counts[reduction])) if reduction in counts else total
    found = cast(found, given.dtype)
    add_loss(found, loss_collection)
    return found


def add_loss(loss: TensorLike, loss_collection: str | None = LOSSES) -> None:
    """Add a loss to a collection of the graph that is filled; nothing where operations run at once.

    Args:
      loss: a tensor of any shape.
      loss_collection: the collection; None for none.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.losses.add_loss(tf.constant(1.0))
    ...     len(tf.compat.v1.losses.get_losses())
    1
    """
    if loss_collection and outermost() is not None:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: str = LOSSES) -> list[Any]:
    """The losses that were added to the graph.

    Args:
      scope: what their names begin with.
      loss_collection: the collection.

    >>> tf.compat.v1.losses.get_losses()
    []
    """
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The losses of regularizers that were added to the graph.

    Args:
      scope: what their names begin with.

    >>> tf.compat.v1.losses.get_regularization_losses()
    []
    """
    return get_collection(REGULARIZATION, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the losses of regularizers, a tensor of shape ().

    Args:
      scope: what their names begin with.

    >>> float(tf.compat.v1.losses.get_regularization_loss())
    0.0
    """
    found = get_regularization_losses(scope)
    return m.add_n(found) if found else operand(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:
    """The sum of all losses of the graph, a tensor of shape ().

    Args:
      add_regularization_losses: whether those of regularizers are among them.
      scope: what their names begin with.
    Raises:
      ValueError: if there is none.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     loss = tf.compat.v1.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0])
    ...     print(session.run(tf.compat.v1.losses.get_total_loss()))
    2.0
    """
    found = get_losses(scope) + (get_regularization_losses(scope) if add_regularization_losses else [])
    return m.add_n(found)


def _pair(function: str, labels: TensorLike, predictions: TensorLike) -> tuple[Tensor, Tensor]:
    known, found = cast(operand(labels), float32), cast(operand(predictions), float32)
    if not known.shape.is_compatible_with(found.shape):
        raise ValueError(f"{function}: Shapes {found.shape} and {known.shape} are incompatible")
    return known, found


def absolute_difference(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """How far predictions are from labels.

    Args:
      labels, predictions: of one shape.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
    Returns: a tensor of shape ().

    >>> float(tf.compat.v1.losses.absolute_difference([1.0, 2.0], [1.0, 4.0]))
    1.0
    """
    known, found = _pair("absolute_difference", labels, predictions)
    return compute_weighted_loss(m.abs(found - known), weights, scope, loss_collection, reduction)


def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """The squares of how far predictions are from labels.

    Args:
      labels, predictions: of one shape.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
    Returns: a tensor of shape ().

    >>> float(tf.compat.v1.losses.mean_squared_error([1.0, 2.0], [1.0, 4.0]))
    2.0
    """
    known, found = _pair("mean_squared_error", labels, predictions)
    return compute_weighted_loss(m.square(found - known), weights, scope, loss_collection, reduction)


def cosine_distance(
    labels: TensorLike, predictions: TensorLike, axis: int | None = None, weights: TensorLike = 1.0,
    scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL, dim: int | None = None,
) -> Tensor:  # fmt: skip
    """One less the product of vectors, which are to be of length 1.

    Args:
      labels, predictions: of one shape.
      axis, dim: along which the vectors are.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
    Returns: a tensor of shape ().

    >>> print(tf.compat.v1.losses.cosine_distance([[0.0, 1.0]], [[0.6, 0.75]], axis=1).numpy())
    0.25
    """
    along = _one_of("cosine_distance", axis=axis, dim=dim)
    if along is None:
        raise ValueError("You must specify argument `axis`.")
    known, found = _pair("cosine_distance", labels, predictions)
    apart = 1.0 - reductions.reduce_sum(m.multiply(known, found), along, keepdims=True)
    return compute_weighted_loss(apart, weights, scope, loss_collection, reduction)


def hinge_loss(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """How far logits are from the right side of a margin of 1.

    Args:
      labels, logits: of one shape; labels are 0 or 1.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
    Returns: a tensor of shape ().

    >>> float(tf.compat.v1.losses.hinge_loss([0.0, 1.0], [1.0, 4.0]))
    1.0
    """
    known, found = _pair("hinge_loss", labels, logits)
    short = m.maximum(1.0 - (2.0 * known - 1.0) * found, 0.0)
    return compute_weighted_loss(short, weights, scope, loss_collection, reduction)


def log_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, epsilon: float = 1e-7,
    scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """The cross-entropy of probabilities.

    Args:
      labels, predictions: of one shape.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
      epsilon: what is added, so that there is no logarithm of 0.
    Returns: a tensor of shape ().

    >>> print(tf.compat.v1.losses.log_loss([1.0], [0.5]).numpy())
    0.69314694
    """
    known, found = _pair("log_loss", labels, predictions)
    each = -known * m.log(found + epsilon) - (1.0 - known) * m.log(1.0 - found + epsilon)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def huber_loss(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike = 1.0, delta: float = 1.0,
    scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """Half the square of how far predictions are from labels, which goes on straight from `delta` on.

    Args:
      labels, predictions: of one shape.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
      delta: where it goes on straight.
    Returns: a tensor of shape ().

    >>> float(tf.compat.v1.losses.huber_loss([0.0], [3.0]))
    2.5
    """
    known, found = _pair("huber_loss", labels, predictions)
    apart = m.abs(found - known)
    near = m.minimum(apart, delta)
    each = 0.5 * near * near + delta * (apart - near)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def sigmoid_cross_entropy(
    multi_class_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, label_smoothing: float = 0,
    scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """`tf.nn.sigmoid_cross_entropy_with_logits` as one number.

    Args:
      multi_class_labels, logits: of one shape.
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
      label_smoothing: how far labels are moved towards 0.5.
    Returns: a tensor of shape ().

    >>> print(tf.compat.v1.losses.sigmoid_cross_entropy([[1.0]], [[0.0]]).numpy())
    0.6931472
    """
    given = operand(logits)
    known = cast(operand(multi_class_labels), given.dtype)
    if label_smoothing:
        known = known * (1 - label_smoothing) + 0.5 * label_smoothing
    each = cross_entropies.sigmoid_cross_entropy_with_logits(known, given)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def softmax_cross_entropy(
    onehot_labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, label_smoothing: float = 0,
    scope: str | None = None, loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """`tf.nn.softmax_cross_entropy_with_logits` as one number.

    Args:
      onehot_labels, logits: of one shape, [batch, classes].
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
      label_smoothing: how far labels are moved towards one over the number of classes.
    Returns: a tensor of shape ().

    >>> print(tf.compat.v1.losses.softmax_cross_entropy([[0.0, 1.0]], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    given = operand(logits)
    known = cast(operand(onehot_labels), given.dtype)
    if label_smoothing:
        count = cast(operand(given.shape[1]), given.dtype)
        known = known * (1.0 - label_smoothing) + label_smoothing / count
    each = cross_entropies.softmax_cross_entropy_with_logits(stop_gradient(known), given)
    return compute_weighted_loss(each, weights, scope, loss_collection, reduction)


def sparse_softmax_cross_entropy(
    labels: TensorLike, logits: TensorLike, weights: TensorLike = 1.0, scope: str | None = None,
    loss_collection: str | None = LOSSES, reduction: str = _USUAL,
) -> Tensor:  # fmt: skip
    """`tf.nn.sparse_softmax_cross_entropy_with_logits` as one number.

    Args:
      labels: the numbers of classes, of shape [batch] or [batch, 1].
      logits: of shape [batch, classes].
      weights, scope, loss_collection, reduction: as of `compute_weighted_loss`.
    Returns: a tensor of shape ().

    >>> print(tf.compat.v1.losses.sparse_softmax_cross_entropy([1], [[0.0, 0.0]]).numpy())
    0.6931472
    """
    known, given, factor = operand(labels), operand(logits), operand(weights)
    if known.shape.rank is not None and known.shape.rank == given.shape.rank:
        known = squeeze(known, -1)
    if factor.shape.rank is not None and known.shape.rank is not None and factor.shape.rank == known.shape.rank + 1:
        factor = squeeze(factor, -1)
    each = cross_entropies.sparse_softmax_cross_entropy_with_logits(known, given)
    if factor.shape.rank not in (None, 0) and factor.shape.rank == (each.shape.rank or 0) - 1:
        factor = expand_dims(factor, -1)
    return compute_weighted_loss(each, factor, scope, loss_collection, reduction)
