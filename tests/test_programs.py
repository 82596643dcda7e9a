"""Plain Python, converted Python and the graph agree: on the samples and on generated programs."""

import contextlib
import importlib
import io
import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import autograph
import runtime as tf
from samples import cnn, digits, sequences
from tests.generate import tensor_programs, wild_programs
from tests.programs import EXECUTORS, load

SAMPLES = "relu collatz fizzbuzz tanh_loop dynamic_rnn digits".split()
CASES = [
    pytest.param(function, arguments, id=f"{name}-{function.__name__}-{number}")
    for name in SAMPLES
    for function, calls in importlib.import_module(f"samples.{name}").EXAMPLES
    for number, arguments in enumerate(calls)
]


NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def seen(function, *arguments):
    """What a function returns, and what it prints."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        result = function(*arguments)
    return [np.asarray(leaf) for leaf in tf.nest.flatten(result)], out.getvalue() + err.getvalue()


@pytest.mark.parametrize("function, arguments", CASES)
def test_samples(function, arguments):
    wanted, printed = seen(function, *arguments)
    for other in (autograph.convert(function), tf.function(function, jit_compile=False)):
        mine, mine_printed = seen(other, *arguments)
        assert mine_printed == printed
        for a, b in zip(mine, wanted, strict=True):
            np.testing.assert_array_equal(a, b)
    mine, mine_printed = seen(tf.function(function), *arguments)  # native, which adds in another order
    assert NUMBER.sub("#", mine_printed) == NUMBER.sub("#", printed)
    numbers = [[*map(float, NUMBER.findall(text))] for text in (mine_printed, printed)]
    np.testing.assert_allclose(*numbers, rtol=1e-5, atol=1e-6)
    for a, b in zip(mine, wanted, strict=True):
        if b.dtype != object:
            np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", [s for s in SAMPLES if s != "digits"])
def test_samples_run_as_programs(name, capsys):
    importlib.import_module(f"samples.{name}").main()
    out = capsys.readouterr().out
    assert "from autograph import operators as ag__" in out and "import numpy as np" in out


@pytest.mark.sampled(2)
@pytest.mark.parametrize("columns", ["80", "200"])
def test_the_digits_are_learnt_three_times_alike(columns, capsys, monkeypatch, tmp_path):
    pytest.importorskip("sklearn")
    monkeypatch.setenv("COLUMNS", columns)
    assert digits.main(tmp_path / "build" / "digits.html") == 0
    out = capsys.readouterr().out
    assert "All three give the same numbers" in out and "accuracy 0.9" in out
    beside = re.search(r"^You write +\| The compiler makes of it +\| And, given arrays, the graph$", out, re.MULTILINE)
    assert (beside is not None) == (columns == "200") and all(
        word in out for word in ("ag__.while_stmt(", "return (weights")
    )
    assert "<title>" in (tmp_path / "build" / "digits.html").read_text(encoding="utf-8")


def test_a_network_of_convolutions_learns_in_one_graph(capsys):
    pytest.importorskip("sklearn")
    assert cnn.main() > 0.97
    seen = capsys.readouterr()
    losses = [float(line.split()[-1]) for line in seen.err.splitlines() if line.startswith("step ")]
    assert len(losses) == 4 and losses[-1] < 0.1 < losses[0] and "1 trace, " in seen.out


def test_a_recurrent_network_learns_from_sequences_of_different_lengths(capsys):
    assert sequences.main() > 0.97
    assert "of 2 to 12 brackets" in capsys.readouterr().out


class Box:
    n = 0

    def add(self, k):
        if k > 1:
            self.n += k
        return self


def helper(x):
    """A function that may return None, and may fail."""
    if x > 3:
        return None
    while x < 0:
        x = x + 2
        if x % 5 == 0:
            raise KeyError("five")
    return x * 2


relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck), derandomize=True, print_blob=False)


ARGUMENTS = ((0, 0), (3, 1), (2, 5))


@settings(relaxed, max_examples=60)
@given(tensor_programs())
def test_graphs_do_what_the_programs_do(text):
    function = load(text, nullcontext=contextlib.nullcontext)
    for native in EXECUTORS:
        graph = tf.function(function, jit_compile=native)
        for n, m in ARGUMENTS:
            result = graph(tf.constant(n, tf.int64), tf.constant(m, tf.int64))
            assert tuple(map(int, result)) == function(n, m), autograph.to_code(function)


def result_of(function, *arguments):
    """What a call returns, tensors as Python's numbers; or what kind of exception it raises."""
    try:
        found = function(*arguments)
    except Exception as error:
        return type(error).__mro__[-4:-1] if isinstance(error, NameError) else type(error).__name__, error.args[:1]
    return tf.nest.map_structure(lambda v: v if v is None else np.asarray(v).tolist(), found)


def same_outcome(mine, wanted):
    """Whether a graph does what the program does; of what Python itself raises only the kind is compared."""
    if not isinstance(wanted, tuple) or len(wanted) != 2 or not isinstance(wanted[1], tuple):
        return mine == wanted
    return mine[0] == wanted[0] and (wanted[0] != "KeyError" or mine == wanted)


@settings(relaxed, max_examples=100)
@given(wild_programs())
def test_graphs_do_what_wild_programs_do(text):
    try:
        function = load(text, Box=Box, helper=helper, nullcontext=contextlib.nullcontext)
    except SyntaxError:
        return
    for graph in (tf.function(function, jit_compile=False), tf.function(function)):
        for n, m in ARGUMENTS:
            wanted = result_of(function, n, m)
            mine = result_of(graph, tf.constant(n, tf.int64), tf.constant(m, tf.int64))
            assert same_outcome(mine, wanted), (mine, wanted, text)


@pytest.mark.parametrize("count", [50, 200])
@pytest.mark.parametrize("kind", ["elif", "if"])
def test_long_chains_of_branches(count, kind):
    branches = [f"    {kind if i else 'if'} x == {i}:\n        return {i}\n" for i in range(count)]
    function = load(f"def f(x):\n{''.join(branches)}    return -1\n")
    converted = autograph.to_graph(function)
    assert [converted(x) for x in (0, count - 1, count)] == [0, count - 1, -1]
    text = autograph.to_code(function)
    assert text.count("ag__.if_chain") == 1 and text.count("(lambda: x == ") == count
