"""What one operating system has and another has not is asked for when it is needed."""

import ctypes
import subprocess
import sys

import pytest

from runtime.executors.native import system

PROGRAM = """
import ctypes, sys

def refused(name, *arguments, **keywords):
    raise TypeError(f"no library {name!r}")  # as for None on Windows

ctypes.CDLL = refused
import numpy as np
import runtime

@runtime.function(jit_compile=False)
def halvings(n):
    count = 0
    while n > 1:
        n = n // 2
        count += 1
    return count

print(int(halvings(runtime.constant(100))), float(runtime.sqrt(4.0)), runtime.range(3).numpy())
print([name for name in sys.modules if name.startswith("runtime.executors.native")])
"""


def test_numpys_executor_needs_no_library_of_the_systems():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert done.stdout == "6 2.0 [0 1 2]\n[]\n"


@pytest.mark.parametrize("platform, name", [("linux", None), ("darwin", None), ("win32", "ucrtbase")])
def test_the_c_library_is_pythons(platform, name, monkeypatch):
    asked = []
    library = ctypes.CDLL(None)
    monkeypatch.setattr(system.sys, "platform", platform)
    monkeypatch.setattr(system.ctypes, "CDLL", lambda name: asked.append(name) or library)
    assert system.c_library.__wrapped__() is library and asked == [name]


def test_memory_of_native_code_is_freed_by_the_library_that_it_is_from():
    addresses = system.memory()
    assert addresses.keys() == {"malloc", "free"} and all(addresses.values())
    malloc = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)(addresses["malloc"])
    for size in (1, 1 << 20):
        system.free()(malloc(size))
