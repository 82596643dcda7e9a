"""Which of several things a variable is: None, lists, objects, functions; and aliases, recursion, small algorithms."""

# ruff: noqa
import functools
import itertools

import runtime as tf
from tests.staged import on


@on(3, -3)
def is_tests(x):
    a = [1]
    b = a
    y = None if x > 0 else a
    return (y is a), (y is not None), b is a


@on(3, -3)
def fn_is(x):
    f = abs if x > 0 else max
    return f is abs


@on(3, -3)
def optional_call(x):
    f = None
    if x > 0:
        f = lambda v: v * 2
    if f is not None:
        return f(x)
    return 0


@on(3, -3)
def class_choice(x):
    class A:
        k = 1

        def go(self):
            return self.k

    class B(A):
        k = 2

    C = A if x > 0 else B
    return C().go()


@on(3, -3)
def method_choice(x):
    class A:
        def inc(self, v):
            return v + 1

        def dec(self, v):
            return v - 1

    a = A()
    m = a.inc if x > 0 else a.dec
    return m(x)


@on(3, -3)
def str_choice_attr(x):
    class A:
        pass

    a = A()
    name = "u" if x > 0 else "v"
    a.u = 1
    a.v = 2
    return a.u if x > 0 else a.v


@on(3, -3)
def swap_in_branch(x):
    a, b = [1], [2, 3]
    if x > 0:
        a, b = b, a
    return a, b


@on(3, -3)
def alias_after_branch(x):
    a = [1]
    b = a if x > 0 else [9]
    b.append(5)
    return a, b


@on(3, -3)
def loop_over_choice(x):
    items = [1, 2, 3] if x > 0 else [10, 20]
    s = 0
    for e in items:
        s += e
    return s, len(items)


@on(3, -3)
def range_choice(x):
    n = 3 if x > 0 else 5
    s = 0
    for i in range(n):
        s += i
    return s


@on(3, -3)
def while_choice(x):
    n = 3 if x > 0 else 5
    while n > 0:
        n -= 2
    return n


@on(3, -3)
def return_list_or_tuple(x):
    if x > 0:
        return [x]
    return (x, x)


@on(3, -3)
def return_dict_or_none(x):
    if x > 0:
        return {"a": x}


@on(3, -3)
def return_str_or_int(x):
    if x > 0:
        return "yes"
    return 0


@on(3, -3)
def empty_or_list(x):
    out = []
    if x > 0:
        out = [x, x]
    return out, len(out)


@on(3, -3)
def tuple_or_none(x):
    t = None
    if x > 0:
        t = (x, x + 1)
    if t is None:
        return 0
    a, b = t
    return a * b, t[0], len(t)


@on(3, -3)
def dict_or_none(x):
    d = None
    if x > 0:
        d = {"a": x}
    return d["a"] if d is not None else 0


@on(3, -3)
def obj_or_none(x):
    class O:
        def __init__(self, v):
            self.v = v

        def twice(self):
            return self.v * 2

    o = None
    if x > 0:
        o = O(x)
    if o is None:
        return 0
    return o.twice(), o.v


@on(3, -3)
def list_or_none(x):
    l = None
    if x > 0:
        l = [x]
    if l is None:
        l = []
    l.append(1)
    return l


@on(4, 0)
def none_list_in_loop(n):
    l = None
    for i in tf.range(n):
        if l is None:
            l = [i]
        else:
            l.append(i)
    return l


@on(4, 0)
def undefined_list_in_loop(n):
    for i in tf.range(n):
        if i == 0:
            l = []
        l.append(i)
    return l


@on(4, 0)
def obj_in_loop(n):
    class Acc:
        def __init__(self):
            self.items = []
            self.last = None

        def add(self, v):
            self.items.append(v)
            if self.last is None or v > self.last:
                self.last = v

    a = Acc()
    for i in tf.range(n):
        a.add((i * 3) % 5)
    return a.items, a.last


@on(4, 0)
def linked_list(n):
    class Node:
        def __init__(self, v, nxt):
            self.v, self.next = v, nxt

    head = None
    for i in range(3):
        head = Node(i * n, head)
    s = 0
    node = head
    while node is not None:
        s = s * 10 + node.v
        node = node.next
    return s


@on(3, -3)
def chained_methods(x):
    class B:
        def __init__(self):
            self.ops = []

        def add(self, v):
            if v > 0:
                self.ops.append(v)
            return self

        def total(self):
            return sum(self.ops)

    return B().add(x).add(1).add(-1).total()


@on(3, -3)
def closures_in_list(x):
    fs = []
    for k in range(3):

        def f(v, k=k):
            if v > k:
                return v - k
            return k

        fs.append(f)
    return [f(x) for f in fs]


@on(3, -3)
def try_except_python_inside_loop(x):
    s = 0
    for k in ["1", "a", "2"]:
        try:
            s += int(k) * x
        except ValueError:
            s += 100
    return s


@on(5, 0)
def itertools_use(n):
    s = 0
    for a, b in itertools.product([1, 2], [3, 4]):
        if a * b > n:
            s += a * b
    return s


@on(5, 0)
def reduce_use(n):
    return functools.reduce(lambda a, b: a if a > b else b, [n, 3, 4])


@on(2.0, 0.1)
def bisect(x):
    lo, hi = 0.0, 4.0
    for _ in range(20):
        mid = (lo + hi) / 2
        if mid * mid > x:
            hi = mid
        else:
            lo = mid
    return lo


@on([[1, 2, 3], [4, 5, 6]])
def transpose_sum(m):
    out = []
    for row in m:
        out.append(sum(row))
    return out, [max(r) for r in m], len(m), len(m[0])


@on([1, 5, 2])
def max_index(v):
    i = 0
    for k in range(len(v)):
        if v[k] > v[i]:
            i = k
    return i


@on([1, 5, 2])
def while_len(v):
    i = 0
    s = 0
    while i < len(v):
        s += v[i]
        i += 1
    return s


@on(6)
def power_of_two(n):
    k = 1
    while k < n:
        k <<= 1
    return k


@on(5)
def pascal(n):
    row = [1]
    for i in range(n):
        row = [1] + [row[j] + row[j + 1] for j in range(len(row) - 1)] + [1]
    return row


@on(5)
def hanoi(n):
    def go(k, a, b, c):
        if k == 0:
            return 0
        return go(k - 1, a, c, b) + 1 + go(k - 1, c, b, a)

    return go(n, 0, 1, 2)


@on((2, 3), (0, 2))
def ackermann(m, n):
    def a(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return a(m - 1, 1)
        return a(m - 1, a(m, n - 1))

    return a(m, n)


@on(10)
def digits(n):
    total = 0
    k = n
    while k > 0:
        total += k % 10
        k //= 10
    return f"{total} of {n}"


@on(3, -3)
def truths_are_themselves(x):
    a = int(x) > 0
    found = False
    for i in range(4):
        if i == x:
            found = True
    maybe = None
    if x > 1:
        maybe = True
    waits, n = True, 0
    while waits is not False:
        n += 1
        waits = n < int(x)
    same = a is (int(x) > 2), True is a, a is None
    return same, found is True, found is not False, maybe is True, maybe is False, maybe is None, n


@on(3, -3)
def truths_in_patterns(x):
    def told(value):
        match value:
            case True:
                return 1
            case False:
                return 2
            case None:
                return 3
            case _:
                return 4

    def both(*values):
        match values:
            case (True, False | None):
                return 1
            case (False, other) if other:
                return 2
            case (_, True as last):
                return last
        return 3

    maybe = None if x > 0 else int(x) < 0
    a = int(x) > 0
    return told(a), told(maybe), told(int(x)), both(a, not a), both(a, a), both(a, maybe), both(int(x), a)


@on(3, 0, -3)
def computing_with_truths(x):
    a = int(x) > 0
    return ~a, abs(a), -a, +a, round(a), ~a + 1, a + a, ~(a and int(x) > 2)
