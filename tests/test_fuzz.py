"""The fuzzer itself: it can call every operation, says which program a crash belongs to, and makes programs smaller."""

from random import Random

import pytest

from runtime.graph.op import OPS
from tests.fuzz import graphs, maker, plain, pool, programs, staged
from tests.fuzz.shrink import shrink


@pytest.mark.parametrize("name", sorted(OPS))
def test_every_operation_can_be_called(name):
    """A new row needs a rule in `tests/fuzz/rows.py`, or an example, unless it works element by element."""
    if name in maker.STRUCTURE:
        pytest.skip("written as a statement")
    run = graphs.Run(maker.write_with(Random(name), name))
    assert f"op('{name}'" in run.text
    assert isinstance(run.outcomes(run.function)[0], Exception) == (name == "raise")


@pytest.mark.parametrize("number", range(12))
def test_a_seed_and_a_number_give_one_program(number):
    assert programs.write("seed", number) == programs.write("seed", number) != programs.write("other", number)


def answers(*texts):
    requests = [{"seed": "s", "number": 5 * i + 2, "text": text} for i, text in enumerate(texts)]
    return {request["number"]: answer for request, answer in pool.run(requests, 1)}


KINDS = {"a": plain, "b": staged, "c": graphs}
FINE = "ARGUMENTS = [[]]\nOPEN = []\ndef f():\n    return (tf.constant(1),)\n"
CRASHES = "import os\nos.kill(os.getpid(), 6)\n" + FINE
SLOW = "import time\ntime.sleep(4)\n" + FINE
HANGS = "import time\nwhile True: time.sleep(1)\n" + FINE  # it takes no processor from other tests
WRONG = FINE.replace("tf.constant(1)", "tf.constant(1 if tf.executing_eagerly() else 2)")


def test_failures_belong_to_their_programs(monkeypatch):
    monkeypatch.setattr(pool, "LIMIT", 3.0)
    monkeypatch.setattr(pool, "LONG", 4.0)
    monkeypatch.setattr(pool, "IMPORTS", 10.0)
    found = answers(FINE, CRASHES, FINE, HANGS, WRONG)
    assert found[7]["crash"] == "SIGABRT" and found[17]["crash"] == "hang"
    assert [found[n]["failures"] for n in (2, 12)] == [[], []]
    assert found[22]["failures"][0]["what"] == "numpy: another value"


def test_what_is_late_is_asked_again_alone(monkeypatch):
    monkeypatch.setattr(pool, "LIMIT", 1.0)
    monkeypatch.setattr(pool, "IMPORTS", 1.0)
    assert [a["failures"] for a in answers(SLOW, FINE).values()] == [[], []]


@pytest.mark.parametrize("kind, parameters", [("a", "n, m"), ("b", "n"), ("c", "n")])
def test_a_program_that_is_slow_as_plain_python_says_nothing(kind, parameters, monkeypatch):
    monkeypatch.setattr(KINDS[kind], "PLAIN", 0.2)
    head = "import numpy as np\nARGUMENTS = [[np.float64(1)]]\nOPEN = [()]\n"
    text = f"def f({parameters}):\n    while True:\n        try:\n            n += 1\n        except: pass\n"
    report = programs.check(kind, head + text, "s", 1)
    assert (report["failures"], report["ran"]) == ([], False)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind, count", [("a", 50), ("b", 50), ("c", 50), ("d", 50), ("e", 50)])
def test_programs_at_random(kind, count):
    """Always the same ones; `make fuzz` runs others."""
    numbers = [n for n in range(5 * count) if programs.kind_of(n) == kind]
    for request, answer in pool.run(({"seed": "suite6", "number": n} for n in numbers), 1):
        assert not (answer.get("failures") or answer.get("crash") or answer.get("error")), (request, answer)


def test_programs_become_smaller():
    text = (
        "def f(x):\n    y = 1\n    if x > 2:\n        for i in range(3):\n            y += i + bad(y)\n    return y\n"
    )
    assert shrink(text, lambda smaller: "bad(" in smaller) == "def f(x):\n    y += bad(y)\n    return y\n"
