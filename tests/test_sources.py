"""The source is found wherever people define functions."""

import ast
import importlib
import os
import runpy
import select
import subprocess
import sys
import time
import types
import zipfile
from pathlib import Path

import pytest

import autograph
from autograph import source
from tests.programs import load

pty = pytest.importorskip("pty")


def test_a_function_compiled_from_text_in_the_line_cache():
    f = load("def f(x):\n    if x > 0:\n        return 1\n    return 2\n")
    assert autograph.to_graph(f)(1) == 1 and "ag__.if_stmt" in autograph.to_code(f)


def test_a_function_in_a_zip_file(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.writestr("packed_module.py", "def f(x):\n    return 1 if x > 0 else 2\n")
    monkeypatch.syspath_prepend(str(tmp_path / "packed.zip"))
    assert autograph.to_graph(importlib.import_module("packed_module").f)(3) == 1


def test_a_file_that_changed_since_it_was_imported(tmp_path, monkeypatch):
    path = tmp_path / "changing_module.py"
    path.write_text("def f(x):\n    return 1 if x else 2\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    f = importlib.import_module("changing_module").f
    path.write_text("# another line\n\n\ndef f(x):\n    return 1 if x else 2\n", encoding="utf-8")
    with pytest.raises(autograph.SourceNotFoundError, match="changed since it was imported"):
        autograph.to_code(f)


def test_odd_layouts():
    f = load(
        "if True:\n"
        "      def f(x,\n"
        "y=2):\n"
        "          if x > 0 and \\\n"
        "   y:\n"
        "              return (x +\n"
        "y)\n"
        "          return '''a\n"
        "b'''\n"
    )
    assert (autograph.to_graph(f)(1), autograph.to_graph(f)(-1)) == (3, "a\nb")


def test_lambdas_on_several_lines_and_in_defaults():
    def holder(g=lambda x: 1 if x > 0 else 2, h=lambda x: 3 if x > 0 else 4):
        return g, h

    pairs = [lambda x: 5 if x > 0 else 6, lambda x: 7
             if x > 0 else 8]  # fmt: skip
    found = [autograph.to_graph(f)(-1) for f in (*holder(), *pairs)]
    assert found == [2, 4, 6, 8]


TEXT = "def f(x):\n    # which sign\n    if x > 0:\n        return 1\n    return 2\n"


def compiled(text, filename="<made>"):
    names = {}
    exec(compile(text, filename, "exec"), names)
    return names["f"]


def test_the_source_can_be_given():
    f = compiled(TEXT)
    with pytest.raises(autograph.SourceNotFoundError, match=r"source=text"):
        autograph.convert(f)
    g = autograph.convert(f, source=TEXT)
    assert [g(1), g(-1)] == [1, 2] and autograph.is_converted(g)
    assert "# which sign" in autograph.to_code(f, source=TEXT)
    assert "if x > 0" in str(autograph.explain(f, source=TEXT))


def test_a_part_of_the_source_or_more_than_it_can_be_given():
    for file, given in (
        ("\n\n\n" + TEXT, TEXT),
        (TEXT, "import math\n\n\n" + TEXT),
        (TEXT, "    " + TEXT.replace("\n", "\n    ")),
    ):
        f = compiled(file)
        first = f.__code__.co_firstlineno
        g = autograph.to_graph(f, source=given)
        assert g.__code__.co_firstlineno == first and autograph.to_code(f, source=given).count("# which sign") == 1
        autograph.begin_staging()
        try:
            assert [g(1), g(-1)] == [1, 2]
        finally:
            autograph.end_staging()


def test_the_wrong_source_is_refused():
    f = compiled(TEXT)
    with pytest.raises(autograph.SourceNotFoundError, match=r"defines no 'f' with the parameters \(x\)"):
        autograph.convert(f, source="def f(y): return 1")
    with pytest.raises(SyntaxError):
        autograph.convert(f, source="def f(")


def test_behind_the_option_c():
    program = TEXT + "import autograph\nprint(autograph.to_graph(f)(5), autograph.to_code(f).count('if_stmt'))"
    assert run_python("-c", program, "-x", "more") == "1 1\n"


def test_a_compiled_file_without_its_source(tmp_path):
    import py_compile

    path = tmp_path / "sourceless.py"
    path.write_text(TEXT, encoding="utf-8")
    py_compile.compile(str(path), cfile=str(tmp_path / "sourceless.pyc"))
    path.unlink()
    program = (
        "import autograph, sourceless\ntry: autograph.convert(sourceless.f)\nexcept OSError as error: print(error)"
    )
    message = run_python("-c", program, cwd=tmp_path)
    assert "cannot be read" in message and "source=" in message and "@autograph.do_not_convert" in message


def test_in_a_doctest(tmp_path):
    example = (
        '"""\n>>> import autograph\n>>> @autograph.convert\n... def f(x):\n...     if x > 0:\n...         return 1\n'
        "...     return 2\n>>> f(1), f(-1)\n(1, 2)\n>>> 'if_stmt' in autograph.to_code(f)\nTrue\n"
        '"""\nimport doctest\nprint(doctest.testmod())\n'
    )
    (tmp_path / "examples.py").write_text(example, encoding="utf-8")
    assert run_python("examples.py", cwd=tmp_path) == "TestResults(failed=0, attempted=4)\n"


def run_python(*arguments, cwd=None):
    root = str(Path(__file__).parent.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run([sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Terminal:
    """A Python prompt as a person has it."""

    def __init__(self):
        self.fd, inside = pty.openpty()
        root = str(Path(__file__).parent.parent)
        environment = {**os.environ, "TERM": "dumb", "PYTHONPATH": root, "PYTHON_HISTORY": os.devnull}
        ends = {"stdin": inside, "stdout": inside, "stderr": inside}
        self.process = subprocess.Popen([sys.executable, "-q"], env=environment, start_new_session=True, **ends)
        os.close(inside)
        self.text = ""

    def read_until(self, wanted):
        limit = time.monotonic() + 30
        while wanted not in self.text:
            assert time.monotonic() < limit, f"{wanted!r} did not appear in {self.text!r}"
            if select.select([self.fd], [], [], 0.1)[0]:
                self.text += os.read(self.fd, 65536).decode()
        self.text = self.text.partition(wanted)[2]

    def type(self, line, prompt=">>> "):
        os.write(self.fd, line.encode() + b"\n")
        self.read_until(prompt)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.fd)


def test_a_session_at_the_python_prompt():
    pytest.importorskip("readline")
    terminal = Terminal()
    try:
        terminal.read_until(">>> ")
        terminal.type("import autograph")
        terminal.type("def f(x):", "... ")
        terminal.type("    if x > 0:", "... ")
        terminal.type("        return 'positive'", "... ")
        terminal.type("    return 'negative'", "... ")
        terminal.type("")
        os.write(terminal.fd, b"print(autograph.to_code(f))\n")
        terminal.read_until("return ag__.if_stmt(x > 0, if_body, else_body)")
        terminal.read_until(">>> ")
        os.write(terminal.fd, b"autograph.to_graph(f)(-1)\n")
        terminal.read_until("'negative'")
    finally:
        terminal.close()


TYPED = """\
def f(x):
    return x + 1

g = lambda x: x - 1
print(
def f(x, y):

    return x + 1

import os
def h(): return 1
x = 3
def f(x): return 7
def outer(x):
    def inner(y):
        return x - y
    return inner
"""
OUTER = "def outer(x):\n    def inner(y):\n        return x - y\n    return inner\n"


@pytest.mark.parametrize("lines, found", [
    ("def f(x):\n    return x + 1\n", "def f(x):\n    return x + 1\n"),
    ("g = lambda x: x - 1\n", "g = lambda x: x - 1\n"),
    ("def f(x, y):\n\n    return x + 1\n", "def f(x, y):\n\n    return x + 1\n"),
    ("def h(): return 1\n", "def h(): return 1\n"), ("def f(x): return 7\n", "def f(x): return 7\n"),
    ("def f(x): return 8\n", ""), ("def f(x): return 7.0\n", ""), ("def k(x): return 7\n", ""),
    (OUTER, OUTER), (OUTER.replace("-", "+"), ""), ("def h(): return True\n", ""), ("g = lambda x: x - 2\n", ""),
])  # fmt: skip
@pytest.mark.parametrize("row", [1, 3])
def test_what_was_typed_is_found_in_the_history_of_the_prompt(monkeypatch, lines, found, row):
    history = TYPED.splitlines()
    line_editor = types.ModuleType("readline")
    line_editor.get_current_history_length = lambda: len(history)
    line_editor.get_history_item = lambda number: history[number - 1] if 0 < number <= len(history) else None
    monkeypatch.setitem(sys.modules, "readline", line_editor)
    whole = compile("\n" * (row - 1) + lines, "<stdin>", "exec")
    (code,) = (c for c in whole.co_consts if isinstance(c, types.CodeType))
    assert source._history(code) == ("\n" * (row - 1) + found if found else "")
    assert source._history(code.replace(co_filename="file.py")) == ""


# A function alone.


def functions_of_a_module(module):
    """The functions of a module and of its classes, as long as they are its own."""
    waiting, found = [vars(module)], []
    while waiting:
        for value in waiting.pop().values():
            if isinstance(value, type) and value.__module__ == module.__name__:
                waiting.append(vars(value))
            elif isinstance(value, types.FunctionType) and value.__code__.co_filename == module.__file__:
                found.append(value)
    return found


@pytest.mark.parametrize("name", ["textwrap", "argparse", "dataclasses", "inspect", "tokenize", "typing", "enum"])
def test_a_function_is_found_alone_as_in_its_whole_file(name):
    functions = functions_of_a_module(importlib.import_module(name))
    assert len(functions) > 5
    for function in functions:
        if function.__name__ == "<lambda>":
            continue
        module = source.module_of(function)
        whole = [p for p in module.statements if p.node.name == function.__code__.co_name]
        whole = [p for p in whole if source.first_line(p.node) == function.__code__.co_firstlineno]
        alone = source._alone(module, function.__code__)
        assert alone is not None
        assert (alone.class_name, ast.dump(alone.node, include_attributes=True)) == (
            whole[0].class_name, ast.dump(whole[0].node, include_attributes=True)
        )  # fmt: skip


def test_lines_that_stand_further_out_belong_to_a_function_too(tmp_path):
    text = (
        "import math\n\x0c\n\n"
        "class Outer:\n"
        "    def method(self):\n"
        '        text = """\nfurther out\n"""\n'
        "        return text, (\n1)\n"
        "# no code\n"
        "        yield  # it is never reached, and makes a generator\n\n"
        "    def after(self):\n        def inner():\n            return self.__hidden\n        return inner\n"
    )
    path = tmp_path / "further_out.py"
    path.write_text(text)
    outer = runpy.run_path(str(path))["Outer"]
    for function in (outer.method, outer.after, outer.after(None)):
        module, place = source.find(function)
        assert source._alone(module, function.__code__) is not None or function is outer.method
        whole = next(p for p in module.places if getattr(p.node, "name", "") == function.__name__)
        assert ast.dump(place.node, include_attributes=True) == ast.dump(whole.node, include_attributes=True)
        assert place.class_name == whole.class_name == "Outer"


def test_the_names_of_imported_modules():
    text = "import os.path\nimport os.path as p, math as m\nfrom math import sin, cos as c\nfrom . import near\n"
    wanted = {"os": "os", "p": "os.path", "m": "math", "sin": "math", "c": "math"}
    assert source.parse(text, "imports.py").imports == wanted


def test_imports_are_known_where_the_file_is_not_parsed(tmp_path):
    path = tmp_path / "imports.py"
    path.write_text(
        "import os.path\nfrom math import (sin,\n    cos as c)\n\n\n"
        "def plain(x):\n    return x\n\n\n"
        "def asks(x):\n    return c(x)\n\n\n"
        "def imports(x):\n    import json\n    return json.dumps(x)\n"
    )
    made = runpy.run_path(str(path))
    for name, expected in (("plain", {}), ("asks", {"c": "math"}), ("imports", {"json": "json"})):
        module, _ = source.find(made[name])
        known, renamed = module.imports_of({*made[name].__code__.co_names, *made[name].__code__.co_varnames})
        assert expected.items() <= known.items()
        assert bool(known) == bool(expected)
        assert renamed == ({"c": "cos"} if expected else {})


def test_what_exec_is_given_is_not_taken_for_the_command(tmp_path):
    """Both are called ``<string>``, and Python 3.13 keeps the text of the command under that name."""
    program = (
        "import autograph\n\ndef g(x: int) -> int:\n    if x > 0:\n        return x + 1\n    return x\n\n"
        "made = {}\nexec('\\n\\ndef g(x: int) -> int:\\n    if x > 0:\\n        return x * 100\\n    return x', made)\n"
        "print(autograph.to_graph(g)(1), 'ag__.if_stmt(' in autograph.to_code(g))\n"
        "try:\n    print(autograph.to_graph(made['g'])(1))\n"
        "except autograph.SourceNotFoundError as error:\n    print(error)\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    first, second = done.stdout.splitlines()
    assert first == "2 True" and "no source text for g" in second
