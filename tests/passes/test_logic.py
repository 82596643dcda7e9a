import pytest

from autograph.passes import logic
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = a if t else b", "y = ag__.if_exp(t, lambda: a, lambda: b)"),
        ("y = a and b", "y = ag__.and_(a, lambda: b)"),
        ("y = a or b or c", "y = ag__.or_(a, lambda: b, lambda: c)"),
        ("y = not a", "y = ag__.not_(a)"),
        ("y = 0 < x < 9", "y = ag__.and_(0 < x, lambda: x < 9)"),
        ("y = 0 < f(x) < 9", "y = ag__.chain(0, ('<', lambda: f(x)), ('<', lambda: 9))"),
        ("class C:\n    y = a if t else b", "class C:\n    y = ag__.if_exp(t, lambda: a, lambda: b)"),
        ("g = lambda x=a or b: x", "g = lambda x=ag__.or_(a, lambda: b): x"),
        ("y = (a and b) or c", "y = ag__.or_(ag__.and_(a, lambda: b), lambda: c)"),
    ],
)
def test_logic_becomes_lazy_calls(before, after):
    assert rewritten(before, logic) == after


@pytest.mark.parametrize(
    "kept",
    [
        "y = a",
        "y = x is None and z is not None",
        "y = not isinstance(x, int)",
        "y = x is None or x > 0",
        "y = a < b",
        "y = a if x is None else b",
        "y = a and (z := b)",
        "class C:\n    a = 1\n    y = a if t else b",
    ],
)
def test_what_cannot_be_staged_stays(kept):
    assert rewritten(kept, logic) == kept


def test_await_stays_in_its_function():
    kept = "async def f():\n    y = a and (await b)"
    import gast

    from autograph.context import Context

    tree = gast.parse(kept).body[0]
    assert gast.dump(logic.run(gast.parse(kept).body[0], Context())) == gast.dump(tree)
