"""Texts of Python's as bytes, and the other way round, by TensorFlow's names."""

from __future__ import annotations

__all__ = ["as_bytes", "as_str", "as_str_any", "as_text"]


def as_bytes(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> bytes:
    """A text of Python's as bytes.

    Args:
      bytes_or_text: a str, or bytes, which stay what they are.
      encoding: how characters become bytes.
    Raises:
      TypeError: for anything else.

    >>> tf.compat.as_bytes("ä"), tf.compat.as_bytes(b"a")
    (b'\\xc3\\xa4', b'a')
    """
    if isinstance(bytes_or_text, bytes | bytearray):
        return bytes(bytes_or_text)
    if isinstance(bytes_or_text, str):
        return bytes_or_text.encode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


def as_text(bytes_or_text: str | bytes | bytearray, encoding: str = "utf-8") -> str:
    """Bytes as a text of Python's.

    Args:
      bytes_or_text: bytes, or a str, which stays what it is.
      encoding: how bytes become characters.
    Raises:
      TypeError: for anything else.

    >>> tf.compat.as_text(tf.constant("ä").numpy()), tf.compat.as_text("a")
    ('ä', 'a')
    """
    if isinstance(bytes_or_text, str):
        return bytes_or_text
    if isinstance(bytes_or_text, bytes | bytearray):
        return bytes_or_text.decode(encoding)
    raise TypeError(f"Expected binary or unicode string, got {bytes_or_text!r}")


as_str = as_text


def as_str_any(value: object, encoding: str = "utf-8") -> str:
    """Anything as a text of Python's: bytes by their characters, all else by ``str``.

    Args:
      value: anything.
      encoding: how bytes become characters.

    >>> tf.compat.as_str_any(b"a"), tf.compat.as_str_any(3)
    ('a', '3')
    """
    return as_text(value, encoding) if isinstance(value, bytes | bytearray) else str(value)
