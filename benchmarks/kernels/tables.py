"""Dynamic programmes, graphs, sorting and searching: whole numbers in tables."""

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import kernel


@kernel(lambda draw, n: (draw.integers(1, 50, (n, n)),), small=7, large=80)
def floyd_warshall(path):
    for k in range(path.shape[0]):
        path[:] = np.minimum(path[:], np.add.outer(path[:, k], path[k, :]))


@kernel(lambda draw, n: (draw.random((n, n)) * 50,), small=6, large=40)
def floyd_warshall_by_elements(dist):
    n = len(dist)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if dist[i, k] + dist[k, j] < dist[i, j]:
                    dist[i, j] = dist[i, k] + dist[k, j]
    return dist


def match(b1, b2):
    if b1 + b2 == 3:
        return 1
    else:
        return 0


@kernel(lambda draw, n: (n, draw.integers(0, 4, n)), small=9, large=60)
def nussinov(n, seq):
    """The most pairs in a folded strand."""
    table = np.zeros((n, n), np.int64)
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + match(seq[i], seq[j]))
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])
    return table


@kernel(lambda draw, n: (draw.integers(0, 4, n), draw.integers(0, 4, n + 3)), small=6, large=120)
def edit_distance(s, t):
    m, n = len(s), len(t)
    d = np.zeros((m + 1, n + 1), dtype=int)
    d[:, 0] = np.arange(m + 1)
    d[0, :] = np.arange(n + 1)
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = 0 if s[i - 1] == t[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[m, n]


@kernel(lambda draw, n: (draw.integers(0, 4, n), draw.integers(0, 4, n)), small=7, large=120)
def longest_common_subsequence(x, y):
    m, n = len(x), len(y)
    c = np.zeros((m + 1, n + 1), np.int32)
    for i, xi in enumerate(x):
        for j, yj in enumerate(y):
            if xi == yj:
                c[i + 1, j + 1] = c[i, j] + 1
            else:
                c[i + 1, j + 1] = max(c[i, j + 1], c[i + 1, j])
    out = np.full(min(m, n), -1)
    i, j, k = m, n, 0
    while i > 0 and j > 0:
        if x[i - 1] == y[j - 1]:
            out[k] = x[i - 1]
            i -= 1
            j -= 1
            k += 1
        elif c[i - 1, j] >= c[i, j - 1]:
            i -= 1
        else:
            j -= 1
    return c[m, n], out


@kernel(lambda draw, n: (draw.integers(1, 9, n), draw.integers(1, 30, n), 5 * n), small=6, large=60)
def knapsack(weights, values, capacity):
    best = np.zeros(capacity + 1, dtype=np.int64)
    for w, v in zip(weights, values):
        for c in range(capacity, w - 1, -1):
            best[c] = max(best[c], best[c - w] + v)
    return best[capacity]


@kernel(lambda draw, n: (n,), small=30, large=20_000)
def sieve(n):
    prime = np.ones(n + 1, dtype=bool)
    prime[:2] = False
    for i in range(2, int(n**0.5) + 1):
        if prime[i]:
            prime[i * i :: i] = False
    return np.flatnonzero(prime)


@kernel(lambda draw, n: (n,), small=30, large=3000)
def sieve_by_elements(n):
    composite = np.zeros(n + 1, dtype=np.bool_)
    count = 0
    i = 2
    while i <= n:
        if not composite[i]:
            count += 1
            j = i * i
            while j <= n:
                composite[j] = True
                j += i
        i += 1
    return count


@kernel(lambda draw, n: (draw.random(n),), small=9, large=20_000)
def prefix_sums(a):
    out = np.empty(len(a) + 1)
    out[0] = 0
    for i in range(len(a)):
        out[i + 1] = out[i] + a[i]
    return out


@kernel(lambda draw, n: (np.sort(draw.random(n)), draw.random(n)), small=9, large=2000)
def binary_search(a, wanted):
    found = np.zeros(len(wanted), dtype=np.int64)
    for k, x in enumerate(wanted):
        lo, hi = 0, len(a)
        while lo < hi:
            mid = (lo + hi) // 2
            if a[mid] < x:
                lo = mid + 1
            else:
                hi = mid
        found[k] = lo
    return found


@kernel(lambda draw, n: (draw.integers(0, 100, n),), small=8, large=200)
def insertion_sort(a):
    for i in range(1, len(a)):
        x = a[i]
        j = i - 1
        while j >= 0 and a[j] > x:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = x


@kernel(lambda draw, n: (draw.integers(0, 100, n),), small=8, large=120)
def bubble_sort(a):
    swaps = 0
    for end in range(len(a) - 1, 0, -1):
        swapped = False
        for i in range(end):
            if a[i] > a[i + 1]:
                a[i], a[i + 1] = a[i + 1], a[i]
                swaps += 1
                swapped = True
        if not swapped:
            break
    return swaps


@kernel(lambda draw, n: (draw.integers(2, 30, n),), small=6, large=40)
def matrix_chain(sizes):
    n = len(sizes) - 1
    cost = np.zeros((n, n), dtype=np.int64)
    split = np.zeros((n, n), dtype=np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            cost[i, j] = np.iinfo(np.int64).max
            for k in range(i, j):
                c = cost[i, k] + cost[k + 1, j] + sizes[i] * sizes[k + 1] * sizes[j + 1]
                if c < cost[i, j]:
                    cost[i, j] = c
                    split[i, j] = k
    return cost[0, n - 1], split


@kernel(lambda draw, n: (draw.integers(0, 256, n).astype(np.uint8),), small=9, large=3000)
def crc(data):
    """CRC-16 of bytes, bit by bit."""
    value = np.uint16(0xFFFF)
    for byte in data:
        value ^= byte
        for _ in range(8):
            if value & 1:
                value = (value >> 1) ^ 0xA001
            else:
                value >>= 1
    return value


@kernel(lambda draw, n: (0x8408, draw.integers(0, 256, n)), small=9, large=3000)
def crc_of_numbers(poly, data):
    value = 0xFFFF
    for b in data:
        current = 0xFF & b
        for _ in range(8):
            if (value & 0x0001) ^ (current & 0x0001):
                value = (value >> 1) ^ poly
            else:
                value >>= 1
            current >>= 1
    value = ~value & 0xFFFF
    return (value << 8) | ((value >> 8) & 0xFF)


@kernel(lambda draw, n: (draw.integers(0, n, (2, 4 * n)), n), small=8, large=300)
def connected_components(edges, n):
    label = np.arange(n)
    changed = True
    while changed:
        changed = False
        for u, v in edges.T:
            low = min(label[u], label[v])
            if label[u] != low or label[v] != low:
                label[u] = low
                label[v] = low
                changed = True
    return label, len(np.unique(label))


@kernel(lambda draw, n: (draw.integers(1, 90, (n, n)), 0), small=6, large=80)
def shortest_paths(graph, source):
    """Dijkstra's distances, by a table."""
    n = graph.shape[0]
    dist = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    dist[source] = 0
    for _ in range(n):
        u = np.argmin(np.where(done, np.inf, dist))
        done[u] = True
        for v in range(n):
            if not done[v] and dist[u] + graph[u, v] < dist[v]:
                dist[v] = dist[u] + graph[u, v]
    return dist


@kernel(lambda draw, n: (draw.integers(-9, 10, n),), small=9, large=5000)
def best_interval(x):
    """Where the sum of an interval is largest, by Kadane."""
    best, best_start, best_end = x[0], 0, 1
    total, start = x[0], 0
    for i in range(1, len(x)):
        if total < 0:
            total, start = x[i], i
        else:
            total += x[i]
        if total > best:
            best, best_start, best_end = total, start, i + 1
    return best, best_start, best_end


@kernel(lambda draw, n: (draw.random(n), draw.random(n)), small=7, large=150)
def dtw(x, y):
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = abs(x[i - 1] - y[j - 1])
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    i, j = n, m
    path = []
    while i > 0 and j > 0:
        path.append((i - 1, j - 1))
        step = np.argmin([cost[i - 1, j - 1], cost[i - 1, j], cost[i, j - 1]])
        if step == 0:
            i, j = i - 1, j - 1
        elif step == 1:
            i -= 1
        else:
            j -= 1
    return cost[n, m], np.array(path[::-1])


@kernel(lambda draw, n: (draw.integers(0, n, (2 * n, 2)), n), small=8, large=500)
def union_find(edges, n):
    parent = np.arange(n)
    size = np.ones(n, dtype=np.int64)

    def find(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra == rb:
            continue
        if size[ra] < size[rb]:
            ra, rb = rb, ra
        parent[rb] = ra
        size[ra] += size[rb]
    return parent, size.max()


@kernel(lambda draw, n: (draw.integers(0, 4, n), draw.integers(0, 4, n + 2), 1, -1, -2), small=7, large=120)
def needleman_wunsch(a, b, match, mismatch, gap):
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1), dtype=np.int64)
    score[:, 0] = gap * np.arange(n + 1)
    score[0] = gap * np.arange(m + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            score[i, j] = max(score[i - 1, j - 1] + s, score[i - 1, j] + gap, score[i, j - 1] + gap)
    i, j = n, m
    al, bl = [], []
    while i > 0 or j > 0:
        if i > 0 and j > 0 and score[i, j] == score[i - 1, j - 1] + (match if a[i - 1] == b[j - 1] else mismatch):
            al.append(a[i - 1])
            bl.append(b[j - 1])
            i -= 1
            j -= 1
        elif i > 0 and score[i, j] == score[i - 1, j] + gap:
            al.append(a[i - 1])
            bl.append(-1)
            i -= 1
        else:
            al.append(-1)
            bl.append(b[j - 1])
            j -= 1
    return score[n, m], np.array(al[::-1]), np.array(bl[::-1])


@kernel(lambda draw, n: (draw.integers(0, 9, n),), small=9, large=300)
def longest_increasing(x):
    n = len(x)
    best = np.ones(n, dtype=int)
    prev = -np.ones(n, dtype=int)
    for i in range(n):
        for j in range(i):
            if x[j] < x[i] and best[j] + 1 > best[i]:
                best[i] = best[j] + 1
                prev[i] = j
    k = int(np.argmax(best))
    out = []
    while k >= 0:
        out.append(x[k])
        k = prev[k]
    return out[::-1]
