"""Every built-in function that takes items, of every kind of items that a graph has."""

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from runtime.control.lists import KnownList
from tests import programs
from tests.programs import load

ITEMS = [
    "v", "v * 0.5", "v > 0", "[n, 1, n - 2]", "(n, 2)", "[1, 5, 3]", "range(n)", "range(1, n, 2)", "tf.range(n)",
    "[k * 2 for k in v]", "[k for k in v if k > 0]", "(k - n for k in v)", "(k for k in v if k > n)",
    "map(double, v)", "map(add, v, [1, 2, 3, 4])", "filter(positive, v)", "filter(None, v)", "filter(None, [0, 1, 2])",
    "reversed(v)", "{0: n, 1: n + 1}.values()", "grown(n)", "iter(v)",
]  # fmt: skip
PAIRS = ["enumerate(v)", "zip(v, v)", "{0: n, 1: n + 1}.items()", "enumerate(v, n)", "zip(v, grown(n))"]
OF_ALL = ["len(list({}))", "any({})", "all({})", "len([k for k in {}])", "len(list(enumerate({})))"]
OF_PAIRS = [
    "[a * 10 + b for a, b in {}]", "[a * 10 + b for a, b in list({})]", "sum(a * b for a, b in {})",
    "list(map(lambda p: p[0] - p[1], {}))", "[i + a * 10 + b for i, (a, b) in enumerate({})]",
    "len(list(filter(lambda p: p[0] > 1, {})))",
]  # fmt: skip
OF_NUMBERS = [
    "list({})", "[k for k in {}]", "list(iter({}))", "list(reversed(list({})))", "list(reversed([k for k in {}]))",
    "[i * 10 + k for i, k in enumerate({})]", "[i * 10 + k for i, k in enumerate({}, 3)]",
    "[i * 10 + k for i, k in list(enumerate({}, start=n))]", "[a * 10 + b for a, b in zip({}, {})]",
    "[a * 10 + b for a, b in zip({}, [4, 5, 6, 7])]",
    "sum({})", "sum({}, 5)", "sum({}, start=n)", "min({})", "max({})", "min({}, default=9)", "max({}, default=n)",
    "max({}, key=lambda k: k % 3)", "min({}, key=negative)", "sorted({})", "sorted({}, reverse=True)",
    "sorted({}, key=negative)", "list(map(double, {}))", "list(map(add, {}, {}))", "list(filter(positive, {}))",
    "list(filter(None, {}))", "sum(k for k in {} if k > 1)", "any(k > 2 for k in {})", "all(k > -9 for k in {})",
    "n in list({})", "sum([k * k for k in {}])", "len([k for k in {} if k > n])", "sum(map(double, {}), n)",
]  # fmt: skip
CALLS = [(call, items) for call in OF_ALL for items in [*ITEMS, *PAIRS]]
CALLS += [(call, items) for call in OF_PAIRS for items in PAIRS]
CALLS += [(call, items) for call in OF_NUMBERS for items in ITEMS]


def double(k):
    return k * 2


def negative(k):
    return -k


def add(a, b):
    return a + b


def positive(k):
    return k > 0


def grown(n):
    made = []
    for i in tf.range(n):
        made.append(i * 2)
    return made


COUNTED = [i for i in ITEMS if "range" in i or " if " in i or "filter" in i or "grown" in i]  # by the graph alone
LAZY = ["(k - n for k in v)", "map(double, v)", "map(add, v, [1, 2, 3, 4])"]
FILTERED = ["(k for k in v if k > n)", "filter(positive, v)", "filter(None, v)"]
VIEWS = ["{0: n, 1: n + 1}.values()", "iter(v)"]
LISTS = ["[n, 1, n - 2]", "(n, 2)", "[k * 2 for k in v]"]
REFUSED = {  # what has no place in a graph as yet
    "len(list({}))": ["zip(v, grown(n))"],
    "len(list(enumerate({})))": [*COUNTED, *LAZY, "zip(v, grown(n))"],
    "[a * 10 + b for a, b in list({})]": ["zip(v, grown(n))"],
    "[i + a * 10 + b for i, (a, b) in enumerate({})]": ["zip(v, grown(n))"],
    "list(iter({}))": COUNTED,
    "[i * 10 + k for i, k in list(enumerate({}, start=n))]": [*COUNTED, *LAZY, *VIEWS],
    **dict.fromkeys(["any({})", "all({})", "min({})", "max({})", "sorted({})", "sorted({}, reverse=True)"], VIEWS),
    **dict.fromkeys(["min({}, default=9)", "max({}, key=lambda k: k % 3)", "min({}, key=negative)"], VIEWS),
    **dict.fromkeys(["sorted({}, key=negative)", "list(filter(None, {}))"], [*LISTS, *VIEWS]),
    **dict.fromkeys(["any(k > 2 for k in {})", "all(k > -9 for k in {})"], [*LISTS[:2], *FILTERED]),
    "[i * 10 + k for i, k in enumerate({}, 3)]": FILTERED,
    "[a * 10 + b for a, b in zip({}, {})]": FILTERED,
    "[a * 10 + b for a, b in zip({}, [4, 5, 6, 7])]": FILTERED,
    "list(map(add, {}, {}))": FILTERED,
    "sum(k for k in {} if k > 1)": FILTERED,
    "sum(map(double, {}), n)": ["v * 0.5"],
}
NAMES = {"tf": tf, "double": double, "negative": negative, "add": add, "positive": positive, "grown": grown}
ARGUMENTS = (([3, -1, 2, 0], 3), ([-5, 1, 1, -2], 1), ([0, 0, 0, 0], 0))
ERROR = "an error"


def shown(value):
    return [shown(part) for part in value] if isinstance(value, list | tuple) else np.asarray(value).tolist()


def outcome(function, values, number):
    try:
        return shown(function(tf.constant(values, tf.int64), tf.constant(number, tf.int64)))
    except Exception:
        return ERROR


@pytest.mark.sampled(8)
@pytest.mark.parametrize("call, items", CALLS)
def test_a_built_in_function_of_items(call, items):
    function = load(f"def f(v, n):\n    return {call.replace('{}', items)}\n", **NAMES)
    graph = tf.function(function, jit_compile=False)
    for arguments in ARGUMENTS:
        found = outcome(graph, *arguments)
        assert found == outcome(function, *arguments) or (found == ERROR and items in REFUSED.get(call, ()))


class Apart:
    """It equals nothing, itself included; a list finds it all the same."""

    def __eq__(self, other):
        return False

    __hash__ = None

    def __repr__(self):
        return "apart"


BESIDE = {"nan": float("nan"), "None": None, "apart": Apart(), "a text": "a", "a number": 2.5}
ONLY_GRAPHS_KNOW = tf.errors.OperatorNotAllowedInGraphError, StagingError
ASKED = [
    "items.index(other)", "items.count(other)", "items.index(1)", "items.count(1)", "items.count(x)", "other in items",
    "other not in items", "min(items)", "max(items)", "min(items, key=lambda k: 1.0 if k is other else k)",
    "max(items, key=lambda k: None if k is other else k)", "(items.remove(other), len(items))[1]",
]  # fmt: skip


def told(f, *arguments):
    try:
        found = f(*arguments)
    except ONLY_GRAPHS_KNOW:
        raise
    except Exception as error:
        return next(c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins")
    return found if found is None or isinstance(found, str | Apart) else float(found)


@pytest.mark.parametrize("order", [["other", "x", "1"], ["x", "other", "1", "other"], ["1", "x"]], ids=" ".join)
@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("other", BESIDE.values(), ids=BESIDE)
def test_what_stands_in_a_list_beside_what_is_staged_is_found_as_in_plain_python(other, asked, order):
    lines = ["items = []", *(f"items.append({one})" for one in order), f"return {asked}"]
    f = load("def f(x, other):\n" + "".join(f"    {line}\n" for line in lines))
    for x in (1, 2, 3):
        try:
            found = told(tf.function(f), np.int64(x), other)
        except ONLY_GRAPHS_KNOW:
            continue
        assert str(found) == str(told(f, x, other))


@pytest.mark.parametrize("asked", ["count", "index", "__contains__"])
def test_a_list_of_which_everything_is_known_answers_while_tracing(asked):
    given = [*BESIDE.values(), 2, float("nan")]
    seen = []

    @tf.function
    def f(x):
        for value in given:
            seen.append((getattr(KnownList(given), asked)(value), getattr(given, asked)(value)))
        return x

    f(1.0)
    assert len(seen) == len(given)
    assert all(type(one) is type(other) and one == other for one, other in seen)


LONG = (
    "[i for i in range(n) if b[i] == 0]", "sum(b[i] for i in range(n) if b[i] > 1)", "len({b[i] for i in range(n)})",
    "[j for i in range(n // 20) for j in range(20) if b[i * 20 + j] == 0]", "{b[i]: i for i in range(n)}",
    "list(filter(lambda i: b[i] > 1, range(n)))", "{i for i in range(n) if b[i] > 2}", "[b[i] * 2 for i in range(n)]",
    "[(i, b[i]) for i in range(3, n, 2) if b[i] > 0 if i != 7]",
)  # fmt: skip


@pytest.mark.parametrize("expression", LONG)
def test_the_graph_repeats_what_goes_through_a_long_range(expression):
    text = f"""
def f(x, n):
    b = [0] * n
    for i in range(len(x)):
        b[x[i]] += 1
    return {expression}
"""
    x = np.random.default_rng(0).integers(0, 200, 200)
    f = tf.function(load(text), numpy=True)
    assert programs.outcome(f, x, 200) == programs.outcome(load(text), x, 200)
    assert len([*f.get_concrete_function(x, 200).graph.walk()]) < 1000


def test_what_a_condition_does_is_done_once():
    text = """
def f(x):
    asked = []

    def test(i):
        asked.append(i)
        return x[i] > 2

    return [i for i in range(5) if test(i)], asked
"""
    for x in (np.arange(5), np.zeros(5), np.full(5, 9)):
        assert programs.outcome(tf.function(load(text), numpy=True), x) == programs.outcome(load(text), x)


@pytest.mark.parametrize("built_in", [min, max])
@pytest.mark.parametrize("keywords", [{}, {"key": abs}, {"default": 3.0}, {"default": None, "key": abs}])
@pytest.mark.parametrize("shape", [(0,), (0, 2)])
def test_of_nothing_python_says_so(built_in, keywords, shape):
    def f(x):
        try:
            return built_in(x, **keywords)
        except ValueError as error:
            return str(error)

    x = np.zeros(shape)
    assert tf.function(f, numpy=True)(x) == f(x)
