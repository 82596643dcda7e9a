"""Lists in tuples and in other lists that grow in a graph: each is one list, by whatever name it is changed."""

import heapq
from collections import defaultdict, deque

import numpy as np
import pytest

import runtime as tf
from tests.exactly import outcome, unlike

RNG = np.random.default_rng(5)
NS = RNG.integers(0, 6, size=24)
EDGES = RNG.integers(0, 8, size=(20, 2))


def shortest_path(edges):
    graph = defaultdict(list)
    for u, v in edges:
        graph[int(u)].append(int(v))
    queue, seen = deque([(0, [0])]), {0}
    while queue:
        node, path = queue.popleft()
        if node == 5:
            return path
        for other in graph[node]:
            if other not in seen:
                seen.add(other)
                queue.append((other, path + [other]))
    return []


def queue_of_paths(edges):
    graph = defaultdict(list)
    for u, v in edges:
        graph[int(u)].append(int(v))
    queue, found = deque([[0]]), []
    while queue:
        path = queue.popleft()
        if path[-1] == 5:
            found.append(path)
            continue
        for other in graph[path[-1]]:
            if other not in path:
                longer = list(path)
                longer.append(other)
                queue.append(longer)
    return found


def all_paths(edges):
    reached = np.zeros((8, 8), bool)
    for u, v in edges:
        reached[u, v] = True
    stack, paths = [(0, [0])], []
    while stack:
        node, path = stack.pop()
        if node == 5:
            paths.append(path)
            continue
        for k in range(8):
            if reached[node, k] and k not in path:
                stack.append((k, path + [k]))
    return paths


def heap_of_paths(ns):
    heap, best = [(0, [0])], {}
    while heap:
        cost, path = heapq.heappop(heap)
        node = path[-1]
        if node not in best:
            best[node] = (cost, path)
            for step in (1, 2, 3):
                if node + step < 12:
                    heapq.heappush(heap, (cost + int(ns[node + step]), path + [node + step]))
    return best


def beam_search(ns):
    beams = [(0, [])]
    for n in ns[:6]:
        longer = []
        for score, steps in beams:
            longer.append((score + int(n) % 3, steps + [1]))
            longer.append((score - int(n) % 3, steps + [0]))
        longer.sort(key=lambda beam: beam[0], reverse=True)
        beams = longer[:3]
    return beams


def chunks(ns):
    done, current = [], []
    for n in ns:
        current.append(int(n))
        if n > 3:
            done.append(current)
            current = []
    if current:
        done.append(current)
    return done


def changed_behind(ns):
    rows, current = [], []
    for n in ns:
        if n > 3:
            current = []
            rows.append(current)
        current.append(int(n))
    return rows, current, rows[-1] is current


def put_in_several_places(ns):
    rows, one = [], []
    for n in ns:
        if n > 2:
            rows.append(one)
        one.append(int(n))
    return rows, one


def values_with_lists(ns):
    groups = {}
    for i, n in enumerate(ns):
        n = int(n)
        if n in groups:
            total, members = groups[n]
            members.append(i)
            groups[n] = (total + i, members)
        else:
            groups[n] = (i, [i])
    return groups


def groups_that_follow(ns):
    groups = []
    for n in ns:
        if groups and groups[-1][0] == n % 2:
            groups[-1][1].append(n)
        else:
            groups.append((n % 2, [n]))
    return groups


def snapshots(ns):
    history, stack = [], []
    for n in ns:
        if n > 2:
            stack.append(int(n))
        elif stack:
            stack.pop()
        history.append((len(stack), stack[:]))
    return history


PROGRAMS = [(function, EDGES) for function in (shortest_path, queue_of_paths, all_paths)]
PROGRAMS += [
    (function, NS)
    for function in (
        heap_of_paths, beam_search, chunks, changed_behind, put_in_several_places, values_with_lists,
        groups_that_follow, snapshots,
    )
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function, array", PROGRAMS, ids=[function.__name__ for function, _ in PROGRAMS])
def test_lists_are_as_without_a_graph(function, array, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in (array, array[::-1].copy()):
        assert not unlike(outcome(graph, (given,)), outcome(function, (given,)), {})
    assert graph.experimental_get_tracing_count() == 1
