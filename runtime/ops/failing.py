"""Whether an operation would fail, for programs that catch that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import DType, int8
from runtime.graph.graph import TensorType, Type
from runtime.graph.op import OPS, always, kernel, op


@kernel
def attempt(name: str, named: Sequence[tuple[str, object]], kinds: Sequence[str], *inputs: object) -> np.int8:
    """Which of some kinds of exceptions an operation raises for these arrays, from 1; 0 for none of them."""
    row = OPS[name]
    shown = {key: value.as_numpy_dtype if isinstance(value, DType) else value for key, value in named}
    try:
        with np.errstate(all="ignore"):
            row.kernel(*inputs, **shown)
    except Exception as error:  # any other the operation itself raises
        names = [kind.__name__ for kind in type(error).__mro__]
        return np.int8(next((number for number, kind in enumerate(kinds, 1) if kind in names), 0))
    return np.int8(0)


def _attempted(
    *inputs: Type, name: str, named: Sequence[tuple[str, object]], kinds: Sequence[str]
) -> TensorType:  # fmt: skip
    return TensorType(int8, ())


attempted = op(
    "attempted", _attempted, "attempt({name}, {named}, {kinds}, {*})", keeps_weak=True, shares=always, total=always
)
