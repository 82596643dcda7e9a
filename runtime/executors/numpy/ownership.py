"""Which writes to arrays and lists happen in place: those to memory that the program made and nobody reads any more.

A graph never changes a value: writing an item makes a new array. Here is found where the old one is of no more use, so
that its memory may become the new one. Each value has roots, the memories in which it may lie. A memory belongs to the
program if one of its operations has made it for the result alone; an input, a constant and what a Variable holds do
not. A loop has a memory of its own for a state that it writes: what was there before is copied once, unless that is
not needed afterwards.

Lists are followed apart from arrays: the places of a list are memory of its own, whatever lies in them.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from runtime.graph.graph import Graph, ListType, Node, TensorType, Value
from runtime.ops import structure

Roots = frozenset[int]
_FOREIGN = 0  # memory that is not the program's, or of which nothing is known
_NONE: Roots = frozenset()


@dataclass
class Ownership:
    """What may be changed where it lies, in a graph and its regions.

    Attributes:
      writes: operations that change their first input.
      overlaps: those among them that NumPy gives a row (or column) of that very memory, which it may read when parts of
        it are written already.
      copied: by loop, the numbers of the states that have to be copied before it.
      reads: the memories in which the inputs of an operation lie.
      changes: the memories that an operation changes, or one in its regions.
    """

    writes: set[Node] = field(default_factory=set)
    overlaps: set[Node] = field(default_factory=set)
    copied: dict[Node, set[int]] = field(default_factory=dict)
    reads: dict[Node, Roots] = field(default_factory=dict)
    changes: dict[Node, Roots] = field(default_factory=dict)

    def add(self, other: Ownership) -> None:
        """Know of another graph, too, or of other memories."""
        self.writes |= other.writes
        self.overlaps |= other.overlaps
        for node, numbers in other.copied.items():
            self.copied[node] = self.copied.get(node, set()) | numbers
        for mine, others in ((self.reads, other.reads), (self.changes, other.changes)):
            for node, roots in others.items():
                mine[node] = mine.get(node, _NONE) | roots

    def must_stand(self, nodes: Sequence[Node], folded: Iterable[Value]) -> set[Value]:
        """The results of a block, among those to be written out where they are used, that have to be computed where
        they stand, as what they read is changed before it comes to that; and those that are changed."""
        folded = set(folded)
        kept = {value for node in nodes if node in self.writes for value in (node.inputs[0], *node.outputs)}
        if not any(node in self.changes for node in nodes):
            return kept
        users: dict[Value, int] = {}
        for number, node in enumerate(nodes):
            for value in node.inputs:
                users.setdefault(value, number)
        read = list(range(len(nodes)))
        changed: list[tuple[int, Roots]] = []  # by what stands behind
        for number in reversed(range(len(nodes))):
            node = nodes[number]
            made = node.outputs[0] if len(node.outputs) == 1 else None
            if made is not None and made in folded and made not in kept:
                at = read[users[made]] if made in users else len(nodes)
                mine = self.reads.get(node, _NONE)
                if any(place < at and mine & roots for place, roots in changed):
                    kept.add(made)
                else:
                    read[number] = at
            if node in self.changes:
                changed.append((number, self.changes[node]))
        return kept


def ownership(graph: Graph) -> Ownership:
    """What may be changed where it lies, in a graph and its regions."""
    nodes = [*graph.walk()]
    regions = [id(region) for node in nodes for region in node.regions]
    found, numbers = Ownership(), itertools.count(1)
    if len(set(regions)) < len(regions) or len(set(nodes)) < len(nodes):
        return found  # something stands in several places
    for kind in (_is_array, _is_list):
        if any(node.op.in_place and kind(node.inputs[0]) for node in nodes):
            walk = _Walk(kind, numbers)
            walk.block(graph, dict.fromkeys(graph.inputs, frozenset((_FOREIGN,))))
            found.add(walk.found)
    return found


def _is_array(value: Value) -> bool:
    """Whether it surely is an array of numbers, and no number."""
    kind = value.type
    return isinstance(kind, TensorType) and bool(kind.shape) and kind.dtype.dtype.kind in "biufc"


def _is_list(value: Value) -> bool:
    return isinstance(value.type, ListType)


@dataclass
class _Frame:
    """A block that is being followed: until where its values are used, and where it is."""

    last: dict[Value, float]
    position: int = -1
    values: list[Value] = field(default_factory=list)


class _Walk:
    """Follows the memories of arrays, or those of lists."""

    def __init__(self, is_written: Callable[[Value], bool], numbers: Iterator[int]) -> None:
        self.found = Ownership()
        self.is_written, self.numbers = is_written, numbers
        self.mine: set[int] = set()  # memories that the program may change
        self.roots: dict[Value, Roots] = {}
        self.holders: dict[int, set[Value]] = {}
        self.frame_of: dict[Value, _Frame] = {}
        self.changed: list[set[int]] = []  # the memories that are changed, by region
        self.only_reads = 0

    def fresh(self) -> int:
        made = next(self.numbers)
        self.mine.add(made)
        return made

    def block(self, graph: Graph, given: Mapping[Value, Roots], kept: Iterable[Value] = ()) -> list[Roots]:
        """Follow a graph, or a region, from the roots of its inputs; those of its outputs. Inputs that are `kept` are
        used later, too."""
        last: dict[Value, float] = {}
        for number, node in enumerate(graph.nodes):
            last.update(dict.fromkeys(node.inputs, number))
        last.update(dict.fromkeys((*graph.outputs, *kept), math.inf))
        frame = _Frame(last)
        for value, roots in given.items():
            self._enter(value, roots, frame)
        for frame.position, node in enumerate(graph.nodes):
            self.changed.append(set())
            results = self._results(node, frame)
            if changed := self.changed.pop():
                self.found.changes[node] = frozenset(changed)
                if self.changed:
                    self.changed[-1] |= changed
            for value, roots in zip(node.outputs, results):
                self._enter(value, roots, frame)
        ends = [self.roots[value] for value in graph.outputs]
        for value in frame.values:
            for root in self.roots[value]:
                self.holders[root].discard(value)
        return ends

    def _enter(self, value: Value, roots: Roots, frame: _Frame) -> None:
        self.roots[value], self.frame_of[value] = roots, frame
        frame.values.append(value)
        for root in roots:
            self.holders.setdefault(root, set()).add(value)

    def _results(self, node: Node, frame: _Frame) -> list[Roots]:
        """The roots of what an operation gives."""
        given = [self.roots[value] for value in node.inputs]
        self.found.reads[node] = frozenset().union(*given)
        if node.op is structure.while_:
            return self._loop(node, given)
        if node.op is structure.if_:
            ends = [self.block(region, dict(zip(region.inputs, given[1:]))) for region in node.regions]
            return [a | b for a, b in zip(*ends)]
        if node.op.keeps:
            self.mine -= self.found.reads[node]
        if node.op.in_place and self.is_written(node.inputs[0]) and self._may_change(node, given):
            self.found.writes.add(node)
            if given[0] & given[1] and _is_read_late(node.inputs[1]):
                self.found.overlaps.add(node)
            self.changed[-1] |= given[0]
            return [given[0]]
        self.found.writes.discard(node)
        self.found.overlaps.discard(node)
        return [self._made(node, value) for value in node.outputs]

    def _made(self, node: Node, value: Value) -> Roots:
        """The roots of a result that is not what the operation changes."""
        if self.is_written is _is_list:  # what they share are elements; only a function may give back a list
            if not _is_list(value):
                return _NONE
            has_memory, shares = True, node.op is structure.call
        else:
            has_memory, shares = _has_memory(value), node.op.shares(node)
        if shares or node.op is structure.native:
            return self.found.reads[node] | {_FOREIGN}
        return frozenset((self.fresh(),)) if has_memory else _NONE

    def _may_change(self, node: Node, given: Sequence[Roots]) -> bool:
        own = given[0]
        indices = any(own & roots for roots in given[2:])  # which NumPy reads while it writes
        values = own & given[1] and any(_is_array(value) for value in node.inputs[2:])
        if self.only_reads or not own or not own <= self.mine:
            return False
        return not (indices or values or self._is_needed(own))

    def _is_needed(self, roots: Roots) -> bool:
        """Whether anything that may lie there is used after what is being followed."""
        for root in roots:
            holders = self.holders.get(root, set())
            for value in [*holders]:
                frame = self.frame_of[value]
                if frame.last.get(value, -1) > frame.position:
                    return True
                holders.discard(value)  # nor will it be later on
                self.holders.setdefault(root, holders)
        return False

    def _loop(self, node: Node, given: Sequence[Roots]) -> list[Roots]:
        test, body = node.regions
        count = len(node.outputs)
        states = {i for i in range(count) if self.is_written(node.inputs[i]) and body.outputs[i] is not body.inputs[i]}
        before = set(self.mine)
        while True:
            self.mine = set(before)
            own = {i: self.fresh() for i in states}
            inputs = [frozenset((own.get(i, _FOREIGN),)) for i in range(len(node.inputs))]
            self.only_reads += 1  # it may be printed as one expression
            self.block(test, dict(zip(test.inputs, inputs)))
            self.only_reads -= 1
            self.changed.append(set())
            ends = self.block(body, dict(zip(body.inputs, inputs)), body.inputs[count:])
            changed = self.changed.pop()
            lost = {i for i in states if not self._is_alone(i, ends)} or _unwritten(own, ends, changed)
            if not lost:
                break
            states -= lost
        outer = frozenset().union(*(roots for i, roots in enumerate(given) if i not in states), (_FOREIGN,))
        copied = {i for i in states if not self._is_handed_over(i, given)}
        self.found.copied[node] = copied
        self.changed[-1] |= {root for i in states - copied for root in given[i]}
        others = [outer if self.is_written is _is_array or _is_list(value) else _NONE for value in node.outputs]
        return [frozenset((self.fresh(),)) if i in states else others[i] for i in range(count)]

    def _is_alone(self, number: int, ends: Sequence[Roots]) -> bool:
        """Whether a state ends an iteration in memory of the program's that no other state lies in."""
        mine = ends[number]
        others = (roots for i, roots in enumerate(ends) if i != number)
        return bool(mine) and mine <= self.mine and not any(mine & roots for roots in others)

    def _is_handed_over(self, number: int, given: Sequence[Roots]) -> bool:
        """Whether a loop may have the memory of what a state is at first."""
        mine = given[number]
        others = (roots for i, roots in enumerate(given) if i != number)
        return bool(mine) and mine <= self.mine and not any(mine & r for r in others) and not self._is_needed(mine)


def _is_read_late(value: Value) -> bool:
    """Whether NumPy reads what it writes to an array while it does; if it has more dimensions it makes a copy."""
    return isinstance(value.type, TensorType) and len(value.type.shape or ()) < 2


def _has_memory(value: Value) -> bool:
    """Whether it may be an array of memory of its own. What is found in a list may be somebody else's anyway."""
    return isinstance(value.type, TensorType) and value.type.shape != ()


def _unwritten(own: Mapping[int, int], ends: Sequence[Roots], changed: set[int]) -> set[int]:
    """The states that nothing is written to, nor to those with which they change places."""
    numbers = {root: i for i, root in own.items()}
    of = {i: i for i in own}  # the first state of those that change places
    for i in own:
        for root in ends[i]:
            if root in numbers:
                joined, stays = of[i], of[numbers[root]]
                of = {n: stays if first == joined else first for n, first in of.items()}
    written = {of[numbers[root]] for root in changed if root in numbers}
    return {i for i in own if of[i] not in written}
