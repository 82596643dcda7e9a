"""Changes that a staged branch makes to classes, modules, functions and iterators are as in Python, or refused by an
error that names the statement; never silently wrong.

Each program is given a number that decides a branch; it does the same as a graph, whichever way the branch goes.
"""

import array
import collections
import contextlib
import contextvars
import dataclasses
import functools
import io
import itertools
import random
import sys
import threading
import types
import weakref

import numpy as np
import pytest

import runtime
from autograph import StagingError

WORKS, REFUSED = [], []
works = lambda f: WORKS.append(f) or f
refused = lambda f: REFUSED.append(f) or f
mod = types.ModuleType("tests_module_of_effects")
mod.n = 1
sys.modules[mod.__name__] = mod
G = 1


class Base:
    n = 1


class Meta(type):
    @property
    def mp(cls):
        return cls._mp

    @mp.setter
    def mp(cls, v):
        cls._mp = v


class Slots:
    __slots__ = ("n", "m")


@dataclasses.dataclass(slots=True)
class Pair:
    a: int
    b: int


class Desc:
    def __set_name__(self, o, n):
        self.name = "_" + n

    def __get__(self, i, o=None):
        return self if i is None else i.__dict__.get(self.name, 1)

    def __set__(self, i, v):
        i.__dict__[self.name] = v


class WDesc:
    def __init__(self):
        self.data = weakref.WeakKeyDictionary()

    def __get__(self, i, o=None):
        return self.data.get(i, 1)

    def __set__(self, i, v):
        self.data[i] = v


@works
def sub_attr(x):
    class Sub(Base):
        pass

    if x > 0:
        Sub.n = 7
    return Sub.n


@works
def changed_list_in_a_list(x):
    inner = [1, 2]
    items = []
    if x > 0:
        inner[0] = 7
        items.append(inner)
    return items[0][0] * 10 + len(items) if len(items) > 0 else 0


@works
def changed_dictionary_in_a_list(x):
    inner = {"a": 1, "b": (x, 2)}
    items = []
    if x > 0:
        inner["a"] = x + 7
        inner["b"] = (x, 5)
        items.append(inner)
    return items[0]["a"] * 10 + items[0]["b"][1] if len(items) > 0 else 0


@works
def changed_object_in_a_list(x):
    inner = Pair(1, 2)
    items = []
    if x > 0:
        inner.b = x
        items.append((inner, 1))
    return items[0][0].a * 10 + items[0][0].b if len(items) > 0 else 0


@works
def sub_attr_inst(x):
    class Sub(Base):
        pass

    if x > 0:
        Sub.n = 7
    return Sub().n


@works
def base_attr(x):
    class B:
        n = 1

    class S(B):
        pass

    if x > 0:
        B.n = 7
    return S.n


@refused
def base_attr_later(x):
    class B:
        n = 1

    class S(B):
        pass

    if x > 0:
        S.n = 7
    B.n = 3
    return S.n


@works
def grandparent(x):
    class A:
        n = 1

    class B(A):
        pass

    class C(B):
        pass

    if x > 0:
        B.n = 7
    return C.n * 10 + A.n


@works
def inst_over_class(x):
    class S(Base):
        pass

    s = S()
    if x > 0:
        s.n = 7
    return s.n


@works
def class_del(x):
    class B:
        n = 1

    class S(B):
        n = 5

    if x > 0:
        del S.n
    return S.n


@works
def new_attr(x):
    class S:
        pass

    if x > 0:
        S.n = 7
    else:
        S.n = 2
    return S.n


@works
def prop(x):
    class S:
        @property
        def p(self):
            return self._p

        @p.setter
        def p(self, v):
            self._p = v

    s = S()
    s.p = 1
    if x > 0:
        s.p = 7
    return s.p


@works
def slots(x):
    s = Slots()
    s.n = 1
    if x > 0:
        s.n = 7
    return s.n


@works
def slots_new(x):
    s = Slots()
    if x > 0:
        s.n = 7
    else:
        s.n = 2
    return s.n


@refused
def desc(x):
    class S:
        d = Desc()

    s = S()
    if x > 0:
        s.d = 7
    return s.d


@refused
def wdesc(x):
    class S:
        d = WDesc()

    s = S()
    if x > 0:
        s.d = 7
    return s.d


@works
def set_attr(x):
    class S(Base):
        pass

    if x > 0:
        setattr(S, "n", 7)
    return getattr(S, "n")


@works
def set_attr_inst(x):
    s = Base()
    if x > 0:
        setattr(s, "n", 7)
    return getattr(s, "n")


@works
def dict_update(x):
    s = Base()
    if x > 0:
        s.__dict__.update(n=7)
    return s.n


@works
def vars_item(x):
    s = Base()
    if x > 0:
        vars(s)["n"] = 7
    return s.n


@works
def vars_existing(x):
    s = Base()
    s.n = 2
    if x > 0:
        vars(s)["n"] = 7
    return s.n


@works
def module_attr(x):
    old = mod.n
    if x > 0:
        mod.n = 7
    r = mod.n
    mod.n = old
    return r


@works
def global_var(x):
    global G
    if x > 0:
        G = 7
    r = G
    G = 1
    return r


@works
def globals_item(x):
    if x > 0:
        globals()["G"] = 7
    r = G
    globals()["G"] = 1
    return r


@works
def func_attr(x):
    def f():
        pass

    f.n = 1
    if x > 0:
        f.n = 7
    return f.n


@works
def func_attr_new(x):
    def f():
        pass

    if x > 0:
        f.n = 7
    else:
        f.n = 2
    return f.n


@works
def meta_prop(x):
    class S(metaclass=Meta):
        pass

    S.mp = 1
    if x > 0:
        S.mp = 7
    return S.mp


@works
def dict_sub(x):
    class D(dict):
        pass

    d = D()
    d.n = 1
    if x > 0:
        d.n = 7
    return d.n


@works
def list_sub(x):
    class D(list):
        pass

    d = D()
    d.n = 1
    if x > 0:
        d.n = 7
    return d.n


@works
def dict_sub_item(x):
    d = collections.defaultdict(int)
    d["a"] = 1
    if x > 0:
        d["a"] = 7
    return d["a"]


@works
def odict_item(x):
    d = collections.OrderedDict(a=1)
    if x > 0:
        d["a"] = 7
    return d["a"]


@works
def counter_item(x):
    d = collections.Counter(a=1)
    if x > 0:
        d["a"] += 6
    return d["a"]


@works
def userdict(x):
    d = collections.UserDict(a=1)
    if x > 0:
        d["a"] = 7
    return d["a"]


@works
def chainmap(x):
    d = collections.ChainMap({"a": 1})
    if x > 0:
        d["a"] = 7
    return d["a"]


@works
def namespace(x):
    d = types.SimpleNamespace(a=1)
    if x > 0:
        d.a = 7
    return d.a


@works
def nested_ns(x):
    d = types.SimpleNamespace(a=types.SimpleNamespace(b=1))
    if x > 0:
        d.a.b = 7
    return d.a.b


@works
def local(x):
    d = threading.local()
    d.a = 1
    if x > 0:
        d.a = 7
    return d.a


@refused
def order_of_keys(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d["a"] = d.pop("a")
    return next(iter(d.values()))


@refused
def order_of_an_ordered_dictionary(x):
    d = collections.OrderedDict(a=1, b=2)
    if x > 0:
        d.move_to_end("a")
    return list(d.values())[0]


@works
def deque_(x):
    d = collections.deque([1])
    if x > 0:
        d.append(7)
    return d[-1]


@works
def deque_item(x):
    d = collections.deque([1])
    if x > 0:
        d[0] = 7
    return d[0]


@refused
def bytes_(x):
    d = bytearray(b"1")
    if x > 0:
        d.append(7)
    return len(d)


@refused
def array_(x):
    d = array.array("i", [1])
    if x > 0:
        d[0] = 7
    return d[0]


@works
def cached(x):
    class S:
        @functools.cached_property
        def p(self):
            return 5

    s = S()
    y = 1
    if x > 0:
        y = s.p
    return y + s.p


@works
def cached_staged(x):
    class S:
        @functools.cached_property
        def p(self):
            return x * 2

    s = S()
    y = x
    if x > 0:
        y = s.p
    return y + s.p


@works
def exc_attr(x):
    class E(Exception):
        pass

    e = E()
    e.n = 1
    if x > 0:
        e.n = 7
    return e.n


@works
def method_shadow(x):
    class S:
        def m(self):
            return 1

    s = S()
    if x > 0:
        s.m = lambda: 7
    return s.m()


@refused
def method_class(x):
    class S:
        def m(self):
            return 1

    if x > 0:
        S.m = lambda self: 7
    return S().m()


@refused
def static_attr(x):
    class S:
        @staticmethod
        def m():
            return 1

    if x > 0:
        S.m = staticmethod(lambda: 7)
    return S.m()


@refused
def gen_next(x):
    it = iter([1, 7])
    y = next(it)
    if x > 0:
        y = next(it)
    return y * 10 + next(it, 0)


@works
def iterator_left_and_done_with(x):
    for v in enumerate(iter([1, 3])):
        if v[1] > x:
            break
        x = x + 1
    return x


@works
def iterator_given_to_a_function(x):
    def over(items):
        for v in items:
            if v > x:
                return v
        return 0

    return over(i + 1 for i in [0, 5]) + over(iter([1, 3]))


@refused
def iterator_left_and_asked(x):
    it = iter([1, 2, 3])
    for v in it:
        if v > x + 2:
            break
    return next(it, 10)


@refused
def iterator_left_inside_another(x):
    it = iter([1, 2, 3])
    for i, _ in enumerate(it):
        if i > x + 1:
            break
    t = 0
    for v in it:
        t = t + v
    return t


@refused
def iterator_left_and_summed(x):
    it = map(abs, [1, 2, 3])
    for v in it:
        if v > x + 2:
            break
    return sum(it)


@works
def count_next(x):
    it = itertools.count(1)
    y = next(it)
    if x > 0:
        y = next(it)
    return y * 10 + next(it)


@refused
def random_of_python(x):
    random.seed(1)
    if x > 0:
        random.random()
    return random.random()


@refused
def random_method_of_python(x):
    random.seed(1)
    i = t = 0
    while i < x + 1:
        t += random.randint(0, 1000)
        i += 1
    return t


@refused
def random_of_numpy(x):
    np.random.seed(1)
    if x > 0:
        np.random.rand()
    return np.random.rand()


@works
def random_before(x):
    random.seed(1)
    drawn = random.randint(0, 9), np.random.RandomState(2).randint(9)
    if x > 0:
        return drawn[0]
    return drawn[1]


@works
def attribute_of_an_exception(x):
    error = ValueError("x")
    error.code = 1
    if x > 0:
        error.code = 7
    return error.code


@works
def slot_that_may_be_empty(x):
    s = Slots()
    s.n = 1
    if x > 0:
        s.m = 7
    else:
        del s.n
    return hasattr(s, "m") * 10 + hasattr(s, "n") + getattr(s, "m", 3)


@refused
def dict_pop(x):
    d = {"a": 1, "b": 2}
    if x > 0:
        d.pop("a")
    return len(d)


@works
def object_setattr(x):
    s = Base()
    if x > 0:
        object.__setattr__(s, "n", 7)
    return s.n


@works
def class_counter(x):
    class C:
        made = 0

        def __init__(self):
            type(self).made += 1

    C()
    if x > 0:
        C()
    return C.made


@works
def partial_kw(x):
    p = functools.partial(dict, a=1)
    if x > 0:
        p.keywords["a"] = 7
    return p()["a"]


@works
def default_arg(x):
    def f(a, seen=[]):
        seen.append(a)
        return len(seen)

    f(1)
    if x > 0:
        f(2)
    return f(3)


@works
def kwdefault(x):
    def f(*, seen={"n": 1}):
        return seen

    if x > 0:
        f()["n"] = 7
    return f()["n"]


@refused
def defaults_set(x):
    def f(a=1):
        return a

    if x > 0:
        f.__defaults__ = (7,)
    return f()


@refused
def inst_class(x):
    class A:
        n = 1

    class B:
        n = 7

    s = A()
    if x > 0:
        s.__class__ = B
    return s.n


@refused
def bases(x):
    class A:
        n = 1

    class B:
        n = 7

    class S(A):
        pass

    if x > 0:
        S.__bases__ = (B,)
    return S.n


@refused
def code_set(x):
    def f():
        return 1

    def g():
        return 7

    if x > 0:
        f.__code__ = g.__code__
    return f()


@refused
def contextvar(x):
    v = contextvars.ContextVar("v", default=1)
    if x > 0:
        v.set(7)
    return v.get()


@works
def nonlocal_cell(x):
    n = 1

    def s():
        nonlocal n
        n = 7

    if x > 0:
        s()
    return n


@works
def loop_class(x):
    class S(Base):
        pass

    i = 0
    while i < x:
        S.n = S.n + 2
        i = i + 1
    return S.n


def as_graph(program, value):
    return np.asarray(runtime.function(program, jit_compile=False)(np.int32(value))).item()


@pytest.mark.parametrize("value", [2, -2])
@pytest.mark.parametrize("program", WORKS, ids=lambda f: f.__name__)
def test_a_change_in_a_branch_is_as_in_python(program, value):
    assert as_graph(program, value) == program(value)


@pytest.mark.parametrize("value", [2, -2])
@pytest.mark.parametrize("program", REFUSED, ids=lambda f: f.__name__)
def test_a_change_that_a_graph_cannot_make_is_refused(program, value):
    wanted = program(value)
    try:
        found = as_graph(program, value)
    except (StagingError, AttributeError) as error:
        assert __file__ in str(error)
    else:  # only the run that would be wrong fails
        assert found == wanted
        with pytest.raises((StagingError, AttributeError)):
            as_graph(program, -value)


class Shelf(collections.deque):
    label = 1


def defaulted(n=1):
    return n


def other(n=2):
    return -n


def _reordered(d):
    d["a"] = d.pop("a")


def _left_inside(iterator):
    return iterator.__reduce__()[1][0].__length_hint__()


VARIABLE = contextvars.ContextVar("VARIABLE", default=1)
KEPT = {  # what makes a thing, what a branch does to it, and how it is looked at
    "deque made longer": (lambda: collections.deque([1, 2]), lambda d: d.append(7), list),
    "deque that is full": (lambda: collections.deque([1, 2], 2), lambda d: d.appendleft(7), list),
    "deque turned": (lambda: collections.deque([1, 2, 3]), lambda d: d.rotate(1), list),
    "deque of the user's": (lambda: Shelf([1, 2]), lambda d: d.pop(), list),
    "set": (lambda: {1, 2}, lambda d: d.add(7), sorted),
    "set made smaller": (lambda: {1, 2}, lambda d: d.discard(2), sorted),
    "bytes": (lambda: bytearray(b"ab"), lambda d: d.append(99), bytes),
    "one byte": (lambda: bytearray(b"ab"), lambda d: d.__setitem__(0, 99), bytes),
    "array": (lambda: array.array("d", [1, 2]), lambda d: d.append(7), list),
    "number of an array": (lambda: array.array("d", [1, 2]), lambda d: d.__setitem__(1, 7), list),
    "order of keys": (lambda: {"a": 1, "b": 2}, _reordered, lambda d: [*d.items()]),
    "order of an ordered dictionary": (
        lambda: collections.OrderedDict(a=1, b=2), lambda d: d.move_to_end("a"), lambda d: [*d.items()]
    ),
    "class of an object": (Base, lambda d: setattr(d, "__class__", Sub), type),
    "defaults": (lambda: defaulted, lambda d: setattr(d, "__defaults__", (9,)), lambda d: d()),
    "code": (lambda: defaulted, lambda d: setattr(d, "__code__", other.__code__), lambda d: d()),
    "context": (lambda: VARIABLE, lambda d: d.set(7), lambda d: d.get()),
    "seen memory": (lambda: memoryview(bytearray(b"ab")), lambda d: d.__setitem__(0, 99), bytes),
    "arguments of an exception": (lambda: ValueError(1), lambda d: setattr(d, "args", (7,)), lambda d: d.args),
    "a list in them": (lambda: ValueError([1]), lambda d: d.args[0].append(7), lambda d: [*d.args[0]]),
    "text in memory": (lambda: io.StringIO("ab"), lambda d: d.write("c"), lambda d: (d.getvalue(), d.tell())),
    "bytes in memory": (lambda: io.BytesIO(b"ab"), lambda d: d.read(), lambda d: (d.getvalue(), d.tell())),
    "random numbers": (lambda: random.Random(1), lambda d: d.random(), lambda d: d.getstate()),
    "NumPy's random numbers": (
        lambda: np.random.default_rng(1), lambda d: d.random(), lambda d: str(d.bit_generator.state)
    ),
    "a stack of exits": (contextlib.ExitStack, lambda d: d.callback(print), lambda d: len(d._exit_callbacks)),
    "iterator": (lambda: iter([1, 2, 3]), lambda d: next(d), lambda d: d.__length_hint__()),
    "iterator over numbers": (lambda: iter(range(5)), lambda d: next(d), lambda d: d.__length_hint__()),
    "iterator backwards": (lambda: reversed([1, 2, 3]), lambda d: next(d), lambda d: d.__length_hint__()),
    "iterator with numbers": (lambda: enumerate([1, 2, 3]), lambda d: next(d), _left_inside),
}  # fmt: skip
if sys.version_info >= (3, 12):
    del KEPT["iterator over numbers"]  # it cannot go back


class Sub(Base):
    pass


PLACES = {  # where it is found
    "itself": (lambda thing: thing, lambda place: place),
    "in a list": (lambda thing: [0, thing], lambda place: place[1]),
    "in a dictionary": (lambda thing: {"k": thing}, lambda place: place["k"]),
    "as an attribute": (lambda thing: types.SimpleNamespace(k=thing), lambda place: place.k),
    "in a tuple in a deque": (lambda thing: collections.deque([(0, thing)]), lambda place: place[0][1]),
}


@pytest.mark.parametrize("where", PLACES)
@pytest.mark.parametrize("name", KEPT)
def test_what_a_refused_branch_has_changed_is_put_back(name, where):
    """So is what it has changed before that, and after it."""
    (make, change, look), (put, find) = KEPT[name], PLACES[where]
    thing, numbers, texts = make(), collections.deque([1]), {"a": 1}
    place = put(thing)

    def program(x):
        if x > 0:
            numbers.append(5)
            change(find(place))
            texts["b"] = texts.pop("a")
        return x

    before = look(thing)
    for _ in range(2):
        with pytest.raises(StagingError, match="a staged statement"):
            as_graph(program, 2)
        assert (look(thing), [*numbers], texts) == (before, [1], {"a": 1})


def _guarded(act):
    """Guards that act on something before only the graph can tell whether they hold."""

    def program(x):
        thing = Acted()
        match (x, 1):
            case [a, 1] if act(thing, a) > 3:
                found = 1
            case [a, 1] if act(thing, a) > 1:
                found = 2
            case _:
                found = 3
        return ((found * 100 + thing.n) * 100 + len(thing.items)) * 100 + thing.known["k"]

    return program


class Acted:
    __match_args__ = ("twice",)

    def __init__(self, n=0):
        self.n = n
        self.items = []
        self.known = {"k": 0}

    @property
    def twice(self):
        self.n += 1
        return self.n * 2


def _in_attribute(thing, a):
    thing.n += a
    return thing.n


def _in_list(thing, a):
    thing.items.append(a)
    return a


def _in_dictionary(thing, a):
    thing.known["k"] += a
    return thing.known["k"]


@pytest.mark.parametrize("value", [5, 2, 1, -2])
@pytest.mark.parametrize("act", [_in_attribute, _in_list, _in_dictionary])
def test_a_guard_changes_things_once(act, value):
    program = _guarded(act)
    assert as_graph(program, value) == program(value)


@pytest.mark.parametrize("value", [5, 2, 0])
def test_what_a_pattern_asks_for_is_asked_once(value):
    def program(x):
        thing = Acted(x)
        match thing:
            case Acted(2):
                found = 1
            case Acted(8):
                found = 2
            case Acted(n) if n > 9:
                found = 3
            case _:
                found = 4
        return found * 100 + thing.n

    assert as_graph(program, value) == program(value)


def test_a_guard_that_acts_when_the_graph_runs_is_refused():
    total = runtime.Variable(0)

    def program(x):
        match x:
            case a if total.assign_add(a) > 3:
                return 1
        return 2

    with pytest.raises(StagingError, match="more than once.*\n.*match x"):
        as_graph(program, 5)


def test_a_guard_that_may_fail_is_followed_twice():
    def checked(a):
        assert a > -5
        return a

    def program(x):
        match x:
            case a if checked(a) > 3:
                return 1
            case a if checked(a) > 1:
                return 2
        return 3

    assert [as_graph(program, v) for v in (5, 2, 0)] == [1, 2, 3]
    with pytest.raises(AssertionError):
        as_graph(program, -5)
