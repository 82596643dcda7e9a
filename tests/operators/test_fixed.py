"""What a graph cannot change is noticed, put back where that is possible, and refused by name."""

import array
import collections
import contextvars
import io
import itertools
import random
import sys

import numpy as np
import pytest

from autograph import StagingError
from autograph.operators.fixed import facts_of, holds, inside, put_in_order


class Plain:
    pass


class Other(Plain):
    pass


def ordered():
    return collections.OrderedDict(a=1, b=2)


def function(x=1):
    return x


def changed_default(f):
    f.__defaults__ = (2,)


def changed_class(value):
    value.__class__ = Other


CHANGES = {
    "set": (lambda: {1, 2}, lambda s: s.add(3)),
    "deque": (lambda: collections.deque([1]), lambda d: d.appendleft(0)),
    "bytearray": (lambda: bytearray(b"ab"), lambda b: b.extend(b"c")),
    "array": (lambda: array.array("i", [1, 2]), lambda a: a.__setitem__(0, 5)),
    "order": (ordered, lambda d: d.move_to_end("a")),
    "default": (lambda: function, changed_default),
    "class": (Plain, changed_class),
    "list_iterator": (lambda: iter([1, 2, 3]), next),
    "reversed": (lambda: reversed([1, 2]), next),
    "exception": (lambda: ValueError("a", 1), lambda e: setattr(e, "args", ("b",))),
    "text in memory": (lambda: io.StringIO("a\u03b1"), lambda f: f.write("b")),
    "where it is read": (lambda: io.StringIO("ab"), lambda f: f.read(1)),
    "bytes in memory": (lambda: io.BytesIO(b"ab"), lambda f: f.truncate(1)),
    "random": (lambda: random.Random(1), lambda r: r.random()),
    "random seed": (lambda: random.Random(1), lambda r: r.seed(2)),
    "NumPy's generator": (lambda: np.random.default_rng(1), lambda r: r.random()),
    "NumPy's older generator": (lambda: np.random.RandomState(1), lambda r: r.rand()),
    "context": (lambda: contextvars.ContextVar("v", default=1), lambda v: v.set(2)),
}
NOT_PUT_BACK = {
    "generator": (lambda: (i for i in range(3)), next),
    "count": (itertools.count, next),
    "dict_iterator": (lambda: iter({"a": 1}), next),
}
(CHANGES if sys.version_info < (3, 12) else NOT_PUT_BACK)["range_iterator"] = (lambda: iter(range(3)), next)


@pytest.mark.parametrize("kind", CHANGES)
def test_a_change_is_noticed_and_put_back(kind):
    make, change = CHANGES[kind]
    value = make()
    (fact,) = facts_of("held", value)
    assert holds(fact)
    change(value)
    assert not holds(fact)
    fact.write(value, fact.was)
    assert holds(fact)


@pytest.mark.parametrize("kind", NOT_PUT_BACK)
def test_a_change_that_stays_is_noticed(kind):
    make, change = NOT_PUT_BACK[kind]
    value = make()
    (fact,) = facts_of("held", value)
    assert holds(fact) and fact.write is None
    change(value)
    assert not holds(fact)


@pytest.mark.parametrize("kind", {**CHANGES, **NOT_PUT_BACK})
def test_the_error_names_it_and_the_statement(kind):
    make, _ = {**CHANGES, **NOT_PUT_BACK}[kind]
    value = make()
    (fact,) = facts_of("held", value)
    error = fact.refused("held", value, "f.py:1: if x:")
    assert isinstance(error, StagingError) and "'held'" in str(error) and str(error).endswith("f.py:1: if x:")


@pytest.mark.parametrize("value", [3, "text", None, (1, 2), [1], {"a": 1}], ids=repr)
def test_what_has_nothing_of_that_kind(value):
    assert facts_of("held", value) == ()


def test_keys_are_put_in_the_order_they_had():
    for kind in (dict, collections.OrderedDict):
        items = kind(b=2, a=3)
        put_in_order(items, {"a": 1, "b": 2})
        assert [*items.items()] == [("a", 1), ("b", 2)]


def test_the_iterators_inside_of_one():
    first, second = iter([1]), iter([2])
    assert [type(i) for i in inside(zip(first, second))] == [type(first)] * 2
    assert inside(iter([1])) == inside([1]) == []
    (shared,) = inside(itertools.tee(first)[0])  # what all that tee() makes has
    assert inside(shared) == [first]
    assert inside(itertools.islice(second, 1)) == [second] and inside(map(len, first)) == [len, first]
