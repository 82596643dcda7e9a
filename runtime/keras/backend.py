"""Functions of tensors by the names of Keras's backend, for programs that are written with them, and its settings."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from runtime.control.branches import cond
from runtime.control.loops import foldl, foldr, map_fn
from runtime.gradients.custom import stop_gradient
from runtime.graph.dtypes import NumPyArray, as_dtype, bool_, int32
from runtime.keras import activations
from runtime.keras.activations import elu, sigmoid, softmax, softplus, softsign, tanh
from runtime.keras.losses.functions import categorical_crossentropy, sparse_categorical_crossentropy
from runtime.keras.settings import (
    clear_session,
    epsilon,
    floatx,
    get_uid,
    image_data_format,
    set_epsilon,
    set_floatx,
    set_image_data_format,
)
from runtime.ops import random as random_ops
from runtime.tensors import conversion, cross_entropies, making, mathematics as m, parts, products, reductions, shaping
from runtime.tensors.drawing import drawn
from runtime.tensors.mathematics import (
    abs,
    cos,
    equal,
    exp,
    greater,
    greater_equal,
    less,
    less_equal,
    log,
    maximum,
    minimum,
    not_equal,
    pow,
    round,
    sign,
    sin,
    sqrt,
    square,
)
from runtime.tensors.normalisation import dropout, l2_normalize
from runtime.tensors.parts import gather
from runtime.tensors.reductions import (
    reduce_max as max,
    reduce_min as min,
    reduce_prod as prod,
    reduce_sum as sum,
)
from runtime.tensors.scopes import name_scope
from runtime.tensors.shaping import reshape, shape, squeeze, stack, tile, transpose
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, ShapeLike, TensorLike
from runtime.tensors.variables import Variable

__all__ = [
    "abs", "all", "any", "arange", "argmax", "argmin", "backend", "batch_dot", "batch_flatten", "batch_get_value",
    "batch_set_value", "binary_crossentropy", "cast", "cast_to_floatx", "categorical_crossentropy", "clear_session",
    "clip", "concatenate", "constant", "cos", "count_params", "cumprod", "cumsum", "dot", "dropout", "dtype", "elu",
    "epsilon", "equal", "eval", "exp", "expand_dims", "eye", "flatten", "floatx", "foldl", "foldr", "gather",
    "get_uid", "get_value", "greater", "greater_equal", "hard_sigmoid", "image_data_format", "in_top_k", "int_shape",
    "l2_normalize", "less", "less_equal", "log", "map_fn", "max", "maximum", "mean", "min", "minimum", "name_scope",
    "ndim", "not_equal", "one_hot", "ones", "ones_like", "permute_dimensions", "pow", "prod", "random_bernoulli",
    "random_normal", "random_uniform", "relu", "repeat", "repeat_elements", "reshape", "reverse", "round",
    "set_epsilon", "set_floatx", "set_image_data_format", "set_value", "shape", "sigmoid", "sign", "sin", "softmax",
    "softplus", "softsign", "sparse_categorical_crossentropy", "sqrt", "square", "squeeze", "stack", "std",
    "stop_gradient", "sum", "switch", "tanh", "tile", "transpose", "truncated_normal", "update", "update_add",
    "update_sub", "var", "variable", "zeros", "zeros_like",
]  # fmt: skip


def backend() -> str:
    """Whose functions these are, by which programs tell what they may call.

    >>> tf.keras.backend.backend()
    'tensorflow'
    """
    return "tensorflow"


# Values.


def _floats(dtype: DTypeLike | None) -> DTypeLike:
    return floatx() if dtype is None else dtype


def constant(
    value: TensorLike, dtype: DTypeLike | None = None, shape: ShapeLike | None = None, name: str | None = None
) -> Tensor:
    """A tensor that holds a value; numbers become floats.

    Args:
      value: as for `runtime.constant`.
      dtype: the dtype, `floatx` by default.
      shape: the shape, if it is to be another.

    >>> tf.keras.backend.constant([1, 2]).dtype
    tf.float32
    """
    return conversion.constant(value, _floats(dtype), shape)


def variable(value: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Variable:
    """A Variable that holds a value; numbers and arrays become floats.

    Args:
      value: what it begins with.
      dtype: the dtype, `floatx` by default.
      name: its name.

    >>> tf.keras.backend.variable([1, 2]).dtype
    tf.float32
    """
    return Variable(cast(value, _floats(dtype)), name=name)


def zeros(shape: ShapeLike, dtype: DTypeLike | None = None, name: str | None = None) -> Variable:
    """A Variable of zeros.

    Args:
      shape: its shape.
      dtype: its dtype, `floatx` by default.
      name: its name.

    >>> tf.keras.backend.zeros((2,)).numpy()
    array([0., 0.], dtype=float32)
    """
    return Variable(making.zeros(shape, _floats(dtype)), name=name)


def ones(shape: ShapeLike, dtype: DTypeLike | None = None, name: str | None = None) -> Variable:
    """A Variable of ones.

    Args:
      shape: its shape.
      dtype: its dtype, `floatx` by default.
      name: its name.

    >>> tf.keras.backend.ones((2,), "int32").numpy()
    array([1, 1], dtype=int32)
    """
    return Variable(making.ones(shape, _floats(dtype)), name=name)


def eye(size: int, dtype: DTypeLike | None = None, name: str | None = None) -> Variable:
    """A Variable with a matrix of ones on the diagonal and zeros elsewhere.

    Args:
      size: how many rows and columns it has.
      dtype: its dtype, `floatx` by default.
      name: its name.

    >>> tf.keras.backend.eye(2).shape
    TensorShape([2, 2])
    """
    return Variable(making.eye(size, dtype=_floats(dtype)), name=name)


def zeros_like(x: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Zeros of the shape of a tensor.

    Args:
      x: a tensor.
      dtype: the dtype, that of `x` by default.

    >>> tf.keras.backend.zeros_like([1.5]).numpy()
    array([0.], dtype=float32)
    """
    return making.zeros_like(x, dtype)


def ones_like(x: TensorLike, dtype: DTypeLike | None = None, name: str | None = None) -> Tensor:
    """Ones of the shape of a tensor.

    Args:
      x: a tensor.
      dtype: the dtype, that of `x` by default.

    >>> tf.keras.backend.ones_like([1.5]).numpy()
    array([1.], dtype=float32)
    """
    return making.ones_like(x, dtype)


def arange(start: TensorLike, stop: TensorLike | None = None, step: TensorLike = 1, dtype: str = "int32") -> Tensor:
    """Numbers one after the other.

    Args:
      start, stop: the first one, and where they end; from 0 up to `start` without `stop`.
      step: how far each is from the one before.
      dtype: the dtype.

    >>> tf.keras.backend.arange(1, 6, 2).numpy()
    array([1, 3, 5], dtype=int32)
    """
    return cast(making.range(start, stop, step) if stop is not None else making.range(0, start, step), dtype)


def get_value(x: Tensor | Variable) -> object:
    """The value of a tensor or a Variable, an array.

    >>> tf.keras.backend.get_value(tf.Variable([1.0]))
    array([1.], dtype=float32)
    """
    return x.numpy()


eval = get_value


def set_value(x: Variable, value: TensorLike) -> None:
    """Give a Variable a value.

    Args:
      x: the Variable.
      value: a number, or an array of its shape.

    >>> v = tf.Variable([1.0])
    >>> tf.keras.backend.set_value(v, [2.0])
    """
    x.assign(cast(value, x.dtype))


def batch_get_value(tensors: Iterable[Tensor | Variable]) -> list[object]:
    """The values of tensors or Variables, arrays.

    >>> tf.keras.backend.batch_get_value([tf.Variable([1.0])])
    [array([1.], dtype=float32)]
    """
    return [x.numpy() for x in tensors]


def batch_set_value(tuples: Iterable[tuple[Variable, TensorLike]]) -> None:
    """Give Variables values.

    Args:
      tuples: pairs of a Variable and its value.

    >>> tf.keras.backend.batch_set_value([(tf.Variable([1.0]), [2.0])])
    """
    for x, value in tuples:
        set_value(x, value)


def update(x: Variable, new_x: TensorLike) -> Variable:
    """Assign a value to a Variable, which is returned.

    >>> tf.keras.backend.update(tf.Variable([1.0]), [2.0]).numpy()
    array([2.], dtype=float32)
    """
    x.assign(new_x)
    return x


def update_add(x: Variable, increment: TensorLike) -> Variable:
    """Add to a Variable, which is returned.

    >>> tf.keras.backend.update_add(tf.Variable([1.0]), [2.0]).numpy()
    array([3.], dtype=float32)
    """
    x.assign_add(increment)
    return x


def update_sub(x: Variable, decrement: TensorLike) -> Variable:
    """Subtract from a Variable, which is returned.

    >>> tf.keras.backend.update_sub(tf.Variable([1.0]), [2.0]).numpy()
    array([-1.], dtype=float32)
    """
    x.assign_sub(decrement)
    return x


def count_params(x: Tensor | Variable) -> int:
    """How many elements there are.

    >>> tf.keras.backend.count_params(tf.zeros([2, 3]))
    6
    """
    return int(shaping.size(x))


# What is known of tensors.


def int_shape(x: Tensor | Variable) -> tuple[int | None, ...] | None:
    """The shape as a tuple, with None for dimensions that are not known; None if the rank is not.

    >>> tf.keras.backend.int_shape(tf.zeros([2, 3]))
    (2, 3)
    """
    return None if x.shape.rank is None else tuple(x.shape.as_list())


def ndim(x: Tensor | Variable) -> int | None:
    """The rank.

    >>> tf.keras.backend.ndim(tf.zeros([2, 3]))
    2
    """
    return x.shape.rank


def dtype(x: Tensor | Variable) -> str:
    """The name of the dtype.

    >>> tf.keras.backend.dtype(tf.zeros([2, 3]))
    'float32'
    """
    return as_dtype(x.dtype).name


def cast(x: TensorLike, dtype: DTypeLike) -> Tensor:
    """A tensor in another dtype.

    >>> tf.keras.backend.cast([1.5], "int32").numpy()
    array([1], dtype=int32)
    """
    return conversion.cast(x, dtype)


def cast_to_floatx(x: TensorLike) -> Tensor | NumPyArray:
    """An array, or a tensor, of floats as `floatx` has them.

    >>> tf.keras.backend.cast_to_floatx(np.array([1.0]))
    array([1.], dtype=float32)
    """
    return cast(x, floatx()) if isinstance(x, Tensor | Variable) else np.asarray(x, dtype=floatx())


# Over axes.


def _numbers(x: TensorLike) -> Tensor:
    given = conversion.operand(x)
    return cast(given, floatx()) if given.dtype == bool_ else given


def mean(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """The mean; of booleans, what part of them is True.

    Args:
      x: a tensor.
      axis: the axis, or several; all by default.
      keepdims: whether these stay, with the size 1.
    Returns: a tensor of the shape of `x` without these axes.

    >>> tf.keras.backend.mean([True, False, False, False]).numpy()
    np.float32(0.25)
    """
    return reductions.reduce_mean(_numbers(x), axis, keepdims)


def std(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """The standard deviation.

    Args:
      x, axis, keepdims: as for `mean`.

    >>> tf.keras.backend.std([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    return reductions.reduce_std(_numbers(x), axis, keepdims)


def var(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """The variance.

    Args:
      x, axis, keepdims: as for `mean`.

    >>> tf.keras.backend.var([1.0, 5.0]).numpy()
    np.float32(4.0)
    """
    return reductions.reduce_variance(_numbers(x), axis, keepdims)


def any(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """Whether an element is not 0.

    Args:
      x, axis, keepdims: as for `mean`.

    >>> tf.keras.backend.any([0, 2]).numpy()
    np.True_
    """
    return reductions.reduce_any(cast(x, bool_), axis, keepdims)


def all(x: TensorLike, axis: AxisLike = None, keepdims: bool = False) -> Tensor:
    """Whether no element is 0.

    Args:
      x, axis, keepdims: as for `mean`.

    >>> tf.keras.backend.all([0, 2]).numpy()
    np.False_
    """
    return reductions.reduce_all(cast(x, bool_), axis, keepdims)


def argmax(x: TensorLike, axis: int = -1) -> Tensor:
    """Where the largest element is along an axis, the last one by default.

    >>> tf.keras.backend.argmax([[1, 3, 2]]).numpy()
    array([1])
    """
    return reductions.argmax(x, axis)


def argmin(x: TensorLike, axis: int = -1) -> Tensor:
    """Where the smallest element is along an axis, the last one by default.

    >>> tf.keras.backend.argmin([[3, 1, 2]]).numpy()
    array([1])
    """
    return reductions.argmin(x, axis)


def cumsum(x: TensorLike, axis: int = 0) -> Tensor:
    """The sums up to each element along an axis.

    >>> tf.keras.backend.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    """
    return reductions.cumsum(x, axis)


def cumprod(x: TensorLike, axis: int = 0) -> Tensor:
    """The products up to each element along an axis.

    >>> tf.keras.backend.cumprod([1, 2, 3]).numpy()
    array([1, 2, 6], dtype=int32)
    """
    return reductions.cumprod(x, axis)


# Element by element.


def clip(x: TensorLike, min_value: TensorLike, max_value: TensorLike) -> Tensor:
    """Elements with what is less than one number, or more than another, replaced by these.

    >>> tf.keras.backend.clip([-1.0, 0.5, 2.0], 0.0, 1.0).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    given = conversion.operand(x)
    low, high = (cast(bound, given.dtype) for bound in (min_value, max_value))
    return m.maximum(m.minimum(given, m.maximum(high, low)), low)


def relu(x: TensorLike, alpha: float = 0.0, max_value: float | None = None, threshold: float = 0.0) -> Tensor:
    """Elements that are at least a number, and a part of what others are less.

    Args:
      x: a tensor.
      alpha: which part: ``alpha * (x - threshold)``.
      max_value: what larger ones become.
      threshold: the number.

    >>> tf.keras.backend.relu([-1.0, 0.5, 7.0], alpha=0.5, max_value=6.0).numpy()
    array([-0.5,  0.5,  6. ], dtype=float32)
    """
    return activations.relu(x, alpha, max_value, threshold)


def hard_sigmoid(x: TensorLike) -> Tensor:
    """``0.2 * x + 0.5`` between 0 and 1.

    >>> tf.keras.backend.hard_sigmoid([-5.0, 0.0, 1.0]).numpy()
    array([0. , 0.5, 0.7], dtype=float32)
    """
    return clip(conversion.operand(x) * 0.2 + 0.5, 0.0, 1.0)


def binary_crossentropy(target: TensorLike, output: TensorLike, from_logits: bool = False) -> Tensor:
    """The cross entropy of each element, of which nothing is averaged.

    Args:
      target: a tensor of zeros and ones.
      output: a tensor of its shape, of probabilities.
      from_logits: whether they are logits instead.

    >>> tf.keras.backend.binary_crossentropy([1.0, 0.0], [0.5, 0.25]).numpy().round(3)
    array([0.693, 0.288], dtype=float32)
    """
    t, x = conversion.operand(target), conversion.operand(output)
    if from_logits:
        return cross_entropies.sigmoid_cross_entropy_with_logits(labels=t, logits=x)
    p = clip(x, epsilon(), 1.0 - epsilon())
    return -(t * log(p + epsilon()) + (1.0 - t) * log(1.0 - p + epsilon()))


def switch(
    condition: TensorLike,
    then_expression: TensorLike | Callable[[], TensorLike],
    else_expression: TensorLike | Callable[[], TensorLike],
) -> Tensor:
    """One of two values: one of them for a scalar condition, element by element for others.

    Args:
      condition: a tensor of booleans, whose shape is that of the values, or begins it.
      then_expression, else_expression: tensors, or functions that make them.

    >>> tf.keras.backend.switch([True, False], [[1], [2]], [[3], [4]]).numpy()
    array([[1],
           [4]], dtype=int32)
    """
    chosen = cast(condition, bool_)
    then, otherwise = (one if callable(one) else _giving(one) for one in (then_expression, else_expression))
    if chosen.shape.rank == 0:
        return cond(chosen, then, otherwise)
    a, b = conversion.operand(then()), conversion.operand(otherwise())
    for _ in range(len(a.shape) - len(chosen.shape)):
        chosen = shaping.expand_dims(chosen, -1)
    return m.where(chosen, a, b)


def _giving(value: TensorLike) -> Callable[[], TensorLike]:
    return lambda: value


# Shapes.


def flatten(x: TensorLike) -> Tensor:
    """All elements in one row.

    >>> tf.keras.backend.flatten([[1], [2]]).shape
    TensorShape([2])
    """
    return reshape(x, [-1])


def batch_flatten(x: TensorLike) -> Tensor:
    """The elements of each example in one row.

    >>> tf.keras.backend.batch_flatten(tf.zeros([2, 3, 4])).shape
    TensorShape([2, 12])
    """
    given = conversion.operand(x)
    sizes = [size for size in given.shape.as_list()[1:] if size is not None]
    whole = len(sizes) == len(given.shape) - 1
    return reshape(given, [shape(given)[0], math.prod(sizes) if whole else -1])


def concatenate(tensors: Sequence[TensorLike], axis: int = -1) -> Tensor:
    """Tensors one behind the other, along the last axis by default.

    >>> tf.keras.backend.concatenate([[[1]], [[2]]]).numpy()
    array([[1, 2]], dtype=int32)
    """
    return shaping.concat(tensors, axis)


def expand_dims(x: TensorLike, axis: int = -1) -> Tensor:
    """A tensor with one more axis, the last one by default.

    >>> tf.keras.backend.expand_dims([1, 2]).shape
    TensorShape([2, 1])
    """
    return shaping.expand_dims(x, axis)


def permute_dimensions(x: TensorLike, pattern: Sequence[int]) -> Tensor:
    """A tensor with its axes in another order.

    >>> tf.keras.backend.permute_dimensions(tf.zeros([2, 3, 4]), (2, 0, 1)).shape
    TensorShape([4, 2, 3])
    """
    return transpose(x, pattern)


def repeat(x: TensorLike, n: int) -> Tensor:
    """Each row of a matrix several times: of shape [rows, n, columns].

    Raises:
      ValueError: for what is no matrix.

    >>> tf.keras.backend.repeat([[1, 2]], 3).shape
    TensorShape([1, 3, 2])
    """
    given = conversion.operand(x)
    if given.shape.rank != 2:
        raise ValueError(f"repeat of {given}: it takes a matrix")
    return tile(shaping.expand_dims(given, 1), [1, n, 1])


def repeat_elements(x: TensorLike, rep: int, axis: int) -> Tensor:
    """Each part of a tensor along an axis several times.

    >>> tf.keras.backend.repeat_elements([1, 2], 2, axis=0).numpy()
    array([1, 1, 2, 2], dtype=int32)
    """
    return parts.repeat(x, rep, axis)


def reverse(x: TensorLike, axes: int | Sequence[int]) -> Tensor:
    """A tensor the other way round along axes.

    >>> tf.keras.backend.reverse([1, 2], 0).numpy()
    array([2, 1], dtype=int32)
    """
    return shaping.reverse(x, [axes] if isinstance(axes, int) else [*axes])


def one_hot(indices: TensorLike, num_classes: int) -> Tensor:
    """Classes as vectors of zeros and a one.

    >>> tf.keras.backend.one_hot([1], 3).numpy()
    array([[0., 1., 0.]], dtype=float32)
    """
    return making.one_hot(cast(indices, int32), num_classes)


def in_top_k(predictions: TensorLike, targets: TensorLike, k: int) -> Tensor:
    """Whether the class of each example is among those with the largest predictions.

    Args:
      predictions: a tensor of shape [n, classes].
      targets: the classes, of shape [n].
      k: how many of the largest.

    >>> tf.keras.backend.in_top_k([[0.1, 0.9]], [1], 1).numpy()
    array([ True])
    """
    return cross_entropies.in_top_k(targets, predictions, k)


# Products.


def dot(x: TensorLike, y: TensorLike) -> Tensor:
    """The sums of products over the last axis of one tensor and the last but one of another.

    >>> tf.keras.backend.dot(tf.ones([2, 3, 4]), tf.ones([4, 5])).shape
    TensorShape([2, 3, 5])
    """
    a, b = conversion.operand(x), conversion.operand(y)
    return products.tensordot(a, b, [[-1], [-2 if len(b.shape) > 1 else -1]])


def batch_dot(x: TensorLike, y: TensorLike, axes: int | Sequence[int] | None = None) -> Tensor:
    """The sums of products of two tensors over an axis of each, example by example.

    Args:
      x, y: tensors of shape [batch, ...].
      axes: the axes, or one for both; the last one of `x` and the last but one of `y`, if there are more than two, by
        default.
    Returns: a tensor of shape [batch, other axes of `x`, other axes of `y`]; [batch, 1] if there are none.
    Raises:
      ValueError: for the axis of the examples.

    >>> tf.keras.backend.batch_dot(tf.ones([2, 3, 4]), tf.ones([2, 5, 4]), axes=2).shape
    TensorShape([2, 3, 5])
    """
    a, b = conversion.operand(x), conversion.operand(y)
    ranks = len(a.shape), len(b.shape)
    given = axes if axes is not None else (-1, -1 if ranks[1] == 2 else -2)
    over = [axis % rank for axis, rank in zip((given, given) if isinstance(given, int) else given, ranks, strict=True)]
    if 0 in over:
        raise ValueError(f"batch_dot with axes={axes!r}: the first axis is that of the examples")
    letters = "abcdefghijklmnopqrstuvwxyz"
    first = list(letters[: ranks[0]])
    second = ["a", *letters[ranks[0] : ranks[0] + ranks[1] - 1]]
    second[over[1]] = first[over[0]]
    rest = [one for at, one in enumerate(first) if at != over[0]] + [
        one for at, one in enumerate(second) if at not in (0, over[1])
    ]
    made = products.einsum(f"{''.join(first)},{''.join(second)}->{''.join(rest)}", a, b)
    return shaping.expand_dims(made, 1) if len(rest) == 1 else made


# Random numbers.


def random_normal(
    shape: ShapeLike, mean: float = 0.0, stddev: float = 1.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Tensor:
    """Numbers from a normal distribution, fresh at each run.

    Args:
      shape: the shape.
      mean, stddev: the mean and the standard deviation.
      dtype: the dtype, `floatx` by default.
      seed: what decides which numbers come.

    >>> tf.keras.backend.random_normal((2, 3)).shape
    TensorShape([2, 3])
    """
    return drawn(random_ops.normal, mean, stddev, shape, _floats(dtype), seed)


def truncated_normal(
    shape: ShapeLike, mean: float = 0.0, stddev: float = 1.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Tensor:
    """Normal numbers within two standard deviations of the mean, fresh at each run.

    Args:
      shape, mean, stddev, dtype, seed: as for `random_normal`.

    >>> tf.keras.backend.truncated_normal((2, 3)).shape
    TensorShape([2, 3])
    """
    return drawn(random_ops.truncated_normal, mean, stddev, shape, _floats(dtype), seed)


def random_uniform(
    shape: ShapeLike, minval: float = 0.0, maxval: float = 1.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Tensor:
    """Numbers from an interval, all as likely, fresh at each run.

    Args:
      shape: the shape.
      minval, maxval: the ends of the interval, of which the second is not drawn.
      dtype: the dtype, `floatx` by default.
      seed: what decides which numbers come.

    >>> tf.keras.backend.random_uniform((2, 3)).shape
    TensorShape([2, 3])
    """
    return drawn(random_ops.uniform, minval, maxval, shape, _floats(dtype), seed)


def random_bernoulli(
    shape: ShapeLike, p: float = 0.0, dtype: DTypeLike | None = None, seed: int | None = None
) -> Tensor:
    """Zeros, and ones with a probability, fresh at each run.

    Args:
      shape: the shape.
      p: the probability.
      dtype: the dtype, `floatx` by default.
      seed: what decides which numbers come.

    >>> tf.keras.backend.random_bernoulli((2,), p=1.0).numpy()
    array([1., 1.], dtype=float32)
    """
    return cast(random_uniform(shape, seed=seed) < p, _floats(dtype))
