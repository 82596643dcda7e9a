"""With NumPy's manners, what a program changes between two calls is seen by the next one, wherever it is."""

import array
import collections
import contextvars
import dataclasses
import functools
import operator
import types

import numpy as np
import pytest

import runtime

X = np.array([1.0, 2.0])
GAIN, TABLE, WEIGHTS = 1.0, [1.0], np.array([1.0, 2.0])


def helper(v):
    return v + 1


@dataclasses.dataclass(slots=True)
class Slotted:
    gain: float


class SlotsAndMore:
    __slots__ = ("__dict__", "a")


class Holder:
    pass


class Log(list):
    def add(self, value):
        self.append(value)
        self.noted = getattr(self, "noted", 0) + 1
        return self


class Settings(dict):
    pass


def nothing():
    pass


def put(holder, **values):
    for name, value in values.items():
        setattr(holder, name, value)


def variables(**values):
    globals().update(values)


# Each is given a decorator, and gives a call and what to do before each of the calls.


def a_namespace(decorate):
    n = types.SimpleNamespace(gain=2.0)
    f = decorate(lambda x, n: x * n.gain)
    return lambda: f(X, n), [nothing, lambda: put(n, gain=3.0), nothing]


def a_namespace_in_an_attribute(decorate):
    k = Holder()
    k.n = types.SimpleNamespace(gain=2.0)
    f = decorate(lambda x: x * k.n.gain)
    return lambda: f(X), [nothing, lambda: put(k.n, gain=3.0), lambda: put(k, n=types.SimpleNamespace(gain=7))]


def objects_with_slots(decorate):
    k, c = Holder(), Slotted(1.0)
    k.n = Slotted(2.0)
    f = decorate(lambda x: x * k.n.gain * c.gain)
    return lambda: f(X), [nothing, lambda: put(k.n, gain=3.0), lambda: put(k, n=Slotted(7)), lambda: put(c, gain=9.0)]


def slots_and_attributes(decorate):
    s = SlotsAndMore()
    s.a, s.b = 1.0, 2.0
    f = decorate(lambda x, s: x * s.a * s.b)
    return lambda: f(X, s), [nothing, lambda: put(s, a=3.0), lambda: put(s, b=5.0)]


def of_a_library_s_class(decorate):
    u, c, items = collections.UserDict(g=2.0), collections.ChainMap({"g": 2.0}, {}), collections.UserList([1.0])
    f = decorate(lambda x, u, c, items: x * u["g"] * c["g"] * items[0])
    steps = [nothing, lambda: u.update(g=3.0), lambda: c.update(g=4.0), lambda: items.insert(0, 5.0)]
    return lambda: f(X, u, c, items), steps


def a_proxy(decorate):
    behind = {"g": 2.0}
    u = types.MappingProxyType(behind)
    f = decorate(lambda x, u: x * u["g"])
    return lambda: f(X, u), [nothing, lambda: behind.update(g=3.0)]


def lists_and_dictionaries_of_a_class(decorate):
    k = Holder()
    k.log, k.settings = Log([1.0, 2.0]), Settings(g=4.0)
    f = decorate(lambda x: x * k.log[0] * k.settings["g"])
    return lambda: f(X), [nothing, lambda: k.log.insert(0, 3.0), lambda: k.settings.update(g=3.0)]


def an_array_of_objects(decorate):
    k = Holder()
    k.parts = np.array([1.0, None], object)
    f = decorate(lambda x: x * k.parts[0])
    return lambda: f(X), [nothing, lambda: k.parts.put(0, 3.0)]


def arrays_of_bytes(decorate):
    k = Holder()
    k.bytes, k.numbers = bytearray(b"\x01\x02"), array.array("d", [1.0, 2.0])
    f = decorate(lambda x: x * k.bytes[0] * k.numbers[0])
    return lambda: f(X), [nothing, lambda: k.bytes.insert(0, 3), lambda: k.numbers.insert(0, 3.0)]


def an_attribute_of_a_function(decorate):
    def g(v):
        return v * g.gain

    g.gain = 2.0
    f = decorate(lambda x, g: g(x))
    return lambda: f(X, g), [nothing, lambda: put(g, gain=5.0)]


def an_attribute_of_the_function(decorate):
    f = decorate(lambda x: x * f.gain)
    f.gain = 2.0
    return lambda: (f(X), f.gain), [nothing, lambda: put(f, gain=5.0), nothing]


def attributes_that_the_function_sets(decorate):
    @decorate
    def f(x):
        f.calls = getattr(f, "calls", 0) + 1
        f.last = x.sum() * f.calls
        return f.calls, f.last

    return lambda: (f(X), f.calls, f.last), [nothing, nothing, nothing]


def variables_around(decorate):
    gain, table, weights = 1.0, [2.0], np.array([1.0, 2.0])

    def change(value):
        nonlocal gain
        gain = value

    f = decorate(lambda x: x * gain * table[0] * weights)
    return lambda: f(X), [nothing, lambda: change(3.0), lambda: table.insert(0, 5.0), lambda: weights.put(0, 7.0)]


def variables_around_a_function_that_is_given(decorate):
    gain = 2.0

    def change(value):
        nonlocal gain
        gain = value

    f = decorate(lambda x, g: g(x))

    def g(v):
        return v * gain

    return lambda: f(X, g), [nothing, lambda: change(3.0)]


def variables_of_the_module(decorate):
    variables(GAIN=1.0, TABLE=[1.0], WEIGHTS=np.array([1.0, 2.0]), helper=lambda v: v + 1)
    f = decorate(lambda x: helper(x) * GAIN * TABLE[0] * WEIGHTS)
    return lambda: f(X), [
        nothing,
        lambda: variables(GAIN=2.0),
        lambda: TABLE.insert(0, 5.0),
        lambda: WEIGHTS.put(0, 7.0),
        lambda: variables(helper=lambda v: v * 10),
        nothing,
    ]


def variables_of_another_module(decorate):
    module = types.ModuleType("settings_of_a_user")
    module.SCALE = 2.0
    f = decorate(lambda x: x * module.SCALE)
    return lambda: f(X), [nothing, lambda: put(module, SCALE=3.0)]


def attributes_of_a_class(decorate):
    class K:
        gain, table = 2.0, [1.0]

    f = decorate(lambda x, k: x * k.gain * K.table[0])
    k = K()
    return lambda: f(X, k), [nothing, lambda: put(K, gain=3.0), lambda: K.table.insert(0, 4.0)]


def a_variable_of_a_context(decorate):
    gain = contextvars.ContextVar("gain", default=2.0)
    f = decorate(lambda x: x * gain.get())
    return lambda: f(X), [nothing, lambda: gain.set(4.0)]


def behind_a_partial(decorate):
    k = Holder()
    k.gain = 2.0
    g = functools.partial(lambda k, v: v * k.gain, k)
    f = decorate(lambda x, g: g(x))
    return lambda: f(X, g), [nothing, lambda: put(k, gain=3.0)]


def a_list_of_a_class_that_is_given(decorate):
    log, settings = Log([1.0]), Settings()

    @decorate
    def f(x, log, settings):
        log.add(x.sum())
        settings["last"] = x.max()
        settings.least = x.min()
        return len(log), log.noted, log[-1], log, settings

    def call():
        found = f(X, log, settings)
        return found, found[3] is log, found[4] is settings, log, log.noted, vars(settings)

    return call, [nothing, nothing, lambda: log.add(5.0)]


ACT, KIND, CALLED = np.sin, None, None


def another_function_of_c(decorate):
    variables(ACT=np.sin)
    f = decorate(lambda x: ACT(x))
    return lambda: f(X), [nothing, lambda: variables(ACT=np.cos), lambda: variables(ACT=abs)]


def another_class(decorate):
    class First:
        k = 1

    class Second:
        k = 2

    variables(KIND=First)
    f = decorate(lambda x: (x * KIND.k, isinstance(KIND(), Second)))
    return lambda: f(X), [nothing, lambda: variables(KIND=Second)]


def another_decorated_function(decorate):
    add = [decorate(lambda x: x + 1), decorate(lambda x: x + 2)]
    variables(CALLED=add[0])
    f = decorate(lambda x: CALLED(x))
    return lambda: f(X), [nothing, lambda: variables(CALLED=add[1])]


class Scaled:
    limit = 10

    def __init__(self):
        self.k = 1

    def times(self, x):
        return x * self.k

    @property
    def twice(self):
        return 2


class Limited(Scaled):
    pass


def behind_a_bound_method(decorate):
    s, d = Scaled(), {"a": 1}
    kept, get, values = s.times, d.get, d.values()
    f = decorate(lambda x: kept(x) * get("a") + sum(values))
    return lambda: f(X), [nothing, lambda: put(s, k=10), lambda: d.update(a=5)]


def in_a_partial(decorate):
    settings = {"k": 1}
    p = functools.partial(lambda settings, x: x * settings["k"], settings)
    f = decorate(lambda x, q: p(x) + q(x))
    return lambda: f(X, p), [nothing, lambda: settings.update(k=5)]


def by_a_getter(decorate):
    s, get = Scaled(), operator.attrgetter("k")
    f = decorate(lambda x: x * get(s))
    return lambda: f(X), [nothing, lambda: put(s, k=10)]


def an_attribute_of_a_derived_class(decorate):
    class Derived(Scaled):
        pass

    s = Derived()
    f = decorate(lambda x: np.minimum(x * 50, s.limit) + s.twice)
    return lambda: f(X), [nothing, lambda: put(Derived, limit=3), lambda: put(Derived, twice=7)]


def a_method_of_a_class(decorate):
    class Derived(Scaled):
        pass

    s = Derived()
    f = decorate(lambda x: s.times(x))
    return lambda: f(X), [nothing, lambda: put(Derived, times=lambda self, x: x * 7)]


def defaults_of_a_function(decorate):
    def g(x, k=1, *, m=2):
        return x * k + m

    f = decorate(lambda x: g(x))
    return lambda: f(X), [nothing, lambda: put(g, __defaults__=(7,)), lambda: g.__kwdefaults__.update(m=5)]


def what_is_only_set(decorate):
    k = Holder()
    k.ready = False

    @decorate
    def f(x):
        k.ready = True
        return x * 2

    return lambda: (f(X), k.ready), [nothing, lambda: put(k, ready=False), nothing, lambda: put(k, ready=False)]


def shapes_and_dtypes(decorate):
    known, k = {}, Holder()

    @decorate
    def f(x):
        known[x.shape, x.dtype] = 1
        known[x.shape] = 2
        k.dtype = x.dtype
        return {x.shape: 1}, {x.shape}, x.dtype

    return lambda: (f(X), known, vars(k), [type(key) for key in known], type(k.dtype)), [nothing, nothing]


PROGRAMS = [
    a_namespace, a_namespace_in_an_attribute, objects_with_slots, slots_and_attributes, of_a_library_s_class, a_proxy,
    lists_and_dictionaries_of_a_class, an_array_of_objects, arrays_of_bytes, an_attribute_of_a_function,
    an_attribute_of_the_function, attributes_that_the_function_sets, variables_around,
    variables_around_a_function_that_is_given, variables_of_the_module, variables_of_another_module,
    another_function_of_c, another_class, another_decorated_function, behind_a_bound_method, in_a_partial, by_a_getter,
    an_attribute_of_a_derived_class, a_method_of_a_class, defaults_of_a_function, what_is_only_set, shapes_and_dtypes,
    attributes_of_a_class, a_variable_of_a_context, behind_a_partial, a_list_of_a_class_that_is_given,
]  # fmt: skip


def observed(make, decorate):
    call, steps = make(decorate)
    found = []
    for step in steps:
        step()
        found.append(repr(call()))
    return found


@pytest.mark.parametrize("make", PROGRAMS, ids=lambda make: make.__name__)
def test_what_is_changed_between_calls_is_seen(make):
    assert observed(make, runtime.function(numpy=True)) == observed(make, lambda f: f)


def test_attributes_of_a_function_are_those_of_what_was_decorated():
    def g(x):
        return x * 2

    g.gain = 3
    f = runtime.function(g)
    assert f.gain == 3 and "gain" in dir(f)
    f.gain = 4
    assert (f.gain, g.gain) == (4, 3)
    del f.gain
    with pytest.raises(AttributeError, match="no attribute 'gain'"):
        _ = f.gain
    f.__doc__ = "what it does"
    assert f.__doc__ == "what it does" and "__doc__" not in vars(f._attributes)
