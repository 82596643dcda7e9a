"""What a generator runs when it is closed is known beforehand, and not done for items that only the graph counts."""

import contextlib

import numpy as np
import pytest

import runtime
from autograph import StagingError
from autograph.operators.closing import CATCHES, CLEANS_UP, done_on_closing
from tests.programs import load

YIELDS = {
    "yield 1": None,
    "for x in (1, 2): yield x": None,
    "try: yield 1\nexcept ValueError: log.append(1)": None,
    "try: yield 1\nexcept (ValueError, KeyError) as error: log.append(error)\nexcept TypeError: raise": None,
    "for x in (1, 2):\n    try: yield x\n    except ValueError: continue": None,
    "try: log.append(1)\nfinally: log.append(2)\nyield 1": None,
    "try: raise ValueError\nexcept ValueError as error: yield 1": None,
    "try: yield 1\nfinally: x = 2": None,
    "yield from (i for i in (1, 2))": None,
    "try: yield 1\nfinally: log.append(1)": CLEANS_UP,
    "try:\n    try: yield 1\n    except ValueError as error: log.append(error)\nfinally: log.append(2)": CLEANS_UP,
    "with contextlib.suppress(ValueError): yield 1": CLEANS_UP,
    "yield from inner()": CLEANS_UP,
    "try: yield 1\nexcept: log.append(1)": CATCHES,
    "try: yield 1\nexcept GeneratorExit: log.append(1)": CATCHES,
    "try: yield 1\nexcept ValueError: pass\nexcept BaseException as error: raise": CATCHES,
}
INNER = "    def inner():\n        try: yield 1\n        finally: log.append(1)\n"


@pytest.mark.parametrize("body", YIELDS)
def test_what_closing_does_is_known(body):
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    generator = load(f"def f(log):\n{INNER}{lines}", contextlib=contextlib)([])
    assert done_on_closing(generator) is None  # it has not begun
    next(generator)
    found = done_on_closing(generator)
    assert (found and found.what) == YIELDS[body]
    generator.close()
    assert done_on_closing(generator) is None


PROGRAM = """
def f(n):
    log = []
    def items():
        try:
            for i in range(4):
                yield i
        {clause}
    def all_items():
        yield from items()
    {loop}
    log.append(9)
    return {result}
"""
CLAUSES = ("finally: log.append(7)", "except GeneratorExit: log.append(7)")
LOOPS = {
    "break": "for x in items():\n        if x == n: break",
    "yield from": "for x in all_items():\n        if x == n: break",
    "inside zip": "for x, _ in zip(items(), 'abcd'):\n        if x == n: break",
    "return": "def find():\n        for x in items():\n            if x == n: return x\n    find()",
    "any": "any(x == n for x in items())",
    "closed by hand": "it = items()\n    for x in it:\n        if x == n: break\n    it.close()",
}


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("clause", CLAUSES)
def test_a_loop_that_only_the_graph_leaves_is_refused_where_leaving_does_something(clause, loop):
    f = load(PROGRAM.format(clause=clause, loop=LOOPS[loop], result="log"))
    assert f(2) == [7, 9]
    with pytest.raises(StagingError, match="the generator items has (?s:.*)when the loop is left"):
        runtime.function(f)(np.int64(2))


STAY = {
    "a loop that Python leaves": "for x in items():\n        if x == 2: break\n        if n > 1: log.append(n)",
    "a loop that ends": "for x in items():\n        if x == n: log.append(n)",
}


@pytest.mark.parametrize("loop", STAY)
def test_the_clause_runs_where_python_leaves_the_loop(loop):
    f = load(PROGRAM.format(clause=CLAUSES[0], loop=STAY[loop], result="log, len(log)"))
    for n in (0, 2):
        log, length = runtime.function(f, numpy=True)(np.int64(n))
        assert ([*log], length) == f(n)


def test_a_clause_that_changes_nothing_that_can_be_seen_is_no_matter():
    def f(n):
        def items():
            with contextlib.suppress(ValueError):
                yield from range(4)

        for x in items():
            if x == n:
                break
        return x

    assert runtime.function(f)(np.int64(2)) == f(2) == 2
