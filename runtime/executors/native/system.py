"""The C library, of which native code takes from the one that is taken for it; and what a process has once."""

from __future__ import annotations

import ctypes
import functools
import sys
import threading
from collections.abc import Callable
from typing import TypeVar

R = TypeVar("R")


def once(function: Callable[..., R]) -> Callable[..., R]:
    """A function that makes one thing for the same arguments, whatever threads ask for it at once.

    ``functools.cache`` lets each of them make its own and keeps the last; where machine code has the address of one, or
    lies in it, it has to live on.

    >>> made = once(lambda name: [name])
    >>> made("entry") is made("entry")
    True
    """
    lock, made = threading.RLock(), functools.cache(function)

    @functools.wraps(function)
    def the_one(*arguments: object) -> R:
        with lock:
            return made(*arguments)

    return the_one


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
