"""Whose value something in a graph is to the program: that decides its text, and what is made of it."""

from __future__ import annotations

from enum import StrEnum


class Owner(StrEnum):
    """A tensor, a number or text of Python's, a number of NumPy's, an array of NumPy's, which can be written, or a
    range."""

    TENSOR = "tensor"
    PYTHON = "Python"
    NUMPY = "NumPy"
    ARRAY = "array"
    RANGE = "range"
    NOBODY = "nobody"  # of the elements of a list that has none, and of which nothing is known
