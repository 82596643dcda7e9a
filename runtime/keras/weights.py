"""Weights: the Variables of layers, which know what regularizes and what constrains them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from runtime.graph.dtypes import DType
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable


class Weight(Variable):
    """A Variable that `Layer.add_weight` has made."""

    def __init__(
        self, initial: Callable[[], TensorLike], dtype: DType, name: str | None, trainable: bool, trains: bool
    ) -> None:
        super().__init__(initial, trainable=trainable and trains, dtype=dtype, name=name)
        self.may_train = trainable
        self.regularizer: Callable[[TensorLike], Tensor] | None = None
        self.constraint: Callable[[TensorLike], TensorLike] | None = None

    @property
    def path(self) -> str:
        """The name with those of the layers around, without the number of an output."""
        return self.hint


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
