"""A built-in function that converted code calls is that function in every respect, unless it is given staged values."""

import builtins
import copy
import functools
import inspect
import itertools
import pickle
import re

import numpy as np
import pytest

import autograph
import runtime
from autograph.rules import STAGED_BUILTINS
from tests.programs import staging


class Curry:
    """A function that waits for the rest of its arguments: it relies on the errors of the one that it calls."""

    def __init__(self, function, *arguments, **keywords):
        self.partial = functools.partial(function, *arguments, **keywords)

    def __call__(self, *arguments, **keywords):
        try:
            return self.partial(*arguments, **keywords)
        except TypeError:
            return type(self)(self.partial.func, *self.partial.args, *arguments, **self.partial.keywords, **keywords)


def negative(x):
    return -x if x > 0 else x


def by_name(name):
    return vars(builtins)[name]


ARGUMENTS = [
    (),
    (1,),
    (-2.5,),
    ("ab",),
    ([3, 1, 2],),
    (2, 3),
    (2, [1]),
    ([1], 2),
    ("x", "y"),
    (abs, [-1]),
    (None, [0, 1]),
]
ARGUMENTS += [
    (1, 2, 3),
    (abs,),
    ([], 5),
    (dict, "fromkeys"),
    (dict, "nothing"),
    (dict, "nothing", 1),
    (len, "__name__"),
]
ARGUMENTS += [(iter([1]),), ({},), ("%", 1, 2, 3), (int, "n", 1, 2)]
KEYWORDS = [
    {},
    {"key": abs},
    {"start": 1},
    {"reverse": True},
    {"default": 7},
    {"strict": True},
    {"ndigits": 1},
    {"x": 1},
]


def outcome(call):
    try:
        result = call()
        kind = type(result)
        if hasattr(kind, "__next__"):
            result = list(itertools.islice(result, 5))
    except Exception as error:
        return type(error), str(error)
    return kind, re.sub("0x[0-9a-f]+", "", repr(result))


@pytest.mark.parametrize("name", sorted(STAGED_BUILTINS))
def test_results_and_errors_are_pythons(name):
    function = by_name(name)

    def called(f, arguments, keywords):
        return f(*arguments, **keywords)

    converted = autograph.to_graph(called)
    for arguments in ARGUMENTS:
        for keywords in KEYWORDS:
            if function in (vars, dir) and not arguments and not keywords:
                continue  # of the frame that calls them
            wanted = outcome(lambda: function(*copy.deepcopy(arguments), **keywords))
            with staging():
                assert outcome(lambda: converted(function, copy.deepcopy(arguments), keywords)) == wanted


def results(run):
    """What a program returns, as it is, as if something was being traced, and in a trace."""
    converted, found = autograph.to_graph(run), []
    yield run()
    with staging():
        yield converted()

    def whole(x):
        found.append(converted())
        return x

    runtime.function(whole, jit_compile=False)(np.float32(1.0))
    yield found[0]


def same(run):
    first, *others = map(repr, results(run))
    assert others == [first, first], (first, others)


def test_errors_that_are_relied_on():
    def run():
        doubled = Curry(map)(abs)
        kept = Curry(filter, None)
        return list(doubled([-1, 2])), list(kept([0, 3])), Curry(sorted)([2, 1]), Curry(max, key=abs)([-3, 2])

    same(run)


def test_classes_stay_classes():
    def run():
        m, f, z, e, r = map(abs, [1]), filter(None, [1]), zip([1]), enumerate([1]), reversed([1])
        kinds = [isinstance(v, k) for v, k in ((m, map), (f, filter), (z, zip), (e, enumerate), (r, reversed))]
        exact = [type(m) is map, type(z) is zip, type(e) is enumerate, type(range(2)) is range, type(int("3")) is int]
        return kinds, exact, map is type(m), {map: 1}[map], hash(len) == hash(len), len == len, len.__name__

    same(run)


def test_subclasses():
    def run():
        class Mine(map):
            def twice(self):
                return [v * 2 for v in self]

        class Whole(int):
            def __new__(cls, value):
                return int.__new__(cls, value + 1)

        return (
            Mine(abs, [-1, 2]).twice(),
            Whole(3) + 1,
            [int.from_bytes(b"a", "big"), str.upper("a"), issubclass(Mine, map)],
        )

    same(run)


def test_pickling_and_copying():
    def run():
        lazy = [map(abs, [-1, 2]), filter(bool, [0, 3]), map(negative, [1, 2]), zip([1], [2]), enumerate("a")]
        functions = [functools.partial(map, abs), functools.partial(len), abs, map, functools.partial(negative)]
        kept = pickle.loads(pickle.dumps(functions))
        return (
            [list(pickle.loads(pickle.dumps(v))) for v in lazy],
            [list(copy.copy(v)) for v in lazy],
            [list(copy.deepcopy(v)) for v in [map(abs, [-1]), filter(bool, [0, 1])]],
            list(kept[0]([-5])), kept[1]("abc"), kept[2] is abs, kept[3] is map, kept[4](3),
        )  # fmt: skip

    same(run)


def test_signatures_and_methods():
    def run():
        return (
            str(inspect.signature(len)),
            str(inspect.signature(sorted)),
            len.__doc__ == by_name("len").__doc__,
            callable(map),
        )

    same(run)


def test_callbacks_in_the_order_of_python():
    def run():
        log = ""
        lazy = map(negative, (v for v in (1, 2, 3)))
        log += str(next(lazy))
        kept = filter(lambda v: v > 1, iter([1, 2, 3]))
        return log, next(kept), next(kept, None), next(kept, None), list(lazy)

    same(run)


def test_filter_in_a_trace_is_a_filter():
    found = []

    def whole(x):
        items = filter(lambda v: v > 1, [1, 2, 3])
        found.append((isinstance(items, filter), iter(items) is items, next(items), list(items)))
        made = (v for v in [1, 2, 3] if v > 1)
        found.append((next(made), list(made)))
        return x

    runtime.function(whole, jit_compile=False)(np.float32(1.0))
    assert found == [(True, True, 2, [3]), (2, [3])]


def test_a_partial_of_a_built_in_function_is_left_as_it_is():
    for given in (functools.partial(map, abs), functools.partial(int, base=2), functools.partial(len)):
        assert autograph.to_graph(given) is given
    assert autograph.to_graph(functools.partial(negative, 3))() == -3


def test_what_is_called_by_another_name_sees_the_frame_that_calls_it():
    def f(a):
        listed, named = vars, dir
        return listed(), named()

    def visible(names):
        return sorted(name for name in names if not name.startswith("ag__"))

    with staging():
        assert [*map(visible, autograph.to_graph(f)(3))] == [*map(visible, f(3))] == [["a", "listed", "named"]] * 2
