"""Jumps in all places that a short loop has for them: plain, converted, printed and as a graph it does the same."""

import itertools
import random

import numpy as np
import pytest

import autograph
import runtime as tf
from tests.programs import EXECUTORS, load

STEP = "t = t * 2 + x"
JUMPS = ("break", "continue", "return t, x")
PIECES = (
    STEP, *JUMPS, "pass",
    *(f"if {test}: {jump}" for jump, test in zip(JUMPS * 2, ("t > 5", "x > 1", "t > n") * 2)),
    *(f"if x < 2: {STEP}\nelse: {jump}" for jump in JUMPS),
    *(f"if x < n: {a}\nelse: {b}" for a in JUMPS for b in JUMPS),
    *(f"if x < n:\n    if t > 3: {a}\n    {STEP}\nelse: {b}" for a in JUMPS for b in JUMPS),
    *(f"if t > 9: {a}\nelif x > 1: {b}\nelse: {STEP}" for a in JUMPS for b in JUMPS),
    *(f"try:\n    if t > 3: {jump}\nfinally: {STEP}" for jump in JUMPS),
    *(f"for k in range(n):\n    if k > 1: {jump}\n    {STEP}" for jump in JUMPS),
    *(f"for k in range(2):\n    if t > n * 3: break\n    {STEP}\nelse: {jump}" for jump in JUMPS),
    *(
        f"if n > 1:\n    while t < 20:\n        t = t + 2\n        {STEP}\n        if t > 7: {jump}\n        t = t + 1"
        for jump in JUMPS
    ),
)  # fmt: skip
LOOPS = (
    "for x in range(n):\n    BODY",
    "for x in range(n):\n    BODY\nelse: t = t + 100",
    "x = -1\nwhile x < n:\n    x = x + 1\n    BODY",
    "x = -1\nwhile x < n:\n    x = x + 1\n    BODY\nelse: t = t + 100",
    "for y in range(3):\n    for x in range(n):\n        BODY\n    t = t + y",
    "if n > 0:\n    for x in range(n):\n        BODY\n    t = t + 7",
    "for x in range(3):\n    BODY\n    t = t + n",
    "for y in range(3):\n    for x in range(2):\n        BODY\n    else: continue\n    break",
    "x = 0\nwhile True:\n    x = x + 1\n    if x > n: break\n    BODY",
)


def program(loop, pieces):
    body = "\n".join(pieces)
    lines = ["t, x = 1, 7"]
    for line in loop.splitlines():
        margin = line[: len(line) - len(line.lstrip())]
        lines += [margin + part for part in body.splitlines()] if "BODY" in line else [line]
    return "def f(n):\n" + "".join(f"    {line}\n" for line in [*lines, "return t, x"])


def check(text, graphs):
    f = load(text)
    forms = {"converted": autograph.to_graph(f), "printed": load(autograph.to_code(f))}
    forms |= {f"jit_compile={jit}": tf.function(f, jit_compile=jit) for jit in graphs}
    for n in (0, 1, 2, 4):
        wanted = [int(part) for part in f(n)]
        for name, form in forms.items():
            found = [int(part) for part in form(np.int64(n))]
            assert found == wanted, f"{name}, n = {n}: {found}, not {wanted}\n{text}"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("place", range(len(PIECES)))
def test_two_pieces_of_a_loop(place):
    for number in range(place % 5, len(PIECES), 5):
        text = program(LOOPS[(place + number) % len(LOOPS)], [PIECES[place], PIECES[number]])
        check(text, (False,) if number % 2 == 0 else ())


@pytest.mark.sampled(4)
@pytest.mark.parametrize("seed", range(12))
def test_three_pieces_of_a_loop(seed):
    chance = random.Random(seed)
    for _ in range(10):
        check(program(chance.choice(LOOPS), chance.choices(PIECES, k=3)), [chance.choice(EXECUTORS)])


@pytest.mark.parametrize(
    "yields", ["yield n", "z = (yield n)", "while n:\n    n -= 1\nelse: z = yield n", "yield from n"]
)
@pytest.mark.parametrize("before", ["return", "if n > 1: return\nelse: return", "if n > 1:\n    return\n    D\nreturn"])
def test_what_is_never_reached_makes_a_generator(before, yields):
    inside = yields.replace("\n", "\n    ")
    body = before.replace("D", inside) if "D" in before else f"{before}\n{yields}"
    f = load("def f(n):\n    " + body.replace("\n", "\n    ") + "\n")
    for form in (f, autograph.to_graph(f), load(autograph.to_code(f))):
        assert list(form(3)) == []


LAST = ("n = n + 1", "return 3", "if n > 2: return 4", "yield 7", "yield 8\nreturn 9", "yield 8\nif n > 1: return 10")
LEFT = ("if n > 1: return 2", "yield n", "raise KeyError(n)", "if n > 2: break", "if n > 1: continue", "t = 1 // n")
IN_LAST = "try:\n    t = n\nfinally:\n    LAST"


def indented(text, block, mark):
    """A text with a block in the place of a mark."""
    lines = []
    for line in text.splitlines():
        margin = line[: len(line) - len(line.lstrip())]
        lines += [margin + part for part in block.splitlines()] if line.strip() == mark else [line]
    return "\n".join(lines)


def driven(function, n):
    """What a function gives, or what the generator that it makes gives and returns."""
    found = []
    try:
        made = function(n)
        if not hasattr(made, "__next__"):
            return made
        for _ in range(30):
            found.append(next(made))
    except StopIteration as error:
        return found, error.value
    except Exception as error:
        return found, type(error)
    return found


@pytest.mark.parametrize("last", LAST)
def test_last_clauses_that_jump_and_yield(last):
    inner = [indented(IN_LAST, one, "LAST") for one in LAST]
    inner += [indented("for k in range(n):\n    BODY", one, "BODY") for one in inner]
    around = indented("try:\n    BODY\nfinally:\n    LAST\nt = t + 5", last, "LAST")
    for loop in ("BLOCK", "for i in range(2):\n    BLOCK"):
        for body in (*LEFT, *inner):
            lines = indented(loop, indented(around, body, "BODY"), "BLOCK").splitlines()
            text = "def f(n):\n    t = 0\n" + "".join(f"    {line}\n" for line in lines) + "    return t, n\n"
            try:
                compile(text, "<test>", "exec")
            except SyntaxError:
                continue
            f = load(text)
            for form in (autograph.to_graph(f), load(autograph.to_code(f))):
                assert [driven(form, n) for n in range(4)] == [driven(f, n) for n in range(4)], text


@pytest.mark.parametrize(
    "body",
    [
        "if n > 1:\n    return 5\n    global g\ng = n + 10\nreturn g",
        "while n > 0:\n    n -= 1\n    if n == 1:\n        break\n        global g\n    g = n + 10\nreturn n",
        "for i in range(n):\n    if i > 1:\n        continue\n        global g\n    g = n + 10\nreturn n",
    ],
)
def test_what_is_never_reached_declares_for_the_whole_function(body):
    text = "def f(n):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    enclosed = text.replace("global", "nonlocal").replace("\n", "\n    ")
    around = f"def f(n):\n    g = 0\n    {enclosed}\n    return f(n), g\n"
    for n in range(4):
        found = []
        for form in (lambda f: f, autograph.to_graph, lambda f: load(autograph.to_code(f), g=0)):
            f, outer = form(load(text, g=0)), form(load(around))
            found.append((f(n), f.__globals__["g"], outer(n)))
        assert found[1:] == found[:1] * 2, (n, found)


NEVER = ("eval('n')", "yield n", "x = yield from (n,)", "def g(): yield n", "import os", "locals()", "if n: return 9")
JUMPING = (
    "if n > 1:\n    return 5\n    NEVER\nreturn n",
    "if n > 1:\n    if n > 2: return 5\n    else: return 6\n    NEVER\nelif n > 0:\n    return 3\n    NEVER\nreturn n",
    "while n > 0:\n    n -= 1\n    if n == 1:\n        break\n        NEVER\n    elif n > 2:\n        continue\n"
    "        NEVER\nreturn n",
    "for i in range(n):\n    if i > 1:\n        return i\n        NEVER\nelse:\n    return 7\n    NEVER\nreturn n",
    "try:\n    if n > 1:\n        return 5\n        NEVER\nfinally:\n    n += 1\nreturn n",
    "if n > 1:\n    for i in range(n):\n        n += i\n    else:\n        return 6\n    NEVER\nreturn n",
    "match n:\n    case 0 | 1:\n        for i in (1, 2):\n            pass\n        else:\n            return 7\n"
    "        NEVER\nreturn n",
    "if n > 1:\n    while n < 9:\n        n += 2\n    else:\n        return n\n    NEVER\nn += 1\nreturn n",
    "if n > 1:\n    while True:\n        n += 1\n        if n > 5: return n\n    NEVER\nreturn n",
    "while True:\n    n += 1\n    if n > 3: return n\nNEVER",
    "for i in range(3):\n    for j in range(n):\n        if j > 1: break\n    else:\n        continue\n"
    "    return i\n    NEVER\nreturn n",
)


@pytest.mark.parametrize("never", NEVER)
@pytest.mark.parametrize("body", JUMPING)
def test_what_is_never_reached_decides_nothing(body, never):
    """It is gone before anything depends on what it holds: what cannot move into a function, say."""
    text = "def f(n):\n" + "".join(f"    {line}\n" for line in body.replace("NEVER", never).splitlines())
    f = load(text)
    for form in (autograph.to_graph(f), load(autograph.to_code(f))):
        assert [driven(form, n) for n in range(5)] == [driven(f, n) for n in range(5)], text
    if "yield" not in never or never.startswith("def"):
        graph = tf.function(f, jit_compile=False)
        for n in range(5):
            assert int(graph(np.int64(n))) == f(n), text


@pytest.mark.parametrize("staged", [False, True])
@pytest.mark.parametrize("first", ["break", "continue", "return", "return i"])
@pytest.mark.parametrize("second", ["break", "continue", "return", "return -i"])
def test_a_finally_clause_that_jumps_in_two_ways(first, second, staged):
    text = f"""
def f(a, b, n):
    for i in range(n):
        try:
            if i == 3: return 30
        finally:
            if i == a: {first}
            if i == b: {second}
    return 100
"""
    plain, converted = load(text), autograph.convert(load(text))
    graph = tf.function(converted)
    for a, b in itertools.product((0, 1, 3, 9), (0, 2, 3, 9)):
        if not staged:
            assert converted(a, b, 5) == plain(a, b, 5), (a, b)
        elif "return" not in (first, second):  # None or a number
            assert graph(tf.constant(a), b, 5) == plain(a, b, 5), (a, b)


OUT_OF_BODIES = (
    "if x > 2: return 1", "if x > 2: return 1\nelse: return 2", "for k in range(x):\n    if k > 2: return k",
    "while x > 2:\n    x -= 1\n    if x == 3: return 9", "x = x + 1",
)  # fmt: skip
OUT_OF_ELSE = (
    "return 3", "if x > 1: return 4", "if x > 1: return 5\nelse: return 6", "x += 1", "if x > 1:\n    return 7\nx += 1",
)  # fmt: skip


@pytest.mark.parametrize("body", OUT_OF_BODIES)
def test_returns_out_of_the_clauses_of_a_try(body):
    for last, caught, after in itertools.product(
        OUT_OF_ELSE, ("x = -1", "return 8", "if x > 1: return 10"), ("", "return x + 100")
    ):
        around = "try:\n    BODY\n    x = 6 // x\nexcept ZeroDivisionError:\n    CAUGHT\nelse:\n    LAST\nAFTER"
        for mark, block in (("BODY", body), ("CAUGHT", caught), ("LAST", last), ("AFTER", after)):
            around = indented(around, block, mark)
        text = "def f(x):\n" + "".join(f"    {line}\n" for line in around.splitlines())
        f = load(text)
        for form in (autograph.to_graph(f), load(autograph.to_code(f))):
            assert [driven(form, x) for x in range(-1, 6)] == [driven(f, x) for x in range(-1, 6)], text
