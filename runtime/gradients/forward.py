"""`ForwardAccumulator`: how what is computed changes as some tensors change in a direction."""

from __future__ import annotations

from runtime.gradients.tape import GradientTape, UnconnectedGradients
from runtime.gradients.things import broadcast, has_gradient, zeros_like
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.frames import hides_frames
from runtime.tensors.making import ones_like
from runtime.tensors.several import settled
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable


class ForwardAccumulator:
    """Tells how tensors that are computed in its block change as others change in a direction.

    The same comes of a `GradientTape` for each of what changes; this takes one way there and back for a direction.

    Args:
      primals: a tensor or Variable of floats, or a structure of these.
      tangents: the direction: for each of them a tensor of its shape, in the same structure.

    >>> x = tf.constant([1.0, 3.0])
    >>> with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 10.0])) as direction:
    ...     y = x * x
    >>> print(direction.jvp(y))
    tf.Tensor([ 2. 60.], shape=(2,), dtype=float32)
    """

    def __init__(self, primals: Structure, tangents: Structure) -> None:
        self._primals: list[Tensor | Variable] = nest.flatten(settled(primals))
        given: list[TensorLike] = nest.flatten(settled(tangents))
        if len(given) != len(self._primals):
            raise ValueError(f"{len(given)} tangents for {len(self._primals)} primals: one for each is wanted")
        self._tangents = [_along(tangent, primal) for tangent, primal in zip(given, self._primals)]
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._tape.watch(self._primals)
        return self

    def __exit__(self, *raised: object) -> None:
        self._tape.__exit__(*raised)

    @hides_frames
    def jvp(
        self, primals: Structure, unconnected_gradients: UnconnectedGradients | str = UnconnectedGradients.NONE
    ) -> Structure:
        """How tensors change with the direction.

        Args:
          primals: a tensor that was computed in the block, or a structure of such.
          unconnected_gradients: ``"none"`` to have None for a tensor that does not depend on what changes, ``"zero"``
            to have zeros.
        Returns: a tensor of the shape and dtype of each, in the same structure.

        >>> v = tf.Variable(3.0)
        >>> with tf.autodiff.ForwardAccumulator(v, tf.constant(1.0)) as direction:
        ...     with tf.GradientTape() as tape:
        ...         y = v**3
        ...     slope = tape.gradient(y, v)
        >>> print(direction.jvp(slope).numpy(), direction.jvp(tf.constant(1.0)))
        18.0 None
        """
        mode = UnconnectedGradients(unconnected_gradients)
        primals = settled(primals)
        return nest.rebuild(primals, iter([self._change(convert_to_tensor(y), mode) for y in nest.flatten(primals)]))

    def _change(self, y: Tensor, mode: UnconnectedGradients) -> Tensor | None:
        """The gradient is linear in what the elements count: its own gradient for that, in the direction."""
        found: list[tuple[TensorLike, Tensor]] = []
        if has_gradient(y.type):
            counts = ones_like(y, dtype=y.type.dtype)
            with GradientTape(watch_accessed_variables=False) as outer:
                outer.watch(counts)
                back = self._tape.gradient(y, self._primals, output_gradients=counts)
            found = [(g, tangent) for g, tangent in zip(back, self._tangents) if g is not None]  # type: ignore[call-overload]
        if not found:
            return zeros_like(y) if mode is UnconnectedGradients.ZERO else None  # type: ignore[return-value]
        targets, along = zip(*found)
        change: Tensor = outer.gradient(list(targets), counts, list(along), UnconnectedGradients.ZERO)  # type: ignore[assignment]
        return change


def _along(tangent: TensorLike, primal: Tensor | Variable) -> Tensor:
    if not isinstance(primal, Tensor | Variable) or not has_gradient(primal.type):
        raise ValueError(f"a direction is of tensors and Variables of floats, not of {primal!r:.80}")
    made = convert_to_tensor(tangent, primal.type.dtype)
    if not primal.shape.is_compatible_with(made.shape):
        raise ValueError(f"a tangent of shape {made.shape} for a primal of shape {primal.shape}: they must be alike")
    return broadcast(made, primal)
