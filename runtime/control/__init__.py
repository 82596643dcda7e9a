"""Control flow in graphs: branches and loops as nodes with regions."""

from runtime.control.branches import case, cond, staged_cond, switch_case
from runtime.control.leaves import Slot, to_value, truth
from runtime.control.loops import map_fn, scan, set_loop_options, staged_for, staged_while, while_loop
from runtime.control.unions import Choice, choice_of, each, is_option, only

__all__ = [
    "Choice",
    "Slot",
    "case",
    "choice_of",
    "cond",
    "each",
    "is_option",
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
    "while_loop",
]
