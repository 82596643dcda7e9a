"""Pooling: the largest elements, or means, of windows or of all there is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Unpack

from runtime.keras import settings
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import Sizes
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import several
from runtime.tensors import pooling, reductions
from runtime.tensors.conversion import cast
from runtime.tensors.shaping import transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure

_OPTIONS = """
      strides: by how much the window moves on; by its size by default.
      padding: ``"valid"`` for windows that lie inside, ``"same"`` for as many results as strides make of the inputs.
      data_format: ``"channels_last"`` or ``"channels_first"``; as `backend.image_data_format` says by default.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if sizes are not positive.
""".rstrip()


class _Pooling(Layer):
    """What pooling by windows shares."""

    rank = 2
    how = "max"

    def __init__(
        self,
        pool_size: Sizes = 2,
        strides: Sizes | None = None,
        padding: str = "valid",
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.pool_size = several(pool_size, self.rank, "pool_size")
        self.strides = self.pool_size if strides is None else several(strides, self.rank, "strides")
        if not isinstance(padding, str) or padding.lower() not in ("valid", "same"):
            raise ValueError(f"{type(self).__name__} with padding={padding!r}: it is 'valid' or 'same'")
        self.padding = padding.lower()
        self.data_format = settings.checked_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs pooled.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels before the other axes.
        Returns: a tensor of the same rank.
        """
        last = self.data_format == "channels_last"
        x = inputs if last else transpose(inputs, [0, *range(2, self.rank + 2), 1])
        made = self._pooled(x)
        return made if last else transpose(made, [0, self.rank + 1, *range(1, self.rank + 1)])

    def _pooled(self, x: Tensor) -> Tensor:
        padding = self.padding.upper()
        if self.rank == 3:
            function: Callable[..., Tensor] = pooling.max_pool3d if self.how == "max" else pooling.avg_pool3d
            return function(x, list(self.pool_size), list(self.strides), padding)  # type: ignore[no-any-return]
        size: Sequence[int] = self.pool_size if self.rank == 2 else (1, *self.pool_size)
        steps: Sequence[int] = self.strides if self.rank == 2 else (1, *self.strides)
        pool = pooling.max_pool2d if self.how == "max" else pooling.avg_pool2d
        made = pool(x if self.rank == 2 else x[:, None], list(size), list(steps), padding)
        return made if self.rank == 2 else made[:, 0]


class MaxPooling1D(_Pooling):
    __doc__ = f"""The largest element under each place of a window, of sequences.

    Args:
      pool_size: how many steps the window has.{_OPTIONS}
    >>> tf.keras.layers.MaxPooling1D(2)(tf.ones([2, 10, 3])).shape
    TensorShape([2, 5, 3])
    """

    rank, how = 1, "max"


class MaxPooling2D(_Pooling):
    __doc__ = f"""The largest element under each place of a window, of images.

    Args:
      pool_size: the height and width of the window, a number or two.{_OPTIONS}
    >>> tf.keras.layers.MaxPooling2D(2)(tf.ones([2, 10, 10, 3])).shape
    TensorShape([2, 5, 5, 3])
    """

    rank, how = 2, "max"


class MaxPooling3D(_Pooling):
    __doc__ = f"""The largest element under each place of a window, of volumes.

    Args:
      pool_size: the sizes of the window, a number or three.{_OPTIONS}
    >>> tf.keras.layers.MaxPooling3D(2)(tf.ones([2, 4, 4, 4, 3])).shape
    TensorShape([2, 2, 2, 2, 3])
    """

    rank, how = 3, "max"


class AveragePooling1D(_Pooling):
    __doc__ = f"""The mean under each place of a window, of sequences.

    Args:
      pool_size: how many steps the window has.{_OPTIONS}
    >>> print(tf.keras.layers.AveragePooling1D(2)(tf.constant([[[1.0], [3.0]]])))
    tf.Tensor([[[2.]]], shape=(1, 1, 1), dtype=float32)
    """

    rank, how = 1, "average"


class AveragePooling2D(_Pooling):
    __doc__ = f"""The mean under each place of a window, of images.

    Args:
      pool_size: the height and width of the window, a number or two.{_OPTIONS}
    >>> tf.keras.layers.AveragePooling2D(2)(tf.ones([2, 10, 10, 3])).shape
    TensorShape([2, 5, 5, 3])
    """

    rank, how = 2, "average"


class AveragePooling3D(_Pooling):
    __doc__ = f"""The mean under each place of a window, of volumes.

    Args:
      pool_size: the sizes of the window, a number or three.{_OPTIONS}
    >>> tf.keras.layers.AveragePooling3D(2)(tf.ones([2, 4, 4, 4, 3])).shape
    TensorShape([2, 2, 2, 2, 3])
    """

    rank, how = 3, "average"


class _Global(Layer):
    """What pooling of all there is shares."""

    rank = 2
    how = "max"

    def __init__(self, data_format: str | None = None, keepdims: bool = False, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.data_format, self.keepdims = settings.checked_format(data_format), keepdims
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def _axes(self) -> list[int]:
        begin = 1 if self.data_format == "channels_last" else 2
        return list(range(begin, begin + self.rank))

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs pooled.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels before the other axes.
        Returns: a tensor of shape [batch, channels].
        """
        reduce = reductions.reduce_max if self.how == "max" else reductions.reduce_mean
        return reduce(inputs, axis=self._axes(), keepdims=self.keepdims)


class GlobalMaxPooling1D(_Global):
    """The largest element of each channel, of sequences.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.GlobalMaxPooling1D()(tf.ones([2, 10, 3])).shape
    TensorShape([2, 3])
    """

    rank, how = 1, "max"


class GlobalMaxPooling2D(_Global):
    """The largest element of each channel, of images.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.GlobalMaxPooling2D()(tf.ones([2, 4, 4, 3])).shape
    TensorShape([2, 3])
    """

    rank, how = 2, "max"


class GlobalMaxPooling3D(_Global):
    """The largest element of each channel, of volumes.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.GlobalMaxPooling3D()(tf.ones([2, 4, 4, 4, 3])).shape
    TensorShape([2, 3])
    """

    rank, how = 3, "max"


class GlobalAveragePooling1D(_Global):
    """The mean of each channel, of sequences; of the steps that their mask counts.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> x = tf.constant([[[1.0], [3.0], [50.0]]])
    >>> layer = tf.keras.layers.GlobalAveragePooling1D()
    >>> layer(x).numpy(), layer(x, mask=tf.constant([[True, True, False]])).numpy()
    (array([[18.]], dtype=float32), array([[2.]], dtype=float32))
    """

    rank, how = 1, "average"

    def call(self, inputs: Tensor, mask: Tensor | None = None) -> Tensor:
        """The inputs pooled.

        Args:
          inputs: a tensor of shape [batch, time, channels], or [batch, channels, time].
          mask: which steps count, of booleans and of shape [batch, time].
        Returns: a tensor of shape [batch, channels].
        """
        if mask is None:
            return super().call(inputs)
        counts = cast(mask, inputs.dtype)
        (axis,) = self._axes()
        counts = counts[:, :, None] if axis == 1 else counts[:, None]
        total = reductions.reduce_sum(inputs * counts, axis=axis, keepdims=self.keepdims)
        return total / reductions.reduce_sum(counts, axis=axis, keepdims=self.keepdims)

    def compute_mask(self, inputs: Structure, previous_mask: Structure = None) -> Structure:
        """There is none: no steps are left.

        Args:
          inputs: the inputs.
          previous_mask: their mask, of shape [batch, time].
        Returns: None.
        """
        return None


class GlobalAveragePooling2D(_Global):
    """The mean of each channel, of images.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.GlobalAveragePooling2D()(tf.ones([2, 4, 4, 3])).shape
    TensorShape([2, 3])
    """

    rank, how = 2, "average"


class GlobalAveragePooling3D(_Global):
    """The mean of each channel, of volumes.

    Args:
      data_format: ``"channels_last"`` or ``"channels_first"``.
      keepdims: whether the axes stay, with size 1.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.GlobalAveragePooling3D()(tf.ones([2, 4, 4, 4, 3])).shape
    TensorShape([2, 3])
    """

    rank, how = 3, "average"


MaxPool1D, MaxPool2D, MaxPool3D = MaxPooling1D, MaxPooling2D, MaxPooling3D
AvgPool1D, AvgPool2D, AvgPool3D = AveragePooling1D, AveragePooling2D, AveragePooling3D
GlobalMaxPool1D, GlobalMaxPool2D, GlobalMaxPool3D = GlobalMaxPooling1D, GlobalMaxPooling2D, GlobalMaxPooling3D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalAvgPool3D = GlobalAveragePooling3D
