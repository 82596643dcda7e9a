"""`map_fn` where rows of different lengths come or are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.graph.dtypes import int32, int64
from runtime.tensors import making, nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.composite_specs import RaggedTensorSpec, parts_in
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.shaping import shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


def has_rows(*structures: Structure) -> bool:
    """Whether one of them holds rows of different lengths, or their spec."""
    leaves = (leaf for one in structures for leaf in nest.flatten(one, expanded=False))
    return any(isinstance(leaf, RaggedTensor | RaggedTensorSpec) for leaf in leaves)


def picking(elems: Structure) -> tuple[Tensor, Callable[[Tensor], Structure]]:
    """The numbers of the parts of tensors and rows, and what gives the parts of one."""
    given: list[Any] = nest.flatten(elems, expanded=False)
    tensors = [one if isinstance(one, RaggedTensor) else operand(one) for one in given]
    takes = [one.row() if isinstance(one, RaggedTensor) else one.__getitem__ for one in tensors]
    first = tensors[0]
    count = first.nrows() if isinstance(first, RaggedTensor) else shape(first)[0]
    return making.range(cast(count, int32)), lambda at: parts_in(elems, iter([take(at) for take in takes]))


class Collected:
    """Values that are tensors or rows, one for each part, as they are kept in a loop: one after the other."""

    def __init__(self, spec: RaggedTensorSpec) -> None:
        self._spec = spec

    def arrays(self, count: Tensor) -> list[TensorArray]:
        """What holds the values, and the lengths of each ragged dimension."""
        inner = self._spec.shape.as_list()[self._spec.ragged_rank + 1 :]
        made = [TensorArray(self._spec.dtype, size=count, infer_shape=False, element_shape=[None, *inner])]
        return made + [
            TensorArray(int64, size=count, infer_shape=False, element_shape=[None])
            for _ in range(self._spec.ragged_rank + 1)
        ]

    def parts(self, value: Any) -> list[Tensor]:
        """One value in parts."""
        spec = self._spec
        if spec.ragged_rank:
            if not isinstance(value, RaggedTensor) or value.ragged_rank != spec.ragged_rank:
                raise TypeError(f"fn returned {value}, and {spec} was announced")
            kept = [value.flat_values, *value.nested_row_lengths()]
            count = value.nrows(int64)
        else:
            kept = [convert_to_tensor(value, spec.dtype)]
            if kept[0].shape.rank == 0:
                raise ValueError(f"fn returned a number, and {spec} was announced")
            count = cast(shape(kept[0], int64)[0], int64)
        if kept[0].dtype != spec.dtype or not spec.shape.is_compatible_with(value.shape):
            raise ValueError(f"fn returned {value}, and {spec} was announced")
        return [kept[0], *(cast(lengths, int64) for lengths in kept[1:]), count[None]]

    def whole(self, arrays: Sequence[TensorArray]) -> RaggedTensor:
        """All values, in rows."""
        values, *lengths = (array.concat() for array in arrays)
        made = RaggedTensor.from_nested_row_lengths(values, [lengths[-1], *lengths[:-1]], validate=False)
        return made.with_row_splits_dtype(self._spec.row_splits_dtype)
