"""The kernels of the benchmarks give what plain NumPy gives, in the same arrays, on each executor."""

import importlib.util

import numpy as np
import pytest

import runtime
from benchmarks.kernels import DRAWING, KERNELS
from runtime.executors.numpy import reuse
from tests.exactly import difference
from tests.programs import EXECUTORS, unrolled

native = pytest.mark.skipif(importlib.util.find_spec("llvmlite") is None, reason="needs llvmlite")

# What has more operations: a loop that stays unrolled, and a dozen uses of a dictionary.
LARGER = {"conjugate_gradients": 1000, "distinct_in_windows": 1200, "orders_from_stock": 900}
MOST = 700  # operations of any other graph, however long its loops are


def flat(value):
    return [leaf for part in value for leaf in flat(part)] if isinstance(value, tuple | list) else [value]


def same(found, wanted):
    """Whether results are NumPy's; a Python number is a tensor as `runtime.constant` makes it."""
    if not isinstance(wanted, np.ndarray | np.generic) and type(found) is type(wanted):
        assert found == wanted
    else:
        kind = (wanted if isinstance(wanted, np.ndarray | np.generic) else runtime.constant(wanted).numpy()).dtype
        found = np.asarray(found)
        assert found.dtype == kind and found.shape == np.shape(wanted)
        places = 1e-5 if kind == np.float32 else 1e-10
        np.testing.assert_allclose(found, wanted, rtol=places, atol=places)


def check_exactly(kernel, jit_compile):
    """With results that are NumPy's, no difference is left."""
    mine, wanted = kernel.arguments(kernel.small), kernel.arguments(kernel.small)
    with np.errstate(all="ignore"):
        found = runtime.function(kernel.function, jit_compile=jit_compile, numpy=True)(*mine)
        expected = kernel.function(*wanted)
    assert not (difference(found, expected) or difference(mine, wanted, "the arguments"))


def check(kernel, jit_compile):
    mine, wanted = kernel.arguments(kernel.small), kernel.arguments(kernel.small)
    with np.errstate(all="ignore"):
        pairs = zip(
            flat(runtime.function(kernel.function, jit_compile=jit_compile)(*mine)),
            flat(kernel.function(*wanted)),
            strict=True,
        )
    for found, expected in [*pairs, *zip(mine, wanted, strict=True)]:
        same(found, expected)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("name", DRAWING)
def test_what_draws(name, jit_compile):
    kernel, states = DRAWING[name], []
    for function in (kernel.function, runtime.function(kernel.function, jit_compile=jit_compile, numpy=True)):
        result = function(*kernel.arguments(kernel.small))
        states.append((repr(np.asarray(result).tolist()), repr(np.random.get_state())))
    assert states[0] == states[1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", KERNELS)
def test_what_numpy_runs(name):
    check(KERNELS[name], False)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", KERNELS)
def test_the_default(name):
    check(KERNELS[name], None)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", KERNELS)
def test_what_numpy_runs_gives_numpys(name):
    check_exactly(KERNELS[name], False)


@pytest.mark.sampled(6)
@native
@pytest.mark.parametrize("name", KERNELS)
def test_machine_code(name):
    check_exactly(KERNELS[name], True)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", KERNELS)
def test_memory_that_nobody_needs_any_more(name, monkeypatch):
    """It is let go, or written again, as that of large arrays is."""
    monkeypatch.setattr(reuse, "_LARGE", 33)
    check_exactly(KERNELS[name], False)


@pytest.fixture
def every_loop():
    with unrolled(0):
        yield


@pytest.mark.sampled(4)
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("name", KERNELS)
def test_every_loop_as_one_of_the_graph(name, jit_compile, every_loop):
    check(KERNELS[name], jit_compile)


def operations(graph):
    return sum(1 + sum(map(operations, node.regions)) for node in graph.nodes)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", KERNELS)
def test_long_loops_make_small_graphs(name):
    kernel = KERNELS[name]
    graph = runtime.function(kernel.function).get_concrete_function(*kernel.arguments(kernel.large)).graph
    assert operations(graph) <= LARGER.get(name, MOST)
