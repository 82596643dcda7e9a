"""The command line: a file a command, and what installed packages add; what names no command is a file to show."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from autograph.commands import check, completion, convert, files, show

Command = Callable[[list[str]], int]
_GROUP = "autograph.commands"  # of entry points: functions from arguments to an exit status
_RUNTIME = "the package runtime (autograph-python[runtime])"


def _completion(arguments: list[str]) -> int:
    """The command that knows all others."""
    from importlib import metadata  # which takes longer to import than all of ours

    known = {"check": check.parser(), "convert": convert.parser()}
    for entry in metadata.entry_points(group=_GROUP):
        try:
            module = sys.modules[entry.load().__module__]
        except ImportError:
            continue  # it cannot be called, either
        if hasattr(module, "parser"):
            known[entry.name] = module.parser()
    return completion.completed(arguments, completion.parser(), show.parser(), known)


COMMANDS: dict[str, Command] = {"check": check.main, "completion": _completion, "convert": convert.main}


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if (added := _added(arguments[0]) if arguments else None) is not None:
            return added(arguments[1:])
        command = COMMANDS.get(arguments[0]) if arguments else None
        if command is None and arguments and (meant := _misspelled(arguments[0])):
            return files.fail(2, f"{arguments[0]} is no command, and no file. Did you mean `autograph {meant}`?")
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


def _misspelled(name: str) -> str | None:
    """The command that was meant by what names neither one nor a file."""
    if not name.isalpha() or Path(name).exists():
        return None
    import difflib

    return next(iter(difflib.get_close_matches(name, [*COMMANDS, "explore"], 1, cutoff=0.75)), None)


def _added(name: str) -> Command | None:
    """The command of that name that a package has registered, if there is one."""
    if name in COMMANDS or not name.isidentifier():
        return None
    from importlib import metadata  # which takes longer to import than all of ours

    for entry in metadata.entry_points(group=_GROUP, name=name):
        try:
            found: Command = entry.load()
        except ImportError as error:
            needed = f"{error.name} (pip install {error.name})" if error.name else str(error)
            return lambda _: files.fail(2, f"the command {name} needs {needed}")
        return found
    if name == "explore" and not Path(name).exists():  # it comes with the runtime
        from importlib import util

        there = util.find_spec("runtime") is not None  # beside this package, where nobody has installed the two
        needed = "an installed package; here it is `python -m runtime explore`" if there else _RUNTIME
        return lambda _: files.fail(2, f"the command explore needs {needed}")
    return None
