"""What `to_code` prints is a module that runs: with the user's own imports, and the variables around the function."""

import collections
import dataclasses
import enum
import importlib
import inspect
import math as maths
import re
import sys
import types
from collections import (
    OrderedDict,
    deque,
)
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

import autograph
from tests.programs import load

try:
    import no_such_package_at_all
except ImportError:
    no_such_package_at_all = None
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LIMIT = 3
TABLE = {"a": 1}
INFINITE = float("inf")
_template = "<%s>"


def helper(x):
    return x + 1


def run(text):
    """The variables of a printed module, once it has run."""
    made = types.ModuleType("printed")
    exec(compile(text, "<printed>", "exec"), vars(made))
    return vars(made)


def head_of(text):
    return text.partition("\n\n\n")[0].splitlines()


def user(x, y=maths.tau, found=re.compile("a").match):
    queue = deque([x])
    if x > LIMIT and x < INFINITE:
        return helper(TABLE["a"]) + queue[0], OrderedDict(), no_such_package_at_all
    return y


def test_the_head_has_the_imports_as_the_user_wrote_them():
    text = autograph.to_code(user)
    assert head_of(text) == [
        "import math as maths",
        "import re",
        "from collections import OrderedDict, deque",
        "try:",
        "    import no_such_package_at_all",
        "except ImportError:",
        "    no_such_package_at_all = None",
        "from autograph import operators as ag__",
        "from tests.test_listing import INFINITE, TABLE, helper",
        "",
        "LIMIT = 3",
    ]
    assert run(text)["user"](5) == user(5) and run(text)["user"](1) == user(1)


def annotated(x: "Sequence[int]", f: "Callable[..., int]") -> int:
    return f(x) if x else 0


def test_what_only_a_type_checker_reads_is_not_imported():
    assert head_of(autograph.to_code(annotated)) == ["from autograph import operators as ag__"]


FUTURE = """
from __future__ import annotations
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    from somewhere import Needed, Other
def f(x: Needed):
    return 1 if x else 2
"""


def test_annotations_that_are_not_evaluated_stay_so():
    text = autograph.to_code(load(FUTURE))
    assert head_of(text) == [
        "from __future__ import annotations",
        "from typing import TYPE_CHECKING",
        "if TYPE_CHECKING:",
        "    from somewhere import Needed",
        "from autograph import operators as ag__",
    ]
    assert run(text)["f"](0) == 2


def test_what_only_type_checkers_import_stays_whatever_tells_them():
    text = autograph.to_code(load(FUTURE.replace("from typing import TYPE_CHECKING", "TYPE_CHECKING = False")))
    assert head_of(text) == [
        "from __future__ import annotations",
        "TYPE_CHECKING = False",
        "if TYPE_CHECKING:",
        "    from somewhere import Needed",
        "from autograph import operators as ag__",
    ]
    assert run(text)["f"](0) == 2


def test_what_only_type_checkers_import_is_wrapped():
    names = ", ".join(["Needed", *(f"a_name_of_a_type_{n}" for n in range(8))])
    text = FUTURE.replace("import Needed", f"import {names}").replace("x: Needed", f"x: [{names}]")
    assert max(map(len, autograph.to_code(load(text)).splitlines())) <= 100
    assert "    from somewhere import (\n        Needed,\n        a_name_of_a_type_0,\n" in autograph.to_code(
        load(text)
    )


LIMITED = """
LIMIT = 3
count = 0


def more(by=LIMIT):
    global count
    count += by
    return count


def f(x):
    return more() if x else count
"""


def test_a_function_of_the_module_stands_behind_the_values_that_it_is_made_with():
    text = autograph.to_code(load(LIMITED))
    assert "\n\nLIMIT = 3\n" in text and text.index("LIMIT = 3") < text.index("\n\n\ndef more(by=LIMIT):")
    assert run(text)["f"](1) == 3


TYPED = """
def f(x):
    def g(a: dict[str, int], *b: tuple[int, str], c: x[0] | None = None) -> tuple[bytes, bytes]:
        return a if a else b

    return g
"""


def test_types_in_annotations_stay_as_they_are_written():
    made = "def g(a: dict[str, int], *b: tuple[int, str], c: x[0] | None = None) -> tuple[bytes, bytes]:"
    assert made in autograph.to_code(load(TYPED))


@pytest.mark.parametrize("alias", ["annotations", "annotations as _annotations"])
def test_annotations_stay_text_under_whatever_name_that_is_asked_for(alias):
    text = autograph.to_code(load(FUTURE.replace("import annotations", f"import {alias}")))
    assert head_of(text)[0] == "from __future__ import annotations" and run(text)["f"](0) == 2


def counters(step, start, fn):
    count = start

    def even(n):
        return n == 0 or odd(n - 1)

    def odd(n):
        return n != 0 and even(n - 1)

    def simple(x, by=step):
        return fn(x) * step if even(x) else by

    def counting(x):
        nonlocal count
        if x > 0:
            count += step
        return count

    def holding(items=start):
        return items if step else fn

    class Box:
        size = step

        def grown(self, x):
            if x > 0:
                return self.size + step + fn(x)
            return count

    return simple, counting, holding, Box, lambda x: x if x > step else fn(-x)


class Steps:
    width = 4
    kept = object()

    def narrow(self, x, k=width, *, m=width):
        return x + k if x > m else m

    def wide(self, x, k=kept):
        return x if x else k


def test_defaults_that_are_variables_of_the_class_come_with_their_values():
    text = autograph.to_code(Steps.narrow)
    assert "class Steps:\n    width = 4\n\n" in text
    made = run(text)["Steps"]()
    assert [made.narrow(x) for x in (1, 9)] == [4, 13]
    made = run(autograph.to_code(Steps.wide))["Steps"]()
    assert made.wide(0) is made.kept and made.wide(2) == 2


def test_variables_of_the_function_around_come_with_their_values():
    simple, counting, _, box, small = counters(2, 10, len)
    text = autograph.to_code(simple)
    assert head_of(text)[-2:] == ["fn = len  # a variable of counters", "step = 2  # a variable of counters"]
    assert "def even(n):" in text and "def odd(n):" in text
    made = run(text)
    made["fn"] = lambda x: x + 1
    assert [made["simple"](n) for n in range(4)] == [2, 2, 6, 2]

    text = autograph.to_code(counting)
    assert "def counters():\n    count = 10\n    step = 2\n\n    def counting(x):" in text
    assert text.endswith("    return counting\n\n\ncounting = counters()\n")
    made = run(text)["counting"]
    assert [made(n) for n in (1, 0, 1)] == [12, 12, 14]

    made = run(autograph.to_code(box))["Box"]
    assert made.size == 2 and made().grown(0) == 10
    assert "fn = len" in autograph.to_code(small)


def test_what_has_no_text_is_a_parameter_of_a_function_around():
    values = [1, 2]
    _, _, holding, _, small = counters(2, values, values.append)
    text = autograph.to_code(holding)
    assert "\n\n\ndef counters(fn, start):\n    step = 2\n\n    def holding(items=start):" in text
    assert run(text)["counters"](None, values)() is values
    assert run(autograph.to_code(small))["counters"](abs)(-5) == 5


def test_a_function_of_the_same_kind_made_by_another_call_is_not_taken_for_its_sibling():
    def make(k, inner=None):
        def outer(x):
            return inner(x) + k if inner and x else k

        return outer

    text = autograph.to_code(make(1, make(2)))
    assert run(text)["make"](make(2))(5) == 3


class Colour(enum.Enum):
    RED = 1
    BLUE = 2

    def other(self):
        return Colour.BLUE if self is Colour.RED else Colour.RED


@dataclasses.dataclass(order=True)
class Point:
    x: int
    y: int = LIMIT

    @property
    def size(self):
        return self.x if self.y > self.x else self.y


class Bare(Exception):
    pass


class Row(NamedTuple):
    a: int
    b: int = 2


@autograph.convert
class Decorated:
    @staticmethod
    def f(x):
        return 1 if x else 2

    @classmethod
    def g(cls, x):
        return cls.f(x) if x else 3


def test_classes_are_what_they_were():
    made = run(autograph.to_code(Colour))["Colour"]
    assert made.RED.other() is made.BLUE and isinstance(made, enum.EnumMeta)
    made = run(autograph.to_code(Point))["Point"]
    assert made(1) == made(1, 3) and made(1).size == 1 and made(1) < made(2)
    assert issubclass(run(autograph.to_code(Bare))["Bare"], Exception)
    assert run(autograph.to_code(Row))["Row"](1) == (1, 2)
    made = run(autograph.to_code(Decorated))["Decorated"]
    assert made.g(1) == 1 and made.g(0) == 3
    assert "convert" not in autograph.to_code(Decorated).partition("class")[0]
    assert run(autograph.to_code(Decorated.g))["Decorated"].g(0) == 3


def test_a_class_that_names_another_module_of_its_package_is_found_where_it_is_written(tmp_path, monkeypatch):
    package = tmp_path / "renaming_package"
    package.mkdir()
    (package / "_errors.py").write_text("import io\n\n\nclass Failed(io.UnsupportedOperation):\n    code = 7\n")
    renamed = "from renaming_package._errors import Failed\nFailed.__module__ = __name__\n"
    (package / "__init__.py").write_text(renamed)
    monkeypatch.syspath_prepend(tmp_path)
    made = run(autograph.to_code(importlib.import_module("renaming_package").Failed))["Failed"]
    assert made.code == 7 and issubclass(made, OSError)


def test_a_module_is_printed_whole():
    text = autograph.to_code(importlib.import_module("samples.collatz"))
    assert run(text)["collatz"](97) == 118 and "ag__.while_stmt" in text


@pytest.mark.parametrize("thing, why", [
    (collections.OrderedDict, "is written in C"),
    (collections.namedtuple("Made", "a b"), "has no class statement for it"),
    (maths, "has no Python source"),
])  # fmt: skip
def test_what_has_no_source_says_so_in_one_line(thing, why):
    with pytest.raises(autograph.SourceNotFoundError, match=why) as caught:
        autograph.to_code(thing)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("ending, is_python", [(".py", True), (".pyw", True), (".txt", False), ("", False)])
def test_modules_by_the_ending_of_their_file(tmp_path, ending, is_python):
    path = tmp_path / f"some{ending}"
    path.write_text("def f(x):\n    return x if x > 0 else -x\n", encoding="utf-8")
    module = types.ModuleType("some")
    module.__file__ = str(path)
    if is_python:
        assert "if_exp" in autograph.to_code(module)
    else:
        with pytest.raises(autograph.SourceNotFoundError):
            autograph.to_code(module)


@pytest.mark.parametrize("file", [None, 3, "", "nothing.py", b"nothing.py", Path("nothing.py"), sys.executable])
def test_modules_that_name_no_file_of_python(file):
    module = types.ModuleType("some")
    module.__file__ = file
    with pytest.raises(autograph.SourceNotFoundError, match="<module 'some' .*has no Python source"):
        autograph.to_code(module)


DELETED = """
import re
pattern = "a+"
def f(x, match=re.compile(pattern).match):
    return match(x) if x else None
del re, pattern
"""


def test_names_that_the_module_has_deleted_are_found_in_its_text():
    f = load(DELETED)
    text = autograph.to_code(f)
    assert head_of(text) == ["import re", "from autograph import operators as ag__", "", 'pattern = "a+"']
    assert run(text)["f"]("aa").span() == (0, 2)


MODULES = [
    "argparse", "ast", "collections", "configparser", "contextlib", "copy", "csv", "difflib", "email.message", "enum",
    "fractions", "functools", "gettext", "heapq", "html.parser", "inspect", "json.decoder", "json.encoder", "logging",
    "pickle", "shutil", "statistics", "string", "subprocess", "tempfile", "textwrap", "tokenize", "traceback", "types",
    "typing", "urllib.parse", "xml.dom.minidom", "zipfile",
]  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", MODULES)
def test_functions_and_classes_of_the_standard_library_are_printed_as_modules_that_run(name, monkeypatch):
    module = importlib.import_module(name)
    tried = 0
    for key, value in list(vars(module).items()):
        if not isinstance(value, types.FunctionType | type) or value.__module__ != name:
            continue
        try:
            inspect.getsource(value)
            text = autograph.to_code(value)
        except (OSError, TypeError, IndexError, autograph.SourceNotFoundError):
            continue
        made = types.ModuleType(f"printed_{key}")
        monkeypatch.setitem(sys.modules, made.__name__, made)
        exec(compile(text, f"<{name}.{key}>", "exec"), vars(made))
        tried += 1
    assert tried


def test_a_name_is_imported_from_where_that_very_object_is(monkeypatch):
    made = types.ModuleType("lookalike")
    monkeypatch.setitem(sys.modules, "lookalike", made)
    shared = [1]
    f = load("def f(x):\n    return HELD if x else MADE\n", HELD=shared, MADE=[2], __name__="lookalike")
    made.HELD, made.MADE = shared, [2]  # an equal object is another
    text = autograph.to_code(f)
    assert "from lookalike import HELD\n" in text and "# it also uses, from where it was defined: MADE" in text
    assert run(text)["f"](1) is shared


REBOUND = """
level = 0
def enter():
    global level
    level += step()
def step():
    return 1
def depth(x):
    enter()
    return level if x else -level
"""


def test_what_gives_a_variable_of_the_module_another_value_stands_beside(monkeypatch):
    made = types.ModuleType("rebound")
    monkeypatch.setitem(sys.modules, "rebound", made)
    exec(compile(REBOUND, "<rebound>", "exec"), vars(made))
    text = autograph.to_code(made.depth, source=REBOUND)
    depth = run(text)["depth"]
    assert [depth(1), depth(1), depth(0)] == [1, 2, -3]


def inside(x):
    from .programs import outcome

    return outcome if x else None


def test_an_import_inside_says_from_where():
    text = autograph.to_code(inside)
    assert "from tests.programs import outcome" in text and run(text)["inside"](1) is inside(1)


SIGNED = [
    complex(1, -0.0),
    complex(-0.0, 0.0),
    complex(0, float("inf")),
    float("nan"),
    -0.0,
    (1, (2.5, "a")),
    (),
    b"a\n",
]


@pytest.mark.parametrize("value", SIGNED, ids=repr)
def test_values_are_printed_as_they_are_or_not_at_all(value):
    def f(x):
        return value if x else None

    text = autograph.to_code(f)
    if "return f\n" in text:
        assert "def test_values_are_printed_as_they_are_or_not_at_all(value):" in text
    else:
        assert repr(run(text)["f"](1)) == repr(value)


def test_at_a_prompt_modules_that_were_imported_earlier_are_imported_and_not_taken_from_there(monkeypatch):
    made = types.ModuleType("__main__")
    monkeypatch.setitem(sys.modules, "__main__", made)
    vars(made).update(maths=maths, deque=deque, TABLE=TABLE)
    exec("def helper(x):\n    return x", vars(made))
    text = "def f(x):\n    return helper(maths.pi) if x else deque(TABLE)\n"
    exec(compile(text, "<cell>", "exec"), vars(made))
    assert head_of(autograph.to_code(made.f, source=text)) == [
        "from collections import deque",
        "import math as maths",
        "from autograph import operators as ag__",
        "from __main__ import TABLE, helper",
    ]


class Marked:
    _size = 3
    __marker = _unused = object()
    _double = _size * 2
    unused = _double

    def taken(self, key, default=__marker, count=_double):
        if default is self.__marker:
            return key, count
        return default


def test_a_method_stands_in_its_class_with_what_its_defaults_say():
    text = autograph.to_code(Marked.taken)
    assert "    _size = 3\n    __marker = _unused = object()\n    _double = _size * 2\n\n    def taken(" in text
    made = run(text)["Marked"]()
    assert made.taken(1) == (1, 6) and made.taken(1, 2) == 2


def test_what_a_default_needs_and_no_line_gives_is_given_to_a_function_around():
    source = "def f(x, size=table['size']):\n    return other if x else size\n"
    f = load(source, table={"size": object()}, other=object())
    text = autograph.to_code(f)
    assert "# it also uses, from where it was defined: other\n" in text and "def make(table):" in text
    assert run(text)["make"]({"size": 2})(0) == 2
