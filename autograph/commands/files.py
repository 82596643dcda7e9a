"""The files that a command line names, their text, and what is said where one cannot be had."""

from __future__ import annotations

import importlib.util
import io
import os
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.machinery import SOURCE_SUFFIXES
from pathlib import Path
from typing import NoReturn

from autograph import source
from autograph.convert_file import Refuse
from autograph.errors import ConversionError
from autograph.report import shown
from autograph.source import Module, Place

EXCLUDED = "leave files and folders of such names as they are (tests, *_pb2.py, inner/data); may be repeated"
LIST = ".autograph"  # in a folder that was written into: what may be written again
WIDTH = "columns that a line may have (%(default)s)"
STYLE = "lay the text out with this formatter, if it is installed"
STDIN, STDIN_NAME = "-", "<stdin>"  # standard input, where it is named, and as what it is told of
PATH = "a file, a folder (links to other folders in it are not followed), or the dotted name of a package"


def found(path: str, output: Path | None = None) -> Iterator[tuple[Path, Path]]:
    """The files of a path or package, with where each stands in relation to it.

    Folders that are hidden, that this program has written into, or that it is to write into (`output`) are left out,
    and so are links to folders, which may lead round in a circle; a link that is named is followed, and so are links
    to files.
    Raises OSError for what cannot be read.
    """
    root = Path(path)
    if not path or not root.exists():
        root = _package(path)
    if root.is_file():
        yield root, Path(root.name)
        return
    whole = os.path.realpath(root)
    written = None if output is None else os.path.realpath(output)
    if written == whole:
        raise OSError(f"{output}: that is the source itself; choose another folder to write into")
    for folder, folders, names in os.walk(root, onerror=_raise):
        kept = [name for name in sorted(folders) if not name.startswith(".") and name != "__pycache__"]
        folders[:] = [name for name in kept if not _is_output(os.path.join(folder, name), written)]
        for file in (Path(folder, name) for name in sorted(names) if not name.startswith(".")):
            if file.is_file():
                yield file, Path(os.path.basename(whole), file.relative_to(root))


def _is_output(folder: str, written: str | None) -> bool:
    return os.path.realpath(folder) == written or os.path.isfile(os.path.join(folder, LIST))


def _raise(error: OSError) -> NoReturn:
    raise error


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
    origin = getattr(spec.loader_state, "filename", None) or spec.origin if spec is not None else None  # of `os`
    if not origin or rest:
        raise missing
    if not origin.endswith(tuple(SOURCE_SUFFIXES)):
        raise OSError(f"{name}: the module has no Python source ({origin})")
    if not Path(origin).exists():
        raise missing
    return Path(origin)


@dataclass(frozen=True)
class Text:
    """The text of a file, and how it is written there."""

    text: str
    encoding: str = "utf-8"
    newline: str = "\n"

    def encoded(self, text: str) -> bytes:
        """A text in the encoding and with the line ends of the file."""
        return text.replace("\n", self.newline).encode(self.encoding)


def read(path: str | Path) -> Text:
    """The text of a Python file. Raises SyntaxError or UnicodeDecodeError if it is not in the encoding it declares."""
    return _decoded(Path(path).read_bytes())


def read_input() -> Text:
    """The text that comes by standard input, with the same errors; what a program has put in its place may have no
    bytes."""
    if sys.stdin is None:
        raise OSError("standard input is closed")
    stream = getattr(sys.stdin, "buffer", None)
    return Text(sys.stdin.read()) if stream is None else _decoded(stream.read())


def _decoded(content: bytes) -> Text:
    lines = io.BytesIO(content.replace(b"\r\n", b"\n").replace(b"\r", b"\n"))
    try:
        encoding, _ = tokenize.detect_encoding(lines.readline)
    except SyntaxError:
        if b"\0" in content:  # as in no text that declares its encoding
            raise SyntaxError("this is no text, but a binary file") from None
        raise
    try:
        text = content.decode(encoding)
    except LookupError as error:
        raise SyntaxError(str(error)) from None
    ends = re.search(r"\r\n?|\n", text)
    return Text(text.replace("\r\n", "\n").replace("\r", "\n"), encoding, ends[0] if ends else "\n")


def parsed(text: str, filename: str) -> Module:
    """The module with a text. Raises SyntaxError, also for what is too much for Python."""
    try:
        return source.parse(text, filename)
    except (RecursionError, MemoryError):
        raise SyntaxError("this is nested too deeply for Python") from None


def not_python(error: SyntaxError | ValueError, filename: str) -> str:
    """What is wrong with a file: the line and the caret, as Python shows them, or what its bytes are not."""
    if isinstance(error, UnicodeDecodeError):
        return f"{shown(filename)}: this is no text in {error.encoding}"
    if not isinstance(error, SyntaxError):
        return f"{shown(filename)}: {error}"
    if error.lineno is None:  # of the file as a whole
        return f"{shown(filename)}: {error.msg}"
    text = f"{shown(error.filename or filename)}:{error.lineno}: {type(error).__name__}: {error.msg}"
    if not error.text:
        return text
    line = error.text.rstrip("\n")
    stripped = line.lstrip()
    start = max((error.offset or 1) - 1 - (len(line) - len(stripped)), 0)
    same_line = error.end_lineno in (None, error.lineno)
    width = max((error.end_offset or 0) - (error.offset or 0), 1) if same_line else 1
    return f"{text}\n    {stripped}\n    {' ' * start}{'^' * width}"


def refusing(filename: str, notes: list[str]) -> Refuse:
    """What notes which functions of a file stay as they are written, as they cannot be converted, in the file's order:
    they are converted from the last to the first."""

    def refuse(place: Place, error: ConversionError) -> None:
        notes.insert(0, f"{shown(filename)}:{place.node.lineno}: {place.qualname} stays as it is: {error}")

    return refuse


def reason(error: OSError) -> str:
    """What is said of a file that cannot be read or written."""
    return (
        f"{shown(str(error.filename))}: {error.strerror}"
        if error.strerror and error.filename
        else error.strerror or str(error)
    )


def counted(count: int, noun: str) -> str:
    """So many of something.

    >>> counted(1, "file"), counted(2, "file")
    ('1 file', '2 files')
    """
    return f"{count} {noun}{'s' * (count != 1)}"


def no_style(name: str) -> str:
    """What is said where a formatter is missing."""
    return f"--style {name} needs {name} (pip install {name})"


def fail(status: int, message: str) -> int:
    """Say what went wrong, for this exit status."""
    print(f"autograph: {message}", file=sys.stderr)
    return status
