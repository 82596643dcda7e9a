"""Seeds: which numbers are drawn again, as the documentation of `runtime.random` says."""

import numpy as np
import pytest

import runtime as tf

DRAWS = {
    "normal": lambda seed: tf.random.normal([4], seed=seed),
    "truncated_normal": lambda seed: tf.random.truncated_normal([4], seed=seed),
    "uniform": lambda seed: tf.random.uniform([4], seed=seed),
    "integers": lambda seed: tf.random.uniform([9], 0, 1000, tf.int32, seed=seed),
    "shuffle": lambda seed: tf.random.shuffle(tf.range(50), seed=seed),
    "categorical": lambda seed: tf.random.categorical([[0.0] * 100], 9, seed=seed),
}


def numbers(function, times=2):
    return [[np.asarray(part).tolist() for part in function()] for _ in range(times)]


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_sequences(draw):
    def pair(seed):
        return lambda: (draw(seed), draw(seed))

    for seed in (1, -3, 2**40):
        tf.random.set_seed(5)
        eager = numbers(pair(seed))
        assert eager[0][0] != eager[0][1] != eager[1][0]  # one stream for all that run at once
        graph = tf.function(pair(seed))
        tf.random.set_seed(5)
        first = numbers(graph)
        assert first[0][0] == first[0][1] == eager[0][0]  # each operation of a graph has its own
        assert first[1][0] == first[1][1] == eager[0][1]
        tf.random.set_seed(5)
        assert numbers(graph) == first and numbers(pair(seed)) == eager
        tf.random.set_seed(6)
        assert numbers(graph) != first
        assert numbers(tf.function(pair(seed + 1))) != numbers(tf.function(pair(seed)))


@pytest.mark.parametrize("draw", DRAWS.values(), ids=DRAWS)
def test_without_a_seed_of_its_own(draw):
    graph = tf.function(lambda: (draw(None), draw(None)))
    drawn = []
    for _ in range(2):
        tf.random.set_seed(7)
        drawn.append(numbers(graph))
    assert drawn[0] == drawn[1] and drawn[0][0][0] != drawn[0][0][1] != drawn[0][1][0]
    assert numbers(graph) != drawn[0]


def test_streams_go_on_in_loops_and_are_those_of_their_function():
    @tf.function
    def f(n):
        total = tf.zeros([2])
        for _ in tf.range(n):
            total = total * 10 + tf.cast(tf.random.uniform([2], 0, 9, tf.int32, seed=3), tf.float32)
        return total

    tf.random.set_seed(1)
    looped = f(tf.constant(3))
    tf.random.set_seed(1)
    single = [np.asarray(tf.random.uniform([2], 0, 9, tf.int32, seed=3)) for _ in range(3)]
    np.testing.assert_array_equal(looped, single[0] * 100 + single[1] * 10 + single[2])


def test_the_end_of_an_interval_is_not_drawn():
    for dtype in (tf.float16, tf.float32, tf.float64):
        x = np.asarray(tf.random.uniform([100_000], 1.0, 1.0009765625, dtype))
        assert (x >= 1).all() and (x < 1.0009765625).all() and x.dtype == dtype


STATELESS = {
    "normal": lambda **more: tf.random.stateless_normal([3, 2], **{"seed": [1, 2], **more}),
    "truncated_normal": lambda **more: tf.random.stateless_truncated_normal([3, 2], **{"seed": [1, 2], **more}),
    "uniform": lambda **more: tf.random.stateless_uniform([3, 2], **{"seed": [1, 2], **more}),
}


@pytest.mark.parametrize("draw", STATELESS.values(), ids=STATELESS)
@pytest.mark.parametrize("jit_compile", [False, None])
def test_a_seed_alone_decides(draw, jit_compile):
    first = draw().numpy().tolist()
    graph = tf.function(lambda seed: draw(seed=seed), jit_compile=jit_compile)
    tf.random.set_seed(7)
    assert draw().numpy().tolist() == first == graph(tf.constant([1, 2])).numpy().tolist()
    assert draw(seed=[2, 1]).numpy().tolist() != first
    assert draw(dtype=tf.float64).dtype == tf.float64
    with pytest.raises(ValueError, match="two whole numbers"):
        draw(seed=[1, 2, 3, 4])


def test_means_and_ends_of_what_a_seed_decides():
    first = STATELESS["normal"]()
    np.testing.assert_allclose(STATELESS["normal"](mean=5.0, stddev=2.0), first * 2 + 5, rtol=1e-6)
    cut = STATELESS["truncated_normal"]()
    np.testing.assert_allclose(STATELESS["truncated_normal"](mean=5.0, stddev=2.0), cut * 2 + 5, rtol=1e-6)
    np.testing.assert_allclose(STATELESS["uniform"](minval=5.0, maxval=7.0), STATELESS["uniform"]() * 2 + 5, rtol=1e-6)
    assert tf.random.stateless_categorical([[0.0, 1.0]], 3, [1, 2], dtype=tf.int32).dtype == tf.int32
    often = tf.random.stateless_categorical([[0.0, np.log(3.0)]], 4000, [1, 2]).numpy().mean()
    assert abs(often - 0.75) < 0.03


def test_gradients_of_what_a_seed_decides():
    with tf.GradientTape() as tape:
        v = tf.Variable([1.0, 2.0])
        y = tf.random.stateless_normal([2], [1, 2], mean=v[0], stddev=v[1])
    drawn = tf.random.stateless_normal([2], [1, 2]).numpy()
    np.testing.assert_allclose(tf.convert_to_tensor(tape.gradient(y, v)), [2.0, drawn.sum()], rtol=1e-5)


@pytest.mark.parametrize("jit_compile", [False, None])
def test_a_generator_goes_on_in_a_graph(jit_compile):
    made, other = (tf.random.Generator.from_seed(3) for _ in range(2))
    graph = tf.function(lambda: (made.normal([2]), made.uniform([2])), jit_compile=jit_compile)
    for _ in range(2):
        mine = [np.asarray(x).tolist() for x in graph()]
        assert mine == [other.normal([2]).numpy().tolist(), other.uniform([2]).numpy().tolist()]
    state = made.state.numpy()
    again = made.truncated_normal([3]).numpy().tolist()
    made.reset(state)
    assert made.truncated_normal([3]).numpy().tolist() == again
    assert made.uniform_full_int([4], tf.uint8).dtype == tf.uint8
    children = [child.normal([]).numpy() for child in made.split(3)]
    assert len(set(children)) == 3


@pytest.mark.parametrize("dtype", [tf.int8, tf.uint32, tf.int64, tf.uint64])
def test_without_ends_all_integers_are_drawn(dtype):
    draw = lambda **ends: tf.random.stateless_uniform([1000], [1, 2], dtype=dtype, **ends)
    found = draw(minval=None, maxval=None)
    assert found.dtype == dtype and found.numpy().max() > dtype.max // 4 * 3
    assert found.numpy().min() < dtype.min // 4 * 3 + dtype.max // 4
    for ends in ({}, {"minval": None, "maxval": 3}, {"minval": 1, "maxval": None}):
        with pytest.raises(ValueError, match="Must specify maxval for integer dtype"):
            draw(**ends)
    with pytest.raises(ValueError, match="minval=None is for integers"):
        tf.random.stateless_uniform([2], [1, 2], None)
