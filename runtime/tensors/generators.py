"""Random numbers that a seed alone decides, and generators that count on from one."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype, float32, int64
from runtime.graph.errors import InvalidArgumentError
from runtime.ops import random as ops
from runtime.tensors import mathematics as m, reductions
from runtime.tensors.conversion import cast, dimensions, operand
from runtime.tensors.operations import apply
from runtime.tensors.parts import argsort, gather
from runtime.tensors.shaping import expand_dims, reshape, shape as shape_of, stack, unstack
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, ShapeLike, SizeLike, TensorLike
from runtime.tensors.variables import Variable

_STATE = 3  # words that a generator's state has: how often it has drawn numbers, and of which seed


def _of_seed(how: str, shape: object, seed: TensorLike, first: object, second: object, dtype: DTypeLike) -> Tensor:
    dims, given = dimensions(shape)
    words = cast(operand(seed), int64)
    if not words.shape.is_compatible_with([2]) and words.shape.as_list() != [_STATE]:
        raise InvalidArgumentError(f"a seed is two whole numbers, a tensor of shape [2], not {words.shape.as_list()}")
    return apply(
        ops.stateless, words, operand(first), operand(second), *given, shape=dims, dtype=as_dtype(dtype), how=how
    )


def stateless_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
    """Numbers from a normal distribution: the same ones for the same seed.

    Args:
      shape: the shape of the result.
      seed: two whole numbers, a tensor of shape [2].
      mean, stddev: the mean and the standard deviation: scalars, or tensors that broadcast to the shape.
      dtype: the dtype of the result, one of floats; float32 by default.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of this shape and dtype.
    Raises:
      ValueError: if the seed is of another shape.

    >>> a, b = (tf.random.stateless_normal([3], seed=[1, 2]) for _ in range(2))
    >>> bool(tf.reduce_all(a == b))
    True
    """
    return _of_seed("normal", shape, seed, mean, stddev, dtype)


def stateless_truncated_normal(
    shape: ShapeLike,
    seed: TensorLike,
    mean: TensorLike = 0.0,
    stddev: TensorLike = 1.0,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
    """Normal numbers within two standard deviations of the mean: the same ones for the same seed.

    Args:
      shape: the shape of the result.
      seed: two whole numbers, a tensor of shape [2].
      mean, stddev: the mean and the standard deviation: scalars, or tensors that broadcast to the shape.
      dtype: the dtype of the result, one of floats; float32 by default.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of this shape and dtype.
    Raises:
      ValueError: if the seed is of another shape.

    >>> float(tf.reduce_max(tf.abs(tf.random.stateless_truncated_normal([1000], seed=[1, 2])))) <= 2
    True
    """
    return _of_seed("truncated", shape, seed, mean, stddev, dtype)


def stateless_uniform(
    shape: ShapeLike,
    seed: TensorLike,
    minval: TensorLike | None = 0,
    maxval: TensorLike | None = None,
    dtype: DTypeLike = float32,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
    """Numbers from an interval, all as likely: the same ones for the same seed.

    Args:
      shape: the shape of the result.
      seed: two whole numbers, a tensor of shape [2].
      minval, maxval: the ends of the interval, of which the second is not drawn; 0 and 1 by default. If both are None,
        the interval is all integers of the dtype but for the largest.
      dtype: the dtype of the result, of floats or integers; float32 by default.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of this shape and dtype.
    Raises:
      ValueError: for an integer dtype with one of `minval` and `maxval` alone, for floats without `minval`, and if the
        seed is of another shape.

    >>> dice = tf.random.stateless_uniform([1000], [1, 2], 1, 7, dtype=tf.int32)
    >>> tf.unique(tf.sort(dice))[0].numpy().tolist()
    [1, 2, 3, 4, 5, 6]
    """
    kind = as_dtype(dtype)
    if kind.is_integer and (minval is None) is not (maxval is None):
        raise ValueError(f"Must specify maxval for integer dtype {kind!r}, and minval, or neither")
    if kind.is_integer and minval is None:
        return _whole_range(shape, seed, kind)
    if minval is None:
        raise ValueError(f"minval=None is for integers, of which all are drawn, not for {kind!r}")
    return _of_seed("uniform", shape, seed, minval, 1 if maxval is None else maxval, kind)


def _whole_range(shape: ShapeLike, seed: TensorLike, dtype: DType) -> Tensor:
    low, high = (np.asarray(limit, dtype.dtype) for limit in (dtype.min, dtype.max))
    return _of_seed("uniform", shape, seed, low, high, dtype)


def stateless_categorical(
    logits: TensorLike,
    num_samples: SizeLike,
    seed: TensorLike,
    dtype: DTypeLike = int64,
    name: str | None = None,
    alg: str = "auto_select",
) -> Tensor:
    """Classes drawn with the probabilities ``softmax(logits)``: the same ones for the same seed.

    Args:
      logits: a tensor of shape [batch, classes], of floats.
      num_samples: how many are drawn for each row.
      seed: two whole numbers, a tensor of shape [2].
      dtype: the dtype of the result, int64 by default.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of shape [batch, num_samples], of numbers in [0, classes).

    >>> print(tf.random.stateless_categorical([[0.0, 100.0], [100.0, 0.0]], 3, seed=[1, 2]).numpy())
    [[1 1 1]
     [0 0 0]]
    """
    given = operand(logits)
    rows, classes = given.shape[0], given.shape[1]
    drawn = stateless_uniform([rows, num_samples, classes], seed, 1e-30, 1.0, given.dtype)
    noise = m.negative(m.log(m.negative(m.log(drawn))))  # so that the largest is each with its probability
    return cast(reductions.argmax(expand_dims(given, 1) + noise, 2), dtype)


def stateless_shuffle(value: TensorLike, seed: TensorLike, alg: str = "auto_select", name: str | None = None) -> Tensor:
    """The parts of a tensor along its first axis in random order: the same one for the same seed.

    Args:
      value: a tensor of rank 1 or more.
      seed: two whole numbers, a tensor of shape [2].
      alg: accepted; the order is that of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of the shape and dtype of `value`.

    >>> print(tf.sort(tf.random.experimental.stateless_shuffle([1, 2, 3], seed=[1, 2])).numpy())
    [1 2 3]
    """
    x = operand(value)
    return gather(x, argsort(_of_seed("uniform", [shape_of(x)[0]], seed, 0.0, 1.0, "float64")))


def split(seed: TensorLike, num: int = 2, alg: str = "auto_select") -> Tensor:
    """Several seeds of one.

    Args:
      seed: two whole numbers, a tensor of shape [2].
      num: how many seeds there are, 2 by default.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of shape [num, 2] and of the dtype of `seed`: a seed in each row.

    >>> a, b = tf.unstack(tf.random.split([1, 2]))
    >>> bool(tf.reduce_all(a == b))
    False
    """
    given = operand(seed)
    return _seeds(given, num, given.dtype)


def _seeds(seed: Tensor, num: object, dtype: Any) -> Tensor:
    return _of_seed("uniform", [num, 2], seed, 0, np.iinfo(dtype.dtype).max, dtype)


def fold_in(seed: TensorLike, data: TensorLike, alg: str = "auto_select") -> Tensor:
    """Another seed of a seed and a number.

    Args:
      seed: two whole numbers, a tensor of shape [2].
      data: a whole number, say that of a step.
      alg: accepted; the numbers are those of NumPy's Philox generator, and so not TensorFlow's.
    Returns: a tensor of shape [2] and of the dtype of `seed`.

    >>> a, b = (tf.random.fold_in([1, 2], step) for step in (0, 1))
    >>> bool(tf.reduce_all(a == b))
    False
    """
    given = operand(seed)
    words = stack([*unstack(cast(given, int64), 2), cast(operand(data), int64)])
    return _seeds(words, 1, given.dtype)[0]


class Generator:
    """What draws random numbers, one after the other, from a state that can be saved and set.

    In a `function` the state goes on at each call, as that of a Variable does. The numbers are those of NumPy's Philox
    generator, and so not TensorFlow's.

    Args:
      state: whole numbers, a tensor of shape [3], as `state` of another generator gives them.
      alg: accepted.
      copy_from: a generator, of whose state this one begins.

    >>> a, b = (tf.random.Generator.from_seed(7) for _ in range(2))
    >>> bool(tf.reduce_all(a.normal([3]) == b.normal([3])))
    True
    >>> bool(tf.reduce_all(a.normal([3]) == a.normal([3])))
    False
    """

    def __init__(
        self, copy_from: Generator | None = None, state: TensorLike | None = None, alg: str | int | None = None
    ) -> None:
        if copy_from is not None:
            state = copy_from.state.read_value()
        if state is None:
            raise ValueError("a Generator begins with a state: use tf.random.Generator.from_seed(seed)")
        words = cast(operand(state), int64)
        if words.shape.as_list() != [_STATE]:
            raise ValueError(f"the state of a Generator is {_STATE} whole numbers, not a tensor of shape {words.shape}")
        self._state = Variable(words, trainable=False, name="StateVar")

    @classmethod
    def from_seed(cls, seed: int, alg: str | int | None = None) -> Generator:
        """A generator whose numbers a seed decides.

        Args:
          seed: a whole number.
          alg: accepted.

        >>> tf.random.Generator.from_seed(7).state.numpy()
        array([0, 7, 0])
        """
        return cls(state=_begun(seed))

    @classmethod
    def from_state(cls, state: TensorLike, alg: str | int | None = None) -> Generator:
        """A generator that goes on from a state.

        Args:
          state: whole numbers, a tensor of shape [3], as `state` of another generator gives them.
          alg: accepted.

        >>> a = tf.random.Generator.from_seed(7)
        >>> b = tf.random.Generator.from_state(a.state)
        >>> bool(a.uniform([]) == b.uniform([]))
        True
        """
        return cls(state=state)

    @classmethod
    def from_non_deterministic_state(cls, alg: str | int | None = None) -> Generator:
        """A generator whose numbers are others in each process.

        Args:
          alg: accepted.

        >>> tf.random.Generator.from_non_deterministic_state().normal([2]).shape
        TensorShape([2])
        """
        return cls(state=_begun(int.from_bytes(os.urandom(7), "big")))

    @property
    def state(self) -> Variable:
        """What the next numbers depend on, whole numbers of shape [3].

        >>> tf.random.Generator.from_seed(7).state.numpy()
        array([0, 7, 0])
        """
        return self._state

    @property
    def key(self) -> Tensor:
        """The part of the state that stays.

        >>> print(tf.random.Generator.from_seed(7).key)
        tf.Tensor(7, shape=(), dtype=int64)
        """
        return self._state[1]

    def reset(self, state: TensorLike) -> None:
        """Go on from a state.

        Args:
          state: whole numbers, a tensor of shape [3], as `state` of another generator gives them.

        >>> a = tf.random.Generator.from_seed(7)
        >>> a.reset([5, 1, 0])
        >>> a.state.numpy()
        array([5, 1, 0])
        """
        self._state.assign(cast(operand(state), int64))

    def reset_from_seed(self, seed: int) -> None:
        """Begin anew with the numbers of a seed.

        Args:
          seed: a whole number.

        >>> a = tf.random.Generator.from_seed(7)
        >>> a.reset_from_seed(8)
        >>> a.state.numpy()
        array([0, 8, 0])
        """
        self.reset(_begun(seed))

    def skip(self, delta: TensorLike) -> Tensor:
        """Go on as if numbers had been drawn so many times more.

        Args:
          delta: how many times, a whole number of shape ().
        Returns: the state before, a tensor of shape [3].

        >>> print(tf.random.Generator.from_seed(7).skip(2))
        tf.Tensor([0 7 0], shape=(3,), dtype=int64)
        """
        before = self._state.read_value()
        self._state.assign_add(stack([cast(operand(delta), int64), np.int64(0), np.int64(0)]))
        return before

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for the functions ``stateless_…``: a tensor of shape [2, count], a seed in each column.

        >>> tf.random.Generator.from_seed(7).make_seeds(5).shape
        TensorShape([2, 5])
        """
        return reshape(_seeds(self.skip(1), count, int64), [2, count])

    def split(self, count: int = 1) -> list[Generator]:
        """A list of generators that are independent of this one, and of each other.

        >>> a, b = tf.random.Generator.from_seed(7).split(2)
        >>> bool(a.normal([]) == b.normal([]))
        False
        """
        seeds = unstack(_seeds(self.skip(1), count, int64), count)
        return [Generator(state=stack([np.int64(0), *unstack(seed, 2)])) for seed in seeds]

    def normal(
        self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        """Numbers from a normal distribution, as `runtime.random.normal` draws them.

        >>> tf.random.Generator.from_seed(7).normal([2, 3]).shape
        TensorShape([2, 3])
        """
        return _of_seed("normal", shape, self.skip(1), mean, stddev, dtype)

    def truncated_normal(
        self, shape: ShapeLike, mean: TensorLike = 0.0, stddev: TensorLike = 1.0, dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        """Normal numbers within two standard deviations of the mean, as `runtime.random.truncated_normal` draws them.

        >>> tf.random.Generator.from_seed(7).truncated_normal([2, 3]).shape
        TensorShape([2, 3])
        """
        return _of_seed("truncated", shape, self.skip(1), mean, stddev, dtype)

    def uniform(
        self, shape: ShapeLike, minval: TensorLike | None = 0, maxval: TensorLike | None = None,
        dtype: DTypeLike = float32,
        name: str | None = None,
    ) -> Tensor:  # fmt: skip
        """Numbers from an interval, all as likely, as `runtime.random.uniform` draws them.

        >>> tf.random.Generator.from_seed(7).uniform([2, 3]).shape
        TensorShape([2, 3])
        """
        return stateless_uniform(shape, self.skip(1), minval, maxval, dtype)

    def uniform_full_int(self, shape: ShapeLike, dtype: DTypeLike = "uint64", name: str | None = None) -> Tensor:
        """Whole numbers, each of the dtype as likely but for the largest.

        >>> tf.random.Generator.from_seed(7).uniform_full_int([2], tf.int32).dtype
        tf.int32
        """
        return _whole_range(shape, self.skip(1), as_dtype(dtype))


def _begun(seed: int) -> NumPyArray:
    return np.array([0, int(seed) % 2**63, 0], np.int64)


_generator: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator that all parts of a program share; the first call makes it.

    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(7))
    >>> tf.random.get_global_generator().normal([2]).shape
    TensorShape([2])
    """
    if not _generator:
        _generator.append(Generator.from_non_deterministic_state())
    return _generator[0]


def set_global_generator(generator: Generator) -> None:
    """Share another generator, of whatever shape the numbers are that it is asked for.

    Args:
      generator: the generator, whose state has the shape [3].

    >>> tf.random.set_global_generator(tf.random.Generator.from_seed(7))
    """
    _generator[:] = [generator]
