import pytest

from autograph.passes import walrus
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("if a and (b := f()): y = b", "tested = False\nif a:\n    tested = bool((b := f()))\nif tested:\n    y = b"),
        ("if a or (b := f()): y = b", "tested = True\nif not a:\n    tested = bool((b := f()))\nif tested:\n    y = b"),
        (
            "if a and b and (c := f()) and d: y = c",  # what stands before is asked in one, and what stands behind
            "tested = False\nif a and b:\n    tested = bool((c := f()) and d)\nif tested:\n    y = c",
        ),
        (
            "if (a and (b := f())) or c: y = 1",
            "tested = False\nif a:\n    tested = bool((b := f()))\n"
            "if not tested:\n    tested = bool(c)\nelse:\n    tested = True\nif tested:\n    y = 1",
        ),
        (
            "tested = 1\nif a and (b := f()): y = b",  # a name of the user's
            "tested = 1\ntested_1 = False\nif a:\n    tested_1 = bool((b := f()))\nif tested_1:\n    y = b",
        ),
        (
            "for x in xs:\n    if x and (b := f()): y = b",
            "for x in xs:\n    tested = False\n    if x:\n        tested = bool((b := f()))\n"
            "    if tested:\n        y = b",
        ),
        (
            "while a and (b := f()): y = b",
            "while True:\n    tested = False\n    if a:\n        tested = bool((b := f()))\n"
            "    if not tested:\n        break\n    y = b",
        ),
        (
            "while (b := f()) < a:\n    if b:\n        break\n    y = b",  # the test would stand behind another
            "while True:\n    if not (b := f()) < a:\n        break\n    if b:\n        break\n    y = b",
        ),
        (
            "if not (a and (b := f())): y = 1",
            "tested = False\nif a:\n    tested = bool((b := f()))\nif not tested:\n    y = 1",
        ),
    ],
)
def test_operands_that_bind_are_asked_in_statements(before, after):
    assert rewritten(before, walrus) == after


@pytest.mark.parametrize(
    "kept",
    [
        "if (b := f()) and a:\n    y = b",  # the first operand is always asked
        "if a and b:\n    y = b",
        "if a and (lambda: (b := f())):\n    y = 1",  # of another function
        "while a and (b := f()):\n    y = b\nelse:\n    y = 0",  # which follows the test, and no break
        "while (b := f()):\n    y = b",
        "while (b := f()):\n    if b:\n        continue\n    for c in b:\n        break",
        "async def f():\n    if a and (b := (await g())):\n        y = b",
    ],
)
def test_everything_else_stays(kept):
    assert rewritten(kept, walrus) == kept
