"""Which ``except`` clause would catch an exception that only the graph will raise."""

from __future__ import annotations

import ast
import functools
import linecache
import sys
from types import FrameType
from typing import Any

from autograph.dispatch import Statement

_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def catching(error: BaseException, library: tuple[str, ...], until: str) -> Statement | None:
    """The ``except`` clause around the user's code that is being traced which would catch the exception, if there is
    one; frames of the `library` do not count, nor those further out than its function `until`."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        filename = frame.f_code.co_filename
        ours = filename.startswith(library)
        if ours and frame.f_code.co_name == until:
            return None
        if not ours:
            found = _in_frame(frame, error)
            if found is not None:
                return found
        frame = frame.f_back
    return None


def _in_frame(frame: FrameType, error: BaseException) -> Statement | None:
    filename, line = frame.f_code.co_filename, frame.f_lineno
    for node in _tries(filename, line):
        for handler in node.handlers:
            if handler.type is None or _matches(handler.type, frame, error):
                text = linecache.getline(filename, handler.lineno, frame.f_globals).strip()
                return Statement(filename, handler.lineno, text)
    return None


def _matches(node: ast.expr, frame: FrameType, error: BaseException) -> bool:
    """Whether an exception is one of those that a clause names; only names are looked up, nothing is called."""
    if isinstance(node, ast.Tuple):
        return any(_matches(part, frame, error) for part in node.elts)
    kind = _value(node, frame)
    return isinstance(kind, type | tuple) and isinstance(error, kind)


def _value(node: ast.expr, frame: FrameType) -> Any:
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, frame), node.attr, None)
    if not isinstance(node, ast.Name):
        return None
    builtin = vars(sys.modules["builtins"]).get(node.id)
    return frame.f_locals.get(node.id, frame.f_globals.get(node.id, builtin))


@functools.lru_cache(maxsize=512)
def _tries(filename: str, line: int) -> tuple[ast.Try, ...]:
    """The ``try`` statements in whose bodies a line stands, the innermost first, within one function."""
    try:
        tree = _parsed(filename)
    except SyntaxError:
        return ()
    found: list[ast.Try] = []
    waiting: list[tuple[ast.AST, list[ast.Try]]] = [(tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, _Function):
            around = []
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            found = around
        for name, part in ast.iter_fields(node):
            inner = [node, *around] if isinstance(node, ast.Try) and name == "body" else around
            children = part if isinstance(part, list) else [part]
            waiting += [(child, inner) for child in children if isinstance(child, ast.AST) and _spans(child, line)]
    return tuple(found)


def _spans(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is None or last is None or first <= line <= last


@functools.lru_cache(maxsize=32)
def _parsed(filename: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(filename)))
