"""Loops whose iterations do not depend on one another are computed in vectors.

The body of such a loop is written as for one iteration. When it is complete and runs straight through, it is read once
more: what is the same in all iterations moves before the loop, what is read and written side by side becomes vectors,
and sums (or extremes …) of all iterations are made of sums in the lanes. What does not fit stays as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager

from runtime.executors.native.code import Code, counting, is_literal, vector
from runtime.executors.native.dependence import (
    ADDRESS,
    CALL,
    INDEX,
    LOAD,
    NAME,
    SIZES,
    STORE,
    Body,
    Fold,
    read,
    renamed,
)
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.vectors import Vectors, vector_suffix

_CALL = 50  # operations that a function takes which cannot be computed in vectors
_LIGHT, _MEDIUM = 10, 30  # operations up to which four, or two, vectors are at work at a time

# What combines the results of iterations, and what it does not change.
_NOTHING = {
    "fadd": "0.0", "fmul": "1.0", "add": "0", "mul": "1", "and": "-1", "or": "0", "xor": "0",
    "maximum": "0xFFF0000000000000", "minimum": "0x7FF0000000000000", "umax": "0", "umin": "-1",
}  # fmt: skip
_REDUCTIONS = {"maximum": "fmaximum", "minimum": "fminimum"}


@contextmanager
def each(
    code: Code, count: str, start: str = "0", again: bool = False, least: int = 0, multiple: int = 1
) -> Iterator[str]:
    """``for i in range(start, count)``, where no iteration reads what another writes.

    What saves the code for the last iterations: that they may be computed `again`; what is known of their number if it
    is not known itself: that it is at least so large, or a multiple of some number.
    """
    mark, work = len(code.lines), code.work
    index = f"%v{next(code.module.numbers)}"
    yield index
    lines = code.lines[mark:]
    del code.lines[mark:]
    work, code.work = code.work - work, work
    body = read(index, lines)
    if body is None:
        with code.loop(count, start) as i:
            code.lines += renamed(lines, {index: i})
            code.work += work + len(lines) + _CALL * sum("call " in line for line in lines)
    elif is_literal(count) and is_literal(start):
        _Writing(code, body).counted(int(start), int(count), again)
    else:
        _Writing(code, body).uncounted(start, count, again, least, multiple)


@contextmanager
def nest(code: Code, dims: Sequence[str], independent: bool = True, again: bool = False) -> Iterator[list[str]]:
    """Loops in one another over all elements; of the innermost, no iteration reads what another writes."""
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


class _Writing:
    """The loops that a body becomes."""

    def __init__(self, code: Code, body: Body) -> None:
        self.code, self.body = code, body
        self.lanes = max(1, vector_bits() // (8 * body.size))  # of a vector
        self.together = 4 if body.work <= _LIGHT else 2 if body.work <= _MEDIUM else 1

    def counted(self, start: int, end: int, again: bool) -> None:
        """So many iterations: vectors of any size."""
        if start >= end:
            return
        code, count = self.code, end - start
        code.lines += self.body.same
        if count == 1:
            code.lines += renamed(self.body.scalar(), {self.body.index: str(start)})
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
            code.lines += renamed(self.body.scalar(), {self.body.index: str(rest)})
        elif end > rest:
            self._vectors(end - rest, str(rest), str(end))

    def uncounted(self, start: str, end: str, again: bool, least: int, multiple: int) -> None:
        """Vectors as long as there are enough iterations, then iteration by iteration."""
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
        with code.loop(end, whole, brief=True) as index:
            code.lines += renamed(body.scalar(), {body.index: index})
        code.jump(done)
        code.enter(done)

    def _vectors(self, lanes: int, start: str, end: str, again: bool = False) -> None:
        """A loop that takes so many iterations at once; with `again`, the last ones end where the loop does."""
        code, body = self.code, self.body
        sums = {f.slot: code.slot(vector(f.kind, lanes)) for f in body.folds}
        for f in body.folds:
            code.store_vector(vector(f.kind, lanes), f"splat ({f.kind} {_nothing(f)})", sums[f.slot])
        once = is_literal(start) and is_literal(end) and int(end) - int(start) == lanes
        last = code.sub(end, str(lanes))
        mark = len(code.lines)
        ahead: list[str] = []
        if once:
            self._trips(lanes, start, sums, ahead)
        else:
            with code.loop(end, start, step=lanes) as first:
                self._trips(lanes, code.least(first, last) if again else first, sums, ahead)
        code.lines[mark:mark] = ahead
        for f in body.folds:
            _combine(code, f, lanes, sums[f.slot])

    def _trips(self, lanes: int, first: str, sums: Mapping[str, str], ahead: list[str]) -> None:
        self.code.work += self.body.work * max(1, lanes // self.lanes)
        vectors = Vectors(self.code, lanes, ahead)
        names = {self.body.index: first, **sums}
        for name, text in self.body.lines:
            names[name] = self._line(vectors, name, text, names)

    def _line(self, vectors: Vectors, name: str, text: str, names: dict[str, str]) -> str:
        """A line of the body for all lanes; the name of the result."""
        code, steps = self.code, self.body.steps
        if name in steps:
            return _stepping(code, *renamed([text], names))
        if m := LOAD.match(text):
            kind, pointer = m.groups()
            here = names.get(pointer, pointer)
            if here in vectors.varying or steps.get(pointer, SIZES[kind]) != SIZES[kind]:
                return _gathered(vectors, kind, _pointers(vectors, here, steps.get(pointer, 0)))
            return vectors.get(kind, here)
        numbers = {n: _numbers(vectors, names[n], steps[n]) for n in NAME.findall(text) if n in self.body.integers}
        (now,) = renamed([text], {**names, **numbers})
        if m := STORE.match(now):
            vectors.put(m[1], vectors.spread(m[1], m[2]), m[3])
            return ""
        if m := ADDRESS.fullmatch(now):
            kind, pointer, index = m.groups()
            origin = ADDRESS.fullmatch(text)[2]  # type: ignore[index]
            base = f"ptr {pointer}"
            if pointer in vectors.varying or origin in steps:
                base = f"{vectors.kind('ptr')} {_pointers(vectors, pointer, steps.get(origin, 0))}"
            whole = vectors.spread("i64", index)
            return vectors.let_vector(f"getelementptr inbounds {kind}, {base}, {vectors.kind('i64')} {whole}")
        if m := CALL.fullmatch(now):
            given = [(kind, value) for kind, _, value in (part.partition(" ") for part in m[3].split(", "))]
            return vectors.call(m[2], m[1], given)
        return vectors.let(now)


def _stepping(code: Code, text: str) -> str:
    """An instruction on indices or addresses; what is known of it is computed now."""
    if m := ADDRESS.fullmatch(text):
        return code.at(*m.groups())
    how, a, b = INDEX.fullmatch(text).groups()  # type: ignore[union-attr]
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
    given = [(vectors.kind("ptr"), pointers), ("i32", str(SIZES[kind])), (vectors.kind("i1"), all_), (type_, "poison")]
    made = vectors.outer.call(name, type_, given)
    vectors.varying.add(made)
    return made


def _nothing(fold: Fold) -> str:
    """What may be combined with anything and does not change it."""
    if fold.kind == "i1":
        return "true" if fold.how == "and" else "false"
    if fold.how in ("smax", "smin"):
        half = 1 << int(fold.kind[1:]) - 1
        return str(-half if fold.how == "smax" else half - 1)
    return _NOTHING[fold.how]


def _combine(code: Code, fold: Fold, lanes: int, slot: str) -> None:
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
    code.store(kind, code.let(renamed([fold.text], names)[0]), fold.slot)
