"""Instructions on numbers become instructions on vectors of them."""

from __future__ import annotations

import re

from runtime.executors.native.code import Code, memory, register, vector
from runtime.executors.native.values import Scalar

_TOKEN = re.compile(
    r"\b(?P<type>i1|i8|i16|i32|i64|float|double)\b|%[\w.]+|\b0x[0-9A-F]+\b|-?\b\d+(?:\.\d+)?\b|\b(?:true|false)\b"
)


class Vectors(Code):
    """Writes instructions on numbers as the same instructions on vectors, where an operand is one.

    A number that all lanes share is spread where it is needed, or once, in the lines `ahead` of what is written.
    """

    def __init__(self, outer: Code, width: int, ahead: list[str] | None = None) -> None:
        super().__init__(outer.module)
        self.outer, self.width = outer, width
        self.lines, self.slots = outer.lines, outer.slots
        self.ahead = ahead
        self.varying: set[str] = set()
        self._spread: dict[tuple[str, str], str] = {}

    def kind(self, element: str) -> str:
        return vector(element, self.width)

    def let_vector(self, text: str) -> str:
        """Name the result of an instruction on vectors."""
        name = self.outer.let(text)
        self.varying.add(name)
        return name

    def spread(self, kind: str, text: str) -> str:
        """A vector: the text itself, or its number in all lanes."""
        if text in self.varying:
            return text
        if not text.startswith("%"):
            return f"splat ({kind} {text})"
        if self.ahead is None:  # a block may be left that others do not come from
            return self.outer.splat(kind, text, self.width)
        if (kind, text) not in self._spread:
            self.outer.lines, inside = self.ahead, self.outer.lines
            self._spread[kind, text] = self.outer.splat(kind, text, self.width)
            self.outer.lines = inside
        return self._spread[kind, text]

    def in_lanes(self, x: Scalar) -> str:
        text = self.spread(register(x.dtype), x.text)
        self.varying.add(text)
        return text

    def let(self, text: str) -> str:
        if not any(match[0] in self.varying for match in _TOKEN.finditer(text)):
            return self.outer.let(text)
        pieces, end, kind = [], 0, ""
        for match in _TOKEN.finditer(text):
            token = match[0]
            if match["type"]:
                kind, token = token, self.kind(token)
            else:
                token = self.spread(kind, token)
            pieces += [text[end : match.start()], token]
            end = match.end()
        return self.let_vector("".join([*pieces, text[end:]]))

    def call(self, name: str, result: str, arguments: list[tuple[str, str]]) -> str:
        if not any(text in self.varying for _, text in arguments):
            return self.outer.call(name, result, arguments)
        stem, _, ending = name.rpartition(".")
        given = [
            (kind, text) if kind == "i1" else (self.kind(kind), self.spread(kind, text)) for kind, text in arguments
        ]
        made = self.outer.call(f"{stem}.v{self.width}{ending}", self.kind(result), given)
        self.varying.add(made)
        return made

    def put(self, kind: str, text: str, slot: str) -> None:
        self.store_vector(self.kind(kind), text, slot)

    def get(self, kind: str, slot: str) -> str:
        made = self.outer.load_vector(self.kind(kind), slot)
        self.varying.add(made)
        return made

    def kept(self, x: Scalar) -> str:
        """The numbers of a vector in memory."""
        text, kind = self.in_lanes(x), memory(x.dtype)
        place = self.slot(kind, self.width)
        if x.dtype.is_bool:
            text = self.let(f"zext i1 {text} to i8")
        self.put(kind, text, place)
        return place


def vector_suffix(kind: str, lanes: int) -> str:
    """How the names of LLVM's functions on such vectors end."""
    return f"v{lanes}{ {'float': 'f32', 'double': 'f64'}.get(kind, kind) }"
