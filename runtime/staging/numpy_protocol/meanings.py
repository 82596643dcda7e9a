"""Which functions of NumPy's have a meaning for tensors, and which of their parameters.

A meaning is a function with those of NumPy's parameters that it heeds. One that is not among them is never accepted in
silence: unless it has the value that NumPy assumes anyway, it is refused by name.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np

from autograph.dispatch import staged_in
from autograph.errors import refused
from runtime import control
from runtime.graph.dtypes import as_dtype
from runtime.ops import shape as shape_ops
from runtime.staging.numpy_protocol.remedies import INSTEAD
from runtime.tensors import conversion, making, nest
from runtime.tensors.from_numpy import WRITERS
from runtime.tensors.growing import Growing, contents, has_grown
from runtime.tensors.operations import apply
from runtime.tensors.tensor import SymbolicTensor, Tensor
from runtime.tensors.trace import current
from runtime.tensors.types import TensorLike, has_tensor
from runtime.tensors.variables import Variable

F = TypeVar("F", bound=Callable[..., object])

FUNCTIONS: dict[object, Meaning] = {}
UFUNCS: dict[object, Callable[..., object]] = {}  # universal functions without a row, made of others
MAKERS: dict[object, Meaning] = {}  # functions that NumPy's protocols do not pass on
METHODS: dict[str, Callable[..., object]] = {}
REDUCTIONS: dict[object, Meaning] = {}  # what ``ufunc.reduce`` is
ACCUMULATIONS: dict[object, Meaning] = {}  # and ``ufunc.accumulate``

# They choose how an array lies in memory, what kind of array it is, or how a result is found: never what it is.
_WITHOUT_EFFECT = frozenset(("subok", "device", "optimize", "overwrite_input"))


class Meaning:
    """What a function of NumPy's does with tensors."""

    def __init__(self, function: Any, does: Callable[..., object]) -> None:
        self.function, self.does = function, does
        self.name = _name_of(function)

    @functools.cached_property
    def heeded(self) -> frozenset[str]:
        """The parameters that have a meaning."""
        return frozenset(inspect.signature(self.does).parameters)

    @functools.cached_property
    def _hands_on(self) -> bool:
        """Whether arguments of any name go to a function of the user's."""
        return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(self.does).parameters.values())

    def _heeds(self, name: str) -> bool:
        return name in self.heeded or (self._hands_on and name not in self.parameters)

    @functools.cached_property
    def parameters(self) -> dict[str, object]:
        """NumPy's own parameters, in order, and what each is by default."""
        try:
            found = inspect.signature(self.function).parameters.values()
        except ValueError:  # of a function in C, in older releases
            found = inspect.signature(self.does).parameters.values()
        return {p.name: p.default for p in found}

    @functools.cached_property
    def leading(self) -> int:
        """How many of the first parameters are those of `does`."""
        mine = inspect.signature(self.does).parameters.values()
        if any(p.kind is p.VAR_POSITIONAL for p in mine):
            return 10**6
        names = [p.name for p in mine if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
        same = [a == b for a, b in zip(names, self.parameters)]
        return same.index(False) if False in same else len(same)

    @functools.cached_property
    def takes_any(self) -> bool:
        """Whether there is no telling what arguments are too many."""
        try:
            kinds = {p.kind for p in inspect.signature(self.function).parameters.values()}
        except ValueError:
            return True
        return bool(kinds & {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD})

    def _check(self, count: int, keywords: Mapping[str, object]) -> None:
        """Refuse what NumPy's function does not take, as it does."""
        if self.takes_any:
            return
        if count > len(self.parameters):
            raise TypeError(f"{self.name}() takes at most {len(self.parameters)} arguments ({count} given)")
        unknown = next((name for name in keywords if name not in self.parameters), None)
        if unknown is not None:
            raise TypeError(f"{self.name}() got an unexpected keyword argument {unknown!r}")

    def __call__(self, *args: object, **kwargs: object) -> Any:
        if any(map(has_grown, args[1:])):  # the first may list arrays, which the function sees to
            args = (args[0], *(operand(a) if has_grown(a) else a for a in args[1:]))
        if len(args) <= self.leading and not kwargs:
            return self.does(*args)
        self._check(len(args), kwargs)
        given = dict(kwargs)
        if len(args) > self.leading:
            given = dict(zip(list(self.parameters)[self.leading :], args[self.leading :])) | given
        named = dict(given)
        for name in [n for n, value in given.items() if not self._heeds(n) or value is np._NoValue]:  # type: ignore[attr-defined]
            value = given.pop(name)
            if name not in _WITHOUT_EFFECT and not _same(value, self.parameters.get(name)):
                return on_arrays(self.function, args[: self.leading], named, name)
        return self.does(*args[: self.leading], **given)


def _same(value: object, default: object) -> bool:
    if value is default or value is np._NoValue:  # type: ignore[attr-defined]
        return True
    return type(value) is type(default) and isinstance(value, bool | int | str) and value == default


def _name_of(function: object) -> str:
    owner = getattr(function, "__self__", None)
    if isinstance(owner, np.ufunc):
        return f"np.{owner.__name__}.{getattr(function, '__name__', function)}"
    module = (getattr(function, "__module__", None) or "numpy").replace("numpy", "np", 1).split("._")[0]
    return f"{module}.{getattr(function, '__name__', function)}"


def means(*functions: object, method: str | None = None) -> Callable[[Callable[..., object]], Callable[..., Any]]:
    """Register what functions of NumPy's do with tensors; a method of arrays that takes the same, too."""

    def register(does: F) -> F:
        meanings = [Meaning(function, does) for function in functions]
        FUNCTIONS.update(zip(functions, meanings))
        if method is not None:
            METHODS[method] = meanings[0]
        return does

    return register


def numpys(function: Callable[..., object], *args: object, **kwargs: object) -> Any:
    """What a function of NumPy's means, called as that is."""
    return FUNCTIONS[function](*args, **kwargs)


def universal(function: object) -> Callable[[F], F]:
    """Register what a universal function does with tensors, for which there is no row."""

    def register(does: F) -> F:
        UFUNCS[function] = does
        return does

    return register


def operand(value: Any) -> Tensor:
    """An operand of a function of NumPy's, as NumPy sees it: Python's numbers are float64 and int64, also in lists."""
    if has_grown(value):
        return _strong(value.stacked(exact=True))
    value = plain(value)
    if type(value) not in (list, tuple, bool, int, float, complex, range):
        return _strong(conversion.operand(value))
    if type(value) in (list, tuple) and any(isinstance(v, Tensor) or staged_in((v,)) for v in nest.flatten(value)):
        parts = [_strong(operand(part)) for part in value]
        kind = as_dtype(np.result_type(*(part.type.dtype.dtype for part in parts)))
        return apply(shape_ops.stack, *(conversion.cast(part, kind) for part in parts), axis=0)
    return conversion.operand(np.asarray(value))


def is_pythons(value: object) -> bool:
    """Whether a value is a number of Python's, which beside an array takes the dtype of that."""
    return (
        conversion.operand(value).type.weak if isinstance(value, Tensor) else type(value) in (bool, int, float, complex)
    )


def plain(value: Any) -> object:
    """A list made while tracing as one of Python's, as long as its length is known."""
    if type(value) in (list, tuple):
        parts = [plain(v) for v in value]
        return value if all(a is b for a, b in zip(parts, value)) else type(value)(parts)
    value = contents(value)
    return [plain(v) for v in list.__iter__(value)] if isinstance(value, Growing) and not has_grown(value) else value


def values_of(args: Sequence[object], kwargs: Mapping[str, object]) -> tuple[list[Any], dict[str, Any]]:
    """The arguments of a function, each as `plain`, with what Variables hold now in their places, also in lists."""
    return [_value(a) for a in args], {name: _value(value) for name, value in kwargs.items()}


def _value(value: object) -> object:
    value = plain(value)
    if type(value) in (list, tuple):
        parts = [_value(v) for v in value]  # type: ignore[attr-defined]
        return value if all(a is b for a, b in zip(parts, value)) else type(value)(parts)  # type: ignore
    return value.read_value() if isinstance(value, Variable) else value


def _strong(x: Tensor) -> Tensor:
    """A number of Python's as one of NumPy's."""
    return conversion.cast(x, x.type.dtype) if x.type.weak else x


def need_one_shape(x: Tensor, y: Tensor, error: Exception) -> None:
    """Raise an exception of NumPy's unless two tensors have one shape, at once or when the graph runs."""
    mine, other = making.like_shape(x), making.like_shape(y)
    need(len(mine) == len(other), error)
    for a, b in zip(mine, other):
        need(a == b, error)


def need(holds: TensorLike, error: Exception) -> None:
    """Raise an exception of NumPy's unless a condition holds, at once or when the graph runs."""

    def fail() -> None:
        raise error

    known = conversion.static_value(holds) if isinstance(holds, Tensor) else holds
    if known is None:
        control.cond(holds, lambda: None, fail)
    elif not known:
        fail()


def _name_of_ufunc(function: np.ufunc) -> str:
    """``np.tanh``; one of another package's is told by its name alone, as it does not say whose it is."""
    name = function.__name__
    return f"np.{name}" if vars(np).get(name) is function else f"the ufunc '{name}'"


def on_arrays(function: Any, args: Sequence[object], kwargs: Mapping[str, object], parameter: str = "") -> Any:
    """What has no meaning here runs on the arrays, if they are at hand.

    Raises TypeError, which names the function (and the parameter that stands in the way), if they are not.
    """
    name = _name_of(function) if not isinstance(function, np.ufunc) else _name_of_ufunc(function)
    name = f"{name} with {parameter}=" if parameter else name
    out = kwargs.get("out")
    if any(isinstance(x, Tensor) or has_tensor(x) for x in (out if isinstance(out, tuple) else (out,))):
        raise refused(TypeError(f"{name} cannot write to a tensor: tensors are never changed in place"))

    def at_hand(value: object) -> object:
        value = operand(value) if has_tensor(value) else value
        if isinstance(value, SymbolicTensor) or (isinstance(value, Tensor) and current() is not None):
            why = "are never changed in place" if parameter == "out" else "get their values only when the graph runs"
            instead = INSTEAD.get(function, "an operation of runtime")
            instead += "" if " " in instead else ", which has one"
            raise refused(
                TypeError(
                    f"{name} has no staged meaning here: it was given {value}, and tensors {why}. Use "
                    f"{instead}, or runtime.py_function to call NumPy at run time."
                )
            )
        return value.numpy() if isinstance(value, Tensor) else value

    arrays, named = nest.map_structure(at_hand, tuple(args)), nest.map_structure(at_hand, dict(kwargs))
    if _writes(function):
        written = args[0] if args else next((kwargs[n] for n in ("dst", "arr", "a") if n in kwargs), None)
        if isinstance(written, Tensor) or has_tensor(written):
            raise refused(
                TypeError(
                    f"{name} cannot write to a tensor: tensors are never changed in place. Use a NumPy array, or "
                    "assign to a Variable: v.assign, v.assign_add, v.scatter_nd_update …"
                )
            )
    return function(*arrays, **named)


def _writes(function: Any) -> bool:
    """Whether what a function of NumPy's does is to write to its first argument."""
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return function.__name__ == "at"  # type: ignore[no-any-return]
    return function in WRITERS
