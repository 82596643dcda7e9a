"""Layers that change pictures at random in training: flips, windows, shifts, turns, zooms, contrast and brightness."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar, Unpack

from runtime.graph.dtypes import float32, int32
from runtime.keras.layers.affine import FILL_MODES, INTERPOLATIONS, transformed
from runtime.keras.layers.images import ImageLayer, checked_size
from runtime.keras.layers.options import Options
from runtime.keras.shapes import sizes_of
from runtime.ops import random as draws
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast
from runtime.tensors.drawing import drawn
from runtime.tensors.making import ones_like, zeros_like
from runtime.tensors.reductions import reduce_mean
from runtime.tensors.shaping import expand_dims, reshape, reverse, stack, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size

Factor = float | Sequence[float]


def bounds_of(
    layer: str, what: str, factor: Factor, least: float, most: float, around: bool = True
) -> tuple[float, float]:
    """Between which two numbers one is drawn: those given, or from one's opposite to itself."""
    given = tuple(factor) if isinstance(factor, list | tuple) else (factor,)
    if not 1 <= len(given) <= 2 or not all(isinstance(f, int | float) and least <= f <= most for f in given):
        raise ValueError(
            f"{layer} with {what}={factor!r}: it is a number from {least} to {most}, or two of them, between which one "
            "is drawn"
        )
    if len(given) == 2:
        return min(given), max(given)
    return (-abs(given[0]) if around else given[0]), abs(given[0])


class RandomLayer(ImageLayer):
    """A layer that draws what it does to pictures."""

    _count: ClassVar[int] = 1  # how many numbers it draws for each

    def __init__(self, seed: int | None, data_format: str | None, **kwargs: Unpack[Options]) -> None:
        super().__init__(data_format, **kwargs)
        if seed is not None and not isinstance(seed, int):
            raise ValueError(f"{type(self).__name__} with seed={seed!r}: it is a whole number, or None")
        self.seed = seed
        # Of its own, so that layers of one seed, as those for pictures and for what they show, do the same.
        self._stream = None if seed is None else draws.Stream(seed)

    def _drawn(self, images: Tensor) -> Tensor:
        return self._between(images, 0.0, 1.0)

    def _between(self, images: Tensor, low: float, high: float) -> Tensor:
        """Numbers for each picture, of shape [batch, how many each takes]."""
        batch: Size = sizes_of(images)[0] if images.shape.rank == 4 else 1
        return drawn(draws.uniform, low, high, [batch, self._count], float32, self._stream)

    def _for_each(self, x: Tensor, numbers: Tensor) -> Tensor:
        """Numbers of shape [batch] as a shape that goes with that of the pictures."""
        return reshape(numbers, [-1, 1, 1, 1] if x.shape.rank == 4 else [1, 1, 1])


class RandomFlip(RandomLayer):
    """Every other picture flipped, at random.

    Args:
      mode: ``"horizontal"`` to exchange left and right, ``"vertical"`` for above and below, or
        ``"horizontal_and_vertical"`` for both at once.
      seed: what decides, with that of `random.set_seed`, which ones are.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another mode.

    >>> layer = tf.keras.layers.RandomFlip("horizontal", seed=1)
    >>> image = tf.constant([[[1.0], [2.0]]])
    >>> sorted({tuple(layer(image)[0, :, 0].numpy().tolist()) for _ in range(20)})
    [(1.0, 2.0), (2.0, 1.0)]
    >>> print(layer(image, training=False)[0, :, 0].numpy())
    [1. 2.]
    """

    def __init__(
        self,
        mode: str = "horizontal_and_vertical",
        seed: int | None = None,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(seed, data_format, **kwargs)
        if mode not in ("horizontal", "vertical", "horizontal_and_vertical"):
            raise ValueError(
                f"RandomFlip with mode={mode!r}: it is 'horizontal', 'vertical' or 'horizontal_and_vertical'"
            )
        self.mode = mode

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        rank, rows = len(x.shape.as_list()), self._rows()
        axes = [rank + axis for axis, name in ((rows, "vertical"), (rows + 1, "horizontal")) if name in self.mode]
        return m.where(self._for_each(x, drawn <= 0.5), reverse(x, axes), x)


class RandomCrop(RandomLayer):
    """A window of pictures at a random place, the same one for all of a batch.

    Pictures that are not larger are cut in their middle, and resized. Outside of training they stay as they are.

    Args:
      height, width: the size of the window.
      seed: what decides, with that of `random.set_seed`, where it is.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another size; when it is called, if the height or width of the pictures is not known.

    >>> tf.keras.layers.RandomCrop(4, 5)(tf.zeros([2, 6, 8, 3])).shape
    TensorShape([2, 4, 5, 3])
    """

    def __init__(
        self,
        height: int,
        width: int,
        seed: int | None = None,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(seed, data_format, **kwargs)
        checked_size("RandomCrop", height, width)
        self.height, self.width = height, width

    def _drawn(self, images: Tensor) -> Tensor:
        return drawn(draws.uniform, 0.0, 1.0, [2], float32, self._stream)

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        height, width = self._sizes(x)
        if isinstance(height, Tensor) or isinstance(width, Tensor):
            raise ValueError(
                f"layer '{self.name}' draws a place in pictures whose height and width are known, not in {x.shape}"
            )
        if height > self.height and width > self.width:
            free = cast(stack([height - self.height + 1, width - self.width + 1]), float32)
            at = m.minimum(cast(drawn * free, int32), cast(free, int32) - 1)
            return self._part(x, at[0], at[1], self.height, self.width)
        top = (height - max(min(height, width * self.height // self.width), 1)) // 2
        left = (width - max(min(width, height * self.width // self.height), 1)) // 2
        part = self._part(x, top, left, min(self.height, height - top), min(self.width, width - left))
        return cast(self._resized(part, self.height, self.width, interpolation), x.dtype)


class AffineLayer(RandomLayer):
    """What layers have in common that move the elements of pictures."""

    def __init__(
        self,
        fill_mode: str,
        interpolation: str,
        seed: int | None,
        fill_value: float,
        data_format: str | None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(seed, data_format, **kwargs)
        for what, given, known in (
            ("fill_mode", fill_mode, FILL_MODES),
            ("interpolation", interpolation, INTERPOLATIONS),
        ):
            if given not in known:
                raise ValueError(f"{type(self).__name__} with {what}={given!r}: it is {', '.join(map(repr, known))}")
        self.fill_mode, self.interpolation, self.fill_value = fill_mode, interpolation, fill_value

    def _rows_of(self, drawn: Tensor, height: Tensor, width: Tensor) -> list[Tensor]:
        """The six numbers of each transformation, each of shape [batch]."""
        raise NotImplementedError

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        single, first = x.shape.rank == 3, self.data_format == "channels_first"
        x = expand_dims(x, 0) if single else x
        height, width = (cast(size, float32) for size in self._sizes(x))
        rows = stack(self._rows_of(drawn, height, width), -1)
        x = transpose(x, [0, 2, 3, 1]) if first else x
        x = transformed(x, rows, interpolation, self.fill_mode, self.fill_value)
        x = transpose(x, [0, 3, 1, 2]) if first else x
        return x[0] if single else x


class RandomTranslation(AffineLayer):
    """Pictures shifted at random.

    Args:
      height_factor: by which part of their height they are shifted down at most, and up; or two such numbers, from -1
        to 1, between which one is drawn.
      width_factor: the same for their width, and the right.
      fill_mode: what comes from outside: ``"reflect"`` for a mirror at the edges, ``"wrap"`` for the other side,
        ``"constant"`` for one value, ``"nearest"`` for what is at the edge.
      interpolation: ``"bilinear"`` or ``"nearest"``: how numbers between those of the picture are found.
      seed: what decides, with that of `random.set_seed`, by how much.
      fill_value: the value for ``"constant"``.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for a factor out of its range, and another way to fill or to find numbers.

    >>> layer = tf.keras.layers.RandomTranslation(0.0, (0.5, 0.5), fill_mode="constant")
    >>> print(layer(tf.constant([[[1.0], [2.0]]]))[0, :, 0].numpy())
    [0. 1.]
    """

    _count = 2

    def __init__(
        self,
        height_factor: Factor,
        width_factor: Factor,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        self._down = bounds_of("RandomTranslation", "height_factor", height_factor, -1.0, 1.0)
        self._across = bounds_of("RandomTranslation", "width_factor", width_factor, -1.0, 1.0)

    def _rows_of(self, drawn: Tensor, height: Tensor, width: Tensor) -> list[Tensor]:
        down, across = _within(self._down, drawn[:, 0]) * height, _within(self._across, drawn[:, 1]) * width
        one, zero = ones_like(down), zeros_like(down)
        return [one, zero, -across, zero, one, -down]


def _within(bounds: tuple[float, float], drawn: Tensor) -> Tensor:
    """Numbers from 0 to 1 as such between bounds."""
    return bounds[0] + (bounds[1] - bounds[0]) * drawn


class RandomRotation(AffineLayer):
    """Pictures turned at random around their middle.

    Args:
      factor: by which part of a whole turn they are turned at most, to either side; or two such numbers, from -1 to 1,
        between which one is drawn. Positive ones turn against the clock.
      fill_mode, interpolation, fill_value: as of `RandomTranslation`.
      seed: what decides, with that of `random.set_seed`, how far.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for a factor out of its range, and another way to fill or to find numbers.

    >>> layer = tf.keras.layers.RandomRotation((0.5, 0.5), interpolation="nearest")
    >>> print(layer(tf.constant([[[1.0], [2.0]], [[3.0], [4.0]]]))[..., 0].numpy())
    [[4. 3.]
     [2. 1.]]
    """

    def __init__(
        self,
        factor: Factor,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.factor = bounds_of("RandomRotation", "factor", factor, -1.0, 1.0)

    def _rows_of(self, drawn: Tensor, height: Tensor, width: Tensor) -> list[Tensor]:
        angle = _within((self.factor[0] * 360.0, self.factor[1] * 360.0), drawn[:, 0]) * (math.pi / 180.0)
        cos, sin = m.cos(angle), m.sin(angle)
        x, y = (width - 1.0) * 0.5, (height - 1.0) * 0.5
        return [cos, -sin, x - x * cos + y * sin, sin, cos, y - x * sin - y * cos]


class RandomZoom(AffineLayer):
    """Pictures made larger or smaller at random, around their middle.

    Args:
      height_factor: how much higher a part becomes that is shown in the height of the picture, at most, or lower: 0.2
        for up to a fifth. Positive ones zoom out, negative ones in. Or two such numbers, above -1 and up to 1, between
        which one is drawn.
      width_factor: the same for its width; that of the height by default, so that nothing is distorted.
      fill_mode, interpolation, fill_value: as of `RandomTranslation`.
      seed: what decides, with that of `random.set_seed`, by how much.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for a factor out of its range, and another way to fill or to find numbers.

    >>> layer = tf.keras.layers.RandomZoom((-0.5, -0.5), interpolation="nearest")
    >>> print(layer(tf.reshape(tf.range(4.0), [1, 4, 1]))[0, :, 0].numpy())
    [1. 1. 2. 2.]
    """

    _count = 2

    def __init__(
        self,
        height_factor: Factor,
        width_factor: Factor | None = None,
        fill_mode: str = "reflect",
        interpolation: str = "bilinear",
        seed: int | None = None,
        fill_value: float = 0.0,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(fill_mode, interpolation, seed, fill_value, data_format, **kwargs)
        self.height_factor, self.width_factor = height_factor, width_factor
        least = math.nextafter(-1.0, 0.0)  # with -1 nothing would be left
        self._down = bounds_of("RandomZoom", "height_factor", height_factor, least, 1.0)
        self._across = (
            None if width_factor is None else bounds_of("RandomZoom", "width_factor", width_factor, least, 1.0)
        )

    def _rows_of(self, drawn: Tensor, height: Tensor, width: Tensor) -> list[Tensor]:
        down = 1.0 + _within(self._down, drawn[:, 0])
        across = down if self._across is None else 1.0 + _within(self._across, drawn[:, 1])
        x, y, zero = (width - 1.0) / 2.0, (height - 1.0) / 2.0, zeros_like(down)
        return [across, zero, x * (1.0 - across), zero, down, y * (1.0 - down)]


class ColourLayer(RandomLayer):
    """What layers have in common that change the numbers of pictures, and no masks of what these show."""

    _changes_masks = False


class RandomContrast(ColourLayer):
    """Pictures whose numbers differ more, or less, from the mean of their channel, at random.

    Args:
      factor: by how much the differences are less at most, and more: they are multiplied by a number from
        ``1 - factor`` to ``1 + factor``, or from ``1 - lower`` to ``1 + upper`` for two numbers, from 0 to 1.
      value_range: the least and the greatest number that there can be.
      seed: what decides, with that of `random.set_seed`, by how much.
      kwargs: the options of `Layer`, and `data_format`.
    Raises:
      ValueError: for a factor out of its range, and what is no range.

    >>> layer = tf.keras.layers.RandomContrast(0.5, value_range=(0, 1), seed=1)
    >>> layer(tf.constant([[[0.5], [0.5]]]))[0, :, 0].numpy()
    array([0.5, 0.5], dtype=float32)
    """

    def __init__(
        self,
        factor: Factor,
        value_range: Sequence[float] = (0, 255),
        seed: int | None = None,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(seed, data_format, **kwargs)
        self.factor = bounds_of("RandomContrast", "factor", factor, 0.0, 1.0, around=False)
        self.value_range = range_of("RandomContrast", value_range)

    def _drawn(self, images: Tensor) -> Tensor:
        return self._between(images, 1.0 - self.factor[0], 1.0 + self.factor[1])

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        mean = reduce_mean(x, [self._rows(), self._rows() + 1], keepdims=True)
        more = cast(self._for_each(x, drawn), x.dtype)
        return m.clipped((x - mean) * more + mean, *self.value_range)


class RandomBrightness(ColourLayer):
    """Pictures made brighter or darker at random.

    Args:
      factor: which part of the range of values is added at most, or taken away; or two numbers from -1 to 1, between
        which one is drawn.
      value_range: the least and the greatest number that there can be.
      seed: what decides, with that of `random.set_seed`, by how much.
      kwargs: the options of `Layer`, and `data_format`.
    Raises:
      ValueError: for a factor out of its range, and what is no range.

    >>> layer = tf.keras.layers.RandomBrightness((0.5, 0.5), value_range=(0, 1))
    >>> print(layer(tf.constant([[[0.25], [0.75]]]))[0, :, 0].numpy())
    [0.75 1.  ]
    """

    def __init__(
        self,
        factor: Factor,
        value_range: Sequence[float] = (0, 255),
        seed: int | None = None,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(seed, data_format, **kwargs)
        self.factor = bounds_of("RandomBrightness", "factor", factor, -1.0, 1.0)
        self.value_range = range_of("RandomBrightness", value_range)

    def _drawn(self, images: Tensor) -> Tensor:
        return self._between(images, *self.factor)

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        least, most = self.value_range
        return m.clipped(x + cast(self._for_each(x, drawn) * (most - least), x.dtype), least, most)


def range_of(layer: str, given: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest value."""
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise ValueError(f"{layer} with value_range={given!r}: it is two numbers, the least and the greatest")
    return min(given), max(given)
