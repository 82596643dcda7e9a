"""Who has a function traced again and again is told once, and of which argument."""

import warnings

import numpy as np
import pytest

import runtime as tf


def told(call, times):
    """What is told of a number of calls."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for number in range(times):
            call(number)
    return [(str(one.message), one.filename) for one in caught]


@pytest.mark.parametrize("value, shown", [
    (lambda n: n, "6, 7, 8"), (lambda n: n / 2, "3.0, 3.5, 4.0"), (lambda n: f"key {n}", "'key 6', 'key 7', 'key 8'"),
])  # fmt: skip
def test_another_value_each_time(value, shown):
    f = tf.function(lambda x, k: x if isinstance(k, str) else x * k, name="scaled")
    ((text, filename),) = told(lambda n: f(tf.constant(2.0), value(n)), 30)
    assert text.startswith(f"scaled has been traced 9 times, each time for another value of 'k' (… {shown}):")
    assert "Pass a tensor, runtime.constant(" in text and filename == __file__


def test_another_shape_each_time():
    f = tf.function(lambda x: x + 1, name="more")
    ((text, _),) = told(lambda n: f(np.zeros(n + 1)), 30)
    assert "another shape of 'x' (… float64(7,), float64(8,), float64(9,)). Say reduce_retracing=True" in text
    assert not told(lambda n: f(np.zeros(n + 1)), 30)
    assert not told(lambda n: tf.function(lambda x: x + 1, reduce_retracing=True)(np.zeros(n + 1)), 30)


def test_what_is_no_fault_is_not_told():
    few = tf.function(lambda x, k: x * k)
    assert not told(lambda n: few(tf.constant(2.0), n % 5), 100)
    both = tf.function(lambda x, k: x * k)
    assert not told(lambda n: both(np.ones(n + 1), n), 20)
    objects = tf.function(lambda x, k: x)
    assert not told(lambda n: objects(tf.constant(2.0), object()), 20)


def test_it_is_an_error_where_warnings_are():
    f = tf.function(lambda x, k: x * k)
    with pytest.raises(UserWarning, match="traced 9 times"):
        for number in range(20):
            f(tf.constant(2.0), number)
    assert f(tf.constant(2.0), 8).numpy() == 16
