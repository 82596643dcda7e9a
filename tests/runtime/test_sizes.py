"""Sizes at the edge: empty arrays, and sizes that no memory holds, which NumPy refuses with the user's line."""

import itertools

import numpy as np
import pytest

import runtime as tf
from tests.programs import load

pytest.importorskip("llvmlite")

HUGE, LEAST, MOST = 2**62, -(2**63), 2**63 - 1


def zeros(n):
    return tf.zeros([n, 2])


def filled(n):
    return tf.reduce_sum(tf.fill([n, n, 4], 1.5))


def counted(n):
    return tf.range(n)


def broadcast(n):
    return tf.reduce_sum(tf.broadcast_to(tf.constant([1.0, 2.0]), [n, n, n, 2]))


def tiled(n):
    return tf.tile(tf.reshape(n, [1]), [2**61])


def padded(n):
    return tf.pad(tf.reshape(n, [1]), [[2**61, 2**61]])


def one_hot(n):
    return tf.one_hot(tf.reshape(n, [1]), 2**62)


def concatenated(n):
    part = tf.zeros([n], tf.int8)
    return tf.reduce_sum(tf.concat([part, part, part, part], 0))


def stacked(n):
    return tf.stack([tf.zeros([n], tf.int8)] * 3)


def together(n):
    return tf.zeros([n, 1]) + tf.zeros([1, n])


def reshaped(n):
    return tf.reshape(tf.zeros([0]), [n, n])


def identity(n):
    return tf.cast(n, tf.float32) * tf.eye(2**40)


def known(n):
    return tf.cast(n, tf.float32) + tf.zeros([2**62, 2])


def grown(n):
    elements = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    return elements.write(n, 1.0).stack()


def reserved(n):
    return tf.TensorArray(tf.float32, size=n).stack()


TOO_LARGE = [
    zeros, filled, counted, broadcast, tiled, padded, one_hot, concatenated, stacked, together, reshaped, identity,
    known, grown, reserved,
]  # fmt: skip


@pytest.mark.parametrize("size", [HUGE, 2**48, MOST - 2**20], ids=["2**62", "2**48", "close to 2**63"])
@pytest.mark.parametrize("program", TOO_LARGE, ids=lambda p: p.__name__)
def test_what_no_memory_holds_is_refused_with_the_users_line(program, size):
    kinds = set()
    for compile_ in (True, False, None):
        with pytest.raises((ValueError, MemoryError, OverflowError)) as raised:
            tf.function(program, jit_compile=compile_)(tf.constant(size))
        kinds.add(raised.type)
        assert any("in the graph, from" in note and "test_sizes.py" in note for note in raised.value.__notes__)
    assert len(kinds) == 1


@pytest.mark.parametrize("program", [zeros, counted, reserved], ids=lambda p: p.__name__)
def test_what_is_below_nothing_is_as_numpy_has_it(program):
    found = []
    for compile_ in (True, False):
        try:
            found.append(np.shape(tf.function(program, jit_compile=compile_)(tf.constant(-1))))
        except (ValueError, tf.errors.InvalidArgumentError) as error:
            found.append(type(error))
    assert found[0] == found[1]


def test_a_size_that_is_not_reached_does_no_harm():
    @tf.function(jit_compile=True)
    def f(x, n):
        if n > 3:
            y = tf.reduce_sum(tf.zeros([2**61, 2]) + tf.reduce_sum(tf.zeros([n, n, n])))
        else:
            y = tf.reduce_sum(x)
        return y

    assert float(f(tf.constant([1.0, 2.0]), tf.constant(2))) == 3


@pytest.mark.numpy_may_take_over  # NumPy counts further
@pytest.mark.parametrize(
    "start, limit, delta",
    [(LEAST, MOST, HUGE), (MOST, LEAST, LEAST), (LEAST, LEAST + 3, 2), (MOST, MOST - 3, -2),
     (3, 3, 1), (5, 3, 1), (MOST, LEAST, 1), (0, 7, MOST), (0, -7, LEAST)],
)  # fmt: skip
def test_ranges_at_the_ends_of_integers(start, limit, delta):
    given = [tf.constant(n) for n in (start, limit, delta)]
    for jit_compile in (True, False):
        found = tf.function(lambda *n: tf.range(*n), jit_compile=jit_compile)(*given)
        assert found.numpy().tolist() == [*range(start, limit, delta)]


PARTS = [
    (slice(2**70, None),), (slice(None, 2**70),), (slice(None, None, 2**70),), (slice(None, None, -(2**70)),),
    (slice(-(2**70), None, 3),), (slice(4, None, -(2**40)),), (slice(None), slice(-1, -(2**70), -2)),
]  # fmt: skip


@pytest.mark.parametrize("parts", PARTS, ids=str)
def test_slices_far_outside(parts):
    x = np.arange(15.0).reshape(5, 3)
    for shape in ([5, 3], [None, None]):
        f = tf.function(lambda x: x[parts], jit_compile=True, input_signature=[tf.TensorSpec(shape, tf.float64)])
        np.testing.assert_array_equal(f(x).numpy(), x[parts])


SHAPES = [(0,), (0, 3), (3, 0), (2, 0, 3)]
ON_NOTHING = {
    "top_k 0": lambda x: tf.math.top_k(x, 0),
    "sort": lambda x: tf.sort(x),
    "argsort": lambda x: tf.argsort(x),
    "sum": lambda x: (tf.reduce_sum(x), tf.reduce_sum(x, -1), tf.reduce_sum(x, 0, keepdims=True)),
    "prod": lambda x: (tf.reduce_prod(x), tf.reduce_prod(x, 0)),
    "max": lambda x: tf.reduce_max(x),
    "argmax": lambda x: tf.argmax(x, -1),
    "cumsum": lambda x: tf.cumsum(x, -1, exclusive=True, reverse=True),
    "one_hot": lambda x: tf.one_hot(tf.cast(x, tf.int32), 0),
    "reverse": lambda x: x[..., ::-1],
    "first": lambda x: x[0],
    "roll": lambda x: tf.roll(x, 1, 0),
    "pad": lambda x: tf.pad(x, [[1, 2]] * len(x.shape)),
    "tile": lambda x: tf.tile(x, [2] * len(x.shape)),
    "concat": lambda x: tf.concat([x, x], -1),
    "stack": lambda x: tf.stack([x, x], 1),
    "matmul": lambda x: tf.matmul(tf.reshape(x, [-1, 3]), tf.zeros([3, 0])),
    "nothing summed": lambda x: tf.matmul(tf.zeros([3, tf.size(x)]), tf.zeros([tf.size(x), 2])),
    "elements": lambda x: tf.tanh(x) * 2.0 + x,
}


@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("name", ON_NOTHING)
def test_operations_on_nothing(name, shape, known):
    x = np.zeros(shape, np.float32)
    spec = tf.TensorSpec(shape if known else [None] * len(shape), tf.float32)
    found = []
    for compile_ in (True, False):
        try:
            f = tf.function(ON_NOTHING[name], jit_compile=compile_, input_signature=[spec])
            found.append([t.numpy() for _ in range(200 if compile_ else 1) for t in tf.nest.flatten(f(x))])
        except Exception as error:
            found.append(f"{type(error).__name__}: {error}")
    mine, plain = found
    if isinstance(plain, str) or isinstance(mine, str):
        assert mine == plain
        return
    for a, b in zip(mine, plain):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


SIZES = [LEAST, -1, 0, 1, 3, 6, 2**31, 2**32, 2**33, HUGE, MOST]
RESHAPED = {
    "two axes": lambda x, a, b: tf.reshape(x, [a, b]),
    "three axes": lambda x, a, b: tf.reshape(x, [a, 2, b]),
    "a tensor of sizes": lambda x, a, b: tf.reshape(x, tf.stack([a, b])),
}


@pytest.mark.numpy_may_take_over  # where nothing is read, it does not mind a shape that no memory holds
@pytest.mark.parametrize("reshaped", RESHAPED.values(), ids=RESHAPED)
@pytest.mark.parametrize("count", [0, 6])
def test_arrays_have_the_shapes_that_numpy_gives_them(reshaped, count):
    """What is asked of the result needs none of its elements: nothing but its shape tells."""

    def asked(x, a, b):
        return tf.shape(reshaped(x, a, b), out_type=tf.int64)

    functions = [tf.function(asked, jit_compile=compile_) for compile_ in (False, True)]
    for a, b in itertools.product(SIZES, repeat=2):
        outcomes = []
        for f in functions:
            try:
                outcomes.append(f(tf.zeros([count]), tf.constant(a), tf.constant(b)).numpy().tolist())
            except (ValueError, MemoryError, OverflowError) as error:
                outcomes.append(type(error).__name__)
        assert outcomes[0] == outcomes[1], (a, b)


@pytest.mark.parametrize("jit_compile", [None, False, True])
def test_what_is_repeated_no_times_is_empty(jit_compile):
    f = tf.function(lambda x, n: tf.tile(x, [n]), jit_compile=jit_compile)
    for n in (0, 1, 2):
        assert f(tf.constant([1, 2]), tf.constant(n)).numpy().tolist() == [1, 2] * n
    with pytest.raises(tf.errors.InvalidArgumentError, match="must not be negative"):
        f(tf.constant([1, 2]), tf.constant(-1))


COUNTED = [
    "np.zeros(n)", "np.ones((n, 2))", "np.full(n, 2)", "np.empty(n).size", "np.eye(n)", "np.eye(3, n)",
    "np.identity(n)", "np.tri(n)", "np.linspace(0, 1, n)", "np.geomspace(1, 2, n)", "np.logspace(1, 2, n)",
    "np.arange(n)", "np.repeat(np.ones(2), n)", "np.indices((n, 2))", "np.pad(np.ones(2), n)",
    "np.triu_indices(n)", "np.diag_indices(n)",
    "np.arange(4).reshape(n, 2)", "[0] * n", "'ab' * n", "list(range(n))",
]  # fmt: skip


@pytest.mark.parametrize("text", COUNTED)
def test_counts_below_zero_are_what_they_are_without_a_graph(text):
    f = load(f"def f(n):\n    return {text}\n", np=np)
    graph = tf.function(f, numpy=True)
    for n in (2, 0, -1, -3):
        try:
            wanted = f(np.int64(n))
        except Exception as error:
            with pytest.raises(type(error)):
                graph(np.int64(n))
        else:
            np.testing.assert_equal(graph(np.int64(n)), wanted)
