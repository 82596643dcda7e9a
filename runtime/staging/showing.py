"""What the program tells its user (`print`, the standard streams, logs, warnings) when a graph runs, for `numpy=True`.

The text is made of the values that there are then, each time, in the program's order. In graphs of tensors Python
prints while they are traced, and `runtime.print` when they run, as in TensorFlow.
"""

from __future__ import annotations

import functools
import io
import logging
import operator
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from autograph.dispatch import before_staging, staged_in
from autograph.errors import StagingError, refused
from autograph.operators.calls import set_functions, set_methods
from autograph.operators.outside import set_showing
from autograph.operators.protocols import written
from autograph.operators.state import user_frame, user_statement
from autograph.operators.texts import leaves, of_text
from autograph.operators.warned import called_from, warn
from runtime import control
from runtime.ops import effects
from runtime.staging import outside
from runtime.staging.builtin_functions import held_for_text
from runtime.tensors import nest
from runtime.tensors.frames import hide
from runtime.tensors.operations import apply_all
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import current


def in_graph() -> bool:
    """Whether what is traced does what the program does outside when it runs."""
    trace = current()
    return trace is not None and trace.numpys


def _print(
    *values: Any, sep: str | None = None, end: str | None = None, file: Any = None, flush: object = False
) -> None:
    stream = _stream(sys.stdout if file is None else file)
    texts = [" " if sep is None else sep, "\n" if end is None else end]
    is_known = stream is None and staged_in(leaves([*values, *texts])) is None
    if is_known and isinstance(file, io.TextIOWrapper):
        outside.changes(print)(*values, sep=sep, end=end, file=file, flush=bool(flush))
    elif is_known or not in_graph() or not all(isinstance(text, str | Tensor) for text in texts):
        print(*values, sep=sep, end=end, file=file, flush=bool(flush))
    elif stream is None:
        raise _refusal("print(…, file=…)")
    else:
        parts = values if type(texts[0]) is str else [of_text(str, (v,), {}) for v in values]
        _show(_line(texts[0], parts), texts[1], stream)


def _line(separator: Any, values: Sequence[Any]) -> object:
    """``separator.join(map(str, values))``."""
    if type(separator) is not str:
        return of_text(str.join, (separator, values), {})
    between = separator.replace("{", "{{").replace("}", "}}")
    return of_text(str.format, (between.join(["{!s}"] * len(values)), *values), {})


def _show(line: object, end: object, stream: str) -> None:
    if isinstance(end, Tensor):
        line, end = of_text(str.format, ("{}{}", line, end), {}), ""
    held = [line] if isinstance(line, Tensor) else []
    template = [0 if held else line]
    apply_all(effects.print_, *held, template=template, sep=" ", end=end, stream=stream, summarize=-1)


def _stream(file: object) -> str | None:
    """The name of a standard stream, which is looked up when the graph runs."""
    return "stdout" if file is sys.stdout else "stderr" if file is sys.stderr else None


def _refusal(what: str) -> BaseException:
    return refused(
        StagingError(
            f"{what} of what only the graph knows goes to sys.stdout and sys.stderr alone, as another file may be "
            "closed, or read, before the graph runs. Return the text, and write it outside of the function.\n"
            f"  {user_statement(2)}"
        )
    )


def _of_stream(method: Callable[..., Any]) -> Callable[..., object]:
    """A method of a file that writes, or reads."""
    stream: Any = method.__self__  # type: ignore[attr-defined]
    name, known = method.__name__, _stream(stream)
    if name in _READING and not isinstance(stream, io.StringIO):
        return outside.changes(method)

    def called(*arguments: Any) -> object:
        if known is None and not isinstance(stream, io.StringIO) and staged_in(leaves(arguments)) is None:
            return outside.changes(method)(*arguments)
        if not in_graph() or name not in _WRITING or (known is None and staged_in(leaves(arguments)) is None):
            return method(*arguments)
        if known is None:
            raise _refusal(f"{name}()")
        if name == "flush":
            return None  # that has been done
        for text in arguments if name == "write" else [*arguments[0]]:
            _show(text, "", known)
        return len(arguments[0]) if name == "write" and isinstance(arguments[0], str) else None

    return called


_READING = ("read", "readline", "readlines")
_WRITING = ("write", "writelines", "flush")


def _of_logger(method: Callable[..., Any]) -> Callable[..., object]:
    """A method of a logger that makes a record."""
    logger: logging.Logger = method.__self__  # type: ignore[attr-defined]
    name = method.__name__
    if name in _ASKED:
        return outside.stands(method)

    def called(*arguments: Any, exc_info: Any = name == "exception", extra: object = None, **keywords: Any) -> object:
        if not in_graph() or name not in (*_LEVELS, "log"):
            return method(*arguments, **_given(name, exc_info, extra), **keywords)
        if any(value != _ORDINARY.get(option) for option, value in keywords.items()):
            raise refused(
                StagingError(
                    f"{name}({'=, '.join(keywords)}=) asks for the calls that lead to it, which are others when the "
                    f"graph runs. Leave that out.\n  {user_statement(1)}"
                )
            )
        level, rest = (_LEVELS[name], arguments) if name in _LEVELS else (arguments[0], arguments[1:])
        frame = user_frame(1)
        place = frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name
        _log(logger, level, place, rest, extra, _caught(exc_info) if exc_info else None)
        return None

    return called


_ASKED = ("getEffectiveLevel", "hasHandlers", "isEnabledFor")
_ORDINARY = {"stacklevel": 1, "stack_info": False}


def _given(name: str, exc_info: object, extra: object) -> dict[str, object]:
    """The keywords of a call, less those that it does not need."""
    given = {"exc_info": (exc_info, name == "exception"), "extra": (extra, None)}
    return {option: value for option, (value, default) in given.items() if value is not default}


def _caught(exc_info: Any) -> tuple[BaseException | None, str]:
    """The exception that a record is to tell of, and the text that its traceback has in a log."""
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if not isinstance(error, BaseException | None):
        error = sys.exc_info()[1]
    if error is None:
        return None, "NoneType: None"
    if staged_in(leaves(error.args)) is not None:
        raise refused(
            StagingError(
                "a log is to tell of an exception whose text only the graph knows, with its traceback. Log the text "
                f'("%s", error).\n  {user_statement(2)}'
            )
        )
    waiting, seen = [error], set()
    while waiting:
        one = waiting.pop()
        if id(one) not in seen:
            seen.add(id(one))
            hide(one)
            waiting += [other for other in (one.__cause__, one.__context__) if other is not None]
    text = "".join(traceback.format_exception(error)).removesuffix("\n")
    return effects.renewed(error, error.args, effects.told_by(error)), text


def _log(
    logger: logging.Logger, level: object, place: tuple[str, int, str], arguments: Sequence[Any], extra: object,
    caught: tuple[BaseException | None, str] | None,
) -> None:  # fmt: skip
    message, *given = arguments
    leaf_values = leaves([message, *given])
    if any(control.union_of(part) is not None for part in leaf_values) or isinstance(message, Tensor):
        message, given = "%s", [of_text(operator.mod, (message, tuple(given)), {}) if given else message]
    elif type(message) is str:
        given = list(written(operator.mod, [tuple(given)], message)[0])  # type: ignore[call-overload]
    values: list[object] = []
    held = nest.map_structure(functools.partial(held_for_text, values), given)

    apply_all(
        effects.logged_, *values, logger=logger, level=level, message=message, arguments=held, extra=extra,
        place=place, caught=caught,
    )  # fmt: skip


def _warn(
    message: object, category: type[Warning] | None = None, stacklevel: int = 1, source: object = None, **others: Any
) -> None:  # fmt: skip
    """``warnings.warn``, each time that the graph gets there."""
    if not in_graph() or source is not None or others or not isinstance(stacklevel, int):
        warn(message, category, stacklevel, source, **others)
        return
    if isinstance(message, Warning):
        category = type(message)
        if staged_in(leaves(message.args)) is not None:
            message = of_text(str, message.args[:1], {})
    text = of_text(str, (message,), {}) if staged_in(leaves([message])) is not None else message
    held = [text] if isinstance(text, Tensor) else []
    frame, above = called_from(1, stacklevel, _TRACING)
    place = None if frame is None else (frame.f_code.co_filename, frame.f_lineno, frame.f_globals)
    told = None if held else text
    apply_all(effects.warned_, *held, message=told, category=category or UserWarning, place=place, above=above)


def _of_logging(function: Callable[..., Any], method: str) -> Callable[..., object]:
    """A function of the module, of the logger at the root."""

    def called(*arguments: Any, **keywords: Any) -> object:
        if not in_graph():
            return function(*arguments, **keywords)
        if not logging.root.handlers:
            logging.basicConfig()
        return _of_logger(getattr(logging.root, method))(*arguments, **keywords)

    return called


_TRACING = "runtime.functions.tracing"  # below it is who calls the graph
_LEVELS = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "exception": logging.ERROR,
}
set_showing(in_graph)
set_functions([
    (print, _print),
    (warnings.warn, _warn),
    *((getattr(logging, name), _of_logging(getattr(logging, name), name)) for name in (*_LEVELS, "log")),
])  # fmt: skip
set_methods([(kind, _of_logger) for kind in (logging.Logger, logging.RootLogger)])
set_methods([(kind, _of_stream) for kind in (io.StringIO, io.TextIOWrapper)])
before_staging(lambda: set_methods([(type(file), _of_stream) for file in (sys.stdout, sys.stderr)]))
