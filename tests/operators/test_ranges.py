"""Loops over Python's ranges become loops of the graph where unrolling them would make it long."""

import gc
import random

import numpy as np
import pytest

import autograph
import runtime
from runtime.control import loops
from runtime.functions import tracing
from tests.programs import EXECUTORS, Table, unrolled

SHORT = 60  # lines of a graph in which no long loop is unrolled


def weighted(x):
    total = 0.0
    for i in range(3000):
        total = total + x[i % 4] * i
    return total


def triangle(a):
    n = len(a)
    for i in range(n):
        for j in range(i):
            a[i, j] = a[i, j] / (j + 1)
    return a.sum()


def factors(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - a[i, :i] @ a[i, :i])
    return a


def smoothed(a, b):
    for _ in range(200):
        b[1:-1, 1:-1] = 0.25 * (a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:])
        a[1:-1, 1:-1] = 0.25 * (b[:-2, 1:-1] + b[2:, 1:-1] + b[1:-1, :-2] + b[1:-1, 2:])
    return a


def shortest(paths):
    n = len(paths)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if paths[i, k] + paths[k, j] < paths[i, j]:
                    paths[i, j] = paths[i, k] + paths[k, j]
    return paths


def box_mean(a):
    out = np.zeros_like(a)
    for i in range(1, a.shape[0] - 1):
        for j in range(1, a.shape[1] - 1):
            total = 0.0
            for di in range(-1, 2):
                for dj in range(-1, 2):
                    total += a[i + di, j + dj]
            out[i, j] = total / 9
    return out


def until(x):
    total = 0.0
    for i in range(1000):
        total = total + x[i % 3]
        if total > 50.0:
            break
    return total, i


def skipping(x):
    total = 0.0
    for i in range(600):
        if x[i % 3] < 0:
            continue
        if i % 7 == 3:
            continue
        total = total + x[i % 3]
    else:
        total = total + 100
    return total


def leaving(x):
    for i in range(600):
        x = x + i
        if x[0] > 5000:
            return x, i
    return x, -1


def collecting(x):
    out = []
    for i in range(600):
        out.append(x * i)
    return sum(out), out[3], len(out)


def pairs(x):
    a, b = 0.0, 1.0
    for i in range(600):
        a, b = b, (a + b * x[0]) * 0.5
        if i % 50 == 3:
            a = a * 0.5
    return a, b, i


def pseudorandom(x):
    k = 1
    for i in range(600):
        k = (k * 7 + i) % 1001
        x = x + k
    return x, k


def counting(x):
    k = 0

    def count():
        nonlocal k
        k += 1

    for _ in range(600):
        count()
        x = x + k
    return x, k


def backwards(x):
    for i in range(1800, 0, -3):
        x = x * 0.5 + i * 0.5
    return x


def defined_inside(x):
    for i in range(600):
        y = x * i
    return y, i


def choosing(x):
    for i in range(600):
        x = x + (i if i % 2 else -i)
        x = x * (1 if i < 500 else 0.5)
    return x


def named(x):
    text = ""
    for i in range(600):
        text = text + "a"
        x = x + len(f"{i}")
    return x, len(text)


class Stack:
    def __init__(self, n):
        self.weights = [np.full((3, 3), 0.1 * k) for k in range(n)]
        self.bias = np.arange(3.0)

    def step(self, x, i):
        return np.tanh(x @ self.weights[i % len(self.weights)] + self.bias)


STACK = Stack(5)


def layered(x):
    for i in range(600):
        x = STACK.step(x, i) + 1
    return x


class Cell:
    def __init__(self):
        self.held = 0.0

    def step(self, x):
        self.held = self.held * 0.5 + x


def remembering(xs):
    cell = Cell()
    for t in range(len(xs)):
        cell.step(xs[t])
    return cell.held


def nobody_iterates(x):
    for i in range(700, 600):
        x = x + i
    return x


RANDOM = np.random.default_rng(3)
SQUARE = RANDOM.random((12, 12))


def sizes_from_it(x):
    for i in range(600):
        x = x + 1
        last = i % 5
    return x, np.arange(last).shape[0]


def from_the_end(a):
    n = len(a)
    for i in reversed(range(n - 1)):
        for j in reversed(range(3)):
            a[i] += a[i + 1] / (j + 2)
    return a


def between_data(starts, a):
    total = 0.0
    count = 0
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            total += a[k] * k
            count += 1
    return total, count


def an_array_for_later(x):
    table = np.zeros((len(x), 2))
    for i in range(len(x)):
        x[i] += 1
    for i in range(len(x)):
        table[i, 1] = x[i]
    return table


def settled_first(x):
    y = None
    for i in range(600):
        y = x * 3 if y is None else y + x * i
    return y


def settled_first_and_counted(x):
    y, n, seen = None, 0, [0]
    for i in range(600):
        n += 1
        seen[0] += i
        if y is None:
            y = x * 3
        else:
            y = y + x * n
    return y, n, seen[0], i


def settled_first_and_left(x):
    y = None
    for i in range(600):
        y = x * 3 if y is None else y + x * i
        if i > 0 and y[0] > 1e4:
            break
    return y, i


def settled_first_backwards(x):
    y = None
    for i in range(600, 0, -1):
        y = x * i if y is None else y + x * i
    return y


TABLE = {k: k * 2.0 for k in range(700)}


def looking_up(x):
    for i in range(700):
        x = x + TABLE[i]
    return x


REPEATED = [
    (weighted, [np.ones(4)]),
    (triangle, [RANDOM.random((40, 40))]),
    (factors, [SQUARE @ SQUARE.T + 12 * np.eye(12)]),
    (smoothed, [RANDOM.random((6, 6)), RANDOM.random((6, 6))]),
    (shortest, [RANDOM.random((25, 25))]),
    (box_mean, [RANDOM.random((12, 12))]),
    (until, [np.ones(3)]),
    (until, [np.array([0.01, 0.02, -0.03])]),
    (skipping, [np.array([1.0, -1.0, 2.0])]),
    (leaving, [np.ones(2)]),
    (leaving, [np.full(2, -1e9)]),
    (collecting, [np.ones(2)]),
    (pairs, [np.array([0.5])]),
    (pseudorandom, [np.ones(2)]),
    (counting, [np.ones(2)]),
    (backwards, [np.ones(2)]),
    (defined_inside, [np.ones(2)]),
    (choosing, [np.ones(2)]),
    (named, [np.ones(2)]),
    (layered, [np.ones(3)]),
    (remembering, [RANDOM.random((300, 2))]),
    (nobody_iterates, [np.ones(2)]),
    (sizes_from_it, [np.ones(2)]),
    (from_the_end, [np.arange(200.0)]),
    (between_data, [np.arange(0, 400, 2), np.arange(400.0)]),
    (an_array_for_later, [np.arange(300.0)]),
    (settled_first, [np.ones(2)]),
    (settled_first_and_counted, [np.ones(2)]),
    (settled_first_and_left, [np.ones(2)]),
    (settled_first_and_left, [np.zeros(2)]),
    (settled_first_backwards, [np.ones(2)]),
    (looking_up, [np.ones(2)]),
]


# What Python does outside of the graph, or knows and a graph does not.

GENERATOR = np.random.default_rng(5)
CALLS = []


def drawing(x):
    draw = np.random.default_rng(7)
    for _ in range(300):
        x = x + draw.normal()
    return x


def spelling(x):
    found = {}
    for i in range(600):
        found[f"key {i}"] = x * i
    return sum(found.values())


def functions(x):
    made = []
    for i in range(600):
        made.append(lambda y, i=i: y + i)
        x = x + 1
    return made[3](x)


def beyond_64_bits(x):
    k = 1
    for i in range(300):
        k = k * 3
        x = x + 10**i * 0.0
    return x, k > 10**20


def adding_up_too_much(x):
    a = b = 1
    for _ in range(300):
        a, b = b, a + b
        x = x + 1
    return x, b % 1009


def caught(x):
    total = 0.0
    for i in range(300):
        try:
            total = total + x[i]
        except IndexError:
            total = total - 1
    return total


def python_functions_of_it(x):
    for i in range(600):
        x = x + 1
        last = i % 5
    return x, last.to_bytes(1, "big")[0]


def calling_back(x):
    for i in range(300):
        CALLS.append(i)
        x = x + 1
    return x


def an_iterator(x):
    steps = iter([0.5] * 300)
    for _ in range(300):
        x = x + next(steps)
    return x


def roots(x):
    for i in range(300):
        x = x + abs((i - 150) ** 0.5)
    return x


class Dice(random.Random):
    pass


def of_a_class_of_mine(x):
    dice = Dice(3)
    for _ in range(300):
        x = x + dice.random()
    return x


UNROLLED = [
    (of_a_class_of_mine, [np.ones(2)]),
    (drawing, [np.ones(2)]),
    (spelling, [np.ones(2)]),
    (functions, [np.ones(2)]),
    (beyond_64_bits, [np.ones(2)]),
    (adding_up_too_much, [np.ones(2)]),
    (caught, [np.arange(4.0)]),
    (python_functions_of_it, [np.ones(2)]),
    (calling_back, [np.ones(2)]),
    (an_iterator, [np.ones(2)]),
    (roots, [np.ones(2)]),
]


def copied(arguments):
    return [a.copy() for a in arguments]


def check(program, arguments, jit, lines):
    given, expected = copied(arguments), copied(arguments)
    graph = runtime.function(program, jit_compile=jit)
    found, wanted = graph(*given), program(*expected)
    for mine, theirs in zip(*[v if isinstance(v, tuple) else (v,) for v in (found, wanted)], strict=True):
        np.testing.assert_allclose(np.asarray(mine), theirs, rtol=1e-12)
    for mine, theirs in zip(given, expected):
        np.testing.assert_allclose(mine, theirs, rtol=1e-12)
    operations = graph.get_concrete_function(*copied(arguments)).graph
    assert lines(sum(1 + sum(len(r.nodes) for r in n.regions) for n in operations.nodes))


IDS = [f"{program.__name__} {n}" for n, (program, _) in enumerate(REPEATED)]


@pytest.mark.sampled(6, each="program")
@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("program, arguments", REPEATED, ids=IDS)
def test_a_long_loop_is_one_of_the_graph(program, arguments, jit):
    check(program, arguments, jit, lambda count: count < SHORT)


@pytest.mark.parametrize("program, arguments", UNROLLED, ids=[program.__name__ for program, _ in UNROLLED])
def test_a_loop_that_needs_python_is_unrolled(program, arguments):
    check(program, arguments, False, lambda count: count > SHORT)


def divides(x):
    for i in range(300):
        x = x + 1 / (i - 150)
    return x


def remains(x):
    for i in range(300):
        x = x + 7 % (i - 150)
    return x


def powers(x):
    for i in range(300):
        x = x + (i - 150) ** -1
    return x


def too_large(x):
    for i in range(300):
        x = x + 1e10**i
    return x


def beyond(x):
    for i in range(300):
        x[1] = x[i]
    return x


def beyond_a_list(x):
    weights = [0.5] * 200
    for i in range(300):
        x = x + weights[i]
    return x


def raises(x):
    for i in range(300):
        if i == 77:
            raise ValueError(f"bad {i}")
        x = x + i
    return x


def asserts(x):
    for i in range(300):
        assert i != 99, f"no {i}"
        x = x + i
    return x


def not_there(x):
    found = {i: i for i in range(200)}
    for i in range(300):
        x = x + found[i]
    return x


def unbound(x):
    for i in range(300):
        if i > 200:
            y = 1
        x = x + y
    return x


FAIL = [divides, remains, powers, too_large, beyond, beyond_a_list, raises, asserts, not_there, unbound]


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("program", FAIL, ids=lambda program: program.__name__)
def test_what_goes_wrong_in_a_loop_goes_wrong_as_in_python(program, jit):
    with pytest.raises(Exception) as wanted:
        program(np.ones(4))
    with pytest.raises(wanted.type) as found:
        runtime.function(program, jit_compile=jit)(np.ones(4))
    if program in (raises, asserts):
        assert str(wanted.value).partition("\n")[0] in str(found.value)


@pytest.fixture
def limit():
    with unrolled(runtime.config.unroll_limit()):
        yield runtime.config.set_unroll_limit


@pytest.mark.sampled(3)
@pytest.mark.parametrize("operations", [0, 3, None])
@pytest.mark.parametrize("program, arguments", REPEATED[:1] + REPEATED[5:], ids=IDS[:1] + IDS[5:])
def test_whatever_the_limit_is_results_are_the_same(program, arguments, operations, limit):
    if operations is None and program in (until, leaving, settled_first_and_left):
        pytest.skip("a thousand branches in one another")
    limit(operations)
    check(program, arguments, False, lambda count: True)


def few(x):
    for i in range(len(x)):
        x[i] = x[i] * i
    return x


def test_short_loops_are_unrolled_unless_the_limit_says_otherwise(limit):
    def loops():
        graph = runtime.function(few).get_concrete_function(np.ones(6)).graph
        return sum(bool(node.regions) for node in graph.nodes)

    assert loops() == 0
    limit(0)
    assert loops() == 1
    limit(None)
    assert loops() == 0
    with pytest.raises(ValueError, match="must not be negative: -1"):
        limit(-1)


def nest_of_short_loops(a, out):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(a.shape[2]):
                for m in range(a.shape[3]):
                    for n in range(a.shape[4]):
                        for p in range(a.shape[5]):
                            for q in range(a.shape[6]):
                                if i >= j:
                                    out[i - j, p] += a[i, j, k, m, n, p, q] * (k + 1) + m * n
    return out


def test_a_nest_of_short_loops_is_traced_a_few_times(monkeypatch):
    rounds = []

    def noted(body, *values):
        rounds.append(body)
        return traced(body, *values)

    traced = loops.traced
    monkeypatch.setattr(loops, "traced", noted)
    arguments = np.arange(972.0).reshape(2, 3, 3, 3, 3, 3, 2), np.zeros((2, 3))
    check(nest_of_short_loops, arguments, False, lambda count: count < SHORT)
    rounds.clear()
    runtime.function(nest_of_short_loops).get_concrete_function(*arguments)
    assert len(rounds) < 60  # that trace each loop twice, in each that is around it, are 2 ** 7


def twice_outlived(x, box):
    for i in range(600):
        x = x + i
        box.held = i
    return x


def test_what_outlives_the_call_is_what_python_leaves():
    """An object of the caller's would hold what only the graph knows, so that the loop is unrolled."""
    box = Cell()
    found = runtime.function(lambda x: twice_outlived(x, box))(np.zeros(1))
    assert found.numpy() == sum(range(600)) and box.held == 599


def test_effects_of_python_happen_once_for_each_iteration():
    CALLS.clear()
    graph = runtime.function(calling_back)
    graph(np.ones(2))
    graph(np.ones(2))
    assert CALLS == [*range(300)]


def test_a_random_sequence_goes_on_where_python_would_have_left_it():
    draw = np.random.default_rng(7)
    runtime.function(lambda x: drawing_from(x, draw))(np.ones(2))
    plain = np.random.default_rng(7)
    drawing_from(np.ones(2), plain)
    assert draw.normal() == plain.normal()


def drawing_from(x, draw):
    for _ in range(300):
        x = x + draw.normal()
    return x


def endless(x):
    found = Table()
    for i in range(10**9):
        found[f"key {i}"] = x * i
    return found


def noisy(x):
    for _ in range(10**6):
        x = x + GENERATOR.normal()
    return x


@pytest.mark.parametrize(
    "program, why", [(endless, "cannot be a key of a dictionary"), (noisy, "numpy.random._generator.Generator")]
)
def test_memory_does_not_end_before_the_reason_is_told(program, why):
    with pytest.raises(autograph.StagingError, match=f"(?s)operations to the graph.*{why}.*for .* in range"):
        runtime.function(program)(np.ones(2))


def long_list(x):
    for weight in [0.5] * 10**6:
        x = x * weight
    return x


def test_no_graph_grows_without_end(monkeypatch):
    monkeypatch.setattr("runtime.tensors.trace._MOST", 10_000)
    with pytest.raises(autograph.StagingError, match="(?s)more than 10,000 operations.*test_ranges.py:"):
        runtime.function(long_list)(np.ones(2))


def test_a_long_loop_of_many_iterations_needs_little_memory():
    def summed(x):
        for i in range(10**7):
            x = x + i
        return x

    graph = runtime.function(summed).get_concrete_function(np.zeros(1)).graph
    gc.collect()
    assert len(graph.nodes) < 20


def test_outside_of_a_graph_nothing_is_asked():
    assert weighted(np.ones(4)) == autograph.to_graph(weighted)(np.ones(4))


def taken_before(a):
    items = reversed(range(len(a)))
    next(items)
    total = 0.0
    for i in items:
        total += a[i] * i
    return total, next(items, -1)


def taken_inside(a):
    items = iter(range(len(a)))
    total = 0.0
    for i in items:
        total += a[i] * i + a[next(items)]
    return total


def taken_after(a):
    items = iter(range(len(a)))
    total = 0.0
    try:
        for i in items:
            total += a[i] * [1, 2, 3, 4, 5][i]
    except IndexError:
        pass
    return total, next(items)


@pytest.mark.parametrize("operations", [0, 500, 100_000])
@pytest.mark.parametrize("program", [taken_before, taken_inside, taken_after])
def test_an_iterator_over_a_range_is_where_python_has_it(program, operations, limit):
    limit(operations)
    check(program, [np.arange(300.0)], False, lambda count: True)


def test_a_function_whose_arrays_the_graph_writes_is_not_unrolled_first(monkeypatch):
    traced = []

    def noted(trace, *arguments):
        traced.append(trace.unrolls)
        return trace_once(trace, *arguments)

    trace_once = tracing.trace_once
    monkeypatch.setattr(tracing, "trace_once", noted)
    runtime.function(an_array_for_later).get_concrete_function(np.ones(900))
    assert traced == [False, False]
