"""Containers that a call is given are changed as without a graph by statements that the graph decides."""

import collections
import copy
import gc
import heapq
import re
import threading
import weakref
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import EXECUTORS, load
from tests.runtime.container_programs import GIVEN as NUMBERS, MODEL, generated


@dataclass
class Box:
    table: dict = field(default_factory=dict)
    count: int = 0
    sums: np.ndarray = field(default_factory=lambda: np.zeros(1))


class Pair(NamedTuple):
    table: dict
    value: int


def counted(table, xs):
    for x in xs:
        table[int(x)] = table.get(int(x), 0) + 1
    return table


def visited(seen, xs):
    again = 0
    for x in xs:
        again += x in seen
        seen.add(x)
    return int(again)


def grouped(groups, xs):
    for x in xs:
        groups.setdefault(int(x) % 3, []).append(x)
    return groups


def summed(sums, xs):
    for x in xs:
        sums[int(x)] += x
    return len(sums)


def most(counter, xs):
    for x in xs:
        counter[int(x)] += 1
    return counter.most_common(1)[0][0]


def pushed(heap, xs):
    for x in xs:
        if len(heap) < 3 or heap[0] < x:
            heapq.heappush(heap, x)
            if len(heap) > 3:
                heapq.heappop(heap)


def queued(queue, xs):
    for x in xs:
        queue.append(x)
        if x > 2:
            queue.popleft()
    return len(queue)


def stacked(stack, xs):
    for x in xs:
        if stack and stack[-1] > x:
            stack.pop()
        else:
            stack.append(x)
    return len(stack)


def nested(state, xs):
    for x in xs:
        state["by"][int(x)] = x
        state["n"] += 1
    return state["n"]


def in_a_list(tables, xs):
    for x in xs:
        tables[0][int(x)] = len(tables)
    return tables


def in_an_object(box, xs):
    for x in xs:
        box.table[int(x)] = box.count
        box.count += 1
        box.sums[0] += x
    return box.count


def in_a_named_tuple(pair, xs):
    for x in xs:
        pair.table[int(x)] = pair.value
    return pair


def in_a_tuple(pair, xs):
    for x in xs:
        pair[1][0][int(x)] = pair[0]
    return pair


def raising(table, xs):
    for x in xs:
        table[int(x)] -= 1
        if table[int(x)] < 0:
            raise ValueError(x)
    return sum(table.values())


def caught(table, xs):
    missed = 0
    for x in xs:
        try:
            table[int(x)] += 1
        except KeyError:
            missed += 1
    return missed


def deleted(table, xs):
    for x in xs:
        if int(x) in table:
            del table[int(x)]
    return list(table)


def popped(table, xs):
    return [table.pop(int(x), -1) for x in xs]


def of_arrays(rows, xs):
    for x in xs:
        if x > 1:
            rows.append(xs * x)
    return len(rows)


def of_texts(table, xs):
    for x in xs:
        key = "big" if x > 2 else "small"
        table[key] = table.get(key, 0) + 1


GIVEN = [
    (counted, {}), (counted, {1: 2, 5: 5}), (visited, set()), (visited, {1.0, 2.0}), (grouped, {}),
    (grouped, {0: [3.0]}), (summed, collections.defaultdict(float)), (most, collections.Counter([1, 1, 4])),
    (pushed, [*np.ones(1)]), (pushed, [*np.array([2.0, 3.0, 4.0])]), (queued, collections.deque([9.0])),
    (stacked, []), (stacked, [1.0, 5.0]), (nested, {"by": {}, "n": 0}), (nested, {"by": {1: 2.0}, "n": 5}),
    (in_a_list, [{}, {}]), (in_a_list, [{1: 1}]), (in_an_object, Box()), (in_an_object, Box({1: 1}, 3)),
    (in_a_named_tuple, Pair({}, 2)), (in_a_tuple, (5, ({1: 2},))), (raising, {1: 2, 2: 1, 3: 0}),
    (caught, {1: 2, 2: 0}), (deleted, {1: 1, 2: 2, 5: 5}), (popped, {1: 1, 5: 5}), (of_arrays, []),
    (of_arrays, [np.ones(2)]), (of_texts, {}), (of_texts, {"big": 1}),
]  # fmt: skip
CALLS = ([1.0, 2.0], [3.0, 1.0, 3.0], [1.0, 1.0, 1.0], [2.0, 5.0, 4.0])


def told(function, *arguments):
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error), repr(error.args)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("function, given", GIVEN, ids=[f"{function.__name__} {given}" for function, given in GIVEN])
def test_what_a_call_is_given_is_changed_as_without_a_graph(function, given, jit_compile):
    graph = runtime.function(function, numpy=True, jit_compile=jit_compile)
    one, other = copy.deepcopy(given), copy.deepcopy(given)
    for xs in CALLS:
        assert told(graph, other, np.array(xs)) == told(function, one, np.array(xs))
        assert repr(other) == repr(one)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_one_graph_serves_all_that_hold_the_same_kinds(jit_compile):
    graph, xs = runtime.function(counted, numpy=True, jit_compile=jit_compile), np.array([1.0, 2.0])
    for given in ({}, {7: 1}):
        graph(given, xs)
    (lender,) = graph._lending._idle
    traces = lender.function.experimental_get_tracing_count()
    for given in ({}, {7: 1}, {n: n for n in range(50)}):
        expected = counted(dict(given), xs)
        assert graph(given, xs) is given and given == expected
    assert lender.function.experimental_get_tracing_count() == traces


class Keeps:
    def __init__(self):
        self.table, self.other, self.names = {}, {}, []

    def count(self, xs):
        for x in xs:
            self.table[int(x)] = self.table.get(int(x), 0) + 1
        return len(self.other)

    def both(self, xs):
        for x in xs:
            self.table[int(x)] = self.other.get(int(x), 0) + 1
            self.other[int(x)] = 5
        return len(self.table), len(self.other)

    def listed(self, xs):
        for x in xs:
            if not self.names or self.names[-1] < x:
                self.names.append(x)
        return len(self.names)


@pytest.mark.parametrize("name", ["count", "both", "listed"])
def test_an_attribute_may_hold_another_container_at_each_call(name):
    one, other = Keeps(), Keeps()
    plain, graph, xs = getattr(one, name), runtime.function(getattr(other, name), numpy=True), np.array([1.0, 3.0])

    def bound_anew(made):
        for keeps in (one, other):
            vars(keeps).update(made(keeps))

    changes = [
        lambda k: {}, lambda k: {"table": {}, "names": []}, lambda k: {"table": {1: 1}, "names": [2.0]},
        lambda k: {"other": {}}, lambda k: {"other": k.table}, lambda k: {"table": {}}, lambda k: {"table": k.other},
        lambda k: {"table": {}, "other": {}}, lambda k: {"table": {}, "names": []},
        lambda k: {"table": {}, "names": []},
    ]  # fmt: skip
    for change in changes:
        bound_anew(change)
        assert repr(graph(xs)) == repr(plain(xs))
        assert vars(other) == vars(one)
        assert (other.table is other.other) is (one.table is one.other)
    traces = graph.experimental_get_tracing_count()
    for _ in range(3):
        bound_anew(lambda k: {"table": {}, "other": {}, "names": []})
        assert repr(graph(xs)) == repr(plain(xs)) and vars(other) == vars(one)
    assert name == "count" or graph.experimental_get_tracing_count() == traces


def of_arguments(body):
    """A program on an object's containers as a function that is given them, and their names."""
    names = sorted({*re.findall(r"self\.(\w+)", body)})
    lines = "".join(f"    {line}\n" for line in body.replace("self.", "").split("\n"))
    return f"def step({', '.join(names)}, xs):\n    x = xs[0]\n{lines}", names


def after_calls(text, names, decorated, fresh):
    """What calls give, which of the containers that is, and what these hold after each; they are `fresh` at each."""
    step = decorated(load(text, name="step"))
    cls, seen = load(MODEL, name="Model", np=np, collections=collections, decorated=lambda method: method), []
    model = cls()
    for numbers in NUMBERS:
        model = cls() if fresh else model
        containers = [getattr(model, name) for name in names]
        try:
            result = step(*containers, np.array(numbers))
        except StagingError:
            raise
        except ValueError as error:
            result = repr(error)
        held = [sorted(value) if type(value) is set else value for value in containers]
        seen.append(repr((result, [value is result for value in containers], held)))
    return seen


@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("seed", range(80))
@pytest.mark.sampled(8)
def test_generated_programs_change_what_they_are_given_as_without_a_graph(seed, fresh):
    text, names = of_arguments(generated(seed))
    try:
        expected = after_calls(text, names, lambda step: step, fresh)
    except Exception as error:  # as where a list has become empty
        expected = type(error)
    try:
        found = after_calls(text, names, lambda step: runtime.function(step, numpy=True), fresh)
    except Exception as error:
        found = type(error)
    assert found == expected, text


def test_a_container_may_be_given_twice_or_be_the_programs_too():
    def both(a, b, xs):
        for x in xs:
            a[int(x)] = 1
            if int(x) + 1 in b:
                b[int(x) + 1] = 5
        return a is b

    graph, xs = runtime.function(both, numpy=True), np.array([1.0, 2.0])
    one, other = {2: 2}, {2: 2}
    assert both(one, one, xs) is graph(other, other, xs) is True and one == other
    for_plain, for_graph = ({2: 2}, {2: 2}), ({2: 2}, {2: 2})
    assert both(*for_plain, xs) is graph(*for_graph, xs) is False and for_plain == for_graph

    known = {}

    def keeps(table, xs):
        for x in xs:
            table[int(x)] = len(known)

    graph = runtime.function(keeps, numpy=True)
    for given in (known, {}, known):
        known.clear()
        keeps(given, xs)
        expected = dict(given), dict(known)
        given.clear()
        known.clear()
        graph(given, xs)
        assert (given, known) == expected


def test_calls_by_name_in_threads_and_from_other_functions():
    graph = runtime.function(counted, numpy=True)
    assert graph(xs=np.array([3.0, 3.0]), table={3: 7}) == {3: 9}
    with pytest.raises(TypeError, match="takes 2 positional arguments but 3 were given"):
        graph({}, np.array([1.0]), 3)
    with pytest.raises(AttributeError, match="'NoneType' object has no attribute 'get'"):
        graph(None, np.array([1.0]))

    @runtime.function(numpy=True)
    def around(xs):
        table = {}
        return graph(table, xs), len(table)

    assert around(np.array([1.0, 1.0, 2.0])) == ({1: 2, 2: 1}, 2)
    found = {}

    def work(number):
        table = found[number] = {}
        for _ in range(20):
            graph(table, np.array([float(number), 1.0]))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(2, 6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: {number: 20, 1: 20} for number in range(2, 6)}


class Model:
    def __init__(self):
        self.calls = 0

    @runtime.function(numpy=True)
    def count(self, table, xs):
        for x in xs:
            table[int(x)] = table.get(int(x), 0) + 1
        self.calls += 1
        return self.calls


def test_what_is_lent_is_not_held_after_the_call():
    model, box = Model(), Box()
    table = {}
    assert [model.count(table, np.array([1.0, 2.0])) for _ in range(3)] == [1, 2, 3] and table == {1: 3, 2: 3}
    graph = runtime.function(in_an_object, numpy=True)
    graph(box, np.array([1.0]))
    gone = weakref.ref(model), weakref.ref(box)
    del model, box
    gc.collect()
    assert [one() for one in gone] == [None, None]


def test_what_cannot_be_lent_is_refused_as_it_was():
    graph = runtime.function(counted, numpy=True)
    for given in ({"a": 1}, {1: 2, "a": 3}, {1: object()}):
        before = dict(given)
        with pytest.raises(runtime.errors.OperatorNotAllowedInGraphError, match="cannot be a key") as caught:
            graph(given, np.array([1.0]))
        assert "lent" not in str(caught.value) and given == before
    assert graph({}, np.array([1.0])) == {1: 1}
