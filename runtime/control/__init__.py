"""Control flow in graphs: branches and loops as nodes with regions."""

from runtime.control.branches import case, cond, staged_cond, switch_case
from runtime.control.leaves import Slot, to_value, truth
from runtime.control.loops import (
    foldl,
    foldr,
    map_fn,
    scan,
    set_loop_options,
    staged_for,
    staged_while,
    vectorized_map,
    while_loop,
)
from runtime.control.unions import (
    TaggedUnion,
    are_same,
    distributed,
    each,
    element_at,
    is_option,
    kind_of,
    only,
    union_of,
    whichever,
)

__all__ = [
    "Slot",
    "TaggedUnion",
    "are_same",
    "case",
    "cond",
    "distributed",
    "each",
    "element_at",
    "foldl",
    "foldr",
    "is_option",
    "kind_of",
    "map_fn",
    "only",
    "scan",
    "set_loop_options",
    "staged_cond",
    "staged_for",
    "staged_while",
    "switch_case",
    "to_value",
    "truth",
    "union_of",
    "vectorized_map",
    "whichever",
    "while_loop",
]
