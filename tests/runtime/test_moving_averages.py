"""Averages of Variables, against the recurrence."""

import numpy as np
import pytest

import runtime as tf


@pytest.mark.parametrize("way", [lambda f: f, tf.function], ids=["at once", "graph"])
@pytest.mark.parametrize("counted", [None, "a Variable", "a number"])
@pytest.mark.parametrize("dtype", [tf.float32, tf.float64])
def test_an_average_follows_its_variable(dtype, counted, way):
    v, w, steps = tf.Variable([1.0, 2.0], dtype=dtype), tf.Variable(0.0), tf.Variable(0)
    given = {None: None, "a Variable": steps, "a number": 3}[counted]
    ema = tf.train.ExponentialMovingAverage(0.9, given)

    def step():
        v.assign_add([1.0, -0.5])
        w.assign_add(2.0)
        steps.assign_add(1)
        ema.apply([v, w])

    step = way(step)
    ema.apply([v])
    wanted = v.numpy()
    for number in range(1, 5):
        step()
        n = {None: np.inf, "a Variable": number, "a number": 3}[counted]
        kept = 0.9 if n == np.inf else min(0.9, (1 + n) / (10 + n))
        wanted = wanted - (1 - kept) * (wanted - v.numpy())
        np.testing.assert_allclose(ema.average(v), wanted, rtol=1e-6)
    assert ema.average(v).dtype == dtype and not ema.average(v).trainable and ema.average(steps) is None


def test_names_of_averages():
    v = tf.Variable(1.0, name="v")
    ema = tf.train.ExponentialMovingAverage(0.5, name="slow", zero_debias=True)
    ema.apply([v])
    assert (ema.name, ema.average_name(v), ema.average(v).name) == ("slow", "v/slow", "v/slow:0")


@pytest.mark.parametrize("given", [1.0, np.ones(2), tf.constant(1.0), tf.Variable(1)])
def test_averages_are_of_variables_of_floats(given):
    with pytest.raises(TypeError, match="of Variables of floats"):
        tf.train.ExponentialMovingAverage(0.5).apply([given])
