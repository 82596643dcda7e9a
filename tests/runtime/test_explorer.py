"""The explorer's page: what it holds for a function, and what a browser makes of it."""

import concurrent.futures
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime as tf
from autograph.commands import main
from autograph.origins import origins
from runtime.__main__ import main as runtime_main
from runtime.executors import EXECUTORS
from runtime.explorer.colours import coloured
from runtime.explorer.exploration import Exploration
from runtime.explorer.loading import function_in
from runtime.explorer.server import server
from tests.programs import load

FLOAT = tf.TensorSpec([], tf.float32)


def half(x):
    return x * 0.5


def newton(x, limit=1e-6):
    guess = x
    for k in range(2):
        guess = guess + 0.01 * k
    while True:
        error = guess * guess - x
        if abs(error) < limit:
            break
        if error > 10.0:
            guess = half(guess)
        else:
            guess = (guess + x / guess) / 2
    return guess


def sources(page):
    """By text, the lines of the source, without what stands around them."""
    return {text(line).strip(): line for part in page.source for line in part.lines}


def text(line):
    return "".join(piece for _, piece in line.pieces)


def lines_of(lines, key):
    return [text(line).strip() for line in lines if key in line.keys]


def boxes(box):
    yield box
    for inner in box.boxes:
        yield from boxes(inner)


@pytest.fixture(scope="module")
def page():
    return tf.explore(newton, FLOAT).page


def test_lines_of_all_columns_are_linked_by_the_users_line(page):
    (key,) = sources(page)["guess = (guess + x / guess) / 2"].keys
    assert lines_of(page.converted[0].lines, key) == ["guess = (guess + x / guess) / 2"]
    assert lines_of(page.graph, key) == ["guess_2 = (guess + x / guess) / 2.0"]
    assert {b.label for b in boxes(page.drawings[0]) if key in b.keys} == {"x / guess", "guess + divide", "add / 2.0"}


def test_functions_that_are_called_have_sections_of_their_own(page):
    assert [part.title for part in page.source] == ["newton", "half"]
    assert [part.title for part in page.converted] == ["newton", "half"]
    (key,) = sources(page)["return x * 0.5"].keys
    assert lines_of(page.graph, key) == ["guess_2 = guess * 0.5"]


@pytest.mark.parametrize(
    "line, mark, why",
    [
        ("for k in range(2):", "unrolled", "AG302"), ("while True:", "staged", "graph"),
        ("if error > 10.0:", "staged", "graph"), ("error = guess * guess - x", "graph", "2 operations"),
        ("guess = x", "", ""),
    ],
)  # fmt: skip
def test_each_statement_has_a_mark(page, line, mark, why):
    found = sources(page)[line]
    assert found.mark == mark
    assert why in found.note


def test_marks_of_what_python_decides():
    def f(x, n):
        if n == 1:
            x = x + 1
        while n > 0:
            n -= 1
        for item in [1, 2]:
            if x > 100:
                break
            x = x * item
        assert x > 0
        return x

    def waits(x):
        for i in range(3):
            yield x

    marks = sources(tf.explore(f, tf.TensorSpec([], tf.int32), 1).page)
    assert {line: marks[line].mark for line in marks if marks[line].mark not in ("", "graph")} == {
        "if n == 1:": "decided", "while n > 0:": "unrolled", "for item in [1, 2]:": "unrolled", "if x > 100:": "staged",
        "assert x > 0": "staged",
    }  # fmt: skip
    found = sources(tf.explore(waits, FLOAT).page)["for i in range(3):"]
    assert (found.mark, "AG201" in found.note) == ("python", True)
    assert sources(tf.explore(f).page)["if n == 1:"].mark == "can"


def test_stages_are_the_passes_that_change_the_graph():
    def f(x, n):
        unused = x - 3
        for i in range(n):
            x = x * 2 + x * 2
        return x

    page = tf.explore(f, FLOAT, tf.TensorSpec([], tf.int32)).page
    names = [stage.name for stage in page.stages]
    assert names[0] == "trace" and {"common_subexpressions", "dead_code"} <= {*names}
    assert page.stages[-1].nodes < page.stages[0].nodes
    assert not any(line.change for line in page.stages[0].lines)
    for before, after in zip(page.stages, page.stages[1:]):
        kept = [text(line) for line in before.lines if line.change != "-"]
        assert len([line for line in after.lines if line.change != "+"]) == len(kept)
        assert {text(line) for line in after.lines if line.change in ("", "-")} <= {*kept}
        assert any(line.change for line in after.lines)
    assert [text(line) for line in page.stages[-1].lines if line.change != "-"] == [*map(text, page.graph)]


def test_the_graph_that_is_shown_is_the_one_that_runs(page):
    graph = tf.function(newton).get_concrete_function(FLOAT).graph
    assert [*map(text, page.graph)] == str(graph).rstrip("\n").split("\n")


def test_what_runs_natively_and_why_the_rest_does_not():
    pytest.importorskip("llvmlite")

    def f(x):
        while x > 1:
            x = x / 2
        tf.print("done")
        return x

    machine = tf.explore(f, FLOAT).page.machine
    (region,) = machine.regions
    (key,) = sources(tf.explore(f, FLOAT).page)["x = x / 2"].keys
    assert [operation.label for operation in region.operations if key in operation.keys] == ["divide"]
    assert {"while", "divide", "greater", "print"} == {operation.label for operation in region.operations}
    assert "define i32 @core" in region.llvm and not machine.left
    assert "NumPy runs it all" in tf.explore(lambda x: x + 1, FLOAT).page.machine.note
    assert "jit_compile=False" in tf.explore(tf.function(f, jit_compile=False), FLOAT).page.machine.note

    def calls(x):
        y = tf.py_function(np.sqrt, [x], tf.float32)
        while x > 1:
            x = x / 2
        return x, y

    (left,) = tf.explore(calls, FLOAT).page.machine.left
    assert (left.reason, left.operations[0].label) == (
        "'py_function' has no native form: it calls Python",
        "py_function",
    )
    refused = tf.explore(tf.function(lambda x: tf.strings.length(x), jit_compile="native"), tf.constant("a")).page
    assert refused.machine.note == "" or "compile" in refused.machine.note


def test_times_are_taken_with_arguments_and_not_with_types():
    page = tf.explore(half, np.ones(3), times=True).page
    assert [timing.form for timing in page.timings] == ["plain Python", "converted", "graph, numpy", "graph, native"]
    assert page.timings[0].seconds > 0
    assert (page.inputs, page.outputs) == (["x: float64(3,)"], ["float64(3,)"])
    assert not tf.explore(half, FLOAT, times=True).page.timings
    unasked = tf.explore(half, np.ones(3)).page
    assert not unasked.timings and "times=True" in unasked.timing_note

    variable = tf.Variable(1.0)

    def counts(x):
        variable.assign_add(x)
        return variable * 2

    page = tf.explore(counts, tf.constant(1.0), times=True).page
    assert page.timings == [] and "Not timed" in page.timing_note
    assert variable.numpy() == 1.0

    def wrong(x):
        assert x > 5
        return x

    page = tf.explore(wrong, tf.constant(1.0), times=True).page
    assert {timing.seconds for timing in page.timings} == {None}
    assert page.timings[0].note.startswith("AssertionError")


@pytest.mark.parametrize("make", [lambda f: f, tf.function])
def test_a_function_that_cannot_be_traced_has_a_page_that_says_why(make):
    def f(x):
        y = x * 2
        return tf.matmul(y, y)

    page = tf.explore(make(f), tf.TensorSpec([2, 3], tf.float32)).page
    assert "3 columns" in page.error.message or "matmul" in page.error.message
    assert page.error.keys == sources(page)["return tf.matmul(y, y)"].keys
    assert page.converted and not page.graph and page.machine is None


def test_methods_lambdas_and_functions_without_source():
    class Model:
        @tf.function
        def step(self, x):
            return x if x > 0 else -x

    model = Model()
    page = tf.explore(model.step, FLOAT).page
    assert lines_of(page.converted[0].lines, sources(page)["return x if x > 0 else -x"].keys[0])
    page = tf.explore(lambda x: -x if x > 0 else x, FLOAT).page
    assert next(iter(sources(page).values())).mark == "graph"
    space = {}
    exec("def f(x):\n    return x + 1", space)
    page = tf.explore(space["f"], FLOAT).page
    assert page.error is None and not page.source and page.graph
    for entity, kind in [(len, autograph.SourceNotFoundError), (Model, TypeError), (3, TypeError)]:
        with pytest.raises(kind):
            tf.explore(entity)


def test_functions_that_call_themselves_are_drawn_beside():
    def fact(n):
        if n <= 1:
            return 1
        return n * fact(n - 1)

    page = tf.explore(fact, tf.TensorSpec([], tf.int32)).page
    assert len(page.drawings) == 2
    assert any("fact(" in box.label for box in boxes(page.drawings[1]))


def test_an_operation_is_labelled_as_it_is_printed():
    (picture,) = tf.explore(lambda x: tf.cast(x, tf.int32) + 1, FLOAT).page.drawings
    assert [box.label for box in picture.boxes] == ["x", "np.int32(x)", "cast + 1", "add"]
    (picture,) = tf.explore(lambda x: tf.py_function(half, [x], tf.float32), FLOAT).page.drawings
    assert "function=half" in picture.boxes[1].title


def test_long_labels_are_shortened_to_what_there_is_room_for():
    names = ["v" * count for count in range(20, 60)]
    text = f"def f({', '.join(names)}):\n    return {', '.join(f'np.exp({name})' for name in names)}\n"
    (picture,) = tf.explore(load(text, np=np), *[FLOAT] * len(names)).page.drawings
    shown = {box.label for box in picture.boxes if box.label.startswith("np.exp")}
    most = max(map(len, shown))
    whole = [f"np.exp({name})" for name in names]
    assert shown == {label if len(label) <= most else label[: most - 1] + "…" for label in whole}
    assert 20 < most < 90


def test_boxes_do_not_overlap(page):
    for around in boxes(page.drawings[0]):
        for number, box in enumerate(around.boxes):
            assert box.x >= 0 and box.x + box.width <= around.width + 0.1
            assert box.y >= 0 and box.y + box.height <= around.height + 0.1
            for other in around.boxes[:number]:
                beside = box.x >= other.x + other.width or other.x >= box.x + box.width
                assert beside or box.y >= other.y + other.height or other.y >= box.y + box.height


def test_large_graphs_are_drawn_in_part():
    def many(x, n):
        while x > 1:
            for i in tuple(range(n)):
                x = x * 0.5 + i
        return x

    def long(x):
        for i in tuple(range(160)):
            x = x * 0.5 + i
        return x

    page = tf.explore(many, FLOAT, 160).page
    assert "without what is inside" in page.drawing_note
    (loop,) = [box for box in page.drawings[0].boxes if box.label.startswith("while")]
    assert not loop.boxes and "inside" in loop.detail
    page = tf.explore(long, FLOAT).page
    assert page.drawings == [] and "is not drawn" in page.drawing_note
    assert f"{page.nodes} operations" in page.drawing_note


def test_branches_deep_in_one_another_have_a_page(tmp_path):
    arms = "".join(f"    elif x > -{i}:\n        y = x * {i}\n" for i in range(1, 60))
    path = tmp_path / "deep.py"
    path.write_text(f"def f(x):\n    if x > 0:\n        y = x\n{arms}    else:\n        y = x\n    return y\n")
    shown = tf.explore(function_in(f"{path}:f"), FLOAT)
    assert "without what is inside" in shown.page.drawing_note
    assert json.loads(shown.page.json())["error"] is None


def test_names_with_other_numbers_are_no_change():
    def f(x):
        gone = x * 2
        first = x + gone * 0
        return x * 3 + x * 3 + first

    page = tf.explore(f, tf.TensorSpec([2], tf.int32)).page
    changes = {line.change for stage in page.stages for line in stage.lines}
    assert {"+", "-"} <= changes <= {"", "+", "-", "~"}


def outer(k):
    def beside(x):
        return x + len(k)

    def f(x):
        # a comment
        if x > 0:
            return beside(x)
        for i in range(x):
            if i > 3:
                break
        return x

    return f


class Shape:
    @property
    def size(self):
        while self.n > 1:
            self.n -= 1
        return self.n


@pytest.mark.parametrize("function", [outer(object()), outer("abc"), newton, Shape.size])
def test_printed_lines_know_the_users(function):
    printed = autograph.to_code(function).split("\n")
    found = origins(function, "\n".join(printed))
    mine = Path(__file__).read_text(encoding="utf-8").split("\n")
    own = [n for n, line in enumerate(printed, 1) if re.match(r" *(return \w+|\w+ = .*error.*|self.*)$", line)]
    known = [n for n in own if n in found and mine[found[n] - 1].strip() == printed[n - 1].strip()]
    assert known
    assert {printed[n - 1].strip() for n in own if n in found and n not in known} <= {"return self.n"}
    assert all(mine[line - 1].strip() for line in found.values())
    assert not any(n in found for n, line in enumerate(printed, 1) if line.startswith(("import", "from")))


def test_strings_of_the_user_stay_text():
    def f(x):
        tf.print("</script><script>document.title = 'taken'</script>\u2028", x)
        return x

    shown = tf.explore(f, FLOAT)
    assert shown.html.count("</script>") == 2
    inside = re.search(r'id="data">(.*?)</script>', shown.html, re.S)[1]
    assert json.loads(inside)["name"] == "f" and "<" not in inside and "\u2028" not in inside
    assert "<script" not in re.search(r'srcdoc="([^"]*)"', shown._repr_html_())[1]


def test_colours_are_there_with_pygments_only(monkeypatch):
    source = 'def f():\n    return """a\nb"""  # c\n'
    pytest.importorskip("pygments")
    assert coloured(source)[0][0] == ("keyword", "def")
    assert ["".join(piece for _, piece in line) for line in coloured(source)] == source.split("\n")[:-1]
    monkeypatch.setitem(sys.modules, "pygments.lexers", None)
    assert coloured(source) == [[("", line)] for line in source.split("\n")[:-1]]
    assert "return x * 0.5" in tf.explore(half, FLOAT).html


def test_without_llvmlite_the_page_says_so(monkeypatch):
    monkeypatch.setitem(vars(EXECUTORS["native"]), "is_there", False)
    page = tf.explore(newton, tf.constant(2.0), times=True).page
    assert page.machine.note == "NumPy runs it all: llvmlite is not installed."
    assert page.timings[-1].seconds is None and "llvmlite" in page.timings[-1].note


MODEL = """\
import runtime as tf

def f(x):
    while x > 1:
        x = x / 2
    return x

class Model:
    def step(self, x):
        return x
"""


@pytest.fixture
def model(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "model.py"
    path.write_text(MODEL)
    return path


def test_the_command_writes_a_page(model):
    for scalar in ("float32[]", "float32"):
        assert runtime_main(["explore", "model.py:f", scalar, "-o", "page.html"]) == 0
        assert '"inputs":["x: float32()"]' in model.with_name("page.html").read_text()
    assert runtime_main(["explore", "model.py:Model.step", "1", "2", "-o", "page.html"]) == 0


@pytest.mark.parametrize(
    "arguments, message",
    [
        (["model.py:g", "-o", "o"], "model.py defines no 'g'"), (["no.py:f", "-o", "o"], "no such file"),
        (["model.py", "-o", "o"], "write FILE:NAME"), (["model.py:f", "float32[", "-o", "o"], "neither a type"),
        (["model.py:f", "float32[]", "-o", "no/o"], "no/o: No such file"), (["model.py:f", "--serve", "99999"], "port"),
        (["bad.py:f", "-o", "o"], "ZeroDivisionError"), (["no.py:f", "--serve"], "no such file"),
        (["model.py:f", "-o", "o", "float32[", "1"], "neither a type"),
    ],
)  # fmt: skip
def test_the_command_says_what_is_wrong(model, capsys, arguments, message):
    model.with_name("bad.py").write_text("1 / 0\n")
    assert runtime_main(["explore", *arguments]) == 2
    assert message in capsys.readouterr().err
    assert not model.with_name("o").exists()


def test_autograph_finds_commands_of_installed_packages(model, monkeypatch, capsys):
    info = model.with_name("other-1.0.dist-info")
    info.mkdir()
    info.joinpath("METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    info.joinpath("entry_points.txt").write_text(
        "[autograph.commands]\nwander = runtime.explorer.command:main\nmissing = nowhere_at_all:main\n"
    )
    monkeypatch.syspath_prepend(str(model.parent))
    assert main(["wander", "model.py:f", "float32[]", "-o", "page.html"]) == 0
    assert model.with_name("page.html").exists()
    assert main(["missing"]) == 2
    assert "nowhere_at_all" in capsys.readouterr().err
    assert main(["unknown"]) == 2  # no such file


def test_the_server_shows_each_edit(model):
    def get(path="/"):
        with urllib.request.urlopen(f"http://127.0.0.1:{made.server_port}{path}", timeout=20) as reply:
            return reply.read().decode()

    with server(lambda: tf.explore(function_in("model.py:f"), FLOAT), "model.py:f", 0) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            assert "2.0" in get()
            model.write_text(MODEL.replace("x / 2", "x / 30000"))
            assert "30000" in get()
            model.write_text(MODEL + "1 / 0\n")
            assert "ZeroDivisionError" in get() and "runpy" not in get()
            model.write_text("")
            assert "defines no" in get()
            with pytest.raises(urllib.error.HTTPError) as refused:
                get("/model.py")
            refused.value.close()
        finally:
            made.shutdown()
            thread.join()


def test_what_stands_beside_a_file_can_be_imported_and_is_read_again(model, monkeypatch, tmp_path):
    model.with_name("beside_it.py").write_text("def part(x):\n    return x * 3\n")
    model.write_text("from beside_it import part\n\n\ndef f(x):\n    return part(x) + 1\n")
    monkeypatch.chdir("/")
    before = [*sys.path]
    assert "x * 3.0" in tf.explore(function_in(f"{model}:f"), FLOAT).html
    model.with_name("beside_it.py").write_text("def part(x):\n    return x * 40 - 2\n")
    assert "x * 40.0" in tf.explore(function_in(f"{model}:f"), FLOAT).html
    assert sys.path == before


def test_the_server_answers_pages_of_this_machine_alone_and_one_after_the_other(model):
    model.write_text("import time\nfrom dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    a: int = 1\n\n\n"
                     "time.sleep(0.05)\n\n\ndef f(x):\n    return x + P().a\n")  # fmt: skip

    def get(host):
        asked = urllib.request.Request(f"http://127.0.0.1:{made.server_port}/?again", headers={"Host": host})
        with urllib.request.urlopen(asked, timeout=60) as reply:
            return reply.read().decode()

    with server(lambda: tf.explore(function_in("model.py:f"), FLOAT), "model.py:f", 0) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        try:
            with concurrent.futures.ThreadPoolExecutor(6) as pool:
                pages = [*pool.map(get, [f"localhost:{made.server_port}"] * 6)]
            assert all("x + 1.0" in page for page in pages)
            with pytest.raises(urllib.error.HTTPError) as refused:
                get("example.com")
            assert refused.value.code == 403
            refused.value.close()
        finally:
            made.shutdown()
            thread.join()


def test_a_text_that_no_encoding_has(model):
    def f(x):
        raise ValueError("a\ud800b</script>")

    shown = tf.explore(f, FLOAT)
    shown.save(model.with_name("page.html"))
    assert "</script>b" not in shown.html and "ud800" in shown.html


def test_a_function_is_not_called_unless_times_are_asked_for():
    called = []

    def f(x):
        called.append(x)
        return x * 2

    tf.explore(f, np.float32(1))
    assert all(isinstance(x, tf.Tensor) for x in called), "while tracing"
    tf.explore(f, np.float32(1), times=True)
    assert any(not isinstance(x, tf.Tensor) for x in called)


def test_the_command_serves_until_it_is_interrupted(model):
    root = str(Path(tf.__file__).parents[1])
    program = (  # whoever started the tests may have had Ctrl-C ignored, which processes inherit
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from runtime.__main__ import main; sys.exit(main(['explore', 'model.py:f', 'float32[]', '--serve']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": root}
    ) as process:
        try:
            url = process.stdout.readline().split()[0]
            with urllib.request.urlopen(url, timeout=60) as reply:
                assert reply.read().startswith(b"<!DOCTYPE html>")
            process.send_signal(signal.SIGINT)
            assert process.wait(60) == 0
        finally:
            process.kill()


BROWSER = shutil.which("chromium")


def rendered(tmp_path, html):
    """What a browser makes of a page."""
    path = tmp_path / "page.html"
    path.write_text(html, encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile", "--dump-dom"]
    done = subprocess.run(
        [BROWSER, *options, "--virtual-time-budget=5000", path.as_uri()], capture_output=True, timeout=60
    )
    return done.stdout.decode()


@pytest.mark.skipif(BROWSER is None, reason="no chromium")
def test_a_browser_shows_the_page_and_links_its_lines(tmp_path):
    shown = tf.explore(newton, FLOAT)
    (key,) = sources(shown.page)["if error > 10.0:"].keys
    script = f"""<script>
    const found = document.querySelector('.line[data-k="{key}"]');
    found.click();
    const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", {{ key }}));
    press("6");
    press("ArrowDown");
    </script>"""
    dom = rendered(tmp_path, shown.html.replace("</body>", f"{script}</body>"))
    assert dom.count('class="column"') == 6
    pinned = re.findall(r'<(\w+)[^>]*class="([^"]*pinned[^"]*)"', dom)
    expected = {"div", "g", "span"} if shown.page.machine.regions else {"div", "g"}
    assert {tag for tag, _ in pinned} == expected  # lines, the drawing, machine code
    assert 'role="status">line' in dom
    plain = re.sub("<[^>]*>", "", dom.split("<main")[1].split("</main>")[0])
    for line in (*shown.page.graph, *shown.page.converted[0].lines):
        assert text(line).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") in plain


@pytest.mark.skipif(BROWSER is None, reason="no chromium")
def test_a_browser_shows_an_error_and_hostile_text(tmp_path):
    def f(x):
        title = "</script><img src=x onerror=document.title='taken'>"
        return tf.matmul(x, title)

    dom = rendered(tmp_path, tf.explore(f, FLOAT).html)
    assert "<title>f</title>" in dom and "<img" not in dom.split("<main")[1].split("</main>")[0]
    assert 'class="line wrong"' in dom and 'id="error"' in dom


def test_an_exploration_names_its_function(page):
    assert repr(Exploration(page)) == "<Exploration of newton>"
