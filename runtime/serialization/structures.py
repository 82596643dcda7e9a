"""What functions take and return as data: structures with a description in the place of each tensor."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

from autograph.dispatch import UNDEFINED, UNSET, Name, Role
from runtime.control.leaves import Slot
from runtime.control.plans import Chosen, ListPlan
from runtime.control.rows import Column
from runtime.graph.graph import HandleType, ListType, TensorType, Type
from runtime.serialization.values import (
    Decoder,
    Encoder,
    Malformed,
    NotSavable,
    Reader,
    Writer,
    dims,
    dtype_named,
    index,
    listed,
    text,
)
from runtime.tensors.spec import TensorSpec

# Arguments: TensorSpecs, and Python's own values.


def _spec(spec: TensorSpec, _: Writer) -> object:
    return {"spec": [spec.dtype.name, None if spec.shape.rank is None else spec.shape.as_list(), spec.name]}


def _spec_of(data: object, _: Reader) -> TensorSpec:
    dtype, shape, name = listed(data, 3)
    return TensorSpec(dims(shape), dtype_named(dtype), name if name is None else text(name))


def _named_of(data: object, reader: Reader) -> object:
    name, fields, parts = listed(data, 3)
    return named_kind(name, fields)(*reader.values(listed(parts, len(listed(fields)))))


def named_kind(name: object, fields: object) -> Callable[..., object]:
    """A class of named tuples, as the one that was saved."""
    try:
        return namedtuple(text(name), list(map(text, listed(fields))))  # type: ignore[misc]
    except (ValueError, TypeError) as error:
        raise Malformed(f"a named tuple cannot be: {error}") from None


# What a variable holds that may be unbound, and what is returned for it.
_MARKERS = {"unbound": UNDEFINED, "unset": UNSET}


def _marker(marker: object, _: Writer) -> object:
    return {"marker": next(name for name, one in _MARKERS.items() if one is marker)}


def _marker_of(data: object, _: Reader) -> object:
    name = text(data)
    if name not in _MARKERS:
        raise Malformed(f"there is no marker {name!r}")
    return _MARKERS[name]


ENCODERS: dict[type, Encoder] = {TensorSpec: _spec, type(UNSET): _marker}
DECODERS: dict[str, Decoder] = {"spec": _spec_of, "named": _named_of, "marker": _marker_of}


def arguments(value: object, writer: Writer) -> object:
    """A structure of TensorSpecs and plain values as data."""
    return _structure(value, writer, lambda leaf: writer.value(leaf))


def _structure(value: object, writer: Writer, leaf: Callable[[Any], object]) -> object:
    """A structure as data, by its leaves."""
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        parts = [_structure(part, writer, leaf) for part in value]
        return {"named": [type(value).__name__, [*value._fields], parts]}
    if isinstance(value, list):
        return {"list": [_structure(part, writer, leaf) for part in list.__iter__(value)]}
    if type(value) is tuple:
        return {"tuple": [_structure(part, writer, leaf) for part in value]}
    if type(value) is dict:
        return {"dict": [[writer.value(key), _structure(part, writer, leaf)] for key, part in value.items()]}
    return leaf(value)


# Results: plans.


def results(plan: object, writer: Writer) -> object:
    """What a function returns as data; raises NotSavable for objects of the program's own."""

    def leaf(part: object) -> object:
        if isinstance(part, Slot):
            if part.number < 0 or part.template is not None or part.array is not None:
                what = "a TensorArray: return array.stack()" if part.template is not None else "what it was given"
                raise NotSavable(f"it returns {what}")
            return {"slot": part.number}
        if isinstance(part, Chosen):
            options = [_structure(option, writer, leaf) for option in part.options]
            return {"chosen": [options, leaf(part.index), str(part.name)]}
        if isinstance(part, ListPlan):
            if part.columns is None:
                return {"list": [_structure(element, writer, leaf) for element in part.elements]}
            columns = [leaf(column) for column in part.columns]
            return {"rows": [columns, _structure(part.structure, writer, lambda column: {"column": int(column)})]}
        try:
            return writer.value(part)
        except NotSavable:
            raise NotSavable(f"it returns {part!r}, which is no tensor and no plain value") from None

    return _structure(plan, writer, leaf)


def results_of(data: object, reader: Reader, types: Sequence[Type]) -> object:
    """The plan that data stands for, of what a graph with results of these types gives."""

    def slot(inner: object, _: Reader) -> Slot:
        return Slot(index(inner, len(types)))

    def chosen(inner: object, reader: Reader) -> Chosen:
        options, number, name = listed(inner, 3)
        made = Chosen(reader.values(options), reader.value(number), Name(text(name), Role.RETURNED, phrase=True))
        kind = types[made.index.number] if isinstance(made.index, Slot) else None
        if not isinstance(kind, TensorType) or not kind.dtype.is_integer:
            raise Malformed("a result is one of several, and nothing says which")
        return made

    def rows(inner: object, reader: Reader) -> ListPlan:
        columns, structure = listed(inner, 2)
        slots = reader.values(columns)
        own = Reader({}, {**DECODERS, "column": lambda data, _: Column(index(data, len(slots)))})
        if not slots or not all(isinstance(s, Slot) and isinstance(types[s.number], ListType) for s in slots):
            raise Malformed("a list has no columns")
        return ListPlan([], slots, own.value(structure))

    more = {**DECODERS, "slot": slot, "chosen": chosen, "rows": rows}
    plan = Reader(reader.arrays, more).value(data)
    if any(isinstance(kind, HandleType) for kind in types):
        raise Malformed("a function returns a Variable")
    return plan
