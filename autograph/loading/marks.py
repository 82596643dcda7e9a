"""The mark of what this compiler made: converted code ends its constants with the operators."""

from __future__ import annotations

import types

from autograph import operators


def is_marked(code: types.CodeType) -> bool:
    """Whether this compiler made the code."""
    return code.co_consts[-1:] == (operators,)
