"""Numbers of several types in lists whose length or items the graph decides: each has the type that Python has."""

import contextlib
import copy
import heapq
import io
import itertools
from collections import defaultdict, deque
from dataclasses import dataclass

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load

EXECUTORS = [None, False]


def positive(xs):
    out = [0]
    for x in xs:
        if x > 0:
            out.append(x)
    return out


def appended(xs):
    out = [1, 2.5]
    for x in xs:
        if x > 0:
            out.append(x)
        else:
            out[0] += 1
    return out


def at_indices(xs):
    degrees = [0] * 6
    for x in xs:
        degrees[int(abs(x))] += x
    return degrees, sum(degrees), max(degrees), min(degrees), sorted(degrees), sorted(degrees, reverse=True)


def a_stack(xs):
    stack = []
    for x in xs:
        stack.append(x)
        if len(stack) > 2:
            a, _ = stack.pop(), stack.pop()
            stack.append(float(a) + 1)
    return stack


def tuples(xs):
    out = [(0, 0.5)]
    for x in xs:
        if x > 1:
            out.append((x, 1))
    return out, out[-1], out[0]


def a_heap(xs):
    heap = [0]
    for x in xs:
        if x > 0:
            heapq.heappush(heap, x)
    popped = []
    while len(heap) > 1:
        popped.append(heapq.heappop(heap))
    return popped, heap


def a_heap_of_tuples(xs):
    heap, least = [(0, 0, 1.5)], [np.inf] * 4
    while heap:
        d, at, _ = heapq.heappop(heap)
        for i in range(len(xs)):
            if d + abs(xs[i]) < least[i % 4] and at < 5:
                least[i % 4] = d + abs(xs[i])
                heapq.heappush(heap, (least[i % 4], at + 1, i))
    return least


def a_queue(xs):
    queue = deque([0, 1.5], maxlen=3)
    for x in xs:
        if x > 0:
            queue.append(x)
        else:
            queue.appendleft(1)
    return queue, queue[0], queue[-1]


def a_dictionary(xs):
    found, other = {}, defaultdict(float)
    for x in xs:
        k = int(x)
        if k in found:
            found[k] += x
        else:
            found[k] = 0
        other[k] += 0 if x < 0 else x
    return found, other


def keys(xs):
    out = positive(xs)
    return {v: i for i, v in enumerate(out)}, sorted(set(out)), len(set(out))


def a_table(xs):
    table = [[0] * 4 for _ in range(3)]
    for i in range(1, 3):
        for j in range(1, 4):
            if xs[i] > 0:
                table[i][j] = max(table[i - 1][j], table[i][j - 1]) + xs[i]
    return table, table[1][1], table[-1][-1], sum(table[1]), max(table[2]), table[2], [row[:] for row in table]


def rows_of_any_length(xs):
    out = []
    for x in xs:
        row = [0]
        for y in xs:
            if y < x:
                row.append(y)
        out.append(row)
    return out, out[0], out[-1][0]


def buckets(xs):
    made = [[] for _ in range(3)]
    for x in xs:
        made[int(abs(x)) % 3].append(x)
        made[0].append(1)
    return made


def rows_of_tuples(xs):
    table = [[(0, 0)] for _ in range(3)]
    for i in range(len(xs)):
        table[i % 3].append((xs[i], i))
    return table


def runs(xs):
    out = []
    for x in xs:
        if out and out[-1][0] == (x > 1):
            out[-1][1] += 1
        else:
            out.append([x > 1, 1])
    return out


def groups(xs):
    found = {}
    for x in xs:
        found.setdefault(int(x) % 2, [0]).append(x)
    return found


@dataclass
class Particle:
    v: float = 0
    n: int = 0


def objects(xs):
    made = [Particle()]
    for x in xs:
        if x > 0:
            made.append(Particle(x, 1))
        else:
            made[-1].v += x
    return [one.v for one in made], [one.n for one in made], sum(one.v for one in made), made[0].v, made[-1].v


def gone_through(xs):
    out, total, least = positive(xs), 0, None
    for v in out:
        total = total + v
    for v in out:
        if least is None or v < least:
            least = v
    backwards = 0
    for v in reversed(out):
        backwards = backwards * 2 + v
    return (
        total,
        least,
        backwards,
        [v for v in out if v > 0],
        [v / 2 for v in out],
        [a + b for a, b in zip(out, out[1:])],
    )


def asked(xs):
    out = positive(xs)
    nearly = out[-1] // 1, out[0] // 1, out[0] % 2, -out[0], abs(out[-1]), round(out[-1]), int(out[-1]), float(out[0])
    return (
        nearly,
        out.index(0),
        out.count(0),
        0 in out,
        7.5 in out,
        any(out),
        all(out),
        sum(out, 0.5),
        sum(out) / len(out),
    )


def changed(xs):
    out = positive(xs)
    other = out[:]
    other.extend([1, 2.5])
    other += out
    both = out + other
    both.insert(1, 7)
    del both[0]
    out.reverse()
    return other, both, both.pop(), both.pop(0), out == other[: len(out)], out, out * 2, list(itertools.accumulate(out))


def exchanged(xs):
    out = positive(xs)
    out[0], out[-1] = out[-1], out[0]
    chosen = out[0] if len(out) > 2 else out[-1]
    return out, chosen, chosen + 1, chosen * 1.5, (out[0],), [out[-1]]


def shown(xs):
    out = positive(xs)
    print(out, out[0])
    return str(out), f"{out[0]} {out[-1]}", repr(out[0]), ", ".join(str(v) for v in out)


def as_places(xs):
    out = positive(xs)
    return out[out[0]], [0] * int(out[-1]), range(out[0]), list(range(int(out[-1])))


PROGRAMS = [
    appended, at_indices, a_stack, tuples, a_heap, a_heap_of_tuples, a_queue, a_dictionary, keys, a_table,
    rows_of_any_length, buckets, rows_of_tuples, runs, groups, objects, gone_through, asked, changed, exchanged, shown,
    as_places,
]  # fmt: skip
GIVEN = [
    np.array([0.5, 2.0, -1.0, 3.25, 2.0]), np.array([1, 2, 0, 3, 2]), np.array([-1.0, -2.0, -0.5]),
    np.array([-1, -2, -3]), np.array([1.5, -1.0, 2.0], np.float32),
]  # fmt: skip


def outcome(function, xs):
    """What a function gives and prints, as text, in which numbers of NumPy's say their type."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        result = function(copy.deepcopy(xs))
    return repr(result), printed.getvalue()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_numbers_in_lists_have_the_types_that_python_has(program, jit_compile):
    graph = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for xs in GIVEN:
        assert outcome(graph, xs) == outcome(program, xs), xs
    assert graph.experimental_get_tracing_count() <= len(GIVEN)


class Model:
    def __init__(self):
        self.log, self.zeros, self.flags = [0, 1.5, 2], [0, 0, 0], [True, 2, np.float32(1.5)]
        self.queue, self.table, self.groups = deque([1, 2.5], maxlen=4), {"a": 0, "b": 1.5}, {0: [1, 2.5]}
        self.sums, self.counts, self.recent = defaultdict(float), defaultdict(int), {1: 0.5, 2: 1}

    def step(self, xs):
        for i in range(len(xs)):
            x = xs[i]
            if x > 0:
                self.log.append(x)
                self.zeros[i % 3] = x * 0
                self.flags[0] = x
                self.queue.append(x)
                self.table["a"] += x
            else:
                self.log[0] += x
                if len(self.queue) > 1:
                    self.queue.popleft()
                self.table["b"] = x
                self.counts[int(x)]
            self.sums[int(x)] += x
            if i in self.recent:
                self.recent.pop(i)
            self.recent[np.int64(i)] = x
            self.groups.setdefault(int(x) % 3, [0]).append(x)
        return self.log[-1], self.flags[0], self.table["a"], self.queue[0]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_numbers_in_containers_that_a_program_keeps_have_the_types_that_python_has(jit_compile):
    graph, mine, other = runtime.function(Model.step, numpy=True, jit_compile=jit_compile), Model(), Model()
    for xs in GIVEN:
        assert repr((graph(mine, xs), vars(mine))) == repr((other.step(xs), vars(other))), xs


def as_array(xs):
    return np.array(positive(xs)), np.array(positive(xs), dtype=float), np.asarray(positive(xs))[0]


def test_an_array_of_such_numbers_has_numpys_dtype():
    graph = runtime.function(as_array, numpy=True)
    for xs in (*GIVEN, np.array([-1.0, -2.0])):
        assert not difference(graph(xs), as_array(xs)), xs


def test_a_graph_by_itself_says_that_an_array_of_such_numbers_has_another_dtype():
    concrete = runtime.function(as_array, numpy=True).get_concrete_function(np.array([1.0, -2.0]))
    assert not difference(concrete(np.array([-3.0, 4.0])), as_array(np.array([-3.0, 4.0])))
    with pytest.raises(
        runtime.errors.InvalidArgumentError, match="float64 or int, and none of them .*dtype=np.float64"
    ):
        concrete(np.array([-1.0, -2.0]))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kinds", [*itertools.combinations(range(6), 3)])
@pytest.mark.sampled(5)
def test_an_array_of_numbers_of_three_types_has_numpys_dtype(kinds, jit_compile):
    made = ["int(v)", "v", "np.float32(v)", "np.int8(v)", "np.uint32(v)", "np.int64(v)"]
    a, b, c = (made[kind] for kind in kinds)
    text = (
        "def f(x):\n    found = []\n    for v in x:\n"
        f"        if v > 2: found.append({a})\n        elif v > 1: found.append({b})\n        else: found.append({c})\n"
        "    return np.array(found), np.sum(found), np.concatenate([found, found])\n"
    )
    plain, graph = load(text, np=np), runtime.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
    for xs in ([3.0, 4.0], [1.5, 1.2], [0.5, 0.2], [3.0, 1.5], [3.0, 0.5], [1.5, 0.5], [3.0, 1.5, 0.5]):
        assert repr(graph(np.array(xs))) == repr(plain(np.array(xs))), text


def written(xs):
    rows = np.zeros((2, len(xs)))
    for i in range(2):
        row = [x for x in xs if x > i]
        row += [0] * (len(xs) - len(row))
        rows[i] = row
    xs[1:] = row[1:]
    return rows, xs


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_such_numbers_are_written_into_arrays_of_any_dtype(jit_compile):
    graph = runtime.function(written, numpy=True, jit_compile=jit_compile)
    for xs in (np.array([3, 0, 2]), np.array([1.5, -1.0]), np.array([], np.float32)):
        assert not difference(graph(xs.copy()), written(xs.copy())), xs


SMALL = {"bool or int": ("v > 3", "int(v)"), "small ints": ("np.int8(v)", "np.uint8(v)"), "ints": ("int(v)", "v")}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("kinds", SMALL)
def test_an_array_of_no_such_numbers_holds_floats(kinds, jit_compile):
    one, other = SMALL[kinds]
    text = (
        f"def f(x):\n    found = [{one} if v > 2 else {other} for v in x if v > 0]\n"
        "    return np.array(found), np.sum(found), np.concatenate([found, found])\n"
    )
    plain, graph = load(text, np=np), runtime.function(load(text, np=np), numpy=True, jit_compile=jit_compile)
    for xs in ([3.0, 4.0], [1.5, 1.0], [-1.0, -2.0], [3.0, 1.5], [-1.0, 2.0]):
        assert repr(graph(np.array(xs))) == repr(plain(np.array(xs))), text


def masked(xs):
    try:
        return np.bitwise_and(positive(xs), 1)
    except TypeError:
        return "floats"


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_what_numpy_does_not_do_with_some_such_numbers_is_raised_for_these(jit_compile):
    graph = runtime.function(masked, numpy=True, jit_compile=jit_compile)
    for xs in (*GIVEN, np.array([-1.0, -2.0]), *GIVEN):
        assert repr(graph(xs)) == repr(masked(xs)), xs


KEPT = {
    "lengths": "    kept.append(len(xs))\n    a = np.array([x if x > 0 else 1 for x in xs])\n    return a, kept[:]\n",
    "dtypes": (
        "    kept.append(0)\n    a = np.array([int(x) for x in xs if x > 0])\n    kept.append(a.dtype.name)\n"
        "    return a, len(kept)\n"
    ),
    "arrays": "    kept.append(np.array([x if x > 0 else 1 for x in xs]))\n    return kept[-1], len(kept)\n",
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", KEPT)
def test_what_outlives_a_call_is_changed_once_where_an_array_is_another_than_before(body, jit_compile):
    text, mine, other = f"def f(xs):\n{KEPT[body]}", [0], [0]
    graph = runtime.function(load(text, np=np, kept=mine), numpy=True, jit_compile=jit_compile)
    plain = load(text, np=np, kept=other)
    for xs in ([1.0, -2.0], [-1.0, -2.0], [3.0, 4.0], [-1.0, -1.0]):
        xs = np.array(xs)
        assert repr((graph(xs), mine)) == repr((plain(xs), other)), text
