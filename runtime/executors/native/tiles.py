"""Products added up in registers: a tile of pixels of a row, and of units, at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from runtime.dtypes import DType
from runtime.executors.native.code import Code, counting, register, vector
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.values import Array


def _tile(width: int, units: int, lanes: int) -> tuple[int, int]:
    """How many pixels of a row, and how many vectors of units, to hold in registers at a time."""
    registers = 32 if vector_bits() == 512 else 16
    fits = [
        (pixels, vectors)
        for vectors in range(1, 5)
        for pixels in range(1, width + 1)
        if (pixels + 1) * vectors + 1 <= registers
    ]

    def cost(tile: tuple[int, int]) -> float:
        """Of a row: the additions (of which eight are under way at a time), and what is loaded for them."""
        pixels, vectors = tile
        step = max(pixels * vectors, 8) + pixels / 4 + vectors
        return -(-width // pixels) * -(-units // (vectors * lanes)) * step

    return min(fits, key=cost)


@dataclass(frozen=True)
class Windows:
    """The windows of a row of results, and the filters that they meet.

    A window has `rows` and `columns` of pixels of `channels` numbers; the next row is `down` pixels on, the next column
    `right`, and the next window `stride`.
    """

    count: int  # of a row of results
    units: int  # of each result
    rows: int
    columns: int
    channels: int
    down: int
    right: int
    stride: int


class Tiles:
    """The code for rows of results; `filters` share the memory that :meth:`packed` makes."""

    def __init__(self, windows: Windows, dtype: DType, filters: int = 1) -> None:
        self.windows, self.dtype = windows, dtype
        self.lanes = vector_bits() // (8 * dtype.size)
        self.pixels, self.vectors = _tile(windows.count, windows.units, self.lanes)
        self.together = self.vectors * self.lanes  # units of a tile
        self.depth = filters * windows.rows * windows.columns * windows.channels

    def packed(self, lowering: Lowering, w: Array) -> Array:
        """Filters, [depth, units], as [units / together, depth, together]: zero where there are no more units."""
        code, units, together = lowering.code, self.windows.units, self.together
        if units == together:
            return w
        parts = -(-units // together)
        made = lowering.allocate([str(parts), str(self.depth), str(together)], w.dtype, zero=units % together != 0)
        kind = register(w.dtype)
        with code.loop(str(parts)) as part, code.loop(str(self.depth)) as k:
            first = code.mul(part, str(together))
            source = code.at(kind, w.pointer, code.add(code.mul(k, str(units)), first))
            target = code.at(kind, made.pointer, code.offset((part, k), made.strides))
            with code.loop(code.least(str(together), code.sub(str(units), first)), parallel=True) as unit:
                code.store(kind, code.load(kind, code.at(kind, source, unit)), code.at(kind, target, unit))
        return made

    def multiply(self, code: Code, source: str, step: int, filters: str, target: str, lines: str) -> None:
        """So many rows of results, from windows whose rows lie `step` numbers apart."""
        windows, kind = self.windows, register(self.dtype)
        with (
            code.loop(str(-(-windows.units // self.together))) as part,
            code.loop(lines) as line,
            code.loop(str(-(-windows.count // self.pixels))) as tile,
        ):
            column = code.least(code.mul(tile, str(self.pixels)), str(windows.count - self.pixels))
            start = code.offset((line, column), (str(step), str(windows.stride * windows.channels)))
            here = code.at(kind, filters, code.mul(part, str(self.depth * self.together)))
            sums = self._sums(code, code.at(kind, source, start), here)
            unit = code.mul(part, str(self.together))
            pixel = code.mul(code.offset((line, column), (str(windows.count), "1")), str(windows.units))
            self._store(code, sums, code.at(kind, target, code.add(pixel, unit)), code.sub(str(windows.units), unit))

    def _sums(self, code: Code, window: str, filters: str) -> list[list[str]]:
        """The results of a tile: for each pixel its vectors of units."""
        windows, kind = self.windows, register(self.dtype)
        type_ = vector(kind, self.lanes)
        slots = [[code.slot(type_) for _ in range(self.vectors)] for _ in range(self.pixels)]
        for slot in (s for line in slots for s in line):
            code.store_vector(type_, "zeroinitializer", slot)
        columns, run = windows.columns, windows.channels
        if windows.right == 1:  # the pixels of a row of the window lie in one piece
            columns, run = 1, windows.columns * windows.channels
        with code.loop(str(windows.rows)) as i, code.loop(str(columns)) as j, code.loop(str(run)) as k:
            step = code.mul(code.offset((i, j), (str(windows.down), str(windows.right))), str(windows.channels))
            here = code.at(kind, window, code.add(step, k))
            depth = code.add(code.mul(code.add(code.mul(i, str(columns)), j), str(run)), k)
            weights = code.at(kind, filters, code.mul(depth, str(self.together)))
            ws = [code.load_vector(type_, code.at(kind, weights, str(u * self.lanes))) for u in range(self.vectors)]
            for p, line in enumerate(slots):
                pixel = code.at(kind, here, str(p * windows.stride * windows.channels))
                x = code.splat(kind, code.load(kind, pixel), self.lanes)
                for slot, w in zip(line, ws):
                    given = [(type_, x), (type_, w), (type_, code.load_vector(type_, slot))]
                    total = code.call(f"llvm.fmuladd.v{self.lanes}f{8 * self.dtype.size}", type_, given)
                    code.store_vector(type_, total, slot)
        return [[code.load_vector(type_, slot) for slot in line] for line in slots]

    def _store(self, code: Code, sums: Sequence[Sequence[str]], place: str, left: str) -> None:
        """Put the results of a tile in their place; `left` units are there."""
        units, lanes, kind = self.windows.units, self.lanes, register(self.dtype)
        type_ = vector(kind, lanes)
        for u in range(self.vectors):
            mask = ""
            if units % self.together:
                numbers = counting("i64", lanes, u * lanes)
                mask = code.let(f"icmp slt {vector('i64', lanes)} {numbers}, {code.splat('i64', left, lanes)}")
            for p, line in enumerate(sums):
                there = code.at(kind, place, str(p * units + u * lanes))
                if not mask:
                    code.store_vector(type_, line[u], there)
                    continue
                given = [(type_, line[u]), ("ptr", there), ("i32", str(self.dtype.size)), (vector("i1", lanes), mask)]
                code.call(f"llvm.masked.store.v{lanes}f{8 * self.dtype.size}.p0", "void", given)
