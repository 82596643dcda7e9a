"""Notebooks: the code of all cells as one module, and back into the cells."""

from __future__ import annotations

import ast
import itertools
import json
import re
from collections.abc import Iterator
from pathlib import Path

from autograph.commands import files
from autograph.source import Module

SUFFIX = ".ipynb"
_CELL = "# %%"  # what many editors take for the beginning of a cell
_MAGIC = re.compile(
    r"(?P<before>\s*(?:[\w.,\[\] ]+=\s*)?)(?P<magic>[%!?][^\s].*|[\w.]+\?\??\s*)$"
)  # x = !ls; %time f(); f?
_RUNS_ITS_CELL = re.compile(r"\s*%%(capture|prun|time|timeit)\b")  # which is Python but for the line itself


class Notebook:
    """A notebook whose code can be converted. What is no Python in its cells stays as it is.

    Raises ValueError for a text that is no notebook of Python.
    """

    def __init__(self, text: str) -> None:
        try:
            self._content: object = json.loads(text)
            self._cells = [cell for cell in self._content["cells"] if cell["cell_type"] == "code"]
            self._sources = ["".join(cell["source"]) for cell in self._cells]
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ValueError("this is no notebook (of format 4, with cells)") from None
        language: object = self._content
        for name in ("metadata", "language_info", "name"):
            language = language.get(name) if isinstance(language, dict) else None
        if language is not None and language not in ("python", "ipython"):
            raise ValueError(f"this is a notebook of {language}")
        self._magics: dict[str, str] = {}  # by the name that stands for each
        stem = next(s for s in map("magic{}".format, itertools.count()) if s not in text)  # the user has no such name
        self._mark, self._name = f"{_CELL} {stem} cell", f"__{stem}_{{}}__"
        self._python = [self._without_magics(text) for text in self._sources]

    def cells(self, filename: str) -> Iterator[Module]:
        """The code of each cell. Raises SyntaxError, whose file is the cell."""
        for number, text in enumerate(self._python, 1):
            yield files.parsed(text, f"{filename}, cell {number}")

    def module(self, filename: str) -> Module:
        """All cells as one module. Raises SyntaxError, whose file is the cell."""
        for _ in self.cells(filename):
            pass
        return files.parsed("".join(f"{self._mark}\n{text}\n" for text in self._python), filename)

    def script(self, text: str) -> str:
        """The module, converted or not, as people read it: each cell under a line ``# %%``. Or a part of it."""
        if self._mark not in text:
            return self._with_magics(text)
        return "\n".join(f"{_CELL}\n{cell}\n" for cell in self._split(text))

    def with_cells(self, module: str) -> str:
        """The notebook with what has become of the module in its cells."""
        for cell, text in zip(self._cells, self._split(module), strict=True):
            cell["source"] = text.splitlines(keepends=True) if isinstance(cell["source"], list) else text
        return json.dumps(self._content, indent=1, ensure_ascii=False) + "\n"

    def _split(self, module: str) -> list[str]:
        before, *cells = re.split(rf"^{self._mark}\n", module, flags=re.MULTILINE)
        cells = [
            source if _is_foreign(source) else self._with_magics(_ending_as(source, text))
            for source, text in zip(self._sources, cells, strict=True)
        ]
        if before:  # the import of the operators
            first = next(i for i, source in enumerate(self._sources) if not _is_foreign(source))
            magic, rest = _magic_and_rest(cells[first])
            cells[first] = magic + before + rest
        return cells

    def _without_magics(self, text: str) -> str:
        if _is_foreign(text):
            return "\n".join(self._stands_for(line) for line in text.split("\n"))
        if _is_python(text):
            return text
        magic, text = _magic_and_rest(text)
        lines = [self._stands_for(magic.removesuffix("\n"))] if magic else []
        for line in text.split("\n"):
            found = _MAGIC.match(line)
            lines.append(found["before"] + self._stands_for(found["magic"]) if found else line)
        return "\n".join(lines)

    def _stands_for(self, text: str) -> str:
        name = self._name.format(len(self._magics))
        self._magics[name] = text
        return name

    def _with_magics(self, text: str) -> str:
        return re.sub(self._name.format(r"\d+"), lambda found: self._magics.get(found[0], found[0]), text)


def _is_foreign(source: str) -> bool:
    """Whether the whole cell is for something else than Python."""
    return source.lstrip().startswith("%%") and not _RUNS_ITS_CELL.match(source)


def _magic_and_rest(source: str) -> tuple[str, str]:
    """The line that tells how the cell is run, which has to stay its first one, and the Python below it."""
    if not _RUNS_ITS_CELL.match(source):
        return "", source
    line, end, rest = source.partition("\n")
    return line + end, rest


def _ending_as(source: str, text: str) -> str:
    """The text of a cell without the line end that it has as a part of a module, or those that a formatter likes."""
    return text.removesuffix("\n") if source.endswith("\n") else text.rstrip("\n")


def is_notebook(text: str) -> bool:
    """Whether a text that has no name, as that of standard input, is a notebook."""
    try:
        content = json.loads(text) if text.lstrip().startswith("{") else None
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and "cells" in content and "nbformat" in content


def read(path: Path) -> Notebook:
    """The notebook in a file."""
    return Notebook(files.read(path).text)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True
