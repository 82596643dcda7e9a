"""What nobody needs any more goes: functions, graphs, machine code, arguments, objects; memory stays flat."""

import contextlib
import gc
import weakref

import numpy as np
import pytest

import runtime as tf
from runtime.tensors.trace import current
from tests.memory import growth, mapped
from tests.programs import EXECUTORS


class Thing:
    """Something to refer to weakly, with as much memory as one notices."""

    def __init__(self, k=2.0):
        self.k = k
        self.weights = tf.Variable(np.ones(1000, np.float32))

    @tf.function(jit_compile=EXECUTORS[-1])
    def scaled(self, x):
        return x * self.k

    @tf.function(jit_compile=EXECUTORS[-1])
    def step(self, x):
        self.weights.assign_add(self.weights * x)
        while x < 3.0:
            x += self.k
        return tf.reduce_sum(self.weights) * x

    @tf.function
    def itself(self, x):
        return self, x

    @tf.function
    def failing(self, x):
        if x > 0:
            raise ValueError(f"{x} and {self.k}")
        return x


ONE = tf.constant(1.0)


def calls_a_method(thing):
    for _ in range(3):
        thing.scaled(ONE), thing.step(ONE)


def gets_itself(thing):
    assert thing.itself(ONE)[0] is thing is thing.itself(ONE)[0]


def keeps_a_bound_function(thing):
    bound = thing.scaled
    for _ in range(3):
        bound(ONE)
    thing.held = bound


def fails(thing):
    for _ in range(2):
        with contextlib.suppress(ValueError):
            thing.failing(ONE)


def is_an_argument(thing, function=tf.function(lambda thing, x: x * thing.k)):  # noqa: B008
    function(thing, ONE), function(thing, ONE)


def is_deep_in_an_argument(thing, function=tf.function(lambda v, x: x * v["a"][0].k)):  # noqa: B008
    function({"a": [thing, 1]}, ONE)


def is_behind_a_method(thing, function=tf.function(lambda f, x: x * f.__self__.k)):  # noqa: B008
    function(thing.__init__, ONE)


def is_in_a_set(thing, function=tf.function(lambda s, x: x * len(s))):  # noqa: B008
    function({thing}, ONE)


def is_returned(thing, function=tf.function(lambda thing, x: (x, [thing]))):  # noqa: B008
    assert function(thing, ONE)[1][0] is thing is function(thing, ONE)[1][0]


def is_captured(thing):
    tf.function(lambda x: x * thing.k)(ONE)


def is_captured_by_what_is_called(thing):
    def inner(x):
        return x * thing.k if x > 0 else x

    @tf.function
    def outer(x):
        return inner(x) + x

    outer(ONE)


def a_trace_fails(thing, function=tf.function(lambda thing, x: x * thing.missing)):  # noqa: B008
    with pytest.raises(AttributeError):
        function(thing, ONE)


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "use",
    [
        calls_a_method, gets_itself, keeps_a_bound_function, fails, is_an_argument, is_deep_in_an_argument,
        is_behind_a_method, is_in_a_set, is_returned, is_captured, is_captured_by_what_is_called, a_trace_fails,
    ],
)  # fmt: skip
def test_objects_go(use):
    things = [Thing(), Thing()]
    gone = [weakref.ref(t) for t in things] + [weakref.ref(t.weights) for t in things]
    for thing in things:
        use(thing)
    del thing
    things.clear()
    gc.collect()
    assert [g() for g in gone] == [None] * 4


def test_an_object_that_is_called_goes_without_the_collector():
    gc.collect()
    gc.disable()
    try:
        thing = Thing()
        calls_a_method(thing)
        gone, weights = weakref.ref(thing), weakref.ref(thing.weights)
        del thing
        assert gone() is None and weights() is None
    finally:
        gc.enable()


def test_graphs_go_with_the_object_that_they_were_made_for():
    f = tf.function(lambda thing, x: x * thing.k)
    things = [Thing(k) for k in (1.0, 2.0)]
    graphs = [weakref.ref(f.get_concrete_function(thing, ONE)) for thing in things]
    del things[0]
    gc.collect()
    assert [g() is None for g in graphs] == [True, False]
    assert len(f._concrete) == 1 and float(f(things[0], ONE)) == 2.0


@pytest.mark.skipif(True not in EXECUTORS, reason="without llvmlite there is no native code")
def test_machine_code_goes_with_its_function():
    def made():
        f = tf.function(lambda x: x + 1.0, jit_compile=True)
        assert float(f(ONE)) == 2.0
        (concrete,) = f._concrete.values()
        (linked, *_) = (
            concrete[0]._execute.__globals__["keep"] if hasattr(concrete[0]._execute, "__globals__") else (f,)
        )
        return weakref.ref(linked)

    left = made()
    gc.collect()
    assert left() is None


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_calls_leave_nothing(jit_compile):
    f = tf.function(lambda x, y: (x * y + 1.0, x - y), jit_compile=jit_compile)
    v = tf.Variable(np.ones(10, np.float32))
    g = tf.function(lambda x: v.assign_add(x) * 2.0, jit_compile=jit_compile)
    x, thing = tf.constant(np.ones(10, np.float32)), Thing()
    array = np.ones(10, np.float32)

    def work():
        f(x, x), f(array, x), f(x, y=x), g(x), f(2.0, x), thing.scaled(x), f(np.float32(1.0), x)

    objects, process = growth(work, 1000)
    assert objects < 100_000 and process < 20_000


def test_200_000_quick_calls_leave_nothing():
    for jit_compile in EXECUTORS:
        f = tf.function(lambda x: x + 1.0, jit_compile=jit_compile)
        f(ONE)
        before = mapped()
        for _ in range(200_000):
            f(ONE)
        gc.collect()
        assert mapped() - before < 20_000


TRACES = [(False, 1000), *([(True, 100)] if True in EXECUTORS else [])]  # to compile takes its time


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jit_compile, rounds", TRACES)
def test_traces_for_objects_that_are_dropped_leave_nothing(jit_compile, rounds):
    f = tf.function(lambda thing, x: tf.where(x > 0.0, x * thing.k, thing.k), jit_compile=jit_compile)

    def work(rounds):
        for k in range(rounds):
            assert float(f(Thing(float(k)), ONE)) == k
        gc.collect()

    work(100)
    before = mapped()
    work(rounds)
    assert mapped() - before < 20_000
    assert len(f._concrete) == 0


@pytest.mark.sampled(2)
@pytest.mark.parametrize("jit_compile, rounds", [(False, 100), *([(True, 40)] if True in EXECUTORS else [])])
def test_functions_that_are_dropped_leave_nothing(jit_compile, rounds):
    def work():
        @tf.function(jit_compile=jit_compile)
        def f(x):
            n = 0
            while x < 3.0:
                x, n = x * 2.0, n + 1
            return x, n

        f(ONE)

    objects, process = growth(work, rounds)
    assert objects < 300 * rounds and process < 40 * rounds + 20_000


def test_failures_leave_nothing():
    @tf.function
    def f(x, how):
        if how == "trace":
            raise KeyError(how)
        if how == "type":
            return x + "text"
        if how == "structure":
            return (x, 1) if x > 0 else x[0]
        if x > 0:
            raise ValueError(f"{x}")
        return x

    def work():
        for how in ("trace", "type", "structure", "run", Thing):
            with contextlib.suppress(Exception):
                f(ONE, how)

    objects, process = growth(work, 100)
    assert objects < 100_000 and process < 20_000
    assert current() is None and len(f._concrete) < 70


@pytest.mark.parametrize("error", [KeyboardInterrupt, GeneratorExit])  # a SystemExit is the program's
def test_a_trace_that_is_broken_off_leaves_nothing(error):
    from autograph import dispatch
    from runtime.control import loops, recursion
    from runtime.graph import settings

    armed = [True]

    def breaks():
        if armed[0]:
            raise error("now")
        return 1

    def deep(n, f):
        if n > 0:
            i = 0
            while i < n:
                i += f() if n > 5 else deep(n - 1, f)
            return i
        return [f() for _ in tf.range(n)][0]

    @tf.function
    def inner(x):
        return deep(x, breaks)

    @tf.function
    def outer(x):
        return inner(x) + 1 if x > 0 else breaks()

    before = (current(), dispatch.active, settings.busy.value)
    for _ in range(2):
        with pytest.raises(error):
            outer(tf.constant(3))
        assert (current(), dispatch.active, settings.busy.value) == before
        assert not recursion._calls.active and not loops._loops.options and not outer._concrete and not inner._concrete
    simple = tf.function(lambda x: x + breaks())
    with pytest.raises(error):
        simple(ONE)
    armed[0] = False
    assert float(simple(ONE)) == 2.0
