"""Objects that the graph makes, and puts into lists and dictionaries of which only it knows how long they are."""

import heapq
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.exactly import outcome, unlike

RNG = np.random.default_rng(3)
XS = RNG.normal(size=30).round(2)
NS = RNG.integers(0, 6, size=30)
PAIRS = RNG.integers(0, 7, size=(20, 2))
EDGES = np.concatenate([PAIRS, RNG.integers(1, 9, size=(20, 1))], axis=1)


@dataclass
class Particle:
    x: float
    v: float = 0.0


@dataclass(order=True)
class Job:
    cost: float
    number: int = field(compare=False)
    steps: list = field(default_factory=list, compare=False)


@dataclass(frozen=True)
class Cell:
    row: int
    column: int


class Point(NamedTuple):
    x: int
    y: int


class Node:
    kind = "node"

    def __init__(self, value, depth=0):
        self.value, self.depth, self.children = value, depth, []

    @property
    def weight(self):
        return self.value * 2 + self.depth

    def add(self, value):
        made = Node(value, self.depth + 1)
        self.children.append(made)
        return made

    @classmethod
    def root(cls):
        return cls(0)


class Leaf(Node):
    def __init__(self, value):
        super().__init__(value)
        self.tag = len(self.kind)


class Slotted:
    __slots__ = ("count", "total")

    def __init__(self):
        self.count, self.total = 0, 0.0

    def add(self, x):
        self.count += 1
        self.total += x

    def mean(self):
        return self.total / self.count if self.count else 0.0


class Vector:
    def __init__(self, x, y):
        self.x, self.y = x, y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __len__(self):
        return 2

    def __getitem__(self, index):
        return self.x if index == 0 else self.y

    def __repr__(self):
        return f"Vector({self.x}, {self.y})"


class Urgent:
    def __init__(self, level, name):
        self.level, self.name = level, name

    def __lt__(self, other):
        return self.level > other.level


class Queue:
    def __init__(self):
        self.heap, self.count = [], 0

    def push(self, item, priority):
        heapq.heappush(self.heap, (priority, self.count, item))
        self.count += 1

    def pop(self):
        return heapq.heappop(self.heap)[-1]


class Grid:
    def __init__(self, size):
        self.cells, self.history = [0] * size, []

    def bump(self, at):
        self.cells[at] += 1
        self.history.append(at)


def positive(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(Particle(x))
    return found


def moved(xs):
    particles = positive(xs)
    for _ in range(3):
        for p in particles:
            p.v -= p.x * 0.5
            p.x += p.v
    return particles


def one_by_several_names(xs):
    particles = positive(xs)
    first, last, again = particles[0], particles[-1], particles[0]
    again.v = 5.0
    return first, first.v, first is again, first is last, particles.index(again), again in particles, [first, again]


def put_twice(xs):
    found, one = [], Particle(0.0)
    for x in xs:
        if x > 0:
            found.append(one)
            one.x += x
    return found, one, found[0] is found[1]


def also_in_a_variable(xs):
    best, particles = None, []
    for x in xs:
        if x > 0:
            p = Particle(x)
            particles.append(p)
            if best is None or p.x > best.x:
                best = p
    best.v = 1.0
    return particles, best


def kept_and_removed(xs):
    kept = [p for p in positive(xs) if p.x < 2]
    while len(kept) > 3:
        kept.remove(min(kept, key=lambda p: p.x))
    return kept, max(kept, key=lambda p: p.x)


def exchanged(xs):
    particles = positive(xs)
    for i in range(len(particles)):
        for j in range(len(particles) - 1 - i):
            if particles[j].x > particles[j + 1].x:
                particles[j], particles[j + 1] = particles[j + 1], particles[j]
    return particles


def pairs_of_objects(xs):
    particles = [Particle(float(x)) for x in xs[:8]]
    pairs = []
    for i, p in enumerate(particles):
        for q in particles[i + 1 :]:
            if abs(p.x - q.x) < 1:
                pairs.append((p, q))
    for p, q in pairs:
        p.v += 1
        q.v -= 1
    return particles, len(pairs)


def equal_or_not(xs):
    particles = [Particle(0.0)]
    for x in xs:
        if x > 0:
            particles.append(Particle(float(round(x))))
    return particles.count(Particle(1.0)), Particle(1.0) in particles, particles[0] == particles[1]


def jobs_in_a_heap(xs):
    heap = []
    for i, x in enumerate(xs):
        if x > -0.5:
            heapq.heappush(heap, Job(x, i))
            heap[0].steps.append(i)
    done = []
    while heap and len(done) < 5:
        job = heapq.heappop(heap)
        done.append((job.number, len(job.steps)))
    return done, sorted(heap)


def wrapped_heap(xs):
    queue = Queue()
    for i, x in enumerate(xs):
        if x > 0:
            queue.push(Node(i), x)
    return [queue.pop().value for _ in range(3)], queue.count


def ordered_by_themselves(xs):
    found = []
    for i, x in enumerate(xs):
        if x > 0:
            found.append(Urgent(round(x, 0), i))
    found.sort()
    return [u.name for u in found], [u.name for u in sorted(found, reverse=True)], min(found).name, max(found).name


def queue_of_nodes(ns):
    queue, total = deque([Node(int(ns[0]))]), 0
    while queue:
        node = queue.popleft()
        total += node.weight
        if node.depth < 3:
            queue.append(node.add(node.value + 1))
            if node.value % 2 == 0:
                queue.append(node.add(node.value * 2))
    return total


def tree(ns):
    nodes = [Node.root()]
    for i, n in enumerate(ns):
        nodes.append(nodes[n % len(nodes)].add(i))
    deepest = nodes[0]
    for node in nodes:
        if len(node.children) > len(deepest.children):
            deepest = node
    return nodes[0], deepest.value


def derived(xs):
    found = []
    for i, x in enumerate(xs):
        if x > 0:
            found.append(Leaf(i))
    total = 0
    for leaf in found:
        total += leaf.weight + leaf.tag
    return total, isinstance(found[0], Node), type(found[0]) is Leaf, found


def operators(xs):
    found = []
    for x in xs:
        if x > 0:
            found.append(Vector(float(x), 1.0))
    total = Vector(0.0, 0.0)
    for v in found:
        total = total + v
    return total, len(found[0]), found[1][0], f"{found[0]}"


def without_length(xs):
    return len(positive(xs)[0])


def assigned_though_frozen(ns):
    cells = []
    for n in ns:
        if n > 2:
            cells.append(Cell(int(n), 0))
    for cell in cells:
        cell.row = 5
    return cells


def raised_at_last(xs):
    particles = []
    for x in xs:
        if x > 0:
            particles.append(Particle(x, 1.0))
        if len(particles) > 3:
            raise ValueError(f"too many: {particles[-1].x:.3f}")
    return particles


def objects_with_lists(ns):
    grids = []
    for n in ns:
        if n > 2:
            grids.append(Grid(4))
        if grids:
            grids[-1].bump(int(n) % 4)
    return grids


def values_of_a_dictionary(ns, xs):
    known = {}
    for n, x in zip(ns, xs):
        n = int(n)
        if n not in known:
            known[n] = Slotted()
        known[n].add(float(x))
    return {n: one.mean() for n, one in known.items()}, known


def made_by_default(ns, xs):
    known = defaultdict(Slotted)
    for n, x in zip(ns, xs):
        known[int(n)].add(float(x))
    return max(known.values(), key=lambda one: one.total), dict(known)


def keys(ns):
    nodes, cells, points, seen = [Node(n) for n in ns[:6]], {}, {}, set()
    for i in range(29):
        cell = Cell(int(ns[i]), int(ns[i + 1]))
        cells[cell] = cells.get(cell, 0) + 1
        points[Point(int(ns[i]), int(ns[i + 1]))] = i
        seen.add(nodes[ns[i]])
    return cells, points, len(seen), nodes[ns[0]] in seen


def sets_in_a_dictionary(pairs):
    graph = defaultdict(set)
    for u, v in pairs:
        graph[u].add(v)
        graph[v].add(u)
    return dict(graph), [len(graph[u]) for u in sorted(graph)]


def components(pairs):
    graph = {}
    for u, v in pairs:
        u, v = int(u), int(v)
        if u not in graph:
            graph[u] = set()
        if v not in graph:
            graph[v] = {u}
        graph[u].add(v)
        graph[v].add(u)
    seen, count = set(), 0
    for start in graph:
        if start not in seen:
            count += 1
            stack = [start]
            while stack:
                node = stack.pop()
                seen.add(node)
                for other in sorted(graph[node]):
                    if other not in seen:
                        stack.append(other)
    return count


def dictionaries_in_a_dictionary(edges):
    graph = {}
    for u, v, w in edges:
        graph.setdefault(int(u), {})[int(v)] = int(w)
    return graph


def shortest_paths(edges):
    graph = defaultdict(dict)
    for u, v, w in edges:
        graph[u][v] = w
    distance, heap = {0: 0}, [(0, 0)]
    while heap:
        d, u = heapq.heappop(heap)
        if d > distance.get(u, 99):
            continue
        for v, w in graph[u].items():
            if d + w < distance.get(v, 99):
                distance[v] = d + w
                heapq.heappush(heap, (d + w, v))
    return sum(distance.values()), len(distance)


def nested_defaults(pairs):
    counts = defaultdict(lambda: defaultdict(int))
    for u, v in pairs:
        counts[int(u)][int(v)] += 1
    return {u: dict(inner) for u, inner in counts.items()}


def counters(pairs):
    counts, best = defaultdict(Counter), 0
    for u, v in pairs:
        counts[u][v] += 1
    for u in counts:
        best += counts[u].most_common(1)[0][1]
    return best, counts[pairs[0, 0]]


def deques(ns):
    recent = defaultdict(deque)
    for i, n in enumerate(ns):
        queue = recent[int(n)]
        queue.append(i)
        if len(queue) > 2:
            queue.popleft()
    return dict(recent)


def list_of_dictionaries(ns):
    rows = [{} for _ in range(6)]
    for i, n in enumerate(ns):
        rows[n][i % 3] = i
    return rows


def the_very_lists(x):
    rows, kept = [[v, 2 * v] for v in x.tolist()], []
    for row in rows:
        if row[0] > 2:
            kept.append(row)
    return [a is b for a in kept for b in rows[:3]], kept, len(kept) > 0 and kept[0] is not rows[1]


def the_very_row(x):
    table, other = [[0] * 3 for _ in range(3)], [1, 2]
    row = table[int(x[0]) % 3]
    return row is table[1], row is other, row is table[0], table[0] is other


PROGRAMS = {
    XS.tobytes(): [
        moved, one_by_several_names, put_twice, also_in_a_variable, kept_and_removed, exchanged, pairs_of_objects,
        equal_or_not, jobs_in_a_heap, wrapped_heap, ordered_by_themselves, derived, operators, without_length,
        raised_at_last, the_very_lists,
    ],
    NS.tobytes(): [
        queue_of_nodes, tree, assigned_though_frozen, objects_with_lists, keys, deques,
        list_of_dictionaries, the_very_row,
    ],
    PAIRS.tobytes(): [sets_in_a_dictionary, components, nested_defaults, counters],
    EDGES.tobytes(): [dictionaries_in_a_dictionary, shortest_paths],
}  # fmt: skip
ARGUMENTS = {array.tobytes(): array for array in (XS, NS, PAIRS, EDGES)}
CASES = [(function, (ARGUMENTS[key],)) for key, functions in PROGRAMS.items() for function in functions]
CASES += [(values_of_a_dictionary, (NS, XS)), (made_by_default, (NS, XS))]


@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function, args", CASES, ids=[function.__name__ for function, _ in CASES])
def test_objects_are_as_without_a_graph(function, args, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in (args, tuple(array[::-1].copy() for array in args)):
        assert not unlike(outcome(graph, given), outcome(function, given), {})
    if function not in (without_length, assigned_though_frozen, raised_at_last):
        assert graph.experimental_get_tracing_count() == 1


def test_every_call_makes_objects_of_its_own():
    made = tf.function(moved, numpy=True)
    first, second = made(XS), made(XS)
    assert first == second and not {*map(id, first)} & {*map(id, second)}


class Other:
    def __init__(self, number):
        self.number = number
        if number == 0:
            self.zero = True


class Bare:
    def __init__(self, made):
        self.made = made


def several_classes(xs):
    found = []
    for x in xs:
        found.append(Bare(x) if x > 0 else Particle(x))
        if x > 1:
            found.append(Bare(x))
    return found


def written_array(xs):
    found = []
    for i in range(10):
        if xs[i] > 0:
            found.append(Bare(xs[i : i + 2].copy()))
    for one in found:
        one.made += 1
    return found


@pytest.mark.parametrize(
    "function, says", [(several_classes, "a Bare, and a Particle|several|structure"), (written_array, "copy")]
)
def test_what_is_refused_says_what_to_write(function, says):
    with pytest.raises(StagingError, match=says):
        tf.function(function, numpy=True)(XS)


class Link:
    def __init__(self, value, after=None):
        self.value, self.after = value, after


class Branch:
    def __init__(self, key):
        self.key, self.left, self.right = key, None, None


def linked(xs):
    head = None
    for x in xs:
        if x > 0:
            head = Link(x, head)
    total, node = 0.0, head
    while node is not None:
        total += node.value
        node = node.after
    return total, head


def search_tree(xs):
    root = Branch(xs[0])
    for x in xs[1:]:
        node = root
        while True:
            if x < node.key:
                if node.left is None:
                    node.left = Branch(x)
                    break
                node = node.left
            else:
                if node.right is None:
                    node.right = Branch(x)
                    break
                node = node.right
    found, stack, node = [], [], root
    while stack or node is not None:
        while node is not None:
            stack.append(node)
            node = node.left
        node = stack.pop()
        found.append(node.key)
        node = node.right
    return found, root


@pytest.mark.parametrize("jit_compile", [True, False])
@pytest.mark.parametrize("function", [linked, search_tree])
def test_objects_lead_to_others_or_to_none(function, jit_compile):
    graph = tf.function(function, numpy=True, jit_compile=jit_compile)
    for given in (XS, -XS):
        assert not unlike(outcome(graph, (given,)), outcome(function, (given,)), {})


class Unnamed:
    def __init__(self, value):
        self.value = value


TEXTS = {"str": str, "repr": repr, "format": "{}".format, "print": print, "f-string": lambda one: f"{one}"}


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_text_of_an_object_that_says_nothing_of_it_is_refused(text):
    def written(xs):
        made = []
        for x in xs:
            made.append(Unnamed(x))
            made[0].value += 1
        return text(made[0])

    with pytest.raises(StagingError, match="the text of an object of class Unnamed is asked for"):
        tf.function(written, numpy=True)(XS)
