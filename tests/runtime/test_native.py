"""The native executor: every operation against its kernel, and what else native code has to get right."""

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError
from runtime.executors import numpy as numpy_executor
from runtime.graph import TensorType
from runtime.ops import structure
from runtime.trace import Trace, apply, recording
from tests.runtime.test_ops import CASES, as_tuple, run, type_of

pytest.importorskip("llvmlite")
from runtime.executors.native import regions

# Operations without a native form: NumPy runs them, between native parts of the graph.
WITHOUT = set(
    """
    acosh angle boolean_mask bincount cholesky conj det diag einsum imag inverse is_close linspace list_concat
    list_scatter list_split logsumexp matrix_power nonzero norm
    """.split()
)


def graph_of(op, inputs, attributes, types):
    trace = Trace("f")
    values = [trace.input(t, "x") for t in types]
    from runtime.tensor import SymbolicTensor

    with recording(trace):
        outputs = as_tuple(apply(op, *(SymbolicTensor(trace, v) for v in values), **attributes))
    return trace.graph([o.value for o in outputs]).verify()


def native_parts(graph):
    """The graph as the native executor has it, and how many nodes of it are native code."""
    divided = regions.divide(graph, everything=False)
    return sum(node.op is structure.native for node in divided.walk())


def close(mine, wanted):
    """Equal, but for functions with a stated error and for the order of additions."""
    mine, wanted = np.asarray(mine), np.asarray(wanted)
    assert mine.dtype == wanted.dtype and mine.shape == wanted.shape
    if wanted.dtype.kind == "f":
        np.testing.assert_allclose(mine, wanted, rtol=2e-6 if wanted.dtype == np.float32 else 5e-15, atol=1e-30)
    else:
        np.testing.assert_array_equal(mine, wanted)


@pytest.mark.parametrize("known", [True, False], ids=["known", "open"])
@pytest.mark.parametrize("op, inputs, attributes", CASES)
def test_an_operation_gives_what_its_kernel_gives(op, inputs, attributes, known, monkeypatch):
    monkeypatch.setattr(regions, "_works", lambda run: True)
    types = [type_of(x) for x in inputs]
    if not known:
        types = [TensorType(t.dtype, (None,) * len(t.shape)) for t in types]
    try:
        graph = graph_of(op, inputs, attributes, types)
        compiled = regions.compile_graph(graph, everything=True)
    except InvalidArgumentError as error:
        assert "cannot be compiled" in str(error)
        pytest.skip(str(error).splitlines()[0])
    for mine, wanted in zip(compiled(*inputs), run(op, inputs, attributes), strict=True):
        close(mine, wanted)


_ = (tf, numpy_executor, WITHOUT)
