"""Functions that call themselves, directly or through others, for as long as a staged condition holds.

That shows only when such a function is traced, within itself over and over, or at all where much has been traced. Then
it is noted here, what was traced is given up, and from then on a backend is told of its calls, to make calls in the
graph of those that come again.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Callable, Iterator

from autograph import dispatch
from autograph.identity import ByIdentity
from autograph.operators.state import hide_frame
from autograph.rules import is_converted_always

_OFTEN = 8  # so many frames of one function on the stack, and it calls itself

recurring: ByIdentity[bool] = ByIdentity()
"""The converted code of functions that call themselves."""

_called: ByIdentity[bool] = ByIdentity()
"""The converted code of functions that are called, rather than parts of them: whether these are the program's."""

_forget: list[Callable[[], None]] = []


def when_found(listener: Callable[[], None]) -> None:
    """Have `listener` called when functions are found to call themselves, to drop what it knows of them."""
    _forget.append(listener)


def found(error: BaseException | None = None, twice: bool = False, outside: int = 0) -> bool:
    """Whether functions are on the stack so often that they must call themselves, and were not known to do so; or were
    when an error was raised.

    twice: whether it is enough that they are there more than once.
    outside: how many of the frames have called what is traced, and count for nothing."""
    codes: dict[int, types.CodeType] = {}
    counts: collections.Counter[int] = collections.Counter()
    for code in _on_the_stack(outside) if error is None else _in_traceback(error):
        if code in _called and code not in recurring:
            codes[id(code)] = code
            counts[id(code)] += 1
    new = [codes[key] for key, count in counts.items() if count >= (2 if twice else _OFTEN)]
    if twice and not any(map(_called.get, new)):  # a dictionary in another, say
        return False
    for code in new:
        recurring.set(code, True)
    if new:
        for listener in _forget:
            listener()
    return bool(new)


def depth() -> int:
    """How many frames are on the stack."""
    return len(_on_the_stack(0)) - 1


def _on_the_stack(outside: int) -> list[types.CodeType]:
    """The code of the frames of whoever calls, without those that were there first."""
    codes = list[types.CodeType]()
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        codes.append(frame.f_code)
        frame = frame.f_back
    return codes[: max(0, len(codes) - outside)]


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
            _called.set(code, not is_converted_always(converted.__module__))
        return converted

    @functools.wraps(converted)
    def called(*arguments: object, **keywords: object) -> object:
        backend = dispatch.tracing() if dispatch.active else None
        try:
            if backend is None:
                return converted(*arguments, **keywords)
            return backend.recursive(converted, arguments, keywords)
        except BaseException as error:
            hide_frame(error)
            raise

    return called


def in_the_form(function: Callable[..., object], form: Callable[..., object]) -> object:
    """Another form of a converted function that is no guarded one; where that has been found to call itself, the
    function, guarded."""
    if guarded(form) is form:
        return form
    code = getattr(function, "__code__", None)
    if code not in recurring:
        recurring.set(code, True)
    return guarded(function)


def is_guarded(function: Callable[..., object]) -> bool:
    """Whether `guarded` has made it of a function that calls itself."""
    return getattr(function, "__code__", None) in _GUARDS


_GUARDS = frozenset(one for one in guarded.__code__.co_consts if isinstance(one, types.CodeType))
