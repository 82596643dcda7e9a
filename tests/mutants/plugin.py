"""Within pytest: says which case runs, to coverage or in a file; runs the cases that a file names, in that order."""

from __future__ import annotations

import faulthandler
import json
import os
import resource
from pathlib import Path
from typing import Any

import coverage
import pytest

ORDERS = Path("mutants-orders.json")  # the cases to run, and how many seconds one may take: it hangs if it takes longer
RUNNING = Path("mutants-running")  # the last case that began
TIMES = Path("mutants-times.json")  # the cases that passed, and how many seconds each took
MEMORY = 12 << 30

_orders = json.loads(ORDERS.read_text()) if ORDERS.exists() else None
_times: dict[str, float] = {}
_nowhere = open(os.devnull, "w")


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
    recording = coverage.Coverage.current()
    if recording is not None:
        recording.switch_context(item.nodeid)
    if _orders is not None:
        RUNNING.write_text(item.nodeid)
        faulthandler.dump_traceback_later(_orders["limit"], exit=True, file=_nowhere)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()
        if recording is not None:
            recording.switch_context("")


def pytest_runtest_logreport(report: Any) -> None:
    if report.when == "call" and report.passed:
        _times[report.nodeid] = report.duration
    elif report.failed:
        _times.pop(report.nodeid, None)


def pytest_sessionfinish() -> None:
    if _orders is None:
        TIMES.write_text(json.dumps(_times))
