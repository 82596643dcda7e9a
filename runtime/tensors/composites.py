"""What is made of several tensors, and is one value to its users."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, ParamSpec, TypeVar

from autograph.late import found


class Composite:
    """A value that is several tensors, its attributes: a structure wherever a graph takes values apart, such as in the
    arguments, results and loop variables of functions. To users, and to `tf.nest`, it is one value."""

    of_any_length: ClassVar[frozenset[str]] = frozenset()  # attributes whose first dimension decides about no graph
    instead: ClassVar[str] = ""  # what to write where a tensor is wanted

    def mapped(self, compute: Callable[[Any], Any]) -> Any:
        """What a function of each element comes to."""
        raise TypeError(f"a {type(self).__name__} is no tensor: {self.instead}")


class Formed(Composite):
    """One that does not become a tensor by itself: functions of tensors have forms of their own for it, or none."""

    forms: ClassVar[Mapping[str, str]] = MappingProxyType({})  # the places of these functions, by name

    def _combined(self, compute: Callable[[Any, Any], Any], other: Any, swapped: bool = False) -> Any:
        """What a function of each pair of elements, of this and of something else, comes to."""
        raise TypeError(f"a {type(self).__name__} is no tensor: {self.instead}")

    def _form(self, name: str) -> Callable[..., Any]:
        """What a function of tensors is for such values; raises TypeError if it takes none."""
        place = type(self).forms.get(name)
        if place is None:
            raise TypeError(f"{name} takes no {type(self).__name__}: {self.instead}")
        return found(place)  # type: ignore[no-any-return]


P = ParamSpec("P")
R = TypeVar("R")


def with_forms(function: Callable[P, R]) -> Callable[P, R]:
    """A function of each element of its first argument, which may be such a value, too."""

    called: Callable[..., R] = function

    @functools.wraps(function)
    def mapped(*args: Any, name: str | None = None, **kwargs: Any) -> Any:
        if args and isinstance(args[0], Formed):
            return args[0].mapped(lambda values: called(values, *args[1:], **kwargs))
        return called(*args, **kwargs)

    return mapped  # type: ignore[return-value]  # what it takes is what the function does


def formed_in(values: Iterable[object]) -> Formed | None:
    """The first one among values."""
    return next((value for value in values if isinstance(value, Formed)), None)


def refuse_composites(value: object, what: str) -> None:
    """Refuse one where tensors are taken apart along an axis: those that it is made of do not go together so."""
    if isinstance(value, Composite):
        raise TypeError(f"{what} takes no {type(value).__name__}: {value.instead}")
