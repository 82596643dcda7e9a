"""What is known, while tracing, of the keys that dictionaries and sets of the graph look up, and of lists among their
values."""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Sequence
from enum import Enum
from typing import Any

from autograph import StagingError, do_not_convert
from autograph.errors import with_article
from autograph.generated import is_made
from autograph.operators.calls import converted
from autograph.operators.questions import may_be_asked
from autograph.reading import found_in, is_a
from runtime.control.called import called, can_be_called
from runtime.control.lists import KnownList, Recorded, TensorList
from runtime.control.members import as_handle, is_member, plain_of
from runtime.control.rows import Inner, Rows
from runtime.control.shared import FOUND, share
from runtime.control.tables import RowList, row_at
from runtime.control.unions import is_one_or_none, only, union_of
from runtime.ops import effects, lists
from runtime.tensors import nest
from runtime.tensors.conversion import operand
from runtime.tensors.handles import Handle, number_in
from runtime.tensors.operations import apply_all, apply_to_list
from runtime.tensors.several import Several
from runtime.tensors.tensor import SymbolicTensor
from runtime.tensors.trace import current


@do_not_convert
def known_number(names: Any, slots: Any, key: object) -> Any:
    """The number of a key that was the last to be looked up, as long as there are the same keys; None if it is not.

    Where a function is followed on several ways it is looked up again, for the same questions to be asked on each.
    """
    if may_be_asked():
        return None
    found = slots.__dict__.get("lookup") if isinstance(slots, TensorList) else None
    if found is None or not found[1].holds():
        return None
    (kind, asked), (its, before) = _asked(names, slots, key), found[0]
    same = kind == its and len(asked) == len(before) and all(map(operator.is_, asked, before))
    return found[1].made if same else None


@do_not_convert
def note_number(names: Any, slots: Any, key: object, number: Any) -> Any:
    """Know the number of a key, until another is looked up."""
    if isinstance(slots, TensorList) and isinstance(names, TensorList):
        slots.__dict__["lookup"] = _asked(names, slots, key), Recorded(number)
    return number


def _asked(names: TensorList, slots: TensorList, key: object) -> tuple[object, Sequence[object]]:
    """What a key is, and what is the very same where the very key is looked up."""
    kind = class_of_key(key), nest.describe(key, lambda leaf: "")
    return kind, [names.version, slots.version, *nest.flatten(key)]


@do_not_convert
def as_key(key: object) -> object:
    """A key, of which the graph may know alone which member of an enumeration it is, or that it is not None."""
    if is_one_or_none(key) and (union := union_of(key)) is not None:
        key = only(union)
    return as_handle(key)


@do_not_convert
def one_key(key: object) -> object:
    """A key that may be, or have, one of several numbers of different types: as the one number that has some type."""
    if not any(isinstance(part, Several) for part in nest.flatten(key)):
        return key
    return KnownList([key]).staged().element(0)


@do_not_convert
def plain_key(key: Any) -> Any:
    """The number or text that a member of an enumeration is besides, by which it is equal to others; any other key as
    it is."""
    return plain_of(key)


@do_not_convert
def class_of_key(key: object) -> type | None:
    """The class of an object that is a key: one of the graph's, or of a data class; None of what is none."""
    kind: Any = type(key)
    if is_member(key):
        return kind  # type: ignore[no-any-return]
    if is_a(key, Handle):
        return kind.of.kind  # type: ignore[no-any-return]
    return kind if hasattr(kind, "__dataclass_fields__") and nest.is_nested(key) else None


@do_not_convert
def parts_of_key(key: Any) -> Sequence[object] | None:
    """What tells a tuple, or an object, from others as a key: of an object whose class says nothing of that, which it
    is; None of what has no parts. Raises TypeError for an object that cannot be a key, as Python does."""
    key = as_handle(key)
    cls: Any = class_of_key(key)
    if cls is None:
        return key if is_a(key, tuple) else None
    if issubclass(cls, Enum):
        return (number_in(key),)
    hashes, compares = found_in(cls, "__hash__"), found_in(cls, "__eq__")
    if hashes is None:
        raise TypeError(f"unhashable type: '{cls.__name__}'")
    if is_a(key, Handle) and hashes is object.__hash__ and compares is object.__eq__:
        return (number_in(key),)
    if hasattr(cls, "__dataclass_fields__") and is_made(hashes) and is_made(compares):
        return [getattr(key, field.name) for field in dataclasses.fields(cls) if _counts(field)]
    raise StagingError(
        f"{with_article(cls.__name__)} is a key of a dictionary, or an element of a set, that only the graph knows, "
        "and its class says itself which of its objects are equal. Use a tuple of what tells them apart, or a data "
        "class (@dataclass(frozen=True))."
    )


def _counts(field: Any) -> bool:
    return bool(field.compare if field.hash is None else field.hash)


@do_not_convert
def refuse_nan(key: Any) -> None:
    """Have the graph refuse NaN as a key: Python tells by identity whether it is there. It raises nothing then, and no
    clause of the program's catches this."""
    error = ValueError("NaN is no key of a dictionary or set here: Python tells by identity whether it is there")
    if isinstance(key, SymbolicTensor):
        apply_all(effects.require_, operand(key != key), wanted=0, otherwise=(None, error))
    elif key != key:
        raise error


@do_not_convert
def ask_by_number(values: object) -> None:
    """Know that values are looked up by the numbers of their keys."""
    if isinstance(values, TensorList):
        values.counts_from_front = True


@do_not_convert
def copied(value: Any) -> Any:
    """A list as another one, which nobody else knows; anything else as it is."""
    if not isinstance(value, list):
        return value
    return KnownList(value) if type(value) is list and current() is not None else value[:]


@do_not_convert
def are_lists(values: object) -> bool:
    """Whether values are lists that the graph changes."""
    return isinstance(values, TensorList) and values.is_table()


@do_not_convert
def keep(values: Any, numbers: Any) -> None:
    """Have lists of the graph be those alone that have these numbers."""
    rows, places = values.staged(), numbers.stacked(exact=True)
    assert isinstance(rows.structure, Inner)
    values.has_moved()
    columns = [apply_to_list(lists.ordered, column, places) for column in rows.columns]
    values.hold(Rows(rows.structure.with_(None), columns))


@do_not_convert
def taken_from(table: Any, value: Any) -> Any:
    """A list that a dictionary of the program does not hold any more: another one stands for it."""
    if table.fresh is not None and isinstance(value, list):
        share(value, FOUND)
    return value


@do_not_convert
def is_value(values: Any, number: Any, value: object) -> bool:
    """Whether a list is surely the one at a place, as it was looked up there."""
    return are_lists(values) and isinstance(value, RowList) and row_at(values, number) is value


@do_not_convert
def shared(function: Any, *arguments: Any) -> Any:
    """What a function makes of arguments, which it leaves as they are: by a graph that all calls have in common, where
    the graph has them."""
    function = converted(function)
    return called(function, *arguments) if can_be_called(*arguments) else function(*arguments)
