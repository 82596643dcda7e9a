"""Steps of training: gradients through loops, layers, and an optimizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import runtime as tf
from benchmarks.engines import Timed, contestants, jax, tensorflow

RATE = 1e-4


def _floats(*shape: int, scale: float = 1.0, seed: int = 0) -> Any:
    return (np.random.default_rng(seed).standard_normal(shape) * scale).astype(np.float32)


# One loss for each library, and what makes a step of it: the weights stay with the library from call to call.


def _here(loss: Callable[..., Any], weights: Sequence[Any], data: Sequence[Any], adam: bool, steps: int) -> Timed:
    return _of_tensorflow(tf, loss, weights, data, adam, steps, {"jit_compile": True})


def _of_tensorflow(
    library: Any, loss: Callable[..., Any], weights: Sequence[Any], data: Sequence[Any], adam: bool, steps: int,
    options: dict[str, Any],
) -> Timed:  # fmt: skip
    variables = [library.Variable(w) for w in weights]
    kinds = library.keras.optimizers
    optimizer = kinds.Adam(RATE) if adam else kinds.SGD(RATE)
    given = [library.constant(x) for x in data]
    optimizer.build(variables)

    def train(*given):
        value = library.constant(0.0)
        for _ in library.range(steps):
            with library.GradientTape() as tape:
                value = loss(library, variables, *given)
            optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    def step(*given):
        with library.GradientTape() as tape:
            value = loss(library, variables, *given)
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value

    run = library.function(step if steps == 1 else train, **options)
    return lambda: run(*given).numpy()


def _with_jax(loss: Callable[..., Any], weights: Sequence[Any], data: Sequence[Any], adam: bool, steps: int) -> Timed:
    j = jax()
    n = j.numpy

    def step(state, given):
        count, values, means, squares = state
        value, gradients = j.value_and_grad(lambda values: loss(values, *given))(values)
        count = count + 1
        if not adam:
            return (count, [w - RATE * g for w, g in zip(values, gradients)], means, squares), value
        means = [0.9 * m + 0.1 * g for m, g in zip(means, gradients)]
        squares = [0.999 * s + 0.001 * g * g for s, g in zip(squares, gradients)]
        rate = RATE * n.sqrt(1 - 0.999**count) / (1 - 0.9**count)
        values = [w - rate * m / (n.sqrt(s) + 1e-7) for w, m, s in zip(values, means, squares)]
        return (count, values, means, squares), value

    def train(state, given):
        if steps == 1:
            return step(state, given)
        state, values = j.lax.scan(lambda state, _: step(state, given), state, None, length=steps)
        return state, values[-1]

    compiled = j.jit(train, donate_argnums=0)
    given = [n.asarray(x) for x in data]
    # the dtype of the count is that of the weights, or all would become float64
    state = [(n.float32(0), *([n.asarray(f(w)) for w in weights] for f in (np.array, np.zeros_like, np.zeros_like)))]

    def run() -> Any:
        state[0], value = compiled(state[0], given)
        return j.block_until_ready(value)

    return run


def _with_torch(loss: Callable[..., Any], weights: Sequence[Any], data: Sequence[Any], adam: bool, steps: int) -> Timed:
    import torch

    values = [torch.tensor(w, requires_grad=True) for w in weights]
    kinds = torch.optim
    optimizer = kinds.Adam(values, RATE, eps=1e-7) if adam else kinds.SGD(values, RATE)
    given = [torch.from_numpy(np.array(x)) for x in data]

    def run() -> Any:
        for _ in range(steps):
            optimizer.zero_grad(set_to_none=True)
            value = loss(values, *given)
            value.backward()
            optimizer.step()
        return value.detach()

    return run


def _everywhere(
    mine: Callable[..., Any], jax_form: Callable[..., Any], torch_form: Callable[..., Any], weights: Sequence[Any],
    data: Sequence[Any], adam: bool = True, steps: int = 1,
) -> dict[str, Timed]:  # fmt: skip
    made: dict[str, Callable[[], Timed]] = {
        "ours": lambda: _here(mine, weights, data, adam, steps),
        "tf": lambda: _of_tensorflow(tensorflow(), mine, weights, data, adam, steps, {}),
        "xla": lambda: _of_tensorflow(tensorflow(), mine, weights, data, adam, steps, {"jit_compile": True}),
        "JAX": lambda: _with_jax(jax_form, weights, data, adam, steps),
        "torch": lambda: _with_torch(torch_form, weights, data, adam, steps),
    }
    return contestants(**made)


# A softmax classifier, in a loop.


def _softmax() -> dict[str, Timed]:
    labels = np.random.default_rng(1).integers(0, 10, 128)
    data = _floats(128, 64), np.eye(10, dtype=np.float32)[labels]

    def mine(library, weights, x, y):
        w, b = weights
        logits = library.matmul(x, w) + b
        return library.reduce_mean(library.nn.softmax_cross_entropy_with_logits(labels=y, logits=logits))

    def jax_form(weights, x, y):
        w, b = weights
        return -jax().numpy.mean((y * jax().nn.log_softmax(x @ w + b)).sum(-1))

    def torch_form(weights, x, y):
        w, b = weights
        return -(y * (x @ w + b).log_softmax(-1)).sum(-1).mean()

    return _everywhere(mine, jax_form, torch_form, [_floats(64, 10, scale=0.1), _floats(10)], data, False, 100)


# The network of the documents: two convolutions, and two dense layers.


def _cnn() -> dict[str, Timed]:
    labels = np.random.default_rng(1).integers(0, 10, 50).astype(np.int32)
    data = np.random.default_rng(2).random((50, 28, 28, 1)).astype(np.float32), labels
    weights = [
        _floats(5, 5, 1, 32, scale=0.1), np.zeros(32, np.float32), _floats(5, 5, 32, 64, scale=0.05, seed=1),
        np.zeros(64, np.float32), _floats(7 * 7 * 64, 1024, scale=0.02, seed=2), np.zeros(1024, np.float32),
        _floats(1024, 10, scale=0.03, seed=3), np.zeros(10, np.float32),
    ]  # fmt: skip

    def mine(library, weights, x, y):
        nn = library.nn
        w1, b1, w2, b2, w3, b3, w4, b4 = weights
        x = nn.max_pool2d(nn.relu(nn.conv2d(x, w1, 1, "SAME") + b1), 2, 2, "SAME")
        x = nn.max_pool2d(nn.relu(nn.conv2d(x, w2, 1, "SAME") + b2), 2, 2, "SAME")
        x = nn.relu(library.matmul(library.reshape(x, [50, 7 * 7 * 64]), w3) + b3)
        logits = library.matmul(x, w4) + b4
        return library.reduce_mean(nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))

    def jax_form(weights, x, y):
        lax, n = jax().lax, jax().numpy
        w1, b1, w2, b2, w3, b3, w4, b4 = weights

        def layer(x, w, b):
            x = lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))
            return lax.reduce_window(n.maximum(x + b, 0), -np.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "SAME")

        x = layer(layer(x, w1, b1), w2, b2).reshape(50, -1)
        logits = n.maximum(x @ w3 + b3, 0) @ w4 + b4
        return -n.mean(jax().nn.log_softmax(logits)[n.arange(50), y])

    def torch_form(weights, x, y):
        import torch.nn.functional as f

        w1, b1, w2, b2, w3, b3, w4, b4 = weights
        x = x.permute(0, 3, 1, 2)
        for w, b in ((w1, b1), (w2, b2)):
            x = f.max_pool2d(f.conv2d(x, w.permute(3, 2, 0, 1), b, padding=2).relu(), 2)
        x = x.permute(0, 2, 3, 1).reshape(50, -1)
        return f.cross_entropy((x @ w3 + b3).relu() @ w4 + b4, y.long())

    return _everywhere(mine, jax_form, torch_form, weights, data)


# Networks over time: [time, batch, features].


def _rnn() -> dict[str, Timed]:
    data = _floats(32, 32, 64), _floats(32, 64, scale=0.5, seed=1)
    weights = [_floats(64, 64, scale=0.1), _floats(64, 64, scale=0.1, seed=1), np.zeros(64, np.float32)]

    def mine(library, weights, x, y):
        w, u, b = weights
        h = library.zeros([32, 64])
        for i in library.range(32):
            h = library.tanh(library.matmul(x[i], w) + library.matmul(h, u) + b)
        return library.reduce_mean(library.square(h - y))

    def jax_form(weights, x, y):
        n = jax().numpy
        w, u, b = weights
        h, _ = jax().lax.scan(lambda h, x: (n.tanh(x @ w + h @ u + b), None), n.zeros((32, 64), "float32"), x)
        return n.mean((h - y) ** 2)

    def torch_form(weights, x, y):
        import torch

        w, u, b = weights
        h = torch.zeros(32, 64)
        for one in x:
            h = torch.tanh(one @ w + h @ u + b)
        return ((h - y) ** 2).mean()

    return _everywhere(mine, jax_form, torch_form, weights, data)


def _lstm() -> dict[str, Timed]:
    data = _floats(32, 32, 64), _floats(32, 64, scale=0.5, seed=1)
    weights = [_floats(64, 256, scale=0.1), _floats(64, 256, scale=0.1, seed=1), np.zeros(256, np.float32)]

    def mine(library, weights, x, y):
        w, u, b = weights
        h, c = library.zeros([32, 64]), library.zeros([32, 64])
        for t in library.range(32):
            i, f, g, o = library.split(library.matmul(x[t], w) + library.matmul(h, u) + b, 4, axis=1)
            c = library.sigmoid(f) * c + library.sigmoid(i) * library.tanh(g)
            h = library.sigmoid(o) * library.tanh(c)
        return library.reduce_mean(library.square(h - y))

    def jax_form(weights, x, y):
        n, sigmoid = jax().numpy, jax().nn.sigmoid
        w, u, b = weights

        def step(state, x):
            h, c = state
            i, f, g, o = n.split(x @ w + h @ u + b, 4, axis=1)
            c = sigmoid(f) * c + sigmoid(i) * n.tanh(g)
            return (sigmoid(o) * n.tanh(c), c), None

        start = n.zeros((32, 64), "float32")
        (h, _), _ = jax().lax.scan(step, (start, start), x)
        return n.mean((h - y) ** 2)

    def torch_form(weights, x, y):
        import torch

        w, u, b = weights
        h = c = torch.zeros(32, 64)
        for one in x:
            i, f, g, o = (one @ w + h @ u + b).split(64, dim=1)
            c = f.sigmoid() * c + i.sigmoid() * g.tanh()
            h = o.sigmoid() * c.tanh()
        return ((h - y) ** 2).mean()

    return _everywhere(mine, jax_form, torch_form, weights, data)


# A block of a transformer: attention with four heads, and two dense layers, each added to what it is given.


def _transformer() -> dict[str, Timed]:
    batch, length, width, heads, wide = 8, 32, 64, 4, 256
    part = width // heads
    data = _floats(batch, length, width), _floats(batch, length, width, scale=0.5, seed=1)
    weights = [
        _floats(width, 3 * width, scale=0.1), _floats(width, width, scale=0.1, seed=1),
        _floats(width, wide, scale=0.1, seed=2), np.zeros(wide, np.float32),
        _floats(wide, width, scale=0.1, seed=3), np.zeros(width, np.float32),
        *(f(width, dtype=np.float32) for f in (np.ones, np.zeros, np.ones, np.zeros)),
    ]  # fmt: skip

    def mine(library, weights, x, y):
        qkv, out, w1, b1, w2, b2, g1, o1, g2, o2 = weights

        def normal(x, gain, offset):
            centred = x - library.reduce_mean(x, -1, keepdims=True)
            variance = library.reduce_mean(library.square(centred), -1, keepdims=True)
            return centred * library.math.rsqrt(variance + 1e-5) * gain + offset

        parts = library.reshape(library.matmul(normal(x, g1, o1), qkv), [batch, length, 3, heads, part])
        q, k, v = library.unstack(library.transpose(parts, [2, 0, 3, 1, 4]))
        scores = library.nn.softmax(library.matmul(q, k, transpose_b=True) * part**-0.5)
        mixed = library.reshape(library.transpose(library.matmul(scores, v), [0, 2, 1, 3]), [batch, length, width])
        x = x + library.matmul(mixed, out)
        x = x + library.matmul(library.nn.relu(library.matmul(normal(x, g2, o2), w1) + b1), w2) + b2
        return library.reduce_mean(library.square(x - y))

    def jax_form(weights, x, y):
        n = jax().numpy
        qkv, out, w1, b1, w2, b2, g1, o1, g2, o2 = weights

        def normal(x, gain, offset):
            centred = x - x.mean(-1, keepdims=True)
            return centred * jax().lax.rsqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * gain + offset

        parts = (normal(x, g1, o1) @ qkv).reshape(batch, length, 3, heads, part)
        q, k, v = parts.transpose(2, 0, 3, 1, 4)
        scores = jax().nn.softmax(q @ k.swapaxes(-1, -2) * part**-0.5)
        x = x + (scores @ v).transpose(0, 2, 1, 3).reshape(batch, length, width) @ out
        x = x + n.maximum(normal(x, g2, o2) @ w1 + b1, 0) @ w2 + b2
        return n.mean((x - y) ** 2)

    def torch_form(weights, x, y):
        import torch.nn.functional as f

        qkv, out, w1, b1, w2, b2, g1, o1, g2, o2 = weights
        parts = (f.layer_norm(x, [width], g1, o1) @ qkv).reshape(batch, length, 3, heads, part)
        q, k, v = parts.permute(2, 0, 3, 1, 4)
        scores = (q @ k.transpose(-1, -2) * part**-0.5).softmax(-1)
        x = x + (scores @ v).permute(0, 2, 1, 3).reshape(batch, length, width) @ out
        x = x + (f.layer_norm(x, [width], g2, o2) @ w1 + b1).relu() @ w2 + b2
        return ((x - y) ** 2).mean()

    return _everywhere(mine, jax_form, torch_form, weights, data)


# MAML: the gradient of a loss after a step of gradient descent on another.


def _maml() -> dict[str, Timed]:
    data = [_floats(16, 20, 1, seed=s) for s in range(4)]
    weights = [_floats(1, 40, scale=0.5), np.zeros(40, np.float32), _floats(40, 40, scale=0.2, seed=1),
               np.zeros(40, np.float32), _floats(40, 1, scale=0.2, seed=2), np.zeros(1, np.float32)]  # fmt: skip

    def mine(library, weights, xs, ys, xs2, ys2):
        def loss(weights, x, y):
            w1, b1, w2, b2, w3, b3 = weights
            x = library.nn.relu(library.matmul(x, w1) + b1)
            x = library.nn.relu(library.matmul(x, w2) + b2)
            return library.reduce_mean(library.square(library.matmul(x, w3) + b3 - y))

        values = [library.convert_to_tensor(w) for w in weights]
        total = library.constant(0.0)
        for i in library.range(16):
            with library.GradientTape() as tape:
                tape.watch(values)
                inner = loss(values, xs[i], ys[i])
            changed = [w - 0.01 * g for w, g in zip(values, tape.gradient(inner, values))]
            total += loss(changed, xs2[i], ys2[i])
        return total / 16.0

    def jax_form(weights, xs, ys, xs2, ys2):
        n = jax().numpy

        def loss(weights, x, y):
            w1, b1, w2, b2, w3, b3 = weights
            x = n.maximum(n.maximum(x @ w1 + b1, 0) @ w2 + b2, 0)
            return n.mean((x @ w3 + b3 - y) ** 2)

        def one(x, y, x2, y2):
            changed = [w - 0.01 * g for w, g in zip(weights, jax().grad(loss)(weights, x, y))]
            return loss(changed, x2, y2)

        return n.mean(jax().vmap(one)(xs, ys, xs2, ys2))

    def torch_form(weights, xs, ys, xs2, ys2):
        import torch

        def loss(weights, x, y):
            w1, b1, w2, b2, w3, b3 = weights
            x = ((x @ w1 + b1).relu() @ w2 + b2).relu()
            return ((x @ w3 + b3 - y) ** 2).mean()

        total = 0.0
        for i in range(16):
            gradients = torch.autograd.grad(loss(weights, xs[i], ys[i]), weights, create_graph=True)
            changed = [w - 0.01 * g for w, g in zip(weights, gradients)]
            total = total + loss(changed, xs2[i], ys2[i])
        return total / 16

    return _everywhere(mine, jax_form, torch_form, weights, data)


# The gradient through a loop whose number of iterations depends on data.


def _while_gradient() -> dict[str, Timed]:
    x = np.linspace(0.1, 1.0, 64, dtype=np.float32)

    def gradient(library, x):
        with library.GradientTape() as tape:
            tape.watch(x)
            y, i = x, library.constant(0)
            while i < 100 and library.reduce_sum(y) > -1.0:
                y = library.sin(y) * 1.01
                i += 1
            value = library.reduce_sum(y)
        return tape.gradient(value, x)

    def graph(library: Any, function: Callable[..., Any], options: dict[str, Any]) -> Timed:
        run, given = library.function(lambda x: function(library, x), **options), library.constant(x)
        return lambda: run(given).numpy()

    def with_jax() -> Timed:
        j = jax()
        n = j.numpy

        def value(x):  # as jax.grad has no way back through a loop of unknown length, one that is masked
            def step(state, _):
                y, goes_on = state
                goes_on = goes_on & (n.sum(y) > -1.0)
                return (n.where(goes_on, n.sin(y) * n.float32(1.01), y), goes_on), None

            (y, _), _ = j.lax.scan(step, (x, True), None, length=100)
            return n.sum(y)

        compiled, given = j.jit(j.grad(value)), n.asarray(x)
        return lambda: j.block_until_ready(compiled(given))

    def with_torch() -> Timed:
        import torch

        def run() -> Any:
            given = torch.from_numpy(x).requires_grad_()
            y, i = given, 0
            while i < 100 and y.sum() > -1.0:
                y = torch.sin(y) * 1.01
                i += 1
            return torch.autograd.grad(y.sum(), given)[0]

        return run

    return contestants(
        ours=lambda: graph(tf, gradient, {"jit_compile": True}),
        tf=lambda: graph(tensorflow(), gradient, {}),
        xla=lambda: graph(tensorflow(), gradient, {"jit_compile": True}),
        JAX=with_jax,
        torch=with_torch,
    )


CASES: dict[str, Callable[[], dict[str, Timed]]] = {
    "100 steps of a softmax classifier, SGD": _softmax,
    "step of a CNN on 50 images, Adam": _cnn,
    "step of an RNN, 32 times, Adam": _rnn,
    "step of an LSTM, 32 times, Adam": _lstm,
    "step of a transformer block, 8 x 32, Adam": _transformer,
    "step of MAML over 16 tasks, Adam": _maml,
    "gradient through a while of 100 iterations": _while_gradient,
}
