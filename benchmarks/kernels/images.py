"""Images and layers of networks."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(
    lambda draw, n: (draw.random((2, n, n, 3)).astype(np.float32), draw.random((3, 3, 3, 4)).astype(np.float32)),
    small=6,
    large=24,
)
def convolution(image, weights):
    k = weights.shape[0]
    n, h, w, _ = image.shape
    h_out = h - k + 1
    w_out = w - k + 1
    out = np.empty((n, h_out, w_out, weights.shape[3]), dtype=np.float32)
    for i in range(h_out):
        for j in range(w_out):
            out[:, i, j, :] = np.sum(
                image[:, i : i + k, j : j + k, :, np.newaxis] * weights[np.newaxis, :, :, :], axis=(1, 2, 3)
            )
    return out


@kernel(lambda draw, n: (draw.random((n, n)), draw.random((3, 3))), small=6, large=60)
def convolution_by_elements(image, weights):
    h, w = image.shape
    kh, kw = weights.shape
    out = np.zeros((h - kh + 1, w - kw + 1))
    for y in range(out.shape[0]):
        for x in range(out.shape[1]):
            for i in range(kh):
                for j in range(kw):
                    out[y, x] += image[y + i, x + j] * weights[i, j]
    return out


@kernel(lambda draw, n: (draw.random((2, 2 * n, 2 * n, 3)).astype(np.float32),), small=3, large=20)
def max_pooling(x):
    out = np.empty([x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]], dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            out[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return out


def normalised(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


@kernel(lambda draw, n: (draw.random((4, n, n, 3)).astype(np.float32),), small=4, large=60, jax=True)
def batch_norm(x):
    return normalised(x)


@kernel(lambda draw, n: (draw.random((4, n, n)).astype(np.float32),), small=4, large=80, jax=True)
def softmax(x):
    shifted = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return shifted / np.sum(shifted, axis=-1, keepdims=True)


def relu(x):
    return np.maximum(x, 0)


def layer(x, weights):
    k = weights.shape[0]
    rows, columns = x.shape[1] - k + 1, x.shape[2] - k + 1
    out = np.empty((x.shape[0], rows, columns, weights.shape[3]), dtype=np.float32)
    for i in range(rows):
        for j in range(columns):
            out[:, i, j, :] = np.sum(x[:, i : i + k, j : j + k, :, np.newaxis] * weights[np.newaxis], axis=(1, 2, 3))
    return out


def block_weights(draw, n):
    x = draw.random((2, n, n, 4)).astype(np.float32)
    return (x, *(draw.random((k, k, a, b)).astype(np.float32) for k, a, b in ((1, 4, 2), (3, 2, 2), (1, 2, 4))))


@kernel(block_weights, small=4, large=14)
def residual_block(x, first, second, third):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, second.shape[2]), dtype=np.float32)
    padded[:, 1:-1, 1:-1, :] = layer(x, first)
    y = relu(normalised(padded))
    y = relu(normalised(layer(y, second)))
    y = normalised(layer(y, third))
    return relu(y + x)


@kernel(
    lambda draw, n: (
        draw.random((n, 20)),
        draw.random((20, 16)),
        draw.random(16),
        draw.random((16, 5)),
        draw.random(5),
    ),
    small=4,
    large=300,
    jax=True,
)
def perceptron(x, w1, b1, w2, b2):
    x = relu(x @ w1 + b1)
    x = x @ w2 + b2
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


@kernel(lambda draw, n: (draw.random((n, n)), 2, 1.0, 0.2), small=6, large=40)
def bilateral_filter(image, radius, sigma_space, sigma_value):
    h, w = image.shape
    out = np.zeros_like(image)
    for y in range(h):
        for x in range(w):
            total = 0.0
            weights = 0.0
            for dy in range(-radius, radius + 1):
                for dx in range(-radius, radius + 1):
                    yy = min(max(y + dy, 0), h - 1)
                    xx = min(max(x + dx, 0), w - 1)
                    g = np.exp(-(dx**2 + dy**2) / (2 * sigma_space**2))
                    r = np.exp(-((image[yy, xx] - image[y, x]) ** 2) / (2 * sigma_value**2))
                    total += image[yy, xx] * g * r
                    weights += g * r
            out[y, x] = total / weights
    return out


@kernel(lambda draw, n: (draw.integers(0, 256, (n, n, 3)).astype(np.uint8),), small=6, large=150, jax=True)
def edges_of_a_picture(rgb):
    gray = 0.299 * rgb[..., 0] + 0.587 * rgb[..., 1] + 0.114 * rgb[..., 2]
    p = np.pad(gray, 1, mode="edge")
    gx = p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:] - p[:-2, :-2] - 2 * p[1:-1, :-2] - p[2:, :-2]
    gy = p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:] - p[:-2, :-2] - 2 * p[:-2, 1:-1] - p[:-2, 2:]
    return np.clip(np.hypot(gx, gy), 0, 255).astype(np.uint8)


@kernel(lambda draw, n: (draw.integers(0, 256, (n, n)).astype(np.uint8),), small=6, large=100)
def equalised(image):
    """Grey levels spread by their own distribution."""
    counts = np.zeros(256, dtype=np.int64)
    for v in image.flat:
        counts[v] += 1
    total = np.cumsum(counts)
    least = total[total > 0][0]
    table = np.round((total - least) / (image.size - least) * 255).astype(np.uint8)
    return table[image]


@kernel(lambda draw, n: (draw.random((n, n)), 3), small=7, large=100)
def box_blur(image, width):
    sums = np.zeros((image.shape[0] + 1, image.shape[1] + 1))
    sums[1:, 1:] = image.cumsum(axis=0).cumsum(axis=1)
    return (sums[width:, width:] - sums[:-width, width:] - sums[width:, :-width] + sums[:-width, :-width]) / width**2


@kernel(lambda draw, n: (n, n, 30), small=7, large=60)
def mandelbrot_by_points(width, height, limit):
    out = np.zeros((height, width), dtype=np.int32)
    for i in range(height):
        for j in range(width):
            c = complex(-2.0 + 2.5 * j / width, -1.25 + 2.5 * i / height)
            z = 0j
            for k in range(limit):
                if abs(z) > 2.0:
                    break
                z = z * z + c
                out[i, j] = k
    return out


@kernel(lambda draw, n: (n, n, 30), small=7, large=60)
def mandelbrot_of_reals(width, height, limit):
    out = np.zeros((height, width), dtype=np.int64)
    for i in range(height):
        for j in range(width):
            a = -2.0 + 2.5 * j / width
            b = -1.25 + 2.5 * i / height
            x = y = 0.0
            k = 0
            while k < limit and x * x + y * y <= 4.0:
                x, y = x * x - y * y + a, 2 * x * y + b
                k += 1
            out[i, j] = k
    return out


@kernel(lambda draw, n: (-2.0, 0.5, -1.25, 1.25, n, 20), small=7, large=150)
def mandelbrot_of_arrays(xmin, xmax, ymin, ymax, n, limit):
    x = np.linspace(xmin, xmax, n)
    y = np.linspace(ymin, ymax, n)
    c = x + y[:, None] * 1j
    count = np.zeros(c.shape, dtype=np.int64)
    z = np.zeros(c.shape, dtype=np.complex128)
    for k in range(limit):
        inside = np.abs(z) < 2.0
        count[inside] = k
        z[inside] = z[inside] ** 2 + c[inside]
    count[count == limit - 1] = 0
    return z, count


@kernel(lambda draw, n: (draw.random((n, n)) > 0.7, 20), small=8, large=60)
def hough(edges, angles):
    h, w = edges.shape
    diag = int(np.ceil(np.hypot(h, w)))
    thetas = np.deg2rad(np.linspace(-90, 90, angles, endpoint=False))
    acc = np.zeros((2 * diag + 1, angles), dtype=np.uint64)
    ys, xs = np.nonzero(edges)
    for k in range(len(xs)):
        for t in range(angles):
            rho = round(xs[k] * np.cos(thetas[t]) + ys[k] * np.sin(thetas[t])) + diag
            acc[rho, t] += 1
    return acc, np.unravel_index(np.argmax(acc), acc.shape)


@kernel(lambda draw, n: (draw.integers(0, 256, (n, n, 3), dtype=np.uint8), 4), small=5, large=40)
def dithered(img, levels):
    gray = img.astype(np.float64).mean(axis=2)
    h, w = gray.shape
    step = 255 / (levels - 1)
    for y in range(h):
        for x in range(w):
            old = gray[y, x]
            new = np.round(old / step) * step
            gray[y, x] = new
            e = old - new
            if x + 1 < w:
                gray[y, x + 1] += e * 7 / 16
            if y + 1 < h:
                if x > 0:
                    gray[y + 1, x - 1] += e * 3 / 16
                gray[y + 1, x] += e * 5 / 16
                if x + 1 < w:
                    gray[y + 1, x + 1] += e * 1 / 16
    return gray.clip(0, 255).astype(np.uint8)


@kernel(lambda draw, n: (draw.random((n, n)), 2), small=8, large=50)
def upsample(image, factor):
    h, w = image.shape
    out = np.empty((h * factor, w * factor), dtype=image.dtype)
    for i in range(h * factor):
        for j in range(w * factor):
            y = i / factor
            x = j / factor
            y0, x0 = int(y), int(x)
            y1, x1 = min(y0 + 1, h - 1), min(x0 + 1, w - 1)
            fy, fx = y - y0, x - x0
            top = image[y0, x0] * (1 - fx) + image[y0, x1] * fx
            bottom = image[y1, x0] * (1 - fx) + image[y1, x1] * fx
            out[i, j] = top * (1 - fy) + bottom * fy
    return out


@kernel(lambda draw, n: (draw.random((n, n)) < 0.6, (1, 1)), small=8, large=50)
def flood_fill(open_, start):
    h, w = open_.shape
    filled = np.zeros_like(open_)
    stack = np.empty((h * w * 4 + 1, 2), dtype=np.int64)
    top = 0
    stack[top] = start
    top += 1
    while top > 0:
        top -= 1
        y, x = stack[top]
        if y < 0 or y >= h or x < 0 or x >= w:
            continue
        if filled[y, x] or not open_[y, x]:
            continue
        filled[y, x] = True
        for dy, dx in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            stack[top] = y + dy, x + dx
            top += 1
    return filled, filled.sum()


@kernel(lambda draw, n: (draw.random((n, n)) > 0.6,), small=6, large=40)
def distance_transform(mask):
    h, w = mask.shape
    big = h + w
    d = np.where(mask, 0, big)
    for i in range(h):
        for j in range(w):
            if i > 0:
                d[i, j] = min(d[i, j], d[i - 1, j] + 1)
            if j > 0:
                d[i, j] = min(d[i, j], d[i, j - 1] + 1)
    for i in range(h)[::-1]:
        for j in range(w)[::-1]:
            if i + 1 < h:
                d[i, j] = min(d[i, j], d[i + 1, j] + 1)
            if j + 1 < w:
                d[i, j] = min(d[i, j], d[i, j + 1] + 1)
    return d
