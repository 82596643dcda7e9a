"""Matrices by loops: factorisations, solvers, products."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


def definite(draw, n):
    """A symmetric matrix whose eigenvalues are positive."""
    a = draw.random((n, n))
    return a @ a.T + n * np.eye(n)


def dominant(draw, n):
    """A matrix whose diagonal outweighs each row."""
    return draw.random((n, n)) + n * np.eye(n)


@kernel(lambda draw, n: (definite(draw, n),), small=7, large=150)
def cholesky(a):
    n = a.shape[0]
    a[0, 0] = np.sqrt(a[0, 0])
    for i in range(1, n):
        for j in range(i):
            a[i, j] -= np.dot(a[i, :j], a[j, :j])
            a[i, j] /= a[j, j]
        a[i, i] -= np.dot(a[i, :i], a[i, :i])
        a[i, i] = np.sqrt(a[i, i])


@kernel(lambda draw, n: (definite(draw, n),), small=6, large=60)
def cholesky_by_elements(a):
    n = len(a)
    lower = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for k in range(j):
                s += lower[i, k] * lower[j, k]
            if i == j:
                lower[i, j] = (a[i, i] - s) ** 0.5
            else:
                lower[i, j] = (a[i, j] - s) / lower[j, j]
    return lower


@kernel(lambda draw, n: (dominant(draw, n),), small=7, large=150)
def lu(a):
    for i in range(a.shape[0]):
        for j in range(i):
            a[i, j] -= a[i, :j] @ a[:j, j]
            a[i, j] /= a[j, j]
        for j in range(i, a.shape[0]):
            a[i, j] -= a[i, :i] @ a[:i, j]


@kernel(lambda draw, n: (draw.random((n, n)), draw.random(n)), small=6, large=120)
def elimination_with_pivots(a, b):
    n = len(b)
    for k in range(n - 1):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            a[i, k:] -= f * a[k, k:]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x


@kernel(lambda draw, n: (draw.random((n + 2, n)),), small=5, large=80)
def gram_schmidt(a):
    n = a.shape[1]
    q = np.zeros_like(a)
    r = np.zeros((n, n), dtype=a.dtype)
    for k in range(n):
        norm = np.dot(a[:, k], a[:, k])
        r[k, k] = np.sqrt(norm)
        q[:, k] = a[:, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = np.dot(q[:, k], a[:, j])
            a[:, j] -= q[:, k] * r[k, j]
    return q, r


@kernel(lambda draw, n: (np.tril(dominant(draw, n)), np.zeros(n), draw.random(n)), small=8, large=1000)
def triangular_solve(lower, x, b):
    for i in range(x.shape[0]):
        x[i] = (b[i] - lower[i, :i] @ x[:i]) / lower[i, i]


@kernel(lambda draw, n: (1.5, draw.random((n, n)), draw.random((n, n + 1))), small=6, large=100)
def triangular_product(alpha, a, b):
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            b[i, j] += np.dot(a[i + 1 :, i], b[i + 1 :, j])
    b *= alpha


@kernel(lambda draw, n: (1.5, 1.2, draw.random((n, n)), draw.random((n, n - 2))), small=6, large=100)
def rank_k_update(alpha, beta, c, a):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]


@kernel(lambda draw, n: (1.5, 1.2, *(draw.random((n, n)) for _ in range(3))), small=6, large=90)
def rank_2k_update(alpha, beta, c, a, b):
    for i in range(a.shape[0]):
        c[i, : i + 1] *= beta
        for k in range(a.shape[1]):
            c[i, : i + 1] += a[: i + 1, k] * alpha * b[i, k] + b[: i + 1, k] * alpha * a[i, k]


@kernel(lambda draw, n: (1.5, 1.2, *(draw.random((n, n)) for _ in range(3))), small=6, large=90)
def symmetric_product(alpha, beta, c, a, b):
    temp = np.empty((c.shape[1],), dtype=c.dtype)
    c *= beta
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[:i, j] += alpha * b[i, j] * a[i, :i]
            temp[j] = b[:i, j] @ a[i, :i]
        c[i, :] += alpha * b[i, :] * a[i, i] + alpha * temp


@kernel(lambda draw, n: (draw.random(n) / n,), small=8, large=600)
def durbin(r):
    """The Yule-Walker equations, by Durbin's recursion."""
    y = np.empty_like(r)
    alpha = -r[0]
    beta = 1.0
    y[0] = -r[0]
    for k in range(1, r.shape[0]):
        beta *= 1.0 - alpha * alpha
        alpha = -(r[k] + np.dot(np.flip(r[:k]), y[:k])) / beta
        y[:k] += alpha * np.flip(y[:k])
        y[k] = alpha
    return y


@kernel(
    lambda draw, n: (draw.random((n, n)), *(draw.random(n) for _ in range(6)), 1.5, 1.2), small=6, large=500, jax=True
)
def updates_and_products(a, u1, v1, u2, v2, y, z, alpha, beta):
    a += np.outer(u1, v1) + np.outer(u2, v2)
    x = beta * y @ a + z
    w = alpha * a @ x
    return x, w


@kernel(lambda draw, n: (draw.random((n, n + 1)), draw.random(n + 1)), small=6, large=600, jax=True)
def normal_product(a, x):
    return (a @ x) @ a


def sparse(draw, n):
    """A matrix by compressed rows, a vector, and room for the product."""
    counts = draw.integers(0, 8, n)
    starts = np.concatenate(([0], np.cumsum(counts)))
    return starts, draw.integers(0, n, starts[-1]), draw.random(starts[-1]), draw.random(n)


@kernel(sparse, small=12, large=3000)
def sparse_product(starts, columns, values, x):
    y = np.empty(starts.size - 1, values.dtype)
    for i in range(starts.size - 1):
        cols = columns[starts[i] : starts[i + 1]]
        vals = values[starts[i] : starts[i + 1]]
        y[i] = vals @ x[cols]
    return y


@kernel(sparse, small=12, large=3000)
def sparse_product_by_elements(starts, columns, values, x):
    rows = len(starts) - 1
    y = np.zeros(rows)
    for i in range(rows):
        total = 0.0
        for k in range(starts[i], starts[i + 1]):
            total += values[k] * x[columns[k]]
        y[i] = total
    return y


@kernel(lambda draw, n: (draw.random(n), 4 + draw.random(n), draw.random(n), draw.random(n)), small=9, large=4000)
def tridiagonal_solver(a, b, c, d):
    n = len(d)
    c2 = np.zeros(n)
    d2 = np.zeros(n)
    c2[0] = c[0] / b[0]
    d2[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * c2[i - 1]
        c2[i] = c[i] / m
        d2[i] = (d[i] - a[i] * d2[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d2[-1]
    for i in reversed(range(n - 1)):
        x[i] = d2[i] - c2[i] * x[i + 1]
    return x


@kernel(lambda draw, n: (definite(draw, n), 100), small=6, large=200)
def power_iteration(a, most):
    v = np.ones(a.shape[0]) / np.sqrt(a.shape[0])
    eigenvalue = 0.0
    for _ in range(most):
        w = a @ v
        new = v @ w
        v = w / np.linalg.norm(w)
        if abs(new - eigenvalue) < 1e-10:
            break
        eigenvalue = new
    return eigenvalue, v


@kernel(lambda draw, n: (dominant(draw, n), draw.random(n), 25), small=6, large=200, jax=True)
def jacobi_solver(a, b, sweeps):
    d = np.diag(a)
    r = a - np.diagflat(d)
    x = np.zeros_like(b)
    for _ in range(sweeps):
        x = (b - r @ x) / d
    return x


@kernel(lambda draw, n: (dominant(draw, n), draw.random(n), 5), small=6, large=80)
def gauss_seidel_solver(a, b, sweeps):
    n = b.size
    x = np.zeros(n)
    for _ in range(sweeps):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            x[i] = s / a[i, i]
    return x, np.linalg.norm(a @ x - b)


@kernel(lambda draw, n: (definite(draw, n), draw.random(n)), small=6, large=40)
def conjugate_gradients(a, b):
    x = np.zeros(len(b))
    r = b - a @ x
    p = r.copy()
    rr = r @ r
    for k in range(len(b)):
        ap = a @ p
        alpha = rr / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-10:
            return x, k
        p = r + new / rr * p
        rr = new
    return x, len(b)


@kernel(lambda draw, n: (draw.random((n, n + 1)), draw.random((n + 1, n - 1))), small=5, large=40)
def product_by_elements(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


@kernel(lambda draw, n: (draw.random((n, n)), draw.random((n, n)), draw.random((n, n))), small=4, large=30, jax=True)
def tensor_times_matrix(a, b, c):
    return np.einsum("ij,jk,kl->il", a, b, c), (a @ b @ c).trace()
