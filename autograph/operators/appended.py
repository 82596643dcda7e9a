"""Lists that a program does nothing with but append to them, as its history: what they hold decides nothing."""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from autograph.identity import ByIdentity

_APPENDS = ("append", "extend")
_LOCALS = ("LOAD_FAST", "LOAD_CONST")  # and what begins so: they are no variables of objects or of functions around


def name_of(path: Any) -> str:
    """The last name on the way to what is held: of an attribute or a variable; after it there are only keys. Empty
    where there is none.

    A path is the name of a variable, or a path, whether the next step is an item, and its key.
    """
    while not isinstance(path, str):
        path, is_item, key = path
        if not is_item:
            return str(key)
    return path


@dataclass(frozen=True)
class Uses:
    """The names that code, and code in it, uses to append to what they stand for, or to its items; and for else."""

    appending: frozenset[str]
    other: frozenset[str]


def uses(code: types.CodeType) -> Uses:
    known = _known.get(code)
    if known is None:
        found: dict[bool, set[str]] = {True: set(), False: set()}
        for name, appends in _uses(code):
            found[appends].add(name)
        known = _known.set(code, Uses(frozenset(found[True]), frozenset(found[False])))
    return known


def does_the_same(code: types.CodeType, original: types.CodeType) -> None:
    """Tell that code is the converted form of other code."""
    _known.set(code, uses(original))


_known: ByIdentity[Uses] = ByIdentity()


def _uses(code: types.CodeType) -> Iterator[tuple[str, bool]]:
    steps = [*dis.get_instructions(code)]
    for number, step in enumerate(steps):
        if step.opname.startswith("LOAD") and not step.opname.startswith(_LOCALS) and type(step.argval) is str:
            yield step.argval, _appends(steps, number + 1)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _uses(constant)


def _appends(steps: Sequence[dis.Instruction], number: int) -> bool:
    """Whether what is on the stack is appended to there, or an item of it with a key that is written there."""
    while steps[number].opname == "LOAD_CONST" and steps[number + 1].opname.startswith("BINARY_"):
        number += 2
    return steps[number].opname in ("LOAD_ATTR", "LOAD_METHOD") and steps[number].argval in _APPENDS
