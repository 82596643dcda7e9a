"""Lists, objects and arrays known by several names, of which a staged statement gives one another: whoever writes by
one name is seen by the others that still stand for it, or it is refused."""

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load


class Value:
    """A number whose operators give new ones."""

    def __init__(self, v):
        self.v = v

    def add(self, k):
        return Value(self.v + k)

    __add__ = __iadd__ = add


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __mul__(self, k):
        return Vector(self.x * k, self.y * k)


class Holder:
    def __init__(self, v):
        self.v, self.w = v, [v]


WORK = """
o, q = [1], [2]
p = o if x > 0 else q
p += [3]
p += [4]
return o, q, p
---
o, q = [1], [2]
p = o if n > 1 else q
p *= 2
q.append(7)
return o, q, p
---
o, q = [1], [2]
p = o if n > 1 else q
for i in range(n): p += [i]
return o, q, p
---
o, q = [1], [2]
p = o if n > 1 else q
if n > 1: p += [n]
if n > 2: p += [n]
return o, q, p
---
L = [[1], [2]]
p = L[n % 2]
p += [3]
p += [4]
return L, p
---
o, q = {'a': 1}, {'a': 2}
p = o if n > 1 else q
for i in range(n): p |= {'a': i}
return o['a'], q['a'], p['a']
---
o, q = [1], [2]
p = o if x > 0 else q
if n > 1:
    o = [5]
p[0] = 3
return o, q, p
---
o, q = [1], [2]
p = o if x > 0 else q
if n > 1:
    o = [5]
p.append(3)
return o, q, p
---
o, q = [1], [2]
p = o if x > 0 else q
for i in range(n - 1): o = [5]
p[0] = 3
return o, q, p
---
o, q = [1], [2]
p = o if x > 0 else q
if n > 1: o = o + [5]
o.append(3)
return o, q, p
---
o, q = {'a': 1}, {'a': 2}
p = o if x > 0 else q
if n > 1: o = {'a': 9}
p['a'] += 3
return o['a'], q['a'], p['a']
---
o, q = [1], [2]
p = q
if n > 1:
    o = [9]
    p = o if x > 0 else q
o.append(4)
return o, q, p
---
o, q = Value(1), Value(1)
p = o if n == 1 else q
if x < 0:
    o += n
p.v = 7
return o.v, q.v, p.v
---
a, b, c = Holder(1), Holder(2), Holder(5)
c = b if x > 0 else a
if n == 2:
    if n % 2 == 0: b = Holder(b.v + 4)
    b = Holder(b.v + 3)
c.v = 3
return a.v, b.v, c.v
---
a, b, c = Holder(1), Holder(2), Holder(5)
L = [a, b]
if n == 1:
    L[1] = Holder(L[1].v + n)
    c = L[n % 2]
L[1].w.append(4)
return c.w, a.w, b.w, L[1].w
---
a, b, c = Holder(1), Holder(2), Holder(5)
if n == 1:
    c = b
    b, a = a, b
if n % 2 == 0: c = Holder(c.v + 3)
c.w += [4]
return a.w, b.w, c.w
---
a = [1]
b = a
for i in range(n):
    if x > 0:
        a += [4]
    else:
        a = [9]
return a, b
---
a = Holder(1)
if n == 1:
    a = Holder(9)
    if n == 1:
        a.w.append(4)
return a.w
---
a = Holder(1)
if n == 1:
    a = Holder(9)
    for i in range(n):
        a.w.append(4)
return a.w
---
p = Value(1)
while n > 0:
    n -= 1
    if x > 0:
        p = p.add(2)
return p.v
---
p = Value(1)
while n > 0:
    n -= 1
    p = p.add(2)
return p.v
---
p = Value(1.0)
for i in range(n):
    p = p + i
return p.v
---
p = Value(1.0)
for i in range(n):
    p = p + x
    if p.v > 5: break
return p.v
---
p = Value(1)
for i in range(n):
    if i > 0: break
    p += 2
return p.v
---
p = Value(1)
while n > 0:
    n -= 1
    p += 2
return p.v
---
p, v = Vector(0.0, 0.0), Vector(1.0, 2.0)
for i in range(n):
    p = p + v * 0.5
return p.x, p.y
---
p, v = Vector(0.0, 0.0), Vector(1.0, 2.0)
for i in range(n):
    v = v + Vector(0.0, -1.0)
    p = p + v * 0.5
    if p.y < 0: v = Vector(v.x, -v.y)
return p.x, p.y, v.x
---
p = Value(1)
q = p
for i in range(n):
    p = p.add(2)
return p.v, q.v, p is q
---
p = Value(Value(1))
for i in range(n): p = Value(Value(p.v.v + 1))
return p.v.v
---
t = [[1, 2], [3, 4]]
return t[n % 2][1 - n % 2], t[-1 - n % 2][n % 2]
"""
PERHAPS_REFUSED = """
a, c = np.zeros(2), np.ones(2)
for i in range(n - 1):
    c = a
c[0] = 7
return a, c
---
a, c = np.zeros(2), np.ones(2)
for i in range(n - 1):
    c = a
c += 1
return a, c
---
a, c = np.array([1., 2.]), np.array([5., 2.])
if x > 0:
    a = c
for i in range(n):
    c += 4
return a, c
---
L = [np.zeros(2), np.ones(2)]
a = L[0]
L[n % 2] -= 1
return a, L
---
L = [np.zeros(2), np.ones(2)]
a = L[0]
for i in range(n): L[i % 2] += 1
return a, L
---
A = np.zeros((2, 2)); L = list(A)
L[n % 2] += 1
return A
---
A = np.zeros((2, 2)); L = [A[0], A[1]]
L[n % 2] += 1
return A
---
a, c = np.array([1., 2.]), np.array([5., 2.])
L = [a, c]
for i in range(n - 1):
    L[0] = np.zeros(2)
L[0] += 4
return a, c, L[0]
---
a, c = np.array([1., 2.]), np.array([5., 2.])
L = [a, c]
L[0] = L[n % 2]
L[0] += 2
return a, c, L[0]
---
a, c = np.array([1., 2.]), np.array([5., 2.])
L = [a, c]
for i in range(n):
    c[0] = 9
    if n > 1:
        L[1] = a
return a, c, L[1]
---
a, c = np.array([1., 2.]), np.array([5., 2.])
L = [a, c]
for i in range(n):
    c[0] = 9
    L[1] = a if n > 1 else L[1]
return a, c, L[1]
---
L = [Value(1)]
while n > 0:
    n -= 1
    if x > 0: L[0] = Value(2)
return L[0].v
---
o = Value(1); a = o
for i in range(n):
    a = Value(a.v + 1)
    if x > 0: o = Value(o.v + 2)
return o.v, a.v
---
p = Value(1)
for i in range(n):
    p = p.add(2) if x > 0 else p
return p.v
---
best = None
for i in range(n):
    c = Value(i * 2 % 3)
    if best is None or c.v > best.v: best = c
return -1 if best is None else best.v
"""


def parts(value):
    return [np.asarray(part) for part in tf.nest.flatten(value)]


def check(body, native, n):
    lines = "".join(f"    {line}\n" for line in body.split("\n"))
    f = load(f"def f(n, x):\n{lines}", np=np, Value=Value, Vector=Vector, Holder=Holder)
    graph = tf.function(f, jit_compile=native, numpy=True)
    for x in (3.5, -1.5):
        wanted = parts(f(np.int64(n), np.float64(x)))
        found = parts(graph(np.int64(n), np.float64(x)))
        assert all(map(np.array_equal, found, wanted)), (n, x)
        assert len(found) == len(wanted)


@pytest.mark.parametrize("native", [False, None])
@pytest.mark.parametrize("body", WORK.strip().split("\n---\n"))
def test_what_is_written_by_one_name_is_seen_by_another(body, native):
    for n in range(4):
        check(body, native, n)


@pytest.mark.parametrize("body", PERHAPS_REFUSED.strip().split("\n---\n"))
def test_what_is_written_by_one_name_is_seen_by_another_or_refused(body):
    for n in range(4):
        try:
            check(body, None, n)
        except StagingError:
            return


# What two names are given where one statement alone binds them: how it is made, written by one and read by the other.
MADE = {
    "a list": ("[x[0]]", "p.append(x[1])", "q"),
    "a dictionary": ("{'k': x[0]}", "p['k'] = x[1]", "q"),
    "a set": ("{int(x[0])}", "p.add(5)", "q"),
    "an object": ("Holder(x[0])", "p.v = x[1]", "(q.v, q.w)"),
    "an array": ("x + 1", "p[0] = 7", "q"),
    "a list in a tuple": ("([x[0]], 1)", "p[0].append(x[1])", "q"),
}
# Ways to bind them; where they are not bound the rest is not reached.
BOUND = {
    "or it returns": "if n > 0:\n    p = MADE\n    q = p\nelse:\n    return 0\nWRITTEN\nreturn READ",
    "or it raises": "if n > 0:\n    p = MADE\n    q = p\nelse:\n    raise KeyError(1)\nWRITTEN\nreturn READ",
    "or nothing asks": "if n > 0:\n    p = MADE\n    q = p\nif n > 0:\n    WRITTEN\n    return READ\nreturn 0",
    "where a loop ends": "for k in range(n):\n    if x[k] > 1:\n        p = MADE\n        q = p\n        break\n"
    "else: return 0\nWRITTEN\nreturn READ",
    "or it goes on": "for k in range(n):\n    if x[k] > 1:\n        p = MADE\n        q = p\n    else: continue\n"
    "    WRITTEN\n    if k > 1: return READ\nreturn 1",
    "or it is caught": "try:\n    k = 1 // int(n)\n    p = MADE\n    q = p\nexcept ZeroDivisionError: return 5\n"
    "WRITTEN\nreturn READ",
}


def observed(function, n):
    try:
        return repr(function(np.array([1.0, 2.0, 3.0, 1.0]), np.int64(n)))
    except KeyError as error:
        return repr(error)


@pytest.mark.parametrize("native", EXECUTORS)
@pytest.mark.parametrize("bound", BOUND)
@pytest.mark.parametrize("made", MADE)
def test_two_names_are_bound_to_one_thing_or_the_rest_is_not_reached(made, bound, native):
    new, written, read = MADE[made]
    body = BOUND[bound].replace("MADE", new).replace("WRITTEN", written).replace("READ", read)
    f = load("def f(x, n):\n" + "".join(f"    {line}\n" for line in body.split("\n")), np=np, Holder=Holder)
    graph = tf.function(f, jit_compile=native, numpy=True)
    for n in (3, 0):
        assert observed(graph, n) == observed(f, n), n
