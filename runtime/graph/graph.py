"""Graphs: inputs, nodes in program order, outputs. The only intermediate representation there is."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, TypeVar

from runtime.graph import shapes
from runtime.graph.dimensions import Symbol
from runtime.graph.dtypes import DType, float32, int32, python_numbers, resource, variant
from runtime.graph.operations import Operation, operations_of
from runtime.graph.shapes import Dim, Dims, Pattern, TensorShape

if TYPE_CHECKING:
    from runtime.graph.definition import GraphDef
    from runtime.graph.op import Op
    from runtime.tensors.tensor import Tensor
    from runtime.tensors.variables import Variable


@dataclass(frozen=True, init=False)
class TensorType:
    """What is known of a tensor before it exists.

    A weak tensor came from Python numbers alone: it is held in 64 bits and takes the dtype of what it meets. `sizes`
    are the numbers that integers of rank 0 or 1 hold, as dimensions; None if nothing is known of them.
    """

    dtype: DType
    shape: Dims
    weak: bool = False
    sizes: tuple[Dim, ...] | None = field(default=None, compare=False)

    def __init__(self, dtype: DType, shape: Dims, weak: bool = False, sizes: tuple[Dim, ...] | None = None) -> None:
        self.__dict__.update(dtype=dtype, shape=shape, weak=weak, sizes=sizes)  # at once: very many are made

    def of_value(self) -> TensorType:
        """The type for a value of a graph: dimensions that are open, and a whole number, get names."""
        number = self.shape == () and self.sizes in (None, (None,)) and self.dtype.is_integer
        if self.shape is None or not (number or None in self.shape):
            return self
        sizes = (Symbol.new(natural=False),) if number else self.sizes
        return TensorType(self.dtype, shapes.named(self.shape), self.weak, sizes)

    def without_symbols(self) -> TensorType:
        """What holds outside of the graph, or of the iteration, too."""
        return TensorType(self.dtype, shapes.pattern(self.shape), self.weak)

    def __str__(self) -> str:
        return f"{self.dtype.name}{'*' if self.weak else ''}{shapes.show(self.shape)}"


@dataclass(frozen=True)
class HandleType:
    """A Variable: a place that holds tensors of this dtype and shape; each time another, where it is open."""

    dtype: DType
    shape: Pattern

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shapes.pattern(self.shape))

    def without_symbols(self) -> HandleType:
        return self

    def __str__(self) -> str:
        return f"variable {self.dtype.name}{shapes.show(self.shape)}"


@dataclass(frozen=True)
class ListType:
    """The elements of a TensorArray or a list; each may have another size where the shape is open.

    Weak elements are Python numbers, in 64 bits. Without a shape nothing is known of the elements, as long as there are
    none; those that are `mixed` may have any number of dimensions each.
    """

    dtype: DType
    shape: Dims
    weak: bool = False
    mixed: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "shape", shapes.pattern(self.shape))

    def holding(self, shape: Dims) -> ListType:
        """The type with elements of this shape among the others."""
        if self.shape is None and shape is not None and not self.mixed:
            return replace(self, shape=shape)
        known = shapes.join(self.shape, shape)
        return replace(self, shape=known, mixed=known is None)

    def joined(self, other: ListType) -> ListType:
        """The type of a list that is one or the other, of the same dtype."""
        if other.shape is None and not other.mixed:
            return self
        return self.holding(other.shape)

    def without_symbols(self) -> ListType:
        return self

    def __str__(self) -> str:
        return f"list of {self.dtype.name}{'*' if self.weak else ''}{shapes.show(self.shape)}"


Type = TensorType | HandleType | ListType
Attributes = Mapping[str, Any]  # of an operation: what its row says of each
_STRONG = {"int64": int32, "float64": float32}
_OTHERS: dict[type, DType] = {HandleType: resource, ListType: variant}


def strong_dtype(type_: TensorType | ListType) -> DType:
    """The dtype that a weak tensor takes where nothing else decides."""
    if type_.weak and not python_numbers.are_numpys:
        return _STRONG.get(type_.dtype.name, type_.dtype)
    return type_.dtype


@dataclass(frozen=True)
class Place:
    """A line of the user's source."""

    filename: str
    line: int


class Value:
    """One result of a node, or an input of a graph; made once, identified by itself."""

    __slots__ = ("hint", "type")

    def __init__(self, type_: Type, hint: str) -> None:
        self.type = type_.of_value() if isinstance(type_, TensorType) else type_
        self.hint = hint

    @property
    def dtype(self) -> DType:
        """The dtype of the elements; of a Variable ``resource``, of a list ``variant``."""
        kind = self.type
        return strong_dtype(kind) if isinstance(kind, TensorType) else _OTHERS[type(kind)]

    @property
    def shape(self) -> TensorShape:
        """The shape; that of Variables and lists is ()."""
        return TensorShape(self.type.shape if isinstance(self.type, TensorType) else ())

    def __getattr__(self, name: str) -> NoReturn:
        told = "" if name.startswith("_") else ". ConcreteFunction.inputs and .outputs are tensors, with names"
        raise AttributeError(f"a value of a graph has no attribute '{name}'{told}", name=name, obj=self)

    def __repr__(self) -> str:
        return f"<{self.hint}: {self.type}>"


class Named:
    """A name that the user gave to a call; all operations that the call records have it in common."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


@dataclass(frozen=True, eq=False, init=False)
class Node:
    """One operation. Regions are closed graphs: what they need from outside are inputs of the node."""

    op: Op
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    attributes: Attributes = field(default_factory=dict)
    regions: tuple[Graph, ...] = ()
    place: Place | None = None
    scope: str = ""  # the names of the blocks in which it was recorded
    name: Named | None = None

    def __init__(
        self, op: Op, inputs: tuple[Value, ...], outputs: tuple[Value, ...], attributes: Attributes | None = None,
        regions: tuple[Graph, ...] = (), place: Place | None = None, scope: str = "", name: Named | None = None,
    ) -> None:  # fmt: skip
        self.__dict__.update(
            op=op, inputs=inputs, outputs=outputs, attributes={} if attributes is None else attributes,
            regions=regions, place=place, scope=scope, name=name,
        )  # fmt: skip

    @property
    def effect(self) -> str:
        """``write`` if it does something to the world, ``read`` if it depends on it, or nothing."""
        if not self.regions and "graph" not in self.attributes:
            return self.op.effect
        effects, callees = {self.op.effect}, {self.callee}
        for region in self.regions:
            effects |= region.effects
            callees |= region.callees
        return _strongest(effects | {callee.effect for callee in callees if callee is not None})

    @property
    def callee(self) -> Callee | None:
        """The graph that the node calls."""
        callee = self.attributes.get("graph")
        return callee if isinstance(callee, Callee) else None


Part = TypeVar("Part", bound="Node | Graph")


def replaced(part: Part, **changes: Any) -> Part:
    """As `dataclasses.replace` has it, in a fraction of the time: every pass makes many nodes of others."""
    made: Part = object.__new__(type(part))
    held = part.__dict__
    if not isinstance(part, Node):  # what is known of the one need not hold for the other
        held = {name: held[name] for name in _fields(type(part))}  # type: ignore[arg-type]
    made.__dict__.update(held, **changes)
    return made


@functools.cache
def _fields(kind: type[Graph]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


def _strongest(effects: Set[str]) -> str:
    return "write" if "write" in effects else "read" if "read" in effects else ""


class Callee:
    """A graph that others call, and that may call itself: its calls are there before it is whole."""

    def __init__(self, name: str, graph: Graph | None = None, source: Graph | None = None) -> None:
        self.name = name
        self.graph = graph
        self.source = source  # as it was before it was optimised, for its gradient
        self._asked = False

    @property
    def effect(self) -> str:
        """As that of a node; what a graph does by calling itself it also does otherwise."""
        if self.graph is None or self._asked:
            return "write" if self.graph is None else ""
        self._asked = True
        try:
            return _strongest(self.graph.effects | {callee.effect for callee in self.graph.callees})
        finally:
            self._asked = False


@dataclass(frozen=True, eq=False)
class Graph:
    """A function as a list of operations, with inputs and outputs. It never changes: an optimisation makes a new one.

    Printed, it is the NumPy code that says what it computes. ``Graph()`` is another thing: an empty graph that a
    program fills, and that a `compat.v1.Session` runs.

    >>> @tf.function
    ... def f(x):
    ...     return x * 2 + 1
    >>> print(f.get_concrete_function(tf.TensorSpec([2], tf.float32)).graph)
    import numpy as np
    <BLANKLINE>
    <BLANKLINE>
    def f(x):
        return (x * 2.0 + 1.0,)
    <BLANKLINE>
    """

    name: str = ""
    inputs: tuple[Value, ...] = ()
    nodes: tuple[Node, ...] = ()
    outputs: tuple[Value, ...] = ()
    traced: Graph | None = field(default=None, repr=False)  # what it was before it was optimised
    variables: tuple[Variable, ...] = field(default=(), repr=False)  # those that it uses without being given them
    write: ClassVar[Callable[[Graph], str]]  # as text: from the executor whose text it is
    define: ClassVar[Callable[[Graph], GraphDef]]
    draw: ClassVar[Callable[[Graph], str]]
    picture: ClassVar[Callable[[Graph], str]]
    begin: ClassVar[Callable[[Graph], None]]  # to be one that a program fills

    def __post_init__(self) -> None:
        if not self.name and type(self) is Graph:
            Graph.begin(self)

    @functools.cached_property
    def effects(self) -> frozenset[str]:
        """What the operations do to the world, in branches and loops, too, but not in graphs that are called.

        >>> tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1)).graph.effects
        frozenset({''})
        """
        own = {node.op.effect for node in self.nodes}
        return frozenset(own.union(*(region.effects for node in self.nodes for region in node.regions)))

    @functools.cached_property
    def callees(self) -> frozenset[Callee]:
        """The graphs that are called, in branches and loops, too.

        >>> tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1)).graph.callees
        frozenset()
        """
        own = {callee for node in self.nodes if (callee := node.callee) is not None}
        return frozenset(own.union(*(region.callees for node in self.nodes for region in node.regions)))

    def walk(self) -> Iterator[Node]:
        """All nodes, those of a branch or loop after the node that holds them.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1.0)).graph
        >>> [node.op.name for node in graph.walk()]
        ['constant', 'multiply']
        """
        for node in self.nodes:
            yield node
            for region in node.regions:
                yield from region.walk()

    def __str__(self) -> str:
        return Graph.write(self)

    def verify(self) -> Graph:
        """The graph, checked: every value is made before it is used.

        Raises ValueError, with the node at fault.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1.0)).graph
        >>> graph.verify() is graph
        True
        """
        known = set(map(id, self.inputs))
        for node in self.nodes:
            for value in node.inputs:
                if id(value) not in known:
                    raise ValueError(f"in {self.name}, {node.op.name} uses {value!r}, which nothing before it makes")
            for region in node.regions:
                region.verify()
            known |= set(map(id, node.outputs))
        for value in self.outputs:
            if id(value) not in known:
                raise ValueError(f"{self.name} returns {value!r}, which nothing in it makes")
        return self

    # What TensorFlow's users look for: the operations as they were traced, of which some may not run.

    @functools.cached_property
    def _operations(self) -> dict[str, Operation]:
        return {operation.name: operation for operation in operations_of(self, self.traced or self)}

    @functools.cached_property
    def makers(self) -> dict[Value, tuple[Operation, int]]:
        """By what each value is made, and which of the outputs it is.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1.0)).graph
        >>> [operation.name for operation, _ in graph.makers.values()]
        ['x', 'Const', 'multiply']
        """
        made = self._operations.values()
        return {value: (operation, i) for operation in made for i, value in enumerate(operation.makes)}

    def get_operations(self) -> list[Operation]:
        """The operations as TensorFlow names them: what is given first, what is returned last.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1.0)).graph
        >>> [(operation.name, operation.type) for operation in graph.get_operations()]
        [('x', 'Placeholder'), ('Const', 'Const'), ('multiply', 'Mul'), ('Identity', 'Identity')]
        """
        return [*self._operations.values()]

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation of a name.

        Raises:
          KeyError: if there is none.
          ValueError: if the name is that of a tensor.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.constant(1.0)).graph
        >>> graph.get_operation_by_name("multiply").type
        'Mul'
        """
        if ":" in name:
            raise ValueError(f"Name {name!r} appears to refer to a Tensor, not a Operation")
        found = self._operations.get(name)
        if found is None:
            raise KeyError(
                f"there is no operation {name!r} in the graph {self.name!r}, which has {', '.join(self._operations)}"
            )
        return found

    def get_tensor_by_name(self, name: str) -> Tensor:
        """The tensor of a name: that of its operation, a colon, and which of the outputs it is.

        Returns: a tensor with the dtype and the shape that the graph knows, and a value only when it runs.
        Raises:
          ValueError: if the name is none of a tensor.
          KeyError: if there is no such tensor.
          TypeError: for what is no name.

        >>> graph = tf.function(lambda x: x * 2).get_concrete_function(tf.TensorSpec([None])).graph
        >>> graph.get_tensor_by_name("multiply:0")
        <tf.Tensor 'multiply:0' shape=(None,) dtype=float32>
        """
        if not isinstance(name, str):
            raise TypeError(f"Tensor names are strings (or similar), not {type(name).__name__}: {name!r}")
        operation, colon, number = name.rpartition(":")
        if not colon or not number.isdecimal():
            raise ValueError(f"{name!r} is no name of a tensor: that ends in a colon and a number, as {name}:0 does")
        outputs = self.get_operation_by_name(operation).outputs
        if int(number) >= len(outputs):
            raise KeyError(f"{name!r}: the operation {operation!r} makes {len(outputs)} tensors")
        return outputs[int(number)]

    def as_graph_def(self) -> GraphDef:
        """The graph as data, in the form of TensorFlow's: a list `node` of operations, and a `library` of functions.

        Of attributes those of ``Placeholder`` and ``Const`` are TensorFlow's; the others are those of the operations
        here. Its text is that of a protocol buffer.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph
        >>> definition = graph.as_graph_def()
        >>> [node.op for node in definition.node], len(definition.library.function)
        (['Placeholder', 'Neg', 'Identity'], 0)
        >>> print(definition.node[1])
        name: "negative"
        op: "Neg"
        input: "x"
        attr {
          key: "T"
          value {
            type: DT_FLOAT
          }
        }
        <BLANKLINE>
        """
        return Graph.define(self)

    def to_dot(self) -> str:
        """A drawing of the graph that runs, in the language of Graphviz; branches and loops are boxes around boxes.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph
        >>> print(graph.to_dot().splitlines()[-2])
          n1 -> n2
        """
        return Graph.draw(self)

    def to_svg(self) -> str:
        """The same drawing as SVG.

        Raises:
          ImportError: if Graphviz, which makes it, is not installed.

        >>> graph = tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph
        >>> svg = graph.to_svg()  # doctest: +SKIP
        """
        return Graph.picture(self)

    @property
    def building_function(self) -> bool:
        """Whether it is that of a function, and not one that a program fills.

        >>> tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph.building_function
        True
        """
        return True

    @property
    def finalized(self) -> bool:
        """Whether nothing can be added any more by what a program does: False for functions, which end by themselves.

        >>> tf.function(lambda x: -x).get_concrete_function(tf.constant(1.0)).graph.finalized
        False
        """
        return False

    @property
    def trainable_variables(self) -> tuple[Variable, ...]:
        """Those of the Variables that it uses without being given them that training is to change.

        >>> w, step = tf.Variable(1.0, name="w"), tf.Variable(0.0, trainable=False)
        >>> graph = tf.function(lambda: w + step).get_concrete_function().graph
        >>> [v.name for v in graph.trainable_variables]
        ['w:0']
        """
        return tuple(variable for variable in self.variables if variable.trainable)
