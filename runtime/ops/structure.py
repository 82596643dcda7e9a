"""Control flow as nodes with regions; executors know these by name."""

from __future__ import annotations

from typing import Any

from runtime.ops.op import op


def _given(*_: Any, **__: Any) -> Any:
    raise TypeError("control flow is built by runtime.control, which knows its result types")


if_ = op("if", _given, "", tf="If")
while_ = op("while", _given, "", tf="While")
call = op("call", _given, "", tf="PartitionedCall")
