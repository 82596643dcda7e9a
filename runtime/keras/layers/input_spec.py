"""InputSpec: what a layer expects of the shape of what it is called with."""

from __future__ import annotations

from collections.abc import Mapping

from runtime.graph.dtypes import as_dtype
from runtime.keras.shapes import Shape, show
from runtime.tensors.types import DTypeLike


class InputSpec:
    """What a layer expects of the rank, the shape and the dtype of one input.

    Args:
      dtype: the dtype, None for any.
      shape: the shape, with None for dimensions of any size; None for any shape.
      ndim, max_ndim, min_ndim: the rank, or what it is at most or at least.
      axes: sizes by the number of their axis.
      name: the name of the input.

    >>> layer = tf.keras.layers.Layer()
    >>> layer.input_spec = tf.keras.layers.InputSpec(ndim=2)
    >>> layer(tf.ones([3]))
    Traceback (most recent call last):
        ...
    ValueError: Input 0 of layer 'layer' is incompatible with the layer: expected ndim=2, found ndim=1. Full shape \
received: (3,)
    """

    def __init__(
        self,
        dtype: DTypeLike | None = None,
        shape: tuple[int | None, ...] | None = None,
        ndim: int | None = None,
        max_ndim: int | None = None,
        min_ndim: int | None = None,
        axes: Mapping[int, int | None] | None = None,
        name: str | None = None,
    ) -> None:
        self.dtype = None if dtype is None else as_dtype(dtype).name
        self.shape = None if shape is None else tuple(shape)
        self.ndim = len(shape) if shape is not None else ndim
        self.max_ndim, self.min_ndim, self.name = max_ndim, min_ndim, name
        self.axes = {int(axis): size for axis, size in (axes or {}).items()}

    def __repr__(self) -> str:
        return f"InputSpec({', '.join(f'{name}={value!r}' for name, value in vars(self).items() if value)})"

    def wrong_with(self, shape: Shape, dtype: str) -> str | None:
        """What is wrong with an input of that shape and dtype, if anything is."""
        rank = len(shape)
        full = f". Full shape received: {show(shape)}"
        if self.ndim is not None and rank != self.ndim:
            return f"expected ndim={self.ndim}, found ndim={rank}{full}"
        if self.max_ndim is not None and rank > self.max_ndim:
            return f"expected max_ndim={self.max_ndim}, found ndim={rank}{full}"
        if self.min_ndim is not None and rank < self.min_ndim:
            return f"expected min_ndim={self.min_ndim}, found ndim={rank}{full}"
        if self.dtype is not None and dtype != self.dtype:
            return f"expected dtype={self.dtype}, found dtype={dtype}"
        for axis, size in self.axes.items():
            if not -rank <= axis < rank:
                return f"expected an axis {axis}, found ndim={rank}{full}"
            if size is not None and shape[axis] not in (size, None):
                return (
                    f"expected axis {axis} of input shape to have value {size}, but received input with shape "
                    f"{show(shape)}"
                )
        for size, found in zip(self.shape or (), shape):
            if size is not None and found not in (size, None):
                return f"expected shape={show(self.shape or ())}, found shape={show(shape)}"
        return None
