"""The command line destroys nothing: sources and other people's files stay, and no file is written by halves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from autograph.__main__ import main
from autograph.commands import writing

SOURCE = "def f(x):\n    if x > 0:\n        return x\n    return -x\n"
PLAIN = "def f(x):\n    return x\n"


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with two modules and links to one of them."""
    monkeypatch.chdir(tmp_path)
    Path("model.py").write_text(SOURCE, encoding="utf-8")
    Path("package").mkdir()
    Path("package/a.py").write_text(SOURCE, encoding="utf-8")
    Path("package/b.py").write_text(PLAIN, encoding="utf-8")
    Path("package/data.txt").write_text("data", encoding="utf-8")
    os.symlink("model.py", "link.py")
    os.link("model.py", "hard.py")
    os.symlink("package", "folder")
    return tmp_path


def contents():
    return {str(p): p.read_bytes() for p in sorted(Path().rglob("*")) if p.is_file()}


@pytest.mark.parametrize(
    "arguments",
    [
        ["model.py", "-o", "model.py"],
        ["model.py", "-o", "./package/../model.py"],
        ["model.py", "-o", "link.py"],
        ["model.py", "-o", "hard.py"],
        ["link.py", "-o", "model.py"],
        ["model.py:f", "-o", "model.py"],
        ["model.py", "--diff", "-o", "model.py"],
        ["package/a.py", "-o", "folder/a.py"],
        ["package/b.py", "-o", "package/b.py"],
        ["model.py", "-o", "package/b.py"],
        ["model.py", "-o", "package/data.txt"],
        ["model.py", "-o", "package"],
        ["model.py", "-o", "missing/out.py"],
        ["convert", "package", "-o", "."],
        ["convert", "folder", "-o", "."],
        ["convert", "model.py", "-o", "."],
        ["convert", "model.py", "package/a.py", "link.py", "-o", "."],
        ["convert", "package/a.py", "folder/a.py", "-o", "out"],
    ],
)
def test_sources_and_files_of_others_stay(here, arguments, capsys):
    before = contents()
    assert main(arguments) == 2
    assert contents() == before
    message = capsys.readouterr().err
    assert message.startswith("autograph: ") and message.count("\n") == 1
    assert any(t in message for t in ("--force", "folder", "No such file", "would both become"))


def test_the_source_is_overwritten_if_asked(here):
    assert main(["model.py", "-o", "link.py", "--force"]) == 0
    assert os.path.islink("link.py") and "ag__.if_stmt" in Path("model.py").read_text(encoding="utf-8")
    assert Path("hard.py").read_text(encoding="utf-8") == SOURCE, "another name of the old file"
    assert main(["convert", "package", "-o", ".", "--force"]) == 0
    assert "ag__.if_stmt" in Path("package/a.py").read_text(encoding="utf-8")


def test_what_was_written_may_be_written_again(here):
    for text in (SOURCE, SOURCE.replace("-x", "x + 1"), SOURCE):
        Path("model.py").write_text(text, encoding="utf-8")
        assert main(["model.py", "-o", "out.py"]) == 0
        assert main(["model.py", "--diff", "-o", "out.diff"]) == 0
    for text in (SOURCE, PLAIN + "\n# changed\n", PLAIN):
        for name in ("a.py", "b.py", "data.txt"):
            Path("package", name).write_text(text, encoding="utf-8")
        assert main(["convert", "package", "-o", "out"]) == 0
        assert Path("out/package/data.txt").read_text(encoding="utf-8") == text
    Path("out/package/own.py").write_text("mine", encoding="utf-8")
    Path("package/own.py").write_text(PLAIN, encoding="utf-8")
    before = contents()
    assert main(["convert", "package", "-o", "out"]) == 2
    assert contents() == before


def test_a_folder_inside_the_sources_is_no_source(here):
    for _ in range(3):
        assert main(["convert", ".", "-o", "converted"]) == 0
    root = Path("converted", here.name)
    assert sorted(str(p.relative_to(root)) for p in root.rglob("*.py")) == sorted(
        ["hard.py", "link.py", "model.py", "package/a.py", "package/b.py"]
    )


def test_a_failure_leaves_the_old_file(here, monkeypatch):
    assert main(["model.py", "-o", "out.py"]) == 0
    before = contents()
    Path("model.py").write_text(SOURCE.replace("-x", "x + 1"), encoding="utf-8")
    before["model.py"] = before["hard.py"] = before["link.py"] = Path("model.py").read_bytes()

    def fails(*_):
        raise OSError(28, "No space left on device")

    for function in ("replace", "chmod"):
        with monkeypatch.context() as patch:
            patch.setattr(writing.os, function, fails)
            assert main(["model.py", "-o", "out.py"]) == 2
        assert contents() == before, "no half of a file, and nothing beside it"


def test_modes_and_devices(here):
    os.chmod("package/a.py", 0o755)
    assert main(["convert", "package", "-o", "out"]) == 0
    assert os.stat("out/package/a.py").st_mode & 0o777 == 0o755
    assert main(["model.py", "-o", os.devnull]) == 0
    assert not os.path.isfile(os.devnull)


def test_standard_input_from_the_file_itself(here):
    root = Path(__file__).parents[1]
    command = [sys.executable, "-m", "autograph", "-", "-o", "model.py"]
    with open("model.py", encoding="utf-8") as given:
        done = subprocess.run(
            command,
            stdin=given,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(root)},
            check=False,
        )
    assert done.returncode == 2 and "--force" in done.stderr
    assert Path("model.py").read_text(encoding="utf-8") == SOURCE
