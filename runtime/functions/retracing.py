"""A word to who calls a function so that it is traced again and again, which costs more than it computes."""

from __future__ import annotations

import numpy as np

from runtime.functions.signature import Arguments
from runtime.graph.callers import warn
from runtime.graph.graph import TensorType

_MANY = 8  # traces for changes of one argument


class Retracing:
    """Watches for what a function is traced again; holds nothing of the arguments."""

    def __init__(self) -> None:
        self._last: dict[str, tuple[str, str]] = {}
        self._seen: dict[str, list[str]] = {}
        self._told = False
        self._acted = 0

    def note(self, function: str, arguments: Arguments, acts: str = "", why: str = "") -> None:
        """Note a trace; warns where there have been many that differ from the one before in the same argument alone, or
        that have changed what outlives the call (`acts`). It may be told `why` NumPy's numbers are known by value."""
        self._acted += bool(acts)
        if self._acted > _MANY and not self._told:
            self._told = True
            warn(
                f"{function} has been traced for each of {self._acted} calls, as it changes '{acts}', which outlives "
                "them. That takes milliseconds: return the new value, and let the caller keep it."
            )
        rows = zip(arguments.names, arguments.types, arguments.leaves)
        now = {name: _described(kind, leaf) for name, kind, leaf in rows}
        last, self._last = self._last, now
        changed = [name for name in now if now[name] != last.get(name)] if now.keys() == last.keys() else []
        if self._told or len(changed) != 1:
            return
        (name,) = changed
        (kind, text), seen = now[name], self._seen.setdefault(name, [last[name][1]])
        if kind != last[name][0] or kind == "object":
            return
        seen.append(text)
        if len(seen) <= _MANY:
            return
        self._told = True
        shown = ", ".join(seen[-3:])
        times = f"{function} has been traced {len(seen)} times, each time for another"
        if kind.startswith("shape"):
            told = (
                f"{times} shape of '{name}' (… {shown}). Say reduce_retracing=True, or give an input_signature with "
                "None for the sizes that change."
            )
        elif why:
            told = f"{times} value of '{name}' (… {shown}), since one graph for all was refused: {why}"
        else:
            told = (
                f"{times} value of '{name}' (… {shown}): Python values are part of the graph. Pass a tensor, "
                f"runtime.constant({text}), to have one graph for all."
            )
        warn(f"{told} Its explain_tracing() tells of each trace.")


class Unwatched(Retracing):
    """Of a function that nobody calls who could do anything about it."""

    def note(self, function: str, arguments: Arguments, acts: str = "", why: str = "") -> None:
        pass


def _described(kind: object, leaf: object) -> tuple[str, str]:
    """What an argument is, and the part of it that changes most."""
    if isinstance(kind, TensorType):
        return f"shape of {kind.dtype.name}", f"{kind}"
    if type(leaf) in (int, float, bool, str) or isinstance(leaf, np.generic):
        text = repr(leaf)
        return type(leaf).__name__, text if len(text) <= 40 else f"{text[:37]}…"
    return "object", f"{type(leaf).__name__} {id(leaf)}"
