"""Which names a block needs from before it, and which it surely rebinds, by a short recursion over the tree.

Once jumps are lowered the tree holds only structured statements, so a block is summed up by two sets and no
control-flow graph is needed. Where a real jump or an exception may leave a block half-way, fewer names are taken as
surely rebound, which errs towards keeping a variable alive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import gast

from autograph.analysis.symbols import COMPREHENSIONS, SCOPES, bound, outer_parts, reads, walrus_targets
from autograph.build import Node
from autograph.walk import children

_NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Effect:
    """What a statement or block needs from before it (`uses`), and what it surely rebinds (`kills`)."""

    uses: frozenset[str]
    kills: frozenset[str] = _NOTHING

    def before(self, after: frozenset[str]) -> frozenset[str]:
        """The live names before, given those after."""
        return self.uses | (after - self.kills)


class Liveness:
    """Effects of the statements of one tree, each computed once."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Node, Effect]] = {}

    def of(self, statement: Node) -> Effect:
        entry = self._known.get(id(statement))
        if entry is None or entry[0] is not statement:
            entry = self._known[id(statement)] = (statement, self._effect(statement))
        return entry[1]

    def block(self, statements: Sequence[Node]) -> Effect:
        """The effect of statements in a row.

        >>> import gast
        >>> effect = Liveness().block(gast.parse("y = x; z = y").body)
        >>> sorted(effect.uses), sorted(effect.kills)
        (['x'], ['y', 'z'])
        """
        total = Effect(_NOTHING)
        for statement in reversed(statements):
            effect = self.of(statement)
            total = Effect(effect.before(total.uses), effect.kills | total.kills)
        return total

    def _effect(self, node: Node) -> Effect:
        method = getattr(self, f"_{type(node).__name__}", None)
        if method is not None:
            effect: Effect = method(node)
            return effect
        return Effect(frozenset(reads(node)), frozenset(bound(node)) - _perhaps(node))

    def _If(self, node: Node) -> Effect:
        body, orelse = self.block(node.body), self.block(node.orelse)
        uses = frozenset(reads(node.test)) | body.uses | orelse.uses
        return Effect(uses, body.kills & orelse.kills)

    def _While(self, node: Node) -> Effect:
        body, orelse = self.block(node.body), self.block(node.orelse)
        uses = frozenset(reads(node.test)) | body.uses | orelse.uses
        return Effect(uses)

    def _For(self, node: Node) -> Effect:
        body, orelse = self.block(node.body), self.block(node.orelse)
        assigned = frozenset(bound(node.target))
        uses = frozenset(reads([node.iter, node.target])) | (body.uses - assigned) | orelse.uses
        return Effect(uses)

    _AsyncFor = _For

    def _With(self, node: Node) -> Effect:
        """The body may be left by an exception that ends there, but not before the first name is bound.

        >>> import gast
        >>> effect = Liveness().block(gast.parse("with a() as x, b(x) as y: z = x + y").body)
        >>> sorted(effect.uses), sorted(effect.kills)
        (['a', 'b'], ['x'])
        """
        uses = self.block(node.body).uses
        kills = _NOTHING
        for item in reversed(node.items):
            kills = frozenset([item.optional_vars.id]) if isinstance(item.optional_vars, gast.Name) else _NOTHING
            targets = frozenset(reads(item.optional_vars)) if item.optional_vars is not None else _NOTHING
            uses = frozenset(reads(item.context_expr)) | targets | (uses - kills)
        return Effect(uses, kills)

    _AsyncWith = _With

    def _Try(self, node: Node) -> Effect:
        effects = [self.block(block) for block in (node.body, node.orelse, node.finalbody)]
        handlers = [self.block(h.body).uses - frozenset(_handler_name(h)) for h in node.handlers]
        types = [h.type for h in node.handlers if h.type is not None]
        return Effect(_union(frozenset(reads(types)), *(e.uses for e in effects), *handlers))

    _TryStar = _Try

    def behind(self, node: Node, number: int) -> frozenset[str]:
        """What is needed within the ``try`` behind the clause of that number: by its last clause, and by those of an
        ``except*`` that may run after it."""
        later = node.handlers[number + 1 :] if type(node).__name__ == "TryStar" else []
        types = frozenset(reads([h.type for h in later]))
        return _union(types, *(self.block(block).uses for block in (*(h.body for h in later), node.finalbody)))

    def _Match(self, node: Node) -> Effect:
        guards = [c.guard for c in node.cases if c.guard is not None]
        effects = [self.block(c.body) for c in node.cases]
        uses = _union(
            frozenset(reads([node.subject, *(c.pattern for c in node.cases), *guards])), *(e.uses for e in effects)
        )
        return Effect(uses)


def _perhaps(statement: Node) -> set[str]:
    """The names that a statement only binds if an operand is asked for, or declares without binding them."""
    late: list[Node] = []
    sure: set[str] = set()
    waiting = [statement]
    while waiting:
        node = waiting.pop()
        kind = type(node)
        if kind is gast.AnnAssign and node.value is None and isinstance(node.target, gast.Name):
            return {node.target.id}
        if kind is gast.NamedExpr:
            sure.add(node.target.id)
            waiting.append(node.value)
        elif kind in _LATE:
            now, *then = _LATE[kind](node)
            waiting += now if isinstance(now, list) else [now]
            late += then
        elif kind is gast.Name:
            if isinstance(node.ctx, gast.Store):
                sure.add(node.id)
        elif isinstance(node, SCOPES):
            waiting += outer_parts(node)
            late += [node] if isinstance(node, COMPREHENSIONS) else []
        elif kind is not gast.Constant:
            waiting += children(node)
    return {target for node in late for target in walrus_targets(gast.Expr(value=node))} - sure if late else set()


_LATE: dict[type, Callable[[Node], Sequence[Node]]] = {
    gast.IfExp: lambda node: (node.test, node.body, node.orelse),
    gast.BoolOp: lambda node: node.values,
    gast.Compare: lambda node: ([node.left, node.comparators[0]], *node.comparators[1:]),
    gast.Assert: lambda node: (node.test, *([node.msg] if node.msg is not None else ())),
}


def _handler_name(handler: Node) -> list[str]:
    """The name that ``except … as name`` binds."""
    return [] if handler.name is None else [getattr(handler.name, "id", handler.name)]


def _union(*sets: Iterable[str]) -> frozenset[str]:
    return frozenset().union(*sets)
