"""Deques that a graph changes."""

import collections
import queue
import random
from collections import deque

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import load

PROGRAMS = {
    "breadth first": """
def f(x, k):
    n = len(x)
    distance = np.full(n, -1)
    distance[0] = 0
    queue = deque([0])
    while queue:
        u = queue.popleft()
        for v in (u * 2, u + k):
            if v < n and distance[v] < 0:
                distance[v] = distance[u] + 1
                queue.append(v)
    return distance
""",
    "a window": """
def f(x, k):
    queue, found = deque(), []
    for i in range(len(x)):
        while queue and x[queue[-1]] <= x[i]:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - k:
            queue.popleft()
        if i >= k - 1:
            found.append(x[queue[0]])
    return found
""",
    "the last few": """
def f(x, k):
    last = collections.deque(maxlen=3)
    best = 0
    for value in x:
        if value != k:
            last.append(value)
        if sum(last) > best:
            best = sum(last)
    return best, list(last), len(last), k in last
""",
    "a maze": """
def f(x, k):
    grid = x[:9].reshape(3, 3) > k
    seen = np.zeros((3, 3), bool)
    queue = deque()
    queue.append((0, 0, 0))
    seen[0, 0] = True
    far = 0
    while queue:
        r, c, far = queue.popleft()
        for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            a, b = r + dr, c + dc
            if 0 <= a < 3 and 0 <= b < 3 and not grid[a, b] and not seen[a, b]:
                seen[a, b] = True
                queue.append((a, b, far + 1))
    return far
""",
    "an attribute": """
class Queue:
    def __init__(self):
        self.items, self.count = deque(), 0

    def push(self, item):
        self.items.append(item)
        self.count += 1

def f(x, k):
    queue = Queue()
    for value in x:
        if value > k:
            queue.push(value)
    total = 0
    while queue.items:
        total = total * 2 + queue.items.popleft()
    return total, queue.count
""",
    "one of two": """
def f(x, k):
    queue, other = deque([2]), deque([5])
    first = queue
    for i in range(k):
        queue, other = other, queue
    queue += [1]
    queue += [k]
    if first is queue:
        first.append(99)
    return list(first), list(queue), list(other)
""",
    "by two names": """
def f(x, k):
    queue = deque([1, 2, 3])
    other, copied = queue, queue.copy()
    if k > 2:
        other.append(k)
    return len(queue), len(copied), queue == copied, max(other), other[-1]
""",
}


@pytest.mark.parametrize("jit", [None, False, True])
@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_programs_with_deques(text, jit):
    f = load(text, np=np, deque=deque, collections=collections)
    graph = tf.function(f, numpy=True, jit_compile=jit)
    x = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5])
    for k in (3, 5, 1):
        np.testing.assert_equal(repr(graph(x, np.int64(k))), repr(f(x, np.int64(k))))


def test_a_call_without_a_condition_of_the_graph_leaves_deques_as_they_are():
    def f(x):
        queue = deque([x, x * 2])
        queue.rotate(1)
        assert type(queue) is deque
        return queue.popleft()

    assert tf.function(f, numpy=True)(np.float64(3)) == 6


def test_deques_are_returned_as_pythons():
    def f(n):
        queue, other = deque([n, 2], maxlen=3), deque([n])
        if n > 2:
            queue.append(n * 2)
            queue.popleft()
        return queue, [queue, other]

    graph = tf.function(f, numpy=True)
    for n in (3, 1):
        (queue, [same, other]), wanted = graph(np.int64(n)), f(np.int64(n))
        assert type(queue) is type(other) is deque and same is queue
        assert (queue, [same, other]) == wanted and queue.maxlen == 3


STATEMENTS = [
    "q.append({0})", "q.appendleft({0})", "del q[{1}]",
    "q.extend([{0}, s])", "q.extendleft([{0}, 1])", "q.rotate({1})", "q.reverse()",
    "q.append(q[0])", "q.insert({1}, {0})", "q[{1}] = {0}", "q[-1] += {0}", "s = s * 3 + q[{1}]", "s += len(q)",
    "s = s * 2 + q.popleft()", "s = s * 2 + q.pop()", "s += {0} in q", "s += q.count({0})", "for v in q: s = s * 2 + v",
    "for i, v in enumerate(q): s += i * v", "p = q", "p.append({0})", "q = deque(p)", "s += sum(q) + max(q)",
    "s += q.index(q[-1])", "q.clear(); q.extend([1, {0}])", "q.remove(q[0])", "p = deque(q, maxlen=3)", "q = p.copy()",
]  # fmt: skip


def generated(seed):
    draw = random.Random(seed)
    lines = []
    for _ in range(draw.randint(3, 7)):
        line = draw.choice(STATEMENTS).format(draw.choice(["1", "2", "a", "s"]), draw.choice(["0", "1", "a", "-1"]))
        test = draw.choice(["a > 0", "s > 3", "len(q) > 2", "q[0] > 1"])
        lines += draw.choice([[line], [f"if {test}:", f"    {line}"], ["for k in range(n):", f"    {line}"]])
    body = "\n    ".join([*lines, "return s, list(q), list(p), len(q)"])
    return f"def f(a, n):\n    s = 0\n    q = deque([1, 2, 3, 4])\n    p = deque(maxlen=2)\n    {body}\n"


def test_generated_programs_with_deques():
    outcomes = collections.Counter()
    for seed in range(75):
        text = generated(seed)
        f = load(text, deque=deque)
        graph = tf.function(f, numpy=True, jit_compile=False)
        for a, n in ((0, 2), (1, 3)):
            try:
                wanted = repr(f(np.int64(a), np.int64(n)))
            except (IndexError, ValueError) as error:
                wanted = type(error)
            try:
                found = repr(graph(np.int64(a), np.int64(n)))
            except (StagingError, tf.errors.OperatorNotAllowedInGraphError):
                outcomes["refused"] += 1
                continue
            except Exception as error:
                found = type(error)
            outcomes["ran"] += 1
            assert found == wanted, f"seed {seed}, {a}, {n}: {found} for {wanted}\n{text}"
    assert outcomes["ran"] > 2 * outcomes["refused"], outcomes


def of_threads(n):
    q = queue.Queue()
    for k in range(3):
        q.put(k)
    total = 0
    while not q.empty():
        total += q.get() * n
    first = queue.PriorityQueue()
    for k in (3, 1, 2):
        first.put(k)
    try:
        queue.SimpleQueue().get(block=False)
    except queue.Empty:
        total += 100
    return total + first.get(), isinstance(q, queue.Queue)


def test_a_queue_for_threads_that_only_python_fills_is_pythons():
    assert [int(x) for x in tf.function(of_threads)(np.int64(2))] == [*of_threads(2)]


@pytest.mark.parametrize("kind", ["Queue", "LifoQueue", "PriorityQueue", "SimpleQueue"])
def test_nobody_waits_for_a_queue_while_a_function_is_traced(kind):
    def last(n):
        q = getattr(queue, kind)() if kind == "Queue" else KINDS[kind]()
        q.put(n)
        while q.qsize():
            i = q.get()
            if i == 0:
                break
        return i

    KINDS = {"LifoQueue": queue.LifoQueue, "PriorityQueue": queue.PriorityQueue, "SimpleQueue": queue.SimpleQueue}
    with pytest.raises(StagingError, match=f"queue.{kind} is empty while .* Use collections.deque"):
        tf.function(last)(np.int64(2))


def test_nobody_waits_for_room_in_a_queue():
    @tf.function
    def f(n):
        q = queue.Queue(1)
        q.put(n)
        q.put(n)

    with pytest.raises(StagingError, match="queue.Queue is full"):
        f(np.int64(2))


def window(x):
    last = deque([0.0] * 3, maxlen=3)
    for value in x:
        last.appendleft(value)
    return np.array(last), np.asarray(last) @ np.ones(3), np.sort(last), np.mean(last), np.max(last), np.dot(last, last)


def kept(x):
    large = deque()
    for value in x:
        if value > 1:
            large.append(value)
    return np.array(large), np.array(large, dtype=np.float32), np.median(large), np.std(large), np.diff(large)


@pytest.mark.parametrize("program", [window, kept])
def test_numpy_takes_a_deque_for_a_list(program):
    for x in (np.array([3.0, 1.0, 2.0, 0.5]), np.array([4.0, 2.0])):
        assert repr(tf.function(program, numpy=True)(x)) == repr(program(x))
