"""Types of values as data."""

from __future__ import annotations

from runtime.graph import shapes
from runtime.graph.graph import HandleType, ListType, TensorType, Type
from runtime.serialization.values import Malformed, dims, dtype_named, flag, listed, text

_KINDS: dict[type, str] = {TensorType: "tensor", HandleType: "variable", ListType: "list"}
_MIXED = "mixed list"


def written(type_: Type) -> list[object]:
    """A type as data, without the symbols of its graph."""
    shape = shapes.pattern(type_.shape)
    weak = False if isinstance(type_, HandleType) else type_.weak
    kind = _MIXED if isinstance(type_, ListType) and type_.mixed else _KINDS[type(type_)]
    return [kind, type_.dtype.name, None if shape is None else [*shape], weak]


def read(data: object) -> Type:
    """The type that data stands for."""
    kind, dtype, shape, weak = listed(data, 4)
    known, open_shape = dtype_named(dtype), dims(shape)
    if text(kind) == "variable" and not flag(weak):
        return HandleType(known, open_shape)
    if kind == "tensor":
        return TensorType(known, open_shape, flag(weak))
    if kind not in ("list", _MIXED):
        raise Malformed(f"there are no types of the kind {kind!r}")
    return ListType(known, open_shape, flag(weak), mixed=kind == _MIXED)


def fits(type_: Type, declared: Type) -> bool:
    """Whether values of a type are such as another describes."""
    if isinstance(type_, HandleType) or isinstance(declared, HandleType):
        return type_ == declared
    if type(type_) is not type(declared) or type_.dtype != declared.dtype:
        return False
    if isinstance(type_, ListType):
        return type_.weak == declared.weak and (declared.shape is None or shapes.fits(type_.shape, declared.shape))
    return shapes.fits(type_.shape, declared.shape)


def joined(a: Type, b: Type) -> Type | None:
    """The type of what has one type or the other; None if there is none."""
    if isinstance(a, HandleType) or isinstance(b, HandleType):
        return a if a == b else None
    if type(a) is not type(b) or a.dtype != b.dtype:
        return None
    if isinstance(a, ListType):
        assert isinstance(b, ListType)
        return a.joined(b) if a.weak == b.weak else None
    return TensorType(a.dtype, shapes.join(a.shape, b.shape), a.weak and b.weak)
