"""Variables that a branch or a loop may have left unbound are read by a call where a clause would catch that.

What such a variable is passed on to sees nothing amiss in a graph until an operation takes it. Mostly that is soon
enough, and an unbound variable that is never used harms nobody; but ``try: y = x`` with ``except NameError`` asks.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable

import gast

from autograph.analysis.blocks import always_ends, blocks, jumps_away
from autograph.analysis.liveness import Liveness
from autograph.analysis.symbols import COMPREHENSIONS, bound, declared, parameters, variables
from autograph.build import Node, at, call, is_operator_call
from autograph.context import Context
from autograph.eligibility import whole_function
from autograph.walk import children


class Reads:
    """Rewrites the reads of one function; `unsure` are variables of the functions around that may be unbound."""

    def __init__(self, function: Node, unsure: frozenset[str]) -> None:
        self.liveness = Liveness()
        body = function.body
        statements = _statements(body)
        given = {p.id for p in parameters(function)}
        perhaps = {n for s in statements if isinstance(s, _STAGED) for n in bound(s)} - {*declared(body, gast.Global)}
        self.unsure = frozenset(perhaps) | (unsure - variables(function))
        unbound = {n for s in statements if isinstance(s, gast.Delete) for n in bound(s)}
        caught = {h.name.id for s in statements if isinstance(s, _TRIES) for h in s.handlers if h.name is not None}
        self.unbound = frozenset(unbound | caught)  # at some place: they are taken to be so everywhere
        if self.unsure:
            self.block(body, frozenset(given) - self.unbound, False)

    def block(self, statements: list[Node], sure: frozenset[str], caught: bool) -> None:
        """Rewrite what is read; `sure` are the variables that are bound before, `caught` tells whether a clause around
        would catch that another one is not."""
        for node in statements:
            if caught:
                self._read(node, self.unsure - sure)
            inner = sure
            if isinstance(node, gast.For | gast.AsyncFor):
                inner |= frozenset(bound(node.target)) - self.unbound
            guarded = isinstance(node, _WITHS) or (isinstance(node, _TRIES) and _catches(node))
            for block in blocks(node):
                self.block(block, inner, caught or (guarded and block is node.body))
            sure |= self._binds(node)

    def _binds(self, node: Node) -> frozenset[str]:
        """The variables that a statement surely binds where the program goes on behind it."""
        if isinstance(node, gast.If):
            sides = [side for side in (node.body, node.orelse) if not always_ends(side, _ENDS)]
            found = [frozenset[str]().union(*map(self._binds, side)) for side in sides]
            return frozenset.intersection(*found) if found else frozenset()
        return self.liveness.of(node).kills - self.unbound

    def _read(self, node: Node, names: frozenset[str]) -> None:
        """Have the node read these variables by a call wherever it only passes them on."""
        if isinstance(node, gast.Lambda | gast.FunctionDef | gast.AsyncFunctionDef):
            return self._read(node.args, names)  # the defaults
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0]
            first.iter = self._part(first, "iter", first.iter, names)  # it belongs to what stands around
            if isinstance(node, gast.GeneratorExp):
                return None
            names -= frozenset(bound([g.target for g in node.generators]))
        if is_operator_call(node) and node.func.attr == "read":
            return None
        for field in node._fields:
            value = getattr(node, field, None)
            if field in _BLOCKS and isinstance(node, gast.stmt):
                continue
            if isinstance(value, list):
                value[:] = [self._part(node, field, v, names) if isinstance(v, gast.AST) else v for v in value]
            elif isinstance(value, gast.AST):
                setattr(node, field, self._part(node, field, value, names))
        return None

    def _part(self, parent: Node, field: str, node: Node, names: frozenset[str]) -> Node:
        if type(node) is not gast.Name:
            self._read(node, names)
        elif type(node.ctx) is gast.Load and node.id in names and not _uses(parent, field):
            return at(call("read", node), node)
        return node


def _uses(parent: Node, field: str) -> bool:
    """Whether what stands there is used rather than passed on, so that the graph checks it anyway."""
    if isinstance(parent, gast.Compare):
        return not any(isinstance(op, gast.Is | gast.IsNot) for op in parent.ops)
    return (type(parent), field) in _USES


def _statements(body: Iterable[Node]) -> list[Node]:
    """The statements of a function, those within others included."""
    found = list(body)
    for node in found:
        for block in blocks(node):
            found += block
    return found


def _catches(node: Node) -> bool:
    """Whether a clause of a ``try`` may end the exception that a variable is unbound."""
    kinds = [k for h in node.handlers for k in (h.type.elts if isinstance(h.type, gast.Tuple) else [h.type])]
    return jumps_away(node.finalbody) or any(map(_may_be_unbound, kinds))


def _may_be_unbound(kind: Node | None) -> bool:
    """Whether an exception class may be that of an unbound variable; that of another name is not known."""
    known = getattr(builtins, kind.id, None) if isinstance(kind, gast.Name) else None
    return not isinstance(known, type) or issubclass(UnboundLocalError, known)


_TRIES = (gast.Try, gast.TryStar)
_WITHS = (gast.With, gast.AsyncWith)
_STAGED = (gast.If, gast.While, gast.For, gast.Match)
_ENDS = (gast.Return, gast.Raise, gast.Break, gast.Continue)
_BLOCKS = frozenset(("body", "orelse", "finalbody", "handlers", "cases"))
_USES = frozenset(
    [(gast.Call, "func"), (gast.Attribute, "value"), (gast.Subscript, "value"), (gast.Subscript, "slice")]
    + [(gast.BinOp, "left"), (gast.BinOp, "right"), (gast.UnaryOp, "operand"), (gast.Starred, "value")]
    + [(gast.AugAssign, "value"), (gast.FormattedValue, "value")]
    + [(gast.If, "test"), (gast.IfExp, "test"), (gast.While, "test"), (gast.For, "iter"), (gast.comprehension, "iter")]
    + [(gast.comprehension, "ifs")]
    + [(gast.withitem, "context_expr"), (gast.Raise, "exc"), (gast.Match, "subject")]
)


def run(tree: Node, context: Context) -> Node:
    if context.holds(*_TRIES, *_WITHS) and context.holds(*_STAGED):
        _visit(tree, frozenset())
    return tree


def _visit(node: Node, unsure: frozenset[str]) -> None:
    if isinstance(node, gast.FunctionDef | gast.AsyncFunctionDef):
        if whole_function(node) is not None:
            return
        unsure = Reads(node, unsure).unsure
    for child in children(node):
        _visit(child, unsure)
