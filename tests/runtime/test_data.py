"""Datasets: sources and transformations, and loops over them in graphs."""

import itertools

import pytest

import runtime as tf

D = tf.data.Dataset


def shown(dataset):
    return [tf.nest.map_structure(lambda t: t.numpy().tolist(), element) for element in dataset]


@pytest.mark.parametrize(
    "dataset, wanted",
    [
        (lambda: D.from_tensor_slices([1, 2, 3]), [1, 2, 3]),
        (lambda: D.from_tensor_slices({"x": [1, 2], "y": [3.0, 4.0]}), [{"x": 1, "y": 3.0}, {"x": 2, "y": 4.0}]),
        (lambda: D.from_tensors([1, 2]), [[1, 2]]),
        (lambda: D.range(1, 7, 2), [1, 3, 5]),
        (lambda: D.range(5).batch(2), [[0, 1], [2, 3], [4]]),
        (lambda: D.range(5).batch(2, drop_remainder=True), [[0, 1], [2, 3]]),
        (lambda: D.range(4).map(lambda v: v if v % 2 == 0 else -v), [0, -1, 2, -3]),
        (lambda: D.range(5).filter(lambda v: v > 2), [3, 4]),
        (lambda: D.range(6).skip(1).take(3), [1, 2, 3]),
        (lambda: D.range(2).repeat(2), [0, 1, 0, 1]),
        (lambda: D.range(2).repeat().take(5), [0, 1, 0, 1, 0]),
        (lambda: D.zip((D.range(2), D.range(10, 13))), [(0, 10), (1, 11)]),
        (lambda: D.from_tensor_slices([7, 8]).enumerate(start=5), [(5, 7), (6, 8)]),
        (lambda: D.range(2).concatenate(D.range(5, 6)), [0, 1, 5]),
        (lambda: D.from_generator(lambda: [(1, 2), (3, 4)], (tf.int32, tf.int32)), [(1, 2), (3, 4)]),
        (lambda: D.from_generator(lambda n: range(n), output_signature=tf.TensorSpec([], tf.int32), args=(2,)), [0, 1]),
    ],
)
def test_elements(dataset, wanted):
    made = dataset()
    assert shown(made) == wanted == shown(made), "a dataset can be gone through again"
    if made.cardinality() >= 0:
        assert len(made) == len(wanted)


def test_what_is_known_of_a_dataset():
    assert D.range(3).batch(2).element_spec == tf.TensorSpec([None], tf.int64)
    assert D.range(3).repeat().cardinality() == -1 and D.range(3).filter(bool).cardinality() == -2
    with pytest.raises(TypeError, match="infinite"):
        len(D.range(3).repeat())
    with pytest.raises(ValueError, match="different lengths"):
        D.from_tensor_slices(([1], [1, 2]))
    with pytest.raises(TypeError, match="expected"):
        list(D.from_generator(lambda: [[1.0]], output_signature=tf.TensorSpec([2], tf.float32)))


def test_shuffling_keeps_all_elements_and_follows_its_seed():
    assert sorted(shown(D.range(10).shuffle(4))) == list(range(10))
    once = [shown(D.range(10).shuffle(10, seed=3, reshuffle_each_iteration=False)) for _ in range(2)]
    assert once[0] == once[1] != list(range(10))


def test_a_cached_dataset_is_made_once():
    made = itertools.count()
    dataset = D.from_generator(lambda: [next(made)], output_signature=tf.TensorSpec([], tf.int32)).cache()
    assert shown(dataset) == shown(dataset) == [0]


def test_a_loop_over_a_dataset_is_a_loop_of_the_graph():
    @tf.function
    def total(data, limit):
        s = 0
        for x, y in data:
            if x > limit:
                return -s
            s += x * y
        return s

    def data(count):
        return D.from_tensor_slices(([*range(count)], [*range(count)]))

    graphs = [total.get_concrete_function(data(n), tf.constant(9)).graph for n in (3, 30)]
    assert len(graphs[0].get_operations()) == len(graphs[1].get_operations())
    assert [int(total(data(4), tf.constant(k))) for k in (9, 1)] == [14, -1]


def test_reduce():
    assert D.range(5).reduce(tf.constant(0, tf.int64), lambda s, v: s + v if v > 1 else s).numpy() == 9
