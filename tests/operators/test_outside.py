"""What code may do outside of a graph is found from what it names."""

import builtins
import collections
import fractions
import functools
import itertools
import logging
import math
import random
import time
from random import Random, gauss

import numpy as np
import pytest

import runtime
from autograph.operators.outside import found_outside

GENERATOR = np.random.default_rng(0)
DICE = random.Random(0)
WEIGHTS = [np.ones(2), np.zeros(2)]
LETTERS = iter("abc")
TOTAL = runtime.Variable(0.0)


class Layer:
    scale = 2.0

    def __init__(self, noisy=False):
        self.noise = GENERATOR if noisy else None
        self.weights = {"w": np.ones(3)}
        print("made")

    def __call__(self, x):
        return self.apply(x) * self.scale

    def apply(self, x):
        return x * self.weights["w"] + helper(x)

    def noisy(self, x):
        return x + self.noise.normal()

    def __repr__(self):
        return f"Layer at {time.time()}"

    @property
    def size(self):
        return len(self.weights)

    @staticmethod
    def clipped(x):
        return min(x, 1.0)


class Told(Layer):
    def apply(self, x):
        logging.info("applied")
        return super().apply(x)


LAYER, NOISY, TOLD = Layer(), Layer(noisy=True), Told()


class Dice(random.Random):
    pass


class Words(dict):
    pass


class Wrong(ValueError):
    pass


class Alarm(ValueError):
    def __init__(self, x):
        super().__init__(x)
        print(x)


class Row(collections.abc.Sequence):
    def __len__(self):
        return 1

    def __getitem__(self, index):
        return index


class Weights(runtime.Module):
    def __init__(self):
        super().__init__()
        self.w = runtime.Variable(1.0)


class Pair(collections.namedtuple("Pair", "a b")):
    pass


class Speaks:
    def __init__(self):
        print("made")

    def says(self, x):
        print(x)
        return x

    def apply(self, x):
        return x

    @property
    def loud(self):
        return print(self)

    quiet = property(lambda self: 1, lambda self, value: print(value), lambda self: open("file"))

    @staticmethod
    def once(x):
        print(x)

    @classmethod
    def of(cls, x):
        print(x)


class Calm(Speaks):
    def apply(self, x):
        return super().apply(x)

    def said(self, x):
        return super().says(x)


class Keeps:
    __slots__ = ("draw", "name")

    def __init__(self):
        self.draw, self.name = GENERATOR, "keeps"


SPEAKS, DICE_OF_MINE, WORDS, PAIR, KEEPS, MODEL = Speaks(), Dice(0), Words(a=1), Pair(1, 2), Keeps(), Weights()


def helper(x):
    return math.sin(x) if x > 0 else abs(x) ** 2


def prints(x):
    return x if x > 0 else print(x)


@functools.lru_cache
def remembered(x):
    return x + 1


def imports(x):
    import random

    return x + random.random()


def makes(x):
    return Layer()(x)


def one_default(x, draw=gauss):
    return draw(0, x)


def counted(letters):
    return lambda x: next(letters)


NOTHING = object()
KNOWN = [
    helper,
    lambda x: {1: x}.get(2, NOTHING) is NOTHING,
    lambda x: np.tanh(x) + WEIGHTS[0] @ x,
    lambda x: [helper(e) for e in sorted(x) if isinstance(e, float)],
    lambda x: LAYER(x) + LAYER.size + LAYER.clipped(x),
    lambda x: collections.deque([x], 3).pop() + functools.reduce(max, [x]),
    lambda x: [*zip(x, itertools.repeat(1))],
    lambda x: TOTAL.assign_add(x),
    lambda x: runtime.print(x) or runtime.random.normal([2]),
    lambda x: f"{x:.2f}".upper().encode(),
    lambda x: (_ for _ in ()).throw(ValueError("never")) if x else x,
    functools.partial(helper, 1.0),
    LAYER.apply,
    counted("abc"),
    functools.partial(sorted, [1, 2], key=helper),
    Calm.apply,
    lambda x: SPEAKS.apply(x),
    lambda x: WORDS["a"] + PAIR.a + KEEPS.name + MODEL.w,
    lambda x: Words(a=x) or Pair(x, 1) or Row()[x] or Wrong(x) or OSError(x) or random_free(x),
]


def random_free(x):
    return fractions.Fraction(x)


@pytest.mark.parametrize("number", range(len(KNOWN)))
def test_what_only_computes_is_known(number):
    assert found_outside([KNOWN[number], None]) is None


UNKNOWN = [
    (prints, "print"),
    (lambda x: [prints(e) for e in x], "print"),
    (lambda x: open(x), "open"),
    (lambda x: x + time.time(), "module time"),
    (lambda x: x + random.random(), "module random"),
    (lambda x: x + gauss(0, 1), "random"),
    (one_default, "random"),
    (imports, "imports a module"),
    (lambda x: x + np.random.rand(), "NumPy's random"),
    (lambda x: np.save(x, x), "NumPy's save"),
    (lambda x: GENERATOR.normal(), "Generator"),
    (lambda x: DICE.random(), "random.Random"),
    (lambda x: next(LETTERS), "str_ascii_iterator"),
    (counted(iter("abc")), "str_ascii_iterator"),
    (NOISY.noisy, "Generator"),
    (TOLD, "module logging"),
    (lambda x: TOLD(x), "module logging"),
    (makes, "print"),
    (remembered, "lru_cache"),
    (lambda x: getattr(x, "n"), "getattr"),
    (lambda x: exec("1"), "exec"),
    (lambda x: builtins.print(x), "module builtins"),
    (functools.partial(prints), "call print()"),
    (functools.partial(min, LETTERS), "ask an object of the type str_ascii_iterator for its next item"),
    (functools.partial(sorted, [1], key=prints), "call print()"),
    (lambda x: Random(x), "call Random() of random"),
    (lambda x: DICE.gauss(0, 1), "use an object of the type random.Random"),
    (lambda x: DICE_OF_MINE.random(), "call Random() of random"),
    (lambda x: Dice(x), "call Random() of random"),
    (lambda x: KEEPS.draw.normal(), "use an object of the type numpy.random._generator.Generator"),
    (lambda x: SPEAKS.loud, "call print()"),
    (lambda x: setattr(SPEAKS, "quiet", x), "call setattr()"),
    (lambda x: [o.quiet for o in (SPEAKS,)], "call open()"),
    (lambda x: SPEAKS.once(x), "call print()"),
    (lambda x: SPEAKS.of(x), "call print()"),
    (Calm.said, "call print()"),
    (lambda x: Calm(), "call print()"),
    (lambda x: input(), "call input()"),
    (lambda x: Alarm(x), "call print()"),
]


@pytest.mark.parametrize("function, told", UNKNOWN, ids=[f"{n} {told}" for n, (_, told) in enumerate(UNKNOWN)])
def test_what_may_do_anything_else_is_told(function, told):
    reason = found_outside([function])
    assert reason.startswith("it ") and told in reason


def test_only_what_is_asked_for_matters():
    """The method that draws is there, and so is what it draws from; nobody calls it."""
    assert found_outside([NOISY.apply]) is None
    assert "Generator" in found_outside([lambda x: NOISY.noisy(x)])


def test_too_much_is_not_known():
    many = [[k] for k in range(30_000)]
    assert "too many" in found_outside([lambda x: many[x]])
