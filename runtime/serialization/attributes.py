"""The attributes of operations as data, and what each has to be: what the rule of its row says of it."""

from __future__ import annotations

import builtins
import functools
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from autograph.errors import held_by_exception
from runtime.graph import errors
from runtime.graph.dimensions import Symbol
from runtime.graph.dtypes import DType
from runtime.graph.graph import Node, TensorType
from runtime.graph.op import OPS, Op
from runtime.graph.owner import Owner
from runtime.ops import draws, effects, failing, shape as shape_ops, streams, strings, structure
from runtime.ops.effects import Held, HeldObject
from runtime.ops.indexing import INPUT
from runtime.ops.printing import Named, Shown
from runtime.ops.random import Stream
from runtime.serialization.values import (
    Decoder,
    Encoder,
    Malformed,
    NotSavable,
    Reader,
    Writer,
    flag,
    index,
    listed,
    text,
)

# What calls functions of Python's, or is machine code.
CODE: Mapping[Op, str] = {
    effects.py_function: "it calls a function of Python's (py_function, numpy_function, or a table of tf.lookup)",
    draws.draw_: "it draws from a generator of the program's",
    streams.made: "it makes a dataset", streams.iterator: "it goes through a dataset",
    streams.advance: "it goes through a dataset", streams.element_of: "it goes through a dataset",
    effects.logged_: "it tells a logger of Python's", effects.warned_: "it warns as Python does",
    structure.native: "it is machine code", structure.shown: "it is for machine code",
}  # fmt: skip


# Exceptions that a graph may raise.


def _exception(error: BaseException, writer: Writer) -> object:
    """An exception by its class, or by the nearest that everybody has where that is the program's own."""
    known = next(kind for kind in type(error).__mro__ if _class_named(kind.__name__) is kind)
    held = {}
    for name, value in held_by_exception(error).items():
        try:
            held[name] = writer.value(value)
        except NotSavable:  # what only the program's own class knows
            continue
    cause = error.__cause__
    return {"exception": [
        known.__name__, writer.values(error.args), held, None if cause is None else writer.value(cause),
        error.__suppress_context__,
    ]}  # fmt: skip


def _class_named(name: str) -> type[BaseException] | None:
    found = getattr(errors, name, None) or getattr(builtins, name, None)
    return found if isinstance(found, type) and issubclass(found, Exception) else None


def _exception_of(data: object, reader: Reader) -> BaseException:
    name, arguments, held, cause, suppresses = listed(data, 5)
    kind = _class_named(text(name))
    if kind is None:
        raise Malformed(f"there is no exception {name!r}")
    if type(held) is not dict:
        raise Malformed(f"the attributes of {name} are no dictionary")
    try:
        made = effects.renewed(kind.__new__(kind), reader.values(arguments), {})
        for key, value in held.items():
            BaseException.__setattr__(made, key, reader.value(value))
        BaseException.__setattr__(made, "__cause__", None if cause is None else reader.value(cause))
        made.__suppress_context__ = flag(suppresses)
    except (TypeError, AttributeError) as error:
        raise Malformed(f"an exception {name} cannot be: {error}") from None
    return made


# What text is made by.
_FUNCTIONS: dict[str, Callable[..., str]] = {
    "str": str, "repr": repr, "ascii": ascii, "format": format, "str.format": str.format, "str.join": str.join,
    "str.format_map": str.format_map, "mod": operator.mod, "mul": operator.mul,
}  # fmt: skip
_NAMES = {function: name for name, function in _FUNCTIONS.items()}


def _function(function: object, _: Writer) -> object:
    if function not in _NAMES:
        raise NotSavable(f"{function!r} cannot be saved without code")
    return {"function": _NAMES[function]}


def _function_of(data: object, _: Reader) -> object:
    name = text(data)
    if name not in _FUNCTIONS:
        raise Malformed(f"there is no function {name!r} that makes text")
    return _FUNCTIONS[name]


ENCODERS: dict[type, Encoder] = {
    BaseException: _exception,
    **dict.fromkeys(map(type, _FUNCTIONS.values()), _function),
    type(INPUT): lambda value, _: {"input": True},
    Owner: lambda value, _: str(value),
    Stream: lambda value, _: {"seed": value.seed},
    Shown: lambda value, _: {"shown": str(value)},
    Named: lambda value, writer: {"named": writer.values([value.title, value.parts])},
    Held: lambda value, _: {"held": [value.number, str(value.owner)]},
    HeldObject: lambda value, writer: {"object": writer.values([value.text, value.representation])},
}
DECODERS: dict[str, Decoder] = {
    "input": lambda data, _: INPUT,
    "seed": lambda data, _: Stream(_number(data)),
    "shown": lambda data, _: Shown(text(data)),
    "named": lambda data, reader: _named(*reader.values(listed(data, 2))),
    "held": lambda data, _: _held(*listed(data, 2)),
    "object": lambda data, reader: HeldObject(*reader.values(listed(data, 2))),
    "exception": _exception_of,
    "function": _function_of,
}


def _named(title: object, parts: object) -> Named:
    if type(parts) is not dict:
        raise Malformed(f"the parts of {title!r} are no dictionary")
    return Named(text(title), parts)


def _held(number: object, owner: object) -> Held:
    return Held(index(number, 2**31), _owner(owner))


def _number(data: object) -> int:
    if type(data) is not int:
        raise Malformed(f"{data!r} stands where a number is expected")
    return data


def _owner(data: object) -> Owner:
    for owner in Owner:
        if owner == data:
            return owner
    raise Malformed(f"{data!r} owns nothing")


# Writing.

_PRINTED = ("stdout", "stderr")


def plain(value: object) -> object:
    """An attribute without NumPy's numbers, which it may have where Python's are meant, and without symbols."""
    if isinstance(value, np.bool_ | np.integer | np.floating | np.complexfloating):
        return value.item()
    if isinstance(value, Symbol):
        return None
    if type(value) is list or type(value) is tuple:
        return type(value)(map(plain, value))
    return value


def written(node: Node, name: str, writer: Writer) -> object:
    """An attribute of a node as data."""
    value = node.attributes[name]
    if node.op is shape_ops.constant and name == "value":
        return {"array": writer.array(np.asarray(value))}
    if name == "stream" and value is not None and value not in _PRINTED and type(value) is not Stream:
        raise NotSavable(
            "it prints into a file, or to a stream of Python's; output_stream can be sys.stderr or sys.stdout"
            if node.op is effects.print_ else
            "it draws from a generator of NumPy's; tf.random.Generator, or a seed, can be saved"
        )  # fmt: skip
    if name == "attributes" and value is not None:
        return writer.value({k: v for k, v in value.items() if _is_plain(v, writer)})
    return writer.value(plain(value))


def _is_plain(value: object, writer: Writer) -> bool:
    try:
        writer.value(value)
    except NotSavable:
        return False
    return True


# Reading.


def checked(op: Op, attributes: Mapping[str, Any], inputs: int) -> None:
    """Raise Malformed unless these are the attributes of an operation with so many inputs."""
    known = _known(op)
    if unknown := attributes.keys() - known:
        raise Malformed(f"{op.name} has no attributes {sorted(unknown)}")
    if missing := {p.name for p in op.attributes if p.default is p.empty} - attributes.keys():
        raise Malformed(f"{op.name} has no attributes without {sorted(missing)}")
    if missing := {name for name in _in_text(op) if name not in attributes} - {p.name for p in op.attributes}:
        raise Malformed(f"{op.name} has no attributes without {sorted(missing)}")
    for parameter in op.attributes:
        if parameter.name in attributes and not _CHECKS[str(parameter.annotation)](attributes[parameter.name]):
            raise Malformed(
                f"{op.name} has {parameter.name}={attributes[parameter.name]!r}, which is no {parameter.annotation}"
            )
    for name in known & _OTHERS.keys() - {p.name for p in op.attributes}:
        if name in attributes and not _OTHERS[name](attributes[name]):
            raise Malformed(f"{op.name} has {name}={attributes[name]!r}, which it cannot have")
    if op in (failing.attempted, failing.told):
        tried = OPS.get(attributes["name"])
        if tried is None or not tried.raises or tried in CODE:
            raise Malformed(f"{op.name} has name={attributes['name']!r}, which cannot be attempted")
        checked(tried, dict(attributes["named"]), inputs)
    if any(number >= inputs for number in _numbers(op, attributes)):
        raise Malformed(f"{op.name} shows more values than the {inputs} that it is given")


def _numbers(op: Op, attributes: Mapping[str, object]) -> list[int]:
    """The numbers of inputs that attributes name."""
    found: list[int] = []

    def look(part: object) -> None:
        if type(part) is Held:
            found.append(part.number)
        elif type(part) is HeldObject:
            look([part.text, part.representation])
        elif type(part) is Named:
            look(part.parts)
        elif type(part) in (bool, int) and op is effects.print_:
            found.append(part if type(part) is int and part >= 0 else 2**31)
        elif type(part) is list or type(part) is tuple:
            list(map(look, part))
        elif type(part) is dict:
            list(map(look, part.values()))

    for name in ("template", "arguments", "attributes", "keywords"):
        look(attributes.get(name) if op in (effects.print_, effects.raise_, strings.text) else None)
    return found


@functools.cache
def _in_text(op: Op) -> frozenset[str]:
    return frozenset(re.findall(r"{([a-z_]+)}", op.text))


@functools.cache
def _known(op: Op) -> frozenset[str]:
    return _in_text(op) | {parameter.name for parameter in op.attributes}


def _is(*kinds: type) -> Callable[[object], bool]:
    return lambda value: type(value) in kinds


def _each(check: Callable[[object], bool], *kinds: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in (kinds or (list, tuple)) and all(map(check, value))


def _or(*checks: Callable[[object], bool]) -> Callable[[object], bool]:
    return lambda value: any(check(value) for check in checks)


def _is_named(value: object) -> bool:
    return type(value) is tuple and len(value) == 2 and type(value[0]) is str


def _is_part(part: object) -> bool:
    """Whether it is a part of an index."""
    if type(part) is slice:
        return all(
            bound is None or bound is INPUT or type(bound) is int for bound in (part.start, part.stop, part.step)
        )
    return part is None or part is Ellipsis or part is INPUT or type(part) is int


_none, _int, _dtype = _is(type(None)), _is(int), lambda value: isinstance(value, DType)
_numbers_only = _each(_int, tuple)
_open = _each(_or(_int, _none), tuple)
_pair = _each(_int, tuple)
_CHECKS: dict[str, Callable[[object], bool]] = {  # by what the rule says of a parameter
    "Axis": _or(_none, _int, _numbers_only), "DType": _dtype, "Dims": _or(_none, _open),
    "NumPyArray": lambda value: isinstance(value, np.ndarray | np.generic), "Numbers": _numbers_only,
    "Padding": _or(_is(str), _each(_pair, tuple)), "Sequence[DType]": _each(_dtype),
    "Sequence[TensorType]": _each(lambda value: isinstance(value, TensorType)),
    "Sequence[int | None]": _open, "Sequence[object]": _each(_is_part, tuple), "Sequence[str]": _each(_is(str)),
    "Sequence[tuple[str, object]]": _each(_is_named),
    "Sequence[tuple[int, int]]": _each(_pair), "bool": _is(bool), "bytes": _is(bytes), "int": _int, "str": _is(str),
    "float | None": _or(_is(float, int), _none), "float | int | None": _or(_is(float, int), _none),
    "int | None": _or(_int, _none), "int | tuple[int, ...] | None": _or(_int, _none, _numbers_only),
    "str | None": _or(_is(str), _none), "tuple[int, ...]": _numbers_only,
    "tuple[int, ...] | None": _or(_numbers_only, _none), "object": lambda value: True,
}  # fmt: skip
_OTHERS: dict[str, Callable[[object], bool]] = {  # by name, where the rule does not look at them
    "dtype": _dtype, "shape": _or(_none, _open), "given": _each(_is(bool), tuple), "k": _int, "reverse": _is(bool),
    "exclusive": _is(bool), "python": _is(bool), "wanted": _int, "message": _or(_is(str), _none),
    "sep": _is(str, bytes),
    "end": _is(str), "summarize": _int, "stream": lambda value: type(value) is Stream or value in (None, *_PRINTED),
    "exception": lambda value: isinstance(value, BaseException), "arguments": _is(list, tuple),
    "attributes": _or(_is(dict), _none), "how": _is(str),
    "function": lambda value: value in _NAMES, "keywords": _is(dict),
    "otherwise": _each(lambda value: value is None or isinstance(value, BaseException)),
}  # fmt: skip
