"""A default that calls can change is what the function keeps: one object for all calls, also for those in them."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load

PROGRAMS = {
    "appended": "def f(n, acc=[]):\n    acc.append(n)\n    return acc",
    "before a call of itself": "def f(n, acc=[]):\n    acc.append(n)\n    if n > 0:\n        f(n - 1)\n    return acc",
    "and behind it": "def f(n, acc=[]):\n    if n > 0:\n        f(n - 1)\n    acc.append(n)\n    return len(acc)",
    "keys":
        "def f(n, m={}):\n    if n not in m:\n        m[n] = n if n < 2 else f(n - 1) + f(n - 2)\n    return m[n]",
    "handed on":
        "def f(n, m={}):\n    if n not in m:\n        m[n] = n if n < 2 else f(n - 1, m) + f(n - 2)\n    return m[n]",
    "a set": "def f(n, seen=set()):\n    if n in seen:\n        return 0\n    seen.add(n)\n    return 1 + f(n // 2)",
    "several": "def f(n, a=[], *, b={}, c=5, **kw):\n    a.append(n)\n    b[len(a)] = c\n    return a, b, c, kw",
    "parameters behind": "def f(n, a=[], b=2, c=3):\n    a.append(n * b)\n    return a, b, c",
    "more arguments": "def f(n, a=[], *rest):\n    a.append(rest)\n    return a, n",
    "by position alone": "def f(n=1, a=[1], b=2, /):\n    a.append(n * b)\n    return a",
    "arrays": "def f(n, kept=[np.zeros(2)]):\n    kept[0] += n\n    return kept[0]",
    "read alone": "def f(n, weights=[0.5, 0.25]):\n    return sum(n * w for w in weights)",
    "where the graph decides": "def f(n, log=[]):\n    if n > 1:\n        log.append(n)\n    return len(log)",
}  # fmt: skip
CALLS = [(2,), (np.int64(3),), (1, "another"), (2,), (np.int64(3),), (np.int64(4), "another"), (1, "another", 3), (5,)]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_calls_share_what_they_change(program, jit_compile):
    def outcomes(decorate):
        f = load(program + "\n", np=np)
        f.__globals__["f"] = decorated = decorate(f)
        kind = next(type(default) for default in f.__defaults__ if type(default) is not int)
        for call in CALLS:
            arguments = [kind() if one == "another" else one for one in call]
            try:
                yield repr((decorated(*arguments), arguments, f.__defaults__, f.__kwdefaults__))
            except Exception as error:
                yield type(error), repr((f.__defaults__, f.__kwdefaults__))

    graph = tf.function(jit_compile=jit_compile, numpy=True)
    assert [*outcomes(graph)] == [*outcomes(lambda f: f)]


def test_a_default_that_is_only_read_costs_no_trace():
    @tf.function(numpy=True)
    def f(x, weights=[0.5, 0.25]):  # noqa: B006
        return x * weights[0] + weights[1]

    for n in range(3):
        assert f(np.float64(n)) == n * 0.5 + 0.25
    assert f.experimental_get_tracing_count() == 1
