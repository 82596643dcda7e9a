"""What a kernel is: a function of NumPy arrays as people write it, and the arguments it is run with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Function = Callable[..., Any]
Maker = Callable[[np.random.Generator, int], tuple[Any, ...]]


@dataclass(frozen=True)
class Kernel:
    """A function, what makes its arguments of a size, the size that tests take and the one that is timed."""

    function: Function
    make: Maker
    small: int
    large: int
    jax: bool = False  # would people write it so for JAX, with its functions for NumPy's?
    draws: bool = False  # random numbers, which graphs draw with numpy=True

    @property
    def name(self) -> str:
        return self.function.__name__

    def arguments(self, size: int) -> tuple[Any, ...]:
        """Arguments of a size, the same ones each time."""
        return self.make(np.random.default_rng(0), size)


KERNELS: dict[str, Kernel] = {}
DRAWING: dict[str, Kernel] = {}  # those that draw


def kernel(
    make: Maker, small: int, large: int, jax: bool = False, draws: bool = False
) -> Callable[[Function], Function]:
    """Enter a function among the kernels, and leave it as it is."""

    def enter(function: Function) -> Function:
        (DRAWING if draws else KERNELS)[function.__name__] = Kernel(function, make, small, large, jax, draws)
        return function

    return enter
