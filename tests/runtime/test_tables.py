"""Arrays that only Python has, looked up by what only the graph knows, wherever a program got them from."""

import numpy as np
import pytest
from numpy import array as made_of, asarray

import runtime

K, M = np.array([1.0, 2.0, 3.0]), np.arange(12).reshape(3, 4)


class Kept:
    def __init__(self):
        self.k, self.parts = np.array([1.0, 2.0, 3.0]), {"k": np.array([1.0, 2.0, 3.0])}

    def get(self):
        return self.k


kept = Kept()


def made():
    return np.array([1.0, 2.0, 3.0])


def the_same():
    return K


def element(table, i):
    return table[i]


def weights(count):
    return np.hanning(count)


LOOKUPS = {
    "an attribute": lambda i: kept.k[i],
    "an item": lambda i: kept.parts["k"][i],
    "made by a call": lambda i: made()[i],
    "found by a call": lambda i: the_same()[i],
    "found by a method": lambda i: kept.get()[i],
    "given to a function": lambda i: element(K, i) + element(np.sqrt(K), i),
    "a number": lambda i: kept.k[i[0]],
    "a slice": lambda i: K[i[0] : i[2]],
    "a mask": lambda i: K[i > 0],
    "a copy": lambda i: K.copy()[i],
    "another dtype": lambda i: K.astype(int)[i],
    "by another name of np.array": lambda i: made_of([1.0, 2.0, 3.0])[i] + asarray([1.0, 2.0])[i[0]],
    "argsort": lambda i: K.argsort()[i],
    "cumsum": lambda i: K.cumsum()[i],
    "sort": lambda i: np.sort(K)[i],
    "eye": lambda i: np.eye(3)[i],
    "two indices": lambda i: np.ones((3, 3))[i[0], i],
    "reversed": lambda i: K[::-1][i],
    "transposed": lambda i: K.T[i],
    "flat": lambda i: K.flat[i[0]],
    "a list of it": lambda i: K.tolist()[i[0]],
    "a list of arrays": lambda i: [K, K * 2][1][i],
    "text": lambda i: "abc"[i[0]],
    "bytes": lambda i: b"abc"[i[1]],
    "x.take": lambda i: K.take(i),
    "x.repeat": lambda i: K.repeat(i),
    "x.compress": lambda i: K.compress(i > 0),
    "x.searchsorted": lambda i: K.searchsorted(i),
    "x.dot": lambda i: K.dot(i),
    "x.clip": lambda i: K.clip(i[0], i[1]),
    "x.item": lambda i: K.item(i[0]),
    "x.reshape": lambda i: np.arange(6.0).reshape(i[1] + 1, 3),
    "np.take": lambda i: np.take(K, i),
    "np.roll": lambda i: np.roll(K, i[1]),
    "np.repeat": lambda i: np.repeat(K, i),
    "np.searchsorted": lambda i: np.searchsorted(K, i),
    "a list of indices": lambda i: K[[i[0], 2, i[1]]],
    "lists along axes": lambda i: M[[0, 1], [i[0], i[2]]],
    "a list beside a slice": lambda i: M[:, [i[1]]],
    "a list that is repeated": lambda i: K[[i[1]] * 2],
    "a comprehension": lambda i: K[[i[0] + k for k in range(2)]],
    "np.take of a list": lambda i: np.take(M, [i[1], 0], axis=1),
    "np.isin": lambda i: np.isin(K, [i[1], 2]),
    "np.repeat of a list": lambda i: np.repeat(K, [i[1], 1, 2]),
    "np.pad": lambda i: np.pad(K, (i[1], 1)),
}


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("case", LOOKUPS)
def test_arrays_are_looked_up(case, jit_compile):
    f, i = LOOKUPS[case], np.array([0, 1, 2])
    if jit_compile and case in ("text", "a list of it"):
        pytest.skip("text is Python's")
    found = runtime.function(f, numpy=True, jit_compile=jit_compile)(i)
    assert repr(found) == repr(f(i))


def hanning(x, n):
    w, out = weights(len(x)), 0.0
    for i in range(n):
        out += w[i] * x[i]
    return out


def ordered(x, n):
    order, out = np.argsort([3, 1, 2, 0]), 0.0
    while n > 0:
        n -= 1
        out += x[order[n]]
    return out


def permuted(x, n):
    p, out = np.random.default_rng(0).permutation(4), 0.0
    while n > 0:
        n -= 1
        out += x[p[n]]
    return out


def stacked(x, n):
    g, out = np.stack([np.arange(4.0), np.ones(4)]), 0.0
    while n > 0:
        n -= 1
        out += g[0, n] + g[1][n]
    return out


def meshed(x, n):
    g, out = np.meshgrid(np.arange(2), np.arange(4))[0], 0.0
    while n > 0:
        n -= 1
        out += g[n, 0]
    return out


def backwards(x, n):
    k, out = np.arange(4.0)[::-1], 0.0
    while n > 0:
        n -= 1
        out += k[n]
    return out


def multiplied(x, n):
    k, out = np.outer(np.arange(4.0), np.arange(4.0)), 0.0
    while n > 0:
        n -= 1
        out += k[n, n] + k[n].sum()
    return out


def written_between(x, n):
    k = weights(4)
    a = k[n - 1]
    k[2] = 9.0
    return a, k[n - 1]


def converted_first(x, n):
    k = K.astype(float)
    k[n - 1] += 2.0
    return k


def listed_first(x, n):
    k = np.asarray([1.0, 2.0, 3.0])
    k[n - 1] = x[0]
    return k


def as_a_list(x, n):
    k = K.tolist()
    k[n - 1] = x[0]
    return [float(v) for v in k]


def sorted_first(x, n):
    k = np.sort([3.0, 1.0, 2.0])
    k[[0, n - 1]] = k[[n - 1, 0]]
    return k


def inverted_first(x, n):
    k = np.linalg.inv(np.eye(3) * 2)
    k[n - 1, n - 1] = x[1]
    return k


@pytest.mark.parametrize(
    "f",
    [
        converted_first,
        listed_first,
        as_a_list,
        sorted_first,
        inverted_first,
        hanning,
        ordered,
        permuted,
        stacked,
        meshed,
        backwards,
        multiplied,
        written_between,
    ],
    ids=lambda f: f.__name__,
)
def test_programs_with_tables(f):
    x = np.array([1.0, 2.0, 3.0, 4.0])
    assert repr(runtime.function(f, numpy=True)(x, np.array(3))) == repr(f(x, np.array(3)))


def test_a_table_is_one_constant():
    table = np.arange(1000.0)

    def f(x, i):
        total = 0.0
        for k in range(20):
            total = total + table[i + k] * x
        return total

    concrete = runtime.function(f, numpy=True).get_concrete_function(np.array(1.0), np.array(3))
    large = [n for n in concrete.traced.nodes if n.op.name == "constant" and np.size(n.attributes["value"]) == 1000]
    assert len(large) == 1
