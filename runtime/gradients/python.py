"""The gradient of a call of Python: another call, which does it again while a tape records."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from runtime.gradients.cells import Step, gradient
from runtime.gradients.tape import GradientTape
from runtime.gradients.things import Gradient, has_gradient, zeros_like
from runtime.graph.dtypes import DType
from runtime.ops import effects
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.operations import apply_all
from runtime.tensors.tensor import EagerTensor, Tensor
from runtime.tensors.types import Structure


@gradient(effects.py_function, masks=True)
def py_function(step: Step, *given: Gradient | None) -> Sequence[Tensor | None]:
    called: Callable[..., Structure] = step.attributes["function"]
    function = getattr(called, "__wrapped__", called)
    if getattr(function, "of_arrays", False):  # of which a tape records nothing
        return [None] * len(step.inputs)
    wanted = [i for i, (there, x) in enumerate(zip(step.wanted, step.inputs)) if there and has_gradient(x.type)]
    ends = [i for i, y in enumerate(step.outputs) if has_gradient(y.type)]
    seeds = [zeros_like(step.outputs[i]) if given[i] is None else given[i] for i in ends]
    count = len(step.inputs)

    def back(arrays: Sequence[object], dtypes: Sequence[DType]) -> tuple[object, ...]:
        tensors = [EagerTensor.of(a) for a in arrays]
        inputs, upstream = tensors[:count], tensors[count:]
        with GradientTape() as tape:
            tape.watch([inputs[i] for i in wanted])
            result = function(*inputs)
        several = isinstance(result, list | tuple)
        results = [convert_to_tensor(r) for r in (result if several else [result])]
        found: Structure = tape.gradient(
            [results[i] for i in ends], [inputs[i] for i in wanted], output_gradients=upstream,
            unconnected_gradients="zero",
        )  # fmt: skip
        return tuple(_array(g) for g in found)

    dtypes = [step.inputs[i].type.dtype for i in wanted]
    back.__name__ = f"{getattr(function, '__name__', 'function')}_gradient"
    made = apply_all(effects.py_function, *step.inputs, *seeds, function=back, dtypes=dtypes)
    parts = list(made) if isinstance(made, tuple) else [made]
    gradients: list[Tensor | None] = [None] * count
    for i, g in zip(wanted, parts):
        gradients[i] = g
    return gradients


def _array(gradient: Tensor) -> object:
    assert isinstance(gradient, EagerTensor)
    return gradient.array
