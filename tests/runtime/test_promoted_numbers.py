"""Numbers of several types, of which the graph decides: what they are promoted to does not show."""

import contextlib
import copy
import io
import itertools
import math
import random
import warnings

import numpy as np
import pytest

import runtime
from runtime.control import promoted
from tests.programs import EXECUTORS, load, outcome

ARRAYS = ([1.5, -2.0, 3.25], [-1.0, -2.0], [], [0.0], [4.0, 5.0, 6.0, 7.0, -8.0])

# What is told of each: the body of a function of an array `xs`, an int `n` and a float `y`.
PROGRAMS = {
    "a sum of some": "t = 0\nfor v in xs:\n    if v < 0:\n        t += v\nreturn t",
    "a sum of none, of floats": "t = 0.0\nfor v in xs:\n    if v > 100:\n        t += v\nreturn t",
    "a sum of a counted loop": "t = 0.0\nfor i in range(n):\n    t += xs[i] if i < len(xs) else 0.25\nreturn t, n",
    "a while loop": "t, i = 0, 0\nwhile i < len(xs) and xs[i] > 0:\n    t = t + xs[i]\n    i += 1\nreturn t, i",
    "a number of each branch": "return (1 if y > 0 else 2.5), (True if y > 1 else y > 0)",
    "a variable of each branch": "x = 1\nif y > 0:\n    x = 2.5\nreturn x, [x], {'x': x}",
    "a mean of some": "t = c = 0\nfor v in xs:\n    if v < 0:\n        t += v\n        c += 1\nreturn t / c",
    "a mean of floats": "t = 0.0\nc = 0\nfor v in xs:\n    if v > 2:\n        t += v\n        c += 1\nreturn t / c",
    "a quotient of what is computed": "t = 0\nfor v in xs:\n    if v > 2:\n        t += v\nreturn 1 / t, 3 // t, t % 2",
    "computing on": "t = 0\nif y > 0:\n    t = 1.5\nreturn t + 1, 2 - t, t * 3, t / 4, -t, t // 2, t % 3, t + y",
    "computing with another": (
        "t, u = 0, 1.0\nfor v in xs:\n    if v > 0:\n        t += v\n    else:\n        u = u * v\n"
        "return t + u, t * u, u - t"
    ),
    "an exception": "t = 0\nif y > 0:\n    t = xs.sum()\nraise ValueError('no', t)",
    "the least": "b = 0\nfor v in xs:\n    b = min(b, v)\nreturn b",
    "the greatest": "b = 0\nfor v in xs:\n    b = max(v, b)\nreturn b, b + 1",
    "the least of few bits": "v = np.float32(y)\nreturn min(1.5, v), max(v, 1.5), min(v, 0.1), max(v, 1.5) * 0.1 + 0.7",
    "the greatest of few bits": "v = np.int8(n)\nreturn max(v, 1), min(1, v), max(v, 1) * 100, max(v, 1) / 2",
    "numbers in bounds": "return [min(max(np.float32(v), 0.0), 1.0) * 0.1 for v in xs]",
    "the greatest, if there is one": (
        "some = [v for v in xs if v > 2]\nwhole = [int(v) for v in xs if v < 0]\n"
        "return max(some, default=0), min(whole, default=0.5), max(whole, default=None), max(xs, default=n)"
    ),
    "the greatest count": (
        "counts = {}\nfor v in xs:\n    k = int(v)\n    counts[k] = counts.get(k, 0) + 1\n"
        "return max(counts.values(), default=0), min(counts, default=-1)"
    ),
    "the elements of an array of any length": (
        "some = xs[xs > 2].tolist()\nrows = np.stack([xs, -xs], 1)[xs > 0].tolist()\nt = 0\n"
        "for i in np.flatnonzero(xs > 0).tolist():\n    t += i\n"
        "return some, rows, (xs > 1)[xs > 0].tolist(), sum(some), t"
    ),
    "a flag": "found = False\nfor v in xs:\n    found = found or v > 3\nreturn found, not found",
    "all hold": "ok = True\nfor v in xs:\n    ok = ok and v > 0\nreturn ok",
    "text": "t = 0\nfor v in xs:\n    if v < 0:\n        t += v\nreturn f'{t} {t!r}', str(t)",
    "an item": "b = 0\nfor i in range(len(xs)):\n    if xs[i] > 2:\n        b = np.argmax(xs)\nreturn b",
    "a sum that is asked for": "return sum(xs[xs > 2]), sum([v for v in xs if v > 3])",
    "float and int of it": "t = 0\nif y > 0:\n    t = xs.sum()\nreturn float(t), int(t), bool(t)",
    "one of three": "t = None\nif y > 0:\n    t = 1\nif y > 1:\n    t = 2.5\nreturn t",
    "an early return": "for v in xs:\n    if v < 0:\n        return v\nreturn 0",
    "a float after each": "x = 0.5\nfor i in range(3):\n    x = n + i\nreturn x",
    "of fewer bits": "t = 0\nif y > 0:\n    t = np.float32(y)\nreturn t, t * 2, t + 1.5",
    "whole numbers": "t = 0\nif y > 0:\n    t = np.int64(n)\nreturn t, t + 1, t / 2, t // 2, t - np.int64(1)",
    "a comparison": "t = 0\nif y > 0:\n    t = xs.sum()\nreturn 1 if t > 2 else 2",
    "what an object holds": "o = Box()\nif y > 0:\n    o.v = 2.5\no.w = o.v + 1\nreturn o.v, o.w",
    "a helper": "t = pick(xs, y)\nreturn t, pick(xs, -y) + 1",
    "a recursion": "return tail(xs, 0)",
    "complex": "z = 0\nif y > 0:\n    z = 1j * y\nreturn z, z + 1, z * 2.0",
}  # fmt: skip


class Box:
    def __init__(self):
        self.v = 1


def pick(xs, y):
    if y > 0:
        return xs.sum()
    return 0


def tail(xs, i):
    if i >= len(xs):
        return 0
    if xs[i] > 2:
        return tail(xs, i + 1) + xs[i]
    return tail(xs, i + 1)


def made(body, **names):
    text = "def f(xs, n, y):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    return load(text, np=np, Box=Box, pick=pick, tail=tail, **names)


def agree(body, jit_compile, calls):
    plain = made(body)
    staged = runtime.function(plain, numpy=True, jit_compile=jit_compile)
    for xs, n, y in calls:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected, found = (outcome(lambda f=f: repr(f(np.array(xs, float), n, y))) for f in (plain, staged))
        assert found == expected, (body, xs, n, y)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", PROGRAMS.values(), ids=PROGRAMS)
def test_a_number_has_the_type_that_it_has_without_a_graph(body, jit_compile):
    calls = [(xs, n, y) for n, xs in enumerate(ARRAYS) for y in (np.float64(2.5), np.float64(-1.0))]
    agree(body, jit_compile, calls)


# Each says how a number becomes `NAME`, which is of one of several types, told in a way of its own.
SEVERAL = {
    "of a branch": "NAME = 3\nif y > 0:\n    NAME = np.int64(2)",
    "of a branch, int or float": "NAME = 2.5\nif y > 0:\n    NAME = np.int64(n)",
    "of a branch, float or np.float64": "NAME = 1.5\nif y > 0:\n    NAME = y",
    "that a loop leaves": (
        "NAME = float('inf')\nfor v in [n, 4]:\n    if np.int64(v) < NAME and y > 0:\n        NAME = np.int64(v)"
    ),
    "an item of a list": "rows = [0] * 3\nif y > 0:\n    rows[n] += np.int64(7)\nNAME = rows[n]",
    "an item of a list of ints and floats": "rows = [1, 2.5, np.int64(4)]\nif y > 0:\n    rows[0] = y\nNAME = rows[n]",
    "that may be missing": "NAME = None\nif y > 0:\n    NAME = np.int64(n)\nif NAME is None:\n    NAME = 0.5",
}
PAIRS = [
    (f"{first}, {second}", SEVERAL[first].replace("NAME", "a") + "\n" + SEVERAL[second].replace("NAME", "b"))
    for first in SEVERAL
    for second in SEVERAL
]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", [body for _, body in PAIRS], ids=[name for name, _ in PAIRS])
def test_what_is_made_of_two_numbers_of_several_types_has_the_type_of_what_they_are(body, jit_compile):
    made_of = "a + b, a - b, a * b, a < b, a == b, -a, abs(b), a / (b + 9), a // (b + 9), a % (b + 9)"
    called = "min(a, b), np.maximum(a, b), np.subtract(b, a), sum([a, b]), np.where(a > b, a, b), f'{a} {b}'"
    held = "[a, b], np.array([a, b]), np.array([a, 1, b, a]), xs + b, type(a).__name__"
    body += f"\nkept = [0, 0]\nkept[n] += a\nkept[n] -= b\nreturn {made_of}, {called}, {held}, kept"
    agree(body, jit_compile, [([1.5], n, y) for n in (0, 1) for y in (np.float64(2.5), np.float64(-1.0))])


# Whole programs, with their own classes and functions; `f` is called twice.
WRITTEN = {
    "an object that adds up": """
class Acc:
    def __init__(self): self.total = 0; self.n = 0; self.best = None
    def add(self, v):
        if v > 0:
            self.total += v
            self.n += 1
        if self.best is None or v > self.best: self.best = v
    def mean(self):
        return self.total / self.n
def f(xs):
    a = Acc()
    for v in xs: a.add(v)
    return a.total, a.n, a.best, a.mean() if a.n else 0
""",
    "an object that is kept": """
class Acc:
    def __init__(self): self.total = 0; self.hits = []
acc = Acc()
def f(xs):
    for v in xs:
        if v > 2: acc.total += v; acc.hits.append(v)
    return acc.total, len(acc.hits)
""",
    "items of a list": """
def f(xs):
    s = [0, 0, 0]
    for v in xs:
        if v > 3: s[0] += v
        elif v > 0: s[1] += v
        else: s[2] += 1
    return s
""",
    "items of a dictionary": """
def f(xs):
    s = {"pos": 0, "neg": 0}
    for v in xs:
        if v > 0: s["pos"] += v
        else: s["neg"] += v
    return s
""",
    "what an array is given": """
def f(xs):
    out = np.zeros(3)
    t = 0
    for v in xs:
        if v > 0: t += v
    out[0] = t; out[1] += t; out[2] = max(t, 1)
    return out, t
""",
    "a variable of the function around": """
def f(xs):
    t = 0
    def add(v):
        nonlocal t
        if v > 0: t += v
    for v in xs: add(v)
    return t
""",
    "a score": """
def f(xs):
    score = 100
    for v in xs:
        if v < 0: score -= 10
        elif v > 5: score *= 0.5
        elif v == 0: score = score // 2
    return round(score), score, f"{score:.1f}", str(score)
""",
    "a variance": """
def f(xs):
    n = 0; mean = 0; m2 = 0
    for x in xs:
        n += 1
        d = x - mean
        mean += d / n
        m2 += d * (x - mean)
    if n < 2: return float("nan")
    return mean, m2 / (n - 1), (m2 / (n-1)) ** 0.5
""",
    "built-in functions of generators": """
def f(xs):
    most = max((v for v in xs if v > 2), default=0), min([v for v in xs if v < 0], default=None)
    return most, sum(v for v in xs if v > 2), sum(1 for v in xs if v > 2)
""",
    "flags": """
def f(xs):
    seen = False; allpos = True; count = 0
    for v in xs:
        if v > 3 and not seen: seen = True; first = v
        allpos = allpos and v > 0
        count += v > 0
    return seen, allpos, count, (first if seen else None)
""",
    "a loop with an end of its own": """
def f(xs):
    i = 0; s = 0
    while i < len(xs) and s < 5:
        s += abs(xs[i]); i += 1
    else:
        s = s if s else -1
    return s, i
""",
    "a function with three results": """
def g(v):
    if v > 4: return 1
    if v > 0: return v / 2
    return 0.0
def f(xs):
    t = 0
    for v in xs: t += g(v)
    return t, g(len(xs)), [g(v) for v in xs[:2]]
""",
    "a value in bounds": """
def f(xs):
    lo = 0
    out = 0
    for v in xs:
        c = lo if v < lo else (3 if v > 3 else v)
        out = out * 2 + c
    return out, np.clip(out, 0, 10), np.round(out, 1), np.floor(out), int(out)
""",
    "exceptions": """
def f(xs):
    t = 0
    for v in xs:
        if v > 2: t += v
    if t > 8: raise ValueError(f"too large: {t}")
    if not t: raise KeyError(t)
    return 10 / t, 10 % t, divmod(10, t)
""",
    "comparisons": """
def f(xs):
    a = 0; b = 1.0
    for v in xs:
        if a < v < b + 3: a = v
        elif v == a: b = 2
    return a, b, a < b, a == b, a != 0, [a, b], (a, b)
""",
    "classes": """
def f(xs):
    a = 0; n = 0
    for v in xs:
        if type(a) in (int, float): n += 1
        if type(a) not in (bool, int): n += 10
        a = a + float(v)
    return a, n
""",
    "arrays": """
def f(xs):
    m = np.zeros((2, 2)); k = 0
    for v in xs:
        if v > 1: k += v; m[0, 0] += k
    m += k
    n = np.arange(3) * k
    return m, n, n.dtype, np.array([k, 1.0]), np.full(2, k)
""",
}

# What asks for the type of a number, and what does not; each is tried with a number of each of these types.
ASKED = """
isinstance(t, float)|isinstance(t, int)|isinstance(t, (int, float))|isinstance(t, np.ndarray)|type(t) is int
type(t) in (int, float)|type(t) not in (bool, int)|np.isscalar(t)|t is None|t == 0|int(t)|round(t)|round(t, 1)
divmod(t, 2)|math.sqrt(t)|t is True|t is not False
math.floor(t)|sum([t, 1])|[t] * 2|{t: 1}|{1: t}|np.array([t, 1])|np.array(t)|np.asarray([t]).dtype|t in (0, 1)
np.add(t, 1)|np.sqrt(t)|t.real|t.imag|str(t)|repr((t,))|f"{t:.2f}"|f"{t!r:>9}"|"%s" % t|"%d" % t|t and 5|not t
t or 7|float(t)|complex(t)|bool(t)|t ** 2|t ** -1|2 ** t|t ** 0.5|t ** t|t & 1|1 << t|t // n|n / t|t % 2|pow(t, 2)
abs(t)|-t|~t|min(t, 1)|max(t, 2, 3)|t > 1|(t > 1) + 1|t == 2|np.float32(t)|np.maximum(t, 1)|a * t|a + t|t - a|b + t
b * t|np.full(2, t)|np.zeros(2) + t|np.dot(t, 2)|np.sum([t, 1])|np.mean([t, 1])|np.arange(t)|t if t else None
print(t)|copy.copy(t)|np.where(b > t, b, t)|[1, 2, 3, 4][t]|a[t]|a[:t]|len(range(t))|t.bit_length()|t.is_integer()
t.item()|np.clip(b, t, 3)|np.append(b, t)
"""  # fmt: skip

BOTH = {
    "int or np.float64": ("0", "np.float64(y)"),
    "int or float": ("2", "2.5"),
    "float or np.float64": ("0.0", "np.float64(y)"),
    "int or np.int64": ("3", "np.int64(n)"),
    "bool or np.bool": ("False", "y > 1"),
    "float or int": ("1.0", "n"),
}


def shown(function, *arguments):
    """What a call returns, as text, and prints; or the class of what it raises."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        kind, made = outcome(lambda: repr(function(*arguments)))
    return kind, made if kind == "returns" else "", printed.getvalue()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
def test_programs_give_numbers_of_the_types_that_they_have_without_a_graph(text, jit_compile):
    for xs in ARRAYS:
        plain, written = load(text, np=np), load(text, np=np)
        staged = runtime.function(written, numpy=True, jit_compile=jit_compile)
        for _ in range(2):
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                expected, found = (outcome(lambda f=f: repr(f(np.array(xs, float)))) for f in (plain, staged))
            assert found == expected, xs


@pytest.mark.parametrize("types", BOTH.values(), ids=BOTH)
def test_who_asks_for_the_type_of_a_number_is_told_of_the_one_that_it_has(types):
    x, z = types
    for asked in ASKED.strip().replace("\n", "|").split("|"):
        text = f"def f(y, n, a, b):\n    t = {x}\n    if y > 0:\n        t = {z}\n    return {asked}\n"
        plain = load(text, np=np, math=math, copy=copy)
        staged = runtime.function(plain, numpy=True)
        for y, n in itertools.product((2.0, -1.0), (2, 0)):
            given = np.float64(y), n, np.arange(5.0), np.arange(4)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                expected, found = shown(plain, *given), shown(staged, *given)
            refused = found[0].endswith("StagingError") or found[0] in REFUSED.get(asked, ())
            assert found == expected or refused, (asked, y, n)


# Where a graph says no: a class that only it knows, a key.
REFUSED = {"{t: 1}": ("StagingError",)}

STARTS = ("0", "1", "0.0", "2.5", "True", "np.float64(1.5)", "np.int64(3)", "np.float32(0.5)")
VALUES = ("a", "b", "c", "v", "y", "n", "i", "1", "2", "0.5", "3", "np.float64(2.0)", "np.int64(2)", "w")
NUMBERS = (*"+-*/", "//", "%")


def expression(rng, depth=2):
    if depth == 0 or rng.random() < 0.3:
        return rng.choice(VALUES)
    x, y = expression(rng, depth - 1), expression(rng, depth - 1)
    form = rng.randrange(9)
    if form == 0:
        return f"(-{x})"
    if form == 1:
        return f"abs({x})"
    if form == 2:
        return f"{rng.choice(('min', 'max'))}({x}, {y})"
    if form == 3:
        return f"({x} if {rng.choice(VALUES)} > 1 else {y})"
    return f"({x} {rng.choice(NUMBERS if form > 6 else NUMBERS[:3])} {y})"


def block(rng, depth):
    lines = []
    for _ in range(rng.randint(1, 2)):
        kind = rng.random()
        if depth == 0 or kind < 0.5:
            lines.append(f"{rng.choice('abc')} {rng.choice(('=', '=', '+=', '*='))} {expression(rng)}")
        elif kind < 0.8:
            lines.append(f"if {rng.choice(VALUES[:6])} > {rng.choice(('0', '1', '2.5'))}:")
            lines += ["    " + line for line in block(rng, depth - 1)]
            if rng.random() < 0.5:
                lines += ["else:", *("    " + line for line in block(rng, depth - 1))]
        else:
            lines.append(rng.choice(("for i in range(n):", "for v in xs:", "for i in range(3):")))
            lines += ["    " + line for line in block(rng, depth - 1)]
    return lines


def generated(seed):
    rng = random.Random(seed)
    starts = [f"{name} = {rng.choice(STARTS)}" for name in "abc"]
    lines = [*starts, "v, i, w = y, 0, np.float64(n)", *block(rng, 2), *block(rng, 2), "return a, b, c"]
    return "\n".join(lines)


@pytest.mark.parametrize("seed", range(60))
def test_generated_programs_give_numbers_of_the_types_that_they_have_without_a_graph(seed):
    agree(
        generated(seed), EXECUTORS[seed % len(EXECUTORS)], [(xs, n, np.float64(n - 1.5)) for n, xs in enumerate(ARRAYS)]
    )


def last_place(p, places):
    at = None
    for k in range(len(p)):
        if p[k] > 1:
            at = places[k]
        elif p[k] > 0:
            at = k
    return at


def looked_up_there(p, places):
    at = last_place(p, places)
    if at is None:
        return None
    return p[at], places[at - 1 : at], at


def written_there(p, places):
    at = last_place(p, places)
    if at is not None:
        p[at] = 9.0
        p[at:] += 1
    return at


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("program", [looked_up_there, written_there])
def test_a_place_is_none_or_a_number_of_one_type_or_another(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    places = np.array([0, 0, 1, 2, 1])
    for p in ([1.0, 0.0, 2.0, 3.0, 5.0], [1.0, 0.0], [0.0]):
        mine, wanted = np.array(p), np.array(p)
        assert repr(f(mine, places)) == repr(program(wanted, places)) and (mine == wanted).all()


def test_of_many_numbers_the_types_are_not_asked(monkeypatch):
    """Each is asked with each of the others: of as many as that takes too long for, the dtype is that of them all."""
    monkeypatch.setattr(promoted, "_MANY", 2)
    for count, dtype in ((2, np.int64), (3, np.float64)):
        lines = "".join(f"    a{k} = {k}\n    if x[{k}] > 0: a{k} = 0.5\n" for k in range(count))
        listed = ", ".join(f"a{k}" for k in range(count))
        f = load(f"def f(x):\n{lines}    return np.array([{listed}])\n", np=np)
        made = runtime.function(f, numpy=True, jit_compile=False)(np.zeros(3))
        assert made.dtype == dtype and made.tolist() == [*range(count)]
