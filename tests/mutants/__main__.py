"""``python -m tests.mutants``: change a line that the tests run, and see whether one of them notices.

A change that no test notices is either one that changes nothing (then it belongs into ``equivalent.txt``, with the
reason) or a gap in the tests. Which cases run a line is recorded once (``--map``; it takes the time of the suite).
A change is held against some of them; one that passes against the others, and then against programs at random.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import functools
import hashlib
import itertools
import json
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import coverage

from tests.mutants import forks, plugin
from tests.mutants.changes import Change, changes, sample

ROOT = Path(__file__).parent.parent.parent
KEPT = ROOT / ".mutants"  # what was recorded
EQUIVALENT = Path(__file__).parent / "equivalent.txt"
PACKAGES = ["autograph", "runtime"]
EVERYTHING = ["tests", *PACKAGES]
FILES = 8  # as many are recorded by one process: what is kept of them is kept when it ends
SLOW = ["tests/fuzz", "tests/test_standard_library.py", "tests/mutants", "tests/test_mutants.py", "tests/test_fuzz.py"]
PYTEST = [
    "-m", "pytest", "-q", "-p", "tests.mutants.plugin", "-p", "no:cacheprovider", "--doctest-modules",
    *(f"--ignore={path}" for path in SLOW),
]  # fmt: skip
# Tests whose programs run in processes of their own, where nothing is recorded.
APART = {"runtime/executors/native/": "tests/runtime/test_checked.py", "autograph/": "tests/test_command_line.py"}
HANGS = 10  # times the seconds that the tests should take
GENERATED = "programs at random"


def record(where: list[str], jobs: int) -> None:
    """Run the suite once, or some of it, and keep which cases run which lines, and how long each takes.

    What was recorded of other files stays; what has been recorded so far is of use while the others still run.
    """
    if where == EVERYTHING:
        shutil.rmtree(KEPT, ignore_errors=True)
    files = [str(path) for folder in where for path in _test_files(ROOT / folder)]
    KEPT.mkdir(exist_ok=True)

    def run(part: list[str]) -> None:
        name = hashlib.sha1(" ".join(part).encode()).hexdigest()[:12]
        lines, times = KEPT / f"lines-{name}", KEPT / f"times-{name}.json"
        lines.unlink(missing_ok=True)
        made = {plugin.LINES: str(lines), plugin.TIMES: str(times), plugin.SOURCE: os.pathsep.join(PACKAGES)}
        subprocess.run([sys.executable, *PYTEST, *part], cwd=ROOT, env=os.environ | made, check=False)

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(run, (files[i : i + FILES] for i in range(0, len(files), FILES))))


def _test_files(path: Path) -> list[Path]:
    found = path.rglob("*.py") if path.is_dir() else [path]
    inside = [p for p in sorted(found) if p.name.startswith("test_") or ">>>" in p.read_text()]
    return [p.relative_to(ROOT) for p in inside if not str(p.relative_to(ROOT)).startswith(tuple(SLOW))]


class Tests:
    """Which cases run which lines."""

    def __init__(self, seconds: float) -> None:
        self.times: dict[str, float] = {}
        self.seconds = seconds
        self.parts = []
        for path in sorted(KEPT.glob("times-*.json")):
            self.times |= json.loads(path.read_text())
            data = coverage.CoverageData(str(path.with_suffix("")).replace("times-", "lines-"))
            data.read()
            data.set_query_contexts(["."])  # of tests: lines that importing alone runs are left out
            self.parts.append(data)
        self.paths = sorted(set().union(*(data.measured_files() for data in self.parts)))
        self.cases = functools.lru_cache(8)(self._cases)

    def __str__(self) -> str:
        files = {case.partition("::")[0] for case in self.times}
        there = [str(path) for folder in EVERYTHING for path in _test_files(ROOT / folder)]
        return f"{len(self.times)} cases are recorded, of {len(files.intersection(there))} of {len(there)} files"

    def run_lines(self, path: str) -> set[int]:
        """The lines of a file that tests run."""
        return set().union(*(data.lines(path) or () for data in self.parts))

    def _cases(self, path: str) -> dict[int, list[str]]:
        """The cases that run each line of a file."""
        found = defaultdict(dict)
        for data in self.parts:
            for line, cases in data.contexts_by_lineno(path).items():
                found[line] |= dict.fromkeys(cases)
        return {line: list(cases) for line, cases in found.items()}

    def of(self, change: Change) -> tuple[list[str], list[str], list[str]]:
        """Cases that run the line, for some seconds: those named after its file first, one of each test, and again.
        The others, those first that need little time. And cases that may run the line in another process."""
        stem, chance = Path(change.path).stem, random.Random(change.key)
        tests = defaultdict(list)
        lines, (first, last) = self.cases(change.path), change.shows
        for case in dict.fromkeys(case for line in range(first, last + 1) for case in lines.get(line, ())):
            if case in self.times:
                tests[case.partition("[")[0]].append(case)
        for found in tests.values():
            chance.shuffle(found)
        order = sorted(tests, key=lambda test: self.times[tests[test][0]])
        rounds = itertools.zip_longest(*(tests[test] for test in order))
        cases = sorted((c for row in rounds for c in row if c), key=lambda c: self.times[c] > self.seconds / 20)
        cases.sort(key=lambda case: stem not in case.partition("::")[0])
        spent = list(itertools.accumulate(self.times[case] for case in cases))
        apart = tuple(file for folder, file in APART.items() if change.path.startswith(folder))
        chosen = [case for case, total in zip(cases, spent) if total <= max(self.seconds, spent[0])]
        others = sorted({*cases} - {*chosen}, key=lambda case: (self.times[case], case))
        return chosen, others, [case for case in self.times if apart and case.startswith(apart)]

    def within(self, cases: list[str], seconds: float) -> list[str]:
        """As many of some cases as need so many seconds."""
        return [
            case for case, total in zip(cases, itertools.accumulate(map(self.times.get, cases))) if total <= seconds
        ]


class Copy:
    """A copy of the tree, in which one thing at a time is changed."""

    def __init__(self, limit: float) -> None:
        self.limit = limit  # seconds for a case
        self.home = Path(tempfile.mkdtemp(prefix="mutants-"))
        shutil.copytree(ROOT, self.home, ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True)
        subprocess.run([sys.executable, "-m", "compileall", "-q", *PACKAGES], cwd=self.home, check=False)

    def collect(self, files: list[str]) -> None:
        """Begin a process that has collected the cases of some files, which `fork` asks."""
        there, back = os.pipe(), os.pipe()
        os.set_inheritable(there[0], True)
        os.set_inheritable(back[1], True)
        made = {"PYTHONPATH": str(self.home), "PYTHONDONTWRITEBYTECODE": "1", forks.PIPES: f"{there[0]},{back[1]}"}
        self.server = subprocess.Popen(
            [sys.executable, *PYTEST, "-p", "tests.mutants.forks", *files], cwd=self.home, env=os.environ | made,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, pass_fds=(there[0], back[1]),
        )  # fmt: skip
        os.close(there[0])
        os.close(back[1])
        self.orders, self.answers = open(there[1], "w"), open(back[0])
        self.answers.readline()

    def fork(self, change: Change | None, cases: list[str], seconds: float) -> tuple[bool | None, str]:
        """What a process that has collected them makes of some cases: None if it knows no way to try the change."""
        if not cases:
            return True, ""
        what = {"path": change.path, "text": change.text} if change else {"path": "", "text": ""}
        order = what | {"cases": cases, "limit": self.limit, "seconds": HANGS * seconds + 60}
        print(json.dumps(order), file=self.orders, flush=True)
        status = int(self.answers.readline() or forks.NOT_HERE)
        passed = None if status == forks.NOT_HERE else status == forks.PASSED
        return passed, (self.home / plugin.RUNNING).read_text() if passed is False else ""

    def close(self) -> None:
        """End what has been begun, and leave nothing."""
        self.orders.close()
        self.answers.close()
        self.server.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def run(self, cases: list[str], seconds: float) -> tuple[bool, str]:
        """Whether the cases pass, and if not, which of them does not: the empty text if they cannot be collected."""
        (self.home / plugin.ORDERS).write_text(json.dumps({"cases": cases, "limit": self.limit}))
        (self.home / plugin.RUNNING).write_text("")
        files = sorted({case.partition("::")[0] for case in cases})
        try:
            done = subprocess.run(
                [sys.executable, *PYTEST, "-x", *files], cwd=self.home, capture_output=True,
                env=os.environ | {"PYTHONPATH": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"},
                timeout=HANGS * seconds + 60, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False, (self.home / plugin.RUNNING).read_text()
        if done.returncode == 5:
            raise RuntimeError(f"none of {cases[:3]} is there (--map records anew what there is)")
        return done.returncode == 0, (self.home / plugin.RUNNING).read_text()

    def generate(self, count: int) -> tuple[bool, str]:
        """Whether programs at random give what they should."""
        command = [sys.executable, "-m", "tests.fuzz", "--seed", "1", "--count", str(count), "--shrink", "0"]
        try:
            done = subprocess.run(
                command, cwd=self.home, capture_output=True, timeout=HANGS * count / 10 + 60, check=False,
                env=os.environ | {"PYTHONPATH": str(self.home), "PYTHONDONTWRITEBYTECODE": "1"},
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return False, GENERATED
        return done.returncode == 0, GENERATED

    def attempt(self, change: Change, steps: list[Callable[[Copy], tuple[bool, str]]]) -> tuple[bool, str]:
        """What tests make of a change; those that are slow are asked when the others notice nothing."""
        target = self.home / change.path
        before, stat = target.read_text(), target.stat()
        target.write_text(change.text)
        os.utime(target, (stat.st_atime, stat.st_mtime + 10))  # what was compiled is another file's
        try:
            passed, last = True, ""
            for step in steps:
                passed, last = step(self)
                if not passed:
                    break
            return passed, last
        finally:
            target.write_text(before)
            os.utime(target, (stat.st_atime, stat.st_mtime))


def known() -> dict[str, str]:
    """Changes that change nothing, with the reason; what ends in a star are all that begin so."""
    rows = [line.partition("   # ") for line in EQUIVALENT.read_text().splitlines()] if EQUIVALENT.exists() else []
    return {key.strip(): reason.strip() for key, _, reason in rows if key.strip()}


def _is_known(key: str, equivalent: dict[str, str]) -> bool:
    return key in equivalent or any(row[-1:] == "*" and key.startswith(row[:-1]) for row in equivalent)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--map", action="store_true", help="record anew which cases run which lines")
    parser.add_argument("--tests", help="record those of these folders and files alone (commas between them)")
    parser.add_argument("--count", type=int, default=100, help="how many changes are tried (100)")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", default="", help="files whose path holds one of these (commas between them)")
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) // 2))
    parser.add_argument("--seconds", type=float, default=60, help="how long the tests of one change may take (60)")
    parser.add_argument("--more", type=float, default=300, help="how long the others may take, if those pass (300)")
    parser.add_argument(
        "--programs", type=int, default=1000, help="and how many programs at random are run then (1000)"
    )
    parser.add_argument("--limit", type=float, default=30, help="how many seconds a case may take: then it hangs (30)")
    parser.add_argument("--quickly", action="store_true", help="what passes in a fork is not tried in other ways")
    parser.add_argument("--list", type=Path, metavar="FILE", help="try the changes named in a file, a line each")
    options = parser.parse_args()
    if options.map or options.tests or not any(KEPT.glob("times-*.json")):
        record(options.tests.split(",") if options.tests else EVERYTHING, options.jobs)
    tests, equivalent = Tests(options.seconds), known()
    wanted = {row.strip() for row in options.list.read_text().splitlines()} if options.list else set()
    found = [
        change
        for path in tests.paths
        if any(part in path for part in options.only.split(",")) and (ROOT / path).exists()
        for change in changes(path, (ROOT / path).read_text(), tests.run_lines(path))
        if (change.key in wanted if wanted else not _is_known(change.key, equivalent))
    ]
    chosen = found if wanted else sample(found, options.count, options.seed)
    counts = f"{len(chosen)} of {len(found)} changes besides {len(equivalent)} known to change nothing"
    print(f"seed {options.seed}: {counts}; {tests}", flush=True)
    by_file = sorted(chosen, key=lambda change: change.path)  # what is known of a file is read once
    found_tests = {change.key: tests.of(change) for change in by_file}
    chosen_tests = [found_tests[change.key] for change in chosen]
    copies: queue.Queue[Copy] = queue.Queue()
    for _ in range(options.jobs):
        copy = Copy(options.limit)
        copy.collect(sorted({case.partition("::")[0] for cases in chosen_tests for case in itertools.chain(*cases)}))
        copies.put(copy)

    def attempt(change: Change, cases: tuple[list[str], list[str], list[str]]) -> tuple[bool, str, float]:
        first, others, apart = cases[0], tests.within(cases[1], options.more), cases[2]
        copy, start = copies.get(), time.monotonic()
        try:
            passed, last = copy.fork(change, first, options.seconds)
            if passed:
                passed, last = copy.fork(change, others, options.more)
            if passed is False or (passed and options.quickly):
                return passed, last, time.monotonic() - start
            steps = [lambda copy: copy.run(list(dict.fromkeys([*first, *apart])), options.seconds)]
            if passed is None and others:
                steps.append(lambda copy: copy.run(others, options.more))
            if options.programs:
                steps.append(lambda copy: copy.generate(options.programs))
            return *copy.attempt(change, steps), time.monotonic() - start
        finally:
            copies.put(copy)

    noticed, noticing = 0, set()
    try:
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for change, (passed, last, seconds) in zip(chosen, pool.map(attempt, chosen, chosen_tests)):
                noticed += not passed
                files = {case.partition("::")[0]: case for case in found_tests[change.key][0]}
                noticing |= set() if passed else {last} if last else {*files.values()}  # can they be collected at all?
                what = "NOT NOTICED" if passed else f"noticed by {last or 'importing it'}"
                print(f"{change.key}   # line {change.line}: {what} ({seconds:.0f} s)", flush=True)
        print(f"{noticed} of {len(chosen)} noticed ({100 * noticed / max(len(chosen), 1):.1f} %)")
        passed, last = copies.queue[0].generate(options.programs) if GENERATED in noticing else (True, "")
        cases = sorted(noticing - {GENERATED})
        for again in (functools.partial(copies.queue[0].fork, None), copies.queue[0].run):
            passed, last = again(cases, options.more) if passed and cases else (passed, last)
        if not passed:
            print(f"but {last or 'one of the files'} fails without a change as well")
        return int(not passed or noticed < 0.95 * len(chosen))
    finally:
        for copy in copies.queue:
            copy.close()


if __name__ == "__main__":
    sys.exit(main())
