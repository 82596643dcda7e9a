"""Constraints: what weights are brought back to after each step of an optimizer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias, TypeVar

from runtime.keras.identifiers import Catalogue, Config, Objects
from runtime.keras.settings import epsilon
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike

__all__ = [
    "Constraint", "MaxNorm", "MinMaxNorm", "NonNeg", "UnitNorm", "deserialize", "get", "max_norm", "min_max_norm",
    "non_neg", "serialize", "unit_norm",
]  # fmt: skip

Self = TypeVar("Self", bound="Constraint")
Projection: TypeAlias = Callable[[TensorLike], TensorLike]


class Constraint:
    """A base for what weights are brought back to.

    A class of one's own defines `__call__` and, to be saved, `get_config`.

    >>> class Whole(tf.keras.constraints.Constraint):
    ...     def __call__(self, w):
    ...         return tf.round(w)
    >>> print(Whole()(tf.constant([1.2, 2.9])))
    tf.Tensor([1. 3.], shape=(2,), dtype=float32)
    """

    def __call__(self, w: TensorLike) -> Tensor:
        """The weight as it is to be.

        Args:
          w: the weight as it is.
        Returns: a tensor of its shape and dtype.

        >>> print(tf.keras.constraints.NonNeg()([1.0, -2.0]))
        tf.Tensor([1. 0.], shape=(2,), dtype=float32)
        """
        return convert_to_tensor(w)

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.constraints.UnitNorm(axis=1).get_config()
        {'axis': 1}
        """
        return {}

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an object of this class.

        >>> tf.keras.constraints.UnitNorm.from_config({"axis": 1}).axis
        1
        """
        made: Callable[..., Self] = cls
        return made(**config)


class MaxNorm(Constraint):
    """Vectors along an axis, none of which is longer than a norm.

    Args:
      max_value: the norm.
      axis: the axis, or several that are one vector together; of a matrix, 0 for the weights of one unit.

    >>> print(tf.keras.constraints.MaxNorm(1.0)([[3.0, 0.3], [4.0, 0.4]]).numpy().round(3))
    [[0.6 0.3]
     [0.8 0.4]]
    """

    def __init__(self, max_value: float = 2, axis: AxisLike = 0) -> None:
        self.max_value, self.axis = max_value, axis

    def __call__(self, w: TensorLike) -> Tensor:
        weight, norms = _norms(w, self.axis)
        return weight * (m.clipped(norms, 0, self.max_value) / (epsilon() + norms))

    def get_config(self) -> Config:
        return {"max_value": self.max_value, "axis": self.axis}


class NonNeg(Constraint):
    """Elements of 0 or more: 0 in place of the others.

    >>> print(tf.keras.constraints.NonNeg()([1.0, -2.0]))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """

    def __call__(self, w: TensorLike) -> Tensor:
        return m.maximum(w, 0)


class UnitNorm(Constraint):
    """Vectors along an axis, all of norm 1.

    Args:
      axis: the axis, or several that are one vector together.

    >>> print(tf.keras.constraints.UnitNorm()([[3.0, 0.3], [4.0, 0.4]]).numpy().round(3))
    [[0.6 0.6]
     [0.8 0.8]]
    """

    def __init__(self, axis: AxisLike = 0) -> None:
        self.axis = axis

    def __call__(self, w: TensorLike) -> Tensor:
        weight, norms = _norms(w, self.axis)
        return weight / (epsilon() + norms)

    def get_config(self) -> Config:
        return {"axis": self.axis}


class MinMaxNorm(Constraint):
    """Vectors along an axis, whose norms lie between two, or nearer to it.

    Args:
      min_value, max_value: the least and the greatest norm.
      rate: how much of the way there each step goes: 1 for all of it.
      axis: the axis, or several that are one vector together.

    >>> constraint = tf.keras.constraints.MinMaxNorm(2.0, 3.0, rate=0.5)
    >>> print(constraint([[1.0, 5.0]]).numpy().round(3))
    [[1.5 4. ]]
    """

    def __init__(self, min_value: float = 0.0, max_value: float = 1.0, rate: float = 1.0, axis: AxisLike = 0) -> None:
        self.min_value, self.max_value, self.rate, self.axis = min_value, max_value, rate, axis

    def __call__(self, w: TensorLike) -> Tensor:
        weight, norms = _norms(w, self.axis)
        wanted = self.rate * m.clipped(norms, self.min_value, self.max_value) + (1 - self.rate) * norms
        return weight * (wanted / (epsilon() + norms))

    def get_config(self) -> Config:
        return {name: getattr(self, name) for name in ("min_value", "max_value", "rate", "axis")}


def _norms(w: TensorLike, axis: AxisLike) -> tuple[Tensor, Tensor]:
    weight = convert_to_tensor(w)
    return weight, m.sqrt(reduce_sum(m.square(weight), axis, keepdims=True))


max_norm, min_max_norm, non_neg, unit_norm = MaxNorm, MinMaxNorm, NonNeg, UnitNorm

_CATALOGUE = Catalogue.in_words(
    "constraint",
    "keras.constraints",
    {name: globals()[name] for name in __all__ if name not in ("Constraint", "get", "serialize", "deserialize")},
)


def get(identifier: object) -> Projection | None:
    """A constraint by its name, or by its configuration.

    Args:
      identifier: a name, as ``"max_norm"``, what `serialize` gives, a class, a constraint, a function of a weight, or
        None.
    Returns: the constraint, or the function; None for None.
    Raises:
      ValueError: if there is no such constraint.

    >>> tf.keras.constraints.get("max_norm").max_value
    2
    >>> tf.keras.constraints.get("nonneg_")
    Traceback (most recent call last):
        ...
    ValueError: Unknown constraint: 'nonneg_'. Did you mean 'non_neg'?
    """
    found = _CATALOGUE.get(identifier)
    if found is not None and not callable(found):
        raise ValueError(f"Could not interpret constraint {identifier!r}: it is a function of a weight")
    return found


def serialize(constraint: Projection) -> object:
    """The configuration of a constraint, as a dictionary.

    Args:
      constraint: the constraint.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> tf.keras.constraints.serialize(tf.keras.constraints.UnitNorm())["config"]
    {'axis': 0}
    """
    return _CATALOGUE.serialize(constraint)


def deserialize(config: object, custom_objects: Objects = None) -> Projection | None:
    """The constraint that a configuration describes.

    Args:
      config: what `serialize` gives.
      custom_objects: classes of one's own by their names.
    Returns: the constraint.
    Raises:
      ValueError: if there is no such class.

    >>> config = tf.keras.constraints.serialize(tf.keras.constraints.UnitNorm(1))
    >>> tf.keras.constraints.deserialize(config).axis
    1
    """
    found = _CATALOGUE.deserialize(config, custom_objects)
    return found if callable(found) else None
