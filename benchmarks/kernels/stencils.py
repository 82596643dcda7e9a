"""Stencils: each point of a grid from its neighbours."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(lambda draw, n: (10, draw.random(n)), small=12, large=100_000)
def smooth_line(steps, a):
    b = a.copy()
    for _ in range(steps):
        b[1:-1] = (a[:-2] + a[1:-1] + a[2:]) / 3.0
        a[1:-1] = (b[:-2] + b[1:-1] + b[2:]) / 3.0


@kernel(lambda draw, n: (n // 4, draw.random((n, n)), np.zeros((n, n))), small=8, large=200)
def smooth_plane(steps, a, b):
    b[...] = a
    for _ in range(1, steps):
        b[1:-1, 1:-1] = 0.2 * (a[1:-1, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] + a[2:, 1:-1] + a[:-2, 1:-1])
        a[1:-1, 1:-1] = 0.2 * (b[1:-1, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:] + b[2:, 1:-1] + b[:-2, 1:-1])


@kernel(lambda draw, n: (5, draw.random((n, n, n)), draw.random((n, n, n))), small=5, large=50)
def heat_in_space(steps, a, b):
    for _ in range(steps):
        for old, new in ((a, b), (b, a)):
            inner = old[1:-1, 1:-1, 1:-1]
            new[1:-1, 1:-1, 1:-1] = (
                inner
                + 0.125 * (old[2:, 1:-1, 1:-1] - 2.0 * inner + old[:-2, 1:-1, 1:-1])
                + 0.125 * (old[1:-1, 2:, 1:-1] - 2.0 * inner + old[1:-1, :-2, 1:-1])
                + 0.125 * (old[1:-1, 1:-1, 2:] - 2.0 * inner + old[1:-1, 1:-1, :-2])
            )


@kernel(lambda draw, n: (2, draw.random((n, n))), small=9, large=90)
def seidel_sweeps(sweeps, a):
    n = a.shape[0]
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, n - 1):
                total = 0.0
                for di in (-1, 0, 1):
                    for dj in (-1, 0, 1):
                        total += a[i + di, j + dj]
                a[i, j] = total / 9.0
    return a


@kernel(lambda draw, n: (n // 3, *(draw.random((n, n)) for _ in range(3)), draw.random(n)), small=9, large=150)
def electromagnetic_waves(steps, ex, ey, hz, source):
    for t in range(steps):
        ey[0, :] = source[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


@kernel(
    lambda draw, n: (draw.random((n + 4, n + 4, 4)), np.zeros((n, n, 4)), draw.random((n, n, 4))), small=6, large=120
)
def horizontal_diffusion(field, out, coefficient):
    rows, columns = out.shape[0], out.shape[1]
    laplace = 4.0 * field[1 : rows + 3, 1 : columns + 3, :] - (
        field[2 : rows + 4, 1 : columns + 3, :]
        + field[0 : rows + 2, 1 : columns + 3, :]
        + field[1 : rows + 3, 2 : columns + 4, :]
        + field[1 : rows + 3, 0 : columns + 2, :]
    )
    change = laplace[1:, 1 : columns + 1, :] - laplace[:-1, 1 : columns + 1, :]
    across = np.where(
        change * (field[2 : rows + 3, 2 : columns + 2, :] - field[1 : rows + 2, 2 : columns + 2, :]) > 0, 0, change
    )
    change = laplace[1 : rows + 1, 1:, :] - laplace[1 : rows + 1, :-1, :]
    down = np.where(
        change * (field[2 : rows + 2, 2 : columns + 3, :] - field[2 : rows + 2, 1 : columns + 2, :]) > 0, 0, change
    )
    out[:, :, :] = field[2 : rows + 2, 2 : columns + 2, :] - coefficient * (
        across[1:, :, :] - across[:-1, :, :] + down[:, 1:, :] - down[:, :-1, :]
    )


@kernel(lambda draw, n: ((draw.random((n, n)) < 0.4).astype(np.int64), 10), small=10, large=200)
def game_of_life(board, generations):
    for _ in range(generations):
        neighbours = np.zeros(board.shape, dtype=int)
        neighbours[1:-1, 1:-1] += (
            board[:-2, :-2] + board[:-2, 1:-1] + board[:-2, 2:]
            + board[1:-1, :-2] + board[1:-1, 2:]
            + board[2:, :-2] + board[2:, 1:-1] + board[2:, 2:]
        )  # fmt: skip
        born = (neighbours == 3) & (board == 0)
        stays = ((neighbours == 2) | (neighbours == 3)) & (board == 1)
        board[...] = 0
        board[born | stays] = 1
    return board.sum()


@kernel(lambda draw, n: (draw.random((n, n)), 1e-3, 0.1), small=8, large=60)
def relaxed_until_still(u, tolerance, most):
    """How many sweeps Laplace's equation takes until nothing changes by more than a tolerance."""
    sweeps = 0
    while True:
        old = u.copy()
        u[1:-1, 1:-1] = 0.25 * (old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:])
        sweeps += 1
        if np.max(np.abs(u - old)) < tolerance or sweeps > 200:
            break
    return u, sweeps


@kernel(lambda draw, n: (draw.random(n), 40, 0.3), small=10, large=20_000)
def wave_on_a_string(u, steps, c):
    before = u.copy()
    for _ in range(steps):
        after = np.zeros_like(u)
        after[1:-1] = 2 * u[1:-1] - before[1:-1] + c**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
        before, u = u, after
    return u, np.sum(np.diff(u) ** 2)


@kernel(lambda draw, n: (draw.random((n, n)), draw.random((n, n)), 8), small=8, large=120, jax=True)
def reaction_and_diffusion(u, v, steps):
    for _ in range(steps):
        lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, axis=1) + np.roll(u, -1, axis=1) - 4 * u
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, axis=1) + np.roll(v, -1, axis=1) - 4 * v
        r = u * v * v
        u += 0.16 * lu - r + 0.035 * (1 - u)
        v += 0.08 * lv + r - (0.035 + 0.065) * v
    return u.mean(), v.mean()


@kernel(lambda draw, n: (n, n, 5, 10, 2.0 / n, np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))), small=9, large=60)
def cavity_flow(nx, ny, nt, nit, dx, u, v, p):
    """Flow in a box whose lid moves."""
    rho, nu, dt = 1.0, 0.1, 0.001
    dy = dx
    b = np.zeros((ny, nx))
    for _ in range(nt):
        un = u.copy()
        vn = v.copy()
        ux = (u[1:-1, 2:] - u[1:-1, 0:-2]) / (2 * dx)
        vy = (v[2:, 1:-1] - v[0:-2, 1:-1]) / (2 * dy)
        uy = (u[2:, 1:-1] - u[0:-2, 1:-1]) / (2 * dy)
        vx = (v[1:-1, 2:] - v[1:-1, 0:-2]) / (2 * dx)
        b[1:-1, 1:-1] = rho * ((ux + vy) / dt - ux**2 - 2 * uy * vx - vy**2)
        for _ in range(nit):
            pn = p.copy()
            p[1:-1, 1:-1] = ((pn[1:-1, 2:] + pn[1:-1, 0:-2]) * dy**2 + (pn[2:, 1:-1] + pn[0:-2, 1:-1]) * dx**2) / (
                2 * (dx**2 + dy**2)
            ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
            p[:, -1] = p[:, -2]
            p[0, :] = p[1, :]
            p[:, 0] = p[:, 1]
            p[-1, :] = 0
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, 0:-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[0:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, 0:-2])
            + nu * (dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, 0:-2]))
            + nu * (dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[0:-2, 1:-1]))
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, 0:-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[0:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[0:-2, 1:-1])
            + nu * (dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, 0:-2]))
            + nu * (dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[0:-2, 1:-1]))
        )
        u[0, :] = u[:, 0] = u[:, -1] = 0
        u[-1, :] = 1
        v[0, :] = v[-1, :] = v[:, 0] = v[:, -1] = 0
    return u, v, p
