"""What a program says of types."""

import types as _types

from runtime.functions.keys import TraceType as _TraceType
from runtime.tensors.types import TensorLike as _TensorLike

__all__ = ["experimental"]

# What TensorFlow has under a name that says it may change.
experimental = _types.SimpleNamespace(TensorLike=_TensorLike, TraceType=_TraceType)
