import ast
import importlib.util
import sys

import pytest

from autograph import printer, source
from autograph.comments import comments_of

FILES = (
    "heapq bisect textwrap statistics fractions difflib calendar json.decoder "
    "ast enum dataclasses typing asyncio.tasks".split()
)


def text_of(module):
    path = importlib.util.find_spec(module).origin
    with open(path, encoding="utf-8") as file:
        return file.read(), path


@pytest.mark.parametrize("module", FILES)
def test_printing_and_parsing_gives_the_same_tree(module):
    text, path = text_of(module)
    tree = ast.parse(text)
    assert ast.dump(ast.parse(printer.to_text(tree.body))) == ast.dump(tree)


PROGRAM = '''
@decorate
class C(Base, metaclass=M):
    """Doc with "quotes" and a \\\\ backslash."""

    async def f(self, /, a, *b, c=1, **k) -> int:
        async with x as y, z:
            async for i, *j in w:
                await i
            else:
                pass
        try:
            raise E from e
        except* (A, B) as error:
            return
        return 1, *b

match s:
    case {'k': [1, *rest], **more} if more:
        x: int = (yield)
    case C(a=1) | None as d:
        (y): int = 1
    case _:
        global g
for i in 1, *s:
    del a[1:2, ...], b.c
while (n := n - 1):
    f'{x!r:>{w}} {"nested"}' f"{y}"
a, (b, c) = d, e = (1,), ()
assert x, 'm'
'''


def test_every_statement_survives():
    tree = ast.parse(PROGRAM)
    assert ast.dump(ast.parse(printer.to_text(tree.body))) == ast.dump(tree)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are new in Python 3.12")
def test_type_parameters_survive():
    tree = ast.parse("type X[T] = list[T]\ndef f[T: int, *Ts, **P](x: T) -> T:\n    return x\nclass C[T]:\n    pass\n")
    assert ast.dump(ast.parse(printer.to_text(tree.body))) == ast.dump(tree)


def test_comments_stay_with_their_lines():
    text = (
        "def f(x):\n    # first\n    y = x  # behind\n    if y:  # header\n"
        "        # inside\n        return y\n    return x\n"
    )
    module = source.parse(text, "f.py")
    node = module.tree.body[0]
    assert printer.to_text([node], comments_of(module, node)) == text


def test_names_that_have_no_room_in_a_line_are_declared_in_several():
    tree = ast.parse("def f():\n    nonlocal first, second, third\n    global a, b")
    made = "def f():\n    nonlocal first\n    nonlocal second\n    nonlocal third\n    global a, b\n"
    assert printer.to_text(tree.body, width=21) == made


@pytest.mark.parametrize("parameters", [
    "a, b=1, *, c, d=2",
    "a: int, b: int = 1, /, c: str = 'x', *args: int, d, e: int | None = None, **others: Any",
    "a, /",
    "*, a=(1, 2)",
    "*args, **others",
    "a=lambda x=1: x, b=(yield_ := 3)",
])  # fmt: skip
def test_parameters_are_written_as_people_write_them(parameters):
    text = f"def f({parameters}):\n    pass\n"
    assert printer.to_text(ast.parse(text).body) == text


def test_a_method_of_the_users_is_no_chain_of_branches():
    for text in ("x.if_chain(a, b)\n", "y = x.if_chain()\n", "return_ = x.if_chain([a, b], c)\n"):
        printed = printer.to_text(ast.parse(text).body)
        assert ast.dump(ast.parse(printed)) == ast.dump(ast.parse(text))
