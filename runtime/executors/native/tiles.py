"""Products added up in registers: a tile of pixels of a row, and of units, at a time."""

from __future__ import annotations

import functools
from contextlib import ExitStack
from dataclasses import dataclass

from runtime.dtypes import DType
from runtime.executors.native import memory
from runtime.executors.native.code import Code, counting, is_literal, register, vector
from runtime.executors.native.independent import each
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.values import Array
from runtime.executors.native.vectors import vector_suffix

SPEED = 32  # multiplications and additions in the time of an operation on elements, for the decision on threads
_MOST = 16  # sums at a time: more are hardly quicker, and take long to compile


@functools.cache
def _tile(width: int, units: int, lanes: int) -> tuple[int, int]:
    """How many pixels of a row, and how many vectors of units, to hold in registers at a time."""
    registers = 32 if vector_bits() == 512 else 16
    fits = [
        (pixels, vectors)
        for vectors in range(1, 5)
        for pixels in range(1, width + 1)
        if (pixels + 1) * vectors + 1 <= registers and pixels * vectors <= _MOST
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

    A window has rows and columns of pixels of `channels` numbers; rows of a matrix are windows of one pixel. Distances
    count numbers: to the next row of a window (`down`) and the next pixel in it (`right`), to the next channel
    (`along`), and to the next window (`stride`).
    """

    count: int  # of a row of results
    units: int  # of each result
    channels: int
    stride: int
    along: int = 1
    rows: int = 1
    columns: int = 1
    down: int = 0
    right: int = 0


class Tiles:
    """The code for rows of results; so many sets of `filters` lie in the memory that :meth:`packed` makes."""

    def __init__(self, windows: Windows, dtype: DType, filters: int = 1) -> None:
        self.windows, self.dtype = windows, dtype
        self.lanes = vector_bits() // (8 * dtype.size)
        self.pixels, self.vectors = _tile(windows.count, windows.units, self.lanes)
        self.together = self.vectors * self.lanes  # units of a tile
        self.parts = -(-windows.units // self.together)
        self.across = -(-windows.count // self.pixels)
        self.depth = filters * windows.rows * windows.columns * windows.channels

    def packed(self, lowering: Lowering, w: Array) -> Array:
        """Filters, [depth, units], as [parts, depth, together]: zero where there are no more units."""
        code, units = lowering.code, self.windows.units
        if units == self.together:
            return w
        made = lowering.allocate([str(self.parts), str(self.depth), str(self.together)], w.dtype)
        with code.loop(str(self.parts)) as part:
            target = code.at(register(w.dtype), made.pointer, code.mul(part, made.strides[0]))
            self.pack(code, w.pointer, (units, 1), part, target)
        return made

    def pack(self, code: Code, source: str, strides: tuple[int, int], part: str, target: str) -> None:
        """The filters of some units, whose numbers lie `strides` apart (in depth, and from unit to unit)."""
        kind, type_ = register(self.dtype), vector(register(self.dtype), self.lanes)
        first = code.mul(part, str(self.together))
        left = code.sub(str(self.windows.units), first)
        source = code.at(kind, source, code.mul(first, str(strides[1])))
        if strides[1] == 1:
            masks = self._masks(code, left)
            with code.loop(str(self.depth)) as k:
                for u in range(self.vectors):
                    numbers = code.at(kind, source, code.add(code.mul(k, str(strides[0])), str(u * self.lanes)))
                    place = code.at(kind, target, code.add(code.mul(k, str(self.together)), str(u * self.lanes)))
                    code.store_vector(type_, self._load(code, numbers, masks[u]), place)
            return
        if self.windows.units % self.together:
            memory.clear(code, target, str(self.depth * self.together * self.dtype.size))
        with each(code, code.least(str(self.together), left)) as unit, code.loop(str(self.depth)) as k:
            number = code.load(kind, code.at(kind, source, code.offset((k, unit), list(map(str, strides)))))
            code.store(kind, number, code.at(kind, target, code.offset((k, unit), (str(self.together), "1"))))

    def multiply(self, code: Code, source: str, step: int, filters: str, target: str, lines: str) -> None:
        """So many rows of results, from windows whose rows lie `step` numbers apart."""
        windows, kind = self.windows, register(self.dtype)
        with code.loop(str(self.parts)) as part, code.loop(lines) as line, code.loop(str(self.across)) as tile:
            here = code.at(kind, source, code.mul(line, str(step)))
            there = code.at(kind, target, code.mul(line, str(windows.count * windows.units)))
            weights = code.at(kind, filters, code.mul(part, str(self.depth * self.together)))
            self.tile(code, here, weights, there, part, tile)

    def tile(self, code: Code, source: str, filters: str, target: str, part: str, tile: str) -> None:
        """The results of a tile, in their place in a row; the last one begins so that it ends with the row."""
        windows, kind = self.windows, register(self.dtype)
        column = code.least(code.mul(tile, str(self.pixels)), str(windows.count - self.pixels))
        window = code.opaque(code.at(kind, source, code.mul(column, str(windows.stride))))
        sums = self._sums(code, window, code.opaque(filters))
        unit = code.mul(part, str(self.together))
        place = code.opaque(code.at(kind, target, code.add(code.mul(column, str(windows.units)), unit)))
        masks = self._masks(code, code.sub(str(windows.units), unit))
        for u in range(self.vectors):
            for p, line in enumerate(sums):
                self._store(code, line[u], code.at(kind, place, str(p * windows.units + u * self.lanes)), masks[u])

    def _sums(self, code: Code, window: str, filters: str) -> list[list[str]]:
        """The results of a tile: for each pixel its vectors of units."""
        windows, kind = self.windows, register(self.dtype)
        type_ = vector(kind, self.lanes)
        slots = [[code.slot(type_) for _ in range(self.vectors)] for _ in range(self.pixels)]
        for slot in (s for line in slots for s in line):
            code.store_vector(type_, "zeroinitializer", slot)
        columns, run = windows.columns, windows.channels
        if windows.right == run and windows.along == 1:  # the pixels of a row of the window lie in one piece
            columns, run = 1, columns * run
        with ExitStack() as loops:
            here, weights = window, filters
            depths = (windows.rows, columns * run), (columns, run), (run, 1)
            for (count, depth), step in zip(depths, (windows.down, windows.right, windows.along)):
                i = loops.enter_context(code.loop(str(count)))
                here = code.at(kind, here, code.mul(i, str(step)))
                weights = code.at(kind, weights, code.mul(i, str(depth * self.together)))
            ws = [code.load_vector(type_, code.at(kind, weights, str(u * self.lanes))) for u in range(self.vectors)]
            for p, line in enumerate(slots):
                x = code.splat(kind, code.load(kind, code.at(kind, here, str(p * windows.stride))), self.lanes)
                for slot, w in zip(line, ws):
                    code.store_vector(type_, self._more(code, type_, x, w, code.load_vector(type_, slot)), slot)
        return [[code.load_vector(type_, slot) for slot in line] for line in slots]

    def _more(self, code: Code, type_: str, x: str, w: str, so_far: str) -> str:
        """What there is so far, and a product."""
        if self.dtype.is_floating:
            return code.call(f"llvm.fmuladd.{self._suffix}", type_, [(type_, x), (type_, w), (type_, so_far)])
        product = code.let(f"mul {type_} {x}, {w}")
        return code.let(f"add {type_} {so_far}, {product}")

    @property
    def _suffix(self) -> str:
        return vector_suffix(register(self.dtype), self.lanes)

    def _masks(self, code: Code, left: str) -> list[str]:
        """Which units of each vector there are, if so many are left; nothing where that is all."""
        if self.windows.units % self.together == 0:
            return [""] * self.vectors
        type_ = vector("i64", self.lanes)
        many = code.splat("i64", left, self.lanes) if not is_literal(left) else f"splat (i64 {left})"
        numbers = [counting("i64", self.lanes, u * self.lanes) for u in range(self.vectors)]
        return [code.let(f"icmp slt {type_} {n}, {many}") for n in numbers]

    def _load(self, code: Code, place: str, mask: str) -> str:
        type_ = vector(register(self.dtype), self.lanes)
        if not mask:
            return code.load_vector(type_, place)
        given = [("ptr", place), ("i32", "4"), (vector("i1", self.lanes), mask), (type_, "zeroinitializer")]
        return code.call(f"llvm.masked.load.{self._suffix}.p0", type_, given)

    def _store(self, code: Code, value: str, place: str, mask: str) -> None:
        type_ = vector(register(self.dtype), self.lanes)
        if not mask:
            code.store_vector(type_, value, place)
            return
        given = [(type_, value), ("ptr", place), ("i32", "4"), (vector("i1", self.lanes), mask)]
        code.call(f"llvm.masked.store.{self._suffix}.p0", "void", given)
