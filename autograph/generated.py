"""What functions do that ``dataclasses`` has made: they have no source, and compare the fields one by one."""

from __future__ import annotations

import dataclasses
import types

from autograph.reading import members_of

_ORDERINGS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def is_made(method: object) -> bool:
    """Whether ``dataclasses`` has made a method."""
    made = isinstance(method, types.FunctionType)
    return made and method.__code__.co_qualname.startswith("__create_fn__.<locals>.")  # type: ignore[attr-defined]


def source_of_comparison(cls: type, name: str, function: types.FunctionType) -> str | None:
    """The source of a comparison that a data class was given; None of any other function.

    >>> point = dataclasses.make_dataclass("Point", ["x", "y"])
    >>> print(source_of_comparison(point, "__eq__", point.__eq__).rstrip())
    def __eq__(self, other):
        if other.__class__ is self.__class__:
            return (self.x, self.y,) == (other.x, other.y,)
        return NotImplemented
    """
    if not is_made(function) or name not in _ORDERINGS or "__dataclass_fields__" not in members_of(cls):
        return None
    fields = [field.name for field in dataclasses.fields(cls) if field.compare]
    mine, others = ("".join(f"{of}.{field}, " for field in fields).rstrip() for of in ("self", "other"))
    return (
        f"def {name}(self, other):\n    if other.__class__ is self.__class__:\n"
        f"        return ({mine}) {_ORDERINGS[name]} ({others})\n    return NotImplemented\n"
    )
