"""What stands for one of Python's containers where a graph changes it."""

from __future__ import annotations

import sys
from typing import ClassVar

from autograph import do_not_convert
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
