import collections
import enum
import functools
import gc
import itertools
import types
import weakref

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.programs import EXECUTORS, load


def traced(function, **options):
    """A Function and the list to which each trace adds."""
    traces = []

    def f(*args, **kwargs):
        traces.append((args, kwargs))
        return function(*args, **kwargs)

    return tf.function(f, autograph=False, **options), traces


@pytest.mark.parametrize(
    "calls, count",
    [
        ([tf.constant(1), tf.constant(2)], 1),
        ([tf.constant(1), tf.constant(1.0)], 2),
        ([tf.constant([1]), tf.constant([1, 2])], 2),
        ([np.int32(1), tf.constant(2)], 1),
        ([1, 2, 1], 2),
        ([1, 1.0, True], 3),
        (["a", "b", "a"], 2),
        ([None, None], 1),
        ([(1, tf.constant(1)), (1, tf.constant(2))], 1),
        ([[tf.constant(1)], (tf.constant(1),)], 2),
        ([{"a": tf.constant(1)}, {"b": tf.constant(1)}], 2),
        ([tf.Variable(1), tf.Variable(2)], 1),
        ([float("nan"), float("nan")], 1),
    ],
)
def test_one_trace_for_each_signature(calls, count):
    f, traces = traced(lambda x: tf.constant(0))
    for argument in calls:
        f(argument)
    assert len(traces) == count == f.experimental_get_tracing_count()


def test_arguments_by_position_name_and_default_share_a_trace():
    traces = []

    @tf.function
    def f(x, y=2):
        traces.append(1)
        return x * y

    assert [int(f(tf.constant(3))), int(f(tf.constant(3), 2)), int(f(y=2, x=tf.constant(3)))] == [6, 6, 6]
    assert len(traces) == 1


def test_objects_count_by_identity_and_are_not_kept_alive():
    class Thing:
        pass

    f, traces = traced(lambda thing: tf.constant(1))
    thing = Thing()
    f(thing), f(thing), f(Thing())
    assert len(traces) == 2
    traces.clear()
    gone = weakref.ref(thing)
    del thing
    gc.collect()
    assert gone() is None


def test_a_failed_trace_is_not_cached():
    attempts = []

    @tf.function
    def f(x):
        attempts.append(1)
        if len(attempts) == 1:
            raise KeyError("first")
        return x

    with pytest.raises(KeyError):
        f(tf.constant(1))
    assert f(tf.constant(1)).numpy() == 1


def test_input_signature():
    f, traces = traced(lambda x: x * 2, input_signature=[tf.TensorSpec([None], tf.int32)])
    assert f([1, 2]).numpy().tolist() == [2, 4] and f(tf.constant([3])).numpy().tolist() == [6]
    assert len(traces) == 1
    for wrong in ([[1]], tf.constant([1.5])):
        with pytest.raises(TypeError, match="does not accept"):
            f(wrong)


def test_concrete_functions_check_their_tensors():
    f = tf.function(lambda a, n: a * n)
    concrete = f.get_concrete_function(tf.TensorSpec([None], tf.int32), 3)
    assert concrete(tf.constant([1, 2])).numpy().tolist() == [3, 6]
    assert concrete(a=tf.constant([1])).numpy().tolist() == [3]
    with pytest.raises(ValueError, match="int32 tensor but is a float32"):
        concrete(tf.constant([1.0]))
    with pytest.raises(ValueError, match="shape"):
        concrete(tf.constant(1))
    assert concrete(tf.constant([1, 2]), 3).numpy().tolist() == [3, 6]
    for call in (lambda: concrete(tf.constant([1]), n=4), lambda: concrete(tf.constant([1]), 4)):
        with pytest.raises(TypeError, match="'n' is bound to 3"):
            call()


def test_the_signature_of_a_concrete_function():
    concrete = tf.function(lambda a, n, o: a).get_concrete_function({"k": tf.constant([1])}, 3, object())
    (a, n, o), keywords = concrete.structured_input_signature
    assert a["k"] == tf.TensorSpec([1], tf.int32, "a_k") and n == 3 and keywords == {}
    assert repr(o) == "<object>" and "n=3" in repr(concrete)


def test_methods_have_functions_of_their_own():
    class Counter:
        def __init__(self):
            self.total = tf.Variable(0)

        @tf.function
        def add(self, x):
            self.total.assign_add(x)
            return self.total

    a, b = Counter(), Counter()
    assert [int(a.add(1)), int(a.add(tf.constant(2))), int(b.add(5))] == [1, 3, 5]


def test_a_function_within_a_function_is_a_call():
    calls = []

    @tf.function
    def inner(x):
        calls.append(1)
        for _ in range(20):  # too large to be inlined
            x = x * 2 % 7
        return x + 1

    @tf.function
    def outer(x):
        return inner(x) + inner(x + 1)

    assert outer(tf.constant(3)).numpy() == 9
    assert len(calls) == 1
    assert str(outer.get_concrete_function(tf.constant(3)).graph).count("def ") == 2


def test_an_inner_function_may_use_tensors_of_the_outer_one():
    @tf.function
    def outer(x):
        scale = x + 1

        @tf.function
        def inner(y):
            return y * scale

        return inner(x)

    assert [int(outer(tf.constant(v))) for v in (2, 5)] == [6, 30]


def test_run_functions_eagerly():
    seen = []
    f = tf.function(lambda x: seen.append(type(x).__name__))
    tf.config.run_functions_eagerly(True)
    try:
        f(tf.constant(1)), f(tf.constant(1))
    finally:
        tf.config.run_functions_eagerly(False)
    assert seen == ["EagerTensor"] * 2


def test_variables_are_made_on_the_first_call_only():
    @tf.function
    def always():
        return tf.Variable(1.0)

    with pytest.raises(ValueError, match="tf.Variable"):
        always()

    class Holder:
        v = None

    @tf.function
    def once(x):
        if Holder.v is None:
            Holder.v = tf.Variable(1.0)
        return Holder.v.assign_add(x)

    assert [float(once(1.0)), float(once(2.0))] == [2.0, 4.0]


def test_py_function_runs_each_time():
    seen = []

    @tf.function
    def f(x):
        y = tf.py_function(lambda v: seen.append(int(v)) or v * 2, [x], tf.int32)
        return y + 1

    assert [int(f(tf.constant(1))), int(f(tf.constant(2)))] == [3, 5]
    assert seen == [1, 2]


@pytest.mark.parametrize("call", [tf.py_function, tf.numpy_function])
def test_a_spec_tells_the_shape_of_what_a_python_function_gives(call):
    @tf.function
    def f(x):
        pair = call(lambda v: (v + 1, v[0]), [x], [tf.TensorSpec([None], tf.int32), tf.TensorSpec([], tf.int32)])
        one = call(lambda v: v * 2, [x], tf.TensorSpec(None, tf.int32))
        return *pair, one, [p.shape.rank for p in (*pair, one)]

    a, b, c, ranks = f(tf.constant([1, 2]))
    assert (a.numpy().tolist(), int(b), c.numpy().tolist(), ranks) == ([2, 3], 1, [2, 4], [1, 0, None])
    with pytest.raises(tf.errors.InvalidArgumentError, match="shape"):
        call(lambda: np.int32([1]), [], tf.TensorSpec([2], tf.int32))


def test_python_objects_are_returned_as_they_are():
    marker = object()
    x, o, n = tf.function(lambda x: (x, marker, None))(tf.constant(1))
    assert o is marker and n is None and x.numpy() == 1


def test_names_and_documentation_are_kept():
    def f(x):
        """Doc."""

    g = tf.function(f)
    assert (g.__name__, g.name, g.__doc__, g.python_function) == ("f", "f", "Doc.", f)


def test_random_numbers_are_fresh_at_each_run():
    f = tf.function(lambda: tf.random.normal([3]))
    assert not np.array_equal(f(), f())
    tf.random.set_seed(3)
    first = f().numpy()
    tf.random.set_seed(3)
    np.testing.assert_array_equal(first, f())


def test_a_clause_around_the_call_does_not_concern_the_function():
    @tf.function
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x

    for _ in range(2):
        try:
            f(tf.constant(-1))
        except ValueError as error:
            assert "negative" in str(error)
        else:
            raise AssertionError


@pytest.mark.skipif(True not in EXECUTORS, reason="without llvmlite there is no native code")
def test_a_compiled_function_takes_every_kind_of_call():
    @tf.function(jit_compile=True)
    def f(x, y=2.0):
        return x + y

    x = tf.constant(1.5)
    for _ in range(2):  # the first calls trace; the others find the compiled code
        assert [float(v) for v in (f(x), f(x, x), f(x, y=x), f(x=x, y=x), f(1.5), f(np.float32(1.5)))] == [
            3.5, 3.0, 3.0, 3.0, 3.5, 3.5
        ]  # fmt: skip
        assert f(tf.constant([1.0, 2.0]), x).shape == (2,)
        assert f(tf.constant(1), 2).dtype == tf.int32
        with pytest.raises(TypeError, match="takes from 1 to 2 positional arguments but 3 were given"):
            f(x, x, x)
    assert isinstance(f, tf.Function) and type(f).__name__ == "Function"

    @tf.function
    def g(x):
        return f(x, x) * 2.0

    assert float(g(x)) == 6.0


@pytest.mark.skipif(True not in EXECUTORS, reason="without llvmlite there is no native code")
def test_a_compiled_function_that_nobody_needs_goes():
    def made():
        f = tf.function(lambda x: x + 1.0, jit_compile=True)
        assert float(f(tf.constant(1.0))) == float(f(tf.constant(1.0))) == 2.0
        return weakref.ref(f)

    left = made()
    gc.collect()
    assert left() is None


class Slotted:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x


@pytest.mark.parametrize(
    "returned",
    [
        "slice(n)", "{1: n}.values()", "{1: n}.items()", "iter([n])", "map(abs, [n])",
        "zip([n], [1])", "functools.partial(pow, n)", "itertools.repeat(n)", "enumerate(a)", "reversed(a)",
        "(x for x in [n])", "types.MappingProxyType({1: n})",
    ],
)  # fmt: skip
def test_what_would_hold_values_of_the_trace_is_not_returned(returned):
    """It came out as it was while tracing: with symbolic tensors in it, the same object from each call."""
    modules = {module.__name__: module for module in (collections, functools, itertools, types)}
    f = load(f"def f(a, n):\n    return {returned}\n", Slotted=Slotted, **modules)
    with pytest.raises(StagingError, match=r"the function returns an? \w+ that holds .* Return a list"):
        tf.function(f)(np.ones(2), np.int64(2))


@pytest.mark.parametrize("returned", ["slice(3)", "collections.deque([1])", "Slotted(2)", "len", "types"])
def test_what_holds_no_values_of_the_trace_is_returned_as_it_is(returned):
    f = load(f"def f(a):\n    return {returned}\n", Slotted=Slotted, collections=collections, types=types)
    assert type(tf.function(f)(np.ones(2))) is type(f(np.ones(2)))


@pytest.mark.parametrize(
    "returned", ["iter([1])", "map(abs, [1])", "(x for x in a)", "(x for x in [1])", "[zip([1], [2])]"]
)
def test_an_iterator_that_all_calls_would_share_is_not_returned(returned):
    f = load(f"def f(a):\n    return {returned}\n")
    with pytest.raises(StagingError, match=r"the function returns a \w+"):
        tf.function(f, numpy=True)(np.ones(2))


def test_an_iterator_that_is_given_is_returned():
    numbers = iter([1, 2])
    assert tf.function(lambda given: given)(numbers) is numbers


class Plain:
    def __init__(self, x):
        self.x = [x]


@pytest.mark.parametrize(
    "returned",
    [
        "[1, 2]", "a.tolist(), [1, 2]", "'a b'.split()", "{'k': 1}", "{1, 2}", "collections.Counter('aab')",
        "[[1]] * 2",
        "collections.deque([1])", "bytearray(2)", "Plain(2)", "[Plain(2)]", "{'k': Plain([1])}", "[0.0] * len(a), a",
        "{i: [v for v in row] for i, row in enumerate([[1], [2]])}",
    ],
)  # fmt: skip
def test_what_is_made_in_a_function_belongs_to_the_call(returned):
    def changed(value):
        for one in value if isinstance(value, tuple) else (value,):
            for change in ("append", "clear"):
                getattr(one, change, lambda *_: None)(*[9] * (change == "append"))
            if isinstance(one, Plain):
                one.x.append(one)
        return value

    f = load(f"def f(a):\n    return {returned}\n", Plain=Plain, collections=collections)
    graph = tf.function(f, numpy=True)
    a = np.ones(2)
    changed(graph(a))
    assert seen_in(graph(a)) == seen_in(f(a))


def seen_in(value):
    """What a value is made of, and the types of that."""
    if isinstance(value, list | tuple):
        return type(value), [*map(seen_in, value)]
    if isinstance(value, dict):
        return type(value), [(k, seen_in(v)) for k, v in value.items()]
    return type(value), seen_in(vars(value)) if isinstance(value, Plain) else repr(value)


@pytest.mark.parametrize("kind", ["U", "S"])
@pytest.mark.parametrize(
    "returned",
    [
        "s", "s[::-1]", "s == s[0]", "s != s[0]", "s[0]", "np.where(s == s[0], 1, 2)", "(s == s[0]).sum()",
        "np.sort(s)",
        "np.concatenate([s, s])", "[v for v in s]", "s.reshape(1, 2)", "len(s[1])",
    ],
)  # fmt: skip
def test_arrays_of_text_are_compared_and_returned_as_they_are_given(returned, kind):
    f = load(f"def f(s):\n    return {returned}\n", np=np)
    s = np.array(["x", "yy"]).astype(kind)
    found, wanted = tf.function(f, numpy=True)(s), f(s)
    assert repr(found) == repr(wanted)


@pytest.mark.parametrize("made", ["np.array(['a', 'bb'])", "np.where(x > 0, 'yes', 'no')", "np.array('abc')"])
def test_arrays_of_text_that_a_function_makes_are_numpys(made):
    f = load(f"def f(x):\n    return {made}\n", np=np)
    assert repr(tf.function(f, numpy=True)(np.ones(2))) == repr(f(np.ones(2)))


def test_an_array_of_text_is_compared_with_text_where_results_are_tensors_too():
    assert tf.function(lambda s: s == "x")(np.array(["x", "yy"])).numpy().tolist() == [True, False]


class Level(enum.IntEnum):
    HIGH = 5


@pytest.mark.parametrize("returned", ["Level.HIGH", "[Level.HIGH, x]", "x.dtype", "[x.dtype]", "{'d': x.dtype}"])
def test_what_is_more_than_a_number_is_returned_as_it_is(returned):
    f = load(f"def f(x):\n    return {returned}\n", Level=Level)
    assert seen_in(tf.function(f, numpy=True)(np.ones(2))) == seen_in(f(np.ones(2)))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_calls_that_leave_defaults_out_go_on_giving_the_same(jit_compile):
    default = tf.constant([10.0, 20.0])

    @tf.function(jit_compile=jit_compile)
    def f(x, y=default):
        return x + y

    for _ in range(4):
        assert f(tf.constant(1.0)).numpy().tolist() == [11, 21]
        assert f(tf.constant(1.0), default).numpy().tolist() == [11, 21]
        assert f(np.float32(1.0)).numpy().tolist() == [11, 21]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
def test_too_many_arguments_and_too_few_are_refused_however_often_it_was_called(jit_compile):
    f = tf.function(lambda x, y: x * y + 1, jit_compile=jit_compile)
    for _ in range(3):
        assert f(tf.constant(2.0), tf.constant(3.0)).numpy() == 7
        for given in ((), (1.0,), (1.0, 2.0, 3.0), (tf.constant(2.0),), (tf.constant(2.0),) * 3):
            with pytest.raises(TypeError):
                f(*given)


def test_generators_and_coroutines_are_refused_by_name():
    def numbers(n):
        yield n

    async def waiting(n):
        return n

    async def both(n):
        yield n

    class Model:
        def steps(self, n):
            yield n

    for function, what in (
        (numbers, "generator"),
        (waiting, "coroutine"),
        (both, "generator"),
        (Model().steps, "generator"),
    ):
        for given in (function, functools.partial(function)):
            with pytest.raises(StagingError, match=rf"is a {what} function \(.*test_function.py:\d+"):
                tf.function(given)(3)
    collected = tf.function(lambda n: [k * 2 for k in numbers(n)])(np.int64(3))
    assert [int(k) for k in collected] == [6]


def test_python_functions_are_called_by_decorators():
    @tf.py_function(Tout=tf.float32)
    def least(x, y):
        """The lesser of both."""
        return x if x.numpy() < y.numpy() else y

    @tf.numpy_function(Tout=[tf.float32, tf.int32])
    def both(x, y):
        return np.float32(x + y), np.int32(1)

    f = tf.function(lambda x: (least(x, 2.0), *both(x, x)))
    for x in (1.0, 3.0):
        assert [t.numpy() for t in f(tf.constant(x))] == [min(x, 2), 2 * x, 1]
    assert least(1.0, 2.0).numpy() == 1 and (least.__name__, least.__doc__) == ("least", "The lesser of both.")


@pytest.mark.parametrize("function", [tf.py_function, tf.numpy_function])
@pytest.mark.parametrize(
    "given, missing",
    [({}, "without Tout"), ({"func": abs, "Tout": tf.int32}, "without inp"), ({"inp": [1], "Tout": tf.int32}, "func")],
)
def test_a_call_of_python_says_what_it_lacks(function, given, missing):
    with pytest.raises(TypeError, match=missing):
        function(**given)
