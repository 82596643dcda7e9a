import pytest

from autograph.passes import logic, truths
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("if a and b:\n    pass", "if ag__.and_(a, lambda: b, truth=True):\n    pass"),
        ("while a or b:\n    pass", "while ag__.or_(a, lambda: b, truth=True):\n    pass"),
        ("assert a and b", "assert ag__.and_(a, lambda: b, truth=True)"),
        ("y = x if a and b else z", "y = ag__.if_exp(ag__.and_(a, lambda: b, truth=True), lambda: x, lambda: z)"),
        ("y = [x for x in xs if a and b]", "y = [x for x in xs if ag__.and_(a, lambda: b, truth=True)]"),
        ("if not (a and b):\n    pass", "if ag__.not_(ag__.and_(a, lambda: b, truth=True)):\n    pass"),
        (
            "if a if c else (b or d):\n    pass",
            "if ag__.if_exp(c, lambda: a, lambda: ag__.or_(b, lambda: d, truth=True)):\n    pass",
        ),
        # `a` is never the result if it is false, nor `(a or b)` if it is true
        ("y = (a and b) or c", "y = ag__.or_(ag__.and_(a, lambda: b, truth=True), lambda: c)"),
        ("y = (a or b) and c", "y = ag__.and_(ag__.or_(a, lambda: b, truth=True), lambda: c)"),
        ("y = (a and b) and c", "y = ag__.and_(a, lambda: b, lambda: c)"),
    ],
)
def test_where_only_the_truth_counts(before, after):
    assert rewritten(before, truths, logic) == after


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = a and b", "y = ag__.and_(a, lambda: b)"),
        ("y = a and (b or c)", "y = ag__.and_(a, lambda: ag__.or_(b, lambda: c))"),
        ("y = f(a and b)", "y = f(ag__.and_(a, lambda: b))"),
        ("return a or b", "return ag__.or_(a, lambda: b)"),
        ("if f(a and b):\n    pass", "if f(ag__.and_(a, lambda: b)):\n    pass"),
    ],
)
def test_where_the_value_counts(before, after):
    assert rewritten(before, truths, logic) == after
