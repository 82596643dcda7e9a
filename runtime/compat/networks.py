"""``nn`` of TensorFlow 1: functions whose arguments have other names, orders or meanings."""

from __future__ import annotations

from typing import Any

from runtime.compat.older import _one_of
from runtime.gradients.custom import stop_gradient
from runtime.tensors import (
    activations,
    convolutions,
    cross_entropies as losses,
    mathematics as m,
    normalisation,
    pooling,
    products,
)
from runtime.tensors.conversion import operand
from runtime.tensors.making import like_shape
from runtime.tensors.parts import gather
from runtime.tensors.shaping import concat
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, ShapeLike, SizeLike, TensorLike
from runtime.tensors.windows import NumbersLike, PaddingLike


def _both(function: str, labels: TensorLike | None, logits: TensorLike | None) -> tuple[TensorLike, TensorLike]:
    if labels is None or logits is None:
        raise ValueError(f"Both `labels` and `logits` must be provided for {function}.")
    return labels, logits


def softmax_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, dim: int = -1, name: str | None = None,
    axis: int | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.softmax_cross_entropy_with_logits`, without a gradient for the labels.

    Args:
      labels: probabilities, of shape [..., classes].
      logits: what `softmax` makes probabilities of, of the same shape.
      dim, axis: the axis of the classes.
    Returns: a tensor of the other axes.
    Raises:
      ValueError: if one of them is missing.

    >>> print(tf.compat.v1.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[0.0, 0.0]]).numpy())
    [0.6931472]
    """
    known, given = _both("softmax_cross_entropy_with_logits", labels, logits)
    return losses.softmax_cross_entropy_with_logits(stop_gradient(known), given, dim if axis is None else axis)


def softmax_cross_entropy_with_logits_v2(
    labels: TensorLike, logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None
) -> Tensor:
    """`tf.nn.softmax_cross_entropy_with_logits`, with a gradient for the labels, too.

    Args:
      labels: probabilities, of shape [..., classes].
      logits: what `softmax` makes probabilities of, of the same shape.
      axis, dim: the axis of the classes, the last by default.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.nn.softmax_cross_entropy_with_logits_v2([[0.0, 1.0]], [[0.0, 0.0]]).numpy())
    [0.6931472]
    """
    found = _one_of("softmax_cross_entropy_with_logits_v2", axis=axis, dim=dim)
    return losses.softmax_cross_entropy_with_logits(labels, logits, -1 if found is None else found)


def sparse_softmax_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """`tf.nn.sparse_softmax_cross_entropy_with_logits`, whose arguments have names.

    Args:
      labels: the numbers of classes.
      logits: what `softmax` makes probabilities of, with one more axis.
    Returns: a tensor of the shape of `labels`.
    Raises:
      ValueError: if one of them is missing.

    >>> print(tf.compat.v1.nn.sparse_softmax_cross_entropy_with_logits(labels=[1], logits=[[0.0, 0.0]]).numpy())
    [0.6931472]
    """
    known, given = _both("sparse_softmax_cross_entropy_with_logits", labels, logits)
    return losses.sparse_softmax_cross_entropy_with_logits(known, given)


def sigmoid_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """`tf.nn.sigmoid_cross_entropy_with_logits`, whose arguments have names.

    Args:
      labels: probabilities, of any shape.
      logits: what `sigmoid` makes probabilities of, of the same shape.
    Returns: a tensor of their shape.
    Raises:
      ValueError: if one of them is missing.

    >>> print(tf.compat.v1.nn.sigmoid_cross_entropy_with_logits(labels=[1.0], logits=[0.0]).numpy())
    [0.6931472]
    """
    known, given = _both("sigmoid_cross_entropy_with_logits", labels, logits)
    return losses.sigmoid_cross_entropy_with_logits(known, given)


def weighted_cross_entropy_with_logits(
    labels: TensorLike | None = None, logits: TensorLike | None = None, pos_weight: TensorLike | None = None,
    name: str | None = None, targets: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.weighted_cross_entropy_with_logits`, whose labels may be called `targets`.

    Args:
      labels, targets: probabilities, of any shape.
      logits: what `sigmoid` makes probabilities of, of the same shape.
      pos_weight: how much a probability weighs that was to be 1.
    Returns: a tensor of their shape.

    >>> print(tf.compat.v1.nn.weighted_cross_entropy_with_logits(targets=[1.0], logits=[0.0], pos_weight=2.0).numpy())
    [1.3862944]
    """
    known = _one_of("weighted_cross_entropy_with_logits", labels=labels, targets=targets)
    return losses.weighted_cross_entropy_with_logits(known, logits, pos_weight)  # type: ignore[arg-type]


def in_top_k(predictions: TensorLike, targets: TensorLike, k: SizeLike, name: str | None = None) -> Tensor:
    """`tf.nn.in_top_k`, with the predictions first.

    Args:
      predictions: of shape [batch, classes].
      targets: the numbers of classes, of shape [batch].
      k: how many classes count.
    Returns: booleans of shape [batch].

    >>> print(tf.compat.v1.nn.in_top_k([[0.1, 0.9]], [1], 1).numpy())
    [ True]
    """
    return losses.in_top_k(targets, predictions, k)


def softmax(logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None) -> Tensor:
    """`tf.nn.softmax`, whose axis may be called `dim`.

    Args:
      logits: floats of any shape.
      axis, dim: the axis, the last by default.
    Returns: a tensor of the same shape.

    >>> print(tf.compat.v1.nn.softmax([0.0, 0.0], dim=-1).numpy())
    [0.5 0.5]
    """
    return activations.softmax(logits, _one_of("softmax", axis=axis, dim=dim))


def log_softmax(logits: TensorLike, axis: int | None = None, name: str | None = None, dim: int | None = None) -> Tensor:
    """`tf.nn.log_softmax`, whose axis may be called `dim`.

    Args:
      logits: floats of any shape.
      axis, dim: the axis, the last by default.
    Returns: a tensor of the same shape.

    >>> print(tf.compat.v1.nn.log_softmax([0.0, 0.0], dim=-1).numpy())
    [-0.6931472 -0.6931472]
    """
    return activations.log_softmax(logits, _one_of("log_softmax", axis=axis, dim=dim))


def l2_normalize(
    x: TensorLike, axis: AxisLike = None, epsilon: float = 1e-12, name: str | None = None, dim: AxisLike = None
) -> Tensor:
    """`tf.nn.l2_normalize`, whose axis may be called `dim`.

    Args:
      x: floats of any shape.
      axis, dim: the axis, or several.
      epsilon: what the square of the length is at least.
    Returns: a tensor of the same shape.

    >>> print(tf.compat.v1.nn.l2_normalize([3.0, 4.0], dim=0).numpy())
    [0.6 0.8]
    """
    return normalisation.l2_normalize(x, _one_of("l2_normalize", axis=axis, dim=dim), epsilon)


def dropout(
    x: TensorLike, keep_prob: TensorLike | None = None, noise_shape: ShapeLike | None = None, seed: int | None = None,
    name: str | None = None, rate: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.dropout`, which may be told how likely an element is to stay.

    Args:
      x: floats of any shape.
      keep_prob: how likely an element is to stay.
      noise_shape: the shape of what is drawn.
      seed: what decides the draws.
      rate: how likely an element is to become 0.
    Returns: a tensor of the same shape.
    Raises:
      ValueError: for both of `keep_prob` and `rate`, or none.

    >>> print(tf.compat.v1.nn.dropout([1.0, 2.0], keep_prob=1.0).numpy())
    [1. 2.]
    """
    if (keep_prob is None) == (rate is None):
        raise ValueError("You must provide a rate to dropout: one of keep_prob and rate.")
    known: Any = rate if keep_prob is None else 1 - keep_prob  # type: ignore[operator]
    return normalisation.dropout(x, known, noise_shape, seed)


def moments(
    x: TensorLike, axes: AxisLike, shift: TensorLike | None = None, name: str | None = None,
    keep_dims: bool | None = None, keepdims: bool | None = None,
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """`tf.nn.moments`, of which `keepdims` may be called `keep_dims`.

    Args:
      x: floats of rank 1 or more.
      axes: the axes.
      shift: accepted.
      keep_dims, keepdims: whether the axes stay, with size 1.
    Returns: the mean and the variance.

    >>> [float(part) for part in tf.compat.v1.nn.moments(tf.constant([1.0, 3.0]), [0])]
    [2.0, 1.0]
    """
    return normalisation.moments(x, axes, keepdims=bool(_one_of("moments", keep_dims=keep_dims, keepdims=keepdims)))


def embedding_lookup(
    params: Any, ids: TensorLike, partition_strategy: str = "mod", name: str | None = None,
    validate_indices: bool = True, max_norm: float | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.embedding_lookup`; of a list of tables the rows are dealt out in turn, unless it is said otherwise.

    Args:
      params: the table, of shape [n, ...], or a list of its parts.
      ids: the numbers of rows, of any shape.
      partition_strategy: ``"mod"`` if row i is in the part ``i % parts``, ``"div"`` if the parts follow each other.
      validate_indices: accepted.
      max_norm: how long a row may be.
    Returns: a tensor of the shape of `ids`, then that of a row.
    Raises:
      ValueError: for another strategy.

    >>> print(tf.compat.v1.nn.embedding_lookup([[1.0, 2.0], [3.0, 4.0]], [1, 2]).numpy())
    [3. 2.]
    """
    if partition_strategy not in ("mod", "div"):
        raise ValueError(f"Unrecognized partition strategy: {partition_strategy}")
    if not isinstance(params, list | tuple) or len(params) == 1 or partition_strategy == "div":
        return normalisation.embedding_lookup(params, ids, max_norm)
    parts, numbers = [operand(part) for part in params], operand(ids)
    first, before = [], 0
    for part in parts:  # where each begins in the table of all
        first.append(before)
        before = before + like_shape(part)[0]
    places = gather(operand(first), numbers % len(parts)) + numbers // len(parts)
    return normalisation.embedding_lookup(concat(parts, 0), places, max_norm)


def xw_plus_b(x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None) -> Tensor:
    """``matmul(x, weights) + biases``.

    Args:
      x: of shape [batch, in].
      weights: of shape [in, out].
      biases: of shape [out].
    Returns: a tensor of shape [batch, out].

    >>> print(tf.compat.v1.nn.xw_plus_b([[1.0, 2.0]], [[1.0], [2.0]], [1.0]).numpy())
    [[6.]]
    """
    return m.add(products.matmul(x, weights), biases)


def relu_layer(x: TensorLike, weights: TensorLike, biases: TensorLike, name: str | None = None) -> Tensor:
    """``relu(matmul(x, weights) + biases)``.

    Args:
      x: of shape [batch, in].
      weights: of shape [in, out].
      biases: of shape [out].
    Returns: a tensor of shape [batch, out].

    >>> print(tf.compat.v1.nn.relu_layer([[1.0, 2.0]], [[1.0], [2.0]], [-9.0]).numpy())
    [[0.]]
    """
    return activations.relu(xw_plus_b(x, weights, biases))


def conv2d(
    input: TensorLike, filter: TensorLike | None = None, strides: NumbersLike = 1, padding: PaddingLike = "VALID",
    use_cudnn_on_gpu: bool = True, data_format: str = "NHWC", dilations: NumbersLike | None = None,
    name: str | None = None, filters: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.conv2d`, whose filters may be called `filter`.

    Args:
      input: images, of shape [batch, height, width, channels].
      filter, filters: of shape [height, width, channels, out].
      strides, padding, data_format, dilations: as there.
      use_cudnn_on_gpu: accepted.
    Returns: images of `out` channels.

    >>> tf.compat.v1.nn.conv2d(tf.ones([1, 4, 4, 1]), filter=tf.ones([2, 2, 1, 1]), strides=[1, 1, 1, 1]).shape
    TensorShape([1, 3, 3, 1])
    """
    found = _one_of("conv2d", filter=filter, filters=filters)
    return convolutions.conv2d(input, found, strides, padding, data_format, dilations)


def max_pool(
    value: TensorLike | None, ksize: NumbersLike, strides: NumbersLike, padding: PaddingLike,
    data_format: str | None = "NHWC", name: str | None = None, input: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.max_pool`, whose images may be called `value`.

    Args:
      value, input: images, of shape [batch, height, width, channels].
      ksize, strides, padding, data_format: as there.
    Returns: smaller images.

    >>> tf.compat.v1.nn.max_pool(tf.ones([1, 4, 4, 1]), [1, 2, 2, 1], [1, 2, 2, 1], "SAME").shape
    TensorShape([1, 2, 2, 1])
    """
    return pooling.max_pool(_one_of("max_pool", value=value, input=input), ksize, strides, padding, data_format)


def avg_pool(
    value: TensorLike | None, ksize: NumbersLike, strides: NumbersLike, padding: PaddingLike,
    data_format: str | None = "NHWC", name: str | None = None, input: TensorLike | None = None,
) -> Tensor:  # fmt: skip
    """`tf.nn.avg_pool`, whose images may be called `value`.

    Args:
      value, input: images, of shape [batch, height, width, channels].
      ksize, strides, padding, data_format: as there.
    Returns: smaller images.

    >>> tf.compat.v1.nn.avg_pool(tf.ones([1, 4, 4, 1]), [1, 2, 2, 1], [1, 2, 2, 1], "SAME").shape
    TensorShape([1, 2, 2, 1])
    """
    return pooling.avg_pool(_one_of("avg_pool", value=value, input=input), ksize, strides, padding, data_format)
