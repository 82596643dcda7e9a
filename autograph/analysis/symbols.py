"""Which names a piece of code binds, reads, captures and declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import gast

from autograph.build import Node
from autograph.walk import children, every_node

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
SCOPES = (*FUNCTIONS, gast.ClassDef, *COMPREHENSIONS)
_KINDS = frozenset(SCOPES)


def nodes(code: Node | Iterable[Node]) -> Iterator[Node]:
    """The nodes of this scope in source order; a nested scope is yielded but not entered.

    What a nested scope evaluates outside itself (decorators, defaults, bases, the first iterable) belongs to this one.
    """
    waiting = [code] if isinstance(code, gast.AST) else list(code)[::-1]
    while waiting:
        node = waiting.pop()
        yield node
        kind = type(node)
        if kind in _KINDS:
            waiting += outer_parts(node)[::-1]
        elif kind is not gast.Name and kind is not gast.Constant:
            waiting += children(node)[::-1]


def outer_parts(scope: Node) -> list[Node]:
    """The parts of a nested scope that are evaluated in the scope around it."""
    if isinstance(scope, COMPREHENSIONS):
        return [scope.generators[0].iter]
    if isinstance(scope, gast.ClassDef):
        return [*scope.decorator_list, *scope.bases, *scope.keywords]
    arguments = scope.args
    defaults = [d for d in (*arguments.defaults, *arguments.kw_defaults) if d is not None]
    if isinstance(scope, gast.Lambda):
        return defaults
    annotated = [p.annotation for p in parameters(scope) if p.annotation is not None]
    returns = [scope.returns] if scope.returns is not None else []
    return [*scope.decorator_list, *defaults, *annotated, *returns]


def parameters(function: Node) -> list[Node]:
    """The parameter nodes of a function or lambda."""
    a = function.args
    stars = [p for p in (a.vararg, a.kwarg) if p is not None]
    return [*a.posonlyargs, *a.args, *a.kwonlyargs, *stars]


def bound(code: Node | Iterable[Node]) -> dict[str, None]:
    """The names that this scope's code binds or deletes, in source order (a dict used as an ordered set).

    >>> list(bound(gast.parse("x = 1; import a.b; f = [y for y in (z := 1, 2)]")))
    ['x', 'a', 'f', 'z']
    """
    names: dict[str, None] = {}
    for node in nodes(code):
        if type(node) is gast.Name:
            if type(node.ctx) in _STORES:
                names[node.id] = None  # a bare annotation too: it makes the name local
        elif type(node) in _BINDERS:
            for name in _bindings(node):
                names[name] = None
    return names


_STORES = (gast.Store, gast.Del)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_IMPORTS = (gast.Import, gast.ImportFrom)
_BINDERS = frozenset(
    (*_DEFINITIONS, *_IMPORTS, *COMPREHENSIONS, gast.ExceptHandler, gast.MatchAs, gast.MatchStar, gast.MatchMapping)
)


def _bindings(node: Node) -> Iterator[str]:
    """The names that a node other than a variable binds."""
    if isinstance(node, _DEFINITIONS):
        yield node.name
    elif isinstance(node, _IMPORTS):
        for alias in node.names:
            yield alias.asname or alias.name.partition(".")[0]
    elif isinstance(node, gast.ExceptHandler):
        if node.name is not None:
            yield node.name.id if isinstance(node.name, gast.Name) else node.name
    elif isinstance(node, gast.MatchMapping):
        if node.rest is not None:
            yield node.rest
    elif isinstance(node, COMPREHENSIONS):  # a walrus inside binds in the scope around the comprehension
        yield from walrus_targets(node)
    elif node.name is not None:
        yield node.name


def walrus_targets(code: Node) -> Iterator[str]:
    """The names that ``:=`` binds in an expression, comprehensions included, but of a lambda only its defaults."""
    for child in children(code):
        if isinstance(child, gast.Lambda):
            for default in outer_parts(child):
                yield from walrus_targets(gast.Expr(value=default))
            continue
        if isinstance(child, gast.NamedExpr):
            yield child.target.id
        yield from walrus_targets(child)


def declared(code: Iterable[Node], kind: Any) -> dict[str, None]:
    """The names that ``global`` or ``nonlocal`` statements (`kind`) of this scope declare."""
    names: dict[str, None] = {}
    waiting = list(code)[::-1]
    while waiting:
        node = waiting.pop()
        if isinstance(node, kind):
            names.update(dict.fromkeys(node.names))
        elif not isinstance(node, _DEFINITIONS):
            for part in ("cases", "finalbody", "orelse", "handlers", "body"):
                waiting += getattr(node, part, ())[::-1]
    return names


def variables(function: Node) -> frozenset[str]:
    """The names that a function or lambda has for itself: its parameters, and what it binds and does not declare."""
    own = {p.id for p in parameters(function)} | set(bound(function.body))
    if not isinstance(function, gast.Lambda):
        own -= {*declared(function.body, gast.Nonlocal), *declared(function.body, gast.Global)}
    return frozenset(own)


def free(scope: Node) -> set[str]:
    """The names that a nested scope takes from around it."""
    if isinstance(scope, COMPREHENSIONS):
        own = {n for g in scope.generators for n in bound(g.target)}
        return reads(comprehension_parts(scope)) - own
    if isinstance(scope, gast.Lambda):
        return reads([scope.body]) - {p.id for p in parameters(scope)}
    outer = {*declared(scope.body, gast.Nonlocal), *declared(scope.body, gast.Global)}
    if not isinstance(scope, gast.ClassDef):
        return (reads(scope.body) | outer) - variables(scope)
    return reads(scope.body) | outer  # a class body reads a name from around it until it binds its own


def comprehension_parts(scope: Node) -> list[Node]:
    """What a comprehension evaluates, its iterables included."""
    element = [scope.key, scope.value] if isinstance(scope, gast.DictComp) else [scope.elt]
    iterables = [g.iter for g in scope.generators]
    conditions = [c for g in scope.generators for c in g.ifs]
    return [*element, *iterables, *conditions]


def reads(code: Node | Iterable[Node]) -> set[str]:
    """The names that the code reads, those that nested scopes take from it included."""
    names: set[str] = set()
    for node in nodes(code):
        if type(node) is gast.Name:
            if type(node.ctx) in _READS:
                names.add(node.id)
        elif isinstance(node, gast.AugAssign) and isinstance(node.target, gast.Name):
            names.add(node.target.id)
        elif isinstance(node, SCOPES):
            names |= free(node)
    return names


_READS = (gast.Load, gast.Del)


def captured(code: Node | Iterable[Node]) -> set[str]:
    """The names that functions, lambdas, generators and classes made by this code may use at any later time."""
    names: set[str] = set()
    for node in nodes(code):
        if isinstance(node, gast.ListComp | gast.SetComp | gast.DictComp):
            names |= captured(comprehension_parts(node))
        elif isinstance(node, SCOPES):
            names |= free(node)
    return names


def all_names(tree: Node, kinds: set[type] | None = None) -> set[str]:
    """Every identifier of the tree, whatever its scope; `kinds` is given the types of its nodes."""
    names: set[str] = set()
    for node in every_node(tree):
        kind = type(node)
        if kinds is not None:
            kinds.add(kind)
        if kind is gast.Name:
            names.add(node.id)
        elif kind in _BINDERS:
            names.update(_bindings(node))
        elif kind is gast.Global or kind is gast.Nonlocal:
            names.update(node.names)
    return names


def bound_inside(tree: Node) -> set[str]:
    """Names that some function of the tree binds, other than by an import: not the built-ins or modules so called."""
    names: set[str] = set()
    for node in every_node(tree):
        if isinstance(node, FUNCTIONS):
            names |= {p.id for p in parameters(node)}
            if not isinstance(node, gast.Lambda):
                imported = [n for n in nodes(node.body) if isinstance(n, gast.Import)]
                names |= set(bound(node.body)) - set(bound(imported))
    return names
