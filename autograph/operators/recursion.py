"""Functions that call themselves, directly or through others, for as long as a staged condition holds.

That shows only when such a function is traced, within itself over and over. Then it is noted here, what was traced is
given up, and from then on a backend makes its calls calls in the graph.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

from autograph import dispatch
from autograph.identity import ByIdentity
from autograph.operators.state import hide_frame

_OFTEN = 8  # so many frames of one function on the stack, and it calls itself

recurring: ByIdentity[bool] = ByIdentity()
"""The converted code of functions that call themselves."""

_called: ByIdentity[bool] = ByIdentity()  # the converted code of functions that are called, rather than parts of them

_forget: list[Callable[[], None]] = []


def when_found(listener: Callable[[], None]) -> None:
    """Have `listener` called when functions are found to call themselves, to drop what it knows of them."""
    _forget.append(listener)


def found(error: BaseException | None = None) -> bool:
    """Whether functions are on the stack so often that they must call themselves, and were not known to do so; or were
    when an error was raised."""
    counts: collections.Counter[int] = collections.Counter()
    codes: dict[int, types.CodeType] = {}
    for code in _on_the_stack() if error is None else _in_traceback(error):
        if code in _called:
            codes[id(code)] = code
            counts[id(code)] += 1
    new = [codes[key] for key, count in counts.items() if count >= _OFTEN and codes[key] not in recurring]
    for code in new:
        recurring.set(code, True)
    if new:
        for listener in _forget:
            listener()
    return bool(new)


def _on_the_stack() -> Iterator[types.CodeType]:
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        yield frame.f_code
        frame = frame.f_back


def _in_traceback(error: BaseException) -> Iterator[types.CodeType]:
    traceback = error.__traceback__
    while traceback is not None:
        yield traceback.tb_frame.f_code
        traceback = traceback.tb_next


def guarded(converted: Callable[..., object]) -> object:
    """A converted function, or if it is known to call itself one that a backend can make a call in its graph of."""
    code = getattr(converted, "__code__", None)
    if code not in recurring:
        if code is not None:
            _called.set(code, True)
        return converted

    @functools.wraps(converted)
    def called(*arguments: Any, **keywords: object) -> object:
        backend = dispatch.tracing() if dispatch.active else None
        try:
            if backend is None:
                return converted(*arguments, **keywords)
            return backend.recursive(converted, arguments, keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called
