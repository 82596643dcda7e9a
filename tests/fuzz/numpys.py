"""Programs on NumPy as functions that give NumPy's values: nothing differs from plain Python, nor dtypes."""

from __future__ import annotations

import contextlib
import io

import numpy as np

import runtime as tf
from tests.exactly import difference
from tests.fuzz.compare import (
    PLAIN,
    Failure,
    Report,
    TooLong,
    at_most,
    cause,
    is_deferred,
    is_internal,
    is_refusal,
    kind_of,
    refused,
)
from tests.programs import load

FORMS = [("numpy", False, 500), ("native", True, 500), ("default", None, 500), ("counting numpy", False, 0)]


def outcome(function, arguments, change=np.copy):
    """What a call gives, or raises, and the arguments after it, with what was printed; `change` makes the arrays that
    it gets."""
    given, out = [change(a) if isinstance(a, np.ndarray) else a for a in arguments], io.StringIO()
    try:
        with np.errstate(all="ignore"), contextlib.redirect_stdout(out):
            return function(*given), [*given, out.getvalue()]
    except Exception as error:
        return error, [*given, out.getvalue()]


def check(text, random):
    """Run a program in every form; `random` chooses one of them."""
    function = load(text, np=np, __name__="program")
    rows = function.__globals__["ARGUMENTS"]
    try:
        with at_most(PLAIN):
            wanted = [outcome(function, row) for row in rows]
    except TooLong:
        return Report([], [], ran=False)
    report = Report([], [], ran=not any(isinstance(result, Exception) for result, _ in wanted))
    for form, jit_compile, limit in FORMS if random is None else [random.choice(FORMS)]:
        tf.config.set_unroll_limit(limit)
        try:
            graph = tf.function(function, jit_compile=jit_compile, numpy=True)
            for row, expected in zip(rows, wanted):
                mine = outcome(graph, row)
                what = _compared(mine, expected, report.refusals)
                if what and not any(_is_rounding(mine, expected, moved) for moved in _moved(text, row)):
                    report.failures.append(Failure(f"{form}: {what}", f"{expected!r}", f"{outcome(graph, row)!r}"))
                    break
        finally:
            tf.config.set_unroll_limit(500)
    return report


def _compared(mine, wanted, refusals):
    (result, given), (expected, after) = mine, wanted
    if isinstance(expected, Exception):
        told = isinstance(result, Exception) and not is_internal(result)
        return "" if told or isinstance(result, type(expected)) else f"no {type(expected).__name__}"
    if isinstance(result, Exception):
        if not is_internal(result) and (is_refusal(result) or is_deferred(result)):
            refusals.append(refused(result))
            return ""
        return f"{kind_of(result)} {cause(result)[0]}"
    return difference(result, expected) or difference(given, after, "the arguments")


class _Moving:
    """NumPy, with floats that are some units in the last place off: where functions give them, and products."""

    def __init__(self, seed):
        self.draw = np.random.default_rng(seed)

    def __getattr__(self, name):
        found = getattr(np, name)
        if isinstance(found, type) or not callable(found):
            return found
        return lambda *given, **options: self.moved(found(*given, **options))

    def moved(self, value):
        if not isinstance(value, np.ndarray | np.generic) or value.dtype.kind != "f":
            return value
        return value * (1 + self.draw.uniform(-4, 4) * np.finfo(value.dtype).eps).astype(value.dtype)


def _moved(text, row):
    """What a program gives where floats are a little off: its arguments, or what NumPy's functions make of them."""
    for seed in range(3):
        moving = _Moving(seed)
        yield outcome(load(text, np=np, __name__="program"), row, lambda a: moving.moved(a.copy()))
        yield outcome(load(text, np=moving, __name__="program"), row)


def _is_rounding(mine, wanted, moved):
    """Whether numbers differ from plain Python's about as much as their last place moves them.

    Machine code sums in another order and has an `exp` of its own; what a program makes of that has float64's dtype,
    perhaps, and not its accuracy; or it is the next integer.
    """
    if isinstance(wanted, list | tuple):
        alike = type(mine) is type(wanted) and len(mine) == len(wanted)
        moved = moved if type(moved) is type(wanted) and len(moved) == len(wanted) else wanted
        return alike and all(map(_is_rounding, mine, wanted, moved))
    if not difference(mine, wanted):
        return True
    if isinstance(wanted, str):
        return moved != wanted
    alike = all(type(x) is type(wanted) and np.shape(x) == np.shape(wanted) for x in (mine, moved))
    mine, wanted, moved = map(np.asarray, (mine, wanted, moved))
    if not alike or wanted.dtype.kind not in "iufc" or mine.dtype != wanted.dtype:
        return False
    with np.errstate(all="ignore"):
        far = [np.abs(np.subtract(x, wanted, dtype=np.result_type(wanted, 1.0))) for x in (mine, moved)]
        return bool(np.all(far[0] <= 32 * far[1]))
