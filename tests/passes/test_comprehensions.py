import pytest

from autograph.passes import comprehensions
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("[a + 1 for a in xs]", "ag__.list_comp(lambda a: a + 1, xs)"),
        ("[a * b for a, b in xs]", "ag__.list_comp(lambda a, b: a * b, xs)"),
        ("(a * b for a, b in xs if a)", "ag__.generator(lambda a, b: a * b, xs, lambda a, b: a)"),
        ("[a for [a, b] in xs]", "[a for [a, b] in xs]"),
        ("[a for a, in xs]", "ag__.list_comp(lambda a: a, xs, parts=('a',))"),
        ("[a for a, a in xs]", "ag__.list_comp(lambda unused, a: a, xs)"),
        ("[a for *b, a in xs]", "ag__.list_comp(lambda b, a: a, xs, parts=('*b', 'a'))"),
        ("[(lambda: a) for *b, a in xs]", "[lambda: a for *b, a in xs]"),
        ("[a for a, (b, c) in xs]", "ag__.list_comp(lambda a, b, c: a, xs, parts=('a', ('b', 'c')))"),
        (
            "(a for a, ((b, c), d) in xs if b)",
            "ag__.generator(lambda a, b, c, d: a, xs, lambda a, b, c, d: b, parts=('a', (('b', 'c'), 'd')))",
        ),
        ("[a for a, (b,) in xs]", "ag__.list_comp(lambda a, b: a, xs, parts=('a', ('b',)))"),
        ("[a for a, (b, *c) in xs]", "ag__.list_comp(lambda a, b, c: a, xs, parts=('a', ('b', '*c')))"),
        ("[(lambda: b) for a, (b, c) in xs]", "[lambda: b for a, (b, c) in xs]"),
        ("[1 for x.y in xs]", "[1 for x.y in xs]"),
        ("[(b := a) for a in xs]", "[(b := a) for a in xs]"),
        ("{a for a in xs if a}", "ag__.set_comp(lambda a: a, xs, lambda a: a)"),
        ("{a: b for a, b in xs}", "ag__.dict_comp(lambda a, b: (a, b), xs)"),
    ],
)
def test_comprehensions(before, after):
    assert rewritten(before, comprehensions) == after
