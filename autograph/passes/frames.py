"""What reads its own frame (``locals()``, ``eval(text)`` …) stays in it, and sees the user's variables alone."""

from __future__ import annotations

import gast

from autograph.build import Node, call, name
from autograph.context import Context
from autograph.passes.rewriting import Rewriter


class Frames(Rewriter):
    def rewrite_Call(self, node: Node) -> Node:
        """``locals()`` becomes ``ag__.visible(locals(), generated)``, less the names that this compiler made;
        ``eval(text)`` and ``exec(text)`` are given the variables that they would have found.

        What reads the frame is marked, so that it stays in that frame.
        """
        if self._asks_the_stack(node.func):
            node.reads_frame = True
        reader = getattr(node.func, "id", "")
        if reader not in _SHOWN | _RUN or self._is_variable(reader):
            return node
        known = not any(isinstance(a, gast.Starred) for a in node.args) and all(k.arg for k in node.keywords)
        if known and len(node.args) + len(node.keywords) > (reader in _RUN):
            return node  # of something else, or with variables given
        node.reads_frame = True
        if not known or node.keywords or self._is_variable("locals"):
            return node
        if reader in _SHOWN:
            return self._visible("listed" if reader == "dir" else "visible")
        if node.args and not self._is_variable("globals"):
            module = gast.Call(func=name("globals"), args=[], keywords=[])
            given = gast.Call(func=node.func, args=[*node.args, module, self._visible()], keywords=[])
            given.reads_frame = True
            return given
        return node

    def _is_variable(self, reader: str) -> bool:
        return reader in self.context.shadowed or reader in self.context.defined

    def _asks_the_stack(self, function: Node) -> bool:
        holder = getattr(function, "value", function)
        module = self.context.modules.get(getattr(holder, "id", ""), "")
        if getattr(holder, "id", "") in self.context.shadowed:
            return False
        return getattr(function, "attr", getattr(function, "id", "")) in _STACKS.get(module.partition(".")[0], ())

    def _visible(self, operator: str = "visible") -> Node:
        here = gast.Call(func=name("locals"), args=[], keywords=[])
        made = call(operator, here, self.context.generated)
        made.reads_frame = True
        return made


_SHOWN = frozenset(("locals", "vars", "dir"))
_RUN = frozenset(("eval", "exec"))
_STACKS = {"sys": ("_getframe", "_getframemodulename"), "inspect": ("currentframe", "stack")}
_READERS = _SHOWN | _RUN | {"sys", "inspect", *(reader for readers in _STACKS.values() for reader in readers)}


def run(tree: Node, context: Context) -> Node:
    return tree if context.taken.isdisjoint(_READERS) else Frames(context).visit(tree)
