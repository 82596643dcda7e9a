"""The C library: what native code takes from it and what is taken for that code must be the same one's."""

from __future__ import annotations

import ctypes
import functools
import sys
from collections.abc import Callable


@functools.cache
def c_library() -> ctypes.CDLL:
    """That of this process. On Windows a process has several, none of which is its own: this is Python's.

    Raises OSError where there is none.
    """
    if sys.platform != "win32":
        return ctypes.CDLL(None)
    return ctypes.CDLL("ucrtbase")


@functools.cache
def memory() -> dict[str, int]:
    """Where the functions are that get memory and free it, for native code to call those that are called for it."""
    library = c_library()
    found = {name: ctypes.cast(getattr(library, name), ctypes.c_void_p).value for name in ("malloc", "free")}
    return {name: address for name, address in found.items() if address is not None}


@functools.cache
def free() -> Callable[[int], None]:
    """What gives memory back that native code has handed over, by its address."""
    function = c_library().free
    function.argtypes, function.restype = [ctypes.c_void_p], None
    return function
