"""The types of numbers, where a graph alone may know which of several one has: each is its place among all."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from runtime.graph.dtypes import DType, python_numbers
from runtime.graph.owner import Owner
from runtime.tensors.numbers import Scalar
from runtime.tensors.several import Asked
from runtime.tensors.tensor import SymbolicTensor, Tensor

Types: TypeAlias = frozenset[type]

PYTHONS: tuple[type, ...] = (bool, int, float, complex)
TYPES: tuple[type, ...] = (*PYTHONS, np.bool_, *(np.dtype(c).type for c in "bhilqBHILQefdFD"))
PLACES = {kind: place for place, kind in reversed([*enumerate(TYPES)])}
_OF_PYTHONS = {np.dtype(kind).kind: frozenset((kind,)) for kind in PYTHONS}
_NONE: Types = frozenset()


class OfTypes(Scalar, Asked):
    """A number of one of several types: of `TYPES[told]`, which is among `types`."""

    __slots__ = ("told", "types")

    def __init__(self, number: SymbolicTensor, told: Tensor, types: Types) -> None:
        super().__init__(number.traced_in, number.value, python=types <= {*PYTHONS})
        self.told, self.types = told, types

    def as_position(self, sequence: object) -> Tensor:
        """The index that it is of a sequence of Python's, which tells what is none."""
        return self


def type_in(dtype: DType, owner: Owner) -> Types:
    """The one type that numbers of a dtype have, given whose they are; none for what are no numbers of a program on
    NumPy."""
    if not python_numbers.are_numpys:
        return _NONE
    if owner is Owner.PYTHON:
        return _OF_PYTHONS.get(dtype.dtype.kind, _NONE)
    kind = dtype.dtype.type
    return frozenset((kind,)) if owner is Owner.NUMPY and kind in PLACES else _NONE
