"""The ways from Python into native code: built-in functions that read arrays and tensors by a description.

They are compiled once for the process and serve every graph: the object that Python hands them as `self` is an array of
words that says what the graph takes and gives. What they read of an array object is NumPy's public C layout, which does
not change between versions.
"""

from __future__ import annotations

import ctypes
import functools
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.executors.native.code import Code, Module
from runtime.executors.native.machine import compile_module
from runtime.executors.native.system import once
from runtime.graph import settings as config
from runtime.graph.graph import ListType, Type

OK, FAILED, SCATTERED = 0, 1, 2  # SCATTERED: an input is not in C order

_HEAD = object.__basicsize__  # bytes of an object before its own fields
TYPE = _HEAD - 8
DATA, RANK, DIMS, DTYPE, FLAGS = _HEAD, _HEAD + 8, _HEAD + 16, _HEAD + 40, _HEAD + 48
_BEHAVED = 0x0001 | 0x0100  # in C order, and aligned
_OPEN, _LIST = -1, -1  # a dimension that is not known; the rank that stands for a list

# The words of a description, before those of inputs and outputs: each of these is a dtype, a rank, and dimensions.
_WORDS = (
    "core", "table", "inputs", "places", "outputs", "saved", "busy", "array_type", "tensor_type", "offset", "none",
    "constructor", "takes_array", "takes_tensor", "bare",
)  # fmt: skip
_FIRST = len(_WORDS)


@dataclass(frozen=True)
class Interface:
    """What a graph takes and gives, and the places that it fills: `long` if other threads may run meanwhile."""

    core: int
    inputs: Sequence[Type]
    outputs: Sequence[Type]
    places: int
    long: bool


def open_dims(type_: Type) -> int:
    """How many words of the table tell the dimensions of an input."""
    return 1 if isinstance(type_, ListType) else sum(not isinstance(d, int) for d in type_.shape or ())


def describe(interface: Interface, tensor_type: object, keep: list[object]) -> object:
    """The words; `keep` gets the objects that they point to."""
    table = sum(1 + open_dims(t) for t in interface.inputs) + interface.places
    words = [
        interface.core, table, len(interface.inputs), interface.places, len(interface.outputs), int(interface.long),
        ctypes.addressof(config.busy), id(np.ndarray), id(tensor_type), _offset(tensor_type) if tensor_type else 0,
        id(None), _numpy_function(_NEW), id(np.ndarray), id(tensor_type), 0,
    ]  # fmt: skip
    for type_ in (*interface.inputs, *interface.outputs):
        dtype = type_.dtype.dtype
        keep.append(dtype)
        if isinstance(type_, ListType):
            words += [id(dtype), _LIST]
        else:
            shape = type_.shape or ()
            words += [id(dtype), len(shape), *(d if isinstance(d, int) else _OPEN for d in shape)]
    keep.append(tensor_type)
    return np.array(words, np.int64)


@functools.cache
def _offset(tensor_type: type) -> int:
    """Where in an eager tensor its array is."""
    array = np.zeros(())
    sample = tensor_type(array)
    words = (ctypes.c_size_t * (tensor_type.__basicsize__ // 8)).from_address(id(sample))
    return 8 * list(words).index(id(array))


_NEW, _RETURN = 94, 76  # PyArray_NewFromDescr, PyArray_Return: their numbers for good in NumPy's table of functions


@functools.cache
def _numpy_function(number: int) -> int:
    """The address of a function in NumPy's table of them."""
    table = importlib.import_module("numpy._core._multiarray_umath")
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    functions = ctypes.cast(get(table._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    address = functions[number]
    assert address is not None
    return address


# Built-in functions.


class _Definition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL, _KEYWORDS = 0x0080, 0x0002


@once
def _definition(name: str) -> _Definition:
    flags = _FASTCALL | _KEYWORDS if name == "front" else _FASTCALL
    return _Definition(name.encode(), _entries()[name], flags, None)


def builtin(name: str, own: object) -> Callable[..., int]:
    """``entry`` or ``direct`` for a graph, whose description is its own; or ``front``."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    made: Callable[..., int] = make(ctypes.addressof(_definition(name)), own, None)
    return made


def only_for(direct: Any, arrays: bool) -> None:
    """Have `direct` take arrays alone, or tensors alone."""
    direct.__self__[_WORDS.index("takes_tensor" if arrays else "takes_array")] = 0


def give_arrays(direct: Any) -> None:
    """Have `direct` give arrays, and numbers of NumPy's where these would have no dimensions."""
    direct.__self__[_WORDS.index("bare")] = _numpy_function(_RETURN)


def front(direct: Any, otherwise: Callable[..., object]) -> Callable[..., object]:
    """A function that does what `direct` does, and what `otherwise` does with arguments that are not for it."""
    return builtin("front", (direct.__self__, otherwise))


_kept: list[object] = []


@once
def _entries() -> dict[str, int]:
    module = Module("entries")
    _from_arrays(module)
    _from_tensors(module)
    _with_another_way(module)
    addresses, linked = compile_module(module, ["entry", "direct", "front"])
    _kept.append(linked)
    return addresses


class _Description:
    """The description in the making of a function that reads it."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.words = code.load("ptr", code.at("i8", "%self", str(DATA)))
        self.walk = code.slot("ptr")  # where the next input or output is described
        code.store("ptr", code.field(self.words, _FIRST), self.walk)

    def word(self, name: str, kind: str = "i64") -> str:
        return self.code.load(kind, self.code.field(self.words, _WORDS.index(name)))

    def next(self) -> tuple[str, str, str]:
        """The dtype and rank of the next input or output, and where its dimensions are."""
        code = self.code
        here = code.load("ptr", self.walk)
        dtype, rank = code.load("ptr", here), code.load("i64", code.field(here, 1))
        dims = code.field(here, 2)
        code.store("ptr", code.at("i64", dims, code.most(rank, "0")), self.walk)
        return dtype, rank, dims

    def table(self) -> tuple[str, str]:
        """A table on the stack, and where its next word is."""
        code = self.code
        table = code.let(f"alloca i64, i64 {self.word('table')}, align 8")
        place = code.slot("ptr")
        code.store("ptr", table, place)
        return table, place


def _append(code: Code, kind: str, value: str, place: str) -> None:
    here = code.load("ptr", place)
    code.store(kind, value, here)
    code.store("ptr", code.field(here, 1), place)


def _word(code: Code, item: str, offset: int, kind: str = "ptr") -> str:
    return code.load(kind, code.at("i8", item, str(offset)))


def _need(code: Code, test: str, otherwise: str) -> None:
    good = code.label("good")
    code.fork(test, good, otherwise)
    code.enter(good)


def _behaved(code: Code, item: str, otherwise: str) -> None:
    flags = code.let(f"and i32 {_word(code, item, FLAGS, 'i32')}, {_BEHAVED}")
    _need(code, code.let(f"icmp eq i32 {flags}, {_BEHAVED}"), otherwise)


def _open_sizes(code: Code, item: str, rank: str, dims: str, place: str, check: str = "") -> None:
    """The dimensions that are not known, into the table; with `check`, the others are compared."""
    sizes = _word(code, item, DIMS)
    with code.loop(rank) as axis:
        known, size = code.load("i64", code.at("i64", dims, axis)), code.load("i64", code.at("i64", sizes, axis))
        is_open, is_known, done = code.label("open"), code.label("known"), code.label("sized")
        code.fork(code.compare("eq", known, str(_OPEN)), is_open, is_known)
        code.enter(is_open)
        _append(code, "i64", size, place)
        code.jump(done)
        code.enter(is_known)
        if check:
            code.fork(code.compare("eq", known, size), done, check)
        else:
            code.jump(done)
        code.enter(done)


def _status(code: Code, description: _Description, table: str) -> str:
    """Run the core, other Python threads meanwhile too if it may take long."""
    core, status = description.word("core", "ptr"), code.slot("i32")
    alone, together, done = code.label("alone"), code.label("together"), code.label("ran")
    code.fork(code.compare("eq", description.word("saved"), "0"), alone, together)
    code.enter(alone)
    code.store("i32", code.let(f"call i32 {core}(ptr {table})"), status)
    code.jump(done)
    code.enter(together)
    state = code.call("PyEval_SaveThread", "ptr", [])
    code.store("i32", code.let(f"call i32 {core}(ptr {table})"), status)
    code.call("PyEval_RestoreThread", "void", [("ptr", state)])
    code.jump(done)
    code.enter(done)
    return code.load("i32", status)


def _interrupted(code: Code) -> str:
    """Whether a signal has raised an exception."""
    return code.let(f"icmp ne ptr {code.call('PyErr_Occurred', 'ptr', [])}, null")


def _from_arrays(module: Module) -> None:
    """``entry``: arrays, NumPy scalars and places as arguments, in the order of the table; returns the status."""
    code = Code(module)
    description = _Description(code)
    table, place = description.table()
    count = description.word("inputs")
    array_type = description.word("array_type", "ptr")
    with code.loop(count) as number:
        item = code.load("ptr", code.at("ptr", "%args", number))
        _, rank, dims = description.next()
        number_, list_, array, done = (code.label(s) for s in ("number", "list", "array", "filled"))
        code.do(f"switch i64 {rank}, label %{array} [ i64 0, label %{number_} i64 {_LIST}, label %{list_} ]")
        code.enter(number_)
        held = code.at("i8", item, str(DATA))  # a NumPy scalar holds its number where an array points to it
        is_array = code.let(f"icmp eq ptr {_word(code, item, TYPE)}, {array_type}")
        _append(code, "ptr", code.choose(is_array, code.load("ptr", held), held, "ptr"), place)
        code.jump(done)
        code.enter(list_)
        words = _word(code, item, DATA)
        _append(code, "ptr", code.load("ptr", words), place)
        _append(code, "i64", code.load("i64", code.field(words, 1)), place)
        code.jump(done)
        code.enter(array)
        _behaved(code, item, "scattered")
        _append(code, "ptr", _word(code, item, DATA), place)
        _open_sizes(code, item, rank, dims, place)
        code.jump(done)
        code.enter(done)
    with code.loop(code.add(count, description.word("places")), count) as number:
        _append(code, "ptr", _word(code, code.load("ptr", code.at("ptr", "%args", number)), DATA), place)
    status = _status(code, description, table)
    failed, told = code.label("failed"), code.label("told")
    code.fork(code.let(f"icmp eq i32 {status}, {FAILED}"), failed, told)
    code.enter(failed)
    code.fork(_interrupted(code), "interrupted", told)
    code.enter("interrupted")
    code.do("ret ptr null")
    code.enter(told)
    wide = code.let(f"zext i32 {status} to i64")
    code.do(f"ret ptr {code.call('PyLong_FromLong', 'ptr', [('i64', wide)])}")
    code.enter("scattered")
    code.do(f"ret ptr {code.call('PyLong_FromLong', 'ptr', [('i64', str(SCATTERED))])}")
    code.finish("ptr @entry(ptr %self, ptr %args, i64 %count)", "nounwind")


def _from_tensors(module: Module) -> None:
    """``direct``: eager tensors (or arrays) in, an eager tensor or a tuple of them out; None for other arguments."""
    code = Code(module)
    description = _Description(code)
    _need(code, code.compare("eq", code.load("i64", description.word("busy", "ptr")), "0"), "miss")
    _need(code, code.compare("eq", "%count", description.word("inputs")), "miss")
    table, place = description.table()
    array_type = description.word("array_type", "ptr")
    offset = description.word("offset")
    taken = description.word("takes_array", "ptr"), description.word("takes_tensor", "ptr")
    with code.loop("%count") as number:
        item = _array_of(code, code.load("ptr", code.at("ptr", "%args", number)), array_type, taken, offset)
        dtype, rank, dims = description.next()
        _need(code, code.let(f"icmp eq ptr {_word(code, item, DTYPE)}, {dtype}"), "miss")
        has = code.let(f"sext i32 {_word(code, item, RANK, 'i32')} to i64")
        _need(code, code.compare("eq", has, rank), "miss")
        _behaved(code, item, "miss")
        _append(code, "ptr", _word(code, item, DATA), place)
        _open_sizes(code, item, rank, dims, place, check="miss")
    outputs = description.word("outputs")
    arrays = code.let(f"alloca ptr, i64 {outputs}, align 8")
    constructor = description.word("constructor", "ptr")
    with code.loop(outputs) as number:
        dtype, rank, dims = description.next()
        code.call("Py_IncRef", "void", [("ptr", dtype)])  # the constructor takes it over
        narrow = code.let(f"trunc i64 {rank} to i32")
        given = f"ptr {array_type}, ptr {dtype}, i32 {narrow}, ptr {dims}, ptr null, ptr null, i32 0, ptr null"
        made = code.let(f"call ptr {constructor}({given})")
        _need(code, code.let(f"icmp ne ptr {made}, null"), "unmade")
        code.store("ptr", made, code.at("ptr", arrays, number))
        _append(code, "ptr", _word(code, made, DATA), place)
    done, failed = code.label("done"), code.label("failed")
    code.fork(code.let(f"icmp eq i32 {_status(code, description, table)}, {OK}"), done, failed)
    code.enter(failed)
    with code.loop(outputs) as number:
        code.call("Py_DecRef", "void", [("ptr", code.load("ptr", code.at("ptr", arrays, number)))])
    code.fork(_interrupted(code), "unmade", "miss")
    code.enter(done)
    one, several = code.label("one"), code.label("several")
    code.fork(code.compare("eq", outputs, "1"), one, several)
    code.enter(one)
    code.do(f"ret ptr {_new_tensor(code, code.load('ptr', arrays), description, offset)}")
    code.enter(several)
    result = code.call("PyTuple_New", "ptr", [("i64", outputs)])
    with code.loop(outputs) as number:
        tensor = _new_tensor(code, code.load("ptr", code.at("ptr", arrays, number)), description, offset)
        code.call("PyTuple_SetItem", "i32", [("ptr", result), ("i64", number), ("ptr", tensor)])
    code.do(f"ret ptr {result}")
    code.enter("unmade")
    code.do("ret ptr null")
    code.enter("miss")
    none = description.word("none", "ptr")
    code.call("Py_IncRef", "void", [("ptr", none)])
    code.do(f"ret ptr {none}")
    code.finish("ptr @direct(ptr %self, ptr %args, i64 %count)", "nounwind")


def _array_of(code: Code, item: str, array_type: str, taken: tuple[str, str], offset: str) -> str:
    """The array itself, or that of a tensor, as far as these are taken; anything else is a miss."""
    takes_array, takes_tensor = taken
    found = code.slot("ptr")
    code.store("ptr", item, found)
    tensor, other, array = code.label("tensor"), code.label("other"), code.label("array")
    kind = _word(code, item, TYPE)
    code.fork(code.let(f"icmp eq ptr {kind}, {takes_tensor}"), tensor, other)
    code.enter(tensor)
    inner = code.load("ptr", code.at("i8", item, offset))
    code.store("ptr", inner, found)
    code.fork(code.let(f"icmp eq ptr {_word(code, inner, TYPE)}, {array_type}"), array, "miss")
    code.enter(other)
    code.fork(code.let(f"icmp eq ptr {kind}, {takes_array}"), array, "miss")
    code.enter(array)
    return code.load("ptr", found)


def _new_tensor(code: Code, array: str, description: _Description, offset: str) -> str:
    """A tensor that holds the array; or the array itself, or the number in it, if results are to be NumPy's."""
    bare, result = description.word("bare", "ptr"), code.slot("ptr")
    itself, tensor, done = code.label("bare"), code.label("tensor"), code.label("made")
    code.fork(code.let(f"icmp ne ptr {bare}, null"), itself, tensor)
    code.enter(itself)
    code.store("ptr", code.let(f"call ptr {bare}(ptr {array})"), result)
    code.jump(done)
    code.enter(tensor)
    given = [("ptr", description.word("tensor_type", "ptr")), ("i64", "0")]
    made = code.call("PyType_GenericAlloc", "ptr", given)
    code.store("ptr", array, code.at("i8", made, offset))
    code.store("ptr", made, result)
    code.jump(done)
    code.enter(done)
    return code.load("ptr", result)


def _with_another_way(module: Module) -> None:
    """``front``: ``direct``, and a Python function where it returns None or there are keywords; both in a tuple."""
    code = Code(module)
    description, otherwise = (
        code.load("ptr", code.at("i8", "%self", str(tuple.__basicsize__ + 8 * i))) for i in range(2)
    )
    short, answered, missed, other = (code.label(s) for s in ("short", "answered", "missed", "other"))
    code.fork(code.let("icmp eq ptr %names, null"), short, other)
    code.enter(short)
    result = code.let(f"call ptr @direct(ptr {description}, ptr %args, i64 %count)")
    none = code.load("ptr", code.field(code.load("ptr", code.at("i8", description, str(DATA))), _WORDS.index("none")))
    code.fork(code.let(f"icmp eq ptr {result}, {none}"), missed, answered)
    code.enter(answered)
    code.do(f"ret ptr {result}")
    code.enter(missed)
    code.call("Py_DecRef", "void", [("ptr", result)])
    code.jump(other)
    code.enter(other)
    given = [("ptr", otherwise), ("ptr", "%args"), ("i64", "%count"), ("ptr", "%names")]
    code.do(f"ret ptr {code.call('PyObject_Vectorcall', 'ptr', given)}")
    code.finish("ptr @front(ptr %self, ptr %args, i64 %count, ptr %names)", "nounwind")
