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
        "y = ', '.split(x)",
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
