"""Arrays that a variable may hold or not, as the graph decides: whoever writes one writes the other if they are one."""

import collections
import random

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import load

EXECUTORS = [False, True]

PARTS = """
def put(p, i):
    p[i] += 2
def pick(p, q, c):
    if c:
        return p
    return q
"""
HEAD = f"""{PARTS}
def f(x, m, c, d, n, t):
    s = 0.0
    a = x * 2
    b = np.ones(4)
    z = x
    kept = [x + 1]
"""
RESULTS = "return s, a + 0, b + 0, z + 0, kept"


class Programs:
    """Writes programs on vectors `x` (given), `a` and `b` (made inside) and `z` (one of them), and a matrix `m`."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.index = ["0", "1", "-1", "t"]

    def text(self):
        return HEAD + "\n".join(indented(self.statements(2, self.number(3, 8)) + [RESULTS]))

    def number(self, low, high):
        return self.random.randint(low, high)

    def one(self, *options):
        return self.random.choice(options)

    def vector(self):
        return self.one("x", "a", "b", "z")

    def value(self):
        v = self.vector()
        row = self.one(*self.index)
        return self.one(*[v] * 6, f"{v}[::-1]", f"m[{self.one('0', '1', '2')}]", f"m[{row}]", f"({v} * 2)",
                        f"{v}.copy()", "m[:, 1][[0, 1, 2, 0]]")  # fmt: skip

    def test(self):
        return self.one("c", "d", "not c", "c and d", "x[0] > 1", "a[1] > 2", "z.sum() > 5")

    def statements(self, depth, count):
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth):
        v, w, i = self.vector(), self.vector(), self.one(*self.index)
        kinds = {self.bind: 7, self.write: 8, self.branch: 6 * bool(depth), self.loop: 2 * bool(depth), self.read: 2}
        kind = self.one(*(kind for kind, weight in kinds.items() for _ in range(weight)))
        return kind(depth, v, w, i)

    def branch(self, depth, *_):
        lines = [f"if {self.test()}:", *indented(self.statements(depth - 1, self.number(1, 2)))]
        if self.number(0, 2) == 0:
            lines += [f"elif {self.test()}:", *indented(self.statements(depth - 1, 1))]
        if self.number(0, 1):
            lines += ["else:", *indented(self.statements(depth - 1, self.number(1, 2)))]
        return lines

    def loop(self, depth, *_):
        self.index.append("k")
        lines = [self.one("for k in range(n):", "for k in range(3):"), *indented(self.statements(depth - 1, 2))]
        self.index = [index for index in self.index if index != "k"]
        return lines

    def bind(self, depth, v, w, i):
        return [self.one(*[f"{v} = {self.value()}"] * 4, f"{v}, {w} = {w}, {v}", f"{v} = pick({v}, {w}, {self.test()})",
                         f"{v} = {self.value()} if {self.test()} else {self.value()}")]  # fmt: skip

    def write(self, depth, v, w, i):
        return [self.one(f"{v}[{i}] = 7", f"{v}[{i}] = s", f"{v}[{i}] = {w}[1]", f"{v}[{i}] += 1", f"{v} += {w}",
                         f"{v} += 1", f"{v}[1:] = {w}[:-1]", f"m[2, {i}] = 9", f"put({v}, {i})")]  # fmt: skip

    def read(self, depth, v, w, i):
        return [self.one(*[f"s = s + {v}[{i}] + {w}.sum()"] * 3, f"kept.append({v})", f"kept[0] = {v}")]


def indented(lines):
    return ["    " + line for line in lines]


def given(c, d):
    return np.arange(4.0) / 2, np.arange(12.0).reshape(3, 4) / 4, np.int64(c), np.int64(d), np.int64(2 + c), np.int64(1)


def called(f, *arguments):
    with np.errstate(all="ignore"):
        made = f(*arguments)
    return [np.asarray(part).tolist() for part in (*made, *arguments[:2])]


def agrees(text, jit):
    """Whether a program gives what it gives in plain Python, its arguments included; None if it is refused."""
    f = load(text, np=np)
    graph = tf.function(f, numpy=True, jit_compile=jit)
    for c, d in ((0, 0), (1, 0), (0, 1), (1, 1)):
        try:
            wanted = called(f, *given(c, d))
        except Exception:
            return None
        try:
            found = called(graph, *given(c, d))
        except StagingError:
            return None
        if found != wanted:
            return False
    return True


@pytest.mark.parametrize("jit, seeds", [(False, range(400)), (True, range(400, 440))])
def test_generated_programs_write_the_arrays_that_python_writes(jit, seeds):
    outcomes = collections.Counter()
    for seed in seeds:
        text = Programs(seed).text()
        outcomes[agrees(text, jit)] += 1
        assert not outcomes[False], f"seed {seed}\n{text}"
    assert outcomes[True] > len(seeds) / 2  # most are not refused


WORKING = {
    "one of two": "if c: z = x * 2\nz[0] = 5",
    "one of two, written by the other name": "z = x\nif c: z = x * 2\nx[0] = 5",
    "two of two": "z = x if c else a\nz[0] = 5\nx[1] = 6\na[2] = 7",
    "exchanged": "if c: x, a = a, x\nx[0] = 7\na[1] = 8",
    "exchanged again and again": "for k in range(5):\n    if x[k % 4] > a[0]: x, a = a, x\n    x[k % 4] += a[1]",
    "one view or another": "z = m[0] if c else m[t]\nz[1] = 50\nm[0, 2] = 40",
    "a part of one and all of another": "z = x[::-1] if c else a\nz += 10\nx[0] = 3",
    "a chain": "if c: z = x * 2\nif d: z = z + 1\nz[0] = 100",
    "an arm of several": "if c: z = a\nelif d: z = b\nz[0] = 100\na[1] = 3",
    "in a branch": "z = x if c else a\nif d: z[0] = 5\nelse: x[1] = 6",
    "in a loop": "z = x if c else a\nfor k in range(n):\n    z[k] = 5\n    s += x[k] + a[k]",
    "whole, in a loop": "z = x if c else a\nfor k in range(n): z += 1",
    "by a function": "z = pick(x, a, c)\nput(z, 0)\nput(x, 1)",
    "of other sizes": "z = x[1:] if c else a[:2]\nz[0] = 5\nz[-1] = 6",
    "made in the branch, by two names": "if c:\n    z = x * 2\n    b = z\nz[0] = 5\nb[1] = 6",
    "what holds it": "l = [x]\nif c: l[0] = a\nl[0][0] = 5",
    "made inside, and never written by Python": "w = np.ones(4)\nif d:\n    if c: a = w\nelse: w = x * 2\nw[1:] = 7",
    "a part of what is made inside": "w = np.ones(4)\nif d: a = w[::-1] if c else m[0]\nelse: w = x * 2\nw[1:] = 7",
    "all of it, in a branch that is not taken": "if d: z[:] = a\nz = x if c else b\nif d: z[:] = a",
    "all of it, in a loop without an iteration": "z = x if c else b\nfor k in range(d): z[:] = a",
    "and put back": "z = x if c else b\nold = z.copy()\nz += 1\nif d: z[:] = old",
    "with another that is written alike": "z = x if c else b\nif d:\n    z[0] = 9\n    a[:] = z",
    "in a list, too": "l = [a]\nif c: a = x\nif d:\n    x[1] = 30\n    l[0] = x\na[0] = 2",
    "what it is": "z = x if c else a\nif z is x: a[0] = 3\nif z is not a: z[1] = 4",
    "after it was written in the branch": "if c:\n    x[0] = 1\n    z = a\nz[1] = 2",
}


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("lines", WORKING.values(), ids=WORKING)
def test_it_is_written_if_it_is_that_very_array(lines, jit):
    text = HEAD + "\n".join(indented([*lines.splitlines(), RESULTS]))
    assert agrees(text, jit), text


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize(
    "body", ["z += 1; s += x.sum()", "s += x.sum(); z += 1", "z += 1; x += 1", "x += 1; s += z[0]"]
)
def test_what_a_loop_reads_is_not_what_was_there_before_it_wrote_it(body, jit):
    lines = ["if c: z = x * 2", f"for k in range(n): {body}", RESULTS]
    assert agrees(HEAD + "\n".join(indented(lines)), jit) in (True, None)


def test_exchanging_arrays_in_a_long_loop_records_little():
    """Arrays that no name is left for are forgotten: what may be them is linked without them."""

    def f(x, tests):
        a, b = x * 1.0, x * 2.0
        for k in range(40):
            if tests[k]:
                a, b = b, a
            a[0] += b[1]
        return a + b

    tf.config.set_unroll_limit(100_000)
    try:
        graph = tf.function(f, numpy=True)
        tests = np.arange(40) % 3 == 0
        concrete = graph.get_concrete_function(np.arange(3.0), tests)
        np.testing.assert_array_equal(graph(np.arange(3.0), tests), f(np.arange(3.0), tests))
        assert len(concrete.graph.get_operations()) < 40 * 150
    finally:
        tf.config.set_unroll_limit(500)


COPIED_ONCE = {
    "in a loop": "for k in range(n): z[k] = 5",
    "in two loops": "for k in range(n):\n    for l in range(n): z[l] += k",
    "twice in an iteration": "for k in range(n):\n    z[k] += 1\n    z[0] = 3",
    "in both branches": "for k in range(n):\n    if b[k] > k: z[k] = 5\n    else: z[0] += 1",
}


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("part", ["z = x if c else a", "z = x\nif c: z = x * 2", "z = m[0] if c else m[t]"])
@pytest.mark.parametrize("lines", COPIED_ONCE.values(), ids=COPIED_ONCE)
def test_a_loop_copies_no_array_in_each_iteration(lines, part, jit):
    lines = [*part.splitlines(), *lines.splitlines(), RESULTS]
    text = HEAD + "\n".join(indented(lines))
    assert agrees(text, jit), text
    graph = tf.function(load(text, np=np), numpy=True).get_concrete_function(*given(0, 0)).graph
    loop = next(node for node in graph.nodes if node.op.name == "while")
    inside = [node for region in loop.regions for node in region.walk()]
    assert not any(node.attributes.get("tied") for node in inside)


@pytest.mark.parametrize("jit", EXECUTORS)
def test_a_loop_that_writes_at_its_end_asks_as_often_as_python(jit, capfd):
    asked = tf.Variable(0)

    def more(k, n):
        asked.assign_add(1)
        print("asked of", k)
        return k < n

    def f(x, a, c, n):
        z = x if c else a
        k = 0
        while more(k, n):
            z[k] = 5
            k += 1
        return x + a

    x, a = np.zeros(4), np.ones(4)
    found = tf.function(f, numpy=True, jit_compile=jit)(x, a, np.int64(0), np.int64(2))
    np.testing.assert_array_equal(found, [5.0, 5.0, 1.0, 1.0])
    assert int(asked) == 3
    assert capfd.readouterr().out.split("\n") == ["asked of 0", "asked of 1", "asked of 2", ""]


def test_a_function_that_is_given_what_may_be_one_array_twice_is_not_taken_to_have_two():
    @tf.function(numpy=True)
    def inner(a, b):
        a[0] += 5
        return b.sum()

    @tf.function(numpy=True)
    def f(x, y, c, apart):
        z = x if c else y
        return inner(z, y * 1.0 if apart else y)

    with pytest.raises(ValueError, match="share memory"):
        f.get_concrete_function(np.arange(3.0), np.arange(3.0), np.int64(0), False)
    assert f(np.arange(3.0), np.arange(3.0), np.int64(0), False) == 8.0  # there is a graph for each number
    x, y = np.arange(3.0), np.arange(3.0)
    assert f(x, y, np.int64(0), True) == 3.0 and (x[0], y[0]) == (0.0, 5.0)


SAME = {
    "one view by two names": "b = x.copy()\nif c: z = b = m[1]\nsame = z is b",
    "one view after another": "if c: z = x + 1\nelse:\n    z = m[1]\n    b = z\nsame = z is b",
    "exchanged in a loop": "w = np.zeros(4)\nb = w\nfor k in range(n): z, b = b, z\nsame = w is b",
    "the same by either name": "w = np.zeros(4)\nb = w\nz = w\nfor k in range(n): z, b = b, z\nsame = w is b",
    "of other sizes": "b = m[1]\nif c: x, b = b, x\nelif d:\n    x = m[:, 1]\n    z = b[::-1]\nz[0] = 3\nsame = b is x",
}


@pytest.mark.parametrize("lines", SAME.values(), ids=SAME)
def test_arrays_are_not_taken_to_be_others(lines):
    text = HEAD + "\n".join(indented([*lines.splitlines(), "if same: x[0] = 99", f"{RESULTS}, same"]))
    assert agrees(text, False) in (True, None), text
