"""A graph as data, in the form of TensorFlow's GraphDef: nodes by name, a library of functions, and their text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.graph.dtypes import DType, NumPyArray, as_dtype
from runtime.graph.graph import Callee, Graph, Value
from runtime.graph.operations import Operation
from runtime.graph.shapes import TensorShape

_MOST = 64  # elements of a constant that are written one by one; more stand in the text as bytes

# How the text calls element types, and the elements of constants.
_TYPES = {
    "bool": ("DT_BOOL", "bool_val"), "int8": ("DT_INT8", "int_val"), "int16": ("DT_INT16", "int_val"),
    "int32": ("DT_INT32", "int_val"), "int64": ("DT_INT64", "int64_val"), "uint8": ("DT_UINT8", "int_val"),
    "uint16": ("DT_UINT16", "int_val"), "uint32": ("DT_UINT32", "uint32_val"), "uint64": ("DT_UINT64", "uint64_val"),
    "float16": ("DT_HALF", "half_val"), "float32": ("DT_FLOAT", "float_val"), "float64": ("DT_DOUBLE", "double_val"),
    "complex64": ("DT_COMPLEX64", "scomplex_val"), "complex128": ("DT_COMPLEX128", "dcomplex_val"),
    "string": ("DT_STRING", "string_val"), "resource": ("DT_RESOURCE", ""), "variant": ("DT_VARIANT", ""),
}  # fmt: skip


@dataclass(frozen=True)
class FunctionName:
    """The name of a function of the library, as the value of an attribute."""

    name: str


@dataclass(frozen=True)
class AttrValue:
    """The value of an attribute: a bool `b`, an int `i`, a float `f`, bytes `s`, a DType `type`, a `shape`, an array
    `tensor`, the name of a function `func`, or a `list` of some of these; `kind` says which."""

    kind: str
    value: Any

    def __getattr__(self, name: str) -> Any:
        if name != self.kind:
            raise AttributeError(f"this attribute is {self.value!r}, which is .{self.kind}, not .{name}")
        return self.value

    def __reduce__(self) -> tuple[object, ...]:
        return AttrValue, (self.kind, self.value)


@dataclass
class NodeDef:
    """An operation as data: its name, its type, the names of its inputs, its attributes."""

    name: str
    op: str
    input: list[str] = field(default_factory=list)
    attr: dict[str, AttrValue] = field(default_factory=dict)
    device: str = ""

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _node(self))


@dataclass
class ArgDef:
    """An argument or result of a function of the library."""

    name: str
    type: DType


@dataclass
class Signature:
    """The name of a function of the library, its arguments and its results."""

    name: str
    input_arg: list[ArgDef]
    output_arg: list[ArgDef]


@dataclass
class FunctionDef:
    """A function of the library: a branch, the test or body of a loop, or a graph that is called."""

    signature: Signature
    node_def: list[NodeDef]
    ret: dict[str, str]

    def __str__(self) -> str:
        return "".join(f"{line}\n" for line in _function(self))


@dataclass
class Library:
    """The functions that the nodes name in their attributes."""

    function: list[FunctionDef] = field(default_factory=list)


@dataclass
class GraphDef:
    """A graph as data; `Graph.as_graph_def` makes it.

    >>> @tf.function
    ... def f(x):
    ...     return x * 2
    >>> definition = f.get_concrete_function(tf.constant(1)).graph.as_graph_def()
    >>> [(node.name, node.op, node.input) for node in definition.node]
    [('x', 'Placeholder', []), ('Const', 'Const', []), ('multiply', 'Mul', ['x', 'Const']), \
('Identity', 'Identity', ['multiply'])]
    >>> definition.node[1].attr["value"].tensor
    array(2, dtype=int32)
    """

    node: list[NodeDef] = field(default_factory=list)
    library: Library = field(default_factory=Library)

    def __str__(self) -> str:
        lines = [line for node in self.node for line in _block("node", _node(node))]
        functions = [line for one in self.library.function for line in _block("function", _function(one))]
        return "".join(f"{line}\n" for line in [*lines, *(_block("library", functions) if functions else [])])


def definition_of(graph: Graph) -> GraphDef:
    """A graph as data."""
    made = _Definition()
    nodes = [made.node(operation) for operation in graph.get_operations()]
    return GraphDef(nodes, Library(made.functions))


class _Definition:
    """A definition while it is made."""

    def __init__(self) -> None:
        self.functions: list[FunctionDef] = []
        self.names: set[str] = set()
        self.known: dict[int, str] = {}  # the name of each graph that is called

    def node(self, operation: Operation) -> NodeDef:
        inputs = [source.name if number == 0 else f"{source.name}:{number}" for source, number in operation.sources]
        inputs += [f"^{before.name}" for before in operation.control_inputs]
        return NodeDef(operation.name, operation.type, inputs, dict(self.attributes(operation)))

    def attributes(self, operation: Operation) -> Iterator[tuple[str, AttrValue]]:
        node = operation.node
        if node is None:
            if not operation.outputs:
                return
            (tensor,) = operation.outputs
            if operation.type == "Identity":
                yield "T", AttrValue("type", tensor.dtype)
            else:
                yield "shape", AttrValue("shape", tensor.shape)
                yield "dtype", AttrValue("type", tensor.dtype)
                yield "_user_specified_name", AttrValue("s", operation.name.encode())
            return
        if operation.type == "Const":
            array = _strong(np.asarray(node.attributes["value"]), node.outputs[0].dtype)
            yield "value", AttrValue("tensor", array)
            yield "dtype", AttrValue("type", as_dtype(array.dtype))
            return
        if node.inputs:
            yield "T", AttrValue("type", node.inputs[0].dtype)
        sides = ("then_branch", "else_branch") if operation.type.endswith("If") else ("cond", "body")
        for side, region in zip(sides, node.regions):
            yield side, AttrValue("func", FunctionName(self.function(region, f"{operation.name}_{side}")))
        for name, value in node.attributes.items():
            if isinstance(value, Callee):
                yield "f", AttrValue("func", FunctionName(self.called(value)))
            elif (found := _value(value)) is not None:
                yield name, found

    def called(self, callee: Callee) -> str:
        """The name of a graph that is called, which may call itself."""
        if id(callee) not in self.known:
            assert callee.graph is not None
            self.known[id(callee)] = self.free(callee.name)
            self.function(callee.graph, self.known[id(callee)], taken=True)
        return self.known[id(callee)]

    def function(self, graph: Graph, stem: str, taken: bool = False) -> str:
        name = stem if taken else self.free(stem.replace("/", "_"))
        operations = graph.get_operations()
        given, returned = operations[: len(graph.inputs)], operations[len(operations) - len(graph.outputs) :]

        def argument(operation: Operation, value: Value) -> ArgDef:
            return ArgDef(operation.name, value.dtype)

        nodes = [self.node(operation) for operation in operations[len(given) :]]
        signature = Signature(
            name, [*map(argument, given, graph.inputs)], [*map(argument, returned, graph.outputs)]
        )  # fmt: skip
        results = {operation.name: f"{operation.name}:0" for operation in returned}
        self.functions.append(FunctionDef(signature, nodes, results))
        return name

    def free(self, stem: str) -> str:
        name, number = stem, 0
        while name in self.names:
            number += 1
            name = f"{stem}_{number}"
        self.names.add(name)
        return name


def _strong(array: NumPyArray, dtype: DType) -> NumPyArray:
    """A constant of Python's in the dtype that it takes by itself, where that holds it."""
    with np.errstate(all="ignore"):
        taken = array.astype(dtype.dtype)
    return taken if np.array_equal(taken, array, equal_nan=array.dtype.kind in "fc") else array


def _value(value: object) -> AttrValue | None:
    """The value of an attribute of ours; None if there is nothing to say."""
    if value is None:
        return None
    if isinstance(value, DType):
        return AttrValue("type", value)
    if isinstance(value, bool | np.bool_):
        return AttrValue("b", bool(value))
    if isinstance(value, int | np.integer):
        return AttrValue("i", int(value))
    if isinstance(value, float | np.floating):
        return AttrValue("f", float(value))
    if isinstance(value, str | bytes):
        return AttrValue("s", value.encode() if isinstance(value, str) else value)
    if isinstance(value, TensorShape):
        return AttrValue("shape", value)
    if isinstance(value, np.ndarray):
        return AttrValue("tensor", value)
    if isinstance(value, list | tuple):
        parts = [_value(part) for part in value]
        if all(part is not None and part.kind in _IN_LISTS for part in parts):
            return AttrValue("list", parts)
    return AttrValue("s", str(getattr(value, "__name__", value)).encode())


_IN_LISTS = ("b", "i", "f", "s", "type", "shape")


# As text: the form in which protocol buffers are written.


def _block(name: str, lines: Iterable[str]) -> list[str]:
    return [f"{name} {{", *(f"  {line}" for line in lines), "}"]


def _node(node: NodeDef) -> list[str]:
    lines = [f"name: {_text(node.name)}", f"op: {_text(node.op)}", *(f"input: {_text(name)}" for name in node.input)]
    if node.device:
        lines.append(f"device: {_text(node.device)}")
    for key, value in node.attr.items():
        lines += _block("attr", [f"key: {_text(key)}", *_block("value", _attribute(value))])
    return lines


def _function(function: FunctionDef) -> list[str]:
    signature = [f"name: {_text(function.signature.name)}"]
    for kind, arguments in (("input_arg", function.signature.input_arg), ("output_arg", function.signature.output_arg)):
        for one in arguments:
            signature += _block(kind, [f"name: {_text(one.name)}", f"type: {_TYPES[one.type.name][0]}"])
    lines = _block("signature", signature)
    for node in function.node_def:
        lines += _block("node_def", _node(node))
    for key, value in function.ret.items():
        lines += _block("ret", [f"key: {_text(key)}", f"value: {_text(value)}"])
    return lines


def _attribute(attribute: AttrValue) -> list[str]:
    kind, value = attribute.kind, attribute.value
    if kind == "type":
        return [f"type: {_TYPES[value.name][0]}"]
    if kind == "shape":
        return _block("shape", _shape(value))
    if kind == "tensor":
        return _block("tensor", _tensor(value))
    if kind == "func":
        return _block("func", [f"name: {_text(value.name)}"])
    if kind == "list":
        return _block("list", [line for part in value for line in _attribute(part)])
    return [f"{kind}: {_text(value) if kind == 's' else _number(value)}"]


def _shape(shape: TensorShape) -> list[str]:
    if shape.rank is None:
        return ["unknown_rank: true"]
    return [line for size in shape.as_list() for line in _block("dim", [f"size: {-1 if size is None else size}"])]


def _tensor(array: NumPyArray) -> list[str]:
    name = "string" if array.dtype.kind == "O" else array.dtype.name
    kind, label = _TYPES[name]
    lines = [f"dtype: {kind}", *_block("tensor_shape", _shape(TensorShape(array.shape)))]
    if array.size > _MOST and name != "string":
        return [*lines, f"tensor_content: {_text(array.astype(array.dtype.newbyteorder('<')).tobytes())}"]
    if name == "float16":
        elements: Sequence[Any] = array.view(np.uint16).ravel().tolist()
    elif array.dtype.kind == "c":
        elements = [part for number in array.ravel().tolist() for part in (number.real, number.imag)]
    else:
        elements = array.ravel().tolist()
    return [*lines, *(f"{label}: {_text(e) if name == 'string' else _number(e)}" for e in elements)]


def _number(value: object) -> str:
    return str(value).lower() if isinstance(value, bool | float) else str(value)


_ESCAPED: Mapping[int, str] = {
    ord(c): f"\\{n}" for c, n in {'"': '"', "\\": "\\", "\n": "n", "\r": "r", "\t": "t"}.items()
}


def _text(value: str | bytes) -> str:
    """Text in quotes; bytes that are no ASCII as octal numbers."""
    data = value.encode() if isinstance(value, str) else value
    return '"' + "".join(_ESCAPED.get(b) or (chr(b) if 32 <= b < 127 else f"\\{b:03o}") for b in data) + '"'
