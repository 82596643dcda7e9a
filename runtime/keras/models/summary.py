"""The summary of a model: a table of its layers, and how many numbers their weights hold."""

from __future__ import annotations

import math
import re
import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from runtime.keras.layers.input_layer import InputLayer
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor, Node
from runtime.tensors import nest
from runtime.tensors.variables import Variable

if TYPE_CHECKING:
    from runtime.keras.models.model import Model


def summarize(
    model: Model,
    line_length: int | None,
    positions: Sequence[float] | None,
    expand_nested: bool,
    show_trainable: bool,
    layer_range: Sequence[str] | None,
) -> str:
    """The text."""
    branched = _branched(model)
    heads = ["Layer (type)", "Output Shape", "Param #"] + ["Connected to"] * branched + ["Trainable"] * show_trainable
    widths = _widths(heads, line_length, positions, branched, show_trainable)
    rows = []
    for layer, depth in _listed(model, expand_nested, layer_range):
        row = [
            f"{'   ' * depth}{'└ ' if depth else ''}{layer.name} ({type(layer).__name__})",
            _shape(layer),
            _count(layer),
        ]
        row += [_sources(layer, model)] * branched + (
            ["Y" if layer.trainable else "N"] if layer.weights else ["-"]
        ) * show_trainable
        rows.append(row)
    lines = [f'Model: "{model.name}"', *_table(heads, rows, widths)]
    trained = [v for v in model.weights if v.trainable and model.trainable]
    totals = {"Total params": model.weights, "Trainable params": trained,
              "Non-trainable params": [v for v in model.weights if not any(v is t for t in trained)]}  # fmt: skip
    optimizer = model.__dict__.get("optimizer")
    if optimizer is not None and getattr(optimizer, "built", False):
        totals["Optimizer params"] = list(optimizer.variables)
        every = [*model.weights, *optimizer.variables]
        totals["Total params"] = every
    lines += [f" {what}: {_numbers(found):,} ({_memory(found)})" for what, found in totals.items()]
    return "\n".join(lines)


def _branched(model: Model) -> bool:
    """Whether some layer has not just the one before as its input."""
    network = model._known_network()
    if network is None or not hasattr(model, "_network_layers"):
        return False
    calls = [node for node in network.nodes if node.inputs]
    return len(network.starts) > 1 or any(
        len(node.inputs) > 1 or (node.inputs[0].node is not before)
        for before, node in zip([network.starts[0].node, *calls], calls)
    )


def _listed(model: Model, expand: bool, layer_range: Sequence[str] | None) -> Iterable[tuple[Layer, int]]:
    layers = model.layers
    if layer_range is not None:
        names = [layer.name for layer in layers]
        begin, end = (next((i for i, name in enumerate(names) if name == one), None) for one in layer_range)
        if begin is None or end is None:
            raise ValueError(f"layer_range={tuple(layer_range)!r}: the layers are {names}")
        layers = layers[begin : end + 1]
    for layer in layers:
        yield from _with_inner(layer, 0, expand)


def _with_inner(layer: Layer, depth: int, expand: bool) -> Iterable[tuple[Layer, int]]:
    """A layer, and those of a model in it, at every depth."""
    yield layer, depth
    inner: object = getattr(layer, "layers", None)
    if expand and isinstance(inner, list):
        for one in inner:
            if isinstance(one, Layer):
                yield from _with_inner(one, depth + 1, expand)


def _shape(layer: Layer) -> str:
    if isinstance(layer, InputLayer):
        return str(layer.batch_shape)
    if layer._layer_state.nodes:
        shapes = [t.shape for t in nest.flatten(layer._layer_state.nodes[0].outputs)]
    elif layer._layer_state.called is not None:
        shapes = [(None, *dims[1:]) for dims in layer._layer_state.called]
    else:
        return "?"
    return ", ".join(map(str, shapes)) if len(shapes) < 2 else f"[{', '.join(map(str, shapes))}]"


def _count(layer: Layer) -> str:
    return f"{_numbers(layer.weights):,}" if layer.built else "0 (unbuilt)"


def _sources(layer: Layer, model: Model) -> str:
    network = model._known_network()
    nodes = [node for node in network.nodes if node.layer is layer] if network else []
    found = [
        f"{t.node.layer.name}[{t.node.index}][{_place(t, t.node)}]"
        for node in nodes
        for t in node.inputs
        if t.node is not None
    ]
    return ", ".join(found) or "-"


def _place(tensor: KerasTensor, node: Node) -> int:
    return next(i for i, t in enumerate(nest.flatten(node.outputs)) if t is tensor)


def _numbers(variables: Iterable[Variable]) -> int:
    return sum(v.array.size for v in variables)


def _memory(variables: Iterable[Variable]) -> str:
    """How much memory Variables take.

    >>> _memory([tf.Variable(tf.ones([1000]))])
    '3.91 KB'
    """
    size = sum(_numbers([v]) * v.dtype.size for v in variables)
    for unit in ("B", "KB", "MB", "GB", "TB"):
        if size < 1024 or unit == "TB":
            return f"{size:.2f} {unit}"
        size = size / 1024  # type: ignore[assignment]
    return ""


def _widths(
    heads: Sequence[str], line_length: int | None, positions: Sequence[float] | None, branched: bool, trainable: bool
) -> list[int]:
    """How wide the columns are inside, without the spaces around: as Keras divides the line among them."""
    if positions is None:
        positions = [0.3, 0.56, 0.74, 1.0] if branched else [0.45, 0.8, 1.0]
    if trainable:
        positions = [p * 0.9 for p in positions] + [1.0]
    default = min((108 if branched else 88) + 12 * trainable, shutil.get_terminal_size().columns - 4)
    total = line_length or default
    ends = [int(p * total) for p in positions]
    widths = [end - begin for begin, end in zip([0, *ends], ends)]
    if min(widths) < 4:
        raise ValueError(
            f"summary(line_length={total}) has columns of {widths} characters: each needs 4, so give more characters, "
            "or other positions"
        )
    return _fitted([width + 2 for width in widths], total - len(heads) - 1)


def _fitted(widths: Sequence[int], room: int) -> list[int]:
    """The columns, made narrower by the same number of characters each, or wider in proportion, to fill the line.

    >>> _fitted([36, 28, 18], 72)
    [31, 22, 13]
    """
    over = sum(widths) - room
    rest = len(widths) if over > 0 else sum(widths)
    found = []
    for width in widths:
        more = -min(width, round(over / rest)) if over > 0 else math.ceil(width * -over / rest)
        found.append(width + more)
        over, rest = over + more, rest - (1 if over > 0 else width)
    return [max(width - 2, 1) for width in found]


def _wrapped(text: str, width: int) -> list[str]:
    """The lines of a cell: words that do not fit are cut.

    >>> _wrapped("some_long_name (Dense)", 9)
    ['some_lon…', '(Dense)']
    >>> _wrapped("a (Dense)", 7)
    ['a', '(Dense)']
    """
    lines, line = [], ""
    for word in re.findall(r"\s*\S+\s*", text):
        if len(word.rstrip()) <= width - len(line) or not line.strip():
            line += word
        else:
            lines.append(line)
            line = word
    cut = [one.rstrip() for one in (*lines, line)]
    return [one if len(one) <= width else one[: width - 1] + "…" for one in cut]


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]) -> Iterable[str]:
    def rule(left: str, line: str, middle: str, end: str) -> str:
        return left + middle.join(line * (w + 2) for w in widths) + end

    def row(cells: Sequence[str], bar: str) -> Iterable[str]:
        parts = [_wrapped(cell, width) for cell, width in zip(cells, widths)]
        for number in range(max(map(len, parts))):
            texts = [part[number] if number < len(part) else "" for part in parts]
            padded = [_placed(t, head, w) for t, head, w in zip(texts, heads, widths)]
            yield f"{bar} " + f" {bar} ".join(padded) + f" {bar}"

    yield rule("┏", "━", "┳", "┓")
    yield from row(heads, "┃")
    yield rule("┡", "━", "╇", "┩")
    for number, cells in enumerate(rows):
        if number:
            yield rule("├", "─", "┼", "┤")
        yield from row(cells, "│")
    yield rule("└", "─", "┴", "┘")


def _placed(text: str, head: str, width: int) -> str:
    if head == "Trainable":
        return (" " * ((width - len(text)) // 2) + text).ljust(width)
    return text.rjust(width) if head == "Param #" else text.ljust(width)
