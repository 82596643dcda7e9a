"""Functions that call themselves and change what is around them, as people write them: what is searched, counted,
sorted in place, remembered, collected, taken back."""

import numpy as np

# ruff: noqa: B023, SIM102, SIM103

CASES = []


def case(*arguments):
    """A program, and what it is called with."""

    def kept(function):
        CASES.append((function, arguments))
        return function

    return kept


def of(shape, most=50, seed=1):
    return np.random.default_rng(seed).integers(0, most, shape)


GRAPH = of((6, 6), 9) * of((6, 6), 2, 2)
GRID = of((6, 7), 2)
EDGES = np.array([[0, 1], [1, 2], [3, 4], [5, 6], [4, 5]])


def visit_l(g, u, seen, order):
    seen[u] = True
    order.append(u)
    for v in range(len(g)):
        if g[u][v] and not seen[v]:
            visit_l(g, v, seen, order)


@case(GRAPH)
def dfs_args(g):
    seen = [False] * len(g)
    order = []
    visit_l(g, 0, seen, order)
    return seen, order


def visit_a(g, u, seen):
    seen[u] = True
    for v in range(len(g)):
        if g[u][v] and not seen[v]:
            visit_a(g, v, seen)


@case(GRAPH)
def dfs_array_args(g):
    seen = np.zeros(len(g), bool)
    visit_a(g, 0, seen)
    return seen


def part(a, lo, hi):
    p = a[hi]
    i = lo - 1
    for j in range(lo, hi):
        if a[j] <= p:
            i += 1
            a[i], a[j] = a[j], a[i]
    a[i + 1], a[hi] = a[hi], a[i + 1]
    return i + 1


def qs(a, lo, hi):
    if lo < hi:
        m = part(a, lo, hi)
        qs(a, lo, m - 1)
        qs(a, m + 1, hi)


@case(of(12))
def quicksort_args(a):
    a = a.copy()
    qs(a, 0, len(a) - 1)
    return a


@case(of(12))
def quicksort_list_args(a):
    a = list(a)
    qs(a, 0, len(a) - 1)
    return a


@case(of(12))
def quicksort_in_place(a):
    qs(a, 0, len(a) - 1)
    return a


@case(EDGES, 7)
def union_find(edges, n):
    parent = list(range(n))

    def find(x):
        if parent[x] != x:
            parent[x] = find(parent[x])
        return parent[x]

    for u, v in edges:
        parent[find(u)] = find(v)
    return parent


@case(EDGES, 7)
def union_find_arg(edges, n):
    parent = np.arange(n)

    def find(p, x):
        if p[x] != x:
            p[x] = find(p, p[x])
        return p[x]

    for u, v in edges:
        parent[find(parent, u)] = find(parent, v)
    return parent


class UF:
    def __init__(self, n):
        self.p = list(range(n))
        self.n = 0

    def find(self, x):
        self.n += 1
        if self.p[x] != x:
            self.p[x] = self.find(self.p[x])
        return self.p[x]

    def join(self, a, b):
        self.p[self.find(a)] = self.find(b)


@case(EDGES, 7)
def union_find_class(edges, n):
    u = UF(n)
    for a, b in edges:
        u.join(a, b)
    return u.p, u.n


@case(np.int64(6))
def counter(n):
    count = 0

    def hanoi(n):
        nonlocal count
        if n == 0:
            return
        hanoi(n - 1)
        count += 1
        hanoi(n - 1)

    hanoi(n)
    return count


@case(np.int64(4))
def hanoi_moves(n):
    moves = []

    def h(n, a, b, c):
        if n == 0:
            return
        h(n - 1, a, c, b)
        moves.append(a * 10 + c)
        h(n - 1, b, a, c)

    h(n, 0, 1, 2)
    return moves


@case(GRID)
def flood(grid):
    grid = grid.copy()

    def fill(r, c):
        if r < 0 or c < 0 or r >= grid.shape[0] or c >= grid.shape[1] or grid[r, c] != 1:
            return
        grid[r, c] = 2
        for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
            fill(r + dr, c + dc)

    n = 0
    for r in range(grid.shape[0]):
        for c in range(grid.shape[1]):
            if grid[r, c] == 1:
                fill(r, c)
                n += 1
    return n, grid


@case(GRID)
def island_area(grid):
    seen = np.zeros(grid.shape, bool)

    def area(r, c):
        if not (0 <= r < grid.shape[0] and 0 <= c < grid.shape[1]):
            return 0
        if seen[r, c] or grid[r, c] == 0:
            return 0
        seen[r, c] = True
        return 1 + area(r + 1, c) + area(r - 1, c) + area(r, c + 1) + area(r, c - 1)

    return max(area(r, c) for r in range(grid.shape[0]) for c in range(grid.shape[1]))


@case(np.array(5))
def queens(n):
    cols, d1, d2 = np.zeros(n, bool), np.zeros(2 * n, bool), np.zeros(2 * n, bool)

    def place(r):
        if r == n:
            return 1
        t = 0
        for c in range(n):
            if not (cols[c] or d1[r + c] or d2[r - c + n]):
                cols[c] = d1[r + c] = d2[r - c + n] = True
                t += place(r + 1)
                cols[c] = d1[r + c] = d2[r - c + n] = False
        return t

    return place(0)


@case(np.array([3, 34, 4, 12, 5, 2]), 9)
def subsets(a, t):
    found = []

    def go(i, s):
        if s == t:
            found.append(i)
        if i == len(a) or s > t:
            return
        go(i + 1, s + a[i])
        go(i + 1, s)

    go(0, 0)
    return found


@case(np.int64(12))
def fib_memo(n):
    memo = np.zeros(20, int)
    calls = 0

    def fib(n):
        nonlocal calls
        calls += 1
        if n < 2:
            return n
        if memo[n] == 0:
            memo[n] = fib(n - 1) + fib(n - 2)
        return memo[n]

    r = fib(n)
    return r, memo, calls


def fibm(n, memo):
    if n < 2:
        return n
    if memo[n] != -1:
        return memo[n]
    memo[n] = fibm(n - 1, memo) + fibm(n - 2, memo)
    return memo[n]


@case(np.int64(12))
def fib_memo_arg(n):
    memo = [-1] * 20
    return fibm(n, memo), memo


@case(of(10))
def mergesort_in_place(a):
    def ms(lo, hi):
        if hi - lo < 2:
            return
        m = (lo + hi) // 2
        ms(lo, m)
        ms(m, hi)
        t = a[lo:hi].copy()
        i, j = 0, m - lo
        for k in range(lo, hi):
            if j >= hi - lo or (i < m - lo and t[i] <= t[j]):
                a[k] = t[i]
                i += 1
            else:
                a[k] = t[j]
                j += 1

    ms(0, len(a))
    return a


@case(of(10))
def build_segtree(a):
    t = [0] * (4 * len(a))

    def build(node, l, r):
        if l == r:
            t[node] = a[l]
            return
        m = (l + r) // 2
        build(2 * node, l, m)
        build(2 * node + 1, m + 1, r)
        t[node] = t[2 * node] + t[2 * node + 1]

    def query(node, l, r, x, y):
        if y < l or r < x:
            return 0
        if x <= l and r <= y:
            return t[node]
        m = (l + r) // 2
        return query(2 * node, l, m, x, y) + query(2 * node + 1, m + 1, r, x, y)

    build(1, 0, len(a) - 1)
    return [query(1, 0, len(a) - 1, x, x + 3) for x in range(5)]


@case(GRAPH)
def topo(g):
    n = len(g)
    state = [0] * n
    order = []
    cyc = [False]

    def go(u):
        if state[u] == 1:
            cyc[0] = True
            return
        if state[u] == 2:
            return
        state[u] = 1
        for v in range(n):
            if g[u][v]:
                go(v)
        state[u] = 2
        order.append(u)

    for u in range(n):
        go(u)
    return order, cyc


@case(np.array([1, 2, 3]))
def permute(a):
    a = list(a)
    out = []

    def go(k):
        if k == len(a):
            out.append(a[0] * 100 + a[1] * 10 + a[2])
            return
        for i in range(k, len(a)):
            a[k], a[i] = a[i], a[k]
            go(k + 1)
            a[k], a[i] = a[i], a[k]

    go(0)
    return out


@case(np.int64(5))
def two_counters(n):
    log = {"a": 0, "b": 0}

    def even(k):
        log["a"] += 1
        if k == 0:
            return True
        return odd(k - 1)

    def odd(k):
        log["b"] += 2
        if k == 0:
            return False
        return even(k - 1)

    return even(n), log


@case(np.int64(8), np.int64(3))
def ack(m, n):
    depth = [0, 0]

    def a(m, n):
        depth[0] += 1
        if m == 0:
            return n + 1
        if n == 0:
            return a(m - 1, 1)
        return a(m - 1, a(m, n - 1))

    return a(m % 3, n), depth


@case(np.array([5, 3, 8, 1]))
def best_none(a):
    best = None

    def go(i, s):
        nonlocal best
        if i == len(a):
            if best is None or s > best:
                best = s
            return
        go(i + 1, s + a[i])
        go(i + 1, s - a[i])

    go(0, 0)
    return best


@case(np.array([5, 3, 8, 1]))
def best_num(a):
    best = -(10**9)

    def go(i, s):
        nonlocal best
        if i == len(a):
            best = max(best, s)
            return
        go(i + 1, s + a[i])
        go(i + 1, s - a[i])

    go(0, 0)
    return best


@case(np.array([2, 3, 6, 7]), 7)
def combination_sum(a, t):
    path = []
    out = []

    def go(i, left):
        if left == 0:
            out.append(len(path))
            return
        if left < 0 or i == len(a):
            return
        path.append(a[i])
        go(i, left - a[i])
        path.pop()
        go(i + 1, left)

    go(0, t)
    return out, path


@case(np.array([2, 3, 6, 7]), np.int64(7))
def combination_products(a, t):
    path = []
    out = []

    def go(i, left):
        if left == 0:
            p = 1
            for v in path:
                p *= v
            out.append(p)
            return
        if left < 0 or i == len(a):
            return
        path.append(a[i])
        go(i, left - a[i])
        path.pop()
        go(i + 1, left)

    go(0, t)
    return out, path


class Node:
    def __init__(self, v, l=None, r=None):
        self.v, self.l, self.r, self.seen = v, l, r, 0


@case(np.int64(5))
def tree_objects(x):
    t = Node(4, Node(2, Node(1), Node(3)), Node(6))
    count = 0

    def find(n):
        nonlocal count
        count += 1
        if n is None:
            return False
        n.seen = 1
        if x == n.v:
            return True
        if x < n.v:
            return find(n.l)
        return find(n.r)

    return find(t), count, t.seen, t.l.seen, t.r.seen


@case(of((5, 5), 2))
def flood_table(g):
    grid = [list(row) for row in g]

    def fill(r, c):
        if not (0 <= r < 5 and 0 <= c < 5) or grid[r][c] != 1:
            return 0
        grid[r][c] = 2
        return 1 + fill(r + 1, c) + fill(r - 1, c) + fill(r, c + 1) + fill(r, c - 1)

    s = [fill(r, c) for r in range(5) for c in range(5)]
    return s, grid


@case(np.int64(3))
def errors(n):
    log = np.zeros(5)

    def go(k):
        log[k] = k
        if k == 4:
            raise ValueError("four")
        if k == 0:
            return 0
        return go(k - 1)

    return go(n), log


@case(np.int64(4))
def errors2(n):
    log = np.zeros(6)

    def go(k):
        log[k] = k
        if k == 5:
            raise ValueError("five")
        if k == 0:
            return 0
        return go(k - 1)

    return go(n) + go(n - 1), log


@case(np.int64(5), np.zeros(8))
def caller(n, a):
    def go(k):
        a[k] += 1
        if k > 0:
            go(k - 1)
            go(k - 2 if k > 1 else 0)

    go(n)
    return a.sum()


@case(np.int64(5), [0, 0, 0, 0, 0, 0, 0])
def callers_list(n, a):
    def go(k):
        a[k] += 1
        if k > 0:
            go(k - 1)
            go(k - 2 if k > 1 else 0)

    go(n)
    return sum(a)


def go_list(k, a):
    a[k] += 1
    if k > 0:
        go_list(k - 1, a)
        go_list(k - 2 if k > 1 else 0, a)


@case(np.int64(5), [0, 0, 0, 0, 0, 0, 0])
def callers_list_arg(n, a):
    go_list(n, a)
    return sum(a)


@case(np.int64(5))
def returns_it(n):
    a = np.zeros(7)

    def go(k):
        a[k] = k
        if k == 0:
            return a
        return go(k - 1)

    r = go(n)
    r[6] = 9
    return a, r


@case(np.int64(5))
def returns_list(n):
    a = []

    def go(k):
        a.append(k)
        if k == 0:
            return a
        return go(k - 1)

    r = go(n)
    r.append(100)
    return a, r


def acc(k, out=None):
    if out is None:
        out = []
    if k == 0:
        return out
    out.append(k)
    return acc(k - 1, out)


@case(np.int64(5))
def default_list(n):
    return acc(n)


def ret_new(k):
    if k == 0:
        return []
    return ret_new(k - 1) + [k]


@case(np.int64(5))
def new_lists(n):
    return ret_new(n)


T = 0


def glob(k):
    global T
    T += k
    if k > 0:
        glob(k - 1)


@case(np.int64(5))
def global_total(n):
    global T
    T = 0
    glob(n)
    r = T
    T = 0
    return r


@case(np.int64(4), np.int64(3))
def two_functions(n, m):
    a = np.zeros(10, int)

    def f(k):
        a[k] += 1
        if k > 0:
            g(k - 1)
            f(k - 1)

    def g(k):
        a[k] += 10
        if k > 0:
            g(k - 1)

    f(n)
    g(m)
    return a


@case(np.int64(4))
def in_loop(n):
    a = [0, 0, 0, 0, 0, 0]
    tot = 0

    def f(k):
        nonlocal tot
        tot += 1
        if k <= 0:
            return
        a[k] += 1
        f(k - 1)

    for i in range(n):
        f(i)
        tot += 100
    return a, tot


@case(np.int64(4))
def while_inside(n):
    order = []

    def f(k):
        i = k
        while i > 0:
            f(i - 1)
            order.append(i)
            i -= 2

    f(n)
    return order


@case(np.array([3, 1, 2]))
def rebinding(a):
    cur = a

    def f(k):
        nonlocal cur
        if k == 0:
            return
        cur = cur + 1
        f(k - 1)

    f(a[0])
    return cur


@case(np.int64(3))
def object_state(n):
    class C:
        pass

    c = C()
    c.n = 0
    c.items = []

    def f(k):
        c.n += k
        c.items.append(k)
        if k:
            f(k - 1)
            f(k - 1)

    f(n)
    return c.n, c.items


@case(np.int64(3))
def dict_state(n):
    d = {"x": 0, "l": []}

    def f(k, **kw):
        d["x"] += kw["by"]
        d["l"].append(k)
        if k:
            f(k - 1, by=kw["by"] + 1)

    f(n, by=1)
    return d


@case(np.int64(6))
def swap_buffers(n):
    a = np.arange(8)
    b = np.zeros(8, int)

    def f(x, y, k):
        if k == 0:
            return x[0]
        y[0] = x[0] + 1
        return f(y, x, k - 1)

    return f(a, b, n), a, b


@case(np.array([4, 2, 5, 1]))
def part_views(a):
    def f(x):
        if len(x) == 1:
            return x[0]
        x[0] += 1
        return f(x[1:]) + x[0]

    return f(a), a


@case(np.array([4.0, 2.0, 5.0, 1.0]), np.int64(2))
def view_args(a, n):
    def f(x, k):
        x[0] += 1
        if k == 0:
            return x.sum()
        return f(x, k - 1)

    return f(a[1:], n), a


@case(np.int64(5))
def closure_made_in(n):
    def outer(k):
        cnt = [0]

        def inner(j):
            cnt[0] += 1
            if j > 0:
                inner(j - 1)

        inner(k)
        return cnt[0]

    return outer(n) + outer(n - 2)


@case(np.int64(3))
def tri(n):
    log = []

    def a(k):
        log.append(1 + 10 * k)
        if k > 0:
            b(k - 1)

    def b(k):
        log.append(2 + 10 * k)
        if k > 0:
            c(k - 1)

    def c(k):
        log.append(3 + 10 * k)
        if k > 0:
            a(k - 1)

    a(n)
    return log


@case(np.int64(3))
def set_state(n):
    seen = set()

    def f(k, d):
        seen.add(d)
        if k > 0 and d < 5:
            f(k - 1, d + 1)

    f(n, 0)
    return sorted(seen)


@case(np.int64(3))
def exchanged(n):
    t = [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [1, 1, 1, 1, 1]]

    def f(k):
        t[k][0], t[k - 1][1] = t[k - 1][1], t[k][0] + 5
        t[k - 1], t[k - 2] = t[k - 2], t[k - 1]
        if k > 0:
            f(k - 1)

    f(n - 1)
    return t


@case(np.int64(3), np.int64(4))
def mixed_types(n, m):
    v = 0

    def f(k):
        nonlocal v
        v = v + 0.5
        if k > 0:
            f(k - 1)

    f(n)
    return v


@case(np.int64(3))
def flips(n):
    ok = True

    def f(k):
        nonlocal ok
        ok = not ok
        if k > 0:
            f(k - 1)

    f(n)
    return ok


@case(np.int64(3))
def unbound(n):
    def f(k):
        nonlocal z
        if k == 0:
            z = 7
            return
        f(k - 1)

    z = 1
    del z
    f(n)
    return z


@case(np.int64(3))
def text(n):
    s = ""

    def f(k):
        nonlocal s
        s = s + "a"
        if k > 0:
            f(k - 1)

    f(n)
    return s


class Obj:
    pass


@case(np.int64(3))
def list_that_has_another_name(n):
    stack = []
    saved = stack

    def f(n):
        nonlocal stack
        if n <= 0:
            return
        stack = stack + [n]
        f(n - 1)

    f(n)
    return stack, saved


@case(np.int64(3))
def lists_exchanged(n):
    l = [0]
    m = [1]

    def f(n):
        nonlocal l, m
        if n <= 0:
            return
        l, m = m, l
        f(n - 1)

    f(n)
    return l, m


@case(np.int64(3))
def elements_exchanged(n):
    rows = [[0], [1]]

    def f(n):
        if n <= 0:
            return
        rows[0], rows[1] = rows[1], rows[0]
        f(n - 1)

    f(n)
    return rows


@case(np.int64(3))
def items_exchanged(n):
    d = {"x": [0], "y": [1]}

    def f(n):
        if n <= 0:
            return
        d["x"], d["y"] = d["y"], d["x"]
        f(n - 1)

    f(n)
    return d


@case(np.int64(3))
def tuple_turned(n):
    t = ([0], [1])

    def f(n):
        nonlocal t
        if n <= 0:
            return
        t = (t[1], t[0])
        f(n - 1)

    f(n)
    return t


@case(np.int64(3))
def another_list_by_name(n):
    l = [0]
    m = [5]
    c = l

    def f(n):
        nonlocal c
        if n <= 0:
            return
        c = m
        f(n - 1)

    f(n)
    c.append(7)
    return l, m, c


@case(np.int64(3))
def kept_and_restored(n):
    stack = []
    out = []

    def f(i):
        nonlocal stack
        if i <= 0:
            return
        saved = stack
        stack = stack + [i]
        out.append(len(stack))
        f(i - 1)
        stack = saved
        f(i - 2)

    f(n)
    return stack, out


@case(np.int64(3))
def buffer_that_is_replaced(n):
    buf = []

    def f(n):
        nonlocal buf
        if n <= 0:
            return
        buf.append(n)
        if n % 2 == 0:
            buf = []
        f(n - 1)

    f(n)
    return buf


@case(np.int64(3))
def objects_exchanged(n):
    p = Obj()
    p.k = 1
    q = Obj()
    q.k = 2

    def f(n):
        nonlocal p, q
        if n <= 0:
            return
        p, q = q, p
        p.k += n
        f(n - 1)

    f(n)
    return p.k, q.k


@case(np.int64(3))
def attribute_replaced_and_read(n):
    o = Obj()
    o.items = [0]
    o.n = 0

    def f(i):
        if i <= 0:
            return
        o.items = [i]
        o.n += o.items[0]
        f(i - 1)

    f(n)
    return o.items, o.n


@case(np.int64(3))
def old_and_new_list(n):
    l = [0]
    m = l

    def f(n):
        nonlocal l
        if n <= 0:
            return
        l = l + [n]
        m.append(n)
        f(n - 1)

    f(n)
    return l, m


@case(np.int64(3))
def one_of_two_lists(n):
    l = [1]
    m = [2]

    def f(n):
        if n <= 0:
            return
        c = m if n % 2 == 0 else l
        c[0] += n
        f(n - 1)

    f(n)
    return l, m


@case(np.int64(3))
def best_is_current(n):
    cur = [0, 0, 0, 0]
    best = cur

    def f(i):
        nonlocal best
        if i <= 0:
            best = cur
            return
        cur[i] = i
        f(i - 1)

    f(n)
    return best, cur


@case(np.int64(3))
def attribute_replaced(n):
    o = Obj()
    o.items = [0]

    def f(i):
        if i <= 0:
            return
        o.items = [i]
        f(i - 1)

    f(n)
    return o.items


@case(np.int64(3))
def element_replaced(n):
    o = [1, [2]]

    def f(i):
        if i <= 0:
            return
        o[1] = [i]
        f(i - 1)

    f(n)
    return o


@case(np.int64(3))
def row_replaced(n):
    t = [[0]]

    def f(i):
        if i <= 0:
            return
        t[0] = t[0] + [i]
        f(i - 1)

    f(n)
    return t


class Meth:
    def __init__(self):
        self.l = []

    def go(self, n):
        if n <= 0:
            return
        self.l = self.l + [n]
        self.go(n - 1)


@case(np.int64(3))
def method_that_replaces(n):
    m = Meth()
    m.go(n)
    return m.l


@case(np.int64(3))
def always_raises(n):
    def f(n):
        if n <= 0:
            raise ValueError("deep")
        f(n - 1)

    f(n)


@case(np.int64(0))
def raises_where_not_called(n):
    def f(n):
        if n <= 0:
            raise ValueError("deep")
        return 1 + f(n - 1)

    if n > 1:
        return f(n)
    return 0


@case(np.array([[1, 0, 0], [0, 0, 1], [0, 1, 0]]))
def solved_square(g):
    n = len(g)

    def ok(r, c, v):
        for i in range(n):
            if g[r, i] == v or g[i, c] == v:
                return False
        return True

    def solve(p):
        if p == n * n:
            return True
        r = p // n
        c = p % n
        if g[r, c] != 0:
            return solve(p + 1)
        for v in range(1, n + 1):
            if ok(r, c, v):
                g[r, c] = v
                if solve(p + 1):
                    return True
                g[r, c] = 0
        return False

    return solve(0)


@case(np.int64(3))
def array_returned(n):
    def f(n):
        if n <= 0:
            return np.zeros(5)
        r = f(n - 1)
        r[n] += n
        return r

    a = f(n)
    a[0] = 7
    return a


@case(np.int64(3))
def grid_of_lists(n):
    g = [[0] * 3 for _ in range(3)]

    def f(r, c):
        if r < 0 or c < 0:
            return
        g[r][c] += 1
        f(r - 1, c)
        f(r, c - 1)

    f(n - 1, n - 2)
    return g


@case(np.int64(3))
def default_that_is_read(n, acc=None):
    def f(n, acc=[]):  # noqa: B006
        if n <= 0:
            return len(acc)
        return f(n - 1, acc) + 1

    return f(n)


@case(np.int64(4))
def accumulated(n):
    def f(x, acc):
        return acc if x <= 0 else f(x - 1, acc + [x])

    return f(n, [])


@case(np.int64(4))
def accumulated_in_two_ways(n):
    def f(x, acc):
        if x <= 0:
            return acc
        if x % 2 == 0:
            return f(x - 1, acc + [x])
        return f(x - 2, [x] + acc)

    return f(n, [1, 2])


@case(np.int64(4))
def accumulated_and_summed(n):
    def f(x, acc):
        if x <= 0:
            return len(acc)
        return f(x - 1, acc + [x]) + sum(acc)

    return f(n, [])


@case(np.int64(4))
def accumulated_twice(n):
    l = [7]

    def f(x, acc):
        return acc if x <= 0 else f(x - 1, acc + [x])

    r = f(n, l)
    r2 = f(n - 4, l)
    return r, r2, l


@case(np.int64(3))
def assertion_ends_it(n):
    def f(n):
        assert n > 0, "none left"
        return 1 + f(n - 1)

    return f(n)


@case(np.int64(3))
def given_back_and_written(n):
    l = [1, 2]

    def f(x, p):
        return p if x <= 0 else f(x - 1, [p[1], p[0]])

    r = f(n - 3, l)
    r[0] = 9
    return r, l


@case(np.int64(3))
def given_back_and_the_given_written(n):
    l = [1, 2]

    def f(x, p):
        return p if x <= 0 else f(x - 1, [p[1], p[0]])

    r = f(n - 3, l)
    l[0] = 9
    return r, l


@case(np.int64(3))
def dictionary_given_back(n):
    l = {"a": 1}

    def f(x, p):
        return p if x <= 0 else f(x - 1, {"a": p["a"] + 1})

    r = f(n - 3, l)
    l["a"] = 9
    return r, l


@case(np.int64(3))
def array_given_back(n):
    a = np.zeros(3)

    def f(x, p):
        return p if x <= 0 else f(x - 1, p + 1)

    r = f(n - 3, a)
    a[0] = 9
    return r, a


@case(np.int64(3))
def new_lists_extended(n):
    l = [1, 2]

    def f(x, p):
        if x <= 0:
            return 0
        q = p
        q.append(x)
        return f(x - 1, [p[1], p[0]]) + len(p)

    r = f(n, l)
    return r, l


@case(np.int64(3))
def new_lists_written(n):
    l = [1, 2]

    def f(x, p):
        if x <= 0:
            return 0
        p[0] += x
        return f(x - 1, p[:]) + p[0]

    r = f(n, l)
    return r, l


@case(np.int64(3))
def given_back_or_new(n):
    l = [1, 2]

    def f(x, p):
        return p if x <= 0 else f(x - 1, [p[1], p[0]])

    r = f(n, l)
    return r, l


@case(np.int64(3), np.arange(3.0))
def array_given_back_and_the_given_written(n, a):
    def f(x, p):
        return p if x <= 0 else f(x - 1, p + 1)

    r = f(n - 3, a)
    a[0] = 9
    return r, a


@case(np.int64(3), np.arange(3.0))
def view_given_back(n, a):
    def f(x, p):
        return p[1:] if x <= 0 else f(x - 1, p + 1)

    r = f(n - 3, a)
    r[0] = 9
    return r, a


@case(np.int64(3), np.arange(3.0))
def array_given_back_as_a_copy(n, a):
    def f(x, p):
        return p + 0 if x <= 0 else f(x - 1, p + 1)

    r = f(n - 3, a)
    r[0] = 9
    a[1] = 7
    return r, a


@case(np.int64(3), np.arange(3.0))
def array_given_back_in_a_tuple(n, a):
    def f(x, p):
        return (p, x) if x <= 0 else f(x - 1, p + 1)

    r = f(n - 3, a)
    r[0][0] = 9
    return r, a
