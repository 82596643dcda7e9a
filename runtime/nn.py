"""Functions of neural networks."""

from __future__ import annotations

from typing import Any

from runtime import mathematics as m
from runtime.conversion import operand
from runtime.mathematics import sigmoid, softplus
from runtime.ops import elementwise as ew
from runtime.trace import apply

__all__ = ["leaky_relu", "log_softmax", "relu", "sigmoid", "softmax", "softplus", "tanh"]

tanh = m.tanh


def relu(features: Any, name: str | None = None) -> Any:
    """max(x, 0)."""
    return apply(ew.relu, operand(features))


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Any:
    """x where positive, alpha * x elsewhere."""
    x = operand(features)
    return m.maximum(x, x * alpha)


def softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """exp(x) / sum(exp(x)) along an axis, without overflow."""
    x = operand(logits)
    e = m.exp(x - m.reduce_max(x, axis, keepdims=True))
    return e / m.reduce_sum(e, axis, keepdims=True)


def log_softmax(logits: Any, axis: int = -1, name: str | None = None) -> Any:
    """log(softmax(x)), accurate for small probabilities."""
    x = operand(logits)
    return x - m.reduce_logsumexp(x, axis, keepdims=True)
