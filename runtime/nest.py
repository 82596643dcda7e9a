"""Nested Python structures (lists, tuples, named tuples, dicts, dataclasses) of leaves."""

from runtime.tensors.nest import flatten as flatten, is_nested as is_nested, map_structure as map_structure
