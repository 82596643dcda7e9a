"""Datasets: sequences of elements, made one by one as they are asked for."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from autograph import register_backend
from runtime.control.items import Items, Source
from runtime.control.lists import TensorList
from runtime.functions.function import Function
from runtime.graph.dtypes import as_dtype, int64
from runtime.graph.shapes import TensorShape
from runtime.staging.backend import BACKEND
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, Tensor, wrap
from runtime.tensors.trace import recording

__all__ = ["INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset"]

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


class Dataset(Source):
    """Elements, each a tensor or a nested structure of tensors, that can be gone through any number of times.

    In a traced function a ``for`` over a dataset is a loop of the graph, over the elements that the dataset has while
    the function is traced; they must be of one shape.
    """

    def __init__(self, make: Callable[[], Iterator[Any]], count: int = UNKNOWN_CARDINALITY, spec: Any = None) -> None:
        self._make, self._count, self._spec = make, count, spec

    def __iter__(self) -> Iterator[Any]:
        iterator = self._make()
        while True:
            with recording(None):
                try:
                    element = next(iterator)
                except StopIteration:
                    return
            yield element

    def __len__(self) -> int:
        if self._count < 0:
            kind = "infinite" if self._count == INFINITE_CARDINALITY else "unknown"
            raise TypeError(f"the length of this dataset is {kind}")
        return self._count

    def cardinality(self) -> Any:
        """The number of elements, an int64 scalar; -1 if there is no end, -2 if it is unknown."""
        return EagerTensor.of(np.int64(self._count))

    @property
    def element_spec(self) -> Any:
        """A TensorSpec for each tensor of an element."""
        if self._spec is not None:
            return self._spec
        first = next(iter(self), None)
        if first is None:
            raise ValueError("an empty dataset does not tell what its elements are")
        return nest.map_structure(lambda t: TensorSpec(t.shape, t.dtype), first)

    def as_numpy_iterator(self) -> Iterator[Any]:
        """The elements as NumPy arrays."""
        return (nest.map_structure(lambda t: t.numpy(), element) for element in self)

    # Sources.

    @staticmethod
    def from_tensor_slices(tensors: Any, name: str | None = None) -> Dataset:
        """One element for each index of the first axis of the tensors, which must be of one length there."""
        whole = _tensors(tensors)
        counts = {len(t) for t in nest.flatten(whole)}
        if len(counts) != 1:
            raise ValueError(f"the tensors have different lengths along their first axis: {sorted(counts)}")
        (count,) = counts

        def make() -> Iterator[Any]:
            return (nest.map_structure(operator.itemgetter(i), whole) for i in range(count))

        return Dataset(make, count, nest.map_structure(lambda t: TensorSpec(t.shape[1:], t.dtype), whole))

    @staticmethod
    def from_tensors(tensors: Any, name: str | None = None) -> Dataset:
        """One element: these tensors."""
        whole = _tensors(tensors)
        return Dataset(lambda: iter([whole]), 1)

    @staticmethod
    def range(*args: int, output_type: Any = int64, name: str | None = None) -> Dataset:
        """The numbers of Python's ``range``, int64 by default."""
        numbers = range(*(int(a) for a in args))
        dtype = as_dtype(output_type)

        def make() -> Iterator[Any]:
            return (EagerTensor.of(dtype.dtype.type(n)) for n in numbers)

        return Dataset(make, len(numbers), TensorSpec((), dtype))

    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[Any]],
        output_types: Any = None,
        output_shapes: Any = None,
        args: Any = (),
        output_signature: Any = None,
        name: str | None = None,
    ) -> Dataset:
        """What ``generator(*args)`` yields, as tensors of the given types.

        Args:
          generator: called anew each time the dataset is gone through.
          output_types, output_shapes: nested structures of dtypes and shapes; or
          output_signature: a nested structure of TensorSpecs.
        """
        if output_signature is None and output_types is None:
            raise TypeError("from_generator needs an output_signature (or output_types)")
        spec = output_signature
        if spec is None:
            shapes = output_shapes
            if shapes is None:
                spec = nest.map_structure(lambda t: TensorSpec(None, t), output_types)
            else:
                leaves = iter(nest.flatten(output_types))
                dims = shapes if isinstance(shapes, tuple) and nest.is_nested(output_types) else (shapes,)
                spec = nest.rebuild(output_types, (TensorSpec(d, next(leaves)) for d in dims))

        def element(value: Any) -> Any:
            if not nest.is_nested(spec):
                return _checked(value, spec)
            parts = nest.flatten(value)
            return nest.rebuild(spec, (_checked(v, s) for v, s in zip(parts, nest.flatten(spec), strict=True)))

        def make() -> Iterator[Any]:
            return (element(value) for value in generator(*args))

        return Dataset(make, UNKNOWN_CARDINALITY, spec)

    @staticmethod
    def zip(*datasets: Any, name: str | None = None) -> Dataset:
        """Elements of several datasets side by side, as long as each has one; takes a nested structure of datasets."""
        structure = datasets[0] if len(datasets) == 1 and not isinstance(datasets[0], Dataset) else datasets
        parts = nest.flatten(structure)

        def make() -> Iterator[Any]:
            return (nest.rebuild(structure, iter(row)) for row in zip(*parts))

        known = [d._count for d in parts]
        count = min((c for c in known if c >= 0), default=INFINITE_CARDINALITY)
        return Dataset(make, UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in known else count)

    # Transformations.

    def _changed(self, make: Callable[[], Iterator[Any]], count: Callable[[int], int], spec: Any = None) -> Dataset:
        return Dataset(make, count(self._count) if self._count >= 0 else self._count, spec)

    def map(
        self, map_func: Callable[..., Any], num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """``map_func`` of each element; the parts of a tuple are its arguments. It is traced as a `function`.

        Elements are made one after the other and in order, whatever `num_parallel_calls` and `deterministic` allow.
        """
        mapped = Function(map_func)

        def make() -> Iterator[Any]:
            return (_tensors(_apply(mapped, element)) for element in self)

        return self._changed(make, lambda n: n)

    def filter(self, predicate: Callable[..., Any], name: str | None = None) -> Dataset:
        """The elements for which the predicate holds."""
        test = Function(predicate)
        return Dataset(lambda: (e for e in self if _apply(test, e)), UNKNOWN_CARDINALITY, self._spec)

    def batch(
        self, batch_size: int, drop_remainder: bool = False, num_parallel_calls: Any = None, deterministic: Any = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """So many elements at a time, stacked; the last may be fewer. They are made one after the other, in order."""
        size = int(batch_size)
        if size < 1:
            raise ValueError(f"batch_size={size}: it must be 1 at least")

        def make() -> Iterator[Any]:
            elements = iter(self)
            while rows := list(itertools.islice(elements, size)):
                if len(rows) == size or not drop_remainder:
                    yield _stacked(rows)

        spec = self.element_spec
        first = size if drop_remainder else None
        batched = nest.map_structure(lambda s: TensorSpec(TensorShape([first]).concatenate(s.shape), s.dtype), spec)
        return self._changed(make, lambda n: n // size if drop_remainder else -(-n // size), batched)

    def take(self, count: int, name: str | None = None) -> Dataset:
        """The first elements; all of them if `count` is -1."""
        if count < 0:
            return self
        known = count if self._count == INFINITE_CARDINALITY else self._count
        made = self._changed(lambda: itertools.islice(iter(self), count), lambda n: min(n, count), self._spec)
        made._count = min(known, count) if known >= 0 else known
        return made

    def skip(self, count: int, name: str | None = None) -> Dataset:
        """All but the first elements."""
        return self._changed(lambda: itertools.islice(iter(self), count, None), lambda n: max(n - count, 0), self._spec)

    def repeat(self, count: int | None = None, name: str | None = None) -> Dataset:
        """The elements over and over: `count` times, or without end."""
        endless = count is None or count < 0

        def make() -> Iterator[Any]:
            rounds = itertools.count() if endless else range(count or 0)
            return (element for _ in rounds for element in self)

        return self._changed(make, lambda n: INFINITE_CARDINALITY if endless else n * (count or 0), self._spec)

    def enumerate(self, start: int = 0, name: str | None = None) -> Dataset:
        """Pairs of an int64 number and an element."""
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another."""
        more = dataset._count
        return self._changed(
            lambda: itertools.chain(self, dataset), lambda n: n + more if more >= 0 else more, self._spec
        )

    def shuffle(
        self, buffer_size: int, seed: int | None = None, reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:  # fmt: skip
        """The elements in random order, each drawn from the next `buffer_size`."""
        generators = itertools.repeat(np.random.default_rng(seed)) if reshuffle_each_iteration is not False else None

        def make() -> Iterator[Any]:
            draw = next(generators) if generators is not None else np.random.default_rng(seed)
            elements = iter(self)
            buffer = list(itertools.islice(elements, buffer_size))
            for element in elements:
                at = int(draw.integers(len(buffer)))
                yield buffer[at]
                buffer[at] = element
            draw.shuffle(buffer)  # type: ignore[arg-type]
            yield from buffer

        return self._changed(make, lambda n: n, self._spec)

    def prefetch(self, buffer_size: int, name: str | None = None) -> Dataset:
        """The same elements; there is nothing to fetch in advance."""
        return self

    def cache(self, filename: str = "", name: str | None = None) -> Dataset:
        """The same elements, made once and kept in memory."""
        if filename:
            raise NotImplementedError(f"cache with filename={filename!r}: elements are kept in memory only")
        kept: list[Any] = []
        whole: list[bool] = []

        def make() -> Iterator[Any]:
            if whole:
                yield from kept
                return
            found = []
            for element in self:
                found.append(element)
                yield element
            kept[:] = found
            whole.append(True)

        return self._changed(make, lambda n: n, self._spec)

    def reduce(self, initial_state: Any, reduce_func: Callable[..., Any], name: str | None = None) -> Any:
        """``state = reduce_func(state, element)`` over all elements."""
        step = Function(reduce_func)
        state = _tensors(initial_state)
        for element in self:
            state = step(state, element)
        return state

    # In graphs.

    def in_graph(self) -> Items | None:
        """The elements by index, for a loop of the graph; None if they are not of one shape."""
        with recording(None):
            elements = list(self)
        if not elements:
            return Items(0, lambda index: None)
        shapes = [[t.shape for t in nest.flatten(e)] for e in elements]
        if any(s != shapes[0] for s in shapes):
            return None
        columns = [np.stack([t.array for t in column]) for column in zip(*map(nest.flatten, elements))]

        def element(index: Any) -> Any:
            return nest.rebuild(elements[0], (convert_to_tensor(EagerTensor(c))[index] for c in columns))

        return Items(len(elements), element)


def _apply(function: Callable[..., Any], element: Any) -> Any:
    return function(*element) if isinstance(element, tuple) and not hasattr(element, "_fields") else function(element)


def _tensors(value: Any) -> Any:
    """A structure of tensors; a list is one tensor."""
    if isinstance(value, tuple | dict):
        return nest.of_kind(value, [_tensors(part) for part in nest.parts(value)])
    if isinstance(value, Tensor):
        return value
    with recording(None):
        return convert_to_tensor([*value] if isinstance(value, TensorList) else value)


def _checked(value: Any, spec: TensorSpec) -> Any:
    tensor = convert_to_tensor(value, spec.dtype)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(f"the generator yielded a value of shape {tensor.shape}, expected {spec.shape}")
    return tensor


def _stacked(rows: list[Any]) -> Any:
    columns = zip(*map(nest.flatten, rows))
    return nest.rebuild(rows[0], (wrap(np.stack([t.array for t in column])) for column in columns))


register_backend(Dataset, BACKEND, announces=True)
