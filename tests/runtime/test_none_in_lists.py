"""Elements of lists, values of dictionaries and attributes that may be None, or have such parts, as a graph decides."""

from collections import deque

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.exactly import difference


def grown(a):
    l = [None] * 3
    if a[0] > 2:
        l.append(7)
    return l


def numbers(a):
    out = []
    for x in a:
        out.append(x if x > 2 else None)
    return out


def pairs(a):
    out = []
    for x in a.tolist():
        out.append((x, 2 * x) if x > 2 else None)
    return out


def values(a):
    came = {0: None}
    for x in a.tolist():
        if x not in came:
            came[x] = x - 1
    return came


def came_from(a):
    came = {(0, 0): None}
    cur = (0, 0)
    for x in a.tolist():
        nxt = (x, x + 1)
        if nxt not in came:
            came[nxt] = cur
        cur = nxt
    path = []
    while cur is not None:
        path.append(cur)
        cur = came[cur]
    return path, came


GRID = np.zeros((5, 5), int)
GRID[1, :4] = 1
GRID[3, 1:] = 1


def known_length(a):
    l = [None] * len(a)
    for i in range(len(a)):
        if a[i] > 2:
            l[i] = int(a[i])
    return l, sum(x for x in l if x is not None), l.count(None)


def all_none(a):
    d = {}
    for x in a.tolist():
        d[x] = None
    return d


def arrays(a):
    out = []
    for x in a:
        out.append(np.array([x, x]) if x > 2 else None)
    return [o.sum() if o is not None else -1 for o in out]


def in_tuples(a):
    out = []
    for x in a.tolist():
        out.append((x, None if x > 2 else x * 1.5))
    return out


def stack(a):
    st = [(0, None)]
    for x in a.tolist():
        st.append((x, st[-1][0]))
    last = st.pop()
    return last, st, last[1] is None, st[0][1] is None


def texts(a):
    out = []
    for x in a.tolist():
        out.append("a" if x > 2 else None)
    return out


def asked(a):
    l = [1, 2]
    if a[0] > 2:
        l.append(None)
    n = 0
    for v in l:
        if v is None:
            n += 100
        else:
            n += v
    return l, n, None in l


def numbers_later(a):
    d = {}
    for x in a.tolist():
        d[x] = None
    for x in a.tolist():
        if x > 3:
            d[x] = x * 2
    return d


def pairs_later(a):
    d = {}
    for x in a.tolist():
        d[x] = None
    for x in a.tolist():
        if x > 3:
            d[x] = (x, 1.5)
    return d


def queue(a):
    q = deque()
    for x in a.tolist():
        q.append(None if x < 2 else x)
        if len(q) > 3:
            q.popleft()
    return list(q), q[0] is None


def only_none(a):
    l = []
    for x in a[a > 1]:
        l.append(None)
    return l, len(l)


def put_in_place(a):
    l = [None, None]
    for x in a.tolist():
        if x > 2:
            l.append(x)
    l[0] = 5
    return l


def on_either_side(a):
    l = []
    for x in a.tolist():
        if x > 2:
            l.append((x, None))
        else:
            l.append((None, x))
    return l, [p for p, _ in l if p is not None]


def linked(a):
    prev = {}
    last = None
    for x in a.tolist():
        prev[x] = last
        last = x
    out = []
    k = last
    while k is not None and len(out) < 9:
        out.append(k)
        k = prev[k]
        if k in out:
            break
    return out, prev


def asked_for(a):
    d = {}
    for x in a.tolist():
        if d.get(x) is None:
            d[x] = 0
        d[x] += 1
    return d


def memo(a):
    memo = {}
    for x in a.tolist():
        memo[x] = None if x % 2 else x / 2
    return [memo[x] for x in a.tolist()], [memo.get(k) for k in range(3)]


def open_addressing(a):
    l = [None] * 4
    for x in a.tolist():
        i = x % 4
        while l[i] is not None and l[i] != x:
            i = (i + 1) % 4
            if i == x % 4:
                break
        l[i] = x
    return l


def least_and_most(a):
    best = [None, None]
    for x in a.tolist():
        if best[0] is None or x < best[0]:
            best[0] = x
        if best[1] is None or x > best[1]:
            best[1] = x
    return best


def copied(a):
    l = [1, None, 3]
    if a[0] > 2:
        l.append(4)
    m = l[:]
    m.reverse()
    l.insert(1, None)
    return l, m, l == m, l.index(None)


def in_dictionaries(a):
    t = []
    for x in a.tolist():
        t.append({"v": x, "next": None if x > 2 else x + 1})
    return t


def taken_out(a):
    l = [None]
    if a[0] > 2:
        l.append(3)
    return sorted([v for v in l if v is not None]), np.array([v for v in l if v is not None], int)


def of_several_types(a):
    l = [1.5, None]
    if a[0] > 2:
        l.append(None)
        l.append(2)
    return l, [v is None for v in l], l.count(None)


def path(grid, start, goal):
    h, w = grid.shape
    came = {start: None}
    q = deque([start])
    while q:
        r, c = q.popleft()
        if (r, c) == goal:
            break
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            n = (r + dr, c + dc)
            if 0 <= n[0] < h and 0 <= n[1] < w and grid[n] == 0 and n not in came:
                came[n] = (r, c)
                q.append(n)
    if goal not in came:
        return None
    path = []
    cur = goal
    while cur is not None:
        path.append(cur)
        cur = came[cur]
    return path[::-1]


def arrays_later(a):
    slots = []
    for _ in a:
        slots.append(None)
    for k, x in enumerate(a):
        if x > 2:
            slots[k] = np.arange(3) * x
    return slots


def texts_later(a):
    slots = []
    for _ in a:
        slots.append((0, None))
    for k, x in enumerate(a):
        if x > 2:
            slots[k] = (k, f"{x}")
    return slots


class Entry:
    __slots__ = ("key", "value", "pair", "row", "text")

    def __init__(self, key, value=None):
        self.key, self.value = key, value
        self.pair = self.row = self.text = None

    def held(self):
        return self.key, self.value, self.pair, self.row, self.text


def counted_entries(a):
    entries = []
    for k in a:
        for entry in entries:
            if entry.key == k:
                entry.value = 2 if entry.value is None else entry.value + 1
                break
        else:
            entries.append(Entry(k))
    return [entry.held() for entry in entries]


def given_or_not(a):
    entries = []
    for k in a:
        entries.append(Entry(k, None if k > 2 else int(k)))
    return sum([entry.value for entry in entries if entry.value is not None]), [e.value is None for e in entries]


def set_and_taken_away(a):
    entries = [Entry(k, float(k)) for k in a]
    entries.append(Entry(a[0], 0.5))
    for entry in entries:
        if entry.key > 2:
            entry.value = None
    return [entry.held() for entry in entries]


def of_every_kind(a):
    entries = []
    for k in a:
        entries.append(Entry(k))
    for entry in entries:
        if entry.key > 2:
            entry.pair = (int(entry.key), 0.5)
        elif entry.key > 1:
            entry.text = f"{entry.key}"
        else:
            entry.row = np.arange(3) * entry.key
    return [entry.held() for entry in entries]


def symbols_of_leaves(a):
    nodes = []
    for k in a:
        nodes.append(Entry(int(k), int(k)))
    while len(nodes) > 1:
        nodes.sort(key=lambda node: node.key)
        one, other = nodes.pop(0), nodes.pop(0)
        nodes.append(Entry(one.key + other.key))
    return nodes[0].held()


PROGRAMS = [
    grown, numbers, pairs, values, came_from, known_length, all_none, arrays, in_tuples, stack, texts, asked,
    numbers_later, pairs_later, queue, only_none, put_in_place, on_either_side, linked, asked_for, memo,
    open_addressing, least_and_most, copied, in_dictionaries, taken_out, of_several_types,
    arrays_later, texts_later, counted_entries, given_or_not, set_and_taken_away, of_every_kind, symbols_of_leaves,
]  # fmt: skip
INPUTS = [np.array([3, 1, 4, 1, 5]), np.array([2, 7]), np.array([9])]


def differs(mine, wanted):
    if isinstance(wanted, dict) and type(mine) is dict:
        return differs([*mine.items()], [*wanted.items()])
    if wanted is None or isinstance(wanted, str):
        return "" if mine == wanted else f"{mine!r}, not {wanted!r}"
    if isinstance(wanted, list | tuple) and type(mine) is type(wanted) and len(mine) == len(wanted):
        return next(filter(None, map(differs, mine, wanted)), "")
    return difference(mine, wanted)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_none_stays_none(program, jit_compile):
    f = runtime.function(program, numpy=True, jit_compile=jit_compile)
    for a in INPUTS:
        assert not differs(f(a), program(a))


WALLS = np.zeros((5, 5), int)
WALLS[1, :4] = WALLS[3, 1:] = 1


@pytest.mark.parametrize("grid", [WALLS, np.zeros((3, 3), int), np.array([[0, 1], [1, 0]])], ids=str)
def test_a_path_is_found_by_where_it_came_from(grid):
    f = runtime.function(path, numpy=True)
    for start, goal in [((0, 0), (len(grid) - 1, len(grid) - 1)), ((0, 0), (0, 0))]:
        assert f(grid, start, goal) == path(grid, start, goal)


@pytest.mark.parametrize("taken", [np.array, sorted])
def test_what_may_be_none_is_no_array_and_not_put_in_order(taken):
    @runtime.function(numpy=True)
    def f(a):
        items = [None]
        if a[0] > 2:
            items.append(3)
        return taken(items)

    refused = (StagingError, runtime.errors.InvalidArgumentError)
    with pytest.raises(refused, match=r"Take those elements that are not \(`\[v for v in items if v is not None\]"):
        f(INPUTS[0])


def chosen(x):
    found = []
    for v in x:
        best, at = -1.5, None
        for k in (1, 2):
            if v * k > best:
                best, at = v * k, k
        found.append(at)
    return np.array(found), np.mean(np.array(found) == 2)


def test_an_array_is_made_of_what_may_be_none_and_is_not():
    graph = runtime.function(chosen, numpy=True)
    for x in (np.array([3, 1, 2, 0]), np.array([5])):
        assert repr(graph(x)) == repr(chosen(x))
    with pytest.raises(runtime.errors.InvalidArgumentError, match="'found' holds None, as only the graph finds"):
        graph(np.array([-9, 1]))
