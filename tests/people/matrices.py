"""Lists of lists, images and signals, without a library and with one."""

import numpy as np


def transpose(rows):
    return [list(column) for column in zip(*rows)]


def matmul(a, b):
    result = [[0] * len(b[0]) for _ in a]
    for i, row in enumerate(a):
        for j in range(len(b[0])):
            for k, value in enumerate(row):
                result[i][j] += value * b[k][j]
    return result


def determinant(matrix):
    if len(matrix) == 1:
        return matrix[0][0]
    total = 0
    for column, value in enumerate(matrix[0]):
        if value:
            minor = [row[:column] + row[column + 1 :] for row in matrix[1:]]
            total += (-1) ** column * value * determinant(minor)
    return total


def solve(matrix, right):
    """Gaussian elimination with pivoting."""
    a = np.column_stack([matrix, right]).astype(float)
    n = len(a)
    for i in range(n):
        pivot = i + np.argmax(np.abs(a[i:, i]))
        if a[pivot, i] == 0:
            raise ZeroDivisionError("the matrix is singular")
        if pivot != i:
            a[[i, pivot]] = a[[pivot, i]]
        a[i] /= a[i, i]
        for j in range(n):
            if j != i:
                a[j] -= a[j, i] * a[i]
    return a[:, -1]


def blur(image):
    height, width = image.shape
    result = np.zeros_like(image)
    for y in range(height):
        for x in range(width):
            window = image[max(y - 1, 0) : y + 2, max(x - 1, 0) : x + 2]
            result[y, x] = window.mean()
    return result


def flood(grid, x, y, color):
    old = grid[y][x]
    if old == color:
        return grid
    waiting = [(x, y)]
    while waiting:
        x, y = waiting.pop()
        if not (0 <= y < len(grid) and 0 <= x < len(grid[y])) or grid[y][x] != old:
            continue
        grid[y][x] = color
        waiting += [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
    return grid


def spiral(rows):
    found = []
    while rows:
        first, *rest = rows
        found += first
        rows = [list(row) for row in zip(*rest)][::-1]
    return found


def kmeans(points, centers, rounds=5):
    for _ in range(rounds):
        distances = ((points[:, None, :] - centers[None, :, :]) ** 2).sum(axis=2)
        nearest = distances.argmin(axis=1)
        moved = np.array([points[nearest == k].mean(axis=0) for k in range(len(centers))])
        if np.allclose(moved, centers):
            break
        centers = moved
    return centers


def low_pass(signal, alpha):
    out = np.empty_like(signal)
    out[0] = signal[0]
    for i in range(1, len(signal)):
        out[i] = alpha * signal[i] + (1 - alpha) * out[i - 1]
    return out


def peaks(values, threshold=0):
    found = []
    for i in range(1, len(values) - 1):
        left, here, right = values[i - 1 : i + 2]
        if left < here > right and here - threshold >= 0:
            found.append(i)
    return found


CALLS = {
    "transpose": [([[1, 2], [3, 4]],)],
    "matmul": [([[1, 2], [3, 4]], [[0, 1], [1, 0]])],
    "determinant": [([[2, 0, 1], [1, 3, 2], [1, 1, 1]],)],
    "solve": [(np.array([[0.0, 2.0], [1.0, 1.0]]), np.array([2.0, 3.0])), (np.zeros((2, 2)), np.ones(2))],
    "blur": [(np.arange(9.0).reshape(3, 3),)],
    "flood": [([[0, 0, 1], [1, 0, 1]], 0, 0, 7), ([[0]], 0, 0, 0)],
    "spiral": [([[1, 2, 3], [4, 5, 6], [7, 8, 9]],)],
    "kmeans": [(np.array([[0.0, 0.0], [0.0, 1.0], [9.0, 9.0]]), np.array([[0.0, 0.0], [9.0, 8.0]]))],
    "low_pass": [(np.array([0.0, 1.0, 1.0]), 0.5)],
    "peaks": [([1, 3, 2, 5, 4, 4],), ([1, 3, 2], 4)],
}
