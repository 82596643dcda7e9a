"""A network: calls of layers, from inputs to outputs, which can be made again with tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from runtime.keras.layers.input_layer import InputLayer
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor, Node
from runtime.keras.serialization import deserialized, serialized
from runtime.keras.shapes import shape_of, show
from runtime.tensors import nest
from runtime.tensors.conversion import cast
from runtime.tensors.shaping import expand_dims
from runtime.tensors.types import Structure


class Network:
    """The calls that lead from inputs to outputs, in an order in which they can be made."""

    def __init__(self, inputs: Structure, outputs: Structure, name: str) -> None:
        for what, tensors in (("inputs", inputs), ("outputs", outputs)):
            for tensor in nest.flatten(tensors):
                if not isinstance(tensor, KerasTensor):
                    raise ValueError(
                        f"Model with {what}={tensor!r}: inputs come from keras.Input, and outputs from layers called "
                        "with them"
                    )
        self.inputs, self.outputs, self.name = inputs, outputs, name
        self.starts: list[KerasTensor] = nest.flatten(inputs)
        self.nodes = [*self._in_order()]
        self.layers = self._by_depth()
        names = [layer.name for layer in self.layers]
        for one in names:
            if names.count(one) > 1:
                raise ValueError(
                    f"the name '{one}' is used for {names.count(one)} layers of the model: each has its own"
                )

    def _in_order(self) -> Iterator[Node]:
        """Each call after those that make its inputs."""
        known = {id(t) for t in self.starts}
        done: set[int] = set()
        for start in self.starts:
            if start.node is not None and id(start.node) not in done:
                done.add(id(start.node))
                yield start.node
        stack = [(t, False) for t in reversed(nest.flatten(self.outputs))]
        while stack:
            tensor, ready = stack.pop()
            node = tensor.node
            if id(tensor) in known:
                continue
            if node is None or not node.inputs:
                raise ValueError(
                    f"the graph of the model is disconnected: {tensor!r} is needed for its outputs, and is not among "
                    f"its inputs, {', '.join(t.name for t in self.starts)}"
                )
            if ready:
                if id(node) not in done:
                    done.add(id(node))
                    yield node
                known.update(id(t) for t in nest.flatten(node.outputs))
                continue
            stack.append((tensor, True))
            stack += [(t, False) for t in reversed(node.inputs)]

    def _by_depth(self) -> list[Layer]:
        """The layers, those that are farthest from the outputs first."""
        makers = {id(t): node for node in self.nodes for t in nest.flatten(node.outputs)}
        depth: dict[int, int] = {}
        for node in reversed(self.nodes):
            mine = depth.setdefault(id(node), 0)
            if any(t is s for s in self.starts for t in nest.flatten(node.outputs)):
                continue
            for tensor in node.inputs:
                maker = makers.get(id(tensor))
                if maker is not None:
                    depth[id(maker)] = max(depth.get(id(maker), 0), mine + 1)
        deepest: dict[int, int] = {}
        for node in self.nodes:
            deepest[id(node.layer)] = max(deepest.get(id(node.layer), 0), depth[id(node)])
        layers = list({id(node.layer): node.layer for node in self.nodes}.values())
        return sorted(layers, key=lambda layer: -deepest[id(layer)])

    def run(self, given: Structure) -> Structure:
        """The outputs for tensors."""
        values = {id(t): v for t, v in zip(self.starts, self.given(given))}

        def value(thing: Any) -> Any:
            return values[id(thing)] if isinstance(thing, KerasTensor) else thing

        for node in self.nodes:
            outputs = nest.flatten(node.outputs)
            if all(id(t) in values for t in outputs):
                continue
            made = node.layer(
                *nest.map_structure(value, list(node.args)), **nest.map_structure(value, dict(node.kwargs))
            )
            values.update(zip(map(id, outputs), nest.flatten(made)))
        return nest.map_structure(value, self.outputs)

    def given(self, given: Structure) -> list[Any]:
        """The tensors, in the order of the inputs, with the dtypes of these."""
        names = [t.name for t in self.starts]
        if isinstance(given, Mapping) and not isinstance(self.inputs, Mapping):
            missing = [name for name in names if name not in given]
            if missing:
                raise ValueError(f"model '{self.name}' has inputs {names}; it was called without {missing[0]!r}")
            tensors = [given[name] for name in names]
        elif isinstance(given, Mapping):
            missing = [name for name in self.inputs if name not in given]
            if missing:
                raise ValueError(
                    f"model '{self.name}' has inputs {[*self.inputs]}; it was called without {missing[0]!r}"
                )
            tensors = nest.flatten({name: given[name] for name in self.inputs})
        else:
            tensors = nest.flatten(given)
        if len(tensors) != len(self.starts):
            raise ValueError(
                f"model '{self.name}' has {len(self.starts)} inputs, {names}; it was called with {len(tensors)}"
            )
        return [self.fitting(tensor, start) for tensor, start in zip(tensors, self.starts)]

    def fitting(self, tensor: Any, start: KerasTensor) -> Any:
        found, wanted = shape_of(tensor), start.shape
        if len(found) == len(wanted) - 1 and wanted[-1] == 1:
            tensor, found = expand_dims(tensor, -1), (*found, 1)
        if len(found) != len(wanted) or any(None not in (a, b) and a != b for a, b in zip(found, wanted)):
            raise ValueError(
                f"Input '{start.name}' of model '{self.name}' is incompatible with it: expected shape={show(wanted)}, "
                f"found shape={show(found)}"
            )
        return tensor if tensor.dtype == start.dtype else cast(tensor, start.dtype)

    # Configurations.

    def config(self) -> dict[str, object]:
        """The layers and their calls, as plain values."""
        numbers = {id(t): [n, i] for n, node in enumerate(self.nodes) for i, t in enumerate(nest.flatten(node.outputs))}

        def told(thing: Any) -> object:
            return {"keras_tensor": numbers[id(thing)]} if isinstance(thing, KerasTensor) else serialized(thing)

        calls = [
            {
                "layer": node.layer.name,
                "args": nest.map_structure(told, list(node.args)),
                "kwargs": nest.map_structure(told, dict(node.kwargs)),
            }
            for node in self.nodes
        ]
        return {
            "layers": [serialized(layer) for layer in self.layers],
            "calls": calls,
            "inputs": nest.map_structure(told, self.inputs),
            "outputs": nest.map_structure(told, self.outputs),
        }


def rebuilt(
    config: Mapping[str, Any], custom_objects: Mapping[str, object] | None, layers: Mapping[str, Layer] | None = None
) -> tuple[Structure, Structure]:
    """Inputs and outputs of a network as `config` has described it, with new layers, or those given."""
    made = layers or {str(one["config"]["name"]): deserialized(one, custom_objects) for one in config["layers"]}
    outputs: list[list[Any]] = []

    def found(thing: Any) -> Any:
        if isinstance(thing, Mapping):
            if "keras_tensor" in thing:
                number, at = thing["keras_tensor"]
                return outputs[number][at]
            return {name: found(inner) for name, inner in thing.items()}
        return type(thing)(map(found, thing)) if isinstance(thing, list | tuple) else thing

    for one in config["calls"]:
        layer = made[one["layer"]]
        if isinstance(layer, InputLayer):
            outputs.append([layer.symbol])
        else:
            outputs.append(nest.flatten(layer(*found(one["args"]), **found(one["kwargs"]))))
    return found(config["inputs"]), found(config["outputs"])
