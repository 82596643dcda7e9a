"""Whether a result is that of plain NumPy in all that a program can see: kind of object, dtype, shape and value."""

from __future__ import annotations

import copy
import enum
import math
from collections import deque

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


def unlike(mine, wanted, known):
    """How two results differ, or nothing: in what is one object and what is not, too."""
    if isinstance(wanted, enum.Enum):
        return "" if mine is wanted else f"{mine!r} is not {wanted!r}"
    if isinstance(wanted, int | float | str | np.ndarray | np.generic | None):
        return difference(mine, wanted)
    if id(wanted) in known:
        return "" if known[id(wanted)][0] is mine else f"{mine!r} is another object than before"
    known[id(wanted)] = mine, wanted
    if type(mine) is not type(wanted):
        return f"{mine!r} is no {type(wanted).__name__}"
    if isinstance(wanted, set):
        return "" if sorted(mine) == sorted(wanted) else f"{mine} is not {wanted}"
    if isinstance(wanted, BaseException):
        return "" if str(mine) == str(wanted) else f"{mine} is not {wanted}"
    if isinstance(wanted, dict):
        parts = [([*mine], [*wanted]), ([*mine.values()], [*wanted.values()])]
        return next(filter(None, (unlike(list(a), list(b), known) for a, b in parts)), "")
    if isinstance(wanted, list | tuple | deque):
        if len(mine) != len(wanted):
            return f"{mine!r} has not the length of {wanted!r}"
        return next(filter(None, (unlike(a, b, known) for a, b in zip(mine, wanted))), "")
    names = [*getattr(type(wanted), "__slots__", ())] or [*vars(wanted)]
    return next(filter(None, (unlike(getattr(mine, name), getattr(wanted, name), known) for name in names)), "")


def outcome(function, args):
    """What a call returns or raises, and what it leaves in its arguments."""
    args = copy.deepcopy(args)
    try:
        return [function(*args), args]
    except Exception as error:
        return [error, args]
