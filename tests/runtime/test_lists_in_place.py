"""Lists of a graph are changed where they are if nobody needs them as they were, and nowhere else."""

import random

import numpy as np
import pytest

import runtime
from runtime.executors.numpy.text import program
from tests.programs import load, outcome, unrolled

NAMES = ("p", "q", "r")


class Maker:
    """Programs on lists that have several names, change places, and are kept as they were."""

    def __init__(self, seed):
        self.chance = random.Random(seed)

    def program(self):
        lines = ["p = [0, 1, 2]", "q = [x, x + 1]", f"r = {self.chance.choice(['p', 'q', '[]', 'p + q'])}", "t = 0"]
        lines += [*self.block(1), *self.statement(3, (), "loop"), *self.block(3)]
        return "def f(x, n):\n" + "\n".join(f"    {line}" for line in [*lines, "return p, q, r, t"]) + "\n"

    def block(self, depth, inside=()):
        made = [line for _ in range(self.chance.randint(1, 4)) for line in self.statement(depth, inside)]
        return made

    def statement(self, depth, inside, kind=""):
        kind = kind or self.chance.choice(["change"] * 5 + ["name"] * 2 + ["if", "loop", "new"])
        if kind in ("if", "loop") and depth:
            indented = [f"    {line}" for line in self.block(depth - 1, inside)]
            if kind == "loop":
                counter = "ijk"[3 - depth]
                indented = [f"    {line}" for line in self.block(depth - 1, (*inside, counter))]
                return [f"for {counter} in range({self.chance.choice(['n', 'n + 1', '4'])}):", *indented]
            other = ["else:", *(f"    {line}" for line in self.block(depth - 1, inside))]
            return [f"if {self.test(inside)}:", *indented, *(other if self.chance.random() < 0.5 else ())]
        a, b = self.chance.choice(NAMES), self.chance.choice(NAMES)
        if kind == "name":
            return [self.chance.choice([f"{a}, {b} = {b}, {a}", f"{a} = {b}.copy()", f"{a} = {b}[:]"])]
        if kind == "new":
            return [
                self.chance.choice(
                    [f"{a} = {b}[:9] + {a}[-9:]", f"{a} = [{self.value(inside)}] + {b}[-9:]", f"{a} = {b}[1:]"]
                )
            ]
        return self.change(a, b, inside)

    def change(self, a, b, inside):
        value = self.value(inside)
        return self.chance.choice(
            [
                [f"{a}.append({value})"],
                [f"{a}.append({value})"],
                [f"if len({a}) > 1: {a}[{self.chance.choice(['0', '-1', '1'])}] = {value}"],
                [f"if len({a}) > 1: {a}[0], {a}[1] = {a}[1], {a}[0]"],
                [f"if len({a}) > 2: t += {a}.pop({self.chance.choice(['', '0', '-2'])})"],
                [f"{a}.insert({self.chance.choice(['0', '1', '-1'])}, {value})"],
                [f"if len({a}) + len({b}) < 40: {a} += {b}"],
                [f"if len({b}) > 0: t, {a}_ = t * 3 % 1009 + {b}[-1], {b}[0]"],
                [f"t += len({a})"],
            ]
        )

    def value(self, inside):
        return self.chance.choice(["x", "t", "5", "x - t", "n", *inside, *inside])

    def test(self, inside):
        return self.chance.choice(["x > 1", "n > 2", "t % 2 == 0", "len(p) > 3", *(f"{i} % 2 == 0" for i in inside)])


def run(seed):
    """Whether a program gave what Python gives: None where it was refused."""
    text = Maker(seed).program()
    given = random.Random(seed).choice([(2, 3), (0, 0), (1, 5)])
    expected = outcome(load(text), *given)
    f = runtime.function(load(text), numpy=True, jit_compile=False)
    found = outcome(f, *map(np.int64, given))
    if found[0] in ("StagingError", "OperatorNotAllowedInGraphError"):
        return None
    return found == expected, text, expected, found


CHANGES = {
    "append": "p.append(i)", "item": "p[-1] = i", "pop": "p.pop(0)", "insert": "p.insert(0, i)", "extend": "p += q",
}  # fmt: skip
COPIES = ("written(", "list_with", "list_without", "list_inserted", " + list")


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_a_loop_does_to_a_list_is_done_where_it_is(change):
    f = load(f"def f(n):\n    p, q = [n] * 9, [n]\n    for i in range(n):\n        {change}\n    return p\n")
    graph = runtime.function(f, numpy=True, jit_compile=False).get_concrete_function(np.int64(5)).graph
    lines = program(graph, in_place=True).text.splitlines()
    body = lines[next(i for i, line in enumerate(lines) if line.lstrip().startswith("while ")) + 1 :]
    assert not any(made in line for line in body for made in COPIES)
    assert "written_to(" not in str(graph)  # what is shown makes new lists


def test_what_a_loop_begins_with_and_what_it_is_kept_as_stay():
    @runtime.function(numpy=True, jit_compile=False)
    def f(n):
        first, kept = [n, n], []
        changed = first.copy()
        for i in range(n):
            before = changed.copy()
            changed.append(i)
            changed[0] = i
            kept += before
        return first, changed, kept

    assert f(np.int64(3)) == ([3, 3], [2, 3, 0, 1, 2], [3, 3, 0, 3, 0, 1, 3, 0, 1])


@pytest.mark.parametrize("seed", range(40))
def test_programs_give_what_python_gives(seed):
    agrees, *told = run(seed) or (True,)
    assert agrees, told


def test_most_of_them_run():
    assert sum(run(seed) is not None for seed in range(40)) > 30


def test_a_list_that_an_inner_loop_reads_is_changed_where_it_is_after_it():
    def f(n):
        p = [n] * 9
        for i in range(n):
            k = 0
            while p[k] < i:
                k += 1
            p[k] = p.pop(0) + 1
        return p

    graph = runtime.function(f, numpy=True, jit_compile=False).get_concrete_function(np.int64(5)).graph
    text = program(graph, in_place=True).text
    assert "list_put(" in text and not any(made in text for made in COPIES)
    assert runtime.function(f, numpy=True, jit_compile=False)(np.int64(5)) == f(5)


def steps_from(weights, n):
    """Where each has been reached from; None where it has not."""
    before, costs = [None] * n, [9.0] * n
    for k in range(2):
        for v in range(n):
            if weights[v] > k and costs[k] + weights[v] > costs[v]:
                costs[v], before[v] = weights[v], k
    return before


@pytest.mark.parametrize("weights", [np.zeros(12), np.arange(12.0), np.arange(12), 3 * np.eye(12, dtype=int)[5]])
def test_what_may_be_none_stays_so_where_others_are_written(weights):
    """In a loop that is long enough to be one of the graph."""
    with unrolled(40):
        found = runtime.function(steps_from, numpy=True)(weights, 12)
    assert found == steps_from(weights, 12)
