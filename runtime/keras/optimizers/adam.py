"""Adam, and what has become of it: steps along means of gradients, divided by what these usually measure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from runtime.graph.dtypes import float32
from runtime.keras.optimizers.optimizer import ButDecay, Optimizer, Options, Pair, Rate, squared
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.indexed_slices import IndexedSlices, of_each
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike
from runtime.tensors.variables import Variable


class _Moments(Optimizer):
    """What all of them have: moving means of gradients and of their squares."""

    _settings: tuple[str, ...] = ("beta_1", "beta_2", "epsilon")

    def __init__(
        self, learning_rate: Rate, beta_1: float, beta_2: float, epsilon: float, **options: Unpack[Options]
    ) -> None:
        for name, beta in (("beta_1", beta_1), ("beta_2", beta_2)):
            if not 0 <= beta < 1:
                raise ValueError(f"{name}={beta!r}: it is a number from 0 to 1, and not 1")
        self.beta_1, self.beta_2, self.epsilon = beta_1, beta_2, epsilon
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"momentum": 0.0, "velocity": 0.0}

    def _moments(self, gradient: Tensor | IndexedSlices, variable: Variable) -> tuple[Tensor, Tensor]:
        """The means of gradients and of squares with this gradient."""
        mean, square = self._slot("momentum", variable), self._slot("velocity", variable)
        new_mean = mean + (gradient - mean) * (1 - self.beta_1)
        new_square = square + (squared(gradient) - square) * (1 - self.beta_2)
        mean.assign(new_mean)
        square.assign(new_square)
        return new_mean, new_square

    def _power(self, base: float, dtype: DTypeLike, more: int = 1) -> Tensor:
        """A number to the power of the number of this step, or of a later one."""
        return m.pow(constant(base, dtype), cast(self.iterations + more, dtype))


class Adam(_Moments):
    """Steps along the mean of gradients, divided by the root of the mean of their squares.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      beta_1: the part of the mean of gradients that stays from one step to the next.
      beta_2: the part of the mean of squares that does.
      epsilon: what is added to the root.
      amsgrad: whether it is divided by the largest mean of squares so far.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a beta out of its range.

    >>> w = tf.Variable([1.0, 2.0])
    >>> steps = tf.keras.optimizers.Adam(learning_rate=0.5).apply_gradients([(tf.constant([0.1, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0.5 2.5]
    """

    _settings = ("beta_1", "beta_2", "epsilon", "amsgrad")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self.amsgrad = amsgrad
        super().__init__(learning_rate, beta_1, beta_2, epsilon, **options)

    def _kept(self) -> Mapping[str, float]:
        return {**super()._kept(), **({"velocity_hat": 0.0} if self.amsgrad else {})}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        dtype = variable.dtype
        grown = m.sqrt(1 - self._power(self.beta_2, dtype)) / (1 - self._power(self.beta_1, dtype))
        mean, square = self._moments(gradient, variable)
        if self.amsgrad:
            largest = self._slot("velocity_hat", variable)
            square = m.maximum(largest, square)
            largest.assign(square)
        variable.assign_sub(mean * (learning_rate * grown) / (m.sqrt(square) + self.epsilon))


class AdamW(Adam):
    """Adam with Variables that decay: before each step a part of them is taken away.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      weight_decay: the part of a Variable, times the learning rate, that is taken away at each step.
      beta_1, beta_2, epsilon, amsgrad: as for `Adam`.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Adam`, and without a `weight_decay`.

    >>> w = tf.Variable([1.0])
    >>> optimizer = tf.keras.optimizers.AdamW(learning_rate=0.5, weight_decay=0.5)
    >>> steps = optimizer.apply_gradients([(tf.constant([1.0]), w)])
    >>> print(w.numpy().round(3))
    [0.25]
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        weight_decay: float | None = 0.004,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **options: Unpack[ButDecay],
    ) -> None:
        if weight_decay is None:
            raise ValueError("AdamW with weight_decay=None: it is a number; Adam does without")
        super().__init__(learning_rate, beta_1, beta_2, epsilon, amsgrad, weight_decay=weight_decay, **options)


class Adamax(_Moments):
    """Steps along the mean of gradients, divided by the largest of them, of which less counts from step to step.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      beta_1: the part of the mean of gradients that stays from one step to the next.
      beta_2: the part of the largest gradient that does.
      epsilon: what is added to that.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a beta out of its range.

    >>> w = tf.Variable([1.0, 2.0])
    >>> steps = tf.keras.optimizers.Adamax(learning_rate=0.5).apply_gradients([(tf.constant([0.1, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0.5 2.5]
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"momentum": 0.0, "norm": 0.0}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        mean, norm = self._slot("momentum", variable), self._slot("norm", variable)
        new_mean = mean + (gradient - mean) * (1 - self.beta_1)
        new_norm = m.maximum(norm * self.beta_2, convert_to_tensor(of_each(m.abs, gradient)))
        mean.assign(new_mean)
        norm.assign(new_norm)
        left = 1 - self._power(self.beta_1, variable.dtype)
        variable.assign_sub(learning_rate * new_mean / (left * (new_norm + self.epsilon)))


class Nadam(_Moments):
    """Adam with Nesterov's momentum, which grows from step to step.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      beta_1, beta_2, epsilon: as for `Adam`.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a beta out of its range.

    >>> w = tf.Variable([1.0, 2.0])
    >>> steps = tf.keras.optimizers.Nadam(learning_rate=0.5).apply_gradients([(tf.constant([0.1, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0.469 2.531]
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, **options)

    def build(self, variables: Sequence[Variable]) -> None:
        if self.built:
            return
        super().build(variables)
        dtype = self._trained[0].dtype if self._trained else float32
        self._product = self.add_variable((), "ones", dtype, "u_product")

    def _update(self, pairs: Sequence[Pair], rate: Tensor) -> None:
        self._product.assign(self._product * self._momentum(self._product.dtype))
        super()._update(pairs, rate)

    def _momentum(self, dtype: DTypeLike, more: int = 1) -> Tensor:
        """The momentum of this step, or of a later one."""
        return self.beta_1 * (1.0 - 0.5 * self._power(0.96, dtype, more))

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        dtype = variable.dtype
        now, later = self._momentum(dtype), self._momentum(dtype, 2)
        product = cast(self._product, dtype)
        mean, square = self._moments(gradient, variable)
        ahead = later * mean / (1 - product * later) + (1 - now) * gradient / (1 - product)
        usual = m.sqrt(square / (1 - self._power(self.beta_2, dtype)))
        variable.assign_sub(ahead * learning_rate / (usual + self.epsilon))


class Lamb(_Moments):
    """Adam with steps in proportion to the Variable: each goes as far as the norm of that, times the learning rate.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      beta_1, beta_2, epsilon: as for `Adam`.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a beta out of its range.

    >>> w = tf.Variable([3.0, 4.0])
    >>> steps = tf.keras.optimizers.Lamb(learning_rate=0.5).apply_gradients([(tf.constant([1.0, 0.0]), w)])
    >>> print(w.numpy().round(3))
    [0.5 4. ]
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        **options: Unpack[Options],
    ) -> None:
        super().__init__(learning_rate, beta_1, beta_2, epsilon, **options)

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        dtype = variable.dtype
        mean, square = self._moments(gradient, variable)
        usual = m.sqrt(square / (1 - self._power(self.beta_2, dtype))) + self.epsilon
        step = mean / (1 - self._power(self.beta_1, dtype)) / usual
        length, wanted = m.sqrt(reduce_sum(m.square(step))), m.sqrt(reduce_sum(m.square(variable)))
        has_both = m.logical_and(wanted > 0, length > 0)
        ratio = m.where(has_both, wanted / m.where(has_both, length, 1.0), 1.0)
        variable.assign_sub(ratio * learning_rate * step)
