"""Dictionaries, sets and queues whose keys or items only the graph knows, where a clause of the program's is around."""

import collections

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load

# What is done with one `x` of an array of floats, and what is told in the end.
DONE = {
    "a set of floats": ("c = set()", "c.add(x)", "len(c)"),
    "a set of ints": ("c = set()", "c.add(int(x))", "len(c), 2 in c"),
    "a set that has one": ("c = {xs[0]}", "c.add(x)", "len(c)"),
    "a set of pairs": ("c = set()", "c.add((x, int(x)))", "len(c)"),
    "a set that loses some": ("c = set(xs)", "c.discard(x) if x > 2 else c.add(-x)", "len(c)"),
    "a dictionary of floats": ("c = {}", "c[x] = c.get(x, 0) + 1", "len(c), sum(c.values())"),
    "a dictionary of ints": ("c = {}", "c[int(x)] = x", "len(c), list(c.values())"),
    "a dictionary of lists": ("c = {}", "c.setdefault(int(x), []).append(x)", "len(c), [len(v) for v in c.values()]"),
    "a counter": ("c = collections.Counter()", "c[int(x)] += 1", "c[1], len(c)"),
    "a dictionary that lacks some": ("c = {1.0: 2.0, xs[-1]: 3.0}", "t += c[x]", "t, len(c)"),
    "a set that lacks some": ("c = set(xs[1:])", "c.remove(x)", "len(c)"),
    "a queue": ("c = collections.deque()", "c.append(x) if x < 3 else c.popleft()", "len(c), list(c)"),
}  # fmt: skip

FORMS = {
    "a loop in a clause": """
def f(xs):
    t = 0
    {made}
    try:
        for x in xs:
            {done}
            if x > 4:
                raise ValueError(x)
    except (ValueError, LookupError) as error:
        return type(error).__name__, {told}
    return {told}
""",
    "a clause in a loop": """
def f(xs):
    t = n = 0
    {made}
    for x in xs:
        try:
            {done}
        except (ValueError, LookupError):
            n += 1
    return n, {told}
""",
    "a clause that ends a loop": """
def f(xs):
    t = 0
    {made}
    for x in xs:
        try:
            {done}
            if x > 4:
                raise ValueError(x)
        except Exception:
            break
    return t, {told}
""",
}

GIVEN = ([1.0, 2.0, 1.0], [3.0, 2.5], [2.0, 5.0, 1.0], [1.0, 1.0, 1.0, 2.0, 0.5])


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    "made, done, told",
    # Machine code gives up where a clause ends a loop that enters lists, and NumPy finds the same.
    [pytest.param(*one, marks=pytest.mark.numpy_may_take_over if "list" in name else ()) for name, one in DONE.items()],
    ids=DONE,
)
def test_a_clause_changes_nothing_of_what_is_done_with_keys(made, done, told, form, jit_compile):
    text = form.format(made=made, done=done, told=told)
    names = {"np": np, "collections": collections}
    plain = load(text, **names)
    staged = runtime.function(load(text, **names), numpy=True, jit_compile=jit_compile)
    for xs in GIVEN:
        assert repr(staged(np.array(xs))) == repr(plain(np.array(xs))), text
