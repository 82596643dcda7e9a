"""Who else holds an object."""

from autograph.operators.aliases import held_besides, holders


class Box:
    def __init__(self, held):
        self.held = held


def test_the_variables_of_the_functions_that_run():
    def inner(given):
        other = given
        return [*holders(given, "other")]

    value = [1]
    assert {key for key, _ in inner(value)} == {"given", "value"}


def test_what_containers_and_objects_hold():
    value = object()
    within = [0, ({"k": value},)]
    box = Box([value])
    far = [[[[[value]]]]]
    found = {key for key, _ in [*holders(value, "value")]}
    assert {"within", "box"} <= found
    assert "far" not in found  # it is looked for in a few containers in one another


def test_the_variable_of_a_function_around():
    value = [1]

    def body():
        nonlocal value
        return [*holders(value, "value")]

    assert body() == []  # it is the one that is assigned


def test_what_counts_as_the_same_can_be_said():
    a, b = 3, 5
    found = dict(holders(2, "none", lambda held, value: type(held) is int and held == value + 1))
    assert found["a"] == 3 and "b" not in found


def test_what_holds_some_of_several_values():
    whole = [[1], [2], [3], [4], [5], [6]]

    def around(kept):
        return lambda: kept

    default, closure, bound = (lambda x=whole[1]: x), around(whole[2]), Box([whole[3]]).__init__
    kept = {id(one) for one in (whole[1], whole[2], whole[3])}
    found = held_besides(whole, whole)
    assert found == kept
    del default, closure, bound
