"""Checked mode, for tests: native code that looks at every access to memory before it happens.

With ``AUTOGRAPH_NATIVE_CHECKED=1`` in the environment the text of a module is rewritten before it is compiled. All
memory that is alive is kept in a table: blocks, what Python has given, constants, places on the stack; reading or
writing anything else (or writing what is only to be read), a size or an offset that overflows, and a changed byte
around a block end the process with the operation that did it. It never falls back to NumPy.

New memory is filled with one pattern, memory that has ended with another; nothing is used a second time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from runtime.executors.native.code import Module

ON = os.environ.get("AUTOGRAPH_NATIVE_CHECKED", "0") not in ("", "0")

_ENTRIES = 2**18  # of the table: the start, the end, whether it may be written; of an unused one the next such
_GUARD, _FRESH, _ENDED = 0xFD, 0xCB, 0xDD  # bytes around blocks, of new ones, and of those that have ended
_AFTER, _BEFORE = 64, 24  # guarding bytes

FUNCTIONS = {
    "check.open": "i64 (ptr, i64, i64)", "check.close": "void (i64)", "check.access": "void (ptr, i64, i64, ptr)",
    "check.matrix": "void (ptr, i64, i64, i64, i64, i64, ptr)", "check.apart": "void (ptr, ptr, i64, ptr)",
    "check.overflow": "void (i1, ptr)",
}  # fmt: skip

_MESSAGES = {
    "outside": "native code, checked: %s of %ld bytes at %p, which is in no memory that is alive, or may be written\n",
    "near": "  that is byte %ld of memory of %ld bytes (which may be written: %ld)\n",
    "overflow": "native code, checked: 64 bits do not hold the integers of %s\n",
    "same": "native code, checked: %s between places that overlap\n",
    "guard": "native code, checked: something has written just before or after a block of %ld bytes\n",
}


def _constant(name: str, text: str) -> str:
    """The line that defines a text."""
    shown = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02x}" for b in text.encode())
    return f'{name} = private constant [{len(text.encode()) + 1} x i8] c"{shown}\\00"'


RUNTIME = (
    "\n".join(_constant(f"@text.{name}", text) for name, text in _MESSAGES.items())
    + f"""
@table = internal global [{_ENTRIES} x [4 x i64]] zeroinitializer
@high = internal global i64 0
@unused = internal global i64 0
@lock = internal global i32 0
declare i32 @dprintf(i32, ptr, ...)
declare void @abort()
declare i32 @sched_yield()
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal void @acquire() {{
entry:
  br label %try
try:
  %before = atomicrmw xchg ptr @lock, i32 1 acquire
  %got = icmp eq i32 %before, 0
  br i1 %got, label %done, label %wait
wait:
  %slept = call i32 @sched_yield()
  br label %try
done:
  ret void
}}

define i64 @check.open(ptr %p, i64 %bytes, i64 %rights) {{
entry:
  %none = icmp sle i64 %bytes, 0
  br i1 %none, label %nothing, label %some
nothing:
  ret i64 -1
some:
  call void @acquire()
  %head = load i64, ptr @unused
  %fresh = icmp eq i64 %head, 0
  br i1 %fresh, label %new, label %old
new:
  %high = load i64, ptr @high
  %higher = add i64 %high, 1
  store i64 %higher, ptr @high
  %full = icmp uge i64 %higher, {_ENTRIES}
  br i1 %full, label %many, label %have
many:
  call void @abort()
  unreachable
old:
  %free = sub i64 %head, 1
  %freeat = getelementptr [4 x i64], ptr @table, i64 %free
  %nextat = getelementptr i64, ptr %freeat, i64 3
  %next = load i64, ptr %nextat
  store i64 %next, ptr @unused
  br label %have
have:
  %i = phi i64 [ %high, %new ], [ %free, %old ]
  %entry.at = getelementptr [4 x i64], ptr @table, i64 %i
  %start = ptrtoint ptr %p to i64
  %end = add i64 %start, %bytes
  %endat = getelementptr i64, ptr %entry.at, i64 1
  %rightsat = getelementptr i64, ptr %entry.at, i64 2
  store i64 %start, ptr %entry.at
  store i64 %rights, ptr %rightsat
  store atomic i64 %end, ptr %endat release, align 8
  store atomic i32 0, ptr @lock release, align 4
  ret i64 %i
}}

define void @check.close(i64 %i) {{
entry:
  %none = icmp slt i64 %i, 0
  br i1 %none, label %done, label %some
some:
  call void @acquire()
  %at = getelementptr [4 x i64], ptr @table, i64 %i
  %endat = getelementptr i64, ptr %at, i64 1
  %nextat = getelementptr i64, ptr %at, i64 3
  store i64 0, ptr %endat
  %head = load i64, ptr @unused
  store i64 %head, ptr %nextat
  %me = add i64 %i, 1
  store i64 %me, ptr @unused
  store atomic i32 0, ptr @lock release, align 4
  br label %done
done:
  ret void
}}

define internal i1 @covers(i64 %i, i64 %a, i64 %b, i64 %rights) {{
entry:
  %at = getelementptr [4 x i64], ptr @table, i64 %i
  %endat = getelementptr i64, ptr %at, i64 1
  %rightsat = getelementptr i64, ptr %at, i64 2
  %start = load i64, ptr %at
  %end = load i64, ptr %endat
  %has = load i64, ptr %rightsat
  %low = icmp uge i64 %a, %start
  %high = icmp ule i64 %b, %end
  %may = icmp uge i64 %has, %rights
  %inside = and i1 %low, %high
  %ok = and i1 %inside, %may
  ret i1 %ok
}}

define void @check.access(ptr %p, i64 %n, i64 %rights, ptr %site) {{
entry:
  %nothing = icmp eq i64 %n, 0
  br i1 %nothing, label %done, label %some
some:
  %a = ptrtoint ptr %p to i64
  %b = add i64 %a, %n
  %forward = icmp ugt i64 %b, %a
  br i1 %forward, label %look, label %bad
look:
  %last = load i64, ptr %site
  %still = call i1 @covers(i64 %last, i64 %a, i64 %b, i64 %rights)
  br i1 %still, label %done, label %search
search:
  %high = load i64, ptr @high
  br label %next
next:
  %i = phi i64 [ 0, %search ], [ %j, %more ]
  %left = icmp ult i64 %i, %high
  br i1 %left, label %try, label %bad
try:
  %found = call i1 @covers(i64 %i, i64 %a, i64 %b, i64 %rights)
  br i1 %found, label %keep, label %more
more:
  %j = add i64 %i, 1
  br label %next
keep:
  store i64 %i, ptr %site
  br label %done
bad:
  call void @outside(ptr %p, i64 %n, ptr %site)
  unreachable
done:
  ret void
}}

define internal void @outside(ptr %p, i64 %n, ptr %site) noreturn {{
entry:
  %textat = getelementptr i64, ptr %site, i64 1
  %text = load ptr, ptr %textat
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.outside, ptr %text, i64 %n, ptr %p)
  %a = ptrtoint ptr %p to i64
  %high = load i64, ptr @high
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %skip ]
  %left = icmp ult i64 %i, %high
  br i1 %left, label %try, label %end
try:
  %at = getelementptr [4 x i64], ptr @table, i64 %i
  %endat = getelementptr i64, ptr %at, i64 1
  %rightsat = getelementptr i64, ptr %at, i64 2
  %start = load i64, ptr %at
  %stop = load i64, ptr %endat
  %has = load i64, ptr %rightsat
  %from = sub i64 %start, 256
  %to = add i64 %stop, 256
  %low = icmp uge i64 %a, %from
  %below = icmp ult i64 %a, %to
  %near = and i1 %low, %below
  br i1 %near, label %tell, label %skip
tell:
  %offset = sub i64 %a, %start
  %size = sub i64 %stop, %start
  %told = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.near, i64 %offset, i64 %size, i64 %has)
  br label %skip
skip:
  %j = add i64 %i, 1
  br label %next
end:
  call void @abort()
  unreachable
}}

define void @check.matrix(ptr %p, i64 %rows, i64 %columns, i64 %apart, i64 %size, i64 %rights, ptr %site) {{
entry:
  %norows = icmp sle i64 %rows, 0
  %nocolumns = icmp sle i64 %columns, 0
  %nothing = or i1 %norows, %nocolumns
  %before = sub i64 %rows, 1
  %upto = mul i64 %before, %apart
  %count = add i64 %upto, %columns
  %bytes = mul i64 %count, %size
  %n = select i1 %nothing, i64 0, i64 %bytes
  call void @check.access(ptr %p, i64 %n, i64 %rights, ptr %site)
  ret void
}}

define void @check.apart(ptr %p, ptr %q, i64 %n, ptr %site) {{
entry:
  %a = ptrtoint ptr %p to i64
  %b = ptrtoint ptr %q to i64
  %way = sub i64 %a, %b
  %back = sub i64 %b, %a
  %same = icmp eq i64 %a, %b
  %one = icmp uge i64 %way, %n
  %other = icmp uge i64 %back, %n
  %both = and i1 %one, %other
  %good = or i1 %both, %same
  br i1 %good, label %done, label %bad
bad:
  %textat = getelementptr i64, ptr %site, i64 1
  %text = load ptr, ptr %textat
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.same, ptr %text)
  call void @abort()
  unreachable
done:
  ret void
}}

define void @check.overflow(i1 %over, ptr %site) {{
entry:
  br i1 %over, label %bad, label %done
bad:
  %textat = getelementptr i64, ptr %site, i64 1
  %text = load ptr, ptr %textat
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.overflow, ptr %text)
  call void @abort()
  unreachable
done:
  ret void
}}

define internal void @block.opened(ptr %block, i64 %bytes) {{
entry:
  %before = getelementptr i8, ptr %block, i64 -{_BEFORE}
  call void @llvm.memset.p0.i64(ptr %before, i8 {_GUARD}, i64 {_BEFORE}, i1 false)
  call void @llvm.memset.p0.i64(ptr %block, i8 {_FRESH}, i64 %bytes, i1 false)
  %after = getelementptr i8, ptr %block, i64 %bytes
  call void @llvm.memset.p0.i64(ptr %after, i8 {_GUARD}, i64 {_AFTER}, i1 false)
  %exactat = getelementptr i8, ptr %block, i64 -40
  store i64 %bytes, ptr %exactat
  %number = call i64 @check.open(ptr %block, i64 %bytes, i64 1)
  %numberat = getelementptr i8, ptr %block, i64 -32
  store i64 %number, ptr %numberat
  ret void
}}

define internal void @block.closed(ptr %block) {{
entry:
  %bytesat = getelementptr i8, ptr %block, i64 -40
  %bytes = load i64, ptr %bytesat
  %before = getelementptr i8, ptr %block, i64 -{_BEFORE}
  %after = getelementptr i8, ptr %block, i64 %bytes
  call void @guarded(ptr %before, i64 {_BEFORE}, i64 %bytes)
  call void @guarded(ptr %after, i64 {_AFTER}, i64 %bytes)
  %numberat = getelementptr i8, ptr %block, i64 -32
  %number = load i64, ptr %numberat
  call void @check.close(i64 %number)
  ret void
}}

define internal void @block.ended(ptr %block) {{
entry:
  %bytesat = getelementptr i8, ptr %block, i64 -40
  %bytes = load i64, ptr %bytesat
  call void @llvm.memset.p0.i64(ptr %block, i8 {_ENDED}, i64 %bytes, i1 false)
  ret void
}}

define internal void @guarded(ptr %place, i64 %count, i64 %bytes) {{
entry:
  br label %next
next:
  %i = phi i64 [ 0, %entry ], [ %j, %good ]
  %at = getelementptr i8, ptr %place, i64 %i
  %byte = load i8, ptr %at
  %same = icmp eq i8 %byte, {_GUARD - 256}
  br i1 %same, label %good, label %bad
good:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, %count
  br i1 %more, label %next, label %done
bad:
  %said = call i32 (i32, ptr, ...) @dprintf(i32 2, ptr @text.guard, i64 %bytes)
  call void @abort()
  unreachable
done:
  ret void
}}
"""
)

_TYPE = r"(<\d+ x \w+>|\w+)"
_LOAD = re.compile(rf"  %[\w.]+ = load (?:volatile )?{_TYPE}, ptr ([^\s,]+)(?:, align \d+)?")
_STORE = re.compile(rf"  store (?:volatile )?{_TYPE} (.+), ptr ([^\s,]+)(?:, align \d+)?")
_MOVE = re.compile(r"  call void @llvm\.mem(cpy|move)\.[\w.]+\(ptr ([^\s,]+), ptr ([^\s,]+), i64 ([^\s,]+), .*")
_FILL = re.compile(r"  call void @llvm\.memset\.[\w.]+\(ptr ([^\s,]+), i8 \w+, i64 ([^\s,]+), .*")
_MASKED_LOAD = re.compile(r".* call <(\d+) x (\w+)> @llvm\.masked\.load\.\S+\(ptr ([^\s,]+), i32 \d+, (<.*?> \S+), .*")
_MASKED_STORE = re.compile(
    r"  call void @llvm\.masked\.store\.\S+\(<(\d+) x (\w+)> .+, ptr ([^\s,]+), i32 \d+, (<.*?> \S+)\)"
)
_GATHER = re.compile(r".* call <(\d+) x (\w+)> @llvm\.masked\.gather\.\S+\(<\d+ x ptr> ([^\s,]+), .*")
_PRODUCT = re.compile(r"  call void @\w*cblas_([sdcz])gemm\w*\((.*)\)")
_ARITHMETIC = re.compile(r"  (%[\w.]+) = (add|sub|mul) (?:nuw )?nsw i64 ([^\s,]+), (\S+)")
_SLOT = re.compile(r"  (%s\d+) = alloca (.+), i32 (\d+), align 8")
_NAME = re.compile(r"%s\d+\b")
_NOTE = re.compile(r"  ; (memory|in) (.*)")
_DATA = re.compile(r"(@data\.\d+) = .*?\[(\d+) x i8\].*")
_SIZES = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "float": 4, "i64": 8, "double": 8, "ptr": 8}


def _size(type_: str) -> int:
    if vector := re.fullmatch(r"<(\d+) x (\w+)>", type_):
        bits = 1 if vector[2] == "i1" else 8 * _SIZES[vector[2]]
        return -(-int(vector[1]) * bits // 8)
    return _SIZES[type_]


def instrument(module: Module) -> None:
    """Have the functions of a module check what they do; the module has to have what `FUNCTIONS` lists."""
    found = [m for text in module.data if (m := _DATA.fullmatch(text))]
    constants = [f"  ; memory {m[1]} {m[2]} 0" for m in found]
    module.functions = ["\n".join(_Function(module, text).lines(constants)) for text in module.functions]


@dataclass
class _Function:
    """A function in the making of its checked form."""

    module: Module
    text: str
    about: str = "native code"

    def lines(self, constants: Sequence[str]) -> Iterator[str]:
        head, entry, *rest = self.text.split("\n")
        slots = {m[1]: (m[2], int(m[3])) for line in rest if (m := _SLOT.fullmatch(line))}
        body = [line for line in rest if not _SLOT.fullmatch(line)]
        if " @core(" in head:
            body = [*constants, *body]
        seen = {name for line in body for name in self._shown(line)}
        sizes = {name: _size(type_) * count for name, (type_, count) in slots.items()}
        opened: list[str] = []
        yield from (head, entry)
        for name, (type_, count) in slots.items():
            if name not in seen:
                yield f"  {name} = alloca {type_}, i32 {count}, align 8"
                continue
            yield f"  {name}.all = alloca i8, i32 {sizes[name] + 2 * _AFTER}, align 64"
            yield f"  {name} = getelementptr i8, ptr {name}.all, i64 {_AFTER}"
            opened.append(f"{name}.open")
            yield f"  {name}.open = call i64 @check.open(ptr {name}, i64 {sizes[name]}, i64 1)"
        alone = {name: size for name, size in sizes.items() if name not in seen}
        for line in body:
            if note := _NOTE.fullmatch(line):
                if note[1] == "in":
                    self.about = note[2]
                    continue
                pointer, size, rights = note[2].split()
                opened.append(self._new())
                yield f"  {opened[-1]} = call i64 @check.open(ptr {pointer}, i64 {size}, i64 {rights})"
                continue
            if arithmetic := _ARITHMETIC.fullmatch(line):
                yield from self._overflow(*arithmetic.groups())
                continue
            if line.startswith("  ret "):
                yield from (f"  call void @check.close(i64 {number})" for number in opened)
            else:
                yield from self._accesses(line, alone)
            yield line

    @staticmethod
    def _shown(line: str) -> set[str]:
        """The places on the stack of which a line does more than read or write them as a whole."""
        names = _NAME.findall(line)
        if names and (m := _LOAD.fullmatch(line)) and m[2] in names:
            return set()
        if names and (m := _STORE.fullmatch(line)) and m[3] in names:
            return set(_NAME.findall(m[2]))
        return set(names)

    def _new(self) -> str:
        return f"%c{next(self.module.numbers)}"

    def _site(self, how: str) -> str:
        """What is known of a place in the code: where the table had its memory the last time, and what to say."""
        number = next(self.module.numbers)
        self.module.data += [
            _constant(f"@about.{number}", f"{how} in {self.about}"),
            f"@site.{number} = internal global {{ i64, ptr }} {{ i64 0, ptr @about.{number} }}",
        ]
        return f"ptr @site.{number}"

    def _access(self, how: str, pointer: str, size: str) -> str:
        rights = int(how == "a write")
        return f"  call void @check.access(ptr {pointer}, i64 {size}, i64 {rights}, {self._site(how)})"

    def _overflow(self, name: str, how: str, a: str, b: str) -> Iterator[str]:
        both, over, type_ = self._new(), self._new(), "{ i64, i1 }"
        self.module.declare(f"llvm.s{how}.with.overflow.i64", f"{type_} (i64, i64)")
        yield f"  {both} = call {type_} @llvm.s{how}.with.overflow.i64(i64 {a}, i64 {b})"
        yield f"  {over} = extractvalue {type_} {both}, 1"
        yield f"  call void @check.overflow(i1 {over}, {self._site(how)})"
        yield f"  {name} = extractvalue {type_} {both}, 0"

    def _accesses(self, line: str, alone: dict[str, int]) -> Iterator[str]:
        """The checks before a line."""
        if m := _LOAD.fullmatch(line):
            yield from self._plain("a read", m[2], _size(m[1]), alone)
        elif m := _STORE.fullmatch(line):
            yield from self._plain("a write", m[3], _size(m[1]), alone)
        elif m := _MOVE.fullmatch(line):
            yield self._access("a write", m[2], m[4])
            yield self._access("a read", m[3], m[4])
            if m[1] == "cpy":
                yield f"  call void @check.apart(ptr {m[2]}, ptr {m[3]}, i64 {m[4]}, {self._site('a copy')})"
        elif m := _FILL.fullmatch(line):
            yield self._access("a write", m[1], m[2])
        elif (m := _MASKED_LOAD.fullmatch(line)) or (m := _MASKED_STORE.fullmatch(line)):
            yield from self._masked("a read" if " = " in line else "a write", int(m[1]), *m.groups()[1:])
        elif m := _GATHER.fullmatch(line):
            for lane in range(int(m[1])):
                pointer = self._new()
                yield f"  {pointer} = extractelement <{m[1]} x ptr> {m[3]}, i64 {lane}"
                yield self._access("a read", pointer, str(_SIZES[m[2]]))
        elif m := _PRODUCT.fullmatch(line):
            yield from self._product(
                {"s": 4, "d": 8, "c": 8, "z": 16}[m[1]], [part.split() for part in m[2].split(", ")]
            )
        elif re.search(r"\b(load|store)\b|\.mem(cpy|move|set)\.|masked|gemm", line):
            raise AssertionError(f"an access that is not understood: {line}")

    def _plain(self, how: str, pointer: str, size: int, alone: dict[str, int]) -> Iterator[str]:
        if pointer in alone:
            assert size <= alone[pointer], f"{how} of {size} bytes on a stack place of {alone[pointer]} in {self.about}"
        elif not pointer.startswith("@blas."):
            yield self._access(how, pointer, str(size))

    def _masked(self, how: str, lanes: int, kind: str, pointer: str, mask: str) -> Iterator[str]:
        for lane in range(lanes):
            place, bit, wide, size = (self._new() for _ in range(4))
            yield f"  {place} = getelementptr {kind}, ptr {pointer}, i64 {lane}"
            yield f"  {bit} = extractelement {mask}, i64 {lane}"
            yield f"  {wide} = zext i1 {bit} to i64"
            yield f"  {size} = mul i64 {wide}, {_SIZES[kind]}"
            yield self._access(how, place, size)

    def _product(self, size: int, given: Sequence[Sequence[str]]) -> Iterator[str]:
        """Of a call of BLAS: the three matrices."""
        _, a_way, b_way, m, n, k, _, a, a_apart, b, b_apart, _, c, c_apart = (part[1] for part in given)
        if given[3][0] != "i64":
            return
        transposed = "112"
        sides = [
            (a, (k, m) if a_way == transposed else (m, k), a_apart, 0),
            (b, (n, k) if b_way == transposed else (k, n), b_apart, 0),
            (c, (m, n), c_apart, 1),
        ]
        for pointer, (rows, columns), apart, rights in sides:
            sizes = ", ".join(f"i64 {number}" for number in (rows, columns, apart, size, rights))
            yield f"  call void @check.matrix(ptr {pointer}, {sizes}, {self._site('a product of matrices')})"
