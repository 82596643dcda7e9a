"""The Variables of layers, optimizers and metrics; of weights it is known what regularizes and what constrains them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.graph.dtypes import DType
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable


class Placed(Variable):
    """A Variable whose name is that within its layer, optimizer or metric."""

    @property
    def name(self) -> str:
        """The last part of the path.

        >>> layer = tf.keras.layers.Dense(1, name="last")
        >>> layer.build((None, 2))
        >>> layer.kernel.name, layer.kernel.path
        ('kernel', 'last/kernel')
        """
        return self.hint.rpartition("/")[2]

    @property
    def path(self) -> str:
        """The name with those of the layers around, or of the optimizer or metric."""
        return self.hint

    def __repr__(self) -> str:
        array = vars(self).get("array")
        value = f", value={array}" if array is not None and current() is None else ""
        return f"<Variable path={self.path}, shape={tuple(self.shape.as_list())}, dtype={self.dtype.name}{value}>"


class Weight(Placed):
    """A Variable that `Layer.add_weight` has made."""

    def __init__(
        self, initial: Callable[[], TensorLike], dtype: DType, name: str | None, trainable: bool, trains: bool
    ) -> None:
        super().__init__(initial, trainable=trainable and trains, dtype=dtype, name=name)
        self.may_train = trainable
        self.regularizer: Callable[[TensorLike], Tensor] | None = None
        self.constraint: Callable[[TensorLike], TensorLike] | None = None


def set_values(owner: str, weights: Sequence[Variable], values: Sequence[TensorLike], built: bool = True) -> None:
    """Give Variables values, or say which does not fit.

    >>> set_values("dense", [tf.Variable([1.0], name="bias")], [np.ones(2)])
    Traceback (most recent call last):
        ...
    ValueError: weights of 'dense': 'bias' has shape (1,), and was given an array of shape (2,)
    """
    if len(values) != len(weights):
        names = ", ".join(f"'{v.hint}' {tuple(v.shape.as_list())}" for v in weights) or "none"
        unbuilt = "" if built else ". It is not built: call it with inputs first, or its build(input_shape)"
        raise ValueError(
            f"weights of '{owner}': {len(values)} arrays were given, and it has {len(weights)}: {names}{unbuilt}"
        )
    arrays = [np.asarray(v.numpy() if hasattr(v, "numpy") else v) for v in values]
    for weight, array in zip(weights, arrays):
        if tuple(weight.shape.as_list()) != array.shape:
            raise ValueError(
                f"weights of '{owner}': '{weight.hint}' has shape {tuple(weight.shape.as_list())}, and was given an "
                f"array of shape {array.shape}"
            )
    for weight, array in zip(weights, arrays):
        weight.assign(convert_to_tensor(array.astype(weight.dtype.dtype)))
