"""Generators of the program's whose statements only the graph decides: each item goes to the body of the loop that goes
through them, where it is yielded."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from autograph.errors import StagingError

Body = Callable[[object], object]
Form = Callable[[FunctionType, bool], FunctionType | None]

_MOST = 64  # generators that go through one another


class _Local(threading.local):
    depth = 0


_local = _Local()
_form: Form = lambda function, ends: None


def set_giving(form: Form) -> None:
    """Tell what makes of a generator function one that is given what to do with each item, and what tells whether it
    goes on, which it asks if it may end before its time; or None."""
    global _form
    _form = form


class Pushed:
    """What a generator function has given, for a loop; for who takes its items one by one it is that generator."""

    def __init__(self, generator: Iterator[object], run: Callable[[Body, Callable[[], object] | None], object]) -> None:
        self.generator, self._run = generator, run
        self._is_over = False

    def __iter__(self) -> Iterator[object]:
        return iter(()) if self._is_over else self.generator

    def to(self, body: Body, test: Callable[[], object] | None) -> None:
        """Run the generator, and the body for each item, as long as the test, if there is one, holds after it."""
        if not self._is_over:
            self._is_over = True
            self._run(body, test)


def pushed(function: FunctionType, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Pushed | Iterator[object]:
    """What a generator function gives for these arguments: its generator, if that can only be asked item by item."""
    generator = function(*arguments, **keywords)  # which tells if these are wrong
    whole = _form(function, False)
    if whole is None:
        return generator

    def run(body: Body, test: Callable[[], object] | None) -> None:
        form = whole if test is None else _form(function, True)
        assert form is not None
        if _local.depth == _MOST:
            raise StagingError(f"more than {_MOST} generators go through one another, as {function.__name__!r} does.")
        _local.depth += 1
        try:
            form(body, test, *arguments, **keywords)
        finally:
            _local.depth -= 1

    return Pushed(generator, run)
