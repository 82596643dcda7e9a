"""Gradients of random numbers: of where they lie, and how far apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from runtime.gradients.cells import Step, constant, gradient, refused
from runtime.ops import random
from runtime.tensors.tensor import Tensor

Given = Sequence[Tensor | None]


@gradient(random.normal, random.truncated_normal)
def normal(step: Step, g: Tensor) -> Given:
    mean, stddev, *rest = step.inputs
    (y,) = step.outputs
    return [g, g * ((y - mean) / stddev) if step.wanted[1] else None, *(None for _ in rest)]


@gradient(random.uniform)
def uniform(step: Step, g: Tensor) -> Given:
    low, high, *rest = step.inputs
    (y,) = step.outputs
    share = (y - low) / (high - low)
    return [g * (1 - share), g * share, *(None for _ in rest)]


@gradient(random.stateless)
def stateless(step: Step, g: Tensor) -> Given:
    of_numbers = replace(step, inputs=step.inputs[1:], wanted=step.wanted[1:])
    draw: Callable[[Step, Tensor], Sequence[Any]] = uniform if step.attributes["how"] == "uniform" else normal
    return [None, *draw(of_numbers, g)]


constant(random.categorical)
refused("the order is drawn when it runs, and not kept: gather with a shuffled tf.range instead", random.shuffle)
