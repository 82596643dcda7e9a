"""What all optimizers have: gradients prepared, slots made on the first call, steps counted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias, TypedDict, TypeVar

import numpy as np

from autograph.operators.calls import call
from runtime.control import cond
from runtime.gradients.tape import GradientTape
from runtime.graph.callers import warn
from runtime.graph.dtypes import DTypeLike, float32, int64
from runtime.keras.identifiers import Config, in_words, nearest
from runtime.keras.optimizers import schedules
from runtime.keras.optimizers.schedules import LearningRateSchedule
from runtime.keras.settings import unique_name
from runtime.keras.weights import Placed
from runtime.tensors import mathematics as m, tracking
from runtime.tensors.clipping import clip_by_global_norm, clip_by_norm
from runtime.tensors.conversion import cast, constant, convert_to_tensor
from runtime.tensors.indexed_slices import IndexedSlices, of_each
from runtime.tensors.making import fill, zeros
from runtime.tensors.reductions import reduce_sum
from runtime.tensors.scopes import init_scope
from runtime.tensors.shaping import shape as shape_of
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Gradient: TypeAlias = "TensorLike | IndexedSlices | None"
Rate: TypeAlias = "float | Variable | LearningRateSchedule | Callable[[], TensorLike]"
Initial: TypeAlias = "float | str | Callable[..., TensorLike]"
Pair: TypeAlias = "tuple[Tensor | IndexedSlices, Variable]"
Self = TypeVar("Self", bound="Optimizer")


def squared(gradient: Tensor | IndexedSlices) -> Tensor:
    """The squares of a gradient: of rows that were looked up several times, the sum of their squares, as Keras 3 has it
    with TensorFlow, and not the square of their sum."""
    return convert_to_tensor(of_each(m.square, gradient))


class ButDecay(TypedDict, total=False):
    """The options that all optimizers take by keyword, `weight_decay` aside."""

    clipnorm: float | None
    clipvalue: float | None
    global_clipnorm: float | None
    use_ema: bool
    ema_momentum: float
    ema_overwrite_frequency: int | None
    loss_scale_factor: float | None
    gradient_accumulation_steps: int | None
    name: str | None


class Options(ButDecay, total=False):
    """The options that optimizers take by keyword."""

    weight_decay: float | None


class Optimizer:
    """A base for ways to change Variables by gradients, step by step.

    A class of one's own defines `update_step`; what it keeps for each Variable it makes in `build`. In a `function`
    the steps become part of the graph, and what is kept is made while it is traced for the first time.

    Args:
      learning_rate: how far a step goes: a number, a schedule, a Variable, or a function without parameters.
      weight_decay: the part of a Variable, times the learning rate, that is taken away at each step before it.
      clipnorm: the greatest norm of the gradient of a Variable; longer ones are shortened.
      clipvalue: the greatest absolute value of an element of a gradient.
      global_clipnorm: the greatest norm of all gradients together. One of these three may be given.
      use_ema: whether a moving average of each Variable is kept.
      ema_momentum: the part of the average that stays at each step.
      ema_overwrite_frequency: after how many steps, again and again, the Variables are set to their averages; None for
        never, unless `finalize_variable_values` is called.
      loss_scale_factor: what `scale_loss` multiplies by, and gradients are divided by.
      gradient_accumulation_steps: of how many calls, 2 or more, the mean of the gradients makes one step.
      name: the name; by default that of the class in lower case.
    Raises:
      TypeError: for an option that there is not, and a learning rate that is none.
      ValueError: for numbers out of their range, and more than one way to clip.

    >>> class Signs(tf.keras.optimizers.Optimizer):
    ...     def update_step(self, gradient, variable, learning_rate):
    ...         variable.assign_sub(learning_rate * tf.sign(gradient))
    >>> w = tf.Variable([1.0, 2.0])
    >>> steps = Signs(learning_rate=0.5).apply_gradients([(tf.constant([3.0, -0.1]), w)])
    >>> print(w.numpy(), steps.numpy())
    [0.5 2.5] 1
    """

    def __init__(
        self,
        learning_rate: Rate,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        use_ema: bool = False,
        ema_momentum: float = 0.99,
        ema_overwrite_frequency: int | None = None,
        loss_scale_factor: float | None = None,
        gradient_accumulation_steps: int | None = None,
        name: str | None = None,
        **unknown: object,
    ) -> None:
        if unknown.pop("decay", None) is not None:
            warn(f"{type(self).__name__} with decay=...: it is ignored, as in Keras 3. Give learning_rate a schedule.")
        for option in unknown:
            known = ["learning_rate", *Options.__annotations__, *self._settings]
            meant = " Did you mean 'learning_rate'?" if option == "lr" else nearest(option, known)
            raise ValueError(f"Argument not recognized by {type(self).__name__}: {option!r}.{meant}")
        clips = {"clipnorm": clipnorm, "clipvalue": clipvalue, "global_clipnorm": global_clipnorm}
        given = [f"{option}={value!r}" for option, value in clips.items() if value is not None]
        if len(given) > 1:
            raise ValueError(f"Only one of clipnorm, clipvalue and global_clipnorm can be set, not {', '.join(given)}")
        for option, value in clips.items():
            if value is not None and not value > 0:
                raise ValueError(f"{option}={value!r}: it is a positive number, or None")
        if not 0 <= ema_momentum <= 1:
            raise ValueError(f"ema_momentum={ema_momentum!r}: it is a number from 0 to 1")
        _check_count("ema_overwrite_frequency", ema_overwrite_frequency, 1)
        _check_count("gradient_accumulation_steps", gradient_accumulation_steps, 2)
        self.name = unique_name(in_words(type(self).__name__)) if name is None else name
        self.weight_decay, self.use_ema, self.ema_momentum = weight_decay, use_ema, ema_momentum
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.ema_overwrite_frequency = ema_overwrite_frequency
        self.loss_scale_factor, self.gradient_accumulation_steps = loss_scale_factor, gradient_accumulation_steps
        self.built = False
        self._variables: list[Variable] = []
        self._slots: dict[str, list[Variable]] = {}
        self._trained: list[Variable] = []
        self._numbers: dict[int, int] = {}  # the place of each Variable in that list, by its identity
        self._spared: tuple[list[Variable], str | None] = ([], None)
        self._iterations = self.add_variable((), dtype=int64, name="iteration")
        self._learning_rate: Rate = self._rate(learning_rate)

    _settings: tuple[str, ...] = ()  # parameters of its own, which are attributes of the same names

    def _kept(self) -> Mapping[str, float]:
        """What is kept for each Variable: its name, and its first value."""
        return {}

    def build(self, variables: Sequence[Variable]) -> None:
        """Make what is kept for each Variable, all zeros or what the method asks for.

        Args:
          variables: the Variables that are to be trained; it can be called for others no more.

        >>> optimizer = tf.keras.optimizers.SGD(momentum=0.9)
        >>> optimizer.build([tf.Variable([1.0, 2.0], name="w")])
        >>> [v.path for v in optimizer.variables]
        ['sgd/iteration', 'sgd/learning_rate', 'sgd/w_momentum']
        """
        if self.built:
            return
        self._trained = list(variables)
        self._numbers = {id(variable): number for number, variable in enumerate(self._trained)}
        kept: dict[str, float] = {"average": 0.0} if self.use_ema else {}
        kept |= {"gradient_accumulator": 0.0} if self.gradient_accumulation_steps else {}
        kept |= self._kept()
        lists = self.add_optimizer_variables(self._trained, list(kept), list(kept.values()))
        self._slots = dict(zip(kept, lists))
        self.built = True

    def update_step(self, gradient: Tensor | IndexedSlices, variable: Variable, learning_rate: Tensor) -> None:
        """Change one Variable. A class of one's own defines this.

        Args:
          gradient: the gradient, of the shape of the Variable: a tensor, or IndexedSlices where rows of the Variable
            are looked up, as an Embedding layer does. These stand for a tensor where one is taken.
          variable: the Variable.
          learning_rate: the learning rate of the step, a scalar.
        """
        raise NotImplementedError(
            f"{type(self).__name__} does not define update_step(gradient, variable, learning_rate)"
        )

    # Variables that belong to the optimizer.

    def add_variable(
        self,
        shape: Sequence[int | None],
        initializer: Initial = "zeros",
        dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Make a Variable that belongs to the optimizer.

        Args:
          shape: its shape.
          initializer: its first value: a number, ``"zeros"``, ``"ones"``, or a function of shape and dtype.
          dtype: its dtype, float32 by default.
          name: the end of its name.
        Returns: the Variable, which training does not change by itself.

        >>> tf.keras.optimizers.SGD().add_variable([2], "ones", name="scale")
        <Variable path=sgd/scale, shape=(2,), dtype=float32, value=[1. 1.]>
        """
        size = [0 if n is None else n for n in shape]
        with init_scope():  # a function may be traced: what is kept is there before it, and after
            value = _first(initializer, size, float32 if dtype is None else dtype)
            made = Placed(value, trainable=False, name=f"{self.name}/{name or 'variable'}", shape=tuple(shape))
        self._variables.append(made)
        if tracking.waiting:
            tracking.has_more(self)
        return made

    def _held_for_checkpoints(self) -> Iterator[tuple[str, object]]:
        """What is saved with the optimizer, by names."""
        yield "_variables", self._variables

    def add_variable_from_reference(
        self, reference_variable: Variable, name: str | None = None, initializer: Initial = "zeros"
    ) -> Variable:
        """Make a Variable of the shape and dtype of another.

        Args:
          reference_variable: the other one.
          name: what its name adds to that of the other.
          initializer: its first value, as for `add_variable`.
        Returns: the Variable, which training does not change by itself.

        >>> w = tf.Variable([1.0, 2.0], name="w")
        >>> tf.keras.optimizers.SGD().add_variable_from_reference(w, "mean")
        <Variable path=sgd/w_mean, shape=(2,), dtype=float32, value=[0. 0.]>
        """
        stem = reference_variable.hint.replace("/", "_")
        dims = reference_variable.array.shape
        return self.add_variable(dims, initializer, reference_variable.dtype, f"{stem}_{name or 'var'}")

    def add_optimizer_variables(
        self,
        trainable_variables: Sequence[Variable],
        name: Sequence[str],
        initializer: Initial | Sequence[Initial] = "zeros",
    ) -> tuple[list[Variable], ...]:
        """Make Variables of the shapes and dtypes of others.

        Args:
          trainable_variables: the others.
          name: what names add to those of the others, a list of them.
          initializer: the first value, as for `add_variable`, or a list with one for each name.
        Returns: a list of Variables for each name.
        Raises:
          ValueError: if there are not as many names as first values.

        >>> w = tf.Variable([1.0, 2.0], name="w")
        >>> (means,) = tf.keras.optimizers.SGD().add_optimizer_variables([w], ["mean"])
        >>> means[0].path
        'sgd/w_mean'
        """
        several = isinstance(initializer, Sequence) and not isinstance(initializer, str)
        first: list[Initial] = list(initializer) if several else [initializer] * len(name)  # type: ignore[arg-type, list-item]
        if len(first) != len(name):
            raise ValueError(
                f"{len(name)} names, {list(name)}, and {len(first)} first values: there is one for each name"
            )
        made: tuple[list[Variable], ...] = tuple([] for _ in name)
        for variable in trainable_variables:
            for one, ending, value in zip(made, name, first):
                one.append(self.add_variable_from_reference(variable, ending, value))
        return made

    def _slot(self, name: str, variable: Variable) -> Variable:
        """What is kept under a name for a Variable."""
        return self._slots[name][self._get_variable_index(variable)]

    def _get_variable_index(self, variable: Variable) -> int:
        return self._numbers[id(variable)]

    def assign(self, variable: Variable, value: TensorLike) -> None:
        """Set a Variable, in its dtype.

        Args:
          variable: the Variable.
          value: the value, of its shape.

        >>> v = tf.Variable([1.0])
        >>> tf.keras.optimizers.SGD().assign(v, [2.0])
        >>> print(v.numpy())
        [2.]
        """
        variable.assign(cast(convert_to_tensor(value), variable.dtype))

    def assign_add(self, variable: Variable, value: TensorLike) -> None:
        """Add to a Variable, in its dtype.

        Args:
          variable: the Variable.
          value: what to add, of its shape.

        >>> v = tf.Variable([1.0])
        >>> tf.keras.optimizers.SGD().assign_add(v, [2.0])
        >>> print(v.numpy())
        [3.]
        """
        variable.assign_add(cast(convert_to_tensor(value), variable.dtype))

    def assign_sub(self, variable: Variable, value: TensorLike) -> None:
        """Subtract from a Variable, in its dtype.

        Args:
          variable: the Variable.
          value: what to subtract, of its shape.

        >>> v = tf.Variable([1.0])
        >>> tf.keras.optimizers.SGD().assign_sub(v, [2.0])
        >>> print(v.numpy())
        [-1.]
        """
        variable.assign_sub(cast(convert_to_tensor(value), variable.dtype))

    @property
    def variables(self) -> list[Variable]:
        """All Variables of the optimizer: how many steps there were, the learning rate, and what is kept.

        >>> [v.path for v in tf.keras.optimizers.Adam().variables]
        ['adam/iteration', 'adam/learning_rate']
        """
        return list(self._variables)

    @property
    def iterations(self) -> Variable | Tensor:
        """How many steps there were, an int64.

        >>> tf.keras.optimizers.Adam().iterations.numpy()
        np.int64(0)
        """
        if self.gradient_accumulation_steps:
            return m.floordiv(self._iterations, self.gradient_accumulation_steps)
        return self._iterations

    @property
    def learning_rate(self) -> Variable | Tensor:
        """How far the next step goes, a scalar; a number, a schedule or a function can be set.

        >>> optimizer = tf.keras.optimizers.SGD(0.5)
        >>> optimizer.learning_rate = 0.25
        >>> print(float(optimizer.learning_rate))
        0.25
        """
        rate = self._learning_rate
        if isinstance(rate, Variable):
            return rate
        if isinstance(rate, LearningRateSchedule):
            return convert_to_tensor(call(rate, self._iterations))
        return convert_to_tensor(call(rate))  # type: ignore[arg-type]  # no number: `_rate` has made a Variable of it

    @learning_rate.setter
    def learning_rate(self, learning_rate: Rate) -> None:
        before = self._learning_rate
        if isinstance(learning_rate, Variable) or callable(learning_rate):
            self._learning_rate = learning_rate
            self._variables = [v for v in self._variables if v is not before]
        elif isinstance(before, LearningRateSchedule):
            raise TypeError(
                f"the learning rate of '{self.name}' is the schedule {type(before).__name__}, and cannot be set to a "
                "number. Make the optimizer with a number to be able to set it, or set another schedule."
            )
        elif isinstance(before, Variable):
            before.assign(cast(convert_to_tensor(learning_rate), before.dtype))
        else:
            self._learning_rate = self._rate(learning_rate)

    def _rate(self, given: object) -> Rate:
        if isinstance(given, Mapping):
            return schedules.deserialize(given)
        if isinstance(given, Variable | LearningRateSchedule) or callable(given):
            return given
        if isinstance(given, bool) or not isinstance(given, int | float | np.number | np.ndarray | Tensor):
            raise TypeError(
                f"{type(self).__name__} with learning_rate={given!r}: it is a number, a LearningRateSchedule, a "
                "Variable or a function without parameters"
            )
        return self.add_variable((), float(given), name="learning_rate")

    # Steps.

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Gradient, Variable]]) -> Variable:
        """Make a step.

        Args:
          grads_and_vars: pairs of a gradient, of the shape of a Variable, and the Variable. None for a gradient
            leaves the Variable alone, with a warning.
        Returns: how many steps there were, the Variable that counts them.
        Raises:
          ValueError: if there is no gradient, or one has another shape, or a Variable was not among those of the first
            step.

        >>> w = tf.Variable(3.0)
        >>> optimizer = tf.keras.optimizers.SGD(learning_rate=0.5)
        >>> with tf.GradientTape() as tape:
        ...     loss = w ** 2
        >>> print(optimizer.apply_gradients([(tape.gradient(loss, w), w)]).numpy(), w.numpy())
        1 0.0
        """
        pairs = list(grads_and_vars)
        wrong = [one for one in pairs if not isinstance(one, tuple | list) or len(one) != 2]
        if wrong:
            raise TypeError(
                f"apply_gradients of '{self.name}' takes pairs of a gradient and a Variable, as zip(gradients, "
                f"variables) makes them, not {wrong[0]!r}"
            )
        self.apply([gradient for gradient, _ in pairs], [variable for _, variable in pairs])
        return self._iterations

    def apply(self, grads: Sequence[Gradient], trainable_variables: Sequence[Variable] | None = None) -> None:
        """Make a step.

        Args:
          grads: the gradients.
          trainable_variables: the Variables, in the same order; those of `build` by default.
        Raises:
          ValueError: as for `apply_gradients`, and if there are not as many gradients as Variables.

        >>> w = tf.Variable([1.0, 2.0])
        >>> tf.keras.optimizers.SGD(learning_rate=0.5).apply([tf.constant([2.0, 4.0])], [w])
        >>> print(w.numpy())
        [0. 0.]
        """
        gradients = list(grads)
        if not gradients:
            return
        variables = self._trained if trainable_variables is None else list(trainable_variables)
        if trainable_variables is None and not self.built:
            raise ValueError(
                f"'{self.name}' is given gradients without Variables before it knows any: call "
                "optimizer.build(variables) first, or optimizer.apply(gradients, variables)"
            )
        if len(gradients) != len(variables):
            raise ValueError(f"{len(gradients)} gradients for {len(variables)} Variables: there is one for each")
        self._check(variables)
        pairs = self._present(gradients, variables)
        if self.loss_scale_factor is not None:
            scale = self.loss_scale_factor
            pairs = [(of_each(lambda x: x / scale, gradient), variable) for gradient, variable in pairs]
        if self.gradient_accumulation_steps:
            self._accumulate(pairs, self.gradient_accumulation_steps)
        else:
            self._step(pairs)
        if self.use_ema:
            self._average()
        for _, variable in pairs:
            constraint = vars(variable).get("constraint")
            if constraint is not None:
                self.assign(variable, call(constraint, variable))
        self._iterations.assign_add(1)

    def _check(self, variables: Sequence[Variable]) -> None:
        for variable in variables:
            if not isinstance(variable, Variable):
                raise TypeError(f"'{self.name}' trains Variables, not {variable!r}")
            variable._identify()
        if not self.built:
            self.build(variables)
        for variable in variables:
            if id(variable) not in self._numbers:
                raise ValueError(
                    f"Unknown variable: '{variable.hint}' was not among those of the first step of '{self.name}', and "
                    "nothing is kept for it. Use another optimizer for other Variables, or build it with all of them: "
                    "optimizer.build(variables)."
                )

    def _present(self, gradients: Sequence[Gradient], variables: Sequence[Variable]) -> list[Pair]:
        """The gradients that there are, of the shape and dtype of their Variables."""
        found = [(g, v) for g, v in zip(gradients, variables) if g is not None]
        if not found:
            names = ", ".join(f"'{v.hint}'" for v in variables)
            raise ValueError(
                f"No gradients provided for any variable: all of those for {names} are None. The loss depends on none "
                "of them, or it was computed outside of the tape."
            )
        if missing := [f"'{v.hint}'" for g, v in zip(gradients, variables) if g is None]:
            warn(
                f"Gradients do not exist for variables {', '.join(missing)}: the loss does not depend on them, and "
                "they stay as they are."
            )
        return [(self._fitting(gradient, variable), variable) for gradient, variable in found]

    def _fitting(self, gradient: TensorLike | IndexedSlices, variable: Variable) -> Tensor | IndexedSlices:
        if isinstance(gradient, IndexedSlices):
            return IndexedSlices(cast(gradient.values, variable.dtype), gradient.indices, shape_of(variable))
        x = cast(convert_to_tensor(gradient), variable.dtype)
        if not x.shape.is_compatible_with(variable.shape):
            raise ValueError(
                f"the gradient for '{variable.hint}' has shape {x.shape}, and the Variable {variable.shape}: they are "
                "the same"
            )
        return x

    def _step(self, pairs: Sequence[Pair]) -> None:
        clipped = self._clipped(pairs)
        rate = self.learning_rate
        if self.weight_decay is not None:
            for variable in (v for _, v in pairs if self._decays(v)):
                variable.assign_sub(variable * self.weight_decay * cast(rate, variable.dtype))
        self._update(clipped, convert_to_tensor(rate))

    def _update(self, pairs: Sequence[Pair], rate: Tensor) -> None:
        for gradient, variable in pairs:
            call(self.update_step, gradient, variable, cast(rate, variable.dtype))

    def _clipped(self, pairs: Sequence[Pair]) -> list[Pair]:
        gradients, variables = [g for g, _ in pairs], [v for _, v in pairs]
        if (norm := self.clipnorm) is not None:
            gradients = [of_each(lambda x: clip_by_norm(x, norm), g) for g in gradients]
        if (most := self.clipvalue) is not None:
            gradients = [of_each(lambda x: m.clipped(x, -most, most), g) for g in gradients]
        if self.global_clipnorm is not None:
            total = m.add_n([reduce_sum(squared(g)) for g in gradients])
            whole = [convert_to_tensor(g) for g in gradients]
            clipped, _ = clip_by_global_norm(whole, self.global_clipnorm, m.sqrt(total))
            gradients = [convert_to_tensor(g) for g in clipped if g is not None]
        return list(zip(gradients, variables))

    def _accumulate(self, pairs: Sequence[Pair], count: int) -> None:
        sums = [self._slot("gradient_accumulator", variable) for _, variable in pairs]

        def step() -> None:
            means = [(gradient + total) / count for (gradient, _), total in zip(pairs, sums)]
            self._step([(mean, variable) for mean, (_, variable) in zip(means, pairs)])
            for total in sums:
                total.assign(zeros(total.shape, total.dtype))

        def wait() -> None:
            for (gradient, _), total in zip(pairs, sums):
                total.assign_add(gradient)

        cond(m.equal(m.mod(self._iterations + 1, count), 0), step, wait)

    def _average(self) -> None:
        """Bring moving averages up to date, and Variables to these where it is time."""
        averages = self._slots["average"]
        is_first = m.equal(self.iterations, 0)
        for variable, average in zip(self._trained, averages):
            part = m.where(is_first, zeros((), variable.dtype), constant(self.ema_momentum, variable.dtype))
            average.assign(part * average + (1 - part) * variable)
        if self.ema_overwrite_frequency:
            is_time = m.equal(m.mod(self.iterations + 1, self.ema_overwrite_frequency), 0)
            cond(is_time, lambda: self._overwrite(), lambda: None)

    def _overwrite(self) -> None:
        for variable, average in zip(self._trained, self._slots["average"]):
            variable.assign(average)

    def finalize_variable_values(self, var_list: Sequence[Variable]) -> None:
        """Set Variables to their moving averages, with `use_ema`; leave them without.

        Args:
          var_list: the Variables.
        Raises:
          ValueError: if there is no average of one of them.

        >>> w = tf.Variable(1.0)
        >>> optimizer = tf.keras.optimizers.SGD(1.0, use_ema=True, ema_momentum=0.5)
        >>> for _ in range(2):
        ...     steps = optimizer.apply_gradients([(tf.constant(1.0), w)])
        >>> optimizer.finalize_variable_values([w])
        >>> print(w.numpy())
        -0.5
        """
        if not self.use_ema:
            return
        self._check(var_list)
        for variable in var_list:
            variable.assign(self._slot("average", variable))

    def _swap_averages(self) -> None:
        """Set Variables to their moving averages, and these to what the Variables were."""
        for variable, average in zip(self._trained, self._slots.get("average", [])):
            before = variable.read_value()
            variable.assign(average)
            average.assign(before)

    def _keep_averages(self) -> None:
        """Set moving averages to what the Variables are, which they were swapped with."""
        for variable, average in zip(self._trained, self._slots.get("average", [])):
            average.assign(variable)

    def minimize(
        self,
        loss: TensorLike | Callable[[], TensorLike],
        var_list: Sequence[Variable] | Callable[[], Sequence[Variable]],
        tape: GradientTape | None = None,
    ) -> Variable:
        """Make a step towards a smaller loss.

        Args:
          loss: a function without parameters that computes it, or a tensor that `tape` has recorded.
          var_list: the Variables that may be changed, or a function that gives them.
          tape: the tape, for a loss that is a tensor.
        Returns: how many steps there were, the Variable that counts them.
        Raises:
          ValueError: if the loss is a tensor and there is no tape, and as for `apply_gradients`.

        >>> w = tf.Variable(3.0)
        >>> steps = tf.keras.optimizers.SGD(learning_rate=0.5).minimize(lambda: w ** 2, [w])
        >>> print(w.numpy())
        0.0
        """
        return self.apply_gradients(self.compute_gradients(loss, var_list, tape))

    def compute_gradients(
        self,
        loss: TensorLike | Callable[[], TensorLike],
        var_list: Sequence[Variable] | Callable[[], Sequence[Variable]],
        tape: GradientTape | None = None,
    ) -> list[tuple[Gradient, Variable]]:
        """The gradients of a loss, for `apply_gradients`.

        Args:
          loss, var_list, tape: as for `minimize`.
        Returns: pairs of a gradient, None where the loss does not depend on it, and its Variable.
        Raises:
          ValueError: if the loss is a tensor and there is no tape.

        >>> w = tf.Variable(3.0)
        >>> ((gradient, _),) = tf.keras.optimizers.SGD().compute_gradients(lambda: w ** 2, [w])
        >>> print(gradient.numpy())
        6.0
        """
        if not callable(loss) and tape is None:
            raise ValueError("`tape` is required when `loss` is a tensor: it has recorded how the loss was computed")
        value: object = loss
        recorder = GradientTape() if tape is None else tape
        if callable(loss):
            with recorder:
                value = call(loss)
        variables: list[Variable] = list(call(var_list) if callable(var_list) else var_list)
        return list(zip(recorder.gradient(value, variables), variables))

    def scale_loss(self, loss: TensorLike) -> Tensor:
        """The loss times `loss_scale_factor`, if there is one.

        Args:
          loss: the loss, a tensor of any shape.
        Returns: a tensor of its shape and dtype.

        >>> print(tf.keras.optimizers.SGD(loss_scale_factor=8.0).scale_loss(0.5))
        tf.Tensor(4.0, shape=(), dtype=float32)
        """
        value = convert_to_tensor(loss)
        return value if self.loss_scale_factor is None else value * self.loss_scale_factor

    def exclude_from_weight_decay(
        self, var_list: Sequence[Variable] | None = None, var_names: Sequence[str] | None = None
    ) -> None:
        """Have Variables decay no more, before the first step.

        Args:
          var_list: such Variables.
          var_names: regular expressions, one of which is found in the name of such a Variable.
        Raises:
          ValueError: after the first step.

        >>> w, bias = tf.Variable(1.0, name="w"), tf.Variable(1.0, name="bias")
        >>> optimizer = tf.keras.optimizers.SGD(0.5, weight_decay=0.5)
        >>> optimizer.exclude_from_weight_decay(var_names=["bias"])
        >>> steps = optimizer.apply_gradients([(tf.constant(0.0), w), (tf.constant(0.0), bias)])
        >>> print(w.numpy(), bias.numpy())
        0.75 1.0
        """
        if self.built:
            raise ValueError(f"exclude_from_weight_decay of '{self.name}' after its first step: call it before")
        self._spared = list(var_list or ()), "|".join(var_names) if var_names else None

    def _decays(self, variable: Variable) -> bool:
        spared, pattern = self._spared
        named = pattern is not None and re.search(pattern, variable.hint) is not None
        return not named and not any(one is variable for one in spared)

    # Saving.

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters, and the learning rate that it has now.

        >>> tf.keras.optimizers.SGD(momentum=0.5).get_config()["momentum"]
        0.5
        """
        rate = self._learning_rate
        shown: object = float(rate) if isinstance(rate, Variable) else rate
        if isinstance(rate, LearningRateSchedule):
            shown = schedules.serialize(rate)
        common = [option for option in Options.__annotations__ if option != "name"]
        names = [*common, *(n for n in self._settings if n not in common)]
        return {"name": self.name, "learning_rate": shown, **{name: getattr(self, name) for name in names}}

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an optimizer of this class, of no steps yet.

        >>> config = tf.keras.optimizers.SGD(momentum=0.5).get_config()
        >>> tf.keras.optimizers.SGD.from_config(config).momentum
        0.5
        """
        made: Callable[..., Self] = cls
        return made(**config)

    def set_weights(self, weights: Sequence[TensorLike]) -> None:
        """Set all Variables of the optimizer.

        Args:
          weights: their values, in the order of `variables`.
        Raises:
          ValueError: if there are not as many, or one has another shape.

        >>> optimizer = tf.keras.optimizers.SGD(0.5)
        >>> optimizer.set_weights([7, 0.25])
        >>> print(optimizer.iterations.numpy(), optimizer.learning_rate.numpy())
        7 0.25
        """
        if len(weights) != len(self._variables):
            more = "" if self.built else "; call optimizer.build(variables) first, which makes what is kept for these"
            raise ValueError(f"{len(weights)} values for the {len(self._variables)} Variables of '{self.name}'{more}")
        for variable, value in zip(self._variables, weights):
            variable.assign(cast(convert_to_tensor(value), variable.dtype))

    def save_own_variables(self, store: dict[str, object]) -> None:
        """Write the values of all Variables of the optimizer.

        Args:
          store: a dictionary, whose keys become ``"0"``, ``"1"``, …

        >>> store = {}
        >>> tf.keras.optimizers.SGD(0.5).save_own_variables(store)
        >>> store
        {'0': np.int64(0), '1': np.float32(0.5)}
        """
        for number, variable in enumerate(self._variables):
            store[str(number)] = variable.numpy()

    def load_own_variables(self, store: Mapping[str, TensorLike]) -> None:
        """Set all Variables of the optimizer to values that were written.

        Args:
          store: what `save_own_variables` has written.
        Raises:
          ValueError: as for `set_weights`.

        >>> optimizer = tf.keras.optimizers.SGD(0.5)
        >>> optimizer.load_own_variables({"0": 7, "1": 0.25})
        >>> print(optimizer.iterations.numpy())
        7
        """
        self.set_weights([store[key] for key in sorted(store, key=int)])

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def _check_count(option: str, value: object, least: int) -> None:
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < least):
        raise ValueError(f"{option}={value!r}: it is a whole number, {least} or more, or None")


def _first(initializer: Initial, shape: Sequence[int], dtype: DTypeLike) -> Tensor:
    if callable(initializer):
        return cast(convert_to_tensor(call(initializer, shape, dtype)), dtype)
    numbers = {"zeros": 0.0, "ones": 1.0}
    if isinstance(initializer, str) and initializer not in numbers:
        raise ValueError(
            f"initializer={initializer!r}: it is 'zeros', 'ones', a number, or a function of shape and dtype"
        )
    number = numbers[initializer] if isinstance(initializer, str) else initializer
    return cast(fill(shape, number), dtype)
