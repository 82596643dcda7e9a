"""Winograd's minimal filtering F(2x2, 3x3): windows of 4 by 4 pixels give 2 by 2 results.

It needs 16 products where there were 36; it is exact in real numbers, and in float32 loses about a bit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.executors.native.code import Code
from runtime.executors.native.images import Plan, Way
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.parallel import THREADS
from runtime.executors.native.tiles import SPEED, Tiles, Windows
from runtime.executors.native.values import Array
from runtime.executors.native.vectorised_loops import each

_TILES = 192 * 1024  # elements of the transformed windows of a block, which stay in the second cache


def _winograd_filters(lowering: Lowering, plan: Plan, w: Array) -> Array:
    """The filters transformed: [16, channels, units]."""
    code, kind = lowering.code, "float"
    size = plan.channels * plan.units
    made = lowering.allocate(["16", str(plan.channels), str(plan.units)], w.dtype)
    with each(code, str(size), again=True) as i:
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


class Winograd(Way):
    """Transform the pixels of a block of rows of windows, multiply, transform the products."""

    def __init__(self, lowering: Lowering, plan: Plan, w: Array) -> None:
        self.plan = plan
        self.down, self.across = -(-plan.out_height // 2), -(-plan.out_width // 2)
        self.tiles = Tiles(Windows(self.across, plan.units, plan.channels, plan.channels), w.dtype, filters=16)
        self.weights = self.tiles.packed(lowering, _winograd_filters(lowering, plan, w))
        wide = max(plan.channels, plan.units)
        self.lines = max(1, min(self.down, _TILES // (16 * self.across * wide)))
        self.blocks = -(-self.down // self.lines)
        self.cost = 16 * self.lines * self.across * wide * wide // SPEED
        tiles = 16 * self.lines * self.across
        sizes = [tiles * plan.channels, tiles * plan.units]
        self.memory = [(lowering.allocate([str(size * THREADS)], w.dtype), size) for size in sizes]

    def convolve(self, code: Code, source: str, target: str, weights: str, scratch: Sequence[str], block: str) -> None:
        plan = self.plan
        windows, products = scratch
        first = code.mul(block, str(self.lines))
        lines = code.least(str(self.lines), code.sub(str(self.down), first))
        count = code.mul(lines, str(self.across))
        self._each_tile(code, _take_window, source, windows, first, lines, count)
        with code.loop("16") as k:
            a = code.at("float", windows, code.mul(k, code.mul(count, str(plan.channels))))
            b = code.at("float", weights, code.mul(k, str(plan.channels * self.tiles.together)))
            c = code.at("float", products, code.mul(k, code.mul(count, str(plan.units))))
            self.tiles.multiply(code, a, self.across * plan.channels, b, c, lines)
        self._each_tile(code, _give_results, products, target, first, lines, count)

    def _each_tile(
        self, code: Code, work: _Transform, source: str, target: str, first: str, lines: str, count: str
    ) -> None:
        with code.loop(lines) as line, code.loop(str(self.across)) as tile:
            place = code.add(code.mul(line, str(self.across)), tile)
            work(code, self, source, target, code.add(first, line), tile, place, count)


_Transform = Callable[[Code, Winograd, str, str, str, str, str, str], None]


def _take_window(
    code: Code, way: Winograd, source: str, target: str, line: str, tile: str, place: str, total: str
) -> None:
    """Transform 4 by 4 pixels of every channel; those outside the image are zero."""
    plan, channels = way.plan, way.plan.channels
    zeros = code.module.zeros(4 * channels)
    top = code.sub(code.mul(line, "2"), str(plan.before[0]))
    left = code.sub(code.mul(tile, "2"), str(plan.before[1]))
    across = [code.let(f"icmp ult i64 {code.add(left, str(c))}, {plan.width}") for c in range(4)]
    pixel = code.add(code.mul(top, str(plan.width)), left)
    corner = code.opaque(code.at("float", source, code.mul(pixel, str(channels))))
    pixels = []
    for r in range(4):
        down = code.let(f"icmp ult i64 {code.add(top, str(r))}, {plan.height}")
        for c in range(4):
            pixel = code.let(f"getelementptr float, ptr {corner}, i64 {(r * plan.width + c) * channels}")
            pixels.append(code.choose(code.both(down, across[c]), pixel, zeros, "ptr"))
    places = _apart(code, code.at("float", target, code.mul(place, str(channels))), code.mul(total, str(channels)))
    with each(code, str(channels), again=True) as i:
        d = [code.load("float", code.at("float", pixel, i)) for pixel in pixels]
        mixed = [_window_line(code, d[4 * r : 4 * r + 4]) for r in range(4)]  # along rows
        for c in range(4):
            for r, value in enumerate(_window_line(code, [mixed[k][c] for k in range(4)])):
                code.store("float", value, code.at("float", places[4 * r + c], i))


def _apart(code: Code, first: str, step: str) -> list[str]:
    """The addresses of 16 numbers, so far from one another."""
    places = [code.opaque(first)]
    while len(places) < 16:
        places.append(code.at("float", places[-1], step))
    return places


def _give_results(
    code: Code, way: Winograd, source: str, target: str, line: str, tile: str, place: str, total: str
) -> None:
    """Transform 16 products of every unit to 2 by 2 results, of which the last row or column may lie outside."""
    plan, units = way.plan, way.plan.units
    products = _apart(code, code.at("float", source, code.mul(place, str(units))), code.mul(total, str(units)))
    y, x = code.mul(line, "2"), code.mul(tile, "2")
    # What lies outside is written where something inside will be written after it.
    columns = [code.mul(code.least(code.add(x, str(c)), str(plan.out_width - 1)), str(units)) for c in range(2)]
    rows = [code.least(code.add(y, str(r)), str(plan.out_height - 1)) for r in range(2)]
    starts = [code.opaque(code.at("float", target, code.mul(row, str(plan.out_width * units)))) for row in rows]
    with each(code, str(units), again=True) as i:
        m = [code.load("float", code.at("float", product, i)) for product in products]
        mixed = [_result_line(code, m[4 * r : 4 * r + 4]) for r in range(4)]  # two numbers for each of four rows
        results = [_result_line(code, [mixed[r][c] for r in range(4)]) for c in range(2)]
        for r in (1, 0):
            for c in (1, 0):
                code.store(
                    "float",
                    way.finished(code, results[c][r]),
                    code.at("float", code.at("float", starts[r], columns[c]), i),
                )
