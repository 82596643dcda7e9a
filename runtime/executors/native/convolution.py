"""Convolution of images."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.executors.native import memory
from runtime.executors.native.code import Code, register
from runtime.executors.native.images import Plan, Way, positions, sizes, windows
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.parallel import THREADS, divided
from runtime.executors.native.tiles import SPEED, Tiles, Windows
from runtime.executors.native.values import Array, Lowered, Unsupported
from runtime.executors.native.vectorised_loops import each
from runtime.executors.native.winograd import Winograd
from runtime.graph.graph import Node
from runtime.ops import nn
from runtime.ops.nn import padding_of

_ROWS = 48 * 1024  # elements of the rows of an image that a block reads, which stay in the second cache
_COST = 4_000  # what a row of results is taken to cost where sizes are not known
_CHANNELS, _PIXELS = 32, 12  # from which Winograd's way is the faster


@handles(nn.conv2d, of_reals=True)
def conv2d(lowering: Lowering, node: Node) -> list[Lowered]:
    x, w = (lowering.packed(lowering.array(v)) for v in node.inputs)
    if not x.dtype.is_floating:
        raise Unsupported(f"a convolution of {x.dtype.name}", node)
    known = sizes(x, w)
    if known is None:
        return [_of_any_size(lowering, node, x, w)]
    (_, height, width, channels), (rows, columns, _, units) = known
    strides, dilations = node.attributes["strides"], node.attributes["dilations"]
    pads = padding_of(node.attributes["padding"], (height, width), (rows, columns), strides, dilations)
    out = [
        windows(d + sum(p), k, s, r)
        for d, p, k, s, r in zip((height, width), pads, (rows, columns), strides, dilations)
    ]
    after = lowering.absorb(node.outputs[0])
    made = lowering.result([node, *after][-1].outputs[0], [x.dims[0], str(out[0]), str(out[1]), str(units)])
    if 0 in (*out, units):
        return [made]
    plan = Plan(
        height, width, channels, rows, columns, units, out[0], out[1], strides, dilations, (pads[0][0], pads[1][0])
    )
    small = rows == columns == 3 and strides == dilations == (1, 1)
    if small and min(channels, units) >= _CHANNELS and min(out) >= _PIXELS and x.dtype.name == "float32":
        way: Way = Winograd(lowering, plan, w)
    else:
        way = Direct(lowering, plan, w)
    way.after = after
    _over_blocks(lowering.code, way, x, made)
    return [made]


def _of_any_size(lowering: Lowering, node: Node, x: Array, w: Array) -> Array:
    """Pixel by pixel of the window: its numbers times the filters are added to the row of units."""
    code, kind = lowering.code, register(x.dtype)
    (_, height, width, channels), (rows, columns, depth, units) = x.dims, w.dims
    (down, right), (slow, fast) = node.attributes["dilations"], node.attributes["strides"]
    lowering.require(code.compare("eq", channels, depth))
    attributes = node.attributes["padding"], (height, width), (rows, columns), (slow, fast), (down, right)
    (above, left), out = positions(lowering, *attributes)
    made = lowering.result(node.outputs[0], [x.dims[0], *out, units])

    def body(inner: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, target, filters, high, wide, ins, tall, broad, units, above, left, lines, across = values
        with inner.loop(end, start) as index, inner.loop(across) as column:
            image, line = inner.let(f"sdiv i64 {index}, {lines}"), inner.let(f"srem i64 {index}, {lines}")
            place = inner.at(kind, target, inner.mul(inner.add(inner.mul(index, across), column), units))
            with each(inner, units) as unit:
                inner.store(kind, "0.0", inner.at(kind, place, unit))
            top, first = inner.sub(inner.mul(line, str(slow)), above), inner.sub(inner.mul(column, str(fast)), left)
            with inner.loop(tall) as r, inner.loop(broad) as c:
                y, x_ = inner.add(top, inner.mul(r, str(down))), inner.add(first, inner.mul(c, str(right)))
                inside = inner.both(inner.let(f"icmp ult i64 {y}, {high}"), inner.let(f"icmp ult i64 {x_}, {wide}"))
                some, done = inner.label("inside"), inner.label("added")
                inner.fork(inside, some, done)
                inner.enter(some)
                at = inner.add(inner.mul(inner.add(inner.mul(image, high), y), wide), x_)
                pixel = inner.at(kind, source, inner.mul(at, ins))
                weights = inner.at(kind, filters, inner.mul(inner.mul(inner.add(inner.mul(r, broad), c), ins), units))
                with inner.loop(ins) as channel:
                    number = inner.load(kind, inner.at(kind, pixel, channel))
                    row = inner.at(kind, weights, inner.mul(channel, units))
                    with each(inner, units) as unit:
                        sum_ = inner.at(kind, place, unit)
                        term = inner.let(
                            f"fmul contract {kind} {number}, {inner.load(kind, inner.at(kind, row, unit))}"
                        )
                        inner.store(kind, inner.let(f"fadd contract {kind} {inner.load(kind, sum_)}, {term}"), sum_)
                inner.jump(done)
                inner.enter(done)

    numbers = (height, width, channels, rows, columns, units, above, left, *out)
    captured = [*(("ptr", a.pointer) for a in (x, made, w)), *(("i64", n) for n in numbers)]
    divided(code, code.mul(x.dims[0], out[0]), _COST, captured, body)
    return made


def _over_blocks(code: Code, way: Way, x: Array, out: Array) -> None:
    """All blocks of all images, divided among threads."""
    count = code.mul(x.dims[0], str(way.blocks))
    kind = register(x.dtype)

    def body(inner: Code, values: Sequence[str], start: str, end: str, part: str) -> None:
        source, target, weights, *scratch = values
        own = [inner.at(kind, s, inner.mul(part, str(size))) for s, (_, size) in zip(scratch, way.memory)]
        with inner.loop(end, start) as index:
            image, block = inner.divide(index, str(way.blocks)), inner.rest(index, str(way.blocks))
            here = inner.at(kind, source, inner.mul(image, x.strides[0]))
            there = inner.at(kind, target, inner.mul(image, out.strides[0]))
            way.convolve(inner, here, there, weights, own, block)

    captured = [("ptr", a.pointer) for a in (x, out, way.weights, *(m for m, _ in way.memory))]
    divided(code, count, way.cost, captured, body)


class Direct(Way):
    """Add up the products, in tiles; rows of the image are copied to where zeros surround them, if they are padded."""

    def __init__(self, lowering: Lowering, plan: Plan, w: Array) -> None:
        self.plan, self.dtype = plan, w.dtype
        known = (plan.out_height, plan.out_width), plan.strides, (plan.rows, plan.columns), plan.dilations
        deep, wide = ((n - 1) * s + (k - 1) * r + 1 for n, s, k, r in zip(*known))  # what the windows reach over
        is_padded = any(plan.before) or deep > plan.height or wide > plan.width
        self.row = wide if is_padded else plan.width
        (down, right), stride = plan.dilations, plan.strides[1]
        windows = Windows(
            plan.out_width, plan.units, plan.channels, stride * plan.channels, rows=plan.rows, columns=plan.columns,
            down=down * self.row * plan.channels, right=right * plan.channels,
        )  # fmt: skip
        self.tiles = Tiles(windows, w.dtype)
        self.weights = self.tiles.packed(lowering, w)
        self.step = self.row * plan.channels * plan.strides[0]  # from the windows of a row to those of the next
        self.lines = max(1, min(plan.out_height, _ROWS // max(1, self.step)))
        self.blocks = -(-plan.out_height // self.lines)
        self.cost = self.lines * plan.out_width * self.tiles.depth * plan.units // SPEED
        self.held = deep - (plan.out_height - self.lines) * plan.strides[0]  # rows of the image that a block reads
        size = self.held * self.row * plan.channels
        self.memory = [(lowering.allocate([str(size * THREADS)], w.dtype), size)] if is_padded else []

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        plan, kind = self.plan, register(self.dtype)
        first = code.mul(block, str(self.lines))
        lines = code.least(str(self.lines), code.sub(str(plan.out_height), first))
        image = code.at(kind, source, code.mul(first, str(self.step)))
        if scratch:
            (image,) = scratch
            self._copy_rows(code, source, image, code.sub(code.mul(first, str(plan.strides[0])), str(plan.before[0])))
        result = code.at(kind, target, code.mul(first, str(plan.out_width * plan.units)))
        self.tiles.multiply(code, image, self.step, weights, result, lines, self.finished)

    def _copy_rows(self, code: Code, source: str, target: str, top: str) -> None:
        """Rows of the image from `top` on, with zeros around."""
        plan, kind = self.plan, register(self.dtype)
        left, size = plan.before[1] * plan.channels, self.dtype.size
        inside = min(plan.width, self.row - plan.before[1]) * plan.channels
        right = self.row * plan.channels - left - inside
        with code.loop(str(self.held)) as row:
            y = code.add(top, row)
            to = code.at(kind, target, code.mul(row, str(self.row * plan.channels)))
            within, outside, done = code.label("within"), code.label("outside"), code.label("copied")
            code.fork(code.let(f"icmp ult i64 {y}, {plan.height}"), within, outside)
            code.enter(within)
            start = code.at(kind, source, code.mul(y, str(plan.width * plan.channels)))
            memory.clear(code, to, str(left * size))
            memory.copy(code, code.at(kind, to, str(left)), start, str(inside * size))
            memory.clear(code, code.at(kind, to, str(left + inside)), str(right * size))
            code.jump(done)
            code.enter(outside)
            memory.clear(code, to, str(self.row * plan.channels * size))
            code.jump(done)
            code.enter(done)
