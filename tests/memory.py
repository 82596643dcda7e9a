"""How much memory some work takes for good."""

import gc
import resource
import sys
import tracemalloc


def mapped():
    """How much memory the process has, in kB."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize() // 1024


def growth(work, rounds):
    """How much memory `rounds` of some work take for good: Python objects in bytes, and the whole process in kB.

    What leaks does so all the time, while a table of the process (interned strings, types, caches with a bound) grows
    once in a while, by much: of three stretches the one that takes least counts.
    """
    stretches = 3
    tracemalloc.start()  # before the first rounds: what caches hold then makes room for what comes
    for _ in range(max(20, rounds // 20)):
        work()
    taken = []
    for _ in range(stretches):
        gc.collect()
        before, whole = tracemalloc.get_traced_memory()[0], mapped()
        for _ in range(rounds // stretches):
            work()
        gc.collect()
        taken.append((tracemalloc.get_traced_memory()[0] - before, mapped() - whole))
    tracemalloc.stop()
    objects, process = zip(*taken, strict=True)
    return stretches * min(objects), stretches * min(process)
