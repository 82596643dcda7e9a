"""From Python into native code: a built-in function that is handed arrays and reads where their elements lie.

What it reads of an array object is NumPy's public C layout, which does not change between versions.
"""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

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
_DATA, _DIMS, _FLAGS = _HEAD, _HEAD + 16, _HEAD + 48
_BEHAVED = 0x0001 | 0x0100  # in C order, and aligned
_SAVED = {"while", "call", "matmul", "conv2d", "max_pool2d"}  # where other threads may run meanwhile

_numbers = itertools.count()


class _Definition(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("function", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


_FASTCALL = 0x0080


def _builtin(address: int, name: str, keep: list[Any]) -> Callable[..., int]:
    definition = _Definition(name.encode(), address, _FASTCALL, None)
    keep.append(definition)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    made: Callable[..., int] = make(ctypes.addressof(definition), None, None)
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


def compile_region(graph: Graph) -> Callable[..., Any]:
    """A function from arrays (and Variables) to a tuple of arrays, or None where the run failed.

    Raises Unsupported, with the node, if something in the graph has no native form.
    """
    module = Module(graph.name)
    memory.prepare(module)
    entry = _Entry(module, graph)
    entry.lower()
    address, linked = compile_module(module, entry.name)
    keep = [linked]
    return entry.wrapper(_builtin(address, graph.name, keep), keep)


class _Entry:
    """The function that Python calls."""

    def __init__(self, module: Module, graph: Graph) -> None:
        self.module, self.graph = module, graph
        self.name = f"entry.{next(_numbers)}"
        self.written = written_variables(graph)
        self.outputs = list(graph.outputs)
        for value in graph.outputs:
            if isinstance(value.type, HandleType):
                raise Unsupported("a Variable is a result", _maker(graph, value))
        for value in graph.inputs:
            check_type(value.type, next((n for n in graph.nodes if value in n.inputs), None))

    def lower(self) -> None:
        callees = _callees(self.graph)
        for callee in callees.values():
            if callee.graph is None:
                raise Unsupported("a function that is still being traced")
        names = {key: f"call.{i}" for i, key in enumerate(callees)}
        for callee in callees.values():
            lower_callee(self.module, names, callee)
        lowering = Lowering(self.module, names)
        code = lowering.code
        lowering.context = memory.new_context(code)
        state = self._enter(code)
        given: list[Any] = []
        number = 0
        for value in self.graph.inputs:
            given.append(self._input(code, value, number))
            number += 1
        for value in self.graph.inputs:
            if value in self.written:
                target = self._target(code, number)
                index = self.graph.inputs.index(value)
                array: Array = given[index].array
                memory.copy(code, target, array.pointer, lowering.size_in_bytes(array))
                given[index] = Handle(replace(array, pointer=target), True)
                number += 1
        if self.saved:
            state = code.call("PyEval_SaveThread", "ptr", [])
        for i, value in enumerate(self.outputs):
            dims = value.type.shape or ()
            if _size_is_open(value):
                continue
            pointer = self._target(code, number + i)
            if dims and self.outputs.count(value) == 1 and value not in self.graph.inputs:
                texts = tuple(map(str, dims))
                lowering.targets[value] = Array(pointer, texts, dense(code, texts), value.type.dtype)

        def finish(results: list[Lowered]) -> None:
            for i, (value, result) in enumerate(zip(self.outputs, results)):
                self._output(lowering, value, result, number + i)

        lowering.block(self.graph, given, (), finish)
        self._leave(code, lowering.context, state, OK)
        code.enter("fail")
        self._leave(code, lowering.context, state, FAILED)
        code.enter("scattered")
        code.do(f"ret ptr {self._status(code, SCATTERED)}")
        code.finish(f"ptr @{self.name}(ptr %self, ptr %args, i64 %count)", "nounwind")

    def _enter(self, code: Code) -> str:
        self.saved = any(n.op.name in _SAVED for n in self.graph.walk())
        return ""

    def _leave(self, code: Code, context: str, state: str, status: int) -> None:
        memory.release_all(code, context)
        if self.saved:
            code.call("PyEval_RestoreThread", "void", [("ptr", state)])
        code.do(f"ret ptr {self._status(code, status)}")

    def _status(self, code: Code, status: int) -> str:
        return code.call("PyLong_FromLong", "ptr", [("i64", str(status))])

    def _object(self, code: Code, number: int) -> str:
        return code.load("ptr", code.field("%args", number))

    def _target(self, code: Code, number: int) -> str:
        return code.load("ptr", code.at("i8", self._object(code, number), str(_DATA)))

    def _input(self, code: Code, value: Value, number: int) -> Any:
        item = self._object(code, number)
        type_ = value.type
        if isinstance(type_, ListType):
            words = self._target(code, number)
            length = code.load("i64", code.field(words, 1))
            dims = (length, *map(str, type_.shape or ()))
            return Array(code.load("ptr", words), dims, dense(code, dims), type_.dtype, capacity=length)
        if not type_.shape:
            array_type = self.module.declare("numpy.ndarray", "")
            self.module.declared["numpy.ndarray"] = "@numpy.ndarray = external global i8"
            self.module.symbols["numpy.ndarray"] = id(np.ndarray)
            kind = code.load("ptr", code.at("i8", item, str(_TYPE)))
            is_array = code.let(f"icmp eq ptr {kind}, {array_type}", "i1")
            place = code.at("i8", item, str(_DATA))  # a NumPy scalar holds its number where an array points to it
            pointer = code.choose(is_array, code.load("ptr", place), place, "ptr")
            if isinstance(type_, HandleType):
                return Handle(Array(pointer, (), (), type_.dtype), value in self.written)
            return scalars.load(code, pointer, type_.dtype)
        flags = code.load("i32", code.at("i8", item, str(_FLAGS)))
        behaved = code.let(f"and i32 {flags}, {_BEHAVED}", "i32")
        good = code.label("behaved")
        code.fork(code.let(f"icmp eq i32 {behaved}, {_BEHAVED}", "i1"), good, "scattered")
        code.enter(good)
        pointer = self._target(code, number)
        sizes = code.load("ptr", code.at("i8", item, str(_DIMS))) if None in type_.shape else ""
        dims = tuple(str(d) if d is not None else code.load("i64", code.field(sizes, i)) for i, d in enumerate(type_.shape))
        array = Array(pointer, dims, dense(code, dims), type_.dtype)
        return Handle(array, value in self.written) if isinstance(type_, HandleType) else array

    def _output(self, lowering: Lowering, value: Value, result: Lowered, number: int) -> None:
        """Put a result where Python finds it: in an array of its own, or, if its size was not known, by its address."""
        code, type_ = lowering.code, value.type
        if isinstance(type_, TensorType) and type_.shape == ():
            if isinstance(result, Array):
                result = scalars.load(code, result.pointer, result.dtype)
            scalars.store(code, scalars.cast(code, result, type_.dtype), self._target(code, number))
            return
        assert isinstance(result, Array)
        if not _size_is_open(value):
            if value not in lowering.targets or result.pointer != lowering.targets[value].pointer:
                target = Array(self._target(code, number), result.dims, dense(code, result.dims), result.dtype)
                if result.packed:
                    memory.copy(code, target.pointer, result.pointer, lowering.size_in_bytes(result))
                else:
                    lowering.copy_into(target, result)
            return
        (result, base), = lowering.leaving([result], [type_], must_own=True)
        assert isinstance(result, Array)
        memory.unlink(code, lowering.context, base)
        words = self._target(code, number)
        raw = code.load("ptr", code.at("i8", base, "-48"))
        code.store("ptr", result.pointer, words)
        code.store("ptr", raw, code.field(words, 1))
        for i, d in enumerate(result.dims):
            code.store("i64", d, code.field(words, 2 + i))

    def wrapper(self, native: Callable[..., int], keep: list[Any]) -> Callable[..., Any]:
        """Python code that makes room for the results and calls the native code."""
        inputs = [f"x{i}" for i in range(len(self.graph.inputs))]
        given = [f"{x}.array" if isinstance(v.type, HandleType) else x for x, v in zip(inputs, self.graph.inputs)]
        given = [f"l{x}" if isinstance(v.type, ListType) else g for x, g, v in zip(inputs, given, self.graph.inputs)]
        handles = [x for x, v in zip(inputs, self.graph.inputs) if isinstance(v.type, HandleType)]
        lines = [f"def run({', '.join(inputs)}):"]
        names: dict[str, Any] = {"native": native, "empty": np.empty, "keep": keep, "again": _in_order, "owned": _owned}
        if self.written and len(handles) > 1:  # one Variable under two names is two places in native code
            lines.append(f"    if len({{{', '.join(f'id({h})' for h in handles)}}}) < {len(handles)}: return None")
        places, finished, results = [], [], []
        for x, v in zip(inputs, self.graph.inputs):
            if isinstance(v.type, ListType):
                names[f"s{x}"], names[f"t{x}"], names["pack"] = tuple(v.type.shape or ()), v.type.dtype.dtype, _packed
                lines.append(f"    a{x}, l{x} = pack({x}, s{x}, t{x})")
        for x, v in zip(inputs, self.graph.inputs):
            if v in self.written:
                names[f"t{x}"] = v.type.dtype.dtype
                lines.append(f"    w{x} = empty({tuple(v.type.shape or ())}, t{x})")
                places.append(f"w{x}")
                finished.append(f"    {x}.write(w{x})")
        for i, v in enumerate(self.outputs):
            shape = v.type.shape or ()
            places.append(f"y{i}")
            if not _size_is_open(v):
                names[f"t{i}"] = v.type.dtype.dtype
                lines.append(f"    y{i} = empty({shape}, t{i})")
                results.append(f"y{i}")
                continue
            names[f"t{i}"], names["words"] = v.type.dtype.dtype, np.dtype(np.int64)
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
    return native(*(np.require(x, requirements="CA") if isinstance(x, np.ndarray) and x.ndim > 0 else x for x in given), *places)


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


