"""Datasets, and the iterators over them that graphs of TensorFlow 1 have."""

from sys import modules as _modules

from runtime.compat.iterators import (
    Iterator as Iterator,
    make_initializable_iterator as make_initializable_iterator,
    make_one_shot_iterator as make_one_shot_iterator,
)

__all__ = ["Iterator", "make_initializable_iterator", "make_one_shot_iterator"]


def __getattr__(name: str) -> object:
    """What `runtime.data` has, too."""
    return getattr(_modules["runtime"].data, name)


def __dir__() -> list[str]:
    return sorted({*__all__, *_modules["runtime"].data.__all__})
