"""The command line: a file a command; what names no command is a file to show."""

from __future__ import annotations

import sys
import warnings

from autograph.commands import check, convert, files, show

COMMANDS = {"check": check.main, "convert": convert.main}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    command = COMMANDS.get(arguments[0]) if arguments else None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # which are for who runs the files
            warnings.simplefilter("ignore", DeprecationWarning)
            status = show.main(arguments) if command is None else command(arguments[1:])
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # the reader (head, less) has seen enough
        sys.stderr.close()
        return 0
    except KeyboardInterrupt:
        return files.fail(130, "interrupted")
    except UnicodeEncodeError as error:
        missing = error.object[error.start : error.end]
        return files.fail(
            2, f"standard output is in {error.encoding}, which has no {missing!a}: set PYTHONIOENCODING=utf-8"
        )
    except OSError as error:
        return files.fail(2, files.reason(error))
