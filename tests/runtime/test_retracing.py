"""Who has a function traced again and again is told once, and of which argument."""

import gc
import warnings
import weakref

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


# Why there is each of the graphs.


class Box:
    pass


BOX = Box()


def again(*calls, **options):
    """What is said of the last of some calls."""
    f = tf.function(lambda x, k=None: x, name="f", **options)
    for call in calls:
        f.get_concrete_function(*call)
    lines = f.explain_tracing().splitlines()
    numbered = [i for i, line in enumerate(lines) if line[0].isdigit()]
    assert len(numbered) == f.experimental_get_tracing_count()
    return " ".join(line.strip() for line in lines[numbered[-1] + 1 :])


ONE, TWO, HALF = (tf.constant(value) for value in (1, [1, 2], 0.5))


@pytest.mark.parametrize(
    "calls, said",
    [
        ([(ONE,)], ""),
        ([(ONE,), (HALF,)], "'x' was int32() and is float32(): each dtype has a graph of its own. Cast it to one of "
         "them, runtime.cast(…, tf.float32)."),
        ([(ONE,), (HALF,), (TWO,)], "'x' was int32() and is int32(2,) since trace 1: each rank has a graph of its own, "
         "unless an input_signature leaves the shape open (None)."),
        ([(TWO,), ([1, 2],)], "Its arguments have another structure, or others are given: another number, another "
         "length, other keys."),
        ([(TWO,), (tf.constant([1]),)], "'x' was int32(2,) and is int32(1,): another shape. Say reduce_retracing=True, "
         "or give an input_signature with None for the sizes that change: (None,)."),
        ([(np.zeros((2, 3)),), (np.zeros((2, 4)),)], "'x' was float64(2, 3) and is float64(2, 4): another shape. Say "
         "reduce_retracing=True, or give an input_signature with None for the sizes that change: (2, None)."),
        ([(ONE, 2), (ONE, 3)], "'k' was 2 and is 3: Python values are part of the graph. Pass a tensor, "
         "runtime.constant(3), to have one graph for all."),
        ([(ONE, "a"), (ONE, "b")], "'k' was 'a' and is 'b': Python values are part of the graph."),
        ([(ONE, 2), (ONE, TWO)], "'k' was 2 and is int32(2,): an int and a tensor have graphs of their own. Pass one "
         "kind."),
        ([(1, 2), (3, 4)], "'x' was 1 and is 3: Python values are part of the graph. Pass a tensor, "
         "runtime.constant(3), to have one graph for all. 'k' was 2 and is 4: Python values are part of the graph. "
         "Pass a tensor, runtime.constant(4), to have one graph for all."),
        ([(ONE, BOX), (ONE, Box())], "'k' is another Box: objects are told apart by identity. Pass the same one, or "
         "the values in it."),
        ([(ONE, iter([1])), (ONE, iter([1]))], "'k' is a list_iterator, which its trace uses up: no call can share "
         "the graph. Pass a list or tensor."),
        ([(tf.Variable(1),), (tf.Variable(1.0),)], "'x' was variable int32() and is variable float32(): each dtype has "
         "a graph of its own. Cast it to one of them, runtime.cast(…, tf.float32)."),
    ],
)  # fmt: skip
def test_why_it_was_traced_again(calls, said):
    assert again(*calls) == said


def test_why_it_was_traced_again_with_open_sizes():
    assert again((np.zeros(2),), (np.zeros(3),), (np.zeros(4),), reduce_retracing=True) == (
        "'x' was float64(2,) and is float64(None,): sizes were left open, so that further calls share this graph."
    )


def test_why_arrays_that_are_written_are_traced_again():
    @tf.function(name="f")
    def f(x):
        x[0] = 1.0
        return x

    f(np.zeros(2))
    f(tf.zeros([2], tf.float64))
    assert "'x' was an array and is a tensor, which matters where it is written." in f.explain_tracing()


def test_what_is_said_of_the_first_call():
    kept = []

    @tf.function
    def f(x):
        if not kept:
            kept.append(tf.Variable(1.0))
        return x * kept[0]

    assert f.explain_tracing() == "f has not been traced: it is when it is called."
    f(tf.constant(1.0))
    first, call, made = f.explain_tracing().splitlines()
    assert first == "f has been traced for 1 signature." and "f(x=float32()) (" in call and __file__ in call
    assert made.strip() == "It made Variables, so it was traced once more: what later calls do is another graph."


def test_only_so_many_traces_are_remembered():
    f = tf.function(lambda x, k: x, name="f")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(105):
            f(ONE, k)
    lines = f.explain_tracing().splitlines()
    assert lines[:2] == ["f has been traced for 105 signatures.", "The last 100 are:"]
    assert lines[2].startswith("6. f(x=int32(), k=5)") and "105. f(x=int32(), k=104)" in lines[-2]


def test_an_explanation_keeps_nothing_alive():
    f = tf.function(lambda x, k: x)
    box = Box()
    gone = weakref.ref(box)
    f(ONE, box)
    del box
    gc.collect()
    assert gone() is None and "<Box>" in f.explain_tracing()
