"""What a call may do at once that is like an earlier one: no signature is made, and no graph is looked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from runtime.functions.calls import ANOTHER, Calls, Leaves, Run, is_plain, taken_apart
from runtime.functions.concrete import ConcreteFunction
from runtime.functions.held import Held

_DIRECT = 4  # native functions that a call tries


class Shortcuts:
    """The short ways of one function."""

    def __init__(self) -> None:
        self._direct: tuple[Callable[..., object], ...] = ()  # native functions, which return None for other arguments
        self._while_held: tuple[tuple[Held, Callable[..., object]], ...] = ()  # the same, as long as something holds
        self.calls = Calls()

    def called(self, args: Sequence[object]) -> object:
        """What one of the native functions gives; None if none takes such arguments. The first has been asked."""
        for direct in self._direct[1:]:
            result = direct(*args)
            if result is not None:
                return result
        for held, direct in self._while_held:
            if held.holds() and (result := direct(*args)) is not None:
                return result
        return None

    def add(
        self, args: Sequence[object], kwargs: Mapping[str, object], bound: Sequence[str], concrete: ConcreteFunction
    ) -> bool:
        """Know the graph that such arguments have, which go to the parameters `bound`.

        Returns whether calls ask its native function first from now on.
        """
        if concrete.quick is None or (found := taken_apart(args, kwargs)) is None:
            return False
        key, leaves = found
        if len(leaves) != concrete.takes or not all(map(is_plain, leaves)):
            return False
        direct, is_first = concrete.direct, not self._direct
        in_place = not kwargs and len(args) == len(leaves)  # nothing but tensors and arrays, one after the other
        if direct is not None and concrete._is_all_native and in_place and not concrete.held:
            if len(self._direct) < _DIRECT and direct not in self._direct:
                self._direct = (*self._direct, direct)
            if not any(isinstance(a, np.generic) for a in args):  # native functions are for tensors and arrays
                return is_first
        if direct is not None and in_place and concrete.held:
            self._while_held = (*self._while_held[1 - _DIRECT :], (concrete.held, direct))
        run = concrete._in_order(_order(args, kwargs, bound))
        self.calls.keep(key, _while_it_holds(run, concrete.held) if concrete.held else run)
        return False


def _while_it_holds(run: Run, held: Held) -> Run:
    return lambda leaves: run(leaves) if held.holds() else ANOTHER


def _order(args: Sequence[object], kwargs: Mapping[str, object], bound: Sequence[str]) -> list[int] | None:
    """Where each tensor of the graph is among those of a call: keywords may come in any order; None if all are in
    their places."""
    if not kwargs:
        return None
    end = len(_leaves_of(args))
    order = [*range(end)]
    places: dict[str, range] = {}
    for name, value in kwargs.items():
        places[name] = range(end, end + len(_leaves_of([value])))
        end = places[name].stop
    for name in bound[len(args) :]:
        order += places.get(name.removeprefix("**"), ())
    return None if order == [*range(end)] else order


def _leaves_of(values: Sequence[object]) -> Leaves:
    found = taken_apart(values, {})
    assert found is not None  # as the whole call was taken apart
    return found[1]
