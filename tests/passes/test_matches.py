import pytest

from autograph.passes import matches
from tests.rewriting import rewritten, tidy


@pytest.mark.parametrize(
    "before, after",
    [
        (
            "match x:\n    case 0 | 1:\n        y = 1\n    case _:\n        y = 2",  # the last takes what is left
            """
            def match_case(subject):
                match subject:
                    case 0 | 1:
                        return 0
                    case _:
                        return 1
                return None
            matched = ag__.match_case(match_case, x)
            if matched == 0:
                y = 1
            else:
                y = 2
            """,
        ),
        (
            "match x:\n    case [a, b] if a > 0:\n        y = b\n    case {'k': b}:\n        y = 1",
            """
            a: ag__.Undefined
            b: ag__.Undefined
            def match_case(subject):
                nonlocal a, b
                match subject:
                    case [a, b] if a > 0:
                        return 0
                    case {'k': b}:
                        return 1
                return None
            matched = ag__.match_case(match_case, x, ('a', 'b'))
            if matched == 0:
                y = b
            elif matched == 1:
                y = 1
            """,
        ),
        (
            "def f(x, a):\n    global g\n    match x:\n        case a, g:\n            return g",
            """
            def f(x, a):
                global g
                def match_case(subject):
                    nonlocal a
                    global g
                    match subject:
                        case [a, g]:
                            return 0
                    return None
                matched = ag__.match_case(match_case, x, ('a', 'g'))
                if matched == 0:
                    return g
            """,
        ),
        (
            "for x in xs:\n    match x:\n        case 1:\n            break",
            """
            for x in xs:
                def match_case(subject):
                    match subject:
                        case 1:
                            return 0
                    return None
                matched = ag__.match_case(match_case, x)
                if matched == 0:
                    break
            """,
        ),
    ],
)
def test_a_match_becomes_branches(before, after):
    assert rewritten(before, matches) == tidy(after)


@pytest.mark.parametrize(
    "kept",
    [
        "match x:\n    case _:\n        y = 1",
        "match x:\n    case n if (m := n):\n        y = m",
        "async def f(x):\n    match x:\n        case n if await n:\n            y = 1",
        "def f(x):\n    match x:\n        case n if (yield n):\n            y = 1",
    ],
)
def test_what_cannot_stand_in_a_function_stays(kept):
    assert rewritten(kept, matches) == kept
