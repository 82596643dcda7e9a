"""Calls: helpers, closures, methods, operators of classes, properties, recursion, generators, exceptions."""

# ruff: noqa: SIM102, SIM103, SIM108, RET503, RET505, RET507, B007, E731, PERF401, SIM105, TRY301, N805, B904
import contextlib
import functools

import runtime as tf
from tests.staged import on


def positive(x, k=1, *rest, scale=1, **more):
    if x > 0:
        return x * scale + k + sum(rest) + sum(more.values())
    else:
        return -x


@on(3, -3)
def helper(x):
    return positive(x), positive(x, 2, 3, scale=4, other=5), positive(*[x, 1], **{"scale": 2})


@on(3, -3)
def partials(x):
    f = functools.partial(positive, k=5)
    return f(x), f(x, scale=2)


@on(3, -3)
def closures(x):
    def outer(k):
        def inner(v):
            if v > k:
                return v - k
            return k - v

        return inner

    return outer(1)(x), outer(x)(2)


@on(3, -3)
def defaults(x):
    def f(a, b=x, *, c=x + 1):
        if a > b:
            return a + c
        return b - c

    return f(1), f(5, 2), f(5, 2, c=3)


@on(3, -3)
def late_binding(x):
    fs = []
    for k in range(3):
        fs.append(lambda: k + x)
    return [f() for f in fs]


@on(4, 0)
def nonlocal_counter(n):
    count = 0

    def step(v):
        nonlocal count
        if v % 2 == 0:
            count += 1

    for i in tf.range(n):
        step(i)
    return count


def find(x):
    for i in tf.range(5):
        if i * i > x:
            return i


@on(4, 100)
def helper_that_may_return_none(x):
    r = find(x)
    if r is None:
        return -1
    return r * 2


@on(4, 100)
def helper_result_unused(x):
    find(x)
    return x


class Base:
    def act(self, x):
        if x > 0:
            return x + 1
        return x - 1


class Child(Base):
    bonus = 10

    def __init__(self, bonus=None):
        if bonus is not None:
            self.bonus = bonus

    def act(self, x):
        y = super().act(x)
        if y > 5:
            y = y + self.bonus
        return y

    @staticmethod
    def static(x):
        if x > 0:
            return 1
        return -1

    @classmethod
    def on_class(cls, x):
        if x > 0:
            return cls.bonus
        return 0

    @property
    def large(self):
        if self.bonus > 7:
            return 1
        return 0

    def __call__(self, x):
        if x > 100:
            return 0
        return self.act(x) * 2


@on(7, -7)
def methods(x):
    o = Child(5)
    return o.act(x), o.static(x), Child.on_class(x), o(x), Child(x).large


@on(7, -7)
def methods_as_values(x):
    act = Child().act
    pick = {"act": act, "static": Child.static}
    return act(x), pick["static"](x), [f(x) for f in (act, Child.static)]


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y
        if x > y:
            self.order = 1
        else:
            self.order = -1

    def __add__(self, other):
        if other.order > 0:
            return Vector(self.x + other.x, self.y + other.y)
        return Vector(self.x - other.x, self.y - other.y)

    def __getitem__(self, i):
        if i > 0:
            return self.x
        return self.y

    def __contains__(self, v):
        return v == self.x or v == self.y

    def __eq__(self, other):
        if self.order != other.order:
            return False
        return self.x == other.x

    def __len__(self):
        return 2

    def __iter__(self):
        yield self.x
        yield self.y

    def __neg__(self):
        return Vector(-self.x, -self.y)

    __hash__ = None


@on((3, 1), (1, 3))
def operators_of_a_class(a, b):
    v, w = Vector(a, b), Vector(b, 2)
    s = v + w
    p, q = s
    return s.x, s.y, s[a], len(v), v == w, p + q, (-v).x


class Account:
    def __init__(self):
        self.balance = 0
        self.history = []

    def deposit(self, amount):
        if amount > 0:
            self.balance += amount
            self.history.append(amount)
        return self


@on([5, -3, 7])
def object_changed_in_a_loop(v):
    account = Account()
    for amount in v:
        account.deposit(amount)
    return account.balance, account.history


@on(3, -3)
def object_changed_in_a_branch(x):
    account = Account()
    if x > 0:
        account.deposit(x)
        account.deposit(1)
    return account.balance, len(account.history)


@on(3, -3)
def objects_in_containers(x):
    boxes = [Account(), Account()]
    if x > 0:
        boxes[1].balance = x
    else:
        boxes[0].balance = 7
    return [b.balance for b in boxes]


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


@on(5, 1, 0)
def recursion(n):
    return factorial(n)


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


@on(7, 1)
def double_recursion(n):
    return fib(n)


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


@on(6, 7)
def mutual_recursion(n):
    return is_even(n)


def total_of(n, so_far=0):
    if n == 0:
        return so_far
    return total_of(n - 1, so_far + n)


@on(6, 0)
def recursion_with_an_accumulator(n):
    return total_of(n)


def power(x, n):
    if n == 0:
        return x * 0 + 1
    half = power(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


@on((3, 5), (2, 10))
def recursion_by_squaring(x, n):
    return power(x, n)


@on(3, -3)
def python_recursion(x):
    def go(x, depth):
        if depth == 0:
            return x
        return go(x + 1 if x > 0 else x - 1, depth - 1)

    return go(x, 4)


@on(6)
def local_recursion(n):
    def down(k):
        if k > 0:
            return k + down(k - 1)
        return 0

    return down(n)


class Tree:
    def depth(self, n):
        if n > 10:
            return 0
        return 1 + self.depth(n * 2)


@on(1, 20)
def recursive_method(n):
    return Tree().depth(n)


def pairs(v):
    for e in v:
        yield e, e * 2


@on([1, 2, 3])
def generator_function(v):
    s = 0
    for a, b in pairs([v[0], v[1]]):
        s += a * b
    return s


@contextlib.contextmanager
def doubled(x):
    yield x * 2


@on(3, -3)
def context_manager(x):
    with doubled(x) as d:
        if d > 0:
            y = d
        else:
            y = 0
    return y


def loud(f):
    @functools.wraps(f)
    def g(*args, **kwargs):
        return f(*args, **kwargs)

    return g


@loud
def decorated(x):
    if x > 0:
        return x
    return x * 0


@on(3, -3)
def decorators(x):
    return decorated(x)


@on(3, -3)
def local_class(x):
    class Local:
        k = 2

        def go(self, v):
            if v > 0:
                return v * self.k
            return 0

    return Local().go(x)


@on(3, -3)
def higher_order(x):
    def apply(f, v):
        if v > 0:
            return f(v)
        return f(-v) + 1

    return apply(lambda q: q * 2, x), functools.reduce(lambda a, b: a * 2 + b, [x, 1, 2])


class Shape:
    def __init__(self, kind, size):
        self.kind, self.size = kind, size

    def area(self):
        if self.kind == "square":
            return self.size * self.size
        elif self.size > 2:
            return self.size * 3
        return self.size


@on(3, 1)
def python_and_staged_attributes(x):
    return [Shape(kind, x).area() for kind in ("square", "circle")]


@on(3, -3)
def function_attributes(x):
    def f(v):
        return v * f.factor

    f.factor = 3
    return f(x)


@on(3, -3)
def finally_always_runs(x):
    log = [0]
    try:
        if x > 0:
            return log[0] + x
    finally:
        log[0] = 5
    return log[0]


@on(3, -3)
def exception_that_python_catches(x):
    try:
        raise KeyError("always")
    except KeyError:
        y = x * 2
    return y


@on(2, 7)
def keyword_only(x):
    def f(*, a, b=3):
        return a if a > b else b

    return f(a=x)


@on(2, 7)
def star_everything(x):
    def f(*args, **kwargs):
        total = 0
        for a in args:
            total += a
        for k in kwargs:
            total += kwargs[k]
        return total if total > 10 else -total

    return f(x, 1, 2, z=x)


def adder(k):
    return lambda y, more=k: y + more


@on(2, -7)
def the_same_function_from_both_sides(x):
    found = 0
    for i in range(3):

        def f(k):
            return k + found

        if x > i:
            g = f
        else:
            g = f
        found = g(found) + 1
    return found, f(1), g(1)


@on(2, -7)
def functions_with_other_defaults(x):
    f = adder(x)
    if x > 0:
        f = adder(5)
    return f(1), f(1, 2)


@on(2, 5)
def functions_of_clauses(x):
    y, found = None, 0
    for i in tf.range(3):
        if x > 3:
            try:
                found = 0 if y is None else y
            finally:
                try:
                    y = found if x > i else None
                finally:
                    return found, y
        elif x + i > 7:
            found += 1
    return found, y
