"""Moments, normalisation, dropout and embeddings, by TensorFlow's names."""

from __future__ import annotations

import numpy as np

from runtime.graph.dtypes import float32
from runtime.ops import random as random_ops
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.activations import floating
from runtime.tensors.composites import Formed, with_forms
from runtime.tensors.conversion import cast, operand, promote, static_value
from runtime.tensors.drawing import drawn
from runtime.tensors.making import like_shape
from runtime.tensors.parts import gather
from runtime.tensors.shaping import concat, require
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, ShapeLike, TensorLike


def moments(
    x: TensorLike, axes: AxisLike, shift: TensorLike | None = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance along axes.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axes: the axes along which they are taken: for `batch_normalization` all but that of the channels.
      shift: accepted; the numbers are shifted by their mean in any case.
      keepdims: whether the axes stay, with size 1.
    Returns: two tensors of the other axes, of the dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> mean, variance = tf.nn.moments([[1.0, 2.0], [3.0, 6.0]], axes=[0])
    >>> print(mean.numpy(), variance.numpy())
    [2. 4.] [1. 4.]
    """
    values = floating(x)
    mean = reductions.reduce_mean(values, axes, keepdims=True)
    variance = reductions.reduce_mean(m.square(values - mean), axes, keepdims=keepdims)
    return mean if keepdims else reductions.reduce_mean(values, axes), variance


def batch_normalization(
    x: TensorLike, mean: TensorLike, variance: TensorLike, offset: TensorLike | None, scale: TensorLike | None,
    variance_epsilon: float, name: str | None = None,
) -> Tensor:  # fmt: skip
    """``(x - mean) / sqrt(variance + variance_epsilon) * scale + offset``.

    Args:
      x: a tensor of any shape, of floats.
      mean, variance: what `moments` gives, or averages of it: tensors whose shapes broadcast to that of `x`.
      offset: what is added, of such a shape, too; nothing for None.
      scale: what it is multiplied by; nothing for None.
      variance_epsilon: a small number that keeps away from divisions by 0.
    Returns: a tensor of the shape to which all broadcast and of the dtype to which they promote.
    Raises:
      ValueError: if the shapes do not go together.

    >>> x = tf.constant([[1.0, 2.0], [3.0, 6.0]])
    >>> mean, variance = tf.nn.moments(x, axes=[0])
    >>> print(tf.nn.batch_normalization(x, mean, variance, offset=None, scale=2.0, variance_epsilon=0.0))
    tf.Tensor(
    [[-2. -2.]
     [ 2.  2.]], shape=(2, 2), dtype=float32)
    """
    values, middle, spread = promote([floating(x), mean, variance])
    factor = m.rsqrt(spread + variance_epsilon)
    if scale is not None:
        factor = m.multiply(factor, scale)
    moved = m.multiply(values - middle, factor)
    return moved if offset is None else m.add(moved, offset)


def l2_normalize(x: TensorLike, axis: AxisLike = None, epsilon: float = 1e-12, name: str | None = None) -> Tensor:
    """Vectors of length 1: ``x / sqrt(max(sum(x ** 2), epsilon))``.

    Args:
      x: a tensor of any shape, of floats.
      axis: the axis along which the vectors lie, or several; all elements are one vector by default.
      epsilon: below it the sum is taken for it, so that a vector of zeros stays one.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.math.l2_normalize([3.0, 4.0]))
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    """
    values = floating(x)
    size = m.abs(values) if values.dtype.is_complex else values
    total = reductions.reduce_sum(m.square(size), axis, keepdims=True)
    return m.multiply(values, m.rsqrt(m.maximum(total, epsilon)))


def zero_fraction(value: TensorLike, name: str | None = None) -> Tensor:
    """How many of the elements are 0, as a part of all: NaN where there is none.

    Args:
      value: a tensor of any shape, of numbers.
    Returns: a scalar, float32.

    >>> print(tf.nn.zero_fraction([0, 5, 0, 0]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """
    return reductions.reduce_mean(cast(m.equal(operand(value), 0), float32))


@with_forms
def dropout(
    x: TensorLike, rate: TensorLike, noise_shape: ShapeLike | None = None, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The elements that a draw leaves, and 0 for the others; those that stay grow, so that their sum does on average.

    Args:
      x: a tensor of any shape, of floats.
      rate: how likely each element is to become 0, in [0, 1): a number or a scalar.
      noise_shape: the shape of what is drawn, which broadcasts to that of `x`: along an axis of size 1 elements stay
        or go together. It is that of `x` by default.
      seed: what decides, with that of `set_seed`, which elements stay.
    Returns: a tensor of the shape and dtype of `x`: ``x / (1 - rate)``, or 0.
    Raises:
      ValueError: if `rate` is not in [0, 1), or `x` is not of floats.
      InvalidArgumentError: if only the run shows that `rate` is not.

    >>> x = tf.nn.dropout(tf.ones([1000]), rate=0.5, seed=1)
    >>> sorted(set(x.numpy().tolist())), 400 < float(tf.reduce_sum(x)) / 2 < 600
    ([0.0, 2.0], True)
    """
    values, share = operand(x), operand(np.float64(rate) if isinstance(rate, float) else rate)
    if not values.dtype.is_floating:
        raise ValueError(
            f"dropout of {values.dtype.name}: what stays is multiplied, so it takes floats; tf.cast(x, ...)"
        )
    if share.shape.rank not in (None, 0):
        raise ValueError(f"dropout with a rate of shape {share.shape}: it is one number")
    known = static_value(share)
    if known is not None and not 0 <= known < 1:
        raise ValueError(f"dropout with rate={known}: it is in [0, 1)")
    if known is None:
        require(m.logical_and(share >= 0, share < 1), "dropout: the rate is not in [0, 1)", share)
    if known is not None and known == 0:
        return values
    dims = like_shape(values) if noise_shape is None else noise_shape
    exact = float(known) if known is not None else cast(share, values.dtype)
    kept = drawn(random_ops.uniform, 0, 1, dims, values.dtype, seed) >= exact
    return m.where(kept, values * (1 / (1 - exact)), cast(0, values.dtype))


def embedding_lookup(
    params: TensorLike, ids: TensorLike, max_norm: float | None = None, name: str | None = None
) -> Tensor:
    """The rows of a table of embeddings, by their numbers.

    Args:
      params: the table, of shape [n, ...]: a Variable, or any tensor. A list holds its parts, one after another; so a
        table that is written as nested lists is given by `tf.constant`.
      ids: the numbers, integers of any shape.
      max_norm: how long a row may be: longer ones are made as long.
    Returns: a tensor of the shape of `ids`, then that of a row, and of the dtype of `params`.
    Raises:
      InvalidArgumentError: if a number is not that of a row, when it is run.

    >>> print(tf.nn.embedding_lookup(tf.constant([[1.0, 1.0], [3.0, 4.0]]), [1, 0, 1]))
    tf.Tensor(
    [[3. 4.]
     [1. 1.]
     [3. 4.]], shape=(3, 2), dtype=float32)
    >>> print(tf.nn.embedding_lookup([[[1.0, 1.0]], [[3.0, 4.0]]], [1], max_norm=1.0).numpy())
    [[0.6 0.8]]
    """
    if isinstance(ids, Formed):
        return ids.mapped(lambda numbers: embedding_lookup(params, numbers, max_norm))  # type: ignore[no-any-return]
    numbers = operand(ids)
    table = concat(params, 0) if isinstance(params, list | tuple) else params
    rows = gather(table, numbers)
    if max_norm is None:
        return rows
    if numbers.shape.rank is None or rows.shape.rank is None:
        raise ValueError(
            "embedding_lookup with max_norm needs tensors whose ranks are known: tf.ensure_shape tells them"
        )
    along = tuple(range(len(numbers.shape), len(rows.shape)))
    squares = reductions.reduce_sum(m.square(rows), along, keepdims=True)
    long = m.greater(squares, m.square(max_norm))
    squares = m.where(long, squares, 1.0)  # the root of 0 has no gradient
    return m.where(long, rows * (max_norm * m.rsqrt(squares)), rows)
