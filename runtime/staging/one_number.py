"""Whether two numbers are one object, of which a graph has none: as far as it can be told."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from autograph import StagingError
from autograph.errors import refused
from runtime.control.promoted import types_of
from runtime.control.shared import called
from runtime.ops import elementwise as ew, indexing
from runtime.tensors import mathematics
from runtime.tensors.conversion import operand
from runtime.tensors.leaf_types import is_scalar
from runtime.tensors.numbers import Scalar
from runtime.tensors.python_errors import refuse_where
from runtime.tensors.tensor import Tensor

_SMALL = -5, 256  # whole numbers of Python's, of which there is one each


def is_number(value: object, other: object) -> object:
    """Whether two numbers are one; False where both are made anew, as an operator makes them."""
    if not (is_scalar(value) and is_scalar(other)):
        return NotImplemented
    kinds = {*types_of(value)} & {*types_of(other)}
    if kinds & {bool, np.bool_}:
        return value == other if len(kinds) == 1 else NotImplemented  # there are but two of these
    if kinds and not (int in kinds or (_is_made(value) and _is_made(other))):
        return _unknown(value, other)
    if int not in kinds:
        return False
    equal: Any = value == other
    known = next((one for one in (value, other) if not isinstance(one, Tensor)), None)
    if known is None or not _SMALL[0] <= known <= _SMALL[1]:  # type: ignore[operator]
        large: Any = mathematics.logical_or(operand(value) < _SMALL[0], operand(value) > _SMALL[1])
        refuse_where(mathematics.logical_and(equal, large), lambda: _unknown(value, other))
    return equal


def _unknown(value: object, other: object) -> NoReturn:
    raise refused(
        StagingError(
            f"whether {called(value, 'a number')} is {called(other, 'the very number')}, or one that is equal to it, "
            "is not known in a graph, which has numbers alone: compare them with ==, or keep in a variable which it is."
        )
    )


def _is_made(number: object) -> bool:
    """Whether an operator or a function has just made a number, rather than that a variable or a list is one."""
    if not isinstance(number, Scalar):
        return False
    trace, value = number.traced_in.origin(number.value)
    node = next((node for node in reversed(trace.nodes) if value in node.outputs), None)
    return node is not None and (not node.op.shares(node) or node.op is indexing.getitem) and node.op not in _HANDING_ON


_HANDING_ON = (ew.cast, ew.widen, ew.narrow, ew.positive, ew.where)
