"""Functions as data: the graphs that there are of each, with their signatures."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence

from runtime.functions.changes import Changed
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.functions.keys import Stand
from runtime.functions.signature import Arguments, Leaves
from runtime.graph.depth import room_for
from runtime.graph.dtypes import NumPyArray, variant
from runtime.graph.graph import HandleType, TensorType
from runtime.serialization import structures
from runtime.serialization.graphs import GraphWriter
from runtime.serialization.reading import GraphReader
from runtime.serialization.restored import Restored, Signature
from runtime.serialization.values import Malformed, NotSavable, Reader, Writer, fields, index, listed, text
from runtime.tensors.spec import TensorSpec
from runtime.tensors.variables import Variable

Numbered = Callable[[Variable], int]  # gives the number of a Variable among the objects


class FunctionWriter:
    """Writes functions and graphs of theirs, each once.

    Args:
      numbered: tells the number of a Variable.
    """

    def __init__(self, numbered: Numbered) -> None:
        self.graphs = GraphWriter()
        self.concretes: list[dict[str, object]] = []
        self.functions: list[dict[str, object]] = []
        self._numbered = numbered
        self._known: dict[int, tuple[object, int]] = {}

    @property
    def writer(self) -> Writer:
        return self.graphs.writer

    def function(self, function: Function[..., object]) -> int:
        """Write a function with all graphs that it has; returns its number.

        One with an input signature is traced for it, if that has not been done.
        """
        state = function._concrete  # the same for a method as for each other look at it
        if id(state) in self._known:
            return self._known[id(state)][1]
        if function.input_signature is not None:
            function.get_concrete_function()
        concretes = [self.concrete(concrete) for concrete in _graphs_of(function)]
        binding = function._binding
        self.functions.append({
            "name": function.__name__, "parameters": self._parameters(binding._signature),
            "signature": structures.arguments(function.input_signature, self.writer), "concretes": concretes,
        })  # fmt: skip
        self._known[id(state)] = state, len(self.functions) - 1
        return len(self.functions) - 1

    def _parameters(self, signature: inspect.Signature | None) -> object:
        """The parameters of a function: name, kind, and default as far as it is a plain value."""
        if signature is None:
            return None
        made = []
        for parameter in signature.parameters.values():
            entry: list[object] = [parameter.name, parameter.kind.name]
            if parameter.default is not parameter.empty:
                try:
                    entry.append(structures.arguments(parameter.default, self.writer))
                except NotSavable:  # it is another value of some kind, which no graph has been made for
                    entry.append({"tuple": [repr(parameter.default)]})
            made.append(entry)
        return made

    def concrete(self, concrete: ConcreteFunction) -> int:
        """Write one graph of a function; returns its number."""
        if id(concrete) in self._known:
            return self._known[id(concrete)][1]
        try:
            entry = self._entry(concrete, concrete._signature.bound, concrete._plan[0] if concrete._plan else None)
        except NotSavable as error:
            raise NotSavable(f"{concrete.name}({concrete._signature}): {error}") from None
        self.concretes.append(entry)
        self._known[id(concrete)] = concrete, len(self.concretes) - 1
        return len(self.concretes) - 1

    def signature(self, concrete: ConcreteFunction, names: Sequence[str], plan: dict[str, object]) -> int:
        """Write a graph as one whose tensors are given by name, and whose results are."""
        kinds = [kind for kind in concrete._signature.types if isinstance(kind, TensorType)]
        specs: dict[str, object] = {name: TensorSpec(kind.shape, kind.dtype, name) for name, kind in zip(names, kinds)}
        with room_for(concrete.traced):
            self.concretes.append(self._entry(concrete, specs, plan))
        return len(self.concretes) - 1

    def _entry(self, concrete: ConcreteFunction, bound: dict[str, object], plan: object) -> dict[str, object]:
        if (why := _why_not(concrete)) is not None:
            raise NotSavable(why)
        with room_for(concrete.traced):
            return {
                "name": concrete.name, "jit_compile": concrete._jit_compile,
                "arguments": [[name, structures.arguments(value, self.writer)] for name, value in bound.items()],
                "by_name": sorted(concrete._by_name), "results": structures.results(plan, self.writer),
                "variables": [self._numbered(variable) for variable in concrete._captured],
                "graph": self.graphs.graph(concrete.traced),
            }  # fmt: skip


def trace_alone(function: Function[..., object]) -> None:
    """Trace a function for what it was called with in others, whose graphs it has no part of when it is loaded."""
    for concretes in [*function._concrete.values()]:
        known = concretes[0]._signature
        if all(concrete.borrowed for concrete in concretes) and not any(type(leaf) is Stand for leaf in known.leaves):
            args, kwargs = function._binding.unbound(known.bound)
            function.get_concrete_function(*args, **kwargs)


def _graphs_of(function: Function[..., object]) -> Iterable[ConcreteFunction]:
    """The graphs of a function that belong to no trace; those that check their numbers where there are no others."""
    known = function._concrete.copy()
    for key, concretes in known.items():
        if not key or not isinstance(key[0], str) or key[1:] not in known:
            yield from (concrete for concrete in concretes if not concrete.borrowed)


def _why_not(concrete: ConcreteFunction) -> str | None:
    """Why a graph cannot be given its arguments, or give its results, once it is loaded."""
    if concrete._numpys:
        return "it was made with numpy=True, and takes and gives arrays of the program's"
    if concrete._changed.tensors or concrete._changed.containers:
        return "it changes what it is given"
    if not all(isinstance(captured, Variable) for captured in concrete._captured):
        return "it uses a tensor of a function around it"
    for name, leaf, kind in zip(concrete._signature.names, concrete._signature.leaves, concrete._signature.types):
        if isinstance(kind, HandleType) or (isinstance(kind, TensorType) and kind.dtype == variant):
            return f"its argument {name!r} is {leaf!r}, and not a tensor"
    return None


class FunctionReader:
    """Reads functions and graphs of theirs.

    Args:
      about: what `FunctionWriter` has written, by the names of its parts.
      arrays: those of the archive.
      variable: gives the Variable of a number.
    """

    def __init__(
        self, about: Mapping[str, object], arrays: Mapping[str, NumPyArray], variable: Callable[[object], Variable]
    ) -> None:
        self._functions, self._concretes = listed(about["functions"]), listed(about["concretes"])
        self._graphs = GraphReader(about["graphs"], about["callees"], arrays)
        self._reader = Reader(arrays, structures.DECODERS)
        self._variable = variable
        self._known: dict[int, ConcreteFunction] = {}

    def function(self, number: object) -> Restored:
        """The function of a number."""
        name, parameters, signature, concretes = fields(
            self._functions[index(number, len(self._functions))], "name", "parameters", "signature", "concretes"
        )
        specs = self._reader.value(signature)
        try:
            made = Restored(text(name), self._parameters(parameters), specs)
            for one in listed(concretes):
                made.add(self.concrete(one))
        except TypeError as error:
            raise Malformed(f"function {name!r}: {error}") from None
        return made

    def _parameters(self, data: object) -> inspect.Signature | None:
        if data is None:
            return None
        made = []
        for entry in listed(data):
            name, kind, *default = listed(entry)
            kind = text(kind)
            if kind not in _KINDS or len(default) > 1:
                raise Malformed(f"there are no parameters like {entry!r}")
            given = self._reader.value(default[0]) if default else inspect.Parameter.empty
            try:
                made.append(inspect.Parameter(text(name), _KINDS[kind], default=given))
            except ValueError as error:
                raise Malformed(f"{name!r} is no parameter: {error}") from None
        try:
            return inspect.Signature(made)
        except ValueError as error:
            raise Malformed(f"parameters: {error}") from None

    def concrete(self, number: object) -> ConcreteFunction:
        """The graph of a number."""
        at = index(number, len(self._concretes))
        if at not in self._known:
            self._known[at] = self._read(self._concretes[at], ConcreteFunction)
        return self._known[at]

    def signature(self, number: object) -> Signature:
        """The graph of a number, as one that is given its tensors by name."""
        made = self._read(self._concretes[index(number, len(self._concretes))], Signature)
        assert isinstance(made, Signature)
        return made

    def _read(self, data: object, kind: type[ConcreteFunction]) -> ConcreteFunction:
        name, jit, arguments, by_name, plan, variables, graph = fields(
            data, "name", "jit_compile", "arguments", "by_name", "results", "variables", "graph"
        )
        if jit not in (None, True, False, "numpy", "native"):
            raise Malformed(f"{jit!r} stands where the name of an executor is expected")
        found = Leaves()
        bound: dict[str, object] = {}
        for parameter, value in (listed(pair, 2) for pair in listed(arguments)):
            parameter = text(parameter)
            bound[parameter] = self._reader.value(value)
            found.add(parameter, bound[parameter])
        names = [getattr(leaf, "name", None) or shown for leaf, shown in zip(found.leaves, found.names)]
        signature = Arguments(bound, names, found.leaves, found.types, tuple(found.key))
        captured = [self._variable(one) for one in listed(variables)]
        types = [kind for kind in found.types if kind is not None] + [variable.type for variable in captured]
        with self._graphs.room():
            traced = self._graphs.graph(graph, types)
            self._graphs.finish()
        results = structures.results_of(plan, self._reader, [value.type for value in traced.outputs])
        return kind(
            text(name), jit, signature, frozenset(map(text, listed(by_name))), traced, [results], captured, Changed(),
            None,
        )  # fmt: skip


_KINDS = {kind.name: kind for kind in type(inspect.Parameter("x", inspect.Parameter.KEYWORD_ONLY).kind)}
