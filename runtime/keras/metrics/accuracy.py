"""How often what was predicted is what was wanted."""

from __future__ import annotations

from runtime.graph.dtypes import DTypeLike, as_dtype, int32
from runtime.keras.losses.reduction import of_same_rank
from runtime.keras.metrics.metric import Function
from runtime.keras.settings import floatx
from runtime.tensors import mathematics as m
from runtime.tensors.conversion import cast, convert_to_tensor
from runtime.tensors.cross_entropies import in_top_k
from runtime.tensors.reductions import argmax, reduce_any
from runtime.tensors.shaping import expand_dims, reshape, shape, squeeze
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import TensorLike


def _float(truths: Tensor) -> Tensor:
    return cast(truths, as_dtype(floatx()))


def accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """1 where what was predicted is what was wanted, and 0 elsewhere.

    Args:
      y_true, y_pred: what was wanted and what was predicted, of one shape.
    Returns: floats of this shape.
    """
    predicted = convert_to_tensor(y_pred)
    return _float(m.equal(*of_same_rank(cast(convert_to_tensor(y_true), predicted.dtype), predicted)))


def binary_accuracy(y_true: TensorLike, y_pred: TensorLike, threshold: float = 0.5) -> Tensor:
    """1 where a probability is on the side of a threshold on which it was wanted, and 0 elsewhere.

    Args:
      y_true: what was wanted, 0 or 1.
      y_pred: the probabilities that were predicted, of the same shape.
      threshold: from where on they count as 1.
    Returns: floats of this shape.

    >>> print(tf.keras.metrics.binary_accuracy([[1.0], [1.0]], [[0.75], [0.25]]).numpy().tolist())
    [[1.0], [0.0]]
    """
    wanted, predicted = of_same_rank(convert_to_tensor(y_true), convert_to_tensor(y_pred))
    return _float(m.equal(wanted, cast(predicted > threshold, wanted.dtype)))


def categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """1 where the most likely class is the right one, and 0 elsewhere.

    Args:
      y_true, y_pred: probabilities of classes, wanted and predicted, of shape [..., classes].
    Returns: floats of shape [...].

    >>> print(tf.keras.metrics.categorical_accuracy([[0, 1], [0, 1]], [[0.25, 0.75], [0.75, 0.25]]))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    return _float(m.equal(argmax(y_true, -1), argmax(y_pred, -1)))


def sparse_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike) -> Tensor:
    """1 where the most likely class is the right one, which is told by its number, and 0 elsewhere.

    Args:
      y_true: the numbers of the right classes, of shape [...], or [..., 1].
      y_pred: the probabilities of classes, of shape [..., classes].
    Returns: floats of shape [...].

    >>> print(tf.keras.metrics.sparse_categorical_accuracy([1, 1], [[0.25, 0.75], [0.75, 0.25]]))
    tf.Tensor([1. 0.], shape=(2,), dtype=float32)
    """
    predicted, numbers = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    if (
        numbers.shape.rank is not None
        and numbers.shape.rank == predicted.shape.rank
        and numbers.shape.as_list()[-1] == 1
    ):
        numbers = squeeze(numbers, -1)
    return _float(m.equal(cast(argmax(predicted, -1), numbers.dtype), numbers))


def top_k_categorical_accuracy(y_true: TensorLike, y_pred: TensorLike, k: int = 5) -> Tensor:
    """1 where the right class is among the most likely ones, and 0 elsewhere.

    Args:
      y_true, y_pred: probabilities of classes, wanted and predicted, of shape [..., classes].
      k: how many classes may be the right one.
    Returns: floats of shape [...].

    >>> wanted, predicted = [[0, 0, 1], [0, 1, 0]], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]]
    >>> print(tf.keras.metrics.top_k_categorical_accuracy(wanted, predicted, k=2))
    tf.Tensor([1. 1.], shape=(2,), dtype=float32)
    """
    return sparse_top_k_categorical_accuracy(argmax(y_true, -1), y_pred, k)


def sparse_top_k_categorical_accuracy(
    y_true: TensorLike, y_pred: TensorLike, k: int = 5, from_sorted_ids: bool = False
) -> Tensor:
    """1 where the right class, which is told by its number, is among the most likely ones, and 0 elsewhere.

    Args:
      y_true: the numbers of the right classes, of shape [...].
      y_pred: the probabilities of classes, of shape [..., classes].
      k: how many classes may be the right one.
      from_sorted_ids: whether `y_pred` are the numbers of classes instead, the most likely first.
    Returns: floats of shape [...].

    >>> print(tf.keras.metrics.sparse_top_k_categorical_accuracy([2, 1], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]], k=1))
    tf.Tensor([0. 1.], shape=(2,), dtype=float32)
    """
    predicted, numbers = convert_to_tensor(y_pred), convert_to_tensor(y_true)
    rank, dims = predicted.shape.rank, shape(numbers)
    if rank is not None and rank > 2:
        predicted, numbers = reshape(predicted, [-1, predicted.shape[-1]]), reshape(numbers, [-1])
    if from_sorted_ids:
        first = predicted[:, :k]
        found = reduce_any(m.equal(expand_dims(cast(numbers, first.dtype), 1), first), 1)
    else:
        found = in_top_k(cast(numbers, int32), predicted, k)
    return _float(found if rank == 2 else reshape(found, dims))


class Accuracy(Function):
    """How often what was predicted is what was wanted.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.Accuracy()([1, 2, 3, 4], [0, 2, 3, 4]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """

    _direction = "up"
    _function = staticmethod(accuracy)

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(name, dtype)


class BinaryAccuracy(Function):
    """How often a probability is on the side of a threshold on which it was wanted.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.
      threshold: from where on probabilities count as 1, between 0 and 1.
    Raises:
      ValueError: for another threshold.

    >>> print(tf.keras.metrics.BinaryAccuracy()([1, 1, 0, 0], [0.98, 1.0, 0.0, 0.6]))
    tf.Tensor(0.75, shape=(), dtype=float32)
    """

    _direction = "up"
    _options = ("threshold",)
    _function = staticmethod(binary_accuracy)
    threshold: float

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None, threshold: float = 0.5) -> None:
        if threshold is None or not 0 < threshold < 1:
            raise ValueError(f"BinaryAccuracy with threshold={threshold!r}: it lies between 0 and 1")
        super().__init__(name, dtype, threshold=threshold)


class CategoricalAccuracy(Function):
    """How often the most likely class is the right one.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.CategoricalAccuracy()([[0, 1], [0, 1]], [[0.25, 0.75], [0.75, 0.25]]))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    _direction = "up"
    _function = staticmethod(categorical_accuracy)

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(name, dtype)


class SparseCategoricalAccuracy(Function):
    """How often the most likely class is the right one, which is told by its number.

    Args:
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> print(tf.keras.metrics.SparseCategoricalAccuracy()([1, 1], [[0.25, 0.75], [0.75, 0.25]]))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    _direction = "up"
    _function = staticmethod(sparse_categorical_accuracy)

    def __init__(self, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(name, dtype)


class TopKCategoricalAccuracy(Function):
    """How often the right class is among the most likely ones.

    Args:
      k: how many classes may be the right one.
      name: the name.
      dtype: the dtype of the result, float32 by default.

    >>> wanted, predicted = [[0, 0, 1], [0, 1, 0]], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]]
    >>> print(tf.keras.metrics.TopKCategoricalAccuracy(k=1)(wanted, predicted))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    _direction = "up"
    _options = ("k",)
    _function = staticmethod(top_k_categorical_accuracy)
    k: int

    def __init__(self, k: int = 5, name: str | None = None, dtype: DTypeLike | None = None) -> None:
        super().__init__(name, dtype, k=k)


class SparseTopKCategoricalAccuracy(Function):
    """How often the right class, which is told by its number, is among the most likely ones.

    Args:
      k: how many classes may be the right one.
      name: the name.
      dtype: the dtype of the result, float32 by default.
      from_sorted_ids: whether `y_pred` are the numbers of classes, the most likely first, rather than probabilities.

    >>> print(tf.keras.metrics.SparseTopKCategoricalAccuracy(k=1)([2, 1], [[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]]))
    tf.Tensor(0.5, shape=(), dtype=float32)
    """

    _direction = "up"
    _options = ("k", "from_sorted_ids")
    _function = staticmethod(sparse_top_k_categorical_accuracy)
    k: int
    from_sorted_ids: bool

    def __init__(
        self,
        k: int = 5,
        name: str | None = None,
        dtype: DTypeLike | None = None,
        from_sorted_ids: bool = False,
    ) -> None:
        super().__init__(name, dtype, k=k, from_sorted_ids=from_sorted_ids)
