"""What a program gives, prints and raises, as data that two libraries can be compared by."""

from __future__ import annotations

import importlib
import math
import os
import pkgutil
import re
import sys
import tempfile
from collections.abc import Mapping
from contextlib import contextmanager

import numpy as np

from tests.tensorflow import programs

NAMES = sorted(module.name for module in pkgutil.iter_modules(programs.__path__))
_LOG = re.compile(r"(WARNING|INFO|ERROR):|[IWEF]\d{4}[ :]|[WEI]0000 |\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+: [IWEF] ")
_ADDRESS = re.compile(r"0x[0-9a-f]+")


def observed(tf, name):
    """What a program shows under each of its names."""
    found = {}

    def see(what, action):
        assert what not in found, f"{name} has two observations called {what}"
        found[what] = _outcome(action)

    tf.keras.backend.clear_session()  # layers are numbered from the first on
    importlib.import_module(f"tests.tensorflow.programs.{name}").run(tf, see)
    return found


def _outcome(action):
    outcome = {}
    with _printed() as lines:
        try:
            outcome["value"] = described(action())
        except Exception as error:
            outcome["raises"] = [kind.__name__ for kind in type(error).__mro__ if kind is not object]
    if lines:
        outcome["printed"] = lines
    return outcome


@contextmanager
def _printed():
    """The lines that come to standard output and standard error, from wherever: TensorFlow writes them in C++."""
    lines = []
    width = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "80"  # of tables, whatever the terminal is
    streams = sys.stdout, sys.stderr
    for stream in streams:
        stream.flush()
    kept = os.dup(1), os.dup(2)
    with tempfile.TemporaryFile("w+b", buffering=0) as file:
        appending = os.open(f"/dev/fd/{file.fileno()}", os.O_WRONLY | os.O_APPEND)
        os.dup2(appending, 1)
        os.dup2(appending, 2)
        sys.stdout = open(os.dup(appending), "w", encoding="utf-8", buffering=1)
        sys.stderr = open(os.dup(appending), "w", encoding="utf-8", buffering=1)
        os.close(appending)
        try:
            yield lines
        finally:
            os.environ.pop("COLUMNS")
            if width is not None:
                os.environ["COLUMNS"] = width
            sys.stdout.close()
            sys.stderr.close()
            sys.stdout, sys.stderr = streams
            os.dup2(kept[0], 1)
            os.dup2(kept[1], 2)
            os.close(kept[0])
            os.close(kept[1])
            file.seek(0)
            text = file.read().decode()
            lines += [_ADDRESS.sub("0x…", line) for line in text.splitlines() if not _LOG.match(line)]


def described(value):
    """A value as JSON has it: with its kind, and tensors with dtype and shape."""
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float | complex | bytes):
        return _plain(value)
    if isinstance(value, np.ndarray | np.generic):
        return {"numpy": [value.dtype.name, list(value.shape), _plain(value.tolist())]}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {type(value).__name__: [described(item) for item in value]}
    if isinstance(value, tuple):
        return {"tuple": [described(item) for item in value]}
    if isinstance(value, list):
        return [described(item) for item in value]
    if isinstance(value, Mapping):
        return {"dict": {str(key): described(item) for key, item in value.items()}}
    if hasattr(value, "as_list"):
        return {"shape": str(value)}
    if hasattr(value, "numpy") and hasattr(value, "dtype"):
        kind, array = "variable" if hasattr(value, "assign_add") else "tensor", np.asarray(value.numpy())
        return {kind: [getattr(value.dtype, "name", value.dtype), list(array.shape), _plain(array.tolist())]}
    return str(value)


def _plain(value):
    if isinstance(value, np.ndarray | np.generic):  # among objects
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, bytes):
        return f"b'{value.decode('utf-8', 'replace')}'"
    if isinstance(value, complex):
        return {"complex": [_plain(value.real), _plain(value.imag)]}
    return value if not isinstance(value, float) or math.isfinite(value) else str(value)


def difference(mine, theirs, classes):
    """How an outcome differs from TensorFlow's, or nothing; of the classes that an error has, these are public."""
    if ("raises" in mine) != ("raises" in theirs):
        return f"{mine} instead of {theirs}"
    if "raises" in theirs:
        wanted = next(name for name in theirs["raises"] if name in classes)
        if wanted not in mine["raises"]:
            return f"{mine['raises'][0]} instead of {wanted}"
    for part in ("value", "printed"):
        if not _alike(mine.get(part), theirs.get(part)):
            return f"{part} {mine.get(part)!r} instead of {theirs.get(part)!r}"
    return ""


def _alike(a, b):
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_alike(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(_alike, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-5, abs_tol=1e-6)
    return type(a) is type(b) and a == b
