"""Several threads convert, trace and run plainly at once; none sees another."""

import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import autograph
import runtime
from tests.programs import at_rest, load

DEEP = "def f(x):\n    return " + " + ".join(["x"] * 600) + "\n"


def at_once(*tasks):
    """Run tasks in threads that start together; raises what any of them has."""
    errors = []
    ready = threading.Barrier(len(tasks))

    def run(task):
        try:
            ready.wait()
            task()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


MANY_CONVERT = """
import gc, sys
from autograph.convert_file import convert_module
from autograph.source import parse
from tests.test_threads import DEEP, at_once

def converts():
    for _ in range(3):
        assert "def f(x)" in convert_module(parse(DEEP, "deep.py"))

before = sys.getrecursionlimit()
gc.callbacks.append(lambda phase, info: None)  # Python code, in which threads change
for often in (700, 10, 3):
    gc.set_threshold(often, 10**6, 10**6)
    for _ in range(4):
        at_once(*[converts] * 4)
        assert sys.getrecursionlimit() == before
"""


@pytest.mark.slow
def test_the_recursion_limit_is_put_back_when_several_threads_convert():
    """While garbage is collected all the time: Python 3.11 crashes where that happens amid a look at other threads."""
    run(MANY_CONVERT)


def run(program):
    """Run a program in a process of its own, for what would end that; what it prints."""
    root = str(Path(__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", program], cwd=root, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_recursion_limit_is_left_alone_where_it_is_enough():
    seen = set()

    def watch(frame, event, argument):
        seen.add(sys.getrecursionlimit())

    function = load("def f(x):\n    if x > 0:\n        return x\n    return -x\n")
    sys.setprofile(watch)
    try:
        autograph.to_graph(function)
    finally:
        sys.setprofile(None)
    assert seen == {sys.getrecursionlimit()}


DEEP_MEANWHILE = """
import sys, threading
from autograph.depth import raised

before = sys.getrecursionlimit()
is_deep, go_on = threading.Event(), threading.Event()

def deep(n):
    if n:
        return deep(n - 1)
    is_deep.set()
    go_on.wait()
    print(sorted([2, 1], key=lambda x: -x))

with raised(lambda limit: 6000):
    thread = threading.Thread(target=deep, args=(before + 1000,))
    thread.start()
    is_deep.wait()
assert sys.getrecursionlimit() == 6000
go_on.set()
thread.join()
with raised(lambda limit: 6000):
    pass
assert sys.getrecursionlimit() == before
"""


def test_the_recursion_limit_is_not_put_back_below_a_thread_that_is_deeper():
    """In a process of its own: Python 3.11 ends the one in which that happens."""
    assert run(DEEP_MEANWHILE) == "[2, 1]\n"


def test_a_limit_that_the_program_sets_meanwhile_stays():
    from autograph import depth

    before = sys.getrecursionlimit()

    def deep(n):
        return deep(n - 1) if n else sys.setrecursionlimit(before + 500)

    try:
        depth.room()(deep)(before)
        assert sys.getrecursionlimit() == before + 500
    finally:
        sys.setrecursionlimit(before)


class Account:
    """Its methods run in threads that trace, and in threads that do not."""

    def __init__(self, n):
        self.n = n if n > 0 else -n
        self.log = []

    def __add__(self, x):
        if x > 0:
            self.log.append("up")
            return self.n + x
        self.log.append("down")
        return self.n - x

    def __getitem__(self, index):
        found = [i for i in range(5) if i > index]
        return found[0] if found else -1

    @property
    def state(self):
        return "rich" if self.n > 2 else "poor"


@pytest.fixture
def rested():
    """Nothing is traced, and no code is left of traces, whatever backends other tests have registered for good."""
    with at_rest():
        runtime.function(lambda x: Account(1) + x, jit_compile=False)(np.float32(2.0))
        yield


def test_a_thread_that_traces_does_not_change_what_another_runs_plainly(rested):
    plain = Account.__add__.__code__

    def traces():
        for i in range(15):

            @runtime.function(jit_compile=False)
            def f(x):
                account = Account(3)
                return (account + x) * (1.0 if account.state == "rich" else 2.0) + i

            assert f(np.float32(2.0)).numpy() == 5 + i
            assert f(np.float32(-2.0)).numpy() == 5 + i

    def runs():
        for _ in range(1500):
            account = Account(-3)
            assert (account + 2, account + -2) == (5, 5)
            assert account.log == ["up", "down"] and type(account.log) is list
            assert (account[2], account[9], account.state) == (3, -1, "rich")
            assert autograph.to_graph(Account.__getitem__)(account, 1) == 2

    at_once(traces, runs, traces, runs)
    assert Account.__add__.__code__ is plain


def test_code_is_what_it_was_after_a_trace(rested):
    before = {name: f.__code__ for name, f in vars(Account).items() if hasattr(f, "__code__")}
    inside = []

    @runtime.function(jit_compile=False)
    def f(x):
        inside.append((Account(1) + x, Account(3).state))
        return inside[-1][0]

    assert f(np.float32(2.0)).numpy() == 3
    after = {name: f.__code__ for name, f in vars(Account).items() if hasattr(f, "__code__")}
    assert after == before or dispatch.lasting  # as above


def test_threads_that_trace_by_turns():
    def traces(n):
        def run():
            for _ in range(10):
                f = runtime.function(lambda x: Account(n) + x if x > 0 else x, jit_compile=False)
                assert f(np.float32(1.0)).numpy() == n + 1

        return run

    at_once(*[traces(n) for n in range(1, 5)])
