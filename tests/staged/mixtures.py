"""Programs as people write them: several constructs at once."""

# ruff: noqa
import contextlib
import functools
import math
from dataclasses import dataclass

import numpy as np

import runtime as tf
from tests.staged import on


@on([3, -1, 2])
def multi_comp(v):
    return [a * b for a in v for b in v if a < b]


@on([3, -1, 2])
def set_comp(v):
    return sorted({int(k) for k in (1, 2, 2)}), {k: v[k] for k in range(3)}


@on(3, 0)
def dict_in_loop(n):
    d = {"a": [0], "b": (1, 2)}
    for i in tf.range(n):
        d["a"].append(i)
        d["b"] = (d["b"][1], d["b"][0] + i)
    return d


@on(5, 2)
def nested_fn_state(n):
    stack = [0]

    def push(v):
        stack.append(v)

    def pop():
        return stack.pop()

    while n > 0:
        push(n)
        if n % 2 == 0:
            pop()
        n -= 1
    return stack


@on(3, -3)
def lambda_choice(x):
    ops = {"a": lambda v: v + 1, "b": lambda v: v * 2}
    f = ops["a"] if x > 0 else ops["b"]
    return f(x), [g(x) for g in ops.values()]


@dataclass
class Pt:
    x: object
    y: object = 0

    def norm(self):
        if self.x > self.y:
            return self.x - self.y
        return self.y - self.x


@on(3, -3)
def dc(x):
    p = Pt(x)
    if x > 0:
        p.x = p.x * 2
    else:
        p = Pt(x, 5)
    return p.norm(), p.x


@on(4, 0)
def enum_while(n):
    res = []
    i = 0
    while True:
        if i >= n:
            break
        if i % 2:
            i += 1
            continue
        res.append((i, i * i))
        i += 1
    else:
        res.append((-1, -1))
    return res


@on(3, -3)
def try_finally_ret(x):
    out = []
    try:
        if x > 0:
            return x
        out.append(1)
    finally:
        out.append(2)
    return out


@on(10, 3)
def binary_search(n):
    lo, hi = 0, 100
    while lo < hi:
        mid = (lo + hi) // 2
        if mid * mid < n:
            lo = mid + 1
        else:
            hi = mid
    return lo


@on([1, 2, 3])
def np_calls(v):
    a = np.sum(v)
    b = np.where(v > 1, v, 0)
    if a > 3:
        b = b * 2
    return a, b, np.max(v), np.stack([v, v])


@on(3, -3)
def math_static(x):
    k = math.sqrt(16)
    return x * int(k) if x > 0 else x


@on(5)
def gen_consumed(n):
    def squares(k):
        i = 0
        while i < k:
            yield i * i
            i += 1

    total = 0
    for s in squares(4):
        total += s * n
    return total


@on(7, 8)
def global_fn_table(x):
    table = [lambda v: v + 1, lambda v: v * 2]
    i = 0 if x % 2 == 0 else 1
    r = 0
    for k, f in enumerate(table):
        if k == i:
            r = f(x)
    return r


@on(3, -2)
def ternary_chain(x):
    y = "neg" if x < 0 else "zero" if x == 0 else "pos"
    return y


@on(3, -2)
def bool_ops(x):
    a = x > 0
    b = not a
    c = a or b
    d = a and not b
    if a and (b or c) and d:
        return 1
    return 0


@on(6)
def while_list_index(n):
    fibs = [1, 1]
    while len(fibs) < n:
        fibs.append(fibs[-1] + fibs[-2])
    return fibs, fibs[n - 1]


@on((3, 4))
def swap_loop(a, b):
    for _ in range(a):
        a, b = b, a + b
    return a, b


@on([5, 1, 4])
def sorts(v):
    return sorted(v), sorted(v, reverse=True), max(v), min(v), sum(v) / len(v)


@on([5, 1, 4])
def argmax(v):
    best, at = v[0], 0
    for i, e in enumerate(v):
        if e > best:
            best, at = e, i
    return at, best


@on(3, -3)
def inner_class_state(x):
    class Acc:
        total = 0

        def add(self, k):
            self.total += k
            return self

    a = Acc()
    if x > 0:
        a.add(x).add(1)
    return a.total


@on(3, 0)
def counter_dict(n):
    counts = {"even": 0, "odd": 0}
    for i in range(n):
        key = "even" if i % 2 == 0 else "odd"
        if i % 2 == 0:
            counts["even"] += 1
        else:
            counts["odd"] += 1
    return counts


@on(4)
def star_call(n):
    def f(*a):
        return sum(a)

    xs = []
    for i in range(3):
        xs.append(n + i)
    return f(*xs)


@on(12, 5)
def early_in_nested_with(n):
    with contextlib.nullcontext():
        for i in tf.range(n):
            with contextlib.nullcontext(i) as k:
                if k > 6:
                    return k
    return -1


@on(3, -3)
def assign_expr_if(x):
    if (y := x * 2) > 4 and (z := y + 1) > 0:
        return z
    return y


@on(3, -3)
def str_building(x):
    parts = []
    if x > 0:
        parts.append("pos")
    else:
        parts.append("neg")
    parts.append("end")
    return parts


@on(3, -3)
def none_chain(x):
    a = None
    b = None
    if x > 0:
        a = x
    if a is None:
        b = 1
    if a is not None and b is None:
        return a
    return b


@on(3, -3)
def opt_attr(x):
    class N:
        pass

    n = N()
    n.next = None
    n.v = 1
    if x > 0:
        m = N()
        m.next = None
        m.v = x
        n.next = m
    if n.next is None:
        return n.v
    return n.next.v


@on(2.0)
def deriv(x):
    f = lambda t: t * t if t > 1 else t
    h = 0.5
    return (f(x + h) - f(x - h)) / (2 * h)


@on(([1.0, 2.0], [3.0, 4.0]))
def dot(a, b):
    s = 0.0
    for p, q in zip(a, b):
        s += p * q
    return s


@on([[1, 2], [3, 4]])
def mat_loops(m):
    s = 0
    for row in m:
        for e in row:
            s += e
    return s, [sum(r) for r in m]


@on(3)
def range_list(n):
    return list(range(n)), [i for i in range(n)], sum(range(n)), max(range(1, n + 1))


@on(3, -3)
def del_attr(x):
    class N:
        pass

    n = N()
    n.a = 1
    n.b = 2
    if x > 0:
        del n.a
    return hasattr(n, "b")


@on(3, -3)
def del_item(x):
    d = {"a": 1, "b": x}
    y = d.pop("a")
    if y > 0 and x > 0:
        d["b"] = y
    del d["b"]
    return d, y


@on((1, 2), (2, 1))
def compare_tuples(a, b):
    return a == b, (a < b), a is a, a is not b


@on(5, 0)
def sum_gen_nested(n):
    return sum(i * j for i in range(3) for j in range(2)) + n


@on(3)
def fstring_loop(n):
    out = []
    for i in range(n):
        out.append(f"{i}:{i * i}")
    return out


@on(3, -3)
def exc_in_callee(x):
    def check(v):
        if v < 0:
            raise ValueError(f"bad {v}")
        return v

    return check(x) + 1


@on(3, -3)
def assert_in_callee(x):
    def check(v):
        assert v > 0, ("low", 1)
        return v

    return check(x) + 1


@on(0, 2)
def zero_div(x):
    if x == 0:
        return 0
    return 10 // x


@on(4)
def while_pop(n):
    q = [(n, 0)]
    best = 0
    while q:
        v, d = q.pop()
        if d > best:
            best = d
        if v > 1:
            q.append((v // 2, d + 1))
            q.append((v - 2, d + 1))
    return best


@on(3, -3)
def prop_setter(x):
    class T:
        def __init__(self):
            self._v = 0

        @property
        def v(self):
            return self._v

        @v.setter
        def v(self, k):
            if k > 0:
                self._v = k
            else:
                self._v = -k

    t = T()
    t.v = x
    return t.v


@on(3, -3)
def ctx_class(x):
    class C:
        def __init__(self):
            self.n = 0

        def __enter__(self):
            if x > 0:
                self.n += 1
            return self

        def __exit__(self, *a):
            self.n += 10

    with C() as c:
        c.n += 100
    return c.n


@on(3)
def iter_class(x):
    class It:
        def __iter__(self):
            for k in range(3):
                yield x + k

    return [e for e in It()], sum(It())


@on(5, -1)
def cached(x):
    @functools.lru_cache
    def g(k):
        return k * 2

    return x + g(3)


@on(3, -3)
def changed_or_made_anew(x):
    items = [1, 2]
    old = items
    if x > 0:
        items.append(x)
    else:
        items = [x, x, x, x]
    return items, old


@on(3, 0)
def changed_or_made_anew_in_a_loop(n):
    p = Pt(1)
    q = [0]
    while n > 0:
        if n % 2 == 0:
            p.x = p.x + n
            q.append(n)
        else:
            p = Pt(p.x * 10, p.y)
            q = [n, *q]
        n -= 1
    return p.x, p.y, q
