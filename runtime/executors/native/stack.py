"""How deep calls may go: as far as the stack of the thread reaches."""

from __future__ import annotations

import ctypes
import functools
import threading

from runtime.executors.native.code import Code, Module
from runtime.executors.native.machine import once_for_all
from runtime.executors.native.system import c_library

_MARGIN = 256 * 1024  # bytes that stay for a function's own frame and what it calls from libraries
_UNKNOWN = 512 * 1024  # bytes from here that a stack is taken to have where the system does not say

# Of the first thread the end of the stack is known already: to ask for it takes long.
_LIMIT = """
@stack.first = external global i8
@stack.low = external global i8
declare i64 @pthread_self()
declare i32 @pthread_getattr_np(i64, ptr)
declare i32 @pthread_attr_getstack(ptr, ptr, ptr)
declare i32 @pthread_attr_destroy(ptr)

define i64 @stack.limit() {{
entry:
  %attributes = alloca [16 x i64]
  %low = alloca i64
  %size = alloca i64
  %me = call i64 @pthread_self()
  %first = icmp eq i64 %me, ptrtoint (ptr @stack.first to i64)
  br i1 %first, label %known, label %ask
known:
  ret i64 ptrtoint (ptr @stack.low to i64)
ask:
  %got = call i32 @pthread_getattr_np(i64 %me, ptr %attributes)
  %told = call i32 @pthread_attr_getstack(ptr %attributes, ptr %low, ptr %size)
  %ended = call i32 @pthread_attr_destroy(ptr %attributes)
  %lowest = load i64, ptr %low
  %limit = add i64 %lowest, {margin}
  ret i64 %limit
}}
"""
_GUESS = """
declare ptr @llvm.frameaddress.p0(i32)

define i64 @stack.limit() {{
entry:
  %frame = call ptr @llvm.frameaddress.p0(i32 0)
  %here = ptrtoint ptr %frame to i64
  %limit = sub i64 %here, {unknown}
  ret i64 %limit
}}
"""


@functools.cache
def _first_stack() -> tuple[int, int] | None:
    """The first thread, and the lowest address that its calls may reach; None where the system does not say."""
    process = c_library()
    if not hasattr(process, "pthread_getattr_np"):
        return None
    first = threading.main_thread().ident or 0
    attributes, low, size = (ctypes.c_uint64 * 16)(), ctypes.c_uint64(), ctypes.c_uint64()
    process.pthread_getattr_np(ctypes.c_uint64(first), attributes)
    process.pthread_attr_getstack(attributes, ctypes.byref(low), ctypes.byref(size))
    process.pthread_attr_destroy(attributes)
    return first, low.value + _MARGIN


def _write(module: Module) -> None:
    found = _first_stack()
    if found is None:
        module.functions.append(_GUESS.format(unknown=_UNKNOWN))
    else:
        module.functions.append(_LIMIT.format(margin=_MARGIN))
        module.symbols.update({"stack.first": found[0], "stack.low": found[1]})  # code on disk serves other processes


def limit(module: Module) -> str:
    """The lines that compute the lowest address that calls may reach, as ``%limit``."""
    once_for_all(module, {"stack.limit": "i64 ()"}, _write)
    return "  %limit = call i64 @stack.limit()"


def room(code: Code, lowest: str) -> str:
    """Whether this function, which has just been called, lies above an address."""
    frame = code.call("llvm.frameaddress.p0", "ptr", [("i32", "0")])
    return code.let(f"icmp ugt i64 {code.let(f'ptrtoint ptr {frame} to i64')}, {lowest}")
