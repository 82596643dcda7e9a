"""List comprehensions and generator expressions become calls where their items may be staged, or their conditions."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, call, no_arguments
from autograph.context import Context
from autograph.fence import can_stage, waits
from autograph.passes.rewriting import Rewriter

_OPERATORS = {gast.ListComp: "list_comp", gast.GeneratorExp: "generator"}


class Comprehensions(Rewriter):
    def rewrite_ListComp(self, node: Node) -> Node:
        """``[f(x) for x in xs if x > 0]`` becomes ``ag__.list_comp(lambda x: f(x), xs, lambda x: x > 0)``."""
        return self._rewritten(node)

    def rewrite_GeneratorExp(self, node: Node) -> Node:
        """``(f(x) for x in xs)`` becomes ``ag__.generator(lambda x: f(x), xs)``."""
        return self._rewritten(node)

    def _rewritten(self, node: Node) -> Node:
        first = node.generators[0]
        if len(node.generators) > 1 or first.is_async or not can_stage(node):
            return node
        targets = first.target.elts if isinstance(first.target, gast.Tuple) else [first.target]
        if not all(isinstance(target, gast.Name) for target in targets) or waits(node):
            return node
        if any(True for _ in walrus_targets(gast.Expr(value=node))):
            return node
        names = [target.id for target in targets]
        if len(set(names)) < len(names) or (isinstance(first.target, gast.Tuple) and len(names) == 1):
            return node
        arguments = [_function(names, node.elt), first.iter]
        if first.ifs:
            test = first.ifs[0] if len(first.ifs) == 1 else gast.BoolOp(op=gast.And(), values=first.ifs)
            arguments.append(_function(names, test))
        return call(_OPERATORS[type(node)], *arguments)


def _function(parameters: list[str], body: Node) -> Node:
    arguments = no_arguments()
    arguments.args = [gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None) for p in parameters]
    return gast.Lambda(args=arguments, body=body)


def run(tree: Node, context: Context) -> Node:
    return Comprehensions(context).visit(tree) if context.holds(*_OPERATORS) else tree
