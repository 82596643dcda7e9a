"""Calls of operators as data: what each is made of, by name, until it is written out as a call."""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph.build import Node

Arguments = tuple[str, list[ast.expr], list[ast.keyword]]  # an operator, and what it is given


class Operation(gast.expr):
    """An expression that an operator decides. What it may not need stands in lambdas.

    Like every construct it may stand in a tree of gast's or of the standard library's.
    """

    def arguments(self) -> Arguments:
        """The operator, its arguments and its keywords."""
        raise NotImplementedError


class Lazy(Operation):
    """``ag__.and_(first, *thunks)``, and so for `or_`, `not_` and `if_exp`; with `truth` only that of it counts."""

    _fields = ("operator", "first", "thunks", "truth")

    def arguments(self) -> Arguments:
        return self.operator, [self.first, *self.thunks], _truth(self.truth)


class Chain(Operation):
    """``ag__.chain(first, ('<', lambda: b), …)``."""

    _fields = ("first", "signs", "thunks", "truth")

    def arguments(self) -> Arguments:
        pairs = [_tuple(ast.Constant(value=sign), value) for sign, value in zip(self.signs, self.thunks)]
        return "chain", [self.first, *pairs], _truth(self.truth)


class Assertion(Operation):
    """``ag__.assert_stmt(test, lambda: message)``."""

    _fields = ("tested", "message")

    def arguments(self) -> Arguments:
        return "assert_stmt", [self.tested, *self.message], []


class Called(Operation):
    """``ag__.call(f, …)``."""

    _fields = ("func", "args", "keywords")

    def arguments(self) -> Arguments:
        return "call", [self.func, *self.args], self.keywords


class Acting(Called):
    """``print(…)``, ``time.time()`` and the like: what is printed has it as the user wrote it, and what is loaded calls
    an operator, as a backend may have it done when a graph runs."""


class Construct(gast.stmt):
    """A statement whose parts are functions, for an operator to call."""

    functions: list[Node]

    def arguments(self) -> Arguments:
        """The operator, its arguments and its keywords."""
        raise NotImplementedError


class Branches(Construct):
    """``ag__.if_stmt(test, if_body, else_body, state)``, or ``ag__.if_chain(arms, …)`` of several tests, in lambdas.

    There is a function for each test, and one more for what the last ``else`` holds, if anything. Where the branches
    return, the statement does (`returned`). A chain may be given the value of the test that was `staged`.
    """

    _fields = ("tests", "functions", "state", "local", "returns", "returned", "staged")

    def arguments(self) -> Arguments:
        bodies: list[ast.expr] = [_name(function) for function in self.functions]
        last = [] if len(bodies) == len(self.tests) else [bodies.pop()]
        if self.state:
            last = [*(last or [ast.Constant(value=None)]), _names(self.state)]
        keywords = [*_keyword("local", self.local and _names(self.local)), *_returns(self.returns)]
        if len(self.tests) == 1:
            return "if_stmt", [self.tests[0], bodies[0], *last], keywords
        arms = ast.List(elts=[*map(_arm, self.tests, bodies)], ctx=ast.Load())
        return "if_chain", [arms, *last], [*keywords, *_keyword("staged", self.staged)]


class Loop(Construct):
    """What loops share. `iterations` names what asks, in a loop that runs in place, whether it goes on."""

    _fields: tuple[str, ...] = ("functions", "state", "returns")
    iterations: str

    def rest(self) -> list[ast.expr]:
        """The arguments but for what the loop runs over."""
        raise NotImplementedError

    def keywords(self) -> list[ast.keyword]:
        return _returns(self.returns)


class ForLoop(Loop):
    """``ag__.for_stmt(items, loop_body, state, loop_test)``, where the test tells whether the loop goes on."""

    _fields = ("items", *Loop._fields)
    iterations = "ForIterations"

    def arguments(self) -> Arguments:
        return "for_stmt", [self.items, *self.rest()], self.keywords()

    def rest(self) -> list[ast.expr]:
        body, *test = [_name(function) for function in self.functions]
        return [body, *([_names(self.state)] if self.state or test else []), *test]


class WhileLoop(Loop):
    """``ag__.while_stmt(loop_test, loop_body, state)``."""

    iterations = "WhileIterations"

    def arguments(self) -> Arguments:
        return "while_stmt", self.rest(), self.keywords()

    def rest(self) -> list[ast.expr]:
        return [*map(_name, self.functions), *([_names(self.state)] if self.state else [])]


KINDS = (Lazy, Chain, Assertion, Called, Acting, Branches, ForLoop, WhileLoop)


def _name(function: Node) -> ast.Name:
    return ast.Name(id=function.name, ctx=ast.Load())


def _arm(test: ast.expr, body: ast.expr) -> ast.expr:
    """A test and what it decides about, where the test stands."""
    return ast.copy_location(_tuple(test, ast.copy_location(body, test)), test)


def _names(names: tuple[str | None, ...]) -> ast.Tuple:
    return _tuple(*(ast.Constant(value=n) for n in names))


def _tuple(*parts: ast.expr) -> ast.Tuple:
    return ast.Tuple(elts=list(parts), ctx=ast.Load())


def _keyword(name: str, value: Any) -> list[ast.keyword]:
    return [ast.keyword(arg=name, value=value)] if value else []


def _truth(told: bool) -> list[ast.keyword]:
    return _keyword("truth", told and ast.Constant(value=True))


def _returns(names: tuple[str | None, ...]) -> list[ast.keyword]:
    return _keyword("returns", names and _names(names))
