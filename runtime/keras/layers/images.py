"""Layers for pictures: what they have in common, Resizing and CenterCrop."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Unpack

from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.keras.settings import checked_format
from runtime.keras.shapes import show
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, operand, static_value
from runtime.tensors.parts import pad
from runtime.tensors.resizing import resize
from runtime.tensors.shaping import ensure_shape, shape, transpose
from runtime.tensors.special import saturate_cast
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Size, Structure

_PARTS = ("images", "labels", "segmentation_masks")


class ImageLayer(Layer):
    """A layer for one picture or several, or for a dictionary that has them as ``"images"``."""

    interpolation: str = "bilinear"
    _changes_masks: ClassVar[bool] = True  # whether masks of what pictures show change as these do

    def __init__(self, data_format: str | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        self.data_format = checked_format(data_format)

    def call(self, data: Structure, training: bool | Tensor | None = True) -> Structure:
        """The pictures, changed.

        Args:
          data: a tensor of shape [height, width, channels], or [batch, height, width, channels] for several; or a
            dictionary with such ``images``, and with ``segmentation_masks`` that change as they do, or ``labels``.
          training: whether it is training.
        Returns: a tensor of floats, or such a dictionary.
        Raises:
          ValueError: for tensors of another rank, and what else a dictionary has.
        """
        if not isinstance(data, Mapping):
            images = self._checked(data)
            return self._changed(images, self._drawn(images), self.interpolation, training)
        for name in data:
            if name not in _PARTS:
                known = ", ".join(map(repr, _PARTS))
                raise ValueError(f"layer '{self.name}' takes {known} of a dictionary, not {name!r}")
        images = self._checked(data["images"])
        drawn = self._drawn(images)
        made = {**data, "images": self._changed(images, drawn, self.interpolation, training)}
        if "segmentation_masks" in data:
            masks = self._checked(data["segmentation_masks"])
            way = training if self._changes_masks else False
            made["segmentation_masks"] = self._changed(masks, drawn, "nearest", way)
        return made

    def _checked(self, given: Structure) -> Tensor:
        x = operand(given)
        if x.shape.rank not in (3, 4):
            raise ValueError(
                f"layer '{self.name}' takes pictures of rank 3 or 4, [batch, height, width, channels], not of shape "
                f"{show(x.shape.as_list())}"
            )
        return x

    def _changed(self, x: Tensor, drawn: Tensor, interpolation: str, training: bool | Tensor | None) -> Tensor:
        x = self._float(x)
        if isinstance(training, Tensor) and static_value(training) is None:  # the graph knows
            return m.where(training, self._transformed(x, drawn, interpolation), x)
        return self._transformed(x, drawn, interpolation) if training else x

    def _drawn(self, images: Tensor) -> Tensor:
        """What decides how the pictures change: a tensor of random numbers, or the pictures alone."""
        return images

    def _transformed(self, x: Tensor, drawn: Tensor, interpolation: str) -> Tensor:
        """Pictures of floats, changed as was drawn."""
        raise NotImplementedError

    # The places of axes.

    def _rows(self) -> int:
        return -3 if self.data_format == "channels_last" else -2

    def _sizes(self, x: Tensor) -> list[Size]:
        """Height and width, as numbers where they are known."""
        rank = len(x.shape.as_list())
        return [
            shape(x)[rank + axis] if size is None else size
            for axis, size in ((a, x.shape.as_list()[a]) for a in (self._rows(), self._rows() + 1))
        ]

    def _part(self, x: Tensor, top: Size, left: Size, height: Size, width: Size) -> Tensor:
        """A window of the pictures."""
        rows, columns = slice(top, top + height), slice(left, left + width)
        found = x[..., rows, columns, :] if self.data_format == "channels_last" else x[..., rows, columns]
        dims = x.shape.as_list()
        for axis, size in ((self._rows(), height), (self._rows() + 1, width)):
            dims[axis] = size if isinstance(size, int) else None
        return ensure_shape(found, dims)

    def _resized(self, x: Tensor, height: int, width: int, interpolation: str, antialias: bool = False) -> Tensor:
        if self.data_format == "channels_last":
            return resize(x, [height, width], interpolation, antialias=antialias)
        last, first = ([0, 2, 3, 1], [0, 3, 1, 2]) if x.shape.rank == 4 else ([1, 2, 0], [2, 0, 1])
        return transpose(resize(transpose(x, last), [height, width], interpolation, antialias=antialias), first)

    def _cropped_to_ratio(self, x: Tensor, height: int, width: int) -> Tensor:
        """The largest window in the middle that has the ratio of a height and a width."""
        old_height, old_width = self._sizes(x)
        rows = _at_least_one(_least(old_height, old_width * height // width))
        columns = _at_least_one(_least(old_width, old_height * width // height))
        return self._part(x, (old_height - rows) // 2, (old_width - columns) // 2, rows, columns)


def _least(a: Size, b: Size) -> Size:
    return m.minimum(a, b) if isinstance(a, Tensor) or isinstance(b, Tensor) else min(a, b)


def _at_least_one(a: Size) -> Size:
    return m.maximum(a, 1) if isinstance(a, Tensor) else max(a, 1)


def _room(wanted: Size, there: Size) -> Size:
    """How much is missing on one side."""
    return m.maximum(wanted - there, 0) // 2 if isinstance(wanted - there, Tensor) else max(wanted - there, 0) // 2


class Resizing(ImageLayer):
    """Pictures in another size.

    Args:
      height, width: the new size.
      interpolation: ``"bilinear"``, ``"nearest"`` or ``"bicubic"``: how numbers between those of the picture are found.
      crop_to_aspect_ratio: whether what does not fit into the new shape is cut off first.
      pad_to_aspect_ratio: whether there is a border where the picture does not fill the new shape.
      fill_mode: ``"constant"``: the border has one value.
      fill_value: that value.
      antialias: whether each number of a smaller picture is the mean of all that it stands for.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another size, interpolation or way to fill, or if it is both to crop and to pad.

    >>> layer = tf.keras.layers.Resizing(1, 4)
    >>> print(layer(tf.constant([[[1.0], [3.0]]]))[0, :, 0].numpy())
    [1.  1.5 2.5 3. ]
    """

    def __init__(
        self,
        height: int,
        width: int,
        interpolation: str = "bilinear",
        crop_to_aspect_ratio: bool = False,
        pad_to_aspect_ratio: bool = False,
        fill_mode: str = "constant",
        fill_value: float = 0.0,
        antialias: bool = False,
        data_format: str | None = None,
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(data_format, **kwargs)
        checked_size("Resizing", height, width)
        if interpolation not in ("bilinear", "nearest", "bicubic"):
            raise ValueError(f"Resizing with interpolation={interpolation!r}: it is 'bilinear', 'nearest' or 'bicubic'")
        if fill_mode != "constant":
            raise ValueError(f"Resizing with fill_mode={fill_mode!r}: it is 'constant'")
        if crop_to_aspect_ratio and pad_to_aspect_ratio:
            raise ValueError("Resizing with crop_to_aspect_ratio=True and pad_to_aspect_ratio=True: one of them")
        self.height, self.width, self.interpolation, self.antialias = height, width, interpolation, bool(antialias)
        self.crop_to_aspect_ratio, self.pad_to_aspect_ratio = crop_to_aspect_ratio, pad_to_aspect_ratio
        self.fill_mode, self.fill_value = fill_mode, fill_value

    def _changed(self, x: Tensor, drawn: Tensor, interpolation: str, training: bool | Tensor | None) -> Tensor:
        dtype = x.dtype
        if self.crop_to_aspect_ratio:
            x = self._cropped_to_ratio(x, self.height, self.width)
        elif self.pad_to_aspect_ratio:
            x = self._padded_to_ratio(x)
        made = self._resized(x, self.height, self.width, interpolation, self.antialias)
        if made.dtype == dtype:
            return made
        return saturate_cast(m.round(made), dtype) if dtype.is_integer else cast(made, dtype)

    def _padded_to_ratio(self, x: Tensor) -> Tensor:
        height, width = self._sizes(x)
        above = _room(width * self.height // self.width, height)
        aside = _room(height * self.width // self.height, width)
        around: list[list[Size]] = [[0, 0] for _ in x.shape.as_list()]
        around[self._rows()], around[self._rows() + 1] = [above, above], [aside, aside]
        return pad(x, around, constant_values=cast(self.fill_value, x.dtype))


class CenterCrop(ImageLayer):
    """The middle of pictures; of what is smaller the largest part that has the same shape, in that size.

    Args:
      height, width: the size of what is left.
      data_format: where the channels are: ``"channels_last"`` or ``"channels_first"``.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another size.

    >>> layer = tf.keras.layers.CenterCrop(1, 2)
    >>> print(layer(tf.reshape(tf.range(12.0), [3, 4, 1]))[..., 0].numpy())
    [[5. 6.]]
    """

    def __init__(self, height: int, width: int, data_format: str | None = None, **kwargs: Unpack[Options]) -> None:
        super().__init__(data_format, **kwargs)
        checked_size("CenterCrop", height, width)
        self.height, self.width = height, width

    def _changed(self, x: Tensor, drawn: Tensor, interpolation: str, training: bool | Tensor | None) -> Tensor:
        x = self._float(x)
        height, width = self._sizes(x)
        if all(isinstance(a, Tensor) or a >= b for a, b in ((height, self.height), (width, self.width))):
            return self._part(x, (height - self.height) // 2, (width - self.width) // 2, self.height, self.width)
        part = self._cropped_to_ratio(x, self.height, self.width)
        return cast(self._resized(part, self.height, self.width, "bilinear"), x.dtype)


def checked_size(layer: str, height: int, width: int) -> None:
    """Raise ValueError unless a picture can have that size."""
    for what, size in (("height", height), ("width", width)):
        if not isinstance(size, int) or size < 1:
            raise ValueError(f"{layer} with {what}={size!r}: it is a whole number of at least 1")
