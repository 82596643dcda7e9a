"""Moments with weights, and in parts; losses as means of a batch; numbers divided by those beside them."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from runtime.tensors import mathematics as m, reductions as r
from runtime.tensors.activations import floating
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import like_shape
from runtime.tensors.parts import pad
from runtime.tensors.shaping import broadcast_to, shape, stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, SizeLike, TensorLike


def local_response_normalization(
    input: TensorLike,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Numbers divided by a power of the sum of squares of the channels around theirs.

    Args:
      input: floats of shape [..., channels].
      depth_radius: how many channels on each side count.
      bias: what is added to ``alpha`` times the sum.
      alpha: what the sum is multiplied by.
      beta: the exponent.
    Returns: a tensor of the shape and dtype of `input`.

    >>> print(tf.nn.local_response_normalization([[[[3.0, 4.0]]]], depth_radius=1, bias=0.0).numpy())
    [[[[0.6 0.8]]]]
    """
    x = floating(input)
    around = pad(m.square(x), [*[[0, 0]] * (len(x.shape) - 1), [depth_radius, depth_radius]])
    channels = like_shape(x)[-1]
    sums = functools.reduce(m.add, (around[..., k : k + channels] for k in range(2 * depth_radius + 1)))
    return m.divide(x, m.pow(bias + alpha * sums, cast(beta, x.dtype)))


def weighted_moments(
    x: TensorLike,
    axes: AxisLike,
    frequency_weights: TensorLike,
    keepdims: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes, of numbers that count for more or less.

    Args:
      x: floats of any shape.
      axes: the axes along which they are taken.
      frequency_weights: how often each number counts, of a shape that broadcasts to that of `x`.
      keepdims: whether the axes stay, with size 1.
    Returns: two tensors of the other axes.

    >>> mean, variance = tf.nn.weighted_moments([1.0, 4.0], [0], [2.0, 1.0])
    >>> print(mean.numpy(), variance.numpy())
    2.0 2.0
    """
    values, weights = floating(x), floating(frequency_weights)
    whole = broadcast_to(weights, shape(values * weights))
    total = r.reduce_sum(whole, axes, keepdims=True)
    mean = r.reduce_sum(values * whole, axes, keepdims=True) / total
    variance = r.reduce_sum(m.square(values - mean) * whole, axes, keepdims=True) / total
    if keepdims:
        return mean, variance
    return r.reduce_sum(mean, axes), r.reduce_sum(variance, axes)


def sufficient_statistics(
    x: TensorLike, axes: Sequence[int], shift: TensorLike | None = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """What moments along axes are computed of.

    Args:
      x: floats of any shape.
      axes: the axes along which they are taken.
      shift: a number near the mean, which makes the variance more exact; None for none.
      keepdims: whether the axes stay, with size 1.
    Returns: how many numbers there are, of shape (); the sums of the numbers and of their squares, less `shift`, of
      the other axes; and `shift`, as a tensor.

    >>> count, total, squares, _ = tf.nn.sufficient_statistics([1.0, 3.0], [0])
    >>> print(count.numpy(), total.numpy(), squares.numpy())
    2.0 4.0 10.0
    """
    values = floating(x)
    sizes = shape(values)
    count = cast(r.reduce_prod(stack([sizes[axis] for axis in axes])), values.dtype)
    near = None if shift is None else operand(shift)
    moved = values if near is None else values - near
    sums = (r.reduce_sum(part, axes, keepdims=keepdims) for part in (moved, m.square(moved)))
    return (count, *sums, near)  # type: ignore[return-value]


def normalize_moments(
    counts: TensorLike,
    mean_ss: TensorLike,
    variance_ss: TensorLike,
    shift: TensorLike | None,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The mean and the variance, by what `sufficient_statistics` gave.

    Args:
      counts, mean_ss, variance_ss, shift: what that gave, or sums of it.
    Returns: two tensors of the shape of `mean_ss`.

    >>> mean, variance = tf.nn.normalize_moments(*tf.nn.sufficient_statistics([1.0, 3.0], [0]))
    >>> print(mean.numpy(), variance.numpy())
    2.0 1.0
    """
    moved = m.divide(mean_ss, counts)
    variance = m.divide(variance_ss, counts) - m.square(moved)
    return (moved if shift is None else moved + operand(shift)), variance


def compute_average_loss(
    per_example_loss: TensorLike, sample_weight: TensorLike | None = None, global_batch_size: SizeLike | None = None
) -> Tensor:
    """The mean of the losses of a batch.

    Args:
      per_example_loss: floats of any shape, the first axis being that of the examples.
      sample_weight: what each counts for, of the same shape.
      global_batch_size: how many examples there are, those of `per_example_loss` by default.
    Returns: a tensor of shape ().

    >>> print(tf.nn.compute_average_loss([1.0, 3.0], global_batch_size=8).numpy())
    0.5
    """
    losses = floating(per_example_loss)
    if sample_weight is not None:
        losses = losses * cast(operand(sample_weight), losses.dtype)
    count = like_shape(losses)[0] if global_batch_size is None else operand(global_batch_size)
    return r.reduce_sum(losses) / cast(count, losses.dtype)


def scale_regularization_loss(regularization_loss: TensorLike) -> Tensor:
    """The sum of what regularizers ask for; there is one processor to share it.

    Args:
      regularization_loss: floats of any shape.
    Returns: a tensor of shape ().

    >>> print(tf.nn.scale_regularization_loss([1.0, 3.0]).numpy())
    4.0
    """
    return r.reduce_sum(floating(regularization_loss))
