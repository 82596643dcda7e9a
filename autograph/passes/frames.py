"""What reads its own frame (``locals()``, ``eval(text)`` …) sees the user's variables and no others."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import bound_inside
from autograph.build import Node, call, name
from autograph.context import Context
from autograph.passes.rewriting import Rewriter


class Frames(Rewriter):
    def __init__(self, context: Context, shadowed: set[str]) -> None:
        super().__init__(context)
        self.shadowed = shadowed

    def rewrite_Call(self, node: Node) -> Node:
        """``locals()`` becomes ``ag__.visible(locals(), generated)``, less the names that this compiler made;
        ``eval(text)`` and ``exec(text)`` are given the variables that they would have found."""
        reader = getattr(node.func, "id", "")
        if (
            reader in self.shadowed
            or reader in self.context.defined
            or node.keywords
            or any(isinstance(a, gast.Starred) for a in node.args)
        ):
            return node
        if reader in _SHOWN and not node.args:
            seen = self._visible()
            return gast.Call(func=name("sorted"), args=[seen], keywords=[]) if reader == "dir" else seen
        if reader in _RUN and len(node.args) == 1:
            module = gast.Call(func=name("globals"), args=[], keywords=[])
            return gast.Call(func=node.func, args=[*node.args, module, self._visible()], keywords=[])
        return node

    def _visible(self) -> Node:
        here = gast.Call(func=name("locals"), args=[], keywords=[])
        return call("visible", here, self.context.generated)


_SHOWN = frozenset(("locals", "vars", "dir"))
_RUN = frozenset(("eval", "exec"))


def run(tree: Node, context: Context) -> Node:
    if context.taken.isdisjoint(_SHOWN | _RUN):
        return tree
    return Frames(context, bound_inside(tree)).visit(tree)
