"""The marks of what this compiler made: converted code ends its constants with the operators.

Code that is kept in a file can hold no such thing: there the last constant is a text that no program has, and before it
stands the key of the text of the module (`imported.text_of`).
"""

from __future__ import annotations

import types

from autograph import operators

GUARDED = "<autograph guarded>"  # it hands its calls to its converted form while something is traced
LOOKING = "<autograph looking>"  # as well, until a trace begins: then it gets code that is converted in its place
IN_PLACE = "<autograph in place>"  # it is such code, or stands in it
_MARKS = frozenset(((GUARDED,), (LOOKING,), (IN_PLACE,)))


def is_marked(code: types.CodeType) -> bool:
    """Whether this compiler made the code."""
    last = code.co_consts[-1:]
    return last == (operators,) or (type(last[0]) is str and last in _MARKS if last else False)


def key_behind_guard(code: types.CodeType) -> str | None:
    """The key of the text of the module, of code that was imported with a guard; None of other code."""
    last = code.co_consts[-1:]
    return code.co_consts[-2] if last == (GUARDED,) or last == (LOOKING,) else None
