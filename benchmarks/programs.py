"""Programs of NumPy and loops, as they stand: the kernels, beside NumPy itself, numba, and JAX where it takes them."""

from __future__ import annotations

import functools
import math
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime
from benchmarks.engines import Timed, contestants, jax
from benchmarks.kernels import DRAWING, KERNELS, Kernel
from benchmarks.measuring import Result

GROUP = "Programs of NumPy"
SLOW = 1.0  # seconds that no first call should take


def copied(arguments: Sequence[Any]) -> list[Any]:
    """The arguments, with arrays that a kernel may write."""
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


def checked(kernel: Kernel, run: Callable[..., Any], writes: bool = True) -> Timed:
    """Calls of a function of the kernel's arguments, each with new ones, as all contestants have it.

    The first one is compared with NumPy's: results and, if the function `writes` as NumPy does, the arguments.
    Raises ValueError if they differ.
    """
    arguments = kernel.arguments(kernel.large)
    wanted, given = copied(arguments), copied(arguments)
    with np.errstate(all="ignore"):
        pairs = [*zip(_leaves(run(*given)), _leaves(kernel.function(*wanted)), strict=True)]
    for found, expected in [*pairs, *(zip(given, wanted, strict=True) if writes else ())]:
        if expected is not None and not np.allclose(found, expected, rtol=1e-3, atol=1e-3, equal_nan=True):
            raise ValueError("it computes something else")
    return lambda: run(*copied(arguments))


def _leaves(value: Any) -> list[Any]:
    return [leaf for part in value for leaf in _leaves(part)] if isinstance(value, tuple | list) else [value]


def _ours(kernel: Kernel, jit_compile: bool | None) -> Timed:
    return checked(kernel, runtime.function(kernel.function, jit_compile=jit_compile, numpy=kernel.draws))


def _with_numba(kernel: Kernel) -> Timed:
    import numba

    return checked(kernel, _rebuilt(kernel.function, {}, numba.njit))


def _with_jax(kernel: Kernel) -> Timed:
    """The same text, with JAX's functions for NumPy's; only the arrays are inputs."""
    function = _rebuilt(kernel.function, {"np": jax().numpy}, lambda f: f)
    static = [n for n, a in enumerate(kernel.arguments(kernel.small)) if not isinstance(a, np.ndarray)]
    compiled = jax().jit(function, static_argnums=static)
    return checked(kernel, lambda *arguments: jax().block_until_ready(compiled(*arguments)), writes=False)


def _rebuilt(function: Any, names: dict[str, Any], wrap: Callable[[Any], Any]) -> Any:
    """A function of a module, with others for the names there, and each function that it calls wrapped as it is."""
    variables = {**function.__globals__, **names}
    for name, value in function.__globals__.items():
        if isinstance(value, types.FunctionType) and value.__module__ == function.__module__:
            made = types.FunctionType(value.__code__, variables, name, value.__defaults__, value.__closure__)
            variables[name] = wrap(made)
    return variables[function.__name__]


def _contestants(kernel: Kernel) -> dict[str, Timed]:
    made: dict[str, Callable[[], Timed]] = {
        "ours": lambda: _ours(kernel, None),
        "here, jit": lambda: _ours(kernel, True),
        "numba": lambda: _with_numba(kernel),
        "numpy": lambda: checked(kernel, kernel.function),
    }
    if kernel.jax:
        made["JAX"] = lambda: _with_jax(kernel)
    return contestants(**made)


CASES = {
    kernel.name.replace("_", " "): functools.partial(_contestants, kernel) for kernel in (KERNELS | DRAWING).values()
}


def summary(results: Sequence[Result]) -> list[str]:
    """How many programs each contestant runs as they stand, in which part of NumPy's time, and its slow first calls."""
    rows = [r for r in results if r.group == GROUP]
    lines = []
    for name in dict.fromkeys(name for r in rows for name in r.seconds if name != "NumPy"):
        ratios = [r.seconds[name] / r.seconds["NumPy"] for r in rows if name in r.seconds]
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        slow = [f"{r.case} {r.first[name]:.1f} s" for r in rows if r.first.get(name, 0) > SLOW]
        text = f"{name}: {len(ratios)} of {len(rows)} as they stand, in {mean:.3f} of NumPy's time (geometric mean)"
        lines.append(f"{text}; first calls above {SLOW:g} s: {', '.join(slow) or 'none'}")
    return lines
