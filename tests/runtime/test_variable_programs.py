"""Programs at random that write Variables wherever an expression may stand give what they give without a graph."""

import numpy as np
import pytest

import runtime
from tests.generate_variables import program
from tests.programs import load

ARGUMENTS = ((3, 4, 5), (8, 0, 1), (0, 17, 30))


def seen(names, function, arguments):
    """What a call returns, and what it leaves in the Variables and in the array that it was given."""
    names["V"].assign(1)
    names["W"].assign([1, 2, 3])
    z = np.array([1, 2, 3])
    found = [np.asarray(part).tolist() for part in function(*map(np.int64, arguments), z)]
    return found, names["V"].numpy().tolist(), names["W"].numpy().tolist(), z.tolist()


@pytest.mark.sampled(8)
@pytest.mark.parametrize("jit_compile", [False, None])
@pytest.mark.parametrize("seed", range(80))
def test_variables_hold_what_they_hold_without_a_graph(seed, jit_compile):
    function = load(program(seed), np=np, runtime=runtime)
    names = function.__globals__
    wanted = [seen(names, function, arguments) for arguments in ARGUMENTS]
    staged = runtime.function(function, jit_compile=jit_compile)
    for arguments, expected in zip(ARGUMENTS, wanted):
        assert seen(names, staged, arguments) == expected, arguments
