"""Algorithms of textbooks."""

import heapq
from collections import defaultdict, deque


def gcd(a, b):
    while b:
        a, b = b, a % b
    return a


def primes(limit):
    sieve = [True] * (limit + 1)
    for n in range(2, int(limit**0.5) + 1):
        if sieve[n]:
            for multiple in range(n * n, limit + 1, n):
                sieve[multiple] = False
    return [n for n in range(2, limit + 1) if sieve[n]]


def binary_search(items, wanted):
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    if low < len(items) and items[low] == wanted:
        return low
    return None


def quicksort(items):
    if len(items) < 2:
        return items
    pivot, *rest = items
    return quicksort([x for x in rest if x < pivot]) + [pivot] + quicksort([x for x in rest if x >= pivot])


def insertion_sort(items):
    for i in range(1, len(items)):
        item, j = items[i], i
        while j > 0 and items[j - 1] > item:
            items[j] = items[j - 1]
            j -= 1
        items[j] = item
    return items


def shortest_path(graph, start, goal):
    waiting = deque([start])
    came_from = {start: None}
    while waiting:
        node = waiting.popleft()
        if node == goal:
            break
        for other in graph.get(node, ()):
            if other not in came_from:
                came_from[other] = node
                waiting.append(other)
    else:
        return None
    path = []
    while goal is not None:
        path.append(goal)
        goal = came_from[goal]
    return path[::-1]


def dijkstra(graph, start):
    distances, heap = {}, [(0, start)]
    while heap:
        distance, node = heapq.heappop(heap)
        if node in distances:
            continue
        distances[node] = distance
        for other, weight in graph[node].items():
            if other not in distances:
                heapq.heappush(heap, (distance + weight, other))
    return distances


def topological(edges):
    waits = defaultdict(set)
    nodes = set()
    for before, after in edges:
        waits[after].add(before)
        nodes |= {before, after}
    order = []
    while ready := sorted(n for n in nodes if not waits[n]):
        for node in ready:
            order.append(node)
            nodes.remove(node)
        for needed in waits.values():
            needed.difference_update(ready)
    if nodes:
        raise ValueError("there is a circle")
    return order


def knapsack(items, capacity):
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]


def permutations(items):
    if not items:
        return [[]]
    return [[item, *rest] for i, item in enumerate(items) for rest in permutations(items[:i] + items[i + 1 :])]


def hanoi(n, source="a", target="c", spare="b"):
    if n == 0:
        return []
    return [*hanoi(n - 1, source, spare, target), (source, target), *hanoi(n - 1, spare, target, source)]


GRAPH = {"a": {"b": 1, "c": 4}, "b": {"c": 2, "d": 7}, "c": {"d": 1}, "d": {}}
CALLS = {
    "gcd": [(12, 18), (7, 0)],
    "primes": [(30,), (1,)],
    "binary_search": [([1, 3, 5, 7], 5), ([1, 3], 2), ([], 1)],
    "quicksort": [([3, 1, 2, 3, 0],), ([],)],
    "insertion_sort": [([3, 1, 2],), ([],)],
    "shortest_path": [(GRAPH, "a", "d"), (GRAPH, "d", "a")],
    "dijkstra": [(GRAPH, "a")],
    "topological": [([("a", "b"), ("b", "c"), ("a", "c")],), ([("a", "b"), ("b", "a")],)],
    "knapsack": [([(2, 3), (3, 4), (4, 5)], 5)],
    "permutations": [([1, 2, 3],)],
    "hanoi": [(3,)],
}
