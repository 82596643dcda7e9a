"""Dictionaries with texts for keys in lists and dictionaries that grow in a graph, and are changed there."""

from collections import defaultdict

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.exactly import outcome, unlike

RNG = np.random.default_rng(11)
NS, XS = RNG.integers(0, 6, size=24), RNG.normal(size=24).round(2)


def statistics(ns, xs):
    known = {}
    for n, x in zip(ns, xs):
        one = known.setdefault(int(n), {"count": 0, "sum": 0.0})
        one["count"] += 1
        one["sum"] += float(x)
    for one in known.values():
        one["sum"] = one["sum"] / one["count"]
    return known


def rows(ns, xs):
    found = []
    for n, x in zip(ns, xs):
        if n > 2:
            found.append({"n": n, "x": x, "seen": False})
    for row in found:
        if row["x"] > 0:
            row.update(seen=True)
    first = found[0]
    names = [name for name, _ in first.items()]
    return found, [row["n"] for row in found if row["seen"]], len(first), "x" in first, first.get("y", 5), names


def by_default(ns, xs):
    known = defaultdict(lambda: {"count": 0, "items": []})
    for n, x in zip(ns, xs):
        known[int(n)]["count"] += 1
        known[int(n)]["items"].append(float(x))
    return dict(known)


def accounts(ns, xs):
    known = {i: {"id": i, "balance": 0.0, "log": []} for i in range(6)}
    for n, x in zip(ns, xs):
        account = known[int(n)]
        if account["balance"] + x > -1:
            account["balance"] += float(x)
            account["log"].append(float(x))
    return known


def found_and_changed(ns, xs):
    found = []
    for n, x in zip(ns, xs):
        if x > 0:
            found.append({"n": int(n), "x": float(x)})
    best = max(found, key=lambda row: row["x"])
    best["n"] = -1
    return found, best, best is found[0], found[0].copy()


@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function", [statistics, rows, by_default, accounts, found_and_changed])
def test_dictionaries_are_as_without_a_graph(function, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in ((NS, XS), (NS[::-1].copy(), -XS)):
        assert not unlike(outcome(graph, given), outcome(function, given), {})
    assert graph.experimental_get_tracing_count() == 1


def gets_a_key(ns):
    found = []
    for n in ns:
        if n > 2:
            found.append({"n": n})
    for row in found:
        row["twice"] = row["n"] * 2
    return found


def test_another_key_is_refused_by_name():
    with pytest.raises(StagingError, match="'twice'.*Make it with all keys"):
        tf.function(gets_a_key, numpy=True)(NS)
