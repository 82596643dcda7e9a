"""GradientTape: what it records, and when; its errors."""

import re

import numpy as np
import pytest

import runtime as tf
from runtime.graph.graph import ListType
from tests.programs import load
from tests.runtime.gradients.differences import close

c = tf.constant


def eager(f):
    return f()


def staged(f):
    return tf.function(f)()


BOTH = pytest.mark.parametrize("run", [eager, staged], ids=["at once", "in a graph"])


@BOTH
def test_trainable_variables_are_watched(run):
    v, u = tf.Variable(3.0), tf.Variable(4.0, trainable=False)

    def program():
        with tf.GradientTape() as tape:
            y = v * v + u * u
        assert [w is v for w in tape.watched_variables()] == [True]
        return [g for g in tape.gradient(y, [v, u]) if g is not None]

    assert [float(g) for g in run(program)] == [6.0]


@BOTH
def test_others_are_watched_on_request(run):
    v = tf.Variable(3.0, trainable=False)

    def program():
        with tf.GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(v)
            y = v * v
        return tape.gradient(y, v)

    assert float(run(program)) == 6.0


@BOTH
def test_what_comes_before_is_not_recorded(run):
    x = c(2.0)

    def program():
        before = x * x
        with tf.GradientTape(persistent=True) as tape:
            early = x * 5.0
            tape.watch(x)
            y = early + x * 3.0 + before
        late = y * 10.0
        assert tape.gradient(late, x) is None
        return tape.gradient(y, x)

    assert float(run(program)) == 3.0


@BOTH
def test_recording_stops_and_goes_on(run):
    v = tf.Variable(3.0)

    def program():
        with tf.GradientTape() as tape:
            y = v * tf.stop_gradient(v)
            with tape.stop_recording():
                z = v * 100.0
            w = y + z
        return tape.gradient(w, v)

    assert float(run(program)) == 3.0


@BOTH
def test_a_tape_starts_anew(run):
    v = tf.Variable(3.0)

    def program():
        with tf.GradientTape() as tape:
            y = v * v
            tape.reset()
            z = y + 2.0 * v
        return tape.gradient(z, v)

    assert float(run(program)) == 2.0


@BOTH
def test_a_tape_is_entered_again(run):
    v = tf.Variable(3.0)

    def program():
        tape = tf.GradientTape(persistent=True)
        with tape:
            y = v * v
        z = v * 7.0
        with tape:
            w = y * z
        return tape.gradient(w, v)

    assert float(run(program)) == 2 * 3 * 21


@BOTH
def test_a_persistent_tape_is_asked_more_than_once(run):
    v = tf.Variable(3.0)

    def program():
        with tf.GradientTape(persistent=True) as tape:
            y = v * v
            z = y * v
        return tape.gradient(y, v), tape.gradient(z, v), tape.gradient(z, y)

    assert [float(g) for g in run(program)] == [6.0, 27.0, 3.0]


@BOTH
def test_tapes_within_tapes(run):
    x = c(2.0)

    def program():
        with tf.GradientTape() as third:
            third.watch(x)
            with tf.GradientTape() as second:
                second.watch(x)
                with tf.GradientTape() as first:
                    first.watch(x)
                    y = x**4
                a = first.gradient(y, x)
            b = second.gradient(a, x)
        return a, b, third.gradient(b, x)

    assert [float(g) for g in run(program)] == [32.0, 48.0, 48.0]


def test_a_tape_around_a_function_can_be_differentiated():
    f = tf.function(lambda x: tf.sin(x) * x**3)
    x = c(np.float64(0.7))
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = f(x)
            a = first.gradient(y, x)
        b = second.gradient(a, x)
    d = third.gradient(b, x)
    s, k, t = np.sin(0.7), np.cos(0.7), 0.7
    close(a, k * t**3 + 3 * s * t**2, 1e-9)
    close(b, -s * t**3 + 6 * k * t**2 + 6 * s * t, 1e-9)
    close(d, -k * t**3 - 9 * s * t**2 + 18 * k * t + 6 * s, 1e-9)


@BOTH
def test_structures(run):
    def program():
        x = {"a": c(2.0), "b": [c(3.0)]}
        with tf.GradientTape() as tape:
            tape.watch(x)
            ys = (x["a"] * x["b"][0], [x["a"] * 5.0])
        return tape.gradient(ys, x)

    found = run(program)
    assert float(found["a"]) == 8.0 and float(found["b"][0]) == 2.0


@BOTH
def test_what_targets_count(run):
    x = c([1.0, 2.0])

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
            z = 3.0 * x
        return tape.gradient([y, z], x, output_gradients=[c([10.0, 100.0]), None])

    np.testing.assert_array_equal(run(program), [23.0, 403.0])


@BOTH
def test_what_has_no_influence(run):
    x = c([1.0, 2.0])
    v = tf.Variable([[1.0, 2.0]])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = c(2.0) * 3.0
        assert tape.gradient(y, x) is None
        return tape.gradient(y, [x, v], unconnected_gradients="zero")

    first, second = run(program)
    assert first.shape == [2] and second.shape == [1, 2] and not np.any(first.numpy()) and not np.any(second.numpy())


@BOTH
def test_integers_have_none(run):
    x = c(2)

    def program():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            z = tf.cast(x, tf.float32) * 2.0
        assert tape.gradient(y, x) is None and tape.gradient(z, x) is None
        return 0

    run(program)


@BOTH
@pytest.mark.parametrize(
    ("make", "watched"),
    [(c, True), (tf.Variable, True), (tf.Variable, False), (lambda v: tf.Variable(v, trainable=False), False)],
)
def test_a_target_that_is_a_source(run, make, watched):
    x, other = make([1.0, 2.0]), make([1.0, 2.0])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            if watched:
                tape.watch(x)
            y = x * 3.0
        assert tape.gradient(x, other) is None
        return tape.gradient(x, x), tape.gradient([x, y], x)

    alone, together = run(program)
    np.testing.assert_array_equal(alone, [1.0, 1.0])
    counts = watched or x.trainable
    np.testing.assert_array_equal(together, [4.0, 4.0] if counts else [1.0, 1.0])


@BOTH
def test_variables_in_loops_and_branches(run):
    w = tf.Variable([0.5, 2.0])

    def program():
        with tf.GradientTape() as tape:
            y = c(1.0)
            for i in tf.range(4):
                if i % 2 == 0:
                    y = y * w[0] + w[1]
                else:
                    y = y * tf.reduce_sum(w * w)
        return tape.gradient(y, w)

    close(run(program), eager(program), 1e-6)
    close(run(program), [66.8125, 63.78125], 1e-6)


def test_a_variable_is_where_a_gradient_ends():
    v = tf.Variable(2.0)

    @tf.function
    def program():
        with tf.GradientTape() as tape:
            a = v * v
            v.assign(a + 1.0)
            b = v * 10.0
        return tape.gradient(a + b, v), tape.gradient

    @tf.function
    def both():
        with tf.GradientTape() as tape:
            a = v * v
            v.assign(a + 1.0)
            y = a + v * 10.0
        return tape.gradient(y, v)

    assert float(both()) == 14.0


def test_a_variable_that_is_written_between_there_and_back():
    v = tf.Variable(2.0)

    @tf.function
    def f(x):
        if x > 0:
            y = x * v * x
        else:
            y = x
        v.assign(100.0)
        return y

    x = c(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 12.0


def test_variables_as_arguments():
    @tf.function
    def f(v, x):
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(v * v * x)
        return tape.gradient(y, v)

    for value in (1.0, 5.0):
        np.testing.assert_array_equal(f(tf.Variable([value]), c([3.0])), [6.0 * value])


def test_a_step_of_training_is_traced_once():
    w, b = tf.Variable(0.0), tf.Variable(0.0)
    xs = tf.linspace(-1.0, 1.0, 20)
    ys = 3.0 * xs + 0.5
    traced = []

    @tf.function
    def fit(steps, rate):
        traced.append(1)
        loss = c(0.0)
        for _ in tf.range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * xs + b - ys) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(rate * dw)
            b.assign_sub(rate * db)
        return loss

    assert float(fit(c(150), c(0.2))) < 1e-6 and float(fit(c(10), c(0.2))) < 1e-7
    close([w.numpy(), b.numpy()], [3.0, 0.5], 1e-3)
    assert len(traced) == 1


def test_gradients_within_a_loop_are_differentiated():
    """A step of descent, and how its result changes with where it began."""

    def program(x, rate):
        y = x
        for _ in tf.range(3):
            with tf.GradientTape() as tape:
                tape.watch(y)
                loss = tf.reduce_sum((y * y - 1.0) ** 2)
            y = y - rate * tape.gradient(loss, y)
        return tf.reduce_sum(y)

    x, rate = c(np.array([0.4, 1.3])), c(np.float64(0.01))
    with tf.GradientTape() as tape:
        tape.watch([x, rate])
        y = tf.function(program)(x, rate)
    found = tape.gradient(y, [x, rate])

    def plain(x, rate):
        for _ in range(3):
            x = x - rate * 4 * x * (x * x - 1)
        return x.sum()

    step = 1e-6
    wanted = [(plain(x.numpy() + d, 0.01) - plain(x.numpy() - d, 0.01)) / 2e-6 for d in np.eye(2) * step]
    close(found[0], wanted)
    close(found[1], (plain(x.numpy(), 0.01 + step) - plain(x.numpy(), 0.01 - step)) / 2e-6)


def test_tensors_that_a_function_finds_around_it():
    x = c(3.0)
    f = tf.function(lambda: x * x)
    assert float(f()) == 9.0
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = x * 2.0
        g = tf.function(lambda n: tf.cond(n > 0, lambda: z * z, lambda: z))
        y = f() + g(c(1))
    assert float(tape.gradient(y, x)) == 6.0 + 8 * 3.0


def test_a_compiled_function_is_fast_again_after_the_tape():
    f = tf.function(lambda x: x * 2.0, jit_compile=True)
    x = c([1.0, 2.0])
    f(x)
    for _ in range(2):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        np.testing.assert_array_equal(tape.gradient(y, x), [2.0, 2.0])
        np.testing.assert_array_equal(f(x), [2.0, 4.0])
    assert f.experimental_get_tracing_count() == 1


@BOTH
def test_jacobians(run):
    x = c([1.0, 2.0, 3.0])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.stack([x * x, x * tf.reduce_sum(x)])
        return tape.jacobian(y, x)

    total = 6.0
    wanted = [np.diag([2.0, 4.0, 6.0]), np.diag([total] * 3) + np.array([[1.0], [2.0], [3.0]])]
    np.testing.assert_allclose(run(program), wanted)


def test_a_jacobian_of_open_size():
    @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x[::-1]
        return tape.jacobian(y, x)

    np.testing.assert_array_equal(f(c([1.0, 2.0])), [[2.0, 1.0], [2.0, 1.0]])


@BOTH
def test_a_hessian(run):
    x = c([1.0, 2.0, 3.0])

    def program():
        with tf.GradientTape() as outer:
            outer.watch(x)
            with tf.GradientTape() as inner:
                inner.watch(x)
                y = tf.reduce_prod(x)
            slope = inner.gradient(y, x)
        return outer.jacobian(slope, x)

    np.testing.assert_array_equal(run(program), [[0, 3, 2], [3, 0, 1], [2, 1, 0]])


@BOTH
def test_jacobians_of_batches(run):
    x = c([[1.0, 2.0], [3.0, 4.0]])

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.stack([x[:, 0] * x[:, 1], x[:, 0] ** 2, x[:, 1]], 1)
        return tape.batch_jacobian(y, x)

    np.testing.assert_array_equal(run(program), [[[2, 1], [2, 0], [0, 1]], [[4, 3], [6, 0], [0, 1]]])


@BOTH
def test_of_complex_numbers(run):
    z = c(np.array([1 + 2j, -0.5j]))

    def program():
        with tf.GradientTape() as tape:
            tape.watch(z)
            y = tf.reduce_sum(tf.abs(z * z) ** 2)
        return tape.gradient(y, z)

    np.testing.assert_allclose(run(program), 4 * np.abs(z.numpy()) ** 2 * z.numpy())


# What is refused.


@BOTH
def test_asked_twice(run):
    v = tf.Variable(3.0)

    def program():
        with tf.GradientTape() as tape:
            y = v * v
        tape.gradient(y, v)
        return tape.gradient(y, v)

    with pytest.raises(RuntimeError, match="non-persistent GradientTape.*persistent=True"):
        run(program)


@BOTH
def test_an_operation_without_gradient(run):
    x = c([3.0, 1.0])

    def program():
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.random.shuffle(x * 2.0)
        return tape.gradient(y, x)

    with pytest.raises(LookupError, match=r"'random_shuffle' at .*test_tape.py:\d+.*stop_gradient"):
        run(program)


@BOTH
def test_what_is_no_tensor(run):
    v = tf.Variable(3.0)

    def watching():
        with tf.GradientTape() as tape:
            tape.watch(np.ones(3))

    def asking():
        with tf.GradientTape() as tape:
            y = v * 2.0
        return tape.gradient(y, 3.0)

    with pytest.raises(ValueError, match="watch takes tensors"):
        run(watching)
    with pytest.raises(TypeError, match="not of float"):
        run(asking)


def test_a_rank_that_is_not_known():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reshape(x, [-1])
        return tape.gradient(y, x)

    with pytest.raises(ValueError, match=r"rank is known.*ensure_shape") as caught:
        f(c([1.0]))
    assert any(re.search(r"gradient of 'reshape' at .*test_tape.py:\d+", note) for note in caught.value.__notes__)


def test_what_was_written_to():
    @tf.function
    def f(x):
        y = x * 1.0
        with tf.GradientTape() as tape:
            tape.watch(y)
            z = tf.reduce_sum(y * y)
            y[0] = 5.0
        return tape.gradient(z, y)

    with pytest.raises(ValueError, match="written to after it was watched"):
        f(c([1.0, 2.0]))


def test_what_has_been_told_its_shape_is_the_same_source():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(v):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(v)
            x = v * 1.0
            y = x * v
            x.set_shape([None, None])
            v.set_shape([2, None])
            x.set_shape([2, 3])
            z = tf.reduce_sum(y * x)
        return tape.gradient(z, x), tape.gradient(z, v), tape.gradient(x, x), tape.gradient(v, v)

    assert [float(g[0, 0]) for g in f(tf.fill([2, 3], 2.0))] == [8, 12, 1, 1]


def test_a_tape_of_another_trace():
    kept = []

    @tf.function
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        kept.append((tape, y, x))
        return y

    f(c(1.0))
    tape, y, x = kept[0]
    with pytest.raises(ValueError):
        tape.gradient(y, x)


def test_what_earlier_iterations_have_left():
    @tf.function
    def f(x, n):
        total = tf.zeros_like(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x
            for _ in tf.range(n):
                y = y * x
                total += tape.gradient(y, x)
        return total

    with pytest.raises(ValueError, match="'y', which comes from an earlier iteration.*after the loop"):
        f(c(2.0), c(3))


def test_a_tape_around_a_loop_in_which_it_is_asked():
    @tf.function
    def f(x, n):
        total = tf.zeros_like(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = x * x
            for i in tf.range(n):
                z = y * x * tf.cast(i, tf.float32)
                total += tf.stop_gradient(tape.gradient(z, x))
        return total

    assert float(f(c(2.0), c(3))) == 12.0 * 3


def test_a_tape_that_is_open_already():
    with tf.GradientTape() as tape:
        with pytest.raises(ValueError, match="already recording"):
            tape.__enter__()
    with pytest.raises(ValueError, match="not recording"), tape.stop_recording():
        pass
    with pytest.raises(RuntimeError, match="records nothing yet"):
        tf.GradientTape().gradient(c(1.0), c(1.0))


def test_gradients_outside_of_a_graph():
    with pytest.raises(RuntimeError, match="Use tf.GradientTape instead"):
        tf.gradients(c(1.0), c(1.0))


def test_gradients_are_added_up_in_one_way():
    with pytest.raises(NotImplementedError, match="aggregation_method"):
        tf.function(lambda x: tf.gradients(x * x, x, aggregation_method=2))(c(1.0))


@BOTH
def test_jacobians_of_what_has_no_influence(run):
    x, y = c([1.0, 2.0]), c([[3.0], [4.0]])

    def program():
        with tf.GradientTape(persistent=True) as tape:
            tape.watch([x, y])
            z = y * 2.0
        assert tape.jacobian(z, x) is None and tape.batch_jacobian(z, x) is None
        return (
            tape.jacobian(z, x, unconnected_gradients="zero"),
            tape.batch_jacobian(z, x, unconnected_gradients=tf.UnconnectedGradients.ZERO),
        )

    first, second = run(program)
    assert first.shape == [2, 1, 2] and second.shape == [2, 1] and not np.any(first.numpy())


def test_gradients_of_what_has_no_influence():
    @tf.function
    def f(x):
        assert tf.gradients(c(1.0) * 2.0, x) == [None]
        return tf.gradients(c(1.0) * 2.0, x, unconnected_gradients="zero")[0]

    np.testing.assert_array_equal(f(c([1.0, 2.0])), [0.0, 0.0])


def test_gradients_in_a_graph():
    @tf.function
    def f(x, y):
        z = x * x * y
        with_stop = tf.gradients(z * x, [x, y], stop_gradients=[z])
        return tf.gradients([z, x], [x, y], grad_ys=[c(2.0), None]), with_stop[0], with_stop[1] is None

    (dx, dy), stopped, none = f(c(3.0), c(5.0))
    assert (float(dx), float(dy), float(stopped), bool(none)) == (61.0, 18.0, 45.0, True)


def test_gradients_from_within_a_branch():
    @tf.function
    def f(x):
        y = x * x
        if x > 0:
            g = tf.gradients(y * x, x)[0]
        else:
            g = x
        return g

    assert float(f(c(2.0))) == 12.0


RNN = """
def f(xs):
    h = tf.zeros([2, 3])
    for x in xs:
        h = tf.tanh(x @ w + h @ u)
        {}
    return tf.reduce_sum(h * h)
"""


@pytest.mark.parametrize("written", [False, True])
def test_variables_that_no_iteration_writes_are_kept_once(written):
    w, u = (tf.Variable(np.linspace(-0.5, 0.7, 9).reshape(3, 3).astype(np.float32) * k) for k in (1, -1))
    text = RNN.format("u.assign(u * 0.9)" if written else "tf.print(end='')")
    f = load(text, tf=tf, w=w, u=u)
    xs = c(np.linspace(-1, 1, 24).reshape(4, 2, 3).astype(np.float32))
    start = u.numpy()

    def program(xs):
        with tf.GradientTape() as tape:
            y = f(xs)
        return tape.gradient(y, [w, u])

    eager = program(xs)
    u.assign(start)
    graph = tf.function(program)
    found = graph(xs)
    u.assign(start)
    for mine, other in zip(found, eager, strict=True):
        close(mine, other, 1e-5)
    kept = [
        v.type for n in graph.get_concrete_function(xs).graph.nodes for v in n.outputs if isinstance(v.type, ListType)
    ]
    assert ((3, 3) in [t.shape for t in kept]) is written


@pytest.mark.parametrize(
    "target, source, told",
    [
        (1.0, 1.0, r"batch_jacobian of \(\) and \(\): both need a first axis, that of the batch"),
        ([1.0], 1.0, r"batch_jacobian of \(1,\) and \(\): both need a first axis"),
        (1.0, [1.0], r"batch_jacobian of \(\) and \(1,\): both need a first axis"),
        ([1.0, 2.0], [1.0], r"batch_jacobian of \(2,\) and \(1,\): the first axes must be the same"),
    ],
)
def test_a_batch_has_a_first_axis(target, source, told):
    x = tf.constant(source)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(x) * tf.constant(target)
    with pytest.raises(ValueError, match=told):
        tape.batch_jacobian(y, x)


def test_the_batch_of_a_tensor_of_unknown_rank_is_not_known():
    @tf.function(input_signature=[tf.TensorSpec(None, tf.float32)])
    def f(x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        return tape.batch_jacobian(y, x)

    with pytest.raises(tf.errors.UnknownRankError, match="rank of this shape is unknown"):
        f(tf.constant([[1.0, 2.0]]))


# Calculated by hand: the matrix has the norm sqrt(30).
MATRIX = [[1.0, -2.0], [3.0, 4.0]]


@pytest.mark.parametrize("order", ["fro", "euclidean"])
def test_the_gradient_of_the_norm_of_a_matrix(order):
    x = tf.constant(MATRIX, tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.norm(x, ord=order, axis=(0, 1))
    np.testing.assert_allclose(tape.gradient(y, x), np.array(MATRIX) / np.sqrt(30), rtol=1e-12)


@pytest.mark.parametrize("order", [1, 2, np.inf])
def test_no_gradient_goes_through_other_norms_of_matrices(order):
    x = tf.constant(MATRIX)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.norm(x, ord=order, axis=(0, 1))
    told = f"no gradient goes through the norm of matrices of order {order}: use norms of vectors"
    with pytest.raises(tf.errors.NoGradientError, match=told):
        tape.gradient(y, x)


# Variables of which rows are looked up.

TABLE = np.float32([[1.0, 0.5], [2.0, 3.0], [3.0, -1.0]])
IDS = [2, 0, 2]


def looked_up(table, power=2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, IDS) ** power)
    return tape.gradient(loss, table)


def in_a_branch(table, is_negative):
    gradient = looked_up(table)
    if is_negative:
        gradient = -gradient
    return gradient


def in_a_cond(table, is_negative):
    return tf.cond(is_negative, lambda: -looked_up(table), lambda: looked_up(table))


def in_a_loop(table, count):
    gradient = looked_up(table)
    for _ in tf.range(count):
        gradient = -gradient
    return gradient


def by_function(table, wrap=lambda f: f):
    look = wrap(tf.function(lambda table, power: tf.reduce_sum(tf.gather(table, IDS) ** power)))
    with tf.GradientTape() as tape:
        loss = look(table, 2.0)
    return tape.gradient(loss, table)


def around(f):
    return tf.function(lambda table, power: f(table, power) * 1.0)


@pytest.mark.parametrize(
    "made, sign",
    [
        (looked_up, 1),
        (by_function, 1),
        (lambda v: by_function(v, around), 1),
        (lambda v: tf.function(by_function)(v), 1),
        (lambda v: tf.function(lambda v: -by_function(v, around))(v), -1),
        (lambda v: tf.function(looked_up)(v), 1),
        (lambda v: tf.function(lambda g: -g)(looked_up(v)), -1),
        (lambda v: tf.function(in_a_branch)(v, tf.constant(True)), -1),
        (lambda v: tf.function(in_a_loop)(v, tf.constant(2)), 1),
        (lambda v: tf.function(in_a_cond)(v, tf.constant(True)), -1),
    ],
    ids=[
        "at once", "function", "functions", "in a function", "functions in one", "returned", "passed", "branch",
        "loop", "cond",
    ],
)  # fmt: skip
def test_rows_that_are_looked_up_have_a_gradient_row_by_row(made, sign):
    gradient = made(tf.Variable(TABLE))
    assert isinstance(gradient, tf.IndexedSlices) and gradient.shape == (3, 2)
    np.testing.assert_array_equal(gradient.indices, IDS)
    np.testing.assert_array_equal(gradient.values, 2 * sign * TABLE[IDS])
    whole = 2 * sign * TABLE * np.float32([[1], [0], [2]])
    for dense in (tf.convert_to_tensor(gradient), gradient.numpy(), np.asarray(gradient), gradient * 1.0, gradient + 0):
        np.testing.assert_array_equal(dense, whole)
    np.testing.assert_allclose(tf.norm(gradient), np.linalg.norm(whole))
    np.testing.assert_array_equal(gradient[0], whole[0])


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])
@pytest.mark.parametrize(
    "asked",
    [
        lambda tape, g, v: tape.gradient(g, v),
        lambda tape, g, v: tape.gradient(g, v, output_gradients=TABLE + 1),
        lambda tape, g, v: tape.jacobian(g, v),
        lambda tape, g, v: tape.jacobian(g, other, unconnected_gradients="zero"),
    ],
)
def test_rows_of_a_gradient_are_differentiated_as_the_tensor_that_they_stand_for(asked, way):
    v = tf.Variable(TABLE)

    def second(look):
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(look() ** 3)
            gradient = tape.gradient(loss, v)
        return asked(outer, gradient, v)

    by_rows, by_parts = (way(lambda: second(look))() for look in (lambda: tf.gather(v, IDS), lambda: stacked(v)))
    np.testing.assert_allclose(tf.convert_to_tensor(by_rows), by_parts)


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])
def test_rows_that_functions_look_up_are_added_to_what_else_there_is_of_the_gradient(way):
    v, w = tf.Variable(TABLE), tf.Variable(2.0)
    look = tf.function(lambda ids: tf.reduce_sum(tf.gather(v, ids) ** 2) * w)

    def gradients():
        with tf.GradientTape() as tape:
            twice = look(IDS) + look([1])
        with tf.GradientTape() as other_tape:
            both = look(IDS) + tf.reduce_sum(v)
        return tape.gradient(twice, [v, w]), other_tape.gradient(both, v)

    (rows, of_w), whole = way(gradients)()
    assert sorted(rows.indices.numpy().tolist()) == sorted([*IDS, 1])
    np.testing.assert_array_equal(tf.convert_to_tensor(rows), 4 * TABLE * np.float32([[1], [1], [2]]))
    np.testing.assert_array_equal(of_w, np.sum(TABLE[[*IDS, 1]] ** 2))
    assert not isinstance(whole, tf.IndexedSlices)
    np.testing.assert_array_equal(whole, 4 * TABLE * np.float32([[1], [0], [2]]) + 1)


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])
@pytest.mark.parametrize(
    "change",
    [
        lambda x: tf.clip_by_norm(x, 0.5),
        lambda x: tf.clip_by_norm(x, 0.5, axes=[1]),
        lambda x: tf.clip_by_value(x, -1.5, 2.0),
        lambda x: tf.scalar_mul(3.0, x),
        lambda x: tf.clip_by_global_norm([x], 0.5)[0][0],
    ],
)
def test_rows_are_clipped_and_scaled_as_they_were_looked_up(change, way):
    found = way(lambda: change(looked_up(tf_table)))()
    assert isinstance(found, tf.IndexedSlices) and found.indices.numpy().tolist() == IDS
    np.testing.assert_allclose(found.values, change(tf.constant(2 * TABLE[IDS])), rtol=1e-6)
    assert found.shape == (3, 2)


tf_table = tf.Variable(TABLE)
other = tf.Variable(2.0)


def stacked(v):
    return tf.stack([v[i] for i in IDS])


def test_rows_without_a_shape_are_no_tensor():
    with pytest.raises(ValueError, match="do not tell the shape of the tensor that they are of"):
        tf.reduce_sum(tf.IndexedSlices([1.0], [0]))
