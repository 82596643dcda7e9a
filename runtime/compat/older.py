"""Functions that TensorFlow 1 has by names, or with arguments, that TensorFlow 2 has not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from runtime.compat.control import placeholder
from runtime.compat.variables import variable_scope
from runtime.graph.dtypes import DType, NumPyArray, float32, float64, int32, int64
from runtime.graph.shapes import TensorShape
from runtime.tensors import effects, making, mathematics as m, parts, products, reductions, shaping
from runtime.tensors.conversion import cast, convert_to_tensor, operand
from runtime.tensors.indexed_slices import IndexedSlices
from runtime.tensors.scopes import name_scope
from runtime.tensors.sparse_tensor import SparseTensor
from runtime.tensors.tensor import Tensor
from runtime.tensors.types import AxisLike, DTypeLike, PatternLike, ShapeLike, Structure, TensorLike
from runtime.tensors.variables import Variable

# Dtypes.


def _to(dtype: DType) -> Callable[..., Tensor]:
    def function(x: TensorLike, name: str | None = None) -> Tensor:
        return cast(x, dtype)

    function.__name__ = function.__qualname__ = {float32: "to_float", float64: "to_double"}.get(
        dtype, f"to_{dtype.name}"
    )
    function.__doc__ = f"""A tensor of the same shape, of {dtype.name}: `tf.cast`.

    Args:
      x: a tensor of any shape.

    >>> tf.compat.v1.{function.__name__}([1, 2]).dtype
    tf.{dtype.name}
    """
    return function


to_float, to_double, to_int32, to_int64 = map(_to, (float32, float64, int32, int64))

# Mathematics with older arguments.


def div(x: TensorLike, y: TensorLike, name: str | None = None) -> Tensor:
    """Quotients as Python 2 has them: of whole numbers the whole part, rounded down.

    Args:
      x, y: tensors whose shapes broadcast.
    Returns: a tensor of the shape to which they broadcast.

    >>> tf.compat.v1.div([7, -7], 2).numpy().tolist(), float(tf.compat.v1.div(7.0, 2.0))
    ([3, -4], 3.5)
    """
    a, b = operand(x), operand(y)
    return m.floordiv(a, b) if a.dtype.is_integer and b.dtype.is_integer else m.divide(a, b)


def _one_of(function: str, **names: Any) -> Any:
    """The value of an argument that has two names."""
    given = {name: value for name, value in names.items() if value is not None}
    if len(given) > 1:
        raise ValueError(f"{function}: cannot specify both {' and '.join(map(repr, given))}")
    return next(iter(given.values()), None)


def argmax(
    input: TensorLike,
    axis: int | None = None,
    name: str | None = None,
    dimension: int | None = None,
    output_type: DTypeLike = int64,
) -> Tensor:
    """`tf.argmax`, whose axis may be called `dimension`.

    Args:
      input: a tensor of rank 1 or more.
      axis, dimension: the axis to search along, the first by default.
      output_type: the dtype of the result.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.argmax([[1, 3, 2]], dimension=1).numpy())
    [1]
    """
    return reductions.argmax(input, _one_of("argmax", axis=axis, dimension=dimension), output_type)


def argmin(
    input: TensorLike,
    axis: int | None = None,
    name: str | None = None,
    dimension: int | None = None,
    output_type: DTypeLike = int64,
) -> Tensor:
    """`tf.argmin`, whose axis may be called `dimension`.

    Args:
      input: a tensor of rank 1 or more.
      axis, dimension: the axis to search along, the first by default.
      output_type: the dtype of the result.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.argmin([[1, 3, 0]], dimension=1).numpy())
    [2]
    """
    return reductions.argmin(input, _one_of("argmin", axis=axis, dimension=dimension), output_type)


def arg_max(input: TensorLike, dimension: int, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """`argmax` along a dimension.

    Args:
      input: a tensor of rank 1 or more.
      dimension: the axis to search along.
      output_type: the dtype of the result.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.arg_max([1, 3, 2], 0).numpy())
    1
    """
    return reductions.argmax(input, dimension, output_type)


def arg_min(input: TensorLike, dimension: int, output_type: DTypeLike = int64, name: str | None = None) -> Tensor:
    """`argmin` along a dimension.

    Args:
      input: a tensor of rank 1 or more.
      dimension: the axis to search along.
      output_type: the dtype of the result.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.arg_min([1, 3, 0], 0).numpy())
    2
    """
    return reductions.argmin(input, dimension, output_type)


def count_nonzero(
    input_tensor: TensorLike | None = None,
    axis: AxisLike = None,
    keepdims: bool | None = None,
    dtype: DTypeLike = int64,
    name: str | None = None,
    reduction_indices: AxisLike = None,
    keep_dims: bool | None = None,
    input: TensorLike | None = None,
) -> Tensor:
    """`tf.math.count_nonzero`, with older names of its arguments.

    Args:
      input_tensor, input: a tensor of any shape.
      axis, reduction_indices: the axes to count along, all by default.
      keepdims, keep_dims: whether these axes stay, with size 1.
      dtype: the dtype of the result.
    Returns: a tensor of the remaining axes.

    >>> print(tf.compat.v1.count_nonzero([0, 1, 2]).numpy())
    2
    """
    given = _one_of("count_nonzero", input_tensor=input_tensor, input=input)
    along = _one_of("count_nonzero", axis=axis, reduction_indices=reduction_indices)
    kept = _one_of("count_nonzero", keepdims=keepdims, keep_dims=keep_dims)
    return reductions.count_nonzero(given, along, bool(kept), dtype)


def expand_dims(input: TensorLike, axis: AxisLike = None, name: str | None = None, dim: AxisLike = None) -> Tensor:
    """`tf.expand_dims`, whose axis may be called `dim`.

    Args:
      input: a tensor of any shape.
      axis, dim: where the new axis is.
    Returns: a tensor of one rank more.

    >>> print(tf.compat.v1.expand_dims([1, 2], dim=0).numpy())
    [[1 2]]
    """
    return shaping.expand_dims(input, _one_of("expand_dims", axis=axis, dim=dim))


def squeeze(input: TensorLike, axis: AxisLike = None, name: str | None = None, squeeze_dims: AxisLike = None) -> Tensor:
    """`tf.squeeze`, whose axes may be called `squeeze_dims`.

    Args:
      input: a tensor of any shape.
      axis, squeeze_dims: the axes to leave out, all of size 1 by default.
    Returns: a tensor of the other axes.

    >>> print(tf.compat.v1.squeeze([[1, 2]], squeeze_dims=[0]).numpy())
    [1 2]
    """
    return shaping.squeeze(input, _one_of("squeeze", axis=axis, squeeze_dims=squeeze_dims))


def norm(
    tensor: TensorLike,
    ord: str | float = "euclidean",
    axis: AxisLike = None,
    keepdims: bool | None = None,
    name: str | None = None,
    keep_dims: bool | None = None,
) -> Tensor:
    """`tf.norm`, whose `keepdims` may be called `keep_dims`.

    Args:
      tensor: a tensor of any shape, of floats.
      ord: which norm.
      axis: the axes that are one vector, or matrix, each; all by default.
      keepdims, keep_dims: whether these axes stay, with size 1.
    Returns: a tensor of the remaining axes.

    >>> print(tf.compat.v1.norm([[3.0, 4.0]], axis=1, keep_dims=True).numpy())
    [[5.]]
    """
    return products.norm(tensor, ord, axis, bool(_one_of("norm", keepdims=keepdims, keep_dims=keep_dims)))


def sparse_to_dense(
    sparse_indices: TensorLike,
    output_shape: ShapeLike,
    sparse_values: TensorLike,
    default_value: TensorLike = 0,
    validate_indices: bool = True,
    name: str | None = None,
) -> Tensor:
    """A tensor with values at places, and another one everywhere else.

    Args:
      sparse_indices: the places, whole numbers of shape [n, rank]; of shape [n], or a number, for rank 1.
      output_shape: the shape of the result.
      sparse_values: the values, of shape [n], or one for all.
      default_value: what all other elements are.
      validate_indices: accepted; a place outside of the shape is an error.
    Returns: a tensor of this shape, and of the dtype of the values.
    Raises:
      InvalidArgumentError: if a place is outside.

    >>> print(tf.compat.v1.sparse_to_dense([[1]], [3], 5).numpy())
    [0 5 0]
    """
    values, places = operand(sparse_values), operand(sparse_indices)
    places = shaping.reshape(places, [-1, 1]) if places.shape.rank != 2 else places
    whole = making.fill(output_shape, convert_to_tensor(default_value, values.dtype))
    values = shaping.broadcast_to(values, [shaping.shape(places)[0]])
    return parts.tensor_scatter_nd_update(whole, places, values)


# Sparse tensors in sessions.


class SparseTensorValue(NamedTuple):
    """What a `Session` gives for a SparseTensor, and is fed for one.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     session.run(tf.sparse.from_dense([0, 3]))
    SparseTensorValue(indices=array([[1]]), values=array([3], dtype=int32), dense_shape=array([2]))
    """

    indices: NumPyArray
    values: NumPyArray
    dense_shape: NumPyArray


def sparse_placeholder(dtype: DTypeLike, shape: PatternLike = None, name: str | None = None) -> SparseTensor:
    """A SparseTensor of a graph whose value is fed where a `Session` runs it: a SparseTensorValue, or such a tuple.

    Args:
      dtype: the dtype of its elements.
      shape: the shape of the tensor, as far as it is known.
      name: what the names of its three placeholders begin with.
    Raises:
      RuntimeError: where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.sparse_placeholder(tf.float32)
    ...     total = tf.reduce_sum(x.values)
    ...     print(session.run(total, {x: tf.compat.v1.SparseTensorValue([[0, 1], [2, 0]], [1.0, 2.0], [3, 4])}))
    3.0
    """
    rank, stem = TensorShape(shape).rank, name or "sparse"
    return SparseTensor(
        placeholder(int64, [None, rank], f"{stem}/indices"),
        placeholder(dtype, [None], f"{stem}/values"),
        placeholder(int64, [rank], f"{stem}/shape"),
    )


# What is done to parts of Variables.


def _scattered(method: str) -> Callable[..., object]:
    def function(
        ref: Variable, indices: TensorLike, updates: TensorLike, use_locking: bool = True, name: str | None = None
    ) -> object:
        return getattr(ref, method)(IndexedSlices(updates, indices))

    function.__name__ = function.__qualname__ = method
    function.__doc__ = f"""`Variable.{method}` of rows.

    Args:
      ref: the Variable.
      indices: which rows, whole numbers of any shape.
      updates: a row for each, of their shape and that of a row.
      use_locking: accepted.
    Returns: the Variable; in a graph what does it, and gives its value.

    >>> v = tf.compat.v1.Variable([1.0, 2.0, 3.0], use_resource=True)
    >>> _ = tf.compat.v1.{method}(v, [0], [2.0])
    """
    return function


scatter_add, scatter_sub, scatter_update = map(_scattered, ("scatter_add", "scatter_sub", "scatter_update"))
scatter_max, scatter_min = map(_scattered, ("scatter_max", "scatter_min"))
scatter_mul, scatter_div = map(_scattered, ("scatter_mul", "scatter_div"))

# Graphs.


def Print(  # its name
    input_: TensorLike,
    data: Sequence[TensorLike],
    message: str | None = None,
    first_n: int | None = None,
    summarize: int | None = None,
    name: str | None = None,
) -> Tensor:
    """A tensor, where it is computed, printed are others: `tf.print`, with each in brackets.

    Args:
      input_: the tensor, of any shape.
      data: what is printed, a list of tensors.
      message: a text before them.
      first_n: must be None or -1: it is printed each time.
      summarize: how many elements of each are printed, 3 by default.
    Returns: a tensor of the value of `input_`.

    >>> x = tf.compat.v1.Print(tf.constant(3), [tf.constant([1, 2]), 5], "is ")
    """
    if first_n not in (None, -1):
        raise NotImplementedError(f"Print with first_n={first_n}: it prints each time; leave first_n out")
    shown: list[Structure] = [message or ""]
    most = 3 if summarize is None else summarize
    for one in data:
        tensor = operand(one)
        count = tensor.shape.num_elements() if tensor.shape.rank == 1 else None
        cut = 0 <= most < (count or 0)
        shown += ["[", tensor, "]"] if tensor.shape.rank == 0 else [tensor]
        if cut:
            shown[-1:] = ["[", *(part for n in range(most) for part in (" " * (n > 0), tensor[n])), "...]"]
    printed = effects.print_(*shown, sep="", summarize=-1)
    if printed is None:
        return shaping.identity(input_)
    with effects.control_dependencies([printed]):
        return shaping.identity(input_)


def tuple(  # its name
    tensors: Sequence[TensorLike | None], name: str | None = None, control_inputs: Sequence[object] | None = None
) -> list[Tensor | None]:
    """Tensors of which each is there when all are.

    Args:
      tensors: the tensors, of any shapes, and None in their places.
      control_inputs: what is done before.
    Returns: a list of as many.
    Raises:
      ValueError: if there is none.

    >>> [int(x) for x in tf.compat.v1.tuple([tf.constant(1), tf.constant(2)])]
    [1, 2]
    """
    given = [None if one is None else convert_to_tensor(one) for one in tensors]
    if all(one is None for one in given):
        raise ValueError(f"Must have at least one Tensor: {tensors!r}")
    with effects.control_dependencies([*(control_inputs or ()), *(one for one in given if one is not None)]):  # type: ignore[list-item]
        return [None if one is None else shaping.identity(one) for one in given]


def make_template(
    name_: str,
    func_: Callable[..., Structure],
    create_scope_now_: bool = False,
    unique_name_: str | None = None,
    custom_getter_: object = None,
    **kwargs: Structure,
) -> Callable[..., Structure]:
    """A function that has its Variables: those of `get_variable` that its first call makes are those of all calls.

    Args:
      name_: what the names of the Variables begin with; a number is added where it is taken.
      func_: the function.
      create_scope_now_: accepted: the scope is found at the first call.
      unique_name_: that name, which must not be taken.
      custom_getter_: must be None.
      kwargs: arguments that each call has.
    Raises:
      ValueError: when a later call makes another Variable.

    >>> with tf.Graph().as_default():
    ...     make = lambda x: x * tf.compat.v1.get_variable("factor", initializer=2.0)
    ...     scaled = tf.compat.v1.make_template("scale", make)
    ...     _ = scaled(1.0), scaled(2.0)
    ...     [v.name for v in tf.compat.v1.global_variables()]
    ['scale/factor:0']
    """
    if custom_getter_ is not None:
        raise NotImplementedError("make_template with custom_getter_: get_variable makes the Variables")
    made: list[Any] = []

    def template(*args: Structure, **more: Structure) -> Structure:
        options = {**kwargs, **more}
        if not made:
            scope = variable_scope(unique_name_) if unique_name_ else variable_scope(None, name_)
            with scope as opened:
                made.append(opened)
                return func_(*args, **options)
        with variable_scope(made[0], reuse=True, auxiliary_name_scope=False), name_scope(made[0].name):
            return func_(*args, **options)

    return template


def colocate_with(op: object, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """A block that changes nothing: there is one device.

    Args:
      op, ignore_existing: accepted.

    >>> with tf.compat.v1.colocate_with(tf.constant(1)):
    ...     x = tf.constant(2)
    """
    return nullcontext()
