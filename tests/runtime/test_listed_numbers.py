"""Lists of numbers that only the graph knows, where NumPy takes arrays."""

import ast

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import load

CALLS = [
    "np.argmin([x[0], x[1], x[2]])",
    "np.max([x[0], 2.5])",
    "np.max((x[0], 3))",
    "np.sum([x[0], x[1]])",
    "np.mean([x[0], x[1]])",
    "np.sqrt([x[0], x[1]])",
    "np.maximum([x[0], x[1]], 1.5)",
    "np.maximum([x[0], x[1]], x[2])",
    "np.linalg.norm([x[0], x[1]])",
    "np.dot([x[0], x[1]], [2, 3])",
    "np.add([x[0], 1], [2, 3])",
    "np.median([x[0], x[1], 4])",
    "np.cumsum([x[0], x[1], 4])",
    "np.argsort([x[0], x[1], 0])",
    "np.sort([x[0], x[1], 0])",
    "np.any([x[0] > 1, x[1] > 0])",
    "np.all((x[0] > 1, x[1] > 0))",
    "np.cross([x[0], 1.0, 2.0], [0.0, 1.0, x[1]])",
    "np.outer([x[0], x[1]], [1, 2])",
    "np.clip([x[0], 7], 0, 2)",
    "np.prod([x[0], len(x)])",
    "np.min([x[:2], x[1:3]], axis=0)",
    "np.mean([x[:2], x[1:3]], axis=1)",
    "np.std([[x[0], 1], [2, x[1]]], axis=1)",
    "np.diff([x[0], x[1], 9])",
    "np.where([x[0] > 1, False], 1, 2)",
    "np.isclose([x[0], 1], 1)",
    "np.linalg.det([[x[0], 1], [2, x[1]]])",
    "np.linalg.solve([[x[0], 1], [2, x[1]]], [1, 2])",
    "np.interp([x[0], 1], [0, 1, 2], [3, 4, 5])",
    "np.flip([x[0], 1])",
    "np.ptp([x[0], 1])",
    "np.count_nonzero([x[0], 1, 0])",
    "np.unique([x[0], 1, 0])",
    "np.bincount([n[0], 1, 0])",
    "np.convolve([x[0], 1, 0], [1, 2])",
    "np.polyval([x[0], 1, 0], 2.0)",
    "np.trapezoid([x[0], 1, 0])",
    "np.average([x[0], 1], weights=[2, 1])",
    "np.abs([n[0], -3])",
    "np.array_equal([n[0], 1], [0, 1])",
    "np.hypot(*[x[0], x[1]])",
    "np.argmax([n[0], n[1], 3])",
    "np.sum([n[0], True])",
    "np.reshape([n[0], 1, 2, 3], (2, 2))",
    "np.transpose([[n[0], 1], [2, 3]])",
    "np.tile([n[0], 1], 2)",
    "np.repeat([n[0], 1], 2)",
    "np.searchsorted([n[0], 1, 5], 3)",
    "np.digitize([x[0], 1.5], [0, 1, 2])",
    "np.histogram([x[0], 1.5], 3, range=(0, 4))",
    "np.size([x[0], 1.5])",
    "np.ndim([x[0], 1.5])",
    "np.shape([x[0], 1.5])",
    "np.real([x[0], 1.5])",
    "np.nonzero([x[0], 0, 1])",
    "np.exp([x[0], 1]).sum() + np.log((x[1], 2))[0]",
    "np.matmul([[x[0], 1], [2, 3]], x[:2])",
    "np.tensordot([x[0], 1], [2, 3], 1)",
    "np.percentile([x[0], 1, 3], 30)",
    "np.nanmax([x[0], np.nan])",
    "np.round([x[0], 1.26], 1)",
    "np.squeeze([[x[0], 1]])",
    "np.atleast_2d([x[0], 1])",
    "np.expand_dims([x[0], 1], 0)",
    "np.broadcast_to([x[0], 1], (2, 2))",
    "np.add.reduce([x[0], x[1], 1])",
    "np.maximum.reduce((x[:2], x[1:3]))",
    "np.multiply.reduce([[x[0], 2], [x[1], x[2]]], axis=1)",
    "np.minimum.reduce([x[0], x[1]], initial=0.5)",
    "np.logical_and.reduce([x[0] > 0, x[1] > 2])",
    "np.maximum.accumulate([x[0], x[1], x[2]])",
    "np.add.outer([x[0], 1], (x[1], x[2]))",
    "np.subtract.outer(x, [x[1], 2])",
]


def check(function, *arguments, jit_compile):
    mine, theirs = ([a.copy() for a in arguments] for _ in range(2))
    found = runtime.function(function, numpy=True, jit_compile=jit_compile)(*mine)
    assert not (difference(found, function(*theirs)) or difference(mine, theirs, "the arguments"))


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", CALLS)
def test_functions_of_numpys(text, jit_compile):
    f = load(f"def f(x, n):\n    return {text}\n", np=np)
    check(f, np.array([0.5, 1.25, 3.0, 2.0]), np.array([2, 1, 3]), jit_compile=jit_compile)


def named(text):
    """A program that has in a variable what the call is given."""
    call = ast.parse(text, mode="eval").body
    if not isinstance(call, ast.Call) or not isinstance(call.args[0], ast.List | ast.Tuple):
        return None
    listed, call.args[0] = ast.unparse(call.args[0]), ast.Name("listed")
    return f"listed = {listed}\n    return {ast.unparse(call)}"


OF_VARIABLES = [program for text in CALLS if (program := named(text)) is not None]
OF_TUPLES = [
    "return np.append(np.where(x > 1), 7)",
    "return np.transpose(np.nonzero(x > 1))",
    "return np.sum(np.nonzero(x[:, None] > x), axis=1)",
    "places = np.where(x > 1)\n    return np.ravel(places), np.max(places)",
    "places = (x > 1).nonzero()\n    return np.add(places, 1)",
    "a, b = (x[0], x[1]), [x[2], 2.0]\n    return np.hypot(a, b), np.linalg.norm(b)",
    "pair = (x[0], x[1]) if len(x) > 2 else ()\n    return np.mean(pair)",
    "both = [x[0]] + [x[1]]\n    return np.std(both), np.flip(both)",
    "grown = []\n    for v in x:\n        grown.append(v)\n"
    "    return np.flip(grown), np.transpose(grown), np.any(grown), np.size(grown), np.cov(grown), np.roll(grown, 1)",
    "grown = [0.5]\n    for v in x:\n        grown.append(v)\n"
    "    return np.isin(x, grown), np.clip(x, 0, grown[1:]), np.dot(x, grown[1:]), np.where(x > 1, x, grown[1:])",
    "a, b = [x[0], 1.0], (x[1], x[2])\n"
    "    return np.concatenate([a, b]), np.stack([a, b]), np.vstack((b, a)), np.hstack([a, [1.0]])",
    "squares = list(x[1:])\n    return np.median(squares), np.take(squares, [1, 0])",
]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", OF_VARIABLES + OF_TUPLES)
def test_functions_of_numpys_given_what_is_in_a_variable(text, jit_compile):
    f = load(f"def f(x, n):\n    {text}\n", np=np)
    check(f, np.array([0.5, 1.25, 3.0, 2.0]), np.array([2, 1, 3]), jit_compile=jit_compile)


PLACES = "places = []\n    for i in range(len(x)):\n        if x[i] > 1:\n            places.append(i)"
BY_PLACES = [
    "return x[places]",
    "x[places] = 0.0",
    "x[places] += 1",
    "square = np.outer(x, x)\n    return square[places], square[:, places], square[places, places], square[places, 1:]",
    "square = np.outer(x, x)\n    square[places, 0] = -1\n    return square, np.take(x, places)",
    "marks = [v > 1 for v in x]\n    return x[marks]",
    "marks = []\n    for v in x:\n        marks.append(v > 1)\n    return x[marks]",
    "places.clear()\n    return x[places]",
]


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("text", BY_PLACES)
def test_a_list_that_has_grown_is_an_index(text, jit_compile):
    f = load(f"def f(x):\n    {PLACES}\n    {text}\n", np=np)
    check(f, np.array([0.5, 1.25, 3.0, 2.0]), jit_compile=jit_compile)


def of_pairs(x):
    z = np.zeros((3, 2), dtype=np.int64)
    z[0] = x[0], 2
    z[1] = x[1], 2.7
    z[2] = (x[0] * 0.5, x[2])
    return z


def of_rows(x):
    z = np.zeros((2, 2), np.float32)
    z[:] = (x[0], 1), [2, x[1]]
    z[0, :] += x[0], 2
    x[1:4] = True, 7.9, *x[2:3]
    return z


def on_a_stack(x):
    stack = np.zeros((20, 2), dtype=np.int64)
    stack[0] = 4, 1
    top = 1
    while top > 0:
        top -= 1
        y, z = stack[top]
        if y >= 0 and x[y] > 2:
            for dy, dz in ((-1, 1), (-2, 0)):
                stack[top] = y + dy, z + dz
                top += 1
    return stack


def a_path(x):
    path = []
    i = len(x)
    while i > 0:
        path.append((i, x[i - 1] * 0.5))
        i -= 2 if x[i - 1] > 2 else 1
    return np.array(path[::-1]), np.max(path, axis=0), len(path)


def of_groups(x):
    path = []
    i = len(x)
    while i > 0:
        path.append((x[:2], [i, x[2]]))
        i -= 2 if x[i - 1] > 2 else 1
    return np.array(path)


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("function", [of_pairs, of_rows, on_a_stack, a_path, of_groups])
def test_what_is_listed_by_items(function, jit_compile):
    check(function, np.array([1, 4, 2, 3, 5]), jit_compile=jit_compile)


@pytest.mark.parametrize("listed", ["(300, 5)", "[300, 5]", "(300, x[1])"])
def test_a_listed_int_has_to_fit(listed):
    f = load(f"def f(x):\n    x[0:2] = {listed}\n    return x\n", np=np)
    for function in (f, runtime.function(f)):
        with pytest.raises(OverflowError, match="Python integer 300 out of bounds for uint8"):
            function(np.arange(5, dtype=np.uint8))


def test_dictionaries_become_no_array():
    def f(x):
        path = []
        while len(path) < x:
            path.append({"a": x})
        return np.array(path)

    with pytest.raises(TypeError, match="a list whose elements are a dict each becomes no array"):
        runtime.function(f)(np.int64(3))


ITEMS = {
    "a range": "range(n)", "a list": "list(range(n))", "a comprehension": "[k for k in range(n)]",
    "sorted": "sorted(range(n), reverse=True)", "by twos": "list(range(0, n * 3, 2))",
    "of an array": "np.arange(n).tolist()",
    "repeated": "([1] * n)", "halves": "[k / 2 for k in range(n)]", "truths": "[k > 2 for k in range(n)]",
}  # fmt: skip
PARTS = ["{}", "{}[1:]", "{}[::-1]", "{}[1:][:-1]", "{}[n // 2:]"]
USES = {
    "itself": "list(a)", "an item": "(a[1], a[-1])", "each": "[k for k in a]", "computed": "[k + 1 for k in a]",
    "the largest": "(max(a), min(a))", "the sum": "sum(a)", "counted": "[(i, k) for i, k in enumerate(a)]",
    "beside": "list(zip(a, a))", "joined": "list(a) + list(a)[1:]", "mapped": "list(map(lambda k: k * 2, a))",
}  # fmt: skip
LOOPS = {
    "added": "s = 0\n    for k in a:\n        s += k\n    return s",
    "appended": "s = []\n    for k in a:\n        s.append(k)\n    return s[1:]",
    "taken off": "q, s = list(a), 0\n    while q:\n        s += q.pop()\n    return s",
    "written": "q = list(a)\n    for i in range(len(q)):\n        q[i] = q[i] * 2\n    return q",
}


@pytest.mark.parametrize("use", [*USES, *LOOPS])
@pytest.mark.parametrize("items", ITEMS)
def test_items_are_pythons_numbers(items, use):
    """Whatever part of a range or list they come from whose length only the graph knows."""
    rest = LOOPS[use] if use in LOOPS else f"return {USES[use]}"
    for part in PARTS:
        f = load(f"def f(n):\n    a = {part.format(ITEMS[items])}\n    {rest}\n", np=np)
        graph = runtime.function(f, numpy=True)
        for n in (np.int64(6), np.int64(9)):
            assert not difference(graph(n), f(n)), (part, n)


GROWN = {
    "NumPy's numbers": "a.append(v)", "Python's numbers": "a.append(float(v))", "whole numbers": "a.append(i)",
    "truth values": "a.append(v > 1)", "texts": "a.append('it\\'s' if v > 1 else 'x')",
    "pairs": "a.append((i, float(v)))", "lists": "a.append([v, 2.0])",
}  # fmt: skip


@pytest.mark.parametrize("element", GROWN)
def test_texts_of_lists_whose_length_only_the_graph_knows(element):
    f = load(
        f"""
def f(x):
    a = []
    for i in range(len(x)):
        v = x[i]
        if v > 0:
            {GROWN[element]}
    nested = {{"found": a, "count": (len(a), [a])}}
    texts = str(a), repr(a), f"{{a}} and {{a[1:]!r:>40}}", "%s: %r" % (len(a), a), "{{}}".format(a)
    return texts, str(nested), f"{{nested}}"
"""
    )
    for jit in (None, False):
        graph = runtime.function(f, numpy=True, jit_compile=jit)
        for x in (np.array([1.5, -1.0, 0.25]), np.array([-1.0, -2.0, -3.0]), np.array([3.0, 1.0, 2.0])):
            assert graph(x) == f(x)
