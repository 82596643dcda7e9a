"""Functions that call themselves, directly or through others, for as long as a staged condition holds.

That shows only when such a function is traced, within itself over and over. Then it is noted here, what was traced is
given up, and from then on a backend makes its calls calls in the graph. Where it goes less deep, but much is traced, a
backend is told of its calls as well, from then on: the same one may come again.
"""

from __future__ import annotations

import collections
import functools
import sys
import types
from collections.abc import Callable, Iterable, Iterator

from autograph import dispatch
from autograph.identity import ByIdentity
from autograph.operators.state import hide_frame

_OFTEN = 8  # so many frames of one function on the stack, and it calls itself

recurring: ByIdentity[bool] = ByIdentity()
"""The converted code of functions that call themselves: whether they do so over and over."""

_called: ByIdentity[bool] = ByIdentity()  # the converted code of functions that are called, rather than parts of them

_forget: list[Callable[[], None]] = []


def when_found(listener: Callable[[], None]) -> None:
    """Have `listener` called when functions are found to call themselves, to drop what it knows of them."""
    _forget.append(listener)


def found(error: BaseException | None = None) -> bool:
    """Whether functions are on the stack so often that they must call themselves, and were not known to do so; or were
    when an error was raised."""
    return _note(_on_the_stack() if error is None else _in_traceback(error), _OFTEN, True)


def is_often_found(function: Callable[..., object]) -> bool:
    """Whether a converted function has called itself so often that it may go on for as long as the graph decides."""
    return recurring.get(getattr(function, "__code__", None)) is not False


def found_twice() -> None:
    """Know of functions that are on the stack more than once, and call themselves, from now on."""
    _note(_on_the_stack(), 2, False)


def _note(frames: Iterable[types.CodeType], often: int, over_and_over: bool) -> bool:
    """Know functions that are there so often; returns whether any of them was not known."""
    counts: collections.Counter[int] = collections.Counter()
    codes: dict[int, types.CodeType] = {}
    for code in frames:
        if code in _called:
            codes[id(code)] = code
            counts[id(code)] += 1
    frequent = [codes[key] for key, count in counts.items() if count >= often]
    new = [code for code in frequent if code not in recurring or (over_and_over and not recurring.get(code))]
    for code in new:
        recurring.set(code, over_and_over)
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
        recurring.set(code, is_often_found(form))
    return guarded(function)


def is_guarded(function: Callable[..., object]) -> bool:
    """Whether `guarded` has made it of a function that calls itself."""
    return getattr(function, "__code__", None) in _GUARDS


_GUARDS = frozenset(one for one in guarded.__code__.co_consts if isinstance(one, types.CodeType))
