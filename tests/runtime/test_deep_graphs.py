"""Graphs that are long or deep: nothing that goes over them calls itself for each node, and the text stays one that
Python can read."""

import sys

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.executors import compile_graph
from runtime.executors.native import calling
from runtime.executors.numpy.text import to_text
from runtime.graph import depth
from runtime.graph.dtypes import bool_, float64
from runtime.graph.graph import Graph, Node, Place, TensorType, Value
from runtime.graph.op import OPS
from runtime.optimise import optimise
from tests.programs import EXECUTORS, load

X = TensorType(float64, ())
HERE = Place("program.py", 1)


def node(name, *inputs, regions=(), count=1, type_=X, **attributes):
    return Node(OPS[name], inputs, tuple(Value(type_, name) for _ in range(count)), attributes, regions, HERE)


def chain(count):
    """sin(sin(...)), with a number added now and then."""
    first = Value(X, "x")
    one = node("constant", value=np.float64(1), dtype=float64)
    nodes, last = [one], first
    for number in range(count):
        nodes.append(node("add", last, *one.outputs) if number % 10 == 0 else node("sin", last))
        (last,) = nodes[-1].outputs
    return Graph("chain", (first,), tuple(nodes), (last,))


def in_one_another(depth, name):
    """``if x > 0: x = x + 1; if ...``, or loops that run once each."""
    inner = None
    for _ in range(depth):
        x = Value(X, "x")
        zero, half = (node("constant", value=np.float64(v), dtype=float64) for v in (0, 0.5))
        grown = node("multiply", x, *half.outputs)
        nodes, last = [half, grown], grown.outputs[0]
        if inner is not None:
            nodes.append(inner_node := node(name, *_given(name, last, nodes), regions=inner))
            (last,) = inner_node.outputs
        body = Graph("body", (x,), tuple(nodes), (last,))
        y = Value(X, "y")
        if name == "if":
            inner = (body, Graph("else", (y,), (), (y,)))
        else:
            test = node("greater", y, *half.outputs, type_=TensorType(bool_, ()))
            inner = (Graph("test", (y,), (half, test), test.outputs), body)
    x = Value(X, "x")
    nodes = []
    last = node(name, *_given(name, x, nodes), regions=inner)
    return Graph("nest", (x,), (*nodes, last), last.outputs)


def _given(name, x, nodes):
    if name == "while":
        return [x]
    zero = node("constant", value=np.float64(0), dtype=float64)
    nodes += [zero, node("greater", x, *zero.outputs, type_=TensorType(bool_, ()))]
    return [*nodes[-1].outputs, x]


def test_a_long_chain():
    graph = optimise(chain(20_000))
    expected = 0.5
    for number in range(20_000):
        expected = expected + 1 if number % 10 == 0 else np.sin(expected)
    assert compile_graph(graph, False)(np.float64(0.5))[0] == pytest.approx(expected)
    assert max(map(len, to_text(graph).splitlines())) < 400


@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("name, depth", [("if", 60), ("if", 200), ("while", 15), ("while", 60)])
def test_deep_nesting(name, depth, jit):
    graph = optimise(in_one_another(depth, name))
    compile(to_text(graph), "graph", "exec")
    x = np.float64(1.0)
    expected = x * 0.5**depth if name == "if" else x * 0.5
    assert compile_graph(graph, jit)(x)[0] == expected


@pytest.mark.parametrize("jit", EXECUTORS)
def test_deep_programs(jit):
    """What a person, or a program, may write."""
    nested = "def f(x):\n" + "".join(
        "    " * (i + 1) + f"if x > {i - 100}:\n" + "    " * (i + 2) + "x = x + 1\n" for i in range(60)
    )
    chained = "def f(x):\n    if x > 100:\n        x = x * 2\n" + "".join(
        f"    elif x > {100 - i}:\n        x = x + {i}\n" for i in range(1, 60)
    )
    for text in (
        nested + "    return x\n",
        chained + "    return x\n",
        "def f(x):\n    return " + " and ".join(f"x > {i}" for i in range(-60, 0)),
        "def f(x):\n    return " + "np.sin(" * 150 + "x" + ")" * 150,
        "def f(x):\n    return " + " + ".join(["x"] * 500),
    ):
        function = load(text, np=np)
        x = np.float64(50.5)
        assert float(tf.function(function, jit_compile=jit)(x)) == pytest.approx(float(function(x)))


def test_constants_of_two_functions_are_two():
    one, two = np.arange(20.0), np.arange(20.0) ** 2

    @tf.function
    def inner(x):
        for i in tf.range(3):
            x = x + one * tf.cast(i, tf.float64)
        return [x * n for n in range(1, 14)][-1] + one

    def outer(x):
        return inner(x + two) - two

    x = np.ones(20)
    np.testing.assert_allclose(tf.function(outer, jit_compile=False)(x), ((x + two) + 3 * one) * 13 + one - two)


DEEP = {
    "a chain of branches": "    if x == 0:\n        y = 1\n"
    + "".join(f"    elif x == {i}:\n        y = {i % 7}\n" for i in range(1, 150))
    + "    else:\n        y = -1\n    return y\n",
    "a chain of returns": "".join(f"    if x == {i}:\n        return {i % 7}\n" for i in range(150))
    + "    return -1\n",
    "a chain of comparisons": "    return " + " < ".join(["x", *(f"x + {i}" for i in range(1, 110))]) + "\n",
    "one choice in another": "    return " + " else ".join(f"{i} if x == {i}" for i in range(120)) + " else -1\n",
}


@pytest.mark.parametrize("deep", DEEP)
def test_what_is_nested_in_a_line_after_the_other_is_traced(deep):
    f = load(f"def f(x):\n{DEEP[deep]}")
    before = sys.getrecursionlimit()
    graph = tf.function(f, jit_compile=False)
    for x in (3, 99, 700):
        assert int(graph(np.int64(x))) == f(x)
    assert sys.getrecursionlimit() == before


def test_what_is_nested_too_deep_to_be_traced_is_told():
    text = "    if x == 0:\n        pass\n" + "".join(f"    elif x == {i}:\n        pass\n" for i in range(1, 12))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(depth, "_DEEPEST", 10)
        with pytest.raises(
            RecursionError, match="more than 10 branches and loops in one another, or arms in one chain"
        ):
            tf.function(load(f"def f(x):\n{text}    return x\n"))(np.int64(3))


def test_the_effects_of_a_graph_are_asked_once_of_each_operation():
    asked = []

    class Asked:
        @property
        def effect(self):
            asked.append(self)
            return ""

    graph = Graph("innermost", (), tuple(Node(Asked(), (), ()) for _ in range(3)), ())
    for _ in range(60):
        graph = Graph("outer", (), (Node(Asked(), (), (), regions=(graph,)),), ())
    assert [n.effect for n in graph.walk()] == [""] * 63
    assert len(asked) <= 2 * 63  # once of each node that is asked itself, once for all those around it


def long_chain(x, verbose=False):
    """A loop that is unrolled, as its body might print; each iteration is a branch on what the one before left."""
    guess = x
    for i in range(400):
        if verbose:
            print(i, guess)
        new = (guess + x / guess) / 2
        if np.abs(new - guess) < 1e-9:
            break
        guess = new
    return guess


@pytest.mark.parametrize("jit_compile", [None, False, True])
def test_branches_may_follow_one_another_for_long(jit_compile):
    f = tf.function(long_chain, jit_compile=jit_compile)
    assert f(np.float64(2.0)).numpy() == pytest.approx(long_chain(np.float64(2.0)))


def test_what_is_too_long_for_llvm_is_not_given_to_it(monkeypatch):
    monkeypatch.setattr(calling, "MOST", 1_000)

    def f(x):
        for i in range(3):
            x = np.sin(x) * x[i]
        return x

    x = np.ones(5)
    np.testing.assert_array_equal(tf.function(f)(x), f(x))
    with pytest.raises(InvalidArgumentError, match="operations, as of loops that are unrolled, are too many. Without"):
        tf.function(f, jit_compile=True)(x)
