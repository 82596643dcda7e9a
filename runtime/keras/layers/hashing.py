"""Hashing: words and numbers in bins, without a vocabulary."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from runtime.graph.dtypes import as_dtype, int32, int64, string
from runtime.keras import settings
from runtime.keras.layers.categories import encoded, mode_of
from runtime.keras.layers.options import Options
from runtime.keras.layers.vocabularies import TakesTexts, counted, salt_of
from runtime.ops import hashing, strings
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant, operand
from runtime.tensors.making import zeros_like
from runtime.tensors.operations import apply
from runtime.tensors.shaping import expand_dims
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


class Hashing(TakesTexts):
    """Words and whole numbers in bins, by their hash: the same ones that TensorFlow gives.

    Args:
      num_bins: how many bins there are, with that of `mask_value`.
      mask_value: what stands for nothing: it alone is in bin 0.
      salt: one or two whole numbers: bins are found by SipHash then, with them as its key, instead of FarmHash.
      output_mode: ``"int"`` for the numbers of bins; ``"one_hot"`` for a vector of each, ``"multi_hot"`` for one of
        those along the last axis, ``"count"`` for how many of each these are.
      sparse: False; it makes no sparse tensors.
      kwargs: the options of `Layer`; the dtype is that of the outputs, int64 for ``"int"`` by default.
    Raises:
      ValueError: without bins, for another mode, another salt, and numbers of bins of another dtype than int32 and
        int64.

    >>> layer = tf.keras.layers.Hashing(num_bins=3)
    >>> print(layer([["A"], ["B"], ["C"], ["D"], ["E"]]).numpy().ravel())
    [1 0 1 1 2]
    """

    def __init__(
        self,
        num_bins: int,
        mask_value: str | int | None = None,
        salt: int | Sequence[int] | None = None,
        output_mode: str = "int",
        sparse: bool = False,
        **kwargs: Unpack[Options],
    ) -> None:
        self.output_mode = mode_of("Hashing", output_mode, ("int", "one_hot", "multi_hot", "count"))
        if kwargs.get("dtype") is None:
            kwargs["dtype"] = int64 if output_mode == "int" else settings.floatx()
        super().__init__(**kwargs)
        if num_bins is None or num_bins < 1:
            raise ValueError(f"Hashing with num_bins={num_bins!r}: there is one bin, or more")
        if output_mode == "int" and as_dtype(self.dtype) not in (int32, int64):
            raise ValueError(f"Hashing with dtype={self.dtype!r}: numbers of bins are of int32 or int64")
        if sparse:
            raise ValueError("Hashing with sparse=True: it makes no sparse tensors here. Leave it out")
        self.num_bins, self.mask_value, self.sparse = num_bins, mask_value, False
        self.salt = None if salt is None else list(salt_of("Hashing", salt))
        self.autocast = False  # numbers are read as they are

    def call(self, inputs: TensorLike) -> Tensor:
        """The bins.

        Args:
          inputs: a tensor of any shape, of strings or numbers, floats without what is behind the point.
        Returns: a tensor of its shape, of the dtype of the layer; for the mode ``"one_hot"`` of one axis more, and for
          others of shape [batch, ..., num_bins].
        """
        found = self._bins(operand(inputs))
        if self.output_mode == "int":
            return cast(found, self.dtype)
        found = found if found.shape.rank else expand_dims(found, 0)
        if self.output_mode == "one_hot":
            return encoded(found, "one_hot", self.num_bins, self.dtype)
        return cast(counted(found, self.num_bins, self.output_mode == "multi_hot"), self.dtype)

    def _bins(self, x: Tensor) -> Tensor:
        masked = None
        bins = self.num_bins
        if self.mask_value is not None and bins > 1:
            masked = m.equal(x, constant(self.mask_value, x.dtype))
            bins -= 1
        if x.dtype.is_floating:
            x = cast(x, int64)
        texts = x if x.dtype == string else apply(strings.as_string, x)
        key = None if self.salt is None else (self.salt[0], self.salt[1])
        found = apply(hashing.buckets, texts, buckets=bins, key=key)
        return found if masked is None else m.where(masked, zeros_like(found), found + 1)
