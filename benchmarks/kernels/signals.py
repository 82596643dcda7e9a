"""Signals and sequences: what is found in them, by masks, places, windows and functions of one element."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from benchmarks.kernels.kernel import kernel


def coupled(draw, n):
    neighbours = draw.integers(0, n, (n, 3))
    green = draw.random((2, 3, n, 2, 2)) + 1j * draw.random((2, 3, n, 2, 2))
    change = draw.random((n, 3, 3, 2, 2)) + 0j
    phonons = draw.random((2, 2, n, 3, 3, 3)) + 0j
    return neighbours, change, green, phonons, np.zeros_like(green)


@kernel(coupled, small=4, large=12)
def self_energies(neighbours, change, green, phonons, out):
    momenta, energies, atoms = green.shape[:3]
    for k in range(momenta):
        for e in range(energies):
            for q in range(phonons.shape[0]):
                for w in range(phonons.shape[1]):
                    for i in range(3):
                        for j in range(3):
                            for a in range(atoms):
                                for b in range(neighbours.shape[1]):
                                    if e >= w:
                                        left = green[k, e - w, neighbours[a, b]] @ change[a, b, i]
                                        out[k, e, a] += left @ (change[a, b, j] * phonons[q, w, a, b, i, j])


@kernel(lambda draw, n: (draw.integers(0, 3, n),), small=9, large=3000)
def run_lengths(x):
    ends = np.append(np.where(x[1:] != x[:-1]), len(x) - 1)
    lengths = np.diff(np.append(-1, ends))
    return lengths, np.cumsum(np.append(0, lengths))[:-1], x[ends]


@kernel(lambda draw, n: (draw.random(n) < 0.6,), small=9, large=3000)
def longest_stretch(flags):
    steps = np.diff(np.r_[0, flags.astype(np.int64), 0])
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    best, at = 0, -1
    for i in range(len(starts)):
        if ends[i] - starts[i] > best:
            best, at = ends[i] - starts[i], starts[i]
    return best, at


@kernel(lambda draw, n: (draw.random(n), 0.7), small=12, large=3000)
def peaks(x, height):
    found = []
    for i in range(1, len(x) - 1):
        if x[i] > height and x[i - 1] < x[i] >= x[i + 1]:
            found.append(i)
    return np.array(found), x[found], np.diff(found).mean() if len(found) > 1 else 0.0


@kernel(lambda draw, n: (draw.random(n), np.hanning(5)), small=12, large=3000)
def windowed_energy(x, weights):
    frames = sliding_window_view(x, len(weights)) * weights
    energy = (frames**2).sum(axis=1)
    loud = np.zeros(len(energy), dtype=bool)
    for i in range(1, len(energy)):
        loud[i] = energy[i] > 1.5 * energy[i - 1] or (loud[i - 1] and energy[i] > energy[i - 1])
    return energy, loud


@np.vectorize
def halvings(n):
    count = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        count += 1
    return count


@kernel(lambda draw, n: (draw.integers(1, 500, (n, n)),), small=4, large=40)
def halvings_of_all(numbers):
    counts = halvings(numbers)
    return counts, counts.max()


@kernel(lambda draw, n: (draw.random((n, n)),), small=5, large=80)
def centre_of_mass(image):
    total = row = column = 0.0
    brightest, place = -1.0, (0, 0)
    for (i, j), value in np.ndenumerate(image):
        total += value
        row += i * value
        column += j * value
        if value > brightest:
            brightest, place = value, (i, j)
    return row / total, column / total, place


@kernel(lambda draw, n: (draw.random(n), draw.random(n)), small=9, large=1000)
def trimmed_line(x, y):
    kept = x > 0.1
    slope, height = np.polyfit(x[kept], y[kept], 1)
    far = [i for i, (a, b) in enumerate(zip(x, y)) if abs(slope * a + height - b) > 0.3]
    return np.linalg.norm((slope, height)), x[far], len(far)
