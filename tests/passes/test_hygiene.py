import pytest

from autograph.passes import hygiene, outlining
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("w = [y for y in c], lambda: y", "w = [y_1 for y_1 in c], lambda: y"),
        ("w = [y for y in c], [y for _ in c]", "w = [y_1 for y_1 in c], [y for _ in c]"),
        ("w = {y: 0 for y in c if y}, {y for _ in c}", "w = {y_1: 0 for y_1 in c if y_1}, {y for _ in c}"),
        ("w = [lambda: y for y in c]", "w = [lambda: y_1 for y_1 in c]"),
        ("w = {(lambda y=y: y) for y in y}, lambda: y", "w = {lambda y=y_1: y for y_1 in y}, lambda: y"),
        ("w = [[y for y in y] for y in c], lambda: y", "w = [[y_2 for y_2 in y_1] for y_1 in c], lambda: y"),
        ("w = [y for y in c], y", "w = [y for y in c], y"),  # the function reads the variable itself
        ("w = [z for z in c], lambda: z", "w = [z for z in c], lambda: z"),  # no function around has a variable z
        ("w = (y for y in c), lambda: y", "w = (y for y in c), lambda: y"),  # a generator has a frame of its own
    ],
)  # fmt: skip
def test_targets_of_comprehensions_in_code_that_becomes_a_function(before, after):
    text = rewritten(f"def f(c, y):\n    if c: {before}", outlining, hygiene)
    assert text == f"def f(c, y):\n    def if_body():\n        {after}\n    ag__.if_stmt(c, if_body)"
    kept = rewritten(f"def f(c, y):\n    {before}", outlining, hygiene)  # what Python makes of it is the user's
    assert kept == rewritten(f"def f(c, y):\n    {before}")
