"""Event files, read back with TensorBoard's own reader, and shown by TensorBoard itself."""

import io
import json
import pstats
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import wave

import numpy as np
import pytest

import runtime as tf
from runtime.summary import files

pytest.importorskip("tensorboard")

from tensorboard.backend.event_processing.event_file_loader import RawEventFileLoader  # noqa: E402
from tensorboard.compat.proto import config_pb2, event_pb2, graph_pb2  # noqa: E402
from tensorboard.util import tensor_util  # noqa: E402

RUNS = {"eager": lambda f: f, "graph": tf.function, "numpy": tf.function(jit_compile=False)}


@pytest.fixture
def writer(tmp_path):
    writer = tf.summary.create_file_writer(tmp_path / "logs")
    yield writer
    writer.close()
    tf.summary.experimental.set_step(None)
    tf.summary.trace_off()


def events(tmp_path):
    (path,) = (tmp_path / "logs").iterdir()
    assert path.name.startswith("events.out.tfevents.") and path.name.endswith(".v2")
    found = [event_pb2.Event.FromString(data) for data in RawEventFileLoader(str(path)).Load()]
    assert found[0].file_version == "brain.Event:2"
    return found[1:]


def written(tmp_path):
    """The tag, the step, the plugin and the array of each summary, in order."""
    return [
        (value.tag, event.step, value.metadata.plugin_data.plugin_name, tensor_util.make_ndarray(value.tensor))
        for event in events(tmp_path)
        for value in event.summary.value
    ]


def numbers(tmp_path):
    return [(tag, step, float(array)) for tag, step, _, array in written(tmp_path)]


@pytest.mark.parametrize("how", RUNS.values(), ids=RUNS)
def test_in_the_order_of_the_program(writer, tmp_path, how, capfd):
    v = tf.Variable(0.0)

    @how
    def steps(n):
        i = 0
        while i < n:
            tf.summary.scalar("before", v, step=i)
            v.assign_add(1.5)
            if i % 2 == 0:
                tf.summary.scalar("even", v, step=i)
            tf.print("print", v)
            i = i + 1
        return tf.summary.scalar("after", v, step=i)

    with writer.as_default():
        assert bool(steps(tf.constant(3)))
    assert numbers(tmp_path) == [
        ("before", 0, 0.0), ("even", 0, 1.5), ("before", 1, 1.5), ("before", 2, 3.0), ("even", 2, 4.5),
        ("after", 3, 4.5),
    ]  # fmt: skip
    assert capfd.readouterr().err == "print 1.5\nprint 3\nprint 4.5\n"


@pytest.mark.parametrize("how", RUNS.values(), ids=RUNS)
def test_what_is_in_force_when_it_runs_counts(writer, tmp_path, how):
    f = how(lambda x: tf.summary.scalar("x", x))
    assert not f(tf.constant(1.0))  # no writer: traced all the same
    with writer.as_default():
        for step in (3, 4):
            tf.summary.experimental.set_step(step)
            assert f(tf.constant(2.0))
        with tf.summary.record_if(lambda: False):
            assert not f(tf.constant(3.0))
    assert numbers(tmp_path) == [("x", 3, 2.0), ("x", 4, 2.0)]


@pytest.mark.parametrize("how", RUNS.values(), ids=RUNS)
def test_what_a_function_sets_itself_is_its_own(writer, tmp_path, how):
    step = tf.Variable(10)

    @how
    def f(x):
        with writer.as_default(step=step):
            step.assign_add(1)
            with tf.summary.record_if(x > 0), tf.name_scope("scope"):
                result = tf.summary.scalar("x", x)
            tf.summary.flush()
        return result

    assert [bool(f(tf.constant(x))) for x in (1.0, -1.0, 2.0)] == [True, False, True]
    assert tf.summary.experimental.get_step() is None
    assert numbers(tmp_path) == [("scope/x", 11, 1.0), ("scope/x", 13, 2.0)]


def test_steps(writer, tmp_path):
    step = tf.Variable(5)
    with writer.as_default(step=1):
        tf.summary.scalar("a", 1)
        tf.summary.scalar("a", 2, step=np.int64(2))
        tf.summary.scalar("a", 3, step=tf.constant(3))
        tf.summary.experimental.set_step(step)
        step.assign(6)
        tf.summary.scalar("a", 4)
    assert [step for _, step, _ in numbers(tmp_path)] == [1, 2, 3, 6]
    with writer.as_default(), pytest.raises(ValueError, match="No step set"):
        tf.summary.scalar("a", 1)


KINDS = [
    ("scalars", lambda: tf.summary.scalar("x", np.float64(1.5), step=1), lambda a: a == 1.5 and a.dtype == np.float32),
    ("text", lambda: tf.summary.text("x", [["a", "ü"]], step=1), lambda a: a.tolist() == [[b"a", "ü".encode()]]),
    ("text", lambda: tf.summary.text("x", "one", step=1), lambda a: a.tolist() == b"one"),
    (
        "histograms",
        lambda: tf.summary.histogram("x", [[0.0, 1.0], [1.5, 4.0]], step=1, buckets=2),
        lambda a: a.tolist() == [[0, 2, 3], [2, 4, 1]],
    ),
    ("histograms", lambda: tf.summary.histogram("x", [1, 2, 3], step=1), lambda a: a.shape == (30, 3)),
    ("images", lambda: tf.summary.image("x", np.zeros((5, 2, 3, 1)), step=1), lambda a: a[:2].tolist() == [b"3", b"2"]),
    ("images", lambda: tf.summary.image("x", np.zeros((5, 2, 3, 3), np.uint8), 1, 2), lambda a: len(a) == 4),
    ("audio", lambda: tf.summary.audio("x", np.zeros((4, 9, 2)), 8000, step=1), lambda a: a.shape == (3, 2)),
    ("", lambda: tf.summary.write("x", [[1, 2]], step=1), lambda a: a.tolist() == [[1, 2]] and a.dtype == np.int32),
]


@pytest.mark.parametrize("number", range(len(KINDS)))
def test_kinds_of_summaries(writer, tmp_path, number):
    plugin, act, holds = KINDS[number]
    assert not act()  # there is no writer
    with writer.as_default():
        assert act() and tf.function(act)()
        with tf.summary.record_if(tf.constant(False)):
            assert not act() and not tf.function(act)()
    found = written(tmp_path)
    assert [(tag, step, kind) for tag, step, kind, _ in found] == [("x", 1, plugin)] * 2
    assert holds(found[0][3])
    np.testing.assert_array_equal(found[0][3], found[1][3])


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("dtype", ["uint8", "uint16", "float32", "float64", "bool"])
def test_pixels(writer, tmp_path, channels, dtype):
    images = pytest.importorskip("PIL.Image")
    rng = np.random.default_rng(channels)
    shown = rng.integers(0, 256, (1, 4, 5, channels), dtype=np.uint8)
    given = {"uint8": shown, "uint16": shown.astype(np.uint16) * 257, "bool": shown > 100}.get(
        dtype, (shown / 255).astype(dtype) if dtype.startswith("float") else None
    )
    with writer.as_default():
        tf.summary.image("x", given, step=0)
    ((*_, array),) = written(tmp_path)
    found = np.asarray(images.open(io.BytesIO(array[2]))).reshape(shown.shape)
    np.testing.assert_array_equal(found, (shown > 100) * np.uint8(255) if dtype == "bool" else shown)


def test_sounds(writer, tmp_path):
    with writer.as_default():
        tf.summary.audio("x", [[[0.0, 1.0], [-1.0, 0.5]]], 44100, step=0, encoding="wav", description="two samples")
    ((*_, array),) = written(tmp_path)
    file = wave.open(io.BytesIO(array[0, 0]))
    assert (file.getframerate(), file.getnchannels(), file.getnframes()) == (44100, 2, 2)
    assert np.frombuffer(file.readframes(2), "<i2").tolist() == [0, 32767, -32767, 16384]
    (event,) = events(tmp_path)
    assert event.summary.value[0].metadata.summary_description == "two samples"


BAD = [
    (lambda: tf.summary.scalar("a", [1.0], step=1), ValueError, "Expected scalar shape, saw shape"),
    (lambda: tf.summary.scalar("a", "x", step=1), TypeError, "writes numbers; 'a' is string"),
    (lambda: tf.summary.text("a", 3, step=1), TypeError, "tensor must be of type tf.string; got tf.int32"),
    (lambda: tf.summary.image("a", np.zeros((2, 2, 3)), step=1), ValueError, "rank 4"),
    (lambda: tf.summary.image("a", np.zeros((1, 2, 2, 5)), step=1), ValueError, "1 to 4 channels"),
    (lambda: tf.summary.image("a", np.zeros((1, 2, 2, 1)), step=1, max_outputs=0), ValueError, "must be 1 at least"),
    (lambda: tf.summary.histogram("a", ["x"], step=1), TypeError, "counts numbers; 'a' is string"),
    (lambda: tf.summary.histogram("a", [1.0], step=1, buckets=-1), ValueError, "must not be negative"),
    (lambda: tf.summary.audio("a", np.zeros((1, 2)), 8000, step=1), ValueError, "rank 3"),
    (lambda: tf.summary.audio("a", np.zeros((1, 2, 1)), 8000, step=1, encoding="mp3"), ValueError, "'mp3'"),
    (lambda: tf.summary.audio("a", np.zeros((1, 2, 1), int), 8000, step=1), TypeError, "floats between -1 and 1"),
    (lambda: tf.summary.graph(3), ValueError, "Argument 'graph_data'"),
    (lambda: tf.function(lambda: tf.summary.graph(3))(), RuntimeError, "inside a graph context"),
    (lambda: tf.summary.trace_on(graph=False), ValueError, "nothing to take note of"),
    (lambda: tf.summary.trace_export("a", step=1), ValueError, "Must enable trace before export"),
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_refused(writer, number):
    act, kind, text = BAD[number]
    with writer.as_default(), pytest.raises(kind, match=text):
        act()


def test_files_end(writer, tmp_path):
    writer.close()
    writer.close()
    writer.flush()
    with pytest.raises(RuntimeError, match="already closed"), writer.as_default():
        pass
    with pytest.raises(RuntimeError, match="already closed"):
        writer.set_as_default()
    assert events(tmp_path) == []


def test_a_writer_from_now_on(writer, tmp_path):
    with tf.summary.create_noop_writer().as_default():
        writer.set_as_default(step=4)
        assert tf.summary.should_record_summaries() and tf.summary.scalar("a", 1)
        thread_saw = []
        thread = threading.Thread(target=lambda: thread_saw.append(bool(tf.summary.should_record_summaries())))
        thread.start()
        thread.join()
        assert thread_saw == [False]  # each thread has its own
        tf.summary.flush()
        assert numbers(tmp_path) == [("a", 4, 1.0)]


def test_queues(tmp_path):
    writer = tf.summary.create_file_writer(tmp_path / "logs", max_queue=3, flush_millis=10**6, filename_suffix=".v2")
    with writer.as_default(step=0):
        counts = []
        for _ in range(4):
            tf.summary.scalar("a", 1)
            counts.append(len(numbers(tmp_path)))
    assert counts == [0, 0, 3, 3] and len(numbers(tmp_path)) == 4
    writer.close()


@tf.function
def strjoin(x, y):
    return tf.strings.join([x, y], separator=" ", name="joined")


def test_graphs_of_functions_that_run(writer, tmp_path):
    strjoin(tf.constant("traced"), tf.constant("before"))
    tf.summary.trace_on()
    for _ in range(3):
        strjoin(tf.constant("a"), tf.constant("b"))
    tf.function(lambda n: tf.while_loop(lambda i: i < n, lambda i: i + 1, [0]))(tf.constant(3))
    with writer.as_default():
        tf.summary.trace_export("traced", step=2)
    strjoin(tf.constant("not"), tf.constant("noted"))
    ((tag, step, plugin, array),) = written(tmp_path)
    assert (tag, step, plugin) == ("traced", 2, "graph_run_metadata_graph")
    run = config_pb2.RunMetadata.FromString(array.item())
    kinds = [[node.op for node in f.pre_optimization_graph.node] for f in run.function_graphs]
    assert kinds[0] == ["Placeholder", "Placeholder", "StringJoin", "Identity"] and "While" in " ".join(kinds[1])
    with writer.as_default(), pytest.raises(ValueError, match="Must enable trace"):
        tf.summary.trace_export("again", step=3)


def test_a_graph_by_itself(writer, tmp_path):
    with tf.Graph().as_default() as graph:
        a = tf.compat.v1.placeholder(tf.float32, [None], name="a")
        with tf.control_dependencies([tf.print("x")]):
            tf.identity(tf.Variable([1.0]) * a, name="b")
    with writer.as_default():
        assert tf.summary.graph(graph) and tf.summary.graph(graph.as_graph_def())
    found = [graph_pb2.GraphDef.FromString(event.graph_def) for event in events(tmp_path)]
    assert found[0] == found[1] and {n.name: n.op for n in found[0].node}["b"] == "Identity"


def test_the_profiler(writer, tmp_path):
    tf.summary.trace_on(graph=False, profiler=True)
    strjoin(tf.constant("a"), tf.constant("b"))
    with writer.as_default():
        with pytest.raises(ValueError, match="profiler_outdir"):
            tf.summary.trace_export("calls", step=0)
        tf.summary.trace_export("calls", step=0, profiler_outdir=tmp_path / "profile")
    assert pstats.Stats(str(tmp_path / "profile" / "calls.pstats")).total_calls > 0


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setattr(files.Messages, "_known", {})
    monkeypatch.setitem(sys.modules, "tensorboard.compat.proto.event_pb2", None)
    with pytest.raises(ImportError, match=r"pip install 'autograph-python\[summary\]'"):
        tf.summary.create_file_writer(tmp_path)


def fetched(url, until):
    """What a server answers, once it holds something."""
    for _ in range(120):
        try:
            found = urllib.request.urlopen(url, timeout=5).read().decode()
            if until(found):
                return found
        except (urllib.error.URLError, OSError):
            pass
        time.sleep(0.25)
    raise AssertionError(f"{url} does not answer")


def test_tensorboard_shows_it(writer, tmp_path):
    tf.summary.trace_on()
    strjoin(tf.constant("a"), tf.constant("b"))
    with writer.as_default(step=1):
        tf.summary.trace_export("autograph")
        tf.summary.scalar("loss", 0.25)
    writer.flush()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-W", "ignore", "-m", "tensorboard.main", "--logdir", str(tmp_path)]
    command += ["--port", str(port), "--host", "127.0.0.1", "--load_fast", "false"]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        plugins = f"http://127.0.0.1:{port}/data/plugin"
        info = json.loads(fetched(f"{plugins}/graphs/info", lambda text: "autograph" in text))
        assert info["logs"]["tags"]["autograph"]["op_graph"]
        drawn = fetched(f"{plugins}/graphs/graph?run=logs&tag=autograph", lambda text: "node" in text)
        assert re.search(r'name: "joined"\s+op: "StringJoin"', drawn)
        scalars = json.loads(fetched(f"{plugins}/scalars/scalars?run=logs&tag=loss", lambda text: text.startswith("[")))
        assert [row[1:] for row in scalars] == [[1, 0.25]]
    finally:
        server.kill()
        server.wait()
