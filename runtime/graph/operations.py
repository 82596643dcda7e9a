"""A graph as TensorFlow lists it: operations with names, inputs and outputs of their own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from runtime.graph.definition import NodeDef
    from runtime.graph.graph import Graph, Node, Value
    from runtime.tensors.tensor import Tensor


class Operation:
    """An operation of a graph: its name, its type as TensorFlow calls it, the tensors that it takes and makes.

    What a graph is given are operations of the type ``Placeholder``, named after the arguments; what it returns are
    operations of the type ``Identity``. Names are the operations' own, with those of a `name_scope` before and a
    number behind where there are several.

    >>> @tf.function
    ... def f(x, y):
    ...     return x * y
    >>> graph = f.get_concrete_function(tf.TensorSpec([2]), tf.TensorSpec([])).graph
    >>> graph.get_operations()
    [<tf.Operation 'x' type=Placeholder>, <tf.Operation 'y' type=Placeholder>, <tf.Operation 'multiply' type=Mul>, \
<tf.Operation 'Identity' type=Identity>]
    """

    result: ClassVar[Callable[[Operation, int, Value], Tensor]]  # a tensor that it makes: from where tensors are

    def __init__(self, graph: Graph, name: str, kind: str, node: Node | None, makes: tuple[Value, ...]) -> None:
        self._graph, self._name, self._type = graph, name, kind
        self.node = node  # None for what the graph is given or returns
        self.makes = makes
        self._returned: Value | None = None

    @property
    def graph(self) -> Graph:
        """The graph that it belongs to.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph
        >>> graph.get_operations()[0].graph is graph
        True
        """
        return self._graph

    @property
    def name(self) -> str:
        """The name, which no other operation of the graph has.

        >>> graph = tf.function(lambda x: -x - x).get_concrete_function(tf.constant(1.0)).graph
        >>> [operation.name for operation in graph.get_operations()]
        ['x', 'negative', 'subtract', 'Identity']
        """
        return self._name

    @property
    def type(self) -> str:
        """The name of TensorFlow's operation.

        >>> graph = tf.function(lambda x: -x - x).get_concrete_function(tf.constant(1.0)).graph
        >>> [operation.type for operation in graph.get_operations()]
        ['Placeholder', 'Neg', 'Sub', 'Identity']
        """
        return self._type

    @functools.cached_property
    def outputs(self) -> list[Tensor]:
        """The tensors that it makes: they have a dtype, a shape and a name, and their values only when the graph runs.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.TensorSpec([None])).graph
        >>> graph.get_operation_by_name("negative").outputs
        [<tf.Tensor 'negative:0' shape=(None,) dtype=float32>]
        """
        values = self.makes if self._returned is None else (self._returned,)
        return [Operation.result(self, number, value) for number, value in enumerate(values)]

    @functools.cached_property
    def inputs(self) -> tuple[Tensor, ...]:
        """The tensors that it takes: outputs of other operations.

        >>> graph = tf.function(lambda x: -x - x).get_concrete_function(tf.TensorSpec([])).graph
        >>> [tensor.name for tensor in graph.get_operation_by_name("subtract").inputs]
        ['negative:0', 'x:0']
        """
        return tuple(operation.outputs[number] for operation, number in self.sources)

    @property
    def control_inputs(self) -> list[Operation]:
        """The operations that run before it whenever it runs, though it takes nothing of them.

        In functions these are none: what they do keeps the order of the program.

        >>> with tf.Graph().as_default():
        ...     with tf.control_dependencies([tf.constant(1, name="first")]):
        ...         tf.constant(2).op.control_inputs
        [<tf.Operation 'first' type=Const>]
        """
        return []

    def values(self) -> tuple[Tensor, ...]:
        """The tensors that it makes: its `outputs`, as a tuple.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.TensorSpec([])).graph
        >>> graph.get_operation_by_name("negative").values()
        (<tf.Tensor 'negative:0' shape=() dtype=float32>,)
        """
        return tuple(self.outputs)

    @property
    def node_def(self) -> NodeDef:
        """The operation as data, as `Graph.as_graph_def` has it.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.TensorSpec([])).graph
        >>> graph.get_operation_by_name("negative").node_def.input
        ['x']
        """
        return next(node for node in self._graph.as_graph_def().node if node.name == self._name)

    def get_attr(self, name: str) -> object:
        """The value of an attribute: a bool, a number, bytes, a DType, a shape, an array, or a list of some of these.

        Raises:
          ValueError: if it has no such attribute.

        >>> graph = tf.function(lambda x: tf.reduce_sum(x, axis=1)).get_concrete_function(tf.TensorSpec([2, 3])).graph
        >>> graph.get_operation_by_name("sum").get_attr("axis")
        1
        """
        known = self.node_def.attr
        if name not in known:
            raise ValueError(f"operation {self._name!r} has no attribute {name!r}; it has {', '.join(known) or 'none'}")
        found = known[name]
        return [part.value for part in found.value] if found.kind == "list" else found.value

    @functools.cached_property
    def sources(self) -> list[tuple[Operation, int]]:
        """By what its inputs are made, and which of the outputs they are."""
        taken = self.node.inputs if self.node is not None else ()
        makers = self._graph.makers
        return [makers[value] for value in ((self._returned,) if self._returned is not None else taken)]

    def __repr__(self) -> str:
        return f"<tf.Operation '{self._name}' type={self._type}>"

    @classmethod
    def returning(cls, graph: Graph, name: str, value: Value) -> Operation:
        """The operation that stands for a result of the graph."""
        made = cls(graph, name, "Identity", None, ())
        made._returned = value
        return made


def operations_of(graph: Graph, traced: Graph) -> Iterator[Operation]:
    """The operations of a graph, as it was `traced`: what it is given, what it does, what it returns."""
    taken: set[str] = set()
    last: dict[str, int] = {}  # the number that was put behind a name

    def free(stem: str) -> str:
        name, number = stem, last.get(stem, 0)
        while name in taken:
            number += 1
            name = f"{stem}_{number}"
        taken.add(name)
        last[stem] = number
        return name

    for value in traced.inputs:
        yield Operation(graph, free(value.hint), "Placeholder", None, (value,))
    names = names_of(traced.nodes, free)
    for node in traced.nodes:
        yield Operation(graph, names[node], node.op.tensorflow_name(node), node, node.outputs)
    for value in traced.outputs:
        yield Operation.returning(graph, free("Identity"), value)


def names_of(nodes: Iterable[Node], free: Callable[[str], str]) -> dict[Node, str]:
    """The names of operations, in order. A name that the user gave to a call is that of the last one of the call."""
    nodes = list(nodes)
    ordered = sorted((node for node in nodes if node.name is not None), key=lambda node: bool(node.outputs))
    last = {id(node.name): node for node in ordered}  # one that makes something, if there is any
    whole: dict[int, str] = {}
    names: dict[Node, str] = {}
    for node in nodes:
        if node.name is None:
            names[node] = free(f"{node.scope}{_stem(node)}")
            continue
        call = id(node.name)
        if call not in whole:
            whole[call] = free(f"{node.scope}{node.name.text}")
        names[node] = whole[call] if last[call] is node else free(f"{whole[call]}/{_stem(node)}")
    return names


def _stem(node: Node) -> str:
    """What an operation is called, if it is the only one."""
    kind = node.op.tensorflow_name(node)
    if kind == "Const":
        return kind
    if node.callee is not None:
        return node.callee.name
    return node.op.stem if node.regions or not node.outputs or node.name is not None else node.outputs[0].hint
