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

_JOB = 4  # words: the frame, the start, the end, the number

# The code, what it captures, the start and the end of its part, and the part's number.
Body = Callable[[Code, Sequence[str], str, str, str], None]


def pays(count: str, cost: int) -> bool:
    """Whether so many indices may be worth several threads; each costs so many operations."""
    few = is_literal(count) and int(count) < max(WORTH // max(cost, 1), 2)
    return THREADS > 1 and os.name == "posix" and not few


def divided(code: Code, count: str, cost: int, captured: Sequence[tuple[str, str]], body: Body) -> None:
    """Run `body` over ``range(count)``, on all cores if it is large; each index costs so many operations.

    `captured` are the values (types and texts) that the body uses.
    """
    if not pays(count, cost):
        body(code, [text for _, text in captured], "0", count, "0")
        return
    least = max(WORTH // max(cost, 1), 2)
    module = code.module
    number = next(module.numbers)
    _part(code, f"part.{number}", captured, body)
    frame = code.slot("i64", len(captured))
    for i, (kind, text) in enumerate(captured):
        code.store(kind, text, code.field(frame, i))
    module.declare("pthread_join", "i32 (i64, ptr)")
    threads = code.slot("i64", THREADS)
    jobs = code.slot("i64", _JOB * THREADS)
    many = code.compare("sge", count, str(least))
    several, alone, joined = code.label("several"), code.label("alone"), code.label("joined")
    code.fork(many, several, alone)
    code.enter(alone)
    _give(code, jobs, 0, frame, "0", count)
    code.do(f"call ptr @part.{number}(ptr {jobs})")
    code.jump(joined)
    code.enter(several)
    share = code.divide(count, str(THREADS))
    aligned = code.let(f"and i64 {share}, -64")  # parts that begin at cache lines, if there are so many
    share = code.choose(code.let(f"icmp sgt i64 {aligned}, 0"), aligned, share)
    for i in range(THREADS):
        end = count if i == THREADS - 1 else code.mul(share, str(i + 1))
        _give(code, jobs, i, frame, code.mul(share, str(i)), end)
    started = [_start(code, threads, jobs, i, number) for i in range(THREADS - 1)]
    code.do(f"call ptr @part.{number}(ptr {code.field(jobs, _JOB * (THREADS - 1))})")
    for i, failed in enumerate(started):
        wait, again, next_ = code.label("wait"), code.label("again"), code.label("next")
        code.fork(failed, again, wait)
        code.enter(wait)
        code.do(f"call i32 @pthread_join(i64 {code.load('i64', code.field(threads, i))}, ptr null)")
        code.jump(next_)
        code.enter(again)  # no thread to be had: do its part here
        code.do(f"call ptr @part.{number}(ptr {code.field(jobs, _JOB * i)})")
        code.jump(next_)
        code.enter(next_)
    code.jump(joined)
    code.enter(joined)


def _give(code: Code, jobs: str, i: int, frame: str, start: str, end: str) -> None:
    code.store("ptr", frame, code.field(jobs, _JOB * i))
    code.store("i64", start, code.field(jobs, _JOB * i + 1))
    code.store("i64", end, code.field(jobs, _JOB * i + 2))
    code.store("i64", str(i), code.field(jobs, _JOB * i + 3))


def _start(code: Code, threads: str, jobs: str, i: int, number: int) -> str:
    """Start a thread; whether that failed."""
    once_for_all(code.module, {"launch": "i32 (ptr, ptr, ptr, i64)"}, _write_launch)
    given = f"ptr {code.field(threads, i)}, ptr @part.{number}, ptr {code.field(jobs, _JOB * i)}, i64 {i}"
    return code.let(f"icmp ne i32 {code.let(f'call i32 @launch({given})')}, 0")


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
    code.finish("i32 @launch(ptr %thread, ptr %function, ptr %job, i64 %number)", "nounwind")


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
