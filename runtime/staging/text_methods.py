"""What the methods, the characters and the parts of Python's text mean where only the graph knows the text.

Python's own methods find what they give when the graph runs.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.operators.lists import get_item
from autograph.reading import is_a
from runtime import control
from runtime.control.characters import list_of_texts
from runtime.graph.dtypes import float64, int64
from runtime.ops import effects, elementwise as ew, strings
from runtime.tensors import nest
from runtime.tensors.conversion import operand
from runtime.tensors.from_numpy import owner_of, type_of
from runtime.tensors.numbers import OF_TEXT, number
from runtime.tensors.operations import apply
from runtime.tensors.tensor import SymbolicTensor, Tensor

_GIVES = {
    "text": "capitalize casefold center expandtabs ljust lower lstrip removeprefix removesuffix replace rjust rstrip "
    "strip swapcase title translate upper zfill",
    "texts": "split rsplit splitlines partition rpartition",
    "int": "count find index rfind rindex",
    "bool": "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric isprintable isspace "
    "istitle isupper startswith",
}


_NUMBERS = {"int": int64, "float": float64}


def answer(function: Any, kind: str, /, *arguments: object, **keywords: object) -> Any:
    """What a function of Python's finds in texts when the graph runs."""
    parts = nest.flatten([*arguments, *keywords.values()])
    union = next((found for part in parts if (found := control.union_of(part)) is not None), None)
    if union is not None:

        def with_one(option: object) -> object:
            put = functools.partial(control.put, option, union)
            return answer(function, kind, *put(arguments), **put(keywords))

        return control.whichever(union, with_one)
    values: list[object] = []

    def held(part: object) -> object:
        if not isinstance(part, SymbolicTensor):
            return part
        values.append(operand(part))
        return effects.Held(len(values) - 1, owner_of(part))

    given = [nest.map_structure(held, argument) for argument in arguments]
    named = {key: nest.map_structure(held, value) for key, value in keywords.items()}
    made = apply(strings.answer, *values, function=function, arguments=given, keywords=named, kind=kind)
    if kind == "texts":
        return list_of_texts(made)
    return number(apply(ew.cast, made, dtype=_NUMBERS[kind], weak=True) if kind in _NUMBERS else made)


def _method(name: str, kind: str) -> Callable[..., object]:
    method = getattr(str, name)

    def called(*arguments: object, **keywords: object) -> object:
        found = answer(method, kind, *arguments, **keywords)
        return tuple(get_item(found, place) for place in range(3)) if "partition" in name else found

    return called


def _item(text: Any, index: Any) -> object:
    if type(index) is slice:
        return answer(strings.part_of_text, "text", text, index.start, index.stop, index.step)
    whole = (
        index.dtype.is_integer or index.dtype.is_bool if isinstance(index, Tensor) else is_a(index, (int, np.integer))
    )
    if not whole:
        raise TypeError(f"string indices must be integers, not '{type_of(index).__name__}'")
    return answer(operator.getitem, "text", text, index)


OF_TEXT.update({name: _method(name, kind) for kind, names in _GIVES.items() for name in names.split()})
GIVEN = {getattr(str, name): method for name, method in OF_TEXT.items()}  # of Python's text, with staged arguments
OF_TEXT["__getitem__"] = _item
OF_TEXT["__mul__"] = lambda text, count: answer(operator.mul, "text", text, count)
OF_TEXT["__mod__"] = lambda text, values: answer(operator.mod, "text", text, values)
