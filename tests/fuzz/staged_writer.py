"""Writes programs on arrays, numbers, lists, objects and text."""

# ruff: noqa: E501 - forms of statements are easier to compare on a line each

from __future__ import annotations

import re

from tests.fuzz.forms import Forms
from tests.fuzz.staged_forms import (
    FLOAT_FORMS,
    INT_FORMS,
    RARE,
    ROW_FORMS,
    SIMPLE,
    START,
    TEST_FORMS,
    TOPIC_INTS,
    TOPIC_TESTS,
    TOPICS,
    WIDE_FORMS,
)

HEADER = "import numpy as np\nimport runtime as tf\nfrom tests.fuzz.objects import *\n"
INTS, FLOATS, WIDE, ROWS = ("x", "y", "z"), ("p", "q"), ("a", "c"), ("b", "d")


def closed(text):
    """An expression in parentheses, if something that follows it might take a part of it alone."""
    return f"({text})" if re.search(r" [-+*/%@<>]|^-", text) and not text.startswith("(") else text


class Writer(Forms):
    parts = {
        "N": ("int", 0), "n": ("int", 2), "F": ("float", 0), "f": ("float", 2), "A": ("wide", 0), "B": ("row", 0), "w": ("row", 2),
        "T": ("test", 0), "t": ("test", 2), "v": ("int_name", 0), "u": ("float_name", 0), "a": ("wide_name", 0), "b": ("row_name", 0),
        "L": ("ints", 0), "S": ("text", 0), "k": ("index", 0), "c": ("literal", 0), "g": ("array", 0),
    }  # fmt: skip

    def __init__(self, random, topics):
        super().__init__(random)
        self.budget = random.choice((2, 4, 6, 10))
        self.topics = topics
        self.there = [
            topic
            for topic in START
            if topic in ("", "arrays", *topics) or (topic == "lists" and {"errors", "slices"} & {*topics})
        ]
        self.result = f"return {', '.join(START[topic][1] for topic in self.there)}"

    def int_name(self, depth):
        return self.pick(*INTS, *INTS, "n", "m")

    def float_name(self, depth):
        return self.pick(*FLOATS)

    def wide_name(self, depth):
        return self.pick(*WIDE)

    def row_name(self, depth):
        return self.pick(*ROWS)

    def array(self, depth):
        return self.pick(*WIDE, *ROWS)

    def literal(self, depth):
        return str(self.random.randint(-3, 7))

    def index(self, depth):
        return self.fill(self.pick("$c", "$v % 3", "$v % 4", "-1", "0", "$n % 3"), depth)

    def int(self, depth):
        if depth > 2 or self.flag(0.4):
            return self.pick(self.int_name(depth), self.int_name(depth), self.literal(depth))
        return self.fill(self.random.choice(INT_FORMS + [f for t in self.there for f in TOPIC_INTS.get(t, ())]), depth)

    def float(self, depth):
        if depth > 2 or self.flag(0.4):
            return self.pick(*FLOATS, "0.5", "1.5", "-2.0")
        return self.fill(self.random.choice(FLOAT_FORMS), depth)

    def wide(self, depth):
        if depth > 2 or self.flag(0.3):
            return self.wide_name(depth)
        return closed(self.fill(self.random.choice(WIDE_FORMS), depth))

    def row(self, depth):
        if depth > 2 or self.flag(0.3):
            return self.row_name(depth)
        return closed(self.fill(self.random.choice(ROW_FORMS), depth))

    def ints(self, depth):
        if "lists" not in self.there:
            return self.fill("[$n, $n]", depth)
        if depth > 2 or self.flag(0.5):
            return "items"
        return self.fill(self.pick("items", "[$n, $n]", "[$1 + $n for $1 in items]", "[$1 for $1 in items if $1 > $n]", "items[:$c]", "items[::-1]", "sorted(items)", "list(reversed(items))", "[*items, $n]", "items + [$n]", "[$1 * $2 for $1 in items for $2 in range(2)]"), depth)  # fmt: skip

    def text(self, depth):
        return self.fill(
            self.pick(
                "word",
                "'no'",
                "word + '!'",
                "f'{$n}'",
                "('hi' if $t else word)",
                "str($n)",
                "word.upper()",
                "'%d' % $n",
            ),
            depth,
        )

    def test(self, depth):
        if depth > 2 or self.flag(0.5):
            return self.fill(
                self.pick(f"$n {self.pick('<', '>', '==', '!=', '<=')} $n", "$n % 2 == 0", "$f < $f"), depth
            )
        return self.fill(
            self.random.choice(TEST_FORMS + [f for t in self.there for f in TOPIC_TESTS.get(t, ())]), depth
        )

    # Statements.

    def statement(self, depth, loop):
        self.budget -= 1
        kinds = ["simple"] * 8
        if depth < 4 and self.budget > 0:
            kinds += ["if_", "if_", "if_", "while_", "for_", "for_", "match_", "with_", "try_", "def_"]
        if loop:
            kinds += ["jump"]
        if depth > 0 and self.flag(0.3):
            kinds += ["return_"]
        return getattr(self, "write_" + self.random.choice(kinds))(depth, loop)

    def write_simple(self, depth, loop):
        forms = SIMPLE[self.random.choice(self.topics)]
        return self.fill(self.random.choice(forms)).split("\n")

    def write_if_(self, depth, loop):
        lines = [self.fill("if $T:"), *self.block(depth + 1, loop)]
        for _ in range(self.pick(0, 0, 0, 1, 2)):
            lines += [self.fill("elif $T:"), *self.block(depth + 1, loop)]
        return lines + (["else:", *self.block(depth + 1, loop)] if self.flag() else [])

    def otherwise(self, depth, loop):
        return ["else:", *self.block(depth + 1, loop)] if self.flag(0.2) else []

    def write_while_(self, depth, loop):
        turn = self.fresh()
        test = self.fill(
            self.pick(
                f"{turn} < n",
                f"{turn} < {self.random.randint(0, 4)}",
                f"{turn} < m and $t",
                f"{turn} < 4 and $T",
                f"not ({turn} >= n or $t)",
            )
        )
        return [
            f"{turn} = 0",
            f"while {test}:",
            f"    {turn} += 1",
            *self.block(depth + 1, True),
            *self.otherwise(depth, loop),
        ]

    def write_for_(self, depth, loop):
        head = self.fill(self.pick(
            "for $1 in range(n):", "for $1 in range(n):", "for $1 in range(3):", "for $v in range(m % 4):", "for $1 in range(1, n + 2, 2):", "for $1 in b:", "for $1, $2 in enumerate(d):",
            "for $1, $2 in zip(b, d):", "for $1 in a:", "for $1 in tf.range(n):", "for $1 in reversed(range(n)):",
            "for $1 in range(len(b)):", "for $1 in range(len(b)):", "for $1 in range(a.shape[0]):", "for $v in range(len(b) - 1, 0, -1):",
            *(("for $1 in list(items):", "for $1, $2 in enumerate(items[:4]):", "for $1 in items[:3]:") if "lists" in self.there else ()),
        ))  # fmt: skip
        return [head, *self.block(depth + 1, True), *self.otherwise(depth, loop)]

    def write_match_(self, depth, loop):
        lines = [self.fill(self.pick("match $N % 4:", "match ($v, $N % 3):"))]
        single = "(" not in lines[0][:8]
        for _ in range(self.pick(1, 2)):
            case = (
                self.pick("0", "1 | 2", "$1 if $1 > $n")
                if single
                else self.pick("(0, _)", "($1, 1) if $1 > $n", "(_, 0 | 1)", "($1, $2) if $1 > $2")
            )
            lines += ["    " + self.fill(f"case {case}:"), *("    " + line for line in self.block(depth + 1, loop))]
        return [*lines, "    case _:", *("    " + line for line in self.block(depth + 1, loop))]

    def write_with_(self, depth, loop):
        return [
            self.fill(
                self.pick(
                    "with nullcontext($N) as $v:",
                    "with nullcontext():",
                    "with noted(items, $n) as $v:" if "lists" in self.there else "with nullcontext():",
                )
            ),
            *self.block(depth + 1, loop),
        ]

    def write_try_(self, depth, loop):
        lines = ["try:", *self.block(depth + 1, loop)]
        if self.flag(0.6):
            return [*lines, "finally:", *self.block(depth + 1, loop and self.flag())]
        return [*lines, "except ZeroDivisionError:", *self.block(depth + 1, loop)]

    def write_def_(self, depth, loop):
        name = self.fresh("g")
        how = self.pick("read", "write", "lambda", *(["array"] if "writes" in self.topics else []))
        if how == "write":
            lines = [f"def {name}(k):", "    nonlocal $v", "    if $t: x, y = k, $n", "    return $n"]
            lines = [f"def {name}(k):", "    nonlocal x, y", "    if $T:", "        x, y = k, $n", "    return y"]
        elif how == "array":
            lines = [f"def {name}(r, k=1):", "    if k > $n:", "        r[k % 4] = $f", "    return r * 2"]
            return [self.fill(line) for line in lines] + [
                self.fill(f"$b = {name}({self.pick('$b', '$b.copy()', 'a[0]')}, $n)")
            ]
        elif how == "lambda":
            return [
                self.fill(f"{name} = (lambda k: k + $n) if $T else (lambda k: $v - k)"),
                self.fill(f"$v = {name}($N)"),
            ]
        else:
            lines = [f"def {name}(k):", "    if k > $n: return $v", "    return k"]
        return [self.fill(line) for line in lines] + [
            self.fill(f"$v = {name}($N)").replace("n = ", "z = ").replace("m = ", "y = ")
        ]

    def write_jump(self, depth, loop):
        return (
            [self.fill("if $T:"), f"    {self.pick('break', 'continue')}"]
            if self.flag(0.7)
            else [self.pick("break", "continue")]
        )

    def write_return_(self, depth, loop):
        return [self.result]


def write(random):
    """A function of two arrays and two numbers."""
    topics = random.sample(TOPICS, random.choice((1, 2, 2, 3)))
    if random.random() < 0.1:
        topics.append(random.choice(RARE))
    writer = Writer(random, topics)
    body = [START[topic][0] for topic in writer.there]
    for _ in range(random.randint(1, 5)):
        body += writer.statement(0, False)
    dtype = random.choice(("float64", "float64", "float32"))
    rows = []
    for n, m in random.sample([(0, 0), (3, 1), (2, 5), (1, 8), (4, -2)], 3):
        a = [[random.randint(-16, 16) / 4 for _ in range(4)] for _ in range(3)]
        b = [random.randint(-16, 16) / 4 for _ in range(4)]
        rows.append(f"    [np.array({a}, {dtype!r}), np.array({b}, {dtype!r}), np.int64({n}), np.int64({m})],")
    unknown = random.choice(("[(None, None), (None,), (), ()]", "[(3, None), (None,), (), ()]", "[None, None, (), ()]"))
    head = [HEADER + "ARGUMENTS = [", *rows, "]", f"OPEN = {unknown}"]
    result = writer.result if random.random() < 0.5 else f"return {START[random.choice(writer.there)][1]}, x"
    return "\n".join([*head, "def f(a, b, n, m):", *("    " + line for line in body), f"    {result}", ""])
