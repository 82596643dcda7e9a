"""Blocks of a graph become native code: their values, and who owns the memory.

A block owns the memory that was made in it. What nothing refers to any more is freed; a value that dies where a branch
or a loop takes it is handed over, so that state changes in place. A failure of any kind ends the run: the NumPy
executor then runs the graph again and says what went wrong.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from runtime.executors.native import checked, memory, scalars
from runtime.executors.native.arithmetic import ELEMENTS, runs_in_vectors
from runtime.executors.native.code import Code, Module, is_literal, memory as memory_type
from runtime.executors.native.fusion import JOINS, Group, Pending, join
from runtime.executors.native.ragged import FORMS
from runtime.executors.native.values import (
    LARGEST,
    SMALL,
    Array,
    Buffer,
    Lowered,
    Scalar,
    Unsupported,
    check_type,
    dense,
)
from runtime.executors.native.vectorised_loops import nest
from runtime.graph.dtypes import DType, int64
from runtime.graph.graph import Graph, HandleType, Node, TensorType, Type, Value
from runtime.graph.op import Op


@dataclass
class Scope:
    """One block: its values, how often each will still be used, and the memory that it owns."""

    env: dict[Value, Lowered | Pending]
    uses: Counter[Value]
    owned: dict[Buffer, int] = field(default_factory=dict)  # values that refer to it
    spare: dict[str, list[str]] = field(default_factory=dict)  # blocks of some size that nothing refers to any more
    groups: dict[tuple[str, ...], Group] = field(default_factory=dict)
    nodes: Sequence[Node] = ()
    position: int = 0


@dataclass(frozen=True)
class Handle:
    """A Variable: the memory that holds its value while the code runs. If it is written, its buffer is known.

    Where its first new value goes to another `place`, it holds until then what it held before the run.
    """

    array: Array
    place: Array | None = None


Handler = Callable[["Lowering", Node], Sequence[Lowered]]
HANDLERS: dict[Op, Handler] = {}  # by row; the files of families fill it
DECOMPOSITIONS: dict[Op, Callable[[Node], list[Node]]] = {}  # operations that are said with others


_KEPT = 64 * 1024  # bytes of a block up to which it stays at hand for the next result of its size
_OF_SHAPES: set[Op] = set()  # whose handlers need no values
_OF_REALS: set[Op] = set()  # whose handlers do not know complex numbers


def handles(*ops: Op, of_shapes: bool = False, of_reals: bool = False) -> Callable[[Handler], Handler]:
    """Register the native form of operations; one `of_shapes` asks for the dimensions of inputs, and no more; one
    `of_reals` does not know complex numbers."""

    def register_handler(function: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(ops, function))
        _OF_REALS.update(ops if of_reals else ())
        _OF_SHAPES.update(ops if of_shapes else ())
        return function

    return register_handler


def has_form(op: Op) -> bool:
    """Whether an operation has a native form; those with regions are as native as what is in them."""
    return any(op in forms for forms in (ELEMENTS, JOINS, HANDLERS, DECOMPOSITIONS, FORMS))


class Lowering:
    """One function of the native code: a graph, or a graph that it calls."""

    def __init__(self, module: Module, callees: dict[int, str]) -> None:
        self.module = module
        self.code = Code(module)
        self.callees = callees  # the names of the functions for called graphs, by identity
        self.context = "%ctx"
        self.scope = Scope({}, Counter())
        self.targets: dict[Value, Array] = {}  # where results of the whole graph go
        self.node: Node | None = None
        self.absorbed: set[Node] = set()  # nodes whose results were made with what they take
        self.has_stack = True  # whether small arrays may lie there: not where calls may be nested deeply

    # Values.

    def value(self, value: Value) -> Lowered:
        """A value, computed."""
        found = self.scope.env[value]
        if isinstance(found, Pending):
            found.group.emit(self)
            found = self.scope.env[value]
            assert not isinstance(found, Pending)
        return found

    def array(self, value: Value) -> Array:
        """A value as an array; a number becomes one without dimensions."""
        found = self.value(value)
        if isinstance(found, Array):
            return found
        pointer = self.code.slot(memory_type(found.dtype))
        scalars.store(self.code, found, pointer)
        return Array(pointer, (), (), found.dtype)

    def scalar(self, value: Value) -> Scalar:
        found = self.value(value)
        if isinstance(found, Array) and any(d != "1" for d in found.dims):
            raise Unsupported("a tensor stands where one number is needed", self.node)
        return scalars.number(self.code, found)

    def index(self, value: Value) -> str:
        """A number as a 64-bit integer."""
        return scalars.cast(self.code, self.scalar(value), int64).text

    def handle(self, value: Value) -> Handle:
        found: object = self.scope.env[value]
        assert isinstance(found, Handle)
        return found

    def dims_of(self, value: Value) -> tuple[str, ...]:
        """The dimensions of a value, without computing it."""
        found = self.scope.env[value]
        if isinstance(found, Pending):
            return found.dims
        return () if isinstance(found, Scalar) else found.dims

    def bind(self, value: Value, lowered: Lowered | Pending) -> None:
        self.scope.env[value] = lowered
        if isinstance(lowered, Array) and self.scope.uses[value]:
            for buffer in lowered.buffers & self.scope.owned.keys():
                self.scope.owned[buffer] += 1

    def used(self, values: Iterable[Value]) -> None:
        """These uses are over."""
        for value in values:
            self.scope.uses[value] -= 1
            found = self.scope.env.get(value)
            if not self.scope.uses[value] and isinstance(found, Array):
                for buffer in found.buffers & self.scope.owned.keys():
                    self.scope.owned[buffer] -= 1

    def sweep(self) -> None:
        """Free what nothing refers to."""
        for buffer in [b for b, count in self.scope.owned.items() if count <= 0]:
            del self.scope.owned[buffer]
            if buffer.size and not buffer.may_be_borrowed and int(buffer.size) <= _KEPT and not checked.ON:
                self.scope.spare.setdefault(buffer.size, []).append(buffer.base)
            else:
                memory.release(self.code, self.context, buffer.base)

    # Memory.

    def allocate(self, dims: Sequence[str], dtype: DType, zero: bool = False, lasting: bool = False) -> Array:
        """A new array of the block's own; one that is `lasting` may become somebody else's."""
        size = self.checked_size(dims, dtype)
        if self.has_stack and not zero and not lasting and is_literal(size) and 0 < int(size) <= SMALL:
            slot = self.code.slot(memory_type(dtype), int(size) // dtype.size)
            return self._made(slot, dims, dtype, Buffer("null", on_stack=True))
        if self.scope.spare.get(size):
            pointer = self.scope.spare[size].pop()
        else:
            pointer = memory.allocate(self.code, self.context, size)
            if not is_literal(size) or int(size) > memory.ALWAYS:
                self.require(self.code.let(f"icmp ne ptr {pointer}, null"))
        if zero:
            memory.clear(self.code, pointer, size)
        return self._made(pointer, dims, dtype, Buffer(pointer, size=size if is_literal(size) else ""))

    def checked_size(self, dims: Sequence[str], dtype: DType) -> str:
        """The bytes of an array of these dimensions; the run fails if one is negative, or no memory is so large.

        All dimensions of arrays, of views too, have come through here, so that products of them never overflow.
        """
        code = self.code
        known = math.prod((max(int(d), 1) for d in dims if is_literal(d)), start=dtype.size)
        if known > LARGEST or any(int(d) < 0 for d in dims if is_literal(d)):
            self.require("false")
            return "0"
        total, sound, most = str(known), "true", LARGEST // known
        open_ = [d for d in dims if not is_literal(d)]
        for d in dict.fromkeys(open_):  # each, as a number without sign
            sound = code.both(sound, code.let(f"icmp ule i64 {d}, {most}"))
        if len(open_) > 1:
            for d in open_:
                total, over = self._multiplied(total, code.most(d, "1"))
                sound = code.both(sound, code.let(f"xor i1 {over}, true"))
            sound = code.both(sound, code.let(f"icmp ule i64 {total}, {LARGEST}"))
        self.require(sound)
        return code.mul(code.product(list(dims)), str(dtype.size))

    def _multiplied(self, a: str, b: str) -> tuple[str, str]:
        """A product, and whether it needs more than 64 bits."""
        code, type_ = self.code, "{ i64, i1 }"
        code.module.declare("llvm.umul.with.overflow.i64", f"{type_} (i64, i64)")
        both = code.let(f"call {type_} @llvm.umul.with.overflow.i64(i64 {a}, i64 {b})")
        return code.let(f"extractvalue {type_} {both}, 0"), code.let(f"extractvalue {type_} {both}, 1")

    def _made(self, pointer: str, dims: Sequence[str], dtype: DType, buffer: Buffer) -> Array:
        self.scope.owned[buffer] = 0
        return Array(pointer, tuple(dims), dense(self.code, tuple(dims)), dtype, frozenset([buffer]))

    def result(self, value: Value, dims: Sequence[str]) -> Array:
        """A new array for a value: where the caller wants it, if it does."""
        target = self.targets.get(value)
        if target is None:
            return self.allocate(dims, value.type.dtype)
        for d, wanted in zip(dims, target.dims, strict=True):
            self.require(self.code.compare("eq", d, wanted))
        return target

    def bounded(self, number: int) -> str:
        """A number that a size is made of: the run fails with one beyond all memory."""
        if abs(number) > LARGEST:
            self.require("false")
            return "0"
        return str(number)

    def settle(self, value: Value) -> None:
        """Compute what still reads a value, which is about to change."""
        for group in [g for g in self.scope.groups.values() if value in g.inputs]:
            group.emit(self)

    def sharing(self, buffers: frozenset[Buffer]) -> list[tuple[Value, Array]]:
        """The values that lie in this memory, as a whole or in part, and are still needed."""
        known = self.scope.env.items()
        return [
            (v, x)
            for v, x in known
            if isinstance(x, Array) and self.scope.uses[v] > 0 and not buffers.isdisjoint(x.buffers)
        ]

    def unshare(self, handle: Handle) -> None:
        """Have what was read of a Variable, which is about to change, lie elsewhere."""
        for value, array in self.sharing(handle.array.buffers):
            self.bind(value, self.copied(array))

    def new_list(self, length: str, capacity: str, dims: Sequence[str], dtype: DType) -> Array:
        """A new list of the block's own, its elements zero; the room besides has any contents."""
        made = replace(self.allocate([capacity, *dims], dtype, lasting=True), dims=(length, *dims), capacity=capacity)
        if length != "0":
            memory.clear(self.code, made.pointer, self.size_in_bytes(made))
        return made

    def size_in_bytes(self, array: Array) -> str:
        return self.code.mul(self.code.product(array.dims), str(array.dtype.size))

    def copied(self, array: Array, lasting: bool = False) -> Array:
        """A copy of one's own, in C order."""
        if array.is_list:
            made = self.new_list("0", array.capacity, array.dims[1:], array.dtype)
            memory.copy(self.code, made.pointer, array.pointer, self.size_in_bytes(array))
            return replace(made, dims=array.dims)
        made = self.allocate(array.dims, array.dtype, lasting=lasting)
        if array.packed:
            memory.copy(self.code, made.pointer, array.pointer, self.size_in_bytes(array))
        else:
            self.copy_into(made, array)
        return made

    def copy_into(self, target: Array, source: Array) -> None:
        """Copy elements; both have the same dimensions."""
        kind = memory_type(source.dtype)
        with nest(self.code, target.dims) as indices:
            value = self.code.load(kind, self.element(source, indices))
            self.code.store(kind, value, self.element(target, indices))

    def element(self, array: Array, indices: Sequence[str]) -> str:
        """The address of an element."""
        return element(self.code, array, indices)

    def packed(self, array: Array) -> Array:
        """The array in C order without gaps: itself, or a copy."""
        return array if array.packed else self.copied(array)

    def sole_owner(self, array: Array) -> Buffer | None:
        """The buffer of an array if this block owns it and no other value refers to it."""
        if len(array.buffers) != 1 or not array.packed:
            return None
        (buffer,) = array.buffers
        return buffer if self.scope.owned.get(buffer) == 1 and not buffer.may_be_borrowed else None

    def mine(self, value: Value) -> Array:
        """An array that may be written to: the value itself if this is its last use, otherwise a copy."""
        array = self.array(value)
        dies = self.scope.uses[value] == 1
        if dies and len(array.buffers) == 1 and array.packed:
            (buffer,) = array.buffers
            if self.scope.owned.get(buffer) == 1:
                return self._ensured(array, buffer) if buffer.may_be_borrowed else array
        return self.copied(array)

    def _ensured(self, array: Array, buffer: Buffer) -> Array:
        """A copy if the memory turns out to be somebody else's."""
        code = self.code
        pointer, base = code.slot("ptr"), code.slot("ptr")
        code.store("ptr", array.pointer, pointer)
        code.store("ptr", buffer.base, base)
        copy, done = code.label("copy"), code.label("owned")
        code.fork(code.let(f"icmp eq ptr {buffer.base}, null"), copy, done)
        code.enter(copy)
        made = self.copied(array, lasting=True)
        (fresh,) = made.buffers
        del self.scope.owned[fresh]
        code.store("ptr", made.pointer, pointer)
        code.store("ptr", made.pointer, base)
        code.block(done)
        sure = Buffer(code.load("ptr", base))
        count = self.scope.owned.pop(buffer)
        self.scope.owned[sure] = count - 1
        return replace(array, pointer=code.load("ptr", pointer), buffers=frozenset([sure]))

    def require(self, test: str) -> None:
        """End the run unless the test holds."""
        self.code.require(test)

    # Blocks.

    def block(
        self,
        graph: Graph,
        given: Sequence[Lowered | Pending],
        owned: Iterable[Buffer] = (),
        finish: Callable[[list[Lowered]], object] | None = None,
    ) -> Any:
        """Lower the nodes of a graph; `finish` gets the results while they still belong to the block."""
        outer = self.scope
        uses = Counter(v for node in graph.nodes for v in node.inputs)
        uses.update(graph.outputs)
        self.scope = Scope({}, uses, dict.fromkeys(owned, 0), nodes=graph.nodes)
        for value, lowered in zip(graph.inputs, given):
            self.bind(value, lowered)
        self.sweep()
        for number, node in enumerate(graph.nodes):
            self.scope.position = number
            self.lower(node)
        results = [self.value(v) if not isinstance(v.type, HandleType) else self.scope.env[v] for v in graph.outputs]
        done = finish(results) if finish is not None else None  # type: ignore[arg-type]
        for base in [*(b.base for b in self.scope.owned), *(b for spare in self.scope.spare.values() for b in spare)]:
            memory.release(self.code, self.context, base)
        self.scope = outer
        return done

    def lower(self, node: Node) -> None:
        before, self.node = self.node, node
        if self.module.noted:
            where = f" ({node.place.filename}:{node.place.line})" if node.place else ""
            self.code.about(f"'{node.op.name}'{where} of {self.module.name}")
        try:
            self._lower(node)
        except Unsupported as error:
            error.node = error.node or node
            raise
        self.node = before

    def absorb(self, value: Value) -> list[Node]:
        """The operations on the elements of a value alone, one after the other, whose inputs nothing else needs.

        Who makes the value makes their result, and in its place.
        """
        found: list[Node] = []
        for node in self.scope.nodes[self.scope.position + 1 :]:
            if value not in node.inputs:
                continue
            if len(node.inputs) > 1 or self.scope.uses[value] > 1 or not runs_in_vectors(node):
                break
            if node.outputs[0].type != value.type:
                break
            found.append(node)
            value = node.outputs[0]
        self.absorbed.update(found)
        return found

    def _lower(self, node: Node) -> None:
        if node in self.absorbed:
            self.bind(node.outputs[0], self.value(node.inputs[0]))
            self.used(node.inputs)
            self.sweep()
            return
        self.code.work += 1
        for output in node.outputs:
            check_type(output.type, node, inside=True)
        if node.op in DECOMPOSITIONS:
            if any(v.type.dtype.is_complex for v in node.inputs):  # they are said for real numbers
                raise Unsupported("it computes with complex numbers", node)
            parts = DECOMPOSITIONS[node.op](node)
            self.scope.uses.update(v for part in parts for v in part.inputs)
            try:
                for part in parts:
                    self._lower(part)
            except Unsupported as error:
                error.node = node  # the parts are not in the graph
                raise
            self.used(node.inputs)
            self.sweep()
            return
        if node.op in ELEMENTS or node.op in JOINS:
            JOINS.get(node.op, join)(self, node)
            return
        if node.regions and node.effect == "write":
            self.emit_groups()  # what was read of Variables before is not to see what is written inside
            for value in node.inputs:
                if isinstance(value.type, HandleType):
                    self.unshare(self.handle(value))
        if node.op not in HANDLERS:
            raise Unsupported(f"'{node.op.name}' has no native form", node)
        if node.op in _OF_REALS and any(v.type.dtype.is_complex for v in (*node.inputs, *node.outputs)):
            raise Unsupported("it computes with complex numbers", node)
        if node.op not in _OF_SHAPES:
            for value in node.inputs:  # before the handler makes memory, which a group that is written would free
                if isinstance(self.scope.env[value], Pending):
                    self.value(value)
        results = HANDLERS[node.op](self, node)
        for value, lowered in zip(node.outputs, results, strict=True):
            self.bind(value, self._as_typed(lowered, value.type))
        self.used(node.inputs)
        self.sweep()

    def _as_typed(self, lowered: Lowered, type_: Type) -> Lowered:
        """Known dimensions are used; an array without dimensions is a number."""
        if isinstance(lowered, Array) and not lowered.dims:
            return scalars.load(self.code, lowered.pointer, lowered.dtype)
        if isinstance(lowered, Array) and not lowered.is_list and isinstance(type_, TensorType):
            dims = tuple(
                str(k) if isinstance(k, int) else d for d, k in zip(lowered.dims, type_.shape or (), strict=True)
            )
            for d, known in zip(lowered.dims, dims):
                self.require(self.code.compare("eq", d, known) if d != known else "true")
            return replace(lowered, dims=dims)
        return lowered

    def emit_groups(self) -> None:
        for group in list(self.scope.groups.values()):
            group.emit(self)


def element(code: Code, array: Array, indices: Sequence[str]) -> str:
    """The address of an element."""
    return code.at(memory_type(array.dtype), array.pointer, code.offset(indices, array.strides))
