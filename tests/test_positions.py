"""A call of a user's function is converted wherever an expression can stand: the function called has a staged `if`."""

import contextlib
import textwrap

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph import source
from autograph.convert_file import convert_module
from tests.programs import EXECUTORS, load, staging

# `f` gives 1 or 2; `kept` is a box, `Box` its class, `E` an exception, `run` drives a generator or coroutine.
# ruff: noqa: E501 (a program is one row)
PRELUDE = """
class Box:
    def __init__(self, value=0):
        self.value = value

    def __enter__(self):
        if self.value > 0:
            self.value += 10
        return self.value

    def __exit__(self, *error):
        return None

    def __getitem__(self, key):
        return key * 2

    def __setitem__(self, key, value):
        self.value = key * 10 + value

    def __delitem__(self, key):
        self.value = key * 100


class E(Exception):
    pass


class Meta(type):
    def __new__(meta, name, bases, space, given=0):
        made = super().__new__(meta, name, bases, space)
        made.given = given
        return made


def f(v):
    if v > 0:
        return 1
    return 2


def twice(function):
    return lambda *a: function(*a) * 2


def choosing(v):
    def decorate(function):
        return lambda *a: function(*a) + f(v)

    return decorate


def base(v):
    f(v)
    return Box


def kind(v):
    f(v)
    return KeyError


def run(started):
    try:
        while True:
            found = started.send(None)
    except StopIteration as stop:
        return stop.value if stop.value is not None else found


"""

POSITIONS = {
    "expression statement": "kept = []\nkept.append(f(x))\nreturn kept[0]",
    "argument": "return max(f(x), 0)",
    "starred arguments": "return (lambda *a, **k: a[0] + k['b'])(*[f(x)], **{'b': f(x)})",
    "keyword": "return (lambda a: a)(a=f(x))",
    "assignment": "y = f(x)\nreturn y",
    "annotated assignment": "y: int = f(x)\nreturn y",
    "augmented assignment": "y = 1\ny += f(x)\nreturn y",
    "walrus": "return (y := f(x)) + y",
    "target": "d = {1: 0, 2: 0}\nbox = Box()\nbox[f(x)] = 5\nreturn box.value",
    "augmented target": "box = Box()\nbox[f(x)] += 5\nreturn box.value",
    "for target": "box = Box()\nfor box[f(x)] in range(3):\n    pass\nreturn box.value",
    "with target": "box = Box()\nwith Box(7) as box[f(x)]:\n    pass\nreturn box.value",
    "del target": "box = Box()\ndel box[f(x)]\nreturn box.value",
    "index": "return Box()[f(x)]",
    "slice": "return [1, 2, 3][0:2:1][0] + sum(np.arange(5)[f(0):])+ f(x)",
    "attribute": "return Box(f(x)).value",
    "operators": "return -f(x) + f(x) ** 2",
    "comparison": "return 1 if f(x) < 2 else 3",
    "chained comparison": "return 1 if 0 < f(x) < 2 else 3",
    "conditional expression": "return f(x) if f(x) > 1 else f(x) + 5",
    "and or not": "return 7 if f(x) > 1 and not f(x) < 2 or f(x) == 5 else 8",
    "tuple": "a, b = f(x), f(-x)\nreturn a * 10 + b",
    "list, set, dict": "return [f(x)][0] + {'k': f(x)}['k']",
    "list comprehension": "return sum([f(x) + i for i in range(3)])",
    "condition of a comprehension": "return sum([i for i in range(3) if f(x) > 1])",
    "iterable of a comprehension": "return sum([i for i in [f(x), f(x)]])",
    "generator expression": "return sum(f(x) + i for i in range(3))",
    "set comprehension": "return [*{id(f(x)) * 0 for i in (1,)}][0]",
    "dict comprehension": "return {i: f(x) for i in (1,)}[1]",
    "lambda": "return (lambda: f(x))()",
    "lambda default": "return (lambda a=f(x), *, b=f(x): a + b)()",
    "f-string": "y = f'{f(x)}'\nreturn f(x)",
    "if test": "if f(x) > 1:\n    return 5\nreturn 6",
    "elif test": "if x > 100:\n    return 4\nelif f(x) > 1:\n    return 5\nreturn 6",
    "while test": "n = 0\nwhile n < f(x):\n    n += 1\nreturn n",
    "for iterable": "n = 0\nfor i in range(f(x)):\n    n += i + 1\nreturn n",
    "assert": "assert f(x) > 0, f(x)\nreturn 1",
    "assert message": "assert x < 100, f(x)\nreturn 1",
    "return": "return f(x)",
    "raise": "if x > 100:\n    raise E(f(x))\nreturn 1",
    "raise from": "if x > 100:\n    raise E(1) from E(f(x))\nreturn 1",
    "raise what a function makes": "def made(v):\n    return E(1 if v > 0 else 2)\nif x > 100:\n    raise made(x)\nreturn 1",
    "with item": "with Box(f(x)) as y:\n    return y",
    "several with items": "with Box(f(x)) as y, Box(y + f(x)) as z:\n    return z",
    "context manager of a function": "def made(v):\n    if v > 0:\n        n = 1\n    else:\n        n = 2\n    return Box(n)\n"
    "with made(x) as y:\n    return y",
    "except": "try:\n    return f(x)\nexcept kind(x):\n    return 9",
    "finally": "y = 0\ntry:\n    y = f(x)\nfinally:\n    y += f(x)\nreturn y",
    "match subject": "match f(x):\n    case 1:\n        return 5\n    case _:\n        return 6",
    "match guard": "match x:\n    case _ if f(x) > 1:\n        return 5\n    case _:\n        return 6",
    "parameter default": "def g(a=f(x), *, b=f(x)):\n    return a + b\nreturn g()",
    "decorator with arguments": "@choosing(f(x))\ndef g(a):\n    return a\nreturn g(x)",
    "decorator": "def chosen(g):\n    n = f(x)\n    if x > 0:\n        n += 5\n    return lambda: n\n"
    "@chosen\ndef g():\n    return 0\nreturn g()",
    "decorated function": "@twice\ndef g(a):\n    return f(a)\nreturn g(x)",
    "annotation of a parameter": "def g(a: f(x) = 0) -> f(x):\n    return a\nreturn g.__annotations__['a'] + g.__annotations__['return']",
    "class base": "class A(base(x)):\n    pass\nreturn A(3).value",
    "class keyword": "class A(metaclass=Meta, given=f(x)):\n    pass\nreturn A.given",
    "class body": "class A:\n    y = f(x)\n    z = x + 1 if x > 0 else x\nreturn A.y + A.z * 0",
    "annotation in a class": "class A:\n    y: f(x)\nreturn A.__annotations__['y']",
    "class decorator": "def chosen(cls):\n    n = 7\n    if x > 0:\n        n = 8\n    return n\n@chosen\nclass A:\n    pass\nreturn A",
    "method": "class A:\n    def m(self):\n        return f(x)\nreturn A().m()",
    "nested function": "def g():\n    return f(x)\nreturn g()",
    "yield": "def g():\n    yield f(x)\nreturn next(g())",
    "yield from": "def g():\n    yield from [f(x)]\nreturn next(g())",
    "await": "async def h(v):\n    return f(v)\nasync def g():\n    return await h(f(x))\nreturn run(g())",
    "async with and for": "class C:\n    async def __aenter__(self):\n        return f(x)\n    async def __aexit__(self, *e):\n"
    "        return None\nasync def g():\n    async with C() as y:\n        return y\nreturn run(g())",
}  # fmt: skip


def program(body):
    return f"{PRELUDE}def program(x):\n{textwrap.indent(body, '    ')}\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("position", POSITIONS)
def test_position(position):
    text = program(POSITIONS[position])
    function = load(text, "program", np=np, __name__="positions")
    printed = load(convert_module(source.parse(text, "printed.py")), "program", np=np, __name__="positions")
    for x in (3, -3):
        wanted = function(x)
        for form in (autograph.to_graph(function), printed):
            assert form(x) == wanted
            with staging():
                assert form(x) == wanted
        for native in EXECUTORS:
            for form in (function, printed):
                assert tf.function(form, jit_compile=native)(tf.constant(x)) == wanted


@pytest.mark.parametrize(
    "text", ["raise E(f(x))", "raise E(0) from E(f(x))", "assert x > 100, f(x)", "raise E(f(x)) from None"]
)
def test_what_is_raised(text):
    function = load(program(f"if x < 100:\n    {text}\nreturn 1"), "program", np=np, __name__="positions")
    for x in (3, -3):
        with pytest.raises((function.__globals__["E"], AssertionError)) as wanted:
            function(x)
        for native in EXECUTORS:
            with pytest.raises(Exception) as found:
                tf.function(function, jit_compile=native)(tf.constant(x))
            assert type(found.value).__name__ == type(wanted.value).__name__ or isinstance(found.value, AssertionError)
            assert str(found.value) == str(wanted.value)


def test_annotations_that_are_not_evaluated_stay():
    text = "from __future__ import annotations\n" + program("def g(a: f(x)):\n    pass\nreturn g.__annotations__['a']")
    function = load(text, "program", np=np, __name__="positions")
    with contextlib.ExitStack() as stack:
        stack.enter_context(staging())
        assert function(1) == autograph.to_graph(function)(1) == "f(x)"
        assert (
            load(convert_module(source.parse(text, "printed.py")), "program", np=np, __name__="positions")(1) == "f(x)"
        )
