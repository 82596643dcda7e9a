"""What objects of Python's own types stand for, or hold where nobody sees it: what is behind a view, a weak reference,
a method found in a base class, and the elements of an array of objects."""

from __future__ import annotations

import functools
import gc
import types
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from autograph.reading import content_of, module_of_class
from autograph.rules import is_left_alone

T = TypeVar("T")


def behind(value: object) -> list[object]:
    """What can be changed through an object of a type of Python's own; nothing where that is not known."""
    kind = type(value)
    if id(kind) in _BEHIND:
        return [*_BEHIND[id(kind)](value)]
    return next(([*read(value)] for base, read in _DERIVED if issubclass(kind, base)), [])


def register_behind(kind: type[T], read: Callable[[T], Iterable[object]]) -> None:
    """Have what `read` gives of objects of a class, or derived ones, be what a program can change through them."""
    _DERIVED.append((kind, read))


def elements_in(array: Any) -> list[object]:
    """The elements of an array of objects; nothing of numbers and texts."""
    return [*array.ravel().tolist()] if array.dtype.hasobject else []


def functions_in(function: types.FunctionType) -> list[object]:
    """What a library's function, as one that a decorator of its has made, may call of what it was given."""
    found = [part for cell in function.__closure__ or () for part in content_of(cell)]
    found += [part for held in found if type(held) is dict for part in held.values() if is_called(part)]
    return [part for part in found if is_called(part) or not is_left_alone(module_of_class(type(part)))]


def is_called(value: object) -> bool:
    """Whether a value is a function, which a library may call that holds it."""
    return id(type(value)) in _CALLED


def _referred(reference: weakref.ref[object]) -> list[object]:
    found = weakref.ref.__call__(reference)
    return [] if found is None else [found]


def _of_proxy(proxy: Any) -> list[object]:
    try:
        return [proxy.__dir__.__self__]
    except (ReferenceError, AttributeError):
        return []


def _of_super(value: object) -> list[object]:
    return [part for name in ("__self__", "__thisclass__") if (part := _SUPER[name].__get__(value)) is not None]


KEEPS_RESULTS = type(functools.cache(lambda: None))
_results: Callable[[object], Iterable[object]] = lambda function: ()


def set_results(keeps: Callable[[object], Iterable[object]]) -> None:
    """Tell what keeps, for a backend, the results of a function that `functools` would keep those of."""
    global _results
    _results = keeps


_CALLED = frozenset(map(id, (types.FunctionType, types.MethodType, functools.partial, KEEPS_RESULTS)))
_SUPER = super.__dict__
_EMPTY: tuple[dict[object, object], ...] = ({}, OrderedDict())
_views = (view() for made in _EMPTY for view in (made.keys, made.values, made.items))
_DERIVED: list[tuple[type, Callable[..., Iterable[object]]]] = [(weakref.ref, _referred)]
_BEHIND: dict[int, Callable[..., Iterable[object]]] = {
    id(super): _of_super,
    id(KEEPS_RESULTS): lambda function: [getattr(function, "__wrapped__", None), *_results(function)],
    id(weakref.ProxyType): _of_proxy,
    id(weakref.CallableProxyType): _of_proxy,
    **{id(kind): gc.get_referents for kind in (types.MappingProxyType, *map(type, _views))},
}
