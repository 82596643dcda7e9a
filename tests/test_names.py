"""A variable may be called anything: programs whose variables have the names that the compiler makes do the same."""

import contextlib
import copy
import itertools
import linecache
import sys
import types
from pathlib import Path

import pytest

import autograph
import runtime as tf
from autograph import source
from autograph.convert_file import convert_module
from tests import staged
from tests.programs import staging
from tests.renaming import renamed_module
from tests.test_staged import agrees, relaxed, seen, tensors
from tests.test_traps import FORMS, HERE, MODULES, OWN_FRAMES, cases, module, outcome

STAGED = sorted(path for path in Path(staged.__file__).parent.glob("*.py") if path.stem != "__init__")
NUMBER = itertools.count()


def programs(text):
    """The programs that the text of a module enters."""
    first = len(staged.PROGRAMS)
    filename = f"<renamed {next(NUMBER)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    made = types.ModuleType("renamed")
    sys.modules["renamed"] = made
    exec(compile(text, filename, "exec"), made.__dict__)
    found = staged.PROGRAMS[first:]
    del staged.PROGRAMS[first:]
    return found


def same(mine, wanted):
    """Whether two forms agree; the printed module has exceptions of its own."""
    own = isinstance(wanted[0], Exception) and type(wanted[0]).__module__ == "renamed"
    return type(mine[0]).__name__ == type(wanted[0]).__name__ if own else agrees(mine, wanted)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("path", STAGED, ids=lambda path: path.stem)
def test_staged_programs(path):
    text = renamed_module(path.read_text(encoding="utf-8"))
    printed = convert_module(source.parse(text, "renamed.py"))
    for (function, calls, plain), (converted, *_) in zip(programs(text), programs(printed), strict=True):
        graph = tf.function(function, jit_compile=False)
        for number, arguments in enumerate(calls):
            given = (lambda a=arguments: [*copy.deepcopy(a)]) if plain else (lambda a=arguments: tensors(a))
            wanted = seen(function, given())
            with staging():
                assert same(seen(autograph.to_graph(function), given()), wanted), autograph.to_code(function)
                assert same(seen(converted, given()), wanted), autograph.to_code(function)
            assert same(seen(graph, tensors(arguments)), wanted), autograph.to_code(function)
            if not number:
                general = tf.function(converted, jit_compile=False, input_signature=relaxed(arguments))
                assert same(seen(general, tensors(arguments)), wanted), autograph.to_code(function)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("stem", MODULES)
def test_traps(stem):
    text = renamed_module((HERE / f"{stem}.py").read_text(encoding="utf-8"))
    printed = convert_module(source.parse(text, f"{stem}.py"))
    for _, name, form in [case for case in cases() if case[0] == stem]:
        if form == "printed" and name in OWN_FRAMES:
            continue
        wanted = outcome(getattr(module(stem, text), name))
        for around in (contextlib.nullcontext, staging):
            if form == "printed":
                function = getattr(module(stem, printed), name)
            else:
                function = FORMS[form](getattr(module(stem, text), name))
            with around():
                assert outcome(function) == wanted, (name, form)


def nested(n):
    total = 0
    for i in range(n):
        while i > total:
            if i > 1:
                if i > 2:
                    if i > 3:
                        if i > 4:
                            total += 1
                        else:
                            total += 2
                    total += 1
                else:
                    total += 1
            total += 1
    return total


def test_bodies_have_the_name_of_the_function_however_deep_they_are():
    codes, names = [autograph.traced_form(nested).__code__], set()
    while codes:
        code = codes.pop()
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
        names.add((code.co_name, code.co_qualname.replace(".<locals>.<lambda>", "")))
    assert names - {("<lambda>", "nested")} == {("nested", "nested")}
