"""Derivatives forwards: in one direction, for all that is computed."""

from runtime.gradients.forward import ForwardAccumulator as ForwardAccumulator
from runtime.tensors.public import face as _face

__getattr__, __dir__ = _face("autodiff", globals())
