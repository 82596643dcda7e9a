"""What ``np.r_[...]`` and ``np.c_[...]`` make of values that only the graph knows."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.staging.numpy_protocol.meanings import MAKERS, numpys, operand
from runtime.tensors import conversion
from runtime.tensors.conversion import is_tensor
from runtime.tensors.tensor import Tensor

INDEXERS = (np.r_, np.c_)


def joined_by(indexer: object, index: object) -> Tensor | None:
    """The array that one of INDEXERS makes of an index: what it lists behind one another, or as columns.

    None if a text in the index says how to join it.
    """
    items = index if type(index) is tuple else (index,)
    if any(isinstance(item, str) for item in items):
        return None
    values = [operand(_range(item) if isinstance(item, slice) else item) for item in items]
    kind = np.result_type(*map(_kind, items, values))
    values = [conversion.cast(value, kind) for value in values]
    if indexer is np.r_:
        return numpys(np.concatenate, [value if len(value.shape) else value[None] for value in values])  # type: ignore
    columns = [value if len(value.shape) > 1 else value[..., None] for value in values]
    columns = [column if len(column.shape) > 1 else column[None] for column in columns]
    return numpys(np.concatenate, columns, -1)  # type: ignore[no-any-return]


def _range(part: slice) -> object:
    if not any(map(is_tensor, (part.start, part.stop, part.step))):
        return np.r_[part]
    arange = MAKERS[np.arange]
    return arange(0 if part.start is None else part.start, part.stop, 1 if part.step is None else part.step)


def _kind(item: object, value: Tensor) -> Any:
    """What NumPy asks for the dtype that items have together: the dtype of each, or a number of Python's."""
    if type(item) in (bool, int, float, complex):
        return item
    kind = value.type.dtype.dtype
    return kind.type(0).item() if is_tensor(item) and conversion.operand(item).type.weak else kind
