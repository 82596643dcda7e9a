"""What a run of a program gives, and whether two runs agree."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import linecache
import os
import re
import signal
import time
import traceback
from dataclasses import dataclass

import numpy as np

import autograph
import runtime as tf
from runtime.errors import (
    InaccessibleTensorError,
    NoValueYetError,
    OperatorNotAllowedInGraphError,
    OpError,
)
from runtime.tensors.frames import OURS
from tests.programs import lacks_native_form

DOCUMENTED = (
    autograph.StagingError,
    autograph.ConversionError,
    autograph.UndefinedVariableError,
    OpError,
    OperatorNotAllowedInGraphError,
    InaccessibleTensorError,
    NoValueYetError,
)
# What Python raises where code is wrong, rather than what it was given.
INTERNAL = (AssertionError, KeyError, AttributeError, IndexError, NameError, RecursionError, SystemError, MemoryError)


@dataclass
class Failure:
    """How a form of a program differs: `what` names the kind, so that a smaller program can be seen to fail alike."""

    what: str
    expected: str
    got: str


@dataclass
class Report:
    """What became of a program: failures, refusals by message, and whether it ran to its end."""

    failures: list[Failure]
    refusals: list[str]
    ran: bool = True


def shown(value, limit=600):
    text = repr(value) if not isinstance(value, str) else value
    return text if len(text) <= limit else text[:limit] + " …"


def cause(error):
    """Where an error was raised: the innermost frame, and whether our own code raised it on purpose."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return "nowhere", False
    last = frames[-1]
    ours = last.filename.startswith(OURS)
    place = os.path.relpath(last.filename, os.path.dirname(OURS[0])) if ours else "outside"
    line = (linecache.getline(last.filename, last.lineno or 0) or "").strip()
    return f"{place}:{last.name}", ours and line.startswith("raise")


def kind_of(error):
    """The class and origin of an error, for telling failures apart."""
    place, _ = cause(error)
    return f"{type(error).__name__} in {place}"


def is_refusal(error):
    """Whether an error of ours tells a user that something cannot be staged."""
    _, deliberate = cause(error)
    if isinstance(error, tf.errors.AssertionFailedError):
        return False
    if isinstance(error, DOCUMENTED):
        return True
    return deliberate and isinstance(error, TypeError | ValueError | NotImplementedError)


def is_deferred(error):
    """Whether a refusal waited until the graph took the branch that cannot be staged, or until it was compiled."""
    if lacks_native_form(error, unknown=True):
        return True
    if not cause(error)[0].endswith("effects.py:fail"):
        return False
    told = ("has no staged meaning", "known only when", "gets its value only when", "while tracing", "cannot become")
    return isinstance(error, DOCUMENTED) or any(words in str(error) for words in told)


def is_internal(error):
    """Whether an error betrays a fault of ours, whatever the program did."""
    if "which nothing" in str(error) or "LLVM" in str(error):
        return True
    if not isinstance(error, Exception):
        return True
    place, deliberate = cause(error)
    indexed = place.startswith("runtime/ops/") or place.startswith("runtime/control/lists.py:")
    if indexed and isinstance(error, IndexError):  # of an index that the program gave
        return False
    return (
        not place.startswith("outside")
        and not deliberate
        and isinstance(error, INTERNAL)
        and not isinstance(error, DOCUMENTED)
    )


def leaves(value):
    """The arrays that a result is made of."""
    return [np.asarray(getattr(leaf, "array", leaf)) for leaf in tf.nest.flatten(value)]


def same_bits(a, b):
    """Whether two arrays are equal to the last bit; one NaN is like another."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind == "c":
        return same_bits(a.real, b.real) and same_bits(a.imag, b.imag)
    if a.dtype.kind == "f":
        signs = np.signbit(a) == np.signbit(b)
        return bool(((np.isnan(a) & np.isnan(b)) | ((a == b) & signs)).all())
    return a.tolist() == b.tolist()


def refused(error):
    """A refusal as it is counted: without names, numbers and quotations."""
    text = str(error).splitlines()[0] if str(error) else ""
    text = re.sub(r"'[^']*'|\"[^\"]*\"|\(.*?\)|\[.*?\]|\d+", "…", text)
    return f"{type(error).__name__}: {text[:100]}"


PLAIN = 2.0  # seconds of the processor that a program may take as plain Python


class TooLong(BaseException):
    """A program that takes too long as plain Python, and so says nothing of what becomes of it."""


@contextlib.contextmanager
def at_most(seconds):
    """Raise TooLong after so many seconds of the processor, and again if the program does not let itself be stopped."""
    over = False

    def stop(*_):
        if not over:
            raise TooLong

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.1)
    try:
        yield
    finally:
        over = True
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


CALLS = 200


def leaks(call):
    """How many bytes each call leaves behind, in the heap of C; 0 where that cannot be told."""
    start = time.perf_counter()
    _tried(call)
    if not hasattr(_libc, "mallinfo2") or time.perf_counter() - start > 0.002:
        return 0
    held = []
    for _ in range(3):
        for _ in range(CALLS):
            _tried(call)
        gc.collect()
        info = _libc.mallinfo2()
        held.append(info.uordblks + info.hblkhd)
    grown = min(held[1] - held[0], held[2] - held[1]) / CALLS
    return int(grown) if grown >= 8 else 0


def _tried(call):
    try:
        call()
    except Exception:
        pass


class _Heap(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


_libc = ctypes.CDLL(None)
if hasattr(_libc, "mallinfo2"):
    _libc.mallinfo2.restype = _Heap
