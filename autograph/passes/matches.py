"""``match`` becomes a function that tells which case it is, and an ``if`` for each case."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import bound, declared, nodes, parameters, walrus_targets
from autograph.build import (
    Node,
    assign,
    at,
    branch,
    call,
    constant,
    declare,
    function,
    name,
    names_tuple,
    on_top,
)
from autograph.context import Context
from autograph.eligibility import functions, reads_frame, waits
from autograph.reasons import Reason
from autograph.walk import children


class Matches:
    """Rewrites the ``match`` statements of one function."""

    def __init__(self, node: Node, context: Context) -> None:
        self.context = context
        self.declared = {
            gast.Global: declared(node.body, gast.Global),
            gast.Nonlocal: declared(node.body, gast.Nonlocal),
        }
        self.parameters = {p.id for p in parameters(node)}
        self.bound: dict[str, None] = {}

    def block(self, statements: list[Node]) -> list[Node]:
        done: list[Node] = []
        for node in statements:
            for part in ("body", "orelse", "finalbody"):
                inner = getattr(node, part, None)
                if isinstance(inner, list) and not isinstance(
                    node, gast.FunctionDef | gast.AsyncFunctionDef | gast.ClassDef
                ):
                    setattr(node, part, self.block(inner))
            for handler in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                handler.body = self.block(handler.body)
            if not isinstance(node, gast.Match):
                done.append(node)
                continue
            reason = _why_it_stays(node)
            self.context.note(node, reason)
            done += self._match(node) if reason is None else [node]
        return done

    def _match(self, node: Node) -> list[Node]:
        """The case is found by Python's own ``match``, in a function that binds the names of its patterns."""
        matched = self.context.fresh("matched")
        names = list(bound([case.pattern for case in node.cases]))
        self.bound.update(dict.fromkeys(names))
        subject = self.context.fresh("subject")
        cases = [
            gast.match_case(pattern=c.pattern, guard=c.guard, body=[at(gast.Return(value=constant(i)), c.body[0])])
            for i, c in enumerate(node.cases)
        ]
        public = [n for n in names if n in self.declared[gast.Global]]
        shared = [n for n in names if n not in public]
        body: list[Node] = [gast.Nonlocal(names=shared)] if shared else []
        body += [gast.Global(names=public)] if public else []
        body += [at(gast.Match(subject=name(subject), cases=cases), node), gast.Return(value=constant(None))]
        select = at(function(self.context.helper("match_case"), (subject,), body), node)
        arguments = [name(select.name), node.subject, *([names_tuple(tuple(names))] if names else [])]
        found = at(assign(matched, call("match_case", *arguments)), node)
        chain: list[Node] = []
        for index, case in reversed(list(enumerate(node.cases))):
            if index == len(node.cases) - 1 and _takes_all(case):
                chain = case.body
                continue
            test = gast.Compare(left=name(matched), ops=[gast.Eq()], comparators=[constant(index)])
            chain = [at(branch(test, case.body, chain), case.pattern)]
        return [select, found, *chain]


def _takes_all(case: Node) -> bool:
    return isinstance(case.pattern, gast.MatchAs) and case.pattern.pattern is None and case.guard is None


def _why_it_stays(node: Node) -> Reason | None:
    """Why the patterns and guards cannot stand in a function of their own, or None."""
    guards = [c.guard for c in node.cases if c.guard is not None]
    if len(node.cases) == 1 and _takes_all(node.cases[0]):
        return Reason.TAKES_ALL
    if waits(parts := [*guards, *(c.pattern for c in node.cases)]):
        return Reason.READS_FRAME if any(reads_frame(n) for n in nodes(parts)) else Reason.WAITS
    if any(True for guard in guards for _ in walrus_targets(gast.Expr(value=guard))):
        return Reason.GUARD_BINDS
    return None


_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def run(tree: Node, context: Context) -> Node:
    if not context.holds(gast.Match) or not any(isinstance(n, gast.Match) for n in _every(tree)):
        return tree
    for node in functions(tree):
        rewriter = Matches(node, context)
        body = rewriter.block(node.body)
        outside = {*rewriter.parameters, *rewriter.declared[gast.Global], *rewriter.declared[gast.Nonlocal]}
        node.body = on_top(body, [declare(n) for n in rewriter.bound if n not in outside])
    context.kinds |= {gast.If, gast.Compare}  # for the passes that follow
    return tree


def _every(tree: Node) -> list[Node]:
    found = [tree]
    for node in found:
        found += children(node)
    return found
