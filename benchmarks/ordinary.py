"""Ordinary values while something is traced: packages that were imported converted, beside the same packages as ever.

Each package is imported twice, as it is and under the hook. What is timed runs within one trace, in turn, so that a
noisy moment hits both alike; a package that is not installed is left out.
"""

from __future__ import annotations

import gc
import importlib
import importlib.util
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import autograph
import runtime
from autograph import rules
from benchmarks.measuring import Result

GROUP = "Ordinary values while something is traced"
Work = Callable[[], object]

_OFTEN = range(1000)


def cached(cachetools: Any) -> Iterator[tuple[str, Work]]:
    cache = cachetools.LRUCache(1000)
    for number in range(500):
        cache[number] = number
    timed = cachetools.TTLCache(1000, 1000)
    timed[7] = 7

    def put() -> None:
        for number in _OFTEN:
            cache[number & 63] = number

    @cachetools.cached(cachetools.LRUCache(100))
    def same(value: object) -> object:
        return value

    yield "cache[key]", lambda: [cache[7] for _ in _OFTEN]
    yield "cache[key] = value", put
    yield "key in cache", lambda: [7 in cache for _ in _OFTEN]
    yield "len(cache)", lambda: [len(cache) for _ in _OFTEN]
    yield "cache.get(key)", lambda: [cache.get(7) for _ in _OFTEN]
    yield "timed[key]", lambda: [timed[7] for _ in _OFTEN]
    yield "@cached", lambda: [same(7) for _ in _OFTEN]


def tools(toolz: Any) -> Iterator[tuple[str, Work]]:
    table, numbers = {"a": {"b": {"c": 1}}}, list(range(20))
    yield "get_in", lambda: [toolz.get_in(["a", "b", "c"], table) for _ in _OFTEN]
    yield "assoc", lambda: [toolz.assoc(table, "x", 1) for _ in _OFTEN]
    yield "pipe", lambda: [toolz.pipe(1, str, int, str) for _ in _OFTEN]
    yield "frequencies", lambda: [toolz.frequencies(numbers) for _ in _OFTEN]
    yield "partition_all", lambda: [list(toolz.partition_all(3, numbers)) for _ in _OFTEN]


def sorted_lists(sortedcontainers: Any) -> Iterator[tuple[str, Work]]:
    numbers = sortedcontainers.SortedList(range(1000))
    table = sortedcontainers.SortedDict((n, n) for n in range(100))

    def add() -> None:
        for _ in _OFTEN:
            numbers.add(500)
            numbers.remove(500)

    def put() -> None:
        for _ in _OFTEN:
            table[200] = 1
            del table[200]

    yield "add and remove", add
    yield "bisect", lambda: [numbers.bisect_left(500) for _ in _OFTEN]
    yield "numbers[index]", lambda: [numbers[500] for _ in _OFTEN]
    yield "table[key] = value", put


def graphs(networkx: Any) -> Iterator[tuple[str, Work]]:
    graph = networkx.gnp_random_graph(40, 0.2, seed=1)

    def grow() -> None:
        made = networkx.Graph()
        for number in _OFTEN:
            made.add_edge(number, number + 1, weight=number)

    yield "graph[node]", lambda: [graph[3] for _ in _OFTEN]
    yield "has_edge", lambda: [graph.has_edge(3, 4) for _ in _OFTEN]
    yield "add_edge", grow
    yield "breadth first", lambda: list(networkx.bfs_edges(graph, 0))
    yield "shortest paths", lambda: networkx.single_source_dijkstra_path_length(graph, 0)
    yield "components", lambda: list(networkx.connected_components(graph))
    yield "clustering", lambda: networkx.clustering(graph)


_TEXT = """# Title

Some *text* with `code`, **more** and a [link](http://example.org/a?b=c).

- one
- two
  1. nested

> quoted
"""


def rendered(markdown_it: Any) -> Iterator[tuple[str, Work]]:
    parser = markdown_it.MarkdownIt()
    yield "render", lambda: parser.render(_TEXT)


WORK: dict[str, Callable[[Any], Iterator[tuple[str, Work]]]] = {
    "cachetools": cached,
    "toolz": tools,
    "sortedcontainers": sorted_lists,
    "networkx": graphs,
    "markdown_it": rendered,
}


def twice(package: str) -> tuple[ModuleType, ModuleType]:
    """The package as it is, and as the hook imports it."""
    plain = importlib.import_module(package)
    own = {name for name in sys.modules if name == package or name.startswith(f"{package}.")}
    before = {name: sys.modules.pop(name) for name in own}
    try:
        with autograph.install_import_hook(package):
            return plain, importlib.import_module(package)
    finally:
        sys.modules.update(before)


def results(rounds: int, pattern: str = "") -> list[Result]:
    """Seconds of each piece of work: plain, converted outside a trace, and converted in one."""
    rules.leave_alone("benchmarks", __name__)
    contestants: dict[str, dict[str, Work]] = {}
    for package, work in WORK.items():
        if importlib.util.find_spec(package) is None or pattern not in f"{package} {GROUP}":
            continue
        plain, hooked = twice(package)
        for (name, run), (_, converted) in zip(work(plain), work(hooked)):
            contestants[f"{package}: {name}"] = {"plain": run, "converted": converted}
    outside, traced = _times(contestants, rounds), {}

    @runtime.function
    def trace(x: object) -> object:
        traced.update(_times(contestants, rounds))
        return x

    if contestants:
        trace(1.0)
    found = []
    for case in contestants:
        plain = traced[case]["plain"]
        share = outside[case]["converted"] / outside[case]["plain"]
        seconds = {"here": traced[case]["converted"], "plain": plain, "outside a trace": plain * share}
        found.append(Result(case, GROUP, seconds))
    return found


def _times(contestants: dict[str, dict[str, Work]], rounds: int) -> dict[str, dict[str, float]]:
    found = {}
    for case, runs in contestants.items():
        for run in runs.values():  # what is met is converted, and its loops have been seen
            for _ in range(4):
                run()
        times: dict[str, list[float]] = {name: [] for name in runs}
        gc.disable()
        try:
            for _ in range(rounds):
                for name, run in runs.items():
                    start = time.process_time()
                    run()
                    times[name].append(time.process_time() - start)
        finally:
            gc.enable()
        found[case] = {name: min(taken) for name, taken in times.items()}
    return found


def main() -> None:
    found = results(15, sys.argv[1] if sys.argv[1:] else "")
    shares = []
    print(f"{'':34}    plain µs   outside   traced")
    for result in found:
        plain, traced, outside = (result.seconds[name] for name in ("plain", "here", "outside a trace"))
        shares.append(traced / plain)
        print(f"{result.case:34} {plain * 1e6:11.1f} {outside / plain:9.2f} {traced / plain:8.2f}")
    if shares:
        print(f"{'geometric mean':34} {'':11} {'':9} {statistics.geometric_mean(shares):8.2f}")


if __name__ == "__main__":
    main()
