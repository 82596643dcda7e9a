"""Bounding boxes drawn into images."""

from __future__ import annotations

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.tensors.conversion import cast, operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

_YELLOW_BLUE_RED_AND_SO_ON = [
    [1, 1, 0, 1], [0, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [0.5, 0, 0.5, 1],
    [0.5, 0.5, 0, 1], [0.5, 0, 0, 1], [0, 0, 0.5, 1], [0, 1, 1, 1], [1, 0, 1, 1],
]  # fmt: skip


def draw_bounding_boxes(
    images: TensorLike, boxes: TensorLike, colors: TensorLike | None = None, name: str | None = None
) -> Tensor:
    """Images with the edges of boxes drawn into them, a pixel wide.

    Args:
      images: floats of shape [batch, height, width, channels], of 1, 3 or 4 channels.
      boxes: of shape [batch, n, 4]: where each begins and ends, as parts of the height and the width: top, left,
        bottom, right. What is outside of the image is not drawn.
      colors: of shape [m, channels], which take turns; ten by default, the first of them yellow.
    Returns: a tensor of the shape and dtype of `images`.
    Raises:
      InvalidArgumentError: for other shapes.

    >>> drawn = tf.image.draw_bounding_boxes(tf.zeros([1, 3, 3, 1]), [[[0.0, 0.0, 1.0, 1.0]]], [[1.0]])
    >>> drawn[0, :, :, 0].numpy().astype(int).tolist()
    [[1, 1, 1], [1, 0, 1], [1, 1, 1]]
    """
    x, where = operand(images), operand(boxes)
    if x.shape.rank not in (None, 4):
        raise InvalidArgumentError(f"The rank of the images should be 4: {x.shape}")
    if where.shape.rank not in (None, 3) or (where.shape.rank == 3 and where.shape[-1] not in (None, 4)):
        raise InvalidArgumentError(f"The rank of the boxes tensor should be 3, of 4 numbers each: {where.shape}")
    if x.shape.rank == 4 and isinstance(x.shape[-1], int) and x.shape[-1] not in (1, 3, 4):
        raise InvalidArgumentError(f"Channel depth should be either 1 (GRY), 3 (RGB), or 4 (RGBA): {x.shape}")
    table = operand(_YELLOW_BLUE_RED_AND_SO_ON if colors is None else colors)
    spec = TensorSpec(TensorShape(x.shape), x.dtype)
    found: Tensor = numpy_function(_drawn, [x, where, cast(table, x.dtype)], spec)  # type: ignore[assignment]
    return found


def _drawn(images: NumPyArray, boxes: NumPyArray, colors: NumPyArray) -> NumPyArray:
    made = images.copy()
    depth = images.shape[-1]
    if depth not in (1, 3, 4) or colors.ndim != 2 or colors.shape[1] < depth or len(boxes) != len(images):
        raise InvalidArgumentError(f"images {images.shape}, boxes {boxes.shape} and colors {colors.shape}")
    for image, here in zip(made, boxes):
        for number, box in enumerate(here):
            _draw(image, box, colors[number % len(colors), :depth])
    return made


def _draw(image: NumPyArray, box: NumPyArray, color: NumPyArray) -> None:
    height, width = image.shape[:2]
    single = box.astype(np.float32) * np.array([height - 1, width - 1] * 2, np.float32)
    top, left, bottom, right = (int(edge) for edge in single)
    if top > bottom or left > right or top >= height or bottom < 0 or left >= width or right < 0:
        return
    rows, columns = slice(max(top, 0), min(bottom, height - 1) + 1), slice(max(left, 0), min(right, width - 1) + 1)
    for row in (top, bottom):
        if 0 <= row < height:
            image[row, columns] = color
    for column in (left, right):
        if 0 <= column < width:
            image[rows, column] = color
