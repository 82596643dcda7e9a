"""Data that Python gives batch by batch: `keras.utils.PyDataset`."""

from __future__ import annotations

from collections.abc import Iterator

from runtime.tensors.types import Structure


class PyDataset:
    """A base for data of which Python gives one batch after another, by number.

    A class of one's own defines ``__len__``, how many batches there are, and ``__getitem__``, the batch of a number:
    ``x``, ``(x, y)`` or ``(x, y, sample_weight)``. `fit` shuffles the batches of each epoch, unless it is given
    ``shuffle=False``.

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

    def __len__(self) -> int:
        """How many batches there are. A class of one's own defines this."""
        raise NotImplementedError(f"{type(self).__name__} does not define __len__(self)")

    def __getitem__(self, index: int) -> Structure:
        """The batch of this number. A class of one's own defines this.

        Args:
          index: the number, from 0 on.
        Returns: a batch.
        """
        raise NotImplementedError(f"{type(self).__name__} does not define __getitem__(self, index)")

    def __iter__(self) -> Iterator[Structure]:
        return (self[index] for index in range(len(self)))

    def on_epoch_begin(self) -> None:
        """Called before the batches of an epoch are asked for; does nothing by itself."""

    def on_epoch_end(self) -> None:
        """Called when all batches of an epoch have been given, to shuffle examples, say; does nothing by itself."""
