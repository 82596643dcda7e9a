"""The compiler: converting, tracing, compiling, importing, and a process from its start to its first result."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import inspect
import itertools
import os
import runpy
import subprocess
import sys
import tempfile
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import autograph
import runtime
from autograph import source
from autograph.convert_file import convert_module
from benchmarks.engines import Timed, installed, jax, tensorflow
from samples.collatz import collatz


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


# Tracing and compiling against the size of the graph.


def operations(count: int) -> str:
    """A function of so many operations on a tensor, unlike any before."""
    lines = "".join(f"    x = x * {1 + i % 7}.5 + {i}.25\n" for i in range(count // 2))
    return f"def chain_{next(_fresh)}(x):\n{lines}    return x\n"


def _made(text: str) -> Callable[..., Any]:
    names: dict[str, Any] = {}
    filename = f"<chain {next(_fresh)}>"
    import linecache

    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), names)
    return next(v for k, v in names.items() if k.startswith("chain"))


def first_calls(text: Callable[[], str]) -> dict[str, Timed]:
    """From a new Python function to its first result."""
    x = np.float32(0.5)
    found: dict[str, Timed] = {
        "here": lambda: runtime.function(_made(text()), jit_compile=True)(runtime.constant(x)),
        "here, NumPy": lambda: runtime.function(_made(text()), jit_compile=False)(runtime.constant(x)),
    }
    if installed("tensorflow"):
        tf = tensorflow()
        found["TF graph"] = lambda: tf.function(_made(text()))(tf.constant(x))
        found["TF XLA"] = lambda: tf.function(_made(text()), jit_compile=True)(tf.constant(x))
    if installed("jax"):
        found["JAX"] = lambda: jax().jit(_made(text()))(x)
    return found


# Whole processes.

_IMPORTS = {
    "here": "import runtime", "here, compiler alone": "import autograph", "NumPy": "import numpy",
    "TF graph": "import tensorflow", "JAX": "import jax", "torch": "import torch", "numba": "import numba",
}  # fmt: skip
_LOOP = "\n\n\n" + inspect.getsource(collatz)
_COLD = {
    "here": f"import runtime as tf{_LOOP}\nprint(int(tf.function(collatz)(tf.constant(97))))",
    "here, NumPy": f"import runtime as tf{_LOOP}\nprint(int(tf.function(collatz, jit_compile=False)(tf.constant(97))))",
    "TF graph": f"import tensorflow as tf{_LOOP}\nprint(int(tf.function(collatz)(tf.constant(97))))",
    "JAX": (
        "import jax\nimport jax.numpy as np\n"
        "body = lambda s: (np.where(s[0] % 2 == 0, s[0] // 2, 3 * s[0] + 1), s[1] + 1)\n"
        "f = jax.jit(lambda n: jax.lax.while_loop(lambda s: s[0] != 1, body, (n, 0))[1])\nprint(int(f(97)))"
    ),
    "numba": f"import numba{_LOOP}\nprint(numba.njit(collatz)(97))",
}


def processes(programs: dict[str, str]) -> dict[str, Timed]:
    folder = Path(tempfile.mkdtemp())
    found: dict[str, Timed] = {}
    for name, text in programs.items():
        engine = text.split()[1]
        if engine != "runtime" and engine != "autograph" and not installed(engine):
            continue
        path = folder / f"{len(found)}.py"
        path.write_text(text, encoding="utf-8")
        found[name] = functools.partial(_run, path)
    return found


def _run(path: Path) -> None:
    subprocess.run([sys.executable, str(path)], check=True, capture_output=True, env=_environment())


@functools.cache
def _environment() -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # users have compiled files
    return {**kept, "PYTHONPATH": str(Path(__file__).parent.parent), "TF_CPP_MIN_LOG_LEVEL": "3"}


def peak_memory() -> dict[str, float]:
    """The most memory (MB) that each of the processes of the cold start has used."""
    found = {}
    for name, run in processes(_COLD).items():
        path = run.args[0]  # type: ignore[attr-defined]
        code = (
            f"import resource, subprocess, sys; subprocess.run([sys.executable, {str(path)!r}], capture_output=True); "
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=_environment()
        )
        found[name] = int(done.stdout) / 1024
    return found


CASES = {
    "plain loop with an if, 100,000 turns": lambda: plain(weigh, 100_000),
    "plain recursion, fib(20)": lambda: plain(fib, 20),
    "converting 8 branches": lambda: conversion(8),
    "converting 100 branches": lambda: conversion(100),
    "converting functions of the standard library": library,
    "first call, 10 operations": lambda: first_calls(lambda: operations(10)),
    "first call, 100 operations": lambda: first_calls(lambda: operations(100)),
    "first call, 1,000 operations": lambda: first_calls(lambda: operations(1000)),
    "import": lambda: processes(_IMPORTS),
    "cold process to first result": lambda: processes(_COLD),
}
