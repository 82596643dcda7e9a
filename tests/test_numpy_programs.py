"""NumPy programs as people write them, unaware of graphs: plain, converted and as a graph they give the same."""

import numpy as np
import pytest

import autograph
import runtime


def pagerank(links, damping, tol):
    n = links.shape[0]
    rank = np.ones(n) / n
    out = np.sum(links, axis=0)
    while True:
        new = (1 - damping) / n + damping * (links @ (rank / np.maximum(out, 1)))
        if np.sum(np.abs(new - rank)) < tol:
            return new
        rank = new


def life(board, steps):
    for _ in range(steps):
        count = np.zeros_like(board)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if dx != 0 or dy != 0:
                    count = count + np.roll(np.roll(board, dx, axis=0), dy, axis=1)
        board = np.where((count == 3) | ((board == 1) & (count == 2)), 1, 0)
    return board


def kmeans(points, centers, most):
    for step in range(most):
        d = np.sum((points[:, None, :] - centers[None]) ** 2, axis=2)
        label = np.argmin(d, axis=1)
        onehot = (label[:, None] == np.arange(centers.shape[0])).astype(np.float64)
        new = (onehot.T @ points) / np.maximum(np.sum(onehot, axis=0), 1)[:, None]
        if np.max(np.abs(new - centers)) < 1e-6:
            break
        centers = new
    return centers, label, step


def mandel(c, limit):
    z = np.zeros_like(c)
    n = np.zeros(c.shape)
    i = 0
    while i < limit:
        inside = np.abs(z) <= 2
        z = np.where(inside, z * z + c, z)
        n = n + inside
        i += 1
    return n


def bisect(lo, hi):
    f = lambda x: x**3 - 2
    while hi - lo > 1e-12:
        mid = (lo + hi) / 2
        if f(mid) * f(lo) <= 0:
            hi = mid
        else:
            lo = mid
    return lo


def newton2(x):
    for i in range(50):
        step = (x**3 - 2) / (3 * x**2)
        x -= step
        if np.abs(step) < 1e-14:
            break
    else:
        raise ArithmeticError("did not converge")
    return x, i


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def primes(n):
    k = 2
    count = 0
    while k <= n:
        d = 2
        prime = True
        while d * d <= k:
            if k % d == 0:
                prime = False
                break
            d += 1
        if prime:
            count += 1
        k += 1
    return count


def stats(xs):
    mean = xs.mean()
    var = ((xs - mean) ** 2).mean()
    return {"mean": mean, "std": np.sqrt(var), "max": xs.max(), "n": len(xs)}


draw = np.random.default_rng(0)
LINKS = (draw.random((6, 6)) < 0.4).astype(float)
BOARD = draw.integers(0, 2, (8, 8))
POINTS, CENTERS = draw.random((40, 2)), draw.random((3, 2))
PLANE = np.linspace(-2, 1, 20) + 1j * np.linspace(-1, 1, 20)

CASES = [
    (pagerank, (LINKS, np.float64(0.85), np.float64(1e-9))),
    (life, (BOARD, np.int64(5))),
    (life, (BOARD, 5)),
    (kmeans, (POINTS, CENTERS, np.int64(100))),
    (kmeans, (POINTS, CENTERS, 20)),
    (mandel, (PLANE, np.int64(30))),
    (bisect, (np.float64(0), np.float64(2))),
    (newton2, (np.float64(1.5),)),
    (gcd, (np.int64(48), np.int64(36))),
    (primes, (np.int64(100),)),
    (stats, (POINTS[:, 0],)),
]


@pytest.mark.parametrize("function, arguments", CASES)
def test_plain_numpy_programs(function, arguments):
    with np.errstate(all="ignore"):
        wanted = runtime.nest.flatten(function(*arguments))
        for other in (autograph.convert(function), runtime.function(function, jit_compile=False)):
            for mine, value in zip(runtime.nest.flatten(other(*arguments)), wanted, strict=True):
                np.testing.assert_array_equal(np.asarray(mine), np.asarray(value))
        native = runtime.function(function)  # adds in another order
        for mine, value in zip(runtime.nest.flatten(native(*arguments)), wanted, strict=True):
            np.testing.assert_allclose(np.asarray(mine), np.asarray(value), rtol=1e-9, atol=1e-12)


def test_the_else_clause_of_a_loop_may_raise():
    with pytest.raises(ArithmeticError, match="did not converge"):
        runtime.function(newton2)(np.float64("nan"))
