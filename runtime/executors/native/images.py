"""Convolution and pooling of images.

A convolution is a product of matrices, made in blocks that stay in the cache: windows as rows, times the filters. For
filters of 3 by 3 at stride 1 with many channels, Winograd's minimal filtering F(2x2, 3x3) needs 16 products where there
were 36; it is exact in real numbers, and in float32 loses about a bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass

from runtime.dtypes import int64
from runtime.executors.native import blas, scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.code import Code, is_literal, memory, register
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.parallel import THREADS, divided, pays
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported
from runtime.graph import Node
from runtime.ops.nn import padding_of

_ROWS = 512 * 1024  # elements of the windows of a block, which a product of matrices reads
_TILES = 192 * 1024  # of the transformed windows of a block, which stay in the second cache
_CHANNELS = 16  # of filters, from which Winograd's way is the faster


def _sizes(node: Node, *arrays: Array) -> list[list[int]]:
    """The dimensions, all of which must be known (of images: all but their number)."""
    found = []
    for array in arrays:
        if not all(map(is_literal, array.dims[1:])):
            raise Unsupported("the height, width or channels of images are not known", node)
        found.append([int(d) if is_literal(d) else -1 for d in array.dims])
    return found


@handles("conv2d")
def conv2d(lowering: Lowering, node: Node) -> list[Lowered]:
    x, w = (lowering.packed(lowering.array(v)) for v in node.inputs)
    if not x.dtype.is_floating:
        raise Unsupported(f"a convolution of {x.dtype.name}", node)
    (_, height, width, channels), (rows, columns, _, units) = _sizes(node, x, w)
    strides, dilations = node.attributes["strides"], node.attributes["dilations"]
    pads = padding_of(node.attributes["padding"], (height, width), (rows, columns), strides, dilations)
    out = [
        _count(d + sum(p), k, s, r) for d, p, k, s, r in zip((height, width), pads, (rows, columns), strides, dilations)
    ]
    made = lowering.result(node.outputs[0], [x.dims[0], str(out[0]), str(out[1]), str(units)])
    plan = _Plan(
        height, width, channels, rows, columns, units, out[0], out[1], strides, dilations, (pads[0][0], pads[1][0])
    )
    small = rows == columns == 3 and strides == dilations == (1, 1)
    if small and min(channels, units) >= _CHANNELS and x.dtype.name == "float32":
        way: _Windows | _Winograd = _Winograd(lowering, plan, w)
    else:
        way = _Windows(lowering, plan, w)
    _over_blocks(lowering.code, way, x, made)
    return [made]


def _count(size: int, window: int, stride: int, dilation: int) -> int:
    return (size - (window - 1) * dilation - 1) // stride + 1


@dataclass(frozen=True)
class _Plan:
    height: int
    width: int
    channels: int
    rows: int
    columns: int
    units: int
    out_height: int
    out_width: int
    strides: tuple[int, int]
    dilations: tuple[int, int]
    before: tuple[int, int]


class _Way:
    """A way to convolve a block of rows of an image; it works in memory of its own for each thread."""

    blocks: int  # of an image
    cost: int  # of a block
    memory: list[tuple[Array, int]]  # with the elements that a thread uses

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        raise NotImplementedError


def _over_blocks(code: Code, way: _Windows | _Winograd, x: Array, out: Array) -> None:
    """All blocks of all images, divided among threads, each of which multiplies by itself."""
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
    with blas.alone(code) if pays(count, way.cost) else nullcontext():
        divided(code, count, way.cost, captured, body)


class _Windows(_Way):
    """Gather the windows of a block as rows, multiply."""

    def __init__(self, lowering: Lowering, plan: _Plan, w: Array) -> None:
        self.plan, self.weights = plan, w
        self.depth = plan.rows * plan.columns * plan.channels
        self.by_pixel = self.depth == plan.channels and plan.strides == (1, 1) and not any(plan.before)
        self.lines = max(1, min(plan.out_height, _ROWS // max(1, self.depth * plan.out_width)))
        self.blocks = -(-plan.out_height // self.lines)
        self.cost = self.lines * plan.out_width * self.depth * plan.units // 8
        size = self.lines * plan.out_width * self.depth
        self.memory = [] if self.by_pixel else [(lowering.allocate([str(size * THREADS)], w.dtype), size)]

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        plan, kind = self.plan, register(self.weights.dtype)
        first = code.mul(block, str(self.lines))
        lines = code.least(str(self.lines), code.sub(str(plan.out_height), first))
        if self.by_pixel:
            matrix = code.at(kind, source, code.mul(first, str(plan.width * plan.channels)))
        else:
            (matrix,) = scratch
            with code.loop(lines) as row:
                _gather_row(code, plan, kind, source, matrix, code.add(first, row), row)
        units, depth = str(plan.units), str(self.depth)
        result = code.at(kind, target, code.mul(first, str(plan.out_width * plan.units)))
        count = code.mul(lines, str(plan.out_width))
        blas.gemm(
            code, self.weights.dtype, False, False, count, units, depth, matrix, depth, weights, units, result, units
        )


def _gather_row(code: Code, plan: _Plan, kind: str, source: str, target: str, row: str, place: str) -> None:
    """The windows of one row of the result, one after the other; zero outside the image."""
    depth = plan.rows * plan.columns * plan.channels
    reach = (plan.columns - 1) * plan.dilations[1] + 1
    with code.loop(str(plan.out_width)) as column:
        window = code.mul(code.add(code.mul(place, str(plan.out_width)), column), str(depth))
        left = code.sub(code.mul(column, str(plan.strides[1])), str(plan.before[1]))
        with code.loop(str(plan.rows)) as i:
            top = code.add(code.mul(row, str(plan.strides[0])), code.mul(i, str(plan.dilations[0])))
            y = code.sub(top, str(plan.before[0]))
            inside_y = code.let(f"icmp ult i64 {y}, {plan.height}")
            origin = code.add(code.mul(y, str(plan.width)), left)
            to = code.at(kind, target, code.add(window, code.mul(i, str(plan.columns * plan.channels))))
            whole, parts, done = code.label("whole"), code.label("parts"), code.label("gathered")
            fits = code.both(code.compare("sge", left, "0"), code.compare("sle", left, str(plan.width - reach)))
            if plan.dilations[1] != 1:
                fits = "false"
            code.fork(code.both(inside_y, fits), whole, parts)
            code.enter(whole)  # a row of the window lies in one piece
            start = code.at(kind, source, code.mul(origin, str(plan.channels)))
            with code.loop(str(plan.columns * plan.channels), parallel=True) as c:
                code.store(kind, code.load(kind, code.at(kind, start, c)), code.at(kind, to, c))
            code.jump(done)
            code.enter(parts)
            with code.loop(str(plan.columns)) as j:
                step = code.mul(j, str(plan.dilations[1]))
                x = code.add(left, step)
                inside = code.both(inside_y, code.let(f"icmp ult i64 {x}, {plan.width}"))
                pixel = code.choose(inside, code.mul(code.add(origin, step), str(plan.channels)), "0")
                start, end = code.at(kind, source, pixel), code.at(kind, to, code.mul(j, str(plan.channels)))
                with code.loop(str(plan.channels), parallel=True) as c:
                    value = code.choose(inside, code.load(kind, code.at(kind, start, c)), "0x0000000000000000", kind)
                    code.store(kind, value, code.at(kind, end, c))
            code.jump(done)
            code.enter(done)


# Winograd's minimal filtering: windows of 4 by 4 pixels give 2 by 2 results.


def _winograd_filters(lowering: Lowering, plan: _Plan, w: Array) -> Array:
    """The filters transformed: [16, channels, units]."""
    code, kind = lowering.code, "float"
    size = plan.channels * plan.units
    made = lowering.allocate(["16", str(plan.channels), str(plan.units)], w.dtype)
    with code.loop(str(size), parallel=True) as i:
        g = [code.load(kind, code.at(kind, w.pointer, code.add(i, str(k * size)))) for k in range(9)]
        half = [[g[3 * r + c] for r in range(3)] for c in range(3)]  # columns
        mixed = [_filter_line(code, column) for column in half]  # four numbers for each of three columns
        for r in range(4):
            for c, value in enumerate(_filter_line(code, [mixed[k][r] for k in range(3)])):
                code.store(kind, value, code.at(kind, made.pointer, code.add(i, str((4 * r + c) * size))))
    return made


def _filter_line(code: Code, g: Sequence[str]) -> list[str]:
    """Three weights as four."""
    half = "0x3FE0000000000000"
    ends = code.let(f"fadd float {g[0]}, {g[2]}")
    up = code.let(f"fadd float {ends}, {g[1]}")
    down = code.let(f"fsub float {ends}, {g[1]}")
    return [g[0], code.let(f"fmul float {up}, {half}"), code.let(f"fmul float {down}, {half}"), g[2]]


def _window_line(code: Code, d: Sequence[str]) -> list[str]:
    """Four pixels as the four numbers that are multiplied."""
    return [
        code.let(f"fsub float {d[0]}, {d[2]}"), code.let(f"fadd float {d[1]}, {d[2]}"),
        code.let(f"fsub float {d[2]}, {d[1]}"), code.let(f"fsub float {d[1]}, {d[3]}"),
    ]  # fmt: skip


def _result_line(code: Code, m: Sequence[str]) -> list[str]:
    """Four products as two results."""
    middle = code.let(f"fadd float {m[1]}, {m[2]}")
    apart = code.let(f"fsub float {m[1]}, {m[2]}")
    return [code.let(f"fadd float {m[0]}, {middle}"), code.let(f"fsub float {apart}, {m[3]}")]


class _Winograd(_Way):
    """Transform the pixels of a block of rows of windows, multiply, transform the products."""

    def __init__(self, lowering: Lowering, plan: _Plan, w: Array) -> None:
        self.plan, self.weights = plan, _winograd_filters(lowering, plan, w)
        self.down, self.across = -(-plan.out_height // 2), -(-plan.out_width // 2)
        wide = max(plan.channels, plan.units)
        self.lines = max(1, min(self.down, _TILES // (16 * self.across * wide)))
        self.blocks = -(-self.down // self.lines)
        self.cost = 2 * self.lines * self.across * wide * wide
        tiles = 16 * self.lines * self.across
        sizes = [tiles * plan.channels, tiles * plan.units]
        self.memory = [(lowering.allocate([str(size * THREADS)], w.dtype), size) for size in sizes]

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        plan = self.plan
        windows, products = scratch
        channels, units = str(plan.channels), str(plan.units)
        first = code.mul(block, str(self.lines))
        lines = code.least(str(self.lines), code.sub(str(self.down), first))
        count = code.mul(lines, str(self.across))
        self._each_tile(code, _take_window, source, windows, first, lines, count)
        with code.loop("16") as k:
            a = code.at("float", windows, code.mul(k, code.mul(count, channels)))
            b = code.at("float", weights, code.mul(k, str(plan.channels * plan.units)))
            c = code.at("float", products, code.mul(k, code.mul(count, units)))
            dtype = self.weights.dtype
            blas.gemm(code, dtype, False, False, count, units, channels, a, channels, b, units, c, units)
        self._each_tile(code, _give_results, products, target, first, lines, count)

    def _each_tile(
        self, code: Code, work: _Transform, source: str, target: str, first: str, lines: str, count: str
    ) -> None:
        with code.loop(lines) as line, code.loop(str(self.across)) as tile:
            place = code.add(code.mul(line, str(self.across)), tile)
            work(code, self.plan, source, target, code.add(first, line), tile, place, count)


_Transform = Callable[[Code, _Plan, str, str, str, str, str, str], None]


def _take_window(
    code: Code, plan: _Plan, source: str, target: str, line: str, tile: str, place: str, total: str
) -> None:
    """Transform 4 by 4 pixels of every channel; those outside the image are zero."""
    top = code.sub(code.mul(line, "2"), str(plan.before[0]))
    left = code.sub(code.mul(tile, "2"), str(plan.before[1]))
    starts, inside = [], []
    for r in range(4):
        y = code.add(top, str(r))
        good_y = code.let(f"icmp ult i64 {y}, {plan.height}")
        for column in range(4):
            xx = code.add(left, str(column))
            good = code.both(good_y, code.let(f"icmp ult i64 {xx}, {plan.width}"))
            pixel = code.add(code.mul(y, str(plan.width)), xx)
            starts.append(code.at("float", source, code.choose(good, code.mul(pixel, str(plan.channels)), "0")))
            inside.append(good)
    step = code.mul(total, str(plan.channels))
    origin = code.mul(place, str(plan.channels))
    zero = "0x0000000000000000"
    with code.loop(str(plan.channels), parallel=True) as c:
        d = [
            code.choose(good, code.load("float", code.at("float", start, c)), zero, "float")
            for start, good in zip(starts, inside)
        ]
        mixed = [_window_line(code, d[4 * r : 4 * r + 4]) for r in range(4)]  # along rows
        for column in range(4):
            for r, value in enumerate(_window_line(code, [mixed[k][column] for k in range(4)])):
                at = code.add(code.mul(str(4 * r + column), step), code.add(origin, c))
                code.store("float", value, code.at("float", target, at))


def _give_results(
    code: Code, plan: _Plan, source: str, target: str, line: str, tile: str, place: str, total: str
) -> None:
    """Transform 16 products of every unit to 2 by 2 results, of which the last row or column may lie outside."""
    step = code.mul(total, str(plan.units))
    origin = code.mul(place, str(plan.units))
    y, x = code.mul(line, "2"), code.mul(tile, "2")
    places = []
    for r in range(2):
        for c in range(2):  # what lies outside is written where something inside will be written after it
            row = code.least(code.add(y, str(r)), str(plan.out_height - 1))
            column = code.least(code.add(x, str(c)), str(plan.out_width - 1))
            pixel = code.add(code.mul(row, str(plan.out_width)), column)
            places.append(code.at("float", target, code.mul(pixel, str(plan.units))))
    with code.loop(str(plan.units), parallel=True) as u:
        m = [
            code.load("float", code.at("float", source, code.add(code.mul(str(k), step), code.add(origin, u))))
            for k in range(16)
        ]
        mixed = [_result_line(code, m[4 * r : 4 * r + 4]) for r in range(4)]  # two numbers for each of four rows
        columns = [_result_line(code, [mixed[r][c] for r in range(4)]) for c in range(2)]
        for r in (1, 0):
            for c in (1, 0):
                code.store("float", columns[c][r], code.at("float", places[2 * r + c], u))


# Pooling.


@handles("pool2d")
def pool2d(lowering: Lowering, node: Node) -> list[Lowered]:
    x = lowering.packed(lowering.array(node.inputs[0]))
    ((_, height, width, channels),) = _sizes(node, x)
    window, strides, how = (node.attributes[k] for k in ("window", "strides", "how"))
    if how == "avg" and not x.dtype.is_floating:
        raise Unsupported("a mean of integers in windows", node)
    pads = padding_of(node.attributes["padding"], (height, width), window, strides)
    out = [_count(d + sum(p), k, s, 1) for d, p, k, s in zip((height, width), pads, window, strides)]
    made = lowering.result(node.outputs[0], [x.dims[0], str(out[0]), str(out[1]), str(channels)])
    lines = lowering.code.mul(x.dims[0], str(out[0]))
    kind = memory(x.dtype)

    def body(code: Code, values: Sequence[str], start: str, end: str, _: str) -> None:
        source, target = values
        with code.loop(end, start) as line, code.loop(str(out[1])) as column:
            image, row = code.divide(line, str(out[0])), code.rest(line, str(out[0]))
            top = code.sub(code.mul(row, str(strides[0])), str(pads[0][0]))
            left = code.sub(code.mul(column, str(strides[1])), str(pads[1][0]))
            low_y, high_y = code.most(top, "0"), code.least(code.add(top, str(window[0])), str(height))
            low_x, high_x = code.most(left, "0"), code.least(code.add(left, str(window[1])), str(width))
            place = code.mul(code.add(code.mul(line, str(out[1])), column), str(channels))
            goal = code.at(kind, target, place)
            first = scalars.literal(0, x.dtype) if how == "avg" else scalars.lowest(x.dtype)
            with code.loop(str(channels), parallel=True) as c:
                scalars.store(code, first, code.at(kind, goal, c))
            with code.loop(high_y, low_y) as y, code.loop(high_x, low_x) as xx:
                pixel = code.add(code.mul(code.add(code.mul(image, str(height)), y), str(width)), xx)
                origin = code.at(kind, source, code.mul(pixel, str(channels)))
                with code.loop(str(channels), parallel=True) as c:
                    there = code.at(kind, goal, c)
                    a, b = scalars.load(code, there, x.dtype), scalars.load(code, code.at(kind, origin, c), x.dtype)
                    name = "add" if how == "avg" else "maximum"
                    scalars.store(code, element_of(code, name, [a, b], x.dtype, {}), there)
            if how == "avg":
                count = code.mul(code.sub(high_y, low_y), code.sub(high_x, low_x))
                number = scalars.cast(code, Scalar(count, int64), x.dtype)
                with code.loop(str(channels), parallel=True) as c:
                    there = code.at(kind, goal, c)
                    total = scalars.load(code, there, x.dtype)
                    scalars.store(code, element_of(code, "divide", [total, number], x.dtype, {}), there)

    divided(
        lowering.code,
        lines,
        out[1] * channels * window[0] * window[1],
        [("ptr", x.pointer), ("ptr", made.pointer)],
        body,
    )
    return [made]
