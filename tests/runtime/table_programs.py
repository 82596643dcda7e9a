"""Programs on lists of lists of numbers, as people write them, and as they rather do not."""

import copy
import heapq
from collections import deque

import numpy as np

# ruff: noqa: B023, C416, E731


def made(n=6, m=5):
    return [[i * 10 + j for j in range(m)] for i in range(n)]


def view(n, k, x):
    t = made()
    r = t[n]
    r[k] = 99
    return t, r, t[n][k]


def view_after(n, k, x):
    t = made()
    r = t[n]
    t[n][k] = 99
    return t, r[k]


def static_row(n, k, x):
    t = made()
    r = t[2]
    t[n][k] = 99
    return r, t


def static_row_write(n, k, x):
    t = made()
    r = t[2]
    t[n][k] = 99
    r[1] = 7
    return t[n][1], t


def two_views(n, k, x):
    t = made()
    a = t[n]
    b = t[k]
    a[0] = 1
    b[0] = 2
    return a[0], b[0], t


def replace(n, k, x):
    t = made()
    t[n] = [1, 2, 3, 4, 5]
    return t


def replace_known(n, k, x):
    t = made()
    r = [1, 2, 3, 4, 5]
    t[n] = r
    r[0] = 77
    return t, r


def replace_known2(n, k, x):
    t = made()
    r = [1, 2, 3, 4, 5]
    t[n] = r
    t[n][0] = 77
    return t, r


def replace_row(n, k, x):
    t = made()
    t[n] = t[k]
    t[k][0] = 55
    return t


def replace_row2(n, k, x):
    t = made()
    t[n][0] = 5
    t[n] = t[k][:]
    t[k][0] = 55
    return t


def append(n, k, x):
    t = made()
    t[n][0] = 5
    r = [0, 0, 0, 0, 0]
    t.append(r)
    r[1] = 9
    t[-1][2] = 8
    return t, r


def append_view(n, k, x):
    t = made()
    r = t[n]
    t.append([1, 2, 3, 4, 5])
    r[0] = 9
    return t


def negative(n, k, x):
    t = made()
    t[-n - 1][k] = 4
    return t, t[-k - 1][-1]


def negative_view(n, k, x):
    t = made()
    t[n][0] = 3
    r = t[-n - 1]
    t.append([0] * 5)
    r[0] = 42
    return t


def pop(n, k, x):
    t = made()
    t[n][0] = 3
    r = t.pop()
    r[0] = 8
    return t, r


def pop_n(n, k, x):
    t = made()
    r = t[k]
    q = t.pop(n)
    return t, q


def pop_stale(n, k, x):
    t = made()
    r = t[k]
    t[k][0] = 1
    q = t.pop(0)
    r[0] = 9
    return t, q


def row_append(n, k, x):
    t = made()
    t[n].append(7)
    return t


def row_append_loop(n, k, x):
    t = [[] for _ in range(5)]
    for i in range(n):
        t[i % 5].append(i)
    return t


def row_pop(n, k, x):
    t = made()
    q = t[n].pop()
    return t, q


def row_slice(n, k, x):
    t = made()
    t[n][1:3] = [7, 8]
    return t, t[n][1:3], t[n][::-1]


def row_slice2(n, k, x):
    t = made()
    t[n][1:3] = [7, 8, 9]
    return t


def row_methods(n, k, x):
    t = made()
    t[n].reverse()
    t[k].sort()
    return t, sum(t[n]), max(t[n]), len(t[n]), min(t[k])


def row_insert(n, k, x):
    t = made()
    t[n].insert(1, 5)
    t[k].extend([1, 2])
    return t


def row_clear(n, k, x):
    t = made()
    t[n].clear()
    return t


def row_iter(n, k, x):
    t = made()
    t[n][0] = 3
    s = 0
    for v in t[n]:
        s += v
    return s, [v * 2 for v in t[k]], list(t[n]), tuple(t[n]), sorted(t[n])


def rows_iter(n, k, x):
    t = made()
    t[n][0] = 3
    s = 0
    for r in t:
        s += r[k]
        r[0] += 1
    return s, t


def rows_iter_enumerate(n, k, x):
    t = made()
    t[n][0] = 3
    for i, r in enumerate(t):
        r[k] = i
    return t


def rows_zip(n, k, x):
    t, u = made(), made()
    t[n][0] = 3
    u[k][1] = 4
    for a, b in zip(t, u):
        a[0] += b[1]
    return t, u


def loop(n, k, x):
    t = [[0] * 6 for _ in range(7)]
    for i in range(n + 2):
        for j in range(k + 1):
            t[i][j] = i * j + t[i - 1][j]
    return t


def loop_prev(n, k, x):
    t = [[1] * 6 for _ in range(7)]
    prev = t[0]
    for i in range(1, n + 2):
        row = t[i]
        for j in range(1, 6):
            row[j] = row[j - 1] + prev[j]
        prev = row
    return t, prev


def prev_written(n, k, x):
    t = [[1] * 6 for _ in range(7)]
    prev = t[0]
    for i in range(1, n + 2):
        prev = t[i]
    prev[0] = 99
    return t, prev


def best(n, k, x):
    t = made()
    best = t[0]
    for i in range(n + 1):
        if t[i][k] > best[k] - 3:
            best = t[i]
    return best


def best_written(n, k, x):
    t = made()
    t[n][0] = -4
    best = t[0]
    for i in range(n + 1):
        if t[i][k] > best[k] - 3:
            best = t[i]
    best[0] = 1000
    return t, best


def best_none(n, k, x):
    t = made()
    best = None
    for i in range(n + 1):
        if t[i][k] > 3:
            best = t[i]
    return t if best is None else best


def branch_row(n, k, x):
    t = made()
    if n > 2:
        r = t[n]
    else:
        r = t[k]
    r[0] = 1000
    return t, r


def branch_row_other(n, k, x):
    t = made()
    if n > 2:
        r = t[n]
    else:
        r = [1, 2, 3, 4, 5]
    return r


def branch_row_other_written(n, k, x):
    t = made()
    if n > 2:
        r = t[n]
    else:
        r = [1, 2, 3, 4, 5]
    r[0] = 3
    return t, r


def branch_write(n, k, x):
    t = made()
    if n > 2:
        t[n][k] = 5
    return t


def branch_write_both(n, k, x):
    t = made()
    r = t[1]
    if n > 2:
        t[n][k] = 5
    else:
        t[k][n] = 6
    return t, r


def branch_append(n, k, x):
    t = made()
    r = [9] * 5
    if n > 2:
        t.append(r)
    t[n][0] = 5
    return t, r


def branch_static(n, k, x):
    t = made()
    if n > 2:
        t[1][2] = 5
    t[n][k] = 8
    return t


def copy_(n, k, x):
    t = made()
    u = t[:]
    u[n][0] = 7
    return t, u


def copy2(n, k, x):
    t = made()
    t[n][0] = 7
    u = t[:]
    u[k][1] = 7
    return t, u


def copy3(n, k, x):
    t = made()
    t[n][0] = 7
    u = list(t)
    u[k][1] = 7
    return t, u


def copy4(n, k, x):
    t = made()
    t[n][0] = 7
    u = t.copy()
    t[k][1] = 7
    return t, u


def deep(n, k, x):
    t = made()
    t[n][0] = 7
    u = copy.deepcopy(t)
    u[k][1] = 7
    return t, u


def deep2(n, k, x):
    t = made()
    t[n][0] = 7
    u = [r[:] for r in t]
    u[k][1] = 8
    return t, u


def deep3(n, k, x):
    t = made()
    t[n][0] = 7
    u = [list(r) for r in t]
    u[k][1] = 8
    t[0][0] = 1
    return t, u


def alias(n, k, x):
    t = made()
    u = t
    u[n][0] = 7
    return t


def alias_rows(n, k, x):
    t = [[0] * 5] * 6
    t[n][0] = 7
    return t


def alias_two(n, k, x):
    r = [0] * 5
    t = [r, [1] * 5, r, [2] * 5, r, [3] * 5]
    t[n][0] = 7
    return t, r


def held_in_dict(n, k, x):
    t = made()
    d = {"a": t[2]}
    t[n][0] = 7
    return t, d


def held_in_list(n, k, x):
    t = made()
    d = [t[2], t[3]]
    t[n][0] = 7
    d[0][1] = 8
    return t, d


def held_in_object(n, k, x):
    class C:
        pass

    t = made()
    c = C()
    c.r = t[2]
    t[n][0] = 7
    c.r[3] = 1
    return t, c.r


def default(n, k, x):
    t = made()

    def f(r=t[2]):
        return r[0]

    t[n][0] = 7
    return f(), t


def closure(n, k, x):
    t = made()

    def put(i, j, v):
        t[i][j] = v

    put(n, k, 5)
    put(k, n, 6)
    return t


def arg(n, k, x):
    def put(r, j):
        r[j] = 77
        return r

    t = made()
    a = put(t[n], k)
    b = put(t[k], 0)
    return t, a, b


def arg_table(n, k, x):
    def put(t, j):
        t[j][0] = 77
        r = t[j]
        r[1] += 1
        return t

    t = made()
    a = put(t, k)
    return a, t


def swap(n, k, x):
    t = made()
    t[n], t[k] = t[k], t[n]
    return t


def swap_cells(n, k, x):
    t = made()
    t[n][0], t[k][1] = t[k][1], t[n][0]
    return t


def floats(n, k, x):
    t = [[0] * 5 for _ in range(6)]
    t[n][k] = 0.5
    t[k][0] = 2
    return t


def floats2(n, k, x):
    t = [[0.0] * 5 for _ in range(6)]
    t[n][k] = 3
    return t, t[n][k] / 2


def bool_(n, k, x):
    t = [[False] * 5 for _ in range(6)]
    t[n][k] = True
    return t, not t[k][n % 5]


def bool_int(n, k, x):
    t = [[False] * 5 for _ in range(6)]
    t[n][k] = 3
    return t


def tensor(n, k, x):
    t = [[0.0] * 5 for _ in range(6)]
    t[n][k] = x[0]
    return t, t[n][k] + x[1]


def numpy(n, k, x):
    t = made()
    t[n][0] = 3
    a = np.array(t)
    return a, np.sum(t), np.array(t[n]).mean(), np.max(t, axis=0)


def len_(n, k, x):
    t = made()
    t[n][0] = 3
    return len(t), len(t[n]), len(t[0])


def index_err(n, k, x):
    t = made()
    t[n][k + 50] = 3
    return t


def index_err2(n, k, x):
    t = made()
    t[n + 50][k] = 3
    return t


def read_err(n, k, x):
    t = made()
    return t[n][k + 50]


def text(n, k, x):
    t = made()
    t[n][0] = 3
    return f"{t[n][0]} {t[k]}", str(t[n])


def in_(n, k, x):
    t = made()
    t[n][0] = 3
    return 3 in t[n], 51 in t[k], t[n].index(3), t[k].count(3)


def in_table(n, k, x):
    t = made()
    t[n][0] = 3
    return [3, 1, 2, 3, 4] in t


def eq(n, k, x):
    t = made()
    t[n][0] = 3
    return t[n] == t[k], t[n] == [3, 1, 2, 3, 4], t == made()


def is_(n, k, x):
    t = made()
    r = t[n]
    t[k][0] = 5
    return t[n] is r, t[n] is t[k], r is not t[n]


def sorted_(n, k, x):
    t = made()
    t[n][0] = 100
    return sorted(t), sorted(t, key=lambda r: -r[1])


def sort(n, k, x):
    t = made()
    t[n][0] = 100
    t.sort(key=lambda r: r[0])
    return t


def reverse(n, k, x):
    t = made()
    t[n][0] = 100
    r = t[k]
    t.reverse()
    return t


def max_(n, k, x):
    t = made()
    t[n][0] = 100
    return max(t), max(max(r) for r in t), sum(sum(r) for r in t), min(map(min, t))


def zip_star(n, k, x):
    t = made()
    t[n][0] = 100
    return [list(c) for c in zip(*t)]


def transpose(n, k, x):
    t = made()
    t[n][0] = 100
    return [[t[i][j] for i in range(6)] for j in range(5)]


def unpack(n, k, x):
    t = made()
    a, b, c, d, e = t[n]
    t[n][0] = 8
    f, *g = t[k]
    return a, b, e, f, g


def pairs(n, k, x):
    t = [[i, i + 1] for i in range(20)]
    t[n][0] = 9
    a, b = t[k]
    return t, a, b


def pairs_float(n, k, x):
    t = [[i, i + 0.5] for i in range(20)]
    a, b = t[k]
    return a, b, t[n]


def pairs_written(n, k, x):
    t = [[i, i + 0.5] for i in range(20)]
    t[n][1] = 0.25
    return t


def triples(n, k, x):
    t = [[float(i), 0.0, 1.0] for i in range(18)]
    for i in range(n):
        t[i][1] += t[i + 1][0] * 0.5
    return t


def ragged(n, k, x):
    t = [[0] * (i + 1) for i in range(6)]
    t[n][0] = 5
    return t, len(t[n]), t[n]


def ragged_loop(n, k, x):
    t = [[1]]
    for i in range(n):
        prev = t[-1]
        row = [1]
        for j in range(1, len(prev)):
            row.append(prev[j - 1] + prev[j])
        row.append(1)
        t.append(row)
    return t


def build(n, k, x):
    t = []
    for i in range(n + 1):
        row = []
        for j in range(k + 1):
            row.append(i * j)
        t.append(row)
    return t


def build_fixed(n, k, x):
    t = []
    for i in range(n + 1):
        t.append([i, 0, 1, 2, 3, 4])
    t[0][1] = 7
    return t


def build_then(n, k, x):
    t = []
    for i in range(6):
        row = []
        for j in range(5):
            row.append(i + j)
        t.append(row)
    t[n][k] = 50
    row[0] = -1
    return t, row


def build_alias(n, k, x):
    t = []
    row = [0] * 5
    for i in range(n + 1):
        t.append(row)
    row[0] = 3
    return t


def del_(n, k, x):
    t = made()
    t[n][0] = 3
    del t[k]
    return t


def del_row(n, k, x):
    t = made()
    del t[n][0]
    return t


def extend(n, k, x):
    t, u = made(), made()
    t[n][0] = 3
    t.extend(u)
    u[0][0] = 66
    return t, u


def add(n, k, x):
    t, u = made(), made()
    t[n][0] = 3
    v = t + u
    return v


def add_written(n, k, x):
    t, u = made(), made()
    t[n][0] = 3
    v = t + u
    v[k][0] = 9
    return v, t, u


def while_(n, k, x):
    t = made()
    i = n
    while i > 0:
        t[i][i % 5] = -i
        i -= 1
    return t


def double(n, k, x):
    a, b = made(), [[0] * 5 for _ in range(6)]
    for s in range(n):
        for i in range(6):
            for j in range(5):
                b[i][j] = a[i][j] + a[i - 1][j - 1]
        a, b = b, a
    return a


def new(n, k, x):
    a = made()
    for s in range(n):
        b = [[0] * 5 for _ in range(6)]
        for i in range(6):
            for j in range(5):
                b[i][j] = a[i][j] + a[i - 1][j - 1] + s
        a = b
    return a


def nested_new(n, k, x):
    out = []
    for s in range(n):
        b = [[s] * 5 for _ in range(6)]
        b[s % 6][k] = 7
        out.append(b[s % 6][k] + b[0][0])
    return out


def rows_of_loop(n, k, x):
    t = made()
    for i in range(n):
        t[i] = [v + 1 for v in t[i]]
    return t


def rows_of_loop2(n, k, x):
    t = made()
    for i in range(1, n):
        cur = [0] * 5
        prev = t[i - 1]
        for j in range(5):
            cur[j] = prev[j] + t[i][j]
        t[i] = cur
    return t


def three(n, k, x):
    t = [[[0] * 3 for _ in range(4)] for _ in range(5)]
    t[n][k % 4][1] = 5
    return t


def three_static(n, k, x):
    t = [[[0] * 5 for _ in range(6)] for _ in range(2)]
    t[1][n][k] = 5
    return t


def dict_tables(n, k, x):
    d = {"a": made(), "b": made()}
    d["a"][n][k] = 5
    return d


def object_(n, k, x):
    class G:
        def __init__(self):
            self.t = made()

        def put(self, i, j, v):
            self.t[i][j] = v

        def row(self, i):
            return self.t[i]

    g = G()
    g.put(n, k, 5)
    g.row(k)[0] = 6
    return g.t


def object_loop(n, k, x):
    class G:
        def __init__(self):
            self.t = made()
            self.c = 0

        def put(self, i, j, v):
            self.t[i][j] = v
            self.c += 1

    g = G()
    for i in range(n):
        g.put(i, k, i)
    return g.t, g.c


def try_(n, k, x):
    t = made()
    try:
        t[2][n] = 5
    except IndexError:
        t[0][0] = -1
    return t


def list_of_row(n, k, x):
    t = made()
    q = [t[n], t[k]]
    q[0][0] = 5
    return t, q


def tuple_row(n, k, x):
    t = made()
    q = (t[n], 3)
    q[0][0] = 5
    return t, q


def row_in_object(n, k, x):
    class C:
        pass

    t = made()
    c = C()
    c.r = t[n]
    c.r[0] = 5
    t[n][1] = 6
    return t, c.r


def break_(n, k, x):
    t = made()
    for i in range(6):
        if t[i][0] > n * 10:
            break
        t[i][k] = 1
    return t


def continue_return(n, k, x):
    t = made()
    for i in range(6):
        for j in range(5):
            if t[i][j] == n * 10 + k:
                t[i][j] = -1
                return t, i, j
    return t, 0, 0


def aug(n, k, x):
    t = made()
    t[n][k] += 5
    t[n][k] *= 2
    t[k][0] //= 3
    t[n] += [9]
    return t


def aug_row(n, k, x):
    t = made()
    r = t[n]
    r += [1, 2]
    return t, r


def mul(n, k, x):
    t = made()
    t[n][0] = 3
    return t * 2


def lambda_(n, k, x):
    t = made()
    fs = [lambda j, r=r: r[j] for r in t]
    t[n][0] = 55
    return fs[0](0), t[0]


def any_(n, k, x):
    t = made()
    t[n][0] = 3
    return any(3 in r for r in t), all(len(r) == 5 for r in t)


def neg_loop(n, k, x):
    t = made()
    for i in range(n):
        t[-1 - i][-1] = i
    return t


def slice_rows(n, k, x):
    t = made()
    t[n][0] = 3
    u = t[1:3]
    return u


def slice_rows_written(n, k, x):
    t = made()
    t[n][0] = 3
    u = t[1:3]
    t[1][0] = 4
    return u, t


def slice_rows_n(n, k, x):
    t = made()
    u = t[:n]
    return u


def assign_slice(n, k, x):
    t = made()
    t[n][0] = 3
    t[1:3] = [[0] * 5]
    return t


# What several names know, and what is made of that in branches and loops.


def chosen_table(n, k, x):
    a = made()
    b = [[1] * 5 for _ in range(6)]
    t = a if n > 2 else b
    t[n][k] = 99
    return a, b


def chosen_by_statement(n, k, x):
    a, b = made(), [[1] * 5 for _ in range(6)]
    if n > 2:
        t = a
    else:
        t = b
    t[n].append(5)
    t[k].reverse()
    return a, b


def chosen_row(n, k, x):
    a, b = made(), [[1] * 5 for _ in range(6)]
    t = a if n > 2 else b
    r = t[n]
    r[0] = 5
    return a, b, r


def chosen_in_list(n, k, x):
    tables = [made(), [[1] * 5 for _ in range(6)]]
    tables[n % 2][n][k] = 99
    return tables


def chosen_in_function(n, k, x):
    a, b = [[0] * 5 for _ in range(6)], [[1] * 5 for _ in range(6)]

    def get(i):
        if i > 2:
            return a
        return b

    def put(t, i, j):
        t[i][j] = 7

    get(n)[k][0] = 6
    put(b if k > 2 else a, n, k)
    return a, b


def row_of_function(n, k, x):
    a, b = [[0] * 5 for _ in range(6)], [[1] * 5 for _ in range(6)]

    def get(i):
        if i > 2:
            return a[i]
        return b[i]

    r = get(n)
    r[0] = 6
    return a, b


def exchanged_tables(n, k, x):
    a, b = made(), [[1] * 5 for _ in range(6)]
    for _ in range(n):
        a, b = b, a
    a[n][k] = 17
    return a, b


def exchanged_in_branch(n, k, x):
    a, b = made(), [[1] * 5 for _ in range(6)]
    if n > 2:
        a, b = b, a
    a[n][k] = 99
    return a, b


def chosen_object(n, k, x):
    class Box:
        def __init__(self, t):
            self.t = t

    p, q = Box(made()), Box([[1] * 5 for _ in range(6)])
    c = p if n > 2 else q
    c.t[n][k] = 77
    return p.t, q.t


def found_by_loop(n, k, x):
    t = [[i] * 5 for i in range(6)]
    t[n][0] = 50
    for r in t:
        if r[0] == 50:
            r[k] = -1
            break
    else:
        r = t[0]
    r[1] = 77
    return t, r


def put_in_branch_of_others(n, k, x):
    t, u = made(), [[-1] * 5 for _ in range(6)]
    if n > 1:
        u[n] = t[1][:]
    return t, u


def known_row_compared(n, k, x):
    t = made()
    return sum(1 for row in t if row == t[n]), [row != t[n] for row in t], t.index(t[k])


def known_changes_behind_a_row(n, k, x):
    t = made()
    r = t[2]
    t[0], t[1] = t[1], t[0]
    t.append([1] * 5)
    t[n][k] = 9
    return t, r


def row_of_unknown_index_and_known_exchange(n, k, x):
    t = made()
    r = t[n]
    s = r[0]
    t[1] = [7] * 5
    return s, t


def reversed_and_written(n, k, x):
    t = made()
    out = []
    for i in reversed(range(6)):
        t[n][k] += 1
        out.append(t[i][k])
    return out


def held_in_deque(n, k, x):
    t = made()
    d = deque([t[2]])
    t[n][k] = 99
    d[0][1] = 5
    return t, d[0]


def held_in_slots(n, k, x):
    class Box:
        __slots__ = ("r",)

    t, c = made(), Box()
    c.r = t[2]
    t[n][k] = 99
    c.r[1] = 5
    return t, c.r


def held_in_class(n, k, x):
    class Box:
        pass

    t = made()
    Box.r = t[2]
    t[n][k] = 99
    return Box().r


def held_far_inside(n, k, x):
    t = made()
    far = [[[[[[t[2]]]]]]]
    t[n][k] = 99
    far[0][0][0][0][0][0][1] = 5
    return t, far[0][0][0][0][0][0]


def held_on_the_stack(n, k, x):
    t = made()

    def put():
        t[n][0] = 77
        return 3

    t[2][1] += put()
    return t, (t[2], put())[0]


def carried_row(n, k, x):
    t = [[i * 10 + j for j in range(5)] for i in range(6)]
    r = t[0]
    for _ in range(k):
        r = t[n]
    for w in t:
        w[2] += 1
    return r


def graph_numbers(n, k, x):
    t = made()
    t[n][0] = k
    t[k][1] = n > 2
    t[n].append(n)
    t[k] = [n, k, 1, 2, 3]
    return t


def narrow_numbers(n, k, x):
    t = [[300] * 5 for _ in range(6)]
    t[n][k] = np.int8(5)
    u = [[0.1] * 5 for _ in range(6)]
    u[n][k] = np.float32(5)
    return [[int(v) for v in r] for r in t], [[float(v) for v in r] for r in u]


def copied_together(n, k, x):
    t = made()
    t[n][0] = 3
    u, r = copy.deepcopy((t, t[2]))
    r[0] = 99
    return u, t


def breadth_first(n, k, x):
    g = [[] for _ in range(3)]
    g[0].append(1)
    q = [n % 3]
    s = 0
    while q:
        u = q.pop()
        for v in g[u]:
            s += v
            q.append(2)
    return s


def counted_rows(n, k, x):
    t = made()
    t[n][0] = 3
    return t.count([0] * 5), t.index([30, 31, 32, 33, 34]) if n != 3 else -1


def eliminated(n, k, x):
    m = [[float((i * 7 + j * 3 + i * j) % 11) for j in range(6)] for i in range(6)]
    for i in range(6):
        p = i
        for r in range(i, 6):
            if abs(m[r][i]) > abs(m[p][i]):
                p = r
        m[i], m[p] = m[p], m[i]
        for r in range(i + 1, 6):
            if m[i][i] != 0.0:
                f = m[r][i] / m[i][i]
                for j in range(i, 6):
                    m[r][j] = m[r][j] - f * m[i][j]
    return m[n % 6][k]


def all_exchanged(n, k, x):
    t = made()
    t[:] = [[1] * 5 for _ in range(4)]
    t[n % 4][k] = 2
    return t


def insert_of_own(n, k, x):
    t = made()
    t[n][0] = 3
    t.insert(0, t[k])
    t[0][1] = 99
    return t


def exchanged_in_one_branch(n, k, x):
    t = made()
    r = t[0]
    if k > 2:
        t[n][k] = 5
    else:
        t[0], t[1] = t[1], t[0]
    r[1] = 7
    return t, r


def put_in_one_branch(n, k, x):
    t = made()
    t[n][0] = 1
    r = [9] * 5
    if k > 2:
        t[n] = r
    r[0] = 77
    return t, r


def twice_in_one_branch(n, k, x):
    t = made()
    t[n][0] = 3
    if n > 2:
        t[n] = t[k]
    else:
        t[k] = [0] * 5
    t[n][1] = 55
    return t


def twice_by_other_indices(n, k, x):
    t = [[i * 10 + j for j in range(5)] for i in range(8)]
    t[n][0] = 3
    t[n] = t[k + 1]
    t[k + 2] = [0] * 5
    t[n][1] = 55
    return t


def copied_into_another(n, k, x):
    r = [0] * 5
    t = [r, *made()]
    out = []
    for i in range(3 + n):
        out.append((r, i))
    t[k][0] = 7
    r[1] = 8
    return t, out


def longer_in_branch(n, k, x):
    t = made()
    r = t[0]
    if n > 1:
        t.append([1] * 5)
    t[0][k] = 99
    return r


def own_appended_in_branch(n, k, x):
    t = made()
    if n > 1:
        t.append(t[1])
    t[1][k] = 99
    return t


def iterated_and_written(n, k, x):
    t = made()
    out = []
    for r in reversed(t):
        t[n][k] += 1
        out.append(r[k])
    return out


def row_iterated_and_written(n, k, x):
    t = made()
    out = []
    for v in t[2]:
        t[n][4] = 99
        out.append(v)
    return out


def collected_rows(n, k, x):
    t = made()
    out = []
    for i in range(n + 1):
        out.append(t[i])
    return out


def pairs_in_rows(n, k, x):
    g = [[] for _ in range(6)]
    g[n].append((n, 1))
    return g


def unlike_integers(n, k, x):
    t = [[1] * 5 for _ in range(6)]
    t[n][k] = np.uint64(2**63)
    return t


def flat_iterated_and_written(n, k, x):
    t = [0, 1, 2, 3, 4, 5]
    count = 0
    for i, _ in enumerate(t):
        count += 1
        if i == 3:
            t[n] = 9
    return count


def small_row_after_exchange(n, k, x):
    t = [[i * 10 + j for j in range(3)] for i in range(3)]
    r = t[0]
    t[k % 3] = [1] * 3
    r[k % 3] = 9
    return t


# Rows of tuples.


def pairs_of(n=4):
    return [[(i + j, i * 0.5 - j) for j in range(i % 3)] for i in range(n)]


def tuple_rows(n, k, x):
    t = pairs_of()
    t[n % 4].append((k, k * 0.5))
    t[k % 4].append((n, 0.25))
    return t, t[n % 4][-1], [len(r) for r in t]


def tuple_cells(n, k, x):
    t = [[(i, 0.5), (i, 1.5)] for i in range(5)]
    t[n % 5][1] = (k, 2.5)
    a, b = t[k % 5][-1]
    c, _ = t[n % 5][0]
    return t, a + b, c


def tuple_iterated(n, k, x):
    t = pairs_of()
    t[n % 4].append((9, 0.5))
    s = 0.0
    for row in t:
        for a, b in row:
            s += a * b
    return s, [a for a, _ in t[n % 4]], [(b, a) for a, b in t[k % 4]]


def tuple_popped(n, k, x):
    t = [[(i, 0.5), (i, 1.5)] for i in range(5)]
    u = t[n % 5].pop()
    v = t[k % 5].pop(0)
    r = t.pop()
    return t, u, v, r


def tuple_methods(n, k, x):
    t = [[(3, 0.5), (1, 1.5), (2, -1.0)] for _ in range(4)]
    t[n % 4].append((k, 0.0))
    t[n % 4].sort()
    t[k % 4].reverse()
    t[0].extend([(7, 7.0)])
    t[1].insert(1, (8, 8.0))
    return t, sorted(t[2]), max(t[n % 4]), min(t[3])


def tuple_slices(n, k, x):
    t = [[(3, 0.5), (1, 1.5), (2, -1.0)] for _ in range(4)]
    t[n % 4] = t[k % 4][1:]
    t[k % 4] = [(0, 0.0)]
    t[3] = t[n % 4] + t[0]
    return t, t[3][::-1]


def tuple_of_nothing_known(n, k, x):
    t = [[] for _ in range(n + 1)]
    for i in range(k + 3):
        t[i % (n + 1)].append((i, (i > 2, i * 0.5)))
    out = []
    for row in t:
        for i, (c, d) in row:
            if c:
                out.append(d + i)
    return t, out


def tuple_copied(n, k, x):
    t = pairs_of()
    t[n % 4].append((9, 0.5))
    u = [row[:] for row in t]
    u[k % 4].append((n, 1.0))
    v = copy.deepcopy(t)
    v[0].append((1, 1.0))
    return t, u, v


def tuple_in_branch(n, k, x):
    t = pairs_of()
    if n > 2:
        t[k % 4].append((n, 0.5))
    else:
        t[0].append((k, 1.5))
    return t


def tuple_asked(n, k, x):
    t = pairs_of()
    t[n % 4].append((9, 0.5))
    return (9, 0.5) in t[n % 4], t[n % 4].index((9, 0.5)), t[n % 4].count((0, 0.0)), bool(t[k % 4])


def tuple_rows_compared(n, k, x):
    t = pairs_of()
    t[n % 4].append((9, 0.5))
    return t[n % 4] == t[k % 4], t[n % 4] != [(9, 0.5)], t[k % 4] == [(9, 0.5)], t == pairs_of()


def tuple_in_nothing(n, k, x):
    t = [[] for _ in range(n + 1)]
    before = (k, (n, 1)) in t[n]
    t[0].append((k, (n, 1)))
    return before, (k, (n, 1)) in t[0], (k, (n, 2)) in t[0], (k, 7) in t[0], 7 in t[0], t


def tuple_in_numbers(n, k, x):
    t = [[2**53 + 1] for _ in range(n + 1)]
    t[n].append(5)
    return float(2**53) in t[0], 5.0 in t[n], (5,) in t[n], 5 in t[n], None in t[0]


def tuple_as_array(n, k, x):
    t = [[(3, 0.5), (1, 1.5)] for _ in range(4)]
    t[n % 4].append((k, 0.0))
    return np.array(t[n % 4])


def tuple_of_other_kind(n, k, x):
    t = [[(3, 0.5), (1, 1.5)] for _ in range(4)]
    t[n % 4].append((k, 0.0, 1))
    return t


def tuple_beside_number(n, k, x):
    t = [[] for _ in range(4)]
    t[n % 4].append((k, 0.0))
    t[k % 4].append(n)
    return t


def shortest(n, k, x):
    g = [[] for _ in range(6)]
    for i in range(6):
        for j in range(n):
            g[i].append(((i * 3 + j * 2 + k) % 6, (i * 7 + j * 5) % 9 + 1))
    far = [1000] * 6
    far[0] = 0
    heap = [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > far[u]:
            continue
        for v, w in g[u]:
            if d + w < far[v]:
                far[v] = d + w
                heapq.heappush(heap, (far[v], v))
    return far


# Kernels.


def lcs(a, b):
    n, m = len(a), len(b)
    dp = [[0] * (m + 1) for _ in range(n + 1)]
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                dp[i][j] = dp[i - 1][j - 1] + 1
            else:
                dp[i][j] = max(dp[i - 1][j], dp[i][j - 1])
    return dp[n][m]


def floyd(w):
    n = len(w)
    d = [[w[i, j] for j in range(n)] for i in range(n)]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i][k] + d[k][j] < d[i][j]:
                    d[i][j] = d[i][k] + d[k][j]
    return d


def matmul(a, b):
    n = len(a)
    c = []
    for i in range(n):
        row = []
        for j in range(n):
            s = 0.0
            for k in range(n):
                s += a[i][k] * b[k][j]
            row.append(s)
        c.append(row)
    return np.array(c)


def knap(w, v, cap):
    n = len(w)
    t = [[0 for _ in range(cap + 1)] for _ in range(n + 1)]
    for i in range(n + 1):
        for c in range(cap + 1):
            if i == 0 or c == 0:
                t[i][c] = 0
            elif w[i - 1] <= c:
                t[i][c] = max(v[i - 1] + t[i - 1][c - w[i - 1]], t[i - 1][c])
            else:
                t[i][c] = t[i - 1][c]
    return t[n][cap]


def pascal(n):
    rows = [[1]]
    for i in range(1, n):
        prev = rows[-1]
        row = [1]
        for j in range(1, i):
            row.append(prev[j - 1] + prev[j])
        row.append(1)
        rows.append(row)
    return rows


def grid_paths(g):
    h, w = g.shape
    ways = [[0] * w for _ in range(h)]
    ways[0][0] = 1
    for i in range(h):
        for j in range(w):
            if g[i, j] == 1:
                ways[i][j] = 0
                continue
            if i > 0:
                ways[i][j] += ways[i - 1][j]
            if j > 0:
                ways[i][j] += ways[i][j - 1]
    return ways[-1][-1]


def adj(edges, n):
    g = [[] for _ in range(n)]
    for u, v in edges:
        g[u].append(v)
        g[v].append(u)
    seen = [False] * n
    order = []
    stack = [0]
    while stack:
        u = stack.pop()
        if seen[u]:
            continue
        seen[u] = True
        order.append(u)
        for v in g[u]:
            if not seen[v]:
                stack.append(v)
    return order


# Of lists that they are given.


def writes(t, n, k):
    t[n][k] = 99


def reads(t, n, k):
    return t[n][k]


def writes_row(t, n, k):
    r = t[n]
    r[k] = 5
    return r


def writes_in_loop(t, n, k):
    for i in range(n):
        t[i][k] += i
    return t


def lengthens_row(t, n, k):
    t[n].append(3)


def lengthens(t, n, k):
    t.append([0] * 5)
    t[n][0] = 4


def writes_both_ways(t, n, k):
    t[n][k] = 99
    t[1][0] = 3
    return t[1]


def writes_perhaps(t, n, k):
    if n > 2:
        t[n][k] = 99


def copies(t, n, k):
    u = [[v for v in r] for r in t]
    u[n][k] = 3
    return u, t


def swaps_known(t, n, k):
    t[0], t[1] = t[1], t[0]
    t[0][0] = n


def inserts_known(t, n, k):
    t.insert(0, [n, n])
    t[1][0] = k


def deletes_known(t, n, k):
    del t[0]
    t[0].append(n)


def puts_known(t, n, k):
    t[1] = t[0]
    t[0][0] = n


def appends_own(t, n, k):
    t.append(t[0])
    t[0][1] = n


def in_a_tuple(t, n, k):
    t[0] = (t[1], n)
