"""Nested Python structures (lists, tuples, named tuples, dicts, dataclasses) of leaves."""

from runtime.tensors.structures import (
    assert_same_structure as assert_same_structure,
    flatten as flatten,
    is_nested as is_nested,
    map_structure as map_structure,
    pack_sequence_as as pack_sequence_as,
)
