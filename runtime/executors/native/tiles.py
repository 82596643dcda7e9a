"""Products added up in registers: a tile of pixels of a row, and of units, at a time."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass

from runtime.executors.native import memory
from runtime.executors.native.code import Code, counting, is_literal, register, vector
from runtime.executors.native.lowering import Lowering
from runtime.executors.native.machine import vector_bits
from runtime.executors.native.values import Array
from runtime.executors.native.vectors import Vectors, vector_suffix
from runtime.graph.dtypes import DType

SPEED = 32  # multiplications and additions in the time of an operation on elements, for the decision on threads
Finish = Callable[[Code, str], str]  # what is done to a result, or to a vector of them, before it is stored
_MOST = 16  # sums at a time: more are hardly quicker, and take long to compile


@functools.cache
def _tile(width: int, units: int, lanes: int) -> tuple[int, int]:
    """How many pixels of a row, and how many vectors of units, to hold in registers at a time."""
    registers = 32 if vector_bits() == 512 else 16
    fits = [
        (pixels, vectors)
        for vectors in (1, 2, 4)  # three as one vector LLVM takes apart, number by number
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
        lanes = vector_bits() // (8 * dtype.size)
        self.pixels, vectors = _tile(windows.count, windows.units, lanes)
        self.together = vectors * lanes  # units of a tile
        self.type_, self.suffix = vector(register(dtype), self.together), vector_suffix(register(dtype), self.together)
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
        kind = register(self.dtype)
        first = code.mul(part, str(self.together))
        left = code.sub(str(self.windows.units), first)
        source = code.at(kind, source, code.mul(first, str(strides[1])))
        if strides[1] == 1:
            mask = self._mask(code, left)
            with code.loop(str(self.depth)) as k:
                numbers = self._load(code, code.at(kind, source, code.mul(k, str(strides[0]))), mask)
                code.store_vector(self.type_, numbers, code.at(kind, target, code.mul(k, str(self.together))))
            return
        if self.windows.units % self.together:
            memory.clear(code, target, str(self.depth * self.together * self.dtype.size))
        with code.loop(code.least(str(self.together), left)) as unit, code.loop(str(self.depth)) as k:
            number = code.load(kind, code.at(kind, source, code.offset((k, unit), list(map(str, strides)))))
            code.store(kind, number, code.at(kind, target, code.offset((k, unit), (str(self.together), "1"))))

    def multiply(
        self, code: Code, source: str, step: int, filters: str, target: str, lines: str, finish: Finish | None = None
    ) -> None:
        """So many rows of results, from windows whose rows lie `step` numbers apart."""
        windows, kind = self.windows, register(self.dtype)
        with code.loop(str(self.parts)) as part, code.loop(lines) as line, code.loop(str(self.across)) as tile:
            here = code.at(kind, source, code.mul(line, str(step)))
            there = code.at(kind, target, code.mul(line, str(windows.count * windows.units)))
            weights = code.at(kind, filters, code.mul(part, str(self.depth * self.together)))
            self.tile(code, here, weights, there, part, tile, finish)

    def tile(
        self, code: Code, source: str, filters: str, target: str, part: str, tile: str, finish: Finish | None = None,
        more: bool = False,
    ) -> None:  # fmt: skip
        """The results of a tile, in their place in a row; the last one begins so that it ends with the row.

        With `more` they are added to what is there; then each tile begins where the last one ends, and there is room.
        """
        windows, kind = self.windows, register(self.dtype)
        column = code.mul(tile, str(self.pixels))
        if not more:
            column = code.least(column, str(windows.count - self.pixels))
        window = code.opaque(code.at(kind, source, code.mul(column, str(windows.stride))))
        sums = self._sums(code, window, code.opaque(filters))
        unit = code.mul(part, str(self.together))
        place = code.opaque(code.at(kind, target, code.add(code.mul(column, str(windows.units)), unit)))
        mask = self._mask(code, code.sub(str(windows.units), unit))
        if finish is not None:
            vectors = Vectors(code, self.together)
            vectors.varying.update(sums)
            done = [finish(vectors, total) for total in sums]
            sums = [
                f"splat ({kind} {d})" if d[0] in "-0123456789" else d for d in done
            ]  # a number, whatever the sums are
        for p, total in enumerate(sums):
            there = code.at(kind, place, str(p * windows.units))
            if more:
                total = code.let(f"fadd {self.type_} {total}, {self._load(code, there, mask)}")
            self._store(code, total, there, mask)

    def _sums(self, code: Code, window: str, filters: str) -> list[str]:
        """The results of a tile: for each pixel its units."""
        windows, kind = self.windows, register(self.dtype)
        slots = [code.slot(self.type_) for _ in range(self.pixels)]
        for slot in slots:
            code.store_vector(self.type_, "zeroinitializer", slot)
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
            w = code.load_vector(self.type_, weights)
            for p, slot in enumerate(slots):
                number = code.load(kind, code.at(kind, here, str(p * windows.stride)))
                x = code.splat(kind, number, self.together)
                code.store_vector(self.type_, self._more(code, x, w, code.load_vector(self.type_, slot)), slot)
        return [code.load_vector(self.type_, slot) for slot in slots]

    def _more(self, code: Code, x: str, w: str, so_far: str) -> str:
        """What there is so far, and a product."""
        if self.dtype.is_floating:
            given = [(self.type_, value) for value in (x, w, so_far)]
            return code.call(f"llvm.fmuladd.{self.suffix}", self.type_, given)
        product = code.let(f"mul {self.type_} {x}, {w}")
        return code.let(f"add {self.type_} {so_far}, {product}")

    def _mask(self, code: Code, left: str) -> str:
        """Which units there are, if so many are left; nothing where that is all."""
        if self.windows.units % self.together == 0:
            return ""
        many = code.splat("i64", left, self.together) if not is_literal(left) else f"splat (i64 {left})"
        return code.let(f"icmp slt {vector('i64', self.together)} {counting('i64', self.together)}, {many}")

    def _load(self, code: Code, place: str, mask: str) -> str:
        if not mask:
            return code.load_vector(self.type_, place)
        given = [("ptr", place), ("i32", "4"), (vector("i1", self.together), mask), (self.type_, "zeroinitializer")]
        return code.call(f"llvm.masked.load.{self.suffix}.p0", self.type_, given)

    def _store(self, code: Code, value: str, place: str, mask: str) -> None:
        if not mask:
            code.store_vector(self.type_, value, place)
            return
        given = [(self.type_, value), ("ptr", place), ("i32", "4"), (vector("i1", self.together), mask)]
        code.call(f"llvm.masked.store.{self.suffix}.p0", "void", given)
