"""Programs on lists of lists that grow each for itself: graphs, groups, trees."""

import heapq

import numpy as np

from benchmarks.kernels.kernel import kernel


def _edges(draw, n):
    return draw.integers(0, n, (4 * n, 2)), n


@kernel(_edges, small=9, large=5000)
def visited_in_order(edges, n):
    neighbours = [[] for _ in range(n)]
    for u, v in edges:
        neighbours[u].append(v)
        neighbours[v].append(u)
    seen = [False] * n
    order, stack = [], [0]
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        order.append(u)
        for v in neighbours[u]:
            if not seen[v]:
                stack.append(v)
    return len(order), order[-1]


@kernel(lambda draw, n: (*_edges(draw, n), draw.integers(1, 100, 4 * n)), small=9, large=3000)
def cheapest_routes(edges, n, costs):
    neighbours = [[] for _ in range(n)]
    for i in range(len(edges)):
        neighbours[edges[i, 0]].append((edges[i, 1], costs[i]))
    far = [10**9] * n
    far[0] = 0
    heap = [(0, 0)]
    while heap:
        distance, u = heapq.heappop(heap)
        if distance > far[u]:
            continue
        for v, cost in neighbours[u]:
            if distance + cost < far[v]:
                far[v] = distance + cost
                heapq.heappush(heap, (far[v], v))
    return np.array(far)


@kernel(lambda draw, n: (draw.integers(0, n, (3 * n, 2)), n), small=9, large=5000)
def in_topological_order(edges, n):
    after, before = [[] for _ in range(n)], [0] * n
    for u, v in edges:
        if u < v:
            after[u].append(v)
            before[v] += 1
    ready = [i for i in range(n) if before[i] == 0]
    order = np.zeros(n, np.int64)
    count = 0
    while ready:
        u = ready.pop()
        order[count] = u
        count += 1
        for v in after[u]:
            before[v] -= 1
            if before[v] == 0:
                ready.append(v)
    return order


@kernel(lambda draw, n: (draw.random((n, 2)), 0.5 / max(n, 1) ** 0.5), small=20, large=3000)
def close_pairs_by_cells(points, reach):
    size = int(1 / reach) + 1
    cells = [[] for _ in range(size * size)]
    close = 0
    for i in range(len(points)):
        row, column = int(points[i, 0] / reach), int(points[i, 1] / reach)
        for r in range(max(row - 1, 0), min(row + 2, size)):
            for c in range(max(column - 1, 0), min(column + 2, size)):
                for j in cells[r * size + c]:
                    dx, dy = points[i, 0] - points[j, 0], points[i, 1] - points[j, 1]
                    if dx * dx + dy * dy < reach * reach:
                        close += 1
        cells[row * size + column].append(i)
    return close


@kernel(lambda draw, n: (draw.integers(0, 10 * n, n), 64), small=9, large=20_000)
def sorted_in_buckets(values, count):
    most = values.max() + 1
    buckets = [[] for _ in range(count)]
    for value in values:
        buckets[value * count // most].append(value)
    made, at = np.zeros(len(values), np.int64), 0
    for bucket in buckets:
        for value in sorted(bucket):
            made[at] = value
            at += 1
    return made
