"""Time the same work here, in plain Python and in the peers that are installed: interleaved rounds, medians, ratios."""

from __future__ import annotations

import argparse
import functools
import importlib
import importlib.util
import itertools
import platform
import runpy
import statistics
import tempfile
import time
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import autograph
import runtime
from autograph import source
from autograph.convert_file import convert_module
from samples.collatz import collatz
from samples.digits import small_problem, train

Timed = Callable[[], Any]


def logistic(x, n):
    """The logistic map, n turns."""
    i = 0
    while i < n:
        x = 3.7 * x * (1.0 - x)
        i += 1
    return x


def squash(x):
    """A loop on a small array, with operators alone, which all contestants have."""
    n = 0
    while x[0] > 0.01:
        x = x / (1.0 + x)
        n += 1
    return x


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def weigh(n):
    """A loop with an `if`."""
    total = 0
    for i in range(n):
        if i % 3 == 0:
            total += i
        else:
            total -= 1
    return total


def relu(x):
    if x > 0:
        return x
    return 0.0 * x


def tensorflow(function: Callable[..., Any], *arguments: Any) -> Timed | None:
    """The function under tf.function, or None where TensorFlow is missing or refuses it."""
    if importlib.util.find_spec("tensorflow") is None:
        return None
    import tensorflow as tf

    inputs = [tf.constant(a) for a in arguments]
    graph = tf.function(function)
    try:
        graph(*inputs)
    except Exception as error:
        print(f"  TensorFlow refuses {function.__name__}: {str(error).splitlines()[0][:80]}")
        return None
    return lambda: np.asarray(graph(*inputs))


def contestants(function: Callable[..., Any], *arguments: Any) -> dict[str, Timed]:
    graph = runtime.function(function)
    inputs = [runtime.constant(a) for a in arguments]
    converted = autograph.convert(function)
    found: dict[str, Timed | None] = {
        "plain Python": lambda: function(*arguments),
        "converted": lambda: converted(*arguments),
        "graph": lambda: graph(*inputs),
        "TensorFlow graph": tensorflow(function, *arguments),
    }
    return {name: run for name, run in found.items() if run is not None}


_fresh = itertools.count()


def if_chain(count: int) -> str:
    """A function of `count` branches in a row, unlike any before, so that no cache knows it."""
    branches = "".join(f"    if x > {i}:\n        x = x - {i}\n" for i in range(count))
    return f"def chain(x):\n    x = x + {next(_fresh)}\n{branches}    return x\n"


def conversion(count: int) -> dict[str, Timed]:
    """Conversion time against source size."""
    found: dict[str, Timed] = {"autograph": lambda: convert_module(source.parse(if_chain(count), "chain.py"))}
    if importlib.util.find_spec("tensorflow") is not None and count <= 8:  # each branch more doubles its time
        import tensorflow as tf

        folder = Path(tempfile.mkdtemp())

        def convert_anew() -> str:
            path = folder / f"chain_{next(_fresh)}.py"
            path.write_text(if_chain(count), encoding="utf-8")
            code: str = tf.autograph.to_code(runpy.run_path(str(path))["chain"])
            return code

        found["TensorFlow"] = convert_anew
    return found


def plain(function: Callable[..., Any], *arguments: Any) -> dict[str, Timed]:
    """Converted code on ordinary values: as users meet it, and as it runs while something is traced."""
    converted = autograph.to_graph(function)

    def while_tracing() -> Any:
        autograph.begin_staging()
        try:
            return converted(*arguments)
        finally:
            autograph.end_staging()

    found: dict[str, Timed] = {
        "plain Python": lambda: function(*arguments),
        "converted": lambda: converted(*arguments),
        "while tracing": while_tracing,
    }
    for name, convert in peers("to_graph").items():
        made = convert(function)
        found[name] = lambda made=made: made(*arguments)
    return found


def peers(function: str) -> dict[str, Callable[..., Any]]:
    """That function of the compilers like this one that are installed."""
    found: dict[str, Callable[..., Any]] = {}
    if importlib.util.find_spec("tensorflow") is not None:
        import tensorflow as tf

        found["TensorFlow"] = getattr(tf.autograph, function)
    if importlib.util.find_spec("malt") is not None:
        import malt

        found["malt"] = getattr(malt, function)
    return found


def library(names: Sequence[str] = ("heapq", "textwrap", "calendar", "fractions")) -> dict[str, Timed]:
    """Printing the converted functions of the standard library: those that every compiler takes."""
    texts = {name: Path(importlib.import_module(name).__file__ or "").read_text(encoding="utf-8") for name in names}
    folder = Path(tempfile.mkdtemp())
    compilers = {"autograph": autograph.to_code, **peers("to_code")}

    def fresh(name: str) -> dict[str, Callable[..., Any]]:
        """The functions of a file that no cache knows."""
        path = folder / f"{name}_{next(_fresh)}.py"
        path.write_text(texts[name], encoding="utf-8")
        made = runpy.run_path(str(path))
        classes = {k: v for k, v in made.items() if isinstance(v, type) and v.__module__ == "<run_path>"}
        made |= {f"{c}.{k}": v for c, cls in classes.items() for k, v in vars(cls).items()}
        functions = {k: v for k, v in made.items() if isinstance(v, types.FunctionType)}
        return {k: v for k, v in functions.items() if v.__code__.co_filename == str(path)}

    taken = {name: set(fresh(name)) for name in names}
    for compiler in compilers.values():
        for name in names:
            for key, function in fresh(name).items():
                try:
                    compiler(function)
                except Exception:
                    taken[name].discard(key)

    def run(compiler: Callable[..., Any]) -> int:
        codes = [compiler(f) for name in names for key, f in fresh(name).items() if key in taken[name]]
        return len(codes)

    return {name: functools.partial(run, compiler) for name, compiler in compilers.items()}


def results_agree(runs: dict[str, Timed]) -> bool:
    """Whether all contestants compute the same, within what float32 and float64 arithmetic may differ."""
    values = [np.asarray(_first(run()), np.float64) for run in runs.values()]
    return all(np.allclose(v, values[0], rtol=1e-3) for v in values)


def _first(result: Any) -> Any:
    return result[0] if isinstance(result, tuple) else result


def measure(runs: dict[str, Timed], rounds: int) -> dict[str, float]:
    """Median seconds of each, the rounds interleaved so that a noisy moment hits all alike."""
    times: dict[str, list[float]] = {name: [] for name in runs}
    repeats = {name: max(1, round(0.01 / max(_once(run), 1e-7))) for name, run in runs.items()}
    for _ in range(rounds):
        for name, run in runs.items():
            start = time.perf_counter()
            for _ in range(repeats[name]):
                run()
            times[name].append((time.perf_counter() - start) / repeats[name])
    return {name: statistics.median(taken) for name, taken in times.items()}


def _once(run: Timed) -> float:
    run()
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


CASES: dict[str, Callable[[], dict[str, Timed]]] = {
    "cached call": lambda: contestants(relu, np.float32(2)),
    "collatz, 350 turns": lambda: contestants(collatz, np.int64(77031)),
    "logistic map, 1000 turns": lambda: contestants(logistic, np.float64(0.3), np.int64(1000)),
    "loop on 5 floats": lambda: contestants(squash, np.array([0.25, 0.5, 0.75, 1.0, 0.1], np.float32)),
    "training loop, 40 images": lambda: contestants(train, *small_problem()),
    "plain loop with an if, 100,000 turns": lambda: plain(weigh, 100_000),
    "plain recursion, fib(20)": lambda: plain(fib, 20),
    "converting 8 branches": lambda: conversion(8),
    "converting 100 branches": lambda: conversion(100),
    "converting functions of the standard library": library,
    "converting 200 branches": lambda: conversion(200),
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("-k", default="", help="only the cases whose name contains this")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    versions = f"Python {platform.python_version()}, NumPy {np.__version__}"
    print(f"{versions}, {platform.machine()}; medians of {options.rounds} interleaved rounds")
    for name, make in CASES.items():
        if options.k in name:
            runs = make()
            agree = name.startswith("converting") or results_agree(runs)
            print(f"\n{name}{'' if agree else '   (the results differ!)'}")
            times = measure(runs, options.rounds)
            first = next(iter(times.values()))
            for contestant, seconds in times.items():
                print(f"  {contestant:18} {seconds * 1e6:12,.1f} µs   {seconds / first:6.2f} x")


if __name__ == "__main__":
    main()
