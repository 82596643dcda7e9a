"""The playground: what its Python makes of a text, what its build writes, and the page itself in a browser."""

import base64
import doctest
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
import zipfile
import zlib
from pathlib import Path

import pytest

from docs.playground import __main__ as build, session
from tests.browser import browser
from tests.documents import ROOT

PAGE = ROOT / "docs" / "playground" / "page"
COLLATZ = """\
def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps
"""
EXAMPLES = re.findall(r'name: "(\w+)", title: "(.*?)", code: `(.*?)`', (PAGE / "examples.js").read_text(), re.S)
EXAMPLES = {name: code.replace("\\n", "\n") for name, _, code in EXAMPLES}


def test_what_runs_in_the_browser_does_what_it_says():
    assert doctest.testmod(session).failed == 0


def test_a_text_is_converted():
    made = session.convert(COLLATZ)
    assert "ag__.while_stmt(loop_test, loop_body, ('n', 'steps'))" in made["converted"]
    assert made["marks"] == [{"line": 3, "stages": True, "note": "can stage"}]
    assert made["error"] is None


def test_what_stays_python_says_why():
    made = session.convert("def f(n):\n    while n:\n        yield n\n")
    assert [(mark["line"], mark["stages"]) for mark in made["marks"]] == [(2, False)]
    assert "AG201" in made["marks"][0]["note"]


def test_the_last_expression_is_looked_at():
    made = session.run(COLLATZ + "collatz(97)\n")
    assert (made["call"], made["result"], made["error"]) == ("collatz(97)", "118", None)
    assert "while n_1 != 1:" in made["graph"] and made["inputs"] == "n: int64()"
    assert "118" in made["traced"]


def test_a_call_may_be_given_or_stand_in_print():
    made = session.run(COLLATZ + "collatz(97)\n", "collatz(6)")
    assert (made["call"], made["result"], made["output"]) == ("collatz(6)", "8", "")
    made = session.run(COLLATZ + "print(collatz(97))\n")
    assert (made["call"], made["result"], made["output"]) == ("collatz(97)", "", "118\n")
    assert "while" in made["graph"]


def test_what_is_printed_while_tracing_stands_apart():
    text = "import runtime\n\n\ndef f(x):\n    print('Python')\n    runtime.print('graph', x)\n    return x\n\n\nf(1)\n"
    made = session.run(text)
    assert made["output"].splitlines() == ["Python", "graph 1"]
    assert made["printed"].splitlines() == ["Python", "graph 1"]


@pytest.mark.parametrize(
    "call, numbers, inputs",
    [
        ("f(2)", True, "x: int64()"),
        ("f(2.0)", True, "x: float64()"),
        ("f(x=True)", True, "x: bool()"),
        ("f([1.0, 2.0])", True, "x: float64(2,)"),
        ("f([[1, 2], [3, 4]])", True, "x: int64(2, 2)"),
        ("f('a')", True, ""),
        ("f(2)", False, ""),
        ("f(*[3])", True, "x: int64()"),
    ],
)
def test_numbers_are_inputs_where_that_is_wanted(call, numbers, inputs):
    made = session.run("def f(x):\n    return x\n", call, numbers)
    assert made["error"] is None
    assert made["inputs"] == inputs


@pytest.mark.parametrize(
    "text, call, note",
    [
        ("x = 1\n", "", "Write a call in the line below the code, or end the code with one, to see its graph."),
        ("x = 1\nx\n", "", "x is no call, and has no graph."),
        ("x = 1\n", "max(x, 2)", "max is no function of this code, and has no graph."),
        ("class A: pass\n", "A()", "A is no function of this code, and has no graph."),
    ],
)
def test_what_has_no_graph_says_so(text, call, note):
    assert (made := session.run(text, call))["note"] == note and not made["graph"] and not made["error"]


@pytest.mark.parametrize(
    "text, call, message, line",
    [
        ("x = 1\ny = (\n", "", "SyntaxError: '(' was never closed", 2),
        ("def f(x):\n    return x / 0\n\nf(1)\n", "", "ZeroDivisionError: division by zero", 2),
        ("def f(x):\n    return x\n", "f(y)", "NameError: name 'y' is not defined", None),
        ("def f(x):\n    return x\n", "f(", "SyntaxError: '(' was never closed", None),
        ("raise SystemExit(3)\n", "", "SystemExit: 3", 1),
        ("while True:\n    print('line')\n", "", "docs.playground.session.OutputError: more than 50,000 characters", 2),
    ],
)
def test_errors_are_shown_at_their_line(text, call, message, line):
    error = session.run(text, call)["error"]
    assert error["message"].startswith(message) and error["line"] == line
    assert "session.py" not in error["details"]


def test_an_error_while_tracing_leaves_what_python_gave():
    text = "import numpy as np\n\n\ndef f(x):\n    if x > 0:\n        y = 'a'\n    else:\n        y = x\n    return y\n"
    made = session.run(text, "f(1)")
    assert made["result"] == "'a'" and not made["traced"]
    assert made["error"]["line"] in range(5, 10)


def test_a_call_is_explored():
    page = session.explored(COLLATZ, "collatz(n=97)")
    assert page.startswith("<!DOCTYPE html>") and '"inputs":["n: int64()"]' in page
    made = json.loads(session.explored_json("def f(x):\n    return x + y\n", "f(1)", True))
    assert made["html"].startswith("<!DOCTYPE html>")  # it says what is wrong
    made = json.loads(session.explored_json("1 / 0\n", "f(1)", True))
    assert made["error"]["line"] == 1


def test_without_numpy_there_is_no_graph(monkeypatch):
    monkeypatch.setattr(session, "find_spec", lambda name: None)
    made = session.run(COLLATZ, "collatz(97)")
    assert (made["result"], made["graph"], made["error"]) == ("118", "", None)
    assert made["note"] == "NumPy is not there, and without it there are no graphs."


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_converted_traced_and_run(name):
    text = EXAMPLES[name]
    assert "ag__" in session.convert(text)["converted"]
    made = session.run(text)
    assert made["error"] is None and made["result"] and made["graph"] and made["traced"]


def test_what_fails_ends_the_build():
    with pytest.raises(SystemExit, match="pip .* failed"):
        build.pip("no-such-command")


def test_the_page_names_only_files_that_are_there():
    for path in PAGE.iterdir():
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r'(?:from |src=|href=|Worker\()"(?:\./)?([\w-]+\.\w+)"', text):
            assert (PAGE / name).exists(), f"{path.name} names {name}"


# The page itself: it needs Pyodide's files (`npm pack pyodide`, unpacked) and Chromium.

PYODIDE = os.environ.get("AUTOGRAPH_PYODIDE", "")
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
with_a_browser = pytest.mark.skipif(
    not (PYODIDE and CHROMIUM),
    reason="needs AUTOGRAPH_PYODIDE, a folder with Pyodide's files, and chromium on the PATH",
)


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    """The playground on a server that has Pyodide's files, too."""
    folder = tmp_path_factory.mktemp("site")
    build.write(folder / "playground")
    (folder / "pyodide").symlink_to(Path(PYODIDE).resolve())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "http.server", str(port), "--bind", "127.0.0.1", "--directory", str(folder)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        home = f"http://127.0.0.1:{port}/playground/"
        for _ in range(100):
            try:
                urllib.request.urlopen(home).close()
                break
            except OSError:
                time.sleep(0.1)
        wheels = sorted((folder / "playground" / "wheels").iterdir())
        assert [wheel.name.partition("-")[0] for wheel in wheels] == ["astunparse", "autograph_python", "gast", "six"]
        names = zipfile.ZipFile(wheels[1]).namelist()
        assert "runtime/explorer/page.html" in names and not any("tests" in name for name in names)
        yield f"{home}?pyodide=/pyodide/"
    finally:
        server.terminate()
        server.wait(30)


@pytest.fixture(scope="module")
def page(address):
    with browser(CHROMIUM) as made:
        made.open(address)
        made.until("document.getElementById('answers').innerText")
        yield made


def shown(page, name):
    return page.run(f"document.getElementById('{name}').innerText")


def type_in(page, text, name="code"):
    page.run(f"(() => {{ const e = document.getElementById('{name}'); e.focus(); e.select(); }})()")
    page.send("Input.insertText", text=text)


@with_a_browser
def test_an_example_is_converted_and_run(page):
    assert "ag__.while_stmt(" in shown(page, "converted")
    assert "118" in shown(page, "answers")


@with_a_browser
def test_typing_converts_and_the_address_keeps_it(page, address):
    type_in(page, "def double(x):\n    if x > 5:\n        x = 2 * x\n    return x\n\n\ndouble(21)\n")
    page.until("document.getElementById('answers').innerText.includes('42')")
    assert "ag__.if_stmt(" in shown(page, "converted")
    held = page.run("location.hash").removeprefix("#code=")
    state = json.loads(zlib.decompress(base64.urlsafe_b64decode(held + "=" * (-len(held) % 4)), wbits=-15))
    assert state["code"].startswith("def double") and state["numbers"] is True
    link = page.run("location.href")
    page.run("sessionStorage.clear()")
    page.open("about:blank")
    page.open(link)
    page.until("document.getElementById('converted').innerText.includes('ag__.if_stmt(')")
    assert "Read it, then press Run" in shown(page, "notice")
    page.until("document.getElementById('status').innerText.startsWith('Python 3')")
    assert not shown(page, "answers")  # of others' code, nothing runs by itself
    page.run("document.getElementById('run').click()")
    page.until("document.getElementById('answers').innerText.includes('42')")


@with_a_browser
def test_an_error_leads_to_its_line(page):
    type_in(page, "def f(x):\n    return x +\n")
    page.until("document.getElementById('error').innerText.includes('SyntaxError')")
    assert page.run("document.querySelector('#paint .wrong').innerText").strip() == "return x +"
    page.run("document.querySelector('#error button').click()")
    assert page.run("getSelection().toString() || document.activeElement.id") in ("code", "    return x +")


@with_a_browser
def test_keys_indent_and_leave(page):
    type_in(page, "if x:")
    page.press("Enter", 13, text="\r")
    page.send("Input.insertText", text="y = 1")
    assert page.run("document.getElementById('code').value") == "if x:\n    y = 1"
    page.press("Tab", 9, modifiers=8)
    assert page.run("document.getElementById('code').value") == "if x:\ny = 1"
    page.press("Home", 36)
    page.press("Tab", 9)
    assert page.run("document.getElementById('code').value") == "if x:\n    y = 1"
    page.press("Escape", 27)
    page.press("Tab", 9)
    assert page.run("document.activeElement.id") == "call"


@with_a_browser
def test_the_line_of_the_cursor_says_what_becomes_of_it(page):
    type_in(page, "def f(n):\n    while n:\n        yield n\n")
    page.until("document.getElementById('verdict').innerText.includes('1 stays Python')")
    page.press("ArrowUp", 38)
    assert "1 stays Python" in shown(page, "verdict")
    page.press("ArrowUp", 38)
    page.until("document.getElementById('verdict').innerText.includes('AG201')")


@with_a_browser
def test_what_runs_for_ever_is_stopped(page):
    type_in(page, "while True:\n    pass\n")
    page.until("document.getElementById('stop').classList.contains('needed')")
    page.run("document.getElementById('stop').click()")
    page.until("document.getElementById('status').innerText.startsWith('Python 3')")
    assert "Stopped" in shown(page, "notice")
    type_in(page, "6 * 7\n")
    page.until("document.getElementById('answers').innerText.includes('42')")


@with_a_browser
@pytest.mark.parametrize(
    "text", ["def f(n):\n    return f(n + 1)\n\n\nf(1)\n", "x = " + "(" * 150 + "1" + ")" * 150 + "\nx\n"]
)
def test_what_goes_too_deep_leaves_the_page_alive(page, text):
    type_in(page, text)
    page.until("['error', 'notice', 'answers'].some((id) => document.getElementById(id).innerText)")
    type_in(page, "6 * 8\n")
    page.until("document.getElementById('answers').innerText.includes('48')")


@with_a_browser
def test_pyodide_does_not_come_from_anywhere(page, address):
    page.open("about:blank")
    page.open(address.partition("?")[0] + "?pyodide=https://example.org/")
    page.until("document.getElementById('notice').innerText.includes('not from https://example.org')")
