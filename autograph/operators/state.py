"""The variables of a staged statement, found in the closure cells of its bodies."""

from __future__ import annotations

import ast
import functools
import linecache
import os
import sys
from collections.abc import Callable, Sequence
from types import CellType, FrameType, FunctionType
from typing import Any, Protocol

from autograph.dispatch import UNDEFINED, Statement
from autograph.errors import StagingError


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


class Containers:
    """The lists, dicts and sets of the user's function that a body could change in place.

    In a graph that would happen once, while tracing, whatever the graph decides; so it is refused. Items that the body
    assigns by name (``d['k'] = x``) are state, and containers from outside the function are nobody's to check.
    """

    def __init__(self, state: Sequence[str], depth: int, *functions: Callable[..., Any] | None) -> None:
        frame = sys._getframe(depth + 1)
        tracked = {name.partition("[")[0] for name in state if "[" in name}
        self._known: dict[str, tuple[Any, int]] = {}
        for function in functions:
            if isinstance(function, FunctionType):
                for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
                    value = _Cell(cell).read()
                    if type(value) in (list, dict, set) and name not in tracked and _is_local(name, frame):
                        self._known[name] = (value, len(value))

    def check(self, statement: str) -> None:
        """Raise StagingError if one has grown or shrunk."""
        for name, (container, count) in self._known.items():
            if len(container) != count:
                raise StagingError(
                    f"'{name}' is a {type(container).__name__} that a staged statement changes in place, which would "
                    "happen once, while tracing. Collect the values in a TensorArray, or make the "
                    f"{type(container).__name__} anew by an assignment.\n  {statement}"
                )


def _is_local(name: str, frame: FrameType | None) -> bool:
    """Whether a variable belongs to the user's function that runs in this frame, or to a body around the frame."""
    filename = frame.f_code.co_filename if frame is not None else ""
    while frame is not None:
        code = frame.f_code
        if code.co_filename == filename:  # not an operator's frame, nor a backend's
            if name in code.co_cellvars:
                return True
            if name in code.co_freevars and not _is_body(frame):
                return False
        frame = frame.f_back
    return False


def user_statement(depth: int) -> Statement:
    """The user's statement that called an operator: ``file.py:12: if x > 0:``."""
    frame = sys._getframe(depth + 1)
    return _statement(frame.f_code.co_filename, frame.f_lineno, frame.f_globals)


def statement_of(function: Callable[..., Any]) -> Statement:
    """The user's statement that a function made by the compiler came from."""
    code = function.__code__
    return _statement(code.co_filename, code.co_firstlineno, function.__globals__)


def _statement(filename: str, line: int, module: dict[str, Any]) -> Statement:
    return Statement(filename, line, linecache.getline(filename, line, module).strip())


def hide_frame(error: BaseException) -> None:
    """Take the frame that has caught the error, and is about to raise it again, out of its traceback."""
    if error.__traceback__ is not None:
        error.__traceback__ = error.__traceback__.tb_next


def note(error: BaseException, statement: str) -> None:
    """Tell, in a note of the user's own exception, which statement was being staged when it was raised."""
    if isinstance(error, Exception) and statement not in str(error):
        error.add_note(f"while staging {statement}")


def as_users(error: BaseException, *functions: Callable[..., Any] | None) -> UnboundLocalError | None:
    """Take the operator's own frame out of the traceback; the operator then raises the error again.

    Where a body found a variable of the function around it unbound, Python would have said so of a local variable: that
    error is returned, to be raised instead. A function of the user's that finds a variable around it unbound keeps its
    NameError; the mark tells the operators further out which of the two it is.
    """
    traceback = error.__traceback__
    hide_frame(error)
    if not isinstance(error, NameError) or isinstance(error, UnboundLocalError):
        return None
    if not str(error).startswith("cannot access free variable"):
        return None
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    code = traceback.tb_frame.f_code if traceback is not None else None
    if code in [f.__code__ for f in functions if isinstance(f, FunctionType)]:
        error._in_generated_code = True  # type: ignore[attr-defined]
    if not getattr(error, "_in_generated_code", False):
        return None
    caller = sys._getframe(2)
    if error.name in caller.f_code.co_freevars and not _is_body(caller):
        error._in_generated_code = False  # type: ignore[attr-defined]  # it comes from outside the user's function
    elif error.name in caller.f_code.co_cellvars:
        message = f"cannot access local variable '{error.name}' where it is not associated with a value"
        return UnboundLocalError(message).with_traceback(error.__traceback__)  # which Python gives no name
    return None


def _is_body(frame: FrameType) -> bool:
    """Whether the frame runs a body, which an operator calls, rather than a function of the user's."""
    around = frame.f_back
    return around is not None and around.f_code.co_filename in _STATEMENTS


_STATEMENTS = {os.path.join(os.path.dirname(__file__), f"{name}.py") for name in ("branches", "loops", "logic")}
