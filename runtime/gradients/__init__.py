"""Differentiation: operations that have run, and graphs, are gone through backwards."""

from runtime.gradients import control, python  # noqa: F401 - the gradients of branches, loops and calls
from runtime.gradients.custom import custom_gradient, recompute_grad, stop_gradient
from runtime.gradients.rules import (  # noqa: F401 - and of all other rows
    effects,
    elementwise,
    indexing,
    linalg,
    lists,
    nn,
    random,
    reduce,
    shape,
    strings,
    texts,
)
from runtime.gradients.tape import GradientTape, UnconnectedGradients, gradients

__all__ = ["GradientTape", "UnconnectedGradients", "custom_gradient", "gradients", "recompute_grad", "stop_gradient"]
