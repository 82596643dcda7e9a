"""Pooling, by TensorFlow's names."""

from __future__ import annotations

from runtime.graph.dtypes import int64
from runtime.ops import nn as ops
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import like_shape, range
from runtime.tensors.operations import apply
from runtime.tensors.shaping import broadcast_to, ensure_shape, reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike
from runtime.tensors.windows import Format, NumbersLike, PaddingLike, format_by_rank


def _pooled(
    form: Format, how: str, input: object, ksize: object, strides: object, padding: object, dilations: object = 1
) -> Tensor:
    x = form.last(operand(input))
    return form.back(apply(ops.pool, x, how=how, **_windows(form, ksize, strides, padding, dilations)))


def _windows(form: Format, ksize: object, strides: object, padding: object, dilations: object = 1) -> dict[str, object]:
    window = form.numbers(ksize, "ksize")
    return {
        "window": window,
        "strides": window if strides is None else form.numbers(strides, "strides"),
        "padding": form.padding(padding),
        "dilations": form.numbers(dilations, "dilations"),
    }


def max_pool1d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest element under each place of a window, in each channel of sequences.

    Args:
      input: sequences, of shape [batch, width, channels].
      ksize: the width of the window.
      strides: by how much the window moves on; by its width by default.
      padding: as for `conv1d`; what is added is never the largest.
      data_format: ``"NWC"``, or ``"NCW"`` if the channels of sequences and results come first.
    Returns: a tensor of shape [batch, places, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 3, or the window is wider than the sequences.

    >>> print(tf.nn.max_pool1d(tf.reshape(tf.range(6.0), [1, 6, 1]), 2)[0, :, 0])
    tf.Tensor([1. 3. 5.], shape=(3,), dtype=float32)
    """
    return _pooled(Format.of("max_pool1d", 1, data_format), "max", input, ksize, strides, padding)


def max_pool2d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element under each place of a window, in each channel of images.

    Args:
      input: images, of shape [batch, height, width, channels].
      ksize: the size of the window: a number, or two for height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv2d`; what is added is never the largest.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
    Returns: a tensor of shape [batch, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 4, or the window is larger than the images.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.max_pool2d(image, 2)[0, :, :, 0])
    tf.Tensor(
    [[ 5.  7.]
     [13. 15.]], shape=(2, 2), dtype=float32)
    """
    return _pooled(Format.of("max_pool2d", 2, data_format), "max", input, ksize, strides, padding)


def max_pool3d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest element under each place of a window, in each channel of bodies.

    Args:
      input: bodies, of shape [batch, depth, height, width, channels].
      ksize: the size of the window: a number, or three for depth, height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv3d`; what is added is never the largest.
      data_format: ``"NDHWC"``, or ``"NCDHW"`` if the channels of bodies and results come first.
    Returns: a tensor of shape [batch, layers, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 5, or the window is larger than the bodies.

    >>> print(tf.nn.max_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2).numpy().ravel())
    [7.]
    """
    return _pooled(Format.of("max_pool3d", 3, data_format), "max", input, ksize, strides, padding)


def avg_pool1d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements under each place of a window, in each channel: of those inside of the sequence.

    Args:
      input: sequences, of shape [batch, width, channels].
      ksize: the width of the window.
      strides: by how much the window moves on; by its width by default.
      padding: as for `conv1d`; what is added does not count.
      data_format: ``"NWC"``, or ``"NCW"`` if the channels of sequences and results come first.
    Returns: a tensor of shape [batch, places, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 3, or the window is wider than the sequences.

    >>> print(tf.nn.avg_pool1d(tf.reshape(tf.range(6.0), [1, 6, 1]), 2)[0, :, 0])
    tf.Tensor([0.5 2.5 4.5], shape=(3,), dtype=float32)
    """
    return _pooled(Format.of("avg_pool1d", 1, data_format), "avg", input, ksize, strides, padding)


def avg_pool2d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements under each place of a window, in each channel: of those that lie inside of the image.

    Args:
      input: images, of shape [batch, height, width, channels].
      ksize: the size of the window: a number, or two for height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv2d`; what is added does not count.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
    Returns: a tensor of shape [batch, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 4, or the window is larger than the images.

    >>> image = tf.reshape(tf.range(16.0), [1, 4, 4, 1])
    >>> print(tf.nn.avg_pool2d(image, 2)[0, :, :, 0])
    tf.Tensor(
    [[ 2.5  4.5]
     [10.5 12.5]], shape=(2, 2), dtype=float32)
    """
    return _pooled(Format.of("avg_pool2d", 2, data_format), "avg", input, ksize, strides, padding)


def avg_pool3d(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of the elements under each place of a window, in each channel: of those inside of the body.

    Args:
      input: bodies, of shape [batch, depth, height, width, channels].
      ksize: the size of the window: a number, or three for depth, height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `conv3d`; what is added does not count.
      data_format: ``"NDHWC"``, or ``"NCDHW"`` if the channels of bodies and results come first.
    Returns: a tensor of shape [batch, layers, rows, columns, channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 5, or the window is larger than the bodies.

    >>> print(tf.nn.avg_pool3d(tf.reshape(tf.range(8.0), [1, 2, 2, 2, 1]), 2).numpy().ravel())
    [3.5]
    """
    return _pooled(Format.of("avg_pool3d", 3, data_format), "avg", input, ksize, strides, padding)


def max_pool(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`max_pool1d`, `max_pool2d` or `max_pool3d`, by the rank of the tensor.

    Args:
      input: of shape [batch, sizes ..., channels], with one, two or three sizes.
      ksize: the size of the window: a number, or one for each size.
      strides: by how much the window moves on; by its size by default.
      padding: as for `convolution`; what is added is never the largest.
      data_format: as for the function of this rank; channels come last by default.
    Returns: a tensor of shape [batch, places ..., channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 3, 4 or 5, or the window is too large.

    >>> print(tf.nn.max_pool(tf.reshape(tf.range(6.0), [1, 6, 1]), 3)[0, :, 0])
    tf.Tensor([2. 5.], shape=(2,), dtype=float32)
    """
    x = operand(input)
    return _pooled(format_by_rank("max_pool", x, data_format), "max", x, ksize, strides, padding)


def avg_pool(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """`avg_pool1d`, `avg_pool2d` or `avg_pool3d`, by the rank of the tensor.

    Args:
      input: of shape [batch, sizes ..., channels], with one, two or three sizes.
      ksize: the size of the window: a number, or one for each size.
      strides: by how much the window moves on; by its size by default.
      padding: as for `convolution`; what is added does not count.
      data_format: as for the function of this rank; channels come last by default.
    Returns: a tensor of shape [batch, places ..., channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 3, 4 or 5, or the window is too large.

    >>> print(tf.nn.avg_pool(tf.reshape(tf.range(6.0), [1, 6, 1]), 3)[0, :, 0])
    tf.Tensor([1. 4.], shape=(2,), dtype=float32)
    """
    x = operand(input)
    return _pooled(format_by_rank("avg_pool", x, data_format), "avg", x, ksize, strides, padding)


def pool(
    input: TensorLike,
    window_shape: NumbersLike,
    pooling_type: str,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str | None = None,
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest elements under each place of a window, or their mean, in each channel.

    Args:
      input: of shape [batch, sizes ..., channels], with one, two or three sizes.
      window_shape: the size of the window: a number, or one for each size.
      pooling_type: ``"MAX"`` or ``"AVG"``.
      strides: by how much the window moves on, 1 by default.
      padding: as for `convolution`; what is added does not count.
      data_format: as for `convolution`; channels come last by default.
      dilations: how far apart the elements under a window are, 1 by default.
    Returns: a tensor of shape [batch, places ..., channels] and of the dtype of `input`.
    Raises:
      ValueError: if the rank is not 3, 4 or 5, the window is too large, or the type is neither.

    >>> x = tf.reshape(tf.range(6.0), [1, 6, 1])
    >>> print(tf.nn.pool(x, 2, "MAX", dilations=3)[0, :, 0])
    tf.Tensor([3. 4. 5.], shape=(3,), dtype=float32)
    """
    if pooling_type not in ("MAX", "AVG"):
        raise ValueError(f"pool with pooling_type={pooling_type!r}: it is 'MAX' or 'AVG'")
    x = operand(input)
    form = format_by_rank("pool", x, data_format)
    steps, apart = (1 if n is None else n for n in (strides, dilations))
    return _pooled(form, pooling_type.lower(), x, window_shape, steps, padding, apart)


def max_pool_with_argmax(
    input: TensorLike,
    ksize: NumbersLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str = "NHWC",
    output_dtype: DTypeLike = int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """`max_pool2d`, and where the largest elements are.

    Args:
      input: images, of shape [batch, height, width, channels].
      ksize: the size of the window: a number, or two for height and width.
      strides: by how much the window moves on; by its size by default.
      padding: as for `max_pool2d`.
      data_format: ``"NHWC"``: channels come last.
      output_dtype: the dtype of the places, int64 by default.
      include_batch_in_index: whether places count through all images, rather than through each.
    Returns: two tensors of shape [batch, rows, columns, channels]: the largest elements, and for each its place,
      ``(row * width + column) * channels + channel``; of several that are the largest, it is the first.
    Raises:
      ValueError: if the rank is not 4, or the window is larger than the images.

    >>> largest, places = tf.nn.max_pool_with_argmax(tf.reshape(tf.range(16.0), [1, 4, 4, 1]), 2)
    >>> print(largest.numpy().ravel(), places.numpy().ravel())
    [ 5.  7. 13. 15.] [ 5  7 13 15]
    """
    form = Format.of("max_pool_with_argmax", 2, data_format)
    if form.first:
        raise ValueError(
            "max_pool_with_argmax with data_format='NCHW': places count through 'NHWC'; transpose the tensor"
        )
    x = form.last(operand(input))
    how = _windows(form, ksize, strides, padding)
    batch, *sizes = like_shape(ensure_shape(x, [None] * 4))
    count = sizes[0] * sizes[1] * sizes[2]
    if include_batch_in_index:
        places = reshape(range(batch * count), [batch, *sizes])
    else:
        places = broadcast_to(reshape(range(count), [1, *sizes]), [batch, *sizes])
    at = apply(ops.pool_choice, x, cast(places, int64), **how)
    return apply(ops.pool, x, how="max", **how), cast(at, output_dtype)
