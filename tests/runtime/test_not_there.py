"""What is known of an array or a number without the graph is asked of it only where it is there."""

import numpy as np
import pytest

import runtime
from tests.exactly import difference
from tests.programs import EXECUTORS, load

KNOWN = [
    "len(p)",
    "p.shape",
    "p.ndim",
    "p.size",
    "p.dtype",
    "p.nbytes",
    "p.itemsize",
    "np.ones(len(p))",
    "p.shape[0] + 1",
]
KNOWN += ["0 if p is None else len(p)", "p is not None and p.shape", "[i for i in range(len(p))]"]


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("known", KNOWN)
def test_none_has_no_size(known, jit_compile):
    f = load(f"def f(m):\n    p = None\n    if m[0] > 1: p = m + 1\n    return {known}\n", np=np)
    graph = runtime.function(f, numpy=True, jit_compile=jit_compile)
    for given in (np.arange(2.0, 5.0), np.arange(3.0)):
        try:
            expected = f(given)
        except (AttributeError, TypeError):
            with pytest.raises(TypeError, match="'p' .* is None"):
                graph(given)
        else:
            assert not difference(graph(given), expected)
