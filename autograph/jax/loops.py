"""The body of a loop, with types for its variables that hold in all iterations."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import jax.numpy as jnp

from autograph.dispatch import UNDEFINED, UNSET, Name, Role, Variables
from autograph.jax.tracing import Traced, path
from autograph.jax.values import (
    LEAF,
    Array,
    Plan,
    Type,
    described,
    parts_of,
    plan_for,
    plan_of,
    refuse,
    same,
    truth,
    type_of,
)

_GOING = Type((), jnp.dtype(bool), False)
_COUNTING = (bool, int)
_MOST = 10  # times that a body is traced until the types of its variables settle


class Loop:
    """The body of a loop, traced for the types that its variables have in all iterations.

    Args:
      body: it takes what the iteration is given, and the values of the variables, and gives those after it.
      items: the types of what each iteration is given.
    """

    def __init__(
        self,
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
        items: Sequence[Type] = (),
    ) -> None:
        self._body, self._state, self._items, self._variables = body, state, items, variables
        self._plans: list[Plan | None] = [self._first(value) for value in state]
        for _ in range(_MOST):
            traced = Traced(self._given, [_GOING, *items, *self.types])
            given = iter(traced.inputs[len(items) + 1 :])
            before = [v if plan is None else plan.computed(given) for plan, v in zip(self._plans, self._state)]
            plans = [*map(self._next, itertools.count(), before, traced.left)]
            plans += [self._first(value) for value in state[len(before) :]]  # what the body has been found to change
            if plans == self._plans:
                break
            self._plans = plans
        else:
            names = ", ".join(Name.of(name).shown for name in variables.names)
            refuse(f"the types of {names} never settle in this loop", variables)
        self._traced = traced

    @staticmethod
    def _first(value: object) -> Plan | None:
        if value is UNDEFINED or value is UNSET:
            return None
        return plan_of(value)

    def _given(self, going: Array, *arrays: Array) -> Sequence[object]:
        count = len(self._items)
        with path.on(going):
            return self._body(arrays[:count], *self.values(arrays[count:]))

    def _next(self, number: int, before: object, after: object) -> Plan | None:
        """What a variable is in all iterations, as far as is known after this one."""
        plan, name = self._plans[number], Name.of(self._variables.names[number])
        if after is before:
            return plan
        if plan is None:
            return self._first(after)
        if after is UNDEFINED or after is UNSET:
            refuse(f"{name.shown} is unbound after an iteration of this loop", self._variables)
        found = plan_for(before, after)
        if isinstance(found, str):
            refuse(
                f"{name.shown} is {described(before)} before an iteration of this loop and {described(after)} after "
                f"it: {found}. Begin with something of the same shape",
                self._variables,
            )
        is_settled = found.tree == plan.tree and all(map(_same_part, found.parts, plan.parts))
        return plan if is_settled else found

    @property
    def types(self) -> list[Type]:
        return [type_ for plan in self._plans if plan is not None for type_ in plan.types]

    def begin(self, certain: bool = True) -> list[Array]:
        """What the variables are at first: zero if bound in the loop alone, where there `certain`ly is an iteration."""
        arrays: list[Array] = []
        for plan, value, name in zip(self._plans, self._state, map(Name.of, self._variables.names)):
            if plan is None:
                continue
            if value is UNDEFINED and not certain and name.role is Role.VARIABLE:
                refuse(
                    f"{name.shown} is bound in this loop alone, which may have no iteration. Assign something of the "
                    "same shape to it before",
                    self._variables,
                )
            arrays += plan.arrays(None if value is UNDEFINED or value is UNSET else parts_of(value)[0])
        return arrays

    def turn(self, arrays: Sequence[Array], items: Sequence[Array] = (), going: Array = True) -> list[Array]:
        """What the variables are after an iteration; `going` tells whether there is one, where JAX computes it so or
        so."""
        computed = self._traced.compute([jnp.asarray(going), *items, *arrays])
        return [
            array for plan, parts in zip(self._plans, computed) if plan is not None for array in plan.arrays(parts)
        ]  # fmt: skip

    def values(self, arrays: Sequence[Array]) -> list[object]:
        """The variables, of which these arrays are what JAX computes."""
        given = iter(arrays)
        return [value if plan is None else plan.value(given) for plan, value in zip(self._plans, self._state)]

    def counted(self, length: int) -> dict[int, object]:
        """The variables, by their numbers, that are numbers of Python's after so many iterations, as counters are:
        nothing decides them but each other."""
        place, output, left, found = 2 + len(self._items), 0, {}, {}
        for number, (value, plan, parts) in enumerate(zip(self._state, self._plans, self._traced.parts)):
            types = [] if plan is None else plan.types
            if plan is not None and plan.tree == LEAF and type(parts[0]) in _COUNTING:
                left[number] = parts[0]
            elif plan is not None and plan.tree == LEAF and type(value) in _COUNTING and types == [type_of(value)]:
                found[place, output] = number
            place, output = place + len(types), output + sum(type_of(part) is not None for part in parts)
        after = self._traced.repeated({pair: self._state[number] for pair, number in found.items()}, length)
        return left | {found[pair]: value for pair, value in after.items()}

    def tested(self, test: Callable[..., object]) -> Callable[[Sequence[Array]], Array]:
        """What a test of the variables says where these arrays are what JAX computes of them."""
        traced = Traced(lambda *arrays: [truth(test(*self.values(arrays)))], self.types)
        return lambda arrays: traced.compute(arrays)[0][0]


def _same_part(a: object, b: object) -> bool:
    return a == b if isinstance(a, Type) and isinstance(b, Type) else same(a, b)
