"""What a graph draws from the program's own generators of random numbers: those numbers that the program would draw.

A generator is no value of the graph: what is drawn from it names it, and happens in the order of the program.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograph.operators.fixed import Fact, holds
from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.graph import Attributes, TensorType
from runtime.graph.op import kernel, op, show_attribute
from runtime.graph.shapes import Dims
from runtime.ops.effects import Held, filled


class Source:
    """A generator that the program keeps, by the name that it has in the text of graphs."""

    def __init__(self, generator: Any, name: str) -> None:
        self._generator = generator
        self.__name__ = name

    def __getattr__(self, method: str) -> Any:
        found = self.__dict__[method] = getattr(self._generator, method)  # so that it is found at once from now on
        return found

    def generator(self) -> Any:
        return self._generator

    def below(self, count: int) -> int:
        """What Python's `choice` and `shuffle` draw."""
        return self.generator()._randbelow(int(count))  # type: ignore[no-any-return]

    def shuffled(self, x: NumPyArray, *axis: int, **named: int) -> NumPyArray:
        """A copy that `shuffle` has put in another order."""
        made = np.array(x)
        self.generator().shuffle(made, *axis, **named)
        return made


class OwnSource(Source):
    """A generator that each run of a graph makes anew by calling `make`; each thread has another one."""

    def __init__(self, make: Callable[..., object], name: str) -> None:
        self._made, self._make = threading.local(), make
        self.__name__ = name

    def __getattr__(self, method: str) -> Any:
        return getattr(self._made.generator, method)

    def generator(self) -> Any:
        return self._made.generator

    def begin(self, *seeds: Any) -> None:
        self._made.generator = self._make(*(seed if seed is None else int(seed) for seed in seeds))


@dataclass(frozen=True)
class Drawn:
    """A generator from which a function draws: what stands for it in the graph, if that draws from it, and what it was
    like before, if the program keeps it."""

    generator: Any
    source: Source | None
    before: Sequence[Fact] | None = None

    def is_elsewhere(self) -> bool:
        """Whether it is drawn from while tracing, or the program keeps one that each run makes anew: then what is
        drawn when the graph runs comes too late."""
        if self.source is None:
            return True
        if self.before is not None:
            return not all(map(holds, self.before))
        return sys.getrefcount(self.generator) > _UNKNOWN_TO_OTHERS


_UNKNOWN_TO_OTHERS = 2  # references: the one above, and that of who counts


@kernel
def draw(
    *values: Any, source: Source, method: str, given: Sequence[object], named: Mapping[str, object], **_: object
) -> object:
    """Call a method of a generator, whose arguments hold the places of values."""

    def of(held: Held) -> object:
        return values[held.number]

    return getattr(source, method)(*filled(given, of), **filled(named, of))


def _shown(inputs: Sequence[str], attributes: Attributes) -> str:
    """``rng.normal(0.0, x, size=(3,))``: the call that the program has."""

    def one(part: object) -> str:
        if isinstance(part, Held):
            return inputs[part.number]
        if isinstance(part, tuple):
            return f"({', '.join(map(one, part))}{',' if len(part) == 1 else ''})"
        return f"[{', '.join(map(one, part))}]" if isinstance(part, list) else show_attribute(part)

    named = [f"{name}={one(part)}" for name, part in attributes["named"].items()]
    return f"{attributes['source']!r}.{attributes['method']}({', '.join([*map(one, attributes['given']), *named])})"


def _drawn(
    *_: TensorType, dtype: DType | None, shape: Dims, weak: bool, source: Source, method: str,
    given: Sequence[object], named: Mapping[str, object],
) -> TensorType | tuple[()]:  # fmt: skip
    return () if dtype is None else TensorType(dtype, shape, weak)


draw_ = op(
    "draw", _drawn, "draw({*}, source={source}, method={method}, given={given}, named={named})",
    tf="EagerPyFunc", effect="write", render=_shown, takes_weak=True, keeps_weak=True,
)  # fmt: skip
