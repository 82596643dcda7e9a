"""Machine code that is kept on disk: only what is known to be right is run, and nothing is ever an error."""

import os
import stat
import subprocess
import sys
import threading
import time
import warnings

import numpy as np
import pytest

import autograph
import runtime as tf
from runtime import config

pytest.importorskip("llvmlite")
import llvmlite

from runtime.executors.native import cache, machine


@pytest.fixture
def compiled(monkeypatch):
    """What LLVM was asked to compile since."""
    found = []
    optimised = machine._optimised
    monkeypatch.setattr(machine, "_optimised", lambda module, target: found.append(module) or optimised(module, target))
    monkeypatch.setattr(cache, "_refused", set())
    monkeypatch.setattr(cache, "_tidied", set())
    yield found
    tf.config.set_native_cache(None)


def result(factor, folder):
    """What a function of its own for each factor returns for 3, its machine code kept in the folder."""
    tf.config.set_native_cache(folder)

    def f(x):
        while x < 100.0:
            x = x * factor
        return x

    return float(tf.function(f, jit_compile=True)(tf.constant(3.0)))


def files(folder):
    return sorted(p for p in folder.iterdir())


def filled(folder, factor=2.0):
    """The file of a function, made just now."""
    before = set(files(folder)) if folder.exists() else set()
    result(factor, folder)
    (made,) = set(files(folder)) - before
    return made


@pytest.fixture
def warm(compiled, tmp_path_factory):
    """So that what all functions share is compiled."""
    result(2.0, tmp_path_factory.mktemp("shared"))
    compiled.clear()


def test_what_is_kept_is_not_compiled_again(warm, compiled, tmp_path):
    folder = tmp_path / "a" / "b"
    assert [result(2.0, folder) for _ in range(2)] == [192.0, 192.0] and len(compiled) == 1
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700 and stat.S_IMODE(files(folder)[0].stat().st_mode) == 0o600


DAMAGES = {
    "empty": lambda good, other: b"",
    "truncated": lambda good, other: good[: len(good) // 2],
    "longer": lambda good, other: good + b"\0",
    "not code": lambda good, other: b"\x7fELF" + bytes(1000),
    "one bit": lambda good, other: good[:-100] + bytes([good[-100] ^ 1]) + good[-99:],
    "of another function": lambda good, other: other,
    "code of another function under its own head": lambda good, other: good[: cache._HEAD] + other[cache._HEAD :],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_not_right_is_compiled_again_and_replaced(warm, compiled, tmp_path, damage):
    file, other = filled(tmp_path), filled(tmp_path, 10.0)
    good = file.read_bytes()
    file.write_bytes(DAMAGES[damage](good, other.read_bytes()))
    compiled.clear()
    assert result(2.0, tmp_path) == 192.0 and len(compiled) == 1
    assert file.read_bytes() == good
    assert result(2.0, tmp_path) == 192.0 and len(compiled) == 1


def test_other_versions_have_other_code(warm, compiled, tmp_path, monkeypatch):
    filled(tmp_path)
    for name in ("_versions", "_processor"):
        monkeypatch.setattr(cache if name == "_versions" else machine, name, lambda: "another")
        compiled.clear()
        assert result(2.0, tmp_path) == 192.0 and len(compiled) == 1
    monkeypatch.setitem(machine._compiled, "interrupted", (machine._compiled["interrupted"][0], "other text"))
    assert result(2.0, tmp_path) == 192.0 and len(compiled) == 2


def test_each_version_counts(monkeypatch):
    names = []
    for module, name in (
        (autograph, "__version__"),
        (llvmlite, "__version__"),
        (np, "__version__"),
        (sys, "version"),
        (sys, ""),
    ):
        with monkeypatch.context() as patch:
            if name:
                patch.setattr(module, name, "another")
            cache._versions.cache_clear()
            names.append(cache.Entry("", "f").name)
    assert len({*names}) == len(names) and cache.Entry("", "f").name == names[-1] != cache.Entry("", "g").name


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666], ids=oct)
def test_a_file_that_others_may_write_is_not_run(warm, compiled, tmp_path, mode):
    file = filled(tmp_path)
    file.chmod(mode)
    assert result(2.0, tmp_path) == 192.0 and len(compiled) == 2
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_link_is_not_followed(warm, compiled, tmp_path):
    folder = tmp_path / "cache"
    file = filled(folder)
    file.rename(tmp_path / "elsewhere.o")
    file.symlink_to(tmp_path / "elsewhere.o")
    before = (tmp_path / "elsewhere.o").read_bytes()
    assert result(2.0, folder) == 192.0 and len(compiled) == 2
    assert not file.is_symlink() and (tmp_path / "elsewhere.o").read_bytes() == before


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_what_is_no_file_is_left_alone(warm, compiled, tmp_path, make):
    file = filled(tmp_path)
    file.unlink()
    make(file)
    assert [result(2.0, tmp_path) for _ in range(2)] == [192.0, 192.0]


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777], ids=oct)
def test_a_folder_that_others_may_write_is_not_used(warm, compiled, tmp_path, mode):
    folder = tmp_path / "open"
    file = filled(folder)
    folder.chmod(mode)
    compiled.clear()
    with pytest.warns(UserWarning, match="has to belong to the user"):
        assert result(2.0, folder) == 192.0
    with warnings.catch_warnings(action="error"):
        assert result(2.0, folder) == 192.0  # it says so once
    assert len(compiled) == 2 and files(folder) == [file]


def test_what_belongs_to_somebody_else_is_not_used(warm, compiled, tmp_path, monkeypatch):
    filled(tmp_path)
    owner = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: owner + 1)
    with pytest.warns(UserWarning, match="has to belong to the user"):
        assert result(2.0, tmp_path) == 192.0
    assert len(compiled) == 2


@pytest.mark.parametrize("function", ["open", "replace", "makedirs"])
def test_where_nothing_can_be_written_it_runs_all_the_same(warm, compiled, tmp_path, monkeypatch, function):
    def fails(path, *args, **kwargs):
        if function != "open" or args[0] & os.O_CREAT:
            raise OSError(28, "No space left on device")
        return given(path, *args, **kwargs)

    given = getattr(os, function)
    monkeypatch.setattr(os, function, fails)
    folder = tmp_path / "cache"
    if function != "makedirs":
        folder.mkdir(0o700)
    assert [result(2.0, folder) for _ in range(2)] == [192.0, 192.0] and len(compiled) == 2
    assert not folder.exists() or files(folder) == []


@pytest.mark.parametrize("error", [OSError, KeyboardInterrupt])
def test_nothing_is_left_of_a_file_that_was_not_finished(warm, tmp_path, monkeypatch, error):
    entry = cache.Entry(str(tmp_path), "f")

    def fails(*args, **kwargs):
        assert len(files(tmp_path)) == 1
        raise error

    monkeypatch.setattr(os, "replace", fails)
    if error is OSError:
        entry.write(b"code")
    else:
        with pytest.raises(error):
            entry.write(b"code")
    assert files(tmp_path) == []


def test_what_a_process_that_was_killed_left_is_removed(compiled, tmp_path):
    old, new = tmp_path / "x.o.1.aa.part", tmp_path / "y.o.2.bb.part"
    old.write_bytes(b"")
    new.write_bytes(b"")  # somebody may be writing it
    os.utime(old, (0, time.time() - 3600))
    cache.Entry(str(tmp_path), "f").write(b"code")
    assert not old.exists() and new.exists()


@pytest.mark.parametrize("nothing", ["", None])
def test_nothing_is_kept_by_default(warm, compiled, tmp_path, monkeypatch, nothing):
    monkeypatch.chdir(tmp_path)
    before = files(tmp_path)
    assert result(2.0, nothing) == 192.0 and config.native_cache() is None and files(tmp_path) == before


PROGRAM = """
import sys, numpy as np, runtime as tf
from runtime.executors.native import machine
compiled = []
optimised = machine._optimised
machine._optimised = lambda *a: compiled.append(1) or optimised(*a)
def fib(n):
    if n < 2:
        return n
    return recursive(n - 1) + recursive(n - 2)
recursive = tf.function(fib, jit_compile=True)
v = tf.Variable(1.0)
def f(x, y):
    while x < 100.0:
        x = x * 2.0 + np.sum(np.tanh(y)) * 0.0
    v.assign_add(1.0)
    return x, np.matmul(y, y.T), recursive(tf.cast(x, tf.int32) // 30)
n = np.ones((300, 3000), np.float32)
open_ = [tf.TensorSpec((), tf.float32), tf.TensorSpec((None, None), tf.float32)]
got = tf.function(f, jit_compile=True, input_signature=open_)(tf.constant(3.0), n)
print(float(got[0]), float(np.sum(got[1])), len(compiled))
"""


def start(folder):
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True, start_new_session=True,
        env={"AUTOGRAPH_NATIVE_CACHE": folder, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip


def test_processes_share_a_folder(tmp_path):
    """Their code calls what lies at other addresses in each: BLAS, what all functions share, the way from Python."""
    folder = str(tmp_path / "cache")
    first = [start(folder) for _ in range(3)]  # at once
    done = [p.communicate(timeout=100)[0].split() for p in first]
    assert all(values[:2] == ["192.0", "270000000.0"] for values in done)
    values = start(folder).communicate(timeout=100)[0].split()
    assert values == ["192.0", "270000000.0", "0"]
    assert {p.suffix for p in files(tmp_path / "cache")} == {".o"}
    assert start("").communicate(timeout=100)[0].split()[2] != "0"


def test_a_process_that_is_killed_harms_nobody(tmp_path):
    folder = tmp_path / "cache"
    for delay in (0.3, 0.5):
        process = start(str(folder))
        time.sleep(delay)
        process.kill()
        process.communicate()
    assert start(str(folder)).communicate(timeout=100)[0].split()[:2] == ["192.0", "270000000.0"]


def test_threads_share_a_folder(warm, compiled, tmp_path):
    found = []
    factors = [2.0, 3.0, 10.0] * 2
    threads = [threading.Thread(target=lambda k=k: found.append((k, result(k, tmp_path)))) for k in factors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wanted = {2.0: 192.0, 3.0: 243.0, 10.0: 300.0}
    assert sorted(found) == sorted((k, wanted[k]) for k in factors) and len(files(tmp_path)) == 3
