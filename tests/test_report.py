"""What is converted, what stays, what is refused, and why: `explain`, `autograph check`, and the rules."""

import json

import pytest

import autograph
from autograph.__main__ import main
from autograph.reasons import Reason
from tests.programs import load

PROGRAM = '''\
import math


def steps(x, y=None):
    if x is None:
        return 0
    for i in range(3):
        yield i
        if x > 2:
            break
        if y:
            return
    while x > 0:
        x -= 1
        if x == 2:
            continue
        elif x == 3:
            x -= 1
    match x:
        case 1:
            x = 2
    assert x, "no"
    return x
    if x:
        pass


class Model:
    def step(self, x):
        return math.sqrt(x) if x > 0 else 0


def kept(x):
    """Left on purpose."""
    if x:
        return 1


def decide(f):
    return f
'''

VERDICTS = [
    (5, "it holds a yield or an await"),
    (7, "it holds a yield or an await"),
    (9, "it jumps in a loop that stays"),
    (11, "it returns out of a loop that stays"),
    (13, None),
    (15, None),
    (17, None),
    (19, None),
    (22, None),
]


def test_explain_tells_of_each_statement():
    report = autograph.explain(load(PROGRAM, "steps"))
    assert (report.name, report.status, report.reason) == ("steps", "converted", None)
    assert [(s.line, s.reason) for s in report.statements][:-1] == VERDICTS
    assert "  13  while x > 0:" in str(report) and "can stage" in str(report)


def test_explain_tells_of_what_cannot_be_converted():
    marked = autograph.explain(
        load("from autograph import do_not_convert\n\n@do_not_convert\ndef f(x):\n    return x\n")
    )
    assert (marked.status, marked.reason) == ("left", "it is marked do_not_convert")
    names = {}
    exec("def f(x): return x", names)
    missing = autograph.explain(names["f"])
    assert missing.status == "refused" and "no source text" in missing.reason
    library = autograph.explain(json.dumps)
    assert library.status == "converted" and "is installed" in library.reason
    with pytest.raises(TypeError, match="ask for its methods"):
        autograph.explain(dict)


@pytest.fixture
def package(tmp_path):
    (tmp_path / "model" / "inner").mkdir(parents=True)
    (tmp_path / "model" / "__init__.py").write_text("from model.inner.steps import steps\n", encoding="utf-8")
    (tmp_path / "model" / "inner" / "__init__.py").write_text("", encoding="utf-8")
    (tmp_path / "model" / "inner" / "steps.py").write_text(PROGRAM, encoding="utf-8")
    (tmp_path / "model" / "data.txt").write_text("kept as it is", encoding="utf-8")
    (tmp_path / "model" / "latin.py").write_bytes("# coding: latin-1\nTEXT = 'größe'\n".encode("latin-1"))
    return tmp_path / "model"


def test_check_reports_on_a_package(package, capsys):
    assert main(["check", str(package)]) == 0
    out = capsys.readouterr().out
    assert "steps.py:4: steps is converted" in out and "stays Python: it jumps in a loop that stays" in out
    assert "can stage" in out.splitlines()[-1] and out.splitlines()[-1].startswith("4 functions converted, 0 left")
    assert "kept is converted" not in out
    assert main(["check", "-v", str(package)]) == 0
    assert "kept is converted" in capsys.readouterr().out


def test_check_as_json(package, capsys):
    assert main(["check", "--json", str(package / "inner" / "steps.py"), str(package)]) == 0
    reports = json.loads(capsys.readouterr().out)
    assert [r["name"] for r in reports] == ["steps", "Model.step", "kept", "decide"]
    assert [(s["line"], s["reason"]) for s in reports[0]["statements"]][:-1] == VERDICTS
    assert {r["status"] for r in reports} == {"converted"}


def test_check_counts_the_reasons(package, capsys):
    assert main(["check", "--json", str(package)]) == 0
    reasons = [s["reason"] for r in json.loads(capsys.readouterr().out) for s in r["statements"] if s["reason"]]
    assert main(["check", "--statistics", str(package)]) == 0
    *rows, summary = capsys.readouterr().out.splitlines()
    counts = [(int(count), code, reason) for count, code, reason in (row.split(maxsplit=2) for row in rows)]
    codes = {str(reason): reason.code for reason in Reason}
    wanted = [(reasons.count(r), codes[r], r) for r in {*reasons}]
    assert counts == sorted(wanted, key=lambda row: (-row[0], row[1]))
    assert len(counts) > 1 and "can stage" in summary
    (package / "empty").mkdir()
    assert main(["check", "--statistics", str(package / "empty")]) == 0
    assert capsys.readouterr().out.startswith("0 functions converted")


def test_check_tells_of_broken_files_and_missing_ones(package, capsys):
    (package / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert main(["check", str(package)]) == 1
    assert "broken.py:1: SyntaxError" in capsys.readouterr().out
    assert main(["check", "--json", str(package)]) == 1
    assert json.loads(capsys.readouterr().out)[-1]["status"] == "broken"
    assert main(["check", str(package / "missing.py")]) == 2
    assert "no such file" in capsys.readouterr().err


def test_check_finds_packages_by_name_without_importing_them(capsys):
    assert main(["check", "json.decoder"]) == 0
    assert "functions converted" in capsys.readouterr().out
    assert main(["check", "no.such.package"]) == 2


def test_converting_a_package(package, tmp_path, monkeypatch, capsys):
    out = tmp_path / "out"
    assert main(["convert", str(package), "-o", str(out)]) == 0
    assert "files converted" in capsys.readouterr().out
    assert (out / "model" / "data.txt").read_text() == "kept as it is"
    text = (out / "model" / "inner" / "steps.py").read_text(encoding="utf-8")
    assert "ag__.while_stmt" in text and text.index("from autograph import operators as ag__") < text.index("def steps")
    monkeypatch.syspath_prepend(str(out))
    import model
    import model.latin

    assert model.__file__.startswith(str(out)) and model.latin.TEXT == "größe"
    assert list(model.steps(None)) == [] and autograph.is_converted(model.steps)


def test_converting_refuses_to_overwrite_and_keeps_broken_files(package, capsys):
    assert main(["convert", str(package), "-o", str(package.parent)]) == 2
    assert "would be overwritten" in capsys.readouterr().err
    assert (package / "inner" / "steps.py").read_text(encoding="utf-8") == PROGRAM
    (package / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert main(["convert", str(package), "-o", str(package.parent / "out")]) == 1
    assert (package.parent / "out" / "model" / "broken.py").read_text() == "def f(:\n"


class Staged:
    """A value that is staged whenever it is asked."""

    def __bool__(self):
        raise TypeError("no truth yet")


def callee(x):
    return x + 1 if x > 0 else 0


@pytest.fixture
def staging():
    autograph.begin_staging()
    yield
    autograph.end_staging()
    autograph.rules.forget()


def converted_when_called(function):
    from autograph.operators import converted

    return autograph.is_converted(converted(function))


def test_rules_for_modules_and_functions(staging):
    assert converted_when_called(callee) and not converted_when_called(json.dumps)
    autograph.rules.leave_alone(__name__)
    assert not converted_when_called(callee)
    assert autograph.explain(callee).reason.endswith(f"a rule leaves {__name__} alone")
    autograph.rules.convert(callee)
    assert converted_when_called(callee)
    autograph.rules.convert("json")
    assert converted_when_called(json.dumps) and converted_when_called(json.JSONEncoder.encode)
    autograph.rules.leave_alone("json.encoder")
    assert converted_when_called(json.dumps) and not converted_when_called(json.JSONEncoder.encode)
    autograph.rules.convert(json.JSONEncoder)
    assert converted_when_called(json.JSONEncoder.encode)
    autograph.rules.forget()
    assert not converted_when_called(json.dumps)
    autograph.rules.leave_alone(json)
    assert not converted_when_called(json.dumps)


def test_rules_are_about_modules_functions_and_classes():
    with pytest.raises(TypeError, match="no module"):
        autograph.rules.convert(5)


def test_a_class_marked_do_not_convert(staging):
    @autograph.do_not_convert
    class Marked:
        def m(self, x):
            return 1 if x > 0 else 2

        @property
        def p(self):
            return 1 if self else 2

    assert not converted_when_called(Marked.m) and autograph.to_graph(Marked.m) is Marked.m
