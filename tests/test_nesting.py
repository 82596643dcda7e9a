"""Every jump out of every statement within every other: plainly, as converted text, and as a graph.

The programs are a few lines each, and there is one for each way to put one statement into another, so that nothing
about the place of a jump is left to chance.
"""

import contextlib
import itertools
import re
import textwrap

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import load, staging

STATEMENTS = {
    "if": """
        if TEST:
            t = seen[0] = t * 7 + 1
            INNER
    """,
    "else": """
        if TEST:
            t = seen[0] = t * 7 + 2
        else:
            INNER
    """,
    "elif": """
        if TEST:
            t = seen[0] = t * 7 + 3
        elif t % 3 != 1:
            INNER
        else:
            t = seen[0] = t * 7 + 4
    """,
    "for": """
        for i in range(n % 4):
            t = seen[0] = t * 7 + 1 + i
            INNER
    """,
    "while": """
        TURN = 0
        while TURN < n % 4:
            TURN += 1
            t = seen[0] = t * 7 + 2
            INNER
    """,
    "while True": """
        TURN = 0
        while True:
            TURN += 1
            if TURN > 2:
                break
            INNER
    """,
    "for with else": """
        for i in range(n % 4):
            t = seen[0] = t * 7 + 3
            INNER
        else:
            t = seen[0] = t * 7 + 4
    """,
    "while with else": """
        TURN = 0
        while TURN < n % 4:
            TURN += 1
            INNER
            t = seen[0] = t * 7 + 1
        else:
            t = seen[0] = t * 7 + 2
    """,
    "else of for": """
        for i in range(3):
            if i == n % 4:
                break
            t = seen[0] = t * 7 + 3
        else:
            INNER
    """,
    "try": """
        try:
            t = seen[0] = t * 7 + 4
            INNER
        finally:
            t = seen[0] = t * 7 + 1
    """,
    "try with else": """
        try:
            INNER
        except KeyError:
            t = seen[0] = t * 7 + 2
        else:
            t = seen[0] = t * 7 + 3
    """,
    "else of try": """
        try:
            t = seen[0] = t * 7 + 4
        except KeyError:
            t = seen[0] = t * 7 + 1
        else:
            INNER
    """,
    "finally": """
        try:
            t = seen[0] = t * 7 + 2
        finally:
            INNER
    """,
    "with": """
        with nothing():
            t = seen[0] = t * 7 + 3
            INNER
    """,
    "match": """
        match t % 2:
            case 0:
                INNER
            case _:
                t = seen[0] = t * 7 + 4
    """,
    "except": """
        try:
            INNER
        except ValueError:
            t = seen[0] = t * 7 + 1
    """,
    "handler": """
        try:
            if TEST:
                raise ValueError
            t = seen[0] = t * 7 + 2
        except ValueError:
            INNER
    """,
    "swallowing": """
        with suppress(ValueError):
            INNER
            t = seen[0] = t * 7 + 3
    """,
}
STATEMENTS = {kind: textwrap.dedent(text).lstrip() for kind, text in STATEMENTS.items()}
LOOPS = {"for", "while", "while True", "for with else", "while with else"}
EXCEPTIONS = {"except", "handler", "swallowing"}  # a graph cannot end the exceptions that it raises
JUMPS = ["return t", "break", "continue", "raise ValueError"]
TESTS = ["n % 2 == 1", "n // 2 % 2 == 1", "n // 4 % 2 == 1"]
VARIANTS = list(itertools.product((False, True), repeat=2))  # under a condition or not; with something behind or not
NAMES = {"nothing": contextlib.nullcontext, "suppress": contextlib.suppress}


def around(inner, kind, number):
    """A statement with others in it."""
    text = STATEMENTS[kind].replace("TEST", TESTS[number]).replace("TURN", f"turn_{number}")
    return re.sub(r"^( *)INNER\n", lambda found: textwrap.indent(inner, found[1]), text, flags=re.M)


def program(kinds, jump, always, followed):
    """A function with a jump in statements of these kinds, outer ones first; None if the jump belongs to none."""
    inner = f"{jump}\n" if always else f"if {TESTS[0]}:\n    {jump}\n"
    for number, kind in reversed([*enumerate(kinds, 1)]):
        inner += f"t = seen[0] = t * 7 + {number}\n" if followed else ""
        inner = around(inner, kind, number)
    inner += "t = seen[0] = t * 7 + 5\nreturn t\n" if followed else ""
    text = "def f(n, seen):\n    t = 1\n" + textwrap.indent(inner, "    ")
    with contextlib.suppress(SyntaxError):
        compile(text, "<program>", "exec")
        return text


def cases(statements, jumps):
    """Every statement with every variant of every jump; every pair with every jump, and one variant or another."""
    rows = [(kind,) for kind in statements for _ in VARIANTS]
    rows += itertools.product(statements, statements)
    for number, kinds in enumerate(rows):
        for which, jump in enumerate(jumps):
            variant = VARIANTS[(number + which + number // len(VARIANTS)) % len(VARIANTS)]
            if (jump not in ("break", "continue") or LOOPS & {*kinds}) and (text := program(kinds, jump, *variant)):
                yield pytest.param(text, id=f"{jump.partition(' ')[0]} {' '.join(reversed(kinds))} {number}")


def outcome(function, n):
    """What a call returns or raises, and what it has done by then."""
    seen = np.zeros(1, np.int64)
    try:
        result = function(n, seen)
    except ValueError as error:
        return type(error), int(seen[0])
    return result if result is None else int(result), int(seen[0])


@pytest.mark.sampled(8)
@pytest.mark.parametrize("text", list(cases(STATEMENTS, JUMPS)))
def test_plain(text):
    function = load(text, **NAMES)
    wanted = [outcome(function, n) for n in range(8)]
    with staging():
        for converted in (autograph.to_graph(function), load(autograph.to_code(function), **NAMES)):
            assert [outcome(converted, n) for n in range(8)] == wanted


@pytest.mark.sampled(8)
@pytest.mark.parametrize("text", list(cases([kind for kind in STATEMENTS if kind not in EXCEPTIONS], JUMPS[:3])))
def test_graph(text):
    function = load(text, **NAMES)
    graph = tf.function(function, jit_compile=False)
    for n in range(8):
        assert outcome(graph, tf.constant(n, tf.int64)) == outcome(function, n)
