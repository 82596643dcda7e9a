"""What TensorFlow has under a name that says it may change: NumPy's functions on tensors, and optional elements."""

from runtime.datasets.optionals import Optional
from runtime.experimental import numpy

__all__ = ["Optional", "numpy"]
