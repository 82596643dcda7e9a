"""Control flow on single numbers: what TensorFlow's graph is slowest at."""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.engines import Timed, everywhere
from samples.collatz import collatz


def fizzbuzz(n):
    """How much the numbers up to n weigh: 15 for a fizzbuzz, 3 for a fizz, 5 for a buzz."""
    total = 0
    i = 1
    while i <= n:
        if i % 15 == 0:
            total = total + 15
        elif i % 3 == 0:
            total = total + 3
        elif i % 5 == 0:
            total = total + 5
        else:
            total = total + 1
        i = i + 1
    return total


def logistic(x, n):
    """The logistic map, n turns."""
    i = 0
    while i < n:
        x = 3.7 * x * (1.0 - x)
        i += 1
    return x


def mandelbrot(size, limit):
    """The turns that the points of a grid take to leave the circle of radius 2, added up."""
    total = 0
    i = 0
    while i < size:
        j = 0
        while j < size:
            a = -2.0 + 2.5 * i / size
            b = -1.25 + 2.5 * j / size
            x = 0.0
            y = 0.0
            turns = 0
            while turns < limit and x * x + y * y < 4.0:
                z = x * x - y * y + a
                y = 2.0 * x * y + b
                x = z
                turns = turns + 1
            total = total + turns
            j = j + 1
        i = i + 1
    return total


# The same for JAX, which has no `while`.


def _jax() -> tuple[Any, Any]:
    import jax

    return jax.lax, jax.numpy


def jax_collatz(n):
    lax, jnp = _jax()

    def body(state):
        n, steps = state
        return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), steps + 1

    return lax.while_loop(lambda s: s[0] != 1, body, (n, jnp.int64(0)))[1]


def jax_fizzbuzz(n):
    lax, jnp = _jax()

    def body(i, total):
        return total + jnp.where(i % 15 == 0, 15, jnp.where(i % 3 == 0, 3, jnp.where(i % 5 == 0, 5, 1)))

    return lax.fori_loop(1, n + 1, body, jnp.int64(0))


def jax_logistic(x, n):
    lax, _ = _jax()
    return lax.fori_loop(0, n, lambda i, x: 3.7 * x * (1.0 - x), x)


def jax_mandelbrot(size, limit):
    lax, jnp = _jax()

    def point(i, j):
        a, b = -2.0 + 2.5 * i / size, -1.25 + 2.5 * j / size

        def go_on(state):
            x, y, turns = state
            return (turns < limit) & (x * x + y * y < 4.0)

        def turn(state):
            x, y, turns = state
            return x * x - y * y + a, 2.0 * x * y + b, turns + 1

        return lax.while_loop(go_on, turn, (jnp.float64(0), jnp.float64(0), jnp.int64(0)))[2]

    def row(i, total):
        return lax.fori_loop(0, size, lambda j, total: total + point(i, j), total)

    return lax.fori_loop(0, size, row, jnp.int64(0))


def tf_mandelbrot(size, limit):
    """TensorFlow wants every variable to have its dtype, and to be there, before the loop."""
    import tensorflow as tf

    total = tf.constant(0, tf.int64)
    i = tf.constant(0, tf.int64)
    number = tf.cast(size, tf.float64)
    while i < size:
        j = tf.constant(0, tf.int64)
        while j < size:
            a = -2.0 + 2.5 * tf.cast(i, tf.float64) / number
            b = -1.25 + 2.5 * tf.cast(j, tf.float64) / number
            x = tf.constant(0.0, tf.float64)
            y = tf.constant(0.0, tf.float64)
            turns = tf.constant(0, tf.int64)
            while turns < limit and x * x + y * y < 4.0:
                z = x * x - y * y + a
                y = 2.0 * x * y + b
                x = z
                turns = turns + 1
            total = total + turns
            j = j + 1
        i = i + 1
    return total


def tf_fizzbuzz(n):
    import tensorflow as tf

    total = tf.constant(0, tf.int64)
    i = tf.constant(1, tf.int64)
    while i <= n:
        if i % 15 == 0:
            total = total + 15
        elif i % 3 == 0:
            total = total + 3
        elif i % 5 == 0:
            total = total + 5
        else:
            total = total + 1
        i = i + 1
    return total


def tf_logistic(x, n):
    import tensorflow as tf

    i = tf.constant(0, tf.int64)
    while i < n:
        x = 3.7 * x * (1.0 - x)
        i += 1
    return x


def _collatz() -> dict[str, Timed]:
    return everywhere(collatz, np.int64(77031), jax_form=jax_collatz)


def _fizzbuzz() -> dict[str, Timed]:
    return everywhere(fizzbuzz, np.int64(10_000), jax_form=jax_fizzbuzz, tensorflow_form=tf_fizzbuzz)


def _logistic() -> dict[str, Timed]:
    return everywhere(logistic, np.float64(0.3), np.int64(1000), jax_form=jax_logistic, tensorflow_form=tf_logistic)


def _mandelbrot() -> dict[str, Timed]:
    return everywhere(mandelbrot, np.int64(48), np.int64(100), jax_form=jax_mandelbrot, tensorflow_form=tf_mandelbrot)


CASES = {
    "collatz, 350 turns": _collatz,
    "fizzbuzz, 10,000 turns": _fizzbuzz,
    "logistic map, 1,000 turns": _logistic,
    "mandelbrot, 48 x 48 points": _mandelbrot,
}
