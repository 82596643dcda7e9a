"""Calls of graphs that are there: what lies between the caller and a computation that takes no time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

import runtime
from benchmarks.engines import Timed, contestants, jax, tensorflow

# What makes a call of a compiler, for its function of functions, its arrays of NumPy's, and its Variables (or None).
Make: TypeAlias = Callable[[Callable[..., Any], Callable[[Any], Any], Callable[[Any], Any] | None], Timed]

FLOATS = np.arange(8, dtype=np.float32)


def _of_all(make: Make) -> Callable[[], dict[str, Timed]]:
    """The call here, natively and with NumPy, in TensorFlow and in JAX, which has no Variables."""

    def mine(jit_compile: bool) -> Timed:
        return make(lambda f: runtime.function(f, jit_compile=jit_compile), runtime.constant, runtime.Variable)

    def theirs() -> Timed:
        tf = tensorflow()
        return make(tf.function, tf.constant, tf.Variable)

    def in_jax() -> Timed:
        j = jax()
        return make(j.jit, j.numpy.asarray, None)

    made: dict[str, Callable[[], Timed]] = {
        "ours": lambda: mine(True), "numpy_executor": lambda: mine(False), "tf": theirs, "JAX": in_jax,
    }  # fmt: skip
    return lambda: contestants(**made)


def one(compiled, array, variable):
    f, x = compiled(lambda x: x + 1), array(FLOATS)
    return lambda: f(x)


def five(compiled, array, variable):
    f = compiled(lambda a, b, c, d, e: a + b + c + d + e)
    a, b, c, d, e = (array(FLOATS) for _ in range(5))
    return lambda: f(a, b, c, d, e)


def keywords(compiled, array, variable):
    f = compiled(lambda x, *, y, scale: x * y + scale)
    x, y, scale = (array(FLOATS) for _ in range(3))
    return lambda: f(x, y=y, scale=scale)


def nested(compiled, array, variable):
    f = compiled(lambda given: (given["a"] + given["b"][0], given["b"][1]))
    given = {"a": array(FLOATS), "b": [array(FLOATS), array(FLOATS)]}
    return lambda: f(given)


def method(compiled, array, variable):
    class Scale:
        factor = 3.0

        def of(self, x):
            return x * self.factor

    if variable is None:  # JAX compiles functions: the bound one is made anew for each call, and known to it
        scale = Scale()
        f, x = compiled(scale.of), array(FLOATS)
        return lambda: f(x)
    Scale.of = compiled(Scale.of)
    scale, x = Scale(), array(FLOATS)
    return lambda: scale.of(x)


def variables(compiled, array, variable):
    x, start = array(FLOATS), np.ones(8, np.float32)
    if variable is None:
        f, v = compiled(lambda x, v: x * v), array(start)
        return lambda: f(x, v)
    held = variable(start)
    f = compiled(lambda x: x * held)
    return lambda: f(x)


def numpy_arrays(compiled, array, variable):
    f = compiled(lambda x: x + 1)
    return lambda: f(FLOATS)


def python_value(compiled, array, variable):
    f, x = compiled(lambda x, n: x * n), array(FLOATS)
    return lambda: f(x, 3)


def result_as_array(compiled, array, variable):
    f, x = compiled(lambda x: x + 1), array(FLOATS)
    return lambda: np.array(f(x))


CASES = {
    "call: one tensor": _of_all(one),
    "call: 5 tensors": _of_all(five),
    "call: keywords": _of_all(keywords),
    "call: a dictionary with a list": _of_all(nested),
    "call: a method": _of_all(method),
    "call: a Variable": _of_all(variables),
    "call: an array of NumPy's": _of_all(numpy_arrays),
    "call: a tensor and a Python value": _of_all(python_value),
    "call: one tensor, and its array": _of_all(result_as_array),
}
