"""Iterators over datasets in graphs of TensorFlow 1, which go on with each run of a session."""

from __future__ import annotations

from typing import Any

from runtime.datasets.dataset import Dataset
from runtime.datasets.elements import Spec
from runtime.datasets.iterators import Iterator as EagerIterator
from runtime.graph.errors import FailedPreconditionError, OutOfRangeError
from runtime.tensors import effects, nest
from runtime.tensors.composite_specs import closed, opened
from runtime.tensors.objects import object_of
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import EagerTensor
from runtime.tensors.trace import current, recording
from runtime.tensors.types import Structure


class Iterator:
    """An iterator of a graph: a run of what `get_next` gives takes an element.

    `make_one_shot_iterator` and `make_initializable_iterator` make one, and so does `Iterator.from_structure`.
    """

    def __init__(self, spec: Spec) -> None:
        self._spec = opened(spec)
        self._going: EagerIterator | None = None
        self._initializer: object = None

    @staticmethod
    def from_structure(
        output_types: Structure,
        output_shapes: Structure = None,
        shared_name: str | None = None,
        output_classes: object = None,
    ) -> Iterator:
        """One that is given its dataset by `make_initializer`, and again, whenever that is run.

        Args:
          output_types: a structure of the dtypes of an element's tensors.
          output_shapes: one of their shapes.
          shared_name, output_classes: accepted.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     iterator = tf.compat.v1.data.Iterator.from_structure(tf.int64, [])
        ...     element = iterator.get_next()
        ...     session.run(iterator.make_initializer(tf.data.Dataset.range(5, 8)))
        ...     session.run(element), session.run(element)
        (np.int64(5), np.int64(6))
        """
        if output_shapes is None:
            return Iterator(nest.map_structure(lambda t: TensorSpec(None, t), output_types))
        leaves = iter(nest.flatten(output_types))
        several = nest.is_nested(output_types)
        shapes: Any = nest.parts(output_shapes) if several else [output_shapes]
        return Iterator(nest.rebuild(output_types, iter([TensorSpec(shape, next(leaves)) for shape in shapes])))

    @property
    def initializer(self) -> object:
        """The operation that begins with the dataset anew.

        Raises ValueError for an iterator that has none.
        """
        if self._initializer is None:
            raise ValueError("Iterator does not have an initializer.")
        return self._initializer

    def make_initializer(self, dataset: Dataset, name: str | None = None) -> object:
        """The operation that begins with a dataset.

        Args:
          dataset: its elements are those of the iterator.
        """

        def begun(given: EagerTensor) -> bool:
            self._begin(object_of(given.array))
            return True

        made: Any = effects.py_function(begun, [dataset.in_trace()], "bool")
        return made.op

    def _begin(self, dataset: Dataset) -> None:
        self._going = EagerIterator(dataset._make, self._spec)

    def get_next(self, name: str | None = None) -> Structure:
        """The next element when it is run: tensors of the graph, in the structure of an element.

        Raises OutOfRangeError, when it is run, if there is none.
        """
        leaves = nest.flatten(self._spec)

        def taken() -> list[object]:
            if self._going is None:
                raise FailedPreconditionError(
                    "GetNext() failed because the iterator has not been initialized: run its initializer first"
                )
            with recording(None):
                found = self._going.next()
            if found is None:
                raise OutOfRangeError("End of sequence: the iterator has given all of its elements.")
            return [EagerTensor.of(one) for one in found]

        made: Any = effects.py_function(taken, [], leaves)
        return nest.rebuild(self._spec, iter(made))

    @property
    def element_spec(self) -> Structure:
        """The spec of an element."""
        return closed(self._spec)  # type: ignore[no-any-return]

    @property
    def output_types(self) -> Structure:
        """The dtypes of an element's tensors."""
        return nest.map_structure(lambda leaf: leaf.dtype, self._spec)  # type: ignore[no-any-return]

    @property
    def output_shapes(self) -> Structure:
        """The shapes of an element's tensors."""
        return nest.map_structure(lambda leaf: leaf.shape, self._spec)  # type: ignore[no-any-return]


def make_one_shot_iterator(dataset: Dataset) -> Iterator | EagerIterator:
    """An iterator that goes through a dataset once.

    Args:
      dataset: the dataset, which depends on nothing of a graph.
    Returns: in a graph an Iterator; where operations run at once, ``iter(dataset)``.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     element = tf.compat.v1.data.make_one_shot_iterator(tf.data.Dataset.range(2)).get_next()
    ...     session.run(element), session.run(element)
    (np.int64(0), np.int64(1))
    """
    if current() is None:
        return iter(dataset)
    if not dataset.outlives_graphs:
        raise ValueError(
            "make_one_shot_iterator of a dataset that a graph makes, of a placeholder: "
            "make_initializable_iterator has an initializer that is fed"
        )
    made = Iterator(dataset.spec)
    made._begin(dataset)
    return made


def make_initializable_iterator(dataset: Dataset, shared_name: str | None = None) -> Iterator:
    """An iterator whose `initializer` begins with a dataset each time that it is run.

    Args:
      dataset: the dataset, which may depend on placeholders.
      shared_name: accepted.
    Raises:
      RuntimeError: where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     n = tf.compat.v1.placeholder(tf.int64, [])
    ...     iterator = tf.compat.v1.data.make_initializable_iterator(tf.data.Dataset.range(n))
    ...     element = iterator.get_next()
    ...     session.run(iterator.initializer, {n: 2})
    ...     session.run(element), session.run(element)
    (np.int64(0), np.int64(1))
    """
    if current() is None:
        raise RuntimeError(
            "dataset.make_initializable_iterator is not supported when eager execution is enabled. Use `for element in "
            "dataset` instead."
        )
    made = Iterator(dataset.spec)
    made._initializer = made.make_initializer(dataset)
    return made
