"""Why something stays Python: one table, with the codes that the command line knows the reasons by."""

from __future__ import annotations

import enum


class Reason(enum.StrEnum):
    """A reason, which is its text; with its code, and whether it costs something: a staged value is refused there."""

    code: str
    costs: bool

    def __new__(cls, code: str, text: str, costs: bool) -> Reason:
        self = str.__new__(cls, text)
        self._value_, self.code, self.costs = text, code, costs
        return self

    @property
    def is_error(self) -> bool:
        """Whether a command fails for it."""
        return self.code.startswith("AG0")

    NO_PYTHON = "AG001", "the file is no Python", True
    REFUSED = "AG002", "the function is refused, as the message says", True
    WRONG_COMMENT = "AG003", "a comment `# autograph: ignore` is not as it has to be", True

    MARKED = "AG101", "it is marked do_not_convert", False

    WAITS = "AG201", "it holds a yield or an await", True
    READS_FRAME = "AG202", "it reads the variables of its own frame", True
    IMPORTS_ALL = "AG203", "it imports every name of a module", True
    JUMPS_IN_LOOP = "AG204", "it jumps in a loop that stays", True
    RETURNS_FROM_LOOP = "AG205", "it returns out of a loop that stays", True
    JUMP_IS_NO_FLAG = "AG206", "a jump out of it cannot be a flag", True
    ASYNCHRONOUS = "AG207", "it is an asynchronous loop", True
    GUARD_BINDS = "AG208", "a guard binds a variable", True
    IN_CLASS_BODY = "AG209", "it is in a class body", True
    IN_FINALLY = "AG210", "it is in a finally clause that jumps", True

    PYTHON_CONDITION = "AG301", "its condition is a Python value", False
    PYTHON_ITERABLE = "AG302", "what it runs over is a Python value", False
    TAKES_ALL = "AG303", "its one pattern takes everything", False
    UNREACHABLE = "AG304", "nothing reaches it, behind a jump", False
