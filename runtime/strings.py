"""Operations on string tensors."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.graph.dtypes import as_dtype
from runtime.ops import strings as ops
from runtime.tensors.conversion import operand
from runtime.tensors.operations import apply
from runtime.tensors.public import face as _face
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import DTypeLike, TensorLike

__all__ = ["as_string", "join", "length", "lower", "strip", "to_number", "upper"]


def join(inputs: Sequence[TensorLike], separator: str = "", name: str | None = None) -> Tensor:
    """Texts put together, element by element.

    Args:
      inputs: tensors of strings whose shapes broadcast.
      separator: what stands between them.
    Returns: a tensor of strings of the shape to which they broadcast.
    Raises:
      ValueError: if the shapes do not go together.

    >>> print(tf.strings.join([["a", "b"], "c"], separator="-"))
    tf.Tensor([b'a-c' b'b-c'], shape=(2,), dtype=string)
    """
    return apply(ops.join, *(operand(x) for x in inputs), separator=separator.encode())


def as_string(input: TensorLike, precision: int = -1, name: str | None = None) -> Tensor:
    """Numbers and booleans as text.

    Args:
      input: a tensor of any shape.
      precision: how many digits come behind the point, for floats alone; as many as it takes by default.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: if `precision` is given for other elements than floats.

    >>> print(tf.strings.as_string([1, 20]))
    tf.Tensor([b'1' b'20'], shape=(2,), dtype=string)
    >>> print(tf.strings.as_string(2 / 3, precision=2))
    tf.Tensor(b'0.67', shape=(), dtype=string)
    """
    x, digits = operand(input), int(precision)
    if digits < 0:
        return apply(ops.as_string, x)
    if not x.dtype.is_floating:
        raise ValueError(
            f"as_string of {x.dtype.name} with precision={digits}: only floats have digits behind the point"
        )
    return apply(ops.fixed, x, digits=digits)


def length(input: TensorLike, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The length of texts.

    Args:
      input: a tensor of strings, of any shape.
      unit: ``"BYTE"``, or ``"UTF8_CHAR"`` for letters.
    Returns: an int32 tensor of the shape of `input`.
    Raises:
      ValueError: for another unit.

    >>> print(tf.strings.length(["a", "abc"]))
    tf.Tensor([1 3], shape=(2,), dtype=int32)
    """
    if unit not in ("BYTE", "UTF8_CHAR"):
        raise ValueError(f"unit={unit!r}: it is 'BYTE' or 'UTF8_CHAR'")
    return apply(ops.length, operand(input), unit=unit)


def lower(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Texts in lower case.

    Args:
      input: a tensor of strings, of any shape.
      encoding: ``""``, by which only the letters of ASCII change, or ``"utf-8"`` for all.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for another encoding.

    >>> print(tf.strings.lower(["Ab", "C"]))
    tf.Tensor([b'ab' b'c'], shape=(2,), dtype=string)
    """
    return apply(ops.changed_text if _is_utf8(encoding) else ops.lower, operand(input), **_how("lower", encoding))


def upper(input: TensorLike, encoding: str = "", name: str | None = None) -> Tensor:
    """Texts in upper case.

    Args:
      input: a tensor of strings, of any shape.
      encoding: ``""``, by which only the letters of ASCII change, or ``"utf-8"`` for all.
    Returns: a tensor of strings of the shape of `input`.
    Raises:
      ValueError: for another encoding.

    >>> print(tf.strings.upper(["Ab", "C"]))
    tf.Tensor([b'AB' b'C'], shape=(2,), dtype=string)
    """
    return apply(ops.changed_text if _is_utf8(encoding) else ops.upper, operand(input), **_how("upper", encoding))


def _is_utf8(encoding: str) -> bool:
    if encoding not in ("", "utf-8"):
        raise ValueError(f"encoding={encoding!r}: it is '' (for ASCII) or 'utf-8'")
    return encoding == "utf-8"


def _how(change: str, encoding: str) -> dict[str, str]:
    return {"how": change} if encoding else {}


def strip(input: TensorLike, name: str | None = None) -> Tensor:
    """Texts without white space at both ends.

    Args:
      input: a tensor of strings, of any shape.
    Returns: a tensor of strings of the shape of `input`.

    >>> print(tf.strings.strip([" a b "]))
    tf.Tensor([b'a b'], shape=(1,), dtype=string)
    """
    return apply(ops.strip, operand(input))


def to_number(input: TensorLike, out_type: DTypeLike = "float32", name: str | None = None) -> Tensor:
    """Texts read as numbers.

    Args:
      input: a tensor of strings, of any shape.
      out_type: the dtype of the result, float32 by default.
    Returns: a tensor of the shape of `input`.
    Raises:
      ValueError: for a text that is no such number, when it is run.

    >>> print(tf.strings.to_number(["1.5", "-2"]))
    tf.Tensor([ 1.5 -2. ], shape=(2,), dtype=float32)
    """
    return apply(ops.to_number, operand(input), dtype=as_dtype(out_type))


__getattr__, __dir__ = _face("strings", globals())
