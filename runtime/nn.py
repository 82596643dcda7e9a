"""Functions of neural networks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.ops import nn as images
from runtime.tensors.activations import (
    crelu,
    elu,
    gelu,
    leaky_relu,
    log_softmax,
    relu,
    relu6,
    selu,
    silu,
    softmax,
    softsign,
)
from runtime.tensors.conversion import operand, promote
from runtime.tensors.cross_entropies import (
    in_top_k,
    l2_loss,
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    softmax_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
    weighted_cross_entropy_with_logits,
)
from runtime.tensors.mathematics import sigmoid, softplus, tanh
from runtime.tensors.normalisation import (
    batch_normalization,
    dropout,
    embedding_lookup,
    l2_normalize,
    moments,
    zero_fraction,
)
from runtime.tensors.operations import apply
from runtime.tensors.parts import top_k
from runtime.tensors.public import face as _face
from runtime.tensors.shaping import ensure_shape, require, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "avg_pool2d", "batch_normalization", "bias_add", "conv2d", "crelu", "dropout", "elu", "embedding_lookup", "gelu",
    "in_top_k", "l2_loss", "l2_normalize", "leaky_relu", "log_poisson_loss", "log_softmax", "max_pool2d", "moments",
    "relu", "relu6", "selu", "sigmoid", "sigmoid_cross_entropy_with_logits", "silu", "softmax",
    "softmax_cross_entropy_with_logits", "softplus", "softsign", "sparse_softmax_cross_entropy_with_logits", "swish",
    "tanh", "top_k", "weighted_cross_entropy_with_logits", "zero_fraction",
]  # fmt: skip

swish = silu


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
