"""Input: where a model begins."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.keras import settings
from runtime.keras.identifiers import Config
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor, Node
from runtime.keras.shapes import as_shape
from runtime.tensors.types import DTypeLike, Structure


class InputLayer(Layer):
    """What stands at the beginning of a model: it tells shape and dtype of an input.

    Args:
      shape: the shape without the batch, with None for dimensions of any size.
      batch_size: the size of the batch; any by default.
      dtype: the dtype, that of `backend.floatx` by default.
      batch_shape: the shape with the batch, instead of `shape`.
      name: the name.
      input_shape: the older name of `shape`.
    Raises:
      ValueError: if there is no shape, or two of them.

    >>> tf.keras.layers.InputLayer([3]).batch_shape
    (None, 3)
    """

    def __init__(
        self,
        shape: Sequence[int | None] | None = None,
        batch_size: int | None = None,
        dtype: DTypeLike | None = None,
        batch_shape: Sequence[int | None] | None = None,
        name: str | None = None,
        input_shape: Sequence[int | None] | None = None,
    ) -> None:
        shape = input_shape if shape is None else shape
        if (shape is None) == (batch_shape is None):
            raise ValueError(f"Input with shape={shape!r} and batch_shape={batch_shape!r}: one of them is given")
        if shape is not None and (isinstance(shape, int) or not hasattr(shape, "__iter__")):
            raise ValueError(f"Input with shape={shape!r}: it is a tuple, as ({shape},)")
        super().__init__(dtype=None, name=name or settings.unique_name("input_layer"))
        self._batch_shape = as_shape(batch_shape) if shape is None else (batch_size, *as_shape(shape))
        self.built = True
        self.symbol = KerasTensor(self._batch_shape, dtype or settings.floatx(), self.name)
        self._dtype = self.symbol.dtype.name
        self._layer_state.nodes.append(Node(self, [], {}, self.symbol, 0))

    _apart = Layer._apart | {"symbol"}

    @property
    def batch_shape(self) -> tuple[int | None, ...]:
        """The shape with the batch.

        >>> tf.keras.layers.InputLayer([3], batch_size=2).batch_shape
        (2, 3)
        """
        return self._batch_shape  # type: ignore[return-value]

    def call(self) -> Structure:
        """Nothing is computed.

        Raises:
          NotImplementedError: always; the shape of its input is all that the layer has.
        """
        raise NotImplementedError(f"'{self.name}' stands for an input, and computes nothing")

    def get_config(self) -> Config:
        """What the layer was made with, as a dictionary of plain values.

        >>> tf.keras.layers.InputLayer([3], name="x").get_config()
        {'batch_shape': (None, 3), 'dtype': 'float32', 'name': 'x'}
        """
        return {"batch_shape": self.batch_shape, "dtype": self.dtype, "name": self.name}


def Input(
    shape: Sequence[int | None] | None = None,
    batch_size: int | None = None,
    dtype: DTypeLike | None = None,
    batch_shape: Sequence[int | None] | None = None,
    name: str | None = None,
) -> KerasTensor:
    """What stands for an input of a model: layers are called with it, and `Model` takes it.

    Args:
      shape: the shape without the batch, with None for dimensions of any size.
      batch_size: the size of the batch; any by default.
      dtype: the dtype, that of `backend.floatx` by default.
      batch_shape: the shape with the batch, instead of `shape`.
      name: the name, by which a dictionary of inputs has it.
    Returns: what stands for the tensor.
    Raises:
      ValueError: if there is no shape, or two of them.

    >>> x = tf.keras.Input([3])
    >>> model = tf.keras.Model(x, tf.keras.layers.Dense(2)(x))
    >>> model(tf.ones([5, 3])).shape
    TensorShape([5, 2])
    """
    return InputLayer(shape, batch_size, dtype, batch_shape, name).symbol
