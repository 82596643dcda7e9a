import numpy as np
import pytest

import runtime as tf


def test_assignment():
    v = tf.Variable([1.0, 2.0], name="v")
    v.assign_add([1, 1])
    v.assign_sub(tf.constant([0.5, 0.5]))
    assert v.numpy().tolist() == [1.5, 2.5]
    assert v.assign([0, 0]) is v and (v + 1).numpy().tolist() == [1, 1]
    assert repr(v) == "<tf.Variable 'v:0' shape=(2,) dtype=float32, numpy=array([0., 0.], dtype=float32)>"


@pytest.mark.parametrize(
    "value, words", [([1.0], "Shape mismatch"), (tf.constant([1, 2]), "holds float32 and cannot be assigned int32")]
)
def test_values_must_fit(value, words):
    with pytest.raises(ValueError, match=words):
        tf.Variable([1.0, 2.0]).assign(value)


def test_a_graph_reads_the_value_of_the_moment():
    v = tf.Variable(1.0)

    @tf.function
    def f():
        before = v.read_value()
        v.assign(before * 3)
        return before, v + 0.0

    assert [float(x) for x in f()] == [1.0, 3.0]
    v.assign(10.0)
    assert [float(x) for x in f()] == [10.0, 30.0]


def test_shapes_may_be_left_open():
    v = tf.Variable([1.0], shape=[None])
    v.assign([1.0, 2.0])
    assert v.shape.as_list() == [None] and v.numpy().tolist() == [1.0, 2.0]


def test_variables_in_staged_branches_and_loops():
    v = tf.Variable(0)

    @tf.function
    def f(n):
        while n > 0:
            if n % 2 == 0:
                v.assign_add(n)
            n -= 1
        return v

    assert f(tf.constant(6)).numpy() == 12


def test_a_traced_value_cannot_start_a_variable():
    with pytest.raises(ValueError, match="cannot depend on traced tensors"):
        tf.function(lambda x: tf.Variable(x))(tf.constant(1))


def test_numpy_takes_variables():
    assert np.sum(tf.Variable([1.0, 2.0])).numpy() == 3
