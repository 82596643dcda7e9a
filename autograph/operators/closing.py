"""What a generator runs when a loop leaves it before its end: the ``finally`` and ``with`` around its ``yield``.

Python closes a generator that nobody holds any more. That cannot be done for each item at which only the graph knows
whether a loop ends, as a generator cannot be copied; so it has to be known whether there is anything to do.
"""

from __future__ import annotations

import dis
from collections.abc import Sequence
from types import CodeType, GeneratorType
from typing import Any, NamedTuple

from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.identity import ByIdentity

CATCHES = "an `except` that catches GeneratorExit"
CLEANS_UP = "a `finally` or a `with`"


class Closing(NamedTuple):
    """What runs when a generator is closed, as it stands now."""

    what: str
    generator: str
    line: int

    def refused(self, statement: Statement) -> StagingError:
        return StagingError(
            f"the generator {self.generator} has {self.what} around its `yield` in line {self.line}, which Python runs "
            f"when the loop is left, and only the graph knows when that is. Loop over a list instead.\n  {statement}"
        )


def done_on_closing(generator: object) -> Closing | None:
    """What a generator, or one that it yields from, would run if it was closed now; None if that does nothing."""
    if type(generator) is not GeneratorType or generator.gi_running or generator.gi_frame is None:
        return None
    frame = generator.gi_frame
    what = None if frame.f_lasti < 0 else _raised_at(frame.f_code, frame.f_lasti)
    if what is None:
        return done_on_closing(generator.gi_yieldfrom)
    return Closing(what, generator.__name__, frame.f_lineno)


def _raised_at(code: CodeType, offset: int) -> str | None:
    """What runs where GeneratorExit is raised at a place of the code."""
    if not code.co_exceptiontable:
        return None
    known = _known.get(code) or _known.set(code, {})
    if offset not in known:
        known[offset] = _follow(code, offset)
    return known[offset]


_known: ByIdentity[dict[int, str | None]] = ByIdentity()


def _follow(code: CodeType, offset: int) -> str | None:
    """Go through the clauses that an exception comes to, until one does something."""
    bytecode = dis.Bytecode(code)
    instructions, entries = [*bytecode], bytecode.exception_entries  # type: ignore[attr-defined]
    numbers = {instruction.offset: number for number, instruction in enumerate(instructions)}
    seen: set[int] = set()
    while (target := _clause(entries, offset)) is not None and target not in seen:
        seen.add(target)
        number, began = numbers[target], False
        while (name := instructions[number].opname) not in _RAISING:
            argument = instructions[number].argval
            if name == "POP_TOP" and began:
                return CATCHES
            if name.startswith("LOAD_") and argument in ("GeneratorExit", "BaseException"):
                return CATCHES
            if name.startswith("POP_JUMP"):
                number = numbers[argument] - 1  # the next clause: it is another exception
            elif not name.startswith(_ASKING):
                return CLEANS_UP
            began = name == "PUSH_EXC_INFO"
            number += 1
        offset = instructions[number].offset
    return None


def _clause(entries: Sequence[Any], offset: int) -> int | None:
    """Where an exception that is raised at a place of the code goes on."""
    return next((entry.target for entry in entries if entry.start <= offset < entry.end), None)


_RAISING = ("RERAISE", "CLEANUP_THROW")
_ASKING = (  # how instructions begin that change nothing but the generator's own variables
    "PUSH_EXC_INFO", "LOAD_", "STORE_FAST", "DELETE_FAST", "BUILD_TUPLE", "CHECK_EXC_MATCH", "COPY", "SWAP",
    "POP_EXCEPT", "CALL_INTRINSIC_1", "NOP", "NOT_TAKEN", "CACHE", "PRECALL", "EXTENDED_ARG",
)  # fmt: skip
