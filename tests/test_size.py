"""Long and deep functions: hundreds of lines, of branches one after the other, in one another, in chains."""

import gc

import pytest

import autograph
from tests.programs import load, staging


def elif_chain(count):
    arms = "".join(f"    {'elif' if i else 'if'} x == {i}:\n        y = {i} + x\n" for i in range(count))
    return f"def f(x):\n    y = -1\n{arms}    else:\n        y = -2\n    return y\n"


def returning_chain(count):
    arms = "".join(f"    if x == {i}:\n        return {i} + x\n" for i in range(count))
    return f"def f(x):\n{arms}    return -1\n"


def branches_in_a_row(count):
    return (
        "def f(x):\n    y = 0\n"
        + "".join(f"    if x > {i}:\n        y += {i}\n" for i in range(count))
        + "    return y\n"
    )


def early_returns(count):
    steps = "".join(f"    y += {i}\n    if y > x * 50:\n        return {i}, y\n" for i in range(count))
    return f"def f(x):\n    y = 0\n{steps}    return y\n"


def skips(count):
    steps = "".join(f"        if i == {i}:\n            continue\n        y += {i}\n" for i in range(count))
    return f"def f(x):\n    y = 0\n    for i in range(x):\n{steps}    return y\n"


def nested_branches(count):
    lines = [f"{'    ' * (i + 1)}if x > {i}:\n{'    ' * (i + 2)}y += {i}\n" for i in range(min(count, 90))]
    return f"def f(x):\n    y = 0\n{''.join(lines)}    return y\n"


def nested_loops(count):
    lines = [f"{'    ' * (i + 1)}for i{i} in range(1 + (x > {i})):\n{'    ' * (i + 2)}y += 1\n" for i in range(8)]
    return f"def f(x):\n    y = 0\n{''.join(lines)}    return y\n"


def many_lines(count):
    lines = "".join(f"    y = y + {i} if x > {i} else y - x\n" for i in range(count * 2))
    return f"def f(x):\n    y = 0\n{lines}    return y\n"


def long_expressions(count):
    test = " or ".join(f"x == {i}" for i in range(count))
    return f"def f(x):\n    if {test}:\n        return 'small'\n    return {' + '.join(['x'] * count)}\n"


KINDS = [
    *(elif_chain, returning_chain, branches_in_a_row, early_returns, skips),
    *(nested_branches, nested_loops, many_lines, long_expressions),
]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("kind", KINDS)
def test_large_functions(kind):
    gc.collect()  # what other tests have left is not finalized where the stack is nearly full
    f = load(kind(300))
    converted, text = autograph.to_graph(f), autograph.to_code(f)
    arguments = (-1, 0, 2, 5, 200, 1000) if kind is not nested_loops else (0, 2, 4)
    wanted = [f(x) for x in arguments]
    printed = load(text)
    with staging():
        assert [converted(x) for x in arguments] == wanted
        assert [printed(x) for x in arguments] == wanted
    assert max(len(line) - len(line.lstrip()) for line in text.splitlines()) < 400


def test_what_nests_too_deeply_is_refused_with_a_reason():
    f = load(elif_chain(2500))
    with pytest.raises(autograph.ConversionError, match="nested too deeply"):
        autograph.to_graph(f)


@pytest.mark.parametrize("expression", [
    "x" + ".__add__(1)" * 210, "not " * 211 + "x", "".join(f"{i} if x == {i} else " for i in range(210)) + "0",
])  # fmt: skip
def test_what_python_reads_but_cannot_read_once_it_is_printed_is_refused(expression):
    f = load(f"def f(x):\n    return {expression}\n")
    assert autograph.to_graph(f)(3) == f(3)
    with pytest.raises(autograph.ConversionError, match="cannot be printed"):
        autograph.to_code(f)


@pytest.mark.parametrize("word", ["and", "or"])
@pytest.mark.parametrize("count", [29, 30, 31, 32, 100])
def test_each_of_many_operands_is_asked_once_and_in_order(word, count):
    expression = f" {word} ".join(f"g({i})" for i in range(count))
    text = f"def f(g):\n    x = {expression}\n    y = 1 if {expression} else 2\n    return x, y, not ({expression})\n"
    f = load(text)
    forms = [f, autograph.to_graph(f), load(autograph.to_code(f))]

    def outcome(function, last, answer):
        asked, other = [], 3 if word == "and" else None
        return function(lambda i: asked.append(i) or (answer if i == last else other)), asked

    for last in (0, 1, 28, 30, 31, count - 1):
        for answer in (0, "", [], 1, "a", [2]):
            found = [outcome(function, last, answer) for function in forms]
            assert found[0] == found[1] == found[2]


def test_many_operands_do_not_make_much_code():
    """Each in place has all that follow it beside it, once more."""

    def size(code):
        return len(code.co_code) + sum(size(c) for c in code.co_consts if hasattr(c, "co_code"))

    few, many = (load(f"def f(x):\n    return {' and '.join(f'x != {i}' for i in range(n))}\n") for n in (200, 800))
    assert size(autograph.to_graph(many).__code__) < 6 * size(autograph.to_graph(few).__code__)
