"""The table of NumPy's public functions: each is staged, refused by name with what is near, or no matter of a graph."""

import itertools
import re
import warnings

import numpy as np
import pytest

import runtime as tf
from docs.__main__ import numpy_functions
from runtime.graph.op import NUMPY
from runtime.staging.numpy_protocol.coverage import State, functions, methods, table, ufunc_methods
from runtime.staging.numpy_protocol.meanings import FUNCTIONS, MAKERS, UFUNCS
from runtime.tensors.from_numpy import WRITERS
from tests.exactly import difference
from tests.programs import EXECUTORS, lacks_native_form, load, outcome
from tests.runtime.numpy_calls import CALLS
from tests.runtime.test_numpy_signatures import assert_same, plainly, staged, with_tensors

ROWS = {row.name: row for row in functions()}
TABLES = (FUNCTIONS, MAKERS, UFUNCS, NUMPY, WRITERS)


def function_of(name):
    found = np
    for part in name.split("."):
        found = getattr(found, part)
    return found


def of(*states):
    return [name for name, row in ROWS.items() if row.state in states]


def test_each_function_with_a_meaning_is_in_the_table():
    staged = [function_of(name) for name in of(State.NATIVE, State.NUMPY)]
    known = {f for t in TABLES for f in t if getattr(f, "__module__", None) or isinstance(f, np.ufunc)}
    assert not {f for f in known if f not in staged and getattr(np, f.__name__, None) is f}


def test_nothing_has_two_states():
    names = [row.name for row in functions()]
    assert len(names) == len(set(names)) > 400
    for name in of(State.PYTHON):
        assert not any(function_of(name) in t for t in TABLES), name


@pytest.mark.sampled(4)
@pytest.mark.skipif(True not in EXECUTORS, reason="needs llvmlite")
@pytest.mark.parametrize("name", [n for n in of(State.NATIVE, State.NUMPY) if function_of(n) in CALLS])
def test_what_is_said_to_be_native_is(name):
    """In one call at least; what NumPy runs is handed back to it between native regions."""
    function = function_of(name)

    def compiles(args, kwargs):
        try:
            with_tensors(function, args, kwargs, compiled)
        except tf.errors.InvalidArgumentError as error:
            assert "jit_compile=True" in str(error)
            return False
        return True

    def compiled(call, arrays):
        specs = [tf.TensorSpec(a.shape, a.dtype) for a in arrays]
        return tf.function(call, input_signature=specs, jit_compile=True).get_concrete_function()(*arrays)

    found = [compiles(args, kwargs) for args, kwargs in CALLS[function] if any_array([*args, *kwargs.values()])]
    assert any(found)


def any_array(values):
    return any(isinstance(v, np.ndarray) or (isinstance(v, list | tuple) and any_array(v)) for v in values)


@pytest.mark.parametrize("function", [f for f in CALLS if f is not np.shape], ids=lambda f: f.__name__)
def test_functions_of_unknown_shapes_are_numpys_or_refused(function):
    """Each call with no dimension known; where that is not enough, the error says so while tracing."""
    for args, kwargs in CALLS[function]:
        try:
            found = with_tensors(function, args, kwargs, staged(False, unknown=True))
        except (TypeError, ValueError, tf.errors.InvalidArgumentError) as error:
            assert re.search(r"known|unknown|graph|shape|size|dimension", str(error)), error
            continue
        assert_same(found, plainly(function, args, kwargs))


CALLED = {
    "apply_along_axis": lambda x: np.apply_along_axis(np.sum, 0, x),
    "apply_over_axes": lambda x: np.apply_over_axes(np.sum, x, 0),
    "histogramdd": lambda x: np.histogramdd([x, x]),
    "polyfit": lambda x: np.polyfit(x, x, 1),
}
TWO = "kaiser histogram2d nextafter gcd lcm ldexp polyadd polydiv polymul polysub linalg.tensorsolve".split()


@pytest.mark.parametrize("name", [n for n in of(State.REFUSED) if not n.startswith("random.")])
def test_what_is_refused_is_refused_by_name(name):
    function = function_of(name)
    call = CALLED.get(name, lambda x: function(x, x) if name in TWO else function(x))
    with pytest.raises(TypeError) as refused:
        tf.function(call)(np.array([1.0, 2.0, 4.0]))
    said = str(refused.value)
    if "has no staged meaning" in said:
        assert f"np.{name} " in said and (ROWS[name].instead in said)
    else:  # NumPy asks for a number, or an array
        assert "gets its value only when the graph runs" in said


@pytest.mark.parametrize("name", [n for n in of(State.DRAWN) if n not in ("random.default_rng", "random.seed")])
def test_what_draws_is_refused_by_name(name):
    last = name.partition(".")[2]
    drawn_by = {"ranf": "random_sample", "sample": "random_sample"}.get(last, last)
    f = load(f"def f(n):\n    return np.random.{last}(n)\n", np=np)
    try:
        tf.function(f)(np.int64(3))
    except TypeError as error:
        assert f"np.random.{drawn_by} draws" in str(error)
    else:
        raise AssertionError("it was drawn")


MORE = {
    "item": lambda a: (a[0].item(), a.item(1, 2), a.item(2), a[:1, :1].item()),
    "tolist": lambda a: a.tolist(),
    "mT": lambda a: a.mT,
    "nbytes": lambda a: a.nbytes + a.itemsize,
    "partition": lambda a: (a.partition(2), a)[1],
    "flat": lambda a: (a.flat[3], a.flat[1:4]),
    "T": lambda a: a.T,
    "real": lambda a: (a.real, a.imag),
    "sort": lambda a: (a.sort(0), a)[1],
    "fill": lambda a: (a[0].fill(9), a)[1],
    "put": lambda a: (a.put([0, 4], 7.0), a)[1],
}


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", MORE)
def test_methods_and_attributes_of_arrays(name, jit_compile):
    x = np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]])
    f = (lambda a: MORE["item"](np.stack([a, a]))[1:3]) if name == "item" else MORE[name]
    if name == "item":
        f = lambda a: (a.item(1, 2), a.item(2), a[:1, :1].item())
    wanted, found = f(x.copy()), tf.function(f, jit_compile=jit_compile)(x.copy())
    for a, b in zip(wanted, found) if isinstance(wanted, tuple) else [(wanted, found)]:
        np.testing.assert_array_equal(np.asarray(b), a)


@pytest.mark.parametrize("row", [r for r in methods() if r.state is State.REFUSED], ids=lambda r: r.name)
def test_methods_that_are_refused_say_so(row):
    def f(a):
        found = getattr(a, row.name)
        return found() if callable(found) else found

    with pytest.raises((TypeError, AttributeError), match=rf"{row.name}"):
        tf.function(f)(np.ones((2, 2)))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("row", [r for r in ufunc_methods() if not r.name.endswith(".at")], ids=lambda r: r.name)
def test_methods_of_universal_functions(row, jit_compile):
    name, _, method = row.name.partition(".")
    f = getattr(getattr(np, name), method)
    for x in (np.array([[3.0, 1.0, 2.0], [6.0, 5.0, 4.0]]), np.array([[3, 1, 2], [6, 5, 4]])):
        args = {"outer": [x, x[0]], "reduceat": [x, [0, 1]]}.get(method, [x])
        try:
            wanted = plainly(f, args, {})
        except TypeError:
            continue
        assert_same(with_tensors(f, args, {}, staged(jit_compile)), wanted)
        if method != "outer":
            assert_same(with_tensors(f, args, {"axis": 1}, staged(jit_compile)), plainly(f, args, {"axis": 1}))


KINDS = [np.bool, np.int8, np.uint8, np.int64, np.float32, np.float64]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("row", [r for r in ufunc_methods() if r.name.endswith(".at")], ids=lambda r: r.name)
def test_methods_that_combine_at_places(row, jit_compile):
    """In the dtype that both have together, one after the other at the same place, cut to that of the array."""
    ufunc = getattr(np, row.name.removesuffix(".at"))

    def f(a, at, values):
        ufunc.at(a, at, values)
        return a

    graph = tf.function(f, numpy=True, jit_compile=jit_compile)
    at = np.array([0, 2, 2, -1, 2])
    values = [np.array([1, 2, 3, 2, 1], kind) for kind in KINDS]
    for kind, given in itertools.product(KINDS, [*values, values[-1] + 0.75, values[3] * 100, 2, 1.5, np.float64(2.5)]):
        a = np.array([3, 1, 7, 5], kind)
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            wanted = outcome(f, a.copy(), at, given)
            if ufunc is np.power and np.result_type(a, np.asarray(given)).kind in "iub":
                wanted = "TypeError", wanted[1]  # NumPy asks while it computes whether an exponent is negative
            found = outcome(graph, a.copy(), at, given)
        if found[0] == "InvalidArgumentError" and lacks_native_form(found[1]):
            continue  # NumPy computes in float16 there
        assert found[0] == wanted[0], (kind, given, found)
        if wanted[0] == "returns":
            assert not difference(found[1], wanted[1]), (kind, given, difference(found[1], wanted[1]))


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", ["add", "multiply", "maximum", "logical_or", "bitwise_xor"])
def test_stretches_whose_starts_only_the_graph_knows(name, jit_compile):
    """They may lie anywhere, overlap, and be a single element each."""
    ufunc = getattr(np, name)

    def f(x, starts):
        return ufunc.reduceat(x, starts), ufunc.reduceat(np.multiply.outer(x, x), starts, axis=1)

    graph = tf.function(f, numpy=True, jit_compile=jit_compile)
    x = np.array([3, 1, 4, 1, 5, 9, 2])
    for starts in ([0, 2, 4], [3, 1, 1, 6, 0], [0], np.arange(7)):
        assert not difference(graph(x, np.array(starts)), f(x, starts))
    with pytest.raises(IndexError, match="out-of-bounds in"):
        graph(x, np.array([0, 7]))


def test_gradients_of_what_is_combined_at_places():
    """Those of what comes to one place several times, and of a number for all of them."""
    x, at = tf.constant(np.array([3.0, 1.0, 7.0])), np.array([0, 2, 2])
    for name in ("add", "subtract", "multiply", "divide", "maximum", "minimum"):
        ufunc = getattr(np, name)

        @tf.function
        def combined(x, values, ufunc=ufunc):
            a = np.zeros(3)
            a[...] = x
            ufunc.at(a, at, values)
            return tf.reduce_sum(a * np.array([1.0, 2.0, 3.0]))

        for values in (np.array([2.0, 1.5, 4.0]), np.array(2.5)):
            assert_gradients(combined, x, tf.constant(values))


def assert_gradients(f, *given):
    with tf.GradientTape() as tape:
        tape.watch(given)
        made = f(*given)
    for i, gradient in enumerate(tape.gradient(made, given)):
        values = [v.numpy() for v in given]
        for place in np.ndindex(values[i].shape):
            step = np.zeros(values[i].shape)
            step[place] = 1e-6
            higher, lower = (f(*values[:i], values[i] + s, *values[i + 1 :]) for s in (step, -step))
            np.testing.assert_allclose(gradient.numpy()[place], (higher - lower) / 2e-6, rtol=1e-6)


def test_the_page_has_each_function_once():
    page = numpy_functions()
    assert all(page.count(f"`{name}`") == 1 for name in ROWS)
    lines = [line for line in table(functions()).splitlines() if line.startswith("| staged |")]
    assert len(lines) == 1 and "`median`" in lines[0] and "`linalg.qr`" not in lines[0]
