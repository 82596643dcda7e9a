"""Variables that a loop of the graph gives another container or object in some iterations only."""

import numpy as np
import pytest

import runtime
from tests.programs import load, outcome

MADE = {
    "a dictionary": ("{x: 1.0 for x in xs}", "new[xs[0]] = state[xs[0]] / 2 + 0.25", "state[xs[0]]"),
    "a dictionary that grows": ("{x: 1.0 for x in xs}", "new[xs[0] + i] = state[xs[0]] / 2 - i", "len(state)"),
    "a set": ("{x for x in xs}", "new.add(xs[0] + len(state))", "len(state)"),
    "a list": ("[x for x in xs]", "new.append(state[-1] / 2)", "state[-1]"),
    "an object with a list": ("Held(xs[0])", "new.xs.append(state.xs[-1] / 2)", "state.xs[-1]"),
}

START = """
class Held:
    def __init__(self, x):
        self.xs = [x]

def told(state):
    return getattr(state, "xs", state)
"""

PROGRAMS = {
    "unless the loop ends": """
def f(xs, n):
    state = {made}
    for i in range({n}):
        new = {made}
        {change}
        if i > 4 or {asked} > 8:
            break
        state = new
    return told(state), i
""",
    "where it is better": """
def f(xs, n):
    state, best, at = {made}, 99, -1
    for i in range({n}):
        new = {made}
        {change}
        if (i - 2) ** 2 + {asked} < best:
            state, best, at = new, (i - 2) ** 2, i
    return told(state), best, at
""",
    "and the one before is kept": """
def f(xs, n):
    state = {made}
    first = state
    for i in range({n}):
        new = {made}
        {change}
        if {asked} > 7:
            break
        state = new
    return told(state), told(first), state is first
""",
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("n", ["n[0]", "40"])
def test_what_some_iterations_make_anew(program, made, n):
    new, change, asked = MADE[made]
    source = START + PROGRAMS[program].format(made=new, change=change, asked=asked, n=n)
    plain, other = (load(source, __name__="program") for _ in range(2))
    graph = runtime.function(numpy=True, jit_compile=False)(other)
    for count in (8, 1):
        wanted, found = (outcome(one, np.array([3, 1, 2]), np.array([count])) for one in (plain, graph))
        assert repr(found) == repr(wanted), source
