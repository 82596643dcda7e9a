"""Learning rates of TensorFlow 1 that fall with the steps of training."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from runtime.graph.dtypes import float32
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, operand
from runtime.tensors.tensor import Tensor
from runtime.tensors.trace import executing_eagerly
from runtime.tensors.types import TensorLike

Rate = Tensor | Callable[[], Tensor]


def _decay(step: Any, compute: Callable[[Tensor], Tensor]) -> Rate:
    """A tensor in a graph; where operations run at once, a function that gives it for the step as it is then."""
    if step is None:
        raise ValueError("`global_step` is required to compute the learning rate")

    def rate() -> Tensor:
        return compute(cast(operand(step), float32))

    return rate if executing_eagerly() else rate()


def _parts(step: Tensor, steps: TensorLike, staircase: bool) -> Tensor:
    found = m.divide(step, cast(operand(steps), float32))
    return m.floor(found) if staircase else found


def exponential_decay(
    learning_rate: TensorLike, global_step: TensorLike, decay_steps: TensorLike, decay_rate: TensorLike,
    staircase: bool = False, name: str | None = None,
) -> Rate:  # fmt: skip
    """``learning_rate * decay_rate ** (global_step / decay_steps)``.

    Args:
      learning_rate: the rate at first, of shape ().
      global_step: the step, a number or a Variable of shape ().
      decay_steps, decay_rate: after how many steps it falls to which part.
      staircase: whether it falls all at once after each `decay_steps`.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.

    >>> float(tf.compat.v1.train.exponential_decay(0.5, 4, 2, 0.5)())
    0.125
    """
    rate = operand(learning_rate)
    return _decay(global_step, lambda s: m.multiply(rate, m.pow(decay_rate, _parts(s, decay_steps, staircase))))


def natural_exp_decay(
    learning_rate: TensorLike, global_step: TensorLike, decay_steps: TensorLike, decay_rate: TensorLike,
    staircase: bool = False, name: str | None = None,
) -> Rate:  # fmt: skip
    """``learning_rate * exp(-decay_rate * global_step / decay_steps)``.

    Args:
      learning_rate: the rate at first, of shape ().
      global_step: the step, a number or a Variable of shape ().
      decay_steps, decay_rate: after how many steps it falls how far.
      staircase: whether it falls all at once after each `decay_steps`.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.

    >>> float(tf.compat.v1.train.natural_exp_decay(0.5, 0, 2, 0.5)())
    0.5
    """
    rate, factor = operand(learning_rate), operand(decay_rate)
    return _decay(global_step, lambda s: m.multiply(rate, m.exp(-factor * _parts(s, decay_steps, staircase))))


def inverse_time_decay(
    learning_rate: TensorLike, global_step: TensorLike, decay_steps: TensorLike, decay_rate: TensorLike,
    staircase: bool = False, name: str | None = None,
) -> Rate:  # fmt: skip
    """``learning_rate / (1 + decay_rate * global_step / decay_steps)``.

    Args:
      learning_rate: the rate at first, of shape ().
      global_step: the step, a number or a Variable of shape ().
      decay_steps, decay_rate: after how many steps it falls how far.
      staircase: whether it falls all at once after each `decay_steps`.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.

    >>> float(tf.compat.v1.train.inverse_time_decay(0.5, 2, 2, 1.0)())
    0.25
    """
    rate, factor = operand(learning_rate), operand(decay_rate)
    return _decay(global_step, lambda s: m.divide(rate, 1.0 + factor * _parts(s, decay_steps, staircase)))


def polynomial_decay(
    learning_rate: TensorLike, global_step: TensorLike, decay_steps: TensorLike,
    end_learning_rate: TensorLike = 0.0001, power: TensorLike = 1.0, cycle: bool = False, name: str | None = None,
) -> Rate:  # fmt: skip
    """A rate that falls to another, as a power of the steps that are left.

    Args:
      learning_rate: the rate at first, of shape ().
      global_step: the step, a number or a Variable of shape ().
      decay_steps: after how many steps it has fallen.
      end_learning_rate: the rate then.
      power: the power; it falls evenly with 1.
      cycle: whether it begins again, each time over more steps.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.

    >>> float(tf.compat.v1.train.polynomial_decay(1.0, 5, 10, end_learning_rate=0.5)())
    0.75
    """
    first, last = operand(learning_rate), cast(operand(end_learning_rate), float32)

    def rate(step: Tensor) -> Tensor:
        steps = cast(operand(decay_steps), float32)
        if cycle:
            steps = steps * m.where(m.equal(step, 0.0), 1.0, m.ceil(step / steps))
        else:
            step = m.minimum(step, steps)
        return m.add(m.multiply(first - last, m.pow(1.0 - step / steps, power)), last)

    return _decay(global_step, rate)


def cosine_decay(
    learning_rate: TensorLike, global_step: TensorLike, decay_steps: TensorLike, alpha: float = 0.0,
    name: str | None = None,
) -> Rate:  # fmt: skip
    """A rate that falls as half a wave.

    Args:
      learning_rate: the rate at first, of shape ().
      global_step: the step, a number or a Variable of shape ().
      decay_steps: after how many steps it has fallen.
      alpha: to which part.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.

    >>> float(tf.compat.v1.train.cosine_decay(1.0, 10, 10, alpha=0.25)())
    0.25
    """
    first = operand(learning_rate)

    def rate(step: Tensor) -> Tensor:
        steps = cast(operand(decay_steps), float32)
        wave = 0.5 * (1.0 + m.cos(math.pi * m.minimum(step, steps) / steps))
        return m.multiply(first, (1 - alpha) * wave + alpha)

    return _decay(global_step, rate)


def piecewise_constant(
    x: TensorLike, boundaries: Sequence[TensorLike], values: Sequence[TensorLike], name: str | None = None
) -> Rate:
    """One of several numbers, by where a step is among boundaries.

    Args:
      x: the step, a number or a Variable of shape ().
      boundaries: the last step of each number but the last.
      values: the numbers, one more than the boundaries.
    Returns: a tensor of shape (); a function of no arguments that gives it where operations run at once.
    Raises:
      ValueError: for another number of values.

    >>> float(tf.compat.v1.train.piecewise_constant(3, [2, 4], [1.0, 0.5, 0.25])())
    0.5
    """
    if len(boundaries) != len(values) - 1:
        raise ValueError("The length of boundaries should be 1 less than the length of values")

    def rate(step: Tensor) -> Tensor:
        found = operand(values[-1])
        for limit, value in reversed([*zip(boundaries, values)]):
            found = m.where(m.less_equal(step, cast(operand(limit), float32)), value, found)
        return found

    return _decay(x, rate)
