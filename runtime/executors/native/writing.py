"""Variables are given what a run has made of them, all at once and at its end.

Where another thread has written to one of them since the run read it, the run is done again. So a run counts as done in
the moment in which it writes, what others add meanwhile is not lost, and nobody waits for a run that goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from threading import Lock
from typing import Protocol

_FEW = 8  # Variables that are locked by a statement written for them
_number = attrgetter("number")


def back(changed: Sequence[str], inputs: Sequence[str]) -> list[str]:
    """The lines of a function ``run`` that do it, for Variables of these names; ``ax`` is what was read of ``x``."""
    if not changed:
        return []
    again = f"    if not same: return alone(run, ({', '.join(inputs)},), [{', '.join(changed)}])"
    if len(changed) > _FEW:
        parts = (f"({x}, a{x}, w{x})" for x in changed)
        return [f"    same = replace([{', '.join(parts)}])", again]
    ordered, lines = changed, []
    if len(changed) > 1:  # in their order, so that no two threads wait for each other
        ordered, all_ = [f"o{x}" for x in changed], f"({', '.join(changed)})"
        rising = " < ".join(f"{x}.number" for x in changed)
        lines.append(f"    {', '.join(ordered)} = {all_} if {rising} else sorted({all_}, key=number)")
    return [
        *lines,
        f"    with {', '.join(f'{x}.lock' for x in ordered)}:",
        f"        same = {' and '.join(f'{x}.array is a{x}' for x in changed)}",
        f"        if same: {'; '.join(f'{x}.array = w{x}' for x in changed)}",
        again,
    ]


class _Variable(Protocol):
    array: object
    lock: Lock


def _replace(changes: Sequence[tuple[_Variable, object, object]]) -> bool:
    """Give Variables new arrays (the last of each) if all of them still hold the ones before; returns whether."""
    with _all_locked(variable for variable, _, _ in changes):
        for variable, before, _ in changes:
            if variable.array is not before:
                return False
        for variable, _, after in changes:
            variable.array = after
        return True


def _alone(run: Callable[..., object], inputs: Sequence[object], changed: Sequence[_Variable]) -> object:
    """Run once more, while nobody else writes to these Variables."""
    with _all_locked(changed):
        return run(*inputs)


@contextmanager
def _all_locked(variables: Iterable[_Variable]) -> Iterator[None]:
    locks: list[Lock] = []
    try:
        for variable in sorted(variables, key=_number):
            variable.lock.acquire()
            locks.append(variable.lock)
        yield
    finally:
        for lock in reversed(locks):
            lock.release()


NAMES = {"replace": _replace, "alone": _alone, "number": _number}  # what the lines name
