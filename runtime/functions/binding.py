"""How the arguments of a call go to the parameters of a function, and back."""

from __future__ import annotations

import functools
import inspect
from collections import deque
from collections.abc import Callable, Sequence
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.rules import is_left_alone
from runtime.functions.signature import Arguments, ArrayArgument, Leaves, checked, is_structure, numbered
from runtime.graph.errors import InvalidArgumentError
from runtime.graph.graph import TensorType
from runtime.graph.shapes import fits
from runtime.ops.streams import HANDLE
from runtime.tensors import nest
from runtime.tensors.composite_specs import opened
from runtime.tensors.composites import Formed
from runtime.tensors.conversion import convert_to_tensor
from runtime.tensors.objects import Kind, kind_of
from runtime.tensors.spec import TensorSpec
from runtime.tensors.tensor import Tensor

_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Binding:
    """The parameters of a function and, where it has an input signature, what they take.

    With `keeps_defaults` a list or dictionary that is a default is no argument, but what the function keeps, and a
    wrapper gets what the call has, and not the defaults of what it wraps.
    Raises TypeError for an input signature that does not fit the parameters.
    """

    def __init__(
        self, function: Callable[..., object], name: str, input_signature: object = None, follow_hints: bool = False,
        keeps_defaults: bool = False,
    ) -> None:  # fmt: skip
        self.name = name
        self._called = _Called(function)
        as_written = keeps_defaults and input_signature is None
        self._signature = None if is_library(function) else _signature_of(function, follow_wrapped=not as_written)
        self._plain = _plain_parameters(self._signature)
        known = self._signature.parameters.values() if self._signature is not None else ()
        self.by_name = frozenset(p.name for p in known if p.kind is inspect.Parameter.KEYWORD_ONLY)
        self.input_signature = specs_of(input_signature)
        self.by_identity = False  # does it matter which Variables are given?
        self._wanted: dict[str, object] = {}
        self._free = ""  # the parameter for the object of a method
        if self.input_signature is not None:
            self._wanted = self._assigned_to(function, self.input_signature)
        self._hinted = _tensors_by_hint(self._signature) if follow_hints else frozenset()
        self._fixed = all(_is_fixed(p.default) for p in known)
        self._kept = _kept_defaults(self._signature) if keeps_defaults else {}

    # The input signature.

    def _assigned_to(self, function: Callable[..., object], specs: Sequence[object]) -> dict[str, object]:
        try:
            return self._assigned(specs)
        except TypeError:
            names = [*self._signature.parameters] if self._signature is not None else []
            if not names or not _is_in_class(function):
                raise
            self._free = names[0]
            return self._assigned(specs)

    def _assigned(self, specs: Sequence[object]) -> dict[str, object]:
        """The part of the input signature for each parameter."""
        if self._signature is None:
            return {f"args_{i}": spec for i, spec in enumerate(specs)}
        known = [p for p in self._signature.parameters.values() if p.name != self._free]
        names = [p.name for p in known if p.kind in _POSITIONAL]
        rest = next((p.name for p in known if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
        if len(specs) > len(names) and rest is None:
            raise TypeError(
                f"{self.name} has an input_signature for {len(specs)} arguments, and takes {len(names)}: "
                f"({', '.join(names)})"
            )
        names += [f"*{rest}_{i}" for i in range(len(specs) - len(names))]
        wanted = dict(zip(names, specs))
        variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        missing = [
            p.name for p in known if p.default is p.empty and p.kind not in variadic and p.name not in wanted
        ]  # fmt: skip
        if missing:
            raise TypeError(
                f"the input_signature of {self.name} says nothing of {', '.join(map(repr, missing))}: give a "
                "TensorSpec for each, or give the parameter a default, which it then always has."
            )
        return wanted

    def declared(self, args: Sequence[object], kwargs: dict[str, object]) -> Arguments:
        """The arguments as the input signature has them."""
        found = Leaves()
        rebuilt: dict[str, object] = {}
        for name, value in self.bound(args, kwargs).items():
            if name not in self._wanted:
                rebuilt[name] = value if name == self._free else self._default(name, value)
                found.add(name, rebuilt[name])
                continue
            wanted = self._wanted[name]
            given: list[object] = []
            specs = self._pairs(name, wanted, value, given)
            kinds = [HANDLE if isinstance(s, Kind) else TensorType(s.dtype, s.shape.dims) for s in specs]
            label = name.lstrip("*")
            labels = numbered(label, len(specs))
            taken = [self._accepted(*row) for row in zip(labels, given, kinds, specs)]
            found.names += [shown if isinstance(s, Kind) else s.name or shown for s, shown in zip(specs, labels)]
            found.leaves += taken
            found.types += kinds
            found.key += [(kind, s.key()) if isinstance(s, Kind) else kind for s, kind in zip(specs, kinds)]
            rebuilt[name] = nest.rebuild(wanted, iter(taken))
        missing = self._wanted.keys() - rebuilt.keys()
        if missing:
            raise TypeError(
                f"{self.name} has an input_signature for {len(self._wanted)} arguments; {len(rebuilt)} were given"
            )
        return Arguments(rebuilt, found.names, found.leaves, found.types, tuple(found.key))

    def _pairs(self, name: str, wanted: Any, value: Any, given: list[object]) -> list[TensorSpec | Kind]:
        """The specs of one parameter; what was given for each goes to `given`, item by item."""
        if not is_structure(wanted):
            if isinstance(value, Formed):
                raise TypeError(f"'{name}' of {self.name} does not have the structure of its input_signature")
            given.append(value)
            return [wanted]
        if isinstance(wanted, dict):
            fits_it = isinstance(value, dict) and wanted.keys() == value.keys()
        elif isinstance(wanted, list | tuple):
            fits_it = isinstance(value, list | tuple) and len(wanted) == len(value)
        else:
            fits_it = type(wanted) is type(value)
        if not fits_it or not is_structure(value):
            raise TypeError(f"'{name}' of {self.name} does not have the structure of its input_signature")
        inner = [value[key] for key in wanted] if isinstance(wanted, dict) else [*nest.parts(value)]
        return [spec for w, v in zip(nest.parts(wanted), inner) for spec in self._pairs(name, w, v, given)]

    def _accepted(self, name: str, leaf: object, kind: TensorType, wanted: TensorSpec | Kind) -> object:
        if isinstance(wanted, Kind):
            taken = leaf if isinstance(leaf, Kind) else checked(name, leaf, kind)
            if (found := kind_of(taken)) != wanted:
                raise TypeError(
                    f"{self.name} does not accept {found} for '{name}', which is {wanted} in its input_signature"
                )
            return taken
        if isinstance(leaf, TensorSpec):
            if leaf.dtype == kind.dtype and fits(leaf.shape.dims, kind.shape):
                return TensorSpec(kind.shape, kind.dtype, leaf.name)
            raise TypeError(f"{self.name} does not accept {leaf} for '{name}', which is {kind} in its input_signature")
        try:
            return checked(name, leaf, kind)
        except (InvalidArgumentError, ValueError) as error:
            raise TypeError(f"{self.name} does not accept its arguments: {error}") from None

    def _default(self, name: str, value: object) -> object:
        """The default of a parameter of which the input signature says nothing; any other value is refused."""
        known = self._signature.parameters.get(name) if self._signature is not None else None
        if known is not None and known.default is not known.empty:
            if value is known.default:
                return value
            mine, other = Leaves(), Leaves()
            mine.add(name, known.default)
            other.add(name, value)
            if mine.key == other.key and not any(mine.types):
                return known.default
            raise TypeError(
                f"the input_signature of {self.name} says nothing of '{name}', so it always has its default "
                f"{known.default!r}; it was given {value!r}. Add a TensorSpec for it, or leave the input_signature out."
            )
        raise TypeError(
            f"{self.name} has an input_signature for {len(self._wanted)} arguments; '{name.lstrip('*')}' is another"
        )

    # Calls.

    def arguments(self, args: Sequence[object], kwargs: dict[str, object]) -> Arguments:
        """The arguments of a call, taken apart."""
        if self.input_signature is not None:
            return self.declared(args, kwargs)
        bound = self.given(args, kwargs)
        found = Leaves(self.by_identity)
        if self._plain is None or len(bound) < len(self._plain):
            found.key.append(tuple(bound))
        for name, value in bound.items():
            found.add(name, value)
        return Arguments(bound, found.names, found.leaves, found.types, tuple(found.key))

    def given(self, args: Sequence[object], kwargs: dict[str, object]) -> dict[str, object]:
        """The arguments by parameter, without the defaults that the function keeps."""
        bound = self.bound(args, kwargs)
        for name in self._hinted & bound.keys():
            bound[name] = nest.map_structure(_as_tensor, bound[name])
        spread = self._kept and any(name.startswith("*") and not name.startswith("**") for name in bound)
        for name in [name for name, default in self._kept.items() if bound[name] is default and not spread]:
            del bound[name]
        return bound

    def may_repeat(self, args: Sequence[object], kwargs: dict[str, object], arguments: Arguments) -> bool:
        """Whether calls with such arguments find the same graph, each in its place: defaults may change,
        and an input signature may have the parts of a dictionary in another order, and arrays of another dtype."""
        if self.input_signature is not None:
            if any(map(is_structure, self.input_signature)):
                return False
            if any(isinstance(leaf, ArrayArgument) and leaf.is_converted for leaf in arguments.leaves):
                return False
        return self._fixed or len(args) + len(kwargs) == len(arguments.bound)

    def bound(self, args: Sequence[object], kwargs: dict[str, object]) -> dict[str, object]:
        """The arguments by parameter, ``*args`` and ``**kwargs`` spread out."""
        if self._plain is not None and not kwargs and len(args) == len(self._plain):
            return dict(zip(self._plain, args))
        if self._signature is None:
            return {**{f"args_{i}": a for i, a in enumerate(args)}, **{f"**{k}": v for k, v in kwargs.items()}}
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(self._called.refusal(args, kwargs) or f"{self.name}() {error}") from None
        bound.apply_defaults()
        result: dict[str, object] = {}
        for name, value in bound.arguments.items():
            kind = self._signature.parameters[name].kind
            if kind is inspect.Parameter.VAR_POSITIONAL:
                result.update({f"*{name}_{i}": v for i, v in enumerate(value)})
            elif kind is inspect.Parameter.VAR_KEYWORD:
                result.update({f"**{k}": v for k, v in value.items()})
            else:
                result[name] = value
        return result

    def unbound(self, bound: dict[str, object]) -> tuple[list[object], dict[str, object]]:
        """The positional and keyword arguments of a call, from those by parameter."""
        args: list[object] = []
        kwargs: dict[str, object] = {}
        names = [*self._signature.parameters] if self._signature is not None else []
        first = min((names.index(name) for name in self._kept if name not in bound), default=len(names))
        by_name = self.by_name.union(names[first:])  # what stands behind one that is left out
        for name, value in bound.items():
            if name.startswith("**"):
                kwargs[name[2:]] = value
            elif name in by_name:
                kwargs[name] = value
            else:
                args.append(value)
        return args, kwargs


class _Called:
    """What takes the arguments of a call; the object of a method is not kept."""

    def __init__(self, function: Callable[..., object]) -> None:
        self._is_method = isinstance(function, MethodType)
        self._function: Callable[..., object] = function.__func__ if isinstance(function, MethodType) else function

    def refusal(self, args: Sequence[object], kwargs: dict[str, object]) -> str:
        """What Python says of arguments that do not fit, as it does for a function of such parameters without a body.

        Nothing where no function of Python's takes them.
        """
        function: Any = self._function
        given = [None] * self._is_method + [*args]
        while not isinstance(function, FunctionType) and not hasattr(function, "__signature__"):
            if isinstance(function, functools.partial):
                given, kwargs = [*function.args, *given], {**function.keywords, **kwargs}
                function = function.func
            elif isinstance(function, MethodType):
                function, given = function.__func__, [None, *given]
            elif hasattr(function, "__wrapped__"):
                function = function.__wrapped__
            elif inspect.isroutine(function):
                return ""
            else:
                function = function.__init__ if isinstance(function, type) else type(function).__call__  # type: ignore[misc]
                given = [None, *given]
        alike = _without_body(function)
        try:
            alike(*given, **kwargs)
        except TypeError as error:
            return str(error)
        return ""


def _without_body(function: Callable[..., object]) -> Callable[..., object]:
    """A function of the same name and parameters that does nothing."""
    known = inspect.signature(function, follow_wrapped=False).parameters.values()
    bare = [
        inspect.Parameter(p.name, p.kind, default=p.empty if p.default is p.empty else None) for p in known
    ]  # fmt: skip
    made: FunctionType = eval(f"lambda {str(inspect.Signature(bare))[1:-1]}: None")
    made.__qualname__ = getattr(function, "__qualname__", type(function).__name__)
    return made


def _signature_of(function: Callable[..., object], follow_wrapped: bool) -> inspect.Signature | None:
    try:
        return inspect.signature(function, follow_wrapped=follow_wrapped)
    except (TypeError, ValueError):
        return None


def _is_fixed(default: object) -> bool:
    """Whether a default is the same at each call, or there is none."""
    return default is inspect.Parameter.empty or type(default) in (int, float, complex, bool, str, bytes, type(None))


def _kept_defaults(signature: inspect.Signature | None) -> dict[str, object]:
    """The defaults that calls can change, by parameter: those of which the parameters behind can be given by name."""
    kept: dict[str, object] = {}
    for parameter in signature.parameters.values() if signature is not None else ():
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            kept.clear()
        if isinstance(parameter.default, list | dict | set | deque):
            kept[parameter.name] = parameter.default
    return kept


def _plain_parameters(signature: inspect.Signature | None) -> tuple[str, ...] | None:
    """The parameters of a function that takes each by position and no others; None for any other function."""
    if signature is None:
        return None
    plain = inspect.Parameter.POSITIONAL_OR_KEYWORD
    known = signature.parameters.values()
    return tuple(p.name for p in known) if all(p.kind is plain for p in known) else None


def specs_of(input_signature: object) -> tuple[object, ...] | None:
    if input_signature is None:
        return None
    if not isinstance(input_signature, list | tuple) or hasattr(input_signature, "_fields"):
        raise TypeError(
            f"input_signature is a list or tuple of TensorSpecs, one for each parameter, not {input_signature!r}"
        )
    input_signature = opened([*input_signature])
    for leaf in nest.flatten(input_signature):
        if not isinstance(leaf, TensorSpec | Kind):
            raise TypeError(f"input_signature is made of TensorSpecs; {leaf!r} is none")
    return tuple(input_signature)  # type: ignore[arg-type]


def _is_in_class(function: Callable[..., object]) -> bool:
    """Whether a function is defined in the body of a class, and may be a method."""
    around = getattr(function, "__qualname__", "").rpartition(".")[0]
    return bool(around) and not around.endswith("<locals>") and not inspect.ismethod(function)


def _tensors_by_hint(signature: inspect.Signature | None) -> frozenset[str]:
    """The parameters that are annotated as tensors."""
    known = signature.parameters.values() if signature is not None else ()
    hints = {p.name: p.annotation for p in known}
    return frozenset(
        name for name, hint in hints.items()
        if hint is Tensor or (isinstance(hint, str) and hint.rpartition(".")[2] == "Tensor")
    )  # fmt: skip


def _as_tensor(value: object) -> object:
    return convert_to_tensor(value) if isinstance(value, bool | int | float | complex | str | bytes) else value


def is_library(function: Callable[..., object]) -> bool:
    """Whether the function is NumPy's, or another that is not the user's to convert; a partial is what it calls."""
    while isinstance(function, functools.partial):
        function = function.func
    ours = isinstance(function, np.ufunc) or inspect.isbuiltin(function)
    return ours or is_left_alone(getattr(function, "__module__", None))
