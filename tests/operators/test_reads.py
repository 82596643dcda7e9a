import numpy as np

import runtime
from autograph import operators as ag__


def test_a_value_is_what_it_is():
    value = object()
    assert ag__.read(value) is value


def test_a_clause_catches_that_a_variable_is_unbound():
    @runtime.function
    def f(n):
        if n > 2:
            late = n
        try:
            kept = (late, 1)
        except NameError:
            kept = (n, 0)
        return kept

    assert [[int(x) for x in f(np.int64(n))] for n in (3, 2)] == [[3, 1], [2, 0]]


def test_what_is_surely_bound_is_read_in_a_graph():
    @runtime.function
    def f(n):
        for i in range(n):
            last = i
        with np.errstate():
            kept = [last, n]
        return kept

    assert [int(x) for x in f(np.int64(3))] == [2, 3]
