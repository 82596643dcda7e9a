"""Debuggers and coverage see the user's own lines and variables, as they do without conversion."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).parents[1])

PROGRAM = '''\
def classify(items, limit):
    """How many are small, and the first large one."""
    small = 0
    for item in items:
        if item is None:
            continue
        if item < limit:
            small += 1
        elif item == limit:
            small += 0
        else:
            found = item
            break
    else:
        found = None
    while small > 2:
        small -= 1
        if small == 100:
            return "never"
    try:
        if found is not None and found > 5:
            raise LookupError(found)
    except LookupError as error:
        if small:
            found = error.args[0]
    with contextlib.suppress(LookupError):
        if small > 1:
            small += 0
        {}[small]
    return small, found if found else 0


def helper(x):
    if x > 3:
        return x
    return 3


import contextlib
'''

FORMS = {
    "plain": "function = program.classify",
    "converted": "function = autograph.to_graph(program.classify)",
    "decorated": "function = autograph.convert(program.classify)",
    "imported": "function = program.classify",
}
CALLS = "print(function([1, None, 2, 3, 4, 9, 1], 4), function([4, 4], 4))"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM, encoding="utf-8")
    for form, line in FORMS.items():
        hook = "autograph.install_import_hook('program')\n" if form == "imported" else ""
        main = f"import autograph\n{hook}import program\n{line}\n{CALLS}\n"
        (tmp_path / f"main_{form}.py").write_text(main, encoding="utf-8")
    return tmp_path


def run(folder, *command, typed=""):
    environment = {**os.environ, "PYTHONPATH": ROOT, "PYTHONSAFEPATH": "", "COVERAGE_CORE": ""}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("form", FORMS)
def test_coverage_counts_the_users_lines_and_branches(folder, form):
    pytest.importorskip("coverage")
    measured = {}
    for which in ("plain", form):
        run(folder, "-m", "coverage", "run", "--branch", "--include=*/program.py", f"main_{which}.py")
        run(folder, "-m", "coverage", "json", "-o", "out.json")
        (file,) = json.loads((folder / "out.json").read_text())["files"].values()
        keys = ("executed_lines", "missing_lines", "executed_branches", "missing_branches")
        measured[which] = {key: sorted(map(tuple, file[key])) if "branches" in key else file[key] for key in keys}
    assert measured[form] == measured["plain"]
    assert measured["plain"]["missing_branches"] and measured["plain"]["missing_lines"]


STEPS = """\
break program.py:8
continue
print('SEEN', item, small, limit, items[0], sorted(n for n in locals() if n[:4] != 'ag__' and n[:2] != '__'))
next
print('SEEN', small)
next
print('SEEN', item)
clear 1
break program.py:24
continue
print('SEEN', error, small, found)
up
down
return
continue
quit
"""


@pytest.mark.parametrize("form", [form for form in FORMS if form != "plain"])
def test_pdb_stops_on_the_users_lines_and_shows_the_users_variables(folder, form):
    sessions = {}
    for which in ("plain", form):
        out = run(folder, "-m", "pdb", f"main_{which}.py", typed=STEPS)
        lines = [line.removeprefix("(Pdb) ").strip() for line in out.splitlines()]
        sessions[which] = [line for line in lines if "SEEN" in line or "program.py(" in line or line.startswith("-> ")]
    drop = lambda lines: [line.replace(f"main_{form}", "main_plain") for line in lines]
    assert drop(sessions[form])[1:] == sessions["plain"][1:]
    seen = [line for line in sessions["plain"] if "SEEN" in line]
    assert seen[0].endswith("['item', 'items', 'limit', 'small']") and len(seen) == 4


def test_the_generated_text_can_be_stepped_through(folder):
    (folder / "main_text.py").write_text(
        "import autograph, program, pdb\nfunction = autograph.to_graph(program.helper, generated_lines=True)\n"
        "pdb.run('function(5)', {'function': function})\n",
        encoding="utf-8",
    )
    out = run(folder, "main_text.py", typed="step\nstep\nnext\nnext\nstep\nlist\ncontinue\n")
    assert (
        "<autograph helper 1>" in out
        and "-> def if_body():" in out
        and "ag__.if_stmt(x > 3, if_body, else_body)" in out
    )


def test_tracing_functions_see_the_same_events(folder):
    (folder / "events.py").write_text(
        "import sys, autograph, program\n"
        "def events(function):\n"
        "    found = []\n"
        "    def trace(frame, event, argument):\n"
        "        if frame.f_code.co_filename != program.__file__:\n"
        "            return None\n"
        "        found.append((frame.f_code.co_name, event, frame.f_lineno))\n"
        "        return trace\n"
        "    sys.settrace(trace)\n"
        "    function([1, None, 2, 3, 4, 9, 1], 4)\n"
        "    sys.settrace(None)\n"
        "    return found\n"
        "plain = events(program.classify)\n"
        "assert len(plain) > 20\n"
        "for form in (autograph.to_graph, autograph.convert):\n"
        "    found = events(form(program.classify))\n"
        "    assert found == plain, [(a, b) for a, b in zip(found, plain) if a != b]\n",
        encoding="utf-8",
    )
    run(folder, "events.py")
