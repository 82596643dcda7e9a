"""Metrics: numbers that follow what happens, batch after batch; sums and means."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from autograph.operators.calls import call
from runtime.graph.dtypes import DType, DTypeLike, as_dtype
from runtime.keras import initializers
from runtime.keras.identifiers import Config
from runtime.keras.losses.classes import in_words
from runtime.keras.losses.reduction import mask_of, of_same_rank
from runtime.keras.settings import floatx, unique_name
from runtime.keras.weights import Placed
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.making import zeros
from runtime.tensors.reductions import reduce_mean, reduce_sum
from runtime.tensors.scopes import init_scope
from runtime.tensors.shaping import broadcast_to, shape as shape_of
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike
from runtime.tensors.variables import Variable

Self = TypeVar("Self", bound="Metric")


class Metric:
    """A base for metrics.

    A class of one's own makes Variables with `add_variable`, changes them in `update_state`, and computes what the
    metric is of them in `result`. In a `function` both become part of the graph.

    Args:
      dtype: the dtype of the Variables; that of new weights by default.
      name: the name; by default that of the class in lower case, its words joined by underscores, and a number where
        another metric has it.

    >>> class Largest(tf.keras.metrics.Metric):
    ...     def __init__(self):
    ...         super().__init__(name="largest")
    ...         self.found = self.add_variable((), "zeros", name="found")
    ...     def update_state(self, values, sample_weight=None):
    ...         self.found.assign(tf.maximum(self.found, tf.reduce_max(values)))
    ...     def result(self):
    ...         return self.found.read_value()
    >>> largest = Largest()
    >>> print(largest([1.0, 5.0]), largest([3.0]))
    tf.Tensor(5.0, shape=(), dtype=float32) tf.Tensor(5.0, shape=(), dtype=float32)
    """

    _direction: str | None = None  # "up" where more is better, "down" where less is
    _options: tuple[str, ...] = ()  # parameters of its own, which are attributes of the same names

    def __init__(self, dtype: DTypeLike | None = None, name: str | None = None) -> None:
        self.name = unique_name(in_words(type(self).__name__)) if name is None else name
        self._dtype = as_dtype(floatx() if dtype is None else dtype)
        self._variables: list[Variable] = []

    @property
    def dtype(self) -> DType:
        """The dtype of the Variables.

        >>> tf.keras.metrics.Mean().dtype
        tf.float32
        """
        return self._dtype

    @property
    def variables(self) -> list[Variable]:
        """The Variables of the metric, and of the metrics in it.

        >>> [v.path for v in tf.keras.metrics.Mean(name="loss").variables]
        ['loss/total', 'loss/count']
        """
        return [*self._variables, *(v for inner in self._inner() for v in inner.variables)]

    def _inner(self) -> Iterator[Metric]:
        for value in vars(self).values():
            parts = value if isinstance(value, list | tuple) else [value]
            yield from (part for part in parts if isinstance(part, Metric))

    def _held_for_checkpoints(self) -> Iterator[tuple[str, object]]:
        yield "_variables", self._variables
        yield from ((str(number), inner) for number, inner in enumerate(self._inner()))

    def add_variable(
        self,
        shape: Sequence[int],
        initializer: str | Callable[..., TensorLike] | None = "zeros",
        dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Make a Variable of the metric.

        Args:
          shape: its shape.
          initializer: its first value: the name of an initializer, or one.
          dtype: its dtype; that of the metric by default.
          name: the end of its name.
        Returns: the Variable, which training does not change.

        >>> tf.keras.metrics.Mean(name="loss").add_variable([2], "ones", name="last")
        <Variable path=loss/last, shape=(2,), dtype=float32, value=[1. 1.]>
        """
        make = initializers.get("zeros" if initializer is None else initializer)
        assert make is not None
        kind = self._dtype if dtype is None else as_dtype(dtype)
        with init_scope():  # a function may be traced: what is followed is there before it, and after
            value = cast(convert_to_tensor(call(make, tuple(shape), kind)), kind)
            made = Placed(value, trainable=False, name=f"{self.name}/{name or 'variable'}")
        self._variables.append(made)
        return made

    def add_weight(
        self,
        shape: Sequence[int] = (),
        initializer: str | Callable[..., TensorLike] | None = None,
        dtype: DTypeLike | None = None,
        name: str | None = None,
    ) -> Variable:
        """Make a Variable of the metric, a scalar of zeros by default.

        Args:
          shape, initializer, dtype, name: as for `add_variable`.
        Returns: the Variable, which training does not change.

        >>> tf.keras.metrics.Mean(name="loss").add_weight(name="last").numpy()
        np.float32(0.0)
        """
        return self.add_variable(shape, initializer, dtype, name)

    def update_state(self, *args: object, **kwargs: object) -> None:
        """Take a batch into account. A class of one's own defines this.

        Args:
          args, kwargs: what the metric is of: values, or what was wanted and what was predicted, and `sample_weight`.

        >>> mean = tf.keras.metrics.Mean()
        >>> mean.update_state([1.0, 3.0])
        >>> print(mean.result())
        tf.Tensor(2.0, shape=(), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define update_state(self, ...)")

    def result(self) -> Tensor:
        """The metric of all batches since the last `reset_state`. A class of one's own defines this.

        Returns: a tensor, for most metrics a scalar.

        >>> print(tf.keras.metrics.Sum().result())
        tf.Tensor(0.0, shape=(), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define result(self)")

    def reset_state(self) -> None:
        """Start anew: all Variables become zeros.

        >>> total = tf.keras.metrics.Sum()
        >>> total.update_state([1.0, 3.0])
        >>> total.reset_state()
        >>> print(total.result())
        tf.Tensor(0.0, shape=(), dtype=float32)
        """
        for variable in self.variables:
            variable.assign(zeros(variable.shape, variable.dtype))

    def __call__(self, *args: object, **kwargs: object) -> Tensor:
        """`update_state`, and then `result`.

        >>> print(tf.keras.metrics.Mean()([1.0, 3.0]))
        tf.Tensor(2.0, shape=(), dtype=float32)
        """
        call(self.update_state, *args, **kwargs)
        return convert_to_tensor(call(self.result))

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.metrics.TopKCategoricalAccuracy(k=3).get_config()
        {'name': 'top_k_categorical_accuracy', 'dtype': 'float32', 'k': 3}
        """
        return {"name": self.name, "dtype": self._dtype.name, **{o: getattr(self, o) for o in self._options}}

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: a metric of this class, of no batches yet.

        >>> tf.keras.metrics.Mean.from_config({"name": "loss"}).name
        'loss'
        """
        made: Callable[..., Self] = cls
        return made(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


class Sum(Metric):
    """The sum of values.

    Args:
      name: the name.
      dtype: the dtype of the sum, float32 by default.

    >>> total = tf.keras.metrics.Sum()
    >>> total.update_state([1.0, 3.0])
    >>> print(total.result())
    tf.Tensor(4.0, shape=(), dtype=float32)
    """

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, named_after(self) if name is None else name)
        self.total = self.add_variable((), name="total")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:  # type: ignore[override]
        """Add values.

        Args:
          values: the values, of any shape.
          sample_weight: what each counts, of a shape that broadcasts to that of the values.

        >>> total = tf.keras.metrics.Sum()
        >>> total.update_state([1.0, 3.0], sample_weight=[1, 0])
        >>> print(total.result())
        tf.Tensor(1.0, shape=(), dtype=float32)
        """
        added, _ = _of_samples(values, sample_weight, reduce_sum, self._dtype)
        self.total.assign_add(reduce_sum(added))

    def result(self) -> Tensor:
        return self.total.read_value()


class Mean(Metric):
    """The mean of values.

    Args:
      name: the name.
      dtype: the dtype of the mean, float32 by default.

    >>> mean = tf.keras.metrics.Mean(name="loss")
    >>> mean.update_state([1.0, 3.0])
    >>> mean.update_state(8.0)
    >>> print(mean.name, mean.result())
    loss tf.Tensor(4.0, shape=(), dtype=float32)
    """

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(dtype, named_after(self) if name is None else name)
        self.total = self.add_variable((), name="total")
        self.count = self.add_variable((), name="count")

    def update_state(self, values: TensorLike, sample_weight: TensorLike | None = None) -> None:  # type: ignore[override]
        """Add values.

        Args:
          values: the values, of any shape; those of one sample count as one, their mean.
          sample_weight: what each counts, of a shape that broadcasts to that of the values.

        >>> mean = tf.keras.metrics.Mean()
        >>> mean.update_state([1.0, 3.0], sample_weight=[3, 1])
        >>> print(mean.result())
        tf.Tensor(1.5, shape=(), dtype=float32)
        """
        self._add(convert_to_tensor(values), sample_weight)

    def _add(self, values: Tensor, sample_weight: TensorLike | None) -> None:
        added, weights = _of_samples(values, sample_weight, reduce_mean, self._dtype)
        self.total.assign_add(reduce_sum(added))
        if weights is not None:
            self.count.assign_add(reduce_sum(weights))
        else:
            number = 1 if added.shape.rank == 0 else shape_of(added)[0]
            self.count.assign_add(cast(convert_to_tensor(number), self._dtype))

    def result(self) -> Tensor:
        return m.divide_no_nan(self.total, self.count)


class MeanMetricWrapper(Mean):
    """The mean of what a function gives of what was wanted and what was predicted.

    Args:
      fn: the function, which gives numbers of shape [batch, ...].
      name: the name; that of the function by default.
      dtype: the dtype of the mean, float32 by default.
      options: what else the function is given, by keyword.

    >>> far = tf.keras.metrics.MeanMetricWrapper(tf.keras.losses.huber, name="far", delta=2.0)
    >>> print(far([[0.0]], [[3.0]]))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        fn: Callable[..., TensorLike],
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **options: object,
    ) -> None:
        super().__init__(getattr(fn, "__name__", None) if name is None else name, dtype)
        self._fn, self._given = fn, options

    def update_state(  # type: ignore[override]
        self, y_true: TensorLike, y_pred: TensorLike, sample_weight: TensorLike | None = None
    ) -> None:
        """Take a batch into account.

        Args:
          y_true, y_pred: what was wanted and what was predicted, of shape [batch, ...].
          sample_weight: what each sample counts, of a shape that broadcasts to that of the numbers.

        >>> error = tf.keras.metrics.MeanSquaredError()
        >>> error.update_state([[0.0], [0.0]], [[1.0], [3.0]], sample_weight=[1, 0])
        >>> print(error.result())
        tf.Tensor(1.0, shape=(), dtype=float32)
        """
        values = convert_to_tensor(call(self._fn, y_true, y_pred, **self._given))
        mask = mask_of(y_pred)
        if mask is not None:
            kept = cast(mask, self._dtype)
            sample_weight = (
                kept if sample_weight is None else m.multiply(*of_same_rank(kept, self._float(sample_weight)))
            )
        self._add(values, sample_weight)

    def _float(self, value: TensorLike) -> Tensor:
        return cast(convert_to_tensor(value), self._dtype)

    def get_config(self) -> Config:
        mine = type(self) is MeanMetricWrapper
        return {**super().get_config(), **({"fn": self._fn, **self._given} if mine else {})}


class Function(MeanMetricWrapper):
    """The mean of one function, which its class knows."""

    _function: Callable[..., Tensor]

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None, **options: object) -> None:
        super().__init__(type(self)._function, named_after(self) if name is None else name, dtype, **options)
        for option, value in options.items():
            setattr(self, option, value)


def named_after(metric: Metric) -> str:
    """The name of one whose class has a name for all, as `Mean`, where a class of the user's hands on none."""
    ours = next(cls for cls in type(metric).__mro__ if cls.__module__.startswith("runtime.keras."))
    return in_words(ours.__name__)


def _of_samples(
    values: TensorLike, sample_weight: TensorLike | None, reduce: Callable[..., Tensor], dtype: DType
) -> tuple[Tensor, Tensor | None]:
    """One number for each sample, times what it counts, and what each counts."""
    x = cast(convert_to_tensor(values), dtype)
    weights = None
    if sample_weight is not None:
        x, weights = of_same_rank(x, cast(convert_to_tensor(sample_weight), dtype))
        ranks = x.shape.rank, weights.shape.rank
        if ranks[0] is not None and ranks[1] is not None and ranks[0] > ranks[1]:
            x = reduce(x, list(range(ranks[1], ranks[0])))
        weights = broadcast_to(weights, shape_of(x))
        x = x * weights
        if ranks[1] is not None and ranks[1] > 1:
            weights = reduce(weights, list(range(1, ranks[1])))
    rank = x.shape.rank
    if rank is None:
        raise ValueError("a metric of values whose rank is not known: say it with tf.ensure_shape(values, [None, ...])")
    return (reduce(x, list(range(1, rank))) if rank > 1 else x), weights
