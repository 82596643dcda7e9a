"""`experimental.numpy`: what is called by NumPy's names gives NumPy's numbers in tensors, eagerly and in graphs."""

import importlib

import numpy as np
import pytest

import runtime as tf

tnp = tf.experimental.numpy

CALLS = [
    lambda n: n.ones([5, 3]), lambda n: n.zeros(2) + n.arange(2), lambda n: n.matmul(n.ones([2, 3]), n.ones([3, 2])),
    lambda n: n.concatenate([n.ones(2), n.zeros(1)]), lambda n: n.where(n.array([True, False]), 1, 2),
    lambda n: n.mean([1, 2]), lambda n: n.asarray([1, 2]), lambda n: n.linspace(0, 1, 3), lambda n: n.maximum(1, 2.0),
    lambda n: n.reshape(n.arange(4), (2, 2)).T, lambda n: n.clip([1, 5], 2, 3), lambda n: n.argmax([1, 3, 2]),
    lambda n: n.dot([1, 2], [3, 4]), lambda n: n.stack([[1], [2]]), lambda n: n.sum([True, True]), lambda n: n.exp(1.0),
    lambda n: n.einsum("i,i", [1.0, 2.0], n.array([3.0, 4.0])), lambda n: n.full((2,), n.float32(3)),
    lambda n: n.eye(2, dtype=n.int8), lambda n: n.float32(2) * n.ones(2, n.float32), lambda n: n.arange(3) * 1.5,
    lambda n: n.array([n.arange(2), n.arange(2)]), lambda n: n.split(n.arange(4), 2), lambda n: n.nonzero([0, 1]),
    lambda n: n.meshgrid([1, 2], n.array([3])), lambda n: n.isinf([1.0]), lambda n: n.pad([1], 1), lambda n: n.tri(2),
    lambda n: n.array([[1, 2]], dtype=n.float32)[:, n.newaxis], lambda n: n.allclose(n.ones(2), [1, 1]),
    lambda n: n.zeros_like(n.array([1.5])) + n.pi, lambda n: n.take_along_axis(n.array([[1, 2]]), n.array([[1]]), 1),
    lambda n: n.add(n.array([1], n.float32), np.array([1.0])), lambda n: n.ndim([1]),
]  # fmt: skip


def leaves(made):
    return [np.asarray(leaf) for leaf in tf.nest.flatten(list(made) if isinstance(made, tuple | list) else made)]


@pytest.mark.parametrize("call", CALLS)
def test_it_gives_what_numpy_gives(call):
    wanted = leaves(call(np))
    for made in (call(tnp), tf.function(lambda: call(tnp))()):
        for mine, its in zip(leaves(made), wanted, strict=True):
            assert mine.dtype == its.dtype or mine.dtype.kind == its.dtype.kind == "i"
            np.testing.assert_array_equal(mine, its)


def test_tensors_of_any_kind_go_in_and_tensors_come_out():
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])

    def f(x):
        return tnp.asarray(x), tnp.array([x, x], dtype=tnp.float64), tnp.mean(x, axis=0), tnp.where(x > 1, x, 0)

    for made in (f(x), f(tf.Variable(x)), tf.function(f)(x)):
        assert all(isinstance(one, tnp.ndarray) for one in made)
        assert [one.dtype for one in made] == [tf.float32, tf.float64, tf.float32, tf.float32]
        np.testing.assert_array_equal(made[2], [2, 3])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tnp.sum(tnp.square(x) * tnp.array([1.0, 2.0]))
    np.testing.assert_array_equal(tape.gradient(y, x), [[2, 8], [6, 16]])


def test_it_has_numpys_numbers_and_dtypes_and_refuses_the_rest():
    assert tnp.shape(tnp.ones([2, 3])) == (2, 3) and isinstance(tnp.ones(1), tnp.ndarray)
    assert tnp.float32 is np.float32 and tnp.pi == np.pi and tnp.newaxis is None and tnp.inf == np.inf
    assert importlib.import_module("runtime.experimental.numpy") is tnp and {"sum", "float64"} < {*dir(tnp)}
    with pytest.raises(AttributeError, match="has no attribute 'memmap'"):
        tnp.memmap
    tnp.experimental_enable_numpy_behavior()
    with pytest.raises(NotImplementedError, match="prefer_float32"):
        tnp.experimental_enable_numpy_behavior(prefer_float32=True)


def test_random_numbers_are_drawn_at_each_run():
    random = tnp.random
    for draw, size in (
        (lambda: random.randn(2, 3), (2, 3)), (lambda: random.rand(4), (4,)), (lambda: random.uniform(1, 2, [3]), (3,)),
        (lambda: random.random(), ()), (lambda: random.standard_normal((2,)), (2,)),
    ):  # fmt: skip
        graph = tf.function(draw)
        first, second = graph(), graph()
        assert first.dtype == tf.float64 and first.shape == size and (first.numpy() != second.numpy()).any()
        random.seed(1)
        once = draw().numpy()
        random.seed(1)
        np.testing.assert_array_equal(draw(), once)
    whole = random.randint(3, 6, size=[100], dtype=tnp.int32)
    assert whole.dtype == tf.int32 and {*whole.numpy().tolist()} == {3, 4, 5}
    assert {*random.randint(2, size=[100]).numpy().tolist()} == {0, 1}
    with pytest.raises(ValueError, match="whole numbers"):
        random.randint(3, dtype=tf.float32)
