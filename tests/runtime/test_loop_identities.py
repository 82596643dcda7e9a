"""Which array a variable is after a loop: the one from before it, another variable's, or one that an iteration made."""

import itertools

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load

STATEMENTS = [
    "a = a * 2", "a, b = b, a", "a, b = b, a + b", "c = a", "b = c", "c = np.zeros(3)", "a = k",
    "if a.sum() > 3:\n        a = b", "if i > 1:\n        b = a * 1.0", "if i == 1:\n        break",
    "for j in range(i):\n        a, c = c, a + j", "b = a if a.sum() > b.sum() else c",
    "e = a * 1.0\n    if i == 1:\n        b = e",
]  # fmt: skip
AFTER = ["", "a[0] = 7", "b += 1", "if b.sum() > 2:\n    c[1] = 5"]
LOOPS = ["for i in range(n):", "i = 0\nwhile i < n:\n    i += 1"]
PAIRS = [*itertools.product(STATEMENTS, STATEMENTS)]


def program(number, pair):
    """The source of a program, and the arrays around it."""
    loop, after = LOOPS[number % 2], AFTER[number // 2 % 4]
    text = "".join(f"    {statement}\n" for statement in pair)
    whole = f"{loop}\n{text}{after}\nreturn a, b, c"
    return "def f(a, b, c, n):\n" + "".join(f"    {line}\n" for line in whole.split("\n"))


def found(f, k, a, b, c, n):
    """What a call gives, and which arrays are one or share memory."""
    arrays = [*f(a, b, c, n), a, b, c, k]
    pairs = [*itertools.combinations(arrays, 2)]
    return [one.tolist() for one in arrays], [(x is y, np.shares_memory(x, y)) for x, y in pairs]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("first", range(13))
def test_programs(first, jit_compile):
    for number, pair in [*enumerate(PAIRS)][first :: 26 if jit_compile else 13]:
        text = program(number, pair)
        k, kept = np.full(3, 9.0), np.full(3, 9.0)
        plain, staged = load(text, np=np, k=k), load(text, np=np, k=kept)
        function = runtime.function(staged, numpy=True, jit_compile=jit_compile)
        for n in range(4):
            one, two = np.arange(3.0), np.arange(3.0)
            expected = found(plain, k, one, np.ones(3), one if n == 3 else np.zeros(3), np.int64(n))
            given = found(function, kept, two, np.ones(3), two if n == 3 else np.zeros(3), np.int64(n))
            assert given == expected, f"{n}\n{text}"
        of_numbers_alone = "a = k" in pair and any("a * 1.0" in one for one in pair)  # made anew in each trace
        assert not function._by_value or of_numbers_alone, text  # one graph for all numbers


def test_a_number_that_tells_which_is_carried_only_where_that_is_asked():
    @runtime.function(numpy=True)
    def f(x, n):
        while n > 0:
            x = x * 2
            n -= 1
        return x + 1

    @runtime.function(numpy=True)
    def g(x, n):
        while n > 0:
            x = x * 2
            n -= 1
        return x

    graphs = [str(one.get_concrete_function(np.ones(3), np.int64(2)).graph) for one in (f, g)]
    assert ["which" in graph for graph in graphs] == [False, True]


def test_views_that_a_loop_leaves_are_refused():
    @runtime.function(numpy=True)
    def f(x, total):
        while total > 0:
            x = x[::-1]
            total = total - x[0]
        return x

    with pytest.raises(StagingError, match=r"a\.copy\(\)"):
        f(np.arange(3.0) + 1, np.float64(5))


ASKED = [
    "if a is b:",
    "if a is k:",
    "if c is a0:",
    "if np.shares_memory(a, k):",
    "if b is c or np.shares_memory(b, a0):",
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("asked", ASKED)
def test_which_array_a_variable_is_when_an_iteration_begins(asked, jit_compile):
    """It may be what was there before the loop, or what the iteration before has left there."""
    for number, statement in [*enumerate(STATEMENTS)][:: 2 if jit_compile else 1]:
        loop, question = LOOPS[number % 2], f"{asked}\n        told += 10 ** i"
        lines = "\n    ".join((question, statement) if number % 3 else (statement, question))
        whole = f"a0, told = a, 0\n{loop}\n    {lines}\nreturn a, b, c, np.array(told)"
        text = "def f(a, b, c, n):\n" + "".join(f"    {line}\n" for line in whole.split("\n"))
        k, kept = np.full(3, 9.0), np.full(3, 9.0)
        plain, staged = load(text, np=np, k=k), load(text, np=np, k=kept)
        function = runtime.function(staged, numpy=True, jit_compile=jit_compile)
        for n, (a, b, c) in itertools.product(range(3), ("xyz", "xxz", "kyz", "xyk", "kyk")):
            outcomes = []
            for run, own in ((plain, k), (function, kept)):
                arrays = {"x": np.arange(3.0), "y": np.ones(3), "z": np.zeros(3), "k": own}
                try:
                    outcomes.append(found(run, own, arrays[a], arrays[b], arrays[c], np.int64(n)))
                except StagingError:
                    assert "shares_memory" in asked  # whether what may be either is a part of another is not known
            assert outcomes[0] == outcomes[-1], f"{n} {a}{b}{c}\n{text}"


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("made", ["self.a.copy()", "np.zeros(3)", "self.a * 2", "self.a", "z", "k"])
def test_an_array_of_numbers_alone_is_made_anew_in_each_iteration(made, jit_compile):
    text = (
        "class Kept:\n    def __init__(self):\n        self.a, self.b = np.arange(3.0), np.ones(3)\n"
        "        self.c = self.a\n\n    def f(self, n):\n        z = np.zeros(3)\n        for i in range(n):\n"
        f"            self.b = self.c\n            self.c = {made}\n        return self.b, z\n\n\nf = Kept"
    )
    outcomes = []
    for decorated in (lambda f: f, runtime.function(numpy=True, jit_compile=jit_compile)):
        k, found = np.full(3, 9.0), []
        for n in range(4):
            one = load(text, np=np, k=k)()
            arrays = [*decorated(one.f)(np.int64(n)), one.a, one.b, one.c, k]
            found += [(a is b, np.shares_memory(a, b)) for a, b in itertools.combinations(arrays, 2)]
        outcomes.append(found)
    assert outcomes[0] == outcomes[1], text


WRITES = ["x += 0.5", "x[k % 3] += 1.5", "x += y * 0.25", "x, y = y, x + 1", "x = x * 1.01 + 0.5", "y = x", "y += x"]
RETURNS = ["x", "x, y", "y", "x[1:]", "{'x': x, 'k': k}", "x.copy()"]
LOOPS_THAT_RETURN = [
    "for k in range(40):\n        {write}\n        if x.sum() > 9:\n            return {value}",
    "k = 0\n    while True:\n        {write}\n        k += 1\n        if k > 9 or x.sum() > 9:\n"
    "            return {value}",
    "k = 0\n    while k < 40:\n        k += 1\n        if x.sum() > 9:\n            return {value}\n        {write}",
]


def flat(value):
    if isinstance(value, dict):
        return flat([*value.values()])
    return [part for one in value for part in flat(one)] if isinstance(value, tuple | list) else [value]


def left_by(f, b):
    arrays = [one for one in [*flat(f(b)), b] if isinstance(one, np.ndarray)]
    pairs = [*itertools.combinations(arrays, 2)]
    return [one.tolist() for one in arrays], [(x is y, np.shares_memory(x, y)) for x, y in pairs]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("write, value", [*itertools.product(WRITES, RETURNS)])
def test_an_array_that_a_loop_writes_and_returns(write, value, jit_compile):
    """Which of the arrays is returned may be refused, where somebody goes on with them; it is never another one."""
    place = WRITES.index(write) + RETURNS.index(value)
    for number, loop in enumerate(LOOPS_THAT_RETURN):
        if jit_compile is not False and (place + number) % len(LOOPS_THAT_RETURN):  # to compile takes longest
            continue
        body = loop.format(write=write, value=value)
        alone = f"def f(b):\n    x, y = b.copy(), b * 2\n    {body}\n    return x\n"
        indented = body.replace("\n", "\n    ")
        inside = (
            f"def f(b):\n    x, y = b.copy(), b * 2\n\n    def run():\n        nonlocal x, y\n        {indented}\n"
            "        return x\n\n    r = run()\n"
            f"    {'r[0] = 77.0' if value in ('x', 'y') else 'x[0] = 77.0'}\n    return r, x, y\n"
        )
        for text in (alone, inside):
            plain = load(text, np=np)
            graph = runtime.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
            for scale in (1.0, -100.0):
                try:
                    found = left_by(graph, np.ones(3) * scale)
                except StagingError:
                    assert text is inside or value != "x" or write not in WRITES[:3] or number == 2, text
                    break
                assert found == left_by(plain, np.ones(3) * scale), text
