"""`to_code` prints modules that run."""

import contextlib
import functools
import importlib
import math
import pickle
import sys

import numpy as np
import pytest

import autograph
from tests.programs import load
from tests.test_identity import Model, sample

SCALE = 3


def helper(x):
    return x * 2


def area(x):
    # comments are kept
    if x > 0:  # here too
        return math.pi * x**2 + np.sum(helper(x)) * SCALE
    return 0


def run(text, name):
    names = {}
    exec(compile(text, "<printed>", "exec"), names)
    return names[name]


def test_the_text_is_a_module_that_runs():
    text = autograph.to_code(area)
    assert "import math\nimport numpy as np\n" in text and "# comments are kept" in text and "# here too" in text
    assert run(text, "area")(2.0) == area(2.0) and run(text, "area")(-1) == 0


def test_methods_are_printed_in_their_class():
    text = autograph.to_code(Model.step)
    assert "class Model(Base):" in text and "from tests.test_identity import Base" in text
    compile(text, "<printed>", "exec")
    assert autograph.to_code(Model().step) == text


@pytest.mark.parametrize(
    "thing",
    [
        sample,
        functools.partial(sample, 1),
        functools.lru_cache(sample),
        autograph.to_graph(sample),
        autograph.convert(sample),
    ],
)
def test_everything_that_wraps_a_function_prints_it(thing):
    assert autograph.to_code(thing) == autograph.to_code(sample)


def test_classes_properties_and_callable_objects():
    assert "def positive(self):" in autograph.to_code(Model)
    assert "def positive(self):" in autograph.to_code(Model.positive)
    assert "def __call__(self, x):" in autograph.to_code(Model())
    assert "lambda x: ag__.if_exp(x > 0" in autograph.to_code(lambda x: 1 if x > 0 else 2)


def test_functools_wraps_shows_the_function_inside():
    @functools.wraps(area)
    def wrapper(*args):
        return area(*args)

    assert autograph.to_code(wrapper) == autograph.to_code(area)


def test_recursive_false_leaves_calls_alone():
    assert "ag__.call" in autograph.to_code(area)
    assert "ag__.call" not in autograph.to_code(area, recursive=False)


def test_names_of_the_module_that_are_variables_of_the_function_are_not_imported():
    f = load("x, total = 3, 5\n\n\ndef f(x):\n    total = 0\n    for y in x:\n        total += y\n    return total\n")
    assert autograph.to_code(f).startswith("from autograph import operators as ag__\n\n\ndef f(x):")
    g = load("SCALE = 3\n\n\ndef g(x):\n    return (lambda: x * SCALE)() if x else [SCALE for _ in x]\n", "g")
    assert autograph.to_code(g).startswith("from autograph import operators as ag__\n\nSCALE = 3\n\n\ndef g(x):")


def test_where_globals_have_no_name_what_is_missing_is_told():
    f = load("def helper(n):\n    return n\n\ndef f(n):\n    return helper(n)\n")
    assert f.__module__ in (None, "builtins")
    f.__module__ = None
    assert "from None" not in autograph.to_code(f) and "it also uses" in autograph.to_code(f)


def test_a_class_made_where_nothing_has_a_name_is_none_of_pythons():
    f = load(
        "def make():\n    class D:\n        @staticmethod\n        def f(n):\n            return n\n    return D\n\n"
        "D = make()\n\ndef f(n):\n    return D.f(n)\n"
    )
    assert f.__globals__["D"].__module__ == "builtins"
    assert "ag__.call(D.f, n)" in autograph.to_code(f)


COMMENTED = """
def f(k, xs):
    if k < 0:
        raise ValueError("negative")
    n = k // 8  # rounded down
    if k > 1:  # many
        n += 1  # one more
    elif n:  # few
        n = 0
    while n > k:  # too much
        n -= 1
    for x in xs:  # each
        n += x
    return n >> k  # trimmed
"""


def test_a_comment_stays_behind_its_statement():
    lines = autograph.to_code(load(COMMENTED)).splitlines()
    found = [(line.split("  # ")[1], line.split("  # ")[0].strip()) for line in lines if "  # " in line]
    assert found == [
        ("rounded down", "n = k // 8"),
        ("many", "def if_body():"),
        ("one more", "n += 1"),
        ("few", "def elif_body():"),
        ("too much", "def loop_test():"),
        ("each", "def loop_body(x):"),
        ("trimmed", "return n >> k"),
    ]


def long(first_argument, second_argument):
    return first_argument * second_argument if first_argument > second_argument else second_argument


def test_lines_are_as_wide_as_is_asked():
    assert max(map(len, autograph.to_code(long).splitlines())) <= 100
    narrow = autograph.to_code(long, width=60)
    assert max(map(len, narrow.splitlines())) <= 60 and run(narrow, "long")(3, 2) == 6


@pytest.mark.parametrize("style", ["black", "ruff"])
def test_a_formatter_lays_the_text_out(style):
    pytest.importorskip(style)
    text = autograph.to_code(area, style=style, width=70)
    assert run(text, "area")(2.0) == area(2.0) and "# comments are kept" in text
    assert '("n",)' in autograph.to_code(load("def f(n):\n    if n: n = 1\n    return n\n"), style=style)


def test_a_style_that_is_not_known_or_not_there_is_refused(monkeypatch):
    with pytest.raises(ValueError, match=r"style='yapf'.*'black', 'ruff', or None"):
        autograph.to_code(area, style="yapf")
    monkeypatch.setitem(sys.modules, "black", None)
    with pytest.raises(ImportError, match="black"):
        autograph.to_code(area, style="black")


def test_the_text_shows_itself_in_a_notebook_and_is_text_everywhere_else(monkeypatch):
    text = autograph.to_code(area)
    assert isinstance(text, str) and f"{text}" == str(text) and pickle.loads(pickle.dumps(text)) == text
    assert "<span" in text._repr_html_() and "style=" in text._repr_html_()
    monkeypatch.setitem(sys.modules, "pygments.formatters", None)
    assert text._repr_html_().startswith("<pre>import math") and "x &gt; 0" in text._repr_html_()


def test_ipython_shows_the_text_and_not_its_quotes():
    pretty = pytest.importorskip("IPython.lib.pretty")
    assert pretty.pretty(autograph.to_code(area)) == autograph.to_code(area).rstrip("\n")


def test_a_function_that_is_printed_beside_has_what_an_import_of_everything_gave(tmp_path, monkeypatch):
    (tmp_path / "starred.py").write_text("def shown(x):\n    return f'<{x}>'\n", encoding="utf-8")
    (tmp_path / "starring.py").write_text(STARRING, encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    module = importlib.import_module("starring")
    try:
        text = autograph.to_code(module.f)
        assert run(text, "f")(2) == module.f(2) == "<1>"
    finally:
        del sys.modules["starring"], sys.modules["starred"]


STARRING = """
from starred import *

count = 0


def step(show=shown):
    global count
    count += 1
    return show(count)


def f(x):
    return step() if x > 0 else ""
"""


RANGES = {
    31: ("31", "1, 32", "0, 62, 2", "31, 0, -1", "-5, 26"),
    32: ("32", "1, 33", "0, 63, 2", "32, 0, -1", "-5, 27", "0x20"),
    None: ("", "40.0", "'40'", "0, 40, 0", "1, 2, 3, 4"),  # which Python refuses when it runs
}


@pytest.mark.parametrize("length, bounds", [(n, bounds) for n, known in RANGES.items() for bounds in known])
def test_a_loop_over_a_short_range_of_literals_stays_one(length, bounds):
    f = load(f"def f(x):\n    for i in range({bounds}):\n        x = x + i\n    return x\n")
    assert ("for_stmt" in autograph.to_code(f)) == (length == 32 or not bounds)
    if length:
        assert len(range(*map(int, map(eval, bounds.split(","))))) == length
    with contextlib.nullcontext() if length else pytest.raises((TypeError, ValueError)):
        assert autograph.convert(f)(1) == f(1)
