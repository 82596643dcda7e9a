"""What a program makes of numbers are numbers: as text they are what Python shows, and no tensors."""

import enum
import functools
import linecache
import math
import operator
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

import runtime as tf
from autograph import AutographError
from autograph.errors import Refuses
from tests.programs import load


def maybe(k):
    if k > 7:
        return None
    return k * 2


def written(i, text):
    if i <= 0:
        return text
    return written(i - 1, f"{text} {i} {i > 1}")


# What `n` is before it is used: an argument, what may be missing, one of several, what a function gives.
BEFORE = ["n = n", "n = maybe(n % 5)", "n = [n, m][m % 2]", "n = (lambda: n)()"]

# Python's floats: what they are before they become text.
FLOATS = r"""
v = 0.1; v = float(n) / 7; v = 0.1 if n > 2 else 0.7; v = [0.3, 0.7][n % 2]; v = math.exp(float(n) / 3); v = 1.1 ** n
v = sum([0.1] * 3) + float(n); v = 0.1\nfor i in range(n): v = v * 1.1; v = max(0.1, float(n) / 3)
v = float(str(n)) / 3; v = n.item() / 7; v = round(float(n) / 7, 3); v = float(n) % 0.7; v = (0.1, float(n) / 3)[m % 2]
v = abs(-0.1 * float(n))
"""
OF_A_FLOAT = """
v; v * 3; v / 3; -v; v ** 2; f"{v:.3g}"; f"{v!r:>25}"; [v, n]; {"a": v}; "%s %r" % (v, v); (v, [v]); v > 0.1; v + n
int(v * 1000); complex(0.1); min(v, 0.25); format(v, "e"); deque([v]); Box(v); Pair(v, 2); Point(v, n); [Pair(v, n)]
Box([v]); f"{Box(v)}|{Pair(v, 1)!r:>30}|{Money(v):.1f}|{Money(v)!r}"; OrderedDict(a=v); {1: v}.items(); ValueError(v)
SimpleNamespace(a=v, b=n); Counter(a=v); {1: [v]}.values(); "{0.v} {1[0]}".format(Box(v), [v]); "%s %s" % Point(v, n)
deque([Box(v)]); [deque([v])]; KeyError(n); format(Money(v), ">12.3f"); str(Money(v)); defaultdict(int, a=v); Level.HIGH
"""

NUMBERS = """
abs(n); round(n); round(n / 3, 1); divmod(n, 3)[0]; divmod(n, 3); pow(n, 2); pow(n, 2, 5); int(n); float(n); complex(n)
bool(n); n + 1; -n; n // 2; n / 2; 1 + n; n > 2; not n; n and m; n or m; min(n, m); max(n, 2); min(n, 2.5); max(n, m, 2)
sum([n, m]); n if n > m else 2; np.abs(n); np.sqrt(n); math.sqrt(n); np.int32(n); np.float64(n); operator.add(n, 1)
n.ndim; n.astype('float32'); np.maximum(n, 2); np.where(n > 1, n, m); float(n) + 1; int(n) // 2; n % 3 == 0; n ** 2
n & 3; ~n; n << 1; bool(n) + 1; (n > 1) + (m > 1); int(n / 2); abs(float(n) - 5); math.floor(n / 2); {'a': n}['a']
[n][0]; (n, m)[m % 2]; len(range(n)); n == m; n != m; n is None; n == None; n is not None; not n > 2; n in [m, 3]
a[0]; a[n % 3]; a.sum(); a.max(); a[0] + n; a.shape[0]; len(a); a.mean(); a * 2; a[1:]; a.T; a > 0; a.argmax(); a * n
written(n, ""); np.argmax(a); np.dot(a, a); a @ a; np.linalg.norm(a); a.cumsum()[1]; float(a[0]); int(a[0])
a.astype(int)[0]; a == n; n.dtype; a.dtype; n.dtype == int; a.dtype == float; a.dtype == np.float32; a.dtype.kind
isinstance(n, int); isinstance(n, np.integer); isinstance(n, (float, complex)); isinstance(float(n), float)
isinstance(n > 1, (bool, np.bool_)); isinstance(a, np.ndarray); isinstance(a[0], float); isinstance(range(n), range)
n.__class__; a.__class__; a.dtype.itemsize; repr(a.dtype); np.issubdtype(a.dtype, np.floating); range(n) == range(3)
"""

LISTS = """
[n, m]; [n, 2]; [i for i in range(n)]; [i * 1.5 for i in range(n)]; [v for v in a if v > 0]; a; [a[0], a[1]]
[n + i for i in range(m % 3 + 1)]; list(range(n)); list(a); [n > 1, m > 1]; (n, m); range(n)
"""

OF_A_LIST = """
x[0]; sorted(x)[0]; sorted(x, reverse=True)[-1]; min(x); max(x); sum(x); any(x); all(x); list(x)[0]; tuple(x)[0]
list(reversed(x))[0]; [*x][0]; [t for t in x][0]; next(iter(x)); list(zip(x, x))[0][1]; list(enumerate(x))[0][1]
list(map(lambda q: q, x))[0]; functools.reduce(operator.add, x); np.max(x); np.sum(x); np.array(x)[0]; np.sort(x)[0]
len(x); max(x, key=lambda q: -q); min(x, default=0); sum(x, 1.5); np.mean(x); x[n % 2]; not x; n in x
"""


def each(table):
    return [part.strip().replace("\\n", "\n") for part in table.replace("\n", ";").split(";") if part.strip()]


PROGRAMS = [
    *((before, expression) for before in each(FLOATS) for expression in each(OF_A_FLOAT)),
    *((before, expression) for before in BEFORE for expression in each(NUMBERS)),
    *((f"x = {made}", expression) for made in each(LISTS) for expression in each(OF_A_LIST)),
]


@dataclass
class Pair:
    left: object
    right: object


Point = namedtuple("Point", "x y")


class Box:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"Box({self.v!r})"


class Money(Box):
    def __format__(self, spec):
        return "EUR " + format(self.v, spec)


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 7


def program(before, expression):
    before = before.replace("\n", "\n    ")
    source = f"def program(a, n, m):\n    {before}\n    return str({expression}), '{{:}}'.format({expression})\n"
    name = f"<{before}; {expression}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    scope = globals() | {
        "np": np,
        "math": math,
        "operator": operator,
        "functools": functools,
        "maybe": maybe,
        "written": written,
        **{kind.__name__: kind for kind in (Counter, OrderedDict, SimpleNamespace, defaultdict, deque)},
    }
    exec(compile(source, name, "exec"), scope)
    return scope["program"]


def arguments():
    return np.array([1.5, -2.0, 4.0]), np.int64(3), np.int64(8)


def shown(text):
    return text if isinstance(text, str) else text.numpy().decode()


@pytest.mark.sampled(4)
@pytest.mark.parametrize("before, expression", PROGRAMS)
def test_a_number_is_shown_as_python_shows_it(before, expression):
    f = program(before, expression)
    try:
        wanted = f(*arguments())
    except (TypeError, ValueError, AttributeError):
        pytest.skip("no program")
    try:
        found = tf.function(f, jit_compile=False)(*arguments())
    except (AutographError, Refuses):
        return  # said, and not shown as something else
    assert tuple(shown(text) for text in found) == wanted


@pytest.mark.parametrize("value, kind", [("n", int), ("n", np.integer), ("a", np.ndarray), ("n > 1", bool)])
def test_the_class_of_what_may_be_unbound_is_asked_of_what_is_bound(value, kind):
    f = program(
        f"if m > 0: b = {value}", f"isinstance(b, {'np.' if kind.__module__ == 'numpy' else ''}{kind.__name__})"
    )
    staged = tf.function(f, jit_compile=False)
    for m in (1, -1):
        try:
            wanted = f(arguments()[0], np.int64(3), np.int64(m))
        except UnboundLocalError:
            with pytest.raises(UnboundLocalError, match="variable 'b' where it is not associated with a value"):
                staged(arguments()[0], np.int64(3), np.int64(m))
        else:
            assert tuple(shown(text) for text in staged(arguments()[0], np.int64(3), np.int64(m))) == wanted


def test_the_class_of_what_may_be_none_is_asked_of_the_graph():
    f = program("b = maybe(m)", "isinstance(b, int)")
    for m in (1, -1):
        given = arguments()[0], np.int64(3), np.int64(m)
        assert tuple(shown(text) for text in tf.function(f, jit_compile=False)(*given)) == f(*given)


class Named:
    def __init__(self, v):
        self.v = v

    def __repr__(self):
        return f"Bö({self.v})"

    def __str__(self):
        return "a text"


WAYS = [
    "ascii(b)",
    "repr(b)",
    "str(b)",
    "f'{b}'",
    "f'{b!a}'",
    "f'{b!r}'",
    "'%a' % b",
    "'%r' % b",
    "'%s' % b",
    "'%a %s' % (b, b)",
]


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_make_text_of_an_object_asks_the_method_that_python_asks(way):
    f = load(f"def f(n):\n    b = Named(n)\n    return {way}\n", "f", Named=Named)
    assert tf.function(f)(np.int64(3)).numpy().decode() == f(3)


JOINED = [
    "''.join(out)", "'-'.join(reversed(out))", "', '.join(map(str, out))", "','.join(map(str, numbers))",
    "','.join([str(k) for k in numbers])", "','.join(str(k) for k in numbers)", "'\\n'.join(sorted(out))",
    "''.join(out[1:])", "','.join(o + 'é' for o in out if o != '2')", "str.join('-', out)", "len(' '.join(out))",
    "','.join(map(str, a))", "'ab'.join(reversed(['x', str(a[0])]))", "'.'.join(out) + '!'",
]  # fmt: skip


@pytest.mark.parametrize("expression", JOINED)
def test_texts_of_which_only_the_graph_knows_how_many_there_are_are_joined(expression):
    program = load(
        "def f(a):\n"
        "    out, numbers = [], []\n"
        "    for v in a:\n"
        "        if v > 1:\n"
        "            out.append(str(v))\n"
        "            numbers.append(int(v))\n"
        f"    return {expression}\n"
    )
    run = tf.function(program, numpy=True)
    for a in (np.array([3, 1, 2, 5]), np.array([0, 1]), np.array([7])):
        assert run(a) == program(a)
