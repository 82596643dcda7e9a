"""What the code of modules that were imported converted finds in a process.

Such code is read from a file and run as it is: what it needs it finds under names among Python's built-ins that no
program can spell. Where they are missing, as they are when the interpreter ends, the code runs as it is written.
"""

from __future__ import annotations

import builtins
import gc
import marshal
import sys
import types
import zlib
from collections.abc import Callable, Collection
from typing import NamedTuple

from autograph import dispatch, operators  # noqa: F401 - code finds the operators here
from autograph.loading.marks import LOOKING
from autograph.operators.seen import Seen
from autograph.operators.state import hide_frame

NAME = "__<autograph>__"  # this module
ACTIVE = "__<autograph active>__"  # whether something is traced, which is asked at each call of a function

_texts: dict[str, bytes] = {}
_callees: dict[str, Collection[str]] = {}


class Kept(NamedTuple):
    """What is kept of a module, which needs no compiler any more."""

    code: types.CodeType
    key: str  # stands for the text
    text: bytes  # the source, compressed: what functions are converted from, whatever becomes of the file
    callees: tuple[str, ...] = ()  # what code that is converted in place calls by name, and what else it looks up
    in_place: bytes = b""  # such code by the dotted name and the first line of a function, marshalled and compressed


def code_of(kept: Kept, name: str, path: str) -> types.CodeType:
    """The code of a module of this name and file, once this process knows what it is about to need."""
    with dispatch.changing:
        vars(builtins)[NAME] = sys.modules[__name__]
        _tell(dispatch.active > 0)
    _texts[kept.key] = kept.text
    code = kept.code if kept.code.co_filename == path else _moved(kept.code, path)
    if kept.in_place:
        _callees[kept.key] = kept.callees
        with dispatch.changing:
            if dispatch.active:
                return _replaced(code, _codes(kept.in_place, path))
            if not _looking:
                dispatch.before_staging(_put_in_place)
            _looking[kept.key, path] = (name, kept.in_place)
    return code


def _tell(active: bool) -> None:
    vars(builtins)[ACTIVE] = active


def _moved(code: types.CodeType, filename: str) -> types.CodeType:
    """Code that is kept, for a source that lies elsewhere than it did."""
    inner = [_moved(c, filename) if type(c) is types.CodeType else c for c in code.co_consts]
    return code.replace(co_filename=filename, co_consts=tuple(inner))


# Functions that look at who calls them are converted in their place. That code is large, so it is loaded no sooner than
# a trace begins: by their key and their file, the modules that have such functions, and the code.
_looking: dict[tuple[str, str], tuple[str, bytes]] = {}
Codes = dict[tuple[str, int], types.CodeType]


def _codes(in_place: bytes, path: str) -> Codes:
    codes: Codes = marshal.loads(zlib.decompress(in_place))
    return {n: code if code.co_filename == path else _moved(code, path) for n, code in codes.items()}


def _replaced(code: types.CodeType, codes: Codes) -> types.CodeType:
    """The code of a module with the functions in it that have other code."""
    if code.co_consts[-1:] == (LOOKING,):
        return codes.get((code.co_qualname, code.co_firstlineno), code)
    inner = [_replaced(c, codes) if type(c) is types.CodeType else c for c in code.co_consts]
    return code.replace(co_consts=tuple(inner)) if any(a is not b for a, b in zip(inner, code.co_consts)) else code


def _put_in_place() -> None:
    """Have functions that look at who calls them converted in their place: a trace begins.

    A function may be held by anything; all that there are are looked through.
    """
    codes = {(key, path): _codes(in_place, path) for (key, path), (_, in_place) in _looking.items()}
    for function in [thing for thing in gc.get_objects() if type(thing) is types.FunctionType]:
        code = function.__code__
        if code.co_consts[-1:] == (LOOKING,):
            found = codes.get((code.co_consts[-2], code.co_filename), {})
            made = found.get((code.co_qualname, code.co_firstlineno))
            if made is not None and made.co_freevars == code.co_freevars:
                function.__code__ = made
    for module, (name, _) in [*_looking.items()]:
        spec = getattr(sys.modules.get(name), "__spec__", None)
        if not getattr(spec, "_initializing", False):  # else it still defines functions
            del _looking[module]


def _look_again() -> None:
    if _looking:
        dispatch.before_staging(_put_in_place)


def text_of(key: str) -> str | None:
    """The text of a module that was imported in this process, as it was then."""
    text = _texts.get(key)
    return None if text is None else zlib.decompress(text).decode(errors="surrogatepass")


class _Seen:
    """By the key of a module's text, what the code has met that is converted in place: made once it is asked for."""

    def __getattr__(self, key: str) -> Seen:
        return self.__dict__.setdefault(key, Seen(_callees.get(key, ())))


seen = _Seen()


class _Form:
    """The converted form of a function with some code, of that one which has these variables around it."""

    __slots__ = ("cell", "code", "form", "variables")

    def __init__(self, frame: types.FrameType, cell: object, form: types.FunctionType) -> None:
        self.code, self.variables, self.cell, self.form = frame.f_code, frame.f_globals, cell, form


_forms: dict[int, _Form] = {}  # by the identity of the code, until nothing is traced any more
_form_of: Callable[[types.FunctionType, bool], types.FunctionType]


def set_form(form_of: Callable[[types.FunctionType, bool], types.FunctionType]) -> None:
    """Tell how the converted form of a guarded function is found, for a caller who takes it `alone`, or for one who
    stands in the function itself."""
    global _form_of
    _form_of = form_of


def form_of(function: types.FunctionType) -> types.FunctionType:
    """The converted form of a guarded function."""
    return _form_of(function, True)


def traced_form(cells: types.FunctionType | None = None) -> Callable[..., object]:
    """The converted form of the guarded function that asks; `cells` is a function made there, with the cells that it
    reads."""
    frame = sys._getframe(1)
    code, closure = frame.f_code, cells.__closure__ if cells is not None else None
    known = _forms.get(id(code))
    if known is not None and known.variables is frame.f_globals and (closure is None or closure[0] is known.cell):
        return known.form
    found = dict(zip(cells.__code__.co_freevars, closure)) if cells is not None and closure is not None else {}
    original = types.FunctionType(code, frame.f_globals, None, None, tuple(found[n] for n in code.co_freevars))
    form = _form_of(original, False)
    with dispatch.changing:
        if dispatch.active and not dispatch.lasting:
            _forms[id(code)] = _Form(frame, closure and closure[0], form)
    return form


def hide() -> None:
    """Take the frame that has caught an error, and is about to raise it again, out of its traceback."""
    error = sys.exc_info()[1]
    if error is not None:
        hide_frame(error)


def _let_go() -> list[_Form]:
    held = [*_forms.values()]
    _forms.clear()
    return held


dispatch.when_changed(_tell)
dispatch.when_ended(_let_go)
dispatch.when_ended(_look_again)
