"""`tf.nest`, what is printed, and what a branch leaves, beside TensorFlow 2.21, from which the literals come."""

import collections
import sys

import numpy as np
import pytest

import runtime as tf

Point = collections.namedtuple("Point", "x y")

FLAT = [
    ({"b": 1, "a": [2, (3,)]}, [2, 3, 1]),
    ({"b": {"d": 1, "c": 2}, "a": 3}, [3, 2, 1]),
    ({2: "two", 1: "one"}, ["one", "two"]),
    (Point(1, {"z": 2, "y": 3}), [1, 3, 2]),
    ([], []),
    ({}, []),
    (7, [7]),
    (None, [None]),
]


@pytest.mark.parametrize("number", range(len(FLAT)))
def test_leaves_come_in_the_order_of_keys(number):
    structure, leaves = FLAT[number]
    assert tf.nest.flatten(structure) == leaves
    packed = tf.nest.pack_sequence_as(structure, leaves)
    assert packed == structure and type(packed) is type(structure)
    if isinstance(structure, dict):
        assert [*packed] == [*structure]
    tf.nest.assert_same_structure(structure, packed)


def test_keys_without_an_order_stay_as_they_are():
    assert tf.nest.flatten({"b": 1, 2: 3}) == [1, 3]


def test_dictionaries_meet_by_their_keys():
    assert tf.nest.map_structure(lambda x, y: x - y, {"a": 10, "b": 20}, {"b": 2, "a": 1}) == {"a": 9, "b": 18}
    ordered = collections.OrderedDict([("b", 1), ("a", 2)])
    assert tf.nest.map_structure(lambda x, y: (x, y), ordered, {"a": 3, "b": 4}) == {"b": (1, 4), "a": (2, 3)}


WRONG = [
    (lambda: tf.nest.assert_same_structure([1], [1, 2]), ValueError, "differ in length"),
    (lambda: tf.nest.assert_same_structure([1], (1,)), TypeError, "one has list where the other has tuple"),
    (lambda: tf.nest.assert_same_structure([1], [[1]]), ValueError, r"a leaf where the other has \[·\]"),
    (lambda: tf.nest.assert_same_structure({"a": 1}, {"b": 1}), ValueError, "have other keys"),
    (lambda: tf.nest.assert_same_structure({"a": 1}, [1]), TypeError, "one has dict where the other has list"),
    (lambda: tf.nest.assert_same_structure((1,), {"a": 1}), TypeError, "one has tuple where the other has dict"),
    (lambda: tf.nest.assert_same_structure(Point(1, 2), (1, 2)), TypeError, "Point where the other has tuple"),
    (lambda: tf.nest.map_structure(max, [1], [1, 2]), ValueError, "differ in length"),
    (lambda: tf.nest.map_structure(max, [1], (2,)), TypeError, "list where the other has tuple"),
    (lambda: tf.nest.map_structure(max), ValueError, "needs a structure"),
    (lambda: tf.nest.pack_sequence_as([1, 2], [1]), ValueError, "has 2 leaves, and 1 were given"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_what_is_wrong_with_structures(number):
    act, kind, text = WRONG[number]
    with pytest.raises(kind, match=text):
        act()


def test_types_that_need_not_be_the_same():
    tf.nest.assert_same_structure([1, (2,)], (1, [2]), check_types=False)
    assert tf.nest.map_structure(lambda x, y: x + y, [1, 2], (3, 4), check_types=False) == [4, 6]


def test_there_is_nothing_to_expand_in_structures():
    known = {"b": 1, "a": [2]}
    assert tf.nest.flatten(known, expand_composites=True) == [2, 1]
    assert tf.nest.pack_sequence_as(known, [3, 4], expand_composites=True) == {"b": 4, "a": [3]}
    assert tf.nest.map_structure(lambda x: -x, known, expand_composites=True) == {"b": -1, "a": [-2]}
    tf.nest.assert_same_structure(known, {"b": 0, "a": [0]}, expand_composites=True)


PRINTED = [
    (["x:", tf.constant("hello")], 'x: "hello"'),
    ([tf.constant("hello")], "hello"),
    ([[tf.constant("hello")]], '["hello"]'),
    ([{"k": tf.constant("v")}, "z"], "{'k': \"v\"} z"),
    ([1.0, 2, True, None, 1 + 2j], "1.0 2 True None (1+2j)"),
    ([[1.5, True, None, "q", b"x"]], "[1.5, True, None, 'q', b'x']"),
    ([100000000.0, 3.14159265358979], "100000000.0 3.14159265358979"),
    ([tf.constant([1.5, 2.0]), tf.constant(True)], "[1.5 2] 1"),
    ([tf.float32, [tf.int32], tf.TensorShape([None, 2])], "tf.float32 [tf.int32] TensorShape([None, 2])"),
]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_printed(number, staged, capsys):
    parts, text = PRINTED[number]

    def run():
        tf.print(*parts, output_stream=sys.stdout)

    (tf.function(run) if staged else run)()
    assert capsys.readouterr().out == text + "\n"


TEXTS = [
    (tf.constant([[1.0, 2.0]]), "tf.Tensor([[1. 2.]], shape=(1, 2), dtype=float32)"),
    (tf.constant([[1], [2]]), "tf.Tensor(\n[[1]\n [2]], shape=(2, 1), dtype=int32)"),
    (
        tf.Variable([[1], [2]], name="v"),
        "<tf.Variable 'v:0' shape=(2, 1) dtype=int32, numpy=\narray([[1],\n       [2]])>",
    ),
    (
        tf.Variable([[1.0]], name="v"),
        "<tf.Variable 'v:0' shape=(1, 1) dtype=float32, numpy=array([[1.]], dtype=float32)>",
    ),
]


@pytest.mark.parametrize("number", range(len(TEXTS)))
def test_texts_of_values(number):
    value, text = TEXTS[number]
    assert str(value).replace(", dtype=int32)>", ")>") == text
    long = str(tf.range(60))
    assert long.startswith("tf.Tensor(\n[ 0  1") and str(tf.range(3)) == "tf.Tensor([0 1 2], shape=(3,), dtype=int32)"


@pytest.mark.parametrize("jit_compile", [None, False])
def test_zeros_of_two_branches_are_not_one(jit_compile):
    @tf.function(jit_compile=jit_compile)
    def f(x):
        if x > 0:
            zero = 0.0
        else:
            zero = -0.0
        return np.copysign(1.0, zero) + x * 0.0

    assert [float(f(tf.constant(v))) for v in (1.0, -1.0)] == [1.0, -1.0]


SHAPES = {"known": tf.TensorSpec([2, 3]), "open": tf.TensorSpec([None, 3]), "of any rank": tf.TensorSpec(None)}


@pytest.mark.parametrize("spec", SHAPES.values(), ids=SHAPES)
def test_a_shape_that_both_branches_have(spec):
    @tf.function(input_signature=[spec])
    def f(x):
        if tf.reduce_sum(x) > 0:
            shape = x.shape
        else:
            shape = x.shape
        for _ in tf.range(2):
            shape = x.shape
        return tf.fill([shape[0], 2], shape[1])

    assert f(tf.ones([2, 3])).numpy().tolist() == [[3, 3], [3, 3]]


@pytest.mark.parametrize("part", [lambda x: x[1:], lambda x: x[x[:, 0] > 0]], ids=["rows", "some rows"])
def test_unknown_shapes_are_not_taken_for_one(part):
    @tf.function(input_signature=[tf.TensorSpec([None, 3])])
    def f(x):
        shape = x.shape
        if tf.reduce_sum(x) > 0:
            shape = part(x).shape
        return shape[0]

    with pytest.raises(ValueError, match="which has ended"):
        f(tf.ones([2, 3]))


def test_equal_shapes_that_are_written_out():
    @tf.function
    def f(x):
        shape = tf.TensorShape([2])
        if x > 0:
            shape = tf.TensorShape([2])
        return tf.fill(shape, x)

    assert f(tf.constant(5)).numpy().tolist() == [5, 5]


@pytest.mark.parametrize("how", [lambda f: f, tf.function])
def test_results_with_names(how):
    found = how(lambda x: tf.math.top_k(x, k=2))(tf.constant([3, 9, 5]))
    assert found.values.numpy().tolist() == [9, 5] and found.indices.numpy().tolist() == [1, 2]
    found = how(tf.unique)(tf.constant([7, 5, 7]))
    assert found.y.numpy().tolist() == [7, 5] and found.idx.numpy().tolist() == [0, 1, 0]
    assert type(found).__name__ == "Unique" and tf.complex128.real_dtype == tf.float64
