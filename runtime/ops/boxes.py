"""Boxes in pictures: of those that overlap the one with the highest score."""

from __future__ import annotations

import numpy as np

from runtime.graph.dtypes import NumPyArray, int32
from runtime.graph.graph import TensorType
from runtime.graph.op import kernel, op, where_shapes_are_known


def _chosen(
    boxes: TensorType, scores: TensorType, most: TensorType, overlap: TensorType, least: TensorType, sigma: TensorType
) -> tuple[TensorType, TensorType]:
    return TensorType(int32, (None,)), TensorType(scores.dtype, (None,))


def _overlaps(box: NumPyArray, others: NumPyArray) -> NumPyArray:
    """The part of what a box and others cover together that both cover."""
    low, high = (np.maximum(box[:2], others[:, :2]), np.minimum(box[2:], others[:, 2:]))
    common = np.prod(np.maximum(high - low, 0), axis=1)
    areas = np.prod(others[:, 2:] - others[:, :2], axis=1)
    own = np.prod(box[2:] - box[:2])
    positive = (areas > 0) & (own > 0)
    made: NumPyArray = np.where(positive, common / np.where(positive, areas + own - common, 1), 0)
    return made


@kernel
def best_boxes(
    boxes: NumPyArray, scores: NumPyArray, most: NumPyArray, overlap: NumPyArray, least: NumPyArray, sigma: NumPyArray
) -> tuple[object, object]:
    """One after another; each lowers the scores of those that it overlaps, or ends them if it does so by much."""
    corners = np.concatenate([np.minimum(boxes[:, :2], boxes[:, 2:]), np.maximum(boxes[:, :2], boxes[:, 2:])], axis=1)
    left = np.where(scores > least, scores.astype(np.float64), -np.inf)
    chosen: list[int] = []
    values: list[float] = []
    while len(chosen) < most and len(left) and np.isfinite(best := left.max()):
        at = int(np.argmax(left))
        chosen.append(at)
        values.append(float(best))
        with np.errstate(all="ignore"):
            shared = _overlaps(corners[at], corners)
            left = left * np.exp(-0.5 / sigma * shared**2) if sigma > 0 else np.where(shared <= overlap, left, -np.inf)
        left[at] = -np.inf
        left = np.where(left > least, left, -np.inf)
    return np.array(chosen, np.int32), np.array(values, scores.dtype)


best = op(
    "best_boxes",
    _chosen,
    "best_boxes({0}, {1}, {2}, {3}, {4}, {5})",
    tf="NonMaxSuppressionV5",
    total=where_shapes_are_known,
)
