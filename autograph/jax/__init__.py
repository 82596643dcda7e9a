"""Plain Python control flow under JAX: ``if``, ``while``, ``for``, ``break`` and early ``return`` on what it traces.

>>> from autograph.jax import jit
>>> @jit
... def collatz(n):
...     steps = 0
...     while n != 1:
...         n = n // 2 if n % 2 == 0 else 3 * n + 1
...         steps += 1
...     return steps
>>> int(collatz(97))
118

`jit` is `jax.jit` of what `convert` makes, which goes with `grad`, `vmap`, `checkpoint` … alike. A statement is staged
where only the compiled program knows its test or its items: an ``if`` becomes `jax.lax.cond`, a ``while`` or a ``for``
over a ``range`` `jax.lax.while_loop`, a ``for`` over arrays `jax.lax.scan`, which can be differentiated in reverse.
What JAX computes at once, as under `grad` alone, stays Python. Needs JAX (``pip install jax``).
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec, TypeVar

import jax

from autograph import api
from autograph.dispatch import begin_staging, end_staging, register_backend
from autograph.errors import StagingError
from autograph.jax.backend import Jax
from autograph.jax.items import Items, Range
from autograph.jax.tracing import path
from autograph.operators.calls import set_functions
from autograph.rules import STAGED_FUNCTIONS, is_left_alone

P = ParamSpec("P")
R = TypeVar("R")

__all__ = ["convert", "jit"]


def convert(function: Callable[P, R]) -> Callable[P, R]:
    """A function whose control flow JAX can trace, for `jax.jit`, `grad`, `vmap` and others; so are those it calls.

    Args:
      function: takes and returns arrays of JAX's, numbers and trees of them, as JAX wants it. It is called as it is
        where nothing is traced; functions of installed packages that it calls stay as they are.
    Returns: a function with its signature.
    Raises: StagingError, when it is traced, for what no compiled program has: variables that have another shape or
      structure on each path, lists that get longer in one branch alone, functions that call themselves.

    >>> import jax
    >>> from autograph.jax import convert
    >>> def clipped(x):
    ...     if x > 1:
    ...         return 2 * x - 1
    ...     return x * x
    >>> float(jax.grad(clipped)(3.0)), [float(y) for y in jax.vmap(convert(clipped))(jax.numpy.array([0.5, 3.0]))]
    (2.0, [0.25, 5.0])
    """
    converted = api.convert(function)

    @functools.wraps(function)
    def staged(*args: P.args, **kwargs: P.kwargs) -> R:
        begin_staging()
        path.calls += 1
        try:
            return converted(*args, **kwargs)
        except RecursionError:
            raise StagingError(
                f"{getattr(function, '__name__', function)} calls itself as often as only the compiled program knows, "
                "and JAX has no such calls. Write a loop."
            ) from None
        finally:
            path.calls -= 1
            end_staging()

    return staged


def jit(function: Callable[P, R] | None = None, /, **options: Any) -> Any:
    """`jax.jit` of a function whose control flow is plain Python, as a call or a decorator.

    Args:
      function: as `convert` takes it.
      options: those of `jax.jit`, such as ``static_argnames``.

    >>> from autograph.jax import jit
    >>> @jit
    ... def steps(x):
    ...     n = 0
    ...     while x > 1:
    ...         x, n = x / 2, n + 1
    ...     return n
    >>> int(steps(9.0))
    4
    """
    if function is None:
        return functools.partial(jit, **options)
    return jax.jit(convert(function), **options)


def _transforming(transform: Callable[..., object]) -> Callable[..., object]:
    """A function of JAX's that is given functions, of which it gets those that JAX can trace."""

    def called(*arguments: object, **keywords: object) -> object:
        return transform(*map(_traceable, arguments), **{key: _traceable(value) for key, value in keywords.items()})

    return called


def _traceable(value: Any) -> object:
    if type(value) in (list, tuple):
        return type(value)(map(_traceable, value))
    is_users = type(value) in (types.FunctionType, types.MethodType) and not is_left_alone(value.__module__)
    return convert(value) if is_users else value


def _transforms() -> Iterator[tuple[object, Callable[..., object]]]:
    for name in STAGED_FUNCTIONS["jax"]:
        found: Any = jax
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not None:
            yield found, _transforming(found)


register_backend([jax.core.Tracer, Items, Range], Jax(), announces=True)
set_functions(_transforms())
