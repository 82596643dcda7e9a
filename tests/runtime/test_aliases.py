"""An object that a staged statement exchanges for another may be known to others: they see what is done to it alone."""

import numpy as np
import pytest

import autograph
import runtime


class Box:
    def __init__(self, value):
        self.value = value


def read_by_the_other_name(x):
    xs = [1.0, 2.0]
    ys = xs
    if x > 1:
        xs = [5.0, 6.0]
    ys[0] = x
    return xs[0] + ys[1]


def written_by_the_variable(x):
    xs = [1.0, 2.0]
    ys = xs
    if x > 1:
        xs = [5.0, 6.0]
    xs[0] = x
    return ys


def dictionary(x):
    a = {"k": 1.0}
    b = a
    if x > 1:
        a = {"k": 2.0}
    b["k"] = x
    return a["k"]


def attribute(x):
    a = Box(1.0)
    b = a
    if x > 1:
        a = Box(2.0)
    b.value = x
    return a.value


def loop(x):
    a = [1.0]
    b = a
    while x > 1:
        a = [2.0]
        x = x - 1
    b[0] = x
    return a[0]


def in_another_list(x):
    a = [1.0]
    held = {"one": (a, 2)}
    if x > 1:
        a = [2.0]
    held["one"][0][0] = x
    return a[0]


class Inherits(Box):
    pass


def in_an_object(x):
    a = [1.0]
    held = Inherits(a)
    if x > 1:
        a = [2.0]
    held.value[0] = x
    return a[0]


def _exchanged(a, x):
    if x > 1:
        a = [2.0]
    return a


def of_the_caller(x):
    a = [1.0]
    b = _exchanged(a, x)
    a[0] = x * 10
    return b[0]


def nobody_else(x):
    xs = [1.0, 2.0]
    if x > 1:
        xs = [5.0, 6.0]
    xs[0] = xs[0] + x
    return xs


def built_anew(x):
    out = []
    while x > 0:
        out = out + [x]
        x = x - 1
    return out


def changed_or_another(x):
    xs = [x, 2.0]
    if x > 1:
        xs.remove(2.0)
    else:
        xs = [5.0, x]
    return xs


def an_item_changed_or_another(x):
    xs = [x, 2.0]
    if x > 1:
        xs[0] = 9.0
    else:
        xs = [5.0, x]
    return xs


PROGRAMS = [
    changed_or_another, an_item_changed_or_another,
    read_by_the_other_name, written_by_the_variable, dictionary, attribute, loop, in_another_list, in_an_object,
    of_the_caller, nobody_else, built_anew,
]  # fmt: skip
REFUSED = {written_by_the_variable}  # which of two lists is written only the graph knows


def values(result):
    return [np.asarray(v).item() for v in result] if isinstance(result, list) else np.asarray(result).item()


@pytest.mark.parametrize("jit", [False, True, None])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_aliases(program, jit):
    traced = runtime.function(program, jit_compile=jit)
    for x in (0.5, 1.5, 2.5):
        if program in REFUSED:
            with pytest.raises(autograph.StagingError, match="'xs'.*is one of several objects"):
                traced(np.float64(x))
        else:
            assert values(traced(np.float64(x))) == values(program(np.float64(x)))
