"""Values of which only the graph knows which they are: unbound or bound, None or a tensor, one function or another.

After ``if x > 0: y = x`` the variable `y` may be unbound; after ``y = x if x > 0 else None`` it may be None. Such a
variable holds a union: all that it may be, and a number in the graph that tells which. Using it as if it were one of
these has the graph check, at that point of the program, that it is, and raise what Python would raise.
"""

from __future__ import annotations

import copy
import functools
import itertools
import linecache
import operator
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import FrameType
from typing import Any, NoReturn

from autograph import UNDEFINED, StagingError
from autograph.dispatch import Name, Role, Statement, answer, backend_of, register_view
from autograph.errors import with_article
from autograph.operators import questions
from autograph.operators.branches import staged_if
from autograph.operators.calls import call
from autograph.operators.definitions import unpacked
from autograph.operators.items import stands_in
from autograph.operators.lists import get_item
from autograph.operators.logic import COMPARISONS, in_
from autograph.operators.protocols import says_truth
from autograph.operators.state import is_body
from autograph.reading import found_in, is_a, slots_of
from runtime.control.lists import KnownList, TensorList
from runtime.control.narrowing import is_never
from runtime.control.regions import tracing
from runtime.control.rows import Fixed, Inner, Rows, as_rows, common, of_part
from runtime.control.shared import FOUND, attributes_of, is_object, may_be_handled, share
from runtime.control.tables import RowList
from runtime.graph.dtypes import int32, python_numbers
from runtime.graph.graph import Value
from runtime.graph.owner import Owner
from runtime.ops import effects, elementwise as ew, indexing, lists
from runtime.tensors import nest, operators
from runtime.tensors.clauses import asks_each, decided, not_caught
from runtime.tensors.conversion import dtype_for_all, operand
from runtime.tensors.frames import (
    OURS,
    asks_for_class,
    classes_alike,
    marked,
    tests_class,
    unpacks,
    user_place,
    users_frame,
    wants_class,
)
from runtime.tensors.from_numpy import FromNumpy, owner_of, type_of
from runtime.tensors.growing import READERS, has_grown
from runtime.tensors.leaf_types import is_leaf, is_scalar, leaf_type
from runtime.tensors.number_types import OfTypes
from runtime.tensors.numbers import Range, Scalar, is_truth, number
from runtime.tensors.operations import apply, apply_all, apply_to_list
from runtime.tensors.several import Arrays, Asked, OneOf, Several, settled, with_each
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, Way, current, recording, ways
from runtime.tensors.views import Array, arrayed, write_through

import numpy as np  # isort: skip


class _Union(OneOf):
    """What has attributes that nobody else sees."""


_ATTRIBUTES = vars(_Union)["__dict__"]


class TaggedUnion(_Union):
    """One of several values; `index`, an int32 scalar of the graph, is its number among the `options`."""

    def __init__(self, options: Sequence[object], index: SymbolicTensor, name: Name, statement: str) -> None:
        self.__dict__.update(
            _options=tuple(options), _index=index, _name=name, _statement=statement, _checked=(), _parts={}
        )

    @property
    def __dict__(self) -> dict[str, object]:  # type: ignore[override]
        """What ``vars`` asks for: in the user's code that of the object that it is."""
        ours = sys._getframe(1).f_code.co_filename.startswith(OURS)
        return _ATTRIBUTES.__get__(self) if ours else vars(only(self))  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        made = marked(self, "!r", sys._getframe(1))
        return made or f"<{self._name}: {' or '.join(map(_described, self._options))}>"

    def __str__(self) -> str:
        return marked(self, "!s", sys._getframe(1)) or repr(self)

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks of it in the user's code: a Python bool is all that it can say there."""
        asks = asks_for_class()
        if not wants_class(asks):
            return type(self)
        return kind_of(self, asks)

    def __copy__(self) -> object:
        return _copied(self, copy.copy)

    def __deepcopy__(self, memo: dict[int, object]) -> object:
        return _copied(self, lambda option: copy.deepcopy(option, memo))

    def __hash__(self) -> int:
        ways.takes(Way.KEYS)
        raise StagingError(
            f"{shown(self)} is known only when the graph runs, and cannot be a key of a dictionary or an element of a "
            "set. Move what is done with it into the branches."
        )

    def _refused(self) -> NoReturn:
        _may_be_handled(self)
        raise StagingError(
            f"{shown(self)} is known only when the graph runs, and code that is not converted wants a number of it. "
            "Move what is done with it into the branches."
        )

    __int__ = __float__ = __complex__ = __index__ = _refused

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NoReturn:
        self._refused()

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> object:
        function = ufunc if method == "__call__" else getattr(ufunc, method)
        return each(self, lambda option: call(function, *put(option, self, inputs), **put(option, self, kwargs)))

    def __array_function__(
        self, function: Callable[..., object], types: object, args: object, kwargs: object
    ) -> object:
        return each(self, lambda option: call(function, *put(option, self, args), **put(option, self, kwargs)))

    # Used as the one value that is more than a sign of absence, or as each of several.

    def distribute(self, function: Callable[[Any], object]) -> object:
        return each(self, function)

    def structure(self) -> object:
        options = [option for option in self._options if option is not UNDEFINED]
        if not all(map(nest.is_nested, options)):
            return self
        if len(options) == 1:
            return only(self)
        first, *others = map(settled, options)
        if not all(nest.alike(first, other) for other in others):
            return self
        keys = _keys(options[0])
        if keys is None or any(_keys(option) != keys for option in options):
            return self
        return nest.of_kind(first, [self[key] for key in keys])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") and not (name in _OF_CLASSES and all(isinstance(one, type) for one in self._options)):
            raise AttributeError(name)
        if name in _READING and (known := self.structure()) is not self:
            return getattr(known, name)
        held = _held(self, name) if len(self._options) > 1 else None
        return each(self, lambda option: getattr(option, name)) if held is None else held

    def __setattr__(self, name: str, value: object) -> None:
        each(self, lambda option: setattr(option, name, value))

    def __delattr__(self, name: str) -> None:
        each(self, lambda option: delattr(option, name))

    def __getitem__(self, key: object) -> object:
        values = _values(self, key)
        return each(self, _element(key)) if values is None else _part(self, key, values)

    def __setitem__(self, key: object, value: object) -> None:
        each(self, _written(key, value))

    def __delitem__(self, key: object) -> None:
        each(self, lambda option: operator.delitem(option, key))

    def __iter__(self) -> Iterator[object]:
        if _common_length(self) is not None:
            return _walked(self)
        frame = users_frame(sys._getframe(1))
        count = unpacks(frame) if frame is not None else None
        if count is not None and len(self._options) > 1 and all(_keys(o) is not None for o in self._options):

            def parts(option: Any) -> object:
                return unpacked([*option], count)

            return iter(whichever(self, parts))  # type: ignore[call-overload,no-any-return]
        known = self.structure()
        return iter(only(self) if known is self else known)  # type: ignore[arg-type]

    def __len__(self) -> int:
        count = _common_length(self)
        return len(only(self)) if count is None else count

    def __bool__(self) -> bool:
        known = answer(self)
        if known is not None:
            return known
        raise StagingError(f"{shown(self)} is known only when the graph runs; the code that asks was not converted.")

    def _binary(self, name: str, other: object, swapped: bool = False) -> object:
        function = COMPARISONS[_SIGNS[name]] if name in _SIGNS else operators.function(name)
        every = whichever if name in ("eq", "ne") else each  # None can be compared

        def made(option: object) -> object:
            others = option if other is self else other
            return function(others, option) if swapped else function(option, others)

        return every(self, made)

    def _unary(self, name: str) -> object:
        return each(self, operators.function(name))


def _element(key: object) -> Callable[[Any], object]:
    """What gives what a value has at a key."""
    return lambda option: get_item(option, key)


def _written(key: object, value: object) -> Callable[[Any], object]:
    """What writes a value at a key."""
    return lambda option: operator.setitem(option, key, value)


asks_each(_element(0).__code__, TaggedUnion.__getitem__.__code__)
asks_each(_written(0, 0).__code__, TaggedUnion.__setitem__.__code__)
_READING = frozenset(("items", "values", "keys", "get", "index", "count"))  # methods of lists and dictionaries
_OF_CLASSES = frozenset(("__name__", "__qualname__", "__module__", "__doc__"))  # as ``type(value).__name__`` asks
_SIGNS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}  # an option may be a tuple


def _augmented(name: str) -> Callable[[TaggedUnion, object], object]:
    """``value += other``: a list, deque or dictionary is changed, and stays what it is; of a number another is made."""
    change = getattr(operator, f"i{name}")

    def updated(self: TaggedUnion, other: object) -> object:
        present = [self._options[i] for i in _present(self)]
        if len(present) < 2 or not all(is_a(option, (list, dict, set)) or stands_in(option) for option in present):
            return each(self, lambda option: change(option, option if other is self else other))
        each(self, lambda option: _nothing(change(option, other)))
        return self

    return updated


def _nothing(_: object) -> None:
    """What is done is done."""


for _name in operators.AUGMENTED:
    setattr(TaggedUnion, f"__i{_name}__", _augmented(_name))


class CallableUnion(TaggedUnion):
    """One of several values, some of which can be called."""

    def __call__(self, *args: object, **kwargs: object) -> object:
        return each(self, lambda option: call(option, *args, **kwargs))


class NumberUnion(TaggedUnion, Several):
    """One of several numbers of different dtypes, or of classes of their own."""

    def numbers(self) -> Sequence[object]:
        return [self._options[number] for number in _present(self)]

    def together(self, others: Sequence[Any], function: Callable[[Mapping[int, object]], object]) -> object:
        dtypes = {leaf_type(number).dtype for one in others for number in one.numbers()}
        if len(dtypes) == 1:  # and classes of their own, which are as good as numbers to whoever takes many
            return function({id(one): operand(one) for one in others})
        wide = dtype_for_all(self)
        pairs = all(len(one._options) == 2 and all(map(is_scalar, one._options)) for one in others)
        if len(dtypes) != 2 or wide not in dtypes or not pairs:
            raise StagingError(
                f"{shown(self)} and others are numbers of dtypes that only the graph knows, too many to ask of each. "
                "Give them one dtype, as with float()."
            )
        wides = [next(i for i, o in enumerate(one._options) if leaf_type(o).dtype == wide) for one in others]
        is_wide = functools.reduce(
            functools.partial(apply, ew.logical_or), [_is_number(one, i) for one, i in zip(others, wides)]
        )

        def widened() -> object:
            return function({id(one): operand(one) for one in others})

        def narrow() -> object:
            return function({id(one): one._options[1 - i] for one, i in zip(others, wides)})

        return _decided(is_wide, widened, narrow, self._statement, (function,))


class ArrayUnion(TaggedUnion, Arrays):
    """One of several numbers and arrays of NumPy's, of different dtypes or with different numbers of dimensions."""


def _walked(union: TaggedUnion) -> Iterator[object]:
    """What is in the one of several lists or tuples that it is, each as it is when it is asked for."""
    at = 0
    while (count := _common_length(union)) is not None and at < count:
        yield union[at]
        at += 1


def is_walked(value: object) -> bool:
    """Whether a loop goes through the parts of one of several structures one by one, rather than as one of the graph:
    they are tensors or structures themselves, so that numbers and arrays that lists hold are not meant."""
    if not isinstance(value, TaggedUnion) or (known := value.structure()) is value:
        return False
    parts = list(nest.parts(known))
    return isinstance(known, dict) or all(nest.is_nested(p) or type(p) in (SymbolicTensor, EagerTensor) for p in parts)


def _common_length(union: TaggedUnion) -> int | None:
    """How many parts each of several lists and tuples has, if that is one number."""
    lengths = {
        len(option) if isinstance(option, list | tuple) and not has_grown(option) else None for option in union._options
    }
    return lengths.pop() if len(lengths) == 1 else None


def _keys(option: object) -> Sequence[object] | None:
    """What the parts of a list, tuple or dictionary are reached by, in order, where that is known and Python's own."""
    if type(option) is dict:
        return [*option]
    is_plain = type(option) in (list, tuple, KnownList) and not has_grown(option)
    return [*range(len(option))] if is_plain else None  # type: ignore[arg-type]


def _values(union: TaggedUnion, key: object) -> list[object] | None:
    """What each of several lists, tuples or dictionaries has at a key, where that is known while tracing."""
    if type(key) not in (int, str) or len(union._options) == 1:
        return None
    if any((keys := _keys(option)) is None or key not in keys for option in union._options):
        return None
    return [get_item(option, key) for option in union._options]


def _part(union: TaggedUnion, key: object, values: list[object]) -> object:
    """What is at a key of the one that it is: the same tensor whoever asks, so that a tape that watches it knows it."""
    known = tuple(map(id, values))
    _, found = union._parts.get(known, (None, None))
    if found is None or not all(map(_is_at_hand, nest.flatten(found))):
        if all(isinstance(value, list | dict) for value in values):
            found = element_at(values, union._index, union._statement)
        else:
            found = whichever(union, lambda option: get_item(option, key))
        union._parts[known] = values, found
    return found


def _is_at_hand(value: object) -> bool:
    """Whether a value made while tracing can be used where the trace is now."""
    union = union_of(value)
    tensor = value if union is None else union._index
    if not isinstance(tensor, SymbolicTensor):
        return True
    owner, trace = tensor.traced_in, current()
    return trace is not None and trace.is_within(owner) and tensor.value not in owner.gone


def kind_of(union: TaggedUnion, asks: FrameType | None = None) -> type:
    """The class that it has, to who asks at a frame: where only the graph knows it, the function around is followed
    with each that it may be. Raises StagingError where it cannot be."""
    kinds = _kinds(union)
    refusal = no_class(shown(union), union._statement) if len(kinds) > 1 else None
    groups = [[kind] for kind in kinds] if asks is None else classes_alike(kinds, asks)
    return class_among(
        [(group[0], [n for kind in group for n in kinds[kind]]) for group in groups], union._index, refusal
    )


def class_among(kinds: Sequence[tuple[type, Sequence[int]]], index: Tensor, refusal: StagingError | None) -> type:
    """One of some classes, which belong to the numbers that an index may be. In ``if x is not None: …`` it is not that
    of None."""
    there = [any(not _is_never(index, number) for number in numbers) for _, numbers in kinds]
    *asked, (last, _) = kinds
    for place, (kind, numbers) in enumerate(asked):
        assert refusal is not None

        def test(numbers: Sequence[int] = numbers) -> Tensor:
            found = [apply(ew.equal, index, EagerTensor(np.asarray(number, np.int32))) for number in numbers]
            return functools.reduce(lambda a, b: apply(ew.logical_or, a, b), found)

        known = None if there[place] and any(there[place + 1 :]) else there[place]
        is_it = decided(test, refusal, known)
        others = [number for _, of in kinds for number in of if number not in numbers]
        _exclude(index, others if is_it else numbers)
        if is_it:
            return kind
    return last


def _exclude(index: Tensor, numbers: Sequence[int]) -> None:
    """Know that an index is none of some numbers, from now on in what is being traced."""
    if isinstance(index, SymbolicTensor) and (trace := current()) is not None:
        if (value := trace.known(index.value, index.traced_in)) is not None:
            trace.excluded |= {(value, number) for number in numbers}


def _is_never(index: Tensor, number: int) -> bool:
    return isinstance(index, SymbolicTensor) and is_never(index, number)


def _kinds(union: TaggedUnion) -> dict[type, list[int]]:
    """The classes of what it may be, with the numbers of these."""
    kinds: dict[type, list[int]] = {}
    for place, one in enumerate(without(union, UNDEFINED)._options):
        if one is not UNDEFINED:
            kind = type_of(one) if isinstance(one, Tensor) else one.__class__
            kinds.setdefault(list if kind is KnownList else kind, []).append(place)
    return kinds


def structures(value: object) -> Sequence[tuple[Tensor, object]]:
    """What a value may be that may be a structure, as only the graph knows, each with the test that it is that."""
    union = union_of(value)
    if union is None or not any(map(_has_items, union._options)) or union.structure() is not union:
        return ()
    union = without(union, UNDEFINED)
    known = [number for number, option in enumerate(union._options) if option is not UNDEFINED]
    return [(_is_number(union, number), _alone(union, number)) for number in known]


def _has_items(option: object) -> bool:
    """Whether a pattern may match the items of an option."""
    return nest.is_nested(option) or is_a(option, (list, range, Range))


def no_class(name: str, statement: str) -> StagingError:
    return StagingError(
        f"{name} has a class that only the graph knows, so that isinstance() cannot tell whether it is of another. "
        f"Keep in a variable of its own which it is.\n  {statement}"
    )


class Optional(SymbolicTensor):
    """A tensor, or else None or an unbound variable: the graph checks which when an operation takes it."""

    __slots__ = ()

    union: TaggedUnion

    @property
    def may_be_none(self) -> bool:  # type: ignore[override]
        return any(option is None for option in self.union._options)

    def _kind(self) -> type:
        """What ``isinstance`` is told of a number or an array."""
        own: type = super()._kind()  # type: ignore[misc]
        options = without(self.union, UNDEFINED)._options
        absent, there = ([n for n, one in enumerate(options) if (one is None) is told] for told in (True, False))
        if all(_is_never(self.union._index, number) for number in absent):
            return own
        refusal = no_class(shown(self.union), self.union._statement)
        if not tests_class():  # what else is asked of a class is asked of each value
            raise refusal
        return class_among([(type(None), absent), (own, there)], self.union._index, refusal)

    def record_in(self, trace: Trace) -> Value:
        require(self.union, trace)
        return super().record_in(trace)

    def check_there(self) -> None:
        """Have the graph check that it is there, for who asks for what is known of it without the graph."""
        require(self.union, tracing())

    def _shape_for(self, asks: FrameType) -> Any:
        return self._known_for(asks, super()._shape_for)  # type: ignore[misc]

    def _dtype_for(self, asks: FrameType) -> Any:
        return self._known_for(asks, super()._dtype_for)  # type: ignore[misc]

    def _known_for(self, asks: FrameType, known: Callable[[FrameType], Any]) -> Any:
        if self._is_for_program(asks):  # type: ignore[attr-defined]
            self.check_there()
        return known(asks)

    def __eq__(self, other: object) -> Any:
        """None equals None and no tensor."""
        if not isinstance(other, Optional) and not self.may_be_none:
            if other is None:  # no operation will ask
                without(self.union, UNDEFINED)
            return super().__eq__(other)
        if isinstance(self, OptionalArray) or isinstance(other, list | tuple):  # they fit only where it is there
            return whichever(self.union, lambda option: option == (option if other is self else other))
        there, value = _there(self)
        other_there, other_value = _there(other) if isinstance(other, Optional) else (other is not None, other)
        if other_value is None:
            return number(apply(ew.logical_not, there))
        if python_numbers.are_numpys and Owner.NUMPY in (owner_of(value), owner_of(other_value)):
            return whichever(self.union, lambda option: option == other)  # None says so in Python's truth
        alike = value == other_value
        alike = EagerTensor(np.asarray(alike)) if isinstance(alike, bool | np.bool_) else alike
        same = apply(ew.logical_and, there, alike)
        if other_there is not True:
            neither = apply(ew.logical_not, apply(ew.logical_or, there, other_there))
            same = apply(ew.logical_or, apply(ew.logical_and, same, other_there), neither)
        return arrayed(same, [value, other_value])

    def __ne__(self, other: object) -> Any:
        equal = self == other
        if isinstance(equal, OfTypes):
            return whichever(self.union, lambda option: option != other)
        return arrayed(apply(ew.logical_not, equal), [equal]) if isinstance(equal, Tensor) else not equal

    __hash__ = SymbolicTensor.__hash__

    def _become(self, other: object) -> None:
        """Once an item was assigned, it is there."""
        self._rebound()
        super()._become(other)
        options = self.union._options
        present = _present(self.union)
        self.union.__dict__["_options"] = tuple(other if i in present else o for i, o in enumerate(options))


class OptionalTensor(Optional):
    """A value that may be missing."""

    __slots__ = ("union",)

    def __init__(self, tensor: SymbolicTensor, union: TaggedUnion) -> None:
        super().__init__(tensor.traced_in, tensor.value)
        self.union = union


class OptionalNumber(Optional, Scalar):
    """A number of NumPy's, or of Python's, that may be missing."""

    __slots__ = ("union",)

    def __init__(self, number: Scalar, union: TaggedUnion) -> None:
        super().__init__(number.traced_in, number.value)
        self.union, self.python = union, number.python


class OptionalArray(Optional, FromNumpy):
    """An array that may be missing: it can be read while it is as it was, and be written if nothing else holds it."""

    __slots__ = ("alone", "array", "union", "writes")

    def __init__(self, array: Array, union: TaggedUnion) -> None:
        self._content = None
        self.union, self.array = union, array  # which others may know, too
        self.writes = array.place.writes
        self.alone = type(array) is Array and array.is_alone()

    def __copy__(self) -> object:  # type: ignore[override]
        return _copied(self.union, copy.copy)

    @property
    def traced_in(self) -> Trace:  # type: ignore[override]
        return self.array.traced_in

    @property
    def value(self) -> Value:  # type: ignore[override]
        return self.array.value

    @property
    def itself(self) -> Array:
        return self.array

    def _kind(self) -> type:
        super()._kind()
        return self.array._kind()

    def record_in(self, trace: Trace) -> Value:
        place = self.array.place
        if place.doubt or (place.writes != self.writes and not self.alone):
            raise StagingError(
                f"{shown(self.union)} may be an array that was written since, by another name. Read it before, or "
                "make it a copy (a.copy())."
            )
        return super().record_in(trace)

    def _rebound(self) -> None:
        super()._rebound()
        if not self.alone:
            raise StagingError(
                f"{shown(self.union)} is known only when the graph runs, so that the array which it may be cannot be "
                "written by this name. Assign a new array (a = a + b)."
            )

    def _become(self, other: object) -> None:
        self._rebound()
        require(self.union, tracing())
        self.array._become(other)

    _hold = _become

    def _update(self, name: str, ufunc: object, other: object) -> object:
        """``a += other``."""
        self._rebound()
        require(self.union, tracing())
        updated = self.array._update(name, ufunc, other)
        return NotImplemented if updated is NotImplemented else self


write_through(OptionalArray)


def _if_there(known: property) -> property:
    """What is known of an array or a number, where it is there."""

    def read(value: Any) -> Any:
        if value._is_for_program(sys._getframe(1)):
            value.check_there()
        return known.__get__(value)

    return property(read)


for _kind, _name in itertools.product((OptionalNumber, OptionalArray), ("ndim", "size", "itemsize", "nbytes")):
    setattr(_kind, _name, _if_there(getattr(_kind, _name)))


def _there(value: Optional) -> tuple[object, Any]:
    """Whether a variable is not None, once the graph has checked that it is bound, and what it is then."""
    union = without(value.union, UNDEFINED)
    present = _present(union)[0]
    return _is_number(union, present), union._options[present]


def union_of(value: object) -> TaggedUnion | None:
    """The union that a variable holds, if it holds one."""
    kind = type(value)
    if kind in _UNIONS:
        return value  # type: ignore[return-value]
    return value.union if issubclass(kind, Optional) else None  # type: ignore[attr-defined]


def chosen(options: Sequence[object], index: Any, name: Name, statement: str) -> object:
    """What a variable holds that is one of several; the very one, if that is known."""
    if not isinstance(index, SymbolicTensor):
        return options[int(index)]
    kind = CallableUnion if any(map(callable, options)) else TaggedUnion
    values = [option for option in options if option is not None and option is not UNDEFINED]
    if len(values) > 1 and all(is_scalar(v) or owner_of(v) is Owner.ARRAY for v in values):
        kind = NumberUnion if all(map(is_scalar, values)) else ArrayUnion
    elif len(values) == 1 and isinstance(values[0], OfTypes):
        kind = NumberUnion
    union = kind(options, index, name, statement)
    present = _present(union)
    only = options[present[0]] if len(present) == 1 else None
    if not isinstance(only, SymbolicTensor) or isinstance(only, Optional | Range | Asked):
        return union
    if isinstance(only, Array):
        return OptionalArray(only, union)
    return OptionalNumber(only, union) if isinstance(only, Scalar) else OptionalTensor(only, union)


def either(test: Any, x: object, y: object) -> object:
    """One of two values, each as it is."""
    if not isinstance(test, SymbolicTensor):
        return x if test else y
    return _decided(test, lambda: x, lambda: y, statement_here())


def statement_here() -> Statement:
    """The user's statement that is traced."""
    place = user_place()
    assert place is not None
    line = place.line or 0
    return Statement(place.filename, line, linecache.getline(place.filename, line).strip())


def with_one(union: TaggedUnion, value: object, options: Sequence[object]) -> object:
    """A value in the place of some of the options."""
    others = [i for i, option in enumerate(union._options) if not any(option is one for one in options)]
    if not others:
        return value
    numbers = [others.index(i) if i in others else len(others) for i in range(len(union._options))]
    left = [*(union._options[i] for i in others), value]
    return chosen(left, renumbered(numbers, union._index), union._name, union._statement)


def renumbered(numbers: Sequence[int], index: object) -> Tensor:
    """What the number of an option is among others: the one of these numbers that is at its place."""
    return apply(indexing.getitem, EagerTensor(np.asarray(numbers, np.int32)), index, index=(indexing.INPUT,))


def among(union: TaggedUnion, numbers: Sequence[int]) -> TaggedUnion:
    """The union where it is sure to be one of the options of these numbers; itself, if there are none."""
    if len(numbers) in (0, len(union._options)):
        return union
    table = [numbers.index(i) if i in numbers else 0 for i in range(len(union._options))]
    index: Any = renumbered(table, union._index)
    return type(union)([union._options[i] for i in numbers], index, union._name, union._statement)


def _present(union: TaggedUnion) -> list[int]:
    return [i for i, option in enumerate(union._options) if option is not None and option is not UNDEFINED]


def present(union: TaggedUnion) -> object:
    """The one option that is a value, before the graph has checked that it is."""
    return union._options[_present(union)[0]]


def _is_number(union: TaggedUnion, number: int) -> Tensor:
    """Whether the union is the option of this number, as a tensor."""
    return apply(ew.equal, union._index, EagerTensor(np.asarray(number, np.int32)))


def shown(union: TaggedUnion) -> str:
    return f"{union._name.shown} ({union._statement})"


def require(union: TaggedUnion, trace: Trace) -> None:
    """Have the graph check that the variable is there and is not None."""
    present = _present(union)
    if len(present) != 1:
        return
    known = union._checked
    around: Trace | None = trace
    while around is not None:  # checked already, in this graph or before one around it came here
        if any(t is around and position < len(t.nodes) and t.nodes[position] is node for t, position, node in known):
            return
        around = around.parent
    with recording(trace):
        _check(union, present[0], [_absent(union, option) for option in union._options])
    union.__dict__["_checked"] = (*known, (trace, len(trace.nodes) - 1, trace.nodes[-1]))


def _absent(union: TaggedUnion, option: object) -> Exception | None:
    """What Python raises where this option is used as a value."""
    name = union._name
    if option is UNDEFINED and name.role is Role.ITEM:
        return KeyError(name)
    if option is UNDEFINED and name.role is Role.ATTRIBUTE:
        return AttributeError(f"{name} was not assigned ({union._statement})")
    if option is UNDEFINED:
        free = _is_free(name)
        which = f"free variable '{name}'" if free else f"local variable '{name}'"
        where = "is not associated with a value" + " in enclosing scope" * free
        message = f"cannot access {which} where it {where}: only some cases assign it ({union._statement})"
        return (NameError if free else UnboundLocalError)(f"{message}. Assign it before.")
    return (
        TypeError(f"{shown(union)} is None, where a value is needed. Ask `is None` first.") if option is None else None
    )


def _is_free(name: str) -> bool:
    """Whether a variable is one of a function around the one that reads it."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not code.co_filename.startswith(OURS):
            if name in code.co_cellvars or name in code.co_varnames:
                return False
            if name in code.co_freevars and not is_body(frame):
                return True
        frame = frame.f_back
    return False


def _may_be_handled(union: TaggedUnion) -> None:
    """Note that what may be any of several objects might be one of the graph's."""
    for option in union._options:
        may_be_handled(option)


def only(union: TaggedUnion) -> Any:
    """The one option that is a value, once the graph has checked that it is."""
    present = _present(union)
    if len(present) != 1:
        ways.takes(Way.KEYS)
        _may_be_handled(union)
        raise StagingError(
            f"{shown(union)} is one of several objects, and only the graph knows which: {union!r}. Move what is done "
            "with it into the branches."
        )
    require(union, tracing())
    return union._options[present[0]]


def is_one_or_none(value: object) -> bool:
    """Whether it is one of two things, None and something else, and only the graph knows which."""
    union = union_of(value)
    return union is not None and len(union._options) == 2 and any(option is None for option in union._options)


def narrowed(value: object) -> object:
    """What may be None, as what it is in a branch that is taken only where it is not."""
    if not is_one_or_none(value):
        return value
    union: Any = union_of(value)
    number = 1 if union._options[0] is None else 0
    if union._options[number] is UNDEFINED or not is_never(union._index, 1 - number):
        return value
    return union._options[number]


def is_option(union: TaggedUnion, wanted: object) -> object:
    """Whether the variable is this very object, as a tensor."""
    numbers = [i for i, option in enumerate(union._options) if option is wanted]
    if wanted is not UNDEFINED:
        without(union, UNDEFINED)
    if is_truth(wanted):
        return _is_truth(union, wanted)
    if not numbers:
        return False
    return _is_number(union, numbers[0])


def _is_truth(union: TaggedUnion, wanted: object) -> object:
    """Whether the variable is True, or False, as Python has them: the one that `wanted` is."""
    same: object = False
    for i, option in enumerate(union._options):
        if is_truth(option):
            equal = apply(ew.logical_and, _is_number(union, i), apply(ew.equal, operand(option), operand(wanted)))
            same = equal if same is False else apply(ew.logical_or, same, equal)
    return same


def are_same(union: TaggedUnion, other: TaggedUnion) -> object:
    """Whether two variables are the same object, as a tensor."""
    if union is other:
        without(union, UNDEFINED)
        return True
    same: object = False
    for i, option in enumerate(union._options):
        if is_truth(option):
            both = apply(ew.logical_and, _is_number(union, i), operand(is_option(other, option)))
        elif any(option is another for another in other._options):
            both = apply(ew.logical_and, is_option(union, option), is_option(other, option))
        else:
            continue
        same = both if same is False else apply(ew.logical_or, same, both)
    return same


def truth_of(union: TaggedUnion, truth: Callable[[object], object]) -> Any:
    """The truth of the option that it is; `truth` gives that of a tensor."""
    without(union, UNDEFINED)
    result: object = EagerTensor(np.asarray(False))
    for index in _present(union):
        option = union._options[index]
        here = _is_number(union, index)
        if says_truth(option) or (isinstance(option, Tensor) and option.type.shape != ()):  # asking may fail
            return truth(whichever(union, lambda option: call(bool, option)))
        staged = backend_of(option) is not None
        holds = truth(option) if staged else EagerTensor(np.asarray(bool(option)))
        result = apply(ew.logical_or, result, apply(ew.logical_and, here, holds))
    return result


def bound(value: object) -> object:
    """A value that a function returns, once the graph has checked that it is not unbound."""
    union = union_of(value)
    if union is not None:
        union = without(union, UNDEFINED)
        if any(map(_has_row, union._options)):
            options = [_alone(union, number) for number in range(len(union._options))]
            return chosen(options, union._index, union._name, union._statement)
    return value


def _has_row(option: object) -> bool:
    return isinstance(option, RowList) or (nest.is_nested(option) and any(map(_has_row, nest.parts(option))))


def _alone(union: TaggedUnion, number: int) -> object:
    """An option; the row of a table in it as a list of its own, without elements where it is not that option, as the
    table may not have such a row then."""
    here = _is_number(union, number)

    def alone(part: object) -> object:
        if not isinstance(part, RowList):
            return nest.of_kind(part, [*map(alone, nest.parts(part))]) if _has_row(part) else part
        whole = part.table.as_table()
        assert isinstance(whole.structure, Inner)
        none = [
            apply_to_list(lists.new, operand(0), dtype=kind.dtype, shape=of_part(kind), weak=kind.weak)
            for kind in whole.kinds
        ]
        empty = TensorList.holding(Rows(whole.structure.record, none))
        branches = (lambda: TensorList.holding(part.rows), lambda: empty)
        made = _decided(here, *branches, union._statement, (lambda: part,))
        share(made, FOUND)  # a change would be none of the table
        return made

    return alone(union._options[number])


def without(union: TaggedUnion, option: object) -> TaggedUnion:
    """The union, once the graph has checked that it is not a certain option."""
    number = next((i for i, o in enumerate(union._options) if o is option), None)
    if number is None:
        return union
    otherwise = [_absent(union, option) if i == number else None for i in range(len(union._options))]
    _check(union, -1, otherwise)
    return union


def _check(union: TaggedUnion, wanted: int, otherwise: Sequence[Exception | None]) -> None:
    """Have the graph raise one of the exceptions where the union is that option, and not the one that is wanted."""
    for place, error in enumerate(otherwise):
        if error is not None:
            not_caught(error, functools.partial(_is_number, union, place))
    apply_all(effects.require_, union._index, wanted=wanted, otherwise=otherwise)


def _described(option: object) -> str:
    """An option in a message, without asking what the user's classes make of it."""
    ours = option is None or option is UNDEFINED or isinstance(option, Tensor) or type(option).__module__ == "builtins"
    return repr(option) if ours and not nest.is_nested(option) else with_article(type(option).__name__)


def put(option: object, union: TaggedUnion, values: object) -> Any:
    """Values with an option in the place of the union."""
    return nest.map_structure(lambda value: option if union_of(value) is union else value, values)


def distributed(function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]) -> object:
    """What a built-in function makes of one of several values: the graph calls it with the one that it is.

    NotImplemented where no argument is such.
    """
    number = -1
    for place, argument in enumerate(arguments):
        if type(argument) in _UNIONS:
            number = place
            break
    if number < 0:
        return NotImplemented
    union: Any = arguments[number]
    if function in (zip, enumerate) and (
        isinstance(union, Arrays) or all(is_a(option, (list, tuple)) for option in union._options)
    ):
        return NotImplemented  # whose items are those of the one that it is
    before, after = arguments[:number], arguments[number + 1 :]
    if function in _WALKERS and (known := union.structure()) is not union:
        read = iter(union) if function in (zip, enumerate) else known
        return call(function, *before, read, *after, **keywords)
    if function is operator.getitem and number == 0:
        return each(union, _element(*after))
    if function is operator.getitem:
        return whichever(union, lambda option: get_item(before[0], option))
    if function is operator.contains:
        return whichever(union, lambda option: in_(*reversed((*before, option, *after))))
    return whichever(union, lambda option: call(function, *before, option, *after, **keywords))


_WALKERS = frozenset((zip, enumerate, len, list, tuple, dict, sum, sorted, any, all))


def of_numbers(function: Callable[..., object]) -> Callable[..., object]:
    """A function that is called with each of several numbers, also among the elements of a list or tuple."""

    def called(*args: object, **kwargs: object) -> object:
        if current() is None:
            return function(*args, **kwargs)
        found = with_each(lambda args, kwargs: called(*args, **kwargs), args, kwargs)
        if found is not NotImplemented:
            return found
        unions = (one for one in nest.flatten([args, kwargs]) if isinstance(one, TaggedUnion))
        union = next((one for one in unions if _are_lists_of_several_dtypes(one._options)), None)
        if union is None:
            return function(*args, **kwargs)
        return each(union, lambda option: called(*put(option, union, args), **put(option, union, kwargs)))

    return called


def _are_lists_of_several_dtypes(options: Sequence[Any]) -> bool:
    """Whether lists of numbers, each by itself, make arrays of other dtypes than one list of all would."""
    if not all(is_a(option, list) for option in options):
        return False
    found = set[object]()
    for option in options:
        kinds = option.rows.kinds if has_grown(option) else map(leaf_type, nest.flatten(option))
        found.update(getattr(kind, "dtype", None) for kind in kinds)
    return len(found) > 1


_RESULT = Name("the result of the choice", Role.RESULT, phrase=True)


def _copied(union: TaggedUnion, copier: Callable[[object], object]) -> object:
    """One of the copies of all the options: the one of the option that it is."""
    options = [option if option is UNDEFINED else copier(option) for option in union._options]
    return chosen(options, union._index, union._name, union._statement)


def each(union: TaggedUnion, function: Callable[[Any], object]) -> object:
    """What a function makes of the option that it is: of the one that is a value, or of each of several."""
    return function(only(union)) if len(_present(union)) == 1 else whichever(union, function)


def whichever(union: TaggedUnion, function: Callable[[object], object]) -> object:
    """What a function makes of the option that it is, which may be None."""

    def made(number: int) -> object:
        option = union._options[number]
        if option is UNDEFINED:
            raise _absent(union, option) or AssertionError
        return function(option)

    count = len(union._options)
    # In the branches of a test of what it is, those that it is not are not asked. What would be asked of them counts:
    # where the test is one that a clause of the program's leads to, questions have the same numbers on each way.
    numbers = [number for number in range(count) if not _is_never(union._index, number)] or [*range(count)]

    def arm(number: int) -> object:
        if number == count - 1:
            return made(number)
        if number not in numbers or number == numbers[-1]:
            questions.begin()
            return made(number) if number == numbers[-1] else arm(number + 1)
        here = _is_number(union, number)
        functions = (*union._options, function)  # what they change is found
        return _decided(here, lambda: made(number), lambda: arm(number + 1), union._statement, functions)

    return arm(0)


def _decided(
    test: Any,
    body: Callable[[], object],
    orelse: Callable[[], object],
    statement: Statement,
    functions: Sequence[Any] = (),
) -> object:
    """What one of two functions makes, as the graph decides; `functions` are those whose variables they may change."""
    backend = backend_of(test)
    assert backend is not None
    return staged_if(backend, test, body, orelse, (), (), statement, functions, _RESULT)


def one_list(union: TaggedUnion) -> object:
    """A new list with what the one of several lists holds that it is."""
    return each(union, lambda option: option[:])


def _held(union: TaggedUnion, name: str) -> object:
    """The attribute that each of several objects holds itself, found without branches; None where more may happen."""
    for option in union._options:
        kind = type(option)
        if not is_object(option) or name not in attributes_of(option):
            return None
        if found_in(kind, name) not in (None, BaseException.args) and name not in slots_of(kind):
            return None
        if found_in(kind, "__getattribute__") is not found_in(object, "__getattribute__"):
            return None
    values = [attributes_of(option)[name] for option in union._options]
    if not all(map(_is_number_or_object, values)):
        return None
    return element_at(values, union._index, union._statement)


def _is_number_or_object(value: object) -> bool:
    if isinstance(value, Optional):
        return False  # that it is there is asked where it is read alone
    return isinstance(value, int | float | Scalar | list | dict) or is_object(value)


_ELEMENT = Name("an element", Role.RESULT, phrase=True)


def if_there(there: Any, value: object) -> object:
    """An element that is None where the graph finds that it is not there."""
    return chosen([None, value], apply(ew.cast, operand(there), dtype=int32), _ELEMENT, statement_here())


def element_at(elements: Sequence[object], index: Tensor, statement: str) -> object:
    """The element of a sequence at an index that only the graph knows: the very one, where it matters which."""
    distinct = list({id(element): element for element in elements}.values())
    table = [next(i for i, one in enumerate(distinct) if one is element) for element in elements]
    return _picked(distinct, renumbered(table, index), statement)


def _picked(values: Sequence[Any], number: Any, statement: str) -> object:
    """The value of this number: where all are tuples alike, or numbers, one that holds what it does."""
    first = values[0]
    if all(value is first for value in values):
        return first
    if isinstance(first, tuple) and all(type(v) is type(first) and len(v) == len(first) for v in values):
        return nest.of_kind(first, [_picked(parts, number, statement) for parts in zip(*values)])
    if all(map(is_leaf, values)):
        content = Fixed(values)
        return as_rows(content, *common(content), lasts=False).element(number)
    return chosen(values, number, _ELEMENT, statement)


def _copy(union: TaggedUnion) -> object:
    """A copy of the list, or the like, that a union is."""
    if (known := union.structure()) is not union:
        return known

    def copied(option: object) -> object:
        if type(option) is list:
            return KnownList(option)
        if not hasattr(option, "copy"):
            kind = getattr(option, "kind", type(option)).__name__
            ways.takes(Way.KEYS)  # in which it may be one dictionary
            raise StagingError(
                f"{union._name} is one of several values, as only the graph decides, and one of them is a {kind}. "
                f"Make lists of them first (list(...)), or use each where it is made.\n  {union._statement}"
            )
        return option.copy()

    return each(union, copied)


_UNIONS = (TaggedUnion, CallableUnion, NumberUnion, ArrayUnion)
# Whoever has such a variable may write the object that it is.
for _union in _UNIONS:
    if not issubclass(_union, Several | Arrays):
        READERS[_union] = _copy
    register_view(_union, lambda union: union._options)
for _kind in (OptionalTensor, OptionalNumber, OptionalArray):
    register_view(_kind, lambda value: value.union._options)
