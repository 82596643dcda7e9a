"""Datasets and iterators in graphs: their elements are made when the graph runs, as Python would ask for them."""

import gc
import itertools
import random
import threading
import weakref

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import EXECUTORS

D = tf.data.Dataset
INT = tf.TensorSpec([], tf.int64)


@pytest.fixture(params=[None, *EXECUTORS], ids=str)
def function(request):
    return lambda f, **options: tf.function(f, jit_compile=request.param, **options)


def int64(value):
    return tf.constant(value, tf.int64)


def listed(data):
    return [x for x in data]  # noqa: C416 (a comprehension is converted, list(...) is another way)


def plain(element):
    if isinstance(element, D):
        return [plain(e) for e in element]
    return tf.nest.map_structure(lambda t: plain(t) if isinstance(t, D) else t.numpy().tolist(), element)


# Pipelines at random, beside what they mean for lists of Python's.


def batches(items, size, drop):
    found = [items[i : i + size] for i in range(0, len(items), size)]
    return [b for b in found if len(b) == size or not drop]


def windows(items, size, shift, stride, drop):
    found = [items[i : i + (size - 1) * stride + 1 : stride] for i in range(0, len(items), shift)]
    return [w for w in found if len(w) == size or not drop]


STEPS = [
    ("map", (lambda d: d.map(lambda v: v * 3 - 1), lambda s: [v * 3 - 1 for v in s])),
    (
        "map with a branch",
        (
            lambda d: d.map(lambda v: v if v % 2 == 0 else -v),
            lambda s: [v if v % 2 == 0 else -v for v in s],
        ),
    ),
    ("filter", (lambda d: d.filter(lambda v: v % 3 != 0), lambda s: [v for v in s if v % 3 != 0])),
    ("repeat", (lambda d: d.repeat(2), lambda s: s * 2)),
    ("concatenate", (lambda d: d.concatenate(D.range(2)), lambda s: [*s, 0, 1])),
    ("cache", (lambda d: d.cache(), lambda s: s)),
    ("prefetch", (lambda d: d.prefetch(2), lambda s: s)),
    ("unique", (lambda d: d.unique(), lambda s: list(dict.fromkeys(s)))),
    (
        "take_while",
        (lambda d: d.take_while(lambda v: v < 5), lambda s: list(itertools.takewhile(lambda v: v < 5, s))),
    ),
    ("scan", (lambda d: d.scan(int64(0), lambda a, v: (a + v, a + v)), lambda s: [*itertools.accumulate(s)])),
    (
        "flat_map",
        (
            lambda d: d.flat_map(lambda v: D.range(v % 3)),
            lambda s: [w for v in s for w in range(v % 3)],
        ),
    ),
    (
        "enumerate",
        (lambda d: d.enumerate().map(lambda i, v: i * v), lambda s: [i * v for i, v in enumerate(s)]),
    ),
    (
        "zip",
        (lambda d: D.zip(d, d.skip(1)).map(lambda a, b: a - b), lambda s: [a - b for a, b in zip(s, s[1:])]),
    ),
]


def with_numbers(name, r):
    """Steps whose numbers are drawn, too."""
    n, m, k, drop = r.randrange(5), r.randrange(1, 4), r.randrange(1, 3), r.random() < 0.5
    return {
        "take": (lambda d: d.take(n), lambda s: s[:n]),
        "skip": (lambda d: d.skip(n), lambda s: s[n:]),
        "shard": (lambda d: d.shard(m, m - 1), lambda s: s[m - 1 :: m]),
        "batch": (
            lambda d: d.batch(m, drop_remainder=drop).map(tf.reduce_sum),
            lambda s: [sum(b) for b in batches(s, m, drop)],
        ),
        "unbatch": (lambda d: d.batch(m, drop_remainder=drop).unbatch(), lambda s: sum(batches(s, m, drop), [])),
        "padded_batch": (
            lambda d: d.map(lambda v: tf.fill([v % 3], v)).padded_batch(m).map(tf.reduce_sum),
            lambda s: [sum(v * (v % 3) for v in b) for b in batches(s, m, False)],
        ),
        "window": (
            lambda d: d.window(m, k, 2, drop).flat_map(lambda w: w.batch(9)).map(tf.reduce_sum),
            lambda s: [sum(w) for w in windows(s, m, k, 2, drop)],
        ),
    }[name]


NUMBERED = ["take", "skip", "shard", "batch", "unbatch", "padded_batch", "window"]


def pipeline(r):
    """Functions that make a dataset, and the list that it is."""
    start = r.choice([[*range(r.randrange(9))], [r.randrange(10) for _ in range(r.randrange(1, 8))]])
    steps = []
    for _ in range(r.randrange(1, 5)):
        if r.random() < 0.5:
            steps.append((name := r.choice(NUMBERED), *with_numbers(name, r)))
        else:
            name, made = r.choice(STEPS)
            steps.append((name, *made))
    wanted = start
    for _, _, meaning in steps:
        wanted = meaning(wanted)

    def changed(data):
        for _, change, _ in steps:
            data = change(data)
        return data

    return D.from_tensor_slices(np.array(start, np.int64)), changed, wanted, [name for name, *_ in steps]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("seed", range(120))
def test_pipelines_at_random(seed):
    source, changed, wanted, names = pipeline(random.Random(seed))
    outside = changed(source)
    assert [int(v) for v in outside] == wanted, names
    if outside.cardinality() >= 0:
        assert len(outside) == len(wanted), names
    given = tf.function(listed)
    assert [int(v) for v in given(outside)] == wanted, names
    assert [int(v) for v in tf.function(lambda data: listed(changed(data)))(source)] == wanted, names
    assert [int(v) for v in tf.function(lambda: listed(outside))()] == wanted, names


@pytest.mark.parametrize("cycle, block, counts, wanted", [
    (1, 1, [1, 2, 3, 4], [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]),
    (1, 1, [0, 3, 0, 2, 1], [3, 3, 3, 2, 2, 1]),
    (1, 1, [2, 0, 0, 0, 4], [2, 2, 4, 4, 4, 4]),
    (2, 1, [1, 2, 3, 4], [1, 2, 2, 3, 3, 4, 3, 4, 4, 4]),
    (2, 1, [0, 3, 0, 2, 1], [3, 3, 2, 3, 2, 1]),
    (2, 1, [2, 0, 0, 0, 4], [2, 2, 4, 4, 4, 4]),
    (2, 2, [1, 2, 3, 4], [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]),
    (2, 2, [0, 3, 0, 2, 1], [3, 3, 3, 2, 2, 1]),
    (2, 2, [2, 0, 0, 0, 4], [2, 2, 4, 4, 4, 4]),
    (4, 3, [1, 2, 3, 4], [1, 2, 2, 3, 3, 3, 4, 4, 4, 4]),
    (4, 3, [0, 3, 0, 2, 1], [3, 3, 3, 2, 2, 1]),
    (4, 3, [2, 0, 0, 0, 4], [2, 2, 4, 4, 4, 4]),
    (3, 2, [1, 2, 3, 4], [1, 2, 2, 3, 3, 4, 4, 3, 4, 4]),
    (3, 2, [0, 3, 0, 2, 1], [3, 3, 2, 2, 3, 1]),
    (3, 2, [2, 0, 0, 0, 4], [2, 2, 4, 4, 4, 4]),
])  # fmt: skip
def test_interleave(cycle, block, counts, wanted):  # what TensorFlow 2.21 gives
    data = D.from_tensor_slices(counts)
    made = data.interleave(lambda n: D.from_tensors(n).repeat(n), cycle_length=cycle, block_length=block)
    assert [int(v) for v in made] == wanted


# When elements are made, and how many graphs there are.


def test_elements_are_made_when_they_are_asked_for(function):
    asked = []

    def numbers():
        for i in range(5):
            asked.append(i)
            yield i

    data = D.from_generator(numbers, output_signature=INT)

    def first(limit):
        total = int64(0)
        for x in data:
            if x == limit:
                break
            total += x
        return total

    run = function(first)
    assert (int(run(int64(2))), asked) == (1, [0, 1, 2])
    assert (int(run(int64(1))), asked) == (0, [0, 1, 2, 0, 1]), "another run asks anew"


def test_a_shuffled_dataset_has_another_order_each_time(function):
    data = D.range(20).shuffle(20)
    run = function(lambda: tf.stack([x for x in data]))
    orders = {tuple(run().numpy()) for _ in range(3)}
    assert len(orders) == 3 and all(sorted(order) == list(range(20)) for order in orders)


def test_one_graph_for_all_datasets_of_a_spec(function):
    traced = []

    def total(data):
        traced.append(1)
        found = int64(0)
        for x in data:
            found += x
        return found

    run = function(total)
    given = [D.range(n) for n in (3, 5, 0)] + [
        D.range(4).filter(lambda v: v > 1),
        D.from_generator(lambda: [7], output_signature=INT),
    ]
    assert [int(run(data)) for data in given] == [3, 10, 0, 5, 7] and len(traced) == 1
    run(D.range(3).batch(2).map(tf.reduce_sum))
    assert len(traced) == 1, "the spec decides"
    assert int(run(D.from_tensor_slices([[1], [2]]).map(lambda v: tf.cast(v[0], tf.int64)))) == 3 and len(traced) == 1


def test_a_dataset_without_end(function):
    def until(limit):
        total = int64(0)
        for x in D.range(3).repeat():
            total += x
            if total > limit:
                break
        return total

    assert int(function(until)(int64(20))) == 21


def test_the_generator_of_a_loop_that_was_left_is_closed():
    closed = []

    def numbers():
        try:
            yield from range(10)
        finally:
            closed.append(True)

    def first(data):
        for x in data:
            if x > 2:
                return x
        return int64(-1)

    assert int(tf.function(first)(D.from_generator(numbers, output_signature=INT))) == 3
    gc.collect()
    assert closed


def test_graphs_keep_no_dataset_alive_that_they_were_given():
    data = D.range(9).map(lambda v: v + 1)
    run = tf.function(listed)
    run(data)
    gone = weakref.ref(data)
    del data
    gc.collect()
    assert gone() is None


# What else asks for elements.


def test_iterators_go_on_where_they_are(function):
    run = function(lambda iterator: (next(iterator), next(iterator, int64(-1))))
    iterator = iter(D.range(3))
    assert [int(v) for v in run(iterator)] == [0, 1] and [int(v) for v in run(iterator)] == [2, -1]
    with pytest.raises(tf.errors.OutOfRangeError, match="End of sequence"):
        run(iterator)
    assert [int(v) for v in run(iter(D.range(5)))] == [0, 1]
    assert run.experimental_get_tracing_count() == 1


def test_an_iterator_of_the_caller_s(function):
    iterator = iter(D.range(6))
    run = function(lambda: next(iterator) * 10 + iterator.get_next())
    assert [int(run()), int(run()), int(next(iterator)), int(iterator.get_next())] == [1, 23, 4, 5]
    with pytest.raises(StopIteration):
        next(iterator)
    with pytest.raises(tf.errors.OutOfRangeError):
        iterator.get_next()


def test_the_rest_of_an_iterator(function):
    def rest(data):
        iterator = iter(data)
        first, total = next(iterator), int64(0)
        for x in iterator:
            total += x
        return first, total

    assert [int(v) for v in function(rest)(D.range(5))] == [0, 10]


def test_enumerate_and_zip(function):
    def both(data):
        total = int64(0)
        for i, (a, b) in enumerate(data, 1):
            total += i * a + b
        for (a, _), (_, b), c in zip(data, data, [5, 6, 7]):
            total += a * b * tf.cast(c, tf.int64)
        return total

    data = D.zip((D.range(3), D.range(4))).filter(lambda a, b: a + b > 0)
    wanted = sum(i * a + a for i, a in enumerate([1, 2], 1)) + 1 * 5 + 4 * 6
    assert int(function(both)(data)) == wanted
    with pytest.raises(TypeError, match="strict=True"):
        function(lambda d: [x for x in zip(d, d, strict=True)])(data)


def test_loops_in_loops_and_branches(function):
    def nested(data, deep):
        total = int64(0)
        for a in data:
            if deep:
                for b in data.take(2):
                    total += a * b
            else:
                total -= a
        else:
            total *= 2
        return total

    run = function(nested)
    data = D.range(4).filter(lambda v: v >= 0)
    assert [int(run(data, tf.constant(deep))) for deep in (True, False)] == [12, -12]


def test_a_range_up_to_a_number_of_another_dtype_is_refused_when_it_is_traced():
    with pytest.raises(ValueError, match="requested dtype int64 for Tensor with dtype int32"):
        tf.function(lambda x: D.range(tf.size(x)).cardinality()).get_concrete_function(tf.TensorSpec([None]))


def test_sources_of_what_only_the_graph_knows(function):
    def sums(x, count, size):
        total = tf.constant(0.0)
        for part in D.from_tensor_slices(x).batch(size).take(count):
            total = total * 10 + tf.reduce_sum(part)
        for i in D.range(tf.size(x, tf.int64)).skip(count):
            total += tf.cast(i, tf.float32)
        return total

    run = function(sums)
    assert float(run(tf.range(5.0), tf.constant(2), tf.constant(2))) == 1 * 10 + 5 + 9
    assert float(run(tf.range(7.0), tf.constant(3), tf.constant(3))) == (3 * 10 + 12) * 10 + 6 + 18


def test_structures(function):
    def total(data):
        found = tf.constant(0.0)
        words = tf.constant("")
        for element in data:
            found += element["x"] * tf.reduce_sum(element["y"][0])
            words = tf.strings.join([words, element["y"][1]])
        return found, words

    data = D.from_tensor_slices({"x": [1.0, 2.0], "y": ([[1.0, 2.0], [3.0, 4.0]], ["a", "b"])}).shuffle(1)
    found, words = function(total)(data)
    assert (float(found), words.numpy()) == (17.0, b"ab")


def test_what_a_graph_makes_of_a_dataset(function):
    data = D.range(5).filter(lambda v: v != 3)
    run = function(
        lambda d: (d.reduce(int64(0), lambda s, v: s + v), d.cardinality(), list(d), d.take(1).get_single_element())
    )
    total, count, found, one = run(data)
    assert (int(total), int(count), [int(v) for v in found], int(one)) == (7, -2, [0, 1, 2, 4], 0)


def test_functions_in_functions(function):
    inner = tf.function(lambda data: data.reduce(int64(0), lambda s, v: s + v))
    run = function(lambda data, n: inner(data.take(n)) + inner(data))
    assert int(run(D.range(5), tf.constant(2))) == 11
    assert inner.experimental_get_tracing_count() == 1


def test_specs(function):
    run = function(lambda data: data.reduce(int64(0), lambda s, v: s + v), input_signature=[tf.data.DatasetSpec(INT)])
    assert [int(run(D.range(n))) for n in (3, 4)] == [3, 6]
    with pytest.raises(TypeError, match=r"does not accept DatasetSpec\(.*float32.* for 'data', which is DatasetSpec"):
        run(D.from_tensor_slices([1.0]))
    with pytest.raises(TypeError, match="expected to be a dataset"):
        run(tf.constant(1))
    concrete = run.get_concrete_function()
    assert int(concrete(D.range(3))) == 3
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"expected to be int64\(\), but is float32"):
        concrete(D.from_tensor_slices([1.0]))
    iterators = function(next, input_signature=[tf.data.IteratorSpec(INT)])
    assert int(iterators(iter(D.range(3)))) == 0
    assert tf.data.DatasetSpec(INT) != tf.data.IteratorSpec(INT)
    assert len({tf.data.DatasetSpec(INT), D.range(3).kind()}) == 1


def test_gradients_go_through_the_loop_and_not_through_the_elements(function):
    def weighed(data, w):
        total = tf.constant(0.0)
        for x in data:
            total += tf.cast(x, tf.float32) * w * w
        return total

    w = tf.Variable(3.0)
    run = function(weighed)
    asked = []

    def numbers():
        for i in range(4):
            asked.append(i)
            yield i

    with tf.GradientTape() as tape:
        y = run(D.from_generator(numbers, output_signature=INT), w)
    assert (float(y), float(tape.gradient(y, w)), asked) == (54.0, 36.0, [0, 1, 2, 3])


def test_a_whole_training_is_one_graph(function):
    def train(data, w, rate):
        steps = 0
        loss = tf.constant(np.inf, tf.float32)
        for x, y in data:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
            w.assign_sub(rate * tape.gradient(loss, w))
            steps += 1
            if loss < 1e-9:
                break
        return loss, steps

    rng = np.random.default_rng(0)
    x = rng.normal(size=(64, 3)).astype(np.float32)
    y = x @ np.array([1, -2, 3], np.float32)
    w = tf.Variable(tf.zeros(3))
    run = function(train)
    loss, steps = run(D.from_tensor_slices((x, y)).shuffle(64, seed=0).batch(16).repeat(), w, tf.constant(0.1))
    np.testing.assert_allclose(w, [1, -2, 3], atol=1e-3)
    assert float(loss) < 1e-9 and 0 < int(steps) < 1000 and run.experimental_get_tracing_count() == 1


def test_functions_of_elements_are_traced_once():
    traced = []

    def double(v):
        traced.append(1)
        return v * 2

    run = tf.function(lambda data: listed(data.map(double)))
    assert [[int(v) for v in run(D.range(n))] for n in (2, 3)] == [[0, 2], [0, 2, 4]] and len(traced) == 1


def test_threads_that_share_an_iterator_get_different_elements():
    iterator = iter(D.range(400))
    run = tf.function(next)
    run(iterator)
    found, wrong = [], []

    def work():
        for _ in range(50):
            try:
                found.append(int(run(iterator)))
            except Exception as error:  # noqa: BLE001
                wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong and len(found) == 200


# What goes wrong.


def test_what_a_generator_raises(function):
    def broken():
        yield 1
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        function(listed)(D.from_generator(broken, output_signature=INT))


def test_refusals():
    data = D.range(3).filter(lambda v: v > 0)
    for returned in (lambda d: d.map(lambda v: v + 1), lambda d: iter(d)):
        with pytest.raises(autograph.StagingError, match="which only the graph has"):
            tf.function(returned)(data)
    with pytest.raises(tf.errors.OperatorNotAllowedInGraphError, match="not converted goes through a dataset"):
        tf.function(lambda d: [x for x in d], autograph=False)(data)
    with pytest.raises(autograph.StagingError, match="uses 'x' of the graph around it"):
        tf.function(lambda d, x: listed(d.map(lambda v: v * x)))(data, int64(2))
    with pytest.raises(TypeError, match="one after the other"):
        tf.function(lambda d: tuple(d))(data)
    with pytest.raises(TypeError, match="must return a dataset; it returned"):
        D.range(3).flat_map(lambda v: v)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"elements of one shape; these have \(0,\), \(1,\)"):
        list(D.range(2).map(lambda v: tf.fill([v], v)).batch(2))
    with pytest.raises(TypeError, match="different types"):
        D.range(3).concatenate(D.from_tensor_slices([1.0]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="0 <= index < num_shards"):
        D.range(3).shard(2, 2)
    with pytest.raises(tf.errors.InvalidArgumentError, match="3 was chosen"):
        list(D.choose_from_datasets([D.range(2)], D.from_tensor_slices([3])))
    with pytest.raises(ValueError, match="elements are"):
        D.range(3).unbatch()
    with pytest.raises(tf.errors.InvalidArgumentError, match="an element has shape"):
        list(D.from_tensor_slices([[1, 2, 3]]).padded_batch(1, padded_shapes=[2]))
    for count in (0, 2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="get_single_element"):
            D.range(count).get_single_element()
