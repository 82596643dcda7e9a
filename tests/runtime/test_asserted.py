"""``assert`` in programs on NumPy: it raises what Python raises."""

import numpy as np
import pytest

import runtime
from tests.programs import EXECUTORS, load

BODIES = {
    "no message": "assert x > 0\nreturn x",
    "a text": "assert x > 0, 'no'\nreturn x * 2",
    "what the graph knows": "assert x > 0, f'bad {x}'\nreturn x * 2",
    "a tuple": "assert x > 0, ('bad', x)\nreturn x * 2",
    "in a loop": "t = 0\nfor i in range(3):\n    assert x > i - 2, i\n    t += x\nreturn t",
    "caught": "try:\n    assert x > 0, 'no'\nexcept AssertionError as error:\n    return str(error)\nreturn 'yes'",
    "not a ValueError": "try:\n    assert x > 0\nexcept ValueError:\n    return 1\nreturn 2",
    "a message that acts": "log = []\nassert x > 0, log.append(1)\nreturn log",
}  # fmt: skip


def told(function, x):
    try:
        return repr(function(np.float64(x)))
    except Exception as error:
        return type(error), repr(error.args)


@pytest.mark.parametrize("jit_compile", EXECUTORS)
@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_an_assertion_does_what_it_does_without_a_graph(body, jit_compile):
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    plain = load(text, np=np)
    staged = runtime.function(plain, numpy=True, jit_compile=jit_compile)
    for x in (1.0, -1.0, 0.0, 3.0):
        assert told(staged, x) == told(plain, x)
