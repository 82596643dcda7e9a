"""What statements become that a program compiled by JAX decides."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from jax import lax

from autograph.dispatch import UNDEFINED, UNSET, Name, OneByOne, Role, Variables
from autograph.jax.items import Items, Range
from autograph.jax.loops import Loop
from autograph.jax.meanings import MEANINGS
from autograph.jax.tracing import Raised, Traced, branch, check, path
from autograph.jax.values import Array, Plan, described, plan_for, plan_of, refuse, same, truth

_MANY = 256  # items of a loop that JAX cannot repeat


class Jax:
    """What statements become that JAX is to decide."""

    lists_grow = True

    def is_staged(self, value: object) -> bool:
        if isinstance(value, Items | Range):
            return True
        return isinstance(value, jax.core.Tracer) and value.to_concrete_value() is None  # type: ignore[no-untyped-call]

    def cond(
        self,
        test: Array,
        body: Callable[[], Sequence[object]],
        orelse: Callable[[], Sequence[object]],
        variables: Variables,
    ) -> Sequence[object]:
        taken = (truth(test), jnp.logical_not(truth(test)))
        sides = [branch(body, taken[0]), branch(orelse, taken[1])]
        traced = [side for side in sides if isinstance(side, Traced)]
        if not traced:
            assert isinstance(sides[0], Raised)
            raise sides[0].error
        for side, test in zip(sides, taken):
            if isinstance(side, Raised):
                check(jnp.logical_not(test), f"{type(side.error).__name__}: {side.error}")
        left = [side.left if isinstance(side, Traced) else [UNSET] * len(traced[0].left) for side in sides]
        names = [Name.of(name) for name in variables.names]
        jumped = [
            any(v is True and n.role is Role.RETURN_FLAG for n, v in zip(names, values)) or isinstance(side, Raised)
            for side, values in zip(sides, left)
        ]  # fmt: skip
        plans = [_of_two(name, pair, jumped, variables) for name, pair in zip(names, zip(*left, strict=True))]

        def computing(side: Traced | Raised, values: Sequence[object]) -> Callable[[], list[Array]]:
            def computed() -> list[Array]:
                parts = side.compute() if isinstance(side, Traced) else [[] for _ in values]
                return [
                    array for plan, value, given in zip(plans, values, parts) if isinstance(plan, Plan)
                    for array in plan.arrays(None if value is UNSET or value is UNDEFINED else given)
                ]  # fmt: skip

            return computed

        results = iter(lax.cond(taken[0], *map(computing, sides, left)))
        return [plan.value(results) if isinstance(plan, Plan) else plan for plan in plans]

    def while_loop(
        self,
        test: Callable[..., object],
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
    ) -> Sequence[object]:
        loop = Loop(lambda _, *values: body(*values), state, variables)
        return loop.values(lax.while_loop(loop.tested(test), loop.turn, loop.begin(certain=False)))

    def for_loop(
        self,
        items: object,
        test: Callable[..., object] | None,
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
        ask: Callable[..., object],
    ) -> Sequence[object]:
        if isinstance(items, Range):
            return self._over_range(items, test, body, state, variables)
        given = Items.of(items)
        if given.length == 0:
            return state
        try:
            with path.over_items():
                return self._over_items(given, test, body, state, variables)
        except RecursionError:
            raise
        except Exception as error:  # JAX itself unrolls the loop, in which Python has what counts its iterations
            if given.length > _MANY:
                warnings.warn(f"a loop over {given.length} items is unrolled: {error}", stacklevel=2)
            raise OneByOne from None

    def _over_items(
        self,
        given: Items,
        test: Callable[..., object] | None,
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
    ) -> Sequence[object]:
        loop = Loop(lambda parts, *values: body(lambda: given.item(parts), *values), state, variables, given.types)
        if test is None:
            arrays, _ = lax.scan(lambda so_far, parts: (loop.turn(so_far, parts), None), loop.begin(), given.arrays)
            after, known = loop.values(arrays), loop.counted(given.length)
            return [known.get(number, value) for number, value in enumerate(after)]
        goes_on = loop.tested(test)

        def turn(so_far: tuple[Array, list[Array]], parts: Sequence[Array]) -> tuple[tuple[Array, list[Array]], None]:
            def on() -> tuple[Array, list[Array]]:
                after = loop.turn(so_far[1], parts, so_far[0])
                return goes_on(after), after

            return lax.cond(so_far[0], on, lambda: so_far), None

        (_, arrays), _ = lax.scan(turn, (jnp.asarray(True), loop.begin()), given.arrays)
        return loop.values(arrays)

    def _over_range(
        self,
        items: Range,
        test: Callable[..., object] | None,
        body: Callable[..., Sequence[object]],
        state: Sequence[object],
        variables: Variables,
    ) -> Sequence[object]:
        loop = Loop(lambda parts, *values: body(lambda: parts[0], *values), state, variables, [items.type])
        goes_on = loop.tested(test or (lambda *_: True))

        def turn(now: tuple[Array, Array, list[Array]]) -> tuple[Array, Array, list[Array]]:
            number, _, arrays = now
            after = loop.turn(arrays, [items.start + number * items.step])
            return number + 1, goes_on(after), after

        length = items.length()
        begin = jnp.zeros_like(length), jnp.asarray(True), loop.begin(certain=False)
        *_, arrays = lax.while_loop(lambda now: (now[0] < length) & now[1], turn, begin)
        return loop.values(arrays)

    def not_(self, value: Array) -> Array:
        return jnp.logical_not(truth(value))

    def assert_(self, test: Array, message: Callable[[], object] | None, statement: str) -> None:
        text = f"assertion failed: {statement}" if message is None else str(message())
        check(truth(test), text)

    def call(
        self, function: Callable[..., object], arguments: tuple[object, ...], keywords: Mapping[str, object]
    ) -> Any:
        meaning = MEANINGS.get(function)
        return NotImplemented if meaning is None else meaning(*arguments, **keywords)

    def recursive(
        self, function: Callable[..., object], arguments: Sequence[object], keywords: Mapping[str, object]
    ) -> object:
        return function(*arguments, **keywords)

    def content(self, value: object) -> None:
        return None

    def set_content(self, value: object, content: object) -> None:
        raise NotImplementedError("JAX's arrays never change")

    def is_tracing(self) -> bool:
        return path.calls > 0

    def blames_staging(self, error: BaseException) -> bool:
        """Whether JAX raises it for what it traces alone: others are raised, and caught, without `jit`, too."""
        return isinstance(error, jax.errors.JAXTypeError | jax.errors.JAXIndexError)

    def attempt(self) -> None:
        return None


def _of_two(name: Name, pair: tuple[object, object], jumped: Sequence[bool], variables: Variables) -> object:
    """What a variable becomes after a branch: a `Plan`, or what both leave."""
    a, b = pair
    if same(a, b):
        return a
    free = name.role is Role.RETURNED
    grown = {place.name: place.holder_name for place in variables.places if isinstance(place.holder, list)}
    for one, other, has_jumped in ((a, b, jumped[0]), (b, a, jumped[1])):
        if one is UNSET or (one is UNDEFINED and (free or has_jumped)):
            return plan_of(other)
        if one is UNDEFINED:
            if name in grown:
                refuse(
                    f"'{grown[name]}' is a list that gets longer in one branch, and JAX's compiled programs have none. "
                    "Write into an array (x = x.at[i].set(value)), or choose between values (jnp.where)",
                    variables,
                )
            refuse(
                f"{name.shown} is bound in one branch alone, and only the compiled program knows which is taken. "
                "Assign something of the same shape to it before",
                variables,
            )
    plan = plan_for(a, b)
    if isinstance(plan, str):
        refuse(
            f"{name.shown} is {described(a)} in one branch and {described(b)} in the other: {plan}. Make them alike",
            variables,
        )
    return plan
