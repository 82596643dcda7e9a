"""What an operation is, and how one is declared."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from runtime import shapes
from runtime.dtypes import DType, as_dtype
from runtime.graph import TensorType, Type

F = TypeVar("F", bound=Callable[..., Any])
Rule = Callable[..., Any]  # (*input types, **attributes) -> type or tuple of types


@dataclass(frozen=True, eq=False)
class Op:
    """One row of the table.

    `text` is the NumPy expression that computes it: ``{0}`` is the first input, ``{*}`` all of them, ``{name}`` an
    attribute. It is what a printed graph shows, what the NumPy executor runs and what eager execution calls.
    `rule` gives the result's type from the inputs' types; `numpy` are the NumPy functions that mean this operation;
    `tensorflow` is its name there; `effect` is ``write``, ``read`` or nothing; `literals` says whether a Python number
    may stand for a constant operand in the text.
    """

    name: str
    text: str
    rule: Rule
    numpy: tuple[Any, ...] = ()
    tensorflow: str = ""
    effect: str = ""
    literals: bool = False
    render: Callable[[Sequence[str], Mapping[str, Any]], str] | None = None
    keeps_weak: bool = False

    @functools.cached_property
    def kernel(self) -> Callable[..., Any]:
        """The operation on NumPy arrays: ``kernel(*inputs, **attributes)``."""
        attributes = list(dict.fromkeys(re.findall(r"{([a-z_]+)}", self.text)))
        count = max([int(n) + 1 for n in re.findall(r"{(\d+)}", self.text)], default=0)
        inputs = [f"x{i}" for i in range(count)]
        variadic = "{*}" in self.text
        parameters = ["*xs"] if variadic else inputs
        body = self.expression(parameters, {a: a for a in attributes}, str)
        star = ["*"] if attributes and not variadic else []
        source = f"lambda {', '.join([*parameters, *star, *attributes, '**_'])}: {body}"
        kernel: Callable[..., Any] = eval(source, dict(NAMESPACE))
        return kernel

    def expression(
        self, inputs: Sequence[str], attributes: Mapping[str, Any], show: Callable[[Any], str] | None = None
    ) -> str:
        """The text with inputs and attributes filled in."""
        if self.render is not None and show is None:
            return self.render(inputs, attributes)
        shown = show or show_attribute

        def fill(match: re.Match[str]) -> str:
            key = match[1]
            if key == "*":
                return ", ".join(inputs)
            return inputs[int(key)] if key.isdigit() else shown(attributes[key])

        return re.sub(r"{(\*|\d+|[a-z_]+)}", fill, self.text)


OPS: dict[str, Op] = {}
NUMPY: dict[Any, Op] = {}
NAMESPACE: dict[str, Any] = {"np": np}  # what the texts may name


def op(
    name: str,
    rule: Rule,
    text: str,
    *,
    numpy: Any = (),
    tf: str = "",
    effect: str = "",
    literals: bool = False,
    render: Callable[[Sequence[str], Mapping[str, Any]], str] | None = None,
    keeps_weak: bool = False,
) -> Op:
    """Add a row to the table."""
    functions = numpy if isinstance(numpy, tuple) else (numpy,)
    row = Op(name, text, rule, functions, tf or _camel(name), effect, literals, render, keeps_weak)
    assert name not in OPS, f"two rows for {name}"
    OPS[name] = row
    NUMPY.update(dict.fromkeys(functions, row))
    return row


def _camel(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))


def kernel(function: F) -> F:
    """Let the texts of rows name this function."""
    assert function.__name__ not in NAMESPACE, f"two kernels {function.__name__}"
    NAMESPACE[function.__name__] = function
    return function


# Rules that many rows share.


def elementwise(name: str, text: str, **columns: Any) -> Op:
    """A row for an operation on each element: broadcast shapes, and the dtype that NumPy gives."""
    row: Op

    def rule(*types: TensorType) -> TensorType:
        dtype = _numpy_result(row, tuple(t.dtype for t in types))
        return TensorType(dtype, shapes.broadcast(*(t.shape for t in types)), all(t.weak for t in types))

    row = op(name, rule, text, literals=True, keeps_weak=True, **columns)
    return row


@functools.cache
def _numpy_result(row: Op, dtypes: tuple[DType, ...]) -> DType:
    samples = [np.ones(1, d.dtype) for d in dtypes]
    try:
        with np.errstate(all="ignore"):
            return as_dtype(np.asarray(row.kernel(*samples)).dtype)
    except TypeError as error:
        names = " and ".join(d.name for d in dtypes)
        raise TypeError(f"{row.name} is not defined for {names}") from error


def same_type(x: TensorType, *_: Type, **__: Any) -> TensorType:
    """The type of the first input."""
    return TensorType(x.dtype, x.shape)


def show_attribute(value: Any) -> str:
    """An attribute as NumPy code."""
    if isinstance(value, list):
        return f"[{', '.join(map(show_attribute, value))}]"
    return f"np.{value.dtype.type.__name__}" if isinstance(value, DType) else repr(value)
