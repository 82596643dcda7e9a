"""The frames of the user's code: which line is being run, and what its instruction does with a value."""

from __future__ import annotations

import dis
import functools
import itertools
import linecache
import os
import re
import sys
from types import CodeType, FrameType

import numpy as np

from autograph.loading.load import is_marked
from autograph.rules import STAGED_BUILTINS, why_left_alone
from runtime.graph.graph import Named, Place

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
OURS = tuple(os.path.join(_PACKAGES, package) for package in ("runtime", "autograph"))


def user_place() -> Place | None:
    """The line of the user's source that is being run."""
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(OURS):
            return Place(frame.f_code.co_filename, frame.f_lineno)
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None


def user_call() -> tuple[Place | None, Named | None]:
    """The line of the user's source that is being run, and the `name` that is given to what it calls.

    The frame of that call keeps what stands for the name, as each of its operations asks for it.
    """
    frame, ours = sys._getframe(1), None
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(OURS):
            place = Place(code.co_filename, frame.f_lineno)
            return place, None if ours is None or not _takes_name(ours.f_code) else _name_given(ours)
        if code.co_filename.startswith(OURS[0]):
            ours = frame
        if frame.f_back is None:
            return None, None
        frame = frame.f_back
    return None, None


_KEPT = "<named>"


@functools.cache
def _takes_name(code: CodeType) -> bool:
    """Whether a function of ours takes a name for what it records. What classes name is no operation."""
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return "name" in given[1:] and not code.co_name.startswith("_")


def _name_given(frame: FrameType) -> Named | None:
    known = frame.f_locals
    if (kept := known.get(_KEPT)) is not None:
        return kept  # type: ignore[no-any-return]
    if not isinstance(text := known.get("name"), str) or not text:
        return None
    known[_KEPT] = made = Named(text)
    return made


def asker(wanted: str) -> str:
    """Whose code asks for a value, one that it wants as a Python `bool`, `int` …, and what to write there instead."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    convert = "Convert it (autograph.convert), or keep to tensor operations there."
    if frame is None:
        return f"the code that asks was not converted. {convert}"
    code = frame.f_code
    why = why_left_alone(frame.f_globals.get("__name__"))
    text = _expression(frame)
    called = re.match(r"(?:\w+\.)*(\w+)(?:\(\[|\()", text)
    name = called[1] if called is not None else ""
    listed = "([" if called is not None and called[0].endswith("[") else ""
    if is_marked(code) or (why is None and wanted != "`bool`" and name not in STAGED_BUILTINS):
        asks = f"`{text}` ({code.co_filename}:{frame.f_lineno}) asks for it now"
        if instead := _INSTEAD.get(name + listed) or (isinstance(vars(np).get(name), np.ufunc) and f"np.{name}"):
            return f"{asks}. Write {instead}, which becomes part of the graph."
        return f"{asks}. Use tensor operations there, or runtime.py_function, which calls it when the graph runs."
    where = f"{code.co_qualname} ({code.co_filename}:{frame.f_lineno})"
    return f"{where}, which asks for it, was not converted{f', as {why}' if why else ''}. {convert}"


# What makes a tensor of values of the graph, for functions of NumPy that make an array.
_INSTEAD = {
    "arange": "runtime.range", "array([": "runtime.stack", "asarray([": "runtime.stack", "empty": "runtime.zeros",
    "eye": "runtime.eye", "full": "runtime.fill", "identity": "runtime.eye", "linspace": "runtime.linspace",
    "ones": "runtime.ones", "zeros": "runtime.zeros",
}  # fmt: skip


def _expression(frame: FrameType) -> str:
    """The expression that a frame is at, or else its line."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    first, last, start, end = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    whole = first == last == frame.f_lineno and start is not None and end is not None
    return (line.encode()[start:end].decode(errors="replace") if whole else line).strip()


def indexed_object() -> tuple[str, str] | None:
    """Which of NumPy's objects that make arrays of an index is asking, and what to use instead."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        asks = frame.f_code.co_qualname
        if asks in ("nd_grid.__getitem__", "AxisConcatenator.__getitem__"):
            asker = frame.f_locals.get("self")
            if asks.startswith("nd_grid"):
                name = "np.ogrid" if getattr(asker, "sparse", False) else "np.mgrid"
                return name, "runtime.range, with None in an index for each other axis"
            return {"CClass": "np.c_"}.get(type(asker).__name__, "np.r_"), "runtime.concat or runtime.stack"
        frame = frame.f_back if frame.f_code.co_filename.startswith(OURS) or "numpy" in asks + _module(frame) else None
    return None


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def wants_class(frame: FrameType) -> bool:
    """Whether it is the user's code that asks for a class, and not a function in C that it calls and that looks."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return not line or any(word in line for word in ("isinstance", "issubclass", "__class__", "case "))


def unpacks(frame: FrameType) -> int | None:
    """How many names the statement that a frame is at takes apart a value for: ``a, b = x``."""
    at, code = frame.f_lasti, frame.f_code.co_code
    return code[at + 1] if dis.opname[code[at]] == "UNPACK_SEQUENCE" else None


def assigns_item(frame: FrameType) -> str:
    """The line of an assignment ``a[i] = v`` that a frame is at, if it is at one."""
    if dis.opname[frame.f_code.co_code[frame.f_lasti]] not in ("STORE_SUBSCR", "STORE_SLICE"):
        return ""
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals).strip()


def is_augmented(frame: FrameType | None) -> bool:
    """Whether what a user's frame is at is an augmented assignment: ``a *= b``."""
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    if frame is None:
        return False
    at, code = frame.f_lasti, frame.f_code.co_code
    return dis.opname[code[at]] == "BINARY_OP" and code[at + 1] >= _FIRST_AUGMENTED


_FIRST_AUGMENTED = 13  # of Python's operators (NB_INPLACE_ADD)
