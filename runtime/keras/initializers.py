"""Initializers: what the first values of weights are.

One that draws numbers draws the same ones for the same shape whenever it is called: those that its seed decides. One
that is made without a seed takes a new one, which `runtime.random.set_seed` decides.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from runtime.graph.dtypes import DType, DTypeLike, NumPyArray, as_dtype
from runtime.keras.identifiers import Catalogue, Config, Objects
from runtime.keras.settings import floatx
from runtime.ops.random import generator
from runtime.tensors.conversion import cast, constant as tensor_of, convert_to_tensor, static_value
from runtime.tensors.making import eye, fill
from runtime.tensors.shaping import broadcast_to
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

if TYPE_CHECKING:
    from runtime.tensors.types import ShapeLike

__all__ = [
    "Constant", "GlorotNormal", "GlorotUniform", "HeNormal", "HeUniform", "Identity", "IdentityInitializer",
    "Initializer", "LecunNormal", "LecunUniform", "Ones", "Orthogonal", "OrthogonalInitializer", "RandomNormal",
    "RandomUniform", "TruncatedNormal", "VarianceScaling", "Zeros", "constant", "deserialize", "get", "glorot_normal",
    "glorot_uniform", "he_normal", "he_uniform", "identity", "lecun_normal", "lecun_uniform", "ones", "orthogonal",
    "random_normal", "random_uniform", "serialize", "truncated_normal", "variance_scaling", "zeros",
]  # fmt: skip

Self = TypeVar("Self", bound="Initializer")
Draw: TypeAlias = "Callable[[np.random.Generator, tuple[int, ...]], NumPyArray]"


class Initializer:
    """A base for what makes the first values of weights.

    A class of one's own defines `__call__` and, to be saved, `get_config`.

    >>> class Rising(tf.keras.initializers.Initializer):
    ...     def __call__(self, shape, dtype=None):
    ...         return tf.reshape(tf.range(tf.reduce_prod(shape)), shape)
    >>> print(Rising()([2, 2]))
    tf.Tensor(
    [[0 1]
     [2 3]], shape=(2, 2), dtype=int32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        """The first value of a weight.

        Args:
          shape: its shape.
          dtype: its dtype; `runtime.keras.backend.floatx` by default.
        Returns: a tensor of this shape and dtype.

        >>> print(tf.keras.initializers.Ones()([2]))
        tf.Tensor([1. 1.], shape=(2,), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(self, shape, dtype=None)")

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.initializers.RandomNormal(seed=1).get_config()
        {'mean': 0.0, 'stddev': 0.05, 'seed': 1}
        """
        return {}

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an object of this class.

        >>> tf.keras.initializers.Constant.from_config({"value": 3.0}).value
        3.0
        """
        made: Callable[..., Self] = cls
        return made(**config)

    def clone(self: Self) -> Self:
        """Another one that was made with the same.

        >>> tf.keras.initializers.Constant(3.0).clone().value
        3.0
        """
        return self.from_config(self.get_config())


class Zeros(Initializer):
    """Zeros.

    >>> print(tf.keras.initializers.Zeros()([2]))
    tf.Tensor([0. 0.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return cast(fill(_dims(shape, self), 0), _dtype(dtype))


class Ones(Initializer):
    """Ones.

    >>> print(tf.keras.initializers.Ones()([2]))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return cast(fill(_dims(shape, self), 1), _dtype(dtype))


class Constant(Initializer):
    """One value for all elements.

    Args:
      value: the value, or an array of a shape that broadcasts to that of the weight.

    >>> print(tf.keras.initializers.Constant(3.0)([2]))
    tf.Tensor([3. 3.], shape=(2,), dtype=float32)
    """

    def __init__(self, value: TensorLike = 0.0) -> None:
        self.value = value

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return broadcast_to(cast(convert_to_tensor(self.value), _dtype(dtype)), _dims(shape, self))

    def get_config(self) -> Config:
        simple = isinstance(self.value, bool | int | float)
        return {"value": self.value if simple else np.asarray(self.value).tolist()}


class Identity(Initializer):
    """The identity matrix, times a number.

    Args:
      gain: the number.
    Raises:
      ValueError: for a weight that is no matrix.

    >>> print(tf.keras.initializers.Identity(2.0)([2, 2]))
    tf.Tensor(
    [[2. 0.]
     [0. 2.]], shape=(2, 2), dtype=float32)
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        dims = _dims(shape, self)
        if len(dims) != 2:
            raise ValueError(f"Identity of shape {dims}: it makes matrices")
        return self.gain * eye(*dims, dtype=_dtype(dtype))

    def get_config(self) -> Config:
        return {"gain": self.gain}


class _Random(Initializer):
    """One that draws numbers, from a generator that starts anew at each call."""

    def __init__(self, seed: int | None) -> None:
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int | np.integer)):
            raise ValueError(f"{type(self).__name__} with seed={seed!r}: it is a whole number, or None")
        self._given = seed
        self.seed = int(generator().integers(2**31)) if seed is None else int(seed)

    def _drawn(self, shape: tuple[int, ...], dtype: DTypeLike | None, draw: Draw) -> Tensor:
        numbers = draw(np.random.default_rng(self.seed % 2**64), shape)
        return tensor_of(np.asarray(numbers).astype(_dtype(dtype).dtype))


class RandomNormal(_Random):
    """Numbers from a normal distribution.

    Args:
      mean: its mean.
      stddev: its standard deviation.
      seed: what decides which numbers come.
    Raises:
      ValueError: for a seed that is no whole number.

    >>> x = tf.keras.initializers.RandomNormal(mean=5.0, seed=1)([1000])
    >>> abs(float(tf.reduce_mean(x)) - 5) < 0.01
    True
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return self._drawn(_dims(shape, self), dtype, lambda rng, dims: rng.normal(self.mean, self.stddev, dims))

    def get_config(self) -> Config:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self._given}


class TruncatedNormal(_Random):
    """Normal numbers within two standard deviations of the mean.

    Args:
      mean: the mean of the distribution.
      stddev: its standard deviation.
      seed: what decides which numbers come.
    Raises:
      ValueError: for a seed that is no whole number.

    >>> x = tf.keras.initializers.TruncatedNormal(stddev=1.0, seed=1)([1000])
    >>> float(tf.reduce_max(tf.abs(x))) <= 2
    True
    """

    def __init__(self, mean: float = 0.0, stddev: float = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev = mean, stddev
        super().__init__(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        dims = _dims(shape, self)
        return self._drawn(dims, dtype, lambda rng, dims: self.mean + self.stddev * _truncated(rng, dims))

    def get_config(self) -> Config:
        return {"mean": self.mean, "stddev": self.stddev, "seed": self._given}


class RandomUniform(_Random):
    """Numbers from an interval, all as likely.

    Args:
      minval: where it begins.
      maxval: where it ends.
      seed: what decides which numbers come.
    Raises:
      ValueError: for a seed that is no whole number.

    >>> x = tf.keras.initializers.RandomUniform(2.0, 3.0, seed=1)([1000])
    >>> 2 <= float(tf.reduce_min(x)) < 2.1 and 2.9 < float(tf.reduce_max(x)) <= 3
    True
    """

    def __init__(self, minval: float = -0.05, maxval: float = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval = minval, maxval
        super().__init__(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        return self._drawn(_dims(shape, self), dtype, lambda rng, dims: rng.uniform(self.minval, self.maxval, dims))

    def get_config(self) -> Config:
        return {"minval": self.minval, "maxval": self.maxval, "seed": self._given}


class VarianceScaling(_Random):
    """Numbers whose variance is smaller the more there are to be added up.

    Args:
      scale: what that number is divided into, above 0.
      mode: ``"fan_in"`` for how many elements go into each result, ``"fan_out"`` for how many results each element
        goes into, ``"fan_avg"`` for the mean of both.
      distribution: ``"truncated_normal"``, ``"untruncated_normal"`` or ``"uniform"``.
      seed: what decides which numbers come.
      input_axes, output_axes: the axes whose sizes make these numbers, where they are not those of a dense layer or
        of a convolution.
    Raises:
      ValueError: for a scale, a mode, a distribution or a seed that is none.

    >>> x = tf.keras.initializers.VarianceScaling(2.0, seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 2 / 100) < 0.001
    True
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        input_axes: Sequence[int] | None = None,
        output_axes: Sequence[int] | None = None,
    ) -> None:
        if not scale > 0:
            raise ValueError(f"{type(self).__name__} with scale={scale!r}: it is a positive number")
        _one_of("mode", mode, ("fan_in", "fan_out", "fan_avg"))
        kind = "truncated_normal" if distribution == "normal" else distribution
        _one_of("distribution", kind, ("truncated_normal", "untruncated_normal", "uniform"))
        self.scale, self.mode, self.distribution = scale, mode, kind
        self.input_axes, self.output_axes = input_axes, output_axes
        super().__init__(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        dims = _dims(shape, self)
        fan_in, fan_out = _fans(dims, self.input_axes, self.output_axes)
        fan = {"fan_in": fan_in, "fan_out": fan_out, "fan_avg": (fan_in + fan_out) / 2}[self.mode]
        deviation = math.sqrt(self.scale / max(1.0, fan))
        return self._drawn(dims, dtype, lambda rng, dims: self._of_deviation(rng, dims, deviation))

    def _of_deviation(self, rng: np.random.Generator, dims: tuple[int, ...], deviation: float) -> NumPyArray:
        if self.distribution == "uniform":
            limit = math.sqrt(3.0) * deviation
            return rng.uniform(-limit, limit, dims)
        if self.distribution == "untruncated_normal":
            return rng.normal(0.0, deviation, dims)
        return _truncated(rng, dims) * (deviation / _DEVIATION_LEFT)

    def get_config(self) -> Config:
        names = "scale mode distribution input_axes output_axes"
        return {**{name: getattr(self, name) for name in names.split()}, "seed": self._given}


class _Scaled(VarianceScaling):
    """One of those that have a name of their own."""

    _how: tuple[float, str, str]

    def __init__(
        self,
        seed: int | None = None,
        input_axes: Sequence[int] | None = None,
        output_axes: Sequence[int] | None = None,
    ) -> None:
        super().__init__(*self._how, seed, input_axes, output_axes)

    def get_config(self) -> Config:
        return {"seed": self._given, "input_axes": self.input_axes, "output_axes": self.output_axes}


class GlorotUniform(_Scaled):
    """Numbers from an interval, of the variance ``2 / (fan_in + fan_out)``; what `VarianceScaling` says of these.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.GlorotUniform(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 2 / 150) < 0.001
    True
    """

    _how = 1.0, "fan_avg", "uniform"


class GlorotNormal(_Scaled):
    """Truncated normal numbers of the variance ``2 / (fan_in + fan_out)``; what `VarianceScaling` says of these.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.GlorotNormal(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 2 / 150) < 0.001
    True
    """

    _how = 1.0, "fan_avg", "truncated_normal"


class HeUniform(_Scaled):
    """Numbers from an interval, of the variance ``2 / fan_in``; what `VarianceScaling` says of that.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.HeUniform(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 2 / 100) < 0.001
    True
    """

    _how = 2.0, "fan_in", "uniform"


class HeNormal(_Scaled):
    """Truncated normal numbers of the variance ``2 / fan_in``; what `VarianceScaling` says of that.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.HeNormal(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 2 / 100) < 0.001
    True
    """

    _how = 2.0, "fan_in", "truncated_normal"


class LecunUniform(_Scaled):
    """Numbers from an interval, of the variance ``1 / fan_in``; what `VarianceScaling` says of that.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.LecunUniform(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 1 / 100) < 0.001
    True
    """

    _how = 1.0, "fan_in", "uniform"


class LecunNormal(_Scaled):
    """Truncated normal numbers of the variance ``1 / fan_in``; what `VarianceScaling` says of that.

    Args:
      seed, input_axes, output_axes: as for `VarianceScaling`.

    >>> x = tf.keras.initializers.LecunNormal(seed=1)([100, 50])
    >>> abs(float(tf.math.reduce_variance(x)) - 1 / 100) < 0.001
    True
    """

    _how = 1.0, "fan_in", "truncated_normal"


class Orthogonal(_Random):
    """A matrix of orthogonal columns, or rows, of length 1, times a number.

    Weights of more axes are such a matrix with all axes but the last as its rows.

    Args:
      gain: the number.
      seed: what decides which matrix comes.
    Raises:
      ValueError: for a weight of fewer than two axes, and a seed that is no whole number.

    >>> x = tf.keras.initializers.Orthogonal(seed=1)([3, 2])
    >>> print(tf.abs(tf.linalg.matmul(x, x, transpose_a=True)).numpy().round(3))
    [[1. 0.]
     [0. 1.]]
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain = gain
        super().__init__(seed)

    def __call__(self, shape: ShapeLike, dtype: DTypeLike | None = None) -> Tensor:
        dims = _dims(shape, self)
        if len(dims) < 2:
            raise ValueError(f"Orthogonal of shape {dims}: it makes weights of two axes or more")
        return self._drawn(dims, dtype, lambda rng, dims: self.gain * _orthogonal(rng, dims))

    def get_config(self) -> Config:
        return {"gain": self.gain, "seed": self._given}


_DEVIATION_LEFT = 0.8796256610342398  # that of a standard normal distribution within two of its own


def _truncated(rng: np.random.Generator, dims: tuple[int, ...]) -> NumPyArray:
    """Standard normal numbers, of which those beyond 2 have been drawn again."""
    numbers = rng.standard_normal(dims)
    while np.any(far := np.abs(numbers) > 2):
        numbers[far] = rng.standard_normal(int(np.count_nonzero(far)))
    return numbers


def _orthogonal(rng: np.random.Generator, dims: tuple[int, ...]) -> NumPyArray:
    rows, columns = math.prod(dims[:-1]), dims[-1]
    q, r = np.linalg.qr(rng.standard_normal((max(rows, columns), min(rows, columns))))
    q = q * np.where(np.diag(r) < 0, -1.0, 1.0)  # so that each matrix is as likely
    return np.reshape(q if rows >= columns else q.T, dims)


def _fans(
    dims: tuple[int, ...], input_axes: Sequence[int] | None, output_axes: Sequence[int] | None
) -> tuple[int, int]:
    """How many elements go into a result, and into how many results each goes."""
    if input_axes is not None and output_axes is not None:
        return math.prod(dims[i] for i in input_axes), math.prod(dims[i] for i in output_axes)
    if len(dims) < 2:
        return math.prod(dims), math.prod(dims)
    window = math.prod(dims[:-2])
    return dims[-2] * window, dims[-1] * window


def _dims(shape: Any, initializer: Initializer) -> tuple[int, ...]:
    """A shape as numbers."""
    sizes = [shape] if isinstance(shape, int | np.integer) else list(shape)
    known = [static_value(n) if isinstance(n, Tensor) else n for n in sizes]
    if any(n is None for n in known):
        raise ValueError(f"{type(initializer).__name__} of shape {tuple(known)}: all dimensions are known")
    return tuple(int(n) for n in known)


def _dtype(dtype: DTypeLike | None) -> DType:
    return as_dtype(floatx() if dtype is None else dtype)


def _one_of(parameter: str, value: object, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"Invalid `{parameter}` argument: {value!r}. It is one of {', '.join(map(repr, allowed))}")


zeros, ones, constant = Zeros, Ones, Constant
identity = IdentityInitializer = Identity
orthogonal = OrthogonalInitializer = Orthogonal
random_normal, random_uniform, truncated_normal = RandomNormal, RandomUniform, TruncatedNormal
variance_scaling = VarianceScaling
glorot_normal, glorot_uniform = GlorotNormal, GlorotUniform
he_normal, he_uniform = HeNormal, HeUniform
lecun_normal, lecun_uniform = LecunNormal, LecunUniform

_PARTS = ("Initializer", "get", "serialize", "deserialize")
_CATALOGUE = Catalogue.in_words(
    "initializer",
    "keras.initializers",
    {name: globals()[name] for name in __all__ if name not in _PARTS}
    | {"uniform": RandomUniform, "normal": RandomNormal, "zero": Zeros, "one": Ones},
)


def get(identifier: object) -> Callable[..., TensorLike] | None:
    """An initializer by its name, or by its configuration.

    Args:
      identifier: a name, as ``"he_normal"``, what `serialize` gives, a class, a number or an array, which becomes a
        `Constant`, a function of shape and dtype, an initializer, or None.
    Returns: the initializer, or the function; None for None.
    Raises:
      ValueError: if there is no such initializer.

    >>> tf.keras.initializers.get("he_normal").scale
    2.0
    >>> tf.keras.initializers.get("he_norml")
    Traceback (most recent call last):
        ...
    ValueError: Unknown initializer: 'he_norml'. Did you mean 'he_normal'?
    """
    if isinstance(identifier, int | float | np.ndarray | np.generic | Tensor | list):
        return Constant(identifier)
    found = _CATALOGUE.get(identifier)
    if found is not None and not callable(found):
        raise ValueError(f"Could not interpret initializer {identifier!r}: it is a function of shape and dtype")
    return found


def serialize(initializer: Callable[..., TensorLike]) -> object:
    """The configuration of an initializer, as a dictionary.

    Args:
      initializer: the initializer.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> tf.keras.initializers.serialize(tf.keras.initializers.Constant(3.0))["config"]
    {'value': 3.0}
    """
    return _CATALOGUE.serialize(initializer)


def deserialize(config: object, custom_objects: Objects = None) -> Callable[..., TensorLike] | None:
    """The initializer that a configuration describes.

    Args:
      config: what `serialize` gives.
      custom_objects: classes of one's own by their names.
    Returns: the initializer.
    Raises:
      ValueError: if there is no such class.

    >>> config = tf.keras.initializers.serialize(tf.keras.initializers.Constant(3.0))
    >>> tf.keras.initializers.deserialize(config).value
    3.0
    """
    found = _CATALOGUE.deserialize(config, custom_objects)
    return found if callable(found) else None
