"""Graphs that run while a gradient tape records: each call is one step, whose gradient is a graph, too."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from runtime.executors import compile_graph
from runtime.gradients.regions import Pair, differentiated, with_gradient
from runtime.gradients.things import Gradient, Part, has_gradient, zeros_like
from runtime.graph.graph import Graph, Node, Value
from runtime.ops import shape as shape_ops, structure
from runtime.optimise import optimise
from runtime.optimise.rewriting import renamed
from runtime.tensors import taping
from runtime.tensors.tensor import EagerTensor, wrap


class Taped:
    """A graph as it was traced, and what its gradients need, compiled when first asked for."""

    def __init__(
        self,
        graph: Graph,
        jit_compile: bool | str | None,
        executable: Callable[[], Callable[..., Sequence[object]]] | None = None,
    ) -> None:
        self.graph = graph
        self._jit_compile = jit_compile
        self._executable = executable  # where it is there already
        self._pairs: dict[object, tuple[Pair, Taped, Taped]] = {}
        self._lifted: dict[object, Taped] = {}

    @functools.cached_property
    def _execute(self) -> Callable[..., Any]:
        if self._executable is not None:
            return self._executable()
        return compile_graph(optimise(self.graph), self._jit_compile, EagerTensor)

    def __call__(self, inputs: Sequence[Any]) -> list[Any]:
        """The results for tensors, Variables and lists; those who record are told."""
        if not taping.active[0]:
            return [wrap(r) for r in self._execute(*(x.concrete() for x in inputs))]
        others = taping.holding(self._constants) if self._constants else {}
        if others:
            return self._with(tuple(others))([*inputs, *others.values()])
        wanted = tuple(taping.follow([x]) and has_gradient(x.type) for x in inputs)
        return self.noted(inputs, wanted, range(len(self.graph.outputs)))[0] if any(wanted) else self._run(inputs)

    @functools.cached_property
    def _constants(self) -> dict[int, object]:
        """Tensors that the function found around it, by identity."""
        constants = [n.attributes["value"] for n in self.graph.walk() if n.op is shape_ops.constant]
        return {id(c): c for c in constants if isinstance(c, np.ndarray) and c.dtype.kind in "fc"}

    def _with(self, arrays: tuple[int, ...]) -> Taped:
        if arrays not in self._lifted:
            self._lifted[arrays] = Taped(lifted(self.graph, arrays).verify(), self._jit_compile)
        return self._lifted[arrays]

    def noted(
        self, inputs: Sequence[object], wanted: tuple[bool, ...], asked: Sequence[int]
    ) -> tuple[list[object], list[object]]:
        """The results, and what is kept for the way back, from those that are asked for to the wanted inputs."""
        _, there, _ = self.pair(wanted, asked)
        made = there._run(inputs)
        step = _Call(there, self, wanted, tuple(asked), list(inputs), made)
        taping.note(structure.call, inputs, {"gradient": step}, made)
        count = len(self.graph.outputs)
        return made[:count], made[count:]

    def _run(self, inputs: Sequence[Any]) -> list[object]:
        return [wrap(r) for r in self._execute(*(x.concrete() for x in inputs))]

    def pair(self, wanted: tuple[bool, ...], asked: Sequence[int]) -> tuple[Pair, Taped, Taped]:
        """The graph with what is to be kept, and the way back."""
        seeds = tuple(i for i in with_gradient(self.graph) if i in asked)
        if (wanted, seeds) not in self._pairs:
            pair = differentiated(self.graph, wanted, seeds)
            made = Taped(pair.there, self._jit_compile), Taped(pair.back, self._jit_compile)
            self._pairs[wanted, seeds] = pair, *made
        return self._pairs[wanted, seeds]


class _Call:
    """A call that has run: the gradients of what it was given."""

    def __init__(
        self, there: Taped, graph: Taped, wanted: tuple[bool, ...], asked: tuple[int, ...], inputs: list[object],
        made: list[Any],
    ) -> None:  # fmt: skip
        self.there, self.graph, self.wanted, self.asked = there, graph, wanted, asked
        self.inputs, self.made = inputs, made

    def __call__(self, _: object, given: Sequence[Gradient | None]) -> list[Gradient | Part | None]:
        count = len(self.graph.graph.outputs)
        pair, _, back = self.graph.pair(self.wanted, self.asked)
        kept, results = self.made[count:], self.made
        if any(g is not None for g in given[count:]):  # what was kept has been differentiated, too
            there = self.there
            asked = range(len(there.graph.outputs))
            pair, _, back = there.pair(self.wanted, asked)
            results, kept = there.noted(self.inputs, self.wanted, asked)
        seeds = [given[i] if given[i] is not None else zeros_like(results[i]) for i in pair.seeds]
        found = back([*(self.inputs[i] for i in pair.inputs), *kept, *seeds])
        return pair.gradients(found, len(self.inputs))


def lifted(graph: Graph, arrays: Sequence[int]) -> Graph:
    """The graph with some of its constants as inputs, behind the others."""
    types = {id(n.attributes["value"]): n.outputs[0] for n in graph.walk() if n.op is shape_ops.constant}
    return _lifted(graph, {array: types[array] for array in arrays})


def _lifted(graph: Graph, arrays: dict[int, Value]) -> Graph:
    own = {array: Value(v.type, v.hint) for array, v in arrays.items()}
    names: dict[Value, Value] = {}
    nodes: list[Node] = []
    for node in graph.nodes:
        if node.op is shape_ops.constant and id(node.attributes["value"]) in own:
            names[node.outputs[0]] = own[id(node.attributes["value"])]
            continue
        node = renamed(node, names)
        if node.regions:
            regions = tuple(_lifted(region, own) for region in node.regions)
            node = replace(node, regions=regions, inputs=(*node.inputs, *own.values()))
        nodes.append(node)
    outputs = tuple(names.get(v, v) for v in graph.outputs)
    return Graph(graph.name, (*graph.inputs, *own.values()), tuple(nodes), outputs)
