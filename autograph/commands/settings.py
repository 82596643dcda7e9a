"""What a project has settled for the command line: ``[tool.autograph]`` in its ``pyproject.toml``."""

from __future__ import annotations

import argparse
import fnmatch
import os
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path

from autograph.code import STYLES
from autograph.commands.selection import is_code


def _is_style(value: object) -> bool:
    return value in STYLES


def _is_width(value: object) -> bool:
    return type(value) is int and value > 0


def _are_patterns(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(pattern, str) for pattern in value)


def _are_codes(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(code, str) and is_code(code) for code in value)


_SETTINGS = {  # with what each has to be
    "width": (_is_width, "a number of columns"),
    "style": (_is_style, f"one of {', '.join(STYLES)}"),
    "exclude": (_are_patterns, "a list of patterns"),
    "select": (_are_codes, "a list of codes (autograph check -h lists them)"),
    "ignore": (_are_codes, "a list of codes (autograph check -h lists them)"),
}


def width(text: str) -> int:
    """A number of columns as an option has it."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of columns")
    return int(text)


def of(path: Path) -> dict[str, object]:
    """The settings of the project that a path lies in. Raises ValueError for those that mean nothing."""
    for folder in _folders(path):
        file = folder / "pyproject.toml"
        if not file.is_file():
            continue
        try:
            tools = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
        if not isinstance(tools, dict) or "autograph" not in tools:
            continue
        if not isinstance(tools["autograph"], dict):
            raise ValueError(f"{file}: [tool.autograph] is no table")
        for name, value in tools["autograph"].items():
            if name not in _SETTINGS:
                raise ValueError(f"{file}: [tool.autograph] has no setting {name!r}: there are {', '.join(_SETTINGS)}")
            holds, what = _SETTINGS[name]
            if not holds(value):
                raise ValueError(f"{file}: [tool.autograph] {name} = {value!r} is not {what}")
        return dict(tools["autograph"])
    return {}


def parsed(parser: argparse.ArgumentParser, arguments: Sequence[str], paths: str) -> argparse.Namespace:
    """The options of a command line, with the settings of the project for those that are not given.

    `paths` is what the parser calls the paths, the first of which says what the project is. Ends the program for
    settings that mean nothing, as for options.
    """
    options = parser.parse_args(arguments)
    first = getattr(options, paths)
    try:
        known = of(Path(first if isinstance(first, str) else first[0]))
    except (ValueError, OSError) as error:
        parser.error(str(error))
    settled = {name: value for name, value in known.items() if hasattr(options, name)}
    if getattr(options, "select", None) is not None:
        settled.pop("ignore", None)  # the command line asks for what the project leaves out
    found = parser.parse_args(arguments, argparse.Namespace(**settled))
    for name, value in settled.items():
        if isinstance(value, list):  # to which argparse appends what is given
            setattr(found, name, getattr(found, name)[len(value) :] or value)
    return found


def is_excluded(path: Path, place: Path, patterns: Sequence[str], named: bool = False) -> bool:
    """Whether a file in a folder, or a folder around it, has a name that is excluded; ``a/b`` is a path from the folder
    or from the project.

    `place` begins with what the command line names, which is not excluded unless `named` says so.
    """
    if not patterns:
        return False
    names = set(_paths_in(place.parts[1:], 0)) | set(place.parts[1:])
    home = root(path)
    if home is not None:
        parts = Path(os.path.realpath(path)).relative_to(home).parts
        names |= set(_paths_in(parts, 0 if named else len(parts) - len(place.parts) + 1))
        names |= set(parts if named else ())
    return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for name in names for pattern in patterns)


def _paths_in(parts: Sequence[str], least: int) -> Iterator[str]:
    """The paths to a file and to the folders around it, of more than so many parts."""
    return ("/".join(parts[:count]) for count in range(least + 1, len(parts) + 1))


def root(path: Path) -> Path | None:
    """The folder of the project that a path lies in."""
    return next((folder for folder in _folders(path) if (folder / "pyproject.toml").is_file()), None)


def _folders(path: Path) -> Iterator[Path]:
    """The folders around a path, the innermost first."""
    whole = Path(os.path.realpath(path))
    yield from (whole, *whole.parents)
