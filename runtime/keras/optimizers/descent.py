"""Steps along the gradient, or along the direction of its mean: SGD and Lion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from runtime.keras.optimizers.optimizer import Optimizer, Options, Rate
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.tensor import Tensor
from runtime.tensors.variables import Variable


class SGD(Optimizer):
    """Steps against the gradient, with momentum where it is wanted.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      momentum: the part of a step, from 0 to 1, that the next one adds to its own.
      nesterov: whether a step goes as far beyond as the momentum will carry it.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a momentum out of its range.

    >>> w = tf.Variable([1.0, 2.0])
    >>> optimizer = tf.keras.optimizers.SGD(learning_rate=0.5, momentum=0.5)
    >>> for _ in range(2):
    ...     steps = optimizer.apply_gradients([(tf.constant([1.0, 0.0]), w)])
    >>> print(w.numpy())
    [-0.25  2.  ]
    """

    _settings = ("momentum", "nesterov")

    def __init__(
        self,
        learning_rate: Rate = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        **options: Unpack[Options],
    ) -> None:
        if isinstance(momentum, bool) or not isinstance(momentum, int | float) or not 0 <= momentum <= 1:
            raise ValueError(f"momentum={momentum!r}: it is a number from 0 to 1")
        self.momentum, self.nesterov = momentum, nesterov
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"momentum": 0.0} if self.momentum else {}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        step = gradient * learning_rate
        if not self.momentum:
            variable.assign_sub(step)
            return
        kept = self._slot("momentum", variable)
        new = kept * self.momentum - step
        kept.assign(new)
        variable.assign_add(new * self.momentum - step if self.nesterov else new)


class Lion(Optimizer):
    """Steps of one length in each element, along the sign of a mean of gradients.

    Args:
      learning_rate: how far a step goes, as `Optimizer` says.
      beta_1: the part of the mean that counts in a step, from 0 to 1 without it, besides the gradient.
      beta_2: the part of the mean that stays from one step to the next.
      options: the options of `Optimizer`.
    Raises:
      TypeError, ValueError: as for `Optimizer`, and for a `beta_1` out of its range.

    >>> w = tf.Variable([1.0, 2.0])
    >>> steps = tf.keras.optimizers.Lion(learning_rate=0.5).apply_gradients([(tf.constant([0.1, -9.0]), w)])
    >>> print(w.numpy())
    [0.5 2.5]
    """

    _settings = ("beta_1", "beta_2")

    def __init__(
        self, learning_rate: Rate = 0.001, beta_1: float = 0.9, beta_2: float = 0.99, **options: Unpack[Options]
    ) -> None:
        if not 0 < beta_1 <= 1:
            raise ValueError(f"beta_1={beta_1!r}: it is a number from 0 to 1, and not 0")
        self.beta_1, self.beta_2 = beta_1, beta_2
        super().__init__(learning_rate, **options)

    def _kept(self) -> Mapping[str, float]:
        return {"momentum": 0.0}

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        kept = self._slot("momentum", variable)
        mean, whole = kept.read_value(), convert_to_tensor(gradient)
        variable.assign_sub(learning_rate * m.sign(mean * self.beta_1 + whole * (1 - self.beta_1)))
        kept.assign(mean * self.beta_2 + whole * (1 - self.beta_2))
