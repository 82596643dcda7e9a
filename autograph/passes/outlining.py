"""The bodies of ``if``, ``while`` and ``for`` become functions, and the statement a call of an operator.

A body declares ``nonlocal`` what it assigns for others to see; the operator is given those names and finds the
variables in the body's own closure cells. One walk, backwards through each block, knows at
every statement which names are needed after it, and so which are state and which are ordinary locals of a body.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Iterable, Sequence

import gast

from autograph.analysis.blocks import always_ends, blocks, jumps_away, leaves_loop
from autograph.analysis.liveness import Liveness
from autograph.analysis.symbols import (
    SCOPES,
    bound,
    captured,
    declared,
    nodes,
    parameters,
    reads,
    walrus_targets,
)
from autograph.build import (
    Node,
    assign_to,
    at,
    constant,
    declare,
    function,
    name,
    negation,
    on_top,
    thunk,
    unannotated,
)
from autograph.constructs import Branches, ForLoop, WhileLoop
from autograph.context import Context
from autograph.eligibility import STATEMENTS, functions, keeps_block, keeps_branch, keeps_loop, reads_frame, waits
from autograph.reasons import Reason

Names = frozenset[str]
# The exceptions that no variable which is unbound raises.
_OF_VALUES = frozenset(
    name
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception) and not issubclass(UnboundLocalError, kind)
)


class Outlining:
    """Rewrites the statements of one function."""

    def __init__(self, function_node: Node, context: Context) -> None:
        body = function_node.body
        self.context = context
        self.liveness = Liveness()
        self.globals = declared(body, gast.Global)
        self.nonlocals = declared(body, gast.Nonlocal)
        self.public: Names = frozenset(self.globals) | frozenset(self.nonlocals)
        if any(map(reads_frame, nodes(body))):
            self.public |= bound(body).keys()  # what reads the frame sees every variable
        made = {id(scope): frozenset(captured([scope])) for scope in nodes(body) if isinstance(scope, SCOPES)}
        self.captures = {number: names for number, names in made.items() if names}
        self.later: Names = frozenset()  # what is assigned behind the statement at hand, where functions are made
        self.loops = 0  # how many loops are around the statement at hand
        arguments = parameters(function_node)
        self.parameters = {p.id for p in arguments}
        self.shared: dict[int, list[str]] = {}  # of each function made here, what it shares with those around it
        self.kept_loops = 0  # how many loops that stay loops are around the statement at hand
        self.made: list[Node] = []  # keeps them alive, so that the ids above stay theirs
        self.kept_tries = 0  # how many that are no branches are around the statement at hand
        self.units: set[int] = set()  # the ids of ``try`` statements that have been looked at

    def function(self, body: list[Node]) -> list[Node]:
        before = bound(body)
        rewritten = self.block(_hoisted(body), frozenset(), frozenset())
        outside = set(self.globals) | set(self.nonlocals) | self.parameters
        # A name that has become a local of some body is still no global where the function reads it elsewhere.
        elsewhere = reads(rewritten) & before.keys() - outside
        return self._complete(rewritten, outside, [n for n in before if n in elsewhere])

    def block(self, statements: Sequence[Node], after: Names, always: Names) -> list[Node]:
        """Rewrite statements in a row; `after` is live behind them, `always` whenever one of them may be left."""
        live, later = after | always, self.later
        done: list[list[Node]] = []
        for node in reversed(statements):
            effect, names = self.liveness.of(node), bound([node]) if self.captures else ()
            done.append(self._statement(node, live, always))
            live = effect.before(live) | always
            self.later |= frozenset(names)
        self.later = later
        return [node for group in reversed(done) for node in group]

    def _statement(self, node: Node, after: Names, always: Names) -> list[Node]:
        if isinstance(node, gast.If):
            reason = self._keeps_branch(node)
            self.context.note(node, reason)
            if reason is None:
                return self._branch(node, after, always)
            node.body = self.block(node.body, after, always)
            node.orelse = self.block(node.orelse, after, always)
        elif isinstance(node, gast.While | gast.For | gast.AsyncFor):
            reason = keeps_loop(node) or (Reason.JUMP_IS_NO_FLAG if _jumps_away(node) else None)
            self.context.note(node, reason)
            if reason is None:
                return self._loop(node, after, always)
            around = after | always | self.liveness.of(node).uses
            self.kept_loops += 1
            self.loops += 1
            node.body = self.block(node.body, around, around)
            self.kept_loops -= 1
            self.loops -= 1
            node.orelse = self.block(node.orelse, after, always)
        elif isinstance(node, gast.With | gast.AsyncWith):
            node.body = self.block(node.body, after, always | after)
        elif isinstance(node, gast.Match):
            for case in node.cases:
                case.body = self.block(case.body, after, always)
        elif isinstance(node, gast.Try) or type(node).__name__ == "TryStar":
            if self.context.thorough and not self.kept_tries and id(node) not in self.units:
                return self._unit(node, after, always)
            self._try(node, after, always)
        return [node]

    def _unit(self, node: Node, after: Names, always: Names) -> list[Node]:
        """A ``try`` as a branch that is always taken, if it can be one: what is asked in it is answered there."""
        self.units.add(id(node))
        stays = _returns([node]) or leaves_loop([node]) or keeps_block([node]) is not None
        if stays or not node.handlers or not all(map(self._is_of_values, node.handlers)):
            self.kept_tries += 1
            made = self._statement(node, after, always)
            self.kept_tries -= 1
            return made
        return self._branch(at(gast.If(test=constant(True), body=[node], orelse=[]), node), after, always)

    def _is_of_values(self, handler: Node) -> bool:
        """Whether a clause surely catches nothing that Python raises for a variable: of one of a function around it
        that says something else."""
        kinds = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
        own = self.context.shadowed.union(self.context.defined)
        return all(isinstance(kind, gast.Name) and kind.id in _OF_VALUES - own for kind in kinds)

    def _keeps_branch(self, node: Node) -> Reason | None:
        """Why an ``if`` stays where it stands, or None."""
        inside = [*node.body, *node.orelse]
        if (reason := keeps_branch(node)) is not None:
            return reason
        if self.kept_loops and _returns(inside):
            return Reason.RETURNS_FROM_LOOP
        return Reason.JUMPS_IN_LOOP if leaves_loop(inside) else None

    def _try(self, node: Node, after: Names, always: Names) -> None:
        if self.captures:
            self.later |= frozenset(bound([node]))
        final = self.liveness.block(node.finalbody).uses
        handlers = frozenset[str]().union(*(self.liveness.block(h.body).uses for h in node.handlers))
        raised = always | after | final | handlers
        node.body = self.block(node.body, after | self.liveness.block(node.orelse).uses | raised, raised)
        for number, handler in enumerate(node.handlers):
            later = self.liveness.behind(node, number)
            handler.body = self.block(handler.body, after | later, always | after | later)
        node.orelse = self.block(node.orelse, after | final, always | after | final)
        if not jumps_away(node.finalbody):
            node.finalbody = self.block(node.finalbody, after, always)

    def _observed(self, names: Iterable[str], after: Names, inside: Sequence[Node]) -> set[str]:
        """Those of the names that something sees once a block (`inside`) has run: what follows, or a function made from
        the variables. A function that the block itself makes shares the block's own variable, unless that is assigned
        later, or a loop runs the block again and all its functions share one."""
        own = (
            set()
            if self.loops or not self.captures
            else {id(scope) for scope in nodes(inside) if isinstance(scope, SCOPES)}
        )
        taken = self.public.union(*(n if s not in own else n & self.later for s, n in self.captures.items()))
        return {n for n in names if n in after or n in taken}

    def _branch(self, node: Node, after: Names, always: Names) -> list[Node]:
        """``if`` becomes ``ag__.if_stmt(test, if_body, else_body, state)``, with ``elif`` ``ag__.if_chain(arms, …)``.

        Where the branches return, so does the call: the statement is then the last that the function runs.
        """
        arms, orelse = _arms(node)
        for arm in arms[1:]:
            self.context.note(arm, None)
        sides = [*(arm.body for arm in arms), orelse]
        everything = [statement for block in sides for statement in block]
        returns = _returns(everything)
        ends = [returns and not always_ends(block, (gast.Return, gast.Raise)) for block in sides]
        needs = frozenset[str]().union(*(self.liveness.block(block).uses for block in sides))
        needs = needs.union(*(reads(arm.test) for arm in arms[1:]))
        binds = [bound(block) for block in sides]
        assigned = dict.fromkeys(n for names in binds for n in names)
        observed = self._observed(assigned, after, everything)
        functions = [self.block(block, after, always) for block in sides]
        for body, block, end in zip(functions, sides, ends):
            if end and not (body and isinstance(body[-1], Branches) and body[-1].returned):
                body.append(at(gast.Return(value=constant(None)), block[-1] if block else node))
        state = [n for n in assigned if n in observed]
        local = [n for n in assigned if n not in observed and n in needs]
        seen = {*state, *local}
        statements: list[Node] = []
        for index, (arm, body, names) in enumerate(zip([*arms, node], functions, binds)):
            if index < len(arms) or body:
                statements.append(self._function(_stem(index, len(arms)), (), body, seen, arm, names))
        tests = [node.test] if len(arms) == 1 else [at(thunk(arm.test), arm.test) for arm in arms]
        shown, results = self._parted(state)
        return [at(Branches(tests, statements, shown, self._mangled(local), results, returns, None), node)]

    def _loop(self, node: Node, after: Names, always: Names) -> list[Node]:
        """A loop becomes ``ag__.while_stmt(loop_test, loop_body, state)`` or ``ag__.for_stmt(items, loop_body, …)``."""
        is_for = isinstance(node, gast.For)
        around = after | always | self.liveness.of(node).uses
        source, stop = _split_stop(node.body) if is_for else (node.body, None)
        target = bound(node.target) if is_for else {}
        tested = dict.fromkeys(walrus_targets(gast.Expr(value=node.test))) if not is_for else {}
        assigned = {**target, **tested, **bound(source)}
        needs = self.liveness.block(source).uses - frozenset(target) if is_for else self.liveness.of(node).uses
        asked = frozenset(reads(stop)) if stop is not None else frozenset()  # after each iteration
        needs |= asked | (frozenset(reads(node.target)) - frozenset(target) if is_for else frozenset())
        observed = self._observed(assigned, after, [])
        seen = [n for n in assigned if n in observed or n in needs]
        binds = bound(source)
        self.loops += 1
        body = self.block(source, around | asked | (frozenset(target) & after), always)
        self.loops -= 1
        own_target = is_for and isinstance(node.target, gast.Name) and node.target.id not in seen
        if is_for and not own_target:
            item = self.context.fresh("item")
            body = [at(assign_to(node.target, name(item)), node.target), *body]
            binds = {**target, **binds}
            takes: tuple[str, ...] = (item,)
        else:
            takes = (node.target.id,) if is_for else ()
        loop_body = self._function("loop_body", takes, body, set(seen), node, binds)
        state, results = self._parted(seen)
        if is_for:
            functions = [loop_body]
            if stop is not None:
                value = at(gast.Return(value=negation(stop)), stop)
                functions.append(self._function("loop_test", (), [value], set(), stop, {}))
            return [at(ForLoop(node.iter, functions, state, results), node)]
        value = at(gast.Return(value=node.test), node.test)
        loop_test = self._function("loop_test", (), [value], set(seen), node.test, tested)
        return [at(WhileLoop([loop_test, loop_body], state, results), node)]

    def _parted(self, names: list[str]) -> tuple[tuple[str, ...], tuple[str | None, ...]]:
        """The variables among the names, and the pairs of a flag that the function returns and what it returns."""
        roles = self.context.returns
        flags, values = ([n for n in names if roles.get(n) is is_value] for is_value in (False, True))
        results = (n for pair in itertools.zip_longest(flags, values) for n in pair)
        return self._mangled(n for n in names if n not in roles), tuple(results)

    def _mangled(self, names: Iterable[str]) -> tuple[str, ...]:
        return tuple(map(self.context.mangled, names))

    def _function(
        self, stem: str, takes: tuple[str, ...], body: list[Node], seen: set[str], node: Node, binds: Iterable[str]
    ) -> Node:
        """A body as a function: it declares what it assigns (`binds`) for others to see."""
        shared = [n for n in binds if n in seen and n not in self.globals]
        public = [n for n in binds if n in self.globals]
        direct = bound(body)
        mine = [n for n in shared if n in direct]
        declarations = [gast.Nonlocal(names=mine)] if mine else []
        declarations += [gast.Global(names=public)] if public else []
        body = [s for s in body if not isinstance(s, gast.Pass)] if declarations and len(body) > 1 else body
        if self.context.holds(gast.AnnAssign):
            body = [unannotated(s, {*shared, *public}) for s in body]
        body = self._complete(body, {*takes, *shared, *public})
        made = function(self.context.helper(stem), takes, [*declarations, *body])
        self.shared[id(made)] = shared
        self.made.append(made)
        return at(made, node)

    def _complete(self, body: list[Node], known: set[str], wanted: Sequence[str] = ()) -> list[Node]:
        """Declare variables that only functions made from parts of this body assign."""
        asked = [*wanted, *(n for node in nodes(body) for n in self.shared.get(id(node), ()) if n not in known)]
        if not asked:
            return body
        own = known | set(bound(body))
        missing = dict.fromkeys(n for n in asked if n not in own)
        return on_top(body, [declare(n) for n in missing])


def _arms(node: Node) -> tuple[list[Node], list[Node]]:
    """The ``if`` and its ``elif`` (an `if` alone in the else clause is one too), and what the last ``else`` holds.

    A test that binds a variable stands alone, as it cannot become a lambda.
    """
    arms = [node]
    while not _binds(arms[0].test) and len(node.orelse) == 1 and isinstance(node.orelse[0], gast.If):
        node = node.orelse[0]
        if _binds(node.test) or waits(node.test):
            return arms, [node]
        arms.append(node)
    return arms, node.orelse


def _binds(test: Node) -> bool:
    return any(True for _ in walrus_targets(gast.Expr(value=test)))


def _stem(index: int, arms: int) -> str:
    """What the body of an arm is called: those of one chain need different names."""
    if index == arms:
        return "else_body"
    return "if_body" if index == 0 else "elif_body" if index == 1 else f"elif_body_{index - 1}"


def _all_blocks(node: Node) -> Iterable[list[Node]]:
    for block in blocks(node):
        for child in block:
            yield from _all_blocks(child)
        yield block


def _hoisted(body: list[Node]) -> list[Node]:
    """``global`` and ``nonlocal`` hold for the whole function; they go to its top, since blocks move elsewhere."""
    kinds = (gast.Global, gast.Nonlocal)
    nested = [s for node in body for block in _all_blocks(node) for s in block if isinstance(s, kinds)]
    if not nested:
        return body
    for node in body:
        for block in _all_blocks(node):
            block[:] = [s for s in block if not isinstance(s, kinds)] or [at(gast.Pass(), block[0])]
    return on_top(body, nested)


def _jumps_away(loop: Node) -> bool:
    """Whether a real jump out of the loop is left in it, which a function could not make."""
    body, _ = _split_stop(loop.body) if isinstance(loop, gast.For) else (loop.body, None)
    return jumps_away(body)


def _returns(block: Iterable[Node]) -> bool:
    return any(isinstance(node, gast.Return) for node in nodes(block))


def _split_stop(body: list[Node]) -> tuple[list[Node], Node | None]:
    """The body of a ``for`` and the condition of the ``if flag: break`` that the jumps pass put at its end."""
    last = body[-1]
    if isinstance(last, gast.If) and len(last.body) == 1 and isinstance(last.body[0], gast.Break) and not last.orelse:
        return body[:-1] or [at(gast.Pass(), last)], last.test
    return body, None


def run(tree: Node, context: Context) -> Node:
    """Outer functions before inner ones: what is known of the outer is about the inner as they were written."""
    for node in functions(tree) if context.thorough or context.holds(*STATEMENTS) else ():
        node.body = Outlining(node, context).function(node.body)
    return tree
