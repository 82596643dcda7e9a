"""Iterators over datasets: in Python, and in graphs, where they are state that each run goes on with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from autograph import register_backend
from runtime.control.items import Items, Source, Steps
from runtime.datasets.elements import Element, IteratorSpec, Spec, arrays_of, element_of, types_of
from runtime.datasets.optionals import Optional, next_of
from runtime.graph.errors import OperatorNotAllowedInGraphError, OutOfRangeError
from runtime.ops import streams
from runtime.staging.backend import BACKEND
from runtime.tensors import nest
from runtime.tensors.composite_specs import closed
from runtime.tensors.frames import hide
from runtime.tensors.objects import Carried, Kind, StagedHandle
from runtime.tensors.operations import apply, apply_all
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import current, recording
from runtime.tensors.types import Structure


class _Going(Carried, Source):
    """An iterator over a dataset, in Python or in a graph."""

    _spec: Spec

    def kind(self) -> Kind:
        return IteratorSpec(self._spec)

    def iterated(self) -> StagedIterator:
        raise NotImplementedError

    def in_graph(self) -> Items | Steps:
        return self.iterated()

    def numbered(self, start: object) -> object:
        raise TypeError("enumerate() of an iterator that only the graph goes on with: enumerate the dataset")

    def beside(self, values: Sequence[object]) -> object:
        raise TypeError("zip() of an iterator that only the graph goes on with: zip the datasets")


class Iterator(streams.Stream, _Going):
    """Gives the elements of a dataset, each once, to whoever asks: Python, or a graph when it runs.

    A function that it is given to has one graph for all iterators over elements of one spec. A `train.Checkpoint` keeps
    how many elements it has given: restored, it begins anew and leaves out as many, so that a dataset is to be shuffled
    with a seed and ``reshuffle_each_iteration=False``.

    Args:
      elements: makes what it gives, an iterable of nested structures of tensors.
      spec: a TensorSpec, of shape and dtype, for each tensor of an element.

    >>> numbers = iter(tf.data.Dataset.range(5))
    >>> @tf.function
    ... def pair(iterator):
    ...     return next(iterator) * 10 + next(iterator)
    >>> int(pair(numbers)), int(pair(numbers)), int(next(numbers))
    (1, 23, 4)
    """

    def __init__(self, elements: Callable[[], Iterable[Structure]], spec: Structure) -> None:
        super().__init__(arrays_of(element) for element in elements())
        self._spec, self._make, self._given = spec, elements, 0

    def advance(self) -> bool:
        with self._asking:
            there = super().advance()
            self._given += there
            return there

    def _state_for_checkpoints(self) -> dict[str, object]:
        return {"given": self._given}

    def _go_on_from(self, state: Mapping[str, Any]) -> None:
        """Begin anew, and leave out as many elements as it had given."""
        count = int(state["given"])
        with self._asking, recording(None):
            self._elements = (arrays_of(element) for element in self._make())
            self._given = 0
            while self._given < count and self.advance():
                pass

    @property
    def element_spec(self) -> Structure:
        """A TensorSpec, of shape and dtype, for each tensor of an element.

        >>> iter(tf.data.Dataset.range(3)).element_spec
        TensorSpec(shape=(), dtype=tf.int64, name=None)
        """
        return closed(self._spec)  # type: ignore[no-any-return]

    def __iter__(self) -> Iterator:
        refuse_to_unroll("an iterator over a dataset")
        return self

    def __next__(self) -> Structure:
        if current() is not None:
            return next(self.iterated())
        try:
            with recording(None):
                found = self.next()
        except Exception as error:
            hide(error)
            raise
        if found is None:
            raise StopIteration
        return element_of(self._spec, found)

    def get_next(self) -> Structure:
        """The next element.

        Returns: a tensor, or a nested structure of tensors, of the shapes and dtypes of `element_spec`.
        Raises:
          OutOfRangeError: if there is none.

        >>> int(iter(tf.data.Dataset.range(3)).get_next())
        0
        """
        if current() is not None:
            return next(self.iterated())
        for element in self:
            return element
        raise OutOfRangeError("End of sequence: the iterator has given all of its elements.")

    def get_next_as_optional(self) -> Optional:
        """The next element, if there is one.

        Returns: an Optional of a tensor, or of a nested structure of tensors, as `element_spec` has it.

        >>> numbers = iter(tf.data.Dataset.range(1))
        >>> [bool(numbers.get_next_as_optional().has_value()) for _ in range(2)]
        [True, False]
        """
        if current() is not None:
            return self.iterated().get_next_as_optional()
        for element in self:
            return Optional.from_value(element)
        return Optional.empty(self._spec)

    # In graphs.

    def iterated(self) -> StagedIterator:
        return StagedIterator(self.in_trace(), self._spec)


def refuse_to_unroll(what: str) -> None:
    """Refuse to be gone through by Python while something is traced: when that ends only the graph knows."""
    if current() is not None:
        raise OperatorNotAllowedInGraphError(
            f"code that was not converted goes through {what} while a function is traced, which the graph does when it "
            "runs. Loop over it with `for` in a converted function, or make a list of its elements outside."
        )


class StagedIterator(Steps, _Going):
    """An iterator in a graph: what asks it for an element is an operation, done whenever the graph comes there."""

    outlives_graphs = False

    def __init__(self, handle: SymbolicTensor, spec: Spec) -> None:
        self._handle = handle
        self._spec = spec
        self.element_spec = closed(spec)

    def advance(self) -> Tensor:
        return apply(streams.advance, self._handle)

    def item(self) -> Element:
        found = apply_all(streams.element_of, self._handle, types=types_of(self._spec))
        given = iter(found if isinstance(found, tuple) else (found,))

        def leaf(part: object) -> object:
            if part is None:
                return None
            value = next(given)
            return part.staged(value) if isinstance(part, Kind) and isinstance(value, SymbolicTensor) else value

        return nest.map_structure(leaf, self._spec)

    def __iter__(self) -> StagedIterator:
        refuse_to_unroll("an iterator over a dataset")
        return self

    def __next__(self) -> Element:
        self.advance()
        return self.item()  # which raises OutOfRangeError where there is none

    get_next = __next__

    def get_next_as_optional(self) -> Optional:
        return next_of(self, self._spec)

    def as_argument(self) -> StagedHandle:
        return StagedHandle(self._handle, self.kind())

    def in_trace(self) -> SymbolicTensor:
        return self._handle

    def iterated(self) -> StagedIterator:
        return self


IteratorSpec.stand_in = StagedIterator
register_backend((Iterator, StagedIterator), BACKEND, announces=True)
