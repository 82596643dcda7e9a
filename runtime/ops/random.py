"""Random tensors: fresh numbers at each run, from one generator for the process or from streams with a seed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsInt, TypeAlias

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.graph import TensorType
from runtime.graph.op import kernel, op, show_attribute
from runtime.ops.shape import dims, with_sizes

_generator: list[np.random.Generator] = []  # made when first asked for, since NumPy loads its part then
_seed: list[int] = [0]  # that of the process, and how often it was set: streams start anew then
_streams: dict[int, Stream] = {}  # of operations that run at once, by their seed


Number: TypeAlias = "np.ndarray[Any, np.dtype[np.floating[Any]]] | float"  # as graphs hand them to kernels


class Stream:
    """The numbers that belong to a seed, one after the other; each operation of a graph that has a seed has its own."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.__name__ = f"seed_{seed}"  # in the text of graphs
        self._started: tuple[int, ...] = ()
        self._generator: np.random.Generator | None = None

    def generator(self) -> np.random.Generator:
        if self._generator is None or self._started != tuple(_seed):
            self._started = tuple(_seed)
            self._generator = np.random.default_rng([_seed[0] % 2**64, self.seed % 2**64])
        return self._generator


class Fixed(Stream):
    """The numbers of one generator."""

    def __init__(self, generator: np.random.Generator) -> None:
        self._of = generator

    def generator(self) -> np.random.Generator:
        return self._of


def set_seed(seed: int) -> None:
    """Start all sequences of random numbers anew: what is drawn afterwards, of whatever shape, depends on this seed.

    Args:
      seed: a whole number.

    >>> tf.random.set_seed(3)
    >>> first = tf.random.normal([2])
    >>> tf.random.set_seed(3)
    >>> bool(tf.reduce_all(first == tf.random.normal([2])))
    True
    """
    number = int(seed)
    _generator[:] = [np.random.default_rng(number % 2**64)]
    _seed[:] = [number, sum(_seed[1:]) + 1]


def stream_of(seed: int) -> Stream:
    """The stream of a seed for operations that run at once."""
    return _streams.setdefault(seed, Stream(seed))


def generator(stream: Stream | None = None) -> np.random.Generator:
    """The process's generator, or that of a stream."""
    if stream is not None:
        return stream.generator()
    if not _generator:
        _generator.append(np.random.default_rng())
    return _generator[0]


def _drawn(
    _: TensorType, __: TensorType, *given: TensorType, shape: Sequence[int | None], dtype: DType, **___: object
) -> TensorType:
    return TensorType(dtype, with_sizes(shape, given))


_OPTIONS = ", shape={shape}, dtype={dtype}, stream={stream})"


def _shown_stream(attributes: Mapping[str, object]) -> str:
    return "" if attributes["stream"] is None else f", stream={attributes['stream']!r}"


def _showing(function: str) -> Callable[[Sequence[str], Mapping[str, object]], str]:
    """The text of an operation that draws numbers; it tells the stream only where there is one."""

    def render(inputs: Sequence[str], attributes: Mapping[str, object]) -> str:
        options = f"shape={attributes['shape']!r}, dtype={show_attribute(attributes['dtype'])}"
        return f"{function}({', '.join(inputs)}, {options}{_shown_stream(attributes)})"

    return render


@kernel
def normal_numbers(
    mean: Number,
    stddev: Number,
    *given: SupportsInt,
    shape: Sequence[int | None],
    dtype: type,
    stream: Stream | None = None,
) -> object:
    return np.asarray(generator(stream).normal(mean, stddev, dims(shape, given))).astype(dtype)[()]


normal = op(
    "random_normal",
    _drawn,
    "normal_numbers({*}" + _OPTIONS,
    tf="RandomStandardNormal",
    takes_shape=True,
    effect="write",
    draws=True,
    render=_showing("normal_numbers"),
)


@kernel
def truncated_numbers(
    mean: Number,
    stddev: Number,
    *given: SupportsInt,
    shape: Sequence[int | None],
    dtype: type,
    stream: Stream | None = None,
) -> object:
    """Normal numbers, drawn again where they are more than two deviations away."""
    result = np.asarray(generator(stream).normal(size=dims(shape, given)))
    while (far := np.abs(result) > 2).any():
        result[far] = generator(stream).normal(size=int(far.sum()))
    return np.asarray(result * stddev + mean).astype(dtype)[()]


truncated_normal = op(
    "truncated_normal", _drawn, "truncated_numbers({*}" + _OPTIONS, tf="TruncatedNormal", effect="write", draws=True,
    takes_shape=True, render=_showing("truncated_numbers"),
)  # fmt: skip


@kernel
def uniform_numbers(
    low: Any, high: Any, *given: SupportsInt, shape: Sequence[int | None], dtype: Any, stream: Stream | None = None
) -> object:
    """Numbers from `low` up to but not including `high`, which rounding could reach."""
    size = dims(shape, given)
    if np.issubdtype(dtype, np.integer):
        return generator(stream).integers(low, high, size, dtype)
    drawn = np.asarray(generator(stream).random(size) * (high - low) + low).astype(dtype)
    top = np.asarray(high, dtype)
    return np.where((drawn >= top) & (top > low), np.nextafter(top, np.asarray(low, dtype)), drawn)[()]


uniform = op(
    "random_uniform", _drawn, "uniform_numbers({*}" + _OPTIONS, effect="write", draws=True,
    tf=lambda node: "RandomUniformInt" if node.attributes["dtype"].is_integer else "RandomUniform",
    takes_shape=True, render=_showing("uniform_numbers"),
)  # fmt: skip


def _of_seed(_: TensorType, *types: TensorType, shape: Sequence[int | None], dtype: DType, how: str) -> TensorType:
    return TensorType(dtype, with_sizes(shape, types[2:]))


@kernel
def numbers_of_seed(
    seed: object, first: Number, second: Number, *given: SupportsInt, shape: Sequence[int | None], dtype: type, how: str
) -> object:
    """What a seed alone decides."""
    words = np.asarray(seed).astype(np.int64).view(np.uint64).tolist()
    stream = Fixed(np.random.Generator(np.random.Philox(np.random.SeedSequence(words))))
    draw = {"normal": normal_numbers, "truncated": truncated_numbers, "uniform": uniform_numbers}[how]
    return draw(first, second, *given, shape=shape, dtype=dtype, stream=stream)


stateless = op("stateless_random", _of_seed, "numbers_of_seed({*}, shape={shape}, dtype={dtype}, how={how})",
               takes_shape=True, tf=lambda node: f"StatelessRandom{node.attributes['how'].title()}V2")  # fmt: skip


@kernel
def shuffled(x: NumPyArray, stream: Stream | None = None) -> object:
    return generator(stream).permutation(x, axis=0)


def _same(x: TensorType, **_: object) -> TensorType:
    return TensorType(x.dtype, x.shape)


shuffle = op(
    "random_shuffle", _same, "shuffled({0}, stream={stream})", effect="write", draws=True,
    render=lambda i, a: f"shuffled({i[0]}{_shown_stream(a)})",
)  # fmt: skip


@kernel
def drawn_classes(logits: NumPyArray, count: int, dtype: object, stream: Stream | None = None) -> object:
    noise = generator(stream).gumbel(size=(np.shape(logits)[0], count, np.shape(logits)[1]))
    return np.argmax(np.asarray(logits)[:, None, :] + noise, -1).astype(dtype)


def _categorical(logits: TensorType, *, count: int, dtype: DType, **_: object) -> TensorType:
    return TensorType(dtype, (None if logits.shape is None else logits.shape[0], count))


categorical = op(
    "categorical", _categorical, "drawn_classes({0}, {count}, {dtype}, stream={stream})", tf="Multinomial",
    effect="write",
    draws=True,
    render=lambda i, a: f"drawn_classes({i[0]}, {a['count']}, {show_attribute(a['dtype'])}{_shown_stream(a)})",
)  # fmt: skip
