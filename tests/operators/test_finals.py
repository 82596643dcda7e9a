import contextlib

import numpy as np
import pytest

import runtime
from autograph import operators as ag__


@pytest.mark.parametrize("error", [None, KeyError("k")])
@pytest.mark.parametrize("jumps", [True, False])
def test_a_clause_that_jumps_ends_the_exception(jumps, error):
    log = []
    ends = contextlib.nullcontext() if jumps or error is None else pytest.raises(KeyError)
    with ends, ag__.finally_(lambda: log.append("clause") or jumps):
        if error is not None:
            raise error
    assert log == ["clause"]


def test_an_error_in_the_clause_replaces_the_first():
    with pytest.raises(ZeroDivisionError) as error, ag__.finally_(lambda: 1 / 0):
        raise KeyError("first")
    assert isinstance(error.value.__context__, KeyError)


def clause(x):
    n = 0
    while n < 5:
        n = n + 1
        try:
            n = n + 1
        finally:
            if n > x:
                break
    return n


@pytest.mark.parametrize("x", [0, 3, 9])
def test_only_the_graph_knows_whether_it_jumps(x):
    assert int(runtime.function(clause)(np.int64(x))) == clause(x)
