"""What stands for one of Python's containers where a graph changes it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any, ClassVar

from autograph import do_not_convert
from autograph.operators.aliases import held_besides
from autograph.operators.calls import converted
from runtime.tensors.frames import OURS, wants_class


class StandIn:
    """An object that is one of Python's containers for the user's code.

    It has `as_list`, what there is to go through, and `as_pythons`, the container that a function returns.
    """

    stands_for: ClassVar[type]
    is_for_graphs: ClassVar[tuple[str, ...]] = ()  # attributes that `as_pythons` does not ask for

    @property  # type: ignore[misc]
    @do_not_convert
    def __class__(self) -> type:
        """The container's class, where the user's code asks."""
        asks = sys._getframe(1)
        theirs = not asks.f_code.co_filename.startswith(OURS) and wants_class(asks)
        return type(self).stands_for if theirs else type(self)


def checked_before(check: Callable[[Any], None]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """For a method of a converted class that keeps a list which it is given: what is asked of one that variables of
    the program lead to, which would be another list from then on."""

    def checked(method: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(method)
        def called(self: StandIn, *args: Any, **kwargs: Any) -> Any:
            for value in (*args, *kwargs.values()):
                if isinstance(value, list) and held_besides([value]):
                    check(value)
            return converted(method)(self, *args, **kwargs)

        return called

    return checked
