"""What layers with a vocabulary have in common: how it is found, and how tokens become numbers."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar, TypeAlias, Unpack

import numpy as np

from runtime.control.items import Source
from runtime.graph.dtypes import DType, NumPyArray, as_dtype, float32, int64, string
from runtime.graph.errors import InvalidArgumentError
from runtime.keras.identifiers import Config
from runtime.keras.layers.categories import encoded, mode_of
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.options import LayerOptions
from runtime.ops.hashing import fingerprint, siphash
from runtime.tensors.conversion import cast, constant, convert_to_tensor, operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.shaping import ensure_shape, expand_dims
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, Structure, TensorLike

Token: TypeAlias = bytes | int
Vocabulary: TypeAlias = "TensorLike | Sequence[object] | str | os.PathLike[str]"

_MODES = ("int", "one_hot", "multi_hot", "count", "tf_idf")
_OLD_NAMES = {"binary": "multi_hot", "tf-idf": "tf_idf"}


class LookupOptions(LayerOptions, total=False):
    """The options of layers with a vocabulary: those of `Layer`, and what a configuration says besides."""

    has_input_vocabulary: bool


class TakesTexts(Layer):
    """A layer that takes texts: lists of them are tensors for it."""

    def _as_tensors(self, value: Structure) -> Structure:
        if isinstance(value, str | bytes | list | tuple):
            return convert_to_tensor(value)
        return super()._as_tensors(value)


class Known:
    """A vocabulary: its tokens, which number each has, and what each weighs."""

    def __init__(self, tokens: Sequence[Token], special: bool, weights: NumPyArray | None) -> None:
        self.tokens, self.special, self.weights = tokens, special, weights
        self.numbers = {token: number for number, token in enumerate(tokens)}


def counted(indices: Tensor, depth: int, binary: bool) -> Tensor:
    """How many there are of each class along the second axis, or which ones there are; others count for none."""

    def count(given: object) -> object:
        array = np.asarray(given)
        rows = np.moveaxis(array, min(1, array.ndim - 1), -1)
        flat = rows.reshape(math.prod(rows.shape[:-1]), rows.shape[-1])
        places = flat + np.arange(len(flat))[:, None] * depth
        found = np.bincount(places[(flat >= 0) & (flat < depth)], minlength=len(flat) * depth)
        return (found > 0 if binary else found).astype(np.int64).reshape(*rows.shape[:-1], depth)

    dims = indices.shape.as_list()
    left = [size for axis, size in enumerate(dims) if axis != min(1, len(dims) - 1)]
    return ensure_shape(numpy_function(count, [indices], int64), [*left, depth])  # type: ignore[arg-type]


def batches_of(data: Structure, steps: int | None) -> Iterator[Structure]:
    """The batches of a dataset or of any iterable; an array is one batch, and each of its elements a document."""
    if isinstance(data, Source):
        data = data.as_numpy_iterator()  # type: ignore[attr-defined]
    elif isinstance(data, list | tuple | str | bytes) or hasattr(data, "shape"):
        given = convert_to_tensor(data)
        data = [expand_dims(given, -1) if given.shape.rank == 1 else given]
        steps = None
    for number, batch in enumerate(data):
        if number == steps:
            return
        yield batch


class Lookup(TakesTexts):
    """What lookups have in common: a vocabulary, and numbers for what it does not have."""

    _vocabulary_dtype: ClassVar[DType]

    def __init__(
        self,
        max_tokens: int | None,
        num_oov_indices: int,
        mask_token: Token | str | None,
        oov_token: Token | str | None,
        vocabulary: Vocabulary | None,
        idf_weights: TensorLike | None,
        invert: bool,
        output_mode: str,
        sparse: bool,
        pad_to_max_tokens: bool,
        oov_method: str,
        salt: int | Sequence[int] | None,
        **kwargs: Unpack[LookupOptions],
    ) -> None:
        dtype, was_given = kwargs.pop("dtype", None), kwargs.pop("has_input_vocabulary", vocabulary is not None)
        super().__init__(**kwargs)
        kind = type(self).__name__
        self.output_mode = mode_of(kind, _OLD_NAMES.get(output_mode, output_mode), _MODES)
        self.max_tokens, self.num_oov_indices, self.pad_to_max_tokens = max_tokens, num_oov_indices, pad_to_max_tokens
        self.mask_token, self.oov_token, self.invert = mask_token, oov_token, bool(invert)
        self.oov_method = oov_method
        self.salt = self._checked_salt(salt)
        if sparse:
            raise ValueError(f"{kind} with sparse=True: it makes no sparse tensors here. Leave it out")
        self._check_options()
        self._check_dtype(dtype)
        self._known: Known | None = None
        self._has_input_vocabulary = was_given
        if vocabulary is not None:
            self.set_vocabulary(vocabulary, idf_weights)
        elif idf_weights is not None:
            raise ValueError(f"{kind} with idf_weights, and no vocabulary: give the words that weigh so, too")

    def _checked_salt(self, salt: int | Sequence[int] | None) -> tuple[int, int] | None:
        if salt is None:
            return None
        kind = type(self).__name__
        if self._vocabulary_dtype == int64 and self.oov_method != "farmhash":
            raise ValueError(f"{kind} with salt={salt!r}: it is for oov_method='farmhash', not {self.oov_method!r}")
        return salt_of(kind, salt)

    def _check_options(self) -> None:
        kind, most = type(self).__name__, self.max_tokens
        if most is not None and most <= 1:
            raise ValueError(f"{kind} with max_tokens={most!r}: it is greater than 1, or None for any number of tokens")
        if self.pad_to_max_tokens and most is None:
            raise ValueError(f"{kind} with pad_to_max_tokens=True: give max_tokens, too")
        if self.num_oov_indices < 0:
            raise ValueError(f"{kind} with num_oov_indices={self.num_oov_indices!r}: it is not negative")
        if self.oov_method not in ("floormod", "farmhash"):
            raise ValueError(f"{kind} with oov_method={self.oov_method!r}: it is 'floormod' or 'farmhash'")
        if self.invert and self.output_mode != "int":
            raise ValueError(f"{kind} with invert=True and output_mode={self.output_mode!r}: the mode is 'int' then")
        for token in (self.mask_token, self.oov_token):
            if token is not None:
                self._token(token)
        if self.invert and self.oov_token is None:
            raise ValueError(f"{kind} with invert=True: give an oov_token, which stands for numbers of no token")

    def _check_dtype(self, dtype: DTypeLike | None) -> None:
        mine = self._vocabulary_dtype if self.invert else float32 if self.output_mode == "tf_idf" else int64
        if dtype is not None and as_dtype(dtype) != mine:
            raise ValueError(
                f"{type(self).__name__} with dtype={dtype!r}: what it gives for these options is of {mine.name}. Leave "
                "dtype out, and cast() the outputs"
            )
        self._dtype = mine.name

    @property
    def compute_dtype(self) -> str:
        """The dtype of the inputs, by its name.

        >>> tf.keras.layers.StringLookup().compute_dtype
        'string'
        """
        return (int64 if self.invert else self._vocabulary_dtype).name

    variable_dtype = compute_dtype

    # The vocabulary.

    def _token(self, given: object) -> Token:
        """A token as the table has it."""
        if self._vocabulary_dtype == string and isinstance(given, str | bytes):
            return given.encode("utf-8", "surrogateescape") if isinstance(given, str) else given
        if self._vocabulary_dtype == int64 and isinstance(given, int | np.integer):
            return int(given)
        raise TypeError(f"layer '{self.name}': {given!r} is no token of {self._vocabulary_dtype.name}")

    def _readable(self, token: Token) -> str | int:
        """A token as users see it."""
        return token.decode() if isinstance(token, bytes) else token

    def _special(self) -> list[object]:
        """What comes before the tokens."""
        masks = [self.mask_token] if self.mask_token is not None and self.output_mode == "int" else []
        return [*masks, *[self.oov_token] * self.num_oov_indices]

    def _oov_start(self) -> int:
        return int(self.mask_token is not None and self.output_mode == "int")

    def _token_start(self) -> int:
        return self._oov_start() + self.num_oov_indices

    def get_vocabulary(self, include_special_tokens: bool = True) -> list[object]:
        """The tokens, each at the place of its number.

        Args:
          include_special_tokens: whether the token for masks comes first, and those for what is not known.
        Returns: a list of texts, or of whole numbers.

        >>> tf.keras.layers.StringLookup(vocabulary=["a", "b"]).get_vocabulary()
        ['[UNK]', 'a', 'b']
        """
        tokens = [] if self._known is None else [self._readable(token) for token in self._known.tokens]
        return [*(self._special() if include_special_tokens else []), *tokens]

    def vocabulary_size(self) -> int:
        """How many tokens there are, with those that stand for others.

        >>> tf.keras.layers.StringLookup(vocabulary=["a", "b"]).vocabulary_size()
        3
        """
        return self._token_start() + (0 if self._known is None else len(self._known.tokens))

    def set_vocabulary(self, vocabulary: Vocabulary, idf_weights: TensorLike | None = None) -> None:
        """Set the tokens.

        Args:
          vocabulary: an array or list of them, of shape [n], or the name of a file with one a line.
          idf_weights: what each counts, floats of shape [n], for the mode ``"tf_idf"`` alone.
        Raises:
          ValueError: if there is none, one comes twice, or there are more than `max_tokens`; if weights are missing,
            or are not for this mode; for special tokens that are not those of the layer, or not all at the beginning.
          FileNotFoundError: if there is no such file.
          RuntimeError: if the layer was called before with another number of tokens, by which its outputs have a size.

        >>> layer = tf.keras.layers.StringLookup()
        >>> layer.set_vocabulary(["a", "b"])
        >>> layer.get_vocabulary()
        ['[UNK]', 'a', 'b']
        """
        if (idf_weights is None) == (self.output_mode == "tf_idf"):
            raise ValueError(
                f"layer '{self.name}' with output_mode={self.output_mode!r} and idf_weights={idf_weights!r}: there are "
                "weights beside a vocabulary for 'tf_idf', and for it alone"
            )
        if isinstance(vocabulary, str | os.PathLike):
            self._set(self._read(vocabulary), False, None)
            return
        given = [self._token(one) for one in self._listed(vocabulary)]
        first = self._token_start()
        special = [None if token is None else self._token(token) for token in self._special()]
        found = first > 0 and given[:first] == special
        tokens = given[first:] if found else given
        self._check_tokens(tokens)
        weights = None if idf_weights is None else np.asarray(operand(idf_weights).numpy(), np.float32)
        if weights is not None and weights.shape != (len(given),):
            raise ValueError(
                f"layer '{self.name}': idf_weights of shape {weights.shape} for {len(given)} tokens: each has one"
            )
        self._set(tokens, found, weights)

    def _listed(self, vocabulary: object) -> list[object]:
        if isinstance(vocabulary, list | tuple):
            return [one.item() if isinstance(one, np.generic) else one for one in vocabulary]
        array = self._array(operand(vocabulary).numpy())
        if array.ndim != 1:
            raise ValueError(f"layer '{self.name}': a vocabulary of shape {array.shape}, not [n]")
        return list(array.tolist())

    def _read(self, path: str | os.PathLike[str]) -> list[Token]:
        if self.output_mode == "tf_idf":
            raise ValueError(f"layer '{self.name}' with output_mode='tf_idf': a file of tokens has no weights of these")
        with open(path, "rb") as file:
            lines = file.read().splitlines()
        tokens: list[Token] = [*lines] if self._vocabulary_dtype == string else [*map(int, lines)]
        self._check_tokens(tokens)
        return tokens

    def _check_tokens(self, tokens: Sequence[Token]) -> None:
        if not tokens:
            raise ValueError(f"layer '{self.name}': the vocabulary is empty")
        if len(set(tokens)) < len(tokens):
            twice = [self._readable(token) for token, count in Counter(tokens).items() if count > 1]
            raise ValueError(f"layer '{self.name}': these tokens are in the vocabulary more than once: {twice}")
        reserved = {"mask_token": self.mask_token, "oov_token": self.oov_token if self.invert else None}
        for what, token in reserved.items():
            if token is not None and self._token(token) in tokens:
                raise ValueError(
                    f"layer '{self.name}': the {what} {token!r} is among the tokens. Leave it out, or begin the "
                    f"vocabulary with all of {self._special()}"
                )
        size = self._token_start() + len(tokens)
        if self.max_tokens is not None and size > self.max_tokens:
            raise ValueError(
                f"layer '{self.name}' with max_tokens={self.max_tokens}: the vocabulary has {size} tokens, with those "
                "that stand for others"
            )

    def _set(self, tokens: Sequence[Token], special: bool, weights: NumPyArray | None) -> None:
        size = self._token_start() + len(tokens)
        sized = self.output_mode != "int" and not self.pad_to_max_tokens
        if sized and self._layer_state.called is not None and size != self.vocabulary_size():
            raise RuntimeError(
                f"layer '{self.name}' was called with a vocabulary of {self.vocabulary_size()} tokens, by which its "
                f"outputs have that size: it cannot have {size} now. Make a layer anew, or one with "
                "pad_to_max_tokens=True"
            )
        self._known = Known(tokens, special, weights)

    def adapt(self, data: Structure, steps: int | None = None) -> None:
        """Find the tokens: those of the data, the most frequent ones first, and of as frequent ones the last in order.

        Args:
          data: an array of shape [n] or [n, ...], a dataset of batches, or any iterable of batches. The mode
            ``"tf_idf"`` takes each row for a document, and a batch of shape [n] for one.
          steps: how many batches are looked at; all by default.
        Raises:
          ValueError: if the layer was made with a vocabulary.
          RuntimeError: as of `set_vocabulary`.

        >>> layer = tf.keras.layers.IntegerLookup()
        >>> layer.adapt(np.array([3, 5, 5, 4]))
        >>> layer.get_vocabulary()
        [-1, 5, 4, 3]
        """
        self._learn(operand(batch) for batch in batches_of(data, steps))

    def _learn(self, batches: Iterable[Tensor]) -> None:
        if self._has_input_vocabulary:
            raise ValueError(f"layer '{self.name}' was made with a vocabulary: it has nothing to find by adapt()")
        counts: Counter[Token] = Counter()
        documents: Counter[Token] = Counter()
        many = 0
        for batch in batches:
            array = np.atleast_1d(self._array(self._keys(batch).numpy()))
            rows = [row.ravel().tolist() for row in (array if array.ndim > 1 else [array])]
            many += len(rows)
            for row in rows:
                counts.update(row)
                if self.output_mode == "tf_idf":
                    documents.update(set(row))
        for token in (self.mask_token, self.oov_token):
            if token is not None:
                counts.pop(self._token(token), None)
        if not counts:
            return
        most = None if self.max_tokens is None else max(self.max_tokens - self._token_start(), 0)
        found = sorted(counts, key=lambda token: (counts[token], token), reverse=True)[:most]
        weights = None
        if self.output_mode == "tf_idf":
            containing = np.array([documents[token] for token in found])
            weights = np.log(1 + many / (1 + containing)).astype(np.float32)
        self._set(found, False, weights)

    # What it computes.

    def _keys(self, inputs: TensorLike) -> Tensor:
        """The inputs, as the table has its keys."""
        x = operand(inputs)
        wanted = as_dtype(self.compute_dtype)
        if x.dtype == wanted:
            return x
        if string in (x.dtype, wanted):
            raise TypeError(f"layer '{self.name}' takes tensors of {wanted.name}, not of {x.dtype.name}")
        return cast(x, wanted)

    @staticmethod
    def _array(value: object) -> NumPyArray:
        # Of one text NumPy would make an array that loses zeros at its end.
        return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)

    def _vocabulary(self) -> Known:
        if self._known is None:
            raise ValueError(f"layer '{self.name}' has no vocabulary: call adapt(data), or give vocabulary")
        return self._known

    def call(self, inputs: TensorLike) -> Tensor:
        """The numbers of tokens, or vectors; for ``invert=True`` the tokens of numbers.

        Args:
          inputs: a tensor of any shape, of tokens; of whole numbers for ``invert=True``.
        Returns: a tensor of its shape, of int64, or of tokens. For the mode ``"one_hot"`` of one axis more, and for
          others of shape [batch, ..., vocabulary_size], of int64; of float32 for ``"tf_idf"``.
        Raises:
          ValueError: if there is no vocabulary yet.
          TypeError: for inputs of another kind.
          InvalidArgumentError: for tokens that are not known, with ``num_oov_indices=0``.
        """
        x = self._keys(inputs)
        find = self._tokens_of if self.invert else self._numbers_of
        made = numpy_function(find, [x], self._vocabulary_dtype if self.invert else int64)
        found: Tensor = ensure_shape(made, x.shape)  # type: ignore[arg-type]
        if self.output_mode == "int":
            return found
        if not self.pad_to_max_tokens:
            self._vocabulary()
        depth = self.max_tokens if self.pad_to_max_tokens and self.max_tokens else self.vocabulary_size()
        if self.output_mode == "one_hot":
            return encoded(found if x.shape.rank else expand_dims(found, 0), "one_hot", depth, int64)
        counts = counted(found if x.shape.rank else expand_dims(found, 0), depth, self.output_mode == "multi_hot")
        return counts if self.output_mode != "tf_idf" else cast(counts, float32) * constant(self._weights(depth))

    def _weights(self, depth: int) -> NumPyArray:
        """What each number counts: an average for what is not known, and nothing for what there is not."""
        known = self._vocabulary()
        assert known.weights is not None
        before = [] if known.special else [known.weights.mean()] * self._token_start()
        made = np.concatenate([np.array(before, np.float32), known.weights])
        return np.pad(made, (0, depth - len(made)))

    def _numbers_of(self, given: object) -> NumPyArray:
        known, array = self._vocabulary(), self._array(given)
        first = self._token_start()
        mask = None if self.mask_token is None else self._token(self.mask_token)
        masked = 0 if self.output_mode == "int" else -1  # which is no class
        table = known.numbers
        flat = array.ravel().tolist()
        if self.num_oov_indices == 0:
            unknown = [self._readable(one) for one in dict.fromkeys(flat) if one not in table and one != mask]
            if unknown:
                raise InvalidArgumentError(
                    f"layer '{self.name}' with num_oov_indices=0: {unknown[:5]} are not in the vocabulary. Give it "
                    "num_oov_indices=1, and they have a number"
                )
        numbers = [
            masked if one == mask else first + table[one] if one in table else self._unknown(one) for one in flat
        ]
        return np.array(numbers, np.int64).reshape(array.shape)

    def _unknown(self, token: Token) -> int:
        """The number of a token that is not in the vocabulary."""
        count = self.num_oov_indices
        if isinstance(token, int) and self.oov_method == "floormod":
            return self._oov_start() + token % count
        if count == 1:
            return self._oov_start()
        text = str(token).encode() if isinstance(token, int) else token
        return self._oov_start() + (fingerprint(text) if self.salt is None else siphash(text, self.salt)) % count

    def _tokens_of(self, given: object) -> NumPyArray:
        tokens, array = self._vocabulary().tokens, self._array(given)
        before = [self._token(token) for token in self._special() if token is not None]
        table, other = [*before, *tokens], self._token(self.oov_token)
        made = np.empty(array.size, self._vocabulary_dtype.dtype)
        made[:] = [table[n] if 0 <= n < len(table) else other for n in array.ravel().tolist()]
        return made.reshape(array.shape)

    def get_config(self) -> Config:
        """What the layer was made with, and its vocabulary, as a dictionary of plain values.

        >>> tf.keras.layers.StringLookup(vocabulary=["a", "b"]).get_config()["vocabulary"]
        ['a', 'b']
        """
        config: Config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        for name in (
            "max_tokens", "num_oov_indices", "mask_token", "oov_token", "invert", "output_mode", "pad_to_max_tokens",
            "oov_method",
        ):  # fmt: skip
            value = getattr(self, name)
            config[name] = value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value
        config["salt"] = None if self.salt is None else list(self.salt)
        config["vocabulary"] = config["idf_weights"] = None
        if self._known is not None:
            before = self._special() if self._known.special else []
            tokens = [t.decode("utf-8", "surrogateescape") if isinstance(t, bytes) else t for t in self._known.tokens]
            config["vocabulary"] = [*before, *tokens]
            config["idf_weights"] = None if self._known.weights is None else self._known.weights.tolist()
        config["has_input_vocabulary"] = self._has_input_vocabulary
        return config


def salt_of(layer: str, salt: int | Sequence[int]) -> tuple[int, int]:
    """The two numbers that are the key of a hash."""
    if isinstance(salt, int):
        return salt, salt
    if not isinstance(salt, list | tuple) or len(salt) != 2:
        raise ValueError(f"{layer} with salt={salt!r}: it is a whole number, or two of them")
    return int(salt[0]), int(salt[1])
