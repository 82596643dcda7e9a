"""What a branch, a test or the body of a loop computes, traced once."""

from __future__ import annotations

import functools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import lax
from jax.experimental import checkify
from jax.interpreters.partial_eval import dce_jaxpr_consts

from autograph import dispatch
from autograph.errors import AutographError
from autograph.jax.values import LEAF, Array, Computed, Tree, Type, parts_of, type_of
from autograph.operators.raised import raised_by_program

_abstract: Callable[..., object] = jax.ShapeDtypeStruct

_ANY = Type((), jnp.dtype(bool), False)  # of an input that tells which values belong to a trace


class Traced:
    """What a function computes, traced once; `left` are the values that it leaves, one for each variable.

    That may get longer: what another branch has changed is as it was after this one. No value of the trace outlives it:
    where a variable holds one, there is a `Computed`, the same for the same value, as there is for each of `inputs`.
    The `parts` of each variable are those that it has of itself.
    """

    def __init__(self, function: Callable[..., Sequence[object]], types: Sequence[Type] = ()) -> None:
        self.left: list[object] = []
        self.parts: list[list[object]] = []
        self.inputs: list[object] = []

        def run(going: Array, *arrays: Array) -> list[Array]:
            made = function(*arrays)
            self.left = made if isinstance(made, list) else [*made]
            return self._note(going, arrays)

        given = [_abstract(t.shape, t.dtype, weak_type=t.weak) for t in (_ANY, *types)]
        self._jaxpr = jax.make_jaxpr(run)(*given)

    def _note(self, going: Any, arrays: Sequence[Array]) -> list[Array]:
        """What is to be computed of the values that are left, as they are now."""
        known: dict[int, Computed] = {}

        def without(part: Any) -> object:
            if not isinstance(part, jax.core.Tracer) or part._trace is not going._trace:
                return part
            if id(part) not in known:
                type_ = type_of(part)
                assert type_ is not None
                known[id(part)] = Computed(type_)
            return known[id(part)]

        self.inputs = [*map(without, arrays)]
        wanted: list[Array] = []
        for number, value in enumerate(self.left):
            parts, tree = parts_of(value)
            wanted += [part for part in parts if type_of(part)]
            self.parts.append([*map(without, parts)])
            if any(a is not b for a, b in zip(parts, self.parts[-1])):
                self.left[number] = self.parts[-1][0] if tree == LEAF else Tree(tree, self.parts[-1])
        return wanted

    def compute(self, arrays: Sequence[Array] = ()) -> list[list[Array]]:
        """The parts of what it leaves, of each variable: objects, and arrays as they are for these inputs."""
        results = iter(jax.core.eval_jaxpr(self._jaxpr.jaxpr, self._jaxpr.consts, True, *arrays))
        made = [[next(results) if type_of(part) else part for part in parts] for parts in self.parts]
        return made + [parts_of(value)[0] for value in self.left[len(made) :]]

    def repeated(self, numbers: dict[tuple[int, int], object], times: int) -> dict[tuple[int, int], object]:
        """What numbers of Python's are after so many times, those that nothing else decides.

        They are found by the places of an input and of the output that is the next one.
        """
        if self._jaxpr.effects:
            return {}
        needed = {pair: self._needed([pair]) for pair in numbers}
        known = {pair: numbers[pair] for pair, inputs in needed.items() if inputs is not None}
        while others := [pair for pair in known if not needed[pair] <= {0, *(place for place, _ in known)}]:  # type: ignore[operator]
            for pair in others:
                del known[pair]
        if not known:
            return {}
        jaxpr, consts, inputs = dce_jaxpr_consts(self._jaxpr.jaxpr, self._wanted([*known]), instantiate=False)
        held = [const for const, is_used in zip(self._jaxpr.consts, consts) if is_used]
        places = [place for place, is_used in enumerate(inputs) if is_used]

        def again(_: Array, now: dict[int, Array]) -> dict[int, Array]:
            made = jax.core.eval_jaxpr(jaxpr, held, *(now[place] for place in places))
            return {0: now[0], **dict(zip((place for place, _ in sorted(known, key=lambda pair: pair[1])), made))}

        with jax.ensure_compile_time_eval():
            begin = {0: True, **{place: value for (place, _), value in known.items()}}
            after = lax.fori_loop(0, times, again, jax.tree.map(jnp.asarray, begin))
        return {(place, output): after[place].item() for place, output in known}

    def _wanted(self, pairs: Sequence[tuple[int, int]]) -> list[bool]:
        outputs = {output for _, output in pairs}
        return [number in outputs for number in range(len(self._jaxpr.jaxpr.outvars))]

    def _needed(self, pairs: Sequence[tuple[int, int]]) -> set[int] | None:
        """The places of the inputs that decide these outputs; None if values of a trace around do."""
        _, consts, inputs = dce_jaxpr_consts(self._jaxpr.jaxpr, self._wanted(pairs), instantiate=False)
        if any(is_used and isinstance(const, jax.core.Tracer) for const, is_used in zip(self._jaxpr.consts, consts)):
            return None
        return {place for place, is_used in enumerate(inputs) if is_used}


class Raised(NamedTuple):
    """What a branch does that raises an exception."""

    error: Exception


class _Path(threading.local):
    """The tests that have led to what is being traced: under `vmap` JAX computes both branches, and what is checked in
    the one that is not taken says nothing."""

    tests: tuple[Array, ...] = ()
    unrolls = False  # whether a loop around can be unrolled
    calls = 0  # of functions whose statements may be staged, which go on

    @contextmanager
    def on(self, test: Array) -> Iterator[None]:
        before, self.tests = self.tests, (*self.tests, test)
        try:
            yield
        finally:
            self.tests = before

    @contextmanager
    def over_items(self) -> Iterator[None]:
        before, self.unrolls = self.unrolls, True
        try:
            yield
        finally:
            self.unrolls = before


path = _Path()


def check(test: Array, message: str) -> None:
    """Have JAX tell of it where a test does not hold, if the program is run by `checkify`."""
    holds = functools.reduce(jnp.logical_or, map(jnp.logical_not, path.tests), test)
    checkify.check(holds, message.replace("{", "{{").replace("}", "}}"))


def branch(function: Callable[[], Sequence[object]], test: Array) -> Traced | Raised:
    try:
        with path.on(test):
            return Traced(function)
    except Exception as error:
        if isinstance(error, AutographError) or not raised_by_program(error, _LIBRARIES):
            raise
        return Raised(error.with_traceback(None))


_LIBRARIES = tuple(os.path.dirname(os.path.abspath(file)) for file in (dispatch.__file__, jax.__file__))
