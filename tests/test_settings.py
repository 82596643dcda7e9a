"""What a project settles for the command line, and what an option says otherwise."""

import importlib.util

import pytest

from autograph.__main__ import main

LONG = """\
def f(first, second, third, fourth):
    if first > 0:
        return first * second + second * third + third * fourth + fourth * first + first
    return 0
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("package/model.py", "package/tests/test_model.py", "package/inner/data/made_pb2.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(LONG, encoding="utf-8")
    monkeypatch.chdir(tmp_path)

    def settle(*lines, tool="autograph"):
        (tmp_path / "pyproject.toml").write_text("\n".join([f"[tool.{tool}]", *lines]), encoding="utf-8")
        return tmp_path

    return settle


def widest(text):
    return max(map(len, text.splitlines()))


def test_the_width_is_that_of_the_project_unless_an_option_says_another(project, tmp_path, capsys, monkeypatch):
    project("width = 60")
    monkeypatch.chdir("/")  # it is the file that lies in a project
    path = tmp_path / "package" / "model.py"
    assert main([str(path)]) == 0
    assert widest(capsys.readouterr().out) <= 60
    for options in (["--width", "100"], ["--width=100"]):
        assert main([f"{path}:f", *options]) == 0
        assert 60 < widest(capsys.readouterr().out) <= 100
    assert main(["convert", str(path), "-o", str(tmp_path / "out")]) == 0
    assert widest((tmp_path / "out/model.py").read_text(encoding="utf-8")) <= 60


@pytest.mark.parametrize("style", ["black", "ruff"])
def test_the_style_is_that_of_the_project(style, project, tmp_path, capsys):
    project(f'style = "{style}"')
    there = importlib.util.find_spec(style) is not None
    for arguments in (["package/model.py"], ["convert", "package", "-o", "out"]):
        assert main(arguments) == (0 if there else 2)
        out, err = capsys.readouterr()
        assert there or f"--style {style} needs {style} (pip install {style})" in err
    if there:
        assert "return ag__.if_stmt(first > 0, if_body, else_body)\n" in (tmp_path / "out/package/model.py").read_text()


@pytest.mark.parametrize(
    "patterns, left",
    [
        (["tests"], {"tests"}), (["tests/"], {"tests"}), (["*_pb2.py"], {"inner"}), (["inner/data"], {"inner"}),
        (["inner/*"], {"inner"}), (["data"], {"inner"}), (["tests", "inner"], {"tests", "inner"}), (["package"], set()),
        (["model.py"], {"model"}), (["odel.py"], set()),
    ],
)  # fmt: skip
@pytest.mark.parametrize("settled", [True, False])
def test_what_is_excluded_is_left_as_it_is(patterns, left, settled, project, tmp_path, capsys):
    project(f"exclude = {patterns!r}" if settled else "")
    options = [] if settled else [part for pattern in patterns for part in ("--exclude", pattern)]
    files = {"model": "model.py", "tests": "tests/test_model.py", "inner": "inner/data/made_pb2.py"}
    assert main(["check", "-v", "package", *options]) == 0
    out = capsys.readouterr().out
    assert {name for name, file in files.items() if f"package/{file}:" not in out} == left
    assert main(["convert", "package", "-o", "made", *options]) == 0
    made = {name: (tmp_path / "made/package" / file).read_text(encoding="utf-8") for name, file in files.items()}
    assert {name for name, text in made.items() if text == LONG} == left
    assert f"{3 - len(left)} file" in capsys.readouterr().out


def test_what_is_named_itself_is_not_excluded(project, capsys):
    project('exclude = ["tests", "*.py"]')
    assert main(["check", "package/tests/test_model.py"]) == 0
    assert capsys.readouterr().out.startswith("1 function converted")


@pytest.mark.parametrize(
    "line, message",
    [
        ("widht = 80", "[tool.autograph] has no setting 'widht': there are width, style, exclude"),
        ('width = "80"', "[tool.autograph] width = '80' is not a number of columns"),
        ("width = true", "width = True is not a number of columns"),
        ('style = "yapf"', "style = 'yapf' is not one of black, ruff"),
        ('exclude = "tests"', "exclude = 'tests' is not a list of patterns"),
        ("width = ", "Invalid value"),
    ],
)
@pytest.mark.parametrize("arguments", [["package/model.py"], ["check", "package"], ["convert", "package", "-o", "out"]])
def test_settings_that_mean_nothing_are_refused(line, message, arguments, project, capsys):
    folder = project(line)
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    err = capsys.readouterr().err
    assert str(folder / "pyproject.toml") in err and message in err


def test_projects_that_settle_nothing(project, capsys):
    project("width = 60", tool="other")
    assert main(["package/model.py"]) == 0
    assert widest(capsys.readouterr().out) > 60


@pytest.mark.parametrize("options, is_told", [
    ([], False),
    (["--select", "AG201"], True),
    (["--select", "AG2"], True),
    (["--select", "AG201", "--ignore", "AG201"], False),
])  # fmt: skip
def test_what_the_command_line_selects_is_told_whatever_the_project_ignores(options, is_told, project, capsys):
    folder = project('ignore = ["AG201"]')
    (folder / "model.py").write_text("async def f(items):\n    for i in items:\n        await i\n", encoding="utf-8")
    main(["check", "model.py", *options])
    assert ("AG201" in capsys.readouterr().out) == is_told
