"""What prepares data and runs: classes as vectors, sequences of one length, seeds."""

from __future__ import annotations

import random
from collections import abc

import numpy as np

from runtime.datasets.dataset import Dataset
from runtime.keras import settings
from runtime.keras.custom_objects import (
    custom_object_scope,
    get_custom_objects,
    get_registered_name,
    get_registered_object,
    register_keras_serializable,
)
from runtime.keras.layers.symbolic import KerasTensor
from runtime.keras.pydataset import PyDataset
from runtime.keras.settings import clear_session
from runtime.ops.random import set_seed
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, Structure, TensorLike
from runtime.tensors.variables import Variable

__all__ = [
    "CustomObjectScope", "PyDataset", "Sequence", "clear_session", "custom_object_scope", "get_custom_objects",
    "get_registered_name", "get_registered_object", "is_keras_tensor", "normalize", "pack_x_y_sample_weight",
    "pad_sequences", "register_keras_serializable", "set_random_seed", "split_dataset", "timeseries_dataset_from_array",
    "to_categorical", "unpack_x_y_sample_weight",
]  # fmt: skip

CustomObjectScope = custom_object_scope
Sequence = PyDataset


def to_categorical(x: TensorLike, num_classes: int | None = None) -> Structure:
    """Classes as vectors, with 1 for the class and 0 for all others.

    Args:
      x: whole numbers, of any shape; a last axis of size 1 counts nothing.
      num_classes: how many there are, one more than the greatest number by default.
    Returns: an array of the shape of `x`, then [num_classes]; a tensor for a tensor.
    Raises:
      ValueError: if a number is none of a class.

    >>> tf.keras.utils.to_categorical([0, 2])
    array([[1., 0., 0.],
           [0., 0., 1.]])
    """
    numbers = np.asarray(x.numpy() if isinstance(x, Tensor | Variable) else x).astype(np.int64)
    if numbers.ndim > 1 and numbers.shape[-1] == 1:
        numbers = numbers[..., 0]
    count = int(numbers.max(initial=-1)) + 1 if num_classes is None else int(num_classes)
    if numbers.size and not (numbers.min() >= 0 and numbers.max() < count):
        raise ValueError(f"to_categorical of numbers from {numbers.min()} to {numbers.max()}, with {count} classes")
    vectors = np.eye(count)[numbers]
    return convert_to_tensor(vectors.astype(settings.floatx())) if isinstance(x, Tensor | Variable) else vectors


def normalize(x: TensorLike, axis: int = -1, order: int = 2) -> Structure:
    """Vectors of length 1.

    Args:
      x: numbers, of rank 1 or more.
      axis: the axis along which the vectors lie.
      order: of the norm: 2 for the length, 1 for the sum of absolute values.
    Returns: an array of the shape of `x`; a tensor for a tensor. Vectors of zeros stay as they are.

    >>> tf.keras.utils.normalize(np.array([[3.0, 4.0]]))
    array([[0.6, 0.8]])
    """
    array = np.atleast_1d(np.asarray(x.numpy() if isinstance(x, Tensor | Variable) else x))
    lengths = np.atleast_1d(np.linalg.norm(array, order, axis, keepdims=True))
    made = array / np.where(lengths == 0, 1, lengths)
    return convert_to_tensor(made) if isinstance(x, Tensor | Variable) else made


def pad_sequences(
    sequences: abc.Sequence[abc.Sequence[Structure]],
    maxlen: int | None = None,
    dtype: DTypeLike = "int32",
    padding: str = "pre",
    truncating: str = "pre",
    value: float | str = 0.0,
) -> Structure:
    """Sequences of different lengths as one array.

    Args:
      sequences: lists of numbers, or of vectors.
      maxlen: the length, that of the longest one by default.
      dtype: the dtype.
      padding: whether what is missing stands before (``"pre"``) or after (``"post"``) the sequence.
      truncating: where sequences that are too long lose their steps.
      value: what stands where nothing is.
    Returns: an array of shape [n, maxlen, ...].
    Raises:
      ValueError: for another `padding` or `truncating`.

    >>> tf.keras.utils.pad_sequences([[1], [2, 3]], padding="post")
    array([[1, 0],
           [2, 3]], dtype=int32)
    """
    for what, given in (("padding", padding), ("truncating", truncating)):
        if given not in ("pre", "post"):
            raise ValueError(f"{what}={given!r}: it is 'pre' or 'post'")
    some = [list(sequence) for sequence in sequences]
    length = max(map(len, some), default=0) if maxlen is None else maxlen
    inner = next((np.shape(sequence[0]) for sequence in some if sequence), ())
    kind = dtype
    made = np.full((len(some), length, *inner), value, dtype=kind)
    for row, sequence in zip(made, some):
        kept = sequence[-length:] if truncating == "pre" else sequence[:length]
        if kept and length:
            row[slice(length - len(kept), None) if padding == "pre" else slice(len(kept))] = kept
    return made


def pack_x_y_sample_weight(x: Structure, y: Structure = None, sample_weight: Structure = None) -> Structure:
    """Inputs, targets and weights as the data of a step.

    Args:
      x: the inputs: a tensor of shape [batch, ...], or a structure of tensors.
      y: the targets, if there are any.
      sample_weight: the weights of the examples, if there are any.
    Returns: a tuple of those that there are; inputs alone stand without one, unless they are a tuple or a list.

    >>> tf.keras.utils.pack_x_y_sample_weight(1, 2)
    (1, 2)
    """
    if sample_weight is not None:
        return x, y, sample_weight
    if y is not None:
        return x, y
    return (x,) if isinstance(x, tuple | list) else x


def unpack_x_y_sample_weight(data: Structure) -> tuple[Structure, Structure, Structure]:
    """The inputs, the targets and the weights that a step of one's own was given.

    Args:
      data: ``x``, ``(x,)``, ``(x, y)`` or ``(x, y, sample_weight)``.
    Returns: ``(x, y, sample_weight)``, with None for what there is not.
    Raises:
      ValueError: for a tuple of more parts.

    >>> tf.keras.utils.unpack_x_y_sample_weight((1, 2))
    (1, 2, None)
    """
    parts = tuple(data) if isinstance(data, tuple | list) else (data,)
    if not 1 <= len(parts) <= 3:
        raise ValueError(f"the data of a step are x, (x, y) or (x, y, sample_weight); these have {len(parts)} parts")
    return (*parts, *[None] * (3 - len(parts)))  # type: ignore[return-value]


def is_keras_tensor(x: object) -> bool:
    """Whether something stands for a tensor of a model that is being made, as `Input` gives it.

    Args:
      x: anything.

    >>> tf.keras.utils.is_keras_tensor(tf.keras.Input([3])), tf.keras.utils.is_keras_tensor(tf.ones([3]))
    (True, False)
    """
    return isinstance(x, KerasTensor)


def timeseries_dataset_from_array(
    data: TensorLike,
    targets: TensorLike | None,
    sequence_length: int,
    sequence_stride: int = 1,
    sampling_rate: int = 1,
    batch_size: int | None = 128,
    shuffle: bool = False,
    seed: int | None = None,
    start_index: int | None = None,
    end_index: int | None = None,
) -> Dataset:
    """Windows over a series, and what belongs to each.

    Args:
      data: the series, an array of shape [steps, ...].
      targets: what belongs to the window that begins at the same place, of shape [n, ...]; None for windows alone.
      sequence_length: how many steps a window has.
      sequence_stride: by how many steps the next one begins later.
      sampling_rate: every how many-th step is in it.
      batch_size: how many windows are a batch; None for no batches.
      shuffle, seed: whether they come in another order, and what decides which.
      start_index, end_index: between which steps windows are taken; all by default.
    Returns: a `Dataset` of batches of shape [batch, sequence_length, ...], or of pairs with those of the targets.
    Raises:
      ValueError: if numbers are not positive, or the indices are none of the series.

    >>> series = np.arange(6)
    >>> for windows, following in tf.keras.utils.timeseries_dataset_from_array(series, series[3:], 3):
    ...     print(windows.numpy().tolist(), following.numpy().tolist())
    [[0, 1, 2], [1, 2, 3], [2, 3, 4]] [3, 4, 5]
    """
    steps = np.asarray(data)
    for what, number, most in (
        ("sequence_length", sequence_length, len(steps)), ("sequence_stride", sequence_stride, len(steps) - 1),
        ("sampling_rate", sampling_rate, len(steps) - 1),
    ):  # fmt: skip
        if not 1 <= number <= most:
            raise ValueError(f"{what}={number}: it is a number from 1 to {most}, as the data have {len(steps)} steps")
    first, last = start_index or 0, len(steps) if end_index is None else end_index
    if not 0 <= first < last <= len(steps):
        raise ValueError(
            f"start_index={start_index} and end_index={end_index}: they are steps of the {len(steps)} of the data, one "
            "after the other"
        )
    others = None if targets is None else np.asarray(targets)[first:last]
    count = last - first - (sequence_length - 1) * sampling_rate
    count = max(0, count if others is None else min(count, len(others)))
    starts = np.arange(0, count, sequence_stride)
    windows = steps[first:last][starts[:, None] + np.arange(sequence_length) * sampling_rate]
    made = Dataset.from_tensor_slices(windows if others is None else (windows, others[starts]))
    if shuffle:
        made = made.shuffle(max(1, len(starts)), seed=seed)
    return made if batch_size is None else made.batch(batch_size)


def split_dataset(
    dataset: Dataset | Structure,
    left_size: float | None = None,
    right_size: float | None = None,
    shuffle: bool = False,
    seed: int | None = None,
) -> tuple[Dataset, Dataset]:
    """A dataset in two parts.

    Args:
      dataset: a `Dataset`, which is gone through once, or arrays of shape [examples, ...] in any structure.
      left_size, right_size: how many examples a part has, or which part of all, as a float below 1; what is not given
        is the rest.
      shuffle: whether the examples are put in another order before.
      seed: what decides which.
    Returns: two datasets: of the first examples, and of the last.
    Raises:
      ValueError: if neither size is given, or the parts have more examples than there are.

    >>> left, right = tf.keras.utils.split_dataset(np.arange(10), left_size=0.8)
    >>> [int(n) for n in right]
    [8, 9]
    """
    whole = dataset if isinstance(dataset, Dataset) else Dataset.from_tensor_slices(dataset)
    whole = whole.cache()
    total = sum(1 for _ in whole)
    if left_size is None and right_size is None:
        raise ValueError("split_dataset: at least one of left_size and right_size must be given")
    left, right = (_examples(name, n, total) for name, n in (("left_size", left_size), ("right_size", right_size)))
    left = total - (right or 0) if left is None else left
    right = total - left if right is None else right
    if left + right > total:
        raise ValueError(f"split_dataset: {left} and {right} examples are more than the {total} that there are")
    if shuffle:
        whole = whole.shuffle(total, seed, reshuffle_each_iteration=False)
    return whole.take(left), whole.skip(total - right)


def _examples(name: str, size: float | None, total: int) -> int | None:
    """How many examples a part has."""
    if size is None:
        return None
    most = total if isinstance(size, int) else 1
    if not 0 < size < most:
        raise ValueError(f"split_dataset with {name}={size}: it is a number of the {total} examples, or a part of them")
    return size if isinstance(size, int) else round(size * total)


def set_random_seed(seed: int) -> None:
    """Set the seeds of Python, of NumPy and of this library, so that a program does the same each time.

    Args:
      seed: a whole number of at least 0.

    >>> tf.keras.utils.set_random_seed(1)
    >>> first = tf.keras.layers.Dense(2)(tf.ones([1, 3]))
    >>> tf.keras.utils.set_random_seed(1)
    >>> bool(tf.reduce_all(first == tf.keras.layers.Dense(2)(tf.ones([1, 3]))))
    True
    """
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or seed < 0:
        raise ValueError(f"set_random_seed({seed!r}): it is a whole number of at least 0")
    random.seed(seed)
    np.random.seed(seed % 2**32)  # what programs draw by NumPy's older functions
    set_seed(seed)
