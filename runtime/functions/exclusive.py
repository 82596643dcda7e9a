"""One thread at a time traces a function, without two of them ever waiting for each other."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

_changed = threading.Condition()
_waits: dict[int, Exclusive] = {}  # what a thread waits for


class Exclusive:
    """A re-entrant lock; who would wait for a thread that waits, by way of others perhaps, for him goes on at once."""

    def __init__(self) -> None:
        self.owner: int | None = None
        self.depth = 0

    @contextmanager
    def held(self) -> Iterator[None]:
        me = threading.get_ident()
        with _changed:
            while self.owner not in (None, me) and not self._waits_for(me):
                _waits[me] = self
                try:
                    _changed.wait()
                finally:
                    del _waits[me]
            mine = self.owner in (None, me)
            if mine:
                self.owner, self.depth = me, self.depth + 1
        try:
            yield
        finally:
            if mine:
                with _changed:
                    self.depth -= 1
                    if not self.depth:
                        self.owner = None
                        _changed.notify_all()

    def _waits_for(self, thread: int) -> bool:
        """Whether its owner waits for what the thread holds."""
        wanted: Exclusive | None = self
        while wanted is not None and wanted.owner is not None:
            if wanted.owner == thread:
                return True
            wanted = _waits.get(wanted.owner)
        return False
