"""Ctrl-C ends whatever runs for long, soon; and after it all is as it was before the call."""

import faulthandler
import os
import re
import signal
import threading
import time

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")

from runtime.executors.native import code, machine

SOON = 5.0  # seconds; on an idle machine it takes a tenth of one at most


@pytest.fixture(autouse=True)
def default_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.dump_traceback_later(120, exit=True)  # rather than never to end
    yield
    faulthandler.cancel_dump_traceback_later()
    signal.signal(signal.SIGINT, before)


def interrupted(f, *arguments, after=0.2):
    """Call a function that has been called before; the seconds that it goes on after the signal."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            f(*arguments)
        ended = time.perf_counter()
    finally:
        timer.cancel()
        timer.join()
    assert sent, "it ended before there was a signal"
    return ended - sent[0]


# Programs that take an array and a number: 0 for what is done in no time, and far more than anybody waits for.


def until(x, n):
    y = 1.0
    while y < n:
        y = y * 0.999999 + 0.0001
    return y


def counted(x, n):
    y = 0.0
    for i in range(n):
        y = y * 0.5 + 1.0
    return y


def loops_in_loops(x, n):
    y = 0.0
    for i in range(n):
        for j in range(40):
            for k in range(n):
                y = y * 0.5 + 1.0
    return y


def loops_in_lanes(x, n):
    total = 0
    for i in range(n):
        y = 0.0
        k = 0
        while k < n and y >= 0.0:
            y = y * 0.5 + 1.0
            k += 1
        total += k
    return total


def short_loops_in_a_long_one(x, n):
    y = 0.0
    for i in range(n):
        for row in x[:3]:
            y = y * 0.5 + np.sum(row[:5])
    return y


def elements_in_a_loop(x, n):
    for i in range(n):
        x = x * 0.5 + 1.0
    return x


def elements_of_unknown_number(x, n):
    for i in range(n):
        x = np.sin(np.concatenate([x, x * 0.5])[: len(x)])
    return x


def sums(x, n):
    y = 0.0
    for i in range(n):
        y += np.sum(x * y, axis=0)[0] + np.max(x.T * y)
    return y


def copies(x, n):
    for i in range(n):
        x = np.concatenate([x[1:], x[:1]])
    return x


def transposed(x, n):
    for i in range(n):
        x = np.reshape(x.T, (250, 200)) + 1.0
    return x


def items(x, n):
    a = tf.zeros([1000])
    i = 0
    while i < n:
        a[i % 1000] = a[(i * 7) % 1000] + 1.0
        i += 1
    return a


def sorted_again(x, n):
    for i in range(n):
        x = np.sort(x * -1.0, axis=0)
    return x


def products(x, n):
    for i in range(n):
        x = np.tanh(x @ x.T) @ x
    return x


def small_products(x, n):
    w = x[:180, :180] / 90.0
    y = w
    for i in range(n):
        y = y @ w
    return y


def a_growing_list(x, n):
    found = []
    for i in range(n):
        if i % 1000 == 0:
            found = []
        found.append(i)
    return len(found)


def calls(x, n):
    return tree(n)


@tf.function(jit_compile=True)
def tree(n):
    if n < 2:
        return n
    return tree(n - 1) + tree(n - 2)


def loops_in_calls(x, n):
    return tree_of_loops(n)


@tf.function(jit_compile=True)
def tree_of_loops(n):
    y = 0
    for i in range(n):
        y += i % 7
    if n < 2:
        return y
    return y + tree_of_loops(n - 1) + tree_of_loops(n - 2)


def a_variable(x, n):
    for i in range(n):
        STATE.assign_add(1.0)
    return STATE.read_value()


STATE = tf.Variable(0.0)

MANY = 2_000_000_000
LOOPS = [
    until, counted, loops_in_loops, loops_in_lanes, short_loops_in_a_long_one, elements_in_a_loop,
    elements_of_unknown_number, sums, copies, transposed, items, sorted_again, products, small_products,
    a_growing_list, a_variable,
]  # fmt: skip
CALLS = [calls, loops_in_calls]


def compiled(program, shape, known):
    dims = shape if known else (None,) * len(shape)
    number = tf.float32 if program is until else tf.int32
    specs = [tf.TensorSpec(dims, tf.float32), tf.TensorSpec((), number)]
    return tf.function(program, jit_compile=True, input_signature=specs), number


@pytest.mark.sampled(4)
@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("program", [*LOOPS, *CALLS])
def test_long_loops(program, known):
    x = np.random.default_rng(0).random((250, 200), np.float32)
    f, number = compiled(program, x.shape, known)
    before = np.asarray(f(x, tf.constant(0, number)))
    x_before, state = x.copy(), STATE.numpy()
    many = 80 if program in CALLS else MANY
    assert interrupted(f, x, tf.constant(many, number)) < SOON
    np.testing.assert_array_equal(x, x_before)
    assert STATE.numpy() == state
    np.testing.assert_array_equal(np.asarray(f(x, tf.constant(0, number))), before)


# Single operations that take long.

draw = np.random.default_rng(0).random
LONG = {
    "elements": (lambda x: sum(np.sin(x + k) ** 1.7 for k in range(40)), lambda: draw(10_000_000)),
    "a sum": (lambda x: np.sum(np.cos(np.sin(x) ** 1.7) ** 2.3), lambda: draw(40_000_000)),
    "sums of rows": (lambda x: np.max(np.cos(np.sin(x) ** 1.7) ** 2.3, axis=0), lambda: draw((3000, 10_000))),
    "a product": (lambda x: x @ x, lambda: draw((3500, 3500))),
    "a product of integers": (lambda x: x @ x, lambda: np.ones((3000, 3000), np.int64)),
    "a product of small integers": (lambda x: x @ x, lambda: np.ones((4000, 4000), np.int8)),
    "sorting": (lambda x: np.sort(x), lambda: draw(8_000_000)),
    "top_k": (lambda x: tf.math.top_k(x, 100_000)[0], lambda: np.arange(2_000_000.0)),
    "a convolution": (
        lambda x: tf.nn.conv2d(x, np.ones((9, 9, 32, 64), np.float32), 1, "SAME"),
        lambda: draw((6, 300, 300, 32), np.float32),
    ),
    "pooling": (lambda x: tf.nn.max_pool2d(x, 31, 1, "SAME"), lambda: draw((4, 500, 500, 16), np.float32)),
}


@pytest.mark.sampled(6, each="name")
@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("name", LONG)
def test_long_operations(name, known):
    function, make = LONG[name]
    x = make()
    images = x.ndim == 4
    specs = [tf.TensorSpec(x.shape if known else ((None, *x.shape[1:]) if images else (None,) * x.ndim), x.dtype)]
    f = tf.function(function, jit_compile=True, input_signature=specs)
    f.get_concrete_function()._execute  # compile it
    assert interrupted(f, x, after=0.1) < SOON


def test_what_is_called_counts_what_it_does(monkeypatch):
    """Whoever calls it knows nothing of that: many products of small matrices are long, too."""
    found, optimised = [], machine._optimised
    monkeypatch.setattr(
        machine, "_optimised", lambda module, target: found.append(str(module)) or optimised(module, target)
    )
    x = np.ones((3, 57, 57))
    f = tf.function(lambda x: x @ x, jit_compile=True)
    np.testing.assert_array_equal(f(x), x @ x)
    products = re.findall(r"^define [^\n]*product.*?^}", "\n".join(found), re.DOTALL | re.MULTILINE)
    assert products and all("@interrupted" in text for text in products)


def test_memory_that_is_asked_for_counts_as_work(monkeypatch):
    """An iteration that makes an array of its own takes longer than its few numbers tell."""
    found, optimised = [], machine._optimised
    monkeypatch.setattr(
        machine, "_optimised", lambda module, target: found.append(str(module)) or optimised(module, target)
    )

    def f(x, n):
        y = x
        for _ in range(n):
            y = x @ (x @ (x @ (x @ (x @ (x @ (x @ (x @ y)))))))
        return y

    x = np.ones((2, 2)) / 2
    np.testing.assert_allclose(tf.function(f, jit_compile=True)(x, tf.constant(3)), f(x, 3))
    text = "\n".join(found)
    (iterations,) = re.findall(r"call i64 @llvm.umin.i64\(i64 %\w+, i64 (\d+)\)", text)  # until it asks for signals
    multiplications = 8 * 2**3
    assert text.count("call ptr @block.new") == 1
    assert int(iterations) * (multiplications + 50) <= code.ALLOWANCE


# What else may be.


@tf.function(jit_compile=True)
def forever(x):
    while x > 0.0:
        x = x * 0.5 + 1.0
    return x


def test_any_exception_of_a_handler_ends_a_run():
    class Enough(Exception):
        pass

    def raises(*_):
        raise Enough

    forever(tf.constant(-1.0))
    before = signal.signal(signal.SIGALRM, raises)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    with pytest.raises(Enough):
        forever(tf.constant(1.0))
    signal.signal(signal.SIGALRM, before)


def test_a_handler_that_raises_nothing_ends_nothing():
    seen = []

    def looks(*_):
        seen.append(float(forever(tf.constant(-1.0))))  # it may run native code itself

    f, _ = compiled(counted, (1,), True)
    before = signal.signal(signal.SIGALRM, looks)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    result = f(np.zeros(1, np.float32), tf.constant(400_000_000))
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    assert float(result) == 2.0 and seen and set(seen) == {-1.0}


@pytest.mark.parametrize("options", [{"jit_compile": False}, {"jit_compile": True}], ids=["NumPy", "native"])
def test_the_main_thread_is_not_held_up_by_others(options):
    """Ctrl-C is for the main thread: what runs in others goes on, but lets it in."""
    v = tf.Variable(0.0)

    @tf.function(**options)
    def f(n):
        v.assign_add(1.0)
        x = np.zeros(1000, np.float32)
        while n > 0 and v < 5.0:
            x = x * 0.5 + 1.0
            n -= 1
        return x

    f(tf.constant(0))
    thread = threading.Thread(target=f, args=(tf.constant(300_000),), daemon=True)
    thread.start()
    taken = interrupted(lambda: time.sleep(60), after=0.1)
    thread.join()
    assert taken < SOON and v.numpy() == 2.0


def test_on_numpy_a_loop_ends_and_variables_keep_what_was_assigned():
    v = tf.Variable(0.0)

    @tf.function(jit_compile=False)
    def f(n):
        v.assign_add(1.0)
        while n > 0:
            n = n % 7 + 1
        return n

    f(tf.constant(0))
    assert interrupted(f, tf.constant(1)) < SOON
    assert v.numpy() == 2.0


def test_memory_is_freed():
    @tf.function(jit_compile=True, input_signature=[tf.TensorSpec((None,), tf.float32), tf.TensorSpec((), tf.int32)])
    def f(x, n):
        kept = x
        while n > 0:
            kept = np.concatenate([x, x * 2.0])[: len(x)] + kept
            n -= 0
        return kept

    def resident():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    if not os.path.exists("/proc/self/statm"):
        pytest.skip("no /proc")
    x = np.ones(4_000_000, np.float32)
    f(x, tf.constant(0))
    for _ in range(4):
        interrupted(f, x, tf.constant(1), after=0.1)
    before = resident()
    for _ in range(4):
        interrupted(f, x, tf.constant(1), after=0.1)
    assert resident() - before < 2 * x.nbytes  # what may be kept for the next run
