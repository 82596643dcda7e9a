"""Dictionaries and sets whose keys the graph has."""

import random
from collections import Counter, defaultdict

import numpy as np

import runtime
from tests.programs import load, outcome

NAMES = {"Counter": Counter, "defaultdict": defaultdict, "np": np}


class Maker:
    """Programs that count, look up, delete and go through, with keys of one kind."""

    def __init__(self, seed):
        self.chance = random.Random(seed)
        self.kind = self.chance.choice(["whole", "whole", "float", "tuple"])

    def program(self):
        start = self.chance.choice(["{}", "dict()", "defaultdict(int)", "Counter()", f"{{{self.known()}: 5}}"])
        self.fills = start.startswith("defaultdict")
        begun = self.chance.choice(["set()", f"{{{self.known()}, {self.known()}}}"])
        lines = [f"d, s, t, x = {start}, {begun}, 0, n", "e = d", *self.statement(2, "loop"), *self.block(2)]
        lines.append(f"return d, s, t, {self.result()}, {self.result()}")
        return "def f(xs, n):\n" + "\n".join(f"    {line}" for line in lines) + "\n"

    def known(self):
        return {"whole": "{}", "float": "{}.5", "tuple": "({}, 1)"}[self.kind].format(self.chance.randint(0, 3))

    def key(self):
        one = self.chance.choice(["x", "x", "t % 7", "n", "x + n"])
        if self.kind == "float":
            return self.chance.choice([f"({one}) / 2", f"({one}) * 0.5"])
        if self.kind == "tuple":
            return f"({one}, {self.chance.choice(['x % 2', 'n', '1'])})"
        return self.chance.choice([one, one, "-x", "x * 1000003", self.known()])

    def block(self, depth):
        return [line for _ in range(self.chance.randint(1, 3)) for line in self.statement(depth)]

    def statement(self, depth, kind=""):
        kind = kind or self.chance.choice(["change"] * 6 + ["if", "loop"])
        if kind == "loop" and depth:
            head = self.chance.choice(["for x in xs:", "for x in range(n):", "while t < 30 and len(d) < 9:"])
            more = ["    t += 7"] if head.startswith("while") else []
            return [head, *(f"    {line}" for line in self.block(depth - 1)), *more]
        if kind == "if" and depth:
            lines = [f"if {self.test()}:", *(f"    {line}" for line in self.block(depth - 1))]
            other = ["else:", *(f"    {line}" for line in self.block(depth - 1))]
            return [*lines, *(other if self.chance.random() < 0.4 else ())]
        return self.change()

    def change(self):
        k, j, value = self.key(), self.key(), self.chance.choice(["t", "x", "1", "len(d)"])
        return self.chance.choice(
            [
                [f"d[{k}] = {value}"],
                [f"d[{k}] = d.get({k}, 0) + {value}"],
                [f"if {k} in d: d[{k}] += {value}"],
                [f"if {k} in d: del d[{k}]"],
                [f"t += d.pop({k}, {value})"],
                [f"t += d.setdefault({k}, {value})"],
                [f"t += d[{k}]" if self.fills else f"t += d.get({k}, 3)"],
                [f"s.add({k})"],
                [f"s.add({k})"],
                [f"s.discard({k})"],
                [f"if {k} not in s: t += 1"],
                [f"if {k} not in s: s |= {{{self.known()}}}"],
                ["t += len(s) * 3 + len(e)"],
                ["for k, v in d.items(): t = (t * 3 + v) % 1009"],
                ["if len(d) > 6: d.clear()"],
                [f"d.update([({k}, {value}), ({j}, 2)])"],
                [f"e[{k}] = {value}"],
            ]
        )

    def test(self):
        return self.chance.choice(["x > 1", "t % 2 == 0", f"{self.key()} in d", f"{self.key()} in s", "len(d) > 2"])

    def result(self):
        return self.chance.choice(
            [
                "list(d)",
                "list(d.items())",
                "sum(d.values())",
                "sorted(s)",
                "len(d)",
                "e is d",
                "sorted(d)",
                "s & {*d}" * 0 + "t",
            ]
        )


def given(seed):
    chance = random.Random(seed)
    return [chance.randint(-2, 6) for _ in range(chance.choice([0, 1, 6, 12]))], chance.randint(0, 4)


def run(seed, jit_compile=False):
    """Whether a program gave what Python gives, and what it was: None where it was refused."""
    text = Maker(seed).program()
    xs, n = given(seed)
    expected = outcome(load(text, **NAMES), np.array(xs, int), n)
    found = outcome(
        runtime.function(load(text, **NAMES), numpy=True, jit_compile=jit_compile), np.array(xs, int), np.int64(n)
    )
    if found[0] in ("StagingError", "OperatorNotAllowedInGraphError"):
        return None, text, found
    same = found == expected and found[0] == expected[0]
    if same and found[0] == "returns":
        same = [type(v) for v in found[1][:2]] == [type(v) for v in expected[1][:2]]
        same = same and list(found[1][0].items()) == list(expected[1][0].items())
    return same, text, expected, found


if __name__ == "__main__":
    import collections
    import sys

    counts = collections.Counter()
    for seed in range(*map(int, sys.argv[1:3])):
        got = run(seed, *map(eval, sys.argv[3:4]))
        counts[got[0]] += 1
        if got[0] is not True:
            print(seed, *got[1:], sep="\n")
    print(counts)
