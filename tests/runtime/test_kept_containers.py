"""Lists, deques, dictionaries and sets that a program keeps, which staged statements read and change: each call reads
what they hold then, and has the very containers hold what they hold without a graph."""

import collections

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import EXECUTORS, load
from tests.runtime.container_programs import GIVEN, MODEL, generated

BODIES = {
    "until the last two are near": """
while x > 1:
    x = x * 0.6
    self.log.append(float(x))
    if self.log[-2] - self.log[-1] < 0.5: break
return len(self.log)""",
    "NumPy's numbers beside Python's": """
while x > 1:
    x = x * 0.6
    self.log.append(x)
return self.log[-1] + len(self.log)""",
    "a list that begins empty": """
for v in xs:
    if not self.empty or v > self.empty[-1]: self.empty.append(v)
return sum(self.empty)""",
    "a stack": """
self.ints.append(int(x))
total = 0
while self.ints:
    top = self.ints.pop()
    total += top
    if top > 4:
        self.ints.append(top // 2)
        self.ints.append(top - 3)
self.ints.append(total)
return total""",
    "as long as": """
for v in xs:
    self.log.append(float(v))
    if len(self.log) > 4: self.log.pop(0)
return max(self.log)""",
    "inserted, removed, reversed": """
for v in xs:
    if v > 2: self.ints.insert(0, int(v))
    elif 3 in self.ints: self.ints.remove(3)
return self.ints[0]""",
    "cleared": """
if x > 2: self.log.clear()
self.log.append(float(x))
return self.log[0]""",
    "deleted": """
if x > 2 and len(self.log) > 1: del self.log[0]
if x > 3: self.log[1:] = []
return len(self.log)""",
    "exchanged and made longer": """
for v in xs:
    self.ints[int(v) % len(self.ints)] = int(v)
    if v > 4: self.ints.append(int(v))
return self.ints[-1]""",
    "extended": """
if x > 2: self.log.extend([float(x), float(2 * x)])
else: self.log += [0.5]
return self.log[-1]""",
    "arrays": """
g = xs * 1.0
while np.abs(g).max() > 1:
    g = g * 0.5
    self.rows.append(g[:2] - 1)
    if len(self.rows) > 3: self.rows.pop(0)
return sum([r.sum() for r in self.rows])""",
    "tuples": """
for v in xs:
    if v > self.pairs[-1][1]: self.pairs.append((int(v), float(v)))
a, b = self.pairs[-1]
return a + b""",
    "texts": """
for v in xs:
    self.names.append("big" if v > 2 else "small")
    if self.names[-1] == self.names[-2]: self.names.pop()
return len(self.names)""",
    "truth values": """
for v in xs:
    if bool(v > 2) != self.flags[-1]: self.flags.append(bool(v > 2))
return sum(self.flags)""",
    "dictionaries in a list": """
for v in xs:
    if v > self.told[-1]["x"]: self.told.append({"x": float(v), "n": len(self.told)})
return self.told[-1]["n"]""",
    "a queue that forgets": """
for v in xs:
    if v > 1: self.recent.append(float(v))
    total = sum(self.recent) / len(self.recent)
return total""",
    "first in, first out": """
for v in xs: self.queue.append(int(v))
total = 0
while self.queue:
    first = self.queue.popleft()
    total += first
    if first > 3: self.queue.append(first - 2)
    if total > 12: break
return total""",
    "counted": """
for v in xs:
    k = int(v) % 3
    self.counts[k] = self.counts.get(k, 0) + 1
return len(self.counts)""",
    "counted where it is new": """
for v in xs:
    k = int(v)
    if k not in self.counts: self.counts[k] = 0
    self.counts[k] += 1
return self.counts[int(x)]""",
    "counted by a defaultdict": """
for v in xs: self.many[int(v)] += 1
return self.many[int(x)] + self.many[100]""",
    "counted by a Counter": """
for v in xs: self.counter[int(v)] += 1
return self.counter.total()""",
    "remembered": """
n = int(x)
if n in self.table: return self.table[n]
self.table[n] = n * 0.25
return self.table[n]""",
    "forgotten": """
for v in xs:
    if int(v) in self.table: del self.table[int(v)]
    else: self.table[int(v)] = float(v)
return len(self.table)""",
    "remembered, or made": """
return self.table.setdefault(int(x), 0.125)""",
    "text for keys": """
for v in xs: self.words["high" if v > 3 else "low"] = self.words["a"] + int(v)
return len(self.words)""",
    "an equal value of another type": """
for v in xs: self.words["b" if v > 3 else "a"] = float(v)
return self.words["a"]""",
    "tuples for keys": """
i, j = 0, 0
for v in xs:
    i, j = i + int(v) % 2, j + int(v) % 3
    self.places[i, j] = self.places.get((i, j), 0) + 1
return len(self.places)""",
    "values that are known by their keys": """
for v in xs:
    if v < self.best["low"]: self.best["low"] = v
    if v > self.best["high"]: self.best["high"] = v
return self.best["high"] - self.best["low"]""",
    "seen": """
again = 0
for v in xs:
    if int(v) in self.seen: again += 1
    self.seen.add(int(v))
return again""",
    "visited": """
n = int(x)
while n not in self.visited and n > 0:
    self.visited.add(n)
    n = n // 2 if n % 2 == 0 else (n * 3 + 1) % 17
return len(self.visited)""",
    "discarded": """
for v in xs: self.seen.discard(int(v))
return len(self.seen)""",
    "lists by key": """
for v in xs: self.groups.setdefault(int(v) % 3, []).append(float(v))
return sum(self.groups[int(x) % 3])""",
    "lists by key, made where they are new": """
for v in xs:
    k = int(v)
    if k not in self.groups: self.groups[k] = []
    self.groups[k].append(float(v))
    if len(self.groups[k]) > 2: self.groups[k].pop(0)
return len(self.groups)""",
    "a graph that grows, and is searched": """
for i in range(len(xs) - 1):
    self.graph[int(xs[i])].append(int(xs[i + 1]))
    self.graph[int(xs[i + 1])].append(int(xs[i]))
found, queue = set(), collections.deque([int(x)])
while queue:
    at = queue.popleft()
    if at in found: continue
    found.add(at)
    for other in self.graph[at]: queue.append(other)
return len(found)""",
    "roads of a length each": """
for v in xs: self.roads.setdefault(int(v) % 4, []).append((int(v), float(v) / 2))
total = 0.0
for to, length in self.roads.get(int(x), []): total += to * length
return total""",
    "lists that are exchanged for others": """
for v in xs:
    if v > 2: self.groups[int(v)] = [float(v), 0.5]
    else: self.groups[int(v) % 2] += [float(v)]
return max(len(group) for group in self.groups.values())""",
    "lists that are taken out": """
for v in xs:
    if int(v) in self.groups: del self.groups[int(v)]
    else: self.groups.setdefault(int(v) + 1, []).append(float(v))
return len(self.groups.pop(int(x), []))""",
    "lists by a method": """
for v in xs: self.sort_in(int(v) % 3, float(v))
return self.total(0)""",
    "several": """
for v in xs:
    k = int(v)
    if k in self.seen: continue
    self.seen.add(k)
    self.counts[k] = len(self.log)
    self.log.append(float(v) + self.counts[k])
    if len(self.log) > 5: return self.log[0]
return self.log[-1]""",
    "in another container": """
for v in xs:
    if v > self.config["rates"][-1]: self.config["rates"].append(float(v) / self.config["step"])
return len(self.config["rates"])""",
    "by a method": """
while x > 1:
    x = x * 0.7
    self.note(x)
    if self.is_calm(): break
return x""",
    "by another name": """
log, table = self.log, self.table
for v in xs:
    if v > log[-1]: log.append(float(v))
    table[int(v)] = log[-1]
return table[int(x)]""",
    "of the module": """
for v in xs:
    if len(LOG) < 2 or v > LOG[-2]: LOG.append(float(v))
return LOG[-1]""",
    "given back": """
if x > 2: self.log.append(float(x))
return self.log if len(self.log) > 1 else None""",
    "raised after a change": """
self.log.append(float(x))
if self.log[-1] > 4: raise ValueError("too much")
return self.log[0]""",
    "assigned anew": """
if self.log and x > self.log[-1]: self.log.append(float(x))
self.empty = [float(x)]
return len(self.log)""",
}  # fmt: skip
AFTER = """
    def note(self, x):
        self.log.append(float(x))

    def sort_in(self, key, v):
        self.groups.setdefault(key, []).append(v)
        self.groups[key].sort()

    def total(self, key):
        return sum(v for v in self.groups.get(key, ()))

    def is_calm(self):
        return self.log[-1] > 0.9 * self.log[-2]
"""


def used(body, decorated):
    """What calls give, and what the model's containers are after each: the same containers, and of the elements that
    were there the same arrays and lists."""
    lines = "".join(f"        {line}\n" for line in body.strip().split("\n"))
    log = [0.5]
    cls = load(f"{MODEL}{lines}{AFTER}", name="Model", np=np, collections=collections, decorated=decorated, LOG=log)
    model, seen = cls(), []
    before, first = dict(vars(model)), model.rows[1]
    for numbers in GIVEN:
        lists = {name: dict(getattr(model, name)) for name in ("groups", "graph", "roads")}
        try:
            result = model.step(np.array(numbers))
        except autograph.StagingError:
            raise
        except ValueError as error:
            result = repr(error)
        same = [name for name, value in vars(model).items() if value is before[name]]
        named = [name for name, value in vars(model).items() if value is result]
        held = {name: sorted(value) if type(value) is set else value for name, value in vars(model).items()}
        rows = [row is first for row in model.rows]
        rows += [row is known.get(k) for name, known in lists.items() for k, row in getattr(model, name).items()]
        seen.append(repr((result, named, held, log, same, rows)))
    return seen


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", BODIES)
def test_containers_that_a_program_keeps_are_changed_as_without_a_graph(body, jit_compile):
    def decorated(method):
        return runtime.function(method, numpy=True, jit_compile=jit_compile)

    assert used(BODIES[body], decorated) == used(BODIES[body], lambda method: method)


@pytest.mark.parametrize("seed", range(160))
@pytest.mark.sampled(4)
def test_generated_programs_change_containers_as_without_a_graph(seed):
    body = generated(seed)
    try:
        expected = used(body, lambda method: method)
    except Exception as error:  # as where a list has become empty
        expected = type(error)
    try:
        found = used(body, lambda method: runtime.function(method, numpy=True))
    except autograph.errors.Refuses as refusal:
        assert "assigned another container" in str(refusal) or "cannot be iterated over" in str(refusal), body
        return
    except Exception as error:
        found = type(error)
    assert found == expected, body


LISTS_ELSEWHERE = {
    "returned": "return self.groups[int(x) % 2]",
    "returned, if it is there": "return self.groups.get(int(x), [])",
    "the longest": "return max(self.groups.values(), key=len)",
    "by another name": "self.empty = self.groups[int(x) % 2]",
    "by two keys": "self.groups[int(x) + 7] = self.groups[int(x) % 2]",
    "put there, and returned": "made = [1.0]\nself.groups[int(x)] = made\nmade.append(2.0)\nreturn made",
    "one that was there": "self.groups[int(x)] = self.log",
    "taken out": "return self.groups.popitem()[1]",
}


@pytest.mark.parametrize("body", LISTS_ELSEWHERE)
def test_a_list_that_would_be_a_copy_of_a_kept_one_is_refused(body):
    text = "for v in xs: self.groups.setdefault(int(v), []).append(float(v))\n" + LISTS_ELSEWHERE[body]
    with pytest.raises(autograph.StagingError, match=r"would be a copy"):
        used(text, lambda method: runtime.function(method, numpy=True))


def test_an_array_without_dimensions_is_not_put_among_numbers():
    class Model:
        def __init__(self):
            self.log = [1.0, 2.5]

        @runtime.function(numpy=True)
        def step(self, xs):
            for x in xs:
                self.log.append(np.array(x))
            return self.log[0]

    with pytest.raises(autograph.StagingError, match="both numbers and arrays without dimensions"):
        Model().step(np.array([1.0, 2.0]))


def test_a_concrete_function_says_that_a_container_is_of_another_kind():
    class Model:
        def __init__(self):
            self.log = [1.0]

        def step(self, xs):
            for x in xs:
                if x > self.log[-1]:
                    self.log.append(float(x))
            return len(self.log)

    model = Model()
    step = runtime.function(model.step, numpy=True).get_concrete_function(np.zeros(2))
    assert step(np.array([2.0, 3.0])) == 3
    assert model.log == [1.0, 2.0, 3.0]
    model.log[:] = ["one"]
    with pytest.raises(
        runtime.errors.InvalidArgumentError, match=r"'(self|model)?\.?log' holds something of another kind"
    ):
        step(np.array([2.0, 3.0]))
