"""What the elements of datasets are made of: structures of tensors and of datasets, and their specs."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from autograph import StagingError, operators
from runtime.control.lists import TensorList
from runtime.functions.function import Function
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import DataLossError, InvalidArgumentError
from runtime.graph.graph import TensorType
from runtime.graph.shapes import TensorShape, join
from runtime.ops.indexing import bare
from runtime.ops.streams import HANDLE
from runtime.tensors import nest
from runtime.tensors.composite_specs import RaggedTensorSpec, closed, opened, with_axis
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.objects import Carried, Kind, object_of
from runtime.tensors.ragged_forms import ragged_stack
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.sparse_tensor import SparseTensor, sparse_row, sparse_stack
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from runtime.tensors.types import Structure

Spec = Any  # a nested structure of TensorSpecs and DatasetSpecs
Element = Any  # a nested structure of tensors and datasets


T = TypeVar("T")


class _OfElements(Kind):
    """What graphs have to know of something with elements: their spec."""

    stand_in: Callable[[SymbolicTensor, Spec], object]  # what it is in a trace, set where that is made

    def __init__(self, element_spec: Spec) -> None:
        self.spec, self.element_spec = opened(element_spec), closed(element_spec)

    def key(self) -> object:
        return type(self), key_of(self.spec)

    def staged(self, handle: SymbolicTensor) -> object:
        return type(self).stand_in(handle, self.spec)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OfElements) and self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.element_spec!r})"


class DatasetSpec(_OfElements):
    """What a function may expect of a dataset: the spec of its elements.

    Args:
      element_spec: a TensorSpec, of shape and dtype, or a nested structure of such.

    >>> tf.data.DatasetSpec(tf.TensorSpec([2], tf.int32))
    DatasetSpec(TensorSpec(shape=(2,), dtype=tf.int32, name=None))
    """


class IteratorSpec(_OfElements):
    """What a function may expect of an iterator over a dataset: the spec of its elements.

    Args:
      element_spec: a TensorSpec, of shape and dtype, or a nested structure of such.

    >>> tf.data.IteratorSpec(tf.TensorSpec([], tf.int64)) == tf.data.IteratorSpec(tf.TensorSpec([], tf.int64))
    True
    """


def key_of(spec: Spec) -> object:
    """What tells the spec of an element from others."""
    if isinstance(spec, TensorSpec):
        return TensorType(spec.dtype, spec.shape.dims)
    if nest.is_nested(spec):
        names = tuple(spec) if isinstance(spec, dict) else ()
        return type(spec), names, tuple(map(key_of, nest.parts(spec)))
    return spec.key() if isinstance(spec, Kind) else spec


def types_of(spec: Spec) -> list[TensorType]:
    """The types of an element's tensors, as a graph has them."""
    leaves = [leaf for leaf in nest.flatten(spec) if leaf is not None]
    return [TensorType(s.dtype, s.shape.dims) if isinstance(s, TensorSpec) else HANDLE for s in leaves]


def spec_of(element: Element) -> Spec:
    """The spec that one element has."""
    return nest.map_structure(_spec, element)


def _spec(leaf: Structure) -> object:
    if isinstance(leaf, Carried):
        return leaf.kind()
    return None if leaf is None else TensorSpec(leaf.shape, leaf.dtype)


def parts_of(element: Element) -> list[Any]:
    """The tensors, rows, sparse tensors and datasets of an element, or their specs, in order."""
    return nest.flatten(element, expanded=False)


def of_parts(element: Element, new: Iterator[object]) -> Element:
    """An element like this one with other parts."""
    if not nest.is_nested(element) or isinstance(element, Composite):
        return next(new)
    return nest.of_kind(element, [of_parts(part, new) for part in nest.parts(element)])


def common(a: Spec, b: Spec) -> Spec:
    """The spec that fits the elements of two datasets; raises TypeError where they are of different kinds."""
    if not nest.alike(a, b):
        raise TypeError(f"the elements are of different structure: {a} and {b}")

    def leaf(x: object, y: object) -> object:
        if x == y:
            return x
        if isinstance(x, TensorSpec) and isinstance(y, TensorSpec) and x.dtype == y.dtype:
            return TensorSpec(join(x.shape.dims, y.shape.dims), x.dtype)
        raise TypeError(f"the elements are of different types: {a} and {b}")

    return nest.map_structure(leaf, a, b)


def tensors(value: Structure) -> Element:
    """A structure of tensors; a list is one tensor."""
    if isinstance(value, tuple | dict):
        return nest.of_kind(value, [tensors(part) for part in nest.parts(value)])
    if isinstance(value, Tensor | Carried | Composite) or value is None:
        return value
    return convert_to_tensor([*value] if isinstance(value, TensorList) else value)


def arrays_of(element: Element) -> list[Any]:
    """The arrays of an element, and the datasets in it, in order."""
    return [t.array if isinstance(t, EagerTensor) else t for t in nest.flatten(element) if t is not None]


def element_of(spec: Spec, values: Sequence[object]) -> Element:
    """An element of arrays and datasets in order."""
    given = iter(values)

    def leaf(part: object) -> object:
        if part is None:
            return None
        value = next(given)
        return object_of(value) if isinstance(part, Kind) else EagerTensor.of(value)

    return nest.map_structure(leaf, spec)


def checked(value: Any, spec: Any) -> Any:
    """What a generator yielded, as a tensor of this spec."""
    if isinstance(spec, Kind):
        return value
    if isinstance(spec, Composite):
        if not closed(spec).is_compatible_with(value):
            raise TypeError(f"the generator yielded {value!r:.80}, expected {closed(spec)}")
        return value
    tensor = convert_to_tensor(value, spec.dtype)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(f"the generator yielded a value of shape {tensor.shape}, expected {spec.shape}")
    return tensor


def rows_of(value: Any) -> list[Any]:
    """The parts along the first axis."""
    if isinstance(value, SparseTensor):
        return [sparse_row(value, number) for number in range(int(value.dense_shape[0]))]
    if isinstance(value, RaggedTensor):
        return [*value]
    return [EagerTensor.of(part) for part in value.array]


def as_sparse(rows: Sequence[Tensor], shape: Sequence[int | None]) -> SparseTensor:
    """Tensors as the rows of a SparseTensor, with all of their elements."""
    largest = [max(row.shape[axis] for row in rows) for axis in range(len(shape))]
    size = [most if wanted is None else wanted for most, wanted in zip(largest, shape)]
    if any(row.shape.rank != len(size) for row in rows) or any(a > b for a, b in zip(largest, size)):
        raise DataLossError(f"sparse_batch() with row_shape={[*shape]}: an element is larger, {largest}")
    places = [(number, *place) for number, row in enumerate(rows) for place in np.ndindex(*row.shape)]
    values = np.concatenate([np.ravel(np.asarray(row)) for row in rows])
    return SparseTensor(np.reshape(np.array(places, np.int64), (-1, len(size) + 1)), values, [len(rows), *size])


def groups(items: Iterable[T], size: int, drop_remainder: bool) -> Iterator[list[T]]:
    """So many items at a time, and those that are left at the end unless they are dropped."""
    rest = iter(items)
    while group := list(itertools.islice(rest, size)):
        if len(group) == size or not drop_remainder:
            yield group


def stacked(rows: Sequence[Element], spec: Spec) -> Element:
    """Elements of one structure as one, with another axis, the first."""
    columns = zip(parts_of(spec), zip(*map(parts_of, rows)))
    return of_parts(rows[0], iter([_stack(part, column) for part, column in columns]))


def _stack(spec: Spec, column: Sequence[Structure]) -> object:
    if column[0] is None:
        return None
    if isinstance(spec, RaggedTensorSpec) or isinstance(column[0], RaggedTensor):
        splits = spec.row_splits_dtype if isinstance(spec, RaggedTensorSpec) else spec.row_splits.dtype
        return ragged_stack(column, splits)
    if isinstance(column[0], SparseTensor):
        return sparse_stack(column)
    if isinstance(column[0], Carried):
        raise TypeError("batch() stacks tensors; these elements hold datasets: make tensors of them with flat_map")
    try:
        return wrap(np.stack([t.array for t in column]))
    except ValueError:
        shapes = list(dict.fromkeys(str(t.shape) for t in column))
        raise InvalidArgumentError(
            f"batch() stacks elements of one shape; these have {', '.join(shapes)}. Use padded_batch."
        ) from None


def batched(spec: Spec, size: int | None) -> Spec:
    """The spec of so many elements stacked."""

    def leaf(one: Any) -> object:
        if isinstance(one, RaggedTensorSpec | RaggedTensor | SparseTensor):
            return with_axis(one, size)
        if not isinstance(one, TensorSpec):
            return one
        return TensorSpec(TensorShape([size]).concatenate(one.shape), one.dtype)

    return of_parts(spec, map(leaf, parts_of(spec)))


def padded(rows: Sequence[Element], shapes: Sequence[TensorShape], values: Sequence[object]) -> Element:
    """Elements as one, each tensor padded at its ends to a shape, or to the largest among them where that is open."""
    columns = zip(*map(nest.flatten, rows), strict=True)
    made = [_padded([t.array for t in c], s, v) for c, s, v in zip(columns, shapes, values, strict=True)]
    return nest.rebuild(rows[0], iter(made))


def _padded(arrays: Sequence[NumPyArray], shape: TensorShape, value: object) -> Tensor:
    rank = arrays[0].ndim
    dims = shape.dims if shape.dims is not None else (None,) * rank
    if any(a.ndim != rank for a in arrays) or len(dims) != rank:
        found = ", ".join(dict.fromkeys(str(a.shape) for a in arrays))
        raise InvalidArgumentError(f"padded_batch() to shape {shape}: elements have shapes {found}")
    size = tuple(max(a.shape[i] for a in arrays) if d is None else int(d) for i, d in enumerate(dims))
    for array in arrays:
        if any(n > m for n, m in zip(array.shape, size)):
            raise InvalidArgumentError(f"padded_batch() to shape {list(size)}: an element has shape {array.shape}")
    whole = np.full((len(arrays), *size), value, arrays[0].dtype)
    for number, array in enumerate(arrays):
        where: tuple[int | slice, ...] = (number, *map(slice, array.shape))
        whole[where] = bare(whole, array)
    return wrap(whole)


class Traced:
    """A function of elements, traced when it is made, as far as their spec says what they are.

    Args:
      function: takes an element (the parts of one that is a tuple are its arguments), after what `state` stands for.
      spec: that of the elements.
      state: specs of arguments that come first.
    """

    def __init__(self, function: Callable[..., object], spec: Spec, *state: Spec) -> None:
        self._several = not state and isinstance(spec, tuple) and not hasattr(spec, "_fields")
        self._function = Function(lambda *given: self.leaving(operators.call(function, *given)))
        concrete = self._function.get_concrete_function(*([*spec] if self._several else [*state, spec]))
        if concrete.borrowed:
            raise StagingError(
                f"the function given to a dataset uses {', '.join(map(repr, concrete.borrowed))} of the graph around "
                "it, which it cannot when its elements are made. Make it a part of the elements: zip the dataset with "
                "Dataset.from_tensors(...).repeat()."
            )
        self.spec = nest.map_structure(_spec, concrete.structured_outputs)

    def leaving(self, found: object) -> object:
        """What a result is on its way out of the graph; a list of results is a tuple, as TensorFlow has it."""
        return tensors(tuple(found) if type(found) is list else found)

    def __call__(self, *given: Element) -> Element:
        return self._function(*given[0]) if self._several else self._function(*given)


class _Noted(threading.local):
    def __init__(self) -> None:
        self.made: list[Traced] | None = None
        self.left: list[Traced] = []


_noted = _Noted()


@contextmanager
def noted(again: Sequence[Traced] = ()) -> Iterator[list[Traced]]:
    """Take note of the functions that are traced here; where the same is done `again`, they are taken as they are."""
    before = _noted.made, _noted.left
    found: list[Traced] = []
    _noted.made, _noted.left = found, list(again)
    try:
        yield found
    finally:
        _noted.made, _noted.left = before


def traced(function: Callable[..., object], spec: Spec, *state: Spec, kind: type[Traced] = Traced) -> Any:
    """A function of elements, traced."""
    if _noted.left:
        return _noted.left.pop(0)
    made = kind(function, spec, *state)
    if _noted.made is not None:
        _noted.made.append(made)
    return made


@dataclass(frozen=True)
class Rows:
    """Elements that are rows of arrays: any of them can be had, and many at once.

    places: makes the numbers of the rows in the order of the elements.
    fixed: whether they are the same each time.
    """

    spec: Spec
    arrays: Sequence[NumPyArray]
    places: Callable[[], Iterator[int]]
    fixed: bool = True

    def elements(self) -> Iterator[Element]:
        return (element_of(self.spec, [a[i] for a in self.arrays]) for i in self.places())

    def reordered(self, change: Callable[[Iterator[int]], Iterator[int]], fixed: bool = True) -> Rows:
        places = self.places
        return Rows(self.spec, self.arrays, lambda: change(places()), self.fixed and fixed)

    def batches(self, size: int, drop_remainder: bool) -> Iterator[Element]:
        """So many elements at a time."""
        spec = batched(self.spec, None)
        for chunk in groups(self.places(), size, drop_remainder):
            first, last = chunk[0], chunk[-1]
            in_order = last - first + 1 == len(chunk) and chunk == list(range(first, last + 1))
            where = slice(first, last + 1) if in_order else chunk
            yield element_of(spec, [a[where] for a in self.arrays])

    def whole(self, count: int) -> list[NumPyArray]:
        """All of the elements, as rows of arrays in their order."""
        order = np.fromiter(self.places(), np.int64, count)
        return [a if len(a) == count and (order == np.arange(count)).all() else a[order] for a in self.arrays]
