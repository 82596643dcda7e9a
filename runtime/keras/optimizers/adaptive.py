"""Steps that are shorter where gradients were longer: Adagrad, Adadelta, RMSprop and Ftrl."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from runtime.keras.optimizers.optimizer import Optimizer, Options, Rate, squared
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.reductions import reduce_mean
from runtime.tensors.shaping import expand_dims
from runtime.tensors.tensor import Tensor
from runtime.tensors.variables import Variable


class Adagrad(Optimizer):
    """Steps against the gradient, divided by the root of the sum of all squares so far.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      initial_accumulator_value: where that sum starts, 0 or more.
      epsilon: what is added to the sum.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a sum that starts below 0.

    >>> w = tf.Variable([1.0, 2.0])
    >>> optimizer = tf.keras.optimizers.Adagrad(learning_rate=0.5, initial_accumulator_value=0.0)
    >>> steps = optimizer.apply_gradients([(tf.constant([1.0, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0.5 2.5]
    """

    _settings = ("initial_accumulator_value", "epsilon")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        **options: Unpack[Options],
    ) -> None:
        if initial_accumulator_value < 0:
            raise ValueError(f"initial_accumulator_value={initial_accumulator_value!r}: it is 0 or more")
        self.initial_accumulator_value, self.epsilon = initial_accumulator_value, epsilon
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"accumulator": self.initial_accumulator_value}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        total = self._slot("accumulator", variable)
        new = total + squared(gradient)
        total.assign(new)
        variable.assign_sub(learning_rate * gradient / m.sqrt(new + self.epsilon))


class Adafactor(Optimizer):
    """Steps against the gradient, divided by the root of the mean of its squares; of matrices, means by row and column.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says, in proportion to the Variable.
      beta_2_decay: by which power of the number of steps the last gradient counts less in these means.
      epsilon_1: what is added to squares.
      epsilon_2: the least size that a Variable is taken to have.
      clip_threshold: how large a step may be, by the root of the mean of its squares, before the factor.
      relative_step: whether the learning rate is relative; it is no more than one over the root of the number of steps
        in any case, as in Keras.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`.

    >>> w = tf.Variable([[1.0, 2.0]])
    >>> steps = tf.keras.optimizers.Adafactor(0.1).apply_gradients([(tf.constant([[1.0, -9.0]]), w)])
    >>> print(w.numpy().round(3))
    [[0.842 2.158]]
    """

    _settings = ("beta_2_decay", "epsilon_1", "epsilon_2", "clip_threshold", "relative_step")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_2_decay: float = -0.8,
        epsilon_1: float = 1e-30,
        epsilon_2: float = 1e-3,
        clip_threshold: float = 1.0,
        relative_step: bool = True,
        **options: Unpack[Options],
    ) -> None:
        self.beta_2_decay, self.epsilon_1, self.epsilon_2 = beta_2_decay, epsilon_1, epsilon_2
        self.clip_threshold, self.relative_step = clip_threshold, relative_step
        super().__init__(learning_rate, **options)

    def build(self, variables: Sequence[Variable]) -> None:
        """Make what is kept for each Variable: means by row and by column, where there are such; else of all squares.

        Args:
          variables: the Variables that are to be trained; it can be called for others no more.

        >>> optimizer = tf.keras.optimizers.Adafactor()
        >>> optimizer.build([tf.Variable([[1.0, 2.0, 3.0]], name="w")])
        >>> [v.shape for v in optimizer.variables[2:]]
        [TensorShape([1]), TensorShape([3])]
        """
        if self.built:
            return
        super().build(variables)
        self._means = [[self._mean(v, *each) for each in _sizes(v).items()] for v in self._trained]

    def _mean(self, variable: Variable, what: str, dims: list[int | None]) -> Variable:
        return self.add_variable(dims, dtype=variable.dtype, name=f"{variable.hint.replace('/', '_')}_{what}")

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        count = cast(self.iterations + 1, variable.dtype)
        most = 1 / m.sqrt(count)
        rate = m.minimum(learning_rate, most)
        share = m.pow(count, self.beta_2_decay)  # of the last gradient
        square = squared(gradient)
        squares = square + self.epsilon_1
        kept = self._means[self._get_variable_index(variable)]
        factored = len(kept) > 1
        parts = [reduce_mean(squares, -1), reduce_mean(squares, -2)] if factored else [squares]
        for mean, part in zip(kept, parts, strict=True):
            mean.assign((1 - share) * mean + share * part)
        if factored:
            rows, columns = kept
            by_row = rows / reduce_mean(rows, -1, keepdims=True)
            mean_square = expand_dims(by_row, -1) * expand_dims(columns, -2)
        else:
            mean_square = kept[0].read_value()
        size = m.sqrt(reduce_mean(square / mean_square))
        step = gradient / m.sqrt(mean_square) / m.maximum(size / self.clip_threshold, 1)
        variable.assign_sub(m.maximum(_size(variable), self.epsilon_2) * rate * step)


def _size(x: Tensor | Variable) -> Tensor:
    return m.sqrt(reduce_mean(m.square(x)))


def _sizes(variable: Variable) -> dict[str, list[int | None]]:
    """The shapes of the means of squares, by what they are of."""
    dims = variable.shape.as_list()
    return {"velocity": dims} if len(dims) < 2 else {"row": dims[:-1], "column": [*dims[:-2], dims[-1]]}


class Adadelta(Optimizer):
    """Steps against the gradient, in the proportion that the last steps had to the last gradients.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says; 1 for what the paper describes.
      rho: the part of the means of squares that stays from one step to the next.
      epsilon: what is added to these means.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`.

    >>> w = tf.Variable([1.0])
    >>> optimizer = tf.keras.optimizers.Adadelta(learning_rate=1.0, epsilon=0.1)
    >>> steps = optimizer.apply_gradients([(tf.constant([1.0]), w)])
    >>> print(w.numpy().round(3))
    [0.184]
    """

    _settings = ("rho", "epsilon")

    def __init__(
        self, learning_rate: Rate = 0.001, rho: float = 0.95, epsilon: float = 1e-7, **options: Unpack[Options]
    ) -> None:
        self.rho, self.epsilon = rho, epsilon
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"accumulated_grad": 0.0, "accumulated_delta_var": 0.0}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        squares, steps = self._slot("accumulated_grad", variable), self._slot("accumulated_delta_var", variable)
        square = squared(gradient)
        new = squares * self.rho + square * (1 - self.rho)
        squares.assign(new)
        factor = m.sqrt(steps + self.epsilon) / m.sqrt(new + self.epsilon)
        step = factor * gradient
        steps.assign(steps * self.rho + m.square(factor) * square * (1 - self.rho))
        variable.assign_sub(learning_rate * step)


class RMSprop(Optimizer):
    """Steps against the gradient, divided by the root of a mean of its squares.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      rho: the part of that mean that stays from one step to the next.
      momentum: the part of a step that the next one adds to its own.
      epsilon: what is added to the mean.
      centered: whether the square of the mean gradient is taken from the mean of squares, which makes it a variance.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`.

    >>> w = tf.Variable([1.0, 2.0])
    >>> optimizer = tf.keras.optimizers.RMSprop(learning_rate=0.5, rho=0.75)
    >>> steps = optimizer.apply_gradients([(tf.constant([1.0, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0. 3.]
    """

    _settings = ("rho", "momentum", "epsilon", "centered")

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        **options: Unpack[Options],
    ) -> None:
        self.rho, self.momentum, self.epsilon, self.centered = rho, momentum, epsilon, centered
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        more = {"momentum": 0.0} if self.momentum > 0 else {}
        return {"velocity": 0.0, **more, **({"average_gradient": 0.0} if self.centered else {})}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        squares, whole = self._slot("velocity", variable), convert_to_tensor(gradient)
        usual = squares * self.rho + squared(gradient) * (1 - self.rho)
        squares.assign(usual)
        if self.centered:
            mean = self._slot("average_gradient", variable)
            new = mean * self.rho + whole * (1 - self.rho)
            mean.assign(new)
            usual = usual - m.square(new)
        step = learning_rate * whole / m.sqrt(usual + self.epsilon)
        if self.momentum > 0:
            kept = self._slot("momentum", variable)
            step = kept * self.momentum + step
            kept.assign(step)
        variable.assign_sub(step)


class Ftrl(Optimizer):
    """Follows the regularised leader: elements stay 0 unless their gradients say enough.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      learning_rate_power: how steps become shorter, 0 or less: 0 for not at all.
      initial_accumulator_value: where the sum of squares starts, 0 or more.
      l1_regularization_strength: how much is to be said for an element before it is other than 0.
      l2_regularization_strength: what the squares of elements cost.
      l2_shrinkage_regularization_strength: what they cost, as a part of the gradient.
      beta: what is added to the denominator, divided by twice the learning rate.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for numbers out of their range.

    >>> w = tf.Variable([0.0, 0.0])
    >>> optimizer = tf.keras.optimizers.Ftrl(learning_rate=0.5, l1_regularization_strength=2.0)
    >>> steps = optimizer.apply_gradients([(tf.constant([1.0, -9.0]), w)])
    >>> print(w.numpy().round(3))
    [0.    0.389]
    """

    _settings = (
        "learning_rate_power", "initial_accumulator_value", "l1_regularization_strength", "l2_regularization_strength",
        "l2_shrinkage_regularization_strength", "beta",
    )  # fmt: skip

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        learning_rate_power: float = -0.5,
        initial_accumulator_value: float = 0.1,
        l1_regularization_strength: float = 0.0,
        l2_regularization_strength: float = 0.0,
        l2_shrinkage_regularization_strength: float = 0.0,
        beta: float = 0.0,
        **options: Unpack[Options],
    ) -> None:
        self.learning_rate_power, self.initial_accumulator_value = learning_rate_power, initial_accumulator_value
        self.l1_regularization_strength = l1_regularization_strength
        self.l2_regularization_strength = l2_regularization_strength
        self.l2_shrinkage_regularization_strength, self.beta = l2_shrinkage_regularization_strength, beta
        if learning_rate_power > 0:
            raise ValueError(f"learning_rate_power={learning_rate_power!r}: it is 0 or less")
        for name in ("initial_accumulator_value", *(n for n in self._settings if n.endswith("strength"))):
            if getattr(self, name) < 0:
                raise ValueError(f"{name}={getattr(self, name)!r}: it is 0 or more")
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"accumulator": self.initial_accumulator_value, "linear": 0.0}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        total, linear = self._slot("accumulator", variable), self._slot("linear", variable)
        power, bound = -self.learning_rate_power, self.l1_regularization_strength
        new = total + squared(gradient)
        shrunk = gradient + variable * (2 * self.l2_shrinkage_regularization_strength)
        lines = linear + shrunk - (m.pow(new, power) - m.pow(total, power)) / learning_rate * variable
        squares = m.pow(new, power) / learning_rate
        squares = squares + 2 * (self.l2_regularization_strength + self.beta / (2.0 * learning_rate))
        variable.assign((m.clipped(lines, -bound, bound) - lines) / squares)
        linear.assign(lines)
        total.assign(new)
