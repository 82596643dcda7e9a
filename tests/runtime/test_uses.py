"""Values of every kind, and all that Python asks of them: a graph gives what Python gives, raises it, or says no."""

import builtins
import itertools
import textwrap

import numpy as np
import pytest

import runtime as tf
from autograph import AutographError
from autograph.errors import Refuses
from tests.programs import load


class Box:
    def __init__(self, v):
        self.v = v

    def put(self, v):
        self.v = v

    def __eq__(self, other):
        return isinstance(other, Box) and self.v == other.v

    def __hash__(self):
        return 3

    def __repr__(self):
        return f"Box({self.v})"

    def __len__(self):
        return 2

    def __iter__(self):
        return iter((self.v, 1))

    def __getitem__(self, i):
        return (self.v, 1)[i]

    def __add__(self, other):
        return ("added", self.v, other)


class Sub(Box):
    def put(self, v):
        self.v = -v

    def __bool__(self):
        return bool(self.v > 1)

    def __contains__(self, item):
        return self.v == item


VALUES = {
    "number": "n + 1", "Python's number": "3", "float": "n * 0.5", "truth": "n > 1", "small": "np.uint8(n + 1)",
    "None": "None", "literal": "'ab'", "text": "f'<{n}>'", "list": "[n, 2]", "no list": "[]", "tuple": "(n, 2)",
    "three": "(n, 2, 4)", "dictionary": "{'a': n, 1: 2}", "set": "{1, 2}", "object": "Box(n)", "subclass": "Sub(n)",
    "array": "np.arange(3) + n", "floats": "np.ones(2) * n", "no dimensions": "np.where(n > 1, 2.5, 1.5)",
    "function": "len", "class": "Box", "range": "range(n)", "Python's range": "range(3)",
}  # fmt: skip
EXPRESSIONS = """
bool(b); not b; b and 5; b or 5; 5 if b else 6; b + 1; b + b; b * 2; 1 - b; b % 2; b // 2; b / 2; 2 ** b; -b; abs(b)
b @ b; b & 1; b | b; round(b); divmod(b, 2); [0] * b; 's' * b; b == b; b == 1; b == 'ab'; b != None; b == (n, 2)
b == [n, 2]; (n, 2) == b; b > 1; b < 2.5; b < b; b < (n, 3); b is b; b is None; b in (1, 'ab', None); b in [b]; 2 in b
str(b); repr([b]); f'{b}'; '%s' % b; '{}'.format(b); 'x'.join(b); len(b); b[0]; b[1]; b[-1]; b[0:1]; b['a']; [*b]
list(b); tuple(b); set(b); dict(b); sorted(b); max(b); min(b, 2); max(1, b); sum(b); any(b); all(b); [*zip(b, b)]
[*enumerate(b)]; [*map(lambda q: q, b)]; [*reversed(b)]; next(iter(b)); [x for x in b]; {x: 1 for x in b}; int(b)
zip(b, b) and 3; float(b); complex(b); range(b)[0]; [1, 2, 3][b]; {b: 1}[b]; (b, b); {'k': b}['k']; [b][0]; b(3)
isinstance(b, int); isinstance(b, (list, tuple)); isinstance(b, str); isinstance(b, Box); isinstance(b, np.ndarray)
isinstance(b, bool); isinstance(b, float); isinstance(b, np.integer); isinstance(b, range); issubclass(type(b), Box)
type(b).__name__; b.__class__.__name__; type(b) is int; type(b) is list; type(b) == Box; callable(b); b.v
b.put(9) or b.v; getattr(b, 'v', 7); hasattr(b, 'v'); b.get('a'); b.append(5) or b; b.keys(); np.asarray(b).shape
b.sum(); b.tolist(); np.float64(b); np.maximum(b, 1); bool(b == b) and 3
"""
USES = [f"return {e.strip()}" for line in EXPRESSIONS.strip().splitlines() for e in line.split(";")] + [
    "match b:\n    case int(): return 1\n    case str(): return 2\n    case [_, _]: return 3\n    case {'a': x}: "
    "return x\n    case Box(v=q): return q\n    case None: return 6\nreturn 7",
    "r = 0\nfor x in b: r = r + x\nreturn r",
    "r = 0\nwhile b:\n    r = r + 1\n    b = None if r > 2 else b\nreturn r",
    "x, y = b\nreturn y", "x, *y = b\nreturn y", "b[0] = 7\nreturn b", "b += b\nreturn b", "b += 1\nreturn b",
    "b.v = 4\nreturn b", "del b[0]\nreturn b", "if b: return 1\nreturn 2", "assert b\nreturn 3",
    "if n > 1 and b: return 1\nreturn 2", "def g(x, y=1): return (x, y)\nreturn g(*b)",
    "c = b\nc += 1\nreturn b", "try: return b + 1\nexcept TypeError: return 'no'",
]  # fmt: skip
TWO = """
x + y; x - y; x * y; x / y; x // y; x % y; x ** y; x @ y; x & y; x | y; x ^ y; x << y; x == y; x != y; x < y; x >= y
x in y; x not in y; x and y; x or y; x[y]; divmod(x, y); max(x, y); min(x, y); (x, y) == (y, x); not x == y
[x, y] == [x, y]; {'k': x} == {'k': y}; x if y else 3; isinstance(x, type(y)); type(x) is type(y); getattr(x, 'v', y)
f'{x}{y}'; '%s %s' % (x, y); str((x, y)); [x, y][n > 1]; (x, y)[n > 1]; [*x, *y]; dict(a=x, b=y); [*zip(x, y)]
sorted([x, y]); sum([x, y]); any([x, y]); pow(x, y); isinstance(x, Box) or y; x.__class__ is y.__class__; x < n < y
[x] * y; (lambda p, *q: (p, q))(x, y); [x, y].index(y); [x, y].count(x); {x: y}; {1: x, 2: y}[n]; x.append(y) or x
x.update(y) or x; x.extend(y) or x; x.get(y); x.startswith(y); x.join(y); [5, 6, 7, 8][x:y]; np.arange(9)[x:y]
bool(x) ^ bool(y); int(x) + int(y); float(x) < float(y); np.array_equal(x, y); [i for i in (x, y) if i is not None]
"""
TOGETHER = [f"return {e.strip()}" for line in TWO.strip().splitlines() for e in line.split(";")] + [
    "x += y\nreturn x", "x -= y\nreturn x", "x[0] = y\nreturn x", "x[n % 2] = y\nreturn x", "z = x\nz += y\nreturn x",
    "z = x\nz *= 2\nreturn x", "for q in x:\n    if q == y: return q\nreturn 7", "p, q = x\nreturn p == y",
    "if x == y: return 1\nelif x: return 2\nreturn 3", "while x != y:\n    x = y\nreturn x", "x, y = y, x\nreturn x, y",
    "def g(p, q=y, *r, **s): return (p, q, r, s)\nreturn g(x, *[1, y], z=x)",
    "r = []\nfor q in (x, y): r.append(q)\n"
    "return r",
    "try: return x + y\nexcept TypeError: return 'no'",
    "try: return x[y]\nexcept (TypeError, LookupError): return 'no'",
    "d = {'a': x}\nd['a'] = y\nreturn d", "assert x == y\nreturn 1", "r = [x, y]\nr[0], r[1] = y, x\nreturn r",
]  # fmt: skip
UNIONS = {
    "if": "if n > 0: b = X\nelse: b = Y", "before": "b = Y\nif n > 0: b = X", "loop": "b = Y\nfor k in range(n): b = X",
    "expression": "b = X if n > 0 else Y", "item": "d = {'k': Y}\nif n > 0: d['k'] = X\nb = d['k']",
    "result": "def h():\n    if n > 0: return X\n    return Y\nb = h()",
}  # fmt: skip
# Where a variable is Python's number or NumPy's, it is NumPy's; one that has dimensions or not has them.
NUMBERS = ("number", "Python's number", "float", "truth", "small", "array", "floats", "no dimensions")


def program(way, use, indented=""):
    body = f"{way}\n{use}" if not indented else f"{way}\n{indented}\n{textwrap.indent(use, '    ')}\nreturn None"
    return f"def f(n):\n{textwrap.indent(body, '    ')}\n"


def shown(value):
    """A value and of what kind it is; a range comes out of a graph as the array of its items."""
    if hasattr(value, "numpy"):
        value = value.numpy()
    value = value.decode() if isinstance(value, bytes) else np.asarray(value) if isinstance(value, range) else value
    if isinstance(value, Box):
        return type(value).__name__, shown(value.v)
    if isinstance(value, dict):
        return {str(shown(key)): shown(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, list | tuple):
        return [type(value).__name__, *map(shown, value)]
    if isinstance(value, set | frozenset):
        return sorted(map(str, map(shown, value)))
    if value is None or callable(value) or isinstance(value, str):
        return repr(value)[:12]
    return np.asarray(value).item() if not isinstance(value, tf.DType) else str(value)


def outcome(function, n):
    try:
        return shown(function(np.int64(n)))
    except (AutographError, Refuses, NotImplementedError):
        raise
    except AssertionError:
        return AssertionError
    except Exception as error:
        return next(kind for kind in type(error).__mro__ if vars(builtins).get(kind.__name__) is kind)


def disagreement(text, jit_compile):
    """How a graph differs from Python where Python gives something; "refused" if it says that it cannot."""
    f = load(text, Box=Box, Sub=Sub, np=np)
    with np.errstate(all="ignore"):
        wanted = [outcome(f, n) for n in range(4)]
        if all(isinstance(w, type) and issubclass(w, Exception) for w in wanted):
            return ""
        graph = tf.function(f, jit_compile=jit_compile)
        for n, expected in enumerate(wanted):
            try:
                found = outcome(graph, n)
            except (AutographError, Refuses, NotImplementedError):
                return "refused"
            same = found == expected or repr(found) == repr(expected)  # NaN
            if not same and not _both_raise(found, expected):
                return f"n = {n}: {found}, not {expected}\n{text}"
    return ""


def _both_raise(found, expected):
    return all(isinstance(v, type) and issubclass(v, Exception) for v in (found, expected))


@pytest.mark.sampled(4)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("value", VALUES)
def test_what_is_asked_of_a_value_has_pythons_answer(value):
    for number, use in enumerate(USES):
        found = disagreement(program(f"b = {VALUES[value]}", use), jit_compile=False)
        assert found in ("", "refused"), found
        if number % 3 == len(value) % 3:
            found = disagreement(program(f"b = {VALUES[value]}", use, "if n > 0:"), jit_compile=None)
            assert found in ("", "refused"), found


@pytest.mark.sampled(8)
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("way", UNIONS)
@pytest.mark.parametrize("number", range(3))
def test_what_is_asked_of_one_of_two_values_has_pythons_answer(way, number):
    pairs = [p for p in itertools.permutations(VALUES, 2) if not all(kind in NUMBERS for kind in p)]
    chosen = np.random.default_rng([*way.encode(), number]).integers(len(pairs) * len(USES), size=130)
    for pair, use in (divmod(int(k), len(USES)) for k in chosen):
        first, second = (VALUES[kind] for kind in pairs[pair])
        text = program(UNIONS[way].replace("X", first).replace("Y", second), USES[use])
        if "callable" in text:  # of what may be a function, it is one
            continue
        found = disagreement(text, jit_compile=[False, None][use % 2])
        assert found in ("", "refused"), found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", VALUES)
def test_what_is_asked_of_two_values_together_has_pythons_answer(first):
    if first in ("object", "subclass"):  # NumPy's numbers take these for sequences
        return
    for seconds, use in enumerate(TOGETHER):
        second = [*VALUES][(seconds * 5 + len(first)) % len(VALUES)]
        if second in ("object", "subclass"):
            continue
        way = f"x = {VALUES[first]}\ny = {VALUES[second]}"
        found = disagreement(program(way, use), jit_compile=[False, None][seconds % 2])
        assert found in ("", "refused"), found


def test_a_list_that_comes_out_of_a_graph_is_a_list():
    class Holder:
        def __init__(self, items):
            self.items = items

    @tf.function
    def f(n, table):
        items = [n, 2]
        table["k"] = [x for x in items]
        return items[:1], sorted(items), {"a": (list(items),)}, Holder([n]).items

    table = {"k": None}
    first, ordered, inner, held = f(np.int64(3), table)
    assert {type(v) for v in (first, ordered, inner["a"][0], held, table["k"])} == {list}
