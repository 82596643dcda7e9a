"""Which backend owns a value: the registry that tensor libraries enter, and the look-up that operators make."""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Sized
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from autograph.identity import ByIdentity
from autograph.reading import elements_of, is_a

T = TypeVar("T")
S = TypeVar("S")


class Statement(str):
    """What is staged and where: ``model.py:12: if x > 0:``."""

    filename: str
    line: int

    def __new__(cls, filename: str, line: int, text: str) -> Statement:
        made = super().__new__(cls, f"{filename}:{line}: {text}" if text else f"{filename}:{line}")
        made.filename, made.line = filename, line
        return made


class Role(Enum):
    """What a part of a statement's state is, which no spelling tells: users may call their variables anything."""

    VARIABLE = auto()
    ITEM = auto()  # of a list, tuple or dictionary
    ATTRIBUTE = auto()
    RESULT = auto()  # what the statement itself gives
    OPERAND = auto()  # of `and` or `or`, mostly asked for its truth: its structure is free
    RETURNED = auto()  # what a function returns, mostly handed on: its structure is free
    RETURN_FLAG = auto()  # whether the function has returned


class Name(str):
    """What messages call a part of a statement's state, and its role; a plain text is a variable's name.

    A `phrase` (``the return value``) is no name of the user's, and stands in messages as it is.
    """

    role: Role
    phrase: bool

    def __new__(cls, text: str, role: Role, phrase: bool = False) -> Name:
        made = super().__new__(cls, text)
        made.role, made.phrase = role, phrase
        return made

    @classmethod
    def of(cls, text: str) -> Name:
        return text if isinstance(text, cls) else cls(text, Role.VARIABLE)

    def part(self, suffix: str) -> Name:
        """The name of an item, ``[…]``, or of an attribute, ``.…``."""
        role = Role.ITEM if suffix[0] == "[" else Role.ATTRIBUTE
        return Name(f"{self}{suffix}", self.role if self.role is Role.OPERAND else role, self.phrase)

    @property
    def shown(self) -> str:
        if self.role is Role.RETURNED:
            return "the return value"
        return str(self) if self.phrase else f"'{self}'"


RETURN_VALUE = Name("the return value", Role.RETURNED, phrase=True)


@dataclass(frozen=True)
class Variables:
    """What a staged statement may change: the names of its state, for messages, in the order of the values.

    `names` are the user's spellings (``x``, ``self.n``), as a `Name` where it matters what they are; `statement` says
    what is staged and where; `item` is what the body of a ``for`` calls its item; `places` are what the last of the
    names stand for: parts (`key`) of objects (`holder`) that the statement changes; `existed` tells by what names an
    object was known before it, and `was_there` whether it was there by any. While a statement is traced names and
    places may grow, and its states with them: what it changes elsewhere is found by tracing it.
    """

    names: Sequence[str]
    statement: Statement | str
    item: str = "item"
    places: Sequence[Any] = ()
    existed: Callable[[object], Collection[str]] = lambda value: ()
    was_there: Callable[[object], bool] = lambda value: False


class Attempt(NamedTuple):
    """What the graph at hand has recorded so far, in order, and how to go back to when it was shorter.

    Only the length of `recorded` is asked, at each iteration of a loop. `acted` tells whether what was recorded since
    it had some length does anything besides computing and failing, so that it is not the same to do it twice; what only
    shows the user something does not after `silence`, which has it computed and not shown.

    A loop over a range of Python's is unrolled as long as that records no more than `unrolled` operations, which
    `operations` counts since a length, those inside of others included; else it becomes one of the graph, over what
    `counter` makes of the range, if the graph `computes_as_python` what was recorded since. Without `counter` all are
    unrolled. So is a loop over a list of numbers that are `alike`: the graph finds one of them by its number.

    `overlooking` finds the clause of the program's that will catch an exception and asks nothing of it, if so.
    """

    recorded: Sized
    rewind: Callable[[int], None]
    acted: Callable[[int], bool] = lambda length: False
    silence: Callable[[int], None] = lambda length: None
    operations: Callable[[int], int] = lambda length: 0
    unrolled: int = 0
    counter: Callable[[range], object] | None = None
    computes_as_python: Callable[[int], bool] = lambda length: True
    alike: Callable[[Sequence[object]], bool] = lambda elements: False
    overlooking: Callable[[BaseException], Statement | None] = lambda error: None


@runtime_checkable
class Backend(Protocol):
    """What a tensor library provides to have plain Python statements staged.

    State travels as lists of values, one for each name; `UNDEFINED` stands for an unbound variable and `UNSET` for one
    that will surely be assigned before it is read. A list that a traced function has returned may still grow until the
    other branch is traced, and `state` of a loop until its body is.
    """

    def is_staged(self, value: object) -> bool:
        """Whether a value of a registered type is known only when the graph runs."""

    def cond(
        self,
        test: object,
        body: Callable[[], Sequence[object]],
        orelse: Callable[[], Sequence[object]],
        variables: Variables,
    ) -> Sequence[object]:
        """Stage both branches; each returns the state after it."""

    def while_loop(
        self,
        test: Callable[..., object],
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
    ) -> Sequence[object]:
        """Stage a loop; `test` and `body` take the state."""

    def for_loop(
        self,
        items: object,
        test: Callable[..., object] | None,
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
        ask: Callable[..., object],
    ) -> Sequence[object]:
        """Stage a loop over staged items; `body` takes what makes an item, and the state, `test` the state.

        The item is made when the state is that of its iteration, since the body may change what it is taken from; so is
        what `ask` takes, before the state: a function, of which it returns the result. Raises OneByOne to have Python
        go through the items.
        """

    def content(self, value: object) -> object:
        """What a value of a registered type that can be changed in place holds now (the same object until it changes,
        a state value by itself), or None for other values."""

    def set_content(self, value: object, content: object) -> None:
        """Have it hold other content."""

    def not_(self, value: object) -> object:
        """``not value``."""

    def assert_(self, test: object, message: Callable[[], object] | None, statement: Statement) -> None:
        """Check a condition when the graph runs."""

    def call(
        self, function: Callable[..., object], arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> Any:
        """A built-in with a staged argument: its staged meaning, or NotImplemented.

        That of ``itertools.chain`` of some items gives each once, and that of ``operator.length_hint`` is how many an
        iterator has left.
        """

    def recursive(
        self, function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> object:
        """Call a converted function that may call itself, as often as the graph decides."""

    def attempt(self) -> Attempt | None:
        """A way to take back what is added to the graph; None while nothing is traced."""


class _Marker:
    def __init__(self, name: str) -> None:
        self._name = name

    def __repr__(self) -> str:
        return self._name


UNDEFINED = _Marker("<unbound>")
UNSET = _Marker("<not set yet>")

_types: list[tuple[tuple[type, ...], Backend]] = []
_backends: list[Backend] = []  # each once
_tracing: list[tuple[Backend, Callable[[], bool]]] = []  # each with what tells whether it traces
_known: ByIdentity[Backend | None] = ByIdentity()  # by type
by_type = _known.values
"""The backend of a type by its identity, or None, once that is known."""
changing = threading.RLock()
"""Held while it changes whether anything is staged, and by who makes what holds only as long as that."""

era = 0
"""How often it has ended that anything was staged."""

_before: list[Callable[[], object]] = []
_at_end: list[Callable[[], object]] = []
_told: list[Callable[[bool], object]] = []

active = 0
"""How many traces go on, in any thread, and backends that stage at any time; where none does, nothing is staged."""


lasting = 0
"""How many of them are backends, which never end."""


def before_staging(prepare: Callable[[], object]) -> None:
    """Have something done once, before anything is staged for the first time."""
    _before.append(prepare)


def begin_staging() -> None:
    """Tell that values may be staged from now on, until `end_staging`: a trace begins."""
    global active
    with changing:
        while _before:
            _before.pop()()
        active += 1
        if active == 1:
            _tell()


def end_staging() -> None:
    """Take one `begin_staging` back."""
    global active, era
    with changing:
        active -= 1
        era += not active
        if not active:
            _tell()
        # Nobody begins meanwhile. What is dropped dies later, as anything may happen then.
        dropped = [forget() for forget in _at_end] if not active else None
    del dropped


def when_ended(forget: Callable[[], object]) -> None:
    """Have `forget` called whenever nothing is traced any more, to let go of what only a trace needs.

    It returns what it held.
    """
    _at_end.append(forget)


def when_changed(told: Callable[[bool], object]) -> None:
    """Have `told` called with whether anything is traced, whenever that changes."""
    _told.append(told)


def _tell() -> None:
    for told in _told:
        told(active > 0)


_with_list: list[set[int]] = []
_listed: list[type] = []
_lists: dict[int, Backend] = {}  # by the identity of a type


def kinds(*types: type) -> set[int]:
    """The identities of these types, which need not be hashable; with `list` comes what passes for it."""
    made = set(map(id, types))
    if list in types:
        _with_list.append(made)
    return made


def register_list(kind: type, backend: Backend) -> None:
    """Tell that an object of this very type is an ordinary list, until `backend`, which holds its content, gives it
    another type."""
    _listed.append(kind)
    _known.set(kind, None)
    _lists[id(kind)] = backend
    for known in _with_list:
        known.add(id(kind))


def is_list(kind: type) -> bool:
    """Whether objects of a type are ordinary lists whose content a backend holds."""
    return id(kind) in _lists


def register_backend(types: type | Sequence[type], backend: Backend, *, announces: bool = False) -> None:
    """Have values of these types (and their subclasses) staged by `backend` when they decide a statement.

    A backend whose values are staged only while it traces can say so (`announces`) and put each trace between
    `begin_staging` and `end_staging`: decorated functions then cost nothing outside. One that knows a quicker way than
    `attempt` to tell whether it traces may have a method `is_tracing` for that. One whose library raises for staged
    values what it raises for others may have a method `blames_staging` that tells which exceptions it does not.
    One whose branches may make Python's lists longer says so by `lists_grow`: each new item is a value of the state,
    `UNDEFINED` before. Raises TypeError if the backend lacks one of the methods of `Backend`.
    """
    if not isinstance(backend, Backend):
        wanted = [n for n in vars(Backend) if not n.startswith("_")]
        missing = ", ".join(n for n in wanted if not hasattr(backend, n))
        raise TypeError(f"{type(backend).__name__} cannot be a backend: it lacks {missing}.")
    _types.append((tuple(types) if isinstance(types, Sequence) else (types,), backend))
    if not any(known is backend for known in _backends):
        _backends.append(backend)
        _tracing.append((backend, getattr(backend, "is_tracing", None) or (lambda: backend.attempt() is not None)))
    _known.clear()
    for kind in _listed:
        _known.set(kind, None)
    if not announces:
        global lasting
        lasting += 1
        begin_staging()


def staged_names() -> set[str]:
    """What the types are called whose values are, or may be, staged."""
    found, waiting = set[str](), [*_listed, *(kind for kinds, _ in _types for kind in kinds)]
    while waiting:
        kind = waiting.pop()
        found.add(kind.__name__)
        waiting += type.__subclasses__(kind)
    return found


def register_view(kind: type[T], wholes_of: Callable[[T], Iterable[object]]) -> None:
    """Tell that values of this type only look at others, which `wholes_of` finds, and through which they may change."""
    wholes[id(kind)] = wholes_of


wholes: dict[int, Callable[..., Iterable[object]]] = {}


def register_tied(kind: type[T], others_of: Callable[[T], Iterable[object]]) -> None:
    """Tell that whoever changes a value of this type may change others, too, which `others_of` finds."""
    ties[id(kind)] = others_of


ties: dict[int, Callable[..., Iterable[object]]] = {}


def register_roots(find: Callable[[], Iterable[tuple[str, object]]]) -> None:
    """Tell of what any statement that is staged may change, by its names, though no variable leads there."""
    roots.append(find)


roots: list[Callable[[], Iterable[tuple[str, object]]]] = []


def register_progress(kind: type[T], read: Callable[[T], S], write: Callable[[T, S], None]) -> None:
    """Tell how far values of this type have got: they go back there when what went on with them is traced again."""
    progress[id(kind)] = read, write


progress: dict[int, tuple[Callable[..., object], Callable[..., None]]] = {}


def backend_of(value: object) -> Backend | None:
    """The backend that stages this value, or None for an ordinary one."""
    kind = type(value)
    try:
        backend = by_type[id(kind)]
    except KeyError:
        backend = _known.set(kind, next((b for types, b in _types if issubclass(kind, types)), None))
    return backend if backend is not None and backend.is_staged(value) else None


def is_ordinary(kind: type) -> bool:
    """Whether no backend stages values of this type."""
    if id(kind) not in by_type:
        _known.set(kind, next((b for types, b in _types if issubclass(kind, types)), None))
    return by_type[id(kind)] is None


def holder_of(value: object) -> Backend | None:
    """The backend that keeps the content of this value, or None for one that no staged statement can change."""
    kind = type(value)
    if id(kind) not in by_type:
        backend_of(value)
    backend = by_type[id(kind)] or _lists.get(id(kind))
    return backend if backend is not None and backend.content(value) is not None else None


def elements(items: object) -> list[object] | None:
    """The elements of a list, tuple, set or dictionary of Python's or a backend's, found without running user code.

    None for anything else.
    """
    found = elements_of(items)
    if found is not None or not is_a(items, list) or holder_of(items) is None:
        return found
    return [*list.__iter__(items)] if backend_of(items) is None else [*items]  # Python has those of the first


def may_be_staged(values: Sequence[object]) -> bool:
    """Whether a value is of a type that some backend stages, or of one that is not known yet."""
    for value in values:  # noqa: SIM110 (it is asked often)
        if by_type.get(id(type(value)), by_type) is not None:
            return True
    return False


def staged_in(values: Sequence[object]) -> Backend | None:
    """The backend of the first staged value among these."""
    for value in values:
        if (backend := backend_of(value)) is not None:
            return backend
    return None


def of_key(key: object) -> Backend | None:
    """The backend of an index or key that is staged, or has a staged part."""
    if issubclass(type(key), tuple):
        return next(filter(None, map(of_key, tuple.__iter__(key))), None)  # type: ignore[arg-type]
    if type(key) is slice:
        return of_key((key.start, key.stop, key.step))
    backend = backend_of(key)
    if backend is None and issubclass(type(key), list):
        return next(filter(None, map(of_key, list.__iter__(key))), None)  # type: ignore[arg-type]
    return backend


def staged_within(values: Sequence[object]) -> bool:
    """Whether a value among these is staged, or a part of one that is a tuple or a list."""
    return backend_within(values) is not None


def backend_within(values: Sequence[object]) -> Backend | None:
    """The backend of the first of these values that is staged, or of a part of one that is a tuple or a list."""
    kinds: tuple[type, ...] = (tuple, list)
    for value in values:
        found = backend_of(value)
        if found is None and is_a(value, kinds):
            found = backend_within(elements(value) or ())
        if found is not None:
            return found
    return None


def blames_staging(error: BaseException) -> bool:
    """Whether a backend has it that an exception is raised for staged values alone."""
    return any(getattr(backend, "blames_staging", _never)(error) for backend in _backends)


def _never(error: BaseException) -> bool:
    return False


def tracing() -> Backend | None:
    """A backend that is tracing."""
    for backend, is_tracing in _tracing:
        if is_tracing():
            return backend
    return None


def attempt_all() -> Attempt | None:
    """The graphs that the backends are tracing, as one; None while none is."""
    if len(_backends) == 1:
        return _backends[0].attempt()
    attempts = [attempt for backend in _backends if (attempt := backend.attempt()) is not None]
    if len(attempts) < 2:
        return attempts[0] if attempts else None
    several = _Several(attempts)
    return Attempt(several, several.rewind, several.acted, several.silence)


class _Several:
    """Attempts of several backends; a length stands for the lengths of all."""

    def __init__(self, attempts: Sequence[Attempt]) -> None:
        self.attempts = attempts
        self.lengths: list[list[int]] = []

    def __len__(self) -> int:
        self.lengths.append([len(attempt.recorded) for attempt in self.attempts])
        return len(self.lengths) - 1

    def rewind(self, length: int) -> None:
        for attempt, own in zip(self.attempts, self.lengths[length]):
            attempt.rewind(own)

    def acted(self, length: int) -> bool:
        return any(attempt.acted(own) for attempt, own in zip(self.attempts, self.lengths[length]))

    def silence(self, length: int) -> None:
        for attempt, own in zip(self.attempts, self.lengths[length]):
            attempt.silence(own)


class Signal(BaseException):
    """What is raised through the user's code to tell this library something: no clause of the user's is meant."""


class OneByOne(Signal):
    """A backend would have Python go through the items of a loop, which it cannot stage."""


class Unanswered(Signal):
    """Python code asks for the truth of a staged value, and only the graph knows the answer."""

    def __init__(self, value: object) -> None:
        self.value = value


class _Answers(threading.local):
    rest: list[bool] | None = None


_answers = _Answers()


@contextmanager
def answering(answers: Sequence[bool]) -> Iterator[None]:
    """Give these answers, in order, to Python code that asks for the truth of staged values; then `Unanswered`."""
    before, _answers.rest = _answers.rest, list(answers)
    try:
        yield
    finally:
        _answers.rest = before


def answer(value: object) -> bool | None:
    """What to answer Python code that asks for the truth of a staged value; None if nobody follows both answers."""
    if _answers.rest is None:
        return None
    if not _answers.rest:
        raise Unanswered(value)
    return _answers.rest.pop(0)
