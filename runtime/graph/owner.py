"""Whose value something in a graph is to the program: that decides its text, and what is made of it."""

from __future__ import annotations

from enum import StrEnum


class Owner(StrEnum):
    """A tensor, a number of Python's or of NumPy's, or an array of NumPy's, which can be written."""

    TENSOR = "tensor"
    PYTHON = "Python"
    NUMPY = "NumPy"
    ARRAY = "array"
