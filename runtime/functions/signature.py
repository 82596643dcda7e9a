"""Signatures: which calls of a function share a graph, and how arguments become its inputs."""

from __future__ import annotations

import re
import types
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from itertools import repeat
from typing import Any, TypeGuard

import numpy as np

from autograph import StagingError
from autograph.errors import refused, with_article
from autograph.reading import held_by, is_made_later
from autograph.rules import is_left_alone
from runtime.control.lists import KnownList
from runtime.functions.keys import SIMPLE, ById, Stand, static_key, within
from runtime.graph.dtypes import NumPyArray, NumPyDType
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import HandleType, TensorType, Type
from runtime.graph.shapes import fits, show
from runtime.ops.streams import HANDLE
from runtime.tensors import nest
from runtime.tensors.composite_specs import closed
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import convert_to_tensor, has_dtype, plain_only, to_array
from runtime.tensors.growing import has_grown
from runtime.tensors.links import are_tied
from runtime.tensors.numbers import Scalar
from runtime.tensors.objects import Carried, kind_of
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.variables import Variable
from runtime.tensors.views import Array


def is_structure(value: object) -> bool:
    """Whether an argument is taken apart: its tensors are inputs of the graph."""
    return nest.is_nested(value) or type(value) is deque


def parts_of(value: object) -> Sequence[object]:
    """What a structure consists of, in order: its elements, and the attributes of what is an object, too."""
    elements = list(value) if type(value) is deque else list(nest.parts(value))
    return [*elements, *attributes_besides(value).values()]


def attributes_besides(value: object) -> dict[str, object]:
    """The attributes of a list or dictionary of a class of the user's."""
    kind = type(value)
    if kind is list or kind is dict or not isinstance(value, list | dict) or not is_made_later(kind):
        return {}
    return {} if is_left_alone(kind.__module__) else held_by(value)


def _of_kind(structure: Any, new: Sequence[object]) -> object:
    """A structure like this one with other parts; what its class does where one is made is not done again."""
    attributes = attributes_besides(structure)
    if not attributes:
        return nest.of_kind(structure, new)
    elements = new[: len(new) - len(attributes)]
    made = structure.__new__(type(structure))
    if isinstance(structure, list):
        list.extend(made, elements)
    else:
        dict.update(made, zip(structure, elements))
    for name, part in zip(attributes, new[len(elements) :]):
        object.__setattr__(made, name, part)
    return made


def numbered(name: str, count: int) -> list[str]:
    """Names for the parts of an argument, as TensorFlow has them: ``x``, ``x_1``, ``x_2``."""
    return [f"{name}_{index}" if index else name for index in range(count)]


def spec_names(bound: Mapping[str, object]) -> list[str]:
    """What the TensorSpecs of arguments are called: ``x``, and in structures ``x_0``, ``x_key``, ``x_key_1``."""
    found: list[str] = []
    seen: set[int] = set()

    def add(name: str, value: Any) -> None:
        if not is_structure(value):
            found.append(name)
        elif isinstance(value, tuple) or id(value) not in seen:
            seen.add(id(value))
            labels: list[object] = [*attributes_besides(value)]
            parts = parts_of(value)
            for label, part in zip([*_labels(value, len(parts) - len(labels)), *labels], parts):
                add(f"{name}_{_NO_NAME.sub('_', str(label))}", part)

    for name, value in bound.items():
        add(name.lstrip("*"), value)
    return found


def _labels(value: Any, count: int) -> Sequence[object]:
    """What tells the parts of a structure apart."""
    if isinstance(value, dict):
        return [*value]
    if isinstance(value, list | tuple | deque):
        return getattr(value, "_fields", range(count))
    return [*nest.held(value)]


_NO_NAME = re.compile(r"[^A-Za-z0-9_.]")


class Leaves:
    """The leaves of arguments in order, their types as inputs (None if they are none), and the key of it all.

    An object that stands in two places is one object in both, and so are its leaves. Variables are inputs, whichever
    they are, or objects known `by_identity`.
    """

    def __init__(self, by_identity: bool = False) -> None:
        self._by_identity = by_identity
        self.names: list[str] = []
        self.leaves: list[object] = []
        self.types: list[Type | None] = []
        self.key: list[object] = []
        self._seen: dict[int, int] = {}
        self._open: set[int] = set()

    def add(self, name: str, value: object) -> None:
        """Add an argument."""
        name = name.lstrip("*")
        if not is_structure(value):
            self._leaf(name, value)
            return
        start = len(self.leaves)
        self._structure(name, value)
        self.names += numbered(name, len(self.leaves) - start)

    def _structure(self, name: str, value: Any, of_any_length: bool = False) -> None:
        kind, number = type(value), id(value)
        if number in self._open:
            raise ValueError(f"'{name}' contains itself, which an argument of a graph cannot.")
        if not isinstance(value, tuple):
            if number in self._seen:
                self.key.append(("again", self._seen[number]))
                return
            self._seen[number] = len(self._seen)
        inner = parts_of(value)
        if isinstance(value, dict):
            labels: object = tuple(map(static_key, value))
        else:
            labels = len(inner) if isinstance(value, list | tuple | deque) else tuple(nest.held(value))
        self.key.append((kind, labels, *attributes_besides(value)))
        if kind is defaultdict:
            self.key.append(static_key(value.default_factory))
        elif kind is deque:
            self.key.append(value.maxlen)
        self._open.add(number)
        free: Iterable[bool] = repeat(of_any_length)
        if isinstance(value, Composite) and not of_any_length:
            free = map(value.of_any_length.__contains__, nest.held(value))
        for part, is_free in zip(inner, free):
            if is_structure(part):
                self._structure(name, part, is_free)
            else:
                self._leaf("", part, is_free)
        self._open.discard(number)

    def _leaf(self, name: str, leaf: object, of_any_length: bool = False) -> None:
        if self._by_identity and isinstance(leaf, Variable):
            kind, key = None, static_key(leaf)
        else:
            leaf, kind, key = _argument_leaf(leaf, self._seen)
        if of_any_length and isinstance(kind, TensorType) and kind.shape:
            kind = key = TensorType(kind.dtype, (None, *kind.shape[1:]), kind.weak)
        self.leaves.append(leaf)
        self.types.append(kind)
        self.key.append(key)
        if name:
            self.names.append(name)


def rebuilt(
    structure: object, leaves: Iterator[object], made: dict[int, object], traced: bool, kept: Collection[int] = ()
) -> object:
    """A structure with its leaves replaced, as `Leaves` has them; `made` is what was rebuilt of the same arguments.

    For a function that is `traced`, lists can grow in the graph; what is `kept`, by identity, stays what it is.
    """
    if not is_structure(structure):
        return next(leaves)
    if id(structure) in made:
        return made[id(structure)]
    new = [rebuilt(part, leaves, made, traced, kept) for part in parts_of(structure)]
    if id(structure) in kept:
        result: object = structure
    elif traced and type(structure) is list:
        result = KnownList(new)
    elif type(structure) is deque:
        result = deque(new, structure.maxlen)
    else:
        result = _of_kind(structure, new)
    if not isinstance(structure, tuple):
        made[id(structure)] = result
    return result


@dataclass
class Arguments:
    """The arguments of a call: by parameter, with their leaves in order; those that are inputs of the graph apart."""

    bound: dict[str, object]
    names: list[str]
    leaves: list[Any]
    types: list[Type | None]
    key: Any
    kept: Sequence[object] | None = None  # what the graph that suits them takes besides, as it has just been found

    def rebuilt(
        self, leaves: Iterator[object], traced: bool = False, kept: Collection[int] = ()
    ) -> dict[str, object]:  # fmt: skip
        """The arguments with other leaves; containers that are `kept`, by identity, are what they were."""
        made: dict[int, object] = {}
        return {name: rebuilt(value, leaves, made, traced, kept) for name, value in self.bound.items()}

    def released(self) -> Arguments:
        """The signature alone: specs for tensors, and no hold on the caller's objects."""
        leaves = [_released(*row) for row in zip(self.leaves, self.types, spec_names(self.bound))]
        return Arguments(self.rebuilt(iter(leaves)), self.names, leaves, self.types, self.key)

    def marked(self, mark: object) -> Arguments:
        """The same arguments for another graph."""
        key = self.key if self.key[:1] == (mark,) else (mark, *self.key)
        return Arguments(self.bound, self.names, self.leaves, self.types, key)

    def by_value(self) -> Arguments | None:
        """The same arguments with NumPy's numbers as Python's are, by their values; None if there are none."""
        leaves = [
            leaf.original[()] if isinstance(leaf, ArrayArgument) and not leaf.is_place else leaf for leaf in self.leaves
        ]
        numbers = [number for number, leaf in enumerate(leaves) if leaf is not self.leaves[number]]
        if not numbers:
            return None
        types = [None if leaf is not self.leaves[number] else self.types[number] for number, leaf in enumerate(leaves)]
        key = (*self.key, (_VALUES, *(static_key(leaves[number]) for number in numbers)))
        return Arguments(self.bound, self.names, leaves, types, key)

    def families(self) -> tuple[type, ...]:
        """Which of the tensors are NumPy's arrays, which a function can change, and which NumPy's numbers."""
        return tuple([family(leaf) for leaf, kind in zip(self.leaves, self.types) if kind is not None])

    def layouts(self) -> tuple[bool | None, ...]:
        """Of which arrays the elements lie in C order; None for what says nothing of it."""
        return tuple([layout_of(leaf) for leaf, kind in zip(self.leaves, self.types) if kind is not None])

    def tensors(self) -> list[object]:
        return [leaf for leaf, kind in zip(self.leaves, self.types) if kind is not None]

    def zipped(self, given: Sequence[Any]) -> list[tuple[Any, object]]:
        """What stands for each tensor while a function is traced, and the tensor."""
        rows = zip(given, self.leaves, self.types)
        return [(stand_in, leaf) for stand_in, leaf, kind in rows if kind is not None]

    def objects(self) -> list[object]:
        """The arguments that are known by their identity."""
        return [part.get() for part in within(self.key) if isinstance(part, ById)]

    def with_aliases(self, writes: bool) -> Arguments | None:
        """The signature that says which arrays are one, and for a function that writes to them which are all of
        another, for others which share memory; None if none are, or it says so.

        Raises ValueError for arrays that share some of their memory, one of which may be written.
        """
        arrays = [
            (i, getattr(leaf, "original", leaf))
            for i, leaf in enumerate(self.leaves)
            if isinstance(leaf, ArrayArgument | Array)
        ]
        same: list[tuple[int, int, bool | None]] = []
        for position, (number, array_) in enumerate(arrays):
            for earlier, other in arrays[:position]:
                if array_ is other or (writes and _is_same_memory(array_, other)):
                    same.append((number, earlier, array_ is other))
                    break
                if not share_memory(array_, other):
                    continue
                if writes:
                    raise ValueError(
                        f"'{self.names[earlier]}' and '{self.names[number]}' share memory, and the function writes to "
                        "one of them, which a graph keeps apart. Pass a copy of one, or the array behind both."
                    )
                same.append((number, earlier, None))
        key = (*(self.key[:-1] if self.aliases() else self.key), (_ALIASES, *same))
        if not same or key == self.key:
            return None
        return Arguments(self.bound, self.names, self.leaves, self.types, key)

    def has_same(self) -> bool:
        """Whether an array is given twice of which the signature does not say so."""
        arrays = [leaf.original for leaf in self.leaves if isinstance(leaf, ArrayArgument)]
        return len({*map(id, arrays)}) < len(arrays) and not self.aliases()

    def aliases(self) -> dict[int, tuple[int, bool | None]]:
        """The leaves that are all of an earlier array, and whether they are that very array; None if they share memory
        with it."""
        last = self.key[-1] if self.key else None
        found = last[1:] if type(last) is tuple and last and last[0] is _ALIASES else ()
        return {number: (earlier, is_one) for number, earlier, is_one in found}

    def specs(self, by_name: Set[str]) -> tuple[object, object]:
        """The arguments by position and by name, with specs for tensors."""

        made = iter([_spec(*row) for row in zip(self.leaves, self.types, spec_names(self.bound))])
        rebuilt = self.rebuilt(made)
        named = {name for name in rebuilt if name in by_name or name.startswith("**")}
        positional = tuple(value for name, value in rebuilt.items() if name not in named)
        return closed((positional, {name.lstrip("*"): rebuilt[name] for name in rebuilt if name in named}))  # type: ignore[no-any-return]

    def sorted_leaves(self) -> list[int]:
        """The numbers of the leaves as TensorFlow has them flat: those of dictionaries in the order of the keys."""
        numbers = nest.in_order(list(self.rebuilt(iter(range(len(self.leaves)))).values()))
        return [*dict.fromkeys(number for number in flattened([numbers]) if isinstance(number, int))]

    def tensors_of(self, function: str, args: Sequence[object], kwargs: dict[str, object]) -> list[object]:
        """The tensors of a call of a ConcreteFunction, checked against the signature."""
        wanted = [number for number, kind in enumerate(self.types) if kind is not None]
        given = self._by_name(function, kwargs)
        held = [*self.bound.values(), *[()] * len(args)][: len(args)]  # a list for a tensor is one argument
        parts = [flattened([arg]) if is_structure(one) else [arg] for one, arg in zip(held, args)]
        flat = self._by_position(function, [part for found in parts for part in found], given)
        if any(is_structure(one) and not is_structure(arg) for one, arg in zip(held, args)):  # leaf by leaf
            order = [wanted.index(number) for number in self.sorted_leaves() if number in wanted]
            places = dict(zip(order, flat)) if len(flat) == len(order) else dict(enumerate(flat))
            flat = [places[place] for place in sorted(places)]
        result: list[object] = []
        for number, value in zip(wanted, [*flat, *[_MISSING] * (len(wanted) - len(flat))]):
            name, kind = self.names[number], self.types[number]
            assert kind is not None
            if number in given and value is not _MISSING:
                raise TypeError(f"{function}({self}) got '{name}' by position and by name: give it once")
            value = given.get(number, value)
            if value is _MISSING:
                raise TypeError(f"{function}({self}) needs the tensor '{name}', which was not given")
            result.append(checked(name, value, kind))
        self._check_variables(function, [self.leaves[number] for number in wanted], result)
        return result

    def structures(self, args: Sequence[object], kwargs: dict[str, object]) -> dict[str, object]:
        """The arguments of a call of a ConcreteFunction that are given as they were when it was traced."""
        given = {**dict(zip(self.bound, args)), **kwargs}
        return {name: value for name, value in given.items() if nest.alike(self.bound.get(name), value)}

    def _by_name(self, function: str, kwargs: dict[str, object]) -> dict[int, object]:
        """The tensors that a call gives by name: of a parameter, or of a leaf of its structure."""
        found: dict[int, object] = {}
        at = self._places()
        for name, value in kwargs.items():
            parameter = next((p for p in (name, f"**{name}") if p in self.bound), None)
            if parameter is not None and is_structure(self.bound[parameter]) and not is_structure(value):
                leaves = [self.names[number] for number in at[parameter]]
                if leaves == [name] or not kwargs.keys().isdisjoint(leaves[1:]):  # each is given by its own name
                    parameter = None
            if parameter is None and (number := self._named(name)) is not None:
                found[number] = value
                continue
            if parameter is None:
                known = ", ".join(p.lstrip("*") for p in self.bound) or "none"
                raise TypeError(f"{function}({self}) takes no argument '{name}'; its arguments are {known}")
            held, numbers = self.bound[parameter], at[parameter]
            given = flattened([value])
            if is_structure(held) and (not nest.alike(_plain(held), _plain(value)) or len(given) != len(numbers)):
                raise TypeError(
                    f"{function}({self}) was traced with {nest.describe(_plain(held))} as '{name}'; it was given "
                    f"{nest.describe(_plain(value))}, which is another structure"
                )
            for number, leaf in zip(numbers, given if is_structure(held) else [value]):
                if self.types[number] is not None:
                    found[number] = leaf
                elif not _same_value(self.leaves[number], leaf):
                    raise TypeError(self._other(function, name, self.leaves[number], leaf))
        return found

    def _named(self, name: str) -> int | None:
        """Which leaf has a name: its own in the signature, or that of its TensorSpec."""
        for names in (self.names, list(map(_given_name, self.leaves))):
            if name in names:
                return names.index(name)
        return None

    def _places(self) -> dict[str, range]:
        """Which of the leaves are those of each parameter."""
        found: dict[str, range] = {}
        start = 0
        for name, value in self.bound.items():
            found[name] = range(start, start + len(flattened([value])))
            start = found[name].stop
        return found

    def _check_variables(self, function: str, traced: Sequence[object], given: Sequence[object]) -> None:
        """Refuse two Variables where the function was traced with one."""
        first: dict[int, object] = {}
        for leaf, value in zip(traced, given):
            if isinstance(leaf, Variable) and first.setdefault(id(leaf), value) is not value:
                raise InvalidArgumentError(
                    f"{function}({self}) was traced with one Variable for two arguments, and was given two: call the "
                    "function itself, which has a graph for each"
                )

    def _other(self, function: str, name: str, held: object, value: object) -> str:
        return (
            f"'{name}' is bound to {held!r} in {function}({self}), which was traced with it; it was given {value!r}. "
            "Call the function itself for other values."
        )

    def _by_position(self, function: str, flat: list[object], given: dict[int, object]) -> list[object]:
        """The tensors among positional arguments: these repeat the Python values that come between them, or leave
        them out."""
        kinds = self.types[: len(flat)]
        static = [number for number, kind in enumerate(kinds) if kind is None]
        other = next((n for n in static if not _same_value(self.leaves[n], flat[n])), None)
        wanted = [number for number, kind in enumerate(self.types) if kind is not None]
        fits = other is None and len(flat) <= len(self.leaves)
        if fits and all(number < len(flat) or number in given for number in wanted):
            return [value for value, kind in zip(flat, kinds) if kind is not None]
        if len(flat) <= len(wanted):
            return flat
        if other is not None and len(flat) <= len(self.leaves):
            raise TypeError(self._other(function, self.names[other], self.leaves[other], flat[other]))
        raise TypeError(
            f"{function}({self}) takes {_tensors(len(wanted))}, but {len(flat)} arguments were given. Python's have "
            "the values that it was traced with: leave them out."
        )

    def __str__(self) -> str:
        return ", ".join(
            f"{n}={t if t is not None else repr(v)}" for n, t, v in zip(self.names, self.types, self.leaves)
        )


def _spec(leaf: object, kind: Type | None, name: str) -> object:
    """A tensor by its dtype, shape and name; anything else as it is."""
    if not isinstance(kind, TensorType):
        return leaf
    return kind_of(leaf) or TensorSpec(kind.shape, kind.dtype, _given_name(leaf) or name)


def _released(leaf: object, kind: Type | None, name: str) -> object:
    """The same without a hold on the caller's objects."""
    if kind is not None or isinstance(leaf, (*SIMPLE, types.NoneType)):
        return _spec(leaf, kind, name)
    return Stand(leaf)


def _given_name(leaf: object) -> str | None:
    """The name that a TensorSpec gives a tensor."""
    return leaf.name if isinstance(leaf, TensorSpec) else None


def flattened(args: Sequence[object]) -> list[object]:
    """The leaves of arguments as they were given."""
    found: list[object] = []
    seen: set[int] = set()

    def add(value: object) -> None:
        if not is_structure(value):
            found.append(value)
        elif isinstance(value, tuple) or id(value) not in seen:
            seen.add(id(value))
            for part in parts_of(value):
                add(part)

    for value in args:
        add(value)
    return found


def _plain(value: object) -> object:
    """A structure with lists for deques, which structures of tensors have none of."""
    return list(value) if type(value) is deque else value


def _tensors(count: int) -> str:
    return f"{count or 'no'} tensor{'s' * (count != 1)}"


def is_lent(leaf: object) -> TypeGuard[ArrayArgument]:
    """Whether an argument is an array of the caller's, which a function may write."""
    return isinstance(leaf, ArrayArgument) and leaf.is_place and not leaf.is_converted


def share_memory(a: object, b: object) -> bool:
    """Whether two arrays have memory in common."""
    if isinstance(a, Array) or isinstance(b, Array):
        return isinstance(a, Array) and isinstance(b, Array) and (a.place is b.place or are_tied(a.place, b.place))
    return bool(np.shares_memory(a, b))


def _is_same_memory(a: Any, b: Any) -> bool:
    """Whether two arrays are the same elements in the same order."""
    if isinstance(a, Array) or isinstance(b, Array):
        return False
    here = a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
    return bool(here and a.shape == b.shape and a.strides == b.strides and a.dtype == b.dtype and a.size)


_MISSING = object()
_ALIASES, _VALUES = object(), object()


def _same_value(a: object, b: object) -> bool:
    """Whether a Python value is the one that an argument is bound to (which may stand for it)."""
    mine, other = Leaves(), Leaves()
    mine.add("", a)
    other.add("", b)
    return mine.key == other.key and all(kind is None for kind in mine.types)


def checked(name: str, value: Any, kind: Type) -> object:
    """A value as the tensor, or the Variable, that a graph expects."""
    if isinstance(kind, HandleType):
        if not isinstance(value, Variable) or value.type != kind:
            shown = f"a Variable of {value.type}" if isinstance(value, Variable) else repr(value)
            raise TypeError(f"'{name}' was expected to be a Variable of {kind} but is {shown}")
        return value
    if kind == HANDLE:
        if not isinstance(value, Carried):
            raise TypeError(f"'{name}' was expected to be a dataset or an iterator but is {value!r}")
        return value.as_argument()
    if isinstance(value, Carried):
        raise TypeError(f"'{name}' was expected to be {with_article(kind.dtype.name)} tensor but is {value!r}")
    if isinstance(value, np.ndarray | np.generic) and value.dtype == kind.dtype.dtype and value.dtype != object:
        plain_only(value)
        tensor: Tensor = ArrayArgument(np.asarray(value), isinstance(value, np.ndarray))
    elif isinstance(value, Tensor):
        tensor = value
    elif isinstance(value, np.ndarray | np.generic) and (fitting := _of_dtype(value, kind.dtype.dtype)) is not None:
        tensor = ArrayArgument(fitting, isinstance(value, np.ndarray), value)
    else:
        tensor = convert_to_tensor(value, None if has_dtype(value) else kind.dtype)
    if tensor.dtype != kind.dtype:
        raise InvalidArgumentError(
            f"'{name}' was expected to be {with_article(kind.dtype.name)} tensor but is "
            f"{with_article(tensor.dtype.name)} tensor"
        )
    if not fits(tensor.type.shape, kind.shape) and tensor.type.shape is not None:
        raise InvalidArgumentError(
            f"'{name}' was expected to have shape {show(kind.shape)} but has shape {show(tensor.type.shape)}"
        )
    return tensor


def _of_dtype(value: Any, dtype: NumPyDType) -> NumPyArray | None:
    """An array of NumPy's in the dtype of a signature, if that is of its kind and holds its integers."""
    if value.dtype.kind not in "biufc" or dtype.kind not in "iufc":
        return None
    plain_only(value)
    integers = value.dtype.kind in "biu" and dtype.kind in "iu"
    if not integers and not np.can_cast(value.dtype, dtype, "same_kind"):
        return None
    made = np.asarray(value, dtype)
    return made if not integers or np.array_equal(made, value) else None


class ArrayArgument(EagerTensor):
    """An array of the caller's: what the function assigns to its items is seen there.

    Args:
      array: the array, in the dtype of the graph.
      is_place: whether it is an array, and not a number of NumPy's.
      original: the caller's, where that is of another dtype.
    """

    __slots__ = ("is_place", "original")

    def __init__(self, array: NumPyArray, is_place: bool = True, original: Any = None) -> None:
        if array.dtype.kind in "SU":
            super().__init__(to_array(array))  # as graphs have text
        else:
            super().__init__(array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("=")))
        self.original = array if original is None else original
        self.is_place = is_place

    @property
    def is_converted(self) -> bool:
        """Whether the caller's is of another dtype."""
        return bool(self.original.dtype != self.array.dtype)

    def _become(self, other: Any) -> None:
        if self.is_converted and self.original.dtype.isnative:
            raise InvalidArgumentError(
                f"the function writes to an argument of {self.array.dtype}, and was given an array of "
                f"{self.original.dtype}, whose other elements would change, too. Pass array.astype({self.array.dtype})."
            )
        if not self.original.flags.writeable:
            raise ValueError("output array is read-only: the function changes an argument that cannot be written")
        if isinstance(other, SymbolicTensor):
            raise refused(
                InvalidArgumentError(
                    "a function changes an argument that is a NumPy array made while tracing, which cannot hold what "
                    "has a value only when the graph runs. Make it an array of the graph (np.zeros_like(...) of an "
                    "argument)."
                )
            )
        self.original[...] = other.array


def layout_of(leaf: object) -> bool | None:
    """Whether the elements of an argument lie in C order, one after the other; None if that is not known."""
    if isinstance(leaf, ArrayArgument):
        return bool(leaf.original.flags.c_contiguous)
    return leaf.layout if isinstance(leaf, Array) else None


def family(leaf: object) -> type:
    """What stands for an argument in a trace."""
    if isinstance(leaf, ArrayArgument):
        return Array if leaf.is_place else Scalar
    return Array if isinstance(leaf, Array) else Scalar if isinstance(leaf, Scalar) else SymbolicTensor


def _argument_leaf(leaf: object, seen: dict[int, int]) -> tuple[object, Type | None, object]:
    """A leaf of the arguments, the type of its input (None if it is no input), and its part of the key."""
    if isinstance(leaf, TensorSpec):
        kind: Type = TensorType(leaf.dtype, leaf.shape.dims)
        return leaf, kind, kind
    if has_grown(leaf):
        raise StagingError(
            "a list that the graph has made longer, or has changed, cannot be handed to another function of the graph. "
            "Hand over an array of it (np.array(items)), or leave the decorator of that function out."
        )
    if isinstance(leaf, Carried):
        leaf = leaf.as_argument()
    if (carried := kind_of(leaf)) is not None:
        return leaf, HANDLE, (HANDLE, carried.key())
    if isinstance(leaf, Tensor):
        kind = leaf.type.without_symbols()
        return leaf, kind, kind
    if isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in _NUMBERS:
        plain_only(leaf)
        tensor = ArrayArgument(np.asarray(leaf), isinstance(leaf, np.ndarray))
        return tensor, tensor.type, tensor.type
    if isinstance(leaf, Variable):
        alias = seen.setdefault(id(leaf), len(seen))
        return leaf, leaf.type, (leaf.type, alias)
    return leaf, None, static_key(leaf)


_NUMBERS = "biufcSU"
