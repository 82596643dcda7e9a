"""A graph as a function of Python's: the native code that does the work, and the Python code that calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime.executors.native import checked, draws, memory, scalars, system, vector_library, writing
from runtime.executors.native.code import Code, Module
from runtime.executors.native.control import leaving, lower_callee
from runtime.executors.native.entry_points import FAILED, OK, SCATTERED, Interface, builtin, describe, open_dims
from runtime.executors.native.interrupts import Allowance
from runtime.executors.native.lowering import Handle, Lowering
from runtime.executors.native.machine import MOST, compile_module
from runtime.executors.native.ragged import Divided
from runtime.executors.native.updates import updates
from runtime.executors.native.values import Array, Buffer, Lowered, Unsupported, check_type, dense
from runtime.graph import shapes
from runtime.graph.dtypes import DType, NumPyArray, NumPyDType
from runtime.graph.graph import Callee, Graph, HandleType, ListType, Node, TensorType, Value
from runtime.graph.op import are_heavy
from runtime.ops import linalg, structure

_LONG = (structure.while_, structure.call, linalg.matmul)  # during which other threads may run, as in what is heavy


def written_variables(graph: Graph) -> set[Value]:
    """The inputs that are Variables and that something in the graph writes."""
    found: set[Value] = set()
    for node in graph.nodes:
        if node.effect != "write":
            continue
        for number, value in enumerate(node.inputs):
            if not isinstance(value.type, HandleType):
                continue
            if node.op.effect == "write" or any(_writes(node, region, number) for region in node.regions):
                found.add(value)
    return found


def _writes(node: Node, region: Graph, number: int) -> bool:
    """Whether a region writes the Variable that is this input of its node."""
    at = number - (len(node.inputs) - len(region.inputs))
    return at >= 0 and region.inputs[at] in written_variables(region)


def compile_region(graph: Graph, tensor_type: object = None) -> Compiled:
    """Machine code for a graph, that may take and return eager tensors of that type.

    Raises Unsupported, with the node, if something in the graph has no native form.
    """
    divided = Divided(graph)
    core = _lowered(divided)
    module = core.module
    if len(str(module)) > MOST:
        raise Unsupported(f"{sum(1 for _ in graph.walk())} operations, as of loops that are unrolled, are too many")
    addresses, linked = compile_module(module, ["core"])
    keep = [linked]
    interface = core.interface(addresses["core"])
    description = describe(interface, tensor_type, keep)
    run = divided.around(_wrapper(core, builtin("entry", description), keep))
    if tensor_type is None or not _may_be_direct(core, graph):
        return Compiled(run, None, keep)
    return Compiled(run, builtin("direct", description), keep)


def llvm_text(graph: Graph) -> str:
    """What LLVM is given for a graph; raises Unsupported as `compile_region` does."""
    return str(_lowered(Divided(graph)).module)


def _lowered(divided: Divided) -> _Core:
    graph = divided.graph
    try:
        core = _Core(Module(graph.name, noted=checked.ON), graph)
        core.lower()
    except Unsupported as error:
        error.node = divided.origins.get(error.node, error.node) if error.node is not None else None
        raise
    vector_library.define(core.module)
    if checked.ON:
        memory.use(core.module)
        checked.instrument(core.module)
    return core


@dataclass(frozen=True)
class Compiled:
    """A graph as machine code.

    `run` takes arrays and Variables and returns a tuple of arrays, or None if the run failed; `direct`, where there is
    one, takes eager tensors and arrays and returns what the graph returns, or None if it is not for these arguments or
    failed.
    """

    run: Callable[..., object]
    direct: Callable[..., object] | None
    keep: list[object]  # what has to live as long


class _Core:
    """The function ``core`` that does the work.

    It is given a table: for each input the place of its elements and the dimensions that are not known; for each
    Variable that is written and for each result a place.
    """

    def __init__(self, module: Module, graph: Graph) -> None:
        self.module, self.graph = module, graph
        written = written_variables(graph)
        self.written = [v for v in graph.inputs if v in written]
        for value in graph.outputs:
            if isinstance(value.type, HandleType):
                raise Unsupported("a Variable is a result", _maker(graph, value))
        for value in graph.inputs:
            check_type(value.type, next((n for n in graph.nodes if value in n.inputs), None))
        self.words: dict[Value, int] = {}  # where in the table an input begins
        self.size = 0
        for value in graph.inputs:
            self.words[value] = self.size
            self.size += 1 + open_dims(value.type)
        callees = [callee.graph for callee in _callees(graph).values() if callee.graph is not None]
        self.drawn = draws.sources([graph, *callees])
        self.places = self.size  # where the places of Variables and results begin

    def interface(self, address: int) -> Interface:
        graph = self.graph
        long = are_heavy(graph.walk()) or any(n.op in _LONG for n in graph.walk())
        inputs = [
            TensorType(t.dtype, t.shape) if isinstance(t, HandleType) else t for t in (v.type for v in graph.inputs)
        ]
        places = len(self.written) + len(graph.outputs)
        return Interface(address, inputs, [v.type for v in graph.outputs], places, long)

    def lower(self) -> None:
        lowering = Lowering(self.module, self._lower_callees())
        code = lowering.code
        lowering.context = memory.new_context(code)
        code.patience = allowance = Allowance(code, lowering.context, is_first=True)
        code.about("the arguments")
        code.given("%table", str(8 * (self.places + len(self.written) + len(self.graph.outputs))))
        given = [self._input(code, value) for value in self.graph.inputs]
        changes, places_of = updates(self.graph, self.written), dict[Value, Array]()
        for number, value in enumerate(self.written):
            index = self.graph.inputs.index(value)
            array: Array = given[index].array
            target = code.load("ptr", code.field("%table", self.places + number))
            code.given(target, lowering.size_in_bytes(array), writable=True)
            own = replace(array, pointer=target, buffers=frozenset([Buffer(target)]))
            places_of[value] = own
            if value in changes.whole:
                given[index] = Handle(array, own)
                continue
            memory.copy(code, target, array.pointer, lowering.size_in_bytes(array))
            given[index] = Handle(own)
        lowering.targets.update((made, places_of[value]) for made, value in changes.made.items())
        outputs = self.graph.outputs
        places = [
            code.load("ptr", code.field("%table", self.places + len(self.written) + i)) for i in range(len(outputs))
        ]
        for value, place in zip(outputs, places):
            dims = value.type.shape or ()
            words = 2 + len(dims) + isinstance(value.type, ListType)
            size = str(8 * words) if _size_is_open(value) else _bytes(code, map(str, dims), value.type.dtype)
            code.given(place, size, writable=True)
            if not _size_is_open(value) and dims and outputs.count(value) == 1 and value not in self.graph.inputs:
                texts = tuple(map(str, dims))
                lowering.targets[value] = Array(place, texts, dense(code, texts), value.type.dtype)

        def finish(results: list[Lowered]) -> None:
            code.about("the results")
            left = []
            for value, result, place in zip(outputs, results, places):
                if _size_is_open(value):
                    left.append((value, result, place))
                else:
                    self._output(lowering, value, result, place)
            self._hand_over(lowering, left)

        lowering.block(changes.graph, given, (), finish)
        memory.release_all(code, lowering.context)
        code.do(f"ret i32 {OK}")
        code.enter("fail")
        memory.release_all(code, lowering.context)
        code.do(f"ret i32 {FAILED}")
        allowance.begin()
        memory.begin(code, lowering.context)
        code.finish("i32 @core(ptr %table)", "nounwind")

    def _lower_callees(self) -> dict[int, str]:
        """The names of the functions that are called."""
        callees = _callees(self.graph)
        for callee in callees.values():
            if callee.graph is None:
                raise Unsupported("a function that is still being traced")
        names = {key: f"call.{number}" for number, key in enumerate(callees)}
        for callee in callees.values():
            lower_callee(self.module, names, callee)
        return names

    def _input(self, code: Code, value: Value) -> Any:
        type_, word = value.type, self.words[value]
        pointer = code.load("ptr", code.field("%table", word))
        if isinstance(type_, ListType):
            length = code.load("i64", code.field("%table", word + 1))
            dims = (length, *map(str, type_.shape or ()))
            code.given(pointer, _bytes(code, dims, type_.dtype))
            return Array(pointer, dims, dense(code, dims), type_.dtype, capacity=length)
        texts = []
        for d in type_.shape or ():
            if isinstance(d, int):
                texts.append(str(d))
            else:
                word += 1
                texts.append(code.load("i64", code.field("%table", word)))
        code.given(pointer, _bytes(code, texts, type_.dtype))
        array = Array(pointer, tuple(texts), dense(code, tuple(texts)), type_.dtype)
        if isinstance(type_, HandleType):
            return Handle(array)
        return array if texts else scalars.load(code, pointer, type_.dtype)

    def _output(self, lowering: Lowering, value: Value, result: Lowered, place: str) -> None:
        """Put a result of known size in its place."""
        code, type_ = lowering.code, value.type
        if isinstance(type_, TensorType) and type_.shape == ():
            scalars.store(code, scalars.cast(code, scalars.number(code, result), type_.dtype), place)
            return
        assert isinstance(result, Array)
        if value in lowering.targets and result.pointer == lowering.targets[value].pointer:
            return
        target = Array(place, result.dims, dense(code, result.dims), result.dtype)
        if result.packed:
            memory.copy(code, target.pointer, result.pointer, lowering.size_in_bytes(result))
        else:
            lowering.copy_into(target, result)

    def _hand_over(self, lowering: Lowering, left: Sequence[tuple[Value, Lowered, str]]) -> None:
        """Give the results whose size was not known away: their places get address, owner and dimensions.

        Until nothing is left to be read and nothing can fail, all memory is still in the care of the run.
        """
        code = lowering.code
        found = leaving(lowering, [result for _, result, _ in left], [v.type for v, _, _ in left], must_own=True)
        lowering.require(memory.sufficed(code, lowering.context))
        for (array, base), (_, _, place) in zip(found, left):
            assert isinstance(array, Array)
            raw = memory.unlink(code, lowering.context, base)
            code.store("ptr", array.pointer, place)
            code.store("ptr", raw, code.field(place, 1))
            for i, d in enumerate(array.dims):
                code.store("i64", d, code.field(place, 2 + i))


def _may_be_direct(core: _Core, graph: Graph) -> bool:
    tells = any(node.op.tells for node in core.graph.walk())
    if core.written or core.drawn or tells or not core.graph.outputs:
        return False
    tensors = all(isinstance(v.type, TensorType) for v in (*graph.inputs, *graph.outputs))
    return tensors and not any(map(_size_is_open, core.graph.outputs))


def _wrapper(core: _Core, native: Callable[..., int], keep: list[object]) -> Callable[..., object]:
    """Python code that makes room for the results and calls the native code."""
    values = core.graph.inputs
    if core.drawn:
        native = draws.transaction(native, core.drawn)
    inputs = [f"x{i}" for i in range(len(values))]
    names: dict[str, Any] = {
        "native": native, "empty": np.empty, "keep": keep, "again": _in_order, "owned": _owned, "pack": _packed,
        "words": np.dtype(np.int64), **writing.NAMES,
    }  # fmt: skip
    lines = [f"def run({', '.join(inputs)}):"]
    given, places, changes, results = [], [], [], []
    handles = [x for x, v in zip(inputs, values) if isinstance(v.type, HandleType)]
    if core.written and len(handles) > 1:  # one Variable under two names is two places in native code
        lines.append(f"    if len({{{', '.join(f'id({h})' for h in handles)}}}) < {len(handles)}: return None")
    for x, v in zip(inputs, values):
        given.append(f"a{x}" if isinstance(v.type, HandleType) else f"l{x}" if isinstance(v.type, ListType) else x)
        names[f"s{x}"], names[f"t{x}"] = tuple(v.type.shape or ()), v.type.dtype.dtype
        if isinstance(v.type, ListType):
            lines.append(f"    a{x}, l{x} = pack({x}, s{x}, t{x})")
        elif isinstance(v.type, HandleType):
            lines.append(f"    a{x} = {x}.array")
            if v in core.written:
                lines.append(f"    w{x} = empty(s{x}, t{x})")
                places.append(f"w{x}")
                changes.append(x)
    for i, v in enumerate(core.graph.outputs):
        names[f"t{i}"], shape = v.type.dtype.dtype, v.type.shape or ()
        places.append(f"y{i}")
        if not _size_is_open(v):
            lines.append(f"    y{i} = empty({shape}, t{i})")
            results.append(f"y{i}")
            continue
        is_list = isinstance(v.type, ListType)
        lines.append(f"    y{i} = empty({2 + len(shape) + is_list}, words)")
        results.append(f"list(owned(y{i}, t{i}))" if is_list else f"owned(y{i}, t{i})")
    lines.append(f"    status = native({', '.join([*given, *places])})")
    lines.append(f"    if status == {SCATTERED}: status = again(native, [{', '.join(given)}], [{', '.join(places)}])")
    lines.append("    if status: return None")
    lines += writing.back(changes, inputs)
    lines.append(f"    return ({', '.join(results)}{',' if len(results) == 1 else ''})")
    exec("\n".join(lines), names)
    run: Callable[..., object] = names["run"]
    return run


def _bytes(code: Code, dims: Iterable[str], dtype: DType) -> str:
    return code.mul(code.product(list(dims)), str(dtype.size)) if code.module.noted else "0"


def _size_is_open(value: Value) -> bool:
    """Whether only a run tells how many elements there are."""
    return isinstance(value.type, ListType) or not shapes.is_known(value.type.shape)


def _packed(elements: list[object], shape: tuple[int, ...], dtype: NumPyDType) -> tuple[object, object]:
    """The elements of a list in one array, those that nobody wrote zero; and where it lies, with its length."""
    array = np.zeros((len(elements), *shape), dtype)
    for i, element in enumerate(elements):
        if element is not None:
            array[i] = element
    return array, np.array([array.ctypes.data, len(elements)], np.int64)


def _in_order(native: Callable[..., int], given: Sequence[object], places: Sequence[object]) -> int:
    """Once more, with every array in C order."""
    return native(
        *(np.require(x, requirements=["C", "A"]) if isinstance(x, np.ndarray) and x.ndim > 0 else x for x in given),
        *places,
    )


_free = system.free()


class _Memory:
    """Memory that native code has handed over, as NumPy's array interface has it; freed with the last array in it."""

    def __init__(self, pointer: int, raw: int, shape: tuple[int, ...], dtype: NumPyDType) -> None:
        self.raw = raw
        self.__array_interface__ = {"data": (pointer, False), "shape": shape, "typestr": dtype.str, "version": 3}

    def __del__(self, free: Callable[..., object] = _free) -> None:
        free(self.raw)


def _owned(words: NumPyArray, dtype: NumPyDType) -> object:
    pointer, raw, *shape = words.tolist()
    return np.asarray(_Memory(pointer, raw, tuple(shape), dtype))


def _callees(graph: Graph) -> dict[int, Callee]:
    """All graphs that a graph calls, and those that they call."""
    found: dict[int, Callee] = {}
    left = [graph]
    while left:
        for node in left.pop().walk():
            callee = node.attributes.get("graph")
            if node.op is structure.call and isinstance(callee, Callee) and id(callee) not in found:
                found[id(callee)] = callee
                if callee.graph is not None:
                    left.append(callee.graph)
    return found


def _maker(graph: Graph, value: Value) -> Node | None:
    return next((n for n in graph.nodes if value in n.outputs), None)
