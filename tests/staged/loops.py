"""``while`` and ``for``."""

# ruff: noqa: SIM102, SIM108, SIM103, SIM110, RET503, RET505, RET507, RET508, F841, B007, E731, PERF401
import numpy as np

import runtime as tf
from tests.staged import on


@on(5, 0)
def while_true_break(n):
    i = 0
    s = 0
    while True:
        if i >= n:
            break
        s += i
        i += 1
    return s


@on(5, 20)
def break_and_continue(n):
    i = 0
    s = 0
    while i < n:
        i += 1
        if i % 2 == 0:
            continue
        if i > 7:
            break
        s += i
    return s, i


@on(4, 0)
def nested_with_break(n):
    t = 0
    i = 0
    while i < n:
        j = 0
        while j < n:
            j += 1
            if j > i:
                break
            t += 1
        i += 1
    return t


@on(3, 0)
def while_else(n):
    while n > 0:
        n -= 1
    else:
        n = n - 100
    return n


@on(3, 9)
def while_else_with_break(n):
    i = 0
    while i < 5:
        if i == n:
            break
        i += 1
    else:
        i = i - 100
    return i


@on(3, 9)
def for_else(n):
    for i in tf.range(5):
        if i == n:
            r = i
            break
    else:
        r = -1
    return r


@on(10, 100000)
def return_in_while(n):
    i = 0
    while i < 100:
        if i * i > n:
            return i
        i += 1
    return -1


@on(10, 100000)
def return_in_for(n):
    for i in tf.range(20):
        if i * i > n:
            return i
    return -1


@on(10, 100000)
def return_in_for_and_nothing_after(n):
    for i in tf.range(20):
        if i * i > n:
            return i


@on(5, 50)
def return_from_nested_loops(n):
    for i in tf.range(5):
        for j in tf.range(5):
            if i * j > n:
                return i, j
    return -1, -1


@on(5, 1000)
def return_in_python_loop(n):
    for k in [1, 2, 3, 4]:
        if k * k > n:
            return k
    return 0


@on(5, 1000)
def break_in_python_loop(n):
    total = 0
    for k in range(5):
        total += k
        if total > n:
            break
    return total, k


@on(5, 1000)
def break_in_python_loop_with_else(n):
    total = 0
    for k in range(5):
        total += k
        if total > n:
            break
    else:
        total = -total
    return total


@on(3, 4)
def continue_in_python_loop(n):
    total = 0
    for k in range(6):
        if k % n == 0:
            continue
        total += k
    return total


@on(2, 5)
def condition_becomes_tensor(n):
    i = 0
    while i < 7:
        i = i + n
    return i


@on(2, 5)
def condition_becomes_tensor_late(n):
    i = 0
    turns = 0
    while i < 20:
        turns += 1
        i = i + (1 if turns < 4 else n)
    return i, turns


@on(7, 97, 1)
def collatz(n):
    k = 0
    while n != 1:
        if n % 2 == 0:
            n = n // 2
        else:
            n = 3 * n + 1
        k += 1
    return k


@on(4, 0)
def first_assigned_inside(n):
    while n > 0:
        y = n * 2
        n -= 1
    return y


@on(4, 0)
def loop_variable_after(n):
    for i in tf.range(n):
        pass
    return i


@on(4, 0)
def accumulator_made_on_first_turn(n):
    for i in tf.range(n):
        if i == 0:
            y = 1
        else:
            y = y + i
    return y


@on(4, 0)
def none_until_first_turn(n):
    y = None
    for i in tf.range(n):
        if y is None:
            y = i * 10
        else:
            y = y + i
    return y


@on(4, 0)
def none_until_first_turn_tested_after(n):
    best = None
    for i in tf.range(n):
        v = (i * 7) % 5
        if best is None or v > best:
            best = v
    if best is None:
        return -1
    return best


@on(3, 0)
def int_becomes_float(n):
    x = 0
    while n > 0:
        x = x + 1.5
        n -= 1
    return x


@on([1.5, 2.0], [0.25])
def zero_becomes_float(v):
    total = 0
    for e in v:
        total += e
    return total


@on(3, 0)
def shape_changes(n):
    x = tf.constant([1])
    while n > 0:
        x = tf.concat([x, x], 0)
        n -= 1
    return x


@on(3, 0)
def structures(n):
    t = (0, {"a": 1, "b": [2]})
    while n > 0:
        t = (t[0] + 1, {"a": t[1]["a"] * 2, "b": [t[1]["b"][0] - 1]})
        n -= 1
    return t


class Counter:
    limit = 3

    def __init__(self):
        self.n = 0

    def add(self, k):
        self.n = self.n + k


@on(4, 0)
def attribute(n):
    c = Counter()
    while n > 0:
        c.n = c.n + n
        n -= 1
    return c.n


@on(4, 0)
def attribute_by_method(n):
    c = Counter()
    for i in tf.range(n):
        c.add(i)
    return c.n


@on(4, 0)
def nonlocal_by_helper(n):
    total = 0

    def add(k):
        nonlocal total
        total += k

    while n > 0:
        add(n)
        n -= 1
    return total


@on(4, 0)
def dictionary(n):
    d = {"k": 0, "k2": 1.5}
    while n > 0:
        d["k"] = d["k"] + n
        d["k2"] *= 2
        n -= 1
    return d


@on(4, 1)
def namedtuple_state(n):
    from collections import namedtuple

    P = namedtuple("P", "x y")
    p = P(0, 1)
    while n > 0:
        p = p._replace(x=p.y, y=p.x + p.y)
        n -= 1
    return tuple(p)


@on(4, 1)
def dataclass_state(n):
    from dataclasses import dataclass

    @dataclass
    class D:
        x: int
        y: int

    p = D(0, 1)
    while n > 0:
        p = D(p.y, p.x + p.y)
        n -= 1
    return p.x, p.y


@on(4, 1)
def object_made_each_turn(n):
    o = Counter()
    while n > 0:
        new = Counter()
        new.n = o.n + n
        o = new
        n -= 1
    return o.n


@on([3, -1, 2])
def over_a_tensor(v):
    s = 0
    for e in v:
        s += e
    return s


@on([[1, 2], [3, 4]])
def over_rows(m):
    s = 0
    for a, b in m:
        s += a * b
    return s


@on(5, 0)
def over_a_range(n):
    s = 0
    for i in range(n):
        s += i
    return s


@on((2, 9, 3), (9, 2, -3))
def over_a_range_with_step(a, b, c):
    s = []
    for i in range(a, b, c):
        s.append(i)
    return s


@on([3, -1, 2])
def enumerated(v):
    s = 0
    for i, e in enumerate(v, 1):
        s += i * e
    return s


@on(([1, 2, 3], [4, 5, 6]))
def zipped(a, b):
    s = 0
    for x, y in zip(a, b):
        s += x * y
    return s


@on([3, -1, 2])
def zipped_with_a_list(v):
    s = 0
    for k, e in zip([10, 20, 30], v):
        s += k * e
    return s


@on([3, -1, 2])
def backwards(v):
    s = 0
    for e in reversed(v):
        s = s * 2 + e
    return s


@on(3, 0)
def python_while_unrolls(x):
    k = 0
    while k < 3:
        x += k
        k += 1
    return x


@on(3, 0)
def zero_turns(n):
    s = 7
    while n > 100:
        s += 1
        n -= 1
    return s


@on(4, 0)
def assigns_only_temporaries(n):
    s = 0
    while n > 0:
        t = n * 2
        u = t + 1
        s += u
        n -= 1
    return s


@on([1, 2, 9, 3], [9], [1, 1])
def bound_behind_and(x):
    i, last = 0, 0
    while i < len(x) and (v := x[i]) < 5:
        i += 1
        if v == 2:
            continue
        last = v
    return i, last


@on(5, 0, 12)
def bound_in_a_negation(n):
    i = 0
    while not (i >= 10 or (square := i * i) > n):
        i += 1
        if square > 50:
            break
    return i


@on(4, 2)
def walrus_in_the_test(n):
    s = 0
    while (n := n - 1) > 0:
        s += n
    return s, n


@on(4, 0)
def deleted_each_turn(n):
    s = 0
    while n > 0:
        t = n
        s += t
        del t
        n -= 1
    return s


@on(4, 0)
def raises_in_a_loop(n):
    for i in tf.range(n):
        if i == 2:
            raise ValueError("two")
    return n


@on(4, 1)
def asserts_in_a_loop(n):
    for i in tf.range(n):
        assert i < 2, f"{i} is too large"
    return n


@on(4, 0)
def unbound_before_the_loop(n):
    for i in tf.range(n):
        y = y + i  # noqa: F821
    return n


@on(6, 1)
def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


@on((48, 18), (7, 5))
def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


@on(np.array([5, 3, 9, 1]), plain=True)
def bubble_sort(v):
    n = len(v)
    for i in range(n):
        for j in range(n - 1 - i):
            if v[j] > v[j + 1]:
                a = v[j]
                v[j] = v[j + 1]
                v[j + 1] = a
    return v


@on((np.ones(31, int), 30), (np.ones(3, int), 2), plain=True)
def sieve(prime, n):
    count = 0
    for i in range(2, n + 1):
        if prime[i] == 1:
            count += 1
            j = i * i
            while j <= n:
                prime[j] = 0
                j += i
    return count


@on(2.0, 10.0)
def newton(x):
    guess = x
    while abs(guess * guess - x) > 1e-3:
        guess = (guess + x / guess) / 2
    return guess


@on((3, 5), (0, 0))
def two_loops_in_a_row(a, b):
    s = 0
    for i in range(a):
        s += i
    for i in range(b):
        s += i * 10
    return s


@on(5, 2)
def break_in_with(n):
    from contextlib import nullcontext

    i = 0
    while i < 10:
        with nullcontext():
            if i >= n:
                break
        i += 1
    return i


@on(5, 2)
def continue_in_try(n):
    s = 0
    for i in tf.range(n):
        try:
            if i % 2 == 0:
                continue
            s += i
        finally:
            s += 100
    return s


@on(5, 0)
def loop_in_a_branch(n):
    s = 0
    if n > 3:
        for i in range(n):
            s += i
    else:
        while n < 3:
            n += 1
            s -= 1
    return s


@on(5, 3)
def many_flags(n):
    found = -1
    for i in range(10):
        if i == 1:
            continue
        for j in range(10):
            if j == 2:
                continue
            if i * j > n:
                break
            if i + j == n:
                found = i * 100 + j
                return found, i, j
    return found, i, j


@on(4, 0)
def functions_made_in_a_loop(n):
    f = lambda v: v
    for i in tf.range(n):
        f = lambda v: v + 1
    return f(10)


@on(3)
def maximum_iterations(n):
    s = 0
    while n < 100:
        s += n
        n += 1
        if s > 10:
            break
    return s


@on(4, 0)
def none_replaced_in_a_loop(n):
    y = None
    for i in tf.range(n):
        if y is None:
            y = i + 5
        y += 1
    return y


def better(best, v):
    if best is None:
        return v
    return best if best > v else v


@on(4, 0)
def none_passed_to_a_helper(n):
    best = None
    for i in tf.range(n):
        best = better(best, (i * 7) % 5)
    return best
