"""The native executor: every operation against its kernel, and what else native code has to get right."""

import ctypes
import faulthandler
import functools
import linecache
import math
import os
import signal
import subprocess
import sys
import threading
from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

import runtime as tf
from autograph import StagingError
from runtime.errors import InvalidArgumentError
from runtime.executors.numpy import run as numpy_executor
from runtime.graph.graph import TensorType
from runtime.graph.op import OPS
from runtime.ops import structure
from runtime.tensors.operations import apply
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import Trace, recording
from tests.generate import array_programs
from tests.programs import load
from tests.runtime.test_ops import CASES, as_tuple, run, type_of

pytest.importorskip("llvmlite")
from runtime.executors import native as native_executor, registry
from runtime.executors.native import absent, blas, code, lowering, regions


def graph_of(op, attributes, types):
    trace = Trace("f")
    values = [trace.input(t, "x") for t in types]
    with recording(trace):
        outputs = as_tuple(apply(op, *(SymbolicTensor(trace, v) for v in values), **attributes))
    return trace.graph([o.value for o in outputs]).verify()


def native(function, *arguments):
    """The function as native code, and how many parts of its graph are."""
    graph = tf.function(function).get_concrete_function(*arguments).graph
    divided = regions._Division(True, {}).graph(graph)
    return sum(node.op is structure.native for node in divided.walk())


def close(mine, wanted):
    """Equal, but for functions with a stated error and for the order of additions."""
    mine, wanted = np.asarray(mine), np.asarray(wanted)
    assert mine.dtype == wanted.dtype and mine.shape == wanted.shape
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(mine, wanted, rtol=2e-6 if wanted.dtype == np.float32 else 5e-15, atol=1e-30)
    else:
        np.testing.assert_array_equal(mine, wanted)


def test_each_operation_has_a_native_form_or_a_reason_why_not():
    assert {op for op in OPS.values() if not lowering.has_form(op)} == set(absent.ABSENT)


@pytest.mark.sampled(8, each="op")
@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_an_operation_gives_what_its_kernel_gives(op, inputs, attributes, known):
    types = [type_of(x) for x in inputs]
    if not known:
        types = [TensorType(t.dtype, (None,) * len(t.shape)) for t in types]
    graph = graph_of(op, attributes, types)
    kinds = {v.type.dtype.name for v in (*graph.inputs, *graph.outputs)}
    handed = op in absent.HANDED_BACK | absent.ABOUT_TEXT
    refused = (op in absent.ABSENT and not handed) or not kinds <= code.REGISTER.keys()
    if refused and "string" not in kinds:
        by_hand = not known and any(v.type.shape is None for v in graph.outputs)  # that of unknown rank runs on NumPy
        with nullcontext() if by_hand else pytest.raises(InvalidArgumentError, match="cannot be compiled"):
            native_executor.compile_graph(graph, True)
        return
    try:
        compiled = native_executor.compile_graph(graph, True)
    except InvalidArgumentError as error:
        assert "complex numbers" in str(error) and kinds & {"complex64", "complex128"}
        return
    assert (
        handed
        or isinstance(compiled, regions.Region)
        or None in [v.type.shape for v in graph.outputs]
        or "string" in kinds
    )
    for mine, wanted in zip(compiled(*inputs), run(op, inputs, attributes), strict=True):
        close(mine, wanted)


# Numbers.

INTEGERS = ("int8", "uint8", "int16", "int32", "uint32", "int64", "uint64")
FLOATS = ("float32", "float64")
BINARY = "add subtract multiply floor_divide mod maximum minimum bitwise_and bitwise_or bitwise_xor".split()
_compiled = {}


def both(name, dtypes, inputs, attributes=None):
    """What native code and NumPy make of an operation on arrays of known dtypes and open length."""
    key = name, dtypes, str(attributes)
    if key not in _compiled:
        types = [TensorType(tf.as_dtype(d), (None,)) for d in dtypes]
        graph = graph_of(OPS[name], attributes or {}, types)
        _compiled[key] = native_executor.compile_graph(graph, True), numpy_executor.compile_graph(graph)
    return [run(*inputs)[0] for run in _compiled[key]]


@settings(deadline=None, max_examples=150)
@given(st.data())
def test_integers_wrap_and_divide_as_numpy_has_it(data):
    dtype = data.draw(st.sampled_from(INTEGERS))
    limits = np.iinfo(dtype)
    edges = [limits.min, limits.max, 0, 1, 2, 7, -1 if limits.min else 3]
    numbers = st.lists(st.sampled_from(edges) | st.integers(limits.min, limits.max), min_size=4, max_size=4)
    x, y = (np.array(data.draw(numbers), dtype) for _ in range(2))
    name = data.draw(st.sampled_from([*BINARY, "left_shift", "right_shift", "less", "equal"]))
    if "shift" in name:
        y = y % (2 * 8 * np.dtype(dtype).itemsize)
        y = np.abs(y).astype(dtype)
    mine, wanted = both(name, (dtype, dtype), (x, y))
    np.testing.assert_array_equal(mine, wanted, f"{name} of {x} and {y}")


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 3.0, np.inf, -np.inf, np.nan, 1e-40, 1e30, -1e30, 123.456]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize(
    "name", "add multiply divide floor_divide mod maximum minimum power less equal copysign".split()
)
def test_special_numbers_meet_as_in_numpy(name, dtype):
    pairs = np.array([(a, b) for a in SPECIAL for b in SPECIAL], dtype)
    mine, wanted = both(name, (dtype, dtype), (pairs[:, 0].copy(), pairs[:, 1].copy()))
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(mine, wanted, rtol=1e-6)
        zeros = (wanted == 0) & (name not in ("maximum", "minimum"))  # of zeros of both signs either is the larger
        np.testing.assert_array_equal(np.signbit(mine[zeros]), np.signbit(wanted[zeros]))


@pytest.mark.parametrize("source", [*INTEGERS, *FLOATS, "bool"])
@pytest.mark.parametrize("target", [*INTEGERS, *FLOATS, "bool"])
def test_casts(source, target):
    values = np.array([0, 1, 2, 3, 100, 127], source)
    if source in FLOATS:
        fits = [-1.9, 1.9, 0.4] if not target.startswith("u") else [1.9, 0.4]
        values = np.concatenate([values, np.array(fits, source)])
    mine, wanted = both("cast", (source,), (values,), {"dtype": tf.as_dtype(target)})
    assert mine.dtype == wanted.dtype
    np.testing.assert_array_equal(mine, wanted)


# The errors that the module of these functions states, in units in the last place of the result.
ERRORS = {"exp": 1.5, "expm1": 3, "log": 1.5, "log1p": 3, "tanh": 4, "sigmoid": 4, "erf": 3}
EXACT = {"sigmoid": lambda x: 1 / (1 + np.exp(-x)), "erf": np.vectorize(math.erf, [np.float64])}  # where not NumPy's


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ERRORS)
def test_functions_keep_their_stated_error(name, dtype):
    if dtype == "float64" and np.finfo(np.longdouble).nmant < 60:
        pytest.skip("there are no longer numbers to compare with")
    draw = np.random.default_rng(0)
    near, far = draw.uniform(-1, 1, 20_000), draw.uniform(-80, 80, 20_000)
    x = np.concatenate([near, far, near * 1e-5, [0.0, 1.0, -0.5]]).astype(dtype)
    if name.startswith("log"):
        x = np.abs(x) + np.array(1e-30 if name == "log" else 0, dtype)
    mine, _ = both(name, (dtype,), (x,))
    exact = x.astype(np.longdouble if dtype == "float64" else np.float64)
    wanted = EXACT[name](exact) if name in EXACT else getattr(np, name)(exact)
    unit = np.spacing(np.abs(wanted).astype(dtype)).astype(exact.dtype)
    errors = np.abs(mine.astype(exact.dtype) - wanted) / unit
    assert errors.max() <= ERRORS[name], (x[errors.argmax()], errors.max())


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", ERRORS)
def test_functions_at_the_ends_of_their_range(name, dtype):
    x = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 200.0, -200.0, 1000.0, -1000.0], dtype)
    mine, wanted = both(name, (dtype,), (x,))
    np.testing.assert_allclose(mine, wanted, rtol=1e-5, atol=np.finfo(dtype).tiny)


# What goes in and comes out.


def test_inputs_in_any_order_of_memory():
    @tf.function(jit_compile=True)
    def f(x):
        return x * 2, np.sum(x)

    x = np.arange(12.0).reshape(3, 4)
    for given_ in (x, x.T, x[:, ::2], x[::-1], np.asfortranarray(x), x.astype(">f8"), x.astype(np.float32)[1:]):
        doubled, total = f(given_)
        np.testing.assert_array_equal(doubled, given_ * 2)
        assert float(total) == given_.sum()


def test_results_of_unknown_size_and_none():
    @tf.function(jit_compile=True)
    def f(n):
        i = 0
        out = []
        while i < n:
            out.append(i * i)
            i += 1
        return out, tf.range(n)

    for n in (0, 1, 5, 1000):
        squares, numbers = f(tf.constant(n))
        assert [int(s) for s in squares] == [i * i for i in range(n)] and numbers.shape == (n,)


def test_an_argument_is_not_changed_by_work_in_place():
    @tf.function(jit_compile=True)
    def f(x):
        i = 0
        while i < 3:
            x = x + 1.0
            i += 1
        return x

    x = tf.constant(np.zeros(1000))
    assert float(f(x)[0]) == 3.0 and float(x[0]) == 0.0
    first, second = f(x), f(x)
    assert first.array is not second.array


def test_memory_is_given_back():
    @tf.function(jit_compile=True)
    def f(n):
        x = tf.zeros(1_000_000)
        i = 0
        while i < n:
            x = x + 1.0
            i += 1
        assert x[0] < 3.0
        return tf.boolean_mask(x, x > 1.0) if False else x[: n * 1000]

    def size():
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    if not sys.platform.startswith("linux"):
        pytest.skip("there is no /proc")
    f(tf.constant(2))
    before = size()
    for _ in range(100):
        f(tf.constant(2))
        with pytest.raises(AssertionError):
            f(tf.constant(5))
    assert size() - before < 40_000_000  # one leaked array a call would be 800,000,000


# Failures: NumPy says what went wrong, in the user's line.


@pytest.mark.parametrize("what, bad", [("index", 10), ("assertion", -1), ("raise", 3)])
def test_errors_are_those_of_the_numpy_executor(what, bad):
    def f(x, n):
        total = 0.0
        i = 0
        while i <= n:
            total = total + x[i]
            i += 1
        assert n >= 0, "negative"
        if n == 3:
            raise KeyError("three")
        return total

    x = tf.constant([1.0, 2.0, 3.0, 4.0])
    seen = []
    for jit_compile in (False, True):
        graph = tf.function(f, jit_compile=jit_compile)
        assert float(graph(x, tf.constant(1))) == 3.0
        with pytest.raises((InvalidArgumentError, IndexError, AssertionError, KeyError)) as caught:
            graph(x, tf.constant(bad))
        seen.append((type(caught.value), str(caught.value), getattr(caught.value, "__notes__", None)))
        assert float(graph(x, tf.constant(1))) == 3.0
    assert seen[0] == seen[1]


def test_recursion_without_end_is_an_error():
    @tf.function(jit_compile=True)
    def f(n):
        if n < 0:
            return n
        return f(n + 1) + 1

    with pytest.raises(RecursionError):
        f(tf.constant(1))


def test_recursion_deeper_than_pythons():
    @tf.function(jit_compile=True)
    def f(n):
        if n < 1:
            return n
        return f(n - 1) + 1

    assert int(f(tf.constant(3000))) == 3000


def test_what_cannot_be_compiled_is_named_with_its_line():
    @tf.function(jit_compile=True)
    def f(x):
        y = x + 1.0
        return (y * 1j) ** 2.5

    with pytest.raises(InvalidArgumentError, match="'power' cannot be compiled") as caught:
        f(np.eye(2))
    assert "return (y * 1j) ** 2.5" in str(caught.value) and f.python_function.__code__.co_filename in str(caught.value)
    f.jit_compile = None
    linecache.checkcache()


# Effects stay in order around native code.


@pytest.mark.parametrize(
    "shape, operations, everything, wanted",
    [((2,), 1, True, True), ((), 1, True, False), ((), 5, True, False), ((), 6, True, True), ((2,), 9, False, False)],
)
def test_what_is_more_work_than_a_call_is_compiled_beside_what_python_runs(shape, operations, everything, wanted):
    def f(x):
        for _ in range(operations):
            x = x * 1.5
        tf.print("x", x)
        return x

    graph = tf.function(f, autograph=False).get_concrete_function(tf.TensorSpec(shape, tf.float32)).graph
    found = [node.op.name for node in regions._Division(everything, {}).graph(graph).nodes]
    assert ("native" in found) == wanted


def test_printing_between_native_parts(capsys):
    @tf.function(jit_compile=True)
    def f(n):
        total = 0
        i = 0
        while i < n:
            total += i * i
            i += 1
        tf.print("total", total)
        while i < 2 * n:
            total += i
            i += 1
            if i % 2 == 0:
                tf.print("at", i)
        return total

    assert native(f.python_function, tf.constant(3)) >= 1
    assert int(f(tf.constant(3))) == 5 + 12
    assert capsys.readouterr().err == "total 5\nat 4\nat 6\n"


def test_calls_of_python_and_random_numbers_hand_back():
    @tf.function(jit_compile=True)
    def f(x):
        i = 0
        while i < 10:
            x = x + 1.0
            i += 1
        y = tf.py_function(lambda v: v.numpy() * 2, [x], tf.float32)
        return y + tf.random.uniform([]) * 0.0

    assert float(f(tf.constant(1.0))) == 22.0


class Counter:
    def __init__(self):
        self.total = tf.Variable(np.zeros(3, np.float32))
        self.steps = tf.Variable(0)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_variables(jit_compile):
    state = Counter()

    @tf.function(jit_compile=jit_compile)
    def f(x, n):
        before = state.total.read_value()
        i = 0
        while i < n:
            state.total.assign_add(x)
            if i % 2 == 0:
                state.steps.assign(state.steps + 1)
            state.total.assign(state.total * 2.0)
            i += 1
        after = state.total + 0.0
        state.total.assign_sub(x)
        return before, after, state.steps * 10

    x = tf.constant([1.0, 2.0, 3.0])
    before, after, steps = f(x, tf.constant(3))
    held = state.total.value()
    np.testing.assert_array_equal(before, [0, 0, 0])
    np.testing.assert_array_equal(after, [14, 28, 42])
    np.testing.assert_array_equal(state.total.numpy(), [13, 26, 39])
    assert int(steps) == 20 and int(state.steps) == 2
    f(x, tf.constant(1))
    np.testing.assert_array_equal(held, [13, 26, 39])  # a value that was read stays what it was
    np.testing.assert_array_equal(state.total.numpy(), [27, 54, 81])


@pytest.mark.parametrize("jit_compile", [False, True])
def test_what_was_read_before_a_branch_or_loop_writes_stays(jit_compile):
    v = tf.Variable(np.arange(4.0))

    @tf.function(jit_compile=jit_compile)
    def f(x, n):
        double = v * 2.0
        held = v.read_value()
        if n > 0:
            v.assign(x)
        shifted = v + 1.0
        i = 0
        while i < n:
            v.assign_add(x)
            i += 1
        return double, held, shifted, v * 1.0

    before = np.arange(4.0)
    for n in (0, 1, 3):
        x = np.full(4, 10.0 + n)
        found = f(x, tf.constant(n))
        written = x if n else before
        for mine, wanted in zip(found, (before * 2, before, written + 1, written + n * x)):
            np.testing.assert_array_equal(mine, wanted)
        before = written + n * x


@pytest.mark.parametrize("jit_compile", [False, True])
def test_a_variable_keeps_what_was_assigned_before_an_error(jit_compile):
    v = tf.Variable(0)

    @tf.function(jit_compile=jit_compile)
    def f(n):
        i = 0
        while i < n:
            v.assign_add(1)
            assert i < 3
            i += 1
        return v.read_value()

    with pytest.raises(AssertionError):
        f(tf.constant(10))
    assert int(v) == 4


@pytest.mark.numpy_may_take_over  # one place in memory has two names
@pytest.mark.parametrize("jit_compile", [False, True])
def test_one_variable_under_two_names(jit_compile):
    v = tf.Variable(1.0)

    @tf.function(jit_compile=jit_compile)
    def f(a):
        a.assign_add(1.0)
        v.assign(v * 10.0)
        return a + v

    assert float(f(v)) == 40.0 and float(v) == 20.0


# Generated programs.

_REFUSALS = [StagingError, tf.errors.OperatorNotAllowedInGraphError]


def outcomes(text, how):
    """What calls of a program on arrays give, with the Variable and the arrays afterwards; `how` makes it a graph."""
    variable = tf.Variable(np.arange(4.0) * 0.1)
    function = how(load(text, np=np, tf=tf, V=variable))
    draw = np.random.default_rng(0).standard_normal
    x, y = draw((3, 4)), draw(4)
    found = []
    for n in (0, 1, 3):
        given = x.copy(), y.copy()
        try:
            result = tf.nest.flatten(function(*given, np.int64(n)))
        except Exception as error:
            found.append(type(error))
            continue
        found.append([*map(np.asarray, result), variable.numpy(), *given])
    return found


@settings(deadline=None, max_examples=40, suppress_health_check=list(HealthCheck))
@given(array_programs())
def test_programs_on_arrays(text):
    with np.errstate(all="ignore"):
        plain = outcomes(text, lambda f: f)
        for jit_compile in (False, True):
            made = outcomes(text, functools.partial(tf.function, jit_compile=jit_compile))
            for mine, wanted in zip(made, plain, strict=True):
                if any(mine is refusal for refusal in _REFUSALS) or isinstance(wanted, type):
                    break  # with eager tensors, which cannot be written, a program may end where its graph goes on
                for a, b in zip(mine, wanted, strict=True):
                    np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-8)


# Which executor.


def test_loops_are_compiled_by_themselves_and_other_graphs_are_not():
    def loop(x):
        while x < 10.0:
            x = x * 2.0
        return x

    def straight(x):
        return x * 2.0 + 1.0

    for function, expected in ((loop, True), (straight, False)):
        concrete = tf.function(function).get_concrete_function(tf.constant(1.0))
        assert isinstance(concrete._execute, regions.Region) == expected
        off = tf.function(function, jit_compile=False).get_concrete_function(tf.constant(1.0))
        assert not isinstance(off._execute, regions.Region)


def test_calls_from_many_threads():
    @tf.function(jit_compile=True)
    def f(x):
        total = 0.0
        i = 0
        while i < 200:
            total = total + np.sum(np.tanh(x * total))
            i += 1
        return total

    xs = [tf.constant(np.full(50, k / 10, np.float32)) for k in range(8)]
    wanted = [float(f(x)) for x in xs]
    found = [None] * 8

    def work(k):
        for _ in range(20):
            found[k] = float(f(xs[k]))

    threads = [threading.Thread(target=work, args=(k,)) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == wanted


def test_many_elements_are_divided_among_threads():
    @tf.function(jit_compile=True)
    def f(x):
        return np.tanh(x) * 2.0 + 1.0

    for count in (1, 63, 300_001, 1_000_000):
        x = np.linspace(-4, 4, count).astype(np.float32)
        np.testing.assert_allclose(f(x), np.tanh(x) * 2 + 1, rtol=1e-5, atol=1e-6)


def test_a_graph_in_a_graph_and_a_signature_of_open_shape():
    @tf.function(input_signature=[tf.TensorSpec([None, None], tf.float32)], jit_compile=True)
    def rows(x):
        return x / np.sum(x, axis=1, keepdims=True), np.max(x, axis=0), x.T @ x

    for shape in ((2, 3), (5, 1), (1, 1), (40, 70)):
        x = np.random.default_rng(0).random(shape).astype(np.float32)
        share, top, product = rows(x)
        np.testing.assert_allclose(share, x / x.sum(1, keepdims=True), rtol=1e-5)
        np.testing.assert_array_equal(top, x.max(0))
        np.testing.assert_allclose(product, x.T @ x, rtol=1e-4)


def test_winograds_way_is_close():
    draw = np.random.default_rng(0).standard_normal
    for size in ((1, 16, 16), (2, 13, 19), (3, 12, 12)):
        x, w = draw((*size, 32)).astype(np.float32), draw((3, 3, 32, 40)).astype(np.float32)
        for padding in ("SAME", "VALID"):

            def f(x, w, padding=padding):
                return tf.nn.conv2d(x, w, 1, padding)

            mine, wanted = tf.function(f, jit_compile=True)(x, w), f(x.astype(np.float64), w.astype(np.float64))
            assert np.abs(np.asarray(mine) - np.asarray(wanted)).max() < 1e-4


def agrees(f, arguments, specs=None):
    """Whether native code gives what NumPy gives, but for the order of additions."""
    mine = tf.function(f, jit_compile=True, input_signature=specs)(*arguments)
    wanted = tf.function(f, jit_compile=False)(*arguments)
    error = {"float32": 2e-6, "float64": 5e-15}[wanted.dtype.name]
    scale = max(1.0, np.abs(np.asarray(wanted)).max(initial=0))
    assert mine.shape == wanted.shape
    np.testing.assert_allclose(mine, wanted, rtol=0, atol=60 * error * scale)


@pytest.mark.sampled(6, each="divisor")
@pytest.mark.parametrize("dtype", ["int8", "int32", "int64", "uint8", "uint64"])
@pytest.mark.parametrize("divisor", [0, 1, -1, 2, -2, 3, -3, 4, -4, 7, 100, -128])
def test_division_by_a_known_integer(divisor, dtype):
    if divisor < 0 and dtype.startswith("u"):
        return
    info = np.iinfo(dtype)
    x = np.array([0, 1, 2, 3, 5, 6, 7, 8, 100, info.max, info.min, info.min + 1, -1 if info.min else 1], dtype)
    one = np.dtype(dtype).type(divisor)
    for f in (lambda x: x % one, lambda x: x // one, lambda x: [k % one for k in x], lambda x: [k // one for k in x]):
        with np.errstate(all="ignore"):
            wanted = f(x)
        np.testing.assert_array_equal(np.asarray(tf.function(f, jit_compile=True)(x)), wanted)


@given(st.data())
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
def test_convolutions_of_any_size(data):
    pick = lambda *choices: data.draw(st.sampled_from(choices))
    images, height, width, channels = pick(1, 2, 5), pick(1, 5, 13, 24), pick(3, 7, 16, 33), pick(1, 3, 16, 33)
    rows, columns, units = pick(1, 2, 3, 5), pick(1, 3, 4), pick(1, 7, 16, 31, 48, 100)
    strides, dilations = pick((1, (1, 1)), ((2, 1), (1, 1)), (3, (1, 1)), (1, (2, 1)), (1, (1, 2)))
    padding = pick("SAME", "VALID")
    if padding == "VALID" and ((rows - 1) * dilations[0] >= height or (columns - 1) * dilations[1] >= width):
        padding = "SAME"
    draw, dtype = np.random.default_rng(0).standard_normal, pick(np.float32, np.float64)
    x = draw((images, height, width, channels)).astype(dtype)
    w = draw((rows, columns, channels, units)).astype(dtype)
    specs = [tf.TensorSpec((None, *x.shape[1:]), dtype), tf.TensorSpec(w.shape, dtype)] if pick(True, False) else None
    agrees(lambda x, w: tf.nn.conv2d(x, w, strides, padding, dilations=dilations), (x, w), specs)


# Sizes of images, with their channels; windows, with the channels of a group and units; strides, dilations, padding.
SPREAD = [
    ((9, 2), (3, 2, 3), 1, 2, "SAME"),
    ((9, 2), (3, 2, 3), 2, 2, "VALID"),
    ((9, 2), (3, 2, 2), 2, 1, [[0, 0], [3, 1], [0, 0]]),
    ((9, 4), (3, 2, 6), 2, 1, "SAME"),
    ((7, 6, 2), (2, 3, 2, 3), 1, (3, 1), "SAME"),
    ((7, 6, 2), (3, 2, 2, 3), 1, (2, 3), "VALID"),
    ((7, 6, 2), (3, 2, 2, 3), (2, 3), 1, "VALID"),
    ((7, 6, 2), (3, 3, 2, 2), (2, 1), 1, [[0, 0], [3, 0], [0, 4], [0, 0]]),
    ((7, 6, 4), (2, 3, 2, 6), (1, 2), 1, "SAME"),
    ((0, 6, 2), (2, 3, 2, 3), 1, 1, [[0, 0], [2, 1], [0, 0], [0, 0]]),
    ((7, 6, 2), (2, 3, 2, 0), 1, 1, "SAME"),
    ((7, 6, 5, 2), (2, 2, 3, 2, 3), 1, (2, 3, 1), "SAME"),
    ((7, 6, 5, 2), (3, 2, 3, 2, 3), 1, (2, 3, 1), "VALID"),
    ((7, 6, 5, 2), (2, 1, 3, 2, 3), 1, (1, 2, 1), [[0, 0], [1, 0], [0, 2], [2, 1], [0, 0]]),
    ((7, 6, 5, 2), (2, 1, 3, 2, 3), 1, (3, 1, 1), [[0, 0], [2, 4], [1, 0], [3, 0], [0, 0]]),
    ((7, 6, 5, 2), (3, 2, 2, 2, 3), 1, (1, 2, 2), "SAME"),
    ((7, 6, 5, 2), (3, 2, 2, 2, 3), (2, 1, 1), 1, "SAME"),
    ((7, 6, 5, 2), (3, 2, 3, 2, 3), (1, 2, 3), 1, "VALID"),
    ((7, 6, 5, 4), (3, 2, 2, 2, 6), 1, (1, 2, 1), "SAME"),
    ((7, 0, 5, 2), (3, 2, 2, 2, 3), 1, 1, [[0, 0], [0, 0], [1, 2], [0, 0], [0, 0]]),
    ((7, 6, 5, 2), (3, 2, 2, 2, 0), 1, 1, "SAME"),
    ((3, 4, 2, 1), (3, 2, 2, 1, 9), 1, (1, 3, 1), "VALID"),
    ((5, 4, 3, 2), (1, 1, 1, 2, 4), 1, 1, "VALID"),
    ((5, 5, 5, 2), (2, 2, 2, 2, 3), 3, 1, [[0, 0], [1, 0], [1, 0], [1, 0], [0, 0]]),
]
# Which axes are of a known size: where there are groups, the last two tell how many.
KNOWN = {"all": lambda i, rank: True, "some": lambda i, rank: i >= rank - 2, "none": lambda i, rank: False}


@pytest.mark.parametrize("known", KNOWN)
@pytest.mark.parametrize("size, window, strides, dilations, padding", SPREAD, ids=str)
def test_convolutions_and_their_gradients_in_one_to_three_dimensions(size, window, strides, dilations, padding, known):
    draw = np.random.default_rng(0).standard_normal
    x, w = draw((2, *size)), draw(window)

    def f(x, w, weights):
        with tf.GradientTape() as tape:
            tape.watch([x, w])
            made = tf.nn.convolution(x, w, strides, padding, dilations=dilations)
            total = np.sum(made * weights)
        return np.concatenate([np.ravel(v) for v in (made, *tape.gradient(total, [x, w]))])

    arguments = x, w, draw(tf.nn.convolution(x, w, strides, padding, dilations=dilations).shape)
    known = "some" if window[-2] != size[-1] and known == "none" else known
    dims = [[d if KNOWN[known](i, v.ndim) else None for i, d in enumerate(v.shape)] for v in arguments]
    agrees(f, arguments, [tf.TensorSpec(some, np.float64) for some in dims])


@pytest.mark.parametrize("jit_compile", [False, True])
@pytest.mark.parametrize("rank", [1, 2, 3])
def test_channels_that_only_the_graph_knows_have_to_go_together(rank, jit_compile):
    specs = [tf.TensorSpec([None] * (rank + 2), np.float64)] * 2
    f = tf.function(lambda x, w: tf.nn.convolution(x, w, 1, "SAME"), input_signature=specs, jit_compile=jit_compile)
    x, w = np.ones((2, *(4,) * rank, 3)), np.ones((*(2,) * rank, 3, 2))
    assert f(x, w).shape == (*x.shape[:-1], 2)
    for channels in (2, 4):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            f(x[..., :1].repeat(channels, -1), w)


@pytest.mark.parametrize("jit_compile", [False, True])
def test_images_of_a_size_that_results_do_not_come_from_are_refused(jit_compile):
    specs = [tf.TensorSpec([None] * 4, np.float64)] * 2
    f = tf.function(
        lambda x, w: tf.nn.conv2d_transpose(x, w, [2, 9, 8, 3], 2, "VALID"),
        input_signature=specs,
        jit_compile=jit_compile,
    )
    x, w = np.ones((2, 4, 4, 5)), np.ones((2, 2, 3, 5))
    assert f(x, w).shape == (2, 9, 8, 3)
    for wrong in (x[:, :3], x[:, :, :3], x.repeat(2, 1), x[..., :4]):
        with pytest.raises((ValueError, tf.errors.InvalidArgumentError)):
            f(wrong, w)


@given(st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_products_of_any_size(data):
    pick = lambda *choices: data.draw(st.sampled_from(choices))
    m, k, n = (pick(0, 1, 2, 3, 7, 16, 33, 100) for _ in range(3))
    draw, dtype, (batch, other) = (
        np.random.default_rng(0).standard_normal,
        pick(np.float32, np.float64),
        pick(((), ()), ((3,), ()), ((), (2,)), ((3,), (3,)), ((2, 1), (3,))),
    )
    turned, turned_other = pick(True, False), pick(True, False)
    a = draw((*batch, *((k, m) if turned else (m, k)))).astype(dtype)
    b = draw((*other, *((n, k) if turned_other else (k, n)))).astype(dtype)
    specs = [tf.TensorSpec((None,) * x.ndim, dtype) for x in (a, b)] if pick(True, False, False) else None
    agrees(lambda a, b: tf.matmul(a, b, transpose_a=turned, transpose_b=turned_other), (a, b), specs)


def test_products_that_are_divided_among_threads():
    draw = np.random.default_rng(0).standard_normal
    for m, k, n in ((2000, 300, 40), (40, 300, 2000), (5000, 700, 10), (600, 601, 602)):
        agrees(lambda a, b: a @ b, (draw((m, k)).astype(np.float32), draw((k, n)).astype(np.float32)))


SHAPES_THAT_MEET = [
    [(2, 1), (2, 3)],
    [(3,), (2, 1)],
    [(1,), (4,)],
    [(2, 1), (1, 3), (2, 3)],
    [(1, 1), (3,)],
    [(0,), (1,)],
]


@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("shapes", SHAPES_THAT_MEET, ids=str)
def test_numbers_of_elements_are_broadcast(shapes, known):
    x = np.arange(60.0).reshape(3, 4, 5)
    at = [np.arange(np.prod(shape)).reshape(shape) % 3 for shape in shapes]

    def set_part(x, *at):
        x[at] = 7
        return x

    def add_to_part(x, *at):
        np.add.at(x, at, 1.5)
        return x

    specs = [tf.TensorSpec((None,) * v.ndim, v.dtype) for v in (x, *at)]
    for f in (lambda x, *at: x[at], lambda x, *at: x[:, *at] if len(at) < 3 else x[at], set_part, add_to_part):
        graph = tf.function(f, jit_compile=True, input_signature=None if known else specs)
        np.testing.assert_array_equal(graph(x.copy(), *at), f(x.copy(), *at))
    for wrong in (3, -4):  # there are three along the first axis
        if at[0].size:
            with pytest.raises(IndexError):
                tf.function(lambda x, *at: x[at], jit_compile=True)(x, np.full_like(at[0], wrong), *at[1:])


@pytest.mark.parametrize("there", [True, False])
def test_products_are_left_to_blas_where_it_can_be_called(there, monkeypatch):
    if there and not blas.found():
        pytest.skip("NumPy's BLAS is not one that can be called")
    asked, symbol = [], blas._symbol
    monkeypatch.setattr(blas, "found", lambda: there)
    monkeypatch.setattr(blas, "_symbol", lambda code, name, *more: asked.append(name) or symbol(code, name, *more))
    draw = np.random.default_rng(0).standard_normal
    for dtype in (np.float64, np.float32):
        a = draw((40, 30)).astype(dtype)
        for f in (lambda a: a @ a.T, lambda a: a.T @ a):
            agrees(f, (a,), [tf.TensorSpec((None, None), dtype)])
    assert any("gemm" in name for name in asked) == there


def test_an_executor_is_there_if_what_it_requires_is_installed():
    for requires, there in ((None, True), ("numpy", True), ("no_such_package_at_all", False)):
        assert registry.Executor("one", native_executor.__name__, requires).is_there == there


@pytest.mark.parametrize("nested", [False, True], ids=["alone", "in lanes"])
@pytest.mark.parametrize("kind", [tf.constant, np.float64], ids=["tensor", "number"])
def test_a_loop_that_does_not_end_can_be_interrupted(nested, kind):
    def alone(x, n):
        while x > n:
            x = x * 1.0000001 % 7.0 + 1.0
        return x

    def in_lanes(x, n):
        total = 0.0
        for i in range(100):
            y = x + i
            while y > n:
                y = tf.math.abs(y * 0.999) + 1.0
            total += y
        return total

    f = tf.function(in_lanes if nested else alone, jit_compile=True)
    ends = kind(0.5), kind(1000.0)
    before = float(f(*ends)), float(f(*ends))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    faulthandler.dump_traceback_later(60, exit=True)  # rather than never to end
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        f(kind(2.0), kind(0.5))
    timer.join()
    faulthandler.cancel_dump_traceback_later()
    signal.signal(signal.SIGINT, handler)
    assert (float(f(*ends)), float(f(*ends))) == before


# The cache on disk.


def test_compiled_code_is_kept_on_disk(tmp_path):
    program = (
        "import numpy as np, runtime as tf\n"
        "from runtime.executors.native import machine\n"
        "compiled = []\n"
        "optimised = machine._optimised\n"
        "machine._optimised = lambda *a: compiled.append(1) or optimised(*a)\n"
        "def f(x):\n    while x < 100.0:\n        x = x * 2.0\n    return x\n"
        "print(float(tf.function(f, jit_compile=True)(tf.constant(3.0))), len(compiled))\n"
    )
    path = tmp_path / "program.py"
    path.write_text(program)
    seen = []
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, str(path)], capture_output=True, text=True, check=True,
            env={"AUTOGRAPH_NATIVE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": ":".join(sys.path)},
        )  # fmt: skip
        seen.append(done.stdout.split())
    assert seen == [["192.0", "3"], ["192.0", "0"]]  # the function, the way into native code, and its look for signals


def test_the_layout_of_arrays_is_as_native_code_takes_it():
    from runtime.executors.native import entry_points

    array = np.zeros((3, 5), np.int16)
    words = (ctypes.c_size_t * 10).from_address(id(array))
    assert words[entry_points.DATA // 8] == array.ctypes.data
    assert words[entry_points.DTYPE // 8] == id(array.dtype)
    sizes = (ctypes.c_size_t * 2).from_address(words[entry_points.DIMS // 8])
    assert list(sizes) == [3, 5]


@pytest.mark.parametrize("failures", [1, 2])
def test_what_llvm_makes_of_a_loop_is_done_without_where_it_is_not_well_formed(monkeypatch, failures):
    import llvmlite.binding as llvm

    asked, verify = [], llvm.ModuleRef.verify

    def fails(module):
        asked.append(module)
        if len(asked) in (2, 4)[:failures]:  # once before the passes, once after
            raise RuntimeError("Instruction does not dominate all uses!")
        verify(module)

    monkeypatch.setattr(llvm.ModuleRef, "verify", fails)
    monkeypatch.setenv("AUTOGRAPH_NATIVE_CACHE", "")

    @tf.function(jit_compile=True)
    def f(x, n):
        total = 0.0
        for i in range(n):
            total += x[i] * 3.0 + i
        return total

    assert float(f(np.arange(9.0), np.int64(9))) == 144.0
    assert len(asked) >= 2 + 2 * failures


TURNED = [
    "a @ a[::-1].T", "a[::-1] @ a.T", "(a @ a[::-1].T)[:1]", "a[:1] @ a[::-1].T", "a[::-1] @ v", "a.T[::-1] @ a",
    "a[:, ::-1] @ a.T", "np.broadcast_to(v, (3, len(v))) @ a.T", "a[::-2] @ a.T", "a[1:] @ a.T", "a[:, 1:] @ a.T[1:]",
    "v[::-1] @ a.T", "a.T[::-1].T @ a.T",
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("known", [True, False])
@pytest.mark.parametrize("expression", TURNED)
def test_products_of_matrices_whose_lines_go_back_or_stand_still(expression, known, dtype):
    """BLAS takes neither, and leaves what was in the memory of the result."""
    f = load(f"def f(a, v):\n    return {expression}\n", np=np)
    a, v = np.arange(12).reshape(3, 4).astype(dtype), np.array([1, -2, 3, -4], dtype)
    spec = [tf.TensorSpec(x.shape if known else [None] * x.ndim, dtype) for x in (a, v)]
    np.testing.assert_allclose(tf.function(f, jit_compile=True, input_signature=spec)(a, v), f(a, v), rtol=1e-5)


def test_rolled_rows_of_a_small_array_beside_a_loop_are_good_code():
    """LLVM 22 makes code that it refuses itself, and ends the process, of rows written in another order."""

    def above(values):
        for i, value in enumerate(values):
            if value > 0:
                return i
        return -1

    def f(a, b, n):
        for _ in reversed(range(n)):
            n = 2
        return n, np.sum(np.roll(a, 2, axis=0) > 0) if above(b) == 0 else n

    given = np.ones((3, 4)), np.ones(4), np.int64(1)
    assert [int(v) for v in tf.function(f, numpy=True, jit_compile=True)(*given)] == [2, 12]
