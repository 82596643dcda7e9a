"""``break``, ``continue`` and ``return`` inside statements that will become functions turn into flags and guards.

The result is still a plain Python program with the same meaning. Where a jump can be had by moving what follows into
the other branch, no flag is made; a ``return`` that ends up last in the function stays a ``return``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import gast

from autograph.analysis.blocks import always_ends, blocks, is_endless, jumps_away
from autograph.analysis.symbols import bound, declared, nodes, parameters
from autograph.build import (
    Node,
    any_of,
    assign,
    at,
    branch,
    call,
    constant,
    declare,
    function,
    name,
    negation,
    on_top,
    operator,
    unannotated,
)  # fmt: skip
from autograph.context import Context
from autograph.eligibility import STATEMENTS, WAITS, functions, keeps_branch, keeps_loop, waits

_LOOPS = (gast.While, gast.For)
_JUMPS = (gast.Return, gast.Break, gast.Continue, gast.Raise)
_DEEPEST = 8  # then what follows a jump stands in guards one after the other, not in one another


@dataclass
class _Loop:
    """The loop that owns the jumps of a block; `flags` are the ones that its jumps were turned into."""

    kept: bool
    flags: dict[str, str] = field(default_factory=dict)
    guarded: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class _Place:
    """Where a block stands: whether its end is the end of the function, whether a function will be made around it, and
    how many branches took what follows them into themselves."""

    tail: bool
    inside: bool
    loop: _Loop | None = None
    depth: int = 0


def _yields(node: Node) -> bool:
    return isinstance(node, gast.Yield | gast.YieldFrom)


class Jumps:
    """Lowers the jumps of one function."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.returned: str | None = None
        self.value: str | None = None
        self.dropped: list[Node] = []  # statements behind a jump
        self.globals: dict[str, None] = {}
        self.declared: dict[str, None] = {}  # variables that a clause which became a function shares

    def function(self, function_node: Node) -> list[Node]:
        body = function_node.body
        self.globals = declared(body, gast.Global)
        elsewhere = declared_outside(body)
        outside = {*elsewhere, *(p.id for p in parameters(function_node))}
        self._cut(body)
        lowered, _ = self.block(body, _Place(tail=True, inside=False))
        # What stood behind a jump is gone, but the names that it bound are local all the same.
        gone = bound(self.dropped).keys() - elsewhere if self.dropped else set()
        gone |= self.declared.keys() - outside
        top = [declare(n) for n in sorted(gone - bound(lowered).keys())] if gone else []
        if self.returned is not None and self.value is not None:
            top += [assign(self.returned, constant(False)), assign(self.value, operator("unset"))]
        for kind in (gast.Global, gast.Nonlocal):  # they hold for the whole function
            names = [n for n in declared(self.dropped, kind) if n not in declared(lowered, kind)]
            top += [kind(names=names)] if names else []
        if any(map(_yields, nodes(self.dropped))) and not any(map(_yields, nodes(lowered))):
            # Nothing is left that makes the function a generator.
            top.append(branch(constant(False), [gast.Expr(value=gast.Yield(value=None))]))
        return on_top(lowered, top)

    def _cut(self, block: list[Node]) -> None:
        """Leave out what is never reached, before anything is decided by what it holds."""
        for index, node in enumerate(block):
            for inner in blocks(node):
                self._cut(inner)
            if always_ends([node], _JUMPS):
                self.dropped += block[index + 1 :]
                del block[index + 1 :]
                return

    def block(self, statements: Sequence[Node], place: _Place) -> tuple[list[Node], set[str]]:
        """Lower statements in a row; also tell which kinds of jump may have set their flag by the end."""
        done: list[Node] = []
        for index, node in enumerate(statements):
            rest = list(statements[index + 1 :])
            if (flags := self._jump(node, place)) is not None:
                self.dropped += rest
                return [*done, *flags[0]], flags[1]
            if isinstance(node, gast.If) and not _may_jump(node):
                done.append(node)
                continue
            if isinstance(node, gast.If) and self._escapes(node, place):
                if place.depth >= _DEEPEST and rest and not isinstance(rest[0], gast.If):
                    more_done, kinds = self._flat([node, *rest], set(), place)
                    return done + more_done, kinds
                lowered, kinds, rest = self._branch(node, rest, place)
            elif isinstance(node, _LOOPS):
                lowered, kinds, rest = self._loop(node, rest, place)
            else:
                lowered, kinds = self._compound(node, place, bool(rest))
            done += lowered
            if "return" in kinds and place.loop is not None and place.loop.kept and not place.inside:
                returned, value = self._return_names()  # out of a loop that stays, a real return is the only way
                done.append(at(branch(name(returned), [gast.Return(value=name(value))]), node))
                kinds = kinds - {"return"}
            if kinds:
                guarded, kinds = self._guard(node, rest, kinds, place)
                return done + guarded, kinds
            if rest[:1] != list(statements[index + 1 : index + 2]):  # an else clause joined what follows
                more_done, kinds = self.block(rest, place)
                return done + more_done, kinds
        return done, set()

    def _jump(self, node: Node, place: _Place) -> tuple[list[Node], set[str]] | None:
        """The flags that a jump turns into, or None where the statement is no jump or stays as it is."""
        if isinstance(node, gast.Return):
            if place.tail or not place.inside:
                return [node], set()
            returned, value = self._return_names()
            keep = [assign(value, node.value if node.value is not None else constant(None))]
            flags = [at(statement, node) for statement in [*keep, assign(returned, constant(True))]]
            if place.loop is not None:
                place.loop.flags["return"] = returned
            return flags, {"return"}
        if isinstance(node, gast.Break | gast.Continue) and place.loop is not None and not place.loop.kept:
            kind = "break" if isinstance(node, gast.Break) else "continue"
            if kind not in place.loop.flags:
                place.loop.flags[kind] = self.context.fresh("did_break" if kind == "break" else "did_continue")
            return [at(assign(place.loop.flags[kind], constant(True)), node)], {kind}
        return None

    def _return_names(self) -> tuple[str, str]:
        if self.returned is None or self.value is None:
            self.returned, self.value = self.context.fresh("did_return"), self.context.fresh("return_value")
            self.context.returns |= {self.returned: False, self.value: True}
        return self.returned, self.value

    def _branch(self, node: Node, rest: list[Node], place: _Place) -> tuple[list[Node], set[str], list[Node]]:
        """An ``if`` with jumps takes what follows it into the branch that does not jump."""
        body, orelse = list(node.body), list(node.orelse)
        if not rest:
            tail = place.tail
        elif always_ends(body, _JUMPS):
            orelse, rest, tail = orelse + rest, [], place.tail
        elif always_ends(orelse, _JUMPS):
            body, rest, tail = body + rest, [], place.tail
        else:
            tail = False
        waiting = self.context.holds(*WAITS) and waits([*body, *orelse])
        inside = place.inside or (not waiting and keeps_branch(node) is None)
        chain = len(orelse) > 0 and isinstance(orelse[0], gast.If)
        new_body, kinds = self.block(body, _Place(tail, inside, place.loop, place.depth + 1))
        new_orelse, more = self.block(orelse, _Place(tail, inside, place.loop, place.depth + (not chain)))
        return [at(branch(node.test, new_body, new_orelse), node)], kinds | more, rest

    def _loop(self, node: Node, rest: list[Node], place: _Place) -> tuple[list[Node], set[str], list[Node]]:
        """A loop that will become a function ends by its flags; its else clause joins what follows."""
        returns = any(isinstance(n, gast.Return) for n in nodes(node.body))
        kept = keeps_loop(node) is not None and not (returns and place.inside)
        loop = _Loop(kept)
        body, kinds = self.block(node.body, _Place(False, place.inside or not kept, loop))
        outer = kinds & {"return"}
        if outer and place.loop is not None:
            place.loop.flags["return"] = self._return_names()[0]
        if kept:
            orelse, more = self.block(node.orelse, _Place(False, place.inside, place.loop))
            node.body, node.orelse = body, orelse
            return [node], outer | more, rest
        body = _without_unread(body, loop)
        skip = loop.flags.get("continue")
        if skip is not None and skip in loop.guarded:
            body = [at(assign(skip, constant(False)), node.body[0]), *body]
        exits = [loop.flags[kind] for kind in ("break", "return") if kind in loop.flags]
        always = is_endless(node)
        before = [at(assign(loop.flags["break"], constant(False)), node)] if "break" in loop.flags else []
        if exits and isinstance(node, gast.While):
            go_on = negation(any_of(exits))
            test = go_on if always else gast.BoolOp(op=gast.And(), values=[go_on, node.test])
            new = gast.While(test=test, body=body, orelse=[])
        elif isinstance(node, gast.While):
            new = gast.While(test=node.test, body=body, orelse=[])
        else:
            stop = [branch(any_of(exits), [gast.Break()])] if exits else []
            new = gast.For(target=node.target, iter=node.iter, body=body + stop, orelse=[], type_comment=None)
        if always and exits and "break" not in loop.flags:  # only a return ends it
            rest = [at(gast.Return(value=name(self._return_names()[1])), node)] if place.tail else []
            outer -= {"return"} if place.tail else set()
        elif node.orelse and "break" in loop.flags:
            rest = [at(branch(negation(name(loop.flags["break"])), node.orelse), node.orelse[0]), *rest]
        else:
            rest = [*node.orelse, *rest]
        return [*before, at(new, node)], outer, rest

    def _compound(self, node: Node, place: _Place, followed: bool) -> tuple[list[Node], set[str]]:
        """Statements that stay: lower within their blocks; an else clause of ``try`` runs only if no flag was set."""
        last = place.tail and not followed
        kinds: set[str] = set()

        def within(block: list[Node], tail: bool) -> list[Node]:
            lowered, more = self.block(block, _Place(tail, place.inside, place.loop))
            kinds.update(more)
            return lowered

        if isinstance(node, gast.If):  # its jumps stay
            node.body, node.orelse = within(node.body, last), within(node.orelse, last)
        elif isinstance(node, gast.With | gast.AsyncWith):
            late = _may_fail_after_a_jump(node.body)
            node.body = within(node.body, last)
            if late and kinds:
                return self._with(node, place, kinds), kinds
        elif isinstance(node, gast.AsyncFor):
            inner = _Loop(kept=True)
            node.body, more = self.block(node.body, _Place(False, place.inside, inner))
            node.orelse = within(node.orelse, False)
            kinds.update(more & {"return"})
        elif isinstance(node, gast.Match):
            for case in node.cases:
                case.body = within(case.body, last)
        elif isinstance(node, gast.Try) or type(node).__name__ == "TryStar":
            if jumps_away(node.finalbody) and _may_be_left_by_flags(node, place):
                return self._overriding(node, place)
            self._try(node, place, last, kinds)
        return [node], kinds

    def _overriding(self, node: Node, place: _Place) -> tuple[list[Node], set[str]]:
        """A ``finally`` clause that jumps becomes a function, which tells whether it has jumped: that undoes any jump
        before it, and any exception."""
        inside = _Place(False, True, place.loop)
        kinds: set[str] = set()
        if node.handlers:
            tried = type(node)(body=node.body, handlers=node.handlers, orelse=node.orelse, finalbody=[])
            self._try(at(tried, node), inside, False, kinds)
            body = [tried]
        else:
            body, kinds = self.block(node.body, inside)
        final, own = Jumps(self.context), _Place(False, True, _Loop(kept=False))
        final.globals, final.declared = self.globals, self.declared
        lowered, made = final.block(node.finalbody, own)
        self.dropped += final.dropped
        flags = {kind: final._flag(kind, own) for kind in ("return", "break", "continue") if kind in made}
        before = [assign(flag, constant(False)) for flag in flags.values()]
        before += [assign(final.value, operator("unset"))] if final.value is not None else []
        left = any_of([*flags.values()]) if flags else constant(False)  # a jump behind another is gone
        ends = at(gast.Return(value=left), node.finalbody[-1])
        names = list(bound([*lowered, *before]))
        public = [n for n in names if n in self.globals]
        shared = [n for n in names if n not in self.globals]
        self.declared.update(dict.fromkeys(shared))
        declarations = [gast.Nonlocal(names=shared)] if shared else []
        declarations += [gast.Global(names=public)] if public else []
        lowered = [unannotated(s, {*shared, *public}) for s in lowered]
        clause = function(self.context.helper("finally_body"), (), [*declarations, *lowered, ends])
        chain: list[Node] = []
        for kind in ("continue", "break", "return"):
            if kind in flags:
                undone = [assign(self._flag(k, place), constant(False)) for k in sorted(kinds - {kind})]
                jump = gast.Break() if kind == "break" else gast.Continue()
                jump = gast.Return(value=name(final.value)) if final.value and kind == "return" else jump
                chain = [branch(name(flags[kind]), [*undone, jump], chain)]
        after, more = self.block([at(statement, node) for statement in chain], inside)
        item = gast.withitem(context_expr=call("finally_", name(clause.name)), optional_vars=None)
        tried = gast.With(items=[item], body=body, type_comment=None)
        done = [*(at(s, node) for s in before), at(clause, node.finalbody[0]), at(tried, node)]
        return [*done, *after], kinds | more

    def _with(self, node: Node, place: _Place, kinds: set[str]) -> list[Node]:
        """Where leaving an inner statement fails, and this one swallows the exception, no jump has been made."""
        ended = self.context.fresh("did_end")
        undone = [assign(self._flag(kind, place), constant(False)) for kind in sorted(kinds)]
        node.body = [*node.body, at(assign(ended, constant(True)), node)]
        before = at(assign(ended, constant(False)), node)
        return [before, node, at(branch(negation(name(ended)), undone), node)]

    def _try(self, node: Node, place: _Place, last: bool, kinds: set[str]) -> None:
        """The else clause runs only if no flag was set; a handler runs instead of the jump that an exception undid."""
        inner = _Place(last and not node.orelse, place.inside, place.loop)
        node.body, jumped = self.block(node.body, inner)
        clear = self._clear(jumped, place) if jumped and node.orelse else None
        guarded = _Place(last and not jumped, place.inside or bool(jumped), place.loop)
        node.orelse, more = self.block(node.orelse, guarded)
        if clear is not None:
            node.orelse = [at(branch(clear, node.orelse), node)]
        kinds |= jumped | more
        for handler in node.handlers:
            handler.body, more = self.block(handler.body, _Place(last, place.inside, place.loop))
            undone = [at(assign(self._flag(kind, place), constant(False)), handler) for kind in sorted(jumped)]
            handler.body = [*undone, *handler.body]
            kinds |= more
        if not jumps_away(node.finalbody):  # a jump there undoes an exception, which no flag can
            node.finalbody, more = self.block(node.finalbody, _Place(False, place.inside, place.loop))
            kinds |= more

    def _flag(self, kind: str, place: _Place) -> str:
        return self._return_names()[0] if kind == "return" else place.loop.flags[kind]  # type: ignore[union-attr]

    def _guard(self, node: Node, rest: list[Node], kinds: set[str], place: _Place) -> tuple[list[Node], set[str]]:
        """What follows a statement that may have jumped runs only if it did not; also which kinds of jump are still to
        be told of."""
        if place.tail and kinds == {"return"}:
            returned, value = self._return_names()
            found = [gast.Return(value=name(value))]
            if not rest:
                return [at(branch(name(returned), found), node)], set()
            if place.depth >= _DEEPEST:
                return self._flat(rest, kinds, place)
            lowered, more = self.block(rest, _Place(True, True, place.loop, place.depth + 1))
            return [at(branch(name(returned), found, lowered), node)], more
        if not rest:
            return [], kinds
        if place.depth >= _DEEPEST:
            return self._flat(rest, kinds, place)
        lowered, more = self.block(rest, _Place(False, True, place.loop, place.depth + 1))
        return [at(branch(self._clear(kinds, place), lowered), rest[0])], kinds | more

    def _flat(self, statements: Sequence[Node], kinds: set[str], place: _Place) -> tuple[list[Node], set[str]]:
        """Statements in a row, each under a guard of its own behind one that may have set a flag (or behind those that
        set `kinds`): so code nests no deeper for many jumps one after the other."""
        done: list[Node] = []
        kinds = set(kinds)
        waiting: list[Node] = []
        inner = _Place(False, True, place.loop)

        def flush() -> None:
            done.extend([at(branch(self._clear(kinds, place), waiting[:]), waiting[0])] if kinds else waiting)
            waiting.clear()

        for node in statements:
            lowered, more = self.block([node], inner)
            waiting += lowered
            if more and waiting:
                flush()
            kinds |= more
        if waiting:
            flush()
        if place.tail and "return" in kinds:
            returned, value = self._return_names()
            done.append(at(branch(name(returned), [gast.Return(value=name(value))]), statements[-1]))
            kinds.discard("return")
        return done, kinds

    def _clear(self, kinds: set[str], place: _Place) -> Node:
        """``not (did_break or did_return)``."""
        flags = []
        for kind in ("break", "continue", "return"):
            if kind in kinds:
                flag = self._flag(kind, place)
                flags.append(flag)
                if place.loop is not None:
                    place.loop.guarded.add(flag)
        return negation(any_of(flags))

    def _escapes(self, node: Node, place: _Place, inside: bool | None = None) -> bool:
        """Whether a jump in the ``if`` leaves a statement that will become a function."""
        inside = place.inside if inside is None else inside
        if isinstance(node, gast.Return):
            return inside
        if isinstance(node, gast.Break | gast.Continue):
            return place.loop is not None and not place.loop.kept
        if isinstance(node, gast.If):
            jumps_stay = place.loop is not None and place.loop.kept and not place.inside
            inner = inside or (keeps_branch(node) is None and not jumps_stay)
            return any(self._escapes(child, place, inner) for child in [*node.body, *node.orelse])
        if isinstance(node, _LOOPS):
            inner = inside or keeps_loop(node) is None
            returns = inner and any(isinstance(n, gast.Return) for n in nodes(node.body))
            return returns or any(self._escapes(child, place, inside) for child in node.orelse)
        return any(self._escapes(child, place, inside) for block in blocks(node) for child in block)


def _may_be_left_by_flags(node: Node, place: _Place) -> bool:
    """Whether a ``try`` whose last clause jumps can be converted, and there is reason to."""
    if (place.loop is not None and place.loop.kept) or waits(node.finalbody):
        return False
    if any(map(_jumps_for_good, nodes([*node.body, *node.handlers, *node.orelse]))):
        return False
    return place.inside or any(isinstance(n, STATEMENTS) for n in nodes([*node.body, *node.finalbody]))


def _jumps_for_good(node: Node) -> bool:
    """Whether a ``try`` has a last clause that jumps and stays as it is, or a loop that stays has one in it."""
    if isinstance(node, _LOOPS) and keeps_loop(node) is not None:
        return any(jumps_away(getattr(n, "finalbody", None) or []) for n in nodes(node.body))
    last = getattr(node, "finalbody", None) or []
    return jumps_away(last) and waits(last)


def _may_fail_after_a_jump(body: list[Node]) -> bool:
    """Whether a jump leaves a ``with`` or ``try … finally`` inside, which may raise an exception on the way."""
    for node in nodes(body):
        exits = isinstance(node, gast.With | gast.AsyncWith) or getattr(node, "finalbody", None)
        if exits and (jumps_away(node.body) or any(jumps_away(h.body) for h in getattr(node, "handlers", ()))):
            return True
    return False


def _may_jump(node: Node) -> bool:
    """Whether there is anything to lower in a statement: a jump, or a loop with an else clause."""
    loops = (*_LOOPS, gast.AsyncFor)
    return any(
        isinstance(n, gast.Return | gast.Break | gast.Continue) or (isinstance(n, loops) and n.orelse)
        for n in nodes(node)
    )


def declared_outside(body: list[Node]) -> set[str]:
    """Names that are not the function's own although it binds them."""
    return {*declared(body, gast.Global), *declared(body, gast.Nonlocal)}


def _without_unread(block: list[Node], loop: _Loop) -> list[Node]:
    """Drop the settings of a ``continue`` flag that no guard reads."""
    flag = loop.flags.get("continue")
    if flag is None or flag in loop.guarded:
        return block

    class Drop(gast.NodeTransformer):
        def visit_Assign(self, node: Node) -> Node:
            target = node.targets[0]
            return (
                gast.copy_location(gast.Pass(), node) if isinstance(target, gast.Name) and target.id == flag else node
            )

        def generic_visit(self, node: Node) -> Node:
            super().generic_visit(node)
            for part in ("body", "orelse", "finalbody"):
                if isinstance(block := getattr(node, part, None), list):
                    setattr(node, part, _without_pass(block))
            return node

        def visit_If(self, node: Node) -> Node:
            self.generic_visit(node)
            if isinstance(node.body[0], gast.Pass) and node.orelse and not isinstance(node.orelse[0], gast.Pass):
                return gast.copy_location(branch(at(negation(node.test), node.test), node.orelse), node)
            return node

    holder = gast.Module(body=block, type_ignores=[])
    return _without_pass(Drop().visit(holder).body)


def _without_pass(block: list[Node]) -> list[Node]:
    return [s for s in block if not isinstance(s, gast.Pass)] or block[:1]


def run(tree: Node, context: Context) -> Node:
    for node in reversed(functions(tree)) if context.holds(*STATEMENTS) else ():
        node.body = Jumps(context).function(node)
    return tree
