"""Loops that only the data ends can be interrupted: they ask Python for signals from time to time."""

from __future__ import annotations

from collections.abc import Callable

from runtime.executors.native.code import Code, Module
from runtime.executors.native.machine import once_for_all

_TURNS = 4096  # from one look at the clock to the next
_PAUSE = 50_000_000  # nanoseconds from one question to the next
_MONOTONIC = 1  # the clock's number

_ASK = f"""
declare i32 @clock_gettime(i32, ptr)
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare i32 @PyErr_CheckSignals()

@asked = internal global i64 0

define i1 @interrupted() {{
entry:
  %time = alloca [2 x i64]
  %status = call i32 @clock_gettime(i32 {_MONOTONIC}, ptr %time)
  %seconds = load i64, ptr %time
  %restat = getelementptr i64, ptr %time, i64 1
  %rest = load i64, ptr %restat
  %whole = mul i64 %seconds, 1000000000
  %now = add i64 %whole, %rest
  %last = load i64, ptr @asked
  %since = sub i64 %now, %last
  %early = icmp ult i64 %since, {_PAUSE}
  br i1 %early, label %go, label %ask
ask:
  store i64 %now, ptr @asked
  %lock = call i32 @PyGILState_Ensure()
  %signal = call i32 @PyErr_CheckSignals()
  call void @PyGILState_Release(i32 %lock)
  %stop = icmp ne i32 %signal, 0
  ret i1 %stop
go:
  ret i1 false
}}
"""


def _write(module: Module) -> None:
    module.functions.append(_ASK)


def patient(code: Code) -> Callable[[str], None]:
    """Begin a loop, just before its head; what it returns ends a turn, and goes back to the head.

    Asking is a loop around the loop, so that nothing of the inner one waits for it. The run fails, with the exception
    set, if a signal has come that raises one.
    """
    once_for_all(code.module, {"interrupted": "i1 () nounwind memory(inaccessiblemem: readwrite)"}, _write)
    left, over, ask, go = code.slot("i64"), code.label("over"), code.label("ask"), code.label("patient")
    code.store("i64", "1", left)
    code.block(over)
    code.fork(code.compare("eq", code.load("i64", left), "0"), ask, go)
    code.enter(ask)
    code.fork(code.let("call i1 @interrupted()"), "fail", go)
    code.enter(go)
    code.store("i64", str(_TURNS), left)

    def again(head: str) -> None:
        fewer = code.sub(code.load("i64", left), "1")
        code.store("i64", fewer, left)
        code.fork(code.compare("eq", fewer, "0"), over, head)

    return again
