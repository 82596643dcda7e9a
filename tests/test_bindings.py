"""Every construct that binds a variable does so wherever the compiler may move it: plain, converted, while something is
traced, and as printed, the program does the same."""

import pytest

import autograph
from tests.programs import load, outcome, staging

EXPRESSIONS = (
    "(y := n + 1)", "((y := n + 1) if n > 2 else 1)", "(1 if n > 2 else (y := n))", "(n > 2 and (y := n + 1) > 0)",
    "(n > 2 or (y := n + 1) > 0)", "(0 < n < (y := 3))", "(0 < 3 < n < (y := 3))", "len([y := i for i in range(n)])",
    "sum((y := i) for i in range(n))", "((n > 2 and (1 if n > 3 else (y := 5))) or 7)", "(lambda a=(y := n): a)()",
    "(not (y := n > 2))", "len(f'{(y := n)}')", "[1, 2, 3][(y := n % 3)]", "max(1, (y := n))",
    "(n if (y := n) > 2 else -n)", "(y := (1 if n > 3 else 0))", "[i for i in range(4) if (y := i) > n].pop()",
)  # fmt: skip
STATEMENTS = (
    *(f"w = {e}" for e in EXPRESSIONS),
    *(f"y += {e}" for e in EXPRESSIONS[:4]),
    "y = n + 1", "y += 1", "y: int = n", "y: int", "del y",
    "import math as y", "from math import pi as y", "(y, *w) = [n, 2, 3]",
    "for y in range(n): w = y", "for w, y in [(1, n)]: pass", "with C(n) as y: w = 1", "with C(n) as (w, y): pass",
    "assert n < 9 or (y := 3)", "assert (y := n) < 9, (y := 3)", "w = [y for y in range(3)]",
    "w = {y: i for y in range(2)}, [y for i in range(2)], sum(y for _ in range(2))",
    "w = [(lambda: [y, i])() for y in range(2) for i in {y for y in range(y)}], {(lambda y: y)(y) for y in range(2)}",
    "def y(): return 5\n_", "class y: pass\n_", "try: w = 1 // n\n_except ZeroDivisionError as y: w = 2",
    "try: w = 1 // n\n_except ZeroDivisionError as e: y = 2", "match n:\n_    case 0: pass\n_    case y: pass",
    "match [n, 1, 2]:\n_    case [0, *y]: pass\n_    case [3, w, y] if (w := 5): pass",
    "match {'a': n, 'b': 1}:\n_    case {'a': 3, **y}: pass", "while (y := n + i) < 3: i += 1",
    "while i < n and (y := i) < 3: i += 1", "def g():\n_    nonlocal y\n_    y = 4\n_g()",
)  # fmt: skip
PLACES = {
    "tail": "if n > 5:\n    return 0\n@",
    "branch": "if n > 1:\n    @",
    "else": "if n > 1:\n    w = 2\nelse:\n    @",
    "elif": "if n > 5:\n    w = 2\nelif n > 2:\n    @\nelse:\n    y = 7",
    "loop": "for i in range(n):\n    @",
    "loop with break": "for i in range(3):\n    @\n    if i == n:\n        break",
    "after continue": "for i in range(3):\n    if i == n:\n        continue\n    @",
    "tail in a loop": "for z in range(2):\n    if n > 4:\n        return 1\n    @\n    if n == z:\n        return w",
    "loop in a branch": "if n > 0:\n    while i < n:\n        i += 1\n        @",
    "loop in a loop that binds it again": "while i < 3:\n    i += 1\n    for z in range(n):\n        if z > 1:\n"
    "            if n > 3:\n                break\n            continue\n        @\n    y = w = i",
    "try": "if n > 1:\n    try:\n        @\n    finally:\n        w = 3",
    "finally": "try:\n    w = 2\nfinally:\n    @\n    if n > 3:\n        return 0",
    "else of a loop": "for i in range(n):\n    if i > 2:\n        break\nelse:\n    @",
    "with": "if n > 1:\n    with C(1):\n        if n > 4:\n            return 2\n        @",
}
TESTS = {
    "if": "if @ > 1:\n    w = 2",
    "tail": "if n > 5:\n    return 0\nif @ > 1:\n    return y",
    "while": "while @ > 1 and i < 3:\n    i += 1",
    "elif": "if n > 3:\n    w = 2\nelif @ > 1:\n    w = y\nelse:\n    w = 5",
    "while in a branch": "if n > 1:\n    while @ > 1:\n"
    "        i += 1\n        if i > 2:\n            break",
    "loop, then elif": "for z in range(1):\n    if n > 5:\n        while @ > 1:\n            break\n"
    "    elif y == n:\n        return 1\n    else:\n        continue\n    return 2",
    "expression": "w = (1 if @ > 1 else y) if n > 1 else 3",
    "thunk": "w = n > 1 and @ > 1",
    "assert": "assert @ > -9, y",
    "for": "for i in range(@):\n    if i > 2:\n        break",
    "return": "if n > 3:\n    return @\nw = 8",
}  # fmt: skip
AFTER = ("return y", "return w, i", "g = lambda: (w, y)\nreturn g()")


class C:
    def __init__(self, v):
        self.v = v

    def __enter__(self):
        return self.v if self.v != 3 else (3, 4)

    def __exit__(self, *_):
        return False


def program(place, code, after):
    at = next(line for line in place.splitlines() if "@" in line)
    indent = " " * (len(at) - len(at.lstrip()))
    body = place.replace("@", code.replace("\n_", f"\n{indent}"))
    text = f"y, w, i = n, 0, 0\n{body}\n{after}".replace("\n", "\n    ")
    return f"def f(n):\n    {text}\n"


def shown(value):
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    return value if isinstance(value, int | str | dict | list | float) else getattr(value, "__name__", type(value))


def check(text):
    try:
        compile(text, "<test>", "exec")
    except SyntaxError:
        return
    f = load(text, C=C)
    converted, printed = autograph.to_graph(f), load(autograph.to_code(f))
    for n in (0, 2, 3, 6):
        wanted = shown(outcome(f, n))
        for name, other in (("converted", converted), ("printed", printed)):
            assert shown(outcome(other, n)) == wanted, f"{name}, n = {n}:\n{text}"
        with staging():
            assert shown(outcome(converted, n)) == wanted, f"while staging, n = {n}:\n{text}"


@pytest.mark.sampled(12)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("place", PLACES)
def test_a_statement_binds_wherever_it_is_moved(place, after):
    for code in STATEMENTS:
        check(program(PLACES[place], code, after))


@pytest.mark.sampled(8)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("test", TESTS)
def test_an_expression_binds_wherever_it_is_moved(test, after):
    for code in EXPRESSIONS:
        check(program(TESTS[test], code, after))


@pytest.mark.parametrize(
    "statement",
    [
        "w = lambda a=(y := n): a", "w = lambda *, a=(y := n): a", "def w(a=(y := n)): return a",
        "def w(*, a=(y := n)): return a", "@(y := (lambda f: f))\n    def w(): return 1",
        "class w((y := object)): pass", "class w(metaclass=(y := type)): pass",
        "w = (lambda: (lambda a=(y := 1): a)())()", "w = [(y := n) for _ in '1']",
    ],
)  # fmt: skip
def test_what_a_nested_scope_binds_around_it_is_a_variable_of_that(statement):
    """A walrus among its defaults, decorators or bases, beside a loop that assigns the same variable."""
    text = f"def f(n):\n    {statement}\n    while (y := n - 3) > 0:\n        n -= 1\n    return y\n"
    plain, converted = load(text), autograph.to_graph(load(text))
    printed = load(autograph.to_code(load(text)))
    with staging():
        staged = converted(5)
    assert plain(5) == converted(5) == printed(5) == staged == 0


@pytest.mark.parametrize(
    "look",
    [
        "look = lambda: w", "def look(): return w", "look = [lambda: w for _ in '1'][0]", "look = {1: lambda: w}[1]",
        "class C:\n        def __call__(self): return w\n    look = C()",
        "class C:\n        look = lambda self: w\n    look = C().look",
        "class C:\n        class D:\n            def look(self): return w\n    look = C.D().look",
        "look = [type('C', (), {'look': lambda self: w}) for _ in '1'][0]().look",
        "look = {(lambda: w) for _ in '1'}.pop()", "look = {1: (lambda: w) for _ in '1'}[1]",
    ],
)  # fmt: skip
def test_what_is_made_before_a_loop_sees_its_variables(look):
    """The loop's target too, which nothing but a method, or a function in a comprehension, reads."""
    text = (
        f"def f(n):\n    seen = []\n    w = n\n    {look}\n    class It:\n        def __init__(self): self.k = 3\n"
        "        def __iter__(self): return self\n        def __next__(self):\n            seen.append(look())\n"
        "            self.k -= 1\n            if self.k < 0: raise StopIteration\n            return self.k\n"
        "    for w in It():\n        pass\n    if n > 3:\n        w = 9\n    seen.append(look())\n    return seen\n"
    )
    plain, converted = load(text), autograph.to_graph(load(text))
    printed = load(autograph.to_code(load(text)))
    with staging():
        staged = converted(5), printed(5)
    assert plain(5) == converted(5) == printed(5) == staged[0] == staged[1] == [5, 2, 1, 0, 9]
