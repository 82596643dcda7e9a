"""Calls of products, decompositions, convolutions and pooling."""

from __future__ import annotations

import numpy as np

import runtime as tf
from runtime.ops.nn import padding_of, reach_of
from tests.fuzz.rows.table import rule


@rule("matmul")
def _(m):
    a = m.tensor("biufc", least_rank=1, tame=True)
    dims = m.of(a).shape
    inner = dims[-1] + m.flag(0.03)
    other = m.random.choice(
        ((inner,), (inner, 2), (inner, 5), (inner, 1), (inner, 0), (*dims[:-2], inner, 3), (2, 1, inner, 2))
    )
    return [a, m.like(a, shape=other, tame=True)], {}


@rule("einsum")
def _(m):
    sizes = {letter: m.random.choice((1, 2, 3, 0, 5)) for letter in "ijk"}
    equation = m.random.choice(("ij,jk->ik", "ij,jk", "ii", "ij->ji", "i,j->ij", "ij,ij->i", "ij->", "ijk,k->ij"))
    dtype = m.dtype("iuf").name
    terms = equation.split("->")[0].split(",")
    return [m.tensor("iuf", dtype=dtype, shape=tuple(sizes[c] for c in term), tame=True) for term in terms], {
        "equation": equation,
        "in_any_order": m.flag(0.5),
    }


@rule("tensordot")
def _(m):
    a = m.tensor("iuf", rank=2, tame=True)
    rows, columns = m.of(a).shape
    axes, dims = m.random.choice(
        ((1, (columns, 2)), (((1,), (0,)), (columns,)), (((0, 1), (1, 0)), (columns, rows)), (0, (2,)))
    )
    return [a, m.like(a, shape=dims, tame=True)], {"axes": axes}


@rule("lu")
def _(m):
    return [square(m)], {"dtype": m.random.choice((tf.int32, tf.int64))}


@rule("outer")
def _(m):
    a = m.tensor("iufc")
    return [a, m.like(a, shape=m.shape(1))], {}


def square(m):
    size = m.random.choice((1, 2, 3))
    x = m.random.gauss(0, 1)
    matrix = np.array([[m.random.randint(-3, 3) for _ in range(size)] for _ in range(size)], "float64")
    matrix = matrix @ matrix.T + np.eye(size) * (1 + abs(x))
    return m.new(matrix.astype(m.random.choice(("float32", "float64"))))


@rule("inverse", "cholesky", "det", "slogdet", "trace")
def _(m):
    return [square(m)], {}


@rule("attempted")
def _(m):
    return [square(m)], {"name": m.random.choice(("inverse", "cholesky")), "named": (), "kinds": ("LinAlgError",)}


@rule("told")
def _(m):
    return [square(m)], {"name": m.random.choice(("inverse", "cholesky")), "named": ()}


@rule("qr")
def _(m):
    return [m.tensor("f", rank=2, tame=True)], {"mode": m.random.choice(("reduced", "complete"))}


@rule("eigh", "eigvalsh")
def _(m):
    return [square(m)], {"lower": m.flag(0.5)}


@rule("svd")
def _(m):
    return [square(m)], {"full_matrices": m.flag(0.5)}


@rule("singular_values")
def _(m):
    return [square(m)], {}


@rule("lstsq")
def _(m):
    a = square(m)
    return [a, m.like(a, shape=m.random.choice((m.of(a).shape[:1], m.of(a).shape)), tame=True)], {"rcond": None}


@rule("fourier")
def _(m):
    x = m.tensor("f", least_rank=1, tame=True)
    function = m.random.choice(("fft", "ifft", "rfft"))
    norm = m.random.choice((None, "ortho", "forward"))
    return [x], {"function": function, "count": m.random.choice((None, 1, 4)), "axis": -1, "norm": norm}


@rule("solve")
def _(m):
    a = square(m)
    return [a, m.like(a, shape=m.random.choice((m.of(a).shape[:1], m.of(a).shape)), tame=True)], {}


def windows(m, sizes=(1, 2, 2, 2, 3)):
    """Of so many axes: a window, how it moves on, and what is added around."""
    n = m.random.choice(sizes)
    some = lambda *of: tuple(m.random.choice(of) for _ in range(n))
    pairs = tuple((m.random.choice((0, 1, 2)), m.random.choice((0, 1))) for _ in range(n))
    how = {
        "strides": some(1, 1, 2),
        "padding": m.random.choice(("SAME", "VALID", pairs)),
        "dilations": some(1, 2) if m.flag(0.2) else (1,) * n,
    }
    return some(1, 2, 3), how


def images(m, n, channels, least=(1, 1, 1)):
    sizes = [max(m.random.randint(1, 7), d) for d in least[:n]]
    dtype = m.random.choice(("float32", "float64"))
    return m.tensor("f", dtype=dtype, shape=(m.random.choice((1, 2, 0)), *sizes, channels), tame=True)


def convolution(m, fits=False):
    """Images, filters, and how they meet; where it `fits`, there is room for them."""
    window, how = windows(m)
    channels, units = m.random.choice((1, 2, 3, 8)), m.random.choice((1, 2, 5, 16))
    groups = m.random.choice((1, 1, 1, 2, 3))
    x = images(m, len(window), channels * groups, reach_of(window, how["dilations"]) if fits else (1, 1, 1))
    filters = m.like(x, shape=(*window, channels, units * groups), tame=True)
    return x, filters, {**how, "groups": groups}


def results(m, x, window, units, how):
    """What may have come of images."""
    size = m.of(x).shape[1:-1]
    pads = padding_of(how["padding"], size, window, how["strides"], how["dilations"])
    reach = reach_of(window, how["dilations"])
    places = [(d + sum(p) - k) // s + 1 for d, p, k, s in zip(size, pads, reach, how["strides"])]
    return m.like(x, shape=(m.of(x).shape[0], *(max(p, 0) for p in places), units), tame=True)


@rule("convolution")
def _(m):
    x, filters, how = convolution(m)
    return [x, filters], how


@rule("convolution_images")
def _(m):
    x, filters, how = convolution(m, fits=True)
    *window, _, units = m.of(filters).shape
    return [results(m, x, window, units, how), filters], {"shape": m.of(x).shape[1:-1], **how}


@rule("convolution_filters")
def _(m):
    x, filters, how = convolution(m, fits=True)
    *window, _, units = m.of(filters).shape
    return [x, results(m, x, window, units, how)], {"shape": tuple(window), **how}


@rule("pool")
def _(m):
    window, how = windows(m)
    how["padding"] = m.random.choice(("SAME", "VALID"))
    x = images(m, len(window), m.random.choice((1, 3, 8)))
    return [x], {"how": m.random.choice(("max", "avg")), "window": window, **how}


@rule("unpool")
def _(m):
    window, how = windows(m)
    how["padding"] = m.random.choice(("SAME", "VALID"))
    channels = m.random.choice((1, 3, 8))
    x = images(m, len(window), channels, reach_of(window, how["dilations"]))
    made = results(m, x, window, channels, how)
    return [x, made], {"how": m.random.choice(("max", "avg")), "window": window, **how}


@rule("pool_choice")
def _(m):
    window, how = windows(m)
    how["padding"] = m.random.choice(("SAME", "VALID"))
    x = images(m, len(window), m.random.choice((1, 3, 8)))
    return [x, m.like(x, shape=m.of(x).shape, tame=True)], {"window": window, **how}
