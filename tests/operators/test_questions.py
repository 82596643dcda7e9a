import pytest

from autograph.operators import questions


def test_nothing_is_asked_where_nothing_is_followed():
    assert questions.begin() == 0
    assert questions.answered(0) is None
    assert not questions.may_be_asked()


def test_a_function_is_followed_by_its_code_as_long_as_that_is_asked_for():
    def function():
        return 1

    with questions.following(frozenset([function.__code__])):
        assert questions.followed(function) is not function
        assert questions.followed(len) is len
        assert questions.followed(function)() == 1  # nothing is traced
    assert questions.followed(function) is function


def test_a_way_keeps_its_first_open_question():
    way = questions.Way(None, {})
    with way.followed():
        assert questions.may_be_asked()
        for test in ("first", "second"):
            with pytest.raises(questions.Asked):
                questions.ask(1, test)
    assert way.open == (1, "first")
    assert not questions.may_be_asked()
