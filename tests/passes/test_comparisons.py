import pytest

from autograph.passes import comparisons
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = x in xs", "y = ag__.in_(x, xs)"),
        ("y = 3 not in xs", "y = ag__.not_in(3, xs)"),
        ("y = x in (1, 2)", "y = ag__.in_(x, (1, 2))"),
        ("y = 3 in (1, 2)", "y = 3 in (1, 2)"),  # what the text decides
        ("y = type(x) in (int, float)", "y = ag__.in_(type(x), (int, float))"),  # which class, the graph may decide
        ("y = type(self) not in (int, float)", "y = type(self) not in (int, float)"),
        ("y = isinstance(x, z) in (True, 2)", "y = isinstance(x, z) in (True, 2)"),
        ("y = 'key' in xs", "y = 'key' in xs"),  # no tensor of numbers holds a text
        ("y = x < 3", "y = x < 3"),
        ("y = x in xs in ys", "y = x in xs in ys"),
        ("y = x is None", "y = ag__.is_(x, None)"),  # another function's, or the module's
        ("y = (x := f()) is None", "y = ag__.is_((x := f()), None)"),
        ("y = (1 if c else f()) is None", "y = ag__.is_(1 if c else f(), None)"),
        ("y = x is Missing", "y = x is Missing"),
        ("x = [1]\ny = x[0] is True", "x = [1]\ny = ag__.is_(x[0], True)"),
        ("z = False is not y", "z = ag__.is_not(False, y)"),
        ("y = [x] is True", "y = [x] is True"),
        ("x = [1]\ny = x is None", "x = [1]\ny = x is None"),
        ("x, z = 1, w\ny = x is None, z is None", "x, z = 1, w\ny = x is None, ag__.is_(z, None)"),
        ("for x in xs:\n    y = x is None", "for x in xs:\n    y = ag__.is_(x, None)"),
        ("x = z.best\ny = x is None", "x = z.best\ny = ag__.is_(x, None)"),
        ("y = f() is None", "y = ag__.is_(f(), None)"),
        ("y = x.best is not None", "y = ag__.is_not(x.best, None)"),
        ("y = x[0] is None", "y = ag__.is_(x[0], None)"),
        ("x = None\nif c: x = 1\ny = x is None", "x = None\nif c:\n    x = 1\ny = ag__.is_(x, None)"),
        ("y = (x + z) is None", "y = ag__.is_(x + z, None)"),
        ("x = w + z\ny = x is None", "x = w + z\ny = ag__.is_(x, None)"),
        ("x = (lambda: z)()\ny = x is None", "x = (lambda: z)()\ny = ag__.is_(x, None)"),
        ("x = [1]\nif x is None: x = g()\ny = x is None", "x = [1]\nif x is None:\n    x = g()\ny = x is None"),
        ("x = [1]\nif x is not None: x = g()\ny = x is None",
         "x = [1]\nif ag__.is_not(x, None):\n    x = g()\ny = ag__.is_(x, None)"),
        ("x = [1]\nif x is None: x = 2\nelse: x = g()\ny = x is None",
         "x = [1]\nif ag__.is_(x, None):\n    x = 2\nelse:\n    x = g()\ny = ag__.is_(x, None)"),
        ("if x is z.best: raise w", "if ag__.is_(x, z.best):\n    raise w"),  # no default in place of None
    ],
)  # fmt: skip
def test_comparisons(before, after):
    assert rewritten(before, comparisons) == after
