"""Random tensors, fresh at each run.

An operation with a seed of its own draws one sequence of numbers, which that seed and the one of `set_seed` decide:
each operation of a graph has its own, operations that run at once share that of their seed. `set_seed` starts all anew.
"""

from __future__ import annotations

from typing import Any

from runtime.graph.dtypes import as_dtype, float32, int64
from runtime.ops import random as ops
from runtime.ops.random import set_seed
from runtime.tensors.conversion import dimensions, operand
from runtime.tensors.operations import apply
from runtime.tensors.trace import current

__all__ = ["categorical", "normal", "set_seed", "shuffle", "truncated_normal", "uniform"]


def _drawn(op: Any, first: Any, second: Any, shape: Any, dtype: Any, seed: Any) -> Any:
    dims, given = dimensions(shape)
    stream = _stream(seed)
    return apply(op, operand(first), operand(second), *given, shape=dims, dtype=as_dtype(dtype), stream=stream)


def _stream(seed: Any) -> ops.Stream | None:
    if seed is None:
        return None
    return ops.stream_of(int(seed)) if current() is None else ops.Stream(int(seed))


def normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> Any:
    """Normal numbers, fresh at each run."""
    return _drawn(ops.normal, mean, stddev, shape, dtype, seed)


def truncated_normal(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> Any:
    """Normal numbers within two standard deviations of the mean."""
    return _drawn(ops.truncated_normal, mean, stddev, shape, dtype, seed)


def uniform(
    shape: Any, minval: Any = 0, maxval: Any = None, dtype: Any = float32, seed: Any = None, name: str | None = None
) -> Any:
    """Numbers in [minval, maxval), fresh at each run. Raises ValueError for an integer dtype without maxval."""
    kind = as_dtype(dtype)
    if maxval is None:
        if kind.is_integer:
            raise ValueError(f"Must specify maxval for integer dtype {kind!r}")
        maxval = 1
    return _drawn(ops.uniform, minval, maxval, shape, kind, seed)


def shuffle(value: Any, seed: Any = None, name: str | None = None) -> Any:
    """The rows in random order."""
    return apply(ops.shuffle, operand(value), stream=_stream(seed))


def categorical(logits: Any, num_samples: int, dtype: Any = None, seed: Any = None, name: str | None = None) -> Any:
    """Class numbers drawn with the probabilities softmax(logits)."""
    return apply(
        ops.categorical, operand(logits), count=int(num_samples), dtype=as_dtype(dtype or int64), stream=_stream(seed)
    )
