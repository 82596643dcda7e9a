"""An iterator over staged items gives each item once, whoever asks for it; where only the graph knows, it says so."""

import itertools

import numpy as np
import pytest

import runtime
from autograph import StagingError
from runtime.errors import OperatorNotAllowedInGraphError
from tests.programs import load, unrolled

NUMBERS = [
    "reversed(v)", "iter(v)", "map(double, v)", "filter(positive, v)", "filter(None, v)", "(x for x in v)",
    "(x * 2 for x in v if x > 0)", "map(double, reversed(v))", "(x for x in map(double, v))", "reversed([v[0], v[1]])",
    "iter([v[0], v[1], v[2]])", "reversed(range(n))", "map(double, range(n))", "(x for x in range(n))",
    "iter(range(n))",
]  # fmt: skip
PAIRS = ["enumerate(v)", "zip(v, v)", "zip(v, reversed(v))", "enumerate(reversed(v), 1)", "enumerate(range(n))",
         "zip(range(n), v)", "enumerate(map(double, v))", "zip(*[iter(v)] * 2)"]  # fmt: skip
USES = {
    "nothing": "pass",
    "for": "for x in e:\n        r = r + {x}",
    "break": "for x in e:\n        if {x} > 1:\n            break\n        r = r + {x}",
    "list": "r = len(list(e))",
    "tuple": "r = len(tuple(e))",
    "next": "x = next(e)\n    r = {x}",
    "unpacked": "*_, x = e\n    r = {x}",
    "displayed": "r = len([*e])",
    "comprehension": "r = sum([{x} for x in e])",
    "generator": "r = sum({x} for x in e)",
    "any": "r = any({x} > 1 for x in e)",
    "max": "r = max({x} for x in e)",
    "mapped": "r = sum(map(lambda x: {x}, e))",
    "filtered": "r = len(list(filter(lambda x: {x} > 1, e)))",
    "two by two": "r = [(x, y) for x, y in zip(e, e)]",
    "beside a list": "r = len(list(zip(e, [1, 2])))",
    "counted": "r = sum(i * {x} for i, x in enumerate(e))",
    "in a branch": "if n > 1:\n        for x in e:\n            r = r + {x}",
    "in both branches": "if n > 1:\n        r = sum({x} for x in e)\n    else:\n        r = len(list(e))",
    "in a loop": "for _ in range(n):\n        for x in e:\n            r = r + {x}",
    "amid itself": "for x in e:\n        r = r + {x} + sum({x} for x in e)",
    "two of it": "r = [{x} for x in itertools.islice(e, 2)]",
    "all of it": "r = [{x} for x in itertools.chain(e, e)]",
    "another name": "d = iter(e)\n    r = [{x} for x in d]",
}
THEN = {"": "r", "list": "r, list(e)", "sum": "r, sum({x} for x in e)", "next": "r, next(e)"}
KNOWN = ["nothing", "list", "next", "unpacked", "comprehension", "two of it", "another name"]  # how many were asked for
COUNTED_LATER = [
    "enumerate(map(double, v))", *(m for m in [*NUMBERS, *PAIRS] if any(w in m for w in ("range(n)", "filter", " if ")))
]  # fmt: skip
ARRAY = np.array([3.0, -1.0, 2.0, 0.5])
NAMES = {"double": lambda x: x * 2, "positive": lambda x: x > 0, "itertools": itertools}


def shown(value):
    return [shown(part) for part in value] if isinstance(value, list | tuple) else np.asarray(value).tolist()


def outcome(function, *arguments):
    try:
        return shown(function(*arguments))
    except (StagingError, OperatorNotAllowedInGraphError) as error:
        return error
    except Exception as error:
        return type(error).__name__


def compared(made, use, then, item):
    text = f"def f(v, n):\n    e = {made}\n    r = 0\n    {USES[use]}\n    return {THEN[then]}\n"
    function = load(text.replace("{x}", item), **NAMES)
    plain = outcome(function, ARRAY.copy(), 3)
    return plain, outcome(runtime.function(function, jit_compile=False), ARRAY.copy(), np.int64(3))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("then", THEN)
@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("made", [*NUMBERS, *PAIRS])
def test_an_iterator_gives_each_item_once(made, use, then):
    plain, staged = compared(made, use, then, "(x[0] * 10 + x[1])" if made in PAIRS else "x")
    if isinstance(staged, Exception):
        assert made in COUNTED_LATER or use not in KNOWN, staged
    elif plain == "StopIteration" and made in COUNTED_LATER:
        assert staged in ("StopIteration", "NoItem")  # a graph raises the latter, which ends no loop around
    else:
        assert staged == plain


# Loops whose counts Python knows, which the graph is to repeat at first, and cannot where they ask for items.
LOOPS = {
    "sizes": "for i in range(v.shape[0] - 1):\n        x = next(e)\n        r = r + {x}",
    "length": "for i in range(len(v) - 1):\n        x = next(e)\n        r = {x}",
    "numbers": "for i in range(2):\n        x = next(e)\n        r = r + {x} * i",
    "while": "k = 0\n    while k < 2:\n        x = next(e)\n        r = r + {x}\n        k += 1",
    "nested": "for i in (1, 2):\n        for j in range(len(v) - 2):\n            x = next(e)\n            r = r + {x}",
    "for": "for i in range(v.shape[0]):\n        for x in e:\n            r = r + {x}",
    "all": "for i in range(v.shape[0]):\n        r = r + len(list(e))",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("made", [*NUMBERS, *PAIRS])
def test_an_iterator_is_where_it_was_when_a_loop_is_traced_again(made, loop):
    item = "(x[0] * 10 + x[1])" if made in PAIRS else "x"
    lines = LOOPS[loop].replace("{x}", item)
    f = load(f"def f(v, n):\n    e, r = {made}, 0\n    {lines}\n    return r, len(list(e))\n", **NAMES)
    plain = outcome(f, ARRAY.copy(), 3)
    with unrolled(0):
        found = outcome(runtime.function(f, jit_compile=False), ARRAY.copy(), np.int64(3))
    if isinstance(found, Exception):
        assert made in COUNTED_LATER
    elif plain == "StopIteration" and made in COUNTED_LATER:
        assert found in ("StopIteration", "NoItem")
    else:
        assert found == plain


def test_what_an_iterator_says_where_only_the_graph_knows_what_is_left():
    def f(v):
        pairs = enumerate(v)
        total = v[0] * 0
        for _, x in pairs:
            if x > 1:
                break
            total = total + x
        return total, list(pairs)

    with pytest.raises(
        StagingError, match=r"this enumerate .* a loop over it may have ended early.* Make a list of it"
    ):
        runtime.function(f)(ARRAY)


def test_iterators_pass_for_those_of_python():
    def f(v):
        made = reversed(v), enumerate(v), zip(v, v)
        return [[iter(e) is e, hasattr(e, "__next__"), hasattr(e, "__len__"), isinstance(e, zip)] for e in made]

    assert shown(runtime.function(f)(ARRAY)) == f(ARRAY)
    with pytest.raises(TypeError, match="'zip' object has no len|object of type 'zip' has no len"):
        runtime.function(lambda v: len(zip(v, v)))(ARRAY)
    with pytest.raises(TypeError, match="subscriptable"):
        runtime.function(lambda v: reversed(v)[0])(ARRAY)


def _printing(n):
    for item in [n, n + 1]:
        runtime.print(item)
        yield item
    runtime.print("the end")


TOTAL = runtime.Variable(np.int64(0))


def _first_of_a_generator(n):
    for item in _printing(n):
        if item > 1:
            return item
    return 0


def _first_of_a_map(n):
    for item in map(lambda k: (TOTAL.assign_add(k), k)[1], [n, n + 1]):
        if item > 1:
            break
    return TOTAL.read_value()


def _any_of_a_generator(n):
    return any(TOTAL.assign_add(k) > 1 for k in [n, n + 1])


@pytest.mark.parametrize("function", [_first_of_a_generator, _first_of_a_map, _any_of_a_generator])
def test_an_item_that_may_not_be_asked_for_does_nothing_in_the_graph(function):
    with pytest.raises(StagingError, match="makes the items of this loop does something in the graph"):
        runtime.function(function)(np.int64(3))


@pytest.mark.parametrize(
    "text",
    [
        "any(k > 5 for k in [n, m])", "all(k > 5 for k in (n, m))", "any(k for k in [0, 0])", "all(k > 5 for k in [])",
        "any(k % n == 0 for k in range(4, 9))", "all(k % n for k in range(2, 9) if k != n)",
        "any(n > k for k in {1, 9})",
        "all(any(i * j == n for i in range(4)) for j in (1, 3))", "1 if any(k == n for k in [2, m]) else 2",
        "any(not k for k in (n, m - 8))", "any((n > 5, m > 5))", "all(x in (n, m) for x in [3, 8])",
    ],
)  # fmt: skip
def test_any_and_all_of_generators_over_plain_items(text):
    program = load(f"def f(n, m):\n    return {text}")
    for arguments in ((3, 8), (6, 2), (9, 9)):
        found = runtime.function(program)(*map(np.int64, arguments))
        assert int(found) == program(*arguments), arguments


def _items_of_an_array(a, n):
    for v in (a[k] for k in range(10)):
        if v > n:
            break
    return v


def _any_item_of_an_array(a, n):
    return any(a[k] > n for k in range(10))


def _quotients(a, n):
    for v in (10 // (2 - k) for k in range(5)):
        if v > n:
            break
    return v


def _failing(n):
    yield n * 0 + 1
    yield 2
    raise ValueError("the end")


def _items_of_a_failing_generator(a, n):
    for v in _failing(n):
        if v > n:
            return v
    return n


@pytest.mark.parametrize(
    "function", [_items_of_an_array, _any_item_of_an_array, _quotients, _items_of_a_failing_generator]
)
@pytest.mark.parametrize("n", [1, 3, 4, 100])
def test_what_fails_in_making_an_item_fails_where_the_loop_asks_for_it(function, n):
    arguments = np.array([2.0, 4.0, 8.0]), np.int64(n)
    staged = runtime.function(function, jit_compile=False)
    try:
        wanted = function(*arguments)
    except (IndexError, ZeroDivisionError, ValueError) as error:
        with pytest.raises(type(error), match=str(error)):
            staged(*arguments)
    else:
        assert staged(*arguments).numpy() == wanted


def test_zip_takes_what_has_an_end_and_one_of_several_lists():
    def f(x):
        counts = [0] * 3
        for v in x:
            counts[v % 3] += 1
        edges = [v / 2 for v in x[:4]]
        bars = [(n, a, b) for n, (a, b) in zip(counts, zip(edges, edges[1:]))]
        centres = [x[0], x[1]]
        for _ in range(5):
            moved = [c + 1 for c in centres]
            if moved[0] > 5:
                centres = [5, 5, 5]
            else:
                centres = moved
        return bars, [*zip(counts, enumerate(edges))], [*zip(counts, map(abs, edges))], [*zip(centres, x)]

    for x in (np.array([3, 1, 2, 0, 3]), np.array([1, 9])):
        assert repr(runtime.function(f, numpy=True)(x)) == repr(f(x))
