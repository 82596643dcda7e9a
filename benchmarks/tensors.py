"""Loops over small tensors, networks over time, images, and long chains of element-wise operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as tf
from benchmarks.engines import Timed, contestants, everywhere, jax, ours, tf_graph, with_jax, with_numba


def _floats(*shape: int, scale: float = 1.0) -> Any:
    return (np.random.default_rng(0).standard_normal(shape) * scale).astype(np.float32)


def _torch(function: Callable[..., Any], *arguments: Any) -> Callable[[], Timed]:
    def make() -> Timed:
        import torch

        inputs = [torch.from_numpy(np.asarray(a)) for a in arguments]

        def run() -> Any:
            with torch.inference_mode():
                return function(*inputs)

        return run

    return make


# One call.


def scaled(x):
    return x * 2.0 + 1.0


def _cached_call() -> dict[str, Timed]:
    x = np.float32(3)
    return everywhere(scaled, x, jax_form=scaled, torch=_torch(scaled, np.array(x)))


def _cached_tensor_call() -> dict[str, Timed]:
    x = _floats(8)
    return everywhere(scaled, x, jax_form=scaled, torch=_torch(scaled, x))


# Loops on small tensors.


def power(x, y):
    """The example of TensorFlow's guide: a matrix multiplied with itself."""
    result = np.eye(10, dtype=np.int32)
    for _ in range(100):
        result = x @ result
    return result


def _power() -> dict[str, Timed]:
    x = np.random.default_rng(0).integers(-1, 3, (10, 10)).astype(np.int32)

    def peer(x):
        import tensorflow as tf

        result = tf.eye(10, dtype=tf.int32)
        for _ in range(100):
            result = tf.matmul(x, result)
        return result

    def mine(x):
        return power(x, 100)

    def jax_form(x):
        j = jax()
        return j.lax.fori_loop(0, 100, lambda _, r: x @ r, j.numpy.eye(10, dtype="int32"))

    def torch_form(x):
        import torch

        result = torch.eye(10, dtype=torch.int32)
        for _ in range(100):
            result = x @ result
        return result

    return everywhere(mine, x, jax_form=jax_form, tensorflow_form=peer, torch=_torch(torch_form, x), numba_form=None)


def squash(x):
    while np.sum(x) > 0.05:
        x = np.tanh(x)
    return x


def _tanh_loop() -> dict[str, Timed]:
    x = np.array([0.1, 0.2, 0.3, 0.4, 0.5], np.float32) ** 2

    def peer(x):
        import tensorflow as tf

        while tf.reduce_sum(x) > 0.05:
            x = tf.tanh(x)
        return x

    def jax_form(x):
        j = jax()
        return j.lax.while_loop(lambda x: j.numpy.sum(x) > 0.05, j.numpy.tanh, x)

    def torch_form(x):
        while x.sum() > 0.05:
            x = x.tanh()
        return x

    return everywhere(squash, x, jax_form=jax_form, tensorflow_form=peer, torch=_torch(torch_form, x))


def relax(x):
    """A loop on five floats, with operators alone."""
    n = 0
    while x[0] > 0.01:
        x = x / (1.0 + x)
        n += 1
    return x


def _relax() -> dict[str, Timed]:
    x = np.array([0.25, 0.5, 0.75, 1.0, 0.1], np.float32)

    def jax_form(x):
        return jax().lax.while_loop(lambda x: x[0] > 0.01, lambda x: x / (1.0 + x), x)

    return everywhere(relax, x, jax_form=jax_form, torch=_torch(relax, x))


# Networks over time: [time, batch, features].


def _rnn() -> dict[str, Timed]:
    given = _floats(64, 32, 128), _floats(32, 128), _floats(128, 128, scale=0.05), _floats(128, 128, scale=0.05)

    def looped(sequence, state, kernel, recurrent):
        i = tf.constant(0)
        outputs = tf.TensorArray(tf.float32, size=64)
        while i < 64:
            state = tf.tanh(sequence[i] @ kernel + state @ recurrent)
            outputs = outputs.write(i, state)
            i += 1
        return outputs.stack()

    def peer(sequence, state, kernel, recurrent):
        import tensorflow as tf

        outputs = tf.TensorArray(tf.float32, size=64)
        for i in tf.range(64):
            state = tf.tanh(sequence[i] @ kernel + state @ recurrent)
            outputs = outputs.write(i, state)
        return outputs.stack()

    def jax_form(sequence, state, kernel, recurrent):
        j = jax()

        def step(state, x):
            state = j.numpy.tanh(x @ kernel + state @ recurrent)
            return state, state

        return j.lax.scan(step, state, sequence)[1]

    def torch_form(sequence, state, kernel, recurrent):
        import torch

        outputs = []
        for x in sequence:
            state = torch.tanh(x @ kernel + state @ recurrent)
            outputs.append(state)
        return torch.stack(outputs)

    def plain(sequence, state, kernel, recurrent):
        outputs = []
        for x in sequence:
            state = np.tanh(x @ kernel + state @ recurrent)
            outputs.append(state)
        return np.stack(outputs)

    return _forms(looped, given, peer, jax_form, torch_form, plain)


def _lstm() -> dict[str, Timed]:
    given = (
        _floats(64, 32, 128), _floats(32, 128), _floats(32, 128), _floats(128, 512, scale=0.05),
        _floats(128, 512, scale=0.05), _floats(512, scale=0.1),
    )  # fmt: skip

    def with_library(library, stack, split):
        def cell(x, h, c, kernel, recurrent, bias):
            gates = x @ kernel + h @ recurrent + bias
            i, f, g, o = split(gates)
            c = library.sigmoid(f) * c + library.sigmoid(i) * library.tanh(g)
            return library.sigmoid(o) * library.tanh(c), c

        return cell

    def quarters(gates):
        return gates[:, :128], gates[:, 128:256], gates[:, 256:384], gates[:, 384:]

    def looped(sequence, h, c, kernel, recurrent, bias):
        i = tf.constant(0)
        outputs = tf.TensorArray(tf.float32, size=64)
        while i < 64:
            h, c = cell(sequence[i], h, c, kernel, recurrent, bias)
            outputs = outputs.write(i, h)
            i += 1
        return outputs.stack()

    cell = with_library(tf, tf.stack, quarters)

    def peer(sequence, h, c, kernel, recurrent, bias):
        import tensorflow as tf

        cell = with_library(tf, tf.stack, quarters)
        outputs = tf.TensorArray(tf.float32, size=64)
        for i in tf.range(64):
            h, c = cell(sequence[i], h, c, kernel, recurrent, bias)
            outputs = outputs.write(i, h)
        return outputs.stack()

    def jax_form(sequence, h, c, kernel, recurrent, bias):
        j = jax()

        class Library:
            sigmoid, tanh = j.nn.sigmoid, j.numpy.tanh

        cell = with_library(Library, j.numpy.stack, quarters)

        def step(state, x):
            h, c = cell(x, *state, kernel, recurrent, bias)
            return (h, c), h

        return j.lax.scan(step, (h, c), sequence)[1]

    def torch_form(sequence, h, c, kernel, recurrent, bias):
        import torch

        cell = with_library(torch, torch.stack, quarters)
        outputs = []
        for x in sequence:
            h, c = cell(x, h, c, kernel, recurrent, bias)
            outputs.append(h)
        return torch.stack(outputs)

    return _forms(looped, given, peer, jax_form, torch_form, None)


def _training() -> dict[str, Timed]:
    """A hundred steps of softmax regression, its gradient written out."""
    x = _floats(256, 64)
    labels = np.eye(10, dtype=np.float32)[np.random.default_rng(1).integers(0, 10, 256)]
    given = x, labels, np.zeros((64, 10), np.float32)

    def looped(x, y, w):
        i = tf.constant(0)
        while i < 100:
            p = np.exp(x @ w)
            p = p / np.sum(p, axis=1, keepdims=True)
            w = w - 0.5 * (x.T @ (p - y)) / 256.0
            i += 1
        return w

    def peer(x, y, w):
        import tensorflow as tf

        for _ in tf.range(100):
            p = tf.exp(x @ w)
            p = p / tf.reduce_sum(p, axis=1, keepdims=True)
            w = w - 0.5 * (tf.transpose(x) @ (p - y)) / 256.0
        return w

    def jax_form(x, y, w):
        j = jax()

        def step(_, w):
            p = j.numpy.exp(x @ w)
            p = p / j.numpy.sum(p, axis=1, keepdims=True)
            return w - 0.5 * (x.T @ (p - y)) / 256.0

        return j.lax.fori_loop(0, 100, step, w)

    def torch_form(x, y, w):
        for _ in range(100):
            p = (x @ w).exp()
            p = p / p.sum(1, keepdim=True)
            w = w - 0.5 * (x.T @ (p - y)) / 256.0
        return w

    def plain(x, y, w):
        for _ in range(100):
            p = np.exp(x @ w)
            p = p / np.sum(p, axis=1, keepdims=True)
            w = w - np.float32(0.5) * (x.T @ (p - y)) / np.float32(256.0)
        return w

    return _forms(looped, given, peer, jax_form, torch_form, plain)


def _forms(
    mine: Callable[..., Any], given: tuple[Any, ...], peer: Any, jax_form: Any, torch_form: Any, plain: Any
) -> dict[str, Timed]:
    made: dict[str, Callable[[], Timed]] = {
        "ours": lambda: ours(mine, *given),
        "numpy_executor": lambda: ours(mine, *given, jit_compile=False),
        "tf": lambda: tf_graph(peer, *given),
        "xla": lambda: tf_graph(peer, *given, jit_compile=True),
        "JAX": lambda: with_jax(jax_form, *given),
        "torch": _torch(torch_form, *given),
    }
    if plain is not None:
        made["numpy"] = lambda: lambda: plain(*given)
    return contestants(**made)


# Searching.


def _beam_search() -> dict[str, Timed]:
    """Twenty steps with a beam of 8 over 1,000 words, each step's scores a product of matrices."""
    given = _floats(1000, 64, scale=0.3), _floats(64, 64, scale=0.3), _floats(64, 1000, scale=0.3)

    def search(library, top_k, log_softmax, gather, first, loop):
        def step(tokens, scores, embedding, inner, outer):
            hidden = library.tanh(gather(embedding, tokens) @ inner)
            found = scores[:, None] + log_softmax(hidden @ outer)
            best, at = top_k(library.reshape(found, (8000,)), 8)
            return at % 1000, best

        return step

    def looped(embedding, inner, outer):
        tokens, scores = tf.range(8), tf.zeros(8)
        i = tf.constant(0)
        while i < 20:
            tokens, scores = step(tokens, scores, embedding, inner, outer)
            i += 1
        return scores

    step = search(tf, tf.math.top_k, tf.nn.log_softmax, tf.gather, None, None)

    def peer(embedding, inner, outer):
        import tensorflow as tf

        step = search(tf, tf.math.top_k, tf.nn.log_softmax, tf.gather, None, None)
        tokens, scores = tf.range(8), tf.zeros(8)
        for _ in tf.range(20):
            tokens, scores = step(tokens, scores, embedding, inner, outer)
        return scores

    def jax_form(embedding, inner, outer):
        j = jax()
        step = search(j.numpy, j.lax.top_k, j.nn.log_softmax, lambda x, i: x[i], None, None)

        def body(_, state):
            tokens, scores = step(*state, embedding, inner, outer)
            return tokens.astype("int32"), scores

        start = j.numpy.arange(8, dtype="int32"), j.numpy.zeros(8, "float32")
        return j.lax.fori_loop(0, 20, body, start)[1]

    def torch_form(embedding, inner, outer):
        import torch

        tokens, scores = torch.arange(8), torch.zeros(8)
        step = search(torch, torch.topk, lambda x: torch.log_softmax(x, -1), lambda x, i: x[i], None, None)
        for _ in range(20):
            tokens, scores = step(tokens, scores, embedding, inner, outer)
        return scores

    return _forms(looped, given, peer, jax_form, torch_form, None)


# Optimising.

_HISTORY = 5


class _Rosenbrock:
    """Rosenbrock's function, its gradient, and the direction of L-BFGS, with the functions of some library."""

    def __init__(self, total: Any, concatenate: Any, where: Any) -> None:
        self.total, self.concatenate, self.where = total, concatenate, where

    def value(self, x):
        return self.total(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)

    def gradient(self, x):
        a, nothing = x[:-1], x[:1] * 0.0
        gap = x[1:] - a * a
        left, right = -400.0 * a * gap - 2.0 * (1.0 - a), 200.0 * gap
        return self.concatenate([left, nothing]) + self.concatenate([nothing, right])

    def direction(self, g, steps, changes, weights):
        """The two loops over what is remembered: steps, and the changes of the gradient that they brought."""
        q, shares = g, [None] * _HISTORY
        for i in reversed(range(_HISTORY)):
            shares[i] = weights[i] * self.total(steps[i] * q)
            q = q - shares[i] * changes[i]
        along, across = self.total(steps[-1] * changes[-1]), self.total(changes[-1] * changes[-1])
        r = q * self.where(across > 0.0, along / (across + 1e-300), across + 1.0)
        for i in range(_HISTORY):
            r = r + steps[i] * (shares[i] - weights[i] * self.total(changes[i] * r))
        return -r

    def remembered(self, step, change, steps, changes, weights):
        product = self.total(step * change)
        good = product > 1e-12
        weight = 1.0 / self.where(good, product, product * 0.0 + 1.0)
        steps = self.where(good, self.concatenate([steps[1:], step[None]]), steps)
        changes = self.where(good, self.concatenate([changes[1:], change[None]]), changes)
        return steps, changes, self.where(good, self.concatenate([weights[1:], weight[None]]), weights)


def _lbfgs() -> dict[str, Timed]:
    """Eighty steps in ten dimensions, the length of each found by halving; the gradient is written out."""
    start = np.linspace(-1.0, 1.0, 10)
    given = start, np.zeros((_HISTORY, 10)), np.zeros((_HISTORY, 10)), np.zeros(_HISTORY)

    def minimum(problem, first):
        def minimise(x, steps, changes, weights):
            value, g, i = problem.value(x), problem.gradient(x), first
            while i < 80:
                d = problem.direction(g, steps, changes, weights)
                slope, length = problem.total(g * d), problem.total(g * 0.0) + 1.0
                while problem.value(x + length * d) > value + 1e-4 * length * slope:
                    length = length * 0.5
                step = length * d
                x = x + step
                change = problem.gradient(x) - g
                steps, changes, weights = problem.remembered(step, change, steps, changes, weights)
                value, g, i = problem.value(x), g + change, i + 1
            return x

        return minimise

    def with_tensors(library):
        problem = _Rosenbrock(library.reduce_sum, lambda xs: library.concat(xs, 0), library.where)
        return minimum(problem, library.constant(0))

    def looped(*given):
        return with_tensors(tf)(*given)

    def peer(*given):
        import tensorflow as tf

        return with_tensors(tf)(*given)

    def jax_form(x, steps, changes, weights):
        j = jax()
        problem = _Rosenbrock(j.numpy.sum, j.numpy.concatenate, j.numpy.where)

        def body(_, state):
            x, value, g, steps, changes, weights = state
            d = problem.direction(g, steps, changes, weights)
            slope = j.numpy.sum(g * d)
            too_long = lambda t: problem.value(x + t * d) > value + 1e-4 * t * slope
            step = j.lax.while_loop(too_long, lambda t: t * 0.5, j.numpy.float64(1.0)) * d
            change = problem.gradient(x + step) - g
            remembered = problem.remembered(step, change, steps, changes, weights)
            return x + step, problem.value(x + step), g + change, *remembered

        state = x, problem.value(x), problem.gradient(x), steps, changes, weights
        return j.lax.fori_loop(0, 80, body, state)[0]

    def torch_form(*given):
        import torch

        return minimum(_Rosenbrock(torch.sum, torch.cat, torch.where), 0)(*given)

    plain = minimum(_Rosenbrock(np.sum, np.concatenate, np.where), 0)
    return _forms(looped, given, peer, jax_form, torch_form, plain)


# Images.


def _conv(images: Any, filters: Any, pool: bool) -> dict[str, Timed]:
    def mine(x, w):
        y = tf.nn.conv2d(x, w, 1, "SAME")
        return tf.nn.max_pool2d(tf.nn.relu(y), 2, 2, "VALID") if pool else y

    def peer(x, w):
        import tensorflow as tf

        y = tf.nn.conv2d(x, w, 1, "SAME")
        return tf.nn.max_pool2d(tf.nn.relu(y), 2, 2, "VALID") if pool else y

    def jax_form(x, w):
        j = jax()
        y = j.lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
        if not pool:
            return y
        y = j.numpy.maximum(y, 0)
        return j.lax.reduce_window(y, -j.numpy.inf, j.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def torch_form(x, w):
        import torch

        y = torch.nn.functional.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), padding="same")
        if pool:
            y = torch.nn.functional.max_pool2d(torch.relu(y), 2)
        return y.permute(0, 2, 3, 1)

    return _forms(mine, (images, filters), peer, jax_form, torch_form, None)


def _large_image() -> dict[str, Timed]:
    return _conv(_floats(1, 200, 200, 100), _floats(3, 3, 100, 100, scale=0.03), pool=False)


def _small_images() -> dict[str, Timed]:
    return _conv(_floats(50, 28, 28, 32), _floats(5, 5, 32, 64, scale=0.05), pool=True)


def _max_pool() -> dict[str, Timed]:
    images = _floats(50, 56, 56, 64)

    def mine(x):
        return tf.nn.max_pool2d(x, 2, 2, "VALID")

    def peer(x):
        import tensorflow as tf

        return tf.nn.max_pool2d(x, 2, 2, "VALID")

    def jax_form(x):
        j = jax()
        return j.lax.reduce_window(x, -j.numpy.inf, j.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")

    def torch_form(x):
        import torch

        return torch.nn.functional.max_pool2d(x.permute(0, 3, 1, 2), 2).permute(0, 2, 3, 1)

    return _forms(mine, (images,), peer, jax_form, torch_form, None)


# Long chains.


def chain(x):
    return np.tanh(x * 2.0 + 1.0) * np.exp(-x * x) + 0.5


def _chain() -> dict[str, Timed]:
    x = np.linspace(-3, 3, 1_000_000).astype(np.float32)

    def peer(x):
        import tensorflow as tf

        return tf.tanh(x * 2.0 + 1.0) * tf.exp(-x * x) + 0.5

    def jax_form(x):
        j = jax()
        return j.numpy.tanh(x * 2.0 + 1.0) * j.numpy.exp(-x * x) + 0.5

    def torch_form(x):
        return (x * 2.0 + 1.0).tanh() * (-x * x).exp() + 0.5

    found = _forms(chain, (x,), peer, jax_form, torch_form, chain)
    return found | contestants(numba=lambda: with_numba(chain, x))


def _sum_of_squares() -> dict[str, Timed]:
    x = _floats(1_000_000)

    def mine(x):
        return np.sum(np.square(x - 0.5))

    def peer(x):
        import tensorflow as tf

        return tf.reduce_sum(tf.square(x - 0.5))

    def jax_form(x):
        j = jax()
        return j.numpy.sum(j.numpy.square(x - 0.5))

    def torch_form(x):
        return (x - 0.5).square().sum()

    return _forms(mine, (x,), peer, jax_form, torch_form, mine)


CASES = {
    "cached call, one number": _cached_call,
    "cached call, 8 floats": _cached_tensor_call,
    "10 x 10 int32 power, 100 products": _power,
    "tanh loop on 5 floats": _tanh_loop,
    "division loop on 5 floats": _relax,
    "RNN, 64 steps, batch 32, 128 units": _rnn,
    "LSTM, 64 steps, batch 32, 128 units": _lstm,
    "training loop, 100 steps": _training,
    "beam search, 20 steps": _beam_search,
    "L-BFGS, 80 steps in 10 dimensions": _lbfgs,
    "convolution 1 x 200 x 200 x 100": _large_image,
    "convolution and pooling, batch 50": _small_images,
    "max pooling, batch 50": _max_pool,
    "fused chain, 1,000,000 floats": _chain,
    "sum of squares, 1,000,000 floats": _sum_of_squares,
}
