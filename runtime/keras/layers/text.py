"""TextVectorization: texts as the numbers of their words."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Unpack

import numpy as np

from autograph.operators.calls import call
from runtime.graph.dtypes import NumPyArray, string
from runtime.keras.custom_objects import by_its_own_name, custom
from runtime.keras.identifiers import Config
from runtime.keras.layers.vocabularies import Lookup, LookupOptions, Vocabulary, batches_of
from runtime.keras.serialization import serialized
from runtime.keras.shapes import show
from runtime.ops import strings, texts
from runtime.tensors.conversion import constant, operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.operations import apply
from runtime.tensors.shaping import ensure_shape, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike

_STANDARDS = ("lower_and_strip_punctuation", "lower", "strip_punctuation")
_SPLITS = ("whitespace", "character")
_PUNCTUATION = r"""[!"#$%&()*+,\-./:;<=>?@\[\\\]^_`{|}~']"""

TextFunction = Callable[[Tensor], Tensor]


class TextVectorization(Lookup):
    """Texts as the numbers of their words in a vocabulary, which is given, or found by `adapt`.

    A text is made uniform, split into words, these are put together in groups, and looked up: 0 stands for no word, 1
    for one that is not known.

    Args:
      max_tokens: how many numbers there are at most, which `adapt` keeps to.
      standardize: what makes texts uniform: ``"lower_and_strip_punctuation"``, ``"lower"``, ``"strip_punctuation"``,
        None, or a function of a tensor of strings that gives one of its shape.
      split: what splits them: ``"whitespace"``, ``"character"``, None for texts that are words, or a function of one
        text, a tensor of shape (), that gives its words, of shape [n].
      ngrams: of how many words groups are, up to a number, or of each of several.
      output_mode: ``"int"`` for numbers, padded with 0; ``"multi_hot"`` for a vector of the words of each text,
        ``"count"`` for how many of each there are, ``"tf_idf"`` for that times what each counts; ``"one_hot"`` for a
        vector of each word.
      output_sequence_length: how many numbers there are for each text, for the mode ``"int"``; as many as the longest
        one has by default.
      pad_to_max_tokens: whether vectors have the length `max_tokens`, however few words there are.
      vocabulary: the words, an array or list of them, or the name of a file with one a line.
      idf_weights: what each counts, of the length of `vocabulary`, for the mode ``"tf_idf"``.
      sparse, ragged: False; it makes no such tensors.
      encoding: the encoding in which `get_vocabulary` reads the words.
      kwargs: the options of `Layer`; the dtype follows from the mode.
    Raises:
      ValueError: for options that do not go together, and as of `set_vocabulary`.

    >>> layer = tf.keras.layers.TextVectorization(output_sequence_length=4)
    >>> layer.adapt(["A cat, a dog.", "A bird"])
    >>> layer.get_vocabulary()
    ['', '[UNK]', 'a', 'dog', 'cat', 'bird']
    >>> print(layer(["The cat!", "a a dog a cat"]).numpy())
    [[1 4 0 0]
     [2 2 3 2]]
    """

    _vocabulary_dtype = string

    def __init__(
        self,
        max_tokens: int | None = None,
        standardize: str | TextFunction | None = "lower_and_strip_punctuation",
        split: str | TextFunction | None = "whitespace",
        ngrams: int | Sequence[int] | None = None,
        output_mode: str = "int",
        output_sequence_length: int | None = None,
        pad_to_max_tokens: bool = False,
        vocabulary: Vocabulary | None = None,
        idf_weights: TensorLike | None = None,
        sparse: bool = False,
        ragged: bool = False,
        encoding: str = "utf-8",
        **kwargs: Unpack[LookupOptions],
    ) -> None:
        self.encoding = encoding
        super().__init__(
            max_tokens, 1, "", "[UNK]", vocabulary, idf_weights, False, output_mode, sparse, pad_to_max_tokens,
            "floormod", None, **kwargs,
        )  # fmt: skip
        if ragged:
            raise ValueError("TextVectorization with ragged=True: it makes no ragged tensors here. Leave it out")
        for what, given, known in (("standardize", standardize, _STANDARDS), ("split", split, _SPLITS)):
            if given is not None and not callable(given) and given not in known:
                names = ", ".join(map(repr, known))
                raise ValueError(f"TextVectorization with {what}={given!r}: it is {names}, None or a function")
        if output_sequence_length is not None and self.output_mode != "int":
            raise ValueError(
                f"TextVectorization with output_sequence_length={output_sequence_length!r} and output_mode="
                f"{output_mode!r}: numbers have a length, for output_mode='int'"
            )
        if output_sequence_length is not None and output_sequence_length < 0:
            raise ValueError(f"TextVectorization with output_sequence_length={output_sequence_length!r}: 0 or more")
        self.standardize, self.split, self.ngrams = standardize, split, ngrams
        self.output_sequence_length = output_sequence_length
        self._sizes = self._checked_ngrams(ngrams)

    @staticmethod
    def _checked_ngrams(ngrams: object) -> tuple[int, ...] | None:
        if ngrams is None:
            return None
        given = range(1, ngrams + 1) if isinstance(ngrams, int) else ngrams
        sizes = tuple(given) if isinstance(given, range | list | tuple) else ()
        if not sizes or not all(isinstance(size, int) and size > 0 for size in sizes):
            raise ValueError(f"TextVectorization with ngrams={ngrams!r}: it is a number of words, or several numbers")
        return sizes

    def _readable(self, token: bytes | int) -> str | int:
        return token.decode(self.encoding) if isinstance(token, bytes) else token

    def adapt(  # type: ignore[override]  # its parameters are in Keras's order
        self, data: Structure, batch_size: int | None = None, steps: int | None = None
    ) -> None:
        """Find the words: those of the data, the most frequent ones first, and of as frequent ones the last in order.

        Args:
          data: an array of texts, of shape [n] or [n, 1], a dataset of batches, or any iterable of batches.
          batch_size: accepted; an array is looked at as a whole.
          steps: how many batches are looked at; all by default.
        Raises:
          ValueError: if the layer was made with a vocabulary.
          RuntimeError: as of `set_vocabulary`.

        >>> layer = tf.keras.layers.TextVectorization(split="character")
        >>> layer.adapt(["abb"])
        >>> layer.get_vocabulary()
        ['', '[UNK]', 'b', 'a']
        """
        self._learn(self._words(operand(batch), None) for batch in batches_of(data, steps))

    def call(self, inputs: TensorLike) -> Tensor:
        """The numbers of words, or vectors.

        Args:
          inputs: texts, a tensor of shape [batch] or [batch, 1], or one of shape (). Words, of shape [batch, n], for
            ``split=None``.
        Returns: a tensor of shape [batch, output_sequence_length], of int64; for ``"one_hot"`` of one axis more, and
          for other modes of shape [batch, vocabulary_size], of int64, or of float32 for ``"tf_idf"``.
        Raises:
          ValueError: if there is no vocabulary yet, or for another shape.
          TypeError: for what is no text.
        """
        return super().call(self._words(operand(inputs), self.output_sequence_length))

    def _words(self, inputs: Tensor, length: int | None) -> Tensor:
        """The words of texts, so many of each, or all; along an axis more, with empty ones at the end."""
        x = self._standard(self._keys(inputs))
        if self.split is None and self._sizes is None and length is None:
            return x
        if self.split is not None and x.shape.rank:
            if x.shape.rank > 1 and x.shape[-1] != 1:
                raise ValueError(
                    f"layer '{self.name}' splits texts of shape [batch] or [batch, 1], not of "
                    f"{show(x.shape.as_list())}. With split=None it takes words"
                )
            x = squeeze(x, -1) if x.shape.rank > 1 else x
        made = numpy_function(functools.partial(self._padded, length=length), [x], string)
        dims = x.shape.as_list() if self.split is not None else x.shape.as_list()[:-1]
        return ensure_shape(made, [*dims, length])  # type: ignore[arg-type]

    def _standard(self, x: Tensor) -> Tensor:
        if callable(self.standardize):
            made: Tensor = self._keys(call(self.standardize, x))
            return made
        if self.standardize in ("lower", "lower_and_strip_punctuation"):
            x = apply(strings.lower, x)
        if self.standardize in ("strip_punctuation", "lower_and_strip_punctuation"):
            x = apply(texts.replace, x, pattern=_PUNCTUATION, rewrite="", everywhere=True)
        return x

    def _padded(self, given: object, length: int | None) -> NumPyArray:
        """The words of each text, or of each row of words, all of one length."""
        array = self._array(given)
        if self.split is not None:
            dims, rows = array.shape, [self._parts(text) for text in array.ravel().tolist()]
        else:
            array = np.atleast_1d(array)
            dims, rows = array.shape[:-1], array.reshape(-1, array.shape[-1]).tolist()
        if self._sizes is not None:
            rows = [
                [b" ".join(row[at : at + size]) for size in self._sizes for at in range(len(row) - size + 1)]
                for row in rows
            ]
        length = max(map(len, rows), default=0) if length is None else length
        made = np.full((len(rows), length), b"", object)
        for number, row in enumerate(rows):
            made[number, : len(row)] = row[:length]
        return made.reshape(*dims, length)

    def _parts(self, text: bytes) -> list[bytes]:
        if callable(self.split):
            found = call(self.split, constant(text))
            return list(np.ravel(self._array(self._keys(found).numpy())).tolist())
        if self.split == "whitespace":
            return text.split()
        return [letter.encode() for letter in text.decode("utf-8", "replace")]

    def get_config(self) -> Config:
        """What the layer was made with, and its vocabulary, as a dictionary of plain values.

        >>> tf.keras.layers.TextVectorization(vocabulary=["a", "b"]).get_config()["vocabulary"]
        ['a', 'b']
        """
        config = super().get_config()
        for name in ("num_oov_indices", "mask_token", "oov_token", "invert", "oov_method", "salt"):
            del config[name]
        for name in ("standardize", "split", "ngrams", "output_sequence_length", "encoding"):
            config[name] = serialized(getattr(self, name))
        return config

    @classmethod
    def from_config(cls, config: Mapping[str, Structure]) -> TextVectorization:
        """A layer as `get_config` describes it.

        Args:
          config: the configuration.
        Raises:
          ValueError: if the name of a function is not known.

        >>> layer = tf.keras.layers.TextVectorization(vocabulary=["a", "b"])
        >>> print(tf.keras.layers.TextVectorization.from_config(layer.get_config())("b a").numpy())
        [3 2]
        """
        known: dict[str, Any] = dict(config)
        for what, ours in (("standardize", _STANDARDS), ("split", _SPLITS)):
            name = known.get(what)
            if isinstance(name, str) and name not in ours:
                known[what] = custom(name, name) or by_its_own_name(name)
                if known[what] is None:
                    raise ValueError(
                        f"TextVectorization with the function {name!r} for {what}, which is not known: give it as "
                        f"custom_objects={{{name!r}: {name}}}, or register it by "
                        "@keras.saving.register_keras_serializable()"
                    )
        return cls(**known)
