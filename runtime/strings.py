"""Operations on string tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.conversion import operand
from runtime.dtypes import as_dtype
from runtime.ops import strings as ops
from runtime.trace import apply


def join(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Any:
    """Strings joined element by element."""
    return apply(ops.join, *(operand(x) for x in inputs), separator=separator.encode())


def as_string(input: Any, precision: int = -1, name: str | None = None) -> Any:
    """Numbers as text."""
    return apply(ops.as_string, operand(input))


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The length of each string, in bytes or characters (``unit="UTF8_CHAR"``)."""
    return apply(ops.length, operand(input), unit=unit)


def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Lower case."""
    return apply(ops.lower, operand(input))


def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Upper case."""
    return apply(ops.upper, operand(input))


def strip(input: Any, name: str | None = None) -> Any:
    """Without white space at both ends."""
    return apply(ops.strip, operand(input))


def to_number(input: Any, out_type: Any = "float32", name: str | None = None) -> Any:
    """Strings read as numbers."""
    return apply(ops.to_number, operand(input), dtype=as_dtype(out_type))
