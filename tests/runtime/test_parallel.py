"""Work on several cores: whoever calls, from wherever, as often as may be, gets all of it."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import runtime as tf

pytest.importorskip("llvmlite")
from runtime.executors.native import parallel


@tf.function(jit_compile=True, input_signature=[tf.TensorSpec((None,), tf.float64)])
def work(x):
    return np.sqrt(x) * 2.0 + 1.0


def right(count):
    x = np.arange(float(count))
    return np.array_equal(np.asarray(work(x)), np.sqrt(x) * 2.0 + 1.0)


@pytest.mark.parametrize("count", [0, 1, 63, 100_000, 199_999, 300_001, 1_000_003])
def test_all_elements_once(count):
    assert all(right(count) for _ in range(20))


def test_several_callers_at_once():
    found = []
    threads = [threading.Thread(target=lambda k=k: found.append(right(300_000 + k))) for k in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_process_that_was_forked_has_threads_of_its_own():
    assert right(500_000)
    child = os.fork()
    if not child:
        os._exit(0 if all(right(500_000 + k) for k in range(5)) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert right(500_000)


PROGRAM = """
import os, sys
if sys.argv[1] == "one" and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
from tests.runtime.test_parallel import parallel, right
print(parallel.THREADS if sys.argv[1] == "one" else 1, all(right(500_000 + k) for k in range(5)))
"""


@pytest.mark.parametrize("cores", ["one", "all"])
def test_a_process_ends_and_one_core_is_enough(cores):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, cores], capture_output=True, text=True, timeout=100, check=True,
        env={**os.environ, "PYTHONPATH": ":".join(sys.path)},
    )  # fmt: skip
    assert done.stdout.split() == ["1", "True"]


@pytest.mark.parametrize(
    "lines, files, cores",
    [
        ("0::/a/b", {"a/b/cpu.max": "max 100000", "a/cpu.max": "150000 100000"}, 1.5),
        ("0::/a/b", {"a/b/cpu.max": "400000 100000", "a/cpu.max": "max 100000"}, 4.0),
        ("0::/", {}, np.inf),
        ("3:cpu,cpuacct:/x", {"cpu/x/cpu.cfs_quota_us": "50000", "cpu/x/cpu.cfs_period_us": "100000"}, 0.5),
        ("3:cpu,cpuacct:/x", {"cpu/x/cpu.cfs_quota_us": "-1", "cpu/x/cpu.cfs_period_us": "100000"}, np.inf),
        ("3:cpu:/gone", {"cpu/cpu.cfs_quota_us": "200000", "cpu/cpu.cfs_period_us": "100000"}, 2.0),
        ("4:memory:/x", {"memory/x/cpu.max": "1 1"}, np.inf),
    ],
)
def test_the_limits_of_control_groups(tmp_path, lines, files, cores):
    (tmp_path / "own").write_text(lines + "\n")
    for name, text in files.items():
        file = tmp_path / "root" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text + "\n")
    assert parallel._quota(tmp_path / "own", tmp_path / "root") == cores
    assert parallel._quota(tmp_path / "none", tmp_path / "root") == np.inf
