"""Each special method of the user's objects is called as often as by Python, and in the same order, whatever is traced.

A program is given recording objects, which log every call of a special method; the log is the same as it is written,
converted, as if something was being traced, and in a real trace with a staged statement beside it.
"""

import linecache

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import load, staging

LOG = []
RECORD = LOG.append  # in which nobody can look for what a staged statement may change


def logged(name, result):
    def method(self, *arguments, **keywords):
        RECORD((self.label, name))
        return result(self, *arguments, **keywords)

    return method


class Meta(type):
    """Classes that are neither hashable nor comparable without leaving a trace."""

    label = "Meta"
    __hash__ = logged("class __hash__", lambda cls: 1)
    __eq__ = logged("class __eq__", lambda cls, other: cls is other)

    def __getattribute__(cls, name):
        if name not in ("label", "__name__"):
            RECORD(("Meta", name))
        return super().__getattribute__(name)


class Silent:
    """What the recording objects keep, where no attribute is looked up."""

    def __init__(self, label):
        object.__setattr__(self, "label", label)


def attribute(self, name):
    if name not in ("label", "values", "position"):
        RECORD((object.__getattribute__(self, "label"), f".{name}"))
    return object.__getattribute__(self, name)


def unknown(self, name):
    RECORD((self.label, f"__getattr__ {name}"))
    if name.startswith("made"):
        return 3
    raise AttributeError(name)


class Recorder(Silent, metaclass=Meta):
    """An object of every protocol; `values` are what it goes through."""

    def __init__(self, label, values=(1, 2, 3)):
        super().__init__(label)
        object.__setattr__(self, "values", list(values))

    __getattribute__ = attribute
    __getattr__ = unknown
    __iter__ = logged("__iter__", lambda self: Steps(f"{self.label} steps", self.values))
    __len__ = logged("__len__", lambda self: len(self.values))
    __bool__ = logged("__bool__", lambda self: bool(self.values))
    __contains__ = logged("__contains__", lambda self, value: value in self.values)
    __getitem__ = logged("__getitem__", lambda self, index: self.values[index])
    __setitem__ = logged("__setitem__", lambda self, index, value: None)
    __delitem__ = logged("__delitem__", lambda self, index: None)
    __eq__ = logged("__eq__", lambda self, other: self is other)
    __hash__ = logged("__hash__", lambda self: 1)
    __lt__ = logged("__lt__", lambda self, other: True)
    __le__ = logged("__le__", lambda self, other: False)
    __enter__ = logged("__enter__", lambda self: self)
    __exit__ = logged("__exit__", lambda self, *error: True)
    __index__ = logged("__index__", lambda self: 1)
    __int__ = logged("__int__", lambda self: 1)
    __float__ = logged("__float__", lambda self: 1.0)
    __abs__ = logged("__abs__", lambda self: 1)
    __round__ = logged("__round__", lambda self, digits=None: 1)
    __divmod__ = logged("__divmod__", lambda self, other: (1, 2))
    __pow__ = logged("__pow__", lambda self, other: 4)
    __add__ = logged("__add__", lambda self, other: self)
    __radd__ = logged("__radd__", lambda self, other: self)
    __iadd__ = logged("__iadd__", lambda self, other: self)
    __neg__ = logged("__neg__", lambda self: self)
    __invert__ = logged("__invert__", lambda self: self)
    __matmul__ = logged("__matmul__", lambda self, other: self)
    __call__ = logged("__call__", lambda self, *given: len(given))
    __format__ = logged("__format__", lambda self, spec: "formatted")
    __str__ = logged("__str__", lambda self: "text")
    __repr__ = logged("__repr__", lambda self: "shown")
    __reversed__ = logged("__reversed__", lambda self: iter(self.values[::-1]))
    __length_hint__ = logged("__length_hint__", lambda self: 3)
    __dir__ = logged("__dir__", lambda self: [])
    __sizeof__ = logged("__sizeof__", lambda self: 1)
    __setattr__ = logged("__setattr__", lambda self, name, value: object.__setattr__(self, name, value))

    @property
    def n(self):
        RECORD((self.label, "n read"))
        return len(self.values)

    @n.setter
    def n(self, value):
        RECORD((self.label, "n written"))

    @property
    def __class__(self):
        RECORD((self.label, "__class__"))
        return Recorder


class Steps(Silent):
    """An iterator that is asked for an iterator, too."""

    def __init__(self, label, values):
        super().__init__(label)
        self.values, self.position = values, 0

    __iter__ = logged("__iter__", lambda self: self)

    def __next__(self):
        RECORD((self.label, "__next__"))
        self.position += 1
        if self.position > len(self.values):
            raise StopIteration
        return self.values[self.position - 1]

    def __length_hint__(self):
        RECORD((self.label, "__length_hint__"))
        return 3


def plain_loop(a, b):
    total = 0
    for v in a:
        total += v
    return total


def loop_with_break(a, b):
    for v in a:
        if v == 2:
            break
    return v


def loop_over_an_iterator(a, b):
    it = iter(a)
    first = next(it)
    for v in it:
        if v > 2:
            return first + v
    return 0


def loop_with_else(a, b):
    for v in a:
        if v > 5:
            break
    else:
        return -1
    return v


def loop_with_continue(a, b):
    total = 0
    for v in a:
        if v == 2:
            continue
        total += v
    return total


def nested_loops_with_return(a, b):
    for v in a:
        for w in b:
            if v + w == 4:
                return v * 10 + w
    return 0


def while_loop(a, b):
    count = 0
    while a and count < 2:
        count += 1
    return count


def while_with_break(a, b):
    count = 0
    while a:
        count += 1
        if count > 2:
            break
    return count


def while_over_a_property(a, b):
    count = 0
    while count < a.n:
        count += 1
    return count


def truth(a, b):
    if a:
        x = 1
    else:
        x = 2
    y = 1 if b else 2
    return x + y, bool(a), not a


def elifs(a, b):
    if a == 1:
        return 1
    elif b == 2:
        return 2
    elif a:
        return 3
    return 4


def logic(a, b):
    return (a and 1), (a or 1), (not b), (a and b and 1), (a is b), (a is not None and a.n > 1)


def logic_in_tests(a, b):
    if a and b or not a:
        return 1
    return 0


def chained_comparisons(a, b):
    return (a < b <= a), (1 < a.n < 5), (a == b == a), (a == b) is False


def membership(a, b):
    return 2 in a, 9 not in a, a in [b, a], a in (b,), b in {1: 2}, a in [a], b not in [1, a]


def membership_in_tests(a, b):
    if 2 in a and b not in [a]:
        return 1
    return 0


def items(a, b):
    a[0] = a[1]
    del a[2]
    a[0] += 1
    return a[b], a[-1], [1, 2, 3][a], (4, 5)[b], {1: 2}.get(a)


def keys(a, b):
    table = {a: 1}
    table[b] = 2
    return table[a], a in table, len(table), table.get(b), table.pop(a)


def sets(a, b):
    found = {a, b}
    found.add(a)
    return len(found), a in found


def attributes(a, b):
    a.n = a.n + 1
    a.n += 1
    a.other = 2
    return a.other, a.made_up, getattr(a, "n"), getattr(a, "nothing", 5), hasattr(a, "nothing"), hasattr(a, "made_too")


def attributes_in_branches(a, b):
    a.count = 0
    if a.n > 2:
        a.count = a.n
    elif a.n:
        a.count = 1
    while a.count < 5:
        a.count += 1
    return a.count


def attributes_in_a_loop(a, b):
    a.total = 0
    for v in b:
        a.total += v
        if a.total > 2:
            break
    return a.total


def managers(a, b):
    with a as x, b:
        if x:
            raise ValueError(1)
    with a:
        return 5


def operators(a, b):
    a += 1
    a = a + b
    a = 1 + a
    return -a, ~a, a @ b, a**2


def calls(a, b):
    return a(), a(1, b), a(*b), [a(v) for v in b]


def texts(a, b):
    return f"{a} {b!r} {a:>3}", "%s %r" % (a, b), "{} {!r}".format(a, b), str(a), repr(b), format(a, "x")


def joined(a, b):
    return ",".join([str(a), f"{b}"])


def comprehensions(a, b):
    return [v for v in a], [v for v in a if v > 1], {v for v in b}, {v: w for v in a for w in b}, sum(v for v in a if v)


def nested_comprehensions(a, b):
    return [[v + w for w in b] for v in a if v != 2], [v for v in a for w in b if w > v]


def comprehensions_over_pairs(a, b):
    pairs = [Recorder("p", (1, 2)), Recorder("q", (3, 4))]
    return [x + y for x, y in pairs], [x for x, y in pairs if y > 2], {x: y for x, y in pairs}


def taken_apart(a, b):
    x, y, z = a
    first, *rest = b
    return x + y + z, first, rest, [*a, *b], (*a,), {*b}


def builtin_functions(a, b):
    return len(a), int(a), float(a), abs(a), round(a), round(a, 2), divmod(a, 2), pow(a, 2), bool(b), range(a)


def builtins_over_items(a, b):
    return sum(a), min(a), max(a), any(a), all(a), list(a), tuple(a), sorted(a), list(reversed(b))


def lazy_builtins(a, b):
    return list(zip(a, b)), list(enumerate(a)), list(map(str, a)), list(filter(None, b)), list(filter(bool, a))


def keyed(a, b):
    return sorted([a, b], key=lambda v: v.n), max([a, b], key=lambda v: v.n) is a, min(a, b) is b, sum([a, b], a) is a


def equality_of_lists(a, b):
    return [a] == [a], [a] == [b], (a, b) == (a, b), {1: a} == {1: b}


def matched(a, b):
    match a:
        case 1:
            return 1
        case [x, y]:
            return 2
        case Recorder(n=3):
            return 3
    return 4


def asserted(a, b):
    assert a, "empty"
    assert a.n == 3
    return 1


def raised(a, b):
    try:
        if a.n > 2:
            raise KeyError(a.n)
    except KeyError as error:
        return error.args
    finally:
        b.n = 1
    return None


def in_functions(a, b):
    def inner(v):
        if v:
            return v.n
        return 0

    return inner(a) + inner(b), (lambda v: v.n if v else 0)(a)


def starred_calls(a, b):
    def inner(*values, **named):
        return len(values), sorted(named)

    return inner(*a, *b), inner(a, x=b)


def generators(a, b):
    def steps():
        for v in a:
            if v > 1:
                yield v
        yield from b

    return list(steps()), next(v for v in a if v > 1)


PROGRAMS = [f for f in list(globals().values()) if callable(f) and getattr(f, "__module__", "") == __name__]
PROGRAMS = [f for f in PROGRAMS if f.__class__ is type(plain_loop) and f.__code__.co_varnames[:2] == ("a", "b")]


def shown(value):
    """A result without asking the objects in it."""
    if issubclass(type(value), list):  # a trace has lists of its own
        return list, [shown(v) for v in value]
    if type(value) is tuple:
        return tuple, [shown(v) for v in value]
    if type(value) in (set, dict):
        return type(value), len(value)
    return value if type(value) in (int, str, float, bool, range, type(None)) else (type(value).__name__,)


def run(call):
    """What a call returns or raises, and the log of it."""
    LOG.clear()
    try:
        result = shown(call())
    except Exception as error:
        result = type(error), str(error)
    log, LOG[:] = list(LOG), []
    return result, log


def objects():
    return Recorder("a"), Recorder("b", (1, 2, 3))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_asks_its_objects_what_python_asks(program):
    wanted = run(lambda: program(*objects()))
    assert wanted[1], "the program records nothing"
    assert run(lambda: autograph.convert(program)(*objects())) == wanted
    converted = autograph.to_graph(program)
    assert run(lambda: converted(*objects())) == wanted
    with staging():
        assert run(lambda: converted(*objects())) == wanted
        assert run(lambda: autograph.convert(program)(*objects())) == wanted
    assert traced(program, beside) == traced(program, None) == wanted


def beside(x, a, b):
    """A staged statement that can reach the objects."""
    y = x
    if x > 0:
        y = x + 1 if a is not b else x
    while y < 3:
        y = y + 1 if b is not None else y
    return y


def traced(program, other):
    """The log of a program that runs while something is traced, and what else reaches its objects is staged."""
    found = []
    a, b = objects()
    converted = autograph.to_graph(program)

    def whole(x):
        if other is not None:
            x = other(x, a, b)
        found.append(run(lambda: converted(a, b)))
        return other(x, a, b) if other is not None else x

    LOG.clear()
    runtime.function(whole, jit_compile=False)(np.float32(1.0))
    left = list(LOG)
    assert left == [], "what is staged has asked the objects"
    return found[0]


def test_programs_are_found_by_their_source():
    text = "def f(a):\n    for v in a:\n        if v > 1:\n            break\n    return v\n"
    function = load(text)
    assert linecache.getline(function.__code__.co_filename, 1)
    wanted = run(lambda: function(Recorder("a")))
    with staging():
        assert run(lambda: autograph.to_graph(function)(Recorder("a"))) == wanted
