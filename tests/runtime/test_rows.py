"""A row that is added to the table works wherever the others do: that is all there is to a new operation."""

import math

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.executors.numpy.text import program
from runtime.graph.op import NUMPY, OPS, elementwise
from runtime.tensors.operations import apply

X = np.linspace(-400, 400, 6000).reshape(60, 100)


@pytest.fixture
def row():
    made = elementwise("to_radians", "np.deg2rad({0})", numpy=np.deg2rad)
    yield made
    del OPS[made.name], NUMPY[np.deg2rad]


def test_it_runs_at_once_under_its_own_name_and_numpys(row):
    for x in (X, X.astype(np.float32), np.arange(3)):
        for result in (apply(row, tf.constant(x)), np.deg2rad(tf.constant(x))):
            np.testing.assert_array_equal(result, np.deg2rad(x), strict=True)
    with pytest.raises(InvalidArgumentError, match="to_radians is not defined for complex128"):
        apply(row, tf.constant(1j))


def test_it_is_staged_and_printed(row):
    staged = tf.function(lambda x: np.deg2rad(x) * 2.0, jit_compile=False)
    np.testing.assert_array_equal(staged(X), np.deg2rad(X) * 2.0)
    graph = staged.get_concrete_function(X).graph
    assert "return (np.deg2rad(x) * 2.0,)" in str(graph)
    assert [node.op for node in graph.nodes if node.inputs] == [row, OPS["multiply"]]


def test_it_writes_over_what_nobody_needs(row):
    def f(x):
        y = x + 1.0
        z = np.deg2rad(y)
        return z * z

    staged = tf.function(f, autograph=False, jit_compile=False)
    assert "np.deg2rad(add, out=add)" in program(staged.get_concrete_function(X).graph, in_place=True).text
    np.testing.assert_array_equal(staged(X), f(X))


def test_it_is_moved_out_of_loops_since_it_cannot_fail(row):
    def f(x, n):
        for _ in tf.range(n):
            x = x + np.deg2rad(n)
        return x

    graph = tf.function(f).get_concrete_function(tf.TensorSpec([], tf.float64), tf.TensorSpec([], tf.int32)).graph
    assert row in [node.op for node in graph.nodes]


def test_it_is_native_where_it_is_said_how(row, monkeypatch):
    pytest.importorskip("llvmlite")
    from runtime.executors.native.arithmetic import ELEMENTS, Element, converted, element_of
    from runtime.executors.native.scalars import literal
    from runtime.ops import elementwise as ew

    def f(x):
        return np.deg2rad(x) + 1.0, tf.reduce_max(np.deg2rad(x), 0)

    with pytest.raises(InvalidArgumentError, match="'to_radians' cannot be compiled: .* nobody has written one"):
        tf.function(f, autograph=False, jit_compile=True)(X)

    def emit(code, dtype, xs):
        return element_of(code, ew.multiply, [*xs, literal(math.pi / 180, dtype)], dtype).text

    monkeypatch.setitem(ELEMENTS, row, Element(converted(emit)))
    for found, wanted in zip(
        tf.function(f, autograph=False, jit_compile=True)(X), (np.deg2rad(X) + 1, np.deg2rad(X).max(0))
    ):
        np.testing.assert_array_equal(found, wanted)
