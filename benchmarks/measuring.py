"""Interleaved rounds, medians, and whether the results agree."""

from __future__ import annotations

import statistics
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.engines import Timed

_SHARE = 0.02  # seconds that a contestant may take of a round
_PAUSE = 0.1  # seconds in which the threads of the contestant before come to rest


@dataclass
class Result:
    """What a case showed: median seconds of a call, and seconds of the first call where that was measured."""

    case: str
    group: str
    seconds: dict[str, float]
    first: dict[str, float] = field(default_factory=dict)
    agree: bool = True


def measure(case: str, group: str, runs: dict[str, Timed], rounds: int, compare: bool) -> Result:
    """Time contestants in turn, so that a noisy moment hits all alike."""
    agree = not compare or _agree(runs)
    repeats = {}
    for name, run in runs.items():
        seconds = _once(run)
        repeats[name] = max(1, round(_SHARE / max(seconds, 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    for number in range(rounds):
        for name in names[number % len(names) :] + names[: number % len(names)]:  # nobody always follows the same other
            run, count = runs[name], repeats[name]
            time.sleep(_PAUSE)
            run()
            start = time.perf_counter()
            for _ in range(count):
                run()
            times[name].append((time.perf_counter() - start) / count)
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    first = {name: run.first for name, run in runs.items() if hasattr(run, "first")}
    return Result(case, group, medians, first, agree)


def _once(run: Timed) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _agree(runs: dict[str, Timed]) -> bool:
    """Whether all compute the same, within what float32 and float64 arithmetic may differ."""
    values = [_leaf(run()) for run in runs.values()]
    return all(np.allclose(v, values[0], rtol=1e-3, atol=1e-3) for v in values)


def _leaf(value: Any) -> Any:
    while isinstance(value, tuple | list) and value:
        value = value[0]
    return np.asarray(value, np.float64)
