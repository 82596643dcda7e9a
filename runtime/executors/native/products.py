"""Products of matrices: in registers where their sizes are known, by loops for integers, by BLAS otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

from runtime.executors.native import blas, interrupts, scalars
from runtime.executors.native.arithmetic import element_of
from runtime.executors.native.broadcasting import broadcast_dims, strides_for
from runtime.executors.native.code import Code, is_literal, memory, register
from runtime.executors.native.lowering import Lowering, element, handles
from runtime.executors.native.parallel import THREADS, divided
from runtime.executors.native.tiles import SPEED, Tiles, Windows
from runtime.executors.native.values import Array, Lowered, Scalar, Unsupported, strided
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import DType
from runtime.graph.graph import Node
from runtime.ops import elementwise as ew, linalg

_SMALL = 16_000  # multiplications with a vector up to which loops beat the call of BLAS
_LARGE = 4_000_000  # from which threads are worth waiting for
_HUGE = 2_000_000_000  # from which BLAS is ahead: it packs both matrices
_HALF = 1_000_000  # of a matrix with its own transpose, from which it pays to compute half of it
_PARTS = 8  # into which its rows are cut then
_SQUARE = 32  # rows and columns of it that are mirrored at a time
_BLOCK = 3_000_000_000  # that BLAS is asked for at a time, if its blocks are no less than so many rows
_WIDTH, _LOWEST = 1024, 64  # and have so many columns


@handles(linalg.matmul)
def matmul(lowering: Lowering, node: Node) -> list[Lowered]:
    code, dtype = lowering.code, node.outputs[0].type.dtype
    a, b = (_readable(lowering, _as_type(lowering, lowering.array(v), dtype)) for v in node.inputs)
    row, column = len(a.dims) == 1, len(b.dims) == 1
    if row:
        a = replace(a, dims=("1", *a.dims), strides=("0", *a.strides))
    if column:
        b = replace(b, dims=(*b.dims, "1"), strides=(*b.strides, "0"))
    lowering.require(code.compare("eq", a.dims[-1], b.dims[-2]))
    batch = [*broadcast_dims(lowering, [a.dims[:-2], b.dims[:-2]], node.outputs[0].type.shape or ())]
    if not row and len(b.dims) == 2 and batch and a.packed:  # one product of all rows
        rows = code.product(a.dims[:-1])
        whole = lowering.result(node.outputs[0], [*batch, a.dims[-2], *([] if column else [b.dims[-1]])])
        flat = replace(a, dims=(rows, a.dims[-1]), strides=(a.dims[-1], "1"))
        result = replace(whole, dims=(rows, b.dims[-1]), strides=(b.dims[-1], "1"))
        Product(lowering, flat, b, result).write(flat, b, result)
        return [whole]
    full = [*batch, a.dims[-2], b.dims[-1]]
    dims = [*batch, *([] if row else [a.dims[-2]]), *([] if column else [b.dims[-1]])]
    made = lowering.result(node.outputs[0], dims)
    target = replace(made, dims=tuple(full), strides=(*made.strides[: len(batch)], b.dims[-1], "1"))
    if not batch:
        Product(lowering, a, b, target).write(a, b, target)
        return [made]
    one = Product(lowering, *(strided(x, x.pointer, x.dims[-2:], x.strides[-2:]) for x in (a, b, target)))
    steps = [strides_for(lowering, strided(x, x.pointer, x.dims[:-2], x.strides[:-2]), batch) for x in (a, b, target)]
    with nest(code, batch, independent=False) as indices:
        one.write(*(_matrix(code, x, s, indices) for x, s in zip((a, b, target), steps)))
    return [made]


def _readable(lowering: Lowering, array: Array) -> Array:
    """Rows or columns without gaps and one behind the other, as BLAS takes them."""
    if len(array.dims) < 2 or array.packed:
        return array
    (rows, columns), (down, along) = array.dims[-2:], array.strides[-2:]
    if (along == "1" and _goes_on(down, columns)) or (down == "1" and _goes_on(along, rows)):
        return array
    return (
        _copied_if_needed(lowering, array) if len(array.dims) == 2 and "1" in (along, down) else lowering.copied(array)
    )


def _goes_on(step: str, size: str) -> bool:
    """Whether each line surely begins behind the one before: neither backwards, nor where that is."""
    return step == size or (is_literal(step) and is_literal(size) and int(step) >= max(int(size), 1))


def _copied_if_needed(lowering: Lowering, matrix: Array) -> Array:
    """A matrix whose lines have no gaps; a copy of it where one does not begin behind the one before, which may be
    known only when it runs: the copy has no lines otherwise."""
    code = lowering.code
    line = 0 if matrix.strides[1] == "1" else 1  # the axis from line to line
    size, step = matrix.dims[1 - line], matrix.strides[line]
    fits = code.compare("sge", step, code.most(size, "1"))
    lines = code.choose(fits, "0", matrix.dims[line])
    part = replace(matrix, dims=(lines, size) if line == 0 else (size, lines))
    turned = part if line == 0 else replace(part, dims=part.dims[::-1], strides=part.strides[::-1])
    made = lowering.copied(turned)
    pointer = code.choose(fits, matrix.pointer, made.pointer, "ptr")
    step = code.choose(fits, step, size)
    strides = (step, "1") if line == 0 else ("1", step)
    buffers = matrix.buffers | made.buffers
    return replace(matrix, pointer=pointer, strides=strides, buffers=buffers, packed=False)


def _as_type(lowering: Lowering, array: Array, dtype: DType) -> Array:
    if array.dtype == dtype:
        return array
    made = lowering.allocate(array.dims, dtype)
    with nest(lowering.code, array.dims) as indices:
        number = scalars.load(lowering.code, lowering.element(array, indices), array.dtype)
        scalars.store(lowering.code, scalars.cast(lowering.code, number, dtype), lowering.element(made, indices))
    return made


def _matrix(code: Code, array: Array, strides: Sequence[str], indices: Sequence[str]) -> Array:
    """The matrix at these indices of the axes before the last two, which have these strides."""
    offset = "0"
    for index, s in zip(indices, strides):
        if s != "0":
            offset = code.add(offset, code.mul(index, s))
    pointer = code.at(memory(array.dtype), array.pointer, offset)
    return strided(array, pointer, array.dims[-2:], array.strides[-2:])


class Product:
    """c = a @ b, for matrices of these dimensions and strides."""

    def __init__(self, lowering: Lowering, a: Array, b: Array, c: Array) -> None:
        self.lowering = lowering
        layout = [part for x in (a, b, c) for part in (*x.dims, *x.strides)]
        self.known, self.name = all(map(is_literal, layout)), f"product.{c.dtype.name}.{'.'.join(layout)}"
        real = not (c.dtype.is_bool or c.dtype.is_complex)
        work = int(a.dims[1]) * int(c.dims[0]) * int(c.dims[1]) if self.known else 0
        floats = c.dtype.is_floating or (c.dtype.is_complex and blas.found())
        better = floats and blas.found() and (work > _HUGE or (work > _HALF and _is_with_its_transpose(a, b)))
        self.by_tiles = self.known and real and c.dtype.size >= 4 and all(int(d) > 1 for d in c.dims) and not better
        small = self.known and work <= _SMALL
        numbers = c.dims == ("1", "1")  # a sum of products, which a loop makes as fast as any
        self.by_blas = floats and not (self.by_tiles or small or numbers)
        self.scratch = lowering.allocate([str(_panels(_tiles(a, c)))], c.dtype).pointer if self.by_tiles else "null"

    def write(self, a: Array, b: Array, c: Array) -> None:
        code = self.lowering.code
        if self.by_blas:
            _by_blas(self.lowering, a, b, c)
        elif self.known:
            self._call(a, b, c)
        else:
            _by_loops(code, a, b, c)

    def _call(self, a: Array, b: Array, c: Array) -> None:
        """In a function for all products of matrices like these."""
        module = self.lowering.module
        if self.name not in module.shared:
            module.shared.add(self.name)
            code = Code(module)
            code.patience = interrupts.Allowance(code, "%ctx")
            given = (replace(x, pointer=p) for x, p in zip((a, b, c), ("%a", "%b", "%c")))
            (_by_tiles if self.by_tiles else _by_loops)(code, *given)
            interrupts.end(code)
            signature = f"internal i32 @{self.name}(ptr %ctx, ptr %a, ptr %b, ptr noalias %c, ptr %scratch)"
            code.finish(signature, "noinline nounwind")
        pointers = (self.lowering.context, a.pointer, b.pointer, c.pointer, self.scratch)
        interrupts.call(self.lowering.code, self.name, [("ptr", p) for p in pointers])


def _is_with_its_transpose(a: Array, b: Array) -> bool:
    """Whether one matrix is the other's transpose, as they lie in memory, so that the product is symmetric."""
    same = (a.pointer, *a.dims, *a.strides) == (b.pointer, *b.dims[::-1], *b.strides[::-1])
    return same and not a.dtype.is_complex


def _tiles(a: Array, c: Array) -> Tiles:
    rows, columns = map(int, c.dims)
    stride, along = map(int, a.strides)
    return Tiles(Windows(rows, columns, int(a.dims[1]), stride, along), c.dtype)


def _panels(tiles: Tiles) -> int:
    """The numbers that the threads keep of the second matrix."""
    return THREADS * tiles.depth * tiles.together


def _by_tiles(code: Code, a: Array, b: Array, c: Array) -> None:
    """Parts of columns, packed, times all rows; or the other way round if there are not as many as threads."""
    tiles, kind = _tiles(a, c), register(c.dtype)
    strides = int(b.strides[0]), int(b.strides[1])
    bare = tiles.together == int(c.dims[1]) and strides == (tiles.together, 1)
    by_columns = tiles.parts >= THREADS

    def body(inner: Code, values: Sequence[str], start: str, end: str, number: str) -> None:
        left, right, result, scratch = values
        panel = inner.at(kind, scratch, inner.mul(number, str(tiles.depth * tiles.together)))
        parts = (start, end) if by_columns else ("0", str(tiles.parts))
        rows = ("0", str(tiles.across)) if by_columns else (start, end)
        with inner.loop(parts[1], parts[0]) as part:
            if not bare:
                tiles.pack(inner, right, strides, part, panel)
            with inner.loop(rows[1], rows[0]) as tile:
                tiles.tile(inner, left, right if bare else panel, result, part, tile)

    count = tiles.parts if by_columns else tiles.across
    work = tiles.across * tiles.pixels * tiles.parts * tiles.together * tiles.depth
    captured = [("ptr", x.pointer) for x in (a, b, c)]
    divided(code, str(count), work // count // SPEED, [*captured, ("ptr", "%scratch")], body)


def _by_loops(code: Code, a: Array, b: Array, c: Array) -> None:
    """A column is made of sums of products along rows, for which the row stays in the cache."""
    dtype = c.dtype
    if dtype.is_bool:
        raise Unsupported("a product of matrices of truth values")
    kind = register(dtype)
    add, mul = ("fadd contract", "fmul contract") if dtype.is_floating else ("add", "mul")
    if dtype.is_complex:
        _of_complex(code, a, b, c)
        return
    if c.dims[1] == "1":  # sums of products along rows
        with nest(code, [c.dims[0]], independent=False) as (i,):
            so_far = code.slot(kind)
            code.store(kind, scalars.literal(0, dtype).text, so_far)
            with nest(code, [a.dims[1]]) as (k,):
                x = code.load(kind, element(code, a, [i, k]))
                y = code.load(kind, element(code, b, [k, "0"]))
                how = f"{add} reassoc nsz" if dtype.is_floating else add
                total = code.let(f"{how} {kind} {code.load(kind, so_far)}, {code.let(f'{mul} {kind} {x}, {y}')}")
                code.store(kind, total, so_far)
            code.store(kind, code.load(kind, so_far), element(code, c, [i, "0"]))
        return
    matrices = ((x.pointer, x.strides[0], x.strides[1]) for x in (a, b, c))
    blas.by_loops(code, dtype, c.dims[0], c.dims[1], a.dims[1], *matrices)


def _of_complex(code: Code, a: Array, b: Array, c: Array) -> None:
    kind = register(c.dtype)
    with nest(code, c.dims, independent=False) as (i, j):
        so_far = code.slot(kind)
        code.store(kind, scalars.zero_of(c.dtype), so_far)
        with code.loop(a.dims[1]) as k:
            x, y = (scalars.load(code, element(code, m, at), c.dtype) for m, at in ((a, [i, k]), (b, [k, j])))
            term = element_of(code, ew.multiply, [x, y], c.dtype)
            total = element_of(code, ew.add, [Scalar(code.load(kind, so_far), c.dtype), term], c.dtype)
            code.store(kind, total.text, so_far)
        code.store(kind, code.load(kind, so_far), element(code, c, [i, j]))


def _by_blas(lowering: Lowering, a: Array, b: Array, c: Array) -> None:
    if "1" in c.dims and blas.found():
        _with_vector(lowering, a, b, c)
        return
    symmetric = _is_with_its_transpose(a, b)
    a, ta, lda = _layout(lowering, a)
    b, tb, ldb = _layout(lowering, b)
    m, n = c.dims
    code, k = lowering.code, a.dims[1]
    work = code.product([m, n, k])
    with blas.alone(code) if is_literal(work) and int(work) < _LARGE else nullcontext():
        if is_literal(work) and int(work) <= _BLOCK and not symmetric:
            blas.gemm(code, c.dtype, ta, tb, m, n, k, a.pointer, lda, b.pointer, ldb, c.pointer, n)
            code.spend(work, SPEED)
            return
        # BLAS cannot be interrupted: large products are made in blocks. Of a symmetric one it makes those that are not
        # left of the diagonal.
        height = code.most(code.divide(str(_BLOCK // _WIDTH), code.most(k, "1")), str(_LOWEST))
        if symmetric:
            height = code.least(height, code.most(code.divide(m, str(_PARTS)), str(_LOWEST)))
        blocks = code.divide(code.add(m, code.sub(height, "1")), height)
        kind = register(c.dtype)
        with code.loop(blocks) as block:
            row = code.mul(block, height)
            with code.loop(n, row if symmetric else "0", step=_WIDTH) as column:
                size = code.least(height, code.sub(m, row)), code.least(str(_WIDTH), code.sub(n, column))
                left = code.at(kind, a.pointer, code.mul(row, a.strides[0]))
                right = code.at(kind, b.pointer, code.mul(column, b.strides[1]))
                place = code.at(kind, c.pointer, code.add(code.mul(row, n), column))
                blas.gemm(code, c.dtype, ta, tb, *size, k, left, lda, right, ldb, place, n)
                code.spend(code.product([*size, k]), SPEED)
        if symmetric:
            _mirrored(code, kind, c.pointer, n)


def _mirrored(code: Code, kind: str, matrix: str, n: str) -> None:
    """Write to the left of the diagonal what stands to the right, square by square, so that both stay in the cache."""

    def place(i: str, j: str) -> str:
        return code.at(kind, matrix, code.offset((i, j), (n, "1")))

    def last(first: str, bound: str) -> str:
        return code.least(code.add(first, str(_SQUARE)), bound)

    with (
        code.loop(n, step=_SQUARE) as row,
        code.loop(code.add(row, "1"), step=_SQUARE) as column,
        code.loop(last(row, n), row) as i,
        code.loop(last(column, i), column) as j,
    ):
        code.store(kind, code.load(kind, place(j, i)), place(i, j))


def _with_vector(lowering: Lowering, a: Array, b: Array, c: Array) -> None:
    """A matrix times a column, or a row times a matrix, which is its transpose times a column."""
    code, k = lowering.code, a.dims[1]
    by_column = c.dims[1] == "1"
    matrix, transposed, apart = _layout(lowering, a if by_column else b)
    vector = b if by_column else replace(a, dims=a.dims[::-1], strides=a.strides[::-1])
    step = vector.strides[0]
    if not is_literal(step) or int(step) <= 0:  # BLAS begins at the other end where it goes back
        vector = lowering.copied(vector)
        step = "1"
    rows, columns = matrix.dims[::-1] if transposed else matrix.dims
    place, size = c.pointer, c.dims[0] if by_column else c.dims[1]
    with nest(code, [size]) as (i,):  # which BLAS leaves as it is where there is nothing to add
        scalars.store(code, scalars.literal(0, c.dtype), code.at(memory(c.dtype), place, i))
    turned = transposed if by_column else not transposed
    blas.gemv(code, c.dtype, turned, rows, columns, matrix.pointer, apart, vector.pointer, step, place)
    code.spend(code.product([size, k]), SPEED)


def _layout(lowering: Lowering, x: Array) -> tuple[Array, bool, str]:
    """The matrix as BLAS takes it: whether it is transposed, and the distance of its rows (or columns)."""
    code = lowering.code
    if x.strides[1] == "1":
        return x, False, code.most(x.strides[0], code.most(x.dims[1], "1")) if x.dims[0] == "1" else x.strides[0]
    if x.strides[0] == "1":
        return x, True, code.most(x.dims[0], "1") if x.dims[1] == "1" else x.strides[1]
    raise Unsupported("a matrix with gaps", lowering.node)


@handles(linalg.outer)
def outer(lowering: Lowering, node: Node) -> list[Lowered]:
    code, dtype = lowering.code, node.outputs[0].type.dtype
    a, b = (lowering.packed(lowering.array(v)) for v in node.inputs)
    sizes = [code.product(x.dims) for x in (a, b)]
    made = lowering.result(node.outputs[0], sizes)
    with nest(code, sizes) as indices:
        x, y = (scalars.load(code, code.at(memory(v.dtype), v.pointer, i), v.dtype) for v, i in zip((a, b), indices))
        scalars.store(code, element_of(code, ew.multiply, [x, y], dtype), lowering.element(made, indices))
    return [made]
