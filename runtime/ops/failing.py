"""Whether an operation would fail, and what it would say, for programs that catch that."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from runtime.graph.dtypes import DType, int8
from runtime.graph.graph import TensorType, Type
from runtime.graph.op import OPS, always, kernel, op
from runtime.ops.strings import one_text


@kernel
def attempt(name: str, named: Sequence[tuple[str, object]], kinds: Sequence[str], *inputs: object) -> np.int8:
    """Which of some kinds of exceptions an operation raises for these arrays, from 1; 0 for none of them."""
    error = _raised(name, named, inputs)  # one of another kind the operation itself raises
    names = [kind.__name__ for kind in type(error).__mro__]
    return np.int8(next((number for number, kind in enumerate(kinds, 1) if kind in names), 0))


def _raised(name: str, named: Sequence[tuple[str, object]], inputs: Sequence[object]) -> Exception | None:
    shown = {key: value.as_numpy_dtype if isinstance(value, DType) else value for key, value in named}
    try:
        with np.errstate(all="ignore"):
            OPS[name].kernel(*inputs, **shown)
    except Exception as error:
        return error
    return None


def _attempted(
    *inputs: Type, name: str, named: Sequence[tuple[str, object]], kinds: Sequence[str]
) -> TensorType:  # fmt: skip
    return TensorType(int8, ())


attempted = op(
    "attempted", _attempted, "attempt({name}, {named}, {kinds}, {*})", keeps_weak=True, shares=always, total=always
)


@kernel
def words(name: str, named: Sequence[tuple[str, object]], *inputs: object) -> object:
    """What an operation says when it fails for these arrays."""
    result = np.empty((), object)
    result[()] = str(_raised(name, named, inputs)).encode()
    return result


told = op("told", one_text, "words({name}, {named}, {*})", keeps_weak=True, shares=always, total=always)
