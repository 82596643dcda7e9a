"""Loops over elements run in vectors of any length, and give what NumPy gives, whatever is left at the end."""

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import runtime as tf

pytest.importorskip("llvmlite")
from runtime.executors.native import machine, vectorised_loops


def chain(x):
    return np.tanh(x * 2 + 1) * np.exp(-x * x) + 0.5


def folds(x):
    return np.sum(x * x), np.max(x), np.min(-x), np.mean(x), np.any(x > 1), np.all(x < 1), np.prod(x * 0.5 + 1)


def choices(x):
    return np.where(x > 0, x, x * -3), (x > 0) & (x < 1), np.sum(x > 0), np.logical_not(x > 0.5)


def integers(x):
    n = tf.cast(x * 100, tf.int32)
    small = tf.cast(n, tf.int8)
    return n // 7, n % 5, n << 2, small * small, np.sum(n), np.max(n), np.min(small), n // (n + 1000)


def types(x):
    wide = tf.cast(x, tf.float64)
    return wide / 3, tf.cast(wide * 10, tf.int64), tf.cast(x > 0, tf.float32), np.sum(tf.cast(x > 0, tf.int32))


def counted(x):
    """The index itself takes part."""
    n = tf.range(tf.shape(x)[0])
    return n * n + 1, tf.cast(n, tf.float32) * x


def views(x):
    return x[::-1] * 2, x[::2] + 1, x[1:] - x[:-1], np.tanh(x[::-1]) * np.exp(x[::-1]) + np.sqrt(np.abs(x[::-1]))


def gathered(x):
    order = np.argsort(-x)
    y = x[order]
    return y, y * y + np.exp(y) * np.tanh(y)


def with_library_functions(x):
    return np.sin(x) * 2 + np.cos(x), np.power(np.abs(x), 1.7)


PROGRAMS = [chain, folds, choices, integers, types, counted, views, gathered, with_library_functions]
SIZES = [1, 2, 3, 5, 8, 15, 16, 17, 31, 33, 47, 64, 65, 100, 127, 131]
CLOSE = {"rtol": 3e-5, "atol": 1e-6}


def numbers(*shape):
    return np.random.default_rng(sum(shape)).normal(0, 1, shape).astype(np.float32)


def assert_same(program, *arrays, signature=None):
    native = tf.function(program, jit_compile=True, input_signature=signature)
    plain = tf.function(program, jit_compile=False, input_signature=signature)
    given_ = [tf.constant(a) for a in arrays]
    for a, b in zip(tf.nest.flatten(native(*given_)), tf.nest.flatten(plain(*given_)), strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_allclose(a.numpy(), b.numpy(), **CLOSE)


@pytest.fixture(params=[128, 256, 512])
def bits(request, monkeypatch):
    """Code as for processors with vectors of so many bits."""
    monkeypatch.setattr(vectorised_loops, "vector_bits", lambda: request.param)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_sizes_that_are_known(program, bits):
    for size in SIZES:
        assert_same(program, numbers(size))


@pytest.mark.filterwarnings("ignore:.* has been traced")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_sizes_that_are_not_known(program):
    native = tf.function(program, jit_compile=True, input_signature=[tf.TensorSpec([None], tf.float32)])
    plain = tf.function(program, jit_compile=False)
    for size in SIZES:
        x = tf.constant(numbers(size))
        for a, b in zip(tf.nest.flatten(native(x)), tf.nest.flatten(plain(x)), strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), **CLOSE)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def along_axes(x):
    return np.sum(x, axis=0), np.max(x, axis=1), np.mean(x, axis=0), np.sum(x * 2, axis=(0, 1)), np.argmax(x, axis=1)


def turned(x):
    return np.tanh(x.T) * x.T + np.exp(x.T) * 0.5, x.T + 1, np.sum(x.T, axis=1)


def spread_out(x):
    return x - x[:1], x / (1 + x[:, :1] ** 2), x * x[0, 0]


@pytest.mark.parametrize("program", [softmax, along_axes, turned, spread_out], ids=lambda p: p.__name__)
@pytest.mark.parametrize("shape", [(1, 1), (3, 10), (7, 17), (16, 33), (50, 5)], ids=str)
def test_matrices(program, shape):
    assert_same(program, numbers(*shape))
    assert_same(program, numbers(*shape), signature=[tf.TensorSpec([None, None], tf.float32)])


@pytest.mark.parametrize("word", ["nan", "inf", "-0.0"])
@pytest.mark.parametrize("place", [0, 16, 36])
def test_what_is_not_a_number_and_the_sign_of_zero_reach_every_result(word, place):
    x = numbers(37)
    x[place] = float(word)
    assert_same(folds, x)
    assert_same(choices, x)


def test_nothing_to_add_up():
    def sums(x):
        return np.sum(x), np.prod(x), np.any(x > 0), np.all(x > 0), x * 2

    assert_same(sums, numbers(0))
    assert_same(sums, numbers(0), signature=[tf.TensorSpec([None], tf.float32)])


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 90), st.sampled_from(["int8", "int16", "uint8", "int32", "int64", "uint32", "float64"]),
    st.integers(0, 2**31),
)  # fmt: skip
def test_numbers_of_any_type(size, dtype, seed):
    def program(x, y):
        return x + y * 3, np.maximum(x, y), np.where(x > y, x, y), np.sum(x * y), np.min(x), x == y, np.max(y - x)

    draw = np.random.default_rng(seed)
    x, y = (draw.integers(0, 120, size).astype(dtype) for _ in range(2))
    assert_same(program, x, y)


def test_a_result_in_the_place_of_what_it_is_made_of():
    def program(x):
        for _ in tf.range(5):
            x = x * 1.5 - np.sum(x) / 100
        return x

    assert_same(program, numbers(37))


@pytest.mark.parametrize("program", [chain, folds, choices, types, counted, softmax], ids=lambda p: p.__name__)
@pytest.mark.parametrize("known", [True, False])
def test_vectors_are_what_is_written(program, known, monkeypatch):
    """What does not fit stays a loop over numbers, in silence: these have to fit."""
    texts = []
    compile_ = machine._optimised
    monkeypatch.setattr(machine, "_optimised", lambda module, *a: texts.append(str(module)) or compile_(module, *a))
    monkeypatch.setattr(vectorised_loops, "vector_bits", lambda: 512)
    x = numbers(100) if program is not softmax else numbers(4, 100)
    signature = None if known else [tf.TensorSpec([None] * x.ndim, tf.float32)]
    tf.function(program, jit_compile=True, input_signature=signature)(tf.constant(x))
    (text,) = [t for t in texts if "@core" in t]
    operations = [line for line in text.splitlines() if " fmul " in line or " fcmp " in line or "sitofp" in line]
    assert (
        sum(" x " in line for line in operations) >= len(operations) / 3 > 0
    )  # the last turns of an unknown number are alone


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "int32", "int64", "float32", "complex64"])
@pytest.mark.parametrize("start", range(4))
def test_vectors_lie_where_their_numbers_may_lie(start, dtype):
    """Parts of arrays of small numbers begin anywhere; LLVM relies on what it is told of that."""
    numbers = (np.arange(40) % 7 % 3).astype(dtype)

    @tf.function(jit_compile=True)
    def joined(x):
        return np.concatenate((x[:start], x[start + 1 :])), np.concatenate(([x[0]], x[start:])) != x[0]

    wanted = np.concatenate((numbers[:start], numbers[start + 1 :])), np.concatenate((numbers[:1], numbers[start:]))
    found = joined(numbers)
    np.testing.assert_array_equal(found[0], wanted[0])
    np.testing.assert_array_equal(found[1], wanted[1] != numbers[0])
    assert aligned_within(joined.experimental_get_compiler_ir(numbers)("llvm"))


def aligned_within(text):
    """Whether no vector is said to lie at a multiple of more bytes than its numbers have."""
    found = re.findall(r"<\d+ x (\w+)>(?: \S+)?, ptr \S+, align (\d+)", text)
    sizes = {"i1": 1, "i8": 1, "i16": 2}
    return all(int(bytes_) <= sizes.get(kind, 4) for kind, bytes_ in found)


def running_codes(x, count):
    """What a running sum leaves, less one, is gathered, and counted by a loop that writes where it says."""
    order = np.argsort(x, kind="stable")
    values = x[order]
    steps = np.concatenate(([True], values[1:] != values[:-1]))
    codes = (np.cumsum(steps) - 1)[np.argsort(order)]
    found = np.zeros(count, int)
    for k in codes:
        found[k] += 1
    return codes, found, np.cumsum(x)[codes] * 2, x[np.minimum(codes, len(x) - 1)] + x


@pytest.mark.filterwarnings("ignore:.* has been traced")
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "float32", "float64"])
def test_what_was_just_written_is_what_is_gathered(dtype):
    """For every length: how much of a loop is written in a row, and what LLVM does with that, depends on it."""
    compiled = tf.function(running_codes, numpy=True, jit_compile=True)
    numbers = np.random.default_rng(5)
    for n in [*range(1, 16), 23, 33, 50, 64, 70]:
        x = numbers.integers(0, 1 + n // 2, n).astype(dtype)
        for found, wanted in zip(compiled(x, n), running_codes(x, n), strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=str(n))
            assert found.dtype == wanted.dtype


@pytest.mark.filterwarnings("ignore:.* has been traced")
def test_codes_of_values_beside_a_loop():
    def codes(words, n):
        inverse = np.unique(words, return_inverse=True)[1]
        found = np.zeros(n, int)
        for k in inverse:
            found[k] += 1
        return inverse, found

    compiled = tf.function(codes, numpy=True, reduce_retracing=False)
    for n in range(1, 24):
        words = (np.arange(n) * 7 + 3) % 5 * 10
        for found, wanted in zip(compiled(words, n), codes(words, n), strict=True):
            np.testing.assert_array_equal(found, wanted, err_msg=str(n))
