"""Functions that stand between the layers of neural networks, by TensorFlow's names."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.graph.dtypes import float32
from runtime.ops import elementwise as ew
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.composites import with_forms
from runtime.tensors.conversion import cast, operand
from runtime.tensors.operations import apply
from runtime.tensors.shaping import concat
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

# Of `selu`, for which a layer of standard normal numbers keeps its mean 0 and its variance 1.
_SELU_SCALE, _SELU_ALPHA = 1.0507009873554805, 1.6732632423543772


def floating(value: TensorLike) -> Tensor:
    """A value as a tensor of floats: of integers, those that NumPy's functions give."""
    x = operand(value)
    kind = ew.exp.rule(x.type).dtype
    return x if x.type.dtype == kind else cast(x, kind)


@with_forms
def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """``max(x, 0)``, element by element.

    Args:
      features: a tensor of any shape, of numbers.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.relu([-1.0, 0.0, 2.0]))
    tf.Tensor([0. 0. 2.], shape=(3,), dtype=float32)
    """
    return apply(ew.relu, operand(features))


@with_forms
def relu6(features: TensorLike, name: str | None = None) -> Tensor:
    """``min(max(x, 0), 6)``, element by element.

    Args:
      features: a tensor of any shape, of numbers.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.relu6([-1.0, 2.0, 9.0]))
    tf.Tensor([0. 2. 6.], shape=(3,), dtype=float32)
    """
    return m.minimum(6, relu(features))  # whose bound has no slope, as its other one


@with_forms
def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """Positive elements as they are, the others times `alpha`.

    Args:
      features: a tensor of any shape, of floats, or of integers, which become float32.
      alpha: the slope for negative numbers.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.leaky_relu([-1.0, 2.0], alpha=0.5))
    tf.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    x = operand(features)
    x = cast(x, float32) if x.dtype.is_integer else x
    return m.where(x > 0, x, x * alpha)


def crelu(features: TensorLike, axis: int = -1, name: str | None = None) -> Tensor:
    """`relu` of the numbers, and beside them that of their opposites.

    Args:
      features: a tensor of rank 1 or more, of numbers with a sign.
      axis: the axis along which both are put together.
    Returns: a tensor of the dtype of `features`, twice as long along the axis.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.nn.crelu([-1.0, 2.0]))
    tf.Tensor([0. 2. 1. 0.], shape=(4,), dtype=float32)
    """
    x = operand(features)
    return relu(concat([x, -x], axis))


def elu(features: TensorLike, name: str | None = None) -> Tensor:
    """Positive elements as they are, ``exp(x) - 1`` for the others.

    Args:
      features: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.elu([-1.0, 0.0, 2.0]).numpy().round(3))
    [-0.632  0.     2.   ]
    """
    x = floating(features)
    return m.where(x > 0, x, m.expm1(m.minimum(x, 0)))


def selu(features: TensorLike, name: str | None = None) -> Tensor:
    """`elu` with another slope on each side of zero, so that layers keep the mean 0 and the variance 1.

    Args:
      features: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.selu([-1.0, 0.0, 2.0]).numpy().round(3))
    [-1.111  0.     2.101]
    """
    x = floating(features)
    return _SELU_SCALE * m.where(x >= 0, x, _SELU_ALPHA * m.expm1(m.minimum(x, 0)))


@with_forms
def gelu(features: TensorLike, approximate: bool = False, name: str | None = None) -> Tensor:
    """Each element times the probability that a standard normal number is less than it.

    Args:
      features: a tensor of any shape, of floats.
      approximate: whether that probability is told by a formula with `tanh`, which is wrong by less than 0.0005.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.gelu([-1.0, 0.0, 2.0]).numpy().round(4))
    [-0.1587  0.      1.9545]
    >>> print(tf.nn.gelu([-1.0, 0.0, 2.0], approximate=True).numpy().round(4))
    [-0.1588  0.      1.9546]
    """
    x = floating(features)
    if approximate:
        return 0.5 * x * (1 + m.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))))
    return 0.5 * x * (1 + m.erf(x * math.sqrt(0.5)))


def silu(features: TensorLike, beta: TensorLike = 1.0) -> Tensor:
    """``x * sigmoid(beta * x)``, element by element; also by the name `swish`.

    Args:
      features: a tensor of any shape, of floats.
      beta: a number, or a tensor that broadcasts.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.silu([-1.0, 0.0, 2.0]).numpy().round(3))
    [-0.269  0.     1.762]
    """
    x = floating(features)
    known = isinstance(beta, int | float) and beta == 1
    return x * m.sigmoid(x if known else m.multiply(x, beta))


def softsign(features: TensorLike, name: str | None = None) -> Tensor:
    """``x / (1 + abs(x))``, element by element.

    Args:
      features: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.softsign([-1.0, 0.0, 4.0]))
    tf.Tensor([-0.5  0.   0.8], shape=(3,), dtype=float32)
    """
    x = floating(features)
    return x / (1 + m.abs(x))


def softmax(logits: TensorLike, axis: int | Sequence[int] | None = None, name: str | None = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` along an axis, without overflow: positive numbers whose sum is 1.

    Args:
      logits: a tensor of rank 1 or more, of floats.
      axis: the axis to add along, the last by default, or several.
    Returns: a tensor of the shape and dtype of `logits`.
    Raises:
      ValueError: if there is no such axis, or no element along it.

    >>> print(tf.nn.softmax([0.0, 0.0]))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    x, along = operand(logits), -1 if axis is None else axis
    e = m.exp(x - reductions.reduce_max(x, along, keepdims=True))
    return e / reductions.reduce_sum(e, along, keepdims=True)


def log_softmax(logits: TensorLike, axis: int | None = None, name: str | None = None) -> Tensor:
    """``log(softmax(x))``, accurate for small probabilities, too.

    Args:
      logits: a tensor of rank 1 or more, of floats.
      axis: the axis to add along, the last by default.
    Returns: a tensor of the shape and dtype of `logits`.
    Raises:
      ValueError: if there is no such axis, or no element along it.

    >>> print(tf.nn.log_softmax([0.0, 1000.0]))
    tf.Tensor([-1000.     0.], shape=(2,), dtype=float32)
    """
    x = operand(logits)
    return x - reductions.reduce_logsumexp(x, -1 if axis is None else axis, keepdims=True)
