"""Lists of rows that grow each for itself: plain Python, NumPy and machine code agree."""

import random
import sys

import numpy as np
import pytest

import runtime
from autograph import StagingError
from runtime.executors.native import regions
from runtime.executors.native.ragged import Divided
from runtime.executors.numpy import run as numpy
from tests.programs import load, outcome

NAMES = ("t", "u")


class Maker:
    """Programs on lists whose rows have lengths of their own."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.pairs = self.chance.random() < 0.4  # rather than numbers

    def program(self):
        known = "[[], [(0, 0.5)], []]" if self.pairs else "[[0, x], [n], [3, 4, 5]]"
        first = self.chance.choice([f"[[{self.item(())}] for _ in range(n + 1)]", "[[] for _ in range(4)]", known])
        other = "[[(1, 1.5)], []]" if self.pairs else "[[1], []]"
        lines = ["s = 0", f"t = {first}", f"u = {other}", f"t[n % len(t)].append({self.item(())})"]
        lines += [f"u[x % 2].append({self.item(())})"]
        lines += self.block(1) + self.statement(3, (), "loop") + self.block(2)
        return "def f(x, n):\n" + "\n".join(f"    {line}" for line in [*lines, "return t, u, s"]) + "\n"

    def block(self, depth, inside=()):
        return [line for _ in range(self.chance.randint(1, 4)) for line in self.statement(depth, inside)]

    def statement(self, depth, inside, kind=""):
        kind = kind or self.chance.choice(["change"] * 8 + ["name", "if", "loop", "over"])
        if depth and kind in ("if", "loop"):
            if kind == "loop":
                counter = "ijk"[3 - depth]
                head = self.chance.choice([f"for {counter} in range(n + 1):", f"for {counter} in range(4):"])
                return [head, *(f"    {line}" for line in self.block(depth - 1, (*inside, counter)))]
            made = [f"if {self.test(inside)}:", *(f"    {line}" for line in self.block(depth - 1, inside))]
            if self.chance.random() < 0.5:
                made += ["else:", *(f"    {line}" for line in self.block(depth - 1, inside))]
            return made
        a, b = self.chance.choice(NAMES), self.chance.choice(NAMES)
        if kind == "name":
            made = ["t, u = u, t", f"{a} = [row[:] for row in {b}]", f"{a} = [r[1:] for r in {b}]"]
            return [self.chance.choice(made)]
        if kind == "over":
            row, target = f"{a}[{self.at(a, inside)}]", "v, w" if self.pairs else "v"
            return self.chance.choice(
                [
                    [f"for {target} in {row}:", "    s = (s * 3 + v) % 1009"],
                    [f"for row in {a}:", "    s += len(row) * 7"],
                    [
                        f"for {target} in {row}[:]:",
                        "    if v > 2:",
                        f"        u[{self.at('u', inside)}].append({'(v + 1, w)' if self.pairs else 'v + 1'})",
                    ],
                ]
            )
        return self.change(a, b, inside)

    def change(self, a, b, inside):
        value, other = self.item(inside), self.item(inside)
        row, its = f"{a}[{self.at(a, inside)}]", f"{b}[{self.at(b, inside)}]"
        place = self.chance.choice(["0", "-1"])
        part = "[0]" if self.pairs else ""
        more = f"({row}[{place}][0] + 1, {row}[{place}][1])" if self.pairs else f"{row}[{place}] + {value}"
        return self.chance.choice(
            [
                [f"{row}.append({value})"],
                [f"{row}.append({value})"],
                [f"{row}.append({value})"],
                [f"{row}.insert({place}, {value})"],
                [f"if len({a}) < 9: {a}.append([{value}])"],
                [f"if len({a}) < 9: {a}.append([])"],
                [f"if len({a}) < 9: {a}.append({its}[:])"],
                [f"if len({a}) < 9: {a}.insert({place}, [{value}, {other}])"],
                [f"if len({a}) > 1: s += len({a}.pop({self.chance.choice(['', '0', '-2'])}))"],
                [f"if len({row}) > 0: s = (s * 5 + {row}.pop({self.chance.choice(['', '0'])}){part}) % 1009"],
                [f"if len({row}) > 0: {row}[{place}] = {value}"],
                [f"if {row}: {row}[{place}] = {more}"],
                [f"{row} = {its}[1:]"],
                [f"{row} = [{value}, {other}, {value}]"],
                [f"if len({row}) + len({its}) < 30: {row} = {row} + {its}"],
                [f"{a} = [r + [{value}] for r in {a} if len(r) < 20]"],
                [f"if len({row}) > 1: {row}[0], {row}[1] = {row}[1], {row}[0]"],
                [f"s += len({row}) + sum([v{part} for v in {its}])"],
            ]
        )

    def item(self, inside):
        """What a row holds."""
        return f"({self.value(inside)}, {self.value(inside)} * 0.5)" if self.pairs else self.value(inside)

    def at(self, name, inside):
        place = self.chance.choice(["0", "-1", "n", "s", *inside, *inside])
        return place if place in ("0", "-1") else f"{place} % len({name})"

    def value(self, inside):
        return self.chance.choice(["x", "s % 50", "5", "x - n", "n", *inside, *inside])

    def test(self, inside):
        return self.chance.choice(["x > 1", "n > 2", "s % 2 == 0", "len(t) > 3", *(f"{i} % 2 == 0" for i in inside)])


def inputs(seed):
    return random.Random(seed).choice([(2, 3), (0, 0), (1, 5)])


def program_of(seed):
    return Maker(seed).program()


def run(seed, jit):
    """Whether a program gave what Python gives: None where it was refused."""
    given = [*map(np.int64, inputs(seed))]
    expected = outcome(load(program_of(seed)), *given)
    f = runtime.function(load(program_of(seed)), numpy=True, jit_compile=jit)
    found = outcome(f, *given)
    if "StagingError" in repr(found) or "cannot be compiled" in repr(found):
        return None
    return repr(found) == repr(expected)


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "native"])
@pytest.mark.parametrize("block", range(4))
def test_generated_programs(block, jit):
    found = {seed: run(seed, jit) for seed in range(1000 + 6 * block, 1006 + 6 * block)}
    assert [seed for seed, right in found.items() if right is False] == []
    assert sum(right is True for right in found.values()) >= 3


@pytest.mark.parametrize("seed", range(1000, 1012))
def test_the_divided_graph_says_the_same(seed):
    """What machine code is made of, run by NumPy."""
    f = runtime.function(load(program_of(seed)), numpy=True)
    given = list(map(np.int64, inputs(seed)))
    try:
        graph = f.get_concrete_function(*given).graph
    except StagingError:
        pytest.skip("refused")
    divided = Divided(graph)
    if divided.graph is graph:
        pytest.skip("none of its lists is one of rows")
    assert set(divided.origins.values()) <= set(graph.walk())
    divided.graph.verify()
    ours = divided.around(numpy.compile_graph(divided.graph))(*given)
    assert repr(lists(ours)) == repr(lists(numpy.compile_graph(graph)(*given)))


def appended(n, k, x):
    t = [[] for _ in range(n)]
    for i in range(k):
        t[i % n].append(x)
    return t, [len(row) for row in t]


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "native"])
@pytest.mark.parametrize("x", [5, 0.5, True, 2j, np.float32(1.5), np.uint8(3)], ids=lambda x: type(x).__name__)
def test_rows_that_are_empty_at_first_are_of_what_comes(x, jit):
    expected = outcome(appended, 5, 3, x)
    assert repr(outcome(runtime.function(appended, numpy=True, jit_compile=jit), 5, 3, x)) == repr(expected)
    found = outcome(runtime.function(appended, numpy=True, jit_compile=jit), np.int64(5), np.int64(3), x)
    assert repr(found[1][0]) == repr(expected[1][0])


def test_a_row_grows_where_it_is():
    f = runtime.function(appended, numpy=True)
    graph = f.get_concrete_function(np.int64(5), np.int64(3), 1.5).graph
    assert [node.op.name for node in graph.walk() if node.op.name in ("list_append_cell", "list_set_item")] == [
        "list_append_cell"
    ]


ORDERS = [
    "sorted(t, key=len)",
    "sorted(t, key=sum, reverse=True)",
    "sorted(t, key=lambda r: (-len(r), r[-1:] == [3]))[0]",
]


@pytest.mark.parametrize("jit", [False, True], ids=["numpy", "native"])
@pytest.mark.parametrize("order", ORDERS)
def test_rows_are_put_in_order_by_a_key(order, jit):
    f = load(f"""
def f(n):
    t = [[j * 7 % 5 for j in range(i * 3 % 4)] for i in range(n)]
    u = {order}
    t.sort(key=lambda r: len(r) % 3)
    return t, u
""")
    g = runtime.function(f, numpy=True, jit_compile=jit)
    for n in (5, 1, 8):
        assert repr(outcome(g, np.int64(n))) == repr(outcome(f, np.int64(n)))


def neighbours(edges, n):
    g = [[] for _ in range(n)]
    for u, v in edges:
        g[u].append(v)
        g[v].append(u)
    return g


def degrees(g):
    return [len(row) for row in g]


def test_rows_enter_and_leave_machine_code(monkeypatch):
    left = []
    monkeypatch.setattr(
        regions.Region, "_python", property(lambda self: left.append(self) or numpy.compile_graph(self.graph))
    )
    edges = np.array([[0, 1], [2, 1], [3, 0], [1, 3], [0, 0]])
    made = runtime.function(neighbours, numpy=True, jit_compile=True)(edges, np.int64(6))
    assert made == neighbours(edges, 6)
    total = runtime.function(lambda rows: sum(len(row) for row in rows), numpy=True, jit_compile=True)
    assert total(made) == 10
    assert not left


GAPS = {
    "read": "a.read(1), a.read(0)",
    "stacked": "a.stack()",
    "gathered": "a.gather([1, 0])",
    "joined": "a.concat()",
    "read in a loop": "read(a, tf.range(a.size()))",
    "split and read": "read(a.split(tf.concat([x, x, x], 0), tf.stack([1, 3, 0, 2])), tf.range(4))",
    "split and joined": "a.split(tf.concat([x, x, x], 0), tf.stack([n, 3 * len(x) - n])).concat()",
    "split wrongly": "a.split(tf.concat([x, x, x], 0), tf.stack([n - 1, 8 - n])).concat()",
}


@pytest.mark.parametrize("size", ["n + 2", "4"])
@pytest.mark.parametrize("what", GAPS)
@pytest.mark.parametrize("n", [0, 1, 3])
@pytest.mark.parametrize("shape", [None, 2], ids=["open", "known"])
def test_what_nobody_wrote_is_zeros(what, size, n, shape):
    """Elements of a TensorArray whose length the graph alone knows."""
    source = f"""
def f(x, n):
    a = tf.TensorArray(x.dtype, size={size}, element_shape=[{shape}])
    for i in tf.range(n):
        a = a.write(i + 1 if i == 1 else i, x * tf.cast(i + 1, x.dtype))
    return {GAPS[what]}

def read(a, places):
    s = tf.zeros([0])
    for i in places:
        s = tf.concat([s, a.read(i), [7.0]], 0)
    return s
"""
    x = np.array([1.5, 2.0], np.float32)
    specs = [runtime.TensorSpec([None], runtime.float32), runtime.TensorSpec([], runtime.int32)]
    found = [
        outcome(runtime.function(load(source, tf=runtime), jit_compile=jit, input_signature=specs), x, n)
        for jit in (False, True)
    ]
    assert repr(found[0]) == repr(found[1])
    is_open = shape is None and not n and "split" not in what
    wrong = what == "split wrongly" or is_open
    assert (found[0][0] == "returns") is not wrong, found[0]
    assert not is_open or "no element of the TensorArray has been written" in found[0][1]


def lists(value):
    """Arrays as lists."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    return [*map(lists, value)] if isinstance(value, list | tuple) else value


if __name__ == "__main__":
    first, last, jit = int(sys.argv[1]), int(sys.argv[2]), len(sys.argv) > 3
    counts = {True: 0, False: 0, None: 0}
    left = []
    original = regions.Region.__call__

    def spied(self, *arrays):
        result = self.run(*arrays)
        if result is None:
            left.append(self.graph.name)
            return self._python(*arrays)
        return result

    regions.Region.__call__ = spied
    for seed in range(first, last):
        before = len(left)
        right = run(seed, jit)
        counts[right] += 1
        if right is False:
            print("DIFFERENT", seed, flush=True)
        elif len(left) > before:
            print("left to NumPy", seed, right, flush=True)
    print(counts, len(left))
