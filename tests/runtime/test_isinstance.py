"""``isinstance`` and ``match`` of what may be one of several things, as only the graph knows."""

import math
import numbers

import numpy as np
import pytest

import runtime

UP, DOWN, ZERO = np.array([3.0, -1.0, 2.0, 2.0, 5.0]), np.array([-3.0, 1.0, -2.0, -5.0]), np.zeros(3)


class Number:
    def __init__(self, value):
        self.value = value


class Sum:
    def __init__(self, a, b):
        self.a, self.b = a, b


def none_or_number(x):
    best = None
    for v in x:
        if v > 2:
            best = v
    if isinstance(best, float):
        return best * 2
    return -1.0


def tuple_or_number(x):
    r = (x[0], 1) if x[0] > 0 else x[0]
    if isinstance(r, tuple):
        return r[0] + r[1]
    return r - 1


def int_or_float(x):
    n = 1
    for v in x:
        if v > 2:
            n = n / 2
    return isinstance(n, int), isinstance(n, float), n


def list_or_number(x):
    r = [x[0]] if x[0] > 0 else x[0]
    if not isinstance(r, list):
        r = [r]
    return r


def one_of_two_classes(x):
    e = Number(x[0]) if x[0] > 0 else Sum(Number(1.0), Number(x[0]))
    if isinstance(e, Number):
        return e.value
    return e.a.value + e.b.value


def in_a_loop(x):
    total = 0.0
    for v in x:
        r = (v, 1) if v > 2 else v
        if isinstance(r, tuple):
            total += r[0] * 10
        else:
            total += r
    return total


def with_break(x):
    total, n = 0.0, 0
    for v in x:
        r = None if v < 0 else v
        if not isinstance(r, float):
            break
        total += r
        n += 1
    return total, n


def with_continue(x):
    i, total = 0, 0.0
    while i < len(x):
        r = [x[i]] if x[i] > 2 else x[i]
        if isinstance(r, list):
            total += r[0]
            i += 2
            continue
        total -= r
        i += 1
    return total, i


def told_by_a_function(x):
    def told(r):
        if isinstance(r, tuple):
            return r[0] + 100
        if isinstance(r, str):
            return len(r)
        return r

    return told((x[0], 1) if x[0] > 0 else "abc" if x[0] < 0 else 7)


def in_conditions(x):
    r = (x[0], 1) if x[0] > 0 else x[0]
    if isinstance(r, tuple) and r[0] > 2:
        return 1
    if not isinstance(r, tuple) and r < -2:
        return 2
    return 3


def in_expressions(x):
    r = (x[0], 1) if x[0] > 0 else x[0]
    s = [q[0] if isinstance(q, tuple) else q for q in (r, x[-1])]
    return (r[0] if isinstance(r, tuple) else r) * 2, s


def in_a_branch(x):
    r, s = (x[0], 1) if x[0] > 0 else x[0], 0
    if x[-1] > 0:
        s = 5 if isinstance(r, tuple) else 6
    return s


def of_several(x):
    r = None if x[0] == 0 else (1, 2) if x[0] > 0 else "abc"
    return [isinstance(r, (tuple, str)), isinstance(r, type(None)), isinstance(r, str)]


def of_abstract_classes(x):
    r = "a" if x[0] > 0 else x[0]
    return isinstance(r, numbers.Number), isinstance(r, int | float | np.floating)


def around_effects(x):
    r = (x[0], 1) if x[0] > 0 else x[0]
    x[0] += 1
    if isinstance(r, tuple):
        print("a tuple", r)
        x[0] += 10
    else:
        print("a number", r)
    x[-1] -= 1
    return r


def beside_a_clause(x):
    r = None
    for v in x:
        if v > 2:
            r = v
    try:
        if not isinstance(r, float):
            raise TypeError("none found")
        return math.sqrt(r)
    except TypeError as error:
        return str(error)


def matched_with_classes(x):
    e = Number(x[0]) if x[0] > 0 else Sum(x[0], 2.0)
    match e:
        case Number(value=value):
            return value
        case Sum(a=a, b=b):
            return a + b


def matched_as_a_sequence(x):
    r = (x[0], 1) if x[0] > 0 else x[0]
    match r:
        case (a, b):
            return a + b
        case _:
            return r


def matched_by_length(x):
    total = 0.0
    for v in x:
        r = ("add", v) if v > 2 else ("neg",)
        match r:
            case ("add", w):
                total += w
            case ("neg",):
                total -= 1
    return total


def matched_as_a_mapping(x):
    r = {"a": 1} if x[0] > 0 else (x[0], 2)
    match r:
        case {"a": v}:
            return v
        case (a, b):
            return a + b


def matched_with_none(x):
    r = (x[0], 1) if x[0] > 0 else None
    match r:
        case None:
            return 0
        case (a, b) if a > 2:
            return a + b
    return -1


def matched_in_a_part(x):
    r = (1, (x[0], 1) if x[0] > 0 else x[0])
    match r:
        case (n, (a, b)):
            return n + a + b
        case (n, a):
            return a


PROGRAMS = [
    none_or_number, tuple_or_number, int_or_float, list_or_number, one_of_two_classes, in_a_loop, with_break,
    with_continue, told_by_a_function, in_conditions, in_expressions, in_a_branch, of_several, of_abstract_classes,
    around_effects, beside_a_clause, matched_with_classes, matched_as_a_sequence, matched_by_length,
    matched_as_a_mapping, matched_with_none, matched_in_a_part,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_what_it_is_is_told_as_in_python(program, jit_compile, capsys):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for x in (UP, DOWN, ZERO, UP[:1]):
        given, own = x.copy(), x.copy()
        wanted = repr(program(own)), own.tolist(), capsys.readouterr().out
        assert (repr(f(given)), given.tolist(), capsys.readouterr().out) == wanted
