"""Within pytest: keeps which lines each case runs; runs the cases that a file names, in order, and says which runs."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import coverage
import pytest

ORDERS = Path("mutants-orders.json")  # the cases to run, and how many seconds one may take: it hangs if it takes longer
RUNNING = Path("mutants-running")  # the last case that began
MEMORY = 12 << 30
# In the environment: the file for the lines that each case runs, the file for the cases that passed and the seconds
# that each took, and the folders whose lines are meant.
LINES, TIMES, SOURCE = "MUTANTS_LINES", "MUTANTS_TIMES", "MUTANTS_SOURCE"

_orders = json.loads(ORDERS.read_text()) if ORDERS.exists() else None
_times: dict[str, float] = {}
_failed: list[str] = []
_nowhere = open(os.devnull, "w")


class _Recorder:
    """Keeps which lines each case runs. Python tells of a line once a case, which costs little."""

    def __init__(self, path: str, source: list[str]) -> None:
        self.data = coverage.CoverageData(path)
        self.source = tuple(str(Path(folder).resolve()) + os.sep for folder in source)
        self.lines: defaultdict[str, set[int]] = defaultdict(set)

    def start(self) -> None:
        tool, events = sys.monitoring.COVERAGE_ID, sys.monitoring.events
        sys.monitoring.use_tool_id(tool, "mutants")
        sys.monitoring.register_callback(tool, events.PY_START, self._starts)
        sys.monitoring.register_callback(tool, events.LINE, self._runs)
        sys.monitoring.set_events(tool, events.PY_START)

    def _starts(self, code: Any, _offset: int) -> Any:
        if code.co_filename.startswith(self.source):
            sys.monitoring.set_local_events(sys.monitoring.COVERAGE_ID, code, sys.monitoring.events.LINE)
        return sys.monitoring.DISABLE

    def _runs(self, code: Any, line: int) -> Any:
        self.lines[code.co_filename].add(line)
        return sys.monitoring.DISABLE

    def switch_context(self, case: str) -> None:
        """From here on this case runs: the empty text if none does."""
        if case:
            self.lines.clear()
            self.data.set_context(case)
            sys.monitoring.restart_events()
        else:
            found = list(self.lines.items())  # a thread of the tests may still be running some
            self.data.add_lines({os.path.relpath(path): {*lines} for path, lines in found})

    def stop(self) -> None:
        tool, events = sys.monitoring.COVERAGE_ID, sys.monitoring.events
        sys.monitoring.set_events(tool, events.NO_EVENTS)
        sys.monitoring.register_callback(tool, events.PY_START, None)
        sys.monitoring.register_callback(tool, events.LINE, None)
        sys.monitoring.free_tool_id(tool)

    def save(self) -> None:
        self.data.write()


def _recorder() -> Any:
    path, source = os.environ[LINES], os.environ[SOURCE].split(os.pathsep)
    if sys.version_info >= (3, 12):
        return _Recorder(path, source)
    made = coverage.Coverage(data_file=path, source=source, config_file=False)
    made.set_option("run:relative_files", True)
    return made


_recording = _recorder() if LINES in os.environ else None
if _recording is not None:
    _recording.start()  # before the packages are imported


def begin(orders: dict[str, Any]) -> None:
    """From here on these are the orders."""
    global _orders
    _orders = orders
    _failed.clear()


def failed() -> bool:
    """Whether a case failed since."""
    return bool(_failed)


def pytest_configure() -> None:
    if _orders is not None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[Any]) -> None:
    if _orders is not None:
        place = {name: i for i, name in enumerate(_orders["cases"])}
        items[:] = sorted((i for i in items if i.nodeid in place), key=lambda i: place[i.nodeid])


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: Any) -> Any:
    if _recording is not None:
        _recording.switch_context(item.nodeid)
    if _orders is not None:
        RUNNING.write_text(item.nodeid)
        faulthandler.dump_traceback_later(_orders["limit"], exit=True, file=_nowhere)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        if _recording is not None:
            _recording.switch_context("")


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" and report.passed:
        _times[report.nodeid] = report.duration
    elif report.failed:
        _failed.append(report.nodeid)
        _times.pop(report.nodeid, None)


def pytest_sessionfinish() -> None:
    if _recording is not None:
        _recording.stop()
        _recording.save()
        Path(os.environ[TIMES]).write_text(json.dumps(_times))
