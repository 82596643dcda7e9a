"""The files that a command line names, their text, and what is said where one cannot be had."""

from __future__ import annotations

import importlib.util
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

EXCLUDED = "leave files and folders of such names as they are (tests, *_pb2.py, inner/data); may be repeated"
PATH = "a file, a folder, or the dotted name of a package"


def found(path: str, output: Path | None = None) -> Iterator[tuple[Path, Path]]:
    """The files of a path or package, with where each stands in relation to it; not those of a folder inside that is
    written into."""
    root = Path(path)
    if not root.exists():
        root = _package(path)
    if root.is_file():
        yield root, Path(root.name)
        return
    written = None if output is None else output.resolve()
    for file in sorted(root.rglob("*")):
        if written is not None and root.resolve() in written.parents and written in file.resolve().parents:
            continue
        parts = file.relative_to(root).parts
        hidden = any(part.startswith(".") or part == "__pycache__" for part in parts)
        if file.is_file() and not hidden:
            yield file, Path(root.resolve().name, *parts)


def _package(name: str) -> Path:
    missing = FileNotFoundError(f"{name}: no such file or folder, nor a package of that name")
    if not all(part.isidentifier() for part in name.split(".")):
        raise missing
    try:
        spec = importlib.util.find_spec(name.partition(".")[0])  # of the outermost, so that nothing is imported
    except (ImportError, ValueError):
        raise missing from None
    rest = name.split(".")[1:]
    for place in (spec.submodule_search_locations or ()) if spec is not None else ():
        inside = Path(place, *rest)
        for candidate in (inside, inside.with_suffix(".py")):
            if candidate.exists():
                return candidate
    if spec is None or not spec.origin or not Path(spec.origin).exists() or rest:
        raise missing
    return Path(spec.origin)


def read(path: str | Path) -> str:
    """The text of a Python file, in the encoding that it declares."""
    with tokenize.open(path) as file:
        return file.read()


def in_utf_8(text: str) -> str:
    """The text without a line that declares another encoding, which it no longer has."""
    lines = text.split("\n")
    for index, line in enumerate(lines[:2]):
        if line.startswith("#") and "coding" in line:
            lines[index] = "# -*- coding: utf-8 -*-"
    return "\n".join(lines)


def not_python(error: SyntaxError | ValueError, filename: str) -> str:
    """What is wrong with a file: the line and the caret, as Python shows them, or what its bytes are not."""
    if isinstance(error, UnicodeDecodeError):
        return f"{filename}: this is no text in {error.encoding}"
    if not isinstance(error, SyntaxError):
        return f"{filename}: {error}"
    if error.lineno is None:  # of the file as a whole
        return f"{filename}: {error.msg}"
    text = f"{error.filename or filename}:{error.lineno}: {type(error).__name__}: {error.msg}"
    if not error.text:
        return text
    line = error.text.rstrip("\n")
    stripped = line.lstrip()
    start = max((error.offset or 1) - 1 - (len(line) - len(stripped)), 0)
    same_line = error.end_lineno in (None, error.lineno)
    width = max((error.end_offset or 0) - (error.offset or 0), 1) if same_line else 1
    return f"{text}\n    {stripped}\n    {' ' * start}{'^' * width}"


def no_style(name: str) -> str:
    """What is said where a formatter is missing."""
    return f"--style {name} needs {name} (pip install {name})"


def fail(status: int, message: str) -> int:
    """Say what went wrong, for this exit status."""
    print(f"autograph: {message}", file=sys.stderr)
    return status
