"""Particles, differential equations, transforms."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


def acceleration(pos, mass, softening):
    x = pos[:, 0:1]
    y = pos[:, 1:2]
    z = pos[:, 2:3]
    dx = x.T - x
    dy = y.T - y
    dz = z.T - z
    inv = dx**2 + dy**2 + dz**2 + softening**2
    inv[inv > 0] = inv[inv > 0] ** (-1.5)
    return np.hstack(((dx * inv) @ mass, (dy * inv) @ mass, (dz * inv) @ mass))


def energy(pos, vel, mass):
    kinetic = 0.5 * np.sum(mass * vel**2)
    d = pos[:, None, :] - pos[None, :, :]
    r = np.sqrt((d**2).sum(axis=-1))
    r[r > 0] = 1.0 / r[r > 0]
    return kinetic, -np.sum(np.triu(mass * mass.T * r, 1))


@kernel(lambda draw, n: (draw.random((n, 1)), draw.random((n, 3)), draw.random((n, 3)), 10, 0.01), small=5, large=40)
def n_bodies(mass, pos, vel, steps, dt):
    vel -= np.mean(mass * vel, axis=0) / np.mean(mass)
    acc = acceleration(pos, mass, 0.1)
    ke = np.ndarray(steps + 1, dtype=np.float64)
    pe = np.ndarray(steps + 1, dtype=np.float64)
    ke[0], pe[0] = energy(pos, vel, mass)
    for i in range(steps):
        vel += acc * dt / 2.0
        pos += vel * dt
        acc = acceleration(pos, mass, 0.1)
        vel += acc * dt / 2.0
        ke[i + 1], pe[i + 1] = energy(pos, vel, mass)
    return ke, pe


@kernel(lambda draw, n: (draw.random((n, 3)), draw.random((n, 3)), draw.random(n), 4, 0.01), small=4, large=30)
def n_bodies_by_pairs(pos, vel, mass, steps, dt):
    n = len(pos)
    for _ in range(steps):
        force = np.zeros((n, 3))
        for i in range(n):
            for j in range(n):
                if i == j:
                    continue
                d = pos[j] - pos[i]
                r2 = np.dot(d, d) + 1e-3
                force[i] += mass[j] * d / (r2 * np.sqrt(r2))
        for i in range(n):
            vel[i] += dt * force[i]
            pos[i] += dt * vel[i]


def lorenz(state, sigma=10.0, rho=28.0, beta=8.0 / 3.0):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


@kernel(lambda draw, n: (np.array([1.0, 1.0, 1.0]), 0.01, n), small=6, large=1000)
def runge_kutta(state, h, steps):
    path = np.empty((steps + 1, 3))
    path[0] = state
    for i in range(steps):
        k1 = lorenz(state)
        k2 = lorenz(state + h / 2 * k1)
        k3 = lorenz(state + h / 2 * k2)
        k4 = lorenz(state + h * k3)
        state = state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        path[i + 1] = state
    return path


@kernel(lambda draw, n: (1.0, 0.0, 1e-3, n), small=10, large=5000)
def pendulum(theta, omega, dt, steps):
    angles = np.zeros(steps)
    for i in range(steps):
        omega -= dt * 9.81 * np.sin(theta)
        theta += dt * omega
        angles[i] = theta
    return angles, theta, omega


@kernel(lambda draw, n: (n, 0.4, 20), small=10, large=500)
def heat_equation(n, r, steps):
    """A rod that cools, by implicit steps."""
    u = np.sin(np.pi * np.linspace(0, 1, n))
    c = np.zeros(n)
    d = np.zeros(n)
    for _ in range(steps):
        c[1] = -r / (1 + 2 * r)
        d[1] = u[1] / (1 + 2 * r)
        for i in range(2, n - 1):
            m = 1 + 2 * r + r * c[i - 1]
            c[i] = -r / m
            d[i] = (u[i] + r * d[i - 1]) / m
        u[n - 2] = d[n - 2]
        for i in range(n - 3, 0, -1):
            u[i] = d[i] - c[i] * u[i + 1]
    return u


@kernel(lambda draw, n: (draw.random(2**n) + 1j * draw.random(2**n),), small=3, large=10)
def fft_by_stages(x):
    n = x.shape[0]
    levels = int(np.log2(n))
    y = np.empty_like(x)
    for i in range(n):
        r = 0
        for b in range(levels):
            if i & (1 << b):
                r |= 1 << (levels - 1 - b)
        y[r] = x[i]
    size = 2
    while size <= n:
        half = size // 2
        w = np.exp(-2j * np.pi * np.arange(half) / size)
        for start in range(0, n, size):
            even = y[start : start + half].copy()
            odd = y[start + half : start + size] * w
            y[start : start + half] = even + odd
            y[start + half : start + size] = even - odd
        size *= 2
    return y


@kernel(lambda draw, n: (draw.random(2**n),), small=3, large=12, jax=True)
def fft_of_columns(x):
    """Two halves at once, all columns of a stage together."""
    n = x.size
    k = np.arange(2)
    table = np.exp(-2j * np.pi * k * k[:, None] / 2)
    y = np.dot(table, x.reshape((2, -1)))
    while y.shape[0] < n:
        even = y[:, : y.shape[1] // 2]
        odd = y[:, y.shape[1] // 2 :]
        factor = np.exp(-1j * np.pi * np.arange(y.shape[0]) / y.shape[0])[:, None]
        y = np.vstack([even + factor * odd, even - factor * odd])
    return y.ravel()


@kernel(lambda draw, n: (draw.random((n, n)) + 2 * np.eye(n), draw.random((n, n)), 16), small=3, large=20)
def contour_integral(h, y, points):
    n = h.shape[0]
    p0 = np.zeros((n, n), dtype=np.complex128)
    p1 = np.zeros((n, n), dtype=np.complex128)
    for z in np.exp(2j * np.pi * np.arange(points) / points):
        x = np.linalg.solve(z * np.eye(n) - h, y)
        p0 += x
        p1 += z * x
    return p0, p1


@kernel(lambda draw, n: (draw.random(n), draw.random(n)), small=6, large=300)
def polynomial_product(a, b):
    out = np.zeros(len(a) + len(b) - 1)
    for i in range(len(a)):
        for j in range(len(b)):
            out[i + j] += a[i] * b[j]
    return out


@kernel(lambda draw, n: (draw.choice([-1, 1], (n, n)), draw.random((3, n, n)), 0.4), small=6, large=40)
def ising(spins, chances, beta):
    """Spins that flip by given chances."""
    n, m = spins.shape
    for sweep in range(len(chances)):
        for i in range(n):
            for j in range(m):
                around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
                cost = 2 * spins[i, j] * around
                if cost <= 0 or chances[sweep, i, j] < np.exp(-beta * cost):
                    spins[i, j] *= -1
    return abs(spins.sum()) / spins.size


@kernel(lambda draw, n: (draw.random(n), 1e-12), small=6, large=3000)
def kepler(mean, tolerance):
    """The eccentric anomalies of orbits, by Newton."""
    out = np.empty_like(mean)
    for i, m in enumerate(mean):
        e = m
        for _ in range(50):
            step = (e - 0.3 * np.sin(e) - m) / (1 - 0.3 * np.cos(e))
            e -= step
            if abs(step) < tolerance:
                break
        out[i] = e
    return out


@kernel(lambda draw, n: (draw.random((n, n)), draw.random((n, n, 4)), 3), small=4, large=60)
def column_sweep(base, field, levels):
    """Up and down through the levels of columns, all columns at once."""
    up = np.zeros((field.shape[0], field.shape[1], levels + 1))
    up[:, :, 0] = base
    for k in range(levels):
        up[:, :, k + 1] = up[:, :, k] * 0.5 + field[:, :, k]
    down = up.copy()
    for k in range(levels - 1, -1, -1):
        down[:, :, k] -= 0.25 * down[:, :, k + 1]
    return down


@kernel(lambda draw, n: (np.array([1.0, 0.0]), 0.0, n * 0.1, 1e-6), small=10, large=200)
def adaptive_rk(y, t, t_end, tol):
    def f(t, y):
        return np.array([y[1], (1 - y[0] ** 2) * y[1] - y[0]])

    h = 0.01
    ts, ys = [t], [y]
    while t < t_end:
        h = min(h, t_end - t)
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + 3 * h / 4, y + 3 * h / 4 * k2)
        new = y + h * (2 / 9 * k1 + 1 / 3 * k2 + 4 / 9 * k3)
        k4 = f(t + h, new)
        err = np.max(np.abs(h * (-5 / 72 * k1 + 1 / 12 * k2 + 1 / 9 * k3 - 1 / 8 * k4)))
        if err <= tol:
            t += h
            y = new
            ts.append(t)
            ys.append(y)
        h *= min(2.0, max(0.2, 0.9 * (tol / (err + 1e-30)) ** (1 / 3)))
    return np.array(ts), np.array(ys)
