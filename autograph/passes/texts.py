"""Text that may hold staged values is put together by calls, so that the graph can do it when the values are known."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import COMPREHENSIONS
from autograph.build import Node, call, constant
from autograph.context import Context
from autograph.eligibility import can_stage, waits
from autograph.passes.rewriting import Rewriter

_CONVERSIONS = {-1: "", 115: "!s", 114: "!r", 97: "!a"}


class Texts(Rewriter):
    in_classes = True
    makes_functions = False

    def rewrite_JoinedStr(self, node: Node) -> Node:
        """``f'{x:.2f} m'`` becomes ``ag__.text('{:.2f} m', x)``."""
        if not _may_hold(node) or waits(node):
            return node
        values: list[Node] = []
        template = _template(node, values)
        return node if template is None else call("text", constant(template), *values)

    def rewrite_BinOp(self, node: Node) -> Node:
        """``'%d m' % x`` becomes ``ag__.percent('%d m', x)``."""
        if isinstance(node.op, gast.Mod) and isinstance(node.left, gast.Constant) and isinstance(node.left.value, str):
            return call("percent", node.left, node.right)
        return node


def _may_hold(node: Node) -> bool:
    """Whether the text of a value may have a staged one in it."""
    if isinstance(node, gast.JoinedStr):
        values = [v for v in node.values if isinstance(v, gast.FormattedValue)]
        return any(_may_hold(part) for v in values for part in (v.value, v.format_spec) if part is not None)
    if isinstance(node, gast.List | gast.Tuple | gast.Set):
        return any(map(_may_hold, node.elts))
    if isinstance(node, gast.Dict):
        return any(part is not None and _may_hold(part) for part in [*node.keys, *node.values])
    if isinstance(node, gast.Starred):
        return _may_hold(node.value)
    return isinstance(node, (gast.Compare, *COMPREHENSIONS)) or can_stage(node)


def _template(node: Node, values: list[Node]) -> str | None:
    """The text of an f-string as one for ``str.format``, which takes the values in the same order."""
    parts = []
    for part in node.values:
        if isinstance(part, gast.Constant):
            parts.append(part.value.replace("{", "{{").replace("}", "}}"))
            continue
        values.append(part.value)
        specification = ""
        if part.format_spec is not None:
            inner = part.format_spec
            if not isinstance(inner, gast.JoinedStr):
                return None
            if any(isinstance(p, gast.Constant) and ("{" in p.value or "}" in p.value) for p in inner.values):
                return None
            nested = _template(inner, values)
            if nested is None:
                return None
            specification = f":{nested}"
        parts.append("{" + _CONVERSIONS[part.conversion] + specification + "}")
    return "".join(parts)


def run(tree: Node, context: Context) -> Node:
    return Texts(context).visit(tree) if context.holds(gast.JoinedStr, gast.Mod, gast.BinOp) else tree
