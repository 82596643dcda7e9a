"""List comprehensions and generator expressions become calls where their items may be staged, or their conditions."""

from __future__ import annotations

import sys

import gast

from autograph.analysis.symbols import COMPREHENSIONS, SCOPES, bound, comprehension_parts, free, nodes, walrus_targets
from autograph.build import Node, call, constant, is_operator_call, names_tuple, test_of, thunk
from autograph.context import Context
from autograph.eligibility import can_stage, waits
from autograph.passes.rewriting import Rewriter

_OPERATORS = {
    gast.ListComp: "list_comp", gast.SetComp: "set_comp", gast.DictComp: "dict_comp", gast.GeneratorExp: "generator",
}  # fmt: skip
_MAKERS = ("list_", "set_", "dict_")


class Comprehensions(Rewriter):
    in_classes = True

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.shared: dict[int, bool] = {}

    def visit(self, node: Node) -> Node:
        if isinstance(node, COMPREHENSIONS):  # as it is written, before anything in it is rewritten
            self.shared[id(node)] = self._shares(node)
        return super().visit(node)

    def _shares(self, node: Node) -> bool:
        """Whether something made by a comprehension may look at its variables later, once they are the last item's."""
        targets = {n for g in node.generators for n in bound(g.target)}
        inner = [_element(node), *(c for g in node.generators for c in g.ifs), *(g.iter for g in node.generators[1:])]
        return not targets.isdisjoint(self._kept(inner))

    def _kept(self, code: list[Node]) -> set[str]:
        """The names that functions and generators made by the code may use once it has run."""
        used_up = {id(a) for n in nodes(code) if isinstance(n, gast.Call) and self._uses_up(n) for a in n.args}
        names: set[str] = set()
        for node in nodes(code):
            if isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp) or id(node) in used_up:
                if isinstance(node, COMPREHENSIONS):
                    names |= self._kept(comprehension_parts(node)) - {
                        n for g in node.generators for n in bound(g.target)
                    }
            elif isinstance(node, SCOPES):
                names |= free(node)
        return names

    def _uses_up(self, node: Node) -> bool:
        """Whether a call surely goes through a generator at once."""
        name = getattr(node.func, "id", "")
        return name in _USES_UP and name not in self.context.shadowed and name not in self.context.defined

    def rewrite_ListComp(self, node: Node) -> Node:
        """``[f(x) for x in xs if x > 0]`` becomes ``ag__.list_comp(lambda x: f(x), xs, lambda x: x > 0)``."""
        return self._rewritten(node)

    def rewrite_SetComp(self, node: Node) -> Node:
        """``{f(x) for x in xs}`` becomes ``ag__.set_comp(lambda x: f(x), xs)``."""
        return self._rewritten(node)

    def rewrite_DictComp(self, node: Node) -> Node:
        """``{x: f(x) for x in xs}`` becomes ``ag__.dict_comp(lambda x: (x, f(x)), xs)``."""
        return self._rewritten(node)

    def rewrite_Call(self, node: Node) -> Node:
        """The list of ``ag__.list_(ag__.list_comp(…))`` is one that can grow as it is; so are the others."""
        if is_operator_call(node) and node.func.attr in _MAKERS:
            (made,) = node.args
            return made if is_operator_call(made) and made.func.attr == f"{node.func.attr}comp" else node
        return node

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
        made, shared = _element(node), self.shared[id(node)]
        for number, (own, part) in reversed(list(enumerate(zip(names, node.generators)))):
            test = test_of(gast.And(), part.ifs) if part.ifs else None
            if part.ifs[1:] and self.context.kinds:
                self.context.kinds |= {gast.BoolOp}  # it may be the only one
            operator = "generator" if number else _OPERATORS[type(node)]
            keywords = [("nested", constant(True))] if number < len(node.generators) - 1 else []
            if _holds_tuples(part.target):
                if shared:
                    return node
                keywords.append(("parts", _parts(part.target)))
            if shared:
                functions = gast.Tuple(elts=[thunk(n) for n in (made, test) if n is not None], ctx=gast.Load())
                every = [] if number else list(dict.fromkeys(n for names_ in names for n in names_ or []))
                arguments = [thunk(functions, every), part.iter]
                one = isinstance(part.target, gast.Name)
                given = [self.context.mangled(n) for n in own or []]
                keywords.append(("shared", constant(given[0]) if one else names_tuple(tuple(given))))
            else:
                arguments = [thunk(made, own or []), part.iter]
                arguments += [thunk(test, own or [])] if test is not None else []
            if isinstance(node, gast.GeneratorExp) or sys.version_info < (3, 12):
                for function in (arguments[0], *arguments[2:]):
                    function.has_frame = True  # the comprehension is a function whose argument is the iterator
            made = call(operator, *arguments, keywords=tuple(keywords))
        return made


_USES_UP = frozenset("sum any all min max list tuple set frozenset sorted dict".split())


def _element(node: Node) -> Node:
    """What a comprehension makes of an item; for a dictionary a key and its value."""
    if isinstance(node, gast.DictComp):
        return gast.Tuple(elts=[node.key, node.value], ctx=gast.Load())
    return node.elt


def _names(target: Node) -> list[str] | None:
    """The names that take an item or its parts, which become parameters; None if they cannot."""
    names: list[str] = []
    for part in _leaves(target):
        if not isinstance(part, gast.Name):
            return None
        names.append(part.id)
    single = isinstance(target, gast.Tuple) and len(target.elts) == 1
    return None if single or len(set(names)) < len(names) else names


def _leaves(target: Node) -> list[Node]:
    return [leaf for part in target.elts for leaf in _leaves(part)] if isinstance(target, gast.Tuple) else [target]


def _holds_tuples(target: Node) -> bool:
    return isinstance(target, gast.Tuple) and any(isinstance(part, gast.Tuple) for part in target.elts)


def _parts(target: Node) -> Node:
    """The names of a target as it nests them: ``('i', ('a', 'b'))``."""
    if isinstance(target, gast.Tuple):
        return gast.Tuple(elts=[_parts(part) for part in target.elts], ctx=gast.Load())
    return constant(target.id)


def run(tree: Node, context: Context) -> Node:
    return Comprehensions(context).visit(tree) if context.holds(*_OPERATORS) else tree
