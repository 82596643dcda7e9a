"""What a branch, a test or the body of a loop computes, traced once."""

from __future__ import annotations

import functools
import itertools
import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax.experimental import checkify

from autograph import dispatch
from autograph.errors import AutographError
from autograph.jax.values import Array, Type, parts_of, type_of
from autograph.operators.raised import raised_by_program

_abstract: Callable[..., object] = jax.ShapeDtypeStruct


class Traced:
    """What a function computes, traced once; `left` are the values that it leaves, one for each variable.

    That may get longer: what another branch has changed is as it was after this one.
    """

    def __init__(self, function: Callable[..., Sequence[object]], types: Sequence[Type] = ()) -> None:
        self.left: Sequence[object] = ()
        self.inputs: tuple[Array, ...] = ()

        def run(*arrays: Array) -> list[Array]:
            self.inputs, self.left = arrays, function(*arrays)
            parts = itertools.chain.from_iterable(parts_of(value)[0] for value in self.left)
            return [part for part in parts if type_of(part)]

        given = [_abstract(t.shape, t.dtype, weak_type=t.weak) for t in types]
        self._jaxpr = jax.make_jaxpr(run)(*given)
        self._count = len(self.left)

    def compute(self, arrays: Sequence[Array] = ()) -> list[list[Array]]:
        """The parts of what it leaves, of each variable: objects, and arrays as they are for these inputs."""
        results = iter(jax.core.eval_jaxpr(self._jaxpr.jaxpr, self._jaxpr.consts, *arrays))
        made = [
            [next(results) if type_of(part) else part for part in parts_of(value)[0]]
            for value in self.left[: self._count]
        ]
        return made + [parts_of(value)[0] for value in self.left[self._count :]]


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
