"""Arrays by several names: what is kept, given, returned, chosen by the graph and seen in part is what it is without a
graph, call after call."""

import itertools

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import EXECUTORS, load


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


def _known(m, *results):
    """What some arrays are, and which are one or share memory."""
    named = {**vars(m), **{f"result {i}": one for i, one in enumerate(results)}}
    arrays = {name: one for name, one in named.items() if isinstance(one, np.ndarray)}
    pairs = [(a, b) for a in arrays for b in arrays if a < b]
    shared = [pair for pair in pairs if np.shares_memory(*map(arrays.get, pair))]
    return repr((named, [(a, b) for a, b in pairs if arrays[a] is arrays[b]], shared))


def helpers_have_the_very_arrays_of_their_caller(fn):
    class M:
        def __init__(s):
            s.a, s.b, s.c, s.k = np.array([1.0, 0, -1]), np.array([0.0, 2, 1]), np.ones(3), []

        @fn
        def held(s):
            return s.a

        @fn
        def binds(s, x):
            s.b = s.a
            s.k.append(s.a)
            return x

        @fn
        def writes(s):
            s.a[0] += 1

        @fn
        def fills(s, x):
            s.a[...] = x

        @fn
        def is_one(s, x, y):
            return 1.0 if x is y else 2.0

        @fn
        def has_it(s, x):
            assert x is not s.c, "it is that"
            return x

        @fn
        def writes_what_is_given(s, x):
            x += 1
            return s.a.sum()

        @fn
        def reads(s):
            return s.a.sum()

        @fn
        def keeps(s, x):
            s.b = x

        @fn
        def returns_what_was_bound(s, x):
            s.a = x * 2
            s.b = s.held()

        @fn
        def binds_what_was_bound(s, x):
            s.a = x * 2
            s.c = s.binds(x)

        @fn
        def writes_what_was_bound(s, x):
            s.a = x * 2
            s.writes()
            return s.a

        @fn
        def fills_what_was_bound(s, x):
            s.a = x * 2
            s.fills(x)
            return s.a

        @fn
        def asks_of_what_is_kept(s, x):
            return s.is_one(x, s.a), s.is_one(x, x if x.sum() > 2 else s.b)

        @fn
        def asks_and_raises(s, x):
            return s.has_it(x)

        @fn
        def hands_on(s, x):
            return s.writes_what_is_given(x) * x

        @fn
        def writes_then_reads(s, x):
            x += 1
            return s.reads() * x

        @fn
        def in_a_branch(s, x):
            if x.sum() > 0:
                s.keeps(x)
            return s.b

    found = []
    methods = [name for name in vars(M) if not name.startswith("__")]
    for method in methods[methods.index("returns_what_was_bound") :]:
        m = M()
        for number in range(6):
            given = m.a if number in (1, 3, 4) else m.c if number == 5 else np.ones(3) * (number - 1)
            try:
                result = getattr(m, method)(given)
            except AssertionError as error:
                result = str(error).split("\n")[0]  # pytest says more of an assertion
            found.append((method, number, _known(m, given, *(result if type(result) is tuple else [result]))))
    return found


def one_array_is_given_twice_and_asked_for(fn):
    class M:
        def __init__(s):
            s.a, s.n = np.ones(3), 0

        @fn
        def asserts(s, x, y):
            u = y
            assert x is u, "two"
            return x

        @fn
        def writes(s, x, y):
            if x is y:
                x += 1
            return x is y

        @fn
        def keeps(s, x, y):
            if x is y:
                s.a = x
            s.n += 1

        @fn
        def raises(s, x, y):
            if x is s.a:
                raise ValueError("it is kept")
            if x is not y:
                raise ValueError("two")

    m, found = M(), []
    one = np.zeros(3)
    for x, y in [(one, one), (one, np.ones(3)), (m.a, m.a), (one, one), (np.ones(3), one), (m.a, one), (one, one)]:
        for method in ("asserts", "writes", "keeps", "raises"):
            try:
                result = getattr(m, method)(x, y)
            except (AssertionError, ValueError) as error:
                result = str(error).split("\n")[0]  # pytest says more of an assertion
            found.append((method, _known(m, x, y, result)))
    return found


def constants_are_kept_and_returned(fn):
    class M:
        def __init__(s):
            s.a, s.b, s.c = np.ones(3), np.array([0.0, 2, 1]), np.array([1.0, 0, 2])

        @fn
        def kept_twice(s, x):
            s.b = np.zeros(3)
            if x.sum() > 2:
                s.a = s.b

        @fn
        def kept_and_returned(s, x):
            z = np.zeros(3)
            if x.sum() > 2:
                s.a = z
            return z

        @fn
        def a_part_is_kept_and_returned(s, x):
            z = np.zeros(4)
            part = z[:3]
            if x.sum() > 2:
                s.a = part
            return part

        @fn
        def returned_twice(s, x):
            z = np.zeros(3)
            y = z if x.sum() > 2 else np.ones(3)
            s.c = y
            return y, [z, 1], {"z": z}

    found = []
    for method in ("kept_twice", "kept_and_returned", "a_part_is_kept_and_returned", "returned_twice"):
        m = M()
        for x in (np.ones(3), np.zeros(3), m.a, np.ones(3), np.zeros(3)):
            result = getattr(m, method)(x)
            first, *more = result if type(result) is tuple else [result]
            others = [part for one in more for part in (one if type(one) is list else one.values())]
            found.append((method, _known(m, x, first, *others)))
    return found


def branches_in_branches_choose(fn):
    class M:
        def __init__(s):
            s.a, s.b, s.c, s.n = np.array([1.0, 0, -1]), np.array([0.0, 2, 1]), np.ones(3), 0

        @fn
        def by_a_clause(s, x, c):
            s.n += 1
            if c > 0:
                x = s.c
            if x.sum() > 0:
                try:
                    if s.a.sum() > 2:
                        raise ValueError("bad")
                    s.b = x
                except ValueError:
                    return s.a

        @fn
        def swaps(s, x, c):
            if x.sum() > 2:
                if c > 0:
                    s.c = -s.b
                else:
                    x, s.b = s.b, x
            elif s.a.sum() > 2:
                pass
            else:
                s.b = x

    found = []
    for method in ("by_a_clause", "swaps"):
        m, given = M(), np.array([0.0, -2, 1])
        for number in range(8):
            x = [given, m.c, np.ones(3), m.b, m.a, np.zeros(3), m.c, given][number]
            found.append((method, number, _known(m, x, getattr(m, method)(x, np.float64([2, -1, 1][number % 3])))))
    return found


def views_that_are_kept_are_chosen(fn):
    class M:
        def __init__(s):
            s.c = np.arange(6.0).reshape(2, 3)
            s.a, s.b, s.d = s.c[1], np.ones((1, 3))[0], s.c[0]

        @fn
        def one_or_the_other(s, x, c):
            s.b = s.d if c > 0 else s.a

        @fn
        def the_whole(s, x, c):
            s.b = s.c if c > 0 else s.b

        @fn
        def part_of_one(s, x, c):
            s.b = s.c[:1] if c > 0 else s.a

        @fn
        def in_a_loop(s, x, c):
            for i in range(2):
                if x[i] > c:
                    s.b = s.d
                else:
                    s.b = x
                x = s.a

    found = []
    for method in ("one_or_the_other", "the_whole", "part_of_one", "in_a_loop"):
        m = M()
        for number in range(6):
            x = np.ones(3) * number if number != 4 else m.a
            getattr(m, method)(x, np.float64((-1) ** number))
            found.append((method, number, _known(m, x)))
    return found


def views_of_what_is_made_there(fn):
    class M:
        def __init__(s):
            s.a, s.b, s.n = np.ones(3), np.zeros(2), 0

        @fn
        def a_part_and_the_whole(s, x, c):
            a = x * 2
            return a[:2], a

        @fn
        def two_parts(s, x, c):
            a = x * 2
            return a[:2], a[1:], a[::-1]

        @fn
        def parts_are_kept(s, x, c):
            a = x * 2
            s.n += 1
            s.a, s.b = a[1:], a[:2]
            s.b[0] += c
            return a if c > 0 else x

        @fn
        def a_branch_decides(s, x, c):
            a = x * 2
            for _ in range(2):
                part = a[:1] if c > 0 else a[1:]
            return part, a

        @fn
        def parts_of_one_or_another(s, x, c):
            a = x * 2 if c > 0 else s.a
            return a[:2], a[1:]

        @fn
        def a_part_of_one_or_another(s, x, c):
            a = x * 2 if c > 0 else s.a
            return a[:2]

        @fn
        def of_constants(s, x, c):
            table = np.zeros(4)
            s.a, s.b = table, table[1:]
            return table[:2]

        @fn
        def helped(s, x):
            a = x * 3
            return a, a[:1]

        @fn
        def by_a_helper(s, x, c):
            whole, part = s.helped(x * 2)
            s.a = whole
            return part, whole

    found = []
    for method in (name for name in vars(M) if not name.startswith("__") and name != "helped"):
        m = M()
        for number in range(5):
            x = np.ones(3) * number if number != 3 or m.a.shape != (3,) else m.a
            result = getattr(m, method)(x, np.float64((-1) ** number))
            found.append((method, number, _known(m, x, *(result if type(result) is tuple else [result]))))
    return found


def a_list_holds_an_array_or_something_else(fn):
    class M:
        def __init__(s):
            s.a, s.b, s.k = np.array([1.0, 0, -1]), np.array([0.0, 2, 1]), [np.ones(3), np.zeros(3)]

        @fn
        def f(s, x, y):
            if s.a.sum() > 4:
                s.k[1] = None
            else:
                x *= 2

    m, found = M(), []
    for y in (m.k[0], m.b, m.k[0], np.ones(3), m.k[0]):
        m.f(m.k[0], y)
        found.append((_known(m, m.k[0], y), repr(m.k)))
    return found


PROGRAMS = [
    a_list_holds_an_array_or_something_else,
    views_of_what_is_made_there,
    views_that_are_kept_are_chosen,
    constants_are_kept_and_returned, branches_in_branches_choose,
    helpers_have_the_very_arrays_of_their_caller, one_array_is_given_twice_and_asked_for,
    constants_that_a_branch_chooses_are_written, constants_that_a_branch_returns,
    an_argument_is_written_that_is_kept, one_array_is_given_twice, a_decorated_helper_returns_what_is_kept,
    a_decorated_helper_binds_what_is_kept, which_of_its_arguments_one_is, a_view_of_all_of_an_array,
    views_that_a_branch_or_an_index_chooses, parts_by_a_mask_are_kept, what_python_raises_while_it_is_traced,
    what_was_given_is_bound_anew,
    what_is_left_where_python_raises, written_before_a_clause,
]  # fmt: skip


def test_what_a_result_may_be_is_refused_where_nobody_can_tell():
    class M:
        def __init__(s):
            s.b, s.k = np.array([0.0, 2, 1]), np.zeros(3)

        @runtime.function(numpy=True)
        def f(s, x):
            u = s.b
            s.k[2] = 7
            for _ in range(3):
                if s.b.sum() > 0:
                    return x
                x = -u

    m = M()
    with pytest.raises(autograph.StagingError, match="may be 'x' or a part of it, and the graph cannot tell when"):
        m.f(np.ones(3))
    assert m.k.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_arrays_by_several_names(program, jit_compile):
    assert repr(program(runtime.function(numpy=True, jit_compile=jit_compile))) == repr(program(lambda f: f))


CHOSEN = ["y = y[::-1]", "y = y[1:]", "y = x", "y = z.T", "y = z[:]", "z = y", "y = z * 1"]


@pytest.mark.parametrize("given", ["x", "self.x"])
def test_a_view_that_is_chosen_may_be_a_view_of_another_that_is(given):
    for number, three in enumerate(itertools.product(CHOSEN, repeat=3)):
        body = "".join(f"        if c[{i}] > 0:\n            {statement}\n" for i, statement in enumerate(three))
        result = "z" if number % 2 else "y[:1]"
        text = (
            "class Kept:\n    def __init__(self):\n        self.x = np.arange(4.0)\n\n"
            f"    def f(self, x, c):\n        y = z = {given}\n{body}        return y, {result}\n\n\nf = Kept"
        )
        outcomes = []
        for decorated in (lambda f: f, runtime.function(numpy=True)):
            one, found = load(text, np=np)(), []
            function = decorated(one.f)
            for c in itertools.product((0.0, 1.0), repeat=3):
                x = one.x[:] = np.arange(4.0)
                arrays = [*function(x, np.array(c)), x, one.x]
                arrays[0][0] = 7
                found += [a.tolist() for a in arrays]
                found += [(a is b, np.shares_memory(a, b)) for a, b in itertools.combinations(arrays, 2)]
            outcomes.append(found)
        assert outcomes[0] == outcomes[1], text
