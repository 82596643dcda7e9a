"""What is combined at places one after the other, to the last bit, wherever and as often as each place is named."""

import numpy as np
import pytest

import runtime as tf
from runtime.ops import indexing
from tests.programs import EXECUTORS

AT = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.true_divide,
    "min": np.minimum,
    "max": np.maximum,
}
KINDS = ["int8", "int32", "int64", "float16", "float32", "float64", "complex64"]
SHAPES = [(5,), (5, 3), (4, 3, 2), (1, 1), (3, 0), (70, 2000)]


def drawn(rng, shape, kind):
    return np.asarray(rng.standard_normal(shape) * 9).astype(kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", AT)
def test_index_vectors(how, kind):
    rng = np.random.default_rng(0)
    if how == "div" and "int" in kind:
        return
    for shape in SHAPES:
        for depth in range(len(shape) + (0 not in shape)):
            for lead in [(), (1,), (40,), (3, 4), (0,)] if depth else [()]:
                x = drawn(rng, shape, kind)
                vectors = [rng.integers(0, d, lead) for d in shape[:depth]]
                updates = drawn(rng, (*lead, *shape[depth:]), kind)
                wanted = x.copy()
                indices = np.stack(vectors, -1) if vectors else np.zeros((0,), np.int64)
                with np.errstate(all="ignore"):
                    AT[how].at(wanted, tuple(vectors), updates)
                    for given in (x, np.asfortranarray(x)):
                        found = indexing.scattered(given, indices, updates, how)
                        np.testing.assert_array_equal(found, wanted, err_msg=f"{shape} {depth} {lead}")
                        assert found.dtype == kind


@pytest.mark.parametrize("kind", KINDS)
def test_added_at_an_index(kind):
    rng = np.random.default_rng(0)
    one = indexing.INPUT
    cases = [
        ((one,), [rng.integers(-50, 50, 300)]),
        ((one,), [np.zeros((0,), np.int64)]),
        ((one, one), [rng.integers(-50, 50, 300), rng.integers(-7, 7, (4, 1))]),
        ((one, 2), [rng.integers(0, 50, 9)]),
        ((slice(None), one), [rng.integers(0, 7, 9)]),
        ((None, one), [rng.integers(0, 1, 9)]),
        ((one,), [rng.random(50) < 0.5]),
    ]
    for index, given in cases:
        for x in (drawn(rng, (50, 7), kind), np.asfortranarray(drawn(rng, (50, 7), kind))):
            where = indexing.index_of(index, given)
            part = x[where].shape
            for shape in (part, part[-1:], ()):
                value, wanted = drawn(rng, shape, kind), x.copy()
                np.add.at(wanted, where, np.broadcast_to(value, part))
                found = indexing.with_item(x, value, *given, index=index, how="add")
                np.testing.assert_array_equal(found, wanted, err_msg=str(index))
    for outside in (50, -51):
        with pytest.raises(IndexError):
            indexing.with_item(x, np.ones((1, 7), kind), np.array([outside]), index=(one,), how="add")


@pytest.mark.parametrize("jit", [None, *EXECUTORS])
@pytest.mark.parametrize("kind", ["int32", "float32", "float64"])
def test_segments(kind, jit):
    rng = np.random.default_rng(0)
    for rows, dims, count in [(5000, (16,), 30), (300, (), 5), (0, (3,), 2), (7, (2, 0), 3), (4, (5000,), 1)]:
        x, ids = drawn(rng, (rows, *dims), kind), rng.integers(-1, count, rows)
        wanted = np.zeros((count, *dims), kind)
        np.add.at(wanted, ids[ids >= 0], x[ids >= 0])

        def summed(x, ids, count=count):
            return tf.math.unsorted_segment_sum(x, ids, count)

        f = summed if jit is None else tf.function(summed, jit_compile=jit)
        np.testing.assert_allclose(f(tf.constant(x), tf.constant(ids)), wanted, rtol=1e-5, atol=1e-4)
