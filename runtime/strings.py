"""Operations on string tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.graph.dtypes import as_dtype
from runtime.ops import strings as ops
from runtime.tensors.conversion import operand
from runtime.tensors.operations import apply

__all__ = ["as_string", "join", "length", "lower", "strip", "to_number", "upper"]


def join(inputs: Sequence[Any], separator: str = "", name: str | None = None) -> Any:
    """Strings joined element by element."""
    return apply(ops.join, *(operand(x) for x in inputs), separator=separator.encode())


def as_string(input: Any, precision: int = -1, name: str | None = None) -> Any:
    """Numbers as text; floats with `precision` digits behind the point, if it is given."""
    x, digits = operand(input), int(precision)
    if digits < 0:
        return apply(ops.as_string, x)
    if not x.dtype.is_floating:
        raise ValueError(
            f"as_string of {x.dtype.name} with precision={digits}: only floats have digits behind the point"
        )
    return apply(ops.fixed, x, digits=digits)


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """The length of each string, in bytes or characters (``unit="UTF8_CHAR"``)."""
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"unit={unit!r}: it is 'BYTE' or 'UTF8_CHAR'")
    return apply(ops.length, operand(input), unit=unit)


def lower(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Lower case: of ASCII, or of all letters with ``encoding="utf-8"``."""
    return apply(ops.changed_text if _is_utf8(encoding) else ops.lower, operand(input), **_how("lower", encoding))


def upper(input: Any, encoding: str = "", name: str | None = None) -> Any:
    """Upper case: of ASCII, or of all letters with ``encoding="utf-8"``."""
    return apply(ops.changed_text if _is_utf8(encoding) else ops.upper, operand(input), **_how("upper", encoding))


def _is_utf8(encoding: str) -> bool:
    if encoding not in ("", "utf-8"):
        raise ValueError(f"encoding={encoding!r}: it is '' (for ASCII) or 'utf-8'")
    return encoding == "utf-8"


def _how(change: str, encoding: str) -> dict[str, str]:
    return {"how": change} if encoding else {}


def strip(input: Any, name: str | None = None) -> Any:
    """Without white space at both ends."""
    return apply(ops.strip, operand(input))


def to_number(input: Any, out_type: Any = "float32", name: str | None = None) -> Any:
    """Strings read as numbers."""
    return apply(ops.to_number, operand(input), dtype=as_dtype(out_type))
