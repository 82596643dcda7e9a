"""Printing, Python callbacks and control dependencies: what happens when the graph runs, in program order."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime.graph.dtypes import DType, as_dtype
from runtime.graph.errors import InvalidArgumentError
from runtime.ops import effects
from runtime.tensors import nest
from runtime.tensors.arrays import TensorArray
from runtime.tensors.conversion import convert_to_tensor, operand
from runtime.tensors.leaf_types import is_leaf
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, Tensor


def print_(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> None:
    """Print tensors when the graph runs (at once when eager), to standard error by default.

    Args:
      inputs: tensors, Python values, or nested structures of them.
      output_stream: a file, ``"file://PATH"``, or sys.stdout or sys.stderr.
      summarize: elements at each end of an axis before an ellipsis; -1 for all.
      sep, end: between the inputs and after the last.
    """
    values: list[Tensor] = []

    def leaf(part: Any) -> Any:
        if not is_leaf(part) or isinstance(part, str | bool | TensorArray):
            return str(part)
        values.append(operand(part))
        return len(values) - 1

    template = [nest.map_structure(leaf, p) for p in inputs]
    given = {"sep": sep, "end": end, "summarize": 3 if summarize is None else summarize}
    apply(effects.print_, *values, template=template, stream=_stream(output_stream), **given)


def _stream(given: Any) -> Any:
    """The standard streams by name, so that they are looked up when the graph runs."""
    if given is None or given is sys.stderr:
        return "stderr"
    return "stdout" if given is sys.stdout else given


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """Call a Python function with eager tensors each time the graph runs.

    Args:
      func: takes one eager tensor for each of `inp`.
      inp: a list of tensors.
      Tout: the dtype of the result, or a list of dtypes; an empty list for none.
    """
    single = not isinstance(Tout, list | tuple)
    dtypes = [as_dtype(t) for t in ([Tout] if single else Tout)]
    result = apply(effects.py_function, *(operand(x) for x in inp), function=_on_arrays(func), dtypes=dtypes)
    if not dtypes:
        return None
    return result if single else list(result) if isinstance(result, tuple) else [result]


def _on_arrays(function: Callable[..., Any]) -> Callable[..., Any]:
    """What calls a Python function with arrays as eager tensors, and checks and converts what it returns."""

    @functools.wraps(function, updated=())
    def called(arrays: Sequence[Any], dtypes: Sequence[DType]) -> tuple[Any, ...]:
        result = function(*map(EagerTensor.of, arrays))
        if not dtypes:
            return ()
        results = result if len(dtypes) > 1 or isinstance(result, list | tuple) else [result]
        if len(results) != len(dtypes):
            raise InvalidArgumentError(
                f"the Python function returned {len(results)} values, {len(dtypes)} were announced"
            )
        return tuple(convert_to_tensor(r, dtype=d).array for r, d in zip(results, dtypes))

    return called


def numpy_function(
    func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None
) -> Any:
    """Call a Python function with NumPy arrays each time the graph runs."""
    return py_function(lambda *tensors: func(*(t.numpy() for t in tensors)), inp, Tout)


@contextmanager
def control_dependencies(control_inputs: Any) -> Iterator[None]:
    """Accepted for TensorFlow's sake: effects run in program order anyway."""
    yield


@contextmanager
def name_scope(name: str) -> Iterator[str]:
    """Accepted for TensorFlow's sake: values are named after the user's variables."""
    yield f"{name}/"
