"""How long a function takes in each of its forms."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import autograph
from runtime.executors import EXECUTORS
from runtime.functions.function import Function

_SECONDS = 0.25  # for each form, the first call of which is not counted
_MOST_RUNS = 50


@dataclass
class Timing:
    """A form of the function, the seconds that a call takes (the median of some), or why that is not known."""

    form: str
    seconds: float | None
    note: str


def timings(function: Callable[..., object], args: Sequence[object]) -> list[Timing]:
    """The times of plain Python, converted, and as a graph on each executor; the function is called with `args`."""
    forms: dict[str, Callable[[], Callable[..., object]]] = {
        "plain Python": lambda: function,
        "converted": lambda: autograph.traced_form(function),
    }
    for name in EXECUTORS:
        forms[f"graph, {name}"] = lambda name=name: Function(function, jit_compile=name)  # type: ignore[misc]
    return [_timed(form, make, args) for form, make in forms.items()]


def _timed(form: str, make: Callable[[], Callable[..., object]], args: Sequence[object]) -> Timing:
    try:
        call = make()
        first = _seconds(call, args)
        runs: list[float] = []
        end = time.perf_counter() + _SECONDS - first
        while len(runs) < _MOST_RUNS and time.perf_counter() < end:
            runs.append(_seconds(call, args))
    except Exception as error:  # whatever the user's function raises is shown
        return Timing(form, None, f"{type(error).__name__}: {error}".splitlines()[0])
    if not runs:
        return Timing(form, first, "one call, the first")
    return Timing(form, statistics.median(runs), f"median of {len(runs)} calls; the first took {first * 1e3:.3g} ms")


def _seconds(call: Callable[..., object], args: Sequence[object]) -> float:
    start = time.perf_counter()
    call(*args)
    return time.perf_counter() - start
