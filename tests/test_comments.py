"""Comments in printed code: each stands by what it speaks of, and none is lost."""

import importlib
import inspect
import io
import tokenize
import types
from collections import Counter

import pytest

import autograph
from autograph.convert_file import convert_module, convert_one
from autograph.source import parse

TABLE = [
    ("the end of a branch", """
def f(x):
    if x > 0:
        y = 1
        # of the branch
    else:
        y = 2
        # of the other
    return y
    # of the function
""", """
def f(x):
    y: ag__.Undefined

    def if_body():
        nonlocal y
        y = 1
        # of the branch

    def else_body():
        nonlocal y
        y = 2
        # of the other

    ag__.if_stmt(x > 0, if_body, else_body, ('y',))
    return y
    # of the function
"""),
    ("the end of a loop, behind a branch", """
def f(x):
    while x > 0:
        if x > 5:
            x -= 1  # by one
        # of the loop
    # of no block
    return x
""", """
def f(x):

    def loop_test():
        return x > 0

    def loop_body():

        def if_body():
            nonlocal x
            x -= 1  # by one

        ag__.if_stmt(x > 5, if_body, None, ('x',))
        # of the loop

    ag__.while_stmt(loop_test, loop_body, ('x',))
    # of no block
    return x
"""),
    ("inside a statement", """
def f(x):
    y = g(
        x,  # the first
        # before the second
        2,  # the second
    )  # behind
    return y + h(x)
""", """
def f(x):
    # the first
    # before the second
    # the second
    y = ag__.call(g, x, 2)  # behind
    return y + ag__.call(h, x)
"""),
    ("for tools, inside a statement", """
def f(x):
    y = g(  # type: ignore[misc]
        x,
        2,
    )
    return y
""", """
def f(x):
    y = ag__.call(g, x, 2)  # type: ignore[misc]
    return y
"""),
    ("several for tools", """
def f(x):
    if g(x) or (  # type: ignore[a]
        h(x)  # type: ignore[b]
    ):  # either
        x = 2
    return x
""", """
def f(x):

    # type: ignore[b]
    # either
    def if_body():  # type: ignore[a]
        nonlocal x
        x = 2

    ag__.if_stmt(
        ag__.or_(ag__.call(g, x), lambda: ag__.call(h, x), truth=True), if_body, None, ('x',)
    )
    return x
"""),
    ("inside and behind a head", """
def f(x):
    if (x > 1  # large
        # and even
        and x % 2 == 0):  # as told
        x = 2
    return x
""", """
def f(x):

    # large
    # and even
    def if_body():  # as told
        nonlocal x
        x = 2

    ag__.if_stmt(ag__.and_(x > 1, lambda: x % 2 == 0), if_body, None, ('x',))
    return x
"""),
    ("behind clauses", """
def f(x):
    try:  # it may fail
        x = g(x)
    except ValueError:  # it did
        x = 0
    else:  # it did not
        x = 1
    return x
""", """
def f(x):
    try:  # it may fail
        x = ag__.call(g, x)
    except ValueError:  # it did
        x = 0
    else:
        # it did not
        x = 1
    return x
"""),
    ("on statements that come before", """
def f(x):
    for i in range(3):  # three times
        # while it may
        if i > x:  # enough
            break  # out
        y = i  # the last
    return y
""", """
def f(x):
    y: ag__.Undefined
    did_break = False

    def loop_body(i):  # three times

        # while it may
        def if_body():  # enough
            nonlocal did_break
            did_break = True  # out

        def else_body():
            nonlocal y
            y = i  # the last

        ag__.if_stmt(i > x, if_body, else_body, ('did_break', 'y'))

    def loop_test():
        return ag__.not_(did_break)

    ag__.for_stmt(range(3), loop_body, ('did_break', 'y'), loop_test)
    return y
"""),
    ("cases", """
def f(x):
    match x:  # what it is
        # above one
        case 1:  # one
            # in one
            y = 1  # so
        # above two
        case [a,
              b] if a:  # two
            y = 2
            # the end of two
        case _: y = 3  # others
        # the end
    return y
""", """
def f(x):
    y: ag__.Undefined
    a: ag__.Undefined
    b: ag__.Undefined

    def match_case(subject):  # what it is
        nonlocal a, b
        match subject:
            # above one
            case 1:  # one
                # in one
                return 0  # so
            # above two
            case [a, b] if a:  # two
                return 1
                # the end of two
            case _:
                return 2  # others
        return None

    matched = ag__.match_case(match_case, x, ('a', 'b'))

    def if_body():
        nonlocal y
        y = 1

    def elif_body():
        nonlocal y
        y = 2

    def else_body():
        nonlocal y
        y = 3

    ag__.if_chain([
        (lambda: matched == 0, if_body),
        (lambda: matched == 1, elif_body),
    ], else_body, ('y',))
    # the end
    return y
"""),
    ("a match that stays", """
def f(x):
    match x:  # what it is
        # above the only one
        case y:  # anything
            y = 1 if y else 2
            # the end
    return y
""", """
def f(x):
    match x:  # what it is
        # above the only one
        case y:  # anything
            y = ag__.if_exp(y, lambda: 1, lambda: 2)
            # the end
    return y
"""),
    ("except clauses", """
def f(x):
    try:  # trying
        # in it
        y = 1 if x else 2
        # the end of it
    # above the first
    except ValueError:  # no number
        # in the first
        y = 0
    # above the second
    except (TypeError, KeyError) as e:  # others
        y = 1
    else:
        # in the else
        y = 2
    finally:
        # in the finally
        y += 1
        # its end
    # behind
    return y
""", """
def f(x):
    try:  # trying
        # in it
        y = ag__.if_exp(x, lambda: 1, lambda: 2)
        # the end of it
    # above the first
    except ValueError:  # no number
        # in the first
        y = 0
    # above the second
    except (TypeError, KeyError) as e:  # others
        y = 1
    else:
        # in the else
        y = 2
    finally:
        # in the finally
        y += 1
        # its end
    # behind
    return y
"""),
]  # fmt: skip


@pytest.mark.parametrize("before, after", [row[1:] for row in TABLE], ids=[row[0] for row in TABLE])
def test_comments_stand_by_what_they_speak_of(before, after):
    _, text = convert_one(parse(before.lstrip("\n"), "f.py"), "f")
    assert text.partition("\n\n\n")[2].strip() == after.strip()


def test_a_comment_that_makes_a_line_too_long_stands_above_it():
    lines = ("y = g(x)  # why this is so, in many words", "z = g(y)  # type: ignore[no-untyped-call]", "return z")
    text = "def f(x):\n" + "".join(f"    {line}\n" for line in lines)
    _, made = convert_one(parse(text, "f.py"), "f", 42)
    assert "    # why this is so, in many words\n    y = ag__.call(g, x)\n" in made
    assert "    z = ag__.call(g, y)  # type: ignore[no-untyped-call]\n" in made


def test_a_file_keeps_what_stands_behind_a_function():
    text = "def f(x):\n    if x:\n        return 1\n    # the end\n# behind\n"
    assert convert_module(parse(text, "f.py")).endswith("    # the end\n# behind\n")


MODULES = "bisect calendar configparser copy csv dataclasses difflib textwrap".split()


@pytest.mark.parametrize("name", MODULES)
def test_no_comment_of_the_standard_library_is_lost(name):
    module = importlib.import_module(name)
    things = [t for t in vars(module).values() if isinstance(t, types.FunctionType | type) and t.__module__ == name]
    for thing in things:
        try:
            printed, written = str(autograph.to_code(thing)), inspect.cleandoc("\n" + inspect.getsource(thing))
        except (OSError, TypeError):
            continue
        assert not comments_in(written) - comments_in(printed), thing


def comments_in(text):
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return Counter(token.string for token in tokens if token.type == tokenize.COMMENT)
