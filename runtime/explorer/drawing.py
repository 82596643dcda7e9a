"""A graph as a picture: boxes in layers, arrows downwards; branches and loops are boxes around boxes.

Each operation stands in the layer below the last of its inputs; the order within a layer follows the mean place of
what a box is joined to, which leaves few crossings. Lengths are in pixels.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from runtime.graph.depth import levels
from runtime.graph.graph import Graph, Node, Place, Value
from runtime.ops import shape as shape_ops, structure

MOST_NODES = 300  # that are drawn; of a larger graph, the outermost level is
_DEEPEST = 25  # branches and loops in one another that are drawn
_LONGEST_LABEL = 30  # characters
_LONGEST_NUMBER = 12
_CHARACTER, _LINE, _PADDING, _GAP, _BETWEEN = 7.3, 17.0, 9.0, 16.0, 30.0
_HEAD = _LINE + 2 * _PADDING  # room for the label of a box that holds others
_SWEEPS = 4

Point = tuple[float, float]


@dataclass
class Box:
    """What is drawn: an ``input``, ``output`` or ``node``, or one that holds others: ``group`` (a branch, a loop) and
    ``region`` (a side of it). Places are relative to the box around; `edges` run between the boxes inside."""

    kind: str
    label: str
    detail: str = ""
    title: str = ""
    keys: list[str] = field(default_factory=list)
    x: float = 0.0
    y: float = 0.0
    width: float = 0.0
    height: float = 0.0
    boxes: list[Box] = field(default_factory=list)
    edges: list[list[Point]] = field(default_factory=list)
    joined: Sequence[tuple[int, int]] = ()  # which of the boxes inside each arrow joins


Keys = Callable[[Place | None], list[str]]


def drawing(graph: Graph, keys: Keys) -> Box | None:
    """The picture of a graph, or None if even its outermost level is too large to be looked at."""
    if len(graph.nodes) > MOST_NODES:
        return None
    return _Region(graph, keys, is_small(graph)).box(graph.name, [v.hint for v in graph.outputs])


def outline(graph: Graph) -> Box:
    """What there is to draw of a graph, however large it is, without a place for it."""
    return _Region(graph, lambda _: [], inside=True, placed=False).box(graph.name, [v.hint for v in graph.outputs])


def is_small(graph: Graph) -> bool:
    """Whether all of a graph is drawn."""
    return count(graph) <= MOST_NODES and levels(graph) <= _DEEPEST


def count(graph: Graph) -> int:
    """How many operations there are, those of branches and loops included."""
    return sum(1 for _ in graph.walk())


class _Region:
    """One level of a graph, while it is laid out."""

    def __init__(self, graph: Graph, keys: Keys, inside: bool, placed: bool = True) -> None:
        self.graph, self.keys, self.inside, self.placed = graph, keys, inside, placed
        made = (n for n in graph.nodes if n.op is shape_ops.constant)
        self.constants = {n.outputs[0]: _short(str(n.attributes["value"]), _LONGEST_NUMBER) for n in made}
        self.boxes: list[Box] = []
        self.maker: dict[Value, int] = {}
        self.edges: list[tuple[int, int]] = []
        self.layer: list[int] = []

    def box(self, label: str, results: Sequence[str]) -> Box:
        used = {v for n in self.graph.nodes for v in n.inputs} | {*self.graph.outputs}
        for value in self.graph.inputs:
            if value in used:
                self._add(Box("input", value.hint, str(value.type), f"{value.hint}: {value.type}"), [], [value])
        for node in self.graph.nodes:
            if node.op is not shape_ops.constant:
                self._add(self._node(node), node.inputs, node.outputs)
        last = max(self.layer, default=-1) + 1
        for value, name in zip(self.graph.outputs, results):
            constant = self.constants.get(value)
            text = _short(f"{name} = {constant}" if constant else name, _LONGEST_LABEL)
            self._add(Box("output", text, "", f"{name}: {value.type}"), [value], [], last)
        made = Box("region", label, boxes=self.boxes, joined=() if self.placed else self.edges)
        if self.placed:
            _layered(made, self.boxes, self.edges, self.layer)
        return made

    def _add(self, box: Box, inputs: Iterable[Value], outputs: Iterable[Value], least: int = 0) -> None:
        before = list(dict.fromkeys(self.maker[v] for v in inputs if v in self.maker))
        number = len(self.boxes)
        self.boxes.append(_sized(box) if not box.boxes else box)
        self.edges += [(other, number) for other in before]
        self.layer.append(max([least, *(self.layer[other] + 1 for other in before)]))
        self.maker.update(dict.fromkeys(outputs, number))

    def _node(self, node: Node) -> Box:
        keys = self.keys(node.place)
        types = ", ".join(str(v.type) for v in node.outputs)
        names = [self.constants.get(v, v.hint) for v in node.inputs]
        if not node.regions:
            text = f"{node.callee.name}({', '.join(names)})" if node.callee else _expression(node, names)
            return Box("node", _short(text, _LONGEST_LABEL), types, f"{node.op.name}: {text}\n{types}", keys)
        hints = [v.hint for v in node.outputs]
        label = f"{node.op.name} {names[0] if node.op is structure.if_ else ', '.join(hints)}"
        box = Box("group", _short(label, 2 * _LONGEST_LABEL), "", f"{label}\n{types}", keys)
        if not self.inside:
            inner = sum(count(region) for region in node.regions)
            return replace(box, kind="node", detail=f"{inner} operations inside")
        sides = ("then", "else") if node.op is structure.if_ else ("test", "body")
        for side, region in zip(sides, node.regions):
            results = ["decision"] if side == "test" else hints
            box.boxes.append(_Region(region, self.keys, True, self.placed).box(side, results))
        if self.placed:
            _beside(box) if node.op is structure.if_ else _stacked(box)
        return box


def _beside(group: Box) -> None:
    """The sides of a branch, left and right, in a box around both."""
    x = _PADDING
    tallest = max(box.height for box in group.boxes)
    for box in group.boxes:
        box.x, box.y, box.height = x, _HEAD, tallest
        x += box.width + _PADDING
    group.width = max(x, len(group.label) * _CHARACTER + 2 * _PADDING)
    group.height = _HEAD + tallest + _PADDING


def _stacked(group: Box) -> None:
    """The test of a loop above its body, in a box around both."""
    y = _HEAD
    widest = max(box.width for box in group.boxes)
    for box in group.boxes:
        box.x, box.y = _PADDING, y
        for inner in box.boxes:
            inner.x += (widest - box.width) / 2
        box.edges = [[(x + (widest - box.width) / 2, at) for x, at in edge] for edge in box.edges]
        box.width = widest
        y += box.height + _PADDING
    group.width = max(widest + 2 * _PADDING, len(group.label) * _CHARACTER + 2 * _PADDING)
    group.height = y


def _expression(node: Node, names: Sequence[str]) -> str:
    """An operation as it is printed; its attributes that are functions by their names."""
    named = {k: _Name(v.__name__) if hasattr(v, "__name__") else v for k, v in node.attributes.items()}
    return node.op.expression(names, named)


class _Name(str):
    """Text that is written without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _short(text: str, most: int) -> str:
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def _sized(box: Box) -> Box:
    box.detail = _short(box.detail, _LONGEST_LABEL)
    box.width = max(len(box.label), 0.86 * len(box.detail), 3) * _CHARACTER + 2 * _PADDING
    box.height = _LINE * (2 if box.detail else 1) + _PADDING
    return box


def _layered(around: Box, boxes: list[Box], edges: Sequence[tuple[int, int]], layer: Sequence[int]) -> None:
    """Give the boxes their places in the box around them; an arrow that passes a layer has a place in it, too."""
    items = [*boxes]
    layers: list[list[int]] = [[] for _ in range(max(layer, default=-1) + 1)]
    for number, where in enumerate(layer):
        layers[where].append(number)
    joined: dict[int, tuple[list[int], list[int]]] = {n: ([], []) for n in range(len(boxes))}  # above, below
    routes: list[list[int]] = []
    for start, end in edges:
        route = [start]
        for passed in range(layer[start] + 1, layer[end]):
            items.append(Box("bend", "", width=4.0))
            layers[passed].append(len(items) - 1)
            joined[len(items) - 1] = ([], [])
            route.append(len(items) - 1)
        route.append(end)
        routes.append(route)
        for above, below in itertools.pairwise(route):
            joined[above][1].append(below)
            joined[below][0].append(above)
    _ordered(layers, joined)
    _spread(layers, joined, items)
    top = _HEAD
    bands = []
    for numbers in layers:
        height = max((items[n].height for n in numbers), default=0.0)
        for number in numbers:
            items[number].y = top + (height - items[number].height) / 2
        bands.append((top, top + height))
        top += height + _BETWEEN
    left = min((item.x for item in items), default=0.0) - _PADDING
    for item in items:
        item.x = round(item.x - left, 1)
    around.edges = [_bent(route, items, bands, layer) for route in routes]
    around.width = max([item.x + item.width for item in items] + [len(around.label) * _CHARACTER + _PADDING]) + _PADDING
    around.height = top - (_BETWEEN if layers else 0) + _PADDING


def _ordered(layers: Sequence[list[int]], joined: Mapping[int, tuple[list[int], list[int]]]) -> None:
    """Sort each layer by the mean place of what its boxes are joined to, downwards and upwards in turns."""
    place = {number: i for numbers in layers for i, number in enumerate(numbers)}
    for sweep in range(_SWEEPS):
        upwards = sweep % 2
        for numbers in reversed(layers) if upwards else layers:
            means = {}
            for number in numbers:
                others = joined[number][upwards]
                means[number] = sum(place[o] for o in others) / len(others) if others else place[number]
            numbers.sort(key=means.__getitem__)
            place.update({number: i for i, number in enumerate(numbers)})


def _spread(
    layers: Sequence[Sequence[int]], joined: Mapping[int, tuple[list[int], list[int]]], items: Sequence[Box]
) -> None:
    """Give the boxes of each layer room beside one another, as near below and above what they are joined to as it
    goes."""

    def middle(number: int) -> float:
        return items[number].x + items[number].width / 2

    for numbers in layers:
        x = 0.0
        for number in numbers:
            items[number].x, x = x, x + items[number].width + _GAP
    for sweep in range(2 * _SWEEPS):
        for numbers in layers if sweep % 2 == 0 else reversed(layers):
            wanted = []
            for number in numbers:
                others = joined[number][sweep % 2] or [o for side in joined[number] for o in side]
                centre = sum(map(middle, others)) / len(others) if others else middle(number)
                wanted.append(centre - items[number].width / 2)
            widths = [items[number].width for number in numbers]
            right, left = [*wanted], [*wanted]
            for i in range(1, len(numbers)):
                right[i] = max(right[i], right[i - 1] + widths[i - 1] + _GAP)
            for i in reversed(range(len(numbers) - 1)):
                left[i] = min(left[i], left[i + 1] - widths[i] - _GAP)
            for number, a, b in zip(numbers, right, left):  # both keep the gaps, and so does what lies between
                items[number].x = (a + b) / 2


def _bent(route: Sequence[int], items: Sequence[Box], bands: Sequence[Point], layer: Sequence[int]) -> list[Point]:
    """The points of an arrow: from the lower edge of a box, by the layers that it passes, to the upper edge of one."""
    start, end = items[route[0]], items[route[-1]]
    points = [(start.x + start.width / 2, start.y + start.height)]
    for step, number in enumerate(route[1:-1], layer[route[0]] + 1):
        points += [(items[number].x + 2, y) for y in bands[step]]
    points.append((end.x + end.width / 2, end.y))
    return [(round(x, 1), round(y, 1)) for x, y in points]
