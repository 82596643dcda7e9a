"""Convolutions: along one, two or three axes, of each channel apart, and transposed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack

from runtime.keras import activations, constraints, initializers, regularizers, settings
from runtime.keras.activations import Activation
from runtime.keras.layers.dense import last_of, positive
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import ActivationLike, ConstraintLike, InitializerLike, RegularizerLike, Sizes
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import LayerOptions
from runtime.keras.shapes import several, sizes_of
from runtime.tensors import convolutions
from runtime.tensors.parts import pad
from runtime.tensors.shaping import concat, split, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure
from runtime.tensors.variables import Variable

_OPTIONS = """
      strides: by how much the kernel moves on, a number or one for each axis.
      padding: ``"valid"`` for kernels that lie inside, ``"same"`` for as many results as strides make of the inputs.
      data_format: ``"channels_last"`` or ``"channels_first"``; as `backend.image_data_format` says by default.
      dilation_rate: how far apart the elements are that meet those of the kernel; not with strides.
      activation: a function or its name; nothing is done by default.
      use_bias: whether a bias is added.
      kwargs: initializers, regularizers and constraints as of `Dense`, and the options of `Layer`.
""".rstrip()


class _Convolution(Layer):
    """What all convolutions share."""

    rank = 2
    _kernels = ("kernel",)

    def __init__(
        self,
        kernel_size: Sizes,
        strides: Sizes,
        padding: str,
        data_format: str | None,
        dilation_rate: Sizes,
        activation: ActivationLike,
        use_bias: bool,
        bias_initializer: InitializerLike,
        bias_regularizer: RegularizerLike,
        activity_regularizer: RegularizerLike,
        bias_constraint: ConstraintLike,
        options: LayerOptions,
    ) -> None:
        super().__init__(activity_regularizer=activity_regularizer, **options)
        self.kernel_size = several(kernel_size, self.rank, "kernel_size")
        self.strides = several(strides, self.rank, "strides")
        self.dilation_rate = several(dilation_rate, self.rank, "dilation_rate")
        known = ("valid", "same", "causal") if type(self).__name__ == "Conv1D" else ("valid", "same")
        if not isinstance(padding, str) or padding.lower() not in known:
            raise ValueError(f"{type(self).__name__} with padding={padding!r}: it is one of {', '.join(known)}")
        self.padding = padding.lower()
        self.data_format = settings.checked_format(data_format)
        if max(self.strides) > 1 and max(self.dilation_rate) > 1:
            raise ValueError(
                f"{type(self).__name__} with strides={self.strides} and dilation_rate={self.dilation_rate}: one "
                "of them must be 1"
            )
        self.activation: Activation = activations.get(activation)
        self.use_bias = use_bias
        self.bias_initializer = initializers.get(bias_initializer)
        self.bias_regularizer = regularizers.get(bias_regularizer)
        self.bias_constraint = constraints.get(bias_constraint)
        self.bias: Variable | None = None
        self.input_spec = InputSpec(ndim=self.rank + 2)

    @property
    def _axis(self) -> int:
        return -1 if self.data_format == "channels_last" else 1

    def _channels(self, input_shape: Structure) -> int:
        channels = last_of(input_shape, self, self._axis)
        self.input_spec = InputSpec(ndim=self.rank + 2, axes={self._axis: channels})
        return channels

    def _add_bias(self, units: int) -> None:
        if self.use_bias:
            self.bias = self.add_weight(
                (units,), self.bias_initializer, name="bias",
                regularizer=self.bias_regularizer, constraint=self.bias_constraint,
            )  # fmt: skip

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs filtered.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels before the other axes.
        Returns: a tensor of the same rank.
        """
        x = self._float(inputs)
        last = self.data_format == "channels_last"
        made = self._filtered(x if last else transpose(x, [0, *range(2, self.rank + 2), 1]))
        if self.bias is not None:
            made = made + self.bias
        made = made if last else transpose(made, [0, self.rank + 1, *range(1, self.rank + 1)])
        return self.activation(made)

    def _filtered(self, x: Tensor) -> Tensor:
        raise NotImplementedError

    def _convolved(self, x: Tensor, kernel: Tensor, padding: str, strides: Sequence[int] | None = None) -> Tensor:
        function: Callable[..., Tensor] = getattr(convolutions, f"conv{self.rank}d")
        steps, apart = list(self.strides if strides is None else strides), list(self.dilation_rate)
        if self.rank == 1:
            return function(x, kernel, steps[0], padding, dilations=apart[0])
        if self.rank == 3:
            steps, apart = [1, *steps, 1], [1, *apart, 1]
        return function(x, kernel, steps, padding, dilations=apart)


class _Conv(_Convolution):
    """A convolution along all channels."""

    def __init__(
        self,
        filters: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Sizes = 1,
        groups: int = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer, activity_regularizer, bias_constraint, kwargs,
        )  # fmt: skip
        self.filters = positive(filters, "filters", type(self).__name__)
        self.groups = positive(groups, "groups", type(self).__name__)
        if self.filters % self.groups:
            raise ValueError(f"{type(self).__name__} with filters={filters} and groups={groups}: they do not divide")
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)

    def build(self, input_shape: Structure) -> None:
        """Make kernel and bias.

        Args:
          input_shape: the shape of the inputs; the number of channels must be known.
        """
        channels = self._channels(input_shape)
        if channels % self.groups:
            raise ValueError(f"layer '{self.name}' has {self.groups} groups, which do not divide {channels} channels")
        self.kernel = self.add_weight(
            (*self.kernel_size, channels // self.groups, self.filters), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self._add_bias(self.filters)

    def _filtered(self, x: Tensor) -> Tensor:
        padding = self.padding.upper()
        if padding == "CAUSAL":
            before = self.dilation_rate[0] * (self.kernel_size[0] - 1)
            x, padding = pad(x, [[0, 0], [before, 0], [0, 0]]), "VALID"
        kernel = self.kernel.read_value()
        if self.groups == 1:
            return self._convolved(x, kernel, padding)
        parts = zip(split(x, self.groups, -1), split(kernel, self.groups, -1))
        return concat([self._convolved(a, k, padding) for a, k in parts], -1)


class Conv1D(_Conv):
    __doc__ = f"""Sequences filtered: each result is the sum of the products of a kernel and the steps under it.

    Args:
      filters: how many kernels there are, which is the number of channels of the outputs.
      kernel_size: how many steps a kernel has.{_OPTIONS}
      groups: into how many groups channels and kernels are divided.
      padding may be ``"causal"``, too: no result depends on later steps.
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.Conv1D(4, 3, padding="causal")(tf.ones([2, 10, 5])).shape
    TensorShape([2, 10, 4])
    """

    rank = 1


class Conv2D(_Conv):
    __doc__ = f"""Images filtered: each result is the sum of the products of a kernel and the part of an image under it.

    Args:
      filters: how many kernels there are, which is the number of channels of the outputs.
      kernel_size: the height and width of a kernel, a number or two.{_OPTIONS}
      groups: into how many groups channels and kernels are divided.
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> layer = tf.keras.layers.Conv2D(4, 3, activation="relu")
    >>> layer(tf.ones([2, 10, 10, 1])).shape, [v.shape for v in layer.weights]
    (TensorShape([2, 8, 8, 4]), [TensorShape([3, 3, 1, 4]), TensorShape([4])])
    """

    rank = 2


class Conv3D(_Conv):
    __doc__ = f"""Volumes filtered: each result is the sum of the products of a kernel and the part under it.

    Args:
      filters: how many kernels there are, which is the number of channels of the outputs.
      kernel_size: the sizes of a kernel, a number or three.{_OPTIONS}
      groups: into how many groups channels and kernels are divided.
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.Conv3D(4, 3)(tf.ones([2, 5, 5, 5, 1])).shape
    TensorShape([2, 3, 3, 3, 4])
    """

    rank = 3


class _Depthwise(_Convolution):
    """A convolution of each channel by itself."""

    def __init__(
        self,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: str = "valid",
        depth_multiplier: int = 1,
        data_format: str | None = None,
        dilation_rate: Sizes = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        depthwise_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        depthwise_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        depthwise_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer, activity_regularizer, bias_constraint, kwargs,
        )  # fmt: skip
        self.depth_multiplier = positive(depth_multiplier, "depth_multiplier", type(self).__name__)
        self.depthwise_initializer = initializers.get(depthwise_initializer)
        self.depthwise_regularizer = regularizers.get(depthwise_regularizer)
        self.depthwise_constraint = constraints.get(depthwise_constraint)

    def build(self, input_shape: Structure) -> None:
        """Make kernel and bias.

        Args:
          input_shape: the shape of the inputs; the number of channels must be known.
        """
        channels = self._channels(input_shape)
        self._add_kernel(channels)
        self._add_bias(channels * self.depth_multiplier)

    def _add_kernel(self, channels: int) -> None:
        self.kernel = self.add_weight(
            (*self.kernel_size, channels, self.depth_multiplier), self.depthwise_initializer,
            name="kernel" if isinstance(self, DepthwiseConv1D | DepthwiseConv2D) else "depthwise_kernel",
            regularizer=self.depthwise_regularizer, constraint=self.depthwise_constraint,
        )  # fmt: skip

    def _filtered(self, x: Tensor) -> Tensor:
        return depthwise(x, self.kernel.read_value(), self.strides, self.padding.upper(), self.dilation_rate)


def depthwise(x: Tensor, kernel: Tensor, strides: Sequence[int], padding: str, dilations: Sequence[int]) -> Tensor:
    """Each channel filtered by kernels of its own, along one axis or two."""
    flat = len(strides) == 1
    if flat:
        x, kernel, strides, dilations = x[:, None], kernel[None], [strides[0]] * 2, [1, dilations[0]]
    made: Tensor = convolutions.depthwise_conv2d(x, kernel, [1, *strides, 1], padding, dilations=list(dilations))
    return made[:, 0] if flat else made


class DepthwiseConv1D(_Depthwise):
    __doc__ = f"""Sequences filtered, each channel by kernels of its own.

    Args:
      kernel_size: how many steps a kernel has.
      depth_multiplier: how many kernels each channel has.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.DepthwiseConv1D(3, depth_multiplier=2)(tf.ones([2, 10, 5])).shape
    TensorShape([2, 8, 10])
    """

    rank = 1


class DepthwiseConv2D(_Depthwise):
    __doc__ = f"""Images filtered, each channel by kernels of its own.

    Args:
      kernel_size: the height and width of a kernel, a number or two.
      depth_multiplier: how many kernels each channel has.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.DepthwiseConv2D(3, depth_multiplier=2)(tf.ones([2, 10, 10, 5])).shape
    TensorShape([2, 8, 8, 10])
    """

    rank = 2


class _Separable(_Depthwise):
    """A convolution of each channel by itself, and then one across channels, of size 1."""

    def __init__(
        self,
        filters: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: str = "valid",
        data_format: str | None = None,
        dilation_rate: Sizes = 1,
        depth_multiplier: int = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        depthwise_initializer: InitializerLike = "glorot_uniform",
        pointwise_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        depthwise_regularizer: RegularizerLike = None,
        pointwise_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        depthwise_constraint: ConstraintLike = None,
        pointwise_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            kernel_size, strides, padding, depth_multiplier, data_format, dilation_rate, activation, use_bias,
            depthwise_initializer, bias_initializer, depthwise_regularizer, bias_regularizer, activity_regularizer,
            depthwise_constraint, bias_constraint, **kwargs,
        )  # fmt: skip
        self.filters = positive(filters, "filters", type(self).__name__)
        self.pointwise_initializer = initializers.get(pointwise_initializer)
        self.pointwise_regularizer = regularizers.get(pointwise_regularizer)
        self.pointwise_constraint = constraints.get(pointwise_constraint)

    def build(self, input_shape: Structure) -> None:
        """Make both kernels and the bias.

        Args:
          input_shape: the shape of the inputs; the number of channels must be known.
        """
        channels = self._channels(input_shape)
        self._add_kernel(channels)
        self.depthwise_kernel = self.kernel
        self.pointwise_kernel = self.add_weight(
            (*[1] * self.rank, channels * self.depth_multiplier, self.filters), self.pointwise_initializer,
            name="pointwise_kernel", regularizer=self.pointwise_regularizer, constraint=self.pointwise_constraint,
        )  # fmt: skip
        self._add_bias(self.filters)

    def _filtered(self, x: Tensor) -> Tensor:
        apart = depthwise(x, self.kernel.read_value(), self.strides, self.padding.upper(), self.dilation_rate)
        function: Callable[..., Tensor] = convolutions.conv1d if self.rank == 1 else convolutions.conv2d
        return function(apart, self.pointwise_kernel, 1, "VALID")


class SeparableConv1D(_Separable):
    __doc__ = f"""Sequences filtered, each channel by itself, and the results mixed: less work than `Conv1D`.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: how many steps a kernel has.
      depth_multiplier: how many kernels each channel has.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.SeparableConv1D(4, 3)(tf.ones([2, 10, 5])).shape
    TensorShape([2, 8, 4])
    """

    rank = 1


class SeparableConv2D(_Separable):
    __doc__ = f"""Images filtered, each channel by itself, and the results mixed: less work than `Conv2D`.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: the height and width of a kernel, a number or two.
      depth_multiplier: how many kernels each channel has.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.SeparableConv2D(4, 3)(tf.ones([2, 10, 10, 5])).shape
    TensorShape([2, 8, 8, 4])
    """

    rank = 2


class _Transposed(_Convolution):
    """A convolution the other way round."""

    def __init__(
        self,
        filters: int,
        kernel_size: Sizes,
        strides: Sizes = 1,
        padding: str = "valid",
        output_padding: Sizes | None = None,
        data_format: str | None = None,
        dilation_rate: Sizes = 1,
        activation: ActivationLike = None,
        use_bias: bool = True,
        kernel_initializer: InitializerLike = "glorot_uniform",
        bias_initializer: InitializerLike = "zeros",
        kernel_regularizer: RegularizerLike = None,
        bias_regularizer: RegularizerLike = None,
        activity_regularizer: RegularizerLike = None,
        kernel_constraint: ConstraintLike = None,
        bias_constraint: ConstraintLike = None,
        **kwargs: Unpack[LayerOptions],
    ) -> None:
        super().__init__(
            kernel_size, strides, padding, data_format, dilation_rate, activation, use_bias, bias_initializer,
            bias_regularizer, activity_regularizer, bias_constraint, kwargs,
        )  # fmt: skip
        self.filters = positive(filters, "filters", type(self).__name__)
        self.output_padding = (
            None if output_padding is None else several(output_padding, self.rank, "output_padding", 0)
        )
        if self.output_padding is not None and any(p >= s for p, s in zip(self.output_padding, self.strides)):
            raise ValueError(f"output_padding={output_padding!r}: it is less than strides={self.strides}")
        if max(self.dilation_rate) > 1:
            raise ValueError(f"{type(self).__name__} with dilation_rate={dilation_rate!r}: it is 1 here")
        self.kernel_initializer = initializers.get(kernel_initializer)
        self.kernel_regularizer = regularizers.get(kernel_regularizer)
        self.kernel_constraint = constraints.get(kernel_constraint)

    def build(self, input_shape: Structure) -> None:
        """Make kernel and bias.

        Args:
          input_shape: the shape of the inputs; the number of channels must be known.
        """
        channels = self._channels(input_shape)
        self.kernel = self.add_weight(
            (*self.kernel_size, self.filters, channels), self.kernel_initializer, name="kernel",
            regularizer=self.kernel_regularizer, constraint=self.kernel_constraint,
        )  # fmt: skip
        self._add_bias(self.filters)

    def _filtered(self, x: Tensor) -> Tensor:
        sizes = sizes_of(x)
        more = self.output_padding or [None] * self.rank
        outputs = [
            _longer(n, k, s, self.padding, p) for n, k, s, p in zip(sizes[1:-1], self.kernel_size, self.strides, more)
        ]
        function: Callable[..., Tensor] = getattr(convolutions, f"conv{self.rank}d_transpose")
        strides: int | list[int] = self.strides[0] if self.rank == 1 else [1, *self.strides, 1]
        kernel = self.kernel.read_value()
        return function(x, kernel, [sizes[0], *outputs, self.filters], strides, self.padding.upper())


def _longer(n: int | Tensor, kernel: int, stride: int, padding: str, more: int | None) -> int | Tensor:
    """The size of the outputs along an axis of size `n`."""
    if more is None:
        return n * stride if padding == "same" else n * stride + max(kernel - stride, 0)
    return (n - 1) * stride + kernel + more - (2 * (kernel // 2) if padding == "same" else 0)


class Conv1DTranspose(_Transposed):
    __doc__ = f"""Sequences made longer: the way back of `Conv1D`, which spreads each step over the kernel.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: how many steps a kernel has.
      output_padding: how many steps more the outputs have, less than the strides.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.Conv1DTranspose(4, 3, strides=2, padding="same")(tf.ones([2, 5, 3])).shape
    TensorShape([2, 10, 4])
    """

    rank = 1


class Conv2DTranspose(_Transposed):
    __doc__ = f"""Images made larger: the way back of `Conv2D`, which spreads each pixel over the kernel.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: the height and width of a kernel, a number or two.
      output_padding: how many rows and columns more the outputs have, less than the strides.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.Conv2DTranspose(4, 3, strides=2, padding="same")(tf.ones([2, 5, 5, 3])).shape
    TensorShape([2, 10, 10, 4])
    """

    rank = 2


class Conv3DTranspose(_Transposed):
    __doc__ = f"""Volumes made larger: the way back of `Conv3D`, which spreads each element over the kernel.

    Args:
      filters: the number of channels of the outputs.
      kernel_size: the sizes of a kernel, a number or three.
      output_padding: how much more the outputs have along each axis, less than the strides.{_OPTIONS}
    Raises:
      ValueError: if sizes are not positive, or do not go together.

    >>> tf.keras.layers.Conv3DTranspose(4, 3, strides=2)(tf.ones([2, 2, 2, 2, 3])).shape
    TensorShape([2, 5, 5, 5, 4])
    """

    rank = 3


Convolution1D, Convolution2D, Convolution3D = Conv1D, Conv2D, Conv3D
Convolution1DTranspose, Convolution2DTranspose = Conv1DTranspose, Conv2DTranspose
Convolution3DTranspose = Conv3DTranspose
SeparableConvolution1D, SeparableConvolution2D = SeparableConv1D, SeparableConv2D
