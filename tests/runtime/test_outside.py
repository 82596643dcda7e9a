"""What a program asks the system with `numpy=True`: it is told what it would be told without a graph, at each call."""

from __future__ import annotations

import contextlib
import csv
import datetime
import functools
import glob
import io
import json
import logging
import os
import pathlib
import pickle
import random
import resource
import secrets
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
import timeit
import uuid
from datetime import datetime as moment
from os import environ, getenv
from secrets import randbelow as below
from time import perf_counter as ticks, time as clock
from uuid import uuid4, uuid4 as new_identity

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import load

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
    lambda x: clock(),
    lambda x: (timeit.default_timer(), ticks()),
    lambda x: new_identity().int,
    lambda x: below(10**12),
    lambda x: np.random.SeedSequence().entropy,
    lambda x: os.getpid() + resource.getrusage(resource.RUSAGE_SELF).ru_utime + clock(),
    lambda x: subprocess.Popen([sys.executable, "-c", WRITES], stdout=subprocess.PIPE).communicate()[0],
]
WRITES = "import uuid; print(uuid.uuid4())"


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


def first_line(x, file):
    for line in file:
        return x.sum() + float(line)


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


LOGGER = logging.getLogger(NAME)
OF_LOGGERS = [
    lambda x: LOGGER.isEnabledFor(logging.INFO),
    lambda x: LOGGER.getEffectiveLevel() + x,
    lambda x: x.sum() if logging.getLogger(NAME).getEffectiveLevel() > logging.INFO else x,
]


@pytest.mark.parametrize("program", OF_LOGGERS)
def test_the_level_of_a_logger_is_looked_at_by_each_call(program):
    levels = [functools.partial(LOGGER.setLevel, level) for level in (logging.ERROR, logging.ERROR, logging.DEBUG)]
    told, count = traces(program, *levels)
    assert count == 2
    assert np.array_equal(told[0], told[1]) and not np.array_equal(told[1], told[2])
    assert np.array_equal(told[2], program(np.array([1.0, 2.0])))


def test_what_a_database_holds_is_asked_by_each_call_which_adds_to_it():
    with contextlib.closing(sqlite3.connect(":memory:")) as base:
        base.execute("create table numbers(x real)")

        def added(x):
            base.execute("insert into numbers values (2.5)")
            cursor = base.cursor()
            cursor.execute("select x from numbers")
            return x * len(cursor.fetchall()), sum([row[0] for row in base.execute("select x from numbers")])

        staged = runtime.function(added, numpy=True)
        for count in (1, 2, 3):
            x, total = staged(np.ones(2))
            assert x.tolist() == [count, count] and total == 2.5 * count


WRITES_TO_FILES = [
    lambda x, file: file.write("a"),
    lambda x, file: file.writelines(["a", "b"]),
    lambda x, file: print("a", end="", file=file),
]


@pytest.mark.parametrize("write", WRITES_TO_FILES)
def test_a_file_that_is_kept_is_written_by_each_call(write, tmp_path):
    with open(tmp_path / TABLE, "w") as file:
        staged = runtime.function(lambda x: (write(x, file), x.sum()), numpy=True)
        sizes = []
        for _ in range(3):
            staged(np.ones(2))
            file.flush()
            sizes.append(os.path.getsize(file.name))
        assert sizes == [sizes[0] * count for count in (1, 2, 3)] != [0, 0, 0]

        def in_a_statement(x):
            if x[0] > 0:
                write(x, file)
            return x.sum()

        with pytest.raises(StagingError, match="called in a statement that the graph decides"):
            runtime.function(in_a_statement, numpy=True)(np.ones(2))


def test_a_seed_is_no_question():
    _, count = traces(lambda x: np.random.SeedSequence(7).entropy, *[lambda: None] * 3)
    assert count == 1


READERS = {
    "next": (lambda x, f: x.sum() + float(next(f)), "r"),
    "for": (first_line, "r"),
    "readline": (lambda x, f: x.sum() + float(f.readline()), "r"),
    "bytes": (lambda x, f: x.sum() + f.read(3)[0] + f.tell(), "rb"),
    "next of bytes": (lambda x, f: x.sum() + float(next(f)), "rb"),
    "csv": (lambda x, f: x.sum() + float(next(csv.reader(f))[0]), "r"),
}


@pytest.mark.parametrize("program, mode", READERS.values(), ids=READERS)
def test_a_file_that_is_kept_is_read_on_by_each_call(program, mode, tmp_path):
    (tmp_path / TABLE).write_text("\n".join(map(str, range(100, 200))))
    found = []
    for stage in (lambda f: f, lambda f: runtime.function(f, numpy=True)):
        with open(tmp_path / TABLE, mode) as file:
            call = stage(lambda x, file=file: program(x, file))
            found.append([call(np.ones(2)) for _ in range(4)])
    assert found[0] == found[1] and len(set(found[0])) == 4


def test_a_file_that_is_kept_is_not_read_in_a_statement_of_the_graph(tmp_path):
    (tmp_path / TABLE).write_text("1\n2\n3\n")
    with open(tmp_path / TABLE) as file:

        def reads(x):
            if x.sum() > 1:
                x = x + float(next(file))
            return x

        with pytest.raises(StagingError, match="how far the file 'file' has been read"):
            runtime.function(reads, numpy=True)(np.ones(2))


CHANGES = {
    "np.save": "np.save(folder / 'made.npy', np.ones(2))",
    "np.savetxt": "np.savetxt(folder / 'made', np.ones(2))",
    "json.dump": "with open(folder / 'made', 'w') as file: json.dump([1], file)",
    "pickle.dump": "with open(folder / 'made', 'wb') as file: pickle.dump([1], file)",
    "os.makedirs": "os.makedirs(folder / 'a' / 'b', exist_ok=True)",
    "os.mkdir": "os.mkdir(folder / 'a')",
    "os.remove": "os.remove(folder / 'there')",
    "os.rename": "os.rename(folder / 'there', folder / 'here')",
    "shutil.copy": "shutil.copy(folder / 'there', folder / 'here')",
    "write_text": "(folder / 'made').write_text('a')",
    "touch": "(folder / 'made').touch()",
    "unlink": "(folder / 'there').unlink()",
    "csv": "csv.writer(BUFFER).writerow([1, 2])",
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_a_program_changes_outside_is_changed_by_each_call(change, tmp_path):
    buffer = io.StringIO()
    names = {"np": np, "json": json, "pickle": pickle, "os": os, "shutil": shutil, "csv": csv, "BUFFER": buffer}
    text = f"def f(x, folder):\n    {CHANGES[change]}\n    return x + 1\n"
    f = runtime.function(load(text, **names), numpy=True)
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "there").write_text("")
        before = sorted(folder.iterdir())
        assert f(np.float64(number), folder) == number + 1
        assert sorted(folder.iterdir()) != before or buffer.getvalue() == "1,2\r\n" * (number + 1)


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


RENAMED = {
    "reduce": "fold(lambda a, b: a * x + b, [1.0, 2.0, x])",
    "floor": "low(x) + 1",
    "median": "middle([x, x * 2, x + 1])",
    "heap": "pushed([], x)",
    "where": "choose(x > 1, [x], [2.0])",
    "deque": "filled(x)",
    "of the module": "either(x > 1, [x], [2.0])",
}
LIBRARIES = """
from collections import deque as line
from functools import reduce as fold
from heapq import heappop as least, heappush as push
from math import floor as low
from statistics import median as middle
import numpy as np
from numpy import where as choose
either = np.where

def pushed(heap, x):
    for v in [x, x * 2, x - 1]:
        push(heap, v)
    return least(heap)

def filled(x):
    waiting = line([x])
    if x > 1:
        waiting.append(x + 1)
    return waiting.pop()
"""


@pytest.mark.parametrize("call", RENAMED.values(), ids=RENAMED)
def test_functions_of_libraries_have_their_meaning_under_other_names(call):
    program = load(f"{LIBRARIES}\ndef program(x):\n    return {call}\n", name="program")
    staged = runtime.function(program, numpy=True)
    for x in (np.float64(1.5), np.float64(0.5), np.float64(2.25)):
        assert repr(staged(x)) == repr(program(x))
    assert staged.experimental_get_tracing_count() == 1


def test_what_asks_about_what_only_the_graph_knows_is_refused_whatever_clause_is_around():
    def read(n):
        try:
            return open(f"file {int(n[0])}").read()
        except (OSError, TypeError, ValueError):
            return ""

    def seeded(n):
        try:
            return np.random.SeedSequence(int(n[0])).generate_state(1)[0]
        except TypeError:
            return -1

    for program in (read, seeded):
        with pytest.raises(StagingError, match="is given a value that only the graph knows"):
            runtime.function(program, numpy=True)(np.array([4.0]))
