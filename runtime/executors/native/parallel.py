"""Work on several cores: a range is divided into pieces, which whoever is free takes one after the other.

The threads that help live as long as the process, and sleep while there is nothing to do. No core is theirs, and
nobody counts on them: the caller takes pieces like the others, waits for none that has not begun, and then for no more
than one piece of each that has. Where another caller has them, a caller does all by itself.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from runtime.executors.native import interrupts, memory
from runtime.executors.native.code import ALLOWANCE, Code, Module, is_literal
from runtime.executors.native.machine import once_for_all


def _cores() -> int:
    """The cores that this process may keep busy: those it may run on, or fewer if it gets less time than they have."""
    known = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, math.ceil(min(known, _quota(Path("/proc/self/cgroup"), Path("/sys/fs/cgroup")))))


def _quota(own: Path, root: Path) -> float:
    """The cores whose time a control group has, by the least of the groups around it; infinity if there is no limit."""
    found = math.inf
    try:
        lines = own.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return found
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "cpu" not in controllers.split(","):
            continue
        top = root if not controllers else root / "cpu"
        here = top / path.lstrip("/")
        for group in (here, *here.parents):
            found = min(found, _limit(group, bool(controllers)))
            if group == top:
                break
    return found


def _limit(group: Path, old: bool) -> float:
    try:
        if old:
            time, period = ((group / f"cpu.cfs_{name}_us").read_text() for name in ("quota", "period"))
        else:
            time, period = (group / "cpu.max").read_text().split()
        return int(time) / int(period) if time != "max" and int(time) > 0 else math.inf
    except (OSError, ValueError, ZeroDivisionError):
        return math.inf


THREADS = min(_cores(), 8)
WORTH = 200_000  # operations on elements that take as long as waking threads several times over
_PIECES = 8  # for each thread
_PATIENT = 300  # times that a caller looks whether the others are ready, before it sleeps

CACHE_LINE = 64  # bytes, and so as many elements as a cache line has at most

# The code, what it captures, the start and the end of its part, and the number of who does it.
Body = Callable[[Code, Sequence[str], str, str, str], None]


def pays(count: str, cost: int) -> bool:
    """Whether so many indices may be worth several threads; each costs so many operations."""
    few = is_literal(count) and int(count) < max(WORTH // max(cost, 1), 2)
    return THREADS > 1 and os.name == "posix" and not few


def divided(code: Code, count: str, cost: int, captured: Sequence[tuple[str, str]], body: Body, grain: int = 1) -> None:
    """Run `body` over ``range(count)``, on all cores if it is large; each index costs so many operations.

    `captured` are the values (types and texts) that the body uses. Pieces have a multiple of `grain` indices, all but
    the last. What a thread does has a number below `THREADS`, which nobody else has meanwhile.
    """
    if not pays(count, cost):
        body(code, [text for _, text in captured], "0", count, "0")
        return
    number = next(code.module.numbers)
    _part(code, f"part.{number}", captured, body)
    frame = code.slot("i64", 2 * len(captured))  # a complex number takes two words
    for i, (kind, text) in enumerate(captured):
        code.store(kind, text, code.field(frame, 2 * i))
    once_for_all(code.module, {"share": "i32 (ptr, ptr, ptr, i64, i64, i64)"}, _write_share)
    assert isinstance(code.patience, interrupts.Allowance)
    least = max(WORTH // max(cost, 1), 2)
    given = [("ptr", code.patience.context), ("ptr", f"@part.{number}"), ("ptr", frame)]
    interrupts.call(code, "share", [*given, ("i64", count), ("i64", str(least)), ("i64", str(grain))])


def _part(outer: Code, name: str, captured: Sequence[tuple[str, str]], body: Body) -> None:
    """The function that does a piece: it is given the context of who does it, and what is captured."""
    code = Code(outer.module)
    code.patience = interrupts.Allowance(code, "%ctx")
    code.given("%frame", str(16 * len(captured)))
    values = [
        code.load(kind, code.field("%frame", 2 * i)) if not is_literal(text) else text
        for i, (kind, text) in enumerate(captured)
    ]
    body(code, values, "%start", "%end", "%number")
    interrupts.end(code)
    signature = f"internal i32 @{name}(ptr %ctx, ptr %frame, i64 %start, i64 %end, i64 %number)"
    code.finish(signature, "noinline nounwind")


# A job is an array of words: `piece` indices are in each of the `pieces` but the last, which has the rest besides;
# `next` is the number of the next one; `stop` says that the run has ended before its time.
_JOB = ("function", "frame", "count", "piece", "pieces", "next", "stop")
_NEXT, _STOP = 8 * _JOB.index("next"), 8 * _JOB.index("stop")
_SET_MASK = 2 if sys.platform == "linux" else 3  # the word for "these signals and no others"

# `busy` is 1 while a caller has the threads; `made` the process that has them, and `making` the one that made them
# last: a process that was forked has none. Under `lock`: `open` is the job that may be begun, `round` its number, and
# `inside` how many threads are at it.
_SHARE = f"""
declare i32 @getpid()
declare i32 @pthread_mutex_init(ptr, ptr)
declare i32 @pthread_mutex_lock(ptr)
declare i32 @pthread_mutex_unlock(ptr)
declare i32 @pthread_cond_init(ptr, ptr)
declare i32 @pthread_cond_wait(ptr, ptr)
declare i32 @pthread_cond_signal(ptr)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @pthread_detach(i64)
declare i32 @pthread_sigmask(i32, ptr, ptr)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare i64 @llvm.smax.i64(i64, i64)
declare void @llvm.x86.sse2.pause()

@busy = internal global i64 0, align 64
@made = internal global i32 0
@making = internal global i32 0
@lock = internal global [16 x i64] zeroinitializer, align 64
@wake = internal global [16 x i64] zeroinitializer, align 64
@ready = internal global [16 x i64] zeroinitializer, align 64
@open = internal global ptr null
@round = internal global i64 0
@inside = internal global i64 0

define internal void @make(i32 %process) {{
entry:
  %all = alloca [16 x i64]
  %before = alloca [16 x i64]
  %thread = alloca i64
  %i0 = call i32 @pthread_mutex_init(ptr @lock, ptr null)
  %i1 = call i32 @pthread_cond_init(ptr @wake, ptr null)
  %i2 = call i32 @pthread_cond_init(ptr @ready, ptr null)
  store ptr null, ptr @open
  store i64 0, ptr @round
  store i64 0, ptr @inside
  call void @llvm.memset.p0.i64(ptr %all, i8 -1, i64 128, i1 false)
  %m0 = call i32 @pthread_sigmask(i32 {_SET_MASK}, ptr %all, ptr %before) ; signals are for Python's own threads
  br label %head
head:
  %i = phi i64 [ 1, %entry ], [ %j, %next ]
  %number = inttoptr i64 %i to ptr
  %failed = call i32 @pthread_create(ptr %thread, ptr null, ptr @help, ptr %number)
  %good = icmp eq i32 %failed, 0
  br i1 %good, label %detach, label %next
detach:
  %id = load i64, ptr %thread
  %d = call i32 @pthread_detach(i64 %id)
  br label %next
next:
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, {THREADS}
  br i1 %more, label %head, label %done
done:
  %m1 = call i32 @pthread_sigmask(i32 {_SET_MASK}, ptr %before, ptr null)
  store atomic i64 0, ptr @busy release, align 8
  store atomic i32 %process, ptr @made release, align 4
  ret void
}}

define internal ptr @help(ptr %number) {{
entry:
  %ctx = alloca [{memory.WORDS} x i64]
  call void @llvm.memset.p0.i64(ptr %ctx, i8 0, i64 {8 * memory.WORDS}, i1 false)
  %me = ptrtoint ptr %number to i64
  %leftat = getelementptr i64, ptr %ctx, i64 {memory.LEFT}
  %stopat = getelementptr i64, ptr %ctx, i64 {memory.STOP}
  %l0 = call i32 @pthread_mutex_lock(ptr @lock)
  br label %look
look:
  %seen = phi i64 [ 0, %entry ], [ %seen, %sleep ], [ %round, %left ]
  %round = load i64, ptr @round
  %job = load ptr, ptr @open
  %old = icmp eq i64 %round, %seen
  %none = icmp eq ptr %job, null
  %nothing = or i1 %old, %none
  br i1 %nothing, label %sleep, label %join
sleep:
  %w = call i32 @pthread_cond_wait(ptr @wake, ptr @lock)
  br label %look
join:
  %before = load i64, ptr @inside
  %more = add i64 %before, 1
  store i64 %more, ptr @inside
  %u0 = call i32 @pthread_mutex_unlock(ptr @lock)
  %stop = getelementptr i8, ptr %job, i64 {_STOP}
  store ptr %stop, ptr %stopat
  store i64 {ALLOWANCE}, ptr %leftat
  %status = call i32 @take(ptr %ctx, ptr %job, i64 %me)
  %l1 = call i32 @pthread_mutex_lock(ptr @lock)
  %now = load i64, ptr @inside
  %fewer = sub i64 %now, 1
  store atomic i64 %fewer, ptr @inside release, align 8
  %last = icmp eq i64 %fewer, 0
  br i1 %last, label %tell, label %left
tell:
  %s = call i32 @pthread_cond_signal(ptr @ready)
  br label %left
left:
  br label %look
}}

define internal i32 @take(ptr %ctx, ptr %job, i64 %me) {{
entry:
  %frameat = getelementptr i64, ptr %job, i64 1
  %countat = getelementptr i64, ptr %job, i64 2
  %pieceat = getelementptr i64, ptr %job, i64 3
  %piecesat = getelementptr i64, ptr %job, i64 4
  %nextat = getelementptr i8, ptr %job, i64 {_NEXT}
  %stopat = getelementptr i8, ptr %job, i64 {_STOP}
  %pieces = load i64, ptr %piecesat
  %last = sub i64 %pieces, 1
  %function = load ptr, ptr %job
  %frame = load ptr, ptr %frameat
  %count = load i64, ptr %countat
  %piece = load i64, ptr %pieceat
  br label %head
head:
  %this = atomicrmw add ptr %nextat, i64 1 monotonic
  %some = icmp slt i64 %this, %pieces
  br i1 %some, label %work, label %done
work:
  %start = mul i64 %this, %piece
  %after = add i64 %start, %piece
  %atend = icmp eq i64 %this, %last
  %end = select i1 %atend, i64 %count, i64 %after
  %status = call i32 %function(ptr %ctx, ptr %frame, i64 %start, i64 %end, i64 %me)
  %good = icmp eq i32 %status, 0
  br i1 %good, label %head, label %failed
failed:
  store atomic i64 1, ptr %stopat release, align 8
  store atomic i64 %pieces, ptr %nextat monotonic, align 8
  ret i32 1
done:
  ret i32 0
}}

define i32 @share(ptr %ctx, ptr %function, ptr %frame, i64 %count, i64 %least, i64 %grain) {{
entry:
  %job = alloca [{len(_JOB)} x i64], align 64
  %few = icmp slt i64 %count, %least
  br i1 %few, label %alone, label %several
alone:
  %whole = call i32 %function(ptr %ctx, ptr %frame, i64 0, i64 %count, i64 0)
  ret i32 %whole
several:
  %process = call i32 @getpid()
  %made = load atomic i32, ptr @made acquire, align 4
  %known = icmp eq i32 %made, %process
  br i1 %known, label %try, label %new
new:
  %making = load atomic i32, ptr @making acquire, align 4
  %begun = icmp eq i32 %making, %process
  br i1 %begun, label %alone, label %claim
claim:
  %claimed = cmpxchg ptr @making, i32 %making, i32 %process acq_rel acquire
  %mine = extractvalue {{ i32, i1 }} %claimed, 1
  br i1 %mine, label %make, label %alone
make:
  call void @make(i32 %process)
  br label %try
try:
  %swapped = cmpxchg ptr @busy, i64 0, i64 1 acq_rel acquire
  %got = extractvalue {{ i64, i1 }} %swapped, 1
  br i1 %got, label %give, label %alone
give:
  %parts = sdiv i64 %count, {_PIECES * THREADS}
  %small = sdiv i64 %least, {2 * THREADS}
  %enough = call i64 @llvm.smax.i64(i64 %parts, i64 %small)
  %up = add i64 %enough, %grain
  %up1 = sub i64 %up, 1
  %over = srem i64 %up1, %grain
  %even = sub i64 %up1, %over
  %piece = call i64 @llvm.smax.i64(i64 %even, i64 1)
  %frameat = getelementptr i64, ptr %job, i64 1
  %countat = getelementptr i64, ptr %job, i64 2
  %pieceat = getelementptr i64, ptr %job, i64 3
  %piecesat = getelementptr i64, ptr %job, i64 4
  %nextat = getelementptr i8, ptr %job, i64 {_NEXT}
  %stopat = getelementptr i8, ptr %job, i64 {_STOP}
  %fit = sdiv i64 %count, %piece
  %pieces = call i64 @llvm.smax.i64(i64 %fit, i64 1)
  store i64 %pieces, ptr %piecesat
  store ptr %function, ptr %job
  store ptr %frame, ptr %frameat
  store i64 %count, ptr %countat
  store i64 %piece, ptr %pieceat
  store i64 0, ptr %nextat
  store i64 0, ptr %stopat
  %l0 = call i32 @pthread_mutex_lock(ptr @lock)
  store ptr %job, ptr @open
  %round = load i64, ptr @round
  %next = add i64 %round, 1
  store i64 %next, ptr @round
  %u0 = call i32 @pthread_mutex_unlock(ptr @lock)
  br label %call
call:
  %k = phi i64 [ 1, %give ], [ %k1, %call ]
  %s = call i32 @pthread_cond_signal(ptr @wake)
  %k1 = add i64 %k, 1
  %left = icmp slt i64 %k1, %pieces
  %others = icmp slt i64 %k1, {THREADS}
  %again = and i1 %left, %others
  br i1 %again, label %call, label %work
work:
  %own = call i32 @take(ptr %ctx, ptr %job, i64 0)
  %l1 = call i32 @pthread_mutex_lock(ptr @lock)
  store ptr null, ptr @open
  %at = load i64, ptr @inside
  %all = icmp eq i64 %at, 0
  br i1 %all, label %done, label %spin
spin:
  %u1 = call i32 @pthread_mutex_unlock(ptr @lock)
  br label %look
look:
  %n = phi i64 [ 0, %spin ], [ %n1, %pause ]
  %there = load atomic i64, ptr @inside acquire, align 8
  %gone = icmp eq i64 %there, 0
  %n1 = add i64 %n, 1
  %long = icmp eq i64 %n1, {_PATIENT}
  %enough1 = or i1 %gone, %long
  br i1 %enough1, label %wait, label %pause
pause:
  call void @llvm.x86.sse2.pause()
  br label %look
wait:
  %l2 = call i32 @pthread_mutex_lock(ptr @lock)
  br label %check
check:
  %now = load i64, ptr @inside
  %ready = icmp eq i64 %now, 0
  br i1 %ready, label %done, label %sleep
sleep:
  %w = call i32 @pthread_cond_wait(ptr @ready, ptr @lock)
  br label %check
done:
  %u2 = call i32 @pthread_mutex_unlock(ptr @lock)
  store atomic i64 0, ptr @busy release, align 8
  %stopped = load i64, ptr %stopat
  %status = trunc i64 %stopped to i32
  ret i32 %status
}}
"""


def _write_share(module: Module) -> None:
    text = _SHARE
    if os.uname().machine != "x86_64":
        text = text.replace("declare void @llvm.x86.sse2.pause()\n", "").replace(
            "  call void @llvm.x86.sse2.pause()\n", ""
        )
    module.functions.append(text)
