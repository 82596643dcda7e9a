"""Numbers of which only the graph knows the type: Python's 0, say, or np.float64 once something was added to it.

Such a number is computed with in the dtype that its types are promoted to; a number beside it tells which of them it
has, for those who see that: the caller, text, Python's divisions.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autograph.dispatch import Name, Role
from runtime.control.rows import Rows
from runtime.control.unions import (
    Optional,
    chosen,
    class_among,
    distributed as distributed_union,
    no_class,
    present,
    renumbered,
    statement_here,
    whichever,
)
from runtime.graph.dtypes import as_dtype, python_numbers
from runtime.graph.owner import Owner
from runtime.ops import elementwise as ew
from runtime.tensors import nest, operators
from runtime.tensors.conversion import is_repeated, static_value
from runtime.tensors.frames import OURS, asks_for_class, classes_alike, wants_class
from runtime.tensors.from_numpy import UFUNCS, owner_of, rank_of, type_of
from runtime.tensors.leaf_types import is_leaf, is_scalar, leaf_type
from runtime.tensors.number_types import PLACES, PYTHONS, TYPES, OfTypes, Types
from runtime.tensors.numbers import Scalar
from runtime.tensors.operations import apply
from runtime.tensors.python_errors import FAILING, refuse_where
from runtime.tensors.several import Asked
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor

_OF_BITS = frozenset("and or xor lshift rshift matmul".split())
_DIVIDING = frozenset("truediv floordiv mod".split())
_MANY = 12  # of which each is asked, with each of the others whose types then show still
_NAME = Name("a number", Role.RESULT, phrase=True)


class Promoted(OfTypes):
    """A number of one of several types.

    Where its type does not show in what is made of it, it is the number that it was promoted to; elsewhere the graph
    asks which it has.
    """

    __slots__ = ()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks of it in the user's code."""
        asks = asks_for_class()
        if asks.f_code.co_filename.startswith(OURS):
            return type(self)
        groups = classes_alike(sorted(self.types, key=TYPES.index), asks)
        if len(groups) > 1 and not wants_class(asks):
            return self._kind()
        refusal = no_class(f"{self}", statement_here()) if len(groups) > 1 else None
        return class_among([(group[0], [PLACES[kind] for kind in group]) for group in groups], self.told, refusal)

    def apart(self) -> Any:
        """One of several numbers, each of its own type."""
        types = sorted(self.types, key=TYPES.index)
        places = [types.index(kind) if kind in self.types else 0 for kind in TYPES]
        options = [_of_type(self, kind) for kind in types]
        return chosen(options, renumbered(places, self.told), _NAME, statement_here())

    def distribute(self, function: Callable[[Any], object]) -> object:
        return whichever(self.apart(), function)

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        function = operators.function(name)
        x, y = (other, self) if swapped else (self, other)
        known: object = None
        if name == "mul" and is_repeated(other):
            if all(issubclass(kind, int | np.integer) for kind in self.types):
                return function(_plain(x), _plain(y))
        elif is_scalar(other):
            if name not in _OF_BITS and not _may_fail(name, x, y):
                known = _typed(name, x, y)
        elif isinstance(other, Asked):  # each of which may show its type
            return other.distribute(lambda one: function(one, self) if swapped else function(self, one))
        elif rank_of(other) is not None and not _show([self, other]):
            known = function(_plain(x), _plain(y))
        if known is not None:
            return known
        return self.distribute(lambda one: function(other, one) if swapped else function(one, other))

    def _unary(self, name: str) -> object:
        known = _typed(name, self) if name != "invert" else None
        return self.distribute(operators.function(name)) if known is None else known

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: Any) -> object:
        call = getattr(ufunc, method)
        if method != "__call__" or kwargs.keys() - {"out"} or _show_in(ufunc, inputs):
            return self.distribute(lambda one: call(*self._put(one, inputs), **self._put(one, kwargs)))
        return call(*self._put(_plain(self), inputs), **kwargs)

    def __array_function__(self, function: Any, types: object, args: object, kwargs: object) -> object:
        if _show(nest.flatten([args, kwargs])):
            return self.distribute(lambda one: function(*self._put(one, args), **self._put(one, kwargs)))
        number = _plain(self)
        return function(*self._put(number, args), **self._put(number, kwargs))

    def item(self, *index: object) -> object:
        return self.distribute(lambda one: one.item(*index))

    tolist = item

    @property
    def real(self) -> object:
        return self.distribute(lambda one: one.real)

    @property
    def imag(self) -> object:
        return self.distribute(lambda one: one.imag)

    def __getattr__(self, name: str) -> object:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.distribute(lambda one: getattr(one, name))

    def as_index(self, index: Callable[[object], object] = lambda part: part) -> Tensor:
        """The whole number that it is, where some of its types are those of such."""
        whole = {kind for kind in self.types if issubclass(kind, int | np.integer)} - (
            {bool} if index is not slice else set()
        )
        if not whole or whole == self.types:
            return _plain(self).as_index(index)  # type: ignore[no-any-return]
        for kind in self.types - whole:
            raising = functools.partial(operator.getitem, np.zeros(1), index(kind()))
            refuse_where(apply(ew.equal, self.told, _as_tensor(PLACES[kind])), raising)
        return _of_type(self, int)

    def as_position(self, sequence: Any) -> Tensor:
        """The index of one of Python's sequences that it is, where some of its types are those of such."""
        whole = {kind for kind in self.types if issubclass(kind, int | np.integer)}
        if not whole:
            return _plain(self)  # type: ignore[no-any-return]
        for kind in self.types - whole:
            raising = functools.partial(operator.getitem, sequence, kind())
            refuse_where(apply(ew.equal, self.told, _as_tensor(PLACES[kind])), raising)
        return _of_type(self, int)  # type: ignore[no-any-return]

    def _put(self, one: object, values: Any) -> Any:
        return nest.map_structure(lambda value: one if value is self else value, values)


def _plain(value: Any) -> Any:
    """A number as the one that it was promoted to."""
    return Scalar(value.traced_in, value.value, value.python) if isinstance(value, Promoted) else value


def _reflected(name: str) -> Callable[[Promoted, object], object]:
    return lambda self, other: self._binary(name, other, True)


for _name in UFUNCS:
    # Of its own, so that Python asks it before another number on its left.
    setattr(Promoted, f"__r{_name}__", _reflected(_name))


def _show(values: Sequence[Any], listed: Sequence[Any] = ()) -> bool:
    """Whether the types of numbers, among others, show in the dtype that NumPy computes with all of them in: of those
    that are `listed` it makes an array first, where Python's numbers are of NumPy's types."""
    kinds = [
        leaf_type(one).dtype.dtype
        for number, one in enumerate((*values, *listed))
        if is_leaf(one)
        and not isinstance(one, Promoted)
        and (owner_of(one) in (Owner.ARRAY, Owner.NUMPY) or (number >= len(values) and owner_of(one) is Owner.PYTHON))
    ]
    if any(kind.kind in "SUOV" for kind in kinds):
        return True
    # Numbers of Python's are weak, and so asked as such; of many numbers it matters only which types are among them.
    among: set[Types] = {frozenset()}
    for types in {id(one): one.types for one in values if isinstance(one, Promoted)}.values():
        among = {one | {kind} for one in among for kind in types}
    as_told: Callable[[type], Any] = np.dtype if listed else _weak_or_not
    return len({np.result_type(*kinds, *map(as_told, one)) for one in among}) > 1


def _weak_or_not(kind: type) -> Any:
    """What NumPy is told of a type that takes part in a promotion: of one of Python's a number."""
    return kind(1) if kind in PYTHONS else kind


def _show_in(ufunc: Any, inputs: Sequence[object]) -> bool:
    """Whether the types of numbers show in the dtype of what a universal function makes."""
    made = set()
    numbers = {id(one): one.types for one in inputs if isinstance(one, Promoted)}
    for types in itertools.product(*numbers.values()):
        known = dict(zip(numbers, types))
        given = [_dtype_given(known.get(id(one), one)) for one in inputs]
        try:
            made.add(ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))[-ufunc.nout :])
        except TypeError:
            return True
    return len(made) > 1


def _dtype_given(value: object) -> Any:
    """What NumPy is told of a type, or of an operand: numbers of Python's have no dtype yet."""
    kind = value if isinstance(value, type) else type_of(value)
    if kind in (int, float, complex) and not isinstance(value, Promoted):
        return kind
    return np.dtype(kind) if kind is value else leaf_type(value).dtype.dtype


def distributed(function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]) -> object:
    """What a built-in function makes of one of several values, or of a number in which its type shows."""
    if function not in _ALIKE:
        arguments = [one.apart() if isinstance(one, Promoted) else one for one in arguments]
    return distributed_union(function, arguments, keywords)


# What these make of a number does not depend on its type, or they see to that.
_ALIKE = frozenset((
    bool, int, float, complex, abs, sum, min, max, str, repr, format, print, list, tuple, type, operator.getitem,
))  # fmt: skip


def of_promoted(function: object, meaning: Callable[..., object]) -> Callable[..., object]:
    """What a function of NumPy's means, which is called with the number of each type where that shows in what it makes,
    also among the elements of a list or tuple; of very many numbers in the dtype that they are promoted to."""

    def called(*args: object, **kwargs: object) -> object:
        leaves = nest.flatten([args, kwargs])
        found = [leaf for leaf in leaves if isinstance(leaf, Promoted)]
        if not found or len(found) > _MANY:
            return meaning(*args, **kwargs)
        number = found[0]
        listed = nest.flatten([one for one in args if nest.is_nested(one)])
        if _show_in(function, args) if isinstance(function, np.ufunc) and not listed else _show(leaves, listed):
            return number.distribute(lambda one: called(*number._put(one, args), **number._put(one, kwargs)))
        return meaning(*args, **kwargs)

    return called


def types_of(value: object) -> Types:
    """The types that a number may have; none for what is no number."""
    if isinstance(value, Promoted):
        return value.types
    kind = _type_of(value)
    return frozenset((kind,)) if kind in PLACES and is_scalar(value) else frozenset()


def told_of(value: object) -> int | Tensor:
    """Which of its types a number has."""
    return value.told if isinstance(value, Promoted) else PLACES[_type_of(value)]


def _type_of(value: object) -> type:
    """The type of a number; of one that may be missing, if it is there."""
    return type_of(present(value.union) if isinstance(value, Optional) else value)


def types_of_both(a: object, b: object) -> Types | None:
    """The types of a number that is one of two, where these are several."""
    if not python_numbers.are_numpys:
        return None
    x, y = types_of(a), types_of(b)
    return x | y if x and y and len(x | y) > 1 else None


def promoted(number: Any, told: Any, types: Types) -> object:
    """A number of the type that is told."""
    return Promoted(number, told, types) if isinstance(told, SymbolicTensor) else _of_type(number, TYPES[int(told)])


def selected(made: object, test: Tensor, x: object, y: object) -> object:
    """What was `made` of one of two numbers, as a condition decides, in a dtype that holds both: it has the type of
    that one."""
    types = types_of_both(x, y)
    if types is None or type(made) is not Scalar:
        return made
    return Promoted(made, apply(ew.where, test, *(_as_tensor(told_of(one)) for one in (x, y))), types)


def _as_tensor(told: int | Tensor) -> Tensor:
    return told if isinstance(told, Tensor) else EagerTensor(np.asarray(told, np.int32))


def _of_type(number: Any, kind: type) -> Any:
    """A number, which has this type, as one of it."""
    if not isinstance(number, Tensor):
        return kind(number.real if isinstance(number, complex) and not issubclass(kind, complex) else number)
    dtype, weak = as_dtype(np.dtype(kind)), kind in PYTHONS and kind is not bool
    if number.type.dtype != dtype or number.type.weak is not weak:
        number = apply(ew.cast, number, dtype=dtype, weak=weak)
    return Scalar(number.traced_in, number.value, python=kind in PYTHONS)


def _may_fail(name: str, x: object, y: object) -> bool:
    """Whether Python may refuse to compute with two numbers, if they are its own, where NumPy does not."""
    if name not in FAILING or any(types_of(one).isdisjoint(PYTHONS) for one in (x, y)):
        return False
    known = static_value(y)
    if known is None:
        return True
    return not known if name in _DIVIDING else not (known.dtype.kind in "iu" and known >= 0)


def _typed(name: str, *operands: Any) -> object:
    """What an operator makes of numbers, as one of the types that it makes of theirs; None where it makes nothing of
    some, or the dtype that it makes does not hold all."""
    found = {types: _type_made(name, *types) for types in itertools.product(*map(types_of, operands))}
    types = frozenset(filter(None, found.values()))
    if None in found.values():
        return None
    made = operators.function(name)(*map(_plain, operands))
    if not isinstance(made, Scalar):
        return made  # as the graph knows what it is
    if not _holds(made, types):
        return None
    if len(types) == 1:
        (kind,) = types
        return made if type_of(made) is kind else _of_type(made, kind)
    several = [number for number, one in enumerate(operands) if isinstance(one, Promoted)]
    if len(several) == 1 and all(given[several[0]] is kind for given, kind in found.items()):
        return Promoted(made, operands[several[0]].told, types)
    table = np.zeros([len(TYPES)] * len(operands), np.int32)
    for given, known in found.items():
        table[tuple(PLACES[one] for one in given)] = PLACES[known]  # type: ignore[index]
    place: Any = 0
    for one in operands:
        place = apply(ew.add, apply(ew.multiply, _as_tensor(place), _as_tensor(len(TYPES))), _as_tensor(told_of(one)))
    return Promoted(made, renumbered(table.ravel().tolist(), place), types)


def _holds(made: Scalar, types: Types) -> bool:
    """Whether the dtype of a number holds those of all these types, as far as 64 bits go."""
    dtype = made.type.dtype.dtype
    kinds = [*map(np.dtype, types)]
    return all(np.promote_types(k, dtype) == dtype or (k.kind in "iub" and dtype.kind in "fc") for k in kinds)


@functools.cache
def _type_made(name: str, *types: type) -> type | None:
    """The type of what an operator makes of numbers of these types; None where there is none."""
    try:
        with np.errstate(all="ignore"):
            made = type(operators.function(name)(*[kind(1) for kind in types]))
    except TypeError:
        return None
    return made if made in PLACES else None


Rows.number = staticmethod(promoted)
