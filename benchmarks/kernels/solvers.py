"""Iterations until something is small enough, filters, and steps in time."""

import numpy as np

from benchmarks.kernels.kernel import kernel
from benchmarks.kernels.matrices import definite


@kernel(lambda draw, n: (definite(draw, n), draw.random(n), 1.3, 1e-8, 500), small=6, large=40)
def sor(A, b, omega, tol, maxit):
    n = len(b)
    x = np.zeros(n)
    for it in range(maxit):
        x_old = x.copy()
        for i in range(n):
            sigma = np.dot(A[i, :i], x[:i]) + np.dot(A[i, i + 1 :], x_old[i + 1 :])
            x[i] = (1 - omega) * x_old[i] + omega / A[i, i] * (b[i] - sigma)
        if np.linalg.norm(x - x_old, ord=np.inf) < tol:
            return x, it
    return x, maxit


@kernel(lambda draw, n: (definite(draw, n), draw.random(n), n // 2), small=8, large=100)
def lanczos(A, v, m):
    n = A.shape[0]
    V = np.zeros((m, n))
    T = np.zeros((m, m))
    V[0] = v / np.linalg.norm(v)
    w = A @ V[0]
    a = np.dot(w, V[0])
    w = w - a * V[0]
    T[0, 0] = a
    for j in range(1, m):
        beta = np.sqrt(np.dot(w, w))
        if beta < 1e-12:
            break
        V[j] = w / beta
        for i in range(j):
            V[j] = V[j] - np.dot(V[i], V[j]) * V[i]
        V[j] /= np.linalg.norm(V[j])
        w = A @ V[j]
        a = np.dot(w, V[j])
        w = w - a * V[j] - beta * V[j - 1]
        T[j, j] = a
        T[j - 1, j] = T[j, j - 1] = beta
    return T, V


@kernel(lambda draw, n: (definite(draw, n),), small=5, large=25)
def jacobi_eigen(A, tol=1e-10):
    A = A.copy()
    n = A.shape[0]
    V = np.eye(n)
    for _sweep in range(50):
        off = np.sqrt(np.sum(np.tril(A, -1) ** 2))
        if off < tol:
            break
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(A[p, q]) < 1e-15:
                    continue
                theta = (A[q, q] - A[p, p]) / (2.0 * A[p, q])
                t = np.sign(theta) / (abs(theta) + np.sqrt(theta**2 + 1)) if theta != 0 else 1.0
                c = 1 / np.sqrt(t**2 + 1)
                s = t * c
                Ap = A[:, p].copy()
                Aq = A[:, q].copy()
                A[:, p] = c * Ap - s * Aq
                A[:, q] = s * Ap + c * Aq
                Ap = A[p, :].copy()
                Aq = A[q, :].copy()
                A[p, :] = c * Ap - s * Aq
                A[q, :] = s * Ap + c * Aq
                Vp = V[:, p].copy()
                V[:, p] = c * Vp - s * V[:, q]
                V[:, q] = s * Vp + c * V[:, q]
    return np.diag(A), V


@kernel(lambda draw, n: (draw.random((n + 2, n)),), small=5, large=60)
def householder_qr(A):
    m, n = A.shape
    R = A.copy()
    Q = np.identity(m)
    for j in range(min(m - 1, n)):
        x = R[j:, j]
        normx = np.linalg.norm(x)
        rho = -np.sign(x[0])
        u1 = x[0] - rho * normx
        u = x / u1
        u[0] = 1
        beta = -rho * u1 / normx
        R[j:, :] = R[j:, :] - beta * np.outer(u, u).dot(R[j:, :])
        Q[:, j:] = Q[:, j:] - beta * Q[:, j:].dot(np.outer(u, u))
    return Q, R


def lotka_volterra(t, z, alpha=1.1, beta=0.4, delta=0.1, gamma=0.4):
    x, y = z
    return np.array([alpha * x - beta * x * y, delta * x * y - gamma * y])


@kernel(lambda draw, n: (np.array([10.0, 5.0]), n * 1.0, 1e-6), small=3, large=60)
def rkf45(y0, t_end, tol):
    c = np.array([0, 1 / 4, 3 / 8, 12 / 13, 1, 1 / 2])
    a = np.array(
        [
            [0, 0, 0, 0, 0],
            [1 / 4, 0, 0, 0, 0],
            [3 / 32, 9 / 32, 0, 0, 0],
            [1932 / 2197, -7200 / 2197, 7296 / 2197, 0, 0],
            [439 / 216, -8, 3680 / 513, -845 / 4104, 0],
            [-8 / 27, 2, -3544 / 2565, 1859 / 4104, -11 / 40],
        ]
    )
    b4 = np.array([25 / 216, 0, 1408 / 2565, 2197 / 4104, -1 / 5, 0])
    b5 = np.array([16 / 135, 0, 6656 / 12825, 28561 / 56430, -9 / 50, 2 / 55])
    t, h = 0.0, 0.1
    y = y0.copy()
    ts = [t]
    ys = [y.copy()]
    while t < t_end:
        h = min(h, t_end - t)
        K = np.zeros((6, len(y)))
        for i in range(6):
            K[i] = lotka_volterra(t + c[i] * h, y + h * (a[i, :i] @ K[:i]))
        err = np.max(np.abs(h * (b5 - b4) @ K))
        if err < tol:
            t += h
            y = y + h * b5 @ K
            ts.append(t)
            ys.append(y.copy())
        h *= min(5.0, max(0.2, 0.9 * (tol / (err + 1e-300)) ** 0.2))
    return np.array(ts), np.array(ys)


def thomas(a, b, c, d):
    n = len(d)
    cp = np.zeros(n)
    dp = np.zeros(n)
    cp[0] = c[0] / b[0]
    dp[0] = d[0] / b[0]
    for i in range(1, n):
        m = b[i] - a[i] * cp[i - 1]
        cp[i] = c[i] / m
        dp[i] = (d[i] - a[i] * dp[i - 1]) / m
    x = np.zeros(n)
    x[-1] = dp[-1]
    for i in reversed(range(n - 1)):
        x[i] = dp[i] - cp[i] * x[i + 1]
    return x


@kernel(lambda draw, n: (np.sin(np.linspace(0, np.pi, n)), 0.5, 10), small=9, large=100)
def crank_nicolson(u, r, steps):
    n = u.size
    a = -r / 2 * np.ones(n)
    b = (1 + r) * np.ones(n)
    c = -r / 2 * np.ones(n)
    a[0] = c[-1] = 0
    for _ in range(steps):
        rhs = (1 - r) * u
        rhs[1:] += r / 2 * u[:-1]
        rhs[:-1] += r / 2 * u[1:]
        u = thomas(a, b, c, rhs)
    return u


def smooth(u, f, h, nu):
    for _ in range(nu):
        u[1:-1] = 0.5 * (u[:-2] + u[2:] + h**2 * f[1:-1])
    return u


def v_cycle(u, f, h):
    n = len(u)
    smooth(u, f, h, 3)
    if n <= 3:
        return u
    r = np.zeros(n)
    r[1:-1] = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / h**2
    rc = np.zeros(n // 2 + 1)
    rc[1:-1] = 0.25 * (r[1:-3:2] + 2 * r[2:-2:2] + r[3:-1:2])
    ec = np.zeros_like(rc)
    ec = v_cycle(ec, rc, 2 * h)
    e = np.zeros(n)
    e[::2] = ec
    e[1::2] = 0.5 * (ec[:-1] + ec[1:])
    u += e
    smooth(u, f, h, 3)
    return u


@kernel(lambda draw, n: (draw.random(2**n + 1), 4), small=3, large=8)
def multigrid(f, cycles):
    n = len(f)
    u = np.zeros(n)
    h = 1.0 / (n - 1)
    norms = []
    for _c in range(cycles):
        u = v_cycle(u, f, h)
        res = f[1:-1] + (u[:-2] - 2 * u[1:-1] + u[2:]) / h**2
        norms.append(np.max(np.abs(res)))
    return u, np.array(norms)


def rosenbrock(x):
    return sum(100.0 * (x[1:] - x[:-1] ** 2.0) ** 2.0 + (1 - x[:-1]) ** 2.0)


@kernel(lambda draw, n: (draw.random(n), 100), small=2, large=6)
def nelder_mead(x0, maxiter):
    n = len(x0)
    simplex = np.vstack([x0] + [x0 + 0.05 * e for e in np.eye(n)])
    fvals = np.array([rosenbrock(p) for p in simplex])
    for _ in range(maxiter):
        order = np.argsort(fvals)
        simplex, fvals = simplex[order], fvals[order]
        if np.ptp(fvals) < 1e-10:
            break
        centroid = simplex[:-1].mean(axis=0)
        xr = centroid + (centroid - simplex[-1])
        fr = rosenbrock(xr)
        if fr < fvals[0]:
            xe = centroid + 2 * (centroid - simplex[-1])
            fe = rosenbrock(xe)
            if fe < fr:
                simplex[-1], fvals[-1] = xe, fe
            else:
                simplex[-1], fvals[-1] = xr, fr
        elif fr < fvals[-2]:
            simplex[-1], fvals[-1] = xr, fr
        else:
            xc = centroid + 0.5 * (simplex[-1] - centroid)
            fc = rosenbrock(xc)
            if fc < fvals[-1]:
                simplex[-1], fvals[-1] = xc, fc
            else:
                for i in range(1, n + 1):
                    simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
                    fvals[i] = rosenbrock(simplex[i])
    return simplex[0], fvals[0]


@kernel(lambda draw, n: (draw.standard_normal(n), draw.standard_normal(n), 8, 0.01), small=20, large=1500)
def lms(x, d, taps, mu):
    w = np.zeros(taps)
    e = np.zeros(len(x))
    for n in range(taps, len(x)):
        u = x[n : n - taps : -1]
        y = w @ u
        e[n] = d[n] - y
        w += 2 * mu * e[n] * u
    return w, e


@kernel(lambda draw, n: (draw.random((n, n)),), small=6, large=60)
def integral_image_blur(img, radius=2):
    h, w = img.shape
    ii = np.zeros((h + 1, w + 1))
    ii[1:, 1:] = img.cumsum(axis=0).cumsum(axis=1)
    out = np.empty((h, w))
    for y in range(h):
        y0, y1 = max(0, y - radius), min(h, y + radius + 1)
        for x in range(w):
            x0, x1 = max(0, x - radius), min(w, x + radius + 1)
            area = (y1 - y0) * (x1 - x0)
            out[y, x] = (ii[y1, x1] - ii[y0, x1] - ii[y1, x0] + ii[y0, x0]) / area
    return out


def gauss_pdf(x, mu, sigma):
    return np.exp(-0.5 * ((x - mu) / sigma) ** 2) / (sigma * np.sqrt(2 * np.pi))


@kernel(lambda draw, n: (np.concatenate([draw.normal(-2, 1, n), draw.normal(3, 0.5, n)]), 2, 50), small=20, large=1000)
def em_mixture(x, K, iters, tol=1e-6):
    n = len(x)
    mu = np.linspace(x.min(), x.max(), K)
    sigma = np.ones(K) * x.std()
    pi = np.ones(K) / K
    ll_old = -np.inf
    for _it in range(iters):
        resp = np.zeros((n, K))
        for j in range(K):
            resp[:, j] = pi[j] * gauss_pdf(x, mu[j], sigma[j])
        tot = resp.sum(axis=1)
        ll = np.log(tot).sum()
        resp /= tot[:, None]
        Nk = resp.sum(axis=0)
        mu = (resp * x[:, None]).sum(axis=0) / Nk
        for j in range(K):
            sigma[j] = np.sqrt((resp[:, j] * (x - mu[j]) ** 2).sum() / Nk[j])
        pi = Nk / n
        if abs(ll - ll_old) < tol:
            break
        ll_old = ll
    return mu, sigma, pi, ll


@kernel(lambda draw, n: (draw.standard_normal(n), 1e-5, 0.1, 0.85), small=9, large=3000)
def garch(eps, omega, alpha, beta):
    n = len(eps)
    sigma2 = np.empty(n)
    sigma2[0] = omega / (1 - alpha - beta)
    ret = np.zeros(n)
    ret[0] = np.sqrt(sigma2[0]) * eps[0]
    for t in range(1, n):
        sigma2[t] = omega + alpha * ret[t - 1] ** 2 + beta * sigma2[t - 1]
        ret[t] = np.sqrt(sigma2[t]) * eps[t]
    return ret, sigma2


@kernel(lambda draw, n: (draw.random(n),), small=9, large=300)
def selection_sort(a):
    i = 0
    n = len(a)
    while i < n:
        j = i + 1
        while j < n:
            if a[j] < a[i]:
                a[i], a[j] = a[j], a[i]
            j += 1
        i += 1


@kernel(lambda draw, n: (draw.random(n),), small=9, large=3000)
def windowed(u):
    w = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(len(u)) / len(u))
    out = np.zeros_like(u)
    for i, v in enumerate(u):
        out[i] = v * w[i]
    s = 0.0
    for i in range(1, len(w)):
        s += (w[i] + w[i - 1]) * u[i]
    return out, s
