"""Datasets: sources and transformations, and loops over them in graphs."""

import collections
import contextlib
import itertools

import numpy as np
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
        (lambda: D.range(5).batch(3).rebatch(2), [[0, 1], [2, 3], [4]]),
        (lambda: D.range(5).batch(3).rebatch(2, drop_remainder=True), [[0, 1], [2, 3]]),
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


SOURCES = {
    "none": lambda: D.range(0), "one": lambda: D.range(1), "five": lambda: D.range(5),
    "without end": lambda: D.range(3).repeat(),
    "unknown": lambda: D.range(5).filter(lambda v: v > 1),
}  # fmt: skip
CHANGES = {
    "batch 2": lambda d: d.batch(2),
    "whole batches": lambda d: d.batch(2, drop_remainder=True),
    "batch 9": lambda d: d.batch(9),
    "padded_batch 2": lambda d: d.padded_batch(2),
    "whole padded batches": lambda d: d.padded_batch(3, drop_remainder=True),
    "take 0": lambda d: d.take(0),
    "take 3": lambda d: d.take(3),
    "take all": lambda d: d.take(-1),
    "skip 0": lambda d: d.skip(0),
    "skip 2": lambda d: d.skip(2),
    "skip 9": lambda d: d.skip(9),
    "skip all": lambda d: d.skip(-1),
    "shard": lambda d: d.shard(3, 1),
    "shard, the last": lambda d: d.shard(3, 2),
    "repeat 0": lambda d: d.repeat(0),
    "repeat 3": lambda d: d.repeat(3),
    "repeat": lambda d: d.repeat(),
    "enumerate": lambda d: d.enumerate(),
    "concatenate": lambda d: d.concatenate(D.range(3)),
    "concatenate, behind": lambda d: D.range(3).concatenate(d),
    "zip": lambda d: D.zip((d, D.range(3))),
    "map": lambda d: d.map(lambda v: v + 1),
    "window": lambda d: d.window(3).map(lambda w: w.reduce(np.int64(0), lambda s, v: s + v)),
    "windows that shift": lambda d: d.window(3, shift=1).map(lambda w: w.reduce(np.int64(0), lambda s, v: s + v)),
    "whole windows": lambda d: d.window(3, 2, 1, True).map(lambda w: w.reduce(np.int64(0), lambda s, v: s + v)),
    "windows with gaps": lambda d: d.window(2, 1, 2, True).map(lambda w: w.reduce(np.int64(0), lambda s, v: s + v)),
    "unbatch": lambda d: d.batch(2).unbatch(),
    "shuffle": lambda d: d.shuffle(4),
    "prefetch": lambda d: d.prefetch(2),
    "cache": lambda d: d.take(4).cache(),
    "scan": lambda d: d.scan(np.int64(0), lambda s, v: (s + v, s)),
    "interleave": lambda d: d.take(4).interleave(lambda v: D.range(2)),
}  # fmt: skip


UNTOLD = {"unbatch", "interleave", "window", "windows that shift", "whole windows", "windows with gaps"}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("source", SOURCES)
def test_as_many_elements_come_as_are_foretold(source, change):
    made = CHANGES[change](SOURCES[source]())
    known, count = int(made.cardinality()), sum(1 for _ in itertools.islice(made, 40))
    if known == -1:
        assert count == 40
    elif known == -2:
        assert source == "unknown" or change in UNTOLD
    elif source == "without end" and change == "enumerate":  # by numbers that have an end
        assert (known, count) == (2**63 - 1, 40)
    else:
        assert known == len(made) == count


ORDERS = {
    "as they are": lambda d: d,
    "shuffled": lambda d: d.shuffle(10, seed=3, reshuffle_each_iteration=False),
    "shuffled a little": lambda d: d.shuffle(2, seed=1, reshuffle_each_iteration=False),
    "some": lambda d: d.shard(2, 1),
    "the last": lambda d: d.skip(3),
    "the first": lambda d: d.take(4),
    "twice": lambda d: d.repeat(2),
}
THEN = {
    "batch": lambda d: d.batch(2),
    "whole batches": lambda d: d.batch(3, drop_remainder=True),
    "zip": lambda d: D.zip((d, D.range(4))),
    "enumerate": lambda d: d.enumerate(),
    "map": lambda d: d.map(lambda v: v * 2),
    "in batches of batches": lambda d: d.batch(2, drop_remainder=True).batch(2),
}


@pytest.mark.parametrize("then", THEN.values(), ids=THEN)
@pytest.mark.parametrize("order", ORDERS.values(), ids=ORDERS)
def test_elements_keep_the_order_that_they_were_given(order, then):
    given = order(D.from_tensor_slices(np.arange(7, 14)))
    wanted = shown(then(D.from_tensor_slices(shown(given))))
    assert shown(then(given)) == wanted

    @tf.function
    def gone_through():
        total, count = np.int64(0), np.int64(0)
        for element in then(given):
            for part in tf.nest.flatten(element):
                count += 1
                total = (total * 31 + tf.reduce_sum(tf.cast(part, tf.int64)) * count) % 10007
        return total

    total = count = 0
    for element in wanted:
        for part in tf.nest.flatten(element) if isinstance(element, tuple) else [element]:
            count += 1
            total = (total * 31 + int(np.sum(part)) * count) % 10007
    assert int(gone_through()) == total


def test_elements_may_be_none_or_datasets():
    assert [v for _, v in D.range(2).map(lambda v: (v, None))] == [None, None]
    inner = [shown(d) for d in D.range(2).map(lambda v: D.range(3))]
    assert inner == [[0, 1, 2]] * 2


Pair = collections.namedtuple("Pair", "left right")


@pytest.mark.parametrize("compression", [None, "NONE", "GZIP"])
@pytest.mark.parametrize(
    "dataset",
    [
        D.range(5), D.range(5).batch(2), D.range(0), D.from_tensor_slices(["a", "\u00fc", ""]),
        D.from_tensor_slices(({"x": [1.5, 2.5], "y": [[True], [False]]}, [1, 2])),
        D.range(3).map(lambda n: (n, None)), D.range(4).map(lambda n: tf.ones([n], tf.float16)),
        D.range(2).map(lambda n: Pair(n, (tf.cast(n, tf.complex64), tf.zeros([0, 2])))),
        D.range(6).filter(lambda n: n > 3),
    ],
)  # fmt: skip
def test_a_dataset_is_saved_and_loaded(dataset, compression, tmp_path):
    dataset.save(tmp_path / "there" / "it is", compression)
    loaded = D.load(tmp_path / "there" / "it is", compression=compression)
    assert loaded.element_spec == dataset.element_spec
    for _ in range(2):
        assert [*map(repr, loaded)] == [*map(repr, dataset)]
    assert len(loaded) == len([*dataset])
    D.range(1).save(tmp_path / "there" / "it is", compression)
    assert [*D.load(tmp_path / "there" / "it is", compression=compression).as_numpy_iterator()] == [0]


def test_a_loaded_dataset_is_looped_over_in_a_graph(tmp_path):
    D.range(4).save(str(tmp_path))

    @tf.function
    def total():
        t = tf.constant(0, tf.int64)
        for n in D.load(str(tmp_path)).map(lambda n: n + 1):
            t += n
        return t

    assert total().numpy() == 10


def test_datasets_that_cannot_be_saved_or_loaded(tmp_path):
    with pytest.raises(tf.errors.NotFoundError, match="no dataset was saved"):
        D.load(tmp_path)
    with pytest.raises(TypeError, match="cannot be saved"):
        D.range(4).window(2).save(tmp_path)
    with pytest.raises(ValueError, match="compression='ZIP'"):
        D.range(4).save(tmp_path, "ZIP")
    assert not any(tmp_path.iterdir())
    D.range(4).save(tmp_path)
    with pytest.raises(tf.errors.DataLossError, match="cannot be read"):
        next(iter(D.load(tmp_path, compression="GZIP")))
    with pytest.raises(tf.errors.DataLossError, match="is not TensorSpec"):
        next(iter(D.load(tmp_path, tf.TensorSpec([2], tf.int64))))
    with open(tmp_path / "elements", "r+b") as file:
        file.truncate(50)
    with pytest.raises(tf.errors.DataLossError):
        list(D.load(tmp_path))
    (tmp_path / "dataset.json").write_text('{"spec": [1], "count": 2}')
    with pytest.raises(tf.errors.DataLossError, match="what the dataset is made of"):
        D.load(tmp_path)


# Elements that fail, and how many there are.


def inverses(*numbers):
    data = tf.data.Dataset.from_tensor_slices([*map(float, numbers)])
    return data.map(lambda x: tf.debugging.check_numerics(1 / x, "no inverse"))


@pytest.mark.parametrize("numbers", [(0.0,), (1.0, 0.0, 2.0, 0.0), (0.0, 0.0, 4.0), (2.0, 4.0)])
def test_elements_that_fail_are_left_out(numbers):
    good = [1 / n for n in numbers if n]
    data = inverses(*numbers).ignore_errors()
    assert [*data.as_numpy_iterator()] == [*data.as_numpy_iterator()] == good
    assert int(data.cardinality()) == tf.data.UNKNOWN_CARDINALITY
    chosen = inverses(*numbers).filter(lambda x: x > 0.3).map(lambda x: x * 2).ignore_errors()
    assert [*chosen.as_numpy_iterator()] == [2 * n for n in good if n > 0.3]
    assert [*inverses(*numbers).ignore_errors().repeat(2).as_numpy_iterator()] == good * 2
    with pytest.warns(RuntimeWarning, match="no inverse") if 0.0 in numbers else contextlib.nullcontext():
        assert [*inverses(*numbers).ignore_errors(log_warning=True).as_numpy_iterator()] == good

    @tf.function
    def total(count):
        found = 0.0
        for x in inverses(*numbers).ignore_errors().take(count):
            found += x
        return found

    assert float(total(tf.constant(len(numbers), tf.int64))) == sum(good)


@pytest.mark.parametrize("change", [
    lambda d: d.batch(2), lambda d: d.shuffle(2, seed=1), lambda d: d.scan(0.0, _add), lambda d: d.take(3),
    lambda d: d.skip(1), lambda d: d.shard(1, 0), lambda d: d.flat_map(lambda x: tf.data.Dataset.range(2)),
    lambda d: d.take(3).map(lambda x: x + 1).prefetch(1), lambda d: d.cache(), lambda d: d.repeat(2),
])  # fmt: skip
def test_what_ends_with_an_error_loses_no_elements_silently(change):
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        [*change(inverses(1.0, 0.0, 2.0, 4.0)).ignore_errors()]
    assert "ignore_errors goes on behind" in caught.value.__notes__[-1]


def _add(total, x):
    return total + x, total


def test_an_error_of_a_generator_is_raised():
    def numbers():
        yield 1
        raise ValueError("mine")

    data = tf.data.Dataset.from_generator(numbers, output_signature=tf.TensorSpec([], tf.int32))
    with pytest.raises(ValueError, match="mine"):
        [*data.ignore_errors()]


@pytest.mark.parametrize("expected, told", [
    (3, None), (2, "2 elements but contained at least 3 elements."),
    (0, "0 elements but contained at least 1 element."),
    (4, "4 elements but contained only 3 elements."),
    (-1, "an infinite number of elements but contained only 3 elements."),
])  # fmt: skip
def test_a_number_of_elements_that_is_asserted(expected, told):
    for data in (tf.data.Dataset.range(3), tf.data.Dataset.range(9).filter(lambda n: n < 3)):
        counted = data.apply(tf.data.experimental.assert_cardinality(expected))
        assert int(counted.cardinality()) == expected
        if told is None:
            assert [*counted.as_numpy_iterator()] == [0, 1, 2] and len(counted) == 3
        else:
            with pytest.raises(tf.errors.FailedPreconditionError) as caught:
                [*counted]
            assert str(caught.value) == f"Input dataset was expected to contain {told}"


def test_options_are_those_of_all_that_a_dataset_is_made_of():
    first, second = tf.data.Options(), tf.data.Options()
    first.deterministic, first.threading.private_threadpool_size = False, 3
    second.autotune.enabled = second.deterministic = True
    data = D.range(3).with_options(first)
    assert D.range(3).options().deterministic is None and data.options().deterministic is False
    both = D.zip(data.map(lambda n: n), D.range(3).with_options(second)).batch(2)
    assert both.options().deterministic is True and both.options().autotune.enabled is True
    assert both.options().threading.private_threadpool_size == 3 and first.autotune.enabled is None
    assert [int(n) for n in data] == [0, 1, 2]
    with pytest.raises(AttributeError, match="nonsense"):
        first.nonsense = 1


@pytest.mark.parametrize("known", [True, False])
def test_classes_are_as_frequent_as_is_wanted(known):
    data = D.from_tensor_slices(([0] * 8 + [1] * 2, list(range(10)))).repeat(100)
    found = data.rejection_resample(lambda c, _: c, [0.5, 0.5], [0.8, 0.2] if known else None, seed=3)
    assert found.element_spec == (tf.TensorSpec([], tf.int32), data.element_spec)
    pairs = [(int(c), int(element[0])) for c, element in found]
    assert all(c == element for c, element in pairs) and 0.4 < sum(c for c, _ in pairs) / len(pairs) < 0.6
    assert [int(c) for c, _ in found] == [c for c, _ in pairs]
    with pytest.raises(tf.errors.InvalidArgumentError, match="class 2"):
        list(D.range(3).rejection_resample(lambda n: n, [0.5, 0.5]))
    with pytest.raises(ValueError, match="one number for each class"):
        D.range(3).rejection_resample(lambda n: n, [0.5, 0.5], [1.0])


def test_a_snapshot_is_made_once(tmp_path):
    made = []

    def noted(n):
        made.append(int(n))
        return n

    data = D.range(4).map(lambda n: tf.py_function(noted, [n], tf.TensorSpec([], tf.int64)))
    kept = data.snapshot(str(tmp_path / "kept"), compression="GZIP", shard_func=lambda n: n % 2)
    assert [int(n) for n in kept.take(2)] == [0, 1] and made == [0, 1]  # which is no whole one
    for _ in range(2):
        assert sorted(int(n) for n in kept) == [0, 1, 2, 3]
    assert made == [0, 1, 0, 1, 2, 3]
    turned = data.snapshot(str(tmp_path / "kept"), "GZIP", reader_func=lambda parts: parts.flat_map(lambda part: part))
    assert [int(n) for n in turned] == [0, 2, 1, 3]


def test_a_dataset_is_saved_in_parts(tmp_path):
    D.range(6).save(str(tmp_path), shard_func=lambda n: 2 - n % 3, checkpoint_args={"max_to_keep": 1})
    assert [int(n) for n in D.load(str(tmp_path))] == [2, 1, 0, 5, 4, 3]

    def reader(parts):
        assert isinstance(parts.element_spec, tf.data.DatasetSpec)
        return parts.interleave(lambda part: part.map(lambda n: n * 10), cycle_length=1)

    assert [int(n) for n in D.load(str(tmp_path), reader_func=reader, wait=True)] == [20, 50, 10, 40, 0, 30]
    D.range(0).save(str(tmp_path))
    assert list(D.load(str(tmp_path))) == []


def test_an_element_that_may_not_be_there():
    optional = tf.experimental.Optional
    iterator = iter(D.from_tensor_slices({"a": [1], "b": ["x"]}))
    first, second = iterator.get_next_as_optional(), iterator.get_next_as_optional()
    assert first.has_value() and not second.has_value()
    assert first.get_value()["b"].numpy() == b"x" and first.element_spec == second.element_spec == iterator.element_spec
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        second.get_value()

    @tf.function
    def total(iterator):
        found, one = tf.constant(0, tf.int64), iterator.get_next_as_optional()
        while one.has_value():
            found += tf.reduce_sum(one.get_value())
            one = iterator.get_next_as_optional()
        return found, one

    found, rest = total(iter(D.range(5).batch(2)))
    assert found == 10 and not rest.has_value()
    assert tf.function(lambda one: one.get_value() + 1)(optional.from_value(2)) == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match="does not have a value"):
        tf.function(lambda one: one.get_value())(optional.empty(tf.TensorSpec([], tf.int32)))
    with pytest.raises(TypeError, match="from_value"):
        optional()


OLDER = tf.data.experimental
ADDED = OLDER.Reducer(lambda key: key * 0, lambda total, n: total + n, lambda total: total * 10)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (OLDER.take_while(lambda n: n < 3), [0, 1, 2]),
        (OLDER.scan(tf.constant(0, tf.int64), lambda s, n: (s + n, s)), [0, 0, 1, 3, 6]),
        (OLDER.unique(), [0, 1, 2, 3, 4]),
        (OLDER.enumerate_dataset(5), [(5 + n, n) for n in range(5)]),
        (OLDER.map_and_batch(lambda n: n + 1, 2, drop_remainder=True), [[1, 2], [3, 4]]),
        (OLDER.group_by_reducer(lambda n: n % 2, ADDED), [60, 40]),
        (OLDER.parallel_interleave(D.range, 2), [0, 0, 1, 0, 1, 0, 2, 1, 2, 3]),
        (OLDER.group_by_window(lambda n: n % 2, lambda key, some: some.batch(3), 3), [[0, 2, 4], [1, 3]]),
        (OLDER.bucket_by_sequence_length(lambda n: n, [2], [2, 2]), [[0, 1], [2, 3], [4]]),
        (OLDER.copy_to_device("/cpu:0"), [0, 1, 2, 3, 4]),
    ],
)
def test_older_names_of_methods(function, expected):
    def plain(value):
        return tuple(map(plain, value)) if isinstance(value, tuple) else np.asarray(value).tolist()

    assert [plain(element) for element in D.range(5).apply(function).as_numpy_iterator()] == expected


@pytest.mark.parametrize("name", ["make_one_shot_iterator", "fingerprint", "nonsense"])
def test_what_datasets_have_not_is_told(name):
    with pytest.raises(AttributeError, match={"nonsense": "'nonsense'$"}.get(name, f"'{name}': .+")):
        getattr(D.range(2), name)
    assert not hasattr(D.range(2), name)
