"""Lists of lists: rows that the graph finds, and numbers that it writes there, are what Python has."""

import re
import types

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, lacks_native_form, load
from tests.runtime import table_programs

pytestmark = pytest.mark.numpy_may_take_over  # where rows differ in length
KERNELS = "lcs floyd matmul knap pascal grid_paths adj".split()
PROGRAMS = {
    n: f for n, f in vars(table_programs).items() if type(f) is types.FunctionType and n not in ("made", "pairs_of")
}
ARGUED = [n for n, f in PROGRAMS.items() if f.__code__.co_varnames[:1] == ("t",) and n not in KERNELS]
PLAIN = [n for n, f in PROGRAMS.items() if f.__code__.co_varnames[:3] == ("n", "k", "x")]

SHAPES = "elements whose shapes may differ"
ELSEWHERE = "a row of it may be in another list"
MOVED = "have been moved or exchanged since"
# Where tensors alone are the graph's, a list is not in two places; each says what to write instead.
REFUSED = {
    "replace_row": ELSEWHERE,
    "negative_view": MOVED,
    "append_view": MOVED,
    "pop_stale": MOVED,
    "copy2": ELSEWHERE,
    "copy3": ELSEWHERE,
    "copy4": ELSEWHERE,
    "add_written": ELSEWHERE,
    "slice_rows_written": ELSEWHERE,
    "insert_of_own": ELSEWHERE,
    "copied_into_another": ELSEWHERE,
    "twice_in_one_branch": ELSEWHERE,
    "twice_by_other_indices": ELSEWHERE,
    "own_appended_in_branch": ELSEWHERE,
    "branch_append": ELSEWHERE,
    "longer_in_branch": ELSEWHERE,
    "exchanged_in_one_branch": "becomes a row of a list of lists in some cases",
    "put_in_one_branch": "becomes a row of a list of lists in some cases",
    "collected_rows": "Put copies of them there",
    "tuple_of_other_kind": "elements of one structure",
    "tuple_beside_number": "elements of one structure",
    "small_row_after_exchange": MOVED,
    "pairs_written": "is changed: in a graph that would not be seen",
    "build_alias": "becomes a row of a list of lists in some cases",
}
OF_NUMPYS = {"text", "narrow_numbers", "eliminated"}  # whose numbers are others where tensors are


def plain(value):
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, tf.Tensor):
        return plain(value.numpy())
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def outcome(function, *arguments):
    try:
        return plain(function(*arguments))
    except IndexError:
        return IndexError


@pytest.mark.sampled(100, each="name")
@pytest.mark.parametrize("jit_compile", [False, None, *EXECUTORS[1:]])
@pytest.mark.parametrize("name", PLAIN)
def test_programs(name, jit_compile):
    function, x = PROGRAMS[name], np.array([1.5, 2.5])
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for n, k in [(2, 3), (0, 4), (5, 2)]:
        given = np.int64(n), np.int64(k), x
        wanted = outcome(function, *given)
        try:
            found = outcome(graph, *given)
        except tf.errors.InvalidArgumentError as error:
            assert jit_compile and (lacks_native_form(error) or SHAPES in str(error))
            return
        assert repr(found) == repr(wanted), (n, k)


@pytest.mark.sampled(100, each="name")
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("name", [name for name in PLAIN if name not in OF_NUMPYS])
def test_programs_on_tensors(name, jit_compile):
    graph, x = tf.function(PROGRAMS[name], jit_compile=jit_compile), np.array([1.5, 2.5])
    for n, k in [(2, 3), (4, 0)]:
        given = tf.constant(n, tf.int64), tf.constant(k, tf.int64), tf.constant(x)
        if name in REFUSED:
            with pytest.raises(StagingError, match=REFUSED[name]):
                graph(*given)
            return
        assert outcome(graph, *given) == outcome(PROGRAMS[name], np.int64(n), np.int64(k), x), (n, k)


@pytest.mark.sampled(100, each="name")
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("name", ARGUED)
def test_lists_of_the_caller(name, jit_compile):
    """They are changed in place: whoever knows one of them sees that."""
    graph = tf.function(PROGRAMS[name], numpy=True, jit_compile=jit_compile)
    for n, k in [(2, 3), (4, 0)]:
        mine, others = table_programs.made(), table_programs.made()
        inner, theirs = [*mine], [*others]
        found, wanted = plain(graph(mine, np.int64(n), np.int64(k))), plain(PROGRAMS[name](others, n, k))
        assert repr(found) == repr(wanted)
        assert repr(plain(mine)) == repr(others) and repr(plain(inner)) == repr(theirs)
        assert [places(row, inner) for row in mine] == [places(row, theirs) for row in others]


def places(row, rows):
    return [at for at, other in enumerate(rows) if other is row]


CHANGES = (
    "t[n] = [0] * 5", "t[n], t[k] = t[k], t[n]", "t[n] = t[k]", "t.insert(n, [0] * 5)", "t.append(t[n])", "del t[n]",
)  # fmt: skip


@pytest.mark.sampled(100, each="change")
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("change", CHANGES)
def test_lists_of_the_caller_are_exchanged_as_the_graph_decides(change, jit_compile):
    program = load(f"def f(t, n, k):\n    t[n][k] = 1\n    {change}\n    t[k].append(7)\n")
    graph = tf.function(program, numpy=True, jit_compile=jit_compile)
    for n, k in [(2, 3), (4, 0)]:
        mine, others = table_programs.made(), table_programs.made()
        inner, theirs = [*mine], [*others]
        graph(mine, np.int64(n), np.int64(k))
        program(others, n, k)
        assert repr(plain(mine)) == repr(others) and repr(plain(inner)) == repr(theirs)
        assert [places(row, inner) for row in mine] == [places(row, theirs) for row in others]


def arguments_of(kernel, size):
    random = np.random.default_rng(size)
    numbers = random.integers(0, 4, size), random.integers(0, 4, size + 1)
    weights = random.integers(1, 9, size), random.integers(1, 50, size)
    return {
        "lcs": numbers,
        "floyd": (random.random((size, size)),),
        "matmul": (random.random((size, size)), random.random((size, size))),
        "knap": (*weights, np.int64(3 * size)),
        "grid_paths": ((random.random((size, size + 2)) < 0.4).astype(int),),
        "pascal": (np.int64(size),),
        "adj": (random.integers(0, size, (2 * size, 2)), size),
    }[kernel]


@pytest.mark.sampled(100, each="kernel")
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("size", [5, 20])
@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels(kernel, size, jit_compile):
    graph = tf.function(PROGRAMS[kernel], numpy=True, jit_compile=jit_compile)
    found, wanted = plain(graph(*arguments_of(kernel, size))), plain(PROGRAMS[kernel](*arguments_of(kernel, size)))
    for mine, other in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
        assert mine == pytest.approx(other, rel=1e-12)


def test_tables_have_gradients():
    def paths(x, n):
        t = [[0.0] * 6 for _ in range(6)]
        t[0][0] = x[0]
        for i in range(1, 6):
            for j in range(6):
                t[i][j] = t[i - 1][j] * x[1] + t[i - 1][j - 1] * x[0]
        return t[n][2]

    x = tf.constant([1.25, 0.5], tf.float64)
    for jit_compile in (False, None):
        graph = tf.function(paths, jit_compile=jit_compile)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = graph(x, tf.constant(4))
        found, step = tape.gradient(y, x).numpy(), 1e-6
        for i in range(2):
            near = [paths(x.numpy() + sign * step * np.eye(2)[i], 4) for sign in (1, -1)]
            assert found[i] == pytest.approx((near[0] - near[1]) / (2 * step), rel=1e-6)


def test_a_table_is_one_column_of_the_graph():
    """However many rows it has, the graph and its tracing stay as small."""
    counts = []
    for size in (20, 60):
        numbers = arguments_of("lcs", size)
        graph = tf.function(PROGRAMS["lcs"], numpy=True).get_concrete_function(*numbers).graph
        counts.append(len(re.findall("\n", str(graph))))
    assert counts[0] == counts[1] < 100


RETURNED = {
    "a tuple": "    g = [[i] for i in range(n)]\n    for r in g: r.append(1)\n    if n == 0: return -1, []\n"
    "    return 5, g[0]",
    "a dictionary": "    g = {}\n    for i in range(n): g.setdefault(i % 2, []).append(i)\n"
    "    if not g: return {'v': [], 'k': (1, [2])}\n    return {'v': g[0], 'k': (0, g[0])}",
    "from a loop": "    g = {}\n    for i in range(n): g.setdefault(i % 2, []).append(i)\n"
    "    for k, v in g.items():\n        if len(v) > 1: return k, v\n    return -1, []",
    "of a queue": "    from collections import deque\n    q = deque()\n    for i in range(n): q.append([i])\n"
    "    if len(q) < 3: return 0, [1]\n    q[0].append(5)\n    return 1, q[2]",
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", RETURNED.values(), ids=RETURNED)
def test_a_row_is_returned_from_where_there_is_one(body, jit_compile):
    f = load(f"def f(n):\n{body}\n")
    g = tf.function(f, numpy=True, jit_compile=jit_compile)
    for n in (2, 0, 1, 5):
        assert repr(g(np.int64(n))) == repr(f(n))


PUT = {
    "appended": "a = [x[0]]; b = a; t.append(a); b.append(7.0)\nreturn t, a",
    "assigned": "t[0] = a = [1.0, 2.0]; a.append(7.0)\nreturn t, a",
    "assigned at an index": "a = [x[0]]; t[n - 1] = a; a.append(5.0); t[n - 1].append(2.0)\nreturn t, a",
    "of another table": "u = [[1], [2]]; u[n - 2].append(3); t.append(u[n - 2]); u[n - 2].append(4)\nreturn t, u",
    "of the same": "r = t[0]; t.append(r); r.append(5.0)\nreturn t",
    "of a tuple": "a = [x[0]]; h = (a, 1); t.append(a); a.append(5.0)\nreturn t, h",
    "of a dictionary": "d = {'a': [x[0]]}; t.append(d['a']); d['a'].append(5.0)\nreturn t, d",
    "inserted": "a = [x[0]]; t.insert(n - 1, a); a.append(5.0)\nreturn t, a",
    "extended": "a, b = [x[0]], [x[1]]; t.extend([a, b]); a.append(5.0); t[-1].append(6.0)\nreturn t, a, b",
    "in a loop": "t[0] = t[n - 1]\nfor k in range(n): t[k].append(1.0)\nreturn t",
    "in a branch": "if n > 2: t[0] = t[n - 1]\nt[0].append(1.0)\nreturn t",
}


@pytest.mark.sampled(100, each="put")
@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("put", PUT)
def test_a_list_that_is_put_into_a_table_is_changed(put, jit_compile):
    body = PUT[put].replace("\n", "\n    ")
    f = load(f"def f(x, n):\n    t = []\n    for k in range(n): t.append([float(k)])\n    {body}\n")
    for n in (2, 3):
        given = np.array([2.0, 1.0, 3.0]), np.int64(n)
        wanted = f(*given)
        assert repr(tf.function(f, numpy=True, jit_compile=jit_compile)(*given)) == repr(wanted)
        try:
            found = tf.function(f, jit_compile=jit_compile)(*given)
        except StagingError:
            continue  # where tensors alone are the graph's
        assert plain(found) == plain(wanted)
