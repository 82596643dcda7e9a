"""Gradients of what a program does to the world: a Variable that is read is where a gradient ends."""

from __future__ import annotations

from collections.abc import Sequence

from runtime.gradients.cells import Step, constant, gradient
from runtime.ops import draws, effects, failing, streams
from runtime.tensors.tensor import Tensor


@gradient(effects.read_variable, passes=True)
def read_variable(_: Step, g: Tensor) -> Sequence[Tensor]:
    return [g]


# What a Variable is assigned it holds, and who reads it reads the Variable.
constant(
    effects.assign,
    effects.assign_add,
    effects.assign_sub,
    effects.logged_,
    effects.warned_,
    effects.print_,
    effects.assert_,
    effects.raise_,
    effects.require_,
    effects.checked_,
)
constant(streams.made, streams.iterator, streams.advance, streams.element_of)  # fmt: skip
constant(failing.attempted, failing.told)
constant(draws.draw_)
