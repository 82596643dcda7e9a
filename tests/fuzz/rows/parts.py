"""Calls of operations that read, write or order parts of tensors."""

from __future__ import annotations

import numpy as np

import runtime as tf
from runtime.ops.indexing import INPUT
from tests.fuzz.rows.table import rule


def index(m, shape):
    """A tuple of parts for `getitem`, and the tensors in it."""
    parts, given = [], []
    rest = list(shape)
    if m.flag(0.08) and shape:
        names = m.tensor("b", shape=shape[: m.random.randint(1, len(shape))])
        return (INPUT,), [names]
    if m.flag(0.15):
        parts.append(Ellipsis)
        rest = rest[m.random.randint(0, len(rest)) :]
    for size in rest[: m.random.randint(0, len(rest))] if Ellipsis not in parts else rest:
        kind = m.random.choice(("int", "slice", "slice", "slice", "tensor", "bounds", "fancy", "new"))
        inside = lambda: (
            m.random.randint(-size, size - 1) if size and m.flag(0.95) else m.random.choice((size, -1 - size))
        )
        bound = lambda: m.random.choice((None, None, 0, 1, 2, -1, -2, size, size + 3, -size - 3, 2**62))
        if kind == "new":
            parts.append(None)
            kind = "slice"
        if kind == "int":
            parts.append(inside())
        elif kind == "tensor":
            parts.append(INPUT)
            given.append(m.new(np.array(inside(), m.random.choice(("int32", "int64", "int8")))))
        elif kind == "slice":
            parts.append(slice(bound(), bound(), m.random.choice((None, None, 1, 2, -1, -2, 7))))
        elif kind == "bounds":
            there = [m.flag(), m.flag()]
            values = [bound() for _ in there]
            parts.append(
                slice(
                    *(INPUT if t and v is not None else v for t, v in zip(there, values)),
                    m.random.choice((None, -1, 2)),
                )
            )
            given += [m.new(np.array(min(v, 2**40), "int64")) for t, v in zip(there, values) if t and v is not None]
        else:
            parts.append(INPUT)
            dims = m.random.choice(((2,), (3,), (0,), (1,), (2, 2)))
            chosen = np.array([inside() for _ in range(int(np.prod(dims)))], m.random.choice(("int32", "int64")))
            given.append(m.new(chosen.reshape(dims)))
    return tuple(parts), given


@rule("getitem")
def _(m):
    x = m.tensor("biufcO")
    parts, given = index(m, m.of(x).shape)
    return [x, *given], {"index": parts}


@rule("setitem")
def _(m):
    x = m.tensor("biufc", least_rank=1)
    parts, given = index(m, m.of(x).shape)
    found = m.value("getitem", [x, *given], {"index": parts})
    dims = () if found is None else m.narrowed(np.shape(found))
    how = "add" if m.of(x).dtype.kind != "b" and m.flag(0.3) else "set"
    return [x, m.like(x, shape=dims), *given], {"index": parts, "how": how}


@rule("gather")
def _(m):
    x = m.tensor("biufcO", least_rank=1)
    axis = m.axis(m.of(x).ndim)
    size = m.of(x).shape[axis] if -m.of(x).ndim <= axis < m.of(x).ndim else 1
    dims = m.shape(m.random.choice((0, 1, 2)))
    values = [
        m.random.randint(0, max(size - 1, 0)) if m.flag(0.97) else m.random.choice((-1, size))
        for _ in range(int(np.prod(dims)))
    ]
    return [
        x,
        m.new(
            np.array(
                values, m.random.choice(("int32", "int64", "uint8" if min(values, default=0) >= 0 else "int8"))
            ).reshape(dims)
        ),
    ], {"axis": axis}


def vectors(m, shape):
    """Index vectors into a tensor of this shape."""
    depth = m.random.randint(1, max(len(shape), 1))
    count = m.random.choice((0, 1, 2, 3))
    rows = [
        [m.random.randint(-d if m.flag(0.1) else 0, d - 1) if d else 0 for d in shape[:depth]] for _ in range(count)
    ]
    return np.array(rows, "int32").reshape(count, min(depth, len(shape)))


@rule("gather_nd")
def _(m):
    x = m.tensor("biufc", least_rank=1)
    return [x, m.new(vectors(m, m.of(x).shape))], {}


@rule("scatter")
def _(m):
    x = m.tensor("biufc", least_rank=1)
    at = vectors(m, m.of(x).shape)
    updates = m.like(x, shape=(at.shape[0], *m.of(x).shape[at.shape[1] :]))
    ways = {"b": ("set",), "c": ("set", "add", "sub", "mul"), "f": ("set", "add", "sub", "mul", "div", "min", "max")}
    how = m.random.choice(ways.get(m.of(x).dtype.kind, ("set", "add", "sub", "mul", "min", "max")))
    return [x, m.new(at), updates], {"how": how}


@rule("boolean_mask")
def _(m):
    x = m.tensor("biufcO", least_rank=1)
    axis = m.random.randint(0, m.of(x).ndim - 1)
    last = m.random.randint(axis + 1, m.of(x).ndim)
    return [x, m.tensor("b", shape=m.of(x).shape[axis:last])], {"axis": axis}


@rule("sort", "argsort")
def _(m):
    x = m.tensor("biuf", least_rank=1)
    return [x], {"axis": m.axis(m.of(x).ndim)}


@rule("searchsorted")
def _(m):
    x = m.constant(np.sort(m.fresh("iuf", rank=1)))  # of numbers in disorder nothing is promised
    return [x, m.like(x, shape=m.shape())], {"side": m.random.choice(("left", "right"))}


@rule("top_k")
def _(m):
    x = m.tensor("biuf", least_rank=1)
    return [x], {"k": m.random.randint(0, m.of(x).shape[-1])}


@rule("unique")
def _(m):
    return [m.tensor("biuf", rank=1)], {"dtype": m.random.choice((tf.int32, tf.int64))}
