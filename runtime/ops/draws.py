"""What a graph draws from the program's own generators of random numbers: those numbers that the program would draw.

A generator is no value of the graph: what is drawn from it names it, and happens in the order of the program.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, SupportsInt, TypeAlias

import numpy as np

from autograph.operators.fixed import Fact, holds
from runtime.graph.dtypes import DType, NumPyArray
from runtime.graph.graph import Attributes, TensorType
from runtime.graph.op import kernel, op, show_attribute
from runtime.graph.shapes import Dims
from runtime.ops.effects import Held, filled

if TYPE_CHECKING:
    import random

    Drawing: TypeAlias = np.random.Generator | np.random.RandomState | random.Random
    Bits: TypeAlias = np.random.BitGenerator


class Source:
    """A generator that the program keeps, by the name that it has in the text of graphs."""

    def __init__(self, generator: object, name: str) -> None:
        self._generator, self.kind = generator, type(generator)
        self.__name__ = name

    def __getattr__(self, method: str) -> Callable[..., object]:
        found = self.__dict__[method] = getattr(self._generator, method)  # so that it is found at once from now on
        return found

    def generator(self) -> Drawing:
        return self._generator  # type: ignore[return-value]

    def below(self, count: int) -> int:
        """What Python's `choice` and `shuffle` draw."""
        return self.generator()._randbelow(int(count))  # type: ignore[union-attr, no-any-return]

    def shuffled(self, x: NumPyArray, *axis: int, **named: int) -> NumPyArray:
        """A copy that `shuffle` has put in another order."""
        made = np.array(x)
        self.generator().shuffle(made, *axis, **named)  # type: ignore[arg-type]
        return made


class OwnSource(Source):
    """A generator that each run of a graph makes anew by calling `make`; each thread has another one."""

    def __init__(self, make: Callable[..., object], name: str, kind: type) -> None:
        self._made, self._make, self.kind = threading.local(), make, kind
        self.__name__ = name

    def __getattr__(self, method: str) -> Callable[..., object]:
        return getattr(self._made.generator, method)

    def generator(self) -> Drawing:
        return self._made.generator  # type: ignore[no-any-return]

    def begin(self, *seeds: SupportsInt | None) -> np.int64:
        """Make another one, of a seed; returns where native code finds it, 0 where it cannot."""
        self._made.generator = self._make(*(seed if seed is None else int(seed) for seed in seeds))
        return np.int64(address_of(self._made.generator))


def bits_of(generator: object) -> Bits | None:
    """What a generator of NumPy's takes its bits from; None for those of Python's."""
    return getattr(generator, "bit_generator", getattr(generator, "_bit_generator", None))


def address_of(generator: object) -> int:
    """Where the functions in C are that give bits, as NumPy lays them out; 0 where there are none."""
    bits = bits_of(generator)
    return 0 if bits is None else bits.ctypes.bit_generator.value or 0


@dataclass(frozen=True)
class Drawn:
    """A generator from which a function draws: what stands for it in the graph, if that draws from it, and what it was
    like before, if the program keeps it."""

    generator: object
    source: Source | None
    before: Sequence[Fact] | None = None
    address: object = None  # of what each run makes anew, in the graph

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
    *values: object, source: Source, method: str, arguments: Mapping[str, object], positional: int, **_: object
) -> object:
    """Call a method of a generator, whose arguments hold the places of values; the first are given by position."""

    def of(held: Held) -> object:
        return values[held.number]

    given = filled(dict(arguments), of)
    names = [*given]
    first, others = names[:positional], names[positional:]
    return getattr(source, method)(*(given[name] for name in first), **{name: given[name] for name in others})


def _shown(inputs: Sequence[str], attributes: Attributes) -> str:
    """``rng.normal(0.0, x, size=(3,))``: the call that the program has."""

    def one(part: object) -> str:
        if isinstance(part, Held):
            return inputs[part.number]
        if isinstance(part, tuple):
            return f"({', '.join(map(one, part))}{',' if len(part) == 1 else ''})"
        return f"[{', '.join(map(one, part))}]" if isinstance(part, list) else show_attribute(part)

    shown = [(name, one(part)) for name, part in attributes["arguments"].items()]
    first = attributes["positional"]
    given = [*(part for _, part in shown[:first]), *(f"{name}={part}" for name, part in shown[first:])]
    return f"{attributes['source']!r}.{attributes['method']}({', '.join(given)})"


def _drawn(
    *_: TensorType, dtype: DType, shape: Dims, weak: bool, gives: bool, source: object, method: str,
    arguments: object, positional: int,
) -> TensorType | tuple[()]:  # fmt: skip
    return TensorType(dtype, shape, weak) if gives else ()


# What draws from a generator that the graph makes has as its last input what `begin` has given, by which native code
# finds it: where the bits come from.
draw_ = op(
    "draw", _drawn, "draw({*}, source={source}, method={method}, arguments={arguments}, positional={positional})",
    tf="EagerPyFunc", effect="write", render=_shown, takes_weak=True, keeps_weak=True,
)  # fmt: skip
