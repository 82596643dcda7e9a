"""Generators as functions that hand on each item."""

import ast
import textwrap

import gast
import pytest

from autograph.passes import yields

GENERATOR = """
def f(a, *, k):
    yield a
    for x in a:
        if x > k:
            yield x, k
        else:
            yield from g(x)
"""
GIVING = """
def f(ag__give, ag__goes_on, /, a, *, k):
    ag__give(a)
    for x in a:
        if x > k:
            ag__give((x, k))
        else:
            for ag__given in g(x):
                ag__give(ag__given)
"""
ENDING = """
def f(ag__give, ag__goes_on, /, a, *, k):
    ag__give(a)
    if not ag__goes_on():
        return
    for x in a:
        if x > k:
            ag__give((x, k))
            if not ag__goes_on():
                return
        else:
            for ag__given in g(x):
                ag__give(ag__given)
                if not ag__goes_on():
                    return
"""


def made(text, ends):
    found = yields.giving(gast.parse(textwrap.dedent(text)).body[0], ends)
    return None if found is None else ast.unparse(gast.gast_to_ast(gast.Module(body=[found], type_ignores=[])))


@pytest.mark.parametrize("ends, wanted", [(False, GIVING), (True, ENDING)])
def test_what_is_yielded_is_handed_on(ends, wanted):
    assert made(GENERATOR, ends) == wanted.strip()


@pytest.mark.parametrize(
    "body",
    [
        "x = yield 1",
        "g((yield))",
        "try:\n        yield 1\n    finally:\n        pass",
        "with g():\n        yield 1",
        "yield 1\n    ag__give = 2",
        "while (yield 1):\n        pass",
    ],
)
def test_what_is_more_than_that_stays(body):
    assert made(f"def f():\n    {body}\n", False) is None


@pytest.mark.parametrize(
    "own",
    [
        "def g():\n        x = yield",
        "def g():\n        try:\n            yield 1\n        finally:\n            pass",
        "def g():\n        with a:\n            yield 1",
        "async def g():\n        async with a:\n            yield 1",
        "class g:\n\n        def h(self):\n            with a:\n                yield 1",
        "g = lambda: (yield)",
    ],
)
def test_what_stands_in_a_function_of_its_own_is_that_ones(own):
    text = f"def f(a):\n    {own}\n    yield g\n"
    wanted = ast.unparse(ast.parse(f"def f():\n    {own}\n    ag__give(g)")).partition("\n")[2]
    assert made(text, False).partition("\n")[2] == wanted
