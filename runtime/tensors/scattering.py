"""Parts of Variables that are assigned: by an index, by index vectors, or rows by their numbers."""

from __future__ import annotations

import functools
import threading
from typing import TYPE_CHECKING, Any

from runtime.ops import indexing
from runtime.tensors.conversion import operand
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.making import ones_like
from runtime.tensors.operations import apply
from runtime.tensors.parts import gather, gather_nd, with_item
from runtime.tensors.reductions import cumsum
from runtime.tensors.shaping import expand_dims, stack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import IndexLike, TensorLike

if TYPE_CHECKING:
    from runtime.tensors.variables import Variable


class Scattering:
    """What Variables do with parts of their values.

    Each is one step for other threads where operations run at once; in a graph it is a read, and then a write.
    """

    if TYPE_CHECKING:  # what Variables have
        lock: threading.RLock

        def read_value(self) -> Tensor: ...

        def assign(self, value: TensorLike) -> object: ...

        def _fitting(self, value: TensorLike) -> Tensor: ...

    def _part(self, index: IndexLike) -> Tensor:
        """What stands at an index, which can be assigned."""
        found = self.read_value()[index]
        found.assign = functools.partial(self._assign_part, index)  # type: ignore[attr-defined]
        return found

    def _assign_part(self, index: IndexLike, value: TensorLike, name: str | None = None) -> object:
        new = self._fitting(value)
        with self.lock:
            return self.assign(with_item(self.read_value(), index, new))

    def _scattered(self, how: str, indices: TensorLike, updates: TensorLike) -> Variable:
        new = self._fitting(updates)
        if how == "div" and not (new.dtype.is_floating or new.dtype.is_complex):
            raise ValueError(f"scatter_div of {new.dtype.name}: quotients are no whole numbers; use runtime.cast")
        with self.lock:
            result: Any = self.assign(apply(indexing.scatter, self.read_value(), operand(indices), new, how=how))
            return result  # type: ignore[no-any-return]

    def _rows(self, how: str, sparse_delta: IndexedSlices) -> Variable:
        _check_slices(f"scatter_{'update' if how == 'set' else how}", sparse_delta)
        return self._scattered(how, expand_dims(sparse_delta.indices, -1), sparse_delta.values)

    def scatter_nd_update(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Set elements, or whole parts, at index vectors.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
          updates: the values, of shape [..., *the other axes]; the last one counts where an index comes again.
        Returns: the Variable.
        Raises:
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> tf.Variable([1, 2, 3]).scatter_nd_update([[0], [2]], [10, 30])
        <tf.Variable 'Variable:0' shape=(3,) dtype=int32, numpy=array([10,  2, 30], dtype=int32)>
        """
        return self._scattered("set", indices, updates)

    def scatter_nd_add(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Add values at index vectors, one after the other.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
          updates: the values, of shape [..., *the other axes].
        Returns: the Variable.
        Raises:
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_nd_add([[0], [0]], [4.0, 1.0]).numpy())
        [13.  2.]
        """
        return self._scattered("add", indices, updates)

    def scatter_add(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Add values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_add(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [13.  2.]
        """
        return self._rows("add", sparse_delta)

    def scatter_nd_sub(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Subtract values at index vectors, one after the other.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
          updates: the values, of shape [..., *the other axes].
        Returns: the Variable.
        Raises:
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_nd_sub([[0], [0]], [4.0, 1.0]).numpy())
        [3. 2.]
        """
        return self._scattered("sub", indices, updates)

    def scatter_sub(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Subtract values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_sub(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [3. 2.]
        """
        return self._rows("sub", sparse_delta)

    def scatter_mul(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Multiply by values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_mul(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [32.  2.]
        """
        return self._rows("mul", sparse_delta)

    def scatter_div(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Divide by values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype, and for whole numbers.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_div(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [2. 2.]
        """
        return self._rows("div", sparse_delta)

    def scatter_nd_min(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Set what is greater than values at index vectors, one after the other.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
          updates: the values, of shape [..., *the other axes].
        Returns: the Variable.
        Raises:
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_nd_min([[0], [0]], [4.0, 1.0]).numpy())
        [1. 2.]
        """
        return self._scattered("min", indices, updates)

    def scatter_min(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Set what is greater than values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_min(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [1. 2.]
        """
        return self._rows("min", sparse_delta)

    def scatter_nd_max(self, indices: TensorLike, updates: TensorLike, name: str | None = None) -> Variable:
        """Set what is less than values at index vectors, one after the other.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
          updates: the values, of shape [..., *the other axes].
        Returns: the Variable.
        Raises:
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_nd_max([[0], [0]], [4.0, 1.0]).numpy())
        [8. 2.]
        """
        return self._scattered("max", indices, updates)

    def scatter_max(self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None) -> Variable:
        """Set what is less than values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_max(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [8. 2.]
        """
        return self._rows("max", sparse_delta)

    def scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Set values in rows, one after the other.

        Args:
          sparse_delta: the values, of shape [n, ...], and which rows they are for.
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([8.0, 2.0]).scatter_update(tf.IndexedSlices([4.0, 1.0], [0, 0])).numpy())
        [1. 2.]
        """
        return self._rows("set", sparse_delta)

    def batch_scatter_update(
        self, sparse_delta: IndexedSlices, use_locking: bool = False, name: str | None = None
    ) -> Variable:
        """Set values in rows of each part of a batch, one after the other.

        Args:
          sparse_delta: the indices, of shape [*batch, n]: which rows of each part; the values, of shape
            [*batch, n, ...].
          use_locking: accepted; operations that run at once are one step for other threads.
        Returns: the Variable.
        Raises:
          TypeError: for what are no IndexedSlices.
          ValueError: for values of another dtype.
          InvalidArgumentError: if an index is outside, when it is run.

        >>> v = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        >>> print(v.batch_scatter_update(tf.IndexedSlices([[9.0], [8.0]], [[0], [1]])).numpy())
        [[9. 2.]
         [3. 8.]]
        """
        _check_slices("batch_scatter_update", sparse_delta)
        rows = operand(sparse_delta.indices)
        parts = [cumsum(ones_like(rows), axis, exclusive=True) for axis in range(len(rows.shape) - 1)]
        return self._scattered("set", stack([*parts, rows], -1), sparse_delta.values)

    def sparse_read(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Rows of the value.

        Args:
          indices: which rows: integers of any shape.
        Returns: a tensor of the shape of `indices`, and then that of a row.
        Raises:
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([1, 2, 3]).sparse_read([2, 0]))
        tf.Tensor([3 1], shape=(2,), dtype=int32)
        """
        return gather(self.read_value(), indices)

    def gather_nd(self, indices: TensorLike, name: str | None = None) -> Tensor:
        """Elements, or whole parts, at index vectors.

        Args:
          indices: integers of shape [..., k]: vectors, each of which names the first k axes.
        Returns: a tensor of shape [..., *the other axes].
        Raises:
          InvalidArgumentError: if an index is outside, when it is run.

        >>> print(tf.Variable([[1, 2], [3, 4]]).gather_nd([[1, 0]]))
        tf.Tensor([3], shape=(1,), dtype=int32)
        """
        return gather_nd(self.read_value(), indices)


def _check_slices(method: str, given: object) -> None:
    if not isinstance(given, IndexedSlices):
        raise TypeError(f"{method} takes IndexedSlices, not {given!r}")
