"""Arrays by several names: what is kept, given, returned, chosen by the graph and seen in part is what it is without a
graph, call after call."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS


def constants_that_a_branch_chooses_are_written(fn):
    @fn
    def f(x, c):
        out = np.zeros(2) if c < 0 else x
        out += 1
        return out

    @fn
    def g(x, c):
        out = np.zeros(2)
        if c < 0:
            out = np.ones(2)
        out += x
        return out

    @fn
    def h(x):
        res = np.zeros(2)
        if x.sum() > 0:
            res = x
        res += 1
        return res

    return (
        f(np.ones(2), np.float64(-1)),
        f(np.ones(2), np.float64(1)),
        g(np.ones(2), np.float64(-1)),
        g(np.ones(2), np.float64(1)),
        h(np.ones(2)),
        h(-np.ones(2)),
    )


def constants_that_a_branch_returns(fn):
    @fn
    def f(x):
        if x.sum() > 0:
            return x
        return np.zeros(2)

    r = f(-np.ones(2))
    r += 5

    @fn
    def g(x):
        if x.sum() > 0:
            return np.ones(3)
        return np.zeros(3)

    a = g(np.ones(1))
    a += 1
    return f(-np.ones(2)), f(-np.ones(2)) is r, g(np.ones(1))


def an_argument_is_written_that_is_kept(fn):
    class M:
        def __init__(s):
            s.a = np.array([1.0, 2])

        @fn
        def step(s, g):
            g += 1
            s.a = s.a * 2

    m = M()
    m.step(m.a)
    r = [m.a.copy()]
    m.step(m.a)
    m.step(np.ones(2))
    return r, m.a


def one_array_is_given_twice(fn):
    n = [0]
    log = []

    @fn
    def axpy(x, y):
        n[0] += 1
        log.append("axpy")
        x += y

    x = np.ones(2)
    axpy(x, x)
    return x, n, log


def a_decorated_helper_returns_what_is_kept(fn):
    class M:
        def __init__(s):
            s.a = np.ones(2)
            s.b = np.zeros(2)
            s.A = np.zeros((3, 2))

        @fn
        def pick(s, c):
            return s.a if c > 0 else s.b

        @fn
        def row(s, i):
            return s.A[i]

        @fn
        def go(s, c):
            t = s.pick(c)
            t += 5

        @fn
        def go2(s, i):
            r = s.row(i)
            r += 1

    m = M()
    m.go(np.float64(1))
    m.go(np.float64(-1))
    m.go2(1)
    m.go2(np.int64(2))
    return m.a, m.b, m.A


def a_decorated_helper_binds_what_is_kept(fn):
    class M:
        def __init__(s):
            s.a = np.zeros(2)

        @fn
        def choose(s, x):
            if x.sum() > 0:
                s.a = x

        @fn
        def go(s, x):
            s.choose(x)
            s.a += 1
            return x

    m = M()
    m.go(np.ones(2))
    m.go(-np.ones(2))
    return m.a


def which_of_its_arguments_one_is(fn):
    @fn
    def f(x, y):
        if x is y:
            return x * 2
        return x * y

    @fn
    def g(x, ys):
        for i, y in enumerate(ys):
            if x is y:
                return i
        return -1

    @fn
    def h(x, y):
        return np.shares_memory(x, y), np.may_share_memory(x, y)

    x = np.full(2, 3.0)
    y = np.ones(2)
    return f(x, x), f(x, y), f(x, x), g(x, [y, x]), g(y, [y, x]), g(np.ones(2), [y, x]), h(x, x), h(x, y), h(x, x[:1])


def a_view_of_all_of_an_array(fn):
    class M:
        def __init__(s):
            s.a = np.ones(2)
            s.b = s.a.view()

        @fn
        def f(s):
            s.a += 1
            return s.a is s.b

        @fn
        def g(s, x):
            s.a += 1
            return s.a is x

    @fn
    def h(x, y):
        x += 1
        return x is y, y

    m = M()
    r = [m.f()]
    m.b = m.a
    r += [m.f()]
    m = M()
    r += [m.g(m.a.view()), m.g(m.a)]
    x = np.ones(2)
    v = x[:]
    q = h(x, v)
    r += [q[0], q[1] is v]
    return r


def views_that_a_branch_or_an_index_chooses(fn):
    @fn
    def f(A, x):
        if x.sum() > 3:
            return A[1]
        return x

    A = np.zeros((2, 3))
    r = f(A, np.ones(3) * 2)
    r += 1

    @fn
    def g(A, i):
        return A[i], A[i:]

    B = np.zeros((3, 2))
    p, q = g(B, np.int64(1))
    p += 1
    q += 1

    @fn
    def h(A, c):
        return A[0] if c > 0 else A[1]

    C = np.zeros((2, 2))
    h(C, 1.0)[:] = 3
    h(C, -1.0)[:] = 4
    return A, B, C


def parts_by_a_mask_are_kept(fn):
    class W:
        def __init__(s):
            s.p = np.array([0.0, 1, 2])

        @fn
        def step(s, m):
            s.p += 1
            if not m.all():
                s.p = s.p[m]

    w = W()
    r = []
    for k in ([True] * 3, [True, False, True], [True] * 2):
        w.step(np.array(k))
        r.append(repr(w.p))
    return r


def what_python_raises_while_it_is_traced(fn):
    class M:
        def __init__(s):
            s.a = np.ones(2)
            s.last = None

        @fn
        def f(s, x, strict):
            s.a += x
            s.last = s.a
            s.arg = x
            if strict:
                raise ValueError("no")

    m = M()
    x = np.ones(2)
    try:
        m.f(x, True)
    except ValueError:
        return m.a, m.last is m.a, m.arg is x


def what_was_given_is_bound_anew(fn):
    class M:
        def __init__(s):
            s.a = np.array([1.0, 2])

        @fn
        def step(s, g):
            s.a[0] = 4
            s.a = np.zeros(2)

    m = M()
    o = m.a
    m.step(m.a)
    return m.a, o


def what_is_left_where_python_raises(fn):
    class M:
        def __init__(s):
            s.a = np.array([1.0, 0, -1])
            s.k, s.n = [s.a], 0

        @fn
        def kept(s, x):
            s.k[0] *= 0.5
            if x.sum() > 2:
                s.last = x
            else:
                s.n += 1
            raise ValueError("bad")

        @fn
        def given(s, x):
            x *= 0.5
            if x.sum() > 2:
                s.n += 2
            else:
                s.n += 1
            raise ValueError("bad")

    found = []
    for name in ("kept", "given"):
        for of_its_own in (True, False):
            m = M()
            x = m.a if of_its_own else np.ones(3)
            for _ in range(2):
                try:
                    getattr(m, name)(x)
                except ValueError:
                    found.append((repr(vars(m)), repr(x)))
    return found


def written_before_a_clause(fn):
    class M:
        def __init__(s):
            s.a = np.array([1.0, 0, -1])
            s.b, s.k, s.n = s.a, [s.a], 0

        @fn
        def one_or_the_other(s, x, c):
            s.k[0] *= 0.5
            try:
                y = s.b if x.sum() > 2 else x
                if c > 0:
                    raise ValueError("bad")
            except ValueError:
                s.b = s.k[0]
            return x, s.b, y

        @fn
        def twice(s, x, c):
            s.k[0] += x
            try:
                if c > 0:
                    raise ValueError("bad")
                if x[0] > 5:
                    raise ValueError("large")
            except ValueError:
                s.n += 1

    m, found = M(), []
    for c in (2.0, -2.0, 2.0):
        for name in ("one_or_the_other", "twice"):
            found.append(repr((getattr(m, name)(m.a, np.float64(c)), vars(m), m.a is m.b)))
    return found


PROGRAMS = [
    constants_that_a_branch_chooses_are_written, constants_that_a_branch_returns,
    an_argument_is_written_that_is_kept, one_array_is_given_twice, a_decorated_helper_returns_what_is_kept,
    a_decorated_helper_binds_what_is_kept, which_of_its_arguments_one_is, a_view_of_all_of_an_array,
    views_that_a_branch_or_an_index_chooses, parts_by_a_mask_are_kept, what_python_raises_while_it_is_traced,
    what_was_given_is_bound_anew,
    what_is_left_where_python_raises, written_before_a_clause,
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_arrays_by_several_names(program, jit_compile):
    assert repr(program(runtime.function(numpy=True, jit_compile=jit_compile))) == repr(program(lambda f: f))
