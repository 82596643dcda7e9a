"""Convolutions, by TensorFlow's names."""

from __future__ import annotations

from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import show
from runtime.ops import nn as ops
from runtime.tensors.conversion import dimensions, matched, operand, promote
from runtime.tensors.making import like_shape
from runtime.tensors.operations import apply
from runtime.tensors.shaping import ensure_shape, listed_shape, require, reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import ShapeLike, TensorLike
from runtime.tensors.windows import Format, NumbersLike, PaddingLike, format_by_rank


def _convolved(
    form: Format, input: object, filters: object, strides: object, padding: object, dilations: object
) -> Tensor:
    x, w = matched([input, filters])
    x = form.last(x)
    how = {
        "strides": form.numbers(strides, "strides"),
        "padding": form.padding(padding),
        "dilations": form.numbers(1 if dilations is None else dilations, "dilations"),
    }
    return form.back(apply(ops.convolution, x, w, groups=_groups(form, x, w), **how))


def _groups(form: Format, x: Tensor, w: Tensor) -> int:
    """Filters for a part of the channels are for one group of them each."""
    images, filters = x.type.shape, w.type.shape
    if images is None or filters is None or len(filters) != form.count + 2:
        return 1
    channels, depth, units = images[-1], filters[-2], filters[-1]
    if not (isinstance(channels, int) and isinstance(depth, int)) or channels == depth or not depth:
        return 1
    if channels % depth or (isinstance(units, int) and units % (channels // depth)):
        raise InvalidArgumentError(
            f"{form.function} of images {show(images)} and filters {show(filters)}: {channels} channels meet {depth}"
        )
    return channels // depth


def conv1d(
    input: TensorLike,
    filters: TensorLike,
    stride: NumbersLike = 1,
    padding: PaddingLike = "VALID",
    data_format: str = "NWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Sequences filtered: each result is the sum of the products of a filter and the part of a sequence under it.

    Args:
      input: sequences, of shape [batch, width, channels].
      filters: of shape [filter width, channels, units]; with fewer channels they are for groups, as in `conv2d`.
      stride: by how much the filter moves on.
      padding: ``"VALID"``, ``"SAME"`` or three pairs of numbers, as for `conv2d`.
      data_format: ``"NWC"``, or ``"NCW"`` if the channels of sequences and results come first.
      dilations: how far apart the elements of the sequence are that meet those of a filter.
    Returns: a tensor of shape [batch, places, units], of the dtype to which sequences and filters promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are longer than the sequences.

    >>> print(tf.nn.conv1d(tf.reshape(tf.range(4.0), [1, 4, 1]), tf.ones([2, 1, 1]))[0, :, 0])
    tf.Tensor([1. 3. 5.], shape=(3,), dtype=float32)
    """
    return _convolved(Format.of("conv1d", 1, data_format), input, filters, stride, padding, dilations)


def conv2d(
    input: TensorLike,
    filters: TensorLike,
    strides: NumbersLike = 1,
    padding: PaddingLike = "VALID",
    data_format: str = "NHWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Images filtered: each result is the sum of the products of a filter and the part of an image under it.

    Args:
      input: images, of shape [batch, height, width, channels].
      filters: of shape [filter height, filter width, channels, units]. If they have only a part of the channels, these
        are in groups, and so are the units: the first units see the first channels.
      strides: by how much the filter moves on: a number, or two for height and width (or four, for all axes, those of
        batch and channels 1).
      padding: ``"VALID"`` for filters that lie inside of the image, ``"SAME"`` for as many results as the strides
        make of the image, or four pairs of numbers of zeros to put before and after each axis.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
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
    return _convolved(Format.of("conv2d", 2, data_format), input, filters, strides, padding, dilations)


def conv3d(
    input: TensorLike,
    filters: TensorLike,
    strides: NumbersLike = 1,
    padding: PaddingLike = "VALID",
    data_format: str = "NDHWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Bodies filtered: each result is the sum of the products of a filter and the part of a body under it.

    Args:
      input: bodies, of shape [batch, depth, height, width, channels].
      filters: of shape [filter depth, filter height, filter width, channels, units]; with fewer channels they are for
        groups of them, as in `conv2d`.
      strides: by how much the filter moves on: a number, or three (or five, for all axes).
      padding: ``"VALID"``, ``"SAME"`` or five pairs of numbers, as for `conv2d`.
      data_format: ``"NDHWC"``, or ``"NCDHW"`` if the channels of bodies and results come first.
      dilations: how far apart the elements of the body are that meet those of a filter, as for `strides`.
    Returns: a tensor of shape [batch, layers, rows, columns, units], of the dtype to which both promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the bodies.

    >>> tf.nn.conv3d(tf.ones([1, 4, 4, 4, 2]), tf.ones([2, 2, 2, 2, 3])).shape
    TensorShape([1, 3, 3, 3, 3])
    """
    return _convolved(Format.of("conv3d", 3, data_format), input, filters, strides, padding, dilations)


def convolution(
    input: TensorLike,
    filters: TensorLike,
    strides: NumbersLike | None = None,
    padding: PaddingLike = "VALID",
    data_format: str | None = None,
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d`, `conv2d` or `conv3d`, by the rank of what is filtered.

    Args:
      input: of shape [batch, sizes ..., channels], with one, two or three sizes.
      filters: of shape [filter sizes ..., channels, units].
      strides: by how much the filter moves on, 1 by default.
      padding: ``"VALID"``, ``"SAME"`` or pairs of numbers, as for `conv2d`.
      data_format: as for the function of this rank; channels come last by default.
      dilations: how far apart the elements are that meet those of a filter, 1 by default.
    Returns: a tensor of shape [batch, places ..., units], of the dtype to which both promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are too large.

    >>> print(tf.nn.convolution(tf.ones([1, 4, 1]), tf.ones([3, 1, 1]), padding="SAME")[0, :, 0])
    tf.Tensor([2. 3. 3. 2.], shape=(4,), dtype=float32)
    """
    x = operand(input)
    form = format_by_rank("convolution", x, data_format)
    return _convolved(form, x, filters, 1 if strides is None else strides, padding, dilations)


def atrous_conv2d(
    value: TensorLike, filters: TensorLike, rate: int, padding: PaddingLike, name: str | None = None
) -> Tensor:
    """`conv2d` with the elements of filters `rate` rows and columns apart.

    Args:
      value: images, of shape [batch, height, width, channels].
      filters: of shape [filter height, filter width, channels, units].
      rate: how far apart the elements of the image are that meet those of a filter.
      padding: ``"VALID"``, ``"SAME"`` or four pairs of numbers, as for `conv2d`.
    Returns: a tensor of shape [batch, rows, columns, units], of the dtype to which both promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the images.

    >>> tf.nn.atrous_conv2d(tf.ones([1, 5, 5, 1]), tf.ones([2, 2, 1, 1]), rate=3, padding="VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    return _convolved(Format.of("atrous_conv2d", 2, None), value, filters, 1, padding, rate)


def depthwise_conv2d(
    input: TensorLike,
    filter: TensorLike,
    strides: NumbersLike = 1,
    padding: PaddingLike = "VALID",
    data_format: str | None = None,
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """Each channel of images filtered by filters of its own.

    Args:
      input: images, of shape [batch, height, width, channels].
      filter: of shape [filter height, filter width, channels, filters for each channel].
      strides: by how much the filters move on, as for `conv2d`.
      padding: ``"VALID"``, ``"SAME"`` or four pairs of numbers, as for `conv2d`.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
      dilations: how far apart the elements of the image are that meet those of a filter.
    Returns: a tensor of shape [batch, rows, columns, channels * filters for each], those of the first channel first, of
      the dtype to which both promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the images.

    >>> x = tf.reshape(tf.range(8.0), [1, 2, 2, 2])
    >>> print(tf.nn.depthwise_conv2d(x, tf.ones([2, 2, 2, 1])).numpy())
    [[[[12. 16.]]]]
    """
    return _depthwise(Format.of("depthwise_conv2d", 2, data_format), input, filter, strides, padding, dilations)


def _depthwise(
    form: Format, input: object, filter: object, strides: object, padding: object, dilations: object
) -> Tensor:
    x, w = matched([input, filter])
    x, dims = form.last(x), w.type.shape
    if dims is not None and len(dims) != 4:
        raise ValueError(f"{form.function} takes filters of rank 4; these have shape {show(dims)}")
    groups = [d for t, at in ((x, 3), (w, 2)) if t.type.shape is not None and isinstance(d := t.type.shape[at], int)]
    if not groups:
        raise ValueError(
            f"{form.function} needs to know the number of channels: tell it with "
            "tf.ensure_shape(x, [None, None, None, channels])"
        )
    if len(set(groups)) > 1:
        raise InvalidArgumentError(
            f"{form.function} of images {show(x.type.shape)} and filters {show(dims)}: {groups[0]} channels meet "
            f"{groups[1]}"
        )
    if len(groups) == 1:
        channels = shape(w)[2] if x.type.shape is not None and isinstance(x.type.shape[3], int) else shape(x)[3]
        require(channels == groups[0], f"{form.function}: filters are for another number of channels", channels)
    height, width, depth, each = like_shape(w) if dims is not None else [shape(w)[i] for i in range(4)]
    w = reshape(w, [height, width, 1, depth * each])
    how = {
        "strides": form.numbers(strides, "strides"),
        "padding": form.padding(padding),
        "dilations": form.numbers(1 if dilations is None else dilations, "dilations"),
    }
    return form.back(apply(ops.convolution, x, w, groups=groups[0], **how))


def separable_conv2d(
    input: TensorLike,
    depthwise_filter: TensorLike,
    pointwise_filter: TensorLike,
    strides: NumbersLike,
    padding: PaddingLike,
    data_format: str | None = None,
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, and then a `conv2d` with filters of one pixel.

    Args:
      input: images, of shape [batch, height, width, channels].
      depthwise_filter: of shape [filter height, filter width, channels, filters for each channel].
      pointwise_filter: of shape [1, 1, channels * filters for each, units].
      strides: by how much the first filters move on, as for `conv2d`.
      padding: ``"VALID"``, ``"SAME"`` or four pairs of numbers, as for `conv2d`.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
      dilations: how far apart the elements of the image are that meet those of the first filters.
    Returns: a tensor of shape [batch, rows, columns, units], of the dtype to which all promote.
    Raises:
      ValueError: if ranks or channels do not fit, or the filters are larger than the images.

    >>> x, each, all_ = tf.ones([1, 3, 3, 2]), tf.ones([2, 2, 2, 1]), tf.ones([1, 1, 2, 5])
    >>> tf.nn.separable_conv2d(x, each, all_, strides=1, padding="VALID").shape
    TensorShape([1, 2, 2, 5])
    """
    points = operand(pointwise_filter)
    given = points.type.shape
    if given is not None and (len(given) != 4 or any(isinstance(d, int) and d != 1 for d in given[:2])):
        raise ValueError(
            f"separable_conv2d with a pointwise_filter of shape {show(given)}: it is [1, 1, channels, units]"
        )
    form = Format.of("separable_conv2d", 2, data_format)
    made = _depthwise(form, input, depthwise_filter, strides, padding, dilations)
    return _convolved(form, made, points, 1, "VALID", None)


def _transposed(
    form: Format, input: object, filters: object, output_shape: object, strides: object, padding: object,
    dilations: object,
) -> Tensor:  # fmt: skip
    x, w = matched([input, filters])
    x = form.last(x)
    wanted = listed_shape(output_shape)
    if len(wanted) == form.count:
        size = wanted
    elif len(wanted) == form.count + 2:
        size = [*form.inner(wanted)]
        _check_rest(form, wanted, x, w)
    else:
        raise ValueError(
            f"{form.function} with output_shape={output_shape}: {form.count + 2} numbers, for batch, sizes and channels"
        )
    dims, given = dimensions(size)
    how = {
        "strides": form.numbers(strides, "strides"),
        "padding": form.padding(padding),
        "dilations": form.numbers(1 if dilations is None else dilations, "dilations"),
    }
    return form.back(apply(ops.convolution_images, x, w, *given, shape=dims, groups=1, **how))


def _check_rest(form: Format, wanted: list[object], x: Tensor, w: Tensor) -> None:
    """The batch and the channels of the shape that is wanted."""
    batch, channels = wanted[0], wanted[1] if form.first else wanted[-1]
    for what, number, t, axis in (("batch", batch, x, 0), ("channels", channels, w, form.count)):
        known = None if t.type.shape is None else t.type.shape[axis]
        if isinstance(number, int) and isinstance(known, int):
            if number not in (known, -1):
                raise ValueError(f"{form.function} with output_shape={wanted}: {what} of {number} where it is {known}")
        elif not isinstance(number, int) or number != -1:
            message = f"{form.function}: the {what} of output_shape is not that of the tensors"
            require(shape(t)[axis] == number, message, operand(number))


def conv1d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: NumbersLike,
    padding: PaddingLike = "SAME",
    data_format: str = "NWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """What `conv1d` does to gradients: each number is spread out by a filter, and what meets is added.

    Args:
      input: sequences, of shape [batch, places, channels].
      filters: of shape [filter width, units, channels].
      output_shape: the shape of the result, [batch, width, units]; sequences of this width have as many places.
      strides: by how much the filter moves on.
      padding: ``"VALID"``, ``"SAME"`` or three pairs of numbers, as for `conv1d`.
      data_format: ``"NWC"``, or ``"NCW"`` if the channels of sequences and results come first.
      dilations: how far apart the elements of a filter are spread.
    Returns: a tensor of this shape, of the dtype to which both promote.
    Raises:
      ValueError: if ranks, channels or the shape do not fit.

    >>> x = tf.constant([[[1.0], [2.0]]])
    >>> print(tf.nn.conv1d_transpose(x, tf.ones([3, 1, 1]), [1, 4, 1], strides=2)[0, :, 0])
    tf.Tensor([1. 1. 3. 2.], shape=(4,), dtype=float32)
    """
    form = Format.of("conv1d_transpose", 1, data_format)
    return _transposed(form, input, filters, output_shape, strides, padding, dilations)


def conv2d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: NumbersLike,
    padding: PaddingLike = "SAME",
    data_format: str = "NHWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """What `conv2d` does to gradients: each pixel is spread out by a filter, and what meets is added.

    Args:
      input: images, of shape [batch, rows, columns, channels].
      filters: of shape [filter height, filter width, units, channels].
      output_shape: the shape of the result, [batch, height, width, units]; images of this size have as many rows and
        columns of results. Any of its numbers may be a tensor.
      strides: by how much the filter moves on, as for `conv2d`.
      padding: ``"VALID"``, ``"SAME"`` or four pairs of numbers, as for `conv2d`.
      data_format: ``"NHWC"``, or ``"NCHW"`` if the channels of images and results come before height and width.
      dilations: how far apart the elements of a filter are spread, as for `strides`.
    Returns: a tensor of this shape, of the dtype to which both promote.
    Raises:
      ValueError: if ranks, channels or the shape do not fit.

    >>> x = tf.constant([[[[1.0], [2.0]]]])
    >>> print(tf.nn.conv2d_transpose(x, tf.ones([2, 2, 1, 1]), [1, 2, 4, 1], strides=2)[0, :, :, 0])
    tf.Tensor(
    [[1. 1. 2. 2.]
     [1. 1. 2. 2.]], shape=(2, 4), dtype=float32)
    """
    form = Format.of("conv2d_transpose", 2, data_format)
    return _transposed(form, input, filters, output_shape, strides, padding, dilations)


def conv3d_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: NumbersLike,
    padding: PaddingLike = "SAME",
    data_format: str = "NDHWC",
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """What `conv3d` does to gradients: each number is spread out by a filter, and what meets is added.

    Args:
      input: bodies, of shape [batch, layers, rows, columns, channels].
      filters: of shape [filter depth, filter height, filter width, units, channels].
      output_shape: the shape of the result, [batch, depth, height, width, units]; bodies of this size have as many
        layers, rows and columns of results.
      strides: by how much the filter moves on, as for `conv3d`.
      padding: ``"VALID"``, ``"SAME"`` or five pairs of numbers, as for `conv3d`.
      data_format: ``"NDHWC"``, or ``"NCDHW"`` if the channels of bodies and results come first.
      dilations: how far apart the elements of a filter are spread, as for `strides`.
    Returns: a tensor of this shape, of the dtype to which both promote.
    Raises:
      ValueError: if ranks, channels or the shape do not fit.

    >>> tf.nn.conv3d_transpose(tf.ones([1, 2, 2, 2, 3]), tf.ones([3, 3, 3, 5, 3]), [1, 4, 4, 4, 5], strides=2).shape
    TensorShape([1, 4, 4, 4, 5])
    """
    form = Format.of("conv3d_transpose", 3, data_format)
    return _transposed(form, input, filters, output_shape, strides, padding, dilations)


def conv_transpose(
    input: TensorLike,
    filters: TensorLike,
    output_shape: ShapeLike,
    strides: NumbersLike,
    padding: PaddingLike = "SAME",
    data_format: str | None = None,
    dilations: NumbersLike | None = None,
    name: str | None = None,
) -> Tensor:
    """`conv1d_transpose`, `conv2d_transpose` or `conv3d_transpose`, by the rank of what is spread out.

    Args:
      input: of shape [batch, places ..., channels], with one, two or three sizes.
      filters: of shape [filter sizes ..., units, channels].
      output_shape: the shape of the result, [batch, sizes ..., units].
      strides: by how much the filter moves on.
      padding: ``"VALID"``, ``"SAME"`` or pairs of numbers, as for `conv2d`.
      data_format: as for the function of this rank; channels come last by default.
      dilations: how far apart the elements of a filter are spread, 1 by default.
    Returns: a tensor of this shape, of the dtype to which both promote.
    Raises:
      ValueError: if ranks, channels or the shape do not fit.

    >>> tf.nn.conv_transpose(tf.ones([1, 2, 3]), tf.ones([3, 5, 3]), [1, 4, 5], strides=2).shape
    TensorShape([1, 4, 5])
    """
    x = operand(input)
    form = format_by_rank("conv_transpose", x, data_format)
    return _transposed(form, x, filters, output_shape, strides, padding, dilations)


def bias_add(value: TensorLike, bias: TensorLike, data_format: str | None = None, name: str | None = None) -> Tensor:
    """A tensor with a number added to each channel, which is the last axis, or the second one.

    Args:
      value: a tensor of shape [..., channels], or [batch, channels, ...].
      bias: the numbers, of shape [channels].
      data_format: what begins with ``"NC"``, as ``"NCHW"``, says that channels come second; they are last by default.
    Returns: a tensor of the shape of `value`, of the dtype to which both promote.
    Raises:
      ValueError: if there is not one number for each channel.

    >>> print(tf.nn.bias_add([[1, 2], [3, 4]], [10, 20]))
    tf.Tensor(
    [[11 22]
     [13 24]], shape=(2, 2), dtype=int32)
    """
    if data_format is not None and (data_format[:1] != "N" or data_format.count("C") != 1):
        raise ValueError(f"bias_add with data_format={data_format!r}: it is 'N...C', as 'NHWC', or 'NC...'")
    x, b = promote([value, bias])
    if b.shape.rank not in (None, 1):
        raise ValueError(f"bias_add of a bias of shape {b.shape}: it has one number for each channel")
    if x.shape.rank == 0:
        raise ValueError("bias_add of a scalar: it has no channels")
    second = data_format is not None and data_format[1:2] == "C"
    if second and x.shape.rank in (None, 1):
        raise ValueError(f"bias_add of {x.shape} with data_format={data_format!r}: it has no second axis")
    axis = 1 if second else -1
    channels, numbers = (x.shape.dims or (None,))[axis], (b.shape.dims or (None,))[0]
    if None in (channels, numbers):
        b = ensure_shape(b, [None])
        require(shape(x)[axis] == shape(b)[0], "bias_add: there is not one number for each channel", shape(x), shape(b))
    elif channels != numbers:
        raise ValueError(f"bias_add of {x.shape} and {b.shape}: {channels} channels meet {numbers} numbers")
    if second:
        b = reshape(b, [-1, *(1 for _ in range(len(x.shape) - 2))])
    return x + b
