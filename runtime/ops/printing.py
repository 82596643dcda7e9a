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


def _listed(value: Any, start: int, end: int | None) -> list[Any]:
    """Some of the rows of what is rows of different lengths, or of a tensor."""
    if not isinstance(value, Named):
        return list(np.asarray(value)[start:end])
    values, splits = value.parts["values"], np.asarray(value.parts["row_splits"])
    last = len(splits) - 1 if end is None else end
    return [_listed(values, int(a), int(b)) for a, b in zip(splits[start:last], splits[start + 1 : last + 1])]


def _rows(value: Any, summarize: int) -> str:
    """Rows of different lengths: ``[[1, 2], []]``, their elements as `as_string` has them, and texts in quotes."""
    if isinstance(value, list) or np.ndim(value):
        parts = list(value)
        if summarize >= 0 and len(parts) > 2 * summarize:
            shown = [_rows(part, summarize) for part in (*parts[:summarize], *parts[len(parts) - summarize :])]
            return f"[{', '.join([*shown[:summarize], '...', *shown[summarize:]])}]"
        return f"[{', '.join(_rows(part, summarize) for part in parts)}]"
    if isinstance(value, bytes | str):
        plain = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return "'" + plain.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, bool | np.bool_):
        return str(bool(value)).lower()
    return f"{value:f}" if isinstance(value, float | np.floating) else str(value)


def text(part: object, summarize: int, alone: bool = True, top: bool = True) -> str:
    """One argument of a print: a text as it is, an array, or a structure of these.

    A text of a tensor is in quotes, unless it is all that is printed.
    """
    if isinstance(part, str):
        return str(part) if top or isinstance(part, Shown) else repr(part)
    if isinstance(part, list | tuple):
        inner = ", ".join(text(p, summarize, alone=False, top=False) for p in part)
        return f"[{inner}]" if isinstance(part, list) else f"({inner}{',' if len(part) == 1 else ''})"
    if isinstance(part, Named) and part.title == "tf.RaggedTensor":
        return _rows(_listed(part, 0, None), summarize)
    if isinstance(part, Named) and part.title == "tf.SparseTensor":
        shown = zip(("indices", "values", "shape"), part.parts.values())
        return f"'SparseTensor({', '.join(f'{k}={text(v, summarize, alone=False, top=False)}' for k, v in shown)})'"
    if isinstance(part, Named):
        named = [f"{k}={text(v, summarize, alone=False, top=False)}" for k, v in part.parts.items()]
        return f"{part.title.removeprefix('tf.')}({', '.join(named)})"
    if isinstance(part, dict):
        items = [f"{k!r}: {text(v, summarize, alone=False, top=False)}" for k, v in part.items()]
        return "{" + ", ".join(items) + "}"
    return array(part, summarize, depth=0 if alone or np.ndim(part) else 1)  # type: ignore[arg-type]
