import numpy as np
import pytest

import runtime
from autograph import StagingError, operators as ag__


def test_a_value_is_what_it_is():
    value = object()
    assert ag__.read(value) is value


def test_an_unbound_variable_is_refused_where_a_clause_would_catch_it():
    @runtime.function
    def f(n):
        if n > 2:
            late = n
        try:
            kept = (late, 1)
        except NameError:
            kept = (n, 0)
        return kept

    with pytest.raises(StagingError, match=r"UnboundLocalError is raised only when.*would catch it"):
        f(np.int64(3))


def test_what_is_surely_bound_is_read_in_a_graph():
    @runtime.function
    def f(n):
        for i in range(n):
            last = i
        with np.errstate():
            kept = [last, n]
        return kept

    assert [int(x) for x in f(np.int64(3))] == [2, 3]
