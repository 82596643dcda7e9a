"""Bash completes the command line with the script that the command prints; bash itself is asked."""

import shutil
import subprocess
import sys

import pytest

from autograph.commands import completion, main
from runtime.__main__ import main as runtime_main

pytest.importorskip("shtab")
BASH = shutil.which("bash")


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    """What both commands print for bash."""
    folder = tmp_path_factory.mktemp("completion")
    for module in ("autograph", "runtime"):
        done = subprocess.run([sys.executable, "-m", module, "completion", "bash"], capture_output=True, check=True)
        assert not done.stderr
        (folder / f"{module}.bash").write_bytes(done.stdout)
    return folder


def completed(scripts, folder, line):
    """What bash offers where the cursor is at the end of a line."""
    words = line.split(" ")
    quoted = " ".join(f"'{word}'" for word in words)
    program = f"""
        source {scripts}/autograph.bash; source {scripts}/runtime.bash
        [[ "$(complete -p {words[0]})" =~ -F\\ ([^ ]+) ]] || exit 3
        COMP_WORDS=({quoted}) COMP_CWORD={len(words) - 1}
        "${{BASH_REMATCH[1]}}" {words[0]} "" ""
        printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([BASH, "-c", program], capture_output=True, text=True, cwd=folder, check=True)
    return {word for word in done.stdout.split("\n") if word}


@pytest.mark.skipif(BASH is None, reason="there is no bash")
@pytest.mark.parametrize("line, offered, others", [
    ("autograph ", {"check", "convert", "completion"}, {"--diff"}),
    ("autograph ch", {"check"}, {"convert"}),
    ("autograph --", {"--diff", "--width", "--style", "--output"}, {"--statistics"}),
    ("autograph --style ", {"black", "ruff"}, {"check"}),
    ("autograph model.py --d", {"--diff"}, set()),
    ("autograph check --st", {"--statistics"}, {"--style"}),
    ("autograph check --format ", {"json", "sarif", "text"}, set()),
    ("autograph check mo", {"model.py"}, {"check"}),
    ("autograph convert model.py -o ou", {"output"}, {"outline.py"}),
    ("autograph completion ", {"bash", "zsh", "fish"}, set()),
    ("python -m autograph ch", {"check"}, set()),
    ("python3 -m autograph check --sel", {"--select"}, set()),
    ("python -m runtime --after dead", {"dead_code", "dead_state"}, {"trace"}),
    ("python -m runtime explore --s", {"--serve"}, set()),
    ("python -m other --s", set(), {"--serve"}),
])  # fmt: skip
def test_bash_offers(scripts, tmp_path, line, offered, others):
    for name in ("model.py", "outline.py"):
        (tmp_path / name).touch()
    (tmp_path / "output").mkdir()
    found = completed(scripts, tmp_path, line)
    assert offered <= found and not others & found, found


@pytest.mark.skipif(BASH is None, reason="there is no bash")
def test_what_completed_python_before_still_does(scripts, tmp_path):
    program = f"""
        other() {{ COMPREPLY=(other); }}
        complete -F other python
        source {scripts}/autograph.bash; source {scripts}/autograph.bash
        COMP_WORDS=(python -c "") COMP_CWORD=2; _autograph_of_python; echo "${{COMPREPLY[@]}}"
        COMP_WORDS=(python -m autograph ch) COMP_CWORD=3; _autograph_of_python; echo "${{COMPREPLY[@]}}"
    """
    done = subprocess.run([BASH, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["other", "check"]


@pytest.mark.parametrize("shell", completion.SHELLS)
def test_each_shell_has_a_script(shell, capsys):
    assert main(["completion", shell]) == 0
    found = capsys.readouterr().out
    assert all(part in found for part in ("autograph", "statistics", "force-exclude"))


def test_only_bash_completes_modules_of_python(capsys):
    with pytest.raises(SystemExit) as ended:
        runtime_main(["completion", "fish"])
    assert ended.value.code == 2 and "invalid choice: 'fish'" in capsys.readouterr().err


def test_without_shtab_it_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 2
    message = "autograph: completion needs shtab (pip install shtab)\n"
    assert capsys.readouterr() == ("", message)


def test_help_of_the_command_names_it(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    assert "autograph completion SHELL" in capsys.readouterr().out
