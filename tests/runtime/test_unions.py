"""Objects that a variable may or may not hold, as the graph decides: what is done to them is as in plain Python."""

import collections
import contextlib
import copy
import dataclasses
import functools
import itertools
import operator
import re
import textwrap
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as tf
from autograph import AutographError, StagingError
from autograph.errors import Refuses
from tests.programs import EXECUTORS, load


class Box:
    def __init__(self, v):
        self.v = v

    def put(self, v):
        self.v = v

    def __setitem__(self, key, v):
        self.v = v + key


@dataclasses.dataclass
class Pair:
    v: object
    w: object


# How one is made, and ways to write it.
OBJECTS = {
    "Box(n)": ("X.v = 5", "X.v += 5", "X.put(7)", "X[1] = 3", "setattr(X, 'v', n + 2)", "Box.put(X, n + 3)"),
    "Pair(n, [n])": ("X.v = 5", "X.w[0] = 5", "X.w.append(n)", "X.w = n", "X.v, X.w = 1, n"),
    "{'a': n, 'b': [n]}": ("X['a'] = 5", "X['a'] += 5", "X.update(a=7)", "X['b'][0] = 6", "X['b'] += [n]"),
    "[n, {'a': n}]": ("X[0] = 5", "X[0] += 5", "X[1]['a'] = 6", "X.append(n)", "X.pop()", "X[:] = [n]", "X.reverse()"),
    "SimpleNamespace(a=n, b=Box(n))": ("X.a = 5", "X.b.v = 5", "X.b.put(n + 4)", "X.b = Box(3)"),
    "np.arange(3) + n": ("X[0] = 5", "X += 5", "X[n:] = 7"),
}
# How a variable comes to hold it, or not.
PERHAPS = {
    "or None": "if n > 0: b = a\nelse: b = None",
    "or nothing": "if n > 0: b = a",
    "or another": "if n > 0: b = a\nelse: b = MADE",
    "None before": "b = None\nif n > 0: b = a",
    "from a loop": "for k in range(n):\n    b = a",
    "in a loop": "b = None\nfor k in range(3):\n    STATEMENT\n    b = a",
    "in a loop, unbound": "for k in range(3):\n    STATEMENT\n    b = a",
    "an item": "d = {'k': None}\nif n > 0: d['k'] = a\nb = d['k']",
    "of several": "b = None\nfor b in [None, a, None][n % 2:n % 2 + 1] if n < 0 else [a]: pass\nif n < 1: b = None",
    "of a function": "def get():\n    if n > 0: return a\n    return None\nb = get()",
    "of an expression": "b = a if n > 0 else None",
    "an attribute": "h = SimpleNamespace(x=None)\nif n > 0: h.x = a\nb = h.x",
}
# Where it is written.
STATEMENTS = {
    "branch": "if n > 1: WRITE",
    "else": "if n < 2: n = n + 0\nelse: WRITE",
    "loop": "for i in range(n): WRITE",
    "while": "i = 1\nwhile i < n:\n    i += 1\n    WRITE",
    "asked": "if b is not None: WRITE",
    "asked, and staged": "if b is not None and n > 1: WRITE",
    "function": "def w():\n    WRITE\nif n > 1: w()",
    "two branches": "if n > 1: WRITE\nelif n > 0:\n    n = n + 0\n    WRITE",
    "expression": "b is None or n < 2 or write(b)",
    "left": "for i in range(3):\n    if i >= n: break\n    WRITE",
    "plain": "WRITE",
}


def program(made, perhaps, statement, write):
    statement = statement.replace("WRITE", write.replace("X", "b"))
    way = "\n".join(
        line.replace("STATEMENT", statement.replace("\n", "\n" + " " * (len(line) - len(line.lstrip()))))
        for line in perhaps.replace("MADE", made).splitlines()
    )
    after = "" if "STATEMENT" in perhaps else statement
    lines = "\n".join([f"a = {made}", way, after, "return a, b if n > 0 else None"]).splitlines()
    inner = f"def write(x):\n    {write.replace('X', 'x')}\n    return True\n"
    return inner + "def f(n):\n" + "".join(f"    {line}\n" for line in lines)


def shown(value):
    if isinstance(value, Box | Pair | SimpleNamespace):
        return {key: shown(part) for key, part in vars(value).items()}
    if isinstance(value, dict):
        return {key: shown(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [shown(part) for part in value]
    return value if value is None else np.asarray(value).tolist()


def names():
    return {
        "Box": Box, "Pair": Pair, "SimpleNamespace": SimpleNamespace, "np": np, "tf": tf, "functools": functools,
        "collections": collections, "operator": operator, "given": given, "itself": itself,
    }  # fmt: skip


def outcome(function, n):
    try:
        return shown(function(np.int64(n)))
    except (AutographError, Refuses):
        raise
    except (AttributeError, NameError, TypeError):
        return "there is no such object"
    except Exception as error:
        return type(error).__name__


def disagreement(text, **options):
    """How a graph differs from Python; "refused" if it says that it cannot."""
    f = load(text, **names())
    graph = tf.function(f, **options)
    for n in (0, 1, 2, 3):
        try:
            found = outcome(graph, n)
        except (AutographError, Refuses) as error:
            return f"refused: {error}"
        if found != (wanted := outcome(f, n)):
            return f"n = {n}: {found}, not {wanted}\n{text}"
    return ""


@pytest.mark.sampled(8)
@pytest.mark.parametrize("perhaps", PERHAPS)
@pytest.mark.parametrize("made", OBJECTS)
def test_what_is_done_to_an_object_that_may_be_there_is_done_where_python_does_it(made, perhaps):
    writes = OBJECTS[made]
    for number, statement in enumerate(STATEMENTS.values()):
        for write in {writes[number % len(writes)], writes[-1 - number % len(writes)]}:
            found = disagreement(program(made, PERHAPS[perhaps], statement, write), jit_compile=False)
            assert not found or found.startswith("refused"), found


@pytest.mark.sampled(4)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("perhaps", ["or None", "or nothing", "None before", "in a loop", "of a function", "an item"])
def test_attributes_and_items_of_what_may_be_none_can_be_written(perhaps, jit_compile):
    for made, write in (("Box(n)", "X.v = n + 5"), ("Box(n)", "X.put(7)"), ("{'a': n, 'b': [n]}", "X['a'] += 5")):
        for statement in STATEMENTS.values():
            text = program(made, PERHAPS[perhaps], statement, write)
            assert not disagreement(text, jit_compile=jit_compile), text


METHODS = {
    "{'a': n}": ("update", "a=7"), "{'a': [n]}": ("__setitem__", "'a', [7]"), "[n, 1]": ("append", "7"),
    "[n, 2, 1]": ("reverse", ""), "[3, 1, 2]": ("sort", ""), "{3, 1, 2}": ("add", "9"),
    "collections.deque([n, 5])": ("append", "3"), "Box(n)": ("__setattr__", "'v', 9"),
    "Pair(n, 1)": ("__init__", "3, n"),
    "bytearray(b'abc')": ("extend", "b'd'"), "{1: n, 2: n}": ("clear", ""), "np.arange(3)": ("fill", "3"),
}  # fmt: skip
HELD = {
    "by a variable": "u = a.METHOD", "by an attribute": "h = SimpleNamespace(u=a.METHOD)\nu = h.u",
    "by a partial function": "u = functools.partial(a.METHOD)", "by one of two": "u = a.METHOD if n > 0 else a.METHOD",
    "by an item": "u = [a.METHOD][0]", "by a function": "w = a.METHOD\ndef u(*x, **y): w(*x, **y)",
    "by what applies it": "w = a.METHOD\ndef u(*x, **y): list(map(lambda _: w(*x, **y), [0]))",
    "as a descriptor": "u = functools.partial(type(a).METHOD, a)",
}  # fmt: skip


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("made", METHODS)
def test_what_a_method_that_is_held_changes_is_found(made, held):
    method, arguments = METHODS[made]
    for where in ("if n > 1: CALL", "for i in range(n): CALL", "n < 2 or CALL"):
        call = where.replace("CALL", f"u({arguments})")
        last = "return list(a) if isinstance(a, set | bytearray | collections.deque) else a"
        lines = [f"a = {made}", *HELD[held].replace("METHOD", method).splitlines(), call, last]
        text = "def f(n):\n" + "".join(f"    {line}\n" for line in lines)
        found = disagreement(text, jit_compile=False)
        assert not found or found.startswith("refused"), found


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "body",
    [
        "put = a.append\nfor i in range(n): put(i * 2)",
        "put, take = a.append, a.pop\nwhile n > 1:\n    if n % 2 == 0: put(n)\n    else: take()\n"
        "    if n % 2 == 1: put(n)\n    n -= 1",
        "b = [7]\nadd = a.append if n > 1 else b.append\nadd(3)\na.extend(b)",
    ],
)
def test_methods_of_lists_made_here_can_be_held(body, jit_compile):
    lines = ["a = [n]", *body.splitlines(), "return a"]
    text = "def f(n):\n" + "".join(f"    {line}\n" for line in lines)
    assert not disagreement(text, jit_compile=jit_compile)


ASKED = (
    "b == None", "b != None", "b in (None,)", "b not in [None, 3]", "not b", "bool(b)", "1 if b else 2", "b is a",
    "b is not a", "b == a", "a == b", "b and 3", "b or 3", "(b and b.v) or 0", "b.v if b else 0",
    "b.v if b is not None else -1", "b is None or b.v > 0", "isinstance(b, Box)", "isinstance(b, (Box, int))",
    "isinstance(b, type(None))", "[b][0] is None", "{'k': b}['k'] is None", "(b, 1)[0] is None", "b in [a]",
    "b in [a, None]", "[a, None].index(b)", "[None, a].count(b)", "str(b) == 'None'", "f'{b}' == 'None'", "any([b])",
    "all([b, 1])", "[x for x in [b] if x is not None]", "[x is None for x in (b, a)]",
    "len([x for x in (b, a) if x])", "next((x.v for x in (b, a) if x is not None), 9)",
    "max((0 if x is None else x.v) for x in (b, a))", "sum(x is None for x in (b, a, None))",
    "(lambda q: q is None)(b)", "(lambda q=b: q is None)()", "(lambda *q: q[0] is None)(b)",
    "(lambda **q: q['z'] is None)(z=b)", "dict(z=b)['z'] is None", "list(map(lambda q: q is None, [b]))",
    "list(filter(None, [b, a])) == [a]", "itself(b) is None", "SimpleNamespace(v=b).v is None",
    "b if b is None else b.v", "operator.eq(b, None)", "functools.reduce(lambda p, q: p + (q is None), [b, a], 0)",
    "sorted([1 if b is None else 2, 0])", "None is b", "None == b", "(z := b) is None", "not (b is None)",
    "b is None and n > 0", "int(b is None)", "(b is None) + 1", "np.where(b is None, 1, 2)",
    "tf.cond(b is None, lambda: 1, lambda: 2)",
)  # fmt: skip
STATED = (
    "match b:\n    case None: r = 1\n    case Box(v=v): r = v\n    case _: r = 3",
    "match b:\n    case Box(): r = 1\n    case _: r = 2",
    "match (b, n):\n    case (None, _): r = 1\n    case (x, k): r = k", "if b: r = 1\nelse: r = 2",
    "if not b: r = 1\nelse: r = 2", "if b == None: r = 1\nelse: r = 2",
    "r = 0\nwhile b is not None and r < 3: r += 1", "r = 0\nwhile b:\n    r += 1\n    b = None",
    "r = 0\nfor x in [b, a, None]:\n    if x is not None: r += x.v",
    "r = 0\nfor k, x in enumerate((b, a)):\n    if x is None: continue\n    r += k + 1",
    "r = 0\nfor x, y in zip([b], [1]):\n    if x is None: r = y", "assert b is not None or n < 1\nr = 1",
    "r = 0\nif b is None: return 7, 8\nr = b.v", "x, y = b, a\nr = x is None",
    "x = y = b\nr = (x is None, y is None)", "x = [b]\nr = x.pop() is None", "x = {}\nx['q'] = b\nr = x['q'] is None",
    "def g():\n    return b is None\nr = g()", "def g():\n    nonlocal b\n    b = a\ng()\nr = b is None",
    "class C: w = b\nr = C.w is None", "with given(b) as x: r = x is None", "del a\nr = b is None",
    "x, *y = [b, b]\nr = y[0] is None", "r = [1, 2]\nr[b is None] = 5",
    "r = 1\nif b is not None:\n    b = None\nr = b is None", "r = 1\nif (x := b) is None: r = 2",
)  # fmt: skip


@contextlib.contextmanager
def given(value):
    yield value


def itself(value):
    return value


@pytest.mark.sampled(4)
@pytest.mark.parametrize("asked", [*(f"r = {expression}" for expression in ASKED), *STATED])
def test_what_may_be_none_is_read_as_in_python(asked):
    tuple_ = "b, c = (a, 1) if n > 0 else (None, 2)"
    deep = "def rec(k):\n    if k > 5: return None\n    if k > 0: return a\n    return rec(k + 6)\nb = rec(n)"
    objects = ["Box(n + 1)", "Box(n)"], ["n + 1", "n"]
    is_for_all = not any(part in asked for part in (".v", "Box", "is a", "is not a", "operator"))
    for perhaps in (*(p for p in PERHAPS.values() if "STATEMENT" not in p), tuple_, deep):
        for one, other in objects if is_for_all else objects[:1]:
            lines = [f"a = {one}", *perhaps.replace("MADE", other).splitlines(), *asked.splitlines(), "return r"]
            found = disagreement("def f(n):\n" + "".join(f"    {line}\n" for line in lines), jit_compile=False)
            assert not found or found.startswith("refused"), found


def maybe(n):
    return None if n > 2 else n


FIRST = ["x = n * 1", "x = None", "x = maybe(n)", "x = maybe(n + 1)\nif x is None: x = maybe(n)"]
BRANCHES = [
    "if x is None: {}", "if x is not None: {}", "if x is None: {}\nelse: {}", "if x is not None: {}\nelse: {}",
    "if n > 1: {}\nelif x is None: {}", "if n > 1:\n    if x is not None: {}\n    {}", "if not x is None: {}\nelse: {}",
    "for _ in range(2):\n    if x is not None: {}\n    {}", "while x is not None:\n    {}\n    if x is not None: break",
]  # fmt: skip
LEFT = ["x = maybe(n)", "x = n + 1", "x = None"]
ASKED = ["r = x is None", "r = 0 if x is None else x", "r = x is not None and x > 2"]


@pytest.mark.sampled(8)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("branch", BRANCHES)
@pytest.mark.parametrize("first", FIRST)
def test_what_a_branch_on_none_leaves_may_be_none(first, branch, asked):
    for left in itertools.product(LEFT, repeat=branch.count("{}")):
        body = f"{first}\n{branch.format(*left)}\n{asked}\nreturn r"
        f = load("def f(n):\n" + textwrap.indent(body, "    "), "f", maybe=maybe)
        try:
            found = [tf.function(f)(np.int64(n)) for n in range(5)]
        except Refuses:
            continue  # told
        assert [int(x) for x in found] == [int(f(n)) for n in range(5)], body


HANDED_ON = [
    "(lambda: maybe(n))()", "getattr(b, 'v')", "getattr(b, 'w', None)", "vars(b)['v']", "next(iter([b.v]))",
    "next(iter([]), b.v)", "operator.getitem(d, 'k')", "operator.getitem([b.v], 0)", "copy.copy(b.v)",
    "functools.reduce(lambda p, q: q, [1, b.v])", "operator.attrgetter('v')(b)", "operator.itemgetter('k')(d)",
    "functools.partial(maybe, n)()", "next(itertools.chain([b.v]))", "SimpleNamespace(v=b.v).v",
    "[*map(maybe, [n])][0]",
    "d.setdefault('q', b.v)", "d.pop('k')", "dict(d)['k']", "sorted([b.v], key=id)[0]", "next(reversed([b.v]))",
    "object.__getattribute__(b, 'v')", "iter([b.v]).__next__()", "list.pop([b.v])", "dict.get(d, 'k')",
    "copy.deepcopy(b.v)",
    "next(q for q in [b.v])", "[*[b.v]][-1]", "tuple([b.v])[0]", "operator.methodcaller('get', 'k')(d)", "Box(b.v).v",
    "contextlib.nullcontext(b.v).__enter__()", "sum([[b.v]], [])[0]",
]  # fmt: skip


@pytest.mark.parametrize("given", HANDED_ON)
@pytest.mark.parametrize(
    "asked", ["x = n * 1\nif x is not None: x = {}\nr = x is None", "r = ({}) is None", "x = {}\nr = x is None"]
)
def test_what_may_be_none_may_be_none_whoever_hands_it_on(given, asked):
    body = f"b = Box(maybe(n))\nd = {{'k': b.v}}\n{asked.format(given)}\nreturn r"
    names = {"Box": Box, "maybe": maybe, "SimpleNamespace": SimpleNamespace, "copy": copy}
    names |= {"operator": operator, "functools": functools, "itertools": itertools, "contextlib": contextlib}
    f = load("def f(n):\n" + textwrap.indent(body, "    "), "f", **names)
    assert [bool(tf.function(f)(np.int64(n))) for n in range(5)] == [f(n) for n in range(5)]


COPIES = """
def numbers(n): return copy.copy(n) + copy.deepcopy(n)
def arrays(a, n):
    b = copy.copy(a); c = copy.deepcopy([a, a]); b[0] = n; c[0][1] = n
    return a, b, c[0], c[1], c[0] is c[1]
def views(a, n):
    b = copy.copy(a[1:]); b[0] = n
    return a, b
def what_may_be_none(n):
    m = maybe(n); c = copy.copy(m); d = copy.deepcopy(m)
    return (0 if c is None else c) + (0 if d is None else d)
def an_array_that_may_be_none(a, n):
    b = a if n > 1 else None
    c = copy.copy(b)
    if c is not None: c[0] = 9
    return a, 0 if c is None else c.sum()
def an_object_that_may_be_none(n):
    b = Box(n) if n > 1 else None
    c = copy.copy(b)
    if c is not None: c.v = 7
    return -1 if b is None else b.v * 10 + c.v
def one_of_two(n):
    b = Box(n) if n > 1 else Box(5)
    c = copy.deepcopy(b)
    return b.v * 10 + c.v, b is c
def what_holds_it(n):
    b = Box(maybe(n)); c = copy.deepcopy(b); b.v = 3
    return 0 if c.v is None else c.v
def a_list(n):
    out = []
    for i in range(n): out.append(i)
    c = copy.copy(out); d = copy.deepcopy(out)
    c.append(n); d[0] = 7
    return len(out) * 100 + len(c), sum(out), sum(d)
"""


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("name", re.findall(r"def (\w+)", COPIES))
def test_copies_are_copies(name, jit):
    f = load(COPIES, name, copy=copy, Box=Box, maybe=maybe)
    g = tf.function(f, jit_compile=jit)
    for n in range(1, 5):
        arrays = [np.arange(3.0)] if "a, n" in COPIES[COPIES.index(f"def {name}(") :].split(")")[0] else []
        found, wanted = g(*map(np.copy, arrays), np.int64(n)), f(*map(np.copy, arrays), n)
        for one, other in zip(*((r if isinstance(r, tuple) else (r,)) for r in (found, wanted)), strict=True):
            np.testing.assert_array_equal(one, other)


def test_what_is_there_is_checked_once():
    """Each use of a variable that may be None asks first; one that was asked already need not be again."""

    @tf.function
    def doubled(x):
        y = None
        if x > 0:
            y = x
        return y + y * y

    graph = doubled.get_concrete_function(tf.constant(1.0)).graph
    assert sum(node.op.name in ("assert", "require") for node in graph.nodes) == 1


@pytest.mark.parametrize(
    "combine", [operator.mul, operator.add, operator.pow, operator.lt, operator.floordiv, divmod, max]
)
def test_numbers_that_may_be_none_are_operands_of_each_other(combine):
    def both(x):
        y = None
        if x > 0:
            y = x
        return combine(y, y)

    for x in (np.float64(3.0), np.int64(3), tf.constant(3.0)):
        found, wanted = tf.function(both)(x), both(np.float64(3.0))
        np.testing.assert_array_equal(np.asarray(found), wanted)
        with pytest.raises(TypeError, match="None"):
            tf.function(both)(-x)


NUMPYS = [
    "np.mean(l)", "np.sum(l)", "np.max(l)", "np.array(l)", "np.asarray(l, float)", "np.sort(l)", "np.cumsum(l)",
    "np.diff(l)", "np.std(l)", "np.median(l)", "np.argmax(l)", "np.dot(l, l)", "np.add(l, 1)", "np.sqrt(l)",
    "np.maximum.reduce(l)", "np.add.reduce(l)", "np.multiply(2, l)", "np.concatenate([l, l])", "np.stack([l, l])",
    "np.where(np.array(l) > 1, 1, 0)", "np.prod(l), np.min(l)", "np.unique(l)", "np.append(l, 1)",
    "np.outer(l, l)", "l + np.arange(len(l))", "np.array([l, l])", "np.clip(l, 0, 2)",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("chosen", ["found or [other]", "found if x[0] > 1 else [3, other, 2]"])
@pytest.mark.parametrize("asked", NUMPYS)
@pytest.mark.sampled(8, "asked")
def test_numpy_takes_one_of_several_lists(asked, chosen, jit_compile):
    for other in ("0", "1.5", "x[1]", "len(found)"):
        text = (
            "def f(x):\n    found = [int(v) for v in x if v > 0]\n"
            f"    l = {chosen.replace('other', other)}\n    return {asked}\n"
        )
        as_python_or_refused(text, jit_compile, ([1.0, 2.0, -3.0], [-1.0, -2.0, -5.0], [4.0, 0.5, 1.0]))


MIXED = {
    "a list or another": "    l = [3, 1] if x[0] > 1 else [x[1], x[0], 2]\n",
    "lists of constants": "    l = [3, 1] if x[0] > 1 else [2.5, 1, 2]\n",
    "put into one": "    l = []\n    for v in x:\n        if v > 1.7: l.append(2)\n        else: l.append({other})\n",
    "numbers of Python's": "    l = [1, 2, 3]\n    for i in range(3):\n        if x[i] < 1.7: l[i] = {other}\n",
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("made", MIXED)
@pytest.mark.parametrize("asked", NUMPYS)
@pytest.mark.sampled(8, "asked")
def test_arrays_of_numbers_of_several_types_have_numpys_dtype(asked, made, jit_compile):
    for other in ("x[1]", "x[1] > 1", "np.float32(x[1])", "np.int8(x[1])") if "{other}" in MIXED[made] else ("",):
        text = f"def f(x):\n{MIXED[made].replace('{other}', other)}    return {asked}\n"
        as_python_or_refused(text, jit_compile, ([2.0, 2.0, 3.0], [1.0, 1.5, 0.5], [2.0, 0.5, 4.0]))


def as_python_or_refused(text, jit_compile, given):
    plain, graph = load(text, np=np), tf.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
    for x in given:
        try:
            with np.errstate(invalid="ignore"):  # roots of negative numbers
                wanted = repr(plain(np.array(x)))
        except (ValueError, TypeError):  # as of an empty list, or a difference of truth values
            continue
        try:
            found = repr(graph(np.array(x)))
        except StagingError as error:  # an int or a truth value of NumPy's
            assert "> 1" in text and "is known only when the graph runs" in str(error), text
        except tf.errors.InvalidArgumentError as error:  # roots of the smallest numbers, products of truth values
            assert jit_compile and "cannot be compiled" in str(error), text
        else:
            assert found == wanted, text


SEVERAL = {
    "lists and tuples": "[1, 2, 3] if s > 0 else (1.5, 2.5)",
    "lists and arrays": "[1, 2, 3] if s > 0 else np.array([1.5, 2.5])",
    "arrays": "x[x > 0].astype(int) if s > 0 else x[x < 0]",
    "lists and texts": "x.tolist() if s > 0 else 'ab'",
    "of an empty list": "np.array([int(v) for v in x if v > s])",
    "of three": "[1] if s > 2 else (1, 2) if s > 0 else x[x < 0]",
}
IN_TRY = {
    "read": "    try: return a[{0}]\n    except IndexError: return 'none'\n",
    "in a loop": (
        "    out = []\n    for i in range(4):\n        try: out.append(a[i - {0}])\n"
        "        except IndexError: out.append(None)\n    return out\n"
    ),
    "each alike": (
        "    t = 0\n    for v in x:\n        try: t += len(f'{{a[int(v)]}}')\n"
        "        except IndexError: t -= 9\n    return t\n"
    ),
    "in a function": (
        "    def at(i): return a[i]\n    try: found = at({0})\n"
        "    except IndexError as error: return str(error)\n"
        "    return found\n"
    ),
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("asks", IN_TRY)
@pytest.mark.parametrize("made", SEVERAL)
@pytest.mark.sampled(8)
def test_an_index_that_one_of_several_does_not_have_is_caught(made, asks, jit_compile):
    for index in ("2", "int(s)"):
        text = f"def f(x):\n    s = x.sum()\n    a = {SEVERAL[made]}\n{IN_TRY[asks].format(index)}"
        plain, graph = load(text, np=np), tf.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
        for x in ([1.0, -1.0, 2.0], [1.0, -1.0, 3.0], [-1.0, -2.0, -3.0], [-1.0, 0.0, 0.5]):
            assert repr(graph(np.array(x))) == repr(plain(np.array(x))), text


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_an_index_at_which_one_of_several_cannot_be_written_is_caught(jit_compile):
    def f(x):
        a = np.array([1, 2, 3]) if x.sum() > 0 else np.array([1.5, 2.5])
        try:
            a[int(x.sum())] = 7
        except IndexError:
            return "none", a
        return a

    graph = tf.function(f, numpy=True, jit_compile=jit_compile)
    for x in ([1.0, 1.0], [2.0, 1.0], [-1.0, 0.0], [-4.0, 0.0]):
        assert repr(graph(np.array(x))) == repr(f(np.array(x))), x
