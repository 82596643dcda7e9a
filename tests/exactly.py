"""Whether a result is that of plain NumPy in all that a program can see: kind of object, dtype, shape and value."""

from __future__ import annotations

import math

import numpy as np

PLACES = {2: 1e-2, 4: 1e-5, 8: 1e-9, 16: 1e-9}  # of floats, by their size: machine code adds in another order


def difference(mine, wanted, where="the result"):
    """How a result differs, or nothing."""
    if type(mine) is not type(wanted):
        return f"{where} is {type(mine).__module__}.{type(mine).__name__}, not {type(wanted).__name__}: {mine!r:.60}"
    if isinstance(wanted, list | tuple):
        if len(mine) != len(wanted):
            return f"{where} has {len(mine)} items, not {len(wanted)}"
        pairs = enumerate(zip(mine, wanted))
        return next(filter(None, (difference(a, b, f"{where}[{i}]") for i, (a, b) in pairs)), "")
    if not isinstance(wanted, np.ndarray | np.generic):
        return "" if _same_number(mine, wanted) else f"{where} is {mine!r:.80}, not {wanted!r:.80}"
    if mine.dtype != wanted.dtype or mine.shape != wanted.shape:
        return f"{where} is {mine.dtype}{mine.shape}, not {wanted.dtype}{wanted.shape}"
    if wanted.dtype.kind not in "fc":
        return "" if np.array_equal(mine, wanted) else f"{where} is {mine!r:.80}, not {wanted!r:.80}"
    places = PLACES[wanted.real.dtype.itemsize]
    close = np.allclose(mine, wanted, rtol=places, atol=places, equal_nan=True)
    return "" if close else f"{where} is {mine!r:.80}, not {wanted!r:.80}"


def _same_number(mine, wanted):
    """Whether numbers of Python's agree; one may have been a float32 before."""
    if isinstance(wanted, float):
        return math.isclose(mine, wanted, rel_tol=1e-6, abs_tol=1e-9) or (mine != mine and wanted != wanted)
    return bool(np.isclose(mine, wanted)) if isinstance(wanted, complex) else mine == wanted
