"""What `autograph check` tells of, in which form, and what it keeps; many files at once."""

import io
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import autograph
from autograph.__main__ import main
from autograph.commands import many
from autograph.commands.comments import ignored
from autograph.errors import ConversionError
from autograph.reasons import Reason
from autograph.report import Report, reports
from autograph.source import parse

PROGRAM = """\
def steps(x):
    for i in range(3):
        yield i
        if x > 2:
            break


def each(x):
    if isinstance(x, int):
        return 0
    for i in (1, 2):
        x += i
    return x
"""


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'some'\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def file(folder):
    (folder / "model.py").write_text(PROGRAM, encoding="utf-8")
    return "model.py"


def check(capsys, *arguments):
    """The exit status, what is told by line, and the summary."""
    status = main(["check", *arguments])
    *lines, summary = capsys.readouterr().out.splitlines()
    return status, [(int(line.split()[0]), line[-6:-1]) for line in lines if line.startswith(" ")], summary


# Which.


@pytest.mark.parametrize(
    "options, status, told",
    [
        ([], 0, [(2, "AG201"), (4, "AG204")]),
        (["-v"], 0, [(2, "AG201"), (4, "AG204"), (9, "AG301"), (11, "AG302")]),
        (["--select", "AG3"], 1, [(9, "AG301"), (11, "AG302")]),
        (["--select", "AG301,ag204"], 1, [(4, "AG204"), (9, "AG301")]),
        (["--select", "AG301", "--select", "AG204"], 1, [(4, "AG204"), (9, "AG301")]),
        (["--select", "ALL", "--ignore", "AG3"], 1, [(2, "AG201"), (4, "AG204")]),
        (["--select", "AG0,AG1"], 0, []),
        (["--ignore", "AG201"], 0, [(4, "AG204")]),
        (["--ignore", "ALL"], 0, []),
    ],
)
def test_codes_say_what_is_told_and_what_fails(options, status, told, file, capsys):
    assert check(capsys, file, *options)[:2] == (status, told)


def test_a_project_settles_codes_and_options_say_otherwise(file, folder, capsys):
    (folder / "pyproject.toml").write_text('[tool.autograph]\nselect = ["AG2"]\nignore = ["AG201"]\n')
    assert check(capsys, file)[:2] == (1, [(4, "AG204")])
    assert check(capsys, file, "--ignore", "AG204")[:2] == (1, [(2, "AG201")])
    assert check(capsys, file, "--select", "AG3")[:2] == (1, [(9, "AG301"), (11, "AG302")])


@pytest.mark.parametrize("option", ["--select", "--ignore"])
@pytest.mark.parametrize("code", ["AG9", "E501", "", "AG201x", ",", "AG201,AG9"])
def test_codes_that_there_are_not_are_refused(option, code, file, folder, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["check", file, option, code])
    assert ended.value.code == 2 and f"there is no code '{code.split(',')[-1]}'" in capsys.readouterr().err
    (folder / "pyproject.toml").write_text(f"[tool.autograph]\n{option[2:]} = ['{code.split(',')[-1]}']\n")
    with pytest.raises(SystemExit):
        main(["check", file])
    assert "is not a list of codes" in capsys.readouterr().err


def test_what_has_no_python_says_so(tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("1 +")
    for options in ([], ["--json"]):
        assert main(["check", str(tmp_path), *options]) == 0
        assert capsys.readouterr().err == f"autograph: no Python files in {tmp_path}\n"
    (tmp_path / "model.py").write_text("x = 1")
    assert main(["check", str(tmp_path)]) == 0
    assert not capsys.readouterr().err


def test_standard_input_is_checked_like_a_file(file, capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(PROGRAM))
    assert main(["check", "-", "--select", "AG2"]) == 1
    told = capsys.readouterr().out
    assert main(["check", str(file), "--select", "AG2"]) == 1
    assert told == capsys.readouterr().out.replace(str(file), "<stdin>") and "AG201" in told
    monkeypatch.setattr(sys, "stdin", io.StringIO("def f(:\n"))
    assert main(["check", str(file), "-"]) == 1
    assert "<stdin>:1: SyntaxError: invalid syntax" in capsys.readouterr().out


def test_the_help_lists_every_code(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["check", "--help"])
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert all(f"  {reason.code}{'*' if reason.costs else ' '} {reason}\n" in out for reason in Reason)
    assert len({reason.code for reason in Reason}) == len(Reason)


EACH = {
    Reason.WAITS: "def f(x):\n    while x:\n        yield\n",
    Reason.READS_FRAME: "def f(x):\n    if x:\n        return locals()\n",
    Reason.JUMPS_IN_LOOP: "def f(x):\n    for y in x:\n        yield\n        if y: break\n",
    Reason.RETURNS_FROM_LOOP: "def f(x):\n    for y in x:\n        yield\n        if y: return\n",
    Reason.ASYNCHRONOUS: "async def f(x):\n    async for y in x:\n        x = y\n",
    Reason.GUARD_BINDS: "def f(x):\n    match x:\n        case 1 if (y := x): return y\n",
    Reason.IN_CLASS_BODY: "def f(x):\n    class A:\n        if x: y = 1\n    return A\n",
    Reason.IN_FINALLY: (
        "def f(x):\n    for y in x:\n        yield\n        try:\n            y = 1\n"
        "        finally:\n            if x > 1:\n                y = 2\n            break\n"
    ),
    Reason.PYTHON_CONDITION: "def f(x):\n    if isinstance(x, int): return 1\n    return 2\n",
    Reason.PYTHON_ITERABLE: "def f(x):\n    for i in (1, 2): x += i\n    return x\n",
    Reason.TAKES_ALL: "def f(x):\n    match x:\n        case y: return y\n",
    Reason.UNREACHABLE: "def f(x):\n    return x\n    if x: return 2\n",
    Reason.MARKED: "def f(x):\n    @do_not_convert\n    def g(y):\n        if y: return 2\n    return g\n",
}


@pytest.mark.parametrize("reason", EACH, ids=lambda reason: reason.code)
def test_each_reason_is_given_where_it_holds(reason):
    (report,) = reports(parse(EACH[reason], "f.py"))
    assert reason in [statement.reason for statement in report.statements]
    assert Report.from_dict(json.loads(json.dumps(report.as_dict()))) == report


# Comments.


def commented(line, comment):
    lines = PROGRAM.splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace("\n", f"  # {comment}\n")
    return "".join(lines)


@pytest.mark.parametrize(
    "line, comment, left",
    [
        (2, "autograph: ignore", [4, 9, 11]),
        (2, "noqa  # autograph:ignore [AG201] it is meant", [4, 9, 11]),
        (2, "autograph: ignore[AG204]", [2, 4, 9, 11]),
        (4, "autograph: ignore[ag3, AG20]", [2, 9, 11]),
        (1, "autograph: ignore", [9, 11]),
        (1, "autograph: ignore[AG201]", [4, 9, 11]),
        (8, "autograph: ignore", [2, 4]),
        (3, "autograph: ignore", [2, 4, 9, 11]),
        (2, "autograph: ignored by nobody", [2, 4, 9, 11]),
        (2, "autograph: ignore[AG201,]", [4, 9, 11]),
        (2, "autograph: ignore[AG3] #autograph: ignore[AG2]", [4, 9, 11]),
    ],
)
def test_comments_keep_findings_from_being_told(line, comment, left, folder, capsys):
    (folder / "model.py").write_text(commented(line, comment), encoding="utf-8")
    status, told, summary = check(capsys, "model.py", "-v")
    assert (status, [line for line, _ in told]) == (0, left)
    assert ("ignored" in summary) == (len(left) < 4) and (len(left) == 4 or f"{4 - len(left)} ignored" in summary)
    assert main(["check", "--json", "model.py"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [s["line"] for report in found for s in report["statements"]] == left


def test_comments_behind_long_heads_and_on_decorated_functions():
    text = (
        "@some\n@other(  # autograph: ignore[AG301]\n    1)\ndef f(\n    x,\n):\n    '''A text.'''\n"
        "    while (\n        x  # autograph: ignore[AG201]\n    ):\n        yield\n"
        "    match (\n        x):  # autograph: ignore[AG303]\n        case y: pass\n"
        "def g(x): return 1  # autograph: ignore[AG101]\n"
    )
    found, wrong = ignored(parse(text, "f.py"))
    assert not wrong
    assert {line for line, reasons in found.items() if Reason.PYTHON_CONDITION in reasons} == set(range(1, 15))
    assert Reason.WAITS in found[8] and Reason.TAKES_ALL in found[12] and found[15] == {Reason.MARKED}
    assert Reason.WAITS not in found[11] and Reason.TAKES_ALL not in found[14]


@pytest.mark.parametrize("line", [2, 3, 4])
def test_a_comment_in_a_statement_of_several_lines(line, folder, capsys):
    lines = ["def f(x):", "    assert isinstance(", "        x, int", "    )"]
    lines[line - 1] += "  # autograph: ignore[AG301]"
    (folder / "model.py").write_text("\n".join([*lines, "    y = (x +", "        1)  # autograph: ignore"]))
    status, told, summary = check(capsys, "model.py", "-v")
    assert (status, told) == (0, []) and summary.endswith("; 1 ignored")


def test_a_comment_with_a_code_that_there_is_not(folder, capsys):
    (folder / "model.py").write_text(commented(2, "autograph: ignore[AG201,X1]"), encoding="utf-8")
    for _ in range(2):  # it is not forgotten
        assert main(["check", "model.py"]) == 1
        out = capsys.readouterr().out
        assert "model.py:2: `# autograph: ignore[AG201,X1]`: there is no code 'X1'" in out and "(AG201)" in out
        assert "no Python" not in out


@pytest.mark.parametrize(
    "comment", ["ignore [AG202", "ignore AG202", "ignore(AG202)", "ignore[AG202) or so", "ignore[AG999]"]
)
def test_a_comment_that_is_not_as_it_has_to_be_ignores_nothing_and_is_told(comment, folder, capsys):
    (folder / "model.py").write_text(commented(2, f"autograph: {comment}"), encoding="utf-8")
    status, told, _ = check(capsys, "model.py")
    assert (status, told) == (1, [(2, "AG201"), (4, "AG204")])
    assert main(["check", "model.py"]) == 1 and f"model.py:2: `# autograph: {comment}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text",
    [
        "def f(y):\n    # autograph: ignore[AG201]\n    for x in y:\n        yield x\n",
        "def f(y):\n    # autograph: ignore\n    @some\n    def g(): pass\n    for x in y:\n        yield x\n",
        "def f(y):\n    for x in y:\n        # autograph: ignore\n        yield x\n",
        "# autograph: ignore\ndef f(y):\n    for x in y:\n        yield x\n",
    ],
)
def test_a_comment_with_a_line_to_itself_ignores_nothing_and_is_told(text, folder, capsys):
    (folder / "model.py").write_text(text, encoding="utf-8")
    status, told, _ = check(capsys, "model.py")
    assert status == 1 and [code for _, code in told] == ["AG201"]
    assert main(["check", "model.py"]) == 1 and "stands behind no statement" in capsys.readouterr().out


@pytest.mark.parametrize(
    "text, line",
    [
        ("def f(x):\n    if x > 0:\n        x = 1\n    else:  # autograph: ignore\n        x = 2\n    return x\n", 4),
        ("def f(y):\n    try:\n        y()\n    except OSError:  # autograph: ignore[AG201]\n        pass\n", 4),
        ("def f(y):\n    try:\n        y()\n    finally:  # autograph: ignore\n        pass\n", 4),
        ("def f(y):\n    match y:\n        case 1: pass\n        case 2:  # autograph: ignore\n            pass\n", 4),
    ],
)
def test_a_comment_behind_no_statement_ignores_nothing_and_is_told(text, line, folder, capsys):
    (folder / "model.py").write_text(text, encoding="utf-8")
    assert main(["check", "model.py"]) == 1
    out = capsys.readouterr().out
    assert f"model.py:{line}: `# autograph: ignore" in out and "stands behind no statement" in out
    (folder / "model.py").write_text(text.replace("  # autograph: ignore", "  # ignore"), encoding="utf-8")
    assert main(["check", "model.py"]) == 0


def test_a_comment_behind_an_elif_is_for_that(folder, capsys):
    text = (
        "def f(x):\n    if x:\n        x = 1\n    elif x is None:  # autograph: ignore\n        x = 2\n    return x\n"
    )
    (folder / "model.py").write_text(text, encoding="utf-8")
    assert main(["check", "model.py"]) == 0 and "no statement" not in capsys.readouterr().out


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such names")
def test_names_of_files_stay_on_one_line(folder, capsys):
    name = "two\nlines\x1b.py"
    (folder / name).write_text(PROGRAM, encoding="utf-8")
    assert main(["check", "."]) == 0
    assert "two\\nlines\\x1b.py:1: " in capsys.readouterr().out
    (folder / name).write_text("def f(:\n", encoding="utf-8")
    for arguments in (["check", "."], [name]):
        assert main(arguments) == 1
        given = "".join(capsys.readouterr())
        assert "two\\nlines\\x1b.py:1: SyntaxError: invalid syntax\n" in given and "\x1b" not in given


@pytest.mark.skipif(os.name == "nt", reason="links are not for everyone there")
def test_links_are_followed_to_files_and_where_they_are_named(folder, capsys):
    (folder / "real").mkdir()
    (folder / "real" / "model.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "work").mkdir()
    (folder / "work" / "inner").symlink_to(folder / "real")
    (folder / "work" / "circle").symlink_to(folder / "work")
    (folder / "work" / "file.py").symlink_to(folder / "real" / "model.py")
    for name, files in (("work", ["work/file.py"]), ("work/inner", ["work/inner/model.py"])):
        main(["check", "--json", name])
        assert sorted({row["filename"] for row in json.loads(capsys.readouterr().out)}) == files


def test_a_comment_on_a_decorator_is_for_what_it_decorates(folder, capsys):
    text = "def f(y):\n    @some  # autograph: ignore\n    def g(): pass\n    for x in y:\n        yield x\n"
    (folder / "model.py").write_text(text, encoding="utf-8")
    assert check(capsys, "model.py")[:2] == (0, [(4, "AG201")])


def test_lines_are_those_of_python(folder, capsys):
    (folder / "model.py").write_text("x = 'a\u2028b'\n\f\n" + PROGRAM, encoding="utf-8")
    assert main(["check", "model.py"]) == 0
    assert "      4  for i in range(3):   " in capsys.readouterr().out


def test_what_is_refused_can_be_ignored(folder, capsys, monkeypatch):
    def refuse(*_):
        raise ConversionError("it is too much")

    monkeypatch.setattr("autograph.convert_file._loaded", refuse)
    for comment, status in (("", 1), ("  # autograph: ignore[AG002]", 0), ("  # autograph: ignore[AG2]", 1)):
        (folder / "model.py").write_text(f"def f(x):{comment}\n    return x\n", encoding="utf-8")
        assert main(["check", "model.py", "--no-cache"]) == status
        out = capsys.readouterr().out
        assert ("f is refused: it is too much (AG002)" in out) == bool(status) == ("1 refused" in out)
        assert ("1 ignored" in out) != bool(status)
        assert main(["check", "model.py", "--no-cache", "--format", "github"]) == status
        told = "::error file=model.py,line=1,title=AG002::f is refused: it is too much\n"
        assert capsys.readouterr().out == (told if status else "")
    assert main(["check", "model.py", "--no-cache", "--ignore", "AG002"]) == 0


# Forms.


def test_the_form_of_githubs_annotations(folder, capsys):
    (folder / "a,b.py").write_text(PROGRAM, encoding="utf-8")
    (folder / "bad.py").write_text("def f(:\n    pass\n", encoding="utf-8")
    assert main(["check", "--format", "github", "--ignore", "AG204", "--select", "AG0,AG201,AG301", "."]) == 1
    out = capsys.readouterr().out.splitlines()
    assert out == [
        "::warning file=a%2Cb.py,line=2,title=AG201::`for i in range(3):` stays Python: it holds a yield or an await",
        "::notice file=a%2Cb.py,line=9,title=AG301::"
        "`if isinstance(x, int):` stays Python: its condition is a Python value",
        "::error file=bad.py,line=1,title=AG001::bad.py:1: SyntaxError: invalid syntax%0A    def f(:%0A          ^",
    ]


def test_what_is_left_is_no_refusal_in_any_form(folder, capsys):
    (folder / "a.py").write_text("@do_not_convert\ndef f(x):\n    return x\n", encoding="utf-8")
    told = f"f is left as Python: {Reason.MARKED}"
    assert main(["check", "-v", "a.py"]) == 0 and f"a.py:2: {told} (AG101)\n" in capsys.readouterr().out
    assert main(["check", "--select", "AG101", "--format", "github", "a.py"]) == 1
    assert capsys.readouterr().out == f"::notice file=a.py,line=2,title=AG101::{told}\n"
    assert main(["check", "--select", "AG101", "--format", "sarif", "a.py"]) == 1
    ((result,),) = (run["results"] for run in json.loads(capsys.readouterr().out)["runs"])
    assert (result["ruleId"], result["level"], result["message"]["text"]) == ("AG101", "note", told)


def test_the_form_of_sarif(folder, capsys):
    (folder / "my model.py").write_text(PROGRAM, encoding="utf-8")
    cell = {"cell_type": "code", "source": PROGRAM, "metadata": {}, "outputs": [], "execution_count": None}
    (folder / "study.ipynb").write_text(json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}))
    assert main(["check", "--format", "sarif", "my model.py", str(folder / "study.ipynb")]) == 0
    log = json.loads(capsys.readouterr().out)
    (run,) = log["runs"]
    assert log["version"] == "2.1.0" and run["tool"]["driver"]["name"] == "autograph"
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    assert rules.keys() == {reason.code for reason in Reason}
    places = [result["locations"][0]["physicalLocation"] for result in run["results"]]
    assert [r["ruleId"] for r in run["results"]] == ["AG201", "AG204"] * 2
    assert places[0] == {"artifactLocation": {"uri": "my%20model.py"}, "region": {"startLine": 2}}
    assert places[2] == {"artifactLocation": {"uri": (folder / "study.ipynb").as_uri()}}
    assert run["results"][2]["message"]["text"].startswith("cell 1, line 2: `for i in range(3):` stays Python")


def test_json_has_codes_and_is_whole_unless_something_is_selected(file, capsys):
    assert main(["check", "--format", "json", file]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [s["code"] for r in found for s in r["statements"]] == ["AG201", "AG204", "AG301", "AG302"]
    assert main(["check", "--json", "--select", "AG3", file]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [s["code"] for r in found for s in r["statements"]] == ["AG301", "AG302"]


# What is kept.


def test_what_has_not_changed_is_not_looked_at_again(file, folder, capsys, monkeypatch):
    first = check(capsys, file, "-v")
    monkeypatch.setattr("autograph.commands.check.reports", None)  # nobody calls it
    assert check(capsys, file, "-v") == first
    assert check(capsys, file, "--select", "AG3")[1] == first[1][2:], "what is told of does not matter"
    assert {"CACHEDIR.TAG", ".gitignore"} < set(os.listdir(folder / ".autograph_cache"))
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    (folder / "model.py").write_text(PROGRAM.replace("x > 2", "isinstance(x, int)"), encoding="utf-8")
    assert check(capsys, file, "-v")[1] == [(2, "AG201"), (4, "AG301"), (9, "AG301"), (11, "AG302")]


@pytest.mark.parametrize("content", [b"", b"\xff", b"{}", b"[1]", b'{"key": 1, "value": {}}', b"null"])
def test_a_damaged_entry_is_made_anew(content, file, folder, capsys):
    first = check(capsys, file)
    (entry,) = (folder / ".autograph_cache").glob("*.json")
    entry.write_bytes(content)
    assert check(capsys, file) == first and entry.read_bytes() != content


@pytest.mark.parametrize("value", [{}, [], 3, {"reports": [{}], "ignored": 0}, {"reports": 3, "ignored": 0}])
def test_an_entry_of_this_file_that_means_nothing_is_made_anew(value, file, folder, capsys):
    first = check(capsys, file)
    (entry,) = (folder / ".autograph_cache").glob("*.json")
    kept = json.loads(entry.read_bytes())
    entry.write_text(json.dumps({**kept, "value": value}))
    assert check(capsys, file) == first and json.loads(entry.read_bytes()) == kept


def test_another_program_does_not_believe_what_this_one_kept(file, folder, capsys, monkeypatch):
    check(capsys, file)
    (entry,) = (folder / ".autograph_cache").glob("*.json")
    before = entry.read_bytes()
    monkeypatch.setattr("autograph.commands.cache.program", lambda: b"another")
    check(capsys, file)
    assert entry.read_bytes() != before


def test_where_nothing_can_be_kept(file, folder, capsys):
    (folder / ".autograph_cache").write_text("a file")
    assert check(capsys, file)[1] == [(2, "AG201"), (4, "AG204")]
    (folder / ".autograph_cache").unlink()
    assert check(capsys, file, "--no-cache")[1] == [(2, "AG201"), (4, "AG204")]
    assert not (folder / ".autograph_cache").exists()


def test_files_without_a_project_are_kept_in_the_current_folder(file, folder, capsys):
    (folder / "pyproject.toml").unlink()
    (folder / "inner").mkdir()
    check(capsys, file)
    assert (folder / ".autograph_cache").is_dir()


# Many files.


@pytest.fixture
def package(folder):
    for number in range(6):
        (folder / "package").mkdir(exist_ok=True)
        (folder / "package" / f"m{number}.py").write_text(PROGRAM.replace("x > 2", f"x > {number}"), encoding="utf-8")
    (folder / "package" / "m3.py").write_text("def f(:\n", encoding="utf-8")
    return folder / "package"


def test_processes_share_the_work_and_find_the_same(package, folder, capsys, monkeypatch):
    def outcome(*options):
        status = main([*options, "package"])
        out, err = capsys.readouterr()
        made = {p.name: p.read_bytes() for p in (folder / "made").rglob("*.py")}
        return status, re.sub(r", of which \d", "", out), err, made

    monkeypatch.setattr(many, "_WORTH_A_PROCESS", 1)
    for command in (["check", "-v", "--no-cache"], ["convert", "-o", "made", "--force"]):
        alone = outcome(*command, "-j", "1")
        (folder / "made" / ".autograph").unlink(missing_ok=True)
        assert outcome(*command, "-j", "3") == alone and alone[0] == 1
    assert len(alone[3]) == 6


@pytest.mark.parametrize("jobs", ["0", "-1", "many", "1.5"])
def test_a_number_of_processes_that_means_nothing(jobs, capsys):
    for command in (["check"], ["convert", "-o", "made"]):
        with pytest.raises(SystemExit) as ended:
            main([*command, ".", f"--jobs={jobs}"])
        assert ended.value.code == 2 and f"'{jobs}' is no number of processes" in capsys.readouterr().err


def test_a_program_that_calls_the_command_is_not_run_again_by_new_processes(package, capsys, monkeypatch):
    """Unless it asks for them."""
    monkeypatch.setattr(many, "_WORTH_A_PROCESS", 1)
    monkeypatch.setattr(many, "_cores", lambda: 4)
    monkeypatch.setattr("multiprocessing.get_context", lambda method: pytest.fail("a process begins"))
    assert main(["check", "--no-cache", "package"]) == 1
    with pytest.raises(pytest.fail.Exception, match="a process begins"):
        main(["check", "--no-cache", "-j", "2", "package"])


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("is_installed", [True, False])
def test_a_bar_on_a_terminal_for_what_takes_a_while(is_installed, package, capsys, monkeypatch):
    if is_installed:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setitem(sys.modules, "tqdm", None)
    for delay, is_shown in ((0.0, is_installed), (3600.0, False)):
        monkeypatch.setattr(sys, "stderr", Terminal())
        monkeypatch.setattr(many, "_SHOWN_AFTER", delay)
        assert main(["check", "--no-cache", "package"]) == 1
        shown = sys.stderr.getvalue()
        assert ("checked" in shown and "/6" in shown) == is_shown
        assert shown.rpartition("\r")[2] == "" and "\n" not in shown  # nothing of it is left
    assert "functions converted" in capsys.readouterr().out


@pytest.fixture
def convert(package, folder, capsys):
    (package / "m3.py").write_text(PROGRAM, encoding="utf-8")

    def converting(*options):
        """How many files were converted, and how many of them were there; or what is told."""
        status = main(["convert", "package", "-o", "made", *options])
        out, err = capsys.readouterr()
        found = re.search(r"(\d) files converted into made(?:, of which (\d) (?:was|were) there)?$", out)
        return (status, err) if status else tuple(int(n or 0) for n in found.groups())

    return converting


def texts(folder):
    made = folder / "made" / "package"
    return {str(p.relative_to(made)): p.read_text(encoding="utf-8") for p in made.rglob("*") if p.is_file()}


def test_converting_again_does_what_has_changed(convert, package, folder):
    made = folder / "made" / "package"
    (package / "data.txt").write_text("1", encoding="utf-8")
    assert convert() == (6, 0)
    first = texts(folder)
    assert convert() == (6, 6) and texts(folder) == first
    (package / "m1.py").write_text(PROGRAM, encoding="utf-8")
    (package / "data.txt").write_text("2", encoding="utf-8")
    second = {**first, "m1.py": first["m3.py"], "data.txt": "2"}
    assert convert() == (6, 5) and texts(folder) == second
    (made / "m2.py").unlink()
    assert convert() == (6, 5) and texts(folder) == second
    package.joinpath("m2.py").chmod(0o755)
    assert convert() == (6, 6) and (made / "m2.py").stat().st_mode & 0o111
    assert convert("--width", "60") == (6, 0)
    assert convert("--width", "60", "--exclude", "m1.py") == (5, 5)
    assert (made / "m1.py").read_text(encoding="utf-8") == PROGRAM


def test_what_somebody_has_changed_is_not_overwritten(convert, package, folder):
    assert convert() == (6, 0)
    made = folder / "made" / "package" / "m4.py"
    text = made.read_text(encoding="utf-8")
    made.write_text(text + "# more\n", encoding="utf-8")
    status, err = convert()
    assert status == 2 and "m4.py exists and is not as autograph wrote it; say --force" in err
    assert convert("--force") == (6, 5) and made.read_text(encoding="utf-8") == text


def test_what_has_gone_is_removed(convert, package, folder):
    (package / "mod").mkdir()
    for name in ("mod/__init__.py", "mod/data.txt", "mod/kept.py"):
        (package / name).write_text("x = 1\n", encoding="utf-8")
    assert convert() == (8, 0)
    (folder / "made" / "package" / "mod" / "kept.py").write_text("somebody's own", encoding="utf-8")
    (folder / "made" / "other.txt").write_text("of others", encoding="utf-8")
    shutil.rmtree(package / "mod")
    (package / "mod.py").write_text("x = 2\n", encoding="utf-8")
    assert convert() == (7, 6)
    assert {name for name in texts(folder) if name.startswith("mod")} == {"mod.py", "mod/kept.py"}
    (package / "mod.py").unlink()
    (package / "mod.py").mkdir()  # now a folder, and back
    (package / "mod.py" / "a.py").write_text("x = 3\n", encoding="utf-8")
    assert convert() == (7, 6) and "mod.py/a.py" in texts(folder)
    shutil.rmtree(package / "mod.py")
    (package / "mod.py").write_text("x = 4\n", encoding="utf-8")
    assert convert() == (7, 6) and texts(folder)["mod.py"] == "x = 4\n"
    assert (folder / "made" / "other.txt").exists()


def test_what_is_no_python_is_told_each_time(package, folder, capsys):
    for _ in range(2):
        assert main(["convert", "package", "-o", "made"]) == 1
        assert "m3.py:1: SyntaxError" in capsys.readouterr().err


def test_the_list_of_earlier_versions_and_one_that_is_damaged(convert, folder):
    assert convert() == (6, 0)
    names = "".join(f"package/{name}\n" for name in texts(folder))
    for content in (names, "[1]", '{"package/m1.py": 3}', "[" * 100_000):
        (folder / "made" / ".autograph").write_text(content, encoding="utf-8")
        assert convert("--force") == (6, 0)
    (folder / "made" / ".autograph").write_text(names, encoding="utf-8")
    assert convert() == (6, 0), "they are known to be ours"


def test_a_conversion_that_was_interrupted_goes_on(convert, package, folder, monkeypatch, capsys):
    from autograph.commands import writing

    (package / "data.txt").write_text("1", encoding="utf-8")
    write, left = writing.write, [5]

    def some(*arguments):
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        write(*arguments)

    monkeypatch.setattr(writing, "write", some)
    assert convert() == (130, "autograph: interrupted\n")
    monkeypatch.undo()
    monkeypatch.chdir(folder)
    for path in package.iterdir():
        path.write_text("y = 1\n", encoding="utf-8")
    assert convert() == (6, 0) and set(texts(folder).values()) == {"y = 1\n"}


# Files of all kinds.


@pytest.mark.parametrize("command", [["check"], ["convert", "-o", "made"]])
@pytest.mark.parametrize(
    "name, content",
    [
        ("rot.py", b"# coding: rot13\nx = 1\n"), ("sum.py", b"x = " + b"-" * 60_000 + b"1\n"), ("bad.py", b"\x00"),
        ("a.ipynb", b'{"cells": [{"cell_type": "code", "source": "1 +"}], "metadata": []}'), ("b.ipynb", b"[" * 90_000),
        ("c.ipynb", b'{"cells": 3}'), ("d.ipynb", b'{"cells": [], "metadata": {"language_info": {"name": "R"}}}'),
    ],
)  # fmt: skip
def test_one_file_that_is_no_python_does_not_keep_others_from_being_done(command, name, content, folder, capsys):
    (folder / "some").mkdir()
    (folder / "some" / name).write_bytes(content)
    (folder / "some" / "z.py").write_text(PROGRAM, encoding="utf-8")
    assert main([*command, "some"]) == 1
    out, err = capsys.readouterr()
    assert name in out + err and ("2 functions converted" in out or "1 of 2 files converted" in out)


def test_notebooks_without_a_language_are_pythons(folder, capsys):
    for metadata in ({}, [], {"language_info": None}, {"language_info": {}}):
        (folder / "a.ipynb").write_text(json.dumps({"cells": [], "metadata": metadata}), encoding="utf-8")
        assert main(["check", "a.ipynb"]) == 0


NAMES = ["a b.py", "ä.py", "a\tb.py", "a\nb.py", "a\u2028b.py", "x" * 250 + ".py", os.fsdecode(b"s\xff.py")]


@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_files_of_any_name(name, folder, capsys):
    (folder / "some").mkdir()
    try:
        (folder / "some" / name).write_text("x = 1\n", encoding="utf-8")
    except OSError:
        pytest.skip("there are no such names here")
    for options in ([], ["--no-cache"], ["--format", "json"], ["--format", "sarif"], ["--format", "github"]):
        assert main(["check", "some", *options]) == 0
    for count in ("1 file converted into made\n", "1 file converted into made, of which 1 was there\n"):
        capsys.readouterr()
        assert main(["convert", "some", "-o", "made"]) == 0 and capsys.readouterr().out == count
    (folder / "some" / name).write_text(PROGRAM, encoding="utf-8")
    assert main(["convert", "some", "-o", "made"]) == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "utf-16"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("body", ["x = 'ä'\n", "def f(x):\n    if x:\n        return 'ä'\n    return x\n"])
def test_encodings_and_line_ends_are_kept(encoding, end, body, folder, capsys):
    head = f"#!/usr/bin/env python\n \t# -*- coding: {encoding.removesuffix('-sig')} -*- kept\n# decoding, too\n\n"
    (folder / "some").mkdir()
    source, made = folder / "some" / "a.py", folder / "made" / "some" / "a.py"
    source.write_bytes((head + body).replace("\n", end).encode(encoding))
    done = main(["convert", "some", "-o", "made"])
    if encoding == "utf-16":
        assert done == 1
        return
    text = made.read_bytes().decode(encoding)
    assert done == 0 and text.startswith(head.replace("\n", end)[: head.index("# dec")])
    assert set(re.findall("\r\n|\r|\n", text)) == {end} and "# decoding, too" in text
    scope = {}
    exec(compile(made.read_bytes(), "made", "exec"), scope)
    assert scope["f"](1) == "ä" if "f" in scope else scope["x"] == "ä"
    assert main(["some/a.py", "-o", "one.py"]) == 0 and (folder / "one.py").read_bytes() == made.read_bytes()


def test_scripts_are_checked_if_they_are_named_and_once(file, folder, capsys):
    (folder / "tool").write_text(PROGRAM, encoding="utf-8")
    assert check(capsys, "tool")[1] == [(2, "AG201"), (4, "AG204")]
    assert len(check(capsys, file, "./model.py", ".")[1]) == 2
    assert main(["check", ""]) == 2 and "no such file" in capsys.readouterr().err


def test_what_is_excluded_can_be_named_too(package, capsys):
    named = ["package/m1.py", "package/m2.py", "--exclude", "m1.py", "-v"]
    assert len(check(capsys, *named)[1]) == 8 and len(check(capsys, *named, "--force-exclude")[1]) == 4
    named[3] = "package/m1.py"
    assert len(check(capsys, *named, "--force-exclude")[1]) == 4
    assert main(["check", "package", "--exclude", "package/m3.py"]) == 0, "a path from the project"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_folders_that_cannot_be_read_are_told(package, capsys):
    package.chmod(0)
    try:
        for path in (".", "package"):
            assert main(["check", path]) == 2 and "Permission denied" in capsys.readouterr().err
    finally:
        package.chmod(0o755)


def test_folders_that_cannot_be_listed_are_told(package, capsys, monkeypatch):
    def walk(folder, onerror):
        onerror(PermissionError(13, "Permission denied", f"{folder}/locked"))
        yield

    monkeypatch.setattr(os, "walk", walk)
    for command in (["check"], ["convert", "-o", "made"]):
        assert main([*command, "."]) == 2 and "./locked: Permission denied" in capsys.readouterr().err


def test_what_was_written_is_no_source(package, folder, capsys):
    (package / "m3.py").unlink()
    assert main(["convert", ".", "-o", "."]) == 2 and "that is the source itself" in capsys.readouterr().err
    for output in ("one", "two"):
        assert main(["convert", ".", "-o", output]) == 0
        assert not list((folder / output).rglob("one")) and len(list((folder / output).rglob("m*.py"))) == 5
    (folder / "loop").symlink_to("loop")
    assert main(["check", "."]) == 0 and main(["check", "loop"]) == 2


def test_a_name_of_a_command_is_that(file, folder, capsys):
    (folder / "check").mkdir()
    assert check(capsys, file)[1] == [(2, "AG201"), (4, "AG204")]


@pytest.mark.parametrize("text", ["tool = 3", "[tool]\nautograph = 3", "[[tool.autograph]]\nwidth = 3", "[tool\n"])
def test_settings_that_are_no_table(text, file, folder, capsys):
    (folder / "pyproject.toml").write_text(text, encoding="utf-8")
    if text == "tool = 3":
        assert main(["check", file]) == 0
        return
    with pytest.raises(SystemExit) as ended:
        main(["check", file])
    assert ended.value.code == 2 and "pyproject.toml: " in capsys.readouterr().err


@pytest.mark.parametrize("width", ["0", "-5", "wide", "1.5"])
def test_a_width_that_means_nothing(width, file, capsys):
    for command in ([file], ["convert", file, "-o", "made"]):
        with pytest.raises(SystemExit) as ended:
            main([*command, f"--width={width}"])
        assert ended.value.code == 2 and f"'{width}' is no number of columns" in capsys.readouterr().err


def test_what_a_formatter_does_not_take(file, capsys):
    pytest.importorskip("ruff")
    assert main([file, "--style", "ruff", "--width", "99999"]) == 1
    assert "ruff does not take this" in capsys.readouterr().err


def test_ignoring_holds_in_every_form(file, capsys):
    for options in (["--json"], ["--statistics"], ["--format", "sarif"], ["--format", "github"], []):
        assert main(["check", file, "--ignore", "AG201", *options]) == 0
        out = capsys.readouterr().out.replace('"id": "AG201"', "")
        assert "AG201" not in out and "AG204" in out
    with pytest.raises(SystemExit):
        main(["check", file, "--statistics", "--json"])


def test_a_file_that_is_no_python_fails_whatever_is_selected(folder, capsys):
    (folder / "bad.py").write_text("def f(\n", encoding="utf-8")
    assert main(["check", "bad.py", "--select", "AG201"]) == 1 and "bad.py:1: SyntaxError" in capsys.readouterr().out
    assert main(["check", "bad.py", "--ignore", "AG001"]) == 0


def as_a_process(folder, *command, **options):
    environment = {**os.environ, "PYTHONPATH": str(Path(autograph.__file__).parent.parent)}
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False, **options
    )


def test_a_program_without_a_main_guard_may_call_it(package, folder):
    (package / "m3.py").write_text("# " + "x" * 700_000, encoding="utf-8")
    (folder / "mine.py").write_text(
        "print('begun')\nfrom autograph.commands import main\nmain(['check', 'package', '--no-cache'])\n"
    )
    done = as_a_process(folder, "mine.py")
    assert done.stdout.count("begun") == 1 and "10 functions converted" in done.stdout and not done.stderr


def test_output_that_cannot_be_written(file, folder):
    (folder / "names.py").write_text("text = 'é'\n", encoding="utf-8")
    done = as_a_process(folder, "-X", "utf8=0", "-c", (
        "import sys; sys.stdout.reconfigure(encoding='ascii'); from autograph.commands import main\n"
        "sys.exit(main(['names.py']))"
    ))  # fmt: skip
    assert done.returncode == 2 and done.stderr == (
        "autograph: standard output is in ascii, which has no '\\xe9': set PYTHONIOENCODING=utf-8\n"
    )
