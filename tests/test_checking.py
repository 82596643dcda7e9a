"""What `autograph check` tells of, in which form, and what it keeps; many files at once."""

import io
import json
import os
import re
import sys

import pytest

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
@pytest.mark.parametrize("code", ["AG9", "E501", "", "AG201x", "AG201,"])
def test_codes_that_there_are_not_are_refused(option, code, file, folder, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["check", file, option, code])
    assert ended.value.code == 2 and f"there is no code '{code.split(',')[-1]}'" in capsys.readouterr().err
    (folder / "pyproject.toml").write_text(f"[tool.autograph]\n{option[2:]} = ['{code.split(',')[-1]}']\n")
    with pytest.raises(SystemExit):
        main(["check", file])
    assert "is not a list of codes" in capsys.readouterr().err


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
        (7, "autograph: ignore", [2, 4, 9, 11]),
        (2, "autograph: ignored", [4, 9, 11]),
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


def test_a_comment_with_a_code_that_there_is_not(folder, capsys):
    (folder / "model.py").write_text(commented(2, "autograph: ignore[AG201,X1]"), encoding="utf-8")
    for _ in range(2):  # it is not forgotten
        assert main(["check", "model.py"]) == 1
        out = capsys.readouterr().out
        assert "model.py:2: `# autograph: ignore[AG201,X1]`: there is no code 'X1'" in out and "(AG201)" in out
        assert "no Python" not in out


def test_what_is_refused_can_be_ignored(folder, capsys, monkeypatch):
    def refuse(*_):
        raise ConversionError("it is too much")

    monkeypatch.setattr("autograph.convert_file._loaded", refuse)
    for comment, status in (("", 1), ("  # autograph: ignore[AG002]", 0), ("  # autograph: ignore[AG2]", 1)):
        (folder / "model.py").write_text(f"def f(x):{comment}\n    return x\n", encoding="utf-8")
        assert main(["check", "model.py", "--no-cache"]) == status
        out = capsys.readouterr().out
        assert ("f is refused: it is too much (AG002)" in out) == bool(status) == ("1 refused" in out)
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
        assert ("checked" in sys.stderr.getvalue() and "/6" in sys.stderr.getvalue()) == is_shown
    assert "functions converted" in capsys.readouterr().out


def test_converting_again_does_what_has_changed(package, folder, capsys, monkeypatch):
    (package / "m3.py").write_text(PROGRAM, encoding="utf-8")
    (package / "data.txt").write_text("1", encoding="utf-8")
    made = folder / "made" / "package"

    def convert(*options):
        assert main(["convert", "package", "-o", "made", *options]) == 0
        found = re.search(r"(\d) files converted into made(?:, of which (\d) were there)?$", capsys.readouterr().out)
        return tuple(int(n or 0) for n in found.groups())

    texts = lambda: {p.name: p.read_text(encoding="utf-8") for p in made.iterdir()}  # noqa: E731
    assert convert() == (6, 0)
    first = texts()
    assert convert() == (6, 6) and texts() == first
    (package / "m1.py").write_text(PROGRAM, encoding="utf-8")
    (package / "data.txt").write_text("2", encoding="utf-8")
    assert convert() == (6, 5) and texts() == {**first, "m1.py": first["m3.py"], "data.txt": "2"}
    (made / "m2.py").unlink()
    (made / "m4.py").write_text(first["m4.py"] + "# more\n", encoding="utf-8")
    assert convert() == (6, 4) and texts() == {**first, "m1.py": first["m3.py"], "data.txt": "2"}
    assert convert("--width", "60") == (6, 0)
    assert convert("--width", "60", "--exclude", "m1.py") == (5, 5)
    assert (made / "m1.py").read_text(encoding="utf-8") == PROGRAM
    (folder / "made" / ".autograph").write_text("".join(f"package/{name}\n" for name in first), encoding="utf-8")
    assert convert() == (6, 0), "a list of names, as earlier versions wrote it"
