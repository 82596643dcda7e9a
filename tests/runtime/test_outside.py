"""What a program asks the system with `numpy=True`: it is told what it would be told without a graph, at each call."""

from __future__ import annotations

import datetime
import glob
import io
import os
import pathlib
import random
import secrets
import subprocess
import sys
import tempfile
import time
import uuid
from datetime import datetime as moment
from os import environ, getenv
from uuid import uuid4

import numpy as np
import pytest

import runtime
from autograph import StagingError

NAME = "RUNTIME_TESTS"
TABLE = "numbers.txt"


def traces(program, *calls):
    """What a staged program says at each call, before which the world is changed."""
    staged = runtime.function(program, numpy=True)
    told = []
    for change in calls:
        change()
        told.append(staged(np.array([1.0, 2.0])))
    return told, staged.experimental_get_tracing_count()


NEW_EACH_TIME = [
    lambda x: datetime.datetime.now().isoformat(),
    lambda x: moment.now().isoformat(),
    lambda x: (datetime.datetime.now(datetime.timezone.utc) - datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)) / 2,
    lambda x: datetime.datetime.today().isoformat(),
    lambda x: time.clock_gettime(time.CLOCK_MONOTONIC),
    lambda x: str(uuid.uuid4()),
    lambda x: uuid4().int,
    lambda x: uuid.uuid1().int,
    lambda x: os.urandom(8),
    lambda x: secrets.token_hex(8),
    lambda x: secrets.randbelow(10**12),
    lambda x: random.SystemRandom().random(),
    lambda x: tempfile.mktemp(),
    lambda x: sys.stdin.readline(),
    lambda x: input(),
]


@pytest.mark.parametrize("program", NEW_EACH_TIME)
def test_each_call_is_told_what_is_new(program, monkeypatch, tmp_path):
    (tmp_path / TABLE).write_text("\n".join(map(str, range(10))))
    with open(tmp_path / TABLE) as lines:
        monkeypatch.setattr(sys, "stdin", lines)
        told, _ = traces(program, *[lambda: time.sleep(1e-5)] * 3)
    assert len(set(told)) == 3


def read(x):
    with open(TABLE) as file:
        return file.read()


OF_FILES = [
    read,
    lambda x: pathlib.Path(TABLE).read_text(),
    lambda x: np.loadtxt(TABLE) + x[0],
    lambda x: np.fromfile(TABLE, np.uint8).sum(),
    lambda x: os.stat(TABLE).st_size,
    lambda x: os.path.getsize(TABLE),
    lambda x: os.path.exists("other"),
    lambda x: pathlib.Path("other").exists(),
    lambda x: len(os.listdir()) + x.sum(),
    lambda x: sorted(glob.glob("o*")),
    lambda x: subprocess.check_output([sys.executable, "-c", f"print(open('{TABLE}').read())"]),
]


@pytest.mark.parametrize("program", OF_FILES)
def test_each_call_is_told_what_files_hold_then(program, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    texts = iter(["1", "23", "456"])

    def change():
        text = next(texts)
        pathlib.Path(TABLE).write_text(text)
        if text == "23":
            pathlib.Path("other").write_text("")

    told, _ = traces(program, change, change)
    plain = program(np.array([1.0, 2.0]))
    assert told[0] != told[1] == plain


STANDING = [
    lambda x: os.getenv(NAME),
    lambda x: getenv(NAME),
    lambda x: os.environ.get(NAME),
    lambda x: os.environ[NAME],
    lambda x: NAME in environ and environ[NAME],
    lambda x: x * len(os.environ[NAME]),
    lambda x: os.path.expandvars(f"${NAME}"),
]


@pytest.mark.parametrize("program", STANDING)
def test_what_stands_is_traced_for_once_and_looked_at_by_each_call(program, monkeypatch):
    told, count = traces(
        program, lambda: monkeypatch.setenv(NAME, "a"), lambda: None, lambda: monkeypatch.setenv(NAME, "bb")
    )
    assert count == 2
    assert np.array_equal(told[0], told[1]) and not np.array_equal(told[1], told[2])


def test_a_file_is_written_by_each_call(tmp_path):
    def log(x, path):
        with open(path, "a") as file:
            file.write("called\n")
        return x.sum()

    staged = runtime.function(log, numpy=True)
    for _ in range(3):
        staged(np.ones(2), str(tmp_path / "log"))
    assert (tmp_path / "log").read_text() == "called\n" * 3


def test_a_function_that_calls_one_which_asks_is_told_so_too():
    inner = runtime.function(lambda x: x + secrets.randbelow(10**12), numpy=True)
    told, _ = traces(lambda x: inner(x)[0] * 2, *[lambda: None] * 3)
    assert len(set(told)) == 3


def test_a_branch_may_ask_what_stays_as_it_was():
    def stamp(x):
        return time.gmtime().tm_year if x[0] > 0 else 0

    staged = runtime.function(stamp, numpy=True)
    for x in (np.ones(1), -np.ones(1)):
        assert staged(x) == stamp(x)


def in_a_loop(x):
    for i in range(int(x[0])):
        x[i] = os.urandom(1)[0]
    return x


def in_a_branch(x):
    if x[0] > 0:
        open(TABLE, "w").close()
    return x


@pytest.mark.parametrize("program", [in_a_loop, in_a_branch])
def test_what_a_graph_would_have_to_do_again_is_refused(program):
    with pytest.raises(StagingError, match=r"\(\) is called in a statement that the graph decides"):
        runtime.function(program, numpy=True)(np.array([3.0, 2.0, 1.0]))


def test_what_is_read_from_memory_is_no_question():
    def first(x):
        return io.StringIO("1 2").read(), x + 1

    told, count = traces(first, *[lambda: None] * 3)
    assert count == 1 and told[0][0] == "1 2"
