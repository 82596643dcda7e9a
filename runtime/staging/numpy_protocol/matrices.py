"""What NumPy's functions of vectors and matrices, and its Fourier transforms, do with tensors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from autograph.errors import refused
from runtime.graph.shapes import axis_of
from runtime.ops import elementwise as ew, linalg
from runtime.staging.numpy_protocol.joining import flat
from runtime.staging.numpy_protocol.meanings import MAKERS, means, need, numpys, operand, universal
from runtime.tensors import making, mathematics, parts, products, reductions, shaping
from runtime.tensors.conversion import cast, promote, static_value
from runtime.tensors.operations import apply, apply_all, conjugate
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import Size, SizeLike, TensorLike

# Products.


@means(np.inner)
def _inner(a: object, b: object) -> Tensor:
    x, y = promote([operand(a), operand(b)])
    if not len(x.shape) or not len(y.shape):
        return apply(ew.multiply, x, y)
    sizes = [making.like_shape(v)[-1] for v in (x, y)]
    if all(isinstance(n, int) for n in sizes) and sizes[0] != sizes[1]:
        shown = " and ".join(str(tuple(v.shape)).replace(" ", "") for v in (x, y))
        raise ValueError(f"shapes {shown} not aligned: {sizes[0]} != {sizes[1]}")
    return numpys(np.tensordot, x, y, ((-1,), (-1,)))


@means(np.vdot)
def _vector_product(a: object, b: object) -> Tensor:
    x, y = promote([flat(a), flat(b)])
    return numpys(np.dot, conjugate(x), y)


def _vecdot(x1: object, x2: object, /, *, axis: int = -1) -> Tensor:
    x, y = promote([operand(x1), operand(x2)])
    x, y = (numpys(np.moveaxis, v, axis, -1) for v in (x, y))
    sizes = [making.like_shape(v)[-1] for v in (x, y)]
    if all(isinstance(n, int) for n in sizes) and sizes[0] != sizes[1]:
        raise ValueError(f"vecdot: the axes differ in size: {sizes[0]} and {sizes[1]}")
    return numpys(np.sum, conjugate(x) * y, -1, x.dtype)


if hasattr(np, "vecdot"):  # since NumPy 2.0
    universal(np.vecdot)(_vecdot)
    means(np.linalg.vecdot)(_vecdot)


if hasattr(np, "matvec"):  # since NumPy 2.2

    @universal(np.matvec)
    def _matrix_vector(x1: object, x2: object, /) -> Tensor:
        x, y = promote([operand(x1), operand(x2)])
        return apply(linalg.matmul, x, y[..., None])[..., 0]

    @universal(np.vecmat)
    def _vector_matrix(x1: object, x2: object, /) -> Tensor:
        x, y = promote([operand(x1), operand(x2)])
        return apply(linalg.matmul, conjugate(x)[..., None, :], y)[..., 0, :]


@means(np.kron)
def _kronecker(a: object, b: object) -> Tensor:
    x, y = promote([operand(a), operand(b)])
    rank = max(len(x.shape), len(y.shape))
    if not len(x.shape) or not len(y.shape):
        return apply(ew.multiply, x, y)
    x, y = (v[(None,) * (rank - len(v.shape))] if len(v.shape) < rank else v for v in (x, y))
    sizes = [m * n for m, n in zip(making.like_shape(x), making.like_shape(y))]
    left = x[tuple(part for _ in range(rank) for part in (slice(None), None))]
    right = y[tuple(part for _ in range(rank) for part in (None, slice(None)))]
    return shaping.reshape(apply(ew.multiply, left, right), sizes)


@means(np.diagflat)
def _flat_diagonal(v: object, k: int = 0) -> Tensor:
    return numpys(np.diag, flat(v), k)


@means(np.linalg.matrix_power)
def _power(a: object, n: SizeLike) -> Tensor:
    x = operand(a)
    _square(x)
    try:
        times = n.__index__() if not isinstance(n, Tensor) else int(static_value(n).item())  # type: ignore[union-attr]
    except AttributeError as error:
        raise TypeError("np.linalg.matrix_power: the exponent must be an integer known while tracing") from error
    if times == 0:
        eye = MAKERS[np.eye](making.like_shape(x)[-1], dtype=x.dtype.dtype)
        return shaping.broadcast_to(eye, making.like_shape(x))
    if times < 0:
        x, times = numpys(np.linalg.inv, x), -times
    found: Any = None
    while times:
        if times & 1:
            found = x if found is None else products.matmul(found, x)
        times >>= 1
        x = products.matmul(x, x) if times else x
    return found


def _square(x: Tensor) -> None:
    dims = making.like_shape(x)
    if len(dims) < 2:
        raise np.linalg.LinAlgError(f"{len(dims)}-dimensional array given. Array must be at least two-dimensional")
    need(dims[-1] == dims[-2], np.linalg.LinAlgError("Last 2 dimensions of the array must be square"))


@means(np.linalg.multi_dot)
def _chain(arrays: Sequence[TensorLike]) -> Tensor:
    values = [operand(a) for a in arrays]
    if len(values) < 2:
        raise ValueError("Expecting at least two arrays.")
    if len(values) == 2:
        return numpys(np.dot, *values)
    first, last = len(values[0].shape), len(values[-1].shape)
    values[0] = values[0][None] if first == 1 else values[0]
    values[-1] = values[-1][:, None] if last == 1 else values[-1]
    for x in values:
        if len(x.shape) != 2:
            raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be two-dimensional")
    sizes = [making.like_shape(x)[0] for x in values] + [making.like_shape(values[-1])[1]]
    found = _multiplied(values, sizes)
    if first == last == 1:
        return found[0, 0]
    return flat(found) if 1 in (first, last) else found


def _multiplied(values: list[Tensor], sizes: list[Any]) -> Tensor:
    """The product of matrices in the order that costs least, as far as the sizes are known; else from the left."""
    if not all(isinstance(n, int) for n in sizes):
        return functools.reduce(products.matmul, values)

    @functools.cache
    def cheapest(i: int, j: int) -> tuple[int, int]:
        if i == j:
            return 0, i
        costs = [
            cheapest(i, k)[0] + cheapest(k + 1, j)[0] + sizes[i] * sizes[k + 1] * sizes[j + 1] for k in range(i, j)
        ]
        least = min(costs)
        return least, i + costs.index(least)

    def product(i: int, j: int) -> Tensor:
        if i == j:
            return values[i]
        k = cheapest(i, j)[1]
        return numpys(np.dot, product(i, k), product(k + 1, j))

    return product(0, len(values) - 1)


# Decompositions.


def _computed(x: object) -> Tensor:
    """A matrix as NumPy's linear algebra computes with it."""
    tensor = operand(x)
    if tensor.dtype.name in ("float16", "string"):
        raise TypeError(f"array type {tensor.dtype.name} is unsupported in linalg")
    return tensor if tensor.dtype.is_floating or tensor.dtype.is_complex else cast(tensor, np.float64)


def _kind(function: Callable[..., object], *args: object) -> Any:
    """The kind of tuple that a decomposition gives."""
    return type(function(np.eye(2), *args))


@means(np.linalg.slogdet)
def _slogdet(a: object) -> tuple[Tensor, ...]:
    return _kind(np.linalg.slogdet)(*apply_all(linalg.slogdet, _computed(a)))


@means(np.linalg.qr)
def _qr(a: object, mode: str = "reduced") -> Tensor | tuple[Tensor, ...]:
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode {mode!r}")
    if mode == "raw":
        raise refused(
            TypeError("np.linalg.qr with mode='raw' has no staged meaning: there is 'reduced', 'complete', 'r'")
        )
    q, r = apply_all(linalg.qr, _computed(a), mode="reduced" if mode == "r" else mode)
    return r if mode == "r" else _kind(np.linalg.qr)(q, r)


def _lower(uplo: str) -> bool:
    if uplo.upper() not in ("L", "U"):
        raise ValueError("UPLO argument must be 'L' or 'U'")
    return uplo.upper() == "L"


@means(np.linalg.eigh)
def _eigh(a: object, UPLO: str = "L") -> tuple[Tensor, ...]:
    return _kind(np.linalg.eigh)(*apply_all(linalg.eigh, _computed(a), lower=_lower(UPLO)))


@means(np.linalg.eigvalsh)
def _eigvalsh(a: object, UPLO: str = "L") -> Tensor:
    return apply(linalg.eigvalsh, _computed(a), lower=_lower(UPLO))


@means(np.linalg.svd)
def _svd(a: object, full_matrices: bool = True, compute_uv: bool = True) -> Tensor | tuple[Tensor, ...]:
    x = _computed(a)
    if not compute_uv:
        return apply(linalg.singular_values, x)
    return _kind(np.linalg.svd)(*apply_all(linalg.svd, x, full_matrices=bool(full_matrices)))


@means(np.linalg.lstsq)
def _lstsq(a: object, b: object, rcond: float | None = None) -> tuple[Tensor, ...]:
    x, y = promote([_computed(a), _computed(b)])
    return tuple(apply_all(linalg.lstsq, x, y, rcond=None if rcond is None else float(rcond)))


@means(np.polyfit)
def _fitted(x: object, y: object, deg: int, rcond: float | None = None, *, w: object = None) -> Tensor:
    at, values = _computed(x), _computed(y)
    if isinstance(deg, Tensor):
        raise refused(TypeError("np.polyfit of a degree that only the graph knows"))
    if deg < 0:
        raise ValueError("expected deg >= 0")
    if len(at.shape) != 1 or len(values.shape) not in (1, 2):
        raise TypeError("expected 1D vector for x" if len(at.shape) != 1 else "expected 1D or 2D array for y")
    count = making.like_shape(at)[0]
    need(making.like_shape(values)[0] == count, TypeError("expected x and y to have same length"))
    powers = numpys(np.vander, at, int(deg) + 1)
    if w is not None:
        weights = _computed(w)
        powers, values = powers * weights[:, None], values * (weights[:, None] if len(values.shape) == 2 else weights)
    scale = mathematics.sqrt(reductions.reduce_sum(powers * powers, 0))
    if rcond is None and isinstance(count, int):
        rcond = count * np.finfo(at.dtype.dtype).eps
    found = numpys(np.linalg.lstsq, powers / scale, values, rcond)[0]
    return found / (scale[:, None] if len(values.shape) == 2 else scale)  # type: ignore[no-any-return]


@means(np.linalg.pinv)
def _pseudo_inverse(a: object, rcond: object = None, *, rtol: object = np._NoValue) -> Tensor:  # type: ignore[attr-defined]
    x = operand(a)
    given = rtol is not np._NoValue  # type: ignore[attr-defined]
    if rcond is not None and given:
        raise ValueError("`rtol` and `rcond` can't be both set.")
    if rcond is None:
        rcond = 1e-15 if not given else rtol
    if len(x.shape) < 2:
        raise np.linalg.LinAlgError(f"{len(x.shape)}-dimensional array given. Array must be at least two-dimensional")
    rows_and_columns = making.like_shape(x)[-2:]
    if any(isinstance(size, int) and size == 0 for size in rows_and_columns):
        return making.zeros([*making.like_shape(x)[:-2], *rows_and_columns[::-1]], x.dtype)
    x = _computed(x)
    if rcond is None:
        rcond = _greater(*rows_and_columns) * np.finfo(x.dtype.dtype).eps
    u, s, vt = apply_all(linalg.svd, conjugate(x), full_matrices=False)
    limits = operand(rcond)[..., None] if isinstance(rcond, Tensor | np.ndarray) else rcond
    large = s > limits * numpys(np.max, s, -1, keepdims=True, initial=0)
    zero, one = (EagerTensor(np.asarray(n, s.dtype.dtype)) for n in (0, 1))
    s = mathematics.where(large, one / mathematics.where(large, s, one), zero)
    turned = products.matrix_transpose(u)
    return products.matmul(products.matrix_transpose(vt), cast(s, u.dtype)[..., None] * turned)


def _greater(a: Size, b: Size) -> Size:
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else mathematics.maximum(a, b)


@means(np.linalg.matrix_rank)
def _rank(A: object, tol: TensorLike | None = None, *, rtol: TensorLike | None = None) -> Tensor:
    if rtol is not None and tol is not None:
        raise ValueError("`tol` and `rtol` can't be both set.")
    x = operand(A)
    if len(x.shape) < 2:
        return cast(reductions.reduce_any(mathematics.not_equal(x, 0)), np.int64)
    s = apply(linalg.singular_values, _computed(x))
    if tol is None:
        limits = _greater(*making.like_shape(x)[-2:]) * np.finfo(s.dtype.dtype).eps
        limits = limits if rtol is None else operand(rtol)[..., None]
        tol = numpys(np.max, s, -1, keepdims=True, initial=0) * limits
    else:
        tol = operand(tol)[..., None]
    return numpys(np.count_nonzero, s > tol, -1)


@means(np.linalg.cond)
def _condition(x: object, p: float | str | None = None) -> Tensor:
    matrix = _computed(x)
    if p is not None and p not in (2, -2):
        _square(matrix)
        norms = [numpys(np.linalg.norm, v, p, (-2, -1)) for v in (matrix, products.inv(matrix))]
        return norms[0] * norms[1]
    if 0 in making.like_shape(matrix)[-2:]:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    s = apply(linalg.singular_values, matrix)
    found = s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    empty = mathematics.is_nan(found)
    empty = mathematics.logical_and(
        empty, mathematics.logical_not(reductions.reduce_any(mathematics.is_nan(matrix), (-2, -1)))
    )
    return mathematics.where(empty, EagerTensor(np.asarray(np.inf, found.dtype.dtype)), found)


def _of_arrays_api() -> None:
    """NumPy's linear algebra by the names of the array API, since NumPy 2."""
    module = np.linalg
    if not hasattr(module, "matrix_norm"):
        return
    means(module.diagonal)(lambda x, /, *, offset=0: numpys(np.diagonal, x, offset, -2, -1))
    means(module.trace)(lambda x, /, *, offset=0, dtype=None: numpys(np.trace, x, offset, -2, -1, dtype))
    means(module.matrix_transpose)(lambda x, /: products.matrix_transpose(x))
    means(module.matmul)(lambda x1, x2, /: apply(linalg.matmul, *promote([operand(x1), operand(x2)])))
    means(module.outer)(_outer)
    means(module.tensordot)(lambda x1, x2, /, *, axes=2: numpys(np.tensordot, x1, x2, axes))
    means(module.cross)(lambda x1, x2, /, *, axis=-1: numpys(np.cross, x1, x2, axis=axis))
    means(module.svdvals)(lambda x, /: apply(linalg.singular_values, _computed(x)))
    means(module.matrix_norm)(
        lambda x, /, *, keepdims=False, ord="fro": numpys(np.linalg.norm, x, ord, (-2, -1), keepdims=keepdims)
    )
    means(module.vector_norm)(_vector_norm)


def _outer(x1: object, x2: object, /) -> Tensor:
    x, y = operand(x1), operand(x2)
    if len(x.shape) != 1 or len(y.shape) != 1:
        raise ValueError("Input arrays must be one-dimensional, but they are x1.ndim and x2.ndim.")
    return numpys(np.outer, x, y)


def _vector_norm(
    x: object, /, *, axis: int | tuple[int, ...] | None = None, keepdims: bool = False, ord: float = 2
) -> Tensor:
    tensor = operand(x)
    rank = len(tensor.shape)
    where = (
        [*range(rank)] if axis is None else [axis_of(a, rank) for a in (axis if isinstance(axis, tuple) else (axis,))]
    )
    rest = [i for i in range(rank) if i not in where]
    rows = shaping.reshape(
        shaping.transpose(tensor, [*where, *rest]), [-1, *(making.like_shape(tensor)[i] for i in rest)]
    )
    found = numpys(np.linalg.norm, rows, ord, 0)
    return found[tuple(None if i in where else slice(None) for i in range(rank))] if keepdims else found


_of_arrays_api()

# Fourier transforms.


def _transform(function: str, a: object, n: object, axis: int, norm: str | None) -> Tensor:
    x = operand(a)
    if n is not None and not isinstance(n, int | np.integer):
        raise refused(TypeError(f"np.fft.{function} with n={n}: how many points there are must be known while tracing"))
    if function == "rfft" and x.dtype.is_complex:
        raise TypeError("ufunc 'rfft_n_even' did not contain a loop with signature matching types complex128")
    return apply(linalg.fourier, x, function=function, count=None if n is None else int(n), axis=int(axis), norm=norm)


def _one_axis(name: str) -> Callable[..., object]:
    def meaning(a: object, n: object = None, axis: int = -1, norm: str | None = None) -> Tensor:
        return _transform(name, a, n, axis, norm)

    return meaning


for _name in ("fft", "ifft", "rfft", "irfft"):
    means(getattr(np.fft, _name))(_one_axis(_name))

_SWAPPED = {None: "forward", "backward": "forward", "ortho": "ortho", "forward": "backward"}


@means(np.fft.hfft)
def _hermitian(a: object, n: object = None, axis: int = -1, norm: str | None = None) -> Tensor:
    return _transform("irfft", mathematics.conj(operand(a)), n, axis, _SWAPPED.get(norm, norm))


@means(np.fft.ihfft)
def _inverse_hermitian(a: object, n: object = None, axis: int = -1, norm: str | None = None) -> Tensor:
    return mathematics.conj(_transform("rfft", a, n, axis, _SWAPPED.get(norm, norm)))


def _several_axes(first: str, others: str, last: bool, default: Sequence[int] | None) -> Callable[..., object]:
    """A transform along several axes: `first` along the last of them, before or after the `others`."""

    def meaning(
        a: object, s: Sequence[int] | None = None, axes: Sequence[int] | None = default, norm: str | None = None
    ) -> Tensor:
        x = operand(a)
        if axes is None:
            axes = [*range(-len(s), 0)] if s is not None else [*range(-len(x.shape), 0)]
        counts = [None] * len(axes) if s is None else [*s]
        if len(counts) != len(axes):
            raise ValueError("Shape and axes have different lengths.")
        if not axes:
            return shaping.identity(x)
        order = [(making.like_shape(x)[axis] if count == -1 else count, axis) for count, axis in zip(counts, axes)]
        steps = [(others, *step) for step in order[-2::-1]] if not last else [(others, *step) for step in order[:-1]]
        whole = (first, *order[-1])
        for name, count, axis in [*steps, whole] if last else [whole, *steps]:
            x = _transform(name, x, count, axis, norm)
        return x

    return meaning


for _name, _args in {
    "fft": ("fft", "fft", False), "ifft": ("ifft", "ifft", False), "rfft": ("rfft", "fft", False),
    "irfft": ("irfft", "ifft", True),
}.items():  # fmt: skip
    means(getattr(np.fft, f"{_name}n"))(_several_axes(*_args, None))
    means(getattr(np.fft, f"{_name}2"))(_several_axes(*_args, (-2, -1)))


def _shifting(sign: int) -> Callable[..., object]:
    def meaning(x: object, axes: int | Sequence[int] | None = None) -> Tensor:
        value = operand(x)
        rank = len(value.shape)
        if not rank:
            raise ValueError("not enough values to unpack: an array without dimensions cannot be shifted")
        where = [*range(rank)] if axes is None else [axes] if isinstance(axes, int) else [*axes]
        for axis in where:
            half = making.like_shape(value)[axis_of(axis, rank)] // 2
            value = parts.roll(value, half * sign, axis)
        return value

    return meaning


means(np.fft.fftshift)(_shifting(1))
means(np.fft.ifftshift)(_shifting(-1))
