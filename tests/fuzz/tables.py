"""Programs on lists of lists: rows that have several names, are written, exchanged, copied and put elsewhere."""

from __future__ import annotations

import copy

import numpy as np

import runtime as tf
from tests.fuzz.compare import PLAIN, Failure, Report, TooLong, at_most, is_internal, is_refusal, kind_of, refused
from tests.programs import load

ROWS, WIDTH = 6, 5
SIZES = [(2, 3), (0, 4), (4, 1), (3, 3), (1, 0)]
HEAD = """\
import copy
def put(x, i, j):
    x[i][j] = 33
def get(x, i):
    return x[i]
"""
VALUES = "7|-3|100|t[n][k]|t[0][k]|u[k][1]|r[0]|q[k]|t[1][2] + 1|sum(t[n])|len(u)|max(r)|n".split("|")
TESTS = "n > k|n > 1|k % 2 == 0|t[n][k] > 10|r[0] < 3".split("|")
TABLES = "[w[:] for w in t]|[list(w) for w in u]|copy.deepcopy(t)|[[x for x in w] for w in t]|t[::-1]|sorted(t)".split(
    "|"
)
METHODS = "reverse()|sort()|append(3)|pop()|insert(0, 4)|extend([1, 2])".split("|")


class Writer:
    def __init__(self, random):
        self.random, self.counter = random, ""

    def pick(self, *values):
        return self.random.choice(values)

    def index(self):
        return self.pick("n", "k", "0", "1", "2", "-1", *[self.counter] * 4 * bool(self.counter))

    def row(self):
        return self.pick(f"t[{self.index()}]", f"u[{self.index()}]", "r", "q", f"t[{self.index()}]")

    def new_row(self):
        row = self.row()
        return self.pick(
            row, row, row, f"{row}[:]", f"list({row})", "[1] * 5", f"[v + 1 for v in {row}]", f"{row}[::-1]"
        )

    def simple(self):
        row, other, table, name = self.row(), self.row(), self.pick("t", "u"), self.pick("r", "q")
        a, b, value = self.index(), self.index(), self.random.choice(VALUES)
        weighted = [
            (32, f"{row}[{a}] {self.pick('=', '=', '+=', '-=')} {value}"),
            (20, f"{name} = {self.new_row()}"),
            (8, f"{table}[{a}] = {self.pick(f'{row}[:]', '[1] * 5', f'[v + 1 for v in {row}]', '[0] * len(r)')}"),
            (5, f"{table}[{a}], {table}[{b}] = {table}[{b}], {table}[{a}]"),
            (3, "s += len(t)"),
            (3, f"{table} = {self.random.choice(TABLES)}"),
            (2, f"{name} = {table}.pop({self.pick('', '0', '-1')})"),
            (2, f"{table}.append({self.new_row()})"),
            (2, f"{table}[{a}] = {row}"),
            (2, "r, q = q, r"),
            (2, "t, u = u, t"),
            (3, f"{row}.{self.random.choice(METHODS)}"),
            (3, f"s += {value}"),
            (3, f"put({table}, {a}, {b})"),
            (2, f"r = get({table}, {a})"),
            (2, f"box[0] = {row}"),
            (2, f"box[0][{a}] = 55"),
            (2, f"{row}[:] = {self.new_row()}[:]"),
            (2, f"s += len({row}) + min({row})"),
            (2, f"r = {row} if {self.random.choice(TESTS)} else {other}"),
            (2, f"for w in {table}: w[{a}] += 1"),
            (2, f"s += {row} == {other}"),
        ]
        return self.random.choices([text for _, text in weighted], [weight for weight, _ in weighted])[0]

    def statements(self, count, depth=0):
        return [line for _ in range(count) for line in self.statement(depth)]

    def statement(self, depth):
        chance = self.random.random()
        if depth == 2 or chance > 0.25:
            return [self.simple()]
        inner = self.random.randint(1, 3)
        if chance < 0.13:
            before, self.counter = self.counter, "ij"[depth]
            items = self.pick("range(n)", "range(k)", "range(3)", "range(n, 3)")
            made = [f"for {self.counter} in {items}:", *indented(self.statements(inner, depth + 1))]
            self.counter = before
            return made
        made = [f"if {self.random.choice(TESTS)}:", *indented(self.statements(inner, depth + 1))]
        if self.random.random() < 0.5:
            made += ["else:", *indented(self.statements(inner, depth + 1))]
        return made


def indented(lines):
    return [f"    {line}" for line in lines]


def write(random):
    writer = Writer(random)
    given = random.random() < 0.5
    start = [] if given else [
        f"t = [[i * 10 + j for j in range({WIDTH})] for i in range({ROWS})]",
        f"u = [[i * 10 - j for j in range({WIDTH})] for i in range({ROWS})]",
    ]  # fmt: skip
    start += ["r = t[0]", "q = [4] * 5", "box = [q]", "s = 0"]
    body = [*start, *writer.statements(random.randint(2, 5)), "return t, u, r, q, s, box[0]"]
    head = "def f(t, u, n, k):" if given else "def f(n, k):"
    return "\n".join([HEAD + head, *indented(body), ""])


def plain(value):
    """A value with Python's numbers, whose text shows all that there is."""
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def arguments(given):
    """The arguments of each call."""
    for n, k in SIZES:
        tables = [[[i * 10 + sign * j for j in range(WIDTH)] for i in range(ROWS)] for sign in (1, -1)] if given else []
        yield (*tables, np.int64(n), np.int64(k))


def outcome(function, row):
    """What a call gives, what it leaves in its arguments, and in the lists that these held."""
    row = copy.deepcopy(row)
    held = [one for table in row if isinstance(table, list) for one in table]
    try:
        return repr(plain((function(*row), row, held)))
    except Exception as error:
        return error


def check(text, random):
    """Run a program in every form; `random` decides which of the slow ones."""
    try:
        function = load(text)
    except SyntaxError:
        return Report([], [], ran=False)
    rows = [*arguments("def f(t," in text)]
    try:
        with at_most(PLAIN):
            wanted = [outcome(function, row) for row in rows]
    except TooLong:
        return Report([], [], ran=False)
    report = Report([], [], ran=any(not isinstance(w, Exception) for w in wanted))
    choose = 0.0 if random is None else random.random()
    forms = [("numpy", False)] + [("default", None)] * (choose < 0.3) + [("native", True)] * (choose < 0.15)
    for form, jit_compile in forms:
        graph = tf.function(function, numpy=True, jit_compile=jit_compile)
        for number, (row, expected) in enumerate(zip(rows, wanted)):
            mine = outcome(graph, row)
            if isinstance(mine, Exception):
                if isinstance(expected, Exception) and isinstance(mine, type(expected)):
                    continue
                if is_refusal(mine) and not is_internal(mine):
                    report.refusals.append(refused(mine))
                    break
                if isinstance(expected, Exception) and not is_internal(mine):
                    continue
                report.failures.append(Failure(f"{form}: {kind_of(mine)}", f"row {number}: {expected!r}", f"{mine!r}"))
                break
            if isinstance(expected, Exception):
                if isinstance(expected, IndexError | ValueError):  # of what is computed in vain nobody is told
                    continue
                report.failures.append(Failure(f"{form}: returns", f"row {number}: {expected!r}", mine))
                break
            if mine != expected and not _equal(mine, expected):
                report.failures.append(Failure(f"{form}: another value", f"row {number}: {expected}", mine))
                break
    return report


def _equal(mine, expected):
    """Whether two texts show equal values: bools that were added are NumPy's, or ints."""
    return eval(mine) == eval(expected)
