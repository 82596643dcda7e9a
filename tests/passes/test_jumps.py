import pytest

from autograph.passes import jumps
from tests.rewriting import rewritten, tidy


@pytest.mark.parametrize(
    "before, after",
    [
        (  # what follows a return moves into the other branch
            """
            if x > 0:
                return a
            b()
            return c
            """,
            """
            if x > 0:
                return a
            else:
                b()
                return c
            """,
        ),
        (  # continue needs no flag where what follows can be guarded by the condition itself
            """
            while x > 0:
                if a:
                    continue
                b()
            """,
            """
            while x > 0:
                if not a:
                    b()
            """,
        ),
        (
            """
            while x > 0:
                if a:
                    break
                b()
            """,
            """
            did_break = False
            while not did_break and x > 0:
                if a:
                    did_break = True
                else:
                    b()
            """,
        ),
        (
            """
            while True:
                if a:
                    break
            """,
            """
            did_break = False
            while not did_break:
                if a:
                    did_break = True
            """,
        ),
        (
            """
            for i in x:
                if i > 0:
                    break
            else:
                b()
            """,
            """
            did_break = False
            for i in x:
                if i > 0:
                    did_break = True
                if did_break:
                    break
            if not did_break:
                b()
            """,
        ),
        (
            """
            for i in x:
                if i > 0:
                    return i
            return 0
            """,
            """
            did_return = False
            return_value = ag__.unset
            for i in x:
                if i > 0:
                    return_value = i
                    did_return = True
                if did_return:
                    break
            if did_return:
                return return_value
            else:
                return 0
            """,
        ),
        (  # a return in one of two nested branches: what follows is guarded
            """
            if a > 0:
                if b > 0:
                    return 1
                c()
            d()
            """,
            """
            did_return = False
            return_value = ag__.unset
            if a > 0:
                if b > 0:
                    return_value = 1
                    did_return = True
                else:
                    c()
            if did_return:
                return return_value
            else:
                d()
            """,
        ),
    ],
)
def test_jumps_become_flags_and_guards(before, after):
    assert rewritten(before, jumps) == tidy(after)


@pytest.mark.parametrize(
    "kept",
    [
        "if x is None:\n    return 0\nreturn x",
        "for x in [1, 2]:\n    if x is None:\n        break",
        "for x in y:\n    yield x\n    if x > 0:\n        break",
        "for x in y:\n    yield x\n    try:\n        a()\n    finally:\n        break",
        "try:\n    return a()\nfinally:\n    return b",
        "try:\n    return a()\nexcept KeyError:\n    return b",
        "if x > 0:\n    try:\n        return a()\n    except KeyError:\n        return b",
        "return a",
    ],
)
def test_jumps_that_python_makes_stay(kept):
    assert rewritten(kept, jumps) == kept


def test_a_jump_that_leaving_an_inner_statement_undoes():
    before = """
        def f(x):
            while x > 0:
                with a:
                    with b:
                        if c:
                            break
                d()
        """
    after = """
        def f(x):
            did_break = False
            while not did_break and x > 0:
                did_end = False
                with a:
                    with b:
                        if c:
                            did_break = True
                    did_end = True
                if not did_end:
                    did_break = False
                if not did_break:
                    d()
        """
    assert rewritten(before, jumps) == tidy(after).strip()


def test_a_finally_clause_that_jumps_becomes_a_function():
    before = """
        def f(x):
            while x > 0:
                try:
                    a()
                finally:
                    break
        """
    after = """
        def f(x):
            did_break_1 = False
            while not did_break_1 and x > 0:
                did_break = False
                def finally_body():
                    nonlocal did_break
                    did_break = True
                    return did_break
                with ag__.finally_(finally_body):
                    a()
                if did_break:
                    did_break_1 = True
        """
    assert rewritten(before, jumps) == tidy(after).strip()
