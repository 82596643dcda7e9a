"""Clocks that the program looks at, and waits by, when a graph runs, for `numpy=True`."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from typing import Any

from autograph.operators.calls import set_functions
from autograph.rules import ACTING
from runtime.graph.dtypes import float64, int64
from runtime.ops import effects, elementwise as ew, shape as shape_ops
from runtime.staging.showing import in_graph
from runtime.tensors.conversion import operand
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply, apply_all


def _looks(clock: Callable[[], float]) -> Callable[..., object]:
    """What a clock says, at each run."""
    dtype = int64 if clock.__name__.endswith("_ns") else float64

    def looked() -> object:
        if not in_graph():
            return clock()
        found: Any = apply_all(effects.py_function, function=_asked(clock), dtypes=[dtype])
        return number(apply(ew.cast, apply(shape_ops.ensure_shape, found, shape=()), dtype=dtype, weak=True))

    return looked


@functools.cache
def _asked(clock: Callable[[], float]) -> Callable[[Sequence[object], Sequence[type]], tuple[object, ...]]:
    def ask(_: Sequence[object], dtypes: Sequence[type]) -> tuple[object, ...]:
        return (dtypes[0](clock()),)

    return ask


def _sleep(seconds: Any) -> None:
    if in_graph():
        apply_all(effects.py_function, operand(seconds), function=_slept, dtypes=[])
    else:
        time.sleep(seconds)


def _slept(arrays: Sequence[Any], _: object) -> tuple[()]:
    time.sleep(arrays[0].item())
    return ()


_CLOCKS = [getattr(time, name) for name in sorted(ACTING["time"] - {"sleep"}) if hasattr(time, name)]
set_functions([(time.sleep, _sleep), *((clock, _looks(clock)) for clock in _CLOCKS)])
