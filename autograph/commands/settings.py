"""What a project has settled for the command line: ``[tool.autograph]`` in its ``pyproject.toml``."""

from __future__ import annotations

import argparse
import fnmatch
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

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


def of(path: Path) -> dict[str, Any]:
    """The settings of the project that a path lies in. Raises ValueError for those that mean nothing."""
    for folder in _folders(path):
        file = folder / "pyproject.toml"
        if not file.is_file():
            continue
        try:
            tools = tomllib.loads(file.read_text(encoding="utf-8")).get("tool", {})
        except ValueError as error:
            raise ValueError(f"{file}: {error}") from None
        if "autograph" not in tools:
            continue
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
    except ValueError as error:
        parser.error(str(error))
    settled = {name: value for name, value in known.items() if hasattr(options, name)}
    found = parser.parse_args(arguments, argparse.Namespace(**settled))
    for name, value in settled.items():
        if isinstance(value, list):  # to which argparse appends what is given
            setattr(found, name, getattr(found, name)[len(value) :] or value)
    return found


def is_excluded(place: Path, patterns: Sequence[str]) -> bool:
    """Whether a file in a folder, or a folder around it, has a name that is excluded; ``a/b`` is a path from there.

    `place` begins with the folder that the command line names, which is not excluded.
    """
    inside = place.parts[1:]
    names = [*inside, *("/".join(inside[: n + 1]) for n in range(len(inside)))]
    return any(fnmatch.fnmatch(name, pattern.rstrip("/")) for name in names for pattern in patterns)


def root(path: Path) -> Path | None:
    """The folder of the project that a path lies in."""
    return next((folder for folder in _folders(path) if (folder / "pyproject.toml").is_file()), None)


def _folders(path: Path) -> Iterator[Path]:
    """The folders around a path, the innermost first."""
    whole = path.resolve()
    yield from (whole, *whole.parents)
