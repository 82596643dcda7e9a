"""Gradients of convolution and pooling, as convolutions and sums of parts of images."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.gradients.cells import Step, conjugate, gradient, zero
from runtime.gradients.rules.shape import ones
from runtime.gradients.things import broadcast
from runtime.ops import elementwise as ew, indexing, nn, shape as shape_ops
from runtime.ops.nn import padding_of
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor

Given = Sequence[Tensor | None]
Pair = tuple[int, int]


def _size(x: Tensor, what: str, axes: slice) -> Pair:
    """The height and width of images, or of filters."""
    dims = (x.type.shape or (None,) * 4)[axes]
    if not all(isinstance(d, int) for d in dims):
        raise ValueError(
            f"the gradient needs to know the height and width of {what}; these have shape {x.shape}: tell them with "
            "tf.ensure_shape(x, [None, height, width, channels]), or in the input_signature"
        )
    return tuple(dims)  # type: ignore[return-value]


def _resized(x: Tensor, edges: Sequence[Pair]) -> Tensor:
    """Images with rows and columns of zeros added before and after, or so many taken away."""
    index = (slice(None), *(slice(max(-a, 0), -max(-b, 0) or None) for a, b in edges))
    if any(min(e) < 0 for e in edges):
        x = apply(indexing.getitem, x, index=index)
    more = [(max(a, 0), max(b, 0)) for a, b in edges]
    if not any(map(any, more)):
        return x
    return apply(shape_ops.pad, x, paddings=((0, 0), *more, (0, 0)), value=0)


def _spread(x: Tensor, strides: Pair, size: Pair) -> Tensor:
    """Images with zeros between their rows and columns."""
    if strides == (1, 1):
        return x
    s, t = strides
    wide = [(d - 1) * step + 1 for d, step in zip(size, strides)]
    dims = list(x.shape)
    sizes = [d for d in (dims[0], dims[3]) if not isinstance(d, int)]
    shape = tuple(d if isinstance(d, int) else None for d in (dims[0], *wide, dims[3]))
    base = apply(shape_ops.fill, zero(x), *sizes, shape=shape)
    index = (slice(None), slice(None, None, s), slice(None, None, t))
    return apply(indexing.setitem, base, x, index=index, how="set")


@gradient(nn.conv2d)
def conv2d(step: Step, g: Tensor) -> Given:
    x, filters = step.inputs
    strides, dilations = step.attributes["strides"], step.attributes["dilations"]
    size, window = _size(x, "images", slice(1, 3)), _size(filters, "filters", slice(0, 2))
    pads = padding_of(step.attributes["padding"], size, window, strides, dilations)
    rows = _size(g, "results", slice(1, 3))
    made: list[Tensor | None] = [None, None]
    valid: dict[str, object] = {"padding": "VALID"}
    if step.wanted[0]:  # the results, spread out, under the filters turned round
        edges = []
        for d, k, s, r, n, (before, _) in zip(size, window, strides, dilations, rows, pads):
            front = (k - 1) * r - before
            edges.append((front, d - ((n - 1) * s + 1) - front + (k - 1) * r))
        back = apply(shape_ops.transpose, apply(shape_ops.reverse, filters, axis=(0, 1)), axes=(0, 1, 3, 2))
        wide = _resized(_spread(g, strides, rows), edges)
        made[0] = apply(nn.conv2d, wide, conjugate(back), strides=(1, 1), dilations=dilations, **valid)
    if step.wanted[1]:  # the images under the results, channel by channel
        edges = []
        for d, k, s, r, n, (before, _) in zip(size, window, strides, dilations, rows, pads):
            edges.append((before, (n - 1) * s + 1 + (k - 1) * r - d - before))
        images = apply(shape_ops.transpose, conjugate(_resized(x, edges)), axes=(3, 1, 2, 0))
        results = apply(shape_ops.transpose, g, axes=(1, 2, 0, 3))
        part = apply(nn.conv2d, images, results, strides=dilations, dilations=strides, **valid)
        made[1] = apply(shape_ops.transpose, part, axes=(1, 2, 0, 3))
    return made


@gradient(nn.pool2d, masks=True)
def pool2d(step: Step, g: Tensor) -> Given:
    """Window by window; of several largest elements, the first has it all."""
    (x,), (y,) = step.inputs, step.outputs
    a = step.attributes
    window, strides, largest = a["window"], a["strides"], a["how"] == "max"
    size, rows = _size(x, "images", slice(1, 3)), _size(g, "results", slice(1, 3))
    pads = padding_of(a["padding"], size, window, strides)
    paddings = ((0, 0), *pads, (0, 0))
    padded = apply(shape_ops.pad, x, paddings=paddings, value=-np.inf if largest else 0) if any(map(any, pads)) else x
    base = broadcast(zero(g), padded)
    if not largest:
        inside = apply(shape_ops.pad, ones(x), paddings=paddings, value=0) if any(map(any, pads)) else ones(x)
        g = g / sum(apply(indexing.getitem, inside, index=index) for index in _places(window, strides, rows))
    taken: Tensor = broadcast(EagerTensor(np.asarray(False)), y)
    for index in _places(window, strides, rows):
        part = g
        if largest:
            chosen = apply(ew.equal, apply(indexing.getitem, padded, index=index), y)
            part = apply(ew.where, apply(ew.logical_and, chosen, apply(ew.logical_not, taken)), g, zero(g))
            taken = apply(ew.logical_or, taken, chosen)
        base = apply(indexing.setitem, base, part, index=index, how="add")
    return [_resized(base, [(-p, -q) for p, q in pads])]


def _places(window: Pair, strides: Pair, rows: Pair) -> list[tuple[slice, ...]]:
    """For each element of a window, which elements of the images are there."""
    return [
        (slice(None), *(slice(at, at + (n - 1) * s + 1, s) for at, n, s in zip((i, j), rows, strides)))
        for i in range(window[0])
        for j in range(window[1])
    ]
