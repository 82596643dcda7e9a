"""Functions of datasets that `Dataset.apply` takes, by the older names that `tf.data.experimental` has for methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.datasets.dataset import Dataset
from runtime.graph.dtypes import int64
from runtime.tensors.types import DTypeLike, SizeLike, Structure

Applied = Callable[[Dataset], Dataset]


def _applied(name: str) -> Callable[..., Applied]:
    """A function of a method's arguments, of which a dataset is not one."""

    def function(*args: Any, **kwargs: Any) -> Applied:
        return lambda dataset: getattr(dataset, name)(*args, **kwargs)  # type: ignore[no-any-return]

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"`Dataset.{name}`, with its arguments, as a function for `Dataset.apply`."
    return function


bucket_by_sequence_length = _applied("bucket_by_sequence_length")
dense_to_ragged_batch = _applied("ragged_batch")
dense_to_sparse_batch = _applied("sparse_batch")
enumerate_dataset = _applied("enumerate")
group_by_window = _applied("group_by_window")
ignore_errors = _applied("ignore_errors")
rejection_resample = _applied("rejection_resample")
scan = _applied("scan")
snapshot = _applied("snapshot")
take_while = _applied("take_while")
unbatch = _applied("unbatch")
unique = _applied("unique")


def copy_to_device(target_device: str, source_device: str = "/cpu:0") -> Applied:
    """The same dataset: there is one device.

    Args:
      target_device, source_device: accepted.

    >>> list(tf.data.Dataset.range(2).apply(tf.data.experimental.copy_to_device("/cpu:0")).as_numpy_iterator())
    [np.int64(0), np.int64(1)]
    """
    return lambda dataset: dataset


def prefetch_to_device(device: str, buffer_size: int | None = None) -> Applied:
    """The same dataset: there is one device.

    Args:
      device, buffer_size: accepted.

    >>> list(tf.data.Dataset.range(2).apply(tf.data.experimental.prefetch_to_device("/cpu:0")).as_numpy_iterator())
    [np.int64(0), np.int64(1)]
    """
    return lambda dataset: dataset


def map_and_batch(
    map_func: Callable[..., Structure],
    batch_size: SizeLike,
    num_parallel_batches: int | None = None,
    drop_remainder: bool = False,
    num_parallel_calls: int | None = None,
) -> Applied:
    """`Dataset.map`, then `Dataset.batch`.

    Args:
      map_func, batch_size, drop_remainder: their arguments.
      num_parallel_batches, num_parallel_calls: accepted.

    >>> data = tf.data.Dataset.range(4).apply(tf.data.experimental.map_and_batch(lambda n: n * 2, 2))
    >>> [batch.tolist() for batch in data.as_numpy_iterator()]
    [[0, 2], [4, 6]]
    """
    return lambda dataset: dataset.map(map_func).batch(batch_size, drop_remainder)


def shuffle_and_repeat(buffer_size: SizeLike, count: int | None = None, seed: int | None = None) -> Applied:
    """`Dataset.shuffle`, then `Dataset.repeat`.

    Args:
      buffer_size, count, seed: their arguments.

    >>> data = tf.data.Dataset.range(2).apply(tf.data.experimental.shuffle_and_repeat(2, 2, seed=1))
    >>> sorted(int(n) for n in data)
    [0, 0, 1, 1]
    """
    return lambda dataset: dataset.shuffle(buffer_size, seed).repeat(count)


def parallel_interleave(
    map_func: Callable[..., Dataset],
    cycle_length: int,
    block_length: int = 1,
    sloppy: bool | None = False,
    buffer_output_elements: int | None = None,
    prefetch_input_elements: int | None = None,
) -> Applied:
    """`Dataset.interleave`.

    Args:
      map_func, cycle_length, block_length: its arguments.
      sloppy, buffer_output_elements, prefetch_input_elements: accepted; elements come in order.

    >>> data = tf.data.Dataset.range(3).apply(tf.data.experimental.parallel_interleave(tf.data.Dataset.range, 2))
    >>> [int(n) for n in data]
    [0, 0, 1]
    """
    return lambda dataset: dataset.interleave(map_func, cycle_length, block_length)


@dataclass(frozen=True)
class Reducer:
    """How elements of one key become one: what `group_by_reducer` takes.

    Args:
      init_func: makes the first state, of the key.
      reduce_func: makes the next state, of a state and an element.
      finalize_func: makes the element, of the last state.

    >>> zero = tf.constant(0, tf.int64)
    >>> summed = tf.data.experimental.Reducer(lambda key: zero, lambda total, n: total + n, lambda total: total)
    >>> data = tf.data.Dataset.range(5).apply(tf.data.experimental.group_by_reducer(lambda n: n % 2, summed))
    >>> [int(n) for n in data]
    [6, 4]
    """

    init_func: Callable[..., Structure]
    reduce_func: Callable[..., Structure]
    finalize_func: Callable[..., Structure]


def group_by_reducer(key_func: Callable[..., Any], reducer: Reducer) -> Applied:
    """One element for each key: what a `Reducer` makes of all elements that have it.

    Args:
      key_func: makes the key of an element, a whole number of shape ().
      reducer: how these become one.
    """

    def applied(dataset: Dataset) -> Dataset:
        def one(key: Any, some: Dataset) -> Dataset:
            last = some.reduce(reducer.init_func(key), reducer.reduce_func)
            return Dataset.from_tensors(reducer.finalize_func(last))

        most = (1 << 62) - 1  # all that have the key
        return dataset.group_by_window(key_func, one, most)

    return applied


def Counter(start: int = 0, step: int = 1, dtype: DTypeLike = int64) -> Dataset:  # its name
    """`Dataset.counter`.

    Args:
      start, step, dtype: its arguments.

    >>> [int(n) for n in tf.data.experimental.Counter(3, 2).take(2)]
    [3, 5]
    """
    return Dataset.counter(start, step, dtype)


def RandomDataset(seed: int | None = None) -> Dataset:  # its name
    """`Dataset.random`.

    Args:
      seed: what decides the numbers.

    >>> len(list(tf.data.experimental.RandomDataset(3).take(2)))
    2
    """
    return Dataset.random(seed)


def get_structure(dataset_or_iterator: Any) -> Structure:
    """The `element_spec` of a dataset or an iterator.

    Args:
      dataset_or_iterator: what has elements.

    >>> tf.data.experimental.get_structure(tf.data.Dataset.range(3))
    TensorSpec(shape=(), dtype=tf.int64, name=None)
    """
    return dataset_or_iterator.element_spec  # type: ignore[no-any-return]


def choose_from_datasets(
    datasets: Sequence[Dataset], choice_dataset: Dataset, stop_on_empty_dataset: bool = False
) -> Dataset:
    """`Dataset.choose_from_datasets`, which goes on where a dataset has ended.

    Args:
      datasets, choice_dataset, stop_on_empty_dataset: its arguments.

    >>> data = tf.data.experimental.choose_from_datasets([tf.data.Dataset.range(1)] * 2, tf.data.Dataset.range(2))
    >>> [int(n) for n in data]
    [0, 0]
    """
    return Dataset.choose_from_datasets(datasets, choice_dataset, stop_on_empty_dataset)
