"""How long a function takes in each of its forms."""

from __future__ import annotations

import functools
import statistics
import time
import timeit
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import autograph
from runtime.executors import EXECUTORS
from runtime.functions.function import Function

_SECONDS = 0.2  # for each form
_MOST_RUNS = 50
_BRIEF = 1e-4  # seconds; of what takes less, many calls make a run
_CALLS = 100


@dataclass
class Timing:
    """A form of the function, the seconds that a call takes (the median of some), or why that is not known."""

    form: str
    seconds: float | None
    note: str


def timings(function: Callable[..., object], args: Sequence[object]) -> list[Timing]:
    """The times of plain Python, converted, and as a graph on each executor; the function is called with `args`."""
    found = [
        _timed("plain Python", lambda: function, args),
        _timed("converted", lambda: autograph.traced_form(function), args),
    ]
    for name in EXECUTORS:
        make = functools.partial(Function[..., object], function, jit_compile=name)
        found.append(_timed(f"graph, {name}", make, args))
    return found


def _timed(form: str, make: Callable[[], Callable[..., object]], args: Sequence[object]) -> Timing:
    try:
        function = make()
        call = functools.partial(function, *args)
        end = time.perf_counter() + _SECONDS
        first = timeit.timeit(call, number=1)
        runs = [first]
        if isinstance(function, Function):  # the first call has traced and compiled it
            end = time.perf_counter() + _SECONDS
            runs = [timeit.timeit(call, number=1)]
        number = _CALLS if runs[0] < _BRIEF else 1
        while len(runs) < _MOST_RUNS and time.perf_counter() < end:
            runs.append(timeit.timeit(call, number=number) / number)
    except Exception as error:  # whatever the user's function raises is shown
        return Timing(form, None, f"{type(error).__name__}: {error}".splitlines()[0])
    return Timing(
        form, statistics.median(runs), f"median of {len(runs)} runs; the first call took {first * 1e3:.3g} ms"
    )
