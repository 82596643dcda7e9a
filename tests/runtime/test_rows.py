"""A row that is added to the table works wherever the others do: that is all there is to a new operation."""

import doctest
import inspect
import math

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.executors.numpy.text import program
from runtime.graph.graph import TensorType
from runtime.graph.op import NUMPY, OPS, elementwise, op, where_shapes_are_known
from runtime.graph.public import FLOAT, SAME, Public
from runtime.tensors.operations import apply

X = np.linspace(-400, 400, 6000).reshape(60, 100)


@pytest.fixture
def row():
    says = Public("to_radians math.to_radians", "Degrees as radians.", FLOAT, "to_radians([180.0])", "[3.142]")
    made = elementwise("to_radians", "np.deg2rad({0})", numpy=np.deg2rad, public=says)
    yield made
    del OPS[made.name], NUMPY[np.deg2rad]


def test_it_runs_at_once_under_its_own_name_and_numpys(row):
    for x in (X, X.astype(np.float32), np.arange(3)):
        for result in (apply(row, tf.constant(x)), np.deg2rad(tf.constant(x))):
            np.testing.assert_array_equal(result, np.deg2rad(x), strict=True)
    with pytest.raises(InvalidArgumentError, match="to_radians is not defined for complex128"):
        apply(row, tf.constant(1j))


def test_users_find_it_where_the_row_says(row):
    for namespace in (tf, tf.math):
        assert "to_radians" in dir(namespace)
        assert namespace.to_radians(180.0).numpy() == np.float32(np.pi)
    assert "to_radians" not in dir(tf.nn)
    with pytest.raises(AttributeError, match="module 'runtime.nn' has no attribute 'to_radians'"):
        tf.nn.to_radians  # noqa: B018
    assert "Degrees as radians." in tf.math.to_radians.__doc__
    example = doctest.DocTestParser().get_doctest(tf.math.to_radians.__doc__, {"tf": tf}, "to_radians", None, None)
    assert doctest.DocTestRunner().run(example) == (0, 1)


def test_a_row_with_attributes_has_its_documentation_too(row):
    says = Public("to_turns", "Degrees as turns.", FLOAT, "to_turns([180.0], turns=2)", "[1.]")
    made = op("to_turns", lambda x, *, turns=1: x, "np.divide({0}, 360 / {turns})", public=says)
    try:
        assert str(inspect.signature(tf.to_turns)) == "(x, *, turns=1)" and "Degrees as turns." in tf.to_turns.__doc__
    finally:
        del OPS[made.name]


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


@pytest.fixture
def along_an_axis():
    """A row of another kind: what it makes has another shape, and it has an attribute."""

    def rule(x, *, axis=0):
        return TensorType(x.dtype, tuple(d for i, d in enumerate(x.shape) if i != axis % len(x.shape)))

    says = Public("math.spread", "The largest less the smallest along an axis.", SAME, "math.spread([1, 5])", "4")
    text = "np.ptp({0}, axis={axis})"
    made = op("spread", rule, text, numpy=np.ptp, total=where_shapes_are_known, public=says)
    yield made
    del OPS[made.name], NUMPY[np.ptp]


def test_a_row_with_an_attribute_is_found_called_staged_and_printed(along_an_axis):
    assert "spread" in dir(tf.math) and "spread" not in dir(tf)
    assert str(inspect.signature(tf.math.spread)) == "(x, *, axis=0)"
    for axis in (0, 1, -1):
        found = tf.math.spread(X, axis=axis)
        np.testing.assert_array_equal(found, np.ptp(X, axis))
        np.testing.assert_array_equal(np.ptp(tf.constant(X), axis=axis), np.ptp(X, axis))
        staged = tf.function(lambda x, axis=axis: tf.math.spread(x, axis=axis), jit_compile=False)
        np.testing.assert_array_equal(staged(X), np.ptp(X, axis))
        assert f"np.ptp(x, axis={axis})" in str(staged.get_concrete_function(X).graph)
    with pytest.raises(TypeError, match="axes"):
        tf.math.spread(X, axes=0)


def test_a_row_with_an_attribute_needs_one_native_rule(along_an_axis, monkeypatch):
    pytest.importorskip("llvmlite")
    from runtime.executors.native import lowering, scalars
    from runtime.executors.native.arithmetic import element_of
    from runtime.executors.native.vectorised_loops import nest
    from runtime.ops import elementwise as ew

    def native(lowering, node):
        code, axis = lowering.code, node.attributes["axis"]
        x = lowering.array(node.inputs[0])
        axis %= len(x.dims)
        made = lowering.result(node.outputs[0], [d for i, d in enumerate(x.dims) if i != axis])
        least, most = code.slot("double"), code.slot("double")
        with nest(code, made.dims, independent=False) as outer:
            code.store("double", "0x7FF0000000000000", least)
            code.store("double", "0xFFF0000000000000", most)
            with code.loop(x.dims[axis]) as i:
                at = lowering.element(x, [*outer[:axis], i, *outer[axis:]])
                for best, kept in ((ew.minimum, least), (ew.maximum, most)):
                    pair = [scalars.load(code, kept, x.dtype), scalars.load(code, at, x.dtype)]
                    scalars.store(code, element_of(code, best, pair, x.dtype), kept)
            pair = [scalars.load(code, most, x.dtype), scalars.load(code, least, x.dtype)]
            scalars.store(code, element_of(code, ew.subtract, pair, x.dtype), lowering.element(made, outer))
        return [made]

    def spread(x):
        return tf.math.spread(x, axis=1)

    with pytest.raises(InvalidArgumentError, match="'spread' cannot be compiled: .* nobody has written one"):
        tf.function(spread, autograph=False, jit_compile=True)(X)
    monkeypatch.setitem(lowering.HANDLERS, along_an_axis, native)
    found = tf.function(spread, autograph=False, jit_compile=True)(X)
    np.testing.assert_array_equal(found, np.ptp(X, 1))
