"""What a function gives is the same whichever way it runs: values, structure, and what errors leave behind."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import runtime as tf
from runtime.errors import InvalidArgumentError

pytest.importorskip("llvmlite")
from runtime.executors.native import checked
from tests.programs import EXECUTORS
from tests.runtime.test_native import close

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}


def every_way(function, *arguments, signature=None):
    """The results of a function run natively, by NumPy, and by default; all the same."""
    found = [
        tf.function(function, jit_compile=way, input_signature=signature)(*arguments) for way in (True, False, None)
    ]
    for other in found[1:]:
        for a, b in zip(tf.nest.flatten(found[0]), tf.nest.flatten(other), strict=True):
            close(a.numpy(), b.numpy())
    return found[0]


@pytest.mark.parametrize("exponent", [np.inf, -np.inf, np.nan])
def test_powers_by_what_is_no_number(exponent):
    x = np.array([-2.0, -0.5, 0.0, 0.5, 1.0, 2.0, np.inf, np.nan])
    for dtype in (np.float32, np.float64):
        given = x.astype(dtype)
        with np.errstate(all="ignore"):
            wanted = given ** dtype(exponent)
        for native in EXECUTORS:
            graph = tf.function(lambda x: x**exponent, jit_compile=native)
            np.testing.assert_array_equal(graph(tf.constant(given)).numpy(), wanted)


@pytest.mark.parametrize("exponent", [0, 0.0, 1, 2, 3, 4, 5, -1, 0.5])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_powers_by_constants(dtype, exponent):
    x = np.array([0, 1, 2, 3, 7], dtype)
    if exponent == -1 and x.dtype.kind == "i":
        with pytest.raises(ValueError, match="negative integer powers"):
            tf.function(lambda x: x**exponent, jit_compile=True)(tf.constant(x))
        return
    with np.errstate(all="ignore"):
        wanted = x**exponent
    for signature in (None, [tf.TensorSpec([None], dtype)]):
        close(every_way(lambda x: x**exponent, tf.constant(x), signature=signature).numpy(), wanted)
        close(every_way(lambda x: x[3] ** exponent, tf.constant(x), signature=signature).numpy(), wanted[3])


RESULTS = {
    "a tuple of one": lambda x: (x * 2,),
    "a list of one": lambda x: [x * 2],
    "a tuple in a tuple": lambda x: ((x * 2,),),
    "a dict": lambda x: {"a": (x * 2,), "b": [x]},
    "nothing": lambda x: (),
    "None beside": lambda x: (x + 1, None),
    "the argument": lambda x: (x,),
    "one twice": lambda x: (x + 1,) * 2,
}


@pytest.mark.parametrize("name", RESULTS)
@pytest.mark.parametrize(
    "x", [np.float64(3), np.arange(4.0), np.arange(40.0).reshape(8, 5)], ids=lambda x: str(x.shape)
)
def test_results_keep_their_structure(name, x):
    wanted = RESULTS[name](x)
    f = tf.function(RESULTS[name], jit_compile=True)
    for _ in range(3):  # the later calls go straight into native code
        found = f(tf.constant(x))
        assert type(found) is type(wanted) and repr(tf.nest.map_structure(lambda _: 0, found)) == repr(
            tf.nest.map_structure(lambda _: 0, wanted)
        )
        for a, b in zip(tf.nest.flatten(found), tf.nest.flatten(wanted), strict=True):
            assert (a is None) == (b is None)
            if a is not None:
                np.testing.assert_array_equal(a.numpy(), b)


@pytest.mark.parametrize("keepdims", [True, False])
@pytest.mark.parametrize("name", ["reduce_sum", "reduce_mean", "reduce_max", "reduce_all", "reduce_logsumexp"])
def test_reductions_of_unknown_rank(name, keepdims):
    dtype = "bool" if name == "reduce_all" else "float64"
    signature = [tf.TensorSpec(None, dtype)]
    for axis in (None, -1, 0):
        f = tf.function(
            lambda x: getattr(tf, name)(x, axis, keepdims=keepdims), jit_compile=True, input_signature=signature
        )
        for shape in ((3,), (2, 3), (2, 3, 4)):
            x = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
            close(f(tf.constant(x)).numpy(), getattr(tf, name)(tf.constant(x), axis, keepdims=keepdims).numpy())


def test_an_error_after_a_write_leaves_the_variable_as_python_would():
    for way in (True, False, None):
        v = tf.Variable(np.zeros(3))

        @tf.function(jit_compile=way)
        def f(x, i):
            v.assign_add(x)
            if i > 0:
                v.assign_add(x)
            y = tf.gather(x, i)
            v.assign(v * 2)
            return y

        x = tf.constant(np.array([1.0, 2.0, 3.0]))
        for _ in range(2):
            before = v.numpy()
            with pytest.raises(InvalidArgumentError, match="not in") as raised:
                f(x, tf.constant(7))
            assert any("tf.gather(x, i)" in note for note in raised.value.__notes__)
            np.testing.assert_array_equal(v.numpy(), before + 2 * x.numpy())  # what came before the error has happened
        f(x, tf.constant(0))
        np.testing.assert_array_equal(v.numpy(), 2 * (5 * x.numpy()))


DEEP = """
import sys, threading
import runtime as tf

@tf.function(jit_compile=True)
def f(n, x):
    if n <= 0:
        r = x
    else:
{lines}
        y = f(n - 1, x + a0)
        r = y + {total}
    return r

def go():
    try:
        print(f(tf.constant({depth}), tf.constant(0.5, tf.float64)).dtype.name)
    except RecursionError:
        print("RecursionError")

threading.stack_size({stack})
thread = threading.Thread(target=go)
thread.start()
thread.join()
go()
"""


@pytest.mark.parametrize("width, depth, stack", [(5, 4000, 0), (400, 4500, 0), (20, 4500, 2**19), (5, 10**7, 2**24)])
def test_calls_go_as_deep_as_the_stack(width, depth, stack, tmp_path):
    """Whatever lies in frames, and however large the thread's stack is: too deep is an error, not the process's end."""
    lines = "\n".join(f"        a{i} = tf.sin(x + {i}.5) * tf.cast(n, tf.float64)" for i in range(width))
    total = " + ".join(f"a{i}" for i in range(width))
    program = tmp_path / "program.py"
    program.write_text(DEEP.format(lines=lines, total=total, depth=depth, stack=stack))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    in_thread, in_main = done.stdout.splitlines()
    assert (in_thread == in_main == "float64") if (width, depth) == (5, 4000) else "RecursionError" in done.stdout
    if depth == 10**7:
        assert in_thread == in_main == "RecursionError"


SHORT = """
import resource
import numpy as np
import runtime as tf

COUNT = 400

@tf.function(jit_compile=True, autograph=False)
def f(x):
    sorted_ = [tf.sort(x * float(i)) for i in range(COUNT)]  # all alive at once
    total = tf.reduce_sum(x) * 0
    for i in range(COUNT):
        total += tf.reduce_sum(sorted_[COUNT - 1 - i][::-1])
    return total

x = tf.constant(np.random.default_rng(0).standard_normal({size}))
before = float(f(x))
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**20, -1))
held = []
try:
    while True:
        held.append(bytearray(2**14))
except MemoryError:
    pass
try:
    print(float(f(x)) == before)
except MemoryError:
    print("MemoryError")
held.clear()
resource.setrlimit(resource.RLIMIT_AS, (-1, -1))
print(float(f(x)) == before)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux" or checked.ON, reason="limits are set as Linux has them, and blocks end")
@pytest.mark.parametrize("size", [6_000, 60_000], ids=["small", "large"])
def test_a_run_without_memory_is_an_error(size):
    done = subprocess.run(
        [sys.executable, "-c", SHORT.format(size=size)], capture_output=True, text=True, env=ENVIRONMENT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["MemoryError", "True"]
