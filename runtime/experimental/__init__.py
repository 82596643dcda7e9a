"""What TensorFlow has under a name that says it may change: NumPy's functions on tensors."""

from runtime.experimental import numpy

__all__ = ["numpy"]
