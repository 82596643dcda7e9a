"""Which clause would end an exception that only the graph will raise: ``except``, ``finally`` with a jump, ``with``."""

from __future__ import annotations

import ast
import contextlib
import dis
import functools
import linecache
import sys
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograph.dispatch import Statement
from autograph.reading import variable_in

_TRY = (ast.Try, ast.TryStar)
_WITH = (ast.With, ast.AsyncWith)
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def _guarded(library: tuple[str, ...], until: str) -> Iterator[FrameType]:
    """The frames of the user's code that is being traced whose functions have any ``try`` or ``with``, the innermost
    first; those further out than the library's function `until` do not count."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        ours = code.co_filename.startswith(library)
        if ours and code.co_name == until:
            return
        if not ours and code.co_exceptiontable:
            yield frame
        frame = frame.f_back


def any_clause(library: tuple[str, ...], until: str) -> bool:
    """Whether the user's code that is being traced is in functions with any ``try`` or ``with`` at all."""
    return any(True for _ in _guarded(library, until))


def catching(error: BaseException, library: tuple[str, ...], until: str) -> Statement | None:
    """The clause around the user's code that is being traced which would catch the exception, if there is one;
    frames of the `library` do not count, nor those further out than its function `until`."""
    found = (_in_frame(frame, error) for frame in _guarded(library, until))
    return next((clause for clause in found if clause is not None), None)


def caught_unseen(error: BaseException, library: tuple[str, ...], until: str) -> Statement | None:
    """That clause, if neither it nor what stands between may ask which exception it is: it has no name for it, and
    calls and raises nothing."""
    for frame in _guarded(library, until):
        for node in _tries(frame.f_code.co_filename, frame.f_lineno):
            if isinstance(node, _WITH) or node.finalbody:
                return None
            for handler in node.handlers:
                if handler.type is not None and not _matches(handler.type, frame, error):
                    continue
                seen = handler.name is not None or not _surely_matches(handler.type, frame)
                if seen or any(isinstance(part, _MAY_ASK) for one in handler.body for part in ast.walk(one)):
                    return None
                return _statement(frame, handler.lineno)
    return None


# What may ask which exception is handled, or refers to it when it fails.
_MAY_ASK = (
    ast.Call, ast.Raise, ast.Assert, ast.Yield, ast.YieldFrom, ast.Await, ast.Subscript, ast.BinOp, ast.With,
    ast.AsyncWith, ast.For, ast.AsyncFor, ast.Import, ast.ImportFrom, ast.ClassDef, ast.Delete, ast.Compare,
)  # fmt: skip


def codes_around(error: BaseException, library: tuple[str, ...], until: str) -> Iterator[CodeType]:
    """Of the function with that clause, and of those around it that are being traced."""
    inside, frame = True, sys._getframe(1)
    while (around := frame.f_back) is not None:
        frame = around
        ours = frame.f_code.co_filename.startswith(library)
        if ours and frame.f_code.co_name == until:
            return
        if inside and (ours or not frame.f_code.co_exceptiontable or _in_frame(frame, error) is None):
            continue
        inside = False
        if not ours:
            yield frame.f_code


def codes_of_users(library: tuple[str, ...], until: str) -> Iterator[CodeType]:
    """Of the functions that are being traced, from the innermost, down to a function of the library's."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        ours = frame.f_code.co_filename.startswith(library)
        if ours and frame.f_code.co_name == until:
            return
        if not ours:
            yield frame.f_code
        frame = frame.f_back


def _in_frame(frame: FrameType, error: BaseException) -> Statement | None:
    for node in _tries(frame.f_code.co_filename, frame.f_lineno):
        if isinstance(node, _WITH):
            if any(_suppresses(item.context_expr, frame, error) for item in node.items):
                return _statement(frame, node.lineno)
            continue
        jump = jump_in(node.finalbody)
        if jump is not None:
            return _statement(frame, jump.lineno)
        for handler in node.handlers:
            if handler.type is None or _matches(handler.type, frame, error):
                return _statement(frame, handler.lineno)
    return None


def _statement(frame: FrameType, line: int) -> Statement:
    filename = frame.f_code.co_filename
    return Statement(filename, line, linecache.getline(filename, line, frame.f_globals).strip())


def jump_in(block: list[ast.stmt], loops: bool = True) -> ast.stmt | None:
    """The jump out of a ``finally`` clause, which ends any exception; ``break`` and ``continue`` if `loops`."""
    for node in block:
        if isinstance(node, ast.Return) or (loops and isinstance(node, ast.Break | ast.Continue)):
            return node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner = loops and not isinstance(node, ast.While | ast.For | ast.AsyncFor)
        for name, part in ast.iter_fields(node):
            for child in part if isinstance(part, list) else ():
                within = loops if name == "orelse" else inner
                statements = [child] if isinstance(child, ast.stmt) else getattr(child, "body", None)
                found = jump_in(statements, within) if isinstance(statements, list) else None
                if found is not None:
                    return found
    return None


def _matches(node: ast.expr, frame: FrameType, error: BaseException) -> bool:
    """Whether an exception may be one of those that a clause names; only names are looked up, nothing is called."""
    if isinstance(node, ast.Tuple):
        return any(_matches(part, frame, error) for part in node.elts)
    kind = _value(node, frame)
    return kind is None or (isinstance(kind, type | tuple) and isinstance(error, kind))


def _surely_matches(node: ast.expr | None, frame: FrameType) -> bool:
    """Whether it is known which exceptions a clause names."""
    if isinstance(node, ast.Tuple):
        return all(_surely_matches(part, frame) for part in node.elts)
    return node is None or _value(node, frame) is not None


def _suppresses(node: ast.expr, frame: FrameType, error: BaseException) -> bool:
    """Whether what a ``with`` enters may end an exception: `contextlib.suppress`, or an ``__exit__`` in Python that may
    say so, or a generator that catches. Only names are looked up; of what cannot be found it is not assumed."""
    found = _value(node.func if isinstance(node, ast.Call) else node, frame)
    if isinstance(node, ast.Call) and isinstance(found, type) and issubclass(found, contextlib.suppress):
        return any(_matches(part, frame, error) for part in node.args)
    if isinstance(found, contextlib.suppress):
        return isinstance(error, vars(found).get("_exceptions", ()))
    generator = getattr(found, "__wrapped__", None) if isinstance(node, ast.Call) else None
    if isinstance(generator, FunctionType):
        return _catches(generator.__code__)
    kind = found if isinstance(found, type) else type(found)
    code = getattr(getattr(kind, "__exit__", None), "__code__", None)
    return code is not None and not isinstance(found, FunctionType) and _may_be_true(code)


def _may_be_true(code: CodeType) -> bool:
    """Whether a function may return anything but None and False."""
    before = None
    for step in dis.get_instructions(code):
        constant = step if step.opname == "RETURN_CONST" else before
        if step.opname in ("RETURN_VALUE", "RETURN_CONST") and (
            constant is None or "CONST" not in constant.opname or constant.argval not in (None, False)
        ):
            return True
        before = step
    return False


def _catches(code: CodeType) -> bool:
    """Whether a generator may go on after an exception where it waits."""
    return any(
        isinstance(node, ast.Try | ast.TryStar)
        and (node.handlers or jump_in(node.finalbody) is not None)
        and any(isinstance(inner, ast.Yield) for part in node.body for inner in ast.walk(part))
        for node in ast.walk(_parsed(code.co_filename))
        if code.co_firstlineno <= getattr(node, "lineno", 0) <= _last_line(code)
    )


def _last_line(code: CodeType) -> int:
    return max(line for _, _, line in code.co_lines() if line is not None)


def _value(node: ast.expr, frame: FrameType) -> object:
    if isinstance(node, ast.Attribute):
        return getattr(_value(node.value, frame), node.attr, None)
    return variable_in(frame, node.id) if isinstance(node, ast.Name) else None


@functools.lru_cache(maxsize=512)
def _tries(filename: str, line: int) -> tuple[Any, ...]:
    """The ``try`` and ``with`` statements in whose bodies a line stands, the innermost first, within one function."""
    try:
        tree = _parsed(filename)
    except SyntaxError:
        return ()
    found: list[ast.AST] = []
    waiting: list[tuple[ast.AST, list[ast.AST]]] = [(tree, [])]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, _Function):
            around = []
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            found = around
        for name, part in ast.iter_fields(node):
            inner = [node, *around] if isinstance(node, (*_TRY, *_WITH)) and name == "body" else around
            children = part if isinstance(part, list) else [part]
            waiting += [(child, inner) for child in children if isinstance(child, ast.AST) and _spans(child, line)]
    return tuple(found)


def _spans(node: ast.AST, line: int) -> bool:
    first, last = getattr(node, "lineno", None), getattr(node, "end_lineno", None)
    return first is None or last is None or first <= line <= last


@functools.lru_cache(maxsize=32)
def _parsed(filename: str) -> ast.Module:
    return ast.parse("".join(linecache.getlines(filename)))
