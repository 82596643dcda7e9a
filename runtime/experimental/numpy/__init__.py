"""NumPy's functions, which take what becomes tensors and give tensors, of the dtypes that NumPy has.

All functions of `numpy` that have a meaning for tensors are here, by NumPy's names and arguments, eagerly and in
graphs, with NumPy's dtypes and numbers, and `random`. Tensors have NumPy's methods, too, wherever they come from.

>>> import runtime.experimental.numpy as tnp
>>> print(tnp.mean(tnp.arange(4).reshape(2, 2), axis=0))
tf.Tensor([1. 2.], shape=(2,), dtype=float64)
>>> @tf.function
... def norm(x):
...     return tnp.sqrt(tnp.sum(tnp.square(x)))
>>> print(norm(tnp.array([3, 4])))
tf.Tensor(5.0, shape=(), dtype=float64)
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.experimental.numpy import random
from runtime.staging.numpy_protocol import coverage
from runtime.staging.numpy_protocol.meanings import MAKERS
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor, is_tensor
from runtime.tensors.tensor import Tensor as ndarray

__all__ = ["experimental_enable_numpy_behavior", "ndarray", "random"]

# What is not about what arrays hold, and is NumPy's own here.
_PLAIN = frozenset("e euler_gamma finfo iinfo inf isscalar issubdtype nan newaxis pi promote_types".split())


def experimental_enable_numpy_behavior(
    prefer_float32: bool = False, dtype_conversion_mode: str = "legacy"
) -> None:  # fmt: skip
    """Nothing: tensors have NumPy's methods, brackets and operators here in any case.

    Args:
      prefer_float32: must be False: Python's numbers become float64 where NumPy makes arrays of them.
      dtype_conversion_mode: must be ``"legacy"``: tensors of different dtypes promote as in NumPy.
    Raises:
      NotImplementedError: for anything else.

    >>> tf.experimental.numpy.experimental_enable_numpy_behavior()
    """
    if prefer_float32 or dtype_conversion_mode != "legacy":
        raise NotImplementedError(
            f"prefer_float32={prefer_float32!r} and dtype_conversion_mode={dtype_conversion_mode!r}: numbers become "
            "float64, and tensors promote, as in NumPy; say dtype= where it is to be another"
        )


@functools.cache
def _names() -> dict[str, object]:
    """What there is: NumPy's functions that have a meaning for tensors, its dtypes and its numbers."""
    rows = {row.name for row in coverage.functions() if row.state in (coverage.State.NATIVE, coverage.State.NUMPY)}
    functions = {name: _of_tensors(getattr(np, name)) for name in rows if "." not in name}
    dtypes = {kind.__name__ for kind in np.sctypeDict.values() if kind.__module__ == "numpy"}
    return functions | {name: getattr(np, name) for name in _PLAIN | dtypes if hasattr(np, name)}


def _of_tensors(function: Callable[..., object]) -> Callable[..., object]:
    making = MAKERS.get(function)

    @functools.wraps(function)
    def computed(*args: object, **kwargs: object) -> object:
        does: Callable[..., object] = function
        if any(is_tensor(leaf) for leaf in nest.flatten([args, kwargs])):  # arrays beside it promote as tensors do
            does, (args, kwargs) = making or function, _as_tensors((args, kwargs))  # type: ignore[misc]
        return _as_tensors(does(*args, **kwargs))

    return computed


def _as_tensors(made: object) -> object:
    return nest.map_structure(lambda v: convert_to_tensor(v) if isinstance(v, np.ndarray | np.generic) else v, made)


def __getattr__(name: str) -> Any:
    found = _names().get(name)
    if found is None and name not in _names():
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}: it has NumPy's functions of arrays")
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *_names()})
