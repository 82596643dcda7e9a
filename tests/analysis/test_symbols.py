import gast
import pytest

from autograph.analysis import symbols


@pytest.mark.parametrize(
    "code, names",
    [
        ("a, (b, *c) = 1, (2, 3)", "a b c"),
        ("import a.b, c as d", "a d"),
        ("def f(x): y = 1", "f"),
        ("class C: x = 1", "C"),
        ("for i in (j := k): pass", "i j"),
        ("with a as b: pass", "b"),
        ("try: pass\nexcept E as e: pass", "e"),
        ("match s:\n  case {'k': v, **rest}: pass\n  case [w, *_] as all: pass", "v rest w all"),
        ("[(y := x) for x in xs]", "y"),
        ("x: int", "x"),
        ("del x", "x"),
    ],
)
def test_names_that_code_binds(code, names):
    assert set(symbols.bound(gast.parse(code))) == set(names.split())


@pytest.mark.parametrize(
    "code, names",
    [
        ("lambda x: x + y", "y"),
        ("def f(x):\n  z = x\n  return z + y", "y"),
        ("def f():\n  nonlocal y\n  y = 1", "y"),
        ("def f():\n  def g(): return y\n  return g", "y"),
        ("class C:\n  def m(self): return y", "y"),
        ("(x for x in xs if x > y)", "xs y"),
        ("[x for x in xs]", ""),
    ],
)
def test_names_that_functions_made_by_code_may_use_later(code, names):
    assert symbols.captured(gast.parse(code)) == set(names.split())
