"""What a call has changed by the time that it raises an exception stays changed, as without a graph.

A graph that raises has changed nothing. Then another one is run, of the same function with its exceptions caught, which
leaves what had been changed until then.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from typing import Any

# Not a function of this module, whose clauses are not those of a program: it stands for code of the program's.
_TEXT = """\
def until_raised(function, args, kwargs):
    try:
        function(*args, **kwargs)
    except Exception:
        pass
"""
_FILE = "<until it raises>"


def until_raised() -> Callable[..., None]:
    """A function that calls another one, with arguments and keywords, and ends where that raises an exception."""
    linecache.cache[_FILE] = len(_TEXT), None, _TEXT.splitlines(keepends=True), _FILE
    made: dict[str, Any] = {"__name__": "until_raised"}
    exec(compile(_TEXT, _FILE, "exec"), made)
    return made["until_raised"]  # type: ignore[no-any-return]
