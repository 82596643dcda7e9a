"""What users know of an operation: by which names they call it, and what its documentation says."""

from __future__ import annotations

from typing import NamedTuple

# What results are, of functions of elements: a test holds these words against the rules.
SAME = "of the dtype of `x`"
FLOAT = (
    "of the dtype of `x` if those are floats or complex numbers;\n"
    "  integers and booleans become floats that hold them, float64 for 32 bits and more"
)
NUMBERS = "of the dtype of `x`, or int8 for booleans"
REAL = "of the dtype of `x`, or of its parts if the numbers are complex"
PROMOTED = "of the dtype that both promote to"
WHOLE = "of the dtype that both\n  promote to, or int8 if that is one of booleans"
QUOTIENT = "of the dtype that both\n  promote to, or float64 if that is one of integers or booleans"
ANGLE = "of floats"
ANGLES = "of the floats that both\n  promote to, or that hold what both promote to"
BITS = "of the dtype that both\n  promote to, which must be one of integers or booleans"
SHIFTED = "of the dtype that both\n  promote to, which must be one of integers; booleans are taken for int8"
BOOL = "of booleans"


class Public(NamedTuple):
    """The part of a row that users read.

    names: by which they call it, each in its namespace: ``abs math.abs``.
    summary: the first line of its documentation.
    result: what its result is, as in "a tensor of the shape of `x`, of booleans".
    example, shown: a call by the first line's name, and the result's elements as they are printed.
    """

    names: str
    summary: str
    result: str
    example: str
    shown: str
