"""Boxes in pictures: what is in them, and which of those that overlap are kept."""

from __future__ import annotations

from typing import Any

from runtime.graph.dtypes import float32, int32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.ops import boxes as ops, elementwise as ew
from runtime.tensors import making, mathematics as m
from runtime.tensors.conversion import cast, operand
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.parts import gather, pad
from runtime.tensors.resizing import pictures
from runtime.tensors.shaping import expand_dims, require, reshape, size, unstack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import ShapeLike, SizeLike, TensorLike


def crop_and_resize(
    image: TensorLike,
    boxes: TensorLike,
    box_indices: TensorLike,
    crop_size: ShapeLike,
    method: str = "bilinear",
    extrapolation_value: float = 0.0,
    name: str | None = None,
) -> Tensor:
    """Parts of pictures, all in one size.

    Args:
      image: a tensor of shape [pictures, height, width, channels].
      boxes: top, left, bottom and right of each part, of shape [n, 4]: 0 is the first row or column, 1 the last.
      box_indices: in which picture each part is, of shape [n].
      crop_size: the height and width of the results.
      method: ``"bilinear"`` or ``"nearest"``.
      extrapolation_value: what is outside of the pictures.
    Returns: a tensor of shape [n, height, width, channels], of float32.
    Raises:
      InvalidArgumentError: for another rank or method, or if there is no such picture.

    >>> image = tf.reshape(tf.range(9.0), [1, 3, 3, 1])
    >>> print(tf.image.crop_and_resize(image, [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2])[0, ..., 0].numpy())
    [[0. 2.]
     [6. 8.]]
    """
    x, single = pictures(image, "crop_and_resize")
    if single or method not in ("bilinear", "nearest"):
        raise InvalidArgumentError(
            f"crop_and_resize of shape {operand(image).shape} with method={method!r}: several pictures, "
            "'bilinear' or 'nearest'"
        )
    batch, height, width, channels = making.like_shape(x)
    which = gather(making.range(batch), operand(box_indices))  # which refuses others
    top, left, bottom, right = unstack(cast(operand(boxes), float32), 4, -1)
    rows, columns = unstack(cast(operand(crop_size), int32), 2) if isinstance(crop_size, Tensor) else crop_size  # type: ignore[misc]
    down, across = _places(top, bottom, rows, height), _places(left, right, columns, width)
    flat = reshape(cast(x, float32), [-1, channels])

    def at(row: Tensor, column: Tensor) -> Tensor:
        lines = expand_dims(which, 1) * height + row
        return gather(flat, expand_dims(lines, 2) * width + expand_dims(column, 1))

    if method == "nearest":
        found = at(_inside(m.floor(down + 0.5), height), _inside(m.floor(across + 0.5), width))
    else:
        (above, below, part_down), (before, after, part_across) = _beside(down, height), _beside(across, width)
        part_down, part_across = expand_dims(expand_dims(part_down, 2), 3), expand_dims(expand_dims(part_across, 1), 3)
        upper = at(above, before) + (at(above, after) - at(above, before)) * part_across
        lower = at(below, before) + (at(below, after) - at(below, before)) * part_across
        found = upper + (lower - upper) * part_down
    is_inside = m.logical_and(expand_dims(_is_in(down, height), 2), expand_dims(_is_in(across, width), 1))
    return apply(ew.where, expand_dims(is_inside, 3), found, cast(extrapolation_value, float32))


def _places(first: Tensor, last: Tensor, count: Any, size: Any) -> Tensor:
    """Where the rows of parts lie among those of the picture, of shape [n, count]."""
    most = cast(size - 1, float32)
    if isinstance(count, int) and count == 1:
        return expand_dims((first + last) * 0.5 * most, 1)
    step = (last - first) * most / cast(count - 1, float32)
    return expand_dims(first * most, 1) + expand_dims(step, 1) * cast(making.range(count), float32)


def _inside(places: Tensor, size: Any) -> Tensor:
    return m.clipped(cast(places, int32), 0, size - 1)


def _beside(places: Tensor, size: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The rows before and after places, and how far they are from the first."""
    low = m.floor(places)
    return _inside(low, size), _inside(m.ceil(places), size), places - low


def _is_in(places: Tensor, size: Any) -> Tensor:
    return m.logical_and(m.greater_equal(places, 0.0), m.less_equal(places, cast(size - 1, float32)))


def _best(
    boxes: TensorLike, scores: TensorLike, most: SizeLike, overlap: TensorLike, least: TensorLike, sigma: TensorLike
) -> tuple[Tensor, Tensor]:
    corners, values = cast(operand(boxes), float32), cast(operand(scores), float32)
    known, scored = TensorShape(corners.type.shape), TensorShape(values.type.shape)
    if not known.is_compatible_with([None, 4]):
        raise InvalidArgumentError(f"boxes of shape {corners.shape}: each is four numbers, in a tensor of shape [n, 4]")
    if not scored.is_compatible_with(known[:1]):
        raise InvalidArgumentError(f"scores of shape {values.shape} of boxes of shape {corners.shape}: each has one")
    limit = cast(operand(overlap), float32)
    require(m.logical_and(m.greater_equal(limit, 0.0), m.less_equal(limit, 1.0)), "iou_threshold is between 0 and 1")
    numbers = [cast(operand(most), int32), limit, *(cast(operand(v), float32) for v in (least, sigma))]
    indices, kept = apply_all(ops.best, corners, values, *numbers)
    return indices, kept


def non_max_suppression(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: SizeLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    name: str | None = None,
) -> Tensor:
    """Which boxes are kept: the one with the highest score, without those that it overlaps; the next of the rest.

    Args:
      boxes: two opposite corners of each, of shape [n, 4].
      scores: of shape [n].
      max_output_size: how many are kept at most.
      iou_threshold: what two boxes cover together, as a part of what they cover, that is too much if it is more.
      score_threshold: what a score is higher than.
    Returns: their numbers, int32 of shape [kept].
    Raises:
      InvalidArgumentError: for other shapes, or an `iou_threshold` that is not between 0 and 1.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9], [2.0, 2.0, 3.0, 3.0]]
    >>> print(tf.image.non_max_suppression(boxes, [0.5, 0.9, 0.1], 3).numpy())
    [1 2]
    """
    return _best(boxes, scores, max_output_size, iou_threshold, score_threshold, 0.0)[0]


def non_max_suppression_with_scores(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: SizeLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    soft_nms_sigma: TensorLike = 0.0,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which boxes are kept, and their scores, which boxes that overlap have lowered.

    Args:
      boxes, scores, max_output_size, iou_threshold, score_threshold: as for `non_max_suppression`.
      soft_nms_sigma: how little scores are lowered by boxes that overlap by less; 0 for not at all.
    Returns: their numbers, int32 of shape [kept], and their scores, of the same shape.
    Raises:
      InvalidArgumentError: for other shapes, or an `iou_threshold` that is not between 0 and 1.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.9]]
    >>> indices, scores = tf.image.non_max_suppression_with_scores(boxes, [0.5, 0.9], 3, 1.0, soft_nms_sigma=0.5)
    >>> print(indices.numpy(), scores.numpy().round(3))
    [1 0] [0.9   0.222]
    """
    return _best(boxes, scores, max_output_size, iou_threshold, score_threshold, soft_nms_sigma)


def non_max_suppression_padded(
    boxes: TensorLike,
    scores: TensorLike,
    max_output_size: SizeLike,
    iou_threshold: TensorLike = 0.5,
    score_threshold: TensorLike = float("-inf"),
    pad_to_max_output_size: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """Which boxes of one picture are kept, with zeros behind their numbers.

    Args:
      boxes, scores, max_output_size, iou_threshold, score_threshold: as for `non_max_suppression`.
      pad_to_max_output_size: whether there are as many numbers as `max_output_size` says.
    Returns: the numbers, int32 of shape [kept] or [max_output_size], and how many are valid, of shape ().
    Raises:
      InvalidArgumentError: for other shapes, or an `iou_threshold` that is not between 0 and 1.

    >>> boxes = [[0.0, 0.0, 1.0, 1.0]]
    >>> indices, count = tf.image.non_max_suppression_padded(boxes, [0.5], 3, pad_to_max_output_size=True)
    >>> print(indices.numpy(), count.numpy())
    [0 0 0] 1
    """
    indices = non_max_suppression(boxes, scores, max_output_size, iou_threshold, score_threshold)
    count = size(indices)
    if pad_to_max_output_size:
        most = max_output_size if isinstance(max_output_size, int) else operand(max_output_size)
        indices = reshape(pad(indices, [[0, most - count]]), [most])
    return indices, count
