"""Datasets: sequences of elements, made one by one as they are asked for."""

from __future__ import annotations

import bisect
import collections
import copy
import functools
import glob
import itertools
import operator
import os
from collections.abc import Callable, Iterable, Iterator as AnyIterator, Sequence
from typing import Any, ParamSpec, Protocol, TypeVar

import numpy as np

from autograph import Variables, operators, register_backend
from runtime.control.items import Items, Source, Steps
from runtime.control.loops import staged_for
from runtime.datasets import guarded, rejection, saved
from runtime.datasets.elements import (
    DatasetSpec,
    Element,
    Rows,
    Spec,
    Traced,
    arrays_of,
    as_sparse,
    batched,
    checked,
    common,
    groups,
    noted,
    of_parts,
    padded,
    parts_of,
    rows_of,
    spec_of,
    stacked,
    tensors as as_tensors,
    traced,
)
from runtime.datasets.iterators import Iterator, StagedIterator, refuse_to_unroll
from runtime.datasets.options import Options
from runtime.graph.dtypes import NumPyArray, as_dtype, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.shapes import TensorShape
from runtime.ops import streams
from runtime.staging.backend import BACKEND
from runtime.tensors import effects, nest
from runtime.tensors.composite_specs import RaggedTensorSpec, SparseTensorSpec, closed, opened, without_axis
from runtime.tensors.composites import Composite
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.frames import hides_frames
from runtime.tensors.objects import Carried, Kind, StagedHandle, made, object_of
from runtime.tensors.operations import apply
from runtime.tensors.ragged_tensor import RaggedTensor
from runtime.tensors.shaping import ensure_shape
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import current, recording
from runtime.tensors.types import DTypeLike, IndexLike, SizeLike, Structure, TensorLike

P = ParamSpec("P")
T = TypeVar("T")
Elements = Iterable[Element]


class Change(Protocol):
    """Makes an iterator of one, over the same things in another order, or over some of them."""

    def __call__(self, items: AnyIterator[T], /) -> AnyIterator[T]: ...


AUTOTUNE = -1
INFINITE_CARDINALITY = -1
UNKNOWN_CARDINALITY = -2

INSTEAD = {
    **dict.fromkeys(
        ("make_one_shot_iterator", "make_initializable_iterator"),
        ": tf.compat.v1.data.make_one_shot_iterator(dataset) makes one, and iter(dataset) does in TensorFlow 2",
    ),
    "fingerprint": ": what a dataset does is Python's functions, of which nothing tells whether they are the same",
}
"""What people ask of a dataset by TensorFlow's names, and what there is instead."""

_WITH_ROWS = 1 << 20  # elements of a range that are kept as rows of an array


def transformation(method: Callable[P, Dataset]) -> Callable[P, Dataset]:
    """A method that makes a dataset: in a trace, of what only the graph knows, the graph makes it."""

    @hides_frames
    @functools.wraps(method)
    def transformed(*args: P.args, **kwargs: P.kwargs) -> Dataset:
        leaves = nest.flatten([args, kwargs])
        if not any(_is_staged(leaf) for leaf in leaves):
            with recording(None):
                return _with_options(method(*args, **kwargs), leaves)
        given = [leaf for leaf in leaves if _is_staged(leaf)]

        def rebuilt(values: Iterable[object]) -> Structure:
            new = iter(values)
            return nest.rebuild([args, kwargs], (next(new) if _is_staged(leaf) else leaf for leaf in leaves))

        def source(*arrays: object) -> Dataset:
            found = (object_of(a) if isinstance(g, StagedDataset) else EagerTensor.of(a) for a, g in zip(arrays, given))
            arguments, named = rebuilt(found)
            with noted(functions):
                return method(*arguments, **named)

        arguments, named = rebuilt(g.template if isinstance(g, StagedDataset) else g for g in given)
        with noted() as functions:
            template = method(*arguments, **named)
        inputs = [g.in_trace() if isinstance(g, StagedDataset) else g for g in given]
        return StagedDataset(made(source, *inputs), template.spec)

    return transformed


def _with_options(made: Dataset, leaves: Iterable[object]) -> Dataset:
    """A dataset with the options of those that it was made of."""
    known = [leaf._options for leaf in leaves if isinstance(leaf, Dataset) and leaf._options is not None]
    if known:
        made._options = functools.reduce(Options.merge, known)
    return made


def _is_staged(leaf: object) -> bool:
    return isinstance(leaf, SymbolicTensor | StagedDataset)


class Dataset(Source, Carried):
    """Elements, each a tensor or a nested structure of tensors: made one by one when asked for, as often as wanted.

    In a traced function a ``for`` over a dataset is a loop of the graph, which asks for the elements when it runs; a
    function that is given datasets has one graph for all whose elements have one spec.

    Args:
      make: makes an iterator over the elements, anew each time the dataset is gone through.
      count: how many there are, if that is known.
      spec: a TensorSpec, of shape and dtype, for each tensor of an element.

    >>> squares = tf.data.Dataset.range(4).map(lambda n: n * n)
    >>> [int(square) for square in squares]
    [0, 1, 4, 9]
    """

    def __init__(
        self,
        make: Callable[[], Elements],
        count: int = UNKNOWN_CARDINALITY,
        spec: Structure = None,
        rows: Rows | None = None,
    ) -> None:
        self._make, self._count, self._spec, self._rows = make, count, opened(spec), rows
        self._options: Options | None = None

    @classmethod
    def _of_rows(cls, rows: Rows, count: int) -> Dataset:
        return Dataset(rows.elements, count, rows.spec, rows)

    def __iter__(self) -> Iterator:
        refuse_to_unroll("a dataset")
        return Iterator(self._make, self.spec)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} element_spec={self.element_spec}>"

    def __bool__(self) -> bool:
        return True  # whatever is in it: `dataset or other` asks whether there is one

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
        return closed(self.spec)  # type: ignore[no-any-return]

    @property
    def spec(self) -> Spec:
        """The same with the specs of all tensors that a RaggedTensor or SparseTensor is made of.

        >>> tf.data.Dataset.range(3).spec
        TensorSpec(shape=(), dtype=tf.int64, name=None)
        """
        if self._spec is None:
            with recording(None):
                first = next(iter(self._make()), None)
            if first is None:
                raise ValueError("an empty dataset does not tell what its elements are")
            self._spec = spec_of(first)
        return self._spec

    def as_numpy_iterator(self) -> Iterable[Structure]:
        """The elements with a NumPy array of the same shape and dtype for each tensor.

        >>> list(tf.data.Dataset.from_tensor_slices([1.5, 2.5]).as_numpy_iterator())
        [np.float32(1.5), np.float32(2.5)]
        """

        def leaf(part: object) -> object:
            return part.numpy() if isinstance(part, Tensor) else part

        return (of_parts(element, map(leaf, parts_of(element))) for element in self)

    # Sources.

    @staticmethod
    @transformation
    def from_tensor_slices(tensors: Structure, name: str | None = None) -> Dataset:
        """One element for each part of tensors along their first axis.

        Args:
          tensors: a tensor of shape [n, …], or a nested structure of such tensors.
        Returns: a dataset of n elements.
        Raises:
          ValueError: if the first axes differ in size, or a tensor has none.

        >>> for x, y in tf.data.Dataset.from_tensor_slices(([1, 2], [10, 20])):
        ...     print(int(x), int(y))
        1 10
        2 20
        """
        whole = as_tensors(tensors)
        if any(isinstance(part, Composite) for part in parts_of(whole)):
            return Dataset.from_tensors(whole).unbatch()
        parts = nest.flatten(whole)
        for part in parts:
            if part.type.shape == ():
                raise ValueError(f"from_tensor_slices takes tensors apart along their first axis; {part} has none")
        spec = nest.map_structure(lambda t: TensorSpec(TensorShape(t.type.shape)[1:], t.dtype), whole)
        if any(isinstance(part, SymbolicTensor) for part in parts):
            return Dataset(tuple, UNKNOWN_CARDINALITY, spec)
        counts = {len(t) for t in parts}
        if len(counts) != 1:
            raise ValueError(f"the tensors have different lengths along their first axis: {sorted(counts)}")
        (count,) = counts
        return Dataset._of_rows(Rows(spec, [t.array for t in parts], lambda: iter(range(count))), count)

    @staticmethod
    @transformation
    def from_tensors(tensors: Structure, name: str | None = None) -> Dataset:
        """One element: these tensors.

        Args:
          tensors: a tensor of any shape, or a nested structure of tensors.

        >>> len(tf.data.Dataset.from_tensors([1, 2, 3]))
        1
        """
        whole = as_tensors(tensors)
        return Dataset(lambda: iter([whole]), 1, spec_of(whole))

    @staticmethod
    @transformation
    def range(*args: SizeLike, output_type: DTypeLike = int64, name: str | None = None) -> Dataset:
        """The numbers of Python's ``range``, as tensors of shape ().

        Args:
          args: what ``range`` takes: the end, or start and end, or these and a step.
          output_type: the dtype, int64 by default.
        Raises:
          TypeError: for numbers that are not whole.

        >>> [int(n) for n in tf.data.Dataset.range(1, 7, 2)]
        [1, 3, 5]
        """
        dtype = as_dtype(output_type)
        spec = TensorSpec((), dtype)
        bounds = [convert_to_tensor(a, int64) for a in args]
        if any(isinstance(bound, SymbolicTensor) for bound in bounds):
            return Dataset(tuple, UNKNOWN_CARDINALITY, spec)
        numbers = range(*map(int, bounds))
        count = _length(numbers)
        if count > _WITH_ROWS:
            return Dataset(lambda: (EagerTensor.of(dtype.dtype.type(n)) for n in numbers), count, spec)
        row = np.array(numbers, np.int64).astype(dtype.dtype)
        return Dataset._of_rows(Rows(spec, [row], lambda: iter(range(count))), count)

    @staticmethod
    def counter(start: int = 0, step: int = 1, dtype: DTypeLike = int64, name: str | None = None) -> Dataset:
        """Numbers without end, as tensors of shape ().

        Args:
          start, step: the first number, and how much is added each time.
          dtype: their dtype, int64 by default.

        >>> [int(n) for n in tf.data.Dataset.counter(5, 2).take(3)]
        [5, 7, 9]
        """
        kind = as_dtype(dtype)
        numbers = functools.partial(itertools.count, int(start), int(step))
        spec = TensorSpec((), kind)
        return Dataset(lambda: (EagerTensor.of(kind.dtype.type(n)) for n in numbers()), INFINITE_CARDINALITY, spec)

    @staticmethod
    def random(
        seed: int | None = None, rerandomize_each_iteration: bool | None = None, name: str | None = None
    ) -> Dataset:
        """Random whole numbers from 0 to 2**32 - 1 without end, as int64 tensors of shape ().

        Args:
          seed: what decides the numbers; others each time without.
          rerandomize_each_iteration: whether a dataset with a seed has other numbers each time it is gone through.

        >>> numbers = tf.data.Dataset.random(seed=4).take(2)
        >>> [int(n) for n in numbers] == [int(n) for n in numbers]
        True
        """
        draws = _draws(seed, seed is None or bool(rerandomize_each_iteration))

        def make() -> Elements:
            draw = draws()
            while True:
                yield EagerTensor.of(draw.integers(2**32, dtype=np.int64))

        return Dataset(make, INFINITE_CARDINALITY, TensorSpec((), int64))

    @staticmethod
    @transformation
    def list_files(
        file_pattern: TensorLike, shuffle: bool | None = None, seed: int | None = None, name: str | None = None
    ) -> Dataset:
        """The names of files: those that there are when the dataset is made.

        Args:
          file_pattern: a text, or a tensor of texts of any shape, in which ``*`` stands for any characters.
          shuffle: whether they come in random order, another one each time; otherwise in that of their names.
          seed: what decides the order.
        Raises:
          InvalidArgumentError: if there is no such file.

        >>> import tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (path / "b.txt").write_text("red"), (path / "a.txt").write_text("green")
        >>> [n.numpy().decode()[-5:] for n in tf.data.Dataset.list_files(f"{path}/*.txt", shuffle=False)]
        ['a.txt', 'b.txt']
        """
        patterns = [pattern.decode() for pattern in np.ravel(np.asarray(convert_to_tensor(file_pattern)))]
        found = sorted(path for pattern in patterns for path in glob.glob(pattern))
        if not found:
            raise InvalidArgumentError(f"No files matched pattern: {', '.join(patterns)}")
        files = Dataset.from_tensor_slices(found)
        return files if shuffle is False else files.shuffle(len(found), seed)

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
        spec: Spec = opened(output_signature)
        if spec is None:
            shapes = output_shapes
            if shapes is None:
                spec = nest.map_structure(lambda t: TensorSpec(None, t), output_types)
            else:
                leaves = iter(nest.flatten(output_types))
                dims = shapes if isinstance(shapes, tuple) and nest.is_nested(output_types) else (shapes,)
                spec = nest.rebuild(output_types, (TensorSpec(d, next(leaves)) for d in dims))

        def element(value: Structure) -> Element:
            if not nest.is_nested(spec) or isinstance(spec, Composite):
                return checked(value, spec)
            parts = zip(_parts_by(spec, value), parts_of(spec))
            return of_parts(spec, iter([checked(part, wanted) for part, wanted in parts]))

        def make() -> Elements:
            return (element(value) for value in generator(*args))

        return Dataset(make, UNKNOWN_CARDINALITY, spec)

    @staticmethod
    @transformation
    def zip(*args: Structure, datasets: Structure = None, name: str | None = None) -> Dataset:
        """The elements of several datasets side by side, for as long as each has one.

        Args:
          args: datasets, or one nested structure of them, which is that of the elements: a dataset alone gives its own.
          datasets: the older name of that structure.
        Raises:
          TypeError: for both, for none of them, and where a list is, or anything else that is no dataset.

        >>> numbers = tf.data.Dataset.range(3)
        >>> [(int(a), int(b)) for a, b in tf.data.Dataset.zip(numbers, numbers.skip(1))]
        [(0, 1), (1, 2)]
        """
        if bool(args) is (datasets is not None):
            raise TypeError(
                "zip() takes datasets, or one structure of them, by one way of two: zip(a, b) or zip((a, b))"
            )
        given = args if datasets is None else (datasets,)
        structure: Structure = given[0] if len(given) == 1 else given
        parts: list[Dataset] = nest.flatten(structure)
        if isinstance(structure, list):
            raise TypeError("zip() takes datasets in a tuple, not in a list: zip(*datasets)")
        for part in parts:
            if not isinstance(part, Dataset):
                raise TypeError(f"zip() takes datasets, or one structure of them, not {part!r}")
        spec = nest.rebuild(structure, iter([p.spec for p in parts]))
        known = [d._count for d in parts]
        count = min((c for c in known if c >= 0), default=INFINITE_CARDINALITY)
        if min(known, default=0) >= 0 and all(p._rows is not None and p._rows.fixed for p in parts):
            arrays = [a[:count] for p in parts if p._rows is not None for a in p._rows.whole(p._count)]
            return Dataset._of_rows(Rows(spec, arrays, lambda: iter(range(count))), count)

        def make() -> Elements:
            return (nest.rebuild(structure, iter(row)) for row in zip(*(p._make() for p in parts)))

        return Dataset(make, UNKNOWN_CARDINALITY if UNKNOWN_CARDINALITY in known else count, spec)

    @staticmethod
    @transformation
    def choose_from_datasets(
        datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = True
    ) -> Dataset:
        """Elements from several datasets, where another one says from which each is taken.

        Args:
          datasets: a list of datasets whose elements are alike.
          choice_dataset: whole numbers of shape (), each the place of a dataset in the list.
          stop_on_empty_dataset: whether it ends where a dataset that is chosen has no more elements; otherwise such
            choices are passed over.
        Raises:
          TypeError: if elements of the datasets are not alike.

        >>> small, large = tf.data.Dataset.range(3), tf.data.Dataset.range(10, 13)
        >>> chosen = tf.data.Dataset.choose_from_datasets([small, large], tf.data.Dataset.from_tensor_slices([0, 1, 1]))
        >>> [int(n) for n in chosen]
        [0, 10, 11]
        """
        spec = functools.reduce(common, (d.spec for d in datasets))

        def make() -> Elements:
            return _chosen(datasets, (int(n) for n in choice_dataset._make()), stop_on_empty_dataset)

        return Dataset(make, UNKNOWN_CARDINALITY, spec)

    @staticmethod
    @transformation
    def sample_from_datasets(
        datasets: Sequence[Dataset],
        weights: Sequence[float] | None = None,
        seed: int | None = None,
        stop_on_empty_dataset: bool = False,
        rerandomize_each_iteration: bool | None = None,
    ) -> Dataset:
        """Elements from several datasets, each taken from one at random.

        Args:
          datasets: a list of datasets whose elements are alike.
          weights: how likely each is, all equally by default.
          seed: what decides the choice; another each time without.
          stop_on_empty_dataset: whether it ends where a dataset that is chosen has no more elements; otherwise it goes
            on with the others.
          rerandomize_each_iteration: whether the choice is another one each time, also with a seed.

        >>> mixed = tf.data.Dataset.sample_from_datasets([tf.data.Dataset.range(2), tf.data.Dataset.range(2)], seed=1)
        >>> sorted(int(n) for n in mixed)
        [0, 0, 1, 1]
        """
        spec = functools.reduce(common, (d.spec for d in datasets))
        likely = (
            np.full(len(datasets), 1.0) if weights is None else np.asarray(convert_to_tensor(weights).numpy(), float)
        )
        if likely.shape != (len(datasets),) or (likely < 0).any() or not likely.sum():
            raise ValueError(f"weights={weights}: one number for each of {len(datasets)} datasets, none negative")
        draws = _draws(seed, seed is None or bool(rerandomize_each_iteration))

        def make() -> Elements:
            return _sampled(datasets, likely / likely.sum(), draws(), stop_on_empty_dataset)

        return Dataset(make, UNKNOWN_CARDINALITY, spec)

    # Transformations.

    def _changed(
        self, make: Callable[[], Elements], count: Callable[[int], int], spec: object = None, rows: Rows | None = None
    ) -> Dataset:
        return Dataset(
            make if rows is None else rows.elements, count(self._count) if self._count >= 0 else self._count, spec, rows
        )

    def _reordered(
        self,
        change: Change,
        count: Callable[[int], int],
        fixed: bool = True,
    ) -> Dataset:
        """The elements in another order: `change` makes an iterator of one."""
        rows = None if self._rows is None else self._rows.reordered(change, fixed)
        return self._changed(lambda: change(iter(self._make())), count, self.spec, rows)

    @transformation
    def map(
        self,
        map_func: Callable[..., Structure],
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        synchronous: bool | None = None,
        use_unbounded_threadpool: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """What a function makes of each element.

        Args:
          map_func: it is traced as a `function`; the parts of an element that is a tuple are its arguments, and a list
            that it returns is a tuple.
          num_parallel_calls, deterministic, synchronous, use_unbounded_threadpool: accepted; elements are made one
            after the other, in order.

        >>> [int(n) for n in tf.data.Dataset.range(3).map(lambda n: n + 10)]
        [10, 11, 12]
        """
        mapped = traced(map_func, self.spec)
        return self._changed(lambda: map(mapped, self._make()), lambda n: n, mapped.spec)

    @transformation
    def filter(self, predicate: Callable[..., TensorLike], name: str | None = None) -> Dataset:
        """The elements for which a condition holds.

        Args:
          predicate: makes a boolean of shape () of an element; it is traced as a `function`.
        Raises:
          ValueError: if it makes anything else.

        >>> [int(n) for n in tf.data.Dataset.range(5).filter(lambda n: n % 2 == 0)]
        [0, 2, 4]
        """
        test = _condition(predicate, self.spec)
        return Dataset(lambda: filter(test, self._make()), UNKNOWN_CARDINALITY, self.spec)

    @transformation
    def take_while(self, predicate: Callable[..., TensorLike], name: str | None = None) -> Dataset:
        """The elements before the first for which a condition does not hold.

        Args:
          predicate: makes a boolean of shape () of an element; it is traced as a `function`.
        Raises:
          ValueError: if it makes anything else.

        >>> [int(n) for n in tf.data.Dataset.range(5).take_while(lambda n: n < 2)]
        [0, 1]
        """
        test = _condition(predicate, self.spec)
        return Dataset(lambda: itertools.takewhile(test, self._make()), UNKNOWN_CARDINALITY, self.spec)

    @transformation
    def flat_map(self, map_func: Callable[..., Dataset], name: str | None = None) -> Dataset:
        """The elements of the datasets that a function makes of each element, one dataset after the other.

        Args:
          map_func: makes a dataset of an element; it is traced as a `function`.
        Raises:
          TypeError: if it makes no dataset.

        >>> [int(n) for n in tf.data.Dataset.range(4).flat_map(tf.data.Dataset.range)]
        [0, 0, 1, 0, 1, 2]
        """
        opened = traced(map_func, self.spec, kind=_Opened)
        return Dataset(
            lambda: guarded.chained(map(opened, self._make())),
            UNKNOWN_CARDINALITY,
            opened.inner,
        )

    @transformation
    def interleave(
        self,
        map_func: Callable[..., Dataset],
        cycle_length: int | None = None,
        block_length: int | None = None,
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements of the datasets that a function makes of each element, taken from several of them by turns.

        Args:
          map_func: makes a dataset of an element; it is traced as a `function`.
          cycle_length: from how many datasets at a time, 1 by default.
          block_length: how many elements of each before the next one's, 1 by default.
          num_parallel_calls, deterministic: accepted; elements are made one after the other, in order.
        Raises:
          ValueError: if `cycle_length` or `block_length` is less than 1.

        >>> pairs = tf.data.Dataset.range(1, 4).interleave(lambda n: tf.data.Dataset.from_tensors(n).repeat(2), 2)
        >>> [int(n) for n in pairs]
        [1, 2, 1, 2, 3, 3]
        """
        cycle = 1 if cycle_length in (None, AUTOTUNE) else _at_least_one("cycle_length", cycle_length)
        block = 1 if block_length is None else _at_least_one("block_length", block_length)
        opened = traced(map_func, self.spec, kind=_Opened)
        return Dataset(lambda: interleaved(map(opened, self._make()), cycle, block), UNKNOWN_CARDINALITY, opened.inner)

    @transformation
    def scan(
        self,
        initial_state: Structure,
        scan_func: Callable[..., tuple[Structure, Structure]],
        use_default_device: object = None,
        name: str | None = None,
    ) -> Dataset:
        """What a function makes of a state and each element, where it makes the next state, too.

        Args:
          initial_state: a tensor of any shape, or a nested structure of tensors.
          scan_func: takes the state and an element, and returns the next state and what becomes the element; it is
            traced as a `function`.
          use_default_device: accepted.

        >>> sums = tf.data.Dataset.range(4).scan(np.int64(0), lambda total, n: (total + n, total + n))
        >>> [int(n) for n in sums]
        [0, 1, 3, 6]
        """
        start = as_tensors(initial_state)
        step = traced(scan_func, self.spec, spec_of(start))
        if not isinstance(step.spec, tuple) or len(step.spec) != 2:
            raise TypeError(f"scan_func must return a pair, the next state and an element; it returned {step.spec}")

        def make() -> Elements:
            state = start
            for element in self._make():
                state, found = step(state, element)
                yield found

        return self._changed(make, lambda n: n, step.spec[1])

    @transformation
    def batch(
        self,
        batch_size: SizeLike,
        drop_remainder: bool = False,
        num_parallel_calls: int | None = None,
        deterministic: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """So many elements at a time, stacked: tensors of one more axis, the first.

        Args:
          batch_size: how many.
          drop_remainder: whether to leave out the last elements if they are fewer; otherwise they are a smaller batch.
          num_parallel_calls, deterministic: accepted; elements are made one after the other, in order.
        Raises:
          ValueError: if `batch_size` is less than 1.
          InvalidArgumentError: when elements differ in shape.

        >>> for batch in tf.data.Dataset.range(5).batch(2):
        ...     print(batch.numpy())
        [0 1]
        [2 3]
        [4]
        """
        spec, rows = self.spec, self._rows
        size = _at_least_one("batch_size", batch_size)
        if size is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, batched(spec, None))
        made = batched(spec, size if drop_remainder else None)

        def count(n: int) -> int:
            return n // size if drop_remainder else -(-n // size)

        if rows is not None and rows.fixed and self._count >= 0 and (drop_remainder or self._count % size == 0):
            total = count(self._count)
            whole = [a[: total * size] for a in rows.whole(self._count)]
            arrays = [a.reshape(total, size, *a.shape[1:]) for a in whole]
            return Dataset._of_rows(Rows(made, arrays, lambda: iter(range(total))), total)
        if rows is not None:
            return self._changed(lambda: rows.batches(size, drop_remainder), count, made)

        return self._changed(
            lambda: (stacked(some, spec) for some in groups(self._make(), size, drop_remainder)), count, made
        )

    @transformation
    def ragged_batch(
        self,
        batch_size: SizeLike,
        drop_remainder: bool = False,
        row_splits_dtype: DTypeLike = int64,
        name: str | None = None,
    ) -> Dataset:
        """So many elements at a time, stacked: those of different shapes as the rows of RaggedTensors.

        Args:
          batch_size: how many.
          drop_remainder: whether to leave out the last elements if they are fewer; otherwise they are a smaller batch.
          row_splits_dtype: int32 or int64, that of the RaggedTensors.
        Raises:
          ValueError: if `batch_size` is less than 1.

        >>> for batch in tf.data.Dataset.range(3).map(tf.range).ragged_batch(2):
        ...     print(batch)
        <tf.RaggedTensor [[], [0]]>
        <tf.RaggedTensor [[0, 1]]>
        """

        def leaf(one: Any) -> object:
            if not isinstance(one, TensorSpec) or one.shape.is_fully_defined():
                return one
            return RaggedTensorSpec(one.shape, one.dtype, 0, row_splits_dtype)

        spec = of_parts(self.spec, map(leaf, parts_of(self.spec)))
        return Dataset(self._make, self._count, spec).batch(batch_size, drop_remainder)

    @transformation
    def sparse_batch(self, batch_size: SizeLike, row_shape: Sequence[int | None], name: str | None = None) -> Dataset:
        """So many elements at a time, as the rows of SparseTensors.

        Args:
          batch_size: how many.
          row_shape: the shape of a row, in which all elements fit; None for the size of the largest in a batch.
        Raises:
          DataLossError: when an element is larger.

        >>> for batch in tf.data.Dataset.range(3).map(tf.range).sparse_batch(3, [4]):
        ...     print(tf.sparse.to_dense(batch, default_value=-1).numpy())
        [[-1 -1 -1 -1]
         [ 0 -1 -1 -1]
         [ 0  1 -1 -1]]
        """
        one = self.spec
        if not isinstance(one, TensorSpec):
            raise TypeError(f"sparse_batch() takes elements that are tensors; these are {self.element_spec}")
        dims = [None if d is None or d < 0 else int(d) for d in row_shape]
        size = _at_least_one("batch_size", batch_size)
        spec = SparseTensorSpec([None, *dims], one.dtype)
        if size is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, spec)

        def make() -> Elements:
            return (as_sparse(some, dims) for some in groups(self._make(), size, False))

        return self._changed(make, lambda n: -(-n // size), spec)

    @transformation
    def padded_batch(
        self,
        batch_size: SizeLike,
        padded_shapes: Structure = None,
        padding_values: Structure = None,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """So many elements at a time, stacked after each was padded at the ends of its axes.

        Args:
          batch_size: how many.
          padded_shapes: the shape of each tensor of an element afterwards; None, or -1, for the size of the largest in
            the batch, which it is for all axes by default.
          padding_values: what to pad with: 0, the empty string or False by default.
          drop_remainder: whether to leave out the last elements if they are fewer; otherwise they are a smaller batch.
        Raises:
          ValueError: if `batch_size` is less than 1.
          InvalidArgumentError: when an element does not fit the shape, or has another rank than others.

        >>> lists = tf.data.Dataset.range(1, 4).map(lambda n: tf.fill([n], n))
        >>> for batch in lists.padded_batch(2):
        ...     print(batch.numpy().tolist())
        [[1, 0], [2, 2]]
        [[3, 3, 3]]
        """
        spec = self.spec
        leaves = parts_of(spec)
        shapes = [s.shape for s in leaves] if padded_shapes is None else _shapes(padded_shapes, len(leaves))
        if padded_shapes is None and any(s.dims is None for s in shapes):
            raise ValueError("padded_batch: the rank of the elements is not known, so padded_shapes is needed")
        given = [None] * len(leaves) if padding_values is None else nest.flatten(padding_values)
        if len(given) == 1:
            given = given * len(leaves)
        if len(given) != len(leaves):
            raise ValueError(f"padding_values={padding_values}: one for each of {len(leaves)} tensors of an element")
        fill = [_padding(s, v) for s, v in zip(leaves, given)]
        size = _at_least_one("batch_size", batch_size)
        first = size if drop_remainder else None
        made = nest.rebuild(
            spec, iter([TensorSpec(TensorShape([first]).concatenate(s), x.dtype) for s, x in zip(shapes, leaves)])
        )

        def make() -> Elements:
            return (padded(group, shapes, fill) for group in groups(self._make(), size, drop_remainder))

        return self._changed(make, lambda n: n // (size or 1) if drop_remainder else -(-n // (size or 1)), made)

    @transformation
    def unbatch(self, name: str | None = None) -> Dataset:
        """One element for each part of each element along the first axis of its tensors.

        Raises:
          InvalidArgumentError: when tensors of an element differ in the size of that axis.

        >>> [int(n) for n in tf.data.Dataset.from_tensor_slices([[1, 2], [3, 4]]).unbatch()]
        [1, 2, 3, 4]
        """
        spec = self.spec
        for leaf in parts_of(spec):
            if not isinstance(leaf, TensorSpec | RaggedTensor | SparseTensor) or leaf.shape.dims == ():
                raise ValueError(f"unbatch() takes tensors apart along their first axis; elements are {spec}")
        made = of_parts(spec, map(without_axis, parts_of(spec)))

        def make() -> Elements:
            for element in self._make():
                parts = [rows_of(part) for part in parts_of(element)]
                if len({len(part) for part in parts}) > 1:
                    raise InvalidArgumentError(
                        f"unbatch(): tensors of an element have {[len(a) for a in parts]} parts along their first axis"
                    )
                for row in zip(*parts):
                    yield of_parts(made, iter(row))

        sizes = {leaf.shape[0] for leaf in parts_of(spec) if leaf.shape.dims}
        known = [size for size in sizes if size is not None]
        parts = known[0] if known else None
        return self._changed(make, lambda n: UNKNOWN_CARDINALITY if parts is None else n * parts, made)

    def rebatch(
        self, batch_size: SizeLike | Sequence[int], drop_remainder: bool = False, name: str | None = None
    ) -> Dataset:
        """Batches of another size: the parts of elements along their first axis, so many at a time.

        Args:
          batch_size: how many, or a list of numbers that take turns.
          drop_remainder: whether to leave out the last ones if they are fewer; otherwise they are a smaller batch.
        Raises:
          ValueError: if `batch_size` is less than 1.

        >>> [n.numpy().tolist() for n in tf.data.Dataset.range(5).batch(3).rebatch(2)]
        [[0, 1], [2, 3], [4]]
        """
        if not isinstance(batch_size, Sequence):
            return self.unbatch().batch(batch_size, drop_remainder)
        sizes = [_at_least_one("batch_size", size) for size in batch_size]
        if not sizes:
            raise ValueError("batch_size=[]: it has no number")
        single = self.unbatch()

        def make() -> Elements:
            rest = iter(single._make())
            for size in itertools.cycle(sizes):
                group = list(itertools.islice(rest, size))
                if not group or (drop_remainder and len(group) < size):
                    return
                yield stacked(group, single.spec)

        return Dataset(make, UNKNOWN_CARDINALITY, batched(single.spec, None))

    @transformation
    def group_by_window(
        self,
        key_func: Callable[..., TensorLike],
        reduce_func: Callable[[TensorLike, Dataset], Dataset],
        window_size: SizeLike | None = None,
        window_size_func: Callable[[TensorLike], TensorLike] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements of the datasets that a function makes of so many elements with the same key.

        Args:
          key_func: makes a whole number of shape () of an element, its key.
          reduce_func: makes a dataset of a key and of a dataset of elements that have it. It is asked when there are
            enough of them, and in the end for what is left, in the order of the keys.
          window_size: how many are enough.
          window_size_func: or how many are of a key. All three are traced as a `function`.
        Raises:
          ValueError: if there is not one of `window_size` and `window_size_func`.
          TypeError: if `key_func` makes no whole number, or `reduce_func` no dataset.

        >>> halves = tf.data.Dataset.range(6).group_by_window(lambda n: n % 2, lambda key, some: some.batch(2), 2)
        >>> [pair.numpy().tolist() for pair in halves]
        [[0, 2], [1, 3], [4], [5]]
        """
        if (window_size is None) == (window_size_func is None):
            raise ValueError("group_by_window: give one of window_size and window_size_func")
        spec, number = self.spec, TensorSpec([], int64)
        keys: Traced = traced(key_func, spec)
        if not isinstance(keys.spec, TensorSpec) or not keys.spec.dtype.is_integer or keys.spec.shape.dims != ():
            raise TypeError(f"key_func must return a whole number of shape (); it returned {keys.spec}")
        opened = traced(reduce_func, DatasetSpec(spec), number, kind=_Opened)
        sizes = None if window_size_func is None else traced(window_size_func, number)
        enough: Any = None if window_size is None else _at_least_one("window_size", window_size)

        def size(key: int) -> int:
            if sizes is None:
                return int(enough)
            return int(_at_least_one("window_size_func", int(sizes(EagerTensor.of(np.int64(key))))))

        def make() -> Elements:
            for key, some in _by_keys(self._make(), lambda element: int(keys(element)), size):
                yield from opened(EagerTensor.of(np.int64(key)), _of_elements(some, spec))

        return Dataset(make, UNKNOWN_CARDINALITY, opened.inner)

    @transformation
    def bucket_by_sequence_length(
        self,
        element_length_func: Callable[..., TensorLike],
        bucket_boundaries: Sequence[int],
        bucket_batch_sizes: Sequence[int],
        padded_shapes: Structure = None,
        padding_values: Structure = None,
        pad_to_bucket_boundary: bool = False,
        no_padding: bool = False,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Batches of elements of about the same length, padded to that of the longest.

        Args:
          element_length_func: makes the length of an element, a whole number of shape (); it is traced as a
            `function`.
          bucket_boundaries: the lengths at which another sort of elements begins, from the least on.
          bucket_batch_sizes: how many elements of each sort are a batch: one number more.
          padded_shapes, padding_values: as of `padded_batch`.
          pad_to_bucket_boundary: whether open sizes become the greatest length that a sort has; none may be longer
            than the last boundary allows.
          no_padding: whether elements of one sort have one shape, and are only stacked.
          drop_remainder: whether to leave out the last elements of each sort if they are fewer.
        Raises:
          ValueError: if there is not one number of elements more than boundaries.

        >>> lists = tf.data.Dataset.range(1, 6).map(lambda n: tf.fill([n], n))
        >>> for batch in lists.bucket_by_sequence_length(lambda x: len(x), [3, 5], [2, 2, 2]):
        ...     print(batch.numpy().tolist())
        [[1, 0], [2, 2]]
        [[3, 3, 3, 0], [4, 4, 4, 4]]
        [[5, 5, 5, 5, 5]]
        """
        bounds, sizes = list(bucket_boundaries), list(bucket_batch_sizes)
        if len(sizes) != len(bounds) + 1:
            raise ValueError(
                f"bucket_batch_sizes: {len(sizes)} numbers for {len(bounds)} boundaries; there is one more than these"
            )
        if bounds != sorted(set(bounds)):
            raise ValueError(f"bucket_boundaries={bounds}: they are numbers from the least on, each once")
        spec, lengths = self.spec, traced(element_length_func, self.spec)
        leaves = parts_of(spec)
        shapes = [s.shape for s in leaves] if padded_shapes is None else _shapes(padded_shapes, len(leaves))

        def batches(some: Dataset, bucket: int, size: int) -> Dataset:
            if no_padding:
                return some.batch(size, drop_remainder)
            to = shapes
            if pad_to_bucket_boundary:
                if bucket == len(bounds):
                    raise InvalidArgumentError(
                        f"bucket_by_sequence_length: an element is as long as the last boundary, {bounds[-1:]}, or "
                        "longer, and pad_to_bucket_boundary=True leaves no room for it"
                    )
                to = [TensorShape([bounds[bucket] - 1 if n is None else n for n in shape]) for shape in shapes]
            whole = nest.rebuild(spec, iter(to))
            return some.padded_batch(size, whole, padding_values, drop_remainder)

        def make() -> Elements:
            found = _by_keys(
                self._make(), lambda element: bisect.bisect_right(bounds, int(lengths(element))), sizes.__getitem__
            )
            for bucket, some in found:
                yield from batches(_of_elements(some, spec), bucket, sizes[bucket])._make()

        none = Dataset(tuple, 0, spec)
        made = none.batch(1) if no_padding else none.padded_batch(1, nest.rebuild(spec, iter(shapes)), padding_values)
        return Dataset(make, UNKNOWN_CARDINALITY, made.spec)

    @transformation
    def window(
        self,
        size: SizeLike,
        shift: SizeLike | None = None,
        stride: SizeLike = 1,
        drop_remainder: bool = False,
        name: str | None = None,
    ) -> Dataset:
        """Datasets of so many elements each.

        Args:
          size: how many elements a window has at most.
          shift: by how many elements the next one begins later, `size` by default.
          stride: every how many-th element is in it.
          drop_remainder: whether to leave out windows with fewer elements.
        Returns: a dataset whose elements are datasets; for elements that are structures, structures of datasets.
        Raises:
          ValueError: if `size`, `shift` or `stride` is less than 1.

        >>> for window in tf.data.Dataset.range(5).window(3, shift=2):
        ...     print([int(n) for n in window])
        [0, 1, 2]
        [2, 3, 4]
        [4]
        """
        spec = self.spec
        made = of_parts(spec, map(DatasetSpec, parts_of(spec)))
        width, step = _at_least_one("size", size), _at_least_one("stride", stride)
        by = width if shift is None else _at_least_one("shift", shift)
        if width is None or step is None or by is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, made)
        rest = (width - 1) * step  # how many elements a whole window passes after its first

        def count(n: int) -> int:
            return max(0, n - rest + by - 1) // by if drop_remainder else -(-n // by)

        def make() -> Elements:
            for group in _windows(iter(self._make()), width, by, step, drop_remainder):
                columns = zip(*map(parts_of, group))
                yield of_parts(spec, iter([_of_elements(c, s) for s, c in zip(parts_of(spec), columns)]))

        return self._changed(make, count, made)

    @transformation
    def take(self, count: SizeLike, name: str | None = None) -> Dataset:
        """The first elements.

        Args:
          count: how many; -1 for all.

        >>> [int(n) for n in tf.data.Dataset.range(5).take(2)]
        [0, 1]
        """
        limit = _whole(count)
        if limit is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, self.spec)
        if limit < 0:
            return self
        made = self._reordered(lambda items: guarded.sliced(items, limit), lambda n: min(n, limit))
        if self._count == INFINITE_CARDINALITY:
            made._count = limit
        return made

    @transformation
    def skip(self, count: SizeLike, name: str | None = None) -> Dataset:
        """All but the first elements.

        Args:
          count: how many to leave out; -1 for all.

        >>> [int(n) for n in tf.data.Dataset.range(5).skip(3)]
        [3, 4]
        """
        left = _whole(count)
        if left is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, self.spec)
        if left < 0:
            return self.take(0)
        return self._reordered(lambda items: guarded.sliced(items, left, None), lambda n: max(n - left, 0))

    @transformation
    def shard(self, num_shards: SizeLike, index: SizeLike, name: str | None = None) -> Dataset:
        """Every so many-th element.

        Args:
          num_shards: of how many elements one is taken.
          index: which of them.
        Raises:
          InvalidArgumentError: unless ``0 <= index < num_shards``.

        >>> [int(n) for n in tf.data.Dataset.range(7).shard(3, 1)]
        [1, 4]
        """
        step, first = _whole(num_shards), _whole(index)
        if step is None or first is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, self.spec)
        if not 0 <= first < step:
            raise InvalidArgumentError(f"shard(num_shards={step}, index={first}): 0 <= index < num_shards must hold")
        return self._reordered(
            lambda items: guarded.sliced(items, first, None, step),
            lambda n: len(range(first, n, step)),
        )

    @transformation
    def repeat(self, count: SizeLike | None = None, name: str | None = None) -> Dataset:
        """The elements over and over.

        Args:
          count: how often; None, or -1, for without end.

        >>> [int(n) for n in tf.data.Dataset.range(2).repeat(2)]
        [0, 1, 0, 1]
        """
        rounds = -1 if count is None else _whole(count)
        if rounds is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, self.spec)
        if rounds == 0:  # even of what has no end
            return self.take(0)

        rows = self._rows
        if rows is not None:
            places = rows.places
            rows = Rows(rows.spec, rows.arrays, lambda: _repeated(places, rounds), rows.fixed)
        known = INFINITE_CARDINALITY if rounds < 0 else self._count * rounds
        return self._changed(lambda: _repeated(self._make, rounds), lambda n: known if n else 0, self.spec, rows)

    def enumerate(self, start: SizeLike = 0, name: str | None = None) -> Dataset:
        """Pairs of a number, an int64 tensor of shape (), and an element.

        Args:
          start: the first number.

        >>> [(int(i), int(n)) for i, n in tf.data.Dataset.range(10, 12).enumerate()]
        [(0, 10), (1, 11)]
        """
        first = _whole(start)
        if first is not None and self._count >= 0:
            return Dataset.zip((Dataset.range(first, first + self._count), self))
        return Dataset.zip((Dataset.range(start, np.iinfo(np.int64).max), self))

    @transformation
    def concatenate(self, dataset: Dataset, name: str | None = None) -> Dataset:
        """The elements of this dataset, then those of another.

        Args:
          dataset: the other one; its elements have the same structure and dtypes.
        Raises:
          TypeError: if they have not.

        >>> [int(n) for n in tf.data.Dataset.range(2).concatenate(tf.data.Dataset.range(2))]
        [0, 1, 0, 1]
        """
        more = dataset._count
        spec = common(self.spec, dataset.spec)
        return self._changed(
            lambda: itertools.chain(self._make(), dataset._make()), lambda n: n + more if more >= 0 else more, spec
        )

    @transformation
    def shuffle(
        self,
        buffer_size: SizeLike,
        seed: int | None = None,
        reshuffle_each_iteration: bool | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The elements in random order: each is drawn from the next few.

        Args:
          buffer_size: from how many.
          seed: what decides the order; another each time without.
          reshuffle_each_iteration: whether the order is another one each time, which it is by default.
        Raises:
          ValueError: if `buffer_size` is less than 1.

        >>> sorted(int(n) for n in tf.data.Dataset.range(4).shuffle(4))
        [0, 1, 2, 3]
        """
        size = _at_least_one("buffer_size", buffer_size)
        if size is None:
            return Dataset(tuple, UNKNOWN_CARDINALITY, self.spec)
        draws = _draws(seed, reshuffle_each_iteration is not False)
        return self._reordered(lambda items: _shuffled(items, size, draws()), lambda n: n, fixed=False)

    @transformation
    def unique(self, name: str | None = None) -> Dataset:
        """Each element once, where it comes first.

        >>> [int(n) for n in tf.data.Dataset.from_tensor_slices([3, 1, 3, 2, 1]).unique()]
        [3, 1, 2]
        """

        def make() -> Elements:
            seen = set()
            for element in self._make():
                key = tuple(a.tobytes() if a.dtype != object else tuple(a.ravel()) for a in arrays_of(element))
                if key not in seen:
                    seen.add(key)
                    yield element

        return Dataset(make, UNKNOWN_CARDINALITY if self._count else 0, self.spec)

    @transformation
    def ignore_errors(self, log_warning: bool = False, name: str | None = None) -> Dataset:
        """The elements but those that `map` or `filter` fail to make.

        Args:
          log_warning: whether each error is told of, as a RuntimeWarning.
        Raises:
          Exception: an error of what makes elements in another way than `map` and `filter`, as it comes.

        >>> data = tf.data.Dataset.from_tensor_slices([1.0, 0.0, 4.0])
        >>> data = data.map(lambda x: tf.debugging.check_numerics(1 / x, "no inverse"))
        >>> [float(x) for x in data.ignore_errors()]
        [1.0, 0.25]
        """
        return Dataset(lambda: guarded.without_errors(iter(self._make()), log_warning), UNKNOWN_CARDINALITY, self.spec)

    def prefetch(self, buffer_size: SizeLike, name: str | None = None) -> Dataset:
        """The same elements: there is nothing to fetch in advance.

        Args:
          buffer_size: accepted.

        >>> [int(n) for n in tf.data.Dataset.range(2).prefetch(1)]
        [0, 1]
        """
        return self

    def with_options(self, options: Options, name: str | None = None) -> Dataset:
        """The same elements, in the same order, however options would have them made.

        Args:
          options: what there is to say of it.
        Raises:
          TypeError: for anything else.

        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> [int(n) for n in tf.data.Dataset.range(2).with_options(options)]
        [0, 1]
        """
        if not isinstance(options, Options):
            raise TypeError(f"with_options takes tf.data.Options, not {options!r}")
        made = copy.copy(self)
        made._options = self.options().merge(options)
        return made

    def options(self) -> Options:
        """What `with_options` has said of it, and of those that it is made of.

        >>> options = tf.data.Options()
        >>> options.deterministic = False
        >>> tf.data.Dataset.range(2).with_options(options).map(tf.square).options().deterministic
        False
        """
        return Options() if self._options is None else self._options

    def __getattr__(self, name: str) -> Any:
        why = INSTEAD.get(name, "")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{why}", name=name, obj=self)

    def apply(self, transformation_func: Callable[[Dataset], Dataset], name: str | None = None) -> Dataset:
        """What a function makes of this dataset.

        Args:
          transformation_func: makes a dataset of a dataset.
        Raises:
          TypeError: if it makes none.

        >>> [int(n) for n in tf.data.Dataset.range(5).apply(lambda data: data.skip(2).take(2))]
        [2, 3]
        """
        found = transformation_func(self)
        if not isinstance(found, Dataset):
            raise TypeError(f"transformation_func must return a dataset; it returned {found!r}")
        return found

    def save(
        self,
        path: str,
        compression: str | None = None,
        shard_func: Callable[..., TensorLike] | None = None,
        checkpoint_args: object = None,
    ) -> None:
        """Write the elements into a folder, from which `load` makes the dataset again.

        Args:
          path: the folder; it is made if it is not there, and a dataset that it holds is replaced.
          compression: "GZIP" to pack the elements.
          shard_func: makes of an element the number of the part where it goes; one part holds all without it.
          checkpoint_args: accepted; the folder holds the elements when all are written.
        Raises:
          TypeError: if elements hold something else than tensors of any shape and dtype, in tuples and dictionaries.
          ValueError: for any other compression.

        >>> import tempfile
        >>> path = tempfile.mkdtemp()
        >>> tf.data.Dataset.from_tensor_slices({"a": [1, 2], "b": [1.5, 2.5]}).save(path)
        >>> list(tf.data.Dataset.load(path).as_numpy_iterator())
        [{'a': np.int32(1), 'b': np.float32(1.5)}, {'a': np.int32(2), 'b': np.float32(2.5)}]
        """
        shard = None if shard_func is None else traced(shard_func, self.spec)
        collections.deque(saved.written(self, self.spec, os.fspath(path), _packed(compression), shard), maxlen=0)

    @staticmethod
    def load(
        path: str,
        element_spec: Structure = None,
        compression: str | None = None,
        reader_func: Callable[[Dataset], Dataset] | None = None,
        wait: bool = False,
    ) -> Dataset:
        """The dataset that `save` has written.

        Args:
          path: the folder.
          element_spec: a TensorSpec, of shape and dtype, for each tensor of an element; that of the dataset that was
            saved without.
          compression: "GZIP" if it was saved so.
          reader_func: makes of the parts, a dataset of datasets, the one of all elements; by default they take turns.
          wait: whether to wait for a folder that is not there yet.
        Raises:
          NotFoundError: if there is none in this folder.
          DataLossError: if it is damaged, was saved with another compression, or has elements of another spec, when
            one is asked for.

        >>> import tempfile
        >>> path = tempfile.mkdtemp()
        >>> tf.data.Dataset.range(4).batch(2).save(path, compression="GZIP")
        >>> [batch.tolist() for batch in tf.data.Dataset.load(path, compression="GZIP").as_numpy_iterator()]
        [[0, 1], [2, 3]]
        """
        folder, packed = os.fspath(path), _packed(compression)
        found, count, shards = saved.about(folder, wait)
        spec = opened(found if element_spec is None else element_spec)
        parts = [Dataset(functools.partial(saved.read, folder, spec, packed, n), spec=spec) for n in range(shards)]
        if reader_func is not None:
            return reader_func(_of_elements(parts, DatasetSpec(spec)))
        return Dataset(lambda: _in_turns([part._make() for part in parts]), count, spec)

    @transformation
    def snapshot(
        self,
        path: str,
        compression: str | None = "AUTO",
        reader_func: Callable[[Dataset], Dataset] | None = None,
        shard_func: Callable[..., TensorLike] | None = None,
        name: str | None = None,
    ) -> Dataset:
        """The same elements, written into a folder when they are first made, and then read from there.

        Args:
          path: the folder.
          compression: "GZIP" to pack the elements; "AUTO" and "SNAPPY" do not.
          reader_func, shard_func: as for `load` and `save`.
        Raises:
          DataLossError: when elements are read, if the folder is damaged or holds elements of another spec.

        >>> import tempfile
        >>> numbers = tf.data.Dataset.range(3).snapshot(tempfile.mkdtemp() + "/numbers")
        >>> [int(n) for n in numbers], [int(n) for n in numbers]
        ([0, 1, 2], [0, 1, 2])
        """
        folder, packed = os.fspath(path), _packed(None if compression in ("AUTO", "SNAPPY") else compression)
        spec = self.spec
        shard = None if shard_func is None else traced(shard_func, spec)

        def make() -> Elements:
            if saved.is_there(folder):
                return Dataset.load(folder, self.element_spec, packed, reader_func)._make()
            return saved.written(self._make(), spec, folder, packed, shard)

        return self._changed(make, lambda n: n, spec)

    @transformation
    def rejection_resample(
        self,
        class_func: Callable[..., TensorLike],
        target_dist: TensorLike,
        initial_dist: TensorLike | None = None,
        seed: int | None = None,
        name: str | None = None,
    ) -> Dataset:
        """Elements of which some are left out, so that classes are among the others as frequent as is wanted.

        Args:
          class_func: makes the number of its class of an element; it is traced as a `function`.
          target_dist: how frequent each class is to be, of shape [classes].
          initial_dist: how frequent it is; by default that is counted meanwhile.
          seed: what decides which are left out; others each time without.
        Returns: a dataset of pairs: the class, and the element.
        Raises:
          ValueError: if the two do not have as many classes.
          InvalidArgumentError: when an element is of another class.

        >>> data = tf.data.Dataset.from_tensor_slices([0, 0, 0, 1] * 100)
        >>> data = data.rejection_resample(lambda n: n, [0.5, 0.5], [0.75, 0.25], seed=1)
        >>> numbers = [int(n) for _, n in data]
        >>> numbers.count(1), 80 < numbers.count(0) < 120
        (100, True)
        """
        class_of: Traced = traced(class_func, self.spec)
        target = np.asarray(convert_to_tensor(target_dist).numpy(), float)
        initial = None if initial_dist is None else np.asarray(convert_to_tensor(initial_dist).numpy(), float)
        if target.ndim != 1 or (initial is not None and initial.shape != target.shape):
            raise ValueError(f"target_dist={target_dist!r}, initial_dist={initial_dist!r}: one number for each class")
        draws = _draws(seed, seed is None)
        spec = (class_of.spec, self.spec)
        return Dataset(
            lambda: rejection.resampled(self._make(), class_of, target, initial, draws()), UNKNOWN_CARDINALITY, spec
        )

    @transformation
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
        kept: list[Element] = []
        whole: list[bool] = []

        def make() -> Elements:
            if whole:
                yield from kept
                return
            found = []
            for element in self._make():
                found.append(element)
                yield element
            kept[:] = found
            whole.append(True)

        if self._rows is not None and self._rows.fixed:
            return self
        return self._changed(make, lambda n: n, self.spec)

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
        state = as_tensors(initial_state)
        if current() is not None:
            variables = Variables(("initial_state",), "")

            def step_of(element: Callable[[], Structure], state: Structure) -> list[Structure]:
                return [operators.call(reduce_func, state, element())]

            (found,) = staged_for(self, None, step_of, [state], variables)
            return found
        step = traced(reduce_func, self.spec, spec_of(state))
        for element in self._make():
            state = step(state, element)
        return state

    def get_single_element(self, name: str | None = None) -> Structure:
        """The element of a dataset that has one.

        Returns: a tensor, or a nested structure of tensors, of the shapes and dtypes of `element_spec`.
        Raises:
          InvalidArgumentError: if it has none, or several.

        >>> print(tf.data.Dataset.range(5).batch(5).get_single_element())
        tf.Tensor([0 1 2 3 4], shape=(5,), dtype=int64)
        """
        if current() is not None:
            return next(self.iterated())
        found = list(itertools.islice(self._make(), 2))
        if len(found) != 1:
            raise InvalidArgumentError(f"get_single_element(): the dataset has {'several' if found else 'no'} elements")
        return found[0]

    # In graphs.

    def kind(self) -> Kind:
        return DatasetSpec(self.spec)

    def in_graph(self) -> Items | Steps:
        rows = self._rows
        if rows is not None and rows.fixed and 0 <= self._count <= _WITH_ROWS and not _holds_objects(rows):
            tensors_ = [convert_to_tensor(EagerTensor(a)) for a in rows.whole(self._count)]

            def element(index: IndexLike) -> Element:
                return nest.rebuild(rows.spec, iter([t[index] for t in tensors_]))

            return Items(self._count, element)
        return self.iterated()

    def iterated(self) -> StagedIterator:
        found = apply(streams.iterator, self.in_trace())
        assert isinstance(found, SymbolicTensor)
        return StagedIterator(found, self.spec)

    def numbered(self, start: object) -> Dataset:
        return self.enumerate(start)  # type: ignore[arg-type]

    def beside(self, values: Sequence[object]) -> Dataset:
        datasets = [v if isinstance(v, Dataset) else Dataset.from_tensor_slices(v) for v in values]
        return Dataset.zip(tuple(datasets))


class StagedDataset(Dataset):
    """A dataset of a graph: its elements are known when the graph runs."""

    outlives_graphs = False

    def __init__(self, handle: SymbolicTensor, spec: Spec) -> None:
        super().__init__(tuple, UNKNOWN_CARDINALITY, spec)
        self._handle = handle

    @property
    def template(self) -> Dataset:
        """A dataset of such elements, of which no more is known."""
        return Dataset(tuple, UNKNOWN_CARDINALITY, self._spec)

    def in_trace(self) -> SymbolicTensor:
        return self._handle

    def as_argument(self) -> StagedHandle:
        return StagedHandle(self._handle, self.kind())

    def cardinality(self) -> Tensor:
        def count(dataset: EagerTensor) -> np.int64:
            return np.int64(object_of(dataset.array)._count)

        found = effects.py_function(count, [self._handle], int64)
        assert isinstance(found, Tensor)
        return ensure_shape(found, ())


def assert_cardinality(expected_cardinality: int) -> Callable[[Dataset], Dataset]:
    """What says of a dataset, for `Dataset.apply`, how many elements it has, where that is not known.

    Args:
      expected_cardinality: how many; -1 for no end.
    Returns: a function from a dataset to one with the same elements, which raises FailedPreconditionError where there
      is another number of them.

    >>> data = tf.data.Dataset.range(6).filter(lambda n: n % 2 == 0)
    >>> len(data.apply(tf.data.experimental.assert_cardinality(3)))
    3
    """
    count = operator.index(expected_cardinality)

    @transformation
    def counted(dataset: Dataset) -> Dataset:
        return Dataset(lambda: guarded.counted(dataset._make, count), count, dataset.spec)

    return counted


def _condition(predicate: Callable[..., TensorLike], spec: Spec) -> Callable[..., Element]:
    """A function that says of an element whether it holds, traced."""
    test: Traced = traced(predicate, spec)
    found = test.spec
    if not isinstance(found, TensorSpec) or found.dtype != "bool" or found.shape.dims not in ((), None):
        raise ValueError(f"predicate must return a boolean of shape (); it returned {found}")
    return test


class _Opened(Traced):
    """A function that makes a dataset of an element."""

    inner: Spec

    def leaving(self, found: object) -> object:
        if not isinstance(found, Dataset):
            raise TypeError(f"map_func must return a dataset; it returned {found!r}")
        self.inner = found.spec
        return found.in_trace()

    def __call__(self, *given: Element) -> Elements:
        dataset: Dataset = object_of(super().__call__(*given))
        return dataset._make()


def _holds_objects(rows: Rows) -> bool:
    return any(isinstance(leaf, Kind) for leaf in nest.flatten(rows.spec))


def _length(numbers: range) -> int:
    return max(0, -((numbers.start - numbers.stop) // numbers.step))  # which may be more than `len` counts


def _in_turns(parts: Sequence[Elements]) -> Elements:
    """From each an element at a time, for as long as it has one."""
    left = [iter(part) for part in parts]
    while left:
        for part in [*left]:
            if (found := next(part, None)) is None:
                left.remove(part)
            else:
                yield found


def _whole(value: Any) -> int | None:
    """A whole number that was given; None if only the graph knows it."""
    return None if isinstance(value, SymbolicTensor) else int(value)


def _packed(compression: str | None) -> str | None:
    if compression not in saved.PACKED:
        raise ValueError(f"compression={compression!r}: it is one of {saved.PACKED}")
    return compression


def _at_least_one(name: str, value: SizeLike) -> Any:
    """A number that was given, None if only the graph knows it."""
    number = _whole(value)
    if number is not None and number < 1:
        raise InvalidArgumentError(f"{name}={number}: it must be 1 at least")
    return number


def _parts_by(spec: Spec, value: Structure) -> Iterable[Structure]:
    """The parts of what a generator yielded for each leaf of a spec, by name where it is a dictionary."""
    if isinstance(spec, dict):
        if not isinstance(value, dict) or spec.keys() != value.keys():
            raise TypeError(f"the generator yielded {value!r}, expected a dictionary with {sorted(spec)}")
        return [part for key in spec for part in _parts_by(spec[key], value[key])]
    if not nest.is_nested(spec) or isinstance(spec, Composite):
        return [value]
    inner, given = list(nest.parts(spec)), list(value)
    if len(inner) != len(given):
        raise TypeError(f"the generator yielded {len(given)} values, expected {len(inner)}")
    return [part for s, v in zip(inner, given) for part in _parts_by(s, v)]


def _shapes(given: Structure, count: int) -> list[TensorShape]:
    """The shapes that a structure of them has, one for each tensor."""
    found: list[TensorShape] = []

    def add(part: object) -> None:
        if isinstance(part, dict):
            for key in part:
                add(part[key])
        elif isinstance(part, TensorShape):
            found.append(part)
        elif isinstance(part, list | tuple) and all(d is None or isinstance(d, int | np.integer) for d in part):
            found.append(TensorShape([None if d is None or d < 0 else int(d) for d in part]))
        elif isinstance(part, tuple):
            for inner in part:
                add(inner)
        else:
            raise TypeError(f"padded_shapes is made of shapes, each a list of sizes; {part!r} is none")

    add(given)
    if len(found) != count:
        raise ValueError(f"padded_shapes={given}: one for each of {count} tensors of an element")
    return found


def _padding(spec: Spec, value: TensorLike | None) -> object:
    if not isinstance(spec, TensorSpec):
        raise TypeError(f"padded_batch() pads tensors; elements hold {spec}")
    if value is None:
        return b"" if spec.dtype.has_objects else spec.dtype.dtype.type(0)
    found = convert_to_tensor(value, spec.dtype)
    if found.type.shape != ():
        raise ValueError(f"padding_values: {value!r} is not one value")
    return found.numpy()


def _of_elements(elements: Sequence[Element], spec: Spec) -> Dataset:
    """A dataset of elements that are there."""
    return Dataset(lambda: iter(elements), len(elements), spec)


def _by_keys(
    elements: Iterable[Element], key_of: Callable[[Element], int], size_of: Callable[[int], int]
) -> AnyIterator[tuple[int, list[Element]]]:
    """So many elements of one key at a time, with it; in the end those that are left, in the order of the keys."""
    waiting: dict[int, list[Element]] = {}
    for element in elements:
        key = key_of(element)
        some = waiting.setdefault(key, [])
        some.append(element)
        if len(some) >= size_of(key):
            yield key, waiting.pop(key)
    yield from sorted(waiting.items(), key=lambda item: item[0])


def _windows(
    elements: AnyIterator[Element], size: int, shift: int, stride: int, drop_remainder: bool
) -> Iterable[list[Element]]:
    reach = (size - 1) * stride + 1  # how many elements a window passes
    held: collections.deque[Element] = collections.deque()
    while True:
        held.extend(itertools.islice(elements, max(0, reach - len(held))))
        group = list(itertools.islice(held, 0, None, stride))[:size]
        if not group or (drop_remainder and len(group) < size):
            return
        yield group
        for _ in range(min(shift, len(held))):
            held.popleft()
        collections.deque(itertools.islice(elements, max(0, shift - reach)), maxlen=0)


def interleaved(streams_: AnyIterator[Elements], cycle: int, block: int) -> Elements:
    """From so many iterators at a time so many elements each; one that ends gives its place to the next."""
    places: list[AnyIterator[Element] | None] = [None] * cycle
    more = True
    at = 0
    while more or any(p is not None for p in places):
        if places[at] is None and more:
            found = next(streams_, None)
            more = found is not None
            places[at] = iter(found) if found is not None else None
        place = places[at]
        if place is not None:
            given = 0
            for element in itertools.islice(place, block):
                given += 1
                yield element
            if given < block:
                places[at] = None
        at = (at + 1) % cycle


def _draws(seed: int | None, goes_on: bool) -> Callable[[], np.random.Generator]:
    """What makes a generator of random numbers for each time: one that goes on, or one that begins anew alike."""
    if goes_on:
        draw = np.random.default_rng(seed)
        return lambda: draw
    start = np.random.SeedSequence(seed)
    return lambda: np.random.default_rng(start)


def _shuffled(items: AnyIterator[T], size: int, draw: np.random.Generator) -> AnyIterator[T]:
    buffer = list(itertools.islice(items, size))
    for item in items:
        at = int(draw.integers(len(buffer)))
        yield buffer[at]
        buffer[at] = item
    for at in draw.permutation(len(buffer)):
        yield buffer[at]


def _repeated(make: Callable[[], Iterable[T]], rounds: int) -> AnyIterator[T]:
    for _ in itertools.count() if rounds < 0 else range(rounds):
        given = False
        for item in make():
            given = True
            yield item
        if not given:  # nor will it be next time
            return


def _chosen(datasets: Sequence[Dataset], choices: Iterable[int], stops: bool) -> Elements:
    iterators = [iter(d._make()) for d in datasets]
    for choice in choices:
        if not 0 <= choice < len(datasets):
            raise InvalidArgumentError(
                f"choose_from_datasets(): there are {len(datasets)} datasets, and {choice} was chosen"
            )
        found = next(iterators[choice], None)
        if found is not None:
            yield found
        elif stops:
            return


def _sampled(
    datasets: Sequence[Dataset], likely: Sequence[float] | NumPyArray, draw: np.random.Generator, stops: bool
) -> Elements:
    iterators = [iter(d._make()) for d in datasets]
    left = np.array(likely)
    while left.sum() > 0:
        choice = int(draw.choice(len(iterators), p=left / left.sum()))
        found = next(iterators[choice], None)
        if found is not None:
            yield found
        elif stops:
            return
        else:
            left[choice] = 0


DatasetSpec.stand_in = StagedDataset
register_backend(Dataset, BACKEND, announces=True)
