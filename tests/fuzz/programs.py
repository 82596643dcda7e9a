"""The kinds of programs: which one a number stands for, and what becomes of it."""

from __future__ import annotations

import gc
import linecache
from dataclasses import asdict
from random import Random

from tests.fuzz import graphs, maker, numpy_writer, numpys, plain, plain_writer, staged, staged_writer, tables

WRITE = {
    "a": plain_writer.write,
    "b": staged_writer.write,
    "c": maker.write,
    "d": numpy_writer.write,
    "e": tables.write,
}
CHECK = {"a": plain.check, "b": staged.check, "c": graphs.check, "d": numpys.check, "e": tables.check}
ORDER = "abcde"


def kind_of(number):
    return ORDER[number % len(ORDER)]


def random_of(seed, number, what=""):
    return Random(f"{seed}:{number}{what}")


def write(seed, number):
    """The text of a program: the same for the same seed and number."""
    return WRITE[kind_of(number)](random_of(seed, number))


def check(kind, text, seed, number, thorough=False):
    """Run a program in its forms; what the worker answers with.

    `thorough` runs all forms, where otherwise chance decides about the slow ones.
    """
    random = random_of(seed, number, " forms")
    kept = set(linecache.cache)
    try:
        report = CHECK[kind](text, None if thorough else random)
    finally:
        for name in [n for n in linecache.cache if n.startswith(("<program", "<graph")) and n not in kept]:
            del linecache.cache[name]
        if number % 60 == 0:
            gc.collect()
    return {"failures": [asdict(f) for f in report.failures], "refusals": report.refusals, "ran": report.ran}
