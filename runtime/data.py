"""Datasets: sequences of elements, made one by one as they are asked for."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
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
from runtime.tensors.types import DTypeLike, Structure, TensorLike

__all__ = ["INFINITE_CARDINALITY", "UNKNOWN_CARDINALITY", "Dataset"]

INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2


class Dataset(Source):
    """Elements, each a tensor or a nested structure of tensors: made one by one when asked for, as often as wanted.

    In a traced function a ``for`` over a dataset is a loop of the graph, over the elements that the dataset has while
    the function is traced; they must be of one shape.

    Args:
      make: makes an iterator over the elements, anew each time the dataset is gone through.
      count: how many there are, if that is known.
      spec: a TensorSpec, of shape and dtype, for each tensor of an element.

    >>> squares = tf.data.Dataset.range(4).map(lambda n: n * n)
    >>> [int(square) for square in squares]
    [0, 1, 4, 9]
    """

    def __init__(
        self, make: Callable[[], Iterator[Structure]], count: int = UNKNOWN_CARDINALITY, spec: Structure = None
    ) -> None:
        self._make, self._count, self._spec = make, count, spec

    def __iter__(self) -> Iterator[object]:
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

    def cardinality(self) -> Tensor:
        """How many elements there are: an int64 tensor of shape (); -1 for no end, -2 if that is unknown.

        >>> int(tf.data.Dataset.range(4).cardinality()), int(tf.data.Dataset.range(4).repeat().cardinality())
        (4, -1)
        """
        return EagerTensor.of(np.int64(self._count))

    @property
    def element_spec(self) -> Structure:
        """A TensorSpec, of shape and dtype, for each tensor of an element; raises ValueError if there is no element.

        >>> tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).element_spec
        TensorSpec(shape=(2,), dtype=tf.int32, name=None)
        """
        if self._spec is not None:
            return self._spec
        first = next(iter(self), None)
        if first is None:
            raise ValueError("an empty dataset does not tell what its elements are")
        return nest.map_structure(lambda t: TensorSpec(t.shape, t.dtype), first)

    def as_numpy_iterator(self) -> Iterator[Structure]:
        """The elements with a NumPy array of the same shape and dtype for each tensor.

        >>> list(tf.data.Dataset.from_tensor_slices([1.5, 2.5]).as_numpy_iterator())
        [np.float32(1.5), np.float32(2.5)]
        """
        return (nest.map_structure(lambda t: t.numpy(), element) for element in self)

    # Sources.

    @staticmethod
    def from_tensor_slices(tensors: Structure, name: str | None = None) -> Dataset:
        """One element for each part of tensors along their first axis.

        Args:
          tensors: a tensor of shape [n, …], or a nested structure of such tensors.
        Returns: a dataset of n elements.
        Raises:
          ValueError: if the first axes differ in size.

        >>> for x, y in tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20])):
        ...     print(int(x), int(y))
        1 10
        2 20
        """
        whole = _tensors(tensors)
        counts = {len(t) for t in nest.flatten(whole)}
        if len(counts) != 1:
            raise ValueError(f"the tensors have different lengths along their first axis: {sorted(counts)}")
        (count,) = counts

        def make() -> Iterator[object]:
            return (nest.map_structure(operator.itemgetter(i), whole) for i in range(count))

        return Dataset(make, count, nest.map_structure(lambda t: TensorSpec(t.shape[1:], t.dtype), whole))

    @staticmethod
    def from_tensors(tensors: Structure, name: str | None = None) -> Dataset:
        """One element: these tensors.

        Args:
          tensors: a tensor of any shape, or a nested structure of tensors.

        >>> len(tf.data.Dataset.from_tensors([1, 2, 3]))
        1
        """
        whole = _tensors(tensors)
        return Dataset(lambda: iter([whole]), 1)

    @staticmethod
    def range(*args: int, output_type: DTypeLike = int64, name: str | None = None) -> Dataset:
        """The numbers of Python's ``range``, as tensors of shape ().

        Args:
          args: what ``range`` takes: the end, or start and end, or these and a step.
          output_type: the dtype, int64 by default.

        >>> [int(n) for n in tf.data.Dataset.range(1, 7, 2)]
        [1, 3, 5]
        """
        numbers = range(*(int(a) for a in args))
        dtype = as_dtype(output_type)

        def make() -> Iterator[object]:
            return (EagerTensor.of(dtype.dtype.type(n)) for n in numbers)

        return Dataset(make, len(numbers), TensorSpec((), dtype))

    @staticmethod
    def from_generator(
        generator: Callable[..., Iterable[Structure]],
        output_types: Structure = None,
        output_shapes: Structure = None,
        args: Sequence[Structure] = (),
        output_signature: Structure = None,
        name: str | None = None,
    ) -> Dataset:
        """What a generator yields, as tensors.

        Args:
          generator: called with `args`, anew each time the dataset is gone through.
          output_types, output_shapes: nested structures of the dtypes and shapes of what it yields; or
          output_signature: one of TensorSpecs.
          args: its arguments.
        Raises:
          TypeError: if neither is given; when elements are made, if one is of another shape or does not fit the dtype.

        >>> def words():
        ...     yield "a"
        ...     yield "b"
        >>> spec = tf.TensorSpec([], tf.string)
        >>> list(tf.data.Dataset.from_generator(words, output_signature=spec).as_numpy_iterator())
        [b'a', b'b']
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

        def element(value: object) -> object:
            if not nest.is_nested(spec):
                return _checked(value, spec)
            parts = nest.flatten(value)
            return nest.rebuild(spec, (_checked(v, s) for v, s in zip(parts, nest.flatten(spec), strict=True)))

        def make() -> Iterator[object]:
            return (element(value) for value in generator(*args))

        return Dataset(make, UNKNOWN_CARDINALITY, spec)

    @staticmethod
    def zip(*datasets: Structure, name: str | None = None) -> Dataset:
        """The elements of several datasets side by side, for as long as each has one.

        Args:
          datasets: datasets, or one nested structure of them, which is that of the elements.

        >>> numbers = tf.data.Dataset.range(3)
        >>> [(int(a), int(b)) for a, b in tf.data.Dataset.zip(numbers, numbers.skip(1))]
        [(0, 1), (1, 2)]
        """
        structure = datasets[0] if len(datasets) == 1 and not isinstance(datasets[0], Dataset) else datasets
        parts = nest.flatten(structure)

        def make() -> Iterator[object]:
            return (nest.rebuild(structure, iter(row)) for row in zip(*parts))

        known = [d._count for d in parts]
        count = min((c for c in known if c >= 0), default=INFINITE_CARDINALITY)
        return Dataset(make, UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in known else count)

    # Transformations.

    def _changed(
        self, make: Callable[[], Iterator[object]], count: Callable[[int], int], spec: object = None
    ) -> Dataset:
        return Dataset(make, count(self._count) if self._count >= 0 else self._count, spec)

    def map(
        self,
        map_func: Callable[..., Structure],
        num_parallel_calls: object = None,
        deterministic: object = None,
        name: str | None = None,
    ) -> Dataset:
        """What a function makes of each element.

        Args:
          map_func: it is traced as a `function`; the parts of an element that is a tuple are its arguments.
          num_parallel_calls, deterministic: accepted; elements are made one after the other, in order.

        >>> [int(n) for n in tf.data.Dataset.range(3).map(lambda n: n + 10)]
        [10, 11, 12]
        """
        mapped = Function(map_func)

        def make() -> Iterator[object]:
            return (_tensors(_apply(mapped, element)) for element in self)

        return self._changed(make, lambda n: n)

    def filter(self, predicate: Callable[..., TensorLike], name: str | None = None) -> Dataset:
        """The elements for which a condition holds.

        Args:
          predicate: makes a boolean of shape () of an element; it is traced as a `function`.

        >>> [int(n) for n in tf.data.Dataset.range(5).filter(lambda n: n % 2 == 0)]
        [0, 2, 4]
        """
        test = Function(predicate)
        return Dataset(lambda: (e for e in self if _apply(test, e)), UNKNOWN_CARDINALITY, self._spec)

    def batch(
        self,
        batch_size: int,
        drop_remainder: bool = False,
        num_parallel_calls: object = None,
        deterministic: object = None,
        name: str | None = None,
    ) -> Dataset:
        """So many elements at a time, stacked: tensors of one more axis, the first.

        Args:
          batch_size: how many.
          drop_remainder: whether to leave out the last elements if they are fewer; otherwise they are a smaller batch.
          num_parallel_calls, deterministic: accepted; elements are made one after the other, in order.
        Raises:
          ValueError: if `batch_size` is less than 1, or when elements differ in shape.

        >>> for batch in tf.data.Dataset.range(5).batch(2):
        ...     print(batch.numpy())
        [0 1]
        [2 3]
        [4]
        """
        size = int(batch_size)
        if size < 1:
            raise ValueError(f"batch_size={size}: it must be 1 at least")

        def make() -> Iterator[object]:
            elements = iter(self)
            while rows := list(itertools.islice(elements, size)):
                if len(rows) == size or not drop_remainder:
                    yield _stacked(rows)

        spec = self.element_spec
        first = size if drop_remainder else None
        batched = nest.map_structure(lambda s: TensorSpec(TensorShape([first]).concatenate(s.shape), s.dtype), spec)
        return self._changed(make, lambda n: n // size if drop_remainder else -(-n // size), batched)

    def take(self, count: int, name: str | None = None) -> Dataset:
        """The first elements.

        Args:
          count: how many; -1 for all.

        >>> [int(n) for n in tf.data.Dataset.range(5).take(2)]
        [0, 1]
        """
        if count < 0:
            return self
        known = count if self._count == INFINITE_CARDINALITY else self._count
        made = self._changed(lambda: itertools.islice(iter(self), count), lambda n: min(n, count), self._spec)
        made._count = min(known, count) if known >= 0 else known
        return made

    def skip(self, count: int, name: str | None = None) -> Dataset:
        """All but the first elements.

        Args:
          count: how many to leave out.

        >>> [int(n) for n in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
        """
        return self._changed(lambda: itertools.islice(iter(self), count, None), lambda n: max(n - count, 0), self._spec)

    def repeat(self, count: int | None = None, name: str | None = None) -> Dataset:
        """The elements over and over.

        Args:
          count: how often; None, or -1, for without end.

        >>> [int(n) for n in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        endless = count is None or count < 0

        def make() -> Iterator[object]:
            rounds = itertools.count() if endless else range(count or 0)
            return (element for _ in rounds for element in self)

        return self._changed(make, lambda n: INFINITE_CARDINALITY if endless else n * (count or 0), self._spec)

    def enumerate(self, start: int = 0, name: str | None = None) -> Dataset:
        """Pairs of a number, an int64 tensor of shape (), and an element.

        Args:
          start: the first number.

        >>> [(int(i), int(n)) for i, n in tf.data.Dataset.range(10, 12).enumerate()]
        [(0, 10), (1, 11)]
        """
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another.

        Args:
          dataset: the other one; its elements have the same structure.

        >>> [int(n) for n in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(2))]
        [0, 1, 0, 1]
        """
        more = dataset._count
        return self._changed(
            lambda: itertools.chain(self, dataset), lambda n: n + more if more >= 0 else more, self._spec
        )

    def shuffle(
        self,
        buffer_size: int,
        seed: int | None = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements in random order: each is drawn from the next few.

        Args:
          buffer_size: from how many.
          seed: what decides the order; another each time without.
          reshuffle_each_iteration: whether the order is another one each time, which it is by default.

        >>> sorted(int(n) for n in tf.data.Dataset.range(4).shuffle(4))
        [0, 1, 2, 3]
        """
        generators = itertools.repeat(np.random.default_rng(seed)) if reshuffle_each_iteration is not False else None

        def make() -> Iterator[object]:
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
        """The same elements: there is nothing to fetch in advance.

        Args:
          buffer_size: accepted.

        >>> [int(n) for n in tf.data.Dataset.range(2).prefetch(1)]
        [0, 1]
        """
        return self

    def cache(self, filename: str = "", name: str | None = None) -> Dataset:
        """The same elements, made once and kept in memory.

        Args:
          filename: "": they are not kept in files.
        Raises:
          NotImplementedError: for the name of a file.

        >>> [int(n) for n in tf.data.Dataset.range(2).cache()]
        [0, 1]
        """
        if filename:
            raise NotImplementedError(f"cache with filename={filename!r}: elements are kept in memory only")
        kept: list[object] = []
        whole: list[bool] = []

        def make() -> Iterator[object]:
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

    def reduce(
        self,
        initial_state: Structure,
        reduce_func: Callable[[Structure, Structure], Structure],
        name: str | None = None,
    ) -> Structure:
        """What is left of ``state = reduce_func(state, element)`` after all elements.

        Args:
          initial_state: a tensor of any shape, or a nested structure of tensors.
          reduce_func: takes the state and an element, and returns the next state; it is traced as a `function`.
        Returns: the last state.

        >>> print(tf.data.Dataset.range(4).reduce(np.int64(0), lambda total, n: total + n))
        tf.Tensor(6, shape=(), dtype=int64)
        """
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

        def element(index: Tensor) -> object:
            return nest.rebuild(elements[0], (convert_to_tensor(EagerTensor(c))[index] for c in columns))

        return Items(len(elements), element)


def _apply(function: Callable[..., object], element: object) -> object:
    return function(*element) if isinstance(element, tuple) and not hasattr(element, "_fields") else function(element)


def _tensors(value: Any) -> object:
    """A structure of tensors; a list is one tensor."""
    if isinstance(value, tuple | dict):
        return nest.of_kind(value, [_tensors(part) for part in nest.parts(value)])
    if isinstance(value, Tensor):
        return value
    with recording(None):
        return convert_to_tensor([*value] if isinstance(value, TensorList) else value)


def _checked(value: Any, spec: TensorSpec) -> Tensor | None:
    tensor = convert_to_tensor(value, spec.dtype)
    if not spec.shape.is_compatible_with(tensor.shape):
        raise TypeError(f"the generator yielded a value of shape {tensor.shape}, expected {spec.shape}")
    return tensor


def _stacked(rows: list[object]) -> object:
    columns = zip(*map(nest.flatten, rows))
    return nest.rebuild(rows[0], (wrap(np.stack([t.array for t in column])) for column in columns))


register_backend(Dataset, BACKEND, announces=True)
