"""Functions of neural networks."""

from __future__ import annotations

from typing import Any

from runtime.ops import elementwise as ew, nn as images
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import operand, promote
from runtime.tensors.mathematics import sigmoid, softplus
from runtime.tensors.operations import apply

__all__ = [
    "avg_pool2d", "bias_add", "conv2d", "leaky_relu", "log_softmax", "max_pool2d", "relu", "sigmoid", "softmax",
    "softplus", "tanh",
]  # fmt: skip

tanh = m.tanh


def relu(features: Any, name: str | None = None) -> Any:
    """max(x, 0)."""
    return apply(ew.relu, operand(features))


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """x where positive, alpha * x elsewhere."""
    x = operand(features)
    return m.where(x > 0, x, x * alpha)


def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """exp(x) / sum(exp(x)) along an axis, without overflow."""
    x = operand(logits)
    e = m.exp(x - reductions.reduce_max(x, axis, keepdims=True))
    return e / reductions.reduce_sum(e, axis, keepdims=True)


def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """log(softmax(x)), accurate for small probabilities."""
    x = operand(logits)
    return x - reductions.reduce_logsumexp(x, axis, keepdims=True)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any = 1,
    padding: Any = "VALID",
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Any:
    """Cross-correlation of images with filters.

    Args:
      input: images, [batch, height, width, channels].
      filters: [height, width, channels, units].
      strides, dilations: a number, or two for height and width (or four, the first and last 1).
      padding: ``"SAME"``, ``"VALID"``, or four pairs of rows or columns to add before and after each axis.
    Returns: [batch, rows, columns, units], of the dtype of both.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the images.
    """
    _check_format(data_format)
    x, w = promote([input, filters])
    how = {"strides": _pair(strides, "strides"), "dilations": _pair(dilations or 1, "dilations")}
    return apply(images.conv2d, x, w, padding=_padding(padding), **how)


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Any:
    """The largest element of each window of `ksize` (a number, or two for height and width), in each channel.

    `input` is [batch, height, width, channels]; `strides` is that of the window by default.
    """
    return _pooled("max", input, ksize, strides, padding, data_format)


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Any:
    """The mean of each window, of what of it lies in the image; as `max_pool2d` otherwise."""
    return _pooled("avg", input, ksize, strides, padding, data_format)


def bias_add(value: Any, bias: Any, data_format: str | None = None, name: str | None = None) -> Any:
    """Add a number for each channel, which is the last axis."""
    _check_format(data_format or "NHWC")
    x, b = promote([value, bias])
    if b.shape.rank not in (None, 1):
        raise ValueError(f"bias_add of a bias of shape {b.shape}: it has one number for each channel")
    channels, numbers = (x.shape.dims or (None,))[-1], (b.shape.dims or (None,))[0]
    if None not in (channels, numbers) and channels != numbers:
        raise ValueError(f"bias_add of {x.shape} and {b.shape}: {channels} channels meet {numbers} numbers")
    return x + b


def _pooled(how: str, input: Any, ksize: Any, strides: Any, padding: Any, data_format: str) -> Any:
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


def _padding(padding: Any) -> Any:
    if isinstance(padding, str):
        if padding.upper() not in ("SAME", "VALID"):
            raise ValueError(f"padding={padding!r}: it is 'SAME', 'VALID' or four pairs of numbers")
        return padding.upper()
    pairs = [(int(a), int(b)) for a, b in padding]
    if len(pairs) != 4 or any(pairs[0]) or any(pairs[3]):
        raise ValueError(f"padding={padding!r}: four pairs of numbers, the first and last (0, 0)")
    return pairs[1], pairs[2]
