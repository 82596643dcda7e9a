"""Graphs run by NumPy: the text of a graph is compiled, and an error tells the line of the user's that it came from."""

from __future__ import annotations

import itertools
import linecache
import os
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np

from runtime.executors.numpy.sharing import apart, shared_outputs
from runtime.executors.numpy.text import program
from runtime.graph.errors import InvalidArgumentError, OpError, OutOfBoundsError
from runtime.graph.graph import Graph, Place, TensorType, Value
from runtime.graph.op import NAMESPACE
from runtime.ops.effects import RAISING
from runtime.ops.streams import CALLING
from runtime.ops.trip_count import has_loop

_numbers = itertools.count()
_gone: list[str] = []  # texts that nobody runs any more; one may go while `linecache` looks through what it has


def compile_graph(graph: Graph, whole: bool = True, tensor_type: object = None) -> Callable[..., object]:
    """A function from arrays (and Variables) to a tuple of arrays: of the whole graph, and of arrays alone."""
    made = program(graph, in_place=True)
    filename = f"<graph {graph.name} #{next(_numbers)}>"
    text = made.text
    with suppress(IndexError):
        while True:
            linecache.cache.pop(_gone.pop(), None)
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    names: dict[str, Any] = {**NAMESPACE, **made.names}
    exec(compile(text, filename, "exec"), names)
    run = names[made.entry]
    weakref.finalize(run, _gone.append, filename)
    numbers = [i for i, v in enumerate(graph.inputs) if _is_number(v)] if has_loop(graph) else []
    shared, constants = shared_outputs(graph), [c for c in made.names.values() if isinstance(c, np.ndarray)]

    def execute(*arrays: Any) -> object:
        if numbers:  # an array without dimensions takes ten times as long to compute with
            given = list(arrays)
            for i in numbers:
                given[i] = given[i][()]
            arrays = tuple(given)
        try:
            with np.errstate(all="ignore"):
                return apart(run(*arrays), shared, arrays, constants) if shared else run(*arrays)
        except Exception as error:
            _add_place(error, filename, made.places)
            if _is_told_by_the_program(error):
                raise error.with_traceback(None)  # noqa: B904
            if (kind := _KINDS.get(type(error))) is not None and not _calls_python(error):
                raise _as(kind, error) from None
            raise

    return execute


def _is_number(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.shape == () and value.type.dtype.dtype.kind in "biufc"


def _is_told_by_the_program(error: Exception) -> bool:
    """Whether an exception is one that the user's code raises, of which a line of the graph would tell nothing."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    return frame is not None and frame.tb_frame.f_code in RAISING and not os.environ.get("AUTOGRAPH_FULL_TRACEBACK")


# What NumPy raises, and what that is as operations that run at once raise it.
_KINDS: dict[type, type[OpError]] = {IndexError: OutOfBoundsError, ValueError: InvalidArgumentError}


def _as(kind: type[OpError], error: Exception) -> OpError:
    made = kind(str(error)).with_traceback(error.__traceback__)
    for note in getattr(error, "__notes__", ()):
        made.add_note(note)
    return made


def _calls_python(error: Exception) -> bool:
    """Whether an exception comes from Python code of the user's that the graph has called."""
    return any(frame.f_code in CALLING for frame, _ in traceback.walk_tb(error.__traceback__))


def _add_place(error: Exception, filename: str, places: dict[int, tuple[Place, ...]]) -> None:
    """Tell which line of the user's code the failing line of the graph came from."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        (place, *_) = places.get(frame.lineno or 0, (None,)) if frame.filename == filename else (None,)
        if place is not None:
            source = linecache.getline(place.filename, place.line).strip()
            shown = f"\n    {source}" if source else ""  # of what was loaded nobody has the source
            error.add_note(f'in the graph, from File "{place.filename}", line {place.line}{shown}')
            return
