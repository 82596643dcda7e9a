"""Programs at random that write Variables wherever an expression may stand give what they give without a graph."""

import itertools

import numpy as np
import pytest

import runtime
from tests.generate_variables import program
from tests.programs import EXECUTORS, load

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


WRITES = {
    "in a branch": "if n > 1:\n        {}",
    "in the other branch": "if n > 1:\n        n = n + 0\n    else:\n        {}",
    "in both branches": "if n > 1:\n        {0}\n    else:\n        {0}; n = n + 0",
    "in a loop": "while n > 0:\n        {}\n        n -= 1",
    "over a range": "for i in tf.range(n):\n        {}",
    "in a branch in a loop": "for i in tf.range(n):\n        if i % 2 == 0:\n            {}",
    "in a loop in a branch": "if n > 1:\n        for i in tf.range(n):\n            {}",
    "in a function": "write(n)",
    "in a function in a loop": "for i in tf.range(n):\n        write(i)",
}
SOURCE = """
def write(n):
    {write}
write = tf.function(write)
def f(n):
    {body}
    return [v + 0 for v in V]
"""


@pytest.mark.parametrize("written", [*itertools.product([False, True], repeat=3)], ids=str)
@pytest.mark.parametrize("body", WRITES.values(), ids=WRITES)
def test_what_was_read_of_a_variable_stays_whatever_a_graph_writes_inside(body, written):
    variables = [runtime.Variable(np.arange(3) + i) for i in range(3)]
    write = "; ".join(f"V[{i}].assign(V[{(i + 1) % 3}] * 2 + V[{i}])" for i in range(3) if written[i]) or "pass"
    f = load(SOURCE.format(write=write, body=body.format(write)), V=variables, tf=runtime)
    outcomes = []
    for jit_compile in (False, None) if "write" in body else (False, None, *EXECUTORS):  # calls with them are NumPy's
        for n in range(4):
            for i, v in enumerate(variables):
                v.assign(np.arange(3) + i)
            read = [v.read_value() for v in variables]
            held = [np.asarray(r).copy() for r in read]
            found = runtime.function(f, jit_compile=jit_compile)(runtime.constant(n))
            outcomes.append([np.asarray(x).tolist() for x in [*found, *variables]])
            np.testing.assert_array_equal(read, held)
    assert all(outcomes[k] == outcomes[k % 4] for k in range(len(outcomes)))
    assert any(found[3:] != [[0, 1, 2], [1, 2, 3], [2, 3, 4]] for found in outcomes) == any(written)
