import gast
import pytest

from autograph.analysis.liveness import Liveness


@pytest.mark.parametrize(
    "code, uses, kills",
    [
        ("x = y", "y", "x"),
        ("x += y", "x y", "x"),
        ("if a:\n  x = 1\nelse:\n  x = 2\n  y = 3", "a", "x"),
        ("while a:\n  x = y\n  y = 1", "a y", ""),
        ("for i in xs:\n  s = s + i", "xs s", ""),
        ("x = 1\nz = x", "", "x z"),
        ("try:\n  x = a\nexcept E as e:\n  y = e", "a E", ""),
        ("with a as b:\n  x = b", "a", "b"),
        ("def g(p=d):\n  return p + q", "d q", "g"),
        ("y = [i + k for i in xs]", "k xs", "y"),
        ("del x", "x", "x"),
        ("match s:\n  case [a, b]:\n    x = a", "s a", ""),
        ("o.n = v", "o v", ""),
    ],
)
def test_what_a_block_needs_and_rebinds(code, uses, kills):
    effect = Liveness().block(gast.parse(code).body)
    assert (effect.uses, effect.kills) == (set(uses.split()), set(kills.split()))
