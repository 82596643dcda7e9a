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

    def _names(self, target: Node) -> list[str]:
        """The names that take an item or its parts. Of several that are one the last has what it takes."""
        names = [_taker(part).id for part in _leaves(target)]
        return [n if n not in names[i + 1 :] else self.context.fresh("unused") for i, n in enumerate(names)]

    def _rewritten(self, node: Node) -> Node:
        """With several ``for`` the inner ones are generators: ``ag__.list_comp(lambda x: ag__.generator(…), xs)``."""
        fits = all(_takes_names(g.target) and not g.is_async for g in node.generators)
        if not fits or not can_stage(node) or waits(node):
            return node
        if any(True for _ in walrus_targets(gast.Expr(value=node))):
            return node
        made, shared = _element(node), self.shared[id(node)]
        if shared and any(_is_taken_apart(g.target) for g in node.generators):
            return node
        names = [self._names(g.target) for g in node.generators]
        for number, (own, part) in reversed(list(enumerate(zip(names, node.generators)))):
            test = test_of(gast.And(), part.ifs) if part.ifs else None
            if part.ifs[1:]:
                self.context.kinds |= {gast.BoolOp}  # it may be the only one
            operator = "generator" if number else _OPERATORS[type(node)]
            keywords = [("nested", constant(True))] if number < len(node.generators) - 1 else []
            if _is_taken_apart(part.target):
                keywords.append(("parts", _parts(part.target)))
            if shared:
                functions = gast.Tuple(elts=[thunk(n) for n in (made, test) if n is not None], ctx=gast.Load())
                every = [] if number else list(dict.fromkeys(n for names_ in names for n in names_))
                arguments = [thunk(functions, every), part.iter]
                one = isinstance(part.target, gast.Name)
                given = [self.context.mangled(n) for n in own]
                keywords.append(("shared", constant(given[0]) if one else names_tuple(tuple(given))))
            else:
                arguments = [thunk(made, own), part.iter]
                arguments += [thunk(test, own)] if test is not None else []
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


def _takes_names(target: Node) -> bool:
    """Whether what takes an item, or its parts, are names, which can be parameters."""
    return all(isinstance(_taker(part), gast.Name) for part in _leaves(target))


def _taker(part: Node) -> Node:
    return part.value if isinstance(part, gast.Starred) else part


def _leaves(target: Node) -> list[Node]:
    return [leaf for part in target.elts for leaf in _leaves(part)] if isinstance(target, gast.Tuple) else [target]


def _is_taken_apart(target: Node) -> bool:
    """Whether the number of names does not tell how an item is taken apart."""
    if not isinstance(target, gast.Tuple):
        return False
    return len(target.elts) == 1 or any(isinstance(part, gast.Tuple | gast.Starred) for part in target.elts)


def _parts(target: Node) -> Node:
    """The names of a target as it nests them, what takes the rest with a star: ``('i', ('a', '*b'))``."""
    if isinstance(target, gast.Tuple):
        return gast.Tuple(elts=[_parts(part) for part in target.elts], ctx=gast.Load())
    return constant(f"*{target.value.id}" if isinstance(target, gast.Starred) else target.id)


def run(tree: Node, context: Context) -> Node:
    return Comprehensions(context).visit(tree) if context.holds(*_OPERATORS) else tree
