"""An iterator that a staged ``break`` may have left: whoever asks it for items is told, in whatever way it is asked."""

import collections
import copy
import functools
import gc
import io
import itertools
import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime
from autograph import StagingError
from autograph.dispatch import Statement
from autograph.operators import spent
from tests.programs import load

ROOT = Path(__file__).parents[2]

BEFORE = """
def length(i): return len([*i])
def count(*a): return len(a)
def passed_on(i): yield from i
def gone_through(i):
    for v in i:
        yield v
class Holds:
    def __init__(self, it): self.it = it
    def all(self): return {*self.it}
def f(n):
    it = iter([1, 2, 3, 4, 5])
    for x in it:
        if x == n:
            break
"""
NAMES = {
    "np": np, "collections": collections, "copy": copy, "functools": functools, "itertools": itertools, "math": math,
}  # fmt: skip

EXPRESSIONS = """
set(it) | frozenset(it) | [*it] | (*it,) | {0, *it} | count(*it) | max(*it, 1) | dict(zip(it, it)) | dict.fromkeys(it)
[v + 1 for v in it] | {v for v in it} | {v: 1 for v in it} | [(a, v) for a in (1, 2) for v in it]
[(w := v) for v in it]
sum(v for v in it) | sum([v for v in (w for w in it)]) | list(v for v in it) | [v for v in [it]][0].__next__()
collections.deque(it) | list(itertools.islice(it, 2)) | list(itertools.chain(it, [1])) | list(itertools.accumulate(it))
functools.reduce(int.__add__, it, 0) | functools.partial(set, it)() | math.prod(it) | np.fromiter(it, dtype=int)
','.join(it) | str.join(',', it) | bytes(it) | collections.Counter(it) | copy.copy(it) | print(*it)
sorted(it) | next(it, -1) | any(it) | list(iter(it)) | list(enumerate(it)) | list(zip(*[it, it])) | 5 in it
list(map(abs, it)) | list(filter(None, it)) | list(map(lambda v: v, it)) | (lambda i: {*i})(it) | it.__next__()
length(it) | list(passed_on(it)) | list(gone_through(it)) | Holds(it).all() | [].extend(it) | set().update(it)
"""
STATEMENTS = (
    "a, *b = it", "a, b = it", "[a, *b] = it", "o = Holds(0)\n    o.it, *o.z = it", "for (a, *b) in [it]: pass",
    "z = [9]\n    z.extend(it)", "z = [9]\n    z += it", "z = [1]\n    z[0:1] = it",
    "z = collections.deque()\n    z += it",
    "for v in it: pass", "for v in (it,):\n        for w in v: pass", "while next(it, None) is not None: pass",
    "def k(): return {*it}\n    k()", "if n > 0:\n        z = len({*it})", "match [*it]:\n        case []: pass",
    "other = it\n    [*other]", "pair = it, 1\n    a, b = pair\n    [*a]",
)  # fmt: skip
ASKED = [*(e.strip() for line in EXPRESSIONS.strip().split("\n") for e in line.split(" | ")), *STATEMENTS]


@pytest.mark.parametrize("statement", ASKED)
def test_whoever_asks_it_is_told(statement):
    f = load(f"{BEFORE}    {statement}\n    return 0\n", **NAMES)
    with pytest.raises(StagingError, match="may have left a loop over this list_iterator"):
        runtime.function(f)(np.int64(2))


HELD = {
    "by another variable": "other = it",
    "by a list": "held = [0, [it]]",
    "by a tuple": "held = (0, (it, 1))",
    "by a dictionary": "held = {'it': it}",
    "by a deque": "held = collections.deque([it])",
    "by an attribute": "held = Holds(it)",
    "by a closure": "held = lambda: [*it]",
    "by another iterator": "held = zip(it, [1, 2, 3])",
    "by one of those": "held = itertools.chain([1], enumerate(it))",
    "by a generator": "held = passed_on(it)",
    "by a global variable": "global held\n    held = it",
    "by a function for later": "held = functools.partial(list, it)",
    "by that in a list": "held = [functools.partial(max, it)]",
}
USES = {
    "by another variable": "[*other]",
    "by a list": "[*held[1][0]]",
    "by a tuple": "[*held[1][0]]",
    "by a dictionary": "[*held['it']]",
    "by a deque": "[*held[0]]",
    "by an attribute": "held.all()",
    "by a closure": "held()",
    "by a function for later": "held()",
    "by that in a list": "held[0]()",
}


@pytest.mark.parametrize("holder", HELD)
def test_whoever_holds_it(holder):
    lines = BEFORE.split("\n")
    lines.insert(-4, f"    {HELD[holder]}")
    f = load(f"{chr(10).join(lines)}    {USES.get(holder, '[*held]')}\n    return 0\n", **NAMES)
    with pytest.raises(StagingError, match="only the graph knows what items are left"):
        runtime.function(f)(np.int64(2))


THROUGH = (
    "x = any(x == n for x in it)",
    "x = all(x < n for x, y in zip(it, [1, 2, 3, 4, 5]))",
    "x = any(x == n for _, x in enumerate(itertools.chain([9], it)))",
    "for x, y in zip([1, 2, 3, 4, 5], it):\n        if x == n: break",
    "for x in (v + 1 for v in it):\n        if x == n: break",
)


@pytest.mark.parametrize("holder", ["by itself", *HELD])
@pytest.mark.parametrize("statement", THROUGH)
def test_whoever_holds_what_a_loop_goes_through(statement, holder):
    text = BEFORE[: BEFORE.index("    for x in it:")]
    text += f"    {HELD.get(holder, 'pass')}\n    {statement}\n    {USES.get(holder, '[*it]')}\n    return 0\n"
    with pytest.raises(StagingError, match="only the graph knows what items are left"):
        runtime.function(load(text, **NAMES))(np.int64(2))


MADE = (
    "any(x == n for x in [1, 2, 3])",
    "all(x < n for x, y in zip([1, 2, 3], (4, 5, 6)))",
    "all(x < n for x in map(abs, [1, 2, 3]))",
    "any(x == n and y for x, y in enumerate([1, 2, 3]))",
    "any(any(x * y == n for x in [1, 2]) for y in (3, 4))",
    "[all(x != n for x in a.values()) for a in ({1: 2}, {3: 4})]",
)


@pytest.mark.parametrize("expression", MADE)
def test_nobody_is_looked_for_who_holds_what_an_expression_has_made(expression):
    """In a process of its own, where no test has left an iterator."""
    program = (
        "import gc, numpy as np, runtime\n"
        "from tests.programs import load\n"
        "def looked(*values): raise AssertionError('all objects that there are were searched')\n"
        "gc.get_referrers = looked\n"
        f"f = load({f'def f(n): return {expression}'!r})\n"
        "for n in range(5): assert np.all(runtime.function(f)(np.int64(n)) == np.array(f(n)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


UNTOLD = {
    "held = {it}": "a set",
    "held = [frozenset([it])]": "a frozenset",
    "held = {it: 1}": "a dict",
    "held = it.__next__": "a method-wrapper",
    "held = iter(it.__next__, 9)": "a method-wrapper",
    "held, other = itertools.tee(it)": "a _tee_dataobject",
    "held = lambda x=it: next(x)": "a function",
    "held = collections.namedtuple('Pair', 'x y')(it, 2)": "a Pair",
    "held = ValueError(it)": "a ValueError",
    "held = slice(it)": "a slice",
}


@pytest.mark.parametrize("statement", UNTOLD)
def test_a_loop_is_refused_whose_iterator_is_held_where_nobody_can_be_told(statement):
    lines = BEFORE.split("\n")
    lines.insert(-4, f"    {statement}")
    f = load(f"{chr(10).join(lines)}    return x\n", **NAMES)
    with pytest.raises(StagingError, match=f"held by {UNTOLD[statement]}, too: whoever asks(?s:.*)for x in it"):
        runtime.function(f)(np.int64(2))
    assert f(2) == 2


def test_the_caller_who_gave_it():
    def first(it, n):
        for x in it:
            if x == n:
                return x
        return 0

    def f(n):
        it = iter([1, 2, 3])
        return first(it, n) + len([*it])

    assert f(2) == 3
    with pytest.raises(StagingError, match="may have left"):
        runtime.function(f)(np.int64(2))
    it = iter([1, 2, 3])
    runtime.function(lambda n: first(it, n))(np.int64(2))
    with pytest.raises(StagingError, match="may have left"):
        [*it]


@pytest.mark.parametrize("outer", ("for v in it:\n        pass\n", "for v in it:\n        if v == 9: return v\n"))
def test_a_loop_around_that_goes_on_with_it(outer):
    inner = "        for w in it:\n            if w == n:\n                break\n"
    f = load(f"def f(n):\n    it = iter([1, 2, 3, 4, 5])\n    {outer}{inner}    return v\n")
    with pytest.raises(StagingError, match="may have left"):
        runtime.function(f)(np.int64(2))


class Counts:
    def __init__(self, numbers):
        self.at, self.numbers, self.name = 0, numbers, "counts"

    def __iter__(self):
        return self

    def __next__(self):
        if self.at == len(self.numbers):
            raise StopIteration
        self.at += 1
        return self.numbers[self.at - 1]


class Takes:
    __slots__ = ("it", "name")

    def __init__(self, numbers):
        self.it, self.name = iter(numbers), "takes"

    def __iter__(self):
        return self

    def __next__(self):
        return next(self.it)


@pytest.mark.parametrize("cls", (Counts, Takes))
def test_iterators_of_a_users_class_stay_what_they_are_and_refuse_to_go_on(cls):
    def left(n):
        it = cls([1, 2, 3])
        for x in it:
            if x == n:
                break
        return it, x

    def f(n):
        it, x = left(n)
        assert isinstance(it, cls) and it.name == cls.__name__.lower()
        return x

    def asked(n):
        it, _ = left(n)
        return len([*it])

    assert runtime.function(f)(np.int64(2)) == 2
    with pytest.raises(StagingError, match=f"loop over this {cls.__name__}"):
        runtime.function(asked)(np.int64(2))


def test_what_nobody_asks_again_is_no_matter():
    def f(n):
        numbers, total = [1, 2, 3], 0
        it = iter(numbers)
        for x in it:
            if x == n:
                break
            total += x
        it = iter(numbers)  # another
        file = io.StringIO("1\n2\n")
        for _ in file:
            if n == 1:
                break
        file.close()
        for number, x in enumerate(numbers):
            if x == n:
                break
        return total + sum(numbers) + number + len([*it])

    assert runtime.function(f)(np.int64(2)) == f(2) == 11


def test_items_that_only_the_loop_holds_are_looked_for_nowhere(monkeypatch):
    def f(n):
        for number, (x, _) in enumerate(zip([1, 2, 3], (4, 5, 6))):
            if x == n:
                break
        for x in [3, 4]:
            if x == n:
                break
        return number

    monkeypatch.setattr(gc, "get_referrers", None)
    assert runtime.function(f)(np.int64(2)) == 1


@pytest.mark.parametrize("made, arguments", [
    (lambda f: f(int), ("10",)),
    (lambda f: functools.partial(f(int), base=2), ("10",)),
    (lambda f: functools.partial(f(max), 5), (3, 4)),
    (lambda f: functools.partial(functools.partial(f(dict), a=1), b=2), ([("c", 3)],)),
])  # fmt: skip
def test_what_is_behind_a_check_has_the_arguments_of_a_partial(made, arguments, monkeypatch):
    iterator = iter([1])
    monkeypatch.setitem(spent.left, id(iterator), (iterator, Statement("model.py", 1, "for x in iterator:")))
    assert spent.behind_check(made(spent.checked), arguments)(*arguments) == made(lambda f: f)(*arguments)
    with pytest.raises(StagingError, match="only the graph knows what items are left"):
        spent.behind_check(functools.partial(spent.checked(sum), iterator), ())


MADE = {
    "iter(x.tolist())": "list(it)", "iter([*x])": "sum(it)", "reversed(x.tolist())": "[*it]", "iter(x)": "list(it)",
    "zip(x, x)": "list(it)", "enumerate(x)": "len([*it])", "(w for w in x)": "sorted(it)", "map(int, x)": "max(it)",
}  # fmt: skip


@pytest.mark.parametrize("size", [4, 60])
@pytest.mark.parametrize("made", MADE)
def test_code_as_it_is_printed_does_not_take_an_iterator_that_a_variable_holds_to_be_its_own(made, size):
    item = "v, w" if made.startswith(("zip", "enumerate")) else "v"
    loop = f"        if v > 2:\n            break\n    return v, {MADE[made]}"
    text = f"def f(x):\n    v = 0\n    it = {made}\n    for {item} in it:\n{loop}\n"
    alone = f"def f(x):\n    v = 0\n    for {item} in {made}:\n        if v > 2:\n            break\n    return v\n"
    x = np.arange(size)
    for source, may_refuse in ((text, True), (alone, False)):
        program = load(source)
        printed = load(str(autograph.to_code(program)))
        try:
            found = runtime.function(printed, numpy=True)(x)
        except (StagingError, runtime.errors.OperatorNotAllowedInGraphError):
            assert may_refuse
        else:
            assert repr(found) == repr(program(x))
