"""Programs as people write them: several constructs at once."""

# ruff: noqa
import contextlib
import functools
import math
from collections import namedtuple
from dataclasses import dataclass

import numpy as np

import runtime as tf
from tests.staged import on

Pair = namedtuple("Pair", "a b")


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


@on(3, -3)
def nt(x):
    p = Pair(x, 0)
    if x > 0:
        p = p._replace(b=x)
    return tuple(p)


@on(3, 0)
def while_else_nested(n):
    out = 0
    for i in range(3):
        j = 0
        while j < n:
            if i * j > 2:
                break
            j += 1
        else:
            out += 100
        out += j
    return out


@on((3, 2))
def early_tuple(a, b):
    if a > b:
        return a, b
    return b, a


@on([1, 2, 3, 4])
def slices2(v):
    v2 = v[::2]
    s = 0
    for e in v[1:3]:
        s += e
    return v2, s, v[-2:]


@on(3)
def nonlocal_deep(n):
    a = 0

    def f():
        nonlocal a

        def g():
            nonlocal a
            a += n

        if n > 2:
            g()
        g()

    f()
    return a


@on(3, 8)
def idx_fn_list(x):
    fs = [lambda v: v + 1, lambda v: v * 10]
    return fs[x % 2](x)


@on(2)
def idx_nested(i):
    grid = [[1, 2, 3], [4, 5, 6], [7, 8, 9]]
    return grid[i][1], grid[0][i], grid[i][i]


@on(1)
def idx_strs(i):
    names = ["a", "bb", "ccc"]
    return names[i]


@on(3, -3)
def complex_cond(x):
    if (x > 0) == True:
        return 1
    if not x > 0 and x != -3:
        return 2
    return 3


@on(4)
def floor_ops(n):
    i = n
    steps = []
    while i:
        steps.append(i % 2)
        i //= 2
    return steps[::-1]


@on(3)
def enumerate_list(n):
    out = {}
    for i, name in enumerate(["a", "b"]):
        if n > i:
            out[name] = n * i
        else:
            out[name] = 0
    return out


@on(3, 1)
def list_of_lists_growth(n):
    rows = [[0]]
    for i in range(3):
        if n > i:
            rows[0].append(i)
    return rows


@on(3, 1)
def tuple_state(n):
    t = (1, 2)
    for i in tf.range(n):
        t = (t[1], t[0] + t[1])
    return t


@on(3.5, -1.0)
def float_branches(x):
    if x > 1:
        y = x / 2
    elif x > 0:
        y = 1
    else:
        y = 0
    return y


@on(3)
def bool_accum(n):
    ok = True
    for i in range(n):
        ok = ok and i < 2
    return ok


@on(3)
def any_flag(n):
    seen = False
    for i in range(n):
        if i == 2:
            seen = True
    return seen


@on(5)
def triangular(n):
    return sum(i for i in range(n) if i % 2 == 0), len([i for i in range(n) if i > 2])


@on([3, 1, 2])
def insertion_sort(v):
    out = []
    for e in v:
        pos = 0
        while pos < len(out) and out[pos] < e:
            pos += 1
        out.insert(pos, e)
    return out


@on([3, 1, 2, 3])
def unique(v):
    seen = []
    for e in v:
        if e not in seen:
            seen.append(e)
    return seen


@on([3, 1, 2, 3])
def counts(v):
    best = None
    n = 0
    for a in v:
        c = 0
        for b in v:
            if a == b:
                c += 1
        if c > n:
            best, n = a, c
    return best, n


@on(13, 12)
def is_prime(n):
    if n < 2:
        return False
    i = 2
    while i * i <= n:
        if n % i == 0:
            return False
        i += 1
    return True


@on((3, 5), (5, 5))
def max_of(a, b):
    return a if a > b else b if b > a else None


@on(5, 2)
def nested_break_flag(n):
    found = None
    for i in range(n):
        for j in range(n):
            if i * j == 6:
                found = (i, j)
                break
        if found is not None:
            break
    return found


@on(10)
def generator_func_staged(n):
    def evens(k):
        for i in range(4):
            if i % 2 == 0:
                yield i * k

    return list(evens(n)), sum(evens(n))


@on(3, -3)
def raise_from(x):
    if x < 0:
        raise ValueError("neg") from None
    return x


@on(3, -3)
def custom_bool(x):
    class T:
        def __init__(self, v):
            self.v = v

        def __bool__(self):
            return True

        def __len__(self):
            return 3

    return 1 if T(x) else 2


@on(3, -3)
def with_attr_chain(x):
    class A:
        pass

    a = A()
    a.b = A()
    a.b.c = [1, 2]
    if x > 0:
        a.b.c[0] = x
        a.b.d = 5
    else:
        a.b.d = 6
    return a.b.c, a.b.d


@on(4, 0)
def count_down_for(n):
    out = []
    for i in range(n, 0, -1):
        out.append(i)
    return out


@on(3)
def mutual_lists(n):
    a, b = [], [0]
    for i in range(n):
        a.append(b[-1] + i)
        b.append(a[-1] * 2)
    return a, b


@on(3)
def pass_through_kwargs(n):
    def inner(a, /, b=1, *args, c=2, **kw):
        t = a + b + c
        for k in kw:
            t += kw[k]
        if t > 10:
            return t
        return -t

    return inner(n, 2, 9, c=3, d=4), inner(n)


@on(2, 9)
def assign_in_try(x):
    y = 0
    try:
        y = x
        if x > 5:
            y = 100
    except ZeroDivisionError:
        y = -1
    else:
        y += 1
    finally:
        y += 1000
    return y


@on(3, -2)
def int_float_str(x):
    return int(x > 0), float(x > 0), int(x * 1.0), bool(x), str(x * 2)[0:0] == "" if False else 1


@on(3)
def static_asserts(x):
    assert isinstance(x, tf.Tensor) or True
    assert x.shape == ()
    return x


@on([1.0, 2.0, 4.0])
def running_mean(v):
    m = 0.0
    for i, e in enumerate(v):
        m = m + (e - m) / (i + 1)
    return m


@on(6)
def deque_like(n):
    buf = [0, 0, 0]
    for i in range(n):
        buf = buf[1:] + [i]
    return buf


@on(6)
def list_mul(n):
    xs = [0] * 4
    for i in range(n):
        xs[i % 4] += i
    return xs


@on(3)
def zip_lists(n):
    out = []
    for a, b in zip([1, 2, 3], ["x", "y", "z"]):
        if a < n:
            out.append(b)
    return out


@on(3, -3)
def ret_opt_pair(x):
    def find(v):
        if v > 0:
            return v, v * 2
        return None

    r = find(x)
    if r is None:
        return 0
    a, b = r
    return a + b


@on(3, -3)
def dict_opt(x):
    cfg = {"k": None}
    if x > 0:
        cfg["k"] = x
    if cfg["k"] is None:
        return -1
    return cfg["k"]


@on(3, -3)
def obj_opt_method(x):
    class Node:
        def __init__(self, v, nxt=None):
            self.v = v
            self.next = nxt

        def total(self):
            if self.next is None:
                return self.v
            return self.v + self.next.total()

    n = Node(1, Node(x))
    if x > 0:
        n.next = Node(x, Node(5))
    return n.total()


@on(3, -3)
def attribute_that_may_be_there(x):
    class N:
        pass

    n = N()
    if x > 0:
        n.extra = x
    if hasattr(n, "extra"):
        return n.extra
    return getattr(n, "extra", 7)


class Best:
    def __init__(self):
        self.value = None

    def offer(self, v):
        if self.value is None:
            self.value = v
        if v > self.value:
            self.value = v


@on([3, 7, 5])
def best_of_methods(v):
    best = Best()
    for e in v:
        best.offer(e)
    return best.value


@on(3, -3)
def refusals_are_not_caught(x):
    try:
        if x > 0:
            y = 1
        else:
            y = 2
    except (ValueError, TypeError):
        y = 3
    return y


# `finally` clauses that jump: they end whatever was on its way, exceptions too.


@on(1, 0)
def finally_returns(x):
    try:
        return 2
    finally:
        if x > 0:
            return 1


@on(-1, 0, 2, 4, 5)
def finally_breaks(x):
    n = 0
    for i in range(5):
        try:
            n += i
            if x > 3:
                return n
        finally:
            if i > x:
                break
            n += 10
    return n


@on(0, 3, 5, 12)
def finally_continues(x):
    n = 0
    while n < 10:
        n += 1
        try:
            if n > x:
                return n
        finally:
            if n < 5:
                continue
            n += 1
    return -n


@on(1, 0)
def finally_ends_an_exception(x):
    try:
        {}["k"]
    finally:
        if x > 0:
            return 1
    return 2


@on(-1, 0, 1, 2, 3)
def finally_in_finally(x):
    y = 0
    try:
        y = 1
        try:
            y = 2
            if x > 1:
                return y
        finally:
            if x > 2:
                return 3
            z = x
    finally:
        if x < 0:
            y = 7
        if x == 0:
            return y + z
    return -y


@on(1, 5, 9)
def finally_undoes_a_break(x):
    n = 0
    while True:
        n += 1
        try:
            if n > x:
                break
        finally:
            if n < 4:
                continue
        n += 1
    else:
        n = -1
    return n


@on(0, 1, 2)
def finally_with_handlers(x):
    n = 0
    try:
        n += 1
        if x > 1:
            return n
    except KeyError:
        n = 100
    else:
        n += 10
    finally:
        if x < 1:
            return -n
    return n


@on(1, -1)
def finally_in_a_branch(x):
    n = 3
    if x > 0:
        try:
            n = n + x
        finally:
            return n
    return n - 5
