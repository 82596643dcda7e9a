"""What a command line names: a function of a file, and the arguments of a call."""

from __future__ import annotations

import ast
import linecache
import os
import re
import runpy
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from autograph.errors import without_frames
from runtime.tensors.frames import OURS
from runtime.tensors.spec import TensorSpec


class NoFunctionError(LookupError):
    """What is named is no function of a file; the message says why, in one line."""

    def __str__(self) -> str:
        return str(self.args[0])


def argument(text: str) -> object:
    """A tensor's type or a Python value; raises ValueError for what is neither.

    >>> argument("float32[None, 3]"), argument("int32"), argument("7")
    (TensorSpec(shape=(None, 3), dtype=tf.float32, name=None), TensorSpec(shape=(), dtype=tf.int32, name=None), 7)
    """
    found = re.fullmatch(r"([a-z]\w*)(?:\[(.*)\])?", text.strip())
    try:
        if found is None:
            return ast.literal_eval(text)
        dims = [None if d.strip() in ("None", "?") else int(d) for d in (found[2] or "").split(",") if d.strip()]
        return TensorSpec(dims, found[1])
    except (SyntaxError, TypeError, ValueError):
        raise ValueError(f"{text!r} is neither a type, such as float32[None,3], nor a Python value") from None


def function_in(name: str) -> Callable[..., object]:
    """The function that ``FILE:NAME`` names, or ``FILE:CLASS.METHOD``; the file is run to get it.

    Raises NoFunctionError where there is none; what the file raises goes on.
    """
    path, _, wanted = name.rpartition(":")
    if not path:
        raise NoFunctionError(f"{name!r} names no function: write FILE:NAME")
    if not Path(path).is_file():
        raise NoFunctionError(f"{path}: no such file")
    first, *others = wanted.split(".")
    found = _run(Path(path)).get(first)
    for attribute in others:
        found = getattr(found, attribute, None)
    if not callable(found):
        raise NoFunctionError(f"{path} defines no {wanted!r}")
    function: Callable[..., object] = found
    return function


_beside: set[str] = set()  # the modules that were imported from beside a file


def _run(path: Path) -> dict[str, object]:
    """The names of a file that is run as a script is: what stands beside it can be imported, anew each time."""
    folder = str(path.resolve().parent)
    while _beside:
        sys.modules.pop(_beside.pop(), None)
    before = set(sys.modules)
    sys.path.insert(0, folder)
    try:
        return runpy.run_path(str(path))
    finally:
        sys.path.remove(folder)
        files = {name: getattr(sys.modules[name], "__file__", None) or "" for name in set(sys.modules) - before}
        _beside.update(name for name, file in files.items() if file.startswith(folder + os.sep))
        linecache.checkcache()


def in_user_lines(error: BaseException) -> str:
    """An error of the user's file as Python prints it, less the frames that are not the user's."""
    kept = without_frames(error.__traceback__, (*OURS, "<frozen runpy>"))
    return "".join(traceback.format_exception(type(error), error, kept)).strip()
