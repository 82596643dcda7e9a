"""The body of a loop, as it was written for one iteration, is read: whether vectors can do several, and how."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from runtime.executors.native.code import is_literal

NAME = re.compile(r"%[\w.]+")
_LINE = re.compile(r"  (?:(%[\w.]+) = )?((\w+) .*)")
LOAD = re.compile(r"load (\w+), ptr (\S+)")
STORE = re.compile(r"store (\w+) (\S+), ptr (\S+)")
ADDRESS = re.compile(r"getelementptr inbounds (\w+), ptr (\S+), i64 (\S+)")
INDEX = re.compile(r"(add|sub|mul) nsw i64 (\S+), (\S+)")
CALL = re.compile(r"call (\w+) @((?:llvm|vector)\.[\w.]+)\((.*)\)")
_DIVISION = re.compile(r"[su](?:div|rem) i(?:8|16|32) \S+, [1-9]\d*")
_FOLD = re.compile(r"(?:call \w+ @llvm\.)?(\w+)\b")

SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}
_INSTRUCTIONS = set(
    "add sub mul and or xor shl lshr ashr fadd fsub fmul fdiv fneg icmp fcmp select trunc zext sext fptrunc fpext "
    "sitofp uitofp fptosi fptoui bitcast".split()
)
_SCALAR_CALLS = ("llvm.pow.", "llvm.mem")
_EXTREME = 4  # operations that the larger or smaller of two numbers takes, since one may be NaN
_FUNCTION = 20  # and a function of the library's
_GATHER = 8  # operations on elements that cost as much as reading an element from anywhere
_FOLDS = set("fadd fmul add mul and or xor maximum minimum umax umin smax smin".split())


@dataclass(frozen=True)
class Fold:
    """Results of all iterations that become one, in a slot: what it is combined with in an iteration, and how."""

    slot: str
    kind: str
    how: str
    text: str  # the instruction
    before: str  # the name of what there is so far
    new: str


@dataclass
class Body:
    """An iteration: what all iterations have in common, and the rest, line by line."""

    index: str
    same: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)
    steps: dict[str, int] = field(default_factory=dict)  # how integers grow each iteration; and pointers, in bytes
    folds: list[Fold] = field(default_factory=list)
    size: int = 1  # of the largest numbers that are read or written, in bytes
    work: int = 0

    @functools.cached_property
    def integers(self) -> set[str]:
        """The indices among the numbers that grow."""
        return {self.index, *(name for name, text in self.lines if name in self.steps and INDEX.fullmatch(text))}

    def scalar(self) -> list[str]:
        """An iteration by itself; its functions are those of vectors all the same."""
        lines = [f"  {name} = {text}" if name else f"  {text}" for name, text in self.lines]
        return [line.replace(" @vector.", " @lane.") for line in lines]


def read(index: str, lines: Sequence[str]) -> Body | None:
    """A body that can be computed in vectors, and is worth it."""
    found = [_LINE.fullmatch(line) for line in lines]
    if not all(found):
        return None  # it does not run straight through
    instructions = [(m[1] or "", m[2], m[3]) for m in found if m is not None]
    stores = (m[3] for _, text, word in instructions if word == "store" and (m := STORE.match(text)))
    slots = dict.fromkeys(pointer for pointer in stores if pointer.startswith("%s"))
    folds = [_fold(slot, instructions) for slot in slots]
    body = Body(index, steps={index: 1}, folds=[f for f in folds if f is not None])
    if len(body.folds) < len(folds):
        return None
    varying, gathered = set(slots), 0
    for name, text, word in instructions:
        used = set(NAME.findall(text))
        if used.isdisjoint(varying) and used.isdisjoint(body.steps):
            if not name or (word == "call" and not CALL.fullmatch(text)):
                return None
            body.same.append(f"  {name} = {text}")
            continue
        body.lines.append((name, text))
        step = _step(text, word, body.steps, varying)
        if step is not None:
            body.steps[name] = step
            continue
        varying.add(name)
        if (m := LOAD.fullmatch(text)) or (m := STORE.fullmatch(text)):
            kind, pointer = m[1], m[m.re.groups]
            body.size = max(body.size, SIZES[kind])
            if pointer not in slots and body.steps.get(pointer) != SIZES[kind]:
                if word == "store":
                    return None  # numbers go to places apart from one another
                gathered += 1
        elif _is_for_vectors(text, word):
            body.work += _work(text, word)
        else:
            return None
    return body if body.work >= _GATHER * gathered else None


def _work(text: str, word: str) -> int:
    if word == "getelementptr":
        return 0
    return _EXTREME if "imum." in text else _FUNCTION if " @vector." in text else 1


def _step(text: str, word: str, steps: Mapping[str, int], varying: set[str]) -> int | None:
    """How the result of an instruction grows each iteration, if it is an integer or a pointer that grows evenly."""
    if not varying.isdisjoint(NAME.findall(text)):
        return None
    if word == "getelementptr" and (m := ADDRESS.fullmatch(text)):
        return steps.get(m[2], 0) + SIZES[m[1]] * steps.get(m[3], 0)
    if m := INDEX.fullmatch(text):
        a, b = steps.get(m[2], 0), steps.get(m[3], 0)
        if m[1] != "mul":
            return a + b if m[1] == "add" else a - b
        if is_literal(m[2]) or is_literal(m[3]):
            return a * int(m[3]) if is_literal(m[3]) else b * int(m[2])
    return None


def _is_for_vectors(text: str, word: str) -> bool:
    if word == "call":
        return bool(CALL.fullmatch(text)) and not any(name in text for name in _SCALAR_CALLS)
    if word == "getelementptr":
        return bool(ADDRESS.fullmatch(text))
    return (word in _INSTRUCTIONS and "ptr" not in text) or bool(_DIVISION.fullmatch(text))


def _fold(slot: str, instructions: Sequence[tuple[str, str, str]]) -> Fold | None:
    """What the iterations do with a slot, if all they do is to combine it with something."""
    here = [(name, text) for name, text, _ in instructions if slot in NAME.findall(text)]
    if len(here) != 2:
        return None
    (before, load), (_, store) = here
    loaded, stored = LOAD.fullmatch(load), STORE.fullmatch(store)
    if loaded is None or stored is None or stored[3] != slot:
        return None
    uses = Counter(name for _, text, _ in instructions for name in NAME.findall(text))
    text = next((t for name, t, _ in instructions if name == stored[2]), "")
    operands = NAME.findall(text)
    if len(operands) != 2 or before not in operands or uses[before] != 1 or uses[stored[2]] != 1:
        return None
    how = _FOLD.match(text)
    if how is None or how[1] not in _FOLDS:
        return None
    if how[1] in ("fadd", "fmul") and "reassoc" not in text:
        return None
    new = operands[1] if operands[0] == before else operands[0]
    return Fold(slot, loaded[1], how[1], text, before, new)


def renamed(lines: Sequence[str], names: Mapping[str, str]) -> list[str]:
    return [NAME.sub(lambda m: names.get(m[0], m[0]), line) for line in lines]
