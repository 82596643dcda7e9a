import importlib.metadata
import importlib.util
import io
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.__main__ import main

SOURCE = '''"""A module."""
from __future__ import annotations
import math
raise_on_import = 1 / 0  # the file is never run

# a comment outside
def area(r):
    # a comment inside
    if r > 0:
        return math.pi * r
    return 0


class Shape:
    def scale(self, k):
        if k > 0:
            self.size *= k


def untouched( a ):
    return   a
'''


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "shapes.py"
    path.write_text(SOURCE, encoding="utf-8")
    return str(path)


def test_a_whole_file(file, capsys):
    assert main([file]) == 0
    out = capsys.readouterr().out
    compile(out, "out", "exec")
    lines = out.splitlines()
    at = lines.index("from autograph import operators as ag__")
    assert lines[:at] == SOURCE.splitlines()[:at] and lines[at - 1].startswith("import "), "behind the other imports"
    assert "def untouched( a ):\n    return   a\n" in out, "what needs no conversion is not touched"
    assert "# a comment outside\n" in out and "    # a comment inside\n" in out
    assert "    return ag__.if_stmt(r > 0, if_body, else_body)\n" in out
    assert "        ag__.if_stmt(k > 0, if_body)\n" in out


def test_one_function_and_one_method(file, capsys):
    assert main([f"{file}:area"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("import math\nfrom autograph import operators as ag__\n") and "Shape" not in out
    names = {}
    exec(out, names)
    assert names["area"](1) == 3.141592653589793
    assert main([f"{file}:Shape.scale"]) == 0
    out = capsys.readouterr().out
    compile(out, "out", "exec")
    assert "class Shape:" in out and "def scale(self, k):" in out


@pytest.mark.parametrize(
    "text, between",
    [
        ("def f(x):\n    if x: x = 1\n    return x\n", "\n\n\n"),
        ("@f\ndef f(x):\n    if x: x = 1\n    return x\n", "\n\n\n"),
        ("class A:\n    def f(self, x):\n        if x: x = 1\n        return x\n", "\n\n\n"),
        ("\n\ndef f(x):\n    if x: x = 1\n    return x\n", "\n\n\n"),
        ("default = 1\ndef f(x):\n    if x: x = 1\n    return x\n", "\n"),
    ],
)
def test_a_definition_stands_apart_from_the_import_above_it(text, between, tmp_path, capsys):
    path = tmp_path / "first.py"
    path.write_text(text)
    assert main([str(path)]) == 0
    assert capsys.readouterr().out.startswith("from autograph import operators as ag__" + between + text.strip()[:3])
    path.write_text(f"import a\nfrom b import c\n{text}")
    assert main([str(path)]) == 0
    head = "import a\nfrom b import c\nfrom autograph import operators as ag__"
    assert capsys.readouterr().out.startswith(head + between + text.strip()[:3])


def test_output_to_a_module_that_imports_and_runs(tmp_path, file):
    source = tmp_path / "plain.py"
    source.write_text("def f(x):\n    while x > 3:\n        x -= 2\n    return x\n", encoding="utf-8")
    target = tmp_path / "made.py"
    assert main([str(source), "-o", str(target)]) == 0
    names = {}
    exec(compile(target.read_text(encoding="utf-8"), str(target), "exec"), names)
    assert names["f"](8) == 2


def test_form_feeds_and_odd_line_ends_in_strings_do_not_shift_lines(tmp_path, capsys):
    path = tmp_path / "feeds.py"
    text = "\f\ndef f(x):\n    return 1 if x > 0 else 'a\\x0cb'\n\f\nlast = 'x\u2028y'\n"
    path.write_text(text, encoding="utf-8", newline="")
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert "def f(x):\n    return ag__.if_exp(x > 0, lambda: 1" in out and out.endswith("\f\nlast = 'x\u2028y'\n")
    compile(out, "out", "exec")


def test_tabs_and_windows_line_ends(tmp_path, capsys):
    path = tmp_path / "tabs.py"
    path.write_bytes(b"class C:\r\n\tdef f(self, x):\r\n\t\tif x > 0:\r\n\t\t\treturn 1\r\n\t\treturn 2\r\n")
    assert main([str(path)]) == 0
    names = {}
    exec(compile(capsys.readouterr().out, "out", "exec"), names)
    assert (names["C"]().f(1), names["C"]().f(0)) == (1, 2)


@pytest.mark.parametrize("first", ["", "#!/usr/bin/env python\n", "# (c) Me\n", "\n", " \f# (c) Me, coding is fun\n"])
@pytest.mark.parametrize("cookie", ["# -*- coding: latin-1 -*-", "  # vim: set fileencoding=latin-1 :"])
def test_a_declared_encoding_stays_in_the_first_lines(first, cookie, tmp_path):
    path, target = tmp_path / "latin.py", tmp_path / "made.py"
    text = f"{first}{cookie}\ndef f(x):\n    return 'é' if x else ''\n"
    path.write_bytes(text.encode("latin-1"))
    assert main([str(path), "-o", str(target)]) == 0
    content, names = target.read_bytes(), {}
    assert content.startswith(f"{first}{cookie}\nfrom autograph import".encode())
    exec(compile(content, "made", "exec"), names)
    assert names["f"](1) == "é"


def test_the_import_stands_behind_a_shebang_and_before_other_comments(tmp_path, capsys):
    path = tmp_path / "commented.py"
    function = "def f(x):\n    return 1 if x else 2\n"
    for first, others in (("#!python\n", "# (c) Me\n"), ("", "# (c) Me\n"), ("", "x = 1\n# coding: latin-1\n")):
        path.write_text(first + others + function, encoding="utf-8")
        assert main([str(path)]) == 0
        assert capsys.readouterr().out.startswith(f"{first}from autograph import operators as ag__\n{others}")


def test_diff(file, capsys):
    assert main([file, "--diff"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"--- {file}\n+++ {file} (converted)\n") and "\n-    if r > 0:\n" in out
    assert main([f"{file}:untouched", "--diff"]) == 0
    assert capsys.readouterr().out == ""


def test_standard_input(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO("def f(x):\n    return 1 if x > 0 else 2\n"))
    assert main(["-"]) == 0
    assert "ag__.if_exp(x > 0, lambda: 1, lambda: 2)" in capsys.readouterr().out


@pytest.mark.parametrize("declared, encoding", [
    ("", "utf-8"), ("", "utf-8-sig"), ("# coding: latin-1\n", "latin-1"), ("# (c)\n# coding: cp1251\n", "cp1251"),
])  # fmt: skip
def test_standard_input_is_in_the_encoding_that_it_declares(declared, encoding, tmp_path, monkeypatch, capsys):
    letter = "\u0436" if encoding == "cp1251" else "\xe9"
    content = f"{declared}def f(x):\r\n    return '{letter}' if x else ''\r\n".encode(encoding)
    # Whatever the locale makes of it.
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))
    assert main(["-", "-o", str(tmp_path / "made.py")]) == 0
    names = {}
    exec(compile((tmp_path / "made.py").read_bytes(), "made", "exec"), names)
    assert names["f"](1) == letter
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content), encoding="ascii"))
    assert main(["check", "-"]) == 0
    assert "1 function converted" in capsys.readouterr().out


@pytest.mark.parametrize("command", [[], ["check"]])
def test_standard_input_that_cannot_be_read_is_told_of(command, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"# coding: klingon\n")))
    assert main([*command, "-"]) > 0
    assert "unknown encoding: klingon" in "".join(capsys.readouterr())
    monkeypatch.setattr(sys, "stdin", None)
    assert main([*command, "-"]) == 2
    assert "standard input is closed" in capsys.readouterr().err


def test_colour_is_for_terminals_or_on_request(file, capsys):
    main([file])
    assert "\x1b[" not in capsys.readouterr().out
    main([file, "--color", "always"])
    assert "\x1b[" in capsys.readouterr().out


def test_a_missing_file(capsys):
    assert main(["nowhere.py"]) == 2
    assert capsys.readouterr().err == "autograph: nowhere.py: No such file or directory\n"


NESTED = """
class Counter:
    def counting(self):
        count = 0

        class Step:
            def step(self, x):
                nonlocal count
                count = count + 1 if x > 0 else count
                return count

        return Step
"""


@pytest.mark.parametrize("name", ["Counter.counting.Step", "Counter.counting.Step.step"])
def test_a_definition_that_writes_variables_of_the_function_around_stands_in_one(name, tmp_path, capsys):
    (tmp_path / "nested.py").write_text(NESTED)
    assert main([f"{tmp_path / 'nested.py'}:{name}"]) == 0
    variables = {}
    exec(capsys.readouterr().out, variables)
    step = variables["counting"](5)()
    assert [step.step(1), step.step(-1), step.step(2)] == [6, 6, 7]


@pytest.mark.parametrize("arguments, told", [
    (["convrt", "model.py", "-o", "there"], "convrt is no command, and no file. Did you mean `autograph convert`?"),
    (["chek", "model.py"], "chek is no command, and no file. Did you mean `autograph check`?"),
    (["model"], "model: No such file or directory. Did you mean model.py?"),
    (["model:f"], "model: No such file or directory. Did you mean model.py:f?"),
    (["json:dumps"], "json: No such file or directory. The module json is "),
    (["sys"], "sys: No such file or directory\n"),
    ([":f"], "':f' names no file: it is FILE, or FILE:NAME for one function"),
    ([""], "'' names no file: "),
    (["model.py:"], "model.py: names no function behind the colon; model.py alone is the whole file"),
    (["convert", "sys", "-o", "made"], "sys: the module has no Python source (built-in)"),
    (["check", "math"], "math: the module has no Python source ("),
    (["check", "sys.inner"], "sys.inner: no such file or folder, nor a package of that name"),
    (["convert", "model.py", "-o", "model.py"], "model.py is a file; -o names the folder to write into"),
])  # fmt: skip
def test_what_was_meant_is_said(arguments, told, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text("def f(x):\n    return x\n")
    assert main(arguments) == 2
    assert capsys.readouterr().err.startswith(f"autograph: {told}")


@pytest.mark.parametrize("options", [[], ["--diff"], ["--width", "60"]])
def test_one_function_of_standard_input(options, monkeypatch, capsys):
    told = []
    for arguments in (["-:area", *options], [*options, "-:area"], [*options, "--", "-:area"]):
        monkeypatch.setattr(sys, "stdin", io.StringIO(SOURCE))
        assert main(arguments) == 0
        told.append(capsys.readouterr().out)
    assert told[0] == told[1] == told[2] and "def area" in told[0] and "Shape" not in told[0]


def test_a_command_of_a_package_that_is_not_installed_says_how_to_have_it(monkeypatch, capsys):
    monkeypatch.setattr(importlib.metadata, "entry_points", lambda **_: ())
    assert main(["explore", "model.py:f"]) == 2
    assert "here it is `python -m runtime explore`" in capsys.readouterr().err
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert main(["explore", "model.py:f"]) == 2
    assert "needs the package runtime (" in capsys.readouterr().err


def test_a_folder_says_what_takes_folders(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert f"is a folder: autograph convert {tmp_path} -o DIR" in capsys.readouterr().err


@pytest.mark.parametrize(
    "content, message",
    [
        (b"\x00\x01\xff", "this is no text, but a binary file"),
        (b"x = 1  # \xff\n", "invalid or missing encoding declaration"),
        (b"x = 1\n" * 3 + b'x = "\xff"\n', "this is no text in utf-8"),
        (b"# coding: klingon\n", "unknown encoding"),
        (b"x = '\x00'\n", "null bytes"),
    ],
)
def test_what_is_no_python_is_named_and_the_others_are_done(content, message, tmp_path, capsys):
    folder, made = tmp_path / "package", tmp_path / "made"
    folder.mkdir()
    (folder / "bad.py").write_bytes(content)
    (folder / "good.py").write_text(SOURCE, encoding="utf-8")
    assert main([str(folder / "bad.py")]) in (1, 2)
    out, err = capsys.readouterr()
    assert not out and f"{folder / 'bad.py'}" in err and message in err and "Traceback" not in err
    assert main(["check", str(folder)]) == 1
    out = capsys.readouterr().out
    assert message in out and "; 1 of the files is no Python" in out and "functions converted" in out
    assert main(["convert", str(folder), "-o", str(made)]) == 1
    out, err = capsys.readouterr()
    assert message in err and f"1 of 2 files converted into {made}" in out
    assert (made / "package/bad.py").read_bytes() == content
    assert "ag__" in (made / "package/good.py").read_text(encoding="utf-8")


def test_what_cannot_be_printed_is_left_as_it_is_and_the_rest_is_done(tmp_path, capsys):
    path, made = tmp_path / "deep.py", tmp_path / "made"
    deep = f"def deep(x):\n    return x{'.__add__(1)' * 210}\n"
    path.write_text(f"class A:\n    def f(self, x):\n        return 1 if x else 2\n\n\n{deep}")
    for _ in range(2):  # nor is it forgotten
        assert main(["convert", str(path), "-o", str(made)]) == 1
        out, err = capsys.readouterr()
        assert out == f"1 file converted into {made}\n"
        assert err.startswith(f"autograph: {path}:6: deep stays as it is: the converted code cannot be printed")
    text = (made / "deep.py").read_text()
    compile(text, "deep.py", "exec")
    assert "ag__.if_exp(x, " in text and deep in text
    assert main([str(path)]) == 1
    assert capsys.readouterr() == (text, err)
    assert main([f"{path}:deep"]) == 1
    assert "cannot be printed as Python (too many nested parentheses)" in capsys.readouterr().err


def test_a_missing_function_with_near_matches(file, capsys):
    assert main([f"{file}:aera"]) == 1
    assert "has no function or class 'aera'. Did you mean 'area'?" in capsys.readouterr().err
    assert main([f"{file}:scale"]) == 1
    assert "Did you mean 'Shape.scale'?" in capsys.readouterr().err


def test_a_syntax_error_with_its_line_and_caret(tmp_path, capsys):
    path = tmp_path / "bad.py"
    path.write_text("def f(:\n    pass\n", encoding="utf-8")
    assert main([str(path)]) == 1
    assert capsys.readouterr().err == f"autograph: {path}:1: SyntaxError: invalid syntax\n    def f(:\n          ^\n"


def test_the_command_without_arguments_says_how_to_use_it(capsys):
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2 and "usage: autograph" in capsys.readouterr().err


def test_as_a_process():
    root = Path(__file__).parent.parent
    command = [sys.executable, "-m", "autograph", "samples/fizzbuzz.py:fizzbuzz"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=root, check=True)
    assert "def fizzbuzz(n):" in done.stdout and not done.stderr


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "name", "heapq bisect textwrap statistics fractions difflib json.decoder json.encoder calendar".split()
)
def test_the_standard_library_converts_to_text_that_compiles(name, capsys):
    import importlib.util

    path = importlib.util.find_spec(name).origin
    assert main([path]) == 0
    compile(capsys.readouterr().out, path, "exec")


def test_width_and_style(tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text("def f(first, second):\n    return first * second if first > second else [first, second]\n")
    assert main([str(path), "--width", "50"]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 50 and "ag__.if_exp(\n" in text
    if importlib.util.find_spec("ruff"):
        assert main([str(path), "--style", "ruff"]) == 0
        assert "ag__.if_exp(" in capsys.readouterr().out


def test_one_function_keeps_the_imports_of_all_names(tmp_path, capsys):
    path = tmp_path / "model.py"
    path.write_text("from math import *\n\n\ndef f(x):\n    if x:\n        return floor(x)\n    return 0\n")
    assert main([f"{path}:f"]) == 0
    names = {}
    exec(capsys.readouterr().out, names)
    assert names["f"](2.5) == 2


AS_IT_IS = """import functools
import math as m
import sys


@functools.lru_cache(maxsize=2)
def half( x ):
    return   x / m.pi  # spelled so


class A:
    K = 2

    @property
    def two(self, k=K):
        return k * m.pi


def around():
    count = 0

    def inner(x=m.pi):
        nonlocal count
        count += x
        return count

    return inner
"""


@pytest.mark.parametrize("name, call", [
    ("half", "half(m.pi) == 1"), ("A", "A().two > 6"), ("A.two", "A().two > 6"), ("around.inner", "around(0)(2) == 2"),
])  # fmt: skip
def test_what_needs_no_conversion_is_written_with_the_imports_that_it_needs(name, call, tmp_path, capsys):
    path, target, names = tmp_path / "model.py", tmp_path / "made.py", {}
    path.write_text(AS_IT_IS)
    assert main([f"{path}:{name}", "-o", str(target)]) == 0
    text = target.read_text()
    exec(text, names)
    assert eval(call, names) and "import sys" not in text and "ag__" not in text
    assert name != "half" or "def half( x ):\n    return   x / m.pi  # spelled so\n" in text
    assert main([f"{path}:{name}", "--diff"]) == 0
    assert capsys.readouterr().out == ""


def test_a_reader_that_has_gone_is_no_error(monkeypatch, capsys):
    """What was written last is only found to be read by nobody when it is sent."""

    class Gone(io.StringIO):
        def flush(self):
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    assert main(["completion", "bash"]) == 0
    assert sys.stderr.closed
