import pytest

from autograph.passes import lists
from tests.rewriting import rewritten


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = []\ny.append(x)", "y = ag__.list_([])\ny.append(x)"),
        (
            "def g():\n    def f(z, y=[]):\n        y.append(x)",
            "def g():\n    def f(z, y=ag__.list_([])):\n        y.append(x)",
        ),
        (
            "def g():\n    def f(z, *, y={}):\n        y[z] = x",
            "def g():\n    def f(z, *, y=ag__.dict_({})):\n        y[z] = x",
        ),
        ("y = list()\ny.append(x)", "y = ag__.list_(list())\ny.append(x)"),
        ("y: list = []\ny.append(x)", "y: list = ag__.list_([])\ny.append(x)"),
        ("y = z = [x]\nz += [1]", "y = z = ag__.list_([x])\nz += [1]"),
        ("y = [x for x in xs]\ny.sort()", "y = ag__.list_([x for x in xs])\ny.sort()"),
        ("y = [x] * n\ny[0] = 1", "y = ag__.list_([x]) * n\ny[0] = 1"),
        ("y = [1, *x, 2]\ny.pop()", "y = ag__.list_([1]) + ag__.list_(x) + ag__.list_([2])\ny.pop()"),
        ("y = [] if c else [x]\ny.append(1)", "y = ag__.list_([]) if c else ag__.list_([x])\ny.append(1)"),
        ("y = [[], x]\ny[0].append(1)", "y = ag__.list_([ag__.list_([]), x])\ny[0].append(1)"),
        ("z = []\ny = z\ny.append(1)", "z = ag__.list_([])\ny = z\ny.append(1)"),  # another name of it
        ("y = []\nput = y.append", "y = ag__.list_([])\nput = y.append"),  # called later
        (
            "y, z = [], [1]\n(y if c else z).append(1)",
            "y, z = ag__.list_([]), ag__.list_([1])\n(y if c else z).append(1)",
        ),
        ("self.y = []", "self.y = ag__.list_([])"),  # anyone may change it
        ("y = {'a': []}", "y = {'a': ag__.list_([])}"),
        ("f([1, 2])", "f(ag__.list_([1, 2]))"),
        ("y, z = [], [x]\ny.append(1)", "y, z = ag__.list_([]), [x]\ny.append(1)"),
        ("(y, w), [z] = ([], []), [x]\nw.append(z)", "(y, w), [z] = ([], ag__.list_([])), [x]\nw.append(z)"),
        ("z = []\ny, w = z, 1\ny.append(1)", "z = ag__.list_([])\ny, w = z, 1\ny.append(1)"),
        ("y, *z = [], [x]\nz.append(1)", "y, *z = ag__.list_([]), ag__.list_([x])\nz.append(1)"),
        ("if (y := []) is None:\n    y.append(1)", "if (y := ag__.list_([])) is None:\n    y.append(1)"),
        ("y = ([], 1)\nf(y)", "y = ag__.list_([]), 1\nf(y)"),
    ],
)
def test_lists_that_something_may_change(before, after):
    assert rewritten(before, lists) == after


@pytest.mark.parametrize(
    "before, after",
    [
        ("t = [1, 2]\ny = t[i]", "t = [1, 2]\ny = ag__.get_item(t, i)"),
        ("y = TABLE[i]", "y = ag__.get_item(TABLE, i)"),
        ("y = TABLE[i][j + 1]", "y = ag__.get_item(ag__.get_item(TABLE, i), j + 1)"),
        ("y = self.table[i]", "y = ag__.get_item(self.table, i)"),
        ("t, y = [1, 2], 3\ny = t[i]", "t, y = [1, 2], 3\ny = ag__.get_item(t, i)"),
        ("y = (1, 2)[i]", "y = ag__.get_item((1, 2), i)"),
        ("y = TABLE[i, j + 1]", "y = ag__.get_item(TABLE, (i, j + 1))"),
        ("y = TABLE[-i]", "y = ag__.get_item(TABLE, -i)"),
        ("y = TABLE[i:]", "y = ag__.get_item(TABLE, slice(i, None))"),
        ("y = TABLE[:, i:j:2]", "y = ag__.get_item(TABLE, (slice(None, None), slice(i, j, 2)))"),
        ("y = TABLE[1:] + self.table[i:] + [1, 2][:i]", "y = TABLE[1:] + self.table[i:] + [1, 2][:i]"),
        ("slice = 1\ny = TABLE[i:]", "slice = 1\ny = TABLE[i:]"),
        ("y = TABLE[-1] + TABLE[~i, -2]", "y = TABLE[-1] + ag__.get_item(TABLE, (~i, -2))"),
    ],
)
def test_indices_into_tables_of_python(before, after):
    assert rewritten(before, lists) == after


@pytest.mark.parametrize(
    "before, after",
    [
        ("t = np.linspace(0, 1, n)\ny = t[i]", "t = np.linspace(0, 1, n)\ny = ag__.get_item(t, i)"),
        (
            "t = 2 * np.arange(n)\nu = np.sin(t)\ny = u[i]",
            "t = 2 * np.arange(n)\nu = np.sin(t)\ny = ag__.get_item(u, i)",
        ),
        ("t, u = np.triu_indices(n)\ny = u[i]", "t, u = np.triu_indices(n)\ny = ag__.get_item(u, i)"),
        ("t = np.arange(n)\nt[0] = 1\ny = t[i]", "t = np.arange(n)\nt[0] = 1\ny = t[i]"),  # the graph's, if need be
        ("def f(x):\n    t = np.sin(x)\n    y = t[i]", "def f(x):\n    t = np.sin(x)\n    y = t[i]"),
        ("t = np.sin(X)\ny = t[i]", "t = np.sin(X)\ny = ag__.get_item(t, i)"),
        (
            "def f(x):\n    t = weights(len(x), x.shape[0])[::-1]\n    y = t[i]",
            "def f(x):\n    t = weights(len(x), x.shape[0])[::-1]\n    y = ag__.get_item(t, i)",
        ),
        ("y = np.sort(X)[i]", "y = ag__.get_item(np.sort(X), i)"),
        ("y = np.r_[x, 0:n]", "y = ag__.get_item(np.r_, (x, slice(0, n)))"),
        ("y = np.r_[0:3, 1]", "y = np.r_[0:3, 1]"),
    ],
)
def test_indices_into_arrays_that_numpy_makes(before, after):
    assert rewritten(before, lists, modules={"np": "numpy"}) == after


@pytest.mark.parametrize(
    "kept",
    [
        "y = []",
        "y = [x, 1]\nreturn y",
        "y = sum([1, 2])",
        "t = [1, 2]\ny = t[0]",
        "t = [1, 2]\ny = t[1:]",
        "def f(t, i):\n    y = t[i]",  # an argument, which is a tensor or may be
        "TABLE[i] = 0",
    ],
)
def test_everything_else_stays(kept):
    assert rewritten(kept, lists) == kept
