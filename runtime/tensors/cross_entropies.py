"""How far predictions are from what was to be predicted, by TensorFlow's names."""

from __future__ import annotations

import math

from runtime.graph import shapes
from runtime.graph.shapes import show
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.activations import floating, log_softmax
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.making import like_shape, range
from runtime.tensors.shaping import expand_dims, require, reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import SizeLike, TensorLike


def l2_loss(t: TensorLike, name: str | None = None) -> Tensor:
    """Half the sum of the squares of all elements.

    Args:
      t: a tensor of any shape, of floats.
    Returns: a tensor of shape () and of the dtype of `t`.

    >>> print(tf.nn.l2_loss([3.0, 4.0]))
    tf.Tensor(12.5, shape=(), dtype=float32)
    """
    return reductions.reduce_sum(m.square(operand(t))) / 2


def softmax_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, axis: int = -1, name: str | None = None
) -> Tensor:
    """How far predicted probabilities, given as logits, are from others: ``-sum(labels * log_softmax(logits))``.

    Args:
      labels: the probabilities, a tensor of the shape of `logits`; a probability of 0 counts nothing.
      logits: a tensor of rank 1 or more, of floats.
      axis: the axis of the classes, the last by default.
    Returns: a tensor of the other axes, of the dtype of `logits`.
    Raises:
      ValueError: if the shapes do not go together, or there is no such axis.

    >>> loss = tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[2.0, 2.0]])
    >>> print(loss.numpy().round(3))
    [0.693]
    """
    x = floating(logits)
    p = cast(operand(labels), x.dtype)
    logs = log_softmax(x, axis)
    none = p == 0
    return -reductions.reduce_sum(m.where(none, p * 0, p * m.where(none, logs * 0, logs)), axis)


def sparse_softmax_cross_entropy_with_logits(labels: TensorLike, logits: TensorLike, name: str | None = None) -> Tensor:
    """The same for classes that are certain, told by their numbers: ``-log_softmax(logits)[label]``.

    Args:
      labels: the number of the class for each row of logits, integers of shape [d1, ..., dr].
      logits: of shape [d1, ..., dr, classes], of floats.
    Returns: a tensor of the shape of `labels`, of the dtype of `logits`.
    Raises:
      TypeError: if the labels are not integers.
      ValueError: if the shapes do not fit.
      InvalidArgumentError: if a label is not the number of a class, when it is run.

    >>> loss = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=[1, 0], logits=[[2.0, 2.0], [9.0, -9.0]])
    >>> print(loss.numpy().round(3))
    [0.693 0.   ]
    """
    classes, x = operand(labels), floating(logits)
    function = "sparse_softmax_cross_entropy_with_logits"
    if not classes.dtype.is_integer:
        raise TypeError(
            f"{function}: labels are the numbers of classes, integers, not {classes.dtype.name}; for probabilities "
            "there is softmax_cross_entropy_with_logits"
        )
    given, wanted = classes.type.shape, x.type.shape
    if given is None or wanted is None:
        raise ValueError(
            f"{function} needs tensors whose ranks are known: say them with tf.ensure_shape(x, [None, ...])"
        )
    apart = [a != b for a, b in zip(given, wanted) if isinstance(a, int) and isinstance(b, int)]
    if len(given) != len(wanted) - 1 or any(apart):
        raise ValueError(
            f"{function} of labels {show(given)} and logits {show(wanted)}: labels have the shape of the logits "
            "without the last axis"
        )
    if any(not isinstance(a, int) and a != b for a, b in zip(given, wanted)):
        fits = reductions.reduce_all(m.equal(shape(classes), shape(x)[:-1]))
        require(fits, f"{function}: labels do not have the shape of the logits", shape(classes), shape(x))
    rows, flat = x, classes
    if len(given) != 1:
        count = shapes.product(given) if shapes.is_known(given) else -1
        rows, flat = reshape(x, [count, x.shape[-1]]), reshape(classes, [-1])
    size = rows.shape[-1]
    inside = reductions.reduce_all(m.logical_and(flat >= 0, flat < size))
    require(inside, f"{function}: a label is not the number of one of the {size} classes", flat)
    chosen = rows[range(rows.shape[0]), flat]
    loss = reductions.reduce_logsumexp(rows, -1) - chosen
    return loss if len(given) == 1 else reshape(loss, like_shape(classes))


def sigmoid_cross_entropy_with_logits(labels: TensorLike, logits: TensorLike, name: str | None = None) -> Tensor:
    """How far independent probabilities, predicted as logits, are from others: element by element.

    It is ``-labels * log(sigmoid(x)) - (1 - labels) * log(1 - sigmoid(x))``, computed without overflow.

    Args:
      labels: probabilities, a tensor of the shape of `logits`.
      logits: a tensor of any shape, of floats.
    Returns: a tensor of the same shape and of the dtype to which both promote.
    Raises:
      ValueError: if the shapes differ.

    >>> loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, 100.0])
    >>> print(loss.numpy().round(3))
    [  0.693 100.   ]
    """
    p, x = promote([labels, logits])
    _same_shape("sigmoid_cross_entropy_with_logits", p, x)
    return m.softplus(x) - x * p


def weighted_cross_entropy_with_logits(
    labels: TensorLike, logits: TensorLike, pos_weight: TensorLike, name: str | None = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits`, where a probability that was to be 1 weighs more or less than the others.

    It is ``-pos_weight * labels * log(sigmoid(x)) - (1 - labels) * log(1 - sigmoid(x))``, computed without overflow.

    Args:
      labels: probabilities, a tensor of the shape of `logits`.
      logits: a tensor of any shape, of floats.
      pos_weight: the weight: a number, or a tensor that broadcasts.
    Returns: a tensor of the same shape and of the dtype to which all promote.
    Raises:
      ValueError: if the shapes differ.

    >>> loss = tf.nn.weighted_cross_entropy_with_logits(labels=[1.0, 0.0], logits=[0.0, 0.0], pos_weight=2.0)
    >>> print(loss.numpy().round(3))
    [1.386 0.693]
    """
    p, x, weight = promote([labels, logits, pos_weight])
    _same_shape("weighted_cross_entropy_with_logits", p, x)
    return (1 - p) * x + (1 + (weight - 1) * p) * m.softplus(-x)


def log_poisson_loss(
    targets: TensorLike, log_input: TensorLike, compute_full_loss: bool = False, name: str | None = None
) -> Tensor:
    """How unlikely counts of Poisson's distribution are, for predicted logarithms of its means.

    It is ``exp(log_input) - log_input * targets``, without what does not depend on the prediction.

    Args:
      targets: the counts, a tensor of the shape of `log_input`.
      log_input: the logarithms of the means, of floats.
      compute_full_loss: whether to add ``log(targets!)`` by Stirling's formula, where the count is more than 1.
    Returns: a tensor of the same shape and of the dtype to which both promote.
    Raises:
      ValueError: if the shapes differ.

    >>> print(tf.nn.log_poisson_loss(targets=[1.0, 3.0], log_input=[0.0, 1.0]).numpy().round(3))
    [ 1.    -0.282]
    """
    z, c = promote([targets, log_input])
    _same_shape("log_poisson_loss", z, c, "targets", "log_input")
    loss = m.exp(c) - c * z
    if not compute_full_loss:
        return loss
    few = z <= 1
    count = m.where(few, m.add(z * 0, 1), z)  # no logarithm of 0 there, nor in the gradient
    stirling = count * m.log(count) - count + 0.5 * m.log(2 * math.pi * count)
    return loss + m.where(few, z * 0, stirling)


def _same_shape(function: str, a: Tensor, b: Tensor, first: str = "labels", second: str = "logits") -> None:
    ours, theirs = a.type.shape, b.type.shape
    if ours is None or theirs is None:
        return
    apart = any(x != y for x, y in zip(ours, theirs) if isinstance(x, int) and isinstance(y, int))
    if len(ours) != len(theirs) or apart:
        raise ValueError(f"{function} of {first} {show(ours)} and {second} {show(theirs)}: they have one shape")
    if ours != theirs:
        same = reductions.reduce_all(m.equal(shape(a), shape(b)))
        require(same, f"{function}: {first} and {second} do not have one shape", shape(a), shape(b))


def in_top_k(targets: TensorLike, predictions: TensorLike, k: SizeLike, name: str | None = None) -> Tensor:
    """Whether the right class is among the `k` most likely ones, for each row of predictions.

    Classes that are as likely as the last of these count, too.

    Args:
      targets: the number of the right class for each row, integers of shape [batch].
      predictions: how likely each class is, of shape [batch, classes], of floats.
      k: how many classes, a number or a scalar.
    Returns: a tensor of shape [batch], of booleans; False for a class that does not exist, and where the prediction
      for the right one is not finite.
    Raises:
      ValueError: if the shapes do not fit.

    >>> print(tf.math.in_top_k([1, 2], [[0.1, 0.8, 0.1], [0.3, 0.6, 0.1]], k=1))
    tf.Tensor([ True False], shape=(2,), dtype=bool)
    """
    classes, x = operand(targets), operand(predictions)
    given, wanted = classes.type.shape, x.type.shape
    if given is None or wanted is None or len(given) != 1 or len(wanted) != 2:
        raise ValueError(
            f"in_top_k of targets {show(given)} and predictions {show(wanted)}: they are of shape [batch] and "
            "[batch, classes]"
        )
    if isinstance(given[0], int) and isinstance(wanted[0], int) and given[0] != wanted[0]:
        raise ValueError(f"in_top_k of {given[0]} targets and {wanted[0]} rows of predictions")
    if given[0] != wanted[0]:
        require(shape(classes)[0] == shape(x)[0], "in_top_k: there is not one target for each row of predictions")
    size = x.shape[1]
    exists = m.logical_and(classes >= 0, classes < size)
    safe = m.where(exists, classes, classes * 0)
    right = x[range(x.shape[0]), safe]
    better = reductions.reduce_sum(cast(x > expand_dims(right, 1), "int32"), 1)
    return m.logical_and(m.logical_and(exists, m.is_finite(right)), better < k)
