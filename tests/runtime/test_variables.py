import re

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS, load


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


# Variables that a function makes on its first call, of what it is given.


class Kept:
    def __init__(self):
        self.v = None


def doubled(x):
    while tf.reduce_sum(x) < 10.0:
        x = x * 2
    return x


W = tf.Variable([1.0, 5.0])


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize(
    "initial, argument, wanted",
    [
        (lambda x: x * 2, [1.0, 2.0], [2.0, 4.0]),
        (lambda x: x, [1.0, 2.0], [1.0, 2.0]),
        (lambda x: [x[0], 3.0], [1.0, 2.0], [1.0, 3.0]),
        (lambda x: lambda: x + 1, [1.0, 2.0], [2.0, 3.0]),
        (lambda x: lambda: [3.0, 4.0], [1.0, 2.0], [3.0, 4.0]),
        (lambda x: doubled(x), [1.0, 2.0], [4.0, 8.0]),
        (lambda x: W * 2 + x, [1.0, 2.0], [3.0, 12.0]),
        (lambda x: W, [1.0, 2.0], [1.0, 5.0]),
        (lambda x: tf.random.uniform([2], 0, 1, seed=3) * 0 + x, [1.0, 2.0], [1.0, 2.0]),
        (lambda x: x * 2, np.array([1, 2], np.float32), [2.0, 4.0]),
        (lambda x: x * 2, tf.Variable([1.0, 2.0]), [2.0, 4.0]),
        (lambda x: x[0] + x[1]["k"], [[1.0, 2.0], {"k": 3.0}], [4.0, 5.0]),
    ],
)
def test_a_first_value_may_depend_on_what_is_given(initial, argument, wanted, jit_compile):
    kept = Kept()

    @tf.function(jit_compile=jit_compile)
    def f(x):
        if kept.v is None:
            kept.v = tf.Variable(initial(x))
        return kept.v.assign_add([1.0, 1.0])

    given = tf.nest.map_structure(tf.constant, argument) if isinstance(argument, list) else argument
    given = tf.constant(argument) if isinstance(argument, list) and isinstance(argument[0], float) else given
    results = [f(given).numpy().tolist() for _ in range(2)]
    assert results == [[w + 1 for w in wanted], [w + 2 for w in wanted]]
    assert kept.v.numpy().tolist() == results[1] and f.experimental_get_tracing_count() == 2


def test_a_first_value_in_a_function_within_another():
    kept = Kept()

    @tf.function
    def inner(x):
        if kept.v is None:
            kept.v = tf.Variable(x + W[1], dtype=tf.float64, name="inner")
        return kept.v * 2

    @tf.function
    def outer(x):
        return inner(x * 10)

    assert [float(outer(tf.constant(v))) for v in (2.0, 3.0)] == [50.0, 50.0]
    assert kept.v.dtype == tf.float64


def written(x):
    W.assign(W)
    return W * x


@pytest.mark.parametrize(
    "initial, words",
    [
        (written, "depends on 'Variable', which the function has written before .*test_variables.py:"),
        (
            lambda x: tf.py_function(lambda v: v, [x], tf.float32),
            "depends on py_function .*which is done when the graph",
        ),
    ],
)
def test_a_first_value_that_is_not_known_yet(initial, words):
    kept = Kept()

    @tf.function
    def f(x):
        if kept.v is None:
            kept.v = tf.Variable(initial(x))
        return kept.v + x

    with pytest.raises(tf.errors.VariableCreationError, match=words):
        f(tf.constant(1.0))
    kept.v = tf.Variable(1.0)  # what failed leaves nothing behind
    assert float(f(tf.constant(1.0))) == 2.0


def test_a_first_value_is_not_known_of_a_spec_nor_of_the_state_of_a_loop():
    def spec(x):
        return tf.Variable(x)

    with pytest.raises(ValueError, match="the argument 'x', of which nothing but dtype and shape is known"):
        tf.function(spec).get_concrete_function(tf.TensorSpec([], tf.float32))

    def loop(n):
        for i in tf.range(n):
            tf.Variable(i)

    with pytest.raises(ValueError, match="'i', which changes from one iteration of a loop"):
        tf.function(loop)(tf.constant(3))


def test_a_tensor_of_a_trace_that_is_over_starts_no_variable():
    leaked = []
    tf.function(lambda x: leaked.append(x * 2))(tf.constant(1.0))
    with pytest.raises(ValueError, match="has no value outside the function that was traced"):
        tf.Variable(leaked[0])


def test_a_variable_on_each_call():
    @tf.function
    def f(x):
        return tf.Variable(x) + 1

    for _ in range(2):
        with pytest.raises(tf.errors.VariableCreationError, match="f tries to create a tf.Variable on a call"):
            f(tf.constant(1))


def test_numpy_takes_variables():
    assert np.sum(tf.Variable([1.0, 2.0])).numpy() == 3


def branch(v, n):
    held = v.read_value()
    if n > 0:
        v.assign(held * 2 + 1)
    return held, v.read_value()


def branch_that_reads(v, n):
    held = v.read_value()
    if n > 0:
        v.assign_add(held)
        held = held + 0
        v.assign_add(held)
    return held, v.read_value()


def loop(v, n):
    held = v.read_value()
    while n > 0:
        v.assign_add(held + 1)
        n -= 1
    return held, v.read_value()


def held_in_each_iteration(v, n):
    before = v.read_value()
    while n > 0:
        before = v.read_value()
        v.assign_add(before)
        n -= 1
    return before, v.read_value()


def held_by_a_list(v, n):
    held = [v.read_value()]
    if n > 0:
        v.assign_sub(held[0] * 3)
        held.append(v.read_value())
        v.assign_sub(held[0] * 3)
    return held[0], held[-1], v.read_value()


def view(v, n):
    held = v[::2] if len(v.shape) else v.read_value()
    if n > 0:
        v.assign_add(v + 1)
    return held, v.read_value()


def turned(v, n):
    if len(v.shape):
        v.assign_add(v[::-1] * 1)
        v.assign_sub(v[::-1])
        v.assign(v[::-1])
    return v.read_value()[None], v.read_value()


def view_from_a_branch(v, n):
    held = v.read_value()
    rows = held[None]
    if n > 0:
        rows = v.read_value()[None]
        v.assign_add(v + 1)
    v.assign_add(v + 1)
    return rows, v.read_value()


def used_after_it(v, n):
    held = v.read_value()
    doubled = held * 2
    v.assign(doubled)
    v.assign_add(held)
    return doubled - held, v.read_value()


@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("start", [3.0, [1.0, 2.0, 3.0], np.arange(40_000.0)], ids=["number", "small", "large"])
@pytest.mark.parametrize("options", [{"jit_compile": False}, {"jit_compile": True}, {}], ids=["NumPy", "native", ""])
@pytest.mark.parametrize(
    "program",
    [
        branch,
        branch_that_reads,
        loop,
        held_in_each_iteration,
        held_by_a_list,
        view,
        turned,
        view_from_a_branch,
        used_after_it,
    ],
)
def test_what_was_read_stays_when_the_variable_is_assigned(program, options, start, known):
    mine, wanted = tf.Variable(start, dtype=tf.float64), tf.Variable(start, dtype=tf.float64)
    f = tf.function(lambda n: program(mine, n), **options)
    for n in (0, 3, 1):
        kept = mine.read_value()
        before = kept.numpy().copy()
        found = f(tf.constant(n) if known else tf.constant(n, tf.int64))
        for a, b in zip(found, program(wanted, n), strict=True):
            np.testing.assert_array_equal(np.asarray(a), np.asarray(b))
        np.testing.assert_array_equal(mine.numpy(), wanted.numpy())
        np.testing.assert_array_equal(kept.numpy(), before)


# Two Variables, of which each is replaced as a whole by what is computed of both.


def exchanged(a, b, x):
    held = a.read_value()
    a.assign(b)
    b.assign(held)


def moments(a, b, x):
    a.assign_add((x - a) * 0.25)
    b.assign(b + (x * x - b) * 0.5)
    a.assign_sub(a / (b + 1.0))


def one_value_for_both(a, b, x):
    y = a * b + x
    a.assign(y)
    b.assign(y)
    return y


def used_and_returned(a, b, x):
    y = a * 2.0 + x
    a.assign(y)
    b.assign_sub(y)
    a.assign_sub(b)
    return y + 0.0, y, a.read_value()


def spread(a, b, x):
    a.assign_add(x[:1])
    b.assign_sub(a)
    b.assign_add(x[0])
    return a.read_value()


def part_of_it(a, b, x):
    y = x + a
    a.assign(y)
    part = y[1:]
    b.assign(y[::-1])
    y = tf.concat([part * 3.0, y[:1]], 0)
    return part, y, b * 1.0


def state_of_a_loop(a, b, x):
    y = x + a
    a.assign(y)
    for _ in tf.range(3):
        y = y * 0.5 + b
    b.assign(y)
    return y + 0.0


def in_a_branch_first(a, b, x):
    if x[0] > 0.0:
        a.assign(x + b)
    a.assign(a + 1.0)
    b.assign(a * x)
    if x[0] > 1.0:
        b.assign_sub(a)


def written_before_a_branch(a, b, x):
    y = a - x
    a.assign(y)
    if x[0] > 0.0:
        a.assign_add(y)
        y = y + 1.0
    b.assign(y)
    return y * 2.0


def sum_of_what_it_becomes(a, b, x):
    y = a * x
    total = tf.reduce_sum(y)
    a.assign(y)
    b.assign(tf.sort(y + b))
    return total, tf.reduce_sum(a), tf.reduce_max(b)


def product(a, b, x):
    rows = tf.reshape(x, [1, -1])
    a.assign(tf.reshape(tf.matmul(rows, tf.matmul(rows, rows, transpose_a=True)), [-1]) * 0.125)
    b.assign(a)
    return b.read_value()


@pytest.mark.parametrize("size", [3, 40], ids=["small", "larger"])
@pytest.mark.parametrize("open_", [False, True], ids=["known", "open"])
@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize(
    "program",
    [
        exchanged,
        moments,
        one_value_for_both,
        used_and_returned,
        spread,
        part_of_it,
        state_of_a_loop,
        in_a_branch_first,
        written_before_a_branch,
        sum_of_what_it_becomes,
        product,
    ],
)
def test_variables_become_what_is_computed_of_them(program, jit_compile, open_, size):
    """In binary fractions, so that nothing is rounded and all ways of adding up agree."""
    start = np.arange(2.0 * size).reshape(2, size) / 4
    signature = [tf.TensorSpec([None if open_ else size], tf.float64)]
    mine, wanted = ([tf.Variable(row) for row in start] for _ in range(2))
    f = tf.function(lambda x: program(*mine, x), input_signature=signature, jit_compile=jit_compile)
    for first in (0.5, -1.0, 2.0):
        x = tf.constant(np.linspace(first, first + (size - 1) / 2, size))
        before = [v.read_value() for v in mine]
        kept = [v.numpy() for v in before]
        found, expected = f(x), program(*wanted, x)
        found, expected = ([] if made is None else tf.nest.flatten(made) for made in (found, expected))
        for a, b in zip([*found, *mine], [*expected, *wanted], strict=True):
            np.testing.assert_allclose(np.asarray(a), np.asarray(b), rtol=1e-12)
        for a, b in zip(before, kept):
            np.testing.assert_array_equal(a.numpy(), b)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_what_fails_after_an_assignment_fails_as_it_does_without_a_graph(jit_compile):
    v = tf.Variable([1.0, 2.0])

    @tf.function(jit_compile=jit_compile)
    def f(x):
        v.assign(v + x)
        tf.debugging.assert_less(tf.reduce_sum(v), 10.0)
        v.assign_add(x)

    f(tf.constant([1.0, 1.0]))
    np.testing.assert_array_equal(v.numpy(), [3.0, 4.0])
    with pytest.raises(tf.errors.InvalidArgumentError):
        f(tf.constant([4.0, 4.0]))
    np.testing.assert_array_equal(v.numpy(), [7.0, 8.0])


@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("name, total", [("assign", 10), ("assign_add", 15), ("assign_sub", -5)])
def test_an_assignment_gives_the_variable_which_later_ones_change(name, total, jit_compile):
    v = tf.Variable(5)

    def f(x):
        first = getattr(v, name)(x)
        held = first.read_value()
        second = v.assign_add(1)
        return first + 0, held, second, [first], getattr(v, name)(x, read_value=False)

    for form in (f, tf.function(f, jit_compile=jit_compile)):
        v.assign(5)
        *found, (listed,), nothing = form(tf.constant(10))
        assert nothing is None
        assert int(found[1]) == total and int(found[0]) == total + 1
        after = int(v.numpy())
        assert int(found[2]) == int(listed) == after  # read once the function is done


def test_a_variable_is_a_shape_and_has_items_as_a_tensor_is():
    v = tf.Variable([2, 3])

    def made():
        return tf.zeros(v), tf.reshape(tf.range(6), v), tf.broadcast_to(1, v)

    def listed():
        return list(v), [x + 1 for x in v], [*v]

    for zeros, rows, ones in (made(), tf.function(made)()):
        assert zeros.shape == rows.shape == ones.shape == (2, 3)
    for found in (listed(), tf.function(listed)()):
        assert [[int(x) for x in part] for part in found] == [[2, 3], [3, 4], [2, 3]]


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("part", [lambda b: b, lambda b: b[::-1], lambda b: b.T, lambda b: tf.reshape(b, [2, 3])])
def test_a_variable_does_not_see_what_becomes_of_the_array_that_it_was_given(part, jit_compile):
    b = np.arange(6.0).reshape(2, 3)
    wanted = np.array(part(b))
    variable = tf.Variable(np.zeros_like(wanted))

    def program(b):
        variable.assign(part(b))
        b[0] = 7.0
        return variable * 1.0

    found = tf.function(program, jit_compile=jit_compile)(b)
    b[:] = 9.0
    for mine in (found, variable):
        np.testing.assert_array_equal(mine, wanted)


def test_what_numpy_makes_of_a_tensor_is_not_written():
    for value in (tf.constant([1.0, 2.0]), tf.Variable([1.0, 2.0])):
        with pytest.raises(ValueError, match="read-only"):
            np.asarray(value)[0] = 9.0
        mine = np.array(value)
        mine[0] = 9.0
        np.testing.assert_array_equal(value, [1.0, 2.0])


@pytest.mark.parametrize(
    "symbol, remedy",
    [
        ("+", "v.assign_add(value)"),
        ("-", "v.assign_sub(value)"),
        *((s, f"v.assign(v {s} value)") for s in ("*", "/", "//", "%", "**")),
    ],
)
@pytest.mark.parametrize("staged", [False, True])
def test_an_augmented_assignment_is_refused_as_it_would_make_another_thing_of_the_name(symbol, remedy, staged):
    held = tf.Variable(2.0, name="weight")
    f = load(f"def f(v, x):\n    v {symbol}= x\n    return v\n")
    told = (
        f"`v {symbol}= value` with the Variable 'weight' would leave it as it is, and make v a tensor. Write {remedy}"
    )
    with pytest.raises(RuntimeError, match=re.escape(told)):
        tf.function(lambda x: f(held, x))(1.0) if staged else f(held, 1.0)
    assert float(held) == 2.0


MADE_OF_VARIABLES = [
    "np.full(2, v)", "np.full((n, 2), v)", "np.array([v, 1.0])", "np.array(v)", "np.asarray([[v], [2.0]])",
    "np.linspace(0.0, v, 3)", "np.linspace(v, 9.0, num=n)", "np.logspace(0.0, v, 3)", "np.geomspace(1.0, v, 3)",
    "np.arange(v)", "np.arange(n, 7)", "np.arange(0.0, 4.0, v)", "np.eye(n)", "np.identity(n)", "np.tri(n)",
    "np.zeros(n)", "np.ones((n, 2))", "np.zeros([2, n], int)", "np.zeros_like(v)", "np.full_like([0.0, 1.0], v)",
    "np.stack([[v, v], [v, v]])", "np.hstack([[v], [v]])", "np.concatenate([[v], [v]])", "np.sum([v, 2.0])",
    "np.float32(v)", "np.int64(v)", "np.where([True, False], v, 0.0)", "np.maximum(v, 2.0)", "np.tile([v], 2)",
    "np.indices((n,))", "np.diag([v, v])", "np.delete([1.0, 2.0, 3.0, 4.0], n)", "np.insert([1.0, 2.0], 1, v)",
    "np.clip(v, 0, n)", "np.meshgrid([v], [v, n])[1]", "np.median([v, 1.0])", "np.append([1.0], v)",
]  # fmt: skip


@pytest.mark.parametrize("text", MADE_OF_VARIABLES)
def test_functions_of_numpy_take_what_a_variable_holds_now(text):
    plain = load(f"def f(v, n):\n    return {text}\n", np=np)
    v, n = tf.Variable(0.0, dtype=tf.float64), tf.Variable(0, dtype=tf.int64)
    graph = tf.function(lambda: plain(v, n))
    for number, count in ((3.0, 2), (4.5, 3)):
        v.assign(number)
        n.assign(count)
        wanted = plain(np.float64(number), np.int64(count))
        for found in (graph(), plain(v, n)):
            np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-15)
            assert np.asarray(found).dtype == wanted.dtype


def test_a_variable_is_initialized():
    v = tf.Variable([1.0, 2.0])
    assert bool(v.is_initialized()) and bool(tf.function(lambda: v.is_initialized())())


def test_what_a_variable_lacks_is_told_of_a_variable():
    v = tf.Variable([1.0, 2.0])
    for run in (lambda f: f(), lambda f: tf.function(f)()):
        with pytest.raises(AttributeError, match="'Variable' object has no attribute 'asign'"):
            run(lambda: v.asign(3.0))
    assert not hasattr(v, "append")


def test_a_variable_shows_no_value_while_tracing(capsys):
    v, w = tf.Variable(1.0, name="v"), tf.Variable([2], name="w")

    @tf.function
    def f(v):
        print(v, [w])
        with tf.init_scope():
            print(w)
        return v

    f(v)
    shown = "<tf.Variable 'v:0' shape=() dtype=float32> [<tf.Variable 'w:0' shape=(1,) dtype=int32>]\n"
    assert capsys.readouterr().out == shown + repr(w) + "\n" and "numpy=array([2], dtype=int32)" in repr(w)


# Options of TensorFlow's that are for several replicas.


def test_options_for_replicas_are_kept():
    v = tf.Variable(1.0, aggregation=tf.VariableAggregation.MEAN, synchronization=tf.VariableSynchronization.ON_WRITE)
    assert v.aggregation is tf.VariableAggregation.MEAN and float(v.assign_add(1.0)) == 2.0
    assert v.synchronization is tf.VariableSynchronization.ON_WRITE
    usual = tf.Variable(1.0)
    assert usual.aggregation is tf.VariableAggregation.NONE
    assert usual.synchronization is tf.VariableSynchronization.AUTO
    with tf.Graph().as_default():
        w = tf.compat.v1.get_variable("w", [], aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
        assert w.aggregation is tf.VariableAggregation.ONLY_FIRST_REPLICA


@pytest.mark.parametrize("options, error", [
    ({"aggregation": "mean"}, ValueError), ({"synchronization": 0}, ValueError),
    ({"aggregation": tf.VariableSynchronization.AUTO}, ValueError),
    ({"synchronization": tf.VariableSynchronization.ON_READ}, NotImplementedError),
])  # fmt: skip
def test_other_options_for_replicas_are_refused_by_name(options, error):
    with pytest.raises(error, match=next(iter(options))):
        tf.Variable(1.0, **options)


@pytest.mark.parametrize("shape", [(4,), (2, 3), (2, 3, 2), (2, 2, 3, 2)])
def test_rows_of_each_part_of_a_batch_are_set(shape):
    random = np.random.default_rng(1)
    for rank in range(1, len(shape) + 1):
        indices = random.integers(shape[rank - 1], size=(*shape[: rank - 1], 2))
        values = random.random((*indices.shape, *shape[rank:]), np.float32)
        expected = np.zeros(shape, np.float32)
        for at in np.ndindex(indices.shape):  # of several values for one row, the last one counts
            expected[(*at[:-1], indices[at])] = values[at]

        def update(v, values, indices):
            v.batch_scatter_update(tf.IndexedSlices(values, indices))

        for function in (update, tf.function(update)):
            v = tf.Variable(np.zeros(shape, np.float32))
            function(v, tf.constant(values), tf.constant(indices))
            assert np.array_equal(v.numpy(), expected)
