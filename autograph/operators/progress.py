"""What the making of an item changes, in a loop whose iterations only the graph counts.

Python makes every item that the loop may ask for, one after the other, and what that does to objects (a counter's
attribute, a list that a generator appends to) is done for all. What a program sees is what has been done for the items
that the loop did ask for: that is state of its iterations.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from types import CellType, FrameType

from autograph import dispatch
from autograph.dispatch import Statement
from autograph.errors import StagingError
from autograph.operators import effects, spent
from autograph.operators.closing import CATCHES, Closing, done_on_closing
from autograph.operators.fixed import calm
from autograph.operators.mutations import Mutations, global_names
from autograph.operators.places import Place
from autograph.reading import is_own


class Progress:
    """Asks an iterator, the first of these, for its items; the others are those that it may take them from."""

    def __init__(self, iterators: list[Iterator[object]], statement: Statement) -> None:
        self._iterators, self._statement = iterators, statement
        self._changes = not all(id(type(iterator)) in calm for iterator in iterators)
        self.left: list[tuple[Place, object]] = []  # what Python has in places that the program can reach, by now
        self._closing: Closing | None = None  # what leaving the loop would run at some item
        self._ended = False

    def ask(self) -> object:
        """The next item; whatever the program can reach is left as if nobody had asked."""
        if not self._changes:
            return next(self._iterators[0])
        self._look_at_closing()
        cells = [part for iterator in self._iterators for part in gc.get_referents(iterator) if type(part) is CellType]
        reached = Mutations(cells, variables=_variables(), iterators=False)
        for place, value in self.left:
            place.write(value)
        attempt = dispatch.attempt_all()
        start = len(attempt.recorded) if attempt is not None else 0
        try:
            with reached.closed():
                return next(self._iterators[0])
        except StopIteration:
            self._ended = True
            raise
        finally:
            self.left = reached.restore(self._statement)
            if attempt is not None and attempt.acted(start):
                raise StagingError(
                    "what makes the items of this loop does something in the graph, as writing a Variable or printing, "
                    f"and only the graph knows when to leave the loop. Loop over a list instead.\n  {self._statement}"
                )
            if self._ended and self._closing is not None and self.left:
                raise self._closing.refused(self._statement)

    def _look_at_closing(self) -> None:
        """Note what would run if the loop was left at the item that was made last."""
        for closing in filter(None, map(done_on_closing, spent.parts_of(self._iterators[0]))):
            if closing.what is CATCHES:
                raise closing.refused(self._statement)  # at its end it does something else
            self._closing = closing

    def iteration(self, body: Callable[..., object], *arguments: object) -> Callable[[], None]:
        """The iteration that asks for the item which was made last."""
        left = self.left

        def iteration() -> None:
            for place, value in left:
                place.write(value)
            now = [place.read() for place, _ in left]
            body(*arguments)
            for (place, _), value in zip(left, now):
                if place.read() is not value:
                    raise StagingError(
                        f"'{place.name}' is changed both in this loop and where its items are made, and only the graph "
                        f"knows when to leave the loop. Loop over a list instead.\n  {self._statement}"
                    )

        return iteration


def _variables() -> Iterator[tuple[str, object]]:
    """The variables of the program's functions that are running, in what is being traced."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and not effects.is_outside(frame):
        if not is_own(frame.f_globals.get("__name__")):
            yield from frame.f_locals.items()
            used, _ = global_names(frame.f_code)
            yield from ((name, frame.f_globals[name]) for name in used if name in frame.f_globals)
        frame = frame.f_back
