"""Random tensors: one generator for the process, fresh numbers at each run."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.dtypes import DType, int64
from runtime.graph import TensorType
from runtime.ops.op import kernel, op
from runtime.ops.shape import dims

_generator: list[np.random.Generator] = []  # made when first asked for, since NumPy loads its part then


def set_seed(seed: int) -> None:
    """Start the generator anew, so that the same operations give the same numbers."""
    _generator[:] = [np.random.default_rng(seed)]


def generator(seed: int | None = None) -> np.random.Generator:
    """The process's generator, or a new one for a seed of an operation's own."""
    if seed is not None:
        return np.random.default_rng(seed)
    if not _generator:
        _generator.append(np.random.default_rng())
    return _generator[0]


def _drawn(*_: TensorType, shape: Any, dtype: DType, **__: Any) -> TensorType:
    return TensorType(dtype, tuple(shape))


@kernel
def normal_numbers(mean: Any, stddev: Any, *given: Any, shape: Any, dtype: Any) -> Any:
    return generator().normal(mean, stddev, dims(shape, given)).astype(dtype)


normal = op(
    "random_normal",
    _drawn,
    "normal_numbers({*}, shape={shape}, dtype={dtype})",
    tf="RandomStandardNormal",
    effect="write",
)


@kernel
def truncated_numbers(mean: Any, stddev: Any, *given: Any, shape: Any, dtype: Any) -> Any:
    """Normal numbers, drawn again where they are more than two deviations away."""
    result = generator().normal(size=dims(shape, given))
    while (far := np.abs(result) > 2).any():
        result[far] = generator().normal(size=int(far.sum()))
    return (result * stddev + mean).astype(dtype)


truncated_normal = op(
    "truncated_normal", _drawn, "truncated_numbers({*}, shape={shape}, dtype={dtype})", effect="write"
)


@kernel
def uniform_numbers(low: Any, high: Any, *given: Any, shape: Any, dtype: Any) -> Any:
    size = dims(shape, given)
    if np.issubdtype(dtype, np.integer):
        return generator().integers(low, high, size, dtype)
    return (generator().random(size) * (high - low) + low).astype(dtype)


uniform = op(
    "random_uniform", _drawn, "uniform_numbers({*}, shape={shape}, dtype={dtype})", tf="RandomUniform", effect="write"
)


@kernel
def shuffled(x: Any) -> Any:
    return generator().permutation(x, axis=0)


def _same(x: TensorType, **_: Any) -> TensorType:
    return TensorType(x.dtype, x.shape)


shuffle = op("random_shuffle", _same, "shuffled({0})", effect="write")


@kernel
def drawn_classes(logits: Any, count: int) -> Any:
    noise = generator().gumbel(size=(np.shape(logits)[0], count, np.shape(logits)[1]))
    return np.argmax(np.asarray(logits)[:, None, :] + noise, -1).astype(np.int64)


def _categorical(logits: TensorType, *, count: int) -> TensorType:
    return TensorType(int64, (None if logits.shape is None else logits.shape[0], count))


categorical = op("categorical", _categorical, "drawn_classes({0}, {count})", tf="Multinomial", effect="write")
