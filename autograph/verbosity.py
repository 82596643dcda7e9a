"""What the compiler tells of its work, to whoever asks for it."""

from __future__ import annotations

import sys
from collections.abc import Callable

_level, _to_stdout = 0, False


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Have the compiler tell of its work on standard error.

    At level 1 and above it names each function that it converts, with file and line; from level 3 on it also shows the
    code that the function became. It tells nothing at level 0, which is where it begins. With `alsologtostdout` it
    tells the same on standard output, too. Raises ValueError for other levels.

    >>> set_verbosity(0)
    """
    global _level, _to_stdout
    if not isinstance(level, int) or level < 0:
        raise ValueError(f"set_verbosity({level!r}): 0 is for nothing, 1 for names, 3 for code as well")
    _level, _to_stdout = int(level), bool(alsologtostdout)


def tell(level: int, text: Callable[[], str]) -> None:
    """Tell something, if one of such a level is wanted."""
    if _level < level:
        return
    message = f"AutoGraph: {text()}"
    for stream in [sys.stderr, *([sys.stdout] if _to_stdout else [])]:
        print(message, file=stream)
