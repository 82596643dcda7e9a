"""What is seen in pictures: edges, parts, and how alike two of them are."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.graph.dtypes import NumPyArray, float32
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.tensors import making, mathematics as m, reductions as r
from runtime.tensors.colours import convert_image_dtype
from runtime.tensors.conversion import cast, constant, operand
from runtime.tensors.convolutions import depthwise_conv2d
from runtime.tensors.parts import pad
from runtime.tensors.pooling import avg_pool2d
from runtime.tensors.resizing import pictures
from runtime.tensors.shaping import concat, reshape, reverse, stack, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

_POWERS = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333)  # of the scales, as people see them (Wang, Simoncelli and Bovik)


def sobel_edges(image: TensorLike) -> Tensor:
    """How much the numbers of pictures change downwards, and to the right, by Sobel's filters.

    Args:
      image: floats of shape [pictures, height, width, channels].
    Returns: a tensor of shape [pictures, height, width, channels, 2].
    Raises:
      InvalidArgumentError: for another rank.

    >>> tf.image.sobel_edges(tf.zeros([1, 4, 5, 3])).shape
    TensorShape([1, 4, 5, 3, 2])
    """
    x, single = pictures(image, "sobel_edges")
    if single:
        raise InvalidArgumentError(
            f"sobel_edges takes several pictures, of rank 4, not a tensor of shape {operand(image).shape}"
        )
    down = np.array([[-1, -2, -1], [0, 0, 0], [1, 2, 1]], x.dtype.dtype)
    batch, height, width, channels = making.like_shape(x)
    around = pad(x, [[0, 0], [1, 1], [1, 1], [0, 0]], "REFLECT")
    filters = making.ones([1, 1, channels, 1], x.dtype) * np.stack([down, down.T], -1)[:, :, None]
    return reshape(depthwise_conv2d(around, filters, [1, 1, 1, 1], "VALID"), [batch, height, width, channels, 2])


def extract_patches(
    images: TensorLike,
    sizes: Sequence[int],
    strides: Sequence[int],
    rates: Sequence[int],
    padding: str,
    name: str | None = None,
) -> Tensor:
    """Parts of pictures, side by side.

    Args:
      images: a tensor of shape [pictures, height, width, channels].
      sizes: ``[1, rows, columns, 1]``, the size of a part.
      strides: ``[1, rows, columns, 1]``, from one part to the next.
      rates: ``[1, rows, columns, 1]``, from one element of a part to the next.
      padding: ``"VALID"`` for parts inside of the pictures, ``"SAME"`` for zeros around them.
    Returns: a tensor of shape [pictures, parts down, parts across, rows * columns * channels].
    Raises:
      InvalidArgumentError: for another rank, sizes or padding.

    >>> tf.image.extract_patches(tf.zeros([1, 4, 6, 3]), [1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 3, 12])
    """
    x = operand(images)
    if x.shape.rank != 4 or padding not in ("VALID", "SAME"):
        raise InvalidArgumentError(
            f"extract_patches of shape {x.shape} with padding={padding!r}: rank 4, 'VALID' or 'SAME'"
        )
    for given in (sizes, strides, rates):
        if len(given) != 4 or given[0] != 1 or given[3] != 1 or min(given) < 1:
            raise InvalidArgumentError(f"extract_patches with {list(given)}: it is [1, rows, columns, 1]")
    return concat(_patches(x, sizes, strides, rates, padding), -1)


def _patches(
    x: Tensor, sizes: Sequence[int], strides: Sequence[int], rates: Sequence[int], padding: str, outside: float = 0
) -> list[Tensor]:
    """For each element of a part what stands there in all parts."""
    edges, counts = [[0, 0]], []
    for axis in (1, 2):
        size, reach = making.like_shape(x)[axis], (sizes[axis] - 1) * rates[axis] + 1
        if padding == "SAME":
            count = -(-size // strides[axis])
            missing = _at_least_0((count - 1) * strides[axis] + reach - size)
            edges.append([missing // 2, missing - missing // 2])
        else:
            count = _at_least_0((size - reach) // strides[axis] + 1)
            edges.append([0, 0])
        counts.append(count)
    x = pad(x, [*edges, [0, 0]], constant_values=outside)
    found = []
    for row in range(0, sizes[1] * rates[1], rates[1]):
        for column in range(0, sizes[2] * rates[2], rates[2]):
            down = slice(row, row + (counts[0] - 1) * strides[1] + 1, strides[1])
            across = slice(column, column + (counts[1] - 1) * strides[2] + 1, strides[2])
            found.append(x[:, down, across])
    return found


def dilation2d(
    input: TensorLike,
    filters: TensorLike,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Tensor:
    """Pictures in which each number is the largest around it, after a filter is added.

    Args:
      input: floats of shape [pictures, height, width, channels].
      filters: what is added, of shape [rows, columns, channels].
      strides: ``[1, rows, columns, 1]``, from one place to the next.
      padding: ``"VALID"`` for places inside of the pictures, ``"SAME"`` for all.
      data_format: ``"NHWC"``.
      dilations: ``[1, rows, columns, 1]``, from one number around a place to the next.
    Returns: a tensor of shape [pictures, rows, columns, channels].
    Raises:
      ValueError: for another format or padding.

    >>> x = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1])
    >>> print(tf.nn.dilation2d(x, tf.zeros([1, 2, 1]), [1] * 4, "SAME", "NHWC", [1] * 4).numpy().ravel())
    [5. 5. 2.]
    """
    if data_format != "NHWC" or padding not in ("VALID", "SAME"):
        raise ValueError(f"data_format={data_format!r}, padding={padding!r}: 'NHWC' is there, 'VALID' and 'SAME'")
    x, added = operand(input), operand(filters)
    rows, columns, _ = making.like_shape(added)
    if not (isinstance(rows, int) and isinstance(columns, int)):
        raise InvalidArgumentError(f"filters of shape {added.shape}: their size must be known while tracing")
    found = _patches(x, [1, rows, columns, 1], strides, dilations, padding, float("-inf"))
    weights = reshape(added, [rows * columns, -1])
    return functools.reduce(m.maximum, (part + weights[k] for k, part in enumerate(found)))


def erosion2d(
    value: TensorLike,
    filters: TensorLike,
    strides: Sequence[int],
    padding: str,
    data_format: str,
    dilations: Sequence[int],
    name: str | None = None,
) -> Tensor:
    """Pictures in which each number is the least around it, after a filter is taken off.

    Args:
      value: floats of shape [pictures, height, width, channels].
      filters: what is taken off, of shape [rows, columns, channels].
      strides, padding, data_format, dilations: as for `dilation2d`.
    Returns: a tensor of shape [pictures, rows, columns, channels].
    Raises:
      ValueError: for another format or padding.

    >>> x = tf.reshape([1.0, 5.0, 2.0], [1, 1, 3, 1])
    >>> print(tf.nn.erosion2d(x, tf.zeros([1, 2, 1]), [1] * 4, "VALID", "NHWC", [1] * 4).numpy().ravel())
    [1. 2.]
    """
    turned = reverse(operand(filters), [0, 1])
    return -dilation2d(-operand(value), turned, strides, padding, data_format, dilations)


def _at_least_0(size: Any) -> Any:
    return m.maximum(size, 0) if isinstance(size, Tensor) else max(size, 0)


@functools.lru_cache(8)
def _gaussian(size: int, sigma: float) -> NumPyArray:
    """A bell of the sum 1; that of two dimensions is the product of two."""
    bell = np.exp(-0.5 * (np.arange(size) - (size - 1) / 2) ** 2 / sigma**2)
    made: NumPyArray = (bell / bell.sum()).astype(np.float32)
    return made


def _two(img1: TensorLike, img2: TensorLike, max_val: float) -> tuple[Tensor, Tensor, Tensor]:
    """Pictures of floats, and how large their numbers can be then."""
    a, b = operand(img1), operand(img2)
    most = cast(max_val, float32) if a.dtype.is_floating else constant(max_val / a.dtype.max, dtype=float32)
    return convert_image_dtype(a, float32), convert_image_dtype(b, float32), most


def _compared(
    x: Tensor, y: Tensor, most: Tensor, size: int, sigma: float, k1: float, k2: float
) -> tuple[Tensor, Tensor]:
    """How alike the brightness and the contrast of all surroundings are, and the contrast alone."""
    *outer, height, width, channels = making.like_shape(x)
    bell = making.ones([1, 1, channels, 1]) * _gaussian(size, sigma)[:, None, None, None]
    turned = transpose(bell, [1, 0, 2, 3])

    def mean(values: Tensor) -> Tensor:
        flat = reshape(values, [-1, height, width, channels])
        found = depthwise_conv2d(depthwise_conv2d(flat, bell, [1] * 4, "VALID"), turned, [1] * 4, "VALID")
        return reshape(found, [*outer, *making.like_shape(found)[1:]])

    c1, c2 = m.square(most * k1), m.square(most * k2)
    mean_x, mean_y = mean(x), mean(y)
    products, squares = mean_x * mean_y * 2.0, m.square(mean_x) + m.square(mean_y)
    brightness = (products + c1) / (squares + c1)
    contrast = (mean(x * y) * 2.0 - products + c2) / (mean(m.square(x) + m.square(y)) - squares + c2)
    return brightness * contrast, contrast


def _refuse(what: str, x: Tensor, y: Tensor, size: int) -> None:
    for image in (x, y):
        if image.shape.rank is None or image.shape.rank < 3:
            raise InvalidArgumentError(
                f"{what} takes pictures of shape [..., height, width, channels], not {image.shape}"
            )
        if any(isinstance(d, int) and d < size for d in making.like_shape(image)[-3:-1]):
            raise InvalidArgumentError(
                f"{what} of shape {image.shape}: a picture is at least as large as the filter, {size}"
            )
    if not TensorShape(x.type.shape)[-3:].is_compatible_with(TensorShape(y.type.shape)[-3:]):
        raise InvalidArgumentError(f"{what} of pictures of shapes {x.shape} and {y.shape}")


def ssim(
    img1: TensorLike,
    img2: TensorLike,
    max_val: float,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
    return_index_map: bool = False,
) -> Tensor:
    """How alike pictures look, by the index of structural similarity: 1 for the same.

    Args:
      img1, img2: tensors of one shape [..., height, width, channels].
      max_val: the largest number that there can be.
      filter_size, filter_sigma: of the bell that weighs the surroundings of each number.
      k1, k2: what keeps quotients of small numbers in bounds.
      return_index_map: whether the index of each place is wanted, rather than the mean.
    Returns: a tensor of shape [...], or of shape [..., rows, columns], of float32.
    Raises:
      InvalidArgumentError: for pictures of a lower rank, of different sizes, or smaller than the filter.

    >>> print(tf.image.ssim(tf.ones([16, 16, 3]), tf.ones([16, 16, 3]), max_val=1.0).numpy())
    1.0
    """
    x, y, most = _two(img1, img2, max_val)
    _refuse("ssim", x, y, filter_size)
    index, _ = _compared(x, y, most, filter_size, filter_sigma, k1, k2)
    return r.reduce_mean(index, [-1] if return_index_map else [-3, -2, -1])


def ssim_multiscale(
    img1: TensorLike,
    img2: TensorLike,
    max_val: float,
    power_factors: Sequence[float] = _POWERS,
    filter_size: int = 11,
    filter_sigma: float = 1.5,
    k1: float = 0.01,
    k2: float = 0.03,
) -> Tensor:
    """How alike pictures look from near and from far: a product of powers of the contrasts that `ssim` compares.

    Args:
      img1, img2: tensors of one shape [..., height, width, channels].
      max_val: the largest number that there can be.
      power_factors: the exponents, one for each scale; at each the pictures are half as large.
      filter_size, filter_sigma, k1, k2: as for `ssim`.
    Returns: a tensor of shape [...], of float32.
    Raises:
      InvalidArgumentError: for pictures of a lower rank, of different sizes, or smaller than the filter.

    >>> image = tf.ones([32, 32, 3])
    >>> print(tf.image.ssim_multiscale(image, image, 1.0, power_factors=[0.5, 0.5]).numpy())
    1.0
    """
    x, y, most = _two(img1, img2, max_val)
    found: list[Tensor] = []
    index = constant(1.0)
    for scale, _ in enumerate(power_factors):
        if scale:
            x, y = _halved(x), _halved(y)
        _refuse("ssim_multiscale", x, y, filter_size)
        index, contrast = (
            m.maximum(r.reduce_mean(part, [-3, -2]), 0.0)
            for part in _compared(x, y, most, filter_size, filter_sigma, k1, k2)
        )
        found.append(contrast)
    powers = m.pow(stack([*found[:-1], index], -1), constant(list(power_factors), dtype=float32))
    return r.reduce_mean(r.reduce_prod(powers, -1), -1)


def _halved(x: Tensor) -> Tensor:
    """Pictures half as large; what is odd gets its last row, or column, twice."""
    *outer, height, width, channels = making.like_shape(x)
    flat = reshape(x, [-1, height, width, channels])
    flat = pad(flat, [[0, 0], [0, height % 2], [0, width % 2], [0, 0]], "SYMMETRIC")
    found = avg_pool2d(flat, 2, 2, "VALID")
    return reshape(found, [*outer, *making.like_shape(found)[1:]])
