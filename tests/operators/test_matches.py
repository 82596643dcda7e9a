import numpy as np
import pytest

import runtime
from autograph import StagingError, operators as ag__
from tests.programs import at_rest, outcome, staging


@pytest.fixture(autouse=True)
def nothing_is_traced():
    with at_rest():
        yield


def select(subject):
    match subject:
        case 0:
            return 0
        case [x, *_] if x > 1:
            return 1
        case {"k": _}:
            return 2
    return None


@pytest.mark.parametrize("subject, number", [(0, 0), ([2, 1], 1), ({"k": 1}, 2), ([1], None), ("text", None)], ids=str)
def test_python_finds_the_case(subject, number):
    assert ag__.match_case(select, subject) == number
    with staging():
        found = ag__.match_case(select, subject)
        assert found == number or found not in (0, 1, 2) and number is None


def test_an_error_of_a_guard_goes_on():
    assert outcome(ag__.match_case, select, ["a"]) == outcome(select, ["a"])


def named(x, y):
    match x:
        case 0:
            return 10
        case n if n > y:
            return n
        case 1 | 2:
            return 20
    return -1


@pytest.mark.parametrize("x", [0, 1, 2, 5])
@pytest.mark.parametrize("y", [1, 7])
def test_the_graph_decides_between_cases(x, y):
    assert int(runtime.function(named)(np.int64(x), np.int64(y))) == named(x, y)


def parts(x):
    match (x, x + 1):
        case (0, b):
            r = b
        case (a, 3):
            r = a * 10
        case (a, b):
            r = a + b
    return r


@pytest.mark.parametrize("x", [0, 2, 5])
def test_patterns_bind_variables(x):
    assert int(runtime.function(parts)(np.int64(x))) == parts(x)


SEEN = np.zeros(2)


def counted(x):
    def noted(value, limit):
        SEEN[0] += 1
        return value > limit

    match x:
        case y if noted(y, 5):
            return 1
        case y if noted(y, 2):
            return 2
    return 3


def test_an_array_that_a_guard_writes_is_refused_and_holds_what_it_held():
    for _ in range(2):
        with pytest.raises(StagingError, match="'SEEN' is a NumPy array that is written here"):
            runtime.function(counted)(np.int64(4))
        assert SEEN.tolist() == [0, 0]
