"""Values as text, the way `runtime.print` writes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.graph.dtypes import NumPyDType
from runtime.graph.op import kernel

_DIGITS = {np.dtype(np.float32): (6, 9), np.dtype(np.float64): (15, 17)}


def element(value: Any, dtype: NumPyDType) -> str:
    """One element: as few digits as give it back, strings without quotes.

    >>> element(np.float32(0.1), np.dtype(np.float32)), element(np.float32(1), np.dtype(np.float32))
    ('0.1', '1')
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, str):
        return value
    if dtype.kind == "f":
        return _number(value, dtype)
    if dtype.kind == "c":
        part = np.dtype(np.float32 if dtype.itemsize == 8 else np.float64)
        return f"({_number(value.real, part)},{_number(value.imag, part)})"
    if dtype.kind == "b":
        return str(int(value))
    return str(value)


def _number(value: Any, dtype: NumPyDType) -> str:
    if not np.isfinite(value):
        return "nan" if np.isnan(value) else "inf" if value > 0 else "-inf"
    if dtype == np.float16:  # as the float32 that it is, too
        dtype = np.dtype(np.float32)
    few, enough = _DIGITS[dtype]
    short = f"{float(value):.{few}g}"
    return short if dtype.type(short) == value else f"{float(value):.{enough}g}"


def array(value: object, summarize: int, depth: int = 0) -> str:
    """A tensor: ``[1 2 3]``, with an ellipsis where an axis has more than twice `summarize` elements."""
    value = np.asarray(value)
    if value.ndim == 0:
        shown = element(value[()], value.dtype)
        return f'"{shown}"' if depth and isinstance(value[()], bytes | str) else shown
    rows = list(value)
    cut = summarize >= 0 and len(rows) > 2 * summarize
    parts = [array(row, summarize, depth + 1) for row in (rows[:summarize] if cut else rows)]
    if cut:
        parts += ["...", *(array(row, summarize, depth + 1) for row in rows[len(rows) - summarize :])]
    separator = " " if value.ndim == 1 else "\n" * (value.ndim - 1) + " " * (depth + 1)
    return "[" + separator.join(parts) + "]"


@kernel
class Shown(str):
    """The text of a Python value that is not a text itself: it has no quotes in a structure."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Shown({str(self)!r})"


@kernel
@dataclass(frozen=True)
class Named:
    """A named tuple, or an object of a dataclass: the name of its class, and its parts by their names."""

    title: str
    parts: dict[str, object]


def text(part: object, summarize: int, alone: bool = True, top: bool = True) -> str:
    """One argument of a print: a text as it is, an array, or a structure of these.

    A text of a tensor is in quotes, unless it is all that is printed.
    """
    if isinstance(part, str):
        return str(part) if top or isinstance(part, Shown) else repr(part)
    if isinstance(part, list | tuple):
        inner = ", ".join(text(p, summarize, alone=False, top=False) for p in part)
        return f"[{inner}]" if isinstance(part, list) else f"({inner}{',' if len(part) == 1 else ''})"
    if isinstance(part, Named):
        shown = [f"{k}={text(v, summarize, alone=False, top=False)}" for k, v in part.parts.items()]
        return f"{part.title}({', '.join(shown)})"
    if isinstance(part, dict):
        shown = [f"{k!r}: {text(v, summarize, alone=False, top=False)}" for k, v in part.items()]
        return "{" + ", ".join(shown) + "}"
    return array(part, summarize, depth=0 if alone or np.ndim(part) else 1)  # type: ignore[arg-type]
