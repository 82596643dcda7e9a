"""List comprehensions and generator expressions become calls where their items may be staged, or their conditions."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import walrus_targets
from autograph.build import Node, call, constant, no_arguments
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
        """With several ``for`` the inner ones are generators: ``ag__.list_comp(lambda x: ag__.generator(…), xs)``."""
        names = [_names(g.target) for g in node.generators]
        if not can_stage(node) or any(n is None or g.is_async for n, g in zip(names, node.generators)) or waits(node):
            return node
        if any(True for _ in walrus_targets(gast.Expr(value=node))):
            return node
        made = node.elt
        for number, (own, part) in reversed(list(enumerate(zip(names, node.generators)))):
            arguments = [_function(own or [], made), part.iter]
            if part.ifs:
                test = part.ifs[0] if len(part.ifs) == 1 else gast.BoolOp(op=gast.And(), values=part.ifs)
                arguments.append(_function(own or [], test))
            operator = "generator" if number else _OPERATORS[type(node)]
            nested = number < len(node.generators) - 1
            made = call(operator, *arguments, keywords=(("nested", constant(True)),) if nested else ())
        return made


def _names(target: Node) -> list[str] | None:
    """The names that take an item or its parts, which become parameters; None if they cannot."""
    targets = target.elts if isinstance(target, gast.Tuple) else [target]
    if not all(isinstance(t, gast.Name) for t in targets):
        return None
    names = [t.id for t in targets]
    single = isinstance(target, gast.Tuple) and len(names) == 1
    return None if single or len(set(names)) < len(names) else names


def _function(parameters: list[str], body: Node) -> Node:
    arguments = no_arguments()
    arguments.args = [gast.Name(id=p, ctx=gast.Param(), annotation=None, type_comment=None) for p in parameters]
    return gast.Lambda(args=arguments, body=body)


def run(tree: Node, context: Context) -> Node:
    return Comprehensions(context).visit(tree) if context.holds(*_OPERATORS) else tree
