"""Within pytest: what is collected once is run for one change after the other, each in a fork of the process.

There the function that a change is in gets other code. What cannot be had so (a table, a default, a class attribute) is
said to be another's to try; and so is what passes, as tests that start a process of their own see no change here.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

from tests.mutants import plugin

PIPES = "MUTANTS_PIPES"  # in the environment: where orders come from, and where answers go
PASSED, FAILED, NOT_HERE = 0, 1, 77
_OPTIMIZED = 1  # the flag of the code of functions: modules and classes have none


def other_codes(old: CodeType, new: CodeType) -> list[tuple[CodeType, CodeType]]:
    """The code of the functions that differ, before and after, the outermost first: none if what differs is in none.

    Functions inside of others may be there already, made when the module was imported.
    """
    found = [(old, new)] if old.co_flags & _OPTIMIZED else []
    if _own(old) != _own(new):
        return found
    differing = [pair for pair in zip(_inside(old), _inside(new), strict=True) if _facts(pair[0]) != _facts(pair[1])]
    return found + other_codes(*differing[0]) if len(differing) == 1 else found


def _all_inside(code: CodeType) -> list[CodeType]:
    return [c for inner in _inside(code) for c in (inner, *_all_inside(inner))]


def _inside(code: CodeType) -> list[CodeType]:
    return [c for c in code.co_consts if isinstance(c, CodeType)]


def _own(code: CodeType) -> tuple[object, ...]:
    """What it is, whatever line it stands on and whatever code is inside."""
    constants = [type(c) if isinstance(c, CodeType) else repr(c) for c in code.co_consts]
    return code.co_code, code.co_exceptiontable, code.co_names, code.co_varnames, code.co_freevars, constants


def _facts(code: CodeType) -> tuple[object, ...]:
    return *_own(code), *map(_facts, _inside(code))


def _functions() -> dict[str, list[FunctionType]]:
    found = defaultdict(list)
    for value in gc.get_objects():
        if isinstance(value, FunctionType):
            found[value.__code__.co_filename].append(value)
    return found


class Server:
    """Tries changes on the cases that were collected."""

    def __init__(self, items: list[Any]) -> None:
        self.items = {item.nodeid: item for item in items}
        self.functions = _functions()

    def answer(self, path: str, text: str, cases: list[str], seconds: float, limit: float) -> int:
        """What became of some cases, in that order, up to the first that fails. Without a path, nothing is changed."""
        changed = self._changed(path, text) if path else []
        if path and not changed:
            return NOT_HERE
        child = os.fork()
        if not child:
            try:
                for function, code in changed:
                    function.__code__ = code
                os._exit(self._run(cases, limit))
            finally:
                os._exit(FAILED)
        return _status(child, time.monotonic() + seconds)

    def _changed(self, path: str, text: str) -> list[tuple[FunctionType, CodeType]]:
        """The functions that a change is in, and their code then."""
        file = str(Path(path).resolve())
        codes = [compile(t, file, "exec", dont_inherit=True) for t in (Path(path).read_text(), text)]
        pairs = other_codes(codes[0], codes[1])
        if not pairs or any(f.__code__ in _all_inside(pairs[-1][0]) for f in self.functions[file]):
            return []  # it is in none, or others that are there come out of what differs
        return [(f, new) for f in self.functions[file] for old, new in pairs if f.__code__ == old]

    def _run(self, cases: list[str], limit: float) -> int:
        resource.setrlimit(resource.RLIMIT_AS, (plugin.MEMORY, plugin.MEMORY))
        for descriptor in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)
        plugin.begin({"cases": cases, "limit": limit})
        items = [self.items[case] for case in cases if case in self.items]
        for item, following in zip(items, [*items[1:], None]):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if plugin.failed():
                return FAILED
        return PASSED if items else NOT_HERE


def _status(child: int, deadline: float) -> int:
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status) if os.WIFEXITED(status) else FAILED
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return FAILED


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: Any) -> bool | None:
    if PIPES not in os.environ:
        return None
    orders, answers = (open(int(n), mode) for n, mode in zip(os.environ[PIPES].split(","), "rw", strict=True))
    server = Server(session.items)
    gc.collect()
    gc.freeze()
    with orders, answers:
        print("ready", file=answers, flush=True)
        for line in orders:
            print(server.answer(**json.loads(line)), file=answers, flush=True)
    sys.stdout.flush()
    return True
