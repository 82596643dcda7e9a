"""Graphs run by NumPy: the text of a graph is compiled, and an error tells the line of the user's that it came from."""

from __future__ import annotations

import itertools
import linecache
import os
import traceback
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Any

import numpy as np

from runtime.executors.numpy.sharing import apart, shared_outputs
from runtime.executors.numpy.text import program
from runtime.graph.errors import ours
from runtime.graph.graph import Graph, Place, TensorType, Value
from runtime.graph.op import NAMESPACE
from runtime.ops.effects import RAISING
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
            if _is_of_an_operation(error, filename) and (told := ours(error)) is not error:
                raise told from None
            raise

    return execute


def _is_number(value: Value) -> bool:
    return isinstance(value.type, TensorType) and value.type.shape == () and value.type.dtype.dtype.kind in "biufc"


def _is_told_by_the_program(error: Exception) -> bool:
    """Whether an exception is one that the user's code raises, of which a line of the graph would tell nothing."""
    return _frame(error).f_code in RAISING and not os.environ.get("AUTOGRAPH_FULL_TRACEBACK")


def _frame(error: Exception) -> FrameType:
    """Where an exception was raised."""
    *_, (frame, _) = traceback.walk_tb(error.__traceback__)
    return frame


def _is_of_an_operation(error: Exception, filename: str) -> bool:
    """Whether a line of the graph has failed, or what an operation calls of NumPy's, rather than what it calls back."""
    below: list[FrameType] = []
    for frame, _ in traceback.walk_tb(error.__traceback__):
        below = [] if frame.f_code.co_filename == filename else [*below, frame]
    if type(error) is IndexError:  # kernels say themselves what is outside of what
        return not below
    names = (frame.f_globals.get("__name__", "") for frame in below)
    return all(name.startswith(("numpy.", "runtime.ops.")) for name in names)


def _add_place(error: Exception, filename: str, places: dict[int, tuple[Place, ...]]) -> None:
    """Tell which line of the user's code the failing line of the graph came from."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        (place, *_) = places.get(frame.lineno or 0, (None,)) if frame.filename == filename else (None,)
        if place is not None:
            source = linecache.getline(place.filename, place.line).strip()
            shown = f"\n    {source}" if source else ""  # of what was loaded nobody has the source
            error.add_note(f'in the graph, from File "{place.filename}", line {place.line}{shown}')
            return
