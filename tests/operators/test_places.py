import collections
import types

import pytest

from autograph.dispatch import UNDEFINED
from autograph.operators.places import AttributePlace, CellPlace, ItemPlace


class Plain:
    pass


class Slots:
    __slots__ = ("n",)


class Careful(dict):
    def __setitem__(self, key, value):
        raise TypeError("mine")

    __delitem__ = get = __setitem__


class Loud(Plain):
    def __setattr__(self, name, value):
        raise TypeError("mine")

    def __getattr__(self, name):
        raise TypeError("mine")


PLACES = {
    "cell": lambda: CellPlace("x", types.CellType(), None, UNDEFINED),
    "item of a dictionary": lambda: ItemPlace("d['k']", {}, "k", UNDEFINED),
    "item of an ordered one": lambda: ItemPlace("d['k']", collections.OrderedDict(), "k", UNDEFINED),
    "item of one with a mind of its own": lambda: ItemPlace("d['k']", Careful(), "k", UNDEFINED),
    "attribute": lambda: AttributePlace("o.n", Plain(), "n", UNDEFINED),
    "attribute with a mind of its own": lambda: AttributePlace("o.n", Loud(), "n", UNDEFINED),
    "slot": lambda: AttributePlace("o.n", Slots(), "n", UNDEFINED),
    "attribute of a class": lambda: AttributePlace("C.n", type("C", (), {}), "n", UNDEFINED),
}


@pytest.mark.parametrize("kind", PLACES)
def test_what_is_written_is_read(kind):
    place = PLACES[kind]()
    assert place.read() is UNDEFINED
    place.write(UNDEFINED)  # nothing there yet
    for value in (1, None):
        place.write(value)
        assert place.read() is value
    place.write(UNDEFINED)
    assert place.read() is UNDEFINED


def test_an_index_of_a_list():
    numbers = [1, 2]
    place = ItemPlace("a[1]", numbers, 1, 2)
    place.write(5)
    assert numbers == [1, 5] and place.read() == 5 and place.before == 2
    place.write(UNDEFINED)
    assert numbers == [1] and place.read() is UNDEFINED


@pytest.mark.parametrize(
    "place, holder",
    [
        (ItemPlace("a.b[0][1]", [], 1, None), "a.b[0]"),
        (AttributePlace("a.b.c", Plain(), "c", None), "a.b"),
        (CellPlace("x", types.CellType(), None, None), "x"),
    ],
)
def test_the_name_of_the_holder(place, holder):
    assert place.holder_name == holder


def test_two_names_of_one_place_are_one():
    held = Plain()
    assert AttributePlace("a.n", held, "n", 1).identity == AttributePlace("b.n", held, "n", 1).identity
    assert AttributePlace("a.n", held, "n", 1).identity != AttributePlace("a.m", held, "m", 1).identity


class Base:
    n = 1

    def method(self):
        return self

    @staticmethod
    def static():
        return 3

    @classmethod
    def of_class(cls):
        return cls

    @property
    def asked(self):
        raise TypeError("code of the user's")


class Derived(Base):
    pass


def beneath(name, holder):
    return AttributePlace(f"o.{name}", holder, name, UNDEFINED).before


def test_what_is_read_where_there_is_nothing():
    made = Derived()
    assert beneath("n", made) == 1 and beneath("n", Derived) == 1
    assert beneath("method", made)() is made and beneath("method", Derived) is Base.method
    assert beneath("static", made)() == 3 and beneath("of_class", made)() is Derived is beneath("of_class", Derived)()
    assert beneath("asked", made) is UNDEFINED and beneath("missing", made) is UNDEFINED
