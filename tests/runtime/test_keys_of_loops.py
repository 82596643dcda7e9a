"""Keys that a loop adds to a dictionary which has others: what Python gives, or a KeyError if it had no iteration."""

from collections import OrderedDict

import pytest

import runtime as tf


def last(n):
    d = {"a": 1}
    for i in tf.range(n):
        d["k"] = i
    return d["k"], d["a"]


def whole(n):
    d = {"a": 1.5}
    for i in tf.range(n):
        d["k"] = i
    return d


def counted(n):
    d = {"i": 0}
    while d["i"] < n:
        d["last"] = d["i"] * 10
        d["i"] += 1
    return d["last"]


def asked(n):
    """In the first iteration the key is not there."""
    d, there, sizes = {"a": 1}, 0, 0
    for i in tf.range(n):
        if "k" in d:
            there += 1
        sizes += len(d)
        d["k"] = d.get("k", 100) + i
    return there, sizes, d["k"], len(d)


def nested(n):
    d = {"a": 1.0}
    for i in tf.range(n):
        d["r"] = tf.cast(i, tf.float32)
        for j in tf.range(i + 1):
            d["s"] = [j, d["a"]]
    return d["r"], d["s"]


def ended(n):
    d = {"a": 1}
    for i in tf.range(n):
        d["k"] = i * 10
        if i > 1:
            break
    return d["k"], i


def of_a_dataset(n):
    d = {"a": tf.constant(1, tf.int64)}
    for x in tf.data.Dataset.range(tf.cast(n, tf.int64)):
        d["k"] = x + d["a"]
    return d["k"]


def differentiated(n):
    d = {"a": tf.constant(2.0)}
    with tf.GradientTape() as tape:
        tape.watch(d["a"])
        for i in tf.range(n):
            d["k"] = d["a"] * tf.cast(i + 1, tf.float32)
        y = d["k"] * d["a"]
    return tape.gradient(y, d["a"])


def ordered(n):
    found = OrderedDict()
    while n > 0:
        found.setdefault("k", n)
        n -= 1
    return found["k"], n, len(found)


PROGRAMS = [ordered, last, whole, counted, asked, nested, ended, of_a_dataset, differentiated]


def plain(value):
    return tf.nest.map_structure(lambda x: x.numpy() if isinstance(x, tf.Tensor) else x, value)


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("native", [None, False, True])
def test_a_key_that_the_loop_adds(program, native):
    if native and program is of_a_dataset:
        pytest.skip("datasets are Python's")
    graph = tf.function(program, jit_compile=native)
    for n in (1, 2, 5):
        assert plain(graph(tf.constant(n))) == plain(program(tf.constant(n)))
    assert graph.experimental_get_tracing_count() == 1
    with pytest.raises(KeyError, match=r"is there only after an iteration, and there was none|'k'|'last'|'r'"):
        graph(tf.constant(0))


def test_effects_of_the_first_iteration_come_once_and_in_order(capfd):
    @tf.function
    def shown(n):
        d = {"a": 1}
        for i in tf.range(n):
            tf.print("iteration", i)
            d["k"] = i
        return d["k"]

    assert int(shown(tf.constant(3))) == 2
    assert capfd.readouterr().err == "iteration 0\niteration 1\niteration 2\n"


def test_a_key_that_only_some_iterations_add_is_refused():
    @tf.function
    def some(n):
        d = {"a": 1}
        for i in tf.range(n):
            if i > 1:
                d["k"] = i
        return d["a"]

    with pytest.raises(TypeError, match=r"'d\['k'\]' must also be initialized in the else branch"):
        some(tf.constant(3))


def test_a_loop_that_adds_a_key_has_no_limit_besides():
    @tf.function
    def limited(n):
        d = {"a": 1}
        for i in tf.range(n):
            tf.autograph.experimental.set_loop_options(maximum_iterations=2)
            d["k"] = i
        return d["k"]

    with pytest.raises(TypeError, match=r"'d\['k'\]' must also be initialized before the loop"):
        limited(tf.constant(3))
