"""What a graph does to the world, in program order: variables, printing, assertions, calls back into Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.errors import AssertionFailedError, InvalidArgumentError
from runtime.graph import HandleType, TensorType
from runtime.ops.op import kernel, op


def _read(variable: HandleType) -> TensorType:
    return TensorType(variable.dtype, variable.shape)


def _written(variable: HandleType, _: TensorType) -> TensorType:
    return TensorType(variable.dtype, variable.shape)


read_variable = op("read_variable", _read, "{0}.array", tf="ReadVariableOp", effect="read")
assign = op("assign", _written, "{0}.write({1})", tf="AssignVariableOp", effect="write")
assign_add = op("assign_add", _written, "{0}.write({0}.array + {1})", tf="AssignAddVariableOp", effect="write")
assign_sub = op("assign_sub", _written, "{0}.write({0}.array - {1})", tf="AssignSubVariableOp", effect="write")


def _nothing(*_: Any, **__: Any) -> tuple[()]:
    return ()


@kernel
def show(
    *values: Any, template: Any, sep: str = " ", end: str = "\n", stream: Any = "stderr", summarize: int = 3
) -> None:
    """Print values as `runtime.print` does."""
    from runtime.printing import text

    line = text(template, list(values), sep, summarize) + end
    if isinstance(stream, str) and stream.startswith("file://"):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(line)
        return
    out = {"stdout": sys.stdout, "stderr": sys.stderr}[stream] if isinstance(stream, str) else stream
    out.write(line)
    out.flush()


print_ = op(
    "print",
    _nothing,
    "show({*}, template={template}, sep={sep}, end={end}, stream={stream}, summarize={summarize})",
    tf="PrintV2",
    effect="write",
    render=lambda inputs, attributes: f"show({', '.join([*inputs, _extra(attributes)])})",
)


def _extra(attributes: Any) -> str:
    usual = {"sep": " ", "end": "\n", "stream": "stderr", "summarize": 3}
    return ", ".join(f"{k}={v!r}" for k, v in attributes.items() if usual.get(k, os) != v)


@kernel
def check(test: Any, *values: Any, message: str, python: bool) -> None:
    """Raise unless every element of the condition holds."""
    if np.all(test):
        return
    if python:
        raise AssertionFailedError(message)
    from runtime.printing import text

    shown = "".join(f" [{text([i], [v], ' ', 3)}]" for i, v in enumerate(values))
    raise InvalidArgumentError(f"{message}{shown}")


assert_ = op("assert", _nothing, "check({*}, message={message}, python={python})", tf="Assert", effect="write")


@kernel
def call_python(*values: Any, function: Callable[..., Any], dtypes: Sequence[Any]) -> Any:
    """Call a Python function with eager tensors; check and convert what it returns."""
    from runtime.tensor import EagerTensor, convert_to_tensor

    result = function(*(EagerTensor.of(v) for v in values))
    if not dtypes:
        return ()
    results = result if len(dtypes) > 1 or isinstance(result, list | tuple) else [result]
    if len(results) != len(dtypes):
        raise InvalidArgumentError(f"the Python function returned {len(results)} values, {len(dtypes)} were announced")
    arrays = tuple(convert_to_tensor(r, dtype=d).array for r, d in zip(results, dtypes))
    return arrays if len(arrays) != 1 else arrays[0]


def _called(*_: Any, dtypes: Sequence[Any], **__: Any) -> Any:
    types = tuple(TensorType(d, None) for d in dtypes)
    return types if len(types) != 1 else types[0]


py_function = op(
    "py_function",
    _called,
    "call_python({*}, function={function}, dtypes={dtypes})",
    tf="EagerPyFunc",
    effect="write",
)
