"""Clocks that the program looks at, and waits by, when a graph runs, for `numpy=True`."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from autograph.operators.calls import set_functions
from autograph.rules import ACTING
from runtime.graph.dtypes import float64, int64
from runtime.ops import elementwise as ew, shape as shape_ops
from runtime.staging.showing import in_graph
from runtime.tensors.effects import py_function
from runtime.tensors.numbers import number
from runtime.tensors.operations import apply


def _looks(clock: Callable[[], float]) -> Callable[..., object]:
    """What a clock says, at each run."""
    dtype = int64 if clock.__name__.endswith("_ns") else float64

    def looked() -> object:
        if not in_graph():
            return clock()
        found = apply(shape_ops.ensure_shape, py_function(clock, [], dtype), shape=())
        return number(apply(ew.cast, found, dtype=dtype, weak=True))

    return looked


def _sleep(seconds: Any) -> None:
    if in_graph():
        py_function(lambda given: time.sleep(given.numpy().item()), [seconds], [])
    else:
        time.sleep(seconds)


_CLOCKS = [getattr(time, name) for name in sorted(ACTING["time"] - {"sleep"}) if hasattr(time, name)]
set_functions([(time.sleep, _sleep), *((clock, _looks(clock)) for clock in _CLOCKS)])
