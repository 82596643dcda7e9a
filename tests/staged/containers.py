"""Containers of Python's and their methods, aliases and copies, expressions in unusual places, text that decides."""

# ruff: noqa
import collections
import copy as cp
import operator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from tests.staged import on


@on(3, -3)
def default_dict(x):
    d = collections.defaultdict(int)
    d["a"] += 1
    if x > 0:
        d["a"] += x
    return d["a"]


@on(3, -3)
def ordered(x):
    d = collections.OrderedDict(a=1, b=2)
    if x > 0:
        d["b"] = x
    return list(d.items())


@on(3, -3)
def counter(x):
    c = collections.Counter(a=1)
    if x > 0:
        c["a"] += 1
    return c["a"]


class NT(NamedTuple):
    a: object
    b: object = 2


@on(3, -3)
def named(x):
    t = NT(x) if x > 0 else NT(0, x)
    return t.a, t.b


@on(3, -3)
def frozen(x):
    @dataclass(frozen=True)
    class F:
        v: object

    f = F(x) if x > 0 else F(0)
    return f.v


@on(3, -3)
def slots(x):
    class S:
        __slots__ = ("v",)

        def __init__(self, v):
            self.v = v

    s = S(1)
    if x > 0:
        s.v = x
    return s.v


@on(3, -3)
def class_attr(x):
    class C:
        n = 1

    if x > 0:
        C.n = 5
    return C.n


@on(3, -3)
def setattr_fn(x):
    class C:
        pass

    o = C()
    o.v = 0
    if x > 0:
        setattr(o, "v", x)
    return getattr(o, "v")


@on(3, -3)
def dict_update(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.update(a=x)
    else:
        d.update({"b": x})
    return d


@on(3, -3)
def list_sort_in(x):
    l = [3, 1, 2]
    if x > 0:
        l.sort()
    return l


@on(3, -3)
def list_remove(x):
    l = [3, 1, 2]
    if x > 0:
        l.reverse()
    l.remove(1)
    return l


@on(3, -3)
def list_index(x):
    l = [3, 1, 2]
    if x > 0:
        l[0], l[2] = l[2], l[0]
    return l, l[1:], l[-1]


@on(3, -3)
def slice_assign(x):
    l = [1, 2, 3, 4]
    if x > 0:
        l[1:3] = [x, x]
    return l


@on(3, -3)
def list_eq(x):
    l = [1, 2]
    if x > 0:
        l.append(3)
    return len(l) == 3


@on(3, -3)
def copy_list(x):
    l = [1, 2]
    m = l[:]
    k = cp.copy(l)
    if x > 0:
        m.append(3)
    return l, m, k


@on(3, -3)
def nested_alias(x):
    inner = [1]
    outer = {"i": inner}
    if x > 0:
        outer["i"].append(2)
    return inner, outer


@on(3, -3)
def arg_default_mutable(x):
    def f(v, acc=[]):
        acc = acc + [v]
        return acc

    if x > 0:
        r = f(x)
    else:
        r = f(0)
    return r


@on(3, -3)
def shadow_builtin(x):
    len = lambda v: 42
    max = 7
    return len([x]) + max


@on(3, -3)
def print_in_branch(x):
    if x > 0:
        y = 1
    else:
        y = 2
    return y


@on(3, -3)
def op_module(x):
    return operator.add(x, 1), operator.gt(x, 0), operator.itemgetter(0)([x, 1])


@on(3, -3)
def sum_start(x):
    return sum([x, 1], 10), sum((x, x), start=1)


@on([1, 2, 3])
def while_enumerate(v):
    out = []
    for i, (a, b) in enumerate(zip(v, v[1:])):
        out.append((i, b - a))
    return out


@on([1, 2, 3])
def all_any(v):
    return all(v > 0), any(v > 2), all([e > 1 for e in v]), any(e == 2 for e in v), all([]), any([])


@on((3, 4))
def bit_ops(a, b):
    return a & b, a | b, a ^ b, a << 1, b >> 1, ~a


@on(7)
def divmod_loop(n):
    ds = []
    while n:
        n, r = divmod(n, 2)
        ds.append(r)
    return ds


@on(3, -3)
def cond_in_args(x):
    def f(a, b):
        return a * 10 + b

    return f(x if x > 0 else 0, b=1 if x < 0 else 2)


@on(3, -3)
def cond_in_sub(x):
    l = [10, 20]
    return l[0 if x > 0 else 1]


@on(3, -3)
def cond_in_dict(x):
    return {"a": 1 if x > 0 else 2, "b": [x] if x > 0 else [x, x]}


@on(3, -3)
def chained_assign_cond(x):
    a = b = c = 1 if x > 0 else 2
    b += 1
    return a, b, c


@on(3, -3)
def not_in_loop(x):
    done = False
    n = 0
    while not done:
        n += 1
        if n > x:
            done = True
    return n


@on(3, -3)
def two_conditions_loop(x):
    i = 0
    while i < 10 and (i < x or i < 2):
        i += 1
    return i


@on(5, 1)
def inner_return_in_for_else(n):
    for i in range(n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            if i > 3:
                return i
    return -1


@on(3, -3)
def lambda_default(x):
    fs = [lambda v, k=k: v + k if v > 0 else k for k in range(2)]
    return [f(x) for f in fs]


@on(3, -3)
def recursion_list(n):
    def build(k):
        if k <= 0:
            return 0
        return k + build(k - 2)

    return build(n)


@on(3, -3)
def vararg_loop(x):
    def f(*xs):
        t = 0
        for v in xs:
            if v > 0:
                t += v
        return t

    return f(x, 1, -1)


@on(3, -3)
def isinstance_branch(x):
    if isinstance(x, (int, str)):
        return "python"
    if isinstance(x, list):
        return "list"
    return x


@on(3, -3)
def docstring_and_pass(x):
    """Doc."""
    if x > 0:
        pass
    elif x < -5:
        ...
    else:
        x = x * 2
    return x


@on(2.0, -2.0)
def math_guard(x):
    return np.sqrt(x) if x > 0 else np.abs(x)


@on(3)
def string_methods(x):
    s = "a-b"
    return s.upper(), s.split("-"), "-".join(["x", "y"]), s.replace("a", "c"), f"{s}", len(s)


@on(3, -3)
def str_cmp(x):
    kind = "pos" if x > 0 else "neg"
    if kind == "pos":
        return 1
    return 0


@on(3, -3)
def str_in(x):
    kind = "pos" if x > 0 else "neg"
    return kind in ("pos", "zero")


@on(3, -3)
def str_dict(x):
    kind = "pos" if x > 0 else "neg"
    d = {"pos": 1, "neg": 2}
    return d[kind]


@on(3, -3)
def match_str(x):
    kind = "pos" if x > 0 else "neg"
    match kind:
        case "pos":
            return 1
        case "neg":
            return 2
