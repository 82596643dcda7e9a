"""Colours of pictures: how they are written as numbers, and how they are changed."""

from __future__ import annotations

from collections.abc import Callable

from runtime.graph.dtypes import as_dtype, float32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.ops import elementwise as ew
from runtime.tensors import making, mathematics as m, reductions as r
from runtime.tensors.conversion import cast, constant, operand
from runtime.tensors.operations import apply
from runtime.tensors.products import tensordot
from runtime.tensors.shaping import expand_dims, require, shape, stack, tile, unstack
from runtime.tensors.special import saturate_cast
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike


def convert_image_dtype(image: TensorLike, dtype: DTypeLike, saturate: bool = False, name: str | None = None) -> Tensor:
    """Pictures in another dtype, with their numbers scaled: floats go from 0 to 1, integers up to their largest.

    Args:
      image: a tensor of any shape, of floats or integers.
      dtype: the dtype of the result.
      saturate: whether what the new dtype does not hold becomes the nearest number that it holds.
    Returns: a tensor of the shape of `image`.

    >>> print(tf.image.convert_image_dtype(np.array([0, 255], np.uint8), tf.float32).numpy())
    [0. 1.]
    """
    x, kind = operand(image), as_dtype(dtype)
    convert = saturate_cast if saturate else cast
    if x.dtype == kind:
        return x
    if x.dtype.is_integer and kind.is_integer:
        most, least = int(x.dtype.max), int(kind.max)
        if most > least:
            return convert(m.floordiv(x, cast((most + 1) // (least + 1), x.dtype)), kind)
        return m.multiply(convert(x, kind), cast((least + 1) // (most + 1), kind))
    if x.dtype.is_floating and kind.is_floating:
        return cast(x, kind)
    if x.dtype.is_integer:
        return m.multiply(cast(x, kind), cast(1.0 / x.dtype.max, kind))
    return convert(m.multiply(x, cast(kind.max + 0.5, x.dtype)), kind)


def as_floats(image: TensorLike) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    """Numbers from 0 to 1, and what gives them the dtype that they had."""
    x = operand(image)
    if x.dtype.is_floating:
        return x, lambda y: cast(y, x.dtype)
    return convert_image_dtype(x, float32), lambda y: convert_image_dtype(y, x.dtype, saturate=True)


def adjust_brightness(image: TensorLike, delta: TensorLike) -> Tensor:
    """Pictures with a number added to all of theirs, which go from 0 to 1 for that.

    Args:
      image: a tensor of any shape.
      delta: the number, between -1 and 1.
    Returns: a tensor of its shape and dtype.

    >>> print(tf.image.adjust_brightness([[[0.25]]], 0.5).numpy())
    [[[0.75]]]
    """
    x, back = as_floats(image)
    return back(m.add(x, cast(operand(delta), x.dtype)))  # type: ignore[no-any-return]


def adjust_contrast(images: TensorLike, contrast_factor: TensorLike) -> Tensor:
    """Pictures whose numbers differ more, or less, from the mean of their channel.

    Args:
      images: a tensor of shape [..., height, width, channels].
      contrast_factor: what the differences are multiplied by.
    Returns: a tensor of its shape and dtype.

    >>> print(tf.image.adjust_contrast([[[1.0], [3.0]]], 2.0)[0, :, 0].numpy())
    [0. 4.]
    """
    x, back = as_floats(images)
    mean = r.reduce_mean(x, [-3, -2], keepdims=True)
    return back(m.add(m.multiply(m.subtract(x, mean), cast(operand(contrast_factor), x.dtype)), mean))  # type: ignore[no-any-return]


def adjust_gamma(image: TensorLike, gamma: TensorLike = 1.0, gain: TensorLike = 1.0) -> Tensor:
    """``gain * image ** gamma``, for numbers from 0 to 1.

    Args:
      image: a tensor of any shape.
      gamma: the exponent, 0 or more.
      gain: the factor.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: for a negative exponent.

    >>> print(tf.image.adjust_gamma([[[0.5]]], 2.0).numpy())
    [[[0.25]]]
    """
    require(m.greater_equal(operand(gamma), 0), "adjust_gamma: the exponent must not be negative")
    x, back = as_floats(image)
    return back(m.multiply(m.pow(x, cast(operand(gamma), x.dtype)), cast(operand(gain), x.dtype)))  # type: ignore[no-any-return]


def adjust_saturation(image: TensorLike, saturation_factor: TensorLike, name: str | None = None) -> Tensor:
    """Coloured pictures with the saturation of their colours multiplied.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      saturation_factor: the factor.
    Returns: a tensor of its shape and dtype.

    >>> tf.image.adjust_saturation([[[0.5, 0.25, 0.25]]], 0.0).numpy()
    array([[[0.5, 0.5, 0.5]]], dtype=float32)
    """
    x, back = as_floats(image)
    hue, saturation, value = unstack(rgb_to_hsv(x), 3, -1)
    saturation = m.clipped(m.multiply(saturation, cast(operand(saturation_factor), x.dtype)), 0.0, 1.0)
    return back(hsv_to_rgb(stack([hue, saturation, value], -1)))  # type: ignore[no-any-return]


def rgb_to_hsv(images: TensorLike, name: str | None = None) -> Tensor:
    """Colours by hue, saturation and value, all from 0 to 1.

    Args:
      images: a tensor of shape [..., 3], of floats from 0 to 1: red, green and blue.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.rgb_to_hsv([0.0, 0.5, 0.0]).numpy().round(3))
    [0.333 1.    0.5  ]
    """
    x = _colours(images, "rgb_to_hsv")
    red, green, blue = unstack(x, 3, -1)
    value = r.reduce_max(x, -1)
    spread = value - r.reduce_min(x, -1)
    zero, one = cast(0, x.dtype), cast(1, x.dtype)
    saturation = apply(
        ew.where, m.greater(value, zero), spread / apply(ew.where, m.greater(value, zero), value, one), zero
    )
    step = apply(ew.where, m.greater(spread, zero), spread, one) * 6
    of_blue = (red - green) / step + 4.0 / 6
    of_green = apply(ew.where, m.equal(value, green), (blue - red) / step + 2.0 / 6, of_blue)
    hue = apply(ew.where, m.equal(value, red), (green - blue) / step, of_green)
    hue = apply(ew.where, m.greater(spread, zero), hue, zero)
    return stack([apply(ew.where, m.less(hue, zero), hue + 1, hue), saturation, value], -1)


def hsv_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Colours by red, green and blue, all from 0 to 1: what undoes `rgb_to_hsv`.

    Args:
      images: a tensor of shape [..., 3], of floats from 0 to 1: hue, saturation and value.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.hsv_to_rgb([0.0, 1.0, 0.5]).numpy())
    [0.5 0.  0. ]
    """
    x = _colours(images, "hsv_to_rgb")
    hue, saturation, value = unstack(x, 3, -1)
    turn = hue * 6
    parts = (m.abs(turn - 3) - 1, 2 - m.abs(turn - 2), 2 - m.abs(turn - 4))
    pure = stack([m.clipped(part, 0.0, 1.0) for part in parts], -1)
    return ((pure - 1) * expand_dims(saturation, -1) + 1) * expand_dims(value, -1)


def _colours(images: TensorLike, what: str) -> Tensor:
    x = operand(images)
    if not x.dtype.is_floating or (
        x.shape.rank is not None and not TensorShape(x.type.shape)[-1:].is_compatible_with([3])
    ):
        raise InvalidArgumentError(f"{what} takes floats of shape [..., 3], not {x.dtype.name} of {x.shape}")
    return x


def rgb_to_grayscale(images: TensorLike, name: str | None = None) -> Tensor:
    """How bright colours are.

    Args:
      images: a tensor of shape [..., 3]: red, green and blue.
    Returns: a tensor of shape [..., 1], of the dtype of `images`.

    >>> print(tf.image.rgb_to_grayscale([[[1.0, 1.0, 1.0]]]).numpy().round(4))
    [[[0.9999]]]
    """
    x, back = as_floats(images)
    weights = constant([0.2989, 0.587, 0.114], dtype=x.dtype)
    return back(r.reduce_sum(m.multiply(x, weights), -1, keepdims=True))  # type: ignore[no-any-return]


def grayscale_to_rgb(images: TensorLike, name: str | None = None) -> Tensor:
    """Pictures with one channel, three times.

    Args:
      images: a tensor of shape [..., 1].
    Returns: a tensor of shape [..., 3].
    Raises:
      ValueError: if the last axis has another size.

    >>> tf.image.grayscale_to_rgb(tf.zeros([4, 6, 1])).shape
    TensorShape([4, 6, 3])
    """
    x = operand(images)
    if not TensorShape(x.type.shape)[-1:].is_compatible_with([1]):
        raise ValueError(f"grayscale_to_rgb takes pictures of one channel, not of shape {x.shape}")
    return tile(x, [1] * (len(making.like_shape(x)) - 1) + [3])


def per_image_standardization(image: TensorLike) -> Tensor:
    """Pictures with the mean 0 and the variance 1.

    Args:
      image: a tensor of shape [..., height, width, channels].
    Returns: a tensor of its shape, of floats.

    >>> print(tf.image.per_image_standardization([[[1.0], [3.0]]])[0, :, 0].numpy())
    [-1.  1.]
    """
    x = operand(image)
    x = x if x.dtype.is_floating else cast(x, float32)
    count = cast(r.reduce_prod(shape(x)[-3:]), x.dtype)
    mean = r.reduce_mean(x, [-1, -2, -3], keepdims=True)
    spread = m.maximum(r.reduce_std(x, [-1, -2, -3], keepdims=True), m.rsqrt(count))
    return m.divide(x - mean, spread)


def adjust_hue(image: TensorLike, delta: TensorLike, name: str | None = None) -> Tensor:
    """Coloured pictures with other colours of the same saturation and value.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      delta: how far colours move on their circle, from -1 to 1, which are whole turns.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: for a number outside of these.

    >>> print(tf.image.adjust_hue([[[0.5, 0.0, 0.0]]], 1 / 3).numpy().round(3))
    [[[0.  0.5 0. ]]]
    """
    x, back = as_floats(image)
    change = cast(operand(delta), x.dtype)
    require(m.less_equal(m.abs(change), 1.0), "adjust_hue: delta is between -1 and 1")
    hue, saturation, value = unstack(rgb_to_hsv(x), 3, -1)
    return back(hsv_to_rgb(stack([m.floormod(hue + change, 1.0), saturation, value], -1)))  # type: ignore[no-any-return]


_YIQ = [[0.299, 0.59590059, 0.2115], [0.587, -0.27455667, -0.52273617], [0.114, -0.32134392, 0.31119955]]
_FROM_YIQ = [[1.0, 1.0, 1.0], [0.95598634, -0.27201283, -1.10674021], [0.6208248, -0.64720424, 1.70423049]]
_YUV = [[0.299, -0.14714119, 0.61497538], [0.587, -0.28886916, -0.51496512], [0.114, 0.43601035, -0.10001026]]
_FROM_YUV = [[1.0, 1.0, 1.0], [0.0, -0.394642334, 2.03206185], [1.13988303, -0.58062185, 0.0]]


def _mixed(images: TensorLike, what: str, weights: list[list[float]]) -> Tensor:
    x = _colours(images, what)
    return tensordot(x, constant(weights, dtype=x.dtype), 1)


def rgb_to_yiq(images: TensorLike) -> Tensor:
    """Colours as the television of NTSC sends them: brightness, and two differences.

    Args:
      images: a tensor of shape [..., 3], of floats from 0 to 1: red, green and blue.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.rgb_to_yiq([1.0, 1.0, 1.0]).numpy().round(3) + 0.0)
    [1. 0. 0.]
    """
    return _mixed(images, "rgb_to_yiq", _YIQ)


def yiq_to_rgb(images: TensorLike) -> Tensor:
    """Colours by red, green and blue: what undoes `rgb_to_yiq`.

    Args:
      images: a tensor of shape [..., 3], of floats.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.yiq_to_rgb([0.5, 0.0, 0.0]).numpy())
    [0.5 0.5 0.5]
    """
    return _mixed(images, "yiq_to_rgb", _FROM_YIQ)


def rgb_to_yuv(images: TensorLike) -> Tensor:
    """Colours as the television of PAL sends them: brightness, and two differences.

    Args:
      images: a tensor of shape [..., 3], of floats from 0 to 1: red, green and blue.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.rgb_to_yuv([1.0, 1.0, 1.0]).numpy().round(3) + 0.0)
    [1. 0. 0.]
    """
    return _mixed(images, "rgb_to_yuv", _YUV)


def yuv_to_rgb(images: TensorLike) -> Tensor:
    """Colours by red, green and blue: what undoes `rgb_to_yuv`.

    Args:
      images: a tensor of shape [..., 3], of floats.
    Returns: a tensor of its shape and dtype.
    Raises:
      InvalidArgumentError: if the last axis has another size.

    >>> print(tf.image.yuv_to_rgb([0.5, 0.0, 0.0]).numpy())
    [0.5 0.5 0.5]
    """
    return _mixed(images, "yuv_to_rgb", _FROM_YUV)
