"""What runs for long can be interrupted: loops ask Python for signals from time to time.

All loops of a run live on one allowance of operations, from which each takes what it has done, after some thousand
iterations at the latest. Where nothing is left, a loop looks at the clock, and asks Python if it is time to. So it
does not matter how loops lie in one another. What brief loops do counts as done by the loop around them. Calls, of
which a function may make many without a loop, are counted by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native import memory
from runtime.executors.native.code import ALLOWANCE, Code, Module
from runtime.executors.native.machine import once_for_all

_PAUSE = 25_000_000  # nanoseconds from one question to the next
_MONOTONIC = 1  # the clock's number
_CALL = 8  # operations in the time of a call
_MUCH = 1000  # operations that are worth counting
_HANDED = " ; handed over"

# A thread that helps asks whoever it helps; others ask Python, and let other threads of Python's have a turn meanwhile.
_ASK = f"""
declare i32 @clock_gettime(i32, ptr)
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()
declare ptr @PyEval_SaveThread()
declare void @PyEval_RestoreThread(ptr)

define i1 @interrupted(ptr %ctx) {{
entry:
  %time = alloca [2 x i64]
  %stopat = getelementptr i64, ptr %ctx, i64 {memory.STOP}
  %stop = load ptr, ptr %stopat
  %own = icmp eq ptr %stop, null
  br i1 %own, label %clock, label %helper
helper:
  %told = load atomic i64, ptr %stop acquire, align 8
  %ended = icmp ne i64 %told, 0
  ret i1 %ended
clock:
  %status = call i32 @clock_gettime(i32 {_MONOTONIC}, ptr %time)
  %seconds = load i64, ptr %time
  %restat = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %restat
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  %lastat = getelementptr i64, ptr %ctx, i64 {memory.ASKED}
  %last = load i64, ptr %lastat
  %since = sub i64 %now, %last
  %early = icmp ult i64 %since, {_PAUSE}
  br i1 %early, label %go, label %late
late:
  store i64 %now, ptr %lastat
  %first = icmp eq i64 %last, 0
  br i1 %first, label %go, label %ask
ask:
  %lock = call i32 @PyGILState_Ensure()
  %state = call ptr @PyEval_SaveThread()
  call void @PyEval_RestoreThread(ptr %state)
  %signal = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %lock)
  %raised = icmp ne i32 %signal, 0
  ret i1 %raised
go:
  ret i1 false
}}
"""


_SIGNATURE = "i1 (ptr) nounwind cold memory(argmem: readwrite, inaccessiblemem: readwrite)"


def _write(module: Module) -> None:
    module.functions.append(_ASK)


class Allowance:
    """The operations that are left, in a register of the function while it runs, and in the context for others.

    The function has a block ``fail``, where its run ends, with an exception set.
    """

    def __init__(self, code: Code, context: str, is_first: bool = False) -> None:
        self.code, self.context, self.is_first = code, context, is_first
        self.slot = code.slot("i64")
        self._loops = self._calls = False

    def begin(self) -> None:
        """Have it ready when the function begins; called when the function is written."""
        code, written = self.code, self.code.lines
        code.lines = []
        if not self.is_first:
            code.given(self.context, str(8 * memory.WORDS), writable=True)  # a thread that helps has its own
        place = code.field(self.context, memory.LEFT) if self._calls or not self.is_first else ""
        if self.is_first:
            for where, needed in ((self.slot, self._loops), (place, self._calls)):
                if needed:
                    code.store("i64", str(ALLOWANCE), where)
        elif self._loops:
            code.store("i64", code.load("i64", place), self.slot)
        if not self._loops:
            written = [line for line in written if not line.endswith(_HANDED)]
        code.lines += [line.removesuffix(_HANDED) for line in written]

    def give(self) -> None:
        """Before a call, and before the end."""
        self._hand(back=False)

    def take(self) -> None:
        """After a call."""
        self._hand(back=True)
        self.code.work += _CALL

    def _hand(self, back: bool) -> None:
        """From the register to the context, or back; where there is no loop, it stays in the context."""
        code, mark, self._calls = self.code, len(self.code.lines), True
        source, target = self.slot, code.field(self.context, memory.LEFT)
        if back:
            source, target = target, source
        code.store("i64", code.load("i64", source), target)
        code.lines[mark:] = [line + _HANDED for line in code.lines[mark:]]

    def interrupted(self) -> str:
        """Whether the run has to end."""
        once_for_all(self.code.module, {"interrupted": _SIGNATURE}, _write)
        return self.code.let(f"call i1 @interrupted(ptr {self.context})")

    def spend(self, amount: str) -> None:
        """Take away what is not known before, without asking yet."""
        code, self._loops = self.code, True
        given = [("i64", code.load("i64", self.slot)), ("i64", amount)]
        code.store("i64", code.call("llvm.usub.sat.i64", "i64", given), self.slot)

    def check(self) -> str:
        """Ask, if nothing is left; returns where this is done."""
        code, self._loops = self.code, True
        over, ask, go = code.label("over"), code.label("ask"), code.label("patient")
        code.block(over)
        code.fork(code.compare("eq", code.load("i64", self.slot), "0"), ask, go)
        code.enter(ask)
        code.store("i64", str(ALLOWANCE), self.slot)
        code.fork(self.interrupted(), "fail", go)
        code.enter(go)
        return over


class Loop:
    """A loop that is written block by block; made just before its head.

    What asks is a loop around the loop, so that nothing of the inner one waits for it.
    """

    def __init__(self, code: Code) -> None:
        assert code.patience is not None
        self.code, self.patience, self.left = code, code.patience, code.slot("i64")  # iterations until it asks
        self.outer = code.work, code.has_more
        code.work, code.has_more = 0, False
        self.over = code.patience.check()

    def begin(self, most: str = "") -> None:
        """Just before the head: so many iterations (a number of 64 bits) are to come, if that is known, or any number.

        Where it is known, nothing but this number ends the iterations, and then what is before this is done again.
        """
        code, self.known = self.code, bool(most)
        self.line = len(code.lines)
        if most:
            code.module.declare("llvm.umin.i64", "i64 (i64, i64)")
            self.first = code.let(f"call i64 @llvm.umin.i64(i64 {most}, i64 {_STRIP})")
        else:
            self.first = _STRIP
        code.store("i64", self.first, self.left)

    def again(self, head: str) -> None:
        """End an iteration."""
        code, work, strip = self.code, self.code.work + 1, str(self.code.strip())
        code.lines[self.line] = code.lines[self.line].replace(_STRIP, strip)
        self.first, self.work = self.first.replace(_STRIP, strip), str(work)
        fewer = code.sub(code.load("i64", self.left), "1")
        code.store("i64", fewer, self.left)
        used = code.label("used")
        code.fork(code.compare("eq", fewer, "0"), used, head)
        code.enter(used)
        self.patience.spend(code.mul(self.first, self.work))
        code.jump(self.over)

    def end(self) -> None:
        """After the loop."""
        code = self.code
        if not self.known:
            hidden = code.slot("i64")  # or LLVM would count in operations, which takes a register more
            code.do(f"store volatile i64 {code.load('i64', self.left)}, ptr {hidden}")
            done = code.sub(self.first, code.let(f"load volatile i64, ptr {hidden}"))
            self.patience.spend(code.mul(done, self.work))
        code.work, code.has_more = self.outer


_STRIP = "<strip>"  # a number that is known when an iteration has been written


def call(code: Code, name: str, given: Sequence[tuple[str, str]]) -> None:
    """Call a function that may fail: the first argument is the context, and what it returns is 0 if all is well."""
    assert isinstance(code.patience, Allowance)
    code.patience.give()
    status = code.let(f"call i32 @{name}({', '.join(f'{kind} {value}' for kind, value in given)})")
    good = code.label("good")
    code.fork(code.let(f"icmp eq i32 {status}, 0"), good, "fail")
    code.enter(good)
    code.patience.take()


def end(code: Code) -> None:
    """The ends of such a function."""
    assert isinstance(code.patience, Allowance)
    if code.work >= _MUCH:  # whoever calls counts the call, and does not know what is done in it
        code.patience.spend(str(code.work))
        code.patience.check()
    code.patience.give()
    code.do("ret i32 0")
    code.enter("fail")
    code.do("ret i32 1")
    code.patience.begin()
