"""What a program asks the system that it runs in, for `numpy=True`: a graph knows nothing of the answers.

A function that is told something else each time (the date, random bytes, what a file holds) is traced for each call.
What may well be the same (a variable of the environment, whether a file is there) is asked for again at each call, and
another answer has the function traced again.
"""

from __future__ import annotations

import datetime
import functools
import operator
import os
import pathlib
import random
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from autograph import StagingError, dispatch
from autograph.errors import refused
from autograph.operators.calls import set_functions, set_functions_of, set_methods
from autograph.rules import ASKING
from runtime.functions.held import Held
from runtime.tensors.trace import Trace, current, traces_around

# What answers the same for as long as nobody changes it.
_STANDING = {
    "gc": "isenabled",
    "numpy": "getbufsize geterr get_printoptions",
    "os": "access get_terminal_size getcwd getenv getpid path.abspath path.exists path.expanduser "
    "path.expandvars path.getctime path.getmtime path.getsize path.isdir path.isfile path.islink "
    "path.lexists path.realpath path.samefile readlink sched_getaffinity",
    "shutil": "get_terminal_size which",
    "sys": "get_int_max_str_digits getrecursionlimit getswitchinterval",
    "threading": "get_ident",
}
_ONCE = frozenset(  # what is not the same afterwards: a branch that is not taken must not do it
    "NamedTemporaryFile Popen TemporaryFile call chdir check_call check_output chmod chown commit copy copy2 copyfile "
    "copymode copystat copytree dump execute executemany executescript getoutput getstatusoutput hardlink_to input "
    "link make_archive makedirs mkdir mkdtemp mkstemp move open popen print read readline readlines remove removedirs "
    "rename renames replace rmdir rmtree rollback run save savetxt savez savez_compressed symlink symlink_to system "
    "touch truncate unlink unpack_archive urlopen urlretrieve utime write write_bytes write_text writelines writerow "
    "writerows".split()
)
_TYPES = {"sqlite3": ("Connection", "Cursor"), "_csv": ("Writer",)}  # whose methods tell, or change, what others see
_UNLESS_GIVEN = ("random.SeedSequence",)
_OF_ENVIRONMENT = ("copy", "get", "items", "keys", "values")
_OF_PATHS = frozenset(
    "chmod exists glob hardlink_to is_dir is_file is_symlink iterdir mkdir open read_bytes read_text rename replace "
    "resolve rglob rmdir stat symlink_to touch unlink write_bytes write_text".split()
)


def changes(asked: Callable[..., Any]) -> Callable[..., object]:
    """What tells something else each time; the function that asks is traced for each call."""

    @functools.wraps(asked, updated=())
    def called(*arguments: object, **keywords: object) -> object:
        _check(asked, arguments, keywords)
        trace = current()
        if trace is not None and trace.numpys:
            _note(trace, asked.__name__)
        return asked(*arguments, **keywords)

    return called


def _unless_given(asked: Callable[..., Any]) -> Callable[..., object]:
    """What tells something else each time unless it is told what to begin with."""
    new = changes(asked)

    @functools.wraps(asked, updated=())
    def called(*arguments: object, **keywords: object) -> object:
        _check(asked, arguments, keywords)
        is_given = any(one is not None for one in (*arguments, *keywords.values()))
        return (asked if is_given else new)(*arguments, **keywords)

    return called


def _check(asked: Callable[..., Any], arguments: Sequence[object], keywords: Mapping[str, object]) -> None:
    """Refuse to ask about what only the graph knows: what is raised for that no clause of the program's is to catch."""
    if current() is not None and dispatch.backend_within([*arguments, *keywords.values()]) is not None:
        raise refused(
            StagingError(
                f"{asked.__name__}() is given a value that only the graph knows, and is called while tracing. Call it "
                "outside of the function, or with runtime.py_function."
            )
        )


def _note(trace: Trace, name: str) -> None:
    """Have the function traced for each call; refuse it where the graph decides how often this is called."""
    function = trace.of_function()
    statements = [one for one in traces_around(trace) if one.is_within(function) and one is not function]
    if any(one.repeats for one in statements) or (statements and name in _ONCE):
        raise refused(
            StagingError(
                f"{name}() is called in a statement that the graph decides, and would be called once, while tracing. "
                "Call it before the statement, or outside of the function."
            )
        )
    function.acts = function.acts or f"what {name}() tells"


def stands(asked: Callable[..., Any]) -> Callable[..., object]:
    """What tells the same until somebody changes it, which each call looks at."""

    @functools.wraps(asked)
    def called(*arguments: object, **keywords: object) -> object:
        _check(asked, arguments, keywords)
        answer, trace = asked(*arguments, **keywords), current()
        if trace is not None and trace.numpys:
            trace.of_function().held.append(Held.of_answer(functools.partial(asked, *arguments, **keywords), answer))
        return answer

    return called


def of_class(method: Any) -> Callable[..., object] | None:
    """What a method of a class of dates is called as; None of another."""
    if method.__name__ in ("now", "today", "utcnow") and issubclass(method.__self__, datetime.date):
        return changes(method)
    return None


def _functions(module: str) -> Iterator[tuple[object, Callable[..., object]]]:
    """The functions of a module that ask, and what they are called as."""
    standing = _STANDING.get(module, "").split()
    for name in ASKING[module]:
        try:
            function = operator.attrgetter(name)(sys.modules[module])
        except AttributeError:  # the name of a method, or of a function that another system has
            continue
        if name in _UNLESS_GIVEN:
            yield function, _unless_given(function)
        elif (
            isinstance(function, type | types.FunctionType | type(np.save))
            or type(getattr(function, "__self__", None)) is types.ModuleType
        ):
            yield function, (stands if name in standing else changes)(function)


def _of_environment(method: Any) -> Callable[..., object]:
    return stands(method) if method.__name__ in _OF_ENVIRONMENT else method


def _methods(module: str) -> tuple[()]:
    """Have the methods of types of a module tell something else each time."""
    set_methods((getattr(sys.modules[module], name), changes) for name in _TYPES[module])
    return ()


def _of_path(method: Any) -> Callable[..., object]:
    return changes(method) if method.__name__ in _OF_PATHS else method


for _module in ASKING:
    if _module in sys.modules:
        set_functions(_functions(_module))
    else:
        set_functions_of(_module, functools.partial(_functions, _module))
for _module in _TYPES:
    set_functions_of(_module, functools.partial(_methods, _module))
set_methods([(type(os.environ), _of_environment), (type(pathlib.Path()), _of_path), (random.SystemRandom, changes)])
