"""Each assignment to a Variable is one step for other threads: none is lost, and nobody waits in vain."""

import copy
import faulthandler
import sys
import threading

import numpy as np
import pytest

import runtime as tf

EXECUTORS = {
    "eager": lambda f: f,
    "NumPy": lambda f: tf.function(f, jit_compile=False),
    "native": lambda f: tf.function(f, jit_compile=True),
    "default": tf.function,
}


@pytest.fixture(autouse=True)
def quick_switches():
    """Threads take turns as often as can be; rather than never to end, the process ends."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    faulthandler.dump_traceback_later(120, exit=True)
    yield
    faulthandler.cancel_dump_traceback_later()
    sys.setswitchinterval(before)


def at_once(*work, times=300):
    """Call each function so many times, in a thread of its own."""
    errors = []

    def repeat(function):
        try:
            start.wait()
            for _ in range(times):
                function()
        except BaseException as error:
            errors.append(error)
            raise

    start = threading.Barrier(len(work))
    threads = [threading.Thread(target=repeat, args=(w,)) for w in work]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors


def step(v, x):
    v.assign_add(x)


def back(v, x):
    v.assign_sub(-x)


def in_branch(v, x):
    if x > 0:
        v.assign_add(x)


def in_loop(v, x):
    for _ in range(tf.cast(x, tf.int32) * 7):
        v.assign_add(x / 7)


def in_call(v, x):
    inner(v, x)


@tf.function
def inner(v, x):
    v.assign_add(x)


def after_a_print(v, x):
    v.assign_add(x / 2)
    tf.py_function(lambda: None, [], [])
    v.assign_add(x / 2)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("program", [step, back, in_branch, in_loop, in_call, after_a_print])
@pytest.mark.parametrize("executor", EXECUTORS)
def test_no_update_is_lost(executor, program):
    v, one = tf.Variable(np.zeros(3)), tf.constant(1.0, tf.float64)
    f = EXECUTORS[executor](lambda x: program(v, x))
    f(one)
    at_once(*[lambda: f(one)] * 4)
    np.testing.assert_allclose(v.numpy(), 1201)


def test_no_update_is_lost_between_executors():
    v, one = tf.Variable(0.0), tf.constant(1.0)
    functions = [make(lambda x: step(v, x)) for make in EXECUTORS.values()]
    for f in functions:
        f(one)
    at_once(*[lambda f=f: f(one) for f in functions])
    assert v.numpy() == 4 * 301


@pytest.mark.parametrize("executor", [name for name in EXECUTORS if name != "eager"])
@pytest.mark.parametrize("count", [2, 3, 12])
def test_runs_that_write_the_same_variables_in_other_orders(executor, count):
    all_ = [tf.Variable(float(k)) for k in range(count)]

    def forth(x):
        for v in all_:
            v.assign_add(x)

    def back(x):
        for v in reversed(all_):
            v.assign_add(x)

    functions = [EXECUTORS[executor](f) for f in (forth, back)] * 2
    one = tf.constant(1.0)
    at_once(*[lambda f=f: f(one) for f in functions])
    assert [float(v.numpy()) for v in all_] == [k + 1200.0 for k in range(count)]


def test_variables_that_are_arguments():
    a, b, one = tf.Variable(0.0), tf.Variable(0.0), tf.constant(1.0)

    @tf.function(jit_compile=True)
    def f(v, w, x):
        v.assign_add(x)
        w.assign_sub(x)

    at_once(lambda: f(a, b, one), lambda: f(b, a, one), lambda: f(a, b, one))
    assert (a.numpy(), b.numpy()) == (300.0, -300.0)


def test_a_long_run_comes_to_an_end_beside_many_short_ones():
    """It is done again, and then the others wait."""
    v = tf.Variable(0.0)

    @tf.function(jit_compile=True)
    def long(n):
        v.assign_add(1.0)
        x = 0.0
        while n > 0:
            n -= 1
            x = x * 0.5 + 1.0
        v.assign_add(x * 0.0)

    n, added, done = tf.constant(3_000_000), [0], threading.Event()
    long(tf.constant(1))

    def add():
        while not done.is_set():
            v.assign_add(1.0)
            added[0] += 1

    thread = threading.Thread(target=add)
    thread.start()
    try:
        for _ in range(5):
            long(n)
    finally:
        done.set()
        thread.join()
    assert v.numpy() == added[0] + 6


def test_a_branch_not_taken_changes_nothing():
    v, one = tf.Variable(0.0), tf.constant(1.0)

    @tf.function(jit_compile=True)
    def f(x):
        if x > 5:
            v.assign(x)
        return x

    at_once(lambda: f(one), lambda: v.assign_add(1.0), lambda: f(one))
    assert v.numpy() == 300


@pytest.mark.parametrize("executor", EXECUTORS)
def test_python_that_is_called_may_use_the_same_variable(executor):
    """In its thread, and in others that it waits for."""
    v = tf.Variable(0.0)

    def add():
        thread = threading.Thread(target=lambda: v.assign_add(1.0))
        thread.start()
        v.assign_add(1.0)
        thread.join()

    @EXECUTORS[executor]
    def f(x):
        v.assign_add(x)
        tf.py_function(add, [], [])
        v.assign_add(x)
        return v.read_value()

    one = tf.constant(1.0)
    assert float(f(one)) == 4.0
    at_once(*[lambda: f(one)] * 3, times=50)
    assert v.numpy() == 604.0


def test_a_copy_is_a_variable_of_its_own():
    v = tf.Variable([1.0])
    other = copy.deepcopy(v)
    other.assign_add([1.0])
    assert v.numpy().tolist() == [1.0] and other.numpy().tolist() == [2.0] and other.number != v.number
