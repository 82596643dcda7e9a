"""From Python into native code: a built-in function that is handed arrays and reads where their elements lie.

What it reads of an array object is NumPy's public C layout, which does not change between versions.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from runtime import config
from runtime.executors.native import memory, scalars
from runtime.executors.native.code import Code, Module
from runtime.executors.native.lowering import Handle, Lowering, lower_callee
from runtime.executors.native.machine import compile_module
from runtime.executors.native.values import Array, Lowered, Unsupported, check_type, dense
from runtime.graph import Callee, Graph, HandleType, ListType, Node, TensorType, Value
from runtime.ops import structure

OK, FAILED, SCATTERED = 0, 1, 2  # SCATTERED: an input is not in C order
_HEAD = object.__basicsize__  # bytes of an object before its own fields
_TYPE = _HEAD - 8
_DATA, _RANK, _DIMS, _DTYPE, _FLAGS = _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 40, _HEAD + 48
_BEHAVED = 0x0001 | 0x0100  # in C order, and aligned
_SAVED = {"while", "call", "matmul", "conv2d", "pool2d"}  # where other threads may run meanwhile


class _Definition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL = 0x0080


def _builtin(address: int, name: str, keep: list[Any]) -> Callable[..., int]:
    definition = _Definition(name.encode(), address, _FASTCALL, None)
    keep.append(definition)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., int] = make(ctypes.addressof(definition), keep, None)  # it keeps alive what it needs
    return made


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


def compile_region(graph: Graph, tensor_type: Any = None) -> Compiled:
    """Machine code for a graph, that may take and return eager tensors of that type.

    Raises Unsupported, with the node, if something in the graph has no native form.
    """
    module = Module(graph.name)
    core = _Core(module, graph)
    core.lower()
    entries = _Entries(module, core)
    entries.from_arrays()
    direct = entries.from_tensors(tensor_type) if tensor_type is not None and _may_be_direct(core) else ""
    addresses, linked = compile_module(module, [entries.name, direct] if direct else [entries.name])
    keep = [linked, *entries.keep]
    run = _wrapper(core, _builtin(addresses[entries.name], graph.name, keep), keep)
    return Compiled(run, _builtin(addresses[direct], graph.name, keep) if direct else None)


@dataclass(frozen=True)
class Compiled:
    """A graph as machine code.

    `run` takes arrays and Variables and returns a tuple of arrays, or None if the run failed; `direct`, where there is
    one, takes eager tensors and arrays and returns what the graph returns, or None if it is not for these arguments or
    failed.
    """

    run: Callable[..., Any]
    direct: Callable[..., Any] | None


class _Core:
    """The function that does the work. It is given a table: for each input the place of its elements and the dimensions
    that are not known; for each Variable that is written and for each result a place.
    """

    def __init__(self, module: Module, graph: Graph) -> None:
        self.module, self.graph = module, graph
        self.name = "core"
        self.written = [v for v in graph.inputs if v in written_variables(graph)]
        self.saved = any(n.op.name in _SAVED for n in graph.walk())
        for value in graph.outputs:
            if isinstance(value.type, HandleType):
                raise Unsupported("a Variable is a result", _maker(graph, value))
        for value in graph.inputs:
            check_type(value.type, next((n for n in graph.nodes if value in n.inputs), None))
        self.words: dict[Value, int] = {}  # where in the table an input begins
        self.size = 0
        for value in graph.inputs:
            self.words[value] = self.size
            self.size += 1 + _open_dims(value)
        self.places = self.size  # where the places of Variables and results begin
        self.size += len(self.written) + len(graph.outputs)

    def lower(self) -> None:
        callees = _callees(self.graph)
        for callee in callees.values():
            if callee.graph is None:
                raise Unsupported("a function that is still being traced")
        names = {key: f"call.{number}" for number, key in enumerate(callees)}
        for callee in callees.values():
            lower_callee(self.module, names, callee)
        lowering = Lowering(self.module, names)
        code = lowering.code
        lowering.context = memory.new_context(code)
        given = [self._input(code, value) for value in self.graph.inputs]
        for number, value in enumerate(self.written):
            index = self.graph.inputs.index(value)
            array: Array = given[index].array
            target = code.load("ptr", code.field("%table", self.places + number))
            memory.copy(code, target, array.pointer, lowering.size_in_bytes(array))
            given[index] = Handle(replace(array, pointer=target), True)
        outputs = self.graph.outputs
        places = [
            code.load("ptr", code.field("%table", self.places + len(self.written) + i)) for i in range(len(outputs))
        ]
        for value, place in zip(outputs, places):
            dims = value.type.shape or ()
            if not _size_is_open(value) and dims and outputs.count(value) == 1 and value not in self.graph.inputs:
                texts = tuple(map(str, dims))
                lowering.targets[value] = Array(place, texts, dense(code, texts), value.type.dtype)

        def finish(results: list[Lowered]) -> None:
            for value, result, place in zip(outputs, results, places):
                self._output(lowering, value, result, place)

        lowering.block(self.graph, given, (), finish)
        memory.release_all(code, lowering.context)
        code.do(f"ret i32 {OK}")
        code.enter("fail")
        memory.release_all(code, lowering.context)
        code.do(f"ret i32 {FAILED}")
        memory.begin(code, lowering.context)
        code.finish(f"internal i32 @{self.name}(ptr %table)", "noinline nounwind")

    def _input(self, code: Code, value: Value) -> Any:
        type_, word = value.type, self.words[value]
        pointer = code.load("ptr", code.field("%table", word))
        if isinstance(type_, ListType):
            length = code.load("i64", code.field("%table", word + 1))
            dims = (length, *map(str, type_.shape or ()))
            return Array(pointer, dims, dense(code, dims), type_.dtype, capacity=length)
        texts = []
        for d in type_.shape or ():
            if d is None:
                word += 1
                texts.append(code.load("i64", code.field("%table", word)))
            else:
                texts.append(str(d))
        array = Array(pointer, tuple(texts), dense(code, tuple(texts)), type_.dtype)
        if isinstance(type_, HandleType):
            return Handle(array, value in self.written)
        return array if texts else scalars.load(code, pointer, type_.dtype)

    def _output(self, lowering: Lowering, value: Value, result: Lowered, place: str) -> None:
        """Put a result in its place; if its size was not known, the place gets its address, owner and dimensions."""
        code, type_ = lowering.code, value.type
        if isinstance(type_, TensorType) and type_.shape == ():
            if isinstance(result, Array):
                result = scalars.load(code, result.pointer, result.dtype)
            scalars.store(code, scalars.cast(code, result, type_.dtype), place)
            return
        assert isinstance(result, Array)
        if not _size_is_open(value):
            if value not in lowering.targets or result.pointer != lowering.targets[value].pointer:
                target = Array(place, result.dims, dense(code, result.dims), result.dtype)
                if result.packed:
                    memory.copy(code, target.pointer, result.pointer, lowering.size_in_bytes(result))
                else:
                    lowering.copy_into(target, result)
            return
        ((result, base),) = lowering.leaving([result], [type_], must_own=True)
        assert isinstance(result, Array)
        memory.unlink(code, lowering.context, base)
        raw = code.load("ptr", code.at("i8", base, "-48"))
        code.store("ptr", result.pointer, place)
        code.store("ptr", raw, code.field(place, 1))
        for i, d in enumerate(result.dims):
            code.store("i64", d, code.field(place, 2 + i))


class _Entries:
    """The functions that Python calls: they fill the table from objects, and call the core."""

    def __init__(self, module: Module, core: _Core) -> None:
        self.module, self.core = module, core
        self.name = "entry"
        self.keep: list[Any] = []

    def _external(self, name: str, thing: object) -> str:
        """An object of Python's, by a name that the linker resolves."""
        self.module.declared[name] = f"@{name} = external global i8"
        self.module.symbols[name] = id(thing)
        self.keep.append(thing)
        return f"@{name}"

    def _word(self, code: Code, item: str, offset: int, kind: str = "ptr") -> str:
        return code.load(kind, code.at("i8", item, str(offset)))

    def _status(self, code: Code, table: str) -> str:
        """Run the core, other Python threads meanwhile too if it may take long."""
        state = code.call("PyEval_SaveThread", "ptr", []) if self.core.saved else ""
        status = code.let(f"call i32 @{self.core.name}(ptr {table})", "i32")
        if self.core.saved:
            code.call("PyEval_RestoreThread", "void", [("ptr", state)])
        return status

    def from_arrays(self) -> None:
        """Arrays, NumPy scalars and places as arguments, in the order of the table; returns the status."""
        code, core = Code(self.module), self.core
        table = code.slot("i64", core.size)
        number = 0
        for value in core.graph.inputs:
            item = code.load("ptr", code.field("%args", number))
            self._fill(code, value, item, table)
            number += 1
        for place in range(core.places, core.size):
            item = code.load("ptr", code.field("%args", number))
            code.store("ptr", self._word(code, item, _DATA), code.field(table, place))
            number += 1
        wide = code.let(f"zext i32 {self._status(code, table)} to i64", "i64")
        code.do(f"ret ptr {code.call('PyLong_FromLong', 'ptr', [('i64', wide)])}")
        code.enter("scattered")
        code.do(f"ret ptr {code.call('PyLong_FromLong', 'ptr', [('i64', str(SCATTERED))])}")
        code.finish(f"ptr @{self.name}(ptr %self, ptr %args, i64 %count)", "nounwind")

    def _fill(self, code: Code, value: Value, item: str, table: str) -> None:
        type_, word = value.type, self.core.words[value]
        if isinstance(type_, ListType):
            words = self._word(code, item, _DATA)
            code.store("ptr", code.load("ptr", words), code.field(table, word))
            code.store("i64", code.load("i64", code.field(words, 1)), code.field(table, word + 1))
            return
        if not type_.shape:
            kind = self._word(code, item, _TYPE)
            is_array = code.let(f"icmp eq ptr {kind}, {self._external('numpy.ndarray', np.ndarray)}", "i1")
            place = code.at("i8", item, str(_DATA))  # a NumPy scalar holds its number where an array points to it
            code.store("ptr", code.choose(is_array, code.load("ptr", place), place, "ptr"), code.field(table, word))
            return
        self._behaved(code, item, "scattered")
        code.store("ptr", self._word(code, item, _DATA), code.field(table, word))
        self._sizes(code, value, item, table)

    def _behaved(self, code: Code, item: str, otherwise: str) -> None:
        behaved = code.let(f"and i32 {self._word(code, item, _FLAGS, 'i32')}, {_BEHAVED}", "i32")
        self._need(code, code.let(f"icmp eq i32 {behaved}, {_BEHAVED}", "i1"), otherwise)

    def _need(self, code: Code, test: str, otherwise: str) -> None:
        good = code.label("good")
        code.fork(test, good, otherwise)
        code.enter(good)

    def _sizes(self, code: Code, value: Value, item: str, table: str, check: str = "") -> None:
        """The dimensions that are not known, into the table; with `check`, the others are compared."""
        shape, word = value.type.shape or (), self.core.words[value]
        sizes = self._word(code, item, _DIMS) if check or None in shape else ""
        for axis, d in enumerate(shape):
            if d is None:
                word += 1
                code.store("i64", code.load("i64", code.field(sizes, axis)), code.field(table, word))
            elif check:
                self._need(code, code.compare("eq", code.load("i64", code.field(sizes, axis)), str(d)), check)

    def from_tensors(self, tensor_type: Any) -> str:
        """Eager tensors (or arrays) in, an eager tensor or a tuple of them out; None for any other arguments."""
        code, core = Code(self.module), self.core
        name = "direct"
        array_type = self._external("numpy.ndarray", np.ndarray)
        offset = _offset(tensor_type)
        tensor = self._external("tensor", tensor_type)
        none = self._external("none", None)
        table = code.slot("i64", core.size)
        busy = self.module.declare("busy", "")
        self.module.declared["busy"] = "@busy = external global i64"
        self.module.symbols["busy"] = ctypes.addressof(config.busy)
        self._need(code, code.compare("eq", code.load("i64", busy), "0"), "miss")
        self._need(code, code.compare("eq", "%count", str(len(core.graph.inputs))), "miss")
        for number, value in enumerate(core.graph.inputs):
            item = self._array_of(code, code.load("ptr", code.field("%args", number)), array_type, tensor, offset)
            dtype = self._external(f"dtype.{value.type.dtype.name}", value.type.dtype.dtype)
            self._need(code, code.let(f"icmp eq ptr {self._word(code, item, _DTYPE)}, {dtype}", "i1"), "miss")
            rank = self._word(code, item, _RANK, "i32")
            self._need(code, code.let(f"icmp eq i32 {rank}, {len(value.type.shape or ())}", "i1"), "miss")
            self._behaved(code, item, "miss")
            code.store("ptr", self._word(code, item, _DATA), code.field(table, core.words[value]))
            self._sizes(code, value, item, table, check="miss")
        arrays = []
        for number, value in enumerate(core.graph.outputs):
            array = self._new_array(code, value, array_type)
            arrays.append(array)
            code.store("ptr", self._word(code, array, _DATA), code.field(table, core.places + number))
        done, failed = code.label("done"), code.label("failed")
        code.fork(code.let(f"icmp eq i32 {self._status(code, table)}, {OK}", "i1"), done, failed)
        code.enter(failed)
        for array in arrays:
            code.call("Py_DecRef", "void", [("ptr", array)])
        code.jump("miss")
        code.enter(done)
        tensors = [self._new_tensor(code, array, tensor, offset) for array in arrays]
        result = tensors[0]
        if len(tensors) > 1:
            result = code.call("PyTuple_New", "ptr", [("i64", str(len(tensors)))])
            for i, tensor in enumerate(tensors):
                code.call("PyTuple_SetItem", "i32", [("ptr", result), ("i64", str(i)), ("ptr", tensor)])
        code.do(f"ret ptr {result}")
        code.enter("unmade")
        code.do("ret ptr null")
        code.enter("miss")
        code.call("Py_IncRef", "void", [("ptr", none)])
        code.do(f"ret ptr {none}")
        code.finish(f"ptr @{name}(ptr %self, ptr %args, i64 %count)", "nounwind")
        return name

    def _array_of(self, code: Code, item: str, array_type: str, tensor_type: str, offset: int) -> str:
        """The array itself, or that of a tensor; anything else is a miss."""
        found = code.slot("ptr")
        code.store("ptr", item, found)
        tensor, other, array = code.label("tensor"), code.label("other"), code.label("array")
        kind = self._word(code, item, _TYPE)
        code.fork(code.let(f"icmp eq ptr {kind}, {tensor_type}", "i1"), tensor, other)
        code.enter(tensor)
        inner = self._word(code, item, offset)
        code.store("ptr", inner, found)
        whole = code.let(f"icmp eq ptr {self._word(code, inner, _TYPE)}, {array_type}", "i1")
        code.fork(whole, array, "miss")
        code.enter(other)
        code.fork(code.let(f"icmp eq ptr {kind}, {array_type}", "i1"), array, "miss")
        code.enter(array)
        return code.load("ptr", found)

    def _new_array(self, code: Code, value: Value, array_type: str) -> str:
        """An array for a result, by NumPy's own constructor, which takes over the reference to the dtype."""
        dtype = self._external(f"dtype.{value.type.dtype.name}", value.type.dtype.dtype)
        code.call("Py_IncRef", "void", [("ptr", dtype)])
        shape = value.type.shape or ()
        dims = code.slot("i64", max(len(shape), 1))
        for axis, d in enumerate(shape):
            code.store("i64", str(d), code.field(dims, axis))
        make = self.module.declare("numpy.new", "ptr (ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)")
        self.module.symbols["numpy.new"] = _numpy_constructor()
        given = f"ptr {array_type}, ptr {dtype}, i32 {len(shape)}, ptr {dims}, ptr null, ptr null, i32 0, ptr null"
        made = code.let(f"call ptr {make}({given})", "ptr")
        self._need(code, code.let(f"icmp ne ptr {made}, null", "i1"), "unmade")
        return made

    def _new_tensor(self, code: Code, array: str, tensor_type: str, offset: int) -> str:
        made = code.call("PyType_GenericAlloc", "ptr", [("ptr", tensor_type), ("i64", "0")])
        code.store("ptr", array, code.at("i8", made, str(offset)))
        return made


@functools.cache
def _offset(tensor_type: Any) -> int:
    """Where in an eager tensor its array is."""
    array = np.zeros(())
    sample = tensor_type(array)
    words = (ctypes.c_size_t * (tensor_type.__basicsize__ // 8)).from_address(id(sample))
    return 8 * list(words).index(id(array))


def _may_be_direct(core: _Core) -> bool:
    if core.written or not core.graph.outputs:
        return False
    tensors = all(isinstance(v.type, TensorType) for v in (*core.graph.inputs, *core.graph.outputs))
    return tensors and not any(map(_size_is_open, core.graph.outputs))


@functools.cache
def _numpy_constructor() -> int:
    """The address of ``PyArray_NewFromDescr`` in NumPy's table of functions, where it is number 94 for good."""
    table = importlib.import_module("numpy._core._multiarray_umath")

    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    functions = ctypes.cast(get(table._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    address = functions[94]
    assert address is not None
    return address


def _wrapper(core: _Core, native: Callable[..., int], keep: list[Any]) -> Callable[..., Any]:
    """Python code that makes room for the results and calls the native code."""
    values = core.graph.inputs
    inputs = [f"x{i}" for i in range(len(values))]
    names: dict[str, Any] = {
        "native": native, "empty": np.empty, "keep": keep, "again": _in_order, "owned": _owned, "pack": _packed,
        "words": np.dtype(np.int64),
    }  # fmt: skip
    lines = [f"def run({', '.join(inputs)}):"]
    given, places, finished, results = [], [], [], []
    handles = [x for x, v in zip(inputs, values) if isinstance(v.type, HandleType)]
    if core.written and len(handles) > 1:  # one Variable under two names is two places in native code
        lines.append(f"    if len({{{', '.join(f'id({h})' for h in handles)}}}) < {len(handles)}: return None")
    for x, v in zip(inputs, values):
        given.append(f"{x}.array" if isinstance(v.type, HandleType) else f"l{x}" if isinstance(v.type, ListType) else x)
        names[f"s{x}"], names[f"t{x}"] = tuple(v.type.shape or ()), v.type.dtype.dtype
        if isinstance(v.type, ListType):
            lines.append(f"    a{x}, l{x} = pack({x}, s{x}, t{x})")
        elif v in core.written:
            lines.append(f"    w{x} = empty(s{x}, t{x})")
            places.append(f"w{x}")
            finished.append(f"    {x}.write(w{x})")
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
    lines += finished
    lines.append(f"    return ({', '.join(results)}{',' if len(results) == 1 else ''})")
    exec("\n".join(lines), names)
    run: Callable[..., Any] = names["run"]
    return run


def _open_dims(value: Value) -> int:
    """How many words of the table tell the dimensions of an input."""
    return 1 if isinstance(value.type, ListType) else (value.type.shape or ()).count(None)


def _size_is_open(value: Value) -> bool:
    """Whether only a run tells how many elements there are."""
    return isinstance(value.type, ListType) or None in (value.type.shape or ())


def _packed(elements: list[Any], shape: tuple[int, ...], dtype: Any) -> tuple[Any, Any]:
    """The elements of a list in one array, those that nobody wrote zero; and where it lies, with its length."""
    array = np.zeros((len(elements), *shape), dtype)
    for i, element in enumerate(elements):
        if element is not None:
            array[i] = element
    return array, np.array([array.ctypes.data, len(elements)], np.int64)


def _in_order(native: Callable[..., int], given: Sequence[Any], places: Sequence[Any]) -> int:
    """Once more, with every array in C order."""
    return native(
        *(np.require(x, requirements=["C", "A"]) if isinstance(x, np.ndarray) and x.ndim > 0 else x for x in given),
        *places,
    )


_libc = ctypes.CDLL(None)
_libc.free.argtypes = [ctypes.c_void_p]
_libc.free.restype = None


class _Memory:
    """Memory that native code has handed over, as NumPy's array interface has it; freed with the last array in it."""

    def __init__(self, pointer: int, raw: int, shape: tuple[int, ...], dtype: Any) -> None:
        self.raw = raw
        self.__array_interface__ = {"data": (pointer, False), "shape": shape, "typestr": dtype.str, "version": 3}

    def __del__(self, free: Any = _libc.free) -> None:
        free(self.raw)


def _owned(words: Any, dtype: Any) -> Any:
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
