import pytest

from autograph.passes import logic, truths
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
        ("y = (a, b) == c", "y = ag__.chain((a, b), ('==', lambda: c))"),
        ("y = c != [a, 1]", "y = ag__.chain(c, ('!=', lambda: [a, 1]))"),
        ("y = c == (1, 2)", "y = ag__.chain(c, ('==', lambda: (1, 2)))"),
        ("y = c == []", "y = c == []"),
        ("class C:\n    y = a if t else b", "class C:\n    y = ag__.if_exp(t, lambda: a, lambda: b)"),
        ("g = lambda x=a or b: x", "g = lambda x=ag__.or_(a, lambda: b): x"),
        ("y = (a and b) or c", "y = ag__.or_(ag__.and_(a, lambda: b), lambda: c)"),
    ],
)
def test_logic_becomes_lazy_calls(before, after):
    assert rewritten(before, logic) == after


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = a and b", "y = ag__.and_(a, lambda: b)"),
        ("y = (a and b) and c", "y = ag__.and_(a, lambda: b, lambda: c)"),
        ("y = (a and b) or c", "y = ag__.or_(ag__.and_(a, lambda: b, truth=True), lambda: c)"),
        ("y = 1 if a and b else 2", "y = ag__.if_exp(ag__.and_(a, lambda: b, truth=True), lambda: 1, lambda: 2)"),
        ("y = 1 if a > 0 and b else 2", "y = ag__.if_exp(ag__.and_(a > 0, lambda: b), lambda: 1, lambda: 2)"),
        ("y = 1 if not a or b else 2", "y = ag__.if_exp(ag__.or_(ag__.not_(a), lambda: b), lambda: 1, lambda: 2)"),
        (
            "y = 1 if not (a or b) else 2",
            "y = ag__.if_exp(ag__.not_(ag__.or_(a, lambda: b, truth=True)), lambda: 1, lambda: 2)",
        ),
        (
            "y = 1 if (a > 0 or b > 0) and c else 2",
            "y = ag__.if_exp(ag__.and_(ag__.or_(a > 0, lambda: b > 0), lambda: c), lambda: 1, lambda: 2)",
        ),
        ("y = {x for x in xs if x or a}", "y = {x for x in xs if ag__.or_(x, lambda: a, truth=True)}"),
    ],
)
def test_an_operand_of_a_test_is_asked_once(before, after):
    assert rewritten(before, truths, logic) == after


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
