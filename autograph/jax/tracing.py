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
from jax.experimental import checkify

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
    """

    def __init__(self, function: Callable[..., Sequence[object]], types: Sequence[Type] = ()) -> None:
        self.left: list[object] = []
        self._parts: list[list[Any]] = []
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

        def without(part: Any) -> Any:
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
            self._parts.append([*map(without, parts)])
            if any(a is not b for a, b in zip(parts, self._parts[-1])):
                self.left[number] = self._parts[-1][0] if tree == LEAF else Tree(tree, self._parts[-1])
        return wanted

    def compute(self, arrays: Sequence[Array] = ()) -> list[list[Array]]:
        """The parts of what it leaves, of each variable: objects, and arrays as they are for these inputs."""
        results = iter(jax.core.eval_jaxpr(self._jaxpr.jaxpr, self._jaxpr.consts, True, *arrays))
        made = [[next(results) if type_of(part) else part for part in parts] for parts in self._parts]
        return made + [parts_of(value)[0] for value in self.left[len(made) :]]


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
