"""Wherever a variable is found unbound, the error is Python's: its type, its words, and the name that it holds."""

import contextlib
import itertools
import sys
import types

import numpy as np
import pytest

import autograph
import runtime
from autograph import source
from autograph.convert_file import convert_module
from tests.programs import load, staging

EXPRESSIONS = (
    "u", "n and u", "z or u", "u if n else 1", "1 if z else u", "1 if u else 2", "0 < same(1) < u", "not u",
    "[u for k in range(n)]", "[k for k in range(n) if u]", "[k for k in (n,) if [lambda: k, u]]",
    "sum(u for k in range(n))", "{u for k in range(n)}", "(lambda: u)()", "f'{u}'", "same(u)", "u in [n]", "(w := u)",
    "[n and u for k in range(n)]", "n and [u for k in range(n)]", "(lambda: n and u)()", "n and (z or (u if n else 1))",
)  # fmt: skip
SIMPLE = (
    "v = E", "return E", "if E: v = 1", "if z: v = 1\nelif E: v = 2\nelse: v = 3", "assert E", "del u",
    "while E: break", "for v in [E]: pass", "assert z, E", "match E:\n    case 1: v = 1", "d[E] = 1", "u += 1",
    "raise E", "match n:\n    case 2 if E: v = 1\n    case _: v = 2",
)  # fmt: skip
AROUND = (
    "B", "if n:\n    B", "if z: v = 1\nelse:\n    B", "if z: v = 1\nelif n:\n    B\nelse: v = 2", "if z: return 5\nB",
    "while n:\n    n -= 1\n    B", "for v in range(n):\n    B", "for v in range(n): pass\nelse:\n    B",
    "for q in range(3):\n    if q > 5: return 5\n    B", "try:\n    B\nfinally: v = 1", "class C:\n    B",
    "try: v = 1\nfinally:\n    B\n    if n > 9: return 1", "try: raise KeyError(n)\nexcept KeyError as e:\n    B",
    "with contextlib.nullcontext():\n    B", "match n:\n    case 2:\n        B\n    case _: v = 2",
    "def h():\n    B\nh()", "def h():\n    yield 1\n    B\nlist(h())",
    "def h():\n    yield 1\n    B\nfor q in h(): v = q",
)  # fmt: skip
HEAD = "import contextlib\n\ndef same(x):\n    return x\n\ndef f(n, z, d):\n    if z: u = 1\n    "


def put(template, letter, body):
    """The template with the body where the letter stands, each line of it behind the same margin."""
    lines = []
    for line in template.splitlines():
        margin = line[: len(line) - len(line.lstrip())]
        lines += [margin + inner for inner in body.splitlines()] if line.strip() == letter else [line]
    return "\n".join(lines)


def module(text):
    made = types.ModuleType("program")
    sys.modules["program"] = made
    return load(text, **vars(made))


def outcome(function, *arguments):
    try:
        return "returns", function(*arguments)
    except Exception as error:
        return type(error).__name__, str(error), getattr(error, "name", None)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("around", AROUND)
@pytest.mark.parametrize("statement", SIMPLE)
def test_unbound(statement, around):
    nested = around if around == "B" else put(AROUND[1], "B", around)
    for expression in EXPRESSIONS if around == "B" else ("u", "[u for k in range(n)]"):
        body = put(nested, "B", statement.replace("E", expression))
        text = HEAD + body.replace("\n", "\n    ") + "\n    return 7\n"
        try:
            wanted = outcome(module(text), 2, 0, {})
        except SyntaxError:  # `return` in a class, `u` declared twice
            continue
        for made in (autograph.to_graph(module(text)), load(convert_module(source.parse(text, "program.py")))):
            for form in (contextlib.nullcontext, staging):
                with form():
                    assert outcome(made, 2, 0, {}) == wanted, text


CLAUSES = (
    "try: B\n_except UnboundLocalError: v = 8",
    "try:\n_    B\n_    v = 6 if z else 5\n_except Exception: v = 8",
    "try: B\n_except (KeyError, NameError): v = 8\n_else: v = 5",
    "try:\n_    B\n_    v = 3\n_finally: return v",
    "for _ in range(2):\n_    try:\n_        B\n_    finally:\n_        break",
    "with contextlib.suppress(NameError): B",
    "try:\n_    if n:\n_        B\n_except: v = 8",
    "try:\n_    try:\n_        B\n_    except KeyError: v = 4\n_    v = 3\n_except ERRORS: v = 8",
)
COPIES = (
    "u", "(u, 1)", "[u]", "{'a': u}", "u if n else 1", "n and u", "same(u)", "same(x=u)", "[u for k in range(n)]",
    "(w := u)", "u is None", "u == 1", "u + 1", "(lambda k=u: k)", "[*map(same, [u])]", "f'{u}'",
)  # fmt: skip


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_clause_that_would_catch_it_is_not_passed_over_in_a_graph(clause):
    """What a graph would do otherwise than Python, as only it knows whether the variable is bound, is refused, and that
    is seldom."""
    refused = 0
    for copy, bound in itertools.product(COPIES, (False, True)):
        body = clause.replace("B", f"v = {copy}").replace("\n_", "\n")
        first = "u = 1" if bound else "if z: u = 1"
        text = f"def same(x):\n    return x\n\ndef f(z, n):\n    v = 2\n    {first}\n    " + body.replace(
            "\n", "\n    "
        )
        names = {"contextlib": contextlib, "ERRORS": (KeyError, UnboundLocalError)}
        f = load(text + "\n    return 7 if callable(v) or isinstance(v, tuple | list | dict | str) else v\n", **names)
        graph = runtime.function(f)
        for z in (0, 1):
            found, wanted = outcome(lambda z=z: int(graph(np.int64(z), 2))), outcome(lambda z=z: f(z, 2))
            if found[0] == "StagingError":
                refused += 1
                assert not bound, text
            else:
                assert found[:1] == wanted[:1] and (found[0] != "returns" or found == wanted), text
    assert refused <= 4
