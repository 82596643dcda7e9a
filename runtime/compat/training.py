"""Optimizers of TensorFlow 1: operations of a graph that change its Variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from runtime.compat.control import group
from runtime.compat.graphs import OpenGraph, default_graph, outermost
from runtime.compat.variables import VariableV1, trainable_variables
from runtime.gradients.tape import gradients
from runtime.graph.dtypes import int64
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, operand
from runtime.tensors.making import fill
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Pairs = list[tuple[Tensor | None, Variable]]


class Optimizer:
    """What all optimizers do: find the gradients of a loss, and change Variables by them.

    Args:
      use_locking: accepted; each assignment is one step for other threads.
      name: accepted.
    """

    def __init__(self, use_locking: bool = False, name: str | None = None) -> None:
        self._slots: dict[object, Variable] = {}

    def minimize(
        self,
        loss: Tensor,
        global_step: Variable | None = None,
        var_list: Sequence[Variable] | None = None,
        gate_gradients: int | None = None,
        aggregation_method: object = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: TensorLike | None = None,
    ) -> object:
        """The operation that makes a loss smaller by a step: `compute_gradients`, and `apply_gradients` of them.

        Args:
          loss: the loss, a tensor of shape ().
          global_step: a Variable that goes up by one.
          var_list: what is changed; all Variables that can be trained by default.
          gate_gradients, aggregation_method, colocate_gradients_with_ops: accepted; they say how TensorFlow computes.
          grad_loss: the gradient of the loss itself, 1 by default.
        Returns: the operation.
        Raises:
          ValueError: if the loss depends on none of the Variables.

        >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
        ...     w = tf.compat.v1.get_variable("w", initializer=2.0)
        ...     train = tf.compat.v1.train.GradientDescentOptimizer(0.1).minimize((w - 5.0) ** 2)
        ...     session.run(tf.compat.v1.global_variables_initializer())
        ...     session.run(train)
        ...     print(session.run(w))
        2.6
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list, grad_loss=grad_loss), global_step)

    def compute_gradients(
        self,
        loss: Tensor,
        var_list: Sequence[Variable] | None = None,
        gate_gradients: int | None = None,
        aggregation_method: object = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: TensorLike | None = None,
    ) -> Pairs:
        """The gradients of a loss, each with its Variable.

        Args:
          loss: the loss, a tensor of shape ().
          var_list: of which Variables; all that can be trained by default.
          gate_gradients, aggregation_method, colocate_gradients_with_ops: accepted; they say how TensorFlow computes.
          grad_loss: the gradient of the loss itself, 1 by default.
        Returns: a list of pairs; None for the gradient of a Variable on which the loss does not depend.
        Raises:
          ValueError: if there is no Variable.
        """
        chosen = [*(trainable_variables() if var_list is None else var_list)]
        if not chosen:
            raise ValueError("No variables to optimize: there is none in the graph that can be trained")
        found = gradients(loss, chosen, None if grad_loss is None else [operand(grad_loss)])
        return [(None if g is None else operand(g), v) for g, v in zip(found, chosen)]

    def apply_gradients(
        self,
        grads_and_vars: Iterable[tuple[TensorLike | None, Variable]],
        global_step: Variable | None = None,
        name: str | None = None,
    ) -> object:
        """The operation that changes Variables by gradients.

        Args:
          grads_and_vars: pairs of a gradient, of the shape of its Variable, and the Variable.
          global_step: a Variable that goes up by one.
        Returns: the operation.
        Raises:
          ValueError: if there is no gradient.
        """
        pairs = [(operand(g), v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError("No gradients provided for any variable: the loss depends on none of them")
        done = self._steps(pairs)
        if global_step is not None:
            done.append(global_step.assign_add(cast(operand(1), global_step.dtype)))
        return group(*done)

    def _steps(self, pairs: Sequence[tuple[Tensor, Variable]]) -> list[object]:
        return [self._step(g, v) for g, v in pairs]

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        raise NotImplementedError(f"{type(self).__name__} says nothing of how it changes a Variable: _step")

    def _slot(self, variable: Variable, name: str, first: float = 0.0) -> Variable:
        """What is kept of a Variable from step to step: zeros of its shape at first, or another number."""
        key = (id(variable), name)
        if key not in self._slots:
            named = f"{variable.name.partition(':')[0]}/{name}"
            self._slots[key] = VariableV1(
                fill(variable.shape, cast(first, variable.dtype)), trainable=False, name=named
            )
        return self._slots[key]


class GradientDescentOptimizer(Optimizer):
    """``variable -= learning_rate * gradient``.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      use_locking, name: accepted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=[1.0, 2.0])
    ...     train = tf.compat.v1.train.GradientDescentOptimizer(0.5).minimize(tf.reduce_sum(w * w))
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w))
    [0. 0.]
    """

    def __init__(self, learning_rate: TensorLike, use_locking: bool = False, name: str = "GradientDescent") -> None:
        super().__init__(use_locking, name)
        self._rate = learning_rate

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        return variable.assign_sub(m.multiply(cast(operand(self._rate), variable.dtype), gradient))


class MomentumOptimizer(Optimizer):
    """Steps by a sum of gradients, in which those before count for less and less.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      momentum: what the sum is multiplied by at each step.
      use_locking, name: accepted.
      use_nesterov: whether the gradient counts as if the step had been made.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=1.0)
    ...     train = tf.compat.v1.train.MomentumOptimizer(0.1, 0.9).minimize(w * w)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w))
    0.8
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        momentum: TensorLike,
        use_locking: bool = False,
        name: str = "Momentum",
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(use_locking, name)
        self._rate, self._momentum, self._nesterov = learning_rate, momentum, use_nesterov

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        rate, momentum = (cast(operand(x), variable.dtype) for x in (self._rate, self._momentum))
        slot = self._slot(variable, "Momentum")
        total = operand(slot.assign(m.add(m.multiply(momentum, slot), gradient)))
        if self._nesterov:
            total = m.add(m.multiply(momentum, total), gradient)
        return variable.assign_sub(m.multiply(rate, total))


class AdamOptimizer(Optimizer):
    """Steps by a mean of the gradients over the root of a mean of their squares.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      beta1, beta2: what the means are multiplied by at each step.
      epsilon: what is added to the root.
      use_locking, name: accepted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=2.0)
    ...     train = tf.compat.v1.train.AdamOptimizer(0.1).minimize((w - 5.0) ** 2)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w))
    2.1
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        beta1: TensorLike = 0.9,
        beta2: TensorLike = 0.999,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "Adam",
    ) -> None:
        super().__init__(use_locking, name)
        self._given = learning_rate, beta1, beta2, epsilon
        self._powers: list[Variable] = []

    def _steps(self, pairs: Sequence[tuple[Tensor, Variable]]) -> list[object]:
        kind = pairs[0][1].dtype
        betas = [cast(operand(beta), kind) for beta in self._given[1:3]]
        if not self._powers:
            self._powers = [
                VariableV1(np.asarray(beta, kind.dtype), trainable=False, name=name)
                for beta, name in zip(self._given[1:3], ("beta1_power", "beta2_power"))
            ]
        done = super()._steps(pairs)
        return done + [power.assign(m.multiply(power, beta)) for power, beta in zip(self._powers, betas)]

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        rate, beta1, beta2, epsilon = (cast(operand(x), variable.dtype) for x in self._given)
        first, second = (cast(operand(power), variable.dtype) for power in self._powers)
        mean, square = self._slot(variable, "Adam"), self._slot(variable, "Adam_1")
        step = m.divide(m.multiply(rate, m.sqrt(m.subtract(1.0, second))), m.subtract(1.0, first))
        new = operand(mean.assign(m.add(m.multiply(beta1, mean), m.multiply(m.subtract(1.0, beta1), gradient))))
        squares = m.multiply(m.subtract(1.0, beta2), m.square(gradient))
        spread = operand(square.assign(m.add(m.multiply(beta2, square), squares)))
        return variable.assign_sub(m.divide(m.multiply(step, new), m.add(m.sqrt(spread), epsilon)))


class AdagradOptimizer(Optimizer):
    """Steps by the gradient over the root of the sum of the squares of all gradients so far.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      initial_accumulator_value: what the sum begins with.
      use_locking, name: accepted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=1.0)
    ...     train = tf.compat.v1.train.AdagradOptimizer(0.5, initial_accumulator_value=12.0).minimize(w * w)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w))
    0.75
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        initial_accumulator_value: float = 0.1,
        use_locking: bool = False,
        name: str = "Adagrad",
    ) -> None:
        super().__init__(use_locking, name)
        if initial_accumulator_value <= 0.0:
            raise ValueError(f"initial_accumulator_value must be positive: {initial_accumulator_value}")
        self._rate, self._first = learning_rate, initial_accumulator_value

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        total = operand(self._slot(variable, "Adagrad", self._first).assign_add(m.square(gradient)))
        rate = cast(operand(self._rate), variable.dtype)
        return variable.assign_sub(m.divide(m.multiply(rate, gradient), m.sqrt(total)))


class RMSPropOptimizer(Optimizer):
    """Steps by the gradient over the root of a mean of its squares.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      decay: what the mean is multiplied by at each step.
      momentum: what the step before is multiplied by.
      epsilon: what is added below the root.
      use_locking, name: accepted.
      centered: whether the square of the mean of gradients is taken away.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=0.5)
    ...     train = tf.compat.v1.train.RMSPropOptimizer(0.25).minimize(w * w)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w))
    0.25
    """

    def __init__(
        self,
        learning_rate: TensorLike,
        decay: TensorLike = 0.9,
        momentum: TensorLike = 0.0,
        epsilon: TensorLike = 1e-10,
        use_locking: bool = False,
        centered: bool = False,
        name: str = "RMSProp",
    ) -> None:
        super().__init__(use_locking, name)
        self._given, self._centered = (learning_rate, decay, momentum, epsilon), centered

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        rate, decay, momentum, epsilon = (cast(operand(x), variable.dtype) for x in self._given)
        square, before = self._slot(variable, "RMSProp", 1.0), self._slot(variable, "RMSProp_1")
        rest = m.subtract(1.0, decay)
        spread = operand(square.assign(m.add(m.multiply(decay, square), m.multiply(rest, m.square(gradient)))))
        if self._centered:
            mean = self._slot(variable, "RMSProp_2")
            middle = operand(mean.assign(m.add(m.multiply(decay, mean), m.multiply(rest, gradient))))
            spread = m.subtract(spread, m.square(middle))
        root = m.sqrt(m.add(spread, epsilon))
        step = m.add(m.multiply(momentum, before), m.divide(m.multiply(rate, gradient), root))
        return variable.assign_sub(operand(before.assign(step)))


class AdadeltaOptimizer(Optimizer):
    """Steps by the gradient, with the root of a mean of the squares of steps over that of gradients.

    Args:
      learning_rate: how large the steps are: a number, or a tensor of shape ().
      rho: what the means are multiplied by at each step.
      epsilon: what is added below the roots.
      use_locking, name: accepted.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     w = tf.compat.v1.get_variable("w", initializer=1.0)
    ...     train = tf.compat.v1.train.AdadeltaOptimizer(1.0).minimize(w * w)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     session.run(train)
    ...     print(session.run(w) < 1.0)
    True
    """

    def __init__(
        self,
        learning_rate: TensorLike = 0.001,
        rho: TensorLike = 0.95,
        epsilon: TensorLike = 1e-8,
        use_locking: bool = False,
        name: str = "Adadelta",
    ) -> None:
        super().__init__(use_locking, name)
        self._given = learning_rate, rho, epsilon

    def _step(self, gradient: Tensor, variable: Variable) -> object:
        rate, rho, epsilon = (cast(operand(x), variable.dtype) for x in self._given)
        gradients_, steps = self._slot(variable, "Adadelta"), self._slot(variable, "Adadelta_1")
        rest = m.subtract(1.0, rho)
        spread = operand(gradients_.assign(m.add(m.multiply(rho, gradients_), m.multiply(rest, m.square(gradient)))))
        roots = m.divide(m.sqrt(m.add(steps, epsilon)), m.sqrt(m.add(spread, epsilon)))
        step = m.multiply(roots, gradient)
        kept = operand(steps.assign(m.add(m.multiply(rho, steps), m.multiply(rest, m.square(step)))))
        return group(variable.assign_sub(m.multiply(rate, step)), kept)


_STEP = "global_step"


def get_global_step(graph: OpenGraph | None = None) -> Variable | None:
    """The Variable that counts the steps of training, of shape (); None if nobody has made it.

    Args:
      graph: the graph; the one that is filled by default.

    >>> with tf.Graph().as_default():
    ...     print(tf.compat.v1.train.get_global_step())
    None
    """
    found = (graph or outermost() or default_graph()).get_collection(_STEP)  # type: ignore[attr-defined]
    return found[0] if found else None


def get_or_create_global_step(graph: OpenGraph | None = None) -> Variable:
    """The Variable that counts the steps of training, of shape () and int64; the first call makes it.

    Args:
      graph: the graph; the one that is filled by default.

    >>> with tf.Graph().as_default():
    ...     tf.compat.v1.train.get_or_create_global_step()
    <tf.Variable 'global_step:0' shape=() dtype=int64>
    """
    found = get_global_step(graph)
    if found is None:
        found = VariableV1(np.zeros((), int64.dtype), trainable=False, name=_STEP)
        (graph or outermost() or default_graph()).add_to_collection(_STEP, found)  # type: ignore[attr-defined]
    return found
