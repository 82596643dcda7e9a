"""Losses as objects: a function, its options, and how the losses of samples become one number."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TypeVar

from autograph.operators.calls import call
from runtime.graph.dtypes import DType, DTypeLike, as_dtype
from runtime.keras.identifiers import Config
from runtime.keras.losses import functions
from runtime.keras.losses.reduction import checked, mask_of, of_same_rank, reduced
from runtime.keras.settings import floatx
from runtime.tensors import mathematics as m, nest
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.shaping import reshape, shape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, Structure, TensorLike

Self = TypeVar("Self", bound="Loss")


class Loss:
    """A base for losses.

    A class of one's own defines `call`, which gives the losses of samples. The object weighs them and adds them up.

    Args:
      name: the name; by default that of the class in lower case, its words joined by underscores.
      reduction: how they are added up: ``"sum_over_batch_size"`` or ``"mean"`` for their mean, ``"sum"``,
        ``"mean_with_sample_weight"`` for their sum divided by that of the weights, None or ``"none"`` for not at all.
      dtype: the dtype to compute in; that of the predictions by default.
    Raises:
      ValueError: for another reduction.

    >>> class Distance(tf.keras.losses.Loss):
    ...     def call(self, y_true, y_pred):
    ...         return tf.norm(y_true - y_pred, axis=-1)
    >>> print(Distance()([[0.0, 0.0], [0.0, 0.0]], [[3.0, 4.0], [0.0, 1.0]]))
    tf.Tensor(3.0, shape=(), dtype=float32)
    """

    _options: tuple[str, ...] = ()  # parameters of its own, which are attributes of the same names

    def __init__(
        self,
        name: str | None = None,
        reduction: str | None = "sum_over_batch_size",
        dtype: DTypeLike | None = None,
    ) -> None:
        self.name = in_words(type(self).__name__) if name is None else name
        self.reduction = checked(reduction, type(self).__name__)
        self._dtype: DType | None = None if dtype is None else as_dtype(dtype)

    @property
    def dtype(self) -> DType:
        """The dtype that it was given, or else that of new weights.

        >>> tf.keras.losses.MeanSquaredError(dtype="float64").dtype
        tf.float64
        """
        return as_dtype(floatx()) if self._dtype is None else self._dtype

    def __call__(self, y_true: Structure, y_pred: Structure, sample_weight: TensorLike | None = None) -> Tensor:
        """The loss of a batch.

        Args:
          y_true: what was wanted, of shape [batch, ...].
          y_pred: what was predicted, of shape [batch, ...].
          sample_weight: what each sample counts, or each element, of a shape that goes together with that of the
            losses, or has one axis of size 1 more or less.
        Returns: a scalar, or the losses of the samples without a reduction.
        Raises:
          ValueError: if shapes do not go together.

        >>> loss = tf.keras.losses.MeanSquaredError()
        >>> print(loss([[0.0], [0.0]], [[1.0], [3.0]]), loss([[0.0], [0.0]], [[1.0], [3.0]], sample_weight=[1, 0]))
        tf.Tensor(5.0, shape=(), dtype=float32) tf.Tensor(0.5, shape=(), dtype=float32)
        """
        mask = mask_of(y_pred)
        predicted, wanted = _each(self._tensor, y_pred), _each(convert_to_tensor, y_true)
        values = convert_to_tensor(call(self.call, wanted, predicted))
        own = self._mask(wanted, values)
        if own is not None:
            mask = own if mask is None else m.logical_and(mask, own)
        return reduced(values, sample_weight, self.reduction, mask)

    def _tensor(self, value: TensorLike) -> Tensor:
        tensor = convert_to_tensor(value)
        return tensor if self._dtype is None and tensor.dtype.is_floating else cast(tensor, self.dtype)

    def _mask(self, wanted: Structure, values: Tensor) -> Tensor | None:
        """Which samples count, where the loss itself leaves some out."""
        return None

    def call(self, y_true: Tensor, y_pred: Tensor) -> TensorLike:
        """The losses of samples. A class of one's own defines this.

        Args:
          y_true, y_pred: what was wanted and what was predicted, of shape [batch, ...].
        Returns: the losses, of shape [batch], or [batch, ...].

        >>> print(tf.keras.losses.MeanSquaredError().call(tf.constant([[0.0]]), tf.constant([[2.0]])))
        tf.Tensor([4.], shape=(1,), dtype=float32)
        """
        raise NotImplementedError(f"{type(self).__name__} does not define call(self, y_true, y_pred)")

    def get_config(self) -> Config:
        """What it was made with, by the names of the parameters.

        >>> tf.keras.losses.Huber(delta=2.0).get_config()["delta"]
        2.0
        """
        more = {"dtype": self._dtype.name} if self._dtype is not None else {}
        own = {option: getattr(self, option) for option in self._options}
        return {"name": self.name, "reduction": self.reduction, **own, **more}

    @classmethod
    def from_config(cls: type[Self], config: Config) -> Self:
        """One made of a configuration.

        Args:
          config: what `get_config` gives.
        Returns: an object of this class.

        >>> tf.keras.losses.Huber.from_config({"delta": 2.0}).delta
        2.0
        """
        made: Callable[..., Self] = cls
        return made(**config)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}>"


def _each(convert: Callable[[TensorLike], Tensor], value: Structure) -> Structure:
    """A tensor, or the tensors of a dictionary; lists are such as hold numbers."""
    return nest.map_structure(convert, value) if isinstance(value, Mapping) else convert(value)


def in_words(name: str) -> str:
    """The name of a class in lower case.

    >>> in_words("MeanSquaredError"), in_words("KLDivergence")
    ('mean_squared_error', 'kl_divergence')
    """
    ends = [
        i for i in range(1, len(name)) if name[i].isupper() and (name[i - 1].islower() or name[i + 1 :][:1].islower())
    ]
    starts = [0, *ends]
    return "_".join(name[a:b].lower() for a, b in zip(starts, [*ends, len(name)]))


class LossFunctionWrapper(Loss):
    """A function of what was wanted and what was predicted, as a loss.

    Args:
      fn: the function, which gives the losses of samples.
      reduction: how they are added up, as for `Loss`.
      name: the name; that of the function by default.
      dtype: the dtype to compute in; that of the predictions by default.
      options: what else the function is given, by keyword.

    >>> loss = tf.keras.losses.LossFunctionWrapper(tf.keras.losses.huber, delta=2.0)
    >>> print(loss([[0.0]], [[3.0]]))
    tf.Tensor(4.0, shape=(), dtype=float32)
    """

    def __init__(
        self,
        fn: Callable[..., TensorLike],
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
        **options: object,
    ) -> None:
        super().__init__(getattr(fn, "__name__", None) if name is None else name, reduction, dtype)
        self.fn, self._given = fn, options

    def call(self, y_true: Tensor, y_pred: Tensor) -> TensorLike:
        found: TensorLike = call(self.fn, *of_same_rank(y_true, y_pred), **self._given)
        return found

    def get_config(self) -> Config:
        return {**super().get_config(), "fn": self.fn, **self._given}


class _Plain(Loss):
    """A loss without options of its own."""

    _function: Callable[[TensorLike, TensorLike], Tensor]

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return type(self)._function(y_true, y_pred)


class MeanSquaredError(_Plain):
    """The mean of ``(y_true - y_pred) ** 2``.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.MeanSquaredError()([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.mean_squared_error)


class MeanAbsoluteError(_Plain):
    """The mean of ``abs(y_true - y_pred)``.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.MeanAbsoluteError()([[0.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.mean_absolute_error)


class MeanAbsolutePercentageError(_Plain):
    """The mean of ``100 * abs((y_true - y_pred) / y_true)``.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.MeanAbsolutePercentageError()([[4.0, 1.0]], [[2.0, 1.0]]))
    tf.Tensor(25.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.mean_absolute_percentage_error)


class MeanSquaredLogarithmicError(_Plain):
    """The mean of ``(log(1 + y_true) - log(1 + y_pred)) ** 2``.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.MeanSquaredLogarithmicError()([[3.0]], [[3.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.mean_squared_logarithmic_error)


class LogCosh(_Plain):
    """The mean of ``log(cosh(y_pred - y_true))``.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.LogCosh()([[1.0]], [[1.0]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.log_cosh)


class KLDivergence(_Plain):
    """``sum(y_true * log(y_true / y_pred))`` along the last axis, of probabilities.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.KLDivergence()([[0.5, 0.5]], [[0.5, 0.5]]))
    tf.Tensor(0.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.kl_divergence)


class Poisson(_Plain):
    """The mean of ``y_pred - y_true * log(y_pred)``, of counts and their expected values.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.Poisson()([[0.0]], [[2.0]]))
    tf.Tensor(2.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.poisson)


class Hinge(_Plain):
    """The mean of ``max(1 - y_true * y_pred, 0)``; `y_true` is -1 or 1, or 0 or 1.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.Hinge()([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.hinge)


class SquaredHinge(_Plain):
    """The mean of ``max(1 - y_true * y_pred, 0) ** 2``; `y_true` is -1 or 1, or 0 or 1.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.SquaredHinge()([[0.0, 1.0]], [[0.5, 0.5]]))
    tf.Tensor(1.25, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.squared_hinge)


class CategoricalHinge(_Plain):
    """By how much the best of the wrong classes comes within 1 of the right one.

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.CategoricalHinge()([[0.0, 1.0]], [[0.5, 0.75]]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """

    _function = staticmethod(functions.categorical_hinge)


class CosineSimilarity(Loss):
    """The cosine of the angle between vectors, times -1.

    Args:
      axis: the axis of the vectors.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.CosineSimilarity()([[0.0, 1.0]], [[0.0, 2.0]]))
    tf.Tensor(-1.0, shape=(), dtype=float32)
    """

    _options = ("axis",)

    def __init__(
        self,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.axis = axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.cosine_similarity(y_true, y_pred, axis=self.axis)


class Huber(Loss):
    """Half the squares of small errors, and large ones in proportion.

    Args:
      delta: the greatest error that is small.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.Huber()([[0.0, 1.0]], [[9.0, 1.5]]))
    tf.Tensor(4.3125, shape=(), dtype=float32)
    """

    _options = ("delta",)

    def __init__(
        self,
        delta: float = 1.0,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__("huber_loss" if name is None else name, reduction, dtype)
        self.delta = delta

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.huber(y_true, y_pred, delta=self.delta)


class BinaryCrossentropy(Loss):
    """How far probabilities are from others: ``-y_true * log(y_pred) - (1 - y_true) * log(1 - y_pred)``.

    Args:
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: how much nearer to 1/2 what was wanted comes, from 0 to 1.
      axis: the axis of the mean.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.BinaryCrossentropy()([[1.0]], [[0.5]]).numpy().round(3))
    0.693
    """

    _options = ("from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.binary_crossentropy(
            y_true, y_pred, from_logits=self.from_logits, label_smoothing=self.label_smoothing, axis=self.axis
        )


class CategoricalCrossentropy(Loss):
    """How far probabilities of classes are from others: ``-sum(y_true * log(y_pred))``.

    Args:
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: the part of the probabilities that is shared among all classes, from 0 to 1.
      axis: the axis of the classes.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.CategoricalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    0.693
    """

    _options = ("from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.label_smoothing, self.axis = from_logits, label_smoothing, axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.categorical_crossentropy(
            y_true, y_pred, from_logits=self.from_logits, label_smoothing=self.label_smoothing, axis=self.axis
        )


class BinaryFocalCrossentropy(Loss):
    """`BinaryCrossentropy` in which what is predicted well counts less.

    Args:
      apply_class_balancing: whether 1 counts `alpha` times, and 0 ``1 - alpha`` times.
      alpha: what 1 counts then.
      gamma: how much less counts what is predicted well.
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: how much nearer to 1/2 what was wanted comes, from 0 to 1.
      axis: the axis of the mean.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.BinaryFocalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    0.173
    """

    _options = ("apply_class_balancing", "alpha", "gamma", "from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        apply_class_balancing: bool = False,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.apply_class_balancing, self.alpha, self.gamma, self.from_logits, self.label_smoothing, self.axis = (
            apply_class_balancing,
            alpha,
            gamma,
            from_logits,
            label_smoothing,
            axis,
        )

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.binary_focal_crossentropy(
            y_true,
            y_pred,
            apply_class_balancing=self.apply_class_balancing,
            alpha=self.alpha,
            gamma=self.gamma,
            from_logits=self.from_logits,
            label_smoothing=self.label_smoothing,
            axis=self.axis,
        )


class CategoricalFocalCrossentropy(Loss):
    """`CategoricalCrossentropy` in which classes that are predicted well count less.

    Args:
      alpha: a factor.
      gamma: how much less counts what is predicted well.
      from_logits: whether `y_pred` are logits, rather than probabilities.
      label_smoothing: the part of the probabilities that is shared among all classes, from 0 to 1.
      axis: the axis of the classes.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.CategoricalFocalCrossentropy()([[0.0, 1.0]], [[0.5, 0.5]]).numpy().round(3))
    0.043
    """

    _options = ("alpha", "gamma", "from_logits", "label_smoothing", "axis")

    def __init__(
        self,
        alpha: float = 0.25,
        gamma: float = 2.0,
        from_logits: bool = False,
        label_smoothing: float = 0.0,
        axis: int = -1,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.alpha, self.gamma, self.from_logits, self.label_smoothing, self.axis = (
            alpha,
            gamma,
            from_logits,
            label_smoothing,
            axis,
        )

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.categorical_focal_crossentropy(
            y_true,
            y_pred,
            alpha=self.alpha,
            gamma=self.gamma,
            from_logits=self.from_logits,
            label_smoothing=self.label_smoothing,
            axis=self.axis,
        )


class Dice(Loss):
    """How little two sets share.

    Args:
      axis: the axes to add along, all by default.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.Dice()([0.0, 1.0], [1.0, 1.0]).numpy().round(3))
    0.333
    """

    _options = ("axis",)

    def __init__(
        self,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        axis: AxisLike = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.axis = axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.dice(y_true, y_pred, axis=self.axis)


class Tversky(Loss):
    """`Dice` in which what was missed, and what was predicted though not wanted, count differently.

    Args:
      alpha: what counts that was wanted and not predicted.
      beta: what counts that was predicted and not wanted.
      axis: the axes to add along, all by default.
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.Tversky()([0.0, 1.0], [1.0, 1.0]).numpy().round(3))
    0.333
    """

    _options = ("alpha", "beta", "axis")

    def __init__(
        self,
        alpha: float = 0.5,
        beta: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        axis: AxisLike = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.alpha, self.beta, self.axis = alpha, beta, axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.tversky(y_true, y_pred, alpha=self.alpha, beta=self.beta, axis=self.axis)


class CategoricalGeneralizedCrossEntropy(Loss):
    """``(1 - p ** q) / q`` of the probability of the right class, which wrong labels disturb less.

    Args:
      q: between 0, for the logarithm, and 1, for the absolute error.
      reduction, name, dtype: as for `Loss`.
    Raises:
      ValueError: for another `q`.

    >>> print(tf.keras.losses.CategoricalGeneralizedCrossEntropy()([1], [[0.75, 0.25]]))
    tf.Tensor(1.0, shape=(), dtype=float32)
    """

    _options = ("q",)

    def __init__(
        self,
        q: float = 0.5,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        if not 0 < q < 1:
            raise ValueError(f"CategoricalGeneralizedCrossEntropy with q={q!r}: it lies between 0 and 1")
        super().__init__(name, reduction, dtype)
        self.q = q

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.categorical_generalized_cross_entropy(y_true, y_pred, q=self.q)


class SparseCategoricalCrossentropy(Loss):
    """`CategoricalCrossentropy` with the numbers of classes: ``-log(y_pred[y_true])``.

    Args:
      from_logits: whether `y_pred` are logits, rather than probabilities.
      ignore_class: a number that stands for no class: means are those of the other samples. None if there is none.
      reduction, name, dtype: as for `Loss`.
      axis: the axis of the classes: the last.

    >>> loss = tf.keras.losses.SparseCategoricalCrossentropy(ignore_class=-1)
    >>> print(loss([1, -1], [[0.5, 0.5], [0.75, 0.25]]).numpy().round(3))
    0.693
    """

    _options = ("from_logits", "ignore_class", "axis")

    def __init__(
        self,
        from_logits: bool = False,
        ignore_class: int | None = None,
        reduction: str | None = "sum_over_batch_size",
        axis: int = -1,
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.from_logits, self.ignore_class, self.axis = from_logits, ignore_class, axis

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.sparse_categorical_crossentropy(
            y_true, y_pred, from_logits=self.from_logits, ignore_class=self.ignore_class, axis=self.axis
        )

    def _mask(self, wanted: Structure, values: Tensor) -> Tensor | None:
        if self.ignore_class is None:
            return None
        return reshape(m.not_equal(wanted, self.ignore_class), shape(values))


class Circle(Loss):
    """How little vectors of one class are like one another, and unlike those of other classes.

    Vectors whose loss is 0 do not count in a mean.

    Args:
      gamma: how steep it is.
      margin: how far like and unlike are to be apart.
      remove_diagonal: whether a vector is not compared with itself.
      reduction, name, dtype: as for `Loss`.

    >>> vectors = [[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]]
    >>> print(tf.keras.losses.Circle(gamma=1.0)([0, 1, 1], vectors).numpy().round(3))
    0.648
    """

    _options = ("gamma", "margin", "remove_diagonal")

    def __init__(
        self,
        gamma: float = 80.0,
        margin: float = 0.4,
        remove_diagonal: bool = True,
        reduction: str | None = "sum_over_batch_size",
        name: str | None = None,
        dtype: DTypeLike | None = None,
    ) -> None:
        super().__init__(name, reduction, dtype)
        self.gamma, self.margin, self.remove_diagonal = gamma, margin, remove_diagonal

    def call(self, y_true: Tensor, y_pred: Tensor) -> Tensor:
        return functions.circle(
            y_true, y_pred, remove_diagonal=self.remove_diagonal, gamma=self.gamma, margin=self.margin
        )

    def _mask(self, wanted: Structure, values: Tensor) -> Tensor | None:
        return values > 0


class CTC(_Plain):
    """How unlikely sequences of labels are, whenever each of them comes: connectionist temporal classification.

    Labels are of shape [batch, the largest number of labels], with 0 for the blank and behind shorter rows; predictions
    are logits of shape [batch, times, classes].

    Args:
      reduction, name, dtype: as for `Loss`.

    >>> print(tf.keras.losses.CTC()([[1, 0]], tf.zeros([1, 2, 2])).numpy().round(4))  # three of four courses
    0.2877
    """

    _function = staticmethod(functions.ctc)
