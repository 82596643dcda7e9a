"""Control flow as nodes with regions; executors know these by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from runtime.graph.op import always, op


def _given(*_: object, **__: object) -> object:
    raise TypeError("control flow is built by runtime.control, which knows its result types")


if_ = op("if", _given, "", tf="If", shares=always)
while_ = op("while", _given, "", tf="While", shares=always)
call = op("call", _given, "", tf="PartitionedCall", shares=always)


def _show_native(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
    return f"{attributes['function']!r}({', '.join(inputs)})"


# A part of a graph that shows the user something, which machine code has done by Python.
shown = op("shown", _given, "", tf="PrintV2", render=_show_native, effect="write", tells=True)
native = op("native", _given, "", tf="XlaLaunch", render=_show_native)  # a part of a graph that is machine code
