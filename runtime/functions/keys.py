"""What tells one Python value from another in a signature: its type, and what it holds or else which object it is."""

from __future__ import annotations

import array
import enum
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from autograph.reading import found_in, module_of_class
from runtime.graph.dtypes import DType
from runtime.graph.graph import TensorType
from runtime.graph.shapes import TensorShape, fits, join


class ById:
    """A Python object as part of a signature: equal to itself alone, and not kept alive where its class allows that."""

    __slots__ = ("get", "number")

    def __init__(self, value: object) -> None:
        self.number = id(value)
        try:
            self.get: Callable[[], object] = weakref.ref(value)
        except TypeError:
            self.get = lambda: value

    @property
    def is_kept(self) -> bool:
        """Whether the object lives as long as this does."""
        return not isinstance(self.get, weakref.ref)

    def when_gone(self, listener: Callable[[object], None]) -> None:
        """Have `listener` called when the object goes."""
        if isinstance(self.get, weakref.ref):
            self.get = weakref.ref(self.get(), listener)

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ById) and self.number == other.number and self.get() is other.get() is not None


class Consumed:
    """An iterator as part of a signature: a graph has used it up, so no other call can share the graph."""

    def __eq__(self, other: object) -> bool:
        return False

    __hash__ = object.__hash__


class TraceType:
    """What an object of the user's says of itself in the signature of a function: `__tf_tracing_type__` gives it.

    Objects whose types are equal, or of which one is a subtype of that for which a graph was traced, share the graph.
    A class derived from this one has ``__eq__``, ``__hash__`` and these methods.

    >>> class Kind(tf.types.experimental.TraceType):
    ...     def __init__(self, of):
    ...         self.of = of
    ...     def is_subtype_of(self, other):
    ...         return self == other
    ...     def __eq__(self, other):
    ...         return isinstance(other, Kind) and self.of is other.of
    ...     def __hash__(self):
    ...         return hash(self.of)
    >>> class Scale:
    ...     factor = 2
    ...     def __tf_tracing_type__(self, context):
    ...         return Kind(type(self))
    >>> f = tf.function(lambda scale, x: scale.factor * x)
    >>> print(f(Scale(), tf.constant(1)).numpy(), f(Scale(), tf.constant(2)).numpy())
    2 4
    >>> f.experimental_get_tracing_count()
    1
    """

    def is_subtype_of(self, other: TraceType) -> bool:
        """Whether a graph for objects of the other type is for those of this one, too."""
        return self == other


def within(key: Any) -> Iterator[object]:
    """The parts of a key, those of its parts included."""
    for part in key:
        if type(part) is tuple:
            yield from within(part)
        else:
            yield part


_CONSTANTS = (int, bool, str, bytes, type(None), type(Ellipsis), type(NotImplemented))
_CONTENTS: dict[type, Callable[[Any], object]] = {  # what tells one value of a type from another
    float: repr,  # which tells 0.0 from -0.0, and has NaN equal itself
    complex: repr,
    range: lambda value: (value.start, value.stop, value.step),
    slice: lambda value: (static_key(value.start), static_key(value.stop), static_key(value.step)),
    set: lambda value: tuple(map(static_key, value)),  # in the order in which a loop finds them
    frozenset: lambda value: tuple(map(static_key, value)),
    tuple: lambda value: tuple(map(static_key, value)),
    bytearray: bytes,
    memoryview: lambda value: (value.format, value.shape, value.tobytes()),
    array.array: lambda value: (value.typecode, value.tobytes()),
    types.MethodType: lambda value: (static_key(value.__func__), static_key(value.__self__)),
    np.ndarray: lambda value: (value.shape, tuple(map(static_key, value.flat))),  # of objects
    TensorShape: lambda value: value.dims,
    DType: lambda value: value.name,
}
SIMPLE = (int, float, complex, str, bytes)


def static_key(value: Any) -> object:
    """What of a Python value decides about a graph: its type, and what it holds or else which object it is."""
    kind = type(value)
    if kind in _CONSTANTS:
        return kind, value
    if kind is Stand:
        return value.key
    content = _CONTENTS.get(kind)
    if content is not None:
        return kind, content(value)
    if isinstance(value, SIMPLE) and not isinstance(value, enum.Enum):  # a class derived from such a type
        base = next(b for b in SIMPLE if isinstance(value, b))
        held = getattr(value, "__dict__", {})
        return kind, base.__repr__(value), tuple((k, static_key(v)) for k, v in held.items())
    if isinstance(value, np.dtype):
        return kind, value
    if isinstance(value, np.generic):
        return kind, value.dtype, value.tobytes()
    if found_in(kind, "__tf_tracing_type__") is not None:
        return value.__tf_tracing_type__(None)
    if found_in(kind, "__next__") is not None and module_of_class(kind) in ("builtins", "itertools"):
        return Consumed()
    return ById(value)


class Stand:
    """Stands for a Python value of the caller's that a signature does not keep alive."""

    def __init__(self, value: object) -> None:
        self.key = static_key(value)
        self.text = f"<{type(value).__name__}>" if isinstance(self.key, ById) else repr(value)

    def __eq__(self, other: object) -> bool:
        return bool(self.key == static_key(other))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return self.text


def takes(pattern: object, part: object) -> bool:
    """Whether a part of a key describes another: the same, or a type with open dimensions that it fits."""
    if isinstance(pattern, TensorType) and isinstance(part, TensorType):
        same = pattern.dtype == part.dtype and pattern.weak == part.weak
        return same and fits(part.shape, pattern.shape)
    if isinstance(pattern, TraceType) and isinstance(part, TraceType):
        return bool(part == pattern or part.is_subtype_of(pattern))
    return bool(pattern == part)


def relaxed(a: Any, b: Any) -> object:
    """The key of a graph that takes the arguments of two keys, with unknown dimensions where theirs differ; or None."""
    if len(a) != len(b):
        return None
    parts = []
    for x, y in zip(a, b):
        if x != y:
            if not (isinstance(x, TensorType) and isinstance(y, TensorType)) or (x.dtype, x.weak) != (y.dtype, y.weak):
                return None
            if x.shape is None or y.shape is None or len(x.shape) != len(y.shape):
                return None
            x = TensorType(x.dtype, join(x.shape, y.shape), x.weak)
        parts.append(x)
    return tuple(parts)
