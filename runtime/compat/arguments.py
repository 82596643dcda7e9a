"""What TensorFlow 1 has other arguments for: reductions, and blocks of names."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Protocol

from runtime.tensors import reductions
from runtime.tensors.scopes import name_scope as name_scope_v2
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, TensorLike


class _Reduction(Protocol):
    def __call__(
        self,
        input_tensor: TensorLike,
        axis: AxisLike = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: AxisLike = None,
        keep_dims: bool | None = None,
    ) -> Tensor: ...


def _with_older_names(function: Callable[[TensorLike, AxisLike, bool, str | None], Tensor]) -> _Reduction:
    """A reduction whose `axis` and `keepdims` may be named as they were before."""

    @functools.wraps(function)
    def reduced(
        input_tensor: TensorLike,
        axis: AxisLike = None,
        keepdims: bool | None = None,
        name: str | None = None,
        reduction_indices: AxisLike = None,
        keep_dims: bool | None = None,
    ) -> Tensor:
        if axis is not None and reduction_indices is not None:
            raise ValueError("Cannot specify both 'axis' and 'reduction_indices'")
        if keepdims is not None and keep_dims is not None:
            raise ValueError("Cannot specify both 'keepdims' and 'keep_dims'")
        kept = bool(keep_dims if keepdims is None else keepdims)
        return function(input_tensor, reduction_indices if axis is None else axis, kept, name)

    return reduced


reduce_all = _with_older_names(reductions.reduce_all)
reduce_any = _with_older_names(reductions.reduce_any)
reduce_logsumexp = _with_older_names(reductions.reduce_logsumexp)
reduce_max = _with_older_names(reductions.reduce_max)
reduce_mean = _with_older_names(reductions.reduce_mean)
reduce_min = _with_older_names(reductions.reduce_min)
reduce_prod = _with_older_names(reductions.reduce_prod)
reduce_sum = _with_older_names(reductions.reduce_sum)


def name_scope(
    name: str | None, default_name: str | None = None, values: Sequence[TensorLike] | None = None
) -> name_scope_v2:
    """`runtime.name_scope` of a name, or of another one where that is None.

    Args:
      name: the name.
      default_name: the name where that is None; where it is, too, names in the block have nothing before them.
      values: accepted: the graph is the one that is filled.
    Raises:
      ValueError: if there are values, but no name.

    >>> with tf.compat.v1.name_scope(None, "loss") as scope:
    ...     scope
    'loss/'
    """
    chosen = default_name if name is None else name
    if chosen is None and values is not None:
        raise ValueError(f"At least one of name ({name}) and default_name ({default_name}) should be provided.")
    return name_scope_v2("" if chosen is None else chosen)
