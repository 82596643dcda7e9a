"""What becomes of a text that somebody types: it is converted, run, and traced. The playground's page shows it.

Runs where the compiler runs. Without NumPy there are no graphs, and `run` says so.
"""

from __future__ import annotations

import ast
import contextlib
import inspect
import io
import json
import linecache
import traceback
import types
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, cast

import autograph
from autograph.convert_file import convert_module
from autograph.errors import without_frames
from autograph.report import reports
from autograph.source import Module

if TYPE_CHECKING:
    from runtime.functions.function import Function

Variables = dict[str, object]
Arguments = tuple[tuple[object, ...], dict[str, object]]
FILENAME = "playground.py"
_CALL = "<call>"
_MOST = 50_000  # characters of output
_OURS = (str(Path(autograph.__file__).parent), str(Path(autograph.__file__).parents[1] / "runtime"), __file__)


class Error(TypedDict):
    """What went wrong, and in which line of the text, if it is known."""

    message: str
    details: str
    line: int | None


class Mark(TypedDict):
    """Whether a statement can stage, or why it stays Python."""

    line: int
    stages: bool
    note: str


class Conversion(TypedDict):
    """A text, converted."""

    converted: str
    marks: list[Mark]
    error: Error | None


class Run(TypedDict):
    """A text that was run: the call that is looked at, what it gives and prints, its graph, and what that gives.

    `printed` is what is printed while the graph is made, and while it runs.

    What there is none of is empty; `note` says why there is no graph.
    """

    call: str
    result: str
    output: str
    graph: str
    inputs: str
    traced: str
    printed: str
    note: str
    error: Error | None


class OutputError(RuntimeError):
    """Too much was printed."""


class _Output(io.StringIO):
    def write(self, text: str) -> int:
        if self.tell() + len(text) > _MOST:
            raise OutputError(f"more than {_MOST:,} characters were printed")
        return super().write(text)


def convert(text: str, width: int = 80) -> Conversion:
    """Convert a text without running it.

    >>> convert("def f(x):\\n    return x\\n")["converted"]
    'def f(x):\\n    return x\\n'
    >>> convert("x = (")["error"]["message"]
    "SyntaxError: '(' was never closed"
    """
    made = Conversion(converted="", marks=[], error=None)
    try:
        module = Module(FILENAME, text)
        made["converted"] = convert_module(module, width)
        made["marks"] = [*_marks(Module(FILENAME, text))]
    except Exception as error:  # of the compiler, or what it says of the text
        made["error"] = _error(error)
    return made


def _marks(module: Module) -> Iterator[Mark]:
    for report in reports(module):
        if report.status != "converted":
            yield Mark(line=report.line, stages=False, note=f"{report.name} is {report.status}: {report.reason}")
        for statement in report.statements:
            why = statement.reason
            note = "can stage" if why is None else f"stays Python: {why} ({why.code})"
            yield Mark(line=statement.line, stages=why is None, note=note)


def run(text: str, call: str = "", numbers: bool = True) -> Run:
    """Run a text, and trace a call: the one that is given, or what the text ends with.

    With `numbers`, Python's numbers among the arguments, and lists of them, become inputs of the graph. Without, they
    are known while tracing, as they are to `runtime.function`.

    >>> made = run("def twice(x):\\n    print(x)\\n    return x + x\\n", "twice(3)")
    >>> made["result"], made["output"]
    ('6', '3\\n')
    """
    made = Run(call="", result="", output="", graph="", inputs="", traced="", printed="", note="", error=None)
    output, printed = _Output(), _Output()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            _run(text, call.strip(), numbers, made, printed)
        except (Exception, SystemExit) as error:  # of the text
            made["error"] = _error(error)
    made["output"], made["printed"] = output.getvalue(), printed.getvalue()
    return made


def explored(text: str, call: str = "", numbers: bool = True) -> str:
    """The page of `runtime.explore` for the call that `run` traces. Raises what is wrong with the text."""
    import runtime

    with contextlib.redirect_stdout(_Output()), contextlib.redirect_stderr(_Output()):
        variables, shown, filename = _executed(text, call.strip())
        assert shown is not None
        found = _traced(_inside_print(shown), filename, numbers, variables)
        assert not isinstance(found, str), found
        function, arguments = found
        args, keywords = arguments()
        bound = inspect.signature(function.python_function).bind(*args, **keywords)
        if bound.kwargs:
            raise TypeError("keyword-only arguments cannot be shown at all stages; the graph has them")
        return runtime.explore(function, *bound.args).html


def _run(text: str, call: str, numbers: bool, made: Run, printed: _Output) -> None:
    variables, shown, filename = _executed(text, call)
    if shown is None:
        made["note"] = "Write a call in the line below the code, or end the code with one, to see its graph."
        return
    value = _value(shown, filename, variables)
    made["result"] = "" if value is None else repr(value)
    traced = _inside_print(shown)
    made["call"] = ast.unparse(traced)
    found = _traced(traced, filename, numbers, variables)
    if isinstance(found, str):
        made["note"] = found
        return
    function, arguments = found
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        args, keywords = arguments()
        graph = function.get_concrete_function(*args, **keywords).graph
        made["graph"] = str(graph)
        made["inputs"] = ", ".join(f"{v.hint}: {v.type}" for v in graph.inputs)
        args, keywords = arguments()
        made["traced"] = repr(function(*args, **keywords))


def _executed(text: str, call: str) -> tuple[Variables, ast.expr | None, str]:
    """Run all of a text but the expression that is looked at: the variables, it, and the file that it is in."""
    linecache.cache[FILENAME] = (len(text), None, text.splitlines(keepends=True), FILENAME)
    body = ast.parse(text, FILENAME).body
    variables: Variables = {"__name__": "__main__", "__file__": FILENAME}
    shown: ast.expr | None = None
    if call:
        shown = ast.parse(call, _CALL, "eval").body
    elif body and isinstance(last := body[-1], ast.Expr):
        shown = last.value
        del body[-1]
    exec(compile(ast.Module(body, []), FILENAME, "exec", dont_inherit=True), variables)
    return variables, shown, _CALL if call else FILENAME


def _value(expression: ast.expr, filename: str, variables: Variables) -> object:
    whole = ast.fix_missing_locations(ast.Expression(expression))
    value: object = eval(compile(whole, filename, "eval", dont_inherit=True), variables)
    return value


def _inside_print(shown: ast.expr) -> ast.expr:
    """The call that stands in a call of `print`, if nothing else does."""
    if isinstance(shown, ast.Call) and isinstance(shown.func, ast.Name) and shown.func.id == "print":
        if len(shown.args) == 1 and isinstance(shown.args[0], ast.Call):
            return shown.args[0]
    return shown


def _traced(
    call: ast.expr, filename: str, numbers: bool, variables: Variables
) -> tuple[Function[..., object], Callable[[], Arguments]] | str:
    """What is called, and what gives its arguments, anew each time; or why there is no graph."""
    if find_spec("numpy") is None:
        return "NumPy is not there, and without it there are no graphs."
    if not isinstance(call, ast.Call):
        return f"{ast.unparse(call)} is no call, and has no graph."
    import runtime

    called = _value(call.func, filename, variables)
    if not _is_users(called) and not isinstance(called, runtime.Function):
        return f"{ast.unparse(call.func)} is no function of this code, and has no graph."
    collect = ast.parse("lambda *args, **keywords: (args, keywords)", mode="eval").body
    collected = ast.Call(collect, call.args, call.keywords)

    def arguments() -> Arguments:
        args, keywords = cast("Arguments", _value(collected, filename, variables))
        if numbers:
            return tuple(map(_as_input, args)), {name: _as_input(value) for name, value in keywords.items()}
        return args, keywords

    if isinstance(called, runtime.Function):
        return called, arguments
    return runtime.function(cast("Callable[..., object]", called)), arguments


def _as_input(value: object) -> object:
    """NumPy's form of a number or of a list of numbers, which is an input of a graph; all else as it is."""
    import numpy as np

    if not isinstance(value, bool | int | float | complex | list) or value == []:
        return value
    try:
        array = np.asarray(value)
    except ValueError:  # lists in it are not of one length
        return value
    if array.dtype.kind == "i":
        array = array.astype(np.int64)  # it has 32 bits in a browser
    return array[()] if array.dtype.kind in "biufc" else value


def _is_users(called: object) -> bool:
    """Whether what is called is a function or method of the text, or has a `__call__` that is."""
    if isinstance(called, type):
        return False
    plain = called if isinstance(called, types.FunctionType | types.MethodType) else getattr(called, "__call__", None)
    code = getattr(plain, "__code__", None)
    return isinstance(code, types.CodeType) and code.co_filename in (FILENAME, _CALL)


def _error(error: BaseException) -> Error:
    """An error as the page shows it."""
    kept = without_frames(error.__traceback__, _OURS)
    lines = [f.lineno for f in traceback.extract_tb(kept) if f.filename == FILENAME]
    line = lines[-1] if lines else None
    message = traceback.format_exception_only(error)[0].strip()  # notes follow it
    if isinstance(error, SyntaxError):
        line = error.lineno if error.filename == FILENAME else line
        message = f"{type(error).__name__}: {error.msg}"
    details = "".join(traceback.format_exception(type(error), error, kept)).strip()
    return Error(message=message, details=details, line=line)


def converted_json(text: str, width: int) -> str:
    """`convert` for the page."""
    return json.dumps(convert(text, width))


def run_json(text: str, call: str, numbers: bool) -> str:
    """`run` for the page."""
    return json.dumps(run(text, call, numbers))


def explored_json(text: str, call: str, numbers: bool) -> str:
    """`explored` for the page: the HTML, or the error."""
    try:
        return json.dumps({"html": explored(text, call, numbers), "error": None})
    except (Exception, SystemExit) as error:  # of the text
        return json.dumps({"html": "", "error": _error(error)})
