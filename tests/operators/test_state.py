import pytest

from autograph.dispatch import UNDEFINED, Role
from autograph.operators.state import State, as_local, note, statement_of, user_statement, with_returns

SHARED = 1


def bodies():
    x, y = 1, 2

    def first():
        nonlocal x
        x = 3

    def second():
        return y, SHARED

    def read():
        return x, y

    return first, second, read


def test_variables_are_found_in_the_cells_of_any_body():
    first, second, read = bodies()
    state = State(["x", "y"], first, None, second)
    assert state.read() == [1, 2]
    state.write([5, 6])
    assert read() == (5, 6)
    first()
    assert state.read() == [3, 6]


def test_any_other_name_is_of_the_module():
    first, _, _ = bodies()
    state = State(["SHARED"], first)
    assert state.read() == [1]
    state.write([2])
    try:
        assert SHARED == 2
    finally:
        state.write([1])


def test_a_variable_may_be_unbound():
    if False:
        x = 1

    def body():
        return x

    state = State(["x"], body)
    assert state.read() == [UNDEFINED]
    state.write([1])
    assert body() == 1
    state.write([UNDEFINED])
    with pytest.raises(NameError) as error:
        body()
    assert type(as_local(error.value)) is UnboundLocalError


def test_what_returns_were_turned_into_have_their_roles():
    assert with_returns(("a",), ()) == ("a",)
    names = with_returns(("a",), ("flag", "value", "other", None))
    assert [*names] == ["a", "flag", "value", "other"]
    assert [n.role for n in names[1:]] == [Role.RETURN_FLAG, Role.RETURNED, Role.RETURN_FLAG]


def test_the_statement_of_the_user():
    def operator():
        return user_statement(0), user_statement(1)

    here, around = operator()
    assert here.endswith(": return user_statement(0), user_statement(1)")
    assert around.endswith(": here, around = operator()") and around.line == here.line + 2
    assert statement_of(operator).endswith(": def operator():") and here.filename == __file__


def test_a_note_is_made_once():
    error = ValueError("mine")
    note(error, "f.py:1: if x:")
    assert error.__notes__ == ["while staging f.py:1: if x:"]
    said = ValueError("at f.py:1: if x:")
    note(said, "f.py:1: if x:")
    assert not hasattr(said, "__notes__")
