"""Random tensors, fresh at each run.

An operation with a seed of its own draws one sequence of numbers, which that seed and the one of `set_seed` decide:
each operation of a graph has its own, operations that run at once share that of their seed. `set_seed` starts all anew.
"""

from __future__ import annotations

import types as _types

from runtime.graph.dtypes import as_dtype, float32, int64
from runtime.ops import random as ops
from runtime.ops.random import set_seed
from runtime.tensors.conversion import operand
from runtime.tensors.drawing import drawn, stream_of
from runtime.tensors.generators import (
    Generator as Generator,
    fold_in as fold_in,
    get_global_generator as get_global_generator,
    set_global_generator as set_global_generator,
    split as split,
    stateless_categorical as stateless_categorical,
    stateless_normal as stateless_normal,
    stateless_shuffle as _stateless_shuffle,
    stateless_truncated_normal as stateless_truncated_normal,
    stateless_uniform as stateless_uniform,
)
from runtime.tensors.operations import apply
from runtime.tensors.shaping import not_negative
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, SizeLike, TensorLike

__all__ = [
    "Generator", "categorical", "experimental", "fold_in", "get_global_generator", "normal", "set_global_generator",
    "set_seed", "shuffle", "split", "stateless_categorical", "stateless_normal", "stateless_truncated_normal",
    "stateless_uniform", "truncated_normal", "uniform",
]  # fmt: skip


def normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from a normal distribution, fresh at each run.

    Args:
      shape: the shape of the result.
      mean, stddev: the mean and the standard deviation: scalars, or tensors that broadcast to the shape.
      dtype: the dtype of the result, one of floats; float32 by default.
      seed: what decides, with that of `set_seed`, which numbers come.
    Returns: a tensor of this shape and dtype.

    >>> x = tf.random.normal([1000], mean=5.0, seed=1)
    >>> abs(float(tf.reduce_mean(x)) - 5) < 0.2
    True
    """
    return drawn(ops.normal, mean, stddev, shape, dtype, seed)


def truncated_normal(
    shape: ShapeLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normal numbers within two standard deviations of the mean, fresh at each run.

    Args:
      shape: the shape of the result.
      mean, stddev: the mean and the standard deviation: scalars, or tensors that broadcast to the shape.
      dtype: the dtype of the result, one of floats; float32 by default.
      seed: what decides, with that of `set_seed`, which numbers come.
    Returns: a tensor of this shape and dtype.

    >>> x = tf.random.truncated_normal([1000], seed=1)
    >>> float(tf.reduce_max(tf.abs(x))) <= 2
    True
    """
    return drawn(ops.truncated_normal, mean, stddev, shape, dtype, seed)


def uniform(
    shape: ShapeLike,
    minval: TensorLike = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Numbers from an interval, all as likely, fresh at each run.

    Args:
      shape: the shape of the result.
      minval, maxval: the ends of the interval, of which the second is not drawn; 0 and 1 by default.
      dtype: the dtype of the result, of floats or integers; float32 by default.
      seed: what decides, with that of `set_seed`, which numbers come.
    Returns: a tensor of this shape and dtype.
    Raises:
      ValueError: for an integer dtype without `maxval`.

    >>> dice = tf.random.uniform([1000], 1, 7, dtype=tf.int32, seed=1)
    >>> tf.unique(tf.sort(dice))[0].numpy().tolist()
    [1, 2, 3, 4, 5, 6]
    """
    kind = as_dtype(dtype)
    if maxval is None:
        if kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        maxval = 1
    return drawn(ops.uniform, minval, maxval, shape, kind, seed)


def shuffle(value: TensorLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """The parts of a tensor along its first axis in random order, another at each run.

    Args:
      value: a tensor of rank 1 or more.
      seed: what decides, with that of `set_seed`, which order it is.
    Returns: a tensor of the shape and dtype of `value`.

    >>> print(tf.sort(tf.random.shuffle([1, 2, 3])))
    tf.Tensor([1 2 3], shape=(3,), dtype=int32)
    """
    return apply(ops.shuffle, operand(value), stream=stream_of(seed))


def categorical(
    logits: TensorLike,
    num_samples: SizeLike,
    dtype: DTypeLike | None = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Classes drawn with the probabilities ``softmax(logits)``, fresh at each run.

    Args:
      logits: a tensor of shape [batch, classes], of floats.
      num_samples: how many are drawn for each row, known while tracing.
      dtype: the dtype of the result, int64 by default.
      seed: what decides, with that of `set_seed`, which classes come.
    Returns: a tensor of shape [batch, num_samples], of numbers in [0, classes).

    >>> print(tf.random.categorical([[0.0, 100.0], [100.0, 0.0]], 3))
    tf.Tensor(
    [[1 1 1]
     [0 0 0]], shape=(2, 3), dtype=int64)
    """
    return apply(
        ops.categorical,
        operand(logits),
        count=not_negative(num_samples, "categorical", "num_samples"),
        dtype=as_dtype(dtype or int64),
        stream=stream_of(seed),
    )


# What also has a name that says it may change.
experimental = _types.SimpleNamespace(
    Generator=Generator,
    get_global_generator=get_global_generator,
    set_global_generator=set_global_generator,
    stateless_fold_in=fold_in,
    stateless_shuffle=_stateless_shuffle,
    stateless_split=split,
)
