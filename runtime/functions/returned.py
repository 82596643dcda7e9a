"""What a function cannot return: what would hold values of the trace, or be one and the same for all calls."""

from __future__ import annotations

import dis
import gc
import types
from collections.abc import Iterable, Iterator
from itertools import islice

from autograph import StagingError
from autograph.errors import with_article
from autograph.operators.items import Items as Mapped
from autograph.reading import (
    attributes_of,
    content_of,
    found_in,
    held_by,
    is_made_later,
    is_own,
    members_of,
    module_of_class,
    reached,
)
from autograph.rules import is_left_alone
from runtime.control.items import Items, OneShot
from runtime.control.shared import is_object
from runtime.functions.standing import WasThere
from runtime.tensors import nest
from runtime.tensors.conversion import no_symbols
from runtime.tensors.objects import Carried
from runtime.tensors.tensor import SymbolicTensor

# Where the kinds come from that hold values and are not made anew for each call: deque, slice, partial, iterators …
_HOLDERS = ("builtins", "collections", "functools", "itertools", "operator")
_FUNCTIONS = (types.FunctionType, types.MethodType)
_MOST = 1000  # values that are looked at


def check_returned(result: object, there: WasThere) -> None:
    """Refuse what cannot be returned."""
    for one in _made(result, there):
        if isinstance(one, str | bytes):
            no_symbols(one if isinstance(one, str) else one.decode("latin-1"))
        elif isinstance(one, dict):
            _no_symbols(one, [*one])
        elif is_object(one) and not isinstance(one, list | tuple | BaseException):
            _no_symbols(one, [part for part in _besides_attributes(one) if not there.was(part)])
        elif not nest.is_nested(one):
            _no_holder(one)
            if not there.was(one):
                _no_iterator(one)
                if type(one) in _FUNCTIONS:
                    _no_state(one, there)


def _made(value: object, there: WasThere) -> Iterator[object]:
    """All that is returned, but for what was there before: structures, objects, and what these are made of."""

    def parts(one: object) -> Iterable[object]:
        if there.has(one):
            return ()
        attributes = held_by(one).values() if is_object(one) and not there.was(one) else ()
        return [*nest.parts(one), *attributes] if nest.is_nested(one) else attributes

    return (one for one in reached(value, parts) if not there.has(one))


def _besides_attributes(value: object) -> list[object]:
    """What an object holds that is none of its attributes: the elements of a deque or set, and its class."""
    held = attributes_of(value)
    attributes = {id(held), *map(id, held_by(value).values())}
    return [part for part in gc.get_referents(value) if id(part) not in attributes]


def _no_holder(value: object) -> None:
    """Refuse what holds values of the trace: each call would return the same, with nothing in it."""
    if isinstance(value, Carried) and not value.outlives_graphs:
        raise StagingError(
            f"the function returns {value!r}, which only the graph has. Return its elements, or make it outside."
        )
    if type(value) is OneShot or _is_holder(value) or isinstance(value, (*_FUNCTIONS, type)):
        _no_symbols(value, [value.values if type(value) is OneShot else value])


def _no_symbols(holder: object, parts: list[object]) -> None:
    """Refuse a holder in which one of these parts is, or leads to, a value of the trace."""
    kind = holder.kind if type(holder) is OneShot else type(holder)
    for part in islice((found for one in parts for found in reached(one, _held_by)), _MOST):
        if isinstance(part, SymbolicTensor | Items):
            what = (
                f"{part}, which gets its value" if isinstance(part, SymbolicTensor) else "items that get their values"
            )
            raise StagingError(
                f"the function returns {with_article(kind.__name__)} that holds {what} only when the graph runs. "
                + ("Return what it needs, and make it of that outside." if kind in _FUNCTIONS else
                   "Return a list, tuple or dictionary, and make of it what you want outside.")
            )  # fmt: skip


def _no_iterator(value: object) -> None:
    """Refuse an iterator of Python's: each call would return the very same one."""
    kind = value.kind if isinstance(value, OneShot | Mapped) else value.__class__
    if kind.__module__ in ("builtins", "itertools") and found_in(kind, "__next__") is not None:
        raise StagingError(
            f"the function returns a {kind.__name__}, which all calls would take their items from, as there is "
            "but one. Return a list or tuple of them, and make of it what you want outside."
        )


def _no_state(value: object, there: WasThere) -> None:
    """Refuse a function that keeps something: each call would return the very same one."""
    for part in islice(reached(value, _held_by), _MOST):
        code = part.__code__ if isinstance(part, types.FunctionType) else None
        changes = next((name for name in _variables_set(code)), None) if code is not None else None
        held = isinstance(part, list | dict | set | bytearray) and not there.was(part)
        if changes is not None or held:
            what = f"changes '{changes}'" if changes is not None else f"holds a {type(part).__name__} made there"
            raise StagingError(
                f"the function returns a function that {what}, which all calls would share, as they return the very "
                "same one. Return what it needs, and make it of that outside."
            )


def _variables_set(code: types.CodeType) -> Iterator[str]:
    """The variables of functions around that code assigns."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("STORE_DEREF", "DELETE_DEREF") and instruction.argval in code.co_freevars:
            yield instruction.argval


def _held_by(part: object) -> Iterable[object]:
    kind = type(part)
    if isinstance(part, types.FunctionType):
        kept = [*(part.__closure__ or ()), *(part.__defaults__ or ()), *(part.__kwdefaults__ or {}).values()]
        return [*kept, *vars(part).values()]
    if isinstance(part, types.MethodType):
        return (part.__self__, part.__func__)
    if isinstance(part, types.CellType):
        return content_of(part)
    if isinstance(part, type):
        return members_of(part).values() if is_made_later(part) and not is_left_alone(module_of_class(part)) else ()
    if _is_holder(part):
        return gc.get_referents(part)
    return held_by(part).values() if is_made_later(kind) and not is_own(kind.__module__) else ()


def _is_holder(value: object) -> bool:
    kind = type(value)
    if kind is slice:
        return True
    if isinstance(value, types.ModuleType | types.TracebackType | types.FrameType):
        return False
    if kind.__module__ in _HOLDERS:
        return not isinstance(value, (*_FUNCTIONS, type))
    if hasattr(value, "__dict__") or is_object(value):
        return False
    return not kind.__module__.startswith(("runtime.", "numpy"))
