"""`Optional`: an element that may not be there."""

from __future__ import annotations

from typing import Any

from runtime.control.branches import cond
from runtime.datasets.elements import Spec, spec_of, tensors as as_tensors
from runtime.tensors import making, nest
from runtime.tensors.composite_specs import closed, opened
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import constant, convert_to_tensor
from runtime.tensors.shaping import require
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


class Optional(Composite):
    """An element of a dataset, or that there is none: what `get_next_as_optional` of an iterator gives.

    In a `function` it is an argument, a result, a variable of a loop.

    >>> present = tf.experimental.Optional.from_value(tf.constant([3, 1]))
    >>> print(present.has_value().numpy(), present.get_value().numpy())
    True [3 1]
    >>> print(tf.experimental.Optional.empty(tf.TensorSpec([], tf.int32)).has_value().numpy())
    False
    """

    instead = "it is an element that may not be there: x.get_value() gives it, if x.has_value()"

    _there: Tensor
    _value: Any

    def __init__(self) -> None:
        raise TypeError("Optional.from_value(value) makes one, and so does Optional.empty(element_spec)")

    @staticmethod
    def from_value(value: Structure) -> Optional:
        """One with a value.

        Args:
          value: a tensor of any shape, or a nested structure of tensors.

        >>> print(tf.experimental.Optional.from_value(3).get_value().numpy())
        3
        """
        return _made(constant(True), as_tensors(value))

    @staticmethod
    def empty(element_spec: Structure) -> Optional:
        """One without a value.

        Args:
          element_spec: the spec of the value that it might have.

        >>> tf.experimental.Optional.empty(tf.TensorSpec([2], tf.int32)).element_spec
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        return _made(constant(False), nothing_of(opened(element_spec)))

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is a value, a boolean of shape ().

        >>> print(tf.experimental.Optional.from_value(3).has_value().numpy())
        True
        """
        return self._there

    def get_value(self, name: str | None = None) -> Structure:
        """The value: a tensor of any shape, or a nested structure of tensors.

        Raises InvalidArgumentError if there is none.

        >>> print(tf.experimental.Optional.from_value(3).get_value().numpy())
        3
        """
        require(self._there, "The given optional does not have a value.")
        return self._value  # type: ignore[no-any-return]

    @property
    def element_spec(self) -> Structure:
        """The spec of the value that it has, or might have.

        >>> tf.experimental.Optional.from_value([3, 1]).element_spec
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        return closed(spec_of(self._value))  # type: ignore[no-any-return]


def _made(there: Tensor, value: Structure) -> Optional:
    """One with a value if `there` holds; otherwise with something of its spec."""
    one: Optional = object.__new__(Optional)
    one._there, one._value = there, value
    return one


def nothing_of(spec: Spec) -> Structure:
    """What stands for a value of a spec that is not there."""

    def leaf(one: object) -> object:
        if not isinstance(one, TensorSpec):
            raise TypeError(f"an Optional holds tensors, and no {one}")
        return making.zeros([d or 0 for d in one.shape.as_list()] if one.shape.rank is not None else [], one.dtype)

    return nest.map_structure(leaf, spec)


def next_of(iterator: Any, spec: Spec) -> Optional:
    """The next element of an iterator of a graph, if there is one."""
    there = convert_to_tensor(iterator.advance())
    return _made(there, cond(there, iterator.item, lambda: nothing_of(spec)))
