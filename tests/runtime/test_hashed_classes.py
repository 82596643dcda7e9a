"""The dictionaries and sets of a graph are classes in Python: outside of graphs they are what Python's are, too.

Programs in graphs (test_hashed.py) are few, as each is traced; here everything that the classes can is done many times.
"""

import operator
import random
from collections import Counter, OrderedDict, defaultdict

import pytest

from runtime.staging import dictionaries, hashed

KEYS = {
    "whole": lambda chance: chance.choice(
        [chance.randint(-3, 12), chance.randint(0, 3) << 20, 2**62 + chance.randint(0, 3)]
    ),
    "float": lambda chance: chance.choice([chance.randint(-3, 12) / 4, 1e300, float("inf"), -0.0]),
    "text": lambda chance: chance.choice(["", "a", "b", "ab", "ba", "c", "d"]),
    "tuple": lambda chance: (
        chance.randint(0, 2),
        chance.choice("ab"),
        *[chance.randint(0, 2) / 2] * chance.randint(0, 1),
    ),
}


def method(name):
    return lambda table, *args: getattr(table, name)(*args)


DICTIONARIES = {
    "read": (operator.getitem, "key"), "write": (operator.setitem, "key", "value"), "del": (operator.delitem, "key"),
    "in": (lambda t, k: k in t, "asked"), "get": (method("get"), "asked"), "get or": (method("get"), "key", "value"),
    "setdefault": (method("setdefault"), "key", "value"), "pop": (method("pop"), "asked"),
    "pop or": (method("pop"), "key", "value"), "popitem": (method("popitem"),), "len": (len,), "bool": (bool,),
    "update": (method("update"), "pairs"), "update by": (method("update"), "other"), "list": (list,), "repr": (repr,),
    "keys": (lambda t: list(t.keys()),), "values": (lambda t: list(t.values()),), "items": (lambda t: list(t.items()),),
    "copy": (method("copy"),), "or": (operator.or_, "other"), "==": (operator.eq, "other"), "own": (lambda t: t == t,),
    "ior": (operator.ior, "other"), "in values": (lambda t, v: v in t.values(), "value"), "clear": (method("clear"),),
    "in items": (lambda t, k, v: (k, v) in t.items(), "key", "value"), "in keys": (lambda t, k: k in t.keys(), "key"),
    "keys ==": (lambda t, o: t.keys() == o.keys(), "other"), "items ==": (lambda t, o: t.items() == o.items(), "other"),
    "keys &": (lambda t, o: t.keys() & o.keys(), "other"), "keys |": (lambda t, o: t.keys() | o.keys(), "other"),
    "keys -": (lambda t, o: t.keys() - o.keys(), "other"), "items ^": (lambda t, o: t.items() ^ o.items(), "other"),
    "views": (lambda t: (len(t.keys()), len(t.values()), len(t.items())),), "no dict": (lambda t: (t == 5, t != 5),),
}  # fmt: skip
COUNTERS = DICTIONARIES | {
    "update": (method("update"), "keys"), "subtract": (method("subtract"), "keys"),
    "subtract others": (method("subtract"), "other"), "+": (operator.add, "other"), "-": (operator.sub, "other"),
    "&": (operator.and_, "other"), "pos": (operator.pos,), "neg": (operator.neg,), "total": (method("total"),),
    "iadd": (operator.iadd, "other"), "isub": (operator.isub, "other"), "iand": (operator.iand, "other"),
    "elements": (lambda t: list(t.elements()),), "most": (method("most_common"),), "<=": (operator.le, "other"),
    "most of": (lambda t: t.most_common(2),), "<": (operator.lt, "other"), ">=": (operator.ge, "other"),
    ">": (operator.gt, "other"), "with names": (lambda t: t.update(a=2) or t.subtract(b=1) if "a" in t else None,),
}  # fmt: skip
ORDERED = DICTIONARIES | {
    "to end": (method("move_to_end"), "asked"), "to front": (lambda t, k: t.move_to_end(k, last=False), "asked"),
    "first": (lambda t: t.popitem(last=False),), "last": (lambda t: t.popitem(last=True),),
}  # fmt: skip
SETS = {
    "in": (lambda t, k: k in t, "asked"), "len": (len,), "bool": (bool,), "add": (method("add"), "key"),
    "discard": (method("discard"), "asked"), "remove": (method("remove"), "asked"), "clear": (method("clear"),),
    "copy": (method("copy"),), "==": (operator.eq, "other"), "no set": (lambda t: (t == 5, t != 5),),
    "own": (lambda t: (t == t, t <= t, t < t, t >= t, t > t),),
    **{name: (method(name), *kinds) for kinds in [["keys", "other"], ["other", "keys"]]
       for name in ("update", "difference_update", "intersection_update", "union", "difference", "intersection")},
    **{f"{name} of one": (method(name), "keys") for name in
       ("update", "difference_update", "intersection_update", "union", "difference", "intersection",
        "symmetric_difference", "symmetric_difference_update", "isdisjoint", "issubset", "issuperset")},
    **{name: (getattr(operator, name), "other") for name in
       ("or_", "and_", "sub", "xor", "ior", "iand", "isub", "ixor", "le", "lt", "ge", "gt")},
    **{f"r{name}": (lambda t, o, f=getattr(operator, name): f(o, t), "other") for name in
       ("or_", "and_", "sub", "xor")},
    **{f"{name} of no set": (getattr(operator, name), "keys") for name in
       ("or_", "and_", "sub", "xor", "le", "lt", "ge", "gt")},
}  # fmt: skip
CLASSES = {
    "dict": (dict, hashed.Dict, DICTIONARIES),
    "defaultdict": (lambda: defaultdict(int), lambda: dictionaries.DefaultDict(int), DICTIONARIES),
    "Counter": (Counter, dictionaries.Counter, COUNTERS),
    "OrderedDict": (OrderedDict, dictionaries.OrderedDict, ORDERED),
    "set": (set, hashed.Set, SETS),
}


def plain(value):
    """What a value is in Python's own kinds, the order of what has one kept."""
    if hasattr(value, "as_pythons"):
        return plain(value.as_pythons())
    if isinstance(value, dict):
        return type(value).__name__, list(value.items())
    if isinstance(value, tuple | list):
        return type(value), [plain(v) for v in value]
    return value


def done(operation, table, args):
    """What an operation gives or raises, and what the table is then."""
    try:
        result = operation(table, *args)
    except (KeyError, TypeError) as error:
        return type(error), plain(table)
    return ("itself" if result is table else plain(result)), plain(table)


class Walk:
    """A table of each kind, ours and Python's, to which the same is done."""

    def __init__(self, name, keys, seed):
        self.pythons, self.ours, self.operations = CLASSES[name]
        self.chance, self.keys, self.counts = random.Random(seed), KEYS[keys], name == "Counter"

    def step(self, expected, found):
        name = self.chance.choice([*self.operations])
        operation, *wanted = self.operations[name]
        both = [self.argument(kind) for kind in wanted]
        mine, theirs = ([pair[side] for pair in both] for side in (0, 1))
        before = plain(expected)
        assert done(operation, found, theirs) == done(operation, expected, mine), (before, name, both)

    def argument(self, kind):
        """For Python's table and for ours."""
        key = self.keys(self.chance)
        if kind == "other":
            some = self.made(self.pythons(), 3)
            return some, self.chance.choice([some, self.like(some)]) if not self.counts else self.like(some)
        made = {
            "key": key,
            "asked": KEYS[self.chance.choice([*KEYS])](self.chance) if self.chance.random() < 0.3 else key,
            "value": self.chance.randint(-2, 3),
            "keys": [self.keys(self.chance) for _ in range(self.chance.randint(0, 5))],
            "pairs": [(self.keys(self.chance), self.chance.randint(0, 3)) for _ in range(self.chance.randint(0, 4))],
        }[kind]
        return made, made

    def made(self, table, count):
        for _ in range(self.chance.randint(0, count)):
            table.add(self.keys(self.chance)) if isinstance(table, set) else operator.setitem(
                table, self.keys(self.chance), self.chance.randint(-2, 3)
            )
        return table

    def like(self, table):
        ours = self.ours()
        for key in table:
            ours.add(key) if isinstance(table, set) else operator.setitem(ours, key, table[key])
        return ours


@pytest.mark.parametrize("keys", KEYS)
@pytest.mark.parametrize("name", CLASSES)
def test_what_is_done_to_them_does_what_python_does(name, keys):
    for seed in range(60):
        walk = Walk(name, keys, seed)
        expected = walk.made(walk.pythons(), 40)
        found = walk.like(expected)
        for _ in range(60):
            walk.step(expected, found)
