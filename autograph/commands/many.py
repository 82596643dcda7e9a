"""Many files at once: on all cores, with a bar on a terminal where that takes a while."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")

JOBS = "processes that share the work (all cores, but 1 for few files)"
_WORTH_A_PROCESS = 300_000  # bytes of Python, which take about half a second
_SHOWN_AFTER = 1.0  # seconds


def count(text: str) -> int:
    """A number of processes as an option has it."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of processes")
    return int(text)


def done(function: Callable[[Path], T], paths: Sequence[Path], jobs: int | None, word: str) -> list[T]:
    """What a function, which can be pickled, makes of each file, in their order. Processes end with the first error."""
    size = sum(path.stat().st_size for path in paths)
    jobs = min(jobs or (_cores() if _is_the_program() else 1), len(paths), size // _WORTH_A_PROCESS + 1)
    if jobs <= 1:
        return list(_shown(map(function, paths), len(paths), word))
    import multiprocessing
    from concurrent.futures.process import BrokenProcessPool, ProcessPoolExecutor

    fresh = multiprocessing.get_context("spawn")  # the same everywhere, whatever threads there are
    with ProcessPoolExecutor(jobs, fresh, _begin) as pool:
        try:
            results = pool.map(function, paths, chunksize=max(len(paths) // (jobs * 16), 1))
            return list(_shown(results, len(paths), word))
        except BaseException as error:
            pool.shutdown(wait=False, cancel_futures=True)
            if isinstance(error, BrokenProcessPool):  # somebody has ended one of them
                raise OSError("a process that shared the work has ended: --jobs 1 does without") from None
            raise


def _begin() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # it is for the process that asked
    warnings.simplefilter("ignore")


def _is_the_program() -> bool:
    """Whether this is the command, and no program that calls it: new processes run the main module of that again."""
    main = sys.modules.get("__main__")
    name = getattr(getattr(main, "__spec__", None), "name", None) or Path(getattr(main, "__file__", None) or "").stem
    return name.partition(".")[0] == "autograph"


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _shown(results: Iterable[T], total: int, word: str) -> Iterator[T]:
    """The results as they come, under a bar if standard error is a terminal and tqdm is installed."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield from results
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield from results
        return
    yield from tqdm(results, total=total, desc=word, unit=" files", delay=_SHOWN_AFTER, leave=False, file=sys.stderr)
