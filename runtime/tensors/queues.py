"""Queues of tensors that graphs and threads share: what one puts in another takes out, and waits for it."""

from __future__ import annotations

import bisect
import random
import threading
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype, int32, int64
from runtime.graph.errors import CancelledError, InvalidArgumentError, OutOfRangeError
from runtime.graph.operations import Operation
from runtime.graph.shapes import TensorShape
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.effects import py_function, recorded_operation
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, PatternLike, SizeLike, TensorLike

Element: TypeAlias = tuple[NumPyArray, ...]
Given: TypeAlias = "TensorLike | Sequence[TensorLike] | Mapping[str, TensorLike]"
Shapes: TypeAlias = "PatternLike | Sequence[PatternLike]"
Taken: TypeAlias = "Tensor | list[Tensor] | dict[str, Tensor]"


class QueueBase:
    """What all queues do: elements of one or several tensors are put in and taken out, by threads and by graphs.

    >>> isinstance(tf.queue.FIFOQueue(2, tf.int32), tf.queue.QueueBase)
    True
    """

    def __init__(
        self, capacity: int, dtypes: Sequence[DType], shapes: Sequence[TensorShape] | None,
        names: Sequence[str] | None, name: str,
    ) -> None:  # fmt: skip
        self._capacity, self._dtypes, self._shapes = capacity, [*dtypes], shapes
        self._names, self._name = None if names is None else [*names], name
        for what, given in (("shapes", shapes), ("names", names)):
            if given is not None and len(given) != len(dtypes):
                raise ValueError(f"{len(given)} {what} of a queue whose elements are {len(dtypes)} tensors")
        self._elements: list[Element] = []
        self._closed = False
        self._changed = threading.Condition()

    @property
    def dtypes(self) -> list[DType]:
        """The dtypes of the tensors of an element.

        >>> tf.queue.FIFOQueue(2, [tf.int32, tf.string]).dtypes
        [tf.int32, tf.string]
        """
        return [*self._dtypes]

    @property
    def shapes(self) -> list[TensorShape]:
        """The shapes of the tensors of an element.

        >>> tf.queue.FIFOQueue(2, tf.int32, shapes=[[3]]).shapes
        [TensorShape([3])]
        """
        return [TensorShape(None)] * len(self._dtypes) if self._shapes is None else [*self._shapes]

    @property
    def names(self) -> list[str] | None:
        """The names of the tensors of an element, which is a dictionary then.

        >>> tf.queue.FIFOQueue(2, [tf.int32], names=["x"]).names
        ['x']
        """
        return self._names

    @property
    def name(self) -> str:
        """The name.

        >>> tf.queue.FIFOQueue(2, tf.int32, name="waiting").name
        'waiting'
        """
        return self._name

    # What is done when a graph runs, or at once.

    def _first(self) -> Element:
        return self._elements.pop(0)

    def _keep(self, element: Element) -> None:
        self._elements.append(element)

    def _least(self) -> int:
        """How many elements stay in the queue until it is closed."""
        return 0

    def _put(self, elements: Sequence[Element]) -> None:
        with self._changed:
            for element in elements:
                self._changed.wait_for(lambda: self._closed or len(self._elements) < self._capacity)
                if self._closed:
                    raise CancelledError(f"{type(self).__name__} '{self._name}' is closed.")
                self._keep(element)
                self._changed.notify_all()

    def _take(self, count: int, fewer: bool) -> list[Element]:
        taken: list[Element] = []
        with self._changed:
            while len(taken) < count:
                self._changed.wait_for(lambda: self._closed or len(self._elements) > self._least())
                if not self._elements:
                    break
                taken.append(self._first())
                self._changed.notify_all()
            if len(taken) < (min(count, 1) if fewer else count):
                self._elements[:0] = taken
                raise OutOfRangeError(
                    f"{type(self).__name__} '{self._name}' is closed and has insufficient elements "
                    f"(requested {count}, current size {len(taken)})"
                )
        return taken

    def _joined(self, elements: Sequence[Element]) -> list[NumPyArray]:
        parts = [*zip(*elements)] or [()] * len(self._dtypes)
        return [
            np.stack(part) if part else np.zeros((0, *(d or 0 for d in shape.dims or ())), dtype.dtype)
            for part, shape, dtype in zip(parts, self.shapes, self._dtypes)
        ]

    # What programs say.

    def _parts(self, vals: Given, batched: bool) -> list[Tensor]:
        if isinstance(vals, Mapping) != (self._names is not None):
            wanted = "a dictionary, as it has names" if self._names is not None else "no dictionary, as it has no names"
            raise ValueError(f"an element of the queue '{self._name}' is {wanted}")
        if isinstance(vals, Mapping):
            if sorted(vals) != sorted(self._names or ()):
                raise ValueError(f"an element with the names {sorted(vals)}; the queue has {sorted(self._names or ())}")
            given = [vals[name] for name in self._names or ()]
        else:
            several = isinstance(vals, list | tuple) and (len(self._dtypes) > 1 or len(vals) == 1)
            given = [*vals] if several else [vals]  # type: ignore[list-item, misc]
        if len(given) != len(self._dtypes):
            raise ValueError(f"an element of {len(given)} tensors; those of the queue have {len(self._dtypes)}")
        made = [convert_to_tensor(part, dtype) for part, dtype in zip(given, self._dtypes)]
        for part, shape in zip(made, self.shapes):
            found = TensorShape(part.shape)
            if batched:
                if found.rank == 0:
                    raise ValueError("enqueue_many takes tensors with an axis along which the elements are")
                found = found[1:]
            self._check(found, shape)
        return made

    def _check(self, found: TensorShape, shape: TensorShape) -> None:
        if not shape.is_compatible_with(found):
            raise ValueError(f"Shapes {found} and {shape} are incompatible: an element of another shape")

    def enqueue(self, vals: Given, name: str | None = None) -> Operation | None:
        """Put an element in; wait for room if the queue is full.

        Args:
          vals: a tensor, or a list of them, or a dictionary by the queue's names.
        Returns: the operation in a graph of `compat.v1`; None elsewhere.
        Raises:
          CancelledError: if the queue is closed.
          ValueError: for tensors of other shapes, or another number of them.

        >>> q = tf.queue.FIFOQueue(2, [tf.int32, tf.string])
        >>> q.enqueue([1, "one"])
        >>> [part.numpy() for part in q.dequeue()]
        [np.int32(1), b'one']
        """
        py_function(lambda *parts: self._put([tuple(p.numpy() for p in parts)]), self._parts(vals, False), [])
        return recorded_operation()

    def enqueue_many(self, vals: Given, name: str | None = None) -> Operation | None:
        """Put the parts of tensors in, along their first axis, one after the other.

        Args:
          vals: a tensor of shape [n, ...], or a list of them, or a dictionary by the queue's names.
        Returns: the operation in a graph of `compat.v1`; None elsewhere.
        Raises:
          CancelledError: if the queue is closed.
          ValueError: for tensors of other shapes, or another number of them.

        >>> q = tf.queue.FIFOQueue(3, tf.int32)
        >>> q.enqueue_many([[1, 2, 3]])
        >>> int(q.dequeue()), int(q.size())
        (1, 2)
        """

        def put(*parts: Any) -> None:
            arrays = [part.numpy() for part in parts]
            if len({len(array) for array in arrays}) > 1:
                raise InvalidArgumentError(f"enqueue_many of {[len(a) for a in arrays]} parts: they differ in number")
            self._put([*zip(*arrays)])

        py_function(put, self._parts(vals, True), [])
        return recorded_operation()

    def _specs(self, count: int | None, batched: bool) -> list[TensorSpec]:
        first = [count] if batched else []
        dims = [None if shape.rank is None else [*first, *shape] for shape in self.shapes]
        return [TensorSpec(each, dtype) for each, dtype in zip(dims, self._dtypes)]

    def _named(self, parts: Any) -> Taken:
        if self._names is not None:
            return dict(zip(self._names, parts))
        return parts[0] if len(parts) == 1 else [*parts]  # type: ignore[no-any-return]

    def dequeue(self, name: str | None = None) -> Taken:
        """Take the next element out; wait for one if the queue is empty.

        Returns: a tensor; a list if an element has several, a dictionary if they have names.
        Raises:
          OutOfRangeError: if the queue is empty and closed.

        >>> q = tf.queue.FIFOQueue(2, tf.float32)
        >>> q.enqueue(0.5)
        >>> print(q.dequeue())
        tf.Tensor(0.5, shape=(), dtype=float32)
        """
        return self._named(py_function(lambda: [*self._take(1, False)[0]], [], self._specs(None, False)))

    def dequeue_many(self, n: SizeLike, name: str | None = None) -> Taken:
        """Take several elements out, joined along a new first axis; wait until there are so many.

        Args:
          n: how many.
        Returns: a tensor of shape [n, ...]; a list if an element has several, a dictionary if they have names.
        Raises:
          OutOfRangeError: if the queue is closed, and has fewer.
          ValueError: if the queue was made without the shapes of its elements.

        >>> q = tf.queue.FIFOQueue(3, tf.int32, shapes=[[]])
        >>> q.enqueue_many([[1, 2, 3]])
        >>> print(q.dequeue_many(2))
        tf.Tensor([1 2], shape=(2,), dtype=int32)
        """
        return self._several(n, False)

    def dequeue_up_to(self, n: SizeLike, name: str | None = None) -> Taken:
        """`dequeue_many`, which takes what is left once the queue is closed.

        Args:
          n: how many, at most.
        Returns: a tensor of shape [as many, ...]; a list if an element has several, a dictionary if they have names.
        Raises:
          OutOfRangeError: if the queue is empty and closed.
          ValueError: if the queue was made without the shapes of its elements.

        >>> q = tf.queue.FIFOQueue(3, tf.int32, shapes=[[]])
        >>> q.enqueue_many([[1, 2, 3]])
        >>> q.close()
        >>> print(q.dequeue_up_to(5))
        tf.Tensor([1 2 3], shape=(3,), dtype=int32)
        """
        return self._several(n, True)

    def _several(self, n: SizeLike, fewer: bool) -> Taken:
        if any(not self._is_known(shape) for shape in self.shapes):
            raise ValueError("elements are joined only of a queue that was made with the shapes of its elements")

        def take(count: Any) -> list[NumPyArray]:
            return self._joined(self._take(int(count), fewer))

        known = n if isinstance(n, int) and not fewer else None
        return self._named(py_function(take, [operand(n)], self._specs(known, True)))

    def _is_known(self, shape: TensorShape) -> bool:
        return shape.is_fully_defined()

    def size(self, name: str | None = None) -> Tensor:
        """How many elements there are, a tensor of shape () and int32.

        >>> int(tf.queue.FIFOQueue(3, tf.int32).size())
        0
        """
        found: Tensor = py_function(lambda: len(self._elements), [], TensorSpec([], int32))  # type: ignore[assignment]
        return found

    def is_closed(self, name: str | None = None) -> Tensor:
        """Whether it was closed, a tensor of shape () and bool.

        >>> bool(tf.queue.FIFOQueue(3, tf.int32).is_closed())
        False
        """
        found: Tensor = py_function(lambda: self._closed, [], TensorSpec([], "bool"))  # type: ignore[assignment]
        return found

    def close(self, cancel_pending_enqueues: bool = False, name: str | None = None) -> Operation | None:
        """Let nothing more in: what waits for elements that will not come gets an error.

        Args:
          cancel_pending_enqueues: accepted: what waits for room gets an error, too.
        Returns: the operation in a graph of `compat.v1`; None elsewhere.

        >>> tf.queue.FIFOQueue(3, tf.int32).close()
        """

        def close() -> None:
            with self._changed:
                self._closed = True
                self._changed.notify_all()

        py_function(close, [], [])
        return recorded_operation()


def _kinds(dtypes: DTypeLike | Sequence[DTypeLike]) -> list[DType]:
    return [as_dtype(one) for one in (dtypes if isinstance(dtypes, list | tuple) else [dtypes])]  # type: ignore[arg-type]


def _patterns(shapes: Any, count: int) -> list[TensorShape] | None:
    if shapes is None:
        return None
    if isinstance(shapes, TensorShape):
        return [shapes]
    alone = count == 1 and all(d is None or isinstance(d, int) for d in shapes) and (len(shapes) != count or shapes)
    return [TensorShape(shapes)] if alone else [TensorShape(one) for one in shapes]


class FIFOQueue(QueueBase):
    """A queue from which what was first put in is first taken out.

    Args:
      capacity: how many elements it holds.
      dtypes: the dtype of the elements, or of each tensor of an element.
      shapes: their shapes, one for each; elements may differ in shape without.
      names: names for them; an element is a dictionary then.
      shared_name: accepted.
      name: its name, for messages.

    >>> q = tf.queue.FIFOQueue(3, [tf.int32], shapes=[[]])
    >>> q.enqueue_many([[1, 2]])
    >>> int(q.dequeue()), int(q.dequeue())
    (1, 2)
    """

    def __init__(
        self, capacity: int, dtypes: DTypeLike | Sequence[DTypeLike], shapes: Shapes = None,
        names: Sequence[str] | None = None, shared_name: str | None = None, name: str = "fifo_queue",
    ) -> None:  # fmt: skip
        kinds = _kinds(dtypes)
        super().__init__(capacity, kinds, _patterns(shapes, len(kinds)), names, name)


class PaddingFIFOQueue(FIFOQueue):
    """A `FIFOQueue` of elements of sizes of their own, which are filled up with zeros where they are joined.

    Args:
      capacity: how many elements it holds.
      dtypes: the dtype of the elements, or of each tensor of an element.
      shapes: their shapes, one for each, with None for sizes that differ.
      names: names for them; an element is a dictionary then.
      shared_name: accepted.
      name: its name, for messages.

    >>> q = tf.queue.PaddingFIFOQueue(3, tf.int32, shapes=[[None]])
    >>> q.enqueue([[1, 2]])
    >>> q.enqueue([[3]])
    >>> q.dequeue_many(2).numpy().tolist()
    [[1, 2], [3, 0]]
    """

    def __init__(
        self, capacity: int, dtypes: DTypeLike | Sequence[DTypeLike], shapes: Shapes,
        names: Sequence[str] | None = None, shared_name: str | None = None, name: str = "padding_fifo_queue",
    ) -> None:  # fmt: skip
        super().__init__(capacity, dtypes, shapes, names, shared_name, name)

    def _is_known(self, shape: TensorShape) -> bool:
        return shape.rank is not None

    def _joined(self, elements: Sequence[Element]) -> list[NumPyArray]:
        filled = []
        for parts in zip(*elements):
            dims = np.max([np.shape(part) for part in parts], axis=0).astype(int)
            nothing = b"" if np.asarray(parts[0]).dtype == object else 0
            filled.append([
                np.pad(part, [(0, d - s) for d, s in zip(dims, np.shape(part))], constant_values=nothing)  # type: ignore[call-overload]
                for part in parts
            ])  # fmt: skip
        return super()._joined([*zip(*filled)])


class RandomShuffleQueue(QueueBase):
    """A queue from which any of its elements is taken out, as it falls.

    Args:
      capacity: how many elements it holds.
      min_after_dequeue: how many stay in it, to choose among, until it is closed.
      dtypes: the dtype of the elements, or of each tensor of an element.
      shapes: their shapes, one for each; elements may differ in shape without.
      names: names for them; an element is a dictionary then.
      seed: what decides the draws.
      shared_name: accepted.
      name: its name, for messages.

    >>> q = tf.queue.RandomShuffleQueue(3, 0, tf.int32)
    >>> q.enqueue_many([[1, 2, 3]])
    >>> sorted(int(q.dequeue()) for _ in range(3))
    [1, 2, 3]
    """

    def __init__(
        self, capacity: int, min_after_dequeue: int, dtypes: DTypeLike | Sequence[DTypeLike],
        shapes: Shapes = None, names: Sequence[str] | None = None,
        seed: int | None = None, shared_name: str | None = None, name: str = "random_shuffle_queue",
    ) -> None:  # fmt: skip
        kinds = _kinds(dtypes)
        super().__init__(capacity, kinds, _patterns(shapes, len(kinds)), names, name)
        self._stay, self._random = min_after_dequeue, random.Random(seed)

    def _least(self) -> int:
        return self._stay

    def _first(self) -> Element:
        return self._elements.pop(self._random.randrange(len(self._elements)))


class PriorityQueue(QueueBase):
    """A queue from which the element with the smallest number is first taken out.

    Args:
      capacity: how many elements it holds.
      types: the dtype of each tensor of an element besides the number, which is int64 and comes first.
      shapes: their shapes, one for each; elements may differ in shape without.
      names: names for them; an element is a dictionary then.
      shared_name: accepted.
      name: its name, for messages.

    >>> q = tf.queue.PriorityQueue(3, [tf.string], [[]])
    >>> for number, text in [(5, "later"), (1, "now")]:
    ...     q.enqueue((tf.constant(number, tf.int64), text))
    >>> q.dequeue()[1].numpy()
    b'now'
    """

    def __init__(
        self, capacity: int, types: DTypeLike | Sequence[DTypeLike], shapes: Shapes = None,
        names: Sequence[str] | None = None, shared_name: str | None = None, name: str = "priority_queue",
    ) -> None:  # fmt: skip
        kinds = _kinds(types)
        patterns = _patterns(shapes, len(kinds))
        behind = None if patterns is None else [TensorShape([]), *patterns]
        super().__init__(capacity, [int64, *kinds], behind, names, name)

    def _keep(self, element: Element) -> None:
        bisect.insort(self._elements, element, key=lambda e: int(e[0]))
