"""Layers that make classes of numbers, and vectors of classes: Discretization and CategoryEncoding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import numpy as np

from runtime.control.items import Source
from runtime.graph.dtypes import DTypeLike, NumPyArray, int32
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import Options
from runtime.tensors.conversion import cast, constant
from runtime.tensors.making import one_hot
from runtime.tensors.parts import searchsorted
from runtime.tensors.reductions import reduce_max, reduce_sum
from runtime.tensors.shaping import expand_dims, reshape, shape, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure


def encoded(x: Tensor, mode: str, depth: int, dtype: DTypeLike, weights: Tensor | None = None) -> Tensor:
    """Classes as vectors: each, or which there are among those of an example, or how many."""
    rank = len(x.shape)
    if mode == "one_hot":
        return one_hot(squeeze(x, -1) if rank > 1 and x.shape[-1] == 1 else x, depth, dtype=dtype)
    vectors = one_hot(x if rank else expand_dims(x, 0), depth, dtype=dtype)
    axis = 1 if rank > 1 else 0
    if mode == "multi_hot":
        return reduce_max(vectors, axis)
    return reduce_sum(vectors if weights is None else vectors * expand_dims(weights, -1), axis)


def mode_of(layer: str, mode: str, known: Sequence[str]) -> str:
    """A mode, if it is one of those of a layer."""
    if mode not in known:
        raise ValueError(f"{layer} with output_mode={mode!r}: it is {', '.join(map(repr, known))}")
    return mode


class CategoryEncoding(Layer):
    """Classes as vectors: numbers from 0 up to one less than `num_tokens`; others count for none.

    Args:
      num_tokens: how many classes there are.
      output_mode: ``"one_hot"`` for a vector of each, ``"multi_hot"`` for one of those among the last axis, or
        ``"count"`` for how many of each these are.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another mode, or without a number of classes.

    >>> print(tf.keras.layers.CategoryEncoding(3)(tf.constant([[0, 1], [2, 2]])))
    tf.Tensor(
    [[1. 1. 0.]
     [0. 0. 1.]], shape=(2, 3), dtype=float32)
    """

    def __init__(self, num_tokens: int, output_mode: str = "multi_hot", **kwargs: Unpack[Options]) -> None:
        super().__init__(**kwargs)
        if num_tokens is None or num_tokens < 1:
            raise ValueError(f"CategoryEncoding with num_tokens={num_tokens!r}: there is one class, or more")
        self.num_tokens = num_tokens
        self.output_mode = mode_of("CategoryEncoding", output_mode, ("one_hot", "multi_hot", "count"))

    def call(self, inputs: Tensor, count_weights: Tensor | None = None) -> Tensor:
        """The vectors.

        Args:
          inputs: classes, a tensor of whole numbers.
          count_weights: what each of them counts, of the shape of `inputs`, for the mode ``"count"``.
        Returns: a tensor of one axis more for the mode ``"one_hot"``, of shape [batch, ..., num_tokens] for others.
        Raises:
          ValueError: if there are weights, and nothing is counted.
        """
        if count_weights is not None and self.output_mode != "count":
            raise ValueError(f"count_weights with output_mode={self.output_mode!r}: they are for 'count'")
        weights = None if count_weights is None else cast(count_weights, self.compute_dtype)
        return encoded(cast(inputs, int32), self.output_mode, self.num_tokens, self.compute_dtype, weights)


class Discretization(Layer):
    """Numbers as the bins in which they fall: below the first boundary, from one to the next, from the last on.

    Args:
      bin_boundaries: where bins end, in order; otherwise `adapt` finds them.
      num_bins: how many bins `adapt` shall find, of about as many numbers each.
      epsilon: how exact `adapt` is: it looks at one over this many of the numbers, in order.
      output_mode: ``"int"`` for the numbers of bins; ``"one_hot"``, ``"multi_hot"`` and ``"count"`` as of
        `CategoryEncoding`.
      kwargs: the options of `Layer`.
    Raises:
      ValueError: for another mode, or if there are both boundaries and a number of bins.

    >>> print(tf.keras.layers.Discretization([0.0, 1.0])(tf.constant([-2.0, 0.0, 0.5, 1.0])))
    tf.Tensor([0 1 1 2], shape=(4,), dtype=int32)
    """

    def __init__(
        self,
        bin_boundaries: Sequence[float] | None = None,
        num_bins: int | None = None,
        epsilon: float = 0.01,
        output_mode: str = "int",
        **kwargs: Unpack[Options],
    ) -> None:
        super().__init__(**kwargs)
        if (bin_boundaries is None) == (num_bins is None):
            raise ValueError(
                f"Discretization with bin_boundaries={bin_boundaries!r} and num_bins={num_bins!r}: one of them is given"
            )
        self.bin_boundaries = None if bin_boundaries is None else sorted(map(float, bin_boundaries))
        self.num_bins, self.epsilon = num_bins, epsilon
        self.output_mode = mode_of("Discretization", output_mode, ("int", "one_hot", "multi_hot", "count"))

    def _argument(self, name: str) -> object:
        if name == "num_bins" and self.bin_boundaries is not None:
            return None  # they have been found
        return super()._argument(name)

    def adapt(self, data: Structure) -> None:
        """Find boundaries that part numbers into bins of about as many each.

        Args:
          data: an array, or a dataset of batches.
        Raises:
          ValueError: if the layer was given boundaries.

        >>> layer = tf.keras.layers.Discretization(num_bins=2)
        >>> layer.adapt(np.arange(10.0))
        >>> layer.bin_boundaries
        [4.0]
        """
        if self.num_bins is None:
            raise ValueError(f"layer '{self.name}' was made with bin_boundaries: it has nothing to find")
        batches = data.as_numpy_iterator() if isinstance(data, Source) else [data]  # type: ignore[attr-defined]
        values = np.sort(np.concatenate([np.ravel(np.asarray(b, np.float32)) for b in batches]))
        step = max(len(values) * self.epsilon, 1.0)
        self.bin_boundaries = _parted(values[int(step - 1) :: int(step)], self.num_bins)

    def call(self, inputs: Tensor) -> Tensor:
        """The bins.

        Args:
          inputs: a tensor of numbers.
        Returns: a tensor of its shape, of int32; vectors for other modes.
        Raises:
          ValueError: if there are no boundaries yet.
        """
        if self.bin_boundaries is None:
            raise ValueError(f"layer '{self.name}' has no boundaries: call adapt(data), or give bin_boundaries")
        x = cast(inputs, self.compute_dtype)
        ends = constant(self.bin_boundaries, self.compute_dtype)
        bins = reshape(searchsorted(ends, reshape(x, [-1]), side="right"), shape(x))
        if self.output_mode == "int":
            return bins
        return encoded(bins, self.output_mode, len(self.bin_boundaries) + 1, self.compute_dtype)


def _parted(values: NumPyArray, bins: int) -> list[float]:
    """The numbers below which one part of all lies, two parts and so on; all numbers if they are fewer than parts."""
    if len(values) < bins:
        return [float(v) for v in values[:-1]]
    shares = np.arange(1, len(values) + 1) / len(values)
    parts = 1.0 / bins + np.arange(0.0, 1.0, 1.0 / bins)
    return [float(v) for v in np.interp(parts, shares, values).astype(np.float32)[:-1]]
