"""Why a function was traced: its traces in order, each compared with the earlier one that is most like it."""

from __future__ import annotations

from dataclasses import dataclass

from autograph.errors import with_article
from runtime.functions.keys import Consumed, Stand
from runtime.functions.signature import Arguments, ArrayArgument
from runtime.graph.graph import HandleType, Place, TensorType
from runtime.graph.shapes import fits, show
from runtime.tensors.frames import user_place

_MOST = 100  # traces that are remembered
_LONGEST = 40  # characters of a value


@dataclass(frozen=True)
class _Argument:
    """What is remembered of an argument: nothing that keeps it alive."""

    kind: str  # what it is: a tensor, a Variable, or the class of a Python value
    text: str
    type: TensorType | HandleType | None = None
    number: int = 0  # of an object
    is_simple: bool = False
    is_used_up: bool = False


@dataclass(frozen=True)
class _Trace:
    arguments: dict[str, _Argument]
    place: Place | None
    made_variables: bool
    acts: str = ""  # what it changed that outlives the call


class History:
    """The traces of a function."""

    def __init__(self) -> None:
        self._traces: list[_Trace] = []
        self._forgotten = 0

    def note(self, arguments: Arguments, made_variables: bool, acts: str = "") -> None:
        """Remember a trace."""
        rows = zip(arguments.names, arguments.types, arguments.leaves)
        described = {name: _described(kind, leaf) for name, kind, leaf in rows}
        self._traces.append(_Trace(described, user_place(), made_variables, acts))
        if len(self._traces) > _MOST:
            del self._traces[0]
            self._forgotten += 1

    def text(self, function: str) -> str:
        """The traces in words."""
        total = len(self._traces) + self._forgotten
        if not total:
            return f"{function} has not been traced: it is when it is called."
        lines = [f"{function} has been traced for {total} signature{'s' * (total != 1)}."]
        if self._forgotten:
            lines.append(f"The last {_MOST} are:")
        for number, trace in enumerate(self._traces):
            at = f" ({trace.place.filename}:{trace.place.line})" if trace.place is not None else ""
            shown = ", ".join(f"{name}={a.text}" for name, a in trace.arguments.items())
            lines.append(f"{number + 1 + self._forgotten}. {function}({shown}){at}")
            lines += [f"   {line}" for line in self._why(number)]
        return "\n".join(lines)

    def _why(self, number: int) -> list[str]:
        trace = self._traces[number]
        made = ["It made Variables, so it was traced once more: what later calls do is another graph."]
        return [*self._compared(number), *(made if trace.made_variables else [])]

    def _compared(self, number: int) -> list[str]:
        trace = self._traces[number].arguments
        if number == 0:
            return []
        alike = [i for i in range(number) if self._traces[i].arguments.keys() == trace.keys()]
        if not alike:
            return [
                "Its arguments have another structure, or others are given: another number, another length, other keys."
            ]

        nearest = min(reversed(alike), key=lambda i: _distance(self._traces[i].arguments, trace))
        before = self._traces[nearest].arguments
        if not (names := [name for name in trace if trace[name] != before[name]]):
            alike_one = f"Its arguments are those of trace {nearest + 1 + self._forgotten}"
            if acts := self._traces[nearest].acts:
                return [f"{alike_one}, which changed '{acts}' and was for one call."]
            return [
                f"{alike_one}: it is used in another function whose values it takes, the containers are of other "
                "classes, it writes to arrays and got others in their place, or an object that it reads has changed."
            ]
        since = f" since trace {nearest + 1 + self._forgotten}" if nearest != number - 1 else ""
        return [f"'{name}' {_difference(before[name], trace[name], since)}" for name in names]


def _distance(before: dict[str, _Argument], now: dict[str, _Argument]) -> int:
    """How different two signatures are."""
    total = 0
    for name, argument in now.items():
        other = before[name]
        if other.kind != argument.kind:
            total += 4
        elif other != argument:
            total += 2 if other.type is None or argument.type is None or other.type.dtype == argument.type.dtype else 3
    return total


def _described(kind: object, leaf: object) -> _Argument:
    if isinstance(kind, HandleType):
        return _Argument("Variable", str(kind), kind)
    if isinstance(kind, TensorType):
        return _Argument("array" if isinstance(leaf, ArrayArgument) else "tensor", str(kind), kind)
    name = type(leaf).__name__
    stand = Stand(leaf)
    text = stand.text if len(stand.text) <= _LONGEST else f"{stand.text[: _LONGEST - 1]}…"
    if isinstance(stand.key, Consumed):
        return _Argument(name, f"<{name}>", number=id(leaf), is_used_up=True)
    return _Argument(
        name, text, None, 0 if text != f"<{name}>" else id(leaf), type(leaf) in (int, float, complex, bool)
    )


def _difference(before: _Argument, now: _Argument, since: str) -> str:
    """What has become of an argument, and what to write instead."""
    changed = f"was {before.text} and is {now.text}{since}"
    kinds = f"{with_article(before.kind)} and {with_article(now.kind)}"
    if before.kind != now.kind:
        if {before.kind, now.kind} == {"array", "tensor"} and before.type == now.type:
            kinds = kinds.replace(" and ", " and is ")
            return f"was {kinds}{since}, which matters where it is written."
        return f"{changed}: {kinds} have graphs of their own. Pass one kind."
    if now.type is None or before.type is None:
        return _other_value(changed, now, since)
    if before.type.dtype != now.type.dtype:
        remedy = f"Cast it to one of them, runtime.cast(…, {now.type.dtype!r})."
        return f"{changed}: each dtype has a graph of its own. {remedy}"
    shapes = [before.type.shape, now.type.shape]
    ranks = [None if shape is None else len(shape) for shape in shapes]
    if ranks[0] != ranks[1]:
        return f"{changed}: each rank has a graph of its own, unless an input_signature leaves the shape open (None)."
    if fits(shapes[0], shapes[1]):
        return f"{changed}: sizes were left open, so that further calls share this graph."
    open_ = show(tuple(a if a == b else None for a, b in zip(*shapes)))
    remedy = f"Say reduce_retracing=True, or give an input_signature with None for the sizes that change: {open_}."
    return f"{changed}: another shape. {remedy}"


def _other_value(changed: str, now: _Argument, since: str) -> str:
    """What has become of a Python value."""
    if now.is_used_up:
        used = f"{with_article(now.kind)}, which its trace uses up"
        return f"is {used}: no call can share the graph. Pass a list or tensor."
    if now.number:
        told = "objects are told apart by identity. Pass the same one, or the values in it."
        return f"is another {now.kind}{since}: {told}"
    remedy = f" Pass a tensor, runtime.constant({now.text}), to have one graph for all." if now.is_simple else ""
    return f"{changed}: Python values are part of the graph.{remedy}"
