"""LLVM code as text: modules, functions, blocks, loops, and integer arithmetic that folds what is known."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from runtime.graph.dtypes import DType

REGISTER = {
    "bool": "i1", "int8": "i8", "int16": "i16", "int32": "i32", "int64": "i64",
    "uint8": "i8", "uint16": "i16", "uint32": "i32", "uint64": "i64", "float32": "float", "float64": "double",
    "complex64": "<2 x float>", "complex128": "<2 x double>",
}  # fmt: skip


ALLOWANCE = 1 << 18  # operations from one look at the clock to the next: of most, a fraction of a millisecond
BRIEF = 1 << 20  # operations of which a loop of known length does not ask for signals
STRIP = 1 << 12  # iterations of any loop until it asks
_LONG, _BLOCK = 1500, 100  # lines from which a function is long, and those of its blocks
_ENDS = ("  br ", "  ret ", "  switch ", "  unreachable")
_ALIGNED = {"i1": 1, "i8": 1, "i16": 2}  # bytes at a multiple of which a vector lies, where that is not 4


def register(dtype: DType) -> str:
    """The LLVM type of a number in a register."""
    return REGISTER[dtype.name]


def memory(dtype: DType) -> str:
    """The LLVM type of a number in memory, where a truth value takes a byte."""
    return "i8" if dtype.is_bool else REGISTER[dtype.name]


def vector(kind: str, lanes: int) -> str:
    """The LLVM type of a vector of numbers."""
    return f"<{lanes} x {kind}>"


def counting(kind: str, lanes: int, start: int = 0, step: int = 1) -> str:
    """The vector start, start + step …"""
    return f"<{', '.join(f'{kind} {start + step * i}' for i in range(lanes))}>"


def _how_aligned(type_: str) -> str:
    """Of a vector or a complex number, which lies where its parts may lie."""
    if type_[0] != "<":
        return ""
    kind = type_[1:-1].partition(" x ")[2]
    return f", align {_ALIGNED.get(kind, 4)}"


def is_literal(text: str) -> bool:
    """Whether a 64-bit integer is known."""
    return text[0] != "%"


def wrapped(number: int) -> str:
    """A number in 64 bits, as LLVM reads it; one that had more is never used, since the run has failed before."""
    return str((number + 2**63) % 2**64 - 2**63)


@dataclass
class Module:
    """The functions of one compilation, what they declare, and the symbols that they need from outside."""

    name: str
    functions: list[str] = field(default_factory=list)
    declared: dict[str, str] = field(default_factory=dict)
    data: list[str] = field(default_factory=list)
    symbols: dict[str, int] = field(default_factory=dict)  # addresses that the process does not export by name
    shared: set[str] = field(default_factory=set)  # functions that several places call
    noted: bool = False  # whether functions tell what they are given and what they do, for `checked`
    about: str = ""  # the operation that is written now
    thorough: bool = False  # whether LLVM's passes over loops pay
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def link(self, name: str, library: ctypes.CDLL, symbol: str) -> None:
        """Let functions call one of a library's by this name. Raises AttributeError if it has none."""
        address = ctypes.cast(getattr(library, symbol), ctypes.c_void_p).value
        assert address is not None
        self.symbols[name] = address

    def declare(self, name: str, signature: str) -> None:
        """Declare ``result (parameters)`` under that name."""
        result, _, parameters = signature.partition(" (")
        self.declared[name] = f"declare {result} @{name}({parameters}"

    def constant(self, payload: bytes) -> str:
        """Bytes in memory; returns a pointer to them."""
        name = f"@data.{next(self.numbers)}"
        text = "".join(f"\\{b:02x}" for b in payload)
        self.data.append(f'{name} = private unnamed_addr constant [{len(payload)} x i8] c"{text}", align 64')
        return name

    def zeros(self, size: int) -> str:
        """So many zero bytes in memory."""
        name = f"@data.{next(self.numbers)}"
        self.data.append(f"{name} = private unnamed_addr constant [{size} x i8] zeroinitializer, align 64")
        return name

    def __str__(self) -> str:
        return "\n".join([*self.data, *self.declared.values(), *self.functions])


class Patience(Protocol):
    """What sees to it that a function which runs for long can be interrupted."""

    def spend(self, amount: str) -> None: ...

    def check(self) -> str: ...


class Code:
    """The body of a function in the making. Values are the texts that name them: ``%v7``, ``3``, ``0x400...``."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.lines: list[str] = []
        self.slots: list[str] = []
        self.patience: Patience | None = None
        self.work = 0  # operations in an iteration of the innermost loop, as far as their number is known
        self.has_more = False  # whether there are others, that are spent and not asked for

    # Lines.

    def let(self, text: str) -> str:
        """Name the result of an instruction."""
        name = f"%v{next(self.module.numbers)}"
        self.lines.append(f"  {name} = {text}")
        return name

    def do(self, text: str) -> None:
        self.lines.append(f"  {text}")

    def label(self, stem: str) -> str:
        return f"{stem}.{next(self.module.numbers)}"

    def block(self, label: str) -> None:
        """Begin a block; falls through from the one before."""
        self.jump(label)
        self.enter(label)

    def enter(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def jump(self, label: str) -> None:
        self.do(f"br label %{label}")

    def fork(self, test: str, then: str, orelse: str) -> None:
        self.do(f"br i1 {test}, label %{then}, label %{orelse}")

    def require(self, test: str) -> None:
        """End the run unless the test holds."""
        if test != "true":
            good = self.label("good")
            self.fork(test, good, "fail")
            self.enter(good)

    # Notes.

    def about(self, what: str) -> None:
        """Say for what operation the next lines are."""
        self.module.about = what
        if self.module.noted:
            self.do(f"; in {what}")

    def given(self, pointer: str, size: str, writable: bool = False) -> None:
        """Say, where the function begins, that it may use memory of so many bytes."""
        if self.module.noted:
            self.do(f"; memory {pointer} {size} {int(writable)}")

    # Memory.

    def slot(self, type_: str, count: int = 1) -> str:
        """A place on the stack."""
        name = f"%s{next(self.module.numbers)}"
        self.slots.append(f"  {name} = alloca {type_}, i32 {count}, align 8")
        return name

    def load(self, type_: str, pointer: str) -> str:
        return self.let(f"load {type_}, ptr {pointer}{_how_aligned(type_)}")

    def store(self, type_: str, value: str, pointer: str) -> None:
        self.do(f"store {type_} {value}, ptr {pointer}{_how_aligned(type_)}")

    # Vectors.

    def splat(self, kind: str, text: str, lanes: int) -> str:
        """A vector with a number in all lanes."""
        type_ = vector(kind, lanes)
        first = self.let(f"insertelement {type_} poison, {kind} {text}, i64 0")
        return self.let(f"shufflevector {type_} {first}, {type_} poison, {vector('i32', lanes)} zeroinitializer")

    def load_vector(self, type_: str, pointer: str) -> str:
        """A vector from where its numbers begin, wherever that is."""
        return self.let(f"load {type_}, ptr {pointer}{_how_aligned(type_)}")

    def store_vector(self, type_: str, value: str, pointer: str) -> None:
        self.do(f"store {type_} {value}, ptr {pointer}{_how_aligned(type_)}")

    # Addresses.

    def at(self, type_: str, pointer: str, index: str) -> str:
        """The address of an element."""
        if index == "0":
            return pointer
        return self.let(f"getelementptr inbounds {type_}, ptr {pointer}, i64 {index}")

    def field(self, pointer: str, index: int | str) -> str:
        """The address of a 64-bit word."""
        return self.at("i64", pointer, str(index))

    def opaque(self, pointer: str) -> str:
        """The same address, of which LLVM does not know how it was computed.

        In loops around loops it would look long for better ways to compute it, and find none.
        """
        slot = self.slot("ptr")
        self.do(f"store volatile ptr {pointer}, ptr {slot}")
        return self.let(f"load volatile ptr, ptr {slot}")

    # Integers of 64 bits.

    def add(self, a: str, b: str) -> str:
        if is_literal(a) and is_literal(b):
            return wrapped(int(a) + int(b))
        if "0" in (a, b):
            return a if b == "0" else b
        return self.let(f"add nsw i64 {a}, {b}")

    def sub(self, a: str, b: str) -> str:
        if is_literal(a) and is_literal(b):
            return wrapped(int(a) - int(b))
        return a if b == "0" else self.let(f"sub nsw i64 {a}, {b}")

    def mul(self, a: str, b: str) -> str:
        if is_literal(a) and is_literal(b):
            return wrapped(int(a) * int(b))
        if "0" in (a, b):
            return "0"
        if "1" in (a, b):
            return a if b == "1" else b
        return self.let(f"mul nsw i64 {a}, {b}")

    def product(self, dims: Sequence[str]) -> str:
        total = "1"
        for d in dims:
            total = self.mul(total, d)
        return total

    def offset(self, indices: Sequence[str], strides: Sequence[str]) -> str:
        """The distance of an element from the first."""
        total = "0"
        for index, stride in zip(indices, strides):
            total = self.add(total, self.mul(index, stride))
        return total

    def from_front(self, index: str, size: str) -> str:
        """An index of which those below zero count from the end; one that lies outside stays outside."""
        below = self.compare("slt", index, "0")
        return self.choose(below, self.let(f"add i64 {index}, {size}") if below != "false" else index, index)

    def divide(self, a: str, b: str) -> str:
        """a / b of numbers that are not negative."""
        if is_literal(a) and is_literal(b) and int(b):
            return str(int(a) // int(b))
        return a if b == "1" else self.let(f"sdiv i64 {a}, {b}")

    def rest(self, a: str, b: str) -> str:
        """a % b of numbers that are not negative."""
        if is_literal(a) and is_literal(b) and int(b):
            return str(int(a) % int(b))
        return "0" if b == "1" else self.let(f"srem i64 {a}, {b}")

    def least(self, a: str, b: str) -> str:
        if is_literal(a) and is_literal(b):
            return str(min(int(a), int(b)))
        return self.call("llvm.smin.i64", "i64", [("i64", a), ("i64", b)])

    def most(self, a: str, b: str) -> str:
        if is_literal(a) and is_literal(b):
            return str(max(int(a), int(b)))
        return self.call("llvm.smax.i64", "i64", [("i64", a), ("i64", b)])

    def choose(self, test: str, a: str, b: str, type_: str = "i64") -> str:
        if test in ("true", "false"):
            return a if test == "true" else b
        return a if a == b else self.let(f"select i1 {test}, {type_} {a}, {type_} {b}")

    def compare(self, how: str, a: str, b: str) -> str:
        """``eq``, ``slt`` … of two integers."""
        if is_literal(a) and is_literal(b):
            x, y = int(a), int(b)
            known = {"eq": x == y, "ne": x != y, "slt": x < y, "sle": x <= y, "sgt": x > y, "sge": x >= y}
            return "true" if known[how] else "false"
        return self.let(f"icmp {how} i64 {a}, {b}")

    def both(self, a: str, b: str) -> str:
        if "false" in (a, b):
            return "false"
        if "true" in (a, b):
            return a if b == "true" else b
        return self.let(f"and i1 {a}, {b}")

    def either(self, a: str, b: str) -> str:
        if "true" in (a, b):
            return "true"
        if "false" in (a, b):
            return a if b == "false" else b
        return self.let(f"or i1 {a}, {b}")

    # Calls.

    def call(self, name: str, result: str, arguments: list[tuple[str, str]]) -> str:
        """Call a function; declares it."""
        self.module.declare(name, f"{result} ({', '.join(t for t, _ in arguments)})")
        given = ", ".join(f"{t} {v}" for t, v in arguments)
        if result != "void":
            return self.let(f"call {result} @{name}({given})")
        self.do(f"call void @{name}({given})")
        return ""

    # Control.

    @contextmanager
    def loop(self, count: str, start: str = "0", step: int = 1, brief: bool = False) -> Iterator[str]:
        """``for i in range(start, count, step)``, which is known to be `brief` or may run for long."""
        if is_literal(start) and is_literal(count) and 0 < int(count) - int(start) <= step:
            yield start
            return
        head, body, done = self.label("head"), self.label("body"), self.label("done")
        counter = self.slot("i64")
        self.store("i64", start, counter)
        outer, self.work, self.has_more, mark = (self.work, self.has_more), 0, False, len(self.lines)
        self.block(head)
        index = self.load("i64", counter)
        test = len(self.lines)
        going = self.let(f"icmp slt i64 {index}, {count}")
        self.fork(going, body, done)
        self.enter(body)
        yield index
        self.store("i64", self.let(f"add nuw nsw i64 {index}, {step}"), counter)
        self.jump(head)
        known = is_literal(start) and is_literal(count)
        times = max(0, -(-(int(count) - int(start)) // step)) if known else 0
        work, strip, has_more = self.work + 1, self.strip(), self.has_more
        self.work, self.has_more = outer
        if self.patience is None or brief or (known and times * work <= BRIEF and not has_more):
            self.work += times * work
            self.enter(done)
            return
        lines = self.lines[mark:]
        del self.lines[mark:]
        over, end = self.patience.check(), self.label("strip")
        first = self.load("i64", counter)
        stop = self.least(self.let(f"add i64 {first}, {step * strip}"), count)
        self.patience.spend(self.mul(self.sub(stop, first), str(max(1, work // step))))
        test -= mark
        lines[test : test + 2] = [
            f"  {going} = icmp slt i64 {index}, {stop}",
            f"  br i1 {going}, label %{body}, label %{end}",
        ]
        self.lines += lines
        self.enter(end)
        self.fork(self.compare("slt", self.load("i64", counter), count), over, done)
        self.enter(done)

    def strip(self) -> int:
        """How many iterations of the innermost loop to run without asking for signals."""
        return 1 if self.has_more else max(1, min(STRIP, ALLOWANCE // (self.work + 1)))

    def spend(self, amount: str, share: int = 1) -> None:
        """Say that work is done here that no loop tells of: so many operations, or as many for each `share` of them."""
        if is_literal(amount):
            self.work += int(amount) // share
        elif self.patience is not None:
            self.has_more = True
            self.patience.spend(self.let(f"udiv i64 {amount}, {share}") if share > 1 else amount)

    def _cut(self) -> None:
        """Cut long blocks, for which LLVM takes time that grows with the square of their length.

        What it cannot see through keeps it from joining them again: a test of memory that anybody might have written.
        """
        place = self.slot("i64")
        lines, self.lines, length = self.lines, [], 0
        self.do(f"store volatile i64 0, ptr {place}")
        for line in lines:
            length = 0 if line.endswith(":") else length + 1
            if length > _BLOCK and not line.startswith(_ENDS):
                odd, even = self.label("odd"), self.label("even")
                found = self.let(f"load volatile i64, ptr {place}")
                self.fork(self.let(f"icmp eq i64 {found}, 0"), even, odd)
                self.enter(odd)
                self.do(f"store volatile i64 0, ptr {place}")
                self.jump(even)
                self.enter(even)
                length = 0
            self.lines.append(line)

    def finish(self, signature: str, attributes: str = "") -> None:
        """Add the function to its module."""
        if len(self.lines) > _LONG:
            self._cut()
        text = [
            f'define {signature} {attributes} "prefer-vector-width"="512" {{',
            "entry:",
            *self.slots,
            *([f"  ; in {self.module.about}"] if self.module.noted else []),
            *self.lines,
            "}",
        ]
        self.module.functions.append("\n".join(text))
