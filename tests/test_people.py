"""Functions as people write them: what is printed is a file to be read, and does what the function does.

`make golden` writes the files anew.
"""

import ast
import asyncio
import copy
import importlib
import inspect
import linecache
import os
from pathlib import Path

import numpy as np
import pytest

import autograph
from autograph.operators import calls
from tests.programs import staging

FOLDER = Path(__file__).parent / "golden" / "people"
NAMES = sorted(path.stem for path in (Path(__file__).parent / "people").glob("[a-z]*.py"))
MODULES = {name: importlib.import_module(f"tests.people.{name}") for name in NAMES}
FUNCTIONS = [(name, function) for name, module in MODULES.items() for function in module.CALLS]


def plain(value):
    """A value as something that can be compared."""
    if isinstance(value, np.ndarray):
        return "array", value.tolist()
    if isinstance(value, tuple | list | set):
        return type(value).__name__, [plain(part) for part in value]
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if value is None or isinstance(value, bool | int | float | complex | str):
        return value
    if not hasattr(value, "__dict__"):
        return type(value).__name__, repr(value)
    return type(value).__name__, {key: plain(part) for key, part in vars(value).items()}


def outcome(function, arguments):
    """What a call gives or raises, and what its arguments are then."""
    arguments = copy.deepcopy(arguments)
    try:
        result = function(*arguments)
        if inspect.isgenerator(result):
            result = list(result)
        elif inspect.iscoroutine(result):
            result = asyncio.run(result)
    except (Exception, SystemExit) as error:
        result = type(error).__name__, str(error)
    return plain(result), [plain(a) for a in arguments if not callable(a)]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_printed(name):
    text = autograph.to_code(MODULES[name])
    compile(text, name, "exec")
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(text, encoding="utf-8")
    assert path.exists(), f"{path} is missing; run `make golden` and read what it wrote"
    assert text == path.read_text(encoding="utf-8"), f"{path} differs; if the new text is better, run `make golden`"


@pytest.mark.parametrize("name", NAMES)
def test_lines_have_100_columns_unless_they_had_more_before(name):
    before = {line.strip() for line in inspect.getsource(MODULES[name]).splitlines()}
    text = autograph.to_code(MODULES[name])
    assert not [line for line in text.splitlines() if len(line) > 100 and line.strip() not in before]


@pytest.mark.parametrize("name", NAMES)
def test_nothing_stands_behind_a_return(name):
    for node in ast.walk(ast.parse(autograph.to_code(MODULES[name]))):
        for block in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
            if isinstance(block, list):
                assert not any(isinstance(s, ast.Return | ast.Raise) for s in block[:-1]), ast.unparse(node)


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_module_does_the_same(name, tmp_path):
    path = tmp_path / f"{name}.py"
    path.write_text(autograph.to_code(MODULES[name]), encoding="utf-8")
    printed = {"__name__": MODULES[name].__name__}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), printed)
    for function, examples in MODULES[name].CALLS.items():
        for arguments in examples:
            expected = outcome(getattr(MODULES[name], function), arguments)
            assert outcome(printed[function], arguments) == expected, function
            with staging():
                assert outcome(printed[function], arguments) == expected, function


@pytest.mark.parametrize("name, function", FUNCTIONS)
def test_the_converted_function_does_the_same(name, function):
    original = getattr(MODULES[name], function)
    converted = autograph.to_graph(original)
    printed, text, filename = {}, autograph.to_code(original), f"<printed {name} {function}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    exec(compile(text, filename, "exec"), printed)
    for arguments in MODULES[name].CALLS[function]:
        expected = outcome(original, arguments)
        assert outcome(converted, arguments) == expected
        assert outcome(printed[original.__name__], arguments) == expected
        with staging():
            assert outcome(lambda *given: calls.call(original, *given), arguments) == expected
            assert outcome(converted, arguments) == expected


def test_there_are_a_hundred_functions():
    found = [n for m in MODULES.values() for n in ast.walk(ast.parse(inspect.getsource(m)))]
    assert sum(isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef) for n in found) >= 150
    assert len(FUNCTIONS) >= 100
