"""Sequences of whole numbers: all of one length, and pairs of words that stand near each other."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import NumPyArray
from runtime.keras.utils import pad_sequences

__all__ = ["make_sampling_table", "pad_sequences", "skipgrams"]

_EULER = 0.577  # the constant, with the digits that such tables are made with


def make_sampling_table(size: int, sampling_factor: float = 1e-5) -> NumPyArray:
    """How likely each word is to be kept, so that frequent ones come less often.

    Words are numbered by how frequent they are, which is as Zipf's law has it.

    Args:
      size: how many words there are.
      sampling_factor: the less it is, the fewer are kept.
    Returns: an array of shape [size], of float64.

    >>> tf.keras.preprocessing.sequence.make_sampling_table(3, 0.1).round(3)
    array([0.315, 0.315, 0.548])
    """
    rank = np.maximum(np.arange(size), 1)
    rareness = rank * (np.log(rank) + _EULER) + 0.5 - 1.0 / (12.0 * rank)
    found: NumPyArray = np.minimum(1.0, np.sqrt(sampling_factor * rareness))
    return found


def skipgrams(
    sequence: Sequence[int],
    vocabulary_size: int,
    window_size: int = 4,
    negative_samples: float = 1.0,
    shuffle: bool = True,
    categorical: bool = False,
    sampling_table: Sequence[float] | NumPyArray | None = None,
    seed: int | None = None,
) -> tuple[list[list[int]], list[int] | list[list[int]]]:
    """Pairs of words that stand near each other, and pairs of words with random ones, as word2vec learns from them.

    Args:
      sequence: the numbers of words; 0 is no word.
      vocabulary_size: how many words there are, and one more for 0.
      window_size: how far apart the words of a pair are at most.
      negative_samples: how many random pairs there are for each of the others.
      shuffle: whether pairs come in random order.
      categorical: whether labels are vectors of two, and not 1 and 0.
      sampling_table: how likely each word is to be the first of pairs; certain by default.
      seed: what decides the order. Other random numbers are those of Python's module `random`.
    Returns: the pairs, and for each a label: whether it is one of words that stand near each other.

    >>> tf.keras.preprocessing.sequence.skipgrams([1, 2, 3], 4, window_size=1, negative_samples=0, shuffle=False)
    ([[1, 2], [2, 1], [2, 3], [3, 2]], [1, 1, 1, 1])
    """
    yes, no = ([0, 1], [1, 0]) if categorical else (1, 0)
    pairs: list[list[int]] = []
    for at, word in enumerate(sequence):
        if not word or (sampling_table is not None and sampling_table[word] < random.random()):
            continue
        near = [*sequence[max(0, at - window_size) : at], *sequence[at + 1 : at + window_size + 1]]
        pairs += [[word, other] for other in near if other]
    labels = [yes] * len(pairs)
    if negative_samples > 0 and pairs:
        words, count = [word for word, _ in pairs], int(len(pairs) * negative_samples)
        random.shuffle(words)
        pairs += [[words[at % len(words)], random.randint(1, vocabulary_size - 1)] for at in range(count)]
        labels += [no] * count
    if shuffle:
        drawn = random.randint(0, 10**7) if seed is None else seed
        random.Random(drawn).shuffle(pairs)
        random.Random(drawn).shuffle(labels)
    return pairs, labels  # type: ignore[return-value]  # of one kind
