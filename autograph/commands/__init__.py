"""The command line: a file a command; what names no command is a file to show."""

from __future__ import annotations

import sys
from pathlib import Path

from autograph.commands import check, convert, show

COMMANDS = {"check": check.main, "convert": convert.main}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments and arguments[0] in COMMANDS and not Path(arguments[0]).exists():
            return COMMANDS[arguments[0]](arguments[1:])
        return show.main(arguments)
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
