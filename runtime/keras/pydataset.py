"""Data that Python gives batch by batch: `keras.utils.PyDataset`."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator

from runtime.tensors.types import Structure


class PyDataset:
    """A base for data of which Python gives one batch after another, by number.

    A class of one's own defines ``__len__``, how many batches there are, and ``__getitem__``, the batch of a number:
    ``x``, ``(x, y)`` or ``(x, y, sample_weight)``. `fit` shuffles the batches of each epoch, unless it is given
    ``shuffle=False``.

    Args:
      workers, use_multiprocessing, max_queue_size: accepted; batches are asked for one after another.

    >>> class Squares(tf.keras.utils.PyDataset):
    ...     def __len__(self):
    ...         return 2
    ...     def __getitem__(self, index):
    ...         x = np.array([[index]], np.float32)
    ...         return x, x ** 2
    >>> model = tf.keras.Sequential([tf.keras.layers.Dense(1, kernel_initializer="zeros")])
    >>> model.compile("sgd", "mse")
    >>> model.evaluate(Squares(), verbose=0)
    0.5
    """

    workers, use_multiprocessing, max_queue_size = 1, False, 10  # of classes, too, that do not call __init__

    def __init__(self, workers: int = 1, use_multiprocessing: bool = False, max_queue_size: int = 10) -> None:
        self.workers, self.use_multiprocessing, self.max_queue_size = workers, use_multiprocessing, max_queue_size

    @property
    def num_batches(self) -> int | None:
        """How many batches there are: ``len(self)``, unless a class of one's own says something else.

        Returns: the number; None if they do not end.

        >>> class Two(tf.keras.utils.PyDataset):
        ...     def __len__(self):
        ...         return 2
        >>> Two().num_batches
        2
        """
        size: Callable[[], int] | None = getattr(self, "__len__", None)
        if size is None:
            raise NotImplementedError(f"{type(self).__name__} defines neither __len__(self) nor a property num_batches")
        return size()

    def __getitem__(self, index: int) -> Structure:
        """The batch of this number. A class of one's own defines this.

        Args:
          index: the number, from 0 on.
        Returns: a batch.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__(self, index)")

    def __iter__(self) -> Iterator[Structure]:
        count = self.num_batches
        return (self[index] for index in (itertools.count() if count is None else range(count)))

    def on_epoch_begin(self) -> None:
        """Called before the batches of an epoch are asked for; does nothing by itself."""

    def on_epoch_end(self) -> None:
        """Called after each epoch, and once before the first of `fit` and `evaluate`: to shuffle examples, say.

        It does nothing by itself.
        """
