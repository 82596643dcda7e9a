"""``super()`` looks at its own frame, so that in a function made by the compiler both arguments have to be named."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import FUNCTIONS, outer_parts
from autograph.build import Node, at, name
from autograph.context import Context
from autograph.eligibility import is_builtin
from autograph.walk import children

_ITERATOR = ".0"  # what Python calls the argument of a comprehension


def _argument(first: str) -> Node:
    """The first parameter; of a comprehension an iterator, which is no object of the class, and Python says so."""
    if first != _ITERATOR:
        return name(first)
    method = gast.Attribute(value=gast.Tuple(elts=[], ctx=gast.Load()), attr="__iter__", ctx=gast.Load())
    return gast.Call(func=method, args=[], keywords=[])


def run(tree: Node, context: Context) -> Node:
    """Walk through the functions of the user's, each with its first parameter."""
    waiting: list[tuple[Node, str | None, bool]] = [(tree, None, False)] if "super" in context.taken else []
    while waiting:
        node, first, moved = waiting.pop()
        inside = children(node)
        if isinstance(node, FUNCTIONS):
            waiting += [(part, first, moved) for part in outer_parts(node)]  # defaults and the like
            inside = [node.body] if isinstance(node, gast.Lambda) else node.body
            moved = getattr(node, "is_made", False)
            if not moved:
                positional = [*node.args.posonlyargs, *node.args.args]
                first = positional[0].id if positional else None
            elif getattr(node, "has_frame", False):
                first = _ITERATOR
        elif isinstance(node, gast.Call) and moved and first is not None and is_builtin(node.func, "super"):
            if not node.args and not node.keywords:
                node.args = [at(name("__class__"), node), at(_argument(first), node)]
        waiting += [(child, first, moved) for child in inside]
    return tree
