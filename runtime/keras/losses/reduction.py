"""How the losses of samples become one number: weights, masks and the ways to add up."""

from __future__ import annotations

from collections.abc import Callable

from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.shaping import expand_dims, shape, size, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

REDUCTIONS = ("sum_over_batch_size", "sum", "mean", "mean_with_sample_weight", "none", None)

_mask_finders: list[Callable[[object], Tensor | None]] = []


def find_masks_with(finder: Callable[[object], Tensor | None]) -> None:
    """Have a function tell which mask a tensor bears: those that layers make are theirs to know."""
    _mask_finders.append(finder)


def mask_of(tensor: object) -> Tensor | None:
    """The mask that a tensor bears, or None."""
    return next((mask for finder in _mask_finders if (mask := finder(tensor)) is not None), None)


def of_same_rank(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """Two tensors, one of which may have a last axis of size 1 that the other does without."""
    x, y = a.shape.rank, b.shape.rank
    if x is None or y is None or x == y:
        return a, b
    if x == y + 1 and a.shape.as_list()[-1] == 1:
        return (a, expand_dims(b, -1)) if y == 1 else (squeeze(a, -1), b)
    if y == x + 1 and b.shape.as_list()[-1] == 1:
        return (expand_dims(a, -1), b) if x == 1 else (a, squeeze(b, -1))
    return a, b


def check_together(wanted: Tensor, predicted: Tensor) -> None:
    """Refuse shapes that do not go together, where they are known."""
    shapes = [x.shape.as_list() if x.shape.rank is not None else [None] for x in (wanted, predicted)]
    for one, other in zip(*(reversed(dims) for dims in shapes)):
        if None not in (one, other) and one != other and 1 not in (one, other):
            raise ValueError(f"y_true has shape {wanted.shape} and y_pred {predicted.shape}: they do not go together")


def checked(reduction: str | None, owner: str) -> str | None:
    """A reduction that there is."""
    if reduction not in REDUCTIONS:
        known = ", ".join(repr(one) for one in REDUCTIONS)
        raise ValueError(f"{owner} with reduction={reduction!r}: it is one of {known}")
    return reduction


def reduced(values: Tensor, weights: TensorLike | None, reduction: str | None, mask: Tensor | None = None) -> Tensor:
    """The losses of samples, weighed, as one number; or as they are, without a reduction.

    Where a mask leaves samples out, means are those of the others.
    """
    weigh = None if weights is None else cast(convert_to_tensor(weights), values.dtype)
    if mask is not None:
        kept = cast(mask, values.dtype)
        if reduction in ("mean", "sum_over_batch_size"):
            kept = kept * m.divide_no_nan(cast(size(kept), values.dtype), reduce_sum(kept))
        weigh = kept if weigh is None else m.multiply(*of_same_rank(kept, weigh))
    if weigh is not None:
        values, weigh = of_same_rank(values, weigh)
        values = values * weigh
    if reduction in (None, "none") or values.shape.rank == 0:
        return values
    total = reduce_sum(values)
    if reduction == "sum":
        return total
    if reduction == "mean_with_sample_weight" and weigh is not None:
        return m.divide_no_nan(total, reduce_sum(weigh))
    return m.divide_no_nan(total, cast(size(values), values.dtype))


def count_along(values: Tensor, axis: int) -> float | Tensor:
    """The size of an axis as a float, also where it is known only when it is run."""
    known = values.shape[axis]
    return float(known) if isinstance(known, int) else cast(shape(values)[axis], values.dtype)
