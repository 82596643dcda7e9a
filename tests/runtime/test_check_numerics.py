"""NaN and infinity are told where they come from: of one tensor, or of all that operations make."""

import numpy as np
import pytest

import runtime as tf
from tests.programs import EXECUTORS

INF, NAN = np.inf, np.nan


@pytest.fixture
def checking():
    tf.debugging.enable_check_numerics()
    yield
    tf.debugging.disable_check_numerics()


WAYS = ["eager", *EXECUTORS]


def way_of(function, way, dtype=tf.float32):
    if way is True and dtype not in (tf.float32, tf.float64):
        pytest.skip(f"native code does not compute with {dtype.name}")
    return function if way == "eager" else tf.function(function, jit_compile=way)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "values, words",
    [
        ([1.0, NAN], "the loss : Tensor had NaN values"), ([[-INF]], "the loss : Tensor had Inf values"),
        ([NAN, INF], "the loss : Tensor had Inf and NaN values"), ([complex(0, NAN)], "had NaN values"),
        (np.array([INF], np.float16), "had Inf values"),
    ],
)  # fmt: skip
def test_a_tensor_that_is_not_finite(values, words, way):
    x = tf.constant(values)
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        way_of(lambda x: tf.debugging.check_numerics(x, "the loss"), way, x.dtype)(x)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("values", [[1.0, -2.0], 3.0, [], [1j]])
def test_a_tensor_that_is_finite(values, way):
    x = tf.constant(values, tf.complex64 if values == [1j] else tf.float32)
    found = way_of(lambda x: tf.debugging.check_numerics(x, "fine") * 2, way, x.dtype)(x)
    assert found.numpy().tolist() == (x * 2).numpy().tolist()


def test_what_is_always_finite_is_refused():
    for values in ([1], [True], "text"):
        with pytest.raises(TypeError, match="only floats and complex numbers can be NaN"):
            tf.debugging.check_numerics(values, "x")


def logarithm(x):
    y = tf.math.log(x)
    return y + 1.0


def in_a_branch(x):
    if x < 0:
        x = tf.sqrt(x)
    return x


def in_a_loop(x):
    for _ in tf.range(3):
        x = x / (x - 1.0)
    return x


def several(x):
    return tf.unstack(tf.stack([x, x]) * INF)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "function, argument, words",
    [
        (
            logarithm,
            -1.0,
            r"log gave NaN, float32 of shape \(\): y = tf.math.log\(x\) \(.*test_check_numerics.py:\d+\)",
        ),
        (logarithm, 0.0, "log gave Inf"),
        (in_a_branch, -4.0, r"sqrt gave NaN.*x = tf.sqrt\(x\)"),
        (in_a_loop, 1.0, r"divide gave Inf.*x = x / \(x - 1.0\)"),
        (several, 2.0, "multiply gave Inf"),
        (lambda x: tf.reduce_sum(tf.exp(tf.stack([x, x]))), 1e4, "exp gave Inf"),
        (lambda x: np.log(x), -1.0, "log gave NaN"),
        (lambda x: {"{braces}": tf.math.log(x)}, -1.0, r"log gave NaN.*\{braces\}"),
    ],
)
def test_an_operation_that_makes_it(function, argument, words, way, checking):
    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        way_of(function, way)(tf.constant(argument))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("function", [logarithm, in_a_branch, in_a_loop, lambda x: tf.where(x > 0, x, -x)])
def test_what_is_finite_stays_as_it_is(function, way):
    plain = way_of(function, way)(tf.constant(3.0)).numpy()
    tf.debugging.enable_check_numerics()
    try:
        checked = way_of(function, way)(tf.constant(3.0)).numpy()
    finally:
        tf.debugging.disable_check_numerics()
    assert checked == plain


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_functions_are_traced_anew(jit_compile):
    f = tf.function(logarithm, jit_compile=jit_compile)
    bad = tf.constant(-1.0)
    concrete = f.get_concrete_function(bad)
    for _ in range(3):
        assert np.isnan(f(bad).numpy())
    for _ in range(2):
        tf.debugging.enable_check_numerics()
        try:
            for _ in range(2):
                with pytest.raises(tf.errors.InvalidArgumentError, match="log gave NaN"):
                    f(bad)
                assert f(tf.constant(1.0)).numpy() == 1.0
            assert np.isnan(concrete(bad).numpy())
        finally:
            tf.debugging.disable_check_numerics()
        assert np.isnan(f(bad).numpy())
    assert f.experimental_get_tracing_count() == 2


def test_what_is_there_already_is_not_looked_at(checking):
    v = tf.Variable([NAN, 1.0])
    assert np.isnan(v.read_value().numpy()[0]) and np.isnan(tf.constant(NAN).numpy())
    assert tf.function(lambda x: x)(tf.constant(INF)).numpy() == INF
    assert tf.math.is_nan(v).numpy().tolist() == [True, False]


def test_it_is_on_or_off():
    for _ in range(2):
        tf.debugging.enable_check_numerics()
    tf.debugging.disable_check_numerics()
    assert np.isnan(tf.math.log(-1.0).numpy())
    tf.debugging.disable_check_numerics()


# The other assertions about what is known of tensors.


@pytest.mark.parametrize(
    "call, error, words",
    [
        (lambda x: tf.debugging.assert_integer(x * 1.5, "m:"), TypeError, "m: .* must be of integers, not of float"),
        (lambda x: tf.debugging.assert_rank_at_least(x, 2, "m:"), ValueError, "m: .* has rank 1, not 2 or more"),
        (lambda x: tf.debugging.assert_rank_in(x, [0, 2]), ValueError, "has rank 1, not one of 0, 2"),
        (
            lambda x: tf.debugging.assert_same_float_dtype([np.float32(1), np.ones(1)]),
            ValueError,
            "tensor 1 has dtype float64",
        ),
        (lambda x: tf.debugging.assert_same_float_dtype([x]), ValueError, "floats are wanted, not int32"),
        (lambda x: tf.debugging.assert_same_float_dtype([x], tf.float32), ValueError, "tensor 0 has dtype int32"),
    ],
)
def test_assertions_that_fail(call, error, words):
    for function in (call, tf.function(call)):
        with pytest.raises(error, match=words):
            function(tf.constant([1, 2]))


def test_assertions_that_hold():
    x = tf.constant([1, 2])
    tf.debugging.assert_integer(x)
    tf.debugging.assert_rank_at_least(x, 1)
    tf.debugging.assert_rank_in(x, (1, 2))
    assert tf.debugging.assert_same_float_dtype() == tf.float32
    assert tf.debugging.assert_same_float_dtype([np.ones(1)], tf.float64) == tf.float64
    assert tf.assert_equal is tf.debugging.assert_equal and tf.assert_rank is tf.debugging.assert_rank


RANKS = [
    (lambda x: tf.debugging.assert_rank(x, 2, "m:"), [2], "m: the rank is not 2: [{}]"),
    (lambda x: tf.debugging.assert_rank_at_least(x, 2), [2, 3], "the rank is not 2 or more: [{}]"),
    (lambda x: tf.debugging.assert_rank_in(x, (0, 3)), [0, 3], "the rank is not one of 0, 3: [{}]"),
]


@pytest.mark.parametrize("check, fitting, words", RANKS)
def test_a_rank_that_only_the_graph_knows_is_checked_when_it_runs(check, fitting, words):
    function = tf.function(check, input_signature=[tf.TensorSpec(None)])
    for rank in range(4):
        if rank in fitting:
            function(np.zeros([1] * rank, np.float32))
            continue
        with pytest.raises(tf.errors.InvalidArgumentError) as caught:
            function(np.zeros([1] * rank, np.float32))
        assert str(caught.value).startswith(words.format(rank))


@pytest.mark.parametrize("name, given", [
    ("equal", (1, 1)), ("positive", (1,)), ("near", (1.0, 1.0)), ("less", (1, 2)), ("shapes", ([([1.0], (1,))],)),
])  # fmt: skip
def test_how_much_of_a_tensor_a_message_is_to_show_is_accepted(name, given):
    getattr(tf.debugging, f"assert_{name}")(*given, summarize=10)
    tf.debugging.Assert(True, [given], summarize=10)


def test_a_spec_fits_tensors_and_specs_and_nothing_else():
    spec = tf.TensorSpec([None], tf.float32)
    assert spec.is_compatible_with(tf.zeros([2])) and spec.is_compatible_with(tf.TensorSpec([3]))
    assert not any(map(spec.is_compatible_with, (tf.zeros([]), [1.0], 1.0, "a", None, tf.zeros([2], tf.int32))))
    assert tf.TensorSpec.from_spec(spec, "x") == tf.TensorSpec([None], tf.float32, "x")
    assert tf.TensorSpec.from_spec(tf.TensorSpec([], name="x")).name == "x"
