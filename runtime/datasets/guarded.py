"""Elements that are looked at as they are made: those that fail are left out, and there are as many as was said."""

from __future__ import annotations

import itertools
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from inspect import CO_GENERATOR
from types import TracebackType
from typing import TypeVar

from runtime.graph.errors import FailedPreconditionError

T = TypeVar("T")
_HERE = os.path.dirname(__file__)


# As functions of itertools that end with an error. Of generators that can be told.


def sliced(items: Iterable[T], *bounds: int | None) -> Iterator[T]:
    yield from itertools.islice(items, *bounds)


def chained(parts: Iterable[Iterable[T]]) -> Iterator[T]:
    for part in parts:
        yield from part


def without_errors(items: Iterator[T], tells: bool) -> Iterator[T]:
    """The elements but those whose making fails. What makes elements as a generator ends with an error, so that the
    elements behind it, if there are any, would be lost: such an error is raised."""
    while True:
        try:
            item = next(items)
        except StopIteration:
            return
        except Exception as error:
            if _ended(error.__traceback__.tb_next if error.__traceback__ is not None else None):
                error.add_note("ignore_errors goes on behind errors of map and filter: let it follow these at once.")
                raise
            if tells:
                warnings.warn(f"ignore_errors has left out an element: {error}", RuntimeWarning, stacklevel=2)
            continue
        yield item


def _ended(traceback: TracebackType | None) -> bool:
    """Whether an error has ended a generator that elements come from."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        if code.co_flags & CO_GENERATOR and os.path.dirname(code.co_filename) == _HERE:
            return True
        traceback = traceback.tb_next
    return False


def counted(make: Callable[[], Iterable[T]], count: int) -> Iterator[T]:
    """The elements. Raises FailedPreconditionError for one that is beyond the count, and an end before it."""
    given = 0
    for given, item in enumerate(make(), 1):
        if given > count != -1:
            raise _another(count, f"at least {_elements(given)}")
        yield item
    if count == -1 or given < count:
        raise _another(count, f"only {_elements(given)}")


def _another(count: int, found: str) -> FailedPreconditionError:
    wanted = "an infinite number of elements" if count == -1 else _elements(count)
    return FailedPreconditionError(f"Input dataset was expected to contain {wanted} but contained {found}.")


def _elements(count: int) -> str:
    return f"{count} element{'s' * (count != 1)}"
