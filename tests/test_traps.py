"""Converting may never change what a function does with ordinary values: each function of `tests/traps` is a trap.

It does the same as it is, converted, decorated and in the converted text of its module; outside any trace, and as if
something was being traced, so that every statement asks whether it is staged.
"""

import contextlib
import functools
import importlib
import io
import itertools
import linecache
import sys
import types
from pathlib import Path

import pytest

import autograph
from autograph import source
from autograph.convert_file import convert_module
from tests.programs import staging

HERE = Path(__file__).parent / "traps"
NUMBER = itertools.count()
SKIPPED = () if sys.version_info >= (3, 12) else ("new_in_3_12",)
MODULES = {path.stem: path.read_text(encoding="utf-8") for path in sorted(HERE.glob("*.py")) if path.stem != "__init__"}
MODULES = {stem: text for stem, text in MODULES.items() if stem not in SKIPPED}


def module(stem, text):
    """A fresh module, so that no form sees what another has changed."""
    filename = f"<{stem} {next(NUMBER)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    made = types.ModuleType("trap")
    sys.modules["trap"] = made
    exec(compile(text, filename, "exec"), made.__dict__)
    return made


def outcome(function):
    """Result or error, and what was printed."""
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        try:
            result = "returned", repr(function())
        except BaseException as error:
            result = type(error).__name__, str(error), getattr(error, "name", None)
    return result, printed.getvalue()


# Printed text has lines, frames and nested functions of its own; what looks at those sees the text.
OWN_FRAMES = {"nested_definitions_in_branches", "traceback_lines", "deep_recursion"}

FORMS = {"converted": autograph.to_graph, "decorated": autograph.convert, "printed": None}


def cases():
    """Every form of every function that can be called without arguments."""
    for stem in MODULES:
        for name, value in vars(importlib.import_module(f"tests.traps.{stem}")).items():
            if not isinstance(value, types.FunctionType) or not value.__module__.endswith(stem):
                continue
            if value.__code__.co_argcount > len(value.__defaults__ or ()):
                continue
            for form in FORMS:
                if form != "printed" or not (stem == "frames" or name in OWN_FRAMES):
                    yield stem, name, form


@functools.cache
def converted_text(stem):
    return convert_module(source.parse(MODULES[stem], f"{stem}.py"))


@pytest.mark.sampled(6)
@pytest.mark.parametrize("around", [contextlib.nullcontext, staging], ids=["plain", "staging"])
@pytest.mark.parametrize("stem, name, form", list(cases()))
def test_trap(stem, name, form, around):
    wanted = outcome(getattr(module(stem, MODULES[stem]), name))
    if form == "printed":
        function = getattr(module(stem, converted_text(stem)), name)
    else:
        function = FORMS[form](getattr(module(stem, MODULES[stem]), name))
    with around():
        assert outcome(function) == wanted
