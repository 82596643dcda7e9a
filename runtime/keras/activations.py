"""Activations: functions of tensors, element by element or along an axis, and their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from runtime.keras.identifiers import Catalogue, Objects
from runtime.tensors import activations as a, mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.making import range as arange
from runtime.tensors.parts import sort
from runtime.tensors.reductions import cumsum, reduce_sum
from runtime.tensors.shaping import reshape, shape, split
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "celu", "deserialize", "elu", "exponential", "gelu", "get", "glu", "hard_shrink", "hard_sigmoid", "hard_silu",
    "hard_swish", "hard_tanh", "leaky_relu", "linear", "log_sigmoid", "log_softmax", "mish", "relu", "relu6", "selu",
    "serialize", "sigmoid", "silu", "soft_shrink", "softmax", "softplus", "softsign", "sparse_plus", "sparse_sigmoid",
    "sparsemax", "squareplus", "swish", "tanh", "tanh_shrink", "threshold",
]  # fmt: skip

Activation: TypeAlias = Callable[..., Tensor]


def relu(x: TensorLike, negative_slope: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Tensor:
    """Elements above a threshold as they are, the others as 0, or along a flatter line.

    Args:
      x: a tensor of any shape, of numbers.
      negative_slope: the slope below the threshold.
      max_value: the largest value of the result; None for no largest.
      threshold: the threshold.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.relu([-2.0, 3.0, 9.0], negative_slope=0.5, max_value=6.0))
    tf.Tensor([-1.  3.  6.], shape=(3,), dtype=float32)
    """
    values = convert_to_tensor(x)
    above = m.where(values > threshold, values, values * 0) if threshold else a.relu(values)
    if max_value is not None:
        above = m.minimum(above, max_value)
    return above - negative_slope * a.relu(threshold - values) if negative_slope else above


def leaky_relu(x: TensorLike, negative_slope: float = 0.2) -> Tensor:
    """Positive elements as they are, the others times a slope.

    Args:
      x: a tensor of any shape, of floats.
      negative_slope: the slope.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.leaky_relu([-1.0, 2.0], negative_slope=0.5))
    tf.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    return a.leaky_relu(x, negative_slope)


def relu6(x: TensorLike) -> Tensor:
    """``min(max(x, 0), 6)``, element by element.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.relu6([-1.0, 2.0, 9.0]))
    tf.Tensor([0. 2. 6.], shape=(3,), dtype=float32)
    """
    return a.relu6(x)


def softmax(x: TensorLike, axis: int | Sequence[int] = -1) -> Tensor:
    """``exp(x) / sum(exp(x))`` along an axis: positive numbers whose sum is 1.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axis: the axis, or several.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.keras.activations.softmax([0.0, 0.0]))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    return a.softmax(x, axis)


def log_softmax(x: TensorLike, axis: int = -1) -> Tensor:
    """``log(softmax(x))``, accurate for small probabilities, too.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axis: the axis.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.keras.activations.log_softmax([0.0, 1000.0]))
    tf.Tensor([-1000.     0.], shape=(2,), dtype=float32)
    """
    return a.log_softmax(x, axis)


def elu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Positive elements as they are, the others as ``alpha * (exp(x) - 1)``.

    Args:
      x: a tensor of any shape, of floats.
      alpha: how far it goes below 0.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.elu([-100.0, 2.0], alpha=0.5))
    tf.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return m.where(values > 0, values, alpha * a.elu(values))


def celu(x: TensorLike, alpha: float = 1.0) -> Tensor:
    """Positive elements as they are, the others as ``alpha * (exp(x / alpha) - 1)``.

    Args:
      x: a tensor of any shape, of floats.
      alpha: how far it goes below 0.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.celu([-100.0, 2.0], alpha=0.5))
    tf.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return a.relu(values) + alpha * m.expm1(m.minimum(values, 0) / alpha)


def selu(x: TensorLike) -> Tensor:
    """`elu`, scaled such that normal numbers keep their mean and variance from layer to layer.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.selu([-100.0, 0.0, 1.0]).numpy().round(3))
    [-1.758  0.     1.051]
    """
    return a.selu(x)


def softplus(x: TensorLike) -> Tensor:
    """``log(1 + exp(x))``, without overflow.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.softplus([0.0, 100.0]).numpy().round(3))
    [  0.693 100.   ]
    """
    return m.softplus(x)


def softsign(x: TensorLike) -> Tensor:
    """``x / (1 + abs(x))``, element by element.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.softsign([-1.0, 0.0, 4.0]))
    tf.Tensor([-0.5  0.   0.8], shape=(3,), dtype=float32)
    """
    return a.softsign(x)


def squareplus(x: TensorLike, b: float = 4) -> Tensor:
    """``(x + sqrt(x ** 2 + b)) / 2``, a smooth `relu`.

    Args:
      x: a tensor of any shape, of floats.
      b: how smooth it is.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.squareplus([0.0, 1.5]))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return (values + m.sqrt(m.square(values) + b)) / 2


def silu(x: TensorLike) -> Tensor:
    """``x * sigmoid(x)``, which is also called `swish`.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.silu([0.0, 100.0]))
    tf.Tensor([  0. 100.], shape=(2,), dtype=float32)
    """
    return a.silu(x)


def gelu(x: TensorLike, approximate: bool = False) -> Tensor:
    """Elements times the part of the normal distribution below them.

    Args:
      x: a tensor of any shape, of floats.
      approximate: whether `tanh` may stand for that distribution.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.gelu([0.0, 1.0]).numpy().round(3))
    [0.    0.841]
    """
    return a.gelu(x, approximate)


def tanh(x: TensorLike) -> Tensor:
    """The hyperbolic tangent, element by element.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.tanh([0.0, 100.0]))
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    return m.tanh(x)


def sigmoid(x: TensorLike) -> Tensor:
    """``1 / (1 + exp(-x))``, without overflow.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.sigmoid([0.0, 100.0]))
    tf.Tensor([0.5 1. ], shape=(2,), dtype=float32)
    """
    return m.sigmoid(x)


def exponential(x: TensorLike) -> Tensor:
    """``exp(x)``, element by element.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.exponential([0.0]))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    return m.exp(x)


def hard_sigmoid(x: TensorLike) -> Tensor:
    """``relu6(x + 3) / 6``: 0 up to -3, 1 from 3 on, and a line between them.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.hard_sigmoid([-3.0, 0.0, 1.5]))
    tf.Tensor([0.   0.5  0.75], shape=(3,), dtype=float32)
    """
    return a.relu6(convert_to_tensor(x) + 3) / 6


def hard_silu(x: TensorLike) -> Tensor:
    """``x * hard_sigmoid(x)``, which is also called `hard_swish`.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.hard_silu([-3.0, 0.0, 3.0]).numpy())
    [-0.  0.  3.]
    """
    return convert_to_tensor(x) * hard_sigmoid(x)


def hard_tanh(x: TensorLike) -> Tensor:
    """Elements, but none beyond -1 and 1.

    Args:
      x: a tensor of any shape, of numbers.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.hard_tanh([-3.0, 0.5]))
    tf.Tensor([-1.   0.5], shape=(2,), dtype=float32)
    """
    return m.clipped(x, -1, 1)


def hard_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Elements as they are, but 0 for those near to 0.

    Args:
      x: a tensor of any shape, of numbers.
      threshold: the greatest absolute value that counts as near.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.hard_shrink([-3.0, 0.5]))
    tf.Tensor([-3.  0.], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return m.where(m.abs(values) > threshold, values, values * 0)


def soft_shrink(x: TensorLike, threshold: float = 0.5) -> Tensor:
    """Elements nearer to 0 by a distance, and 0 for those within it.

    Args:
      x: a tensor of any shape, of floats.
      threshold: the distance.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.soft_shrink([-3.0, 0.25]))
    tf.Tensor([-2.5  0. ], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    below = m.where(values < -threshold, values + threshold, values * 0)
    return m.where(values > threshold, values - threshold, below)


def tanh_shrink(x: TensorLike) -> Tensor:
    """``x - tanh(x)``, element by element.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.tanh_shrink([0.0, 100.0]))
    tf.Tensor([ 0. 99.], shape=(2,), dtype=float32)
    """
    return convert_to_tensor(x) - m.tanh(x)


def threshold(x: TensorLike, threshold: float, default_value: float) -> Tensor:
    """Elements above a threshold as they are, another value for the rest.

    Args:
      x: a tensor of any shape, of numbers.
      threshold: the threshold.
      default_value: the other value.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.threshold([-1.0, 2.0], 0.0, 9.0))
    tf.Tensor([9. 2.], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return m.where(values > threshold, values, default_value)


def linear(x: TensorLike) -> Tensor:
    """Elements as they are.

    Args:
      x: a tensor of any shape.
    Returns: `x`, as a tensor.

    >>> print(tf.keras.activations.linear([1.0]))
    tf.Tensor([1.], shape=(1,), dtype=float32)
    """
    return convert_to_tensor(x)


def mish(x: TensorLike) -> Tensor:
    """``x * tanh(softplus(x))``, element by element.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.mish([0.0, 1.0]).numpy().round(3))
    [0.    0.865]
    """
    return convert_to_tensor(x) * m.tanh(m.softplus(x))


def log_sigmoid(x: TensorLike) -> Tensor:
    """``log(sigmoid(x))``, without overflow.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.log_sigmoid([0.0, -100.0]).numpy().round(3))
    [  -0.693 -100.   ]
    """
    return -m.softplus(-convert_to_tensor(x))


def sparse_sigmoid(x: TensorLike) -> Tensor:
    """0 up to -1, 1 from 1 on, and a line between them.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.sparse_sigmoid([-1.0, 0.0, 0.5]))
    tf.Tensor([0.   0.5  0.75], shape=(3,), dtype=float32)
    """
    return 0.5 * (m.clipped(x, -1, 1) + 1)


def sparse_plus(x: TensorLike) -> Tensor:
    """0 up to -1, elements as they are from 1 on, and a parabola between them.

    Args:
      x: a tensor of any shape, of floats.
    Returns: a tensor of the shape and dtype of `x`.

    >>> print(tf.keras.activations.sparse_plus([-1.0, 0.0, 2.0]))
    tf.Tensor([0.   0.25 2.  ], shape=(3,), dtype=float32)
    """
    values = convert_to_tensor(x)
    return m.where(values < 1, m.square(a.relu(values + 1)) / 4, values)


def sparsemax(x: TensorLike, axis: int = -1) -> Tensor:
    """The nearest numbers of 0 and more whose sum along an axis is 1.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axis: the axis.
    Returns: a tensor of the shape and dtype of `x`.
    Raises:
      ValueError: if there is no such axis.

    >>> print(tf.keras.activations.sparsemax([0.0, 0.5, 3.0, 2.5]))
    tf.Tensor([0.   0.   0.75 0.25], shape=(4,), dtype=float32)
    """
    values = convert_to_tensor(x)
    falling = sort(values, axis, "DESCENDING")
    sums = cumsum(falling, axis)
    places = [1] * len(values.shape)
    places[axis] = -1
    numbers = reshape(cast(arange(1, shape(values)[axis] + 1), values.dtype), places)
    counts = falling - (sums - 1) / numbers > 0
    count = reduce_sum(cast(counts, values.dtype), axis, keepdims=True)
    total = reduce_sum(m.where(counts, falling, falling * 0), axis, keepdims=True)
    return a.relu(values - (total - 1) / count)


def glu(x: TensorLike, axis: int = -1) -> Tensor:
    """One half of a tensor times the `sigmoid` of the other.

    Args:
      x: a tensor of rank 1 or more, of floats.
      axis: the axis that is cut in two, of an even size.
    Returns: a tensor of the dtype of `x`, of half its size along the axis.
    Raises:
      ValueError: if the size is not even.

    >>> print(tf.keras.activations.glu([1.0, 2.0, 0.0, 100.0]))
    tf.Tensor([0.5 2. ], shape=(2,), dtype=float32)
    """
    values = convert_to_tensor(x)
    size = values.shape[axis]
    if isinstance(size, int) and size % 2:
        raise ValueError(f"glu of a tensor of shape {values.shape}: the size along axis {axis} is even")
    left, right = split(values, 2, axis)
    return left * m.sigmoid(right)


swish, hard_swish = silu, hard_silu

_CATALOGUE = Catalogue(
    "activation function",
    "keras.activations",
    {n: globals()[n] for n in __all__ if n not in ("get", "serialize", "deserialize")},
)


def get(identifier: object) -> Activation:
    """An activation by its name.

    Args:
      identifier: a name, a function, which is given back, or None for `linear`.
    Returns: the function.
    Raises:
      ValueError: if there is no such activation.

    >>> tf.keras.activations.get("relu") is tf.keras.activations.relu
    True
    >>> tf.keras.activations.get("rleu")
    Traceback (most recent call last):
        ...
    ValueError: Unknown activation function: 'rleu'. Did you mean 'relu'?
    """
    found = linear if identifier is None else _CATALOGUE.get(identifier)
    if not callable(found):
        raise ValueError(f"Could not interpret activation function {identifier!r}: it is a name, or a function")
    return found


def serialize(activation: Activation) -> object:
    """The name of an activation, or the configuration of one that is an object.

    Args:
      activation: the activation.
    Returns: a string, or a dictionary.

    >>> tf.keras.activations.serialize(tf.nn.relu), tf.keras.activations.serialize(tf.keras.activations.silu)
    ('relu', 'silu')
    """
    return _CATALOGUE.serialize(activation)


def deserialize(config: object, custom_objects: Objects = None) -> Activation:
    """The activation that `serialize` has described.

    Args:
      config: its name.
      custom_objects: functions of one's own by their names.
    Returns: the function.
    Raises:
      ValueError: if there is no such activation.

    >>> print(tf.keras.activations.deserialize("double", {"double": lambda x: x * 2})(tf.constant(3.0)))
    tf.Tensor(6.0, shape=(), dtype=float32)
    """
    found = _CATALOGUE.deserialize(config, custom_objects)
    return get(found if callable(found) else None)
