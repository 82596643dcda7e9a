"""Lists of rows of any length: the cells of all in one block with room to grow, and a place for each row."""

from __future__ import annotations

from dataclasses import replace

from runtime.executors.native import memory as blocks, scalars
from runtime.executors.native.code import Code, Module, memory as memory_type
from runtime.executors.native.lists import cleared_between, element, fill, from_front, own, place_of, resized, with_room
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.machine import once_for_all
from runtime.executors.native.values import LARGEST, Array, Lowered, Scalar, dense, strided
from runtime.graph.dtypes import bool_, int64
from runtime.graph.graph import Node, Value
from runtime.ops import rows

_START, _SIZE, _ROOM = range(3)
_LEAST = "4"  # cells of a row that something is appended to

# New memory for cells, with room for more: all rows in their order, with the room that each has, or nothing between
# them if it is to be tight. Of a row that nobody wrote zeros are made, so many, unless that is negative. Null where
# there is no such memory.
_RUNTIME = f"""
define {{ ptr, i64, i64 }} @rows.anew(
    ptr %ctx, ptr %places, i64 %count, ptr %cells, i64 %cell, i64 %capacity, i64 %more, i1 %tight,
    i64 %unwritten) {{
entry:
  %fills = icmp sge i64 %unwritten, 0
  %zeros = select i1 %fills, i64 %unwritten, i64 0
  %one = icmp sgt i64 %cell, 0
  %unit = select i1 %one, i64 %cell, i64 1
  %limit = udiv i64 {LARGEST}, %unit
  br label %sum
sum:
  %i = phi i64 [ 0, %entry ], [ %inext, %added ]
  %total = phi i64 [ %more, %entry ], [ %larger, %added ]
  %ismore = icmp slt i64 %i, %count
  br i1 %ismore, label %added, label %summed
added:
  %ithree = mul i64 %i, 3
  %iroomat = add i64 %ithree, {_ROOM}
  %iroom = getelementptr i64, ptr %places, i64 %iroomat
  %room = load i64, ptr %iroom
  %withroom = add i64 %total, %room
  %larger = add i64 %withroom, %zeros
  %inext = add i64 %i, 1
  %toomany = icmp ugt i64 %larger, %limit
  br i1 %toomany, label %none, label %sum
summed:
  %half = lshr i64 %total, 1
  %wanted = add i64 %total, %half
  %enough = icmp sgt i64 %wanted, %capacity
  %most = select i1 %enough, i64 %wanted, i64 %capacity
  %some = icmp sgt i64 %most, 4
  %cap = select i1 %some, i64 %most, i64 4
  %bytes = mul i64 %cap, %cell
  %large = icmp ugt i64 %bytes, {LARGEST}
  br i1 %large, label %none, label %make
make:
  %new = call ptr @block.new(ptr %ctx, i64 %bytes)
  %null = icmp eq ptr %new, null
  br i1 %null, label %none, label %move
none:
  ret {{ ptr, i64, i64 }} zeroinitializer
move:
  %j = phi i64 [ 0, %make ], [ %jnext, %moved ]
  %at = phi i64 [ 0, %make ], [ %end, %moved ]
  %isrow = icmp slt i64 %j, %count
  br i1 %isrow, label %moved, label %done
moved:
  %jthree = mul i64 %j, 3
  %place = getelementptr i64, ptr %places, i64 %jthree
  %sizeat = getelementptr i64, ptr %place, i64 {_SIZE}
  %roomat = getelementptr i64, ptr %place, i64 {_ROOM}
  %start = load i64, ptr %place
  %size = load i64, ptr %sizeat
  %itsroom = load i64, ptr %roomat
  %written = icmp sgt i64 %size, 0
  %less = sub i64 %size, 1
  %there = select i1 %written, i64 %less, i64 0
  %length = select i1 %written, i64 %less, i64 %zeros
  %keeps = select i1 %tight, i64 %length, i64 %itsroom
  %from = mul i64 %start, %cell
  %to = mul i64 %at, %cell
  %much = mul i64 %there, %cell
  %source = getelementptr i8, ptr %cells, i64 %from
  %target = getelementptr i8, ptr %new, i64 %to
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %source, i64 %much, i1 false)
  %nothing = sub i64 %length, %there
  %clear = mul i64 %nothing, %cell
  call void @llvm.memset.p0.i64(ptr %target, i8 0, i64 %clear, i1 false)
  %isfull = or i1 %written, %fills
  %full = add i64 %length, 1
  %newsize = select i1 %isfull, i64 %full, i64 0
  store i64 %newsize, ptr %sizeat
  store i64 %at, ptr %place
  store i64 %keeps, ptr %roomat
  %end = add i64 %at, %keeps
  %jnext = add i64 %j, 1
  br label %move
done:
  %r1 = insertvalue {{ ptr, i64, i64 }} undef, ptr %new, 0
  %r2 = insertvalue {{ ptr, i64, i64 }} %r1, i64 %at, 1
  %r3 = insertvalue {{ ptr, i64, i64 }} %r2, i64 %cap, 2
  ret {{ ptr, i64, i64 }} %r3
}}

; Whether nothing is between rows in their order, and if it fills, each is written.
define i1 @rows.tight(ptr %places, i64 %count, i64 %used, i1 %fills) {{
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %inext, %good ]
  %at = phi i64 [ 0, %entry ], [ %end, %good ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %three = mul i64 %i, 3
  %place = getelementptr i64, ptr %places, i64 %three
  %sizeat = getelementptr i64, ptr %place, i64 {_SIZE}
  %start = load i64, ptr %place
  %size = load i64, ptr %sizeat
  %written = icmp sgt i64 %size, 0
  %less = sub i64 %size, 1
  %length = select i1 %written, i64 %less, i64 0
  %empty = icmp eq i64 %length, 0
  %there = icmp eq i64 %start, %at
  %known = or i1 %empty, %there
  %missing = xor i1 %written, true
  %unfilled = and i1 %missing, %fills
  %filled = xor i1 %unfilled, true
  %fine = and i1 %known, %filled
  br i1 %fine, label %good, label %not
good:
  %end = add i64 %at, %length
  %inext = add i64 %i, 1
  br label %head
done:
  %all = icmp eq i64 %at, %used
  ret i1 %all
not:
  ret i1 false
}}

define i64 @rows.first(ptr %places, i64 %count, i64 %otherwise) {{ ; the length of the first row that is written
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %inext, %look ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %none
look:
  %three = mul i64 %i, 3
  %word = add i64 %three, {_SIZE}
  %sizeat = getelementptr i64, ptr %places, i64 %word
  %size = load i64, ptr %sizeat
  %inext = add i64 %i, 1
  %written = icmp sgt i64 %size, 0
  br i1 %written, label %found, label %head
found:
  %length = sub i64 %size, 1
  ret i64 %length
none:
  ret i64 %otherwise
}}

define i1 @rows.even(ptr %places, i64 %count, i64 %length) {{ ; whether all rows are as long
entry:
  %wanted = add i64 %length, 1
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %inext, %look ]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %look, label %done
look:
  %three = mul i64 %i, 3
  %word = add i64 %three, {_SIZE}
  %sizeat = getelementptr i64, ptr %places, i64 %word
  %size = load i64, ptr %sizeat
  %equal = icmp eq i64 %size, %wanted
  %inext = add i64 %i, 1
  br i1 %equal, label %head, label %done
done:
  %all = phi i1 [ true, %head ], [ false, %look ]
  ret i1 %all
}}
"""
_FUNCTIONS = {
    "rows.anew": "{ ptr, i64, i64 } (ptr, ptr, i64, ptr, i64, i64, i64, i1, i64)",
    "rows.tight": "i1 (ptr, i64, i64, i1)",
    "rows.first": "i64 (ptr, i64, i64)",
    "rows.even": "i1 (ptr, i64, i64)",
}


def _write(shared: Module) -> None:
    blocks.use(shared)
    shared.declare("llvm.memcpy.p0.p0.i64", "void (ptr, ptr, i64, i1)")
    shared.declare("llvm.memset.p0.i64", "void (ptr, i8, i64, i1)")
    shared.functions.append(_RUNTIME)


def _use(module: Module) -> None:
    blocks.use(module)
    once_for_all(module, _FUNCTIONS, _write)


def _cell(code: Code, cells: Array) -> str:
    """The bytes of a cell."""
    return code.mul(cells.strides[0], str(cells.dtype.size))


def _at(code: Code, places: Array, index: str) -> str:
    """Where the place of a row is."""
    return code.field(places.pointer, code.mul(index, "3"))


def _word(code: Code, place: str, which: int) -> str:
    return code.load("i64", code.field(place, which))


def _length(lowering: Lowering, place: str) -> str:
    """The length of a row; the run fails if nobody wrote it."""
    length = lowering.code.sub(_word(lowering.code, place, _SIZE), "1")
    lowering.require(lowering.code.compare("sge", length, "0"))
    return length


def _set_length(code: Code, place: str, length: str) -> None:
    code.store("i64", code.add(length, "1"), code.field(place, _SIZE))


class _Memory:
    """The memory of cells while it may become another: its parts in slots, and whose it is."""

    def __init__(self, lowering: Lowering, cells: Array) -> None:
        if len(cells.buffers) != 1:
            cells = lowering.copied(cells)
        self.lowering, self.cells = lowering, cells
        (self.buffer,) = cells.buffers
        code = lowering.code
        self.slots = {name: code.slot(kind) for name, kind in _PARTS.items()}
        for name, text in zip(_PARTS, (cells.pointer, self.buffer.base, cells.dims[0], cells.capacity)):
            self.set(name, text)

    def get(self, name: str) -> str:
        return self.lowering.code.load(_PARTS[name], self.slots[name])

    def set(self, name: str, text: str) -> None:
        self.lowering.code.store(_PARTS[name], text, self.slots[name])

    def anew(self, places: Array, more: str, tight: bool, unwritten: str = "-1") -> None:
        """Move the cells to new memory with room for more."""
        lowering, code = self.lowering, self.lowering.code
        given = (
            f"ptr {lowering.context}, ptr {places.pointer}, i64 {places.dims[0]}, ptr {self.cells.pointer}, "
            f"i64 {_cell(code, self.cells)}, i64 {'0' if tight else self.cells.capacity}, i64 {more}, "
            f"i1 {'true' if tight else 'false'}, i64 {unwritten}"
        )
        code.spend(self.cells.capacity)
        code.spend(places.dims[0])
        made = code.let(f"call {{ ptr, i64, i64 }} @rows.anew({given})")
        new, used, capacity = (code.let(f"extractvalue {{ ptr, i64, i64 }} {made}, {i}") for i in range(3))
        lowering.require(code.let(f"icmp ne ptr {new}, null"))
        blocks.release(code, lowering.context, self.buffer.base)
        for name, text in zip(_PARTS, (new, new, used, capacity)):
            self.set(name, text)

    def result(self) -> Array:
        """The cells where they are now."""
        owned = self.lowering.scope.owned
        new = replace(self.buffer, base=self.get("base"))
        count = owned.pop(self.buffer)
        owned[new] = count - 1 if count else 0
        dims = (self.get("used"), *self.cells.dims[1:])
        return replace(
            self.cells, pointer=self.get("pointer"), dims=dims, buffers=frozenset([new]), capacity=self.get("capacity")
        )


_PARTS = {"pointer": "ptr", "base": "ptr", "used": "i64", "capacity": "i64"}


def _reserved(lowering: Lowering, places: Array, cells: Array, place: str, length: str, room: str) -> Array:
    """Cells where a row has room for so many: one that has not gets the `room`, with what it holds."""
    code = lowering.code
    _use(code.module)
    memory_ = _Memory(lowering, cells)
    move, there = code.label("move"), code.label("there")
    code.fork(code.compare("sgt", length, _word(code, place, _ROOM)), move, there)
    code.enter(move)
    grow, free = code.label("grow"), code.label("free")
    start, used = _word(code, place, _START), memory_.get("used")
    last = code.compare("eq", code.add(start, _word(code, place, _ROOM)), used)
    target = code.slot("i64")
    code.store("i64", code.choose(last, start, used), target)
    code.fork(code.compare("sgt", code.add(code.load("i64", target), room), cells.capacity), grow, free)
    code.enter(grow)
    memory_.anew(places, room, tight=False)
    code.store("i64", memory_.get("used"), target)
    code.jump(free)
    code.enter(free)
    size = _word(code, place, _SIZE)
    held = code.mul(code.most(code.sub(size, "1"), "0"), _cell(code, cells))
    to, pointer = code.load("i64", target), memory_.get("pointer")
    source = code.at("i8", pointer, code.mul(_word(code, place, _START), _cell(code, cells)))
    blocks.copy(code, code.at("i8", pointer, code.mul(to, _cell(code, cells))), source, held)
    code.store("i64", to, code.field(place, _START))
    code.store("i64", room, code.field(place, _ROOM))
    memory_.set("used", code.add(to, room))
    code.jump(there)
    code.enter(there)
    return memory_.result()


def _row(lowering: Lowering, cells: Array, start: str, length: str) -> Array:
    """A view of a row."""
    view = strided(cells, place_of(lowering, cells, start), (length, *cells.dims[1:]), cells.strides)
    return replace(view, packed=True)


@handles(rows.of)
def of(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    given = lowering.array(node.inputs[0])
    given = own(lowering, node.inputs[0]) if given.is_list else lowering.copied(given, lasting=True)
    count, length = given.dims[:2]
    made = lowering.new_list("0", code.most(count, "4"), ("3",), int64)
    with code.loop(count) as i:
        place = _at(code, made, i)
        code.store("i64", code.mul(i, length), place)
        _set_length(code, place, length)
        code.store("i64", length, code.field(place, _ROOM))
    dims = (code.mul(count, length), *given.dims[2:])
    room = code.mul(given.capacity if given.is_list else count, length)
    cells = replace(given, dims=dims, strides=dense(code, dims), capacity=room)
    return [resized(made, count), cells]


@handles(rows.split)
def split(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    cells, lengths = lowering.copied(lowering.array(node.inputs[0]), lasting=True), lowering.array(node.inputs[1])
    count = lengths.dims[0]
    made = lowering.new_list("0", code.most(count, "4"), ("3",), int64)
    end = code.slot("i64")
    code.store("i64", "0", end)
    with code.loop(count) as i:
        place, start = _at(code, made, i), code.load("i64", end)
        number = code.load(memory_type(lengths.dtype), lowering.element(lengths, [i]))
        length = scalars.cast(code, Scalar(number, lengths.dtype), int64).text
        lowering.require(code.compare("sge", length, "0"))
        lowering.require(code.compare("sle", length, code.sub(cells.dims[0], start)))
        code.store("i64", start, place)
        _set_length(code, place, length)
        code.store("i64", length, code.field(place, _ROOM))
        code.store("i64", code.add(start, length), end)
    lowering.require(code.compare("eq", code.load("i64", end), cells.dims[0]))
    return [resized(made, count), replace(cells, capacity=cells.dims[0])]


@handles(rows.even)
def even(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    places, cells = _tightened(lowering, *_own_parts(lowering, node))
    length = _first_length(lowering, places, 0)
    lowering.require(code.let(f"call i1 @rows.even(ptr {places.pointer}, i64 {places.dims[0]}, i64 {length})"))
    dims = (places.dims[0], length, *cells.dims[1:])
    return [replace(cells, dims=dims, strides=dense(code, dims), capacity=places.dims[0])]


def _own_parts(lowering: Lowering, node: Node) -> tuple[Array, Array]:
    return own(lowering, node.inputs[0]), own(lowering, node.inputs[1])


@handles(rows.is_written)
def is_written(lowering: Lowering, node: Node) -> list[Lowered]:
    code, places = lowering.code, lowering.array(node.inputs[0])
    place = _at(code, places, from_front(lowering, lowering.index(node.inputs[1]), places.dims[0], negative=False))
    return [Scalar(code.compare("sgt", _word(code, place, _SIZE), "0"), bool_)]


@handles(rows.first_length)
def first_length(lowering: Lowering, node: Node) -> list[Lowered]:
    length = _first_length(lowering, lowering.array(node.inputs[0]), node.attributes["otherwise"])
    lowering.require(lowering.code.compare("sge", length, "0"))
    return [Scalar(length, int64)]


def _first_length(lowering: Lowering, places: Array, otherwise: int) -> str:
    _use(lowering.code.module)
    given = f"ptr {places.pointer}, i64 {places.dims[0]}, i64 {otherwise}"
    return lowering.code.let(f"call i64 @rows.first({given})")


@handles(rows.filled)
def filled(lowering: Lowering, node: Node) -> list[Lowered]:
    places, cells = _own_parts(lowering, node)
    code, length = lowering.code, _first_length(lowering, places, node.attributes["otherwise"])
    none = code.compare("eq", places.dims[0], "0")
    lowering.require(code.choose(none, "true", code.compare("sge", length, "0"), "i1"))
    return [*_tightened(lowering, places, cells, length)]


@handles(rows.tight)
def tight(lowering: Lowering, node: Node) -> list[Lowered]:
    return [*_tightened(lowering, *_own_parts(lowering, node))]


def _tightened(lowering: Lowering, places: Array, cells: Array, unwritten: str = "") -> tuple[Array, Array]:
    """Rows in their order with nothing between them; what nobody wrote has zeros, if it is told how many."""
    code = lowering.code
    _use(code.module)
    memory_ = _Memory(lowering, cells)
    move, there = code.label("move"), code.label("tight")
    given = f"ptr {places.pointer}, i64 {places.dims[0]}, i64 {cells.dims[0]}, i1 {'true' if unwritten else 'false'}"
    code.fork(code.let(f"call i1 @rows.tight({given})"), there, move)
    code.enter(move)
    memory_.anew(places, "0", tight=True, unwritten=unwritten or "-1")
    code.jump(there)
    code.enter(there)
    return places, memory_.result()


@handles(rows.item)
def item(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    places, cells = lowering.array(node.inputs[0]), lowering.array(node.inputs[1])
    negative = node.attributes["what"] != "read"
    place = _at(code, places, from_front(lowering, lowering.index(node.inputs[2]), places.dims[0], negative))
    length = _length(lowering, place)
    return [_row(lowering, cells, _word(code, place, _START), length)]


@handles(rows.cell)
def cell(lowering: Lowering, node: Node) -> list[Lowered]:
    return [_one(lowering, lowering.array(node.inputs[0]), lowering.array(node.inputs[1]), node.inputs[2:])]


@handles(rows.put_cell)
def put_cell(lowering: Lowering, node: Node) -> list[Lowered]:
    cells = own(lowering, node.inputs[1])
    target = _one(lowering, lowering.array(node.inputs[0]), cells, node.inputs[2:4])
    fill(lowering, target, lowering.value(node.inputs[4]))
    return [cells]


def _one(lowering: Lowering, places: Array, cells: Array, at: tuple[Value, ...]) -> Array:
    """A view of a cell."""
    code = lowering.code
    place = _at(code, places, from_front(lowering, lowering.index(at[0]), places.dims[0], negative=True))
    number = from_front(lowering, lowering.index(at[1]), _length(lowering, place), negative=True)
    return element(lowering, cells, code.add(_word(code, place, _START), number))


@handles(rows.put)
def put(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    row = lowering.array(node.inputs[3])
    places, cells = _own_parts(lowering, node)
    how, index, count = node.attributes["how"], lowering.index(node.inputs[2]), places.dims[0]
    if how == rows.INSERTED:
        last = code.sub(count, "1")
        index = code.least(code.most(code.from_front(index, last), "0"), last)
    elif how == rows.GROWING:
        lowering.require(code.compare("sge", index, "0"))
        lowering.require(code.compare("slt", index, str(LARGEST)))
        length = code.most(count, code.add(index, "1"))
        places = resized(with_room(lowering, places, length), length)
        cleared_between(lowering, places, count, length)
    else:
        index = from_front(lowering, index, count, negative=how == rows.AMONG)
    place = _at(code, places, index)
    cells = _reserved(lowering, places, cells, place, row.dims[0], row.dims[0])
    _set_length(code, place, row.dims[0])
    fill(lowering, _row(lowering, cells, _word(code, place, _START), row.dims[0]), row)
    return [places, cells]


@handles(rows.append)
def append(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    places, cells = _own_parts(lowering, node)
    place = _at(code, places, from_front(lowering, lowering.index(node.inputs[2]), places.dims[0], negative=True))
    length = _length(lowering, place)
    more = code.add(length, "1")
    room = code.most(code.add(more, code.divide(more, "2")), _LEAST)
    cells = _reserved(lowering, places, cells, place, more, room)
    _set_length(code, place, more)
    target = element(lowering, cells, code.add(_word(code, place, _START), length))
    fill(lowering, target, lowering.value(node.inputs[3]))
    return [places, cells]


@handles(rows.extend)
def extend(lowering: Lowering, node: Node) -> list[Lowered]:
    code = lowering.code
    others, more = lowering.array(node.inputs[2]), lowering.array(node.inputs[3])
    places, cells = _own_parts(lowering, node)
    for d, wanted in zip(more.dims[1:], cells.dims[1:]):
        lowering.require(code.compare("eq", d, wanted))
    count, used = places.dims[0], cells.dims[0]
    places = with_room(lowering, places, code.add(count, others.dims[0]))
    blocks.copy(code, _at(code, places, count), others.pointer, lowering.size_in_bytes(others))
    with code.loop(others.dims[0]) as i:
        place = _at(code, places, code.add(count, i))
        code.store("i64", code.add(_word(code, place, _START), used), place)
    cells = with_room(lowering, cells, code.add(used, more.dims[0]))
    blocks.copy(code, place_of(lowering, cells, used), more.pointer, lowering.size_in_bytes(more))
    return [resized(places, code.add(count, others.dims[0])), resized(cells, code.add(used, more.dims[0]))]
