"""NumPy's arrays while they are traced: places that hold a value, and views, which are a place and how to look at it.

An array that was passed, or that NumPy made of others, can be written in many ways: ``a[i] = v``, ``a += b``, ``out=``,
a method. Each gives its place another value. A view (a slice, a transposed array, a row) reads what its place holds now
and writes to the place. So whatever shares memory in NumPy shares it here, while the graph stays free of writes.
"""

from __future__ import annotations

import dis
import linecache
import operator
import sys
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np

from autograph import StagingError
from autograph.dispatch import register_tied, register_view, staged_in, staged_within
from autograph.operators.aliases import holders
from autograph.operators.calls import defined
from autograph.operators.definitions import listed
from autograph.operators.items import stands_in
from autograph.operators.lists import list_
from autograph.reading import is_a
from runtime.graph import errors
from runtime.graph.dtypes import NumPyArray, NumPyDType, as_dtype, int64, uint64
from runtime.graph.graph import Node, TensorType, Value
from runtime.graph.op import NUMPY
from runtime.graph.owner import Owner
from runtime.graph.shapes import TensorShape, compatible, is_known, pattern, show
from runtime.ops import elementwise as ew, indexing, shape as shape_ops
from runtime.tensors import conversion, mathematics, nest, parts, shaping
from runtime.tensors.bounds import may_be_outside
from runtime.tensors.frames import assigns_item, user_place, wants_class
from runtime.tensors.from_numpy import UFUNCS, FromNumpy, rank_of
from runtime.tensors.links import Aliases, Start, link, may_be, related, tied, write_others
from runtime.tensors.numbers import Range, Scalar, number, pythons
from runtime.tensors.operations import apply
from runtime.tensors.several import Arrays, OneOf, Several
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, Way, current, traces_around, ways

_ALWAYS_VIEWS = {shape_ops.transpose, shape_ops.expand_dims, shape_ops.squeeze, shape_ops.reverse, indexing.getitem}
_PERHAPS_VIEWS = {shape_ops.reshape, shape_ops.broadcast_to, shape_ops.diag}
ELEMENT = "an element of a list whose length the graph decides"  # which has a copy
_IS_SEQUENCE = 1 << 5  # of the flags of a class: patterns `[a, b]` ask its objects for their length


class Array(FromNumpy):
    """A place that holds an array of the graph; augmented assignments and NumPy's ways of writing change it."""

    __slots__ = (
        "aliases", "called", "depends_on_call", "doubt", "held", "layout", "returned", "start", "update", "writes",
    )  # fmt: skip
    _owner = Owner.ARRAY
    can_be_written = True

    def _kind(self) -> type:
        return np.ndarray

    def __init__(self, trace: Trace, value: Value) -> None:
        super().__init__(trace, value)
        self.called = value.hint
        self.writes = 0
        self.doubt = ""  # why nobody knows what it holds
        self.held = ""  # by what else, which would not see it written
        self.update = ""  # why others are not known, if it stands for an element of a list that is written in place
        self.depends_on_call = False  # does that depend on what the function is called with?
        self.layout: bool | None = None  # do its elements lie in C order, one after the other? None if nobody knows
        self.aliases: Aliases | None = None  # what it may be, or share memory with, and what may be it
        self.returned = False  # by a loop, and perhaps one that others have, too?
        self.start: Start | None = None  # if it is what a variable holds when an iteration of a loop begins

    def __copy__(self) -> Tensor:
        return np.copy(self)  # type: ignore[call-overload,no-any-return]

    @property
    def place(self) -> Array:
        return self

    def record_in(self, trace: Trace) -> Value:
        place = self.place
        if place.doubt:
            raise StagingError(place.doubt)
        if place.aliases is not None:
            trace.root.met.append((weakref.ref(place), trace))
        return super().record_in(trace)

    def _become(self, other: object) -> None:
        """Be written."""
        self.check_held()
        if (trace := current()) is not None and trace is not self.traced_in:
            trace.reach(self.traced_in)
        self._hold(other)
        self._is_written()

    def check_held(self) -> None:
        """Raise StagingError if something else holds it, or has a copy, that would not see it written."""
        if self.held:
            ways.takes(Way.STATE)  # in which an array that the program keeps is the graph's
            raise self._refused(
                f"way to be written by this name, as it is {self.held}, and cannot be written there",
                "make that a copy (a.copy()), or assign a new array (a = a + b) instead",
            )

    def _is_written(self) -> None:
        """Note that it is: what others hold that may be it is not known any more."""
        self.writes += 1
        if current() is not None:
            current().root.writes = True  # type: ignore[union-attr]
        for other in write_others(self):
            other.doubt = other.doubt or _in_doubt(other.called)

    def is_unsure(self) -> bool:
        """Whether it may be another array, or share memory with one."""
        above = self.aliases.above if self.aliases is not None else ()
        return any(type(known.above.place) is not Memory for known in above)

    def is_alone(self) -> bool:
        """Whether no name that is left can be its, but that of who asks."""
        if self.held or (self.aliases is not None and self.aliases.below):
            return False
        others = [place for place in may_be(self) if place is not self]
        return not any(self.traced_in.is_within(p.traced_in) and not p._is_seen_once() for p in others)

    def _is_seen_once(self) -> bool:
        """Whether it stands for an array of NumPy's that no variable but one may hold."""
        return type(self) is Memory and self.aliases is not None and len(self.aliases.below) == 1

    def _hold(self, other: Any) -> None:
        self.traced_in, self.value = other.traced_in, other.value
        if type(other) is SymbolicTensor:
            self._content = other  # so that it is seen to be the same until it is written

    def _learn(self, shape: TensorShape) -> None:
        if self.place is self and self.aliases is None:  # others are read through what holds them
            super()._learn(shape)

    def placed(self, other: Any) -> Any:
        """What its place holds once it holds, or shows, something."""
        return other

    def _unlike(self, other: object, differs: bool) -> object:
        """As NumPy says, of each element."""
        compares = type(other).__eq__ is not object.__eq__ and type(other).__module__ != "builtins"
        if (compares and not stands_in(other)) or is_a(other, (list, tuple, Tensor)):
            raise self._no_comparison(other)
        if is_known(self.type.shape):
            return np.full(self.type.shape, differs)  # type: ignore[arg-type]
        return arrayed(shaping.broadcast_to(conversion.constant(differs), shaping.shape(self)), [self])

    # Writing.

    def __setitem__(self, index: Any, value: Any) -> None:
        frame = sys._getframe(1)
        line = _line(frame.f_code.co_filename, frame.f_lineno)
        shuffles = frame.f_code.co_name == "shuffle" and frame.f_globals.get("__name__") == "random"
        if shuffles or ("shuffle(" in line and not assigns_item(frame)):
            raise StagingError(
                f"{line!r} would shuffle once, while tracing. Use runtime.random, or shuffle before the call."
            )
        if isinstance(value, Arrays):
            value.distribute(lambda one: self.__setitem__(index, one))
            return
        attributes, inputs = conversion.index_parts(index)
        may_be_outside(self, attributes, inputs)
        chosen = any(rank_of(one) != 0 for one in inputs)
        if isinstance(value, Several):  # each goes in as it would by itself
            value = value.distribute(lambda one: conversion.cast(self._element_of(one, chosen), self.type.dtype))
        super().__setitem__(index, self._element_of(value, chosen))

    def _element_of(self, value: Any, chosen: bool) -> Any:
        """What an element becomes that a number is assigned to: an array of whole numbers holds what Python's int()
        makes of it, and the number has to fit. Whole numbers of NumPy's wrap where an array has `chosen` elements."""
        kind, symbolic = self.type.dtype, isinstance(value, Scalar)
        is_complex = type(value) is complex or (symbolic and value.python and value.type.dtype.is_complex)
        if is_complex and (kind.is_integer or kind.is_floating):
            conversion.assigned(1j, kind)  # NumPy has a TypeError for it
        if not kind.is_integer or not (symbolic or is_a(value, (np.generic, float, complex))):
            return value
        if not symbolic:
            return conversion.assigned(np.asarray(value) if chosen and is_a(value, np.integer) else value, kind)[()]
        mine = value.type
        if not mine.weak and (kind.dtype.kind == "u" or (chosen and mine.dtype.is_integer)):
            return value  # NumPy lets its own numbers wrap
        if mine.dtype.is_bool or np.can_cast(mine.dtype.dtype, kind.dtype):
            return value
        if mine.dtype.is_integer and mine.dtype != uint64:
            return apply(ew.cast, value, dtype=int64, weak=True)
        return apply(ew.python_int, apply(ew.real, value) if mine.dtype.is_complex else value)

    def assign(self, ufunc: object, value: object, operands: Sequence[object], broadcasts: bool = True) -> None:
        """Have all of it hold what a ufunc or function makes of operands, as an array does that is its ``out=``.

        Raises what NumPy raises where dtype or shape do not fit; a result `broadcasts` only where a ufunc makes it.
        """
        kind, tensor = self.dtype.dtype, conversion.operand(value)
        made = tensor.dtype.dtype if not tensor.type.weak else kind
        if not np.can_cast(made, kind, "same_kind"):
            _refused_cast(ufunc, made, kind)
        mine, dims = self.type.shape, tensor.type.shape
        tensor = conversion.of_dtype(tensor, as_dtype(kind))
        if not broadcasts and not compatible(pattern(mine), pattern(dims)):
            raise ValueError(f"output array has shape {show(mine)}, and the result has shape {show(dims)}")
        if mine is not None and mine == dims and None not in mine:
            self._become(tensor if isinstance(tensor, SymbolicTensor) else apply(shape_ops.identity, tensor))
        elif is_known(mine) and is_known(dims):
            grown = np.broadcast_shapes(mine, dims)
            if grown != mine:
                raise _does_not_fit(mine, grown)
            self._become(shaping.broadcast_to(tensor, grown))
        elif mine is not None and dims is not None and len(dims) > len(mine):
            raise _does_not_fit(mine, dims)
        elif any(o is self for o in operands) and all(o is self or rank_of(o) == 0 for o in operands):
            self._become(tensor)
        else:
            self._become(self._filled(tensor))

    def _filled(self, tensor: Tensor) -> Tensor:
        """What it holds when all of it is written with what surely has no more dimensions, and fits."""
        return apply(indexing.setitem, self, tensor, index=(Ellipsis,), how="set")

    def _update(self, name: str, ufunc: Any, other: object) -> Array:
        if isinstance(other, OneOf):
            update = getattr(operator, f"__i{name[2:]}")  # raises what Python raises where one of them does not fit
            other.distribute(lambda one: (update(self, one), None)[1])
            return self
        if isinstance(other, list | tuple):
            other = _as_operand(other)
        result = getattr(Tensor, name)(self, other)
        if result is NotImplemented:
            return NotImplemented
        if self.place.held is ELEMENT and _goes_into_item(sys._getframe(2)):
            self._writes_element()
            made = fresh(self)  # items[i] += 1
            made.assign(ufunc, result, (self, other))
            made.update = _in_doubt(self.place.called)
            for place in related(self.place):
                place.doubt = place.doubt or made.update
            return made
        if isinstance(other, bool | int | float | complex) and not isinstance(other, np.generic):
            ufunc(np.empty(0, self.dtype.dtype), other, out=np.empty(0, self.dtype.dtype))  # raises what NumPy raises
        self.assign(ufunc, result, (self, other))
        return self

    def _writes_element(self) -> None:
        """Note that the element of a list is written in place: what other names hold that it may be is not known."""
        trace = current()
        assert trace is not None
        if trace.root.copied:
            raise self._refused(
                f"way to be written by this name, as it is {self.place.held}, and perhaps of another, or there twice",
                "assign a new array (items[i] = items[i] + b)",
            )
        for array in trace.arrays_put():
            for name, _ in holders(array, "", lambda a, b: is_a(a, np.ndarray) and np.may_share_memory(a, b)):
                raise self._refused(
                    f"way to be written by this name, as it is {ELEMENT}, and perhaps the array that '{name}' holds",
                    "assign a new array (items[i] = items[i] + b)",
                )
        trace.root.written.append(trace)
        for other in elements_known():
            if other is not self.place:
                other.doubt = other.doubt or _in_doubt(other.called)

    def __array_ufunc__(self, ufunc: object, method: str, *inputs: object, **kwargs: object) -> object:
        target = inputs[0]
        row = NUMPY.get(ufunc)
        if method != "at" or row not in indexing.HOW or len(inputs) != 3 or not is_a(target, Array):
            return super().__array_ufunc__(ufunc, method, *inputs, **kwargs)
        if target is not self:  # NumPy asks the views among them first
            return target.__array_ufunc__(ufunc, method, *inputs, **kwargs)  # type: ignore[attr-defined]
        index, value = inputs[1:]
        plain = not is_a(value, Tensor) and not staged_in(nest.flatten(value))
        value = conversion.operand(np.asarray(value) if plain else value)
        kinds = ufunc.resolve_dtypes((self.dtype.dtype, value.dtype.dtype, None))  # type: ignore[attr-defined]
        if kinds[0] != kinds[1] or (row is ew.power and kinds[0].kind in "iu"):  # NumPy refuses a negative exponent
            return super().__array_ufunc__(ufunc, method, *inputs, **kwargs)
        parts, given = conversion.index_parts(index)
        may_be_outside(self, parts, given, 0)
        part = conversion.cast(value, as_dtype(kinds[1]))
        self._become(apply(indexing.setitem, self, part, *given, index=parts, how=indexing.HOW[row]))
        return None

    def astype(
        self, dtype: object, order: str = "K", casting: str = "unsafe", subok: bool = True, copy: bool = True
    ) -> Any:
        made = super().astype(dtype, order, casting, subok, copy)
        return fresh(self) if made is self and copy else made

    def fill(self, value: object) -> None:
        self[...] = value

    def sort(self, axis: int = -1, kind: object = None, order: object = None, *, stable: object = None) -> None:
        self._become(parts.sort(self, axis))

    def put(self, indices: object, values: object, mode: str = "raise") -> None:
        if mode != "raise":
            raise self._refused(f"put(…, mode={mode!r})", "write a.flat[indices] = values")
        if isinstance(values, list | tuple) and not staged_within(values):
            values = np.array(values, self.dtype.dtype)  # raises for what the dtype does not hold
        flat, index = self.flat, indices if not isinstance(indices, list | tuple) else np.asarray(indices)
        may_be_outside(flat, *conversion.index_parts(index), 0)
        flat[index] = values

    def partition(self, kth: object, axis: int = -1, kind: str = "introselect", order: object = None) -> None:
        self._become(np.partition(self, kth, axis, kind))  # type: ignore[call-overload]

    def item(self, *index: object) -> Any:
        place = index[0] if len(index) == 1 and type(index[0]) is tuple else index
        if not index:
            found = apply(shape_ops.reshape, self, shape=())
        else:
            array = self if len(place) > 1 or rank_of(self) == 1 else self.flat
            may_be_outside(array, *conversion.index_parts(place), 0)
            found = array[place]
        if rank_of(found) != 0:
            raise ValueError("incorrect number of indices for array")
        return pythons(found)

    def tolist(self) -> Any:
        dims = self.type.shape
        if dims is None:
            raise self._refused("tolist() where the graph alone knows its dimensions", "write [v for v in a]")
        if dims and not isinstance(dims[0], int):
            return defined(listed)(self)
        if not dims:
            return self.item()
        if len(dims) > 1:
            return list_([row.tolist() for row in self])
        return list_([self.item(i) for i in range(dims[0])])  # type: ignore[arg-type]

    def resize(self, *_: object, **__: object) -> None:
        raise self._refused("resize()", "write a = np.resize(a, shape) or a = np.concatenate(...)")

    def byteswap(self, *_: object, **__: object) -> None:
        raise self._refused("byteswap()", "do it before the call")

    def setfield(self, *_: object, **__: object) -> None:
        raise self._refused("setfield()", "write a[...] = value")

    def itemset(self, *_: object) -> None:
        raise self._refused("itemset()", "write a[i] = value")

    def setflags(self, *_: object, **__: object) -> None:
        raise self._refused("setflags()", "do it before the call")

    def view(self, *_: object, **__: object) -> None:
        raise self._refused("view()", "use astype(), or a slice a[...]")

    def _refused(self, what: str, instead: str) -> StagingError:
        where = user_place()
        line = f"\n  {where.filename}:{where.line}" if where is not None else ""
        return StagingError(f"'{self.place.called}' is an array of the graph, which has no {what}: {instead}.{line}")

    @property
    def shape(self) -> Any:
        return self._shape_for(sys._getframe(1))

    @shape.setter
    def shape(self, shape: object) -> None:
        raise self._refused("shape that can be assigned", f"write a = a.reshape({shape})")

    @property
    def dtype(self) -> Any:
        return self._dtype_for(sys._getframe(1))

    @dtype.setter
    def dtype(self, dtype: object) -> None:
        raise self._refused("dtype that can be assigned", "write a = a.astype(dtype)")

    @property
    def flat(self) -> Any:
        return Flat(self.place, [*self.steps, (shape_ops.reshape, (), {"shape": (-1,)})])

    @flat.setter
    def flat(self, value: object) -> None:
        self.flat[...] = value

    @property
    def real(self) -> object:
        return self if not self.dtype.is_complex else linked(mathematics.real(self), self, beside=True)

    @real.setter
    def real(self, value: object) -> None:
        self[...] = self._of_parts(value, self.imag) if self.dtype.is_complex else value

    def _of_parts(self, real: Any, imag: Any) -> object:
        """The complex numbers of these parts, in the dtype of the array."""
        kind = self.dtype.real_dtype
        real, imag = (conversion.cast(conversion.operand(part), kind) for part in (real, imag))
        return mathematics.complex(real, imag)

    @property
    def imag(self) -> object:
        return linked(mathematics.imag(self), self, beside=True)

    @imag.setter
    def imag(self, value: object) -> None:
        if not self.dtype.is_complex:
            raise TypeError("array does not have imaginary part to set")
        self[...] = self._of_parts(self.real, value)

    # Reading.

    steps: Sequence[Any] = ()

    def given(self) -> list[SymbolicTensor]:
        """The tensors that a view was made with."""
        return []

    def __getitem__(self, index: Any) -> Any:
        parts, given = conversion.index_parts(index)
        may_be_outside(self, parts, given)
        tensor = apply(indexing.getitem, self, *given, index=parts)
        if rank_of(tensor) == 0 and any(part is Ellipsis for part in parts):
            return seen_through(tensor, self)
        if rank_of(tensor) == 0:
            known = super().__getitem__(index) if not given else tensor
            return _scalar(known, [self]) if isinstance(known, SymbolicTensor) else known
        if any(rank_of(g) != 0 or g.dtype.is_bool for g in given):
            return fresh(tensor)
        return seen_through(tensor, self)

    def __iter__(self) -> Iterator[Any]:
        return super().__iter__()

    def __pos__(self) -> Any:
        return fresh(self)

    @property
    def T(self) -> Any:
        return self if rank_of(self) == 0 else arrayed(super().T, [self])

    @property
    def mT(self) -> Any:
        if rank_of(self) in (0, 1):
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self.swapaxes(-1, -2)  # type: ignore[operator]

    def flatten(self, order: str = "C") -> object:
        return fresh(shaping.reshape(shaping.transpose(self) if in_order(self, order) == "F" else self, [-1]))


def _augmented(name: str, ufunc: object) -> Callable[[Any, object], object]:
    return lambda self, other: self._update(f"__{name}__", ufunc, other)


def write_through(kind: object) -> None:
    """Have augmented assignments to values of a class write to the array: each comes to `_update`."""
    for name, ufunc in UFUNCS.items():
        setattr(kind, f"__i{name}__", _augmented(name, ufunc))


write_through(Array)


if np.ndarray.__flags__ & _IS_SEQUENCE:  # since NumPy 2.5
    Sequence.register(Array)


class Memory(Array):
    """An array of NumPy's, which nobody writes, among those that another may be."""

    __slots__ = ()
    can_be_written = False


class Perhaps(Array):
    """An array or a number: an augmented assignment writes to the one, and makes another of the other."""

    __slots__ = ()

    def _kind(self) -> type:
        if not wants_class(sys._getframe(2)):
            return type(self)
        raise self.of_either_class()

    def of_either_class(self) -> errors.UnknownRankError:
        return errors.UnknownRankError(
            f"whether {self} is a number or an array is known only in the graph, so that isinstance() cannot tell. "
            "Tell the number of its dimensions: runtime.ensure_shape(x, [None])."
        )

    def _update(self, name: str, ufunc: object, other: object) -> Any:
        result = getattr(FromNumpy, name)(self, other)
        if result is NotImplemented:
            return result
        if result.dtype != self.dtype:
            raise errors.UnknownRankError(
                f"whether {self} is a number, which becomes {result.dtype.name} here, or an array, which cannot, is "
                "known only in the graph. Assign what the operator gives (a = a + b), or convert the operand first."
            )
        self._is_written()
        self.doubt = self.doubt or _in_doubt(self.called)
        return result


class View(Array):
    """A place as it is seen through operations."""

    __slots__ = ("_seen", "steps", "whole")

    def __init__(self, place: Array, steps: Sequence[tuple[object, tuple[object, ...], dict[str, object]]]) -> None:
        self.whole, self.steps = place, steps
        self._content = None
        self._seen: tuple[object, Trace, Value] | None = None

    @property
    def place(self) -> Array:
        return self.whole

    @property
    def writes(self) -> int:  # type: ignore[override]
        return self.whole.writes

    @property
    def depends_on_call(self) -> bool:  # type: ignore[override]
        return self.whole.depends_on_call

    @property
    def layout(self) -> bool | None:  # type: ignore[override]
        layout, rank = self.whole.layout, rank_of(self.whole)
        for op, _, attributes in self.steps:
            layout, rank = _layout_after(op, attributes, layout, rank), None
        return layout

    @property
    def type(self) -> TensorType:
        if self._seen is None:
            return super().type
        assert isinstance(self._seen[2].type, TensorType)
        return self._seen[2].type

    @property
    def traced_in(self) -> Trace:  # type: ignore[override]
        return self._now()[1]

    @property
    def value(self) -> Value:  # type: ignore[override]
        return self._now()[2]

    def _now(self) -> tuple[object, Trace, Value]:
        """What it shows of what the place holds now."""
        held, seen, here = self.whole.value, self._seen, current()
        is_known = seen is not None and seen[2] not in seen[1].gone
        if seen is not None and is_known and (here is None or (seen[0] is held and here.is_within(seen[1]))):
            return seen
        shown = self._through(len(self.steps))
        self._seen = (held, shown.traced_in, shown.value)
        return self._seen

    def _filled(self, tensor: Tensor) -> Tensor:
        known = self.type.shape is not None and tensor.type.shape is not None
        if known and self.steps[-1][0] is indexing.getitem:
            return tensor  # to write a part of an array stretches it
        return super()._filled(tensor)

    def given(self) -> list[SymbolicTensor]:
        return [other for _, others, _ in self.steps for other in others if isinstance(other, SymbolicTensor)]

    def of(self, array: Array) -> View:
        """What the same operations make of another array, which may be a view itself."""
        before = array.steps if isinstance(array, View) else ()
        return type(self)(array.place, [*before, *self.steps])

    def given_again(self, known: Callable[[object], object]) -> View:
        """The same view, made with what these are known as elsewhere."""
        steps = [(op, tuple(map(known, others)), attributes) for op, others, attributes in self.steps]
        made = type(self)(self.whole, steps)
        made._seen = self._seen
        return made

    def showing(self, content: object) -> object:
        """What it shows of what its place may hold."""
        return self._through(len(self.steps), content)

    def _through(self, count: int, content: object = None) -> Any:
        shown: Any = self.whole.content if content is None else content
        for op, others, attributes in self.steps[:count]:
            if op is shape_ops.reshape and attributes["shape"] == (-1,):
                shown = shaping.reshape(shown, [-1])
            else:
                shown = apply(op, shown, *others, **attributes)
        return shown

    def _become(self, other: object) -> None:
        """Write through it."""
        self.whole._become(self.placed(other))

    def _hold(self, other: object) -> None:
        self.whole._hold(self.placed(other))

    def placed(self, other: Any) -> Any:
        for step in reversed(range(len(self.steps))):
            op, others, attributes = self.steps[step]
            around = self._through(step)
            if op is indexing.getitem:
                other = apply(indexing.setitem, around, other, *others, **{**attributes, "how": "set"})
            elif op is shape_ops.transpose:
                axes = attributes["axes"]
                back = None if axes is None else tuple(int(a) for a in np.argsort(axes))
                other = apply(shape_ops.transpose, other, axes=back)
            elif op is shape_ops.reverse:
                other = apply(op, other, **attributes)
            else:
                other = shaping.reshape(other, shaping.shape(around))
        return other


class Flat(View):
    """`a.flat`: the elements of an array one after another. Its parts are copies, and what is assigned to one is
    repeated, or cut. NumPy's functions take it for the array that it shows, or a copy that nobody can write."""

    __slots__ = ()

    def _kind(self) -> type:
        return np.flatiter

    def __getitem__(self, index: Any) -> Any:
        found = super().__getitem__(index)
        return fresh(found) if isinstance(found, Array) else found

    def __setitem__(self, index: Any, value: Any) -> None:
        super().__setitem__(index, self._fitting(self[index], value) if rank_of(value) != 0 else value)

    def _fitting(self, part: Any, value: Any) -> object:
        """What is written into a part for these values."""
        if rank_of(part) == 0:
            raise ValueError("Error setting single item of array.")
        values: Any = fresh(apply(shape_ops.reshape, _as_operand(value), shape=(-1,)))
        if isinstance(value, Array) and value.place is self.place:
            raise self._refused("way to take its own elements through a.flat, as they change meanwhile", "copy them")
        is_known = type(values.size) is int
        if is_known and values.size == 0:
            return part
        if is_known and type(part.size) is int and values.size == part.size:
            return values
        repeated = np.resize(values, part.size)
        return repeated if is_known else np.where(values.size > 0, repeated, part)


def _as_operand(value: object) -> Tensor:
    """Values, in lists perhaps, as NumPy makes an array of them."""
    return conversion.operand(value if staged_in(nest.flatten(value)) else np.asarray(value))


register_view(View, lambda view: (view.whole,))
register_view(Flat, lambda view: (view.whole,))
register_view(np.flatiter, lambda flat: (flat.base,))
register_tied(Array, tied)


def owned(value: object, owner: Owner) -> object:
    """A tensor of the graph as what it is to the program."""
    if owner is Owner.TENSOR or not isinstance(value, SymbolicTensor):
        return value
    if owner is Owner.ARRAY:
        return Array(value.traced_in, value.value)
    if owner is Owner.RANGE:
        return Range(value.traced_in, value.value)
    return Scalar(value.traced_in, value.value, python=owner in (Owner.PYTHON, Owner.NOBODY))


def as_it_is(table: NumPyArray) -> Array:
    """An array that only Python has as the graph reads it, which cannot write it: a constant, of which there is one as
    long as the array holds the same."""
    traces = traces_around(current())
    for trace in traces:
        known = trace.tables.get(id(table))
        if known is None or known[0] is not table or known[2] in trace.gone:
            continue
        if known[1].tobytes() == table.tobytes():
            array = Array(trace, known[2])
            break
    else:
        copy = table.copy()
        constant = apply(shape_ops.constant, value=copy, dtype=as_dtype(table.dtype))
        traces[0].tables[id(table)] = table, copy, constant.value
        array = Array(constant.traced_in, constant.value)
    array.held = "part of an array that only Python has"
    return array


def table_of(array: Array) -> NumPyArray | None:
    """The array that only Python has which one is as the graph reads it."""
    tables = (row for trace in traces_around(current()) for row in trace.tables.values())
    return next((table for table, _, value in tables if value is array.value), None)


def arrayed(result: Any, operands: Sequence[object], made: Owner | None = None) -> Any:
    """What NumPy makes of arrays: an array of its own, or a view of one of them; numbers stay values.

    made: what makes it, where there are no dimensions, if an operator does not: an array, or a number of NumPy's or of
      Python's.
    """
    if made is Owner.PYTHON and isinstance(result, SymbolicTensor):
        return number(apply(ew.widen, result) if result.type.dtype.is_integer else result)
    if type(result) in (list, tuple):
        return type(result)([arrayed(part, operands) for part in result])
    if isinstance(result, tuple) and hasattr(result, "_fields"):
        return type(result)(*(arrayed(part, operands) for part in result))
    if made is Owner.ARRAY and type(result) is SymbolicTensor and rank_of(result) == 0:
        return fresh(result)
    if not isinstance(result, SymbolicTensor) or isinstance(result, FromNumpy):
        return result
    operands = [o.itself if isinstance(o, FromNumpy) else o for o in nest.flatten(list(operands))]
    if rank_of(result) == 0:
        return _scalar(result, operands, made is Owner.NUMPY)
    arrays = []
    for operand in operands:
        if isinstance(operand, Array):
            arrays.append(operand)
        elif isinstance(operand, Tensor) and not isinstance(operand, FromNumpy) and rank_of(operand) != 0:
            return result  # with a tensor it is a tensor
    for array in arrays:
        view = seen_through(result, array)
        if type(view) is not Array or view.place.is_unsure():
            return view
    numpys = all(isinstance(o, FromNumpy) for o in operands if isinstance(o, Tensor))
    if not arrays and not (numpys and type(result) is SymbolicTensor):
        return result
    array = _made(result)
    node = _maker(result.traced_in, result.value) if all(a.layout for a in arrays) else None
    if node is not None and (node.op.keeps_weak or node.op is ew.cast):  # element by element, in the order of these
        array.layout, array.depends_on_call = True, any(a.depends_on_call for a in arrays)
    return array


# What NumPy's functions and methods give of arrays: what is not told of here is an array of its own.
_VIEWS = frozenset(
    "array_split atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to diag diff dsplit expand_dims flip "
    "fliplr flipud hsplit ix_ matrix_power matrix_transpose moveaxis permute_dims reshape rollaxis rot90 split "
    "squeeze swapaxes transpose trim_zeros unstack vsplit asarray asanyarray asarray_chkfinite".split()
)
_IN_ORDER = frozenset(("ravel", "ascontiguousarray"))  # views where elements lie in C order, and copies elsewhere
_PARTS = frozenset(("real", "imag"))  # views, which have another dtype
_COPIES = frozenset(("array", "copy"))  # but of `a.flat`
_OF_FLAT = _VIEWS | _IN_ORDER | _COPIES | {"asfortranarray", "real"}
_PERHAPS = _PARTS | {"asfortranarray"}  # either, as they lie in memory
_READ_ONLY = frozenset(("diagonal", "sliding_window_view"))  # of what the function was given
_UNLESS_TOLD = frozenset(("array", "meshgrid", "astype"))  # copies, but for `copy`
_NO_DIMENSIONS = frozenset(("reshape", "squeeze", "transpose"))
_SAME = frozenset(("conj", "conjugate"))  # methods: of numbers without an imaginary part the array itself


def made_by(
    name: str, result: Any, operands: Sequence[object], made: Owner | None = None,
    options: Mapping[str, object] = {}, is_method: bool = False,
) -> Any:  # fmt: skip
    """What a function or method of NumPy's makes of arrays, whose memory it may share."""
    arrays: list[Any] = [o.itself for o in nest.flatten(list(operands)) if isinstance(o, Array)]
    if not arrays:
        return arrayed(result, operands, made)
    if is_method and name in _SAME and not arrays[0].type.dtype.is_complex:
        return arrays[0]
    order = str(options.get("order") or "C")
    if name in _COPIES and not is_method and type(operands[0]) is Flat and result.type == operands[0].type:
        result = operands[0]
    perhaps = name in _PERHAPS or (name in _UNLESS_TOLD and not options.get("copy", True)) or order not in "CK"
    perhaps = perhaps or (name == "einsum" and _sums_nothing(operands))

    def kept(part: object) -> object:
        if not isinstance(part, Array):
            return part
        shown = next((a for a in arrays if a.place is part.place), None)
        if name == "reshape" and options.get("copy"):
            return fresh(part)
        flat = shown if type(shown) is Flat and not is_method and name in _OF_FLAT else None
        if flat is not None and lies_in_order(flat):
            return View(part.whole, part.steps) if type(part) is Flat else part
        if flat is not None or name in _READ_ONLY or (name == "diag" and rank_of(arrays[0]) != 1):
            part = linked(fresh(part), *arrays, beside=True)
            part.held = _READ
        elif perhaps and (name in _PARTS or any(a.dtype == part.dtype for a in arrays)):
            return linked(fresh(part), *arrays, beside=True)
        elif name in _IN_ORDER or (name in _VIEWS and "order" in options and name != "reshape"):
            layout = lies_in_order(arrays[0]) if shown is not None or part.place.is_unsure() else True
            if not layout:
                return fresh(part) if layout is False else linked(fresh(part), arrays[0], beside=True)
        elif name not in _VIEWS and (shown is not None or part.place.is_unsure()):
            return fresh(part)
        return part

    if name in _NO_DIMENSIONS and isinstance(result, SymbolicTensor) and rank_of(result) == 0:
        return kept(seen_through(result, arrays[0]))  # an array, and no number
    found = nest.map_structure(kept, arrayed(result, operands, Owner.ARRAY if is_method and name == "copy" else made))
    if is_method and name in ("copy", "flatten") and isinstance(found, Array) and order == "C":
        found.layout = True
    return found


_READ = "a view of another array, which NumPy lets nobody write"


def _sums_nothing(operands: Sequence[object]) -> bool:
    """Whether what einsum is given shows one array in another way."""
    if len(operands) != 2 or not isinstance(operands[0], str):
        return len(operands) == 3  # lists of the axes
    before, arrow, after = operands[0].replace(" ", "").partition("->")
    return {*before} == {*after} if arrow else len({*before}) == len(before)


FromNumpy._arrayed = staticmethod(arrayed)
FromNumpy._made_by = staticmethod(made_by)


def _made(result: SymbolicTensor) -> Array:
    """An array of its own; one of unknown rank may be a number."""
    return fresh(result) if rank_of(result) is not None else Perhaps(result.traced_in, result.value)


def fresh(tensor: Any) -> Array:
    """An array of its own that holds what a tensor does."""
    made = Array(tensor.traced_in, tensor.value)
    made.layout = True if rank_of(made) in (0, 1) else None
    return made


def lies_in_order(array: Array, decides: bool = False) -> bool | None:
    """Whether the elements of an array lie in C order, one after the other; None if nobody knows while tracing.

    It matters where something is written, or else if it `decides` about a result.
    """
    trace = current() if array.depends_on_call else None
    while trace is not None:
        trace.layouts.append(None if decides or not array.layout else array.place)
        trace.writes, trace = trace.writes or decides, trace.parent
    return array.layout


def in_order(x: Tensor, order: str) -> str:
    """In which order, C or F, the elements of an array are counted, given what a user says; tensors lie in C order."""
    if order not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got {order!r})")
    if order in "CF":
        return order if rank_of(x) != 1 else "C"
    if not isinstance(x, Array) or rank_of(x) in (0, 1) or lies_in_order(x, decides=True):
        return "C"
    raise x._refused(f"known order of elements, so that order={order!r} cannot be told", "write order='C' or order='F'")


def _scalar(result: SymbolicTensor, operands: Sequence[object], numpys: bool = False) -> SymbolicTensor:
    """A number is NumPy's unless a tensor took part, or Python's if only such numbers did, and it has no dtype yet, and
    not one of NumPy's functions (`numpys`)."""
    tensors = [o for o in operands if isinstance(o, Tensor)]
    if any(not isinstance(o, FromNumpy) and not o.type.weak for o in tensors):
        return result
    kind = result.type
    python = not numpys and (kind.weak or not (kind.dtype.is_integer or kind.dtype.is_floating))
    python = python and all(not isinstance(o, FromNumpy) or (isinstance(o, Scalar) and o.python) for o in tensors)
    return Scalar(result.traced_in, result.value, python and not any(isinstance(o, np.generic) for o in operands))


def _layout_after(op: object, attributes: Mapping[str, Any], layout: bool | None, rank: int | None) -> bool | None:
    """Whether what an operation that makes views shows lies in C order, if what it looks at does."""
    if not layout:
        return None
    if op is indexing.getitem:
        index = [part for part in attributes["index"] if part is not None]
        first = next((i for i, part in enumerate(index) if isinstance(part, slice) or part is Ellipsis), len(index))
        rest = index[first:]
        whole = all(part is Ellipsis or (isinstance(part, slice) and part == slice(None)) for part in rest[1:])
        leads = not rest or rest[0] is Ellipsis or rest[0].step in (None, 1)
        return True if whole and leads else None
    if op is shape_ops.transpose or op is shape_ops.reverse:
        return True if op is shape_ops.transpose and rank == 1 else None
    return True if op in (shape_ops.reshape, shape_ops.expand_dims, shape_ops.squeeze) else None


def seen_through(result: Any, array: Array) -> Array:
    """The result of an operation on an array: a view of it if the operation only looks at it in another way."""
    steps: list[Any] = []
    nodes: list[Node] = []
    value, trace = result.value, result.traced_in
    start = trace.known(array.value, array.traced_in)
    unsure = False
    while value is not start:
        node = _maker(trace, value)
        if node is None or (node.op not in _ALWAYS_VIEWS and node.op not in _PERHAPS_VIEWS):
            return _made(result)
        if node.op is indexing.getitem and any(v.type.shape != () or v.type.dtype.is_bool for v in node.inputs[1:]):
            return _made(result)
        unsure = unsure or (_known_rank(value) is None and _may_be_number(node))
        nodes.append(node)
        steps.append((node.op, tuple(SymbolicTensor(trace, v) for v in node.inputs[1:]), dict(node.attributes)))
        value = node.inputs[0]
    layout = array.layout
    for node in reversed(nodes):
        rank = _known_rank(node.inputs[0])
        if node.op is shape_ops.reshape and rank != 1:
            unsure = unsure or not lies_in_order(array) or not layout
        else:
            unsure = unsure or (node.op not in _ALWAYS_VIEWS and node.op is not shape_ops.reshape)
        layout = _layout_after(node.op, node.attributes, layout, rank)
    if unsure or not steps:
        return linked(_made(result), array, beside=True) if unsure else array
    view = View(array.place, [*array.steps, *reversed(steps)])
    view._seen = (array.place.value, result.traced_in, result.value)
    return view


def note_element(array: Array, name: str = "") -> None:
    """Know an array that a list of the graph has a copy of; so may another list, if it has another name."""
    trace = current()
    if trace is not None:
        known = [owner for link, _, owner in trace.root.arrays if link() is array]
        trace.root.copied |= any(name and owner and name != owner for owner in known)
        trace.root.put_twice |= any(not name or name != owner for owner in known)
        trace.root.arrays.append((weakref.ref(array), trace, name))


def elements_known() -> list[Array]:
    """The arrays that there are still, and of which lists of the graph have copies."""
    trace = current()
    arrays = [array for link, _, _ in trace.root.arrays if (array := link()) is not None] if trace is not None else []
    return [*{id(array): array for array in arrays}.values()]


@contextmanager
def before_update(value: object, arrays: Sequence[Array]) -> Iterator[None]:
    """What arrays held before an element of a list was written in place, which a value is put into the list for."""
    unknown = [a for a in arrays if isinstance(value, Array) and value.update and a.doubt is value.update]
    for array in unknown:
        array.doubt = ""
    try:
        yield
    finally:
        for array in unknown:
            array.doubt = value.update  # type: ignore[attr-defined]


def may_be_put_twice(array: Array) -> bool:
    """Whether what is done with an array here is done to the same one in each iteration of a loop."""
    return any(trace.repeats for place in may_be(array) for trace in _between(current(), place.traced_in))


def _between(inner: Trace | None, outer: Trace) -> Iterator[Trace]:
    while inner is not None and inner is not outer:
        yield inner
        inner = inner.parent


def check_related(places: Iterable[object], body: Trace) -> None:
    """Refuse to read in a part of a program that runs more than once an array that may be one of those that it writes:
    it would be read as it was before the first time."""
    for place in places:
        for other in related(place) if isinstance(place, Array) else ():
            if other.doubt and is_read(other, body):
                raise StagingError(other.doubt)


def is_read(place: Array, body: Trace) -> bool:
    """Whether an array that may be another is read in a trace, or in one that goes on inside it."""
    return any(link() is place and trace.is_within(body) for link, trace in body.root.met)


def check_elements(body: Trace) -> None:
    """Refuse to read in an iteration an array that the one before may have written as the element of a list."""
    if not any(trace.is_within(body) for trace in body.root.written):
        return
    for array in elements_known():
        if array.value in body.captures:  # which are values of what goes on around it
            raise StagingError(array.doubt or _in_doubt(array.called))


def _goes_into_item(frame: FrameType) -> bool:
    """Whether what an operator gives is assigned to an item: ``a[i] += b``."""
    codes = (dis.opname[code] for code in frame.f_code.co_code[frame.f_lasti + 2 :: 2])
    return next((name for name in codes if name not in ("CACHE", "SWAP")), "") == "STORE_SUBSCR"


def _may_be_number(node: Node) -> bool:
    """Whether a part of an array of unknown rank may be one of its numbers, which is no view."""
    return node.op is indexing.getitem and not all(
        part is None or part is Ellipsis or isinstance(part, slice) for part in node.attributes["index"]
    )


def whole(array: NumPyArray) -> NumPyArray:
    """The array that has the memory which another shows."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def linked(result: Any, *others: Array, beside: bool = False) -> Array:
    """A new array that may share memory with others: once one is written, what the others hold is not known. It may be
    one of them, or else is `beside` them."""
    made = result if type(result) in (Array, Perhaps) else Array(result.traced_in, result.value)
    for other in others:
        place = other.place
        if place is not made:
            made.held = made.held or place.held
            link(made, place, beside=beside)
    return made


def _in_doubt(name: str) -> str:
    where = user_place()
    line = "" if where is None else f"\n  {where.filename}:{where.line}: {_line(where.filename, where.line)}"
    return (
        f"it is not known what '{name}' holds: it may be, or share memory with, the array that is written in the line "
        "below, which depends on values, or on how the array lies in memory. Make one of them a copy (a.copy()), or "
        f"assign a new array (a = a + b) instead of writing.{line}"
    )


def _line(filename: str, number: int) -> str:
    return linecache.getline(filename, number).strip()


def _maker(trace: Trace, value: Value) -> Node | None:
    return next((node for node in reversed(trace.nodes) if value in node.outputs), None)


def _does_not_fit(mine: Sequence[object], grown: Sequence[object]) -> ValueError:
    a, b = (str(tuple(shape)).replace(" ", "") for shape in (mine, grown))
    return ValueError(f"non-broadcastable output operand with shape {a} doesn't match the broadcast shape {b}")


def _known_rank(value: Value) -> int | None:
    assert isinstance(value.type, TensorType)
    return None if value.type.shape is None else len(value.type.shape)


def _refused_cast(ufunc: Any, made: NumPyDType, kind: NumPyDType) -> None:
    """Raise what NumPy raises where a result does not fit the array that is to hold it."""
    arity = getattr(ufunc, "nin", 0)
    if arity:
        ufunc(*[np.empty(0 if ufunc is not np.matmul else (0, 0), made)] * arity, out=np.empty(0, kind))
    raise TypeError(f"Cannot cast output from {made!r} to {kind!r} with casting rule 'same_kind'")


nest.ATOMS.update((np.ndarray, Scalar, Range, Array, View, Flat))
