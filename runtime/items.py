"""Items that are made one by one from an index: what ``enumerate`` and ``zip`` make of tensors."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from runtime.control import choices
from runtime.conversion import operand
from runtime.errors import OperatorNotAllowedInGraphError
from runtime.graph import TensorType
from runtime.lists import Rows, TensorList
from runtime.ops import indexing
from runtime.ops import shape as shape_ops
from runtime.tensor import Tensor
from runtime.trace import apply

from runtime.dtypes import int32  # isort: skip


class Items:
    """`length` items, an int or a scalar tensor; ``element(i)`` makes the one at a place, which may be staged."""

    def __init__(self, length: Any, element: Callable[[Any], Any]) -> None:
        self.length, self.element = length, element

    def __iter__(self) -> Iterator[Any]:
        if not isinstance(self.length, int):
            raise OperatorNotAllowedInGraphError(
                "how many items there are is known only when the graph runs; iterate over them with `for` in a "
                "converted function."
            )
        return (self.element(i) for i in range(self.length))


def items_of(value: Any) -> Items:
    """A tensor (along its first axis), a list or other items, by index.

    Raises TypeError for a scalar.
    """
    value = choices.contents(value)
    if isinstance(value, Items):
        return value
    if hasattr(value, "in_graph"):  # a dataset
        found = value.in_graph()
        if found is None:
            raise TypeError("cannot stage a loop over a dataset whose elements differ in shape; batch them")
        return found  # type: ignore[no-any-return]
    rows = value.rows if isinstance(value, TensorList) else None
    if isinstance(rows, Rows):
        return Items(rows.count(), rows.element)
    if isinstance(value, list | tuple | range):
        known = TensorList(value)
        return Items(len(value), lambda index: known[int(index) if isinstance(index, int) else index])
    tensor: Tensor = operand(value)
    kind = tensor.type
    assert isinstance(kind, TensorType)
    if kind.shape == ():
        raise TypeError(f"cannot iterate over a scalar tensor, {tensor}")
    count = kind.shape[0] if kind.shape is not None else None
    length = apply(shape_ops.length, tensor, axis=0, dtype=int32) if count is None else count

    def element(index: Any) -> Any:
        if isinstance(index, int):
            return tensor[index]
        return apply(indexing.getitem, tensor, index, index=(indexing.INPUT,))

    return Items(length, element)
