"""`hessians`: second derivatives, in a graph."""

from __future__ import annotations

from runtime.control.loops import map_fn
from runtime.gradients.tape import gradients, size_of
from runtime.gradients.things import broadcast
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.making import like_shape, one_hot, range as arange
from runtime.tensors.several import settled
from runtime.tensors.shaping import reshape
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable


def hessians(
    ys: Structure,
    xs: Structure,
    gate_gradients: bool = False,
    aggregation_method: None = None,
    name: str | None = None,
) -> list[Tensor]:
    """How the gradient of tensors of a graph changes, while it is being traced: elsewhere, a tape has `jacobian`.

    Args:
      ys: a tensor of any shape, or a list of them, whose elements are added up.
      xs: a tensor or a Variable, or a list of these.
      gate_gradients: accepted.
      aggregation_method: must be None.
    Returns: a list with a tensor of shape [*the shape of x, *the shape of x] for each of `xs`.
    Raises:
      RuntimeError: outside of a function.

    >>> @tf.function
    ... def curvature(x):
    ...     return tf.hessians(tf.reduce_prod(x), x)[0]
    >>> print(curvature(tf.constant([2.0, 3.0])).numpy().tolist())
    [[0.0, 1.0], [1.0, 0.0]]
    """
    xs = settled(xs)
    first = gradients(ys, xs, aggregation_method=aggregation_method, unconnected_gradients="zero")
    return [_of_one(broadcast(convert_to_tensor(g), x), x) for g, x in zip(first, nest.flatten(xs))]


def _of_one(gradient: Tensor, x: Tensor | Variable) -> Tensor:
    count = size_of(gradient)

    def row(number: TensorLike) -> Structure:
        seed = reshape(one_hot(number, count, dtype=gradient.dtype), like_shape(gradient))
        return gradients(gradient, x, seed, unconnected_gradients="zero")[0]

    rows: Tensor = map_fn(row, arange(count), fn_output_signature=gradient.dtype)  # type: ignore[assignment]
    return reshape(rows, [*like_shape(gradient), *like_shape(gradient)])
