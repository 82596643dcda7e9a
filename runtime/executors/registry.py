"""The ways to run a graph: who is there, and who runs which."""

from __future__ import annotations

import functools
import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runtime.graph.graph import Graph


@dataclass(frozen=True)
class Executor:
    """One way to run graphs.

    Attributes:
      name: what it is called.
      module: has `compile_graph`; loaded once a graph is compiled, as it may take long.
      requires: the package that it cannot do without, if there is one.
      gains: whether it is worth looking at a graph at all, where nobody asks for this executor.
    """

    name: str
    module: str
    requires: str | None = None
    gains: Callable[[Graph], bool] = lambda graph: True

    @functools.cached_property
    def functions(self) -> Any:
        """Its module."""
        return importlib.import_module(self.module)

    @functools.cached_property
    def is_there(self) -> bool:
        """Whether it can run anything on this machine."""
        if self.requires is not None and importlib.util.find_spec(self.requires) is None:
            return False
        return bool(self.functions.available())


EXECUTORS: dict[str, Executor] = {}  # besides NumPy, which runs everything


def register(executor: Executor) -> Executor:
    """Have graphs run by an executor, too; returns it."""
    EXECUTORS[executor.name] = executor
    return executor
