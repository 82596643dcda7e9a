"""Layers that move elements: Flatten, Reshape, Permute, RepeatVector, padding, cropping, upsampling."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import SupportsIndex, Unpack

from runtime.graph.dtypes import int32
from runtime.keras import settings
from runtime.keras.layers.input_spec import InputSpec
from runtime.keras.layers.kinds import Pairs, Sizes
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.shapes import several, show
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast
from runtime.tensors.making import range as arange
from runtime.tensors.parts import gather, pad, repeat
from runtime.tensors.shaping import reshape, shape, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


class Flatten(Layer):
    """All axes but the batch as one.

    Args:
      data_format: ``"channels_first"`` for inputs with the channels first, which are moved to the end before.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.Flatten()(tf.ones([2, 3, 4])).shape
    TensorShape([2, 12])
    """

    def __init__(self, data_format: str | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.data_format = settings.checked_format(data_format)
        self.input_spec = InputSpec(min_ndim=1)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, flat.

        Args:
          inputs: a tensor of shape [batch, ...].
        Returns: a tensor of shape [batch, n].
        """
        dims = inputs.shape.as_list()
        if self.data_format == "channels_first" and len(dims) > 2:
            inputs = transpose(inputs, [0, *range(2, len(dims)), 1])
        if None not in dims[1:]:
            return reshape(inputs, [-1 if dims[0] is None else dims[0], math.prod(d or 0 for d in dims[1:])])
        return reshape(inputs, [dims[0] if dims[0] is not None else shape(inputs)[0], -1])


class Reshape(Layer):
    """The elements in another shape; the batch stays.

    Args:
      target_shape: the shape without the batch; one dimension may be -1.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if the numbers of elements differ.

    >>> tf.keras.layers.Reshape((3, -1))(tf.ones([2, 12])).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, target_shape: Sequence[int], **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.target_shape = tuple(int(d) for d in target_shape)
        if self.target_shape.count(-1) > 1:
            raise ValueError(f"target_shape={self.target_shape}: only one dimension may be -1")

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs in that shape.

        Args:
          inputs: a tensor of shape [batch, ...].
        Returns: a tensor of shape [batch, *target_shape].
        """
        dims = inputs.shape.as_list()
        target = list(self.target_shape)
        if None not in dims[1:]:
            count, known = math.prod(d or 0 for d in dims[1:]), math.prod(d for d in target if d != -1)
            if (-1 in target and (not known or count % known)) or (-1 not in target and count != known):
                raise ValueError(
                    f"layer '{self.name}' cannot make {show(target)} of {show(dims[1:])}: {count} elements do not go "
                    f"into {known}"
                )
            target = [count // known if d == -1 else d for d in target]
        return reshape(inputs, [dims[0] if dims[0] is not None else shape(inputs)[0] if -1 in target else -1, *target])


class Permute(Layer):
    """The axes in another order; the batch stays.

    Args:
      dims: the numbers of the axes, from 1 on.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: if they are not all the numbers from 1 on.

    >>> tf.keras.layers.Permute((2, 1))(tf.ones([2, 3, 4])).shape
    TensorShape([2, 4, 3])
    """

    def __init__(self, dims: Sequence[int], **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.dims = tuple(int(d) for d in dims)
        if sorted(self.dims) != list(range(1, len(self.dims) + 1)):
            raise ValueError(f"dims={dims!r}: they are the numbers from 1 to {len(self.dims)} in some order")
        self.input_spec = InputSpec(ndim=len(self.dims) + 1)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs with their axes in that order.

        Args:
          inputs: a tensor of shape [batch, ...].
        Returns: a tensor of the same rank.
        """
        return transpose(inputs, [0, *self.dims])


class RepeatVector(Layer):
    """Each vector, again and again.

    Args:
      n: how often.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.RepeatVector(3)(tf.ones([2, 4])).shape
    TensorShape([2, 3, 4])
    """

    def __init__(self, n: int, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        (self.n,) = several(n, 1, "n")
        self.input_spec = InputSpec(ndim=2)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, repeated.

        Args:
          inputs: a tensor of shape [batch, features].
        Returns: a tensor of shape [batch, n, features].
        """
        return repeat(inputs[:, None], self.n, axis=1)


def _pairs(value: Pairs, rank: int, what: str) -> tuple[tuple[int, int], ...]:
    """How much before and after, along each axis."""
    if isinstance(value, SupportsIndex):
        return ((int(value), int(value)),) * rank
    given: list[Structure] = list(value)
    if rank == 1 and len(given) == 2:
        before, after = given
        if isinstance(before, SupportsIndex) and isinstance(after, SupportsIndex):
            return ((int(before), int(after)),)
    if len(given) != rank:
        raise ValueError(f"{what}={value!r}: a number, or one or a pair of them for each of {rank} axes")
    a_pair = [several(v, 2, what, 0) for v in given]
    return tuple((first, second) for first, second in a_pair)


class _Border(Layer):
    """What padding and cropping share."""

    rank: int  # how many dimensions are padded or cropped

    def _spread(self, pairs: Sequence[tuple[int, int]], data_format: str) -> list[tuple[int, int]]:
        return [(0, 0), *pairs, (0, 0)] if data_format == "channels_last" else [(0, 0), (0, 0), *pairs]


class _ZeroPadding(_Border):
    def __init__(
        self,
        padding: Pairs = 1,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.padding, self.data_format = _pairs(padding, self.rank, "padding"), settings.checked_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs with zeros around.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels before the other axes.
        Returns: a tensor of the same rank.
        """
        return pad(inputs, [list(pair) for pair in self._spread(self.padding, self.data_format)])


class ZeroPadding1D(_ZeroPadding):
    """Zeros before and after sequences.

    Args:
      padding: how many, a number or two.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.ZeroPadding1D((1, 2))(tf.ones([2, 3, 4])).shape
    TensorShape([2, 6, 4])
    """

    rank = 1


class ZeroPadding2D(_ZeroPadding):
    """Zeros around images.

    Args:
      padding: how many: a number, one for each axis, or a pair for each.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.ZeroPadding2D(((1, 2), (0, 0)))(tf.ones([2, 3, 3, 1])).shape
    TensorShape([2, 6, 3, 1])
    """

    rank = 2


class ZeroPadding3D(_ZeroPadding):
    """Zeros around volumes.

    Args:
      padding: how many: a number, one for each axis, or a pair for each.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.ZeroPadding3D(1)(tf.ones([2, 3, 3, 3, 1])).shape
    TensorShape([2, 5, 5, 5, 1])
    """

    rank = 3


class _Cropping(_Border):
    def __init__(
        self,
        cropping: Pairs = 1,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        self.cropping, self.data_format = _pairs(cropping, self.rank, "cropping"), settings.checked_format(data_format)
        self.input_spec = InputSpec(ndim=self.rank + 2)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs without their borders.

        Args:
          inputs: a tensor of shape [batch, ..., channels], or with the channels before the other axes.
        Returns: a tensor of the same rank.
        """
        cut = self._spread(self.cropping, self.data_format)
        for (before, after), size in zip(cut, inputs.shape.as_list()):
            if size is not None and before + after >= size:
                raise ValueError(f"layer '{self.name}' crops {before} and {after} of {size}: nothing is left")
        return inputs[tuple(slice(before, -after if after else None) for before, after in cut)]


class Cropping1D(_Cropping):
    """Sequences without their first and last steps.

    Args:
      cropping: how many, a number or two.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.Cropping1D((1, 2))(tf.ones([2, 6, 4])).shape
    TensorShape([2, 3, 4])
    """

    rank = 1

    def __init__(
        self,
        cropping: Pairs = (1, 1),
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)


class Cropping2D(_Cropping):
    """Images without their borders.

    Args:
      cropping: how much: a number, one for each axis, or a pair for each.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.Cropping2D(1)(tf.ones([2, 6, 6, 1])).shape
    TensorShape([2, 4, 4, 1])
    """

    rank = 2

    def __init__(
        self,
        cropping: Pairs = ((0, 0), (0, 0)),
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)


class Cropping3D(_Cropping):
    """Volumes without their borders.

    Args:
      cropping: how much: a number, one for each axis, or a pair for each.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.Cropping3D((1, 0, 2))(tf.ones([2, 6, 6, 6, 1])).shape
    TensorShape([2, 4, 6, 2, 1])
    """

    rank = 3

    def __init__(
        self,
        cropping: Pairs = ((1, 1), (1, 1), (1, 1)),
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(cropping, data_format, **kwargs)


class UpSampling1D(Layer):
    """Each step of sequences, again and again.

    Args:
      size: how often.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.UpSampling1D(2)(tf.ones([2, 3, 4])).shape
    TensorShape([2, 6, 4])
    """

    def __init__(self, size: int = 2, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        (self.size,) = several(size, 1, "size")
        self.input_spec = InputSpec(ndim=3)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, longer.

        Args:
          inputs: a tensor of shape [batch, time, channels].
        Returns: a tensor of shape [batch, size * time, channels].
        """
        return repeat(inputs, self.size, axis=1)


class UpSampling2D(Layer):
    """Larger images: each row and column again and again, or with what lies between them.

    Args:
      size: how many times as large, a number or two.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      interpolation: ``"nearest"`` to repeat, ``"bilinear"`` for what lies on lines between the nearest ones.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another interpolation.

    >>> tf.keras.layers.UpSampling2D(2)(tf.ones([2, 3, 3, 4])).shape
    TensorShape([2, 6, 6, 4])
    >>> layer = tf.keras.layers.UpSampling2D((1, 2), interpolation="bilinear")
    >>> print(tf.squeeze(layer(tf.constant([[[[0.0], [1.0]]]]))))
    tf.Tensor([0.   0.25 0.75 1.  ], shape=(4,), dtype=float32)
    """

    def __init__(
        self,
        size: Sizes = (2, 2),
        data_format: str | None = None,
        interpolation: str = "nearest",
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if interpolation not in ("nearest", "bilinear"):
            raise ValueError(f"UpSampling2D with interpolation={interpolation!r}: it is 'nearest' or 'bilinear' here")
        self.size, self.data_format = several(size, 2, "size"), settings.checked_format(data_format)
        self.interpolation = interpolation
        self.input_spec = InputSpec(ndim=4)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, larger.

        Args:
          inputs: images, of shape [batch, height, width, channels], or [batch, channels, height, width].
        Returns: a tensor of the same rank.
        """
        at = 1 if self.data_format == "channels_last" else 2
        if self.interpolation == "nearest":
            return repeat(repeat(inputs, self.size[0], axis=at), self.size[1], axis=at + 1)
        return _between(_between(self._float(inputs), self.size[0], at), self.size[1], at + 1)


class UpSampling3D(Layer):
    """Larger volumes: each element along three axes again and again.

    Args:
      size: how many times as large, a number or three.
      data_format: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.

    >>> tf.keras.layers.UpSampling3D((1, 2, 3))(tf.ones([2, 3, 3, 3, 4])).shape
    TensorShape([2, 3, 6, 9, 4])
    """

    def __init__(self, size: Sizes = (2, 2, 2), data_format: str | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.size, self.data_format = several(size, 3, "size"), settings.checked_format(data_format)
        self.input_spec = InputSpec(ndim=5)

    def call(self, inputs: Tensor) -> Tensor:
        """The inputs, larger.

        Args:
          inputs: volumes, of shape [batch, depth, height, width, channels], or with the channels before.
        Returns: a tensor of the same rank.
        """
        at = 1 if self.data_format == "channels_last" else 2
        for axis, times in enumerate(self.size, at):
            inputs = repeat(inputs, times, axis=axis)
        return inputs


def _between(x: Tensor, factor: int, axis: int) -> Tensor:
    """A tensor of so many times the size along an axis, with what lies on lines between the nearest two."""
    count = shape(x)[axis]
    places = (cast(arange(count * factor), x.dtype) + 0.5) / factor - 0.5
    places = m.clipped(places, 0.0, cast(count - 1, x.dtype))
    below = cast(m.floor(places), int32)
    above = m.minimum(below + 1, count - 1)
    part = reshape(places - cast(below, x.dtype), [-1, *[1] * (len(x.shape) - 1 - axis)])
    return gather(x, below, axis=axis) * (1 - part) + gather(x, above, axis=axis) * part
