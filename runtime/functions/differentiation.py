"""Gradients of functions, as functions: `grad`, `value_and_grad`, `jvp`."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from runtime.functions.binding import is_library
from runtime.functions.function import Function
from runtime.gradients.custom import staged_form
from runtime.gradients.tape import GradientTape, UnconnectedGradients
from runtime.gradients.things import broadcast, has_gradient
from runtime.graph.dtypes import NumPyArray
from runtime.tensors import nest
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.frames import hides_frames
from runtime.tensors.making import ones_like
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import Structure, TensorLike
from runtime.tensors.variables import Variable


def grad(
    fun: Callable[..., Structure], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Structure]:
    """A function that gives the gradient of another one, which returns a number.

    It takes the same arguments. It is traced once for each signature, like a `function`; what it is of may be a
    function of NumPy arrays, with loops and branches, or one of these.

    Args:
      fun: it returns a scalar: a tensor or an array of shape (), of floats.
      argnums: which of its arguments, by position, the gradient belongs to: a number, or several. These are tensors,
        arrays or Python's floats (which become float32), or structures of such.
      has_aux: whether `fun` returns a pair, of which the second part is of no matter for the gradient.
    Returns: a function that returns a tensor of the shape and dtype of the argument, or a structure like it, zeros
      where it has no influence; a tuple of these for several arguments; with `has_aux`, a pair of that and the second
      part.
    Raises:
      TypeError: when it is called, for an argument of integers, and for a result that is no float of shape ().

    >>> def energy(x):
    ...     return np.sum(np.sin(x) ** 2)
    >>> print(tf.grad(energy)(np.array([0.0, 0.5])))
    tf.Tensor([0.         0.84147098], shape=(2,), dtype=float64)
    """
    both = value_and_grad(fun, argnums, has_aux)

    @hides_frames
    @functools.wraps(fun)
    def gradient(*args: Structure, **kwargs: Structure) -> Structure:
        value, found = both(*args, **kwargs)  # type: ignore[misc]
        return (found, value[1]) if has_aux else found

    return gradient


def value_and_grad(
    fun: Callable[..., Structure], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Structure]:
    """A function that gives what another one returns, a number, and its gradient: `grad` says more.

    Args:
      fun: it returns a scalar: a tensor or an array of shape (), of floats.
      argnums: which of its arguments the gradient belongs to.
      has_aux: whether `fun` returns a pair, of which the second part is of no matter for the gradient.
    Returns: a function that returns a pair: what `fun` returns, and what `grad` would give.
    Raises:
      TypeError: when it is called, for an argument of integers, and for a result that is no float of shape ().

    >>> value, slope = tf.value_and_grad(lambda x: x**3)(2.0)
    >>> print(value.numpy(), slope.numpy())
    8.0 12.0
    """
    if not callable(fun):
        raise TypeError(f"a gradient is of a function that returns a float; {fun!r:.80} cannot be called")
    numbers = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def compute(args: Sequence[Structure], kwargs: Mapping[str, Structure]) -> tuple[Structure, Structure]:
        called = _callable(fun)
        sources = [args[n] for n in numbers]
        leaves = [_value(leaf) for leaf in nest.flatten(sources)]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(leaves)
            value = called(*args, **kwargs)
            target = _scalar(fun, value[0] if has_aux else value)
        found = tape.gradient(target, leaves, unconnected_gradients=UnconnectedGradients.ZERO)
        gradients = nest.rebuild(sources, iter(found))  # type: ignore[call-overload]
        return value, gradients[0] if isinstance(argnums, int) else tuple(gradients)

    staged = Function(compute, name=f"{_name(fun)}_and_gradient")

    @hides_frames
    @functools.wraps(fun)
    def both(*args: Structure, **kwargs: Structure) -> Structure:
        given = list(args)
        for n in numbers:
            if not -len(given) <= n < len(given):
                raise TypeError(f"the gradient of {_name(fun)} for argument {n}: it is called with {len(given)}")
            given[n] = nest.map_structure(functools.partial(_floats, fun, n), given[n])
        return compute(given, kwargs) if current() is not None else staged(given, kwargs)

    return both


def _name(fun: object) -> str:
    return str(getattr(fun, "__name__", type(fun).__name__))


def _callable(fun: Callable[..., Structure]) -> Callable[..., Structure]:
    """What to call while tracing."""
    return fun if isinstance(fun, Function) or current() is None or is_library(fun) else staged_form(fun)


def _floats(fun: object, number: int, leaf: TensorLike) -> Tensor | NumPyArray | np.generic:
    """An argument that has a gradient: a tensor, or an array."""
    if isinstance(leaf, Variable):
        leaf = leaf.read_value()
    if isinstance(leaf, np.ndarray | np.generic) and leaf.dtype.kind in "fc":
        return leaf
    tensor = convert_to_tensor(leaf)
    if not has_gradient(tensor.type):
        raise TypeError(
            f"the gradient of {_name(fun)} for argument {number}, which holds {tensor.dtype.name}: only floats and "
            "complex numbers change by a little. Pass floats (3.0, or runtime.cast(x, runtime.float32))."
        )
    return tensor


def _value(leaf: TensorLike) -> Tensor:
    """What an argument holds now; it may be written to."""
    made: Tensor = leaf.content if isinstance(leaf, SymbolicTensor) else convert_to_tensor(leaf)
    return made


def _scalar(fun: object, value: Structure) -> Tensor:
    if nest.is_nested(value):
        raise TypeError(f"the gradient of {_name(fun)}, which returns a {type(value).__name__}: it must be one number")
    made = convert_to_tensor(value)
    if made.shape.rank not in (0, None) or not has_gradient(made.type):
        raise TypeError(
            f"the gradient of {_name(fun)}, which returns {made.dtype.name} of shape {made.shape}: one float is "
            "wanted. Add the elements up (runtime.reduce_sum), or use GradientTape.jacobian."
        )
    return made


def jvp(
    fun: Callable[..., Structure], primals: Sequence[Structure], tangents: Sequence[Structure]
) -> tuple[Structure, Structure]:
    """What a function gives, and how that changes as its arguments change in a direction.

    Args:
      fun: it takes tensors or arrays of floats, or structures of these, and returns such.
      primals: its arguments, a list or tuple.
      tangents: the direction: for each argument a tensor of its shape, or a structure like it.
    Returns: a pair: what `fun` returns, and for each tensor in it a tensor of its shape.
    Raises:
      TypeError: for arguments of integers.
      ValueError: if there is not one tangent for each argument.

    >>> y, change = tf.jvp(lambda x: x**2, [tf.constant([1.0, 3.0])], [tf.constant([1.0, 10.0])])
    >>> print(y.numpy(), change.numpy())
    [1. 9.] [ 2. 60.]
    """
    given = [nest.map_structure(functools.partial(_floats, fun, n), p) for n, p in enumerate(primals)]
    along = [convert_to_tensor(t) for t in nest.flatten(list(tangents))]
    if len(along) != len(nest.flatten(given)):
        raise ValueError(f"jvp of {_name(fun)}: {len(along)} tangents for {len(nest.flatten(given))} arguments")
    if current() is not None:
        return _pushed(fun, given, along)
    staged = _staged(fun)
    made: tuple[Structure, Structure] = staged(given, along)
    return made


@functools.lru_cache(maxsize=64)
def _staged(fun: Callable[..., Structure]) -> Function[..., Structure]:
    """The same graphs for the same function."""
    return Function(functools.partial(_pushed, fun), name=f"{_name(fun)}_jvp")


def _pushed(
    fun: Callable[..., Structure], given: Sequence[Structure], along: Sequence[Tensor]
) -> tuple[Structure, Structure]:
    """The gradient is linear in what the results count: its own gradient for that, in a direction."""
    leaves = [_value(leaf) for leaf in nest.flatten(given)]
    with GradientTape(watch_accessed_variables=False) as outer:
        with GradientTape(watch_accessed_variables=False) as inner:
            inner.watch(leaves)
            result = _callable(fun)(*given)
            ys = [convert_to_tensor(y) for y in nest.flatten(result)]
        floats = [y for y in ys if has_gradient(y.type)]
        counts = [ones_like(y, dtype=y.type.dtype) for y in floats]
        outer.watch(counts)
        back: Structure = inner.gradient(floats, leaves, output_gradients=counts, unconnected_gradients="zero")
    seeds = [broadcast(convert_to_tensor(t, x.dtype), x) for t, x in zip(along, leaves)]
    found = iter(outer.gradient(list(back), counts, output_gradients=seeds, unconnected_gradients="zero"))  # type: ignore[call-overload]
    changes = [next(found) if has_gradient(y.type) else ones_like(y) * 0 for y in ys]
    return result, nest.rebuild(result, iter(changes))
