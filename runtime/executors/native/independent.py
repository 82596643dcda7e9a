"""Loops whose turns do not depend on one another are computed in vectors.

The body of such a loop is written as for one turn. When it is complete and runs straight through, it is read once more:
what is the same in all turns moves before the loop, what is read and written side by side becomes vectors, and sums (or
extremes …) of all turns are made of sums in the lanes. What does not fit stays as it was written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from runtime.executors.native.code import Code, counting, is_literal, vector
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.vectors import Vectors, vector_suffix

_NAME = re.compile(r"%[\w.]+")
_LINE = re.compile(r"  (?:(%[\w.]+) = )?((\w+) .*)")
_LOAD = re.compile(r"load (\w+), ptr (\S+)")
_STORE = re.compile(r"store (\w+) (\S+), ptr (\S+)")
_ADDRESS = re.compile(r"getelementptr inbounds (\w+), ptr (\S+), i64 (\S+)")
_INDEX = re.compile(r"(add|sub|mul) nsw i64 (\S+), (\S+)")
_CALL = re.compile(r"call (\w+) @(llvm\.[\w.]+)\((.*)\)")
_DIVISION = re.compile(r"[su](?:div|rem) i(?:8|16|32) \S+, [1-9]\d*")
_FOLD = re.compile(r"(?:call \w+ @llvm\.)?(\w+)\b")

_SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}
_INSTRUCTIONS = set(
    "add sub mul and or xor shl lshr ashr fadd fsub fmul fdiv fneg icmp fcmp select trunc zext sext fptrunc fpext "
    "sitofp uitofp fptosi fptoui bitcast".split()
)
_SCALAR_CALLS = ("llvm.pow.", "llvm.mem")
_WORK, _EXTREME = {"getelementptr": 0}, 4  # of instructions, if it is not that of one; NaN makes it more for extremes
_GATHER = 8  # operations on elements that cost as much as reading an element from anywhere
_LIGHT, _MEDIUM = 10, 30  # operations up to which four, or two, vectors are at work at a time

# What combines the results of turns, and what it does not change.
_NOTHING = {
    "fadd": "0.0", "fmul": "1.0", "add": "0", "mul": "1", "and": "-1", "or": "0", "xor": "0",
    "maximum": "0xFFF0000000000000", "minimum": "0x7FF0000000000000", "umax": "0", "umin": "-1",
}  # fmt: skip
_REDUCTIONS = {"maximum": "fmaximum", "minimum": "fminimum"}


@contextmanager
def each(
    code: Code, count: str, start: str = "0", again: bool = False, least: int = 0, multiple: int = 1
) -> Iterator[str]:
    """``for i in range(start, count)``, where no turn reads what another writes.

    What saves the code for the last turns: that they may be computed `again`; what is known of the number of turns if
    it is not known itself: that it is at least so large, or a multiple of some number.
    """
    mark = len(code.lines)
    index = f"%v{next(code.module.numbers)}"
    yield index
    lines = code.lines[mark:]
    del code.lines[mark:]
    body = _read(index, lines)
    if body is None:
        with code.loop(count, start) as i:
            code.lines += _renamed(lines, {index: i})
    elif is_literal(count) and is_literal(start):
        _Writing(code, body).counted(int(start), int(count), again)
    else:
        _Writing(code, body).uncounted(start, count, again, least, multiple)


@contextmanager
def nest(code: Code, dims: Sequence[str], independent: bool = True, again: bool = False) -> Iterator[list[str]]:
    """Loops in one another over all elements; of the innermost, no turn reads what another writes."""
    with ExitStack() as stack:
        indices = []
        last = max((i for i, d in enumerate(dims) if d != "1"), default=-1)
        for axis, d in enumerate(dims):
            if d == "1":
                indices.append("0")
            else:
                loop = each(code, d, again=again) if independent and axis == last else code.loop(d)
                indices.append(stack.enter_context(loop))
        yield indices


# Reading.


@dataclass(frozen=True)
class _Fold:
    """Results of all turns that become one, in a slot: what it is combined with in a turn, and how."""

    slot: str
    kind: str
    how: str
    text: str  # the instruction
    before: str  # the name of what there is so far
    new: str


@dataclass
class _Body:
    """A turn: what all turns have in common, and the rest, line by line."""

    index: str
    same: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)  # how integers grow each turn; and pointers, in bytes
    folds: list[_Fold] = field(default_factory=list)
    size: int = 1  # of the largest numbers that are read or written, in bytes
    work: int = 0

    @property
    def integers(self) -> set[str]:
        """The indices among the numbers that grow."""
        return {self.index, *(name for name, text in self.lines if name in self.steps and _INDEX.fullmatch(text))}

    def scalar(self) -> list[str]:
        return [f"  {name} = {text}" if name else f"  {text}" for name, text in self.lines]


def _read(index: str, lines: Sequence[str]) -> _Body | None:
    """A body that can be computed in vectors, and is worth it."""
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found):
        return None  # it does not run straight through
    instructions = [(m[1] or "", m[2], m[3]) for m in found if m is not None]
    stores = (m[3] for _, text, word in instructions if word == "store" and (m := _STORE.match(text)))
    slots = dict.fromkeys(pointer for pointer in stores if pointer.startswith("%s"))
    folds = [_fold(slot, instructions) for slot in slots]
    body = _Body(index, steps={index: 1}, folds=[f for f in folds if f is not None])
    if len(body.folds) < len(folds):
        return None
    varying, gathered = set(slots), 0
    for name, text, word in instructions:
        used = set(_NAME.findall(text))
        if used.isdisjoint(varying) and used.isdisjoint(body.steps):
            if not name or (word == "call" and not _CALL.fullmatch(text)):
                return None
            body.same.append(f"  {name} = {text}")
            continue
        body.lines.append((name, text))
        step = _step(text, word, body.steps, varying)
        if step is not None:
            body.steps[name] = step
            continue
        varying.add(name)
        if (m := _LOAD.fullmatch(text)) or (m := _STORE.fullmatch(text)):
            kind, pointer = m[1], m[m.re.groups]
            body.size = max(body.size, _SIZES[kind])
            if pointer not in slots and body.steps.get(pointer) != _SIZES[kind]:
                if word == "store":
                    return None  # numbers go to places apart from one another
                gathered += 1
        elif _is_for_vectors(text, word):
            body.work += _WORK.get(word, 1) if "imum" not in text else _EXTREME
        else:
            return None
    return body if body.work >= _GATHER * gathered else None


def _step(text: str, word: str, steps: Mapping[str, int], varying: set[str]) -> int | None:
    """How the result of an instruction grows each turn, if it is an integer or a pointer that grows evenly."""
    if not varying.isdisjoint(_NAME.findall(text)):
        return None
    if word == "getelementptr" and (m := _ADDRESS.fullmatch(text)):
        return steps.get(m[2], 0) + _SIZES[m[1]] * steps.get(m[3], 0)
    if m := _INDEX.fullmatch(text):
        a, b = steps.get(m[2], 0), steps.get(m[3], 0)
        if m[1] != "mul":
            return a + b if m[1] == "add" else a - b
        if is_literal(m[2]) or is_literal(m[3]):
            return a * int(m[3]) if is_literal(m[3]) else b * int(m[2])
    return None


def _is_for_vectors(text: str, word: str) -> bool:
    if word == "call":
        return bool(_CALL.fullmatch(text)) and not any(name in text for name in _SCALAR_CALLS)
    if word == "getelementptr":
        return bool(_ADDRESS.fullmatch(text))
    return (word in _INSTRUCTIONS and "ptr" not in text) or bool(_DIVISION.fullmatch(text))


def _fold(slot: str, instructions: Sequence[tuple[str, str, str]]) -> _Fold | None:
    """What the turns do with a slot, if all they do is to combine it with something."""
    here = [(name, text) for name, text, _ in instructions if slot in _NAME.findall(text)]
    if len(here) != 2:
        return None
    (before, load), (_, store) = here
    loaded, stored = _LOAD.fullmatch(load), _STORE.fullmatch(store)
    if loaded is None or stored is None or stored[3] != slot:
        return None
    uses = Counter(name for _, text, _ in instructions for name in _NAME.findall(text))
    text = next((t for name, t, _ in instructions if name == stored[2]), "")
    operands = _NAME.findall(text)
    if len(operands) != 2 or before not in operands or uses[before] != 1 or uses[stored[2]] != 1:
        return None
    how = _FOLD.match(text)
    if how is None or (how[1] not in _NOTHING and how[1] not in ("smax", "smin")):
        return None
    if how[1] in ("fadd", "fmul") and "reassoc" not in text:
        return None
    new = operands[1] if operands[0] == before else operands[0]
    return _Fold(slot, loaded[1], how[1], text, before, new)


def _renamed(lines: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [_NAME.sub(lambda m: names.get(m[0], m[0]), line) for line in lines]


# Writing.


class _Writing:
    """The loops that a body becomes."""

    def __init__(self, code: Code, body: _Body) -> None:
        self.code, self.body = code, body
        self.lanes = max(1, vector_bits() // (8 * body.size))  # of a vector
        self.together = 4 if body.work <= _LIGHT else 2 if body.work <= _MEDIUM else 1

    def counted(self, start: int, end: int, again: bool) -> None:
        """So many turns: vectors of any size."""
        if start >= end:
            return
        code, count = self.code, end - start
        code.lines += self.body.same
        if count == 1:
            code.lines += _renamed(self.body.scalar(), {self.body.index: str(start)})
            return
        lanes = self.lanes * self.together
        while lanes > count:
            lanes //= 2
        if count <= 2 * self.lanes:
            self._vectors(count, str(start), str(end))
            return
        again = again and not self.body.folds and count % lanes != 0
        whole = start + (count if again else count // lanes * lanes)
        self._vectors(lanes, str(start), str(whole), again)
        if whole == end:
            return
        rest = whole + (end - whole) // self.lanes * self.lanes
        if rest > whole:
            self._vectors(rest - whole, str(whole), str(rest))
        if end - rest == 1:
            code.lines += _renamed(self.body.scalar(), {self.body.index: str(rest)})
        elif end > rest:
            self._vectors(end - rest, str(rest), str(end))

    def uncounted(self, start: str, end: str, again: bool, least: int, multiple: int) -> None:
        """Vectors as long as there are enough turns, then turn by turn."""
        code, body, lanes = self.code, self.body, self.lanes * self.together
        again = again and not body.folds
        if lanes <= least and (again or multiple % lanes == 0):
            code.lines += body.same
            self._vectors(lanes, start, end, again and multiple % lanes != 0)
            return
        some, done = code.label("some"), code.label("none")
        code.fork(code.compare("slt", start, end), some, done)
        code.enter(some)
        code.lines += body.same
        count = code.sub(end, start)
        whole = code.add(start, code.let(f"and i64 {count}, {-lanes}"))
        self._vectors(lanes, start, whole)
        with code.loop(end, whole) as index:
            code.lines += _renamed(body.scalar(), {body.index: index})
        code.jump(done)
        code.enter(done)

    def _vectors(self, lanes: int, start: str, end: str, again: bool = False) -> None:
        """A loop that takes so many turns at once; with `again`, the last ones end where the loop does."""
        code, body = self.code, self.body
        sums = {f.slot: code.slot(vector(f.kind, lanes)) for f in body.folds}
        for f in body.folds:
            code.store_vector(vector(f.kind, lanes), f"splat ({f.kind} {_nothing(f)})", sums[f.slot])
        once = is_literal(start) and is_literal(end) and int(end) - int(start) == lanes
        last = code.sub(end, str(lanes)) if again else ""
        mark = len(code.lines)
        ahead: list[str] = []
        if once:
            self._turns(lanes, start, sums, ahead)
        else:
            with code.loop(end, start, step=lanes) as first:
                self._turns(lanes, code.least(first, last) if again else first, sums, ahead)
        code.lines[mark:mark] = ahead
        for f in body.folds:
            _combine(code, f, lanes, sums[f.slot])

    def _turns(self, lanes: int, first: str, sums: Mapping[str, str], ahead: list[str]) -> None:
        vectors = Vectors(self.code, lanes, ahead)
        names = {self.body.index: first, **sums}
        for name, text in self.body.lines:
            names[name] = self._line(vectors, name, text, names)

    def _line(self, vectors: Vectors, name: str, text: str, names: dict[str, str]) -> str:
        """A line of the body for all lanes; the name of the result."""
        code, steps = self.code, self.body.steps
        if name in steps:
            return _stepping(code, *_renamed([text], names))
        if m := _LOAD.match(text):
            kind, pointer = m.groups()
            here = names.get(pointer, pointer)
            if here in vectors.varying or steps.get(pointer, _SIZES[kind]) != _SIZES[kind]:
                return _gathered(vectors, kind, _pointers(vectors, here, steps.get(pointer, 0)))
            return vectors.get(kind, here)
        numbers = {n: _numbers(vectors, names[n], steps[n]) for n in _NAME.findall(text) if n in self.body.integers}
        (renamed,) = _renamed([text], {**names, **numbers})
        if m := _STORE.match(renamed):
            vectors.put(m[1], vectors.spread(m[1], m[2]), m[3])
            return ""
        if m := _ADDRESS.fullmatch(renamed):
            kind, pointer, index = m.groups()
            origin = _ADDRESS.fullmatch(text)[2]  # type: ignore[index]
            base = f"ptr {pointer}"
            if pointer in vectors.varying or origin in steps:
                base = f"{vectors.kind('ptr')} {_pointers(vectors, pointer, steps.get(origin, 0))}"
            whole = vectors.spread("i64", index)
            return vectors.let_vector(f"getelementptr inbounds {kind}, {base}, {vectors.kind('i64')} {whole}")
        if m := _CALL.fullmatch(renamed):
            given = [(kind, value) for kind, _, value in (part.partition(" ") for part in m[3].split(", "))]
            return vectors.call(m[2], m[1], given)
        return vectors.let(renamed)


def _stepping(code: Code, text: str) -> str:
    """An instruction on indices or addresses; what is known of it is computed now."""
    if m := _ADDRESS.fullmatch(text):
        return code.at(*m.groups())
    how, a, b = _INDEX.fullmatch(text).groups()  # type: ignore[union-attr]
    result: str = {"add": code.add, "sub": code.sub, "mul": code.mul}[how](a, b)
    return result


def _numbers(vectors: Vectors, first: str, step: int) -> str:
    """An index in all lanes."""
    same = f"splat (i64 {first})" if is_literal(first) else vectors.outer.splat("i64", first, vectors.width)
    return vectors.let_vector(f"add {vectors.kind('i64')} {same}, {counting('i64', vectors.width, step=step)}")


def _pointers(vectors: Vectors, pointer: str, step: int) -> str:
    """A pointer for each lane, so many bytes apart."""
    if pointer in vectors.varying:
        return pointer
    apart = counting("i64", vectors.width, step=step)
    return vectors.let_vector(f"getelementptr i8, ptr {pointer}, {vectors.kind('i64')} {apart}")


def _gathered(vectors: Vectors, kind: str, pointers: str) -> str:
    """Numbers from anywhere."""
    type_, all_ = vectors.kind(kind), "splat (i1 true)"
    name = f"llvm.masked.gather.{vector_suffix(kind, vectors.width)}.v{vectors.width}p0"
    given = [(vectors.kind("ptr"), pointers), ("i32", str(_SIZES[kind])), (vectors.kind("i1"), all_), (type_, "poison")]
    made = vectors.outer.call(name, type_, given)
    vectors.varying.add(made)
    return made


def _nothing(fold: _Fold) -> str:
    """What may be combined with anything and does not change it."""
    if fold.kind == "i1":
        return "true" if fold.how == "and" else "false"
    if fold.how in ("smax", "smin"):
        half = 1 << int(fold.kind[1:]) - 1
        return str(-half if fold.how == "smax" else half - 1)
    return _NOTHING[fold.how]


def _combine(code: Code, fold: _Fold, lanes: int, slot: str) -> None:
    """Bring what the lanes have found into the slot."""
    kind, type_ = fold.kind, vector(fold.kind, lanes)
    found = code.load_vector(type_, slot)
    name = f"llvm.vector.reduce.{_REDUCTIONS.get(fold.how, fold.how)}.{vector_suffix(kind, lanes)}"
    if fold.how in ("fadd", "fmul"):
        code.module.declare(name, f"{kind} ({kind}, {type_})")
        total = code.let(f"call reassoc {kind} @{name}({kind} {_nothing(fold)}, {type_} {found})")
    else:
        total = code.call(name, kind, [(type_, found)])
    names = {fold.before: code.load(kind, fold.slot), fold.new: total}
    code.store(kind, code.let(_renamed([fold.text], names)[0]), fold.slot)
