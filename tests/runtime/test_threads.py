"""Threads that call the same functions at once: one trace and one compilation, no error, nobody waits in vain."""

import faulthandler
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import runtime as tf
from runtime.graph import settings


@pytest.fixture(autouse=True)
def quick_switches():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    faulthandler.dump_traceback_later(100, exit=True)  # rather than never to end
    yield
    faulthandler.cancel_dump_traceback_later()
    sys.setswitchinterval(before)


def at_once(*work):
    """What functions return that are called in threads, at the same time."""
    found, start = [None] * len(work), threading.Barrier(len(work))

    def one(k):
        start.wait()
        try:
            found[k] = work[k]()
        except BaseException as error:
            found[k] = error

    threads = [threading.Thread(target=one, args=(k,)) for k in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


OPTIONS = [{"jit_compile": False}, {"jit_compile": True}, {}]


@pytest.mark.parametrize("options", OPTIONS, ids=["NumPy", "native", "default"])
def test_one_trace_and_one_compilation(options, monkeypatch):
    from runtime.functions import concrete

    compiled = []
    compile_graph = concrete.compile_graph
    slow = lambda *a: compiled.append(1) or time.sleep(0.01) or compile_graph(*a)
    monkeypatch.setattr(concrete, "compile_graph", slow)
    for _ in range(5):
        traced = []
        compiled.clear()

        @tf.function(**options)
        def f(x):
            traced.append(1)
            time.sleep(0.01)
            while x < 100.0:
                x = x * 2.0
            return x

        x = tf.constant(3.0)
        assert [float(r) for r in at_once(*[lambda: f(x)] * 6)] == [192.0] * 6
        assert len(traced) == f.experimental_get_tracing_count() == len(compiled) == 1
        assert settings.busy.value == 0


def test_other_signatures_at_once():
    @tf.function
    def f(x):
        return x * 2 + 1

    xs = [np.ones(k, t) for k in (1, 2, 3) for t in (np.float32, np.int64)]
    found = at_once(*[lambda x=x: f(x) for x in xs * 3])
    for x, r in zip(xs * 3, found):
        np.testing.assert_array_equal(np.asarray(r), x * 2 + 1)
    assert f.experimental_get_tracing_count() == len(xs)


def test_nobody_waits_for_a_function_that_runs():
    inside, go = threading.Event(), threading.Event()

    def wait():
        inside.set()
        assert go.wait(60)

    @tf.function
    def f(x, slow):
        if slow:
            tf.py_function(wait, [], [])
        return x + 1

    x, yes, no = tf.constant(1.0), tf.constant(True), tf.constant(False)
    f(x, no)
    thread = threading.Thread(target=f, args=(x, yes))
    thread.start()
    assert inside.wait(60)
    assert float(f(x, no)) == 2.0  # the same graph
    assert np.asarray(f(np.ones(3), no)).tolist() == [2.0] * 3  # another
    go.set()
    thread.join()


def test_a_first_call_that_fails_in_one_thread():
    @tf.function
    def f(x, n):
        if n == 0:
            raise ValueError("none")
        return x * n

    x = tf.constant(2.0)
    found = at_once(*[lambda n=n: f(x, n) for n in (0, 1, 0, 1, 0, 2)])
    assert [float(r) if not isinstance(r, Exception) else type(r) for r in found] == [
        ValueError, 2.0, ValueError, 2.0, ValueError, 4.0,
    ]  # fmt: skip
    assert settings.busy.value == 0


def test_variables_are_made_once():
    class Model:
        def __init__(self):
            self.made = 0
            self.v = None

        @tf.function
        def __call__(self, x):
            if self.v is None:
                self.made += 1
                time.sleep(0.01)
                self.v = tf.Variable(1.0)
            return self.v * x

    for _ in range(5):
        model = Model()
        assert [float(r) for r in at_once(*[lambda: model(tf.constant(3.0))] * 4)] == [3.0] * 4 and model.made == 1


def test_functions_that_call_each_other_are_traced_from_two_threads():
    """Neither waits for ever for the other; nothing is asserted of how often they are traced."""
    inside = threading.Barrier(2)
    meet = [True]

    def together():
        if meet[0]:
            try:
                inside.wait(20)
            except threading.BrokenBarrierError:
                pass

    def first(x, deep=True):
        together()
        return second(x, False) + 1 if deep else x * 2

    def other(x, deep=True):
        together()
        return made(x, False) + 1 if deep else x * 3

    made, second = tf.function(first), tf.function(other)
    results = {}

    def run(name, function):
        results[name] = int(function(tf.constant(1)))

    threads = [threading.Thread(target=run, args=pair, daemon=True) for pair in (("a", made), ("b", second))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    meet[0] = False
    assert results == {"a": 4, "b": 3}


def test_a_graph_is_compiled_once(monkeypatch):
    from runtime.functions import concrete

    compiled, compile_graph = [], concrete.compile_graph

    def slow(*args):
        compiled.append(args)
        threading.Event().wait(0.05)
        return compile_graph(*args)

    monkeypatch.setattr(concrete, "compile_graph", slow)
    graph = tf.function(lambda x: x + 1).get_concrete_function(tf.TensorSpec([], tf.int32))
    threads = [threading.Thread(target=graph, args=(tf.constant(1),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(compiled) == 1


FIRST = """
import sys, threading
import numpy as np, runtime
sys.setswitchinterval(1e-5)
def body(x):
    s = 0.0
    for v in x:
        s = s + v if v > 0 else s - 1
    return s, {"twice": x * 2}
functions = [runtime.function(body, jit_compile=True) for _ in range(6)]
start, good = threading.Barrier(6), []
def go(k):
    x = np.arange(5.0 + k) - 2
    start.wait()
    for f in functions[k:] + functions[:k]:
        s, made = f(x)
        good.append(float(s) == body(x)[0] and made["twice"].shape == x.shape)
threads = [threading.Thread(target=go, args=(k,)) for k in range(6)]
for t in threads: t.start()
for t in threads: t.join()
assert good == [True] * 36, good
"""


def test_the_first_compilations_of_a_process():
    """The first of each kind makes what all machine code refers to by its address: there is one of it."""
    done = subprocess.run([sys.executable, "-c", FIRST], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stderr) == (0, "")
