"""Calls that are like earlier ones take a short way: it gives what the long way gives, whatever the signature."""

import itertools
import sys

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import runtime as tf
from tests.programs import EXECUTORS

A, B, C = (tf.constant([float(i), 2.0 * i + 1]) for i in (1, 2, 3))
M = tf.constant([[1.0, 2.0], [3.0, 4.0]])


def plain(value):
    """What can be compared, with the kinds of all that is in it."""

    def leaf(x):
        return (type(x).__name__, np.asarray(x).tolist(), getattr(x, "dtype", None)) if hasattr(x, "shape") else x

    return tf.nest.map_structure(leaf, value)


def first(function, args, kwargs, **options):
    """What a call gives that is the first."""
    return plain(tf.function(function, **options)(*args, **kwargs))


def subtract(x, y, scale=2.0, *, shift=0):
    return x * scale - y + shift


def variadic(*args, last=1.0, **more):
    total = last
    for one in (*args, *more.values()):
        total = total * 2 + one
    return total


def structured(x, parts):
    return {"sum": x + parts["a"], "both": (parts["b"][0], [x, parts["n"]]), "n": None}


def nothing(x):
    return None


CALLS = {
    "by position": (subtract, [((A, B), {}), ((B, A), {}), ((A, A), {})]),
    "by name": (subtract, [((A,), {"y": B}), ((B,), {"y": C}), ((), {"y": A, "x": B}), ((), {"x": A, "y": B})]),
    "one tensor twice": (subtract, [((), {"y": A, "x": A}), ((), {"y": A, "x": B}), ((), {"x": A, "y": B})]),
    "defaults": (subtract, [((A, B), {}), ((A, B, 3.0), {}), ((A, B), {"scale": C, "shift": A})]),
    "values alike": (subtract, [((A, B, v), {}) for v in (1, True, 1.0, 0.0, -0.0, np.float32(1), np.int64(1))]),
    "zeros": (lambda x, z: x / z, [((A, 0.0), {}), ((A, -0.0), {}), ((A, 0.0), {})]),
    "keywords in any order": (variadic, [((A,), {"p": B, "q": C}), ((A,), {"q": C, "p": B}), ((A,), {"last": B})]),
    "as many as are given": (variadic, [((A,), {}), ((A, B), {}), ((A, B, C), {"last": B}), ((B, A), {})]),
    "a dictionary": (
        structured,
        [
            ((A, {"a": B, "b": [C], "n": 1}), {}),
            ((B, {"a": A, "b": [A], "n": 1}), {}),
            ((B, {"n": 1, "b": [A], "a": C}), {}),
            ((), {"parts": {"a": B, "b": [C], "n": 2}, "x": A}),
            ((A, {"a": B, "b": (C,), "n": 1.5}), {}),
        ],
    ),
    "shapes": (lambda x: x * x.shape[0], [((A,), {}), ((M,), {}), ((A[:1],), {}), ((B,), {})]),
    "dtypes": (lambda x: x / 2, [((tf.constant([1, 2], d),), {}) for d in (tf.int32, tf.float32, tf.float64, tf.int8)]),
    "arrays": (subtract, [((np.ones(2, "f4"), B), {}), ((A, np.ones(2, "f4")), {}), ((A, np.ones(2)), {})]),
    "strides": (lambda x: x + 1, [((a,), {}) for a in (np.arange(8.0), np.arange(16.0)[::2], np.arange(8.0)[::-1])]),
    "bytes in another order": (lambda x: x + 1, [((np.arange(3, dtype=d),), {}) for d in (">i4", "<i4")]),
    "modes": (lambda x, mode: x + 1 if mode == "up" else x - 1, [((A, m), {}) for m in ("up", "down")]),
    "no result": (nothing, [((A,), {}), ((B,), {})]),
    "no arguments": (lambda: A + 1, [((), {})]),
    "text": (tf.strings.upper, [((tf.constant("a"),), {}), ((tf.constant("b"),), {})]),
}  # fmt: skip


@pytest.mark.parametrize("jit_compile", [None, *EXECUTORS])
@pytest.mark.parametrize("case", CALLS)
def test_calls(case, jit_compile):
    function, calls = CALLS[case]
    if jit_compile and case == "text":
        pytest.skip("machine code has no text")
    repeated = tf.function(function, jit_compile=jit_compile)
    wanted = [first(function, args, kwargs, jit_compile=jit_compile) for args, kwargs in calls]
    for _ in range(3):
        assert [plain(repeated(*args, **kwargs)) for args, kwargs in calls] == wanted
    count = repeated.experimental_get_tracing_count()
    assert [plain(repeated(*args, **kwargs)) for args, kwargs in reversed(calls)] == wanted[::-1]
    assert repeated.experimental_get_tracing_count() == count <= len(calls)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_concrete_functions(jit_compile):
    concrete = tf.function(subtract, jit_compile=jit_compile).get_concrete_function(A, B, 2.0)
    for _ in range(3):
        assert plain(concrete(A, B)) == plain(subtract(A, B))
        assert plain(concrete(y=A, x=A)) == plain(subtract(A, A))
        assert plain(concrete(y=A, x=B)) == plain(subtract(B, A))
        assert plain(concrete(x=A, y=B)) == plain(subtract(A, B))
        assert plain(concrete(A, B, 2.0)) == plain(subtract(A, B))
        assert plain(concrete(np.ones(2, "f4"), A)) == plain(subtract(tf.ones(2), A))
        with pytest.raises(TypeError, match="'scale' is bound to 2.0"):
            concrete(A, B, 3.0)
        with pytest.raises(ValueError, match="'x' was expected to have shape"):
            concrete(M, B)
    with tf.GradientTape() as tape:
        tape.watch(A)
        y = concrete(A, B)
    assert tape.gradient(y, A).numpy().tolist() == [2.0, 2.0]


def test_a_default_that_changes():
    options = [1.0]

    @tf.function
    def f(x, options=options):
        return x * options[0]

    assert plain(f(A)) == plain(f(A)) == plain(A)
    options[0] = 2.0
    assert plain(f(A)) == plain(f(x=A)) == plain(A * 2)


def test_lists_that_the_function_changes():
    @tf.function
    def f(x, into):
        into.append(x)
        return x + 1

    for count in (1, 2, 3):
        into = []
        f(A, into)
        assert len(into) == 1 and plain(into[0]) == plain(A), count


def test_one_list_in_two_places():
    @tf.function
    def f(a, b):
        a.append(1.0)
        return tf.constant(len(b))

    one = []
    assert [int(f([], [])), int(f(one, one)), int(f([], [])), int(f(one, one))] == [0, 1, 0, 2]

    @tf.function
    def same(a, b):
        return a[0] + 1 if a is b else a[0] - 1

    given = [A]
    for _ in range(3):
        assert plain(same(given, given)) == plain(A + 1) and plain(same([A], [A])) == plain(A - 1)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_variables_and_what_records(jit_compile):
    v = tf.Variable([1.0, 1.0])
    f = tf.function(lambda x, *, k: {"y": x * v * k}, jit_compile=jit_compile)
    for number in range(4):
        v.assign([float(number), 1.0])
        assert plain(f(A, k=B))["y"] == plain(A * v * B)
        with tf.GradientTape() as tape:
            y = f(A, k=B)["y"]
        assert plain(tape.gradient(y, v)) == plain(A * B)
    outer = tf.function(lambda x: f(x, k=x)["y"])
    assert plain(outer(A)) == plain(A * v * A) and len(outer.get_concrete_function(A).captured_inputs) == 1


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_arrays_that_are_written(jit_compile):
    @tf.function(jit_compile=jit_compile)
    def f(a, *, b):
        a[0] = b[0]
        return a + b

    for number in range(3):
        a, b = np.zeros(2), np.full(2, number + 1.0)
        assert f(a, b=b).numpy().tolist() == [2 * number + 2, number + 1] and a[0] == number + 1
    shared = np.array([5.0, 6.0])
    assert f(shared, b=shared).numpy().tolist() == [10, 12]


def test_what_goes_wrong_is_told_alike():
    @tf.function
    def f(x, *, divisor):
        tf.debugging.assert_positive(divisor, message="no divisor")
        return x / divisor

    f(A, divisor=B)
    for _ in range(2):
        with pytest.raises(tf.errors.InvalidArgumentError, match="no divisor"):
            f(A, divisor=-B)
        assert plain(f(A, divisor=B)) == plain(A / B)


LEAVES = st.sampled_from([A, B, M[0], tf.constant([1, 2]), np.ones(2), 1, True, 1.0, 2.5, None, "text"])
VALUES = st.recursive(
    LEAVES,
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.tuples(inner, inner)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=2)
    ),
    max_leaves=5,
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.lists(VALUES, max_size=2), st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=2))))
def test_any_signature(calls):
    """Arguments of any structure: the numbers in it, weighed by their places."""

    def weigh(*args, **kwargs):
        total = tf.zeros(2, tf.float64)
        for number, leaf in enumerate(tf.nest.flatten([list(args), kwargs])):
            if leaf is not None and not isinstance(leaf, str):
                total += tf.cast(leaf, tf.float64) * 2.0 ** (number % 5)
        return {"total": total, "again": [args, total]} if len(args) > 1 else total

    graph = tf.function(weigh, jit_compile=False)
    for args, kwargs in itertools.chain(calls, calls, reversed(calls)):
        assert str(plain(graph(*args, **kwargs))) == str(first(weigh, args, kwargs, jit_compile=False))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_numpy_gives_the_memory_itself_where_nobody_else_has_it(jit_compile):
    a = np.arange(6.0).reshape(2, 3)
    given_ = tf.constant(a)
    f = tf.function(lambda x: x + 1, jit_compile=jit_compile)
    same = tf.function(lambda x: x, jit_compile=jit_compile)
    always = tf.function(lambda: tf.constant(a), jit_compile=jit_compile)
    v = tf.Variable(a)
    held, several = f(given_), [f(given_)]
    method = held.numpy
    taken = [
        held.numpy(), several[0].numpy(), method(), held[0].numpy(), same(given_).numpy(), same(a).numpy(),
        always().numpy(), v.read_value().numpy(), v.value().numpy(), tf.identity(v).numpy(), v[0].numpy(),
        tf.transpose(given_).numpy(), tf.reshape(given_, [6]).numpy(), tf.array_api.from_dlpack(a).numpy(),
    ]  # fmt: skip
    for array in taken:
        array[...] = -1
    kept = [held, several[0], given_ + 1, always() + 1, v + 1, tf.constant(a) + 1]
    assert all((one == a + 1).numpy().all() for one in kept)
    if sys.version_info < (3, 14):  # which counts references otherwise
        assert [f(given_).numpy().flags.owndata, held.numpy().flags.owndata] == [True, True]
        passed = f(given_)
        places = [passed.numpy().ctypes.data != passed.array.ctypes.data, handed_over(f(given_))]
        assert places == [True, True]


def handed_over(*tensors):
    """Whether a tensor that only the call holds gives its memory itself."""
    place = tensors[0].array.ctypes.data
    found = list(tensors)
    del tensors
    return found.pop().numpy().ctypes.data == place
