"""With ordinary values an operator is the plain statement."""

import pytest

from autograph import operators as ag__
from tests.programs import outcome


def test_branches_run_one_side():
    log = []
    assert ag__.if_stmt(True, lambda: log.append("body") or 1, lambda: log.append("else")) == 1
    assert ag__.if_stmt([], lambda: log.append("body")) is None
    assert ag__.if_exp(0, lambda: log.append("body"), lambda: 3) == 3
    assert log == ["body"]


@pytest.mark.parametrize("values", [(1, 2), (0, 2), ("", 3), (4, None), ([], [])])
def test_logic_gives_the_operand_that_decides(values):
    a, b = values
    assert ag__.and_(a, lambda: b) == (a and b)
    assert ag__.or_(a, lambda: b) == (a or b)
    assert ag__.not_(a) == (not a)


def test_logic_is_lazy():
    fail = lambda: 1 / 0
    assert ag__.and_(False, fail) is False and ag__.or_(1, fail) == 1
    assert ag__.chain(3, ("<", lambda: 2), ("<", fail)) is False


@pytest.mark.parametrize("numbers", [(1, 2, 3), (1, 3, 2), (3, 2, 1)])
def test_chained_comparisons_make_each_operand_once(numbers):
    seen = []

    def made(i):
        seen.append(i)
        return numbers[i]

    chained = ag__.chain(made(0), ("<", lambda: made(1)), ("<", lambda: made(2)))
    assert chained == (numbers[0] < numbers[1] < numbers[2])
    assert seen == ([0, 1, 2] if numbers[0] < numbers[1] else [0, 1])


def test_loops():
    def count(limit):
        n = 0

        def test():
            return n < limit

        def body():
            nonlocal n
            n += 1

        ag__.while_stmt(test, body, ("n",))
        return n

    assert [count(3), count(0)] == [3, 0]
    seen = []
    ag__.for_stmt("abcd", seen.append, (), lambda: len(seen) < 2)
    assert seen == ["a", "b"]


@pytest.mark.parametrize("test, message", [(True, None), (False, None), (0, lambda: "zero")])
def test_asserts(test, message):
    def plain():
        if message is None:
            assert test
        else:
            assert test, message()

    mine = outcome(ag__.assert_stmt, test, *([message] if message else []))
    assert mine[0] == outcome(plain)[0]
    if message and not test:
        assert mine[1] == "zero"


class Callable:
    def __call__(self, x):
        return 1 if x > 0 else 2


def test_calls_reach_everything_that_can_be_called():
    import functools

    assert ag__.call(len, [1, 2]) == 2
    assert ag__.call(Callable(), 3) == 1 and ag__.call(functools.partial(max, 3), 5) == 5
    assert ag__.call("a,b".split, ",") == ["a", "b"] and ag__.call(dict, a=1) == {"a": 1}
    assert ag__.call(sorted, [2, 1], key=lambda x: -x) == [2, 1]
    with pytest.raises(TypeError, match="not callable"):
        ag__.call(3)
