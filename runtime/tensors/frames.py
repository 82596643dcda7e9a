"""The frames of the user's code: which line is being run, and what its instruction does with a value."""

from __future__ import annotations

import ast
import builtins
import dis
import functools
import itertools
import linecache
import os
import re
import sys
import types
from collections.abc import Callable, Collection, Mapping, Sequence, Set
from inspect import CO_VARARGS
from types import CodeType, FrameType
from typing import TypeGuard, TypeVar

import numpy as np

from autograph import errors
from autograph.dispatch import is_list
from autograph.loading.marks import is_marked
from autograph.operators import marks
from autograph.reading import held_by
from autograph.rules import STAGED_BUILTINS, why_left_alone
from runtime.graph.graph import Named, Place

_PACKAGES = os.path.dirname(os.path.dirname(os.path.dirname(__file__)))
F = TypeVar("F", bound=Callable[..., object])
OURS = tuple(os.path.join(_PACKAGES, package) for package in ("runtime", "autograph"))


def hide(error: BaseException) -> None:
    """Leave the frames of this library out of what a traceback shows, before an error is raised again."""
    error.__traceback__ = errors.without_frames(error.__traceback__, OURS)


def hides_frames(function: F) -> F:
    """Have what users call raise its errors at their line, without the frames of this library (a decorator)."""
    return errors.hides_frames(function, OURS)


def marked(value: object, how: str, asks: FrameType) -> str | None:
    """What stands for the text of a staged value where text is made of it; None for a message of this library's."""
    frame: FrameType | None = asks
    while frame is not None and frame.f_code.co_name == "__repr__" and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back  # of a list that has the value
    if frame is None or (frame.f_code.co_filename.startswith(OURS) and frame.f_code.co_filename != marks.__file__):
        return None
    return marks.mark(value, how)


def user_place() -> Place | None:
    """The line of the user's source that is being run."""
    frame = sys._getframe(1)
    while frame is not None:
        if not frame.f_code.co_filename.startswith(OURS):
            return Place(frame.f_code.co_filename, frame.f_lineno)
        if frame.f_back is None:
            return None
        frame = frame.f_back
    return None


def user_call() -> tuple[Place | None, Named | None]:
    """The line of the user's source that is being run, and the `name` that is given to what it calls.

    The frame of that call keeps what stands for the name, as each of its operations asks for it.
    """
    frame, ours = sys._getframe(1), None
    while frame is not None:
        code = frame.f_code
        whose = _OWNERS.get(code.co_filename)
        if whose is None:
            whose = _OWNERS[code.co_filename] = next((o for o in OURS if code.co_filename.startswith(o)), "user")
        if whose == "user":
            place = Place(code.co_filename, frame.f_lineno)
            return place, None if ours is None or not _takes_name(ours.f_code) else _name_given(ours)
        if whose is OURS[0]:
            ours = frame
        if frame.f_back is None:
            return None, None
        frame = frame.f_back
    return None, None


_OWNERS: dict[str, str] = {}  # by the file of a function: which of these packages it belongs to
_KEPT = "<named>"


@functools.cache
def _takes_name(code: CodeType) -> bool:
    """Whether a function of ours takes a name for what it records. What classes name is no operation."""
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    taken = "name" in given[1:] or (given == ("name",) and bool(code.co_flags & CO_VARARGS))
    return taken and not code.co_name.startswith("_")


def _name_given(frame: FrameType) -> Named | None:
    known = frame.f_locals
    if (kept := known.get(_KEPT)) is not None:
        return kept  # type: ignore[no-any-return]
    if not isinstance(text := known.get("name"), str) or not text:
        return None
    known[_KEPT] = made = Named(text)
    return made


instead_of: dict[object, str] = {}  # of functions in C that ask their arguments for values; filled in where it is known


def asker(wanted: str) -> str:
    """Whose code asks for a value, one that it wants as a Python `bool`, `int` …, and what to write there instead."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and (frame.f_code.co_filename.startswith(OURS) or _module(frame).startswith("numpy.")):
        frame = frame.f_back
    convert = "Convert it (autograph.convert), or keep to tensor operations there."
    if frame is None:
        return f"the code that asks was not converted. {convert}"
    code = frame.f_code
    why = why_left_alone(frame.f_globals.get("__name__"))
    text = _expression(frame)
    asks = _asking(text)
    name = asks.func.id if isinstance(asks, ast.Call) and isinstance(asks.func, ast.Name) else ""
    in_c = wanted != "`bool`" or dis.opname[code.co_code[frame.f_lasti]].startswith("CALL")
    if is_marked(code) or (why is None and in_c and name not in STAGED_BUILTINS):
        told = f"`{text}` ({code.co_filename}:{frame.f_lineno}) asks for it now"
        if instead := _instead(frame, asks):
            return f"{told}. Write {instead}, which becomes part of the graph."
        return f"{told}. Use tensor operations there, or runtime.py_function, which calls it when the graph runs."
    where = f"{code.co_qualname} ({code.co_filename}:{frame.f_lineno})"
    return f"{where}, which asks for it, was not converted{f', as {why}' if why else ''}. {convert}"


def users_frame(frame: FrameType | None) -> FrameType | None:
    """A frame, or the next one around it that is the user's."""
    while frame is not None and frame.f_code.co_filename.startswith(OURS):
        frame = frame.f_back
    return frame


def unhashed() -> str:
    """What to write where the user's code takes a tensor for a key of a dictionary or an element of a set."""
    frame = users_frame(sys._getframe(1))
    asks = None if frame is None else _asking(_expression(frame))
    if frame is not None and isinstance(asks, ast.Call) and isinstance(asks.func, ast.Attribute) and _is_plain(asks):
        asked = _found(frame, asks.func.value)  # None where it is an expression
        table, tensor = ast.unparse(asks.func.value), ast.unparse(asks.args[0])
        if asks.func.attr == "get" and isinstance(asked, Mapping | None):
            other = ast.unparse(asks.args[1]) if len(asks.args) > 1 else "None"
            return f"Write `{table}[{tensor}] if {tensor} in {table} else {other}`, which becomes part of the graph."
        if asks.func.attr == "add" and isinstance(asked, Set | None):
            return f"Append it to a list, and write `if {tensor} not in items:` before where each is to be there once."
    if frame is not None and (kept := _default_assigned(frame)):
        return (
            f"`{kept}` is the default of a parameter, which the function keeps: have a variable of the module instead."
        )
    if frame is not None and assigns_item(frame):
        return "Write to an array or a tensor instead, at an index."
    return "Compare it with each key (`if x == key:`), or keep the values in a tensor and index that."


def _default_assigned(frame: FrameType) -> str:
    """What a function of a module calls the default of a parameter of its that it assigns an item of."""
    name, *_ = assigns_item(frame).partition("[")
    function = frame.f_globals.get(frame.f_code.co_name)
    defaults = (
        *(getattr(function, "__defaults__", None) or ()),
        *(getattr(function, "__kwdefaults__", None) or {}).values(),
    )
    table = frame.f_locals.get(name)
    return name if table is not None and any(one is table for one in defaults) else ""


def looked_into() -> object:
    """The container that the user's code is about to look into, or to change, with something of the graph, be it in a
    library's function that it calls; None where it has no name."""
    frame = users_frame(sys._getframe(1))
    while frame is not None:
        asks = _asking(_expression(frame))
        container = None if asks is None else _container(asks)
        found = None if container is None else _found(frame, container)
        if found is not None or why_left_alone(frame.f_globals.get("__name__")) is None:
            return found
        frame = users_frame(frame.f_back)
    return None


def _container(asks: ast.AST) -> ast.AST | None:
    """What an expression looks into: ``table`` in ``table[key]``, ``table.get(key)`` and ``key in table``."""
    if isinstance(asks, ast.AugAssign):
        return asks.target.value if isinstance(asks.target, ast.Subscript) else asks.target
    if isinstance(asks, ast.Call) and isinstance(asks.func, ast.Attribute):
        return asks.func.value
    if isinstance(asks, ast.Compare):
        return asks.comparators[-1]
    return asks.value if isinstance(asks, ast.Subscript) else None


def _is_plain(call: ast.Call) -> bool:
    """Whether each argument of a call stands there by itself, without a name."""
    return bool(call.args) and not call.keywords and not any(isinstance(a, ast.Starred) for a in call.args)


def _asking(text: str) -> ast.AST | None:
    """What the text of an expression, or of a statement that is one line, has outermost."""
    try:
        (statement,) = ast.parse(text).body
    except (SyntaxError, ValueError):
        return None
    return statement if isinstance(statement, ast.AugAssign) else getattr(statement, "value", None)


def _instead(frame: FrameType, asks: ast.AST | None) -> str | None:
    """What becomes part of the graph in the place of something that asks for a value, where that is known."""
    if isinstance(asks, ast.Call):
        function = _found(frame, asks.func)
        if isinstance(function, types.BuiltinFunctionType):
            keys = [_found(frame, k.value) for k in asks.keywords if k.arg == "key"]
            if keys and type(keys[0]) is types.BuiltinFunctionType and (key := instead_of.get(keys[0])):
                return f"key={key}"
            return instead_of.get((function, len(asks.args))) or instead_of.get(function)
        if _of_numpy(function):
            listed = any(isinstance(a, ast.List | ast.ListComp | ast.Tuple) for a in asks.args)
            name = function.__name__
            if made := _INSTEAD.get(f"{name}([" if listed else name):
                return made
            return f"np.{name} with np.array(...) around the list" if listed else None
    if isinstance(asks, ast.Compare) and len(asks.ops) == 1 and type(asks.ops[0]) in _COMPARED:
        values = [_found(frame, side) for side in (asks.left, *asks.comparators)]
        kinds = [kind for kind in (tuple, list) if any(isinstance(value, kind) for value in values)]
        if kinds:  # which the compiler knows as such where they are written there
            shown = "(*{},)" if tuple in kinds else "[*{}]"
            one, other = (shown.format(ast.unparse(side)) for side in (asks.left, *asks.comparators))
            return f"{one} {_COMPARED[type(asks.ops[0])]} {other}"
    left, operator = None, None
    if isinstance(asks, ast.BinOp):
        left, right, operator = asks.left, asks.right, asks.op
    elif isinstance(asks, ast.AugAssign):
        left, right, operator = asks.target, asks.value, asks.op
    if left is not None and isinstance(operator, ast.Mult):
        text, count = (left, right) if isinstance(_found(frame, left), str | bytes) else (right, left)
        if isinstance(_found(frame, text), str | bytes):
            return f"runtime.strings.reduce_join(runtime.fill([{ast.unparse(count)}], {ast.unparse(text)}))"
    if isinstance(asks, ast.Subscript):
        base, whole = _found(frame, asks.value), ast.unparse(asks.value)
        if isinstance(base, str | bytes):
            at = asks.slice
            if not isinstance(at, ast.Slice):
                return f"runtime.strings.substr({whole}, {ast.unparse(at)}, 1)"
            return f"runtime.strings.substr({whole}, start, length)"
        if isinstance(base, list | tuple) or isinstance(asks.value, ast.List | ast.Tuple):
            return f"runtime.constant({whole})[{ast.unparse(asks.slice)}]"
    return None


_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=",
}  # fmt: skip


def _of_numpy(function: object) -> TypeGuard[Callable[..., object]]:
    return vars(np).get(getattr(function, "__name__", "")) is function and function is not None


def _found(frame: FrameType, expression: ast.AST) -> object:
    """What a constant, a name, an attribute or an item of a container stands for in a frame; nothing is run to find
    out."""
    if isinstance(expression, ast.Constant):
        return expression.value
    if isinstance(expression, ast.Name):
        for scope in (frame.f_locals, frame.f_globals, vars(builtins)):
            if expression.id in scope:
                return scope[expression.id]
    if isinstance(expression, ast.Attribute):
        owner = _found(frame, expression.value)
        if isinstance(owner, tuple) and expression.attr in getattr(owner, "_fields", ()):
            return owner[owner._fields.index(expression.attr)]  # type: ignore[attr-defined]
        return held_by(owner).get(expression.attr)
    if isinstance(expression, ast.Subscript):
        base, at = _found(frame, expression.value), _found(frame, expression.slice)
        if type(base) is dict and isinstance(at, str | int):
            return base.get(at)
        if not isinstance(base, list | tuple) or not (type(base) in (list, tuple) or is_list(type(base))):
            return None
        parts = [*base] if isinstance(base, tuple) else [*list.__iter__(base)]  # what Python itself has of it
        return parts[at] if type(at) is int and -len(parts) <= at < len(parts) else None
    return None


# What makes a tensor of values of the graph, for functions of NumPy that make an array.
_INSTEAD = {
    "arange": "runtime.range", "array([": "runtime.stack", "asarray([": "runtime.stack", "empty": "runtime.zeros",
    "eye": "runtime.eye", "full": "runtime.fill", "identity": "runtime.eye", "linspace": "runtime.linspace",
    "ones": "runtime.ones", "zeros": "runtime.zeros",
}  # fmt: skip

_MOST_LINES = 5  # of an expression that is shown


def _expression(frame: FrameType) -> str:
    """The expression that a frame is at, or else its line."""
    filename = frame.f_code.co_filename
    line = linecache.getline(filename, frame.f_lineno).strip()
    first, last, start, end = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
    if first is None or last is None or start is None or end is None or last - first >= _MOST_LINES:
        return line
    lines = [linecache.getline(filename, number).encode() for number in range(first, last + 1)]
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][start:]
    text = b"".join(lines).decode(errors="replace").strip()
    return re.sub(r"\s*\n\s*", " ", text) if "#" not in text else line


def indexed_object() -> tuple[str, str] | None:
    """Which of NumPy's objects that make arrays of an index is asking, and what to use instead."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        asks = frame.f_code.co_qualname
        if asks in ("nd_grid.__getitem__", "AxisConcatenator.__getitem__"):
            asker = frame.f_locals.get("self")
            if asks.startswith("nd_grid"):
                name = "np.ogrid" if getattr(asker, "sparse", False) else "np.mgrid"
                return name, "runtime.range, with None in an index for each other axis"
            return {"CClass": "np.c_"}.get(type(asker).__name__, "np.r_"), "runtime.concat or runtime.stack"
        frame = frame.f_back if frame.f_code.co_filename.startswith(OURS) or "numpy" in asks + _module(frame) else None
    return None


def _module(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__"))


def asks_for_class() -> FrameType:
    """Where somebody asks for the ``__class__`` that called this: of what an abstract class asks, its caller."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename == "<frozen abc>" and frame.f_back is not None:
        frame = frame.f_back
    return frame


def wants_class(frame: FrameType) -> bool:
    """Whether it is the user's code that asks for a class, and not ours or a function in C that it calls."""
    if frame.f_code.co_filename.startswith(OURS):
        return False
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return not line or any(word in line for word in ("isinstance", "issubclass", "__class__", "case "))


def tests_class() -> bool:
    """Whether the user's code asks at its line whether something is of a class: with isinstance(), or by a pattern."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith((*OURS, "<frozen abc>")):
        frame = frame.f_back
    line = "" if frame is None else linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return any(word in line for word in ("isinstance", "case "))


def classes_alike(kinds: Collection[type], frame: FrameType) -> Sequence[Sequence[type]]:
    """The classes of which a value may be, those together for which who asks at a frame gets the same answer: where
    that is ``isinstance(x, C)``, those for which it gives True, and the others."""
    alone = [[kind] for kind in kinds]
    if len(alone) < 2:
        return alone
    try:
        asked = ast.parse(_expression(frame), mode="eval").body
    except SyntaxError:
        return alone
    if not isinstance(asked, ast.Call) or len(asked.args) != 2 or getattr(asked.func, "id", "") != "isinstance":
        return alone
    wanted = asked.args[1]
    if not all(isinstance(node, _OF_CLASSES) for node in ast.walk(wanted)):
        return alone
    given = eval(compile(ast.Expression(wanted), "<class>", "eval"), frame.f_globals, frame.f_locals)
    groups = [[kind for kind in kinds if issubclass(kind, given) is told] for told in (True, False)]
    return [group for group in groups if group]


# What names classes.
_OF_CLASSES = (ast.Name, ast.Attribute, ast.Tuple, ast.BinOp, ast.BitOr, ast.Load)


def unpacks(frame: FrameType) -> int | None:
    """How many names the statement that a frame is at takes apart a value for: ``a, b = x``."""
    at, code = frame.f_lasti, frame.f_code.co_code
    return code[at + 1] if dis.opname[code[at]] == "UNPACK_SEQUENCE" else None


def takes_apart(frame: FrameType) -> bool:
    """Whether the statement that a frame is at takes apart a value: ``a, *b = x``."""
    return dis.opname[frame.f_code.co_code[frame.f_lasti]] in ("UNPACK_SEQUENCE", "UNPACK_EX")


def assigns_item(frame: FrameType) -> str:
    """The line of an assignment ``a[i] = v`` that a frame is at, if it is at one."""
    if dis.opname[frame.f_code.co_code[frame.f_lasti]] not in ("STORE_SUBSCR", "STORE_SLICE"):
        return ""
    return linecache.getline(frame.f_code.co_filename, frame.f_lineno, frame.f_globals).strip()


def assigns_item_of_item() -> str:
    """The target of the assignment ``a[i][j] = v`` that the user's frame is at, if it is at one."""
    frame = users_frame(sys._getframe(1))
    if frame is None or not assigns_item(frame):
        return ""
    line, last, column, end = next(itertools.islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    if line is None or line != last:
        return ""
    text = linecache.getline(frame.f_code.co_filename, line, frame.f_globals).encode()[column:end].decode()
    try:
        target = ast.parse(text, mode="eval").body
    except SyntaxError:
        return ""
    return text if isinstance(target, ast.Subscript) and isinstance(target.value, ast.Subscript) else ""


def is_augmented(frame: FrameType | None) -> bool:
    """Whether what a user's frame is at is an augmented assignment: ``a *= b``."""
    frame = users_frame(frame)
    if frame is None:
        return False
    at, code = frame.f_lasti, frame.f_code.co_code
    return dis.opname[code[at]] == "BINARY_OP" and code[at + 1] >= _FIRST_AUGMENTED


_FIRST_AUGMENTED = 13  # of Python's operators (NB_INPLACE_ADD)
