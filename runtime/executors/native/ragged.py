"""Graphs with lists of rows of any length as graphs without: such a list becomes its places and its cells.

Machine code knows lists whose elements have one size. Each list of rows is two of these (see `runtime.ops.rows`), in
branches, loops and functions that are called, too; an operation that has no form for rows gets elements of one length,
and the run fails where they have not.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from runtime.executors.native.values import is_rows
from runtime.graph.dtypes import int32, int64
from runtime.graph.graph import Attributes, Callee, Graph, ListType, Node, TensorType, Type, Value, replaced
from runtime.graph.op import Op
from runtime.graph.shapes import Dims
from runtime.ops import elementwise as ew, indexing, lists, rows, shape as shape_ops, structure

_NUMBER = TensorType(int32, ())
Parts = tuple[Value, ...]  # of a value: itself; or places and cells


class Divided:
    """A graph without rows.

    Attributes:
      graph: what is to be compiled: for a list of rows it takes, and gives, two arrays.
      origins: the nodes that stood in the place of its nodes.
    """

    def __init__(self, graph: Graph) -> None:
        self.origins: dict[Node, Node] = {}
        self._callees: dict[Callee, Callee] = {}
        self._given = graph
        self.graph = self._whole(graph) if _has_rows(graph, set()) else graph

    def around(self, run: Callable[..., Any]) -> Callable[..., object]:
        """The compiled graph as a function that takes and gives lists of rows as Python has them."""
        takes = [v.type if is_rows(v.type) else None for v in self._given.inputs]
        gives = [is_rows(v.type) for v in self._given.outputs]
        if not any(takes) and not any(gives):
            return run

        def around(*arrays: object) -> object:
            given: list[object] = []
            for array, kind in zip(arrays, takes):
                given += [array] if kind is None else rows.taken_apart(array, kind.shape[1:], kind.dtype)  # type: ignore
            results = run(*given)
            if results is None:
                return None
            rest = iter(results)
            return tuple(rows.put_together(next(rest), next(rest)) if pair else next(rest) for pair in gives)

        return around

    def _whole(self, graph: Graph) -> Graph:
        block = _Block(self)
        inputs: list[Value] = []
        for value in graph.inputs:
            if not is_rows(value.type):
                inputs.append(value)
                block.parts[value] = (value,)
                continue
            cells = rows.of_cells(_list(value.type))
            types = (TensorType(rows.PLACES.dtype, (None, 3)), TensorType(cells.dtype, (None, *(cells.shape or ()))))
            arrays = [Value(type_, value.hint) for type_ in types]
            inputs += arrays
            block.parts[value] = tuple(
                block.add(lists.from_tensor, [array], {"weak": kind.weak})[0]
                for array, kind in zip(arrays, (rows.PLACES, cells))
            )
        block.nodes_of(graph)
        outputs: list[Value] = []
        for value in graph.outputs:
            parts = block.parts[value]
            if is_rows(value.type):
                tight = block.add(rows.tight, block.as_rows(value))
                parts = tuple(block.stacked(part) for part in tight)
            elif len(parts) > 1:
                parts = (block.uniform(value),)
            outputs += parts
        return replaced(graph, inputs=tuple(inputs), nodes=tuple(block.nodes), outputs=tuple(outputs))

    def callee(self, callee: Callee) -> Callee:
        """A graph that is called, and that takes and gives the parts of lists of rows."""
        if callee.graph is None or not _has_rows(callee.graph, set()):
            return callee
        if callee not in self._callees:
            made = self._callees[callee] = Callee(callee.name)
            block = _Block(self)
            graph = callee.graph
            inputs = block.taking(graph.inputs, [is_rows(v.type) for v in graph.inputs])
            block.nodes_of(graph)
            outputs = block.giving(graph.outputs, [is_rows(v.type) for v in graph.outputs])
            made.graph = replaced(graph, inputs=inputs, nodes=tuple(block.nodes), outputs=outputs)
        return self._callees[callee]


def _has_rows(graph: Graph, seen: set[Callee]) -> bool:
    for node in graph.walk():
        if any(is_rows(v.type) for v in (*node.inputs, *node.outputs)):
            return True
        callee = node.callee
        if callee is not None and callee.graph is not None and callee not in seen:
            seen.add(callee)
            if _has_rows(callee.graph, seen):
                return True
    return any(is_rows(v.type) for v in (*graph.inputs, *graph.outputs))


def _list(type_: Type) -> ListType:
    assert isinstance(type_, ListType)
    return type_


def _are_rows(*values: Value) -> bool:
    return any(is_rows(v.type) for v in values)


class _Block:
    """The nodes of one graph in the making."""

    def __init__(self, division: Divided) -> None:
        self.division = division
        self.nodes: list[Node] = []
        self.parts: dict[Value, Parts] = {}
        self.node: Node | None = None  # what is replaced now

    # Values.

    def add(self, op: Op, inputs: Iterable[Value], attributes: Attributes | None = None) -> Parts:
        """The results of an operation."""
        given = tuple(inputs)
        found = op.rule(*(v.type for v in given), **(attributes or {}))
        types = found if isinstance(found, tuple) else (found,)
        hint = given[0].hint if given else op.name
        return self.put(op, given, tuple(Value(type_, hint) for type_ in types), attributes)

    def put(
        self, op: Op, inputs: Parts, outputs: Parts, attributes: Attributes | None = None,
        regions: tuple[Graph, ...] = (),
    ) -> Parts:  # fmt: skip
        place = self.node.place if self.node is not None else None
        node = Node(op, inputs, outputs, attributes, regions, place)
        self.keep(node)
        return outputs

    def keep(self, node: Node) -> None:
        self.nodes.append(node)
        if self.node is not None and self.node is not node:
            self.division.origins[node] = self.node

    def are_rows(self, value: Value) -> bool:
        return len(self.parts[value]) > 1

    def as_rows(self, value: Value) -> Parts:
        """The places and cells of a list."""
        parts = self.parts[value]
        return parts if len(parts) > 1 else self.add(rows.of, parts)

    def uniform(self, value: Value, shape: Dims | None = None) -> Value:
        """A value as operations have it that know nothing of rows; a row that nobody wrote may have a `shape`."""
        parts = self.parts[value]
        return parts[0] if len(parts) == 1 else self.even(self.filled(parts, shape))

    def even(self, parts: Parts) -> Value:
        cells = _list(parts[1].type)
        return self.add(rows.even, parts, {"shape": cells.shape, "dtype": cells.dtype})[0]

    def filled(self, parts: Parts, shape: Dims | None) -> Parts:
        """Rows, each of which is there."""
        return self.add(rows.filled, parts, {"otherwise": _length(shape), "dtype": _list(parts[1].type).dtype})

    def stacked(self, part: Value) -> Value:
        kind = _list(part.type)
        return self.add(lists.stack, [part], {"shape": kind.shape, "dtype": kind.dtype})[0]

    def none(self, kind: ListType, count: Value | None = None) -> Value:
        """A list of so many elements that nobody wrote."""
        if count is None:
            (count,) = self.constant(np.int32(0))
        return self.add(lists.new, [count], {"dtype": kind.dtype, "shape": kind.shape, "weak": kind.weak})[0]

    def constant(self, number: object, type_: Type = _NUMBER) -> Parts:
        return self.put(shape_ops.constant, (), (Value(type_, "constant"),), {"value": number, "dtype": type_.dtype})

    def taking(self, values: Sequence[Value], pairs: Sequence[bool]) -> Parts:
        """The inputs of the graph; of `pairs` it gets the parts of rows."""
        inputs: list[Value] = []
        for value, pair in zip(values, pairs):
            parts = _parts_like(value) if pair else (value,)
            self.parts[value] = parts
            inputs += parts
        return tuple(inputs)

    def giving(self, values: Sequence[Value], pairs: Sequence[bool]) -> Parts:
        found: list[Value] = []
        for value, pair in zip(values, pairs):
            found += self.as_rows(value) if pair else (self.uniform(value),)
        return tuple(found)

    # Nodes.

    def nodes_of(self, graph: Graph) -> None:
        for node in graph.nodes:
            self.node = node
            self._replace(node)
        self.node = None

    def _replace(self, node: Node) -> None:
        if node.op is structure.if_:
            self._branch(node)
        elif node.op is structure.while_:
            self._loop(node)
        elif node.op is structure.call:
            self._call(node)
        elif not _are_rows(*node.outputs) and not any(map(self.are_rows, node.inputs)):
            inputs = tuple(self.parts[v][0] for v in node.inputs)
            self.keep(node if inputs == node.inputs else replaced(node, inputs=inputs))
            self.parts.update((v, (v,)) for v in node.outputs)
        elif node.op in FORMS:
            (value,) = node.outputs
            self.parts[value] = FORMS[node.op](self, node)
        else:
            outputs = tuple(Value(v.type, v.hint) for v in node.outputs)
            self.put(node.op, tuple(map(self.uniform, node.inputs)), outputs, node.attributes)
            for value, made in zip(node.outputs, outputs):
                self.parts[value] = self.add(rows.of, [made]) if is_rows(value.type) else (made,)

    def _branch(self, node: Node) -> None:
        test, *captured = node.inputs
        inner = [tuple(region.inputs[i] for region in node.regions) for i in range(len(captured))]
        pairs = [self.are_rows(v) or _are_rows(*into) for v, into in zip(captured, inner)]
        given = self.giving(captured, pairs)
        blocks = [self._inside(region, pairs) for region in node.regions]
        ends = [(block, region.outputs) for (block, _), region in zip(blocks, node.regions)]
        gives = [
            _are_rows(made) or any(block.are_rows(outputs[i]) for block, outputs in ends)
            for i, made in enumerate(node.outputs)
        ]
        regions = tuple(block.ended(region, inputs, gives) for (block, inputs), region in zip(blocks, node.regions))
        self._put_statement(node, (self.parts[test][0], *given), gives, regions)

    def _loop(self, node: Node) -> None:
        count = len(node.outputs)
        inner = [tuple(region.inputs[i] for region in node.regions) for i in range(len(node.inputs))]
        pairs = [self.are_rows(v) or _are_rows(*into) for v, into in zip(node.inputs, inner)]
        for i, made in enumerate(node.outputs):
            pairs[i] = pairs[i] or _are_rows(made, node.regions[1].outputs[i])
        given = self.giving(node.inputs, pairs)
        regions = []
        for region, gives in zip(node.regions, ([False], pairs[:count])):
            block, inputs = self._inside(region, pairs)
            regions.append(block.ended(region, inputs, gives))
        self._put_statement(node, given, pairs[:count], tuple(regions))

    def _call(self, node: Node) -> None:
        callee = node.attributes["graph"]
        graph, made = callee.graph, self.division.callee(callee)
        given = self.giving(node.inputs, [is_rows(v.type) for v in graph.inputs])
        gives = [is_rows(v.type) for v in graph.outputs]
        self._put_statement(node, given, gives, (), {**node.attributes, "graph": made})

    def _inside(self, region: Graph, pairs: Sequence[bool]) -> tuple[_Block, Parts]:
        block = _Block(self.division)
        inputs = block.taking(region.inputs, pairs)
        block.nodes_of(region)
        return block, inputs

    def ended(self, region: Graph, inputs: Parts, gives: Sequence[bool]) -> Graph:
        outputs = self.giving(region.outputs, gives)
        return replaced(region, inputs=inputs, nodes=tuple(self.nodes), outputs=outputs)

    def _put_statement(
        self, node: Node, inputs: Parts, gives: Sequence[bool], regions: tuple[Graph, ...],
        attributes: Attributes | None = None,
    ) -> None:  # fmt: skip
        outputs: list[Value] = []
        for value, pair in zip(node.outputs, gives):
            self.parts[value] = _parts_like(value) if pair else (value,)
            outputs += self.parts[value]
        self.put(node.op, inputs, tuple(outputs), attributes or node.attributes, regions)


def _parts_like(value: Value) -> Parts:
    return Value(rows.PLACES, value.hint), Value(rows.of_cells(_list(value.type)), value.hint)


# The forms of operations for rows.

_Form = Callable[[_Block, Node], Parts]


def _new(block: _Block, node: Node) -> Parts:
    (count,) = node.inputs
    return block.none(rows.PLACES, count), block.none(rows.of_cells(_list(node.outputs[0].type)))


def _pack(block: _Block, node: Node) -> Parts:
    parts: Parts = (block.none(rows.PLACES), block.none(rows.of_cells(_list(node.outputs[0].type))))
    for number, value in enumerate(node.inputs):
        (index,) = block.constant(np.int32(number))
        parts = block.add(rows.put, [*parts, index, value], {"how": rows.GROWING})
    return parts


def _write(block: _Block, node: Node) -> Parts:
    how = rows.GROWING if node.attributes["dynamic"] else rows.WITHIN
    return _put(block, block.as_rows(node.inputs[0]), node, how)


def _set_item(block: _Block, node: Node) -> Parts:
    return _put(block, block.as_rows(node.inputs[0]), node, rows.AMONG)


def _insert(block: _Block, node: Node) -> Parts:
    places, cells = block.as_rows(node.inputs[0])
    (nothing,) = block.constant(np.zeros(3, np.int64), TensorType(rows.PLACES.dtype, (3,)))
    (places,) = block.add(lists.insert, [places, block.uniform(node.inputs[1]), nothing])
    return _put(block, (places, cells), node, rows.INSERTED)


def _put(block: _Block, parts: Parts, node: Node, how: str) -> Parts:
    return block.add(rows.put, [*parts, *map(block.uniform, node.inputs[1:])], {"how": how})


def _append(block: _Block, node: Node) -> Parts:
    return block.add(rows.append, [*block.as_rows(node.inputs[0]), *map(block.uniform, node.inputs[1:])])


def _put_cell(block: _Block, node: Node) -> Parts:
    places, cells = block.as_rows(node.inputs[0])
    return places, *block.add(rows.put_cell, [places, cells, *map(block.uniform, node.inputs[1:])])


def _cell(block: _Block, node: Node) -> Parts:
    return _result(block, node, rows.cell, [*block.as_rows(node.inputs[0]), *map(block.uniform, node.inputs[1:])])


_WHAT: Mapping[Op, str] = {lists.read: "read", lists.item: "list", lists.popped: "pop"}


def _item(block: _Block, node: Node) -> Parts:
    inputs = *block.as_rows(node.inputs[0]), block.uniform(node.inputs[1])
    return _result(block, node, rows.item, inputs, _of_item(inputs, node.attributes.get("kind") or _WHAT[node.op]))


def _of_item(inputs: Parts, what: object) -> Attributes:
    cells = _list(inputs[1].type)
    return {"what": what, "shape": cells.shape, "dtype": cells.dtype}


def _read(block: _Block, node: Node) -> Parts:
    """An element, or what stands for it if nobody wrote it."""
    inputs = places, _, index = *block.as_rows(node.inputs[0]), block.uniform(node.inputs[1])
    (written,) = block.add(rows.is_written, [places, index])
    length = _length(node.attributes["shape"])
    return _chosen(block, written, inputs, _written, functools.partial(_unwritten, length), node.outputs)


_Made = Callable[[_Block, Parts], Parts]


def _chosen(block: _Block, test: Value, inputs: Parts, yes: _Made, no: _Made, outputs: Parts = ()) -> Parts:
    """Values made of the inputs in one way or the other."""
    regions = tuple(_region(block, inputs, make) for make in (yes, no))
    outputs = outputs or tuple(Value(v.type, v.hint) for v in regions[0].outputs)
    return block.put(structure.if_, (test, *inputs), outputs, {}, regions)


def _region(block: _Block, inputs: Parts, make: _Made) -> Graph:
    inside = _Block(block.division)
    inside.node = block.node
    taken = tuple(Value(v.type, v.hint) for v in inputs)
    made = make(inside, taken)
    return Graph("rows", taken, tuple(inside.nodes), made)


def _written(block: _Block, inputs: Parts) -> Parts:
    return block.add(rows.item, inputs[:3], _of_item(inputs, _WHAT[lists.read]))


def _unwritten(otherwise: int, block: _Block, inputs: Parts) -> Parts:
    places, cells, _ = inputs
    return _zeros(block, cells, *block.add(rows.first_length, [places], {"otherwise": otherwise}))


def _zeros(block: _Block, cells: Value, length: Value) -> Parts:
    kind = _list(cells.type)
    zero = block.constant(np.zeros((), kind.dtype.dtype), TensorType(kind.dtype, ()))
    return block.add(shape_ops.fill, [*zero, length], {"shape": (None, *(kind.shape or ()))})


def _given(block: _Block, node: Node) -> tuple[Value, Parts]:
    """Whether somebody has written the row at an index, and the places, the cells, the index and what else is given."""
    places, cells = block.as_rows(node.inputs[0])
    index, *more = map(block.uniform, node.inputs[1:])
    (written,) = block.add(rows.is_written, [places, index])
    return written, (places, cells, index, *more)


def _read_like(block: _Block, node: Node) -> Parts:
    written, inputs = _given(block, node)
    return _chosen(block, written, inputs, _written, _zeros_like, node.outputs)


def _zeros_like(block: _Block, inputs: Parts) -> Parts:
    return _zeros(block, inputs[1], *block.add(shape_ops.length, [inputs[3]], {"axis": 0, "dtype": int64}))


def _add_at(block: _Block, node: Node) -> Parts:
    return _added(block, *_given(block, node))


def _added(block: _Block, written: Value, inputs: Parts) -> Parts:
    """Rows with something added to one of them."""
    places, cells, index, _ = inputs
    (row,) = _chosen(block, written, inputs, _sum, lambda _, given: given[3:])
    return block.add(rows.put, [places, cells, index, row], {"how": rows.WITHIN})


def _sum(block: _Block, inputs: Parts) -> Parts:
    return block.add(ew.add, [*_written(block, inputs), inputs[3]])


def _add(block: _Block, node: Node) -> Parts:
    one, other = map(block.as_rows, node.inputs)
    return _all_added(block, one, other)


def _add_all_at(block: _Block, node: Node) -> Parts:
    elements, indices, parts = node.inputs
    return _all_added(block, block.as_rows(elements), block.as_rows(parts), block.uniform(indices))


def _all_added(block: _Block, target: Parts, parts: Parts, *indices: Value) -> Parts:
    """Rows with one of the parts added to each, or to each of those at some indices."""
    state = *block.constant(np.int64(0), TensorType(int64, ())), *target
    given = (*state, *parts, *indices)
    regions = tuple(_region(block, given, make) for make in (_has_more, _with_next))
    outputs = tuple(Value(v.type, v.hint) for v in state)
    return block.put(structure.while_, given, outputs, {}, regions)[1:]


def _has_more(block: _Block, given: Parts) -> Parts:
    return block.add(ew.less, [given[0], *block.add(lists.count, [given[3]])])


def _with_next(block: _Block, given: Parts) -> Parts:
    number, places, cells, more, theirs, *indices = given
    at = number
    for taken in indices:
        (at,) = block.add(indexing.getitem, [taken, number], {"index": (indexing.INPUT,)})
    (there,) = block.add(rows.is_written, [more, number])
    inputs = (places, cells, at, more, theirs, number)
    after = _chosen(block, there, inputs, _with_part, lambda _, taken: taken[:2])
    return *block.add(ew.add, [number, *block.constant(np.int64(1), TensorType(int64, ()))]), *after


def _with_part(block: _Block, given: Parts) -> Parts:
    places, cells, at, *of = given
    (row,) = _written(block, (*of,))
    (written,) = block.add(rows.is_written, [places, at])
    return _added(block, written, (places, cells, at, row))


def _erase(block: _Block, node: Node) -> Parts:
    places, cells = block.as_rows(node.inputs[0])
    (nothing,) = block.constant(np.zeros(3, np.int64), TensorType(rows.PLACES.dtype, (3,)))
    (places,) = block.add(lists.write, [places, block.uniform(node.inputs[1]), nothing], {"dynamic": False})
    return places, cells


def _length(shape: Dims | None) -> int:
    """How long a row is that nobody wrote, if nobody wrote any; -1 if nothing tells it."""
    length = shape[0] if shape else None
    return length if isinstance(length, int) else -1


def _result(block: _Block, node: Node, op: Op, inputs: Sequence[Value], attributes: Attributes | None = None) -> Parts:
    """The one result of another operation than that of the node; it keeps what is known of its type."""
    return block.put(op, tuple(inputs), node.outputs, attributes)


def _stack(block: _Block, node: Node) -> Parts:
    return _result(block, node, lists.stack, [block.uniform(node.inputs[0], node.attributes["shape"])], node.attributes)


def _concat(block: _Block, node: Node) -> Parts:
    _, cells = block.filled(block.as_rows(node.inputs[0]), node.attributes["shape"])
    kind = _list(cells.type)
    return _result(block, node, lists.stack, [cells], {"shape": kind.shape, "dtype": kind.dtype})


def _gather(block: _Block, node: Node) -> Parts:
    """Elements of one length, among others of any."""
    places, cells = block.filled(block.as_rows(node.inputs[0]), node.attributes["shape"])
    kind = _list(places.type)
    given = [places, block.uniform(node.inputs[1])]
    (found,) = block.add(lists.gather, given, {"shape": kind.shape, "dtype": kind.dtype})
    (places,) = block.add(lists.from_tensor, [found], {"weak": False})
    even = block.even((places, cells))
    kind = _list(even.type)
    return _result(block, node, lists.stack, [even], {"shape": kind.shape, "dtype": kind.dtype})


def _split(block: _Block, node: Node) -> Parts:
    return block.add(rows.split, map(block.uniform, node.inputs))


def _count(block: _Block, node: Node) -> Parts:
    return _result(block, node, node.op, [block.as_rows(node.inputs[0])[0]], node.attributes)


def _of_places(block: _Block, node: Node) -> Parts:
    """What takes some of the rows; the cells of the others are of no use, and in nobody's way."""
    places, cells = block.as_rows(node.inputs[0])
    (places,) = block.add(node.op, [places, *map(block.uniform, node.inputs[1:])], node.attributes)
    return places, cells


def _extend(block: _Block, node: Node) -> Parts:
    return block.add(rows.extend, [*block.as_rows(node.inputs[0]), *block.as_rows(node.inputs[1])])


def _of_cells(block: _Block, node: Node) -> Parts:
    """What changes each number, and may fail for what is not a number of a row."""
    places, cells = block.add(rows.tight, block.as_rows(node.inputs[0]))
    return places, *block.add(node.op, [cells], node.attributes)


FORMS: Mapping[Op, _Form] = {
    lists.new: _new, lists.pack: _pack, lists.write: _write, lists.set_item: _set_item, lists.insert: _insert,
    lists.append_cell: _append, lists.set_cell: _put_cell, lists.cell: _cell, lists.read: _read, lists.item: _item,
    lists.popped: _item, lists.stack: _stack, lists.concat: _concat, lists.gather: _gather, lists.split: _split,
    lists.size: _count, lists.count: _count, lists.remove: _of_places, lists.part: _of_places,
    lists.ordered: _of_places, lists.extend: _extend, lists.cast: _of_cells, lists.fit: _of_cells,
    lists.full_like: _of_cells, lists.narrow: _of_cells, lists.add: _add, lists.add_all_at: _add_all_at,
    lists.add_at: _add_at, lists.read_like: _read_like, lists.erase: _erase,
}  # fmt: skip
