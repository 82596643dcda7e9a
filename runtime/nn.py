"""Functions of neural networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops import elementwise as ew, nn as images
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import operand, promote
from runtime.tensors.mathematics import sigmoid, softplus
from runtime.tensors.operations import apply
from runtime.tensors.public import face as _face
from runtime.tensors.shaping import ensure_shape, require, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "avg_pool2d", "bias_add", "conv2d", "l2_loss", "leaky_relu", "log_softmax", "max_pool2d", "relu", "sigmoid",
    "softmax", "softmax_cross_entropy_with_logits", "softplus", "tanh",
]  # fmt: skip

tanh = m.tanh


def relu(features: TensorLike, name: str | None = None) -> Tensor:
    """``max(x, 0)``, element by element.

    Args:
      features: a tensor of any shape, of numbers.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.relu([-1.0, 0.0, 2.0]))
    tf.Tensor([0. 0. 2.], shape=(3,), dtype=float32)
    """
    return apply(ew.relu, operand(features))


def leaky_relu(features: TensorLike, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """Positive elements as they are, the others times `alpha`.

    Args:
      features: a tensor of any shape, of floats.
      alpha: the slope for negative numbers.
    Returns: a tensor of the shape and dtype of `features`.

    >>> print(tf.nn.leaky_relu([-1.0, 2.0], alpha=0.5))
    tf.Tensor([-0.5  2. ], shape=(2,), dtype=float32)
    """
    x = operand(features)
    return m.where(x > 0, x, x * alpha)


def softmax(logits: TensorLike, axis: int = -1, name: str | None = None) -> Tensor:
    """``exp(x) / sum(exp(x))`` along an axis, without overflow: positive numbers whose sum is 1.

    Args:
      logits: a tensor of rank 1 or more, of floats.
      axis: the axis to add along, the last by default.
    Returns: a tensor of the shape and dtype of `logits`.
    Raises:
      ValueError: if there is no such axis, or no element along it.

    >>> print(tf.nn.softmax([0.0, 0.0]))
    tf.Tensor([0.5 0.5], shape=(2,), dtype=float32)
    """
    x = operand(logits)
    e = m.exp(x - reductions.reduce_max(x, axis, keepdims=True))
    return e / reductions.reduce_sum(e, axis, keepdims=True)


def log_softmax(logits: TensorLike, axis: int = -1, name: str | None = None) -> Tensor:
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
    return x - reductions.reduce_logsumexp(x, axis, keepdims=True)


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
    Returns: a tensor of the other axes, of the dtype to which both promote.
    Raises:
      ValueError: if the shapes do not go together, or there is no such axis.

    >>> loss = tf.nn.softmax_cross_entropy_with_logits(labels=[[0.0, 1.0]], logits=[[2.0, 2.0]])
    >>> print(loss.numpy().round(3))
    [0.693]
    """
    p, x = promote([labels, logits])
    logs = log_softmax(x, axis)
    none = p == 0
    return -reductions.reduce_sum(m.where(none, p * 0, p * m.where(none, logs * 0, logs)), axis)


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: int | Sequence[int] = 1,
    padding: str | Sequence[Sequence[int]] = "VALID",
    data_format: str = "NHWC",
    dilations: int | Sequence[int] | None = None,
    name: str | None = None,
) -> Tensor:
    """Images filtered: each result is the sum of the products of a filter and the part of an image under it.

    Args:
      input: images, of shape [batch, height, width, channels].
      filters: of shape [filter height, filter width, channels, units].
      strides: by how much the filter moves on: a number, or two for height and width (or four, the first and last 1).
      padding: ``"VALID"`` for filters that lie inside of the image, ``"SAME"`` for as many results as the strides
        make of the image, or four pairs of numbers of zeros to put before and after each axis.
      data_format: ``"NHWC"``: channels come last.
      dilations: how far apart the elements of the image are that meet those of a filter, as for `strides`.
    Returns: a tensor of shape [batch, rows, columns, units], of the dtype to which images and filters promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the images.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> means = tf.fill([2, 2, 1, 1], 0.25)
    >>> print(tf.nn.conv2d(image, means)[0, :, :, 0])
    tf.Tensor(
    [[2. 3.]
     [5. 6.]], shape=(2, 2), dtype=float32)
    """
    _check_format(data_format)
    x, w = promote([input, filters])
    how = {"strides": _pair(strides, "strides"), "dilations": _pair(dilations or 1, "dilations")}
    return apply(images.conv2d, x, w, padding=_padding(padding), **how)


def max_pool2d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element under each place of a window, in each channel.

    Args:
      input: images, of shape [batch, height, width, channels].
      ksize: the size of the window: a number, or two for height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv2d`.
      data_format: ``"NHWC"``: channels come last.
    Returns: a tensor of shape [batch, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 4, or the window is larger than the images.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.max_pool2d(image, 2)[0, :, :, 0])
    tf.Tensor(
    [[ 5.  7.]
     [13. 15.]], shape=(2, 2), dtype=float32)
    """
    return _pooled("max", input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: TensorLike,
    ksize: int | Sequence[int],
    strides: int | Sequence[int] | None = None,
    padding: str | Sequence[Sequence[int]] = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements under each place of a window, in each channel: of those that lie inside of the image.

    Args:
      input: images, of shape [batch, height, width, channels].
      ksize: the size of the window: a number, or two for height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv2d`.
      data_format: ``"NHWC"``: channels come last.
    Returns: a tensor of shape [batch, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 4, or the window is larger than the images.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.avg_pool2d(image, 2)[0, :, :, 0])
    tf.Tensor(
    [[ 2.5  4.5]
     [10.5 12.5]], shape=(2, 2), dtype=float32)
    """
    return _pooled("avg", input, ksize, strides, padding, data_format)


def bias_add(value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None) -> Tensor:
    """A tensor with a number added to each channel, which is the last axis.

    Args:
      value: a tensor of shape [..., channels].
      bias: the numbers, of shape [channels].
      data_format: channels come last.
    Returns: a tensor of the shape of `value`, of the dtype to which both promote.
    Raises:
      ValueError: if there is not one number for each channel.

    >>> print(tf.nn.bias_add([[1, 2], [3, 4]], [10, 20]))
    tf.Tensor(
    [[11 22]
     [13 24]], shape=(2, 2), dtype=int32)
    """
    _check_format(data_format or "NHWC")
    x, b = promote([value, bias])
    if b.shape.rank not in (None, 1):
        raise ValueError(f"bias_add of a bias of shape {b.shape}: it has one number for each channel")
    if x.shape.rank == 0:
        raise ValueError("bias_add of a scalar: it has no channels")
    channels, numbers = (x.shape.dims or (None,))[-1], (b.shape.dims or (None,))[0]
    if None in (channels, numbers):
        b = ensure_shape(b, [None])
        require(shape(x)[-1] == shape(b)[0], "bias_add: there is not one number for each channel", shape(x), shape(b))
    elif channels != numbers:
        raise ValueError(f"bias_add of {x.shape} and {b.shape}: {channels} channels meet {numbers} numbers")
    return x + b


def _pooled(how: str, input: object, ksize: object, strides: object, padding: object, data_format: str) -> Tensor:
    _check_format(data_format)
    window = _pair(ksize, "ksize")
    steps = window if strides is None else _pair(strides, "strides")
    return apply(images.pool2d, operand(input), how=how, window=window, strides=steps, padding=_padding(padding))


def _check_format(data_format: str) -> None:
    if data_format != "NHWC" and data_format[-1] != "C":
        raise ValueError(f"data_format={data_format!r}: channels come last here (NHWC); transpose the tensor")


def _pair(value: Any, what: str) -> tuple[int, int]:
    values = [int(v) for v in value] if hasattr(value, "__len__") else [int(value)]
    if len(values) == 4:
        if values[0] != 1 or values[3] != 1:
            raise ValueError(f"{what}={tuple(values)}: those of the batch and of the channels must be 1")
        values = values[1:3]
    if len(values) not in (1, 2) or min(values) < 1:
        raise ValueError(f"{what}={value!r}: one positive number, or two for height and width")
    return values[0], values[-1]


def _padding(padding: Any) -> object:
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise ValueError(f"padding={padding!r}: it is 'SAME', 'VALID' or four pairs of numbers")
        return padding.upper()
    pairs = [(int(a), int(b)) for a, b in padding]
    if len(pairs) != 4 or any(pairs[0]) or any(pairs[3]):
        raise ValueError(f"padding={padding!r}: four pairs of numbers, the first and last (0, 0)")
    return pairs[1], pairs[2]


__getattr__, __dir__ = _face("nn", globals())
