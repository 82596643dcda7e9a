"""Objects as data: a tree of Modules, lists, tuples and dictionaries with Variables, functions and plain values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np

from runtime.checkpoints.objects import is_object
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.graph.dtypes import NumPyArray
from runtime.serialization import structures
from runtime.serialization.functions import FunctionReader, FunctionWriter, trace_alone
from runtime.serialization.restored import Signature
from runtime.serialization.values import (
    Malformed,
    NotSavable,
    Reader,
    dims,
    dtype_named,
    flag,
    index,
    listed,
    text,
    within,
)
from runtime.tensors import nest
from runtime.tensors.module import Module
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.variables import Variable

_OWN = ("_name", "_scope")  # attributes of a Module that say what it is called
_PARTS = ("objects", "functions", "concretes", "callees", "graphs", "signatures")


class ObjectWriter:
    """Writes objects, each once: an object that stands in two places is one object in both."""

    def __init__(self) -> None:
        self.functions = FunctionWriter(lambda variable: self.add(variable, "a Variable"))
        self.objects: list[object] = []
        self._waiting: list[
            tuple[int, Function[..., object] | ConcreteFunction, str]
        ] = []  # functions with their numbers and paths
        self._known: dict[int, tuple[object, int]] = {}  # by identity; the object is kept, so that no other has it

    def finish(self) -> None:
        """Write the functions, when nothing is traced any more."""
        for _, function, _ in self._waiting:
            if isinstance(function, Function):
                trace_alone(function)
        while self._waiting:
            number, function, path = self._waiting.pop()
            with within(path):
                if isinstance(function, Function):
                    self.objects[number] = {"function": self.functions.function(function)}
                else:
                    self.objects[number] = {"concrete": self.functions.concrete(function)}

    def data(self, signatures: Mapping[str, int]) -> dict[str, object]:
        """All that was written."""
        functions = self.functions
        return {
            "objects": self.objects, "functions": functions.functions, "concretes": functions.concretes,
            "callees": functions.graphs.callees, "graphs": functions.graphs.graphs, "signatures": dict(signatures),
        }  # fmt: skip

    @property
    def arrays(self) -> dict[str, NumPyArray]:
        return self.functions.writer.arrays

    def add(self, value: object, path: str) -> int:
        """Write an object, which is found by this path; returns its number."""
        if id(value) in self._known:
            return self._known[id(value)][1]
        number = len(self.objects)
        self._known[id(value)] = value, number
        self.objects.append(None)
        self.objects[number] = self._written(value, path)
        return number

    def _written(self, value: Any, path: str) -> dict[str, object]:
        if isinstance(value, Variable):
            return {"variable": self._variable(value)}
        if isinstance(value, Function | ConcreteFunction):
            self._waiting.append((len(self.objects) - 1, value, path))
            if isinstance(value, Function) and value.input_signature is not None:
                value.get_concrete_function()  # which may trace others
            return {}
        if is_object(value):
            found = [(name, part) for name, part in parts_of(value) if is_saved(part)]
            return {"module": [
                str(getattr(value, "name", "")), [[name, self.add(part, f"{path}.{name}")] for name, part in found],
            ]}  # fmt: skip
        if isinstance(value, Tensor):
            return {"tensor": self.functions.writer.array(np.asarray(value.numpy()))}
        if not _holds_objects(value):
            return {"value": structures.arguments(value, self.functions.writer)}
        if isinstance(value, Mapping):
            if not all(type(key) in (bool, int, float, str, bytes) for key in value):
                raise NotSavable(f"{path}: the keys of a dictionary must be plain values")
            pairs = [[self.functions.writer.value(k), self.add(v, f"{path}[{k!r}]")] for k, v in value.items()]
            return {"dict": pairs}
        inner = [self.add(part, f"{path}[{number}]") for number, part in enumerate(value)]
        if hasattr(value, "_fields"):
            return {"named": [type(value).__name__, [*value._fields], inner]}
        return {"tuple" if isinstance(value, tuple) else "list": inner}

    def _variable(self, variable: Variable) -> list[object]:
        name = self.functions.writer.keep(np.array(variable.array), "variables")
        shape = variable.shape
        return [name, variable.dtype.name, None if shape.rank is None else shape.as_list(), bool(variable.trainable),
                variable.hint]  # fmt: skip


def parts_of(value: Any) -> Iterator[tuple[str, object]]:
    """The attributes of an object, and the functions that its class has for methods."""
    if isinstance(value, Module):
        held = dict(vars(value))
    else:
        held = dict(value._held_for_checkpoints()) if hasattr(type(value), "_held_for_checkpoints") else {}
    for name in dir(type(value)):
        if name not in held and isinstance(inspect.getattr_static(type(value), name), Function):
            held[name] = getattr(value, name)
    own = (*_OWN, "signatures") if isinstance(value, Loaded) else _OWN
    yield from ((name, held[name]) for name in sorted(held) if name not in own)


def is_saved(value: object, around: tuple[int, ...] = ()) -> bool:
    """Whether an attribute is saved: objects with Variables, functions, tensors and plain values."""
    if isinstance(value, Function | ConcreteFunction | Tensor) or is_object(value):
        return not isinstance(value, np.random.Generator) and (not isinstance(value, Tensor) or _is_eager(value))
    if isinstance(value, Mapping) or _is_sequence(value):
        inner = [*value.values()] if isinstance(value, Mapping) else [*value]
        return id(value) in around or all(is_saved(part, (*around, id(value))) for part in inner)
    try:
        structures.arguments(value, FunctionWriter(lambda _: 0).writer)
    except NotSavable:
        return False
    return True


def _is_eager(value: Tensor) -> bool:
    return isinstance(value, EagerTensor)


def _is_sequence(value: object) -> TypeGuard[Sequence[object]]:
    return isinstance(value, list | tuple) and nest.is_nested(value)


def _holds_objects(value: object, around: tuple[int, ...] = ()) -> bool:
    """Whether there is more in a structure than plain values."""
    if isinstance(value, Function | ConcreteFunction | Tensor) or is_object(value) or id(value) in around:
        return True
    if isinstance(value, Mapping) or _is_sequence(value):
        inner = value.values() if isinstance(value, Mapping) else value
        return any(_holds_objects(part, (*around, id(value))) for part in inner)
    return False


class Loaded(Module):
    """An object that was loaded: its attributes are those that were saved."""


class LoadedCallable(Loaded):
    """One that can be called, as the object that was saved."""

    def __call__(self, *args: object, **kwargs: object) -> object:
        """What the function gives that the class of the object had for a call."""
        return vars(self)["__call__"](*args, **kwargs)


class ObjectReader:
    """Reads objects.

    Args:
      about: what `ObjectWriter.data` gave.
      arrays: those of the archive.
    """

    def __init__(self, about: Mapping[str, object], arrays: Mapping[str, NumPyArray]) -> None:
        if missing := [name for name in _PARTS if name not in about]:
            raise Malformed(f"there are no {', '.join(missing)}")
        self._about, self._arrays = about, arrays
        self._objects = listed(about["objects"])
        self._known: dict[int, object] = {}
        self._open: set[int] = set()
        self._reader = Reader(arrays, structures.DECODERS)
        self._functions = FunctionReader(about, arrays, self._as_variable)

    def root(self) -> object:
        """The object that was saved, with all that is in it."""
        return self._object(0)

    def signatures(self) -> dict[str, Signature]:
        """The signatures, by name."""
        found = self._about["signatures"]
        if type(found) is not dict:
            raise Malformed("the signatures are no dictionary")
        return {name: self._functions.signature(number) for name, number in found.items()}

    def _as_variable(self, number: object) -> Variable:
        found = self._object(number)
        if not isinstance(found, Variable):
            raise Malformed(f"object {number} is no Variable, and a function uses it as one")
        return found

    def _object(self, number: object) -> object:
        at = index(number, len(self._objects))
        if at in self._known:
            return self._known[at]
        if at in self._open:
            raise Malformed(f"object {at} is a part of itself")
        data = self._objects[at]
        if type(data) is not dict or len(data) != 1 or not data.keys() <= _KINDS.keys():
            raise Malformed(f"object {at} is of no kind that there is")
        ((kind, inner),) = data.items()
        self._open.add(at)
        with within(f"object {at}"):
            self._known[at] = made = _KINDS[kind](self, inner, at)
        self._open.discard(at)
        return made

    def _variable(self, data: object, _: int) -> Variable:
        name, dtype, shape, trainable, hint = listed(data, 5)
        array, kind = self._reader.array(text(name)), dtype_named(dtype)
        if array.dtype != kind.dtype:
            raise Malformed(f"a Variable of {kind.name} has a value of {array.dtype}")
        try:
            made = Variable(EagerTensor(array), flag(trainable), shape=dims(shape) or (() if shape == [] else None))
        except ValueError as error:
            raise Malformed(f"a Variable: {error}") from None
        made.hint = text(hint)
        if shape is None:
            made._shape = None
        return made

    def _module(self, data: object, at: int) -> Loaded:
        name, attributes = listed(data, 2)
        pairs = [listed(pair, 2) for pair in listed(attributes)]
        made = (LoadedCallable if any(key == "__call__" for key, _ in pairs) else Loaded)()
        made._named(text(name))
        self._known[at] = made  # it may hold itself
        held = {text(key): self._object(number) for key, number in pairs}
        vars(made).update({key: part for key, part in held.items() if key not in _OWN})
        return made

    def _list(self, data: object, at: int) -> list[object]:
        made: list[object] = []
        self._known[at] = made
        made += [self._object(number) for number in listed(data)]
        return made

    def _dict(self, data: object, at: int) -> dict[object, object]:
        made: dict[object, object] = {}
        self._known[at] = made
        for pair in listed(data):
            key, number = listed(pair, 2)
            read = self._reader.value(key)
            if type(read) not in (bool, int, float, str, bytes):
                raise Malformed(f"{read!r} is the key of a dictionary")
            made[read] = self._object(number)
        return made

    def _named_tuple(self, data: object, _: int) -> object:
        name, names, inner = listed(data, 3)
        if len(listed(names)) != len(listed(inner)):
            raise Malformed("a named tuple has more or fewer parts than names")
        return structures.named_kind(name, names)(*map(self._object, listed(inner)))


_KINDS: dict[str, Callable[[ObjectReader, object, int], object]] = {
    "variable": ObjectReader._variable, "module": ObjectReader._module, "list": ObjectReader._list,
    "dict": ObjectReader._dict, "named": ObjectReader._named_tuple,
    "tuple": lambda reader, data, _: tuple(map(reader._object, listed(data))),
    "function": lambda reader, data, _: reader._functions.function(data),
    "concrete": lambda reader, data, _: reader._functions.concrete(data),
    "tensor": lambda reader, data, _: EagerTensor(reader._reader.array(data)),
    "value": lambda reader, data, _: reader._reader.value(data),
}  # fmt: skip
