"""Bitwise operations of integers."""

from runtime.tensors.mathematics import (
    bitwise_and as bitwise_and,
    bitwise_or as bitwise_or,
    bitwise_xor as bitwise_xor,
    invert as invert,
    left_shift as left_shift,
    right_shift as right_shift,
)
from runtime.tensors.public import face as _face

__getattr__, __dir__ = _face("bitwise", globals())
