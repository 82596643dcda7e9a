"""Values of which only the graph knows which they are: unbound or bound, None or a tensor, one function or another.

After ``if x > 0: y = x`` the variable `y` may be unbound; after ``y = x if x > 0 else None`` it may be None. Such a
variable holds a choice: all that it may be, and a number in the graph that tells which. Using it as if it were one of
these has the graph check, at that point of the program, that it is, and raise what Python would raise.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph import UNDEFINED, StagingError
from autograph.dispatch import Name, Role, answer, backend_of
from autograph.operators.branches import staged_if
from autograph.operators.calls import call
from runtime.control.lists import TensorList
from runtime.control.regions import tracing
from runtime.ops import effects, elementwise as ew
from runtime.tensors import nest, operators
from runtime.tensors.clauses import not_caught
from runtime.tensors.frames import OURS
from runtime.tensors.growing import READERS, has_grown
from runtime.tensors.operations import apply
from runtime.tensors.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensors.trace import Trace, recording
from runtime.tensors.views import Array, FromNumpy, Scalar, arrayed, number

import numpy as np  # isort: skip


class Choice(operators.Operators):
    """One of several values; `index`, an int32 scalar of the graph, is its number among the `options`."""

    def __init__(self, options: Sequence[object], index: SymbolicTensor, name: Name, statement: str) -> None:
        self.__dict__.update(_options=tuple(options), _index=index, _name=name, _statement=statement, _checked=())

    def __repr__(self) -> str:
        return f"<{self._name}: {' or '.join(map(repr, self._options))}>"

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        """What ``isinstance`` asks of it in the user's code: a Python bool is all that it can say there."""
        if sys._getframe(1).f_code.co_filename.startswith(OURS):
            return Choice
        kinds = {option.__class__ for option in self._options}
        if len(kinds) == 1:
            return kinds.pop()
        raise StagingError(
            f"{shown(self)} has a class that only the graph knows, so that isinstance() cannot tell whether it is of "
            f"another. Keep in a variable of its own which it is.\n  {self._statement}"
        )

    # Used as the one value that is more than a sign of absence, or as each of several.

    def __call__(self, *args: object, **kwargs: Any) -> Any:
        return each(self, lambda option: call(option, *args, **kwargs))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return each(self, lambda option: getattr(option, name))

    def __setattr__(self, name: str, value: object) -> None:
        setattr(only(self), name, value)

    def __getitem__(self, key: Any) -> Any:
        return each(self, lambda option: option[key])

    def __setitem__(self, key: object, value: Any) -> None:
        only(self)[key] = value

    def __delitem__(self, key: object) -> None:
        del only(self)[key]

    def keys(self) -> Any:
        """What ``{**value}`` asks for."""
        return only(self).keys()

    def __iter__(self) -> Iterator[Any]:
        return iter(only(self))

    def __len__(self) -> int:
        return len(only(self))

    def __bool__(self) -> bool:
        known = answer(self)
        if known is not None:
            return known
        raise StagingError(f"{shown(self)} is known only when the graph runs; the code that asks was not converted.")

    def _binary(self, name: str, other: object, swapped: bool = False) -> Any:
        function = operators.function(name)
        return each(self, lambda option: function(other, option) if swapped else function(option, other))

    def _unary(self, name: str) -> Any:
        return each(self, operators.function(name))


class Maybe(SymbolicTensor):
    """A tensor, or else None or an unbound variable: the graph checks which when an operation takes it."""

    __slots__ = ()

    choice: Choice

    def record_in(self, trace: Trace) -> Any:
        require(self.choice, trace)
        return super().record_in(trace)

    def __eq__(self, other: object) -> Any:
        """None equals None and no tensor."""
        if not isinstance(other, Maybe) and not any(option is None for option in self.choice._options):
            return super().__eq__(other)
        there, value = _there(self)
        other_there, other_value = _there(other) if isinstance(other, Maybe) else (other is not None, other)
        if other_value is None:
            return number(apply(ew.logical_not, there))
        same = apply(ew.logical_and, there, value == other_value)
        if other_there is not True:
            neither = apply(ew.logical_not, apply(ew.logical_or, there, other_there))
            same = apply(ew.logical_or, apply(ew.logical_and, same, other_there), neither)
        return arrayed(same, [value, other_value])

    def __ne__(self, other: Any) -> Any:
        equal = self == other
        return arrayed(apply(ew.logical_not, equal), [equal]) if isinstance(equal, Tensor) else not equal

    __hash__ = SymbolicTensor.__hash__

    def _become(self, other: Any) -> None:
        """Once an item was assigned, it is there."""
        self._rebound()
        super()._become(other)
        options = self.choice._options
        present = _present(self.choice)
        self.choice.__dict__["_options"] = tuple(other if i in present else o for i, o in enumerate(options))


class MaybeTensor(Maybe):
    """A value that may be missing."""

    __slots__ = ("choice",)

    def __init__(self, tensor: SymbolicTensor, choice: Choice) -> None:
        super().__init__(tensor.traced_in, tensor.value)
        self.choice = choice


class MaybeNumber(Maybe, Scalar):
    """A number of NumPy's, or of Python's, that may be missing."""

    __slots__ = ("choice",)

    def __init__(self, number: Scalar, choice: Choice) -> None:
        super().__init__(number.traced_in, number.value)
        self.choice, self.python = choice, number.python


class MaybeArray(Maybe, FromNumpy):
    """An array that may be missing: it can be read while it is as it was, and not be written by this name."""

    __slots__ = ("array", "choice", "writes")

    def __init__(self, array: Array, choice: Choice) -> None:
        super().__init__(array.traced_in, array.value)
        self.choice, self.array = choice, array  # which others may know, too
        self.writes = array.place.writes

    @property
    def itself(self) -> Array:
        return self.array

    def record_in(self, trace: Trace) -> Any:
        place = self.array.place
        if place.writes != self.writes or place.doubt:
            raise StagingError(
                f"{shown(self.choice)} may be an array that was written since, by another name. Read it before, or "
                "make it a copy (a.copy())."
            )
        return super().record_in(trace)

    def _rebound(self) -> None:
        super()._rebound()
        raise StagingError(
            f"{shown(self.choice)} is known only when the graph runs, so that the array which it may be cannot be "
            "written by this name. Assign a new array (a = a + b)."
        )


def _there(value: Maybe) -> tuple[Any, Any]:
    """Whether a variable is not None, once the graph has checked that it is bound, and what it is then."""
    choice = without(value.choice, UNDEFINED)
    present = _present(choice)[0]
    return _is_number(choice, present), choice._options[present]


def choice_of(value: object) -> Choice | None:
    """The choice that a variable holds, if it holds one."""
    if type(value) is Choice:
        return value
    return value.choice if isinstance(value, Maybe) else None


def chosen(options: Sequence[Any], index: Any, name: Name, statement: str) -> object:
    """What a variable holds that is one of several; the very one, if that is known."""
    if not isinstance(index, SymbolicTensor):
        return options[int(index)]
    choice = Choice(options, index, name, statement)
    present = _present(choice)
    only = options[present[0]] if len(present) == 1 else None
    if not isinstance(only, SymbolicTensor) or isinstance(only, Maybe):
        return choice
    if isinstance(only, Array):
        return MaybeArray(only, choice)
    return MaybeNumber(only, choice) if isinstance(only, Scalar) else MaybeTensor(only, choice)


def _present(choice: Choice) -> list[int]:
    return [i for i, option in enumerate(choice._options) if option is not None and option is not UNDEFINED]


def _is_number(choice: Choice, number: int) -> Any:
    """Whether the choice is the option of this number, as a tensor."""
    return apply(ew.equal, choice._index, EagerTensor(np.asarray(number, np.int32)))


def shown(choice: Choice) -> str:
    return f"{choice._name.shown} ({choice._statement})"


def require(choice: Choice, trace: Trace) -> None:
    """Have the graph check that the variable is there and is not None."""
    present = _present(choice)
    if len(present) != 1:
        return
    known = choice._checked
    around: Trace | None = trace
    while around is not None:  # checked already, in this graph or before one around it came here
        if any(t is around and position < len(t.nodes) and t.nodes[position] is node for t, position, node in known):
            return
        around = around.parent
    with recording(trace):
        _check(choice, present[0], [_absent(choice, option) for option in choice._options])
    choice.__dict__["_checked"] = (*known, (trace, len(trace.nodes) - 1, trace.nodes[-1]))


def _absent(choice: Choice, option: object) -> Exception | None:
    """What Python raises where this option is used as a value."""
    name = choice._name
    if option is UNDEFINED and name.role is Role.ITEM:
        return KeyError(name)
    if option is UNDEFINED and name.role is Role.ATTRIBUTE:
        return AttributeError(f"{name} was not assigned ({choice._statement})")
    if option is UNDEFINED:
        message = f"cannot access local variable '{name}' where it is not associated with a value"
        return UnboundLocalError(f"{message}: only some cases assign it ({choice._statement}). Assign it before.")
    return (
        TypeError(f"{shown(choice)} is None, where a value is needed. Ask `is None` first.") if option is None else None
    )


def only(choice: Choice) -> Any:
    """The one option that is a value, once the graph has checked that it is."""
    present = _present(choice)
    if len(present) != 1:
        raise StagingError(
            f"{shown(choice)} is one of several objects, and only the graph knows which: {choice!r}. Move what is done "
            "with it into the branches."
        )
    require(choice, tracing())
    return choice._options[present[0]]


def is_option(choice: Choice, wanted: object) -> Any:
    """Whether the variable is this very object, as a tensor."""
    numbers = [i for i, option in enumerate(choice._options) if option is wanted]
    if wanted is not UNDEFINED:
        without(choice, UNDEFINED)
    if not numbers:
        return False
    return _is_number(choice, numbers[0])


def truth_of(choice: Choice, truth: Callable[[Any], object]) -> Any:
    """The truth of the option that it is; `truth` gives that of a tensor."""
    without(choice, UNDEFINED)
    result: Any = EagerTensor(np.asarray(False))
    for index in _present(choice):
        option = choice._options[index]
        here = _is_number(choice, index)
        staged = isinstance(option, Tensor) or has_grown(option)
        holds = truth(option) if staged else EagerTensor(np.asarray(bool(option)))
        result = apply(ew.logical_or, result, apply(ew.logical_and, here, holds))
    return result


def returned(value: object) -> Any:
    """What a function returns, once the graph has checked that no variable in it is unbound."""

    def leaf(part: object) -> Any:
        choice = choice_of(part)
        if choice is not None:
            without(choice, UNDEFINED)
        return part

    return nest.map_structure(leaf, value)


def without(choice: Choice, option: object) -> Choice:
    """The choice, once the graph has checked that it is not a certain option."""
    number = next((i for i, o in enumerate(choice._options) if o is option), None)
    if number is None:
        return choice
    otherwise = [_absent(choice, option) if i == number else None for i in range(len(choice._options))]
    _check(choice, -1, otherwise)
    return choice


def _check(choice: Choice, wanted: int, otherwise: Sequence[Exception | None]) -> None:
    """Have the graph raise one of the exceptions where the choice is that option, and not the one that is wanted."""
    for error in otherwise:
        if error is not None:
            not_caught(error)
    apply(effects.require_, choice._index, wanted=wanted, otherwise=otherwise)


_RESULT = Name("the result of the choice", Role.RESULT, phrase=True)


def each(choice: Choice, function: Callable[[Any], object]) -> Any:
    """What a function makes of the option that it is."""
    if len(_present(choice)) == 1:
        return function(only(choice))

    def made(number: int) -> Any:
        option = choice._options[number]
        if option is UNDEFINED:
            raise _absent(choice, option) or AssertionError
        return function(option)

    def arm(number: int) -> Any:
        if number == len(choice._options) - 1:
            return made(number)
        here = _is_number(choice, number)
        backend = backend_of(here)
        assert backend is not None
        functions = (*choice._options, function)  # what they change is found
        branches = (lambda: made(number), lambda: arm(number + 1))
        return staged_if(backend, here, *branches, (), (), choice._statement, functions, _RESULT)

    return arm(0)


def _copy(choice: Choice) -> object:
    """A copy of the list, or the like, that a choice is."""

    def copied(option: object) -> object:
        if type(option) is list:
            return TensorList(option)
        if not hasattr(option, "copy"):
            kind = getattr(option, "kind", type(option)).__name__
            raise StagingError(
                f"{choice._name} is one of several values, as only the graph decides, and one of them is a {kind}. "
                f"Make lists of them first (list(...)), or use each where it is made.\n  {choice._statement}"
            )
        return option.copy()

    return each(choice, copied)


READERS[Choice] = _copy
