"""What an ``itertools.count`` of Python's is where only the graph knows how far it has got, written as users write
classes: it is converted as theirs are."""

from __future__ import annotations

import itertools
from typing import Any, NoReturn

from autograph import StagingError, do_not_convert, rules
from runtime.staging.stand_ins import StandIn

# Rules go by the names of modules, and this library's own is left alone.
__name__ = "counters_of_graphs"
rules.convert_always(__name__)


class Count(StandIn):
    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        self.number, self.step = start, step

    stands_for = itertools.count

    def __iter__(self) -> Count:
        return self

    def __next__(self) -> Any:
        number = self.number
        self.number = number + self.step
        return number

    def __repr__(self) -> str:
        return f"count({self.number!r})" if self.step == 1 else f"count({self.number!r}, {self.step!r})"

    def as_list(self) -> NoReturn:
        raise _endless()

    def one_by_one(self) -> NoReturn:
        raise _endless()

    def as_pythons(self) -> Any:
        """What a function returns."""
        return itertools.count(self.number, self.step)


@do_not_convert
def _endless() -> StagingError:
    return StagingError(
        "a loop goes through an itertools.count that the graph asks for numbers elsewhere. Ask for each with next(), "
        "or count in a variable."
    )


Count.__name__ = Count.__qualname__ = "count"
