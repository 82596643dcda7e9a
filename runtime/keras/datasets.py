"""Data to learn from: what packages ship with their files; nothing is loaded from a network."""

from __future__ import annotations

from importlib.util import find_spec
from types import SimpleNamespace
from typing import NoReturn, TypeAlias

import numpy as np

from runtime.graph.dtypes import NumPyArray

Examples: TypeAlias = tuple[NumPyArray, NumPyArray]  # inputs and targets

__all__ = [
    "boston_housing", "california_housing", "cifar10", "cifar100", "digits", "fashion_mnist", "imdb", "mnist",
    "reuters",
]  # fmt: skip


def _load_digits(test_split: float = 0.25, seed: int = 113) -> tuple[Examples, Examples]:
    """Handwritten digits: 1797 images of 8 by 8 pixels, which scikit-learn ships.

    Args:
      test_split: the part that is kept to test with.
      seed: what decides which ones.
    Returns: ``(x_train, y_train), (x_test, y_test)``: images of shape [n, 8, 8] and of dtype uint8, from 0 to 16, and
      numbers of shape [n], from 0 to 9.
    Raises:
      ModuleNotFoundError: where scikit-learn is not installed.
    """
    if find_spec("sklearn") is None:
        raise ModuleNotFoundError(
            "keras.datasets.digits reads the digits that scikit-learn ships: pip install scikit-learn", name="sklearn"
        )
    from sklearn.datasets import load_digits

    if not 0 < test_split < 1:
        raise ValueError(f"test_split={test_split!r}: it is a number between 0 and 1")
    found = load_digits()
    images, numbers = found.images.astype(np.uint8), found.target.astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(images))
    cut = int(len(images) * (1 - test_split))
    images, numbers = images[order], numbers[order]
    return (images[:cut], numbers[:cut]), (images[cut:], numbers[cut:])


def _absent(name: str) -> SimpleNamespace:
    def load_data(*args: object, **kwargs: object) -> NoReturn:
        raise NotImplementedError(
            f"keras.datasets.{name} would be loaded from a network, which nothing here does. Save its arrays to a "
            "file, where you have it, by np.savez, and read them by np.load; or use keras.datasets.digits, the "
            "handwritten digits that scikit-learn ships."
        )

    return SimpleNamespace(load_data=load_data)


digits = SimpleNamespace(load_data=_load_digits)
mnist, fashion_mnist, cifar10, cifar100 = map(_absent, ("mnist", "fashion_mnist", "cifar10", "cifar100"))
imdb, reuters = map(_absent, ("imdb", "reuters"))
boston_housing, california_housing = map(_absent, ("boston_housing", "california_housing"))
