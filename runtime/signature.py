"""Signatures: which calls of a function share a graph, and how arguments become its inputs."""

from __future__ import annotations

import inspect
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.rules import is_left_alone
from runtime import nest
from runtime.conversion import convert_to_tensor
from runtime.errors import InvalidArgumentError
from runtime.graph import HandleType, TensorType, Type
from runtime.shapes import fits, show
from runtime.spec import TensorSpec
from runtime.tensor import EagerTensor, Tensor
from runtime.variables import Variable


class ById:
    """A Python object as part of a signature: equal to itself alone, and not kept alive."""

    def __init__(self, value: Any) -> None:
        self.number = id(value)
        try:
            self.get: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            self.get = lambda: value

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and self.number == other.number and self.get() is other.get() is not None


@dataclass
class Arguments:
    """The arguments of a call: by parameter, with their leaves in order; those that are inputs of the graph apart."""

    bound: dict[str, Any]
    names: list[str]
    leaves: list[Any]
    types: list[Type | None]
    key: Any

    def released(self) -> Arguments:
        """The signature alone: specs for tensors, and no hold on the caller's objects."""
        leaves = [
            TensorSpec(kind.shape, kind.dtype, name) if isinstance(kind, TensorType) else _Stand(leaf)
            if kind is None and isinstance(part, ById) else leaf
            for name, leaf, kind, part in zip(self.names, self.leaves, self.types, self.parts())
        ]  # fmt: skip
        shaped = iter(leaves)
        bound = {name: nest.rebuild(value, shaped) for name, value in self.bound.items()}
        return Arguments(bound, self.names, leaves, self.types, self.key)

    def parts(self) -> list[Any]:
        return [argument_leaf(leaf, {})[2] if kind is None else None for leaf, kind in zip(self.leaves, self.types)]

    def tensors(self) -> list[Any]:
        return [leaf for leaf, kind in zip(self.leaves, self.types) if kind is not None]

    def specs(self) -> tuple[Any, Any]:
        def spec(leaf: Any, kind: Type | None, name: str) -> Any:
            return TensorSpec(kind.shape, kind.dtype, name) if isinstance(kind, TensorType) else leaf

        made = iter([spec(*row) for row in zip(self.leaves, self.types, self.names)])
        return tuple(nest.rebuild(v, made) for v in self.bound.values()), {}

    def tensors_of(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """The tensors of a call of a ConcreteFunction, checked against the signature."""
        given = dict(kwargs)
        wanted = [(n, t, leaf) for n, t, leaf in zip(self.names, self.types, self.leaves) if t is not None]
        flat = self._without_bound(nest.flatten(list(args)), len(wanted))
        if len(flat) > len(wanted):
            static = [leaf for leaf, t in zip(self.leaves, self.types) if t is None]
            raise TypeError(f"this function takes {len(wanted)} tensors, {len(flat)} were given (bound: {static})")
        result = []
        for (name, kind, _), value in zip(wanted, [*flat, *[_MISSING] * (len(wanted) - len(flat))]):
            if value is _MISSING:
                if name not in given:
                    raise TypeError(f"this function needs the tensor '{name}'")
                value = given.pop(name)
            result.append(checked(name, value, kind))
        for name, value in given.items():
            if name not in self.bound or not _same_value(self.bound[name], value):
                raise TypeError(
                    f"'{name}' is bound to {self.bound.get(name)!r} in this function; it was given {value!r}"
                )
        return result

    def _without_bound(self, flat: list[Any], count: int) -> list[Any]:
        """Positional arguments less those that repeat the value a Python argument is bound to."""
        if len(flat) != len(self.leaves) or len(flat) == count:
            return flat
        for name, value, leaf, kind in zip(self.names, flat, self.leaves, self.types):
            if kind is None and not _same_value(leaf, value):
                raise TypeError(f"'{name}' is bound to {leaf!r} in this function; it was given {value!r}")
        return [value for value, kind in zip(flat, self.types) if kind is not None]

    def __str__(self) -> str:
        return ", ".join(
            f"{n}={t if t is not None else repr(v)}" for n, t, v in zip(self.names, self.types, self.leaves)
        )


_MISSING = object()


class _Stand:
    """Stands for an object of the caller's that a signature does not keep alive."""

    def __init__(self, value: Any) -> None:
        self.identity, self.text = ById(value), f"<{type(value).__name__}>"

    def __eq__(self, other: object) -> bool:
        return self.identity.get() is other

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return self.text


def _same_value(a: Any, b: Any) -> bool:
    try:
        return a is b or bool(a == b)
    except (TypeError, ValueError):
        return False


def checked(name: str, value: Any, kind: Type) -> Any:
    if isinstance(kind, HandleType):
        return value
    if isinstance(value, np.ndarray) and value.dtype == kind.dtype.dtype and value.dtype != object:
        tensor: Tensor = ArrayArgument(value)
    elif isinstance(value, Tensor):
        tensor = value
    else:
        tensor = convert_to_tensor(value, None if hasattr(value, "dtype") else kind.dtype)
    if tensor.dtype != kind.dtype:
        raise InvalidArgumentError(
            f"'{name}' was expected to be a {kind.dtype.name} tensor but is a {tensor.dtype.name} tensor"
        )
    if not fits(tensor.type.shape, kind.shape) and tensor.type.shape is not None:
        raise InvalidArgumentError(
            f"'{name}' was expected to have shape {show(kind.shape)} but has shape {show(tensor.type.shape)}"
        )
    return tensor


def parameters_of(function: Callable[..., Any]) -> inspect.Signature | None:
    if is_library(function):
        return None  # its defaults are its own affair
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def takes(pattern: Any, part: Any) -> bool:
    """Whether a part of a key describes another: the same, or a type with open dimensions that it fits."""
    if isinstance(pattern, TensorType) and isinstance(part, TensorType):
        return pattern.dtype == part.dtype and fits(part.shape, pattern.shape)
    return bool(pattern == part)


def is_library(function: Callable[..., Any]) -> bool:
    """Whether the function is NumPy's, or another that is not the user's to convert."""
    ours = isinstance(function, np.ufunc) or inspect.isbuiltin(function)
    return ours or is_left_alone(getattr(function, "__module__", None))


class ArrayArgument(EagerTensor):
    """An array of the caller's: what the function assigns to its items is seen there."""

    def __init__(self, array: Any) -> None:
        super().__init__(array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")))
        self.original = array

    def _become(self, other: Any) -> None:
        if self.original.flags.writeable:
            self.original[...] = other.array


def argument_leaf(leaf: Any, seen: dict[int, int]) -> tuple[Any, Type | None, Any]:
    """A leaf of the arguments, the type of its input (None if it is no input), and its part of the key."""
    if isinstance(leaf, TensorSpec):
        kind: Type = TensorType(leaf.dtype, leaf.shape.dims)
        return leaf, kind, kind
    if isinstance(leaf, Tensor):
        kind = TensorType(leaf.dtype, leaf.type.shape)
        return leaf, kind, kind
    if isinstance(leaf, np.ndarray | np.generic) and leaf.dtype != object:
        tensor = ArrayArgument(np.asarray(leaf))
        return tensor, tensor.type, tensor.type
    if isinstance(leaf, Variable):
        alias = seen.setdefault(id(leaf), len(seen))
        return leaf, leaf.type, (leaf.type, alias)
    if isinstance(leaf, bool | int | float | complex | str | bytes | type(None)):
        return leaf, None, (type(leaf), leaf if leaf == leaf else repr(leaf))
    return leaf, None, ById(leaf)
