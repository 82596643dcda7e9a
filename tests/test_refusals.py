"""What this library cannot do is told, whatever the program does with exceptions: no clause of it hides a refusal."""

import contextlib

import numpy as np
import pytest

import runtime
from autograph import StagingError
from tests.programs import load, outcome


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True


class Asks:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return self.swallows()

    def swallows(self):
        return True


class Passes:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        return False


@contextlib.contextmanager
def quietly():
    try:
        yield
    except Exception:
        pass


@contextlib.contextmanager
def noted():
    try:
        yield
    finally:
        len("")


NAMES = {
    "np": np, "contextlib": contextlib, "suppress": contextlib.suppress, "Swallows": Swallows, "Passes": Passes,
    "quietly": quietly, "noted": noted, "Asks": Asks,
}  # fmt: skip

REFUSED = {
    "an array that cannot change its size": "b.resize(4)",
    "what NumPy asks of a tensor": "np.rec.array([n, n])",
    "the truth of a tensor": "[3, n, 1].sort()",
    "a method of arrays": "b.setflags(write=False)",
    "an axis": "x = np.sum(b, axis=n)",
    "a function without a staged meaning": "x = np.histogram2d(b, b)",
    "parts of a size that only the graph knows": "x = np.split(b, n)",
    "a loop": "for i in range(n): x = [x]",
}

CLAUSES = {
    "finally with return": "try:\n            {}\n        finally:\n            return x",
    "finally with break": "for _ in [1]:\n            try:\n                {}\n"
    "            finally:\n                break",
    "except": "try:\n            {}\n        except Exception:\n            x = 5",
    "bare except": "try:\n            {}\n        except:\n            x = 5",
    "suppress": "with suppress(Exception):\n            {}",
    "an __exit__": "with Swallows():\n            {}",
    "a generator": "with quietly():\n            {}",
}


@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("statement", REFUSED)
@pytest.mark.parametrize("around", ("if True:", "if n > 0:"))
def test_no_clause_hides_a_refusal(around, statement, clause):
    block = CLAUSES[clause].format("x = 1")
    block = CLAUSES[clause].format(REFUSED[statement].replace("\n            ", "\n" + " " * _indentation(block)))
    f = load(f"def f(b, n):\n    x = 0\n    {around}\n        {block}\n    return x + 1\n", **NAMES)
    with pytest.raises((StagingError, TypeError, ValueError, AttributeError)) as info:
        runtime.function(f)(np.float32([1, 2]), np.int64(1))
    assert not isinstance(info.value, UnboundLocalError)


def _indentation(block):
    line = next(line for line in block.splitlines() if "x = 1" in line)
    return len(line) - len(line.lstrip())


CATCHES = ("suppress(ValueError)", "contextlib.suppress(KeyError, ValueError)", "Swallows()", "Asks()", "quietly()")
LETS_PASS = ("suppress(KeyError)", "Passes()", "noted()", "contextlib.nullcontext()", "np.errstate(all='ignore')")


@pytest.mark.parametrize("manager", (*CATCHES, *LETS_PASS))
def test_what_the_graph_raises_under_a_with_ends_there_if_it_does_in_python(manager):
    f = load(
        f"def f(n):\n    x = 0\n    with {manager}:\n        if n > 0:\n            raise ValueError('a')\n"
        "        x = 2\n    return x\n",
        **NAMES,
    )
    for n in (0, 1):
        assert outcome(runtime.function(f), np.int64(n)) == outcome(f, n)


INDEXED = {
    "an element": "x = items[n]", "an element of a tuple": "x = (n, x)[n]", "an element of a list that grows":
    "x = grown[0]", "an element set": "items[n] = x", "an element deleted": "del grown[0]", "a pop": "x = grown.pop()",
    "a pop at an index": "x = items.pop(n)", "a row": "x = b[n]", "a number of an array": "x = b[n - 1, 0]",
    "a row set": "b[n] = x", "a row added to": "b[n] += x", "rows": "x = b[n:, n]",
}  # fmt: skip
SAFE = {
    "a slice": "x = grown[n:]", "a slice of an array": "x = b[n:]", "a loop": "for x in items: x = x + 1",
    "a loop over a list that grows": "for x in grown: x = x + 1", "a loop over rows": "for x in b: x = x + 1",
    "an index that is known": "x = items[1]",
}  # fmt: skip
ELEMENTS = (
    "def f(b, n):\n    x = 0\n    grown = []\n    items = [n, n, n]\n    if n > 1: grown.append(n)\n"
    "    if True:\n        {}\n    return x, items, b, len(grown)\n"
)


def _plainly(result):
    return [np.asarray(part).tolist() for part in (result if isinstance(result, tuple) else [result])]


@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("statement", INDEXED)
def test_the_program_catches_an_index_that_is_out_of_range(statement, clause):
    f = load(ELEMENTS.format(CLAUSES[clause].format(INDEXED[statement])), **NAMES)
    graph = runtime.function(f)
    for n in (1, 5, -1):
        found, wanted = [outcome(g, np.ones((2, 2)), k) for g, k in ((graph, np.int64(n)), (f, n))]
        assert found[0] == wanted[0], (found, wanted)
        assert _plainly(found[1]) == _plainly(wanted[1])


@pytest.mark.parametrize("statement", (*SAFE, *INDEXED))
def test_an_index_is_what_it_is_in_python_where_nobody_catches(statement):
    statements = SAFE | INDEXED
    for clause in CLAUSES if statement in SAFE else ("except",):
        block = CLAUSES[clause].format(statements[statement])
        if statement in INDEXED:
            block = block.replace("except Exception", "except KeyError")
        f = load(ELEMENTS.format(block), **NAMES)
        for n in (1, 5):
            found, wanted = [outcome(g, np.ones((2, 2)), k) for g, k in ((runtime.function(f), np.int64(n)), (f, n))]
            assert found[0] in ("OutOfBoundsError", wanted[0])
            if wanted[0] == "returns":
                assert _plainly(found[1]) == _plainly(wanted[1])


def test_what_is_no_refusal_is_caught_as_in_python():
    def f(n):
        x = 0
        try:
            x = n.nonesuch
        except AttributeError:
            x = 5
        with contextlib.suppress(KeyError):
            x = {}[x]
        return x + (0 if hasattr(n, "nonesuch") else n)

    assert runtime.function(f)(np.int64(1)) == f(np.int64(1)) == 6
