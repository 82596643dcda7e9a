"""Small arrays lie on the stack or in registers: what is kept from turn to turn is the value, not the place."""

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")


def swapped(x, n):
    y = x * 2
    while n > 0:
        x, y = y, x + 1
        n -= 1
    return x, y


def turned_round(x, n):
    a, b, c = x, x + 1, x * 3
    while n > 0:
        a, b, c = c, a, b - np.sum(a)
        n -= 1
    return a, b, c


def written_in_place(x, n):
    y = x + 0
    while n > 0:
        y[n % 5] += n
        before = y
        y[0] = y[0] + before[4]
        n -= 1
    return x, y


def old_and_new(x, n):
    last = x
    while n > 0:
        last = x
        x = x * 1.5
        x[1] = x[1] - 1
        n -= 1
    return last, x


def by_branches(x, n):
    y = x - 1
    while n > 0:
        if n % 3 == 0:
            x, y = y, x
        elif n % 3 == 1:
            x = x + y
            x[2] = n
        else:
            y = y * 0.5
        n -= 1
    return x, y


def loops_in_loops(x, n):
    total = x * 0
    i = n
    while i > 0:
        y = x + i
        j = i
        while j > 0:
            y = y * 0.9 + total
            y[3] = 1.0
            j -= 1
        total = total + y / 100
        i -= 1
    return total


def kept_in_a_list(x, n):
    rows = tf.TensorArray(tf.float32, size=0, dynamic_size=True)
    i = tf.constant(0)
    while n > 0:
        rows = rows.write(i, x)
        x = x + 1
        x[0] = x[0] * 2
        i += 1
        n -= 1
    return rows.stack()


def of_a_size_that_is_not_known(x, n):
    y = x * 2
    while n > 3:
        y = y + 1
        n -= 1
    return y[:n], y[n:]


@tf.function
def halved(x, n):
    if n <= 0:
        return x
    below = halved(x / 2, n - 1)
    return below + x


def by_calls(x, n):
    return halved(x, n), halved(x + 1, n)


def other_types(x, n):
    flags, small, wide = x > 0, tf.cast(x, tf.int8), tf.cast(x, tf.float64)
    while n > 0:
        flags, small = np.logical_not(flags), small * 3 + tf.cast(flags, tf.int8)
        wide = wide[::-1] + 0.25
        n -= 1
    return flags, small, wide


def matrices(x, n):
    m = tf.reshape(np.concatenate([x, x[:1]]), (2, 3))
    while n > 0:
        m = m.T
        m = tf.reshape(m, (2, 3)) + np.sum(m)
        n -= 1
    return m, m.T


PROGRAMS = [
    swapped, turned_round, written_in_place, old_and_new, by_branches, loops_in_loops, kept_in_a_list,
    of_a_size_that_is_not_known, by_calls, other_types, matrices,
]  # fmt: skip


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_small_arrays(program):
    x = tf.constant(np.array([0.5, -1.0, 2.0, 0.25, 3.0], np.float32))
    native, plain = (tf.function(program, jit_compile=compile_) for compile_ in (True, False))
    for n in (1, 2, 3, 4, 7):
        given = x, tf.constant(n)
        for a, b in zip(tf.nest.flatten(native(*given)), tf.nest.flatten(plain(*given)), strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5)
    np.testing.assert_array_equal(x.numpy(), np.array([0.5, -1.0, 2.0, 0.25, 3.0], np.float32))


def test_variables_get_their_own_copy():
    v = tf.Variable(np.zeros(4, np.float32))

    @tf.function(jit_compile=True)
    def f(x, n):
        while n > 0:
            v.assign(v + x)
            x = x * 2
            n -= 1
        return x

    assert f(tf.constant(np.ones(4, np.float32)), tf.constant(3)).numpy().tolist() == [8.0] * 4
    assert v.numpy().tolist() == [7.0] * 4


def test_there_is_room_for_deep_calls():
    x = tf.constant(np.ones(8))
    result = tf.function(lambda x, n: halved(x, n), jit_compile=True)(x, tf.constant(3000))
    np.testing.assert_allclose(result.numpy(), 2 * np.ones(8))
