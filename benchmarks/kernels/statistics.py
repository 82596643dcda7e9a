"""Statistics of samples."""

from __future__ import annotations

import math

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(lambda draw, n: (draw.random((2 * n, n)), float(2 * n)), small=5, large=60)
def correlation(data, n):
    mean = np.mean(data, axis=0)
    std = np.std(data, axis=0)
    std[std <= 0.1] = 1.0
    data -= mean
    data /= np.sqrt(n) * std
    corr = np.eye(data.shape[1], dtype=data.dtype)
    for i in range(data.shape[1] - 1):
        corr[i + 1 :, i] = corr[i, i + 1 :] = data[:, i] @ data[:, i + 1 :]
    return corr


@kernel(lambda draw, n: (draw.random((2 * n, n)),), small=5, large=60)
def covariance(data):
    mean = np.mean(data, axis=0)
    data -= mean
    m = data.shape[1]
    cov = np.zeros((m, m), dtype=data.dtype)
    for i in range(m):
        cov[i:, i] = cov[i, i:] = data[:, i] @ data[:, i:] / (len(data) - 1.0)
    return cov


@kernel(lambda draw, n: (draw.random(n), 10), small=20, large=20_000)
def histogram_by_loop(data, bins):
    low, high = np.min(data), np.max(data)
    counts = np.zeros(bins, dtype=np.int64)
    for x in data:
        k = int((x - low) / (high - low) * bins)
        if k == bins:
            k -= 1
        counts[k] += 1
    return counts


@kernel(lambda draw, n: (draw.random(n), draw.random(n), 8), small=20, large=50_000)
def weighted_histogram(values, weights, bins):
    counts, edges = np.histogram(values, bins)
    sums, _ = np.histogram(values, bins, weights=weights)
    return edges, sums / counts


@kernel(lambda draw, n: (draw.random((n, n)), draw.random((n, n)), 6), small=6, large=200)
def azimuthal_average(image, radius, bins):
    """The mean of an image on rings."""
    edge = radius.max() / bins
    ring = (radius / edge).astype(np.int64).ravel()
    ring[ring == bins] = bins - 1
    total = np.bincount(ring, weights=image.ravel(), minlength=bins)
    count = np.bincount(ring, minlength=bins)
    return total / np.maximum(count, 1)


@kernel(lambda draw, n: (draw.random((n, 2)), draw.random((4, 2)), 10), small=20, large=3000)
def k_means(points, centres, iterations):
    for _ in range(iterations):
        distance = ((points[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        label = np.argmin(distance, axis=1)
        for k in range(len(centres)):
            members = points[label == k]
            if len(members) > 0:
                centres[k] = members.mean(axis=0)
    return centres, label


@kernel(lambda draw, n: (draw.random((n, 2)), draw.random((4, 2)), 3), small=15, large=500)
def k_means_by_elements(points, centres, iterations):
    n, k = len(points), len(centres)
    label = np.zeros(n, dtype=np.int64)
    for _ in range(iterations):
        sums = np.zeros((k, 2))
        counts = np.zeros(k)
        for i in range(n):
            best = np.inf
            for c in range(k):
                dx = points[i, 0] - centres[c, 0]
                dy = points[i, 1] - centres[c, 1]
                d = dx * dx + dy * dy
                if d < best:
                    best = d
                    label[i] = c
            sums[label[i]] += points[i]
            counts[label[i]] += 1
        for c in range(k):
            if counts[c] > 0:
                centres[c] = sums[c] / counts[c]
    return label


@kernel(lambda draw, n: (draw.random(n), draw.random(n)), small=20, large=50_000)
def pi_by_chance(xs, ys):
    hits = 0
    for x, y in zip(xs, ys):
        if x * x + y * y <= 1.0:
            hits += 1
    return 4 * hits / len(xs)


@kernel(lambda draw, n: (draw.standard_normal((n, 12)), 100.0, 105.0, 0.05, 0.2), small=10, large=3000, jax=True)
def asian_option(z, s0, strike, rate, sigma):
    """An option's price by paths of given normal numbers."""
    steps = z.shape[1]
    dt = 1.0 / steps
    s = np.full(z.shape[0], s0)
    total = np.zeros_like(s)
    for t in range(steps):
        s *= np.exp((rate - 0.5 * sigma**2) * dt + sigma * np.sqrt(dt) * z[:, t])
        total += s
    payoff = np.maximum(total / steps - strike, 0.0)
    return np.exp(-rate) * payoff.mean(), payoff.std(ddof=1) / np.sqrt(len(payoff))


@kernel(
    lambda draw, n: (draw.random(n), draw.random(n), draw.random(n), draw.random(n)), small=9, large=50_000, jax=True
)
def arc_distance(theta_1, phi_1, theta_2, phi_2):
    temp = np.sin((theta_2 - theta_1) / 2) ** 2 + np.cos(theta_1) * np.cos(theta_2) * np.sin((phi_2 - phi_1) / 2) ** 2
    return 2 * np.arctan2(np.sqrt(temp), np.sqrt(1 - temp))


@kernel(lambda draw, n: (draw.random((n, 3)),), small=6, large=80)
def pairwise_distances(x):
    m, n = x.shape
    d = np.empty((m, m), dtype=np.float64)
    for i in range(m):
        for j in range(m):
            s = 0.0
            for k in range(n):
                t = x[i, k] - x[j, k]
                s += t * t
            d[i, j] = np.sqrt(s)
    return d


@kernel(lambda draw, n: (draw.random(n), 5), small=12, large=5000)
def moving_medians(x, width):
    out = np.zeros(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = np.median(x[i : i + width])
    return out


@kernel(lambda draw, n: (draw.random(n),), small=12, large=20_000)
def running_moments(x):
    """Mean, variance and the largest so far, by Welford."""
    mean = 0.0
    m2 = 0.0
    largest = -np.inf
    for n, value in enumerate(x, start=1):
        delta = value - mean
        mean += delta / n
        m2 += delta * (value - mean)
        largest = max(largest, value)
    return mean, m2 / (len(x) - 1), largest


@kernel(lambda draw, n: (draw.random((n, 4)), draw.integers(0, 2, n).astype(float), 20), small=12, large=2000, jax=True)
def logistic_regression(x, y, steps):
    w = np.zeros(x.shape[1])
    b = 0.0
    losses = []
    for _ in range(steps):
        p = 1 / (1 + np.exp(-(x @ w + b)))
        losses.append(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
        w -= 0.5 * x.T @ (p - y) / len(y)
        b -= 0.5 * np.mean(p - y)
    return w, b, np.array(losses)


@kernel(lambda draw, n: (draw.random((n, n)), 0.85, 20), small=7, large=200, jax=True)
def page_rank(links, damping, steps):
    links /= links.sum(axis=0)
    n = links.shape[1]
    rank = np.full(n, 1.0 / n)
    for _ in range(steps):
        rank = damping * links @ rank + (1 - damping) / n
    return rank, np.argsort(rank)[::-1]


@kernel(lambda draw, n: (draw.random((4, 4)), draw.random((4, 3)), draw.integers(0, 3, n)), small=8, large=1000)
def viterbi(trans, emit, obs):
    n_states = trans.shape[0]
    T = len(obs)
    logp = np.zeros((T, n_states))
    back = np.zeros((T, n_states), dtype=int)
    logp[0] = np.log(emit[:, obs[0]])
    for t in range(1, T):
        for s in range(n_states):
            cand = logp[t - 1] + np.log(trans[:, s])
            back[t, s] = np.argmax(cand)
            logp[t, s] = cand[back[t, s]] + np.log(emit[s, obs[t]])
    states = np.zeros(T, dtype=int)
    states[-1] = np.argmax(logp[-1])
    for t in range(T - 2, -1, -1):
        states[t] = back[t + 1, states[t + 1]]
    return states, logp[-1].max()


@kernel(lambda draw, n: (draw.random(n),), small=9, large=2000)
def kalman(z):
    x = np.array([0.0, 0.0])
    P = np.eye(2) * 10
    F = np.array([[1.0, 1.0], [0.0, 1.0]])
    H = np.array([[1.0, 0.0]])
    R = np.array([[0.5]])
    Q = 0.01 * np.eye(2)
    out = np.empty_like(z)
    for k, value in enumerate(z):
        x = F @ x
        P = F @ P @ F.T + Q
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + (K @ (np.array([value]) - H @ x))
        P = (np.eye(2) - K @ H) @ P
        out[k] = x[0]
    return out, P


@kernel(lambda draw, n: (np.where(draw.random(n) > 0.95, 30.0, draw.standard_normal(n)), 3.0), small=40, large=20000)
def sigma_clip(data, sigma):
    keep = np.ones(data.shape, dtype=bool)
    for _ in range(10):
        good = data[keep]
        mean, std = good.mean(), good.std()
        new = np.abs(data - mean) < sigma * std
        if np.array_equal(new, keep):
            break
        keep = new
    return data[keep].mean(), keep.sum()


@kernel(
    lambda draw, n: (draw.random((n, 2)) * 4 - 2, draw.random((6, n, 2)), draw.random((6, n, 2))), small=8, large=500
)
def particle_swarm(x, r1, r2):
    def f(p):
        return (1 - p[:, 0]) ** 2 + 100 * (p[:, 1] - p[:, 0] ** 2) ** 2

    v = np.zeros_like(x)
    best = x.copy()
    best_value = f(x)
    g = best[best_value.argmin()]
    for t in range(len(r1)):
        v = 0.7 * v + 1.5 * r1[t] * (best - x) + 1.5 * r2[t] * (g - x)
        x = x + v
        value = f(x)
        better = value < best_value
        best[better] = x[better]
        best_value[better] = value[better]
        g = best[best_value.argmin()]
    return g, best_value.min()


@kernel(lambda draw, n: (draw.random((n, 3)), draw.random(n)), small=6, large=60)
def radial_basis(points, weights):
    n = points.shape[0]
    out = np.zeros(n)
    for i in range(n):
        for j in range(n):
            r2 = 0.0
            for d in range(points.shape[1]):
                r2 += (points[i, d] - points[j, d]) ** 2
            out[i] += weights[j] * math.exp(-math.sqrt(r2) * 0.3)
    return out
