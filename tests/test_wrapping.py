"""Long statements are wrapped where they can be, and mean what they meant."""

import ast
import importlib
import inspect
import tokenize

import pytest
from hypothesis import given, settings, strategies as st

from autograph import wrapping
from autograph.printer import to_text
from autograph.wrapping import wrapped

MODULES = [
    "argparse", "ast", "calendar", "codecs", "configparser", "copy", "csv", "dataclasses", "datetime", "difflib", "dis",
    "enum", "ftplib", "functools", "inspect", "locale", "pickle", "statistics", "tarfile", "traceback", "typing",
    "zipfile",
]  # fmt: skip


class Undocumented(ast.NodeTransformer):
    """Leaves out strings that are statements, whose lines are the user's."""

    def visit_Expr(self, node):
        text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.copy_location(ast.Pass(), node) if text else node


def atoms(line):
    """The tokens of a line, one alone of which may be too long for it; strings with values in them are one."""
    try:
        return [token.text for token in wrapping._tokens(line)]
    except (tokenize.TokenError, SyntaxError):
        return [line]


class OneByOne(ast.NodeTransformer):
    """Has each name declared on its own: what has no room in a line is declared in several."""

    def visit_Nonlocal(self, node):
        return [ast.copy_location(type(node)([name]), node) for name in node.names]

    visit_Global = visit_Nonlocal


def program(text):
    return ast.dump(OneByOne().visit(ast.parse(text)))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("width", [40, 79, 100])
def test_wrapped_text_is_the_same_program_in_lines_that_fit(width):
    for name in MODULES:
        tree = Undocumented().visit(ast.parse(inspect.getsource(importlib.import_module(name))))
        text = to_text(tree.body, width=width)
        assert program(text) == program(to_text(tree.body, width=10**9)), name
        if width < 100:
            continue
        for line in text.splitlines():
            if len(line) > width + 1:  # a comma behind what could not be broken
                assert max(map(len, atoms(line))) > 40 or len(line) - len(line.lstrip()) > 60, line


names = st.sampled_from(["a", "first_argument", "another_rather_long_name", "x.attribute", "'some text, (quoted'", "1"])
expressions = st.recursive(
    names,
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["f", "ag__.call", "np.where"]), st.lists(inner, max_size=4)).map(
            lambda p: f"{p[0]}({', '.join(p[1])})"
        ),
        st.tuples(inner, st.sampled_from(["+", "and", "or", "not in", "is not", "**", "<", "@"]), inner).map(
            lambda p: f"({p[0]} {p[1]} {p[2]})"
        ),
        inner.map(lambda e: f"(lambda x, y=1: {e})"),
        inner.map(lambda e: f"-{e}"),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} if {p[1]} else None)"),
        st.tuples(inner, inner).map(lambda p: f"[{p[0]} for a, b in {p[1]} if a]"),
        st.lists(inner, min_size=1, max_size=3).map(lambda p: f"({', '.join(p)},)"),
        st.tuples(inner, inner).map(lambda p: f"x[{p[0]}:{p[1]}, ...]"),
        inner.map(lambda e: f"x[{e}]"),
        st.tuples(inner, inner).map(lambda p: "{" + f"{p[0]}: {p[1]}, **a" + "}"),
        st.tuples(inner, inner).map(lambda p: f"f(*{p[0]}, key={p[1]})"),
    ),
    max_leaves=12,
)
STATEMENTS = [
    "{}",
    "x = {}",
    "x += {}",
    "x: int = {}",
    "return {}",
    "assert {}, 'told'",
    "del x[{}]",
    "raise {}",
    "x, y = z = {}",
]


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(STATEMENTS), expressions, st.integers(10, 80), st.integers(0, 12))
def test_whatever_is_wrapped_means_the_same(statement, expression, width, margin):
    text = ast.unparse(ast.parse(statement.format(f"({expression})")))
    lines = wrapped(text, margin, width)
    assert ast.dump(ast.parse("\n".join(lines))) == ast.dump(ast.parse(text))
    assert all(line == line.rstrip() for line in lines)


def test_what_fits_stays_and_what_cannot_be_broken_too():
    assert wrapped("f(a, b)", 0, 7) == ["f(a, b)"]
    assert wrapped("x = 'a b c d e f g'", 0, 8) == ["x = 'a b c d e f g'"]
    assert wrapped("# a comment that is long", 0, 8) == ["# a comment that is long"]


@pytest.mark.parametrize("text, lines", [
    ("fun(first, second, t=3)", ["fun(", "    first, second, t=3", ")"]),
    ("f(first, second, third, fourth)", ["f(", "    first,", "    second,", "    third,", "    fourth,", ")"]),
    ("return first_one and second_one", ["return (", "    first_one", "    and second_one", ")"]),
    ("return (first + other) * third", ["return (", "    (first + other)", "    * third", ")"]),
    ("x = [first_one, other] + third", ["x = (", "    [first_one, other]", "    + third", ")"]),
    ("x = [y for y in items if wanted(y)]", ["x = [", "    y", "    for y in items", "    if wanted(y)", "]"]),
    ("from a import first, second, third, last",
        ["from a import (", "    first,", "    second,", "    third,", "    last,", ")"]),
    ("assert x, 'what is' ' told here'", ["assert x, (", "    'what is'", "    ' told here'", ")"]),
    ("f(lambda a, b: a, [1])", ["f(lambda a, b: a, [1])"]),
    ("f(x, *args, **keywords, key=2)", ["f(", "    x,", "    *args,", "    **keywords,", "    key=2,", ")"]),
    ("x[first_index, second_index]", ["x[", "    first_index,", "    second_index,", "]"]),
])  # fmt: skip
def test_lines_end_where_formatters_end_them(text, lines):
    assert wrapped(text, 0, 24, tail=2) == lines
