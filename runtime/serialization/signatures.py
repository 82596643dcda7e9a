"""Signatures of saved models: graphs whose tensors are given by name, and whose results have names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from runtime.control.leaves import Slot
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.graph.graph import TensorType
from runtime.serialization.restored import Restored
from runtime.tensors import nest

DEFAULT = "serving_default"  # the name of a signature that has none
SERVING = "serve"  # the tag of what is saved


class Signatures(dict[str, "ConcreteFunction"]):
    """The signatures of a saved model, by name."""

    def __missing__(self, name: object) -> NoReturn:
        known = ", ".join(map(repr, self)) or "none"
        raise KeyError(
            f"the saved model has no signature {name!r}. There are: {known}. Save it with one: tf.saved_model.save("
            "obj, folder, signatures={name: function}), where the function is a tf.function with an input_signature, "
            "or a ConcreteFunction"
        )


def concrete_of(function: object) -> ConcreteFunction:
    """The graph that is a signature; raises ValueError for what gives none."""
    if isinstance(function, ConcreteFunction):
        return function
    if isinstance(function, Function):
        if function.input_signature is not None:
            return function.get_concrete_function()
        if isinstance(function, Restored) and len(function.concrete_functions) == 1:
            return function.concrete_functions[0]
    raise ValueError(
        f"Expected a TensorFlow function for which to generate a signature, but got {function!r}. Only `tf.functions` "
        "with an input signature or concrete functions can be used as a signature."
    )


def default_of(functions: Iterable[Function[..., object] | ConcreteFunction]) -> ConcreteFunction | None:
    """The one graph among functions that can be a signature; None if there is none, or more than one."""
    found = []
    for function in functions:
        if isinstance(function, ConcreteFunction) or function.input_signature is not None:
            concrete = concrete_of(function)
            try:
                names_of(concrete)
                results_of("", concrete)
            except ValueError:
                continue
            found.append(concrete)
    return found[0] if len(found) == 1 else None


def names_of(concrete: ConcreteFunction) -> list[str]:
    """The names of the tensors that a graph takes: those of their TensorSpecs, or else of the parameters."""
    names: list[str] = []
    known = concrete._signature
    for leaf, kind, name in zip(known.leaves, known.types, known.names):
        if kind is None:
            continue
        if not isinstance(kind, TensorType):
            raise ValueError(f"a signature takes tensors, and {concrete.name} takes {leaf!r} for {name!r}")
        names.append(_free(getattr(leaf, "name", None) or name, names))
    return names


def _free(name: str, names: list[str]) -> str:
    number, found = 0, name
    while found in names:
        number += 1
        found = f"{name}_{number}"
    return found


def results_of(name: str, concrete: ConcreteFunction) -> dict[str, object]:
    """The results of a graph by name: those of a dictionary, or ``output_0`` and so on."""
    plan = concrete._plan[0] if concrete._plan else None
    where = f"in the output of {concrete.name}, used to generate the SavedModel signature {name!r}"
    if isinstance(plan, dict):
        if wrong := [key for key in plan if not isinstance(key, str)]:
            raise ValueError(f"Got a dictionary with a non-string key {wrong[0]!r} {where}")
        named = plan
    else:
        parts = plan if isinstance(plan, list | tuple) else [plan]
        named = {f"output_{number}": part for number, part in enumerate(parts)}
    for key, part in named.items():
        if not isinstance(part, Slot) or part.template is not None:
            raise ValueError(
                f"Got a non-Tensor value {_shown(part)} for key {key!r} {where}. Outputs for functions used as "
                "signatures must be a single Tensor, a sequence of Tensors, or a dictionary from string to Tensor."
            )
    return dict(named)


def _shown(plan: object) -> str:
    """A result that is no tensor, in words."""
    if isinstance(plan, list | tuple | dict):
        return nest.describe(plan, lambda leaf: "tensor" if isinstance(leaf, Slot) else repr(leaf))
    return repr(plan) if plan is None or isinstance(plan, bool | int | float | str) else f"({type(plan).__name__})"
