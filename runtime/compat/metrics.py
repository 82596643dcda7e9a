"""``metrics`` of TensorFlow 1: numbers that batches add to, in local Variables of the graph."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.compat.graphs import outermost
from runtime.compat.variables import LOCAL, VariableV1, variable_scope
from runtime.graph.dtypes import bool_, float32
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import ones_like, zeros
from runtime.tensors.shaping import expand_dims, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Metric = tuple[Tensor, Tensor]
Names = Sequence[str] | None


def _checked(name: str) -> None:
    if outermost() is None:
        raise RuntimeError(f"tf.metrics.{name} is not supported when eager execution is enabled: tf.keras.metrics is")


def _local(name: str) -> Variable:
    return VariableV1(zeros([]), trainable=False, collections=[LOCAL], name=name)  # type: ignore[return-value]


def _weighed(values: Tensor, weights: TensorLike | None) -> tuple[Tensor, Tensor]:
    """Values times weights, and the weights of each."""
    if weights is None:
        return values, ones_like(values)
    factor = cast(operand(weights), float32)
    while factor.shape.rank and values.shape.rank is not None and factor.shape.rank < values.shape.rank:
        factor = expand_dims(factor, -1)
    each = m.multiply(ones_like(values), factor)
    return m.multiply(values, each), each


def _mean(name: str, values: Tensor, weights: TensorLike | None) -> Metric:
    with variable_scope(name):
        total, count = _local("total"), _local("count")
        found, each = _weighed(cast(values, float32), weights)
        now = m.divide_no_nan(operand(total), operand(count))
        new = operand(total.assign_add(reductions.reduce_sum(found)))
        return now, m.divide_no_nan(new, operand(count.assign_add(reductions.reduce_sum(each))))


def _alike(labels: TensorLike, predictions: TensorLike) -> tuple[Tensor, Tensor]:
    known, found = operand(labels), operand(predictions)
    if known.shape.rank is not None and found.shape.rank is not None:
        more = len(known.shape) - len(found.shape)
        known = squeeze(known, -1) if more == 1 else known
        found = squeeze(found, -1) if more == -1 else found
    if not known.shape.is_compatible_with(found.shape):
        raise ValueError(f"Shapes {found.shape} and {known.shape} are incompatible")
    return known, found


def mean(
    values: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The mean of all values of all batches.

    Args:
      values: of any shape.
      weights: how much each counts; their shape broadcasts.
      metrics_collections, updates_collections: accepted.
      name: the scope of its Variables.
    Returns: the value, and the operation that adds a batch, which gives the new value.
    Raises:
      RuntimeError: where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.mean([1.0, 2.0])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update), session.run(value))
    1.5 1.5
    """
    _checked("mean")
    return _mean(name or "mean", operand(values), weights)


def accuracy(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How many of the predictions equal the labels, as a part of all.

    Args:
      labels, predictions: of one shape.
      weights: how much each counts; their shape broadcasts.
      metrics_collections, updates_collections: accepted.
      name: the scope of its Variables.
    Returns: the value, and the operation that adds a batch, which gives the new value.
    Raises:
      RuntimeError: where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     value, update = tf.compat.v1.metrics.accuracy([1, 0], [1, 1])
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     print(session.run(update), session.run(value))
    0.5 0.5
    """
    _checked("accuracy")
    known, found = _alike(labels, predictions)
    return _mean(name or "accuracy", m.equal(found, cast(known, found.dtype)), weights)


def mean_absolute_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How far predictions are from labels, on average.

    Args:
      labels, predictions: of one shape.
      weights, metrics_collections, updates_collections, name: as of `mean`.
    Returns: the value, and the operation that adds a batch, which gives the new value.

    >>> with tf.Graph().as_default():
    ...     len(tf.compat.v1.metrics.mean_absolute_error([1.0, 2.0], [1.0, 4.0]))
    2
    """
    _checked("mean_absolute_error")
    known, found = _alike(labels, predictions)
    return _mean(name or "mean_absolute_error", m.abs(found - known), weights)


def mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The squares of how far predictions are from labels, on average.

    Args:
      labels, predictions: of one shape.
      weights, metrics_collections, updates_collections, name: as of `mean`.
    Returns: the value, and the operation that adds a batch, which gives the new value.

    >>> with tf.Graph().as_default():
    ...     len(tf.compat.v1.metrics.mean_squared_error([1.0, 2.0], [1.0, 4.0]))
    2
    """
    _checked("mean_squared_error")
    known, found = _alike(labels, predictions)
    return _mean(name or "mean_squared_error", m.square(found - known), weights)


def root_mean_squared_error(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """The root of `mean_squared_error`.

    Args:
      labels, predictions: of one shape.
      weights, metrics_collections, updates_collections, name: as of `mean`.
    Returns: the value, and the operation that adds a batch, which gives the new value.

    >>> with tf.Graph().as_default():
    ...     len(tf.compat.v1.metrics.root_mean_squared_error([1.0, 2.0], [1.0, 4.0]))
    2
    """
    _checked("root_mean_squared_error")
    value, update = mean_squared_error(labels, predictions, weights, name=name or "root_mean_squared_error")
    return m.sqrt(value), m.sqrt(update)


def _shares(
    name: str, labels: TensorLike, predictions: TensorLike, weights: TensorLike | None, of_labels: bool
) -> Metric:
    known, found = (cast(x, bool_) for x in _alike(labels, predictions))
    with variable_scope(name):
        right = _local("true_positives/count")
        other = _local("false_negatives/count" if of_labels else "false_positives/count")
        wrong = m.logical_and(known, m.logical_not(found)) if of_labels else m.logical_and(m.logical_not(known), found)
        hits, _ = _weighed(cast(m.logical_and(known, found), float32), weights)
        misses, _ = _weighed(cast(wrong, float32), weights)
        now = m.divide_no_nan(operand(right), operand(right) + operand(other))
        new = operand(right.assign_add(reductions.reduce_sum(hits)))
        return now, m.divide_no_nan(new, new + operand(other.assign_add(reductions.reduce_sum(misses))))


def precision(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How many of what was predicted is so.

    Args:
      labels, predictions: of one shape, True or not zero for what is so.
      weights, metrics_collections, updates_collections, name: as of `mean`.
    Returns: the value, and the operation that adds a batch, which gives the new value.

    >>> with tf.Graph().as_default():
    ...     len(tf.compat.v1.metrics.precision([1, 0], [1, 1]))
    2
    """
    _checked("precision")
    return _shares(name or "precision", labels, predictions, weights, False)


def recall(
    labels: TensorLike, predictions: TensorLike, weights: TensorLike | None = None, metrics_collections: Names = None,
    updates_collections: Names = None, name: str | None = None,
) -> Metric:  # fmt: skip
    """How many of what is so was predicted.

    Args:
      labels, predictions: of one shape, True or not zero for what is so.
      weights, metrics_collections, updates_collections, name: as of `mean`.
    Returns: the value, and the operation that adds a batch, which gives the new value.

    >>> with tf.Graph().as_default():
    ...     len(tf.compat.v1.metrics.recall([1, 0], [1, 1]))
    2
    """
    _checked("recall")
    return _shares(name or "recall", labels, predictions, weights, True)
