"""Tensors that must be finite: one at a time, or all that operations make."""

from __future__ import annotations

import linecache

import numpy as np

from runtime.graph import settings
from runtime.graph.op import Op
from runtime.ops import effects, elementwise as ew, reduce
from runtime.tensors.conversion import operand
from runtime.tensors.frames import user_place
from runtime.tensors.operations import Checks, apply, apply_all
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import TensorLike


def check_numerics(tensor: TensorLike, message: str, name: str | None = None) -> Tensor:
    """A tensor; raises InvalidArgumentError if an element is NaN or infinite: at once, or when the graph runs.

    Args:
      tensor: a tensor of any shape, of floats or complex numbers.
      message: what the error begins with.
    Returns: the tensor.
    Raises:
      InvalidArgumentError: if it has elements that are not finite.
      TypeError: for elements of other dtypes, which are always finite.

    >>> print(tf.debugging.check_numerics([1.0, 2.0], "the loss"))
    tf.Tensor([1. 2.], shape=(2,), dtype=float32)
    >>> tf.debugging.check_numerics([1.0, np.inf], "the loss")
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: the loss : Tensor had Inf values
    """
    x = operand(tensor)
    if not (x.dtype.is_floating or x.dtype.is_complex):
        raise TypeError(f"check_numerics of {x.dtype.name}: only floats and complex numbers can be NaN or infinite")
    _check(x, f"{message} : Tensor had {{}} values")
    return x


def _check(x: Tensor, message: str) -> None:
    """Raise, or have the graph raise, an error that says in the braces of its message what a tensor has."""
    nan, inf = (apply(reduce.reduce_any, apply(row, x), axis=None, keepdims=False) for row in (ew.is_nan, ew.is_inf))
    both = apply(ew.logical_and, nan, inf)
    for found, words in ((both, "Inf and NaN"), (nan, "NaN"), (inf, "Inf")):
        fine = apply(ew.logical_not, found)
        apply_all(effects.assert_, fine, message=message.format(words), python=False)


def enable_check_numerics(stack_height_limit: int = 30, path_length_limit: int = 50) -> None:
    """Have every operation raise that makes a float which is NaN or infinite; the error names the user's line.

    It holds for the whole process, for operations that run at once and for the graphs of functions, which are traced
    anew for it. ConcreteFunctions stay as they are. What is there already is not looked at: arguments, constants, and
    the values that Variables have.

    Args:
      stack_height_limit, path_length_limit: accepted; they cut the longer messages of TensorFlow.
    Raises:
      InvalidArgumentError: from then on, by such an operation, for a result of any shape.

    >>> tf.debugging.enable_check_numerics()
    >>> tf.math.log(-1.0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
        ...
    runtime.errors.InvalidArgumentError: log gave NaN, float32 of shape (): tf.math.log(-1.0) ...
    >>> tf.debugging.disable_check_numerics()
    >>> print(tf.math.log(-1.0))
    tf.Tensor(nan, shape=(), dtype=float32)
    """
    settings.check_numerics(True)


def disable_check_numerics() -> None:
    """Have operations make what they make again, whether it is finite or not, of whatever shape.

    >>> tf.debugging.disable_check_numerics()
    """
    settings.check_numerics(False)


def _made(op: Op, results: object) -> None:
    """Check what an operation has made, or will make when the graph runs."""
    if op.effect == "read":
        return
    for x in results if isinstance(results, tuple) else (results,):
        if not isinstance(x, Tensor) or not (x.dtype.is_floating or x.dtype.is_complex):
            continue
        if isinstance(x, EagerTensor) and np.isfinite(x.array).all():
            continue
        place = user_place()
        line = linecache.getline(place.filename, place.line).strip() if place is not None else ""
        where = f": {line} ({place.filename}:{place.line})".replace("{", "{{").replace("}", "}}") if place else ""
        _check(x, f"{op.stem} gave {{}}, {x.dtype.name} of shape {x.shape}{where}")


Checks.made = _made
