"""Plain NumPy functions, as they stand, give the same as graphs, to the last bit and the dtype."""

import datetime
import decimal
import itertools
import re
import types

import numpy as np
import pytest

import runtime as tf
from runtime.errors import NoValueYetError, OperatorNotAllowedInGraphError
from tests.exactly import difference
from tests.programs import EXECUTORS, load, outcome

F = np.array([[1.5, -2.0, 3.0], [0.5, 4.0, -1.0]])
N = np.array([[3, 1, 2], [6, 5, 4]])

FUNCTIONS = [
    np.tanh, np.exp, np.abs, np.sign, np.square, np.negative, np.isfinite, np.floor, np.ravel, np.transpose, np.copy,
    np.sum, np.prod, np.mean, np.max, np.min, np.std, np.var, np.argmax, np.argmin, np.cumsum, np.sort, np.argsort,
    np.round, np.any, np.all, np.count_nonzero, np.zeros_like, np.ones_like, np.linalg.norm, np.flip, np.squeeze,
    lambda x: np.sum(x, axis=0), lambda x: np.mean(x, 1, keepdims=True), lambda x: np.max(x, axis=(0, 1)),
    lambda x: np.where(x > 1, x, -x), lambda x: np.where(x > 1, 1, 0), lambda x: np.where(x > 1, x, 0.5),
    lambda x: np.clip(x, 0, 2), lambda x: np.concatenate([x, x], axis=1),
    lambda x: np.stack([x, x]), lambda x: np.vstack([x, x[0]]), lambda x: np.reshape(x, (3, 2)), lambda x: x.T @ x,
    lambda x: np.dot(x, x.T), lambda x: np.outer(x[0], x[1]), lambda x: np.einsum("ij,kj->ik", x, x),
    lambda x: np.maximum(x, 1), lambda x: x.reshape(3, 2).sum(0), lambda x: x.mean(axis=1), lambda x: x[1:, ::2],
    lambda x: x.astype(np.float32) * 2, lambda x: np.expand_dims(x, 0), lambda x: np.take(x, [2, 0], axis=1),
    lambda x: np.broadcast_to(x, (2, 2, 3)), lambda x: np.tile(x, (2, 1)), lambda x: np.repeat(x, 2, axis=0),
    lambda x: np.roll(x, 1, axis=1), lambda x: np.tensordot(x, x, [[1], [1]]), lambda x: np.allclose(x, x),
    lambda x: 2 ** x, lambda x: 7 // (x + 10), lambda x: x % 2,
    lambda x: np.add.reduce(x), lambda x: np.diag(x[:, :2]), lambda x: np.triu(x), lambda x: x.flatten().max(),
]  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize("x", [F, N, F.astype(np.float32), N.astype(np.int32)], ids=["f8", "i8", "f4", "i4"])
def test_plain_numpy_code_gives_the_same(function, x):
    wanted = function(x)
    for mine in (function(tf.constant(x)), tf.function(function)(x)):
        array = np.asarray(mine)
        np.testing.assert_array_equal(array, wanted)
        assert array.dtype == np.asarray(wanted).dtype


def test_out_is_refused_that_graphs_cannot_write():
    kept = np.zeros(())
    with pytest.raises(TypeError, match="never changed in place"):
        np.sum(tf.constant(F), out=tf.constant(0.0))
    with pytest.raises(TypeError, match="out= of np.sum is ndarray, which cannot hold"):
        tf.function(lambda x: np.sum(x, out=kept))(F)
    assert kept == 0.0


WRITING = [
    "np.copyto(x, 1.0)", "np.copyto(src=1.0, dst=x)", "np.put(x, [0], 5.0)", "np.fill_diagonal(x, 1)",
    "np.place(x, x > 1, [0])", "np.putmask(x, x > 1, 0)", "np.put_along_axis(x, np.array([[0]]), 1, 1)",
    "np.put_along_axis(arr=x, indices=np.array([[0]]), values=1, axis=1)", "np.add.at(x, 0, 1)",
    "np.maximum.at(x, (0, 1), 9)", "np.negative.at(x, 0)", "np.add(x, 1, out=x)", "np.clip(x, 0, 1, x)",
    "np.sum(x, 0, None, x[0])",
]  # fmt: skip


@pytest.mark.parametrize("text", WRITING)
@pytest.mark.parametrize("kind", [tf.constant, tf.Variable])
def test_what_writes_to_an_array_is_refused_a_tensor(kind, text):
    """Instead of writing to a copy of what it holds."""
    write = load(f"def f(x):\n    return {text}\n", np=np)
    x = kind(F)
    for f in (write, tf.function(lambda: write(x))):
        with pytest.raises(TypeError, match="tensors are never changed in place|only when the graph runs"):
            f(*[x] * (f is write))
    np.testing.assert_array_equal(x, F)


def test_arrays_are_written_with_tensors_at_hand():
    x = F.copy()
    np.copyto(x, tf.constant(F * 2))
    np.add.at(x, (0, 0), tf.Variable(0.5, dtype=tf.float64))
    np.put(x, tf.constant([1]), tf.constant(7.0))
    np.subtract.at(x, ([1, 1], [2, 2]), tf.constant(0.5, tf.float64))
    np.sum(tf.constant(F), 1, None, x[:, 0])
    assert x.tolist() == [[2.5, 7.0, 6.0], [3.5, 8.0, -3.0]]
    assert np.hypot.reduceat(tf.constant([3.0, 4.0, 1.0]), [0, 2]).tolist() == [5.0, 1.0]  # which writes nothing


def test_what_is_at_hand_is_computed_while_a_function_is_traced():
    count = tf.constant(3)

    @tf.function
    def f(x):
        a = np.full((count, 2), np.float32(count))
        return x * float(a.sum()), type(a) is np.ndarray

    assert [r.numpy() for r in f(tf.constant(2.0))] == [36.0, True]


def test_out_may_be_made_in_the_call():
    np.testing.assert_array_equal(tf.function(lambda x: np.sum(x, out=np.zeros(())))(F), np.sum(F))
    np.testing.assert_array_equal(tf.function(lambda x: np.negative(x, out=np.empty(F.shape)))(F), -F)


def test_functions_without_a_staged_meaning_work_eagerly():
    assert np.percentile(tf.constant(F), 50) == np.percentile(F, 50)


@pytest.mark.parametrize(
    "use, words",
    [
        (lambda n: np.mgrid[0:n], "np.mgrid"), (lambda n: np.mgrid[0:n, 0:2], "np.mgrid"),
        (lambda n: np.mgrid[0:2, 0:n], "np.mgrid"), (lambda n: np.ogrid[0:n], "np.ogrid"),
        (lambda n: np.ogrid[0:2, 0:n], "np.ogrid"), (lambda n: np.r_["0,2", n], "np.r_"),
    ],
)  # fmt: skip
def test_objects_that_make_arrays_of_an_index_refuse_tensors_by_name(use, words):
    with pytest.raises(NotImplementedError, match=rf"{words}\[...\] has no staged meaning"):
        tf.function(use)(tf.constant(3))
    for mine, wanted in zip(use(tf.constant(3)), use(3), strict=True):
        np.testing.assert_array_equal(mine, wanted)


INDEXED = [
    "np.r_[x, y]", "np.r_[0, x, 1]", "np.r_[x]", "np.r_[x[0], x[1]]", "np.r_[True, x[1:] != x[:-1]]", "np.r_[k, 2.5]",
    "np.r_[f, 0]", "np.r_[f, 0.5]", "np.r_[f, k]", "np.r_[0:3, k]", "np.r_[0:n, 5]", "np.r_[-1:n:2, x]", "np.r_[0:n]",
    "np.r_[0:1:5j, x]", "np.r_[[0, 1], x, (2, 3)]", "np.r_[x[x > 1], 7]", "np.diff(np.r_[0, np.flatnonzero(x > 1), 4])",
    "np.r_[[x[0], 1.0], y]", "np.r_[m, m + 1]", "np.c_[x, y]", "np.c_[x, m.T]", "np.c_[np.ones(4), x]", "np.c_[n, 2]",
    "np.c_[m]", "np.c_[x[x > 1], y[x > 1]]", "np.c_[f, f, 1.0 * f]", "np.c_[[1, 2, 3, 4], x]",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("text", INDEXED)
def test_what_an_index_lists_is_joined(text, jit_compile):
    f = load(f"def f(x, y, f, k, m, n):\n    return {text}\n", np=np)
    x, y, k = np.array([0.5, 2.0, 3.5, 1.0]), np.arange(4.0), np.array([3, 4, 5])
    given = x, y, x.astype(np.float32), k, np.arange(8).reshape(2, 4), np.int64(3)
    assert not difference(tf.function(f, numpy=True, jit_compile=jit_compile)(*given), f(*given))


FITTED = [
    "np.polyfit(x, y, 2)", "np.polyfit(x, np.c_[x, y], 1)", "np.polyfit(k, y, 1, w=x)", "np.polyfit(x, y, 0)",
    "np.polyval(np.polyfit(x, y, 1), x)", "np.polyfit(x[x > 0.7], y[x > 0.7], 1)", "np.polyfit(x, y, 1, rcond=1e-9)",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("text", FITTED)
def test_polynomials_are_fitted(text, jit_compile):
    f = load(f"def f(x, y, k):\n    return {text}\n", np=np)
    given = np.array([0.5, 2.0, 3.5, 1.0]), np.array([1.0, 0.5, 4.0, 2.0]), np.array([1, 2, 3, 5])
    assert not difference(tf.function(f, numpy=True, jit_compile=jit_compile)(*given), f(*given))


PARTS_OF_COMPLEX = [
    "z.real = x", "z.imag = x", "z.imag = 2", "z[1:].imag = x[1:]", "x.real = 3",
    "z.imag = np.inf", "c.real = x", "c[::2].imag = -0.0",
]  # fmt: skip


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("text", PARTS_OF_COMPLEX)
def test_parts_of_complex_numbers_are_assigned(text, jit_compile):
    f = load(f"def f(x, z, c):\n    {text}\n    return z, z.real + z.imag\n", np=np)
    mine, theirs = ([np.arange(3.0), np.array([1j, 2.0, 3 - 1j]), np.ones(3, np.complex64)] for _ in range(2))
    found = tf.function(f, numpy=True, jit_compile=jit_compile)(*mine)
    assert not (difference(found, f(*theirs)) or difference(mine, theirs, "the arguments"))


def test_objects_that_make_an_index_take_tensors():
    def f(x, n):
        return x[np.s_[1:n]], x[np.index_exp[..., :n]], x[np.s_[n - 1, ::2]]

    n = np.int32(2)
    for mine, wanted in zip(tf.function(f)(F, n), f(F, n), strict=True):
        np.testing.assert_array_equal(mine, wanted)


GROWN = "items = []\n    for i in range(n):\n        items.append(v[i])"
KNOWN = "items = [v[0], 1.0]"
ANSWERS = [
    "np.array_equal(items, items)", "np.array_equiv(items, items)", "np.iterable(items)", "np.sum(items)",
    "np.max(items)", "np.mean(items)", "np.size(items)", "np.ndim(items)", "np.shape(items)", "np.any(items)",
    "np.asarray(items).size", "np.add(items, 1)", "np.stack(items)", "np.ones(2) == items", "np.isin(1.0, items)",
    "np.nonzero(items)",
]  # fmt: skip


@pytest.mark.parametrize("call", ANSWERS)
@pytest.mark.parametrize("items", [KNOWN, GROWN])
def test_numpy_of_a_list_of_staged_numbers_is_right_or_refused(items, call):
    """NumPy takes some errors for an answer, and a list that it cannot go through for one object."""
    f = load(f"def f(v, n):\n    {items}\n    return {call}\n", np=np)
    given = np.array([1.0, 2.0]), np.int64(2)
    try:
        found = tf.function(f)(*given)
    except (NoValueYetError, OperatorNotAllowedInGraphError):
        return
    np.testing.assert_array_equal(np.asarray(found), f(*given))


SHIFTS = {
    "a number": lambda s: s[0],
    "numbers": lambda s: s,
    "one of several": lambda s: s[:1],
    "a tuple": lambda s: (s[0], 1),
    "a list": lambda s: [s[0] + s[1]],
    "a table": lambda s: s.reshape(1, 2),
}


@pytest.mark.sampled(4)
@pytest.mark.numpy_may_take_over  # places modulo a size of 0
@pytest.mark.parametrize("jit", EXECUTORS)
@pytest.mark.parametrize("axis", [None, 0, 1, -1, (0, 1), (1, 1), (0,), (0, 1, 0)], ids=str)
@pytest.mark.parametrize("kind", SHIFTS)
def test_roll_by_as_many_places_as_only_the_graph_knows(kind, axis, jit):
    def f(x, places):
        return np.roll(x, SHIFTS[kind](places), axis)

    unknown = [tf.TensorSpec([None, None], "float64"), tf.TensorSpec([None], "int64")]
    for signature in (None, unknown):
        graph = tf.function(f, jit_compile=jit, input_signature=signature)
        for x, places in itertools.product((F, F[:0], F[:, :1]), ([0, 1], [-1, 5], [2**40, -7])):
            wanted, got = outcome(f, x, np.array(places)), outcome(graph, x, np.array(places))
            assert got[0].replace("InvalidArgument", "Value") == wanted[0], got
            if got[0] == "returns":
                np.testing.assert_array_equal(np.asarray(got[1]), wanted[1])


def test_an_array_without_a_copy_is_made_of_arrays_alone():
    x = np.ones(2)
    whole = load("def f(x):\n    return np.array(x, copy=False)\n", np=np)
    assert tf.function(whole)(x).numpy().tolist() == whole(x).tolist() == [1.0, 1.0]
    parts = load("def f(x):\n    return np.array([x, x], copy=False)\n", np=np)
    for f in (parts, tf.function(parts)):
        with pytest.raises(ValueError, match="Unable to avoid copy while creating an array as requested."):
            f(x)


class Equals:
    """What NumPy asks of each element."""

    def __eq__(self, other):
        return other > 1 if isinstance(other, float) else NotImplemented

    __hash__ = None


NO_NUMBERS = [
    None, "a", b"a", {}, {1}, frozenset(), slice(1), len, int, ..., object(), Equals(), Equals, tf.Module(),
    decimal.Decimal(1), datetime.date(2020, 1, 1), re.compile("a"), types.SimpleNamespace(), [None], ("a", None),
]  # fmt: skip
ASKED = (Equals, decimal.Decimal, datetime.date, re.Pattern, types.SimpleNamespace, list, tuple)


@pytest.mark.parametrize("other", NO_NUMBERS, ids=lambda value: type(value).__name__)
@pytest.mark.parametrize("compare", [lambda a, o: a == o, lambda a, o: a != o, lambda a, o: o == a])
@pytest.mark.parametrize("shape", [None, (None,), (2, None)])
def test_arrays_are_unlike_what_is_no_number(other, compare, shape):
    """Element by element; what compares itself is asked for each of them, which graphs do not do."""
    array = np.arange(2.0) if shape != (2, None) else np.arange(6.0).reshape(2, 3)
    spec = None if shape is None else [tf.TensorSpec(shape, "float64")]
    function = tf.function(lambda a: compare(a, other), input_signature=spec)
    if isinstance(other, ASKED):
        with pytest.raises(OperatorNotAllowedInGraphError, match="is compared with .*, element by element"):
            function(array)
    else:
        assert not difference(np.asarray(function(array)), compare(array, other))


@pytest.mark.parametrize(
    "made",
    [
        "x = [a, 1.0]", "y = [a, 1.0]; x = y", "z = [a]; y = z + [1.0]; x = y", "x = y = [a, 1.0]",
        "y = z = 0.0\n    for i in range(3): x = y; y = z; z = [a, 1.0]", "w, y = (1, [a, 1.0]); (x := y)",
    ],
)  # fmt: skip
@pytest.mark.parametrize("call", ["np.median(x)", "np.mean(x)", "np.diff(x)", "np.ptp(x)"])
def test_functions_of_numpy_look_into_lists_whatever_name_they_have(made, call):
    f = load(f"def f(a):\n    {made}\n    return {call}\n", np=np)
    np.testing.assert_array_equal(np.asarray(tf.function(f)(np.float64(3.0))), f(3.0))


@pytest.mark.parametrize(
    "make", [lambda a: (a[0], None), lambda a: [a[0], "a"], lambda a: (None, a[1]), lambda a: [a, None]]
)
@pytest.mark.parametrize("compare", [lambda a, o: a == o, lambda a, o: a != o, lambda a, o: o == a])
@pytest.mark.parametrize("shape", [None, (None,)])
def test_arrays_are_not_compared_with_sequences_of_elements_and_others(make, compare, shape):
    """NumPy compares element by element, so these are neither all unlike nor all alike."""
    spec = None if shape is None else [tf.TensorSpec(shape, "float64")]
    function = tf.function(lambda a: compare(a, make(a)), input_signature=spec)
    with pytest.raises(OperatorNotAllowedInGraphError, match="is compared with (list|tuple), element by element"):
        function(np.arange(2.0))
