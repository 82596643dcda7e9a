"""Calls of operations on each element that have attributes, and of reductions."""

from __future__ import annotations

import numpy as np

import runtime as tf
from tests.fuzz.rows.table import NUMBERS, RULES, rule


@rule("cast")
def _(m):
    x = m.tensor("biufc")
    target = m.dtype("biuf" if m.of(x).dtype.kind != "c" else "biufc")
    return [x], {"dtype": target}


@rule("where")
def _(m):
    test = m.tensor("b")
    x = m.tensor("biufcO", shape=m.broadcastable(m.of(test).shape))
    return [test, x, m.like(x, shape=m.broadcastable(m.of(x).shape))], {}


@rule("clip")
def _(m):
    x = m.tensor(NUMBERS)
    return [x, m.like(x, shape=m.broadcastable(m.of(x).shape)), m.like(x, shape=())], {}


@rule("round")
def _(m):
    return [m.tensor(NUMBERS)], {"decimals": m.random.choice((0, 0, 1, 2, -1))}


@rule("is_close")
def _(m):
    x = m.tensor("iuf")
    return [x, m.like(x)], {"rtol": m.random.choice((1e-5, 0.0)), "atol": m.random.choice((1e-8, 1.0))}


def reduction(kinds, *, dtype=False, several=True):
    def one(m):
        x = m.tensor(kinds)
        attributes = {"axis": m.axis(m.of(x).ndim, none=True, several=several), "keepdims": m.flag(0.3)}
        if dtype:
            attributes["dtype"] = m.summed(m.of(x).dtype, dtype)
        return [x], attributes

    return one


for _name in ("sum", "prod"):
    RULES[_name] = reduction("biufc", dtype="same")
RULES["mean"] = reduction("biufc", dtype="float")
for _name in ("max", "min"):
    RULES[_name] = reduction("biuf")
for _name in ("any", "all"):
    RULES[_name] = reduction("biuf")
for _name in ("std", "var"):
    RULES[_name] = reduction("biuf")
RULES["logsumexp"] = reduction("f")


@rule("argmax", "argmin")
def _(m):
    x = m.tensor("biuf")
    return [x], {"axis": m.axis(m.of(x).ndim, none=True), "dtype": m.random.choice((tf.int32, tf.int64))}


@rule("cumsum", "cumprod")
def _(m):
    x = m.tensor("biufc", least_rank=1)
    attributes = {"axis": m.axis(m.of(x).ndim), "exclusive": m.flag(), "reverse": m.flag()}
    return [x], {**attributes, "dtype": m.summed(m.of(x).dtype, "same")}


@rule("norm")
def _(m):
    x = m.tensor("f")
    order = m.random.choice((None, 1, 2, np.inf))
    axis = m.axis(m.of(x).ndim, none=order is None)
    return [x], {"order": order, "axis": axis, "keepdims": m.flag(0.3), "dtype": m.summed(m.of(x).dtype, "same")}


# Integers that are Python's.


@rule("fit")
def _(m):
    dtype = m.dtype("iu")
    limits = np.iinfo(dtype.as_numpy_dtype)
    value = m.random.choice((0, 1, 7, 100, limits.min, min(limits.max, 2**63 - 1), -1, 2**40))
    return [m.new(np.array(value, "int64"))], {"dtype": dtype}


@rule("widen")
def _(m):
    dtype = m.dtype("biu").name
    return [m.tensor("biu", dtype="int64" if dtype == "uint64" else dtype, shape=())], {}


@rule("python_int")
def _(m):
    return [m.tensor("biuf", shape=(), tame=True)], {}


@rule("python_round")
def _(m):
    kind = m.random.choice(("float64", "int64"))
    return [m.tensor("if", dtype=kind, shape=(), tame=True)], {"digits": m.random.choice((0, 1, 2, 5, -1, -2))}


@rule("narrow")
def _(m):
    return [m.constant(np.array(m.random.choice((0, -1, 2**31 - 1, -(2**31))), "int64"))], {}
