"""Every kind of value meets every other in a variable: after a branch, in a loop, as what a function returns.

The graph gives what Python gives, or refuses the program by the name of the variable; that is left to the pairs of
which no graph could tell what they have in common.
"""

import itertools
from collections import namedtuple
from dataclasses import dataclass

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import load

Pair = namedtuple("Pair", "a b")


@dataclass
class Point:
    x: object
    y: object = 0


class Box:
    def __init__(self, n):
        self.n = n

    def more(self, n):
        return self.n + n


class Bag(Box):
    pass


def double(n):
    return n * 2


def grown(n):
    items = []
    for i in tf.range(n):
        items.append(i)
    return items


WHOLE, REAL, TRUTH, TEXT, LIST, ANYTHING, MADE = "integers", "reals", "truths", "texts", "lists", "anything", "made"
VALUES = [  # each with what it can be joined with
    ("3", {WHOLE, REAL, TRUTH}),
    ("0.5", {WHOLE, REAL, TRUTH}),
    ("True", {TRUTH}),
    ("'a'", {TEXT}),
    ("None", {ANYTHING}),
    ("n + 1", {WHOLE}),
    ("tf.cast(n, tf.float64) * 0.5", {REAL}),
    ("n > 1", {TRUTH}),
    ("tf.stack([n, n])", {WHOLE}),
    ("tf.stack([n, n, 1])", {WHOLE}),
    ("np.array([5, 6])", {WHOLE}),
    ("(n, 1)", {"pairs"}),
    ("(n, (1, 2))", {"nested pairs"}),
    ("Pair(n, 2)", {"named pairs"}),
    ("[]", {LIST}),
    ("[n, 1]", {LIST}),
    ("[n, 1, 2]", {LIST}),
    ("grown(n)", {LIST}),
    ("{'a': n}", {"a"}),
    ("{'a': n, 'b': 1}", {"a and b"}),
    ("Point(n, 1)", {"points"}),
    ("Point(n, (1, n))", {"nested points"}),
    ("Box(n)", {ANYTHING, MADE}),
    ("Bag(n)", {ANYTHING, MADE}),
    ("BOX", {ANYTHING}),
    ("double", {ANYTHING}),
    ("(lambda k: k - 1)", {ANYTHING}),
    ("BOX.more", {ANYTHING, MADE}),
    ("Bag", {ANYTHING}),
]
FORMS = {
    "branch": "if n > 2:\n    y = {}\nelse:\n    y = {}\nreturn y",
    "before": "y = {}\nif n > 2:\n    y = {}\nreturn y",
    "loop": "y = {}\nfor i in tf.range(n - 2):\n    y = {}\nreturn y",
    "expression": "y = {} if n > 2 else {}\nreturn y",
    "returned": "if n > 2:\n    return {}\nreturn {}",
}
NAMES = {"tf": tf, "np": np, "Pair": Pair, "Point": Point, "Box": Box, "Bag": Bag, "double": double, "grown": grown}


def joins(form, a, b):
    """Whether a variable may be one or the other."""
    if form == "returned" or a & b - {MADE}:
        return form != "loop" or MADE not in b  # each iteration would make another
    return ANYTHING in a | b and not (form == "loop" and MADE in b)


def shown(value):
    if isinstance(value, Box):
        return type(value).__name__, shown(value.n)
    if isinstance(value, Point):
        return "point", shown(value.x), shown(value.y)
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return "list" if isinstance(value, list) else type(value).__name__, [shown(part) for part in value]
    if callable(value):
        return "calls", shown(value(5))
    plain = value if value is None else np.asarray(value).tolist()
    return plain.decode() if isinstance(plain, bytes) else plain


def check(form, first, second):
    (a, kinds), (b, others) = first, second
    body = FORMS[form].format(a, b).replace("\n", "\n    ")
    function = load(f"def f(n):\n    {body}\n", **NAMES, BOX=Box(7))
    graph = tf.function(function, jit_compile=False)
    for n in (1, 3, 4):
        wanted = shown(function(tf.constant(n, tf.int64)))
        try:
            found = shown(graph(tf.constant(n, tf.int64)))
        except StagingError as error:
            name = "the conditional expression" if form == "expression" else "'y"
            assert not joins(form, kinds, others) and name in str(error), (body, error)
            return
        assert found == wanted, (body, n)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("first", VALUES, ids=[text for text, _ in VALUES])
def test_two_values_in_a_variable(first):
    """Each pair in two forms; the pair the other way round is in two as well."""
    forms = itertools.islice(itertools.cycle(FORMS), VALUES.index(first), None)
    for second in VALUES:
        check(next(forms), first, second)
        check(next(forms), first, second)


OBJECTS = [  # two of each kind, and how one is changed
    ("[n, 1]", "[n, 2]", "y[0] = 9"),
    ("[n, 1]", "[n, 2]", "y.append(9)"),
    ("{'a': n}", "{'a': n + 1}", "y['a'] = 9"),
    ("Point(n, 1)", "Point(n, 2)", "y.x = 9"),
    ("Box(n)", "Box(n + 1)", "y.n = 9"),
    ("np.array([1, 2])", "np.array([3, 4])", "y[0] = 9"),
]
TWO_NAMES = [  # and for each of these whether a graph can tell what has changed (.) or may refuse it (x)
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = {b}\nif n > 2:\n    y = z\n{change}\nreturn y, z", "x.xxxx"),
    ("p = {a}\nz = {b}\ny = p if n > 2 else z\n{change}\nreturn y, p, z", "x.xxxx"),
    ("y = {a}\nz = [y]\nif n > 2:\n    y = {b}\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = Box(y)\nif n > 2:\n    y = {b}\n{change}\nreturn y, z.n", "x.xxxx"),
    ("y = {a}\nw = y\ndef z():\n    return w\nif n > 2:\n    y = {b}\n{change}\nreturn y, z()", "x.xxxx"),
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\n    z = y\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = {b}\nif n > 2:\n    z = y\n{change}\nreturn y, z", ".....x"),
    ("y = {a}\nif n > 2:\n    y = {b}\nz = y\n{change}\nreturn y, z", "......"),
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\n    {change}\nreturn y, z", "......"),
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\nelse:\n    {change}\nreturn y, z", ".....x"),
    ("y = {a}\nz = y\nfor i in tf.range(n - 2):\n    y = {b}\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = y\nfor i in tf.range(n - 2):\n    y = {b}\n    {change}\nreturn y, z", "....x."),
    ("y = {a}\nz = y\nfor i in tf.range(n - 2):\n    {change}\n    y = {b}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = {b}\nfor i in tf.range(n - 2):\n    {change}\n    y, z = z, y\nreturn y, z", "x.xxx."),
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\nif n > 3:\n    {change}\nreturn y, z", "xxxxxx"),
    ("y = {a}\nz = y\nif n > 2:\n    if n > 3:\n        y = {b}\n    {change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = y\nif n > 2:\n    y = {b}\ndef go(y):\n    {change}\ngo(y)\nreturn y, z", "x.xxxx"),
    ("if n > 2:\n    y = {a}\n    z = y\nelse:\n    y = {b}\n    z = y\n{change}\nreturn y, z", "......"),
    ("y = z = 0\nif n > 2:\n    y = {a}\n    z = y\nelse:\n    y = {b}\n    z = y\n{change}\nreturn y, z", "......"),
    ("if n > 2:\n    y = {a}\n    z = [y]\nelse:\n    y = {b}\n    z = [y]\n{change}\nreturn y, z", "......"),
    ("if n > 2:\n    y = {a}\n    z = y\nelse:\n    y = {b}\n    z = {a}\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = y\nfor i in tf.range(n - 2):\n    y = {b}\n    z = y\n{change}\nreturn y, z", "x.xxxx"),
    ("y = {a}\nz = y\nfor i in tf.range(n - 2):\n    {change}\nreturn y, z", ".....x"),
    ("y = {a}\nz = y\nif n > 2:\n    {change}\nreturn y, z", ".....x"),
    ("y = {a}\nz = y\nif n > 2:\n    {change}\n{change}\nreturn y, z", ".....x"),
    ("y = {a} if n > 2 else {b}\nz = y\n{change}\nreturn y, z", "......"),
    ("y, z = ({a}, 1) if n > 2 else ({b}, 2)\n{change}\nreturn y, z", "......"),
    (
        "def get():\n    if n > 2:\n        return {a}\n    return {b}\ny = get()\nz = y\n{change}\nreturn y, z",
        "......",
    ),
    (
        "def get():\n    if n > 2:\n        w = {a}\n        return w, w\n    w = {b}\n    return w, w\n"
        "y, z = get()\n{change}\nreturn y, z",
        "......",
    ),
]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form, known", TWO_NAMES)
def test_who_changes_an_object_by_one_name_changes_it_by_the_other(form, known):
    for (a, b, change), may_be in zip(OBJECTS, known):
        body = form.format(a=a, b=b, change=change).replace("\n", "\n    ")
        function = load(f"def f(n):\n    {body}\n", **NAMES)
        graph = tf.function(function, jit_compile=False)
        for n in (1, 3, 4):
            wanted = shown(function(tf.constant(n, tf.int64)))
            try:
                found = shown(graph(tf.constant(n, tf.int64)))
            except (StagingError, tf.errors.InaccessibleTensorError):
                assert may_be == "x", body
                break
            assert found == wanted, (body, n)


SIDES = [
    "pass", "o = Box(m, v)", "o = Box(m)", "o.more = 5", "o = Box(m, v)\no.more = 7", "o.v = v", "del o.v", "o = None",
    "o.more = v\no = Box(m)\no.more = 2", "o = Box(m, v)\ndel o.v", "o = Box(v, m)", "o.more = 5\ndel o.more",
]  # fmt: skip
READS = ["getattr(o, 'more', 0)", "hasattr(o, 'more')", "getattr(o, 'v', -1)", "(o.n, getattr(o, 'more', -1))"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("read", READS)
@pytest.mark.parametrize("orelse", SIDES)
@pytest.mark.parametrize("body", SIDES)
def test_objects_have_the_attributes_that_the_branch_left_them(body, orelse, read):
    """Or else the program is refused: an attribute that one branch has added, or taken away, is not lost."""
    indented = ["\n".join(f"        {line}" for line in side.splitlines()) for side in (body, orelse)]
    text = (
        "class Box:\n    def __init__(self, n, v=0.5):\n        self.n, self.v = n, v\n\n"
        f"def f(n, m, v):\n    o = Box(n)\n    if m > n:\n{indented[0]}\n    else:\n{indented[1]}\n    return {read}\n"
    )
    f = load(text)
    graph = tf.function(f, jit_compile=False)
    for n, m in ((3, 1), (1, 4)):
        given = np.int64(n), np.int64(m), np.float64(2.5)
        try:
            wanted = f(*given)
        except AttributeError:
            continue
        try:
            found = graph(*given)
        except (StagingError, AttributeError):
            continue
        assert [float(x) for x in tf.nest.flatten(found)] == [float(x) for x in tf.nest.flatten(wanted)]


@pytest.mark.parametrize("read", ["vars(o).get('more', 0)", "'more' in vars(o)", "len(o.__dict__)"])
def test_what_one_of_two_objects_holds_is_not_what_stands_for_it(read):
    f = load(
        "def f(n):\n    o = Box(n)\n    if n > 2:\n        o = Box(n + 1)\n    else:\n        o.more = 5\n"
        f"    return {read}\n",
        Box=Box,
    )
    with pytest.raises(StagingError, match="'o' .* is one of several objects, and only the graph knows which"):
        tf.function(f)(tf.constant(1))
    g = load(f"def f(n):\n    o = None\n    if n > 2:\n        o = Box(n)\n    return o.n, {read}\n", Box=Box)
    found, asked = tf.function(g)(tf.constant(3))
    assert (int(found), float(asked)) == (3, float(g(3)[1]))


SOMETIMES = ["if n > 2: o.b = n", "o.b = 1\n    if n > 2: del o.b", "if n > 2: setattr(o, 'b', n)"]


@pytest.mark.parametrize("made", SOMETIMES)
@pytest.mark.parametrize("read", ["len(vars(o))", "'b' in vars(o)", "sorted(vars(o))", "'b' in dir(o)", "[*vars(o)]"])
def test_attributes_that_are_there_in_some_cases_are_not_listed(made, read):
    f = load(f"def f(n):\n    o = Box(n)\n    {made}\n    return {read}\n", Box=Box)
    message = rf"{'dir' if 'dir' in read else 'vars'}\(\) tells at once .* whether this Box has 'b'. Ask hasattr"
    with pytest.raises(StagingError, match=message):
        tf.function(f)(tf.constant(1))


def test_attributes_that_are_there_in_all_cases_are_listed():
    f = load(
        "def f(n):\n    o = Box(n)\n    if n > 2: o.b = n\n    else: o.b = 5\n"
        "    return len(vars(o)), 'b' in vars(o), 'b' in dir(o), sum(vars(o).values())\n",
        Box=Box,
    )
    assert [int(x) for x in tf.function(f)(tf.constant(1))] == [2, True, True, 6]


# One of two objects, which only the graph finds; what is done to one of them by its own name; and what is read.
FOUND = {
    "objects": ("Box(b[0]), Box(b[1])", ["p.n = 7", "p.n += n", "q.n = p.n"], "c.n"),
    "lists": (
        "[b[0], 1.0], [b[1], 2.0]", ["p[0] = 7", "p[0] += n", "q[1] = p[0]", "p.append(4.0)", "q.pop()", "pass"],
        "list(c)",
    ),
    "dictionaries": ("{'k': b[0]}, {'k': b[1]}", ["p['k'] = 7", "p['k'] += n", "p.update(k=9)"], "c['k']"),
    "objects with lists": ("Box([b[0]]), Box([b[1]])", ["p.n[0] = 7", "p.n.append(3.0)", "p.n = q.n"], "list(c.n)"),
    "objects with arrays": ("Box(b * 1), Box(b * 2)", ["p.n[0] = 7", "p.n = q.n", "p.n *= 2"], "c.n"),
}  # fmt: skip
HOW_FOUND = [
    "c = [p, q][n % 2]", "c = (p, q)[n % 2]", "c = p if n % 2 else q", "c = {0: p, 1: q}[n % 2]",
    "c = p\nif n > 1: c = q", "c = q\nfor i in range(n): c = p", "rows = [p, q]\nc = rows[n % 2]",
    "k, c = [(1, p), (2, q)][n % 2]", "for c in (p, q):\n    if n % 2: break", "c = next(o for o in (p, q) if n > 0)",
    "c = [p, q, q][:2][n % 2]", "c = [lambda: p, lambda: q][n % 2]()", "def g(o=[p, q][n % 2]): return o\nc = g()",
    "h = Box(p)\nif n > 1: h.n = q\nc = h.n", "d = {'a': p}\nif n > 1: d['a'] = q\nc = d['a']",
    "c, e = p, q\nfor i in range(n): c, e = e, c", "def g(k):\n    if k > 1: return p\n    return q\nc = g(n)",
    "t = (p, q) if n > 1 else (q, p)\nc = t[0]", "c = sorted([(2 * n, 0, p), (3, 1, q)], key=lambda t: t[0])[0][2]",
    "c = sorted([p, q], key=lambda o: n if o is p else 2)[0]", "c, *rest = [p, q] if n > 1 else [q, p]",
    "c = p\nfor o, k in zip((p, q), (1, 2)):\n    if k == n: c = o",
]  # fmt: skip


def found_and_changed(made, choice, write, read):
    """A program that finds one of two objects, changes one of them and reads."""
    lines = [f"p, q = {made}", *choice.splitlines(), write, f"return {read}"]
    return load("def f(b, n):\n" + "".join(f"    {line}\n" for line in lines), Box=Box)


@pytest.mark.parametrize("choice", HOW_FOUND)
@pytest.mark.parametrize("kind", FOUND)
def test_an_object_that_the_graph_finds_is_that_object(kind, choice):
    made, writes, read = FOUND[kind]
    for write in writes:
        f = found_and_changed(made, choice, write, read)
        graph = tf.function(f, jit_compile=False)
        for n in (1, 2, 3):
            try:
                found = graph(np.array([4.0, 2.0, 3.0]), np.int64(n))
            except StagingError:
                continue
            wanted = f(np.array([4.0, 2.0, 3.0]), n)
            pairs = zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True)
            assert all(np.array_equal(x, y) for x, y in pairs), write


@pytest.mark.parametrize("choice", HOW_FOUND)
@pytest.mark.parametrize(
    "made, writes, read",
    [
        ("Box(b[0]), Box(b[1])", ["c.n = 7.0", "c.n += n", "setattr(c, 'n', b[2])", "c.n = n * b[2]"], "c.n, p.n, q.n"),
        ("[b[0], 1.0], [b[1], 2.0]", ["c[0] = 7.0", "c[-1] += n", "c[n - 1 - n] = b[2]", "c.append(n)"], "c, p, q"),
        ("{'k': b[0]}, {'k': b[1]}", ["c['k'] = 7.0", "c['k'] += n", "c.update(k=b[2])"], "c, p, q"),
    ],
)
def test_one_of_two_objects_is_changed(made, writes, read, choice):
    """Whoever knows the object by its own name sees it."""
    for write in writes:
        f = found_and_changed(made, choice, write, read)
        graph = tf.function(f, jit_compile=False)
        for n in (1, 2, 3):
            try:
                found = tf.nest.flatten(graph(np.array([4.0, 2.0, 3.0]), np.int64(n)))
            except StagingError as error:
                assert "append" in write and "changes in place, which would happen once" in str(error)  # noqa: PT017
                break
            wanted = tf.nest.flatten(f(np.array([4.0, 2.0, 3.0]), n))
            assert all(np.array_equal(x, y) for x, y in zip(found, wanted, strict=True)), write


def test_a_key_that_only_one_of_two_dictionaries_gets():
    f = load("def f(n):\n    p, q = {'k': 1}, {'k': 2}\n    c = p if n > 1 else q\n    c['z'] = 3\n    return c['z']\n")
    with pytest.raises(StagingError, match="a graph cannot have a key of a dictionary only in some cases"):
        tf.function(f)(tf.constant(1))


CHANGES = {
    "lists": ("[b[0], 1.0], [b[1], 2.0]", ["c[0] = 7.0", "c[1] += b[0]"]),
    "dictionaries": ("{'k': b[0]}, {'k': b[1]}", ["c['k'] = 7.0", "c['k'] += n"]),
    "objects": ("Box(b[0]), Box(b[1])", ["c.n = 7.0", "c.n += n"]),
    "arrays": ("b * 1, b * 2", ["c[0] = 7.0", "c += n"]),
}


@pytest.mark.parametrize("items", ["(p, q)", "[p, q]", "[o for o in (q, p)]", "reversed([p, q])"])
@pytest.mark.parametrize("kind", CHANGES)
def test_what_a_loop_that_may_end_does_to_its_items_is_seen_by_all_who_know_them(kind, items):
    made, changes = CHANGES[kind]
    parts = "(p.n, q.n, c.n)" if kind == "objects" else "(p, q, c)"
    for change in changes:
        f = load(
            f"def f(b, n):\n    p, q = {made}\n    for c in {items}:\n        if n % 2: break\n        {change}\n"
            f"        n += 1\n    return {parts}\n",
            Box=Box,
        )
        graph = tf.function(f, jit_compile=False)
        for n in (0, 1, 2):
            found = tf.nest.flatten(graph(np.array([4.0, 2.0]), np.int64(n)))
            wanted = tf.nest.flatten(f(np.array([4.0, 2.0]), n))
            assert all(map(np.array_equal, found, wanted)), change
