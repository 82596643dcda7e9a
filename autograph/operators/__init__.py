"""What converted code calls: each operator does the plain Python thing, unless a staged value decides."""

from builtins import Exception as Error, globals as globals_, slice as slice_, type as type_
from types import BuiltinFunctionType as Builtin, MethodType as Method

from autograph import dispatch
from autograph.dispatch import UNSET as unset
from autograph.operators.arrays import array
from autograph.operators.asserts import assert_stmt
from autograph.operators.attempts import follow
from autograph.operators.branches import if_chain, if_exp, if_stmt
from autograph.operators.calls import call, converted, set_functions
from autograph.operators.caught import asking, caught
from autograph.operators.finals import finally_
from autograph.operators.folding import MEANINGS as FOLDING
from autograph.operators.items import dict_comp, generator, list_comp, set_comp
from autograph.operators.lists import copied, dict_, displayed, get_item, list_, set_, unpacked
from autograph.operators.logic import and_, chain, in_, is_, is_not, not_, not_in, or_
from autograph.operators.loops import ForIterations, WhileIterations, for_stmt, while_stmt
from autograph.operators.matches import match_case
from autograph.operators.mathematics import MEANINGS as MATHEMATICS
from autograph.operators.ordered import MEANINGS as ORDERED
from autograph.operators.plain import decided, is_asked, is_repeated, is_staged, listed, settled, visible
from autograph.operators.questions import set_following
from autograph.operators.raised import to_raise
from autograph.operators.reads import read
from autograph.operators.spent import left, watched
from autograph.operators.texts import percent, text
from autograph.operators.warned import MEANINGS as WARNED

set_functions([*FOLDING, *MATHEMATICS, *ORDERED, *WARNED])
set_following(follow)


class Undefined:
    """The annotation of a variable that only parts of a function assign: ``y: ag__.Undefined`` binds nothing."""


__all__ = [
    "Builtin",
    "Error",
    "ForIterations",
    "Method",
    "Undefined",
    "WhileIterations",
    "and_",
    "array",
    "asking",
    "assert_stmt",
    "call",
    "caught",
    "chain",
    "converted",
    "copied",
    "decided",
    "dict_",
    "dict_comp",
    "dispatch",
    "displayed",
    "finally_",
    "for_stmt",
    "generator",
    "get_item",
    "globals_",
    "if_chain",
    "if_exp",
    "if_stmt",
    "in_",
    "is_",
    "is_asked",
    "is_not",
    "is_repeated",
    "is_staged",
    "left",
    "list_",
    "list_comp",
    "listed",
    "match_case",
    "not_",
    "not_in",
    "or_",
    "percent",
    "read",
    "set_",
    "set_comp",
    "settled",
    "slice_",
    "text",
    "to_raise",
    "type_",
    "unpacked",
    "unset",
    "visible",
    "watched",
    "while_stmt",
]
