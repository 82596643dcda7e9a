"""Calls of operations that make tensors or change their shapes."""

from __future__ import annotations

import numpy as np

import runtime as tf
from tests.fuzz.rows.table import rule


@rule("constant")
def _(m):
    value = m.fresh("biufc")
    return [], {"value": value, "dtype": tf.as_dtype(value.dtype)}


@rule("fill")
def _(m):
    shape, given = m.given_shape(m.shape())
    return [m.tensor("biufcO", shape=()), *given], {"shape": shape}


@rule("reshape")
def _(m):
    x = m.tensor("biufcO")
    shape, given = m.given_shape(m.refilled(m.of(x).size))
    return [x, *given], {"shape": shape}


@rule("broadcast_to")
def _(m):
    x = m.tensor("biufcO")
    dims = m.of(x).shape
    wide = tuple(m.random.choice((2, 3, 0, 1)) if d == 1 else d for d in dims)
    shape, given = m.given_shape((*m.shape(m.random.choice((0, 0, 1))), *wide))
    return [x, *given], {"shape": shape}


@rule("transpose")
def _(m):
    x = m.tensor("biufcO")
    order = list(range(m.of(x).ndim))
    m.random.shuffle(order)
    order = [a - len(order) if m.flag(0.2) else a for a in order]
    return [x], {"axes": m.random.choice((None, tuple(order), tuple(order)))}


@rule("expand_dims")
def _(m):
    x = m.tensor("biufcO")
    return [x], {"axis": m.axis(m.of(x).ndim + 1)}


@rule("squeeze")
def _(m):
    dims = [m.random.choice((1, 1, 2, 3, 0)) for _ in range(m.random.randint(0, 3))]
    x = m.tensor("biufcO", shape=tuple(dims))
    ones = tuple(a for a, d in enumerate(m.of(x).shape) if d == 1 and m.flag(0.7))
    return [x], {"axis": m.random.choice((None, ones))}


@rule("concat")
def _(m):
    x = m.tensor("biufcO", least_rank=1)
    axis = m.axis(m.of(x).ndim)
    others = []
    for _ in range(m.random.choice((0, 1, 1, 2))):
        dims = list(m.of(x).shape)
        if -len(dims) <= axis < len(dims):
            dims[axis] = m.random.choice((0, 1, 2, 3))
        others.append(m.like(x, shape=tuple(dims)))
    return [x, *others], {"axis": axis}


@rule("stack")
def _(m):
    x = m.tensor("biufcO")
    return [x, *(m.like(x) for _ in range(m.random.choice((0, 1, 2))))], {"axis": m.axis(m.of(x).ndim + 1)}


@rule("tile")
def _(m):
    x = m.tensor("biufcO")
    return [x], {"multiples": tuple(m.random.choice((0, 1, 2, 3)) for _ in range(m.of(x).ndim))}


@rule("repeat")
def _(m):
    x = m.tensor("biufcO")
    return [x], {"repeats": m.random.choice((0, 1, 2, 3)), "axis": m.axis(m.of(x).ndim, none=True)}


@rule("pad")
def _(m):
    x = m.tensor("biufc", least_rank=1)
    pairs = tuple((m.random.choice((0, 1, 2)), m.random.choice((0, 0, 3))) for _ in range(m.of(x).ndim))
    return [x], {"paddings": pairs, "value": m.random.choice((0, 1, 0, 1.5 if m.of(x).dtype.kind in "fc" else 2))}


@rule("reverse")
def _(m):
    x = m.tensor("biufcO")
    return [x], {"axis": m.axis(m.of(x).ndim, none=True, several=True)}


@rule("roll")
def _(m):
    x = m.tensor("biufcO")
    axis = m.axis(m.of(x).ndim, none=True, several=True)
    one = lambda: m.random.choice((0, 1, -1, 2, -5, 100, 2**40))
    return [x], {
        "shift": tuple(one() for _ in axis) if isinstance(axis, tuple) and m.flag(0.7) else one(),
        "axis": axis,
    }


@rule("ensure_shape")
def _(m):
    x = m.tensor("biufcO")
    dims = tuple(None if m.flag(0.4) else d + m.flag(0.1) for d in m.of(x).shape)
    return [x], {"shape": m.random.choice((None, dims, dims, dims))}


@rule("shape", "size", "rank")
def _(m):
    return [m.tensor("biufcO")], {"dtype": m.random.choice((tf.int32, tf.int64))}


@rule("length")
def _(m):
    x = m.tensor("biufcO", least_rank=1)
    return [x], {"axis": m.axis(m.of(x).ndim), "dtype": m.random.choice((tf.int32, tf.int64))}


@rule("len")
def _(m):
    return [m.tensor("biufcO", least_rank=1)], {}


@rule("range")
def _(m):
    dtype = m.random.choice(("int32", "int64", "float32", "float64", "int8"))
    start, limit = m.random.randint(-5, 5), m.random.randint(-5, 12)
    delta = m.random.choice((1, 1, 2, 3, -1, -2, 0.5 if dtype.startswith("f") else 1, 100))
    parts = [np.array(v, dtype) for v in (start, limit, delta)]
    count = len(np.arange(*parts)) if m.flag(0.3) else None
    put = m.constant if count is not None else m.new
    return [put(p) for p in parts], {"count": count, "dtype": tf.as_dtype(dtype)}


@rule("linspace")
def _(m):
    x = m.tensor("f", shape=())
    return [x, m.like(x)], {"num": m.random.choice((0, 1, 2, 5, 17))}


@rule("eye")
def _(m):
    size = lambda: m.random.choice((0, 1, 2, 3, 5))
    return [], {"rows": size(), "columns": size(), "dtype": m.dtype("biufc")}


@rule("one_hot")
def _(m):
    return [m.tensor("iu")], {"depth": m.random.choice((0, 1, 3, 9)), "dtype": m.dtype("biuf")}


@rule("triu", "tril")
def _(m):
    x = m.tensor("biufc", least_rank=2)
    return [x], {"k": m.random.choice((0, 1, -1, 2, -7, 40))}


@rule("diag")
def _(m):
    return [m.tensor("biufc", rank=m.random.choice((1, 2)))], {}


@rule("nonzero")
def _(m):
    return [m.tensor("biufc", least_rank=1)], {}
