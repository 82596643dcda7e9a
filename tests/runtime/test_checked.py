"""Checked mode: native code that touches what it may not, or whose sizes overflow, ends the process and says where."""

import os
import signal
import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("llvmlite")
pytestmark = pytest.mark.skipif(os.name != "posix", reason="checked mode writes its message as POSIX has it")

PROGRAM = """
import numpy as np
import runtime as tf
from runtime.executors.native import memory
from runtime.executors.native.lowering import HANDLERS
from runtime.ops import shape

def broken(lowering, node):
    code, x = lowering.code, lowering.array(node.inputs[0])
    made = lowering.result(node.outputs[0], x.dims)
    size, scratch = x.dims[0], lowering.allocate(x.dims, x.dtype)
    {line}
    memory.copy(code, made.pointer, x.pointer, lowering.size_in_bytes(x))
    return [made]

HANDLERS[shape.reverse] = broken

@tf.function(jit_compile=True, input_signature=[tf.TensorSpec({shape}, tf.float64)])
def program(x):
    return tf.reduce_sum(tf.tanh(tf.reverse(x, [0])))

print(float(program(np.zeros(32))))
"""
BROKEN = {
    "one past the end": ('code.store("double", "0.0", code.at("double", made.pointer, size))', "a write"),
    "one before the start": ('code.load("double", code.at("double", made.pointer, "-1"))', "a read"),
    "an input": ('code.store("double", "0.0", x.pointer)', "a write"),
    "a constant": ('code.store("i8", "0", lowering.module.zeros(8))', "a write"),
    "after its end": (
        "memory.release(code, lowering.context, scratch.pointer); code.load('double', scratch.pointer)", "a read",
    ),
    "too long a copy": ('memory.copy(code, made.pointer, x.pointer, code.mul(size, "9"))', "of 288 bytes"),
    "too many zeros": ('memory.clear(code, made.pointer, code.mul(size, "9"))', "of 288 bytes"),
    "a vector": ('code.load_vector("<4 x double>", code.at("double", x.pointer, code.sub(size, "3")))', "a read"),
    "a place on the stack": (
        "slot = code.slot('double', 2); code.store('double', '0.0', code.at('double', slot, '2'))", "a write",
    ),
    "overlapping copies": (
        "memory.copy(code, made.pointer, code.at('double', made.pointer, '1'), '16')", "between places that overlap",
    ),
    "outside of our code": (
        "code.call('bzero', 'void', [('ptr', made.pointer), ('i64', code.mul(size, '9'))])", "before or after a block",
    ),
    "an overflow": (
        "code.mul(code.add(size, '1'), str(2**60))", "64 bits do not hold the integers of mul",
    ),
}  # fmt: skip


def run(line, shape, **environment):
    source = textwrap.dedent(PROGRAM).format(line=line, shape=shape)
    return subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env={**os.environ, **environment}
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("how, shape", [*((how, "[None]") for how in BROKEN), ("one past the end", "[32]")])
def test_what_is_broken_ends_the_process(how, shape):
    line, said = BROKEN[how]
    done = run(line, shape, AUTOGRAPH_NATIVE_CHECKED="1")
    assert done.returncode == -signal.SIGABRT, done.stderr
    assert said in done.stderr and "native code, checked: " in done.stderr
    if how != "outside of our code":
        assert "'reverse' (<string>:" in done.stderr and " of program" in done.stderr


def test_what_is_sound_runs(tmp_path):
    """... and code that is kept on disk is not that of the other mode."""
    for checked, line, code in (("0", "pass", 0), ("1", "pass", 0), ("1", BROKEN["an input"][0], -signal.SIGABRT)):
        done = run(line, "[None]", AUTOGRAPH_NATIVE_CHECKED=checked, AUTOGRAPH_NATIVE_CACHE=str(tmp_path))
        assert done.returncode == code, done.stderr
    kept = len(list(tmp_path.iterdir()))
    assert kept > 4


@pytest.mark.parametrize(
    "file, chosen",
    [("test_images.py", "float32 and 33"), ("test_native.py", "convolutions_of_any_size")],
)
def test_kernels_touch_what_is_theirs(file, chosen):
    """... also those that threads help with, each with a context on its own stack."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-s", os.path.join(os.path.dirname(__file__), file), "-k", chosen],
        capture_output=True,
        text=True,
        env={**os.environ, "AUTOGRAPH_NATIVE_CHECKED": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr


TWICE = """
import numpy as np
import runtime as tf

signature = [tf.TensorSpec((None, 4), tf.int64)]

def both(x):
    v = tf.math.cumprod(x, axis=0, exclusive=True)
    return v, v

def part(x):
    v = x + 1
    return v, v[1:], v[0], v

def changed(x):
    v = x * 2
    v[0] = 7
    return x, v, v

for function in (both, part, changed):
    x = np.arange(8).reshape(2, 4)
    expected, results = function(x.copy()), tf.function(function, jit_compile=True, input_signature=signature)(x)
    for one, other in zip(results, expected, strict=True):
        np.testing.assert_array_equal(one, other)
"""


def test_results_are_read_while_their_memory_is_the_runs():
    """One that is handed out twice, or in parts, is copied before its memory is given away."""
    done = subprocess.run(
        [sys.executable, "-c", TWICE],
        capture_output=True,
        text=True,
        env={**os.environ, "AUTOGRAPH_NATIVE_CHECKED": "1"},
    )
    assert done.returncode == 0, done.stderr
