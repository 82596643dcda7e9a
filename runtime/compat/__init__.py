"""What programs of earlier versions of TensorFlow need: `v1` has graphs, sessions and placeholders."""

from runtime.compat import v1
from runtime.compat.texts import as_bytes, as_str, as_str_any, as_text

__all__ = ["as_bytes", "as_str", "as_str_any", "as_text", "v1"]
