"""Effects happen as Python has them: once each, in order, and where the program comes to them."""

import functools

import numpy as np
import pytest

import runtime as tf
from autograph import AutographError
from autograph.errors import Refuses
from tests.programs import load

STEPS = tf.Variable(np.int64(0))


def t(number, value):
    """The value, when the step of this number has been done."""
    STEPS.assign(STEPS * 10 + number)
    return value


class Ctx:
    def __init__(self, n):
        self.n = n

    def __enter__(self):
        t(1, 1)
        return self.n

    def __exit__(self, *error):
        t(8, 1)


class Box:
    def __init__(self, n):
        self.n = n


class Prop:
    def __init__(self, n):
        self.n = n

    @property
    def v(self):
        return t(7, self.n) if self.n > 2 else self.n

    @v.setter
    def v(self, value):
        if value > 2:
            t(6, value)
        self.n = value

    def __lt__(self, other):
        return t(5, self.n) < other.n if self.n > 2 else other.n > 2

    def __add__(self, other):
        return t(4, self.n) + t(3, other.n) if self.n > 2 else t(2, other.n)

    def __call__(self, k):
        return t(9, k) if k > 2 else k


def total(*values, **named):
    return sum(values) + sum(named.values())


def rec(q):
    if q <= 0:
        return t(1, q)
    return rec(q - 1) + t(2, q)


def rec2(p, q):
    if p <= 0:
        return q
    t(1, p)
    x = rec2(p - 1, q)
    t(2, x)
    return x + 1


# Statements, which `;` parts.
LINES = """
r = t(1, n) > 2 and t(2, n) > 5
r = t(1, n) > 2 or t(2, n) > 5
r = t(1, n) < t(2, n) < t(3, m)
r = t(1, n) > t(2, m) > t(3, m)
r = t(1, n) if t(2, n) > 2 else t(3, m)
r = [t(1, n), t(2, m)]
r = {t(1, 5): t(2, n)}
r = t(1, n) + t(2, m) * t(3, n)
r = not t(1, n) > 2
r = max(t(1, n), t(2, m))
r = any([t(1, n) > 2, t(2, m) > 2])
r = any(t(k, n) > 2 for k in (1, 2))
r = all(t(k, n) > 2 for k in (1, 2))
r = sum(t(k, n) for k in (1, 2, 3) if k != 2)
r = [t(k, n) for k in range(n)]
r = [t(k, n) for k in range(n) if t(7, k) > 1]
r = next(t(k, n) for k in (1, 2))
r = list(map(lambda k: t(k, n), (1, 2)))
r = f'{t(1, n)} {t(2, m)}'
r = str(t(1, n)) + str(t(2, m))
r = t(1, n) == t(2, n) == t(3, n)
r = t(1, n) is not None and t(2, m) > 3
r = t(1, n) in [t(2, n), t(3, m)]
r = [5, 6, 7, 8, 9, 9, 9, 9, 9][t(1, n)]
r = (lambda q=t(1, n): q + t(2, m))()
r = (q := t(1, n)) + t(2, q)
x = [t(1, n), t(2, m)]; x[t(3, 1)] += t(4, n); r = x
x = [n, m]; x[t(1, 0)], x[t(2, 1)] = t(3, m), t(4, n); r = x
a[t(1, 0)] = t(2, n); r = a.sum()
a[t(1, 0)] += t(2, n); r = a.sum()
a[n - 3 if n > 2 else 0] += t(2, n); r = a.sum()
x, y = t(1, n), t(2, m); r = x * y
b = Box(t(1, n)); b.n += t(2, m); r = b.n
r = t(1, n) and t(2, m) or t(3, n)
r = (t(1, n) > 2 and t(2, m)) or t(3, n)
r = t(1, n) if n > 2 and t(2, n) > 1 or t(3, m) > 1 else t(4, n)
r = functools.reduce(lambda x, y: t(1, x) + t(2, y), [n, m, 3])
r = sorted([t(1, n), t(2, m)], key=lambda q: t(3, q))
r = max([n, m], key=lambda q: t(3, q))
r = dict(a=t(1, n), b=t(2, m))
r = total(t(1, n), *[t(2, m)], **{'k': t(3, n)})
r = 0 if n > 2 else t(1, n); t(2, r)
global G; G = t(1, n); r = G + t(2, G)
r = rec(n)
r = rec2(n, m)
q = Prop(n); q.v = t(1, m); r = q.v
q = Prop(n); q.v += t(1, m); r = q.v
r = Prop(n) < Prop(m)
r = Prop(n) + Prop(m)
r = Prop(n)(t(1, m))
r = [q.v for q in (Prop(n), Prop(m)) if q.v > 2]
r = t(1, 1) + a[m] + t(2, 1)
r = t(1, 1) + 2 ** (n - m) + t(2, 1)
r = [t(1, n), a[:m].reshape(2)[0], t(2, n)]
r = f'{t(1, n)} {a[m]} {t(2, n)}'
r = sum(t(1, k) + np.min(a[m:]) for k in range(2))
a[t(1, 0)] = a[m] + t(2, 1); r = 1
"""

BLOCKS = """
assert t(1, n) > 0, t(2, n)
r = 0

assert t(1, n) > 0, f'{t(2, n)}'
r = 0

if t(1, n) > 2: r = t(2, n)
else: r = t(3, n)

if t(1, n) > 100: r = t(2, n)
elif t(3, n) > 1: r = t(4, n)
else: r = t(5, n)

r = 0
while t(1, r) < n: r += 1

r = 0
while t(1, r) < n:
    r += 1
    if t(2, r) > 1: break
else: t(3, n)

r = 0
for k in range(t(1, n)): r += t(2, k)

r = 0
for k in range(n):
    if t(2, k) == 1: continue
    r += t(3, k)

r = 0
for k in range(n):
    if t(2, k) == 1: break
else: r = t(4, n)

r = 0
for k in [1, 2, 3]:
    if t(k, n) > k: break
    r += t(9, k)

r = 0
for k in (t(1, n), t(2, m)):
    r += t(3, k)

def g(q):
    if q > 2: return t(1, q)
    return t(2, q)
r = g(n) + g(m)

def g(q):
    t(1, q)
    if q > 2: return q
    t(2, q)
    return q
r = g(n) * g(m)

def g(q):
    for k in range(q):
        if t(1, k) > 1: return t(2, k)
    return t(3, q)
r = g(n)

try:
    t(1, n)
    if n > 2: r = t(2, n)
    else: r = 0
finally:
    t(3, n)

with Ctx(n) as c:
    r = t(2, c) if n > 2 else t(3, c)

b = Box(n)
if t(1, n) > 2: b.n = t(2, m)
r = b.n

match t(1, n):
    case 3: r = t(2, n)
    case 2: r = t(3, n)
    case _: r = t(4, n)

match n:
    case k if t(1, k) > 2: r = t(2, n)
    case k if t(3, k) > 1: r = t(4, n)
    case _: r = t(5, n)

match [n, m]:
    case [3, k]: r = t(2, k)
    case [k, 1]: r = t(3, k)
    case _: r = t(4, n)

def g():
    yield t(1, n)
    yield t(2, m)
r = sum(g())

def g():
    if n > 2: return t(1, n)
    yield t(2, n)
r = 0

for r in [n, m]:
    if r > t(1, 2): t(2, r); break
    t(3, r)

r = n
while True:
    r = r + t(1, 1)
    if r > 5: break

r = 0
while r < 3 and t(1, r) < n: r += 1

r = 0
while r < 3 or t(1, r) < n: r += 1

r = 0
for i in range(n):
    for j in range(i):
        if t(1, j) == 1: break
        r += t(2, i)

r = 0
for i in range(n):
    for j in [1, 2]:
        if t(j, i) == 1: return t(5, i)
    t(6, i)

r = 1
del_ = [n, m]; del del_[t(1, 0)]; r = del_

if n > 2: return t(1, n)
r = t(2, n)

if n > 2:
    if t(1, m) > 3: return t(2, n)
    t(3, n)
r = t(4, n)

for k in range(n):
    if t(1, k) == m: return t(2, k)
r = t(3, n)

for k in range(n):
    try:
        if t(1, k) == 1: continue
        t(2, k)
    finally: t(3, k)
r = 0

class K:
    v = t(1, n)
    def get(self): return t(2, self.v)
r = K().get() if n > 2 else K.v
"""

PROGRAMS = [
    *(line.replace("; ", "\n") for line in LINES.strip().splitlines()),
    *BLOCKS.strip().split("\n\n"),
]
ARGUMENTS = [([1.5, -2.0, 4.0], 3, 8), ([-1.0, 2.5, 0.0], 2, 1), ([1.0, 2.5, 0.0], 0, 2)]


def outcome(function, a, n, m):
    STEPS.assign(0)
    try:
        found = plain(function(np.array(a), np.int64(n), np.int64(m)))
    except (AutographError, Refuses):
        raise
    except Exception as error:
        found = (
            "AssertionError"
            if isinstance(error, AssertionError)
            else ("IndexError" if isinstance(error, IndexError) else type(error).__name__)
        ).replace("InvalidArgument", "Value")  # which it is, in a graph of tensors
    return found, int(STEPS.numpy())


def plain(value):
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    found = value.numpy() if isinstance(value, tf.Tensor) else value
    found = found.tolist() if isinstance(found, np.ndarray | np.generic) else found
    return found.decode() if isinstance(found, bytes) else found


# What is refused, as it would have to be done more than once, or perhaps not at all.
REFUSED = ("any(t(k, n)", "all(t(k, n)", "case k if t(1, k)")


@pytest.mark.sampled(6, each="text")
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("text", PROGRAMS)
def test_steps_are_done_once_and_in_order(text, jit_compile):
    body = "".join(f"    {line}\n" for line in text.splitlines())
    names = {"t": t, "Ctx": Ctx, "Box": Box, "Prop": Prop, "total": total, "rec": rec, "rec2": rec2}
    program = load(f"def program(a, n, m):\n{body}    return r\n", "program", np=np, functools=functools, **names)
    staged = tf.function(program, jit_compile=jit_compile)
    for arguments in ARGUMENTS:
        wanted = outcome(program, *arguments)
        try:
            found = outcome(staged, *arguments)
        except (AutographError, Refuses):
            assert any(part in text for part in REFUSED), text
            return
        assert found == wanted, arguments
