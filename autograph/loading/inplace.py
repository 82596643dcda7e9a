"""When converted code is loaded, each operator call gets the plain Python statement beside it.

What is printed says ``ag__.if_stmt(test, if_body, else_body)``; what runs asks first whether anything staged decides.
If not, the statement that the user wrote runs in place, in the function's own frame: as fast as it was, with the user's
variables in the frame, and nothing between the user's lines for a debugger to step through or a traceback to show. The
bodies become functions only where a staged value makes the operator need them.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar

from autograph.constructs import (
    Assertion,
    Branches,
    Called,
    Chain,
    Construct,
    ForLoop,
    Lazy,
    Loop,
    Operation,
    WhileLoop,
)
from autograph.context import Context
from autograph.loading.asked import Asked
from autograph.loading.nodes import changed, placed
from autograph.loading.written import Writer, loaded_operators
from autograph.rules import STAGED_BUILTINS
from autograph.walk import children, every_node

_DEEPEST = 12  # what nests deeper runs as functions: every level in place keeps one more copy of what it holds
_MOST_OPERANDS = 30  # of ``and`` and ``or``

Function = ast.FunctionDef | ast.AsyncFunctionDef
Block = list[ast.stmt]
T = TypeVar("T", bound=ast.AST)
_COMPREHENSIONS = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def put_in_place(definition: T, context: Context) -> tuple[T, tuple[str, ...]]:
    """A converted function or lambda with plain statements in place, and the names of the functions from around it that
    it calls. The operators, and the `operators.seen.Seen` that knows those functions, are constants of the code.

    Nodes are shared between the copies and never changed.
    """
    functions = [node for node in every_node(definition) if isinstance(node, Function | ast.Lambda)]
    made = _InPlace(context, {id(node): _bound_in(node) for node in functions})
    if isinstance(definition, Function):
        return made.function(definition), tuple(made.callees)  # type: ignore[return-value]
    return made.expression(definition), tuple(made.callees)


def either(original: Function, loaded: Function) -> Function:
    """A function that runs as it is written, unless something is traced: then what is loaded for it."""
    body = original.body
    documented = ast.get_docstring(original, clean=False) is not None
    declared: dict[type, dict[str, None]] = {ast.Global: {}, ast.Nonlocal: {}}
    plain, converted = (_undeclared(f.body[documented:] or [ast.Pass()], declared) for f in (original, loaded))
    active = ast.Attribute(value=loaded_operators(), attr="dispatch", ctx=ast.Load())
    test = ast.Attribute(value=active, attr="active", ctx=ast.Load())
    place = body[documented] if len(body) > documented else body[0]
    choice = placed(ast.If(test=test, body=converted, orelse=plain), place)
    declarations = [placed(kind(names=list(names)), place) for kind, names in declared.items() if names]
    return changed(original, body=[*body[:documented], *declarations, choice])


def _undeclared(block: Block, declared: dict[type, dict[str, None]]) -> Block:
    """The block without ``global`` and ``nonlocal``, which are noted: they hold for the whole function."""

    def undeclared(node: ast.stmt) -> ast.stmt | None:
        if not isinstance(node, ast.Global | ast.Nonlocal):
            return node
        declared[type(node)].update(dict.fromkeys(node.names))
        return None

    return _each_statement(undeclared, block)


def _each_statement(change: Callable[[ast.stmt], ast.stmt | None], block: Block) -> Block:
    """The block with what becomes of the statements of this function, wherever they stand in it; None drops one."""

    def rest(node: T) -> T:
        if isinstance(node, Function | ast.ClassDef):
            return node
        changes: dict[str, object] = {}
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            part = getattr(node, name, None)
            if isinstance(part, list) and part:
                changes[name] = _each_statement(change, part)
        return changed(node, **changes)

    return [rest(made) for node in block if (made := change(node)) is not None] or [
        ast.copy_location(ast.Pass(), block[0])
    ]


def _bound_in(node: Function | ast.Lambda) -> set[str]:
    parameters = {a.arg for a in every_node(node.args) if isinstance(a, ast.arg)}
    return parameters | (_bound(node.body) if isinstance(node, Function) else set())


def _asks_for_none(node: ast.Compare) -> bool:
    """Whether the comparison is ``… is None`` or ``… is not None``."""
    right = node.comparators[0]
    return isinstance(node.ops[0], ast.Is | ast.IsNot) and isinstance(right, ast.Constant) and right.value is None


@dataclass(frozen=True)
class _Place:
    """Where a block stands: the names of the function around it (None directly in a class), and how many statements in
    place are around it, and how many of them are loops."""

    scope: _Scope | None
    depth: int = 0
    loops: int = 0


class _InPlace(Asked):
    def __init__(self, context: Context, bound: dict[int, set[str]]) -> None:
        super().__init__(context.value, set().union(*bound.values()))
        self.bound = bound  # of each function, by its node's identity, the names that it has as its own
        self.iterations = context.iterations
        self.known: dict[int, tuple[ast.AST, ast.AST]] = {}  # expressions read the same wherever they are put
        self.tests: set[int] = set()  # expressions of which only the truth matters
        self.functions: dict[tuple[int, int, int], tuple[Function, Function]] = {}  # and functions, so deep inside
        self.writer = Writer()  # of what runs only where a staged value decides

    def function(self, node: Function, depth: int = 0, loops: int = 0) -> Function:
        """A function of the user's, or the body of a loop."""
        key = (id(node), depth, loops)
        if key not in self.functions:
            scope = _Scope(self.bound[id(node)], {}, {})
            body = scope.finish(self.block(node.body, _Place(scope, depth, loops)))
            around = {name: self.writer.part(getattr(node, name)) for name in ("args", "decorator_list", "returns")}
            self.functions[key] = (node, changed(node, body=self._settled(node, body), **around))
        return self.functions[key][1]

    def _settled(self, node: Function, body: Block) -> Block:
        """Where a function asks whether a parameter is None, which is decided while tracing, that must be known."""
        parameters = {a.arg for a in every_node(node.args) if isinstance(a, ast.arg)}
        asked = [n.left for n in every_node(node) if isinstance(n, ast.Compare) and _asks_for_none(n)]
        names = dict.fromkeys(n.id for n in asked if isinstance(n, ast.Name) and n.id in parameters)
        if not names:
            return body
        start = 1 if ast.get_docstring(node, clean=False) is not None and len(body) > 1 else 0
        while start < len(body) - 1 and isinstance(body[start], ast.Nonlocal | ast.Global):
            start += 1
        pairs = ast.Dict(
            keys=[ast.Constant(value=n) for n in names], values=[ast.Name(id=n, ctx=ast.Load()) for n in names]
        )
        check = ast.If(test=self._active(), body=[ast.Expr(value=self._call("settled", pairs))], orelse=[])
        return [*body[:start], placed(check, body[start]), *body[start:]]

    def block(self, statements: Sequence[ast.stmt], place: _Place) -> Block:
        done: Block = []
        for node in statements:
            if isinstance(node, Construct):
                done += self._construct(node, place)
            elif isinstance(node, Function):
                done.append(self.function(node))
            else:
                done.append(self._inside(node, place))
        return done

    def _inside(self, node: T, place: _Place) -> T:
        """A statement that stays: its blocks and expressions are rewritten."""
        inner = replace(place, scope=None) if isinstance(node, ast.ClassDef) else place
        changes: dict[str, object] = {}
        for name in node._fields:
            part = getattr(node, name, None)
            first = part[0] if isinstance(part, list) and part else None
            if isinstance(first, ast.stmt):
                changes[name] = self.block(part, inner)  # type: ignore[arg-type]
            elif isinstance(first, ast.excepthandler | ast.match_case | ast.withitem):
                changes[name] = [self._inside(p, inner) for p in part]  # type: ignore[union-attr]
            elif isinstance(first, ast.expr) and place.scope is not None:
                changes[name] = [self.expression(p) for p in part]  # type: ignore[union-attr]
            elif isinstance(part, ast.expr) and place.scope is not None:
                changes[name] = self.expression(part)
            else:
                changes[name] = self.writer.part(part)
        return changed(node, **changes)

    def _construct(self, node: Construct, place: _Place) -> Block:
        """The statement in place, and the operator where a staged value decides."""
        if place.depth >= _DEEPEST:
            return self.writer.block([node])
        if isinstance(node, Branches):
            return [self._if(node, place)]
        assert isinstance(node, Loop)
        if isinstance(node, ForLoop) and len(node.functions) == 1:
            kind = self._place_of("items")
            return [self._for(node, kind, self.writer.block(node.functions), self._loop(node, place, kind=kind))]
        if isinstance(node, WhileLoop):
            self.tests.add(id(_last(node.functions[0])))
        again: Block = [self.function(f, place.depth + 1, place.loops + 1) for f in node.functions]
        if place.loops >= len(self.iterations):
            return [*again, self._staged(node)]
        # Whether a test or an exit is staged shows only in the course of the loop.
        iterations = self.iterations[place.loops]
        made = placed(self._call(node.iterations, *node.rest(), keywords=node.keywords()), node)
        begun = ast.IfExp(test=self._active(), body=made, orelse=ast.Constant(value=None))
        loop = [
            self._assign(iterations, begun, node),
            *self._loop(node, place, iterations),
            # What it holds must not live longer than the loop.
            self._assign(iterations, ast.Constant(value=None), node),
        ]
        defined = placed(ast.If(test=self._active(), body=again, orelse=[]), node)
        if isinstance(node, ForLoop):
            return [defined, self._for(node, self._place_of("items"), [], loop)]
        return [defined, *loop]

    def _staged(self, node: Construct) -> ast.stmt:
        """The call of the operator, for which its functions are there."""
        return self.writer.whole(self.writer.calling(node))

    def _assign(self, name: str, value: ast.expr, place: ast.stmt) -> ast.Assign:
        return placed(ast.Assign(targets=[ast.Name(id=name, ctx=ast.Store())], value=value), place)

    def _if(self, node: Branches, place: _Place) -> ast.If:
        """``if`` each test in turn is true, ``elif`` the last is false, else the operator, which a staged one needs.

        Once a test is staged those behind it are not asked.
        """
        bodies = node.functions
        if len(node.tests) == 1:
            tests, staged = node.tests, changed(node, tests=[self._value()])
        else:
            tests, staged = [test.body for test in node.tests], changed(node, staged=self._value())
        orelse = self._body(bodies[-1], place) if len(bodies) > len(tests) else []
        last: Block = self.writer.block([staged])
        if orelse:
            last = [placed(ast.If(test=self._is(False), body=orelse, orelse=last), node)]
        else:
            last = [placed(ast.If(test=self._is(False, ast.IsNot()), body=last, orelse=[]), node)]
        for index, (test, body) in reversed(list(enumerate(zip(tests, bodies)))):
            holds = self._holds(self.tested(test), index if len(tests) > 1 else None)
            if index:
                holds = ast.BoolOp(op=ast.And(), values=[self._is(False), holds])
            block = self._body(body, place)
            last = [placed(ast.If(test=placed(holds, test), body=block, orelse=last), test if index else node)]
        (whole,) = last
        assert isinstance(whole, ast.If)
        return whole

    def _holds(self, test: ast.expr, arm: int | None) -> ast.expr:
        """Whether a test is true; the value is then a bool if anything ordinary decides."""
        number = [] if arm is None else [ast.Constant(value=arm)]
        true = ast.Compare(left=self._set(test), ops=[ast.Is()], comparators=[ast.Constant(value=True)])
        asked = ast.Compare(
            left=self._set(self._decided(self._value(), *number)),
            ops=[ast.Is()],
            comparators=[ast.Constant(value=True)],
        )
        other = ast.BoolOp(op=ast.And(), values=[self._is(False, ast.IsNot()), asked])
        return ast.BoolOp(op=ast.Or(), values=[true, other])

    def _is(self, value: bool, sign: ast.cmpop | None = None) -> ast.expr:
        return ast.Compare(left=self._value(), ops=[sign or ast.Is()], comparators=[ast.Constant(value=value)])

    def _for(self, node: ForLoop, place: str, functions: Block, plain: Block) -> ast.If:
        """The operator where the items are staged, else the plain loop over them."""
        items = self.expression(node.items)
        staged = self._staged(changed(node, items=self._value()))
        asked = self._ask("repeated", ast.Constant(value=place), self._value())
        another = self._is_known(self._set(items), place, ast.IsNot())
        test = placed(ast.BoolOp(op=ast.And(), values=[another, asked]), items)
        return placed(ast.If(test=test, body=[*functions, staged], orelse=plain), node)

    def _loop(self, node: Loop, place: _Place, iterations: str | None = None, kind: str = "") -> Block:
        """The loop as it was written. The variable `iterations` has what is asked whether it goes on; `kind` is the
        place of the type of the items where nothing is asked."""

        def method(name: str, plain: ast.expr) -> ast.expr:
            if iterations is None:
                return plain
            variable = ast.Name(id=iterations, ctx=ast.Load())
            asked: ast.expr = self._method_of(variable, name, plain)
            if name == "goes_on":
                asked = self._goes_on(variable, plain, isinstance(node, WhileLoop))
            none = ast.Compare(left=variable, ops=[ast.Is()], comparators=[ast.Constant(value=None)])
            return placed(ast.IfExp(test=none, body=plain, orelse=asked), plain if hasattr(plain, "lineno") else node)

        if isinstance(node, WhileLoop):
            test, body = node.functions
            inside = self._body(body, place, 1)
            test_in_place = method("goes_on", self._returned(test, place))
            return [placed(ast.While(test=test_in_place, body=inside, orelse=[]), node)]
        body, *more = node.functions
        inside = self._body(body, place, 1)
        for test in more:
            go_on = method("goes_on", self._returned(test, place))
            ends = ast.If(test=ast.UnaryOp(op=ast.Not(), operand=go_on), body=[ast.Break()], orelse=[])
            inside.append(placed(ends, go_on))
        item = ast.Name(id=body.args.args[0].arg, ctx=ast.Store())
        items: ast.expr
        if iterations is None:
            watched = self._call("watched", self._released())
            items = ast.IfExp(test=self._is_known(self._value(), kind), body=self._released(), orelse=watched)
        else:
            items = method("over", self._released())
        return [placed(ast.For(target=item, iter=items, body=inside, orelse=[]), node)]

    def _goes_on(self, iterations: ast.Name, test: ast.expr, trusts: bool) -> ast.expr:
        """What tells, of the test of a loop, whether that goes on: the test itself if it is a bool, and nothing has to
        be watched."""
        if trusts:
            free: ast.expr = ast.Attribute(value=iterations, attr="trusted", ctx=ast.Load())
            watched: ast.expr = ast.UnaryOp(op=ast.Not(), operand=free)
        else:
            watched = self._attribute("left")
            free = ast.UnaryOp(op=ast.Not(), operand=watched)
        true = ast.Compare(left=self._set(test), ops=[ast.Is()], comparators=[ast.Constant(value=True)])
        other = ast.BoolOp(op=ast.Or(), values=[self._is(False, ast.IsNot()), watched])
        asked = ast.BoolOp(op=ast.And(), values=[other, self._method_of(iterations, "goes_on", self._released())])
        return ast.BoolOp(op=ast.Or(), values=[ast.BoolOp(op=ast.And(), values=[true, free]), asked])

    def _method_of(self, variable: ast.Name, name: str, *arguments: ast.expr) -> ast.Call:
        return ast.Call(func=ast.Attribute(value=variable, attr=name, ctx=ast.Load()), args=[*arguments], keywords=[])

    def _body(self, function: ast.FunctionDef, place: _Place, loops: int = 0) -> Block:
        """The statements of a body, in place."""
        assert place.scope is not None
        body, inner = place.scope.take(function)
        return self.block(body, _Place(inner, place.depth + 1, place.loops + loops))

    def _returned(self, function: ast.FunctionDef, place: _Place) -> ast.expr:
        assert place.scope is not None
        place.scope.take(function)  # what it declares, the function around declares in its stead
        return self.expression(_last(function))

    def expression(self, node: T) -> T:
        """The expression with its operators in place; a comprehension keeps them, as no variable can be bound there."""
        if isinstance(node, ast.Constant | ast.Name):
            return node
        if id(node) not in self.known:
            made = self.tested(node) if id(node) in self.tests and isinstance(node, ast.expr) else self._rewritten(node)
            self.known[id(node)] = (node, made)
        return self.known[id(node)][1]  # type: ignore[return-value]

    def tested(self, node: ast.expr) -> ast.expr:
        """The expression where only its truth matters: then Python asks each operand for it once.

        Where it is an operator, it gives a bool, or what is staged.
        """
        if isinstance(node, Chain):
            node = changed(node, truth=True)
        if isinstance(node, Lazy):
            return placed(self._lazy(node, truth=True), node)
        return node if isinstance(node, ast.Constant) else self._rewritten(node, True)  # type: ignore[return-value]

    def _is_builtin(self, function: ast.expr) -> TypeGuard[ast.Name]:
        """Whether it has the name of a built-in function with a staged meaning, and is no variable of the code's."""
        return isinstance(function, ast.Name) and function.id in STAGED_BUILTINS and function.id not in self.inner

    def _truth(self, node: ast.expr) -> ast.expr:
        """Its truth, or what is staged."""
        value = self.tested(node)
        return value if isinstance(node, Lazy) else self._truth_of(value, node)

    def _truth_of(self, value: ast.expr, node: ast.expr) -> ast.expr:
        known = ast.BoolOp(op=ast.Or(), values=[c for c in self._is_bool(self._set(value))])
        for compare in known.values:
            compare.ops = [ast.Is()]  # type: ignore[attr-defined]
        return placed(ast.IfExp(test=known, body=self._value(), orelse=self._decided(self._value())), node)

    def _rewritten(self, node: ast.AST, tested: bool = False) -> ast.AST:
        if isinstance(node, _COMPREHENSIONS):
            return self._with_calls(node)
        if isinstance(node, Called):
            function, *arguments = (self.expression(a) for a in (node.func, *node.args))
            keywords = [changed(k, value=self.expression(k.value)) for k in node.keywords]
            if isinstance(function, ast.Attribute):
                return placed(self._method(function, arguments, keywords), node)
            if self._is_builtin(function) and len(arguments) == 1 and not keywords:
                if not isinstance(arguments[0], ast.Starred):
                    return placed(self._builtin(function, arguments[0]), node)
            return placed(ast.Call(func=self._callee(function), args=arguments, keywords=keywords), node)
        if isinstance(node, Lazy):
            return placed(self._lazy(node), node)
        if isinstance(node, Assertion):
            self.tests.add(id(node.tested))
        changes: dict[str, object] = {}
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                changes[name] = self.expression(part)
            elif isinstance(part, list):
                changes[name] = [self.expression(p) if isinstance(p, ast.AST) else p for p in part]
        made = changed(node, **changes)
        return self.writer.call(made) if isinstance(made, Operation) else self._answered(made, tested)

    def _with_calls(self, node: T) -> T:
        """A comprehension, and what is in it, with calls in place; the other operators need a variable."""
        changes: dict[str, object] = {}
        for name in node._fields:
            part = getattr(node, name, None)
            if isinstance(part, ast.AST):
                changes[name] = self._with_calls(part)
            elif isinstance(part, list):
                changes[name] = [self._with_calls(p) if isinstance(p, ast.AST) else p for p in part]
        made = changed(node, **changes)
        if isinstance(made, Called):
            callee = placed(self._call("converted", made.func), made.func)
            return placed(ast.Call(func=callee, args=made.args, keywords=made.keywords), node)  # type: ignore[return-value]
        return self.writer.call(made) if isinstance(made, Operation) else made  # type: ignore[return-value]

    def _lazy(self, node: Lazy, truth: bool = False) -> ast.expr:
        """``staged if … else plain``, where the value of the first operand tells.

        With `truth` only that of the operands counts.
        """
        each = self._truth if truth else self.expression
        asked_once = node.operator == "if_exp" or node.truth  # of any but the last, whatever the last is for
        first = self._set(self._truth(node.first) if asked_once else each(node.first))
        staged = self.writer.whole(changed(node, first=self._value()))
        if node.operator == "not_":
            plain: ast.expr = ast.UnaryOp(op=ast.Not(), operand=self._value())
        elif node.operator == "if_exp":
            body, orelse = (each(thunk.body) for thunk in node.thunks)
            plain = ast.IfExp(test=self._value(), body=body, orelse=orelse)
        else:
            word = ast.And() if node.operator == "and_" else ast.Or()
            rest = self._following(node, truth)
            plain = ast.BoolOp(op=word, values=[self._value(), rest])
        neither = [changed(c, ops=[ast.IsNot()]) for c in self._is_bool(first)]
        asked = ast.BoolOp(op=ast.And(), values=[*neither, self._is_asked()])
        return ast.IfExp(test=asked, body=staged, orelse=plain)

    def _following(self, node: Lazy, truth: bool) -> ast.expr:
        """``b and c`` of ``a and b and c``; of very many operands, the operator asks the later ones, as each in place
        has all that follow it once more beside it."""
        second, *thunks = node.thunks
        number = getattr(node, "number", 1) + 1
        rest = changed(node, first=second.body, thunks=thunks, number=number) if thunks else second.body
        if not thunks or number <= _MOST_OPERANDS:
            return self._truth(rest) if truth else self.expression(rest)
        made = self.writer.whole(rest)
        return self._truth_of(made, rest) if truth else made


class _Scope:
    """The names of a function that statements are put into, and of the bodies among these around a place.

    What a body declares as another function's, and none around it has, becomes a declaration of the function.
    """

    def __init__(self, own: set[str], nonlocals: dict[str, None], globals_: dict[str, None]) -> None:
        self.own, self.nonlocals, self.globals = own, nonlocals, globals_

    def take(self, function: ast.FunctionDef) -> tuple[Block, _Scope]:
        """The statements of a body as the function has them, and the names around those."""
        declared: set[str] = set()
        for node in function.body:
            if isinstance(node, ast.Nonlocal | ast.Global):
                declared.update(node.names)
                outer = self.nonlocals if isinstance(node, ast.Nonlocal) else self.globals
                outer.update(dict.fromkeys(n for n in node.names if n not in self.own))
        kept = [node for node in function.body if not isinstance(node, ast.Nonlocal | ast.Global)]
        own = self.own | (_bound(kept) - declared) | {a.arg for a in function.args.args}
        return kept, _Scope(own, self.nonlocals, self.globals)

    def finish(self, body: Block) -> Block:
        """The function's body with what it has to declare on top."""
        pairs = ((ast.Nonlocal, self.nonlocals), (ast.Global, self.globals))
        declarations = [placed(kind(names=list(names)), body[0]) for kind, names in pairs if names]
        body = [*declarations, *body]
        outer = {name for node in body if isinstance(node, ast.Nonlocal | ast.Global) for name in node.names}
        return _unannotated(body, outer) if outer else body


def _last(function: ast.FunctionDef) -> ast.expr:
    """What a generated function returns."""
    last = function.body[-1]
    assert isinstance(last, ast.Return) and last.value is not None
    return last.value


def _bound(body: Sequence[ast.stmt]) -> set[str]:
    """The names that a function has as its own or has declared already."""
    names: set[str] = set()
    waiting: list[ast.AST] = list(body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Nonlocal | ast.Global):
            names.update(node.names)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
        elif isinstance(node, Function | ast.ClassDef):
            names.add(node.name)
            waiting += _outer_parts(node)
            continue
        elif isinstance(node, ast.Import | ast.ImportFrom):
            names.update(alias.asname or alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name is not None:
            names.add(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest is not None:
            names.add(node.rest)
        elif isinstance(node, ast.Lambda):
            waiting += _outer_parts(node)
            continue
        waiting.extend(children(node))
    return names


def _outer_parts(scope: Function | ast.Lambda | ast.ClassDef) -> list[ast.expr]:
    """The parts of a nested scope that are evaluated in the scope around it: a walrus there binds a name of that."""
    decorators = [] if isinstance(scope, ast.Lambda) else scope.decorator_list
    if isinstance(scope, ast.ClassDef):
        return [*decorators, *scope.bases, *(keyword.value for keyword in scope.keywords)]
    return [*decorators, *scope.args.defaults, *(d for d in scope.args.kw_defaults if d is not None)]


def _unannotated(body: Block, names: Collection[str]) -> Block:
    """An annotation makes a variable this function's own, which one of another function cannot be."""

    def unannotated(node: ast.stmt) -> ast.stmt | None:
        if not isinstance(node, ast.AnnAssign) or getattr(node.target, "id", "") not in names:
            return node
        return None if node.value is None else placed(ast.Assign(targets=[node.target], value=node.value), node)

    return _each_statement(unannotated, body)
