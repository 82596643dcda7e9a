"""`ExponentialMovingAverage`: averages of Variables in which what was there long ago counts little."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.scopes import init_scope
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable


class ExponentialMovingAverage:
    """Averages of Variables, which follow them slowly: ``average = decay * average + (1 - decay) * value``.

    Args:
      decay: how much the average keeps at each step, a number near 1.
      num_updates: how many steps there have been, a number or a Variable: at first averages follow faster then, with
        ``(1 + num_updates) / (10 + num_updates)`` if that is less.
      zero_debias: accepted: averages of Variables begin with their values.
      name: the end of the names of the averages.

    >>> v = tf.Variable(1.0, name="v")
    >>> ema = tf.train.ExponentialMovingAverage(decay=0.9)
    >>> ema.apply([v])
    >>> v = v.assign(2.0)
    >>> ema.apply([v])
    >>> print(ema.average(v).numpy().round(3), ema.average(v).name)
    1.1 v/ExponentialMovingAverage:0
    """

    def __init__(
        self,
        decay: TensorLike,
        num_updates: TensorLike | None = None,
        zero_debias: bool = False,
        name: str = "ExponentialMovingAverage",
    ) -> None:
        self._decay, self._num_updates, self._name = decay, num_updates, name
        self._averages: dict[int, tuple[Variable, Variable]] = {}  # each Variable and its average, by identity

    @property
    def name(self) -> str:
        """The end of the names of the averages.

        >>> tf.train.ExponentialMovingAverage(0.9, name="ema").name
        'ema'
        """
        return self._name

    def apply(self, var_list: Sequence[Variable]) -> None:
        """Go one step: each average follows its Variable, and begins with its value.

        Args:
          var_list: Variables of floats.
        Raises:
          TypeError: for anything else.

        >>> tf.train.ExponentialMovingAverage(0.9).apply([1.0])
        Traceback (most recent call last):
            ...
        TypeError: a moving average is of Variables of floats, not of 1.0
        """
        for variable in var_list:
            if not isinstance(variable, Variable) or not variable.dtype.is_floating:
                raise TypeError(f"a moving average is of Variables of floats, not of {variable!r}")
            if id(variable) not in self._averages:
                with init_scope():  # a function may be traced: the average is there before it, and after
                    made = Variable(variable.read_value(), trainable=False, name=self.average_name(variable))
                self._averages[id(variable)] = variable, made
        for variable in var_list:
            average = self._averages[id(variable)][1]
            average.assign_sub((average - variable) * (1 - cast(self._kept(), variable.dtype)))

    def _kept(self) -> Tensor:
        decay: Tensor = convert_to_tensor(self._decay)
        if self._num_updates is None:
            return decay
        steps = cast(self._num_updates, decay.dtype)
        return m.minimum(decay, (1.0 + steps) / (10.0 + steps))

    def average(self, var: Variable) -> Variable | None:
        """The average of a Variable; None if there is none.

        >>> tf.train.ExponentialMovingAverage(0.9).average(tf.Variable(1.0))
        """
        known = self._averages.get(id(var))
        return None if known is None else known[1]

    def average_name(self, var: Variable) -> str:
        """The name that the average of a Variable has or would have.

        >>> tf.train.ExponentialMovingAverage(0.9).average_name(tf.Variable(1.0, name="v"))
        'v/ExponentialMovingAverage'
        """
        return f"{var.hint}/{self._name}"
