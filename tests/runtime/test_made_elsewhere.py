"""What a function that is called makes, and copies of what was there before, are the graph's to change."""

import numpy as np
import pytest

import runtime
from tests.programs import load, outcome

LISTS = ["[0, 0, 0]", "[0] * 3", "[0 for _ in range(3)]", "[*START]", "START[:]", "START.copy()", "sorted(START)"]
LISTS += ["copy.copy(START)", "copy.deepcopy(START)", "START * 2", "START[1:] + START[:1]", "TABLE[1][:]"]
TABLES = ["[[0] * 3 for _ in range(3)]", "[START[:], START[:]]", "copy.deepcopy(TABLE)"]
TABLES += ["[row.copy() for row in TABLE]"]
HASHED = ["{}", "{7: 1}", "{i: 0 for i in range(2)}", "COUNTS.copy()", "copy.deepcopy(COUNTS)"]
SETS = ["{7}", "{i for i in range(2)}", "SEEN.copy()"]

CHANGES = {
    "made[x] += 1": LISTS,
    "made.append(x)": LISTS,
    "made[x][0] += x": TABLES,
    "made[x] = made.get(x, 0) + 1": HASHED,
    "made.add(x)": SETS,
}

START = """
import copy
from dataclasses import dataclass, field

START = [3, 1, 2]
TABLE = [[1, 2, 3], [4, 5, 6]]
COUNTS = {1: 5}
SEEN = {1, 8}
"""

PROGRAMS = {
    "returned": """
def make():
    return {made}

def f(xs):
    made = make()
    for x in xs:
        {change}
    return made
""",
    "one of several that are returned": """
def make(both):
    if both:
        return {made}, {made}
    return {made}, None

def f(xs):
    other, made = make(True)
    for x in xs:
        {change}
    return made, other
""",
    "of a lambda": """
def f(xs):
    make = lambda: {made}
    made, other = make(), make()
    for x in xs:
        {change}
    return made, other
""",
    "of a method": """
class Holder:
    def __init__(self):
        self.made = self.make()

    def make(self):
        return {made}

    def put(self, x):
        made = self.made
        {change}

def f(xs):
    holder = Holder()
    for x in xs:
        holder.put(x)
    return holder.made
""",
    "of a generator": """
def make():
    for _ in range(2):
        yield {made}

def f(xs):
    out = []
    for made in make():
        for x in xs:
            {change}
        out.append(made)
    return out
""",
    "of a data class": """
@dataclass
class Inner:
    made: object = field(default_factory=lambda: {made})

@dataclass
class Outer:
    made: object = field(default_factory=lambda: {made})
    inner: Inner = field(default_factory=Inner)

def f(xs):
    outer = Outer()
    for x in xs:
        made = outer.made
        {change}
        made = outer.inner.made
        {change}
    return outer.made, outer.inner.made, Outer().made
""",
    "a value of a dictionary": """
def f(xs):
    tables = [
        {{k: {made} for k in range(2)}}, dict(zip("ab", ({made}, {made}))), dict((k, {made}) for k in "ab"),
        dict(a={made}, b={made}),
    ]
    for table in tables:
        for key in sorted(table)[:1]:
            made = table[key]
            for x in xs:
                {change}
    return tables
""",
    "a variable": """
def f(xs):
    made = {made}
    for x in xs:
        {change}
    return made
""",
    "an argument": """
def change(made, xs):
    for x in xs:
        {change}
    return made

def f(xs):
    return change({made}, xs)
""",
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_what_is_made_elsewhere_is_changed(program, change):
    for made in CHANGES[change]:
        source = START + PROGRAMS[program].format(made=made, change=change)
        plain, other = load(source), load(source)
        graph = runtime.function(numpy=True, jit_compile=False)(other)
        for xs in ([1, 0, 1], []):
            wanted, found = (outcome(one, np.array(xs, int)) for one in (plain, graph))
            assert repr(found) == repr(wanted), (source, xs)
            for name in ("START", "TABLE", "COUNTS", "SEEN"):
                assert other.__globals__[name] == plain.__globals__[name], source


def test_a_slice_of_an_array_stays_a_part_of_it():
    source = """
import numpy as np

BASE = np.arange(3)

def f(xs):
    part = BASE[1:]
    for x in xs:
        part[x] += 1
    return part
"""
    plain, other = load(source), load(source)
    xs = np.array([1, 0, 1])
    assert np.array_equal(runtime.function(numpy=True)(other)(xs), plain(xs))
    assert np.array_equal(other.__globals__["BASE"], plain.__globals__["BASE"])


SHOWN = ["{x: y}", "{x, y, 7}", "({x: 1}, [{y: x}], {x})", "y in {x, 2}", "{x: 5, 2: 6}[x]", "len({x, y})"]
SHOWN += ["{(x, y): y - x}"]


@pytest.mark.parametrize("shown", SHOWN)
def test_keys_of_a_display_may_be_the_graphs(shown):
    alone = f"def f(xs):\n    x, y = xs[0]\n    one = {shown}\n    return one, {shown}\n"
    many = f"def f(xs):\n    out = []\n    for x, y in xs:\n        one = {shown}\n        out.append(one)\n"
    for program in (alone, f"{many}    return out\n"):
        plain, graph = load(program), runtime.function(numpy=True, jit_compile=False)(load(program))
        for xs in ([[1, 2], [3, 3]], [[2, 2]]):
            wanted, found = (outcome(one, np.array(xs)) for one in (plain, graph))
            assert repr(found) == repr(wanted), program
