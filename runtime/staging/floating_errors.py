"""What a program has NumPy do about floating-point errors, which a graph with `numpy=True` tells nobody."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph import StagingError
from autograph.operators.calls import set_functions
from runtime.staging.showing import in_graph
from runtime.tensors.frames import user_place

_TELLS = ("raise", "call", "print", "log")


def _refuse_to_tell(name: str, ways: tuple[object, ...]) -> None:
    told = [way for way in ways if way in _TELLS]
    if told and in_graph():
        place = user_place()
        where = f"\n  {place.filename}:{place.line}" if place is not None else ""
        raise StagingError(
            f"np.{name} is to {told[0]} floating-point errors, of which a graph tells nobody: it gives infinity and "
            f"NaN. Ask for these (np.isfinite), or for the divisor, instead.{where}"
        )


def _errstate(**kinds: Any) -> np.errstate:
    _refuse_to_tell("errstate", (*kinds.values(),))
    return np.errstate(**kinds)


def _seterr(*kinds: Any, **named: Any) -> object:
    _refuse_to_tell("seterr", (*kinds, *named.values()))
    return np.seterr(*kinds, **named)


set_functions([(np.errstate, _errstate), (np.seterr, _seterr)])
