"""Tensors made shorter, one by one or all together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, overload

from runtime.tensors import mathematics as m
from runtime.tensors.composites import Formed
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.indexed_slices import IndexedSlices, of_each
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike

T = TypeVar("T")


@overload
def clip_by_value(  # type: ignore[overload-overlap]  # IndexedSlices are tensors, too
    t: IndexedSlices, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> IndexedSlices: ...
@overload
def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor: ...
def clip_by_value(
    t: TensorLike, clip_value_min: TensorLike, clip_value_max: TensorLike, name: str | None = None
) -> Tensor | IndexedSlices:
    """The elements of `t`, those outside of an interval moved to its nearer end.

    Args:
      t: a tensor of any shape.
      clip_value_min, clip_value_max: the ends of the interval: numbers, or tensors that broadcast with `t`.
    Returns: a tensor of the shape to which the three broadcast and of the dtype to which they promote; of
      `IndexedSlices` such, with each of the rows as it is.

    >>> print(tf.clip_by_value([-5, 2, 9], 0, 4))
    tf.Tensor([0 2 4], shape=(3,), dtype=int32)
    """
    if isinstance(t, Formed):
        return t.mapped(lambda x: m.clipped(x, clip_value_min, clip_value_max))  # type: ignore[no-any-return]
    return of_each(lambda x: m.clipped(x, clip_value_min, clip_value_max), t)


@overload
def clip_by_norm(  # type: ignore[overload-overlap]  # IndexedSlices are tensors, too
    t: IndexedSlices, clip_norm: TensorLike, axes: AxisLike = None, name: str | None = None
) -> IndexedSlices: ...
@overload
def clip_by_norm(t: TensorLike, clip_norm: TensorLike, axes: AxisLike = None, name: str | None = None) -> Tensor: ...
def clip_by_norm(
    t: TensorLike, clip_norm: TensorLike, axes: AxisLike = None, name: str | None = None
) -> Tensor | IndexedSlices:
    """A tensor shortened to a norm where it is longer: ``t * clip_norm / norm(t)``.

    Args:
      t: a tensor of any shape, of floats.
      clip_norm: the greatest norm, a scalar.
      axes: the axes that are one vector each; all of them together by default.
    Returns: a tensor of the shape and dtype of `t`; of `IndexedSlices` such.

    >>> print(tf.clip_by_norm([3.0, 4.0], 1.0))
    tf.Tensor([0.6 0.8], shape=(2,), dtype=float32)
    >>> print(tf.clip_by_norm([[3.0, 4.0], [0.3, 0.4]], 1.0, axes=[1]))
    tf.Tensor(
    [[0.6 0.8]
     [0.3 0.4]], shape=(2, 2), dtype=float32)
    """

    def shortened(x: Tensor) -> Tensor:
        total = reduce_sum(m.square(x), axes, keepdims=True)
        is_long = total > 0  # the derivative of a root is not finite at 0
        length = m.where(is_long, m.sqrt(m.where(is_long, total, 1.0)), total)
        return m.multiply(x, clip_norm) / m.maximum(length, clip_norm)

    return of_each(shortened, t)


def global_norm(t_list: Sequence[TensorLike | IndexedSlices | None], name: str | None = None) -> Tensor:
    """The norm of several tensors as if their elements were one vector.

    Args:
      t_list: tensors of any shapes, of floats, and IndexedSlices; None counts nothing.
    Returns: a scalar of the dtype to which those of the tensors promote.
    Raises:
      ValueError: if there is no tensor among them.

    >>> print(tf.linalg.global_norm([[3.0], None, [[4.0]]]))
    tf.Tensor(5.0, shape=(), dtype=float32)
    """
    values = [values_of(one) for one in t_list if one is not None]
    if not values:
        raise ValueError("global_norm of no tensors: there is at least one that is not None")
    return m.sqrt(m.add_n([reduce_sum(m.square(x)) for x in values]))


def clip_by_global_norm(
    t_list: Sequence[TensorLike | IndexedSlices | None],
    clip_norm: TensorLike,
    use_norm: TensorLike | None = None,
    name: str | None = None,
) -> tuple[list[Tensor | IndexedSlices | None], Tensor]:
    """Several tensors shortened by one factor, so that all of them together have a norm at most.

    Args:
      t_list: tensors of any shapes, of floats, and IndexedSlices; None stays None.
      clip_norm: the greatest norm, a scalar.
      use_norm: the norm that they have, where it is known; `global_norm` of them by default.
    Returns: the tensors, and the norm that they had. Where that is not finite, they are NaN.
    Raises:
      ValueError: if there is no tensor among them.

    >>> (a, b), norm = tf.clip_by_global_norm([[3.0], [4.0]], 1.0)
    >>> print(a.numpy(), b.numpy(), norm.numpy())
    [0.6] [0.8] 5.0
    """
    length = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    factor = m.multiply(clip_norm, m.minimum(1.0 / length, m.divide(1.0, clip_norm)))
    factor = factor + (length - length)  # NaN if it is not finite
    return [None if one is None else of_each(lambda x: x * factor, one) for one in t_list], length


def values_of(tensor: TensorLike | IndexedSlices) -> Tensor:
    """What a tensor, or the rows of one, hold."""
    return convert_to_tensor(tensor.values if isinstance(tensor, IndexedSlices) else tensor)
