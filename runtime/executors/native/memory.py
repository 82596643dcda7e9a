"""Memory inside native code: blocks that are linked, so that nothing is lost when a run fails, and reused by size.

The context of a run is an array of words: the list of live blocks, how far the stack goes, whether memory has run
short, how many calls may be made until one asks for signals, the blocks to reuse, and what `interrupts` keeps there. A
block has a header of 64 bytes before it: the next and the previous block, what `malloc` gave, and the size.

Some large blocks outlive their run, for the next one of whoever comes: what goes back to the system in between comes
from there page by page, and cleared, which takes longer than much of what is computed in it.
"""

from __future__ import annotations

from collections.abc import Callable

from runtime.executors.native import checked, stack
from runtime.executors.native.code import Code, Module
from runtime.executors.native.machine import once_for_all

_BINS = 8
_LIST, _LOWEST, _SHORT, _CALLS_LEFT, _FIRST_BIN = 0, 1, 2, 3, 4
_LAST_BIN = _FIRST_BIN + _BINS
LEFT, ASKED, STOP = _LAST_BIN, _LAST_BIN + 1, _LAST_BIN + 2
WORDS = STOP + 1
_ALLOCATION = 50  # operations that take as long
_COPIED = 32  # bytes that are copied in the time of an operation
_CALLS = 1 << 15  # from one look at the clock to the next

# Blocks of such sizes are kept from one run to the next: so many of them, and so many bytes together.
_LEAST, _MOST, _PLACES, _TOGETHER = 128 * 1024, 32 * 1024 * 1024, 16, 64 * 1024 * 1024

# Blocks up to this size there always are: where there is no more memory, all are the same one, and the run fails in the
# end. To ask after each whether it was made would cost more than making it.
ALWAYS = 64 * 1024
_LAST = "getelementptr (i8, ptr @short, i64 64)"

_RUNTIME = f"""{checked.RUNTIME if checked.ON else ""}
declare ptr @malloc(i64)
declare void @free(ptr)
@kept = internal global [{_PLACES} x ptr] zeroinitializer, align 64
@kept.bytes = internal global i64 0
@short = internal global [{ALWAYS + 128} x i8] zeroinitializer, align 64

define ptr @block.new(ptr %ctx, i64 %bytes) {{
entry:
  %padded = add i64 %bytes, 127
  %size = and i64 %padded, -64
  %shifted = lshr i64 %size, 6
  %hash = and i64 %shifted, {_BINS - 1}
  %number = add i64 %hash, {_FIRST_BIN}
  %bin = getelementptr i64, ptr %ctx, i64 %number
  %kept = load ptr, ptr %bin
  %empty = icmp eq ptr %kept, null
  br i1 {"true" if checked.ON else "%empty"}, label %fresh, label %look
look:
  %sizeat = getelementptr i8, ptr %kept, i64 -40
  %itssize = load i64, ptr %sizeat
  %fits = icmp eq i64 %itssize, %size
  br i1 %fits, label %take, label %fresh
take:
  store ptr null, ptr %bin
  br label %link
fresh:
  %over = sub i64 %size, {_LEAST}
  %large = icmp ule i64 %over, {_MOST - _LEAST}
  br i1 {"false" if checked.ON else "%large"}, label %search, label %get
search:
  %found = call ptr @block.kept(i64 %size)
  %absent = icmp eq ptr %found, null
  br i1 %absent, label %get, label %link
get:
  %more = add i64 %size, 128
  %raw1 = call ptr @malloc(i64 %more)
  %failed1 = icmp eq ptr %raw1, null
  br i1 %failed1, label %again, label %made
again:
  call void @block.forget()
  %raw2 = call ptr @malloc(i64 %more)
  %failed2 = icmp eq ptr %raw2, null
  br i1 %failed2, label %nothing, label %made
nothing:
  %small = icmp ule i64 %bytes, {ALWAYS}
  br i1 %small, label %short, label %none
short:
  %shortat = getelementptr i64, ptr %ctx, i64 {_SHORT}
  store i64 1, ptr %shortat
  ret ptr {_LAST}
none:
  ret ptr null
made:
  %raw = phi ptr [ %raw1, %get ], [ %raw2, %again ]
  %address = ptrtoint ptr %raw to i64
  %after = add i64 %address, 127
  %aligned = and i64 %after, -64
  %new = inttoptr i64 %aligned to ptr
  %rawat = getelementptr i8, ptr %new, i64 -48
  store ptr %raw, ptr %rawat
  %newsize = getelementptr i8, ptr %new, i64 -40
  store i64 %size, ptr %newsize
  {"call void @block.opened(ptr %new, i64 %bytes)" if checked.ON else ""}
  br label %link
link:
  %block = phi ptr [ %kept, %take ], [ %found, %search ], [ %new, %made ]
  %first = load ptr, ptr %ctx
  %nextat = getelementptr i8, ptr %block, i64 -64
  store ptr %first, ptr %nextat
  %prevat = getelementptr i8, ptr %block, i64 -56
  store ptr null, ptr %prevat
  store ptr %block, ptr %ctx
  %alone = icmp eq ptr %first, null
  br i1 %alone, label %done, label %back
back:
  %firstprev = getelementptr i8, ptr %first, i64 -56
  store ptr %block, ptr %firstprev
  br label %done
done:
  ret ptr %block
}}

define ptr @block.unlink(ptr %ctx, ptr %block) {{
entry:
  %last = icmp eq ptr %block, {_LAST}
  br i1 %last, label %done, label %linked
linked:
  {"call void @block.closed(ptr %block)" if checked.ON else ""}
  %nextat = getelementptr i8, ptr %block, i64 -64
  %next = load ptr, ptr %nextat
  %prevat = getelementptr i8, ptr %block, i64 -56
  %prev = load ptr, ptr %prevat
  %isfirst = icmp eq ptr %prev, null
  br i1 %isfirst, label %first, label %inner
first:
  store ptr %next, ptr %ctx
  br label %other
inner:
  %prevnext = getelementptr i8, ptr %prev, i64 -64
  store ptr %next, ptr %prevnext
  br label %other
other:
  %islast = icmp eq ptr %next, null
  br i1 %islast, label %done, label %fix
fix:
  %nextprev = getelementptr i8, ptr %next, i64 -56
  store ptr %prev, ptr %nextprev
  br label %done
done:
  %rawat = getelementptr i8, ptr %block, i64 -48
  %raw = load ptr, ptr %rawat
  ret ptr %raw
}}

define internal void @block.free(ptr %block) {{
entry:
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %some
some:
  %sizeat = getelementptr i8, ptr %block, i64 -40
  %size = load i64, ptr %sizeat
  %over = sub i64 %size, {_LEAST}
  %large = icmp ule i64 %over, {_MOST - _LEAST}
  br i1 {"false" if checked.ON else "%large"}, label %keep, label %free
keep:
  %before = atomicrmw add ptr @kept.bytes, i64 %size monotonic
  %after = add i64 %before, %size
  %much = icmp ugt i64 %after, {_TOGETHER}
  br i1 %much, label %room, label %head
room:
  call void @block.forget()
  br label %head
head:
  %i = phi i64 [ 0, %keep ], [ 0, %room ], [ %j, %next ]
  %place = getelementptr ptr, ptr @kept, i64 %i
  %swapped = cmpxchg ptr %place, ptr null, ptr %block acq_rel monotonic
  %put = extractvalue {{ ptr, i1 }} %swapped, 1
  br i1 %put, label %done, label %next
next:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, {_PLACES}
  br i1 %more, label %head, label %full
full:
  call void @block.discard(ptr %block)
  call void @block.forget()
  br label %done
free:
  call void @block.give(ptr %block)
  br label %done
done:
  ret void
}}

define internal void @block.give(ptr %block) {{ ; back to the system
entry:
  %rawat = getelementptr i8, ptr %block, i64 -48
  %raw = load ptr, ptr %rawat
  call void @free(ptr %raw)
  ret void
}}

define internal void @block.discard(ptr %block) {{ ; one that counts among those that are kept
entry:
  %sizeat = getelementptr i8, ptr %block, i64 -40
  %size = load i64, ptr %sizeat
  %less = atomicrmw sub ptr @kept.bytes, i64 %size monotonic
  call void @block.give(ptr %block)
  ret void
}}

define internal ptr @block.kept(i64 %size) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %place = getelementptr ptr, ptr @kept, i64 %i
  %there = load atomic ptr, ptr %place monotonic, align 8
  %empty = icmp eq ptr %there, null
  br i1 %empty, label %next, label %claim
claim: ; nobody else looks into it meanwhile
  %block = atomicrmw xchg ptr %place, ptr null acq_rel
  %gone = icmp eq ptr %block, null
  br i1 %gone, label %next, label %look
look:
  %sizeat = getelementptr i8, ptr %block, i64 -40
  %itssize = load i64, ptr %sizeat
  %fits = icmp eq i64 %itssize, %size
  br i1 %fits, label %take, label %back
take:
  %less = atomicrmw sub ptr @kept.bytes, i64 %size monotonic
  ret ptr %block
back:
  %swapped = cmpxchg ptr %place, ptr null, ptr %block acq_rel monotonic
  %put = extractvalue {{ ptr, i1 }} %swapped, 1
  br i1 %put, label %next, label %lost
lost:
  call void @block.discard(ptr %block)
  br label %next
next:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, {_PLACES}
  br i1 %more, label %head, label %none
none:
  ret ptr null
}}

define internal void @block.forget() {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %j, %next ]
  %place = getelementptr ptr, ptr @kept, i64 %i
  %block = atomicrmw xchg ptr %place, ptr null acq_rel
  %empty = icmp eq ptr %block, null
  br i1 %empty, label %next, label %free
free:
  call void @block.discard(ptr %block)
  br label %next
next:
  %j = add i64 %i, 1
  %more = icmp ult i64 %j, {_PLACES}
  br i1 %more, label %head, label %done
done:
  ret void
}}

define void @block.end(ptr %ctx, ptr %block) {{
entry:
  %null = icmp eq ptr %block, null
  %last = icmp eq ptr %block, {_LAST}
  %none = or i1 %null, %last
  br i1 %none, label %done, label %some
some:
  %raw = call ptr @block.unlink(ptr %ctx, ptr %block)
  {"call void @block.ended(ptr %block)" if checked.ON else ""}
  %sizeat = getelementptr i8, ptr %block, i64 -40
  %size = load i64, ptr %sizeat
  %shifted = lshr i64 %size, 6
  %hash = and i64 %shifted, {_BINS - 1}
  %number = add i64 %hash, {_FIRST_BIN}
  %bin = getelementptr i64, ptr %ctx, i64 %number
  %kept = load ptr, ptr %bin
  store ptr %block, ptr %bin
  call void @block.free(ptr %kept)
  br label %done
done:
  ret void
}}

define void @block.all(ptr %ctx) {{
entry:
  br label %head
head:
  %block = load ptr, ptr %ctx
  %none = icmp eq ptr %block, null
  br i1 %none, label %bins, label %body
body:
  %raw = call ptr @block.unlink(ptr %ctx, ptr %block)
  call void @block.free(ptr %block)
  br label %head
bins:
  %i = phi i64 [ {_FIRST_BIN}, %head ], [ %j, %bins ]
  %bin = getelementptr i64, ptr %ctx, i64 %i
  %kept = load ptr, ptr %bin
  call void @block.free(ptr %kept)
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, {_LAST_BIN}
  br i1 %more, label %bins, label %done
done:
  ret void
}}
"""


def new_context(code: Code) -> str:
    """The context of a run, on the stack of the function that begins it."""
    return code.slot("i64", WORDS)


def begin(code: Code, context: str) -> None:
    """Have the context ready when the function begins, if anything uses it; called when the function is written."""
    if is_used(code.module):
        code.module.declare("llvm.memset.p0.i64", "void (ptr, i8, i64, i1)")
        lines = [f"  call void @llvm.memset.p0.i64(ptr {context}, i8 0, i64 {8 * WORDS}, i1 false)"]
        if _has_calls(code.module):
            place = f"%lowest = getelementptr inbounds i64, ptr {context}, i64 {_LOWEST}"
            lines += [stack.limit(code.module), f"  {place}", "  store i64 %limit, ptr %lowest"]
            place = f"%calls = getelementptr inbounds i64, ptr {context}, i64 {_CALLS_LEFT}"
            lines += [f"  {place}", f"  store i64 {_CALLS}, ptr %calls"]
        code.lines[:0] = lines


def is_used(module: Module) -> bool:
    """Whether there is a block of memory, a call, or a loop that asks for signals, so that the context matters."""
    shared = _has_blocks(module) or "interrupted" in module.symbols
    return shared or any("%ctx" in text for text in module.functions)


def _has_calls(module: Module) -> bool:
    return any(" @call." in text for text in module.functions)


def _has_blocks(module: Module) -> bool:
    return "block.new" in module.symbols


_FUNCTIONS = {
    "block.new": "noalias ptr (ptr, i64)", "block.end": "void (ptr, ptr)", "block.all": "void (ptr)",
    "block.unlink": "ptr (ptr, ptr)", **(checked.FUNCTIONS if checked.ON else {}),
}  # fmt: skip


def use(module: Module) -> None:
    """Let a module call what manages blocks."""
    if not _has_blocks(module):
        once_for_all(module, _FUNCTIONS, lambda shared: shared.functions.append(_RUNTIME))


def allocate(code: Code, context: str, size: str) -> str:
    """A block of so many bytes; null if there is no memory left."""
    use(code.module)
    code.spend(str(_ALLOCATION))
    return code.let(f"call ptr @block.new(ptr {context}, i64 {size})")


def release(code: Code, context: str, block: str) -> None:
    """Give a block back; nothing happens to null."""
    if block != "null" and _has_blocks(code.module):
        code.do(f"call void @block.end(ptr {context}, ptr {block})")


def sufficed(code: Code, context: str) -> str:
    """Whether there was memory for all small blocks."""
    if not _has_blocks(code.module):
        return "true"
    return code.compare("eq", code.load("i64", code.field(context, _SHORT)), "0")


def release_all(code: Code, context: str) -> None:
    if _has_blocks(code.module):
        code.do(f"call void @block.all(ptr {context})")


def unlink(code: Code, context: str, block: str) -> str:
    """Take a block out of the context's care: it goes to the caller, who frees what `malloc` gave, and this returns."""
    return code.let(f"call ptr @block.unlink(ptr {context}, ptr {block})")


def lowest(code: Code, context: str) -> str:
    """The lowest address of the stack that calls may reach."""
    return code.load("i64", code.field(context, _LOWEST))


def enter_call(code: Code, context: str, ask: Callable[[], str]) -> None:
    """Where a function that may call itself begins: after many calls it fails if `ask` says so."""
    many, called = code.label("many"), code.label("called")
    place = code.field(context, _CALLS_LEFT)
    left = code.sub(code.load("i64", place), "1")
    code.store("i64", left, place)
    code.fork(code.compare("slt", left, "0"), many, called)
    code.enter(many)
    code.store("i64", str(_CALLS), place)
    code.fork(ask(), "fail", called)
    code.enter(called)


def copy(code: Code, target: str, source: str, size: str) -> None:
    code.module.declare("llvm.memcpy.p0.p0.i64", "void (ptr, ptr, i64, i1)")
    code.spend(size, _COPIED)
    code.do(f"call void @llvm.memcpy.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def move(code: Code, target: str, source: str, size: str) -> None:
    """Copy between places that may overlap."""
    code.module.declare("llvm.memmove.p0.p0.i64", "void (ptr, ptr, i64, i1)")
    code.spend(size, _COPIED)
    code.do(f"call void @llvm.memmove.p0.p0.i64(ptr {target}, ptr {source}, i64 {size}, i1 false)")


def clear(code: Code, target: str, size: str) -> None:
    code.module.declare("llvm.memset.p0.i64", "void (ptr, i8, i64, i1)")
    code.spend(size, _COPIED)
    code.do(f"call void @llvm.memset.p0.i64(ptr {target}, i8 0, i64 {size}, i1 false)")
