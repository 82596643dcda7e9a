"""Functions that were loaded: their graphs, without the Python that these were traced from."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from runtime.functions.binding import Binding
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.function import Function
from runtime.functions.keys import static_key
from runtime.functions.signature import Arguments, checked, is_structure, parts_of
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import TensorType
from runtime.tensors import nest
from runtime.tensors.spec import TensorSpec


class _NoPython:
    """Stands for the Python function, which was not saved: called without a graph, it runs one."""

    def __init__(self, name: str, signature: inspect.Signature | None) -> None:
        self.__name__ = self.__qualname__ = name
        self.__module__ = "saved_model"  # not one of this library's, whose functions are taken as they are
        self.__signature__ = signature
        self.owner: Restored | None = None

    def __call__(self, *args: object, **kwargs: object) -> object:
        assert self.owner is not None
        arguments = self.owner._binding.arguments(args, kwargs)
        return self.owner._find(arguments).run(arguments.tensors(), arguments.bound)


class Restored(Function[..., object]):
    """A function that was loaded. It has the graphs that it was saved with, and can be traced for no other arguments.

    Args:
      name: its name.
      signature: its parameters; None for any.
      input_signature: as it was saved.
    """

    def __init__(self, name: str, signature: inspect.Signature | None, input_signature: Any) -> None:
        python = _NoPython(name, signature)
        super().__init__(python, input_signature=input_signature, autograph=False)
        python.owner = self

    def _set_up(self, python_function: Callable[..., object]) -> None:
        super()._set_up(python_function)
        self._binding = _Binding(self, python_function, self.__name__, self.input_signature)

    def add(self, concrete: ConcreteFunction) -> None:
        """Have a graph that was loaded."""
        args, kwargs = self._binding.unbound(concrete._signature.bound)
        known = Binding.arguments(self._binding, args, kwargs)
        if known.types != concrete._signature.types:
            raise TypeError(f"{concrete.name}({concrete._signature}) is not called as {self.__name__}({known}) is")
        concrete._signature = Arguments(known.bound, known.names, known.leaves, known.types, known.key)
        concrete._by_name = self._binding.by_name
        self._concrete.keep(known.key, concrete)
        self._traces += 1

    @property
    def concrete_functions(self) -> list[ConcreteFunction]:
        """The graphs that there are."""
        return [concrete for known in self._concrete.values() for concrete in known]

    def _find(self, arguments: Arguments) -> ConcreteFunction:
        key = self._concrete.general(arguments.key, False)
        usable = self._concrete.usable(key, arguments)
        if usable is None:
            raise ValueError(self._nothing_for(arguments))
        return usable

    def _nothing_for(self, arguments: Arguments) -> str:
        if not self._concrete:
            return (
                f"Found zero restored functions for {self.__name__}: it had no graph when it was saved. Call it "
                "before, or give it an input_signature."
            )
        known = "\n".join(f"  {self.__name__}({one._signature})" for one in self.concrete_functions)
        return (
            f"Could not find matching concrete function to call loaded from the SavedModel. Got:\n"
            f"  {self.__name__}({arguments})\nExpected these arguments to match one of the following:\n{known}"
        )

    def __deepcopy__(self, memo: dict[int, object]) -> Restored:
        """With it go the Variables that it uses, since nothing else has them."""
        made = Restored(self.__name__, self.python_function.__signature__, self.input_signature)  # type: ignore[attr-defined]
        for concrete in self.concrete_functions:
            made.add(_with_copies(concrete, memo))
        return made

    def __repr__(self) -> str:
        return f"<Function {self.__name__}, loaded>"


def _with_copies(concrete: ConcreteFunction, memo: dict[int, object]) -> ConcreteFunction:
    """The same graph, with Variables of its own."""
    return type(concrete)(
        concrete.name, concrete._jit_compile, concrete._signature, concrete._by_name, concrete.traced, concrete._plan,
        copy.deepcopy(concrete._captured, memo), concrete._changed, concrete._families,
    )  # fmt: skip


class _Binding(Binding):
    """Takes Python's numbers and lists for tensors where a graph is there for these alone."""

    def __init__(self, owner: Restored, function: Any, name: str, input_signature: object) -> None:
        super().__init__(function, name, input_signature)
        self._owner = owner

    def arguments(self, args: Sequence[object], kwargs: dict[str, object]) -> Arguments:
        known = super().arguments(args, kwargs)
        graphs = self._owner._concrete
        if self.input_signature is not None or graphs.general(known.key, False) in graphs:
            return known
        for concrete in self._owner.concrete_functions:
            made = _converted(known.bound, concrete._signature)
            if made is not None:
                return made
        return known


def _converted(bound: dict[str, object], wanted: Arguments) -> Arguments | None:
    """The arguments of a call as those that a graph takes; None if they are others."""
    if bound.keys() != wanted.bound.keys():
        return None
    leaves: list[object] = []
    if not all(_paired(bound[name], wanted.bound[name], leaves) for name in wanted.bound):
        return None
    return Arguments(wanted.rebuilt(iter(leaves)), wanted.names, leaves, wanted.types, wanted.key)


def _paired(given: object, wanted: object, leaves: list[object]) -> bool:
    """Whether a value can be taken for what a graph takes; its leaves are added."""
    if is_structure(wanted):
        return _is_like(given, wanted) and all(
            _paired(own, other, leaves) for own, other in zip(_parts(given, wanted), parts_of(wanted))
        )
    if not isinstance(wanted, TensorSpec):
        leaves.append(wanted)
        return type(given) is type(wanted) and static_key(wanted) == static_key(given)
    try:
        leaves.append(checked("", given, TensorType(wanted.dtype, wanted.shape.dims)))
    except (InvalidArgumentError, ValueError, TypeError, OverflowError):
        return False
    return True


def _is_like(given: object, wanted: object) -> bool:
    """Whether a structure has the parts of another; named tuples count by their names."""
    if not is_structure(given) or len(parts_of(given)) != len(parts_of(wanted)):
        return False
    if isinstance(wanted, dict):
        return isinstance(given, dict) and given.keys() == wanted.keys()
    if getattr(wanted, "_fields", None) != getattr(given, "_fields", None):
        return False
    return isinstance(given, list | tuple) and isinstance(wanted, list | tuple)


def _parts(given: Any, wanted: object) -> Sequence[object]:
    return [given[key] for key in wanted] if isinstance(wanted, dict) else [*nest.parts(given)]


class Signature(ConcreteFunction):
    """A graph that was saved as a signature: it takes its tensors by name, and gives a dictionary.

    >>> import tempfile
    >>> m = tf.Module()
    >>> m.double = tf.function(lambda x: x * 2, input_signature=[tf.TensorSpec([], tf.int32)])
    >>> folder = tempfile.mkdtemp()
    >>> tf.saved_model.save(m, folder, signatures=m.double)
    >>> tf.saved_model.load(folder).signatures["serving_default"](x=tf.constant(3))
    {'output_0': <tf.Tensor: shape=(), dtype=int32, numpy=6>}
    """

    def __deepcopy__(self, memo: dict[int, object]) -> ConcreteFunction:  # type: ignore[override]
        return _with_copies(self, memo)

    @property
    def structured_input_signature(self) -> tuple[object, object]:
        return (), dict(self._signature.bound)

    @property
    def structured_outputs(self) -> object:
        """The results, by name, with a TensorSpec for each."""
        (plan,) = self._plan
        outputs = self.traced.outputs
        return {
            name: TensorSpec(outputs[slot.number].shape, outputs[slot.number].dtype, name) if hasattr(slot, "number")
            else slot for name, slot in plan.items()
        }  # fmt: skip
