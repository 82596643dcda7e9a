"""Pictures: tensors of shape [height, width, channels], or of [pictures, height, width, channels] for several.

All of it is made of other operations, so that it runs in graphs, natively, and has gradients. Files of pictures are not
read: libraries for that give arrays.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.graph.dtypes import float32, float64, int32
from runtime.ops import elementwise as ew, random as random_ops
from runtime.tensors import making, mathematics as m, reductions as r
from runtime.tensors.boxes import (
    crop_and_resize,
    non_max_suppression,
    non_max_suppression_padded,
    non_max_suppression_with_scores,
)
from runtime.tensors.colours import (
    adjust_brightness,
    adjust_contrast,
    adjust_gamma,
    adjust_hue,
    adjust_saturation,
    convert_image_dtype,
    grayscale_to_rgb,
    hsv_to_rgb,
    per_image_standardization,
    rgb_to_grayscale,
    rgb_to_hsv,
    rgb_to_yiq,
    rgb_to_yuv,
    yiq_to_rgb,
    yuv_to_rgb,
)
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.drawing import drawn
from runtime.tensors.drawn_boxes import draw_bounding_boxes
from runtime.tensors.generators import stateless_uniform
from runtime.tensors.likeness import extract_patches, sobel_edges, ssim, ssim_multiscale
from runtime.tensors.operations import apply
from runtime.tensors.parts import pad, slice_
from runtime.tensors.resizing import pictures, resize
from runtime.tensors.shaping import (
    concat,
    ensure_shape,
    require,
    reverse,
    shape,
    transpose as transposed,
)
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import ShapeLike, SizeLike, TensorLike

__all__ = [
    "ResizeMethod", "adjust_brightness", "adjust_contrast", "adjust_gamma", "adjust_hue", "adjust_saturation",
    "central_crop", "convert_image_dtype", "crop_and_resize", "crop_to_bounding_box", "draw_bounding_boxes",
    "extract_patches",
    "flip_left_right", "flip_up_down", "grayscale_to_rgb", "hsv_to_rgb", "image_gradients", "non_max_suppression",
    "non_max_suppression_padded", "non_max_suppression_with_scores", "pad_to_bounding_box",
    "per_image_standardization", "psnr", "random_brightness", "random_contrast", "random_crop",
    "random_flip_left_right", "random_flip_up_down", "random_hue", "random_saturation", "resize",
    "resize_with_crop_or_pad", "resize_with_pad", "rgb_to_grayscale", "rgb_to_hsv", "rgb_to_yiq", "rgb_to_yuv",
    "rot90", "sobel_edges", "ssim", "ssim_multiscale", "stateless_random_brightness", "stateless_random_contrast",
    "stateless_random_crop", "stateless_random_flip_left_right", "stateless_random_flip_up_down",
    "stateless_random_hue", "stateless_random_saturation", "total_variation", "transpose", "yiq_to_rgb", "yuv_to_rgb",
]  # fmt: skip


class ResizeMethod:
    """The names of the ways in which `resize` finds numbers between those that it has.

    >>> tf.image.ResizeMethod.NEAREST_NEIGHBOR
    'nearest'
    """

    BILINEAR = "bilinear"
    NEAREST_NEIGHBOR = "nearest"
    BICUBIC = "bicubic"
    AREA = "area"
    LANCZOS3 = "lanczos3"
    LANCZOS5 = "lanczos5"
    GAUSSIAN = "gaussian"
    MITCHELLCUBIC = "mitchellcubic"


def flip_left_right(image: TensorLike) -> Tensor:
    """Pictures with left and right exchanged.

    Args:
      image: one picture, or several.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> print(tf.image.flip_left_right([[[1], [2]]])[0, :, 0].numpy())
    [2 1]
    """
    pictures(image, "flip_left_right")
    return reverse(image, [-2])


def flip_up_down(image: TensorLike) -> Tensor:
    """Pictures with top and bottom exchanged.

    Args:
      image: one picture, or several.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> print(tf.image.flip_up_down([[[1]], [[2]]])[:, 0, 0].numpy())
    [2 1]
    """
    pictures(image, "flip_up_down")
    return reverse(image, [-3])


def transpose(image: TensorLike, name: str | None = None) -> Tensor:
    """Pictures with rows and columns exchanged.

    Args:
      image: one picture, or several.
    Returns: a tensor of shape [width, height, channels], or of several.
    Raises:
      ValueError: for another rank.

    >>> tf.image.transpose(tf.zeros([2, 5, 3])).shape
    TensorShape([5, 2, 3])
    """
    _, single = pictures(image, "transpose")
    return transposed(operand(image), [1, 0, 2] if single else [0, 2, 1, 3])


def rot90(image: TensorLike, k: int = 1, name: str | None = None) -> Tensor:
    """Pictures turned to the left by quarters of a turn.

    Args:
      image: one picture, or several.
      k: how many quarters, 1 by default; negative ones go to the right.
    Returns: a tensor of the same dtype.
    Raises:
      ValueError: for another rank.

    >>> print(tf.image.rot90([[[1], [2]]])[..., 0].numpy())
    [[2]
     [1]]
    """
    pictures(image, "rot90")
    turns = int(k) % 4
    if turns == 1:
        return reverse(transpose(image), [-3])
    if turns == 2:
        return reverse(image, [-3, -2])
    return reverse(transpose(image), [-2]) if turns == 3 else operand(image)


def _by_chance(image: TensorLike, chance: Tensor, flipped: Tensor) -> Tensor:
    """Each picture, or what it is when it is flipped."""
    return apply(ew.where, m.less(chance, 0.5), flipped, operand(image))


def _flipped_by_chance(image: TensorLike, axis: int, seed: object, what: str) -> Tensor:
    x, single = pictures(image, what)
    dims = [] if single else [making.like_shape(x)[0], 1, 1, 1]
    if isinstance(seed, int | None):
        chance = drawn(random_ops.uniform, 0.0, 1.0, dims, float32, seed)
    else:
        chance = stateless_uniform(dims, seed)  # type: ignore[arg-type]
    return _by_chance(image, chance, reverse(image, [axis]))


def random_flip_left_right(image: TensorLike, seed: int | None = None) -> Tensor:
    """Pictures each of which has left and right exchanged, or not: another choice at each run.

    Args:
      image: one picture, or several.
      seed: what decides, with that of `random.set_seed`, which ones.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> tf.image.random_flip_left_right(tf.zeros([2, 5, 3])).shape
    TensorShape([2, 5, 3])
    """
    return _flipped_by_chance(image, -2, seed, "random_flip_left_right")


def random_flip_up_down(image: TensorLike, seed: int | None = None) -> Tensor:
    """Pictures each of which has top and bottom exchanged, or not: another choice at each run.

    Args:
      image: one picture, or several.
      seed: what decides, with that of `random.set_seed`, which ones.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> tf.image.random_flip_up_down(tf.zeros([2, 5, 3])).shape
    TensorShape([2, 5, 3])
    """
    return _flipped_by_chance(image, -3, seed, "random_flip_up_down")


def stateless_random_flip_left_right(image: TensorLike, seed: TensorLike) -> Tensor:
    """Pictures each of which has left and right exchanged, or not, as a seed decides.

    Args:
      image: one picture, or several.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> tf.image.stateless_random_flip_left_right(tf.zeros([2, 5, 3]), seed=[1, 2]).shape
    TensorShape([2, 5, 3])
    """
    return _flipped_by_chance(image, -2, operand(seed), "stateless_random_flip_left_right")


def stateless_random_flip_up_down(image: TensorLike, seed: TensorLike) -> Tensor:
    """Pictures each of which has top and bottom exchanged, or not, as a seed decides.

    Args:
      image: one picture, or several.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for another rank.

    >>> tf.image.stateless_random_flip_up_down(tf.zeros([2, 5, 3]), seed=[1, 2]).shape
    TensorShape([2, 5, 3])
    """
    return _flipped_by_chance(image, -3, operand(seed), "stateless_random_flip_up_down")


def random_crop(value: TensorLike, size: ShapeLike, seed: int | None = None, name: str | None = None) -> Tensor:
    """A block of a tensor, at another place at each run.

    Args:
      value: a tensor of any shape.
      size: the shape of the block, as many numbers.
      seed: what decides, with that of `random.set_seed`, where it is.
    Returns: a tensor of this shape.
    Raises:
      InvalidArgumentError: if the block is larger than the tensor.

    >>> tf.image.random_crop(tf.zeros([4, 4, 3]), [2, 2, 3]).shape
    TensorShape([2, 2, 3])
    """
    x = operand(value)
    at = drawn(random_ops.uniform, 0.0, 1.0, [len(making.like_shape(x))], float32, seed)
    return _cropped(x, size, at, "random_crop")


def stateless_random_crop(value: TensorLike, size: ShapeLike, seed: TensorLike, name: str | None = None) -> Tensor:
    """A block of a tensor, where a seed decides.

    Args:
      value: a tensor of any shape.
      size: the shape of the block, as many numbers.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of this shape.
    Raises:
      InvalidArgumentError: if the block is larger than the tensor.

    >>> tf.image.stateless_random_crop(tf.zeros([4, 4, 3]), [2, 2, 3], seed=[1, 2]).shape
    TensorShape([2, 2, 3])
    """
    x = operand(value)
    return _cropped(x, size, stateless_uniform([len(making.like_shape(x))], seed), "stateless_random_crop")


def _cropped(x: Tensor, size: ShapeLike, at: Tensor, what: str) -> Tensor:
    """The block that begins at these parts of the room that there is."""
    wanted = cast(operand(size), int32)
    room = shape(x) - wanted
    require(r.reduce_all(m.greater_equal(room, 0)), f"{what}: the block is larger than the tensor", shape(x), wanted)
    begin = m.minimum(cast(m.floor(m.multiply(at, cast(room + 1, float32))), int32), room)
    return slice_(x, begin, size)


def crop_to_bounding_box(
    image: TensorLike, offset_height: SizeLike, offset_width: SizeLike, target_height: SizeLike, target_width: SizeLike
) -> Tensor:
    """A part of pictures.

    Args:
      image: one picture, or several.
      offset_height, offset_width: the row and the column at which it begins.
      target_height, target_width: how many rows and columns it has.
    Returns: a tensor of shape [target_height, target_width, channels], or of several.
    Raises:
      ValueError: for another rank.
      InvalidArgumentError: if the part is not inside.

    >>> tf.image.crop_to_bounding_box(tf.zeros([4, 6, 3]), 1, 2, 2, 3).shape
    TensorShape([2, 3, 3])
    """
    x, _ = pictures(image, "crop_to_bounding_box")
    cuts = []
    for axis, start, count in ((1, offset_height, target_height), (2, offset_width, target_width)):
        first = start if isinstance(start, int) else operand(start)
        end = first + (count if isinstance(count, int) else operand(count))
        inside = m.logical_and(m.greater_equal(first, 0), m.less_equal(end, making.like_shape(x)[axis]))
        message = f"crop_to_bounding_box: {count} from {start} on are not inside of axis {axis}"
        require(m.logical_and(inside, m.greater(count, 0)), message)
        cuts.append(slice(first, end))
    return operand(image)[..., cuts[0], cuts[1], :]


def pad_to_bounding_box(
    image: TensorLike, offset_height: int, offset_width: int, target_height: int, target_width: int
) -> Tensor:
    """Pictures with zeros around them.

    Args:
      image: one picture, or several.
      offset_height, offset_width: how many rows of zeros are above, and how many columns to the left.
      target_height, target_width: how many rows and columns there are then.
    Returns: a tensor of shape [target_height, target_width, channels], or of several.
    Raises:
      ValueError: for another rank.
      InvalidArgumentError: if there is no room for the pictures.

    >>> tf.image.pad_to_bounding_box(tf.ones([1, 1, 1]), 0, 1, 2, 3)[..., 0].numpy()
    array([[0., 1., 0.],
           [0., 0., 0.]], dtype=float32)
    """
    x, single = pictures(image, "pad_to_bounding_box")
    height, width = making.like_shape(x)[1:3]
    below, right = target_height - offset_height - height, target_width - offset_width - width
    for room in (offset_height, offset_width, below, right):
        require(m.greater_equal(room, 0), "pad_to_bounding_box: there is no room for the picture")
    edges = [[offset_height, below], [offset_width, right], [0, 0]]
    return pad(operand(image), edges if single else [[0, 0], *edges])


def central_crop(image: TensorLike, central_fraction: float) -> Tensor:
    """The middle of pictures.

    Args:
      image: one picture, or several.
      central_fraction: which part of the height and of the width stays, above 0 and at most 1.
    Returns: a tensor of its dtype.
    Raises:
      ValueError: for another rank, or another fraction.

    >>> tf.image.central_crop(tf.zeros([4, 8, 3]), 0.5).shape
    TensorShape([2, 4, 3])
    """
    x, _ = pictures(image, "central_crop")
    if not 0 < central_fraction <= 1:
        raise ValueError(f"central_crop: the fraction is above 0 and at most 1, not {central_fraction}")
    cuts = []
    for size in (x.shape[1], x.shape[2]):
        first = _whole((_real(size) - _real(size) * central_fraction) / 2)
        cuts.append(slice(first, size - first))
    return operand(image)[..., cuts[0], cuts[1], :]


def resize_with_crop_or_pad(image: TensorLike, target_height: int, target_width: int) -> Tensor:
    """Pictures in another size, of which the edges are cut off, or get zeros around them.

    Args:
      image: one picture, or several.
      target_height, target_width: the new height and width.
    Returns: a tensor of its dtype.
    Raises:
      ValueError: for another rank.

    >>> tf.image.resize_with_crop_or_pad(tf.zeros([4, 6, 3]), 5, 5).shape
    TensorShape([5, 5, 3])
    """
    x, _ = pictures(image, "resize_with_crop_or_pad")
    found = operand(image)
    for axis, wanted in ((1, target_height), (2, target_width)):
        size = x.shape[axis]
        cut, room = _at_least_0((size - wanted) // 2), _at_least_0((wanted - size) // 2)
        kept = wanted - _at_least_0(wanted - size)
        part = slice(cut, cut + kept)
        found = found[..., part, :, :] if axis == 1 else found[..., part, :]
        edges = [[0, 0]] * len(making.like_shape(found))
        edges[-4 + axis] = [room, wanted - kept - room]
        found = pad(found, edges)
    return _of_size(found, target_height, target_width)


def resize_with_pad(
    image: TensorLike, target_height: int, target_width: int, method: str = "bilinear", antialias: bool = False
) -> Tensor:
    """Pictures in another size, as large as they can be without another shape, and with zeros around them.

    Args:
      image: one picture, or several.
      target_height, target_width: the new height and width.
      method, antialias: as for `resize`.
    Returns: a tensor of float32, or of the dtype of `image` for ``"nearest"``.
    Raises:
      ValueError: for another rank.

    >>> tf.image.resize_with_pad(tf.zeros([4, 6, 3]), 5, 5).shape
    TensorShape([5, 5, 3])
    """
    x, _ = pictures(image, "resize_with_pad")
    height, width = _real(x.shape[1]), _real(x.shape[2])
    ratios = height / target_height, width / target_width
    ratio = ratios[0] + _at_least_0(ratios[1] - ratios[0])
    found = resize(image, [_whole(height / ratio), _whole(width / ratio)], method, antialias=antialias)
    top, left = ((wanted - size / ratio) / 2 for wanted, size in ((target_height, height), (target_width, width)))
    top, left = _whole(_at_least_0(top)), _whole(_at_least_0(left))
    padded = pad_to_bounding_box(found, top, left, target_height, target_width)
    return _of_size(padded, target_height, target_width)


def _real(size: Any) -> Any:
    """A size to divide: a number, or a tensor of float64 where only the graph knows it."""
    return cast(size, float64) if isinstance(size, Tensor) else size


def _whole(size: Any) -> Any:
    return cast(size, int32) if isinstance(size, Tensor) else int(size)


def _at_least_0(size: Any) -> Any:
    return m.maximum(size, cast(0, size.dtype)) if isinstance(size, Tensor) else max(size, 0)


def _of_size(images: Tensor, height: int, width: int) -> Tensor:
    """Pictures of this height and width, if that was not known of them."""
    known = [d if isinstance(d, int) else None for d in making.like_shape(images)]
    return ensure_shape(images, [*known[:-3], height, width, known[-1]])


def _chosen(lower: float, upper: float, seed: TensorLike | None) -> Tensor:
    """A number between two others: another one at each run, or that of a seed of two numbers."""
    if seed is None or isinstance(seed, int):
        return drawn(random_ops.uniform, lower, upper, [], float32, seed)
    return stateless_uniform([], seed, lower, upper)


def _change(what: str, max_delta: float, seed: TensorLike | None) -> Tensor:
    if max_delta < 0:
        raise ValueError(f"{what}: max_delta must not be negative, and is {max_delta}")
    return _chosen(-max_delta, max_delta, seed)


def _turn(what: str, max_delta: float, seed: TensorLike | None) -> Tensor:
    if max_delta > 0.5:
        raise ValueError(f"{what}: max_delta is at most 0.5, half the circle of colours, and is {max_delta}")
    return _change(what, max_delta, seed)


def _factor(what: str, lower: float, upper: float, seed: TensorLike | None) -> Tensor:
    if upper <= lower or lower < 0:
        raise ValueError(f"{what}: upper must be greater than lower, which is not negative: {lower}, {upper}")
    return _chosen(lower, upper, seed)


def random_brightness(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """Pictures whose brightness is another one at each run.

    Args:
      image: a tensor of any shape.
      max_delta: what is added is between this number and its opposite.
      seed: what decides, with that of `random.set_seed`, how much.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for a negative number.

    >>> tf.image.random_brightness(tf.zeros([4, 6, 3]), 0.25).shape
    TensorShape([4, 6, 3])
    """
    return adjust_brightness(image, _change("random_brightness", max_delta, seed))


def random_contrast(image: TensorLike, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """Pictures whose contrast is another one at each run.

    Args:
      image: a tensor of shape [..., height, width, channels].
      lower, upper: between which numbers the factor lies.
      seed: what decides, with that of `random.set_seed`, which one it is.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: if the second number is not greater than the first, or that is negative.

    >>> tf.image.random_contrast(tf.zeros([4, 6, 3]), 0.5, 2.0).shape
    TensorShape([4, 6, 3])
    """
    return adjust_contrast(image, _factor("random_contrast", lower, upper, seed))


def random_hue(image: TensorLike, max_delta: float, seed: int | None = None) -> Tensor:
    """Pictures whose hue is another one at each run.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      max_delta: what is added is between this number and its opposite, 0.5 at most.
      seed: what decides, with that of `random.set_seed`, which one it is.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for a negative number, or one above 0.5.

    >>> tf.image.random_hue(tf.zeros([4, 6, 3]), 0.25).shape
    TensorShape([4, 6, 3])
    """
    return adjust_hue(image, _turn("random_hue", max_delta, seed))


def random_saturation(image: TensorLike, lower: float, upper: float, seed: int | None = None) -> Tensor:
    """Pictures whose saturation is another one at each run.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      lower, upper: between which numbers the factor lies.
      seed: what decides, with that of `random.set_seed`, which one it is.
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: if the second number is not greater than the first, or that is negative.

    >>> tf.image.random_saturation(tf.zeros([4, 6, 3]), 0.5, 2.0).shape
    TensorShape([4, 6, 3])
    """
    return adjust_saturation(image, _factor("random_saturation", lower, upper, seed))


def stateless_random_brightness(image: TensorLike, max_delta: float, seed: TensorLike) -> Tensor:
    """Pictures whose brightness is another one, as a seed decides.

    Args:
      image: a tensor of any shape.
      max_delta: what is added is between this number and its opposite.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for a negative number.

    >>> tf.image.stateless_random_brightness(tf.zeros([4, 6, 3]), 0.25, seed=[1, 2]).shape
    TensorShape([4, 6, 3])
    """
    return adjust_brightness(image, _change("stateless_random_brightness", max_delta, seed))


def stateless_random_contrast(image: TensorLike, lower: float, upper: float, seed: TensorLike) -> Tensor:
    """Pictures whose contrast is another one, as a seed decides.

    Args:
      image: a tensor of shape [..., height, width, channels].
      lower, upper: between which numbers the factor lies.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: if the second number is not greater than the first, or that is negative.

    >>> tf.image.stateless_random_contrast(tf.zeros([4, 6, 3]), 0.5, 2.0, seed=[1, 2]).shape
    TensorShape([4, 6, 3])
    """
    return adjust_contrast(image, _factor("stateless_random_contrast", lower, upper, seed))


def stateless_random_hue(image: TensorLike, max_delta: float, seed: TensorLike) -> Tensor:
    """Pictures whose hue is another one, as a seed decides.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      max_delta: what is added is between this number and its opposite, 0.5 at most.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: for a negative number, or one above 0.5.

    >>> tf.image.stateless_random_hue(tf.zeros([4, 6, 3]), 0.25, seed=[1, 2]).shape
    TensorShape([4, 6, 3])
    """
    return adjust_hue(image, _turn("stateless_random_hue", max_delta, seed))


def stateless_random_saturation(image: TensorLike, lower: float, upper: float, seed: TensorLike) -> Tensor:
    """Pictures whose saturation is another one, as a seed decides.

    Args:
      image: a tensor of shape [..., 3]: red, green and blue.
      lower, upper: between which numbers the factor lies.
      seed: two whole numbers, a tensor of shape [2].
    Returns: a tensor of its shape and dtype.
    Raises:
      ValueError: if the second number is not greater than the first, or that is negative.

    >>> tf.image.stateless_random_saturation(tf.zeros([4, 6, 3]), 0.5, 2.0, seed=[1, 2]).shape
    TensorShape([4, 6, 3])
    """
    return adjust_saturation(image, _factor("stateless_random_saturation", lower, upper, seed))


def total_variation(images: TensorLike, name: str | None = None) -> Tensor:
    """How much pictures differ from one number to the next: a sum of absolute differences.

    Args:
      images: one picture, or several.
    Returns: a tensor of shape (), or of shape [pictures].
    Raises:
      ValueError: for another rank.

    >>> print(tf.image.total_variation([[[1.0], [3.0]]]).numpy())
    2.0
    """
    x, single = pictures(images, "total_variation")
    down, right = m.abs(x[:, 1:] - x[:, :-1]), m.abs(x[:, :, 1:] - x[:, :, :-1])
    found = r.reduce_sum(down, [1, 2, 3]) + r.reduce_sum(right, [1, 2, 3])
    return found[0] if single else found


def image_gradients(image: TensorLike) -> tuple[Tensor, Tensor]:
    """By how much each number is less than the one below it, and than the one to its right.

    Args:
      image: several pictures, a tensor of rank 4.
    Returns: two tensors of its shape, whose last row, or column, is zero.
    Raises:
      ValueError: for another rank.

    >>> print(tf.image.image_gradients([[[[1.0], [3.0]]]])[1].numpy().ravel())
    [2. 0.]
    """
    x, single = pictures(image, "image_gradients")
    if single:
        raise ValueError(
            f"image_gradients takes several pictures, of rank 4, not a tensor of shape {operand(image).shape}"
        )
    down, right = x[:, 1:] - x[:, :-1], x[:, :, 1:] - x[:, :, :-1]
    return (
        concat([down, making.zeros_like(x[:, :1])], 1),
        concat([right, making.zeros_like(x[:, :, :1])], 2),
    )


def psnr(a: TensorLike, b: TensorLike, max_val: float, name: str | None = None) -> Tensor:
    """How alike pictures are, in decibels.

    Args:
      a, b: tensors of one shape [..., height, width, channels].
      max_val: the largest number that there can be.
    Returns: a tensor of shape [...], of float32.

    >>> print(tf.image.psnr([[[0.0]]], [[[0.1]]], max_val=1.0).numpy().round(3))
    20.0
    """
    x, y = promote([convert_image_dtype(operand(a), float32), convert_image_dtype(operand(b), float32)])
    most = float(max_val) if operand(a).dtype.is_floating else max_val / operand(a).dtype.max
    error = r.reduce_mean(m.square(x - y), [-3, -2, -1])
    return (20.0 * np.log(most).astype(np.float32) - 10.0 * m.log(error)) / np.float32(np.log(10.0))
