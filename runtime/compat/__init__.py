"""What programs of earlier versions of TensorFlow need: `v1` has graphs, sessions and placeholders."""

from runtime.compat import v1

__all__ = ["v1"]
