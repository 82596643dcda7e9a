"""Calls with arguments that do not fit: what is said is what Python says of the function without a decorator."""

import dataclasses
import functools
import itertools

import numpy as np
import pytest

import runtime as tf


class Shop:
    def buy(self, apples, pears=1, *, paid=0):
        return apples + pears + paid

    def close(self):
        return self

    @classmethod
    def open(cls, hour, /):
        return hour

    @staticmethod
    def price(apples, *rest, per):
        return apples * per

    def __call__(self, visitors):
        return visitors


class Made:
    def __init__(self, size):
        self.size = size


@dataclasses.dataclass
class Pair:
    first: float
    second: float = 1.0


class Bare:
    pass


def nothing():
    pass


def one(x):
    return x


def defaults(x, y=1, z=2):
    return x + y + z


def by_position(x, y, /, z=3):
    return x + y + z


def by_name(*, scale, offset=0):
    return scale + offset


def many(x, *rest, last, **others):
    return x + last


def three(first, second, third):
    return first


CALLED = {
    "no parameters": nothing,
    "one": one,
    "defaults": defaults,
    "by position": by_position,
    "by name": by_name,
    "many": many,
    "three": three,
    "lambda": lambda x, *, y: x,
    "method": Shop().buy,
    "method without parameters": Shop().close,
    "function of a class": Shop.buy,
    "class method": Shop.open,
    "static method": Shop.price,
    "callable object": Shop(),
    "partial": functools.partial(three, 1),
    "partial by name": functools.partial(defaults, y=4),
    "partial of a method": functools.partial(Shop().buy, paid=1),
    "partial of a partial": functools.partial(functools.partial(three, 1), 2),
    "class": Made,
    "dataclass": Pair,
    "cached": functools.lru_cache(defaults),
}
NAMES = ("x", "y", "first", "third", "paid", "scale", "last", "hour", "scael")
CALLS = [
    (args, dict.fromkeys(names, 1))
    for args in [(), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)]
    for names in [(), *((name,) for name in NAMES), *itertools.combinations(NAMES, 2)]
]


@pytest.mark.parametrize("name", CALLED)
@pytest.mark.parametrize("numpy", [False, True])
def test_what_python_says(name, numpy):
    plain = CALLED[name]
    graph = tf.function(plain, numpy=numpy)
    refused = 0
    for args, kwargs in CALLS:
        try:
            plain(*args, **kwargs)
        except TypeError as error:
            refused += 1
            with pytest.raises(TypeError) as raised:
                graph(*args, **kwargs)
            assert str(raised.value) == str(error), (args, kwargs)
    assert refused


def decorated(decorate):
    class Decorated:
        @decorate
        def step(self, x, y=1):
            return x + y

        @classmethod
        @decorate
        def made(cls, x):
            return x

        @staticmethod
        @decorate
        def sign(x):
            return x

    return Decorated()


@pytest.mark.parametrize("name", ["step", "made", "sign"])
@pytest.mark.parametrize("args, kwargs", [((), {}), ((1, 2, 3), {}), ((1,), {"x": 2}), ((1,), {"z": 2})])
def test_methods_of_decorated_classes(name, args, kwargs):
    said = []
    for decorate in (lambda f: f, tf.function, functools.partial(tf.function, numpy=True)):
        with pytest.raises(TypeError) as raised:
            getattr(decorated(decorate), name)(*args, **kwargs)
        said.append(str(raised.value))
    assert said == said[:1] * 3


def counting(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        print(len(args), sorted(kwargs))
        return f(*args, **kwargs)

    return wrapper


@counting
def scaled(x, factor=2, *, offset=1):
    return x * factor + offset


@pytest.mark.parametrize("args, kwargs", [
    ((), {}), ((np.float64(1.5),), {}), ((np.float64(1.5), 3), {}), ((), {"x": np.float64(1.5)}),
    ((np.float64(1.5),), {"factor": 3}), ((np.ones(2),), {"offset": np.float64(2.0), "factor": 1}), ((1, 2, 3), {}),
    ((1,), {"other": 2}),
])  # fmt: skip
def test_a_wrapper_gets_what_the_call_has(args, kwargs, capsys):
    """And not the defaults of the function around which it is."""
    found = []
    for function in (scaled, tf.function(scaled, numpy=True)):
        try:
            result = np.asarray(function(*args, **kwargs)).tolist()
        except TypeError as error:
            result = str(error)
        found.append((result, capsys.readouterr().out))
    assert found[0] == found[1]


def test_a_class_that_takes_nothing():
    with pytest.raises(TypeError, match="too many positional arguments"):
        tf.function(Bare)(1)
