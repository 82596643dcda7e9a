"""What programs do with nested structures: as in TensorFlow the keys of a dictionary have an order, that of sorting."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from runtime.tensors import nest
from runtime.tensors.composites import Composite
from runtime.tensors.several import settled
from runtime.tensors.types import Structure


def is_nested(value: object) -> bool:
    """Whether a value is a structure: a list, tuple or dict, or a dataclass of the user's. Tensors and shapes are none.

    >>> tf.nest.is_nested((1, 2)), tf.nest.is_nested(tf.constant([1, 2]))
    (True, False)
    """
    return _is_nested(value, False)


def _is_nested(value: object, expanded: bool) -> bool:
    return nest.is_nested(value) and (expanded or not isinstance(value, Composite))


def _parts(value: object) -> Iterable[object]:
    """What a structure consists of; a dictionary in the order of its keys."""
    return [value[key] for key in nest.keys_in_order(value)] if isinstance(value, dict) else nest.parts(value)


def flatten(structure: Structure, expand_composites: bool = False) -> list[Structure]:
    """The leaves of a structure, such as tensors of any shape, in order; those of a dictionary in that of its keys.

    Args:
      structure: lists, tuples, named tuples, dictionaries and dataclasses of leaves, or one leaf.
      expand_composites: whether the tensors that a RaggedTensor or SparseTensor is made of are leaves, rather than it.

    >>> tf.nest.flatten({"b": (2, [3]), "a": 1})
    [1, 2, 3]
    """
    return _leaves(settled(structure), expand_composites)


def _leaves(value: object, expanded: bool) -> list[object]:
    if not _is_nested(value, expanded):
        return [value]
    return [leaf for part in _parts(value) for leaf in _leaves(part, expanded)]


def pack_sequence_as(
    structure: Structure, flat_sequence: Sequence[Structure], expand_composites: bool = False
) -> Structure:
    """A structure with its leaves replaced, in the order in which `flatten` has them.

    Args:
      structure: the structure.
      flat_sequence: the leaves, such as tensors of any shape: as many as the structure has.
      expand_composites: as for `flatten`.
    Raises:
      ValueError: if they are more or fewer.

    >>> tf.nest.pack_sequence_as({"b": 0, "a": [0, 0]}, [1, 2, 3])
    {'b': 3, 'a': [1, 2]}
    """
    structure, leaves = settled(structure), [*flat_sequence]
    count = len(_leaves(structure, expand_composites))
    if len(leaves) != count:
        raise ValueError(
            f"pack_sequence_as: {nest.describe(structure)} has {count} leaves, and {len(leaves)} were given"
        )
    return _packed(structure, iter(leaves), expand_composites)


def _packed(structure: object, leaves: Iterator[object], expanded: bool) -> object:
    if not _is_nested(structure, expanded):
        return next(leaves)
    if isinstance(structure, dict):
        made = {key: _packed(structure[key], leaves, expanded) for key in nest.keys_in_order(structure)}
        return nest.of_kind(structure, [made[key] for key in structure])
    return nest.of_kind(structure, [_packed(part, leaves, expanded) for part in nest.parts(structure)])


def assert_same_structure(
    nest1: Structure, nest2: Structure, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Check that two structures are alike, whatever their leaves, such as tensors of any shape.

    Args:
      nest1, nest2: the structures.
      check_types: whether lists, tuples and classes are to be the same; dictionaries have the same keys in any order.
      expand_composites: as for `flatten`.
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
    _compare(nest1, nest2, check_types, whole, expand_composites)


def _compare(a: object, b: object, check_types: bool, whole: str, expanded: bool) -> None:
    nested = [value for value in (a, b) if _is_nested(value, expanded)]
    if not nested:
        return
    if len(nested) == 1:
        raise ValueError(f"{whole}: one has a leaf where the other has {nest.describe(nested[0])}")
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
        _compare(x, y, check_types, whole, expanded)


def map_structure(
    func: Callable[..., object], *structure: Structure, check_types: bool = True, expand_composites: bool = False
) -> Structure:
    """A structure with each leaf replaced by what a function makes of it.

    Args:
      func: takes a leaf, such as a tensor of any shape, of each structure.
      structure: one structure, or several that are alike; the values of dictionaries meet by their keys.
      check_types: whether lists, tuples and classes are to be the same in all of them.
      expand_composites: as for `flatten`.
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
        assert_same_structure(structure[0], other, check_types, expand_composites)
    columns = [flatten(one, expand_composites) for one in structure]
    return pack_sequence_as(structure[0], [func(*row) for row in zip(*columns)], expand_composites)  # type: ignore[misc]
