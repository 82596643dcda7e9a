"""Programs on NumPy as functions that give NumPy's values: nothing differs from plain Python, nor dtypes."""

from __future__ import annotations

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


def outcome(function, arguments):
    """What a call gives, or raises, and the arguments after it."""
    given = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]
    try:
        with np.errstate(all="ignore"):
            return function(*given), given
    except Exception as error:
        return error, given


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
                what = _compared(outcome(graph, row), expected, report.refusals)
                if what:
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
