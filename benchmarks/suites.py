"""The test suites of packages, run as ever and run while something is traced, with the package imported converted.

Tests are those that come with the package, or those of its sdist, which pip downloads once into a folder of the user's
cache; a package that is not installed, or whose sdist cannot be had, is left out with a word. What is timed is the
tests alone, in processes of their own, and the same tests have to pass.

`python -m benchmarks.suites [PACKAGE ...]` runs them by themselves.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.measuring import Result

GROUP = "Test suites while something is traced"
# By package: its distribution, and which of its tests, if they come with it and not with its sdist.
PACKAGES: dict[str, tuple[str, Sequence[str]]] = {
    "cachetools": ("cachetools", ()),
    "click": ("click", ()),
    "markdown_it": ("markdown-it-py", ()),
    "more_itertools": ("more-itertools", ()),
    "networkx": ("networkx", ("networkx.classes", "networkx.algorithms.shortest_paths", "networkx.algorithms.flow")),
    "toolz": ("toolz", ()),
}
_LONGEST = 900  # seconds


class Counted:
    """A plugin of pytest's that counts what passes, and takes the time of the tests alone."""

    def __init__(self) -> None:
        self.seconds, self.outcomes = 0.0, dict[str, int]()

    def pytest_runtestloop(self, session: Any) -> Iterator[None]:
        start = time.process_time()
        yield
        self.seconds = time.process_time() - start

    pytest_runtestloop.hookwrapper = True  # type: ignore[attr-defined]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" or report.outcome != "passed":
            self.outcomes[report.outcome] = self.outcomes.get(report.outcome, 0) + 1


def run(package: str, tests: Sequence[str], traced: bool) -> dict[str, Any]:
    """Run tests in this process; the outcomes, and the seconds that importing the package and they took."""
    import pytest

    import autograph
    import runtime

    options = ["-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly", "-o", "addopts=", "-W", "ignore"]
    options += ["-c", str(_settings()), *(["--pyargs"] if not os.path.exists(tests[0]) else [])]
    counted = Counted()
    if traced:
        autograph.install_import_hook(package)
    start = time.process_time()
    importlib.import_module(package)
    imported = time.process_time() - start

    def main() -> None:
        pytest.main([*options, *tests], plugins=[counted])

    @runtime.function
    def trace(x: object) -> object:
        autograph.do_not_convert(main)()
        return x

    if traced:
        trace(1.0)
    else:
        main()
    return {"outcomes": counted.outcomes, "seconds": counted.seconds, "import": imported}


def cache() -> Path:
    """Where sdists and their tests are kept."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or str(Path.home() / ".cache")
    return Path(home) / "autograph-benchmarks"


def _settings() -> Path:
    """A file with no settings of pytest's, for it to look for no other."""
    path = cache() / "pytest.ini"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[pytest]\n", encoding="utf-8")
    return path


def tests_of(distribution: str) -> Path | None:
    """The tests of the installed version of a distribution, out of its sdist; None if that cannot be had."""
    version = importlib.metadata.version(distribution)
    folder = cache() / f"{distribution}-{version}" / "tests"
    if not folder.exists():
        with tempfile.TemporaryDirectory() as made:
            command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q", "download", "--no-deps"]
            command += ["--no-binary", ":all:", "--dest", made, f"{distribution}=={version}"]
            if subprocess.run(command, capture_output=True, check=False).returncode:
                return None
            (archive,) = Path(made).iterdir()
            with tarfile.open(archive) as packed:
                packed.extractall(Path(made) / "out", filter="data")
            found = sorted((Path(made) / "out").rglob("tests"), key=lambda path: len(path.parts))
            if not found:
                return None
            folder.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(found[0], folder)
    return folder


def results(pattern: str = "", packages: Sequence[str] = tuple(PACKAGES)) -> Iterator[Result]:
    """Seconds of each suite as it is and traced, and of importing the package; tells why one is left out."""
    for package in packages:
        distribution, given = PACKAGES[package]
        if pattern not in f"{package} {GROUP}":
            continue
        if importlib.util.find_spec(package) is None or importlib.util.find_spec("pytest") is None:
            print(f"  {package}: it, or pytest, is not installed")
            continue
        tests = list(given)
        if not tests:
            folder = tests_of(distribution)
            if folder is None:
                print(f"  {package}: its sdist, which has the tests, cannot be had")
                continue
            tests = [str(folder)]
        found = {}
        for traced in (False, True, False, True):
            try:
                made = _in_a_process(package, tests, traced)
            except subprocess.TimeoutExpired:
                print(f"  {package}: its tests take more than {_LONGEST:,} seconds{' traced' if traced else ''}")
                break
            best = found.setdefault(traced, made)
            best.update({key: min(best[key], made[key]) for key in ("seconds", "import")})
        if len(found) < 2:
            continue
        plain, here = found[False], found[True]
        if plain["outcomes"] != here["outcomes"]:
            print(f"  {package}: {plain['outcomes']} as ever, {here['outcomes']} traced!")
        case = f"{package}: {plain['outcomes'].get('passed', 0):,} tests"
        yield Result(case, GROUP, {"here": here["seconds"], "plain": plain["seconds"]})
        yield Result(f"import {package}", GROUP, {"here": here["import"], "plain": plain["import"]})


def _in_a_process(package: str, tests: Sequence[str], traced: bool) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.suites", "--run", package, *(["--traced"] if traced else []), *tests]
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(cache() / "pycache")}  # compiled code is kept, and here
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    done = subprocess.run(
        command, cwd=Path(__file__).parents[1], env=environment, capture_output=True, text=True, timeout=_LONGEST,
        check=False,
    )  # fmt: skip
    try:
        found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        raise RuntimeError(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}") from None
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.suites", description=__doc__)
    parser.add_argument("packages", nargs="*", metavar="PACKAGE", help=f"of {', '.join(PACKAGES)}")
    parser.add_argument("--run", metavar="PACKAGE", help=argparse.SUPPRESS)
    parser.add_argument("--traced", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run:
        print(json.dumps(run(options.run, options.packages, options.traced)))
        return
    for result in results(packages=options.packages or tuple(PACKAGES)):
        show(result)


def show(result: Result) -> None:
    """Print the seconds of a suite, and how many times those of plain Python they are."""
    plain, here = result.seconds["plain"], result.seconds["here"]
    print(f"  {result.case:36} plain {plain:8.2f} s   here {here:8.2f} s   {here / plain:6.2f} x", flush=True)


if __name__ == "__main__":
    main()
