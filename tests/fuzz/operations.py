"""Calls of operations of the table, as generated programs make them."""

from __future__ import annotations

import contextlib

import numpy as np

import autograph
import runtime as tf
from runtime.dtypes import as_dtype
from runtime.graph.graph import TensorType
from runtime.graph.op import OPS
from runtime.graph.shapes import fits
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor
from runtime.tensors.trace import current

# What NumPy itself computes in one way or another, as arrays lie in memory.
BY_LAYOUT = frozenset(
    """
    exp exp2 expm1 log log2 log10 log1p tanh sigmoid erf softplus power float_power logaddexp
    sin cos tan asin acos atan sinh cosh asinh acosh atanh atan2 hypot cbrt
    """.split()
)
# What native code may compute in another order, or with another function.
INEXACT = BY_LAYOUT | frozenset(
    """
    sum sum_to sum_like prod mean std var logsumexp norm matmul einsum tensordot convolution
    convolution_images convolution_filters pool unpool cumsum cumprod trace det inverse
    cholesky solve
    """.split()
)
# And, of complex numbers, these; of products NumPy rounds some once more than others, as arrays lie in memory.
INEXACT_OF_COMPLEX = frozenset("sqrt angle multiply square outer absolute".split())
# Which of 0 and -0 is larger, and comes first, NumPy decides by how arrays lie in memory.
UNSIGNED = frozenset("maximum minimum relu clip max min sort".split())
# What floats beyond the integers of 32 bits without a sign become, NumPy decides by how many there are.
CASTS = frozenset("cast list_cast round".split())
_wobble = [0.0, None]  # how far inexact operations are moved, and by which random numbers


@contextlib.contextmanager
def wobbling(far, draw):
    """Move what inexact operations take and give by `far` units in the last place, the way that `draw` says.

    Zeros whose sign is left open have another.
    """
    _wobble[:] = [far, draw]
    try:
        yield
    finally:
        _wobble[:] = [0.0, None]


@autograph.do_not_convert
def op(name, /, *inputs, **attributes):
    """An operation of the table on tensors: run at once, or recorded."""
    row = OPS[name]
    if current() is not None:
        return apply(row, *inputs, **attributes)
    if _wobble[1] is not None and name == "prod":
        inputs = (_turned(inputs[0], attributes["axis"]),)
    if _wobble[1] is not None and (name in INEXACT or name in INEXACT_OF_COMPLEX and inputs[0].dtype.is_complex):
        inside = attributes.get("dtype")  # what a mean of integers adds up
        if name.startswith("convolution_") and not all(np.isfinite(x.numpy()).all() for x in inputs[:2]):
            made = apply(row, *inputs, **attributes)  # zeros meet what is not finite natively
            return EagerTensor.of(np.full_like(made.numpy(), np.nan))
        return _moved(apply(row, *(_moved(x, inside) for x in inputs), **attributes))
    if _wobble[1] is not None and name in UNSIGNED:
        return tf.nest.map_structure(_signed, apply(row, *inputs, **attributes))
    result = apply(row, *inputs, **attributes)
    if _wobble[1] is not None and name in CASTS:
        x = inputs[0]
        if name == "round" and isinstance(x, EagerTensor) and x.array.dtype.kind == "u":  # as a float, and cast
            x = EagerTensor.of(np.round(x.array.astype(np.float64), attributes["decimals"]))
        return _overflown(x, result)
    _check_rule(row, inputs, attributes, result)
    return result


def _moved(x, inside=None):
    """A tensor of floats, or of what becomes floats of the dtype `inside`, moved by a few units in the last place."""
    if not isinstance(x, EagerTensor):
        return x
    array = x.array
    if inside is not None and array.dtype.kind not in "fc":
        array = array.astype(as_dtype(inside).as_numpy_dtype)
    if array.dtype.kind not in "fc":
        return x
    far, draw = _wobble
    eps = np.finfo(array.dtype).eps
    sign = np.sign(-far if draw == 0 else draw.uniform(-1, 1, array.shape))
    size = 1 if draw == 0 else draw.uniform(0.5, 1, array.shape)  # so that sums of large numbers do not stay
    with np.errstate(all="ignore"):
        moved = (array * (1 + np.abs(far) * size * -sign * eps)).astype(array.dtype)
        if array.dtype.kind == "f":  # NaN has no sign that anybody promises
            moved = np.where(np.isnan(moved), np.copysign(moved, sign).astype(array.dtype), moved)
        return EagerTensor.of(moved)


def _turned(x, axis):
    """What a product is made of, with the large ones first: it overflows before it meets a zero."""
    if not isinstance(x, EagerTensor) or x.array.dtype.kind not in "fc" or not x.array.ndim or _wobble[1] == 0:
        return x
    turned = x.array
    for one in range(turned.ndim) if axis is None else np.atleast_1d(axis):
        turned = np.take_along_axis(turned, np.argsort(-np.abs(turned), axis=one), one)
    return EagerTensor.of(turned)


def _signed(x):
    """A tensor whose zeros have another sign, or one at random."""
    if x.array.dtype.kind != "f":
        return x
    far, draw = _wobble
    sign = np.copysign(1.0, -far) if draw == 0 else draw.uniform(-1, 1, x.array.shape)
    return EagerTensor.of(np.where(x.array == 0, np.copysign(x.array, sign), x.array))


def _overflown(x, result):
    """The tensor that a cast gives, with others where what is cast does not fit."""
    if not isinstance(x, EagerTensor) or x.array.dtype.kind != "f" or result.dtype != tf.uint32:
        return result
    draw = _wobble[1]
    with np.errstate(all="ignore"):
        fits = (x.array > -(2.0**31)) & (x.array < 2.0**32)
    other = result.array + np.uint32(1 if draw == 0 else draw.integers(2**31))
    return EagerTensor.of(np.where(fits, result.array, other))


class RuleError(AssertionError):
    """The rule of an operation does not say what its kernel gives."""


def _check_rule(row, inputs, attributes, result):
    types = [x.type for x in inputs]
    if row.effect or not all(isinstance(t, TensorType) for t in types):
        return
    results = result if isinstance(result, tuple) else (result,)
    if not all(isinstance(r, EagerTensor) for r in results):
        return
    opened = [TensorType(t.dtype, (None,) * len(t.shape)) for t in types], [TensorType(t.dtype, None) for t in types]
    for given in (types, *opened):
        found = row.rule(*given, **attributes)
        for kind, tensor in zip(found if isinstance(found, tuple) else (found,), results, strict=True):
            if kind.dtype != as_dtype(tensor.array.dtype) or not fits(tensor.array.shape, kind.shape):
                raise RuleError(f"{row.name}: the rule says {kind}, the kernel gives {tensor.type}")
