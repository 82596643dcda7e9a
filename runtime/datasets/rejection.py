"""Elements of which so many are left out that classes are as frequent among the others as is wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from runtime.datasets.elements import Element
from runtime.graph.dtypes import NumPyArray
from runtime.graph.errors import InvalidArgumentError


def resampled(
    elements: Iterable[Element],
    class_of: Callable[[Element], Any],
    target: NumPyArray,
    initial: NumPyArray | None,
    draw: np.random.Generator,
) -> Iterator[Element]:
    """Pairs of the class of an element and the element. How frequent classes are is counted if it is not known."""
    seen = np.ones(len(target))
    for element in elements:
        found = class_of(element)
        number = int(found)
        if not 0 <= number < len(target):
            raise InvalidArgumentError(f"rejection_resample: class {number}, and target_dist has {len(target)} classes")
        seen[number] += 1
        if draw.random() < _kept(target, seen / seen.sum() if initial is None else initial)[number]:
            yield found, element


def _kept(target: NumPyArray, found: NumPyArray) -> NumPyArray:
    """How likely an element of each class stays: the rarest, as measured by what is wanted, always do."""
    ratios = np.divide(target, found, out=np.zeros(len(target)), where=found > 0)
    return ratios / ratios.max()
