import pytest

import runtime
from autograph import StagingError, operators as ag__
from autograph.operators.plain import Staged
from tests.operators.test_backend import Expression
from tests.programs import at_rest, outcome, staging

X = Expression("x")


@pytest.fixture(autouse=True)
def nothing_is_traced():
    with at_rest():
        yield


def test_nothing_is_staged_while_nothing_is_traced():
    assert not ag__.is_staged(X)
    with staging():
        assert ag__.is_staged(X)
        assert not any(map(ag__.is_staged, (1, None, [X], "x")))


@pytest.mark.parametrize("value", [0, 3, "", "a", None, [], [0], 0.0], ids=repr)
def test_an_ordinary_value_is_decided(value):
    for arm in (None, 1):
        assert ag__.decided(value, arm) is bool(value)


def test_a_staged_value_stays_and_knows_its_arm():
    with staging():
        assert ag__.decided(X) is X
        assert ag__.decided(X, 2) == Staged(X, 2)


def test_an_error_of_the_truth_is_the_users():
    class NoTruth:
        def __bool__(self):
            raise TypeError("no truth")

    assert outcome(ag__.decided, NoTruth()) == ("TypeError", "no truth")


def test_the_frame_shows_the_users_variables_alone():
    variables = {"b": 1, "a": 2, "ag__value": 3, "if_body": 4}
    assert ag__.visible(dict(variables), ("ag__value", "if_body", "missing")) == {"b": 1, "a": 2}
    assert ag__.listed(dict(variables), ("ag__value", "if_body")) == ["a", "b"]


def test_whether_an_argument_is_none_must_be_known():
    ag__.settled({"x": None, "y": 1})

    def default(x=None):
        if x is None:
            x = 5
        return x

    def f(c):
        given = None
        if c > 0:
            given = c
        return default(given)

    assert default() == 5 and f(3) == 3
    with pytest.raises(StagingError, match="'x' is None only in some runs of the graph"):
        runtime.function(f)(runtime.constant(3))
