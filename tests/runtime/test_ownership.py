"""Items are written in place where nobody needs the array as it was, and nowhere else."""

import time

import numpy as np
import pytest

import runtime
from runtime.executors.numpy.text import program
from tests import programs
from tests.exactly import difference


def hundred_writes(x):
    for i in range(100):
        x[i] = i * 0.5
    return x


def made_inside(x):
    out = np.zeros(len(x))
    for i in range(1000):
        out[i % 8] += x[i % 5]
    return out


def swapped(x):
    for i in range(7):
        x[i], x[7 - i] = x[7 - i], x[i]
    return x


def swapped_in_a_loop(x):
    n = 0
    while n < x[7] % 5 + 3:
        x[n], x[n + 1] = x[n + 1], x[n]
        n += 1
    return x


def old_and_new(x):
    old = x.copy()
    for i in range(1000):
        x[i % 7] = old[(i + 1) % 7] + 1
    return old, x


def turned(x):
    x[1:] = x[:-1]
    x[::2] += x[1::2]
    return x


def rows_written_through(m):
    for row in m:
        row[0] = row[1] + 1
        t = row[1:]
        t *= 2
    return m


def two_that_change_places(x):
    y = x * 2
    for i in range(1000):
        x[i % 8] = y[(i + 3) % 8] * 0.5 + i
        x, y = y, x
    return x, y


def the_same_twice(x):
    a = np.zeros(8)
    b = a
    for i in range(1000):
        a[i % 8] += i
        if i == 700:
            a = x.copy()
    return a, b


def kept_each_time(x):
    kept = []
    y = np.zeros(3)
    for i in range(1000):
        y[i % 3] += x[i % 8]
        if i > 990:
            kept.append(y.copy())
    return np.array(kept), y


def in_branches(x):
    y = x + 1
    z = y.copy()
    for i in range(1000):
        if x[i % 8] > 4:
            y[i % 8] -= 1
        elif i % 3 == 0:
            y = y * 0.5
        else:
            z = y.copy()
    y[0] = -1
    return y, z


def loops_in_loops(m):
    total = np.zeros(3)
    for i in range(200):
        line = np.zeros(3)
        for j in range(200):
            line[j % 3] += m[j % 2, i % 3]
            m[j % 2, 0] += 1
        total += line
        last = line
    return total, last, m


def an_element_before_and_after(x):
    for i in range(1000):
        before = x[i % 8]
        x[i % 8] = before + 1
        x[(i + 1) % 8] += before
    return x


def by_lists_and_masks(x):
    for i in range(1000):
        x[[0, 1, 0]] += 1
        x[x > 50] -= 50
        x[np.array([i % 8, 2])] = x[np.array([3, i % 8])]
    return x


def recalled(x):
    def add(z, i):
        z[i % 8] += 1
        return z

    y = x * 1
    for i in range(1000):
        z = add(y, i)
        x[i % 8] = z[0]
    return x, y


def first_and_last(x):
    first = None
    for i in range(1000):
        x[0] += 1
        if i == 0:
            first = x.copy()
        x[1] = first[0]
    return first, x


def a_view_that_outlives(x):
    y = x * 1
    v = y[2:5]
    for i in range(1000):
        y[i % 8] += 1
    v[0] = -3
    return v, y


PROGRAMS = [
    hundred_writes, made_inside, swapped, swapped_in_a_loop, old_and_new, turned, rows_written_through,
    two_that_change_places, the_same_twice, kept_each_time, in_branches, loops_in_loops, an_element_before_and_after,
    by_lists_and_masks, recalled, first_and_last, a_view_that_outlives,
]  # fmt: skip


def argument(function):
    name = function.__code__.co_varnames[0]
    return np.arange(6.0).reshape(2, 3) if name == "m" else np.arange(200.0 if function is hundred_writes else 8.0)


@pytest.fixture(params=[None, 0], ids=["as it is", "every loop staged"])
def unrolled(request):
    with programs.unrolled(runtime.config.unroll_limit() if request.param is None else request.param):
        yield


@pytest.mark.parametrize("function", PROGRAMS)
def test_results_and_arguments_are_numpys(function, unrolled):
    mine, theirs = argument(function), argument(function)
    found = runtime.function(function, jit_compile=False, numpy=True)(mine)
    assert not (difference(found, function(theirs)) or difference(mine, theirs, "the argument"))


def text_of(function):
    graph = runtime.function(function, jit_compile=False, numpy=True).get_concrete_function(argument(function)).graph
    return program(graph, in_place=True).text


@pytest.mark.parametrize(
    "function, copies",
    [(hundred_writes, 1), (made_inside, 0), (swapped, 1), (swapped_in_a_loop, 0), (an_element_before_and_after, 0)],
)
def test_an_array_is_copied_once_at_most(function, copies):
    text = text_of(function)
    assert text.count("with_item(") == copies  # before a loop it is no write that copies it
    assert "] = " in text


def test_what_is_shown_makes_new_arrays():
    graph = runtime.function(made_inside, jit_compile=False).get_concrete_function(argument(made_inside)).graph
    assert "with_item(" in str(graph)


def test_what_the_user_keeps_is_not_written():
    seen = []

    @runtime.function(jit_compile=False, numpy=True)
    def f(x):
        y = x * 2
        for i in range(3):
            runtime.py_function(seen.append, [y], [])
            y[i] = -1
        return y

    found = f(np.arange(4.0))
    assert [s.numpy().tolist() for s in seen] == [[0, 2, 4, 6], [-1, 2, 4, 6], [-1, -1, 4, 6]]
    assert found.tolist() == [-1, -1, -1, 6]


def test_a_variable_keeps_what_it_was_given():
    v = runtime.Variable(np.zeros(4))

    @runtime.function(jit_compile=False, numpy=True)
    def f(x):
        y = x * 2
        v.assign(y)
        y[0] = -1
        return y

    f(np.arange(4.0))
    assert v.numpy().tolist() == [0, 2, 4, 6]


def test_constants_stay():
    table = np.arange(10.0)

    @runtime.function(jit_compile=False, numpy=True)
    def f(x):
        t = np.array(table)
        for i in range(1000):
            t[i % 10] += x[0]
        return t

    first = f(np.ones(1))
    assert f(np.ones(1)).tolist() == first.tolist() == (table + 100).tolist()
    assert table.tolist() == list(range(10))


def test_long_arrays_are_not_copied_for_each_write():
    def fill(x):
        for i in range(2000):
            x[i] = i
        return x

    function = runtime.function(fill, jit_compile=False, numpy=True)
    x = np.zeros(1_000_000)
    function(x)
    start = time.process_time()
    function(x)
    assert time.process_time() - start < 0.5  # one copy each would take some seconds
