"""Tables from keys to values, which graphs ask when they run."""

from __future__ import annotations

import types as _types

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype, int64, string
from runtime.graph.errors import FailedPreconditionError, InvalidArgumentError
from runtime.ops.hashing import fingerprint
from runtime.tensors.conversion import cast, operand
from runtime.tensors.effects import numpy_function
from runtime.tensors.shaping import ensure_shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike

__all__ = [
    "KeyValueTensorInitializer",
    "MutableHashTable",
    "StaticHashTable",
    "StaticVocabularyTable",
    "TextFileIndex",
    "TextFileInitializer",
    "experimental",
]


def _array(value: object) -> NumPyArray:
    """An array as a function of the user's gets it: of one string NumPy would make one that loses zeros at its end."""
    return np.array(value, object) if isinstance(value, bytes) else np.asarray(value)


class KeyValueTensorInitializer:
    """The keys and the values of a table.

    Args:
      keys: a tensor of shape [n], of integers or strings.
      values: a tensor of shape [n].
      key_dtype, value_dtype: their dtypes; as they are by default.
    Raises:
      InvalidArgumentError: if there are not as many values as keys.

    >>> tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]).value_dtype
    tf.int32
    """

    def __init__(
        self,
        keys: TensorLike,
        values: TensorLike,
        key_dtype: DTypeLike | None = None,
        value_dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> None:
        given = [
            cast(operand(x), dtype) if dtype is not None and operand(x).dtype != as_dtype(dtype) else operand(x)
            for x, dtype in ((keys, key_dtype), (values, value_dtype))
        ]
        self.keys, self.values = (np.atleast_1d(_array(x.numpy())) for x in given)
        self.key_dtype, self.value_dtype = (x.dtype for x in given)
        if self.keys.shape != self.values.shape:
            raise InvalidArgumentError(
                f"a table has a value for each key, not {self.values.shape} for {self.keys.shape}"
            )


class TextFileIndex:
    """What of the lines of a file are keys, or values, of a table.

    >>> tf.lookup.TextFileIndex.LINE_NUMBER
    -1
    """

    WHOLE_LINE = -2
    LINE_NUMBER = -1


class TextFileInitializer(KeyValueTensorInitializer):
    """The keys and the values of a table, from the lines of a file.

    Args:
      filename: its name.
      key_dtype, value_dtype: int64 or string, and for values other dtypes of numbers, too.
      key_index, value_index: the number of a column, `TextFileIndex.WHOLE_LINE`, or `TextFileIndex.LINE_NUMBER`.
      vocab_size: how many lines are read; all of them by default.
      delimiter: what is between two columns.
    Raises:
      FileNotFoundError: if there is no such file.

    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "words"
    >>> _ = path.write_text("red\\ngreen\\n")
    >>> made = tf.lookup.TextFileInitializer(
    ...     str(path), tf.string, tf.lookup.TextFileIndex.WHOLE_LINE, tf.int64, tf.lookup.TextFileIndex.LINE_NUMBER)
    >>> print(tf.lookup.StaticHashTable(made, -1).lookup(["green", "blue"]).numpy())
    [ 1 -1]
    """

    def __init__(
        self,
        filename: str,
        key_dtype: DTypeLike,
        key_index: int,
        value_dtype: DTypeLike,
        value_index: int,
        vocab_size: int | None = None,
        delimiter: str = "\t",
        name: str | None = None,
    ) -> None:
        with open(filename, "rb") as file:
            lines = file.read().splitlines()[:vocab_size]

        def column(at: int, dtype: DTypeLike) -> NumPyArray:
            if at == TextFileIndex.LINE_NUMBER:
                return np.arange(len(lines))
            found = lines if at == TextFileIndex.WHOLE_LINE else [line.split(delimiter.encode())[at] for line in lines]
            kind = as_dtype(dtype)
            texts = np.array(found, object)
            return texts if kind == string else texts.astype(str).astype(kind.dtype)

        super().__init__(
            column(key_index, key_dtype),
            column(value_index, value_dtype),
            key_dtype,
            value_dtype,
        )


class _Table:
    """What tables are asked, which they keep in a dictionary."""

    def __init__(self, key_dtype: DTypeLike, value_dtype: DTypeLike, default_value: object) -> None:
        self._known: dict[object, object] = {}
        self._key_dtype, self._value_dtype = as_dtype(key_dtype), as_dtype(value_dtype)
        self._default = np.asarray(cast(operand(default_value), self._value_dtype).numpy())

    @property
    def key_dtype(self) -> DType:
        """The dtype of the keys.

        >>> tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), 0).key_dtype
        tf.string
        """
        return self._key_dtype

    @property
    def value_dtype(self) -> DType:
        """The dtype of the values.

        >>> tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a"], [1]), 0).value_dtype
        tf.int32
        """
        return self._value_dtype

    def lookup(self, keys: TensorLike, name: str | None = None) -> Tensor:
        """The values of keys, and the default value of those that are not in the table.

        Args:
          keys: a tensor of any shape, of the dtype of the keys.
        Returns: a tensor of its shape, of the dtype of the values.
        Raises:
          TypeError: for keys of another dtype.

        >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1)
        >>> print(table.lookup(["b", "z"]))
        tf.Tensor([ 2 -1], shape=(2,), dtype=int32)
        """
        given = self._keys(keys)

        def find(array: object) -> object:
            flat = [self._of(key) for key in np.ravel(_array(array)).tolist()]
            made = np.empty(len(flat), self._value_dtype.dtype)
            made[:] = flat
            return made.reshape(_array(array).shape)

        found = numpy_function(find, [given], self._value_dtype)
        return ensure_shape(found, given.shape)  # type: ignore[arg-type]

    def _of(self, key: object) -> object:
        return self._known.get(key, self._default.item())

    def __getitem__(self, keys: TensorLike) -> Tensor:
        return self.lookup(keys)

    def size(self, name: str | None = None) -> Tensor:
        """How many keys there are, a tensor of shape (), of int64.

        >>> print(tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer(["a", "b"], [1, 2]), -1).size())
        tf.Tensor(2, shape=(), dtype=int64)
        """
        return ensure_shape(numpy_function(lambda: np.int64(self._count()), [], int64), ())  # type: ignore[arg-type]

    def _count(self) -> int:
        return len(self._known)

    def _keys(self, keys: TensorLike) -> Tensor:
        given = operand(keys)
        if given.dtype != self._key_dtype:
            if self._key_dtype == string or given.dtype == string:
                raise TypeError(f"the keys of this table are {self._key_dtype.name}, not {given.dtype.name}")
            given = cast(given, self._key_dtype)
        return given


class StaticHashTable(_Table):
    """A table that stays as it is made.

    Args:
      initializer: its keys and values, a `KeyValueTensorInitializer` or a `TextFileInitializer`.
      default_value: the value of all other keys, a scalar.
    Raises:
      FailedPreconditionError: if a key comes twice, with different values.

    >>> table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([1, 5], ["one", "five"]), "many")
    >>> f = tf.function(lambda n: table.lookup(n))
    >>> print(f(tf.constant([5, 6])).numpy())
    [b'five' b'many']
    """

    def __init__(
        self,
        initializer: KeyValueTensorInitializer,
        default_value: TensorLike,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(initializer.key_dtype, initializer.value_dtype, default_value)
        for key, value in zip(initializer.keys.tolist(), initializer.values.tolist()):
            if self._known.setdefault(key, value) != value:
                raise FailedPreconditionError(
                    f"the key {key!r} has two values in this table: {self._known[key]!r}, {value!r}"
                )


class StaticVocabularyTable(StaticHashTable):
    """A table of the numbers of words, where all other words share some numbers behind those: which, their hash says.

    Args:
      initializer: the words and their numbers, from 0 on and of int64; None if all words share numbers.
      num_oov_buckets: how many numbers there are for all other words.
      lookup_key_dtype: the dtype of the words, of integers or string; as it is in `initializer` by default.
    Raises:
      TypeError: for words or numbers of other dtypes.
      ValueError: unless there is a number for other words.

    >>> words = tf.lookup.KeyValueTensorInitializer(["red", "green"], [0, 1], value_dtype=tf.int64)
    >>> table = tf.lookup.StaticVocabularyTable(words, num_oov_buckets=3)
    >>> print(table.lookup(["green", "blue", "grey"]).numpy(), table.size().numpy())
    [1 2 4] 5
    """

    def __init__(
        self,
        initializer: KeyValueTensorInitializer | None,
        num_oov_buckets: int,
        lookup_key_dtype: DTypeLike | None = None,
        name: str | None = None,
        experimental_is_anonymous: bool = False,
    ) -> None:
        if num_oov_buckets < 1:
            raise ValueError(f"num_oov_buckets={num_oov_buckets!r}: it must be > 0; a StaticHashTable does without")
        made = initializer
        if made is None:
            made = KeyValueTensorInitializer([], [], "string" if lookup_key_dtype is None else lookup_key_dtype, int64)
        if made.value_dtype != int64:
            raise TypeError(f"the numbers of words are int64, not {made.value_dtype.name}")
        super().__init__(made, -1)
        self._buckets = int(num_oov_buckets)
        self._key_dtype = made.key_dtype if lookup_key_dtype is None else as_dtype(lookup_key_dtype)
        if any(dtype != string and not dtype.is_integer for dtype in (made.key_dtype, self._key_dtype)):
            raise TypeError(f"words are of integers or strings, not {made.key_dtype.name} or {self._key_dtype.name}")

    def _of(self, key: object) -> object:
        text = key if isinstance(key, bytes) else str(key).encode()
        return self._known.get(key, len(self._known) + fingerprint(text) % self._buckets)

    def _count(self) -> int:
        return len(self._known) + self._buckets


class MutableHashTable(_Table):
    """A table that a program adds to, and takes keys from; in graphs, too, in the order of the program.

    Args:
      key_dtype, value_dtype: the dtypes of keys and values.
      default_value: the value of all keys that are not in the table, a scalar.
    Raises:
      InvalidArgumentError: for a default value of another shape: values are scalars.

    >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
    >>> table.insert(["a", "b"], [7, 8])
    >>> print(table.lookup(["b", "c"]).numpy())
    [ 8 -1]
    """

    def __init__(
        self,
        key_dtype: DTypeLike,
        value_dtype: DTypeLike,
        default_value: TensorLike,
        name: str = "MutableHashTable",
        checkpoint: bool = True,
        experimental_is_anonymous: bool = False,
    ) -> None:
        super().__init__(key_dtype, value_dtype, default_value)
        if self._default.shape:
            raise InvalidArgumentError(f"the values of a table are scalars, not of shape {self._default.shape}")

    def insert(self, keys: TensorLike, values: TensorLike, name: str | None = None) -> None:
        """Add keys with their values, or give them others.

        Args:
          keys: a tensor of any shape.
          values: a tensor of its shape.
        Raises:
          ValueError: if the shapes differ.

        >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
        >>> table.insert(["a"], [7])
        >>> print(table.size().numpy())
        1
        """
        given, new = self._keys(keys), cast(operand(values), self._value_dtype)
        if not given.shape.is_compatible_with(new.shape):
            raise ValueError(f"insert takes a value for each key, not {new.shape} for {given.shape}")

        def add(some: object, others: object) -> None:
            self._known.update(zip(np.ravel(_array(some)).tolist(), np.ravel(_array(others)).tolist()))

        numpy_function(add, [given, new], [])

    def remove(self, keys: TensorLike, name: str | None = None) -> None:
        """Take keys away; those that are not there do not matter.

        Args:
          keys: a tensor of any shape.

        >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
        >>> table.insert(["a", "b"], [7, 8])
        >>> table.remove(["a", "z"])
        >>> print(table.size().numpy())
        1
        """

        def drop(some: object) -> None:
            for key in np.ravel(_array(some)).tolist():
                self._known.pop(key, None)

        numpy_function(drop, [self._keys(keys)], [])

    erase = remove

    def export(self, name: str | None = None) -> tuple[Tensor, Tensor]:
        """All keys and their values: two tensors of shape [n].

        >>> table = tf.lookup.experimental.MutableHashTable(tf.string, tf.int64, default_value=-1)
        >>> table.insert(["a"], [7])
        >>> keys, values = table.export()
        >>> print(keys.numpy(), values.numpy())
        [b'a'] [7]
        """

        def both() -> tuple[object, object]:
            made = []
            for kind, held in ((self._key_dtype, self._known.keys()), (self._value_dtype, self._known.values())):
                made.append(np.empty(len(held), kind.dtype))
                made[-1][:] = [*held]
            return made[0], made[1]

        keys, values = numpy_function(both, [], [self._key_dtype, self._value_dtype])  # type: ignore[misc]
        return ensure_shape(keys, [None]), ensure_shape(values, [None])


# What TensorFlow has under a name that says it may change.
experimental = _types.SimpleNamespace(MutableHashTable=MutableHashTable)
