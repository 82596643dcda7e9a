"""Layers that number words and whole numbers by a vocabulary: StringLookup and IntegerLookup."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

from runtime.graph.dtypes import as_dtype, int64, string
from runtime.keras.identifiers import Config
from runtime.keras.layers.vocabularies import Lookup, LookupOptions, Token, Vocabulary
from runtime.tensors.types import TensorLike


class StringLookup(Lookup):
    """Words as their numbers in a vocabulary, which is given, or found by `adapt`.

    Numbers begin with that of the mask, if there is one, go on with those of words that are not known, and then are
    those of the vocabulary.

    Args:
      max_tokens: how many numbers there are at most, which `adapt` keeps to.
      num_oov_indices: how many numbers there are for words that are not known, which share them by their hash. With 0
        there must be no such words.
      mask_token: a word that stands for nothing: its number is 0, and vectors leave it out.
      oov_token: what stands for words that are not known where numbers become words.
      vocabulary: the words, an array or list of them, or the name of a file with one a line.
      idf_weights: what each counts, of the length of `vocabulary`, for the mode ``"tf_idf"``.
      invert: whether numbers become words.
      output_mode: ``"int"`` for numbers; ``"one_hot"`` for a vector of each, ``"multi_hot"`` for one of those along
        the last axis, ``"count"`` for how many of each these are, ``"tf_idf"`` for that times what each counts.
      pad_to_max_tokens: whether vectors have the length `max_tokens`, however few words there are.
      sparse: False; it makes no sparse tensors.
      encoding: the encoding in which `get_vocabulary` reads the words.
      oov_method: accepted; words are always spread by their hash.
      salt: one or two whole numbers; words that are not known are spread by SipHash then, with them as its key.
      kwargs: the options of `Layer`; the dtype follows from the mode.
    Raises:
      ValueError: for options that do not go together, and as of `set_vocabulary`.

    >>> layer = tf.keras.layers.StringLookup(vocabulary=["red", "green"])
    >>> print(layer([["green", "blue"], ["red", "red"]]).numpy())
    [[2 0]
     [1 1]]
    >>> back = tf.keras.layers.StringLookup(vocabulary=["red", "green"], invert=True)
    >>> print(back([1, 0]).numpy())
    [b'red' b'[UNK]']
    """

    _vocabulary_dtype = string

    def __init__(
        self,
        max_tokens: int | None = None,
        num_oov_indices: int = 1,
        mask_token: str | bytes | None = None,
        oov_token: str | bytes | None = "[UNK]",
        vocabulary: Vocabulary | None = None,
        idf_weights: TensorLike | None = None,
        invert: bool = False,
        output_mode: str = "int",
        pad_to_max_tokens: bool = False,
        sparse: bool = False,
        encoding: str = "utf-8",
        oov_method: str = "floormod",
        salt: int | Sequence[int] | None = None,
        **kwargs: Unpack[LookupOptions],
    ) -> None:
        self.encoding = encoding
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode, sparse,
            pad_to_max_tokens, oov_method, salt, **kwargs,
        )  # fmt: skip

    def _readable(self, token: Token) -> str | int:
        return token.decode(self.encoding) if isinstance(token, bytes) else token

    def get_config(self) -> Config:
        """What the layer was made with, and its vocabulary, as a dictionary of plain values.

        >>> tf.keras.layers.StringLookup(vocabulary=["a", "b"]).get_config()["encoding"]
        'utf-8'
        """
        return {**super().get_config(), "encoding": self.encoding}


class IntegerLookup(Lookup):
    """Whole numbers as their numbers in a vocabulary, which is given, or found by `adapt`.

    Args:
      max_tokens: how many numbers there are at most, which `adapt` keeps to.
      num_oov_indices: how many numbers there are for what is not known. With 0 there must be no such thing.
      mask_token: a number that stands for nothing: its number is 0, and vectors leave it out.
      oov_token: what stands for all that is not known in the other direction.
      vocabulary: the numbers, an array or list of them, or the name of a file with one a line.
      vocabulary_dtype: ``"int64"``.
      idf_weights: what each counts, of the length of `vocabulary`, for the mode ``"tf_idf"``.
      invert: whether numbers in the vocabulary become what they stand for.
      output_mode, pad_to_max_tokens, sparse: as of `StringLookup`.
      oov_method: how numbers that are not known share several: ``"floormod"`` by what they leave when they are
        divided, ``"farmhash"`` by their hash.
      salt: one or two whole numbers, the key of SipHash, for ``"farmhash"``.
      kwargs: the options of `Layer`; the dtype follows from the mode.
    Raises:
      ValueError: for options that do not go together, and as of `set_vocabulary`.

    >>> layer = tf.keras.layers.IntegerLookup(vocabulary=[12, 36, 1138])
    >>> print(layer([[12, 1138], [7, 36]]).numpy())
    [[1 3]
     [0 2]]
    """

    _vocabulary_dtype = int64

    def __init__(
        self,
        max_tokens: int | None = None,
        num_oov_indices: int = 1,
        mask_token: int | None = None,
        oov_token: int | None = -1,
        vocabulary: Vocabulary | None = None,
        vocabulary_dtype: str = "int64",
        idf_weights: TensorLike | None = None,
        invert: bool = False,
        output_mode: str = "int",
        sparse: bool = False,
        pad_to_max_tokens: bool = False,
        oov_method: str = "floormod",
        salt: int | Sequence[int] | None = None,
        **kwargs: Unpack[LookupOptions],
    ) -> None:
        if as_dtype(vocabulary_dtype) != int64:
            raise ValueError(f"IntegerLookup with vocabulary_dtype={vocabulary_dtype!r}: it is 'int64'")
        super().__init__(
            max_tokens, num_oov_indices, mask_token, oov_token, vocabulary, idf_weights, invert, output_mode, sparse,
            pad_to_max_tokens, oov_method, salt, **kwargs,
        )  # fmt: skip
