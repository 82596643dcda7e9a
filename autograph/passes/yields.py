"""A generator as a function that hands each item to another one, where it yields it."""

from __future__ import annotations

import gast

from autograph.analysis.symbols import all_names
from autograph.build import Node, at, constant, name, stored
from autograph.walk import children

_GIVE, _GOES_ON, _ITEM = "ag__give", "ag__goes_on", "ag__given"
_APART = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef, gast.Lambda)
_WAITS = (gast.Yield, gast.YieldFrom, gast.Await)
_CATCHES = (gast.Try, gast.TryStar, gast.With)  # an exception of who is given an item is not for these


def giving(function: Node, ends: bool) -> Node | None:
    """A definition whose first parameter is what is given each item, and which, if it `ends` before its time, asks its
    second after each whether it goes on.

    None if it is no such generator: one that is sent something, or yields where it would catch what befalls who has the
    item.
    """
    if isinstance(function, gast.AsyncFunctionDef) or not all_names(function).isdisjoint((_GIVE, _GOES_ON, _ITEM)):
        return None
    if any(map(_catches, function.body)):
        return None
    function.body = _given(function.body, ends)
    if any(map(_waits, function.body)):
        return None
    first = [gast.Name(id=n, ctx=gast.Param(), annotation=None, type_comment=None) for n in (_GIVE, _GOES_ON)]
    function.args.posonlyargs = [*(at(parameter, function) for parameter in first), *function.args.posonlyargs]
    return function


def _waits(node: Node) -> bool:
    """Whether it yields, but in a function in it."""
    if isinstance(node, _WAITS):
        return True
    return not isinstance(node, _APART) and any(map(_waits, children(node)))


def _catches(node: Node) -> bool:
    if isinstance(node, _CATCHES) and _waits(node):
        return True
    return not isinstance(node, _APART) and any(map(_catches, children(node)))


def _given(block: list[Node], ends: bool) -> list[Node]:
    """Statements with calls for what they yield."""
    done: list[Node] = []
    for node in block:
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield):
            value = node.value.value if node.value.value is not None else constant(None)
            done += [at(given, node) for given in _give(value, ends)]
            continue
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.YieldFrom):
            body, items = _give(name(_ITEM), ends), node.value.value
            done.append(at(gast.For(target=stored(_ITEM), iter=items, body=body, orelse=[], type_comment=None), node))
            continue
        if not isinstance(node, _APART):
            for part in (node, *getattr(node, "cases", ())):
                for held in ("body", "orelse"):
                    if isinstance(statements := getattr(part, held, None), list):
                        setattr(part, held, _given(statements, ends))
        done.append(node)
    return done


def _give(value: Node, ends: bool) -> list[Node]:
    given = gast.Expr(value=gast.Call(func=name(_GIVE), args=[value], keywords=[]))
    if not ends:
        return [given]
    is_over = gast.UnaryOp(op=gast.Not(), operand=gast.Call(func=name(_GOES_ON), args=[], keywords=[]))
    return [given, gast.If(test=is_over, body=[gast.Return(value=None)], orelse=[])]
