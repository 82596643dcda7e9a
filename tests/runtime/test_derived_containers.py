"""Lists, tuples and dictionaries of the user's own classes, and objects with a say in how they are copied, as results:
what they are is what plain Python makes of them, items and attributes."""

from __future__ import annotations

import functools
import operator
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple

import numpy as np
import pytest

import runtime
from autograph import StagingError


class Stack(list):
    pass


class Sized(list):
    def __init__(self, size):
        super().__init__()
        self.size = size


class Table(dict):
    pass


class Named(dict):
    def __init__(self, name):
        super().__init__()
        self.name = name


class Pair(tuple):
    pass


class Point(namedtuple("Point", "x y")):  # without __slots__, as most are
    def norm(self):
        return self.x + self.y


class Ordered(OrderedDict):
    pass


class Grouped(defaultdict):
    pass


class Slotted(list):
    __slots__ = ("unit",)


class Counted:
    """What copies it has more than it."""

    def __init__(self, content, unit="m"):
        self.content, self.unit = content, unit

    def __getstate__(self):
        return {**self.__dict__, "pickled": True}


class Restored(Counted):
    def __getstate__(self):
        return self.content, self.unit

    def __setstate__(self, state):
        self.content, self.unit = state
        self.restored = True


class Unpickled(Counted):
    def __getstate__(self):
        raise TypeError("it cannot be pickled")


def filled(kind, x, *arguments):
    made = kind(*arguments)
    if isinstance(made, dict):
        made["first"] = x + 1
        made["second"] = 2
    else:
        made.append(x + 1)
        made.append(2)
    return made


def stack(x):
    return filled(Stack, x)


def stack_with_an_attribute(x):
    made = filled(Stack, x)
    made.label, made.scale = "s", x * 2
    return made


def attribute_alone(x):
    made = Stack([1, 2])
    made.scale = x * 2
    return made


def with_arguments(x):
    return filled(Sized, x, x * 3), filled(Named, x, "n")


def slotted(x):
    made = filled(Slotted, x)
    made.unit = x[0]
    return made


def table(x):
    return {"inner": [filled(Table, x)]}


def tuples(x):
    return Pair((x, x + 1)), Point(x + 1, y=2), Point(x, 3).norm()


def dictionaries(x):
    grouped = Grouped(list)
    grouped["a"].append(x + 1)
    counts = Counter("aab")
    counts["c"] = x[0]
    return filled(Ordered, x), grouped, counts


def twice_the_same(x):
    made = filled(Stack, x)
    return made, made


def of_a_branch(x):
    if x[0] > 0:
        made = filled(Table, x)
        made.sign = "+"
    else:
        made = filled(Table, -x)
        made.sign = "-"
    return made


def changed_in_a_branch(x):
    made = Table()
    made.unit = "m"
    if x[0] > 0:
        made["a"] = x
    else:
        made["a"] = x + 1
    return made


def pickled(kind, x):
    return kind(x + 1)


def pickled_in_a_branch(kind, x):
    if x[0] > 0:
        made = kind(x, "a")
    else:
        made = kind(x * 2, "b")
    return made


def pickled_in_a_loop(kind, x):
    made = kind(x, "a")
    for value in x:
        made = kind(made.content * value, "c")
    return made


def shown(value):
    """All that tells one result from another."""
    kind = f"{type(value).__name__}"
    if isinstance(value, np.ndarray | np.generic):
        return kind, value.dtype, value.tolist()
    items = [*value.items()] if isinstance(value, dict) else [*value] if isinstance(value, list | tuple) else []
    slots = [getattr(value, name) for name in getattr(type(value), "__slots__", ()) if hasattr(value, name)]
    kept = {name: shown(part) for name, part in getattr(value, "__dict__", {}).items()}
    leaf = None if items or kept else repr(value)
    return kind, leaf, list(map(shown, items)), list(map(shown, slots)), kept


PROGRAMS = [
    stack, stack_with_an_attribute, attribute_alone, with_arguments, slotted, table, tuples, dictionaries,
    twice_the_same, of_a_branch, changed_in_a_branch,
]  # fmt: skip
ARGUMENTS = [np.array([1.0, 2.0]), np.array([-3.0, 4.0])]


@pytest.mark.parametrize("program", PROGRAMS)
def test_derived_containers_are_returned_as_they_are(program):
    staged = runtime.function(program, numpy=True)
    for x in ARGUMENTS:
        assert shown(staged(x)) == shown(program(x))


def test_one_container_stays_one():
    one, other = runtime.function(twice_the_same, numpy=True)(ARGUMENTS[0])
    assert one is other


@pytest.mark.parametrize("program", [pickled, pickled_in_a_branch, pickled_in_a_loop])
@pytest.mark.parametrize("kind", [Counted, Restored, Unpickled])
def test_what_a_class_says_of_copies_is_not_asked(kind, program):
    staged = runtime.function(program, numpy=True)
    for x in ARGUMENTS:
        assert shown(staged(kind, x)) == shown(program(kind, x))


class Queue(deque):
    pass


class Bag(set):
    pass


class Held:
    def __init__(self, value):
        self.value = value


def with_a_callback(x):
    made = Held(1)
    made.callback = lambda: x[1]
    return made


HOLDERS = {
    "a deque": lambda x: Queue([x[0]]),
    "a deque in an object": lambda x: Held([Queue([1, Held(x[0])])]),
    "a deque with an attribute": lambda x: filled(Queue, x),
    "a set": lambda x: Bag([Held(x[0])]),
    "a key": lambda x: {"a": {Held(x[0]): 1}},
    "a class": lambda x: type("Made", (), {"value": x[0]}),
    "a class of an object": lambda x: type("Made", (), {"value": x[0]})(),
    "a method": lambda x: [x[0]].append,
    "a method of a dictionary": lambda x: {"a": x[0]}.get,
    "a caller of a method": lambda x: operator.methodcaller("append", x[0]),
    "a cache": lambda x: functools.lru_cache(lambda: x[0]),
    "a function of an object": with_a_callback,
}


@pytest.mark.parametrize("program", HOLDERS.values(), ids=HOLDERS)
def test_what_holds_values_where_no_call_can_put_its_own_is_refused(program):
    with pytest.raises(StagingError, match="that holds .* only when the graph runs"):
        runtime.function(program, numpy=True)(ARGUMENTS[0])


@pytest.mark.parametrize(
    "program",
    [
        lambda x: (Queue([1, 2], maxlen=3), x),
        lambda x: (Held(Bag("a")), x),
        lambda x: ({Point(1, 2): x[0]}, Held(Held(x[1])), len(Queue([x[0], x[1]]))),
    ],
)
def test_what_holds_no_values_is_returned(program):
    staged = runtime.function(program, numpy=True)
    for x in ARGUMENTS:
        assert shown(staged(x)) == shown(program(x))


class Deep(Counted):
    def __deepcopy__(self, memo):
        return Deep(["deep"])


class Reduced(Counted):
    def __reduce__(self):
        return Reduced, (["reduced"],)


@pytest.mark.parametrize("kind", [Counted, Restored, Unpickled, Deep, Reduced])
@pytest.mark.parametrize(
    "program",
    [
        lambda kind, x: (kind([1, 2]), x),
        lambda kind, x: ({"a": [kind({"b": kind(3)})]}, x),
        lambda kind, x: (Held(kind([])), x),
    ],
)
def test_what_a_class_says_of_copies_is_not_asked_where_nothing_is_of_the_graph(program, kind):
    staged = runtime.function(program, numpy=True)
    results = [staged(kind, x) for x in ARGUMENTS]
    assert [shown(result) for result in results] == [shown(program(kind, x)) for x in ARGUMENTS]
    assert results[0][0] is not results[1][0]


def test_an_object_in_two_places_is_one_in_its_copy():
    def twice(x):
        one = Deep([1])
        one.itself = one
        return [one, Held(one)], x

    (one, holder), _ = runtime.function(twice, numpy=True)(ARGUMENTS[0])
    assert holder.value is one is one.itself and one.content == [1]


class Waiting(deque):
    pass


class Filled(defaultdict):
    pass


@pytest.mark.parametrize("jit_compile", [False, True])
def test_containers_beside_those_of_derived_classes_are_the_graphs(jit_compile):
    def f(a):
        waiting, filled = Waiting([1]), Filled(int, {1: 2})
        queue, counts = deque(), defaultdict(int)
        for x in a.tolist():
            counts[x] += 1
            if x > 2:
                queue.append(x)
        return list(queue), dict(counts), len(waiting), len(filled)

    g = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for a in (np.array([3, 1, 3, 2]), np.array([1])):
        assert g(a) == f(a)
