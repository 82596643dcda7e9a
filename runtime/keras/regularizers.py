"""Regularizers: what the size of weights adds to a loss."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeAlias, TypeVar

from runtime.keras.identifiers import Catalogue, Config, Objects
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.making import eye
from runtime.tensors.normalisation import l2_normalize
from runtime.tensors.products import matmul
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "L1", "L1L2", "L2", "OrthogonalRegularizer", "Regularizer", "deserialize", "get", "l1", "l1_l2", "l2",
    "orthogonal_regularizer", "serialize",
]  # fmt: skip

Self = TypeVar("Self", bound="Regularizer")
Penalty: TypeAlias = Callable[[TensorLike], Tensor]


class Regularizer:
    """A base for what weights add to a loss.

    A class of one's own defines `__call__` and, to be saved, `get_config`.

    >>> class Cubes(tf.keras.regularizers.Regularizer):
    ...     def __call__(self, x):
    ...         return tf.reduce_sum(tf.abs(x) ** 3)
    >>> print(Cubes()(tf.constant([-2.0, 1.0])))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """

    def __call__(self, x: TensorLike) -> Tensor:
        """What a weight adds to the loss.

        Args:
          x: the weight.
        Returns: a scalar of its dtype.

        >>> print(tf.keras.regularizers.L2(0.5)([1.0, 3.0]))
        tf.Tensor(5.0, shape=(), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(self, x)")

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.regularizers.L2(0.5).get_config()
        {'l2': 0.5}
        """
        raise NotImplementedError(f"{type(self).__name__} does not define get_config(self)")

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an object of this class.

        >>> tf.keras.regularizers.L2.from_config({"l2": 0.5}).l2
        0.5
        """
        made: Callable[..., Self] = cls
        return made(**config)


class L1L2(Regularizer):
    """``l1 * sum(abs(x)) + l2 * sum(x ** 2)``.

    Args:
      l1, l2: the factors, 0 or more.
    Raises:
      ValueError: for factors that are less, or no numbers.

    >>> print(tf.keras.regularizers.L1L2(l1=1.0, l2=0.5)([1.0, -3.0]))
    tf.Tensor(9.0, shape=(), dtype=float32)
    """

    def __init__(self, l1: float = 0.0, l2: float = 0.0) -> None:
        self.l1, self.l2 = _factor("l1", l1, 0.0), _factor("l2", l2, 0.0)

    def __call__(self, x: TensorLike) -> Tensor:
        weight = convert_to_tensor(x)
        parts = [self.l1 * reduce_sum(m.abs(weight))] if self.l1 else []
        parts += [self.l2 * reduce_sum(m.square(weight))] if self.l2 else []
        return m.add_n(parts) if parts else reduce_sum(weight * 0)

    def get_config(self) -> Config:
        return {"l1": self.l1, "l2": self.l2}


class L1(Regularizer):
    """``l1 * sum(abs(x))``.

    Args:
      l1: the factor, 0 or more.
    Raises:
      ValueError: for a factor that is less, or no number.

    >>> print(tf.keras.regularizers.L1(0.5)([1.0, -3.0]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    def __init__(self, l1: float = 0.01) -> None:
        self.l1 = _factor("l1", l1, 0.01)

    def __call__(self, x: TensorLike) -> Tensor:
        return self.l1 * reduce_sum(m.abs(convert_to_tensor(x)))

    def get_config(self) -> Config:
        return {"l1": self.l1}


class L2(Regularizer):
    """``l2 * sum(x ** 2)``.

    Args:
      l2: the factor, 0 or more.
    Raises:
      ValueError: for a factor that is less, or no number.

    >>> print(tf.keras.regularizers.L2(0.5)([1.0, -3.0]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """

    def __init__(self, l2: float = 0.01) -> None:
        self.l2 = _factor("l2", l2, 0.01)

    def __call__(self, x: TensorLike) -> Tensor:
        return self.l2 * reduce_sum(m.square(convert_to_tensor(x)))

    def get_config(self) -> Config:
        return {"l2": self.l2}


class OrthogonalRegularizer(Regularizer):
    """The mean of the absolute cosines between the rows of a matrix, or its columns, times half a factor.

    Args:
      factor: the factor, 0 or more.
      mode: ``"rows"`` or ``"columns"``.
    Raises:
      ValueError: for another mode, a factor that is less than 0 or no number, and a weight that is no matrix.

    >>> regularizer = tf.keras.regularizers.OrthogonalRegularizer(1.0)
    >>> print(regularizer([[1.0, 0.0], [3.0, 4.0]]).numpy().round(3))
    0.6
    """

    def __init__(self, factor: float = 0.01, mode: str = "rows") -> None:
        if mode not in ("rows", "columns"):
            raise ValueError(f"OrthogonalRegularizer with mode={mode!r}: it is 'rows' or 'columns'")
        self.factor, self.mode = _factor("factor", factor, 0.01), mode

    def __call__(self, x: TensorLike) -> Tensor:
        weight = convert_to_tensor(x)
        by_rows = self.mode == "rows"
        count = weight.shape.as_list()[0 if by_rows else 1] if weight.shape.rank == 2 else None
        if count is None:
            raise ValueError(f"OrthogonalRegularizer of a weight of shape {weight.shape}: it is for matrices")
        vectors = l2_normalize(weight, 1 if by_rows else 0)
        cosines = matmul(vectors, vectors, transpose_a=not by_rows, transpose_b=by_rows)
        between = m.abs(cosines * (1 - eye(count, dtype=weight.dtype)))
        return self.factor * 0.5 * reduce_sum(between) / (count * (count - 1) / 2)

    def get_config(self) -> Config:
        return {"factor": self.factor, "mode": self.mode}


def _factor(parameter: str, value: object, default: float) -> float:
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise ValueError(f"Invalid value for argument {parameter}: {value!r}. It is a number, 0 or more")
    return float(value)


l1, l2, l1_l2, orthogonal_regularizer = L1, L2, L1L2, OrthogonalRegularizer

_CATALOGUE = Catalogue.in_words(
    "regularizer",
    "keras.regularizers",
    {name: globals()[name] for name in __all__ if name not in ("Regularizer", "get", "serialize", "deserialize")},
)


def get(identifier: object) -> Penalty | None:
    """A regularizer by its name, or by its configuration.

    Args:
      identifier: a name, as ``"l2"``, what `serialize` gives, a class, a regularizer, a function of a weight, or None.
    Returns: the regularizer, or the function; None for None.
    Raises:
      ValueError: if there is no such regularizer.

    >>> tf.keras.regularizers.get("l2").l2
    0.01
    >>> tf.keras.regularizers.get("orthogonal_regularizr")
    Traceback (most recent call last):
        ...
    ValueError: Unknown regularizer: 'orthogonal_regularizr'. Did you mean 'orthogonal_regularizer'?
    """
    found = _CATALOGUE.get(identifier)
    if found is not None and not callable(found):
        raise ValueError(f"Could not interpret regularizer {identifier!r}: it is a function of a weight")
    return found


def serialize(regularizer: Penalty) -> object:
    """The configuration of a regularizer, as a dictionary.

    Args:
      regularizer: the regularizer.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> tf.keras.regularizers.serialize(tf.keras.regularizers.L2(0.5))["config"]
    {'l2': 0.5}
    """
    return _CATALOGUE.serialize(regularizer)


def deserialize(config: object, custom_objects: Objects = None) -> Penalty | None:
    """The regularizer that a configuration describes.

    Args:
      config: what `serialize` gives.
      custom_objects: classes of one's own by their names.
    Returns: the regularizer.
    Raises:
      ValueError: if there is no such class.

    >>> config = tf.keras.regularizers.serialize(tf.keras.regularizers.L2(0.5))
    >>> tf.keras.regularizers.deserialize(config).l2
    0.5
    """
    found = _CATALOGUE.deserialize(config, custom_objects)
    return found if callable(found) else None
