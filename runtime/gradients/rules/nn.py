"""Gradients of convolution and pooling: each is a row, whose gradients are rows of the same few."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.gradients.cells import Step, gradient
from runtime.ops import nn
from runtime.tensors.conversion import dimensions
from runtime.tensors.making import like_shape
from runtime.tensors.operations import apply, conjugate
from runtime.tensors.tensor import Tensor

Given = Sequence[Tensor | None]


def _options(step: Step) -> dict[str, object]:
    return {name: step.attributes[name] for name in ("strides", "padding", "dilations", "groups")}


def _images(results: Tensor, filters: Tensor, x: Tensor, options: dict[str, object]) -> Tensor:
    """The part of images of the size of `x`."""
    shape, sizes = dimensions(like_shape(x)[1:-1])
    return apply(nn.convolution_images, results, filters, *sizes, shape=shape, **options)


def _filters(x: Tensor, results: Tensor, filters: Tensor, options: dict[str, object]) -> Tensor:
    """The part of filters of the size of `filters`."""
    shape, sizes = dimensions(like_shape(filters)[:-2])
    return apply(nn.convolution_filters, x, results, *sizes, shape=shape, **options)


@gradient(nn.convolution)
def convolution(step: Step, g: Tensor) -> Given:
    x, filters = step.inputs
    options = _options(step)
    return [
        _images(g, conjugate(filters), x, options) if step.wanted[0] else None,
        _filters(conjugate(x), g, filters, options) if step.wanted[1] else None,
    ]


@gradient(nn.convolution_images)
def convolution_images(step: Step, g: Tensor) -> Given:
    results, filters, *sizes = step.inputs
    options = _options(step)
    return [
        apply(nn.convolution, g, conjugate(filters), **options) if step.wanted[0] else None,
        _filters(g, conjugate(results), filters, options) if step.wanted[1] else None,
        *(None for _ in sizes),
    ]


@gradient(nn.convolution_filters)
def convolution_filters(step: Step, g: Tensor) -> Given:
    x, results, *sizes = step.inputs
    options = _options(step)
    return [
        _images(conjugate(results), g, x, options) if step.wanted[0] else None,
        apply(nn.convolution, conjugate(x), g, **options) if step.wanted[1] else None,
        *(None for _ in sizes),
    ]


def _windows(step: Step) -> dict[str, object]:
    return {name: step.attributes[name] for name in ("window", "strides", "padding", "dilations")}


@gradient(nn.pool, masks=True)
def pool(step: Step, g: Tensor) -> Given:
    """Of several largest elements of a window, the first has it all."""
    (x,) = step.inputs
    return [apply(nn.unpool, x, g, how=step.attributes["how"], **_windows(step))]


@gradient(nn.unpool, masks=True)
def unpool(step: Step, g: Tensor) -> Given:
    """Where the largest elements lie does not change by a little."""
    x, _ = step.inputs
    if step.attributes["how"] == "max":
        back = apply(nn.pool_choice, x, g, **_windows(step)) if step.wanted[1] else None
    else:
        back = apply(nn.pool, g, how="avg", **_windows(step)) if step.wanted[1] else None
    return [None, back]


@gradient(nn.pool_choice, masks=True)
def pool_choice(step: Step, g: Tensor) -> Given:
    x, _ = step.inputs
    return [None, apply(nn.unpool, x, g, how="max", **_windows(step)) if step.wanted[1] else None]
