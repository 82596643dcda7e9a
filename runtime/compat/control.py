"""What TensorFlow 1 has other arguments or results for: branches, loops, groups, placeholders."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.compat.graphs import OpenGraph, OpenTrace
from runtime.control import cond as cond_v2, while_loop as while_v2
from runtime.graph.dtypes import as_dtype
from runtime.graph.graph import TensorType
from runtime.graph.operations import Operation
from runtime.graph.scopes import in_scope
from runtime.graph.shapes import TensorShape
from runtime.ops import shape as shape_ops
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.operations import strong
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import current, in_force
from runtime.tensors.types import DTypeLike, PatternLike, SizeLike, Structure, TensorLike


def _filled(what: str) -> OpenGraph:
    """The graph that is filled where a function is called."""
    trace = current()
    if trace is None or not isinstance(trace.root, OpenTrace):
        raise RuntimeError(
            f"tf.{what}() is not compatible with eager execution. Call it inside of `with tf.Graph().as_default():`, "
            "or tf.compat.v1.disable_eager_execution() at the beginning of the program."
        )
    trace.root.public.check_open()
    return trace.root.public


def placeholder(dtype: DTypeLike, shape: PatternLike = None, name: str | None = None) -> Tensor:
    """A tensor of a graph whose value is fed where a `Session` runs it.

    Args:
      dtype: the dtype.
      shape: the shape, None for dimensions of any size; None for any shape.
      name: the name; ``Placeholder`` by default.
    Returns: a tensor of this dtype and shape.
    Raises:
      RuntimeError: where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     x = tf.compat.v1.placeholder(tf.float32, [None, 2], name="x")
    ...     print(x, session.run(x[0] * 2, {x: [[1, 2]]}))
    Tensor("x:0", shape=(None, 2), dtype=float32) [2. 4.]
    """
    graph = _filled("placeholder")
    graph.get_operations()  # those before it are listed first
    hint = graph.unique_name(in_scope(name or "Placeholder"))
    return SymbolicTensor(graph.trace, graph.trace.input(TensorType(as_dtype(dtype), TensorShape(shape).dims), hint))


def placeholder_with_default(input: TensorLike, shape: PatternLike, name: str | None = None) -> Tensor:
    """A tensor of a graph that has a value where it is fed none.

    Args:
      input: that value, a tensor, or what becomes one.
      shape: the shape, None for dimensions of any size, which that of `input` must fit; None for any shape.
      name: the name; ``PlaceholderWithDefault`` by default.
    Returns: a tensor of the dtype of `input` and of this shape.
    Raises:
      RuntimeError: where operations run at once.
      ValueError: if `input` has another shape.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     rate = tf.compat.v1.placeholder_with_default(0.5, [])
    ...     print(session.run(rate), session.run(rate, {rate: 0.1}))
    0.5 0.1
    """
    graph = _filled("placeholder_with_default")
    trace = in_force()
    value = strong(trace, convert_to_tensor(input).record_in(trace))
    wanted = TensorShape(shape)
    if not wanted.is_compatible_with(TensorShape(value.type.shape)):  # type: ignore[union-attr]
        raise ValueError(
            f"placeholder_with_default of shape {wanted}: the value has shape {TensorShape(value.type.shape)}"  # type: ignore[union-attr]
        )
    kind = TensorType(value.dtype, wanted.dims)
    (made,) = trace.record(shape_ops.identity, [value], {}, [kind], hints=["PlaceholderWithDefault"])
    graph.mark("PlaceholderWithDefault")
    return SymbolicTensor(trace, made)


def cond(
    pred: TensorLike,
    true_fn: Callable[[], Structure] | None = None,
    false_fn: Callable[[], Structure] | None = None,
    strict: bool = False,
    name: str | None = None,
    fn1: Callable[[], Structure] | None = None,
    fn2: Callable[[], Structure] | None = None,
) -> Structure:
    """`runtime.cond` with the arguments of TensorFlow 1: a list or tuple of one result is that result.

    Args:
      pred: a boolean tensor of shape ().
      true_fn, false_fn: functions without parameters; what they return has the same structure and dtypes.
      strict: whether lists and tuples of one element stay what they are.
      fn1, fn2: older names of `true_fn` and `false_fn`.
    Returns: what the chosen function returns.

    >>> print(tf.compat.v1.cond(tf.constant(3) > 2, lambda: [tf.constant(1)], lambda: [tf.constant(0)]))
    tf.Tensor(1, shape=(), dtype=int32)
    """
    chosen, other = true_fn or fn1, false_fn or fn2
    if not callable(chosen) or not callable(other):
        raise TypeError("cond needs two functions without parameters, true_fn and false_fn")
    result = cond_v2(pred, chosen, other)
    return result if strict else _unpacked(result)


def _unpacked(result: Structure) -> Structure:
    return result[0] if type(result) in (list, tuple) and len(result) == 1 else result


def while_loop(
    cond: Callable[..., Structure],
    body: Callable[..., Structure],
    loop_vars: Sequence[Structure],
    shape_invariants: Structure = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
    maximum_iterations: SizeLike | None = None,
    return_same_structure: bool = False,
) -> Structure:
    """`runtime.while_loop` with the arguments of TensorFlow 1: a loop over one variable gives that variable.

    Args:
      cond: a function of the variables that returns a boolean of shape ().
      body: a function of the variables that returns their next values.
      loop_vars: a list of first values, of any shapes.
      shape_invariants: shapes, as `runtime.while_loop` takes them.
      parallel_iterations, swap_memory: accepted: one iteration runs after the other.
      back_prop: accepted: whether there is a gradient is up to who asks for it.
      maximum_iterations: how many iterations there are at most.
      return_same_structure: whether a list of one variable stays a list.
    Returns: the last values: tensors of the same structure.

    >>> print(tf.compat.v1.while_loop(lambda i: i < 10, lambda i: i * 2, [1]))
    tf.Tensor(16, shape=(), dtype=int32)
    """
    result: Structure = while_v2(
        cond, body, loop_vars, shape_invariants=shape_invariants, maximum_iterations=maximum_iterations
    )
    return result if return_same_structure else _unpacked(result)


def group(*inputs: object, name: str | None = None) -> Operation | None:
    """An operation that runs others: operations, tensors, Variables, or lists of these.

    Args:
      inputs: what it runs.
      name: the name; ``group_deps`` by default.
    Returns: the operation; None where operations run at once.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     a, b = tf.Variable(1), tf.Variable(2)
    ...     session.run(tf.group(a.initializer, b.initializer))
    ...     print(session.run([a, b]))
    [np.int32(1), np.int32(2)]
    """
    trace = current()
    if trace is None or not isinstance(trace.root, OpenTrace):
        return None
    graph = trace.root.public
    parts = [graph.operation_of(part) for part in graph.parts_of(list(inputs))]
    return graph.no_operation(in_scope(name or "group_deps"), parts)


def no_op(name: str | None = None) -> Operation | None:
    """An operation that does nothing, but that it runs what `control_dependencies` around it name.

    Args:
      name: the name; ``NoOp`` by default.
    Returns: the operation; None where operations run at once.

    >>> with tf.Graph().as_default():
    ...     tf.no_op()
    <tf.Operation 'NoOp' type=NoOp>
    """
    trace = current()
    if trace is None or not isinstance(trace.root, OpenTrace):
        return None
    graph = trace.root.public
    after = [graph.operation_of(part) for part in trace.root.stack[-1]]
    return graph.no_operation(in_scope(name or "NoOp"), after)
