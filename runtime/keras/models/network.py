"""A network: calls of layers, from inputs to outputs, which can be made again with tensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from runtime.keras.layers.input_layer import InputLayer
from runtime.keras.layers.layer import Layer
from runtime.keras.layers.symbolic import KerasTensor, Node
from runtime.keras.serialization import deserialized, serialized
from runtime.keras.shapes import shape_of, show
from runtime.tensors import masks, nest
from runtime.tensors.conversion import cast
from runtime.tensors.shaping import expand_dims
from runtime.tensors.tensor import Tensor
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
        self.starts: list[KerasTensor] = by_keys(inputs)
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
        """The layers, those that are farthest from the outputs first, else in the order in which they are met.

        Weights are in this order, as they are in Keras.
        """
        met: dict[int, int] = {}  # when each layer is met on the way from the outputs
        nodes: list[Node] = []  # each after those that make its inputs
        seen: set[int] = set()
        stack: list[tuple[Node | None, bool]] = [(t.node, False) for t in reversed(by_keys(self.outputs))]
        starts = {id(t) for t in self.starts}
        while stack:
            node, done = stack.pop()
            if node is None:
                continue
            if done:
                nodes.append(node)
            elif id(node) not in seen:
                seen.add(id(node))
                met.setdefault(id(node.layer), len(met))
                begins = any(id(t) in starts for t in nest.flatten(node.outputs))
                stack += [(node, True), *((None if begins else t.node, False) for t in reversed(node.inputs))]
        depth: dict[int, int] = {}
        deepest: dict[int, int] = {}
        for node in reversed(nodes):
            mine = max(depth.get(id(node), 0), deepest.get(id(node.layer), 0))
            depth[id(node)] = deepest[id(node.layer)] = mine
            for tensor in node.inputs:
                depth[id(tensor.node)] = max(depth.get(id(tensor.node), 0), mine + 1)
        layers = list({id(node.layer): node.layer for node in self.nodes}.values())
        return sorted(layers, key=lambda layer: (-deepest.get(id(layer), 0), met.get(id(layer), -1)))

    def run(self, given: Structure) -> Structure:
        """The outputs for tensors."""
        values = {id(t): v for t, v in zip(self.starts, self.given(given))}

        def value(thing: Structure) -> Structure:
            return values[id(thing)] if isinstance(thing, KerasTensor) else thing

        for node in self.nodes:
            outputs = nest.flatten(node.outputs)
            if all(id(t) in values for t in outputs):
                continue
            args, named = nest.map_structure(value, [list(node.args), dict(node.kwargs)])
            borne = [(t, masks.mask_of(t)) for t in nest.flatten([args, named])]
            made = node.layer(*args, **named)
            for tensor, mask in borne:  # the layer may have taken it, and others are yet to come
                masks.set_mask(tensor, mask)
            values.update(zip(map(id, outputs), nest.flatten(made)))
        made = nest.map_structure(value, self.outputs)
        return made[0] if isinstance(made, list | tuple) and len(made) == 1 else made

    def given(self, given: Structure) -> list[Tensor]:
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
            tensors = by_keys({name: given[name] for name in self.inputs})
        else:
            tensors = nest.flatten(given)
        if len(tensors) != len(self.starts):
            raise ValueError(
                f"model '{self.name}' has {len(self.starts)} inputs, {names}; it was called with {len(tensors)}"
            )
        return [self.fitting(tensor, start) for tensor, start in zip(tensors, self.starts)]

    def fitting(self, tensor: Tensor, start: KerasTensor) -> Tensor:
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

        def told(thing: object) -> object:
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


def by_keys(structure: Structure) -> list[Structure]:
    """The tensors of a structure, those of dictionaries in the order of their keys, as Keras has them."""
    if isinstance(structure, Mapping):
        return [t for key in sorted(structure, key=str) for t in by_keys(structure[key])]
    if isinstance(structure, list | tuple):
        return [t for part in structure for t in by_keys(part)]
    return nest.flatten(structure)


def rebuilt(
    config: Mapping[str, Structure],
    custom_objects: Mapping[str, object] | None,
    layers: Mapping[str, Layer] | None = None,
) -> tuple[Structure, Structure]:
    """Inputs and outputs of a network as `config` has described it, with new layers, or those given."""
    made = layers or {str(one["config"]["name"]): deserialized(one, custom_objects) for one in config["layers"]}
    outputs: list[list[Structure]] = []

    def found(thing: Structure) -> Structure:
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
