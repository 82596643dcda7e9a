import contextlib
import re

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load


def both(function):
    """The value eagerly, which must be that of the graph."""
    eager, graph = function(), tf.function(function)()
    assert eager.numpy().tolist() == graph.numpy().tolist()
    return eager.numpy().tolist()


def new(**options):
    return tf.TensorArray(tf.int32, clear_after_read=False, **options)


@pytest.mark.parametrize(
    "use, wanted",
    [
        (lambda: new(size=2).write(0, 5).write(1, 6).stack(), [5, 6]),
        (lambda: new(size=0, dynamic_size=True).write(2, 7).stack(), [0, 0, 7]),
        (lambda: new(size=3).unstack([[1, 2], [3, 4]]).read(1), [3, 4]),
        (lambda: new(size=2).unstack([[1, 2], [3, 4]]).concat(), [1, 2, 3, 4]),
        (lambda: new(size=2, infer_shape=False).split([1, 2, 3], [1, 2]).read(1), [2, 3]),
        (lambda: new(size=3).scatter([2, 0, 1], tf.constant([7, 8, 9])).gather([0, 2]), [8, 7]),
        (lambda: new(size=1, dynamic_size=True).scatter([2, 0], [30, 10]).stack(), [10, 0, 30]),
        (lambda: new(size=4).size(), 4),
        (lambda: new(size=2, element_shape=[2]).stack(), [[0, 0], [0, 0]]),
    ],
)
def test_operations(use, wanted):
    assert both(use) == wanted


READ = {
    "again": (lambda a: a.read(1), "Could not read index 1 twice"),
    "another": (lambda a: a.read(0), 5.0),
    "after a write": (lambda a: a.write(1, 9.0).read(1), 9.0),
    "stacked": (lambda a: a.stack(), [5.0, 0.0]),
    "its size": (lambda a: a.size(), 2),
    "a copy": (lambda a: a.identity().read(1), "Could not read index 1 twice"),
}


@pytest.mark.parametrize("use, wanted", READ.values(), ids=READ)
def test_what_has_been_read_is_gone_unless_it_is_to_stay(use, wanted):
    def read(**options):
        array = tf.TensorArray(tf.float32, size=2, **options).write(0, 5.0).write(1, 6.0)
        array.read(1)
        return use(array)

    for options in ({}, {"clear_after_read": None}, {"clear_after_read": True}):
        if isinstance(wanted, str):
            with pytest.raises(tf.errors.InvalidArgumentError, match=wanted):
                read(**options)
        else:
            assert read(**options).numpy().tolist() == wanted
    kept, in_graph = read(clear_after_read=False), tf.function(read)()
    assert kept.numpy().tolist() == in_graph.numpy().tolist() != (0.0 if isinstance(wanted, str) else None)


def test_the_gradient_of_what_has_been_read_and_written_anew():
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        array = tf.TensorArray(tf.float32, size=2).unstack(x)
        y = array.read(0) * array.write(0, x[1] * 3.0).read(0) + array.read(1)
    assert tape.gradient(y, x).numpy().tolist() == [6.0, 4.0]


def test_a_write_is_not_lost():
    def f():
        array = new(size=2)
        array.write(0, 1)
        array.write(1, 2)
        return array.stack()

    assert both(f) == [1, 2]


def test_writing_in_staged_loops_and_branches():
    @tf.function
    def f(n):
        array = new(size=0, dynamic_size=True)
        for i in tf.range(n):
            if i % 2 == 0:
                array = array.write(i, i * 10)
            else:
                array = array.write(i, -i)
        return array, array.stack()

    array, stacked = f(tf.constant(4))
    assert stacked.numpy().tolist() == [0, -1, 20, -3] == array.stack().numpy().tolist()


@pytest.mark.parametrize("shape", [(2, 3), (2, None), (None, 3), (2, None, 3), None])
def test_what_is_scattered_has_the_shape_of_a_row(shape):
    def f(x):
        return tf.TensorArray(tf.float32, size=2).scatter([0, 1], x).read(0)

    graph = tf.function(f).get_concrete_function(tf.TensorSpec(shape, tf.float32)).traced
    row = None if shape is None else shape[1:]
    assert [n.outputs[0].type.shape for n in graph.nodes if n.op.name == "list_scatter"] == [row]


@pytest.mark.parametrize(
    "use, error",
    [
        (lambda: new(size=2).write(0, tf.constant(1.5)), ValueError),
        (lambda: new(size=2).write(0, [1]).write(1, [1, 2]), ValueError),
        (lambda: new(size=2).write(5, 1).stack(), IndexError),
        (lambda: new(size=2).read(5), IndexError),
        (lambda: new(size=2, infer_shape=False).split([1, 2, 3], [1, 1]).size(), ValueError),
        (lambda: new(size=2, infer_shape=False).split([1, 2, 3], [4, -1]).size(), ValueError),
        (lambda: new(size=2).scatter([0, 2], [1, 2]).size(), IndexError),
        (lambda: new(size=2).scatter([-1], [1]).size(), IndexError),
        (lambda: new(size=2).scatter([0, 1], [1]).size(), ValueError),
        (lambda: new(size=2).unstack(tf.constant([1.5, 2.5])), ValueError),
        (lambda: new(size=2).scatter([0, 1], tf.constant([1.5, 2.5])), ValueError),
        (lambda: new(size=2).split(tf.constant([1.5, 2.5]), [1, 1]), ValueError),
        (lambda: new(size=2).unstack([1.5, 2.5]), TypeError),
        (lambda: new(size=2).unstack(3), ValueError),
        (lambda: new(size=2, element_shape=[2]).unstack([[1], [2]]), ValueError),
        (lambda: new(size=2, element_shape=[2]).scatter([0], [[1]]), ValueError),
        (lambda: new(size=2, element_shape=[None, 2]).split([[1], [2]], [1, 1]), ValueError),
        (lambda: new(size=2, infer_shape=False).write(0, [1]).write(1, [1, 2]).stack(), ValueError),
        (lambda: new(size=2, element_shape=[]).gather([0, 2]), IndexError),
        (lambda: new(size=2, element_shape=[]).gather([0, -1]), IndexError),
    ],
)
def test_what_does_not_fit_is_refused(use, error):
    with pytest.raises(error):
        use()
    with pytest.raises(error):
        tf.function(use)()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_elements_that_are_gathered_are_counted_from_the_front(jit_compile):
    f = tf.function(lambda i: new(size=2).unstack([1, 2]).gather(i), jit_compile=jit_compile)
    assert f(tf.constant([1, 0, 1])).numpy().tolist() == [2, 1, 2]
    for wrong in (-1, 2):
        with pytest.raises(IndexError, match=f"Tried to read from index {wrong} but array size is: 2"):
            f(tf.constant([0, wrong]))


@pytest.mark.parametrize("jit_compile", ["eager", *EXECUTORS])
def test_a_second_array_and_one_that_is_closed(jit_compile):
    def f():
        one = new(size=2).write(0, 1)
        other = one.identity()
        one = one.write(0, 5)
        other = other.write(1, 6)
        found = one.stack(), other.stack()
        one.close()
        return *found, one.size(), other.size()

    results = f() if jit_compile == "eager" else tf.function(f, jit_compile=jit_compile)()
    assert [r.numpy().tolist() for r in results] == [[5, 0], [1, 6], 0, 2]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("dynamic_size", [False, True])
@pytest.mark.parametrize("index", [-1, -3, 2])
def test_an_index_outside_is_refused_whoever_runs_the_graph(jit_compile, dynamic_size, index):
    @tf.function(jit_compile=jit_compile)
    def f(i):
        made = tf.TensorArray(tf.int32, size=2, dynamic_size=dynamic_size)
        for k in tf.range(2):
            made = made.write(k, k)
        return made.write(i, 5).stack()

    assert f(tf.constant(1)).numpy().tolist() == [0, 5]
    if index > 0 and dynamic_size:
        assert f(tf.constant(index)).numpy().tolist() == [0, 1, 5]
        return
    with pytest.raises((tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError, IndexError)):
        f(tf.constant(index))


def pushed(x, n):
    a = tf.TensorArray(tf.float64, size=0, dynamic_size=True)
    for i in tf.range(n):
        a = a.write(i, x * tf.cast(i, tf.float64))
    return a.stack(), a.size()


def appended(x, n):
    items, others = [], [x, x + 1.0]
    for i in tf.range(n):
        items.append(x * tf.cast(i, tf.float64))
        if i % 2 == 0:
            items.extend(others)
    items.insert(0, x)
    items.append(x * 3.0)
    last = items.pop()
    total = x * 0.0
    for item in items[1:]:
        total = total * 0.5 + item
    return total, last, items[0], len(items)


def of_a_branch(x, n):
    items = []
    if n > 2:
        items.append(x)
    else:
        items.append(x + 1.0)
        items.append(x + 2.0)
    for i in tf.range(n):
        items[0] = items[0] * 2.0
    return items[0], items[-1]


OPEN = [tf.TensorSpec([None, 2], tf.float64), tf.TensorSpec([], tf.int32)]


@pytest.mark.parametrize("f", [pushed, appended, of_a_branch])
def test_elements_of_open_size(f):
    graphs = [tf.function(f, jit_compile=jit, input_signature=OPEN) for jit in EXECUTORS]
    for rows in (0, 1, 3):
        x = tf.constant(np.arange(2.0 * rows).reshape(rows, 2) + 1)
        for n in (0, 1, 5):
            if f is pushed and n == 0:  # nobody knows the size of no elements
                continue
            wanted, *others = (graph(x, tf.constant(n)) for graph in graphs)
            for found in others:
                for mine, other in zip(found, wanted, strict=True):
                    np.testing.assert_array_equal(mine, other)


@pytest.mark.numpy_may_take_over
def test_elements_of_sizes_that_differ():
    def f(x, n):
        items = []
        for i in tf.range(n):
            items.append(x[:i])
        total = 0.0
        for item in items:
            total = total + tf.reduce_sum(item)
        return total

    for jit in EXECUTORS:
        graph = tf.function(f, jit_compile=jit, input_signature=[tf.TensorSpec([None], tf.float64), OPEN[1]])
        assert float(graph(tf.constant([1.0, 2.0, 3.0], tf.float64), tf.constant(4))) == 10.0


def split_sizes(rows, lengths):
    parts = tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False).split(rows, lengths)
    return [parts.size()] + [tf.shape(parts.read(k))[0] for k in range(len(lengths))]


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("lengths", [[], [3], [1, 2], [1, 0, 2], [0, 0, 3, 0]])
def test_an_array_is_split_into_as_many_parts_as_there_are_lengths(lengths, staged):
    rows = tf.zeros([sum(lengths)])
    split = lambda rows, n: split_sizes(rows, lengths)  # noqa: E731
    found = (tf.function(split, jit_compile=False) if staged else split)(rows, tf.constant(lengths, tf.int32))
    assert [int(size) for size in found] == [len(lengths), *lengths]


@pytest.mark.parametrize("rows, lengths", [(3, []), (3, [1, 1]), (3, [1, 1, 2]), (3, [4, -1]), (1, [2, -1])])
def test_lengths_that_do_not_fit_are_refused(rows, lengths):
    split = tf.function(
        lambda rows, n: tf.TensorArray(tf.float32, 0, dynamic_size=True, infer_shape=False).split(rows, n).size(),
        jit_compile=False,
    )
    told = rf"a tensor of {rows} rows is not split into {re.escape(str(lengths))}"
    with pytest.raises(tf.errors.InvalidArgumentError, match=told):
        split(tf.zeros([rows]), tf.constant(lengths, tf.int32))


@pytest.mark.parametrize("jit", [None, *EXECUTORS])
@pytest.mark.parametrize("ids, rows", [([], 0), ([0], 1), ([0, 0], 1), ([0, 2, 2], 3)])
def test_segments_are_as_many_as_the_last_one_tells(ids, rows, jit):
    def f(x, ids):
        return tf.math.segment_sum(x, ids)

    given = tf.ones([len(ids), 2]), tf.constant(ids, tf.int32)
    found = (f if jit is None else tf.function(f, jit_compile=jit))(*given)
    assert found.shape == (rows, 2)
    assert found.numpy().tolist() == [[float(ids.count(k))] * 2 for k in range(rows)]


SEGMENTS = [  # as TensorFlow gives them for rows 0, 2, 0, none, 2 of three
    ("sum", [4, 0, 7], [1, 1, 1, 0, 1]),
    ("prod", [3, 1, 10], [3, 5, 1, 0, 2]),
    ("mean", [2, 0, 3.5], [0.5, 0.5, 0.5, 0, 0.5]),
    ("sqrt_n", [8**0.5, 0, 24.5**0.5], [0.5**0.5, 0.5**0.5, 0.5**0.5, 0, 0.5**0.5]),
    ("max", [3, -3.4028235e38, 5], [0, 0, 1, 0, 1]),
    ("min", [1, 3.4028235e38, 2], [1, 1, 0, 0, 0]),
]


MADE = {
    "rows of 2": lambda: new(size=2).unstack([[1, 2], [3, 4]]),
    "a row of 3": lambda: new(size=1).unstack([[1, 2, 3]]),
    "matrices": lambda: new(size=2).unstack([[[1, 2]], [[3, 4]]]),
    "numbers": lambda: new(size=3).unstack([5, 6, 7]),
    "that grows": lambda: new(size=1, dynamic_size=True).unstack([[8, 9]]),
    "unwritten": lambda: new(size=2),
    "of a shape": lambda: new(size=2, element_shape=[2]).write(1, [1, 2]).write(0, [3, 4]),
    "of any shapes": lambda: new(size=2, infer_shape=False).write(0, [1]).write(1, [2, 3]),
    "of another dtype": lambda: tf.TensorArray(tf.float32, size=2, clear_after_read=False).unstack([[0.5, 1.5]]),
    "no array": lambda: tf.constant([[1, 2]]),
}
EITHER = [(a, b) for a in MADE for b in MADE]


def of_either_returned(x, a, b):
    if x > 0:
        return MADE[a]()
    return MADE[b]()


def of_either(x, a, b):
    if x > 0:
        made = MADE[a]()
    else:
        made = MADE[b]()
    return made


def of_before(x, a, b):
    made = MADE[a]()
    if x < 0:
        made = MADE[b]()
    return made


def element(made, index):
    try:
        return made.read(index).numpy().tolist()
    except tf.errors.InvalidArgumentError:
        return "nobody wrote one"


def told(made):
    """What can be told of an array and done with it, outside of a graph."""
    if not isinstance(made, tf.TensorArray):
        return made.dtype, made.numpy().tolist()
    size = int(made.size())
    found = [repr(made).split(made.dtype.name)[0], size, [element(made, i) for i in range(size)]]
    for index in (0, size - 1, size):
        with contextlib.suppress(tf.errors.OutOfRangeError, tf.errors.InvalidArgumentError):
            made = made.write(index, tf.cast(made.read(0), made.dtype))
            found.append(int(made.size()))
    return found


@pytest.mark.parametrize("a, b", EITHER, ids=map(" or ".join, EITHER))
def test_an_array_of_either_branch_is_the_one_that_python_has(a, b):
    for f in (of_either_returned, of_either, of_before):
        graph = tf.function(f, reduce_retracing=True)
        odd = {a, b} & {"no array", "of another dtype"}
        if f is not of_either_returned and odd and a != b:
            with pytest.raises(StagingError, match="a TensorArray" if "no array" in odd else "has dtype"):
                graph(tf.constant(1), a, b)
            continue
        for x in (1, -1):
            found, wanted = graph(tf.constant(x), a, b), f(x, a, b)
            if isinstance(wanted, tf.TensorArray):
                assert found.dtype == wanted.dtype and found.element_shape.is_compatible_with(wanted.element_shape)
            if "that grows" in (a, b) and a != b:  # the graph knows only one that is sure to grow
                wanted = None if isinstance(wanted, tf.TensorArray) and wanted.dynamic_size else wanted
            assert wanted is None or told(found) == told(wanted), (f.__name__, x)


@pytest.mark.parametrize("jit", [None, False, True])
def test_arrays_of_any_shapes_stay_on_numpy_between_what_is_compiled(jit):
    def f(n):
        rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True, infer_shape=False)
        for i in tf.range(n):
            rows = rows.write(i, tf.ones([i]))
        tf.print(rows.size(), output_stream="file:///dev/null")
        total = 0.0
        for i in tf.range(n):
            total += tf.reduce_sum(rows.read(i))
        return total, rows

    total, rows = tf.function(f, jit_compile=jit)(tf.constant(4))
    assert float(total) == 6.0 and [rows.read(i).shape for i in range(4)] == [(i,) for i in range(4)]


def test_a_graph_knows_of_an_array_of_either_branch_what_both_are():
    shown = []

    @tf.function
    def rest(x, a, b):
        made = of_either(x, a, b)
        shown.append(repr(made))
        made.write(0, [9, 9])
        made = made.read(1)
        shown.append(made.shape)
        return made

    for a, b, of_all, of_one in (
        ("rows of 2", "of a shape", "2 int32(2,)", (2,)),
        ("a row of 3", "rows of 2", "? int32(None,)", (None,)),
    ):
        rest(tf.constant(1 if a == "rows of 2" else -1), a, b)
        assert shown[-2] == f"<TensorArray of {of_all}>" and shown[-1] == tf.TensorShape(of_one)


def test_an_array_holds_the_shape_that_it_is_given_whatever_it_infers():
    def f(x, value):
        made = new(size=2, element_shape=[2])
        if x > 0:
            made = new(size=2, element_shape=[2], infer_shape=False)
        return made.write(0, value).read(0)

    for run in (f, tf.function(f)):
        assert run(tf.constant(1), tf.constant([1, 2])).numpy().tolist() == [1, 2]
        with pytest.raises(ValueError, match="Incompatible shape"):
            run(tf.constant(1), tf.constant([1, 2, 3]))


READS = {
    "read": (lambda a: a.read(1), []),
    "stack": (lambda a: a.stack(), [3]),
    "gather": (lambda a: a.gather([1, 0]), [2]),
    "read in a loop": (lambda a: tf.map_fn(a.read, tf.range(2), fn_output_signature=tf.float32), [2]),
}


@pytest.mark.parametrize("way", ["at once", *EXECUTORS])
@pytest.mark.parametrize("read, before", READS.values(), ids=READS)
@pytest.mark.parametrize("shape", [None, [None], [], [2]], ids=str)
def test_elements_that_nobody_wrote_are_zeros_where_their_shape_is_known(shape, read, before, way):
    def f(size):
        return read(tf.TensorArray(tf.float32, size=size, element_shape=shape))

    run = f if way == "at once" else tf.function(f, jit_compile=way)
    if shape in (None, [None]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="no element of the TensorArray has been written"):
            run(tf.constant(3))
    else:
        np.testing.assert_array_equal(run(tf.constant(3)), np.zeros([*before, *shape]))


@pytest.mark.parametrize("jit", [False, True])
@pytest.mark.parametrize("rank", [1, 2])
@pytest.mark.parametrize("name, wanted, gradient", SEGMENTS)
def test_rows_of_numbers_below_0_are_dropped(name, wanted, gradient, rank, jit):
    @tf.function(jit_compile=jit)
    def f(x, ids):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = getattr(tf.math, "unsorted_segment_" + name)(x, ids, 3)
        return y, tape.gradient(y, x)

    x, ids = np.array([1, 2, 3, 4, 5], np.float32), np.array([0, 2, 0, -1, 2])
    wanted, gradient = np.float32(wanted), np.float32(gradient)
    if rank == 2:
        x, wanted, gradient = (np.stack([a, a], 1) for a in (x, wanted, gradient))
    for found in (f(tf.constant(x), tf.constant(ids)), f.python_function(tf.constant(x), tf.constant(ids))):
        np.testing.assert_allclose(found[0], wanted, rtol=1e-6)
        np.testing.assert_allclose(found[1], gradient, rtol=1e-6)


def test_ordered_segments_have_no_numbers_below_0():
    with pytest.raises(tf.errors.InvalidArgumentError, match="segment_sum: a number is below 0"):
        tf.math.segment_sum([1.0, 2.0], [-1, 0])


@pytest.mark.parametrize("options", ["", ", copy=True", ", copy=False"])
def test_an_array_made_of_another_type_is_another_unless_it_may_be_the_same(options):
    text = f"def f(x):\n    y = x.astype(x.dtype{options})\n    y[0] = 9\n    return y\n"
    mine, theirs = np.arange(3.0), np.arange(3.0)
    made, expected = tf.function(load(text), numpy=True)(mine), load(text)(theirs)
    assert made.tolist() == expected.tolist() and mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("way", ["write", "unstack"])
def test_elements_are_of_their_shape_where_the_graph_alone_knows_theirs(way, jit_compile):
    def filled(n):
        array = tf.TensorArray(tf.float32, size=2, element_shape=[2])
        return array.write(0, tf.ones([n])).stack() if way == "write" else array.unstack(tf.ones([2, n])).stack()

    graph = tf.function(filled, jit_compile=jit_compile)
    assert graph(tf.constant(2)).numpy().tolist() == filled(tf.constant(2)).numpy().tolist()
    for call in (filled, graph):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match=r"\(2,\)|2\)"):
            call(tf.constant(3))


@pytest.mark.parametrize("how", [None, *EXECUTORS], ids=lambda how: "eager" if how is None else f"jit={how}")
@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("places", [[0, 1, 2, 0], [2, 0, 1, 2, 2], [1, 1, 0, 2]], ids=str)
def test_an_element_that_is_written_again_is_replaced(places, dynamic, how):
    """Wherever it is, and whether or not the array may grow."""

    def f(places):
        elements = tf.TensorArray(tf.float32, size=0 if dynamic else 3, dynamic_size=dynamic)
        for n in tf.range(len(places)):
            elements = elements.write(places[n], tf.cast(n, tf.float32))
        return elements.stack()

    wanted = [max(n for n, place in enumerate(places) if place == i) for i in range(3)]
    np.testing.assert_array_equal((f if how is None else tf.function(f, jit_compile=how))(tf.constant(places)), wanted)
