"""`function`: a Python function traced once for each signature and run as a graph."""

from __future__ import annotations

import functools
import inspect
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MethodType
from typing import Any

import numpy as np

import autograph
from autograph import UNSET, Variables
from autograph.errors import without_frames
from autograph.operators.heap import Watch
from runtime import config, nest
from runtime.arrays import TensorArray
from runtime.control import Slot, is_leaf, to_value
from runtime.control.choices import returned
from runtime.control.merging import Merge, values
from runtime.control.recursion import recursive
from runtime.control.regions import Ended, Refusal, in_order
from runtime.conversion import to_array
from runtime.dtypes import as_dtype, string
from runtime.errors import InvalidArgumentError, OperatorNotAllowedInGraphError
from runtime.executors import compile_graph, front
from runtime.graph import Callee, Graph, HandleType, ListType, TensorType, Type, Value
from runtime.lists import growing
from runtime.ops import structure
from runtime.optimise import optimise
from runtime.signature import Arguments, ArrayArgument, argument_leaf, checked, is_library, parameters_of, takes
from runtime.spec import TensorSpec
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor, wrap
from runtime.trace import OURS, Recurs, Trace, current, recording, strong, strong_dtype, symbolic
from runtime.variables import Variable

_DIRECT = 4  # short ways that a call tries


class VariableArgument(Variable):
    """A Variable that a traced function was given: it stands for whichever is passed."""

    def __init__(self, original: Variable, trace: Trace, value: Value) -> None:
        self.dtype, self._shape = original.dtype, original._shape
        self.trainable, self.hint = original.trainable, value.hint
        self.owner, self.place = trace, value

    def record_in(self, trace: Trace) -> Value:
        return trace.local(self.place, self.owner)


class ConcreteFunction:
    """One graph of a function, for one signature.

    Call it with the tensors of the signature, by position or by name; Python arguments keep the values that they had
    when it was traced.
    """

    def __init__(
        self, owner: Function, signature: Arguments, traced: Graph, plan: Any, captured: list[Any], changed: _Changed
    ) -> None:
        self.name = owner.__name__
        self._jit_compile = owner.jit_compile
        self.traced = traced  # as it was before it was optimised
        self.graph = optimise(traced)
        self._signature = signature
        self._plan = plan
        self._captured = captured
        self._changed = changed

    @functools.cached_property
    def _callee(self) -> Callee:
        return Callee(self.graph.name, self.graph)

    @functools.cached_property
    def _execute(self) -> Callable[..., Any]:
        return compile_graph(self.graph, self._jit_compile, EagerTensor)

    @functools.cached_property
    def _is_plain(self) -> bool:
        """Whether arguments are inputs, results are outputs, one for one, and nothing else happens."""
        inputs = [kind for kind in self._signature.types if isinstance(kind, TensorType)]
        arguments = len(inputs) == len(self._signature.types) == len(self._signature.bound)
        if not arguments or self._changed.tensors or self._changed.containers or len(self._plan) != 1:
            return False
        if not all(isinstance(c, Variable) for c in self._captured):
            return False
        (plan,) = self._plan
        slots = list(plan) if type(plan) is tuple and len(plan) > 1 else [plan]
        numbers = [s.number for s in slots if isinstance(s, Slot) and s.template is None]
        return numbers == list(range(len(self.graph.outputs))) and len(numbers) == len(slots)

    @functools.cached_property
    def direct(self) -> Callable[..., Any] | None:
        """Native code from eager tensors to what this returns, or to None for other arguments; there may be none."""
        return getattr(self._execute, "direct", None) if self._is_plain and not self._captured else None

    @functools.cached_property
    def quick(self) -> Callable[..., Any] | None:
        """From the arrays of the arguments to what this returns, without further questions; there may be none."""
        if not self._is_plain:
            return None
        execute, captured, several = self._execute, self._captured, type(self._plan[0]) is tuple

        def run(arrays: list[Any]) -> Any:
            results = execute(*arrays, *captured)
            return tuple(map(wrap, results)) if several else wrap(results[0])

        return run

    @property
    def structured_input_signature(self) -> tuple[Any, Any]:
        """The arguments, with a TensorSpec for every tensor."""
        return self._signature.specs()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.run(self._signature.tensors_of(args, kwargs))

    def run(self, leaves: Sequence[Any], bound: Mapping[str, Any] | None = None) -> Any:
        """Run with the tensors and Variables of the signature, in order.

        Lists and dictionaries among the arguments (`bound`) that the function has changed are changed then.
        """
        trace = current()
        if trace is not None:
            return self._record(trace, [*leaves, *self._captured], bound)
        arrays = [leaf.concrete() for leaf in [*leaves, *self._captured]]
        results = [wrap(r) for r in self._execute(*arrays)]
        return self._finished(leaves, results, bound)

    def _finished(self, leaves: Sequence[Any], results: list[Any], bound: Mapping[str, Any] | None) -> Any:
        for number in reversed(self._changed.tensors):
            changed = results.pop()
            if isinstance(leaves[number], ArrayArgument | SymbolicTensor):  # eager tensors do not change
                leaves[number]._become(changed)
        result, *containers = _rebuilt(self._plan, results)
        for (name, path), value in zip(self._changed.containers, containers):
            if bound is not None:
                _replace(bound[name], path, value)
        return result

    def _record(self, trace: Trace, inputs: Sequence[Any], bound: Mapping[str, Any] | None) -> Any:
        """A call inside another function is a call in its graph."""
        values = [strong(trace, x.record_in(trace)) for x in inputs]
        types = [v.type for v in self.graph.outputs]
        outputs = trace.record(structure.call, values, {"graph": self._callee}, types)
        return self._finished(inputs, [symbolic(trace, v) for v in outputs], bound)

    def __repr__(self) -> str:
        return f"<ConcreteFunction {self.name}({self._signature})>"


def _rebuilt(plan: Any, results: Sequence[Any]) -> Any:
    """What the function returns, given the values for the slots."""

    def fill(slot: Slot) -> Any:
        made = results[slot.number]
        return made if slot.template is None else TensorArray.holding(slot.template, made)

    return values(plan, fill, "")


class Function:
    """A callable that traces its Python function into a graph for each new signature and then runs the graph.

    Tensors and NumPy arrays count by dtype and shape, Python values by type and value, other objects by identity.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        name: str | None = None,
        input_signature: Any = None,
        autograph: bool = True,
        jit_compile: bool | None = None,
        reduce_retracing: bool = False,
        **_: Any,
    ) -> None:
        self.python_function = python_function
        self.input_signature = None if input_signature is None else tuple(input_signature)
        functools.update_wrapper(self, python_function, updated=())
        self.__name__ = str(name or getattr(python_function, "__name__", type(python_function).__name__))
        self._autograph = autograph
        self.jit_compile = jit_compile
        self._options: dict[str, Any] = {"name": name, "autograph": autograph, "jit_compile": jit_compile}
        self._parameters = parameters_of(python_function)
        self._positional = _plain_parameters(self._parameters)
        self._concrete: dict[Any, list[ConcreteFunction]] = {}
        self._direct: tuple[Callable[..., Any], ...] = ()  # short ways: the first is what Python calls, see `_remember`
        self._quick: dict[Any, Callable[..., Any]] = {}
        self._lock = threading.RLock()
        self._methods: weakref.WeakKeyDictionary[Any, Function] = weakref.WeakKeyDictionary()
        self._traces = 0
        self._not_converted = ""
        self._created = 0
        self._may_create = True

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        """As a method: a function of its own for each instance."""
        if instance is None:
            return self
        try:
            known = self._methods.get(instance)
        except TypeError:
            known = None
        if known is None:
            bound = self.python_function.__get__(instance, owner)
            known = Function(bound, input_signature=self.input_signature, **self._options)
            try:
                self._methods[instance] = known
            except TypeError:
                pass
        return known

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not kwargs:
            for direct in self._direct[1:]:
                result = direct(*args)
                if result is not None:
                    return result
        if config.busy.value:
            if config.functions_run_eagerly():
                return self.python_function(*args, **kwargs)
            if self._is_being_traced():
                return recursive(self._converted, args, kwargs)
            quick = None
        else:
            quick = self._quick.get(_key_of(args)) if self._quick and not kwargs else None
        try:
            if quick is not None:
                return quick([a.array if type(a) is EagerTensor else a for a in args])
            arguments = self._arguments(args, kwargs)
            concrete = self._find(arguments)
            result = concrete.run(arguments.tensors(), arguments.bound)
            if not kwargs:
                self._remember(args, concrete)
            return result
        except Exception as error:  # the traceback shows the user's lines, and those of the graph
            error.__traceback__ = without_frames(error.__traceback__, OURS)
            raise

    def _remember(self, args: Sequence[Any], concrete: ConcreteFunction) -> None:
        """Let the next call with such arguments take a shorter way."""
        if concrete.direct is not None:
            if not self._direct:  # Python looks for `__call__` in the class, and needs no frame for a built-in function
                called = front(concrete.direct, MethodType(Function.__call__, self))
                self.__class__ = type("Function", (Function,), {"__call__": staticmethod(called), "__doc__": None})
            if len(self._direct) < _DIRECT and concrete.direct not in self._direct:
                self._direct = (*self._direct, concrete.direct)
        scalars = any(isinstance(a, np.generic) for a in args)  # the shortest way is for tensors and arrays
        if (scalars or concrete.direct is None) and concrete.quick is not None:
            key = _key_of(args)
            if key is not None:
                self._quick[key] = concrete.quick

    def _is_being_traced(self) -> bool:
        """Whether the call comes from the function itself."""
        trace = current()
        while trace is not None:
            if trace.function is self:
                return True
            trace = trace.parent
        return False

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The graph for a signature; arguments may be tensors, TensorSpecs or Python values."""
        if not args and not kwargs and self.input_signature is not None:
            args = self.input_signature
        return self._find(self._arguments(args, kwargs))

    def experimental_get_tracing_count(self) -> int:
        """How many times the function has been traced."""
        return self._traces

    def _find(self, arguments: Arguments) -> ConcreteFunction:
        known = self._concrete.get(arguments.key)
        if known is not None and (usable := _usable(known)) is not None:
            return usable
        with self._lock:
            known = self._concrete.setdefault(self._general(arguments.key), [])
            usable = _usable(known)
            if usable is None:
                usable = self._trace(arguments)
                known.append(usable)
            return usable

    def _general(self, key: Any) -> Any:
        """The key of a graph that was asked for with a TensorSpec of open shape and takes these arguments too."""
        for other in self._concrete:
            if key != other and len(other) == len(key) and all(map(takes, other, key)):
                return other
        return key

    # Arguments.

    def _arguments(self, args: Sequence[Any], kwargs: dict[str, Any]) -> Arguments:
        bound = self._bind(args, kwargs)
        if self.input_signature is not None:
            return self._declared(bound)
        names: list[str] = []
        leaves: list[Any] = []
        types: list[Type | None] = []
        seen: dict[int, int] = {}
        keys: list[Any] = []
        for name, value in bound.items():
            found = nest.flatten(value)
            keys.append(nest.describe(value) if nest.is_nested(value) else None)
            for index, leaf in enumerate(found):
                leaf, kind, key = argument_leaf(leaf, seen)
                names.append(name if not nest.is_nested(value) else f"{name}_{index}")
                leaves.append(leaf)
                types.append(kind)
                keys.append(key)
        return Arguments(bound, names, leaves, types, tuple(keys))

    def _declared(self, bound: dict[str, Any]) -> Arguments:
        """The arguments as the input signature has them."""
        specs = self.input_signature or ()
        if len(specs) > len(bound) or any(
            is_leaf(v) and isinstance(v, Tensor) for v in list(bound.values())[len(specs) :]
        ):
            raise TypeError(
                f"{self.__name__} has an input_signature of {len(specs)} arguments; {len(bound)} were given"
            )
        names: list[str] = []
        leaves: list[Any] = []
        types: list[Type | None] = []
        rebuilt: dict[str, Any] = {}
        for (name, value), wanted in zip(bound.items(), [*specs, *[None] * (len(bound) - len(specs))]):
            structure = value if wanted is None else wanted
            given = nest.flatten(value) if nest.is_nested(structure) else [value]
            parts = [None] * len(given) if wanted is None else nest.flatten(wanted)
            if len(parts) != len(given):
                raise TypeError(f"'{name}' of {self.__name__} does not have the structure of its input_signature")
            taken = []
            for index, (spec, leaf) in enumerate(zip(parts, given)):
                kind = None if spec is None else TensorType(spec.dtype, spec.shape.dims)
                label = name if len(parts) == 1 else f"{name}_{index}"
                if kind is not None and not isinstance(leaf, TensorSpec):
                    leaf = self._accepted(label, leaf, kind)
                taken.append(leaf)
                types.append(kind)
                names.append(getattr(spec, "name", None) or label)
            leaves += taken
            rebuilt[name] = nest.rebuild(structure, iter(taken))
        return Arguments(rebuilt, names, leaves, types, "declared")

    def _accepted(self, name: str, leaf: Any, kind: Type) -> Any:
        try:
            return checked(name, leaf, kind)
        except (InvalidArgumentError, ValueError) as error:
            raise TypeError(f"{self.__name__} does not accept its arguments: {error}") from None

    def _bind(self, args: Sequence[Any], kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by parameter, ``*args`` and ``**kwargs`` spread out."""
        if not kwargs and len(args) == len(self._positional):
            return dict(zip(self._positional, args))
        if self._parameters is None:
            return {**{f"args_{i}": a for i, a in enumerate(args)}, **kwargs}
        try:
            bound = self._parameters.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.__name__}() {error}") from None
        bound.apply_defaults()
        result: dict[str, Any] = {}
        for name, value in bound.arguments.items():
            kind = self._parameters.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                result.update({f"{name}_{i}": v for i, v in enumerate(value)})
            elif kind is inspect.Parameter.VAR_KEYWORD:
                result.update({f"**{k}": v for k, v in value.items()})
            else:
                result[name] = value
        return result

    # Tracing.

    def _trace(self, arguments: Arguments) -> ConcreteFunction:
        created = self._created
        try:
            concrete = self._trace_once(arguments)
        except Recurs:
            concrete = self._trace_once(arguments)
        if self._created > created:  # the first call made Variables: what it does from now on is another graph
            self._may_create = False
            concrete = self._trace_once(arguments)
        self._may_create = False
        return concrete

    def _trace_once(self, arguments: Arguments) -> ConcreteFunction:
        trace = Trace(self.__name__, current())
        trace.function = self
        self._traces += 1
        given = [*_inputs(trace, arguments)]
        inputs = iter(given)
        call = {k: growing(nest.rebuild(v, inputs)) for k, v in arguments.bound.items()}
        before = {k: _containers(v) for k, v in call.items()}
        args, kwargs = self._unbind(call)
        try:
            with Watch([self._converted, *arguments.leaves]), recording(trace):
                result = in_order(trace, self._converted, *args, **kwargs)
                changed, left = _changed(trace, given, arguments, before)
                plan, outputs = _outputs(trace, [result, *left])
                tensors = [given[i] for i, kind in enumerate(arguments.types) if kind is not None]
                outputs += [tensors[number].value for number in changed.tensors]
        except Ended:
            plan, outputs, changed = [None], [], _Changed()
        except Refusal as refusal:
            raise autograph.StagingError(str(refusal)).with_traceback(refusal.__traceback__) from None
        except Exception as error:
            if self._not_converted and isinstance(error, OperatorNotAllowedInGraphError):
                error.add_note(f"{self.__name__} was not converted: {self._not_converted}")
            raise
        captured: list[Any] = []
        for variable, value in trace.variables.values():
            trace.inputs.append(value)
            captured.append(variable)
        for around, value in trace.captures.values():
            trace.inputs.append(value)
            captured.append(_Outer(trace.parent, around))
        return ConcreteFunction(self, arguments.released(), trace.graph(outputs), plan, captured, changed)

    def _unbind(self, call: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        known = self._parameters.parameters if self._parameters is not None else {}
        for name, value in call.items():
            if name.startswith("**"):
                kwargs[name[2:]] = value
            elif name in known and known[name].kind is inspect.Parameter.KEYWORD_ONLY:
                kwargs[name] = value
            elif name in known or self._parameters is not None or name.startswith("args_"):
                args.append(value)
            else:
                kwargs[name] = value
        return args, kwargs

    @functools.cached_property
    def _converted(self) -> Callable[..., Any]:
        if not self._autograph or is_library(self.python_function):
            return self.python_function
        try:
            converted: Callable[..., Any] = autograph.traced_form(self.python_function)
        except autograph.SourceNotFoundError as error:  # it may do without: tell only if a tensor has to decide
            self._not_converted = str(error)
            return self.python_function
        return converted

    def __repr__(self) -> str:
        return f"<Function {self.__name__}>"


def _key_of(args: Sequence[Any]) -> Any:
    """What tells calls apart whose arguments are all eager tensors or arrays; None for any others."""
    key: list[Any] = []
    for a in args:
        array = a.array if type(a) is EagerTensor else a
        if (type(array) is not np.ndarray and not isinstance(array, np.generic)) or array.dtype.kind not in "biufc":
            return None
        if not array.dtype.isnative:
            return None
        key += (array.dtype, array.shape)
    return tuple(key)


class _Outer:
    """A value of the trace around, which a nested function captured."""

    def __init__(self, trace: Trace | None, value: Value) -> None:
        self.trace, self.value = trace, value

    def concrete(self) -> Any:
        raise InvalidArgumentError(f"the function uses '{self.value.hint}' of a function around it, which has ended")

    def record_in(self, trace: Trace) -> Value:
        assert self.trace is not None
        return trace.local(self.value, self.trace)


def _plain_parameters(signature: inspect.Signature | None) -> tuple[str, ...]:
    """The parameters of a function that takes each by position and no others; () for any other function."""
    if signature is None:
        return ()
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    known = signature.parameters.values()
    return tuple(p.name for p in known) if all(p.kind is plain for p in known) else ()


def _usable(known: Sequence[ConcreteFunction]) -> ConcreteFunction | None:
    """One whose captured values belong to the trace going on."""
    around = []
    trace = current()
    while trace is not None:
        around.append(trace)
        trace = trace.parent
    for concrete in known:
        if all(not isinstance(c, _Outer) or c.trace in around for c in concrete._captured):
            return concrete
    return None


def _inputs(trace: Trace, arguments: Arguments) -> Iterator[Any]:
    """What the traced function is given: symbolic tensors for tensors, everything else as it is."""
    variables: dict[int, Any] = {}
    for name, leaf, kind in zip(arguments.names, arguments.leaves, arguments.types):
        if kind is None:
            yield leaf
            continue
        hint = name.strip("*")
        if isinstance(leaf, TensorSpec) and leaf.name:
            hint = leaf.name
        value = trace.input(kind, hint)
        if isinstance(kind, HandleType):
            yield variables.setdefault(id(leaf), VariableArgument(leaf, trace, value))
        else:
            yield SymbolicTensor(trace, value)


@dataclass
class _Changed:
    """What a function changes of its arguments: which of the tensors, whose values come after the results, and which
    lists and dictionaries, by parameter and path, which come with the results."""

    tensors: Sequence[int] = ()
    containers: Sequence[tuple[str, tuple[Any, ...]]] = ()


def _changed(
    trace: Trace, given: Sequence[Any], arguments: Arguments, before: dict[str, dict[tuple[Any, ...], Any]]
) -> tuple[_Changed, list[Any]]:
    """What was changed of the arguments, and what the lists and dictionaries among it hold now."""
    inputs = set(trace.inputs)
    leaves = [leaf for leaf, kind in zip(given, arguments.types) if kind is not None]
    tensors = [i for i, t in enumerate(leaves) if isinstance(t, SymbolicTensor) and t.value not in inputs]
    found = [
        (name, path, container)
        for name, containers in before.items()
        for path, (container, copy) in containers.items()
        if _differs(container, copy)
    ]
    return _Changed(tensors, [(name, path) for name, path, _ in found]), [container for *_, container in found]


def _containers(value: Any, path: tuple[Any, ...] = ()) -> dict[tuple[Any, ...], Any]:
    """The lists and dictionaries in an argument, by how to reach them, with what they hold."""
    if not isinstance(value, list | dict | tuple) or hasattr(value, "_fields"):
        return {}
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found = {} if isinstance(value, tuple) else {path: (value, dict(items))}
    for key, part in value.items() if isinstance(value, dict) else enumerate(value):
        found.update(_containers(part, (*path, key)))
    return found


def _differs(container: Any, copy: dict[Any, Any]) -> bool:
    if getattr(container, "rows", None) is not None or len(container) != len(copy):
        return True
    now = container if isinstance(container, dict) else dict(enumerate(container))
    return now.keys() != copy.keys() or any(now[key] is not value for key, value in copy.items())


def _replace(value: Any, path: Sequence[Any], new: Any) -> None:
    """Give a list or dictionary in a structure other contents."""
    for key in path:
        value = value[key]
    if isinstance(value, dict):
        value.clear()
        value.update(new)
    else:
        value[:] = new


def _outputs(trace: Trace, result: Any) -> tuple[Any, list[Value]]:
    """What the function returned, as a plan with a slot for every tensor, and the values in the slots."""
    merge = Merge(Variables(("the return value",), ""), (trace, trace), ("", ""))
    plan = merge.plan("the return value", returned(result), UNSET)
    outputs = []
    for part, _, kind in merge.pairs:
        if isinstance(kind, TensorType):
            array = None if isinstance(part, Tensor) or hasattr(part, "__tensor__") else to_array(part)
            dtype = strong_dtype(kind) if array is None else as_dtype(array.dtype)
            kind = TensorType(string if kind.dtype == string else dtype, kind.shape)
        value = to_value(trace, part, kind)
        outputs.append(strong(trace, value) if not isinstance(kind, ListType) else value)
    return plan, outputs


def creating_variable(trace: Trace) -> None:
    """A Variable is being made while tracing: only the first call of a function may do that."""
    root: Trace | None = trace
    while root is not None:
        owner = root.function
        if isinstance(owner, Function):
            if not owner._may_create:
                raise ValueError(
                    f"{owner.__name__} tries to create a tf.Variable on a call that is not its first. A function may "
                    "only create Variables on its first call; make the Variable outside, or only if there is none yet."
                )
            owner._created += 1
            return
        root = root.parent


def function(
    func: Callable[..., Any] | None = None,
    input_signature: Any = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    **options: Any,
) -> Any:
    """Make a function run as a graph: ``@function``, ``@function(input_signature=…)`` or ``function(f)``.

    Args:
      func: the Python function; it may be a method, a lambda, a partial or any callable.
      input_signature: a sequence of TensorSpecs, one graph for all calls; other arguments are refused.
      autograph: whether ``if``, ``while``, ``for`` … on tensors become part of the graph.
      jit_compile: True compiles the graph to machine code (with llvmlite installed) and refuses what cannot be; False
        has NumPy run it; by default, graphs with loops, recursion or convolutions are compiled as far as they can be.
      reduce_retracing: accepted; it does not change what is computed.

    Returns a `Function`, or a decorator where `func` is not given.
    """
    given = {"input_signature": input_signature, "autograph": autograph, "jit_compile": jit_compile}
    given |= {"reduce_retracing": reduce_retracing, **options}
    if func is None:
        return lambda f: Function(f, **given)
    return Function(func, **given)
