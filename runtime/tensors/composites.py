"""What is made of several tensors, and is one value to its users."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar


class Composite:
    """A value that is several tensors, its attributes: a structure wherever a graph takes values apart, such as in the
    arguments, results and loop variables of functions. To users, and to `tf.nest`, it is one value."""

    of_any_length: ClassVar[frozenset[str]] = frozenset()  # attributes whose first dimension decides about no graph
    instead: ClassVar[str] = ""  # what to write where a tensor is wanted

    def mapped(self, compute: Callable[[Any], Any]) -> Any:
        """What a function of each element comes to."""
        raise TypeError(f"a {type(self).__name__} is no tensor: {self.instead}")


def refuse_composites(value: object, what: str) -> None:
    """Refuse one where tensors are taken apart along an axis: those that it is made of do not go together so."""
    if isinstance(value, Composite):
        raise TypeError(f"{what} takes no {type(value).__name__}: {value.instead}")
