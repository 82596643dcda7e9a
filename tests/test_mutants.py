"""The changes of the mutation tester are what they should be, and it tells those that tests notice from the others."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants.changes import changes, sample

HERE = Path(__file__).parent


def changed(text):
    lines = set(range(1, text.count("\n") + 2))
    return [change.text for change in changes("some.py", text, lines)]


@pytest.mark.parametrize(
    "before, after",
    [
        ("a = b < c", ["a = (b <= c)", "a = (b >= c)"]),
        ("a = b == c", ["a = (b != c)"]),
        ("a = b is None", ["a = (b is not None)"]),
        ("a = b in c", ["a = (b not in c)"]),
        ("a = b < c < d", []),
        ("a = b + c", ["a = (b - c)"]),
        ("a = b | c", ["a = (b & c)"]),
        ("a = b and c", ["a = (b or c)", "a = (b)", "a = (c)"]),
        ("a = b or c or d", ["a = (b and c and d)", "a = (b or c)", "a = (d)"]),
        ("a = not b", ["a = (b)"]),
        ("a = -b", ["a = (b)"]),
        ("a = True", ["a = (False)"]),
        ("a = 3", ["a = (4)"]),
        ("a = b if c else d", ["a = (b)", "a = (d)"]),
        ("if a: b = c", ["if (not a): b = c"]),
        ("if a == b: c = d", ["if (a != b): c = d"]),
        ("while a: b = c", ["while (not a): b = c"]),
        ("while a:\n    break", ["while (not a):\n    break", "while a:\n    continue"]),
        ("def f(): return a", ["def f(): return None"]),
        ("def f(): return False", ["def f(): return (True)"]),
        ("def f(a=1): a.b()", ["def f(a=(2)): a.b()", "def f(a=1): pass"]),
        ("def f(): yield a", ["def f(): (yield a) if False else None"]),
        ("a += b", ["pass"]),
        ("del a[b]", ["pass"]),
    ],
)
def test_changes(before, after):
    assert changed(before) == after


@pytest.mark.parametrize(
    "text",
    [
        '"""A docstring."""',
        "import a",
        "a: list[int | str]",
        "def f(a: int | str) -> int | str: ...",
        "@dataclass(frozen=True)\nclass C: a: int",
        "assert a == b, 1 + c",
        "raise E(1 + a if b else c)",
        "a = f'{b + c}'",
        "message = 'one' if a else 'many'",
        "a = warn('text', stacklevel=2)",
        "def __repr__(self): return 'a' if self.b else 'c'",
        "def f(): return None",
        "if TYPE_CHECKING: a = 1",
        "@overload\ndef f(a: int = 1) -> int: ...",
        "@typing.overload\ndef f(a: int = 1) -> int: ...",
    ],
)
def test_what_computes_nothing_stays(text):
    assert changed(text) == []


def test_only_lines_that_are_asked_for_are_changed():
    assert [c.line for c in changes("some.py", "a = 1\nb = 2\nc = 3", {2})] == [2]


def test_a_change_is_named_by_its_place():
    (change,) = changes("some.py", "class C:\n    def f(self):\n        return (self.a\n            )", {3})
    assert change.key == "some.py: C.f: return (self.a: return (self.a )  ->  return None"


@pytest.mark.parametrize(
    "text, shown",
    [
        ("a = 1\ndef f():\n    return a", {"1": (1, 3), "return a": (3, 3)}),
        ("def f(a=1,\n    b=2):\n    return 3", {"1": (1, 3), "2": (1, 3), "return 3": (3, 3), "3": (3, 3)}),
        ("class C:\n    a = 1\n    def f(self, b=2): self.c()", {"1": (1, 3), "2": (3, 3), "self.c()": (3, 3)}),
        ("f = g(lambda x: (\n    1), 2)\nf()", {"1": (2, 2), "2": (1, 3), "f()": (1, 3)}),
        ("def f():\n    def g(a=1): b()\n    c()", {"1": (2, 2), "b()": (2, 2), "c()": (3, 3)}),
    ],
)
def test_what_importing_runs_is_shown_by_all_that_it_is_a_part_of(text, shown):
    assert {c.before: c.shows for c in changes("some.py", text, {1, 2, 3})} == shown


def test_a_sample_has_one_change_for_each_line_and_a_seed_repeats_it():
    found = list(changes("some.py", "a = b < c\nd = e < f\ng = h < i", {1, 2, 3}))
    chosen = sample(found, 2, seed=5)
    assert len(chosen) == len({change.line for change in chosen}) == 2
    assert sample(found[::-1], 2, seed=5) == chosen


PACKAGE = '''
"""A package."""


def sign(x):
    """Doctests are tests too.

    >>> sign(-3)
    -1
    """
    return 1 if x > 0 else -1


def size(x):
    return x if x > 0 else -x


def forever(x):
    while x > 0:
        x = x - 1


def twice(x):
    return x + x


def thrice(x):
    return 3 * x


def unused():
    return 1 + 1


def times(n):
    def made(x):
        return x * n

    return made


fourfold = times(4)
'''
TESTS = """
import time

from autograph.small import forever, fourfold, size, thrice, twice


def test_size():
    assert size(2) == size(-2) == 2


def test_forever():
    forever(1)


def test_twice():
    assert twice(0) == thrice(0) == 0


def test_fourfold():
    assert fourfold(2) == 8


def test_twice_slowly():
    time.sleep(0.5)
    assert twice(1) == 2
"""
FUZZ = """
import sys

from autograph.small import sign

sys.exit(sign(0) != -1)
"""


@pytest.mark.slow
def test_what_tests_notice_is_told_from_what_they_do_not(tmp_path):
    files = {
        "autograph/__init__.py": "",
        "autograph/small.py": PACKAGE,
        "runtime/__init__.py": "",
        "tests/__init__.py": "",
        "tests/test_small.py": TESTS,
        "tests/fuzz/__main__.py": FUZZ,
        "pyproject.toml": "",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copytree(HERE / "mutants", tmp_path / "tests/mutants")
    (tmp_path / "tests/mutants/equivalent.txt").write_text(
        "autograph/small.py: size: return x if x > 0 else -x: x > 0  ->  (x >= 0)   # -0 is 0\n"
        "autograph/small.py: forever: x = x - 1: *   # of no account here\n"
    )
    chosen = tmp_path / "chosen.txt"
    chosen.write_text(
        "autograph/small.py: sign: return 1 if x > 0 else -1: x > 0  ->  (x <= 0)\n"
        "autograph/small.py: sign: return 1 if x > 0 else -1: x > 0  ->  (x >= 0)\n"
        "autograph/small.py: forever: x = x - 1: x - 1  ->  (x + 1)\n"
        "autograph/small.py: twice: return x + x: x + x  ->  (x - x)\n"
        "autograph/small.py: thrice: return 3 * x: 3  ->  (4)\n"
        "autograph/small.py: unused: return 1 + 1: 1 + 1  ->  (1 - 1)\n"
        "autograph/small.py: times.made: return x * n: x * n  ->  (x // n)\n"
    )
    command = [sys.executable, "-m", "tests.mutants", "--jobs", "1", "--seconds", "0.3", "--limit", "2"]
    done = subprocess.run([*command, "--list", chosen], cwd=tmp_path, capture_output=True, text=True)
    said = [line.partition("autograph/small.py: ")[2] for line in done.stdout.splitlines() if "# line" in line]
    assert [line.rpartition(" (")[0] for line in said] == [
        "sign: return 1 if x > 0 else -1: x > 0  ->  (x >= 0)   # line 11: noticed by programs at random",
        "sign: return 1 if x > 0 else -1: x > 0  ->  (x <= 0)   # line 11: "
        "noticed by autograph/small.py::autograph.small.sign",
        "forever: x = x - 1: x - 1  ->  (x + 1)   # line 20: noticed by tests/test_small.py::test_forever",
        "twice: return x + x: x + x  ->  (x - x)   # line 24: noticed by tests/test_small.py::test_twice_slowly",
        "thrice: return 3 * x: 3  ->  (4)   # line 28: NOT NOTICED",
        "times.made: return x * n: x * n  ->  (x // n)   # line 37: noticed by tests/test_small.py::test_fourfold",
    ], done.stdout + done.stderr
    assert done.returncode == 1
    chosen.write_text("autograph/small.py: times.made: return x * n: x * n  ->  (x // n)\n")
    done = subprocess.run([*command, "--quickly", "--list", chosen], cwd=tmp_path, capture_output=True, text=True)
    assert "1 of 1 noticed" in done.stdout, done.stdout + done.stderr
    done = subprocess.run([*command, "--count", "0"], cwd=tmp_path, capture_output=True, text=True)
    assert "0 of 25 changes besides 2 known to change nothing" in done.stdout
