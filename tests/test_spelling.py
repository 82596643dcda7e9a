"""Literals stand in what is printed as the user wrote them."""

import ast

import pytest

import autograph
from autograph.convert_file import convert_module
from autograph.source import parse
from autograph.spelling import text_of
from tests.programs import load


@pytest.mark.parametrize(
    "literal, printed",
    [
        ('"a"', '"a"'),
        ("'a'", "'a'"),
        ('"it\'s"', '"it\'s"'),
        ('"\\"q\\""', '"\\"q\\""'),
        ('r"\\d+"', 'r"\\d+"'),
        ('b"x"', 'b"x"'),
        ('"é" "ü"', '"é" "ü"'),
        ('("one "\n    "two")', '"one two"'),
        ('"""a\n  b"""', '"a\\n  b"'),
        ('"""a\n"b"""', "'a\\n\"b'"),
        ("0xFF", "0xFF"),
        ("1_000_000", "1_000_000"),
        ("1e-9", "1e-9"),
        ("-1.50", "-1.50"),
        ("f\"{x!r:>4}: {d['k']}\"", "f\"{x!r:>4}: {d['k']}\""),
        ('{"a": ["b", \'c\']}["a"]', '{"a": ["b", \'c\']}["a"]'),
        ('"".join(["x"])', '"".join(["x"])'),
        ("(0x10).real", "16 .real"),  # a point behind it would be the number's
        ("True", "True"),
    ],
)
def test_a_literal_is_printed_as_it_was_written(literal, printed):
    module = parse(f"def f(x, d):\n    return {literal}\n", "<literals>")
    (place,) = module.places
    text = text_of(module, place.node, place.node)
    assert text == f"def f(x, d):\n    return {printed}\n"
    assert ast.dump(ast.parse(text)) == ast.dump(module.tree)


MIXED = """
def f(x, word="ü"):
    '''It says "so".'''
    names = {"one": 'a', "two": 0x10}  # ü before it on the line:
    label = f"{x}: {names['one']}"; told = "%d of %d" % (x, 3)
    if x > 0:
        match word:
            case "ü" | 'o':
                return label + " yes"
    return "no" + told
"""


def test_what_is_converted_keeps_the_quotes_of_its_literals():
    f = load(MIXED)
    text = str(autograph.to_code(f))
    for kept in (
        'word="ü"', '"""It says "so"."""', "{\"one\": 'a', \"two\": 0x10}", 'ag__.text("{}: {}", x, names[\'one\'])',
        'ag__.percent("%d of %d", ', "case \"ü\" | 'o':", 'label + " yes"', '"no" + told',
    ):  # fmt: skip
        assert kept in text
    made = {}
    exec(text, made)
    assert [made["f"](x) for x in (0, 2)] == [f(x) for x in (0, 2)]


def test_the_users_tree_stays_as_it_is():
    module = parse('def f(x):\n    return "a" if x else "b"\n', "<literals>")
    before = ast.dump(module.tree)
    for place in module.places:
        text_of(module, place.node, place.node)
    assert ast.dump(module.tree) == before


LONG = '''
def f(x):
    if x:
        raise ValueError("the first half of a text that is too long for one line, "
                         'and the other half of it, as it is')
    text = """
    one
    two
    """
    return text, f"{x} is what was given, and there is more to say than one line of it holds, "\\
        "so that it has another"
'''


def test_long_texts_keep_their_lines():
    f = load(LONG)
    text = str(autograph.to_code(f))
    lines = [line.strip() for line in text.splitlines()]
    assert '"the first half of a text that is too long for one line, "' in lines
    assert "'and the other half of it, as it is'" in lines and 'text = """' in lines and "two" in lines
    assert max(map(len, text.splitlines())) <= 100
    made = {}
    exec(text, made)
    assert made["f"](0) == f(0)


def test_what_the_compiler_has_made_is_not_looked_for_in_the_text(monkeypatch):
    """Each sign of a chain has the place of the whole chain."""
    read, parsed = [], ast.parse
    monkeypatch.setattr(ast, "parse", lambda text, *rest, **more: read.append(text) or parsed(text, *rest, **more))
    text = convert_module(parse("def f(x):\n    return " + " < ".join(f"x + {i}" for i in range(20)) + "\n", "f.py"))
    assert text.count("('<', ") == 19
    assert sum("x + 0" in read_text for read_text in read) == 2, "the module itself, and what was printed"
