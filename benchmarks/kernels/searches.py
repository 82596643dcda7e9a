"""Sorting, searching, graphs and hashes."""

import numpy as np

from benchmarks.kernels.kernel import kernel

SCORES = np.arange(16).reshape(4, 4)


@kernel(lambda draw, n: (draw.random((n, 3)) * 10 // 1, n // 3, 0), small=12, large=300)
def bellman_ford(edges, n, source):
    dist = np.full(n, np.inf)
    dist[source] = 0
    pred = -np.ones(n, dtype=int)
    for _ in range(n - 1):
        changed = False
        for i in range(edges.shape[0]):
            u, v, w = int(edges[i, 0]) % n, int(edges[i, 1]) % n, edges[i, 2]
            if dist[u] + w < dist[v]:
                dist[v] = dist[u] + w
                pred[v] = u
                changed = True
        if not changed:
            break
    return dist, pred


@kernel(lambda draw, n: (draw.random((n, n)),), small=7, large=80)
def prim(graph):
    n = graph.shape[0]
    key = np.ones(n) * np.inf
    parent = np.full(n, -1)
    in_mst = np.zeros(n, dtype=bool)
    key[0] = 0.0
    for _ in range(n):
        u = np.argmin(np.where(in_mst, np.inf, key))
        in_mst[u] = True
        mask = ~in_mst & (graph[u] < key)
        key[mask] = graph[u][mask]
        parent[mask] = u
    return parent, key.sum()


def sift_down(a, start, end):
    root = start
    while True:
        child = root * 2 + 1
        if child > end:
            break
        if child + 1 <= end and a[child] < a[child + 1]:
            child += 1
        if a[root] < a[child]:
            a[root], a[child] = a[child], a[root]
            root = child
        else:
            break


@kernel(lambda draw, n: (draw.random(n),), small=11, large=500)
def heapsort(a):
    n = len(a)
    for start in range((n - 2) // 2, -1, -1):
        sift_down(a, start, n - 1)
    for end in range(n - 1, 0, -1):
        a[end], a[0] = a[0], a[end]
        sift_down(a, 0, end - 1)


def merge(a, tmp, lo, mid, hi):
    i, j, kk = lo, mid, lo
    while i < mid and j < hi:
        if a[i] <= a[j]:
            tmp[kk] = a[i]
            i += 1
        else:
            tmp[kk] = a[j]
            j += 1
        kk += 1
    while i < mid:
        tmp[kk] = a[i]
        i += 1
        kk += 1
    while j < hi:
        tmp[kk] = a[j]
        j += 1
        kk += 1
    a[lo:hi] = tmp[lo:hi]


@kernel(lambda draw, n: (draw.random(n),), small=13, large=500)
def mergesort_bottom_up(a):
    n = a.size
    tmp = np.empty_like(a)
    width = 1
    while width < n:
        for lo in range(0, n, 2 * width):
            merge(a, tmp, lo, min(lo + width, n), min(lo + 2 * width, n))
        width *= 2
    return a


@kernel(lambda draw, n: (draw.integers(0, 2**16, n).astype(np.uint32),), small=11, large=500)
def radix_sort(a):
    a = a.copy()
    out = np.zeros_like(a)
    for shift in range(0, 32, 8):
        count = np.zeros(257, dtype=np.int64)
        for x in a:
            count[((x >> shift) & 0xFF) + 1] += 1
        count = np.cumsum(count)
        for x in a:
            d = (x >> shift) & 0xFF
            out[count[d]] = x
            count[d] += 1
        a, out = out, a
    return a


@kernel(lambda draw, n: (n,), small=5, large=7)
def queens(n):
    board = -np.ones(n, dtype=np.int64)
    row = 0
    count = 0
    while row >= 0:
        board[row] += 1
        while board[row] < n:
            ok = True
            for r in range(row):
                if board[r] == board[row] or abs(board[r] - board[row]) == row - r:
                    ok = False
                    break
            if ok:
                break
            board[row] += 1
        if board[row] < n:
            if row == n - 1:
                count += 1
            else:
                row += 1
                board[row] = -1
        else:
            row -= 1
    return count


def rotl32(x, r):
    return np.uint32(((x << r) | (x >> (32 - r))) & 0xFFFFFFFF)


@kernel(lambda draw, n: (draw.integers(0, 2**32, n, dtype=np.uint32), np.uint32(42)), small=8, large=500)
def murmur(data, seed):
    h = seed
    c1 = np.uint32(0xCC9E2D51)
    c2 = np.uint32(0x1B873593)
    with np.errstate(over="ignore"):
        for i in range(len(data)):
            kk = data[i] * c1
            kk = rotl32(kk, 15)
            kk = kk * c2
            h = h ^ kk
            h = rotl32(h, 13)
            h = h * np.uint32(5) + np.uint32(0xE6546B64)
        h ^= np.uint32(len(data) * 4)
        h ^= h >> 16
    return h


@kernel(
    lambda draw, n: (draw.integers(0, 256, n, dtype=np.uint8), draw.integers(0, 256, 16, dtype=np.uint8)),
    small=9,
    large=1000,
)
def rc4(data, key):
    S = np.arange(256, dtype=np.uint8)
    j = 0
    for i in range(256):
        j = (j + int(S[i]) + int(key[i % len(key)])) % 256
        S[i], S[j] = S[j], S[i]
    i = j = 0
    out = np.empty_like(data)
    for n in range(len(data)):
        i = (i + 1) % 256
        j = (j + int(S[i])) % 256
        S[i], S[j] = S[j], S[i]
        out[n] = data[n] ^ S[(int(S[i]) + int(S[j])) % 256]
    return out


@kernel(lambda draw, n: (draw.random((n, n)), 0, 0.25), small=6, large=40)
def smith_waterman_affine(score, start, gap):
    n, m = score.shape
    H = np.zeros((n + 1, m + 1))
    E = np.full((n + 1, m + 1), -np.inf)
    F = np.full((n + 1, m + 1), -np.inf)
    best = 0
    best_pos = (0, 0)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            E[i, j] = max(E[i, j - 1] - gap, H[i, j - 1] - 2 * gap)
            F[i, j] = max(F[i - 1, j] - gap, H[i - 1, j] - 2 * gap)
            H[i, j] = max(0, H[i - 1, j - 1] + score[i - 1, j - 1] - 0.6, E[i, j], F[i, j])
            if H[i, j] > best:
                best = H[i, j]
                best_pos = (i, j)
    return best, best_pos, H


@kernel(lambda draw, n: (draw.random((n, n)),), small=5, large=14)
def hungarian(cost):
    n = cost.shape[0]
    u = np.zeros(n + 1)
    v = np.zeros(n + 1)
    p = np.zeros(n + 1, dtype=int)
    way = np.zeros(n + 1, dtype=int)
    for i in range(1, n + 1):
        p[0] = i
        j0 = 0
        minv = np.full(n + 1, np.inf)
        used = np.zeros(n + 1, dtype=bool)
        while True:
            used[j0] = True
            i0 = p[j0]
            delta = np.inf
            j1 = 0
            for j in range(1, n + 1):
                if not used[j]:
                    cur = cost[i0 - 1, j - 1] - u[i0] - v[j]
                    if cur < minv[j]:
                        minv[j] = cur
                        way[j] = j0
                    if minv[j] < delta:
                        delta = minv[j]
                        j1 = j
            for j in range(n + 1):
                if used[j]:
                    u[p[j]] += delta
                    v[j] -= delta
                else:
                    minv[j] -= delta
            j0 = j1
            if p[j0] == 0:
                break
        while j0:
            j1 = way[j0]
            p[j0] = p[j1]
            j0 = j1
    result = np.zeros(n, dtype=int)
    for j in range(1, n + 1):
        result[p[j] - 1] = j - 1
    return result, -v[0]


@kernel(lambda draw, n: (draw.random((n, n)) > 0.5,), small=8, large=50)
def two_pass_labels(image):
    h, w = image.shape
    labels = np.zeros((h, w), dtype=int)
    parent = np.arange(h * w + 1)
    nxt = 1
    for y in range(h):
        for x in range(w):
            if not image[y, x]:
                continue
            up = labels[y - 1, x] if y > 0 else 0
            left = labels[y, x - 1] if x > 0 else 0
            if up == 0 and left == 0:
                labels[y, x] = nxt
                nxt += 1
            elif up and left:
                a, b = up, left
                while parent[a] != a:
                    a = parent[a]
                while parent[b] != b:
                    b = parent[b]
                m = min(a, b)
                parent[a] = m
                parent[b] = m
                labels[y, x] = m
            else:
                labels[y, x] = up or left
    for y in range(h):
        for x in range(w):
            a = labels[y, x]
            while parent[a] != a:
                a = parent[a]
            labels[y, x] = a
    return labels, len(np.unique(labels)) - 1


@kernel(
    lambda draw, n: (
        draw.random((n, 2)) * 2 - 1,
        np.array([[0.0, 0.9], [0.3, 0.2], [0.9, 0.0], [0.2, -0.3], [0.0, -0.9], [-0.3, -0.3], [-0.9, 0.1]]),
    ),
    small=8,
    large=500,
)
def points_in_polygon(pts, poly):
    inside = np.zeros(len(pts), dtype=bool)
    n = len(poly)
    for kk in range(len(pts)):
        x, y = pts[kk]
        j = n - 1
        for i in range(n):
            xi, yi = poly[i]
            xj, yj = poly[j]
            if ((yi > y) != (yj > y)) and (x < (xj - xi) * (y - yi) / (yj - yi) + xi):
                inside[kk] = not inside[kk]
            j = i
    return inside


@kernel(lambda draw, n: (draw.random((n, 2)), 1e-3), small=9, large=200)
def douglas_peucker(points, eps):
    n = len(points)
    keep = np.zeros(n, dtype=bool)
    keep[0] = keep[-1] = True
    stack = [(0, n - 1)]
    while stack:
        s, e = stack.pop()
        dmax, idx = 0.0, s
        line = points[e] - points[s]
        length = np.hypot(line[0], line[1])
        for i in range(s + 1, e):
            v = points[i] - points[s]
            d = abs(line[0] * v[1] - line[1] * v[0]) / length
            if d > dmax:
                dmax, idx = d, i
        if dmax > eps:
            keep[idx] = True
            stack.append((s, idx))
            stack.append((idx, e))
    return points[keep]


@kernel(lambda draw, n: (draw.integers(0, 5, n), draw.integers(0, 5, n), 5), small=12, large=3000)
def confusion_matrix(t, p, K):
    cm = np.zeros((K, K), dtype=int)
    for a, b in zip(t, p):
        cm[a][b] += 1
    precision = np.diag(cm) / np.maximum(cm.sum(axis=0), 1)
    recall = np.diag(cm) / np.maximum(cm.sum(axis=1), 1)
    f1 = np.divide(2 * precision * recall, precision + recall, out=np.zeros(K), where=(precision + recall) != 0)
    return cm, f1


@kernel(lambda draw, n: (draw.random((n, 2)), 0.15, 4), small=12, large=80)
def dbscan(X, eps, min_pts):
    n = X.shape[0]
    labels = np.full(n, -1)
    visited = np.zeros(n, dtype=bool)
    D = np.sqrt(((X[:, None] - X[None, :]) ** 2).sum(-1))
    cluster = 0
    for i in range(n):
        if visited[i]:
            continue
        visited[i] = True
        nbrs = np.where(D[i] < eps)[0]
        if len(nbrs) < min_pts:
            continue
        labels[i] = cluster
        queue = list(nbrs)
        while queue:
            j = queue.pop(0)
            if not visited[j]:
                visited[j] = True
                nb2 = np.where(D[j] < eps)[0]
                if len(nb2) >= min_pts:
                    queue.extend(nb2)
            if labels[j] == -1:
                labels[j] = cluster
        cluster += 1
    return labels, cluster


@kernel(lambda draw, n: (draw.integers(0, 4, n), draw.integers(0, 4, n)), small=6, large=60)
def align_by_table(a, b):
    H = np.zeros((len(a) + 1, len(b) + 1), dtype=np.int64)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            H[i, j] = max(H[i - 1, j - 1] + SCORES[a[i - 1], b[j - 1]] - 6, H[i - 1, j] - 2, H[i, j - 1] - 2, 0)
    return H.max()


@kernel(lambda draw, n: (draw.integers(0, 256, n, dtype=np.uint8),), small=6, large=3000)
def crc_by_table(data):
    table = np.zeros(256, dtype=np.uint32)
    for i in range(256):
        c = i
        for _j in range(8):
            c = (c >> 1) ^ 0xEDB88320 if c & 1 else c >> 1
        table[i] = c
    crc = 0xFFFFFFFF
    for b in data:
        crc = (crc >> 8) ^ int(table[(crc ^ int(b)) & 0xFF])
    return np.uint32(crc ^ 0xFFFFFFFF)
