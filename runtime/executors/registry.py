"""The ways to run a graph: who is there, and who runs which."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType

from autograph.late import found
from runtime.graph.callers import warn
from runtime.graph.depth import room_for
from runtime.graph.graph import Graph, Node


@dataclass(frozen=True)
class Executor:
    """One way to run graphs.

    Attributes:
      name: what it is called, here and by ``function(jit_compile=…)``.
      module: has ``compile_graph(graph, whole, tensor_type)``, which gives a function from arrays (and Variables) to a
        tuple of arrays. With `whole` it raises InvalidArgumentError for an operation that it cannot run; else it may
        leave parts to others. It may know how to make and take objects of `tensor_type`: then the function has an
        attribute `direct` that does, and returns None for arguments that are not for it, and with it
        ``only_for(direct, arrays)``, which has it take arrays alone or tensors alone, ``give_arrays(direct)``, which
        has it give NumPy's arrays and numbers, and ``front(direct, otherwise)``, which calls `otherwise` with all other
        arguments. The module may have ``available()``, too, and, if it makes
        machine code, ``divide(graph, whole)``, as `divide` says. It is loaded once a graph is compiled, as that may
        take long.
      requires: the package that it cannot do without, if there is one.
      compiles: whether it makes machine code.
      gains: whether it is worth looking at a graph at all, where nobody asks for this executor.
    """

    name: str
    module: str
    requires: str | None = None
    compiles: bool = False
    gains: Callable[[Graph], bool] = lambda graph: True

    @functools.cached_property
    def functions(self) -> ModuleType:
        """Its module."""
        return found(self.module)

    @functools.cached_property
    def is_there(self) -> bool:
        """Whether it can run anything on this machine."""
        if self.requires is not None and importlib.util.find_spec(self.requires) is None:
            return False
        available = getattr(self.functions, "available", None)
        return available is None or bool(available())


EXECUTORS: dict[str, Executor] = {}  # the last is asked first


def register(executor: Executor) -> Executor:
    """Have graphs run by an executor, too; returns it."""
    EXECUTORS[executor.name] = executor
    return executor


def check(jit_compile: object) -> None:
    """Raise ValueError for what is neither a bool nor None nor the name of an executor."""
    if isinstance(jit_compile, str) and jit_compile not in EXECUTORS:
        names = ", ".join(map(repr, EXECUTORS))
        raise ValueError(f"jit_compile={jit_compile!r} names no executor. It is True, False, None, or one of {names}.")


def compile_graph(
    graph: Graph, jit_compile: bool | str | None = None, tensor_type: object = None
) -> Callable[..., tuple[object, ...]]:
    """A function from arrays (and Variables) to a tuple of arrays.

    Args:
      graph: what to run.
      jit_compile: True for machine code throughout, False for none, None for the executor that gains most, or the name
        of one that is to run all of it. Where nothing here makes machine code, True warns and something else runs it.
      tensor_type: the class of eager tensors; see `Executor`.
    Raises:
      InvalidArgumentError: for an operation that the executor that is asked for cannot run.
      ImportError: where one that is asked for by name needs a package that is not installed.
    """
    executor = _chosen(graph, jit_compile)
    with room_for(graph):
        compiled: Callable[..., tuple[object, ...]] = executor.functions.compile_graph(
            graph, bool(jit_compile), tensor_type
        )
        return compiled


@dataclass(frozen=True)
class Division:
    """Which parts of a graph become machine code: as graphs, each with its code as text. Of the other nodes, why not;
    or why it is none of them."""

    regions: Sequence[tuple[Graph, str]]
    left: Mapping[Node, str]
    why_none: str = ""


def divide(graph: Graph, jit_compile: bool | str | None = None) -> Division:
    """What `compile_graph` would make machine code of; the arguments, and what it raises, are the same."""
    native = [executor for executor in EXECUTORS.values() if executor.compiles]
    missing = [str(executor.requires) for executor in native if not executor.is_there]
    asked = EXECUTORS[jit_compile].compiles if isinstance(jit_compile, str) else jit_compile is not False
    if asked and len(missing) == len(native):
        return Division([], {}, f"{' or '.join(missing)} is not installed")
    executor = _chosen(graph, jit_compile)
    if executor.compiles:
        with room_for(graph):
            return Division(*executor.functions.divide(graph, bool(jit_compile)))
    if jit_compile is None:
        why = "nothing in it loops, recurs, convolves, computes much on large arrays or writes to parts of them"
        return Division([], {}, f"{why}; jit_compile=True compiles it all the same")
    return Division([], {}, f"jit_compile={jit_compile!r}")


def _chosen(graph: Graph, jit_compile: bool | str | None) -> Executor:
    check(jit_compile)
    if isinstance(jit_compile, str):
        executor = EXECUTORS[jit_compile]
        if not executor.is_there:
            raise ImportError(
                f"jit_compile={jit_compile!r} needs {executor.requires} (pip install {executor.requires})"
            )
        return executor
    wanted = [
        executor
        for executor in reversed(EXECUTORS.values())
        if (executor.gains(graph) if jit_compile is None else executor.compiles is bool(jit_compile))
    ]
    found = next((executor for executor in wanted if executor.is_there), None)
    if found is not None:
        return found
    missing = " or ".join(str(executor.requires) for executor in wanted)
    warn(f"jit_compile=True needs {missing} (pip install {missing}); NumPy is used")
    return next(executor for executor in EXECUTORS.values() if executor.is_there)
