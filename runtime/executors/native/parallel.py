"""Work on several cores: a range is divided among threads that live as long as it takes."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable, Sequence

from runtime.executors.native.code import Code, Module, is_literal
from runtime.executors.native.machine import once_for_all

_CPUS = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(os.cpu_count() or 1))
THREADS = max(1, min(len(_CPUS), 8))
WORTH = 400_000  # operations on elements that take as long as starting threads several times over

CACHE_LINE = 64  # bytes, and so as many elements as a cache line has at most
_JOB = 4  # words: the frame, the start, the end, the number

# The code, what it captures, the start and the end of its part, and the part's number.
Body = Callable[[Code, Sequence[str], str, str, str], None]


def pays(count: str, cost: int) -> bool:
    """Whether so many indices may be worth several threads; each costs so many operations."""
    few = is_literal(count) and int(count) < max(WORTH // max(cost, 1), 2)
    return THREADS > 1 and os.name == "posix" and not few


def divided(code: Code, count: str, cost: int, captured: Sequence[tuple[str, str]], body: Body, grain: int = 1) -> None:
    """Run `body` over ``range(count)``, on all cores if it is large; each index costs so many operations.

    `captured` are the values (types and texts) that the body uses. Parts have a multiple of `grain` indices, all but
    the last, unless there are too few.
    """
    if not pays(count, cost):
        body(code, [text for _, text in captured], "0", count, "0")
        return
    number = next(code.module.numbers)
    _part(code, f"part.{number}", captured, body)
    frame = code.slot("i64", len(captured))
    for i, (kind, text) in enumerate(captured):
        code.store(kind, text, code.field(frame, i))
    once_for_all(code.module, {"share": "void (ptr, ptr, i64, i64, i64)"}, _write_share)
    least = max(WORTH // max(cost, 1), 2)
    code.do(f"call void @share(ptr @part.{number}, ptr {frame}, i64 {count}, i64 {least}, i64 {grain})")


def _write_share(module: Module) -> None:
    """The function that divides a range among threads, or not if it is shorter than `least`."""
    _write_launch(module)
    code = Code(module)
    jobs, threads, states = (code.slot("i64", n) for n in (_JOB * THREADS, THREADS, THREADS))
    several, alone = code.label("several"), code.label("alone")
    code.fork(code.compare("sge", "%count", "%least"), several, alone)
    code.enter(alone)
    _give(code, jobs, "0", "%count", "0")
    code.do(f"call ptr %function(ptr {jobs})")
    code.do("ret void")
    code.enter(several)
    share = code.divide("%count", str(THREADS))
    aligned = code.sub(share, code.rest(share, "%grain"))
    share = code.choose(code.compare("sgt", aligned, "0"), aligned, share)
    last = str(THREADS - 1)
    with code.loop(last) as i:
        job = code.field(jobs, code.mul(i, str(_JOB)))
        start = code.mul(i, share)
        _give(code, job, start, code.add(start, share), i)
        thread = code.field(threads, i)
        started = code.let(f"call i32 @launch(ptr {thread}, ptr %function, ptr {job}, i64 {i})")
        code.store("i64", code.let(f"sext i32 {started} to i64"), code.field(states, i))
    job = code.field(jobs, str(_JOB * (THREADS - 1)))
    _give(code, job, code.mul(share, last), "%count", last)
    code.do(f"call ptr %function(ptr {job})")
    with code.loop(last) as i:
        wait, again, next_ = code.label("wait"), code.label("again"), code.label("next")
        code.fork(code.compare("eq", code.load("i64", code.field(states, i)), "0"), wait, again)
        code.enter(wait)
        code.call("pthread_join", "i32", [("i64", code.load("i64", code.field(threads, i))), ("ptr", "null")])
        code.jump(next_)
        code.enter(again)  # no thread was to be had: do its part here
        code.do(f"call ptr %function(ptr {code.field(jobs, code.mul(i, str(_JOB)))})")
        code.jump(next_)
        code.enter(next_)
    code.do("ret void")
    code.finish("void @share(ptr %function, ptr %frame, i64 %count, i64 %least, i64 %grain)", "nounwind")


def _give(code: Code, job: str, start: str, end: str, number: str) -> None:
    code.store("ptr", "%frame", job)
    for i, word in enumerate((start, end, number)):
        code.store("i64", word, code.field(job, i + 1))


def _write_launch(module: Module) -> None:
    """The function that starts the thread of some number.

    Where there is a core for each thread it says which: Linux may have a new thread wait for a long time at the core of
    the one that started it, while others have nothing to do.
    """
    code = Code(module)
    attributes = code.slot("i64", 16)
    code.call("pthread_attr_init", "i32", [("ptr", attributes)])
    if len(_CPUS) == THREADS and hasattr(ctypes.CDLL(None), "pthread_attr_setaffinity_np"):
        last = _CPUS[-1]
        others = [_CPUS[(k + 1 + i) % THREADS] for k in range(THREADS) for i in range(THREADS - 1)]
        rows = {cpu: others[k * (THREADS - 1) : (k + 1) * (THREADS - 1)] for k, cpu in enumerate(_CPUS)}
        table = [cpu for here in range(last + 1) for cpu in rows.get(here, rows[last])]
        here = code.let(f"sext i32 {code.call('sched_getcpu', 'i32', [])} to i64")
        here = code.call("llvm.umin.i64", "i64", [("i64", here), ("i64", str(last))])
        place = code.add(code.mul(here, str(THREADS - 1)), "%number")
        cpu = code.load("i64", code.at("i64", module.constant(struct.pack(f"{len(table)}q", *table)), place))
        words = last // 64 + 1
        mask = code.slot("i64", words)
        for i in range(words):
            bit = code.let(f"shl i64 1, {code.let(f'and i64 {cpu}, 63')}")
            this = code.compare("eq", code.let(f"lshr i64 {cpu}, 6"), str(i))
            code.store("i64", code.choose(this, bit, "0"), code.field(mask, i))
        given = [("ptr", attributes), ("i64", str(8 * words)), ("ptr", mask)]
        code.call("pthread_attr_setaffinity_np", "i32", given)
    status = code.call(
        "pthread_create", "i32", [("ptr", "%thread"), ("ptr", attributes), ("ptr", "%function"), ("ptr", "%job")]
    )
    code.call("pthread_attr_destroy", "i32", [("ptr", attributes)])
    code.do(f"ret i32 {status}")
    code.finish("internal i32 @launch(ptr %thread, ptr %function, ptr %job, i64 %number)", "nounwind")


def _part(outer: Code, name: str, captured: Sequence[tuple[str, str]], body: Body) -> None:
    """The function that a thread runs: its argument is the frame, the start, the end and the number."""
    code = Code(outer.module)
    frame = code.load("ptr", "%job")
    start, end, part = (code.load("i64", code.field("%job", i)) for i in (1, 2, 3))
    values = [
        code.load(kind, code.field(frame, i)) if not is_literal(text) else text
        for i, (kind, text) in enumerate(captured)
    ]
    body(code, values, start, end, part)
    code.do("ret ptr null")
    code.finish(f"internal ptr @{name}(ptr %job)", "noinline nounwind")  # three places call it
