"""What an exception tells that ends a loop of the graph is what the iteration knew that raised it."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS


class Bad(Exception):
    def __init__(self, where, value):
        super().__init__(f"bad {value} at {where}")
        self.where, self.value = where, value


def own_class(x, k):
    try:
        for i, v in enumerate(x):
            if v > k:
                raise Bad(i, v)
    except Bad as e:
        return str(e), e.where, e.value
    return "none"


def from_a_while(x, k):
    i = 0
    try:
        while i < len(x):
            if x[i] > k:
                raise ValueError(f"{x[i]} at {i}")
            i += 1
    except ValueError as e:
        return str(e), i
    return "none", i


def from_inner_loop(x, k):
    n = 0
    try:
        for v in x:
            for w in x:
                n += 1
                if v * w > k * 3:
                    raise ValueError(f"{v}*{w}")
    except ValueError as e:
        return str(e), n
    return n


def in_each_turn(x, k):
    out = []
    for r in range(3):
        try:
            for v in x:
                if v > k + r:
                    raise ValueError("big", v, r)
            out.append(-1)
        except ValueError as e:
            out.append(int(e.args[1]) * 10 + e.args[2])
    return out


def with_and_without(x, k):
    try:
        for v in x:
            if v > k:
                raise ValueError("bigger", v)
            if v == 2:
                raise ValueError("two")
    except ValueError as e:
        return len(e.args)
    return 0


def behind_arithmetic(x, k):
    total = 0
    try:
        for v in x:
            total += 1 / (v - k) if v != k else int("x")
    except ValueError as e:
        return str(e), total
    return total


def from_a_function(x, k):
    def check(v):
        if v > k:
            raise Bad("check", v * 2)
        return v

    s = 0
    for v in x:
        try:
            s += check(v)
        except Bad as e:
            s -= e.value
    return s


def uncaught(x, k):
    for v in x:
        if v > k:
            raise Bad("out", v)
    return 0


PROGRAMS = [
    own_class, from_a_while, from_inner_loop, in_each_turn, with_and_without, behind_arithmetic, from_a_function,
    uncaught,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("start", [[1, 3, 2, 4], [1, 2, 1], [1, 1]], ids=str)
def test_what_it_tells(f, start, jit_compile):
    def outcome(function):
        try:
            return repr(function(np.array(start), np.int64(2)))
        except Exception as error:
            return type(error), str(error).split("\n")[0], {k: v for k, v in vars(error).items() if k != "__notes__"}

    with np.errstate(all="ignore"):
        assert outcome(runtime.function(f, numpy=True, jit_compile=jit_compile)) == outcome(f)
