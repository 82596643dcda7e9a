"""Numbers and arrays."""

import math

import numpy as np

GRAVITY = 9.81


def newton_sqrt(value, tolerance=1e-9):
    """The square root by Newton's method."""
    if value < 0:
        raise ValueError("no real root")
    guess = value or 1.0
    while abs(guess * guess - value) > tolerance:
        guess = (guess + value / guess) / 2
    return guess


def bisect_root(f, low, high, steps=60):
    for _ in range(steps):
        middle = (low + high) / 2
        if f(middle) == 0:
            return middle
        if f(low) * f(middle) < 0:
            high = middle
        else:
            low = middle
    return (low + high) / 2


def trapezoid(f, a, b, n):
    h = (b - a) / n
    total = 0.5 * (f(a) + f(b))
    for i in range(1, n):
        total += f(a + i * h)
    return total * h


def horner(coefficients, x):
    result = 0
    for c in reversed(coefficients):
        result = result * x + c
    return result


def euler_step(state, dt):
    position, velocity = state
    if position <= 0 and velocity < 0:  # it bounces
        velocity = -0.9 * velocity
    return position + velocity * dt, velocity - GRAVITY * dt


def moving_average(values, width):
    if width > len(values):
        return np.array([])
    sums = np.cumsum(np.insert(values, 0, 0))
    return (sums[width:] - sums[:-width]) / width


def clip_gradient(g, limit):
    norm = np.sqrt(np.sum(g * g))
    return g * (limit / norm) if norm > limit else g


def softmax_rows(x):
    shifted = x - x.max(axis=1, keepdims=True)
    e = np.exp(shifted)
    return e / e.sum(axis=1, keepdims=True)


def power_iteration(matrix, rounds):
    vector = np.ones(matrix.shape[0])
    for _ in range(rounds):
        image = matrix @ vector
        norm = np.linalg.norm(image)
        if norm < 1e-12:
            break
        vector = image / norm
    return vector @ matrix @ vector


def mandelbrot_row(y, width, limit=30):
    row = []
    for column in range(width):
        c = complex(-2 + 3 * column / width, y)
        z, count = 0j, 0
        while abs(z) <= 2 and count < limit:
            z = z * z + c
            count += 1
        row.append(count)
    return row


def variance(values):
    count, mean, m2 = 0, 0.0, 0.0
    for value in values:
        count += 1
        delta = value - mean
        mean += delta / count
        m2 += delta * (value - mean)
    return m2 / (count - 1) if count > 1 else float("nan")


def quadratic(a, b, c):
    d = b * b - 4 * a * c
    if d < 0:
        return ()
    if d == 0:
        return (-b / (2 * a),)
    root = math.sqrt(d)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


CALLS = {
    "newton_sqrt": [(2.0,), (0,), (1e6,)],
    "bisect_root": [(lambda x: x * x - 2, 0.0, 2.0), (lambda x: x, -1.0, 1.0)],
    "trapezoid": [(math.sin, 0.0, math.pi, 50)],
    "horner": [([1, 2, 3], 2), ([], 5)],
    "euler_step": [((0.0, -1.0), 0.1), ((1.0, -1.0), 0.1)],
    "moving_average": [(np.arange(6.0), 3), (np.arange(2.0), 3)],
    "clip_gradient": [(np.array([3.0, 4.0]), 1.0), (np.array([0.3, 0.4]), 1.0)],
    "softmax_rows": [(np.array([[1.0, 2.0], [0.0, 0.0]]),)],
    "power_iteration": [(np.array([[2.0, 0.0], [0.0, 1.0]]), 10), (np.zeros((2, 2)), 3)],
    "mandelbrot_row": [(0.3, 8)],
    "variance": [([1, 2, 3, 4],), ([2, 2],)],
    "quadratic": [(1, 0, 1), (1, 2, 1), (1, 0, -4)],
}
