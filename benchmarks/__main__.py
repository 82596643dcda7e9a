"""Time the same work here and in the peers that are installed: interleaved rounds, medians, ratios, a report."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform
from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks import calls, compiling, control, first_calls, ordinary, programs, report, suites, tensors, training
from benchmarks.engines import warm_up
from benchmarks.measuring import Result, measure

GROUPS = {
    "Control flow on numbers": control.CASES,
    "Tensors": tensors.CASES,
    "Cached calls": calls.CASES,
    "Training": training.CASES,
    programs.GROUP: programs.CASES,
    "Compiling": compiling.CASES,
}
SEVERAL = {*first_calls.CASES}  # whose first calls are made in several processes


def machine() -> str:
    """The machine, and the versions that were measured."""
    known = ("tensorflow", "tensorflow-cpu", "jax", "torch", "numba", "llvmlite")
    versions = [f"Python {platform.python_version()}", f"NumPy {np.__version__}"]
    for name in known:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return f"{_processor()}, {os.cpu_count()} cores; {', '.join(versions)}"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks", description=__doc__)
    parser.add_argument("-k", default="", help="only the cases whose name contains this")
    parser.add_argument("--group", default="", choices=["", *GROUPS], help="only this group of cases")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--readme", metavar="FILE", help="put the table between the marks in this file")
    options = parser.parse_args()
    about = f"{machine()}; medians of {options.rounds} interleaved rounds"
    print(about)
    warm_up()
    results: list[Result] = []
    for group, cases in GROUPS.items():
        for name, make in cases.items():
            if options.k not in name or options.group not in ("", group):
                continue
            print(f"\n{name}")
            runs = make()
            result = measure(name, group, runs, options.rounds, compare=group not in ("Compiling", programs.GROUP))
            results.append(result)
            if not result.agree:
                print("  the results differ!")
            base = result.seconds.get("here", next(iter(result.seconds.values())))
            for contestant, seconds in result.seconds.items():
                print(f"  {contestant:18} {seconds * 1e6:13,.2f} µs   {seconds / base:9.2f} x", flush=True)
    for result in ordinary.results(options.rounds, options.k) if not options.group else ():
        results.append(result)
        shares = {name: seconds / result.seconds["plain"] for name, seconds in result.seconds.items()}
        print(f"  {result.case:36} " + "   ".join(f"{name} {share:.2f} x" for name, share in shares.items()))
    for result in suites.results(options.k) if not options.group else ():
        results.append(result)
        suites.show(result)
    if any(result.first for result in results):
        several = any(r.case in SEVERAL for r in results)
        first = first_calls.medians(options.rounds, options.k) if several else {}
        results = [replace(r, first=first.get(r.case, {} if r.case in SEVERAL else r.first)) for r in results]
        print("\nfirst calls, ms: medians over processes, of programs of NumPy one each")
        for result in results:
            if result.first:
                times = "   ".join(f"{name} {seconds * 1e3:.1f}" for name, seconds in result.first.items())
                print(f"  {result.case:36} {times}")
    for line in programs.summary(results):
        print(f"\n{line}")
    memory = {}
    if not options.k and not options.group:
        memory = compiling.peak_memory()
        print("\npeak memory of a process that runs a loop, MB")
        for contestant, size in memory.items():
            print(f"  {contestant:18} {size:8.0f}")
        path = Path(__file__).parent / "report.html"
        path.write_text(report.html(results, memory, about), encoding="utf-8")
        print(f"\n{path}")
    if options.readme:
        report.into_readme(Path(options.readme), results, memory, about)


if __name__ == "__main__":
    main()
