"""Blocks of images as channels, and the other way."""

from __future__ import annotations

import math
from collections.abc import Sequence

from runtime.graph.errors import InvalidArgumentError
from runtime.tensors.conversion import operand
from runtime.tensors.making import like_shape
from runtime.tensors.parts import pad
from runtime.tensors.shaping import require, reshape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, TensorLike
from runtime.tensors.windows import Format


def _block(function: str, size: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int):
        raise TypeError(f"{function} with block_size={size!r:.60}: it must be a whole number, known while tracing")
    if size < 2:
        raise InvalidArgumentError(f"{function} with block_size={size}: it must be at least 2")
    return size


def _divided(function: str, what: str, number: Size, size: int) -> None:
    count = f"{number} " if isinstance(number, int) else ""
    require(number % size == 0, f"{function}: {count}{what} are no multiple of {size}")


def depth_to_space(
    input: TensorLike, block_size: int, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """The channels of each pixel as a block of pixels, which have fewer channels.

    Args:
      input: images of shape [batch, height, width, block_size² · channels].
      block_size: how many pixels a block has in each direction, at least 2.
      data_format: "NHWC", or "NCHW" for channels that come first.
    Returns: a tensor of shape [batch, height · block_size, width · block_size, channels] and the dtype of `input`.
    Raises:
      InvalidArgumentError: if the number of channels is no multiple of the pixels of a block.

    >>> print(tf.nn.depth_to_space([[[[1, 2, 3, 4]]]], 2).numpy().tolist())
    [[[[1], [2]], [[3], [4]]]]
    """
    size = _block("depth_to_space", block_size)
    form = Format.of("depth_to_space", 2, data_format)
    x = form.last(operand(input))
    batch, height, width, depth = like_shape(x)
    _divided("depth_to_space", "channels", depth, size**2)
    parts = reshape(x, [batch, height, width, size, size, depth // size**2])
    made = reshape(transpose(parts, [0, 1, 3, 2, 4, 5]), [batch, height * size, width * size, depth // size**2])
    return form.back(made)


def space_to_depth(
    input: TensorLike, block_size: int, data_format: str | None = "NHWC", name: str | None = None
) -> Tensor:
    """Blocks of pixels as one pixel each, with the channels of all.

    Args:
      input: images of shape [batch, height, width, channels].
      block_size: how many pixels a block has in each direction, at least 2.
      data_format: "NHWC", or "NCHW" for channels that come first.
    Returns: a tensor of shape [batch, height / block_size, width / block_size, block_size² · channels] and the dtype of
      `input`.
    Raises:
      InvalidArgumentError: if height or width is no multiple of the size of a block.

    >>> print(tf.nn.space_to_depth([[[[1], [2]], [[3], [4]]]], 2).numpy().tolist())
    [[[[1, 2, 3, 4]]]]
    """
    size = _block("space_to_depth", block_size)
    form = Format.of("space_to_depth", 2, data_format)
    x = form.last(operand(input))
    batch, height, width, depth = like_shape(x)
    _divided("space_to_depth", "rows", height, size)
    _divided("space_to_depth", "columns", width, size)
    parts = reshape(x, [batch, height // size, size, width // size, size, depth])
    made = reshape(transpose(parts, [0, 1, 3, 2, 4, 5]), [batch, height // size, width // size, depth * size**2])
    return form.back(made)


def space_to_batch(
    input: TensorLike, block_shape: Sequence[int], paddings: Sequence[Sequence[int]], name: str | None = None
) -> Tensor:
    """The elements of each block as elements of different batches.

    Args:
      input: a tensor of shape [batch, *sizes, ...].
      block_shape: how many elements a block has along each of the axes after the first.
      paddings: how many zeros come before and after along each of these axes, as pairs of numbers.
    Returns: a tensor of shape [batch * elements of a block, *blocks, ...] and of the dtype of `input`.
    Raises:
      InvalidArgumentError: if sizes are no multiples of those of a block.

    >>> print(tf.space_to_batch([[1, 2, 3, 4]], [2], [[0, 0]]).numpy())
    [[1 3]
     [2 4]]
    """
    block, edges = [int(n) for n in block_shape], [[int(n) for n in pair] for pair in paddings]
    x, count = operand(input), len(block)
    x = pad(x, [[0, 0], *edges, *[[0, 0]] * (len(x.shape) - 1 - count)])
    batch, *sizes = like_shape(x)
    split = []
    for size, part in zip(sizes, block):
        _divided("space_to_batch", "elements", size, part)
        split += [size // part, part]
    first = [2 * k + 2 for k in range(count)]
    others = [k for k in range(1 + 2 * count + len(sizes) - count) if k and k not in first]
    parts = transpose(reshape(x, [batch, *split, *sizes[count:]]), [*first, 0, *others])
    return reshape(parts, [batch * math.prod(block), *split[::2], *sizes[count:]])


def batch_to_space(
    input: TensorLike, block_shape: Sequence[int], crops: Sequence[Sequence[int]], name: str | None = None
) -> Tensor:
    """The inverse of `space_to_batch`.

    Args:
      input: a tensor of shape [batch * elements of a block, *blocks, ...].
      block_shape: how many elements a block has along each of the axes after the first.
      crops: how many elements are cut off before and after along each of these axes, as pairs of numbers.
    Returns: a tensor of shape [batch, *sizes, ...] and of the dtype of `input`.
    Raises:
      InvalidArgumentError: if the batch is no multiple of the elements of a block.

    >>> print(tf.batch_to_space([[1, 3], [2, 4]], [2], [[0, 0]]).numpy())
    [[1 2 3 4]]
    """
    block = [int(n) for n in block_shape]
    x, count = operand(input), len(block)
    batch, *sizes = like_shape(x)
    _divided("batch_to_space", "batches", batch, math.prod(block))
    left = batch // math.prod(block)
    order = [count]
    for k in range(count):
        order += [count + 1 + k, k]
    parts = transpose(reshape(x, [*block, left, *sizes]), [*order, *range(2 * count + 1, count + 1 + len(sizes))])
    whole = [size * part for size, part in zip(sizes, block)]
    found = reshape(parts, [left, *whole, *sizes[count:]])
    cuts = [slice(int(before), size - int(after)) for (before, after), size in zip(crops, whole)]
    return found[(slice(None), *cuts)]
