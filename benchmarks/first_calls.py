"""From a Python function to its first result: medians over processes, since no process can do it twice."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
from collections import defaultdict

from benchmarks import control, engines, tensors

CASES = {**control.CASES, **tensors.CASES}


def medians(processes: int, pattern: str = "") -> dict[str, dict[str, float]]:
    """Seconds by case and contestant."""
    found: defaultdict[str, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for number in range(processes):
        command = [sys.executable, "-m", "benchmarks.first_calls", str(number), pattern]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        for case, times in json.loads(done.stdout.splitlines()[-1]).items():
            for contestant, seconds in times.items():
                found[case][contestant].append(seconds)
    return {case: {name: statistics.median(taken) for name, taken in times.items()} for case, times in found.items()}


def main() -> None:
    engines.rotation, pattern = int(sys.argv[1]), sys.argv[2]
    engines.warm_up()
    cases = {case: make() for case, make in CASES.items() if pattern in case}
    print(json.dumps({case: {name: run.first for name, run in runs.items()} for case, runs in cases.items()}))


if __name__ == "__main__":
    main()
