"""The variables of a staged statement, found in the closure cells of its bodies."""

from __future__ import annotations

import ast
import functools
import linecache
import sys
from collections.abc import Callable, Sequence
from types import CellType, FunctionType
from typing import Any, Protocol

from autograph.dispatch import UNDEFINED


class _Slot(Protocol):
    def read(self) -> Any: ...

    def write(self, value: Any) -> None: ...


class _Cell:
    """A variable of a function around; an unbound cell is an undefined variable."""

    def __init__(self, cell: CellType) -> None:
        self.cell = cell

    def read(self) -> Any:
        try:
            return self.cell.cell_contents
        except ValueError:
            return UNDEFINED

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self.cell.cell_contents = value
        elif self.read() is not UNDEFINED:
            del self.cell.cell_contents


class _Global:
    def __init__(self, names: dict[str, Any], name: str) -> None:
        self.names, self.name = names, name

    def read(self) -> Any:
        return self.names.get(self.name, UNDEFINED)

    def write(self, value: Any) -> None:
        if value is not UNDEFINED:
            self.names[self.name] = value
        else:
            self.names.pop(self.name, None)


class _Part:
    """An attribute or an item (``self.n``, ``d['k']``) of the object that another slot holds."""

    def __init__(self, holder: _Slot, key: Any, item: bool) -> None:
        self.holder, self.key, self.item = holder, key, item

    def _key(self) -> Any:
        return self.key.read() if isinstance(self.key, _Cell | _Global | _Part) else self.key

    def read(self) -> Any:
        holder = self.holder.read()
        try:
            return holder[self._key()] if self.item else getattr(holder, self.key)
        except (AttributeError, LookupError, TypeError):
            return UNDEFINED

    def write(self, value: Any) -> None:
        holder = self.holder.read()
        if value is UNDEFINED:
            if self.read() is not UNDEFINED:
                self._delete(holder)
        elif value is self.read():
            return
        elif self.item:
            holder[self._key()] = value
        else:
            setattr(holder, self.key, value)

    def _delete(self, holder: Any) -> None:
        if self.item:
            del holder[self._key()]
        else:
            delattr(holder, self.key)


class State:
    """Reads and writes the named variables of functions that share them."""

    def __init__(self, names: Sequence[str], *functions: Callable[..., Any] | None) -> None:
        self.names = tuple(names)
        known = [f for f in functions if isinstance(f, FunctionType)]
        self._slots = [_slot(_path(name), known) for name in names]

    def read(self) -> tuple[Any, ...]:
        return tuple(slot.read() for slot in self._slots)

    def write(self, values: Sequence[Any]) -> None:
        for slot, value in zip(self._slots, values, strict=True):
            slot.write(value)


@functools.lru_cache(maxsize=4096)
def _path(name: str) -> ast.expr:
    return ast.parse(name, mode="eval").body


def _slot(node: ast.expr, functions: Sequence[FunctionType]) -> _Slot:
    if isinstance(node, ast.Attribute):
        return _Part(_slot(node.value, functions), node.attr, item=False)
    if isinstance(node, ast.Subscript):
        key = node.slice.value if isinstance(node.slice, ast.Constant) else _slot(node.slice, functions)
        return _Part(_slot(node.value, functions), key, item=True)
    assert isinstance(node, ast.Name)
    for function in functions:
        names = function.__code__.co_freevars
        if node.id in names:
            return _Cell((function.__closure__ or ())[names.index(node.id)])
    return _Global(functions[0].__globals__, node.id)


def user_statement(depth: int) -> str:
    """The user's statement that called an operator: ``file.py:12: if x > 0:``."""
    frame = sys._getframe(depth + 1)
    filename, line = frame.f_code.co_filename, frame.f_lineno
    text = linecache.getline(filename, line, frame.f_globals).strip()
    return f"{filename}:{line}: {text}" if text else f"{filename}:{line}"
