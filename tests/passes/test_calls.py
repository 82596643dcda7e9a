import pytest

from autograph.passes import calls
from tests.rewriting import rewritten

MODULES = {"np": "numpy", "math": "math", "mine": "mine.package", "sqrt": "math"}


@pytest.mark.parametrize(
    "before, after",
    [
        ("y = g(x, *a, k=1, **b)", "y = ag__.call(g, x, *a, k=1, **b)"),
        ("y = self.step(x)", "y = ag__.call(self.step, x)"),
        ("y = mine.f(x)", "y = ag__.call(mine.f, x)"),
        ("y = super().step(x)", "y = ag__.call(super().step, x)"),
        ("y = len(x)", "y = ag__.call(len, x)"),
        ("y = range(n)", "y = ag__.call(range, n)"),
        ("y = g(h(x))", "y = ag__.call(g, ag__.call(h, x))"),
        ("y = [g(x) for x in xs]", "y = [ag__.call(g, x) for x in xs]"),
    ],
)
def test_calls_that_may_reach_user_functions(before, after):
    assert rewritten(before, calls, modules=MODULES) == after


@pytest.mark.parametrize(
    "kept",
    [
        "y = np.tanh(x)",
        "y = np.linalg.norm(x)",
        "y = isinstance(x, int)",
        "print(x)",
        "y = ', '.encode(x)",
        "y = range(3)",
        "raise ValueError(x)",
        "with open(x) as f:\n    pass",
        "@decorate(x)\ndef g(x=h()):\n    pass",
    ],
)
def test_calls_known_to_need_nothing_stay(kept):
    assert rewritten(kept, calls, modules=MODULES) == kept


def test_a_parameter_hides_a_module_and_a_builtin():
    after = rewritten("def f(np, print):\n    return print(np.tanh(1))", calls, modules=MODULES)
    assert after == "def f(np, print):\n    return ag__.call(print, ag__.call(np.tanh, 1))"


LISTS = [
    "x = [a, 1]", "x = (a,)", "x = []", "y = x = [a]", "x: list = [a]", "x, y = [a], 1", "(y, x), z = (1, (a,)), a",
    "x = [a] if a else a", "x = 1 if a else (a, a)", "x = y + [a]", "x = 2 * [a]", "x = [b for b in a]",
    "x = list(a)", "x = tuple(a)", "x = sorted(a)", "x = a.nonzero()", "x = np.nonzero(a)", "x = np.where(a)",
    "y = [a]; x = y", "f((x := [a]))",
]  # fmt: skip
OTHERS = [
    "x = [1, -2.5]", "x = (np.float32, 1)", "x = a", "x += [a, 1]", "x: list", "x, y = a", "x[0] = [a]", "x.y = [a]",
    "x = [a][0]", "x = [a] - a", "x = np.where(a, 1, 2)", "x = np.abs([a])", "x = {a}", "y, x = [a], 1", "*x, y = a, a",
    "for x in [a]: pass", "y = [a]", "y = a; x = y", "x = lambda: [a]",
]  # fmt: skip


@pytest.mark.parametrize("given", [*LISTS, *OTHERS])
def test_functions_of_numpy_that_do_not_look_into_lists_are_called_by_the_compiler(given):
    after = rewritten(f"{given}\nreturn np.median(x)", calls, modules=MODULES)
    assert after.endswith("return ag__.call(np.median, x)" if given in LISTS else "return np.median(x)")
