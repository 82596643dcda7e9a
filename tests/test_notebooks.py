"""Notebooks on the command line: converted cell by cell, with what is no Python in them as it was."""

import io
import json
import sys

import pytest

from autograph.__main__ import main
from autograph.commands.notebooks import Notebook

FUNCTION = "def sign(x):\n    if x > 0:\n        return 1\n    return -1\n"
MAGICS = [
    "%matplotlib inline",
    "!pip install numpy  # now?",
    "files = !ls *.py",
    "spent = %timeit -o sign(3)",
    "a, b = !echo 1 2",
    "sign?",
    "sign??",
    "?sign",
    "%%bash\nfor i in 1 2; do\n  echo $i\n\ndone",
    "%%time\nsign(3)",
    "if sign(3):\n    %load_ext autoreload\nelse:\n    !ls",
    "text = '''\n%d and !\n''' % 3\n%pwd",
]


def notebook(*sources, as_lines=True, **metadata):
    cells = [{"cell_type": "markdown", "metadata": {}, "source": ["# Ein Ü\n", "if x:"]}]
    for number, text in enumerate(sources):
        source = text.splitlines(keepends=True) if as_lines else text
        output = {"output_type": "stream", "name": "stdout", "text": ["1\n"]}
        cells.append(
            {"cell_type": "code", "execution_count": number, "metadata": {}, "outputs": [output], "source": source}
        )
    return {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}


def sources(content):
    return ["".join(cell["source"]) for cell in content["cells"] if cell["cell_type"] == "code"]


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "study.ipynb"
    path.write_text(json.dumps(notebook("import math", FUNCTION, "%pwd\nsign(2)")), encoding="utf-8")
    return path


@pytest.mark.parametrize("as_lines", [True, False])
def test_what_needs_no_conversion_stays_as_it_is(as_lines):
    content = notebook(*MAGICS, "x = 1\n", "", "\n\n", "# a comment", as_lines=as_lines)
    made = Notebook(json.dumps(content))
    assert json.loads(made.with_cells(made.module("study.ipynb").text)) == content


@pytest.mark.parametrize("magic", MAGICS)
def test_a_function_beside_magics_is_converted(magic, tmp_path):
    path, out = tmp_path / "study.ipynb", tmp_path / "out.ipynb"
    path.write_text(json.dumps(notebook(magic, f"%pwd\n{FUNCTION}", magic)), encoding="utf-8")
    assert main([str(path), "-o", str(out)]) == 0
    first, middle, last = sources(json.loads(out.read_text(encoding="utf-8")))
    header = "from autograph import operators as ag__\n"
    if magic.startswith("%%time"):  # which has to stay the first of its cell
        assert first == magic.replace("\n", f"\n{header}") and middle.startswith("%pwd\ndef sign(x):\n")
    elif magic.startswith("%%"):
        assert first == magic and middle.startswith(header + "%pwd\ndef sign(x):\n")
    else:
        assert first == header + magic and middle.startswith("%pwd\ndef sign(x):\n")
    assert last == magic and "ag__.if_stmt(" in middle
    names = {}
    exec(middle.replace("%pwd", header), names)
    assert names["sign"](5) == 1 and names["sign"](-5) == -1
    assert main([str(path), "-o", str(out)]) == 0  # it may be written again
    assert main([str(path), "-o", str(path)]) == 2  # but not over the source


@pytest.mark.parametrize("line", ["%%time", "%%capture out --no-stderr", "%%timeit -n 3 x = 2", "%%prun -s time"])
def test_a_cell_that_is_only_run_in_another_way_is_python(line):
    made = Notebook(json.dumps(notebook("%%bash\nls", f"{line}\n%pwd\n{FUNCTION}", "%%html\n<p>", line)))
    module = made.module("study.ipynb")
    text = "from autograph import operators as ag__\n" + module.text.replace("return 1", "return 2")
    changed = f"{line}\nfrom autograph import operators as ag__\n%pwd\n{FUNCTION.replace('return 1', 'return 2')}"
    assert sources(json.loads(made.with_cells(text))) == ["%%bash\nls", changed, "%%html\n<p>", line]


def test_it_is_printed_as_a_script_with_a_mark_for_each_cell(path, capsys):
    assert main([str(path)]) == 0
    out = capsys.readouterr().out
    assert out.count("# %%\n") == 3 and "ag__.if_stmt(" in out and out.endswith("%pwd\nsign(2)\n")
    assert main([f"{path}:sign"]) == 0
    assert capsys.readouterr().out.startswith("from autograph import operators as ag__\n\n\ndef sign(x):\n")
    assert main([str(path), "--diff"]) == 0
    assert "\n-    return -1\n" in capsys.readouterr().out


def test_a_mark_of_the_encoding_is_no_matter(path, capsys):
    path.write_text(path.read_text(encoding="utf-8"), encoding="utf-8-sig")
    assert main([str(path)]) == 0 and main(["check", str(path)]) == 0
    assert not capsys.readouterr().err


def test_a_folder_with_notebooks(path, tmp_path, capsys):
    assert main(["convert", str(tmp_path), "-o", str(tmp_path / "made")]) == 0
    made = json.loads((tmp_path / "made" / tmp_path.name / "study.ipynb").read_text(encoding="utf-8"))
    assert "ag__.if_stmt(" in sources(made)[1]
    capsys.readouterr()
    assert main(["check", "-v", str(path)]) == 0
    out = capsys.readouterr().out
    assert f"{path}, cell 2:1: sign is converted" in out and out.endswith("1 of 1 statements can stage\n")


@pytest.mark.parametrize(
    "text, message",
    [
        ("no JSON", "this is no notebook"),
        ("[]", "this is no notebook"),
        (json.dumps({"worksheets": []}), "this is no notebook"),
        (json.dumps(notebook("1", language_info={"name": "R"})), "this is a notebook of R"),
        (json.dumps(notebook("1", "x = 1\nf(")), "study.ipynb, cell 2:2: SyntaxError: '(' was never closed"),
    ],
)
def test_what_cannot_be_read_says_why(text, message, tmp_path, capsys):
    path = tmp_path / "study.ipynb"
    path.write_text(text, encoding="utf-8")
    assert main([str(path)]) == 1
    assert message in capsys.readouterr().err
    assert main(["check", str(path)]) == 1
    assert message in capsys.readouterr().out
    assert main(["convert", str(path), "-o", str(tmp_path / "made")]) == 1
    assert message in capsys.readouterr().err
    assert (tmp_path / "made/study.ipynb").read_text(encoding="utf-8") == text


@pytest.mark.parametrize("command", [[], ["check"]])
def test_a_notebook_by_standard_input_is_one(command, path, monkeypatch, capsys):
    told = []
    for name in (str(path), "-"):
        monkeypatch.setattr(sys, "stdin", io.StringIO(path.read_text(encoding="utf-8")))
        assert main([*command, name, *(["-v"] if command else [])]) == 0
        told.append(capsys.readouterr().out.replace(str(path), "<stdin>"))
    assert told[0] == told[1] and "sign" in told[0]


@pytest.mark.parametrize("text", ['{"cells": 1}\n', '{"a": [1, 2]}\n', "{1: 2}\n"])
def test_what_looks_like_one_is_python(text, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", io.StringIO(text))
    assert main(["-"]) == 0 and capsys.readouterr().out == text
