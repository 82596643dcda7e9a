"""``while`` and ``for``."""

from __future__ import annotations

import dis
import functools
import itertools
import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import CodeType, FrameType, FunctionType, MethodType, ModuleType
from typing import Any, NoReturn

from autograph import dispatch
from autograph.dispatch import Attempt, Backend, Name, OneByOne, Role, Statement, attempt_all, backend_of
from autograph.errors import AutographError, Refuses, StagingError, refusals
from autograph.identity import ByIdentity
from autograph.operators import calls, questions, spent
from autograph.operators.branches import staged_if
from autograph.operators.counted import as_counted, used_up
from autograph.operators.effects import Effects
from autograph.operators.items import ONE_BY_ONE, Items, given_by, stands_in, with_steps
from autograph.operators.mutations import Mutations
from autograph.operators.outside import found_outside
from autograph.operators.progress import Progress
from autograph.operators.protocols import truth_of
from autograph.operators.pushed import Pushed
from autograph.operators.raised import until_raised
from autograph.operators.ranges import (
    FEWEST,
    GAIN,
    MOST,
    NOT_AS_PYTHON,
    RangeLoop,
    may_repeat,
    reason,
    too_long,
)
from autograph.operators.state import State, as_local, as_users, note, user_statement, with_returns
from autograph.reading import found_in, is_own


def while_stmt(
    test: Callable[[], object],
    body: Callable[[], object],
    state: Sequence[str] = (),
    returns: Sequence[str | None] = (),
) -> None:
    """Run `body` while `test()` holds; `returns` are the names of what a ``return`` was turned into."""
    iterations = WhileIterations(test, body, state, returns) if dispatch.active else None
    followed = questions.followed(body, state, returns)
    try:
        value = test()
        while value if iterations is None else iterations.goes_on(value):
            followed()
            value = test()
    except BaseException as error:
        if (unbound := as_users(error, test, body)) is not None:
            raise unbound from None
        raise


class WhileIterations:
    """The iterations of a ``while`` while something is traced, until a staged test decides.

    A loop whose test becomes staged during its first iteration is staged from its start; one that becomes staged later
    has its first iterations unrolled.
    """

    def __init__(
        self,
        test: Callable[[], object],
        body: Callable[[], object],
        state: Sequence[str] = (),
        returns: Sequence[str | None] = (),
    ) -> None:
        self.test, self.body, self.given = test, body, (state, returns)
        self.tested = 0
        self.mutations: Mutations | None = None
        self.watched = False
        self.refused = ""  # why the graph does not repeat it
        self.most: float | None = None  # operations that it may record before the graph shall repeat it
        code = test.__code__  # type: ignore[attr-defined]
        self.trusted = _ordinary.values.get(id(code), 0) >= _TRUSTED
        if self.trusted:
            return  # nothing is noted, and code that runs in place does not ask as long as the test is a bool
        self.attempt = attempt_all()
        if self.attempt is not None:
            self.start = len(self.attempt.recorded)
            self.watched = True
            if self.attempt.counter is not None:
                self.most = min(self.attempt.unrolled, _paid.get(code, self.attempt.unrolled))
            if not _only_computes(code):
                self._begin()

    def _begin(self) -> None:
        """Take note of how everything is, to have it so again if the loop is to be staged from its start."""
        self.cells = State(with_returns(*self.given), self.test, self.body)
        self.before = self.cells.read()
        self.mutations = Mutations((self.test, self.body), self.cells.variables(), restores=True)

    def goes_on(self, value: object) -> bool:
        """Whether there is another iteration, now that this is the test; if it is staged, so is the whole loop."""
        self.tested += 1
        if type(value) is not bool:
            value = truth_of(value)
            backend = backend_of(value)
            if backend is not None:
                self._stage(backend, value, user_statement(1))
                return False
            value = bool(value)
        if self.watched:
            self._watch(value)
        if value and self.most is not None and self.tested > FEWEST:
            return self._unrolls_on()
        return value

    def _unrolls_on(self) -> bool:
        """Whether another iteration is unrolled; where that has come to too much, the graph repeats the loop."""
        assert self.attempt is not None and self.most is not None
        if len(self.attempt.recorded) == self.start:
            return True
        recorded = self.attempt.operations(self.start)
        if recorded <= self.most:
            return True
        statement = user_statement(2)
        if recorded > MOST:
            raise too_long("this loop", recorded, self.refused, statement)
        if self.mutations is None or self.refused:
            return True
        if self._repeated(self.attempt, statement):
            return False
        if found_outside((self.test, self.body)) is not None:
            return True  # nothing has been taken back
        self._rewind(self.attempt)  # what is unrolled is so from the start
        self._restore(statement)
        self.tested = 1
        return bool(truth_of(self.test()))

    def _repeated(self, attempt: Attempt, statement: Statement) -> bool:
        """Have the graph repeat the loop, whose tests Python knows, from its start; tells whether it can."""
        recorded, backend = attempt.operations(self.start), dispatch.tracing()
        outside = found_outside((self.test, self.body))
        if backend is None or outside is not None:
            self.refused, self.most = outside or "nothing is traced", MOST
            return False
        with refusals() as refused:
            try:
                self._rewind(attempt)
                self._restore(statement)
                assert attempt.counter is not None
                attempt.counter(range(0))  # the function is unrolled if what the loop leaves does not do for the rest
                _staged_while(backend, self.test, self.body, self.cells, statement, decides=True)
            except (Exception, Refuses) as error:
                refused.clear()  # it is not the program's
                self.refused = reason(error)
                self.most = MOST
                return False
        if not attempt.computes_as_python(self.start):
            self.refused, self.most = NOT_AS_PYTHON, MOST
            return False
        needed = attempt.operations(self.start) * GAIN
        if needed > recorded:
            self.most = needed  # then it will pay
            return False
        _paid.set(self.test.__code__, needed)  # type: ignore[attr-defined]
        return True

    def _restore(self, statement: Statement) -> None:
        assert self.mutations is not None
        try:
            self.mutations.restore(statement)
        except StagingError:  # that is told of what no statement can change, once it is as it was
            pass

    def _watch(self, value: bool) -> None:
        """Take note of an ordinary test."""
        if value and self.mutations is None:
            self._begin()  # the test has changed nothing
        if self.tested == 2 or not value:
            self.watched = False
            if self.attempt is None or len(self.attempt.recorded) == self.start:
                code = self.test.__code__  # type: ignore[attr-defined]
                _ordinary.set(code, _ordinary.get(code, 0) + 1)

    def _stage(self, backend: Backend, value: object, statement: Statement) -> None:
        iterations = self.tested - 1
        cells = State(with_returns(*self.given), self.test, self.body)
        if self.trusted:
            self._stage_late(backend, value, cells, statement)
            return
        if self.attempt is None:  # nothing can be taken back, and what the test has changed is not to be so twice
            if _only_computes(self.test.__code__):  # type: ignore[attr-defined]
                _staged_while(backend, self.test, self.body, cells, statement)
            else:
                _tested_late(backend, value, self.test, self.body, cells, statement)
            return
        _ordinary.set(self.test.__code__, _STAGED)  # type: ignore[attr-defined]
        if self.mutations is None and not iterations and _only_computes(self.test.__code__):  # type: ignore
            self._begin()  # all is as it was
        if iterations > 1 or self.mutations is None:
            _tested_late(backend, value, self.test, self.body, cells, statement)
            return
        self._rewind(self.attempt)
        try:
            self.mutations.restore(statement)
            _staged_while(backend, self.test, self.body, self.cells, statement)
        except StagingError:  # the first iteration settles what a variable is: keep it out of the loop
            if not iterations:
                raise
            self._rewind(self.attempt)
            self.test()
            questions.followed(self.body, self.cells.names)()
            _staged_while(backend, self.test, self.body, self.cells, statement)

    def _stage_late(self, backend: Backend, value: object, cells: State, statement: Statement) -> None:
        """Stage what is left of a loop in which nothing was expected to be staged."""
        _ordinary.set(self.test.__code__, _STAGED)  # type: ignore[attr-defined]
        attempt = attempt_all()
        if attempt is None:
            if _only_computes(self.test.__code__):  # type: ignore[attr-defined]
                _staged_while(backend, self.test, self.body, cells, statement)
            else:
                _tested_late(backend, value, self.test, self.body, cells, statement)
            return
        if _only_computes(self.test.__code__):  # type: ignore[attr-defined]
            start = len(attempt.recorded)  # all is as it was before the test
            before, mutations = cells.read(), Mutations((self.test, self.body), cells.variables(), restores=True)
            try:
                _staged_while(backend, self.test, self.body, cells, statement)
                return
            except StagingError:
                attempt.rewind(start)
                cells.write(before)
                mutations.restore(statement)
        _tested_late(backend, value, self.test, self.body, cells, statement)

    def _rewind(self, attempt: Attempt) -> None:
        attempt.rewind(self.start)
        self.cells.write(self.before)


_TRUSTED = 3
"""So many times nothing was staged in the first tests of a loop, and it is not expected to be staged from its start any
more. If it is to be staged all the same, its first iteration is not part of that."""

_STAGED = -(1 << 60)
_ordinary: ByIdentity[int] = ByIdentity()  # by the code of the test: how many times so far, while something is traced
dispatch.when_ended(_ordinary.clear)
_paid: ByIdentity[int] = ByIdentity()  # by the code of the test: how many operations are too many for one unrolled
dispatch.when_ended(_paid.clear)


def _only_computes(code: CodeType) -> bool:
    """Whether a test asks nothing but variables, and so changes nothing."""
    known = _computing.get(code)
    if known is None:
        called = {i.opname for i in dis.get_instructions(code)} - _COMPUTING
        known = _computing.set(code, not called)
    return bool(known)


_computing: ByIdentity[bool] = ByIdentity()
_COMPUTING = frozenset(
    "RESUME COPY_FREE_VARS LOAD_CONST LOAD_FAST LOAD_DEREF LOAD_GLOBAL LOAD_SMALL_INT COMPARE_OP BINARY_OP UNARY_NOT "
    "UNARY_NEGATIVE RETURN_VALUE RETURN_CONST CACHE NOP".split()
)


class _Parts:
    """The parts of a staged loop, each run from a given state; what they change is found, and put back after each."""

    def __init__(self, cells: State, functions: Sequence[Callable[..., object] | None], statement: Statement) -> None:
        self.cells = cells
        self.names = list(cells.names)
        self.before = cells.read()
        self.own = list(self.before)
        self.effects = Effects(self.names, Mutations(functions, cells.variables()), statement)
        self.code = getattr(functions[0], "__code__", None)
        self.effects.expect(_changed.get(self.code, frozenset()))
        self.before += [place.before for place in self.effects.places]

    def run(
        self, part: Callable[..., object], values: Sequence[object], *arguments: object
    ) -> tuple[object, list[object]]:
        """What a part returns when the state has these values, and the state after it."""
        count = len(self.own)
        after: list[object] = []
        try:
            self.cells.write(values[:count])
            self.effects.enter(values[count:])
            with self.effects.mutations.closed():
                result = part(*arguments)
            after += self.cells.read()
        except NameError as error:
            raise as_local(error) from None
        finally:
            self.cells.write(self.own)
            changed = self.effects.leave()
            self.before += [place.before for place in self.effects.places[len(self.before) - count :]]
        return result, after + changed

    def begun(self, values: Sequence[object]) -> list[object]:
        """The state that an iteration begins with: there is none after one that has returned something."""
        own = [b if Name.of(n).role is Role.RETURNED else v for n, v, b in zip(self.names, values, self.own)]
        return [*own, *values[len(own) :]]

    def finish(self, values: Sequence[object]) -> None:
        """Leave the state as the loop will have left it."""
        self.cells.write(values[: len(self.own)])
        self.effects.finish(values[len(self.own) :], self.cells.places)
        if self.code is not None:
            _changed.set(self.code, self.effects.contents())


_changed: ByIdentity[frozenset[str]] = ByIdentity()
"""By the code of a loop, the names of what it has changed before in the same trace: arrays that it writes, above all.
Each is found by tracing the body, which is then traced again; in nests that doubles the work with each loop."""
dispatch.when_ended(_changed.clear)


def _staged_while(
    backend: Backend,
    test: Callable[[], object],
    body: Callable[[], object],
    cells: State,
    statement: Statement,
    decides: bool = False,
) -> None:
    """A loop of the graph; `decides` says that the graph must find whether it goes on."""
    parts = _Parts(cells, (test, body), statement)
    decided: list[bool] = []

    def run_test(*values: object) -> object:
        result, after = parts.run(lambda: truth(test()), values)
        decided.append(backend_of(result) is not None)
        if any(a is not b for a, b in zip(after, [*values, *parts.before[len(values) :]])):
            raise _TestHasEffects
        return result

    def run_body(*values: object) -> list[object]:
        return parts.run(questions.followed(body, cells.names), parts.begun(values))[1]

    try:
        try:
            after = backend.while_loop(run_test, run_body, parts.before, parts.effects.variables())
            if decides and not decided[-1]:
                raise StagingError("its test does not depend on what changes in it")
        except _TestHasEffects:
            _tested_late(backend, test(), test, body, cells, statement)
            return
    except BaseException as error:
        note(error, statement)
        raise
    parts.finish(after)


def truth(value: object) -> object:
    """What a test says; of what may change, as long as it is what it was when it was asked."""
    value = truth_of(value)
    backend = backend_of(value)
    if backend is None:
        return bool(value)
    result = backend.call(bool, (value,), {})
    return value if result is NotImplemented else result


class _TestHasEffects(Exception):
    """The test of a loop changes variables."""


def _tested_late(
    backend: Backend,
    first: object,
    test: Callable[[], object],
    body: Callable[[], object],
    cells: State,
    statement: Statement,
) -> None:
    """A loop whose test has been made already (`first`), as it may change the state; then it ends each iteration."""
    parts = _Parts(cells, (test, body), statement)

    def iteration() -> object:
        questions.followed(body, cells.names)()
        return truth(test())

    def run_test(go_on: object, *_: object) -> object:
        return go_on

    def run_body(_: object, *values: object) -> list[object]:
        try:
            result, after = parts.run(iteration, parts.begun(values))
        finally:
            state[1:], names[1:] = parts.before, parts.names
        return [result, *after]

    state, names = [truth(first), *parts.before], [_TEST, *parts.names]
    variables = parts.effects.variables(names)
    after = backend.while_loop(run_test, run_body, state, variables)
    parts.finish(after[1:])


_TEST = Name("the test of the loop", Role.RESULT, phrase=True)


_ALONE = 3  # references to what only a call and its parameter know


def _holds_less(caller: FrameType) -> bool:
    """Whether who calls is code as it is printed: it hands over what it has made, where code that was loaded keeps it
    in a variable of its own meanwhile, and has the operators as a constant."""
    if is_own(caller.f_globals.get("__name__")):
        return False
    return not any(type(one) is ModuleType and is_own(one.__name__) for one in caller.f_code.co_consts)


def _references(items: object) -> int:
    return sys.getrefcount(items)


_ONCE = _references([])  # to what only the parameter knows


def for_stmt(
    items: Any,
    body: Callable[[object], object],
    state: Sequence[str] = (),
    test: Callable[[], object] | None = None,
    functions: Sequence[Callable[..., object]] = (),
    returns: Sequence[str | None] = (),
) -> None:
    """Run ``body(item)`` for each item, as long as `test()`, asked after each iteration, holds.

    `returns` are the names of what a ``return`` was turned into; `functions` are those in whose cells the variables
    are, if not the body itself.
    """
    # Nobody else goes on with an iterator that the loop has made for itself, where it ends before that does.
    ends = test is None or sys.getrefcount(items) <= _ALONE - _holds_less(sys._getframe(1))
    functions = functions or (body,)
    if dispatch.active and stands_in(items):
        items, body = _one_by_one(items, body, state, returns)
    if ends and (counted := as_counted(items, (body, test, *functions))) is not None:
        items = Items(used_up(items, counted), (("map", counted.item),))
    if type(items) is Items and dispatch.active and items.is_whole():
        if test is not None and calls.calling.instead is not None:
            if not items.is_alone and sys.getrefcount(items) > _ONCE:
                raise spent.refusal(items, user_statement(1))  # this loop does not tell how far it has got
        whole = with_steps(items, questions.followed(body, state, returns))  # which has a code of its own
        for_stmt(items.counted(), whole, state, test, (body,), returns)
        return
    if type(items) is Pushed and dispatch.active:
        items.to(questions.followed(body, state, returns), test)
        return
    backend = backend_of(items)
    spent.check(items)
    if backend is not None:
        cells = State(with_returns(state, returns), *functions, test)
        if not _stage(backend, items, body, test, cells, functions, user_statement(1)):
            for_stmt(iter(items), body, state, test, functions, returns)
        return
    try:
        if may_repeat(items):
            items, goes_on = _over_range(items, body, test, functions, with_returns(state, returns), user_statement(1))
            if goes_on is not True and test is not None:
                iterations = ForIterations(body, state, test, functions, returns)
                iterations.over(items)
                iterations.goes_on(goes_on)
                return
        followed = questions.followed(body, state, returns)
        if test is None:
            for item in spent.watched(items):
                followed(item)
            return
        iterations = ForIterations(body, state, test, functions, returns)
        given = [items]
        del items  # so that an iterator which nobody else holds is known as such
        for item in iterations.over(given.pop()):
            followed(item)
            if not iterations.goes_on(test()):
                return
    except BaseException as error:
        if (unbound := as_users(error, body, test)) is not None:
            raise unbound from None
        raise


def _one_by_one(
    items: object, body: Callable[[object], object], state: Sequence[str], returns: Sequence[str | None]
) -> tuple[Any, Callable[[object], object]]:
    """What a loop goes through for what stands for a container of Python's, and its body then."""
    items = given_by(items, ONE_BY_ONE)
    if (by_number := found_in(type(items), "by_number")) is None:
        return items, body
    return by_number(items, questions.followed(body, state, returns))  # type: ignore[no-any-return]


def _stage(
    backend: Backend,
    items: object,
    body: Callable[[object], object],
    test: Callable[[], object] | None,
    cells: State,
    functions: Sequence[Callable[..., object]],
    statement: Statement,
) -> bool:
    """Have the graph go through the items; tells whether it does."""
    question = questions.begin()
    mutations = Mutations((body, test, items), restores=True) if question else None
    try:
        _staged_for(backend, items, statement, body, test, cells)
        return True
    except OneByOne:
        return False
    except questions.Undecided:
        if mutations is None:
            raise
    mutations.restore(statement)  # an iterator has got further
    stage = functools.partial(_staged_for, backend, items, statement)
    until_raised(stage, body, test, cells.names, functions, mutations.has)
    return True


def _over_range(
    items: object,
    body: Callable[[object], object],
    test: Callable[[], object] | None,
    functions: Sequence[Callable[..., object]],
    state: Sequence[str],
    statement: Statement,
) -> tuple[object, object]:
    """What is left to be unrolled of a range, and what the test has said before; nothing where the graph repeats it."""

    def stage(backend: Backend, counted: object, once: Callable[[object], object], cells: State) -> None:
        _staged_for(backend, counted, statement, body, test, cells, once)

    loop = RangeLoop(items, body, test, State(state, *functions, test), statement, stage)
    return loop.run() or ((), True)


class ForIterations:
    """The iterations of a ``for`` over ordinary items until a staged test decides that there may be no more.

    Code that runs in place asks whether there is another only where the test is no bool, or where iterators have been
    left (`spent.left`).
    """

    def __init__(
        self,
        body: Callable[[object], object],
        state: Sequence[str],
        test: Callable[[], object],
        functions: Sequence[Callable[..., object]] = (),
        returns: Sequence[str | None] = (),
    ) -> None:
        self.body, self.test, self.functions = body, test, (*(functions or (body,)), test)
        self.given = state, returns

    def over(self, items: Iterable[object]) -> Iterator[object]:
        """The items, to loop over."""
        self.rest = iter(items)
        method = found_in(type(self.rest), "__next__")
        if not isinstance(method, FunctionType):
            return self.rest
        # A `for` over the user's own iterator would ask it for an iterator again.
        return itertools.starmap(MethodType(method, self.rest), itertools.repeat(()))

    def goes_on(self, value: object) -> bool:
        """Whether there is another iteration, now that this is the test; if it is staged, so are all that are left."""
        value = value if type(value) is bool else truth_of(value)
        backend = None if type(value) is bool else backend_of(value)
        if backend is None:
            if spent.left:
                spent.check(self.rest)
            return bool(value)
        rest = spent.parts_of(self.rest)
        del self.rest
        _masked(backend, rest, self.body, self.test, with_returns(*self.given), user_statement(1), self.functions)
        return False


def _staged_for(
    backend: Backend,
    items: Any,
    statement: Statement,
    body: Callable[[object], object],
    test: Callable[[], object] | None,
    cells: State,
    once: Callable[[object], object] | None = None,
) -> None:
    """A loop of the graph; what it does for an item is `once`, if that is not just the body."""
    parts = _Parts(cells, (body, test, items), statement)

    def run_test(*values: object) -> object:
        assert test is not None
        return parts.run(test, values)[0]

    def run_body(item: Callable[[], object], *values: object) -> list[object]:
        followed = questions.followed(once or body, cells.names)
        return parts.run(lambda: followed(item()), parts.begun(values))[1]

    def ask(question: Callable[[], object], *values: object) -> object:
        return parts.run(question, values)[0]

    variables = parts.effects.variables(item=_parameter(body))
    tested = run_test if test is not None else None
    try:
        after = backend.for_loop(items, tested, run_body, parts.before, variables, ask)
    except BaseException as error:
        note(error, statement)
        raise
    parts.finish(after)


def _parameter(function: Callable[..., object]) -> str:
    code = getattr(function, "__code__", None)
    return code.co_varnames[0] if code is not None and code.co_argcount else "item"


def _raise(error: Exception) -> NoReturn:
    raise error


_MOST_ITERATIONS = 500  # of a loop over an iterator that does not tell its length


def _masked(
    backend: Backend,
    rest: list[Iterator[object]],
    body: Callable[[object], object],
    test: Callable[[], object],
    state: Sequence[str],
    statement: Statement,
    functions: Sequence[Callable[..., object]],
) -> None:
    """The further iterations of a Python loop that a staged ``break`` may end: each runs only if the loop goes on."""
    progress = Progress(rest, statement)
    endless = operator.length_hint(rest[0], -1) < 0
    number, ended = -1, False
    while not ended:
        number += 1
        try:
            items = [progress.ask()]
            iteration = progress.iteration(body, *items)
        except StopIteration:
            if not progress.left:
                break
            iteration, items, ended = progress.iteration(lambda: None), [], True
        except AutographError:
            raise
        except Exception as error:  # of the program's, if it asks for this item
            iteration, items, ended = progress.iteration(_raise, error), [], True
        if endless and number > _MOST_ITERATIONS:
            raise StagingError(
                f"only the graph knows when to leave this loop, and its items may have no end: {number} iterations "
                f"were traced. Use `while`, or a range().\n  {statement}"
            )
        variables = [(place.holder_name, place.holder) for place, _ in progress.left]
        variables += [(_parameter(body), item) for item in items]
        variables.append(("", body))  # which may ask functions of the items that those with the variables do not know
        staged_if(backend, test(), iteration, None, state, (), statement, functions, variables=variables)
    if spent.leave(rest, statement):
        calls.forget()  # what is known to need no conversion may have to be checked
