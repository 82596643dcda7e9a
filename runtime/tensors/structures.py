"""What programs do with nested structures: as in TensorFlow the keys of a dictionary have an order, that of sorting."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from runtime.tensors import nest
from runtime.tensors.several import settled
from runtime.tensors.types import Structure


def flatten(structure: Structure, expand_composites: bool = False) -> list[Structure]:
    """The leaves of a structure, such as tensors of any shape, in order; those of a dictionary in that of its keys.

    Args:
      structure: lists, tuples, named tuples, dictionaries and dataclasses of leaves, or one leaf.
      expand_composites: accepted; there are no ragged or sparse tensors, which are made of several.

    >>> tf.nest.flatten({"b": (2, [3]), "a": 1})
    [1, 2, 3]
    """
    return nest.flatten(nest.in_order(settled(structure)))


def pack_sequence_as(
    structure: Structure, flat_sequence: Sequence[Structure], expand_composites: bool = False
) -> Structure:
    """A structure with its leaves replaced, in the order in which `flatten` has them.

    Args:
      structure: the structure.
      flat_sequence: the leaves, such as tensors of any shape: as many as the structure has.
      expand_composites: accepted.
    Raises:
      ValueError: if they are more or fewer.

    >>> tf.nest.pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    structure, leaves = settled(structure), [*flat_sequence]
    count = len(nest.flatten(structure))
    if len(leaves) != count:
        raise ValueError(
            f"pack_sequence_as: {nest.describe(structure)} has {count} leaves, and {len(leaves)} were given"
        )
    return _packed(structure, iter(leaves))


def _packed(structure: object, leaves: Iterator[object]) -> object:
    if not nest.is_nested(structure):
        return next(leaves)
    if isinstance(structure, dict):
        made = {key: _packed(structure[key], leaves) for key in nest.keys_in_order(structure)}
        return nest.of_kind(structure, [made[key] for key in structure])
    return nest.of_kind(structure, [_packed(part, leaves) for part in nest.parts(structure)])


def assert_same_structure(
    nest1: Structure, nest2: Structure, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two structures are alike, whatever their leaves, such as tensors of any shape.

    Args:
      nest1, nest2: the structures.
      check_types: whether lists, tuples and classes are to be the same; dictionaries have the same keys in any order.
      expand_composites: accepted.
    Raises:
      ValueError: if one has other parts than the other.
      TypeError: if types differ.

    >>> tf.nest.assert_same_structure({"a": 1, "b": [2]}, {"b": [0], "a": 0})
    >>> tf.nest.assert_same_structure([1, 2], [1, [2]])
    Traceback (most recent call last):
        ...
    ValueError: the structures [·, ·] and [·, [·]] differ: one has a leaf where the other has [·]
    """
    nest1, nest2 = settled(nest1), settled(nest2)
    whole = f"the structures {nest.describe(nest1)} and {nest.describe(nest2)} differ"
    _compare(nest1, nest2, check_types, whole)


def _compare(a: object, b: object, check_types: bool, whole: str) -> None:
    if not nest.is_nested(a) and not nest.is_nested(b):
        return
    if nest.is_nested(a) is not nest.is_nested(b):
        raise ValueError(f"{whole}: one has a leaf where the other has {nest.describe(a if nest.is_nested(a) else b)}")
    if isinstance(a, dict) and isinstance(b, dict):
        if a.keys() != b.keys():
            raise ValueError(f"{whole}: {nest.describe(a)} and {nest.describe(b)} have other keys")
        rows = [(a[key], b[key]) for key in a]
    else:
        own, others = [*nest.parts(a)], [*nest.parts(b)]
        if len(own) != len(others):
            raise ValueError(f"{whole}: {nest.describe(a)} and {nest.describe(b)} differ in length")
        if check_types and type(a) is not type(b):
            raise TypeError(f"{whole}: one has {type(a).__name__} where the other has {type(b).__name__}")
        rows = [*zip(own, others)]
    for x, y in rows:
        _compare(x, y, check_types, whole)


def map_structure(
    func: Callable[..., object], *structure: Structure, check_types: bool = True, expand_composites: bool = False
) -> Structure:
    """A structure with each leaf replaced by what a function makes of it.

    Args:
      func: takes a leaf, such as a tensor of any shape, of each structure.
      structure: one structure, or several that are alike; the values of dictionaries meet by their keys.
      check_types: whether lists, tuples and classes are to be the same in all of them.
      expand_composites: accepted.
    Returns: a structure like the first.
    Raises:
      ValueError: if one has other parts than another, or there is none.
      TypeError: if types differ.

    >>> tf.nest.map_structure(lambda x, y: x + y, {"a": 1, "b": (2, 3)}, {"b": (20, 30), "a": 10})
    {'a': 11, 'b': (22, 33)}
    """
    if not structure:
        raise ValueError("map_structure needs a structure, beside the function")
    structure = settled(structure)
    for other in structure[1:]:
        assert_same_structure(structure[0], other, check_types)
    columns = [flatten(one) for one in structure]
    return pack_sequence_as(structure[0], [func(*row) for row in zip(*columns)])  # type: ignore[misc]
