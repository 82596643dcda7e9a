"""What special methods of the user's classes give, where Python itself takes nothing staged from them.

``if box:`` asks `__bool__`, ``len(box)`` asks `__len__`, ``f"{box}"`` asks `__str__`: Python wants a bool, an int or a
str there. Such a method is called here instead, and what it gives is used as it is if it is staged.
"""

from __future__ import annotations

import builtins
import itertools
import operator
import re
import string
import sys
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph import dispatch, rules
from autograph.dispatch import backend_of, holder_of, may_be_staged
from autograph.identity import ByIdentity
from autograph.operators import definitions
from autograph.operators.calls import call, converted, defined
from autograph.operators.marks import text_of
from autograph.operators.state import hide_frame
from autograph.reading import (
    found_in,
    held_by,
    is_a,
    is_made_later,
    members_of,
    module_of_class,
    order_of,
    reached,
)
from autograph.rules import is_left_alone

_NUMBERS = (builtins.bool, builtins.int, builtins.float)
_CONVERSION = re.compile(r"%(?:\([^)]*\))?[^a-zA-Z%]*(.)")
_PART = re.compile(r"{[^{}]*[.\[]")


class _Given:
    """What a special method gave: Python says of it what it would have said there."""

    def __init__(self, result: object) -> None:
        self._result = result

    def _give(self) -> Any:
        return self._result

    __bool__ = __len__ = __int__ = __float__ = __index__ = __str__ = __repr__ = _give

    def __format__(self, spec: str) -> Any:
        return self._result


class _Sized:
    """What `__len__` gave, where that says whether an object is true."""

    def __init__(self, result: object) -> None:
        self._result = result

    def __len__(self) -> object:
        return self._result


class Written:
    """The texts of an object, that of `str` and that of `repr`; the graph may make them."""

    def __init__(self, text: object, representation: object) -> None:
        self.text, self.representation = text, representation

    def __str__(self) -> str:
        return str(_Given(self.text))

    def __repr__(self) -> str:
        return repr(_Given(self.representation))

    def __format__(self, spec: str) -> str:
        return object.__format__(self, spec)


def _named(kind: type, names: Sequence[str]) -> tuple[str, object] | None:
    """The first special method of these that a user's class has, under the name that it has there."""
    if not is_made_later(kind) or is_left_alone(module_of_class(kind)):
        return None
    for name in names:
        method = found_in(kind, name)
        if method is object.__str__:
            return "__repr__", found_in(kind, "__repr__")
        if method is not None:
            return name, method
    return None


def _method(value: object, *names: str) -> Callable[..., object] | None:
    """The first special method of these that a user's class has, if it is written in Python."""
    _, method = _named(type(value), names) or (None, None)
    return method if type(method) is types.FunctionType else None


class _Methods:
    """As `_method`, for some names: under which of them each class has it is looked for once.

    That is forgotten when nothing is traced any more. What stands there is asked for each time, which no metaclass
    notices.
    """

    def __init__(self, *names: str) -> None:
        self.names = names
        self._found: ByIdentity[str | None] = ByIdentity()
        self.known = self._found.values
        dispatch.when_ended(self._found.clear)
        rules.when_changed(self._found.clear)

    def of(self, value: object) -> Callable[..., object] | None:
        kind = type(value)
        try:
            name = self.known[id(kind)]
        except KeyError:
            return self._look(kind)
        if name is None:
            return None
        method = getattr(kind, name, None)
        return method if type(method) is types.FunctionType else self._look(kind)

    def _look(self, kind: type) -> Callable[..., object] | None:
        name, method = _named(kind, self.names) or (None, None)
        if type(method) is not types.FunctionType:
            name = method = None
        if name is None or _is_unnoticed(type(kind), name):
            self._found.set(kind, name)
        return method


def _is_unnoticed(metaclass: type, name: str) -> bool:
    """Whether a class of this metaclass gives what stands in it without running code of the user's."""
    return found_in(metaclass, "__getattribute__") is type.__getattribute__ and found_in(metaclass, name) is None


_TRUTH = _Methods("__bool__", "__len__")
_LESS, _GREATER = _Methods("__lt__"), _Methods("__gt__")
CONTAINS = _Methods("__contains__")
_METHODS: dict[object, _Methods] = {
    builtins.bool: _TRUTH,
    builtins.len: _Methods("__len__"),
    builtins.int: _Methods("__int__", "__index__"),
    builtins.float: _Methods("__float__", "__index__"),
    builtins.str: _Methods("__str__"),
    builtins.repr: _Methods("__repr__"),
}


def says_truth(value: object) -> bool:
    """Whether the class of an object, which is the user's, says whether it is true."""
    return _TRUTH.of(value) is not None


def orders_staged(value: object) -> bool:
    """Whether the class of an object, or of one in a tuple or list, says which of two comes first, and is the user's,
    and the graph decides about what it holds."""
    if _LESS.of(value) is None and _GREATER.of(value) is None:
        kinds: tuple[type, ...] = (tuple, list)
        return is_a(value, kinds) and any(map(orders_staged, _held(value)))
    return any(map(_is_staged, itertools.islice(reached(value, _held), _MOST)))


def _is_staged(value: object) -> bool:
    """Whether a value is staged, or stands for an object whose attributes are."""
    return backend_of(value) is not None or found_in(type(value), "__is__") is not None


def _held(value: object) -> Iterable[object]:
    if backend_of(value) is not None:  # it may not be known how many it has
        return ()
    return dispatch.elements(value) or (held_by(value).values() if is_made_later(type(value)) else ())


_MOST = 100  # so many parts of an object are looked at


def truth_of(value: object) -> object:
    """What to ask in the place of a value whether it is true: for an object of the user's, what its class says."""
    if not dispatch.active or (method := _TRUTH.of(value)) is None or backend_of(value) is not None:
        return value
    result = call(method, value)
    if type(result) is bool:
        return result
    if backend_of(result) is not None:
        return result
    return bool((_Given if found_in(type(value), "__bool__") is not None else _Sized)(result))


def result_of(function: Any, value: object) -> object:
    """What a built-in function makes of an object of the user's; NotImplemented if that is Python's to say."""
    methods = _METHODS.get(function)
    if methods is None or (method := methods.of(value)) is None or backend_of(value) is not None:
        return NotImplemented
    if function is builtins.bool:
        value = truth_of(value)
        backend = backend_of(value)
        return value if backend is None else backend.call(bool, (value,), {})
    result = call(method, value) if function in _NUMBERS else text_of(call, method, value)
    if function is builtins.len and type(result) is int and 0 <= result <= sys.maxsize:
        return result
    backend = backend_of(result)
    if backend is None:
        return function(_Given(result))
    return backend.call(function, (result,), {}) if function in _NUMBERS else result


def containing(items: object) -> Callable[..., object] | None:
    """The method by which an object of the user's says itself what it contains."""
    method = CONTAINS.of(items)
    return None if method is None or (may_be_staged((items,)) and backend_of(items) is not None) else method


def contains(method: Callable[..., object], items: object, value: object) -> object:
    """``value in items`` of an object that says that itself, by this method."""
    try:
        result = converted(method)(items, value)
    except BaseException as error:
        hide_frame(error)
        raise
    return result if type(result) is bool else contained(result)


def contained(result: object) -> object:
    """What Python makes of what such a method gives; staged if that is."""
    result = truth_of(result)
    backend = backend_of(result)
    return bool(result) if backend is None else backend.call(bool, (result,), {})


def written(function: object, values: Sequence[object], template: str = "{}") -> tuple[object, ...]:
    """The values that a function makes text of, with the texts of the user's objects among them in their place."""
    if function is operator.mod:
        kinds = set(_CONVERSION.findall(template))
        if not kinds <= set("sra%"):
            return (*values,)  # `%d` wants a number
        quoted = bool(kinds & set("ra"))
    else:
        quoted = "!r" in template or "!a" in template
    ways = (
        ("__repr__",) if function is repr or function is ascii else ("__str__", "__repr__") if quoted else ("__str__",)
    )
    first: object = values[0] if values else None
    if function is operator.mod and is_a(first, tuple):
        return (tuple([_written(part, ways, set()) for part in first]),)
    formats = function is str.format_map  # elsewhere that has been done
    return tuple([value if formats and _formats_itself(value) else _written(value, ways, set()) for value in values])


def resolved(template: str, values: Sequence[object], keywords: Mapping[str, object]) -> tuple[str, list[object]]:
    """A template and values without the parts of values that the template names: ``{0.name}``, ``{table[key]}``."""
    formatter, found, automatic = string.Formatter(), [*values], itertools.count()
    numbered: set[bool] = set()  # are values numbered by Python, or by the template?

    def place(field: str) -> str:
        head = re.split(r"[.\[]", field)[0]
        if not head or head.isdigit():
            numbered.add(not head)
        if not head:
            field = f"{next(automatic)}{field}"
        if "." not in field and "[" not in field:
            return field
        found.append(formatter.get_field(field, values, keywords)[0])
        return str(len(found) - 1)

    made = []
    for literal, field, spec, conversion in formatter.parse(template):
        made.append(literal.replace("{", "{{").replace("}", "}}"))
        if field is not None:
            field = place(field)
            spec = re.sub("{([^{}]*)}", lambda part: "{" + place(part[1]) + "}", spec or "")
            made.append("{" + field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
    if len(numbered) > 1:
        return template, [*values]  # Python refuses that
    return "".join(made), found


def text_of_format(value: object, spec: str = "") -> object:
    """What the method gives by which an object of the user's formats itself; NotImplemented for any other."""
    if not _formats_itself(value):
        return NotImplemented
    result = text_of(call, found_in(type(value), "__format__"), value, spec)
    return result if backend_of(result) is not None else format(_Given(result))


def formatted(
    arguments: Sequence[Any], keywords: Mapping[str, object]
) -> tuple[Sequence[object], Mapping[str, object]]:
    """A template and values, with the texts of those that format themselves in their place."""
    template, values = arguments[0], [*arguments[1:]]
    if not any(map(_formats_itself, [*values, *keywords.values()])):
        return arguments, keywords
    made, found, automatic = [], [*values], itertools.count()
    for literal, field, spec, conversion in string.Formatter().parse(template):
        made.append(literal.replace("{", "{{").replace("}", "}}"))
        if field is None:
            continue
        field = field or str(next(automatic))
        spec = re.sub("{}", lambda _: f"{{{next(automatic)}}}", spec or "")
        value = keywords.get(field) if not field.isdigit() else values[int(field)] if int(field) < len(values) else None
        if not conversion and _formats_itself(value) and "{" not in spec:
            found.append(text_of_format(value, spec))
            field, spec = str(len(found) - 1), ""
        made.append("{" + field + (f"!{conversion}" if conversion else "") + (f":{spec}" if spec else "") + "}")
    return ("".join(made), *found), keywords


def names_part(template: str) -> bool:
    """Whether a template names parts of the values that it is filled with."""
    return _PART.search(template) is not None


_CONTAINERS = dispatch.kinds(list, tuple, dict)


def _formats_itself(value: object) -> bool:
    kind = type(value)
    if not is_made_later(kind) or type(found_in(kind, "__format__")) is not types.FunctionType:
        return False
    return not is_left_alone(module_of_class(next(base for base in order_of(kind) if "__format__" in members_of(base))))


def _written(value: Any, ways: Sequence[str], around: set[int]) -> object:
    if has_unknown_length(value):
        text = defined(definitions.text_of_list)(value)
        return Written(text, text)
    if id(type(value)) in _CONTAINERS and id(value) not in around:
        inner = {*around, id(value)}
        keys = range(len(value)) if type(value) is not dict else [*value]
        parts = {key: _written(value[key], ("__repr__",), inner) for key in keys}
        if all(parts[key] is value[key] for key in keys):
            return value
        return parts if type(value) is dict else tuple(parts.values()) if type(value) is tuple else [*parts.values()]
    methods = {way: _method(value, way) for way in ways}
    if not any(methods.values()) and not _changes(value):
        return value
    if backend_of(value) is not None or is_a(value, str):
        return value
    texts = {
        way: text_of(call, method, value) if method else text_of(_PLAIN[way], value, by_others=True)
        for way, method in methods.items()
    }
    return Written(texts.get("__str__"), texts.get("__repr__"))


def has_unknown_length(value: object) -> bool:
    """Whether it is a list of which only a backend knows how long it is."""
    backend = backend_of(value) if is_a(value, list) else None
    return backend is not None and type(backend.call(len, (value,), {})) is not int


def _changes(value: object) -> bool:
    """Whether a value may have another text later: it is an object of a class that has no format of its own."""
    kind = type(value)
    return (
        id(kind) not in _FIXED
        and not issubclass(kind, type)
        and found_in(kind, "__format__") is object.__format__
        and holder_of(value) is None
    )


_FIXED = dispatch.kinds(
    Written, type(None), type(...), type(NotImplemented), bytes, range, slice, types.FunctionType, types.MethodType,
    types.BuiltinFunctionType, types.ModuleType,
)  # fmt: skip


_PLAIN: dict[str, Callable[[object], str]] = {"__str__": str, "__repr__": repr}
