"""Learning rates that change from step to step."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

from runtime.graph.dtypes import float32
from runtime.keras.identifiers import Catalogue, Config, Objects
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.parts import gather, searchsorted
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike

__all__ = [
    "CosineDecay", "CosineDecayRestarts", "ExponentialDecay", "InverseTimeDecay", "LearningRateSchedule",
    "PiecewiseConstantDecay", "PolynomialDecay", "deserialize", "serialize",
]  # fmt: skip

Schedule = TypeVar("Schedule", bound="LearningRateSchedule")


class LearningRateSchedule:
    """A base for learning rates that are functions of the step.

    A class of one's own defines `__call__` and, to be saved, `get_config`.

    >>> class Warm(tf.keras.optimizers.schedules.LearningRateSchedule):
    ...     def __call__(self, step):
    ...         return 0.5 * tf.minimum(1.0, (tf.cast(step, tf.float32) + 1) / 8)
    >>> optimizer = tf.keras.optimizers.SGD(Warm())
    >>> print(optimizer.learning_rate)
    tf.Tensor(0.0625, shape=(), dtype=float32)
    """

    def __call__(self, step: TensorLike) -> Tensor:
        """The learning rate of a step.

        Args:
          step: how many steps were made before, a scalar.
        Returns: a scalar of float32.

        >>> print(tf.keras.optimizers.schedules.InverseTimeDecay(1.0, 10, 1.0)(30))
        tf.Tensor(0.25, shape=(), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define __call__(self, step)")

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.optimizers.schedules.InverseTimeDecay(1.0, 10, 0.5).get_config()["decay_rate"]
        0.5
        """
        raise NotImplementedError(f"{type(self).__name__} does not define get_config(self)")

    @classmethod
    def from_config(cls: type[Schedule], config: Config) -> Schedule:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an object of this class.

        >>> rates = tf.keras.optimizers.schedules.InverseTimeDecay(1.0, 10, 0.5)
        >>> print(type(rates).from_config(rates.get_config())(20))
        tf.Tensor(0.5, shape=(), dtype=float32)
        """
        return cls(**config)


class ExponentialDecay(LearningRateSchedule):
    """``initial_learning_rate * decay_rate ** (step / decay_steps)``.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: after how many steps it has come down by the factor.
      decay_rate: the factor.
      staircase: whether it comes down at once after so many steps, rather than a little at each.
      name: the name.

    >>> rates = tf.keras.optimizers.schedules.ExponentialDecay(0.1, 100, 0.5)
    >>> print(rates(200))
    tf.Tensor(0.025, shape=(), dtype=float32)
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
        name: str = "ExponentialDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self.decay_steps, self.staircase, self.name = _positive(decay_steps, self), staircase, name

    def __call__(self, step: TensorLike) -> Tensor:
        passed = _float(step) / self.decay_steps
        if self.staircase:
            passed = m.floor(passed)
        return self.initial_learning_rate * m.pow(_float(self.decay_rate), passed)

    def get_config(self) -> Config:
        return _settings(self, "initial_learning_rate decay_steps decay_rate staircase name")


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate up to a step, another up to the next, and so on.

    Args:
      boundaries: the last steps of all rates but the last, in rising order.
      values: the rates, one more than there are boundaries.
      name: the name.
    Raises:
      ValueError: if there is not one rate more than there are boundaries.

    >>> rates = tf.keras.optimizers.schedules.PiecewiseConstantDecay([100, 200], [1.0, 0.5, 0.1])
    >>> [round(float(rates(step)), 2) for step in (0, 100, 101, 200, 201)]
    [1.0, 1.0, 0.5, 0.5, 0.1]
    """

    def __init__(self, boundaries: Sequence[float], values: Sequence[float], name: str = "PiecewiseConstant") -> None:
        if len(values) != len(boundaries) + 1:
            raise ValueError(
                f"PiecewiseConstantDecay of {len(boundaries)} boundaries and {len(values)} values: there is one value "
                "more than there are boundaries"
            )
        self.boundaries, self.values, self.name = list(boundaries), list(values), name

    def __call__(self, step: TensorLike) -> Tensor:
        rates = constant(self.values, float32)
        if not self.boundaries:
            return rates[0]
        ends = constant(self.boundaries, float32)
        return gather(rates, searchsorted(ends, m.multiply(_float(step), [1.0]))[0])

    def get_config(self) -> Config:
        return _settings(self, "boundaries values name")


class PolynomialDecay(LearningRateSchedule):
    """From one rate to another within so many steps, along a power of what is left of them.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: how many steps there are.
      end_learning_rate: the rate after these.
      power: the power: 1 for a straight line.
      cycle: whether it starts anew after the end, each time with as many steps more, instead of staying there.
      name: the name.

    >>> rates = tf.keras.optimizers.schedules.PolynomialDecay(1.0, 10, 0.0)
    >>> print(rates(5), rates(20))
    tf.Tensor(0.5, shape=(), dtype=float32) tf.Tensor(0.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        name: str = "PolynomialDecay",
    ) -> None:
        self.initial_learning_rate, self.end_learning_rate = initial_learning_rate, end_learning_rate
        self.decay_steps = _positive(decay_steps, self)
        self.power, self.cycle, self.name = power, cycle, name

    def __call__(self, step: TensorLike) -> Tensor:
        now, steps = _float(step), _float(self.decay_steps)
        if self.cycle:
            steps = steps * m.maximum(1.0, m.ceil(now / steps))
        else:
            now = m.minimum(now, steps)
        left = m.pow(1.0 - now / steps, self.power)
        return (self.initial_learning_rate - self.end_learning_rate) * left + self.end_learning_rate

    def get_config(self) -> Config:
        return _settings(self, "initial_learning_rate decay_steps end_learning_rate power cycle name")


class CosineDecay(LearningRateSchedule):
    """Down along half a wave of the cosine, after a rise along a line where one is wanted.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: how many steps it takes to come down.
      alpha: the part of the rate that is left in the end.
      name: the name.
      warmup_target: the rate to rise to first; None for no rise.
      warmup_steps: how many steps it takes to rise.

    >>> rates = tf.keras.optimizers.schedules.CosineDecay(0.0, 10, warmup_target=1.0, warmup_steps=10)
    >>> [round(float(rates(step)), 2) for step in (0, 5, 10, 15, 20)]
    [0.0, 0.5, 1.0, 0.5, 0.0]
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        alpha: float = 0.0,
        name: str = "CosineDecay",
        warmup_target: float | None = None,
        warmup_steps: float = 0,
    ) -> None:
        self.initial_learning_rate, self.decay_steps = initial_learning_rate, _positive(decay_steps, self)
        self.alpha, self.name, self.warmup_target, self.warmup_steps = alpha, name, warmup_target, warmup_steps

    def __call__(self, step: TensorLike) -> Tensor:
        now = _float(step)
        if self.warmup_target is None:
            return self._coming_down(now, self.initial_learning_rate)
        after = self._coming_down(now - self.warmup_steps, self.warmup_target)
        if not self.warmup_steps:
            return after
        rise = (self.warmup_target - self.initial_learning_rate) * (now / self.warmup_steps)
        return m.where(now < self.warmup_steps, rise + self.initial_learning_rate, after)

    def _coming_down(self, now: Tensor, rate: float) -> Tensor:
        part = m.minimum(now, float(self.decay_steps)) / self.decay_steps
        return rate * ((1 - self.alpha) * (0.5 * (1.0 + m.cos(math.pi * part))) + self.alpha)

    def get_config(self) -> Config:
        return _settings(self, "initial_learning_rate decay_steps alpha name warmup_target warmup_steps")


class CosineDecayRestarts(LearningRateSchedule):
    """Down along half a wave of the cosine, again and again.

    Args:
      initial_learning_rate: the rate of step 0.
      first_decay_steps: how many steps it takes to come down for the first time.
      t_mul: how many times as many steps it takes each time.
      m_mul: how many times as high it starts each time.
      alpha: the part of the rate that is left in the end.
      name: the name.

    >>> rates = tf.keras.optimizers.schedules.CosineDecayRestarts(1.0, 10, t_mul=1.0, m_mul=0.5)
    >>> [round(float(rates(step)), 2) for step in (0, 5, 10, 15, 20)]
    [1.0, 0.5, 0.5, 0.25, 0.25]
    """

    def __init__(
        self,
        initial_learning_rate: float,
        first_decay_steps: float,
        t_mul: float = 2.0,
        m_mul: float = 1.0,
        alpha: float = 0.0,
        name: str = "SGDRDecay",
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.first_decay_steps = _positive(first_decay_steps, self, "first_decay_steps")
        self.t_mul, self.m_mul, self.alpha, self.name = t_mul, m_mul, alpha, name

    def __call__(self, step: TensorLike) -> Tensor:
        part = _float(step) / self.first_decay_steps
        if self.t_mul == 1.0:
            times = m.floor(part)
            part = part - times
        else:
            times = m.floor(m.log(1.0 - part * (1.0 - self.t_mul)) / math.log(self.t_mul))
            longer = m.pow(_float(self.t_mul), times)
            part = (part - (1.0 - longer) / (1.0 - self.t_mul)) / longer
        height = 0.5 * m.pow(_float(self.m_mul), times) * (1.0 + m.cos(math.pi * part))
        return self.initial_learning_rate * ((1 - self.alpha) * height + self.alpha)

    def get_config(self) -> Config:
        return _settings(self, "initial_learning_rate first_decay_steps t_mul m_mul alpha name")


class InverseTimeDecay(LearningRateSchedule):
    """``initial_learning_rate / (1 + decay_rate * step / decay_steps)``.

    Args:
      initial_learning_rate: the rate of step 0.
      decay_steps: the unit in which steps are counted.
      decay_rate: how fast it comes down.
      staircase: whether it comes down at once after so many steps, rather than a little at each.
      name: the name.

    >>> print(tf.keras.optimizers.schedules.InverseTimeDecay(1.0, 10, 1.0)(30))
    tf.Tensor(0.25, shape=(), dtype=float32)
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
        name: str = "InverseTimeDecay",
    ) -> None:
        self.initial_learning_rate, self.decay_rate = initial_learning_rate, decay_rate
        self.decay_steps, self.staircase, self.name = _positive(decay_steps, self), staircase, name

    def __call__(self, step: TensorLike) -> Tensor:
        passed = _float(step) / self.decay_steps
        if self.staircase:
            passed = m.floor(passed)
        return self.initial_learning_rate / (1.0 + self.decay_rate * passed)

    def get_config(self) -> Config:
        return _settings(self, "initial_learning_rate decay_steps decay_rate staircase name")


def _float(value: TensorLike) -> Tensor:
    return cast(convert_to_tensor(value), float32)


def _positive(steps: float, schedule: LearningRateSchedule, parameter: str = "decay_steps") -> float:
    if not steps > 0:
        raise ValueError(f"{type(schedule).__name__} with {parameter}={steps!r}: it is a positive number")
    return steps


def _settings(schedule: LearningRateSchedule, names: str) -> Config:
    return {name: getattr(schedule, name) for name in names.split()}


_CATALOGUE = Catalogue(
    "learning rate schedule",
    "keras.optimizers.schedules",
    {cls.__name__: cls for cls in (CosineDecay, CosineDecayRestarts, ExponentialDecay, InverseTimeDecay,
                                   PiecewiseConstantDecay, PolynomialDecay)},
)  # fmt: skip


def serialize(learning_rate_schedule: LearningRateSchedule) -> object:
    """The configuration of a schedule, as a dictionary.

    Args:
      learning_rate_schedule: the schedule.
    Returns: a dictionary with ``class_name``, ``config``, ``module`` and ``registered_name``.

    >>> schedules = tf.keras.optimizers.schedules
    >>> schedules.serialize(schedules.InverseTimeDecay(1.0, 10, 0.5))["class_name"]
    'InverseTimeDecay'
    """
    return _CATALOGUE.serialize(learning_rate_schedule)


def deserialize(config: object, custom_objects: Objects = None) -> LearningRateSchedule:
    """The schedule that a configuration describes.

    Args:
      config: what `serialize` gives.
      custom_objects: classes of one's own by their names.
    Returns: the schedule.
    Raises:
      ValueError: if there is no such class.

    >>> schedules = tf.keras.optimizers.schedules
    >>> config = schedules.serialize(schedules.InverseTimeDecay(1.0, 10, 1.0))
    >>> print(schedules.deserialize(config)(10))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """
    found = _CATALOGUE.deserialize(config, custom_objects)
    if not isinstance(found, LearningRateSchedule):
        raise ValueError(f"{config!r} describes no learning rate schedule")
    return found
