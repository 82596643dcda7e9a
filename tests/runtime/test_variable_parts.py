"""Parts of Variables: read and assigned by index, by index vectors, by rows; and what Variables are not."""

import threading

import numpy as np
import pytest

import runtime as tf
from runtime.executors.native import calling, updates
from runtime.optimise import stages
from tests.programs import EXECUTORS, load

WAYS = ["eager", "unknown", *EXECUTORS]


def changed(way, change, value, *arguments):
    """What a Variable holds after a change, and what the change returns."""
    v = tf.Variable(value, shape=[None] * np.ndim(value) if way == "unknown" else None)
    if way == "eager":
        assert change(v, *arguments) is v
    else:
        f = tf.function(lambda *a: change(v, *a), jit_compile=None if way == "unknown" else way)
        returned = f(*map(tf.constant, arguments)).numpy()
        np.testing.assert_array_equal(returned, v.numpy())
    return v.numpy()


MATRIX = np.arange(12.0, dtype=np.float32).reshape(3, 4)
INDICES = [0, -1, slice(1, None), (slice(None), 2), (1, 2), (..., 0), slice(None, None, -1), (slice(0, 2), slice(1, 3))]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("index", INDICES, ids=str)
def test_a_part_is_assigned(index, way):
    wanted = MATRIX.copy()
    wanted[index] = -wanted[index] - 1
    found = changed(way, lambda v: v[index].assign(-v[index] - 1), MATRIX)
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("way", WAYS)
def test_a_part_at_a_place_that_the_graph_knows(way):
    found = changed(way, lambda v, i: v[i, 1:].assign(7), np.arange(6).reshape(2, 3), 1)
    assert found.tolist() == [[0, 1, 2], [3, 7, 7]]


def test_a_part_is_a_tensor_as_any_other():
    v = tf.Variable([1, 2, 3])
    part = v[1:]
    assert isinstance(part, tf.Tensor) and not hasattr(part + 0, "assign") and not hasattr(tf.constant(1), "assign")
    assert v[1].assign(50) is v and v.numpy().tolist() == [1, 50, 3] and part.numpy().tolist() == [2, 3]
    for value, words in (([1, 2], "not broadcast|does not fit|shape"), (1.5, "holds int32|float")):
        with pytest.raises((ValueError, TypeError), match=words):
            v[0].assign(value)
    with pytest.raises(TypeError, match="item assignment"):
        v[0] = 1


COMBINED = {
    "update": lambda a, i, x: a.__setitem__(i, x), "add": np.add.at, "sub": np.subtract.at, "mul": np.multiply.at,
    "div": np.divide.at, "min": np.minimum.at, "max": np.maximum.at,
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", COMBINED)
def test_rows(how, way):
    rows, values = np.array([2, 0, 2]), np.array([[5, 1, 9, 2], [3, 4, 1, 8], [2, 2, 7, 1]], np.float32)
    wanted = MATRIX.copy()
    COMBINED[how](wanted, rows, values)
    found = changed(
        way, lambda v, x, i: getattr(v, f"scatter_{how}")(tf.IndexedSlices(x, i)), MATRIX, values, rows.astype(np.int32)
    )
    np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("how", ["update", "add", "sub", "min", "max"])
@pytest.mark.parametrize("dtype", [np.float32, np.int64])
def test_index_vectors(how, dtype, way):
    vectors, values = np.array([[0, 1], [2, 3], [0, 1]], np.int32), np.array([5, -3, 2], dtype)
    wanted = MATRIX.astype(dtype)
    COMBINED[how](wanted, tuple(vectors.T), values)
    arguments = MATRIX.astype(dtype), vectors, values
    found = changed(way, lambda v, i, x: getattr(v, f"scatter_nd_{how}")(i, x), *arguments)
    np.testing.assert_array_equal(found, wanted)
    made = getattr(tf, f"tensor_scatter_nd_{how}")(*arguments)
    np.testing.assert_array_equal(made.numpy(), wanted)


@pytest.mark.parametrize("way", WAYS)
def test_rows_are_read(way):
    v = tf.Variable(MATRIX)
    f = lambda: (v.sparse_read([2, 0]), v.gather_nd([[1, 2], [0, 0]]))  # noqa: E731
    rows, elements = f() if way == "eager" else tf.function(f, jit_compile=None if way == "unknown" else way)()
    np.testing.assert_array_equal(rows.numpy(), MATRIX[[2, 0]])
    np.testing.assert_array_equal(elements.numpy(), MATRIX[[1, 0], [2, 0]])


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda v: v.scatter_add([1.0]), TypeError, "scatter_add takes IndexedSlices"),
        (lambda v: v.scatter_nd_add([[0]], tf.constant([1])), ValueError, "holds float32 and cannot be assigned int32"),
        (
            lambda v: v.scatter_nd_add([0], [1.0, 2.0]),
            ValueError,
            r"updates of shape \(2,\) do not fit: .* there is \(\)",
        ),
        (lambda v: v.scatter_nd_update([[9]], [1.0]), ValueError, r"indices\[0\] = \[9\] is not in \(2,\)"),
        (
            lambda v: v.scatter_nd_update([[0, 0]], [1.0]),
            ValueError,
            "index vectors of 2 numbers for a tensor of rank 1",
        ),
        (lambda v: tf.Variable([4, 2]).scatter_div(tf.IndexedSlices([2], [0])), ValueError, "quotients are no whole"),
    ],
)
def test_what_is_refused(call, error, words):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(error, match=words):
        call(v)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_indexed_slices_tell_what_they_are():
    slices = tf.IndexedSlices([[1.0, 2.0]], [3], dense_shape=[5, 2])
    assert (slices.values.shape, slices.indices.numpy().tolist()) == ((1, 2), [3])
    assert (slices.dense_shape.numpy().tolist(), slices.dtype) == ([5, 2], tf.float32)
    assert tf.IndexedSlices([1], [0]).dense_shape is None and "indices=" in repr(slices)


def test_a_change_is_one_step_for_other_threads():
    v = tf.Variable(np.zeros(4, np.int64))

    def work(number):
        for _ in range(200):
            v.scatter_nd_add([[number], [3]], [1, 1])

    threads = [threading.Thread(target=work, args=(n,)) for n in range(3)]
    [t.start() for t in threads]
    [t.join() for t in threads]
    assert v.numpy().tolist() == [200, 200, 200, 600]


@pytest.mark.parametrize(
    "statement, words",
    [
        ("v += 1", r"`v \+= value` .* Write v.assign_add\(value\) to change .*, or v = v \+ value"),
        ("v -= 1", r"v.assign_sub\(value\)"), ("v *= 2", r"v.assign\(v \* value\)"), ("v /= 2", "v / value"),
        ("v **= 2", r"v \*\* value"), ("v @= v", "v @ value"),
    ],
)  # fmt: skip
def test_operators_that_assign_are_refused(statement, words):
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(RuntimeError, match=words):
        exec(statement, {"v": v})
    assert v.numpy().tolist() == [1.0, 2.0]
    x = tf.constant(1.0)
    x += v  # a tensor that a Variable is added to is a tensor
    assert x.numpy().tolist() == [2.0, 3.0]


def test_references_stand_for_variables_and_tensors():
    v, w, x = tf.Variable([1, 2]), tf.Variable([1, 2]), tf.constant([1, 2])
    with pytest.raises(TypeError, match=r"Variable 'Variable:0' is unhashable.*Use v.ref\(\)"):
        {v: 1}
    known = {v.ref(): "v", w.ref(): "w", x.ref(): "x"}
    assert [known[one.ref()] for one in (v, w, x)] == ["v", "w", "x"]
    assert v.ref() == v.ref() != w.ref() and v.ref() != v and v.ref().deref() is v and x.ref().deref() is x

    @tf.function
    def f(u):
        assert {u.ref(): 3}[u.ref()] == 3
        return u + 1

    assert f(v).numpy().tolist() == [2, 3]


FIRST_WRITES = {
    "as a whole": ("v.assign(x * 2.0)", True, True),
    "to itself": ("v.assign(v * x)", True, True),
    "added to": ("v.assign_add(x)", True, True),
    "read before": ("y = v + 1.0\n    v.assign(x)\n    return y", True, False),
    "a part": ("v[0].assign(x[0])", True, True),
    "a part first": ("v[0].assign(x[0])\n    v.assign(x * 2.0)", True, True),
    "a part then": ("v.assign(x * 2.0)\n    v[0].assign(x[0])", True, True),
    "in a branch": ("if x[0] > 0:\n        v.assign(x)", False, False),
    "behind a branch": ("if x[0] > 0:\n        v.assign(x)\n    v.assign(x * 2.0)", False, False),
    "before a branch": ("v.assign(x * 2.0)\n    if x[0] > 0:\n        v.assign(x)", True, True),
}


@pytest.mark.parametrize("lines, is_whole, is_made", FIRST_WRITES.values(), ids=FIRST_WRITES)
def test_what_is_written_first_and_as_a_whole_is_made_in_its_place(lines, is_whole, is_made):
    v = tf.Variable([1.0, 2.0, 3.0])
    f = load(f"def f(x):\n    {lines}\n", v=v)
    traced = tf.function(f).get_concrete_function(tf.TensorSpec([3], tf.float32)).traced
    *_, (_, graph) = stages(traced)
    written = [value for value in graph.inputs if value in calling.written_variables(graph)]
    found = updates.updates(graph, written)
    assert len(written) == 1 and (written == [*found.whole]) == is_whole
    assert ([*found.made.values()] == written) == is_made
    for jit_compile in EXECUTORS:
        x = np.array([0.5, -1.0, 2.0], np.float32)
        v.assign([1.0, 2.0, 3.0])
        wanted = f(tf.constant(x)), v.numpy()
        v.assign([1.0, 2.0, 3.0])
        found = tf.function(f, jit_compile=jit_compile)(x), v.numpy()
        for one, other in zip(found, wanted):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("method, arguments", [
    *((f"scatter_{how}", lambda: [tf.IndexedSlices([4.0], [1])]) for how in "update add sub mul div min max".split()),
    *((f"scatter_nd_{how}", lambda: [[[1]], [4.0]]) for how in "update add sub".split()),
    ("batch_scatter_update", lambda: [tf.IndexedSlices([4.0], [1])]),
])  # fmt: skip
def test_parts_of_a_variable_that_a_function_is_given(method, arguments):
    expected, given = tf.Variable([1.0, 2.0]), tf.Variable([1.0, 2.0])
    getattr(expected, method)(*arguments())
    tf.function(lambda v: getattr(v, method)(*arguments()))(given)
    assert given.numpy().tolist() == expected.numpy().tolist() != [1.0, 2.0] or method == "scatter_min"

    @tf.function
    def written(v):
        v[0].assign(7.0)

    written(given)
    assert float(given[0]) == 7.0
