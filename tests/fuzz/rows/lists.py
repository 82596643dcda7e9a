"""Calls of operations on lists."""

from __future__ import annotations

import numpy as np

import runtime as tf
from tests.fuzz.rows.table import rule, show


@rule("list_new")
def _(m):
    x = m.fresh("iuf")
    dims = x.shape if m.flag(0.7) else None
    size = m.new(np.array(m.random.choice((0, 1, 2, 3)), "int32"))
    return [size], {"dtype": tf.as_dtype(x.dtype), "shape": dims}


@rule("list_pack")
def _(m):
    x = m.tensor("iuf")
    others = [m.like(x) for _ in range(m.random.choice((0, 1, 2)))]
    return [x, *others], {"dtype": tf.as_dtype(m.of(x).dtype), "shape": m.of(x).shape}


@rule("list_from_tensor")
def _(m):
    return [m.tensor("biuf", least_rank=1)], {}


def place(m, elements):
    size = len(m.values[elements].elements)
    inside = m.random.randint(0, max(size - 1, 0))
    value = inside if m.flag(0.85) else m.random.choice((-1, size, -size, size + 2))
    return m.new(np.array(value, m.random.choice(("int32", "int64"))))


@rule("list_write")
def _(m):
    x = m.list()
    return [x, place(m, x), m.element(x)], {"dynamic": m.flag(0.7)}


@rule("list_read")
def _(m):
    x = m.list()
    return [x, place(m, x)], m.described(x)


@rule("list_stack", "list_concat")
def _(m):
    x = m.list()
    return [x], m.described(x)


@rule("list_size")
def _(m):
    return [m.list()], {}


@rule("list_split")
def _(m):
    x = m.tensor("iuf", least_rank=1)
    size = m.of(x).shape[0]
    cut = m.random.randint(0, size)
    return [x, m.new(np.array([cut, size - cut], "int32"))], {}


@rule("list_scatter")
def _(m):
    x = m.list()
    element = m.element(x)
    dims = m.of(element).shape
    return [x, m.new(np.array([2, 0], "int32")), m.like(element, shape=(2, *dims))], {"dynamic": m.flag(0.7)}


@rule("list_gather")
def _(m):
    x = m.list()
    size = len(m.values[x].elements)
    at = [m.random.randint(0, size - 1) for _ in range(2)] if size else []
    return [x, m.new(np.array(at, "int32"))], m.described(x)


@rule("list_ordered")
def _(m):
    x = m.list()
    order = list(range(len(m.values[x].elements)))
    m.random.shuffle(order)
    return [x, m.new(np.array(order, "int64"))], {}


@rule("list_cast")
def _(m):
    return [m.list(whole=True)], {"dtype": m.dtype("biuf")}


@rule("list_full_like")
def _(m):
    dtype = m.dtype("iuf")
    return [m.list(whole=True)], {"dtype": dtype, "value": m.random.choice((0, 1, 20))}


def numbers(m, values):
    """A list of Python's integers, which no other operation is given: they have a type only once they meet another."""
    given = [m.new(np.array(v, "int64")) for v in m.random.choices(values, k=m.random.choice((1, 2, 3)))]
    name = m.fresh_name("l")
    m.run(name, f'op("list_pack", {", ".join(given)}, dtype={show(tf.int64)}, shape=(), weak=True)')
    m.apart.add(name)
    return name


@rule("list_fit")
def _(m):
    dtype = m.dtype("iu")
    limits = np.iinfo(dtype.as_numpy_dtype)
    values = (0, 1, 7, 100, limits.min, min(limits.max, 2**63 - 1), -1, 2**40)
    return [numbers(m, values)], {"dtype": dtype}


@rule("list_narrow")
def _(m):
    return [numbers(m, (0, -1, 2**31 - 1, -(2**31)))], {}


@rule("list_extend", "list_add")
def _(m):
    x = m.list()
    return [x, m.list(like=x)], {}


@rule("list_item", "list_popped", "list_remove")
def _(m):
    x = m.list(whole=True)
    return [x, place(m, x)], {}


@rule("list_set_item", "list_insert")
def _(m):
    x = m.list(whole=True)
    return [x, place(m, x), m.element(x)], {}


def cell(m):
    """A list of rows, and where a number of one of them is."""
    first = m.tensor("iuf", least_rank=1)
    rows, name = [first, *(m.like(first) for _ in range(m.random.choice((0, 1, 2))))], m.fresh_name("l")
    given = f"dtype={show(tf.as_dtype(m.of(first).dtype))}, shape={show(m.of(first).shape)}"
    m.run(name, f'op("list_pack", {", ".join(rows)}, {given})')
    inside = m.random.randint(0, max(len(m.of(first)) - 1, 0))
    at = inside if m.flag(0.85) else m.random.choice((-1, 2, 5, -7))
    return first, [name, place(m, name), m.new(np.array(at, m.random.choice(("int32", "int64"))))]


@rule("list_cell")
def _(m):
    return cell(m)[1], {}


@rule("list_set_cell")
def _(m):
    first, given = cell(m)
    row = m.of(first)
    return [*given, m.tensor(row.dtype.kind, dtype=str(row.dtype), shape=row.shape[1:])], {}


@rule("list_slice")
def _(m):
    x = m.list(whole=True)
    there = [m.flag(), m.flag(), m.flag(0.3)]
    bounds = [m.random.choice((0, 1, -1, 5, -7)), m.random.choice((0, 2, -1, 9)), m.random.choice((1, 2, -1))]
    return [x, *(m.new(np.array(b, "int64")) for b, t in zip(bounds, there) if t)], {"given": tuple(there)}
