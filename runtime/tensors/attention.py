"""Attention: what is looked up by how well keys go with what is asked for."""

from __future__ import annotations

import math

from runtime.graph.shapes import show
from runtime.ops import shape as shape_ops
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import cast, operand, promote
from runtime.tensors.making import range
from runtime.tensors.normalisation import dropout as dropped
from runtime.tensors.operations import apply
from runtime.tensors.products import matmul
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


def scaled_dot_product_attention(
    query: TensorLike,
    key: TensorLike,
    value: TensorLike,
    mask: TensorLike | None = None,
    is_causal: bool = False,
    scale: float | None = None,
    dropout: TensorLike = 0.0,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """``softmax(query @ transpose(key) * scale) @ value``: for each query, a mean of the values, by how well keys fit.

    Args:
      query: of shape [..., queries, depth], of floats.
      key: of shape [..., keys, depth].
      value: of shape [..., keys, size].
      mask: which keys a query sees, booleans; or numbers that are added to how well they fit. Its shape broadcasts to
        [..., queries, keys].
      is_causal: whether a query sees only the keys up to its own place.
      scale: what products are multiplied by, ``1 / sqrt(depth)`` by default.
      dropout: how likely each weight is to become 0, as the rate of `dropout`.
      seed: what decides, with that of `set_seed`, which weights do.
    Returns: a tensor of shape [..., queries, size], of the dtype to which all promote; zeros for a query that sees no
      key.
    Raises:
      ValueError: if the shapes do not fit.

    >>> x = tf.constant([[1.0, 0.0], [0.0, 100.0]])
    >>> print(tf.nn.scaled_dot_product_attention(x, x, x, is_causal=True).numpy().round(2))
    [[  1.   0.]
     [  0. 100.]]
    """
    q, k, v = promote([query, key, value])
    _check(q, k, v)
    depth = q.shape[-1]
    if scale is not None:
        q = q * scale
    elif isinstance(depth, int):
        q = q * (1 / math.sqrt(max(depth, 1)))
    else:
        q = q * m.rsqrt(cast(depth, q.dtype))
    fit = matmul(q, k, transpose_b=True)
    weights = _weights(fit, _seen(mask, is_causal, q, k), mask)
    if not (isinstance(dropout, int | float) and dropout == 0):
        weights = dropped(weights, dropout, seed=seed)
    return matmul(weights, v)


def _seen(mask: object, is_causal: bool, q: Tensor, k: Tensor) -> Tensor | None:
    """Which keys a query sees; None if it sees all."""
    given = None if mask is None else operand(mask)
    seen = given if given is not None and given.dtype.is_bool else None
    if not is_causal:
        return seen
    rows, columns = (range(x.shape[-2]) for x in (q, k))
    before: Tensor = rows[:, None] >= columns
    return before if seen is None else m.logical_and(seen, before)


def _weights(fit: Tensor, seen: Tensor | None, mask: object) -> Tensor:
    """The weights of keys for each query: their sum is 1, or 0 where none is seen."""
    given = None if mask is None else operand(mask)
    if given is not None and not given.dtype.is_bool:
        fit = fit + cast(given, fit.dtype)
    if seen is not None:
        fit = m.where(seen, fit, float("-inf"))
    top = reductions.reduce_max(fit, -1, keepdims=True)
    top = apply(shape_ops.stop_gradient, m.where(m.is_finite(top), top, 0.0))
    weights = m.exp(fit - top)
    total = reductions.reduce_sum(weights, -1, keepdims=True)
    return weights / m.where(total > 0, total, 1.0)  # what sees nothing has no weights, and no gradient


def _check(q: Tensor, k: Tensor, v: Tensor) -> None:
    shapes = [x.type.shape for x in (q, k, v)]
    if any(s is not None and len(s) < 2 for s in shapes):
        wrong = True
    else:
        (qd, kd), (kn, vn) = (
            [None if s is None else s[at] for s in pair] for pair, at in ((shapes[:2], -1), (shapes[1:], -2))
        )
        wrong = any(isinstance(a, int) and isinstance(b, int) and a != b for a, b in ((qd, kd), (kn, vn)))
    if wrong:
        raise ValueError(
            f"scaled_dot_product_attention of queries {show(shapes[0])}, keys {show(shapes[1])} and values "
            f"{show(shapes[2])}: they are [..., queries, depth], [..., keys, depth] and [..., keys, size]"
        )
