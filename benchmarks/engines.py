"""The contestants: how the same function is prepared for each engine that is installed."""

from __future__ import annotations

import functools
import importlib.util
import os
import time
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime

Timed = Callable[[], Any]

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")


def installed(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


@functools.cache
def tensorflow() -> Any:
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    return tf


@functools.cache
def jax() -> Any:
    import jax

    jax.config.update("jax_enable_x64", True)
    return jax


def plain(function: Callable[..., Any], *arguments: Any) -> Timed:
    return lambda: function(*arguments)


def ours(function: Callable[..., Any], *arguments: Any, jit_compile: bool | None = True) -> Timed:
    graph = runtime.function(function, jit_compile=jit_compile)
    inputs = [runtime.constant(a) if isinstance(a, np.ndarray | np.generic) else a for a in arguments]
    return lambda: graph(*inputs)


def tf_graph(function: Callable[..., Any], *arguments: Any, jit_compile: bool = False) -> Timed:
    tf = tensorflow()
    graph = tf.function(function, jit_compile=jit_compile)
    inputs = [tf.constant(a) if isinstance(a, np.ndarray | np.generic) else a for a in arguments]

    def run() -> Any:
        return tf.nest.map_structure(lambda t: t.numpy(), graph(*inputs))

    return run


def with_jax(function: Callable[..., Any], *arguments: Any) -> Timed:
    """`function` is written for JAX; it is given arrays and is compiled."""
    j = jax()
    compiled = j.jit(function)
    inputs = [j.numpy.asarray(a) for a in arguments]
    return lambda: j.block_until_ready(compiled(*inputs))


def with_numba(function: Callable[..., Any], *arguments: Any) -> Timed:
    import numba

    compiled = numba.njit(function)
    return lambda: compiled(*arguments)


rotation = 0  # which of the contestants begins


def contestants(**made: Callable[[], Timed]) -> dict[str, Timed]:
    """Those whose engine is installed; one that refuses the work is left out, with its reason printed."""
    needs = {"TF graph": "tensorflow", "TF XLA": "tensorflow", "JAX": "jax", "torch": "torch", "numba": "numba"}
    found = {}
    first = rotation % max(len(made), 1)
    for key, make in [*made.items()][first:] + [*made.items()][:first]:
        name = LABELS.get(key, key)
        if not installed(needs.get(name, "numpy")):
            continue
        try:
            start = time.perf_counter()
            run = make()
            run()
            seconds = time.perf_counter() - start
        except Exception as error:
            print(f"  {name} refuses: {type(error).__name__}: {f'{error} '.splitlines()[0][:100]}")
            continue
        found[name] = Contestant(run, seconds)
    return found


class Contestant:
    """Something to time, and how long it took from nothing to its first result."""

    def __init__(self, run: Timed, first: float) -> None:
        self.run, self.first = run, first

    def __call__(self) -> Any:
        return self.run()


def warm_up() -> None:
    """Have every engine start, with its threads and its memory, so that the first calls of cases do not pay for it."""
    for x in (np.float32(1), np.ones(1_000_000, np.float32)):
        made: dict[str, Callable[[], Timed]] = {
            "ours": lambda x=x: ours(lambda x: x + 1, x),
            "tf": lambda x=x: tf_graph(lambda x: x + 1, x),
            "xla": lambda x=x: tf_graph(lambda x: x + 1, x, jit_compile=True),
            "JAX": lambda x=x: with_jax(lambda x: x + 1, x),
            "numba": lambda x=x: with_numba(lambda x: x + 1, x),
        }
        contestants(**made)


LABELS = {
    "ours": "here", "numpy_executor": "here, NumPy", "tf": "TF graph", "xla": "TF XLA", "python": "Python",
    "numpy": "NumPy",
}  # fmt: skip


def everywhere(
    function: Callable[..., Any], *arguments: Any, jax_form: Callable[..., Any] | None = None, numba_form: Any = "same",
    python: bool = True, tensorflow_form: Callable[..., Any] | None = None, torch: Callable[[], Timed] | None = None,
) -> dict[str, Timed]:  # fmt: skip
    """One function under every engine; forms for engines that need one of their own."""
    made: dict[str, Callable[[], Timed]] = {
        "ours": lambda: ours(function, *arguments),
        "numpy_executor": lambda: ours(function, *arguments, jit_compile=False),
        "tf": lambda: tf_graph(tensorflow_form or function, *arguments),
        "xla": lambda: tf_graph(tensorflow_form or function, *arguments, jit_compile=True),
    }
    if jax_form is not None:
        made["JAX"] = lambda: with_jax(jax_form, *arguments)
    if torch is not None:
        made["torch"] = torch
    if numba_form is not None:
        made["numba"] = lambda: with_numba(function if numba_form == "same" else numba_form, *arguments)
    if python:
        made["python"] = lambda: plain(function, *arguments)
    return contestants(**made)
