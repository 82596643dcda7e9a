"""Values of a program under JAX: variables hold arrays and numbers, alone or in tuples, lists, dictionaries and other
trees of JAX's, and objects that stay what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, NoReturn

import jax
import jax.numpy as jnp
from jax import lax

from autograph.dispatch import UNDEFINED, UNSET, Variables
from autograph.errors import StagingError

LEAF = jax.tree.structure(0)  # what a part is by itself
Array = Any  # one of JAX's, traced or not, or a number


class Type(NamedTuple):
    """Of an array; that of a number of Python's, and of what was computed of such alone, is weak."""

    shape: tuple[int, ...]
    dtype: Any
    weak: bool

    def __str__(self) -> str:
        return f"{self.dtype}[{','.join(map(str, self.shape))}]"


class Computed:
    """Stands for an array that a trace which is over has computed."""

    def __init__(self, type_: Type) -> None:
        self.type = type_


class Tree:
    """Stands for a tree of JAX's with parts that were computed so: classes of the user's are not to meet these."""

    def __init__(self, structure: jax.tree_util.PyTreeDef, parts: Sequence[object]) -> None:
        self.structure, self.parts = structure, parts


def type_of(value: object) -> Type | None:
    """The type of what JAX takes for an array; None for any other object."""
    if isinstance(value, Computed):
        return value.type
    if not isinstance(value, bool | int | float | complex) and not hasattr(value, "dtype"):
        return None
    try:
        found = jax.typeof(value)
    except TypeError:
        return None
    return Type(found.shape, found.dtype, getattr(found, "weak_type", False))


def parts_of(value: object) -> tuple[list[object], jax.tree_util.PyTreeDef]:
    """What is in a tree of JAX's, and its structure; None is a part."""
    if isinstance(value, Tree):
        return [*value.parts], value.structure
    return jax.tree.flatten(value, is_leaf=lambda part: part is None)


def joined(a: Type, b: Type) -> Type | None:
    """The type for both; None if their shapes differ, or one is of another kind."""
    if a == b:
        return a
    if a.shape != b.shape:
        return None
    if a.dtype == b.dtype:
        return a._replace(weak=a.weak and b.weak)
    try:
        dtype = jnp.result_type(_example(a), _example(b))
    except (TypeError, ValueError):
        return None
    return Type(a.shape, dtype, a.weak and b.weak)


def _example(type_: Type) -> object:
    return {"b": False, "i": 0, "u": 0, "f": 0.0, "c": 0j}.get(type_.dtype.kind, 0) if type_.weak else type_.dtype


def cast(value: Array, type_: Type) -> Array:
    value = jnp.asarray(value)
    if value.dtype == type_.dtype and value.weak_type == type_.weak:
        return value
    if type_.weak:
        return lax.convert_element_type_p.bind(value, new_dtype=type_.dtype, weak_type=True, sharding=None)
    return lax.convert_element_type(value, type_.dtype)


def zeros(type_: Type) -> Array:
    return cast(jnp.zeros(type_.shape, type_.dtype), type_)


def same(a: object, b: object) -> bool:
    """Whether parts of a variable are one object, or constants that nothing tells apart."""
    return a is b or (type(a) is type(b) and isinstance(a, bool | int | float | complex | str) and repr(a) == repr(b))


def described(value: object) -> str:
    if value is UNDEFINED or value is UNSET:
        return "unbound"
    parts, tree = parts_of(value)
    shown = [str(type_) if (type_ := type_of(part)) else repr(part)[:60] for part in parts]
    if (node := tree.node_data()) is None:
        return shown[0]
    if node[0] is dict:
        shown = [f"{path} {part}" for path, part in zip(_paths(tree), shown)]
    return f"{node[0].__name__} of {', '.join(shown)}"


def _paths(tree: jax.tree_util.PyTreeDef) -> list[str]:
    """By what keys and numbers the parts of a tree are found."""
    if (node := tree.node_data()) is None:
        return [""]
    children = tree.children()
    keys = node[1] if node[0] is dict else range(len(children))
    return [f"[{key!r}]{path}" for key, child in zip(keys, children) for path in _paths(child)]


def truth(value: Array) -> Array:
    """Whether a number is true."""
    value = jnp.asarray(value)
    if value.shape != ():
        raise StagingError(
            f"an array of shape {value.shape} is neither true nor false: use jnp.any or jnp.all, or jnp.where instead "
            "of if."
        )
    return value if value.dtype == bool else value != 0


class Plan:
    """What a variable becomes whose parts are decided by the compiled program: a tree, with types for arrays."""

    def __init__(self, tree: jax.tree_util.PyTreeDef, parts: Sequence[object]) -> None:
        self.tree, self.parts = tree, parts  # each the `Type` of an array, or an object

    @property
    def types(self) -> list[Type]:
        return [part for part in self.parts if isinstance(part, Type)]

    def value(self, arrays: Iterator[Array]) -> object:
        return jax.tree.unflatten(self.tree, [next(arrays) if isinstance(p, Type) else p for p in self.parts])

    def computed(self, arrays: Iterator[object]) -> object:
        """What stands for it, once a trace is over in which it was these arrays."""
        parts = [next(arrays) if isinstance(part, Type) else part for part in self.parts]
        return parts[0] if self.tree == LEAF else Tree(self.tree, parts)

    def arrays(self, parts: Sequence[Array] | None) -> list[Array]:
        """What is computed for it; zeros where nobody reads it."""
        if parts is None:
            return [zeros(type_) for type_ in self.types]
        return [cast(part, type_) for part, type_ in zip(parts, self.parts, strict=True) if isinstance(type_, Type)]


def plan_of(value: object) -> Plan:
    """What a variable becomes that has one value."""
    parts, tree = parts_of(value)
    return Plan(tree, [type_of(part) or part for part in parts])


def plan_for(a: object, b: object) -> Plan | str:
    """What a variable becomes that has one of two values; or why that cannot be told before the program runs."""
    (these, tree), (those, other) = parts_of(a), parts_of(b)
    if tree != other:
        return "they have other structures"
    parts: list[object] = []
    for this, that in zip(these, those):
        kind, other_kind = type_of(this), type_of(that)
        if same(this, that) and not isinstance(this, jax.core.Tracer | Computed):
            parts.append(this)
        elif kind is None or other_kind is None:
            return "JAX decides between arrays alone"
        elif (both := joined(kind, other_kind)) is None:
            return "one array of JAX's has one shape"
        else:
            parts.append(both)
    return Plan(tree, parts)


def refuse(what: str, variables: Variables) -> NoReturn:
    raise StagingError(f"{what}.\n  {variables.statement}")
