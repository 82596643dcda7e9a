"""Programs that draw random numbers: a function that is given a seed, and seeds NumPy's own generator with it."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(lambda draw, n: (n, 3), small=50, large=200_000, draws=True)
def quarter_of_a_circle(n, seed):
    np.random.seed(seed)
    inside = 0
    for _ in range(n):
        x, y = np.random.random(), np.random.random()
        if x * x + y * y < 1.0:
            inside += 1
    return 4.0 * inside / n


@kernel(lambda draw, n: (n, 0.4, 3), small=4, large=60, draws=True)
def ising_model(n, beta, seed):
    np.random.seed(seed)
    spins = np.ones((n, n))
    for _ in range(20 * n * n):
        i, j = int(np.random.random() * n), int(np.random.random() * n)
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % n] + spins[i, j - 1]
        cost = 2.0 * spins[i, j] * around
        if cost <= 0.0 or np.random.random() < np.exp(-beta * cost):
            spins[i, j] = -spins[i, j]
    return spins


@kernel(lambda draw, n: (n, 3), small=20, large=100_000, draws=True)
def metropolis(n, seed):
    np.random.seed(seed)
    chain = np.empty(n)
    x = 0.0
    for i in range(n):
        y = x + np.random.uniform(-1.0, 1.0)
        if np.random.random() < np.exp((x * x - y * y) / 2.0):
            x = y
        chain[i] = x
    return chain
