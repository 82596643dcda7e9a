"""Pictures in another size."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph.dtypes import NumPyArray, float32, int32
from runtime.ops import elementwise as ew
from runtime.tensors import making, mathematics as m, reductions as r
from runtime.tensors.conversion import are_open, cast, constant, operand, static_value
from runtime.tensors.operations import apply
from runtime.tensors.parts import gather
from runtime.tensors.products import matmul
from runtime.tensors.shaping import expand_dims, reshape, unstack
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import recording
from runtime.tensors.types import ShapeLike, Size, SizeLike, TensorLike


def pictures(image: TensorLike, what: str) -> tuple[Tensor, bool]:
    """Pictures, and whether there was only one."""
    x = operand(image)
    rank = x.shape.rank
    if rank not in (3, 4):
        raise ValueError(f"{what} takes pictures of rank 3 or 4, [height, width, channels], not of shape {x.shape}")
    return (expand_dims(x, 0), True) if rank == 3 else (x, False)


def resize(
    images: TensorLike,
    size: ShapeLike,
    method: str = "bilinear",
    preserve_aspect_ratio: bool = False,
    antialias: bool = False,
    name: str | None = None,
) -> Tensor:
    """Pictures in another size.

    Args:
      images: one picture, or several.
      size: the new height and width.
      method: how numbers between those of the picture are found: ``"bilinear"``, ``"nearest"``, ``"bicubic"``,
        ``"area"``, ``"lanczos3"``, ``"lanczos5"``, ``"gaussian"`` or ``"mitchellcubic"``.
      preserve_aspect_ratio: whether the picture becomes as large as it can without another shape.
      antialias: whether each number of a smaller picture is the mean of all that it stands for; with ``"area"`` it
        always is.
    Returns: a tensor of shape [height, width, channels], or of several: of float32, or of the dtype of `images` if
      these are picked as they are (``"nearest"``), or the size is theirs.
    Raises:
      ValueError: for another rank or method.

    >>> print(tf.image.resize([[[1.0], [3.0]]], [1, 4])[0, :, 0].numpy())
    [1.  1.5 2.5 3. ]
    """
    x, single = pictures(images, "resize")
    if method not in ("nearest", "area") and method not in _KERNELS:
        raise ValueError(
            f"resize with method={method!r}: there are 'nearest', 'area' and {', '.join(map(repr, _KERNELS))}"
        )
    rows, columns = _size(size)
    height, width = making.like_shape(x)[1:3]
    if preserve_aspect_ratio:
        factor = m.minimum(m.divide(rows, height), m.divide(columns, width))
        rows, columns = (cast(m.round(m.multiply(factor, cast(n, factor.dtype))), int32) for n in (height, width))
        rows, columns = (n if (known := static_value(n)) is None else int(known) for n in (rows, columns))
    stays = not are_open([rows, columns, height, width]) and (height, width) == (rows, columns)
    if stays and method not in ("gaussian", "mitchellcubic"):  # which change what they meet
        return operand(images) if method == "nearest" else cast(images, float32)
    if method == "nearest":
        found = gather(gather(x, _nearest(rows, height), axis=1), _nearest(columns, width), axis=2)
    else:
        batch, *_, channels = making.like_shape(x)
        lines = reshape(cast(x, float32), [batch, height, m.multiply(width, channels)])
        found = matmul(_weights(rows, height, method, antialias), lines)
        found = matmul(_weights(columns, width, method, antialias), reshape(found, [batch, rows, width, channels]))
    return found[0] if single else found


def _size(size: Any) -> list[Size]:
    known = static_value(size) if isinstance(size, Tensor) else size
    parts = [int(n) if static_value(n) is not None else n for n in unstack(operand(size), 2)] if known is None else []
    return parts or [n if isinstance(n, Tensor) and static_value(n) is None else int(n) for n in known]


def _places(new: SizeLike, old: SizeLike) -> tuple[Tensor, Tensor]:
    """Where the middles of new rows lie among old ones, and how many of these are as high as a new one."""
    scale = m.divide(cast(old, float32), cast(new, float32))
    return m.multiply(cast(making.range(new), float32) + 0.5, scale), scale


def _nearest(new: SizeLike, old: SizeLike) -> Tensor:
    places, _ = _places(new, old)
    return m.minimum(cast(m.floor(places), int32), cast(old, int32) - 1)


def _weights(new: SizeLike, old: SizeLike, method: str, antialias: bool) -> Tensor:
    """What each old row counts for in each new one."""
    if isinstance(new, int) and isinstance(old, int):
        return constant(_known_weights(new, old, method, antialias))
    return _found_weights(new, old, method, antialias)


@functools.lru_cache(8)
def _known_weights(new: int, old: int, method: str, antialias: bool) -> NumPyArray:
    """The same as numbers, which are the same for the next picture."""
    with recording(None):
        return np.asarray(_found_weights(new, old, method, antialias))


def _found_weights(new: SizeLike, old: SizeLike, method: str, antialias: bool) -> Tensor:
    places, scale = _places(new, old)
    if method == "area":
        start, row = expand_dims(places - 0.5 * scale, 1), cast(making.range(old), float32)
        return m.maximum(m.minimum(start + scale, row + 1.0) - m.maximum(start, row), 0.0) / scale
    if method == "bicubic" and not antialias:  # as TensorFlow's table of 1024 places has it
        whole = m.floor(places - 0.5)
        places = whole + m.rint((places - 0.5 - whole) * 1024.0) / 1024.0 + 0.5
    width = m.maximum(scale, 1.0) if antialias else constant(1.0)
    away = m.abs(m.divide(expand_dims(places, 1) - 0.5 - cast(making.range(old), float32), width))
    heights = _KERNELS[method](away)
    return m.divide(heights, r.reduce_sum(heights, 1, keepdims=True))


def _linear(x: Tensor) -> Tensor:
    return m.maximum(1.0 - x, 0.0)


def _cubic(x: Tensor) -> Tensor:
    """The kernel of Keys, with the slope -1/2 at 1."""
    near = (1.5 * x - 2.5) * x * x + 1.0
    far = ((-0.5 * x + 2.5) * x - 4.0) * x + 2.0
    return apply(ew.where, x < 1.0, near, apply(ew.where, x < 2.0, far, constant(0.0)))


def _lanczos(radius: float) -> Callable[[Tensor], Tensor]:
    def kernel(x: Tensor) -> Tensor:
        angle = m.maximum(x, 1e-3) * math.pi
        waves = m.sin(angle) * m.sin(angle / radius) * radius / (angle * angle)
        return apply(ew.where, x <= 1e-3, constant(1.0), apply(ew.where, x > radius, constant(0.0), waves))

    return kernel


def _bell(x: Tensor) -> Tensor:
    """A Gaussian function of the deviation 1/2, cut off where it is small."""
    return apply(ew.where, x >= 1.5, constant(0.0), m.exp(-2.0 * x * x))


def _mitchell(x: Tensor) -> Tensor:
    """The kernel of Mitchell and Netravali, with B = C = 1/3."""
    near = (7.0 / 6.0 * x - 2.0) * x * x + 8.0 / 9.0
    far = ((-7.0 / 18.0 * x + 2.0) * x - 10.0 / 3.0) * x + 16.0 / 9.0
    return apply(ew.where, x < 1.0, near, apply(ew.where, x < 2.0, far, constant(0.0)))


_KERNELS: dict[str, Callable[[Tensor], Tensor]] = {  # what a row counts for, by its distance
    "bilinear": _linear, "bicubic": _cubic, "lanczos3": _lanczos(3.0), "lanczos5": _lanczos(5.0), "gaussian": _bell,
    "mitchellcubic": _mitchell,
}  # fmt: skip
