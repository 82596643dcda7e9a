"""Random programs that write arrays give what plain NumPy gives, arguments included, or are refused."""

import numpy as np
import pytest

import runtime as tf
from autograph import StagingError
from tests.generate_arrays import program
from tests.programs import EXECUTORS, load


def arguments():
    return [np.array([1.0, 5.0, 3.0]), np.array([4.0, 2.0, 6.0]), np.arange(6.0).reshape(2, 3), np.int64(3)]


def plainly(value):
    return [plainly(part) for part in value] if isinstance(value, list | tuple) else np.asarray(value).tolist()


def outcome(function):
    given = arguments()
    with np.errstate(all="ignore"):
        return plainly(function(*given)), plainly(given)


def agrees(seed, native):
    """Whether the graph does what the program does; False if it is refused."""
    function = load(program(seed), np=np, __name__="programs")
    wanted = outcome(function)
    try:
        mine = outcome(tf.function(function, jit_compile=native))
    except StagingError as refusal:
        assert "array" in str(refusal) or "never settles" in str(refusal)
        return False
    assert mine == wanted, program(seed)
    return True


@pytest.mark.parametrize("start", range(0, 120, 20))
def test_programs_on_numpy(start):
    done = [agrees(seed, False) for seed in range(start, start + 20)]
    assert sum(done) >= 10  # most are not refused


@pytest.mark.skipif(True not in EXECUTORS, reason="there is no native code")
@pytest.mark.parametrize("start", range(120, 150, 10))
def test_programs_natively(start):
    assert any([agrees(seed, True) for seed in range(start, start + 10)])
