"""Programs that read and change an object's lists, deques, dictionaries and sets in loops and branches."""

import random

MODEL = """
class Model:
    def __init__(self):
        self.log, self.empty, self.ints, self.rows = [1.0, 2.5], [], [3, 1, 2], [np.zeros(2), np.ones(2)]
        self.pairs, self.names, self.flags = [(1, 2.0), (3, 4.0)], ["a", "bc"], [True, False]
        self.told = [{"x": 1.0, "n": 0}]
        self.recent, self.queue = collections.deque([1.0], maxlen=3), collections.deque()
        self.counts, self.table, self.words, self.places = {}, {0: 1.0, 1: 0.5}, {"a": 1}, {(0, 0): 0}
        self.many, self.counter = collections.defaultdict(int), collections.Counter()
        self.seen, self.visited, self.best = {1, 2}, set(), {"low": np.float64(9.0), "high": np.float64(-9.0)}
        self.config = {"step": 2, "rates": [0.5, 0.25]}
        self.groups, self.graph, self.roads = {0: [1.0], 1: [2.5, 3.0]}, collections.defaultdict(list), {2: [(1, 0.5)]}

    @decorated
    def step(self, xs):
        x = xs[0]
"""

GIVEN = [[3.0, 1.0, 4.0, 1.0, 5.0], [2.0, 7.0, 1.0, 8.0, 2.0], [3.0, 1.0, 4.0, 1.0, 5.0], [1.0, 0.0, 9.0, 2.0, 2.0]]

# What a generated program does with its containers; {n} is a whole number of the graph, {v} a float, {t} a text.
CHANGES = [
    "self.log.append({v})", "self.log.extend([{v}, {v}])", "self.log.insert(0, {v})", "self.log.reverse()",
    "if len(self.log) > 3: self.log.pop()", "if len(self.log) > 4: self.log.pop(0)", "self.log[-1] = {v}",
    "if {v} in self.log: self.log.remove({v})", "self.log.sort()", "self.log[{n} % len(self.log)] = {v}",
    "if len(self.log) > 6: del self.log[1:3]", "self.log += [{v}]", "self.empty.append({v})",
    "if self.empty: self.empty.pop()", "self.ints.append({n})", "self.ints[0] += {n}", "self.ints.insert({n} % 3, 7)",
    "if len(self.ints) > 5: self.ints.clear(); self.ints.append({n})", "self.pairs.append(({n}, {v}))",
    "self.names.append({t})", "if {t} not in self.names: self.names.append({t})", "self.flags.append({v} > 2)",
    "self.recent.append({v})", "self.recent.appendleft({v})", "self.recent.rotate(1)", "self.queue.append({n})",
    "if self.queue: total += self.queue.popleft()", "self.counts[{n}] = self.counts.get({n}, 0) + 1",
    "self.counts.setdefault({n}, 5)", "self.counts.pop({n}, None)", "self.table[{n}] = {v}",
    "if {n} in self.table: del self.table[{n}]", "self.table[{n}] = self.table.get({n}, 0.5) * 2",
    "self.words[{t}] = {n}", "self.places[{n} % 2, {n} % 3] = {n}", "self.many[{n}] += 2", "self.counter[{n}] += 1",
    "self.counter.update([{n}, {n}])", "self.seen.add({n})", "self.seen.discard({n})",
    "self.seen.update([{n}, 7])", "self.seen.difference_update([{n}, 2])", "self.seen.update([{n}, 1])",
    "self.seen.symmetric_difference_update([{n}])",
    "self.table.update([({n}, {v})])",
    "self.groups.setdefault({n}, []).append({v})", "self.graph[{n}].append({n})", "self.groups[{n}] = [{v}, {v}]",
    "self.graph[{n}] += [{n}, 7]", "if {n} in self.groups: del self.groups[{n}]",
    "if {n} in self.groups and len(self.groups[{n}]) > 2: self.groups[{n}].pop(0)",
    "self.roads.setdefault({n}, []).append(({n}, {v}))",
    "if {n} not in self.visited: self.visited.add({n}); total += 1", "self.visited.clear()",
]  # fmt: skip
QUESTIONS = [
    "self.log[-1]", "len(self.log)", "sum(self.log)", "max(self.log)", "len(self.empty)", "self.ints[0]",
    "sum(self.ints)", "len(self.pairs)", "self.pairs[-1][1]", "len(self.names)", "sum(self.flags)", "self.recent[-1]",
    "len(self.recent)", "len(self.queue)", "len(self.counts)", "self.counts.get({n}, -1)", "self.table.get({n}, 0.0)",
    "sum(self.table.values())", "self.words.get({t}, -1)", "len(self.places)", "self.many[{n}]", "self.counter[{n}]",
    "len(self.groups)", "sum(self.groups.get({n}, []))", "len(self.graph[{n}])", "len(self.roads.get({n}, ()))",
    "len(self.seen)", "1 if {n} in self.seen else 2", "len(self.visited)",
]  # fmt: skip


def generated(seed):
    """A program that changes containers in loops and branches, and tells what it finds in them."""
    chosen = random.Random(seed)

    def filled(text):
        number = chosen.choice(["k", "k % 3", "int(v)", "2"])
        value = chosen.choice(["float(v)", "float(v) * 0.5", "float(total)", "1.5", "v", "k", "1"])
        return text.format(n=number, v=value, t=chosen.choice(["('a' if v > 2 else 'b')", "('c' if k > 1 else 'a')"]))

    def block(depth):
        lines = []
        for _ in range(chosen.randint(1, 3)):
            kind = chosen.random()
            if kind < 0.6 or depth > 1:
                lines += filled(chosen.choice(CHANGES)).split("\n")
            elif kind < 0.8:
                lines += [f"if v > {chosen.randint(0, 4)}:", *(f"    {line}" for line in block(depth + 1))]
                lines += ["else:", *(f"    {line}" for line in block(depth + 1))] if chosen.random() < 0.5 else []
            else:
                lines.append(f"total += {filled(chosen.choice(QUESTIONS))}")
        return lines

    body = [f"    {line}" for line in block(0)]
    asked = [f"total += {filled(chosen.choice(QUESTIONS))}" for _ in range(2)]
    return "\n".join(["total, k, v = 0.0, 0, x", "for v in xs:", "    k = int(v)", *body, *asked, "return total"])
