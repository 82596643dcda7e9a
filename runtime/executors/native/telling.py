"""What a program shows its user from inside of machine code: Python is called, with the values as they are then.

What makes the text of them goes with it, so that a loop that prints from time to time is machine code all the same.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping

import numpy as np

from runtime.executors.native import scalars
from runtime.executors.native.code import Module, memory as memory_type
from runtime.executors.native.lowering import Lowering, handles
from runtime.executors.native.machine import once_for_all
from runtime.executors.native.values import Array, Lowered, why_not_held
from runtime.executors.numpy import run as numpy
from runtime.graph.dtypes import NumPyArray, NumPyDType
from runtime.graph.graph import Graph, Node, Value, replaced
from runtime.ops import shape as shape_ops, structure

Makers = Mapping[Value, Node]


def gathered(graph: Graph) -> Graph:
    """The graph with each node that shows something, and what only makes text for it, in a graph of its own."""
    if not any(node.op.tells for node in graph.walk()):
        return graph
    makers = {value: node for node in graph.nodes for value in node.outputs}
    nodes: list[Node] = []
    taken: set[Node] = set()
    for node in graph.nodes:
        if node.regions:
            node = replaced(node, regions=tuple(map(gathered, node.regions)))
        found = _texts(node, makers) if node.op.tells else None
        if found is not None:
            taken |= found
            node = _told(node, [each for each in graph.nodes if each in found])
        nodes.append(node)
    return replaced(graph, nodes=tuple(_without(taken, nodes, graph)))


def _texts(node: Node, makers: Makers) -> set[Node] | None:
    """What makes the texts that a node shows, and constants; None if others have made some."""
    found: set[Node] = set()
    waiting = [*node.inputs]
    while waiting:
        value = waiting.pop()
        maker = makers.get(value)
        if maker is not None and (value.type.dtype.has_objects or maker.op is shape_ops.constant):
            if maker.regions or maker.effect == "write":
                return None
            if maker not in found:
                found.add(maker)
                waiting += maker.inputs
            continue
        if why_not_held(value, inside=True):
            return None
    return found


def _told(node: Node, texts: list[Node]) -> Node:
    made = {value for text in texts for value in text.outputs}
    inputs = tuple(dict.fromkeys(v for each in (*texts, node) for v in each.inputs if v not in made))
    name = f"told_{node.place.line}" if node.place else "told"
    teller = Teller(Graph(name, inputs, (*texts, node), ()))
    return replaced(node, op=structure.shown, inputs=inputs, attributes={"function": teller})


def _without(taken: set[Node], nodes: list[Node], graph: Graph) -> list[Node]:
    """The nodes without those that are `taken` and that nothing else needs."""
    needed, left = set(graph.outputs), []
    for node in reversed(nodes):
        if node not in taken or node.op is shape_ops.constant or not needed.isdisjoint(node.outputs):
            needed.update(node.inputs)
            left.append(node)
    return left[::-1]


class Teller:
    """Shows the user what a graph does, given arrays, or the place in memory of what machine code knows."""

    def __init__(self, graph: Graph) -> None:
        self.graph, self.__name__ = graph, graph.name
        self._show: Callable[..., object] = numpy.compile_graph(graph)
        self._types: list[tuple[NumPyDType, int]] = [
            (v.type.dtype.dtype, len(v.type.shape or ())) for v in graph.inputs
        ]
        self.show = self._at  # one object, of which machine code knows the address

    def __call__(self, *arrays: object) -> None:
        self._show(*arrays)

    def _at(self, place: int) -> bool:
        """Whether all went well: what an exception says is told by NumPy, which does everything once more."""
        count = sum(1 + 2 * rank for _, rank in self._types)
        words = list((ctypes.c_int64 * count).from_address(place)) if count else []
        arrays = []
        for dtype, rank in self._types:
            pointer, dims, strides = words[0], words[1 : 1 + rank], words[1 + rank : 1 + 2 * rank]
            arrays.append(_array(pointer, dtype, dims, [dtype.itemsize * s for s in strides]))
            del words[: 1 + 2 * rank]
        try:
            self._show(*arrays)
        except Exception:
            return False
        return True


def _array(pointer: int, dtype: NumPyDType, dims: list[int], strides: list[int]) -> NumPyArray:
    """What lies there, as an array of its own."""
    if 0 in dims:
        return np.empty(dims, dtype)
    lowest = pointer + sum(min(0, (d - 1) * s) for d, s in zip(dims, strides))
    size = sum((d - 1) * abs(s) for d, s in zip(dims, strides)) + dtype.itemsize
    memory = memoryview((ctypes.c_char * size).from_address(lowest))
    return np.ndarray(dims, dtype, memory, pointer - lowest, strides).copy()


# Python is asked for its lock, as a run that takes long has given it back.
_TELL = """
declare i32 @PyGILState_Ensure()
declare void @PyGILState_Release(i32)
declare ptr @PyObject_CallFunction(ptr, ptr, ...)
declare i32 @PyObject_IsTrue(ptr)
declare void @Py_DecRef(ptr)
@place = private unnamed_addr constant [2 x i8] c"L\\00"

define i1 @tell(ptr %function, ptr %words) {
entry:
  %lock = call i32 @PyGILState_Ensure()
  %place = ptrtoint ptr %words to i64
  %made = call ptr (ptr, ptr, ...) @PyObject_CallFunction(ptr %function, ptr @place, i64 %place)
  %raised = icmp eq ptr %made, null
  br i1 %raised, label %end, label %told
told:
  %true = call i32 @PyObject_IsTrue(ptr %made)
  call void @Py_DecRef(ptr %made)
  %well = icmp eq i32 %true, 1
  br label %end
end:
  %went = phi i1 [ false, %entry ], [ %well, %told ]
  call void @PyGILState_Release(i32 %lock)
  ret i1 %went
}
"""


def _write(module: Module) -> None:
    module.functions.append(_TELL)


@handles(structure.shown)
def told(lowering: Lowering, node: Node) -> list[Lowered]:
    """Call Python; it raises what ends the run, such as an interrupt, or says that NumPy has to do it once more."""
    code, words = lowering.code, list[str]()
    for value in node.inputs:
        found = lowering.value(value)
        if isinstance(found, Array):
            words += [code.let(f"ptrtoint ptr {found.pointer} to i64"), *found.dims, *found.strides]
        else:
            place = code.slot(memory_type(found.dtype))
            scalars.store(code, scalars.cast(code, found, value.type.dtype), place)
            words.append(code.let(f"ptrtoint ptr {place} to i64"))
    table = code.slot("i64", max(len(words), 1))
    for number, word in enumerate(words):
        code.store("i64", word, code.field(table, number))
    once_for_all(code.module, {"tell": "i1 (ptr, ptr)"}, _write)
    show = node.attributes["function"].show
    name = f"teller.{sum(key.startswith('teller.') for key in code.module.symbols)}"
    code.module.symbols[name] = id(show)
    code.module.data.append(f"@{name} = external global i8")
    lowering.require(code.call("tell", "i1", [("ptr", f"@{name}"), ("ptr", table)]))
    return []
