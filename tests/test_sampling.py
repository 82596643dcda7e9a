"""What `make check` leaves out of long series: always the same cases, and never all those of one kind."""

from types import SimpleNamespace

import pytest

from tests.conftest import sample


def case(op, number):
    parameters = {"op": op, "number": number}
    return SimpleNamespace(
        nodeid=f"test[{op}-{number}]", callspec=SimpleNamespace(params=parameters, indices=parameters)
    )


CASES = [case(op, number) for op in ("add", "multiply", "tanh", "sort") for number in range(100)]


def test_about_one_in_n_is_run_and_always_the_first():
    chosen = sample(CASES, 10)
    assert 0 in chosen and 20 < len(chosen) < 60
    assert chosen == sample(CASES, 10)
    assert sample(CASES[:1], 10_000) == {0}


def test_one_of_each_is_run():
    chosen = sample(CASES, 10_000, each="op")
    assert [CASES[i].callspec.params["op"] for i in sorted(chosen)] == ["add", "multiply", "tanh", "sort"]
    assert len({CASES[i].callspec.params["number"] for i in chosen}) > 1  # of the others, not always the same


@pytest.mark.parametrize("values", [([1], [2], [1]), ("a", "b", "a")])
def test_values_that_are_no_keys_are_told_apart_by_their_places(values):
    places = [0, 1, 0]
    cases = [
        SimpleNamespace(
            nodeid=f"test[{i}]", callspec=SimpleNamespace(params={"values": value}, indices={"values": place})
        )
        for i, (value, place) in enumerate(zip(values, places, strict=True))
    ]
    assert len(sample(cases, 10_000, each="values")) == 2
