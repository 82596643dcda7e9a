"""``for`` over a range of Python's, while something is traced: unrolled if that is short, else a loop of the graph.

The loop begins as Python runs it. When its iterations have recorded more than a graph should hold of one loop, or will
have, everything is as it was before the loop again, and the loop is traced once, with a counter that only the graph
knows. Where that cannot be, it goes on unrolled.
"""

from __future__ import annotations

import itertools
import operator
from collections import deque
from collections.abc import Callable
from typing import Any

from autograph import dispatch
from autograph.dispatch import Attempt, Backend, Statement, attempt_all, backend_of, tracing
from autograph.errors import AutographError, Refuses, StagingError, refusals
from autograph.identity import ByIdentity
from autograph.operators import questions
from autograph.operators.mutations import Mutations
from autograph.operators.outside import found_outside
from autograph.operators.protocols import truth_of
from autograph.operators.state import State
from autograph.reading import is_own

FEWEST = 4  # iterations of a loop that is worth one of the graph
PATIENCE = 2  # how many times as long one with fewer iterations may be: nests of such loops are long all the same
MOST = 100_000  # operations that a loop may add
GAIN = 2  # how many times as many operations it must have unrolled

_ITERATOR = type(iter(range(0)))

NOT_AS_PYTHON = "64 bits may not hold its Python integers, or one of them may be a divisor that is 0"

Stage = Callable[[Backend, object, Callable[[object], object], State], None]


def too_long(loop: str, operations: float, why: str, statement: Statement) -> StagingError:
    """What is wrong with a loop that the graph cannot repeat, and that is too long to be unrolled."""
    return StagingError(
        f"{loop} would add some {operations:,.0f} operations to the graph; it cannot become a loop of the graph: "
        f"{why}. Move that out of the loop, or loop over a tensor.\n  {statement}"
    )


def reason(error: BaseException) -> str:
    """What an error says, short, of why the graph does not repeat a loop."""
    return str(error).partition("\n")[0].partition(". ")[0].rstrip(".")


def may_repeat(items: object) -> bool:
    """Whether a loop over this may become one of the graph, though Python knows each item."""
    if not (type(items) is range or type(items) is _ITERATOR) or not dispatch.active:
        return False
    attempt = attempt_all()
    if attempt is None or attempt.counter is None:
        return False
    return operator.length_hint(items) >= (2 if attempt.unrolled else 1)


def left_of(iterator: Any) -> range:
    """What an iterator over a range, as ``reversed(range(9))`` is one, has left."""
    _, (whole,), *taken = iterator.__reduce__()
    left: range = whole[taken[0] or 0 :] if taken else whole
    return left


_lengths: ByIdentity[dict[int, float]] = ByIdentity()  # by the code of the body
dispatch.when_ended(_lengths.clear)


class RangeLoop:
    """A loop over a range; `stage` traces its body for a counter of the graph, over a range of which it is given."""

    def __init__(
        self,
        items: Any,
        body: Callable[[object], object],
        test: Callable[[], object] | None,
        cells: State,
        statement: Statement,
        stage: Stage,
    ) -> None:
        self.iterator = None if type(items) is range else items
        self.items: range = items if self.iterator is None else left_of(items)
        self.body, self.test, self.cells = body, test, cells
        self.begun = 0  # iterations that Python has run
        self.statement, self.stage = statement, stage
        self.refused = ""  # why the graph does not repeat it

    def run(self) -> tuple[object, object] | None:
        """Run the loop until it is over, or else until it is found that it goes on unrolled.

        Returns what is left of the range then, and what the test has said of the iteration before: nothing but True if
        that is to be asked. Somebody else may hold an iterator, which is then where Python has it; where the graph
        leaves it before its end, that is not known, and such loops are unrolled.
        """
        if self.iterator is None:
            return self._run()
        if self.test is not None or found_outside((self.body,)) is not None:  # the body may take items, too
            return self.iterator, True
        try:
            left = self._run()
        except BaseException:
            self._take(self.begun)
            raise
        self._take(len(self.items) - (len(left[0]) if left is not None else 0))
        return None if left is None else (self.iterator, left[1])

    def _take(self, count: int) -> None:
        """Take items from the iterator."""
        deque(itertools.islice(self.iterator, count), maxlen=0)  # type: ignore[arg-type]

    def _run(self) -> tuple[range, object] | None:
        attempt, backend = attempt_all(), tracing()
        if attempt is None or attempt.counter is None or backend is None:
            return self.items, True
        outside = found_outside((self.body, self.test))
        start, recorded = len(attempt.recorded), 0
        most = attempt.unrolled if len(self.items) >= FEWEST else attempt.unrolled * PATIENCE
        if outside is None:
            self.before = self.cells.read()
            self.mutations = Mutations((self.body, self.test), self.cells.variables(), restores=True)
            expected = self._known().get(attempt.unrolled, 0) * len(self.items)
            if expected > most:  # as it was before, so that nests of loops are not traced over and over
                if self._repeated(attempt, backend, attempt.counter, start, expected):
                    return None
                self._rewind(attempt, start)
        for number, item in enumerate(self.items, 1):
            length = len(attempt.recorded)
            self.begun = number
            self._body(item)
            goes_on = True if self.test is None else truth_of(self.test())
            staged = backend_of(goes_on) is not None
            if not staged and not goes_on:
                return None
            recorded += attempt.operations(length)
            expected = recorded * len(self.items) / number
            if expected > most and (number < len(self.items) or not attempt.unrolled):
                if outside is None:
                    if self._repeated(attempt, backend, attempt.counter, start, expected):
                        self._known()[attempt.unrolled] = recorded / number
                        return None
                    self._rewind(attempt, start)
                    number, goes_on = 0, True
                self._not_too_long(expected, outside or self.refused)
                return self.items[number:], goes_on
            if staged:
                return self.items[number:], goes_on
        return None

    def _body(self, item: object) -> object:
        return questions.followed(self.body, self.cells.names)(item)

    def _known(self) -> dict[int, float]:
        """How many operations an iteration of this loop had, by the limit, where the graph has repeated it before."""
        code = self.body.__code__  # type: ignore[attr-defined]
        if is_own(self.body.__module__):  # which many loops have in common
            return {}
        known = _lengths.get(code)
        if known is None:
            known = {}
            _lengths.set(code, known)
        return known

    def _not_too_long(self, expected: float, why: str) -> None:
        if expected > MOST:
            raise too_long(f"this loop of {len(self.items)} iterations", expected, why, self.statement)

    def _repeated(
        self, attempt: Attempt, backend: Backend, counter: Callable[[range], object], start: int, expected: float
    ) -> bool:
        """Have the graph repeat the body, from the start of the loop; tells whether it can."""
        for first in (0, 1):  # the first iteration may settle what a variable is: keep it out of the loop then
            self._rewind(attempt, start)
            with refusals() as refused:
                try:
                    for item in self.items[:first]:
                        self._body(item)
                        if self.test is not None and self.test() is not True:
                            self.refused = "whether it goes on after its first iteration only the graph knows"
                            return False
                    self.stage(backend, counter(self.items[first:]), self._once, self.cells)
                except (Exception, Refuses) as error:
                    refused.clear()  # it is not the program's
                    self.refused = reason(error)
                    continue
            if not attempt.computes_as_python(start):
                self.refused = NOT_AS_PYTHON
                return False
            self.refused = "it would have as many operations"
            gain = min(GAIN, (len(self.items) + 1) / 2)
            return not attempt.unrolled or attempt.operations(start) * gain <= expected
        return False

    def _once(self, item: object) -> object:
        """The body, for all items; what Python would not have raised for any is not the program's to raise."""
        try:
            return self._body(item)
        except AutographError:
            raise
        except Exception as error:
            raise StagingError(str(error)) from error

    def _rewind(self, attempt: Attempt, start: int) -> None:
        attempt.rewind(start)
        self.cells.write(self.before)
        try:
            self.mutations.restore(self.statement)
        except StagingError:  # that is told of what no statement can change, once it is as it was
            pass
